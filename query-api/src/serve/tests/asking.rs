//! The routes for questions in words, over an answerer that says what a test tells it to.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;

use super::*;
use crate::Error;
use crate::llm::LlmError;
use crate::seam::{Answerer, Boxed, Rooms};
use crate::view::{AskAnswer, AskEvent, AskRequest, Citation, TraceStep, Usage, Verdict, VerdictLevel, Way};

/// Tells its question back, in two pieces; `fail`, `panic`, `wait` and `change` do what they say.
struct Parrot {
    /// Questions that were answered, or given up, to their end.
    ended: Arc<AtomicUsize>,
}

struct CountsItsEnd(Arc<AtomicUsize>);

impl Drop for CountsItsEnd {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Answerer for Parrot {
    fn ask(&self, request: AskRequest, events: mpsc::Sender<AskEvent>) -> Boxed<'_, Result<AskAnswer, Error>> {
        Box::pin(async move {
            let _ended = CountsItsEnd(self.ended.clone());
            let step = TraceStep {
                stage: "retrieve".into(),
                ms: 1.0,
                detail: "two seeds".into(),
            };
            let _ = events.send(AskEvent::Stage(step.clone())).await;
            match request.question.as_str() {
                "fail" => {
                    let url = "http://model/v1".to_owned();
                    return Err(LlmError::Empty { url }.into());
                }
                "panic" => panic!("on request"),
                "wait" => std::future::pending().await,
                _ => {}
            }
            let said: Vec<&str> = request.history.iter().map(|turn| turn.content.as_str()).collect();
            let mut text = format!("{}; before: {}", request.question, said.join(", "));
            let (first, second) = text.split_at(4);
            for piece in [first, second] {
                let text = piece.to_owned();
                let _ = events.send(AskEvent::Token { text }).await;
            }
            if request.question == "change" {
                text = "something else".into();
            }
            let citation = |symbol: &str, verified| Citation {
                symbol: symbol.into(),
                file: "a.py".into(),
                line: 1,
                verified,
                node: None,
            };
            Ok(AskAnswer {
                text,
                way: Way::Template,
                citations: vec![citation("a.x", true), citation("a.made_up", false)],
                verified: 1,
                unverified: 1,
                verdict: Verdict {
                    level: VerdictLevel::Complete,
                    reasons: Vec::new(),
                },
                cypher: Vec::new(),
                operation: None,
                rows: None,
                seeds: Vec::new(),
                trace: vec![step],
                model: None,
                usage: Usage {
                    prompt_tokens: 3,
                    completion_tokens: 4,
                    calls: 1,
                },
                context: json!({"seeds": [1]}),
            })
        })
    }

    fn model(&self) -> Option<String> {
        Some("parrot-1".into())
    }
}

const ASK: &str = "/api/v1/ask";
const CHAT: &str = "/v1/chat/completions";
const EVENTS: (&str, &str) = ("accept", "text/event-stream");

fn parrot(token: Option<&str>) -> Result<(Fixture, Arc<AtomicUsize>), Box<dyn std::error::Error>> {
    let ended = Arc::new(AtomicUsize::new(0));
    let answerer = Arc::new(Parrot { ended: ended.clone() });
    let rooms = Rooms {
        answerer: Some(answerer),
        operations: None,
    };
    Ok((fixture_with(token, &[], |_, _| rooms)?, ended))
}

/// Events of a stream: name and data.
fn events(body: &str) -> Vec<(String, String)> {
    let field = |block: &str, name: &str| {
        let lines = block
            .lines()
            .filter_map(|line| line.strip_prefix(name))
            .map(str::trim_start);
        lines.collect::<Vec<_>>().join("\n")
    };
    let blocks = body.split("\n\n").filter(|block| !block.is_empty());
    blocks
        .map(|block| (field(block, "event:"), field(block, "data:")))
        .collect()
}

#[tokio::test]
async fn a_question_is_answered_at_once() -> Outcome {
    let (server, _) = parrot(None)?;
    let body = json!({"question": "who?", "history": [{"role": "user", "content": "hello"}], "context": {"a": 1}});
    let reply = server.post(ASK, &[], &body.to_string()).await?;
    assert_eq!(
        (reply.status, reply.header(header::CONTENT_TYPE)),
        (StatusCode::OK, "application/json")
    );
    let answer = reply.json();
    assert_eq!(
        (&answer["text"], &answer["way"]),
        (&json!("who?; before: hello"), &json!("template"))
    );
    assert_eq!((&answer["verified"], &answer["unverified"]), (&json!(1), &json!(1)));
    assert_eq!(answer["verdict"]["level"], "complete");
    assert_eq!(answer["context"], json!({"seeds": [1]}));
    Ok(())
}

