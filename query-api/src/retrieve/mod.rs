//! Retrieval: a question in English to the nodes to start from.
//!
//! First, some terminology:
//!
//! - **source**: one way to look ([`sources`]): exact and near names, full text, vectors, chunks of source, structures, questions
//!   answered before. Each gives a list of rows, the best first.
//! - **candidate**: a row that some source found, or that several of the best lead to in the graph ([`expand`]).
//! - **feature**: a number that speaks for or against a candidate ([`features`]): what each source says, its name, its kind, its place.
//! - **weight**: how much a feature counts ([`weights`]), learned from questions with known answers ([`learn`]).
//! - **tree**: when a feature counts, and with which others ([`trees`]), learned from the same.
//!
//! The stages of [`Retriever::search`]: *ask* every source, *fuse* their lists by rank, *expand* by the graph, *rate* each candidate
//! by its features, *weigh* it again knowing what its neighbours got, *rank* the best with what trees add, *re-rank* the first few if a
//! re-ranker is set, and *show*.
//!
//! "where is the mail domain taken" over the sample shop: full text finds `email_domain` by `domain`, the vectors by `mail`; both
//! lists have it first, and so does the answer.

mod current;
pub mod endpoint;
pub mod expand;
pub mod faq;
pub mod features;
pub mod feedback;
pub mod history;
pub mod hyde;
pub mod judge;
pub mod learn;
pub mod models;
pub mod rerank;
mod show;
pub mod sources;
pub mod trees;
pub mod weights;

pub use current::Searching;

use std::sync::Arc;
use std::time::Instant;

use ripple_graphdb::nodes::{Embedder, Purpose};
use ripple_graphdb::search::{Allowed, Filter};
use ripple_graphdb::text::Terms;
use ripple_graphdb::text::meaning::Likeness;
use ripple_graphdb::{Reader, SearchIndex};

use crate::Error;
use crate::view::{SearchAnswer, SearchRequest, Source};
use faq::Faq;
use feedback::Votes;
use hyde::Hyde;
use rerank::Reranker;
use sources::List;
use trees::Trees;
use weights::Weights;

/// Hits when nobody says how many.
pub const LIMIT: usize = 10;

/// Longest question that is looked at, in bytes; the rest is left out, and a note says so.
const QUESTION: usize = 8 << 10;

/// How to search, decided when a retriever is opened.
#[derive(Clone, Default)]
pub struct Options {
    /// Embeds questions; `None` opens the model that the index names.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Puts the first candidates into a better order.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Writes what an answer may look like, to look for that too.
    pub hyde: Option<Arc<Hyde>>,
}

/// Searches one generation, for any number of threads.
pub struct Retriever {
    reader: Reader,
    index: Arc<SearchIndex>,
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
    hyde: Option<Arc<Hyde>>,
    weights: Weights,
    trees: Trees,
    faq: Faq,
    votes: Votes,
    /// Everything but test code: what most questions may find.
    proper: Option<Allowed>,
    notes: Vec<String>,
}

/// A question, as the sources take it.
pub struct Asked {
    /// Its text.
    pub text: String,
    /// Its words.
    pub terms: Terms,
    /// Its vector, if there are vectors to compare it with.
    pub vector: Option<Vec<f32>>,
    /// What may be found.
    pub allowed: Option<Allowed>,
    /// The same without test code, unless the question asks for it: tests say the same words as what they test, and there are many.
    pub proper: Option<Allowed>,
    /// How near its words are to those of the index.
    pub likeness: Option<Likeness>,
}

/// Every stage of one search: what the evaluation looks at.
pub struct Trace {
    /// The question.
    pub asked: Asked,
    /// What each source found.
    pub lists: Vec<List>,
    /// Numbers of the chunks that fit.
    pub chunks: Vec<(u32, f32)>,
    /// The candidates, by row.
    pub rows: Vec<u32>,
    /// Their features, without neighbours.
    pub features: Vec<Vec<f32>>,
    /// Their order by ranks alone.
    pub fused: Vec<(u32, f32)>,
    /// Their order by their own features.
    pub rated: Vec<(u32, f32)>,
    /// Their order when neighbours count too.
    pub weighed: Vec<(u32, f32)>,
    /// The best of those, and what the trees are asked about each.
    pub best: Vec<(u32, Vec<f32>)>,
    /// Their order by the trees.
    pub ranked: Vec<(u32, f32)>,
    /// What should be told.
    pub notes: Vec<String>,
}

