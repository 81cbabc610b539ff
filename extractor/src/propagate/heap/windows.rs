//! Windows: lists whose parts are parts of another one, at other positions, so that who writes into one writes into both.
//!
//! ```go
//! row := []string{"a", secret, "c"}
//! tail := row[1:]          // a window of `row`: [secret, "c"]
//! row[1] = "b"             // and from here on ["b", "c"]
//! tail[1] = secret         // `row[2]`, too
//! ```
//!
//! What is put at a position of one is an edit of all lists of the family, each in its own positions. A list of the family that gets
//! longer or shorter is not followed by the others, and a window that goes where it is not seen may be changed there: then nothing is
//! known of what it is cut out of from there on.

use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{Contents, Edit};
use super::edits::Edits;
use super::{Heap, RootId, Roots};
use crate::facts::order::Point;
use crate::link::{FunctionIndex, Part, PlaceIndex};
use crate::propagate::moved::PartCopyRow;
use crate::propagate::solve::Solver;

/// Most windows of one list, and most windows inside each other.
const WINDOW_LIMIT: usize = 8;

/// A list that is cut out of another.
#[derive(Debug, Clone)]
pub(super) struct Window {
    /// What it is cut out of: more than one where that is not known.
    of: Roots,
    /// When.
    at: Point,
    start: u32,
    stop: Option<u32>,
    /// It lies somewhere else than in variables of its function.
    is_lying: bool,
}

/// The windows of all functions.
#[derive(Debug, Default)]
pub(super) struct Windows {
    by_root: FxHashMap<RootId, Window>,
    /// The copies of parts that make a window of its list, and its list of the window.
    rows: FxHashSet<usize>,
    of: FxHashMap<RootId, Vec<RootId>>,
}

impl Windows {
    /// Whether a list is a window, or has one.
    pub(super) fn has(&self, list: RootId) -> bool {
        self.by_root.contains_key(&list) || self.of.contains_key(&list)
    }

    /// The windows, and what they are cut out of, where that is one list.
    pub(super) fn followed(&self) -> impl Iterator<Item = RootId> {
        let known = self.by_root.iter().filter(|(_, window)| window.of.len() == 1);
        known.flat_map(|(root, window)| [*root, window.of[0]])
    }
}

impl Heap {
    /// Finds which lists are cut out of which.
    pub(super) fn note_windows(&self, solver: &Solver<'_>) -> Windows {
        let mut windows = Windows::default();
        for moved in self.locals.iter().flat_map(|local| &local.moves) {
            let Some((from, to, index)) = moved.window() else {
                continue;
            };
            let row = &solver.part_copies[index];
            let (Some(root), Some(start)) = (self.made.get(&to), row.shift.checked_neg()) else {
                continue;
            };
            let Ok(start) = u32::try_from(start) else { continue };
            let window = Window {
                of: Roots::from_slice(self.points_of(from)),
                at: row.point,
                start,
                stop: row.stop,
                is_lying: false,
            };
            for base in &window.of {
                windows.of.entry(*base).or_default().push(*root);
            }
            windows.rows.insert(index);
            let back = solver.part_copies.get(index + 1);
            let is_back = |back: &&PartCopyRow| {
                (back.from, back.to, back.position) == (to, from, row.position) && back.shift == -row.shift
            };
            if back.filter(is_back).is_some() {
                windows.rows.insert(index + 1);
            }
            windows.by_root.insert(*root, window);
        }
        if windows.by_root.is_empty() {
            return windows;
        }
        let in_cells = self.cells.iter().flat_map(|cell| &cell.holds);
        let results = self.locals.iter().flat_map(|local| &local.sites);
        let results = results.flat_map(|site| &site.results);
        let given: FxHashSet<PlaceIndex> = results.map(|(_, theirs)| *theirs).collect();
        let given = given.iter().flat_map(|place| self.points_of(*place));
        for root in in_cells.chain(given) {
            if let Some(window) = windows.by_root.get_mut(root) {
                window.is_lying = true;
            }
        }
        windows
    }

    /// Whether a copy of parts is what makes a window of its list, or its list of the window.
    pub(super) fn is_of_window(&self, row: usize) -> bool {
        self.tracked.windows.rows.contains(&row)
    }

