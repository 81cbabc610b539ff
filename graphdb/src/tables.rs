//! [`Tables`]: the rows of a graph sorted into the database's tables.
//!
//! `total = price` gives one edge `price -FLOWS_TO-> total`; it belongs into the table `FLOWS_TO` under the pair
//! (`Variable`, `Variable`). Nodes come in the order in which the source declares them: what one place flows to mostly stands near it, and so the
//! engine finds it near it. An edge to a node that is not in the graph, or between labels that the schema does not join,
//! belongs nowhere: it is left out and counted, for the load must not fail because of one wrong row.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::slice::ParallelSliceMut as _;
use ripple_schema::{EdgeKind, Graph, NodeId, NodeKind, Site};
use rustc_hash::FxBuildHasher;

/// A relationship table and one of the pairs of labels that it joins.
pub(crate) type Pair = (EdgeKind, NodeKind, NodeKind);

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
        let mut labels: HashMap<NodeId, NodeKind, FxBuildHasher> =
            HashMap::with_capacity_and_hasher(graph.nodes.len(), FxBuildHasher);
        let mut nodes: BTreeMap<NodeKind, Vec<u32>> = BTreeMap::new();
        for (index, node) in (0..).zip(&graph.nodes) {
            labels.insert(node.id, node.label);
            nodes.entry(node.label).or_default().push(index);
        }
        for rows in nodes.values_mut() {
            rows.par_sort_by_key(|&index| graph.nodes.get(index as usize).map(|node| node.site.map(place)));
        }
        let declared: HashSet<Pair> = EdgeKind::ALL
            .iter()
            .flat_map(|&kind| kind.endpoints().into_iter().map(move |(from, to)| (kind, from, to)))
            .collect();
        let mut edges: BTreeMap<Pair, Vec<u32>> = BTreeMap::new();
        let mut dropped = 0;
        for (index, edge) in (0..).zip(&graph.edges) {
            let ends = labels.get(&edge.from).zip(labels.get(&edge.to));
            match ends
                .map(|(&from, &to)| (edge.kind, from, to))
                .filter(|pair| declared.contains(pair))
            {
                Some(pair) => edges.entry(pair).or_default().push(index),
                None => dropped += 1,
            }
        }
        Self { nodes, edges, dropped }
    }

    /// Number of rows that the load writes.
    pub(crate) fn rows(&self) -> u64 {
        let nodes: usize = self.nodes.values().map(Vec::len).sum();
        let edges: usize = self.edges.values().map(Vec::len).sum();
        (nodes + edges) as u64
    }
}

fn place(site: Site) -> (u32, u32, u32) {
    (site.file.0, site.line, site.column)
}
