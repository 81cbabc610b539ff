//! What a value may come to, asked in two ways that must agree: a walk in memory, and Cypher on the real store.
//!
//! First, some terminology:
//!
//! - **up**: out of the function that a value is in, by `RETURNS_TO`. **down**: into another, by `PASSES_TO`.
//! - **past**: by `SUMMARIZES`, to where a callee carries the value, without going in.
//! - **held**: what a value was put into, by `PACKS_INTO`, and wherever that goes. What it lies in just when that is made or handed on
//!   (`how: "held"`) is asked for by itself.
//! - **test**: a flow from a value to the outcome of comparing it (`how: "test"`). Nothing of the value comes out, and yet the outcome
//!   changes with it: what asks about impact follows tests, what asks where a value goes does not.
//!
//! - **unpacked**: a part that is read out of a whole, by `UNPACKS_TO`: for who starts from a container or an object. What is put into a whole, by
//!   a flow from what is none, is not unpacked again: the flows tell which part comes out.
//!
//! A way that goes up and then down is real. One that enters a callee through one call and leaves it through another is not, and so
//! nothing goes up once it went down; what comes back from below has a summary. `FLOWS_TO` is part of both phases.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use ripple_extractor::Extraction;
use ripple_graphdb::{Build, Limits, Reader, Value, Writer};
use ripple_schema::{Edge, EdgeKind, Graph, How, Node, NodeId, NodeKind, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which wholes a value comes to that it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holders {
    None,
    /// Those that are made with it, or handed on with it.
    Then,
    /// Those that it is in at any time.
    Ever,
}

/// A graph, ready to be walked.
pub struct Walk<'g> {
    outgoing: FxHashMap<NodeId, Vec<&'g Edge>>,
    inside: FxHashMap<NodeId, NodeId>,
    nodes: FxHashMap<NodeId, &'g Node>,
    /// Whether the outcome of a test of a value counts as reached.
    tests: bool,
}

