//! How good retrieval is: questions with known answers, and for each stage what it finds of them.
//!
//! First, some terminology:
//!
//! - **suite**: a file of questions ([`suite`]), each with the symbols and files that answer it.
//! - **stage**: one source alone, the lists fused by rank, the candidates rated alone, rated with their neighbours, and ranked by trees (the whole).
//! - **recall@10**: of the right answers, the share that is among the first 10, averaged over questions. **MRR**: 1 over the rank of the
//!   first right one, averaged.
//!
//! A question whose right answer is `shop.Cart.total`, which full text has in place 3 and the vectors in place 1, gives full text a
//! reciprocal rank of 0.33 and the vectors one of 1.

pub mod candidates;
pub mod cypher;
pub mod docstrings;
pub mod figures;
pub mod suite;
pub mod vectors;

use std::collections::HashSet;

use rayon::prelude::*;
use ripple_graphdb::SearchIndex;

use crate::Error;
use crate::retrieve::learn::Group;
use crate::retrieve::{Retriever, Trace, expand};
use crate::view::{SearchRequest, Source};
use figures::Outcome;
use suite::{Question, Suite};

/// Hits that are looked at.
const DEPTH: usize = 50;

/// What came of a suite.
#[derive(Debug, Clone)]
pub struct Report {
    /// Its name.
    pub suite: String,
    /// `train` or `test`.
    pub half: String,
    /// Stage by stage.
    pub stages: Vec<Stage>,
    /// Symbols that the index does not hold.
    pub unknown: Vec<String>,
    /// Milliseconds of each search, in order of size.
    pub elapsed: Vec<f64>,
}

/// What one stage found, question by question.
#[derive(Debug, Clone)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Of symbols.
    pub symbols: Vec<Outcome>,
    /// Of files.
    pub files: Vec<Outcome>,
}

/// The whole, for those who look at questions one by one.
pub const WHOLE: &str = "whole";

/// What each stage made of a question: its name, the outcome for symbols, the outcome for files.
type Stages = Vec<(String, Outcome, Outcome)>;

/// Asks every question of a suite, of these sources; of all if none is named.
pub fn run(retriever: &Retriever, suite: &Suite, sources: &[Source]) -> Result<Report, Error> {
    let index = retriever.index();
    let answers: Vec<(Stages, f64)> = suite
        .questions
        .iter()
        .map(|question| {
            let began = std::time::Instant::now();
            let trace = retriever.trace(&request(question, sources))?;
            let elapsed = began.elapsed().as_secs_f64() * 1000.0;
            let mut stages = stages(&trace);
            if let Some(order) = retriever.reranked(&trace)? {
                stages.push(("re-ranked".into(), order.iter().map(|(row, _)| *row).collect()));
            }
            let judged = stages.into_iter().map(|(name, rows)| {
                let symbols = Outcome::of(&question.symbols, symbols_of(index, &rows));
                let files = Outcome::of(&question.files, files_of(index, &rows));
                (name, symbols, files)
            });
            Ok((judged.collect(), elapsed))
        })
        .collect::<Result<_, Error>>()?;
    let mut stages: Vec<Stage> = Vec::new();
    let mut elapsed = Vec::new();
    for (judged, time) in answers {
        elapsed.push(time);
        for (name, symbols, files) in judged {
            let place = stages.iter().position(|stage| stage.name == name).unwrap_or_else(|| {
                stages.push(Stage {
                    name,
                    symbols: Vec::new(),
                    files: Vec::new(),
                });
                stages.len() - 1
            });
            stages[place].symbols.push(symbols);
            stages[place].files.push(files);
        }
    }
    elapsed.sort_by(f64::total_cmp);
    Ok(Report {
        suite: suite.name.clone(),
        half: suite.half.clone(),
        stages,
        unknown: unknown(index, suite)?,
        elapsed,
    })
}

