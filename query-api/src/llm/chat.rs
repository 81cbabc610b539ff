//! One call of the chat endpoint: [`Request`] to [`Reply`], whole or piece by piece.
//!
//! ```text
//! Request::new("answer", messages, 800)
//!   -> POST {url}/chat/completions {"model", "messages", "max_tokens": 800, "temperature": 0.0}
//!   -> Reply { text, usage, finish }
//! ```
//!
//! Endpoints differ in what they take. A field that one refuses (status 400 or 422) is left out, or named otherwise, for the
//! rest of the process: `response_format`, `temperature`, `stream_options`, `max_tokens` or `max_completion_tokens`. Of the
//! answer only the text is needed; ids, usage and the rest may be missing, null or unknown.

use std::sync::{Arc, PoisonError};

use async_openai::error::OpenAIError;
use futures_util::{Stream, StreamExt as _};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout, timeout_at};
use tracing::debug;

use super::clean::Clean;
use super::retry::Retry;
use super::wire::Seen;
use super::{Llm, LlmError, json_in, tokens};
use crate::view::{ChatRole, ChatTurn, Usage};

/// What a model is asked.
#[derive(Debug, Clone)]
pub struct Request {
    /// What for: one word, for the log.
    pub purpose: &'static str,
    /// The conversation, oldest first.
    pub messages: Vec<ChatTurn>,
    /// The form of the answer, if it is to be JSON. The messages have to say so too: not every endpoint reads this.
    pub schema: Option<JsonSchema>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// 0 for the likeliest answer.
    pub temperature: f32,
    /// Whether the likeliest first tokens are wanted too, where the endpoint tells them.
    pub alternatives: bool,
}

impl Request {
    /// For the likeliest text of at most so many tokens.
    pub fn new(purpose: &'static str, messages: Vec<ChatTurn>, max_tokens: u32) -> Self {
        Self {
            purpose,
            messages,
            schema: None,
            max_tokens,
            temperature: 0.0,
            alternatives: false,
        }
    }

    /// The same with one message, the user's.
    pub fn of(purpose: &'static str, content: String, max_tokens: u32) -> Self {
        let role = ChatRole::User;
        Self::new(purpose, vec![ChatTurn { role, content }], max_tokens)
    }
}

/// The form of an answer.
#[derive(Debug, Clone)]
pub struct JsonSchema {
    /// Its name: letters, digits, `_` and `-`.
    pub name: &'static str,
    /// The schema: an object that names all of its properties as required and allows no others.
    pub schema: Value,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text, which is never empty.
    pub text: String,
    /// Tokens to and fro; counted here where the endpoint does not tell.
    pub usage: Usage,
    /// Why it ended.
    pub finish: Finish,
    /// The likeliest first tokens with the logarithm of how likely each was, if they were wanted and are told.
    pub alternatives: Vec<(String, f32)>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// It was complete.
    Stop,
    /// It reached the most tokens that were allowed.
    Length,
    /// Something else, such as a filter.
    Other,
}

impl Reply {
    /// The JSON object in the text, if there is one.
    pub fn json(&self) -> Option<Value> {
        json_in(&self.text)
    }
}

/// What an endpoint takes, as far as it has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    schema: bool,
    temperature: bool,
    stream_options: bool,
    /// `max_completion_tokens` in place of `max_tokens`.
    long_name: bool,
    log_probabilities: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            schema: true,
            temperature: true,
            stream_options: true,
            long_name: false,
            log_probabilities: true,
        }
    }
}

impl Dialect {
    /// What to leave out after the endpoint has said this about a request; nothing if it would not help.
    fn after(self, said: &str, request: &Request, stream: bool) -> Option<Self> {
        let said = said.to_lowercase();
        let mut next = self;
        if !self.long_name && said.contains("max_completion_tokens") {
            next.long_name = true;
        } else if self.temperature && said.contains("temperature") {
            next.temperature = false;
        } else if stream && self.stream_options && said.contains("stream_options") {
            next.stream_options = false;
        } else if self.log_probabilities && request.alternatives && said.contains("logprob") {
            next.log_probabilities = false;
        } else if self.schema && request.schema.is_some() {
            // It is the field that is refused most, in many words.
            next.schema = false;
        } else {
            return None;
        }
        Some(next)
    }
}

/// The body of a request.
#[derive(Serialize)]
struct Body<'r> {
    model: &'r str,
    messages: &'r [ChatTurn],
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logprobs: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_logprobs: Option<u8>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
}

