//! Words that mean nearly the same: what full text cannot know and the vector of a whole text blurs.
//!
//! Every word of the index's names, documentation and bodies has a vector (from the model that ships with the program); every row keeps
//! which words stand in which of its [`FIELDS`]. A question's word is compared with all of them: "mandatory" is near `required`, so a function
//! called `validate_required_flags` covers that word of the question to three quarters.
//!
//! ```text
//! mandatory flag missing     against    validate required flags
//! mandatory 0.74 (required)   flag 1.00 (flags)   missing 0.41 (required)
//! ```

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use ripple_schema::Node;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

use super::build::{body_of, line_starts};
use super::vocabulary::Vocabulary;
use super::words::spoken;
use crate::Error;
use crate::nodes::embed::{Embedder, Purpose};
use crate::nodes::table::{NONE, Rows};
use crate::search::file;

/// Name of the file.
pub(crate) const FILE: &str = "words.bin";

/// Where words stand, from the most telling to the least.
pub const FIELDS: [&str; 5] = ["name", "owner", "doc", "near", "body"];

/// Most words that are kept of a row's field.
const MOST: [usize; 5] = [12, 16, 60, 60, 120];

/// A likeness below this says nothing: any two words have as much.
const LEAST: f32 = 0.35;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Head {
    dimensions: usize,
    scale: f32,
    words: Vec<String>,
    /// Of each field: where its starts begin in the body, in numbers of 4 bytes, and how many items follow them.
    fields: Vec<(usize, usize)>,
    rows: usize,
    /// In how many rows each word stands.
    counts: Vec<u32>,
}

/// The words of an index.
pub struct Meanings {
    head: Head,
    bytes: OwnedBytes,
    places: FxHashMap<String, u32>,
}

/// How near each word of the index is to each word of a question.
pub struct Likeness {
    /// Words of the question, and how rare each is.
    pub asked: Vec<(String, f32)>,
    /// By word of the index, then by word of the question.
    table: Vec<f32>,
}

/// Writes the words of all rows.
pub(crate) fn build(
    folder: &Path,
    rows: &Rows<'_>,
    sources: &[Arc<[u8]>],
    embedder: &dyn Embedder,
) -> Result<(), Error> {
    let starts: Vec<Vec<usize>> = sources.par_iter().map(|source| line_starts(source)).collect();
    let mut head = Head {
        dimensions: embedder.model().dimensions,
        rows: rows.nodes.len(),
        ..Head::default()
    };
    let mut vocabulary = Vocabulary::default();
    // The place of each word among those that are kept.
    let mut places: Vec<u32> = Vec::new();
    let mut lists: Vec<u32> = Vec::new();
    for (field, most) in MOST.into_iter().enumerate() {
        let start = lists.len();
        let mut items: Vec<u32> = Vec::new();
        for row in 0..rows.nodes.len() {
            lists.push(items.len() as u32);
            let Some(node) = rows.node(row) else { continue };
            let words = match field {
                0 => vocabulary.content([node.name.as_str()], most),
                1 => vocabulary.content(owner(node), most),
                2 => vocabulary.content([&*rows.doc(row), &node.signature], most),
                3 => vocabulary.content(rows.out_names[row].iter().chain(&rows.in_names[row]).copied(), most),
                _ => vocabulary.content([body_of(node, sources, &starts)], most),
            };
            for word in words {
                let at = word as usize;
                if places.len() <= at {
                    places.resize(at + 1, NONE);
                }
                if places[at] == NONE {
                    places[at] = head.words.len() as u32;
                    head.words.push(vocabulary.text(word).to_owned());
                    head.counts.push(0);
                }
                head.counts[places[at] as usize] += 1;
                items.push(places[at]);
            }
        }
        lists.push(items.len() as u32);
        head.fields.push((start, items.len()));
        lists.extend(items);
    }
    drop(vocabulary);
    let vectors = embedder.embed(&head.words, Purpose::Passage)?;
    let largest = vectors.iter().fold(1e-6, |most: f32, x| most.max(x.abs()));
    head.scale = 127.0 / largest;
    let mut bytes: Vec<u8> = vectors.iter().map(|x| (x * head.scale).round() as i8 as u8).collect();
    bytes.extend(lists.iter().flat_map(|number| number.to_le_bytes()));
    file::write_two(&folder.join(FILE), &head, &bytes)
}

