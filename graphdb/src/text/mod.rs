//! Full text: names, documentation and source, by words.
//!
//! Two indexes of one segment each, so that a document's number is its place: document 7 of `text-nodes/` is row 7 of the
//! [`NodeTable`](crate::NodeTable), document 7 of `text-chunks/` is chunk 7. Nothing is stored in them but the words.
//!
//! `def total(order): """Sum of all items."""` in class `Cart` of `shop/cart.py` is the document
//! `name: total · owner: shop cart Cart · signature: … order · doc: Sum of all items · near: (callees, callers) · body: …`.

pub(crate) mod build;
pub(crate) mod chunk;
pub mod meaning;
pub(crate) mod tokenizer;
mod vocabulary;
pub(crate) mod words;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;
use std::sync::Mutex;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::query::{BooleanQuery, BoostQuery, EnableScoring, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{DocSet, Index, Searcher, SegmentReader, Term};

use crate::Error;
use crate::search::Allowed;
use tokenizer::CodeTokenizer;

/// The fields of a node's document.
pub const FIELDS: [&str; 7] = ["name", "owner", "doc", "signature", "near", "body", "path"];

/// Words of a question that count, by their stems.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Terms {
    /// Stem and weight.
    pub words: Vec<(String, f32)>,
}

/// Most words of a question that are looked for.
const MOST_WORDS: usize = 48;

/// The two indexes, open.
pub struct Text {
    nodes: Open,
    chunks: Open,
    tokenizer: Mutex<CodeTokenizer>,
}

struct Open {
    searcher: Searcher,
    schema: Schema,
}

/// A field of words.
pub(crate) fn words_field() -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(tokenizer::NAME)
            .set_fieldnorms(true)
            .set_index_option(IndexRecordOption::WithFreqs),
    )
}

/// A field of whole names, as they are.
pub(crate) fn name_field() -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::Basic),
    )
}

/// Names with a common beginning that are looked at.
const BEGINNINGS: usize = 20_000;

/// Whole names of nodes, in lower case.
pub(crate) const EXACT: &str = "exact";
/// The text of a chunk.
pub(crate) const TEXT: &str = "text";
/// Path and heading of a chunk.
pub(crate) const TITLE: &str = "title";

