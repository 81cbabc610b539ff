//! How code is organised, and the questions that an index can answer: from real indexes, at every door.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Server, indexed, ripple, run};
use crate::scripted_llm::ScriptedLlm;
use crate::support::{folder_of, tests_folder};

/// The sample shop, indexed in a folder of its own.
fn shop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&tests_folder().join("projects/shop"), folder.path());
    run(folder.path(), &["index"]).ok();
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("the project is there") {
        let path = entry.expect("the project can be read").path();
        let there = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &there);
        } else {
            std::fs::copy(&path, there).expect("a file can be copied");
        }
    }
}

/// An index of a folder that holds no source.
fn nothing() -> tempfile::TempDir {
    let folder = folder_of([("README.md", "# Nothing\n")]);
    run(folder.path(), &["index"]).ok();
    folder
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name]
        .as_array()
        .unwrap_or_else(|| panic!("no list {name}: {value}"))
}

#[test]
fn the_shop_falls_into_its_parts() {
    let folder = shop();
    let found = run(folder.path(), &["communities", "--format", "json"]).ok().json();
    let communities = list(&found, "communities");
    let whole: Vec<&Value> = communities.iter().filter(|community| community["level"] == 0).collect();
    assert!((2..=8).contains(&whole.len()), "{found:#}");
    // The service and the pipeline share nothing but wire keys: no part holds code of both in its middle.
    for community in communities {
        let files = list(community, "top")
            .iter()
            .map(|node| node["file"].as_str().unwrap_or_default());
        let sides: std::collections::BTreeSet<&str> = files.filter_map(|file| file.split('/').next()).collect();
        assert_eq!(sides.len(), 1, "{community:#}");
        assert!(community["size"].as_u64() >= Some(3), "{community:#}");
        assert!(
            !community["name"].as_str().unwrap_or_default().is_empty(),
            "{community:#}"
        );
        assert!(
            community["summary"].as_str().unwrap_or_default().contains(" in "),
            "{community:#}"
        );
        for node in list(community, "top") {
            assert_eq!(
                (&node["test"], node["kind"] == "initializer"),
                (&json!(false), false),
                "{node}"
            );
        }
    }
    let of_size: u64 = whole.iter().filter_map(|community| community["size"].as_u64()).sum();
    assert!(of_size <= found["members"].as_u64().unwrap_or(0), "{found:#}");
    // A part of a part has its whole before it, and is smaller.
    for (place, community) in communities.iter().enumerate() {
        if let Some(parent) = community["parent"].as_u64() {
            let parent = &communities[usize::try_from(parent).expect("it is small")];
            assert!(communities[..place].contains(parent) && parent["size"].as_u64() > community["size"].as_u64());
        }
    }
    // Someone uses someone.
    assert!(
        whole.iter().any(|community| !list(community, "links").is_empty()),
        "{found:#}"
    );
}

#[test]
fn every_door_tells_the_same_communities() {
    let folder = shop();
    let server = Server::start(folder.path(), &[], &[]);
    let over_http = server.get("/api/v1/communities", &[]);
    assert_eq!(over_http.status, 200, "{}", over_http.body);
    let printed = run(folder.path(), &["communities", "--format", "json"]).ok().json();
    assert_eq!(over_http.json(), printed);
    let one = server.get("/api/v1/communities?limit=1", &[]).json();
    assert_eq!(list(&one, "communities").len(), 1);
    assert_eq!(one["found"], printed["found"]);
    server
        .get("/api/v1/communities?limit=-1", &[])
        .failed(400, "bad_request");
    server.get("/api/v1/communities?size=1", &[]).failed(400, "bad_request");
    for path in ["/api/v1/communities", "/api/v1/examples"] {
        assert!(
            server.get("/openapi.json", &[]).json()["paths"][path]["get"].is_object(),
            "{path}"
        );
    }
    // Building again gives the same.
    run(folder.path(), &["index"]).ok();
    assert_eq!(
        run(folder.path(), &["communities", "--format", "json"]).ok().json(),
        printed
    );
}

#[test]
fn text_and_markdown_tell_the_largest() {
    let folder = shop();
    let markdown = run(folder.path(), &["communities", "--format", "markdown", "--limit", "1"])
        .ok()
        .out;
    assert!(markdown.contains("**1. ") && !markdown.contains("**2. "), "{markdown}");
    // Citations lead to lines that are there.
    let citations: Vec<&str> = markdown
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    assert!(!citations.is_empty(), "{markdown}");
    for citation in citations {
        let (file, line) = citation.rsplit_once(':').expect("file:line");
        let text = std::fs::read_to_string(folder.path().join(file)).expect(citation);
        assert!(
            line.parse().is_ok_and(|line: usize| line <= text.lines().count()),
            "{citation}"
        );
    }
    let text = run(folder.path(), &["communities"]).ok().out;
    assert!(text.contains("functions") && text.lines().count() > 4, "{text}");
}

#[test]
fn an_empty_repository_has_no_parts_and_no_questions() {
    let folder = nothing();
    let found = run(folder.path(), &["communities", "--format", "json"]).ok().json();
    assert_eq!(found, json!({"communities": [], "found": 0, "members": 0}));
    let text = run(folder.path(), &["communities"]).ok().out;
    assert!(text.contains("no function and no type"), "{text}");
    let server = Server::start(folder.path(), &[], &[]);
    assert_eq!(server.get("/api/v1/communities", &[]).json(), found);
    assert_eq!(server.get("/api/v1/examples", &[]).json(), json!({"questions": []}));
    run(folder_of([("a.py", "")]).path(), &["communities"]).ended(3, "no index");
}

