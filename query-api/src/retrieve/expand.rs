//! What the graph adds: candidates that several of the best lead to, and what a candidate's neighbours got.

use std::collections::HashMap;

use ripple_graphdb::SearchIndex;
use ripple_graphdb::nodes::NONE;

use super::Asked;
use super::sources::List;
use crate::view::Source;

/// How many of the best are looked from.
const FROM: usize = 25;
/// How many candidates the graph adds.
const ADDED: usize = 40;

/// Names of the features that [`around`] gives, in order.
pub const NAMES: [&str; 9] = [
    "own",
    "owner-got",
    "parts-got",
    "called-got",
    "callers-got",
    "file-got",
    "package-got",
    "together-got",
    "leads",
];

/// Rows that at least two of the best call, read, belong to, or are called by.
pub fn shared(index: &SearchIndex, asked: &Asked, fused: &[(u32, f32)]) -> List {
    let nodes = &index.nodes;
    let mut counts: HashMap<u32, (u32, f32)> = HashMap::new();
    for &(row, score) in fused.iter().take(FROM) {
        let mut near: Vec<u32> = nodes.outgoing(row).iter().chain(nodes.incoming(row)).copied().collect();
        near.extend(Some(nodes.owner(row)).filter(|owner| *owner != NONE));
        near.sort_unstable();
        near.dedup();
        // What is near to everything says nothing.
        let share = score / (1.0 + near.len() as f32).ln().max(1.0);
        for other in near {
            let entry = counts.entry(other).or_default();
            entry.0 += 1;
            entry.1 += share / (1.0 + (nodes.degree(other) as f32).ln_1p());
        }
    }
    let passes = |row: u32| asked.allowed.as_ref().is_none_or(|allowed| allowed.row(row));
    let mut found: Vec<(u32, f32)> = counts
        .into_iter()
        .filter(|(row, (count, _))| *count >= 2 && passes(*row))
        .map(|(row, (_, share))| (row, share))
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(ADDED);
    List::of(Source::Graph, found)
}

/// The same as [`around`] where nobody looks at neighbours: each candidate's own score.
pub fn alone(scores: &[f32]) -> Vec<Vec<f32>> {
    let each = scores.iter().map(|&score| {
        let mut own = vec![0.0; NAMES.len()];
        own[0] = score;
        own
    });
    each.collect()
}

/// For each candidate, what it and those around it got in the first rating, as shares of the whole.
pub fn around(index: &SearchIndex, rows: &[u32], scores: &[f32]) -> Vec<Vec<f32>> {
    let nodes = &index.nodes;
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let of_row: HashMap<u32, f32> = rows.iter().copied().zip(shares.iter().copied()).collect();
    let mut of_file: HashMap<u32, f32> = HashMap::new();
    let mut of_package: HashMap<&str, f32> = HashMap::new();
    let mut of_parts: HashMap<u32, f32> = HashMap::new();
    for (&row, &share) in rows.iter().zip(&shares) {
        *of_file.entry(nodes.file(row)).or_default() += share;
        *of_package.entry(nodes.package(row)).or_default() += share;
        *of_parts.entry(nodes.owner(row)).or_default() += share;
    }
    let got = |row: u32| of_row.get(&row).copied().unwrap_or(0.0);
    let damp = |x: f32| x.ln_1p();
    let each = rows.iter().zip(&shares).zip(scores).map(|((&row, &own), &score)| {
        let sum = |near: &[u32]| near.iter().map(|&other| got(other)).sum::<f32>();
        let together: f32 = nodes
            .changed_with(nodes.file(row))
            .iter()
            .map(|(other, both, commits)| {
                let confidence = *both as f32 / (*commits).max(1) as f32;
                confidence * of_file.get(other).copied().unwrap_or(0.0)
            })
            .sum();
        let (called, callers) = (sum(nodes.outgoing(row)), sum(nodes.incoming(row)));
        vec![
            score,
            damp(got(nodes.owner(row))),
            damp(of_parts.get(&row).copied().unwrap_or(0.0)),
            damp(called),
            damp(callers),
            damp(of_file.get(&nodes.file(row)).copied().unwrap_or(0.0) - own),
            damp(of_package.get(nodes.package(row)).copied().unwrap_or(0.0) - own),
            damp(together),
            damp(called + callers) * own,
        ]
    });
    each.collect()
}
