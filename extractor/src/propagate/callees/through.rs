//! Whom a call calls through what it calls: functions that were handed to another one, which calls them.
//!
//! ```python
//! def retry(step):
//!     def again(*given): return step(*given)      # calls `fetch`, and `store`
//!     return again
//! fetch, store = retry(fetch), retry(store)
//! fetch(url)                                      # calls `again`, and through it `fetch`, and not `store`
//! ```
//!
//! Of each function that calls what it was handed, every call is looked at by itself: what comes to the call inside where the function was
//! entered by that one. Where that is known of all of its calls, whoever asks for callers need not go through the function, which would
//! lead to the callers of all that anybody hands it.

use ripple_schema::{How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{ANYWHERE, FlowGraph, TARGET_LIMIT, Walks, end_of, is_in, maker_of};
use crate::facts::PlaceKind;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::edges::{CallEdge, End, given_by};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

/// Most functions, one called by the other, that a call is followed through.
const DEPTH_LIMIT: u8 = 3;

/// Most calls of a function for each of them to be looked at.
const WAY_LIMIT: usize = 2_000;

/// Most functions that a call may call through another one for all of them to be named, where it is not known which.
const GUESS_LIMIT: usize = 8;

/// Most calls of a function of which that is not known, where it is of the others, and most functions that each of them may call then.
const UNKNOWN_LIMIT: usize = 8;
const ALL_LIMIT: usize = 100;

/// Most places between what is called and what was handed over.
const PLACE_LIMIT: usize = 16;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Through {
    /// A call, and what it calls through what it calls.
    pub(super) calls: Vec<(u32, FunctionIndex)>,
    /// Calls of what was handed over, of which each is told where that was done.
    pub(super) told: FxHashSet<u32>,
    /// Calls that hand it on, told where it was handed over.
    pub(super) handed_on: FxHashSet<u32>,
}

impl Through {
    pub(super) fn and(mut self, other: Self) -> Self {
        self.calls.extend(other.calls);
        self.told.extend(other.told);
        self.handed_on.extend(other.handed_on);
        self
    }
}

/// The calls of functions that call what they were handed.
pub(super) struct Handed {
    /// Calls of what was handed over, with what is called, by the function that they are in.
    inside: FxHashMap<FunctionIndex, Vec<(u32, Vec<FunctionIndex>)>>,
    /// Calls of such functions that hand on what was handed over, by the function that they are in.
    handed_on: FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>>,
    /// The calls by which these are entered, in order.
    pub(super) entered: Vec<(FunctionIndex, Vec<(u32, How)>)>,
}

impl Handed {
    /// All that a function calls of what it was ever handed.
    fn all_called(&self, function: FunctionIndex) -> Vec<FunctionIndex> {
        let inside = self.inside.get(&function).into_iter().flatten();
        let mut all: Vec<FunctionIndex> = inside.flat_map(|(_, all)| all).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(super) fn new<'e>(graph: &FlowGraph<'_, '_>, calls: impl Iterator<Item = &'e CallEdge> + Clone) -> Self {
        let mut inside: FxHashMap<FunctionIndex, Vec<(u32, Vec<FunctionIndex>)>> = FxHashMap::default();
        let called_objects = called_objects(graph);
        for edge in calls.clone().filter(|edge| edge.rule == Rule::Propagated) {
            let End::Function(callee) = edge.target else { continue };
            let own = inside.entry(edge.function).or_default();
            match own.iter_mut().find(|(call, _)| *call == edge.call) {
                Some((_, callees)) => callees.push(callee),
                None if is_handed_over(graph, &called_objects, edge) => own.push((edge.call, vec![callee])),
                None => {}
            }
        }
        inside.retain(|_, calls| !calls.is_empty());
        let handed_on = handed_on(graph, &inside, calls.clone());
        let mut entered: FxHashMap<FunctionIndex, Vec<(u32, How)>> = FxHashMap::default();
        for edge in calls {
            if let End::Function(function) = edge.target
                && (inside.contains_key(&function) || handed_on.contains_key(&function))
            {
                entered.entry(function).or_default().push((edge.call, edge.how));
            }
        }
        let mut entered: Vec<_> = entered.into_iter().collect();
        entered.sort_unstable_by_key(|(function, _)| *function);
        Self {
            inside,
            handed_on,
            entered,
        }
    }
}

/// See [`Handed::handed_on`]: `return other(step)` in a function that is given `step`.
fn handed_on<'e>(
    graph: &FlowGraph<'_, '_>,
    inside: &FxHashMap<FunctionIndex, Vec<(u32, Vec<FunctionIndex>)>>,
    calls: impl Iterator<Item = &'e CallEdge> + Clone,
) -> FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>> {
    let solver = graph.solver;
    let mut found: FxHashMap<FunctionIndex, Vec<(u32, FunctionIndex)>> = FxHashMap::default();
    let mut wanted: FxHashSet<FunctionIndex> = inside.keys().copied().collect();
    for _ in 1..DEPTH_LIMIT {
        let mut new = FxHashSet::default();
        for edge in calls.clone() {
            let End::Function(callee) = edge.target else { continue };
            // `go func() { step() }()`: the closure has `step` from the function that makes it, and calls it there.
            let row = solver.calls.get(edge.call as usize);
            if row.is_some() && wanted.contains(&callee) && maker_of(solver.program, callee) == Some(edge.function) {
                found.entry(edge.function).or_default().push((edge.call, callee));
                new.insert(edge.function);
                continue;
            }
            if !matches!(edge.how, How::Direct | How::Method) {
                continue;
            }
            let is_one = row.is_some_and(|row| row.targets.len() == 1);
            if !wanted.contains(&callee) || callee == edge.function || !is_one {
                continue;
            }
            let given = solver.call_arguments(edge.call).iter().filter_map(|given| given.place);
            let is_function = |object: Object| matches!(object, Object::Function(_) | Object::Bound { .. });
            // Of one that is given a function of the caller's own, too, the caller is told.
            let functions = given.filter(|place| solver.held(*place).any(|(_, object)| is_function(object)));
            let functions: Vec<PlaceIndex> = functions.collect();
            if !functions.is_empty() && functions.iter().all(|place| is_given(graph, edge.function, *place)) {
                found.entry(edge.function).or_default().push((edge.call, callee));
                new.insert(edge.function);
            }
        }
        new.retain(|function| !inside.contains_key(function));
        wanted = new;
    }
    for calls in found.values_mut() {
        calls.sort_unstable();
        calls.dedup();
    }
    found
}

