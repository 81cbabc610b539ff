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

use rustc_hash::{FxHashMap, FxHashSet};

use super::callees::{ANYWHERE, Walks, end_of, is_in};
use super::conditions::Pair;
use super::edges::End;
use crate::link::{FunctionIndex, PlaceIndex};

/// Most instances of a function beside its base.
const INSTANCE_LIMIT: usize = 16;

/// Most calls, one inside the other, through which a function is told apart.
const DEPTH_LIMIT: u8 = 3;

/// Most edges that are followed for all instances together, for each call that has several callees; and for all of them together.
const STEP_BUDGET: u64 = 600;
const LEAST_BUDGET: u64 = 20_000;

/// Most ways into functions that are looked at, for each function of the program: what is entered in more has none of its own.
const LOOK_BUDGET: u64 = 16;

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
    dropped: FxHashMap<Instance, Vec<Pair>>,
}

/// How one instance differs from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// The callees of a call, as a set of indices of its targets.
    Calls(u32, u64),
    /// What a call enters.
    Enters(u32, FunctionIndex, Instance),
    /// The flows that do not happen, by their number among all such sets.
    Drops(u32),
}

impl Contexts {
    /// Finds the instances. `base` are the callees of each call that has several, by anybody's doing.
    pub(super) fn find(walks: &mut Walks<'_, '_>, base: &[(u32, u64)]) -> Self {
        let solver = walks.solver;
        let contexts = Self {
            functions: solver.program.functions.len() as u32,
            callers: solver.calls.iter().map(|row| row.function).collect(),
            is_told: vec![false; solver.calls.len()],
            ..Self::default()
        };
        let looks = LEAST_BUDGET + LOOK_BUDGET * walks.solver.program.functions.len() as u64;
        let mut finder = Finder {
            walks,
            contexts,
            own: FxHashMap::default(),
            ways_in: FxHashMap::default(),
            known: FxHashMap::default(),
            interned: FxHashMap::default(),
            bases: FxHashMap::default(),
            budget: LEAST_BUDGET + STEP_BUDGET * base.len() as u64,
            looks,
            handed_on: FxHashMap::default(),
            drops: Vec::new(),
            drop_ids: FxHashMap::default(),
            calls_of_values: FxHashMap::default(),
        };
        finder.find_ways_in(base);
        finder.find_constants();
        finder.tell_apart();
        finder.contexts
    }

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
        self.dropped.values().flatten().copied().collect()
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

struct Finder<'w, 's, 'p> {
    walks: &'w mut Walks<'s, 'p>,
    contexts: Contexts,
    /// Calls with several callees, by the function that they are in, with what they call by anybody's doing.
    own: FxHashMap<FunctionIndex, Vec<(u32, u64)>>,
    /// Calls that bring what others call, by the function that they are in, with the function that they bring it to.
    ways_in: FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>>,
    /// The instance of a function that was entered in this way.
    known: FxHashMap<(FunctionIndex, u32), Instance>,
    interned: FxHashMap<(FunctionIndex, Vec<Part>), Instance>,
    bases: FxHashMap<FunctionIndex, Vec<Part>>,
    budget: u64,
    /// How many more ways into functions are looked at.
    looks: u64,
    /// Calls that hand on a parameter which their callee asks for, by the function that they are in.
    handed_on: FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>>,
    /// Sets of flows that do not happen.
    drops: Vec<Vec<Pair>>,
    drop_ids: FxHashMap<Vec<Pair>, u32>,
    /// Calls in functions that ask for constants, by their values.
    calls_of_values: FxHashMap<PlaceIndex, u32>,
}

