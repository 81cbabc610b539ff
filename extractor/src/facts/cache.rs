//! Facts of files kept on disk by content hash: a second run reads them back and parses nothing that has not changed.
//!
//! An entry is named by the hash of everything the facts depend on: the text, the language, the build target and
//! [`REVISION`]. All entries are one file, since thousands of small ones take longer to write than to parse what they come from:
//!
//! ```text
//! facts/v67          entry after entry: key, length of the bytes, their checksum (8 bytes each), the bytes
//! ```
//!
//! The file is written anew, beside the old one, when a run has all its facts; an entry that cannot be read is made again.

use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::FileFacts;

/// Counts changes of the facts' shape or of what the walkers find, so that old entries are not believed.
pub const REVISION: u32 = 158;

/// The facts of the run before, and those of this one.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    /// The file of the run before.
    bytes: Vec<u8>,
    entries: FxHashMap<u64, Entry>,
    new: Mutex<Vec<(u64, Vec<u8>)>>,
}

/// Where the facts of a file stand, and whether this run asked for them.
#[derive(Debug)]
struct Entry {
    range: Range<usize>,
    checksum: u64,
    asked: AtomicBool,
}

impl Cache {
    /// Opens the folder, made if it is missing; none if that fails (the run then goes without).
    pub fn open(folder: &Path) -> Option<Self> {
        std::fs::create_dir_all(folder).ok()?;
        let path = folder.join(format!("v{REVISION}"));
        let bytes = std::fs::read(&path).unwrap_or_default();
        Some(Self {
            entries: entries(&bytes),
            path,
            bytes,
            new: Mutex::default(),
        })
    }

    /// The facts kept under this key.
    pub fn get(&self, key: u64) -> Option<FileFacts> {
        let entry = self.entries.get(&key)?;
        let bytes = self.bytes.get(entry.range.clone())?;
        if xxh3_64_with_seed(bytes, key) != entry.checksum {
            return None;
        }
        let facts = postcard::from_bytes(bytes).ok()?;
        entry.asked.store(true, Ordering::Relaxed);
        Some(facts)
    }

    /// Keeps facts, once this is [closed](Self::close).
    pub fn put(&self, key: u64, facts: &FileFacts) {
        if let (Ok(bytes), Ok(mut new)) = (postcard::to_stdvec(facts), self.new.lock()) {
            new.push((key, bytes));
        }
    }

    /// Writes what was asked for and what is new, with as much of the rest: who goes back to another branch finds it again. Failing to is
    /// no harm.
    pub fn close(self) {
        let temporary = self.path.with_extension(format!("{}.tmp", std::process::id()));
        if self.write(&temporary).is_err() {
            let _ = std::fs::remove_file(&temporary);
        }
    }

    fn write(self, temporary: &Path) -> io::Result<()> {
        let mut new = self.new.into_inner().unwrap_or_default();
        if new.is_empty() {
            return Ok(());
        }
        new.sort_unstable_by_key(|(key, _)| *key);
        new.dedup_by_key(|(key, _)| *key);
        let mut room: usize = new.iter().map(|(_, bytes)| bytes.len()).sum();
        let is_asked = |entry: &Entry| entry.asked.load(Ordering::Relaxed);
        let asked = self.entries.values().filter(|entry| is_asked(entry));
        room += asked.map(|entry| entry.range.len()).sum::<usize>();
        let mut kept: Vec<(&u64, &Entry)> = self.entries.iter().collect();
        kept.sort_unstable_by_key(|(_, entry)| entry.range.start);

        let mut file = io::BufWriter::with_capacity(1 << 20, std::fs::File::create(temporary)?);
        for (key, bytes) in &new {
            write_entry(&mut file, *key, xxh3_64_with_seed(bytes, *key), bytes)?;
        }
        for (key, entry) in kept {
            if new.binary_search_by_key(key, |(key, _)| *key).is_ok() {
                continue;
            }
            if !is_asked(entry) {
                let Some(left) = room.checked_sub(entry.range.len()) else {
                    continue;
                };
                room = left;
            }
            write_entry(&mut file, *key, entry.checksum, &self.bytes[entry.range.clone()])?;
        }
        file.flush()?;
        drop(file);
        std::fs::rename(temporary, &self.path)?;
        sweep(&self.path)
    }
}

/// Removes what other revisions left in the folder.
fn sweep(own: &Path) -> io::Result<()> {
    for entry in own.parent().map(std::fs::read_dir).transpose()?.into_iter().flatten() {
        let path = entry?.path();
        if path == own {
            continue;
        }
        // It is in nobody's way where that fails.
        let _ = match path.is_dir() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        };
    }
    Ok(())
}

fn write_entry(file: &mut impl io::Write, key: u64, checksum: u64, bytes: &[u8]) -> io::Result<()> {
    for number in [key, bytes.len() as u64, checksum] {
        file.write_all(&number.to_le_bytes())?;
    }
    file.write_all(bytes)
}

/// The entries of a file, up to the first that is not whole.
fn entries(bytes: &[u8]) -> FxHashMap<u64, Entry> {
    let mut entries = FxHashMap::default();
    let mut rest = bytes;
    while let Some((head, behind)) = rest.split_first_chunk::<24>() {
        let number = |at: usize| head.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
        let (Some(key), Some(length), Some(checksum)) = (number(0), number(8), number(16)) else {
            break;
        };
        let start = bytes.len() - behind.len();
        let Some(next) = usize::try_from(length).ok().and_then(|length| behind.get(length..)) else {
            break;
        };
        let entry = Entry {
            range: start..bytes.len() - next.len(),
            checksum,
            asked: AtomicBool::new(false),
        };
        entries.insert(key, entry);
        rest = next;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(lines: u32) -> FileFacts {
        FileFacts {
            lines,
            ..FileFacts::default()
        }
    }

    #[test]
    fn what_was_asked_for_stays_and_the_rest_as_long_as_there_is_room() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let open = || Cache::open(folder.path()).ok_or(io::Error::other("not opened"));
        let lines = |cache: &Cache, key: u64| cache.get(key).map(|facts| facts.lines);

        let first = open()?;
        assert_eq!(lines(&first, 1), None);
        (1..=4).for_each(|key| first.put(key, &facts(key as u32)));
        first.close();

        let second = open()?;
        assert_eq!(lines(&second, 1), Some(1));
        second.put(5, &facts(5));
        second.close();

        // One was asked for and one is new: two more have room.
        let third = open()?;
        let kept: Vec<u64> = (1..=6).filter(|key| lines(&third, *key).is_some()).collect();
        assert_eq!(kept, [1, 2, 3, 5]);
        Ok(())
    }

    #[test]
    fn what_is_damaged_is_not_believed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let open = || Cache::open(folder.path()).ok_or(io::Error::other("not opened"));
        let cache = open()?;
        cache.put(1, &facts(1));
        cache.put(2, &facts(2));
        cache.close();
        let path = folder.path().join(format!("v{REVISION}"));
        let whole = std::fs::read(&path)?;
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length])?;
            assert!(open()?.get(2).is_none(), "{length} bytes");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x20;
            std::fs::write(&path, bytes)?;
            let cache = open()?;
            let found: Vec<u32> = [1, 2]
                .iter()
                .filter_map(|key| cache.get(*key))
                .map(|facts| facts.lines)
                .collect();
            assert!(
                found.len() < 2 && found.iter().all(|lines| [1, 2].contains(lines)),
                "byte {at}"
            );
        }
        Ok(())
    }
}
