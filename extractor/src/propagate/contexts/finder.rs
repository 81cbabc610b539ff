//! The instances that a share of the ways into functions leads to.
//!
//! For the module's example: `apply(echo, secret)` is a way into `apply`, behind which the call of `step` calls `echo` alone; that of
//! `apply(mute, secret)` makes another instance.

use std::sync::Arc;

use ripple_schema::EdgeKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Contexts, INSTANCE_LIMIT, Instance, Part};
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::callees::{ANYWHERE, FlowGraph, LookedAt, SHARES, Walks, end_of, is_in};
use crate::propagate::conditions::Pair;
use crate::propagate::edges::End;
use crate::propagate::solve::Target;

/// Most calls, one inside the other, through which a function is told apart.
const DEPTH_LIMIT: u8 = 3;

/// Most edges that are followed for all instances of a share together, for each of its calls that have several callees; and for all of
/// them together.
const STEP_BUDGET: u64 = 600;
const LEAST_BUDGET: u64 = 20_000;

/// Most ways into functions that are looked at, for each function of the program: what is entered in more has none of its own.
const LOOK_BUDGET: u64 = 16;

/// As many ways out of a function count as one more look.
const WAYS_OF_ONE: u64 = 16;

/// A call that brings what others call, with the function that it is in before it, and behind it that which it brings it to.
type Way = (FunctionIndex, (u32, FunctionIndex));

/// The calls by which something comes into functions that calls inside of them depend on.
pub(super) struct Entries {
    /// The function that each call is in.
    pub(super) callers: Vec<FunctionIndex>,
    /// Calls with several callees, by the function that they are in, with what they call by anybody's doing.
    own: FxHashMap<FunctionIndex, Vec<(u32, u64)>>,
    /// Calls that bring what others call, by the function that they are in, with the function that they bring it to.
    ways_in: FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>>,
    /// Calls that hand on a parameter which their callee asks for, by the function that they are in.
    handed_on: FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>>,
    /// Calls that may call functions of library code beside others.
    of_library: FxHashMap<u32, OfLibrary>,
}

/// Functions of library code that a call may call beside others.
struct OfLibrary {
    /// Which of its targets these are.
    targets: u64,
    /// What flows by them.
    flows: Vec<Pair>,
}

impl Entries {
    pub(super) fn new(graph: &FlowGraph<'_, '_>, looked_at: &[Vec<LookedAt>]) -> Self {
        let mut entries = Self {
            callers: graph.solver.calls.iter().map(|row| row.function).collect(),
            own: FxHashMap::default(),
            ways_in: FxHashMap::default(),
            handed_on: FxHashMap::default(),
            of_library: FxHashMap::default(),
        };
        entries.find_ways_in(graph, looked_at);
        entries.find_of_library(graph);
        entries.find_constants(graph);
        entries
    }

    /// All ways, in order.
    pub(super) fn in_order(&self) -> Vec<Way> {
        let of_callers = self.ways_in.iter();
        let mut ways: Vec<Way> = of_callers
            .flat_map(|(caller, ways)| ways.iter().map(move |way| (*caller, *way)))
            .collect();
        ways.sort_unstable();
        ways
    }

    /// Through which calls the callees of other calls come to where they are called.
    fn find_ways_in(&mut self, graph: &FlowGraph<'_, '_>, looked_at: &[Vec<LookedAt>]) {
        let mut seen = FxHashSet::default();
        for LookedAt { call, kept, ways_in } in looked_at.iter().flatten() {
            let Some(ways_in) = ways_in else { continue };
            let caller = self.callers[*call as usize];
            self.own.entry(caller).or_default().push((*call, *kept));
            for (through, to) in ways_in {
                // What is no call of the source is in no function.
                let caller = self.callers.get(*through as usize);
                let (Some(caller), Some(callee)) = (caller, graph.solver.program.owner_of(*to)) else {
                    continue;
                };
                if seen.insert((*through, callee)) {
                    self.ways_in.entry(*caller).or_default().push((*through, callee));
                }
            }
        }
    }

