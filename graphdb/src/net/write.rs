//! The rows of a graph, written as arrays: `net.bin` (ends, kinds, rules), `sites.bin`, and the cards.
//!
//! Of two edges `a -> b` (kind 3) and `a -> c` (kind 1), the second comes first: edges are in the order of where they start and then
//! of their kind, and so are the lists of edges that end at a node.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use ripple_schema::{Edge, EdgeKind, FileId, Graph, How, NodeId, NodeKind, Rule, Site};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::cards;
use crate::Error;
use crate::generation::Generation;

/// First bytes of the file; the last one counts its versions.
pub(super) const MAGIC: &[u8; 8] = b"ripnet\0\x04";

/// Writes the graph's arrays into a generation.
pub(crate) fn write(generation: &Generation, graph: &Graph) -> Result<(), Error> {
    let ids: HashMap<NodeId, u32, FxBuildHasher> = (0u32..).zip(&graph.nodes).map(|(at, node)| (node.id, at)).collect();
    let mut rows: Vec<Row> = (0u32..)
        .zip(&graph.edges)
        .filter_map(|(row, edge)| {
            let (from, to) = (*ids.get(&edge.from)?, *ids.get(&edge.to)?);
            Some(Row { row, from, to })
        })
        .collect();
    drop(ids);
    // Most often they come so; dealing them out keeps the order of equals.
    rows.sort_by_key(|row| graph.edges[row.row as usize].kind as u8);
    let nodes = graph.nodes.len();
    let (leaving, places) = deal(nodes, rows.iter().map(|edge| edge.from));
    let (entering, arrivals) = deal(nodes, rows.iter().map(|edge| edge.to));
    let mut edges = rows.clone();
    let mut arriving = vec![0u32; rows.len()];
    for (edge, (&place, &arrival)) in rows.iter().zip(places.iter().zip(&arrivals)) {
        edges[place as usize] = *edge;
        arriving[arrival as usize] = place;
    }
    drop((rows, places, arrivals));

    let labels: Vec<u32> = (0..=NodeKind::ALL.len())
        .map(|label| graph.nodes.partition_point(|node| (node.label as usize) < label) as u32)
        .collect();

    let files = graph
        .nodes
        .iter()
        .filter(|node| node.label == NodeKind::File && node.test);
    let tests: FxHashSet<FileId> = files.filter_map(|node| Some(node.site?.file)).collect();
    let keys = Keys::of(&edges, graph, &labels);
    let path = generation.net();
    let write_net = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, File::create(&path)?);
        out.write_all(MAGIC)?;
        for count in [nodes, edges.len(), labels.len()] {
            out.write_all(&(count as u64).to_le_bytes())?;
        }
        for node in &graph.nodes {
            out.write_all(&node.id.0.to_le_bytes())?;
        }
        let rows = |edge: &Row| graph.edges[edge.row as usize];
        words(&mut out, labels.iter().copied())?;
        words(&mut out, leaving.iter().copied())?;
        words(&mut out, entering.iter().copied())?;
        words(&mut out, arriving.iter().copied())?;
        words(&mut out, edges.iter().map(|edge| edge.from))?;
        words(&mut out, edges.iter().map(|edge| edge.to))?;
        let is_test = |edge: &Row| tests.contains(&rows(edge).site.file);
        let meeting = meeting(&edges, graph, is_test);
        bytes(&mut out, graph.nodes.iter().zip(meeting).map(flags))?;
        let kinds = edges.iter().map(|row| {
            let edge = rows(row);
            let reads = u8::from(keys.reads(row, &edge)) << super::READ_BIT;
            let puts = u8::from(keys.puts(row, &edge)) << super::PUT_BIT;
            edge.kind as u8 | reads | puts | u8::from(is_test(row)) << super::TEST_BIT
        });
        bytes(&mut out, kinds)?;
        bytes(&mut out, edges.iter().map(|edge| rows(edge).how as u8))?;
        bytes(&mut out, edges.iter().map(|edge| rows(edge).rule as u8))?;
        out.into_inner()?.sync_data()
    };
    write_net().map_err(Error::io(&path))?;

    let path = generation.sites();
    let write_sites = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, File::create(&path)?);
        for edge in &edges {
            let site = graph.edges[edge.row as usize].site;
            words(&mut out, [site.file.0, site.line, site.column].into_iter())?;
        }
        out.into_inner()?.sync_data()
    };
    write_sites().map_err(Error::io(&path))?;
    cards::write(&generation.cards(), graph)
}

/// What is read at a site, to one place.
struct Read {
    /// The key, or one of them.
    key: u32,
    of_several: bool,
}

/// What is read and put under known keys: `Key` nodes stand for them.
struct Keys {
    key: std::ops::Range<u32>,
    /// Where what is read under a key goes, and what is put under one, each with its site.
    read: FxHashMap<(u32, Site), Read>,
    put: FxHashSet<(u32, Site)>,
    put_somewhere: FxHashSet<u32>,
    /// Places to which library code gives what lies under a key, and where it is told the key.
    taken: FxHashSet<(u32, u32)>,
    told: FxHashMap<Site, u32>,
    /// Parts that go by a key on the wire, too, and where library code tells which keys what it makes has.
    named: FxHashSet<u32>,
    makes: FxHashSet<Site>,
}

