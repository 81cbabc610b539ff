//! A change of source and what it sets off.
//!
//! `{"base": "main", "head": "HEAD"}` is an [`ImpactRequest`]; the answer names the symbols that changed, everything that changes with them,
//! and the tests that run it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Ground, OperationAnswer};

/// Which change is meant: one of a diff, two revisions, what is staged, or a target.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImpactRequest {
    /// A unified diff, as `git diff` writes it.
    pub diff: Option<String>,
    /// Revision before the change.
    #[schema(example = "main")]
    pub base: Option<String>,
    /// Revision after it; the work tree if it is left out.
    pub head: Option<String>,
    /// What is staged.
    #[serde(default)]
    pub staged: bool,
    /// A target, as operations take it.
    pub target: Option<String>,
    /// Most steps, 1 to 50.
    pub depth: Option<u32>,
    /// Most results.
    pub limit: Option<usize>,
    /// Leave out ways that are less sure than this, 0 to 1.
    pub min_confidence: Option<f64>,
    /// Only what is reached on this ground or a stronger one.
    pub ground: Option<Ground>,
    /// Show test code among the results.
    pub tests: Option<bool>,
}

/// What a change sets off.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImpactReport {
    /// The symbols whose lines changed.
    pub changed: Vec<Changed>,
    /// Source files of the change that the index does not hold.
    pub unknown_files: Vec<String>,
    /// Everything that changes with them.
    pub answer: OperationAnswer,
    /// Ids of tests to run, nearest first: all of them, whatever `limit` says.
    pub tests_to_run: Vec<i64>,
    /// The same as Markdown, for a comment on a pull request.
    pub markdown: String,
}

/// A symbol whose lines changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Changed {
    /// Id of its node.
    pub node: i64,
    /// Its file.
    pub file: String,
    /// First and last line that changed.
    pub lines: (u32, u32),
    /// In which way.
    pub change: ChangeKind,
}

/// In which way a symbol changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// All of its lines are new.
    Added,
    /// Lines of it are gone, none is new.
    Removed,
    /// Lines of it are new.
    Modified,
}

/// Commits that touched some lines, newest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct History {
    /// The commits; none if the source is not under git.
    pub commits: Vec<Commit>,
}

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Commit {
    /// Its hash, abbreviated.
    pub hash: String,
    /// Who wrote it.
    pub author: String,
    /// When, as `2026-11-21`.
    pub date: String,
    /// First line of its message.
    pub subject: String,
}
