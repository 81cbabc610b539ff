//! Variables whose address is taken: what is in them is told by when it happens, since pointers may write them in between.
//!
//! ```go
//! left, right := secret(), "plain"     // each definition is a place of its own, and goes into the variable's box
//! swap(&left, &right)                  // pointers lead to the boxes
//! send(left)                           // each use reads the box when it happens
//! ```
//!
//! The box is one place, which all definitions flow into and all uses come from; who follows objects tells them apart.

use ripple_schema::How;

use super::Builder;
use crate::facts::reaching::Slot;
use crate::facts::{Boxed, Name, PlaceId, PlaceKind, Position};

impl Builder {
    /// The address of this variable is taken somewhere, and no inner function sees it.
    ///
    /// Whether it is one of the function that is being walked.
    pub fn box_variable(&mut self, name: Name, position: Position) -> bool {
        let Some((depth, slot)) = self.lookup(name).filter(|(depth, _)| depth + 1 == self.scopes.len()) else {
            return false;
        };
        let variable = self.place(PlaceKind::Local, name, position);
        self.scopes[depth].boxed.insert(slot, variable);
        for place in self.scopes[depth].webs.use_of(slot) {
            self.put_in_box(depth, slot, place, position);
        }
        true
    }

    /// The box of a variable, if it has one.
    pub fn box_of(&self, name: Name) -> Option<PlaceId> {
        let (depth, slot) = self.lookup(name)?;
        self.scopes[depth].boxed.get(&slot).copied()
    }

    pub(super) fn put_in_box(&mut self, depth: usize, slot: Slot, place: PlaceId, position: Position) {
        if let Some(variable) = self.scopes[depth].boxed.get(&slot).copied() {
            self.note_boxed(variable, place, true);
            self.flow(Some(place), variable, How::Assign, position);
        }
    }

    /// What is in the box of a variable here.
    pub(super) fn take_from_box(&mut self, variable: PlaceId, name: Name, position: Position) -> PlaceId {
        let place = self.place(PlaceKind::Value, name, position);
        self.note_boxed(variable, place, false);
        self.flow(Some(variable), place, How::Assign, position);
        place
    }

    fn note_boxed(&mut self, variable: PlaceId, place: PlaceId, is_written: bool) {
        let point = self.point();
        self.facts.boxed.push(Boxed {
            variable,
            place,
            is_written,
            point,
        });
    }
}
