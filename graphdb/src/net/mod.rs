//! [`Net`]: the graph as arrays, for walks that must not wait for the engine.
//!
//! First, some terminology:
//!
//! - **index**: the position of a node among all nodes, in the order of label and id; of an edge, in the order of where it starts.
//! - **arrow**: an edge as seen from one of its ends.
//! - **card**: a node's properties, read from disk one node at a time.
//!
//! `v = trim(s)` gives three nodes and, say, the edges `s -PASSES_TO-> trim.s` and `s -SUMMARIZES-> v`. From `s`:
//!
//! ```text
//! net.leaving(s, EdgeKinds::of(&[EdgeKind::Summarizes]))   one arrow, to v
//! net.entering(v, EdgeKinds::ALL)                          the same arrow, from s
//! net.card(v)?.qualified_name                              "shop.label.v"
//! ```
//!
//! Ends, kinds and rules are held in memory, 15 bytes an edge; cards and sites stay on disk, since an answer shows few of them. The
//! engine answers whatever is asked in Cypher; what a walk with a memory of its own (up, then down) needs is here: on a graph of 600,000
//! nodes a query that starts a second walk from all ends of a first one does not end, and a lookup of a hundred ids takes 150 ms.
//!
//! What is not here: what to walk along, and why. That is asked from outside.

mod cards;
mod read;
mod write;

use std::ops::Range;
use std::path::PathBuf;

use ripple_schema::{EdgeKind, How, NodeId, NodeKind, Rule};

use crate::Error;
pub use cards::Card;
pub(crate) use write::write;

/// The bit of an edge's kind that says that test code makes it.
const TEST_BIT: u32 = 7;
/// The bits that say that it puts under a known key, and that it reads under one.
const PUT_BIT: u32 = 6;
const READ_BIT: u32 = 5;
/// The bits that say the kind.
const KIND_BITS: u8 = (1 << READ_BIT) - 1;

/// Edges of one node that are looked at one by one.
const FEW: usize = 16;

/// The graph as arrays. Cheap to share, whole in memory but for cards and sites.
pub struct Net {
    ids: Vec<i64>,
    /// For each label, in order: the index of its first node; one more at the end.
    labels: Vec<u32>,
    /// Bit 0: declared in test code; bit 1: visible outside its package; bit 2: it holds wholes; bit 3: several lines
    /// bring values to it; from bit 4 on: the [`Role`].
    flags: Vec<u8>,
    /// For each node the index of its first edge; one more at the end.
    leaving: Vec<u32>,
    /// The same into `arriving`.
    entering: Vec<u32>,
    /// Edges by where they end.
    arriving: Vec<u32>,
    from: Vec<u32>,
    to: Vec<u32>,
    /// The kind, and in the last bits whether the edge reads under a known key, puts under one, and is made by test code.
    kind: Vec<u8>,
    how: Vec<u8>,
    rule: Vec<u8>,
    cards: cards::Cards,
    sites: PathBuf,
}

/// An edge as seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// Index of the edge.
    pub edge: u32,
    /// Index of the node at its other end.
    pub node: u32,
    /// Its kind.
    pub kind: EdgeKind,
    /// The way it takes.
    pub how: How,
}

/// Where the expression stands that makes an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeSite {
    /// Index into the files of the generation.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// What a `Variable` is to its function, as far as walks ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// A local variable, a captured one, or no variable at all.
    Plain,
    /// What the function returns.
    Result,
    /// What it is given, the receiver included.
    Parameter,
    /// A global or a constant.
    Global,
    /// A part of a container, or a field of one object.
    Element,
    /// The unnamed result of a call.
    Value,
    /// What the function decides by, where that has no name.
    Decision,
    /// Whether the function fails: it raises, or gives back an error.
    Failure,
}

impl Role {
    const ALL: [Self; 8] = [
        Self::Plain,
        Self::Result,
        Self::Parameter,
        Self::Global,
        Self::Element,
        Self::Value,
        Self::Decision,
        Self::Failure,
    ];

