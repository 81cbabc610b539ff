//! Walks with a memory: what a value may come to, or come from, without ways that no run of the program takes.
//!
//! A value that goes into `trim` through one call does not come out of `trim` through another call. So a walk has phases: first *up*,
//! out of the functions it is in (`RETURNS_TO`), then *down*, into the functions it is given to (`PASSES_TO`), and never up again; what
//! comes back from below has an edge of its own, `SUMMARIZES`. This is the two-pass slice of Horwitz, Reps and Binkley (Interprocedural
//! slicing using dependence graphs, TOPLAS 1990).
//!
//! ```text
//! y = clean(x)        x -SUMMARIZES-> y, x -PASSES_TO-> clean.s, clean.result -RETURNS_TO-> y
//! z = clean(w)        from x: y and clean.s are reached, z is not
//! ```
//!
//! Where many fields come to one result, the result stands for them in the edges to the values of its calls. Who came into the callee by one of its
//! calls does not go along those; what comes in from a field does, since that is there for every call.
//!
//! With wholes ([`WHOLE_DOWN`]) a walk may first take parts out of what it follows (`UNPACKS_TO`), and last come to what holds it
//! (`PACKS_INTO`, and any flow from what is no whole into one). Never the one after the other: which part comes out of what something was put
//! into is told by flows of its own.
//!
//! ```text
//! URLS = [first]      first -PACKS_INTO-> URLS
//! url = URLS[i]       URLS -UNPACKS_TO-> url       from URLS: url; from first: URLS (and url by a flow)
//! ```
//!
//! What is put under a known key into something of which the contents are not known is not what is read from there under another: the two ways
//! have keys of their own, and where one of them was taken the other is not.
//!
//! ```text
//! df["x"] = v         v -> x (a key), v -> df         from v: x, df, and all that is done with the whole of df
//! w = df["y"]         y (a key) -> w, df -> w         and not w
//! ```
//!
//! The first way found to a place is a shortest one, and of the shortest ones the surest.

use ripple_graphdb::Net;
use ripple_graphdb::net::{Arrow, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, NodeKind, Rule};
use rustc_hash::FxHashSet;

use super::calls::CALLS;
use super::ground;
use crate::view::Ground;

/// What is walked along in one phase, and what leads to others.
#[derive(Debug, Clone, Copy)]
pub struct Phase {
    /// Edges within the phase.
    pub stay: EdgeKinds,
    /// Edges into others, by their numbers.
    pub advance: &'static [(EdgeKinds, u8)],
    /// Phases from which a walk comes to all that it comes to from this one: where they were, it need not go.
    pub covered_by: &'static [u8],
    /// What it is to what it reaches.
    pub holding: Holding,
    /// The phase that what puts a value into a whole leads to, instead of this one; nothing if nowhere.
    pub put: Option<u8>,
    /// The phase that what comes in from elsewhere leads to, instead of this one: out of a field, a global, another function's variable; nothing if
    /// nowhere.
    pub elsewhere: Option<u8>,
    /// The phase that the result of a callee leads to, where that stands for all that comes into it from elsewhere; nothing if the walk is in the
    /// callee by one of its calls, and would come out by another.
    pub result: Option<u8>,
    /// The phase that the call of a function leads to that was handed to the calling one; nothing if the walk does not go there, because it
    /// knows by other edges who did so.
    pub handed: Option<u8>,
    /// The phase that library code which takes a part out of something leads to; nothing if nowhere. It is one callee of many calls.
    pub taken_outside: Option<u8>,
    /// The phase that a whole leads to which is made around what is followed, and handed on; nothing if nowhere.
    pub handed_on: Option<u8>,
}

/// This very phase.
const SAME: u8 = u8::MAX;

/// What a walk follows: a value, parts of it, or what holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// The value.
    Value,
    /// A part of it; against the direction of the edges, what it is a part of.
    Part,
    /// What it is a part of; against the direction of the edges, a part of it.
    Whole,
}

impl Phase {
    /// The only one.
    pub const fn alone(stay: EdgeKinds) -> Self {
        Self {
            stay,
            advance: &[],
            covered_by: &[],
            holding: Holding::Value,
            put: Some(SAME),
            elsewhere: Some(SAME),
            result: Some(SAME),
            handed: Some(SAME),
            taken_outside: None,
            handed_on: None,
        }
    }

