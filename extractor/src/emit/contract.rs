//! Takes the places out of the flow graph that nobody would name, joining their flows end to end.
//!
//! ```text
//! Field Order.email --load--> v1 --assign--> mail        becomes        Field Order.email --load--> mail
//! f.result --RETURNS_TO--> v2 --PASSES_TO--> g.x         stays: v2 becomes a node of kind `value`
//! ```
//!
//! Two edges can be joined when at least one of them is a plain flow; a result that goes straight into an argument needs its node.

use rayon::prelude::*;
use ripple_schema::{EdgeKind, How, Rule};
use smallvec::SmallVec;

use crate::facts::PlaceKind;
use crate::link::{DerivedPlace, PlaceIndex, Program};
use crate::propagate::edges::NO_CALL;
use crate::propagate::{End, ValueEdge};

/// A place is kept when joining would make this many edges more than it takes away.
const GROWTH_LIMIT: usize = 6;

/// Which places are nodes, and the edges between them.
pub struct Contracted {
    /// Whether a place is a node.
    pub kept: Vec<bool>,
    /// Edges whose ends are nodes.
    pub edges: Vec<ValueEdge>,
}

/// Contracts the flows, and then what joins parts and wholes, which changes nothing of these.
pub fn contract(program: &Program, flows: Vec<ValueEdge>, wholes: (&[ValueEdge], &[bool])) -> Contracted {
    let count = program.place_count();
    let mut graph = Joiner::new(program, count, flows);
    let places = (0..count as u32).into_par_iter().map(PlaceIndex);
    let mut kept: Vec<bool> = places.map(|place| is_named(program, place)).collect();
    // Results count only where something comes out.
    for (index, kept) in kept.iter_mut().enumerate() {
        let place = PlaceIndex(index as u32);
        if *kept && is_result(program, place) && graph.incoming[index].is_empty() && graph.outgoing[index].is_empty() {
            *kept = false;
        }
        let is_element = matches!(program.derived_place(place), Some(DerivedPlace::Element { .. }));
        if is_element {
            *kept = !graph.incoming[index].is_empty();
        }
    }
    for (place, kept) in kept.iter_mut().enumerate() {
        *kept = *kept || graph.must_stay(place) || graph.is_read_cell(place);
    }
    for (place, kept) in kept.iter_mut().enumerate() {
        *kept = *kept || !graph.remove(place);
    }
    let joined = super::wholes::join(&graph, wholes, &mut kept);
    let mut edges = graph.alive();
    edges.extend(joined);
    Contracted { kept, edges }
}

fn is_named(program: &Program, place: PlaceIndex) -> bool {
    match program.local_place(place) {
        Some((file, local)) => {
            let facts = &program.files[file.at()].facts;
            let kind = facts.places[local.0 as usize].kind;
            !matches!(kind, PlaceKind::Value | PlaceKind::CallValue | PlaceKind::Binding)
        }
        None => match program.derived_place(place) {
            Some(DerivedPlace::Member(member)) => member.field.is_some(),
            Some(DerivedPlace::Element { .. }) => true,
            _ => false,
        },
    }
}

fn is_result(program: &Program, place: PlaceIndex) -> bool {
    program.place_kind(place) == Some(PlaceKind::Result)
}

/// A few edges.
type Few = SmallVec<[u32; 4]>;

pub(super) struct Joiner<'p> {
    program: &'p Program,
    edges: Vec<ValueEdge>,
    /// Those that stand for two, numbered on from these: to make room behind millions is to copy them all.
    joined: Vec<ValueEdge>,
    dead: Vec<bool>,
    incoming: Vec<Few>,
    outgoing: Vec<Few>,
}

impl<'p> Joiner<'p> {
    fn new(program: &'p Program, count: usize, mut edges: Vec<ValueEdge>) -> Self {
        let key = |edge: &ValueEdge| (edge.from, edge.to, edge.kind, edge.site, edge.how, edge.rule);
        edges.par_sort_unstable_by_key(key);
        edges.dedup_by_key(|edge| key(edge));
        let by_end = |end: fn(&ValueEdge) -> End| {
            let mut lists = vec![Few::new_const(); count];
            for (index, edge) in edges.iter().enumerate() {
                if let End::Place(place) = end(edge) {
                    lists[place.at()].push(index as u32);
                }
            }
            lists
        };
        let (incoming, outgoing) = rayon::join(|| by_end(|edge| edge.to), || by_end(|edge| edge.from));
        Self {
            program,
            dead: vec![false; edges.len()],
            edges,
            joined: Vec::new(),
            incoming,
            outgoing,
        }
    }

    /// The flows into a place, or out of it, before any was joined.
    pub(super) fn flows_at(&self, place: PlaceIndex, forward: bool) -> impl Iterator<Item = &ValueEdge> {
        let lists = if forward { &self.outgoing } else { &self.incoming };
        lists[place.at()]
            .iter()
            .filter_map(|index| self.edges.get(*index as usize))
    }

    fn push(&mut self, edge: ValueEdge) {
        let index = self.dead.len() as u32;
        if let End::Place(from) = edge.from {
            self.outgoing[from.at()].push(index);
        }
        if let End::Place(to) = edge.to {
            self.incoming[to.at()].push(index);
        }
        self.joined.push(edge);
        self.dead.push(false);
    }

