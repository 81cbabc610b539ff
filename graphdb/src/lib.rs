//! The store: a [`Graph`](ripple_schema::Graph) goes in once, in bulk; after that it is only read.
//!
//! First, some terminology:
//!
//! - **index folder**: the folder that holds everything, usually `.ripple/` of the indexed root.
//! - **generation**: one complete build inside it. It is written once and never changed.
//! - **current**: the generation that readers open, named by the file `CURRENT`.
//! - **guard**: lets only Cypher that reads pass. The engine's read-only mode still reads and writes other files.
//!
//! One small program through all of it:
//!
//! ```no_run
//! use std::{collections::BTreeMap, path::Path};
//! use ripple_graphdb::{Build, Error, Limits, Writer};
//! # fn example(graph: &ripple_schema::Graph, sources: &[std::sync::Arc<[u8]>]) -> Result<(), Error> {
//! let dir = Path::new(".ripple");
//! let writer = Writer::acquire(dir)?; // one writer at a time; readers are not disturbed
//! writer.build(&Build { graph, sources, mentions: &[], roots: Vec::new(), memory_bytes: 400 << 20, most_memory_bytes: 1 << 30, threads: 2, search: None }, &|_| ())?;
//!
//! let reader = ripple_graphdb::open(dir)?;
//! let rows = reader.query("MATCH (f:Function) RETURN f.name LIMIT 3", &BTreeMap::new(), &Limits::default())?;
//! assert_eq!(rows.columns, ["f.name"]);
//! # Ok(())
//! # }
//! ```
//!
//! What is not here: an update in place (a change is a new generation), a row-at-a-time insert, a write through
//! [`Reader`], and, outside the folder `kuzu/`, the name of the engine.

pub mod community;
mod error;
mod generation;
pub mod guard;
pub mod kept;
mod kuzu;
mod manifest;
pub mod net;
pub mod nodes;
mod reader;
pub mod search;
mod sources;
mod tables;
#[cfg(test)]
mod tests;
pub mod text;
mod value;
mod writer;

pub use community::{Communities, Community};
pub use error::Error;
pub use generation::{current_generation, manifests};
use kuzu as engine;
pub use manifest::{CallCounts, FileCounts, Manifest, RootEntry};
pub use net::{Card, Net};
pub use nodes::NodeTable;
pub use reader::{Limits, Reader, open, open_with};
pub use search::{Document, Search, SearchIndex, Together};
pub use value::{NodeValue, RelationshipValue, Rows, Value};
pub use writer::{Build, Progress, Writer, is_being_built};
