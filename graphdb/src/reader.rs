//! [`open`] and [`Reader`]: the current generation, for any number of threads at once.
//!
//! A reader stays on the generation that it opened. When a build has switched `CURRENT`, [`Reader::reopen_if_switched`]
//! gives a new reader; the old one goes on working for whoever still holds it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ripple_schema::{Diagnostic, FORMAT_VERSION, IndexedFile, Mention};
use serde::Deserialize;

use crate::community::{self, Communities};
use crate::generation::{self, Generation};
use crate::net::Net;
use crate::nodes::Vectors;
use crate::nodes::vectors;
use crate::search::SearchIndex;
use crate::sources::Sources;
use crate::{Error, Manifest, Rows, engine, guard};

/// What a query may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time from question to answer.
    pub timeout: Duration,
    /// Most rows in the answer.
    pub rows: usize,
    /// Most memory of a query, in bytes. It is set when the database is opened ([`open_with`]) and shared by the queries
    /// that run at once; here it is told in the error.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            rows: 10_000,
            memory_bytes: 1 << 30,
        }
    }
}

/// Opens the current generation with the default memory limit.
pub fn open(dir: &Path) -> Result<Reader, Error> {
    open_with(dir, Limits::default().memory_bytes)
}

/// Opens the current generation; all queries together may use so many bytes.
pub fn open_with(dir: &Path, memory_bytes: u64) -> Result<Reader, Error> {
    // A build may sweep a generation between the moment its name is read and the moment it is opened; by then CURRENT
    // names another.
    let mut attempts = 3;
    loop {
        let Some(generation) = generation::current(dir)? else {
            return Err(Error::NoIndex { dir: dir.into() });
        };
        attempts -= 1;
        match open_generation(dir, &generation, memory_bytes) {
            Err(_) if attempts > 0 && !generation.manifest().exists() => {}
            opened => return opened,
        }
    }
}

fn open_generation(dir: &Path, generation: &Generation, memory_bytes: u64) -> Result<Reader, Error> {
    #[derive(Deserialize)]
    struct Version {
        format_version: u32,
    }
    let path = generation.manifest();
    let Version { format_version: found } = generation::read_json(&path)?;
    if found != FORMAT_VERSION {
        return Err(Error::Format {
            dir: dir.into(),
            found,
            expected: FORMAT_VERSION,
        });
    }
    let manifest: Manifest = generation::read_json(&path)?;
    let database = generation.database();
    // The engine takes an empty file for an empty database, and looks at the rest of a cut one only when a query does.
    let bytes = fs::metadata(&database).map_err(Error::io(&database))?.len();
    if bytes != manifest.database_bytes {
        let message = format!("it has {bytes} bytes, not {}", manifest.database_bytes);
        return Err(Error::Damaged {
            path: database,
            message,
        });
    }
    let engine = Arc::new(engine::Engine::open(&database, memory_bytes)?);
    let inner = Inner {
        dir: dir.into(),
        generation: generation.clone(),
        manifest,
        engine,
        memory_bytes,
        sources: OnceLock::new(),
        net: OnceLock::new(),
        communities: OnceLock::new(),
        files: OnceLock::new(),
        mentions: OnceLock::new(),
        search: OnceLock::new(),
    };
    Ok(Reader { inner: Arc::new(inner) })
}

/// One generation, open for reading. Cheap to clone; every query has a connection of its own.
#[derive(Clone)]
pub struct Reader {
    inner: Arc<Inner>,
}

struct Inner {
    dir: PathBuf,
    generation: Generation,
    manifest: Manifest,
    engine: Arc<engine::Engine>,
    memory_bytes: u64,
    sources: OnceLock<Sources>,
    net: OnceLock<Arc<Net>>,
    communities: OnceLock<Arc<Communities>>,
    files: OnceLock<Arc<[IndexedFile]>>,
    mentions: OnceLock<Arc<[Mention]>>,
    search: OnceLock<Option<Arc<SearchIndex>>>,
}