impl Llm {
    /// Asks, and waits for the whole answer.
    pub async fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        self.ask(request, None::<fn(&str)>).await
    }

    /// Asks, and gives every piece of the answer on as it arrives. Once a piece was given, nothing is tried again.
    pub async fn stream(&self, request: &Request, on_token: impl FnMut(&str) + Send) -> Result<Reply, LlmError> {
        self.ask(request, Some(on_token)).await
    }

    async fn ask(&self, request: &Request, mut on_token: Option<impl FnMut(&str) + Send>) -> Result<Reply, LlmError> {
        if let Some(budget) = &self.budget {
            budget.take()?;
        }
        let began = Instant::now();
        let mut retry = Retry::new(self.wire.patience);
        let mut given = false;
        let outcome = loop {
            let dialect = *self.dialect.lock().unwrap_or_else(PoisonError::into_inner);
            let body = self.body(request, dialect, on_token.is_some());
            let outcome = match &mut on_token {
                None => timeout(self.wire.timeout, self.whole(&body))
                    .await
                    .unwrap_or_else(|_| Err(self.late())),
                Some(on_token) => {
                    let mut give = |piece: &str| {
                        given = true;
                        on_token(piece);
                    };
                    self.pieces(&body, request, &mut give).await
                }
            };
            match outcome {
                Err(LlmError::Rejected {
                    status: 400 | 422,
                    message,
                    ..
                }) if let Some(next) = dialect.after(&message, request, body.stream) => {
                    debug!(message, "the endpoint does not take a field; asking without");
                    *self.dialect.lock().unwrap_or_else(PoisonError::into_inner) = next;
                }
                Err(error) if given => break Err(error),
                Err(error) => match retry.wait(error).await {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
                Ok(reply) => break Ok(reply),
            }
        };
        let ms = began.elapsed().as_millis();
        match &outcome {
            Ok(reply) => debug!(purpose = request.purpose, ms, ?reply.usage, "the model answered"),
            Err(error) => debug!(
                purpose = request.purpose,
                ms,
                code = error.code(),
                "the model did not answer"
            ),
        }
        if let (Some(budget), Ok(reply)) = (&self.budget, &outcome) {
            budget.note(reply.usage);
        }
        outcome
    }

    fn body<'r>(&'r self, request: &'r Request, dialect: Dialect, stream: bool) -> Body<'r> {
        let most = Some(request.max_tokens);
        let schema = request.schema.as_ref().filter(|_| dialect.schema);
        let alternatives = request.alternatives && dialect.log_probabilities;
        Body {
            model: &self.model,
            messages: &request.messages,
            max_tokens: most.filter(|_| !dialect.long_name),
            max_completion_tokens: most.filter(|_| dialect.long_name),
            temperature: Some(request.temperature).filter(|_| dialect.temperature),
            response_format: schema.map(|form| {
                let schema = json!({"name": form.name, "schema": form.schema, "strict": true});
                json!({"type": "json_schema", "json_schema": schema})
            }),
            logprobs: alternatives.then_some(true),
            top_logprobs: alternatives.then_some(ALTERNATIVES),
            stream,
            stream_options: (stream && dialect.stream_options).then(|| json!({"include_usage": true})),
        }
    }

    async fn whole(&self, body: &Body<'_>) -> Result<Reply, LlmError> {
        let client = self.wire.client(None);
        let sent: Result<Value, OpenAIError> = client.chat().create_byot(body).await;
        let value = sent.map_err(|error| self.wire.error(error, 0, None))?;
        if let Some(error) = self.wire.told(&value) {
            return Err(error);
        }
        let text = text_of(&value["choices"][0]).unwrap_or_default();
        self.reply(
            body,
            &Clean::whole(self.wire.key.as_ref(), &text),
            &value,
            finish_of(&value),
        )
    }

    async fn pieces(
        &self,
        body: &Body<'_>,
        request: &Request,
        give: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Reply, LlmError> {
        let deadline = Instant::now() + self.wire.timeout;
        let seen = Arc::new(Seen::default());
        let client = self.wire.client(Some(seen.clone()));
        let chat = client.chat();
        let opened = timeout_at(deadline, chat.create_stream_byot::<_, Value>(body)).await;
        let mut stream = opened
            .map_err(|_| self.late())?
            .map_err(|error| self.wire.error(error, 0, None))?;
        let mut clean = Clean::new(self.wire.key.as_ref());
        let (mut text, mut finish, mut last) = (String::new(), None, Value::Null);
        // No token is that long on average, whatever the language.
        let most = request.max_tokens as usize * 16 + 1024;
        let mut raw = 0;
        while let Some(value) = self.next(&mut stream, deadline, &text, &seen).await? {
            if let Some(error) = self.wire.told(&value) {
                return Err(error);
            }
            let piece = text_of(&value["choices"][0]).unwrap_or_default();
            raw += piece.len();
            let shown = clean.push(&piece);
            if !shown.is_empty() {
                text.push_str(&shown);
                give(&shown);
            }
            if raw > most {
                return Err(self.wire.too_long(raw));
            }
            finish = finish_of(&value).or(finish);
            if !value["usage"].is_null() {
                last = value;
            }
        }
        if finish.is_none() && !seen.ended() {
            return Err(self.wire.cut(text.len()));
        }
        let rest = clean.end();
        if !rest.is_empty() {
            text.push_str(&rest);
            give(&rest);
        }
        self.reply(body, &text, &last, finish)
    }

    async fn next(
        &self,
        stream: &mut (impl Stream<Item = Result<Value, OpenAIError>> + Unpin),
        deadline: Instant,
        text: &str,
        seen: &Seen,
    ) -> Result<Option<Value>, LlmError> {
        match timeout_at(deadline, stream.next()).await {
            Ok(None) => Ok(None),
            Ok(Some(Ok(value))) => Ok(Some(value)),
            Ok(Some(Err(error))) => Err(self.wire.error(error, text.len(), Some(seen))),
            Err(_) if text.is_empty() => Err(self.late()),
            Err(_) => Err(self.wire.too_long(text.len())),
        }
    }

    fn reply(&self, body: &Body<'_>, text: &str, value: &Value, finish: Option<Finish>) -> Result<Reply, LlmError> {
        if text.trim().is_empty() {
            let url = self.wire.url().to_owned();
            return Err(LlmError::Empty { url });
        }
        let told = |name: &str| value["usage"][name].as_u64();
        let sent = || {
            body.messages
                .iter()
                .map(|turn| tokens(&turn.content, &self.model) + 4)
                .sum::<usize>()
        };
        let usage = Usage {
            prompt_tokens: told("prompt_tokens").unwrap_or_else(|| sent() as u64),
            completion_tokens: told("completion_tokens").unwrap_or_else(|| tokens(text, &self.model) as u64),
            calls: 1,
        };
        Ok(Reply {
            text: text.to_owned(),
            usage,
            finish: finish.unwrap_or(Finish::Stop),
            alternatives: alternatives_of(value),
        })
    }

    fn late(&self) -> LlmError {
        LlmError::Timeout {
            url: self.wire.url().to_owned(),
            after: self.wire.timeout,
        }
    }
}

/// The text of a choice: of a whole message or of a piece of one, as a text or as a list of parts.
fn text_of(choice: &Value) -> Option<String> {
    let holder = ["delta", "message"]
        .into_iter()
        .map(|name| &choice[name])
        .find(|holder| holder.is_object());
    match holder.map_or(&choice["text"], |holder| &holder["content"]) {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(|part| part["text"].as_str()).collect()),
        _ => None,
    }
}

