//! Features: what speaks for or against a candidate, as numbers between 0 and 1 or so.
//!
//! For each field of full text there are two: its score against the best that these words could get (`doc`), and against the best
//! candidate of this question (`doc-best`). The weights are in `weights.txt`, by these names.

use std::collections::HashMap;

use ripple_graphdb::SearchIndex;
use ripple_graphdb::text::FIELDS;
use ripple_schema::NodeKind;

use super::Asked;
use super::sources::{BOOSTS, List};
use crate::Error;
use crate::view::Source;

/// Names of the features of a candidate alone, in order.
pub const NAMES: [&str; 60] = [
    "name",
    "owner",
    "doc",
    "signature",
    "near",
    "body",
    "path",
    "name-best",
    "owner-best",
    "doc-best",
    "signature-best",
    "near-best",
    "body-best",
    "path-best",
    "text",
    "cosine",
    "cosine-best",
    "rank-text",
    "rank-vector",
    "rank-chunk",
    "rank-name",
    "fused",
    "said",
    "name-covers",
    "name-covered",
    "owner-covered",
    "chunk",
    "file",
    "is-function",
    "is-method",
    "is-type",
    "is-interface",
    "is-field",
    "is-global",
    "is-constant",
    "is-package",
    "is-key",
    "degree",
    "test",
    "exported",
    "dunder",
    "long",
    "hint-type",
    "hint-field",
    "hint-function",
    "hint-key",
    "test-asked",
    "closure",
    "any-covered",
    "pattern",
    "soft-name",
    "soft-owner",
    "soft-doc",
    "soft-near",
    "soft-body",
    "soft-all",
    "soft-names",
    "soft-within",
    "rank-meaning",
    "meaning",
];