    const fn of(stay: EdgeKinds, advance: &'static [(EdgeKinds, u8)], covered_by: &'static [u8]) -> Self {
        Self {
            advance,
            covered_by,
            ..Self::alone(stay)
        }
    }

    const fn held(self, holding: Holding, put: Option<u8>) -> Self {
        Self { holding, put, ..self }
    }

    /// Inside of a function by one of its calls, until something comes in from elsewhere.
    const fn by_one_call(self, elsewhere: u8) -> Self {
        Self {
            elsewhere: Some(elsewhere),
            result: None,
            ..self
        }
    }

    /// Against the edges, what results that stand for others lead to, and there what comes from elsewhere does.
    const fn results(self, result: u8) -> Self {
        Self {
            result: Some(result),
            ..self
        }
    }

    const fn met_elsewhere(self, elsewhere: u8) -> Self {
        Self {
            elsewhere: Some(elsewhere),
            ..self
        }
    }

    const fn nowhere_else(self) -> Self {
        Self {
            elsewhere: None,
            ..self
        }
    }

    const fn handing_on(self, whole: u8) -> Self {
        Self {
            handed_on: Some(whole),
            ..self
        }
    }

    const fn outside(self, taken: u8) -> Self {
        Self {
            taken_outside: Some(taken),
            ..self
        }
    }
}

const FLOWS_AND_SUMMARIES: EdgeKinds = EdgeKinds::of(&[EdgeKind::FlowsTo, EdgeKind::Summarizes]);
pub(super) const PASSES: EdgeKinds = EdgeKinds::of(&[EdgeKind::PassesTo]);
const RETURNS: EdgeKinds = EdgeKinds::of(&[EdgeKind::ReturnsTo]);
const UNPACKS: EdgeKinds = EdgeKinds::of(&[EdgeKind::UnpacksTo]);
const PACKS: EdgeKinds = EdgeKinds::of(&[EdgeKind::PacksInto]);
/// Within a function and out of it, or into others.
const FLOWS: EdgeKinds = FLOWS_AND_SUMMARIES.and(PASSES).and(RETURNS);
/// What may bring something in from elsewhere.
const BRINGING: EdgeKinds = FLOWS_AND_SUMMARIES.and(UNPACKS).and(PACKS);
const RETURNING: EdgeKinds = FLOWS_AND_SUMMARIES.and(RETURNS);
const PASSING: EdgeKinds = FLOWS_AND_SUMMARIES.and(PASSES);

/// Where a value goes, and nothing of parts and wholes: up, then down. Down again, what comes in from elsewhere comes out to all callers.
pub const VALUE_DOWN: &[Phase] = &[
    Phase::of(RETURNING, &[(PASSES, 1)], &[]),
    Phase::of(PASSING, &[], &[0, 2]).by_one_call(2),
    Phase::of(FLOWS_AND_SUMMARIES, &[(PASSES, 1)], &[0]),
];

/// Where a value goes, or parts of it go, and what comes to hold it: up, then down.
pub const WHOLE_DOWN: &[Phase] = &[
    Phase::of(RETURNING, &[(PASSES, 1), (UNPACKS, 2), (PACKS, 4)], &[])
        .held(Holding::Value, Some(4))
        .outside(3),
    Phase::of(PASSING, &[(UNPACKS, 3), (PACKS, 5)], &[0, 6])
        .held(Holding::Value, Some(5))
        .by_one_call(6)
        .outside(3),
    Phase::of(RETURNING.and(UNPACKS), &[(PASSES, 3), (PACKS, 4)], &[0])
        .held(Holding::Part, Some(4))
        .outside(3),
    Phase::of(PASSING.and(UNPACKS), &[(PACKS, 5)], &[0, 1, 2, 6, 7])
        .held(Holding::Part, Some(5))
        .by_one_call(7)
        .outside(3),
    Phase::of(RETURNING.and(PACKS), &[(PASSES, 5)], &[0, 2]).held(Holding::Whole, Some(SAME)),
    Phase::of(PASSING.and(PACKS), &[], &[0, 1, 2, 3, 4, 6, 7, 8])
        .held(Holding::Whole, Some(SAME))
        .by_one_call(8),
    Phase::of(FLOWS_AND_SUMMARIES, &[(PASSES, 1), (UNPACKS, 7), (PACKS, 8)], &[0])
        .held(Holding::Value, Some(8))
        .outside(3),
    Phase::of(FLOWS_AND_SUMMARIES.and(UNPACKS), &[(PASSES, 3), (PACKS, 8)], &[0, 2, 6])
        .held(Holding::Part, Some(8))
        .outside(3),
    Phase::of(FLOWS_AND_SUMMARIES.and(PACKS), &[(PASSES, 5)], &[0, 2, 4, 6, 7]).held(Holding::Whole, Some(SAME)),
];

