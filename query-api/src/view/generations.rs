//! The builds of an index: the one that is read, the one before, and the one that is being written.
//!
//! `{"current": "000008", "generations": [{"name": "000008", "files": 120, …}], "running": null}`

use std::path::Path;

use ripple_graphdb::{Manifest, Reader};
use ripple_schema::FileStatus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Error;

/// The builds of an index.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Generations {
    /// Name of the one that is read.
    pub current: String,
    /// All that are whole, newest first.
    pub generations: Vec<GenerationView>,
    /// How far a running `ripple index` is.
    pub running: Option<Running>,
}

/// One build.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GenerationView {
    /// Its name.
    pub name: String,
    /// When it was built, in seconds since 1970.
    pub built_at: u64,
    /// Files in its graph.
    pub files: u64,
    /// Their lines.
    pub lines: u64,
    /// Nodes.
    pub nodes: u64,
    /// Relationships.
    pub relationships: u64,
    /// Seconds that the load took.
    pub seconds: f64,
}

/// How far a running `ripple index` is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Running {
    /// The stage it is in.
    pub stage: String,
    /// Steps of the stage that are done.
    pub done: u64,
    /// Steps of the stage; 0 if it does not say.
    pub total: u64,
    /// When it began, in seconds since 1970.
    pub started_at: u64,
}

impl Running {
    /// Says how far a build is. Nobody may be able to read it: that stops no build.
    pub fn write(&self, index: &Path) {
        if let Ok(text) = serde_json::to_string(self) {
            let next = index.join("progress.next");
            let _ = std::fs::write(&next, text).and_then(|()| std::fs::rename(&next, index.join(PROGRESS)));
        }
    }

    /// The build has ended.
    pub fn remove(index: &Path) {
        let _ = std::fs::remove_file(index.join(PROGRESS));
    }

    fn read(index: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(index.join(PROGRESS)).ok()?).ok()
    }
}

/// File of the index folder that says how far a build is.
const PROGRESS: &str = "progress.json";

impl Generations {
    /// Of the index that this reader has open.
    pub fn of(index: &Path, reader: &Reader) -> Result<Self, Error> {
        let mut generations: Vec<GenerationView> = ripple_graphdb::manifests(index)?
            .iter()
            .map(GenerationView::of)
            .collect();
        generations.sort_by(|a, b| b.name.cmp(&a.name));
        Ok(Self {
            current: reader.manifest().generation.clone(),
            generations,
            running: ripple_graphdb::is_being_built(index)
                .then(|| Running::read(index))
                .flatten(),
        })
    }
}

impl GenerationView {
    fn of(manifest: &Manifest) -> Self {
        let in_graph = || {
            manifest
                .files
                .iter()
                .filter(|files| files.status != FileStatus::Skipped)
        };
        Self {
            name: manifest.generation.clone(),
            built_at: manifest.created,
            files: in_graph().map(|files| files.files).sum(),
            lines: in_graph().map(|files| files.lines).sum(),
            nodes: manifest.nodes.values().sum(),
            relationships: manifest.edges.values().sum(),
            seconds: manifest.load_seconds,
        }
    }
}
