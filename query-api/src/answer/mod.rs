//! Answers in words: operations as readable reports, source packed for a model, and citations held against the graph.
//!
//! `impact` of `key:email` as Markdown begins
//!
//! ```text
//! **4 results** of `impact` on `email` (Key) · *lower bound*: 2 calls could not be resolved
//! - [pipeline.features.email.email_domain](pipeline/features/email.py:11): its result changes, 6 steps, 0.61
//! ```
//!
//! What is not here: a word that is not in the answer, or in the graph.

pub mod citation;
pub mod context;
pub mod mermaid;
pub mod prose;
pub mod sarif;
