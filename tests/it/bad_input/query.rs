//! Queries that would write, read files, never end, or take all memory; and the harmless ones that look like them.
//!
//! Each refusal is checked at both doors: exit code 4 with a caret line, and status 403 with the span.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{ENDLESS, Reply, Run, Server, crowd, indexed, run};

/// One index for all of these tests: nothing here may change it.
struct Fixture {
    folder: TempDir,
}

impl Fixture {
    /// Many variables, some with the names of clauses, and a file worth reading.
    fn new() -> Self {
        let text = String::from("def load(set, create):\n    delete = set\n    return delete\n") + &crowd();
        Self {
            folder: indexed([("a.py", text.as_str()), ("secret.csv", "user,password\nada,enigma\n")]),
        }
    }

    fn cypher(&self, query: &str, arguments: &[&str]) -> Run {
        run(
            self.folder.path(),
            &[&["cypher", "--format", "json", query], arguments].concat(),
        )
    }

    fn server(&self) -> Server {
        Server::start(self.folder.path(), &["--memory", "64MB"], &[])
    }
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(Fixture::new);

/// Every file below a folder, with its bytes. The server's socket is none.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.is_file() {
            found.insert(path.clone(), fs::read(&path).expect("it can be read"));
        }
    }
    found
}

/// Each query is refused at both doors, and the part of it that is to blame is this one. No file changes, and none is new.
#[track_caller]
fn refused(cases: &[(&str, &str)]) {
    let fixture = Fixture::new();
    let server = fixture.server();
    let before = files(fixture.folder.path());
    for (query, part) in cases {
        let ended = fixture.cypher(query, &[]);
        assert_eq!(ended.code, Some(4), "{query}: {ended:#?}");
        assert!(
            ended.out.is_empty() && ended.err.starts_with("error: "),
            "{query}: {ended:#?}"
        );
        assert!(ended.err.contains("^"), "{query}: {ended:#?}");
        let reply = server.ask(&json!({"query": query}));
        reply.failed(403, "query_refused");
        let span = reply.json()["error"]["span"].take();
        let byte = |name: &str| span[name].as_u64().unwrap_or_default() as usize;
        assert_eq!(
            query.get(byte("start")..byte("end")),
            Some(*part),
            "{query}: {}",
            reply.body
        );
        assert!(!format!("{ended:?}{}", reply.body).contains("enigma"), "{query}");
    }
    assert!(
        files(fixture.folder.path()) == before,
        "files have changed: {:?}",
        files(fixture.folder.path()).keys()
    );
    assert_eq!(
        server.rows("MATCH (v:Variable {name: 'v7'}) RETURN v.name"),
        json!([["v7"]])
    );
}

#[test]
fn writes_are_refused() {
    refused(&[
        ("CREATE (n:Function {id: 1})", "CREATE"),
        ("MATCH (n) CREATE (m:Function {id: 1})", "CREATE"),
        ("MERGE (n:Function {id: 1}) RETURN n", "MERGE"),
        ("MATCH (n) MERGE (m:Function {id: 1}) RETURN m", "MERGE"),
        ("MATCH (n) SET n.name = 'x'", "SET"),
        ("MATCH (n) DELETE n", "DELETE"),
        ("MATCH (n) DETACH DELETE n", "DETACH"),
        ("MATCH (n) REMOVE n.name", "REMOVE"),
        ("DROP TABLE Function", "DROP"),
        ("ALTER TABLE Function DROP name", "ALTER"),
        ("CREATE NODE TABLE Mine(id INT64, PRIMARY KEY(id))", "CREATE"),
        ("CREATE MACRO m(x) AS x + 1", "CREATE"),
        ("CREATE SEQUENCE s", "CREATE"),
        ("COMMENT ON TABLE Function IS 'mine'", "COMMENT"),
        ("BEGIN TRANSACTION", "BEGIN"),
        ("CHECKPOINT", "CHECKPOINT"),
        ("RETURN nextval('s')", "nextval"),
    ]);
}

