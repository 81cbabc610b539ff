//! `POST /v1/chat/completions` and `GET /v1/models`: questions in words in the shape of OpenAI's API, for any chat client.
//!
//! ```text
//! POST /v1/chat/completions  {"model": "ripple", "messages": [{"role": "user", "content": "who reads User.email?"}]}
//! 200  {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "…"}, …}], …}
//! ```
//!
//! The last message of the user is the question, what stands before it the history. Of the other fields only `stream` and
//! `stream_options` are read; what steers a model (temperature, tools, …) is accepted and changes nothing, since it is not a model
//! that answers. A chat client shows text alone, so the text closes with what in it could not be verified, and with the verdict.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ask::{Asked, sse};
use super::{Shared, media, rest};
use crate::Error;
use crate::view::{AskAnswer, AskEvent, AskRequest, ChatRole, ChatTurn, Usage};

/// Routes that ask for the token.
pub fn guarded() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(completions))
        .routes(routes!(models))
}

/// What answers, as a chat client sees it.
const MODEL: &str = "ripple";

/// A conversation that ends with a question.
#[derive(Debug, Deserialize, ToSchema)]
struct Completions {
    /// The conversation, oldest first.
    messages: Vec<Message>,
    /// Send the answer in pieces.
    #[serde(default)]
    stream: Option<bool>,
    /// `{"include_usage": true}` adds a piece with the usage.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    stream_options: Option<StreamOptions>,
}

#[derive(Debug, Default, Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: Option<bool>,
}

/// One message.
#[derive(Debug, Deserialize, ToSchema)]
struct Message {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    role: String,
    /// A text, or a list of parts of which the texts are read.
    #[serde(default)]
    #[schema(value_type = String)]
    content: Value,
}

/// An answer, as a chat client reads it.
#[derive(Debug, Serialize, ToSchema)]
struct Completion {
    id: String,
    /// `chat.completion`
    object: &'static str,
    created: u64,
    model: &'static str,
    #[schema(value_type = Vec<Object>)]
    choices: Vec<Value>,
    #[schema(value_type = Object)]
    usage: Value,
}

/// An error, as a chat client reads it.
#[derive(Debug, Serialize, ToSchema)]
struct OpenAiFailure {
    #[schema(value_type = Object)]
    error: Value,
}

/// Answer a question in words
///
/// In the shape of OpenAI's chat completions. With `stream: true` the answer comes in pieces and ends with `data: [DONE]`.
#[utoipa::path(
    post, path = "/v1/chat/completions", tag = "OpenAI", security(("bearer" = []), ("basic" = [])),
    request_body = Completions,
    responses(
        (status = 200, description = "The answer", content((Completion = "application/json"), (String = "text/event-stream"))),
        (status = 400, description = "The request cannot be understood", body = OpenAiFailure),
        (status = "default", description = "What went wrong", body = OpenAiFailure),
    ),
)]
async fn completions(
    State(server): State<Shared>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Failed> {
    let (request, _) = media::json::<Completions>(&headers, &[media::JSON], body)?;
    let wants_usage = request
        .stream_options
        .as_ref()
        .is_some_and(|options| options.include_usage == Some(true));
    let is_stream = request.stream == Some(true);
    let asked = server.asked(question(request.messages)?)?;
    let head = Head::now();
    if is_stream {
        return Ok(sse(pieces(asked, head, wants_usage)));
    }
    let answer = asked.answer().await?;
    let message = json!({"role": "assistant", "content": format!("{}{}", answer.text, closing(&answer))});
    let completion = Completion {
        id: head.id,
        object: "chat.completion",
        created: head.created,
        model: MODEL,
        choices: vec![json!({"index": 0, "message": message, "finish_reason": "stop"})],
        usage: usage(answer.usage),
    };
    Ok(Json(completion).into_response())
}

/// What can be chosen as a model
#[utoipa::path(
    get, path = "/v1/models", tag = "OpenAI", security(("bearer" = []), ("basic" = [])),
    responses((status = 200, description = "One entry, `ripple`", body = Object)),
)]
async fn models(State(server): State<Shared>) -> Json<Value> {
    let created = server.store.reader().manifest().created;
    let helper = server.rooms.answerer.as_ref().and_then(|answerer| answerer.model());
    let model =
        json!({"id": MODEL, "object": "model", "created": created, "owned_by": MODEL, "language_model": helper});
    Json(json!({"object": "list", "data": [model]}))
}