/// The candidates of every question, as learning wants them: features alone, and with neighbours as these weights see them.
pub fn groups(retriever: &Retriever, suite: &Suite, sources: &[Source]) -> Result<Vec<Group>, Error> {
    let index = retriever.index();
    let found = suite.questions.par_iter().map(|question| {
        let trace = retriever.trace(&request(question, sources))?;
        let wanted: HashSet<&str> = question.symbols.iter().map(String::as_str).collect();
        let right = trace
            .rows
            .iter()
            .map(|&row| wanted.contains(symbol(index, row).as_str()))
            .collect();
        Ok(Group {
            features: trace.features,
            right,
            rows: trace.rows,
        })
    });
    found.collect()
}

/// The same groups with what is around each candidate, by the weights of the first rating.
pub fn with_neighbours(retriever: &Retriever, groups: &[Group], first: &[f32], sources: &[Source]) -> Vec<Group> {
    let each = groups.iter().map(|group| {
        let scores: Vec<f32> = group
            .features
            .iter()
            .map(|features| features.iter().zip(first).map(|(x, w)| x * w).sum())
            .collect();
        let around = match sources.is_empty() || sources.contains(&Source::Graph) {
            true => expand::around(retriever.index(), &group.rows, &scores),
            false => expand::alone(&scores),
        };
        let features = group.features.iter().zip(around);
        Group {
            features: features
                .map(|(own, near)| own.iter().copied().chain(near).collect())
                .collect(),
            right: group.right.clone(),
            rows: group.rows.clone(),
        }
    });
    each.collect()
}

fn request(question: &Question, sources: &[Source]) -> SearchRequest {
    SearchRequest {
        query: question.text.clone(),
        limit: Some(DEPTH),
        sources: sources.to_vec(),
        ..SearchRequest::default()
    }
}

/// The rows of each stage, the best first.
fn stages(trace: &Trace) -> Vec<(String, Vec<u32>)> {
    let rows = |found: &[(u32, f32)]| -> Vec<u32> { found.iter().map(|(row, _)| *row).collect() };
    let mut stages: Vec<(String, Vec<u32>)> = Vec::new();
    for (source, name) in [
        (Source::Name, "name"),
        (Source::Text, "text"),
        (Source::Meaning, "meaning"),
        (Source::Vector, "vector"),
        (Source::Chunk, "chunk"),
        (Source::Graph, "graph"),
    ] {
        let list = trace.lists.iter().find(|list| list.source == source);
        stages.push((name.into(), list.map(|list| rows(&list.found)).unwrap_or_default()));
    }
    stages.push(("fused".into(), rows(&trace.fused)));
    stages.push(("candidates".into(), trace.rows.clone()));
    stages.push(("rated".into(), rows(&trace.rated)));
    stages.push(("weighed".into(), rows(&trace.weighed)));
    stages.push((WHOLE.into(), rows(&trace.ranked)));
    stages
}

/// The name by which suites know a row.
pub fn symbol(index: &SearchIndex, row: u32) -> String {
    let entry = index.nodes.entry(row);
    match index.nodes.label(row) {
        Some(ripple_schema::NodeKind::Key) => format!("key:{}", entry.name),
        _ => entry.qualified_name,
    }
}

/// Names of rows, each once.
fn symbols_of(index: &SearchIndex, rows: &[u32]) -> Vec<String> {
    once(rows.iter().map(|&row| symbol(index, row)))
}

fn files_of(index: &SearchIndex, rows: &[u32]) -> Vec<String> {
    let paths = rows
        .iter()
        .map(|&row| index.nodes.path(index.nodes.file(row)).to_owned());
    once(paths.filter(|path| !path.is_empty()))
}

fn once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// Symbols of a suite that no row has: the suite, or the index, is wrong.
fn unknown(index: &SearchIndex, suite: &Suite) -> Result<Vec<String>, Error> {
    let mut unknown = Vec::new();
    for wanted in suite.questions.iter().flat_map(|question| &question.symbols) {
        let name = wanted.strip_prefix("key:").unwrap_or(wanted);
        let rows = index.text.named(name, 1000, None)?;
        if !rows.iter().any(|&row| symbol(index, row) == *wanted) && !unknown.contains(wanted) {
            unknown.push(wanted.clone());
        }
    }
    Ok(unknown)
}
