//! What joins parts and wholes, from node to node: by way of the places that were taken out of the flow graph.
//!
//! ```text
//! global CONF --flow--> v1 --UNPACKS_TO--> v2 --flow--> port        becomes        CONF --UNPACKS_TO--> port
//! CONF --UNPACKS_TO--> v2 --PASSES_TO--> open.port                  stays: v2 becomes a node of kind `value`
//! ```
//!
//! A place that becomes a node for this alone has no other edges: the flows through it are joined already.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contract::Joiner;
use crate::link::{PlaceIndex, Program};
use crate::propagate::{End, Flows, ValueEdge};

/// Where an edge would become more than this many, the place that it starts from becomes a node.
const JOIN_LIMIT: usize = 256;

/// Edges between nodes; marks the places that have to be nodes for them.
pub(super) fn join(flows: &Joiner<'_>, (wholes, whole): (&[ValueEdge], &[bool]), kept: &mut [bool]) -> Vec<ValueEdge> {
    let mut ways = Ways {
        flows,
        whole,
        kept,
        wholes: [FxHashMap::default(), FxHashMap::default()],
        known: FxHashMap::default(),
        standing: FxHashSet::default(),
    };
    for edge in wholes {
        for (end, lists) in [edge.from, edge.to].into_iter().zip(&mut ways.wholes) {
            if let End::Place(place) = end {
                lists.entry(place).or_default().push(*edge);
            }
        }
    }
    let mut joined = Vec::with_capacity(wholes.len());
    let mut meeting = FxHashSet::default();
    for edge in wholes {
        let (mut sources, targets) = (ways.ends(edge, false), ways.ends(edge, true));
        if let End::Place(place) = edge.from
            && sources.len() * targets.len() > JOIN_LIMIT
        {
            if meeting.insert((place, edge.kind)) {
                let into = |(from, _): &WayEnd| ValueEdge {
                    from: *from,
                    to: edge.from,
                    ..*edge
                };
                joined.extend(sources.iter().filter(|(from, _)| *from != edge.from).map(into));
            }
            sources = vec![(edge.from, false)];
        }
        for source in &sources {
            for target in &targets {
                let is_test = edge.how == How::Test || source.1 || target.1;
                let how = if is_test { How::Test } else { edge.how };
                // What a test of a whole decides depends on what lies in that just then, and what a loop goes over on what decided what lies there.
                let is_decided = edge.kind == EdgeKind::UnpacksTo && source.1 && !ways.is_whole(source.0);
                let kind = match edge.how == How::Held && target.1 || is_decided {
                    true => EdgeKind::FlowsTo,
                    false => edge.kind,
                };
                let (from, to) = (source.0, target.0);
                if from != to {
                    joined.push(ValueEdge {
                        kind,
                        from,
                        to,
                        how,
                        ..*edge
                    });
                }
            }
        }
    }
    let mut standing: Vec<_> = ways.standing.into_iter().collect();
    standing.sort_unstable();
    meeting.iter().for_each(|(place, _)| kept[place.at()] = true);
    for (place, forward) in standing {
        let crossing = flows.flows_at(place, forward).filter(|edge| crosses(edge, forward));
        joined.extend(crossing);
        kept[place.at()] = true;
    }
    joined
}

/// By place, whether it holds containers or objects: a part of a container does where one comes to it.
pub(super) fn places(program: &Program, flows: &Flows, edges: &[ValueEdge]) -> Vec<bool> {
    /// Most parts in parts.
    const MOST: usize = 8;
    let mut whole = flows.whole.clone();
    whole.resize(program.place_count(), false);
    let is_open = |place: PlaceIndex| program.derived_place(place).is_some() && program.member_of(place).is_none();
    let into_parts = edges.iter().filter_map(|edge| match (edge.from, edge.to) {
        (End::Place(from), End::Place(to))
            if is_open(to) && edge.how != How::Test && edge.kind != EdgeKind::PacksInto =>
        {
            Some((from, to))
        }
        _ => None,
    });
    let into_parts: Vec<(PlaceIndex, PlaceIndex)> = into_parts.collect();
    for _ in 0..MOST {
        let mut is_new = false;
        for (from, to) in &into_parts {
            is_new |= whole[from.at()] && !std::mem::replace(&mut whole[to.at()], true);
        }
        if !is_new {
            break;
        }
    }
    whole
}

