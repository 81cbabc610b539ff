//! [`Hyde`]: hypothetical document embeddings. A language model writes the code that would answer the question, and what is near to that is near to the
//! answer.
//!
//! Two passes: the first is written without context, and what is found with it is shown to the model for the second, so that it writes in the
//! names and the manner of this repository.

use super::endpoint::wait;
use super::judge::{failed, model};
use crate::Error;
use crate::llm::{Llm, Request, fenced};

const PROMPT: &str = include_str!("../../../prompts/hyde.md");

/// Hits that are shown for the second pass.
pub const SHOWN: usize = 5;

/// Most tokens that are written.
const TOKENS: u32 = 200;

/// A language model that writes what an answer may look like.
pub struct Hyde {
    llm: Llm,
}

impl Hyde {
    /// The model that the environment names.
    pub fn open() -> Result<Self, Error> {
        Ok(Self { llm: model()? })
    }

    /// Code that would answer a question, in the manner of what is shown.
    pub fn write(&self, question: &str, shown: &[String]) -> Result<String, Error> {
        let content = PROMPT
            .replace("{{question}}", &fenced(question))
            .replace("{{code}}", &fenced(&shown.join("\n")));
        let request = Request::of("hyde", content, TOKENS);
        Ok(wait(self.llm.complete(&request))?.map_err(failed)?.text)
    }
}
