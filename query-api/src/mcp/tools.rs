//! The tools: each operation by its own name and parameters, and `cypher` and `ask` beside them.
//!
//! `cypher {"query": "MATCH (k:Key) RETURN k.name", "limit": 2}` is answered by the header, a line per row, and their number.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Desk, compact};
use crate::Error;
use crate::view::AskRequest;

/// Rows and results when the agent does not say how many it wants.
const LIMIT: usize = 30;

/// All tools.
pub(super) fn list(desk: &Desk) -> Vec<Tool> {
    let operations = desk
        .rooms
        .operations
        .as_ref()
        .map_or_else(Vec::new, |operations| operations.list());
    let mut tools: Vec<Tool> = operations
        .into_iter()
        .map(|operation| tool(operation.name, operation.summary, operation.parameters))
        .collect();
    tools.push(tool(
        "cypher".into(),
        "Runs a Cypher query that only reads the graph".into(),
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "The query; ripple://schema lists what it can name"},
                "params": {"type": "object", "description": "Values of the parameters that it names with $"},
                "limit": {"type": "integer", "minimum": 1, "default": LIMIT, "description": "Most rows"},
            },
            "required": ["query"],
            "additionalProperties": false,
        }),
    ));
    if desk.rooms.answerer.is_some() {
        tools.push(tool(
            "ask".into(),
            "Answers a question in words, with checked citations".into(),
            json!({
                "type": "object",
                "properties": {"question": {"type": "string", "description": "The question"}},
                "required": ["question"],
                "additionalProperties": false,
            }),
        ));
    }
    tools
}

fn tool(name: String, summary: String, parameters: Value) -> Tool {
    let schema = match parameters {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    Tool::new(name, summary, Arc::new(schema))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

/// Calls a tool.
pub(super) async fn call(desk: &Desk, name: &str, arguments: JsonObject) -> Result<String, Error> {
    match name {
        "cypher" => cypher(desk, read(name, arguments)?).await,
        "ask" if desk.rooms.answerer.is_some() => ask(desk, read(name, arguments)?).await,
        _ => operation(desk, name, arguments).await,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cypher {
    query: String,
    #[serde(default)]
    params: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    question: String,
}

async fn cypher(desk: &Desk, asked: Cypher) -> Result<String, Error> {
    let mut limits = desk.limits;
    limits.rows = limits.rows.min(asked.limit.unwrap_or(LIMIT));
    let answer = desk
        .store
        .query(asked.query, asked.params.unwrap_or_default(), limits)
        .await?;
    Ok(compact::rows(&answer))
}

async fn ask(desk: &Desk, asked: Ask) -> Result<String, Error> {
    let Some(answerer) = &desk.rooms.answerer else {
        return Err(unknown(desk, "ask"));
    };
    let request = AskRequest {
        question: asked.question,
        ..AskRequest::default()
    };
    // Nobody listens to the events.
    let (events, _) = mpsc::channel(1);
    let answer = answerer.ask(request, events).await?;
    Ok(compact::cut(format!("{}\n\n{}", answer.text, answer.footer())))
}

async fn operation(desk: &Desk, name: &str, mut arguments: JsonObject) -> Result<String, Error> {
    let Some(operations) = &desk.rooms.operations else {
        return Err(unknown(desk, name));
    };
    let known = operations.list().into_iter().find(|operation| operation.name == name);
    let known = known.ok_or_else(|| unknown(desk, name))?;
    let limit = &known.parameters["properties"]["limit"];
    // What says how much it gives by itself knows better.
    if !limit.is_null() && limit["default"].is_null() && !arguments.contains_key("limit") {
        arguments.insert("limit".into(), LIMIT.into());
    }
    let answer = operations.call(name, Value::Object(arguments)).await?;
    Ok(compact::answer(&answer))
}

fn unknown(desk: &Desk, name: &str) -> Error {
    let names: Vec<String> = list(desk).into_iter().map(|tool| tool.name.into_owned()).collect();
    Error::NotFound(format!("there is no tool `{name}`; there are {}", names.join(", ")))
}

fn read<T: DeserializeOwned>(name: &str, arguments: JsonObject) -> Result<T, Error> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| Error::Usage(format!("{name}: {error}")))
}
