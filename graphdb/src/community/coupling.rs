//! [`Coupling`]: the graph with everything inside a function or type folded into it, and how strongly what is left hangs together.
//!
//! `def bill(o): total = o.price; log(total)` has a parameter, a local and a value; for a community it is one vertex, `bill`, with an edge
//! to the type of `o` (it reads a field), one to `log` (a call and a flow), and one to its file.

use ripple_schema::{EdgeKind, NodeKind};

use crate::Net;
use crate::net::EdgeKinds;

/// No vertex.
pub(super) const NONE: u32 = u32::MAX;

/// Vertices and the strengths between them.
pub(super) struct Coupling {
    /// The node of each vertex, in the order of nodes.
    pub(super) nodes: Vec<u32>,
    /// Whether each vertex is a member.
    pub(super) members: Vec<bool>,
    /// The vertex that each node belongs to, or [`NONE`].
    pub(super) vertex_of: Vec<u32>,
    /// What contains each node, or [`NONE`].
    pub(super) owners: Vec<u32>,
    /// Pairs of vertices, the smaller first, in order, each once.
    pub(super) pairs: Vec<Pair>,
}

/// Two vertices that have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) strength: f32,
}

/// How much an edge counts, in twentieths of a call. Whole numbers, so that their sum is the same in whatever order they are added.
const fn weight(kind: EdgeKind, from: NodeKind) -> u32 {
    match kind {
        EdgeKind::Calls | EdgeKind::CallsThrough => 20,
        EdgeKind::Inherits | EdgeKind::Embeds | EdgeKind::Implements | EdgeKind::Overrides => 40,
        EdgeKind::Reads | EdgeKind::Writes | EdgeKind::HasType => 10,
        // What meets on the wire alone are two programs, however sure it is that they meet.
        EdgeKind::SerializedAs | EdgeKind::UsesKey => 2,
        EdgeKind::FlowsTo | EdgeKind::PassesTo | EdgeKind::ReturnsTo | EdgeKind::Summarizes => match from {
            NodeKind::Key => 2,
            _ => 4,
        },
        EdgeKind::Imports | EdgeKind::CoChanged => 4,
        // What a whole and its parts have to do with each other is told by the flows of the parts.
        EdgeKind::UnpacksTo | EdgeKind::PacksInto => 0,
        // A method belongs to its type more than anything else does; a function to its file a little.
        EdgeKind::Contains => match from {
            NodeKind::Type | NodeKind::Function => 60,
            _ => 10,
        },
    }
}

impl Coupling {
    pub(super) fn of(net: &Net, is_silent: &dyn Fn(u32) -> bool) -> Self {
        let count = net.nodes() as u32;
        let owners = owners(net);
        let mut coupling = Self {
            nodes: Vec::new(),
            members: Vec::new(),
            vertex_of: vec![NONE; count as usize],
            owners,
            pairs: Vec::new(),
        };
        // A repository of tests alone has no other code to tell of.
        let functions = || net.of_label(NodeKind::Function).filter(|node| !is_silent(*node));
        let tests_too = functions().all(|node| net.is_test(node));
        for label in NodeKind::ALL.iter().copied() {
            let is_member = matches!(label, NodeKind::Function | NodeKind::Type);
            for node in net.of_label(label) {
                let is_vertex = match label {
                    NodeKind::Function | NodeKind::Type | NodeKind::File | NodeKind::Package | NodeKind::Key => true,
                    // A global; a local one is inside its function.
                    NodeKind::Variable => coupling.owner_label(net, node) == Some(NodeKind::File),
                    _ => false,
                };
                if is_vertex && (tests_too || !net.is_test(node)) {
                    coupling.vertex_of[node as usize] = coupling.nodes.len() as u32;
                    coupling.nodes.push(node);
                    coupling.members.push(is_member && !is_silent(node));
                }
            }
        }
        for node in net.of_label(NodeKind::Field).chain(net.of_label(NodeKind::Variable)) {
            coupling.vertex_of[node as usize] = coupling.holder(node);
        }
        coupling.pairs = coupling.couple(net);
        coupling
    }

    fn owner_label(&self, net: &Net, node: u32) -> Option<NodeKind> {
        let owner = self.owners[node as usize];
        (owner != NONE).then(|| net.label(owner))
    }

    /// The vertex of a node or of the nearest thing that contains it.
    fn holder(&self, mut node: u32) -> u32 {
        // Nothing is nested that deep; a circle in a damaged graph ends here.
        for _ in 0..64 {
            let vertex = self.vertex_of[node as usize];
            let owner = self.owners[node as usize];
            if vertex != NONE || owner == NONE {
                return vertex;
            }
            node = owner;
        }
        NONE
    }

    fn couple(&self, net: &Net) -> Vec<Pair> {
        let mut sums: Vec<(u64, u32)> = Vec::new();
        for node in 0..net.nodes() as u32 {
            let from = self.vertex_of[node as usize];
            if from == NONE {
                continue;
            }
            let label = net.label(node);
            for arrow in net.leaving(node, EdgeKinds::ALL) {
                let to = self.vertex_of[arrow.node as usize];
                let weight = weight(arrow.kind, label);
                if to != NONE && to != from && weight > 0 {
                    let weight = f64::from(weight) * net.rule(arrow.edge).confidence() * PARTS;
                    let pair = u64::from(from.min(to)) << 32 | u64::from(from.max(to));
                    sums.push((pair, (weight as u32).max(1)));
                }
            }
            // Edges between the same two mostly come together: the list stays short.
            if sums.len() > 1 << 22 {
                add_up(&mut sums);
            }
        }
        add_up(&mut sums);
        let pairs = sums.into_iter().map(|(pair, sum)| Pair {
            low: (pair >> 32) as u32,
            high: pair as u32,
            // The tenth call to the same function says less than the first.
            strength: (1.0 + sum as f32 / (20.0 * PARTS as f32)).ln(),
        });
        pairs.collect()
    }
}

/// Weights are summed in whole parts of one, so that a confidence a little below 1 is not rounded to half of it.
const PARTS: f64 = 100.0;

/// One entry a pair, in order.
fn add_up(sums: &mut Vec<(u64, u32)>) {
    sums.sort_unstable();
    sums.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.saturating_add(next.1);
        }
        same
    });
}

fn owners(net: &Net) -> Vec<u32> {
    let contains = EdgeKinds::of(&[EdgeKind::Contains]);
    let mut owners = vec![NONE; net.nodes()];
    for node in 0..net.nodes() as u32 {
        for arrow in net.leaving(node, contains) {
            let owner = &mut owners[arrow.node as usize];
            if *owner == NONE {
                *owner = node;
            }
        }
    }
    owners
}
