//! Keys that callers hand over: a part under what a parameter brings is, to each caller, the part under the constant that it gives.
//!
//! ```python
//! def put(row, key, value):
//!     row[key] = value             # the part of `row` under `key`
//! put(row, "mail", secret)         # the part `["mail"]`
//! put(row, name, "plain")          # any part, or the one under this function's own parameter `name`
//! ```

use rustc_hash::FxHashMap;

use super::{Heap, Site};
use crate::facts::{ContainerKind, PlaceKind};
use crate::link::{DerivedPlace, Part, PlaceIndex, Step};
use crate::propagate::keyed::{Key, entered};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

/// The part of a mapping, or of a list whose parts stay where they are, that is under what a parameter of this function brings.
pub(super) fn part_under(solver: &Solver<'_>, row: &ElementRow, kind: ContainerKind) -> Option<Part> {
    let stays = |list: ObjectId| !solver.shifted.contains(&list) && !solver.stirred.contains(&list);
    let is_told = match kind {
        ContainerKind::Map => true,
        ContainerKind::List => solver.held(row.base).all(|(list, _)| stays(list)),
        _ => false,
    };
    if row.key != RowKey::Any || !is_told {
        return None;
    }
    let key = row.index.filter(|key| is_parameter(solver, *key))?;
    (solver.program.owner_of(key) == Some(row.function)).then_some(Part::Under(key))
}

pub(in crate::propagate) fn is_parameter(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    let local = solver.program.local_place(place);
    local.is_some_and(|(file, local)| {
        solver.program.files[file.at()].facts.places[local.0 as usize].kind == PlaceKind::Parameter
    })
}

impl Heap {
    /// Notes the constants that a call hands over, of the parameters that are keys.
    pub(super) fn lay_out_keys(&mut self, solver: &Solver<'_>) {
        let rows = solver.element_loads.iter().chain(&solver.element_stores);
        let keys = rows.filter(|row| row.key == RowKey::Any).filter_map(|row| row.index);
        self.keys = keys.filter(|key| is_parameter(solver, *key)).collect();
        self.keys.extend(solver.drops.iter().filter_map(|row| match row.part {
            Some(Part::Under(key)) => Some(key),
            _ => None,
        }));
        self.hand_keys_on(solver);
        for call in (0..solver.calls.len() as u32).filter(|_| !self.keys.is_empty()) {
            let row = &solver.calls[call as usize];
            for (function, bound) in row.targets.iter().filter(|_| !row.silent).filter_map(entered) {
                let file = solver.program.functions[function.at()].file;
                let parameters = solver.program.function_facts(function).parameters.iter();
                let parameters = parameters.map(|parameter| solver.program.place(file, parameter.place));
                for parameter in parameters.filter(|parameter| self.keys.contains(parameter)) {
                    if let Key::Part(part) = solver.key_handed(call, (function, bound), parameter) {
                        self.constants.insert((call, parameter), part);
                    }
                }
            }
        }
    }

    /// A parameter that is handed to one that is a key is one, too.
    fn hand_keys_on(&mut self, solver: &Solver<'_>) {
        let mut handed: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        for call in (0..solver.calls.len() as u32).filter(|_| !self.keys.is_empty()) {
            let row = &solver.calls[call as usize];
            let mut places = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
            if row.silent || !places.any(|place| is_parameter(solver, place)) {
                continue;
            }
            for target in &row.targets {
                let (function, bound) = match *target {
                    Target::Function { function, receiver, .. } => (function, receiver.is_some()),
                    _ => continue,
                };
                for (parameter, argument) in solver.arguments_given(call, function, bound) {
                    let own = argument.and_then(|argument| argument.place);
                    if let Some(own) = own.filter(|own| is_parameter(solver, *own)) {
                        handed.entry(parameter).or_default().push(own);
                    }
                }
            }
        }
        let mut open: Vec<PlaceIndex> = self.keys.iter().copied().collect();
        while let Some(key) = open.pop() {
            let own = handed.remove(&key).unwrap_or_default();
            open.extend(own.into_iter().filter(|own| self.keys.insert(*own)));
        }
    }

    /// What a caller calls a step of its callee's.
    pub(super) fn our_step(&self, site: &Site, step: Step) -> Step {
        let Step::Part(Part::Under(parameter)) = step else {
            return step;
        };
        if let Some(part) = self.constants.get(&(site.call, parameter)) {
            return Step::Part(*part);
        }
        let mut given = site.given.iter().filter(|(to, _)| *to == parameter);
        let own = given.next().map(|(_, from)| *from);
        match own.filter(|own| given.next().is_none() && self.brought.contains(own)) {
            Some(own) => Step::Part(Part::Under(own)),
            None => Step::Part(Part::Any),
        }
    }

    /// As [`Heap::our_step`], where the key is known.
    pub(super) fn our_part(&self, site: &Site, part: Part) -> Option<Part> {
        match self.our_step(site, Step::Part(part)) {
            Step::Part(part @ (Part::Text(_) | Part::Index(_) | Part::Under(_))) => Some(part),
            _ => None,
        }
    }

    /// Of the parts of tables that may be meant, those under a constant, and what was put in under keys that are not known.
    pub(super) fn parts_under(&self, solver: &Solver<'_>, fields: &[PlaceIndex], wanted: Part) -> Vec<PlaceIndex> {
        let mut parts = Vec::new();
        for field in fields {
            let Some(DerivedPlace::Element { container, part }) = solver.program.derived_place(*field).copied() else {
                parts.push(*field);
                continue;
            };
            if !matches!(part, Part::Text(_) | Part::Index(_)) {
                parts.push(*field);
            }
            let made = |kind| solver.objects.find(Object::Container { kind, site: container });
            match made(ContainerKind::Map).or_else(|| made(ContainerKind::List)) {
                Some(table) => parts.extend(solver.elements.get(&(table, wanted))),
                None => parts.push(*field),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }
}
