//! What the solver alone says of where things come from, looked up while objects are still followed.
//!
//! `send = client.post` gives `send` by a load; `client = Client()` makes an instance, in the value of that call.

use std::collections::hash_map::Entry;

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{calls_closure, is_closure, maker_of};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// See the module's documentation.
pub(in crate::propagate) struct Origins {
    /// The load that gives a place.
    pub(super) load_of: FxHashMap<PlaceIndex, u32>,
    /// The other loads that give it: what embeds an interface asks that one, too.
    pub(super) other_loads: FxHashMap<PlaceIndex, Vec<u32>>,
    /// Calls that make instances, by their value.
    pub(super) makes: FxHashMap<PlaceIndex, Vec<u32>>,
    /// Calls of closures.
    pub(super) closure_calls: FxHashMap<FunctionIndex, Vec<u32>>,
    /// Variables that closures of decorators see.
    pub(super) decorated: FxHashMap<PlaceIndex, Decorated>,
}

/// What a closure that is there for all to call sees of a variable of the function that makes it.
#[derive(Debug, Clone)]
pub(super) struct Decorated {
    /// The variable, as the function that makes the closure knows it.
    pub(super) variable: PlaceIndex,
    /// The calls that decorate, of that very function.
    pub(super) calls: Vec<u32>,
    /// What decorates calls that function in turn: any of its calls may be meant.
    pub(super) by_others: bool,
}

impl Origins {
    pub(in crate::propagate) fn new(solver: &Solver<'_>) -> Self {
        let mut load_of: FxHashMap<PlaceIndex, u32> = FxHashMap::default();
        let mut other_loads: FxHashMap<PlaceIndex, Vec<u32>> = FxHashMap::default();
        for (index, row) in solver.loads.iter().enumerate() {
            match load_of.entry(row.to) {
                Entry::Vacant(first) => _ = first.insert(index as u32),
                Entry::Occupied(_) if !solver.untyped.contains(&row.file) => {
                    other_loads.entry(row.to).or_default().push(index as u32);
                }
                Entry::Occupied(mut last) => _ = last.insert(index as u32),
            }
        }
        let mut makes: FxHashMap<PlaceIndex, Vec<u32>> = FxHashMap::default();
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            let makes_one = |target: &Target| matches!(target, Target::Constructor { .. } | Target::Class(_));
            if row.targets.iter().any(makes_one)
                && let Some(value) = solver.call_results(call as u32).first()
            {
                makes.entry(*value).or_default().push(call as u32);
            }
        }
        let mut closure_calls: FxHashMap<FunctionIndex, Vec<u32>> = FxHashMap::default();
        let calls = solver.calls.iter().enumerate();
        for (call, row) in calls.filter(|(_, row)| calls_closure(solver, row)) {
            for target in &row.targets {
                match target {
                    Target::Function { function, .. } if is_closure(solver.program, *function) => {
                        closure_calls.entry(*function).or_default().push(call as u32);
                    }
                    _ => {}
                }
            }
        }
        Self {
            load_of,
            other_loads,
            makes,
            closure_calls,
            decorated: decorated(solver),
        }
    }
}

/// See [`Origins::decorated`].
fn decorated(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, Decorated> {
    let program = &*solver.program;
    let mut calls: FxHashMap<FunctionIndex, Vec<u32>> = FxHashMap::default();
    let mut by_others: FxHashSet<FunctionIndex> = FxHashSet::default();
    for (call, row) in solver.calls.iter().enumerate() {
        let is_open = row.how == How::Decorator && !row.silent && program.functions[row.function.at()].local.0 == 0;
        if !is_open {
            continue;
        }
        let mut called = Vec::new();
        for target in &row.targets {
            if let Target::Function { function, .. } = target {
                calls.entry(*function).or_default().push(call as u32);
                called.push(*function);
            }
        }
        let given = solver.call_results(call as u32).iter();
        for (_, object) in given.flat_map(|value| solver.held(*value)) {
            if let Object::Function(closure) = object
                && maker_of(program, closure).is_some_and(|maker| !called.contains(&maker))
            {
                by_others.insert(closure);
            }
        }
    }
    let mut decorated = FxHashMap::default();
    for (index, file) in program.files.iter().enumerate().filter(|_| !calls.is_empty()) {
        let file_index = FileIndex(index as u32);
        for flow in file.facts.flows.iter().filter(|flow| flow.how == How::Capture) {
            let (from, to) = (program.place(file_index, flow.from), program.place(file_index, flow.to));
            let Some(closure) = program.owner_of(to) else { continue };
            let direct = maker_of(program, closure).and_then(|maker| calls.get(&maker));
            let by_others = by_others.contains(&closure);
            if direct.is_some() || by_others {
                let seen = Decorated {
                    variable: from,
                    calls: direct.cloned().unwrap_or_default(),
                    by_others,
                };
                decorated.insert(to, seen);
            }
        }
    }
    decorated
}
