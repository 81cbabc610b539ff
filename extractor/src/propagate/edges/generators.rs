//! Generators that are stepped: each step is a call of its own, handed what the generator was made with and what was sent until then.
//!
//! ```python
//! flow = echo(prefix)      # a call
//! next(flow)               # gives what `echo` yields first: nothing of what is sent later
//! flow.send(secret)        # hands over `secret`, and gives what `echo` yields second
//! ```
//!
//! Which step it is was counted from the call that made the generator. Where the generator did not come straight from there, any value
//! may be the one that is given.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End, ValueEdge};
use crate::facts::ContainerKind;
use crate::link::{FunctionIndex, Part, PlaceIndex};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{ElementRow, RowKey, Solver};

/// What is known of the generators that are stepped.
#[derive(Debug, Default)]
pub(super) struct Stepped {
    /// Generators of which the steps are told apart.
    generators: FxHashSet<ObjectId>,
    /// What is sent: the call that made the generator, what, where to, at which step.
    sent: Vec<(u32, PlaceIndex, PlaceIndex, u32, EdgeSite)>,
    /// The calls that steps are: by the call that made the generator, and the step.
    turns: FxHashMap<(u32, u32), u32>,
}

/// The first of the numbers that steps have as calls.
const FIRST_TURN: u32 = u32::MAX / 4;

/// Where what is sent into generators lies.
pub(super) fn make_parts(solver: &mut Solver<'_>) {
    for index in 0..solver.element_stores.len() {
        let row = solver.element_stores[index];
        let RowKey::Sent(step) = row.key else { continue };
        for id in solver.contents(row.base).to_vec() {
            if !row.silent && matches!(solver.objects.get(id), Object::Container { .. }) {
                solver.element(id, Part::sent(step));
            }
        }
    }
}

impl Collector<'_, '_> {
    /// Finds the generators whose steps matter: into which something is sent, or that give other things later than at first.
    pub(super) fn find_stepped(&mut self) {
        let mut found = FxHashSet::default();
        for row in self.solver.element_stores.iter().filter(|row| !row.silent) {
            if let RowKey::Sent(step) = row.key
                && step > 0
            {
                found.extend(self.counted(row));
            }
        }
        for row in self.solver.element_loads.iter().filter(|row| !row.silent) {
            if let RowKey::First | RowKey::Step(_) | RowKey::From(_) = row.key {
                found.extend(self.counted(row).filter(|id| {
                    let parts = self.solver.parts.get(id).into_iter().flatten();
                    parts.into_iter().any(|(part, _)| matches!(part, Part::From(_)))
                }));
            }
        }
        self.stepped.generators = found;
    }

