//! [`LlmError`]: everything that can go wrong between us and a model.
//!
//! Each says what happened, at which address, and what to do; none holds a key or more than a line of what was sent back:
//!
//! ```
//! use ripple_query_api::llm::LlmError;
//! let error = LlmError::WrongKey { url: "https://api.openai.com/v1".into(), status: 401 };
//! assert_eq!(
//!     error.to_string(),
//!     "the language model at https://api.openai.com/v1 refuses the key (401); check OPENAI_API_KEY"
//! );
//! assert_eq!(error.code(), "wrong-key");
//! ```

use std::time::Duration;

/// What went wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LlmError {
    /// The endpoint wants a key, and there is none.
    #[error("the language model at {url} asks for a key; set OPENAI_API_KEY")]
    NoKey {
        /// The endpoint.
        url: String,
    },
    /// The endpoint does not take the key.
    #[error("the language model at {url} refuses the key ({status}); check OPENAI_API_KEY")]
    WrongKey {
        /// The endpoint.
        url: String,
        /// HTTP status.
        status: u16,
    },
    /// The endpoint wants to be asked less often, or the account is empty.
    #[error(
        "the language model at {url} takes no more requests now{}: {message}",
        after(retry_after)
    )]
    RateLimited {
        /// The endpoint.
        url: String,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
        /// Waiting does not help: a quota is used up.
        for_good: bool,
        /// What it says.
        message: String,
    },
    /// A fault of the endpoint.
    #[error("the language model at {url} failed ({status}): {message}")]
    Server {
        /// The endpoint.
        url: String,
        /// HTTP status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// The endpoint does not take the request: an unknown model, a prompt too long for it, a wrong address.
    #[error(
        "the language model at {url} refuses the request ({status}): {message}; check RIPPLE_MODEL and OPENAI_BASE_URL"
    )]
    Rejected {
        /// The endpoint.
        url: String,
        /// HTTP status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// Nobody answers there.
    #[error("the language model at {url} cannot be reached: {why}; check OPENAI_BASE_URL")]
    Unreachable {
        /// The endpoint.
        url: String,
        /// The system's answer.
        why: String,
    },
    /// No answer in time.
    #[error("the language model at {url} did not answer within {:.0} s; --llm-timeout allows more", after.as_secs_f64())]
    Timeout {
        /// The endpoint.
        url: String,
        /// The limit.
        after: Duration,
    },
    /// The connection ended before the answer did.
    #[error("the language model at {url} was cut off after {received} bytes of its answer")]
    Cut {
        /// The endpoint.
        url: String,
        /// Bytes of text until then.
        received: usize,
    },
    /// An answer without text.
    #[error("the language model at {url} gave an empty answer")]
    Empty {
        /// The endpoint.
        url: String,
    },
    /// An answer that goes on past every limit.
    #[error("the language model at {url} did not stop: ended after {received} bytes")]
    TooLong {
        /// The endpoint.
        url: String,
        /// Bytes until then.
        received: usize,
    },
    /// An answer that is not in the shape that was asked for.
    #[error("the language model at {url} gave an answer that cannot be read: {why}")]
    BadReply {
        /// The endpoint.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The question has used up its calls or tokens.
    #[error("the question has used up its {0} of the language model")]
    Spent(&'static str),
    /// Texts cannot be embedded without a model for it.
    #[error("no model embeds texts; set RIPPLE_EMBEDDING_MODEL")]
    NoEmbeddingModel,
}

/// How a step of an answer begins in which a model failed.
pub const UNHELPFUL: &str = "the language model did not help";

impl LlmError {
    /// Short fixed word, for traces.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoKey { .. } => "no-key",
            Self::WrongKey { .. } => "wrong-key",
            Self::RateLimited { .. } => "rate-limited",
            Self::Server { .. } => "server",
            Self::Rejected { .. } => "rejected",
            Self::Unreachable { .. } => "unreachable",
            Self::Timeout { .. } => "timeout",
            Self::Cut { .. } => "cut",
            Self::Empty { .. } => "empty",
            Self::TooLong { .. } => "too-long",
            Self::BadReply { .. } => "bad-reply",
            Self::Spent(_) => "spent",
            Self::NoEmbeddingModel => "no-embedding-model",
        }
    }

    /// Whether the same request may do better later.
    pub(super) const fn is_passing(&self) -> bool {
        match self {
            Self::RateLimited { for_good, .. } => !*for_good,
            Self::Server { .. } | Self::Cut { .. } => true,
            _ => false,
        }
    }

    /// What is said to whoever asked for help.
    pub fn unhelpful(&self) -> String {
        format!("{UNHELPFUL}: {self}")
    }

    /// Whether any other request would fare the same, so that nobody need wait for another.
    pub const fn is_of_endpoint(&self) -> bool {
        !matches!(
            self,
            Self::Cut { .. } | Self::Empty { .. } | Self::TooLong { .. } | Self::BadReply { .. }
        )
    }
}

fn after(retry_after: &Option<Duration>) -> String {
    retry_after.map_or_else(String::new, |wait| format!(" (again in {:.0} s)", wait.as_secs_f64()))
}
