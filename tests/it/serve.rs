//! The server from outside, over a real port: answers, limits, the manual, and who may ask.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{ENDLESS, Reply, Run, Server, crowd, indexed, ripple, run};

const CYPHER: &str = "/api/v1/cypher";
const TOKEN: [(&str, &str); 1] = [("RIPPLE_TOKEN", "s3cret")];

fn shop() -> tempfile::TempDir {
    indexed([
        ("shop.py", "def bill(price):\n    total = price\n    return total\n"),
        ("broken.py", "def (:\n"),
    ])
}

fn with_shop(arguments: &[&str], environment: &[(&str, &str)], test: impl FnOnce(&Server, &Path)) {
    let folder = shop();
    test(&Server::start(folder.path(), arguments, environment), folder.path());
}

/// A request written by hand: what a client library would not send.
fn raw(server: &Server, request: &str) -> (u16, String) {
    let address = server.address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("the port is open");
    stream
        .write_all(request.replace('\n', "\r\n").as_bytes())
        .expect("it is read");
    let mut reply = String::new();
    // A reset after the answer is as good as an end.
    let _ = stream.read_to_string(&mut reply);
    let status = reply.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no status: {reply:?}")), reply)
}

#[test]
fn a_question_is_answered_in_json() {
    with_shop(&[], &[], |server, _| {
        let query = "MATCH p = (f:Function {name: $name})-[e:CONTAINS]->(v:Variable {name: 'price'}) RETURN f, e, p, [1] AS list, {a: null} AS map";
        let reply = server.ask(&json!({"query": query, "params": {"name": "bill"}, "limit": 10, "timeout_ms": 10_000}));
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, "application/json"),
            "{}",
            reply.body
        );
        let answer = reply.json();
        assert_eq!(answer["columns"], json!(["f", "e", "p", "list", "map"]));
        assert_eq!(answer["types"][0], "NODE");
        let row = &answer["rows"][0];
        assert_eq!(
            (&row[0]["labels"], &row[0]["properties"]["name"]),
            (&json!(["Function"]), &json!("bill")),
            "{answer}"
        );
        assert_eq!((&row[1]["type"], &row[1]["start"]), (&json!("CONTAINS"), &row[0]["id"]));
        assert_eq!((&row[2]["nodes"][0], &row[2]["relationships"][0]), (&row[0], &row[1]));
        assert_eq!((&row[3], &row[4]), (&json!([1]), &json!({"a": null})));
        assert_eq!(answer["truncated"], false);
        assert!(answer["elapsed_ms"].as_f64().is_some_and(|ms| ms > 0.0), "{answer}");
    });
}

#[test]
fn the_command_line_and_the_server_give_the_same_rows() {
    with_shop(&[], &[], |server, folder| {
        let query = "MATCH (n)-[e]->(m) RETURN n, e, m ORDER BY n.id, m.id, label(e)";
        let rows = run(folder, &["cypher", "--format", "json", query]).ok().json()["rows"].take();
        assert!(rows.as_array().is_some_and(|rows| rows.len() > 5), "{rows}");
        assert_eq!(server.rows(query), rows);
    });
}

#[test]
fn a_question_is_answered_in_lines() {
    with_shop(&[], &[], |server, _| {
        let ask = json!({"query": "UNWIND [1, 2, 3] AS n RETURN n, 'two\nlines' AS t", "limit": 2}).to_string();
        let reply = server.post(CYPHER, &[("accept", "application/x-ndjson")], &ask);
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, "application/x-ndjson")
        );
        let lines: Vec<Value> = reply
            .body
            .lines()
            .map(|line| serde_json::from_str(line).expect("a value a line"))
            .collect();
        assert_eq!(lines[0], json!({"columns": ["n", "t"], "types": ["INT64", "STRING"]}));
        assert_eq!(lines[1..3], [json!([1, "two\nlines"]), json!([2, "two\nlines"])]);
        assert_eq!((&lines[3]["truncated"], &lines[3]["rows"]), (&json!(true), &json!(2)));
        assert_eq!(lines.len(), 4);
        // An error before the first line is an error as always.
        server
            .post(
                CYPHER,
                &[("accept", "application/x-ndjson")],
                r#"{"query": "CREATE (n)"}"#,
            )
            .failed(403, "query_refused");
    });
}

