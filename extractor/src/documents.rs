//! Documents beside the source: READMEs and manuals, in Markdown, reStructuredText or plain text.
//!
//! The same walk as for source, with the same ignore rules, and bounded: a document is prose, and a great deal of it is data.

use crate::discover::walk;
use crate::{Error, Root};

/// A document that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its path, as those of source files.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Largest document, in bytes.
const LARGEST: u64 = 1 << 20;
/// Most bytes of all documents together.
const TOTAL: u64 = 64 << 20;

/// The documents below the roots, sorted by path.
pub fn find(roots: &[Root]) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    let mut total = 0;
    for root in roots {
        let walk = walk(root)?;
        for entry in walk.filter_map(Result::ok) {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let relative = entry
                .path()
                .strip_prefix(&root.path)
                .ok()
                .and_then(|path| path.to_str());
            let Some(relative) = relative.filter(|path| is_file && is_document(path)) else {
                continue;
            };
            let bytes = entry.metadata().map_or(u64::MAX, |metadata| metadata.len());
            if bytes > LARGEST || total + bytes > TOTAL {
                continue;
            }
            // What is not UTF-8 is no prose that could be shown.
            let Ok(text) = std::fs::read_to_string(entry.path()) else {
                continue;
            };
            total += bytes;
            let relative = relative.replace(std::path::MAIN_SEPARATOR, "/");
            let path = root.shown(&relative);
            found.push(Found { path, text });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    matches!(ending, "md" | "markdown" | "rst") || matches!(ending, "" | "txt") && stem.starts_with("readme")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_found_by_name() {
        for path in ["README.md", "docs/a.rst", "readme", "x/README.txt", "A.MARKDOWN"] {
            assert!(is_document(path), "{path}");
        }
        for path in ["a.py", "notes.txt", "md", "x.mdx", "LICENSE"] {
            assert!(!is_document(path), "{path}");
        }
    }
}
