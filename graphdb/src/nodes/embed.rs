//! [`Embedder`]: text to vectors. Bodies: the static model that ships with the program, or one in a folder
//! ([`StaticEmbedder`]); a transformer in a folder ([`TransformerEmbedder`](super::TransformerEmbedder)); and, outside of this
//! crate, an endpoint.
//!
//! ```no_run
//! use ripple_graphdb::nodes::{Embedder, Purpose, StaticEmbedder};
//! # fn example() -> Result<(), ripple_graphdb::Error> {
//! let embedder = StaticEmbedder::builtin()?;
//! let vectors = embedder.embed(&["send an email".into(), "mail delivery".into()], Purpose::Passage)?;
//! assert_eq!(vectors.len(), 2 * embedder.model().dimensions);
//! # Ok(())
//! # }
//! ```

use std::path::Path;

use model2vec_rs::model::StaticModel;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::Error;
use crate::text::words::spoken;

/// Which model made a vector. Vectors of different models cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelId {
    /// Its name, for people.
    pub name: String,
    /// Where it is: `builtin`, a folder, or an address.
    pub place: String,
    /// Length of its vectors.
    pub dimensions: usize,
    /// Hash of all that decides about its vectors.
    pub hash: u64,
}

/// What a text is embedded for: some models tell the two apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be found.
    Passage,
    /// To find.
    Question,
}

/// Text to vectors.
pub trait Embedder: Send + Sync {
    /// Which model it is.
    fn model(&self) -> &ModelId;

    /// The vectors of these texts, end to end, each of length 1.
    fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<f32>, Error>;

    /// How many texts it wants at once.
    fn batch(&self) -> usize {
        1024
    }

    /// Whether it is so slow, or so dear, that vectors are kept for the next build.
    fn is_slow(&self) -> bool {
        true
    }
}

/// Opens the model of a folder: a transformer if its settings name layers, else a static model.
pub fn open_model(folder: &Path) -> Result<Box<dyn Embedder>, Error> {
    let settings = read(folder, "config.json")?;
    let settings: serde_json::Value = serde_json::from_slice(&settings).map_err(|error| Error::Model {
        place: folder.display().to_string(),
        message: format!("config.json: {error}"),
    })?;
    if settings.get("num_hidden_layers").is_some() {
        Ok(Box::new(super::TransformerEmbedder::open(folder)?))
    } else {
        Ok(Box::new(StaticEmbedder::open(folder)?))
    }
}

/// A table of token vectors; a text's vector is their mean.
pub struct StaticEmbedder {
    id: ModelId,
    model: StaticModel,
}

const BUILTIN_MODEL: &[u8] = include_bytes!("../../model/model.safetensors");
const BUILTIN_TOKENIZER: &[u8] = include_bytes!("../../model/tokenizer.json");
const BUILTIN_CONFIG: &[u8] = include_bytes!("../../model/config.json");

/// The place of the model that is part of the program.
pub const BUILTIN: &str = "builtin";

impl StaticEmbedder {
    /// The model that ships with the program: works offline.
    pub fn builtin() -> Result<Self, Error> {
        Self::of(
            BUILTIN.into(),
            BUILTIN.into(),
            BUILTIN_TOKENIZER,
            BUILTIN_MODEL,
            BUILTIN_CONFIG,
        )
    }

    /// A model in `model2vec` layout: `model.safetensors`, `tokenizer.json`, `config.json`.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let name = folder
            .file_name()
            .unwrap_or(folder.as_os_str())
            .to_string_lossy()
            .into_owned();
        let tokenizer = read(folder, "tokenizer.json")?;
        let model = read(folder, "model.safetensors")?;
        let config = read(folder, "config.json")?;
        Self::of(name, folder.display().to_string(), &tokenizer, &model, &config)
    }

    fn of(name: String, place: String, tokenizer: &[u8], model: &[u8], config: &[u8]) -> Result<Self, Error> {
        let hash = hash(&[tokenizer, model, config]);
        let broken = |message: String| Error::Model {
            place: place.clone(),
            message,
        };
        let model = StaticModel::from_bytes(tokenizer, model, config, Some(true))
            .map_err(|error| broken(format!("{error:#}")))?;
        if model.dim() == 0 {
            return Err(broken("its vectors have no dimensions".into()));
        }
        let id = ModelId {
            name,
            place,
            dimensions: model.dim(),
            hash,
        };
        Ok(Self { id, model })
    }
}

impl Embedder for StaticEmbedder {
    fn model(&self) -> &ModelId {
        &self.id
    }

    fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<f32>, Error> {
        use rayon::prelude::*;
        // What is in this form already stays as it is.
        let spoken: Vec<String> = texts.par_iter().map(|text| spoken(text)).collect();
        checked(
            &self.id,
            texts.len(),
            self.model.encode_flat_with_args(&spoken, Some(256)),
        )
    }

    fn is_slow(&self) -> bool {
        false
    }
}

/// Vectors as they have to be: of the right number, without NaN, of length 1 (or all zero, where a text has no known word).
pub fn checked(model: &ModelId, texts: usize, mut vectors: Vec<f32>) -> Result<Vec<f32>, Error> {
    let wrong = |message: String| Error::Model {
        place: model.place.clone(),
        message,
    };
    if vectors.len() != texts * model.dimensions {
        return Err(wrong(format!(
            "it gave {} numbers for {texts} texts, not {} for each",
            vectors.len(),
            model.dimensions
        )));
    }
    for vector in vectors.chunks_mut(model.dimensions.max(1)) {
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if !length.is_finite() {
            return Err(wrong("it gave a vector that is no number (NaN or infinite)".into()));
        }
        if length > 0.0 {
            vector.iter_mut().for_each(|x| *x /= length);
        }
    }
    Ok(vectors)
}

/// A file of a model.
pub(super) fn read(folder: &Path, name: &str) -> Result<Vec<u8>, Error> {
    std::fs::read(folder.join(name)).map_err(|error| Error::Model {
        place: folder.display().to_string(),
        message: format!("{name}: {error}"),
    })
}

/// One hash of several files.
pub(super) fn hash(files: &[&[u8]]) -> u64 {
    let mut hash = Xxh3::new();
    for file in files {
        hash.update(&(file.len() as u64).to_le_bytes());
        hash.update(file);
    }
    hash.digest()
}