#[test]
fn files_are_refused() {
    refused(&[
        ("LOAD FROM 'secret.csv' RETURN *", "LOAD"),
        ("LOAD FROM '/etc/passwd' (header = false) RETURN *", "LOAD"),
        ("LOAD WITH HEADERS (a STRING) FROM 'secret.csv' RETURN *", "LOAD"),
        ("MATCH (n) LOAD FROM 'secret.csv' RETURN *", "LOAD"),
        ("COPY (MATCH (n) RETURN n.name) TO 'stolen.csv'", "COPY"),
        ("COPY Function FROM 'secret.csv'", "COPY"),
        ("EXPORT DATABASE 'stolen'", "EXPORT"),
        ("IMPORT DATABASE 'stolen'", "IMPORT"),
        ("ATTACH 'secret.csv' AS other (dbtype duckdb)", "ATTACH"),
        ("USE other", "USE"),
        ("INSTALL httpfs", "INSTALL"),
        ("LOAD EXTENSION httpfs", "LOAD"),
        ("UNINSTALL httpfs", "UNINSTALL"),
    ]);
}

#[test]
fn calls_of_what_is_not_listed_are_refused() {
    refused(&[
        ("CALL threads = 1", "threads"),
        ("CALL home_directory = '/tmp'", "home_directory"),
        ("CALL spill_to_disk = true", "spill_to_disk"),
        ("CALL show_tables = 1", "show_tables"),
        ("CALL read_csv('secret.csv') RETURN *", "read_csv"),
        ("CALL json_scan('/etc/passwd') RETURN *", "json_scan"),
        ("CALL project_graph('g', ['Function'], ['CALLS'])", "project_graph"),
        ("CALL create_fts_index('Function', 'i', ['name'])", "create_fts_index"),
        ("CALL clear_warnings()", "clear_warnings"),
        ("CALL `show_tables`() RETURN *", "`show_tables`"),
        ("CALL { CREATE (n) } RETURN 1", "{"),
    ]);
}

#[test]
fn what_is_hidden_is_found() {
    refused(&[
        ("cReAtE (n:Function {id: 1})", "cReAtE"),
        ("match (n) dElEtE n", "dElEtE"),
        ("MATCH (n)/* harmless */DELETE/* or not */n", "DELETE"),
        ("/* MATCH */ LOAD /**/ FROM 'secret.csv' RETURN *", "LOAD"),
        ("// RETURN 1\nLOAD FROM 'secret.csv' RETURN *", "LOAD"),
        ("MATCH (n) // the end?\nSET n.name = 'x'", "SET"),
        (
            "RETURN 1 // a\rLOAD FROM 'secret.csv' RETURN *",
            "// a\rLOAD FROM 'secret.csv' RETURN *",
        ),
        ("RETURN 1; DROP TABLE Function", "DROP TABLE Function"),
        (
            "RETURN ';'; COPY (MATCH (n) RETURN n) TO 'stolen.csv'",
            "COPY (MATCH (n) RETURN n) TO 'stolen.csv'",
        ),
        ("RETURN 1;/* ; */CREATE (n)", "CREATE (n)"),
        ("RETURN 'it\\'s' LOAD FROM 'secret.csv' RETURN *", "LOAD"),
        ("RETURN \"'\" LOAD FROM 'secret.csv' RETURN \"'\"", "LOAD"),
        ("MATCH (n) WITH n AS `a``b` DELETE `a``b`", "DELETE"),
        ("`CREATE` (n)", "`CREATE`"),
        ("EXPLAIN CREATE (n:Function {id: 1})", "CREATE"),
        ("PROFILE MATCH (n) DELETE n", "DELETE"),
        ("UNWIND [1] AS x LOAD FROM 'secret.csv' RETURN *", "LOAD"),
        ("MATCH (n) RETURN n UNION LOAD FROM 'secret.csv' RETURN *", "LOAD"),
        ("MATCH (n)\u{a0}DELETE\u{2003}n", "DELETE"),
        ("RETURN 1\u{200b}", "\u{200b}"),
    ]);
}

#[test]
fn what_is_no_query_is_told_as_such() {
    let fixture = &*FIXTURE;
    let server = fixture.server();
    for query in [
        "RETURN 'not closed",
        "RETURN (1",
        "RETURN 1)",
        "RETURN 1 AS `x",
        "RETURN 1 /* on",
        "",
        ";",
        "   ",
        "// nothing",
    ] {
        let ended = fixture.cypher(query, &[]);
        assert_eq!(ended.code, Some(5), "{query}: {ended:#?}");
        server.ask(&json!({"query": query})).failed(400, "query_error");
    }
}

