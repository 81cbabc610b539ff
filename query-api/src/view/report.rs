//! What a run of `ripple index` did, as `--format json` gives it and benchmarks read it.
//!
//! A stage reads `{"stage": "lower", "seconds": 1.25, "peak_memory_bytes": 76075008}`.

use std::collections::BTreeMap;
use std::path::Path;

use ripple_graphdb::Manifest;
use ripple_schema::FileStatus;
use serde::Serialize;

/// What a run of `ripple index` did.
#[derive(Debug, Clone, Serialize)]
pub struct IndexReport {
    /// The index folder.
    pub index: String,
    /// The generation that was built.
    pub generation: String,
    /// Files in the graph, whole or in part.
    pub files: u64,
    /// Their lines.
    pub lines: u64,
    /// Files in the graph per language.
    pub languages: BTreeMap<String, u64>,
    /// Files read in part.
    pub partial: u64,
    /// Files skipped.
    pub skipped: u64,
    /// Nodes in the graph.
    pub nodes: u64,
    /// Relationships in the graph.
    pub relationships: u64,
    /// Relationships that do not fit the schema: a fault of the extractor.
    pub dropped_relationships: u64,
    /// Size of the database.
    pub database_bytes: u64,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The stages, in order.
    pub stages: Vec<StageTime>,
    /// Most memory that the process held, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

/// One stage of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageTime {
    /// Its name.
    pub stage: &'static str,
    /// Seconds it took.
    pub seconds: f64,
    /// Most memory that the process had held at its end, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

impl IndexReport {
    /// From what was built and how long it took.
    pub fn of(index: &Path, manifest: &Manifest, seconds: f64, stages: Vec<StageTime>) -> Self {
        let in_graph = || {
            manifest
                .files
                .iter()
                .filter(|files| files.status != FileStatus::Skipped)
        };
        let with = |status| {
            manifest
                .files
                .iter()
                .filter(|f| f.status == status)
                .map(|f| f.files)
                .sum()
        };
        let mut languages: BTreeMap<String, u64> = BTreeMap::new();
        for files in in_graph() {
            *languages.entry(files.language.name().into()).or_default() += files.files;
        }
        Self {
            index: index.display().to_string(),
            generation: manifest.generation.clone(),
            files: in_graph().map(|files| files.files).sum(),
            lines: in_graph().map(|files| files.lines).sum(),
            languages,
            partial: with(FileStatus::Partial),
            skipped: with(FileStatus::Skipped),
            nodes: manifest.nodes.values().sum(),
            relationships: manifest.edges.values().sum(),
            dropped_relationships: manifest.dropped_edges,
            database_bytes: manifest.database_bytes,
            seconds,
            peak_memory_bytes: stages.last().and_then(|stage| stage.peak_memory_bytes),
            stages,
        }
    }
}