    /// What a list holds that is cut out of another, when it is; none where it is no window.
    pub(super) fn cut_out(&mut self, solver: &Solver<'_>, root: RootId) -> Option<(Point, Edit)> {
        let window = self.tracked.windows.by_root.get(&root)?.clone();
        let [base] = window.of[..] else {
            return Some((window.at, Edit::Unknown));
        };
        if base != root {
            self.timeline(solver, base);
        }
        let contents = self.contents_before(base, window.at);
        let parts = contents.and_then(|contents| contents.cut(window.start, window.stop));
        Some((window.at, parts.map_or(Edit::Unknown, Edit::Become)))
    }

    /// Adds what is done to a list by way of others of its family.
    pub(super) fn edits_of_family(
        &mut self,
        solver: &Solver<'_>,
        (function, root): (FunctionIndex, RootId),
        edits: &mut Edits,
    ) -> bool {
        self.add_of_family(solver, (function, root, None), edits, 0)
    }

    fn add_of_family(
        &mut self,
        solver: &Solver<'_>,
        (function, root, except): (FunctionIndex, RootId, Option<RootId>),
        edits: &mut Edits,
        depth: usize,
    ) -> bool {
        let windows = self.tracked.windows.of.get(&root).cloned().unwrap_or_default();
        if windows.len() > WINDOW_LIMIT || depth > WINDOW_LIMIT {
            return false;
        }
        for own in windows.into_iter().filter(|own| *own != root && Some(*own) != except) {
            let Some(window) = self.tracked.windows.by_root.get(&own).cloned() else {
                return false;
            };
            let is_seen = !window.is_lying && window.of.len() == 1 && self.is_followed(own);
            let mut made = Edits::new();
            let is_known = is_seen
                && self.raw_edits(solver, (function, own), &mut made)
                && self.add_of_family(solver, (function, own, Some(root)), &mut made, depth + 1);
            match is_known {
                true => edits.extend(made.into_iter().map(|(at, made)| (at, window.outwards(made)))),
                false => edits.push((window.at, vec![Edit::Unknown])),
            }
        }
        let Some(window) = self.tracked.windows.by_root.get(&root).cloned() else {
            return true;
        };
        match window.of[..] {
            [base] if Some(base) != except && base != root => {
                let mut made = Edits::new();
                let is_known = self.is_followed(base)
                    && self.raw_edits(solver, (function, base), &mut made)
                    && self.add_of_family(solver, (function, base, Some(root)), &mut made, depth + 1);
                let grows = |(_, made): &(Point, Vec<Edit>)| made.iter().any(Edit::makes_longer);
                let is_longer = edits.iter().any(grows);
                edits.extend(made.into_iter().map(|(at, made)| (at, window.inwards(made, is_longer))));
                is_known
            }
            [base] => Some(base) == except,
            _ => false,
        }
    }
}

impl Window {
    /// What edits of the window are to what it is cut out of.
    fn outwards(&self, edits: Vec<Edit>) -> Vec<Edit> {
        let moved = edits.into_iter().filter_map(|edit| match edit {
            Edit::Put(Part::Index(index), item) => {
                let index = index.checked_add(self.start)?;
                Some(Edit::Put(Part::Index(index), item))
            }
            Edit::Empty => None,
            _ => Some(Edit::Unknown),
        });
        moved.collect()
    }

    /// What edits of that are to the window, which may get longer itself.
    fn inwards(&self, edits: Vec<Edit>, is_longer: bool) -> Vec<Edit> {
        let is_inside = |index: u32| index >= self.start && self.stop.is_none_or(|stop| index < stop);
        let moved = edits.into_iter().filter_map(|edit| match edit {
            Edit::Put(Part::Index(index), item) if is_inside(index) => {
                Some(Edit::Put(Part::Index(index - self.start), item))
            }
            Edit::Put(Part::Index(_), _) if !is_longer => None,
            Edit::Empty => None,
            edit if edit.makes_longer() && !is_longer => None,
            _ => Some(Edit::Unknown),
        });
        moved.collect()
    }
}

impl Edit {
    /// Whether something is put behind the last part: over what another list of the family has there, maybe.
    fn makes_longer(&self) -> bool {
        matches!(self, Edit::Append(_) | Edit::Add(_))
    }
}

impl Contents {
    /// What is in a window of a list; none where that is not known.
    fn cut(self, start: u32, stop: Option<u32>) -> Option<Self> {
        let Self::List {
            front, middle: None, ..
        } = self
        else {
            return None;
        };
        let stop = stop.map_or(front.len(), |stop| stop as usize);
        let front = front.get(start as usize..stop)?.to_vec();
        Some(Self::List {
            front,
            middle: None,
            back: Vec::new(),
        })
    }
}