/// The features of every candidate; `rows` are in order.
pub fn of(
    index: &SearchIndex,
    asked: &Asked,
    lists: &[List],
    chunks: &[(u32, f32)],
    rows: &[u32],
) -> Result<Vec<Vec<f32>>, Error> {
    let nodes = &index.nodes;
    let terms = &asked.terms;
    let rarity: HashMap<&str, f32> = terms
        .words
        .iter()
        .map(|(word, weight)| (word.as_str(), index.text.rarity(word) * weight))
        .collect();
    let whole = rarity.values().sum::<f32>().max(1e-3);
    let mut fields: Vec<Vec<f32>> = Vec::with_capacity(FIELDS.len());
    for field in FIELDS {
        fields.push(index.text.field_scores(terms, field, rows)?);
    }
    let best: Vec<f32> = fields
        .iter()
        .map(|scores| scores.iter().copied().fold(1e-3, f32::max))
        .collect();
    let cosines = match (&index.vectors, &asked.vector) {
        (Some(vectors), Some(vector)) => vectors.similarities(vector, rows),
        _ => vec![0.0; rows.len()],
    };
    let best_cosine = cosines.iter().copied().fold(0.0, f32::max);
    let ranks = |source: Source| -> HashMap<u32, (usize, f32)> {
        let lists = lists.iter().filter(|list| list.source == source);
        lists
            .flat_map(|list| {
                list.found
                    .iter()
                    .enumerate()
                    .map(|(rank, (row, score))| (*row, (rank, *score)))
            })
            .collect()
    };
    let (by_text, by_vector) = (ranks(Source::Text), ranks(Source::Vector));
    let by_meaning = ranks(Source::Meaning);
    let (by_chunk, by_name, by_pattern) = (ranks(Source::Chunk), ranks(Source::Name), ranks(Source::Pattern));
    let rank = |ranks: &HashMap<u32, (usize, f32)>, row: u32| {
        ranks.get(&row).map_or(0.0, |(rank, _)| 10.0 / (10.0 + *rank as f32))
    };
    let score = |ranks: &HashMap<u32, (usize, f32)>, row: u32| ranks.get(&row).map_or(0.0, |(_, score)| *score);
    let text: Vec<f32> = (0..rows.len())
        .map(|at| {
            fields
                .iter()
                .zip(BOOSTS)
                .map(|(scores, boost)| scores[at] * boost)
                .sum()
        })
        .collect();
    let best_text = text.iter().copied().fold(1e-3, f32::max);
    let mut of_file: HashMap<u32, f32> = HashMap::new();
    for (at, &row) in rows.iter().enumerate() {
        *of_file.entry(nodes.file(row)).or_default() += (text[at] / best_text).powi(3);
    }
    let best_file = of_file.values().copied().fold(1e-3, f32::max);
    let best_chunk = chunks.first().map_or(1.0, |(_, score)| score.max(1e-3));
    let mut chunk_of: HashMap<u32, Vec<(u32, u32, f32)>> = HashMap::new();
    for &(number, score) in chunks {
        if let Some(chunk) = index.chunk(number) {
            let piece = (chunk.line, chunk.end_line, score / best_chunk);
            chunk_of.entry(chunk.file).or_default().push(piece);
        }
    }
    let hints = Hints::of(&asked.text);
    let covered = |text: &str| -> (f32, f32) {
        let tokens = index.text.tokens(text);
        let mut seen: Vec<&str> = Vec::new();
        let mut found = 0.0;
        let mut count = 0.0;
        for token in &tokens {
            if seen.contains(&token.as_str()) {
                continue;
            }
            seen.push(token);
            count += 1.0;
            if let Some(rarity) = rarity.get(token.as_str()) {
                found += rarity;
            }
        }
        let inside = seen.iter().filter(|token| rarity.contains_key(**token)).count() as f32;
        (found / whole, if count > 0.0 { inside / count } else { 0.0 })
    };
    let mut all = Vec::with_capacity(rows.len());
    for (at, &row) in rows.iter().enumerate() {
        let (kind, name) = nodes.kind_and_name(row);
        let label = nodes.label(row);
        let mut features = Vec::with_capacity(NAMES.len());
        features.extend(fields.iter().map(|scores| scores[at] / (2.0 * whole)));
        features.extend(fields.iter().zip(&best).map(|(scores, best)| scores[at] / best));
        features.push(text[at] / best_text);
        features.push(cosines[at]);
        features.push(cosines[at] - best_cosine);
        features.push(rank(&by_text, row));
        features.push(rank(&by_vector, row));
        features.push(rank(&by_chunk, row));
        features.push(rank(&by_name, row));
        let fused = [&by_text, &by_vector, &by_chunk, &by_name]
            .map(|ranks| ranks.get(&row).map_or(0.0, |(rank, _)| 60.0 / (61.0 + *rank as f32)));
        features.push(fused.iter().sum());
        features.push(score(&by_name, row));
        let (covers, within) = covered(name);
        features.push(covers);
        features.push(within);
        let owner = nodes.owner(row);
        let owner_name = nodes.kind_and_name(owner).1;
        let (owner_covers, _) = covered(owner_name);
        features.push(owner_covers);
        let (line, end_line) = nodes.lines(row);
        let chunk = chunk_of.get(&nodes.file(row)).map_or(0.0, |pieces| {
            let around = pieces
                .iter()
                .filter(|(start, end, _)| *start <= line && end_line <= *end);
            around.map(|(_, _, score)| *score).fold(0.0, f32::max)
        });
        features.push(chunk);
        features.push(of_file.get(&nodes.file(row)).copied().unwrap_or(0.0) / best_file);
        let is = |is: bool| if is { 1.0 } else { 0.0 };
        let is_type = label == Some(NodeKind::Type);
        let is_function = label == Some(NodeKind::Function);
        let is_field = label == Some(NodeKind::Field);
        let is_key = label == Some(NodeKind::Key);
        features.push(is(is_function && kind == "function"));
        features.push(is(is_function && kind == "method"));
        features.push(is(is_type && kind != "interface"));
        features.push(is(is_type && kind == "interface"));
        features.push(is(is_field));
        features.push(is(kind == "global"));
        features.push(is(kind == "constant"));
        features.push(is(label == Some(NodeKind::Package)));
        features.push(is(is_key));
        features.push((nodes.degree(row) as f32).ln_1p() / 5.0);
        features.push(is(nodes.is_test(row) && !hints.test));
        features.push(is(nodes.is_exported(row)));
        features.push(is(name.starts_with("__")));
        features.push(((end_line.saturating_sub(line) + 1) as f32).ln() / 5.0);
        features.push(is(hints.is_type && is_type));
        features.push(is(hints.field && (is_field || kind == "global" || kind == "constant")));
        features.push(is(hints.function && is_function));
        features.push(is(hints.key && is_key));
        features.push(is(nodes.is_test(row) && hints.test));
        features.push(is(kind == "closure"));
        features.push((covers + owner_covers + (fields[2][at] + fields[5][at]) / (4.0 * whole)).min(2.0));
        features.push(score(&by_pattern, row));
        features.extend(soft(index, asked, row));
        features.push(rank(&by_meaning, row));
        features.push(score(&by_meaning, row));
        all.push(features);
    }
    Ok(all)
}

