//! [`Kept`]: texts that were paid for once, by a hash of what they were made from: a file of JSON lines in the index folder.
//!
//! ```text
//! {"key":"00f3a1…","text":"Splits an order by warehouse. Orders without stock stay whole."}
//! ```
//!
//! Lines are only added. A run that is killed in the middle of one leaves half a line, which the next reader passes over; of two lines
//! with one key the later counts. What changes has another hash: its old line stays and is not asked for any more.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::Error;

/// The texts of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    texts: FxHashMap<u64, String>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    text: String,
}

/// What a text is kept by: a hash of what it was made from.
pub fn key(from: &str) -> u64 {
    xxh3_64(from.as_bytes())
}

/// A text on one line, without control characters, of at most so many characters.
pub fn tidy(text: &str, length: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let mut line = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

impl Kept {
    /// Reads a file; nothing is kept where there is none.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(Error::io(path)(error)),
        };
        let lines = bytes.split(|byte| *byte == b'\n');
        let texts = lines.filter_map(|line| {
            let Line { key, text } = serde_json::from_slice(line).ok()?;
            Some((u64::from_str_radix(&key, 16).ok()?, text))
        });
        Ok(Self { texts: texts.collect() })
    }

    /// The text that was made from what this is the key of.
    pub fn get(&self, key: u64) -> Option<&str> {
        self.texts.get(&key).map(String::as_str)
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Adds texts to a file, which need not be there.
    pub fn append(path: &Path, texts: &[(u64, String)]) -> Result<(), Error> {
        if texts.is_empty() {
            return Ok(());
        }
        // The line end first: the line before may have been cut off.
        let mut lines = vec![b'\n'];
        for (key, text) in texts {
            let line = Line {
                key: format!("{key:016x}"),
                text: text.clone(),
            };
            serde_json::to_writer(&mut lines, &line).map_err(|error| Error::io(path)(error.into()))?;
            lines.push(b'\n');
        }
        let write = || -> io::Result<()> {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            // In one piece, so that two writers do not mix their lines.
            file.write_all(&lines)?;
            file.sync_data()
        };
        write().map_err(Error::io(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_there_again() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("texts.jsonl");
        assert!(Kept::read(&path)?.is_empty());
        Kept::append(&path, &[(1, "one".into()), (u64::MAX, "\"two\"\nlines".into())])?;
        // A run that was killed.
        fs::write(&path, [fs::read(&path)?, b"{\"key\":\"3\",\"te".to_vec()].concat())?;
        Kept::append(&path, &[(1, "another".into())])?;
        let kept = Kept::read(&path)?;
        assert_eq!(kept.len(), 2);
        assert_eq!((kept.get(1), kept.get(3)), (Some("another"), None));
        assert_eq!(kept.get(u64::MAX), Some("\"two\"\nlines"));
        Ok(())
    }

    #[test]
    fn texts_are_tidied() {
        assert_eq!(tidy(" a\n\tb\u{7}c  ", 10), "a b c");
        assert_eq!(tidy("äöü äöü", 3), "äöü…");
        assert_eq!(tidy("\n", 3), "");
    }
}
