//! [`Rows`] and [`Value`]: what a query gives back, in words of our own.
//!
//! `MATCH p = (a:Variable)-[e:FLOWS_TO]->(b) RETURN a, e, p` is a row of a [`Value::Node`], a [`Value::Relationship`] and a
//! [`Value::Path`]. As JSON the node reads
//!
//! ```json
//! {"id": "5:17", "labels": ["Variable"], "properties": {"id": 42, "name": "a"}}
//! ```
//!
//! Kinds that JSON and we do not have become text that reads well and sorts well: `2024-05-01`, `2024-05-01T10:00:00Z`,
//! `P1DT2H` for a span of time, digits for a decimal and for integers past 64 bits, hexadecimal for bytes.

use std::time::Duration;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

/// The answer to a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rows {
    /// Name of each column.
    pub columns: Vec<String>,
    /// Type of each column, in the engine's words: `INT64`, `STRING[]`, `NODE`.
    pub types: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
    /// There were more rows than the limit.
    pub truncated: bool,
    /// Time from question to answer.
    pub elapsed: Duration,
}

/// One value of a row. Serializes as plain JSON that keeps its shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// An integer that fits 64 bits with a sign; larger ones are `Text`.
    Int(i64),
    /// A floating point number. Those that JSON cannot hold serialize as `"NaN"`, `"Infinity"`, `"-Infinity"`.
    Float(f64),
    /// Text, and every kind that has no shape of its own here.
    Text(String),
    /// A list or an array.
    List(Vec<Value>),
    /// A struct or a map, in the engine's order.
    Map(Vec<(String, Value)>),
    /// A node.
    Node(NodeValue),
    /// A relationship.
    Relationship(RelationshipValue),
    /// What a variable-length pattern matched.
    Path {
        /// Every node on the way; of a pattern that is not named as a whole, only those between its ends.
        nodes: Vec<NodeValue>,
        /// Every relationship on the way.
        relationships: Vec<RelationshipValue>,
    },
}

/// A node of the graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeValue {
    /// `table:offset`: holds within one generation only. The stable id is the property `id`.
    pub id: String,
    /// Its label, as the one element.
    pub labels: Vec<String>,
    /// Its properties, in order of the schema.
    #[serde(serialize_with = "as_object")]
    pub properties: Vec<(String, Value)>,
}

/// An edge of the graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelationshipValue {
    /// `table:offset`, if the engine tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its kind: `FLOWS_TO`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `id` of the node it leaves.
    pub start: String,
    /// `id` of the node it reaches.
    pub end: String,
    /// Its properties, in order of the schema.
    #[serde(serialize_with = "as_object")]
    pub properties: Vec<(String, Value)>,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) if value.is_nan() => serializer.serialize_str("NaN"),
            Self::Float(value) if value.is_infinite() => {
                serializer.serialize_str(if *value > 0.0 { "Infinity" } else { "-Infinity" })
            }
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(value)?;
                }
                list.end()
            }
            Self::Map(entries) => as_object(entries, serializer),
            Self::Node(node) => node.serialize(serializer),
            Self::Relationship(relationship) => relationship.serialize(serializer),
            Self::Path { nodes, relationships } => {
                let mut path = serializer.serialize_map(Some(2))?;
                path.serialize_entry("nodes", nodes)?;
                path.serialize_entry("relationships", relationships)?;
                path.end()
            }
        }
    }
}

fn as_object<S: Serializer>(entries: &[(String, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, value)| (name, value)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(value: &Value, expected: serde_json::Value) {
        assert_eq!(serde_json::to_value(value).ok(), Some(expected), "{value:?}");
    }

    #[test]
    fn values_keep_their_shape_in_json() {
        check(&Value::Null, json!(null));
        check(&Value::Int(i64::MAX), json!(i64::MAX));
        check(&Value::Float(1.5), json!(1.5));
        check(&Value::Float(f64::NAN), json!("NaN"));
        check(&Value::Float(f64::NEG_INFINITY), json!("-Infinity"));
        check(
            &Value::List(vec![Value::Bool(true), Value::Text("é".into())]),
            json!([true, "é"]),
        );
        check(
            &Value::Map(vec![("b".into(), Value::Int(1)), ("a".into(), Value::Null)]),
            json!({"b": 1, "a": null}),
        );
    }

    #[test]
    fn a_path_holds_nodes_and_relationships() {
        let node = NodeValue {
            id: "5:17".into(),
            labels: vec!["Variable".into()],
            properties: vec![("name".into(), Value::Text("a".into()))],
        };
        let edge = RelationshipValue {
            id: None,
            kind: "FLOWS_TO".into(),
            start: "5:17".into(),
            end: "5:17".into(),
            properties: vec![("line".into(), Value::Int(3))],
        };
        check(
            &Value::Path {
                nodes: vec![node],
                relationships: vec![edge],
            },
            json!({
                "nodes": [{"id": "5:17", "labels": ["Variable"], "properties": {"name": "a"}}],
                "relationships": [{"type": "FLOWS_TO", "start": "5:17", "end": "5:17", "properties": {"line": 3}}],
            }),
        );
    }
}
