//! Retrieval from outside, over the sample shop and small folders: what is found and by whom, filters, typos, bad input, a model that is not
//! there, votes, answered questions, structures, the history of files.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::program::{Run, Server, column, indexed, ripple, rows, run};
use crate::support::{folder_of, tests_folder};

/// An index of the sample shop, made once; it lies outside of the shop.
pub fn shop() -> &'static Path {
    static SHOP: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = SHOP.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = tests_folder().join("projects/shop");
        let root = root.to_str().expect("the project's path is UTF-8");
        run(folder.path(), &["index", root, "--index", "index"]).ok();
        folder
    });
    folder.path()
}

#[track_caller]
pub fn search(folder: &Path, arguments: &[&str]) -> Value {
    let index = if folder == shop() {
        &["--index", "index"][..]
    } else {
        &[]
    };
    let arguments = [&["search", "--format", "json"], index, arguments].concat();
    run(folder, &arguments).ok().json()
}

/// Qualified names of the hits, the best first.
#[track_caller]
pub fn names(answer: &Value) -> Vec<String> {
    let hits = answer["hits"].as_array().expect("an answer has hits");
    let name = |hit: &Value| hit["node"]["qualified_name"].as_str().map(str::to_owned);
    hits.iter().filter_map(name).collect()
}

#[track_caller]
fn found(arguments: &[&str], wanted: &str, among: usize) -> Value {
    let answer = search(shop(), arguments);
    let names = names(&answer);
    assert!(
        names.iter().take(among).any(|name| name == wanted),
        "{wanted} is not among {names:#?}"
    );
    answer
}

#[test]
fn questions_find_what_they_are_about() {
    found(
        &["shipping cost by country"],
        "example.com/shop/api/service.shippingCost",
        3,
    );
    found(&["the domain of a mail address"], "pipeline.address.domain_of", 3);
    found(&["RiskModel.score"], "pipeline.model.RiskModel.score", 1);
    let answer = found(&["email_domain"], "pipeline.features.email.email_domain", 1);
    let first = &answer["hits"][0];
    assert_eq!(
        (&first["file"], &first["line"]),
        (&json!("pipeline/features/email.py"), &first["node"]["line"])
    );
    assert!(
        first["excerpt"]
            .as_str()
            .is_some_and(|text| text.contains("def email_domain")),
        "{first}"
    );
    let sources = first["sources"].as_array().expect("a hit says who found it");
    assert!(
        sources
            .iter()
            .any(|finding| finding["source"] == "name" && finding["rank"] == 1),
        "{first}"
    );
    assert!(sources.iter().all(|finding| finding["score"].is_number()), "{first}");
}

#[test]
fn a_typed_name_comes_first() {
    let code = "class Order:
    def total(self): return 1
    def total_tax(self): return total_order(self)

def total_order(order):
    '''The total of an order: total, total, total.'''
    return order.total()

ORDER = Order()

def reorder(order): return order
";
    let folder = indexed([("shop.py", code)]);
    let first = |question: &str, wanted: &[&str]| {
        let names = names(&search(folder.path(), &[question]));
        assert_eq!(
            names.iter().take(wanted.len()).collect::<Vec<_>>(),
            wanted,
            "{question}"
        );
    };
    // Just so, then in another case.
    first("Order", &["shop.Order", "shop.ORDER"]);
    first("ORDER", &["shop.ORDER", "shop.Order"]);
    // Then those that begin so, the shortest first.
    first(
        "total",
        &["shop.Order.total", "shop.Order.total_tax", "shop.total_order"],
    );
    first("tot", &["shop.Order.total", "shop.Order.total_tax", "shop.total_order"]);
    first("total_o", &["shop.total_order"]);
    first("order.tot", &["shop.Order.total", "shop.Order.total_tax"]);
    first("shop.Order.total_t", &["shop.Order.total_tax"]);
    first("total_order()", &["shop.total_order"]);
    let server = Server::start(folder.path(), &[], &[]);
    let reply = server.post("/api/v1/search", &[], &json!({"query": "total_ta"}).to_string());
    assert_eq!(
        names(&reply.json()).first().map(String::as_str),
        Some("shop.Order.total_tax")
    );
}