/// As [`WHOLE_DOWN`], without what comes to hold it: what changes with a part of a whole is told by flows, and not all that holds the whole does.
pub const PARTS_DOWN: &[Phase] = &[
    Phase::of(RETURNING, &[(PASSES, 1), (UNPACKS, 2)], &[])
        .held(Holding::Value, Some(4))
        .outside(3),
    Phase::of(PASSING, &[(UNPACKS, 3)], &[0, 6])
        .held(Holding::Value, Some(5))
        .by_one_call(6)
        .outside(3),
    Phase::of(RETURNING.and(UNPACKS), &[(PASSES, 3)], &[0])
        .held(Holding::Part, Some(4))
        .outside(3),
    Phase::of(PASSING.and(UNPACKS), &[], &[0, 1, 2, 6, 7])
        .held(Holding::Part, Some(5))
        .by_one_call(7)
        .outside(3),
    Phase::of(RETURNING, &[(PASSES, 5)], &[0, 2]).held(Holding::Whole, Some(SAME)),
    Phase::of(PASSING, &[], &[0, 1, 2, 3, 4, 6, 7, 8])
        .held(Holding::Whole, Some(SAME))
        .by_one_call(8),
    Phase::of(FLOWS_AND_SUMMARIES, &[(PASSES, 1), (UNPACKS, 7)], &[0])
        .held(Holding::Value, Some(8))
        .outside(3),
    Phase::of(FLOWS_AND_SUMMARIES.and(UNPACKS), &[(PASSES, 3)], &[0, 2, 6])
        .held(Holding::Part, Some(8))
        .outside(3),
    Phase::of(FLOWS_AND_SUMMARIES, &[(PASSES, 5)], &[0, 2, 4, 6, 7]).held(Holding::Whole, Some(SAME)),
];

/// As [`PARTS_DOWN`], with the wholes that are made around it and handed on: the answer of a request, the arguments of a call. Of those it goes to
/// callers and callees, and not to what keeps them in fields.
pub const CHANGED_DOWN: &[Phase] = &with_handed_on(PARTS_DOWN);

/// Phases of [`PARTS_DOWN`] in which a walk may still come out to callers, and such in which it is in a callee by one of its calls.
const OUT: [usize; 4] = [0, 2, 6, 7];
const INSIDE: [usize; 2] = [1, 3];

const fn with_handed_on(parts: &[Phase]) -> [Phase; 11] {
    const UP: u8 = 9;
    const DOWN: u8 = 10;
    let mut phases = [Phase::alone(EdgeKinds::NONE); 11];
    phases.split_at_mut(parts.len()).0.copy_from_slice(parts);
    let mut index = 0;
    while index < OUT.len() {
        phases[OUT[index]] = phases[OUT[index]].handing_on(UP);
        index += 1;
    }
    index = 0;
    while index < INSIDE.len() {
        phases[INSIDE[index]] = phases[INSIDE[index]].handing_on(DOWN);
        index += 1;
    }
    phases[UP as usize] = Phase::of(RETURNING, &[(PASSES, DOWN)], &[])
        .held(Holding::Whole, Some(SAME))
        .nowhere_else()
        .handing_on(UP);
    phases[DOWN as usize] = Phase {
        result: None,
        ..Phase::of(PASSING, &[], &[UP])
    }
    .held(Holding::Whole, Some(SAME))
    .nowhere_else()
    .handing_on(DOWN);
    phases
}

