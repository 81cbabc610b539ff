//! Questions that people answered before: `faq.toml` in an indexed root.
//!
//! ```toml
//! [[entry]]
//! question = "Where do mail addresses come from?"
//! answer = "From the order's JSON: `email`."
//! files = ["api/orders/decode.go"]
//! ```
//!
//! A question near to one of them brings its answer, and what is declared in its files counts more.

use ripple_graphdb::nodes::{Embedder, Purpose};
use ripple_graphdb::{Manifest, SearchIndex};
use serde::Deserialize;

use super::Asked;
use super::sources::List;
use crate::view::{FaqHit, Source};

/// Name of the file.
pub const FILE: &str = "faq.toml";
/// How near a question has to be: by vectors, or by the share of words that both have.
const NEAR: f32 = 0.6;
const SHARED: f32 = 0.5;
/// Answers that are shown.
const MOST: usize = 3;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    entry: Vec<Entry>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    question: String,
    answer: String,
    #[serde(default)]
    files: Vec<String>,
}

/// The entries of all roots, with their vectors.
#[derive(Default)]
pub struct Faq {
    entries: Vec<(Entry, Option<Vec<f32>>)>,
}

impl Faq {
    /// Reads the files; one that cannot be read is told in a note and left out.
    pub fn read(manifest: &Manifest, embedder: Option<&dyn Embedder>) -> (Self, Vec<String>) {
        let mut faq = Self::default();
        let mut notes = Vec::new();
        for root in &manifest.roots {
            let path = root.path.join(FILE);
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            match toml::from_str::<Text>(&text) {
                Err(error) => notes.push(format!("{} was left out: {}", path.display(), error.message())),
                Ok(text) => faq.entries.extend(text.entry.into_iter().map(|mut entry| {
                    if !root.prefix.is_empty() {
                        entry
                            .files
                            .iter_mut()
                            .for_each(|file| *file = format!("{}/{file}", root.prefix));
                    }
                    (entry, None)
                })),
            }
        }
        if let Some(embedder) = embedder.filter(|_| !faq.entries.is_empty()) {
            let questions: Vec<String> = faq.entries.iter().map(|(entry, _)| entry.question.clone()).collect();
            match embedder.embed(&questions, Purpose::Question) {
                Err(error) => notes.push(format!("{FILE} is compared by words alone: {error}")),
                Ok(vectors) => {
                    let vectors = vectors.chunks(embedder.model().dimensions.max(1));
                    for ((_, place), vector) in faq.entries.iter_mut().zip(vectors) {
                        *place = Some(vector.to_vec());
                    }
                }
            }
        }
        (faq, notes)
    }

    /// The answers to questions near this one.
    pub fn near(&self, index: &SearchIndex, asked: &Asked) -> Vec<FaqHit> {
        let found = self.found(index, asked).into_iter().take(MOST);
        found
            .map(|(entry, _)| FaqHit {
                question: entry.question.clone(),
                answer: entry.answer.clone(),
                files: entry.files.clone(),
            })
            .collect()
    }

    /// What is declared in the files of those answers.
    pub fn list(&self, index: &SearchIndex, asked: &Asked) -> Option<List> {
        let mut found: Vec<(u32, f32)> = Vec::new();
        for (entry, score) in self.found(index, asked).into_iter().take(MOST) {
            for file in entry.files.iter().filter_map(|path| index.nodes.file_of(path)) {
                let rows = index.declared_in(file, 0, u32::MAX).into_iter();
                let passes = |row: &u32| asked.allowed.as_ref().is_none_or(|allowed| allowed.row(*row));
                found.extend(rows.filter(passes).take(50).map(|row| (row, score)));
            }
        }
        (!found.is_empty()).then_some(List {
            source: Source::Faq,
            found,
        })
    }

    fn found(&self, index: &SearchIndex, asked: &Asked) -> Vec<(&Entry, f32)> {
        let mut found: Vec<(&Entry, f32)> = self
            .entries
            .iter()
            .filter_map(|(entry, vector)| {
                let cosine = match (vector, &asked.vector) {
                    (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| a * b).sum(),
                    _ => 0.0,
                };
                let shared = shared(&index.text.terms(&entry.question).words, &asked.terms.words);
                (cosine >= NEAR || shared >= SHARED).then_some((entry, cosine.max(shared)))
            })
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }
}

/// Share of words that both questions have, of all that either has.
pub fn shared(a: &[(String, f32)], b: &[(String, f32)]) -> f32 {
    let both = a
        .iter()
        .filter(|(word, _)| b.iter().any(|(other, _)| other == word))
        .count();
    both as f32 / (a.len() + b.len() - both).max(1) as f32
}
