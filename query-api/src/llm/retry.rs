//! [`Retry`]: whether to ask again, and when.
//!
//! After 0.5 s, 1 s, 2 s, 4 s, or as long as the endpoint says; never past the patience:
//!
//! ```text
//! patience 15 s:   429 Retry-After: 2  ->  wait 2 s, again
//!                  429 Retry-After: 60 ->  the error, at once
//!                  401                 ->  the error, at once
//! ```

use std::time::Duration;

use tokio::time::Instant;
use tracing::debug;

use super::LlmError;

/// The waits of one call.
pub(super) struct Retry {
    until: Instant,
    attempts: u32,
}

/// A call is tried no more often than this, however short the waits.
const ATTEMPTS: u32 = 5;

impl Retry {
    /// For a call that may wait this long in all.
    pub fn new(patience: Duration) -> Self {
        Self {
            until: Instant::now() + patience,
            attempts: 1,
        }
    }

    /// Waits until it makes sense to ask again, or gives the error back.
    pub async fn wait(&mut self, error: LlmError) -> Result<(), LlmError> {
        let told = match &error {
            LlmError::RateLimited { retry_after, .. } => *retry_after,
            _ => None,
        };
        let wait = told.unwrap_or(Duration::from_millis(250) * 2_u32.pow(self.attempts));
        if !error.is_passing() || self.attempts >= ATTEMPTS || Instant::now() + wait > self.until {
            return Err(error);
        }
        debug!(
            code = error.code(),
            attempt = self.attempts,
            wait_ms = wait.as_millis(),
            "asking the model again"
        );
        self.attempts += 1;
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(seconds: Option<u64>, for_good: bool) -> LlmError {
        LlmError::RateLimited {
            url: String::new(),
            retry_after: seconds.map(Duration::from_secs),
            for_good,
            message: String::new(),
        }
    }

    #[tokio::test]
    async fn what_waiting_cannot_mend_is_given_back() {
        let mut retry = Retry::new(Duration::from_secs(15));
        for error in [
            limited(Some(60), false),
            limited(Some(0), true),
            LlmError::WrongKey {
                url: String::new(),
                status: 401,
            },
        ] {
            assert_eq!(retry.wait(error.clone()).await, Err(error));
        }
    }

    #[tokio::test]
    async fn attempts_are_bounded() {
        let mut retry = Retry::new(Duration::from_secs(15));
        for _ in 1..ATTEMPTS {
            assert_eq!(retry.wait(limited(Some(0), false)).await, Ok(()));
        }
        assert!(retry.wait(limited(Some(0), false)).await.is_err());
    }
}