#[test]
fn what_only_looks_like_it_passes() {
    let fixture = &*FIXTURE;
    let server = fixture.server();
    for (query, row) in [
        (
            "RETURN 'LOAD FROM \"secret.csv\"; DROP TABLE x' AS text",
            json!(["LOAD FROM \"secret.csv\"; DROP TABLE x"]),
        ),
        (
            "RETURN \"it's // no /* comment\" AS text",
            json!(["it's // no /* comment"]),
        ),
        ("/* CREATE (n) */ RETURN 1 AS one // DELETE n", json!([1])),
        ("RETURN 1 AS one;", json!([1])),
        ("RETURN 1 AS load, 2 AS `set`", json!([1, 2])),
        ("RETURN {`set`: 1, `create`: 2}.`create` AS x", json!([2])),
        ("MATCH (set:Function {name: 'load'}) RETURN set.name", json!(["load"])),
        (
            "MATCH (v:Variable {name: 'delete'}) RETURN DISTINCT v.name AS `delete`",
            json!(["delete"]),
        ),
        (
            "MATCH (v:Variable) WHERE v.name = 'set' RETURN DISTINCT v.name",
            json!(["set"]),
        ),
        (
            "CALL show_tables() WHERE name = 'Variable' RETURN name",
            json!(["Variable"]),
        ),
        (
            "call TABLE_INFO('Variable') WHERE name = 'name' RETURN type",
            json!(["STRING"]),
        ),
        (
            "optional match (f:Function {name: 'none'}) return f.name",
            json!([null]),
        ),
        ("RETURN list_filter([1, 2], delete -> delete > 1) AS xs", json!([[2]])),
    ] {
        let ended = fixture.cypher(query, &[]);
        assert_eq!(ended.code, Some(0), "{query}: {ended:#?}");
        assert_eq!(ended.json()["rows"], json!([row]), "{query}");
        assert_eq!(server.rows(query), json!([row]), "{query}");
    }
}

#[test]
fn a_query_that_never_ends() {
    FIXTURE
        .cypher(ENDLESS, &["--timeout", "200ms"])
        .ended(6, "the query ran longer than 200ms; narrow it, or allow it more time");
    let server = FIXTURE.server();
    server
        .ask(&json!({"query": ENDLESS, "timeout_ms": 200}))
        .failed(504, "timeout");
    assert_eq!(server.rows("RETURN 1"), json!([[1]]));
}

#[test]
fn the_servers_time_limit_holds_against_a_larger_wish() {
    let server = Server::start(FIXTURE.folder.path(), &["--timeout", "200ms"], &[]);
    server
        .ask(&json!({"query": ENDLESS, "timeout_ms": 86_400_000}))
        .failed(504, "timeout");
    server.ask(&json!({"query": ENDLESS})).failed(504, "timeout");
}

#[test]
fn millions_of_rows_are_cut_and_said_to_be() {
    let crossed = "MATCH (a:Variable), (b:Variable), (c:Variable) RETURN a.name";
    let ended = FIXTURE.cypher(crossed, &[]).ended(0, "10,000 rows in ");
    assert!(
        ended.err.contains("cut at --limit 10,000: there are more"),
        "{}",
        ended.err
    );
    assert_eq!(ended.json()["rows"].as_array().map(Vec::len), Some(10_000));
    assert_eq!(ended.json()["truncated"], true);

    let few = FIXTURE
        .cypher("MATCH (a:Variable {name: 'v7'}) RETURN a.name", &["--limit", "1"])
        .ok();
    assert_eq!(
        (&few.json()["truncated"], few.err.contains("cut")),
        (&json!(false), false),
        "{few:?}"
    );

    let reply = FIXTURE.server().ask(&json!({"query": crossed, "limit": 1_000_000_000}));
    assert_eq!(reply.status, 200, "{:.300}", reply.body);
    assert_eq!(reply.json()["rows"].as_array().map(Vec::len), Some(100_000));
    assert_eq!(reply.json()["truncated"], true);
}

#[test]
fn more_memory_than_there_is() {
    let hungry = "MATCH (a:Variable), (b:Variable), (c:Variable) RETURN collect(a.qualified_name + b.qualified_name + c.qualified_name)";
    FIXTURE
        .cypher(hungry, &["--memory", "64MB"])
        .ended(6, "the query needs more than 64 MB of memory");
    // So little that the graph cannot even be opened: it is not damaged.
    FIXTURE
        .cypher("RETURN 1", &["--memory", "5MB"])
        .ended(6, "the query needs more than 5 MB of memory");
    let server = FIXTURE.server();
    server.ask(&json!({"query": hungry})).failed(507, "memory_limit");
    assert_eq!(server.rows("RETURN 1"), json!([[1]]));
    refused(&[("UNWIND range(1, 1000000000) AS x RETURN x", "range")]);
}

