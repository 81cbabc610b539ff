//! [`NodeTable`]: the nodes that can be searched for, by *row*: one file, mapped, with what ranking asks of each.
//!
//! Row 7 of the table, document 7 of the full-text index and vector 7 are the same node. The columns (kind, file, flags,
//! neighbours) are read when the table is opened; the texts of a row (names, signature, doc) when somebody asks for them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use ripple_schema::{EdgeKind, Graph, NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

use crate::Error;
use crate::search::file;

/// No row.
pub const NONE: u32 = u32::MAX;

/// Parts of a package that say what it is.
const SUMMARY: usize = 24;

/// Most neighbours of a row that are kept, in each direction.
const NEIGHBOURS: usize = 64;

/// The texts of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Finer kind within the label.
    pub kind: String,
    /// Short name.
    pub name: String,
    /// Dotted path from the package down.
    pub qualified_name: String,
    /// Its declaration on one line.
    pub signature: String,
    /// Its documentation comment.
    pub doc: String,
    /// Its declared or inferred type.
    pub type_text: String,
}

/// What ranking and filters ask of every row.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Columns {
    pub(crate) ids: Vec<i64>,
    pub(crate) labels: Vec<u8>,
    pub(crate) kinds: Vec<u8>,
    pub(crate) languages: Vec<u8>,
    pub(crate) tests: Vec<bool>,
    pub(crate) exported: Vec<bool>,
    pub(crate) files: Vec<u32>,
    pub(crate) lines: Vec<u32>,
    pub(crate) end_lines: Vec<u32>,
    pub(crate) owners: Vec<u32>,
    pub(crate) tags: Vec<u32>,
    pub(crate) degrees: Vec<u32>,
    pub(crate) outgoing: Lists,
    pub(crate) incoming: Lists,
    /// Where the texts of each row begin; one more at the end.
    pub(crate) offsets: Vec<u32>,
    /// Paths of files; documents come after source files.
    pub(crate) paths: Vec<String>,
    /// Package of each path, as an index into `packages`; `NONE` if it has none.
    pub(crate) package_of: Vec<u32>,
    pub(crate) packages: Vec<String>,
    pub(crate) tag_sets: Vec<String>,
    pub(crate) kind_names: Vec<String>,
    /// Languages of source files.
    pub(crate) file_languages: Vec<u8>,
    /// Files that change together: the other, in how many commits both, out of how many of this one's commits.
    pub(crate) together: Vec<Vec<(u32, u32, u32)>>,
}

/// A list of rows for each row, end to end.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(crate) fn of(lists: &[Vec<u32>]) -> Self {
        let mut all = Self::default();
        for list in lists {
            all.starts.push(all.items.len() as u32);
            all.items.extend(list);
        }
        all.starts.push(all.items.len() as u32);
        all
    }

    pub(crate) fn get(&self, row: u32) -> &[u32] {
        let start = self.starts.get(row as usize).copied().unwrap_or(0) as usize;
        let end = self.starts.get(row as usize + 1).copied().unwrap_or(0) as usize;
        self.items.get(start..end).unwrap_or_default()
    }
}

/// The rows of a graph that can be searched for, while an index is built.
pub(crate) struct Rows<'g> {
    pub(crate) graph: &'g Graph,
    /// Index into the graph's nodes, by row.
    pub(crate) nodes: Vec<u32>,
    pub(crate) columns: Columns,
    /// Names that each row meets in the graph: callees, fields, keys; library names too.
    pub(crate) out_names: Vec<Vec<&'g str>>,
    /// Names of callers, readers, writers.
    pub(crate) in_names: Vec<Vec<&'g str>>,
    /// What a language model wrote of rows, where it was asked.
    pub(crate) described: FxHashMap<u32, String>,
}

/// Whether a node can be searched for: what a person would call a place to start from.
fn is_searchable(label: NodeKind, kind: &str) -> bool {
    match label {
        NodeKind::Function => kind != "initializer",
        NodeKind::Variable => matches!(kind, "global" | "constant"),
        NodeKind::Type | NodeKind::Field | NodeKind::Package | NodeKind::Key => true,
        _ => false,
    }
}

