//! `POST /db/ripple/query/v2` from outside: the requests that Neo4j's Query API documents, and a real client for it.
//!
//! The client is `@neo4j-labs/experimental-query-api-wrapper`, by Neo4j's own driver team: the one package that speaks this API (the
//! `neo4j-driver` of each language speaks Bolt). `tests/setup/fetch.py` brings it; where Node is missing, its test says so and is
//! skipped, and the documented requests below stand alone.

use std::path::PathBuf;
use std::process::Command;

use base64::Engine as _;
use serde_json::{Value, json};

use crate::program::{ENDLESS, Reply, Run, Server, crowd, indexed};
use crate::support::{test_data, tests_folder};

const QUERY: &str = "/db/ripple/query/v2";
/// `neo4j:verysecret`, as the documentation has it.
const BASIC: (&str, &str) = ("authorization", "Basic bmVvNGo6dmVyeXNlY3JldA==");
const TYPED: &str = "application/vnd.neo4j.query";

fn with_shop(test: impl FnOnce(&Server)) {
    let folder = indexed([
        ("shop.py", "def bill(price):\n    total = price\n    return total\n"),
        ("crowd.py", &crowd()),
    ]);
    test(&Server::start(folder.path(), &[], &[("RIPPLE_TOKEN", "verysecret")]));
}

fn ask(server: &Server, body: &Value) -> Reply {
    server.post(QUERY, &[BASIC, ("accept", "application/json")], &body.to_string())
}

/// Typed in both directions.
fn ask_typed(server: &Server, body: &Value) -> Reply {
    server.post(
        QUERY,
        &[BASIC, ("content-type", TYPED), ("accept", TYPED)],
        &body.to_string(),
    )
}

#[test]
fn the_documented_request() {
    with_shop(|server| {
        let body = json!({"statement": "MATCH (n:Function {name: $name}) RETURN n AS found, $age AS age", "parameters": {"name": "bill", "age": 42}});
        let reply = ask(server, &body);
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (202, "application/json"),
            "{}",
            reply.body
        );
        let answer = reply.json();
        assert_eq!(answer["data"]["fields"], json!(["found", "age"]));
        let row = &answer["data"]["values"][0];
        assert_eq!(
            (&row[0]["labels"], &row[0]["properties"]["name"], &row[1]),
            (&json!(["Function"]), &json!("bill"), &json!(42)),
            "{answer}"
        );
        assert!(row[0]["elementId"].is_string(), "{answer}");
        assert!(
            answer["bookmarks"][0].is_string() && answer.get("errors").is_none(),
            "{answer}"
        );
    });
}

/// The request to the letter, writing as it does: it is understood, and refused as a database in read-only mode would.
#[test]
fn the_documented_request_to_the_letter_only_lacks_leave_to_write() {
    with_shop(|server| {
        let body = json!({"statement": "MERGE (n:Person {name: $name, age: $age}) RETURN n AS alice", "parameters": {"name": "Alice", "age": 42}});
        is_error(&ask(server, &body), 403, "Neo.ClientError.Statement.AccessMode");
    });
}

/// What a person types, where `curl` is installed.
#[test]
fn the_documented_request_through_curl() {
    with_shop(|server| {
        let mut curl = Command::new("curl");
        curl.args([
            "--silent",
            "--noproxy",
            "*",
            "--location",
            &format!("{}{QUERY}", server.address),
            "--user",
            "neo4j:verysecret",
        ]);
        curl.args([
            "--header",
            "Content-Type: application/json",
            "--header",
            "Accept: application/json",
        ]);
        curl.args([
            "--data",
            r#"{"statement": "RETURN $x + 1 AS n", "parameters": {"x": 1}}"#,
        ]);
        if curl.output().is_err() {
            println!("skipped: curl is not installed");
            return;
        }
        let answer = Run::of(&mut curl).ok().json();
        assert_eq!(answer["data"], json!({"fields": ["n"], "values": [[2]]}), "{answer}");
    });
}

