//! The graph's shape, as `ripple schema --format json` and `GET /api/v1/schema` give it.
//!
//! A relationship type reads `{"name": "SERIALIZED_AS", "doc": "…", "joins": [{"from": "Field", "to": "Key"}]}`.

use ripple_schema::{EdgeKind, How, Language, NodeKind, Rule};
use serde::Serialize;
use utoipa::ToSchema;

/// The graph's shape: everything that a query can name.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Schema {
    /// Version of the graph's shape.
    pub format_version: u32,
    /// Node labels.
    pub labels: Vec<Named>,
    /// Properties of every node.
    pub node_properties: Vec<PropertyView>,
    /// Relationship types.
    pub relationships: Vec<RelationshipType>,
    /// Properties of every relationship.
    pub relationship_properties: Vec<PropertyView>,
    /// Values of the property `how`.
    pub hows: Vec<Named>,
    /// Values of the property `rule`.
    pub rules: Vec<RuleView>,
    /// Values of the property `language`.
    pub languages: Vec<Named>,
}

/// A name and what it means.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Named {
    /// As written in a query.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// A property.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PropertyView {
    /// As written in a query.
    pub name: &'static str,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// A relationship type.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RelationshipType {
    /// As written in a query.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// The labels that it joins.
    pub joins: Vec<Join>,
}

/// Two labels that a relationship type joins.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Join {
    /// Label of the start.
    pub from: &'static str,
    /// Label of the end.
    pub to: &'static str,
}

/// A resolver rule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RuleView {
    /// As written in a query.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Share of its edges that hold, 0 to 1.
    pub confidence: f64,
    /// Whether the confidence was measured, or is an estimate.
    pub measured: bool,
}

impl Schema {
    /// As this program writes and reads it.
    pub fn current() -> Self {
        use ripple_schema::{edge, node};
        let properties = |list: &[node::Property]| {
            list.iter()
                .map(|p| PropertyView {
                    name: p.name,
                    kind: p.kind,
                    doc: p.doc,
                })
                .collect()
        };
        let rule = |rule: &Rule| RuleView {
            name: rule.name(),
            doc: rule.doc(),
            confidence: rule.confidence(),
            measured: rule.measured(),
        };
        Self {
            format_version: ripple_schema::FORMAT_VERSION,
            labels: NodeKind::ALL
                .iter()
                .map(|kind| Named {
                    name: kind.name(),
                    doc: kind.doc(),
                })
                .collect(),
            node_properties: properties(node::PROPERTIES),
            relationships: EdgeKind::ALL.iter().map(|kind| RelationshipType::of(*kind)).collect(),
            relationship_properties: properties(edge::PROPERTIES),
            hows: How::ALL
                .iter()
                .map(|how| Named {
                    name: how.name(),
                    doc: how.doc(),
                })
                .collect(),
            rules: Rule::ALL.iter().map(rule).collect(),
            languages: Language::ALL
                .iter()
                .map(|language| Named {
                    name: language.name(),
                    doc: language.doc(),
                })
                .collect(),
        }
    }
}

impl RelationshipType {
    fn of(kind: EdgeKind) -> Self {
        let joins = kind
            .endpoints()
            .iter()
            .map(|(from, to)| Join {
                from: from.name(),
                to: to.name(),
            })
            .collect();
        Self {
            name: kind.name(),
            doc: kind.doc(),
            joins,
        }
    }
}
