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