/// Where a value comes from, or parts of it come from, and what it was taken out of, walked backwards: out to the callers that gave it, then into
/// the callees that made it. What was put into the whole that it was taken out of is no cause of it. In a callee whose result stands for all that
/// comes into it from elsewhere, from there alone.
pub const WHOLE_UP: &[Phase] = &[
    Phase::of(PASSING, &[(RETURNS, 1), (PACKS, 2), (UNPACKS, 4)], &[])
        .held(Holding::Value, Some(2))
        .results(6)
        .outside(4),
    Phase::of(RETURNING, &[(PACKS, 3), (UNPACKS, 5)], &[0]).held(Holding::Value, Some(3)),
    Phase::of(PASSING.and(PACKS), &[(RETURNS, 3), (UNPACKS, 4)], &[0])
        .held(Holding::Part, Some(SAME))
        .results(7)
        .outside(4),
    Phase::of(RETURNING.and(PACKS), &[(UNPACKS, 5)], &[0, 1, 2]).held(Holding::Part, Some(SAME)),
    Phase::of(PASSING.and(UNPACKS), &[(RETURNS, 5)], &[0, 2])
        .held(Holding::Whole, None)
        .results(8)
        .outside(4),
    Phase::of(RETURNING.and(UNPACKS), &[], &[0, 1, 2, 3, 4]).held(Holding::Whole, None),
    Phase::of(FLOWS_AND_SUMMARIES, &[(PACKS, 7), (UNPACKS, 8)], &[0])
        .held(Holding::Value, Some(7))
        .met_elsewhere(0),
    Phase::of(FLOWS_AND_SUMMARIES.and(PACKS), &[(UNPACKS, 8)], &[0, 2, 6])
        .held(Holding::Part, Some(SAME))
        .met_elsewhere(2),
    Phase::of(FLOWS_AND_SUMMARIES.and(UNPACKS), &[], &[0, 2, 4, 6, 7])
        .held(Holding::Whole, None)
        .met_elsewhere(4),
];

/// Whether a flow puts what it carries into a whole: it is written so, library code makes the one of the other, or it comes from a variable or
/// field that holds none. A part that is told apart from others is where what was put there goes on.
fn puts(net: &Net, (from, to): (u32, u32), arrow: &Arrow) -> bool {
    let is_told = || {
        let is_made = arrow.kind == EdgeKind::Summarizes && net.rule(arrow.edge) == Rule::LibraryTable;
        (arrow.how.is_put() || is_made) && net.role(to) != Role::Element
    };
    // What is read out, or under its wire name, is not put into anything, and what a test of it chooses is all of that.
    let is_read = match net.label(from) {
        NodeKind::Key => matches!(arrow.how, How::Decode | How::Test),
        _ => matches!(arrow.how, How::Element | How::Load | How::Test),
    };
    let is_part = || matches!(net.label(from), NodeKind::Variable | NodeKind::Field | NodeKind::Key);
    net.is_whole(to) && !is_read && (is_told() || !net.is_whole(from) && is_part())
}

/// Whether an edge reads under a known key, or else puts under one.
fn by_key(net: &Net, edge: u32, reads: bool) -> bool {
    match reads {
        true => net.reads_by_key(edge),
        false => net.puts_by_key(edge),
    }
}

/// Whether what comes of a whole has the keys that this has. Library code may give others, and what it is put into does.
fn keeps_keys(net: &Net, ends: (u32, u32), arrow: &Arrow) -> bool {
    let is_library = || {
        matches!(
            net.rule(arrow.edge),
            Rule::UnknownLibrary | Rule::UnknownCallee | Rule::LibraryTable
        )
    };
    // What is taken out under a name that nobody knows may be what was put there.
    if net.rule(arrow.edge) == Rule::UnknownContents && !arrow.how.is_put() && !net.puts_by_key(arrow.edge) {
        return false;
    }
    // What lies under a key is the same on the wire and in the field that goes by it.
    let is_key = |node| net.label(node) == NodeKind::Key;
    if is_key(ends.0) || is_key(ends.1) {
        return arrow.kind == EdgeKind::FlowsTo || arrow.kind == EdgeKind::PassesTo;
    }
    // Parts go by keys of their own; what lies in a list, or is copied, has those that it had.
    let is_moved = || match arrow.how {
        how if how.keeps_keys() => false,
        _ if net.role(ends.1) == Role::Element => false,
        how => how.is_put() || puts(net, ends, arrow),
    };
    !(is_moved() || arrow.kind == EdgeKind::Summarizes && is_library())
}

