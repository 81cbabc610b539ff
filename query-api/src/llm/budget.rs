//! [`Budget`]: what one question may ask of a model, and what it has asked.
//!
//! ```
//! use ripple_query_api::llm::Budget;
//! let budget = Budget::new(1, 10_000);
//! assert!(budget.take().is_ok());
//! assert!(budget.take().is_err());
//! ```

use std::sync::{Mutex, PoisonError};

use super::LlmError;
use crate::view::Usage;

/// Calls and tokens of one question.
#[derive(Debug)]
pub struct Budget {
    calls: u32,
    tokens: u64,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    begun: u32,
    usage: Usage,
}

impl Budget {
    /// At most so many calls, and no further call once so many tokens went to and fro.
    pub fn new(calls: u32, tokens: u64) -> Self {
        Self {
            calls,
            tokens,
            spent: Mutex::default(),
        }
    }

    /// What was asked and answered so far.
    pub fn usage(&self) -> Usage {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).usage
    }

    /// Takes a call out of it. Retries of one call are that call.
    pub fn take(&self) -> Result<(), LlmError> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if spent.begun >= self.calls {
            return Err(LlmError::Spent("calls"));
        }
        if spent.usage.prompt_tokens + spent.usage.completion_tokens >= self.tokens {
            return Err(LlmError::Spent("tokens"));
        }
        spent.begun += 1;
        Ok(())
    }

    /// Notes what an answered call took.
    pub(super) fn note(&self, usage: Usage) {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).usage += usage;
    }
}
