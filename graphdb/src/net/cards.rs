//! Cards: the properties of nodes, on disk, a few dozen packed together, so that a card is read without reading the others.
//!
//! `cards.bin` holds packs of [`PACK`] cards (postcard, LZ4), then where each pack starts, then how many there are (8 bytes). Card 130 is
//! the third of the third pack.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use ripple_schema::Graph;
use serde::{Deserialize, Serialize};

use crate::Error;

/// The properties of a node. Empty text means "does not apply".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Short name.
    pub name: String,
    /// Dotted path from the package down.
    pub qualified_name: String,
    /// Finer kind within the label.
    pub kind: String,
    /// Language of the source.
    pub language: String,
    /// Path of the file that declares it.
    pub file: String,
    /// Line of its declaration, from 1; 0 if it has none.
    pub line: u32,
    /// Column of its name in bytes, from 1.
    pub column: u32,
    /// Last line of its declaration.
    pub end_line: u32,
    /// Its declaration on one line.
    pub signature: String,
    /// Its documentation.
    pub doc: String,
    /// Its type, as text.
    pub type_text: String,
    /// Visible outside its package.
    pub exported: bool,
    /// Declared in test code.
    pub test: bool,
    /// Tags, separated by blanks.
    pub tags: String,
}

/// Cards in a pack.
const PACK: usize = 64;

/// Packs that are kept unpacked.
const KEPT: usize = 256;

/// Writes the cards of a graph.
pub(super) fn write(path: &Path, graph: &Graph) -> Result<(), Error> {
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
        let (mut starts, mut at) = (Vec::new(), 0u64);
        // A few thousand packs at a time: all of them at once would be the whole graph again.
        for nodes in graph.nodes.chunks(PACK * 1024) {
            let packs: Vec<std::io::Result<Vec<u8>>> = nodes.par_chunks(PACK).map(|pack| packed(graph, pack)).collect();
            for pack in packs {
                let pack = pack?;
                out.write_all(&pack)?;
                starts.push(at);
                at += pack.len() as u64;
            }
        }
        for start in starts.iter().chain([&at]) {
            out.write_all(&start.to_le_bytes())?;
        }
        out.write_all(&(starts.len() as u64).to_le_bytes())?;
        out.into_inner()?.sync_data()
    };
    write().map_err(Error::io(path))
}

fn packed(graph: &Graph, nodes: &[ripple_schema::Node]) -> std::io::Result<Vec<u8>> {
    let cards: Vec<Card> = nodes
        .iter()
        .map(|node| Card {
            name: node.name.clone(),
            qualified_name: node.qualified_name.clone(),
            kind: node.kind.into(),
            language: node.language.name().into(),
            file: node.site.map_or_else(String::new, |site| graph.path(site.file).into()),
            line: node.site.map_or(0, |site| site.line),
            column: node.site.map_or(0, |site| site.column),
            end_line: node.end_line,
            signature: node.signature.clone(),
            doc: node.doc.clone(),
            type_text: node.type_text.clone(),
            exported: node.exported,
            test: node.test,
            tags: node.tags.clone(),
        })
        .collect();
    let plain = postcard::to_stdvec(&cards).map_err(std::io::Error::other)?;
    Ok(lz4_flex::block::compress_prepend_size(&plain))
}

type Pack = Arc<Vec<Card>>;

/// Cards on disk, ready for lookups.
pub(super) struct Cards {
    path: PathBuf,
    starts: Vec<u64>,
    kept: Mutex<HashMap<usize, Pack>>,
}

impl Cards {
    /// Reads where the packs are.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let damaged = |_| Error::Damaged {
            path: path.into(),
            message: "it is too short".into(),
        };
        let mut file = File::open(path).map_err(Error::io(path))?;
        let end = file.seek(SeekFrom::End(-8)).map_err(damaged)?;
        let count = word(&mut file).map_err(damaged)?;
        let table = count.checked_add(1).and_then(|count| count.checked_mul(8));
        let start = table.and_then(|table| end.checked_sub(table));
        let short = || damaged(std::io::ErrorKind::UnexpectedEof.into());
        file.seek(SeekFrom::Start(start.ok_or_else(short)?))
            .map_err(Error::io(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::io(path))?;
        let (words, _) = bytes.as_chunks::<8>();
        let mut starts: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        // The last word is the count itself.
        starts.pop();
        if !starts.is_sorted() {
            return Err(short());
        }
        Ok(Self {
            path: path.into(),
            starts,
            kept: Mutex::default(),
        })
    }

    /// The card of a node.
    pub(super) fn get(&self, node: u32) -> Result<Card, Error> {
        let number = node as usize / PACK;
        let held = self
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&number)
            .cloned();
        let pack = match held {
            Some(pack) => pack,
            None => {
                let pack = Arc::new(self.read(number)?);
                let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() >= KEPT {
                    kept.clear();
                }
                kept.insert(number, pack.clone());
                pack
            }
        };
        let card = pack.get(node as usize % PACK).cloned();
        card.ok_or_else(|| self.damaged(format!("it has no card {node}")))
    }

    fn read(&self, number: usize) -> Result<Vec<Card>, Error> {
        let bounds = self.starts.get(number).zip(self.starts.get(number + 1));
        let (start, end) = bounds.ok_or_else(|| self.damaged(format!("it has no pack {number}")))?;
        let mut file = File::open(&self.path).map_err(Error::io(&self.path))?;
        file.seek(SeekFrom::Start(*start)).map_err(Error::io(&self.path))?;
        let mut bytes = Vec::new();
        file.take(end - start)
            .read_to_end(&mut bytes)
            .map_err(Error::io(&self.path))?;
        let plain =
            lz4_flex::block::decompress_size_prepended(&bytes).map_err(|error| self.damaged(error.to_string()))?;
        postcard::from_bytes(&plain).map_err(|error| self.damaged(error.to_string()))
    }

    fn damaged(&self, message: String) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            message,
        }
    }
}

fn word(file: &mut File) -> std::io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
