//! What walks ask of every place that they come to, looked up once for all: a walk goes through a few hundred places, and there are tens of
//! thousands of walks.
//!
//! `client = Client()` has `client` in the function around it, as something that a call makes.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::Cells;
use super::origins::Origins;
use crate::facts::PlaceKind;
use crate::link::{DerivedPlace, FunctionIndex, PlaceIndex};
use crate::propagate::solve::Solver;

/// Not all edges into it are told.
const INCOMPLETE: u8 = 1;
/// All of them are.
const TOLD: u8 = 1 << 1;
/// Calls make instances there.
const MADE: u8 = 1 << 2;
/// A variable that the closure of a decorator sees, of what is decorated for all to call.
const DECORATED: u8 = 1 << 3;
/// A cell of an object.
const CELL: u8 = 1 << 4;
/// A result of a function.
const RESULT: u8 = 1 << 5;

/// [`Standing::owner`] of what is in no function.
const NOWHERE: u32 = u32::MAX;

/// What is asked of one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    owner: u32,
    marks: u8,
}

impl Standing {
    /// The function that the place is in.
    pub(super) fn owner(self) -> Option<FunctionIndex> {
        (self.owner != NOWHERE).then_some(FunctionIndex(self.owner))
    }

    pub(super) fn is_incomplete(self) -> bool {
        self.marks & INCOMPLETE != 0
    }

    pub(super) fn is_told(self) -> bool {
        self.marks & TOLD != 0
    }

    pub(super) fn is_made(self) -> bool {
        self.marks & MADE != 0
    }

    pub(super) fn is_decorated(self) -> bool {
        self.marks & DECORATED != 0
    }

    pub(super) fn is_cell(self) -> bool {
        self.marks & CELL != 0
    }

    pub(super) fn is_result(self) -> bool {
        self.marks & RESULT != 0
    }
}

/// Of all places, by their number.
pub(super) fn of_all(
    solver: &Solver<'_>,
    origins: &Origins,
    (incomplete, told): Cells<'_>,
    steps_told: &FxHashSet<PlaceIndex>,
) -> Vec<Standing> {
    let program = &*solver.program;
    let places = (0..program.place_count() as u32).into_par_iter().map(PlaceIndex);
    let standing = places.map(|place| {
        let is_cell = matches!(program.derived_place(place), Some(DerivedPlace::Cell { .. }));
        let is_result = solver.program.place_kind(place) == Some(PlaceKind::Result);
        Standing {
            owner: program.owner_of(place).map_or(NOWHERE, |owner| owner.0),
            marks: if is_cell { CELL } else { 0 } | if is_result { RESULT } else { 0 },
        }
    });
    let mut standing: Vec<Standing> = standing.collect();
    let mut mark = |places: &mut dyn Iterator<Item = &PlaceIndex>, with: u8| {
        for place in places {
            standing[place.at()].marks |= with;
        }
    };
    mark(&mut incomplete.iter(), INCOMPLETE);
    mark(
        &mut told.iter().chain(steps_told).chain(&solver.handed_keys.filled),
        TOLD,
    );
    mark(&mut origins.makes.keys(), MADE);
    mark(&mut origins.decorated.keys(), DECORATED);
    standing
}
