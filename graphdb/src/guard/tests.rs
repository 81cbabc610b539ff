//! What passes and what does not, as two tables.

use super::*;

#[track_caller]
fn refused(text: &str, at: &str, reason: &str) {
    let result = check(text);
    assert!(result.is_err(), "passes: {text}");
    if let Err(refusal) = result {
        assert!(refusal.reason.contains(reason), "{text}\n  {}", refusal.reason);
        assert_eq!(&text[refusal.span], at, "{text}");
        assert_eq!(refusal.text, text);
    }
}

#[test]
fn what_reads_passes() {
    for text in [
        "MATCH (n) RETURN n",
        "match (n:Function) where n.name = 'x' return n.name as name order by name desc skip 1 limit 3;",
        "OPTIONAL MATCH (a)-[e:CALLS]->(b) RETURN a, e, b",
        "MATCH p = (a)-[:FLOWS_TO* SHORTEST 1..10]->(b) RETURN p",
        "MATCH (a)-[e:FLOWS_TO* ALL SHORTEST 1..3 (r, n | WHERE r.confidence > 0.5 | {r.line}, {n.name})]->(b) RETURN e",
        "UNWIND [1, 2] AS x WITH x WHERE x > 1 RETURN x UNION ALL RETURN 3 AS x",
        "MATCH (n) WHERE EXISTS { MATCH (n)-[:CALLS]->(m) WHERE m.name = 'x' } RETURN COUNT { MATCH (n)--(k) }",
        "MATCH (n) RETURN CASE WHEN n.line > 3 THEN 'a' ELSE 'b' END AS side",
        "RETURN list_transform([1], x -> x + 1), [1, 2][1:2], {a: 1}.a, cast('1' AS INT64), -1.5e-3 % .5",
        "EXPLAIN MATCH (n) RETURN n",
        "explain logical MATCH (n) RETURN n",
        "PROFILE MATCH (n) RETURN n",
        "CALL show_tables() RETURN *",
        "CALL TABLE_INFO('Variable') WHERE name = 'id' YIELD name, type AS t RETURN name, t",
        "MATCH (f) CALL show_functions() YIELD name RETURN f, name",
        // Words of forbidden clauses as names, in text and in comments.
        "MATCH (n) RETURN n.set, n.load AS create, n.type AS delete",
        "MATCH (set:Call {merge: 1})-[load:LOAD]->(create:Copy) RETURN set.name, load, set",
        "MATCH (n) WITH n AS `set` RETURN `set`",
        "MATCH (n) RETURN 1 AS load, 'x' AS set, $p AS call, (n) AS merge, [1] AS delete, f(1) AS detach",
        "RETURN 'LOAD FROM \"x\"; DROP TABLE y', \"it's // not /* a comment\", 'it\\'s; CREATE'",
        "/* LOAD FROM 'x' */ RETURN 1 // CREATE (n)",
        "RETURN 1 // SET n.x = 1\r\n",
        "MATCH (import:File), (copy), (drop) RETURN import, copy, drop, export",
        "RETURN `a``;DROP TABLE x` AS ü, $größe, '日本'",
        "RETURN\u{a0}1\u{3000}AS\u{2028}x",
        "RETURN call.x, set_, loader, created, a$load",
        "UNWIND range(0, 999) AS x UNWIND range(-10, 10, 2) AS y RETURN x, y",
        "MATCH p = (a)-[*1..3]->(b) UNWIND range(0, length(p) - 1) AS i RETURN nodes(p)[i]",
        "MATCH (n) RETURN string_split(n.tags, ' '), split_part(n.name, '_', 1), n.range",
    ] {
        assert!(check(text).is_ok(), "{text}\n  {:?}", check(text));
    }
}

