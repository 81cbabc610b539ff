//! What an index holds, as `ripple status --format json` and `GET /api/v1/status` give it.
//!
//! The calls of a language read
//! `{"resolved": 310, "external": 150, "unresolved": 40, "resolved_percent": 62.0, …}`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use ripple_graphdb::{Manifest, Reader};
use ripple_schema::{Diagnostic, FileStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::Error;
use crate::socket::{self, Listener};

/// Whether the server is up, and on which index.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// Generation of the index that is being served.
    pub generation: String,
    /// Version of the program.
    pub version: &'static str,
}

/// What an index holds, and what it was built from.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Status {
    /// The index folder.
    pub index: String,
    /// Generation: each build is a new one.
    pub generation: String,
    /// Version of the program that built it.
    pub ripple_version: String,
    /// When it was built, in seconds since 1970.
    pub created: u64,
    /// Seconds since it was built.
    pub age_seconds: u64,
    /// Size of the database.
    pub database_bytes: u64,
    /// The indexed folders.
    pub roots: Vec<RootView>,
    /// Nodes per label.
    pub nodes: BTreeMap<String, u64>,
    /// Relationships per type.
    pub relationships: BTreeMap<String, u64>,
    /// Files per language and status.
    pub files: Vec<FilesView>,
    /// Why files were skipped or read in part, by count.
    pub troubles: BTreeMap<String, u64>,
    /// Calls per language of the caller.
    pub calls: BTreeMap<String, CallsView>,
    /// Who has the index open and answers commands, if anybody does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listener: Option<Listener>,
    /// Files that were skipped or read in part, and why; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_in_trouble: Option<Vec<Trouble>>,
    /// How far the source on disk has moved on; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_tree: Option<WorkTree>,
    /// Why the source on disk could not be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_tree_error: Option<String>,
}

/// An indexed folder.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RootView {
    /// The folder.
    pub path: String,
    /// What the paths of its files begin with in the graph; empty if there is only one root.
    pub prefix: String,
}

/// Files of one language and status.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FilesView {
    /// The language.
    pub language: String,
    /// `indexed`, `partial` or `skipped`.
    pub status: &'static str,
    /// How many.
    pub files: u64,
    /// Their lines.
    pub lines: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What became of the calls of one language.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct CallsView {
    /// To a function or type in the index.
    pub resolved: u64,
    /// To a library or builtin that the index does not hold.
    pub external: u64,
    /// Callee not known; the relationship's rule says why.
    pub unresolved: u64,
    /// Share of `resolved` in all three, 0 to 100.
    pub resolved_percent: f64,
    /// Share of `external`.
    pub external_percent: f64,
    /// Share of `unresolved`.
    pub unresolved_percent: f64,
}

/// Something that a person should know about a file.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Trouble {
    /// Path as in the graph.
    pub path: String,
    /// Line, from 1; 0 if it concerns the whole file.
    pub line: u32,
    /// Short fixed word: `not-utf8`, `too-large`, `unreadable`, `syntax`, `too-deep`, `budget`.
    pub code: String,
    /// What, and what follows from it.
    pub message: String,
}

/// How far the source on disk has moved on from the index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct WorkTree {
    /// Anything below is not empty: run `ripple index` again.
    pub moved_on: bool,
    /// Files whose content is another.
    pub changed: Vec<String>,
    /// Files that the index does not know.
    pub added: Vec<String>,
    /// Files that are gone.
    pub removed: Vec<String>,
}

impl Health {
    /// The server is up and serves this index.
    pub fn ok(reader: &Reader) -> Self {
        Self {
            status: "ok",
            generation: reader.manifest().generation.clone(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

impl Status {
    /// What the index in this folder holds; `with_files` lists the files in trouble one by one.
    pub fn of(index: &Path, reader: &Reader, with_files: bool) -> Result<Self, Error> {
        let manifest = reader.manifest();
        let diagnostics = reader.diagnostics()?;
        let mut troubles = BTreeMap::new();
        for diagnostic in &diagnostics {
            *troubles.entry(diagnostic.code.clone()).or_default() += 1;
        }
        let files_in_trouble = with_files.then(|| diagnostics.into_iter().map(Trouble::from).collect());
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        Ok(Self {
            index: index.display().to_string(),
            generation: manifest.generation.clone(),
            ripple_version: manifest.ripple_version.clone(),
            created: manifest.created,
            age_seconds: now.saturating_sub(manifest.created),
            database_bytes: manifest.database_bytes,
            roots: roots(manifest),
            nodes: manifest.nodes.clone(),
            relationships: manifest.edges.clone(),
            files: files(manifest),
            troubles,
            calls: calls(manifest),
            listener: socket::who(index),
            files_in_trouble,
            work_tree: None,
            work_tree_error: None,
        })
    }

    /// Compares with the source on disk. A root that is gone does not spoil the rest of the answer.
    pub fn compare(&mut self, reader: &Reader, options: &ripple_extractor::Options) {
        match crate::freshness::check(reader, options) {
            Ok(tree) => self.work_tree = Some(tree),
            Err(error) => self.work_tree_error = Some(error.to_string()),
        }
    }
}

impl From<Diagnostic> for Trouble {
    fn from(diagnostic: Diagnostic) -> Self {
        let Diagnostic {
            path,
            line,
            code,
            message,
        } = diagnostic;
        Self {
            path,
            line,
            code,
            message,
        }
    }
}

fn roots(manifest: &Manifest) -> Vec<RootView> {
    let view = |root: &ripple_graphdb::RootEntry| RootView {
        path: root.path.display().to_string(),
        prefix: root.prefix.clone(),
    };
    manifest.roots.iter().map(view).collect()
}

fn files(manifest: &Manifest) -> Vec<FilesView> {
    let view = |files: &ripple_graphdb::FileCounts| FilesView {
        language: files.language.name().into(),
        status: match files.status {
            FileStatus::Indexed => "indexed",
            FileStatus::Partial => "partial",
            FileStatus::Skipped => "skipped",
        },
        files: files.files,
        lines: files.lines,
        bytes: files.bytes,
    };
    manifest.files.iter().map(view).collect()
}

fn calls(manifest: &Manifest) -> BTreeMap<String, CallsView> {
    let view = |calls: &ripple_graphdb::CallCounts| {
        let all = calls.resolved + calls.external + calls.unresolved;
        let percent = |part: u64| {
            if all == 0 {
                0.0
            } else {
                (part as f64 * 1000.0 / all as f64).round() / 10.0
            }
        };
        CallsView {
            resolved: calls.resolved,
            external: calls.external,
            unresolved: calls.unresolved,
            resolved_percent: percent(calls.resolved),
            external_percent: percent(calls.external),
            unresolved_percent: percent(calls.unresolved),
        }
    };
    manifest
        .calls
        .iter()
        .map(|(language, counts)| (language.clone(), view(counts)))
        .collect()
}
