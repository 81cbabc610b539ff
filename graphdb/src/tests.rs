//! The store as a whole, on a graph of a dozen rows: build, read, switch, crash, fill up.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ripple_schema::{
    Diagnostic, Edge, EdgeKind, FileId, FileStatus, Graph, How, IndexedFile, Language, Node, NodeId, NodeKind, Rule,
    Site,
};
use serde_json::json;

use crate::{Build, CallCounts, Error, Limits, Manifest, Reader, RootEntry, Rows, Value, Writer, open, open_with};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// `bill.py`: `def bill(price): total = price; print(total); return total`, and what does not belong into a graph.
fn graph() -> Graph {
    let site = |line| Site {
        file: FileId(0),
        line,
        column: 5,
    };
    let node = |label, name: &str, line| Node {
        id: NodeId::of(Language::Python, label, name, 0),
        label,
        name: name.into(),
        qualified_name: format!("shop.bill.{name}"),
        kind: "local",
        language: Language::Python,
        site: (line > 0).then(|| site(line)),
        end_line: line,
        signature: String::new(),
        doc: "it's \"quoted\", café\nand long".into(),
        type_text: "int".into(),
        exported: true,
        test: false,
        whole: false,
        tags: String::new(),
    };
    let (bill, print) = (
        node(NodeKind::Function, "bill", 1),
        node(NodeKind::External, "print", 0),
    );
    let (price, total) = (
        node(NodeKind::Variable, "price", 1),
        node(NodeKind::Variable, "total", 2),
    );
    let edge = |kind, from: &Node, to: &Node, rule| Edge {
        kind,
        from: from.id,
        to: to.id,
        site: site(3),
        rule,
        how: How::Assign,
    };
    let on = |line, edge: Edge| Edge {
        site: site(line),
        ..edge
    };
    let stranger = node(NodeKind::Variable, "not in the graph", 9);
    let edges = vec![
        edge(EdgeKind::FlowsTo, &price, &total, Rule::Syntax),
        edge(EdgeKind::Calls, &bill, &print, Rule::Builtin),
        // One call may have several callees: it counts once, as what is best known of it.
        on(4, edge(EdgeKind::Calls, &bill, &print, Rule::UnresolvedName)),
        on(5, edge(EdgeKind::Calls, &bill, &bill, Rule::Scope)),
        on(5, edge(EdgeKind::Calls, &bill, &print, Rule::UnresolvedName)),
        edge(EdgeKind::FlowsTo, &price, &stranger, Rule::Syntax),
        edge(EdgeKind::Inherits, &price, &total, Rule::Syntax),
    ];
    let file = IndexedFile {
        path: "shop/bill.py".into(),
        language: Language::Python,
        hash: u64::MAX,
        bytes: 60,
        lines: 4,
        status: FileStatus::Indexed,
    };
    let diagnostic = Diagnostic {
        path: "x.py".into(),
        line: 0,
        code: "not-utf8".into(),
        message: "not UTF-8".into(),
    };
    let mut graph = Graph {
        files: vec![file],
        nodes: vec![bill, print, price, total],
        edges,
        diagnostics: vec![diagnostic],
    };
    graph.normalize();
    graph
}

fn build(dir: &Path) -> Result<Manifest, Error> {
    build_graph(dir, &graph())
}

fn build_graph(dir: &Path, graph: &Graph) -> Result<Manifest, Error> {
    build_within(dir, graph, 64 << 20, 1 << 30)
}

fn build_within(dir: &Path, graph: &Graph, memory_bytes: u64, most_memory_bytes: u64) -> Result<Manifest, Error> {
    let sources = [Arc::from(&b"def bill(price):\n    total = price\n"[..])];
    let roots = vec![RootEntry {
        path: "/shop".into(),
        prefix: String::new(),
    }];
    Writer::acquire(dir)?.build(
        &Build {
            graph,
            sources: &sources,
            mentions: &[],
            roots,
            memory_bytes,
            most_memory_bytes,
            threads: 1,
            search: None,
        },
        &|_| (),
    )
}

fn ask(reader: &Reader, text: &str, params: serde_json::Value) -> Result<Rows, Error> {
    let params: BTreeMap<String, serde_json::Value> = serde_json::from_value(params).unwrap_or_default();
    reader.query(text, &params, &Limits::default())
}

