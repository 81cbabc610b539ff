//! The command line from outside: formats that real parsers read, pipes, stdin, several roots, the work tree, exit codes.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{Run, binary, column, indexed, ripple, rows, run};
use crate::support::folder_of;

const BILL: (&str, &str) = (
    "shop/bill.py",
    "def bill(price, count):\n    total = price * count\n    return total\n",
);

/// One row with a value of every kind.
const EVERY_KIND: &str = "MATCH p = (f:Function {name: 'bill', kind: 'function'})-[e:CONTAINS]->(v:Variable {name: 'price'}) \
    RETURN f, e, p, [1, 2] AS list, {a: 1, b: 'x, \"y\"'} AS map, null AS empty, true AS yes, 1.5 AS half, 7 AS seven, $text AS text";

const TEXT: &str = "a,\"b\"\nc\té";

fn every_kind(format: &str) -> String {
    let folder = indexed([BILL]);
    run(
        folder.path(),
        &[
            "cypher",
            "--format",
            format,
            "--param",
            &format!("text={}", json!(TEXT)),
            EVERY_KIND,
        ],
    )
    .ok()
    .out
}

/// The row's values have their shape and say the same in every format.
#[track_caller]
fn is_every_kind(row: &[Value]) {
    let [function, contains, path, rest @ ..] = row else {
        panic!("{row:?}")
    };
    assert_eq!(function["labels"], json!(["Function"]), "{function}");
    assert_eq!(
        (
            &function["properties"]["qualified_name"],
            &function["properties"]["line"]
        ),
        (&json!("bill.bill"), &json!(1))
    );
    assert_eq!(
        (&contains["type"], &contains["start"]),
        (&json!("CONTAINS"), &function["id"]),
        "{contains}"
    );
    assert_eq!(contains["properties"]["file"], "shop/bill.py");
    assert_eq!(path["nodes"][0], *function);
    assert_eq!(path["relationships"], json!([contains]));
    assert_eq!(
        (&path["nodes"][1]["id"], &path["nodes"][1]["properties"]["name"]),
        (&contains["end"], &json!("price"))
    );
    assert_eq!(
        rest,
        [
            json!([1, 2]),
            json!({"a": 1, "b": "x, \"y\""}),
            json!(null),
            json!(true),
            json!(1.5),
            json!(7),
            json!(TEXT)
        ]
    );
}

const COLUMNS: [&str; 10] = ["f", "e", "p", "list", "map", "empty", "yes", "half", "seven", "text"];

#[test]
fn json_is_one_object() {
    let answer: Value = serde_json::from_str(&every_kind("json")).unwrap();
    assert_eq!(answer["columns"], json!(COLUMNS));
    assert_eq!(answer["types"].as_array().map(Vec::len), Some(COLUMNS.len()));
    assert_eq!(answer["truncated"], false);
    is_every_kind(answer["rows"][0].as_array().unwrap());
}

#[test]
fn jsonl_is_a_header_the_rows_and_a_trailer() {
    let text = every_kind("jsonl");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [header, row, trailer] = &lines[..] else {
        panic!("{text}")
    };
    assert_eq!(header["columns"], json!(COLUMNS));
    is_every_kind(row.as_array().unwrap());
    assert_eq!((&trailer["rows"], &trailer["truncated"]), (&json!(1), &json!(false)));
}