#[tokio::test]
async fn a_question_is_answered_in_events() -> Outcome {
    let (server, _) = parrot(None)?;
    for (headers, body) in [
        (&[EVENTS][..], json!({"question": "who?"})),
        (&[], json!({"question": "who?", "stream": true})),
    ] {
        let reply = server.post(ASK, headers, &body.to_string()).await?;
        assert_eq!(
            (reply.status, reply.header(header::CONTENT_TYPE)),
            (StatusCode::OK, "text/event-stream")
        );
        let events = events(&reply.body);
        let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["stage", "token", "token", "answer"]);
        assert_eq!(events[1].1, r#"{"text":"who?"}"#);
        let answer: Value = serde_json::from_str(&events[3].1)?;
        assert_eq!(answer["text"], "who?; before: ");
    }
    Ok(())
}

#[tokio::test]
async fn what_goes_wrong_is_said_at_once_or_as_an_event() -> Outcome {
    let (server, _) = parrot(None)?;
    for (body, status, code) in [
        (r#"{"question": " "}"#, 400, "bad_request"),
        (r#"{"q": "who?"}"#, 400, "bad_request"),
        (
            r#"{"question": "who?", "history": [{"role": "robot", "content": ""}]}"#,
            400,
            "bad_request",
        ),
        (r#"{"question": "fail"}"#, 502, "model_failed"),
        (r#"{"question": "panic"}"#, 500, "internal"),
    ] {
        let reply = server.post(ASK, &[], body).await?;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["error"]["code"]),
            (status, &json!(code)),
            "{body}: {}",
            reply.body
        );
    }
    for (question, code) in [("fail", "model_failed"), ("panic", "internal")] {
        let reply = server
            .post(ASK, &[EVENTS], &json!({"question": question}).to_string())
            .await?;
        let last = events(&reply.body).pop().ok_or("no events")?;
        let failure: Value = serde_json::from_str(&last.1)?;
        assert_eq!((last.0.as_str(), &failure["error"]["code"]), ("error", &json!(code)));
    }
    let reply = server.post(ASK, &[("content-type", "text/plain")], "{}").await?;
    assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    Ok(())
}

#[tokio::test]
async fn a_client_that_goes_away_ends_the_work() -> Outcome {
    let (server, ended) = parrot(None)?;
    for headers in [&[EVENTS][..], &[]] {
        let before = ended.load(Ordering::SeqCst);
        let body = Body::from(r#"{"question": "wait"}"#);
        let request = request("POST", ASK, headers, body)?;
        let answered = server.router.clone().oneshot(request);
        let outcome = tokio::time::timeout(Duration::from_millis(200), async {
            // A stream is there at once, and has no end.
            let response = answered.await?;
            to_bytes(response.into_body(), 1 << 20)
                .await
                .map_err(Box::<dyn std::error::Error>::from)
        });
        assert!(outcome.await.is_err(), "it was answered");
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        assert_eq!(ended.load(Ordering::SeqCst), before + 1, "the work goes on for nobody");
    }
    Ok(())
}

#[tokio::test]
async fn more_questions_than_places_are_turned_away() -> Outcome {
    let (server, _) = parrot(None)?;
    let mut waiting = Vec::new();
    for _ in 0..ASKING {
        let request = request("POST", ASK, &[EVENTS], Body::from(r#"{"question": "wait"}"#))?;
        waiting.push(server.router.clone().oneshot(request).await?);
    }
    let reply = server.post(ASK, &[], r#"{"question": "who?"}"#).await?;
    assert_eq!(
        (reply.status.as_u16(), reply.json()["error"]["code"].clone()),
        (503, json!("overloaded"))
    );
    drop(waiting);
    let reply = server.post(ASK, &[], r#"{"question": "who?"}"#).await?;
    assert_eq!(reply.status, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn chat_clients_are_understood() -> Outcome {
    let (server, _) = parrot(None)?;
    let body = json!({
        "model": "gpt-4o", "temperature": 0.2, "tools": [], "user": "me", "n": 1,
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "hello"}, {"type": "image_url", "image_url": {}}]},
            {"role": "assistant", "content": "hi", "tool_calls": null},
            {"role": "tool", "content": "42"},
            {"role": "user", "content": "who?", "name": "me"},
        ],
    });
    let reply = server.post(CHAT, &[], &body.to_string()).await?;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.body);
    let answer = reply.json();
    assert_eq!(
        (&answer["object"], &answer["model"]),
        (&json!("chat.completion"), &json!("ripple"))
    );
    assert!(answer["id"].is_string() && answer["created"].is_number());
    let choice = &answer["choices"][0];
    assert_eq!(
        (&choice["index"], &choice["finish_reason"], &choice["message"]["role"]),
        (&json!(0), &json!("stop"), &json!("assistant"))
    );
    let text = choice["message"]["content"].as_str().unwrap_or_default();
    assert!(text.starts_with("who?; before: be brief, hello, hi\n\n---\n"), "{text}");
    assert!(text.contains("Not verified: `a.made_up` (a.py:1)"), "{text}");
    assert_eq!(
        answer["usage"],
        json!({"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7})
    );
    Ok(())
}

#[tokio::test]
async fn chat_clients_are_streamed_to() -> Outcome {
    let (server, _) = parrot(None)?;
    for (question, shown) in [("who?", "who?; before: "), ("change", "change; before: ")] {
        let body = json!({"messages": [{"role": "user", "content": question}], "stream": true, "stream_options": {"include_usage": true}});
        let reply = server.post(CHAT, &[], &body.to_string()).await?;
        assert_eq!(reply.header(header::CONTENT_TYPE), "text/event-stream");
        let mut events = events(&reply.body);
        assert_eq!(events.pop(), Some((String::new(), "[DONE]".into())));
        let pieces = events
            .iter()
            .map(|(_, data)| serde_json::from_str(data))
            .collect::<Result<Vec<Value>, _>>()?;
        assert!(
            pieces
                .iter()
                .all(|piece| piece["object"] == "chat.completion.chunk" && piece["id"] == pieces[0]["id"])
        );
        assert_eq!(pieces[0]["choices"][0]["delta"]["role"], "assistant");
        let text: String = pieces
            .iter()
            .filter_map(|piece| piece["choices"][0]["delta"]["content"].as_str())
            .collect();
        assert!(
            text.starts_with(&format!("{shown}\n\n---\n")),
            "once, and then the closing: {text}"
        );
        assert!(
            text.contains("a.made_up") && text.ends_with("Verdict: complete."),
            "{text}"
        );
        let [.., stop, usage] = &pieces[..] else {
            return Err("too few pieces".into());
        };
        assert_eq!(stop["choices"][0]["finish_reason"], "stop");
        assert_eq!(
            (&usage["choices"], &usage["usage"]["total_tokens"]),
            (&json!([]), &json!(7))
        );
    }
    Ok(())
}

#[tokio::test]
async fn chat_clients_get_their_errors() -> Outcome {
    let (server, _) = parrot(Some("s3cret"))?;
    let good = ("authorization", "Bearer s3cret");
    let ask = |text: &str| json!({"messages": [{"role": "user", "content": text}]}).to_string();
    let reply = server.post(CHAT, &[], &ask("who?")).await?;
    assert_eq!(
        (reply.status.as_u16(), &reply.json()["error"]["type"]),
        (401, &json!("authentication_error")),
        "{}",
        reply.body
    );
    assert_eq!(
        server.post(ASK, &[], r#"{"question": "who?"}"#).await?.json()["error"]["code"],
        "unauthorized"
    );
    for (body, status, code) in [
        ("{}", 400, "bad_request"),
        (r#"{"messages": []}"#, 400, "bad_request"),
        (
            r#"{"messages": [{"role": "system", "content": "x"}]}"#,
            400,
            "bad_request",
        ),
        (&ask(""), 400, "bad_request"),
        (&ask("fail"), 502, "model_failed"),
    ] {
        let reply = server.post(CHAT, &[good], body).await?;
        let error = reply.json()["error"].clone();
        assert_eq!(
            (reply.status.as_u16(), &error["code"]),
            (status, &json!(code)),
            "{body}: {}",
            reply.body
        );
        assert!(error["message"].is_string() && error["param"].is_null(), "{error}");
    }
    let reply = server.post("/v1/responses", &[good], "{}").await?;
    assert_eq!(
        (reply.status.as_u16(), &reply.json()["error"]["type"]),
        (404, &json!("invalid_request_error"))
    );
    let streamed = json!({"messages": [{"role": "user", "content": "fail"}], "stream": true}).to_string();
    let events = events(&server.post(CHAT, &[good], &streamed).await?.body);
    let [.., error, done] = &events[..] else {
        return Err("too few events".into());
    };
    assert_eq!(
        (
            serde_json::from_str::<Value>(&error.1)?["error"]["code"].as_str(),
            done.1.as_str()
        ),
        (Some("model_failed"), "[DONE]")
    );
    let models = server.get("/v1/models", &[good]).await?.json();
    assert_eq!(
        (&models["data"][0]["id"], &models["data"][0]["language_model"]),
        (&json!("ripple"), &json!("parrot-1"))
    );
    assert_eq!(server.get("/v1/models", &[]).await?.status, StatusCode::UNAUTHORIZED);
    Ok(())
}

#[tokio::test]
async fn questions_are_served_only_where_they_are_answered() -> Outcome {
    let with = fixture_with(None, &[], |_, _| Rooms::default())?;
    assert_eq!(
        with.post(ASK, &[], r#"{"question": "who?"}"#).await?.status,
        StatusCode::NOT_FOUND
    );
    let (with, _) = parrot(None)?;
    let document = with.get("/openapi.json", &[]).await?.json();
    for path in [ASK, CHAT, "/v1/models", "/mcp"] {
        assert!(document["paths"][path].is_object(), "{path} is not in the manual");
    }
    let mut references = Vec::new();
    collect(&document, &mut references);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    Ok(())
}
