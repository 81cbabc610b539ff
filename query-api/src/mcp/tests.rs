//! The tools over a pipe, as the protocol's own client calls them, with operations that say what a test tells them to.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResult, ReadResourceRequestParams};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};

use super::*;
use crate::seam::{Boxed, OperationInfo, Operations};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// One operation, `callers`, which tells its parameters back.
struct Table;

impl Operations for Table {
    fn list(&self) -> Vec<OperationInfo> {
        vec![OperationInfo {
            name: "callers".into(),
            summary: "Who calls this".into(),
            parameters: json!({
                "type": "object",
                "properties": {"target": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["target"],
            }),
        }]
    }

    fn call(&self, name: &str, parameters: Value) -> Boxed<'_, Result<Value, Error>> {
        let name = name.to_owned();
        Box::pin(async move {
            if parameters["target"] == "nothing" {
                return Err(Error::Parameter {
                    name: "target".into(),
                    message: "nothing is called `nothing`".into(),
                });
            }
            Ok(json!({"asked": name, "with": parameters, "empty": []}))
        })
    }
}

async fn client(
    operations: Option<Arc<dyn Operations>>,
) -> Outcome<(RunningService<RoleClient, ()>, tempfile::TempDir)> {
    let (fixture, index) = crate::serve::tests::store()?;
    let desk = Desk {
        store: fixture,
        rooms: Rooms {
            answerer: None,
            operations,
        },
        index: index.path().into(),
        limits: Limits::default(),
    };
    let (here, there) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        if let Ok(server) = (Tools { desk: Arc::new(desk) }).serve(there).await {
            let _ = server.waiting().await;
        }
    });
    Ok((().serve(here).await?, index))
}

async fn call(
    client: &RunningService<RoleClient, ()>,
    name: &'static str,
    arguments: Value,
) -> Outcome<(String, bool)> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let result: CallToolResult = client
        .call_tool(CallToolRequestParams::new(name).with_arguments(arguments))
        .await?;
    let text = result
        .content
        .first()
        .and_then(|block| block.as_text())
        .map(|text| text.text.clone());
    Ok((text.unwrap_or_default(), result.is_error == Some(true)))
}

#[tokio::test]
async fn tools_are_the_operations_and_cypher() -> Outcome {
    let (client, _index) = client(Some(Arc::new(Table))).await?;
    let tools = client.list_all_tools().await?;
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["callers", "cypher"]);
    assert_eq!(tools[0].input_schema["required"], json!(["target"]));
    assert!(tools.iter().all(|tool| {
        tool.annotations
            .as_ref()
            .is_some_and(|hints| hints.read_only_hint == Some(true))
    }));
    let info = client.peer_info().ok_or("no greeting")?;
    assert!(
        info.instructions
            .as_ref()
            .is_some_and(|text| text.contains("ripple://schema"))
    );
    Ok(())
}

#[tokio::test]
async fn operations_are_called_for_a_short_answer() -> Outcome {
    let (client, _index) = client(Some(Arc::new(Table))).await?;
    let (text, is_error) = call(&client, "callers", json!({"target": "bill"})).await?;
    assert_eq!(
        (text.as_str(), is_error),
        (r#"{"asked":"callers","with":{"target":"bill","limit":30}}"#, false)
    );
    let (text, _) = call(&client, "callers", json!({"target": "bill", "limit": 2})).await?;
    assert!(text.contains(r#""limit":2"#), "{text}");
    Ok(())
}

#[tokio::test]
async fn queries_are_answered_in_lines() -> Outcome {
    let (client, _index) = client(None).await?;
    let query = "MATCH (x:Variable {name: $name})-[e:FLOWS_TO]->(y) RETURN x.name AS name, y, 1 + 1 AS two";
    let (text, is_error) = call(&client, "cypher", json!({"query": query, "params": {"name": "x"}})).await?;
    assert_eq!(text, "name\ty\ttwo\nx\t:Variable a.y (a.py:1)\t2\n1 row");
    assert!(!is_error);
    let (text, _) = call(
        &client,
        "cypher",
        json!({"query": "UNWIND range(1, 100) AS n RETURN n", "limit": 2}),
    )
    .await?;
    assert_eq!(text, "n\n1\n2\n2 rows; there are more");
    Ok(())
}

#[tokio::test]
async fn what_goes_wrong_is_an_answer_and_the_next_call_goes_on() -> Outcome {
    let (client, _index) = client(Some(Arc::new(Table))).await?;
    for (name, arguments, said) in [
        ("cypher", json!({"query": "MATCH (n) DELETE n"}), "^^^^^^"),
        ("cypher", json!({"query": "MATCH (n:Nothing) RETURN n"}), "Nothing"),
        ("cypher", json!({"query": 1}), "cypher: invalid type"),
        ("cypher", json!({"text": "RETURN 1"}), "unknown field `text`"),
        ("cypher", json!({}), "missing field `query`"),
        ("callers", json!({"target": "nothing"}), "parameter $target"),
        ("rm", json!({}), "there are callers, cypher"),
        ("ask", json!({"question": "who?"}), "there is no tool `ask`"),
    ] {
        let (text, is_error) = call(&client, name, arguments.clone()).await?;
        assert!(is_error && text.contains(said), "{name} {arguments}: {text}");
    }
    let (text, is_error) = call(&client, "cypher", json!({"query": "RETURN 1 AS n"})).await?;
    assert_eq!((text.as_str(), is_error), ("n\n1\n1 row", false));
    Ok(())
}

#[tokio::test]
async fn schema_and_status_can_be_read() -> Outcome {
    let (client, _index) = client(None).await?;
    let resources = client.list_all_resources().await?;
    let uris: Vec<&str> = resources.iter().map(|resource| resource.uri.as_str()).collect();
    assert_eq!(uris, [SCHEMA, STATUS]);
    let mut texts = Vec::new();
    for uri in uris {
        let read = client.read_resource(ReadResourceRequestParams::new(uri)).await?;
        let contents = serde_json::to_value(&read.contents[0])?;
        texts.push(contents["text"].as_str().ok_or("no text")?.to_owned());
    }
    assert!(texts[0].contains("FLOWS_TO"), "{}", texts[0]);
    let status: Value = serde_json::from_str(&texts[1])?;
    assert_eq!(status["nodes"]["Variable"], 2, "{status}");
    let missing = client
        .read_resource(ReadResourceRequestParams::new("ripple://secrets"))
        .await;
    assert!(missing.is_err_and(|error| error.to_string().contains("there are ripple://schema")));
    Ok(())
}