    fn edge(&self, index: u32) -> &ValueEdge {
        let index = index as usize;
        match index.checked_sub(self.edges.len()) {
            None => &self.edges[index],
            Some(joined) => &self.joined[joined],
        }
    }

    fn living(&self, list: &[u32]) -> Few {
        list.iter()
            .copied()
            .filter(|index| !self.dead[*index as usize])
            .collect()
    }

    /// What comes out of a call and goes into another as it is.
    fn must_stay(&self, place: usize) -> bool {
        let from_call = |index: &u32| matches!(self.edge(*index).kind, EdgeKind::ReturnsTo | EdgeKind::Summarizes);
        let into_call = |index: &u32| matches!(self.edge(*index).kind, EdgeKind::PassesTo | EdgeKind::Summarizes);
        self.incoming[place].iter().any(from_call) && self.outgoing[place].iter().any(into_call)
    }

    /// What is read out of one object's cell: who starts from the field comes there by way of it.
    fn is_read_cell(&self, place: usize) -> bool {
        let is_cell = matches!(
            self.program.derived_place(PlaceIndex(place as u32)),
            Some(DerivedPlace::Cell { .. })
        );
        let into_field = |index: &u32| match self.edge(*index).to {
            End::Place(to) => self.program.member_of(to).is_some(),
            _ => false,
        };
        is_cell && self.outgoing[place].len() > 1 && self.outgoing[place].iter().any(into_field)
    }

    /// Joins the flows through a place; false when that is not possible or not worth it.
    fn remove(&mut self, place: usize) -> bool {
        let incoming = self.living(&self.incoming[place]);
        let outgoing = self.living(&self.outgoing[place]);
        if incoming.len() * outgoing.len() > incoming.len() + outgoing.len() + GROWTH_LIMIT {
            return false;
        }
        let mut joined = Vec::with_capacity(incoming.len() * outgoing.len());
        for first in &incoming {
            for second in &outgoing {
                let (first, second) = (*self.edge(*first), *self.edge(*second));
                match join(first, second) {
                    // An argument arrives at a parameter first, and what comes back comes from a place of the callee.
                    Some(edge) if edge.kind == EdgeKind::PassesTo && !self.is_variable(second.to) => {
                        if matches!(second.to, End::Place(_)) {
                            return false;
                        }
                        joined.push(edge);
                    }
                    Some(_) if second.kind == EdgeKind::ReturnsTo && !self.is_variable(first.from) => return false,
                    Some(edge) => joined.push(edge),
                    None => return false,
                }
            }
        }
        for index in incoming.iter().chain(&outgoing) {
            self.dead[*index as usize] = true;
        }
        for edge in joined {
            if edge.from != edge.to {
                self.push(edge);
            }
        }
        true
    }

    fn is_variable(&self, end: End) -> bool {
        matches!(end, End::Place(place) if self.program.member_of(place).is_none())
    }

    fn alive(mut self) -> Vec<ValueEdge> {
        let mut dead = self.dead.into_iter();
        self.edges.retain(|_| dead.next() == Some(false));
        self.joined.retain(|_| dead.next() == Some(false));
        self.edges.append(&mut self.joined);
        self.edges
    }
}

/// One edge for two: the kind of the one that is a call's; the weaker rule; the more telling way.
fn join(first: ValueEdge, second: ValueEdge) -> Option<ValueEdge> {
    let plain = |edge: &ValueEdge| edge.kind == EdgeKind::FlowsTo;
    let kind = match (plain(&first), plain(&second)) {
        (true, _) => second.kind,
        (false, true) => first.kind,
        (false, false) => return None,
    };
    // What a call gives is a value first, and goes by a wire name, or into something of a library's, then.
    if !plain(&first) && matches!(second.to, End::Key(_) | End::External(_) | End::Unresolved(_)) {
        return None;
    }
    // What was put in something of a library's comes out of it like any other value; what its calls give is a value first.
    let from_external = matches!(first.from, End::External(_) | End::Unresolved(_)) && !plain(&first);
    if from_external && kind != EdgeKind::ReturnsTo {
        return None;
    }
    let weaker = if first.rule.confidence() <= second.rule.confidence() {
        first.rule
    } else {
        second.rule
    };
    let is_told = second.rule.is_unresolved() || second.rule == Rule::IntoLibrary;
    let rule = if kind == EdgeKind::PassesTo && is_told {
        second.rule
    } else {
        weaker
    };
    let (how, site) = if plain(&second) && (!plain(&first) || second.how == How::Assign) {
        (first.how, first.site)
    } else {
        (second.how, second.site)
    };
    let is_test = first.how == How::Test || second.how == How::Test;
    let how = match how {
        _ if is_test => How::Test,
        // What was put under a key before, or taken from under one that nobody knows, has no known keys then.
        how if how.keeps_keys() && puts_anew(&first) => How::Put,
        how => how,
    };
    let site = if kind == EdgeKind::FlowsTo { second.site } else { site };
    let call = if second.call == NO_CALL {
        first.call
    } else {
        second.call
    };
    Some(ValueEdge {
        kind,
        from: first.from,
        to: second.to,
        how,
        rule,
        site,
        call,
    })
}

/// Whether what goes along an edge may lie under other keys behind it than before.
fn puts_anew(edge: &ValueEdge) -> bool {
    edge.how.is_put() && !edge.how.keeps_keys() || edge.how == How::Element && edge.rule == Rule::UnknownContents
}
