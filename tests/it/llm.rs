//! The client of language models, held to an endpoint that behaves as badly as endpoints do.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use ripple_query_api::llm::{Budget, Finish, JsonSchema, Llm, LlmError, LlmSettings, Reply, Request, Secret};
use ripple_query_api::view::{ChatRole, ChatTurn};
use serde_json::{Value, json};

use crate::scripted_llm::{KEY, ScriptedLlm};

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

fn settings(url: &str) -> LlmSettings {
    LlmSettings {
        model: Some("scripted".into()),
        embedding_model: Some("vectors".into()),
        url: Some(url.into()),
        key: Some(Secret::new(KEY)),
        timeout: Duration::from_secs(20),
        patience: Duration::from_secs(20),
        bulk_patience: Duration::from_secs(20),
    }
}

fn client(settings: &LlmSettings) -> Llm {
    Llm::from_settings(settings).expect("sound settings").expect("a model")
}

fn request(text: &str) -> Request {
    Request {
        purpose: "test",
        messages: vec![ChatTurn {
            role: ChatRole::User,
            content: text.into(),
        }],
        schema: None,
        max_tokens: 100,
        temperature: 0.0,
        alternatives: false,
    }
}

/// Asks an endpoint with this script, whole and as a stream.
fn both(replies: &Value, mut check: impl FnMut(&ScriptedLlm, Result<Reply, LlmError>)) {
    for is_stream in [false, true] {
        let endpoint = ScriptedLlm::start(replies);
        let llm = client(&settings(&endpoint.url));
        let outcome = match is_stream {
            false => wait(llm.complete(&request("who?"))),
            true => streamed(&llm).1,
        };
        if let Err(error) = &outcome {
            assert!(error.to_string().contains(&endpoint.url), "no address: {error}");
            assert!(
                !format!("{error} {error:?} {llm:?}").contains("0123456789"),
                "a key: {error:?}"
            );
        }
        check(&endpoint, outcome);
    }
}

fn streamed(llm: &Llm) -> (String, Result<Reply, LlmError>) {
    let mut heard = String::new();
    let outcome = wait(llm.stream(&request("who?"), |piece| heard.push_str(piece)));
    (heard, outcome)
}

#[track_caller]
fn fails(outcome: Result<Reply, LlmError>, code: &str) -> LlmError {
    let error = outcome.expect_err(code);
    assert_eq!(error.code(), code, "{error}");
    error
}

#[test]
fn an_answer_comes_whole_or_in_pieces() {
    both(&json!([{"text": "It is  read\nby segment."}]), |endpoint, outcome| {
        let reply = outcome.expect("an answer");
        assert_eq!(
            (reply.text.as_str(), reply.finish),
            ("It is  read\nby segment.", Finish::Stop)
        );
        assert_eq!(
            (
                reply.usage.prompt_tokens,
                reply.usage.completion_tokens,
                reply.usage.calls
            ),
            (1, 5, 1)
        );
        let asked = &endpoint.requests()[0];
        assert_eq!(
            (&asked["path"], &asked["key"]),
            (&json!("/v1/chat/completions"), &json!(KEY))
        );
        assert_eq!(
            (&asked["body"]["model"], &asked["body"]["max_tokens"]),
            (&json!("scripted"), &json!(100))
        );
        assert_eq!(asked["body"]["messages"], json!([{"role": "user", "content": "who?"}]));
    });
    let endpoint = ScriptedLlm::start(&json!([{"pieces": ["a ", "b ", "c"]}]));
    let (heard, outcome) = streamed(&client(&settings(&endpoint.url)));
    assert_eq!(
        (heard.as_str(), outcome.map(|reply| reply.text)),
        ("a b c", Ok("a b c".into()))
    );
}

#[test]
fn an_answer_without_ids_and_usage_is_an_answer() {
    both(
        &json!([{"text": "by segment", "bare": true, "finish": "length"}]),
        |_, outcome| {
            let reply = outcome.expect("an answer");
            assert_eq!((reply.text.as_str(), reply.finish), ("by segment", Finish::Length));
            // Counted here.
            assert!(
                reply.usage.prompt_tokens > 0 && reply.usage.completion_tokens == 2,
                "{reply:?}"
            );
        },
    );
}

