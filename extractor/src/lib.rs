//! Source text to [`ripple_schema::Graph`]. No database, no network.
//!
//! The stages, in order, each in a module of that name:
//!
//! 1. [`discover`]: walk the roots, pick each file's language, read it, hash it. The one stage that reads source from disk.
//! 2. [`facts`] by way of [`python`] and [`go`]: one file's text to language-neutral facts, in parallel, cached by content hash.
//! 3. [`link`]: names to definitions across files.
//! 4. [`propagate`]: types, functions and instances travel along the flows until nothing changes.
//! 5. [`emit`]: rows, sorted, without duplicates, the same for the same source.
//!
//! Source code never fails the run: broken input gives a smaller graph and a diagnostic.

pub mod config;
pub mod discover;
pub mod documents;
pub mod emit;
pub mod facts;
pub mod go;
pub mod link;
pub mod mentions;
pub mod pattern;
pub mod propagate;
pub mod python;
pub mod sql;

mod builtins;
mod tree;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use ripple_schema::{FileStatus, Graph, Language};
use rustc_hash::FxHashMap;

use config::Config;
use discover::{Discovery, Source};
use facts::FileFacts;
use facts::cache::Cache;
use propagate::library::Library;
use python::borrowed::Borrowed;

/// A folder to index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Where it stands on disk.
    pub path: PathBuf,
    /// First component of its files' paths in the graph; empty for a single root, whose paths start below it.
    pub prefix: String,
}

impl Root {
    /// The path of a file of it as the graph has it.
    pub(crate) fn shown(&self, relative: &str) -> String {
        match self.prefix.as_str() {
            "" => relative.to_owned(),
            prefix => format!("{prefix}/{relative}"),
        }
    }
}

/// Settings of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folder where the facts of each file are kept by content hash; none: nothing is kept.
    pub cache: Option<PathBuf>,
    /// Files larger than this are skipped with a diagnostic, in bytes.
    pub max_file_bytes: u64,
    /// Go files are picked for this operating system (build tags and file suffixes).
    pub goos: String,
    /// Go files are picked for this architecture.
    pub goarch: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cache: None,
            max_file_bytes: 8 << 20,
            goos: "linux".into(),
            goarch: "amd64".into(),
        }
    }
}

/// The stage that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Walking and reading.
    Discover,
    /// Text to facts.
    Lower,
    /// Names to definitions.
    Link,
    /// Types and values along flows.
    Propagate,
    /// Rows.
    Emit,
}

/// Told to the caller while the run goes on; may come from several threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// Steps done in this stage.
    pub done: u64,
    /// Steps in this stage; 0 while unknown.
    pub total: u64,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Extraction {
    /// The graph.
    pub graph: Graph,
    /// The text of each file, by [`ripple_schema::FileId`]; empty for a file that was skipped.
    pub sources: Vec<Arc<[u8]>>,
}

/// Why a run could not start. Trouble with single files is a diagnostic in the graph.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder to index is not there or cannot be read.
    #[error("cannot read {path}: {source}; name a folder that exists and that you may read")]
    Root {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// `ripple.toml` is not what it should be.
    #[error("{path}: {message}")]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its line.
        message: String,
    },
}

/// Runs all stages.
pub fn extract(roots: &[Root], options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Result<Extraction, Error> {
    let at = |stage, done, total| progress(Progress { stage, done, total });
    at(Stage::Discover, 0, 0);
    let mut libraries = tables();
    let configs: Vec<Config> = roots
        .iter()
        .map(|root| Config::read(&root.path, &mut libraries))
        .collect::<Result<_, _>>()?;
    let discovery = discover::discover(roots, options)?;

    let facts = lower(&discovery, options, &|done, total| at(Stage::Lower, done, total));

    at(Stage::Link, 0, 0);
    let mut program = link::link(&discovery, facts);

    at(Stage::Propagate, 0, 0);
    let flows = propagate::run(&mut program, &libraries);

    at(Stage::Emit, 0, 0);
    let graph = emit::emit(&discovery, &program, flows, &configs);
    let sources = discovery.sources.into_iter().map(|source| source.text).collect();
    Ok(Extraction { graph, sources })
}

/// What is known of library code from the start.
fn tables() -> FxHashMap<Language, Library> {
    let mut libraries: FxHashMap<Language, Library> = FxHashMap::default();
    for (language, text) in [(Language::Python, python::LIBRARY), (Language::Go, go::LIBRARY)] {
        if let Err(message) = libraries.entry(language).or_default().add(text) {
            // The tables are part of the program, and a test reads them; a bad one is left out, not fatal.
            tracing::error!(%language, %message, "the library table cannot be read");
        }
    }
    libraries.entry(Language::Go).or_default().add_signatures(go::STANDARD);
    libraries
}

/// Facts of every file, in parallel, from the cache where it has them.
fn lower(discovery: &Discovery, options: &Options, progress: &(dyn Fn(u64, u64) + Sync)) -> Vec<Arc<FileFacts>> {
    let cache = options.cache.as_deref().and_then(Cache::open);
    let total = discovery.sources.len() as u64;
    let done = AtomicU64::new(0);
    progress(0, total);
    let borrowed = python::borrowed::borrow(&discovery.sources);
    let one = |(index, source): (usize, &Source)| {
        let facts = facts_of((source, borrowed.get(&index)), options, cache.as_ref());
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(64) || done == total {
            progress(done, total);
        }
        Arc::new(facts)
    };
    let facts = discovery.sources.par_iter().enumerate().map(one).collect();
    if let Some(cache) = cache {
        cache.close();
    }
    facts
}

fn facts_of((source, borrowed): (&Source, Option<&Borrowed>), options: &Options, cache: Option<&Cache>) -> FileFacts {
    if source.file.status == FileStatus::Skipped {
        return FileFacts::default();
    }
    // Discovery lets only UTF-8 through.
    let text = std::str::from_utf8(&source.text).unwrap_or("");
    let test = is_test(&source.relative);
    let target = format!("{}/{}/{}/{}", source.file.language, test, options.goos, options.goarch);
    let name = source.relative.rsplit('/').next().unwrap_or(&source.relative);
    let hash = borrowed.map_or(source.file.hash, |borrowed| {
        xxhash_rust::xxh3::xxh3_64(borrowed.text.as_bytes())
    });
    let key = xxhash_rust::xxh3::xxh3_64_with_seed(format!("{target}/{name}").as_bytes(), hash);
    if let Some(facts) = cache.and_then(|cache| cache.get(key)) {
        return facts;
    }
    let facts = match source.file.language {
        Language::Go => go::lower(text, name, test, options),
        _ => python::lower((text, borrowed), name, test),
    };
    if let Some(cache) = cache {
        cache.put(key, &facts);
    }
    facts
}

/// Whether a path is one that test runners of the languages look into.
pub fn is_test(relative: &str) -> bool {
    let (folder, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    name.ends_with("_test.go")
        || name.starts_with("test_") && name.ends_with(".py")
        || name.ends_with("_test.py")
        || matches!(name, "conftest.py" | "tests.py")
        || relative.ends_with(".py")
            && folder
                .split('/')
                .any(|part| matches!(part, "tests" | "test" | "testing"))
}