    fn counted(&self, row: &ElementRow) -> impl Iterator<Item = ObjectId> + '_ {
        let base = row.base;
        let held = self.solver.held(base).map(|(id, _)| id);
        held.filter(move |id| self.is_counted(base, *id))
    }

    /// Whether a place holds a generator as the call gave it that made it, so that its steps were counted from there.
    pub(super) fn is_counted(&self, base: PlaceIndex, id: ObjectId) -> bool {
        let maker = self.maker(id);
        let mut given = self.tables.given_by.get(&base).into_iter().flatten();
        maker.is_some() && given.any(|(_, callee)| Some(*callee) == maker)
    }

    fn maker(&self, id: ObjectId) -> Option<FunctionIndex> {
        match self.solver.objects.get(id) {
            Object::Container { site, .. } => self.solver.program.owner_of(site),
            _ => None,
        }
    }

    /// Whether what a generator gives is told by step.
    pub(super) fn is_stepped(&self, id: ObjectId) -> bool {
        self.stepped.generators.contains(&id)
    }

    /// The parts that are read by whoever reads everything that is left.
    pub(super) fn parts_left(&mut self, row: ElementRow, id: ObjectId) -> Vec<PlaceIndex> {
        let taken = match row.key {
            RowKey::From(least) if self.is_counted(row.base, id) => least,
            _ => 0,
        };
        let parts = self.solver.parts.get(&id).into_iter().flatten();
        let left = parts.filter_map(|(part, place)| match part {
            Part::Index(index) => (*index >= taken).then_some(*place),
            _ => None,
        });
        match taken {
            0 => self.all_parts(id),
            _ => left.collect(),
        }
    }

    /// A read of a generator whose steps are told apart. Whether it is one.
    pub(super) fn stepped_load(&mut self, row: ElementRow, site: EdgeSite, id: ObjectId) -> bool {
        let (step, least) = match row.key {
            RowKey::First => (Some(0), 0),
            RowKey::Step(step) => (Some(step), 0),
            RowKey::From(least) => (None, least),
            _ => return false,
        };
        if !self.is_stepped(id) || !self.is_counted(row.base, id) {
            return false;
        }
        let is_given = |part: Part| match (part, step) {
            (Part::Index(index), Some(step)) => index == step,
            (Part::Index(index), None) => index >= least,
            (Part::From(least), Some(step)) => least <= step,
            (Part::From(_), None) | (Part::Any, _) => true,
            _ => false,
        };
        let parts = self.solver.parts.get(&id).cloned().unwrap_or_default();
        for (_, place) in parts.into_iter().filter(|(part, _)| is_given(*part)) {
            self.step_to(place, (row.base, row.value), step, site);
        }
        true
    }

    /// Notes a step of which it is known what it gives, whatever else the generator gives.
    pub(super) fn note_step(&mut self, row: &ElementRow) {
        let is_counted = |id: ObjectId| {
            let mut parts = self.solver.parts.get(&id).into_iter().flatten();
            let is_told = parts.all(|(part, place)| match part {
                Part::Any | Part::From(_) | Part::Under(_) => self.solver.contents(*place).is_empty(),
                _ => true,
            });
            is_told && self.is_counted(row.base, id)
        };
        let is_one = |(id, object): (ObjectId, Object)| match object {
            Object::Container { kind, .. } => kind == ContainerKind::Generator && is_counted(id),
            _ => false,
        };
        let is_step = matches!(row.key, RowKey::First | RowKey::Step(_)) && !self.solver.contents(row.base).is_empty();
        if is_step && self.solver.held(row.base).all(is_one) {
            self.flows.steps_told.insert(row.value);
        }
    }

    /// A value that a step gives.
    fn step_to(
        &mut self,
        part: PlaceIndex,
        (base, value): (PlaceIndex, PlaceIndex),
        step: Option<u32>,
        site: EdgeSite,
    ) {
        let maker = self.solver.program.owner_of(part);
        let given = self.tables.given_by.get(&base).into_iter().flatten();
        let calls: Vec<u32> = given
            .filter(|(_, callee)| Some(*callee) == maker)
            .map(|(call, _)| *call)
            .collect();
        for call in calls {
            let turn = match step {
                Some(step) if self.stepped.sent.iter().any(|(to, ..)| *to == call) => {
                    let next = FIRST_TURN + self.stepped.turns.len() as u32;
                    *self.stepped.turns.entry((call, step)).or_insert(next)
                }
                _ => call,
            };
            self.flows.values.push(ValueEdge {
                kind: EdgeKind::ReturnsTo,
                from: End::Place(part),
                to: End::Place(value),
                how: How::Element,
                rule: Rule::ConstantKey,
                site,
                call: turn,
            });
        }
    }

    /// A value is sent into a generator. Whether it is known which call made that.
    pub(super) fn send(&mut self, row: &ElementRow, id: ObjectId, site: EdgeSite) -> bool {
        let RowKey::Sent(step) = row.key else { return false };
        if !self.is_counted(row.base, id) {
            return false;
        }
        let maker = self.maker(id);
        let Some(part) = self.solver.elements.get(&(id, Part::sent(step))).copied() else {
            return false;
        };
        let given = self.tables.given_by.get(&row.base).into_iter().flatten();
        let calls: Vec<u32> = given
            .filter(|(_, callee)| Some(*callee) == maker)
            .map(|(call, _)| *call)
            .collect();
        for call in calls {
            self.stepped.sent.push((call, row.value, part, step, site));
            self.flows.values.push(passed(row.value, part, call, site));
        }
        true
    }

    /// Hands each step what its generator was made with, and what was sent until then.
    pub(super) fn steps_as_calls(&mut self) {
        let mut turns: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        for ((call, step), turn) in &self.stepped.turns {
            turns.entry(*call).or_default().push((*step, *turn));
        }
        if turns.is_empty() {
            return;
        }
        let mut sent = FxHashSet::default();
        let mut edges = Vec::new();
        for (call, value, part, at, site) in &self.stepped.sent {
            sent.insert((*call, *value, *part));
            for (step, turn) in turns.get(call).into_iter().flatten() {
                if at <= step {
                    edges.push(passed(*value, *part, *turn, *site));
                }
            }
        }
        for edge in self.flows.values.iter().filter(|edge| edge.kind == EdgeKind::PassesTo) {
            let is_sent = match (edge.from, edge.to) {
                (End::Place(from), End::Place(to)) => sent.contains(&(edge.call, from, to)),
                _ => false,
            };
            if !is_sent {
                let of_call = turns.get(&edge.call).into_iter().flatten();
                edges.extend(of_call.map(|(_, turn)| ValueEdge { call: *turn, ..*edge }));
            }
        }
        self.flows.values.extend(edges);
    }
}

fn passed(from: PlaceIndex, to: PlaceIndex, call: u32, site: EdgeSite) -> ValueEdge {
    ValueEdge {
        kind: EdgeKind::PassesTo,
        from: End::Place(from),
        to: End::Place(to),
        how: How::Put,
        rule: Rule::ConstantKey,
        site,
        call,
    }
}