/// The name in backticks, and the operation that the question's first words mean.
fn asked(question: &str) -> Option<(&'static str, Value)> {
    let operation = [
        ("If a client", "impact"),
        ("Who calls", "callers"),
        ("Who writes", "readers_writers"),
        ("What implements", "implementations"),
        ("What is the hierarchy", "hierarchy"),
        ("Which tests", "tests_for"),
        ("What does", "callees"),
        ("What is `", "explain"),
    ];
    let (_, operation) = operation.into_iter().find(|(words, _)| question.starts_with(words))?;
    let mut names = question.split('`').skip(1).step_by(2);
    let name = names.next()?;
    let target = if question.contains("the key") {
        format!("key:{name}")
    } else {
        name.to_owned()
    };
    let mut parameters = json!({"target": target});
    if let Some(tag) = names.next() {
        parameters["tag"] = json!(tag);
    }
    Some((operation, parameters))
}

#[test]
fn every_example_has_an_answer() {
    let folder = shop();
    let server = Server::start(folder.path(), &[], &[]);
    let examples = server.get("/api/v1/examples", &[]);
    assert_eq!(examples.status, 200, "{}", examples.body);
    let examples = examples.json();
    let questions: Vec<&str> = list(&examples, "questions").iter().filter_map(Value::as_str).collect();
    assert!((6..=10).contains(&questions.len()), "{questions:#?}");
    assert!(
        questions.iter().any(|question| question.contains("ml-feature")),
        "{questions:#?}"
    );
    assert!(
        questions.iter().any(|question| question.contains("this code")),
        "{questions:#?}"
    );
    for question in questions.iter().filter(|question| !question.contains("this code")) {
        let (operation, parameters) = asked(question).unwrap_or_else(|| panic!("{question}"));
        let answer = server.post(&format!("/api/v1/operations/{operation}"), &[], &parameters.to_string());
        assert_eq!(answer.status, 200, "{question}: {}", answer.body);
        assert!(
            !list(&answer.json(), "results").is_empty(),
            "{question}: {}",
            answer.body
        );
    }
}

#[test]
fn names_that_cannot_stand_in_a_sentence_are_not_asked_for() {
    let folder = indexed([(
        "a.py",
        "def read(d):\n    return d['two words'], d[\"`tick`\"], d['<b>']\n\ndef use(d):\n    return read(d)\n",
    )]);
    let server = Server::start(folder.path(), &[], &[]);
    let examples = server.get("/api/v1/examples", &[]).json();
    for question in list(&examples, "questions").iter().filter_map(Value::as_str) {
        for odd in ["two words", "tick", "<b>"] {
            assert!(!question.contains(odd), "{question}");
        }
    }
}

#[test]
fn a_model_summarises_once() {
    let folder = shop();
    let reply = json!({"summaries": [
        {"id": 0, "summary": "Takes orders\nover HTTP."},
        {"id": 1, "summary": ""},
        {"id": 999, "summary": "There is no such part."},
    ]});
    let model = ScriptedLlm::start(&json!([{"when": "part of the code is for", "json": reply}]));
    let ask = || {
        let mut command = ripple(folder.path(), &["communities", "--format", "json"]);
        crate::program::Run::of(command.envs(model.environment())).ok().json()
    };
    let found = ask();
    let communities = list(&found, "communities");
    assert_eq!(
        (&communities[0]["summary"], &communities[0]["by_model"]),
        (&json!("Takes orders over HTTP."), &json!(true))
    );
    assert_eq!(
        communities[1]["by_model"], false,
        "an empty summary is none: {}",
        communities[1]
    );
    let requests = model.requests();
    assert_eq!(requests.len(), 1, "one request for all of them");
    let prompt = requests[0]["body"]["messages"][0]["content"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(
        prompt.contains("<data>") && prompt.contains("## 0") && prompt.contains("## 1"),
        "{prompt}"
    );
    // What has a summary is not asked for again, and is shown without a model too.
    ask();
    let second = model.requests()[1]["body"]["messages"][0]["content"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(!second.contains("## 0\n") && second.contains("## 1\n"), "{second}");
    let without = run(folder.path(), &["communities", "--format", "json"]).ok().json();
    assert_eq!(without["communities"][0]["summary"], "Takes orders over HTTP.");
    // A new index of the same code keeps it.
    run(folder.path(), &["index"]).ok();
    let server = Server::start(folder.path(), &[], &[]);
    assert_eq!(
        server.get("/api/v1/communities", &[]).json()["communities"][0]["by_model"],
        true
    );
}

#[test]
fn a_model_that_fails_changes_nothing() {
    let folder = shop();
    let without = run(folder.path(), &["communities", "--format", "json"]).ok();
    for script in [
        json!([{"status": 401}]),
        json!([{"text": "I had rather not."}]),
        json!([{"json": {"summaries": 7}}]),
    ] {
        let model = ScriptedLlm::start(&script);
        let mut command = ripple(folder.path(), &["communities", "--format", "json"]);
        let with = crate::program::Run::of(command.envs(model.environment())).ok();
        assert_eq!(with.out, without.out, "{script}");
        assert_eq!(model.requests().len(), 1);
    }
}
