//! Tools for agents, over stdin and stdout and over HTTP, with two real clients: the protocol's own for Rust, and the one for Python
//! (`tests/setup/python-mcp.txt`).

use std::future::Future;
use std::io::Write as _;
use std::process::{Command, Stdio};

use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use crate::counts::test_data;
use crate::program::{Run, Server, binary, indexed, ripple};
use crate::support::tests_folder;

const TOKEN: [(&str, &str); 1] = [("RIPPLE_TOKEN", "s3cret")];
const GOOD: (&str, &str) = ("authorization", "Bearer s3cret");

fn shop() -> tempfile::TempDir {
    indexed([("shop.py", "def bill(price):\n    total = price\n    return total\n")])
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(future)
}

async fn call(client: &RunningService<RoleClient, ()>, query: &str) -> (String, bool) {
    let arguments = json!({"query": query});
    let request =
        CallToolRequestParams::new("cypher").with_arguments(arguments.as_object().cloned().unwrap_or_default());
    let result = client.call_tool(request).await.expect("an answer");
    let text = result.content[0].as_text().expect("a text").text.clone();
    (text, result.is_error == Some(true))
}

const WHO: &str = "MATCH (f:Function {name: 'bill'}) RETURN f.qualified_name AS name, f.line AS line";

#[test]
fn the_own_client_over_pipes() {
    let folder = shop();
    wait(async {
        let mut command = tokio::process::Command::from(ripple(folder.path(), &["mcp"]));
        let command = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.kill_on_drop(true).spawn().expect("it can be run");
        let (out, input) = (child.stdout.take().expect("piped"), child.stdin.take().expect("piped"));
        let client = ().serve((out, input)).await.expect("a greeting");
        assert_eq!(
            call(&client, WHO).await,
            ("name\tline\nshop.bill\t1\n1 row".into(), false)
        );
        let (refused, is_error) = call(&client, "MATCH (n) DELETE n").await;
        assert!(
            is_error && refused.contains("only reading is allowed") && refused.contains("^^^^^^"),
            "{refused}"
        );
        client.cancel().await.expect("it ends");
        // Its stdin is closed: it ends by itself, and well.
        let ended = tokio::time::timeout(std::time::Duration::from_secs(20), child.wait()).await;
        assert!(ended.expect("it ends").expect("it was ours").success());
    });
}

#[test]
fn the_own_client_over_http() {
    let folder = shop();
    let server = Server::start(folder.path(), &[], &TOKEN);
    wait(async {
        let connect = |token: Option<&str>| {
            let mut config = StreamableHttpClientTransportConfig::with_uri(format!("{}/mcp", server.address));
            if let Some(token) = token {
                config = config.auth_header(token);
            }
            ().serve(StreamableHttpClientTransport::from_config(config))
        };
        let client = connect(Some("s3cret")).await.expect("a greeting");
        assert_eq!(
            call(&client, WHO).await,
            ("name\tline\nshop.bill\t1\n1 row".into(), false)
        );
        assert!(call(&client, "MATCH (n) DELETE n").await.1);
        let names: Vec<String> = client
            .list_all_tools()
            .await
            .expect("tools")
            .into_iter()
            .map(|tool| tool.name.into())
            .collect();
        for name in ["impact", "callers", "explain", "impact_of_change", "search", "cypher"] {
            assert!(names.iter().any(|other| other == name), "{name}: {names:?}");
        }
        let arguments = json!({"target": "price", "depth": 5});
        let flows =
            CallToolRequestParams::new("flows").with_arguments(arguments.as_object().cloned().unwrap_or_default());
        let flows = client.call_tool(flows).await.expect("an answer");
        let text = &flows.content[0].as_text().expect("a text").text;
        assert!(
            text.starts_with("flows of ") && text.contains("shop.bill.total (shop.py:2)") && text.contains("verdict: "),
            "{text}"
        );
        let arguments = json!({"query": "bill"});
        let search =
            CallToolRequestParams::new("search").with_arguments(arguments.as_object().cloned().unwrap_or_default());
        let search = client.call_tool(search).await.expect("an answer");
        let text = &search.content[0].as_text().expect("a text").text;
        assert!(
            text.contains("Function shop.bill (shop.py:1)\n    def bill(price):"),
            "{text}"
        );
        let arguments = json!({"target": "prize"});
        let nothing =
            CallToolRequestParams::new("flows").with_arguments(arguments.as_object().cloned().unwrap_or_default());
        let nothing = client.call_tool(nothing).await.expect("an answer");
        let text = &nothing.content[0].as_text().expect("a text").text;
        assert!(nothing.is_error == Some(true) && text.contains("`prize`"), "{text}");
        client.cancel().await.expect("it ends");
        assert!(connect(None).await.is_err(), "no token, no tools");
        assert!(connect(Some("other")).await.is_err(), "another token, no tools");
    });
}

