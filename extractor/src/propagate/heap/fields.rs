//! Fields of structures: each is that of one type, so that two types behind an interface keep theirs apart.
//!
//! ```go
//! for _, o := range observers { o.Tell(text) }      // `Keeper.last` is written, and `Deaf.last` is another cell
//! ```
//!
//! A member of a class may be that of its bases, too: it goes by its name.

use smallvec::SmallVec;

use super::Heap;
use crate::link::{PlaceIndex, Step, Symbol};
use crate::propagate::solve::Solver;

impl Heap {
    /// The step to a field.
    pub(super) fn member_step(&self, name: Symbol, field: PlaceIndex) -> Step {
        match self.of_structures.contains(&field) {
            true => Step::Field(field),
            false => Step::Member(name),
        }
    }

    /// As [`Heap::member_step`], of a place that may be no field.
    pub(super) fn step_to(&self, solver: &Solver<'_>, field: PlaceIndex) -> Option<Step> {
        let member = solver.program.member_of(field)?;
        Some(self.member_step(member.name, field))
    }

    /// The steps to these fields that a member of what is in a place may be, each with its own fields.
    pub(super) fn steps_of(
        &mut self,
        (base, name): (PlaceIndex, Symbol),
        fields: Vec<PlaceIndex>,
    ) -> SmallVec<[(Step, Vec<PlaceIndex>); 1]> {
        if self.of_structures.is_empty() {
            return SmallVec::from_iter([(Step::Member(name), fields)]);
        }
        let (own, others): (Vec<_>, Vec<_>) = fields.into_iter().partition(|field| self.of_structures.contains(field));
        let mut steps: SmallVec<[(Step, Vec<PlaceIndex>); 1]> =
            own.into_iter().map(|field| (Step::Field(field), vec![field])).collect();
        if !others.is_empty() || steps.is_empty() {
            steps.push((Step::Member(name), others));
        }
        for (step, _) in &steps {
            let known = self.steps.entry((base, name)).or_default();
            if !known.contains(step) {
                known.push(*step);
            }
        }
        steps
    }

    /// The steps that were laid out for a member of what is in a place.
    pub(super) fn steps_from(&self, base: PlaceIndex, name: Symbol) -> SmallVec<[Step; 2]> {
        let known = self.steps.get(&(base, name)).cloned();
        known.unwrap_or_else(|| SmallVec::from_slice(&[Step::Member(name)]))
    }
}