impl Reader {
    /// Runs a query that only reads. Blocks the calling thread until there is an answer, at most `limits.timeout`.
    pub fn query(
        &self,
        text: &str,
        params: &BTreeMap<String, serde_json::Value>,
        limits: &Limits,
    ) -> Result<Rows, Error> {
        let checked = guard::check(text)?;
        engine::query(&self.inner.engine, text, &checked, params, limits)
    }

    /// What the generation holds.
    pub fn manifest(&self) -> &Manifest {
        &self.inner.manifest
    }

    /// The files that were looked at.
    pub fn files(&self) -> Result<Arc<[IndexedFile]>, Error> {
        if let Some(files) = self.inner.files.get() {
            return Ok(files.clone());
        }
        let files: Vec<IndexedFile> = generation::read_json(&self.inner.generation.files())?;
        Ok(self.inner.files.get_or_init(|| files.into()).clone())
    }

    /// What went wrong in them.
    pub fn diagnostics(&self) -> Result<Vec<Diagnostic>, Error> {
        generation::read_json(&self.inner.generation.diagnostics())
    }

    /// What files that are not source name, sorted by name; read when it is first asked for.
    pub fn mentions(&self) -> Result<Arc<[Mention]>, Error> {
        if let Some(mentions) = self.inner.mentions.get() {
            return Ok(mentions.clone());
        }
        let mentions: Vec<Mention> = generation::read_json(&self.inner.generation.mentions())?;
        Ok(self.inner.mentions.get_or_init(|| mentions.into()).clone())
    }

    /// The text that a file had when it was indexed; `None` if it was skipped, is empty, or is not in the index.
    pub fn source(&self, path: &str) -> Result<Option<String>, Error> {
        let sources = match self.inner.sources.get() {
            Some(sources) => sources,
            None => {
                let opened = Sources::open(&self.inner.generation.sources())?;
                self.inner.sources.get_or_init(|| opened)
            }
        };
        sources.get(path)
    }

    /// The graph as arrays, read when it is first asked for.
    pub fn net(&self) -> Result<Arc<Net>, Error> {
        if let Some(net) = self.inner.net.get() {
            return Ok(net.clone());
        }
        let opened = Arc::new(Net::open(&self.inner.generation)?);
        Ok(self.inner.net.get_or_init(|| opened).clone())
    }

    /// The parts of the code, read when they are first asked for.
    pub fn communities(&self) -> Result<Arc<Communities>, Error> {
        if let Some(communities) = self.inner.communities.get() {
            return Ok(communities.clone());
        }
        let read = Arc::new(community::read(&self.inner.generation.communities())?);
        Ok(self.inner.communities.get_or_init(|| read).clone())
    }

    /// The search files, opened when they are first asked for; `None` if the index was built without.
    pub fn search(&self) -> Result<Option<Arc<SearchIndex>>, Error> {
        if let Some(opened) = self.inner.search.get() {
            return Ok(opened.clone());
        }
        let opened = SearchIndex::open(&self.inner.generation.search())?.map(Arc::new);
        Ok(self.inner.search.get_or_init(|| opened).clone())
    }

    /// The vectors alone, opened anew: to measure them. `None` if there are none.
    pub fn search_vectors(&self) -> Result<Option<Vectors>, Error> {
        let folder = self.inner.generation.search();
        match folder.join(vectors::FILE).exists() {
            true => Vectors::open(&folder).map(Some),
            false => Ok(None),
        }
    }

    /// The index folder.
    pub fn folder(&self) -> &Path {
        &self.inner.dir
    }

    /// A reader of the generation that is current now; `None` if that is this one.
    pub fn reopen_if_switched(&self) -> Result<Option<Self>, Error> {
        match generation::current(&self.inner.dir)? {
            Some(current) if current.name == self.inner.generation.name => Ok(None),
            _ => open_with(&self.inner.dir, self.inner.memory_bytes).map(Some),
        }
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("generation", &self.inner.generation.folder)
            .finish_non_exhaustive()
    }
}
