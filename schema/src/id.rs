//! Node ids that stay the same from run to run.
//!
//! An id is a hash of what a node *is* (language, kind, qualified name, ordinal among equals), never of where it stands:
//! a line added above a function leaves the ids of the rest of the file as they were.
//!
//! ```
//! use ripple_schema::{Language, NodeId, NodeKind};
//! let id = NodeId::of(Language::Python, NodeKind::Function, "shop.orders.total", 0);
//! assert_eq!(id, NodeId::of(Language::Python, NodeKind::Function, "shop.orders.total", 0));
//! assert_ne!(id, NodeId::of(Language::Go, NodeKind::Function, "shop.orders.total", 0));
//! ```

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::{Language, NodeKind};

/// A stable node id: 53 bits, so that JSON readers which hold numbers as doubles keep it exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub i64);

impl NodeId {
    /// The id of a node. `ordinal` tells nodes of one qualified name apart (the definitions of one variable, say).
    pub fn of(language: Language, kind: NodeKind, qualified_name: &str, ordinal: u32) -> Self {
        let mut hash = Xxh3::new();
        hash.update(&[language as u8, kind as u8]);
        hash.update(&ordinal.to_le_bytes());
        hash.update(qualified_name.as_bytes());
        Self((hash.digest() >> 11) as i64)
    }
}
