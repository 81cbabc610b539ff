//! Generators that `with` enters: what they give is changed while they wait, and they go on with it.
//!
//! ```python
//! @contextmanager
//! def session(base):
//!     opened = Session(base)
//!     yield opened            # the body of the `with` adds to it,
//!     opened.commit()         # and this puts that into the database
//! ```

use rustc_hash::FxHashMap;

use crate::facts::order::Point;
use crate::link::FunctionIndex;
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

/// Functions whose generators `with` enters, with when each last looks at anything.
pub(super) fn functions_entered(solver: &Solver<'_>) -> FxHashMap<FunctionIndex, Point> {
    let mut entered = FxHashMap::default();
    for call in 0..solver.calls.len() as u32 {
        let result = solver.call_results(call).first();
        if result.is_some_and(|result| solver.entered.generators.contains(result)) {
            let targets = solver.calls[call as usize].targets.iter();
            entered.extend(targets.filter_map(|target| match target {
                Target::Function { function, .. } => Some((*function, Point::default())),
                _ => None,
            }));
        }
    }
    if entered.is_empty() {
        return entered;
    }
    let calls = solver
        .calls
        .iter()
        .filter(|row| !row.silent)
        .map(|row| (row.function, row.point));
    let loads = solver.loads.iter().map(|row| (row.function, row.point));
    // What it is sent while it waits is another thing.
    let is_sent = |row: &&ElementRow| matches!(row.key, RowKey::Sent(_) | RowKey::SentFrom(_) | RowKey::Thrown);
    let parts = solver.element_loads.iter().filter(|row| !is_sent(row));
    let parts = parts.map(|row| (row.function, row.point));
    for (function, point) in calls.chain(loads).chain(parts) {
        if let Some(last) = entered.get_mut(&function) {
            *last = point.max(*last);
        }
    }
    entered
}
