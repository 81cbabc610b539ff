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
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

/// What such a function does besides.
#[derive(Debug, Default)]
pub(super) struct Entered {
    /// When it last does anything.
    last: Point,
    /// What it puts somewhere, or hands to others, and when.
    given: Vec<(Point, PlaceIndex)>,
}

impl Entered {
    /// Whether what it gives in this row may be changed by others before it, or who has it from it, looks at it again.
    pub(super) fn shares(&self, solver: &Solver<'_>, row: &ElementRow) -> bool {
        let own = solver.contents(row.value);
        let others = self.given.iter().filter(|(point, _)| *point != row.point);
        let mut others = others.flat_map(|(_, value)| solver.contents(*value));
        self.last > row.point || others.any(|object| own.contains(object))
    }
}

/// Functions whose generators `with` enters.
pub(super) fn functions_entered(solver: &Solver<'_>) -> FxHashMap<FunctionIndex, Entered> {
    let mut entered: FxHashMap<FunctionIndex, Entered> = FxHashMap::default();
    for call in 0..solver.calls.len() as u32 {
        let result = solver.call_results(call).first();
        if result.is_some_and(|result| solver.entered.generators.contains(result)) {
            let targets = solver.calls[call as usize].targets.iter();
            entered.extend(targets.filter_map(|target| match target {
                Target::Function { function, .. } => Some((*function, Entered::default())),
                _ => None,
            }));
        }
    }
    if entered.is_empty() {
        return entered;
    }
    let mut note = |function: FunctionIndex, point: Point, given: Option<PlaceIndex>| {
        if let Some(known) = entered.get_mut(&function) {
            known.last = point.max(known.last);
            known.given.extend(given.map(|place| (point, place)));
        }
    };
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        note(row.function, row.point, None);
        for argument in solver.call_arguments(call as u32) {
            note(row.function, row.point, argument.place);
        }
    }
    for row in &solver.loads {
        note(row.function, row.point, None);
    }
    // What it is sent while it waits is another thing.
    let is_sent = |row: &&ElementRow| matches!(row.key, RowKey::Sent(_) | RowKey::SentFrom(_) | RowKey::Thrown);
    for row in solver.element_loads.iter().filter(|row| !is_sent(row)) {
        note(row.function, row.point, None);
    }
    for row in &solver.stores {
        note(row.function, row.point, row.from);
    }
    for row in &solver.element_stores {
        note(row.function, row.point, Some(row.value));
    }
    entered
}
