//! The parts of the code, and questions that this very index can answer.
//!
//! `{"communities": [{"id": 0, "name": "pipeline.features · build", "level": 0, "parent": null, "size": 17, …}], "members": 96}`

use serde::Serialize;
use utoipa::ToSchema;

use super::NodeView;

/// The parts of the code, the largest first; parts of parts come after what they are part of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Communities {
    /// The communities.
    pub communities: Vec<CommunityView>,
    /// How many there are in all; more than are listed if a limit cut them.
    pub found: usize,
    /// Functions and types of the index outside of test code, in a community or not.
    pub members: u64,
}

/// A part of the code: functions and types that have more to do with each other than with others.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CommunityView {
    /// Its number in this generation of the index.
    pub id: u32,
    /// The package that most of it is in, and what stands in its middle.
    pub name: String,
    /// 0 for the parts of the whole, 1 for parts of these, and so on.
    pub level: u32,
    /// The community that it is part of.
    pub parent: Option<u32>,
    /// Its functions and types.
    pub size: u32,
    /// Files that declare them.
    pub files: u32,
    /// The package that most of it is in; empty if there is no such package.
    pub package: String,
    /// What stands in its middle, the most central first.
    pub top: Vec<NodeView>,
    /// Two sentences: a language model's if there are such, else what it holds and what documentation says of its middle.
    pub summary: String,
    /// Whether a language model wrote the summary.
    pub by_model: bool,
    /// Communities of the same level that it uses.
    pub links: Vec<LinkView>,
}

/// One community uses another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct LinkView {
    /// The other's number.
    pub to: u32,
    /// How often: calls, reads, writes, types.
    pub weight: u32,
}

/// Questions that this index can answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Examples {
    /// The questions.
    pub questions: Vec<String>,
}
