//! Partial applications as objects: each keeps what it holds back.
//!
//! ```python
//! greet, leave = partial(say, {"text": secret}), partial(say, {"text": "bye"})
//! leave()                          # the dictionary that `leave` keeps, not that of `greet`
//! ```
//!
//! As a closure and a bound method do, a partial application has a cell for each argument that it is made with; where it is called, they
//! come out of these cells. One that holds back another is handed to code that nobody follows.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Access, Heap, When};
use crate::link::{DerivedPlace, PlaceIndex, Step, Symbol};
use crate::propagate::solve::{RowSite, Solver};

/// Partial applications that are followed.
#[derive(Debug, Default)]
pub(super) struct HeldBack {
    /// The calls that make them.
    made: FxHashSet<u32>,
    /// Where an argument is that was held back, by the call that it is given to and what it was then.
    given: FxHashMap<(u32, PlaceIndex), PlaceIndex>,
}

impl HeldBack {
    /// Whether all that a call holds back is followed.
    pub(super) fn is_followed(&self, made: u32) -> bool {
        self.made.contains(&made)
    }

    /// What a call gives as this argument.
    pub(super) fn given(&self, call: u32, argument: PlaceIndex) -> PlaceIndex {
        self.given.get(&(call, argument)).copied().unwrap_or(argument)
    }
}

impl Heap {
    /// Finds the calls of partial applications.
    pub(super) fn lay_out_held_back(&mut self, solver: &mut Solver<'_>) {
        let mut calls: Vec<(u32, u32, Vec<u32>)> = solver
            .partial_calls
            .iter()
            .map(|(inner, (outer, made))| (*inner, *outer, made.clone()))
            .collect();
        calls.sort_unstable();
        let nested: FxHashSet<u32> = calls
            .iter()
            .filter(|(.., made)| made.len() > 1)
            .flat_map(|(.., made)| made.clone())
            .collect();
        for (inner, outer, made) in calls {
            let [made] = made.as_slice() else { continue };
            if nested.contains(made) || solver.calls[inner as usize].silent {
                continue;
            }
            let Some(whole) = solver.call_results(*made).first().copied() else {
                continue;
            };
            let held = held_back(solver, *made);
            if self.held_back.made.insert(*made) {
                let object = self.made_at(whole);
                self.put(whole, &[object]);
                let row = solver.calls[*made as usize].at();
                for (step, place) in &held {
                    let write = access((whole, *step), *place, *place, row);
                    self.locals[row.function.at()].writes.push(write);
                }
            }
            let (callee, row) = (solver.calls[outer as usize].callee, solver.calls[inner as usize].at());
            for (step, place) in held {
                let ours = solver.derive_place(DerivedPlace::Passing(row.function));
                let read = access((callee, step), ours, place, row);
                self.locals[row.function.at()].reads.push(read);
                self.held_back.given.insert((inner, place), ours);
            }
        }
    }
}

/// What a call holds back, each with its cell.
fn held_back(solver: &mut Solver<'_>, made: u32) -> Vec<(Step, PlaceIndex)> {
    let places: Vec<Option<PlaceIndex>> = solver
        .call_arguments(made)
        .iter()
        .map(|argument| argument.place)
        .collect();
    let mut held = Vec::new();
    for (index, place) in places.into_iter().enumerate() {
        let cell: Symbol = solver.program.symbols.intern(&format!("(held back {index})"));
        held.extend(place.map(|place| (Step::Kept(cell), place)));
    }
    held
}

fn access((base, step): (PlaceIndex, Step), value: PlaceIndex, from: PlaceIndex, row: RowSite) -> Access {
    Access {
        base,
        step,
        value: Some(value),
        fields: vec![from],
        at: (row.file, row.position),
        when: When::certain(row.point),
        function: row.function,
    }
}
