//! Fields of structures: each is that of one type, so that two types behind an interface keep theirs apart.
//!
//! ```go
//! for _, o := range observers { o.Tell(text) }      // `Keeper.last` is written, and `Deaf.last` is another cell
//! ```
//!
//! A member of a class may be that of its bases, too: it goes by its name.

use smallvec::SmallVec;

use super::{Callee, CellId, Heap, RootId, RootKind, Site};
use crate::facts::{self, TypeKind};
use crate::link::{FileIndex, PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Most objects of a type that are kept apart.
const MADE_LIMIT: usize = 200;

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

    /// Whether our object may be what a callee that tells types apart takes it for, by the field that it looks at.
    pub(super) fn may_have(&self, solver: &Solver<'_>, site: &Site, root: RootId, their: CellId) -> bool {
        if self.leads_nowhere(self.our_step(site, self.cell(their).step)) {
            return false;
        }
        let Callee::Function { function, .. } = site.callee else {
            return true;
        };
        let RootKind::Made(place) = self.get(root).kind else {
            return true;
        };
        let name = match self.cell(their).step {
            Step::Member(name) if self.asserting.contains(&function) => name,
            Step::Field(field) => match solver.program.member_of(field) {
                Some(member) => member.name,
                None => return true,
            },
            _ => return true,
        };
        let fields = &self.cell(their).fields;
        let mut types = solver.held(place).filter_map(|(_, object)| match object {
            Object::Instance(owner) => Some(owner),
            _ => None,
        });
        let has = |owner: TypeIndex| {
            let own = solver.program.find_attribute_owner(owner, name);
            solver.program.types[owner.at()].open || own.is_some_and(|own| fields.contains(&own))
        };
        match types.next() {
            Some(first) => fields.is_empty() || has(first) || types.any(has),
            None => true,
        }
    }

    /// The steps that were laid out for a member of what is in a place.
    pub(super) fn steps_from(&self, base: PlaceIndex, name: Symbol) -> SmallVec<[Step; 2]> {
        let known = self.steps.get(&(base, name)).cloned();
        known.unwrap_or_else(|| SmallVec::from_slice(&[Step::Member(name)]))
    }
}

/// Of which types objects are kept apart: those of which some are made here, and not so many that nobody would look at one.
pub(super) fn classes_kept_apart(solver: &Solver<'_>) -> Vec<bool> {
    let mut made = vec![0usize; solver.program.types.len()];
    let mut count = |index: TypeIndex| {
        for base in &solver.program.types[index.at()].order {
            made[base.at()] += 1;
        }
    };
    for row in solver.calls.iter().filter(|row| !row.silent) {
        for target in &row.targets {
            if let Target::Constructor { class, .. } | Target::Class(class) = target {
                count(*class);
            }
        }
    }
    for (index, file) in solver.program.files.iter().enumerate() {
        let objects = file.facts.objects.iter();
        let objects = objects.filter(|(_, object)| matches!(object, facts::Object::Instance(_)));
        let declared = file.facts.declared.iter().map(|(place, _)| place);
        for place in objects.map(|(place, _)| place).chain(declared) {
            let place = solver.program.place(FileIndex(index as u32), *place);
            for (_, object) in solver.held(place) {
                if let Object::Instance(index) = object {
                    count(index);
                }
            }
        }
    }
    let made = made.into_iter().enumerate().map(|(index, made)| {
        // Structures are there without being made: in variables, in parts of containers.
        let is_structure = solver.program.type_facts(TypeIndex(index as u32)).kind == TypeKind::Struct;
        (1..=MADE_LIMIT).contains(&made.max(usize::from(is_structure)))
    });
    made.collect()
}

/// The fields that a member of what is in a place may be.
pub(super) fn fields_of(solver: &Solver<'_>, kept_apart: &[bool], base: PlaceIndex, member: Symbol) -> Vec<PlaceIndex> {
    let mut fields = Vec::new();
    for (_, object) in solver.held(base) {
        if let Object::Instance(owner) | Object::AnyOf(owner) = object {
            let place = solver.program.find_attribute_owner(owner, member);
            let is_field = |place: &PlaceIndex| {
                let row = solver.program.member_of(*place);
                row.is_some_and(|row| row.field.is_some() && kept_apart[row.owner.at()])
            };
            fields.extend(place.filter(is_field));
        }
    }
    fields.sort_unstable();
    fields.dedup();
    fields
}
