//! [`Tables`]: the rows of a graph sorted into the database's tables.
//!
//! `total = price` gives one edge `price -FLOWS_TO-> total`; it belongs into the table `FLOWS_TO` under the pair
//! (`Variable`, `Variable`). Nodes come in the order in which the source declares them: what one place flows to mostly stands near it, and so the
//! engine finds it near it. An edge to a node that is not in the graph, or between labels that the schema does not join,
//! belongs nowhere: it is left out and counted, for the load must not fail because of one wrong row.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;
use ripple_schema::{Edge, EdgeKind, Graph, NodeId, NodeKind, Site};
use rustc_hash::FxBuildHasher;

/// A relationship table and one of the pairs of labels that it joins.
pub(crate) type Pair = (EdgeKind, NodeKind, NodeKind);

/// The label of each node.
type Labels = HashMap<NodeId, NodeKind, FxBuildHasher>;

/// Edges that one thread sorts at a time.
const PART: usize = 1 << 16;

/// Indices into the graph's rows, by table.
pub(crate) struct Tables {
    /// Indices into `graph.nodes`.
    pub(crate) nodes: BTreeMap<NodeKind, Vec<u32>>,
    /// Indices into `graph.edges`.
    pub(crate) edges: BTreeMap<Pair, Vec<u32>>,
    /// Number of edges left out.
    pub(crate) dropped: u64,
}

impl Tables {
    /// Sorts the rows into tables: nodes by where they are declared, edges as they come.
    pub(crate) fn of(graph: &Graph) -> Self {
        let mut labels = Labels::with_capacity_and_hasher(graph.nodes.len(), FxBuildHasher);
        let mut nodes: BTreeMap<NodeKind, Vec<u32>> = BTreeMap::new();
        for (index, node) in (0..).zip(&graph.nodes) {
            labels.insert(node.id, node.label);
            nodes.entry(node.label).or_default().push(index);
        }
        for rows in nodes.values_mut() {
            rows.par_sort_by_key(|&index| graph.nodes.get(index as usize).map(|node| node.site.map(place)));
        }
        let parts: Vec<BTreeMap<Pair, Vec<u32>>> = graph
            .edges
            .par_chunks(PART)
            .enumerate()
            .map(|(part, edges)| sort((part * PART) as u32, edges, &labels))
            .collect();
        let declared: HashSet<Pair> = EdgeKind::ALL
            .iter()
            .flat_map(|&kind| kind.endpoints().into_iter().map(move |(from, to)| (kind, from, to)))
            .collect();
        let mut edges: BTreeMap<Pair, Vec<u32>> = BTreeMap::new();
        for (pair, rows) in parts.into_iter().flatten() {
            match declared.contains(&pair) {
                true => edges.entry(pair).or_default().extend(rows),
                false => tell_left_out(graph, pair, &rows),
            }
        }
        let sorted: usize = edges.values().map(Vec::len).sum();
        let dropped = (graph.edges.len() - sorted) as u64;
        Self { nodes, edges, dropped }
    }

    /// Number of rows that the load writes.
    pub(crate) fn rows(&self) -> u64 {
        let nodes: usize = self.nodes.values().map(Vec::len).sum();
        let edges: usize = self.edges.values().map(Vec::len).sum();
        (nodes + edges) as u64
    }
}

/// Says which edges fit no table, for whoever reports it.
fn tell_left_out(graph: &Graph, (kind, from, to): Pair, rows: &[u32]) {
    for edge in rows.iter().filter_map(|row| graph.edges.get(*row as usize)) {
        let file = graph
            .files
            .get(edge.site.file.0 as usize)
            .map_or("", |file| file.path.as_str());
        tracing::debug!(
            ?kind,
            ?from,
            ?to,
            file,
            line = edge.site.line,
            "an edge fits no table of the schema"
        );
    }
}

/// Which pair each edge belongs to, if both its ends are known. `first` is the number of the first of them.
fn sort(first: u32, edges: &[Edge], labels: &Labels) -> BTreeMap<Pair, Vec<u32>> {
    let mut sorted: BTreeMap<Pair, Vec<u32>> = BTreeMap::new();
    // They mostly come by their start.
    let mut start: Option<(NodeId, NodeKind)> = None;
    for (index, edge) in (first..).zip(edges) {
        let from = match start {
            Some((id, label)) if id == edge.from => Some(label),
            _ => labels.get(&edge.from).copied(),
        };
        start = from.map(|label| (edge.from, label));
        if let (Some(from), Some(to)) = (from, labels.get(&edge.to)) {
            sorted.entry((edge.kind, from, *to)).or_default().push(index);
        }
    }
    sorted
}

fn place(site: Site) -> (u32, u32, u32) {
    (site.file.0, site.line, site.column)
}