/// Methods by which objects are called: what is decorated by a class is kept in one.
fn called_objects(graph: &FlowGraph<'_, '_>) -> FxHashSet<FunctionIndex> {
    let calls = graph
        .solver
        .calls
        .iter()
        .filter(|row| !row.silent && row.how == How::Direct);
    let objects = calls.filter(|row| !graph.origins.load_of.contains_key(&row.callee));
    let methods = objects.flat_map(|row| &row.targets).filter_map(|target| match target {
        Target::Function {
            function,
            receiver: Some(_),
            ..
        } => Some(*function),
        _ => None,
    });
    methods.collect()
}

/// Whether what a call calls was handed to the function that it is in: by its caller, by whoever made it, or with the object that is called.
fn is_handed_over(graph: &FlowGraph<'_, '_>, called_objects: &FxHashSet<FunctionIndex>, edge: &CallEdge) -> bool {
    let solver = graph.solver;
    let Some(row) = solver.calls.get(edge.call as usize) else {
        return false;
    };
    if let Some(load) = graph.origins.load_of.get(&row.callee) {
        let kind = solver.program.place_kind(solver.loads[*load as usize].base);
        return kind == Some(PlaceKind::Receiver) && called_objects.contains(&row.function);
    }
    is_given(graph, row.function, row.callee)
}