#[test]
fn a_whole_answer_where_a_stream_was_asked_for() {
    let endpoint = ScriptedLlm::start(&json!([{"text": "by segment", "ignore_stream": true}]));
    let (heard, outcome) = streamed(&client(&settings(&endpoint.url)));
    assert_eq!(
        (heard.as_str(), outcome.map(|reply| reply.text)),
        ("by segment", Ok("by segment".into()))
    );
}

#[test]
fn thoughts_are_not_shown() {
    both(
        &json!([{"pieces": ["<th", "ink>the user", " wants</think>\n\n", "by segment"]}]),
        |_, outcome| {
            assert_eq!(outcome.map(|reply| reply.text), Ok("by segment".into()));
        },
    );
}

#[test]
fn no_model_is_set() {
    let nothing = Llm::from_settings(&LlmSettings::default()).expect("sound settings");
    assert!(nothing.is_none());
    let keyless = LlmSettings {
        key: None,
        url: None,
        ..settings("")
    };
    assert!(Llm::from_settings(&keyless).expect("sound settings").is_none());
    assert!(keyless.missing().is_some_and(|said| said.contains("OPENAI_API_KEY")));
}

#[test]
fn no_key_and_a_wrong_key() {
    both(&json!([{"status": 401, "echo_key": true}]), |endpoint, outcome| {
        let error = fails(outcome, "wrong-key");
        assert!(error.to_string().contains("OPENAI_API_KEY"), "{error}");
        assert_eq!(endpoint.requests().len(), 1, "a wrong key is not tried again");
    });
    let endpoint = ScriptedLlm::start(&json!([{"status": 401}]));
    let settings = LlmSettings {
        key: None,
        ..settings(&endpoint.url)
    };
    fails(wait(client(&settings).complete(&request("who?"))), "no-key");
    assert_eq!(endpoint.requests()[0]["key"], "", "no key, no header");
}

#[test]
fn a_key_that_is_sent_back_is_struck_out() {
    both(&json!([{"status": 400, "echo_key": true}]), |_, outcome| {
        let error = fails(outcome, "rejected");
        assert!(error.to_string().contains("[key]"), "{error}");
    });
    both(
        &json!([{"status": 200, "body": format!("<html>{KEY}</html>")}]),
        |_, outcome| {
            fails(outcome, "bad-reply");
        },
    );
    both(
        &json!([{"pieces": ["your key is sk-scrip", "ted-0123456789abc", "defghij, is it not?"]}]),
        |_, outcome| {
            assert_eq!(
                outcome.map(|reply| reply.text),
                Ok("your key is [key], is it not?".into())
            );
        },
    );
}

#[test]
fn a_busy_endpoint_is_asked_again_when_it_says() {
    both(
        &json!([{"status": 429, "headers": {"retry-after": "0"}}, {"status": 429, "headers": {"retry-after-ms": "5"}}, {"text": "yes"}]),
        |endpoint, outcome| {
            assert_eq!(outcome.map(|reply| reply.text), Ok("yes".into()));
            assert_eq!(endpoint.requests().len(), 3);
        },
    );
    both(&json!([{"status": 429}, {"text": "yes"}]), |_, outcome| {
        assert_eq!(outcome.map(|reply| reply.text), Ok("yes".into()));
    });
    both(
        &json!([{"status": 429, "headers": {"retry-after": "3600"}}, {"text": "yes"}]),
        |endpoint, outcome| {
            let error = fails(outcome, "rate-limited");
            assert!(error.to_string().contains("again in 3600 s"), "{error}");
            assert_eq!(endpoint.requests().len(), 1);
        },
    );
    let spent = json!({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}});
    both(
        &json!([{"status": 429, "body": spent}, {"text": "yes"}]),
        |_, outcome| {
            fails(outcome, "rate-limited");
        },
    );
}

#[test]
fn a_failing_endpoint_is_asked_again_and_then_given_up() {
    both(
        &json!([{"status": 500}, {"status": 503, "body": "<html>"}, {"text": "yes"}]),
        |_, outcome| {
            assert_eq!(outcome.map(|reply| reply.text), Ok("yes".into()));
        },
    );
    let endpoint = ScriptedLlm::start(&json!([{"status": 500, "times": 0}]));
    let settings = LlmSettings {
        patience: Duration::from_millis(600),
        ..settings(&endpoint.url)
    };
    fails(wait(client(&settings).complete(&request("who?"))), "server");
    assert_eq!(endpoint.requests().len(), 2, "patience for one more");
}

