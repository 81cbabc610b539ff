//! [`Vectors`]: one vector a row, as 8-bit numbers in one file, and the search for the nearest.
//!
//! A component `x` is stored as `x * scale`, rounded, with one scale for all, so that the product of two stored rows is the
//! product of the vectors times `scale²`. 100,000 rows of 256 are 26 MB; the question keeps 14 bits.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;
use xxhash_rust::xxh3::xxh3_64;

use super::describe::describe;
use super::embed::{Embedder, ModelId, Purpose};
use super::hnsw::Graph;
use super::table::Rows;
use crate::Error;
use crate::search::{Allowed, file};

/// Name of the file.
pub(crate) const FILE: &str = "vectors.bin";

/// From so many rows on a navigable graph is built beside the vectors: up to here, to look at all of them is as fast, and a
/// graph takes longer to build than all the rest of an index.
pub const GRAPH_FROM: usize = 300_000;

/// Rows that are kept in view while a graph is followed: with half of it, one in twenty of the true nearest is missed.
const WIDTH: usize = 320;

/// Scale of a question's components.
const QUESTION: f32 = 8192.0;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Head {
    model: ModelId,
    rows: usize,
    scale: f32,
}

/// The vectors of an index.
pub struct Vectors {
    head: Head,
    bytes: OwnedBytes,
    graph: Option<Graph>,
}

/// Embeds every row and writes the file; a graph too if there are many, or if it is asked for.
pub(crate) fn build(
    folder: &Path,
    rows: &Rows<'_>,
    embedder: &dyn Embedder,
    kept: Option<&Path>,
    graph_from: usize,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(), Error> {
    let count = rows.nodes.len();
    let mut cache = match kept {
        Some(path) if embedder.is_slow() => Some(cache::Cache::open(path, embedder.model())?),
        _ => None,
    };
    let dimensions = embedder.model().dimensions;
    let mut all: Vec<f32> = Vec::with_capacity(count * dimensions);
    let batch = embedder.batch().max(1);
    for start in (0..count).step_by(batch) {
        let texts: Vec<String> = (start..(start + batch).min(count))
            .into_par_iter()
            .map(|row| describe(rows, row))
            .collect();
        match &mut cache {
            None => all.extend(embedder.embed(&texts, Purpose::Passage)?),
            Some(cache) => all.extend(cache.embed(embedder, &texts)?),
        }
        progress((start + texts.len()) as u64, count as u64);
    }
    let largest = all.par_iter().map(|x| x.abs()).reduce(|| 0.0, f32::max).max(1e-6);
    let scale = 127.0 / largest;
    let bytes: Vec<u8> = all.par_iter().map(|x| (x * scale).round() as i8 as u8).collect();
    drop(all);
    let head = Head {
        model: embedder.model().clone(),
        rows: count,
        scale,
    };
    file::write_two(&folder.join(FILE), &head, &bytes)?;
    if count >= graph_from {
        Graph::build(&bytes, dimensions).write(folder)?;
    }
    Ok(())
}

impl Vectors {
    /// Maps a written file.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        let (head, bytes): (Head, OwnedBytes) = file::read_two(folder, FILE)?;
        if head.model.dimensions == 0 || bytes.len() != head.rows * head.model.dimensions {
            return Err(Error::Damaged {
                path: folder.join(FILE),
                message: format!("it has {} bytes for {} vectors", bytes.len(), head.rows),
            });
        }
        let graph = Graph::open(folder, head.rows)?;
        Ok(Self { head, bytes, graph })
    }

    /// The model that made them.
    pub fn model(&self) -> &ModelId {
        &self.head.model
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.head.rows
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.head.rows == 0
    }

    /// Whether questions may follow a graph.
    pub fn has_graph(&self) -> bool {
        self.graph.is_some()
    }

    /// Refuses a question's model that is not the one which made the vectors.
    pub fn check(&self, model: &ModelId) -> Result<(), Error> {
        if model.hash == self.head.model.hash && model.dimensions == self.head.model.dimensions {
            return Ok(());
        }
        Err(Error::ModelMismatch {
            index: format!("{} ({} dimensions)", self.head.model.name, self.head.model.dimensions),
            given: format!("{} ({} dimensions)", model.name, model.dimensions),
        })
    }

    /// The rows whose vectors are nearest, with their cosine. `question` is of length 1.
    pub fn nearest(&self, question: &[f32], limit: usize, allowed: Option<&Allowed>) -> Vec<(u32, f32)> {
        let few = |allowed: &Allowed| allowed.count() * 8 < self.head.rows;
        match &self.graph {
            Some(graph) if !allowed.is_some_and(few) => {
                let question = self.question(question);
                let product = |row: u32| dot(self.row(row), &question);
                let filter = |row: u32| allowed.is_none_or(|allowed| allowed.row(row));
                let found = graph.search(limit, (limit * 2).max(WIDTH), &product, &filter);
                found
                    .into_iter()
                    .map(|(row, product)| (row, self.cosine(product)))
                    .collect()
            }
            _ => self.nearest_exact(question, limit, allowed),
        }
    }

    /// The same by looking at every row.
    pub fn nearest_exact(&self, question: &[f32], limit: usize, allowed: Option<&Allowed>) -> Vec<(u32, f32)> {
        if question.len() != self.head.model.dimensions || limit == 0 {
            return Vec::new();
        }
        let question = self.question(question);
        const PART: usize = 1 << 13;
        let parts: Vec<Vec<(i32, Reverse<u32>)>> = (0..self.head.rows.div_ceil(PART))
            .into_par_iter()
            .map(|part| {
                let rows = part * PART..((part + 1) * PART).min(self.head.rows);
                let mut heap: BinaryHeap<Reverse<(i32, Reverse<u32>)>> = BinaryHeap::new();
                for row in rows {
                    let row = row as u32;
                    if allowed.is_some_and(|allowed| !allowed.row(row)) {
                        continue;
                    }
                    let entry = (dot(self.row(row), &question), Reverse(row));
                    if heap.len() < limit {
                        heap.push(Reverse(entry));
                    } else if heap.peek().is_some_and(|worst| entry > worst.0) {
                        heap.pop();
                        heap.push(Reverse(entry));
                    }
                }
                heap.into_iter().map(|Reverse(entry)| entry).collect()
            })
            .collect();
        let mut found: Vec<(i32, Reverse<u32>)> = parts.into_iter().flatten().collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.truncate(limit);
        let found = found.into_iter();
        found
            .map(|(product, Reverse(row))| (row, self.cosine(product)))
            .collect()
    }

    /// The cosine of each of these rows with the question.
    pub fn similarities(&self, question: &[f32], rows: &[u32]) -> Vec<f32> {
        if question.len() != self.head.model.dimensions {
            return vec![0.0; rows.len()];
        }
        let question = self.question(question);
        let rows = rows.iter();
        rows.map(|&row| self.cosine(dot(self.row(row), &question))).collect()
    }

    /// A graph over these vectors, built now: to measure it.
    pub fn with_graph(mut self) -> Self {
        self.graph = Some(Graph::build(&self.bytes, self.head.model.dimensions));
        self
    }

    /// The vector of a row, of length 1 but for rounding.
    pub fn vector(&self, row: u32) -> Vec<f32> {
        let parts = self.row(row).iter();
        parts.map(|&x| f32::from(x as i8) / self.head.scale).collect()
    }

    fn row(&self, row: u32) -> &[u8] {
        let dimensions = self.head.model.dimensions;
        let start = row as usize * dimensions;
        self.bytes.get(start..start + dimensions).unwrap_or_default()
    }

    fn question(&self, question: &[f32]) -> Vec<i16> {
        let whole = question.iter();
        whole
            .map(|x| (x * QUESTION).clamp(-QUESTION, QUESTION) as i16)
            .collect()
    }

    fn cosine(&self, product: i32) -> f32 {
        product as f32 / (self.head.scale * QUESTION)
    }
}

