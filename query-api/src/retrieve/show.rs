//! The last stage: rows and chunks as hits, each with who found it and its first lines of source.

use ripple_graphdb::SearchIndex;
use ripple_graphdb::nodes::NONE;

use super::sources::List;
use super::{LIMIT, Retriever, Trace};
use crate::Error;
use crate::view::{FoundBy, Hit, NodeView, SearchAnswer, SearchRequest, Source};

/// Most hits that can be asked for.
const MOST: usize = 200;
/// Lines of an excerpt.
const LINES: u32 = 8;

/// A row as answers show it.
pub fn node_view(index: &SearchIndex, row: u32) -> NodeView {
    let nodes = &index.nodes;
    let entry = nodes.entry(row);
    let (line, end_line) = nodes.lines(row);
    NodeView {
        id: nodes.id(row),
        label: nodes
            .label(row)
            .map(|label| label.name().to_owned())
            .unwrap_or_default(),
        kind: entry.kind,
        name: entry.name,
        qualified_name: entry.qualified_name,
        language: nodes
            .language(row)
            .map(|language| language.name().to_owned())
            .unwrap_or_default(),
        file: nodes.path(nodes.file(row)).to_owned(),
        line,
        end_line,
        signature: entry.signature,
        doc: entry.doc,
        type_text: entry.type_text,
        test: nodes.is_test(row),
        tags: nodes.tags(row).split_whitespace().map(str::to_owned).collect(),
    }
}

impl Retriever {
    pub(super) fn show(&self, request: &SearchRequest, trace: &Trace) -> Result<SearchAnswer, Error> {
        let limit = request.limit.unwrap_or(LIMIT).clamp(1, MOST);
        let wants_documents = request
            .kinds
            .iter()
            .any(|kind| matches!(kind.to_lowercase().as_str(), "document" | "doc"));
        let mut hits = Vec::new();
        for &(row, score) in trace.ranked.iter().take(limit) {
            let node = node_view(&self.index, row);
            hits.push(Hit {
                file: node.file.clone(),
                line: node.line,
                end_line: node.end_line,
                score,
                sources: found_by(&trace.lists, row),
                excerpt: self.excerpt(&node.file, node.line, node.end_line)?,
                node: Some(node),
            });
        }
        // Sections of documents: when they are asked for, and where nodes leave room.
        let mut rank = 0;
        let best = trace.chunks.first().map_or(1.0, |(_, score)| *score);
        for &(number, score) in &trace.chunks {
            let Some(chunk) = self.index.chunk(number).filter(|chunk| chunk.row == NONE) else {
                continue;
            };
            rank += 1;
            let path = self.index.nodes.path(chunk.file).to_owned();
            if hits.len() >= limit || !wants_documents && hits.iter().any(|hit| hit.file == path) {
                continue;
            }
            hits.push(Hit {
                node: None,
                excerpt: self.excerpt(&path, chunk.line, chunk.end_line)?,
                file: path,
                line: chunk.line,
                end_line: chunk.end_line,
                score: 0.0,
                sources: vec![FoundBy {
                    source: Source::Chunk,
                    rank,
                    score: score / best.max(1e-3),
                }],
            });
        }
        let mut notes = trace.notes.clone();
        if self.index.nodes.is_empty() {
            notes.push("the index holds nothing that could be found".into());
        }
        Ok(SearchAnswer {
            hits,
            faq: self.faq.near(&self.index, &trace.asked),
            elapsed_ms: 0.0,
            notes,
        })
    }

    fn excerpt(&self, path: &str, line: u32, end_line: u32) -> Result<String, Error> {
        if path.is_empty() || line == 0 {
            return Ok(String::new());
        }
        let Some(text) = self.reader.source(path)? else {
            return Ok(String::new());
        };
        let count = (end_line.saturating_sub(line) + 1).min(LINES) as usize;
        let lines: Vec<&str> = text.lines().skip(line as usize - 1).take(count).collect();
        Ok(lines.join("\n"))
    }
}

/// Which lists have a row, and where.
pub fn found_by(lists: &[List], row: u32) -> Vec<FoundBy> {
    let mut found: Vec<FoundBy> = lists
        .iter()
        .filter_map(|list| {
            let rank = list.found.iter().position(|(known, _)| *known == row)?;
            Some(FoundBy {
                source: list.source,
                rank: rank + 1,
                score: list.found[rank].1,
            })
        })
        .collect();
    found.sort_by_key(|finding| (finding.source, finding.rank));
    found.dedup_by_key(|finding| finding.source);
    found.sort_by_key(|finding| (finding.rank, finding.source));
    found
}
