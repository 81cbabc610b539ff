//! Lists that are made longer where they lie, or made where there is none yet: `s.items = append(s.items, x)`.
//!
//! ```go
//! s := &stack{}       // nothing is in `s.items`,
//! s.push(secret)      // and from here on one list, which `push` made
//! s.push("x")         // longer
//! ```
//!
//! A function that makes longer what it is given leads to the one list that its caller has there. Where the caller has none, it has one
//! from there on that begins with nothing.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::contents::Contents;
use super::{CellId, Heap, Local, NOTHING, RootId, RootKind, Roots};
use crate::facts::FileFacts;
use crate::link::{FileIndex, PlaceIndex};
use crate::propagate::solve::Solver;

impl Heap {
    /// Notes the lists of a file that are made where there is none yet.
    pub(super) fn lay_out_grown(
        &mut self,
        solver: &Solver<'_>,
        file: FileIndex,
        facts: &FileFacts,
    ) -> FxHashSet<PlaceIndex> {
        let mut grown = FxHashSet::default();
        for (made, base, written) in &facts.grown {
            let function = facts.places[made.0 as usize].function;
            let [made, base] = [*made, *base].map(|place| solver.program.place(file, place));
            let local = &mut self.locals[solver.program.function(file, function).at()];
            local.grown.push(((made, base), written.0));
            grown.insert(made);
        }
        grown
    }

    /// Grows the lists of a function, where all else of it is known for now. Whether anything is new.
    pub(super) fn grow_all(&mut self, local: &Local) -> bool {
        // Where one is made, the next one for the same field may find it there.
        let mut made_for: SmallVec<[u32; 8]> = SmallVec::new();
        let mut new = false;
        for ((made, base), written) in &local.grown {
            if !made_for.contains(written) && self.grow(*made, *base) {
                made_for.push(*written);
                new = true;
            }
        }
        new
    }

    /// A list is made longer; where nothing is known to be there, it is made. Whether anything is new.
    fn grow(&mut self, made: PlaceIndex, base: PlaceIndex) -> bool {
        let roots = Roots::from_slice(self.points_of(base));
        if roots.iter().all(|root| *root == NOTHING) {
            let made_here = self.made_at(made);
            return self.put(made, &[made_here]);
        }
        self.note_grown(&roots)
    }

    /// A callee makes what lies in a cell of ours longer. Whether anything is new.
    pub(super) fn grow_in(&mut self, own: CellId) -> bool {
        let held = self.cell(own).holds.clone();
        if held.iter().any(|root| *root != NOTHING) {
            return self.note_grown(&held) | self.mark(own, |cell| &mut cell.grown);
        }
        let is_empty = self.is_filled_here(self.cell(own).root);
        let is_grown = self.mark(own, |cell| &mut cell.grown);
        is_grown | (is_empty && self.mark(own, |cell| &mut cell.stocked))
    }

    fn note_grown(&mut self, roots: &[RootId]) -> bool {
        let mut new = false;
        for root in roots {
            if let RootKind::Inside(cell) = self.get(*root).kind {
                new |= self.mark(cell, |cell| &mut cell.grown);
            }
        }
        new
    }

    /// What a list begins with that callees made where there was none.
    pub(super) fn contents_grown(&self, solver: &Solver<'_>, root: RootId) -> Option<Contents> {
        let RootKind::Inside(cell) = self.get(root).kind else {
            return None;
        };
        let row = self.cell(cell);
        let is_theirs = row.grown && !row.stocked_by_others && !row.copied;
        (is_theirs && self.is_empty_at_first(solver, root))
            .then(|| Contents::of_length(0))
            .flatten()
    }

    /// What lies in cells that something else may lie in later.
    pub(super) fn left_behind(&self) -> FxHashSet<RootId> {
        let cells = self.cells.iter().filter(|cell| cell.left_empty);
        cells.flat_map(|cell| cell.holds.iter().copied()).collect()
    }
}