/// How to walk.
#[derive(Debug, Clone, Copy)]
pub struct Walk<'n> {
    /// What stands on stronger ground is reached first, however far it is, and nothing on weaker ground than this; none where that does not matter.
    pub ground: Option<Ground>,
    /// The graph.
    pub net: &'n Net,
    /// The phases, in order.
    pub phases: &'n [Phase],
    /// Against the direction of the edges.
    pub backwards: bool,
    /// Along flows from a value to the outcome of testing it: for what changes with a value, not for where it goes.
    pub through_tests: bool,
    /// Along what test code does.
    pub test_code: bool,
    /// Most steps.
    pub depth: u32,
    /// Leave ways that are less sure.
    pub min_confidence: f32,
}

/// Most places that a walk visits. Past that it stops and says so.
const BUDGET: usize = 2_000_000;

/// What a walk has reached.
#[derive(Debug, Default)]
pub struct Reach {
    /// For each phase and node, by a key or not, one more than its place in `order`; 0 where the walk was not. A walk may reach a good part of the
    /// graph, and what it looks up most is this.
    places: Vec<u32>,
    nodes: usize,
    order: Vec<State>,
    /// How each state of `order` was reached.
    steps: Vec<Step>,
    /// The budget or the depth cut the walk.
    pub cut: bool,
}

/// A node in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Index of the node.
    pub node: u32,
    phase: u8,
    /// It holds what is followed under a known key, of which nothing else is told; against the edges, what was read under one.
    pub(super) by_key: bool,
}

/// How a state was reached.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Edge and state before; nothing for a start.
    from: Option<(u32, State)>,
    distance: u32,
    confidence: f32,
    ground: Ground,
}

/// One place reached.
#[derive(Debug, Clone, Copy)]
pub struct Reached {
    /// The state, from which its way can be asked.
    pub state: State,
    /// Steps from the nearest start.
    pub distance: u32,
    /// Product of the confidences on the way.
    pub confidence: f32,
    /// What the way rests on.
    pub ground: Ground,
}

/// A way, in the direction of its edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Its nodes.
    pub nodes: Vec<u32>,
    /// Its edges, one fewer.
    pub edges: Vec<u32>,
}

