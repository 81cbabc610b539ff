//! Which model makes vectors: the one that ships with the program, one in a folder, or one at an endpoint.
//!
//! An index remembers its model. A question is embedded by the same one, found where the index says that it was; if it is not there any
//! more, or is another one by now, vectors are not searched and the answer says so.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ripple_graphdb::nodes::embed::{BUILTIN, open_model};
use ripple_graphdb::nodes::{Embedder, ModelId, StaticEmbedder};

use super::endpoint::{ENDPOINT, EndpointEmbedder};
use crate::Error;
use crate::llm::{LlmSettings, Secret};

/// The model that ships with the program; read once.
pub fn builtin() -> Result<Arc<dyn Embedder>, Error> {
    static MODEL: Mutex<Option<Arc<dyn Embedder>>> = Mutex::new(None);
    let mut model = MODEL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(model) = model.as_ref() {
        return Ok(model.clone());
    }
    let opened: Arc<dyn Embedder> = Arc::new(StaticEmbedder::builtin()?);
    *model = Some(opened.clone());
    Ok(opened)
}

/// The model of a folder, the one at the endpoint of the environment, or the one that ships.
pub fn open(folder: Option<&Path>) -> Result<Arc<dyn Embedder>, Error> {
    match folder {
        None => builtin(),
        Some(place) if place == Path::new(ENDPOINT) => Ok(Arc::new(EndpointEmbedder::open(from_environment())?)),
        Some(folder) => {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            Ok(Arc::from(open_model(&folder)?))
        }
    }
}

/// The model that made an index's vectors, from where it was then.
pub fn of_index(id: &ModelId) -> Result<Arc<dyn Embedder>, Error> {
    let embedder = match id.place.as_str() {
        BUILTIN => builtin()?,
        place => open(Some(Path::new(place)))?,
    };
    let now = embedder.model();
    if now.hash != id.hash || now.dimensions != id.dimensions {
        return Err(Error::Store(ripple_graphdb::Error::ModelMismatch {
            index: format!("{} ({} dimensions)", id.name, id.dimensions),
            given: format!("what is in its place now ({} dimensions)", now.dimensions),
        }));
    }
    Ok(embedder)
}

/// The endpoint that the environment names.
pub(super) fn from_environment() -> LlmSettings {
    let read = |name: &str| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
    LlmSettings {
        model: read("RIPPLE_MODEL"),
        embedding_model: read("RIPPLE_EMBEDDING_MODEL"),
        url: read("OPENAI_BASE_URL"),
        key: read("OPENAI_API_KEY").map(|key| Secret::new(key.trim())),
        ..LlmSettings::default()
    }
}
