//! Writes the two full-text indexes, at the same time.

use std::path::Path;
use std::sync::Arc;

use ripple_schema::NodeKind;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tantivy::directory::MmapDirectory;
use tantivy::schema::Schema;
use tantivy::{Index, SingleSegmentIndexWriter, TantivyDocument};

use super::chunk::{self, Chunk, Span};
use super::tokenizer::{self, CodeTokenizer};
use super::{EXACT, FIELDS, TEXT, TITLE, name_field, words_field};
use crate::Error;
use crate::nodes::table::{NONE, Rows};
use crate::search::{Document, file};

/// Folder of the index of nodes.
pub(crate) const NODES: &str = "text-nodes";
/// Folder of the index of chunks.
pub(crate) const CHUNKS: &str = "text-chunks";
/// The table of chunks.
pub(crate) const CHUNK_TABLE: &str = "chunks.bin";

/// The segment is written when all documents are in: it may take what it needs.
const MEMORY: usize = 2 << 30;

/// Longest body that is indexed for one node, in bytes.
const BODY: usize = 24 << 10;

/// Chunks of an index.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chunks {
    pub(crate) chunks: Vec<Chunk>,
}

/// Writes the documents of all rows.
pub(crate) fn nodes(folder: &Path, rows: &Rows<'_>, sources: &[Arc<[u8]>]) -> Result<(), Error> {
    let mut schema = Schema::builder();
    let fields = FIELDS.map(|name| schema.add_text_field(name, words_field()));
    let exact = schema.add_text_field(EXACT, name_field());
    let [name, owner, doc, signature, near, body, path] = fields;
    let mut writer = Writer::new(&folder.join(NODES), schema.build())?;
    let lines: Vec<Vec<usize>> = sources.iter().map(|source| line_starts(source)).collect();
    for row in 0..rows.nodes.len() {
        let mut document = TantivyDocument::default();
        if let Some(node) = rows.node(row) {
            let qualified = node.qualified_name.as_str();
            let before = qualified
                .strip_suffix(&node.name)
                .unwrap_or(qualified)
                .trim_end_matches('.');
            document.add_text(name, &node.name);
            document.add_text(owner, before);
            document.add_text(doc, rows.doc(row));
            document.add_text(signature, &node.signature);
            document.add_text(signature, &node.type_text);
            document.add_text(doc, &node.tags);
            for names in [&rows.out_names[row], &rows.in_names[row]] {
                names.iter().take(48).for_each(|name| document.add_text(near, name));
            }
            if let Some(site) = node.site {
                document.add_text(path, rows.graph.path(site.file));
            }
            document.add_text(body, body_of(node, sources, &lines));
            let short = node.name.to_lowercase();
            let whole = qualified.to_lowercase();
            let last = before.rsplit(['.', '/']).next().unwrap_or("").to_lowercase();
            if !last.is_empty() {
                document.add_text(exact, format!("{last}.{short}"));
            }
            if whole != short {
                document.add_text(exact, whole);
            }
            document.add_text(exact, short);
        }
        writer.add(document)?;
    }
    writer.finish()
}