impl<'g> Walk<'g> {
    /// Of this graph.
    pub fn new(graph: &'g Graph, tests: bool) -> Self {
        let functions: FxHashSet<NodeId> = graph
            .nodes
            .iter()
            .filter(|node| node.label == NodeKind::Function)
            .map(|node| node.id)
            .collect();
        let mut walk = Self {
            outgoing: FxHashMap::default(),
            inside: FxHashMap::default(),
            nodes: graph.nodes.iter().map(|node| (node.id, node)).collect(),
            tests,
        };
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

    /// What a function contains.
    pub fn parts(&self, function: NodeId) -> impl Iterator<Item = NodeId> {
        self.inside
            .iter()
            .filter(move |(_, inside)| **inside == function)
            .map(|(part, _)| *part)
    }

    /// Everything that a value may come to, its own place included.
    pub fn reach(&self, start: NodeId) -> FxHashSet<NodeId> {
        self.walk(start, Holders::None)
    }

    /// That, and everything that it lies in just when that is made or handed on.
    pub fn reach_and_held(&self, start: NodeId) -> FxHashSet<NodeId> {
        self.walk(start, Holders::Then)
    }

    /// That, and everything that may come to hold it.
    pub fn reach_and_holders(&self, start: NodeId) -> FxHashSet<NodeId> {
        self.walk(start, Holders::Ever)
    }

    fn walk(&self, start: NodeId, holders: Holders) -> FxHashSet<NodeId> {
        let mut seen: FxHashSet<(NodeId, bool, bool)> = FxHashSet::default();
        let mut open = VecDeque::from([(start, false, false)]);
        while let Some((node, down, put)) = open.pop_front() {
            if !seen.insert((node, down, put)) {
                continue;
            }
            for edge in self.outgoing(node) {
                let put_there = put || self.puts(edge);
                let next = match edge.kind {
                    _ if !self.tests && edge.how == How::Test => None,
                    EdgeKind::FlowsTo | EdgeKind::Summarizes => Some((down, put_there)),
                    EdgeKind::ReturnsTo => (!down).then_some((false, put_there)),
                    EdgeKind::PassesTo => Some((true, put_there)),
                    EdgeKind::PacksInto if edge.how == How::Held => {
                        (holders != Holders::None).then(|| (down || self.crosses(edge), true))
                    }
                    EdgeKind::PacksInto => (holders == Holders::Ever).then_some((down, true)),
                    EdgeKind::UnpacksTo => (!put).then_some((down, false)),
                    _ => None,
                };
                open.extend(next.map(|(down, put)| (edge.to, down, put)));
            }
        }
        seen.into_iter().map(|(node, ..)| node).collect()
    }

    /// Whether an edge leads into another function.
    fn crosses(&self, edge: &Edge) -> bool {
        let to = self.inside.get(&edge.to);
        to.is_some() && to != self.inside.get(&edge.from)
    }

    /// Whether a flow puts something into a whole: it says so, or it goes from what is no whole into one.
    fn puts(&self, edge: &Edge) -> bool {
        let (from, to) = (self.nodes[&edge.from], self.nodes[&edge.to]);
        let is_put = edge.how.is_put();
        let is_made = edge.kind == EdgeKind::Summarizes && edge.rule == Rule::LibraryTable;
        let is_told = (is_put || is_made) && to.kind != "element";
        let is_part = matches!(from.label, NodeKind::Variable | NodeKind::Field | NodeKind::Key);
        to.whole && (is_told || !from.whole && is_part)
    }
}

/// A graph in the store, open for reading.
pub struct Store {
    reader: Reader,
    _folder: tempfile::TempDir,
}

/// Up and then down, either of them alone, and the start itself.
const REACH: &str = "\
    MATCH (s:Key {id: $id})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES* SHORTEST 1..30]->(m) WITH DISTINCT m \
    MATCH (m)-[:FLOWS_TO|PASSES_TO|SUMMARIZES* SHORTEST 1..30]->(t) RETURN DISTINCT t.id AS id \
    UNION MATCH (s:Key {id: $id})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES* SHORTEST 1..30]->(t) RETURN DISTINCT t.id AS id \
    UNION MATCH (s:Key {id: $id})-[:FLOWS_TO|PASSES_TO|SUMMARIZES* SHORTEST 1..30]->(t) RETURN DISTINCT t.id AS id \
    UNION MATCH (s:Key {id: $id}) RETURN s.id AS id";

impl Store {
    /// Loads what was extracted.
    pub fn load(extraction: &Extraction) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let reader = load(extraction, folder.path());
        Self {
            reader,
            _folder: folder,
        }
    }

    /// As [`Walk::reach`], from a key: one query.
    pub fn reach(&self, key: NodeId) -> BTreeSet<NodeId> {
        let params = BTreeMap::from([("id".to_owned(), serde_json::json!(key.0))]);
        let limits = Limits {
            rows: 1_000_000,
            ..Limits::default()
        };
        let answer = self.reader.query(REACH, &params, &limits);
        let answer = answer.unwrap_or_else(|error| panic!("{REACH}: {error}"));
        assert!(!answer.truncated, "{} rows are not all", answer.rows.len());
        let id = |row: Vec<Value>| match row.as_slice() {
            [Value::Int(id)] => NodeId(*id),
            other => panic!("{other:?} is no id"),
        };
        answer.rows.into_iter().map(id).collect()
    }
}

/// The sample shop, indexed and open; the folder lives as long as it is held.
pub fn open_shop() -> (Reader, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let extraction = crate::support::extract_folder(&crate::support::tests_folder().join("projects/shop"));
    (load(&extraction, folder.path()), folder)
}

fn load(extraction: &Extraction, folder: &Path) -> Reader {
    let sources: &[Arc<[u8]>] = &extraction.sources;
    let build = Build {
        graph: &extraction.graph,
        sources,
        mentions: &[],
        roots: Vec::new(),
        memory_bytes: 256 << 20,
        most_memory_bytes: 1 << 30,
        threads: 2,
        search: None,
    };
    let writer = Writer::acquire(folder).expect("the folder is ours alone");
    writer.build(&build, &|_| {}).expect("the graph can be loaded");
    ripple_graphdb::open(folder).expect("what was built can be opened")
}