/// First tokens that are asked for.
const ALTERNATIVES: u8 = 5;

/// The likeliest first tokens, as far as they are told.
fn alternatives_of(value: &Value) -> Vec<(String, f32)> {
    let first = &value["choices"][0]["logprobs"]["content"][0];
    let told = first["top_logprobs"].as_array().map_or(&[][..], Vec::as_slice);
    let each = told.iter().filter_map(|token| {
        let logarithm = token["logprob"].as_f64().filter(|x| x.is_finite())?;
        Some((token["token"].as_str()?.to_owned(), logarithm as f32))
    });
    each.collect()
}

fn finish_of(value: &Value) -> Option<Finish> {
    match value["choices"][0]["finish_reason"].as_str()?.to_lowercase().as_str() {
        "" => None,
        "stop" | "end_turn" | "eos" => Some(Finish::Stop),
        "length" | "max_tokens" => Some(Finish::Length),
        _ => Some(Finish::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_every_shape() {
        for (choice, text) in [
            (json!({"message": {"content": "a"}}), Some("a")),
            (json!({"delta": {"role": "assistant", "content": "a"}}), Some("a")),
            (json!({"delta": {}, "message": null}), None),
            (
                json!({"message": {"content": [{"type": "text", "text": "a"}, {"type": "image"}]}}),
                Some("a"),
            ),
            (json!({"text": "a"}), Some("a")),
            (json!({"message": {"content": null, "tool_calls": []}}), None),
            (json!(null), None),
        ] {
            assert_eq!(text_of(&choice).as_deref(), text, "{choice}");
        }
    }

    #[test]
    fn a_dialect_is_learnt_from_what_is_said() {
        let request = Request {
            schema: Some(JsonSchema {
                name: "x",
                schema: json!({}),
            }),
            alternatives: true,
            ..Request::new("test", Vec::new(), 1)
        };
        let start = Dialect::default();
        let after = |said: &str| start.after(said, &request, true);
        let long = after("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.");
        assert_eq!(
            long,
            Some(Dialect {
                long_name: true,
                ..start
            })
        );
        let hot = after("`temperature` does not support 0.0 with this model");
        assert_eq!(
            hot,
            Some(Dialect {
                temperature: false,
                ..start
            })
        );
        let silent = after("logprobs is not supported by this model");
        assert!(silent.is_some_and(|dialect| !dialect.log_probabilities));
        let plain = after("grammar error").expect("the schema is left out");
        assert!(!plain.schema);
        assert_eq!(plain.after("grammar error", &request, true), None);
    }
}
