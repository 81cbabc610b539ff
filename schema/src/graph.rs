//! [`Graph`]: the batch of rows that goes from the extractor to the database, sorted and without duplicates.

use serde::{Deserialize, Serialize};

use crate::{Edge, FileId, Language, Node, NodeId};

/// Everything an index holds about the source it was built from.
#[derive(Debug, Default)]
pub struct Graph {
    /// The files, by [`FileId`].
    pub files: Vec<IndexedFile>,
    /// Sorted by label and id; ids are unique.
    pub nodes: Vec<Node>,
    /// Sorted by kind, start and end; no two are equal.
    pub edges: Vec<Edge>,
    /// What went wrong on the way, per file. Source code never fails the run: it makes a smaller graph and a diagnostic.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedFile {
    /// Path from the indexed root, with `/`; with several roots, the root's name comes first.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Hash of its content: tells whether the work tree has moved on.
    pub hash: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of lines.
    pub lines: u32,
    /// What became of it.
    pub status: FileStatus,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// Read whole.
    Indexed,
    /// Has syntax errors: what could be read is in the graph.
    Partial,
    /// Not in the graph.
    Skipped,
}

/// Something that a person should know about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Path as in [`IndexedFile::path`].
    pub path: String,
    /// Line, from 1; 0 if it concerns the whole file.
    pub line: u32,
    /// Short fixed word to count by: `not-utf8`, `too-large`, `unreadable`, `syntax`, `too-deep`, `budget`.
    pub code: String,
    /// One sentence: what, and what follows from it.
    pub message: String,
}

/// A name of the graph that stands in a file which is not read as source: a workflow, a notebook, a script without an ending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// The name as it stands there: of a function or a class, of a module with the dots in it, of a file with its ending.
    pub name: String,
    /// Path as in [`IndexedFile::path`].
    pub path: String,
    /// The first line that says it, from 1.
    pub line: u32,
}

impl Graph {
    /// Sorts and removes duplicates, so that equal source gives equal rows whatever order they were made in.
    pub fn normalize(&mut self) {
        // Rows are large: their keys are sorted, and each row moves once.
        self.nodes.sort_by_cached_key(|node| (node.label, node.id));
        self.nodes.dedup_by(|a, b| a.id == b.id);
        self.edges.sort_unstable();
        self.edges.dedup();
        self.diagnostics
            .sort_by(|a, b| (&a.path, a.line, &a.code).cmp(&(&b.path, b.line, &b.code)));
    }

    /// The path of a file; empty for an id that is not in this graph.
    pub fn path(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.path)
    }

    /// The node with this id.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }
}
