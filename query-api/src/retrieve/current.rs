//! [`Searching`]: the retriever of the generation that is current, opened with the first search and kept for the next ones.

use std::sync::{Arc, Mutex, PoisonError};

use ripple_graphdb::Reader;

use super::{Options, Retriever};
use crate::Error;

/// The retriever that answers now.
#[derive(Default)]
pub struct Searching {
    options: Options,
    current: Mutex<Option<Arc<Retriever>>>,
}

impl Searching {
    /// Searches with these models.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            current: Mutex::default(),
        }
    }

    /// The retriever of this generation.
    pub fn of(&self, reader: &Reader) -> Result<Arc<Retriever>, Error> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(retriever) = current.as_ref()
            && retriever.generation() == reader.manifest().generation
        {
            return Ok(retriever.clone());
        }
        let opened = Arc::new(Retriever::open(reader, &self.options)?);
        *current = Some(opened.clone());
        Ok(opened)
    }

    /// Something that a retriever holds has changed: the next search opens another.
    pub fn forget(&self) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
