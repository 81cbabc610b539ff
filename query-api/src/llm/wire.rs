//! [`Wire`]: one request to an endpoint and its answer, with everything that a hostile or broken endpoint could do bounded.
//!
//! `async-openai` knows addresses, headers and event streams; what it is told of an answer passes here first:
//!
//! ```text
//! 429 {"error": …}, Retry-After: 2   ->  LlmError::RateLimited, with the time
//! 200 <html>…                        ->  LlmError::BadReply; the library would log the whole page
//! 200 data: … data: … (no end)       ->  ended after REPLY_LIMIT bytes
//! 200 {…} where a stream was wanted  ->  a stream of one event
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use axum::http;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap};
use futures_util::StreamExt as _;
use serde_json::Value;

use super::settings::Endpoint;
use super::{LlmError, LlmSettings, Secret};
use crate::Error;

/// An endpoint and the way there.
pub(super) struct Wire {
    http: reqwest::Client,
    endpoint: Endpoint,
    pub key: Option<Secret>,
    pub timeout: Duration,
    pub patience: Duration,
    pub bulk_patience: Duration,
}

/// Most bytes of an answer. Vectors for a batch of texts are the longest.
const REPLY_LIMIT: usize = 16 << 20;

/// Most bytes that are read of what an endpoint says about an error, and most letters that are shown.
const ERROR_LIMIT: usize = 16 << 10;
const SHOWN: usize = 200;

const CONNECT: Duration = Duration::from_secs(5);

/// What was seen of one stream.
#[derive(Default)]
pub(super) struct Seen {
    /// Its last event.
    end: AtomicBool,
    /// More bytes than are read.
    flood: AtomicBool,
}