/// The last steps of what a node lies in.
fn owner(node: &Node) -> impl Iterator<Item = &str> {
    let before = node.qualified_name.strip_suffix(&node.name).unwrap_or("");
    let steps = before.split(['.', '/']).filter(|step| !step.is_empty());
    let above = steps.clone().count().saturating_sub(3);
    steps.skip(above)
}

/// The words of a question that say something, each once.
fn content(text: &str, most: usize) -> Vec<String> {
    let mut vocabulary = Vocabulary::default();
    let words = vocabulary.content([text], most);
    words.iter().map(|word| vocabulary.text(*word).to_owned()).collect()
}

/// Gives the vectors of words, end to end.
pub type Embed<'e> = dyn Fn(&[String]) -> Result<Vec<f32>, Error> + 'e;

impl Meanings {
    /// Maps a written file; `None` if there is none.
    pub(crate) fn open(folder: &Path, rows: usize) -> Result<Option<Self>, Error> {
        if !folder.join(FILE).exists() {
            return Ok(None);
        }
        let (head, bytes): (Head, OwnedBytes) = file::read_two(folder, FILE)?;
        let numbers = head
            .fields
            .last()
            .map_or(0, |(start, items)| start + head.rows + 1 + items);
        let whole = head.words.len() * head.dimensions + 4 * numbers;
        if bytes.len() != whole || head.rows != rows || head.fields.len() != FIELDS.len() {
            return Err(Error::Damaged {
                path: folder.join(FILE),
                message: format!("it has {} bytes, not {whole}", bytes.len()),
            });
        }
        let places = head.words.iter().cloned().zip(0..).collect();
        Ok(Some(Self { head, bytes, places }))
    }

    /// Compares the words of a question with those of the index. `embed` gives their vectors, end to end.
    pub fn likeness(&self, question: &str, embed: &Embed<'_>) -> Result<Likeness, Error> {
        let mut words = content(question, 24);
        if words.is_empty() {
            words = spoken(question)
                .split(' ')
                .take(8)
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect();
        }
        let asked: Vec<(String, f32)> = words.iter().map(|word| (word.clone(), self.rarity(word))).collect();
        if words.is_empty() {
            return Ok(Likeness {
                asked,
                table: Vec::new(),
            });
        }
        let vectors = embed(&words)?;
        if vectors.len() != words.len() * self.head.dimensions {
            return Ok(Likeness {
                asked: Vec::new(),
                table: Vec::new(),
            });
        }
        let questions: Vec<Vec<i16>> = vectors
            .chunks(self.head.dimensions)
            .map(|vector| vector.iter().map(|x| (x * 8192.0) as i16).collect())
            .collect();
        let scale = 1.0 / (self.head.scale * 8192.0);
        let dimensions = self.head.dimensions;
        let known: Vec<Option<u32>> = words.iter().map(|word| self.places.get(word).copied()).collect();
        let mut table = vec![0.0; self.head.words.len() * words.len()];
        let vectors = &self.bytes[..self.head.words.len() * dimensions];
        table
            .par_chunks_mut(words.len())
            .with_min_len(512)
            .zip(vectors.par_chunks(dimensions).with_min_len(512))
            .zip(0..self.head.words.len() as u32)
            .for_each(|((row, vector), word)| {
                for ((like, question), known) in row.iter_mut().zip(&questions).zip(&known) {
                    let product: i32 = vector
                        .iter()
                        .zip(question)
                        .map(|(&a, &b)| i32::from(i16::from(a as i8)) * i32::from(b))
                        .sum();
                    let cosine = product as f32 * scale;
                    *like = match *known == Some(word) {
                        true => 1.0,
                        false => ((cosine - LEAST) / (1.0 - LEAST)).clamp(0.0, 0.95),
                    };
                }
            });
        Ok(Likeness { asked, table })
    }