#[test]
fn typos_are_forgiven() {
    found(&["emial_domain"], "pipeline.features.email.email_domain", 3);
    found(&["shipingCost"], "example.com/shop/api/service.shippingCost", 3);
    found(&["RiskModle.contribution"], "pipeline.model.RiskModel.contribution", 5);
}

#[test]
fn filters_hold_for_every_hit() {
    let every = |arguments: &[&str], holds: &dyn Fn(&Value) -> bool| {
        let arguments = [&["email address of a customer", "--limit", "30"], arguments].concat();
        let answer = search(shop(), &arguments);
        let hits = answer["hits"].as_array().expect("an answer has hits");
        assert!(!hits.is_empty(), "{arguments:?}");
        for hit in hits {
            assert!(holds(hit), "{arguments:?}: {hit}");
        }
    };
    every(&["--kind", "Field"], &|hit| hit["node"]["label"] == "Field");
    every(&["--kind", "method"], &|hit| hit["node"]["kind"] == "method");
    every(&["--lang", "go"], &|hit| {
        hit["file"].as_str().is_some_and(|file| file.ends_with(".go"))
    });
    every(&["--path", "pipeline/features"], &|hit| {
        hit["file"]
            .as_str()
            .is_some_and(|file| file.starts_with("pipeline/features/"))
    });
    every(&["--path", "**/*_test.go"], &|hit| {
        hit["file"].as_str().is_some_and(|file| file.ends_with("_test.go"))
    });
    every(&["--tag", "ml-feature"], &|hit| {
        hit["node"]["tags"]
            .as_array()
            .is_some_and(|tags| tags.contains(&json!("ml-feature")))
    });
    every(&["--no-tests"], &|hit| hit["node"]["test"] == json!(false));
    every(&["--package", "pipeline.features"], &|hit| {
        hit["node"]["qualified_name"]
            .as_str()
            .is_some_and(|name| name.starts_with("pipeline.features"))
    });
    let nothing = search(shop(), &["email", "--kind", "nonsense"]);
    assert_eq!(nothing["hits"], json!([]));
    assert_eq!(
        nothing["notes"],
        json!(["nothing in the index is of the kind `nonsense`"])
    );
    let together = search(
        shop(),
        &["email", "--kind", "Field", "--lang", "go", "--path", "pipeline"],
    );
    let note = "nothing in the index passes all of the filter together";
    assert_eq!((&together["hits"], &together["notes"]), (&json!([]), &json!([note])));
}

#[test]
fn a_filter_works_within_the_search() {
    // The best hits for these words lie elsewhere: a filter after the search would leave none.
    let answer = search(shop(), &["email_domain", "--path", "api/store", "--limit", "5"]);
    assert_eq!(names(&answer).len(), 5, "{answer:#}");
}

#[test]
fn structures_are_found() {
    let folder = indexed([
        (
            "a.py",
            "import json\n\ndef one(body):\n    return json.loads(body)\n\ndef two(body):\n    return body\n",
        ),
        (
            "b.go",
            "package b\n\nfunc Three() {\n\tdefer done()\n}\n\nfunc done() {}\n",
        ),
    ]);
    let hits = |pattern: &str| names(&search(folder.path(), &["--pattern", pattern]));
    assert_eq!(hits("python:json.loads($X)").first().map(String::as_str), Some("a.one"));
    assert_eq!(
        hits("go:defer $F()").first().map(|name| name.ends_with("Three")),
        Some(true)
    );
    let said = |arguments: &[&str], what: &str| {
        run(folder.path(), &[&["search"], arguments].concat()).ended(2, what);
    };
    said(&["--pattern", "python:def ("], "pattern `def (`");
    said(&["--pattern", "json.loads($X)"], "which language");
    said(&[], "the question is empty");
}

