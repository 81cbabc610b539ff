//! Which callees a function has, by the call that it was entered through.
//!
//! ```python
//! def apply(step, value): return step(value)
//! kept = apply(echo, secret)       # in here `step` is `echo`,
//! gone = apply(mute, secret)       # and in here it is `mute`: nothing of the secret comes back
//! ```
//!
//! What a function carries to its result depends on the functions and objects that it is handed. So a function is told apart by what its
//! calls call: each group of ways in with the same callees is an *instance* of it, with summaries of its own (polyvariant
//! specialization, after Aung, Horwitz, Joiner and Reps 2014). The graph has one node for each place all the same: instances live in
//! [`super::summary`] alone, and what holds for anybody's call, the *base*, is what is written down inside of the function.

mod finder;

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::callees::{FlowGraph, LookedAt, Walks, end_of, is_in, share};
use super::conditions::Pair;
use super::edges::End;
use crate::link::{FunctionIndex, PlaceIndex};
use finder::{Entries, Finder, Found};

/// Most instances of a function beside its base.
const INSTANCE_LIMIT: usize = 16;

/// A function, and which of its calls' callees it comes to. The first ones are the bases, by the number of the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Instance(pub u32);

/// The instances of all functions.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    /// How many functions, and so bases, there are.
    functions: u32,
    /// The functions of the instances behind the bases.
    others: Vec<FunctionIndex>,
    /// The instances of functions that have more than their base.
    of: FxHashMap<FunctionIndex, Vec<Instance>>,
    /// What a call in an instance enters, where it is not the base of the callee; none where it does not call it.
    enters: FxHashMap<(Instance, u32, FunctionIndex), Option<Instance>>,
    /// Whether a call is among those: most are not.
    is_told: Vec<bool>,
    /// The function that each call is in.
    callers: Vec<FunctionIndex>,
    /// Calls that call different functions in different instances.
    differing: FxHashSet<u32>,
    /// Calls of which what they give is not handed on in some instances.
    held_back: FxHashSet<u32>,
    /// Flows that do not happen in an instance, sorted.
    dropped: FxHashMap<Instance, Arc<Vec<Pair>>>,
}

/// How one instance differs from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Part {
    /// The callees of a call, as a set of indices of its targets.
    Calls(u32, u64),
    /// What a call enters.
    Enters(u32, FunctionIndex, Instance),
    /// The flows that do not happen, sorted.
    Drops(Arc<Vec<Pair>>),
}

impl Contexts {
    /// The base of a function.
    pub(super) fn base(function: FunctionIndex) -> Instance {
        Instance(function.0)
    }

    /// How many instances there are.
    pub(super) fn len(&self) -> usize {
        self.functions as usize + self.others.len()
    }

    pub(super) fn is_base(&self, instance: Instance) -> bool {
        instance.0 < self.functions
    }

    pub(super) fn function(&self, instance: Instance) -> FunctionIndex {
        let other = instance.0.checked_sub(self.functions);
        other.map_or(FunctionIndex(instance.0), |index| self.others[index as usize])
    }

    /// The function that a call is in; none for what is no call of the source.
    pub(super) fn caller(&self, call: u32) -> Option<FunctionIndex> {
        self.callers.get(call as usize).copied()
    }

    /// The instances of a function beside its base.
    pub(super) fn others(&self, function: FunctionIndex) -> &[Instance] {
        self.of.get(&function).map_or(&[], Vec::as_slice)
    }

    /// All instances of a function.
    pub(super) fn instances(&self, function: FunctionIndex) -> impl Iterator<Item = Instance> {
        std::iter::once(Self::base(function)).chain(self.others(function).iter().copied())
    }

    /// Whether a call calls different functions in different instances of its function.
    pub(super) fn is_differing(&self, call: u32) -> bool {
        self.differing.contains(&call)
    }

    /// Whether what a call gives depends on the instance that its function is, by itself.
    pub(super) fn is_told_apart(&self, call: u32) -> bool {
        self.is_differing(call) || self.held_back.contains(&call)
    }

    /// Whether a flow happens in an instance.
    pub(super) fn happens(&self, instance: Instance, flow: Pair) -> bool {
        let dropped = self.dropped.get(&instance);
        dropped.is_none_or(|dropped| dropped.binary_search(&flow).is_err())
    }

    /// Flows that do not happen in some instances.
    pub(super) fn all_dropped(&self) -> FxHashSet<Pair> {
        self.dropped.values().flat_map(|flows| flows.iter().copied()).collect()
    }

    fn note(&mut self, entering: (Instance, u32, FunctionIndex), entered: Option<Instance>) {
        self.is_told[entering.1 as usize] = true;
        self.enters.insert(entering, entered);
    }

    /// The instance of a callee that a call enters; none where that instance of its caller does not call it.
    pub(super) fn entered(&self, caller: Instance, call: u32, callee: FunctionIndex) -> Option<Instance> {
        if self.is_told.get(call as usize) != Some(&true) {
            return Some(Self::base(callee));
        }
        let known = self.enters.get(&(caller, call, callee));
        known.copied().unwrap_or(Some(Self::base(callee)))
    }
}