fn generations(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir.join("generations")).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

#[test]
fn a_load_that_has_too_little_memory_begins_again_with_more() -> Outcome {
    let folder = tempfile::tempdir()?;
    let little = 4 << 20;
    let manifest = build_within(folder.path(), &graph(), little, 1 << 30)?;
    assert_eq!(manifest.nodes["Variable"], 2);
    let reader = open(folder.path())?;
    let rows = ask(
        &reader,
        "MATCH (v:Variable) RETURN count(*) AS k",
        serde_json::json!({}),
    )?;
    assert_eq!(rows.rows.len(), 1);
    // Who says how much it may be is told that it is too little, and the index from before stays.
    let refused = build_within(folder.path(), &graph(), little, little).expect_err("too little");
    assert!(refused.to_string().contains("--memory"), "{refused}");
    assert_eq!(generations(folder.path()).len(), 1);
    Ok(())
}

#[test]
fn what_was_built_can_be_read() -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path().join("it's \"a\" [f]older*?");
    let manifest = build(&dir)?;
    assert_eq!(manifest.nodes["Variable"], 2);
    assert_eq!(
        (
            manifest.edges["FLOWS_TO"],
            manifest.edges["CALLS"],
            manifest.dropped_edges
        ),
        (1, 4, 2)
    );
    assert_eq!(
        manifest.calls["python"],
        CallCounts {
            resolved: 1,
            external: 1,
            unresolved: 1
        }
    );
    assert!(manifest.database_bytes > 0);
    assert_eq!(fs::read_to_string(dir.join(".gitignore"))?, "*\n");

    let reader = open_with(&dir, 64 << 20)?;
    assert_eq!(reader.manifest(), &manifest);
    assert_eq!(reader.files()?[..], graph().files[..]);
    assert_eq!(reader.diagnostics()?, graph().diagnostics);
    assert_eq!(
        reader.source("shop/bill.py")?.as_deref(),
        Some("def bill(price):\n    total = price\n")
    );
    assert_eq!(reader.source("no.py")?, None);

    let rows = ask(
        &reader,
        "MATCH (a)-[e:FLOWS_TO]->(b {name: $b}) RETURN a, e, b.doc, b.col",
        json!({"b": "total"}),
    )?;
    assert_eq!(rows.types, ["NODE", "REL", "STRING", "INT64"]);
    let row = serde_json::to_value(&rows.rows[0])?;
    assert_eq!(row[0]["labels"], json!(["Variable"]));
    assert_eq!(row[0]["properties"]["qualified_name"], "shop.bill.price");
    assert_eq!(row[0]["properties"]["file"], "shop/bill.py");
    assert_eq!(row[1]["start"], row[0]["id"]);
    assert_eq!(
        row[1]["properties"],
        json!({
            "file": "shop/bill.py", "line": 3, "col": 5, "rule": "syntax", "confidence": Rule::Syntax.confidence(), "how": "assign",
        })
    );
    assert_eq!(row[2], "it's \"quoted\", café\nand long");
    assert_eq!(row[3], 5);
    Ok(())
}