#[test]
fn any_question_is_answered() {
    let long = "where is the order ".repeat(5300);
    assert!(long.len() > 100_000);
    for question in [
        "x",
        "?",
        "где почта",
        "注文はどこ",
        "\u{202e}",
        &long,
        "' OR 1=1 --",
        "***",
        "a.b.c.d.e",
    ] {
        if question.is_empty() {
            continue;
        }
        let answer = search(shop(), &[question]);
        assert!(answer["hits"].is_array(), "{question}");
    }
    let notes = search(shop(), &[&long])["notes"].to_string();
    assert!(notes.contains("the first 8192 were looked at"), "{notes}");
}

#[test]
fn nothing_to_find_is_no_error() {
    let empty = indexed([]);
    let answer = search(empty.path(), &["anything"]);
    assert_eq!(answer["hits"], json!([]));
    assert!(answer["notes"].to_string().contains("holds nothing"), "{answer}");
    let broken = indexed([("broken.py", "def (:\n")]);
    search(broken.path(), &["anything"]);
}

#[test]
fn an_index_without_search_says_so() {
    let folder = folder_of([("a.py", "def f(): pass\n")]);
    run(folder.path(), &["index", "--no-search"]).ok();
    run(folder.path(), &["search", "f"]).ended(2, "--no-search");
    assert!(!column(folder.path(), "MATCH (f:Function {name: 'f'}) RETURN f.name").is_empty());
}

#[test]
fn a_model_that_cannot_be_used_is_told_before_the_work() {
    let folder = indexed([("a.py", "def total(order): pass\n")]);
    let wrong = |files: &[(&str, &str)], said: &str| {
        let model = folder_of(files.iter().copied());
        let place = model.path().to_str().expect("UTF-8");
        run(folder.path(), &["index", "--embedder", place]).ended(9, said);
        run(folder.path(), &["search", "total", "--embedder", place]).ended(9, said);
    };
    wrong(&[], "config.json");
    wrong(&[("config.json", "{")], "config.json");
    wrong(&[("config.json", "{}")], "tokenizer.json");
    let truncated = [
        ("config.json", "{}"),
        ("tokenizer.json", "{}"),
        ("model.safetensors", "short"),
    ];
    wrong(&truncated, "cannot be used");
    wrong(
        &[
            ("config.json", "{\"num_hidden_layers\": 2}"),
            ("tokenizer.json", "{}"),
            ("model.safetensors", ""),
        ],
        "config.json",
    );
    // The index from before is as it was.
    assert_eq!(
        names(&search(folder.path(), &["total"])).first().map(String::as_str),
        Some("a.total")
    );
}

/// A static model of four words and two dimensions.
fn tiny_model(folder: &Path, third: f32) {
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "total": 1, "order": 2, "sum": 3}, "unk_token": "[UNK]"},
    });
    let numbers: [f32; 8] = [0.1, 0.1, 1.0, 0.0, 0.0, third, 0.9, 0.1];
    let head = json!({"embeddings": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]}}).to_string();
    let mut model = (head.len() as u64).to_le_bytes().to_vec();
    model.extend(head.bytes());
    model.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    fs::create_dir_all(folder).expect("it can be made");
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).expect("it can be written");
    fs::write(folder.join("model.safetensors"), model).expect("it can be written");
    fs::write(folder.join("config.json"), "{\"normalize\": true}").expect("it can be written");
}

