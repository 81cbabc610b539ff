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

/// How one came to an object, from another that it lies in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way<'w> {
    root: RootId,
    /// Of the object: steps to parts of what is kept in a field do not count.
    pub depth: u8,
    before: Option<&'w Way<'w>>,
}

impl<'w> Way<'w> {
    /// The beginning.
    pub fn from(root: RootId) -> Self {
        Self {
            root,
            depth: 0,
            before: None,
        }
    }

    /// A step on; none that comes round to where it was before, and gets no deeper by that: it would never end.
    pub fn on(&'w self, root: RootId, deeper: u8) -> Option<Self> {
        let mut ways = std::iter::successors(Some(self), |way| way.before);
        if deeper == 0 && ways.any(|way| way.root == root) {
            return None;
        }
        Some(Self {
            root,
            depth: self.depth + deeper,
            before: Some(self),
        })
    }
}