#[test]
fn values_of_every_kind_keep_their_shape() -> Outcome {
    let folder = tempfile::tempdir()?;
    build(folder.path())?;
    let reader = open_with(folder.path(), 64 << 20)?;
    let one = |text: &str, params| -> Result<serde_json::Value, Box<dyn std::error::Error>> {
        Ok(serde_json::to_value(&ask(&reader, text, params)?.rows[0])?)
    };
    assert_eq!(
        one(
            "RETURN date('2024-05-01'), timestamp('2024-05-01 10:00:00.25'), interval('1 day 2 hours'), cast('nan' AS DOUBLE)",
            json!({})
        )?,
        json!(["2024-05-01", "2024-05-01T10:00:00.25Z", "P1DT2H", "NaN"])
    );
    assert_eq!(
        one(
            "RETURN blob('\\\\xAA\\\\x01'), map(['a'], [1]), {a: [1, NULL]}, cast(1.25 AS DECIMAL(5, 2)), NULL",
            json!({})
        )?,
        json!(["aa01", {"a": 1}, {"a": [1, null]}, "1.25", null])
    );
    assert_eq!(
        one(
            "RETURN $a, $b, $c[2], $d.x, $e",
            json!({"a": "it's", "b": null, "c": [1.5, 2], "d": {"x": [true]}, "e": -7})
        )?,
        json!(["it's", null, 2.0, [true], -7])
    );
    assert_eq!(
        one(
            "UNWIND $ids AS id MATCH (n:Variable {id: id}) RETURN n.name",
            json!({
                "ids": [NodeId::of(Language::Python, NodeKind::Variable, "total", 0).0],
            })
        )?,
        json!(["total"])
    );
    let path = one("MATCH p = (a:Variable)-[:FLOWS_TO*1..3]->(b) RETURN p", json!({}))?;
    assert_eq!(path[0]["nodes"][1]["properties"]["name"], "total");
    assert_eq!(path[0]["relationships"][0]["type"], "FLOWS_TO");
    Ok(())
}

#[test]
fn what_goes_wrong_in_a_query_is_told() -> Outcome {
    let folder = tempfile::tempdir()?;
    build(folder.path())?;
    let reader = open_with(folder.path(), 64 << 20)?;
    let told = |text: &str, params| ask(&reader, text, params).map(|_| ());
    assert!(
        matches!(told("MATCH (n) SET n.name = ''", json!({})), Err(Error::Refused { span, .. }) if span == (10..13))
    );
    assert!(
        matches!(told("MATCH (n) RETRUN n", json!({})), Err(Error::Engine { span: Some(span), .. }) if span == (10..16))
    );
    assert!(
        matches!(told("MATCH (n:Nothing) RETURN n", json!({})), Err(Error::Engine { message, .. }) if message.contains("Nothing"))
    );
    assert!(matches!(told("RETURN $a", json!({})), Err(Error::Parameter { name, .. }) if name == "a"));
    assert!(matches!(told("RETURN 1", json!({"a": 1})), Err(Error::Parameter { name, .. }) if name == "a"));
    assert!(matches!(
        told("MATCH (n:Variable {id: $id}) RETURN n", json!({"id": "x"})),
        Err(Error::Engine { .. })
    ));
    assert!(matches!(
        told("RETURN repeat('abcdefgh', 1000000000)", json!({})),
        Err(Error::Memory { .. })
    ));
    Ok(())
}

/// The engine alone answers 0, or ends the process, where a `DISTINCT` aggregate stands before another one of a group.
#[test]
fn the_order_of_aggregates_does_not_change_what_they_say() -> Outcome {
    let dir = tempfile::tempdir()?;
    build(dir.path())?;
    let reader = open(dir.path())?;
    let asked = "MATCH (a)-[e]->(b) RETURN label(a) AS source, count(DISTINCT b.id) AS targets, count(*) AS edges, min(b.name) AS least, \
                 size(collect(e.rule)) AS rules ORDER BY source";
    let rows = ask(&reader, asked, json!({}))?;
    assert_eq!(rows.columns, ["source", "targets", "edges", "least", "rules"]);
    let text = |text: &str| Value::Text(text.into());
    let number = |number: i64| Value::Int(number);
    assert_eq!(
        rows.rows,
        [
            [text("Function"), number(2), number(4), text("bill"), number(4)],
            [text("Variable"), number(1), number(1), text("total"), number(1)],
        ]
    );
    let refused = ask(
        &reader,
        "MATCH (a) RETURN a.name, 1.0 * count(DISTINCT a.id) / count(*)",
        json!({}),
    );
    let Err(Error::Engine { span: Some(span), .. }) = refused else {
        return Err(format!("{refused:?}").into());
    };
    assert_eq!(span, 25..62);
    Ok(())
}