#[test]
fn a_request_may_ask_for_less_than_the_server_allows_and_not_for_more() {
    with_shop(&["--max-rows", "5"], &[], |server, _| {
        for (limit, rows, truncated) in [
            (json!(3), 3, true),
            (json!(0), 0, true),
            (json!(null), 5, true),
            (json!(1_000_000), 5, true),
        ] {
            let answer = server
                .ask(&json!({"query": "UNWIND range(1, 10) AS n RETURN n", "limit": limit}))
                .json();
            assert_eq!(
                (answer["rows"].as_array().map(Vec::len), &answer["truncated"]),
                (Some(rows), &json!(truncated)),
                "{limit}: {answer}"
            );
        }
        let answer = server.ask(&json!({"query": "UNWIND range(1, 5) AS n RETURN n"})).json();
        assert_eq!(answer["truncated"], false, "{answer}");
    });
}

#[test]
fn requests_that_make_no_sense() {
    with_shop(&[], &[], |server, _| {
        for body in [
            "",
            "{",
            "[]",
            "{}",
            "null",
            r#"{"query": 1}"#,
            r#"{"query": "RETURN 1", "limit": -1}"#,
            r#"{"query": "RETURN 1", "timeout_ms": "1s"}"#,
            r#"{"query": "RETURN 1", "params": []}"#,
        ] {
            server.post(CYPHER, &[], body).failed(400, "bad_request");
        }
        let unknown = server.post(CYPHER, &[], r#"{"query": "RETURN 1", "parameters": {}}"#);
        unknown.failed(400, "bad_request");
        assert!(
            unknown.body.contains("unknown field `parameters`") && unknown.body.contains("`params`"),
            "{}",
            unknown.body
        );
        for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
            server
                .post(CYPHER, &[("content-type", content_type)], r#"{"query": "RETURN 1"}"#)
                .failed(415, "unsupported_media_type");
        }
        let utf8 = server.post(
            CYPHER,
            &[("content-type", "Application/JSON; charset=utf-8")],
            r#"{"query": "RETURN 1"}"#,
        );
        assert_eq!(utf8.status, 200, "{}", utf8.body);
        server.get(CYPHER, &[]).failed(405, "method_not_allowed");
        server.get("/nowhere", &[]).failed(404, "not_found");
        server.get("/api/v1/status?fils=true", &[]).failed(400, "bad_request");
        let (status, _) = raw(
            server,
            "POST /api/v1/cypher HTTP/1.1\nHost: localhost\nConnection: close\nContent-Length: 2\n\n{}",
        );
        assert_eq!(status, 415, "without a content type");
        let (status, _) = raw(server, "nonsense\n\n");
        assert_eq!(status, 400);
    });
}

#[test]
fn a_body_has_a_limit() {
    with_shop(&[], &[], |server, _| {
        let of =
            |bytes: usize| json!({"query": "RETURN size($x) AS n", "params": {"x": "x".repeat(bytes)}}).to_string();
        let reply = server.post(CYPHER, &[], &of(1_000_000));
        assert_eq!(reply.json()["rows"], json!([[1_000_000]]), "{}", reply.body);
        server.post(CYPHER, &[], &of(1 << 20)).failed(413, "body_too_large");
        assert_eq!(server.rows("RETURN 1"), json!([[1]]));
    });
}

#[test]
fn schema_status_and_health() {
    with_shop(&[], &[], |server, folder| {
        let schema = server.get("/api/v1/schema", &[]).json();
        assert_eq!(schema, run(folder, &["schema", "--format", "json"]).ok().json());
        let health = server.get("/health", &[]).json();
        assert_eq!(
            (&health["status"], &health["generation"]),
            (&json!("ok"), &json!("000001")),
            "{health}"
        );
        let mut status = server.get("/api/v1/status?files=true&work_tree=true", &[]).json();
        let mut told = run(folder, &["status", "--files", "--format", "json"]).ok().json();
        for status in [&mut status, &mut told] {
            status["age_seconds"] = json!(0);
        }
        assert_eq!(status, told);
        assert_eq!(status["files_in_trouble"][0]["path"], "broken.py", "{status}");
        assert_eq!(status["work_tree"]["moved_on"], false, "{status}");
        std::fs::write(folder.join("shop.py"), "def bill(): pass\n").expect("it is ours");
        let status = server.get("/api/v1/status?work_tree=true", &[]).json();
        assert_eq!(status["work_tree"]["changed"], json!(["shop.py"]), "{status}");
    });
}

#[test]
fn the_manual_names_what_is_served_and_is_whole() {
    with_shop(&[], &[], |server, _| {
        let reply = server.get("/openapi.json", &[]);
        assert_eq!(reply.header("content-type"), "application/json");
        let document = reply.json();
        assert!(
            document["openapi"]
                .as_str()
                .is_some_and(|version| version.starts_with("3.")),
            "{}",
            document["openapi"]
        );
        let mut references = Vec::new();
        collect(&document, &mut references);
        assert!(references.len() > 10, "{references:?}");
        for reference in references {
            let found = reference
                .strip_prefix('#')
                .and_then(|pointer| document.pointer(pointer));
            assert!(found.is_some(), "{reference} leads nowhere");
        }
        let mut asked = 0;
        for (path, methods) in document["paths"].as_object().expect("it lists paths") {
            let served = path.replace("{database}", "ripple");
            for (method, operation) in methods.as_object().expect("it lists methods") {
                let reply = match method.as_str() {
                    "get" => server.get(&served, &[]),
                    _ => server.post(&served, &[], r#"{"query": "RETURN 1", "statement": "RETURN 1"}"#),
                };
                // Our own route reads `query` alone, and says so with a status that is listed as well.
                let listed = &operation["responses"][reply.status.to_string()];
                assert!(
                    listed.is_object(),
                    "{method} {path} answers with {}, which is not listed: {}",
                    reply.status,
                    reply.body
                );
                assert!(
                    !matches!(reply.status, 404 | 405 | 500),
                    "{method} {path}: {}",
                    reply.body
                );
                asked += 1;
            }
        }
        assert!(asked >= 7, "{document}");
        // The example of each request is a good one.
        let example = &document["components"]["schemas"]["Question"]["properties"];
        let ask = json!({"query": example["query"]["example"], "params": {"name": "main"}});
        assert_eq!(server.ask(&ask).status, 200, "{ask}");
    });
}

/// Every `$ref` in a document.
fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        Value::Object(entries) => {
            references.extend(entries.get("$ref").and_then(Value::as_str).map(str::to_owned));
            entries.values().for_each(|value| collect(value, references));
        }
        _ => {}
    }
}