    /// For each word of the question, how well the best word of a row's field covers it: 0 to 1. Larger values that are there stay.
    pub fn cover(&self, likeness: &Likeness, field: usize, row: u32, weight: f32, best: &mut [f32]) {
        let count = likeness.asked.len();
        for word in self.words_of(field, row) {
            let start = word as usize * count;
            let Some(likes) = likeness.table.get(start..start + count) else {
                continue;
            };
            for (best, like) in best.iter_mut().zip(likes) {
                *best = best.max(like * weight);
            }
        }
    }

    /// The mean, over the words of a row's name, of how near each is to some word of the question.
    pub fn within(&self, likeness: &Likeness, row: u32) -> f32 {
        let count = likeness.asked.len();
        let (mut sum, mut words) = (0.0, 0.0);
        for word in self.words_of(0, row) {
            let start = word as usize * count;
            let likes = likeness.table.get(start..start + count).unwrap_or_default();
            sum += likes.iter().copied().fold(0.0, f32::max);
            words += 1.0;
        }
        if words > 0.0 { sum / words } else { 0.0 }
    }

    /// The words of the index that are nearest to each word of the question, with their likeness: to look for them too.
    pub fn nearest(&self, likeness: &Likeness, most: usize, least: f32) -> Vec<(String, f32)> {
        let count = likeness.asked.len();
        let mut all: Vec<(String, f32)> = Vec::new();
        for (at, _) in likeness.asked.iter().enumerate() {
            let mut near: Vec<(f32, u32)> = likeness
                .table
                .iter()
                .skip(at)
                .step_by(count.max(1))
                .zip(0..)
                .filter(|(like, _)| **like >= least && **like < 1.0)
                .map(|(like, word)| (*like, word))
                .collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (like, word) in near.into_iter().take(most) {
                all.extend(self.head.words.get(word as usize).map(|word| (word.clone(), like)));
            }
        }
        all
    }

    /// How well names and owners alone cover the question, for every row that passes: the best rows.
    pub fn best(&self, likeness: &Likeness, limit: usize, passes: &(dyn Fn(u32) -> bool + Sync)) -> Vec<(u32, f32)> {
        let whole: f32 = likeness.asked.iter().map(|(_, rarity)| rarity).sum::<f32>().max(1e-3);
        let mut found: Vec<(u32, f32)> = (0..self.head.rows as u32)
            .into_par_iter()
            .with_min_len(1024)
            .filter(|&row| passes(row))
            .map(|row| {
                let mut best = [0.0; 24];
                let best = &mut best[..likeness.asked.len().min(24)];
                self.cover(likeness, 0, row, 1.0, best);
                self.cover(likeness, 1, row, 0.6, best);
                let covered: f32 = best
                    .iter()
                    .zip(&likeness.asked)
                    .map(|(like, (_, rarity))| like * rarity)
                    .sum();
                let words = self.words_of(0, row).count() as f32;
                (row, covered / whole / (1.0 + 0.1 * words))
            })
            .collect();
        let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if found.len() > limit && limit > 0 {
            found.select_nth_unstable_by(limit - 1, order);
            found.truncate(limit);
        }
        found.sort_by(order);
        found.retain(|(_, score)| *score > 0.0);
        found
    }

    fn rarity(&self, word: &str) -> f32 {
        let count = self
            .places
            .get(word)
            .and_then(|&place| self.head.counts.get(place as usize));
        let (count, rows) = (count.copied().unwrap_or(0) as f32, self.head.rows as f32);
        (1.0 + rows / (1.0 + count)).ln()
    }

    fn words_of(&self, field: usize, row: u32) -> impl Iterator<Item = u32> {
        let numbers = self.head.words.len() * self.head.dimensions;
        let number = move |at: usize| -> Option<u32> {
            let start = numbers + 4 * at;
            let bytes: [u8; 4] = self.bytes.get(start..start + 4)?.try_into().ok()?;
            Some(u32::from_le_bytes(bytes))
        };
        let start = self.head.fields.get(field).map_or(0, |(start, _)| *start);
        let items = start + self.head.rows + 1;
        let from = number(start + row as usize).unwrap_or(0) as usize;
        let to = number(start + row as usize + 1).unwrap_or(0) as usize;
        (from..to).filter_map(move |at| number(items + at))
    }
}