#[test]
fn an_error_that_comes_as_success() {
    both(
        &json!([{"status": 200, "body": {"error": {"message": "no such model", "code": 404}}}]),
        |_, outcome| {
            let error = fails(outcome, "rejected");
            assert!(
                error.to_string().contains("no such model") && error.to_string().contains("RIPPLE_MODEL"),
                "{error}"
            );
        },
    );
}

#[test]
fn nobody_is_there() {
    // Taken and given back: nobody listens there now.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port")
        .port();
    let settings = LlmSettings {
        patience: Duration::ZERO,
        ..settings(&format!("http://127.0.0.1:{port}/v1"))
    };
    let error = fails(wait(client(&settings).complete(&request("who?"))), "unreachable");
    assert!(error.to_string().contains("OPENAI_BASE_URL"), "{error}");
}

#[test]
fn a_slow_endpoint_is_not_waited_for() {
    for is_stream in [false, true] {
        let endpoint = ScriptedLlm::start(&json!([{"text": "at last", "delay": 30}]));
        let settings = LlmSettings {
            timeout: Duration::from_millis(300),
            ..settings(&endpoint.url)
        };
        let llm = client(&settings);
        let outcome = if is_stream {
            streamed(&llm).1
        } else {
            wait(llm.complete(&request("who?")))
        };
        let error = fails(outcome, "timeout");
        assert!(error.to_string().contains("--llm-timeout"), "{error}");
        assert_eq!(endpoint.requests().len(), 1, "a slow endpoint is not asked again");
    }
}

#[test]
fn a_stream_that_is_cut() {
    for cut in [json!({"cut_after": 2}), json!({"no_end": true})] {
        let mut reply = json!({"pieces": ["It ", "is ", "read "]});
        reply
            .as_object_mut()
            .expect("an object")
            .extend(cut.as_object().expect("an object").clone());
        let endpoint = ScriptedLlm::start(&json!([reply, {"text": "a second answer"}]));
        let (heard, outcome) = streamed(&client(&settings(&endpoint.url)));
        fails(outcome, "cut");
        assert!(heard.starts_with("It is "), "{heard}");
        assert_eq!(
            endpoint.requests().len(),
            1,
            "what was shown can't be taken back: no second answer"
        );
    }
    // Before anything was shown, it can.
    both(
        &json!([{"pieces": ["It"], "cut_after": 0}, {"text": "yes"}]),
        |endpoint, outcome| {
            assert_eq!(outcome.map(|reply| reply.text), Ok("yes".into()));
            assert_eq!(endpoint.requests().len(), 2);
        },
    );
}

#[test]
fn an_empty_answer() {
    for reply in [
        json!({"text": ""}),
        json!({"text": " \n"}),
        json!({"text": "<think>hm</think>"}),
        json!({"status": 200, "body": {"choices": []}}),
        json!({"status": 200, "body": {"choices": [{"message": {"content": null}, "finish_reason": "content_filter"}]}}),
    ] {
        both(&json!([reply]), |_, outcome| {
            fails(outcome, "empty");
        });
    }
}

#[test]
fn a_model_that_never_stops() {
    let endpoint = ScriptedLlm::start(&json!([{"text": "So, ", "endless": true}]));
    let (heard, outcome) = streamed(&client(&settings(&endpoint.url)));
    fails(outcome, "too-long");
    assert!(
        heard.starts_with("So, and so on, ") && heard.len() < 4000,
        "{}",
        heard.len()
    );
    // Slow drops pass no limit of bytes, and end by the clock.
    let endpoint = ScriptedLlm::start(&json!([{"text": "So, ", "endless": true, "pause": 0.05}]));
    let settings = LlmSettings {
        timeout: Duration::from_millis(500),
        ..settings(&endpoint.url)
    };
    let (_, outcome) = streamed(&client(&settings));
    fails(outcome, "too-long");
    // One that says a thousand times more than it was asked for, at once.
    let endpoint = ScriptedLlm::start(&json!([{"text": "x".repeat(17 << 20)}]));
    fails(
        wait(client(&settings_of(&endpoint)).complete(&request("who?"))),
        "too-long",
    );
}

fn settings_of(endpoint: &ScriptedLlm) -> LlmSettings {
    settings(&endpoint.url)
}