impl Text {
    /// Opens what [`build`] wrote.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        Ok(Self {
            nodes: Open::new(&folder.join(build::NODES))?,
            chunks: Open::new(&folder.join(build::CHUNKS))?,
            tokenizer: Mutex::new(CodeTokenizer::default()),
        })
    }

    /// The words of a question that say something; all of them if none does.
    pub fn terms(&self, question: &str) -> Terms {
        let mut tokenizer = self.tokenizer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut content = String::new();
        for (_, identifier) in words::identifiers(question) {
            let plain = identifier.to_lowercase();
            if !words::is_stop_word(&plain) {
                content.push_str(identifier);
                content.push(' ');
            }
            if content.len() > 64 * MOST_WORDS {
                break;
            }
        }
        let mut tokens = tokenizer.tokens(&content);
        if tokens.is_empty() {
            let mut end = question.len().min(64 * MOST_WORDS);
            while !question.is_char_boundary(end) {
                end -= 1;
            }
            tokens = tokenizer.tokens(&question[..end]);
        }
        let mut words: Vec<(String, f32)> = Vec::new();
        for token in tokens {
            if let Some(known) = words.iter_mut().find(|(word, _)| *word == token) {
                known.1 = (known.1 + 0.2).min(1.6);
            } else if words.len() < MOST_WORDS {
                words.push((token, 1.0));
            }
        }
        drop(tokenizer);
        for (word, weight) in &mut words {
            if let Some(other) = self.correction(word) {
                (*word, *weight) = (other, 0.8);
            }
        }
        Terms { words }
    }

    /// Terms for words that are near in meaning, with these weights.
    pub fn expanded(&self, terms: &Terms, near: &[(String, f32)]) -> Terms {
        let mut words = terms.words.clone();
        for (word, weight) in near {
            for token in self.tokens(word).into_iter().take(1) {
                if !words.iter().any(|(known, _)| *known == token) {
                    words.push((token, *weight));
                }
            }
        }
        Terms { words }
    }

    /// The commonest word of names that is one or two edits away from one that stands nowhere.
    fn correction(&self, word: &str) -> Option<String> {
        let edits = match word.chars().count() {
            0..4 => return None,
            4..8 => 1,
            _ => 2,
        };
        let is_known = ["name", "doc", "body", "owner", "path"]
            .iter()
            .any(|field| self.frequency(word, field).0 > 0);
        let chunk_field = self.chunks.schema.get_field(TEXT).ok()?;
        let in_chunks = self
            .chunks
            .searcher
            .doc_freq(&Term::from_field_text(chunk_field, word))
            .unwrap_or(0);
        if is_known || in_chunks > 0 {
            return None;
        }
        let field = self.nodes.schema.get_field("name").ok()?;
        let segment = self
            .nodes
            .searcher
            .segment_readers()
            .first()
            .filter(|segment| segment.num_docs() > 0)?;
        let inverted = segment.inverted_index(field).ok()?;
        (1..=edits).find_map(|edits| {
            let query = FuzzyTermQuery::new(Term::from_field_text(field, word), edits, true);
            let mut stream = inverted.terms().search(query.automaton().ok()?).into_stream().ok()?;
            let mut best: Option<(u32, String)> = None;
            while stream.advance() {
                let Ok(found) = std::str::from_utf8(stream.key()) else {
                    continue;
                };
                let count = stream.value().doc_freq;
                if best.as_ref().is_none_or(|(most, _)| count > *most) {
                    best = Some((count, found.to_owned()));
                }
            }
            best.map(|(_, found)| found)
        })
    }

    /// How rare a word is among nodes: its inverse document frequency over all fields of names and bodies.
    pub fn rarity(&self, word: &str) -> f32 {
        let (body, all) = self.frequency(word, "body");
        let count = body
            .max(self.frequency(word, "name").0)
            .max(self.frequency(word, "doc").0) as f32;
        (1.0 + (all as f32 - count + 0.5).max(0.0) / (count + 0.5)).ln()
    }

    /// The tokens of a name, as the index has them.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let mut tokenizer = self.tokenizer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        tokenizer.tokens(text)
    }

    /// The rows whose documents fit best. `boosts` are by field, as in [`FIELDS`]; a field of boost 0 is not looked at.
    pub fn nodes(
        &self,
        terms: &Terms,
        boosts: &[f32],
        limit: usize,
        allowed: Option<&Allowed>,
    ) -> Result<Vec<(u32, f32)>, Error> {
        let mut clauses = Vec::new();
        for (name, &boost) in FIELDS.iter().zip(boosts).filter(|(_, boost)| **boost > 0.0) {
            let Ok(field) = self.nodes.schema.get_field(name) else {
                continue;
            };
            clauses.extend(words(terms, field, boost));
        }
        self.nodes
            .best(&BooleanQuery::new(clauses), limit, allowed.map(Allowed::rows))
    }

    /// How well one field of each row fits; `rows` are in order. 0 where no word is there.
    pub fn field_scores(&self, terms: &Terms, field: &str, rows: &[u32]) -> Result<Vec<f32>, Error> {
        let Ok(field) = self.nodes.schema.get_field(field) else {
            return Ok(vec![0.0; rows.len()]);
        };
        let clauses = words(terms, field, 1.0);
        self.nodes.scores(&BooleanQuery::new(clauses.collect()), rows)
    }

    /// The chunks that fit best.
    pub fn chunks(&self, terms: &Terms, limit: usize, allowed: Option<&Allowed>) -> Result<Vec<(u32, f32)>, Error> {
        let mut clauses = Vec::new();
        for (name, boost) in [(TEXT, 1.0), (TITLE, 0.7)] {
            let Ok(field) = self.chunks.schema.get_field(name) else {
                continue;
            };
            clauses.extend(words(terms, field, boost));
        }
        self.chunks
            .best(&BooleanQuery::new(clauses), limit, allowed.map(Allowed::chunks))
    }

    /// The rows of this name, whatever its case: short (`total`), with its owner (`cart.total`), or whole.
    pub fn named(&self, name: &str, limit: usize, allowed: Option<&Allowed>) -> Result<Vec<u32>, Error> {
        let Ok(field) = self.nodes.schema.get_field(EXACT) else {
            return Ok(Vec::new());
        };
        let query = TermQuery::new(
            Term::from_field_text(field, &name.to_lowercase()),
            IndexRecordOption::Basic,
        );
        let found = self.nodes.best(&query, limit, allowed.map(Allowed::rows))?;
        Ok(found.into_iter().map(|(row, _)| row).collect())
    }

    /// The rows of which a name begins so, whatever its case, the shortest names first. A beginning without a dot is that of a short name
    /// (`tot`), one with a dot that of a name with its owner (`cart.tot`), or of a whole one.
    pub fn named_like(&self, beginning: &str, limit: usize, allowed: Option<&Allowed>) -> Result<Vec<u32>, Error> {
        let beginning = beginning.to_lowercase();
        let is_short = |name: &str| !name.contains(['.', '/']);
        let (Ok(field), Some(segment)) = (
            self.nodes.schema.get_field(EXACT),
            self.nodes.searcher.segment_readers().first(),
        ) else {
            return Ok(Vec::new());
        };
        let unread = |error: std::io::Error| failed(error.into());
        let inverted = segment.inverted_index(field).map_err(failed)?;
        let range = inverted.terms().range().ge(beginning.as_bytes());
        let mut stream = range.into_stream().map_err(unread)?;
        let mut names: Vec<String> = Vec::new();
        for _ in 0..BEGINNINGS {
            if !stream.advance() || !stream.key().starts_with(beginning.as_bytes()) {
                break;
            }
            let name = std::str::from_utf8(stream.key()).unwrap_or_default();
            if is_short(name) || !is_short(&beginning) {
                names.push(name.to_owned());
            }
        }
        names.sort_by_key(|name| (name.len(), name.clone()));
        let mut rows = Vec::new();
        for name in names {
            for row in self.named(&name, limit, allowed)? {
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
            if rows.len() >= limit {
                rows.truncate(limit);
                break;
            }
        }
        Ok(rows)
    }

    /// The rows whose name is so many (1 or 2) edits away.
    pub fn nearly_named(
        &self,
        name: &str,
        edits: u8,
        limit: usize,
        allowed: Option<&Allowed>,
    ) -> Result<Vec<u32>, Error> {
        let Ok(field) = self.nodes.schema.get_field(EXACT) else {
            return Ok(Vec::new());
        };
        let term = Term::from_field_text(field, &name.to_lowercase());
        let query = FuzzyTermQuery::new(term, edits.min(2), true);
        let found = self.nodes.best(&query, limit, allowed.map(Allowed::rows))?;
        Ok(found.into_iter().map(|(row, _)| row).collect())
    }

    /// In how many nodes a word stands, in any of these fields; and how many nodes there are.
    pub fn frequency(&self, word: &str, field: &str) -> (u64, u64) {
        let count = self.nodes.schema.get_field(field).ok().and_then(|field| {
            let term = Term::from_field_text(field, word);
            self.nodes.searcher.doc_freq(&term).ok()
        });
        (count.unwrap_or(0), self.nodes.searcher.num_docs())
    }
}