/// From where, along which kind, whether what lies in a whole just when it is made is meant, whether all that lies in one is, and forward or not.
type Asked = (PlaceIndex, (EdgeKind, bool, bool), bool);

/// A node, and whether tests of values lie on the way to it.
type WayEnd = (End, bool);

struct Ways<'f, 'p> {
    flows: &'f Joiner<'p>,
    kept: &'f [bool],
    /// Places that hold containers or objects.
    whole: &'f [bool],
    /// By where they start, and by where they end.
    wholes: [FxHashMap<PlaceIndex, Vec<ValueEdge>>; 2],
    known: FxHashMap<Asked, Vec<WayEnd>>,
    /// Places that have to stand between an edge and a call, before it or behind it.
    standing: FxHashSet<(PlaceIndex, bool)>,
}

impl Ways<'_, '_> {
    /// The nodes that an edge starts from, or leads to.
    fn ends(&mut self, edge: &ValueEdge, forward: bool) -> Vec<WayEnd> {
        let end = if forward { edge.to } else { edge.from };
        let End::Place(place) = end else {
            return vec![(end, false)];
        };
        let is_loop = edge.rule == Rule::AnyElement && edge.how == How::Element;
        let key = (place, (edge.kind, edge.how == How::Held, is_loop), forward);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let found = self.follow(key);
        self.known.insert(key, found.clone());
        found
    }

    fn follow(&mut self, (place, (kind, is_held, is_loop), forward): Asked) -> Vec<WayEnd> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![(End::Place(place), false)];
        while let Some((end, is_test)) = open.pop() {
            if !seen.insert((end, is_test)) {
                continue;
            }
            let End::Place(place) = end else {
                found.push((end, is_test));
                continue;
            };
            if self.kept[place.at()] {
                found.push((end, is_test));
                continue;
            }
            let of_same_kind = self.wholes[usize::from(!forward)].get(&place).into_iter().flatten();
            let of_same_kind = of_same_kind.filter(|edge| edge.kind == kind && (edge.how == How::Held) == is_held);
            for edge in self.flows.flows_at(place, forward).chain(of_same_kind) {
                if crosses(edge, forward) {
                    self.standing.insert((place, forward));
                    found.push((end, is_test));
                    continue;
                }
                let next = if forward { edge.to } else { edge.from };
                let decides = is_loop && (is_test || edge.how == How::Test);
                let goes_on = match next {
                    End::Place(_) => edge.kind != EdgeKind::ReturnsTo,
                    // Library code is given parts, and ends the way: what it gives is another value.
                    End::External(_) | End::Unresolved(_) => forward && kind == EdgeKind::UnpacksTo,
                    _ => !forward && (kind == EdgeKind::PacksInto || decides),
                };
                let is_put = kind == EdgeKind::UnpacksTo && !forward && self.puts(edge);
                if goes_on && (!is_put || decides) {
                    open.push((next, is_test || edge.how == How::Test));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether a flow puts a value into a whole, so that what comes out of that need not be it.
    fn puts(&self, edge: &ValueEdge) -> bool {
        self.is_whole(edge.to) && (edge.how.is_put() || !self.is_whole(edge.from))
    }

    fn is_whole(&self, end: End) -> bool {
        matches!(end, End::Place(place) if self.whole.get(place.at()) == Some(&true))
    }
}

/// Whether an edge leads into a function of the index, or out of one.
fn crosses(edge: &ValueEdge, forward: bool) -> bool {
    let (kind, other) = match forward {
        true => (EdgeKind::PassesTo, edge.to),
        false => (EdgeKind::ReturnsTo, edge.from),
    };
    edge.kind == kind && matches!(other, End::Place(_))
}