/// Whether a value comes from the caller of the function that it is in, or from whoever made that.
fn is_given(graph: &FlowGraph<'_, '_>, function: FunctionIndex, place: PlaceIndex) -> bool {
    let (program, mut seen) = (&*graph.solver.program, FxHashSet::default());
    let mut open = vec![place];
    while let Some(place) = open.pop() {
        if !seen.insert(place) || seen.len() > PLACE_LIMIT {
            continue;
        }
        if program.place_kind(place) == Some(PlaceKind::Parameter) {
            return true;
        }
        for way in graph.into.of(place.at()) {
            let edge = graph.edges[*way as usize];
            match edge.from {
                End::Place(_) if edge.how == How::Capture => return true,
                End::Place(from) if program.owner_of(from) == Some(function) => open.push(from),
                _ => {}
            }
        }
    }
    false
}

impl Walks<'_, '_, '_> {
    /// Finds it of these functions.
    pub(super) fn through(&mut self, handed: &Handed, functions: &[(FunctionIndex, Vec<(u32, How)>)]) -> Through {
        let mut found = Through::default();
        for (function, ways) in functions.iter().filter(|(_, ways)| ways.len() <= WAY_LIMIT) {
            let known = ways.iter().map(|(call, how)| {
                let mut called = Vec::new();
                let stack = match how {
                    How::Callback => self.entered_outside(*call, *function),
                    _ if (*call as usize) < self.graph.solver.calls.len() => self.push(*call, ANYWHERE),
                    _ => self.entered_outside(*call, *function),
                };
                let stack = stack?;
                if !self.is_given_no_function(handed, *function, *call) {
                    self.called_in(handed, (*function, stack), 1, (&mut called, &mut vec![*function]))?;
                }
                called.sort_unstable();
                called.dedup();
                Some((*call, called))
            });
            let known: Vec<Option<(u32, Vec<FunctionIndex>)>> = known.collect();
            let left = known.iter().filter(|known| known.is_none()).count();
            // A call of which that is not known may call any of them, as far as the function itself calls them.
            let all = match left {
                0 => Vec::new(),
                _ if left > UNKNOWN_LIMIT || left == known.len() || handed.handed_on.contains_key(function) => continue,
                _ => handed.all_called(*function),
            };
            if left > 0 && (all.is_empty() || all.len() > ALL_LIMIT) {
                continue;
            }
            let known = known.into_iter().zip(ways);
            let called: Vec<_> = known
                .map(|(known, (call, _))| known.unwrap_or_else(|| (*call, all.clone())))
                .collect();
            let inside = handed.inside.get(function).into_iter().flatten();
            found.told.extend(inside.map(|(call, _)| *call));
            let handed_on = handed.handed_on.get(function).into_iter().flatten();
            found.handed_on.extend(handed_on.map(|(call, _)| *call));
            let pairs =
                |(call, called): (u32, Vec<FunctionIndex>)| called.into_iter().map(move |callee| (call, callee));
            found.calls.extend(called.into_iter().flat_map(pairs));
        }
        found
    }

    /// Whether a call gives library code alone for the parameter that a function calls, and that calls nothing else.
    fn is_given_no_function(&self, handed: &Handed, function: FunctionIndex, call: u32) -> bool {
        let solver = self.graph.solver;
        let inside = handed.inside.get(&function).into_iter().flatten();
        let mut called = inside.map(|(inside, _)| solver.parameter_at(solver.calls[*inside as usize].callee));
        let (Some(Some(parameter)), None) = (called.next(), called.next()) else {
            return false;
        };
        let is_own = solver.program.owner_of(parameter) == Some(function);
        if !is_own || handed.handed_on.contains_key(&function) || call as usize >= solver.calls.len() {
            return false;
        }
        let row = &solver.calls[call as usize];
        // What library code gives, and what nothing is known of, may be anything.
        let is_of_library = |(_, object): (_, Object)| match object {
            Object::External(name) => !solver.program.symbols.text(name).contains("()"),
            _ => false,
        };
        let mut given = Vec::new();
        for target in row.entries() {
            let Target::Function {
                function: entered,
                receiver,
                ..
            } = target
            else {
                return false;
            };
            if entered == function {
                given.extend(solver.arguments_given(call, entered, receiver.is_some()));
            }
        }
        let mut given = given.into_iter().filter(|(to, _)| *to == parameter).peekable();
        given.peek().is_some()
            && given.all(|(_, argument)| {
                let place = argument.and_then(|argument| argument.place);
                place.is_some_and(|place| !solver.contents(place).is_empty() && solver.held(place).all(is_of_library))
            })
    }

    /// What a function calls of what it was handed, and what that calls in turn; none where that are too many to be told.
    fn called_in(
        &mut self,
        handed: &Handed,
        (function, stack): (FunctionIndex, u32),
        depth: u8,
        (called, seen): (&mut Vec<FunctionIndex>, &mut Vec<FunctionIndex>),
    ) -> Option<()> {
        for (call, all) in handed.inside.get(&function).into_iter().flatten() {
            let callees = match self.handed(*call, stack, all) {
                Some(callees) => callees,
                None if all.len() <= GUESS_LIMIT => all.clone(),
                None => return None,
            };
            for callee in callees {
                if called.contains(&callee) {
                    continue;
                }
                called.push(callee);
                if depth < DEPTH_LIMIT
                    && let Some(stack) = self.push(*call, stack)
                {
                    self.called_in(handed, (callee, stack), depth + 1, (called, seen))?;
                }
            }
        }
        for (call, callee) in handed.handed_on.get(&function).into_iter().flatten() {
            if seen.contains(callee) {
                continue;
            }
            if depth == DEPTH_LIMIT {
                return None;
            }
            let stack = self.push(*call, stack)?;
            seen.push(*callee);
            self.called_in(handed, (*callee, stack), depth + 1, (called, seen))?;
        }
        Some(())
    }

    /// Which of these functions a call calls where its function was entered as the stack says; none where that is not known.
    fn handed(&mut self, call: u32, stack: u32, all: &[FunctionIndex]) -> Option<Vec<FunctionIndex>> {
        self.steps = super::STEP_LIMIT;
        let row = &self.graph.solver.calls[call as usize];
        if row.targets.len() <= TARGET_LIMIT {
            let kept = self.callees(call, stack, 0)?;
            let targets = row.targets.iter().enumerate().filter(|(index, _)| is_in(kept, *index));
            let ends: Vec<End> = targets.filter_map(|(_, target)| end_of(target)).collect();
            let callees = all
                .iter()
                .copied()
                .filter(|callee| ends.contains(&End::Function(*callee)));
            return Some(callees.collect());
        }
        let sought = self.origins(row.callee, stack, 0)?;
        let is_bound = |function: &FunctionIndex| {
            let mut found = sought.found.iter();
            found.any(|object| match self.graph.solver.objects.get(*object) {
                Object::Function(own) | Object::Bound { function: own, .. } => own == *function,
                _ => false,
            })
        };
        let is_it = |function: &FunctionIndex| sought.functions.contains(function) || is_bound(function);
        let callees: Vec<FunctionIndex> = all.iter().copied().filter(is_it).collect();
        (!callees.is_empty()).then_some(callees)
    }

    /// A stack for what library code enters that this call hands it: of a closure it is known what made it.
    fn entered_outside(&mut self, call: u32, function: FunctionIndex) -> Option<u32> {
        let stack = self.push(call, ANYWHERE)?;
        let solver = self.graph.solver;
        let closure = solver.objects.find(Object::Function(function));
        if let Some(closure) = closure.filter(|_| !self.makers.contains_key(&(stack, function))) {
            self.steps = super::STEP_LIMIT;
            let given: Vec<(PlaceIndex, u32)> = given_by(solver, call)
                .into_iter()
                .filter(|place| solver.slots[place.at()].holds(closure))
                .map(|place| (place, ANYWHERE))
                .collect();
            let candidates = std::iter::once(closure).collect();
            let thorough = std::mem::replace(&mut self.thorough, true);
            let sought = self.origins_of(candidates, &given, 1);
            self.thorough = thorough;
            let own = sought.into_iter().flat_map(|sought| sought.made);
            let mut stacks: Vec<u32> = own
                .filter(|(made, _)| *made == function)
                .map(|(_, stack)| stack)
                .collect();
            stacks.sort_unstable();
            stacks.dedup();
            self.makers
                .insert((stack, function), (!stacks.is_empty()).then_some(stacks));
        }
        Some(stack)
    }
}