impl Keys {
    fn of(edges: &[Row], graph: &Graph, labels: &[u32]) -> Self {
        let label = NodeKind::Key as usize;
        let mut keys = Self {
            key: labels[label]..labels[label + 1],
            read: FxHashMap::default(),
            put: FxHashSet::default(),
            put_somewhere: FxHashSet::default(),
            taken: FxHashSet::default(),
            told: FxHashMap::default(),
            named: FxHashSet::default(),
            makes: FxHashSet::default(),
        };
        let by_library = |edge: &Edge| edge.rule == Rule::LibraryTable;
        for row in edges {
            let edge = &graph.edges[row.row as usize];
            let (from_key, to_key) = (keys.key.contains(&row.from), keys.key.contains(&row.to));
            match edge.how {
                How::Decode if from_key && by_library(edge) => {
                    keys.taken.insert((row.from, row.to));
                }
                How::Encode if from_key && to_key && by_library(edge) => {
                    keys.makes.insert(edge.site);
                }
                How::Encode if to_key && edge.rule == Rule::WireName => {
                    keys.named.insert(row.from);
                }
                _ if to_key && edge.kind == EdgeKind::UsesKey && by_library(edge) => {
                    keys.told.insert(edge.site, row.to);
                }
                _ => {}
            }
            if keys.key.contains(&row.from) {
                let read = keys.read.entry((row.to, edge.site)).or_insert(Read {
                    key: row.from,
                    of_several: false,
                });
                read.of_several |= read.key != row.from;
            }
            // What is compared and then put under a key says no more of other keys than what is put there itself.
            if keys.key.contains(&row.to) && matches!(edge.how, How::Encode | How::Test) {
                keys.put.insert((row.from, edge.site));
                keys.put_somewhere.insert(row.from);
            }
        }
        keys
    }

    fn reads(&self, row: &Row, edge: &Edge) -> bool {
        // `row.pop("fee")`
        let is_taken = |key: &u32| self.taken.contains(&(*key, row.to));
        let is_library = edge.kind == EdgeKind::Summarizes && edge.rule == Rule::LibraryTable;
        if is_library && self.told.get(&edge.site).is_some_and(is_taken) {
            return true;
        }
        let Some(read) = self.read.get(&(row.to, edge.site)) else {
            return false;
        };
        // A callee reads under a key what lies under another: `dark(event["payload"])`.
        !self.key.contains(&row.from) || edge.rule == Rule::Summary && read.of_several
    }

    fn puts(&self, row: &Row, edge: &Edge) -> bool {
        let is_here = || edge.rule == Rule::UnknownContents && self.put.contains(&(row.from, edge.site));
        // A callee put it there.
        let is_below = || edge.rule == Rule::Summary && self.put_somewhere.contains(&row.from);
        // Library code makes a whole with it: `frame.with_columns(total=v)`.
        let is_made = || {
            let names_it = self.named.contains(&row.from) && self.makes.contains(&edge.site);
            edge.rule == Rule::LibraryTable && (names_it || self.put.contains(&(row.from, edge.site)))
        };
        // It lies in a whole just when that is made, and under a key that is told.
        let is_held = edge.how == How::Held && edge.rule == Rule::ConstantKey;
        let is_put = edge.how == How::Put && (is_here() || is_below()) || edge.how == How::Test && is_here();
        is_put || is_held || edge.kind == EdgeKind::Summarizes && is_made()
    }
}

/// Fields and keys to which more than one line of the program brings values. The cells of a field hold what these brought.
fn meeting(edges: &[Row], graph: &Graph, is_test: impl Fn(&Row) -> bool) -> Vec<bool> {
    let mut brought: FxHashMap<u32, (FileId, u32)> = FxHashMap::default();
    let mut meeting = vec![false; graph.nodes.len()];
    for row in edges {
        let (edge, from) = (&graph.edges[row.row as usize], &graph.nodes[row.from as usize]);
        let is_source = match graph.nodes[row.to as usize].label {
            NodeKind::Field => from.kind != "element",
            label => label == NodeKind::Key,
        };
        let is_value = matches!(
            edge.kind,
            EdgeKind::FlowsTo | EdgeKind::ReturnsTo | EdgeKind::Summarizes | EdgeKind::UnpacksTo
        );
        if is_source && is_value && !is_test(row) {
            let line = (edge.site.file, edge.site.line);
            meeting[row.to as usize] |= *brought.entry(row.to).or_insert(line) != line;
        }
    }
    meeting
}

fn flags((node, meeting): (&ripple_schema::Node, bool)) -> u8 {
    let told = [node.test, node.exported, node.whole, meeting];
    let bits = told.into_iter().enumerate().map(|(bit, is)| u8::from(is) << bit);
    bits.sum::<u8>() | (super::Role::of(node) as u8) << told.len()
}

#[derive(Clone, Copy)]
struct Row {
    row: u32,
    from: u32,
    to: u32,
}

/// Puts things in the order of their nodes: where those of each node start, one more at the end; and the place of each thing.
fn deal(nodes: usize, of: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; nodes + 1];
    of.clone().for_each(|node| starts[node as usize + 1] += 1);
    let mut sum = 0;
    for count in &mut starts {
        sum += *count;
        *count = sum;
    }
    let mut next = starts.clone();
    let place = |node: u32| {
        let place = next[node as usize];
        next[node as usize] += 1;
        place
    };
    let places = of.map(place).collect();
    (starts, places)
}

fn words(out: &mut impl std::io::Write, mut words: impl Iterator<Item = u32>) -> std::io::Result<()> {
    words.try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

fn bytes(out: &mut impl std::io::Write, mut bytes: impl Iterator<Item = u8>) -> std::io::Result<()> {
    bytes.try_for_each(|byte| out.write_all(&[byte]))
}