    fn of(node: &ripple_schema::Node) -> Self {
        match (node.label, node.kind) {
            (NodeKind::Variable, "result") => Self::Result,
            (NodeKind::Variable, "parameter" | "receiver") => Self::Parameter,
            (NodeKind::Variable, "global" | "constant") => Self::Global,
            (NodeKind::Variable, "element") => Self::Element,
            (NodeKind::Variable, "value") => Self::Value,
            (NodeKind::Variable, "decision") => Self::Decision,
            (NodeKind::Variable, "failure") => Self::Failure,
            _ => Self::Plain,
        }
    }
}

/// A set of edge kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeKinds(u32);

impl EdgeKinds {
    /// No kind.
    pub const NONE: Self = Self(0);
    /// Every kind.
    pub const ALL: Self = Self(u32::MAX);

    /// These kinds.
    pub const fn of(kinds: &[EdgeKind]) -> Self {
        let (mut bits, mut next) = (0, 0);
        while next < kinds.len() {
            bits |= 1 << kinds[next] as u32;
            next += 1;
        }
        Self(bits)
    }

    /// The kinds of both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The first of them, in the order of all kinds.
    const fn lowest(self) -> u32 {
        self.0.trailing_zeros()
    }

    /// The last of them.
    const fn highest(self) -> u32 {
        u32::BITS.saturating_sub(self.0.leading_zeros() + 1)
    }

    /// Whether this kind is among them.
    pub const fn has(self, kind: EdgeKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }
}