#[test]
fn what_writes_or_reads_elsewhere_does_not() {
    let reading = "only reading";
    let begins = "begins with";
    let callable = "CALL may only name";
    for (text, at, reason) in [
        ("CREATE (n:Function {id: 1})", "CREATE", begins),
        ("MATCH (n) CREATE (m:Function {id: 1})", "CREATE", reading),
        ("MATCH (n) SET n.name = ''", "SET", reading),
        ("MATCH (n)SET n.name = ''", "SET", reading),
        ("MATCH (n) DELETE n", "DELETE", reading),
        ("MATCH (n) detach delete n", "detach", reading),
        ("MATCH (n) MERGE (m:Function {id: 1}) RETURN m", "MERGE", reading),
        ("LOAD FROM '/etc/passwd' RETURN *", "LOAD", begins),
        ("MATCH (n) LOAD FROM '/etc/passwd' RETURN *", "LOAD", reading),
        ("MATCH (n)lOaD/**/FROM '/etc/passwd' RETURN *", "lOaD", reading),
        (
            "UNWIND [1]AS x LOAD WITH HEADERS (a STRING) FROM 'x.csv' RETURN *",
            "LOAD",
            reading,
        ),
        ("LOAD EXTENSION json", "LOAD", begins),
        ("COPY (MATCH (n) RETURN n) TO 'x.csv'", "COPY", begins),
        ("COPY Function FROM 'x.csv'", "COPY", begins),
        ("EXPORT DATABASE 'x'", "EXPORT", begins),
        ("IMPORT DATABASE 'x'", "IMPORT", begins),
        ("ATTACH 'x' AS y (dbtype duckdb)", "ATTACH", begins),
        ("DETACH y", "DETACH", begins),
        ("USE y", "USE", begins),
        ("INSTALL httpfs", "INSTALL", begins),
        ("FORCE INSTALL httpfs", "FORCE", begins),
        ("UNINSTALL httpfs", "UNINSTALL", begins),
        ("UPDATE httpfs", "UPDATE", begins),
        ("DROP TABLE Function", "DROP", begins),
        ("ALTER TABLE Function ADD x INT64", "ALTER", begins),
        ("COMMENT ON TABLE Function IS 'x'", "COMMENT", begins),
        ("BEGIN TRANSACTION", "BEGIN", begins),
        ("COMMIT", "COMMIT", begins),
        ("ROLLBACK", "ROLLBACK", begins),
        ("CHECKPOINT", "CHECKPOINT", begins),
        ("EXPLAIN CREATE (n)", "CREATE", begins),
        ("PROFILE COPY (MATCH (n) RETURN n) TO 'x.csv'", "COPY", begins),
        ("EXPLAIN PROFILE RETURN 1", "PROFILE", begins),
        ("`MATCH` (n) RETURN n", "`MATCH`", begins),
        ("CALL threads=8", "threads", callable),
        ("CALL show_tables=8", "show_tables", callable),
        (
            "CALL project_graph('g', ['Function'], ['CALLS'])",
            "project_graph",
            callable,
        ),
        ("CALL clear_warnings()", "clear_warnings", callable),
        ("CALL create_fts_index('a', 'b', ['c'])", "create_fts_index", callable),
        ("CALL json_scan('/etc/passwd') RETURN *", "json_scan", callable),
        ("CALL `show_tables`() RETURN *", "`show_tables`", callable),
        ("CALL { CREATE (n) } RETURN 1", "{", callable),
        ("MATCH (n) CALL threads=8 RETURN n", "threads", callable),
        ("RETURN nextval('s')", "nextval", "sequences"),
        ("MATCH (n {id: NextVal ('s')}) RETURN n", "NextVal", "sequences"),
    ] {
        refused(text, at, reason);
    }
}

#[test]
fn a_word_that_may_be_a_clause_is_taken_for_one() {
    // Keywords as names make the word before say nothing: `return`, `as` and `with` may be variables.
    for (text, at) in [
        ("WITH 1 AS AS LOAD FROM '/etc/passwd' RETURN *", "LOAD"),
        ("MATCH (as) WITH as LOAD FROM '/etc/passwd' RETURN *", "LOAD"),
        ("MATCH (as) WITH DISTINCT as LOAD FROM '/etc/passwd' RETURN *", "LOAD"),
        ("MATCH (return) WITH return SET return.name = ''", "SET"),
        ("MATCH (n) WITH * SET n.name = ''", "SET"),
        ("MATCH (n) WITH n ORDER BY as LOAD FROM 'x' RETURN *", "LOAD"),
        ("MATCH (n) HINT a MULTI_JOIN as LOAD FROM 'x' RETURN *", "LOAD"),
        ("MATCH (n) WITH n AS as LOAD FROM 'x' RETURN *", "LOAD"),
        ("UNWIND [1] AS xSET SET n.x = 1", "SET"),
        ("UNWIND [1] AS `x`SET n.x = 1", "SET"),
        ("MATCH (set) RETURN set ORDER BY set.name", "set"),
        ("MATCH (n) WITH n LOAD /*.*/ FROM 'x' RETURN *", "LOAD"),
        ("MATCH (n) SET .5", "SET"),
    ] {
        refused(text, at, "only reading");
    }
}

#[test]
fn only_one_statement_passes() {
    for (text, at) in [
        ("RETURN 1; RETURN 2", "RETURN 2"),
        ("RETURN 1;;", ";"),
        ("RETURN 1; /* x */ DROP TABLE Function;", "DROP TABLE Function;"),
        ("RETURN ';' ; CREATE (n)", "CREATE (n)"),
    ] {
        refused(text, at, "one statement");
    }
    for text in ["", "  ", ";", "// RETURN 1", "/* RETURN 1 */"] {
        refused(text, text, "no query");
    }
    refused("EXPLAIN", "EXPLAIN", "no query");
}