#[test]
fn another_model_is_refused_and_a_missing_one_leaves_full_text() {
    let folder = folder_of([("a.py", "def total(order): pass\n")]);
    let (own, other) = (folder.path().join("models/own"), folder.path().join("models/other"));
    tiny_model(&own, 1.0);
    tiny_model(&other, 0.5);
    run(folder.path(), &["index", "--embedder", "models/own"]).ok();
    let answer = search(folder.path(), &["total"]);
    assert_eq!(answer["notes"], json!([]));
    assert!(
        answer["hits"][0]["sources"].to_string().contains("\"vector\""),
        "{answer:#}"
    );
    run(folder.path(), &["search", "total", "--embedder", "models/other"]).ended(9, "not by other");
    // In its place, another one: the search goes on without vectors, and says so.
    fs::copy(other.join("model.safetensors"), own.join("model.safetensors")).expect("it can be copied");
    let answer = search(folder.path(), &["total"]);
    assert_eq!(names(&answer).first().map(String::as_str), Some("a.total"));
    assert!(
        answer["notes"].to_string().contains("vectors were not searched"),
        "{answer}"
    );
    assert!(
        !answer["hits"][0]["sources"].to_string().contains("\"vector\""),
        "{answer:#}"
    );
    fs::remove_dir_all(&own).expect("it can be removed");
    let answer = search(folder.path(), &["total"]);
    assert!(answer["notes"].to_string().contains("config.json"), "{answer}");
}

#[test]
fn documents_are_found_when_asked_for() {
    let folder = indexed([
        ("a.py", "def f(): pass\n"),
        (
            "README.md",
            "# Install\n\nrun the installer\n\n# Backups\n\nCopies are rotated weekly.\n",
        ),
    ]);
    let answer = search(folder.path(), &["how are copies rotated", "--kind", "document"]);
    let first = &answer["hits"][0];
    assert_eq!(
        (&first["file"], &first["line"], &first["node"]),
        (&json!("README.md"), &json!(5), &json!(null))
    );
    assert!(
        first["excerpt"]
            .as_str()
            .is_some_and(|text| text.contains("rotated weekly")),
        "{first}"
    );
}

#[test]
fn answered_questions_come_with_their_answers() {
    let faq = "[[entry]]\nquestion = \"Why are parcels late?\"\nanswer = \"Because of the weather.\"\nfiles = [\"late.py\"]\n";
    let folder = indexed([
        ("a.py", "def f(): pass\n"),
        ("late.py", "def g(): pass\n"),
        ("faq.toml", faq),
    ]);
    let answer = search(folder.path(), &["why are my parcels so late"]);
    assert_eq!(answer["faq"][0]["answer"], "Because of the weather.");
    let first = names(&answer).into_iter().next().unwrap_or_default();
    assert!(first.starts_with("late"), "{answer:#}");
    assert_eq!(search(folder.path(), &["what is f"])["faq"], json!([]));
    fs::write(folder.path().join("faq.toml"), "[[entry]]\nquestion = 3\n").expect("it can be written");
    let answer = search(folder.path(), &["f"]);
    assert!(
        answer["notes"].to_string().contains("faq.toml was left out"),
        "{answer}"
    );
}

#[test]
fn the_server_searches_and_keeps_votes() {
    let folder = indexed([
        (
            "a.py",
            "def parse_order(text): pass\n\ndef parse_order_line(text): pass\n",
        ),
        ("b.py", "def parse_orders(text): pass\n"),
    ]);
    let server = Server::start(folder.path(), &[], &[]);
    let ask = |body: Value| server.post("/api/v1/search", &[], &body.to_string());
    let question = json!({"query": "parse the order"});
    let reply = ask(question.clone());
    assert_eq!(reply.status, 200, "{}", reply.body);
    let before = names(&reply.json());
    let last = reply.json()["hits"]
        .as_array()
        .and_then(|hits| hits.last().cloned())
        .expect("there are hits");
    let (id, name) = (
        last["node"]["id"].clone(),
        before.last().cloned().expect("there are names"),
    );
    let place = |names: &[String]| names.iter().position(|known| *known == name);
    assert!(place(&before) > Some(0), "{before:?}");
    let vote = |node: &Value, vote: i64| {
        let body = json!({"question": "parse the order", "node": node, "vote": vote});
        server.post("/api/v1/feedback", &[], &body.to_string())
    };
    let stored = vote(&id, 1);
    assert_eq!(
        (stored.status, stored.json()),
        (200, json!({"stored": 1})),
        "{}",
        stored.body
    );
    let after = names(&ask(question.clone()).json());
    assert!(place(&after) < place(&before), "{before:?} {after:?}");
    assert_eq!(vote(&id, 1).json(), json!({"stored": 2}));
    for (node, value) in [(json!(1), 1), (id.clone(), 0), (id, 5)] {
        assert_eq!(vote(&node, value).status, 400, "{node} {value}");
    }
    // A line that is no vote is told; the others count.
    let path = folder.path().join(".ripple/feedback.jsonl");
    let kept = fs::read_to_string(&path).expect("votes are kept");
    fs::write(&path, format!("{kept}garbage\n")).expect("it can be written");
    run(folder.path(), &["index"]).ok();
    let answer = search(folder.path(), &["parse the order"]);
    assert!(place(&names(&answer)) < place(&before), "a new index keeps votes");
    assert!(
        answer["notes"].to_string().contains("1 lines of feedback.jsonl"),
        "{answer}"
    );
}