impl Net {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.ids.len()
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.to.len()
    }

    /// The index of a node; `None` if it is not in the graph.
    pub fn index(&self, id: NodeId) -> Option<u32> {
        self.labels.windows(2).find_map(|range| {
            let [start, end] = [range[0] as usize, range[1] as usize];
            let found = self.ids.get(start..end)?.binary_search(&id.0).ok()?;
            u32::try_from(start + found).ok()
        })
    }

    /// The id of a node.
    pub fn id(&self, node: u32) -> NodeId {
        NodeId(self.ids.get(node as usize).copied().unwrap_or_default())
    }

    /// The label of a node.
    pub fn label(&self, node: u32) -> NodeKind {
        let after = self.labels.partition_point(|first| *first <= node);
        NodeKind::ALL[after.saturating_sub(1).min(NodeKind::ALL.len() - 1)]
    }

    /// The nodes of a label.
    pub fn of_label(&self, label: NodeKind) -> Range<u32> {
        let at = |label: usize| self.labels.get(label).copied().unwrap_or_default();
        at(label as usize)..at(label as usize + 1)
    }

    /// Whether a node is declared in test code.
    pub fn is_test(&self, node: u32) -> bool {
        self.flags.get(node as usize).is_some_and(|flags| flags & 1 != 0)
    }

    /// Whether a node is visible outside its package.
    pub fn is_exported(&self, node: u32) -> bool {
        self.flags.get(node as usize).is_some_and(|flags| flags & 2 != 0)
    }

    /// Whether a variable or field holds containers or objects.
    pub fn is_whole(&self, node: u32) -> bool {
        self.flags.get(node as usize).is_some_and(|flags| flags & 4 != 0)
    }

    /// Whether more than one line brings values to a field or a key: who reads it may have what another one put there.
    pub fn meets(&self, node: u32) -> bool {
        self.flags.get(node as usize).is_some_and(|flags| flags & 8 != 0)
    }

    /// What a variable is to its function.
    pub fn role(&self, node: u32) -> Role {
        let role = self.flags.get(node as usize).map_or(0, |flags| flags >> 4);
        Role::ALL.get(role as usize).copied().unwrap_or(Role::Plain)
    }

    /// The edges of these kinds that start at a node, by kind.
    pub fn leaving(&self, node: u32, kinds: EdgeKinds) -> impl Iterator<Item = Arrow> {
        let edges = self.of_kinds(range(&self.leaving, node), kinds, |at| at);
        edges.filter_map(move |edge| self.arrow(edge, &self.to, kinds))
    }

    /// The edges of these kinds that end at a node, by kind.
    pub fn entering(&self, node: u32, kinds: EdgeKinds) -> impl Iterator<Item = Arrow> {
        let edges = self.of_kinds(range(&self.entering, node), kinds, |at| self.arriving[at as usize]);
        edges.filter_map(move |at| self.arrow(self.arriving[at as usize], &self.from, kinds))
    }

    /// What contains a node: a function its variables, a type its methods, a file its functions. `None` for the outermost.
    pub fn owner(&self, node: u32) -> Option<u32> {
        let contains = EdgeKinds::of(&[EdgeKind::Contains]);
        self.entering(node, contains).next().map(|arrow| arrow.node)
    }

    /// Start and end of an edge.
    pub fn ends(&self, edge: u32) -> (u32, u32) {
        (self.from[edge as usize], self.to[edge as usize])
    }

    /// The kind of an edge.
    pub fn kind(&self, edge: u32) -> EdgeKind {
        EdgeKind::ALL[(self.kind[edge as usize] & KIND_BITS) as usize]
    }

    /// Whether the expression that makes an edge stands in test code.
    pub fn is_made_by_test(&self, edge: u32) -> bool {
        self.kind[edge as usize] >> TEST_BIT != 0
    }

    /// Whether an edge takes what lies under a known key out of something of which the contents are not known. That has a flow of its own: beside
    /// `df -> x` of `x = df["a"]` stands `a -> x`.
    pub fn reads_by_key(&self, edge: u32) -> bool {
        self.kind[edge as usize] >> READ_BIT & 1 != 0
    }

    /// Whether it puts something under a known key into such.
    pub fn puts_by_key(&self, edge: u32) -> bool {
        self.kind[edge as usize] >> PUT_BIT & 1 != 0
    }

    /// The way that an edge takes.
    pub fn how(&self, edge: u32) -> How {
        How::ALL[self.how[edge as usize] as usize]
    }

    /// The rule that made an edge.
    pub fn rule(&self, edge: u32) -> Rule {
        Rule::ALL[self.rule[edge as usize] as usize]
    }

    /// The properties of a node.
    pub fn card(&self, node: u32) -> Result<Card, Error> {
        self.cards.get(node)
    }

    /// Where the expressions stand that make these edges.
    pub fn sites(&self, edges: &[u32]) -> Result<Vec<EdgeSite>, Error> {
        read::sites(&self.sites, edges)
    }

    /// The part of a node's edges, which lie by kind, that may be of these kinds: some nodes have thousands of others.
    fn of_kinds(&self, edges: Range<u32>, kinds: EdgeKinds, edge: impl Fn(u32) -> u32) -> Range<u32> {
        let kind = |at: u32| u32::from(self.kind[edge(at) as usize] & KIND_BITS);
        let first_with = |wanted: u32| {
            let (mut start, mut end) = (edges.start, edges.end);
            while start < end {
                let middle = start + (end - start) / 2;
                match kind(middle) < wanted {
                    true => start = middle + 1,
                    false => end = middle,
                }
            }
            start
        };
        match edges.len() <= FEW {
            true => edges,
            false => first_with(kinds.lowest())..first_with(kinds.highest() + 1),
        }
    }

    fn arrow(&self, edge: u32, ends: &[u32], kinds: EdgeKinds) -> Option<Arrow> {
        let kind = self.kind(edge);
        kinds.has(kind).then(|| Arrow {
            edge,
            node: ends[edge as usize],
            kind,
            how: self.how(edge),
        })
    }
}

/// Where the things of one node lie.
fn range(starts: &[u32], node: u32) -> Range<u32> {
    let at = |node: usize| starts.get(node).copied().unwrap_or_default();
    at(node as usize)..at(node as usize + 1)
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Net of {} nodes and {} edges", self.nodes(), self.edges())
    }
}
