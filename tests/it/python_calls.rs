//! Real Python packages: the calls that their own tests execute, found in the graph.
//!
//! `accuracy/python/calls.py` runs the tests under a tracer and compares; it says what counts as a call and prints what is missed. Here
//! its figures are held to what was measured: the share found may rise, and then the bound rises with it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::counts::test_data;
use crate::{program, support};

#[derive(Debug, Deserialize)]
struct Study {
    executed: Executed,
}

#[derive(Debug, Deserialize)]
struct Executed {
    /// Of the calls that were executed between functions of the package, the share that is in the graph.
    recall: f64,
    executed: u64,
    /// What is missed, by cause.
    missed: BTreeMap<String, u64>,
    /// Verdicts on the callers of what was called by a function that is not among them.
    told: BTreeMap<String, u64>,
}

#[test]
fn rich() {
    check("rich", (0.97, 2), 2000);
}

#[test]
fn click() {
    check("click", (0.96, 0), 600);
}

#[test]
fn jinja2() {
    check("jinja2", (0.97, 3), 1800);
}

/// At least that share of the executed calls is in the graph, and no fewer were executed than when it was measured. Of answers that lack a caller, so
/// many at most call themselves complete.
fn check(package: &str, (bound, wrong): (f64, u64), calls: u64) {
    let data = test_data(package);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let report = folder.path().join("report.json");
    let mut command = Command::new("python3");
    command.arg(support::tests_folder().join("accuracy/python/calls.py"));
    command.args(["--only", "executed", "--package", package]);
    command
        .arg("--ripple")
        .arg(program::binary())
        .arg("--json")
        .arg(&report);
    command.env("RIPPLE_TEST_DATA", data.parent().unwrap_or(Path::new(".")));
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    print!("{}", String::from_utf8_lossy(&output.stdout));
    let text = std::fs::read_to_string(&report).expect("it wrote a report");
    let mut studies: BTreeMap<String, Study> = serde_json::from_str(&text).expect("the report is JSON");
    let found = studies.remove(package).expect("the package is in it").executed;
    assert!(
        found.executed >= calls,
        "{package}: only {} calls were executed",
        found.executed
    );
    assert!(
        found.recall >= bound,
        "{package}: {:.3} of the executed calls are in the graph, not {bound}: {:#?}",
        found.recall,
        found.missed
    );
    let complete = found.told.get("complete").copied().unwrap_or(0);
    assert!(
        complete <= wrong,
        "{package}: {complete} answers that lack a caller say that they are complete, not {wrong}: {:?}",
        found.told
    );
}
