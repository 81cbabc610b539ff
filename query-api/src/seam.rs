//! What the doors need of the rooms behind them: [`Answerer`] answers a question in words, [`Operations`] runs one by name.
//!
//! The HTTP routes and the MCP server know these two traits and nothing of how an answer is found:
//!
//! ```text
//! POST /api/v1/ask, /v1/chat/completions, tool `ask`   ->  Answerer::ask
//! tools `impact`, `callers`, `search`, …               ->  Operations::call
//! ```

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::Error;
use crate::view::{AskAnswer, AskEvent, AskRequest};

/// The rooms behind the doors, over one index. What is not there is not served.
#[derive(Clone, Default)]
pub struct Rooms {
    /// Answers questions in words.
    pub answerer: Option<Arc<dyn Answerer>>,
    /// Runs operations.
    pub operations: Option<Arc<dyn Operations>>,
}

/// A future behind a pointer: what a method of a trait object gives.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Answers questions in words.
pub trait Answerer: Send + Sync {
    /// Answers one question. On the way, `events` is told of every step, and of every piece of text once; neither the whole
    /// answer nor an error is sent there. Nobody may be listening: a failed send changes nothing. Dropping the future ends the work.
    fn ask(&self, request: AskRequest, events: mpsc::Sender<AskEvent>) -> Boxed<'_, Result<AskAnswer, Error>>;

    /// The language model that helps, or nothing.
    fn model(&self) -> Option<String>;
}

/// Runs operations by name.
pub trait Operations: Send + Sync {
    /// All operations, in the order in which they should be shown.
    fn list(&self) -> Vec<OperationInfo>;

    /// Runs one. The answer is a JSON object.
    fn call(&self, name: &str, parameters: serde_json::Value) -> Boxed<'_, Result<serde_json::Value, Error>>;
}

/// What a caller has to know of an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationInfo {
    /// Its name.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// JSON schema of its parameters: an object.
    pub parameters: serde_json::Value,
}
