//! Arguments that are spread: each parameter takes a part of what is in the argument, as it is when the call is made.
//!
//! ```python
//! def safe(**options):
//!     options["text"] = "hidden"
//!     return send(**options)       # `text` takes what was just put in, `to` what `safe` was given as that
//! ```

use rustc_hash::FxHashMap;

use super::cells::Where;
use super::lay_out::{container_at, part_fields};
use super::{Access, Heap, When};
use crate::facts::ArgumentKind;
use crate::link::{DerivedPlace, Part, PlaceIndex, Step};
use crate::propagate::arguments::{Passing, Spread};
use crate::propagate::solve::{Solver, Target};

/// What a parameter takes of an argument: by call, argument and parameter.
pub(super) type Taken = FxHashMap<(u32, PlaceIndex, PlaceIndex), PlaceIndex>;

impl Heap {
    /// A place for each part that a parameter takes of an argument.
    pub(super) fn lay_out_spread(&mut self, solver: &mut Solver<'_>) -> Taken {
        let mut taken = Taken::default();
        for call in 0..solver.calls.len() as u32 {
            let spreads = |kind| matches!(kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
            let row = &solver.calls[call as usize];
            if row.silent
                || !solver
                    .call_arguments(call)
                    .iter()
                    .any(|argument| spreads(argument.kind))
            {
                continue;
            }
            let (at, when, caller) = ((row.file, row.position), When::certain(row.point), row.function);
            for target in row.entries().collect::<Vec<_>>() {
                let passings = match (target, solver.entered_as(call, target)) {
                    (Target::Class(class), _) => solver.generated_fields(call, class),
                    (_, Some((function, bound, base))) => solver.passings(call, function, bound, base),
                    _ => continue,
                };
                for passing in passings {
                    let Some(part) = taken_part(solver, &passing) else {
                        continue;
                    };
                    let key = (call, passing.from, passing.to);
                    if taken.contains_key(&key) {
                        continue;
                    }
                    let place = solver.derive_place(DerivedPlace::Passing(caller));
                    taken.insert(key, place);
                    if let Target::Class(_) = target {
                        self.taken_by_class.insert(key, place);
                    }
                    self.locals[caller.at()].reads.push(Access {
                        base: passing.from,
                        step: Step::Part(part),
                        value: Some(place),
                        fields: part_fields(solver, passing.from, part),
                        at,
                        when,
                        function: caller,
                    });
                }
            }
        }
        taken
    }

    /// The part of an argument that goes into a field of what a call makes.
    pub(in crate::propagate) fn part_taken(&self, call: u32, passing: &Passing) -> Option<PlaceIndex> {
        self.taken_by_class.get(&(call, passing.from, passing.to)).copied()
    }

    /// Where the part is that a parameter takes of an argument; none where nothing is taken.
    pub(in crate::propagate) fn find_spread(&self, solver: &Solver<'_>, call: u32, passing: &Passing) -> Option<Where> {
        let part = taken_part(solver, passing)?;
        let when = When::certain(solver.calls[call as usize].point);
        Some(self.find_each(passing.from, |heap, root| {
            heap.places_seen(root, Step::Part(part), when)
        }))
    }
}

/// Which part of an argument a parameter takes, if that is a container.
fn taken_part(solver: &Solver<'_>, passing: &Passing) -> Option<Part> {
    let part = match (passing.spread?, passing.gathered) {
        (Spread::At(index), None) => Part::Index(index),
        (Spread::Named(name), None) => Part::Text(name),
        _ => return None,
    };
    container_at(solver, passing.from)?;
    let is_stirred = |part| {
        let mut held = solver.held(passing.from);
        matches!(part, Part::Index(_)) && held.any(|(id, _)| solver.stirred.contains(&id))
    };
    Some(if is_stirred(part) { Part::Any } else { part })
}