#[test]
fn rows_and_time_are_limited() -> Outcome {
    let folder = tempfile::tempdir()?;
    build(folder.path())?;
    let reader = open_with(folder.path(), 64 << 20)?;
    let limits = Limits {
        rows: 3,
        timeout: Duration::from_millis(300),
        ..Limits::default()
    };
    for (text, truncated) in [
        ("UNWIND range(1, 4) AS x RETURN x", true),
        ("UNWIND range(1, 4) AS x RETURN x UNION ALL RETURN 5 AS x", true),
        ("UNWIND range(1, 3) AS x RETURN x", false),
    ] {
        let rows = reader.query(text, &BTreeMap::new(), &limits)?;
        assert_eq!((rows.rows.len(), rows.truncated), (3, truncated), "{text}");
    }
    let endless = "UNWIND range(1, 1000000) AS x MATCH (a), (b), (c), (d), (e), (f), (g) WHERE a.line + b.line <> c.line + d.line + x RETURN count(*)";
    let answer = reader.query(endless, &BTreeMap::new(), &limits);
    assert!(matches!(answer, Err(Error::Timeout { .. })), "{answer:?}");
    let forever = Limits {
        timeout: Duration::MAX,
        rows: usize::MAX,
        ..limits
    };
    assert!(reader.query("RETURN 1", &BTreeMap::new(), &forever).is_ok());
    Ok(())
}

#[test]
fn an_empty_graph_is_an_index() -> Outcome {
    let folder = tempfile::tempdir()?;
    build_graph(folder.path(), &Graph::default())?;
    assert_eq!(
        ask(&open_with(folder.path(), 64 << 20)?, "MATCH (n) RETURN n", json!({}))?
            .rows
            .len(),
        0
    );
    Ok(())
}

#[test]
fn a_reader_stays_until_it_is_reopened() -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    assert!(matches!(open(dir), Err(Error::NoIndex { .. })));
    build(dir)?;
    let old = open_with(dir, 64 << 20)?;
    assert!(old.reopen_if_switched()?.is_none());
    build(dir)?;
    let new = old.reopen_if_switched()?.ok_or("CURRENT has moved on")?;
    assert_ne!(old.manifest().generation, new.manifest().generation);
    build(dir)?;
    assert_eq!(generations(dir), ["000002", "000003"]);
    // The oldest is gone from the folder, and yet whoever has it open reads on.
    assert_eq!(ask(&old, "MATCH (n) RETURN n", json!({}))?.rows.len(), 4);
    Ok(())
}

#[test]
fn a_killed_build_leaves_the_old_index_and_is_swept() -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    build(dir)?;
    fs::create_dir_all(dir.join("generations/000002"))?;
    fs::write(dir.join("generations/000002/files.json"), "half")?;
    fs::create_dir_all(dir.join("generations/stranger"))?;
    fs::write(dir.join("CURRENT.next"), "0000")?;
    assert_eq!(open_with(dir, 64 << 20)?.manifest().generation, "000001");
    drop(Writer::acquire(dir)?);
    assert_eq!(generations(dir), ["000001"]);
    assert_eq!(build(dir)?.generation, "000002");
    Ok(())
}

#[test]
fn a_second_writer_is_told_who_is_first() -> Outcome {
    let folder = tempfile::tempdir()?;
    let first = Writer::acquire(folder.path())?;
    let second = Writer::acquire(folder.path());
    assert!(matches!(second, Err(Error::Busy { pid: Some(pid), .. }) if pid == std::process::id()));
    drop(first);
    assert!(Writer::acquire(folder.path()).is_ok());
    Ok(())
}

#[test]
fn a_failed_build_leaves_nothing_behind() -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    build(dir)?;
    let mut twice = graph();
    twice.nodes.extend(graph().nodes);
    assert!(matches!(build_graph(dir, &twice), Err(Error::Engine { .. })));
    assert_eq!(generations(dir), ["000001"]);
    assert!(open_with(dir, 64 << 20).is_ok());
    Ok(())
}

#[test]
fn another_format_and_a_damaged_index_are_told() -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    build(dir)?;
    let manifest = dir.join("generations/000001/manifest.json");
    fs::write(&manifest, "{\"format_version\": 0}")?;
    assert!(matches!(open(dir), Err(Error::Format { found: 0, .. })));
    fs::write(&manifest, "{")?;
    assert!(matches!(open(dir), Err(Error::Damaged { .. })));
    fs::write(dir.join("CURRENT"), "../../etc\n")?;
    assert!(matches!(open(dir), Err(Error::Damaged { .. })));
    Ok(())
}
