//! Citations: what an answer names, held against the graph.
//!
//! `[features.segment](features.py:3)` is verified if a node of that name is declared in that file at that line, or if it is a node whose lines hold that line
//! and whose name ends with the one cited. What is not there is struck out in the text, and said.

use std::collections::BTreeMap;

use ripple_graphdb::{Limits, Reader, Value};
use serde_json::json;

use crate::view::{Citation, NodeView, OperationAnswer, Reason};
use crate::{Error, operation};

/// A citation and where it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cited {
    symbol: String,
    file: String,
    line: u32,
    start: usize,
    end: usize,
}

/// A text, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The text, in which what could not be verified is marked.
    pub text: String,
    /// Its citations, each once.
    pub citations: Vec<Citation>,
}

/// Holds the citations of a text against the graph.
pub fn check(reader: &Reader, text: &str) -> Result<Checked, Error> {
    let mut citations: Vec<Citation> = Vec::new();
    let mut marked = String::with_capacity(text.len());
    let mut at = 0;
    for cited in cited(text) {
        let known = citations
            .iter()
            .find(|known| known.symbol == cited.symbol && known.file == cited.file && known.line == cited.line)
            .cloned();
        let citation = match known {
            Some(known) => known,
            None => {
                let node = find(reader, &cited)?;
                let citation = Citation {
                    symbol: cited.symbol.clone(),
                    file: cited.file.clone(),
                    line: cited.line,
                    verified: node.is_some(),
                    node,
                };
                citations.push(citation.clone());
                citation
            }
        };
        marked.push_str(&text[at..cited.start]);
        let link = &text[cited.start..cited.end];
        match citation.verified {
            true => marked.push_str(link),
            false => marked.push_str(&format!("~~{}~~ (not in the graph)", cited.symbol)),
        }
        at = cited.end;
    }
    marked.push_str(&text[at..]);
    Ok(Checked {
        text: marked,
        citations,
    })
}

/// The citations of an answer that was made from the graph itself.
pub fn of_operation(answer: &OperationAnswer, text: &str) -> Vec<Citation> {
    let mut citations: Vec<Citation> = Vec::new();
    for cited in cited(text) {
        let node = answer
            .nodes
            .values()
            .chain(&answer.seeds)
            .find(|node| node.file == cited.file && node.line == cited.line && node.qualified_name == cited.symbol);
        let citation = Citation {
            symbol: cited.symbol,
            file: cited.file,
            line: cited.line,
            verified: node.is_some(),
            node: node.map(|node| node.id),
        };
        if !citations.contains(&citation) {
            citations.push(citation);
        }
    }
    citations
}

/// What keeps a text that a model wrote from being all that an operation found: results that it does not name. A text says nothing of
/// what it leaves out, so that the operation's own verdict is none of it.
pub fn left_out(answer: &OperationAnswer, words: &Checked) -> Option<Reason> {
    let names = |node: &NodeView| {
        let is_cited = words.citations.iter().any(|citation| citation.node == Some(node.id));
        is_cited || has_word(&words.text, &node.name)
    };
    let results = answer
        .results
        .iter()
        .filter_map(|finding| answer.nodes.get(&finding.node));
    let unsaid: Vec<&str> = results
        .filter(|node| !names(node))
        .map(|node| node.name.as_str())
        .collect();
    // Those behind the operation's own limit are named by nobody.
    let count = unsaid.len() + answer.found.saturating_sub(answer.results.len());
    let first = unsaid.first()?;
    let message = format!(
        "a language model wrote the words, and they leave out {count} of {} results of `{}`: `{first}`{}",
        answer.found,
        answer.operation,
        if count > 1 { ", …" } else { "" }
    );
    Some(operation::reason("left-out-by-model", message, count as u64))
}

/// Whether a name stands in a text by itself.
fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name)
        .any(|(at, _)| operation::stands_alone(&text[..at], &text[at + name.len()..]))
}

