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
//! The first way found to a place is a shortest one, and of the shortest ones the surest.

use ripple_graphdb::Net;
use ripple_graphdb::net::EdgeKinds;
use ripple_schema::{EdgeKind, How};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is walked along in one phase, and what leads to the next.
#[derive(Debug, Clone, Copy)]
pub struct Phase {
    /// Edges within the phase.
    pub stay: EdgeKinds,
    /// Edges into the next phase.
    pub advance: EdgeKinds,
}

const FLOWS_AND_SUMMARIES: EdgeKinds = EdgeKinds::of(&[EdgeKind::FlowsTo, EdgeKind::Summarizes]);
const PASSES: EdgeKinds = EdgeKinds::of(&[EdgeKind::PassesTo]);
const RETURNS: EdgeKinds = EdgeKinds::of(&[EdgeKind::ReturnsTo]);

/// Where a value goes: up, then down.
pub const VALUE_DOWN: &[Phase] = &[
    Phase {
        stay: FLOWS_AND_SUMMARIES.and(RETURNS),
        advance: PASSES,
    },
    Phase {
        stay: FLOWS_AND_SUMMARIES.and(PASSES),
        advance: EdgeKinds::NONE,
    },
];

/// Where a value comes from, walked backwards: out to the callers that gave it, then into the callees that made it.
pub const VALUE_UP: &[Phase] = &[
    Phase {
        stay: FLOWS_AND_SUMMARIES.and(PASSES),
        advance: RETURNS,
    },
    Phase {
        stay: FLOWS_AND_SUMMARIES.and(RETURNS),
        advance: EdgeKinds::NONE,
    },
];

/// How to walk.
#[derive(Debug, Clone, Copy)]
pub struct Walk<'n> {
    /// The graph.
    pub net: &'n Net,
    /// The phases, in order.
    pub phases: &'n [Phase],
    /// Against the direction of the edges.
    pub backwards: bool,
    /// Along flows from a value to the outcome of testing it: for what changes with a value, not for where it goes.
    pub through_tests: bool,
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
    steps: FxHashMap<State, Step>,
    order: Vec<State>,
    /// The budget or the depth cut the walk.
    pub cut: bool,
}

/// A node in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Index of the node.
    pub node: u32,
    phase: u8,
}

/// How a state was reached.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Edge and state before; nothing for a start.
    from: Option<(u32, State)>,
    distance: u32,
    confidence: f32,
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
        let mut reach = Reach::default();
        for &node in starts {
            let state = State { node, phase: 0 };
            let start = Step {
                from: None,
                distance: 0,
                confidence: 1.0,
            };
            if reach.steps.insert(state, start).is_none() {
                reach.order.push(state);
            }
        }
        let mut level = 0..reach.order.len();
        for distance in 1..=self.depth {
            for at in level.clone() {
                let state = reach.order[at];
                self.step(&mut reach, state, distance);
                if reach.order.len() > BUDGET {
                    reach.cut = true;
                    return reach;
                }
            }
            level = level.end..reach.order.len();
            if level.is_empty() {
                return reach;
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
        reach.cut = reach.order[level]
            .iter()
            .any(|&state| self.next(state).next().is_some());
        reach
    }

    fn step(&self, reach: &mut Reach, state: State, distance: u32) {
        let confidence = reach.steps.get(&state).map_or(0.0, |step| step.confidence);
        for (edge, next) in self.next(state) {
            let confidence = confidence * self.net.rule(edge).confidence() as f32;
            if confidence < self.min_confidence || confidence == 0.0 {
                continue;
            }
            let step = Step {
                from: Some((edge, state)),
                distance,
                confidence,
            };
            match reach.steps.entry(next) {
                std::collections::hash_map::Entry::Vacant(free) => {
                    free.insert(step);
                    reach.order.push(next);
                }
                std::collections::hash_map::Entry::Occupied(mut taken) => {
                    let held = taken.get();
                    if held.distance == distance && held.confidence < confidence {
                        taken.insert(step);
                    }
                }
            }
        }
    }

    fn next(&self, state: State) -> impl Iterator<Item = (u32, State)> {
        let Self {
            net,
            phases,
            backwards,
            through_tests,
            ..
        } = *self;
        let phase = phases[state.phase as usize];
        let kinds = phase.stay.and(phase.advance);
        let (forward, back) = if backwards {
            (None, Some(net.entering(state.node, kinds)))
        } else {
            (Some(net.leaving(state.node, kinds)), None)
        };
        let arrows = forward.into_iter().flatten().chain(back.into_iter().flatten());
        arrows
            .filter(move |arrow| through_tests || arrow.how != How::Test)
            .map(move |arrow| {
                let phase = state.phase + u8::from(!phase.stay.has(arrow.kind));
                let node = arrow.node;
                (arrow.edge, State { node, phase })
            })
    }
}

impl Reach {
    /// Everything reached, nearest first, the starts included.
    pub fn all(&self) -> impl Iterator<Item = Reached> {
        self.order.iter().filter_map(|state| {
            let step = self.steps.get(state)?;
            Some(Reached {
                state: *state,
                distance: step.distance,
                confidence: step.confidence,
            })
        })
    }

    /// The way to a state, from cause to effect.
    pub fn way(&self, net: &Net, state: State) -> Way {
        let (mut edges, mut at) = (Vec::new(), state);
        while let Some((edge, before)) = self.steps.get(&at).and_then(|step| step.from) {
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