/// The last message of the user, and what was said before it.
fn question(messages: Vec<Message>) -> Result<AskRequest, Error> {
    let mut history: Vec<ChatTurn> = messages.into_iter().filter_map(turn).collect();
    let last = history.iter().rposition(|turn| turn.role == ChatRole::User);
    let last = last.ok_or_else(|| Error::Usage("`messages` holds no message of the role `user`".into()))?;
    let question = history.swap_remove(last).content;
    history.truncate(last);
    Ok(AskRequest {
        question,
        history,
        ..AskRequest::default()
    })
}

/// A message as a turn. What a tool said is none: no tools are called here.
fn turn(message: Message) -> Option<ChatTurn> {
    let role = match message.role.as_str() {
        "user" => ChatRole::User,
        "assistant" => ChatRole::Assistant,
        "system" | "developer" => ChatRole::System,
        _ => return None,
    };
    let content = match message.content {
        Value::String(text) => text,
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n"),
        _ => return None,
    };
    Some(ChatTurn { role, content })
}

/// The same in every piece of one answer.
#[derive(Clone)]
struct Head {
    id: String,
    created: u64,
}

impl Head {
    fn now() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            id: format!("chatcmpl-{:x}", now.as_nanos()),
            created: now.as_secs(),
        }
    }

    fn piece(&self, choices: Value, usage: Option<Value>) -> Value {
        let mut piece = json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": MODEL, "choices": choices,
        });
        if let (Some(usage), Some(piece)) = (usage, piece.as_object_mut()) {
            piece.insert("usage".into(), usage);
        }
        piece
    }

    fn text(&self, text: &str) -> Value {
        self.piece(
            json!([{"index": 0, "delta": {"content": text}, "finish_reason": null}]),
            None,
        )
    }
}

/// A stream on its way.
struct Pieces {
    asked: Asked,
    head: Head,
    wants_usage: bool,
    /// What was sent of the text.
    sent: String,
    ready: VecDeque<String>,
    is_over: bool,
}

fn pieces(asked: Asked, head: Head, wants_usage: bool) -> impl stream::Stream<Item = Result<Event, Infallible>> {
    let first = head.piece(
        json!([{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": null}]),
        None,
    );
    let pieces = Pieces {
        asked,
        head,
        wants_usage,
        sent: String::new(),
        ready: VecDeque::from([first.to_string()]),
        is_over: false,
    };
    stream::unfold(pieces, |mut pieces| async move {
        loop {
            if let Some(data) = pieces.ready.pop_front() {
                return Some((Ok(Event::default().data(data)), pieces));
            }
            if pieces.is_over {
                return None;
            }
            pieces.step().await;
        }
    })
}

impl Pieces {
    /// Takes the next event and makes pieces of it.
    async fn step(&mut self) {
        match self.asked.next().await {
            Some(AskEvent::Token { text }) => {
                self.ready.push_back(self.head.text(&text).to_string());
                self.sent.push_str(&text);
            }
            Some(AskEvent::Answer(answer)) => {
                let end = format!("{}{}", self.rest(&answer), closing(&answer));
                let stop = json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]);
                self.ready.push_back(self.head.text(&end).to_string());
                self.ready.push_back(self.head.piece(stop, None).to_string());
                if self.wants_usage {
                    let usage = usage(answer.usage);
                    self.ready
                        .push_back(self.head.piece(json!([]), Some(usage)).to_string());
                }
                self.end();
            }
            Some(AskEvent::Error(failure)) => {
                let (code, message) = (failure.error.code, failure.error.message);
                self.ready.push_back(error(code, &message, "server_error").to_string());
                self.end();
            }
            Some(_) => {}
            None => self.end(),
        }
    }

    /// What of the answer's text was not sent in pieces. A text that was changed after it was sent is told by its closing.
    fn rest<'a>(&self, answer: &'a AskAnswer) -> &'a str {
        if self.sent.is_empty() {
            return &answer.text;
        }
        answer.text.strip_prefix(&*self.sent).unwrap_or_default()
    }

    fn end(&mut self) {
        self.ready.push_back("[DONE]".into());
        self.is_over = true;
    }
}

/// What closes the text.
fn closing(answer: &AskAnswer) -> String {
    format!("\n\n---\n{}", answer.footer())
}

fn usage(usage: Usage) -> Value {
    let (sent, received) = (usage.prompt_tokens, usage.completion_tokens);
    json!({"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received})
}

fn error(code: &str, message: &str, kind: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
}

/// An error as a response of these routes.
pub fn failure(failed: &Error) -> Response {
    let outcome = failed.kind().outcome();
    let kind = match outcome.status {
        401 => "authentication_error",
        ..500 => "invalid_request_error",
        _ => "server_error",
    };
    rest::respond(
        failed,
        error(outcome.code, &failed.to_string(), kind),
        "Bearer realm=\"ripple\"",
    )
}

/// Lets a handler use `?`.
struct Failed(Error);

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        failure(&self.0)
    }
}
