//! Requests, answers and errors as Neo4j's Query API has them.
//!
//! An error reads `{"errors": [{"code": "Neo.ClientError.Statement.SyntaxError", "message": "…"}]}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::{IntoResponses, ToSchema};

use super::DATABASE;
use super::value::Shaped;
use crate::view::Answer;

/// A query, as clients of Neo4j send it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// Cypher that only reads.
    #[schema(example = "MATCH (k:Key) RETURN k LIMIT $n")]
    pub statement: String,
    /// Values of the parameters; with types if the content type says so.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({"n": 3}))]
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Answer with `counters`, which are all zero.
    #[serde(default)]
    pub include_counters: bool,
    /// Most seconds to run; the server's own maximum holds as well.
    pub max_execution_time: Option<u64>,
}

/// The answer, as clients of Neo4j read it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply<'a> {
    /// Fields and values.
    pub data: Data<'a>,
    #[serde(flatten)]
    pub summary: Summary,
}

/// The rows.
#[derive(Debug, Serialize, ToSchema)]
pub struct Data<'a> {
    /// Name of each column.
    pub fields: Vec<String>,
    /// The rows.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub values: Vec<Vec<Shaped<'a>>>,
}

/// What is said about a query beside its rows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The generation that was read. A client may send it back; it changes nothing.
    pub bookmarks: [String; 1],
    /// What the query changed: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// Tells when rows were cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notifications: Vec<Notification>,
    /// Always `r`: it only read.
    pub query_type: &'static str,
}

/// All zero.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    pub contains_updates: bool,
    pub nodes_created: u64,
    pub nodes_deleted: u64,
    pub properties_set: u64,
    pub relationships_created: u64,
    pub relationships_deleted: u64,
    pub labels_added: u64,
    pub labels_removed: u64,
    pub indexes_added: u64,
    pub indexes_removed: u64,
    pub constraints_added: u64,
    pub constraints_removed: u64,
    pub contains_system_updates: bool,
    pub system_updates: u64,
}

/// Something to know about the answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Notification {
    pub code: &'static str,
    pub title: &'static str,
    pub description: String,
    pub severity: &'static str,
    pub category: &'static str,
}

/// What went wrong, as clients of Neo4j read it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Errors {
    /// One error.
    pub errors: [ErrorEntry; 1],
}

/// One error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorEntry {
    /// One of Neo4j's codes.
    #[schema(example = "Neo.ClientError.Statement.SyntaxError")]
    pub code: &'static str,
    /// What and where, for people.
    pub message: String,
}

/// Where to ask, as clients of Neo4j read it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Discovery {
    /// Template of the address to ask.
    #[schema(example = "http://localhost:7474/db/{databaseName}/query/v2")]
    pub query: String,
    /// The release whose Query API is spoken.
    pub neo4j_version: &'static str,
    /// Always `community`.
    pub neo4j_edition: &'static str,
    /// Version of this program.
    pub ripple_version: &'static str,
}

impl Summary {
    /// Of an answer that was read from this generation.
    pub fn of(generation: &str, answer: &Answer, counters: bool) -> Self {
        let cut = Notification {
            code: "Ripple.ClientNotification.Statement.RowsCut",
            title: "There are more rows than the server returns.",
            description: format!("The answer was cut after {} rows; narrow the query.", answer.rows.len()),
            severity: "WARNING",
            category: "GENERIC",
        };
        Self {
            bookmarks: [format!("{DATABASE}:{generation}")],
            counters: counters.then(Counters::default),
            notifications: if answer.truncated { vec![cut] } else { Vec::new() },
            query_type: "r",
        }
    }
}

/// Errors, each with one of Neo4j's codes.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "read by the OpenAPI document only")]
pub enum Failures {
    /// The request or the query cannot be understood.
    #[response(status = 400)]
    BadRequest(Errors),
    /// The token is missing or another one.
    #[response(status = 401)]
    Unauthorized(Errors),
    /// The query does more than read the graph.
    #[response(status = 403)]
    Refused(Errors),
    /// The database is not `ripple`.
    #[response(status = 404)]
    NotFound(Errors),
    /// The body is over 1 MB.
    #[response(status = 413)]
    TooLarge(Errors),
    /// The body is of a type that is not read here.
    #[response(status = 415)]
    MediaType(Errors),
    /// A parameter is missing, unknown or of the wrong type.
    #[response(status = 422)]
    Parameter(Errors),
    /// A fault on the server's side.
    #[response(status = 500)]
    Internal(Errors),
    /// Too many queries are waiting.
    #[response(status = 503)]
    Unavailable(Errors),
    /// The query passed its time limit.
    #[response(status = 504)]
    Timeout(Errors),
    /// The query passed its memory limit.
    #[response(status = 507)]
    Memory(Errors),
}
