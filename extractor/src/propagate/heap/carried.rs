//! Parts under keys that callers give, in copies of what callers give.
//!
//! ```python
//! def rename(row, old, new):
//!     out = dict(row)                # what is in `row` under `old` is in `out` under `old`: no matter which key that is,
//!     out[new] = out.pop(old)        # this finds it, and nothing else of `row`
//!     return out                     # rename(row, "mail", "address"): nothing is under "mail", which was taken out after the copy
//! ```
//!
//! A copy carries what is under such a key beside the parts that are known by name. So what it wrote under names is not looked at where the
//! key is read, nor what it wrote under the key where a name is.

use rustc_hash::FxHashSet;

use super::gathered::Move;
use super::versions::Stops;
use super::{CellId, Heap, RootId, RootKind, Site};
use crate::facts::order::Point;
use crate::link::{Part, PlaceIndex, Step};

impl Heap {
    /// The keys under which a move carries parts: those by which its target is looked at, where callers say what is in its source.
    pub(super) fn keys_carried(&self, moved: &Move, source: RootId, target: RootId) -> Vec<Part> {
        if !moved.carries_keys || matches!(self.get(source).kind, RootKind::Made(_)) {
            return Vec::new();
        }
        let steps = self.get(target).steps.iter();
        let keys = steps.filter_map(|step| match step {
            Step::Part(part @ Part::Under(_)) => Some(*part),
            _ => None,
        });
        keys.collect()
    }

    /// Of the writes of a cell, those that a read by this step has to look at.
    pub(super) fn looked_at(&self, (root, cell): (RootId, CellId), step: Step, writes: &mut Vec<Point>) {
        let own = self.cell(cell).step;
        let is_key = |step: Step| matches!(step, Step::Part(Part::Under(_)));
        if own == step || !is_key(own) && !is_key(step) {
            return;
        }
        let key = if is_key(own) {
            Some(cell)
        } else {
            self.cell_of(root, step)
        };
        let Some(key) = key else { return };
        writes.retain(|at| !self.versions.is_carried(key, *at) || !self.versions.is_carried(cell, *at));
    }

    /// What the callee leaves in a cell that it wrote, where others of its cells may be the same one to the caller.
    pub(super) fn left_by_callee(&self, site: &Site, theirs: RootId, cell: CellId) -> Vec<PlaceIndex> {
        let their = self.cell(cell).step;
        let steps = &self.get(theirs).steps;
        let is_key = |step: &Step| matches!(step, Step::Part(Part::Under(_)));
        if site.is_started || !matches!(their, Step::Part(_)) || !steps.iter().any(is_key) {
            return self.versions_left(cell, site.is_started);
        }
        let step = self.our_step(site, their);
        let is_other = |own: Step| own != their && self.our_step(site, own) == step;
        let others = self.get(theirs).cells_by(is_other);
        let mut over: Vec<Point> = others.flat_map(|other| self.versions.overwriting(other)).collect();
        if over.is_empty() || !matches!(step, Step::Part(Part::Text(_) | Part::Index(_) | Part::Under(_))) {
            return self.versions_left(cell, site.is_started);
        }
        over.sort_unstable();
        self.left_after(cell, &over)
    }

    /// As [`Heap::versions_left`], where what is written at these points takes the place of what was there.
    fn left_after(&self, cell: CellId, over: &[Point]) -> Vec<PlaceIndex> {
        let row = self.cell(cell);
        let Some(order) = self
            .versions
            .order_for(row.function)
            .filter(|order| !order.exits.is_empty())
        else {
            return self.versions_left(cell, false);
        };
        let stops = Stops::Here {
            dead: over,
            certain: &[],
        };
        let reached = self.versions.walk_back(cell, order, order.exits.clone(), stops);
        let left: FxHashSet<PlaceIndex> = self.places_of(cell, &reached.writes).into_iter().collect();
        let mut ends = self.versions_left(cell, false);
        ends.retain(|end| left.contains(end) || reached.first && row.place == Some(*end));
        ends
    }
}
