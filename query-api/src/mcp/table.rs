//! [`Table`]: the operations as tools, with a JSON schema of their parameters.
//!
//! `callers` of the table of operations becomes
//!
//! ```json
//! {"type": "object", "properties": {"target": {"type": ["string", "integer"], "description": "…"}, "…": {}}, "required": ["target"]}
//! ```
//!
//! and beside them stand `search`, and `impact_of_change`, the impact of a diff, of revisions, or of what is staged.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::retrieve::Searching;
use crate::seam::{Boxed, OperationInfo, Operations};
use crate::serve::store::Store;
use crate::view::{ImpactRequest, OperationView, ParameterView, Parameters, SearchRequest};
use crate::{Error, operation};

/// The operations over this store.
pub(crate) struct Table {
    store: Store,
    searching: Arc<Searching>,
}

/// The impact of a change, which is asked with more than a target.
const CHANGE: &str = "impact_of_change";

/// Finds what a question is about.
const SEARCH: &str = "search";

impl Table {
    /// Over this store.
    pub fn new(store: Store, searching: Arc<Searching>) -> Self {
        Self { store, searching }
    }
}

impl Operations for Table {
    fn list(&self) -> Vec<OperationInfo> {
        let mut list: Vec<OperationInfo> = operation::list().operations.iter().map(info).collect();
        list.push(change());
        list.push(search());
        list
    }

    fn call(&self, name: &str, parameters: Value) -> Boxed<'_, Result<Value, Error>> {
        let name = name.to_owned();
        Box::pin(async move {
            let value = if name == CHANGE {
                let request: ImpactRequest = read(&name, parameters)?;
                let work = move |reader: &ripple_graphdb::Reader| operation::impact_of_change(reader, &request);
                serde_json::to_value(self.store.read(work).await?)
            } else if name == SEARCH {
                let request: SearchRequest = read(&name, parameters)?;
                let searching = self.searching.clone();
                let work = move |reader: &ripple_graphdb::Reader| searching.of(reader)?.search(&request);
                serde_json::to_value(self.store.read(work).await?)
            } else {
                let parameters: Parameters = read(&name, with_texts(parameters))?;
                let work = move |reader: &ripple_graphdb::Reader| operation::run(reader, &name, &parameters);
                serde_json::to_value(self.store.read(work).await?)
            };
            value.map_err(|error| Error::Internal(error.to_string()))
        })
    }
}

fn read<T: DeserializeOwned>(name: &str, parameters: Value) -> Result<T, Error> {
    serde_json::from_value(parameters).map_err(|error| Error::Usage(format!("{name}: {error}")))
}

/// Ids as agents write them, numbers, in place of texts.
fn with_texts(mut parameters: Value) -> Value {
    for name in ["target", "from", "to"] {
        if let Some(id) = parameters.get_mut(name).filter(|value| value.is_number()) {
            *id = Value::String(id.to_string());
        }
    }
    parameters
}

fn info(operation: &OperationView) -> OperationInfo {
    let properties: Map<String, Value> = operation
        .parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), property(parameter)))
        .collect();
    let required: Vec<&str> = operation
        .parameters
        .iter()
        .filter(|parameter| parameter.required)
        .map(|parameter| &*parameter.name)
        .collect();
    OperationInfo {
        name: operation.name.clone(),
        summary: format!("{}. Example: {}", operation.summary, operation.example),
        parameters: json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        }),
    }
}

fn property(parameter: &ParameterView) -> Value {
    let words: Vec<&str> = parameter.type_text.split('`').skip(1).step_by(2).collect();
    let mut property = match (parameter.name.as_str(), parameter.type_text.as_str()) {
        ("target" | "from" | "to", _) => json!({"type": ["string", "integer"]}),
        ("depth" | "limit", _) => json!({"type": "integer", "minimum": 1}),
        (_, "number") => json!({"type": "number"}),
        (_, "boolean") => json!({"type": "boolean"}),
        _ if !words.is_empty() => json!({"type": "string", "enum": words}),
        _ => json!({"type": "string"}),
    };
    property["description"] = match parameter.name.as_str() {
        // Told at length when an agent connects: here it stands in every tool.
        "target" | "from" | "to" => TARGET.into(),
        _ => parameter.doc.clone().into(),
    };
    // The tools have a default of their own for this one.
    if let (Some(default), false) = (&parameter.default, parameter.name == "limit") {
        property["default"] = default.clone();
    }
    property
}

/// What a target is, in short.
const TARGET: &str = "`Model.save`, `key:email`, `field:email`, `file.py:12`, or an id";

fn change() -> OperationInfo {
    let text = |words: &str| json!({"type": "string", "description": words});
    OperationInfo {
        name: CHANGE.into(),
        summary: "What a change of the source sets off, and which tests to run: of a diff, between revisions, or what is staged".into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "diff": text("a unified diff, as `git diff` writes it"),
                "base": text("revision before the change"),
                "head": text("revision after it; the work tree if it is left out"),
                "staged": {"type": "boolean", "description": "what is staged"},
                "depth": {"type": "integer", "minimum": 1, "description": "most steps, 1 to 50"},
                "limit": {"type": "integer", "minimum": 1, "description": "most results"},
                "tests": {"type": "boolean", "description": "show test code among the results"},
            },
            "additionalProperties": false,
        }),
    }
}

fn search() -> OperationInfo {
    let texts = |words: &str| json!({"type": "array", "items": {"type": "string"}, "description": words});
    OperationInfo {
        name: SEARCH.into(),
        summary: "Finds the functions, types, fields, keys and documents that a question or some words are about"
            .into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "the question, or words of it"},
                "limit": {"type": "integer", "minimum": 1, "default": 10, "description": "most hits"},
                "kinds": texts("labels or kinds: Function, method, Field, Key, document"),
                "languages": texts("go, python"),
                "packages": texts("packages, with all below them"),
                "paths": texts("beginnings of paths, or globs"),
                "tests": {"type": "boolean", "description": "test code alone, or none of it"},
                "pattern": {
                    "type": "object",
                    "description": "a structure to look for: code in which `$X` stands for one expression",
                    "properties": {"language": {"type": "string"}, "pattern": {"type": "string"}},
                    "required": ["language", "pattern"],
                },
            },
            "required": ["query"],
            "additionalProperties": false,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_a_tool_with_a_schema() {
        let operations = operation::list().operations;
        for operation in &operations {
            let info = info(operation);
            let properties = info.parameters["properties"].as_object().expect("an object");
            assert_eq!(properties.len(), operation.parameters.len(), "{}", operation.name);
            for (name, property) in properties {
                let documented = property["description"].as_str().is_some_and(|words| !words.is_empty());
                assert!(
                    documented && !property["type"].is_null(),
                    "{}: {name}: {property}",
                    operation.name
                );
            }
        }
        let impact = operations
            .iter()
            .find(|operation| operation.name == "impact")
            .map(info)
            .expect("it is there");
        assert_eq!(impact.parameters["required"], json!(["target"]));
        assert_eq!(
            impact.parameters["properties"]["direction"]["enum"],
            json!(["down", "up"])
        );
        assert_eq!(impact.parameters["properties"]["depth"]["type"], "integer");
    }

    #[test]
    fn ids_may_be_numbers() {
        assert_eq!(
            with_texts(json!({"target": 7, "depth": 2})),
            json!({"target": "7", "depth": 2})
        );
        assert_eq!(with_texts(json!([])), json!([]));
    }
}
