//! `POST /api/v1/ask`: a question in words, answered at once or event by event.
//!
//! ```text
//! POST /api/v1/ask  {"question": "who reads User.email?"}     Accept: text/event-stream
//! event: stage      {"stage": "retrieve", "ms": 12.0, "detail": "…"}
//! event: token      {"text": "It is "}
//! event: answer     {"text": "It is …", "citations": […], …}
//! ```
//!
//! The last event is `answer` or `error`: a reader that has seen neither has not seen everything. A client that goes away ends
//! the work.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{Stream, stream};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinHandle;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::rest::{Failed, Failures};
use super::{Server, Shared, media};
use crate::Error;
use crate::view::{AskAnswer, AskEvent, AskRequest, Failure};

/// Routes that ask for the token.
pub fn guarded() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(ask))
}

/// Server-sent events.
const EVENTS: &str = "text/event-stream";

/// Events that may wait for a slow reader; then the work waits.
const WAITING: usize = 64;

/// How often a silent stream says that it is still there.
const ALIVE: Duration = Duration::from_secs(10);

/// Answer a question in words
///
/// With `Accept: text/event-stream`, or `stream: true`, the answer comes as events: `stage`, `seeds`, `cypher`, `rows`,
/// `token`, `citations`, `verdict`, and last `answer` (the whole answer) or `error`.
#[utoipa::path(
    post, path = "/api/v1/ask", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    request_body = AskRequest,
    responses(
        (status = 200, description = "The answer", content((AskAnswer = "application/json"), (AskEvent = "text/event-stream"))),
        Failures,
    ),
)]
async fn ask(
    State(server): State<Shared>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Failed> {
    let (request, _) = media::json::<AskRequest>(&headers, &[media::JSON], body)?;
    let is_stream = request.stream || media::preferred(&headers, &[media::JSON, EVENTS]) == EVENTS;
    let asked = server.asked(request)?;
    if !is_stream {
        return Ok(Json(asked.answer().await?).into_response());
    }
    let events = stream::unfold(asked, |mut asked| async move {
        let event = asked.next().await?;
        let sent = Event::default().event(event.name()).json_data(&event);
        // What cannot be written as JSON is not there: all of it is plain data.
        Some((Ok::<_, Infallible>(sent.unwrap_or_default()), asked))
    });
    Ok(sse(events))
}

/// A response of events that no proxy should hold back.
pub fn sse(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    let alive = KeepAlive::new().interval(ALIVE);
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    let header = HeaderName::from_static("x-accel-buffering");
    response.headers_mut().insert(header, HeaderValue::from_static("no"));
    response
}

/// A question that is being worked on. Dropped, the work ends.
pub struct Asked {
    events: mpsc::Receiver<AskEvent>,
    work: Option<JoinHandle<Result<AskAnswer, Error>>>,
    _place: OwnedSemaphorePermit,
}

impl Server {
    /// Begins to work on a question, if there is a place for it.
    pub fn asked(&self, request: AskRequest) -> Result<Asked, Error> {
        if request.question.trim().is_empty() {
            return Err(Error::Usage("`question` is empty".into()));
        }
        let answerer = self.rooms.answerer.clone();
        let answerer = answerer.ok_or_else(|| Error::NotFound("no questions are answered here".into()))?;
        let place = self.asking.clone().try_acquire_owned().map_err(|_| Error::Overloaded)?;
        let (sender, events) = mpsc::channel(WAITING);
        let work = tokio::spawn(async move { answerer.ask(request, sender).await });
        Ok(Asked {
            events,
            work: Some(work),
            _place: place,
        })
    }
}

impl Asked {
    /// The next event; after `answer` or `error`, nothing.
    pub async fn next(&mut self) -> Option<AskEvent> {
        if let Some(event) = self.events.recv().await {
            return Some(event);
        }
        Some(match self.ended().await? {
            Ok(answer) => AskEvent::Answer(Box::new(answer)),
            Err(error) => AskEvent::Error(Failure::from(&error)),
        })
    }

    /// The answer, without the events before it.
    pub async fn answer(mut self) -> Result<AskAnswer, Error> {
        self.events.close();
        let gone = || Error::Internal("a question was answered twice".into());
        self.ended().await.ok_or_else(gone)?
    }

    async fn ended(&mut self) -> Option<Result<AskAnswer, Error>> {
        let outcome = self.work.as_mut()?.await;
        self.work = None;
        Some(outcome.unwrap_or_else(|error| Err(Error::Internal(error.to_string()))))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if let Some(work) = &self.work {
            work.abort();
        }
    }
}
