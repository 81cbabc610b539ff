//! What a value may come to, asked in two ways that must agree: a walk in memory, and Cypher on the real store.
//!
//! First, some terminology:
//!
//! - **up**: out of the function that a value is in, by `RETURNS_TO`. **down**: into another, by `PASSES_TO`. A way that goes up and
//!   then down is real; one that enters a callee and leaves it through another call is not. `SUMMARIZES` goes past a callee.
//! - **crossing**: a `FLOWS_TO` whose ends are not variables of one function: through a field, a global, a key, a capture, or a
//!   part of another function's container. Who put a value there does not bind who takes it out: up and down begin again.
//!
//! In `o.mail = m` and, elsewhere, `send(o.mail)`, the value goes `m`, crosses into the field, crosses out of it, and from there up
//! and down as from the start.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use ripple_extractor::Extraction;
use ripple_graphdb::{Build, Limits, Reader, Value, Writer};
use ripple_schema::{Edge, EdgeKind, Graph, NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A graph, ready to be walked.
pub struct Walk<'g> {
    outgoing: FxHashMap<NodeId, Vec<&'g Edge>>,
    inside: FxHashMap<NodeId, NodeId>,
}

impl<'g> Walk<'g> {
    /// Of this graph.
    pub fn new(graph: &'g Graph) -> Self {
        let functions: FxHashSet<NodeId> =
            graph.nodes.iter().filter(|node| node.label == NodeKind::Function).map(|node| node.id).collect();
        let mut walk = Self { outgoing: FxHashMap::default(), inside: FxHashMap::default() };
        for edge in &graph.edges {
            walk.outgoing.entry(edge.from).or_default().push(edge);
            if edge.kind == EdgeKind::Contains && functions.contains(&edge.from) {
                walk.inside.insert(edge.to, edge.from);
            }
        }
        walk
    }

    /// The edges that leave a node.
    pub fn outgoing(&self, node: NodeId) -> &[&'g Edge] {
        self.outgoing.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The function that a node belongs to.
    pub fn inside(&self, node: NodeId) -> Option<NodeId> {
        self.inside.get(&node).copied()
    }

    /// What a function contains.
    pub fn parts(&self, function: NodeId) -> impl Iterator<Item = NodeId> {
        self.inside.iter().filter(move |(_, inside)| **inside == function).map(|(part, _)| *part)
    }

    /// Everything that a value may come to, its own place included.
    pub fn reach(&self, start: NodeId) -> FxHashSet<NodeId> {
        let mut seen: FxHashSet<(NodeId, bool)> = FxHashSet::default();
        let mut open = VecDeque::from([(start, false)]);
        while let Some((node, down)) = open.pop_front() {
            if !seen.insert((node, down)) {
                continue;
            }
            for edge in self.outgoing(node) {
                let next = match edge.kind {
                    EdgeKind::FlowsTo => Some(down && !self.crosses(edge)),
                    EdgeKind::Summarizes => Some(down),
                    EdgeKind::ReturnsTo => (!down).then_some(false),
                    EdgeKind::PassesTo => Some(true),
                    _ => None,
                };
                open.extend(next.map(|down| (edge.to, down)));
            }
        }
        seen.into_iter().map(|(node, _)| node).collect()
    }

    fn crosses(&self, edge: &Edge) -> bool {
        let (from, to) = (self.inside(edge.from), self.inside(edge.to));
        from != to || to.is_none()
    }
}

/// A graph in the store, open for reading.
pub struct Store {
    reader: Reader,
    /// Ends of crossing flows, by their starts.
    crossings: BTreeMap<i64, Vec<i64>>,
    _folder: tempfile::TempDir,
}

/// The two phases; either may be empty.
const PHASES: [&str; 3] = [
    "MATCH (s)-[:FLOWS_TO|RETURNS_TO|SUMMARIZES* SHORTEST 1..30]->(m) WHERE s.id IN $ids WITH DISTINCT m \
     MATCH (m)-[:FLOWS_TO|PASSES_TO|SUMMARIZES* SHORTEST 1..30]->(t) RETURN DISTINCT t.id",
    "MATCH (s)-[:FLOWS_TO|RETURNS_TO|SUMMARIZES* SHORTEST 1..30]->(t) WHERE s.id IN $ids RETURN DISTINCT t.id",
    "MATCH (s)-[:FLOWS_TO|PASSES_TO|SUMMARIZES* SHORTEST 1..30]->(t) WHERE s.id IN $ids RETURN DISTINCT t.id",
];

/// What is in one function is reached from there without crossing.
const CROSSINGS: &str = "MATCH (a)-[:FLOWS_TO]->(b) \
     WHERE NOT EXISTS { MATCH (a)<-[:CONTAINS]-(:Function)-[:CONTAINS]->(b) } RETURN DISTINCT a.id, b.id";

impl Store {
    /// Loads what was extracted.
    pub fn load(extraction: &Extraction) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let reader = load(extraction, folder.path());
        let mut store = Self { reader, crossings: BTreeMap::new(), _folder: folder };
        for row in store.ask(CROSSINGS, &[]) {
            store.crossings.entry(row[0]).or_default().push(row[1]);
        }
        store
    }

    /// As [`Walk::reach`]: both phases from the start, then again from the end of every crossing that was reached.
    pub fn reach(&self, start: NodeId) -> BTreeSet<NodeId> {
        let mut reached = BTreeSet::from([start.0]);
        let mut started = BTreeSet::new();
        let mut starts = vec![start.0];
        while !starts.is_empty() {
            started.extend(starts.iter().copied());
            for query in PHASES {
                reached.extend(self.ask(query, &starts).into_iter().map(|row| row[0]));
            }
            let ends: BTreeSet<i64> =
                reached.iter().filter_map(|from| self.crossings.get(from)).flatten().copied().collect();
            starts = ends.difference(&started).copied().collect();
        }
        reached.into_iter().map(NodeId).collect()
    }

    /// Rows of numbers.
    fn ask(&self, query: &str, ids: &[i64]) -> Vec<Vec<i64>> {
        let mut params = BTreeMap::new();
        if query.contains("$ids") {
            params.insert("ids".to_owned(), serde_json::json!(ids));
        }
        let limits = Limits { rows: 1_000_000, ..Limits::default() };
        let answer = self.reader.query(query, &params, &limits).unwrap_or_else(|error| panic!("{query}: {error}"));
        assert!(!answer.truncated, "{query}");
        let number = |value: Value| match value {
            Value::Int(number) => number,
            other => panic!("{query}: {other:?} is no id"),
        };
        answer.rows.into_iter().map(|row| row.into_iter().map(number).collect()).collect()
    }
}

fn load(extraction: &Extraction, folder: &Path) -> Reader {
    let sources: &[Arc<[u8]>] = &extraction.sources;
    let build = Build { graph: &extraction.graph, sources, roots: Vec::new(), memory_bytes: 256 << 20, threads: 2 };
    let writer = Writer::acquire(folder).expect("the folder is ours alone");
    writer.build(&build, &|_| {}).expect("the graph can be loaded");
    ripple_graphdb::open(folder).expect("what was built can be opened")
}