#[test]
fn typed_values_in_both_directions() {
    with_shop(|server| {
        let statement = "MATCH p = (f:Function)-[e:CONTAINS]->(v:Variable {name: 'price'}) \
            RETURN $n AS n, $list AS list, $map AS map, 1.5 AS half, true AS yes, null AS empty, f, e, p";
        let (integer, text) = (
            json!({"$type": "Integer", "_value": "9007199254740993"}),
            json!({"$type": "String", "_value": "a"}),
        );
        let list = json!({"$type": "List", "_value": [text, text]});
        let map = json!({"$type": "Map", "_value": {"k": integer}});
        let reply = ask_typed(
            server,
            &json!({"statement": statement, "parameters": {"n": integer, "list": list, "map": map}}),
        );
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (202, TYPED),
            "{}",
            reply.body
        );
        let answer = reply.json();
        let row = answer["data"]["values"][0].as_array().expect("a row");
        assert_eq!(row[..3], [integer, list, map]);
        assert_eq!(
            row[3..6],
            [
                json!({"$type": "Float", "_value": "1.5"}),
                json!({"$type": "Boolean", "_value": true}),
                json!({"$type": "Null", "_value": null})
            ]
        );
        assert_eq!(
            (&row[6]["$type"], &row[6]["_value"]["_labels"]),
            (&json!("Node"), &json!(["Function"])),
            "{answer}"
        );
        assert_eq!(
            row[6]["_value"]["_properties"]["line"],
            json!({"$type": "Integer", "_value": "1"})
        );
        assert_eq!(
            (&row[7]["$type"], &row[7]["_value"]["_type"]),
            (&json!("Relationship"), &json!("CONTAINS"))
        );
        assert_eq!(
            row[7]["_value"]["_start_node_element_id"],
            row[6]["_value"]["_element_id"]
        );
        assert_eq!(
            row[8],
            json!({"$type": "Path", "_value": [row[6], row[7], row[8]["_value"][2]]})
        );
    });
}

#[test]
fn plain_values_keep_their_shape() {
    with_shop(|server| {
        let statement = "MATCH p = (f:Function)-[e:CONTAINS]->(v:Variable {name: 'price'}) RETURN f, e, p, [1, 2] AS list, {a: null} AS map";
        let answer = ask(server, &json!({"statement": statement})).json();
        let row = answer["data"]["values"][0].as_array().expect("a row");
        assert_eq!(
            (&row[1]["type"], &row[1]["startNodeElementId"]),
            (&json!("CONTAINS"), &row[0]["elementId"]),
            "{answer}"
        );
        assert_eq!(row[1]["endNodeElementId"], row[2][2]["elementId"]);
        assert_eq!((&row[2][0], &row[2][1]), (&row[0], &row[1]));
        assert_eq!(row[3..], [json!([1, 2]), json!({"a": null})]);
    });
}

#[test]
fn counters_time_limits_and_fields_that_change_nothing() {
    with_shop(|server| {
        let answer = ask(
            server,
            &json!({"statement": "RETURN 1", "includeCounters": true, "accessMode": "READ", "bookmarks": ["FB:abc"],
            "impersonatedUser": "ada", "txMetadata": {"a": 1}, "maxExecutionTime": 10}),
        )
        .json();
        assert_eq!(answer["data"]["values"], json!([[1]]), "{answer}");
        assert_eq!(
            (
                &answer["counters"]["containsUpdates"],
                &answer["counters"]["nodesCreated"]
            ),
            (&json!(false), &json!(0)),
            "{answer}"
        );
        is_error(
            &ask(server, &json!({"statement": ENDLESS, "maxExecutionTime": 1})),
            504,
            "Neo.ClientError.Transaction.TransactionTimedOut",
        );
    });
}

#[track_caller]
fn is_error(reply: &Reply, status: u16, code: &str) {
    assert_eq!(reply.status, status, "{}", reply.body);
    let body = reply.json();
    let [error] = body["errors"].as_array().map(Vec::as_slice).unwrap_or_default() else {
        panic!("{body}")
    };
    assert_eq!(error["code"], code, "{body}");
    assert!(
        error["message"].as_str().is_some_and(|message| !message.is_empty()),
        "{body}"
    );
    assert!(body.get("data").is_none(), "{body}");
}

