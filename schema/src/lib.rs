//! The nouns of Ripple. Depends on nothing of ours; everything of ours depends on it.
//!
//! First, some terminology:
//!
//! - **place**: whatever can hold a value: a variable, a parameter, a function's result, a field, an element, a wire key.
//! - **flow**: a directed edge between places: the source's value may become (part of) the target's.
//! - **site**: file, line and column of the expression that makes an edge. Every edge has one.
//! - **rule**: the name of the resolver rule that made an edge; it carries the edge's confidence.
//! - **definition**: a parameter, or one assignment of a variable. One `Variable` node per definition; a use that several
//!   definitions reach gets flows from each.
//!
//! In
//!
//! ```python
//! x = secret()
//! x = 0
//! send(x)
//! ```
//!
//! `x` has two definitions, so two `Variable` nodes; `secret` is `RETURNS_TO` the first, the second is `PASSES_TO` the parameter
//! of `send`, and no path joins them.
//!
//! Kinds are declared once, in [`node`], [`edge`] and [`rule`]; [`render`] turns the declarations into the database's
//! DDL, the reference page and the schema text for a language model. The rendered files (`graph.cypher`, `graph.md`) are
//! committed, and a test says when they drift.

pub mod edge;
pub mod graph;
pub mod id;
pub mod node;
pub mod render;
pub mod rule;
pub mod site;

mod declare;

pub use edge::{Edge, EdgeKind, How};
pub use graph::{Diagnostic, FileStatus, Graph, IndexedFile, Mention};
pub use id::NodeId;
pub use node::{Language, Node, NodeKind};
pub use rule::Rule;
pub use site::{FileId, Site};

/// Version of the graph's shape. An index written with another version is refused and has to be built again.
pub const FORMAT_VERSION: u32 = 12;