    /// See [`Self::of_library`].
    fn find_of_library(&mut self, graph: &FlowGraph<'_, '_>) {
        let solver = graph.solver;
        for (call, _) in self.own.values().flatten() {
            let values = graph.library_values(*call);
            let targets = solver.calls[*call as usize].targets.iter();
            let all = targets.filter(|target| matches!(target, Target::External(_))).count();
            if !values.is_empty() && values.len() == all {
                let targets = values.iter().fold(0, |targets, (index, _)| targets | 1 << index);
                let flows = Vec::new();
                self.of_library.insert(*call, OfLibrary { targets, flows });
            }
        }
        let given = self.of_library.keys().flat_map(|call| {
            let results = solver.call_results(*call).iter();
            results.map(move |result| (*result, *call))
        });
        let given: FxHashMap<PlaceIndex, u32> = given.collect();
        if given.is_empty() {
            return;
        }
        for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Summarizes) {
            let (End::Place(from), End::Place(to)) = (edge.from, edge.to) else {
                continue;
            };
            let library = given.get(&to).and_then(|call| self.of_library.get_mut(call));
            if let Some(library) = library {
                library.flows.push((from, to));
            }
        }
    }

    /// Calls whose values flow by library code that may not be what is called.
    pub(super) fn values_of_library(&self) -> impl Iterator<Item = PlaceIndex> {
        let flows = self.of_library.values().flat_map(|library| &library.flows);
        flows.map(|(from, _)| *from)
    }

    /// Through which calls constants come to functions that ask for them.
    fn find_constants(&mut self, graph: &FlowGraph<'_, '_>) {
        for (call, callee, is_constant) in graph.conditions.calls() {
            let Some(caller) = self.callers.get(call as usize) else {
                continue;
            };
            let ways = match is_constant {
                true => &mut self.ways_in,
                false => &mut self.handed_on,
            };
            let ways = ways.entry(*caller).or_default();
            if !ways.contains(&(call, callee)) {
                ways.push((call, callee));
            }
        }
    }
}

/// What a share has found.
pub(super) struct Found {
    /// The instances behind the bases, by their number: their functions, and how they differ. What they enter comes before them.
    pub(super) instances: Vec<(FunctionIndex, Vec<Part>)>,
    /// What calls enter in the bases of their functions: the function, the call, what it calls.
    pub(super) entered: Vec<(FunctionIndex, u32, FunctionIndex, Instance)>,
}

/// Finds the instances of one share.
pub(super) struct Finder<'w, 'g, 's, 'p> {
    graph: &'g FlowGraph<'s, 'p>,
    walks: &'w mut Walks<'g, 's, 'p>,
    entries: &'w Entries,
    found: Found,
    /// How many instances a function has.
    counts: FxHashMap<FunctionIndex, usize>,
    /// The instance of a function that was entered in this way.
    known: FxHashMap<(FunctionIndex, u32), Instance>,
    interned: FxHashMap<(FunctionIndex, Vec<Part>), Instance>,
    bases: FxHashMap<FunctionIndex, Vec<Part>>,
    budget: u64,
    /// How many more ways into functions are looked at.
    looks: u64,
}

impl<'w, 'g, 's, 'p> Finder<'w, 'g, 's, 'p> {
    pub(super) fn new(graph: &'g FlowGraph<'s, 'p>, walks: &'w mut Walks<'g, 's, 'p>, entries: &'w Entries) -> Self {
        let several = entries.own.values().map(Vec::len).sum::<usize>() as u64;
        let functions = graph.solver.program.functions.len() as u64;
        let shares = SHARES as u64;
        Self {
            graph,
            walks,
            entries,
            found: Found {
                instances: Vec::new(),
                entered: Vec::new(),
            },
            counts: FxHashMap::default(),
            known: FxHashMap::default(),
            interned: FxHashMap::default(),
            bases: FxHashMap::default(),
            budget: LEAST_BUDGET + STEP_BUDGET * several / shares,
            looks: LEAST_BUDGET + LOOK_BUDGET * functions / shares,
        }
    }

    pub(super) fn find(mut self, ways_in: &[Way]) -> Found {
        for (caller, (call, callee)) in ways_in {
            let entered = self.entered(*call, ANYWHERE, *callee, 1);
            if entered != Contexts::base(*callee) {
                self.found.entered.push((*caller, *call, *callee, entered));
            }
        }
        self.found
    }

    /// The instance that a call enters, itself looked at with this stack.
    fn entered(&mut self, call: u32, stack: u32, callee: FunctionIndex, depth: u8) -> Instance {
        match self
            .walks
            .push(call, stack)
            .filter(|_| depth <= DEPTH_LIMIT && self.looks > 0)
        {
            Some(stack) => self.instance(callee, stack, depth),
            None => Contexts::base(callee),
        }
    }

