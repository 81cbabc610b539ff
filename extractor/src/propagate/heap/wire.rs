//! Structures that library code fills from text, or writes as text: `json.Unmarshal(data, &user)`, `json.Marshal(user)`.
//!
//! The fields of the structure itself are cells of that one object. What its fields lead to is known by its class.

use super::{Access, Heap, When};
use crate::facts::TypeKind;
use crate::link::{PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::library::End;
use crate::propagate::object::Object;
use crate::propagate::solve::{CallRow, Solver};

impl Heap {
    /// Notes what `decode from -> to` writes. Whether it is known.
    pub(super) fn decode(&mut self, solver: &Solver<'_>, call: u32, from: &End, to: &End) -> bool {
        let row = &solver.calls[call as usize];
        // What stands in a text that is written out comes from nowhere.
        let source = solver.subject_places(call, &from.subject).first().copied();
        let source = source.unwrap_or(self.nowhere);
        let targets = solver.subject_places(call, &to.subject);
        if !targets.iter().all(|place| is_known(solver, *place)) {
            return false;
        }
        for target in targets {
            for (name, field) in wire_members(solver, target) {
                let is_text = solver.contents(field).is_empty();
                let value = if is_text { source } else { self.nowhere };
                for (step, _) in self.steps_of((target, name), vec![field]) {
                    let access = by_library(row, (target, step), field, value);
                    self.locals[row.function.at()].writes.push(access);
                }
            }
        }
        true
    }

    /// Notes what `encode from -> …` reads. Whether it is known.
    pub(super) fn encode(&mut self, solver: &Solver<'_>, call: u32, from: &End) -> bool {
        let row = &solver.calls[call as usize];
        let sources = solver.subject_places(call, &from.subject);
        // What is in a container is told with its keys and by the table, and stays there as it is.
        let is_container = |place: &PlaceIndex| {
            let mut held = solver.held(*place).peekable();
            held.peek().is_some() && held.all(|(_, object)| matches!(object, Object::Container { .. }))
        };
        if !sources
            .iter()
            .all(|place| is_known(solver, *place) || is_container(place))
        {
            return false;
        }
        for source in sources {
            for (name, field) in wire_members(solver, source) {
                for (step, _) in self.steps_of((source, name), vec![field]) {
                    let access = by_library(row, (source, step), field, self.taken_apart);
                    self.locals[row.function.at()].reads.push(access);
                }
            }
        }
        let taken_apart = self.taken_apart;
        self.locals[row.function.at()].escapes.push(taken_apart);
        true
    }
}

/// What a library call does with one member of what is in a place.
fn by_library(row: &CallRow, (base, step): (PlaceIndex, Step), field: PlaceIndex, value: PlaceIndex) -> Access {
    Access {
        base,
        step,
        value: Some(value),
        fields: vec![field],
        at: (row.file, row.position),
        when: When {
            point: row.point,
            is_certain: false,
        },
        function: row.function,
    }
}

/// Whether a place holds structures, and nothing else that has parts.
fn is_known(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    let mut held = solver.held(place).filter_map(|(_, object)| match object {
        Object::Address(_) => None,
        object => Some(matches!(object, Object::Instance(index) if is_structure(solver, index))),
    });
    held.next() == Some(true) && held.all(|is_structure| is_structure)
}

fn is_structure(solver: &Solver<'_>, index: TypeIndex) -> bool {
    solver.program.type_facts(index).kind == TypeKind::Struct
}

/// The fields of the structures in a place that may go on the wire.
fn wire_members(solver: &Solver<'_>, place: PlaceIndex) -> Vec<(Symbol, PlaceIndex)> {
    let mut found = Vec::new();
    for (_, object) in solver.held(place) {
        let Object::Instance(index) = object else { continue };
        let file = solver.program.types[index.at()].file;
        for field in &solver.program.type_facts(index).fields {
            let name = solver.program.symbol(file, field.name);
            let is_exported = solver.program.symbols.text(name).starts_with(char::is_uppercase);
            // What is embedded has its fields there, whatever it is called.
            if !is_exported && !field.embedded || field.keys.first().is_some_and(|key| key.0 == 0) {
                continue;
            }
            let member = solver.program.types[index.at()].members.get(&name);
            found.extend(member.map(|member| (name, *member)));
        }
    }
    found
}
