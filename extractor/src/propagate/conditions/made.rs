//! What is known of values by how they are made: structures that functions give back, and tables with their keys.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Conditions, MadeWith};
use crate::facts::{Constant, ElementKey};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{Solver, Target};

impl Conditions {
    /// Values of calls whose one callee gives back what it makes with all fields told, and variables that hold nothing else.
    pub(super) fn note_made_values(&mut self, solver: &Solver<'_>) {
        let mut made: FxHashMap<FunctionIndex, MadeWith> = FxHashMap::default();
        let mut brought: FxHashMap<FunctionIndex, Vec<(Symbol, PlaceIndex)>> = FxHashMap::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            let symbol = |text| solver.program.symbol(file_index, text);
            for row in &file.facts.made_results {
                let fields = row.fields.iter();
                let fields = fields.map(|(name, constant)| (symbol(*name), constant.map(|own| own.map(symbol))));
                let function = solver.program.function(file_index, row.function);
                made.insert(function, fields.collect());
                let from = row.from.iter();
                let from = from.map(|(name, place)| (symbol(*name), solver.program.place(file_index, *place)));
                brought.insert(function, from.collect());
            }
        }
        let mut files: FxHashSet<FileIndex> = FxHashSet::default();
        let asked: FxHashSet<Symbol> = self.of_fields.keys().map(|(_, field)| *field).collect();
        made.retain(|_, fields| fields.iter().any(|(name, _)| asked.contains(name)) || fields.is_empty());
        for (call, row) in solver
            .calls
            .iter()
            .enumerate()
            .filter(|(_, row)| !row.silent && !made.is_empty())
        {
            if let ([Target::Function { function, receiver, .. }], [value, ..]) =
                (row.targets.as_slice(), solver.call_results(call as u32))
                && let Some(mut fields) = made.get(function).cloned()
            {
                let brought = &brought[function];
                if !brought.is_empty() {
                    let given = solver.arguments_given(call as u32, *function, receiver.is_some());
                    for (name, parameter) in brought {
                        let argument = given
                            .iter()
                            .find(|(to, _)| to == parameter)
                            .and_then(|(_, given)| *given);
                        let constant = argument.and_then(|argument| argument.constant);
                        let constant = constant.filter(|constant| !matches!(constant, Constant::Display(_)));
                        let field = fields.iter_mut().find(|(own, _)| own == name);
                        field.into_iter().for_each(|(_, known)| *known = constant);
                    }
                }
                self.made_values.insert(*value, fields);
                files.insert(row.file);
            }
        }
        let mut variables: FxHashMap<PlaceIndex, Option<PlaceIndex>> = FxHashMap::default();
        for file in files {
            let flows = &solver.program.files[file.at()].facts.flows;
            let ends = flows.iter().map(|flow| {
                (
                    solver.program.place(file, flow.from),
                    solver.program.place(file, flow.to),
                )
            });
            let targets: FxHashSet<PlaceIndex> = ends
                .clone()
                .filter(|(from, _)| self.made_values.contains_key(from))
                .map(|(_, to)| to)
                .collect();
            for (from, to) in ends.filter(|(_, to)| targets.contains(to)) {
                variables
                    .entry(to)
                    .and_modify(|only| *only = None)
                    .or_insert(Some(from));
            }
        }
        for (variable, from) in variables {
            if let Some(fields) = from.and_then(|from| self.made_values.get(&from)).cloned() {
                self.made_values.insert(variable, fields);
            }
        }
    }

    /// Look-ups that conditions ask for, and what is in tables from the start.
    pub(super) fn note_lookups(&mut self, solver: &Solver<'_>) {
        let files = || {
            let files = solver.program.files.iter().enumerate();
            files.map(|(index, file)| (FileIndex(index as u32), &file.facts))
        };
        for (file, facts) in files() {
            for row in &facts.lookups_asked {
                let [place, table, key] =
                    [row.place, row.table, row.key].map(|place| solver.program.place(file, place));
                self.lookups.insert(place, (table, key));
            }
        }
        if self.lookups.is_empty() {
            return;
        }
        for (file, facts) in files() {
            for (made, keys) in &facts.display_keys {
                let texts = keys.iter().filter_map(|key| match key {
                    ElementKey::Text(text) => Some(solver.program.symbol(file, *text)),
                    _ => None,
                });
                self.keys.insert(solver.program.place(file, *made), texts.collect());
            }
        }
        for row in &solver.drops {
            for (id, object) in solver.held(row.base) {
                if matches!(object, Object::Container { site, .. } if self.keys.contains_key(&site)) {
                    self.taken_out.entry(id).or_default().push(row.part);
                }
            }
        }
    }

    /// Whether a table has a part under a key for certain: all that it may be are made with it, and nobody takes it out.
    pub(super) fn has(&self, solver: &Solver<'_>, table: PlaceIndex, key: Symbol) -> Option<Constant<Symbol>> {
        let is_other = |part: &Option<Part>| matches!(part, Some(Part::Text(own)) if *own != key);
        let has = |(id, object)| match object {
            Object::Container { site, .. } => {
                let is_put = self.keys.get(&site).is_some_and(|keys| keys.contains(&key));
                let mut taken_out = self.taken_out.get(&id).into_iter().flatten();
                is_put && taken_out.all(is_other)
            }
            _ => false,
        };
        // What is declared is one of those.
        let is_made = |(_, object): &(ObjectId, Object)| !matches!(object, Object::Typed { .. });
        let mut tables = solver.held(table).filter(is_made).peekable();
        (tables.peek().is_some() && tables.all(has)).then_some(Constant::Truth(true))
    }
}
