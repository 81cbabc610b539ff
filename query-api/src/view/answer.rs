//! A query, its answer, and what is said when there is none.
//!
//! `{"query": "RETURN $x AS one", "params": {"x": 1}}` is a [`Question`]; the page above shows an [`Answer`] and a [`Failure`].

use std::collections::BTreeMap;

use ripple_graphdb::{Rows, Value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Error;

/// A query and its bounds.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Cypher that only reads.
    #[schema(example = "MATCH (f:Function) WHERE f.name = $name RETURN f.qualified_name, f.file, f.line")]
    pub query: String,
    /// Values of the parameters that the query names with `$`.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({"name": "main"}))]
    pub params: BTreeMap<String, serde_json::Value>,
    /// Most rows to return; the server's own maximum holds as well.
    pub limit: Option<usize>,
    /// Most milliseconds to run; the server's own maximum holds as well.
    pub timeout_ms: Option<u64>,
}

/// The answer to a query.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Answer {
    /// Name of each column.
    pub columns: Vec<String>,
    /// Type of each column, in the engine's words: `INT64`, `STRING[]`, `NODE`.
    pub types: Vec<String>,
    /// The rows, each as long as `columns`. A node is `{id, labels, properties}`, a relationship
    /// `{id, type, start, end, properties}`, a path `{nodes, relationships}`.
    pub rows: Vec<Vec<Value>>,
    /// There were more rows than the limit.
    pub truncated: bool,
    /// Milliseconds from question to answer.
    pub elapsed_ms: f64,
}

/// First line of an NDJSON answer. After it, each line is one row as an array, and the last line is a [`Trailer`].
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Header {
    /// Name of each column.
    pub columns: Vec<String>,
    /// Type of each column.
    pub types: Vec<String>,
}

/// Last line of an NDJSON answer: a reader that has not seen it has not seen everything.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Trailer {
    /// There were more rows than the limit.
    pub truncated: bool,
    /// Milliseconds from question to answer.
    pub elapsed_ms: f64,
    /// Number of rows that were sent.
    pub rows: usize,
}

/// What went wrong.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Failure {
    /// The error.
    pub error: FailureDetail,
}

/// What went wrong, in parts.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FailureDetail {
    /// Short fixed word to branch on.
    #[schema(example = "query_refused")]
    pub code: &'static str,
    /// What and where, for people.
    pub message: String,
    /// The part of the query that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

/// A part of a text, in bytes of UTF-8.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Span {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl From<Rows> for Answer {
    fn from(rows: Rows) -> Self {
        let elapsed_ms = rows.elapsed.as_micros() as f64 / 1000.0;
        Self {
            columns: rows.columns,
            types: rows.types,
            rows: rows.rows,
            truncated: rows.truncated,
            elapsed_ms,
        }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let span = error.span().map(|span| Span {
            start: span.start,
            end: span.end,
        });
        let code = error.kind().outcome().code;
        Self {
            error: FailureDetail {
                code,
                message: error.to_string(),
                span,
                hint: error.hint(),
            },
        }
    }
}