#[test]
fn fields_that_an_endpoint_refuses_are_left_out() {
    let endpoint = ScriptedLlm::start(&json!([
        {"has": "response_format", "status": 400, "body": {"error": {"message": "json_schema is not supported"}}},
        {"has": "max_tokens", "status": 400, "body": {"error": {"message": "Use 'max_completion_tokens' instead."}}},
        {"has": "temperature", "status": 422, "body": {"error": {"message": "temperature: unsupported value"}}},
        {"text": "Sure!\n```json\n{\"cypher\": \"RETURN 1\"}\n```", "times": 0},
    ]));
    let llm = client(&settings(&endpoint.url));
    let request = Request {
        schema: Some(JsonSchema {
            name: "plan",
            schema: json!({"type": "object", "properties": {"cypher": {"type": "string"}}, "required": ["cypher"], "additionalProperties": false}),
        }),
        ..request("who?")
    };
    let reply = wait(llm.complete(&request)).expect("an answer");
    assert_eq!(reply.json(), Some(json!({"cypher": "RETURN 1"})));
    let tried = endpoint.requests().len();
    assert_eq!(tried, 4);
    wait(llm.complete(&request)).expect("an answer");
    let requests = endpoint.requests();
    assert_eq!(requests.len(), tried + 1, "what was learnt is kept");
    let body = &requests[tried]["body"];
    assert_eq!(body["max_completion_tokens"], 100);
    for gone in ["response_format", "max_tokens", "temperature"] {
        assert!(body.get(gone).is_none(), "{body}");
    }
    assert_eq!(requests[0]["body"]["response_format"]["json_schema"]["name"], "plan");
}

#[test]
fn a_question_has_a_budget() {
    let endpoint = ScriptedLlm::start(&json!([{"text": "yes", "times": 0}]));
    let llm = client(&settings(&endpoint.url));
    let budget = Arc::new(Budget::new(2, 1_000_000));
    let metered = llm.metered(budget.clone());
    for _ in 0..2 {
        wait(metered.complete(&request("who?"))).expect("an answer");
    }
    assert_eq!(wait(metered.complete(&request("who?"))), Err(LlmError::Spent("calls")));
    assert_eq!((budget.usage().calls, budget.usage().prompt_tokens), (2, 2));
    assert_eq!(endpoint.requests().len(), 2);
    let tokens = llm.metered(Arc::new(Budget::new(9, 1)));
    wait(tokens.complete(&request("who?"))).expect("an answer");
    assert_eq!(wait(tokens.complete(&request("who?"))), Err(LlmError::Spent("tokens")));
}

#[test]
fn texts_become_vectors() {
    let endpoint = ScriptedLlm::start(&json!([
        {"path": "embeddings", "status": 429, "headers": {"retry-after": "0"}},
        {"path": "embeddings", "dimension": 16, "times": 0},
    ]));
    let llm = client(&settings(&endpoint.url));
    let texts: Vec<String> = (0..150).map(|number| format!("text {number}")).collect();
    let vectors = wait(llm.embed(&texts)).expect("vectors");
    assert_eq!((vectors.len(), vectors[0].len()), (150, 16));
    assert_eq!(
        vectors[149..],
        wait(llm.embed(&texts[149..])).expect("vectors"),
        "the same text, the same vector"
    );
    assert_ne!(vectors[0], vectors[1]);
    assert!(wait(llm.embed(&[])).expect("vectors").is_empty());
    let requests = endpoint.requests();
    assert_eq!(requests.len(), 5, "three batches, one of them twice, and one text");
    assert_eq!(requests[0]["body"]["model"], "vectors");
}

#[test]
fn vectors_that_would_spoil_an_index() {
    let texts = ["a".to_owned(), "b".to_owned()];
    for vectors in [
        json!([[1, 2]]),
        json!([[1, 2], [1]]),
        json!([[1, 2], [0, null]]),
        json!([[0, 0], [1, 1]]),
    ] {
        let endpoint = ScriptedLlm::start(&json!([{"path": "embeddings", "vectors": vectors}]));
        let error = wait(client(&settings(&endpoint.url)).embed(&texts)).expect_err("no vectors");
        assert_eq!(error.code(), "bad-reply", "{vectors}: {error}");
    }
    let without = LlmSettings {
        embedding_model: None,
        ..settings("http://127.0.0.1:9/v1")
    };
    assert_eq!(wait(client(&without).embed(&texts)), Err(LlmError::NoEmbeddingModel));
}