#[test]
fn what_the_engine_may_read_otherwise_does_not_pass() {
    for (text, at, reason) in [
        ("RETURN 'a", "'a", "no closing quote"),
        ("RETURN \"a' LOAD FROM 'b", "\"a' LOAD FROM 'b", "no closing quote"),
        ("RETURN `a", "`a", "no closing backtick"),
        ("RETURN 1 /* a", "/* a", "no end"),
        ("RETURN 1 /*/", "/*/", "no end"),
        ("RETURN 1 /* **/ + 2 /* */", "/* **/", "ambiguous"),
        ("RETURN 1 /***/", "/***/", "ambiguous"),
        ("RETURN 1 // a\rLOAD FROM 'x'", "// a\rLOAD FROM 'x'", "ambiguous"),
        ("RETURN 'a\\x' LOAD FROM 'b'", "\\x", "escape"),
        ("RETURN 'a\\u12' + 'b'", "\\u", "escape"),
        ("RETURN 1\u{85}LOAD", "\u{85}", "no place"),
        ("RETURN 1\u{200b}", "\u{200b}", "no place"),
        ("\u{feff}RETURN 1", "\u{feff}", "no place"),
        ("RETURN 1\0", "\0", "no place"),
        ("MATCH (a)\u{2014}(b) RETURN a", "\u{2014}", "no place"),
        ("RETURN a@b", "@", "no place"),
        ("RETURN $", "$", "needs a name"),
        ("RETURN (1", "(", "never closed"),
        ("RETURN 1) LOAD FROM 'x'", ")", "closes nothing"),
        ("RETURN [(1]) LOAD FROM 'x'", "]", "closes nothing"),
    ] {
        refused(text, at, reason);
    }
}

#[test]
fn what_would_overflow_the_engines_stack_does_not_pass() {
    let deep = format!("RETURN {}1{}", "(".repeat(101), ")".repeat(101));
    refused(&deep, "(", "nest deeper");
    refused(&format!("RETURN 1{}", " + 1".repeat(2_001)), "+", "operators");
    refused(&format!("RETURN {} true", "NOT ".repeat(2_001)), "NOT", "operators");
    let long = format!("RETURN '{}'", "a".repeat(100_000));
    refused(&long, &long, "longer than");
}

#[test]
fn calls_that_the_engine_does_not_survive_do_not_pass() {
    let bounds = "bounds of range";
    let most = "at most";
    let separator = "separator";
    for (text, at, reason) in [
        ("UNWIND range(1, 1000000000) AS x RETURN x", "range", most),
        (
            "UNWIND range(1, 10000) AS x UNWIND RANGE(1, 10000) AS y RETURN x",
            "RANGE",
            most,
        ),
        (
            "RETURN list_transform(range(1, 10000), x -> range(1, 10000))",
            "range",
            most,
        ),
        ("RETURN `range`(1, 99999999)", "`range`", most),
        ("RETURN range(-9223372036854775807, 9223372036854775807)", "range", most),
        ("RETURN range(1, 1000 * 1000000)", "range", bounds),
        ("RETURN range(1, $n)", "range", bounds),
        ("UNWIND [10000000000] AS n RETURN range(1, n)", "range", bounds),
        ("RETURN range(1, length(p) * 100000)", "range", bounds),
        ("RETURN range(1)", "range", bounds),
        ("RETURN range(1, 99999999999999999999)", "range", bounds),
        ("RETURN string_split('é', '')", "string_split", separator),
        ("RETURN split_part('é', $s, 1)", "split_part", separator),
        ("RETURN string_split('é')", "string_split", separator),
        ("RETURN str_split('é', ' ' + '')", "str_split", separator),
    ] {
        refused(text, at, reason);
    }
}

#[test]
fn a_passed_text_is_described() -> Result<(), Refusal> {
    let text = "  MATCH (n {id: $id}) RETURN n, $id, $1 ; // x";
    let checked = check(text)?;
    assert_eq!(
        &text[checked.statement.clone()],
        "MATCH (n {id: $id}) RETURN n, $id, $1"
    );
    assert_eq!(checked.parameters, ["id", "1"]);
    assert!(checked.returns && !checked.limited && !checked.union && !checked.plan);

    assert!(check("RETURN 1 LIMIT 3")?.limited);
    assert!(!check("WITH 1 AS x LIMIT 3 RETURN x")?.limited);
    assert!(!check("RETURN n.limit, 1 AS limit")?.limited);
    assert!(check("RETURN 1 UNION RETURN 2 LIMIT 1")?.union);
    assert!(check("PROFILE RETURN 1")?.plan);
    assert!(!check("CALL show_tables()")?.returns);
    Ok(())
}