#[test]
fn csv_holds_text_as_it_is_and_the_rest_as_json() {
    let text = every_kind("csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap(), COLUMNS.as_slice());
    let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(records.len(), 1, "{text}");
    let cells: Vec<Value> = records[0]
        .iter()
        .map(|cell| {
            if cell.is_empty() {
                json!(null)
            } else {
                serde_json::from_str(cell).unwrap_or(json!(cell))
            }
        })
        .collect();
    is_every_kind(&cells);
}

#[test]
fn a_table_reads_well() {
    let text = every_kind("table");
    for words in [
        ":Function bill.bill (shop/bill.py:1)",
        "-CONTAINS- (shop/bill.py:1)",
        "-CONTAINS->",
        "[1, 2]",
        "{a: 1, b: x, \"y\"}",
        "1.5",
    ] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
}

#[test]
fn an_answer_without_rows_has_its_columns() {
    let folder = indexed([BILL]);
    let nothing = "MATCH (f:Function {name: 'none'}) RETURN f.name AS name, f.line AS line";
    let with = |format: &str| run(folder.path(), &["cypher", "--format", format, nothing]).ok().out;
    assert_eq!(with("csv"), "name,line\n");
    assert_eq!(serde_json::from_str::<Value>(&with("json")).unwrap()["rows"], json!([]));
    assert_eq!(with("jsonl").lines().count(), 2);
    assert!(with("table").contains("name"));
}

/// The rows do not fit into a pipe's buffer, so the writer does notice that its reader has gone.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = indexed([BILL]);
    let many = "UNWIND range(1, 200000) AS n RETURN n, 'some words to make the line longer' AS words";
    for format in ["table", "json", "jsonl", "csv"] {
        let mut child = ripple(
            folder.path(),
            &["cypher", "--limit", "200000", "--format", format, many],
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
        drop(out);
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(
            ended.status.success() && !line.is_empty(),
            "{format}: {:?} {said}",
            ended.status
        );
        assert!(
            !said.contains("panicked") && !said.contains("error"),
            "{format}: {said}"
        );
    }
}

#[test]
fn a_query_comes_from_stdin() {
    let folder = indexed([BILL]);
    let ask = |arguments: &[&str], text: &[u8]| {
        let mut child = ripple(folder.path(), arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text).unwrap();
        child.wait_with_output().unwrap()
    };
    for arguments in [&["cypher", "--format", "csv"][..], &["cypher", "--format", "csv", "-"]] {
        let output = ask(
            arguments,
            b"// of a file\nMATCH (f:Function {kind: 'function'})\nRETURN f.name;\n",
        );
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "f.name\nbill\n");
    }
    assert_eq!(ask(&["cypher"], b"RETURN '\xff'").status.code(), Some(7));
    assert_eq!(ask(&["cypher"], b"").status.code(), Some(5));
}

#[test]
fn parameters_are_json_or_text() {
    let folder = indexed([BILL]);
    let value = |parameter: &str| {
        run(
            folder.path(),
            &["cypher", "--format", "json", "--param", parameter, "RETURN $x AS x"],
        )
        .ok()
        .json()["rows"][0][0]
            .take()
    };
    assert_eq!(value("x=3"), json!(3));
    assert_eq!(value("x=\"3\""), json!("3"));
    assert_eq!(value("$x=it's; DROP TABLE x"), json!("it's; DROP TABLE x"));
    assert_eq!(value("x=[1, 2.5]"), json!([1.0, 2.5]));
    assert_eq!(value("x={\"a\": [true]}"), json!({"a": [true]}));
    assert_eq!(value("x=null"), json!(null));
}

#[test]
fn a_plan_is_shown_and_not_run() {
    let folder = indexed([BILL]);
    let plan = run(
        folder.path(),
        &["cypher", "--explain", "MATCH (f:Function) RETURN f.name"],
    )
    .ok()
    .out;
    assert!(plan.contains("SCAN") && !plan.contains("bill"), "{plan}");
    run(folder.path(), &["cypher", "--explain", "MATCH (f:Function) DELETE f"]).ended(4, "DELETE");
}

