//! The chunker: source and documents in pieces that can be found and shown alone.
//!
//! - A file of up to [`FILE_LINES`] lines is one chunk.
//! - Of a longer one, each type is a chunk. A type that is too long keeps its outline: the bodies of its methods become `...`.
//! - The lines outside of types and functions (imports, globals, what runs at import) are chunks of their own.
//! - A document (Markdown, reStructuredText) is cut at its headings.
//!
//! Functions and methods are found by the full-text index of nodes, where the body is one of a node's fields.

use serde::{Deserialize, Serialize};

/// Longest file that is one chunk, in lines.
const FILE_LINES: usize = 80;
/// Longest type that is kept whole.
const TYPE_LINES: usize = 80;
/// Longest piece of anything else.
const PIECE_LINES: usize = 60;

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Index of its file.
    pub file: u32,
    /// Its first line, from 1.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Row of the type that it is; `u32::MAX` if it is no type.
    pub row: u32,
    /// Heading of a section of a document.
    pub heading: String,
}

/// A declaration in a file: row, first line, last line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) row: u32,
    pub(crate) line: u32,
    pub(crate) end_line: u32,
}

/// The chunks of a source file, with their texts. `types` and `functions` are in order of their first line.
pub(crate) fn source(file: u32, text: &str, types: &[Span], functions: &[Span]) -> Vec<(Chunk, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let piece = |line: usize, end_line: usize, row: u32, text: String| {
        let chunk = Chunk {
            file,
            line: line as u32,
            end_line: end_line as u32,
            row,
            heading: String::new(),
        };
        (chunk, text)
    };
    if lines.is_empty() {
        return Vec::new();
    }
    if lines.len() <= FILE_LINES {
        return vec![piece(1, lines.len(), u32::MAX, text.to_owned())];
    }
    let mut chunks = Vec::new();
    let mut covered = vec![false; lines.len() + 1];
    for span in types.iter().chain(functions) {
        let end = (span.end_line as usize).min(lines.len());
        for line in covered.iter_mut().take(end + 1).skip(span.line.max(1) as usize) {
            *line = true;
        }
    }
    for span in types {
        let (start, end) = (span.line.max(1) as usize, (span.end_line as usize).min(lines.len()));
        if start > end {
            continue;
        }
        let text = if end - start < TYPE_LINES {
            lines[start - 1..end].join("\n")
        } else {
            outline(&lines, start, end, functions)
        };
        chunks.push(piece(start, end, span.row, text));
    }
    let mut start = 1;
    while start <= lines.len() {
        if covered[start] || lines[start - 1].trim().is_empty() {
            start += 1;
            continue;
        }
        let most = (start + PIECE_LINES).min(lines.len() + 1);
        let end = (start..most).find(|&line| covered[line]).unwrap_or(most);
        chunks.push(piece(start, end - 1, u32::MAX, lines[start - 1..end - 1].join("\n")));
        start = end;
    }
    chunks
}

/// A type's lines with the bodies of its methods left out.
fn outline(lines: &[&str], start: usize, end: usize, functions: &[Span]) -> String {
    let mut out = String::new();
    let mut line = start;
    let mut inside = functions
        .iter()
        .filter(|span| span.line as usize >= start && span.end_line as usize <= end)
        .peekable();
    while line <= end {
        while inside.peek().is_some_and(|span| (span.line as usize) < line) {
            inside.next();
        }
        match inside.peek() {
            Some(span) if span.line as usize == line && span.end_line > span.line => {
                out.push_str(lines[line - 1]);
                out.push_str("\n    ...\n");
                line = span.end_line as usize + 1;
            }
            _ => {
                out.push_str(lines[line - 1]);
                out.push('\n');
                line += 1;
            }
        }
    }
    out
}

/// The sections of a document, with their texts.
pub(crate) fn document(file: u32, text: &str) -> Vec<(Chunk, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut starts: Vec<(usize, String)> = vec![(0, String::new())];
    let mut fenced = false;
    for (index, line) in lines.iter().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let next = lines.get(index + 1).copied().unwrap_or("");
        let heading = if fenced {
            None
        } else if line.starts_with('#') {
            Some(line.trim_start_matches('#').trim()).filter(|text| !text.is_empty())
        } else if is_underline(next) && !line.trim().is_empty() && !is_underline(line) {
            Some(line.trim())
        } else {
            None
        };
        starts.extend(heading.map(|heading| (index, heading.to_owned())));
    }
    let mut chunks = Vec::new();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([lines.len()]);
    for ((start, heading), end) in starts.iter().zip(ends.collect::<Vec<_>>()) {
        let mut from = *start;
        while from < end {
            let to = (from + PIECE_LINES).min(end);
            let text = lines[from..to].join("\n");
            if text.chars().any(char::is_alphanumeric) {
                let chunk = Chunk {
                    file,
                    line: from as u32 + 1,
                    end_line: to as u32,
                    row: u32::MAX,
                    heading: heading.clone(),
                };
                chunks.push((chunk, text));
            }
            from = to;
        }
    }
    chunks
}

/// A line of one repeated mark, as reStructuredText and Markdown underline headings.
fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    let mut chars = line.chars();
    chars
        .next()
        .is_some_and(|first| "=-~^\"'*+#".contains(first) && line.len() >= 3 && chars.all(|c| c == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(line: u32, end_line: u32) -> Span {
        Span {
            row: line,
            line,
            end_line,
        }
    }

    #[test]
    fn a_short_file_is_one_chunk() {
        let chunks = source(3, "x = 1\ny = 2\n", &[], &[]);
        assert_eq!(chunks.len(), 1);
        assert_eq!((chunks[0].0.file, chunks[0].0.line, chunks[0].0.end_line), (3, 1, 2));
        assert!(source(3, "", &[], &[]).is_empty());
    }

    #[test]
    fn a_long_type_keeps_its_outline() {
        let mut text = String::from("import os\nclass A:\n    def f(self):\n");
        text.push_str(&"        secret()\n".repeat(100));
        text.push_str("    limit = 3\nlast = 1\n");
        let chunks = source(0, &text, &[span(2, 104)], &[span(3, 103)]);
        let texts: Vec<&str> = chunks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "class A:\n    def f(self):\n    ...\n    limit = 3\n",
                "import os",
                "last = 1"
            ]
        );
        assert_eq!(chunks[0].0.row, 2);
    }

    #[test]
    fn spans_past_the_end_do_no_harm() {
        let text = "x = 1\n".repeat(100);
        assert!(
            !source(
                0,
                &text,
                &[span(90, 400), span(500, 600), span(0, 0)],
                &[span(95, 1000)]
            )
            .is_empty()
        );
    }

    #[test]
    fn documents_are_cut_at_headings() {
        let chunks = document(1, "intro\n\n# One\ntext\n```\n# no heading\n```\n## Two\nmore\n");
        let headings: Vec<&str> = chunks.iter().map(|(chunk, _)| chunk.heading.as_str()).collect();
        assert_eq!(headings, ["", "One", "Two"]);
        let chunks = document(1, "Title\n=====\ntext\n\nPart\n----\nmore\n");
        let lines: Vec<u32> = chunks.iter().map(|(chunk, _)| chunk.line).collect();
        assert_eq!(lines, [1, 5]);
        assert!(document(1, "\n\n---\n").is_empty());
    }
}