/// The error at both doors: exit code 5 and this text; this status and code.
#[track_caller]
fn wrong(query: &str, params: &Value, said: &str, status: u16, code: &str) -> Reply {
    let parameters: Vec<String> = params
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| format!("--param={name}={value}"))
        .collect();
    let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
    FIXTURE.cypher(query, &parameters).ended(5, said);
    let reply = FIXTURE.server().ask(&json!({"query": query, "params": params}));
    reply.failed(status, code);
    assert!(
        reply.json()["error"]["message"]
            .as_str()
            .is_some_and(|message| message.contains(said)),
        "{}",
        reply.body
    );
    reply
}

#[test]
fn parameters_that_do_not_fit() {
    let by_line = "MATCH (v:Variable) WHERE v.line = $line RETURN v.name";
    let bad = |params: Value, said: &str| wrong(by_line, &params, said, 422, "bad_parameter");
    bad(json!({}), "parameter $line: is used in the query and not given");
    bad(
        json!({"line": 1, "name": "x"}),
        "parameter $name: is not used in the query",
    );
    bad(
        json!({"line": u64::MAX}),
        "parameter $line: 18446744073709551615 does not fit a 64-bit integer",
    );
    bad(json!({"line": {}}), "parameter $line: an empty map has no type");
    bad(
        json!({"line": [1, "x"]}),
        "parameter $line: a list must hold values of one kind",
    );
    bad(
        json!({"line": "a\u{0}b"}),
        "parameter $line: text may not contain a null character",
    );

    let right = FIXTURE
        .cypher(
            "MATCH (v:Variable) WHERE v.line = $line AND v.name STARTS WITH $start RETURN v.name",
            &["--param=line=4", "--param=start=v"],
        )
        .ok();
    assert_eq!(right.json()["rows"], json!([["v0"]]));
}

/// What type a parameter should have is only known to the engine: its words, with the code of a query that is wrong.
#[test]
fn parameters_of_another_type() {
    let by_line = "MATCH (v:Variable) WHERE v.line = $line RETURN v.name";
    wrong(by_line, &json!({"line": "four"}), "four", 400, "query_error");
    wrong(by_line, &json!({"line": [4]}), "", 400, "query_error");
    wrong(
        "MATCH (v:Variable) RETURN v.name LIMIT $n",
        &json!({"n": "many"}),
        "integer",
        400,
        "query_error",
    );
    wrong(
        "MATCH (v:Variable) RETURN v.name LIMIT $n",
        &json!({"n": -1}),
        "integer",
        400,
        "query_error",
    );
}

#[test]
fn queries_that_the_engine_does_not_understand() {
    let no = json!({});
    let syntax = wrong(
        "MATCH (n:Function) RETRUN n",
        &no,
        "Parser exception",
        400,
        "query_error",
    );
    assert!(syntax.json()["error"]["span"].is_object(), "{}", syntax.body);
    let label = wrong("MATCH (n:Nothing) RETURN n", &no, "Nothing", 400, "query_error");
    assert!(
        label.json()["error"]["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("/api/v1/schema")),
        "{}",
        label.body
    );
    wrong(
        "MATCH (n:Function)-[:NOTHING]->(m) RETURN n",
        &no,
        "NOTHING",
        400,
        "query_error",
    );
    wrong(
        "MATCH (n:Function) RETURN n.nothing",
        &no,
        "nothing",
        400,
        "query_error",
    );
    wrong("MATCH (n:Function) RETURN m", &no, "m", 400, "query_error");
    wrong("RETURN nothing(1)", &no, "NOTHING", 400, "query_error");
    wrong("RETURN 1 +", &no, "", 400, "query_error");
    wrong("RETURN 1 / 0", &no, "", 400, "query_error");
}

#[test]
fn texts_that_are_too_much() {
    let deep = format!("RETURN {}1{}", "(".repeat(10_000), ")".repeat(10_000));
    let long = format!("RETURN 1{}", " + 1".repeat(20_000));
    let large = format!("RETURN '{}'", "x".repeat(100_000));
    refused(&[(&deep, "("), (&long, "+"), (&large, &large)]);
}