#[test]
fn several_roots_make_one_graph() {
    let parent = folder_of([
        ("one/api/main.py", "def main(): pass\n"),
        ("two/api/main.py", "def main(): pass\n"),
        ("pipeline/main.go", "package main\n\nfunc main() {}\n"),
    ]);
    run(parent.path(), &["index", "one/api", "two/api", "pipeline"]).ok();
    let first = parent.path().join("one/api");
    let files = "MATCH (f:Function {name: 'main', kind: 'function'}) RETURN f.file ORDER BY f.file";
    assert_eq!(
        column(&first, files),
        ["api-2/main.py", "api/main.py", "pipeline/main.go"]
    );
    assert!(!parent.path().join("two/api/.ripple").exists());
    let status = run(&first, &["status", "--format", "json"]).ok().json();
    let prefixes: Vec<_> = status["roots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|root| root["prefix"].clone())
        .collect();
    assert_eq!(prefixes, ["api", "api-2", "pipeline"]);
    assert_eq!(status["work_tree"]["moved_on"], false, "{status}");

    run(parent.path(), &["index", "one", "one/api"]).ended(2, "lies inside");
}

#[test]
fn an_index_can_stand_elsewhere() {
    let (folder, elsewhere) = (folder_of([BILL]), tempfile::tempdir().unwrap());
    let index = elsewhere.path().join("deep/index").display().to_string();
    run(folder.path(), &["index", "--index", &index]).ok();
    assert!(!folder.path().join(".ripple").exists());
    let query = [
        "cypher",
        "--format",
        "csv",
        "MATCH (f:Function {name: 'bill', kind: 'function'}) RETURN f.name",
    ];
    run(folder.path(), &query).ended(3, "no index in");
    assert_eq!(
        Run::of(ripple(elsewhere.path(), &query).env("RIPPLE_INDEX", &index))
            .ok()
            .out,
        "f.name\nbill\n"
    );
    // Without being told, the nearest index at or above the folder is read.
    run(folder.path(), &["index"]).ok();
    assert_eq!(run(&folder.path().join("shop"), &query).ok().out, "f.name\nbill\n");
    assert_eq!(rows(&folder.path().join("shop"), "RETURN 1"), json!([[1]]));
}

#[test]
fn git_ignores_the_index_by_itself() {
    let folder = folder_of([BILL]);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command
            .current_dir(folder.path())
            .args([
                "-c",
                "core.excludesFile=",
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.com",
            ])
            .args(arguments);
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        Run::of(&mut command).ok().out
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "all"]);
    run(folder.path(), &["index"]).ok();
    assert!(folder.path().join(".ripple/CURRENT").exists());
    assert_eq!(git(&["status", "--porcelain"]), "");
    fs::write(folder.path().join("new.py"), "").unwrap();
    assert_eq!(git(&["status", "--porcelain"]), "?? new.py\n");
}

#[test]
fn status_notices_how_the_work_tree_moves_on() {
    let folder = indexed([
        ("kept.py", "a = 1\n"),
        ("edited.py", "a = 1\n"),
        ("removed.go", "package main\n"),
    ]);
    let path = |name: &str| folder.path().join(name);
    let status = || run(folder.path(), &["status"]).ok().out;
    assert!(status().contains("work tree   as indexed"), "{}", status());
    fs::write(path("edited.py"), "a = 2\n").unwrap();
    fs::write(path("added.py"), "a = 1\n").unwrap();
    fs::remove_file(path("removed.go")).unwrap();
    let told = status();
    for line in [
        "work tree   has moved on: 1 changed, 1 added, 1 removed; run `ripple index`",
        "  changed  edited.py",
        "  added    added.py",
        "  removed  removed.go",
    ] {
        assert!(told.lines().any(|other| other == line), "{line} is missing in\n{told}");
    }
    let tree = run(folder.path(), &["status", "--format", "json"]).ok().json()["work_tree"].take();
    assert_eq!(
        tree,
        json!({"moved_on": true, "changed": ["edited.py"], "added": ["added.py"], "removed": ["removed.go"]})
    );
    assert!(
        !run(folder.path(), &["status", "--no-walk"])
            .ok()
            .out
            .contains("work tree")
    );
    run(folder.path(), &["index"]).ok();
    assert!(status().contains("work tree   as indexed"), "{}", status());
}