impl Retriever {
    /// Opens the search files of a generation. Without vectors, or without their model, full text answers alone and a note says so.
    pub fn open(reader: &Reader, options: &Options) -> Result<Self, Error> {
        let Some(index) = reader.search()? else {
            return Err(Error::Usage(
                "this index was built with --no-search; run `ripple index` without it to search".into(),
            ));
        };
        let mut notes = Vec::new();
        let embedder = match (&index.vectors, &options.embedder) {
            (None, _) => {
                notes.push("the index has no vectors: names and full text alone were searched".into());
                None
            }
            (Some(vectors), Some(embedder)) => {
                vectors.check(embedder.model())?;
                Some(embedder.clone())
            }
            (Some(vectors), None) => match models::of_index(vectors.model()) {
                Ok(embedder) => Some(embedder),
                Err(error) => {
                    notes.push(format!("vectors were not searched: {error}"));
                    None
                }
            },
        };
        let (faq, faq_notes) = Faq::read(reader.manifest(), embedder.as_deref());
        notes.extend(faq_notes);
        let (votes, votes_notes) = Votes::read(reader.folder(), &index);
        notes.extend(votes_notes);
        let proper = index.allowed(&Filter {
            tests: Some(false),
            ..Filter::default()
        })?;
        Ok(Self {
            reader: reader.clone(),
            index,
            embedder,
            reranker: options.reranker.clone(),
            hyde: options.hyde.clone(),
            weights: Weights::shipped()?,
            trees: Trees::shipped()?,
            faq,
            votes,
            proper,
            notes,
        })
    }

    /// The same with other weights: to try them.
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// The search files.
    pub fn index(&self) -> &Arc<SearchIndex> {
        &self.index
    }

    /// The embedder of questions, if vectors are searched.
    pub fn embedder(&self) -> Option<&Arc<dyn Embedder>> {
        self.embedder.as_ref()
    }

    /// Name of the generation that is searched.
    pub fn generation(&self) -> &str {
        &self.reader.manifest().generation
    }

