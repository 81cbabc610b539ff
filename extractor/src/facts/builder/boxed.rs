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

    /// A box of something that has no name: of a field whose address is taken, or of what `new` makes.
    pub fn new_box(&mut self, holds: PlaceId, position: Position) -> PlaceId {
        let variable = self.value(position);
        self.note_boxed(variable, holds, true);
        self.flow(Some(holds), variable, How::Assign, position);
        variable
    }

    /// What is known to lie in a field is what is in a box, whenever that is looked at.
    pub(super) fn lies_in_box(&mut self, written: Option<PlaceId>, variable: PlaceId) {
        if let (Some(written), Some(scope)) = (written.filter(|written| *written != variable), self.scopes.last_mut()) {
            scope.boxed_parts.insert(written, variable);
        }
    }

    /// What is in a field by way of what was written there.
    pub(super) fn take_written(&mut self, written: PlaceId, to: PlaceId, position: Position) {
        let known = self.scopes.last().and_then(|scope| scope.boxed_parts.get(&written));
        let from = known.copied();
        if let Some(variable) = from {
            self.note_boxed(variable, to, false);
        }
        self.flow(Some(from.unwrap_or(written)), to, How::Assign, position);
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
