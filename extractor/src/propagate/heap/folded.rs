//! Objects in objects without end: where a way repeats one of its steps, what lies there is what lay there before.
//!
//! ```python
//! class Tree:
//!     def __init__(self, text): self.text, self.children = text, []
//!     def find(self): return self.children[0].find() if self.children else self
//! ```
//!
//! `self.children[0].children[0].children` is as deep as cells go: it is taken for `self.children[0].children`, whose root stands for all that
//! lie below it from there on (as type-based k-limiting does: Deutsch 1994). What a caller hands over for such a root is whatever
//! the same steps lead to, as often as they lead on. So trees and lists of one class are kept apart by what they hang on.

use rayon::prelude::*;

use super::{CellId, DEPTH_LIMIT, Heap, NOTHING, ROOT_LIMIT, RootId, RootKind, Roots, Site, UNKNOWN};
use crate::link::{Part, PlaceIndex, Step};
use crate::propagate::object::Object;
use crate::propagate::solve::Solver;

/// Which classes fields and parts of containers hold instances of, as far as it takes to tell that two may hold the same.
#[derive(Debug, Default)]
pub(super) struct Classes {
    first: usize,
    /// A bit for each class at the root of a hierarchy, several of them sharing one.
    of_places: Vec<u32>,
}

impl Classes {
    pub(super) fn new(solver: &Solver<'_>) -> Self {
        let first = solver.program.local_places as usize;
        let bit = |object| match object {
            Object::Instance(class) => {
                let row = &solver.program.types[class.at()];
                let top = row.order.last().copied().unwrap_or(class);
                1 << (top.at() % 32)
            }
            _ => 0,
        };
        let of_place = |place: usize| {
            let held = solver.held(PlaceIndex(place as u32));
            held.fold(0, |classes, (_, object)| classes | bit(object))
        };
        let derived = (first..solver.slots.len()).into_par_iter();
        Self {
            first,
            of_places: derived.map(of_place).collect(),
        }
    }

    fn of(&self, place: PlaceIndex) -> u32 {
        let index = place.at().checked_sub(self.first);
        index.and_then(|index| self.of_places.get(index).copied()).unwrap_or(0)
    }
}

impl Heap {
    /// The root that stands for what lies in a cell, where cells of that would be too deep: the nearest around it that is reached by the same
    /// step, or holds instances of the same classes.
    pub(super) fn fold_into(&self, cell: CellId, depth: u8) -> Option<RootId> {
        if depth < DEPTH_LIMIT {
            return None;
        }
        let step = self.cell(cell).step;
        let is_member = matches!(step, Step::Member(_) | Step::Field(_));
        let classes = self.classes_in(cell);
        let mut root = self.cell(cell).root;
        while let RootKind::Inside(around) = self.get(root).kind {
            if is_member && self.cell(around).step == step || classes & self.classes_in(around) != 0 {
                return Some(root);
            }
            root = self.cell(around).root;
        }
        self.fold_nested(cell)
    }

    /// Of lists in lists that a function is given, as it is called again with what lies in them, what they themselves lie in.
    fn fold_nested(&self, cell: CellId) -> Option<RootId> {
        let (mut cell, mut nearest) = (self.cell(cell), None);
        while cell.step == Step::Part(Part::Any) {
            match self.get(cell.root).kind {
                RootKind::Inside(around) => {
                    nearest = nearest.or(Some(cell.root));
                    cell = self.cell(around);
                }
                RootKind::Parameter(_) => return nearest,
                _ => break,
            }
        }
        None
    }

    fn classes_in(&self, cell: CellId) -> u32 {
        let fields = self.cell(cell).fields.iter();
        fields.fold(0, |classes, field| classes | self.classes.of(*field))
    }

    /// Whether a root is what lay in a cell at first.
    pub(super) fn is_first_of(&self, root: RootId, cell: CellId) -> bool {
        self.get(root).kind == RootKind::Inside(cell) || self.is_folded_at(root, cell)
    }

    /// Whether a cell leads back to a root around it.
    pub(super) fn is_folded_at(&self, root: RootId, cell: CellId) -> bool {
        self.folded.get(&root).is_some_and(|cells| cells.contains(&cell))
    }

    /// Whether a root stands for more than one object, since ways lead back to it.
    pub(super) fn is_loop(&self, root: RootId) -> bool {
        self.folded.contains_key(&root)
    }

    /// The steps from a root around it to a folded cell, and of it.
    fn steps_around(&self, root: RootId, cell: CellId) -> Vec<Step> {
        let mut steps = vec![self.cell(cell).step];
        let mut inside = self.cell(cell).root;
        while let (true, RootKind::Inside(around)) = (inside != root, self.get(inside).kind) {
            steps.push(self.cell(around).step);
            inside = self.cell(around).root;
        }
        steps.reverse();
        steps
    }

    /// All that a callee's root stands for, of which the caller calls some `ours`: what lies in them by the steps that lead back to it, and in
    /// that in turn.
    pub(super) fn add_folded(&self, site: &Site, theirs: RootId, ours: &mut Roots) {
        let Some(cells) = self.folded.get(&theirs) else { return };
        let mut known = 0;
        while known < ours.len() && ours.len() <= ROOT_LIMIT {
            let new = Roots::from_slice(&ours[known..]);
            known = ours.len();
            for cell in cells {
                let steps = self.steps_around(theirs, *cell).into_iter();
                let led = steps.fold(new.clone(), |roots, step| {
                    self.next_of(&roots, self.our_step(site, step))
                });
                for root in led {
                    if !ours.contains(&root) {
                        ours.push(root);
                    }
                }
            }
        }
    }

    /// As [`Heap::add_folded`], with cells where we have none yet.
    pub(super) fn open_folded(&mut self, site: &Site, theirs: RootId, ours: &mut Roots) {
        let Some(cells) = self.folded.get(&theirs).cloned() else {
            return;
        };
        let mut known = 0;
        while known < ours.len() && ours.len() <= ROOT_LIMIT {
            let new = Roots::from_slice(&ours[known..]);
            known = ours.len();
            for cell in &cells {
                let mut roots = new.clone();
                for step in self.steps_around(theirs, *cell) {
                    let step = self.our_step(site, step);
                    self.open_step(site, &roots, step);
                    roots = self.next_of(&roots, step);
                }
            }
            self.add_folded(site, theirs, ours);
        }
    }

    /// What one step leads to, from these objects.
    pub(super) fn next_of(&self, roots: &[RootId], step: Step) -> Roots {
        let steps = self.meant_by(step);
        let mut next = Roots::new();
        for root in roots.iter().filter(|root| **root != NOTHING) {
            if self.is_lost(*root) {
                next.push(UNKNOWN);
                continue;
            }
            for step in &steps {
                match self.cell_of(*root, *step) {
                    Some(_) => {
                        for seen in self.seen_by(*root, *step) {
                            next.extend_from_slice(&self.cell(seen).holds);
                        }
                    }
                    None => next.push(UNKNOWN),
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Cells for a step, where we have none yet.
    pub(super) fn open_step(&mut self, site: &Site, roots: &[RootId], step: Step) {
        self.asked.extend_from_slice(roots);
        let steps = self.meant_by(step);
        let there = roots.iter().filter(|root| **root != NOTHING);
        for (root, step) in there.flat_map(|root| steps.iter().map(move |step| (*root, *step))) {
            if self.cell_at(root, step, site.at, site.caller).is_some() {
                for seen in self.seen_by(root, step) {
                    self.contents(seen);
                }
            }
        }
    }
}
