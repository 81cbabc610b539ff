//! The graph over the vectors against looking at every one: how many of the true nearest it finds, and what it saves.

use std::time::Instant;

use ripple_graphdb::Reader;
use ripple_graphdb::nodes::{Embedder, Purpose, Vectors};
use serde::Serialize;

use crate::Error;

/// What was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Vectors compared.
    pub vectors: usize,
    /// Their length.
    pub dimensions: usize,
    /// Time to build the graph.
    pub build_seconds: f64,
    /// Share of the 10 nearest that the graph finds, averaged.
    pub recall_10: f64,
    /// Milliseconds of a question by the graph, averaged.
    pub graph_ms: f64,
    /// The same of exact search.
    pub exact_ms: f64,
}

/// Builds a graph over an index's vectors and asks both ways. Questions are documentation sentences and names, not vectors of the index.
pub fn run(reader: &Reader, embedder: Option<&dyn Embedder>, questions: usize) -> Result<Report, Error> {
    let index = reader.search()?;
    let index = index.ok_or_else(|| Error::Usage("this index was built with --no-search".into()))?;
    let none = || Error::Usage("this index has no vectors".into());
    if index.vectors.is_none() {
        return Err(none());
    }
    let vectors = reader.search_vectors()?.ok_or_else(none)?;
    let began = Instant::now();
    let vectors: Vectors = vectors.with_graph();
    let build_seconds = began.elapsed().as_secs_f64();
    let step = (index.nodes.len() / questions.max(1)).max(1) as u32;
    let rows: Vec<u32> = (0..index.nodes.len() as u32)
        .step_by(step as usize)
        .take(questions)
        .collect();
    let mut asked: Vec<Vec<f32>> = Vec::new();
    for &row in &rows {
        let entry = index.nodes.entry(row);
        let text = if entry.doc.is_empty() {
            entry.name
        } else {
            entry.doc.lines().next().unwrap_or("").to_owned()
        };
        match embedder.filter(|embedder| embedder.model() == vectors.model()) {
            Some(embedder) => asked.push(embedder.embed(&[text], Purpose::Question)?),
            None => asked.push(vectors.vector(row)),
        }
    }
    let (mut found, mut wanted) = (0, 0);
    let (mut graph_ms, mut exact_ms) = (0.0, 0.0);
    for question in &asked {
        let began = Instant::now();
        let by_graph = vectors.nearest(question, 10, None);
        graph_ms += began.elapsed().as_secs_f64() * 1000.0;
        let began = Instant::now();
        let exact = vectors.nearest_exact(question, 10, None);
        exact_ms += began.elapsed().as_secs_f64() * 1000.0;
        wanted += exact.len();
        // Rows of equal product are as good as each other.
        let worst = exact.last().map_or(f32::MAX, |(_, cosine)| *cosine);
        found += by_graph
            .iter()
            .filter(|(_, cosine)| *cosine >= worst)
            .count()
            .min(exact.len());
    }
    let count = asked.len().max(1) as f64;
    Ok(Report {
        vectors: vectors.len(),
        dimensions: vectors.model().dimensions,
        build_seconds,
        recall_10: f64::from(found as u32) / f64::from(wanted.max(1) as u32),
        graph_ms: graph_ms / count,
        exact_ms: exact_ms / count,
    })
}
