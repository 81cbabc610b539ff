//! Pairs of a name and what has it: written down, given by callers, or made of tables and lists.
//!
//! ```python
//! {name: give(mail) for name, give in [("caps", caps), ("kb", size)]}     # or TABLE.items(), or zip(NAMES, GIVES)
//! ```

use rustc_hash::FxHashSet;

use super::{Entries, Finder, PAIR_LIMIT, Way};
use crate::facts::ContainerKind;
use crate::link::{Part, PlaceIndex};
use crate::propagate::keyed::Key;
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::Target;

impl Finder<'_, '_> {
    /// What a pair brings: one that is written down, or that library code makes of a table or of two lists.
    pub(super) fn entries_of_pair(
        &self,
        pair: ObjectId,
        (name, given): (u32, u32),
        more: (&[Way], Option<u32>),
        depth: usize,
    ) -> Entries {
        let Object::Container { site, .. } = self.solver.objects.get(pair) else {
            return Vec::new();
        };
        if let Some(call) = self.tuple_calls.get(&site).copied() {
            return self.entries_of_call(call, (name, given), more);
        }
        if let Some(name) = self.texts.get(&(site, name)).copied() {
            let place = self.solver.elements.get(&(pair, Part::Index(given)));
            let found = place.into_iter().flat_map(|place| self.found(*place, more));
            return found.map(|source| (name, source)).collect();
        }
        let (Some(name), Some(given)) = (self.parts.get(&(site, name)), self.parts.get(&(site, given))) else {
            return Vec::new();
        };
        let handed = self.entries_handed(*name, *given, more);
        match more {
            ([], None) if handed.is_empty() && depth < PAIR_LIMIT => self.entries(*name, *given, depth + 1),
            _ => handed,
        }
    }

    /// What calls give for one parameter, each under the constant that it gives for the other.
    pub(super) fn entries_of_keys(
        &self,
        keys: &[(u32, Key)],
        given: PlaceIndex,
        more: (&[Way], Option<u32>),
    ) -> Entries {
        let mut entries = Vec::new();
        for (call, key) in keys {
            let Some(text) = key.text() else { continue };
            let places = self.arguments_for(*call, given);
            let found = places.into_iter().flat_map(|place| self.found(place, more));
            entries.extend(found.map(|source| (text, source)));
        }
        entries
    }

    /// What callers of a function give for two of its parameters, or for one and for one of the function around it.
    fn entries_handed(&self, name: PlaceIndex, given: PlaceIndex, more: (&[Way], Option<u32>)) -> Entries {
        let solver = self.solver;
        let (Some(name), Some(given)) = (solver.parameter_at(name), solver.parameter_at(given)) else {
            return Vec::new();
        };
        let Some(function) = solver.program.owner_of(given) else {
            return Vec::new();
        };
        let holes = FxHashSet::from_iter([(function, name)]);
        let keys = solver.keys_by(&holes, &self.callers).into_iter();
        keys.flat_map(|(_, keys)| self.entries_of_keys(&keys, given, more))
            .collect()
    }

    /// `table.items()`, `zip(names, values)`
    fn entries_of_call(&self, call: u32, (name, given): (u32, u32), more: (&[Way], Option<u32>)) -> Entries {
        let row = &self.solver.calls[call as usize];
        let [Target::External(callee)] = row.targets.as_slice() else {
            return Vec::new();
        };
        let callee = self.solver.program.symbols.text(*callee);
        if let (true, (0, 1), Some(table)) = (callee.ends_with(".items"), (name, given), row.receiver) {
            return self.entries_of_tables(self.containers(table, ContainerKind::Map), more);
        }
        let arguments = self.solver.call_arguments(call);
        let argument = |index: u32| arguments.get(index as usize).and_then(|argument| argument.place);
        let (true, Some(names), Some(values)) = (callee == "zip", argument(name), argument(given)) else {
            return Vec::new();
        };
        self.entries_side_by_side(names, values, more)
    }
}