#[test]
fn errors_have_neo4js_shape_and_codes() {
    with_shop(|server| {
        let failed = |statement: &str, status: u16, code: &str| {
            is_error(&ask(server, &json!({"statement": statement})), status, code)
        };
        failed(
            "MATCH (n:Function) RETRUN n",
            400,
            "Neo.ClientError.Statement.SyntaxError",
        );
        failed(
            "MATCH (n:Nothing) RETURN n",
            400,
            "Neo.ClientError.Statement.SyntaxError",
        );
        failed("MATCH (n) DETACH DELETE n", 403, "Neo.ClientError.Statement.AccessMode");
        failed(
            "LOAD FROM '/etc/passwd' RETURN *",
            403,
            "Neo.ClientError.Statement.AccessMode",
        );
        failed("RETURN $x", 422, "Neo.ClientError.Statement.TypeError");
        let invalid = "Neo.ClientError.Request.InvalidFormat";
        is_error(&server.post(QUERY, &[BASIC], "{"), 400, invalid);
        is_error(&server.post(QUERY, &[BASIC], "{}"), 400, invalid);
        is_error(
            &server.post(QUERY, &[BASIC, ("content-type", "text/plain")], "{}"),
            415,
            invalid,
        );
        let wrong_type = json!({"statement": "RETURN $x", "parameters": {"x": {"$type": "Integer", "_value": 1}}});
        is_error(
            &ask_typed(server, &wrong_type),
            422,
            "Neo.ClientError.Statement.TypeError",
        );
    });
}

#[test]
fn another_database_and_another_password() {
    with_shop(|server| {
        let body = r#"{"statement": "RETURN 1"}"#;
        is_error(
            &server.post("/db/neo4j/query/v2", &[BASIC], body),
            404,
            "Neo.ClientError.Database.DatabaseNotFound",
        );
        let unauthorized = "Neo.ClientError.Security.Unauthorized";
        let wrong = format!("Basic {}", base64::prelude::BASE64_STANDARD.encode("neo4j:another"));
        is_error(
            &server.post(QUERY, &[("authorization", &wrong)], body),
            401,
            unauthorized,
        );
        let missing = server.post(QUERY, &[], body);
        is_error(&missing, 401, unauthorized);
        assert_eq!(missing.header("www-authenticate"), "Basic realm=\"ripple\"");
        // Who may not ask is not told which databases there are.
        is_error(&server.post("/db/neo4j/query/v2", &[], body), 401, unauthorized);
        assert_eq!(
            server
                .post(QUERY, &[("authorization", "Bearer verysecret")], body)
                .status,
            202
        );
    });
}

#[test]
fn a_client_finds_its_way_from_the_root() {
    with_shop(|server| {
        let found = server.get("/", &[("accept", "application/json")]).json();
        assert_eq!(
            found["query"],
            json!(format!("{}/db/{{databaseName}}/query/v2", server.address)),
            "{found}"
        );
        assert!(
            found["neo4j_version"]
                .as_str()
                .is_some_and(|version| version.starts_with("5.")),
            "{found}"
        );
    });
}

#[test]
fn a_real_client() {
    let folder = test_data().join("query-api-client");
    if !folder.is_dir() {
        println!(
            "skipped: {} is not there; python3 tests/setup/fetch.py tests brings it, if Node is installed",
            folder.display()
        );
        return;
    }
    let script: PathBuf = tests_folder().join("it/neo4j/client.mjs");
    with_shop(|server| {
        let mut node = Command::new("node");
        node.arg(&script).arg(&folder).args([&server.address, "verysecret"]);
        for proxy in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "NODE_OPTIONS"] {
            node.env_remove(proxy);
        }
        let told = Run::of(&mut node).ok().json();
        assert_eq!(
            told,
            json!({
                "rows": 1,
                "keys": ["f", "e", "p", "eight", "half", "list", "map", "empty"],
                "node": [true, ["Function"], "bill", true],
                "relationship": [true, "CONTAINS", true],
                "path": [true, 1, "price"],
                "scalars": [8, 1.5, ["a", "b"], {"a": true}, null],
                "updates": false,
                "nothing": 0,
                "refused": "Neo.ClientError.Statement.AccessMode",
                "unclear": "Neo.ClientError.Statement.SyntaxError",
                "missing": "Neo.ClientError.Statement.TypeError",
                "wrong": "Neo.ClientError.Database.DatabaseNotFound",
                "stranger": "Neo.ClientError.Security.Unauthorized",
            })
        );
    });
}
