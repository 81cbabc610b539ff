//! Whether a call on a walk calls the function that the walk comes out of, or goes back from.
//!
//! ```python
//! for register, view in [(app.page, home), (app.error, lost)]: register(view)
//! ```
//!
//! The engine has `home` at the parameter of `error`, too, where it knows both as callees of one call. Edges tell more of such a call, and that is asked
//! before a walk goes from a parameter to those who may have filled it, or into a function for what it gives.

use super::{ANYWHERE, Walks, end_of, is_in};
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::edges::{End, ValueEdge};
use crate::propagate::solve::Target;

impl Walks<'_, '_, '_> {
    /// Whether the call of an edge, looked at with this stack, calls the function that the edge comes from.
    pub(super) fn is_called(&mut self, edge: ValueEdge, stack: u32, depth: u8) -> bool {
        let (End::Place(from), Some(row)) = (edge.from, self.graph.solver.calls.get(edge.call as usize)) else {
            return true;
        };
        let targets = &row.targets;
        if targets.len() < 2 {
            return true;
        }
        let (Some(kept), Some(function)) = (
            self.callees(edge.call, stack, depth + 1),
            self.graph.solver.program.owner_of(from),
        ) else {
            return true;
        };
        is_among(targets, kept, function)
    }

    /// Whether a call, whoever makes it, calls the function that has a parameter: of several, where edges tell which.
    pub(super) fn is_entered(&mut self, call: u32, parameter: PlaceIndex, depth: u8) -> bool {
        let solver = self.graph.solver;
        let Some(row) = solver.calls.get(call as usize).filter(|row| row.targets.len() > 1) else {
            return true;
        };
        let (Some(function), Some(kept)) = (
            solver.program.owner_of(parameter),
            self.callees(call, ANYWHERE, depth + 1),
        ) else {
            return true;
        };
        is_among(&row.targets, kept, function)
    }
}

/// Whether a function is among those that were kept of a call's targets, or none of them.
fn is_among(targets: &[Target], kept: u64, function: FunctionIndex) -> bool {
    let is_it = |target: &Target| end_of(target) == Some(End::Function(function));
    let own = targets.iter().enumerate().filter(|(_, target)| is_it(target));
    let mut own = own.peekable();
    own.peek().is_none() || own.any(|(index, _)| is_in(kept, index))
}
