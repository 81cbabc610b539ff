//! The doors of Ripple: the command line and REST, over one index.
//!
//! First, some terminology:
//!
//! - **index folder**: where an index lives, usually `.ripple/` of the indexed root; [`locate`] finds it.
//! - **view**: an answer as plain data. [`view`] holds the only shapes that are written out, the same for every door.
//! - **kind of error**: what can be done about it. [`error`] holds the one map to exit codes and HTTP statuses.
//! - **work tree**: the source on disk now; [`freshness`] tells how far it has moved on from the index.
//!
//! One question, two doors, one answer:
//!
//! ```text
//! $ ripple cypher 'MATCH (f:Function) RETURN f.name LIMIT 1' --format json
//! $ curl localhost:7474/api/v1/cypher -H 'content-type: application/json' \
//!        -d '{"query": "MATCH (f:Function) RETURN f.name LIMIT 1"}'
//! ```
//!
//! both print `{"columns": ["f.name"], "types": ["STRING"], "rows": [["total"]], …}`: [`view::Answer`].
//!
//! What is not here: a parser of source code, the name of the database engine, a write to a finished index.

pub mod answer;
pub mod caret;
pub mod cli;
pub mod community;
pub mod describe;
pub mod engine;
pub mod error;
pub mod evaluate;
pub mod freshness;
pub mod git;
pub mod llm;
pub mod locate;
pub mod mcp;
pub mod operation;
pub mod plan;
pub mod retrieve;
pub mod seam;
pub mod serve;
pub mod socket;
pub mod trace;
pub mod view;

pub use error::Error;
