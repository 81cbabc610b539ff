//! The routes over a real, small index, without a port: what is answered, what is refused, and in which shape.

use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use ripple_graphdb::{Build, Limits, Writer};
use ripple_schema::{
    Edge, EdgeKind, FileId, FileStatus, Graph, How, IndexedFile, Language, Node, NodeId, NodeKind, Rule, Site,
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::*;

mod asking;

/// A router, and the index that it serves for as long as this is held.
struct Fixture {
    router: Router,
    _index: tempfile::TempDir,
}

struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    fn header(&self, name: header::HeaderName) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn fixture(token: Option<&str>, origins: &[&str]) -> Result<Fixture, Box<dyn std::error::Error>> {
    fixture_with(token, origins, |_, _| Rooms::default())
}

/// A store over the same index, which is there for as long as the folder is held.
pub(crate) fn store() -> Result<(Store, tempfile::TempDir), Box<dyn std::error::Error>> {
    let index = built()?;
    Ok((Store::open(index.path(), 64 << 20, 2)?, index))
}

fn built() -> Result<tempfile::TempDir, Box<dyn std::error::Error>> {
    let index = tempfile::tempdir()?;
    let graph = graph();
    let build = Build {
        graph: &graph,
        sources: &[Arc::from(*b"y = x\n")],
        mentions: &[],
        roots: Vec::new(),
        memory_bytes: 64 << 20,
        most_memory_bytes: 1 << 30,
        threads: 1,
        search: None,
    };
    Writer::acquire(index.path())?.build(&build, &|_| ())?;
    Ok(index)
}

fn fixture_with(
    token: Option<&str>,
    origins: &[&str],
    rooms: impl FnOnce(&Store, &Arc<Searching>) -> Rooms,
) -> Result<Fixture, Box<dyn std::error::Error>> {
    let index = built()?;
    let settings = Settings {
        index: index.path().into(),
        address: SocketAddr::from(([127, 0, 0, 1], 7474)),
        token: token.map(Token::new),
        hosts: Vec::new(),
        origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
        limits: Limits {
            rows: 3,
            memory_bytes: 64 << 20,
            ..Limits::default()
        },
        concurrency: 1,
        search: crate::retrieve::Options::default(),
        source: ripple_extractor::Options::default(),
        llm: LlmSettings::default(),
    };
    let (router, _) = router_with(settings, rooms)?;
    Ok(Fixture { router, _index: index })
}

/// `y = x` on line 1 of `a.py`.
fn graph() -> Graph {
    let site = Site {
        file: FileId(0),
        line: 1,
        column: 1,
    };
    let variable = |name: &str| Node {
        id: NodeId::of(Language::Python, NodeKind::Variable, name, 0),
        label: NodeKind::Variable,
        name: name.into(),
        qualified_name: format!("a.{name}"),
        kind: "global",
        language: Language::Python,
        site: Some(site),
        end_line: 1,
        signature: String::new(),
        doc: String::new(),
        type_text: String::new(),
        exported: true,
        test: false,
        whole: false,
        tags: String::new(),
    };
    let nodes = vec![variable("x"), variable("y")];
    let (from, to) = (nodes[0].id, nodes[1].id);
    let edge = Edge {
        kind: EdgeKind::FlowsTo,
        from,
        to,
        site,
        rule: Rule::Syntax,
        how: How::Assign,
    };
    let status = FileStatus::Indexed;
    let file = IndexedFile {
        path: "a.py".into(),
        language: Language::Python,
        hash: 1,
        bytes: 6,
        lines: 1,
        status,
    };
    let mut graph = Graph {
        files: vec![file],
        nodes,
        edges: vec![edge],
        diagnostics: Vec::new(),
    };
    graph.normalize();
    graph
}

impl Fixture {
    async fn send(&self, request: Request<Body>) -> Result<Reply, Box<dyn std::error::Error>> {
        let response = self.router.clone().oneshot(request).await?;
        let (head, body) = response.into_parts();
        let body = String::from_utf8(to_bytes(body, 1 << 24).await?.to_vec())?;
        Ok(Reply {
            status: head.status,
            headers: head.headers,
            body,
        })
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Result<Reply, Box<dyn std::error::Error>> {
        self.send(request("GET", path, headers, Body::empty())?).await
    }

    async fn post(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Reply, Box<dyn std::error::Error>> {
        self.send(request("POST", path, headers, Body::from(body.to_owned()))?)
            .await
    }
}

/// A JSON request to localhost, unless the headers say otherwise.
fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Result<Request<Body>, axum::http::Error> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in [("host", "localhost:7474"), ("content-type", "application/json")] {
        if !headers.iter().any(|(other, _)| *other == name) {
            request = request.header(name, value);
        }
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body)
}

const CYPHER: &str = "/api/v1/cypher";
const NEO4J: &str = "/db/ripple/query/v2";

#[tokio::test]
async fn a_query_is_answered_and_cut_at_the_limit() -> Outcome {
    let server = fixture(None, &[])?;
    let ask = json!({"query": "UNWIND [1, 2, 3, 4] AS n RETURN n + $d AS n", "params": {"d": 1}}).to_string();
    let reply = server.post(CYPHER, &[], &ask).await?;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.body);
    assert_eq!(reply.json()["columns"], json!(["n"]));
    assert_eq!(reply.json()["rows"], json!([[2], [3], [4]]));
    assert_eq!(reply.json()["truncated"], json!(true));

    let ask = json!({"query": "UNWIND [1, 2] AS n RETURN n", "limit": 1}).to_string();
    let reply = server.post(CYPHER, &[("accept", "application/x-ndjson")], &ask).await?;
    assert_eq!(reply.header(header::CONTENT_TYPE), "application/x-ndjson");
    let lines: Vec<_> = reply.body.lines().collect();
    assert_eq!(lines[0], r#"{"columns":["n"],"types":["INT64"]}"#);
    assert_eq!(lines[1], "[1]");
    assert!(
        lines[2].starts_with(r#"{"truncated":true,"elapsed_ms":"#),
        "{}",
        reply.body
    );
    assert!(lines[2].ends_with(r#""rows":1}"#), "{}", reply.body);
    Ok(())
}

#[tokio::test]
async fn nodes_and_relationships_keep_their_shape() -> Outcome {
    let server = fixture(None, &[])?;
    let text = "MATCH p = (x:Variable {name: 'x'})-[e:FLOWS_TO]->(y) RETURN x, e, p";
    let reply = server
        .post(CYPHER, &[], &json!({"query": text}).to_string())
        .await?
        .json();
    let row = &reply["rows"][0];
    assert_eq!(row[0]["labels"], json!(["Variable"]), "{reply}");
    assert_eq!(row[0]["properties"]["qualified_name"], "a.x");
    assert_eq!(row[1]["type"], "FLOWS_TO");
    assert_eq!(row[1]["start"], row[0]["id"]);
    assert_eq!(row[2]["nodes"][1]["properties"]["name"], "y");

    let typed = [("accept", "application/vnd.neo4j.query.v1.1")];
    let reply = server
        .post(NEO4J, &typed, &json!({"statement": text}).to_string())
        .await?
        .json();
    let row = &reply["data"]["values"][0];
    assert_eq!(
        row[0]["_value"]["_properties"]["line"],
        json!({"$type": "Integer", "_value": "1"}),
        "{reply}"
    );
    assert_eq!(
        row[1]["_value"]["_start_node_element_id"],
        row[0]["_value"]["_element_id"]
    );
    let kinds: Vec<_> = row[2]["_value"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|part| part["$type"].clone())
        .collect();
    assert_eq!(kinds, ["Node", "Relationship", "Node"]);
    Ok(())
}

#[tokio::test]
async fn bad_requests_are_told_apart() -> Outcome {
    let server = fixture(None, &[])?;
    let large = json!({"query": "x".repeat(BODY_LIMIT)}).to_string();
    for (body, status, code) in [
        ("{", 400, "bad_request"),
        ("{}", 400, "bad_request"),
        (r#"{"query": 1}"#, 400, "bad_request"),
        (r#"{"query": "RETURN 1", "qery": 1}"#, 400, "bad_request"),
        (r#"{"query": "RETURN 1", "limit": -1}"#, 400, "bad_request"),
        (r#"{"query": "MATCH (f:Function) RETURN g"}"#, 400, "query_error"),
        (r#"{"query": "MATCH (n) DELETE n"}"#, 403, "query_refused"),
        (r#"{"query": "LOAD FROM '/etc/passwd' RETURN *"}"#, 403, "query_refused"),
        (r#"{"query": "RETURN $x"}"#, 422, "bad_parameter"),
        (&large, 413, "body_too_large"),
    ] {
        let reply = server.post(CYPHER, &[], body).await?;
        let found = (reply.status.as_u16(), reply.json()["error"]["code"].clone());
        assert_eq!(found, (status, json!(code)), "{:.80}: {}", body, reply.body);
    }
    let reply = server.post(CYPHER, &[], r#"{"query": "MATCH (n) DELETE n"}"#).await?;
    assert_eq!(reply.json()["error"]["span"]["start"], json!(10), "{}", reply.body);
    let reply = server.post(CYPHER, &[("content-type", "text/plain")], "{}").await?;
    assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(server.get(CYPHER, &[]).await?.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(server.get("/nowhere", &[]).await?.json()["error"]["code"], "not_found");
    Ok(())
}

#[tokio::test]
async fn clients_of_neo4j_are_understood() -> Outcome {
    let server = fixture(None, &[])?;
    let ask = json!({"statement": "RETURN $n AS n", "parameters": {"n": 1}, "accessMode": "READ"}).to_string();
    let reply = server.post(NEO4J, &[], &ask).await?;
    assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.body);
    assert_eq!(reply.json()["data"], json!({"fields": ["n"], "values": [[1]]}));
    assert_eq!(reply.json()["queryType"], "r");

    let typed = "application/vnd.neo4j.query";
    let ask = json!({"statement": "RETURN $n AS n", "includeCounters": true,
        "parameters": {"n": {"$type": "Integer", "_value": "1"}}})
    .to_string();
    let reply = server
        .post(NEO4J, &[("content-type", typed), ("accept", typed)], &ask)
        .await?;
    assert_eq!(reply.header(header::CONTENT_TYPE), typed);
    assert_eq!(
        reply.json()["data"]["values"],
        json!([[{"$type": "Integer", "_value": "1"}]])
    );
    assert_eq!(reply.json()["counters"]["nodesCreated"], 0);

    let streamed = "application/vnd.neo4j.query.v1.0+jsonl";
    let accept = format!("{streamed}, {typed}, application/json");
    let reply = server
        .post(NEO4J, &[("content-type", typed), ("accept", &accept)], &ask)
        .await?;
    assert_eq!(reply.header(header::CONTENT_TYPE), streamed);
    let lines: Vec<Value> = reply.body.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    assert_eq!(lines[0], json!({"$event": "Header", "_body": {"fields": ["n"]}}));
    assert_eq!(
        lines[1],
        json!({"$event": "Record", "_body": [{"$type": "Integer", "_value": "1"}]})
    );
    assert_eq!(lines[2]["$event"], "Summary");
    assert_eq!(lines[2]["_body"]["counters"]["containsUpdates"], false);
    Ok(())
}

#[tokio::test]
async fn clients_of_neo4j_get_their_errors() -> Outcome {
    let server = fixture(Some("s3cret"), &[])?;
    let basic = ("authorization", "Basic bmVvNGo6czNjcmV0");
    let ask = |text: &str| json!({"statement": text}).to_string();
    for (path, headers, body, status, code) in [
        (
            NEO4J,
            vec![],
            ask("RETURN 1"),
            401,
            "Neo.ClientError.Security.Unauthorized",
        ),
        (
            "/db/neo4j/query/v2",
            vec![basic],
            ask("RETURN 1"),
            404,
            "Neo.ClientError.Database.DatabaseNotFound",
        ),
        (
            NEO4J,
            vec![basic],
            ask("MATCH (f:Function) RETURN g"),
            400,
            "Neo.ClientError.Statement.SyntaxError",
        ),
        (
            NEO4J,
            vec![basic],
            ask("CREATE (n)"),
            403,
            "Neo.ClientError.Statement.AccessMode",
        ),
        (
            NEO4J,
            vec![basic],
            "{}".into(),
            400,
            "Neo.ClientError.Request.InvalidFormat",
        ),
    ] {
        let reply = server.post(path, &headers, &body).await?;
        assert_eq!(reply.status.as_u16(), status, "{path} {body}: {}", reply.body);
        assert_eq!(reply.json()["errors"][0]["code"], code);
    }
    let reply = server.get("/", &[]).await?;
    assert_eq!(
        reply.json()["query"],
        "http://localhost:7474/db/{databaseName}/query/v2"
    );
    assert_eq!(
        server.get("/", &[("accept", "text/html")]).await?.status,
        StatusCode::TEMPORARY_REDIRECT
    );
    Ok(())
}

#[tokio::test]
async fn the_token_guards_what_tells_of_the_code() -> Outcome {
    let server = fixture(Some("s3cret"), &[])?;
    for (path, open) in [
        ("/health", true),
        ("/openapi.json", true),
        ("/docs/", true),
        ("/", true),
        ("/api/v1/schema", false),
        ("/api/v1/status", false),
    ] {
        let expected = if open { StatusCode::OK } else { StatusCode::UNAUTHORIZED };
        assert_eq!(server.get(path, &[]).await?.status, expected, "{path}");
        let reply = server.get(path, &[("authorization", "Bearer s3cret")]).await?;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.body);
    }
    assert_eq!(
        server
            .get("/api/v1/schema", &[])
            .await?
            .header(header::WWW_AUTHENTICATE),
        "Bearer realm=\"ripple\""
    );
    Ok(())
}

#[tokio::test]
async fn the_dashboard_asks_for_no_token_and_loads_nothing_from_elsewhere() -> Outcome {
    let server = fixture(Some("s3cret"), &[])?;
    let home = server.get("/", &[("accept", "text/html")]).await?;
    assert_eq!((home.status.as_u16(), home.header(header::LOCATION)), (307, "/ui/"));
    let page = server.get("/ui/", &[]).await?;
    assert_ne!(page.status, StatusCode::UNAUTHORIZED);
    assert!(page.header(header::CONTENT_TYPE).starts_with("text/html"));
    assert_eq!(page.header(header::CONTENT_SECURITY_POLICY), dashboard::POLICY);
    assert!(!page.body.contains("://"), "{}", page.body);
    let none = server.get("/ui/assets/../../Cargo.toml", &[]).await?;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn other_hosts_and_origins_are_turned_away() -> Outcome {
    let server = fixture(None, &[])?;
    let reply = server.get("/health", &[("host", "evil.example:7474")]).await?;
    assert_eq!(reply.status, StatusCode::MISDIRECTED_REQUEST);
    let origin = ("origin", "https://graph.example.com");
    assert_eq!(
        server
            .get("/health", &[origin])
            .await?
            .header(header::ACCESS_CONTROL_ALLOW_ORIGIN),
        ""
    );

    let server = fixture(None, &["https://graph.example.com"])?;
    let reply = server.get("/health", &[origin]).await?;
    assert_eq!(
        reply.header(header::ACCESS_CONTROL_ALLOW_ORIGIN),
        "https://graph.example.com"
    );
    let reply = server.get("/health", &[("origin", "https://evil.example")]).await?;
    assert_eq!(reply.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "");
    assert!(fixture(None, &["*"]).is_err());
    Ok(())
}

#[tokio::test]
async fn the_manual_is_complete_and_asks_no_other_host() -> Outcome {
    let server = fixture(None, &[])?;
    let document = server.get("/openapi.json", &[]).await?.json();
    for path in [
        CYPHER,
        "/api/v1/schema",
        "/api/v1/status",
        "/health",
        "/db/{database}/query/v2",
        "/",
        "/openapi.json",
    ] {
        assert!(document["paths"][path].is_object(), "{path} is missing");
    }
    for scheme in ["bearer", "basic"] {
        assert!(
            document["components"]["securitySchemes"][scheme].is_object(),
            "{scheme} is missing"
        );
    }
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.contains(&"#/components/schemas/Failure".to_owned()));
    for reference in references {
        let found = document.pointer(reference.trim_start_matches('#'));
        assert!(found.is_some(), "{reference} leads nowhere");
    }
    let page = server.get("/docs/", &[]).await?;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!page.body.contains("//"), "{}", page.body);
    assert!(
        page.header(header::CONTENT_SECURITY_POLICY)
            .starts_with("default-src 'none'; script-src 'self';")
    );
    let script = server.get("/docs/swagger-initializer.js", &[]).await?;
    assert!(
        script.body.contains("/openapi.json") && script.body.contains("\"none\""),
        "{}",
        script.body
    );
    Ok(())
}

#[tokio::test]
async fn the_status_is_of_this_index() -> Outcome {
    let server = fixture(None, &[])?;
    let reply = server.get("/api/v1/status?files=true&work_tree=true", &[]).await?;
    assert_eq!(reply.json()["nodes"]["Variable"], 2, "{}", reply.body);
    assert_eq!(reply.json()["files_in_trouble"], json!([]));
    assert_eq!(reply.json()["work_tree"]["removed"], json!(["a.py"]));
    assert_eq!(
        server.get("/api/v1/status?fils=true", &[]).await?.status,
        StatusCode::BAD_REQUEST
    );
    Ok(())
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