impl Walk<'_> {
    /// Walks from these nodes. With `until`, it ends with the step that reaches the first of them.
    pub fn run(&self, starts: &[u32], until: Option<&FxHashSet<u32>>) -> Reach {
        let mut reach = Reach {
            places: vec![0; self.net.nodes() * self.phases.len() * 2],
            nodes: self.net.nodes(),
            ..Reach::default()
        };
        for &node in starts {
            let start = Step {
                from: None,
                distance: 0,
                confidence: 1.0,
                ground: Ground::Flow,
            };
            let state = State {
                node,
                phase: 0,
                by_key: false,
            };
            if reach.place(state).is_none() {
                reach.add(state, start);
            }
        }
        let mut waiting: [Vec<(State, Step)>; 3] = Default::default();
        for ground in Ground::ALL {
            let mut weaker = std::mem::take(&mut waiting[ground as usize]);
            weaker.sort_by_key(|(_, step)| step.distance);
            let mut weaker = weaker.into_iter().peekable();
            let mut level = match ground {
                Ground::Flow => 0..reach.order.len(),
                _ => reach.order.len()..reach.order.len(),
            };
            for distance in 1..=self.depth {
                while let Some((state, step)) = weaker.next_if(|(_, step)| step.distance == distance) {
                    self.reach_by(&mut reach, state, step);
                }
                for at in level.clone() {
                    self.step(&mut reach, at, distance, &mut waiting);
                    if reach.order.len() > BUDGET {
                        reach.cut = true;
                        return reach;
                    }
                }
                level = level.end..reach.order.len();
                if level.is_empty() && weaker.peek().is_none() {
                    break;
                }
                if let Some(until) = until
                    && reach.order[level.clone()]
                        .iter()
                        .any(|state| until.contains(&state.node))
                {
                    return reach;
                }
            }
            // Whether anything lies past the last level is not known before it is looked at.
            reach.cut |= weaker.next().is_some()
                || reach.order[level]
                    .iter()
                    .any(|&state| self.next(state).next().is_some());
        }
        reach
    }

    fn step(&self, reach: &mut Reach, at: usize, distance: u32, waiting: &mut [Vec<(State, Step)>; 3]) {
        let (state, before) = (reach.order[at], reach.steps[at]);
        let is_field = self.ground.is_some() && self.net.label(state.node) == NodeKind::Field;
        let from = ground::From {
            is_start: distance == 1,
            by_one_call: is_field && self.came_by_one_of_calls(reach, before),
        };
        for (edge, next) in self.next(state) {
            let confidence = before.confidence * self.net.rule(edge).confidence() as f32;
            if confidence < self.min_confidence || confidence == 0.0 {
                continue;
            }
            let ground = match self.ground {
                Some(_) => before.ground.max(ground::of_step(self.net, edge, &from)),
                None => Ground::Flow,
            };
            if self.ground.is_some_and(|weakest| ground > weakest) {
                continue;
            }
            let step = Step {
                from: Some((edge, state)),
                distance,
                confidence,
                ground,
            };
            match ground == before.ground {
                true => self.reach_by(reach, next, step),
                // A place that is reached already is so by a stronger ground.
                false if reach.place(next).is_none() => waiting[ground as usize].push((next, step)),
                false => {}
            }
        }
    }

    /// Whether what came by this step was handed over by one of several calls of a function.
    fn came_by_one_of_calls(&self, reach: &Reach, step: Step) -> bool {
        let mut came = step.from.map(|(_, before)| before);
        while let Some(state) = came.filter(|state| self.phases[state.phase as usize].result.is_none()) {
            let into = reach.place(state).and_then(|place| reach.steps[place].from);
            let is_handed = into.is_some_and(|(edge, _)| PASSES.has(self.net.kind(edge)));
            let function = self.net.owner(state.node).filter(|_| is_handed);
            if function.is_some_and(|function| self.net.entering(function, CALLS).nth(1).is_some()) {
                return true;
            }
            came = into.map(|(_, before)| before);
        }
        false
    }

    fn reach_by(&self, reach: &mut Reach, state: State, step: Step) {
        match reach.place(state) {
            None if self.is_covered(reach, state) => {}
            None => reach.add(state, step),
            Some(place) => {
                let held = &mut reach.steps[place];
                if held.ground == step.ground && held.distance == step.distance && held.confidence < step.confidence {
                    *held = step;
                }
            }
        }
    }

    fn is_covered(&self, reach: &Reach, state: State) -> bool {
        let was_at = |phase: u8, by_key: bool| reach.place(State { phase, by_key, ..state }).is_some();
        let mut others = self.phases[state.phase as usize].covered_by.iter();
        state.by_key && was_at(state.phase, false)
            || others.any(|&phase| was_at(phase, false) || state.by_key && was_at(phase, true))
    }

    /// What the walk is to a state that it reached.
    pub fn holding(&self, state: State) -> Holding {
        self.phases[state.phase as usize].holding
    }

    fn next(&self, state: State) -> impl Iterator<Item = (u32, State)> {
        let Self {
            net,
            phases,
            backwards,
            through_tests,
            test_code,
            ..
        } = *self;
        let phase = phases[state.phase as usize];
        let others = phase.advance.iter().map(|(kinds, _)| *kinds);
        let told = others.fold(phase.stay, EdgeKinds::and);
        let kinds = match phase.handed_on {
            Some(_) => told.and(PACKS),
            None => told,
        };
        let (forward, back) = if backwards {
            (None, Some(net.entering(state.node, kinds)))
        } else {
            (Some(net.leaving(state.node, kinds)), None)
        };
        let arrows = forward.into_iter().flatten().chain(back.into_iter().flatten());
        arrows
            .filter(move |arrow| through_tests || arrow.how != How::Test)
            .filter(move |arrow| match arrow.how {
                How::Held => phase.handed_on.is_some() && arrow.kind == EdgeKind::PacksInto,
                _ => told.has(arrow.kind),
            })
            .filter(move |arrow| test_code || !net.is_test(arrow.node) && !net.is_made_by_test(arrow.edge))
            .filter(move |arrow| !state.by_key || !by_key(net, arrow.edge, !backwards))
            .filter_map(move |arrow| {
                let mut others = phase.advance.iter();
                let other = others.find(|(kinds, _)| kinds.has(arrow.kind)).map(|(_, other)| *other);
                let next = other.filter(|_| !phase.stay.has(arrow.kind)).unwrap_or(state.phase);
                let node = arrow.node;
                let ends = if backwards {
                    (node, state.node)
                } else {
                    (state.node, node)
                };
                let by_key = by_key(net, arrow.edge, backwards) || state.by_key && keeps_keys(net, ends, &arrow);
                if arrow.how == How::Held {
                    let phase = phase.handed_on?;
                    return Some((arrow.edge, State { node, phase, by_key }));
                }
                // Where there is nothing else to go, the walk stays.
                let to = |next: u8, other: Option<u8>| other.map(|other| if other == SAME { next } else { other });
                let next = match arrow.how == How::Handed {
                    true => to(next, phase.handed)?,
                    false => next,
                };
                let next = match arrow.kind == EdgeKind::UnpacksTo && net.label(ends.1) == NodeKind::External {
                    true => phase.taken_outside?,
                    false => next,
                };
                let is_elsewhere = BRINGING.has(arrow.kind) && net.owner(ends.0) != net.owner(ends.1);
                let stands_for_others = || arrow.kind == EdgeKind::Summarizes && net.role(ends.0) == Role::Result;
                let next = match is_elsewhere {
                    true if stands_for_others() => to(next, phase.result)?,
                    true => to(next, phases[next as usize].elsewhere)?,
                    false => next,
                };
                let put = phases[next as usize].put;
                let is_put = put != Some(SAME) && FLOWS.has(arrow.kind) && puts(net, ends, &arrow);
                let phase = if is_put { put? } else { next };
                Some((arrow.edge, State { node, phase, by_key }))
            })
    }
}