#[test]
fn the_manuals_page_has_all_its_parts() {
    with_shop(&[], &[], |server, _| {
        let page = server.get("/docs/", &[]);
        assert_eq!(page.status, 200);
        assert!(page.header("content-type").starts_with("text/html"));
        let quoted = page
            .body
            .split('"')
            .filter(|word| word.ends_with(".js") || word.ends_with(".css"));
        let parts: Vec<&str> = quoted.collect();
        assert!(parts.len() >= 3, "{}", page.body);
        for part in parts {
            let reply = server.get(&format!("/docs/{}", part.trim_start_matches("./")), &[]);
            assert!(
                reply.status == 200 && !reply.body.is_empty(),
                "{part}: {}",
                reply.status
            );
        }
        assert_eq!(server.get("/docs", &[]).status / 100, 3);
    });
}

#[test]
fn only_known_hosts_are_answered_for() {
    with_shop(&["--allow-host", "graph.example.com"], &[], |server, _| {
        let port = server.address.rsplit(':').next().unwrap_or_default();
        for (host, status) in [
            (format!("127.0.0.1:{port}"), 200),
            (format!("localhost:{port}"), 200),
            ("LOCALHOST".into(), 200),
            ("[::1]:80".into(), 200),
            ("graph.example.com:443".into(), 200),
            ("evil.example".into(), 421),
            ("localhost.evil.example".into(), 421),
            ("127.0.0.1.evil.example".into(), 421),
            ("10.0.0.1".into(), 421),
            (String::new(), 421),
        ] {
            for path in ["/health", "/openapi.json", "/docs/"] {
                let (found, reply) = raw(
                    server,
                    &format!("GET {path} HTTP/1.1\nHost: {host}\nConnection: close\n\n"),
                );
                assert_eq!(found, status, "{host:?} {path}: {reply:.300}");
            }
        }
        let (status, _) = raw(server, "GET /health HTTP/1.0\n\n");
        assert_eq!(status, 421, "without a host");
    });
}