#[test]
fn the_server_refuses_what_makes_no_sense() {
    let folder = indexed([("a.py", "def total(): pass\n")]);
    let server = Server::start(folder.path(), &[], &[]);
    let status = |body: Value| server.post("/api/v1/search", &[], &body.to_string()).status;
    assert_eq!(status(json!({"query": ""})), 400);
    assert_eq!(status(json!({"query": "f", "paths": ["a["]})), 400);
    assert_eq!(status(json!({"query": "f", "sources": ["oracle"]})), 400);
    assert_eq!(status(json!({"query": "f", "unknown": 1})), 400);
    assert_eq!(status(json!({"query": "f", "limit": 1_000_000})), 200);
    assert_eq!(
        status(json!({"query": "f", "pattern": {"language": "cobol", "pattern": "x"}})),
        400
    );
    let reply = server.post(
        "/api/v1/search",
        &[],
        &json!({"query": "total", "sources": ["name"]}).to_string(),
    );
    let sources = reply.json()["hits"][0]["sources"].clone();
    assert_eq!(sources.as_array().map(Vec::len), Some(1), "{sources}");
}

#[test]
fn files_that_change_together_are_linked() {
    let folder = folder_of([
        ("a.py", "def f(): pass\n"),
        ("b.py", "def g(): pass\n"),
        ("c.py", "def h(): pass\n"),
    ]);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(folder.path()).args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "-c",
            "commit.gpgsign=false",
        ]);
        let output = command.args(arguments).output().expect("git is there");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    git(&["init", "--quiet"]);
    for (round, files) in [["a.py", "b.py"], ["a.py", "b.py"], ["a.py", "c.py"]]
        .iter()
        .enumerate()
    {
        for file in files {
            let text = fs::read_to_string(folder.path().join(file)).expect("it is there");
            fs::write(folder.path().join(file), format!("{text}x{round} = 1\n")).expect("it can be written");
        }
        git(&[&["add"], &files[..]].concat());
        git(&["commit", "--quiet", "-m", "change"]);
    }
    run(folder.path(), &["index"]).ok();
    let query = "MATCH (a:File)-[e:CO_CHANGED]->(b:File) RETURN a.name, b.name, e.line, e.col ORDER BY a.name";
    assert_eq!(
        rows(folder.path(), query),
        json!([["a.py", "b.py", 2, 3], ["b.py", "a.py", 2, 2]])
    );
}

#[test]
fn a_damaged_search_file_is_named() {
    let folder = indexed([("a.py", "def f(): pass\n")]);
    let name = fs::read_to_string(folder.path().join(".ripple/CURRENT")).expect("there is an index");
    let search = folder
        .path()
        .join(".ripple/generations")
        .join(name.trim())
        .join("search");
    for file in ["vectors.bin", "words.bin", "chunks.bin", "nodes.bin"] {
        let path = search.join(file);
        let whole = fs::read(&path).expect("it is there");
        for damaged in [&whole[..whole.len() / 2], b"", b"\xff\xff\xff\xff\xff\xff\xff\xff"] {
            fs::write(&path, damaged).expect("it can be written");
            let ended = Run::of(&mut ripple(folder.path(), &["search", "f"]));
            assert!(matches!(ended.code, Some(3 | 7)), "{file}: {ended:#?}");
            assert!(ended.err.contains(file), "{file}: {ended:#?}");
        }
        fs::write(&path, whole).expect("it can be written");
    }
    // What is asked of the graph does not need them.
    fs::write(search.join("nodes.bin"), "").expect("it can be written");
    assert!(!column(folder.path(), "MATCH (f:Function {name: 'f'}) RETURN f.name").is_empty());
}