/// Finds the instances, by what was found of each call; each share of the ways into functions by walks of its own.
pub(super) fn find<'g, 's, 'p>(
    graph: &'g FlowGraph<'s, 'p>,
    walks: &mut [Walks<'g, 's, 'p>],
    looked_at: &[Vec<LookedAt>],
) -> Contexts {
    let entries = Entries::new(graph, looked_at);
    let ways_in = entries.in_order();
    let shares = walks.par_iter_mut().zip(share(&ways_in));
    let found: Vec<Found> = shares
        .map(|(walks, ways_in)| Finder::new(graph, walks, &entries).find(ways_in))
        .collect();
    let of_library: FxHashSet<PlaceIndex> = entries.values_of_library().collect();
    let mut joined = Joined::new(graph, entries.callers, &of_library);
    found.into_iter().for_each(|found| joined.add(found));
    joined.contexts
}

/// What the shares have found, in one: equal instances of two shares are one.
struct Joined<'g, 's, 'p> {
    graph: &'g FlowGraph<'s, 'p>,
    contexts: Contexts,
    /// Calls in functions that ask for constants, by their values.
    calls_of_values: FxHashMap<PlaceIndex, u32>,
    interned: FxHashMap<(FunctionIndex, Vec<Part>), Instance>,
}

impl<'g, 's, 'p> Joined<'g, 's, 'p> {
    fn new(graph: &'g FlowGraph<'s, 'p>, callers: Vec<FunctionIndex>, of_library: &FxHashSet<PlaceIndex>) -> Self {
        let solver = graph.solver;
        let calls = solver.calls.iter().enumerate().filter(|(_, row)| !row.silent);
        let values = calls.flat_map(|(call, row)| {
            let call = call as u32;
            let has_flows = graph.conditions.has_flows(row.function);
            let values = solver.call_results(call).iter();
            let values = values.filter(move |value| has_flows || of_library.contains(value));
            values.map(move |value| (*value, call))
        });
        Self {
            graph,
            contexts: Contexts {
                functions: solver.program.functions.len() as u32,
                is_told: vec![false; callers.len()],
                callers,
                ..Contexts::default()
            },
            calls_of_values: values.collect(),
            interned: FxHashMap::default(),
        }
    }

    fn add(&mut self, found: Found) {
        let functions = self.contexts.functions;
        // What the instances of the share are among all.
        let mut ours: Vec<Instance> = Vec::new();
        let among_all = |ours: &[Instance], instance: Instance| match instance.0.checked_sub(functions) {
            Some(number) => ours[number as usize],
            None => instance,
        };
        for (function, parts) in found.instances {
            let parts = parts.into_iter().filter_map(|part| match part {
                Part::Enters(call, callee, entered) => {
                    let entered = among_all(&ours, entered);
                    (entered != Contexts::base(callee)).then_some(Part::Enters(call, callee, entered))
                }
                Part::Calls(..) | Part::Drops(_) => Some(part),
            });
            let instance = self.intern(function, parts.collect());
            ours.push(instance);
        }
        for (caller, call, callee, entered) in found.entered {
            let entered = among_all(&ours, entered);
            if entered != Contexts::base(callee) {
                self.contexts
                    .note((Contexts::base(caller), call, callee), Some(entered));
            }
        }
    }

    fn intern(&mut self, function: FunctionIndex, parts: Vec<Part>) -> Instance {
        if let Some(known) = self.interned.get(&(function, parts.clone())) {
            return *known;
        }
        let contexts = &mut self.contexts;
        let of = contexts.of.entry(function).or_default();
        if of.len() >= INSTANCE_LIMIT {
            return Contexts::base(function);
        }
        let instance = Instance(contexts.functions + contexts.others.len() as u32);
        of.push(instance);
        contexts.others.push(function);
        for part in &parts {
            match *part {
                Part::Drops(ref dropped) => {
                    // What a call gives that is not handed on here.
                    let calls = dropped.iter().filter_map(|(from, _)| self.calls_of_values.get(from));
                    contexts.held_back.extend(calls);
                    contexts.dropped.insert(instance, dropped.clone());
                }
                // What a call does not call, it does not enter.
                Part::Enters(call, callee, entered) => {
                    let known = contexts.enters.get(&(instance, call, callee)).copied();
                    contexts.note((instance, call, callee), known.unwrap_or(Some(entered)));
                }
                Part::Calls(call, kept) => {
                    let targets = &self.graph.solver.calls[call as usize].targets;
                    let ends = |keeps: bool| {
                        let own = targets
                            .iter()
                            .enumerate()
                            .filter(move |(index, _)| is_in(kept, *index) == keeps);
                        own.filter_map(|(_, target)| match end_of(target) {
                            Some(End::Function(function)) => Some(function),
                            _ => None,
                        })
                    };
                    for gone in ends(false).filter(|gone| ends(true).all(|stays| stays != *gone)) {
                        contexts.note((instance, call, gone), None);
                        contexts.differing.insert(call);
                    }
                }
            }
        }
        self.interned.insert((function, parts), instance);
        instance
    }
}
