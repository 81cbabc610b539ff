//! [`Judge`]: a language model that is asked of each passage whether it answers the question. How likely its yes is, is the score.
//!
//! ```text
//! "Does this code answer the question? yes or no"   ->  Yes -0.1, No -2.3   ->  0.90
//! an endpoint that tells no log-probabilities       ->  "Yes."              ->  1
//! ```
//!
//! One call a passage, so few passages are looked at, and only somebody who asks for it has it: `--reranker llm`.

use futures_util::{StreamExt as _, TryStreamExt as _};

use super::endpoint::wait;
use super::models;
use super::rerank::Reranker;
use crate::Error;
use crate::llm::{Llm, LlmError, LlmSettings, Reply, Request, fenced};

const PROMPT: &str = include_str!("../../../prompts/judge.md");

/// What `--reranker` says to ask the language model.
pub const LLM: &str = "llm";

/// Calls at once.
const AT_ONCE: usize = 8;

/// A language model that says yes or no.
pub struct Judge {
    llm: Llm,
}

impl Judge {
    /// The model that the environment names.
    pub fn open() -> Result<Self, Error> {
        Ok(Self { llm: model()? })
    }

    async fn asked(&self, question: &str, passage: &str) -> Result<f32, LlmError> {
        let content = PROMPT
            .replace("{{question}}", &fenced(question))
            .replace("{{code}}", &fenced(passage));
        let request = Request {
            alternatives: true,
            ..Request::of("judge", content, 4)
        };
        let reply = self.llm.complete(&request).await?;
        likelihood(&reply).ok_or_else(|| LlmError::BadReply {
            url: self.llm.url().to_owned(),
            why: "it says neither yes nor no".into(),
        })
    }
}

impl Reranker for Judge {
    fn rate(&self, question: &str, passages: &[String]) -> Result<Vec<f32>, Error> {
        let each = passages.iter().map(|passage| self.asked(question, passage));
        let all = futures_util::stream::iter(each)
            .buffered(AT_ONCE)
            .try_collect::<Vec<f32>>();
        wait(all)?.map_err(failed)
    }

    fn depth(&self) -> usize {
        20
    }
}

/// The language model that the environment names.
pub(super) fn model() -> Result<Llm, Error> {
    let settings: LlmSettings = models::from_environment();
    let missing = || Error::Usage(settings.missing().unwrap_or("no language model is set").into());
    Llm::from_settings(&settings)?.ok_or_else(missing)
}

/// What an endpoint did wrong, as an error of a search.
pub(super) fn failed(error: LlmError) -> Error {
    Error::Store(ripple_graphdb::Error::Model {
        place: "the language model".into(),
        message: error.to_string(),
    })
}

/// How likely yes is, against no.
fn likelihood(reply: &Reply) -> Option<f32> {
    let says = |token: &str, word: &str| {
        let letters = token.trim_matches(|c: char| !c.is_alphabetic());
        letters.eq_ignore_ascii_case(word)
    };
    let of = |word: &str| -> f32 {
        let told = reply.alternatives.iter().filter(|(token, _)| says(token, word));
        told.map(|(_, logarithm)| logarithm.exp()).sum()
    };
    let (yes, no) = (of("yes"), of("no"));
    if yes + no > 0.0 {
        return Some(yes / (yes + no));
    }
    let first = reply.text.split_whitespace().next().unwrap_or("");
    if says(first, "yes") {
        Some(1.0)
    } else if says(first, "no") {
        Some(0.0)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Finish;
    use crate::view::Usage;

    #[test]
    fn yes_against_no() {
        let check = |text: &str, told: &[(&str, f32)], expected: Option<f32>| {
            let reply = Reply {
                text: text.into(),
                usage: Usage::default(),
                finish: Finish::Stop,
                alternatives: told.iter().map(|(token, x)| ((*token).to_owned(), *x)).collect(),
            };
            let found = likelihood(&reply);
            let near = match (found, expected) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-3,
                (a, b) => a == b,
            };
            assert!(near, "{text} {told:?}: {found:?}");
        };
        check("Yes", &[("Yes", -0.105), (" no", -2.303)], Some(0.9));
        check("No", &[("No", -0.1), ("NO", -3.0), ("Maybe", -4.0)], Some(0.0));
        check("Yes.", &[], Some(1.0));
        check("**no**, because", &[], Some(0.0));
        check("perhaps", &[("perhaps", -0.1)], None);
        check("nothing", &[], None);
    }
}