#[test]
fn a_suite_is_measured() {
    let suite = tests_folder().join("eval/shop.toml");
    let suite = suite.to_str().expect("UTF-8");
    let report = run(shop(), &["eval", suite, "--index", "index", "--format", "json"])
        .ok()
        .json();
    let figures = &report[0]["stages"]["whole"]["symbols"];
    assert_eq!(
        (&report[0]["suite"], &report[0]["unknown"]),
        (&json!("shop"), &json!([]))
    );
    let recall = figures["recall_10"].as_f64().expect("a figure");
    let candidates = report[0]["stages"]["candidates"]["symbols"]["recall"]
        .as_f64()
        .expect("a figure");
    // Not a target: that the pipeline is joined up at all.
    assert!(recall > 0.5 && recall <= candidates && candidates <= 1.0, "{report:#}");
    let refused = |text: &str, said: &str| {
        let folder = folder_of([("suite.toml", text)]);
        let path = folder.path().join("suite.toml");
        run(shop(), &["eval", path.to_str().expect("UTF-8"), "--index", "index"]).ended(2, said);
    };
    refused(
        "name = 'x'\nhalf = 'middle'\n[[question]]\ntext = 'a'\nsymbols = ['b']\n",
        "not `middle`",
    );
    refused("name = 'x'\nhalf = 'test'\n", "no question");
    refused("name = 'x'\nhalf = 'test'\n[[question]]\ntext = 'a'\n", "no symbol");
    let learned = shop().join("weights.txt");
    let learned = learned.to_str().expect("UTF-8");
    for what in ["--learn", "--candidates"] {
        run(shop(), &["eval", suite, "--index", "index", what, learned]).ended(2, "nothing is learned from it");
    }
}

#[test]
fn candidates_of_the_training_half_are_written_for_learning() {
    let text = "name = 'own'\nhalf = 'train'\n[[question]]\ntext = 'mail domain'\nsymbols = ['pipeline.features.email.email_domain']\n";
    let folder = folder_of([("suite.toml", text)]);
    let (suite, file) = (folder.path().join("suite.toml"), folder.path().join("candidates.bin"));
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    run(
        shop(),
        &["eval", &path(&suite), "--index", "index", "--candidates", &path(&file)],
    )
    .ok();
    let written = fs::read(&file).expect("it was written");
    let end = written.iter().position(|byte| *byte == b'\n').expect("a line");
    let head: Value = serde_json::from_slice(&written[..end]).expect("JSON");
    let width = 1 + head["features"].as_array().expect("names").len();
    let about = &head["questions"][0];
    assert_eq!((&about["suite"], &about["symbols"]), (&json!("own"), &json!(1)));
    let numbers: Vec<f32> = written[end + 1..]
        .chunks(4)
        .map(|four| f32::from_le_bytes(four.try_into().expect("four bytes")))
        .collect();
    let rows: Vec<&[f32]> = numbers.chunks(width).collect();
    assert_eq!(about["candidates"].as_u64(), Some(rows.len() as u64));
    assert!(numbers.len().is_multiple_of(width) && numbers.iter().all(|number| number.is_finite()));
    assert_eq!(
        rows.iter().filter(|row| row[0] == 1.0).count(),
        1,
        "one of them is right"
    );
}

#[test]
fn the_graph_over_the_vectors_finds_what_exact_search_finds() {
    let report = run(
        shop(),
        &["eval", "--vectors", "200", "--index", "index", "--format", "json"],
    )
    .ok()
    .json();
    assert!(
        report["recall_10"].as_f64().is_some_and(|recall| recall >= 0.97),
        "{report}"
    );
}
