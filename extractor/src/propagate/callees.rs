//! Which of the functions that a call may call really come to it: along the edges, backward, calls matched with returns.
//!
//! ```python
//! def make(kind): return kind()
//! make(Box).go()             # not `Bag.go`: what came to `kind` by way of this call is `Box`
//! left, right = Work(one), Work(two)
//! left.step()                # not `two`: that is in the cell of another object
//! ```
//!
//! The engine finds what may come to a callee by anybody's doing. Where that are several, the edges say more: they tell objects,
//! calls and the order of writes apart. So the value that is called is followed backward from each such call, with the calls
//! through which it came out on a stack, since it has to go in through the same ones (demand-driven and context-sensitive, after
//! Sridharan and Bodik 2006); calls on the way are themselves looked at with that stack. An object that no edge brings to where
//! it is counts as having come from there, so that what edges don't tell is not lost. A walk that takes too long changes nothing.

mod called;
mod chosen;
mod flow_graph;
mod origins;
mod outside;
mod stacks;
mod standing;
mod through;

use std::sync::Arc;

use rayon::prelude::*;
use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::conditions::Pair;
use super::contexts::{self, Contexts};
use super::edges::{self, CallEdge, End, Flows, ValueEdge};
use super::object::{Object, ObjectId};
use super::solve::{CallRow, Solver, Target};
use crate::facts::PlaceKind;
use crate::link::{FunctionIndex, PlaceIndex, Program};

pub(super) use flow_graph::FlowGraph;
pub(super) use origins::Origins;
use standing::Standing;
use through::{Handed, Through};

/// Most edges that one call is followed along.
const STEP_LIMIT: u32 = 600;

/// Most edges into one place: behind more, it is what everybody puts there.
const WIDTH_LIMIT: usize = 200;

/// The same where it is known by which call the function was entered: all others are passed over, which costs a part of a step.
const WIDTH_LIMIT_WITHIN: usize = 1_000;
const PASSED_OVER: usize = 4;

/// Most calls that a value comes out of, one inside the other.
const STACK_LIMIT: u8 = 6;

/// Most calls whose callee has to be known for that of another.
const DEPTH_LIMIT: u8 = 4;

/// Most callees of a call that is looked at.
pub(super) const TARGET_LIMIT: usize = 32;

/// Cells of which not all edges are told, and what reads parts of which all are.
type Cells<'s> = (&'s FxHashSet<PlaceIndex>, &'s FxHashSet<PlaceIndex>);

/// No call: anybody may have put the value in.
pub(super) const ANYWHERE: u32 = 0;

/// The values that are used, and those of them that are only called: these count as used so that there are edges to follow. A member that is
/// called is found by its owner.
pub(super) fn used_places(solver: &Solver<'_>) -> (Vec<bool>, FxHashSet<PlaceIndex>) {
    let mut used = edges::used_places(solver);
    let members: FxHashSet<PlaceIndex> = solver.loads.iter().map(|row| row.to).collect();
    let calls = solver.calls.iter().enumerate();
    let wanted = calls.filter(|(call, row)| {
        let is_member = members.contains(&row.callee);
        !is_member && is_wanted(solver, *call as u32) || calls_closure(solver, row)
    });
    let mut called = FxHashSet::default();
    for callee in wanted.map(|(_, row)| row.callee) {
        if let Some(used) = used.get_mut(callee.at()).filter(|used| !**used) {
            *used = true;
            called.insert(callee);
        }
    }
    (used, called)
}