fn told(way: &[&str]) -> Value {
    let python = test_data("python-mcp").join("bin/python");
    let mut command = Command::new(python);
    command.arg(tests_folder().join("it/mcp/client.py")).args(way);
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
        "PYTHONPATH",
    ] {
        command.env_remove(name);
    }
    Run::of(&mut command).ok().json()
}

#[test]
fn the_client_for_python() {
    let folder = shop();
    let server = Server::start(folder.path(), &[], &TOKEN);
    let (program, url) = (binary(), format!("{}/mcp", server.address));
    let path = folder.path().to_str().expect("a path in UTF-8");
    for way in [
        ["stdio", program.to_str().expect("UTF-8"), path],
        ["http", &url, "s3cret"],
    ] {
        let mut told = told(&way);
        let refused = told["refused"].take();
        assert!(
            refused[0] == true && refused[1].as_str().is_some_and(|said| said.contains("^^^^^^")),
            "{way:?}: {refused}"
        );
        let unknown = told["unknown"].take();
        assert!(
            unknown[0] == true && unknown[1].as_str().is_some_and(|said| said.contains("cypher")),
            "{way:?}: {unknown}"
        );
        let tools = told["tools"].take();
        assert!(
            tools.as_array().is_some_and(|tools| tools.contains(&json!("cypher"))),
            "{way:?}: {tools}"
        );
        assert_eq!(
            told,
            json!({
                "server": "ripple",
                "tools": null,
                "documented": true,
                "rows": [false, "name\tline\nshop.bill\t1\n1 row"],
                "refused": null,
                "unknown": null,
                "resources": ["ripple://schema", "ripple://status"],
                "schema": true,
                "functions": 2,
                "missing": true,
                "many": true,
            }),
            "{way:?}"
        );
    }
}

#[test]
fn who_may_call_tools_over_http() {
    let folder = shop();
    let server = Server::start(folder.path(), &["--allow-origin", "https://good.example"], &TOKEN);
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    });
    let accept = ("accept", "application/json, text/event-stream");
    let post = |headers: &[(&str, &str)], body: &str| server.post("/mcp", headers, body);
    let greeted = post(&[GOOD, accept], &hello.to_string());
    assert_eq!(greeted.status, 200, "{}", greeted.body);
    assert!(greeted.header("mcp-session-id").is_empty(), "no session is kept");
    post(&[accept], &hello.to_string()).failed(401, "unauthorized");
    post(&[GOOD, accept, ("host", "evil.example")], &hello.to_string()).failed(421, "unknown_host");
    for (origin, status) in [
        ("https://evil.example", 403),
        ("null", 403),
        ("https://good.example", 200),
        ("http://localhost:5173", 200),
        ("http://localhost.evil.example", 403),
    ] {
        assert_eq!(
            post(&[GOOD, accept, ("origin", origin)], &hello.to_string()).status,
            status,
            "{origin}"
        );
    }
    assert_eq!(post(&[GOOD, accept], &"x".repeat((1 << 20) + 1)).status, 413);
    for garbage in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/burn"}"#,
        "\u{0}",
    ] {
        let reply = post(&[GOOD, accept], garbage);
        assert!((200..500).contains(&reply.status), "{garbage:?}: {reply:?}");
    }
    // It is still there.
    assert_eq!(post(&[GOOD, accept], &hello.to_string()).status, 200);
}

#[test]
fn garbage_on_stdin_ends_nothing_but_the_pipe() {
    let folder = shop();
    for garbage in ["", "\n", "hello\n", "{\"jsonrpc\": \"2.0\"}\n", "[1, 2", "\u{0}\u{0}\n"] {
        let mut command = ripple(folder.path(), &["mcp"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it can be run");
        let mut input = child.stdin.take().expect("it is piped");
        // It may have ended before it has read all of it.
        let _ = input.write_all(garbage.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        crate::program::calm(&said);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{garbage:?}: {output:?}");
    }
}

#[test]
fn a_folder_without_an_index() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    crate::program::run(folder.path(), &["mcp"]).ended(3, "no index");
}
