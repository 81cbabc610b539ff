//! Names in annotations that say what fills a parameter.
//!
//! ```python
//! Session = Annotated[Db, Depends(connect)]       # perhaps in another file
//! def orders(session: Session): ...               # is given what `connect` gives
//! ```

use rustc_hash::FxHashSet;

use super::solve::Solver;
use crate::facts::{Call, MARKERS, PlaceId, Position};
use crate::link::{FileIndex, PlaceIndex};

/// What a name in an annotation holds, the parameter, and where that stands.
pub(super) struct Annotated {
    pub from: PlaceIndex,
    pub to: PlaceIndex,
    pub site: (FileIndex, Position),
}

impl Solver<'_> {
    /// What fills a parameter comes to it.
    pub(super) fn fill_annotated(&mut self) {
        for row in self.annotated() {
            self.copy(row.from, row.to);
        }
    }

    /// The names in annotations that stand for what is called there, as `Depends(connect)` is.
    pub(super) fn annotated(&self) -> Vec<Annotated> {
        let mut found = Vec::new();
        for (file, index, places) in &self.name_sources {
            let facts = &self.program.files[file.at()].facts;
            if facts.annotated.is_empty() {
                continue;
            }
            let named = facts.name_uses[*index as usize].to;
            let mut rows = facts.annotated.iter().filter(|(from, ..)| *from == named).peekable();
            if rows.peek().is_none() || !places.iter().any(|place| self.is_called_there(*place)) {
                continue;
            }
            for (from, to, position) in rows {
                found.push(Annotated {
                    from: self.program.place(*file, *from),
                    to: self.program.place(*file, *to),
                    site: (*file, *position),
                });
            }
        }
        found
    }

    /// Whether a variable holds what such a call gives.
    fn is_called_there(&self, variable: PlaceIndex) -> bool {
        let Some((file, local)) = self.program.local_place(variable) else {
            return false;
        };
        let facts = &self.program.files[file.at()].facts;
        let from = facts.flows.iter().filter(|flow| flow.to == local).map(|flow| flow.from);
        let from: FxHashSet<PlaceId> = from.collect();
        let marks = |call: &&Call| {
            let last = facts.text(call.text).rsplit('.').next().unwrap_or_default();
            MARKERS.contains(&last)
        };
        let mut results = facts.calls.iter().filter(marks).flat_map(|call| &call.results);
        results.any(|result| from.contains(result))
    }
}
