//! [`SearchIndex`]: the search files of a generation, side by side: who can be found, by which words, by which vectors.
//!
//! They are built beside the load of the database, in the generation's folder, before its manifest is written:
//!
//! ```text
//! generations/000008/search/
//!   nodes.bin                  the table of rows            (`NodeTable`)
//!   text-nodes/ text-chunks/   full text                    (`Text`)
//!   chunks.bin                 where each chunk stands
//!   vectors.bin  links.bin     vectors, and a graph over them where there are many (`Vectors`)
//! ```
//!
//! A [`Filter`] becomes an [`Allowed`] once; every source looks at it while it searches, not afterwards.

pub mod described;
pub(crate) mod file;
mod filter;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use ripple_schema::Graph;

use crate::Error;
use crate::nodes::embed::{self, Embedder, StaticEmbedder};
use crate::nodes::table::{NodeTable, Rows};
use crate::nodes::vectors::{self, Vectors};
use crate::text::Text;
use crate::text::build::{self, Chunks};
use crate::text::chunk::Chunk;
use crate::text::meaning::{self, Meanings};

pub use filter::{Allowed, Filter};

/// Name of the folder within a generation.
pub(crate) const FOLDER: &str = "search";
/// Name of the table of rows.
const NODES: &str = "nodes.bin";

/// A document that is no source: README, manual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its path, as source files have it.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Two files that changed in the same commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// Index of a file of the graph.
    pub file: u32,
    /// Index of the other.
    pub other: u32,
    /// Commits that changed both.
    pub both: u32,
    /// Commits that changed `file`.
    pub commits: u32,
}

/// What to build for searching.
#[derive(Default)]
pub struct Search<'a> {
    /// Makes the vectors; without one there is full text alone.
    pub embedder: Option<&'a dyn Embedder>,
    /// Documents beside the source.
    pub documents: &'a [Document],
    /// Files that change together.
    pub together: &'a [Together],
    /// Builds the graph over the vectors from so many rows on; `None`: from [`vectors::GRAPH_FROM`].
    pub graph_from: Option<usize>,
}

/// Builds all search files into a folder. `index` is the index folder, where things are kept from one generation to the next.
pub(crate) fn build(
    folder: &Path,
    index: &Path,
    graph: &Graph,
    sources: &[Arc<[u8]>],
    search: &Search<'_>,
) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let mut rows = Rows::of(graph);
    rows.add_documents(search.documents);
    rows.add_together(search.together);
    rows.described = described::of_rows(index, &rows, sources)?;
    let result = std::thread::scope(|scope| {
        let rows = &rows;
        let words = scope.spawn(move || build::nodes(folder, rows, sources));
        let pieces = scope.spawn(move || build::chunks(folder, rows, sources, search.documents));
        let embedded = match search.embedder {
            None => Ok(()),
            Some(embedder) => {
                let from = search.graph_from.unwrap_or(vectors::GRAPH_FROM);
                vectors::build(folder, rows, embedder, Some(&index.join("vectors")), from, &|_, _| ()).and_then(|()| {
                    if embedder.model().place == embed::BUILTIN {
                        return meaning::build(folder, rows, sources, embedder);
                    }
                    meaning::build(folder, rows, sources, &StaticEmbedder::builtin()?)
                })
            }
        };
        let ended = |_| Err(Error::io(folder)(std::io::Error::other("a writing thread ended early")));
        embedded
            .and(words.join().unwrap_or_else(ended))
            .and(pieces.join().unwrap_or_else(ended))
    });
    result?;
    // Last: a folder without it holds nothing that can be opened.
    rows.write(&folder.join(NODES))
}

/// The search files of one generation, open for any number of threads.
pub struct SearchIndex {
    /// The rows.
    pub nodes: NodeTable,
    /// Full text.
    pub text: Text,
    /// Words of like meaning; `None` if the index was built without an embedder.
    pub meanings: Option<Meanings>,
    /// Vectors; `None` if the index was built without an embedder.
    pub vectors: Option<Vectors>,
    chunks: Vec<Chunk>,
    by_place: OnceLock<Vec<(u32, u32, u32)>>,
}

