//! Generators that `with` enters: what they give is changed while they wait, and they go on with it.

use rustc_hash::FxHashSet;

use crate::link::FunctionIndex;
use crate::propagate::solve::{Solver, Target};

/// Functions whose generators `with` enters.
pub(super) fn functions_entered(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    let mut entered = FxHashSet::default();
    for call in 0..solver.calls.len() as u32 {
        let result = solver.call_results(call).first();
        if result.is_some_and(|result| solver.entered.generators.contains(result)) {
            let targets = solver.calls[call as usize].targets.iter();
            entered.extend(targets.filter_map(|target| match target {
                Target::Function { function, .. } => Some(*function),
                _ => None,
            }));
        }
    }
    entered
}
