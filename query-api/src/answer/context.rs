//! Context: what a model is given to answer from: findings, rows and source, within a budget of tokens.
//!
//! First the verdict and the report of the operation, with its ways; then the rows of the model's own query; then source: of the seeds, then of the results, in
//! the order in which data or calls run, each piece once. What does not fit is left out from the end, and the model is told so.

use std::collections::BTreeSet;

use ripple_graphdb::Reader;

use super::prose::{self, Style};
use crate::Error;
use crate::llm::{fenced, pack, tokens};
use crate::operation::explain::lines;
use crate::view::{Answer, Excerpt, Hit, NodeView, OperationAnswer};

/// Tokens of everything that a model is given to answer from.
pub const BUDGET: usize = 5_000;

/// Lines of source of one symbol.
const LINES: u32 = 40;

/// The context.
pub fn context(
    reader: &Reader,
    operation: Option<&OperationAnswer>,
    rows: Option<&Answer>,
    hits: &[Hit],
    model: &str,
) -> Result<String, Error> {
    let mut text = String::new();
    if let Some(answer) = operation {
        let report = prose::report(answer, Style::CHAT);
        let kept = pack(
            report.lines().map(str::to_owned).collect::<Vec<_>>(),
            |line| line,
            BUDGET * 2 / 5,
            model,
        );
        text.push_str(&format!(
            "# What `{}` found\n{}\n",
            answer.operation,
            kept.kept.join("\n")
        ));
        if kept.left_out > 0 {
            text.push_str("(more was found than is shown here)\n");
        }
        // The verdict stands last in the report, where it may have been cut.
        text.push_str(&prose::verdict(&answer.verdict, Style::CHAT));
    }
    if let Some(rows) = rows {
        text.push_str(&format!(
            "\n# Rows of the query\n{}\n",
            rows_for_model(rows, BUDGET / 4, model)
        ));
    }
    let left = BUDGET.saturating_sub(tokens(&text, model));
    let pieces: Vec<String> = excerpts(reader, operation, hits)?
        .into_iter()
        .map(|piece| shown(&piece))
        .collect();
    let packed = pack(pieces, |piece| piece, left, model);
    if !packed.kept.is_empty() {
        text.push_str("\n# Source\n");
        text.push_str(&packed.kept.join("\n"));
    }
    Ok(fenced(&text))
}

/// Source of what the answer is about, each piece once.
pub fn excerpts(reader: &Reader, operation: Option<&OperationAnswer>, hits: &[Hit]) -> Result<Vec<Excerpt>, Error> {
    const MOST: usize = 12;
    let mut wanted: Vec<(String, u32, u32)> = Vec::new();
    let mut node = |node: &NodeView| {
        if node.line > 0 && !matches!(node.label.as_str(), "File" | "Package") {
            let last = node.end_line.max(node.line).min(node.line + LINES - 1);
            wanted.push((node.file.clone(), node.line, last));
        }
    };
    if let Some(answer) = operation {
        answer.seeds.iter().take(3).for_each(&mut node);
        let results = answer
            .results
            .iter()
            .filter_map(|finding| answer.nodes.get(&finding.node));
        results.take(8).for_each(&mut node);
    }
    hits.iter()
        .take(6)
        .filter_map(|hit| hit.node.as_ref())
        .for_each(&mut node);
    for hit in hits.iter().take(6).filter(|hit| hit.node.is_none()) {
        wanted.push((
            hit.file.clone(),
            hit.line.max(1),
            hit.end_line.clamp(1, hit.line + LINES),
        ));
    }
    let mut seen: BTreeSet<(String, u32)> = BTreeSet::new();
    let mut excerpts = Vec::new();
    for (file, first, last) in wanted {
        let covered = excerpts
            .iter()
            .any(|held: &Excerpt| held.file == file && held.line <= first && last <= held.end_line);
        if !covered && seen.insert((file.clone(), first)) {
            excerpts.extend(lines(reader, &file, first, last)?);
        }
        if excerpts.len() >= MOST {
            break;
        }
    }
    Ok(excerpts)
}

fn shown(excerpt: &Excerpt) -> String {
    format!(
        "## {}:{}-{}\n{}",
        excerpt.file, excerpt.line, excerpt.end_line, excerpt.text
    )
}

/// Rows as lines for a prompt, as many as fit.
fn rows_for_model(answer: &Answer, budget: usize, model: &str) -> String {
    let cell = |value: &ripple_graphdb::Value| match value {
        ripple_graphdb::Value::Text(text) => text.clone(),
        other => serde_json::to_string(other).unwrap_or_default(),
    };
    let lines = answer
        .rows
        .iter()
        .map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | "));
    let packed = pack(lines.collect::<Vec<_>>(), |line| line, budget, model);
    let more = match (packed.left_out, answer.truncated) {
        (0, false) => String::new(),
        (left_out, _) => format!("\n({left_out} more rows are not shown)"),
    };
    format!("{}\n{}{more}", answer.columns.join(" | "), packed.kept.join("\n"))
}