impl SearchIndex {
    /// Opens the folder; `None` if the index was built without search.
    pub(crate) fn open(folder: &Path) -> Result<Option<Self>, Error> {
        if !folder.join(NODES).exists() {
            return Ok(None);
        }
        let nodes = NodeTable::open(folder, NODES)?;
        let (chunks, _): (Chunks, _) = file::read_two(folder, build::CHUNK_TABLE)?;
        let vectors = match folder.join(vectors::FILE).exists() {
            true => Some(Vectors::open(folder)?),
            false => None,
        };
        if let Some(vectors) = vectors.as_ref().filter(|vectors| vectors.len() != nodes.len()) {
            return Err(Error::Damaged {
                path: folder.join(vectors::FILE),
                message: format!("it holds {} vectors for {} nodes", vectors.len(), nodes.len()),
            });
        }
        Ok(Some(Self {
            text: Text::open(folder)?,
            meanings: Meanings::open(folder, nodes.len())?,
            nodes,
            vectors,
            chunks: chunks.chunks,
            by_place: OnceLock::new(),
        }))
    }

    /// A chunk by its number.
    pub fn chunk(&self, number: u32) -> Option<&Chunk> {
        self.chunks.get(number as usize)
    }

    /// All chunks, by number.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The text that is embedded of a row, without its documentation and its neighbours: what the evaluation compares with.
    pub fn describe_without_doc(&self, row: u32) -> String {
        let entry = self.nodes.entry(row);
        crate::nodes::describe::names_only(
            &entry.name,
            &entry.qualified_name,
            &entry.signature,
            self.nodes.path(self.nodes.file(row)),
        )
    }

    /// Rows declared in these lines of a file, in order of their lines.
    pub fn declared_in(&self, file: u32, line: u32, end_line: u32) -> Vec<u32> {
        let places = self.places();
        let start = places.partition_point(|&(f, l, _)| (f, l) < (file, line));
        let inside = places
            .iter()
            .skip(start)
            .take_while(|(f, l, _)| *f == file && *l <= end_line);
        inside.map(|(_, _, row)| *row).collect()
    }

    /// The innermost row whose declaration holds this line of a file.
    pub fn around(&self, file: u32, line: u32) -> Option<u32> {
        let places = self.places();
        let end = places.partition_point(|&(f, l, _)| (f, l) <= (file, line));
        let before = places.iter().take(end).rev().take_while(|(f, _, _)| *f == file);
        let mut holding = before
            .map(|(_, _, row)| *row)
            .filter(|&row| self.nodes.lines(row).1 >= line);
        holding.next()
    }

    /// File, line and row of every declaration, in order.
    fn places(&self) -> &[(u32, u32, u32)] {
        self.by_place.get_or_init(|| {
            let rows = 0..self.nodes.len() as u32;
            let mut places: Vec<(u32, u32, u32)> = rows
                .map(|row| (self.nodes.file(row), self.nodes.lines(row).0, row))
                .filter(|(file, _, _)| *file != crate::nodes::NONE)
                .collect();
            places.sort_unstable();
            places
        })
    }

    /// What a filter lets pass; `None` if it lets everything pass.
    pub fn allowed(&self, filter: &Filter) -> Result<Option<Allowed>, Error> {
        Allowed::of(filter, self)
    }
}

impl Rows<'_> {
    /// Documents are files too, after those of the graph.
    fn add_documents(&mut self, documents: &[Document]) {
        self.columns
            .paths
            .extend(documents.iter().map(|document| document.path.clone()));
        self.columns
            .package_of
            .resize(self.columns.paths.len(), crate::nodes::NONE);
    }

    fn add_together(&mut self, together: &[Together]) {
        if together.is_empty() {
            return;
        }
        let mut lists = vec![Vec::new(); self.graph.files.len()];
        for pair in together {
            if let Some(list) = lists.get_mut(pair.file as usize) {
                list.push((pair.other, pair.both, pair.commits));
            }
        }
        self.columns.together = lists;
    }
}
