//! Descriptions of functions that a language model wrote on request, and how they come into both indexes.
//!
//! `descriptions.jsonl` of the index folder ([`Kept`]) holds them by a hash of the function's name and source: a function that has not
//! changed keeps its description in every later index, one that has changed loses it. In full text and vectors a description stands before
//! the documentation, as if it were a part of it; the graph itself does not hold it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ripple_schema::NodeKind;
use rustc_hash::FxHashMap;

use crate::Error;
use crate::kept::{self, Kept};
use crate::nodes::table::Rows;

/// Where descriptions are kept.
pub fn path(index: &Path) -> PathBuf {
    index.join("descriptions.jsonl")
}

/// The key of a function's description.
pub fn key(qualified_name: &str, source: &str) -> u64 {
    kept::key(&format!("{qualified_name}\n{source}"))
}

/// Some lines of a text, from 1, with their line ends.
pub fn lines(text: &str, line: u32, end_line: u32) -> &str {
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let first = starts.nth(line.saturating_sub(1) as usize);
    let after = end_line.checked_sub(line).and_then(|more| starts.nth(more as usize));
    first.map_or("", |first| &text[first..after.unwrap_or(text.len())])
}

/// The description of each row that has one.
pub(crate) fn of_rows(index: &Path, rows: &Rows<'_>, sources: &[Arc<[u8]>]) -> Result<FxHashMap<u32, String>, Error> {
    let kept = Kept::read(&path(index))?;
    let mut described = FxHashMap::default();
    if kept.is_empty() {
        return Ok(described);
    }
    for row in 0..rows.nodes.len() {
        let Some(node) = rows.node(row).filter(|node| node.label == NodeKind::Function) else {
            continue;
        };
        let source = node
            .site
            .and_then(|site| Some((site, sources.get(site.file.0 as usize)?)));
        let Some((site, text)) = source.and_then(|(site, bytes)| Some((site, std::str::from_utf8(bytes).ok()?))) else {
            continue;
        };
        let key = key(&node.qualified_name, lines(text, site.line, node.end_line));
        if let Some(text) = kept.get(key) {
            described.insert(row as u32, text.to_owned());
        }
    }
    Ok(described)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_text() {
        let text = "a\nb\nc";
        let check = |line, end_line, expected| assert_eq!(lines(text, line, end_line), expected, "{line}-{end_line}");
        check(1, 1, "a\n");
        check(2, 3, "b\nc");
        check(3, 9, "c");
        check(4, 4, "");
        check(1, 3, text);
        check(0, 1, "a\nb\n");
        assert_eq!(lines("", 1, 1), "");
    }
}
