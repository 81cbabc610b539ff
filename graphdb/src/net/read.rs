//! The arrays back from disk. Nothing in the file is believed before it is checked: an index that points outside is damage, found here
//! and not in the middle of a walk.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use ripple_schema::{EdgeKind, How, NodeKind, Rule};

use super::cards::Cards;
use super::write::MAGIC;
use super::{EdgeSite, Net};
use crate::Error;
use crate::generation::Generation;

/// Bytes of one site.
const SITE: usize = 12;

impl Net {
    /// Reads the arrays of a generation.
    pub(crate) fn open(generation: &Generation) -> Result<Self, Error> {
        let path = generation.net();
        let file = File::open(&path).map_err(Error::io(&path))?;
        let length = file.metadata().map_err(Error::io(&path))?.len();
        let mut input = Input {
            reader: BufReader::with_capacity(1 << 16, file),
            left: length,
        };
        let damaged = |message: &str| Error::Damaged {
            path: path.clone(),
            message: message.into(),
        };
        let cut = |_| damaged("it is too short");
        let mut magic = [0; 8];
        input.reader.read_exact(&mut magic).map_err(cut)?;
        if &magic != MAGIC {
            return Err(damaged("it does not begin as a net does"));
        }
        input.left = input.left.saturating_sub(8);
        let [nodes, edges, labels] = [input.count(), input.count(), input.count()];
        let (nodes, edges, labels) = (nodes.map_err(cut)?, edges.map_err(cut)?, labels.map_err(cut)?);
        let net = Self {
            ids: input.array(nodes, i64::from_le_bytes).map_err(cut)?,
            labels: input.array(labels, u32::from_le_bytes).map_err(cut)?,
            leaving: input.array(nodes + 1, u32::from_le_bytes).map_err(cut)?,
            entering: input.array(nodes + 1, u32::from_le_bytes).map_err(cut)?,
            arriving: input.array(edges, u32::from_le_bytes).map_err(cut)?,
            from: input.array(edges, u32::from_le_bytes).map_err(cut)?,
            to: input.array(edges, u32::from_le_bytes).map_err(cut)?,
            flags: input.array(nodes, u8::from_le_bytes).map_err(cut)?,
            kind: input.array(edges, u8::from_le_bytes).map_err(cut)?,
            how: input.array(edges, u8::from_le_bytes).map_err(cut)?,
            rule: input.array(edges, u8::from_le_bytes).map_err(cut)?,
            cards: Cards::open(&generation.cards())?,
            sites: generation.sites(),
        };
        net.check().map_err(damaged)?;
        Ok(net)
    }

    fn check(&self) -> Result<(), &'static str> {
        let (nodes, edges) = (self.ids.len() as u32, self.to.len() as u32);
        let within = |values: &[u32], limit: u32| values.iter().all(|value| *value < limit);
        let rising = |starts: &[u32], end: u32| starts.is_sorted() && starts.last() == Some(&end);
        let known = |values: &[u8], count: usize| values.iter().all(|value| (*value as usize) < count);
        if self.labels.len() != NodeKind::ALL.len() + 1 || !rising(&self.labels, nodes) {
            return Err("its labels are not those of the schema");
        }
        if !rising(&self.leaving, edges) || !rising(&self.entering, edges) {
            return Err("its lists of edges do not follow one another");
        }
        if !within(&self.from, nodes) || !within(&self.to, nodes) || !within(&self.arriving, edges) {
            return Err("an edge leads out of it");
        }
        let mut kinds = self.kind.iter().map(|kind| (kind & super::KIND_BITS) as usize);
        if !kinds.all(|kind| kind < EdgeKind::ALL.len())
            || !known(&self.how, How::ALL.len())
            || !known(&self.rule, Rule::ALL.len())
        {
            return Err("an edge is of a kind that the schema does not have");
        }
        Ok(())
    }
}

/// Sites of edges, each read from its place.
pub(super) fn sites(path: &Path, edges: &[u32]) -> Result<Vec<EdgeSite>, Error> {
    if edges.is_empty() {
        return Ok(Vec::new());
    }
    let mut file = File::open(path).map_err(Error::io(path))?;
    edges
        .iter()
        .map(|&edge| {
            let mut bytes = [0; SITE];
            file.seek(SeekFrom::Start(u64::from(edge) * SITE as u64))
                .and_then(|_| file.read_exact(&mut bytes))
                .map_err(Error::io(path))?;
            let [file, line, column] = [0, 4, 8].map(|at| {
                let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
                u32::from_le_bytes(word)
            });
            Ok(EdgeSite { file, line, column })
        })
        .collect()
}

struct Input {
    reader: BufReader<File>,
    /// Bytes that the file still has: what it claims of its own size is not believed.
    left: u64,
}

impl Input {
    fn count(&mut self) -> std::io::Result<usize> {
        let [count] = self.array(1, u64::from_le_bytes)?[..] else {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        };
        usize::try_from(count).map_err(std::io::Error::other)
    }

    fn array<T, const N: usize>(&mut self, count: usize, from: fn([u8; N]) -> T) -> std::io::Result<Vec<T>> {
        let bytes = (count as u64).checked_mul(N as u64).filter(|bytes| *bytes <= self.left);
        let bytes = bytes.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        self.left -= bytes;
        let mut raw = vec![0; bytes as usize];
        self.reader.read_exact(&mut raw)?;
        let (chunks, _) = raw.as_chunks::<N>();
        Ok(chunks.iter().map(|chunk| from(*chunk)).collect())
    }
}
