//! Replies of a model, kept in a file, so that what was measured can be measured again without it.
//!
//! ```text
//! {"model": "m", "question": "Who calls f?", "purpose": "text2cypher", "reply": "{\"cypher\": …}", "tokens": [3100, 40]}
//! {"model": "m", "question": "Who calls f?", "purpose": "repair", "error": "the language model … did not answer"}
//! ```

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::llm::{Finish, LlmError, Reply, Request};
use crate::plan::text2cypher::Writer;
use crate::seam::Boxed;
use crate::view::{ChatRole, Usage};

/// One line of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    model: String,
    question: String,
    purpose: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default)]
    tokens: (u64, u64),
}

/// Answers from a file.
pub struct Replayed {
    model: String,
    kept: HashMap<(String, String), Kept>,
}

impl Replayed {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text =
            std::fs::read_to_string(path).map_err(crate::error::io(format!("cannot read {}", path.display())))?;
        let mut replayed = Self {
            model: String::new(),
            kept: HashMap::new(),
        };
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |why: String| Error::Usage(format!("{}:{number}: {why}", path.display()));
            let kept: Kept = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            replayed.model.clone_from(&kept.model);
            let key = (kept.question.clone(), kept.purpose.clone());
            if replayed.kept.insert(key, kept).is_some() {
                return Err(wrong("a second reply to the same question".into()));
            }
        }
        Ok(replayed)
    }

    /// The model that was asked.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl Writer for Replayed {
    fn reply<'a>(&'a self, request: &'a Request) -> Boxed<'a, Result<Reply, LlmError>> {
        let kept = self.kept.get(&(question(request), request.purpose.to_owned()));
        let reply = match kept {
            Some(Kept {
                reply: Some(text),
                tokens,
                ..
            }) => Ok(Reply {
                text: text.clone(),
                usage: Usage {
                    prompt_tokens: tokens.0,
                    completion_tokens: tokens.1,
                    calls: 1,
                },
                finish: Finish::Stop,
                alternatives: Vec::new(),
            }),
            // What failed then fails again, and what was not asked has no answer.
            _ => Err(LlmError::Empty {
                url: "a file of replies".into(),
            }),
        };
        Box::pin(async move { reply })
    }
}

/// Keeps what another says.
pub struct Recording<'w> {
    writer: &'w dyn Writer,
    model: String,
    file: Mutex<File>,
}

impl<'w> Recording<'w> {
    /// Into this file, from its beginning.
    pub fn new(writer: &'w dyn Writer, model: &str, path: &Path) -> Result<Self, Error> {
        let file = File::create(path).map_err(crate::error::io(format!("cannot write {}", path.display())))?;
        Ok(Self {
            writer,
            model: model.to_owned(),
            file: Mutex::new(file),
        })
    }

    fn keep(&self, request: &Request, reply: &Result<Reply, LlmError>) {
        let kept = Kept {
            model: self.model.clone(),
            question: question(request),
            purpose: request.purpose.to_owned(),
            reply: reply.as_ref().ok().map(|reply| reply.text.clone()),
            error: reply.as_ref().err().map(ToString::to_string),
            tokens: reply.as_ref().map_or((0, 0), |reply| {
                (reply.usage.prompt_tokens, reply.usage.completion_tokens)
            }),
        };
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let line = serde_json::to_string(&kept).unwrap_or_default();
        if let Err(error) = writeln!(file, "{line}") {
            tracing::warn!(%error, "a reply was not kept");
        }
    }
}

impl Writer for Recording<'_> {
    fn reply<'a>(&'a self, request: &'a Request) -> Boxed<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reply = self.writer.reply(request).await;
            self.keep(request, &reply);
            reply
        })
    }
}

/// The question that a conversation is about: the first words of the user.
fn question(request: &Request) -> String {
    let first = request.messages.iter().find(|turn| turn.role == ChatRole::User);
    first.map_or_else(String::new, |turn| turn.content.clone())
}