/// Links whose address is a file and a line.
fn cited(text: &str) -> Vec<Cited> {
    /// Citations that are looked at.
    const MOST: usize = 500;
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = text[from..].find("](") {
        let middle = from + offset;
        from = middle + 2;
        let Some(open) = opening(text, middle) else {
            continue;
        };
        let Some(close) = text[middle + 2..].find(')').map(|close| middle + 2 + close) else {
            break;
        };
        let address = text[middle + 2..close].trim();
        let Some((file, line)) = address.rsplit_once(':').or_else(|| address.rsplit_once("#L")) else {
            continue;
        };
        // `orders.py:10-12` cites its first line.
        let line = line
            .split('-')
            .next()
            .and_then(|line| line.trim_start_matches('L').parse().ok());
        if let Some(line) = line.filter(|_| !file.contains("://")) {
            found.push(Cited {
                symbol: text[open + 1..middle].trim().trim_matches('`').to_owned(),
                file: file.trim_start_matches("./").to_owned(),
                line,
                start: open,
                end: close + 1,
            });
            from = close + 1;
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// The bracket that opens the text of a link which ends at `close`: names hold brackets of their own.
fn opening(text: &str, close: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text[..close].char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' if depth == 0 => return Some(at),
            '[' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// The node that a citation names.
fn find(reader: &Reader, cited: &Cited) -> Result<Option<i64>, Error> {
    let last = cited
        .symbol
        .trim_end_matches("()")
        .rsplit(['.', '/'])
        .next()
        .unwrap_or_default();
    if last.is_empty() {
        return Ok(None);
    }
    let whole = cited.symbol.trim_end_matches("()");
    if whole.is_empty() {
        return Ok(None);
    }
    let place = [("file", json!(cited.file)), ("line", json!(cited.line))];
    let names = [("whole", json!(whole)), ("tail", json!(format!(".{whole}")))];
    let params = |pairs: &[(&str, serde_json::Value)]| -> BTreeMap<String, serde_json::Value> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect()
    };
    let (place, named) = (params(&place), params(&[place, names].concat()));
    for label in ["Function", "Type", "Field", "Variable", "Package"] {
        // What spans lines may be cited at any of them.
        let line = match label {
            "Function" | "Type" => "n.line <= $line AND $line <= n.end_line",
            _ => "n.line = $line",
        };
        let text = format!(
            "MATCH (n:{label}) WHERE n.file = $file AND {line} \
             AND (n.qualified_name = $whole OR n.qualified_name ENDS WITH $tail OR n.name = $whole) RETURN n.id LIMIT 1"
        );
        let rows = reader.query(&text, &named, &Limits::default())?;
        if let Some(Value::Int(id)) = rows.rows.first().and_then(|row| row.first()) {
            return Ok(Some(*id));
        }
    }
    // A file is cited by its path.
    if cited.file.ends_with(whole) {
        let text = "MATCH (n:File) WHERE n.file = $file AND $line <= n.end_line RETURN n.id LIMIT 1";
        let rows = reader.query(text, &place, &Limits::default())?;
        if let Some(Value::Int(id)) = rows.rows.first().and_then(|row| row.first()) {
            return Ok(Some(*id));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_lines_are_citations() {
        let check = |text: &str, expected: &[(&str, &str, u32)]| {
            let found = cited(text);
            let found: Vec<(&str, &str, u32)> = found
                .iter()
                .map(|cited| (cited.symbol.as_str(), cited.file.as_str(), cited.line))
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "[a.b](x/y.py:3) and [`c`](z.go:12-14).",
            &[("a.b", "x/y.py", 3), ("c", "z.go", 12)],
        );
        check("[f.[0]](x.py:1)", &[("f.[0]", "x.py", 1)]);
        check("[site](https://example.com:80)", &[]);
        check("[a](b", &[]);
        check("](x.py:1)", &[]);
        check("[a](x.py)", &[]);
    }
}
