//! Which roots each place may hold: most places of a program hold no object, and take four bytes.
//!
//! `box = Box(); size = 3`: `box` has a list of one root, `size` none.

use super::{RootId, Roots};
use crate::link::PlaceIndex;

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Points {
    /// By place, where its list is; [`NO_LIST`] for most.
    at: Vec<u32>,
    lists: Vec<Roots>,
}

const NO_LIST: u32 = u32::MAX;

impl Points {
    /// Of so many places, with room for what is derived from them.
    pub(super) fn new(places: usize) -> Self {
        let mut at = Vec::with_capacity(places + places / 4);
        at.resize(places, NO_LIST);
        Self { at, lists: Vec::new() }
    }

    pub(super) fn of(&self, place: PlaceIndex) -> &[RootId] {
        let list = self.at.get(place.at()).and_then(|list| self.lists.get(*list as usize));
        list.map_or(&[], Roots::as_slice)
    }

    /// The list of a place, to add to it.
    pub(super) fn list(&mut self, place: PlaceIndex) -> &mut Roots {
        if self.at.len() <= place.at() {
            self.at.resize(place.at() + 1, NO_LIST);
        }
        let list = &mut self.at[place.at()];
        if *list == NO_LIST {
            *list = self.lists.len() as u32;
            self.lists.push(Roots::new_const());
        }
        &mut self.lists[*list as usize]
    }

    /// The lists of all places that have one.
    pub(super) fn lists(&self) -> &[Roots] {
        &self.lists
    }
}