/// The product of a stored row and a question.
#[inline]
fn dot(row: &[u8], question: &[i16]) -> i32 {
    let pairs = row.iter().zip(question);
    pairs.map(|(&a, &b)| i32::from(i16::from(a as i8)) * i32::from(b)).sum()
}

/// Vectors of slow models, kept by the hash of their text: what did not change is not embedded again, and a build that was stopped
/// goes on where it was.
pub(crate) mod cache {
    use std::fs::{File, OpenOptions};
    use std::io::{Read as _, Write as _};
    use std::path::Path;

    use rustc_hash::FxHashMap;

    use super::{Embedder, Error, ModelId, Purpose, xxh3_64};

    pub(crate) struct Cache {
        file: File,
        path: std::path::PathBuf,
        known: FxHashMap<u64, Vec<f32>>,
    }

    impl Cache {
        /// Opens the file of this model in a folder. A record that was cut is left out, and all after it.
        pub(crate) fn open(folder: &Path, model: &ModelId) -> Result<Self, Error> {
            std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
            let path = folder.join(format!("{:016x}-{}.bin", model.hash, model.dimensions));
            let mut bytes = Vec::new();
            let options = OpenOptions::new().read(true).append(true).create(true).open(&path);
            let mut file = options.map_err(Error::io(&path))?;
            file.read_to_end(&mut bytes).map_err(Error::io(&path))?;
            let size = 8 + 4 * model.dimensions;
            let whole = bytes.len() / size * size;
            if whole < bytes.len() {
                file.set_len(whole as u64).map_err(Error::io(&path))?;
            }
            let mut known = FxHashMap::default();
            for record in bytes[..whole].chunks_exact(size) {
                let (hash, vector) = record.split_at(8);
                let hash = hash.try_into().map(u64::from_le_bytes).unwrap_or_default();
                let parts = vector.chunks_exact(4);
                let vector = parts.map(|part| part.try_into().map(f32::from_le_bytes).unwrap_or_default());
                known.insert(hash, vector.collect());
            }
            Ok(Self { file, path, known })
        }

        /// The vectors of these texts; what is not known is embedded and written down.
        pub(crate) fn embed(&mut self, embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<f32>, Error> {
            let hashes: Vec<u64> = texts.iter().map(|text| xxh3_64(text.as_bytes())).collect();
            let missing: Vec<usize> = (0..texts.len())
                .filter(|&text| !self.known.contains_key(&hashes[text]))
                .collect();
            if !missing.is_empty() {
                let asked: Vec<String> = missing.iter().map(|&text| texts[text].clone()).collect();
                let vectors = embedder.embed(&asked, Purpose::Passage)?;
                let mut record = Vec::new();
                for (&text, vector) in missing.iter().zip(vectors.chunks(embedder.model().dimensions)) {
                    record.extend(hashes[text].to_le_bytes());
                    record.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
                    self.known.insert(hashes[text], vector.to_vec());
                }
                self.file.write_all(&record).map_err(Error::io(&self.path))?;
            }
            Ok(hashes
                .iter()
                .filter_map(|hash| self.known.get(hash))
                .flatten()
                .copied()
                .collect())
        }
    }
}