impl<'g> Rows<'g> {
    /// Sorts out the rows and who is near whom.
    pub(crate) fn of(graph: &'g Graph) -> Self {
        let nodes: Vec<u32> = (0..)
            .zip(&graph.nodes)
            .filter(|(_, node)| is_searchable(node.label, node.kind))
            .map(|(index, _)| index)
            .collect();
        let mut columns = Columns::default();
        let mut row_of: FxHashMap<NodeId, u32> = FxHashMap::default();
        let mut tag_sets: FxHashMap<&str, u32> = FxHashMap::default();
        let mut kinds: FxHashMap<&str, u8> = FxHashMap::default();
        for (row, node) in (0..).zip(nodes.iter().filter_map(|&node| graph.nodes.get(node as usize))) {
            row_of.insert(node.id, row);
            columns.ids.push(node.id.0);
            columns.labels.push(node.label as u8);
            let next = kinds.len() as u8;
            columns.kinds.push(*kinds.entry(node.kind).or_insert_with(|| {
                columns.kind_names.push(node.kind.to_owned());
                next
            }));
            columns.languages.push(node.language as u8);
            columns.tests.push(node.test);
            columns.exported.push(node.exported);
            columns.files.push(node.site.map_or(NONE, |site| site.file.0));
            columns.lines.push(node.site.map_or(0, |site| site.line));
            columns.end_lines.push(node.end_line);
            let next = tag_sets.len() as u32;
            columns.tags.push(*tag_sets.entry(&node.tags).or_insert_with(|| {
                columns.tag_sets.push(node.tags.clone());
                next
            }));
        }
        columns.paths = graph.files.iter().map(|file| file.path.clone()).collect();
        columns.file_languages = graph.files.iter().map(|file| file.language as u8).collect();
        let mut rows = Self {
            graph,
            out_names: vec![Vec::new(); nodes.len()],
            in_names: vec![Vec::new(); nodes.len()],
            described: FxHashMap::default(),
            nodes,
            columns,
        };
        rows.connect(&row_of);
        rows
    }