#[test]
fn pages_of_other_origins_read_nothing_unless_told() {
    let origin = ("origin", "https://graph.example.com");
    let allow = "access-control-allow-origin";
    with_shop(&[], &[], |server, _| {
        for reply in [
            server.get("/health", &[origin]),
            server.post(CYPHER, &[origin], r#"{"query": "RETURN 1"}"#),
        ] {
            assert!(
                reply
                    .headers
                    .keys()
                    .all(|name| !name.as_str().starts_with("access-control")),
                "{reply:?}"
            );
        }
    });
    with_shop(&["--allow-origin", "https://graph.example.com"], &TOKEN, |server, _| {
        assert_eq!(
            server.get("/health", &[origin]).header(allow),
            "https://graph.example.com"
        );
        assert_eq!(
            server
                .get("/health", &[("origin", "https://evil.example")])
                .header(allow),
            ""
        );
        // A browser asks before it sends JSON or a token, and cannot send the token with that.
        let asked = "OPTIONS /api/v1/cypher HTTP/1.1\nHost: localhost\nConnection: close\nOrigin: https://graph.example.com\n\
            Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: authorization,content-type\n\n";
        let (status, reply) = raw(server, asked);
        assert!(
            status == 200 && reply.contains("access-control-allow-headers: authorization,content-type"),
            "{reply}"
        );
    });
    let folder = shop();
    run(
        folder.path(),
        &["serve", "--addr", "127.0.0.1:0", "--allow-origin", "*"],
    )
    .ended(2, "--allow-origin *: write scheme, host and port");
}

#[test]
fn a_token_guards_what_tells_of_the_code() {
    with_shop(&[], &TOKEN, |server, _| {
        for (authorization, status) in [
            ("Bearer s3cret", 200),
            ("bearer s3cret", 200),
            ("Basic bmVvNGo6czNjcmV0", 200),
            ("Bearer s3cre", 401),
            ("Bearer s3cret2", 401),
            ("Bearer ", 401),
            ("Basic bmVvNGo6d3Jvbmc=", 401),
            ("s3cret", 401),
        ] {
            let headers = [("authorization", authorization)];
            assert_eq!(
                server.post(CYPHER, &headers, r#"{"query": "RETURN 1"}"#).status,
                status,
                "{authorization}"
            );
            for path in ["/api/v1/schema", "/api/v1/status"] {
                assert_eq!(server.get(path, &headers).status, status, "{authorization} {path}");
            }
        }
        let missing = server.post(CYPHER, &[], r#"{"query": "RETURN 1"}"#);
        missing.failed(401, "unauthorized");
        assert_eq!(missing.header("www-authenticate"), "Bearer realm=\"ripple\"");
        for path in ["/health", "/openapi.json", "/docs/", "/"] {
            assert_eq!(server.get(path, &[]).status, 200, "{path}");
        }
        assert!(
            !server.log().contains("s3cret") && server.log().contains("status=401"),
            "{}",
            server.log()
        );
    });
}

#[test]
fn other_machines_are_let_in_with_a_token_alone() {
    let folder = shop();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        run(folder.path(), &["serve", "--addr", address]).ended(
            2,
            "can be reached from other machines; set RIPPLE_TOKEN, or listen on 127.0.0.1",
        );
    }
    for token in ["", "  "] {
        let mut serve = ripple(folder.path(), &["serve", "--addr", "0.0.0.0:0"]);
        Run::of(serve.env("RIPPLE_TOKEN", token)).ended(2, "RIPPLE_TOKEN is empty");
    }
    let server = Server::start_at("0.0.0.0:0", folder.path(), &[], &TOKEN);
    assert_eq!(server.get("/api/v1/schema", &[]).status, 401);
    assert_eq!(
        server
            .get("/api/v1/schema", &[("authorization", "Bearer s3cret")])
            .status,
        200
    );
    // Any address will do, since all are listened on; a name that somebody made to point here will not.
    let ask = |host: &str| {
        raw(
            &server,
            &format!("GET /health HTTP/1.1\nHost: {host}\nConnection: close\n\n"),
        )
        .0
    };
    assert_eq!((ask("192.0.2.1"), ask("evil.example")), (200, 421));
}

#[test]
fn a_port_that_is_taken() {
    with_shop(&[], &[], |server, folder| {
        let taken = server.address.trim_start_matches("http://");
        run(folder, &["serve", "--addr", taken]).ended(7, "is another server there? --addr takes another address");
    });
}

/// One place to run and eight to wait: of twenty questions at once that take their whole time, nine at least are let in.
#[test]
fn too_many_questions_at_once() {
    let folder = indexed([("crowd.py", crowd().as_str())]);
    let server = Server::start(folder.path(), &["--concurrency", "1"], &[]);
    let endless = json!({"query": ENDLESS, "timeout_ms": 300});
    let replies: Vec<Reply> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..20).map(|_| scope.spawn(|| server.ask(&endless))).collect();
        assert_eq!(
            server.get("/health", &[]).status,
            200,
            "the server is up, whatever is asked of it"
        );
        asking
            .into_iter()
            .map(|asking| asking.join().expect("there is an answer"))
            .collect()
    });
    let (turned_away, let_in): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 503);
    assert!(
        !turned_away.is_empty() && let_in.len() >= 9,
        "{} of 20 were turned away",
        turned_away.len()
    );
    for reply in turned_away {
        reply.failed(503, "overloaded");
        assert_eq!(reply.header("retry-after"), "1");
    }
    for reply in let_in {
        reply.failed(504, "timeout");
    }
    assert_eq!(server.rows("RETURN 1"), json!([[1]]));
}

#[test]
fn the_log_tells_of_requests_and_not_of_what_they_say() {
    with_shop(&[], &[], |server, _| {
        server.ask(&json!({"query": "RETURN $mine AS x, 'whispered'", "params": {"mine": "whispered"}}));
        server.ask(&json!({"query": "CREATE (whispered)"}));
        let log = server.log();
        assert!(log.contains("method=POST path=\"/api/v1/cypher\" status=200"), "{log}");
        assert!(log.contains("status=403") && !log.contains("whispered"), "{log}");
    });
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_well() {
    let folder = shop();
    let mut child = crate::program::Running(
        ripple(folder.path(), &["serve", "--addr", "127.0.0.1:0"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the binary can be run"),
    );
    let mut first = [0];
    child
        .stdout
        .take()
        .expect("it is piped")
        .read_exact(&mut first)
        .expect("it says where it listens");
    let sent = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(sent.is_ok_and(|status| status.success()), "kill is part of every Unix");
    assert_eq!(child.wait().expect("it is ours").code(), Some(0));
}
