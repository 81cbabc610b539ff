//! Classes that derive from whatever class is handed in: `def extend(base): class Extended(base): …`.
//!
//! ```python
//! extend(Order)()        # calls `Order.__init__`, which the class `Extended` knows nothing of
//! ```
//!
//! What such a class has of its base is not followed: which one it is depends on the call. That it stands below each of those that were seen is told,
//! so that who asks for one of them hears of it.

use super::object::Object;
use super::solve::Solver;
use crate::link::{FileIndex, TypeIndex};

/// Most classes below which one is told to stand.
const LIMIT: usize = 64;

impl Solver<'_> {
    /// Such classes, each with one that it was seen to derive from.
    pub(super) fn below_given(&self) -> Vec<(TypeIndex, TypeIndex)> {
        let mut below = Vec::new();
        for (index, row) in self.program.files.iter().enumerate() {
            let file = FileIndex(index as u32);
            for given in &row.facts.bases_given {
                let class = self.program.type_index(file, given.class);
                let held = self.held(self.program.place(file, given.base));
                let bases = held.filter_map(|(_, object)| match object {
                    Object::Class(base) if base != class => Some(base),
                    _ => None,
                });
                below.extend(bases.take(LIMIT).map(|base| (class, base)));
            }
        }
        below.sort_unstable();
        below.dedup();
        below
    }
}