impl Reach {
    /// The edge by which what is followed came to lie under a known key, of a state where it does.
    pub(super) fn keyed_by(&self, state: State) -> Option<u32> {
        let mut at = state;
        while at.by_key {
            let (edge, before) = self.steps[self.place(at)?].from?;
            if !before.by_key {
                return Some(edge);
            }
            at = before;
        }
        None
    }

    /// The last edge on the way to a state; nothing for a start.
    pub fn last_edge(&self, state: State) -> Option<u32> {
        let place = self.place(state)?;
        self.steps[place].from.map(|(edge, _)| edge)
    }

    /// Everything reached, nearest first, the starts included.
    pub fn all(&self) -> impl Iterator<Item = Reached> {
        self.order.iter().zip(&self.steps).map(|(state, step)| Reached {
            state: *state,
            distance: step.distance,
            confidence: step.confidence,
            ground: step.ground,
        })
    }

    /// Their nodes; one that was reached in two phases comes twice.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.order.iter().map(|state| state.node)
    }

    fn slot(&self, state: State) -> usize {
        (state.phase as usize * 2 + usize::from(state.by_key)) * self.nodes + state.node as usize
    }

    /// Where a state stands in the order.
    fn place(&self, state: State) -> Option<usize> {
        let held = self.places.get(self.slot(state)).copied().unwrap_or(0);
        (held as usize).checked_sub(1)
    }

    fn add(&mut self, state: State, step: Step) {
        let slot = self.slot(state);
        self.order.push(state);
        self.steps.push(step);
        if let Some(place) = self.places.get_mut(slot) {
            *place = self.order.len() as u32;
        }
    }

    /// The way to a state, from cause to effect.
    pub fn way(&self, net: &Net, state: State) -> Way {
        let (mut edges, mut at) = (Vec::new(), state);
        while let Some((edge, before)) = self.place(at).and_then(|place| self.steps[place].from) {
            edges.push(edge);
            at = before;
        }
        // Collected from the end of the walk: a walk along the edges ends at the effect, one against them at the cause.
        let forwards = edges.last().is_none_or(|&edge| net.ends(edge).0 == at.node);
        if forwards {
            edges.reverse();
        }
        let first = if forwards { at.node } else { state.node };
        let nodes = std::iter::once(first)
            .chain(edges.iter().map(|&edge| net.ends(edge).1))
            .collect();
        Way { nodes, edges }
    }
}