#[test]
fn status_counts_what_the_graph_holds() {
    let folder = indexed([
        BILL,
        (
            "main.go",
            "package main\n\nfunc main() {\n\tprintln(twice(2))\n}\n\nfunc twice(n int) int { return n * 2 }\n",
        ),
    ]);
    let status = run(folder.path(), &["status", "--format", "json"]).ok().json();
    for (label, count) in status["nodes"].as_object().unwrap() {
        assert_eq!(
            column(folder.path(), &format!("MATCH (n:{label}) RETURN count(n)")),
            std::slice::from_ref(count),
            "{label}"
        );
    }
    for (kind, count) in status["relationships"].as_object().unwrap() {
        assert_eq!(
            column(folder.path(), &format!("MATCH ()-[e:{kind}]->() RETURN count(e)")),
            std::slice::from_ref(count),
            "{kind}"
        );
    }
    assert_eq!(status["calls"]["go"]["resolved"], 1, "{status}");
    let text = run(folder.path(), &["status"]).ok().out;
    for heading in ["generation  000001", "files", "nodes", "edges", "calls"] {
        assert!(
            text.lines().any(|line| line.starts_with(heading)),
            "{heading} is missing in\n{text}"
        );
    }
}

#[test]
fn the_schema_needs_no_index() {
    let nowhere = tempfile::tempdir().unwrap();
    let schema = |format: &str| run(nowhere.path(), &["schema", "--format", format]).ok();
    assert!(schema("text").out.contains("FLOWS_TO") && schema("markdown").out.contains("FLOWS_TO"));
    assert!(schema("ddl").out.contains("CREATE NODE TABLE"));
    assert!(schema("json").json().to_string().contains("FLOWS_TO"));
}

#[test]
fn progress_is_quiet_in_a_pipe() {
    let folder = folder_of([BILL]);
    let ended = run(folder.path(), &["index"]).ok();
    assert_eq!((ended.out.as_str(), ended.err.lines().count()), ("", 1), "{ended:?}");
    assert!(
        ended.err.starts_with("indexed 1 file, 3 lines in ") && !ended.err.contains(['\r', '\u{1b}']),
        "{ended:?}"
    );
    let quiet = run(folder.path(), &["index", "--quiet"]).ok();
    assert_eq!((quiet.out, quiet.err), (String::new(), String::new()));
    let report = run(folder.path(), &["index", "--format", "json"]).ok().json();
    assert_eq!(
        (&report["files"], &report["generation"]),
        (&json!(1), &json!("000003")),
        "{report}"
    );
}

/// Each code that the help tells of, but for 70, which has no known cause.
#[test]
fn exit_codes_are_those_of_the_help() {
    let help = run(Path::new("."), &["--help"]).ok().out;
    let (_, told) = help.split_once("Exit codes:\n").unwrap();
    let told: Vec<i32> = told
        .lines()
        .map_while(|line| line.split_whitespace().next()?.parse().ok())
        .collect();
    assert_eq!(told, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 70], "{help}");

    let folder = indexed([BILL]);
    let check =
        |arguments: &[&str], code: i32| assert_eq!(run(folder.path(), arguments).code, Some(code), "{arguments:?}");
    check(&["--version"], 0);
    check(&["cypher", "RETURN 1"], 0);
    check(&[], 2);
    check(&["nonsense"], 2);
    check(&["cypher", "--limit", "many", "RETURN 1"], 2);
    check(&["cypher", "--timeout", "3 fortnights", "RETURN 1"], 2);
    check(&["cypher", "--format", "xml", "RETURN 1"], 2);
    check(&["serve", "--addr", "7474"], 2);
    check(&["cypher", "--index", "nowhere", "RETURN 1"], 3);
    check(&["cypher", "CREATE (n)"], 4);
    check(&["cypher", "RETURN x"], 5);
    check(&["cypher", "RETURN $x"], 5);
    check(&["cypher", "--path", "nowhere", "RETURN 1"], 7);
    // 6 and 8 take more to bring about: `bad_input` does.
}

#[test]
fn a_disk_that_is_full_of_answers() {
    let folder = indexed([BILL]);
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        println!("skipped: this system has no /dev/full");
        return;
    };
    let status = Command::new(binary())
        .args(["cypher", "RETURN 1"])
        .current_dir(folder.path())
        .stdout(full)
        .stderr(Stdio::null())
        .status();
    assert_eq!(status.unwrap().code(), Some(7));
}
