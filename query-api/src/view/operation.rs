//! Operations: what can be asked without writing Cypher, and the one shape of their answers.
//!
//! `impact {"target": "key:email"}` is answered by seeds, ranked results with their paths, the subgraph of those paths, and how complete
//! all of it is:
//!
//! ```json
//! {"operation": "impact", "seeds": [{"id": 7, "label": "Key", "name": "email"}],
//!  "results": [{"node": 12, "distance": 4, "confidence": 0.81, "path": 0, "relation": "its result changes"}],
//!  "paths": [{"nodes": [7, 3, 12], "edges": [0, 1], "confidence": 0.81}],
//!  "verdict": {"level": "lower bound", "reasons": [{"code": "unresolved-calls", "message": "…", "count": 2}]}, "…": "…"}
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CypherText, EdgeView, Excerpt, NodeView, Verdict};

/// Everything that can be asked of one operation or another; each takes the ones that its entry in the table names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// What it is about: an id, a qualified name or its tail (`Model.save`), `key:email`, `field:email`, `function:save`, or
    /// `file.py:12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "key:email")]
    pub target: Option<String>,
    /// Where it starts, named like `target`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where it ends, named like `target`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// `down`: what follows from it; `up`: what it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Most steps, 1 to 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Most results, 1 to 10,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Leave out ways that are less sure than this, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
    /// Only what is reached on this ground or a stronger one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<Ground>,
    /// Show test code among the results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<bool>,
    /// Only results with this tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Only results whose qualified name begins with this package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
}

/// Which way an operation looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From cause to effect.
    #[default]
    Down,
    /// From effect to cause.
    Up,
}

/// What a way rests on, the strongest first: its weakest step says.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Ground {
    /// Values move all the way, or it calls what changes.
    #[default]
    Flow,
    /// One of them is tested on the way, and what comes after depends on it.
    Decision,
    /// Somewhere it is not known that it is this value which goes on: past a name on the wire, a field of any object of a class, a key that is not
    /// known, code that is not in the index.
    May,
}

impl Ground {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Flow, Self::Decision, Self::May];
}

/// Numbers of results by what their ways rest on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Grounds {
    /// Values move all the way.
    pub flow: usize,
    /// One of them is tested on the way.
    pub decision: usize,
    /// Somewhere it is not known that it is this value which goes on.
    pub may: usize,
}

/// The answer of any operation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OperationAnswer {
    /// Its name.
    pub operation: String,
    /// What it was asked with.
    pub parameters: Parameters,
    /// The nodes that the target named.
    pub seeds: Vec<NodeView>,
    /// What was found: what stands on stronger ground first, then nearest first, surest first among equally near ones.
    pub results: Vec<Finding>,
    /// The results by package.
    pub groups: Vec<Group>,
    /// Every node that the answer names, by id.
    pub nodes: BTreeMap<i64, NodeView>,
    /// The edges of the paths: with `nodes` the subgraph to draw.
    pub edges: Vec<EdgeView>,
    /// How the results are reached, each from a seed (or, looking up, to it).
    pub paths: Vec<PathView>,
    /// Ids of results that the outside calls: routes, handlers, commands, `main`, exported functions that nobody in the index calls.
    pub entry_points: Vec<i64>,
    /// Ids of test functions that run what was found, nearest first; `limit` does not cut them.
    pub tests: Vec<i64>,
    /// How complete the answer is.
    pub verdict: Verdict,
    /// Cypher that finds the same, for whoever wants to check or go on.
    pub cypher: Vec<CypherText>,
    /// Source of the target (`explain`).
    pub source: Vec<Excerpt>,
    /// There were more results than the limit.
    pub truncated: bool,
    /// Number of results before the limit.
    pub found: usize,
    /// How many of them are three steps away at most: what is told of those is mostly so, and of far ones seldom.
    pub near: usize,
    /// Number of results before the limit by what their ways rest on.
    pub grounds: Grounds,
    /// Number of results in tests that are not among them; `tests` shows these.
    pub in_tests: usize,
    /// Milliseconds from question to answer.
    pub elapsed_ms: f64,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// Id of its node.
    pub node: i64,
    /// Steps from the nearest seed.
    pub distance: u32,
    /// Product of the confidences along its path.
    pub confidence: f64,
    /// Index of its path.
    pub path: Option<usize>,
    /// What it has to do with the target, in a few words: `its result changes`, `calls it`, `reads it`.
    pub relation: String,
    /// What its path rests on.
    pub ground: Ground,
}

/// Results of one package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Group {
    /// Qualified name of the package.
    pub package: String,
    /// Indices of results.
    pub results: Vec<usize>,
}

/// A way through the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PathView {
    /// Ids of its nodes, from cause to effect.
    pub nodes: Vec<i64>,
    /// Indices of its edges, one fewer than nodes.
    pub edges: Vec<usize>,
    /// Product of their confidences.
    pub confidence: f64,
}

/// What operations there are.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Operations {
    /// The table.
    pub operations: Vec<OperationView>,
}

/// One operation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OperationView {
    /// Its name.
    pub name: String,
    /// What it answers, in one sentence.
    pub summary: String,
    /// What it can be asked with.
    pub parameters: Vec<ParameterView>,
    /// Cypher that finds the same; `$id` is the id of the target, `{label}` its label.
    pub cypher: String,
    /// A question that it answers.
    pub example: String,
}

/// One parameter of an operation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ParameterView {
    /// Its name.
    pub name: String,
    /// `text`, `number`, `boolean`, or the words it may be.
    #[serde(rename = "type")]
    pub type_text: String,
    /// Whether the operation asks for it.
    pub required: bool,
    /// What it is when it is left out.
    pub default: Option<serde_json::Value>,
    /// What it means.
    pub doc: String,
}
