//! Descriptions of functions by a language model, made on request and searched from the next `ripple index` on.
//!
//! First, some terminology:
//!
//! - **description**: two short lines on what a function does, in words that somebody would use who does not know its name.
//! - **batch**: functions that are described with one request.
//! - **plan**: which functions, in which batches, and about how many tokens; made without a model, so that it can be shown before anything
//!   is spent.
//!
//! ```text
//! plan   3 functions, 1 request, about 900 tokens to the model and 180 back
//! batch  ## 1 … source of `reserve` … ## 2 …   ->   {"descriptions": [{"id": 1, "text": "Sets stock aside for an order. …"}, …]}
//! kept   descriptions.jsonl: {"key": hash of name and source, "text": "Sets stock aside for an order. …"}
//! ```
//!
//! Each batch is kept as soon as it is there: a run that is stopped, by whomever, goes on where it ended. What comes back is data: it is cut
//! to a line, and is never run, followed or shown as part of the source.

mod plan;

use std::path::Path;
use std::sync::Arc;

use ripple_graphdb::kept::{self, Kept};
use ripple_graphdb::search::described;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::Error;
use crate::llm::{JsonSchema, Llm, LlmError, Request};
use crate::view::Usage;

pub use plan::{Batch, Function, Plan, Wanted, plan};

const PROMPT: &str = include_str!("../../../prompts/describe.md");

/// Tokens that a description takes, with what is around it.
const TOKENS: u64 = 60;

/// Longest description, in characters.
const LENGTH: usize = 320;

/// Replies in a row that could not be used, after which no more are asked for.
const BAD: usize = 3;

/// How a run ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Functions described in this run.
    pub described: usize,
    /// What the model was asked and answered.
    pub usage: Usage,
    /// Why it ended early.
    pub stopped: Option<LlmError>,
}

/// Describes the functions of a plan, `at_once` requests at a time. `progress` is told how many functions were dealt with.
///
/// # Errors
///
/// A file that cannot be written. What the endpoint does wrong is in the outcome: what was described until then is kept.
pub async fn run(
    llm: &Llm,
    folder: &Path,
    plan: Plan,
    at_once: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Outcome, Error> {
    let path = described::path(folder);
    let mut batches = plan.batches.into_iter();
    let mut running: JoinSet<(Arc<Batch>, Result<Answer, LlmError>)> = JoinSet::new();
    let mut outcome = Outcome::default();
    let (mut done, mut bad) = (0, 0);
    loop {
        while outcome.stopped.is_none() && running.len() < at_once.max(1) {
            let Some(batch) = batches.next() else { break };
            let (llm, batch) = (llm.clone(), Arc::new(batch));
            running.spawn(async move {
                let answer = ask(&llm, &batch).await;
                (batch, answer)
            });
        }
        let Some(ended) = running.join_next().await else {
            return Ok(outcome);
        };
        let (batch, answer) = ended.map_err(|error| Error::Internal(error.to_string()))?;
        done += batch.functions.len();
        match answer {
            Ok(answer) => {
                bad = if answer.texts.is_empty() { bad + 1 } else { 0 };
                outcome.usage += answer.usage;
                outcome.described += answer.texts.len();
                Kept::append(&path, &answer.texts)?;
                if bad >= BAD {
                    outcome.stopped.get_or_insert(LlmError::BadReply {
                        url: llm.url().to_owned(),
                        why: format!("{BAD} replies in a row hold no description"),
                    });
                }
            }
            Err(error) if is_about_the_reply(&error) && bad + 1 < BAD => bad += 1,
            Err(error) => {
                outcome.stopped.get_or_insert(error);
            }
        }
        progress(done);
    }
}

/// Whether another request may well be answered.
const fn is_about_the_reply(error: &LlmError) -> bool {
    matches!(
        error,
        LlmError::BadReply { .. }
            | LlmError::Empty { .. }
            | LlmError::TooLong { .. }
            | LlmError::Cut { .. }
            | LlmError::Timeout { .. }
    )
}

struct Answer {
    texts: Vec<(u64, String)>,
    usage: Usage,
}

async fn ask(llm: &Llm, batch: &Batch) -> Result<Answer, LlmError> {
    // Room for models that say more than they are asked to.
    let most = (2 * TOKENS) as u32 * batch.functions.len() as u32 + 200;
    let request = Request {
        schema: Some(schema()),
        ..Request::of("comment", batch.prompt(), most)
    };
    let reply = llm.complete(&request).await?;
    let said = reply.json().unwrap_or_default();
    let mut texts: Vec<(u64, String)> = Vec::new();
    for entry in said["descriptions"].as_array().into_iter().flatten() {
        let number = entry["id"]
            .as_u64()
            .and_then(|number| usize::try_from(number).ok())
            .unwrap_or(0);
        let function = number.checked_sub(1).and_then(|place| batch.functions.get(place));
        let text = kept::tidy(entry["text"].as_str().unwrap_or_default(), LENGTH);
        if let Some(function) =
            function.filter(|function| !text.is_empty() && texts.iter().all(|(key, _)| *key != function.key))
        {
            texts.push((function.key, text));
        }
    }
    Ok(Answer {
        texts,
        usage: reply.usage,
    })
}

fn schema() -> JsonSchema {
    let one = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}, "text": {"type": "string"}},
        "required": ["id", "text"],
        "additionalProperties": false,
    });
    let schema: Value = json!({
        "type": "object",
        "properties": {"descriptions": {"type": "array", "items": one}},
        "required": ["descriptions"],
        "additionalProperties": false,
    });
    JsonSchema {
        name: "descriptions",
        schema,
    }
}
