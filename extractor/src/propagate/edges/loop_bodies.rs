//! What functions that loops go over hand to the loops: each to the loop's values, by way of the calls that its body was handed through.
//!
//! ```go
//! func (t *Tree) All(yield func(string) bool) { t.push(yield) }
//! func (t *Tree) push(yield func(string) bool) { yield(t.name) }   // comes out of `push` into `All`, and out of `All` into the loop
//! for name := range tree.All { … }
//! ```

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End, NO_CALL, ValueEdge};
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::solve::{Solver, Target};

/// Most functions that a loop's body is followed through. Beyond that what it is given comes straight to the loop.
const FUNCTION_LIMIT: usize = 64;

/// The calls of each function, with the functions that they enter.
type CallsWithin = FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>>;

/// The ways from what a loop goes over to the calls of its body.
#[derive(Debug, Default)]
struct Ways {
    /// Functions on them.
    functions: FxHashSet<FunctionIndex>,
    /// (caller, call, callee)
    calls: Vec<(FunctionIndex, u32, FunctionIndex)>,
}

impl Collector<'_, '_> {
    /// See the module's documentation.
    pub(super) fn loop_bodies(&mut self) {
        let mut calls_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut loops = Vec::new();
        for (call, index) in &self.solver.loop_calls {
            let calls = calls_of.entry(*index).or_default();
            if calls.is_empty() {
                loops.push(*index);
            }
            calls.push(*call);
        }
        let mut within: Option<CallsWithin> = None;
        for index in loops {
            let row = &self.solver.loops[index as usize];
            let (values, Some(through)) = (row.values.clone(), row.call) else {
                continue;
            };
            let calls = calls_of.remove(&index).unwrap_or_default();
            let entered: Vec<FunctionIndex> = entered_by(self.solver, through).collect();
            let callers: Vec<FunctionIndex> = calls.iter().map(|call| self.caller_of(*call)).collect();
            let mut ways = Ways::default();
            if callers.iter().any(|caller| !entered.contains(caller)) {
                let within = within.get_or_insert_with(|| calls_within(self.solver));
                ways = find_ways(within, &entered, &callers);
            }
            let mut given: FxHashMap<(FunctionIndex, usize), PlaceIndex> = FxHashMap::default();
            for (call, caller) in calls.into_iter().zip(callers) {
                let site = self.call_site(call);
                for (position, argument) in self.solver.call_arguments(call).to_vec().into_iter().enumerate() {
                    let (Some(from), Some(to)) = (argument.place, values.get(position)) else {
                        continue;
                    };
                    if !ways.functions.contains(&caller) {
                        self.hand_to_loop((from, *to), EdgeKind::ReturnsTo, site, through);
                        continue;
                    }
                    // What came down to whoever calls the body goes on down, as into any function that is handed over.
                    if !entered.contains(&caller) {
                        self.hand_to_loop((from, *to), EdgeKind::PassesTo, site, call);
                    }
                    let held = self.held_for_loop(&mut given, caller, position);
                    self.hand_to_loop((from, held), EdgeKind::FlowsTo, site, NO_CALL);
                }
            }
            let positions: Vec<(FunctionIndex, usize)> = given.keys().copied().collect();
            let mut wanted: Vec<usize> = positions.iter().map(|(_, position)| *position).collect();
            wanted.sort_unstable();
            wanted.dedup();
            for position in wanted {
                for (caller, call, callee) in &ways.calls {
                    let from = self.held_for_loop(&mut given, *callee, position);
                    let to = self.held_for_loop(&mut given, *caller, position);
                    let site = self.call_site(*call);
                    self.hand_to_loop((from, to), EdgeKind::ReturnsTo, site, *call);
                }
                for function in entered.iter().filter(|function| ways.functions.contains(function)) {
                    let from = self.held_for_loop(&mut given, *function, position);
                    let site = self.call_site(through);
                    self.hand_to_loop((from, values[position]), EdgeKind::ReturnsTo, site, through);
                }
            }
        }
    }

    fn caller_of(&self, call: u32) -> FunctionIndex {
        self.solver.calls[call as usize].function
    }

    /// What a function hands to a loop at a position, whoever calls the body.
    fn held_for_loop(
        &mut self,
        given: &mut FxHashMap<(FunctionIndex, usize), PlaceIndex>,
        function: FunctionIndex,
        position: usize,
    ) -> PlaceIndex {
        if let Some(known) = given.get(&(function, position)) {
            return *known;
        }
        let held = self.passing(function);
        given.insert((function, position), held);
        held
    }

    fn hand_to_loop(&mut self, (from, to): (PlaceIndex, PlaceIndex), kind: EdgeKind, site: EdgeSite, call: u32) {
        self.flows.values.push(ValueEdge {
            kind,
            from: End::Place(from),
            to: End::Place(to),
            how: How::Return,
            rule: Rule::Propagated,
            site,
            call,
        });
    }
}

fn entered_by<'s>(solver: &'s Solver<'_>, call: u32) -> impl Iterator<Item = FunctionIndex> + 's {
    let targets = solver.calls[call as usize].targets.iter();
    targets.filter_map(|target| match target {
        Target::Function { function, .. } => Some(*function),
        _ => None,
    })
}

fn calls_within(solver: &Solver<'_>) -> CallsWithin {
    let mut within = CallsWithin::default();
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        for callee in entered_by(solver, call as u32) {
            within.entry(row.function).or_default().push((call as u32, callee));
        }
    }
    within
}

/// The ways from the functions that a loop enters to those that call its body; none where one of these is not found.
fn find_ways(within: &CallsWithin, entered: &[FunctionIndex], callers: &[FunctionIndex]) -> Ways {
    let mut found: Vec<FunctionIndex> = Vec::new();
    let mut seen: FxHashSet<FunctionIndex> = entered.iter().copied().collect();
    found.extend(entered);
    let mut calls = Vec::new();
    let mut next = 0;
    while next < found.len() && found.len() <= FUNCTION_LIMIT {
        let caller = found[next];
        next += 1;
        for (call, callee) in within.get(&caller).into_iter().flatten() {
            calls.push((caller, *call, *callee));
            if seen.insert(*callee) {
                found.push(*callee);
            }
        }
    }
    if callers.iter().any(|caller| !seen.contains(caller)) {
        return Ways::default();
    }
    // Of what was found, that which leads there.
    let mut before: FxHashMap<FunctionIndex, Vec<FunctionIndex>> = FxHashMap::default();
    for (caller, _, callee) in &calls {
        before.entry(*callee).or_default().push(*caller);
    }
    let mut functions: FxHashSet<FunctionIndex> = callers.iter().copied().collect();
    let mut open: Vec<FunctionIndex> = callers.to_vec();
    while let Some(function) = open.pop() {
        for caller in before.get(&function).into_iter().flatten() {
            if functions.insert(*caller) {
                open.push(*caller);
            }
        }
    }
    calls.retain(|(caller, _, callee)| functions.contains(caller) && functions.contains(callee));
    Ways { functions, calls }
}
