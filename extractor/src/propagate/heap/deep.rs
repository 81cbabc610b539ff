//! Objects that are too deep for cells of their own: who changes what lies in one changes all of it.
//!
//! ```python
//! def fill(node): node.inner.inner.inner.inner.text = secret
//! ```
//!
//! What is written is four steps away from the parameter. Its callers are told that the last object with a name here is another than
//! they know, so that it escapes, and is found by its class.

use super::{DEPTH_LIMIT, Heap, NOTHING, RootId, RootKind, UNKNOWN};

impl Heap {
    /// Something is written into an object that is too deep for a cell.
    pub(super) fn change(&mut self, root: RootId) -> bool {
        if root == UNKNOWN || root == NOTHING {
            return false;
        }
        if let RootKind::Beyond(holder) = self.get(root).kind {
            return self.change(holder);
        }
        let was_changed = std::mem::replace(&mut self.roots[root.0 as usize].changed, true);
        if !was_changed {
            self.changed(root);
        }
        self.escape(root) | !was_changed
    }

    /// As [`Self::change`], into any of these.
    pub(super) fn change_all(&mut self, roots: &[RootId]) -> bool {
        roots.iter().fold(false, |new, root| self.change(*root) | new)
    }

    /// What lies in an object that is too deep for cells: who changes it changes that object.
    pub(super) fn beyond(&mut self, root: RootId) -> RootId {
        if let Some(known) = self.beyond.get(&root) {
            return *known;
        }
        let beyond = self.root(RootKind::Beyond(root), self.get(root).depth);
        self.roots[beyond.0 as usize].escaped = true;
        self.beyond.insert(root, beyond);
        beyond
    }

    /// Whether a function changes what it found in a cell.
    pub(super) fn changes_inside(&self, holds: &[RootId], depth: u8) -> bool {
        let inside = holds
            .iter()
            .filter(|root| matches!(self.get(**root).kind, RootKind::Inside(_)));
        depth < DEPTH_LIMIT
            && inside.into_iter().any(|root| {
                let row = self.get(*root);
                let mut cells = row.cells.iter().map(|cell| self.cell(*cell));
                row.changed || cells.any(|cell| cell.written || self.changes_inside(&cell.holds, depth + 1))
            })
    }
}

/// How far one came to an object, from another that it lies in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Way {
    /// Of the object: steps to parts of what is kept in a field do not count.
    pub depth: u8,
    /// Steps since the last one that counted.
    free: u8,
}

impl Way {
    /// A step on; none after more steps than structures have that do not count: what comes round to itself by such would never end.
    pub fn on(self, deeper: u8) -> Option<Self> {
        /// Most steps, one after the other, that do not count.
        const MOST: u8 = 3;
        let free = if deeper == 0 { self.free + 1 } else { 0 };
        let depth = self.depth + deeper;
        (free <= MOST).then_some(Self { depth, free })
    }
}
