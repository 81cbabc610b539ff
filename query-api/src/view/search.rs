//! A search and its answer.
//!
//! `{"query": "where is the mail domain taken", "limit": 3, "kinds": ["Function"]}` is answered by hits, the best first; each says which sources
//! found it: `{"node": {…}, "file": "pipeline/features/email.py", "line": 11, "sources": [{"source": "text", "rank": 1, "score": 0.9}], …}`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::NodeView;

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The question, or words of it.
    pub query: String,
    /// Most hits; 10 if not told.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Labels or kinds: `Function`, `method`, `Field`, `Key`; `document` for documentation.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Languages: `go`, `python`.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Packages, with all below them.
    #[serde(default)]
    pub packages: Vec<String>,
    /// Beginnings of paths, or globs.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Tags from `ripple.toml`.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Test code alone (`true`), or none of it (`false`).
    #[serde(default)]
    pub tests: Option<bool>,
    /// Which sources to ask; all if empty.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// A structure to look for in the source.
    #[serde(default)]
    pub pattern: Option<StructurePattern>,
}

/// Code with holes: `json.loads($X)`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StructurePattern {
    /// The language it is written in: `go`, `python`.
    pub language: String,
    /// The code; `$X` stands for one expression, `$$$` for any number.
    pub pattern: String,
}

/// Who found a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Its name is in the question, or nearly.
    Name,
    /// Words of its names, documentation or body.
    Text,
    /// Words that mean nearly the same.
    Meaning,
    /// Its vector.
    Vector,
    /// A piece of source around it.
    Chunk,
    /// The structure that was asked for.
    Pattern,
    /// The file of questions and answers.
    Faq,
    /// Several other hits lead to it.
    Graph,
    /// People said that it was right, or wrong, for such a question.
    Feedback,
}

/// That a source found a hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FoundBy {
    /// The source.
    pub source: Source,
    /// Place in that source's list, from 1.
    pub rank: usize,
    /// That source's own score, 1 for its best.
    pub score: f32,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Hit {
    /// The node; `null` for a section of a document or a piece of a file.
    pub node: Option<NodeView>,
    /// Its file.
    pub file: String,
    /// Its first line.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Fused score: only the order of hits of one answer means something.
    pub score: f32,
    /// Who found it.
    pub sources: Vec<FoundBy>,
    /// Its first lines of source.
    pub excerpt: String,
}

/// A question that people answered before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FaqHit {
    /// The question.
    pub question: String,
    /// Its answer.
    pub answer: String,
    /// Files that it names.
    pub files: Vec<String>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SearchAnswer {
    /// The best first.
    pub hits: Vec<Hit>,
    /// Answers to questions near this one.
    pub faq: Vec<FaqHit>,
    /// Time that the search took.
    pub elapsed_ms: f64,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// Whether a node was right for a question.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// The question.
    pub question: String,
    /// Id of the node.
    pub node: i64,
    /// 1: right; -1: wrong.
    pub vote: i8,
}

/// That feedback was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct FeedbackStored {
    /// How many votes this index holds now.
    pub stored: usize,
}
