//! Functions of which library code keeps the result: all who ask get the same object.
//!
//! ```python
//! @functools.cache
//! def settings(): return Settings()
//! settings().mail = mail; settings().mail       # one object, that lies where nobody sees it
//! ```

use crate::facts::FunctionId;
use crate::link::PlaceIndex;
use crate::propagate::library::Subject;
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// What functions give that are called once, and that again: `@cache def settings(): return Settings()`.
pub(super) fn remembered(solver: &Solver<'_>) -> Vec<PlaceIndex> {
    let mut given = Vec::new();
    for (call, row) in solver.calls.iter().enumerate() {
        let remembers = |target: &Target| match target {
            Target::External(name) => solver.table_entry(row.file, *name).is_some_and(|entry| entry.remembers),
            _ => false,
        };
        // What a function has remembered for itself is new each time that it runs.
        let is_of_file = solver.program.functions[row.function.at()].local == FunctionId(0);
        if is_of_file && row.targets.iter().any(remembers) {
            let held = solver.subject_places(call as u32, &Subject::Argument(0));
            let held = held.into_iter().flat_map(|place| solver.held(place));
            let functions = held.filter_map(|(_, object)| match object {
                Object::Function(function) => Some(function),
                _ => None,
            });
            given.extend(functions.flat_map(|function| solver.function_results(function)));
        }
    }
    given
}
