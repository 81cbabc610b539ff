//! What comes to functions by way of others: a call of a wrapper hands on to what is wrapped, that of a method to what the class below does.
//!
//! ```python
//! def safe(mail): return function(mail)       # FEATURES["caps"](mail) hands `mail` to `caps`, by way of `safe`
//! ```
//!
//! Edges tell what comes to whom: those into the function that is called, inside of it, and out of it into the one that gives the value. Where
//! they meet, what the call hands in comes to that one at this call.

use ripple_schema::EdgeKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::edges::{End, ValueEdge};
use crate::propagate::solve::{Solver, Target};

/// Most places of the function between that something goes along.
const WAY_LIMIT: usize = 64;

/// A call, and the function that gives what has a name there, without being called by it.
pub(in crate::propagate::edges) type HandedOn = (u32, FunctionIndex);

/// Adds what calls hand to functions by way of those that they call.
pub(in crate::propagate::edges) fn hand_on(solver: &Solver<'_>, mut pairs: Vec<HandedOn>, values: &mut Vec<ValueEdge>) {
    pairs.sort_unstable();
    pairs.dedup();
    pairs.retain(|(call, function)| !functions_called(solver, *call).contains(function));
    if pairs.is_empty() {
        return;
    }
    let calls: FxHashSet<u32> = pairs.iter().map(|(call, _)| *call).collect();
    let inner: FxHashSet<FunctionIndex> = calls.iter().flat_map(|call| functions_called(solver, *call)).collect();
    let mut into: FxHashMap<u32, Vec<(PlaceIndex, ValueEdge)>> = FxHashMap::default();
    let mut leaving: FxHashMap<PlaceIndex, Vec<(PlaceIndex, EdgeKind)>> = FxHashMap::default();
    for edge in values.iter() {
        let End::Place(to) = edge.to else { continue };
        if edge.kind == EdgeKind::PassesTo && calls.contains(&edge.call) {
            into.entry(edge.call).or_default().push((to, *edge));
        }
        let is_on_way = matches!(edge.kind, EdgeKind::PassesTo | EdgeKind::FlowsTo | EdgeKind::Summarizes);
        if let (End::Place(from), true) = (edge.from, is_on_way)
            && solver
                .program
                .owner_of(from)
                .is_some_and(|owner| inner.contains(&owner))
        {
            leaving.entry(from).or_default().push((to, edge.kind));
        }
    }
    let mut found = Vec::new();
    for (call, function) in pairs {
        for (place, edge) in into.get(&call).into_iter().flatten() {
            let arrives = arrives(solver, *place, function, &leaving).into_iter();
            found.extend(arrives.map(|to| ValueEdge {
                to: End::Place(to),
                ..*edge
            }));
        }
    }
    values.extend(found);
}

/// The functions that a call calls.
pub(super) fn functions_called(solver: &Solver<'_>, call: u32) -> FxHashSet<FunctionIndex> {
    let targets = solver.calls[call as usize].entries();
    let functions = targets.filter_map(|target| match target {
        Target::Function { function, .. } => Some(function),
        _ => None,
    });
    functions.collect()
}

/// The places of a function to which something comes that is in a place of the one between.
fn arrives(
    solver: &Solver<'_>,
    start: PlaceIndex,
    function: FunctionIndex,
    leaving: &FxHashMap<PlaceIndex, Vec<(PlaceIndex, EdgeKind)>>,
) -> Vec<PlaceIndex> {
    let (mut open, mut seen) = (vec![start], FxHashSet::from_iter([start]));
    let mut found = Vec::new();
    while let Some(place) = open.pop() {
        for (to, kind) in leaving.get(&place).into_iter().flatten() {
            let is_there = solver.program.owner_of(*to) == Some(function);
            match *kind {
                EdgeKind::PassesTo if is_there => found.push(*to),
                EdgeKind::PassesTo => {}
                _ if seen.len() < WAY_LIMIT && seen.insert(*to) => open.push(*to),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