impl Finder<'_, '_, '_> {
    /// Through which calls the callees of other calls come to where they are called.
    fn find_ways_in(&mut self, base: &[(u32, u64)]) {
        let mut seen = FxHashSet::default();
        for (call, callees) in base {
            let Some(crossed) = self.walks.ways_in(*call) else {
                continue;
            };
            self.own
                .entry(self.contexts.callers[*call as usize])
                .or_default()
                .push((*call, *callees));
            for (through, to) in crossed {
                let (Some(caller), Some(callee)) = (self.contexts.caller(through), self.owner(to)) else {
                    continue;
                };
                if seen.insert((through, callee)) {
                    self.ways_in.entry(caller).or_default().push((through, callee));
                }
            }
        }
    }

    /// Through which calls constants come to functions that ask for them.
    fn find_constants(&mut self) {
        let solver = self.walks.solver;
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            if self.walks.conditions.has_flows(row.function) {
                let values = solver.call_results(call as u32).iter();
                self.calls_of_values.extend(values.map(|value| (*value, call as u32)));
            }
        }
        for (call, callee, is_constant) in self.walks.conditions.calls() {
            let Some(caller) = self.contexts.caller(call) else {
                continue;
            };
            let ways = match is_constant {
                true => &mut self.ways_in,
                false => &mut self.handed_on,
            };
            let ways = ways.entry(caller).or_default();
            if !ways.contains(&(call, callee)) {
                ways.push((call, callee));
            }
        }
    }

    fn owner(&self, place: PlaceIndex) -> Option<FunctionIndex> {
        self.walks.solver.program.owner_of(place)
    }

    fn tell_apart(&mut self) {
        let mut ways_in: Vec<_> = self
            .ways_in
            .iter()
            .flat_map(|(caller, ways)| ways.iter().map(move |way| (*caller, *way)))
            .collect();
        ways_in.sort_unstable();
        for (caller, (call, callee)) in ways_in {
            let entered = self.entered(call, ANYWHERE, callee, 1);
            if entered != Contexts::base(callee) {
                self.contexts
                    .note((Contexts::base(caller), call, callee), Some(entered));
            }
        }
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
        self.looks = self.looks.saturating_sub(1);
        let mut parts = Vec::new();
        for (call, callees) in self.own.get(&function).cloned().unwrap_or_default() {
            let kept = self.walks.callees_within(&mut self.budget, call, stack);
            parts.push(Part::Calls(call, kept.map_or(callees, |kept| kept & callees)));
        }
        let solver = self.walks.solver;
        let constants = self
            .walks
            .conditions
            .known(solver, function, &self.walks.calls_of(stack));
        let dropped = self.walks.conditions.dropped(solver, function, &constants);
        for call in self.walks.conditions.calls_dropped(solver, function, &constants) {
            parts.retain(|part| !matches!(part, Part::Calls(of, _) if *of == call));
            parts.push(Part::Calls(call, 0));
        }
        let mut ways_in = self.ways_in.get(&function).cloned().unwrap_or_default();
        if !constants.is_empty() {
            ways_in.extend(self.handed_on.get(&function).into_iter().flatten());
        }
        if !dropped.is_empty() {
            let next = self.drops.len() as u32;
            let index = *self.drop_ids.entry(dropped).or_insert_with_key(|dropped| {
                self.drops.push(dropped.clone());
                next
            });
            parts.push(Part::Drops(index));
        }
        for (call, callee) in ways_in {
            if parts.iter().any(|part| self.is_gone(part, call, callee)) {
                continue;
            }
            let entered = self.entered(call, stack, callee, depth + 1);
            if entered != Contexts::base(callee) {
                parts.push(Part::Enters(call, callee, entered));
            }
        }
        parts
    }

    /// Whether a part says that a call does not call this.
    fn is_gone(&self, part: &Part, call: u32, callee: FunctionIndex) -> bool {
        let Part::Calls(of, kept) = *part else { return false };
        let targets = self.walks.solver.calls[call as usize].targets.iter().enumerate();
        let mut own = targets.filter(|(_, target)| end_of(target) == Some(End::Function(callee)));
        of == call && own.clone().next().is_some() && !own.any(|(index, _)| is_in(kept, index))
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
                Part::Drops(index) => {
                    let dropped = self.drops[index as usize].clone();
                    // What a call gives that is not handed on here.
                    let calls = dropped.iter().filter_map(|(from, _)| self.calls_of_values.get(from));
                    contexts.held_back.extend(calls);
                    contexts.dropped.insert(instance, dropped);
                }
                // What a call does not call, it does not enter.
                Part::Enters(call, callee, entered) => {
                    let known = contexts.enters.get(&(instance, call, callee)).copied();
                    contexts.note((instance, call, callee), known.unwrap_or(Some(entered)));
                }
                Part::Calls(call, kept) => {
                    let targets = &self.walks.solver.calls[call as usize].targets;
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