/// Writes the chunks of all files and documents: their texts and the table of them.
pub(crate) fn chunks(
    folder: &Path,
    rows: &Rows<'_>,
    sources: &[Arc<[u8]>],
    documents: &[Document],
) -> Result<(), Error> {
    let mut schema = Schema::builder();
    let text = schema.add_text_field(TEXT, words_field());
    let title = schema.add_text_field(TITLE, words_field());
    let mut writer = Writer::new(&folder.join(CHUNKS), schema.build())?;
    let mut table = Chunks::default();
    let mut add = |path: &str, found: Vec<(Chunk, String)>| -> Result<(), Error> {
        for (chunk, words) in found {
            let mut document = TantivyDocument::default();
            document.add_text(text, words);
            document.add_text(title, path);
            document.add_text(title, &chunk.heading);
            writer.add(document)?;
            table.chunks.push(chunk);
        }
        Ok(())
    };
    let mut types: FxHashMap<u32, Vec<Span>> = FxHashMap::default();
    let mut functions: FxHashMap<u32, Vec<Span>> = FxHashMap::default();
    for row in 0..rows.nodes.len() {
        let Some(node) = rows.node(row) else { continue };
        let spans = match node.label {
            NodeKind::Type => &mut types,
            NodeKind::Function => &mut functions,
            _ => continue,
        };
        let Some(site) = node.site else { continue };
        spans.entry(site.file.0).or_default().push(Span {
            row: row as u32,
            line: site.line,
            end_line: node.end_line,
        });
    }
    for spans in types.values_mut().chain(functions.values_mut()) {
        spans.sort_by_key(|span| (span.line, span.row));
    }
    let none = Vec::new();
    for ((file, indexed), source) in (0..).zip(&rows.graph.files).zip(sources) {
        let Ok(source) = std::str::from_utf8(source) else {
            continue;
        };
        let of = |spans: &'_ FxHashMap<u32, Vec<Span>>| spans.get(&file).unwrap_or(&none).clone();
        add(&indexed.path, chunk::source(file, source, &of(&types), &of(&functions)))?;
    }
    let first = rows.graph.files.len() as u32;
    for (file, document) in (first..).zip(documents) {
        add(&document.path, chunk::document(file, &document.text))?;
    }
    writer.finish()?;
    file::write_two(&folder.join(CHUNK_TABLE), &table, &[])
}

/// The source of a function; of anything else, the lines of its declaration with the comment above it.
pub(crate) fn body_of<'s>(node: &ripple_schema::Node, sources: &'s [Arc<[u8]>], lines: &[Vec<usize>]) -> &'s str {
    let Some(site) = node.site else { return "" };
    let (Some(source), Some(starts)) = (sources.get(site.file.0 as usize), lines.get(site.file.0 as usize)) else {
        return "";
    };
    let (above, below) = match node.label {
        NodeKind::Function => (1, node.end_line),
        NodeKind::Type => (1, node.end_line.min(site.line + 12)),
        NodeKind::Package | NodeKind::Key => return "",
        _ => (2, node.end_line.max(site.line).min(site.line + 20)),
    };
    let first = site.line.saturating_sub(1 + above) as usize;
    let start = starts.get(first).copied().unwrap_or(0);
    let end = starts
        .get(below as usize)
        .copied()
        .unwrap_or(source.len())
        .min(start + BODY);
    let bytes = source.get(start..end).unwrap_or_default();
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
    }
}

/// Where each line starts.
pub(crate) fn line_starts(source: &[u8]) -> Vec<usize> {
    let breaks = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
}

/// Puts documents into one segment, in order.
struct Writer {
    folder: std::path::PathBuf,
    inner: SingleSegmentIndexWriter,
}

impl Writer {
    fn new(folder: &Path, schema: Schema) -> Result<Self, Error> {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let failed = |error: tantivy::TantivyError| write_error(folder, error);
        let directory = MmapDirectory::open(folder).map_err(|error| write_error(folder, error.into()))?;
        let mut tokenizers = tantivy::tokenizer::TokenizerManager::default();
        register(&mut tokenizers);
        let inner = Index::builder()
            .schema(schema)
            .tokenizers(tokenizers)
            .single_segment_index_writer(directory, MEMORY)
            .map_err(failed)?;
        Ok(Self {
            folder: folder.into(),
            inner,
        })
    }

    fn add(&mut self, document: TantivyDocument) -> Result<(), Error> {
        self.inner
            .add_document(document)
            .map_err(|error| write_error(&self.folder, error))
    }

    fn finish(self) -> Result<(), Error> {
        let folder = self.folder;
        self.inner
            .finalize()
            .map(|_| ())
            .map_err(|error| write_error(&folder, error))
    }
}

fn register(tokenizers: &mut tantivy::tokenizer::TokenizerManager) {
    let analyzer = tantivy::tokenizer::TextAnalyzer::builder(CodeTokenizer::default()).build();
    tokenizers.register(tokenizer::NAME, analyzer);
}

/// What the engine could not write: the disk, most likely.
fn write_error(folder: &Path, error: tantivy::TantivyError) -> Error {
    let source = match error {
        tantivy::TantivyError::IoError(error) => std::io::Error::new(error.kind(), error.to_string()),
        error => std::io::Error::other(error.to_string()),
    };
    Error::io(folder)(source)
}

/// No row is no node.
const _: () = assert!(NONE == u32::MAX);