impl Wire {
    pub fn new(endpoint: Endpoint, settings: &LlmSettings) -> Result<Self, Error> {
        let mut http = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("ripple/", env!("CARGO_PKG_VERSION")));
        if endpoint.is_local {
            http = http.no_proxy();
        }
        if !endpoint.is_tls {
            // Nothing is encrypted: the machine's certificates need not be there, or be read.
            http = http.tls_certs_only([]);
        }
        let http = http
            .build()
            .map_err(|error| Error::Usage(format!("the language model cannot be reached: {}", root(&error))))?;
        Ok(Self {
            http,
            endpoint,
            key: settings.key.clone(),
            timeout: settings.timeout,
            patience: settings.patience,
            bulk_patience: settings.bulk_patience,
        })
    }

    /// The endpoint's address.
    pub fn url(&self) -> &str {
        &self.endpoint.url
    }

    /// A client for one call. `seen` is told what a stream brings; without it the answer is one JSON value.
    pub fn client(self: &Arc<Self>, seen: Option<Arc<Seen>>) -> Client<OpenAIConfig> {
        let config = OpenAIConfig::new()
            .with_api_base(self.url())
            .with_api_key(self.key.as_ref().map_or("none", Secret::expose))
            // Else they come from the environment, where nobody has checked them.
            .with_org_id("")
            .with_project_id("");
        let wire = self.clone();
        let send = tower::service_fn(move |factory: HttpRequestFactory| {
            let (wire, seen) = (wire.clone(), seen.clone());
            async move { wire.send(factory, seen).await }
        });
        Client::build(self.http.clone(), config).with_http_service(send)
    }

    async fn send(
        &self,
        factory: HttpRequestFactory,
        seen: Option<Arc<Seen>>,
    ) -> Result<reqwest::Response, OpenAIError> {
        let mut request = factory.build().await?;
        if self.key.is_none() {
            request.headers_mut().remove(AUTHORIZATION);
        }
        let sent = self.http.execute(request).await;
        let response = sent.map_err(|error| boxed(self.unreachable(&error)))?;
        let status = response.status().as_u16();
        if !response.status().is_success() {
            let headers = response.headers().clone();
            // What cannot be read of the reason is left out of it.
            let (body, _) = self.read(response, ERROR_LIMIT).await;
            return Err(boxed(self.refusal(status, &headers, &body)));
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        match seen {
            Some(seen) if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) => Ok(watched(response, seen)),
            seen => {
                let (body, error) = self.read(response, REPLY_LIMIT).await;
                if let Some(error) = error {
                    return Err(boxed(error));
                }
                let value: Value = serde_json::from_slice(&body).map_err(|error| {
                    let why = format!("no JSON ({error}): {}", self.shown(&body));
                    boxed(self.bad_reply(why))
                })?;
                let body = match seen {
                    Some(seen) => {
                        seen.end.store(true, Ordering::Relaxed);
                        format!("data: {value}\n\n")
                    }
                    None => value.to_string(),
                };
                Ok(http::Response::new(body).into())
            }
        }
    }

    /// The body, as far as it came and was wanted, and what ended it.
    async fn read(&self, mut response: reqwest::Response, limit: usize) -> (Vec<u8>, Option<LlmError>) {
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(piece)) => body.extend_from_slice(&piece),
                Ok(None) => return (body, None),
                Err(_) => {
                    let error = self.cut(body.len());
                    return (body, Some(error));
                }
            }
            if body.len() > limit {
                let error = self.too_long(body.len());
                body.truncate(limit);
                return (body, Some(error));
            }
        }
    }

    /// What a status other than success means.
    fn refusal(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> LlmError {
        let url = self.url().to_owned();
        let message = self.shown(body);
        match status {
            // What is said about a key may be the key.
            401 | 403 if self.key.is_none() => LlmError::NoKey { url },
            401 | 403 => LlmError::WrongKey { url, status },
            429 => LlmError::RateLimited {
                url,
                retry_after: retry_after(headers),
                for_good: message.contains("insufficient_quota") || message.contains("exceeded your current quota"),
                message,
            },
            408 | 500.. => LlmError::Server { url, status, message },
            _ => LlmError::Rejected { url, status, message },
        }
    }

    /// The library's error as one of ours. `received` is the length of the text until then.
    pub fn error(&self, error: OpenAIError, received: usize, seen: Option<&Seen>) -> LlmError {
        match error {
            OpenAIError::Boxed(error) => match error.downcast::<LlmError>() {
                Ok(error) => *error,
                Err(error) => self.bad_reply(self.shown(error.to_string().as_bytes())),
            },
            OpenAIError::Reqwest(error) => self.unreachable(&error),
            OpenAIError::StreamError(_) if seen.is_some_and(|seen| seen.flood.load(Ordering::Relaxed)) => {
                self.too_long(REPLY_LIMIT)
            }
            OpenAIError::StreamError(_) => self.cut(received),
            OpenAIError::JSONDeserialize(error, text) => {
                self.bad_reply(format!("no JSON ({error}): {}", self.shown(text.as_bytes())))
            }
            other => self.bad_reply(self.shown(other.to_string().as_bytes())),
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> LlmError {
        let url = self.url().to_owned();
        if error.is_timeout() && !error.is_connect() {
            let after = self.timeout;
            return LlmError::Timeout { url, after };
        }
        let why = self.shown(root(error).as_bytes());
        LlmError::Unreachable { url, why }
    }

    pub fn cut(&self, received: usize) -> LlmError {
        let url = self.url().to_owned();
        LlmError::Cut { url, received }
    }

    pub fn too_long(&self, received: usize) -> LlmError {
        let url = self.url().to_owned();
        LlmError::TooLong { url, received }
    }

    pub fn bad_reply(&self, why: String) -> LlmError {
        let url = self.url().to_owned();
        LlmError::BadReply { url, why }
    }

    /// An error that came with a good status: `{"error": …}`.
    pub fn told(&self, value: &Value) -> Option<LlmError> {
        let error = value.get("error").filter(|error| !error.is_null())?;
        let status = error
            .get("code")
            .and_then(Value::as_u64)
            .and_then(|code| u16::try_from(code).ok());
        let body = value.to_string();
        Some(self.refusal(
            status.filter(|code| *code >= 400).unwrap_or(500),
            &HeaderMap::new(),
            body.as_bytes(),
        ))
    }

    /// What an endpoint says, fit to be shown: its message if it has one, on one line, short, without the key.
    pub fn shown(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        let message = serde_json::from_str::<Value>(&text).ok().and_then(|value| {
            // Gemini's endpoint wraps it into a list.
            let error = value.get(0).unwrap_or(&value).get("error")?.clone();
            let said = error.as_str().or_else(|| error.get("message")?.as_str())?.to_owned();
            match error.get("code").and_then(Value::as_str) {
                Some(code) => Some(format!("{code}: {said}")),
                None => Some(said),
            }
        });
        let text = message.unwrap_or_else(|| text.into_owned());
        let text = match &self.key {
            Some(key) => key.scrub(text.get(..ERROR_LIMIT).unwrap_or(&text)),
            None => text,
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        let mut letters = line.chars().filter(|letter| !letter.is_control());
        let mut shown: String = letters.by_ref().take(SHOWN).collect();
        if letters.next().is_some() {
            shown.push('…');
        }
        if shown.is_empty() {
            "no reason given".into()
        } else {
            shown
        }
    }
}

impl Seen {
    /// The stream said that it has ended.
    pub fn ended(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }
}

/// The same answer, whose stream is watched and bounded.
fn watched(response: reqwest::Response, seen: Arc<Seen>) -> reqwest::Response {
    let mut received = 0;
    let mut tail = Vec::new();
    let pieces = response.bytes_stream().map(move |piece| {
        let piece = piece.map_err(std::io::Error::other)?;
        received += piece.len();
        if received > REPLY_LIMIT {
            seen.flood.store(true, Ordering::Relaxed);
            return Err(std::io::Error::other("too long"));
        }
        // The mark may lie across two pieces.
        tail.extend_from_slice(&piece);
        if tail.windows(END.len()).any(|window| window == END) {
            seen.end.store(true, Ordering::Relaxed);
        }
        tail.drain(..tail.len().saturating_sub(END.len() - 1));
        Ok(piece)
    });
    http::Response::new(reqwest::Body::wrap_stream(pieces)).into()
}

/// What the last event of a stream holds.
const END: &[u8] = b"[DONE]";

/// How long the endpoint wants to be left alone, if it says so: in seconds, or until when.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    if let Some(until) = date("retry-after") {
        // By the endpoint's own clock, if it shows it. A moment that has passed is no wait.
        let now = date("date").unwrap_or_else(SystemTime::now);
        return Some(until.duration_since(now).unwrap_or_default());
    }
    let seconds = number("retry-after-ms")
        .map(|ms| ms / 1000.0)
        .or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn boxed(error: LlmError) -> OpenAIError {
    OpenAIError::Boxed(Box::new(error))
}

/// The innermost reason: the outer ones say "error sending request".
fn root(error: &reqwest::Error) -> String {
    let mut reason: &dyn std::error::Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(key: Option<&str>) -> Wire {
        let settings = LlmSettings {
            url: Some("http://127.0.0.1:9/v1".into()),
            key: key.map(Secret::new),
            ..LlmSettings::default()
        };
        Wire::new(settings.checked().expect("a good address"), &settings).expect("a client")
    }

    #[test]
    fn what_is_said_is_short_and_without_the_key() {
        let wire = wire(Some("sk-0123456789abcdef"));
        let check = |body: &str, shown: &str| assert_eq!(wire.shown(body.as_bytes()), shown, "{body}");
        check(
            r#"{"error": {"message": "no key sk-0123456789abcdef", "code": "x"}}"#,
            "x: no key [key]",
        );
        check(r#"{"error": "model \"m\" not found\n"}"#, r#"model "m" not found"#);
        check(r#"[{"error": {"message": "bad", "code": 400}}]"#, "bad");
        check("<html>\n  <b>oh\u{1b}</b>", "<html> <b>oh</b>");
        check("", "no reason given");
        assert_eq!(wire.shown("ü".repeat(1000).as_bytes()).chars().count(), SHOWN + 1);
    }

    #[test]
    fn statuses() {
        let keyed = wire(Some("sk-0123456789abcdef"));
        let codes = [
            (401, "wrong-key"),
            (403, "wrong-key"),
            (404, "rejected"),
            (408, "server"),
            (429, "rate-limited"),
            (302, "rejected"),
            (503, "server"),
        ];
        for (status, code) in codes {
            assert_eq!(keyed.refusal(status, &HeaderMap::new(), b"{}").code(), code, "{status}");
        }
        assert_eq!(wire(None).refusal(401, &HeaderMap::new(), b"").code(), "no-key");
    }

    #[test]
    fn waits_are_read_in_seconds() {
        let read = |name: &'static str, text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, http::HeaderValue::from_static(text));
            retry_after(&headers)
        };
        assert_eq!(read("retry-after", " 2 "), Some(Duration::from_secs(2)));
        assert_eq!(read("retry-after-ms", "20"), Some(Duration::from_millis(20)));
        for none in ["-1", "soon", "NaN", "inf", "1e300", "Wed, 21 Oct"] {
            assert_eq!(read("retry-after", none), None, "{none}");
        }
    }

    #[test]
    fn waits_are_read_as_dates() {
        let read = |until: &'static str, now: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert("retry-after", http::HeaderValue::from_static(until));
            if let Some(now) = now {
                headers.insert("date", http::HeaderValue::from_static(now));
            }
            retry_after(&headers)
        };
        let until = "Wed, 21 Oct 2015 07:28:00 GMT";
        assert_eq!(
            read(until, Some("Wed, 21 Oct 2015 07:27:55 GMT")),
            Some(Duration::from_secs(5))
        );
        assert_eq!(read(until, Some("Wed, 21 Oct 2015 07:28:05 GMT")), Some(Duration::ZERO));
        assert_eq!(read(until, None), Some(Duration::ZERO), "it is long past");
        assert!(read("Tue, 31 Dec 2999 23:59:59 GMT", None) > Some(Duration::from_secs(3600)));
    }
}
