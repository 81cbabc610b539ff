//! [`Writer`]: the one process that may build into an index folder, and the build itself.
//!
//! The stages of [`Writer::build`]: *sort* rows into tables, *load* them into a new generation (while another thread
//! writes the graph as arrays, finds its communities and packs the sources), *publish* it by switching `CURRENT`, *sweep* what is old. A build that fails leaves nothing behind.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use ripple_schema::{Graph, Mention};

use crate::error::is_full;
use crate::generation::{self, Generation};
use crate::search::{self, Search};
use crate::tables::Tables;
use crate::{Error, Manifest, RootEntry, engine, sources};

/// What to build.
pub struct Build<'a> {
    /// The rows.
    pub graph: &'a Graph,
    /// Text of each file, by `FileId`; empty for a file that was skipped.
    pub sources: &'a [Arc<[u8]>],
    /// What files that are not source name of it.
    pub mentions: &'a [Mention],
    /// The indexed roots, as the manifest shall tell them.
    pub roots: Vec<RootEntry>,
    /// Memory that the engine may use while it loads, in bytes.
    pub memory_bytes: u64,
    /// What it may use at most, where that turns out to be too little.
    pub most_memory_bytes: u64,
    /// Threads that the engine may use.
    pub threads: usize,
    /// What to build for searching; `None` builds the graph alone.
    pub search: Option<&'a Search<'a>>,
}

/// How far a load is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The table that is being loaded.
    pub table: String,
    /// Rows loaded so far, of all tables.
    pub done: u64,
    /// Rows to load, of all tables.
    pub total: u64,
}

/// Holds the index folder's lock from before extraction to after the switch.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    _lock: File,
}

impl Writer {
    /// Creates the folder if need be, locks it, and sweeps what a killed run left.
    pub fn acquire(dir: &Path) -> Result<Self, Error> {
        fs::create_dir_all(dir).map_err(Error::io(dir))?;
        let dir = dir.canonicalize().map_err(Error::io(dir))?;
        if dir.to_str().is_none() {
            let reason = "its path is not UTF-8, and the engine takes no other";
            return Err(Error::io(&dir)(io::Error::new(io::ErrorKind::InvalidInput, reason)));
        }
        let ignore = dir.join(".gitignore");
        fs::write(&ignore, "*\n").map_err(Error::io(&ignore))?;
        let lock = lock(&dir)?;
        generation::sweep(&dir)?;
        Ok(Self { dir, _lock: lock })
    }

    /// Builds a generation and makes it the current one. On any error the one from before stays current.
    pub fn build(&self, input: &Build<'_>, progress: &(dyn Fn(Progress) + Sync)) -> Result<Manifest, Error> {
        let generation = generation::create(&self.dir)?;
        let built = self.fill(&generation, input, progress);
        if built.is_err() {
            // The reason is what counts; what cannot be removed now is swept by the next writer.
            let _ = fs::remove_dir_all(&generation.folder);
        } else {
            generation::sweep(&self.dir)?;
        }
        built.map_err(|error| match error {
            // Which file was the last straw says nothing; where the space is short does.
            Error::Io { source, .. } if is_full(&source) => Error::Io {
                path: self.dir.clone(),
                source,
            },
            error => error,
        })
    }

    fn fill(
        &self,
        generation: &Generation,
        input: &Build<'_>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Manifest, Error> {
        let start = Instant::now();
        let graph = input.graph;
        has_room(&self.dir, input)?;
        let mut manifest = std::thread::scope(|scope| {
            let files = scope.spawn(|| {
                yield_to_the_load();
                crate::net::write(generation, graph)?;
                crate::community::write(generation, graph)?;
                generation::write_json(&generation.files(), &graph.files)?;
                generation::write_json(&generation.diagnostics(), &graph.diagnostics)?;
                generation::write_json(&generation.mentions(), input.mentions)?;
                let documents = input.search.map_or(&[][..], |search| search.documents);
                sources::write(&generation.sources(), &graph.files, input.sources, documents)
            });
            let searched = scope.spawn(|| match input.search {
                None => Ok(0.0),
                Some(search) => {
                    yield_to_the_load();
                    let folder = generation.search();
                    let start = Instant::now();
                    let pool = rayon::ThreadPoolBuilder::new()
                        .num_threads(input.threads)
                        .build()
                        .map_err(|error| Error::io(&folder)(io::Error::other(error.to_string())))?;
                    pool.install(|| search::build(&folder, &self.dir, graph, input.sources, search))?;
                    Ok(start.elapsed().as_secs_f64())
                }
            });
            let tables = Tables::of(graph);
            let mut manifest = Manifest::count(&generation.name, input.roots.clone(), graph, &tables);
            let loaded = engine::load(generation, graph, &tables, input, progress);
            let ended = || Error::io(&generation.folder)(io::Error::other("a writing thread ended early"));
            let files = files.join().unwrap_or_else(|_| Err(ended()));
            let searched = searched.join().unwrap_or_else(|_| Err(ended()));
            loaded.and(files)?;
            manifest.search_seconds = searched?;
            Ok::<Manifest, Error>(manifest)
        })?;
        let database = generation.database();
        manifest.database_bytes = fs::metadata(&database).map_err(Error::io(&database))?.len();
        manifest.load_seconds = start.elapsed().as_secs_f64();
        generation::publish(&self.dir, generation, &manifest)?;
        Ok(manifest)
    }
}

/// The load takes longest, so that this thread, and those that it starts, only take what the load leaves.
fn yield_to_the_load() {
    /// About a ninth of the time that others get.
    #[cfg(target_os = "linux")]
    const NICENESS: i32 = 10;
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "all threads are alike");
    }
}

/// Looks for room on the disk before anything is written: the engine ends the whole process where it runs out in the middle of a commit.
fn has_room(dir: &Path, input: &Build<'_>) -> Result<(), Error> {
    /// Bytes of a node and of an edge in the database, the arrays and the cards, and of a node in the search files: measured, rounded down.
    const NODE: u64 = 150;
    const EDGE: u64 = 75;
    const SEARCHED: u64 = 400;
    const LEAST: u64 = 4 << 20;
    // In the system's own words.
    const FULL: i32 = 28;
    let node = NODE + if input.search.is_some() { SEARCHED } else { 0 };
    let needed = LEAST + input.graph.nodes.len() as u64 * node + input.graph.edges.len() as u64 * EDGE;
    match free(dir) {
        Some(free) if free < needed => Err(Error::io(dir)(io::Error::from_raw_os_error(FULL))),
        _ => Ok(()),
    }
}

/// Bytes that are free on the disk of a folder, where the system tells.
#[cfg(unix)]
fn free(dir: &Path) -> Option<u64> {
    let told = rustix::fs::statvfs(dir).ok()?;
    told.f_bavail.checked_mul(told.f_frsize)
}

/// Bytes that are free on the disk of a folder, where the system tells.
#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}

/// Whether a process is building into this index folder now.
pub fn is_being_built(dir: &Path) -> bool {
    let held = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    File::open(dir.join("lock")).is_ok_and(held)
}

/// The system lets go of the lock when the process ends, in whatever way.
fn lock(dir: &Path) -> Result<File, Error> {
    let path = dir.join("lock");
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(Error::io(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut pid = String::new();
            let _ = file.read_to_string(&mut pid);
            return Err(Error::Busy {
                dir: dir.into(),
                pid: pid.trim().parse().ok(),
            });
        }
        Err(TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
    }
    let mut write = || -> io::Result<()> {
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{}", std::process::id())
    };
    write().map_err(Error::io(&path))?;
    Ok(file)
}
