//! Values in the two shapes of Neo4j's Query API: plain JSON, and JSON with types.
//!
//! The integer 1 is `1` in plain JSON and `{"$type": "Integer", "_value": "1"}` in typed JSON; a node is
//! `{"elementId", "labels", "properties"}` or `{"$type": "Node", "_value": {"_element_id", "_labels", "_properties"}}`.
//! A path is a list in which nodes and relationships take turns. A pattern like `-[e*]->` that is not named as a whole
//! has no end nodes: it is the list of its relationships, as in Neo4j.

use ripple_graphdb::{NodeValue, RelationshipValue, Value};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// A value to write, plain or typed.
#[derive(Debug, Clone, Copy)]
pub struct Shaped<'a> {
    /// The value.
    pub value: &'a Value,
    /// With types.
    pub typed: bool,
}

impl Serialize for Shaped<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.typed {
            self.with_type(serializer)
        } else {
            self.plain(serializer)
        }
    }
}

impl Shaped<'_> {
    fn plain<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::List(values) => serializer.collect_seq(values.iter().map(|value| self.part(value))),
            Value::Map(entries) => Entries { entries, typed: false }.serialize(serializer),
            Value::Node(node) => Node { node, typed: false }.serialize(serializer),
            Value::Relationship(relationship) => Relationship {
                relationship,
                typed: false,
            }
            .serialize(serializer),
            Value::Path { nodes, relationships } => Path {
                nodes,
                relationships,
                typed: false,
            }
            .serialize(serializer),
            scalar => scalar.serialize(serializer),
        }
    }

    fn with_type<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Null => typed(serializer, "Null", &()),
            Value::Bool(value) => typed(serializer, "Boolean", value),
            Value::Int(value) => typed(serializer, "Integer", &value.to_string()),
            Value::Float(value) => typed(serializer, "Float", &float(*value)),
            Value::Text(text) => typed(serializer, "String", text),
            Value::List(values) => {
                let parts: Vec<Shaped<'_>> = values.iter().map(|value| self.part(value)).collect();
                typed(serializer, "List", &parts)
            }
            Value::Map(entries) => typed(serializer, "Map", &Entries { entries, typed: true }),
            Value::Node(node) => Node { node, typed: true }.serialize(serializer),
            Value::Relationship(relationship) => Relationship {
                relationship,
                typed: true,
            }
            .serialize(serializer),
            Value::Path { nodes, relationships } => {
                let path = Path {
                    nodes,
                    relationships,
                    typed: true,
                };
                typed(serializer, if path.is_whole() { "Path" } else { "List" }, &path)
            }
        }
    }

    fn part<'a>(&self, value: &'a Value) -> Shaped<'a> {
        Shaped {
            value,
            typed: self.typed,
        }
    }
}

struct Entries<'a> {
    entries: &'a [(String, Value)],
    typed: bool,
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let typed = self.typed;
        serializer.collect_map(self.entries.iter().map(|(name, value)| (name, Shaped { value, typed })))
    }
}

struct Node<'a> {
    node: &'a NodeValue,
    typed: bool,
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Plain<'a> {
            element_id: &'a str,
            labels: &'a [String],
            properties: Entries<'a>,
        }
        #[derive(Serialize)]
        struct Typed<'a> {
            _element_id: &'a str,
            _labels: &'a [String],
            _properties: Entries<'a>,
        }
        let (id, labels) = (self.node.id.as_str(), self.node.labels.as_slice());
        let properties = Entries {
            entries: &self.node.properties,
            typed: self.typed,
        };
        if self.typed {
            let value = Typed {
                _element_id: id,
                _labels: labels,
                _properties: properties,
            };
            return typed(serializer, "Node", &value);
        }
        Plain {
            element_id: id,
            labels,
            properties,
        }
        .serialize(serializer)
    }
}

struct Relationship<'a> {
    relationship: &'a RelationshipValue,
    typed: bool,
}

impl Serialize for Relationship<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Plain<'a> {
            element_id: &'a str,
            start_node_element_id: &'a str,
            end_node_element_id: &'a str,
            r#type: &'a str,
            properties: Entries<'a>,
        }
        #[derive(Serialize)]
        struct Typed<'a> {
            _element_id: &'a str,
            _start_node_element_id: &'a str,
            _end_node_element_id: &'a str,
            _type: &'a str,
            _properties: Entries<'a>,
        }
        let RelationshipValue {
            id,
            kind,
            start,
            end,
            properties,
        } = self.relationship;
        let id = id.clone().unwrap_or_else(|| format!("{start}-{kind}-{end}"));
        let properties = Entries {
            entries: properties,
            typed: self.typed,
        };
        if self.typed {
            let value = Typed {
                _element_id: &id,
                _start_node_element_id: start,
                _end_node_element_id: end,
                _type: kind,
                _properties: properties,
            };
            return typed(serializer, "Relationship", &value);
        }
        let (start, end) = (start.as_str(), end.as_str());
        Plain {
            element_id: &id,
            start_node_element_id: start,
            end_node_element_id: end,
            r#type: kind,
            properties,
        }
        .serialize(serializer)
    }
}

struct Path<'a> {
    nodes: &'a [NodeValue],
    relationships: &'a [RelationshipValue],
    typed: bool,
}

impl Path<'_> {
    /// It has both its ends.
    fn is_whole(&self) -> bool {
        self.nodes.len() == self.relationships.len() + 1
    }
}

