//! Bodies of files that alone lead to who writes what they keep: it begins with what the file says, and changes as the body goes on.
//!
//! ```python
//! value = "none"
//! def put(v):
//!     global value
//!     value = v
//! def get(): return value
//! get()                    # "none"
//! put(secret)
//! get()                    # `secret`
//! ```
//!
//! While the body runs nobody else does. So where all that lead to a writer begin at the body, it hands the global, or the attribute of a class, along
//! as any function does: see [`super::globals`].

use rustc_hash::FxHashSet;

use super::Heap;
use super::looked_up::LookedUp;
use crate::facts::FunctionId;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::solve::Solver;

/// A global, or an attribute of a class.
pub(super) struct Kept {
    /// The place of all that is ever in there.
    pub(super) place: PlaceIndex,
    /// What the file says.
    pub(super) first: Vec<PlaceIndex>,
    /// The functions that put something there.
    pub(super) writers: FxHashSet<FunctionIndex>,
}

impl Heap {
    /// The bodies that begin with what the file says, with that, in order.
    pub(super) fn begun_by_bodies(
        &self,
        solver: &Solver<'_>,
        kept: Vec<Kept>,
        known: (&LookedUp, &FxHashSet<FunctionIndex>),
    ) -> Vec<(FunctionIndex, PlaceIndex, Vec<PlaceIndex>)> {
        let begun = kept.into_iter().filter_map(|kept| {
            let body = self.body_that_begins(solver, (kept.place, kept.writers), known)?;
            Some((body, kept.place, kept.first))
        });
        let mut begun: Vec<_> = begun.collect();
        begun.sort_unstable();
        begun
    }

    /// The body through which alone functions come to write a place of its file. None where others may call them: they do so at any time.
    fn body_that_begins(
        &self,
        solver: &Solver<'_>,
        (place, writers): (PlaceIndex, FxHashSet<FunctionIndex>),
        (looked_up, called_otherwise): (&LookedUp, &FxHashSet<FunctionIndex>),
    ) -> Option<FunctionIndex> {
        let owner = solver.program.owner_of(place)?;
        let body = solver
            .program
            .function(solver.program.functions[owner.at()].file, FunctionId(0));
        let is_body = |function: &FunctionIndex| solver.program.functions[function.at()].local.0 == 0;
        let is_in_order = solver.program.order(body).is_some_and(|order| !order.is_loose);
        if !is_in_order || writers.iter().any(|writer| is_body(writer) && *writer != body) {
            return None;
        }
        let along = self.handing_along(solver, writers)?;
        let is_led_to = |function: &FunctionIndex| {
            let callers = &self.locals[function.at()].callers;
            let is_ours = |caller: &FunctionIndex| *caller == body || along.contains(caller);
            !callers.is_empty() && callers.iter().all(is_ours)
        };
        let is_plain = along.is_disjoint(called_otherwise) && along.is_disjoint(&looked_up.handed_over);
        (is_plain && along.iter().all(is_led_to)).then_some(body)
    }
}
