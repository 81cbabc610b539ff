//! Handlers that are looked up under the names that come from outside: each is given what comes under its own.
//!
//! ```python
//! SETTERS = {"name": set_name, "plan": set_plan}
//! for field, value in json.loads(body).items():
//!     SETTERS[field](account, value)                  # `set_name` gets what comes as `name`, `set_plan` what comes as `plan`
//! ```

use super::{Finder, Read, Way};
use crate::facts::ContainerKind;
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::edges::named_by_texts::items_of;
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Calls of one of several functions.
pub(super) fn calls_of_several(solver: &Solver<'_>) -> Vec<u32> {
    let calls = (0..solver.calls.len() as u32).filter(|call| {
        let row = &solver.calls[*call as usize];
        let mut targets = row.targets.iter();
        let is_function = |target: &&Target| matches!(target, Target::Function { .. });
        !row.silent && targets.by_ref().filter(is_function).nth(1).is_some()
    });
    calls.collect()
}

impl Finder<'_, '_> {
    /// What these calls give to which parameter, by the name that it comes under.
    pub(super) fn given_to_handlers(&self, calls: &[u32]) -> Vec<(u32, Symbol, PlaceIndex)> {
        let mut given = Vec::new();
        for call in calls.iter().copied() {
            let callee = self.first(self.solver.calls[call as usize].callee);
            let by_get = self.calls.get(&callee).and_then(|get| self.read_by_get(*get, callee));
            for read in self.reads_called(callee).into_iter().chain(by_get) {
                let key = read.index.and_then(|index| self.name_read(index));
                if let (Some(key), [Way::Value]) = (key, read.ways.as_slice()) {
                    given.extend(self.given_to_handler(call, &key, read.item));
                }
            }
        }
        given.sort_unstable();
        given.dedup();
        given
    }

    fn given_to_handler(&self, call: u32, key: &Read, table: PlaceIndex) -> Vec<(u32, Symbol, PlaceIndex)> {
        let arguments = self.solver.call_arguments(call).iter();
        let arguments = arguments.filter_map(|argument| argument.place);
        let values: Vec<PlaceIndex> = arguments.filter(|place| self.is_under_key(key, *place)).collect();
        let mut given = Vec::new();
        for table in self.containers(table, ContainerKind::Map) {
            for (part, place) in self.solver.parts.get(&table).into_iter().flatten() {
                let Part::Text(name) = part else { continue };
                let functions = self.solver.held(*place).filter_map(|(_, object)| match object {
                    Object::Function(function) | Object::Bound { function, .. } => Some(function),
                    _ => None,
                });
                for function in functions {
                    let parameters = self.parameters_given(call, function, &values).into_iter();
                    given.extend(parameters.map(|parameter| (call, *name, parameter)));
                }
            }
        }
        given
    }

    /// Whether a value is what lies under a key in something from outside.
    fn is_under_key(&self, key: &Read, value: PlaceIndex) -> bool {
        let Some(read) = self.name_read(value).filter(|read| read.item == key.item) else {
            return false;
        };
        match (key.ways.as_slice(), read.ways.as_slice()) {
            ([Way::Key], [Way::Value]) => self.is_from_outside(&read),
            ([Way::Part(0)], [Way::Part(1)]) => self.items_of(key.item).is_some_and(|whole| {
                let whole = Read::of(self.first(whole));
                self.is_from_outside(&whole)
            }),
            _ => false,
        }
    }

    /// The mapping of which a place holds each item: `whole.items()`.
    fn items_of(&self, pair: PlaceIndex) -> Option<PlaceIndex> {
        let made = self.solver.held(pair).find_map(|(_, object)| match object {
            Object::Container { site, .. } => self.tuple_calls.get(&site).copied(),
            _ => None,
        });
        let call = made.or_else(|| self.calls.get(&self.read(pair)?.item).copied())?;
        items_of(self.solver, call)
    }

    /// The parameters of a function to which a call gives one of these values.
    fn parameters_given(&self, call: u32, function: FunctionIndex, values: &[PlaceIndex]) -> Vec<PlaceIndex> {
        let targets = self.solver.calls[call as usize].entries();
        let bound = targets.filter_map(|target| match target {
            Target::Function {
                function: own,
                receiver,
                ..
            } if own == function => Some(receiver.is_some()),
            _ => None,
        });
        let given = bound.flat_map(|bound| self.solver.arguments_given(call, function, bound));
        let given = given.filter(|(_, argument)| {
            let place = argument.and_then(|argument| argument.place);
            place.is_some_and(|place| values.contains(&place))
        });
        given.map(|(parameter, _)| parameter).collect()
    }
}