    fn instance(&mut self, function: FunctionIndex, stack: u32, depth: u8) -> Instance {
        if let Some(known) = self.known.get(&(function, stack)) {
            return *known;
        }
        let base = Contexts::base(function);
        self.known.insert((function, stack), base);
        let parts = self.parts(function, stack, depth);
        if !self.bases.contains_key(&function) {
            // A function that calls itself is told apart from what was known of it so far.
            self.bases.insert(function, Vec::new());
            let parts = self.parts(function, ANYWHERE, depth);
            self.bases.insert(function, parts);
        }
        let instance = match self.bases[&function] == parts {
            true => base,
            false => self.intern(function, parts),
        };
        self.known.insert((function, stack), instance);
        instance
    }

    /// What the calls of a function call where it was entered as the stack says.
    fn parts(&mut self, function: FunctionIndex, stack: u32, depth: u8) -> Vec<Part> {
        let entries = self.entries;
        // A function with hundreds of ways out of it costs as much as many others.
        let ways = entries.ways_in.get(&function).map_or(0, Vec::len) as u64;
        self.looks = self.looks.saturating_sub(1 + ways / WAYS_OF_ONE);
        // What each call calls, in order.
        let mut calls: Vec<(u32, u64)> = Vec::new();
        for (call, callees) in entries.own.get(&function).into_iter().flatten() {
            let kept = self.walks.callees_within(&mut self.budget, *call, stack);
            calls.push((*call, kept.map_or(*callees, |kept| kept & callees)));
        }
        let (solver, conditions) = (self.graph.solver, &self.graph.conditions);
        let constants = conditions.known(solver, function, &self.walks.calls_of(stack));
        let mut dropped = conditions.dropped(solver, function, &constants);
        for (call, kept) in &calls {
            let library = entries.of_library.get(call);
            if let Some(library) = library.filter(|library| kept & library.targets == 0) {
                dropped.extend(&library.flows);
            }
        }
        dropped.sort_unstable();
        dropped.dedup();
        let gone: FxHashSet<u32> = conditions
            .calls_dropped(solver, function, &constants)
            .into_iter()
            .collect();
        calls.retain(|(call, _)| !gone.contains(call));
        let mut gone: Vec<u32> = gone.into_iter().collect();
        gone.sort_unstable();
        calls.extend(gone.into_iter().map(|call| (call, 0)));
        let kept: FxHashMap<u32, u64> = calls.iter().copied().collect();
        let mut parts: Vec<Part> = calls.into_iter().map(|(call, kept)| Part::Calls(call, kept)).collect();
        let ways_in = entries.ways_in.get(&function).into_iter().flatten();
        let handed_on = entries.handed_on.get(&function).filter(|_| !constants.is_empty());
        if !dropped.is_empty() {
            parts.push(Part::Drops(Arc::new(dropped)));
        }
        for (call, callee) in ways_in.chain(handed_on.into_iter().flatten()) {
            if kept.get(call).is_some_and(|kept| self.is_gone(*kept, *call, *callee)) {
                continue;
            }
            let entered = self.entered(*call, stack, *callee, depth + 1);
            if entered != Contexts::base(*callee) {
                parts.push(Part::Enters(*call, *callee, entered));
            }
        }
        parts
    }

    /// Whether a call that calls these of its targets does not call this.
    fn is_gone(&self, kept: u64, call: u32, callee: FunctionIndex) -> bool {
        let targets = self.graph.solver.calls[call as usize].targets.iter().enumerate();
        let mut own = targets.filter(|(_, target)| end_of(target) == Some(End::Function(callee)));
        own.clone().next().is_some() && !own.any(|(index, _)| is_in(kept, index))
    }

    fn intern(&mut self, function: FunctionIndex, parts: Vec<Part>) -> Instance {
        let key = (function, parts);
        if let Some(known) = self.interned.get(&key) {
            return *known;
        }
        let count = self.counts.entry(function).or_default();
        if *count >= INSTANCE_LIMIT {
            return Contexts::base(function);
        }
        *count += 1;
        let functions = self.graph.solver.program.functions.len();
        let instance = Instance((functions + self.found.instances.len()) as u32);
        self.found.instances.push(key.clone());
        self.interned.insert(key, instance);
        instance
    }
}
