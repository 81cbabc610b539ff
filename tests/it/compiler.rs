//! What Go's own analyses know of a package, and what the index knows of it.
//!
//! `oracles/go_truth` asks Go's type checker and four of its call graphs, `accuracy/go.py` compares; its head says what is counted and
//! what is left out. Larger modules take minutes and are compared by hand:
//!
//!     python3 tests/accuracy/go.py --ripple target/release/ripple syft --causes 5

use std::process::Command;

use serde_json::Value;

use crate::program;
use crate::support;

/// What is equal, place by place.
const EQUAL: &[&str] = &[
    "functions",
    "methods",
    "closures",
    "receivers' types",
    "receiver variables",
    "types",
    "fields",
    "types that implement",
    "interfaces that imply",
    "fields read",
    "fields write",
];

#[test]
fn cobra() {
    let Some(figures) = compare("cobra") else { return };
    for what in EQUAL {
        assert_equal(what, &figures[*what]);
    }
    for mode in ["fields read", "fields write"] {
        assert_eq!(count(&figures[mode], "in another function"), 0, "{mode}");
    }
    for unit in ["sites", "edges"] {
        let of = |graph: &str| &figures["calls"][graph][unit];
        assert_eq!(missed(of("static")), 0, "calls that the source names: {}", of("static"));
        assert_eq!(wrong(of("cha")), 0, "calls that cannot be: {}", of("cha"));
        // Nothing in this package is decided by what only the wider graphs suppose.
        assert_equal("calls, as values are followed", of("vta"));
    }
}

/// The figures of a package; nothing if there is no Go to ask.
fn compare(package: &str) -> Option<Value> {
    if Command::new("go").arg("version").output().is_err() {
        println!("skipped: Go is not installed, and its analyses are the other side of the comparison");
        return None;
    }
    let script = support::tests_folder().join("accuracy/go.py");
    let mut command = Command::new("python3");
    command.arg("-B").arg(script).arg("--json").arg(package);
    command.arg("--ripple").arg(program::binary());
    command.env("RIPPLE_TEST_DATA", support::test_data());
    let run = program::Run::of(&mut command).ok();
    let figures = run.json()["figures"].take();
    println!("{package}: {figures:#}");
    Some(figures)
}

#[track_caller]
fn assert_equal(what: &str, figure: &Value) {
    assert_eq!(
        (missed(figure), wrong(figure)),
        (0, 0),
        "missed and wrong {what}: {figure}"
    );
}

fn missed(figure: &Value) -> u64 {
    count(figure, "true") - count(figure, "both")
}

fn wrong(figure: &Value) -> u64 {
    count(figure, "ours") - count(figure, "both")
}

fn count(figure: &Value, what: &str) -> u64 {
    figure[what].as_u64().expect("a count")
}