    /// Owners, neighbours and packages, in one pass over the edges.
    fn connect(&mut self, row_of: &FxHashMap<NodeId, u32>) {
        let graph = self.graph;
        let by_id: FxHashMap<NodeId, u32> = (0..).zip(&graph.nodes).map(|(index, node)| (node.id, index)).collect();
        let node = |id: &NodeId| by_id.get(id).and_then(|&index| graph.nodes.get(index as usize));
        let count = self.nodes.len();
        let mut owners = vec![NONE; count];
        let mut outgoing: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut degrees = vec![0; count];
        let mut packages: BTreeMap<&str, u32> = BTreeMap::new();
        let mut package_of = vec![NONE; graph.files.len()];
        let mut package_rows: FxHashMap<u32, u32> = FxHashMap::default();
        let mut met: FxHashSet<(NodeId, NodeId)> = FxHashSet::default();
        for edge in &graph.edges {
            match edge.kind {
                EdgeKind::Contains => {
                    if let (Some(&part), Some(&whole)) = (row_of.get(&edge.to), row_of.get(&edge.from)) {
                        owners[part as usize] = whole;
                    }
                    let (Some(whole), Some(part)) = (node(&edge.from), node(&edge.to)) else {
                        continue;
                    };
                    // What a type is shows in its members.
                    if let (Some(&row), NodeKind::Type) = (row_of.get(&edge.from), whole.label) {
                        self.out_names[row as usize].push(&part.name);
                    }
                    if whole.label == NodeKind::Package && part.label == NodeKind::File {
                        let next = packages.len() as u32;
                        let package = *packages.entry(&whole.qualified_name).or_insert_with(|| {
                            self.columns.packages.push(whole.qualified_name.clone());
                            next
                        });
                        let file = part.site.and_then(|site| package_of.get_mut(site.file.0 as usize));
                        file.into_iter().for_each(|file| *file = package);
                        if let (Some(site), Some(&row)) = (part.site, row_of.get(&edge.from)) {
                            package_rows.insert(site.file.0, row);
                        }
                    }
                }
                EdgeKind::Calls
                | EdgeKind::CallsThrough
                | EdgeKind::Reads
                | EdgeKind::Writes
                | EdgeKind::Inherits
                | EdgeKind::Embeds
                | EdgeKind::Implements
                | EdgeKind::Overrides
                | EdgeKind::SerializedAs
                | EdgeKind::UsesKey
                | EdgeKind::HasType => {
                    let (from, to) = (row_of.get(&edge.from), row_of.get(&edge.to));
                    if from.is_none() && to.is_none() || !met.insert((edge.from, edge.to)) {
                        continue;
                    }
                    if let Some(&from) = from {
                        self.out_names[from as usize].extend(node(&edge.to).map(|node| node.name.as_str()));
                    }
                    if let (Some(&to), Some(from)) = (to, node(&edge.from)) {
                        degrees[to as usize] += 1;
                        if self.in_names[to as usize].len() < NEIGHBOURS {
                            self.in_names[to as usize].push(&from.name);
                        }
                    }
                    if let (Some(&from), Some(&to)) = (from, to) {
                        for (list, other) in [(&mut outgoing[from as usize], to), (&mut incoming[to as usize], from)] {
                            if list.len() < NEIGHBOURS {
                                list.push(other);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        // And what a package is, in those of its parts that are used most: a summary of the folder.
        let mut parts: FxHashMap<u32, Vec<(u32, &'g str)>> = FxHashMap::default();
        for row in 0..count {
            let Some(node) = self
                .node(row)
                .filter(|node| matches!(node.label, NodeKind::Type | NodeKind::Function))
            else {
                continue;
            };
            let package = node.site.and_then(|site| package_rows.get(&site.file.0));
            if let Some(&package) = package.filter(|_| owners[row] == NONE && !node.test) {
                parts.entry(package).or_default().push((degrees[row], &node.name));
            }
        }
        for (package, mut parts) in parts {
            parts.sort_unstable_by(|a, b| b.cmp(a));
            self.out_names[package as usize].extend(parts.into_iter().take(SUMMARY).map(|(_, name)| name));
        }
        self.columns.owners = owners;
        self.columns.degrees = degrees;
        self.columns.outgoing = Lists::of(&outgoing);
        self.columns.incoming = Lists::of(&incoming);
        self.columns.package_of = package_of;
    }

    /// The graph's node of a row.
    pub(crate) fn node(&self, row: usize) -> Option<&'g ripple_schema::Node> {
        self.nodes
            .get(row)
            .and_then(|&node| self.graph.nodes.get(node as usize))
    }

    /// The documentation of a row, with its description before it.
    pub(crate) fn doc(&self, row: usize) -> Cow<'g, str> {
        let doc = self.node(row).map_or("", |node| node.doc.as_str());
        match self.described.get(&(row as u32)) {
            Some(text) => Cow::Owned(format!("{text} {doc}")),
            None => Cow::Borrowed(doc),
        }
    }

    /// Writes the table.
    pub(crate) fn write(&mut self, path: &Path) -> Result<(), Error> {
        let mut texts = Vec::new();
        let mut offsets = Vec::with_capacity(self.nodes.len() + 1);
        for row in 0..self.nodes.len() {
            offsets.push(texts.len() as u32);
            let Some(node) = self.node(row) else { continue };
            let entry = Entry {
                kind: node.kind.to_owned(),
                name: node.name.clone(),
                qualified_name: node.qualified_name.clone(),
                signature: node.signature.clone(),
                doc: node.doc.clone(),
                type_text: node.type_text.clone(),
            };
            texts = postcard::to_extend(&entry, texts).map_err(file::encode(path))?;
        }
        offsets.push(texts.len() as u32);
        self.columns.offsets = offsets;
        file::write_two(path, &self.columns, &texts)
    }
}

/// The table of a finished index.
pub struct NodeTable {
    pub(crate) columns: Columns,
    texts: OwnedBytes,
    rows_by_id: OnceLock<FxHashMap<i64, u32>>,
    files_by_path: OnceLock<FxHashMap<String, u32>>,
}

impl NodeTable {
    /// Maps a written table.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self, Error> {
        let (columns, texts): (Columns, OwnedBytes) = file::read_two(folder, name)?;
        let rows = columns.ids.len();
        let whole = [
            columns.labels.len(),
            columns.files.len(),
            columns.owners.len(),
            columns.offsets.len().wrapping_sub(1),
        ];
        if whole.iter().any(|&length| length != rows) || columns.offsets.last().copied() != Some(texts.len() as u32) {
            return Err(Error::Damaged {
                path: folder.join(name),
                message: "its columns differ in length".into(),
            });
        }
        Ok(Self {
            columns,
            texts,
            rows_by_id: OnceLock::new(),
            files_by_path: OnceLock::new(),
        })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.columns.ids.len()
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.columns.ids.is_empty()
    }

    /// The texts of a row; empty ones if there is no such row.
    pub fn entry(&self, row: u32) -> Entry {
        let at = |index: usize| self.columns.offsets.get(index).map(|&offset| offset as usize);
        let range = at(row as usize).zip(at(row as usize + 1));
        range
            .and_then(|(start, end)| self.texts.get(start..end))
            .and_then(|bytes| postcard::from_bytes(bytes).ok())
            .unwrap_or_default()
    }

    /// Kind and short name of a row, without reading the rest.
    pub fn kind_and_name(&self, row: u32) -> (&str, &str) {
        let at = |index: usize| self.columns.offsets.get(index).map(|&offset| offset as usize);
        let range = at(row as usize).zip(at(row as usize + 1));
        let bytes = range
            .and_then(|(start, end)| self.texts.get(start..end))
            .unwrap_or_default();
        // The first two fields of an entry.
        let read = postcard::take_from_bytes::<(&str, &str)>(bytes);
        read.map(|(names, _)| names).unwrap_or_default()
    }

    /// The graph's id of a row.
    pub fn id(&self, row: u32) -> i64 {
        self.columns.ids.get(row as usize).copied().unwrap_or_default()
    }

    /// The row of a graph's id.
    pub fn row(&self, id: i64) -> Option<u32> {
        let rows = self
            .rows_by_id
            .get_or_init(|| self.columns.ids.iter().copied().zip(0..).collect());
        rows.get(&id).copied()
    }

    /// The label of a row.
    pub fn label(&self, row: u32) -> Option<NodeKind> {
        let label = *self.columns.labels.get(row as usize)?;
        NodeKind::ALL.iter().copied().find(|kind| *kind as u8 == label)
    }

    /// The language of a row.
    pub fn language(&self, row: u32) -> Option<ripple_schema::Language> {
        let language = *self.columns.languages.get(row as usize)?;
        ripple_schema::Language::ALL
            .iter()
            .copied()
            .find(|known| *known as u8 == language)
    }

    /// Index of the file that declares a row; [`NONE`] if it has none.
    pub fn file(&self, row: u32) -> u32 {
        self.columns.files.get(row as usize).copied().unwrap_or(NONE)
    }

    /// The path of a file; empty for [`NONE`].
    pub fn path(&self, file: u32) -> &str {
        self.columns.paths.get(file as usize).map_or("", String::as_str)
    }

    /// Paths of all files, by index.
    pub fn paths(&self) -> &[String] {
        &self.columns.paths
    }

    /// The file of this path.
    pub fn file_of(&self, path: &str) -> Option<u32> {
        let files = self
            .files_by_path
            .get_or_init(|| self.columns.paths.iter().cloned().zip(0..).collect());
        files.get(path).copied()
    }

    /// The package of a row's file; empty if it has none.
    pub fn package(&self, row: u32) -> &str {
        let package = self.columns.package_of.get(self.file(row) as usize);
        package
            .and_then(|&package| self.columns.packages.get(package as usize))
            .map_or("", String::as_str)
    }

    /// First and last line of a row's declaration.
    pub fn lines(&self, row: u32) -> (u32, u32) {
        let of = |lines: &[u32]| lines.get(row as usize).copied().unwrap_or_default();
        (of(&self.columns.lines), of(&self.columns.end_lines))
    }

    /// The row that contains this one; [`NONE`] if none does.
    pub fn owner(&self, row: u32) -> u32 {
        self.columns.owners.get(row as usize).copied().unwrap_or(NONE)
    }

    /// How many rows and library names lead to this one.
    pub fn degree(&self, row: u32) -> u32 {
        self.columns.degrees.get(row as usize).copied().unwrap_or_default()
    }

    /// Whether a row is declared in test code.
    pub fn is_test(&self, row: u32) -> bool {
        self.columns.tests.get(row as usize).copied().unwrap_or_default()
    }

    /// Whether a row is visible outside its package.
    pub fn is_exported(&self, row: u32) -> bool {
        self.columns.exported.get(row as usize).copied().unwrap_or_default()
    }

    /// The tags of a row, separated by blanks.
    pub fn tags(&self, row: u32) -> &str {
        let set = self.columns.tags.get(row as usize);
        set.and_then(|&set| self.columns.tag_sets.get(set as usize))
            .map_or("", String::as_str)
    }

    /// Rows that this one calls, reads, writes, inherits from or names.
    pub fn outgoing(&self, row: u32) -> &[u32] {
        self.columns.outgoing.get(row)
    }

    /// Rows that call, read, write, inherit from or name this one.
    pub fn incoming(&self, row: u32) -> &[u32] {
        self.columns.incoming.get(row)
    }

    /// Files that changed in the same commits as this one: file, commits with both, commits with this one.
    pub fn changed_with(&self, file: u32) -> &[(u32, u32, u32)] {
        self.columns.together.get(file as usize).map_or(&[], Vec::as_slice)
    }
}
