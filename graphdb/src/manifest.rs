//! [`Manifest`]: what a generation holds. It is the file that is written last: a generation without one is half-built.
//!
//! After `ripple index` on a folder with one Python file, `manifest.json` reads
//!
//! ```json
//! {"format_version": 1, "generation": "000001", "nodes": {"File": 1, "Function": 2, …},
//!  "files": [{"language": "python", "status": "indexed", "files": 1, "lines": 30, "bytes": 700}],
//!  "calls": {"python": {"resolved": 3, "external": 5, "unresolved": 1}}, …}
//! ```

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::SystemTime;

use ripple_schema::{EdgeKind, FORMAT_VERSION, FileStatus, Graph, Language, NodeId, NodeKind, Rule, Site};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::tables::Tables;

/// What a generation holds, and what it was built from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT_VERSION`] of the program that wrote it.
    pub format_version: u32,
    /// Version of that program.
    pub ripple_version: String,
    /// Name of the generation.
    pub generation: String,
    /// When it was built, in seconds since 1970.
    pub created: u64,
    /// The indexed roots.
    pub roots: Vec<RootEntry>,
    /// Number of nodes per label; every label is there.
    pub nodes: BTreeMap<String, u64>,
    /// Number of edges per kind; every kind is there.
    pub edges: BTreeMap<String, u64>,
    /// Edges left out because an end is missing or the schema does not join such ends. 0 unless the extractor errs.
    pub dropped_edges: u64,
    /// Files per language and status.
    pub files: Vec<FileCounts>,
    /// Calls per language of the caller.
    pub calls: BTreeMap<String, CallCounts>,
    /// Size of the database file.
    pub database_bytes: u64,
    /// Seconds that the load took.
    pub load_seconds: f64,
    /// Seconds that building the search files took, beside the load; 0 if there are none.
    #[serde(default)]
    pub search_seconds: f64,
}

/// An indexed root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootEntry {
    /// The folder on disk, absolute.
    pub path: PathBuf,
    /// What the paths of its files begin with in the graph; empty if there is only one root.
    pub prefix: String,
}

/// Files of one language and status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCounts {
    /// The language.
    pub language: Language,
    /// What became of them.
    pub status: FileStatus,
    /// How many.
    pub files: u64,
    /// Their lines.
    pub lines: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What became of the calls of one language, each counted once however many callees it may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallCounts {
    /// To a function or type in the index, be it one among others.
    pub resolved: u64,
    /// To a library or builtin that the index does not hold.
    pub external: u64,
    /// No callee is known; the edge's rule says why.
    pub unresolved: u64,
}

impl Manifest {
    /// Counts what the load of these tables stores. Size and duration come after it.
    pub(crate) fn count(generation: &str, roots: Vec<RootEntry>, graph: &Graph, tables: &Tables) -> Self {
        let mut nodes: BTreeMap<String, u64> = NodeKind::ALL.iter().map(|kind| (kind.name().into(), 0)).collect();
        for (label, rows) in &tables.nodes {
            *nodes.entry(label.name().into()).or_default() += rows.len() as u64;
        }
        let mut edges: BTreeMap<String, u64> = EdgeKind::ALL.iter().map(|kind| (kind.name().into(), 0)).collect();
        for ((kind, ..), rows) in &tables.edges {
            *edges.entry(kind.name().into()).or_default() += rows.len() as u64;
        }
        Self {
            format_version: FORMAT_VERSION,
            ripple_version: env!("CARGO_PKG_VERSION").into(),
            generation: generation.into(),
            created: SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default()
                .as_secs(),
            roots,
            nodes,
            edges,
            dropped_edges: tables.dropped,
            files: count_files(graph),
            calls: count_calls(graph, tables),
            database_bytes: 0,
            load_seconds: 0.0,
            search_seconds: 0.0,
        }
    }
}

fn count_files(graph: &Graph) -> Vec<FileCounts> {
    let mut counts: BTreeMap<(Language, FileStatus), FileCounts> = BTreeMap::new();
    for file in &graph.files {
        let (language, status) = (file.language, file.status);
        let empty = FileCounts {
            language,
            status,
            files: 0,
            lines: 0,
            bytes: 0,
        };
        let count = counts.entry((language, status)).or_insert(empty);
        count.files += 1;
        count.lines += u64::from(file.lines);
        count.bytes += file.bytes;
    }
    counts.into_values().collect()
}

/// What is known of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Nothing,
    Outside,
    Inside,
}

fn count_calls(graph: &Graph, tables: &Tables) -> BTreeMap<String, CallCounts> {
    let functions = tables
        .nodes
        .get(&NodeKind::Function)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let languages: HashMap<NodeId, Language, FxBuildHasher> = functions
        .iter()
        .filter_map(|&row| graph.nodes.get(row as usize))
        .map(|node| (node.id, node.language))
        .collect();
    // Where a call stands, and the best that is known of it.
    let mut calls: HashMap<(Site, Language), Known, FxBuildHasher> = HashMap::default();
    for (&(kind, _, to), rows) in &tables.edges {
        if kind != EdgeKind::Calls {
            continue;
        }
        for edge in rows.iter().filter_map(|&row| graph.edges.get(row as usize)) {
            let Some(language) = languages.get(&edge.from) else {
                continue;
            };
            // What the language may call by itself is no call of the source.
            if edge.rule == Rule::UnresolvedSpecial {
                continue;
            }
            let known = match () {
                () if edge.rule.is_unresolved() => Known::Nothing,
                () if to == NodeKind::External => Known::Outside,
                () => Known::Inside,
            };
            let best = calls.entry((edge.site, *language)).or_insert(known);
            *best = known.max(*best);
        }
    }
    let mut counts: BTreeMap<String, CallCounts> = BTreeMap::new();
    for ((_, language), known) in calls {
        let count = counts.entry(language.name().into()).or_default();
        match known {
            Known::Nothing => count.unresolved += 1,
            Known::Outside => count.external += 1,
            Known::Inside => count.resolved += 1,
        }
    }
    counts
}
