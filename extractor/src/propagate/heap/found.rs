//! Objects that a callee finds in what it is given, and moves: what lies in one of our cells is the same object in another.
//!
//! ```go
//! func (p *Pair) promote() { p.left = p.right }
//! pair.promote()       // our cell `pair.left` holds what our cell `pair.right` held
//! ```

use smallvec::SmallVec;

use super::{DEPTH_LIMIT, Heap, NOTHING, RootId, RootKind, Roots, Site, UNKNOWN};
use crate::link::{PlaceIndex, Step};

/// Steps from a parameter, each with the callee's root that it leads to.
pub(super) type Steps = SmallVec<[(Step, RootId); 2 * DEPTH_LIMIT as usize]>;

impl Heap {
    /// The way from a parameter to an object that a callee found in what it was given, as steps of ours.
    fn way_to(&self, site: &Site, root: RootId) -> Option<(PlaceIndex, Steps)> {
        let mut steps = Steps::new();
        let mut start = root;
        while let RootKind::Inside(cell) = self.get(start).kind {
            let cell = self.cell(cell);
            steps.push((self.our_step(site, cell.step), start));
            start = cell.root;
        }
        let (RootKind::Parameter(parameter), false) = (self.get(start).kind, steps.is_empty()) else {
            return None;
        };
        steps.reverse();
        Some((parameter, steps))
    }

    /// What we hand over as this parameter.
    pub(super) fn given_as(&self, site: &Site, parameter: PlaceIndex) -> Roots {
        let given = site.given.iter().filter(|(to, _)| *to == parameter);
        given.flat_map(|(_, from)| self.points_of(*from)).copied().collect()
    }

    /// Cells on that way, where we have none yet.
    pub(super) fn open_way(&mut self, site: &Site, root: RootId) {
        let Some((parameter, steps)) = self.way_to(site, root) else {
            return;
        };
        let mut roots = self.given_as(site, parameter);
        for (step, theirs) in steps {
            self.open_step(site, &roots, step);
            let mut next = self.next_of(&roots, step);
            self.open_folded(site, theirs, &mut next);
            roots = next;
        }
    }

    /// What we call an object that the callee found in what we gave it; none where there is no such.
    pub(super) fn found_by(&self, site: &Site, root: RootId) -> Option<Roots> {
        let (parameter, steps) = self.way_to(site, root)?;
        let mut members = steps.iter();
        let by_members = members.all(|(step, _)| matches!(step, Step::Member(_) | Step::Field(_)));
        let mut roots = self.given_as(site, parameter);
        // Where no object is handed over, or none yet, nothing lies in it.
        if roots.is_empty() {
            return Some(roots);
        }
        // Of what is only filled here, what is not seen yet is not there yet.
        let mut is_seen = true;
        for (step, theirs) in steps {
            let mut next = Roots::new();
            let steps = self.meant_by(step);
            let known = roots.iter().filter(|root| **root != NOTHING);
            for (root, step) in known.flat_map(|root| steps.iter().map(move |step| (*root, *step))) {
                if self.is_lost(root) || self.cell_of(root, step).is_none() {
                    next.push(UNKNOWN);
                    continue;
                }
                for seen in self.seen_by(root, step) {
                    is_seen &= !self.has_others(seen);
                    next.extend_from_slice(&self.cell(seen).holds);
                }
            }
            next.sort_unstable();
            next.dedup();
            self.add_folded(site, theirs, &mut next);
            roots = next;
        }
        match (roots.is_empty(), by_members) {
            (true, true) => None,
            (true, false) if is_seen => Some(roots),
            (true, false) => Some(Roots::from_slice(&[UNKNOWN])),
            (false, _) => Some(roots),
        }
    }
}
