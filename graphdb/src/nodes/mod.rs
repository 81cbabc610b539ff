//! The node index: what can be searched for, and its vectors.
//!
//! First, some terminology:
//!
//! - **row**: a node that can be searched for, by its place in the table: the same number in every search file.
//! - **embedder**: turns text into a vector so that texts of like meaning have a large product. [`Embedder`] is the trait.
//! - **exact search**: the product of the question's vector with every row's. Up to [`vectors::GRAPH_FROM`] rows it takes
//!   milliseconds; past that a navigable graph ([`hnsw`]) is built too, and followed unless a filter leaves few rows.
//!
//! The function `email_domain(event)` of `pipeline/features/email.py` is described as
//! `email domain. pipeline features email. email_domain(event: OrderEvent) -> str. Domain of the customer's address. …`
//! ([`describe`]), that text is embedded, and the vector is written as 8-bit numbers ([`vectors`]).

pub(crate) mod describe;
pub mod embed;
pub(crate) mod hnsw;
pub(crate) mod table;
pub mod transformer;
pub(crate) mod vectors;

pub use embed::{Embedder, ModelId, Purpose, StaticEmbedder};
pub use table::{Entry, NONE, NodeTable};
pub use transformer::TransformerEmbedder;
pub use vectors::Vectors;
