//! What functions of a file see in its names before these are assigned again.
//!
//! ```python
//! prefix = "a"
//! def show(): return prefix
//! show()                # sees "a"
//! prefix = "b"          # what the file ends with
//! ```
//!
//! A function that reads a name of its file finds what the file ends with, and what was there when the file's own body called something
//! that the file has made: a function, or an object with methods.

use rustc_hash::FxHashMap;

use super::Builder;
use crate::facts::reaching::Slot;
use crate::facts::{Name, PlaceId, PlaceKind};

/// Which definitions of file-level names calls have seen that others replaced since.
#[derive(Debug, Default)]
pub(super) struct SeenEarly {
    /// Calls in the body so far.
    calls: u32,
    /// How many there were when a name was defined.
    defined_after: FxHashMap<PlaceId, u32>,
    /// Replaced, and seen before.
    seen: Vec<(Name, PlaceId)>,
}

impl Builder {
    /// A call in the body of the file; `root` is what its callee is reached through.
    pub fn note_body_call(&mut self, root: Name) {
        let is_imported = || self.facts.imports.iter().any(|import| import.alias == root);
        if self.scopes.len() == 1 && self.lookup(root).is_some() && !is_imported() {
            self.seen_early.calls += 1;
        }
    }

    /// A file-level name is about to be bound to something else.
    pub(super) fn note_replaced(&mut self, slot: Slot, by: PlaceId) {
        let early = &mut self.seen_early;
        for place in self.scopes[0].webs.reaching(slot) {
            let row = &self.facts.places[place.0 as usize];
            let is_variable = matches!(row.kind, PlaceKind::Global | PlaceKind::Constant);
            if is_variable && early.defined_after.get(place).is_some_and(|calls| *calls < early.calls) {
                early.seen.push((row.name, *place));
            }
        }
        early.defined_after.insert(by, early.calls);
    }

    pub(super) fn take_seen_early(&mut self) -> Vec<(Name, PlaceId)> {
        std::mem::take(&mut self.seen_early.seen)
    }
}
