//! Suites of gold queries, in TOML.
//!
//! ```toml
//! kind = "cypher"
//! name = "shop"
//! data = "projects/shop"
//!
//! [[question]]
//! text = "Which functions call tidyAddress?"
//! cypher = "MATCH (f:Function)-[:CALLS]->(:Function {name: 'tidyAddress'}) RETURN DISTINCT f.qualified_name"
//!
//! [[question]]
//! text = "Which types embed Order?"
//! cypher = "MATCH (t:Type)-[:EMBEDS]->(:Type {name: 'Order'}) RETURN t.qualified_name"
//! empty = true
//! ```

use std::path::Path;

use serde::Deserialize;

use crate::Error;
use crate::evaluate::suite::{read, wrong};

/// A file of questions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// `cypher`: tells these suites from others.
    kind: String,
    /// Its name.
    pub name: String,
    /// Which code it asks about.
    #[serde(default)]
    pub data: String,
    /// The questions.
    #[serde(rename = "question", default)]
    pub questions: Vec<Question>,
}

/// A question and the query that answers it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What a person types.
    pub text: String,
    /// The gold query.
    pub cypher: String,
    /// Nothing found is the right answer.
    #[serde(default)]
    pub empty: bool,
}

impl Suite {
    /// Whether a file holds gold queries.
    pub fn is(path: &Path) -> Result<bool, Error> {
        let table: toml::Table = read(path)?;
        Ok(table.get("kind").and_then(toml::Value::as_str) == Some("cypher"))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let suite: Self = read(path)?;
        if suite.kind != "cypher" || suite.questions.is_empty() {
            return Err(wrong(path, "it holds no question with a gold query"));
        }
        Ok(suite)
    }
}
