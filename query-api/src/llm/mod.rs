//! The language model: a chat and embedding client for any endpoint that speaks the OpenAI shape.
//!
//! First, some terminology:
//!
//! - **endpoint**: where a model is served: OpenAI, Ollama, vLLM, Gemini's compatible endpoint, … ([`LlmSettings::url`]).
//! - **purpose**: what a call is for, one word for log and trace: `text2cypher`, `repair`, `answer`, `comment`.
//! - **patience**: the time that retries may take in all. A wait that would pass it is not begun.
//! - **dialect**: which optional fields an endpoint takes. What it refuses is left out from then on ([`chat`]).
//!
//! Nothing of Ripple needs a model. Without `RIPPLE_MODEL` there is no [`Llm`]; with one that fails, the caller gets an
//! [`LlmError`] that says what happened, where, and what to do, and goes on without:
//!
//! ```text
//! RIPPLE_MODEL=llama3.1 OPENAI_BASE_URL=http://localhost:11434/v1      -> Some(Llm)
//! connection refused                                                   -> LlmError::Unreachable
//! 429, Retry-After: 2                                                  -> waits 2 s, asks again
//! 401                                                                  -> LlmError::WrongKey
//! ```
//!
//! What is not here: a prompt, a decision about an answer, a key in anything that is shown ([`settings::Secret`]).

mod budget;
mod chat;
mod clean;
mod embed;
mod error;
mod fence;
mod json;
mod retry;
mod settings;
mod tokens;
mod wire;

use std::sync::{Arc, Mutex, OnceLock};

pub use budget::Budget;
pub use chat::{Finish, JsonSchema, Reply, Request};
pub use error::{LlmError, UNHELPFUL};
pub use fence::fenced;
pub use json::json_in;
pub use settings::{LlmArguments, LlmSettings, Secret};
pub use tokens::{Packed, pack, tokens};

use crate::Error;

/// A language model at an endpoint. Copies share what they learn of it.
#[derive(Clone)]
pub struct Llm {
    wire: Arc<wire::Wire>,
    model: Arc<str>,
    embedding_model: Option<Arc<str>>,
    dialect: Arc<Mutex<chat::Dialect>>,
    /// Length of its vectors, once the first has been seen.
    dimension: Arc<OnceLock<usize>>,
    budget: Option<Arc<Budget>>,
}

impl Llm {
    /// The model that the settings name; nothing if they name none ([`LlmSettings::missing`] says what is missing).
    pub fn from_settings(settings: &LlmSettings) -> Result<Option<Self>, Error> {
        let checked = settings.checked()?;
        let (Some(model), None) = (&settings.model, settings.missing()) else {
            return Ok(None);
        };
        Ok(Some(Self {
            wire: Arc::new(wire::Wire::new(checked, settings)?),
            model: model.as_str().into(),
            embedding_model: settings.embedding_model.as_deref().map(Into::into),
            dialect: Arc::default(),
            dimension: Arc::default(),
            budget: None,
        }))
    }

    /// The model's name.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        self.wire.url()
    }

    /// The same model, with every call counted and the calls bounded.
    pub fn metered(&self, budget: Arc<Budget>) -> Self {
        Self {
            budget: Some(budget),
            ..self.clone()
        }
    }
}

impl std::fmt::Debug for Llm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Llm")
            .field("model", &self.model)
            .field("url", &self.wire.url())
            .finish_non_exhaustive()
    }
}
