//! [`Store`]: the index that is being served, and the places for queries on it.
//!
//! With two places to run there are sixteen to wait: the nineteenth query at once is turned away. A query keeps its place
//! until it has ended, also when the client has gone.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use ripple_graphdb::{Limits, Reader};
use tokio::sync::Semaphore;
use tracing::{info, warn};

use crate::Error;
use crate::view::Answer;

/// The current generation and the queue before it. Copies are the same store.
#[derive(Clone)]
pub struct Store {
    current: Arc<Current>,
    /// Places to run or to wait.
    places: Arc<Semaphore>,
    /// Places to run.
    running: Arc<Semaphore>,
}

/// Queries that may wait for each one that runs.
const WAITING: usize = 8;

/// How often a request looks whether a new generation is there.
const LOOK: Duration = Duration::from_secs(1);

struct Current {
    reader: RwLock<Reader>,
    looked: Mutex<Instant>,
}

impl Store {
    /// Opens the index; `concurrency` queries run at once and share this much memory.
    pub fn open(index: &Path, memory_bytes: u64, concurrency: usize) -> Result<Self, Error> {
        let reader = ripple_graphdb::open_with(index, memory_bytes)?;
        let current = Current {
            reader: RwLock::new(reader),
            looked: Mutex::new(Instant::now()),
        };
        Ok(Self {
            current: Arc::new(current),
            places: Arc::new(Semaphore::new(concurrency * (1 + WAITING))),
            running: Arc::new(Semaphore::new(concurrency)),
        })
    }

    /// Works with the current generation on a blocking thread, when there is a place.
    pub async fn read<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Reader) -> Result<T, Error> + Send + 'static,
    {
        let gone = |_| Error::Internal("the queue is closed".into());
        let place = self.places.clone().try_acquire_owned().map_err(|_| Error::Overloaded)?;
        let permit = self.running.clone().acquire_owned().await.map_err(gone)?;
        let current = self.current.clone();
        let task = tokio::task::spawn_blocking(move || {
            let _held = (place, permit);
            work(&current.reader())
        });
        task.await.map_err(|error| Error::Internal(error.to_string()))?
    }

    /// The current generation, and a place to work on it for as long as that is held; `None` if all are taken. Blocks while a new generation
    /// is opened.
    #[cfg(unix)]
    pub fn at_once(&self) -> Option<(impl Sized + use<>, Reader)> {
        let place = self.places.clone().try_acquire_owned().ok()?;
        let permit = self.running.clone().try_acquire_owned().ok()?;
        Some(((place, permit), self.current.reader()))
    }

    /// Runs a query, when there is a place for it.
    pub async fn query(
        &self,
        text: String,
        params: BTreeMap<String, serde_json::Value>,
        limits: Limits,
    ) -> Result<Answer, Error> {
        let work = move |reader: &Reader| match reader.query(&text, &params, &limits) {
            Ok(rows) => Ok(rows.into()),
            Err(source) => Err(Error::Query { text, source }),
        };
        self.read(work).await
    }

    /// The generation that was current when last looked. Does not block.
    pub fn reader(&self) -> Reader {
        self.current.held()
    }
}

impl Current {
    /// The current generation; looks for a new one now and then. One that cannot be opened leaves the old one in place.
    fn reader(&self) -> Reader {
        if self.is_time_to_look() {
            match self.held().reopen_if_switched() {
                Ok(None) => {}
                Ok(Some(reader)) => {
                    info!(
                        generation = reader.manifest().generation,
                        "the index has a new generation"
                    );
                    *self.reader.write().unwrap_or_else(PoisonError::into_inner) = reader;
                }
                Err(error) => {
                    warn!(%error, "the new generation cannot be opened; the old one is still served")
                }
            }
        }
        self.held()
    }

    fn held(&self) -> Reader {
        self.reader.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_time_to_look(&self) -> bool {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let due = looked.elapsed() >= LOOK;
        if due {
            *looked = Instant::now();
        }
        due
    }
}
