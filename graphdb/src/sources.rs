//! The source that a generation was built from, compressed: excerpts always fit the lines that the graph names.
//!
//! `sources.bin` holds the files one after another, each compressed alone (LZ4 block), then a table of them (JSON), then
//! where the table starts (8 bytes, little endian). To read `shop/bill.py` is to look it up in the table, to read its
//! bytes at their place and to unpack them; nothing else of the file is touched.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ripple_schema::IndexedFile;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::search::Document;

/// Where one file lies.
#[derive(Clone, Serialize, Deserialize)]
struct Place {
    offset: u64,
    packed: u64,
    length: usize,
}

/// Writes the sources, `sources[i]` being the text of `files[i]`, and the documents. A file without text is left out.
pub(crate) fn write(
    path: &Path,
    files: &[IndexedFile],
    sources: &[Arc<[u8]>],
    documents: &[Document],
) -> Result<(), Error> {
    let mut places: HashMap<&str, Place> = HashMap::new();
    let mut offset = 0;
    let mut write = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
        let mut packed = Vec::new();
        let files = files
            .iter()
            .zip(sources)
            .map(|(file, source)| (&file.path, &source[..]));
        let documents = documents
            .iter()
            .map(|document| (&document.path, document.text.as_bytes()));
        for (name, source) in files.chain(documents).filter(|(_, source)| !source.is_empty()) {
            packed.resize(lz4_flex::block::get_maximum_output_size(source.len()), 0);
            let size = lz4_flex::block::compress_into(source, &mut packed).map_err(std::io::Error::other)?;
            out.write_all(&packed[..size])?;
            places.insert(
                name,
                Place {
                    offset,
                    packed: size as u64,
                    length: source.len(),
                },
            );
            offset += size as u64;
        }
        serde_json::to_writer(&mut out, &places)?;
        out.write_all(&offset.to_le_bytes())?;
        out.into_inner()?.sync_data()
    };
    write().map_err(Error::io(path))
}

/// The table of a written file, ready for lookups.
pub(crate) struct Sources {
    path: PathBuf,
    places: HashMap<String, Place>,
}

impl Sources {
    /// Reads the table.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let mut file = File::open(path).map_err(Error::io(path))?;
        let damaged = |message: &str| Error::Damaged {
            path: path.into(),
            message: message.into(),
        };
        let end = file.seek(SeekFrom::End(-8)).map_err(|_| damaged("too short"))?;
        let mut start = [0; 8];
        file.read_exact(&mut start).map_err(Error::io(path))?;
        let start = u64::from_le_bytes(start);
        let length = end
            .checked_sub(start)
            .ok_or_else(|| damaged("its table lies past its end"))?;
        let table = read_at(&mut file, start, length).map_err(Error::io(path))?;
        let places = serde_json::from_slice(&table).map_err(|error| damaged(&error.to_string()))?;
        Ok(Self {
            path: path.into(),
            places,
        })
    }

    /// The text of a file; bytes that are not UTF-8 are replaced. `None` if it was skipped or is not in the index.
    pub(crate) fn get(&self, name: &str) -> Result<Option<String>, Error> {
        let Some(place) = self.places.get(name) else {
            return Ok(None);
        };
        let damaged = |message: String| Error::Damaged {
            path: self.path.clone(),
            message,
        };
        let mut file = File::open(&self.path).map_err(Error::io(&self.path))?;
        let packed = read_at(&mut file, place.offset, place.packed).map_err(Error::io(&self.path))?;
        let text = lz4_flex::block::decompress(&packed, place.length).map_err(|error| damaged(error.to_string()))?;
        Ok(Some(String::from_utf8(text).unwrap_or_else(|error| {
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        })))
    }
}

/// Reads so many bytes from there; an error if the file is shorter. What is claimed is not believed before it is read.
fn read_at(file: &mut File, offset: u64, length: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    if file.take(length).read_to_end(&mut bytes)? as u64 == length {
        Ok(bytes)
    } else {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(test)]
mod tests {
    use ripple_schema::{FileStatus, Language};

    use super::*;

    fn file(path: &str) -> IndexedFile {
        IndexedFile {
            path: path.into(),
            language: Language::Python,
            hash: 0,
            bytes: 0,
            lines: 0,
            status: FileStatus::Indexed,
        }
    }

    #[test]
    fn what_was_written_can_be_read() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("sources.bin");
        let long = "x = 1\n".repeat(10_000);
        let texts: Vec<Arc<[u8]>> = [long.as_bytes(), b"", b"caf\xe9"].map(Arc::from).to_vec();
        write(&path, &[file("a.py"), file("empty.py"), file("latin.py")], &texts, &[])?;
        assert!(std::fs::metadata(&path)?.len() < 2_000);

        let sources = Sources::open(&path)?;
        assert_eq!(sources.get("a.py")?.as_deref(), Some(long.as_str()));
        assert_eq!(sources.get("empty.py")?, None);
        assert_eq!(sources.get("latin.py")?.as_deref(), Some("caf\u{fffd}"));
        assert_eq!(sources.get("no.py")?, None);
        Ok(())
    }

    #[test]
    fn a_damaged_file_is_an_error() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("sources.bin");
        for bytes in [
            &b""[..],
            b"short",
            b"{}garbage\xff\xff\xff\xff\xff\xff\xff\xff",
            b"no\0\0\0\0\0\0\0\0",
        ] {
            std::fs::write(&path, bytes)?;
            assert!(matches!(Sources::open(&path), Err(Error::Damaged { .. })), "{bytes:?}");
        }
        Ok(())
    }
}