/// How well words of like meaning cover the question: by each field, by all of them (the best field for each word), by names and owners, and
/// how much of the name is covered.
fn soft(index: &SearchIndex, asked: &Asked, row: u32) -> [f32; 8] {
    let (Some(meanings), Some(likeness)) = (&index.meanings, &asked.likeness) else {
        return [0.0; 8];
    };
    let count = likeness.asked.len();
    let whole: f32 = likeness.asked.iter().map(|(_, rarity)| rarity).sum::<f32>().max(1e-3);
    let sum = |best: &[f32]| -> f32 {
        let each = best.iter().zip(&likeness.asked);
        each.map(|(like, (_, rarity))| like * rarity).sum::<f32>() / whole
    };
    let mut all = vec![0.0; count];
    let mut names = vec![0.0; count];
    let mut out = [0.0; 8];
    for (field, weight) in [1.0, 0.8, 0.9, 0.6, 0.7].into_iter().enumerate() {
        let mut best = vec![0.0; count];
        meanings.cover(likeness, field, row, 1.0, &mut best);
        out[field] = sum(&best);
        for ((all, names), best) in all.iter_mut().zip(&mut names).zip(&best) {
            *all = f32::max(*all, best * weight);
            if field < 2 {
                *names = f32::max(*names, best * weight);
            }
        }
    }
    out[5] = sum(&all);
    out[6] = sum(&names);
    out[7] = meanings.within(likeness, row);
    out
}

/// Whether a question wants test code.
pub fn asks_for_tests(question: &str) -> bool {
    Hints::of(question).test
}

/// What a question says about the kind of thing it wants.
#[derive(Default)]
struct Hints {
    is_type: bool,
    field: bool,
    function: bool,
    key: bool,
    test: bool,
}

impl Hints {
    fn of(question: &str) -> Self {
        let mut hints = Self::default();
        for word in question.split(|c: char| !c.is_alphanumeric()) {
            match word.to_lowercase().as_str() {
                "class" | "classes" | "type" | "types" | "struct" | "interface" | "object" | "represents" => {
                    hints.is_type = true;
                }
                "field" | "fields" | "attribute" | "attributes" | "setting" | "settings" | "constant" | "variable"
                | "default" | "flag" | "option" | "list" | "table" | "regex" | "stored" | "holds" => hints.field = true,
                "function" | "functions" | "method" | "methods" | "does" | "done" | "called" | "calls" => {
                    hints.function = true;
                }
                "key" | "keys" | "json" | "payload" | "client" | "sends" | "sending" => hints.key = true,
                "test" | "tests" | "tested" => hints.test = true,
                _ => {}
            }
        }
        hints
    }
}