/// The words of a question, as clauses on one field.
fn words(terms: &Terms, field: Field, boost: f32) -> impl Iterator<Item = (Occur, Box<dyn Query>)> {
    terms
        .words
        .iter()
        .map(move |(word, weight)| boosted(field, word, boost * weight))
}

fn boosted(field: Field, word: &str, boost: f32) -> (Occur, Box<dyn Query>) {
    let term = TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs);
    (Occur::Should, Box::new(BoostQuery::new(Box::new(term), boost)))
}

impl Open {
    fn new(folder: &Path) -> Result<Self, Error> {
        let failed = |error: tantivy::TantivyError| Error::Damaged {
            path: folder.into(),
            message: error.to_string(),
        };
        let index = Index::open_in_dir(folder).map_err(failed)?;
        let reader = index
            .reader_builder()
            .reload_policy(tantivy::ReloadPolicy::Manual)
            .try_into()
            .map_err(failed)?;
        let reader: tantivy::IndexReader = reader;
        Ok(Self {
            schema: index.schema(),
            searcher: reader.searcher(),
        })
    }

    fn best(&self, query: &dyn Query, limit: usize, allowed: Option<&[u64]>) -> Result<Vec<(u32, f32)>, Error> {
        // The engine's fuzzy search panics over no documents.
        if self.searcher.num_docs() == 0 {
            return Ok(Vec::new());
        }
        self.searcher
            .search(
                query,
                &Best {
                    limit,
                    allowed: allowed.map(<[u64]>::to_vec),
                },
            )
            .map_err(failed)
    }

