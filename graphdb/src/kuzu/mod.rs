//! Kùzu, the engine behind the store: the one folder that knows its name, its types and its manners.
//!
//! `load` fills a new database from a graph; [`Engine`] opens it read-only; `query` runs one checked text with a deadline.
//! To put another engine in its place is to write this folder anew: nothing outside sees more than [`FILE_NAME`], [`load()`],
//! [`Engine`] and [`query`].

mod aggregate;
mod columns;
mod load;
mod parameter;
mod read;
mod value;

pub(crate) use load::load;
pub(crate) use read::{Engine, query};

/// The database within a generation.
pub(crate) const FILE_NAME: &str = "graph.kuzu";

/// Largest database, in bytes: that much address space is reserved on opening, so that the engine's default of 8 TB would
/// allow about a dozen open databases in one process.
const MAX_DATABASE_BYTES: u64 = 1 << 37;

/// The engine's words without the binding's preamble.
fn message(error: &kuzu::Error) -> String {
    let text = error.to_string();
    text.strip_prefix("Query execution failed: ")
        .unwrap_or(&text)
        .to_owned()
}
