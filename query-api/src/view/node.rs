//! Nodes, edges and source as answers show them, the same in every door.
//!
//! `{"id": 81, "label": "Function", "qualified_name": "shop.bill", "file": "bill.py", "line": 3, …}` is a [`NodeView`].

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A node with the properties that every label has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NodeView {
    /// Stable id; its 53 bits fit a JSON number of any reader.
    pub id: i64,
    /// Label: `Function`, `Field`, `Variable`, …
    pub label: String,
    /// Finer kind within the label.
    pub kind: String,
    /// Short name.
    pub name: String,
    /// Dotted path from the package down.
    pub qualified_name: String,
    /// `go`, `python`, or `any`.
    pub language: String,
    /// File that declares it, or empty.
    pub file: String,
    /// Line of its declaration, from 1; 0 if it has none.
    pub line: u32,
    /// Last line of its declaration.
    pub end_line: u32,
    /// Its declaration on one line.
    pub signature: String,
    /// Its documentation comment.
    pub doc: String,
    /// Its declared or inferred type.
    #[serde(rename = "type")]
    pub type_text: String,
    /// Declared in test code.
    pub test: bool,
    /// Tags from `ripple.toml`.
    pub tags: Vec<String>,
}

/// A relationship, with its site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EdgeView {
    /// Id of its start.
    pub from: i64,
    /// Id of its end.
    pub to: i64,
    /// Label: `FLOWS_TO`, `CALLS`, …
    pub kind: String,
    /// The way the data takes, or the way the callee is called.
    pub how: String,
    /// File of the expression that makes it.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column in bytes, from 1.
    pub col: u32,
    /// The resolver rule that made it.
    pub rule: String,
    /// The rule's confidence, 0 to 1.
    pub confidence: f64,
}

/// A piece of indexed source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Excerpt {
    /// Its file.
    pub file: String,
    /// Its first line, from 1.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Its text, with line ends.
    pub text: String,
    /// `go`, `python`, or `any`.
    pub language: String,
}

/// How complete an answer is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Verdict {
    /// The level.
    pub level: VerdictLevel,
    /// Why it is not `complete`; empty if it is.
    pub reasons: Vec<Reason>,
}

/// How complete an answer is, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub enum VerdictLevel {
    /// Nothing that could belong to the answer was left unresolved.
    #[serde(rename = "complete")]
    Complete,
    /// What is named is there; there may be more.
    #[serde(rename = "lower bound")]
    LowerBound,
    /// Nothing was found, and what was not resolved could hold something.
    #[serde(rename = "unknown")]
    Unknown,
}

impl VerdictLevel {
    /// As it is written out.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::LowerBound => "lower bound",
            Self::Unknown => "unknown",
        }
    }
}

/// One thing that keeps an answer from being complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// Short fixed word to branch on: `unresolved-calls`, `skipped-files`, `partial-files`, `stale-index`, `cut`, `budget`, `called-from-outside`, `unknown-receivers`, `unknown-library`, `unknown-bases`, `named-in-texts`, `removed`, `composed-names`, `left-out-by-model`, `unread-change`.
    pub code: String,
    /// One sentence for people.
    pub message: String,
    /// How often.
    pub count: u64,
}