    /// The score of each of these documents, which are in order.
    fn scores(&self, query: &dyn Query, documents: &[u32]) -> Result<Vec<f32>, Error> {
        let mut scores = vec![0.0; documents.len()];
        let Some(segment) = self
            .searcher
            .segment_readers()
            .first()
            .filter(|segment| segment.num_docs() > 0)
        else {
            return Ok(scores);
        };
        let weight = query
            .weight(EnableScoring::enabled_from_searcher(&self.searcher))
            .map_err(failed)?;
        let mut scorer = weight.scorer(segment, 1.0).map_err(failed)?;
        for (score, &document) in scores.iter_mut().zip(documents) {
            if scorer.doc() < document {
                scorer.seek(document);
            }
            if scorer.doc() == document {
                *score = scorer.score();
            }
        }
        Ok(scores)
    }
}

fn failed(error: tantivy::TantivyError) -> Error {
    Error::Damaged {
        path: "the full-text index".into(),
        message: error.to_string(),
    }
}

/// Keeps the best documents among those allowed.
struct Best {
    limit: usize,
    allowed: Option<Vec<u64>>,
}

struct BestOfSegment {
    limit: usize,
    allowed: Option<Vec<u64>>,
    /// The worst on top. Scores of full text are never negative, so their bits are in order.
    heap: BinaryHeap<Reverse<(u32, Reverse<u32>)>>,
}

impl Collector for Best {
    type Fruit = Vec<(u32, f32)>;
    type Child = BestOfSegment;

    fn for_segment(&self, _: u32, _: &SegmentReader) -> tantivy::Result<BestOfSegment> {
        Ok(BestOfSegment {
            limit: self.limit,
            allowed: self.allowed.clone(),
            heap: BinaryHeap::new(),
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Vec<(u32, f32)>>) -> tantivy::Result<Vec<(u32, f32)>> {
        Ok(fruits.into_iter().flatten().collect())
    }
}

impl SegmentCollector for BestOfSegment {
    type Fruit = Vec<(u32, f32)>;

    fn collect(&mut self, document: u32, score: f32) {
        if let Some(allowed) = &self.allowed {
            let word = allowed.get(document as usize / 64).copied().unwrap_or(0);
            if word >> (document % 64) & 1 == 0 {
                return;
            }
        }
        let entry = Reverse((score.max(0.0).to_bits(), Reverse(document)));
        if self.heap.len() < self.limit {
            self.heap.push(entry);
        } else if self.heap.peek().is_some_and(|worst| entry.0 > worst.0) {
            self.heap.pop();
            self.heap.push(entry);
        }
    }

    fn harvest(self) -> Vec<(u32, f32)> {
        let mut found: Vec<(u32, Reverse<u32>)> = self.heap.into_iter().map(|Reverse(entry)| entry).collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
            .into_iter()
            .map(|(score, Reverse(document))| (document, f32::from_bits(score)))
            .collect()
    }
}