/// Takes away the callees that do not come to their call, with what is handed to them and given by them, and the edges that were
/// only made to be followed here.
///
/// Gives what calls call by how their functions were entered.
pub(super) fn narrow(
    (solver, origins): (&Solver<'_>, Origins),
    cells: Cells<'_>,
    flows: &mut Flows,
    called: &FxHashSet<PlaceIndex>,
) -> Contexts {
    let Narrowed {
        dropped,
        of_types,
        contexts,
        through,
    } = narrowed((solver, origins), cells, flows);
    flows
        .calls
        .retain(|edge| of_types.contains(&edge.call) || !dropped.contains(&(edge.call, edge.target)));
    call_through(flows, &through);
    let goes = |call: u32, inside: End| {
        let End::Place(place) = inside else { return false };
        let function = solver.program.owner_of(place);
        function.is_some_and(|function| dropped.contains(&(call, End::Function(function))))
    };
    let is_call = |place: &PlaceIndex| solver.program.place_kind(*place) == Some(PlaceKind::CallValue);
    let given: FxHashSet<PlaceIndex> = called.iter().copied().filter(is_call).collect();
    let is_for_this = |edge: &ValueEdge| {
        let End::Place(to) = edge.to else { return false };
        given.contains(&to) || edge.how == How::Reference && called.contains(&to)
    };
    flows.values.retain(|edge| {
        !is_for_this(edge)
            && match edge.kind {
                EdgeKind::PassesTo => dropped.is_empty() || !goes(edge.call, edge.to),
                EdgeKind::ReturnsTo => dropped.is_empty() || !goes(edge.call, edge.from),
                _ => true,
            }
    });
    contexts
}

/// What is called by way of others, as edges.
fn call_through(flows: &mut Flows, through: &Through) {
    let mut sites: FxHashMap<u32, CallEdge> = FxHashMap::default();
    for edge in &mut flows.calls {
        if edge.rule == Rule::Propagated && through.told.contains(&edge.call) {
            edge.how = How::Handed;
        }
        sites.entry(edge.call).or_insert(*edge);
    }
    for (call, callee) in &through.calls {
        if let Some(edge) = sites.get(call) {
            let is_handed_on = through.handed_on.contains(call);
            flows.through.push(CallEdge {
                target: End::Function(*callee),
                rule: Rule::Propagated,
                how: if is_handed_on { How::Handed } else { edge.how },
                ..*edge
            });
        }
    }
}

/// What the walks say of calls.
struct Narrowed {
    /// Callees that do not come to their call.
    dropped: FxHashSet<(u32, End)>,
    /// Calls of which only what flows is narrowed, since their types say whom they may call.
    of_types: FxHashSet<u32>,
    /// What the others are by context.
    contexts: Contexts,
    /// What is called by way of others.
    through: Through,
}

fn narrowed((solver, origins): (&Solver<'_>, Origins), cells: Cells<'_>, flows: &Flows) -> Narrowed {
    let mut dropped: FxHashSet<(u32, End)> = FxHashSet::default();
    let mut of_types: FxHashSet<u32> = FxHashSet::default();
    let wanted: Vec<u32> = (0..solver.calls.len() as u32)
        .filter(|call| is_wanted(solver, *call))
        .collect();
    let graph = FlowGraph::new((solver, origins), cells, flows);
    let mut walks: Vec<Walks<'_, '_, '_>> = (0..SHARES).map(|_| Walks::new(&graph)).collect();
    let shares = walks.par_iter_mut().zip(share(&wanted));
    let looked_at: Vec<Vec<LookedAt>> = shares
        .map(|(walks, calls)| calls.iter().filter_map(|call| walks.look_at(*call)).collect())
        .collect();
    let mut makers = None;
    let is_method = |target: &Target| matches!(target, Target::Function { receiver: Some(_), .. });
    // What a structure embeds is told by that structure.
    let embedded = solver.asked_of_embedded();
    for LookedAt { call, kept, .. } in looked_at.iter().flatten() {
        let row = &solver.calls[*call as usize];
        let targets = &row.targets;
        // What is only declared may be any of them.
        let is_declared = |target: &Target| match target {
            Target::Function {
                receiver: Some(receiver),
                ..
            } => matches!(solver.objects.get(*receiver), Object::AnyOf(_)),
            _ => false,
        };
        if !solver.untyped.contains(&row.file) && targets.iter().any(is_declared) {
            continue;
        }
        let ends = |keeps: bool| {
            let targets = targets.iter().enumerate();
            targets.filter(move |(index, _)| is_in(*kept, *index) == keeps)
        };
        let stay: Vec<End> = ends(true).filter_map(|(_, target)| end_of(target)).collect();
        let go = ends(false).filter_map(|(_, target)| end_of(target));
        let before = dropped.len();
        dropped.extend(go.filter(|end| !stay.contains(end)).map(|end| (*call, end)));
        let is_typed = !solver.untyped.contains(&row.file) && !embedded.contains(&row.callee);
        if dropped.len() > before && is_typed && targets.iter().any(is_method) {
            let makers = makers.get_or_insert_with(|| graph.makers_of_values());
            if graph.is_from_outside(makers, *call) {
                of_types.insert(*call);
            }
        }
    }
    let contexts = contexts::find(&graph, &mut walks, &looked_at);
    let stay = |edge: &&CallEdge| of_types.contains(&edge.call) || !dropped.contains(&(edge.call, edge.target));
    let handed = Handed::new(&graph, flows.calls.iter().filter(stay));
    let shares = walks.par_iter_mut().zip(share(&handed.entered));
    let found: Vec<Through> = shares
        .map(|(walks, functions)| walks.through(&handed, functions))
        .collect();
    let through = found.into_iter().fold(Through::default(), Through::and);
    Narrowed {
        dropped,
        of_types,
        contexts,
        through,
    }
}

/// The work of walks is cut into so many shares, whatever the machine: what one share knows already costs it no steps, so that who
/// shares with whom must not depend on that.
pub(super) const SHARES: usize = 2;

/// Consecutive shares.
pub(super) fn share<T: Sync>(all: &[T]) -> impl IndexedParallelIterator<Item = &[T]> {
    (0..SHARES).into_par_iter().map(|share| {
        let ends = [share, share + 1].map(|share| all.len() * share / SHARES);
        &all[ends[0]..ends[1]]
    })
}

/// What was found of a call.
pub(super) struct LookedAt {
    pub(super) call: u32,
    /// Its callees by anybody's doing, as a set of indices of its targets.
    pub(super) kept: u64,
    /// By which calls, to which places, these may come into functions; none where it has not several, and where that takes too long.
    pub(super) ways_in: Option<Vec<(u32, PlaceIndex)>>,
}

/// Whether a call has several callees that edges may tell apart.
fn is_wanted(solver: &Solver<'_>, call: u32) -> bool {
    let row = &solver.calls[call as usize];
    if partial_of(solver, call).is_some() {
        return !row.silent && row.targets.len() <= TARGET_LIMIT;
    }
    let ends = row.targets.iter().filter(|target| end_of(target).is_some()).count();
    // What a partial application calls is the target of a call of its own.
    let or_else =
        || holds_partial(solver, row.callee) || solver.made_calls.is_optional(call) || holds_library(solver, row);
    let several = ends > 1 || ends == 1 && or_else();
    // Nothing brings what only stands for others.
    let stands_for_more = || {
        row.targets.iter().any(|target| match target {
            Target::Function { base: Some(base), .. } => solver.holds_more(*base),
            _ => false,
        })
    };
    several && !row.silent && row.targets.len() <= TARGET_LIMIT && !stands_for_more()
}

/// Whether a function of library code is among what may be called.
fn holds_library(solver: &Solver<'_>, row: &CallRow) -> bool {
    let mut held = solver.held(row.callee);
    held.any(|(_, object)| matches!(object, Object::External(name) if row.targets.contains(&Target::External(name))))
}

fn holds_partial(solver: &Solver<'_>, callee: PlaceIndex) -> bool {
    let mut held = solver.held(callee);
    held.any(|(_, object)| matches!(object, Object::Partial(_)))
}

/// For a call that a partial application stands behind: where that is called, and which it is, if that may be others as well.
fn partial_of(solver: &Solver<'_>, call: u32) -> Option<(PlaceIndex, ObjectId)> {
    let (outer, made) = solver.partial_calls.get(&call)?;
    let [made] = made.as_slice() else { return None };
    let callee = solver.calls[*outer as usize].callee;
    let several = solver.contents(callee).len() > 1;
    let partial = solver.objects.find(Object::Partial(*made)).filter(|_| several)?;
    Some((callee, partial))
}

/// Whether a call calls a function that sees variables of another one.
fn calls_closure(solver: &Solver<'_>, row: &CallRow) -> bool {
    let is_closure = |target: &Target| match target {
        Target::Function { function, .. } => is_closure(solver.program, *function),
        _ => false,
    };
    !row.silent && row.targets.len() <= TARGET_LIMIT && row.targets.iter().any(is_closure)
}

/// Whether a function is made by another one.
fn is_closure(program: &Program, function: FunctionIndex) -> bool {
    maker_of(program, function).is_some()
}

/// The function that makes this one, if it is not the body of a file.
pub(in crate::propagate) fn maker_of(program: &Program, function: FunctionIndex) -> Option<FunctionIndex> {
    let parent = program.function_facts(function).parent.filter(|parent| parent.0 != 0)?;
    Some(program.function(program.functions[function.at()].file, parent))
}

/// What a callee is to a call's edges; none for what is not of the index.
pub(super) fn end_of(target: &Target) -> Option<End> {
    match target {
        Target::Function { function, .. } | Target::Constructor { function, .. } => Some(End::Function(*function)),
        Target::Class(class) => Some(End::Type(*class)),
        _ => None,
    }
}

pub(super) fn is_in(set: u64, index: usize) -> bool {
    set & (1 << index) != 0
}

/// What a walk looks for, and what it has found.
#[derive(Debug, Default)]
struct Sought {
    /// What may be found.
    candidates: Candidates,
    /// What comes from somewhere.
    found: FxHashSet<ObjectId>,
    /// Functions that are named somewhere.
    functions: FxHashSet<FunctionIndex>,
    /// Closures that are made somewhere, and how the function that makes them was entered.
    made: Vec<(FunctionIndex, u32)>,
    /// Whether something else was seen to come.
    is_other: bool,
}

type Candidates = SmallVec<[ObjectId; 8]>;

/// Places to go to, each with how its function was entered.
type Open = SmallVec<[(PlaceIndex, u32); 16]>;

/// Most steps of a walk whose set is kept for the next: to empty a large one takes longer than to make one.
const SPARE_LIMIT: usize = 128;

/// Walks backward along the edges, from what is called.
pub(super) struct Walks<'g, 's, 'p> {
    graph: &'g FlowGraph<'s, 'p>,
    /// (call on top, the rest, how many)
    stacks: Vec<(u32, u32, u8)>,
    stack_ids: FxHashMap<(u32, u32), u32>,
    /// The callees of calls that were looked at; none while that is being done, and where it is not known.
    known: FxHashMap<(u32, u32), Option<u64>>,
    steps: u32,
    /// Sets of what walks have seen that are done.
    spare: Vec<FxHashSet<(PlaceIndex, u32)>>,
    /// How the maker of the closure was entered that the call on top of a stack calls.
    makers: FxHashMap<(u32, FunctionIndex), Option<Vec<u32>>>,
    /// The flows that do not happen in a function, by how it was entered.
    ruled_out: FxHashMap<(FunctionIndex, u32), Arc<Vec<Pair>>>,
    /// Whether all ways are followed, and not only until all is found.
    thorough: bool,
    /// Where somebody wants to know it: the calls, with the places in their callees, by which a value came from anywhere.
    crossed: Option<Vec<(u32, PlaceIndex)>>,
    /// Whether those count, too, by which something else comes: nothing may be called then.
    optional: bool,
}

impl<'g, 's, 'p> Walks<'g, 's, 'p> {
    fn new(graph: &'g FlowGraph<'s, 'p>) -> Self {
        Self {
            graph,
            stacks: vec![(u32::MAX, ANYWHERE, 0)],
            stack_ids: FxHashMap::default(),
            known: FxHashMap::default(),
            steps: 0,
            spare: Vec::new(),
            makers: FxHashMap::default(),
            ruled_out: FxHashMap::default(),
            thorough: false,
            crossed: None,
            optional: false,
        }
    }

    /// What comes to a call by anybody's doing; none where that takes too long.
    fn look_at(&mut self, call: u32) -> Option<LookedAt> {
        self.steps = STEP_LIMIT;
        let kept = self.callees(call, ANYWHERE, 0)?;
        let solver = self.graph.solver;
        let is_open =
            kept.count_ones() > 1 || partial_of(solver, call).is_some() || solver.made_calls.is_optional(call);
        let ways_in = if is_open { self.ways_in(call) } else { None };
        Some(LookedAt { call, kept, ways_in })
    }

    /// As [`Self::callees`], on a budget that many walks share; none once it is used up.
    pub(super) fn callees_within(&mut self, budget: &mut u64, call: u32, stack: u32) -> Option<u64> {
        self.steps = STEP_LIMIT.min(*budget as u32);
        let before = self.steps;
        let kept = self.callees(call, stack, 0);
        *budget -= u64::from(before - self.steps);
        kept
    }

    /// See [`LookedAt::ways_in`].
    fn ways_in(&mut self, call: u32) -> Option<Vec<(u32, PlaceIndex)>> {
        self.steps = STEP_LIMIT;
        self.crossed = Some(Vec::new());
        self.optional = self.graph.solver.made_calls.is_optional(call);
        self.thorough = true;
        let kept = self.kept(call, ANYWHERE, 0);
        self.thorough = false;
        let crossed = self.crossed.take();
        kept.and(crossed)
    }

    /// The callees of a call, as a set of indices of its targets, where its function was entered as the stack says; none where
    /// that is not known.
    fn callees(&mut self, call: u32, stack: u32, depth: u8) -> Option<u64> {
        if let Some(known) = self.known.get(&(call, stack)) {
            return *known;
        }
        let row = &self.graph.solver.calls[call as usize];
        if depth > DEPTH_LIMIT || row.targets.len() > TARGET_LIMIT {
            return None;
        }
        self.known.insert((call, stack), None);
        let kept = self.kept(call, stack, depth);
        if kept.is_some() || self.steps > 0 {
            self.known.insert((call, stack), kept);
        } else {
            self.known.remove(&(call, stack));
        }
        kept
    }

    /// Where what a place holds comes from; none where that takes too long.
    fn origins(&mut self, start: PlaceIndex, stack: u32, depth: u8) -> Option<Sought> {
        self.origins_of(self.candidates(start), &[(start, stack)], depth)
    }

    /// What a place holds that is called, or has what is called.
    fn candidates(&self, place: PlaceIndex) -> Candidates {
        let solver = self.graph.solver;
        let is_candidate = |object: Object| {
            matches!(
                object,
                Object::Function(_)
                    | Object::Bound { .. }
                    | Object::Class(_)
                    | Object::Instance(_)
                    | Object::AnyOf(_)
                    | Object::Partial(_)
                    | Object::Package(_)
            )
        };
        let held = solver.held(place).filter(|(_, object)| is_candidate(*object));
        held.map(|(id, _)| id).collect()
    }

    /// Where these objects come from that are in some places.
    fn origins_of(&mut self, candidates: Candidates, starts: &[(PlaceIndex, u32)], depth: u8) -> Option<Sought> {
        let mut sought = Sought {
            candidates,
            ..Sought::default()
        };
        let mut seen = self.spare.pop().unwrap_or_default();
        seen.extend(starts);
        let found = self.follow(Open::from_slice(starts), depth, &mut sought, &mut seen);
        if seen.len() <= SPARE_LIMIT {
            seen.clear();
            self.spare.push(seen);
        }
        found.map(|()| sought)
    }

    /// Follows the edges back, until all is found or nothing is left; none where that takes too long.
    fn follow(
        &mut self,
        mut open: Open,
        depth: u8,
        sought: &mut Sought,
        seen: &mut FxHashSet<(PlaceIndex, u32)>,
    ) -> Option<()> {
        while let Some((place, stack)) = open.pop() {
            if !self.thorough && self.is_complete(sought) {
                break;
            }
            let standing = self.graph.standing[place.at()];
            if standing.is_made() {
                self.made_at(place, stack, depth, sought);
            }
            self.step_back((place, standing), stack, depth, sought, |next| {
                if seen.insert(next) {
                    open.push(next);
                }
            })?;
        }
        Some(())
    }

    /// Whether all that there is has been found.
    fn is_complete(&self, sought: &Sought) -> bool {
        sought.candidates.iter().all(|object| {
            sought.found.contains(object)
                || match self.graph.solver.objects.get(*object) {
                    Object::Function(function) => sought.functions.contains(&function),
                    _ => false,
                }
        })
    }

    /// Instances that are made by a call.
    fn made_at(&mut self, place: PlaceIndex, stack: u32, depth: u8, sought: &mut Sought) {
        let graph = self.graph;
        for call in graph.origins.makes.get(&place).into_iter().flatten() {
            let targets = &graph.solver.calls[*call as usize].targets;
            let kept = match targets.len() {
                1 => None,
                _ => self.callees(*call, stack, depth + 1),
            };
            for (index, target) in targets.iter().enumerate() {
                let (Target::Constructor { class, .. } | Target::Class(class)) = target else {
                    continue;
                };
                if kept.is_none_or(|kept| is_in(kept, index)) {
                    let is_one = |id: &&ObjectId| matches!(self.graph.solver.objects.get(**id), Object::Instance(own) if own == *class);
                    sought.found.extend(sought.candidates.iter().find(is_one));
                }
            }
        }
    }

    /// Follows the edges into a place.
    fn step_back(
        &mut self,
        (place, standing): (PlaceIndex, Standing),
        stack: u32,
        depth: u8,
        sought: &mut Sought,
        mut go: impl FnMut((PlaceIndex, u32)),
    ) -> Option<()> {
        let (graph, solver) = (self.graph, self.graph.solver);
        let ways = self.graph.into.of(place.at()).len();
        // Of what all its callers give a function, that of one is looked for.
        let (most, cost) = match stack == ANYWHERE {
            true => (WIDTH_LIMIT, ways),
            false => (
                WIDTH_LIMIT_WITHIN,
                if ways > WIDTH_LIMIT { ways / PASSED_OVER } else { ways },
            ),
        };
        if ways > most || standing.is_incomplete() {
            return None;
        }
        self.steps = self.steps.checked_sub(1 + cost as u32)?;
        let owner = standing.owner();
        // What is decorated may be called by callers that nobody sees.
        if standing.is_decorated()
            && stack == ANYWHERE
            && let Some(seen) = graph.origins.decorated.get(&place)
        {
            for call in &seen.calls {
                go((seen.variable, self.push(*call, ANYWHERE)?));
            }
            if seen.by_others {
                go((seen.variable, ANYWHERE));
            }
        }
        // What the edges bring here, be it by another call than those on the stack.
        let mut brought = Candidates::new();
        let mut brings_all = standing.is_told();
        for way in 0..ways {
            let edge = self.graph.edges[self.graph.into.of(place.at())[way] as usize];
            let from = match edge.from {
                End::Place(from) => from,
                End::Function(function) => {
                    sought.functions.insert(function);
                    if owner.is_some() && owner == maker_of(solver.program, function) {
                        sought.made.push((function, stack));
                    }
                    continue;
                }
                End::Type(class) => {
                    let is_one = |id: &&ObjectId| solver.objects.get(**id) == Object::Class(class);
                    sought.found.extend(sought.candidates.iter().find(is_one));
                    continue;
                }
                _ => continue,
            };
            let standing_of_from = self.graph.standing[from.at()];
            let is_cell = standing_of_from.is_cell();
            let comes_out = edge.kind == EdgeKind::ReturnsTo;
            // Of what is found under a key, callers that nobody sees may name any.
            let is_told = is_cell && !(stack == ANYWHERE && solver.handed_keys.found.contains(&from));
            // What a function hands back is not in its result.
            brings_all |= is_told || comes_out && standing_of_from.is_result();
            let slot = &solver.slots[from.at()];
            let before = brought.len();
            brought.extend(sought.candidates.iter().copied().filter(|object| slot.holds(*object)));
            // A container that is open carries its parts itself.
            let carries = || {
                slot.contents
                    .iter()
                    .any(|id| matches!(solver.objects.get(*id), Object::Container { .. }))
            };
            if !is_cell && !comes_out && brought.len() == before && !carries() {
                sought.is_other = true;
                if edge.kind == EdgeKind::PassesTo && stack == ANYWHERE && self.optional {
                    self.cross(edge.call, place);
                }
                continue;
            }
            if let Some(owner) =
                owner.filter(|_| stack != ANYWHERE && self.graph.conditions.is_conditional((from, place)))
                && self.ruled_out(owner, stack).binary_search(&(from, place)).is_ok()
            {
                continue;
            }
            let next = match edge.kind {
                EdgeKind::ReturnsTo => {
                    if !self.is_called(edge, stack, depth) {
                        continue;
                    }
                    self.push(edge.call, stack)?
                }
                EdgeKind::PassesTo if stack == ANYWHERE => {
                    if !self.is_entered(edge.call, place, depth) {
                        continue;
                    }
                    self.cross(edge.call, place);
                    ANYWHERE
                }
                EdgeKind::PassesTo => {
                    let (call, rest, _) = self.stacks[stack as usize];
                    if call != edge.call {
                        continue;
                    }
                    rest
                }
                // A field, a global, a variable of another function: anybody may have put it there.
                _ if owner.is_none() || standing_of_from.owner() != owner => {
                    if edge.how == How::Capture
                        && let Some(owner) = owner
                    {
                        for next in self.makers_of(place, (owner, standing_of_from.owner()), stack, depth) {
                            go((from, next));
                        }
                        continue;
                    }
                    ANYWHERE
                }
                _ => stack,
            };
            go((from, next));
        }
        if !brings_all {
            let contents = solver.contents(place);
            let candidates = sought.candidates.iter().copied();
            let own = candidates.filter(|object| {
                let is_made = standing.is_made() && matches!(solver.objects.get(*object), Object::Instance(_));
                !is_made && contents.contains(object) && !brought.contains(object)
            });
            sought.found.extend(own.collect::<Candidates>());
        }
        Some(())
    }

    /// A value comes to a place by a call, from anywhere.
    fn cross(&mut self, call: u32, place: PlaceIndex) {
        if let Some(crossed) = &mut self.crossed {
            crossed.push((call, place));
        }
    }

    /// How the function whose variable a closure sees may have been entered: the one around it, or around that.
    fn makers_of(
        &mut self,
        inside: PlaceIndex,
        (closure, function): (FunctionIndex, Option<FunctionIndex>),
        stack: u32,
        depth: u8,
    ) -> Vec<u32> {
        let mut stacks = self.makers(inside, closure, stack, depth);
        let mut maker = maker_of(self.graph.solver.program, closure);
        while let Some(around) = maker.filter(|maker| Some(*maker) != function) {
            let outer = stacks
                .iter()
                .flat_map(|stack| self.makers(inside, around, *stack, depth));
            stacks = outer.collect();
            stacks.sort_unstable();
            stacks.dedup();
            maker = maker_of(self.graph.solver.program, around);
        }
        stacks
    }

    /// How the function around a closure may have been entered when it made the closure that was called as the stack says.
    fn makers(&mut self, inside: PlaceIndex, closure: FunctionIndex, stack: u32, depth: u8) -> Vec<u32> {
        if stack == ANYWHERE {
            let calls = self.graph.origins.closure_calls.get(&closure).into_iter().flatten();
            if let Some(crossed) = &mut self.crossed {
                crossed.extend(calls.map(|call| (*call, inside)));
            }
            return vec![ANYWHERE];
        }
        if depth > DEPTH_LIMIT {
            return vec![ANYWHERE];
        }
        if let Some(known) = self.makers.get(&(stack, closure)) {
            return known.clone().unwrap_or_else(|| vec![ANYWHERE]);
        }
        self.makers.insert((stack, closure), None);
        let (call, rest, _) = self.stacks[stack as usize];
        let crossed = self.crossed.take();
        let thorough = std::mem::replace(&mut self.thorough, true);
        let closure_itself = self.graph.solver.objects.find(Object::Function(closure));
        let starts = self.callee_places(call, rest);
        let sought = self.origins_of(closure_itself.into_iter().collect(), &starts, depth + 1);
        (self.crossed, self.thorough) = (crossed, thorough);
        let Some(sought) = sought else {
            self.makers.remove(&(stack, closure));
            return vec![ANYWHERE];
        };
        let own = sought.made.into_iter().filter(|(made, _)| *made == closure);
        let mut stacks: Vec<u32> = own.map(|(_, stack)| stack).collect();
        stacks.sort_unstable();
        stacks.dedup();
        let known = (!stacks.is_empty()).then_some(stacks);
        self.makers.insert((stack, closure), known.clone());
        known.unwrap_or_else(|| vec![ANYWHERE])
    }

    /// The places that a call's callee is in; for a member, what its classes put there.
    fn callee_places(&self, call: u32, stack: u32) -> Vec<(PlaceIndex, u32)> {
        let (solver, callee) = (self.graph.solver, self.graph.solver.calls[call as usize].callee);
        let Some(load) = self
            .graph
            .origins
            .load_of
            .get(&callee)
            .map(|load| solver.loads[*load as usize])
        else {
            return vec![(callee, stack)];
        };
        let mut places = vec![(callee, stack)];
        for (_, object) in solver.held(load.base) {
            if let Object::Instance(class) | Object::AnyOf(class) | Object::Class(class) = object {
                let member = solver.program.find_member(class, load.member);
                let values = member.and_then(|member| solver.class_values.get(&member));
                places.extend(values.into_iter().flatten().map(|value| (*value, ANYWHERE)));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The flows of a function that do not happen where it was entered so, sorted.
    fn ruled_out(&mut self, function: FunctionIndex, stack: u32) -> Arc<Vec<Pair>> {
        if let Some(known) = self.ruled_out.get(&(function, stack)) {
            return known.clone();
        }
        let constants = self
            .graph
            .conditions
            .known(self.graph.solver, function, &self.calls_of(stack));
        let found = Arc::new(self.graph.conditions.dropped(self.graph.solver, function, &constants));
        self.ruled_out.insert((function, stack), found.clone());
        found
    }
}