impl Serialize for Path<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Element<'a> {
            Node(Node<'a>),
            Relationship(Relationship<'a>),
        }
        let typed = self.typed;
        let nodes = if self.is_whole() { self.nodes } else { &[] };
        let mut elements: Vec<Element<'_>> = Vec::with_capacity(nodes.len() + self.relationships.len());
        for at in 0..nodes.len().max(self.relationships.len()) {
            elements.extend(nodes.get(at).map(|node| Element::Node(Node { node, typed })));
            let relationship = self.relationships.get(at);
            elements.extend(relationship.map(|edge| {
                Element::Relationship(Relationship {
                    relationship: edge,
                    typed,
                })
            }));
        }
        elements.serialize(serializer)
    }
}

fn typed<S: Serializer>(serializer: S, name: &str, value: &(impl Serialize + ?Sized)) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("$type", name)?;
    map.serialize_entry("_value", value)?;
    map.end()
}

/// Decimal from 0.001 to 10,000,000, else scientific: `4.56`, `3.2E9`, `NaN`, `-Infinity`.
fn float(number: f64) -> String {
    let size = number.abs();
    if number.is_nan() {
        "NaN".into()
    } else if number.is_infinite() {
        if number > 0.0 {
            "Infinity".into()
        } else {
            "-Infinity".into()
        }
    } else if number == 0.0 || (1e-3..1e7).contains(&size) {
        format!("{number:?}")
    } else {
        let text = format!("{number:E}");
        if text.contains('.') {
            text
        } else {
            text.replacen('E', ".0E", 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn node(id: &str) -> NodeValue {
        NodeValue {
            id: id.into(),
            labels: vec!["Key".into()],
            properties: vec![
                ("name".into(), Value::Text("email".into())),
                ("line".into(), Value::Int(7)),
            ],
        }
    }

    fn edge() -> RelationshipValue {
        let (kind, start, end) = ("FLOWS_TO".into(), "1:1".into(), "1:2".into());
        RelationshipValue {
            id: None,
            kind,
            start,
            end,
            properties: vec![("line".into(), Value::Int(7))],
        }
    }

    fn check(value: Value, plain: Json, typed: Json) {
        let shape = |typed| serde_json::to_value(Shaped { value: &value, typed }).unwrap_or_default();
        assert_eq!(shape(false), plain);
        assert_eq!(shape(true), typed);
    }

    #[test]
    fn scalars() {
        check(Value::Null, json!(null), json!({"$type": "Null", "_value": null}));
        check(
            Value::Bool(true),
            json!(true),
            json!({"$type": "Boolean", "_value": true}),
        );
        check(Value::Int(1), json!(1), json!({"$type": "Integer", "_value": "1"}));
        check(
            Value::Float(4.56),
            json!(4.56),
            json!({"$type": "Float", "_value": "4.56"}),
        );
        check(
            Value::Text("a".into()),
            json!("a"),
            json!({"$type": "String", "_value": "a"}),
        );
        check(
            Value::List(vec![Value::Int(1)]),
            json!([1]),
            json!({"$type": "List", "_value": [{"$type": "Integer", "_value": "1"}]}),
        );
        check(
            Value::Map(vec![("a".into(), Value::Null)]),
            json!({"a": null}),
            json!({"$type": "Map", "_value": {"a": {"$type": "Null", "_value": null}}}),
        );
    }

    #[test]
    fn floats_are_written_as_documented() {
        let check = |number: f64, expected: &str| assert_eq!(float(number), expected);
        check(0.0, "0.0");
        check(-2.0, "-2.0");
        check(0.001, "0.001");
        check(0.0000002, "2.0E-7");
        check(3.2e9, "3.2E9");
        check(1e7, "1.0E7");
        check(f64::NAN, "NaN");
        check(f64::NEG_INFINITY, "-Infinity");
    }

    #[test]
    fn nodes_relationships_and_paths() {
        let plain_node =
            |id: &str| json!({"elementId": id, "labels": ["Key"], "properties": {"name": "email", "line": 7}});
        let line = json!({"$type": "Integer", "_value": "7"});
        let typed_node = |id: &str| {
            let properties = json!({"name": {"$type": "String", "_value": "email"}, "line": line});
            json!({"$type": "Node", "_value": {"_element_id": id, "_labels": ["Key"], "_properties": properties}})
        };
        let plain_edge = json!({
            "elementId": "1:1-FLOWS_TO-1:2", "startNodeElementId": "1:1", "endNodeElementId": "1:2",
            "type": "FLOWS_TO", "properties": {"line": 7},
        });
        let typed_edge = json!({"$type": "Relationship", "_value": {
            "_element_id": "1:1-FLOWS_TO-1:2", "_start_node_element_id": "1:1", "_end_node_element_id": "1:2",
            "_type": "FLOWS_TO", "_properties": {"line": line},
        }});
        check(Value::Node(node("1:1")), plain_node("1:1"), typed_node("1:1"));
        check(Value::Relationship(edge()), plain_edge.clone(), typed_edge.clone());
        check(
            Value::Path {
                nodes: vec![node("1:1"), node("1:2")],
                relationships: vec![edge()],
            },
            json!([plain_node("1:1"), plain_edge, plain_node("1:2")]),
            json!({"$type": "Path", "_value": [typed_node("1:1"), typed_edge, typed_node("1:2")]}),
        );
        check(
            Value::Path {
                nodes: vec![],
                relationships: vec![edge()],
            },
            json!([plain_edge]),
            json!({"$type": "List", "_value": [typed_edge]}),
        );
    }
}
