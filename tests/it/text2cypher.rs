//! The evaluation of Text2Cypher: gold queries still find what they are meant to find, and kept replies give the figures that they have to give.
//!
//! `eval/cypher/replies.jsonl` is what a model might say about the shop and cobra: mostly right, and wrong in the ways that models are: a label that does not
//! exist, a write, an edge the wrong way round, prose, no query, no answer.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Run, ripple, run};
use crate::scripted_llm::ScriptedLlm;
use crate::support::{test_data, tests_folder};

/// An index of the code that a suite asks about.
fn index(data: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let here = tests_folder().join(data);
    let source = match here.is_dir() {
        true => here,
        false => test_data().join(data),
    };
    run(
        folder.path(),
        &["index", "--quiet", "--index", "index", &source.display().to_string()],
    )
    .ok();
    folder
}

fn suite(name: &str) -> String {
    tests_folder().join("eval/cypher").join(name).display().to_string()
}

#[track_caller]
fn eval(folder: &TempDir, suite: &str, arguments: &[&str]) -> Value {
    let arguments = [
        &["eval", suite, "--index", "index", "--no-llm", "--format", "json"],
        arguments,
    ]
    .concat();
    run(folder.path(), &arguments).ok().json()[0].clone()
}

#[test]
fn kept_replies_give_the_figures_that_they_have_to_give() {
    let (shop, replies) = (index("projects/shop"), suite("replies.jsonl"));
    let report = eval(&shop, &suite("shop.toml"), &["--replay", &replies]);
    check(&report, SHOP, 22);
    let cobra = index("cobra");
    let report = eval(&cobra, &suite("cobra.toml"), &["--replay", &replies]);
    check(&report, COBRA, 28);
}

/// Numbers of questions: the first query is valid, a second one was asked for, it was right at last, the template answers, the answer is right.
struct Expected {
    valid: u64,
    second: u64,
    repaired: u64,
    fallback: u64,
    right: u64,
}

/// Not valid: a label that does not exist, a write (twice), a question declined, one without a reply. Repaired: the label, and an edge the wrong way round. Wrong in
/// the end: three queries that find other rows, the write and the question without a reply by their templates. The class without subclasses and the field that
/// nobody reads are right: nothing is found by anything.
const SHOP: Expected = Expected {
    valid: 18,
    second: 4,
    repaired: 2,
    fallback: 4,
    right: 17,
};

/// Not valid: a reserved word, prose without a query, an interface that the model says is not there (and the template says so too). Repaired: the first two, and an
/// edge the wrong way round. Wrong: names in place of qualified names, the target in place of what it leads to, and a type's methods where there are none.
const COBRA: Expected = Expected {
    valid: 25,
    second: 5,
    repaired: 3,
    fallback: 3,
    right: 25,
};

#[track_caller]
fn check(report: &Value, expected: Expected, questions: u64) {
    assert_eq!(report["wrong_gold"], json!([]));
    assert_eq!(report["model"], "example");
    let figures = &report["figures"];
    assert_eq!(figures["questions"], questions);
    let count = |name: &str| (figures[name].as_f64().expect("a share") * questions as f64).round() as u64;
    let found = [
        count("valid"),
        count("second"),
        count("repaired"),
        count("fallback"),
        count("accuracy"),
    ];
    let Expected {
        valid,
        second,
        repaired,
        fallback,
        right,
    } = expected;
    assert_eq!(found, [valid, second, repaired, fallback, right], "{report:#}");
    assert!(
        count("strict_accuracy") < right,
        "columns beside those of the gold do not make an answer wrong"
    );
    assert!(figures["prompt_tokens"].as_u64() > Some(60_000), "{figures}");
}

#[test]
fn without_a_model_the_templates_are_measured() {
    let shop = index("projects/shop");
    let report = eval(&shop, &suite("shop.toml"), &[]);
    assert_eq!((&report["model"], &report["wrong_gold"]), (&Value::Null, &json!([])));
    assert!(
        report["figures"]["template_accuracy"].as_f64() >= Some(0.27),
        "{report:#}"
    );
    assert_eq!(report["figures"]["prompt_tokens"], 0);
}

#[test]
fn what_a_model_says_is_kept_and_gives_the_same_again() {
    let shop = index("projects/shop");
    let model = ScriptedLlm::start(&json!([
        {"when": "Which type embeds Memory", "json": {"cypher": "MATCH (t:Type)-[:EMBEDS]->(:Type {name: 'Memory'}) RETURN t.name, t.qualified_name", "why": "w"}},
        {"when": "You write one Cypher query", "json": {"cypher": "MATCH (n:Nothing) RETURN n", "why": "w"}},
    ]));
    let arguments = [
        "eval",
        &suite("shop.toml"),
        "--index",
        "index",
        "--format",
        "json",
        "--record",
        "kept.jsonl",
    ];
    let mut command = ripple(shop.path(), &arguments);
    command.envs(model.environment());
    let asked = Run::of(&mut command).ok().json()[0].clone();
    assert_eq!(asked["model"], "scripted");
    assert!(
        (asked["figures"]["valid"].as_f64().expect("a share") * 22.0 - 1.0).abs() < 1e-9,
        "{asked:#}"
    );
    let again = eval(&shop, &suite("shop.toml"), &["--replay", "kept.jsonl"]);
    assert_eq!(asked, again);
}

#[test]
fn bad_suites_and_replies_are_refused() {
    let shop = index("projects/shop");
    let write = |name: &str, text: &str| std::fs::write(shop.path().join(name), text).expect("it is ours");
    write("empty.toml", "kind = \"cypher\"\nname = \"x\"\n");
    write("bad.jsonl", "{\"model\": \"m\"}\n");
    write(
        "wrong.toml",
        "kind = \"cypher\"\nname = \"x\"\n[[question]]\ntext = \"?\"\ncypher = \"MATCH (n:Nonsense) RETURN n\"\n",
    );
    let shop_suite = suite("shop.toml");
    let rooms = tests_folder().join("eval/shop.toml").display().to_string();
    for (arguments, said) in [
        (vec!["empty.toml"], "no question"),
        (vec![&shop_suite[..], "--replay", "bad.jsonl"], "bad.jsonl:1"),
        (vec![&shop_suite, "--replay", "nowhere.jsonl"], "nowhere.jsonl"),
        (vec![&shop_suite, "--record", "kept.jsonl"], "RIPPLE_MODEL"),
        (vec![&shop_suite, &rooms], "by themselves"),
    ] {
        let arguments = [&["eval", "--index", "index", "--no-llm"], &arguments[..]].concat();
        let run = run(shop.path(), &arguments);
        assert!(run.code != Some(0) && run.err.contains(said), "{arguments:?}: {run:?}");
    }
    let report = eval(&shop, "wrong.toml", &[]);
    assert!(
        report["wrong_gold"][0]
            .as_str()
            .is_some_and(|text| text.contains("Nonsense")),
        "{report:#}"
    );
}