    /// Finds what fits a question best.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchAnswer, Error> {
        let began = Instant::now();
        let (imagined, note) = match self.imagined(request) {
            Ok(imagined) => (imagined, None),
            Err(error) => (None, Some(format!("no answer was imagined: {error}"))),
        };
        let mut trace = self.traced(request, imagined.as_deref())?;
        trace.notes.extend(note);
        match self.reranked(&trace) {
            Ok(Some(order)) => trace.ranked = order,
            Ok(None) => {}
            Err(error) => trace.notes.push(format!("the hits were not re-ranked: {error}")),
        }
        let mut answer = self.show(request, &trace)?;
        answer.elapsed_ms = began.elapsed().as_secs_f64() * 1000.0;
        Ok(answer)
    }

    /// What an answer may look like, written in two passes, if somebody asked for that and there are vectors to look for it.
    fn imagined(&self, request: &SearchRequest) -> Result<Option<String>, Error> {
        let (Some(hyde), Some(_)) = (&self.hyde, &self.embedder) else {
            return Ok(None);
        };
        let question: String = request.query.chars().take(QUESTION / 4).collect();
        if question.trim().is_empty() || sources::lone_name(&question).is_some() {
            return Ok(None);
        }
        let first = hyde.write(&question, &[])?;
        let found = self.traced(request, Some(&first))?;
        let shown = found.ranked.iter().take(hyde::SHOWN);
        let shown: Vec<String> = shown.map(|(row, _)| rerank::passage(&self.index, *row)).collect();
        hyde.write(&question, &shown).map(Some)
    }

    /// What of a filter nothing in the index is, where that lets nothing pass.
    fn nothing_passes(&self, request: &SearchRequest) -> Result<Vec<String>, Error> {
        type Put = fn(Vec<String>) -> Filter;
        let asked: [(&str, &[String], Put); 5] = [
            ("of the kind", &request.kinds, |kinds| Filter {
                kinds,
                ..Filter::default()
            }),
            ("in the language", &request.languages, |languages| Filter {
                languages,
                ..Filter::default()
            }),
            ("in the package", &request.packages, |packages| Filter {
                packages,
                ..Filter::default()
            }),
            ("below the path", &request.paths, |paths| Filter {
                paths,
                ..Filter::default()
            }),
            ("tagged", &request.tags, |tags| Filter {
                tags,
                ..Filter::default()
            }),
        ];
        let mut notes = Vec::new();
        for (what, values, filter) in asked {
            for value in values {
                let passing = self.index.allowed(&filter(vec![value.clone()]))?;
                if passing.is_some_and(|passing| passing.count() == 0) {
                    notes.push(format!("nothing in the index is {what} `{value}`"));
                }
            }
        }
        if notes.is_empty() {
            notes.push("nothing in the index passes all of the filter together".into());
        }
        Ok(notes)
    }

    /// The order of the re-ranker, if one is set; what it did not look at stays behind.
    pub fn reranked(&self, trace: &Trace) -> Result<Option<Vec<(u32, f32)>>, Error> {
        let Some(reranker) = &self.reranker else {
            return Ok(None);
        };
        let first: Vec<(u32, f32)> = trace.ranked.iter().take(reranker.depth()).copied().collect();
        let rest = trace.ranked.iter().skip(first.len()).copied();
        let order = rerank::apply(reranker.as_ref(), &self.index, &trace.asked.text, first)?;
        Ok(Some(order.into_iter().chain(rest).collect()))
    }

    /// The nodes of the best hits, as rows of [`Self::index`]: every stage of a search is told.
    pub fn trace(&self, request: &SearchRequest) -> Result<Trace, Error> {
        self.traced(request, None)
    }

    fn traced(&self, request: &SearchRequest, imagined: Option<&str>) -> Result<Trace, Error> {
        let mut notes = self.notes.clone();
        let mut asked = self.asked(request, imagined, &mut notes)?;
        // A structure without a question asks for what has it, and for nothing near it.
        let is_structure = request.query.trim().is_empty() && request.pattern.is_some();
        let wanted = |source: Source| match request.sources.is_empty() {
            true => !is_structure || source == Source::Pattern,
            false => request.sources.contains(&source),
        };
        // What is not asked does not count in the rating either.
        if !wanted(Source::Meaning) {
            asked.likeness = None;
        }
        if !wanted(Source::Vector) {
            asked.vector = None;
        }
        let mut lists = Vec::new();
        let mut chunks = Vec::new();
        if wanted(Source::Name) {
            lists.push(sources::names(&self.index, &asked)?);
        }
        if wanted(Source::Text) {
            lists.push(sources::text(&self.index, &asked)?);
        }
        if wanted(Source::Meaning) {
            lists.extend(sources::meanings(&self.index, &asked)?);
        }
        if wanted(Source::Vector) {
            lists.extend(sources::vectors(&self.index, &asked));
        }
        if wanted(Source::Chunk) {
            chunks = self
                .index
                .text
                .chunks(&asked.terms, sources::CHUNKS, asked.allowed.as_ref())?;
            lists.push(sources::chunks(&self.index, &asked, &chunks));
        }
        if let Some(pattern) = request.pattern.as_ref().filter(|_| wanted(Source::Pattern)) {
            lists.push(sources::pattern(&self.reader, &self.index, &asked, pattern)?);
        }
        if wanted(Source::Faq) {
            lists.extend(self.faq.list(&self.index, &asked));
        }
        if wanted(Source::Feedback) {
            lists.extend(self.votes.list(&self.index, &asked));
        }
        let fused = sources::fuse(&lists);
        if wanted(Source::Graph) {
            lists.push(expand::shared(&self.index, &asked, &fused));
        }
        let mut rows: Vec<u32> = lists
            .iter()
            .flat_map(|list| list.found.iter().map(|(row, _)| *row))
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let features = features::of(&self.index, &asked, &lists, &chunks, &rows)?;
        let scores: Vec<f32> = features.iter().map(|features| self.weights.first(features)).collect();
        let rated = weights::order(&rows, scores.iter().copied());
        let around = match wanted(Source::Graph) {
            true => expand::around(&self.index, &rows, &scores),
            false => expand::alone(&scores),
        };
        let last = features.iter().zip(&around);
        let last: Vec<f32> = last
            .map(|(features, around)| self.weights.last(features, around))
            .collect();
        let weighed = weights::order(&rows, last.iter().copied());
        let best = trees::asked_about(&rows, &weighed, &features, &around);
        let mut ranked = self.trees.order(&weighed, &best, |row| weights::said(&lists, row));
        sources::names_first(&self.index, &asked.text, &mut ranked);
        Ok(Trace {
            asked,
            lists,
            chunks,
            rows,
            features,
            fused,
            rated,
            weighed,
            best,
            ranked,
            notes,
        })
    }

    fn asked(&self, request: &SearchRequest, imagined: Option<&str>, notes: &mut Vec<String>) -> Result<Asked, Error> {
        let whole = request.query.trim();
        if whole.is_empty() && request.pattern.is_none() {
            return Err(Error::Usage(
                "the question is empty; ask something, or give a pattern".into(),
            ));
        }
        let mut end = whole.len().min(QUESTION);
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        if end < whole.len() {
            notes.push(format!(
                "the question has {} bytes: the first {end} were looked at",
                whole.len()
            ));
        }
        let text = whole[..end].to_owned();
        let vector = match &self.embedder {
            Some(embedder) if !text.is_empty() => match question_vector(embedder.as_ref(), &text, imagined) {
                Ok(vector) => vector,
                Err(error) => {
                    notes.push(format!("vectors were not searched: {error}"));
                    None
                }
            },
            _ => None,
        };
        let filter = Filter {
            kinds: request.kinds.clone(),
            languages: request.languages.clone(),
            packages: request.packages.clone(),
            paths: request.paths.clone(),
            tags: request.tags.clone(),
            tests: request.tests,
        };
        let allowed = self.index.allowed(&filter)?;
        if allowed.as_ref().is_some_and(|allowed| allowed.count() == 0) {
            notes.extend(self.nothing_passes(request)?);
        }
        let proper = match request.tests {
            None if features::asks_for_tests(&text) => allowed.clone(),
            None if allowed.is_none() => self.proper.clone(),
            None => self.index.allowed(&Filter {
                tests: Some(false),
                ..filter
            })?,
            Some(_) => allowed.clone(),
        };
        let likeness = match (&self.index.meanings, &vector) {
            (Some(meanings), Some(_)) => {
                let words = models::builtin()?;
                let embed = |words_of: &[String]| words.embed(words_of, Purpose::Question);
                Some(meanings.likeness(&text, &embed)?)
            }
            _ => None,
        };
        Ok(Asked {
            terms: self.index.text.terms(&text),
            vector,
            allowed,
            proper,
            likeness,
            text,
        })
    }
}

/// The vector of a question: halfway to what an answer may look like, if that was imagined. `None` if the model knows no word of it: it is near to
/// nothing.
fn question_vector(embedder: &dyn Embedder, text: &str, imagined: Option<&str>) -> Result<Option<Vec<f32>>, Error> {
    let mut vector = embedder.embed(&[text.to_owned()], Purpose::Question)?;
    if let Some(imagined) = imagined {
        let other = embedder.embed(&[imagined.to_owned()], Purpose::Passage)?;
        vector.iter_mut().zip(other).for_each(|(x, other)| *x += other);
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|x| *x /= length);
        }
    }
    Ok(vector.iter().any(|x| *x != 0.0).then_some(vector))
}
