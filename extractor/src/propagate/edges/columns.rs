//! Names of columns and keys that objects keep: `X[self.column]` reads what the constructor was given the name of.
//!
//! ```python
//! class Length:
//!     def __init__(self, column): self.column = column
//!     def transform(self, X): return X[self.column].str.len()      # the key `bio`
//! Length("bio")
//! ```
//!
//! Objects of one class are not told apart by it: each reads what any of them was given.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::facts::{Constant, ElementKey, Position};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol};
use crate::propagate::made_with::note_sources;
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, RowKey, Target};

/// A read under a name that a field keeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedByField {
    field: PlaceIndex,
    function: FunctionIndex,
    value: PlaceIndex,
    site: EdgeSite,
}

impl Collector<'_, '_> {
    /// `X[self.column]` of something unknown.
    pub(super) fn note_asked_by_field(&mut self, row: &ElementRow) {
        if let Some(index) = row.index.filter(|_| row.key == RowKey::Any) {
            self.note_field_asked(index, (row.function, row.value), (row.file, row.position).into());
        }
    }

    /// The same of a name that stands in a place: `x.get(self.column)`.
    pub(super) fn note_field_asked(
        &mut self,
        name: PlaceIndex,
        (function, value): (FunctionIndex, PlaceIndex),
        site: EdgeSite,
    ) {
        let Some(load) = self.tables.load_of.get(&name) else {
            return;
        };
        let load = self.solver.loads[*load as usize];
        for (_, object) in self.solver.held(load.base) {
            let (Object::Instance(owner) | Object::AnyOf(owner)) = object else {
                continue;
            };
            for field in self.solver.program.find_readable(owner, load.member) {
                if self.solver.program.is_field(field) {
                    self.asked_by_field.push(AskedByField {
                        field,
                        function,
                        value,
                        site,
                    });
                }
            }
        }
    }

    /// What constructors were given for these fields.
    pub(super) fn keys_of_fields(&mut self) {
        let asked = std::mem::take(&mut self.asked_by_field);
        if asked.is_empty() {
            return;
        }
        let fields: FxHashSet<PlaceIndex> = asked.iter().map(|asked| asked.field).collect();
        let mut keys: FxHashMap<PlaceIndex, FxHashSet<Symbol>> = FxHashMap::default();
        self.given_to_constructors(&fields, &mut keys);
        self.put_by_literals(&fields, &mut keys);
        self.bound_by_classes(&fields, &mut keys);
        for AskedByField {
            field,
            function,
            value,
            site,
        } in asked
        {
            let mut named: Vec<Symbol> = keys.get(&field).into_iter().flatten().copied().collect();
            named.sort_unstable();
            for key in named {
                self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::WireName, site);
                self.flow(End::Key(key), End::Place(value), How::Decode, Rule::WireName, site);
            }
        }
    }

    /// The texts that constructors are given for these fields, written down or not: `Reader("late")`.
    fn given_to_constructors(
        &self,
        fields: &FxHashSet<PlaceIndex>,
        keys: &mut FxHashMap<PlaceIndex, FxHashSet<Symbol>>,
    ) {
        let solver = self.solver;
        let mut sources = FxHashMap::default();
        for index in 0..solver.program.files.len() as u32 {
            note_sources(solver, FileIndex(index), &mut sources);
        }
        // What is put in a field is the parameter itself, or what stands for it there.
        let parameter = |from: PlaceIndex| {
            let behind = std::iter::successors(Some(from), |place| sources.get(place).copied().flatten());
            behind.take(4).find_map(|place| solver.parameter_at(place))
        };
        let mut filled_by: FxHashMap<(FunctionIndex, PlaceIndex), Vec<PlaceIndex>> = FxHashMap::default();
        for row in &solver.stores {
            let Some(owner) = solver.program.functions[row.function.at()].owner else {
                continue;
            };
            let field = solver.program.find_member(owner, row.member);
            if let Some(field) = field.filter(|field| fields.contains(field))
                && let Some(parameter) = row.from.and_then(parameter)
            {
                filled_by.entry((row.function, parameter)).or_default().push(field);
            }
        }
        for (hole, given) in solver.keys_of(&filled_by.keys().copied().collect()) {
            let texts = given.into_iter().filter_map(|(_, key)| key.text());
            let texts: Vec<Symbol> = texts.collect();
            for field in &filled_by[&hole] {
                keys.entry(*field).or_default().extend(&texts);
            }
        }
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            for target in &row.targets {
                let Target::Class(class) = target else { continue };
                for (field, argument) in solver.filled_fields(call as u32, *class) {
                    if let (true, Some(text)) = (fields.contains(&field), argument.text) {
                        keys.entry(field).or_default().insert(text);
                    }
                }
            }
        }
    }

    /// The texts that literals of structures put there: `Ratio{Column: "late"}`.
    fn put_by_literals(&self, fields: &FxHashSet<PlaceIndex>, keys: &mut FxHashMap<PlaceIndex, FxHashSet<Symbol>>) {
        let solver = self.solver;
        let mut texts: FxHashMap<(FileIndex, Position), Symbol> = FxHashMap::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            let rows = file.facts.texts_in_fields.iter();
            texts.extend(rows.map(|(.., text, at)| ((index, *at), solver.program.symbol(index, *text))));
        }
        for row in solver.stores.iter().filter(|_| !texts.is_empty()) {
            let Some(text) = texts.get(&(row.file, row.position)) else {
                continue;
            };
            for (_, object) in solver.held(row.base) {
                let (Object::Instance(owner) | Object::AnyOf(owner)) = object else {
                    continue;
                };
                let field = solver.program.find_member(owner, row.member);
                if let Some(field) = field.filter(|field| fields.contains(field)) {
                    keys.entry(field).or_default().insert(*text);
                }
            }
        }
    }

    /// The texts that the bodies of classes bind there: `class Late(Ratio): column = "late"`.
    fn bound_by_classes(&self, fields: &FxHashSet<PlaceIndex>, keys: &mut FxHashMap<PlaceIndex, FxHashSet<Symbol>>) {
        let program = &*self.solver.program;
        for (index, file) in program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for (class, member, constant) in &file.facts.bound_in_classes {
                let Constant::Text(text) = constant else { continue };
                let (class, member) = (program.type_index(index, *class), program.symbol(index, *member));
                let field = program.types[class.at()].members.get(&member);
                if let Some(field) = field.filter(|field| fields.contains(field)) {
                    keys.entry(*field).or_default().insert(program.symbol(index, *text));
                }
            }
            for (class, member, key, is_of_enumeration) in &file.facts.class_constants {
                let (ElementKey::Text(text), false) = (key, *is_of_enumeration) else {
                    continue;
                };
                let [class] = program.types_named(index, program.symbol(index, *class)) else {
                    continue;
                };
                let class = program.type_index(index, *class);
                let member = program.symbol(index, *member);
                let order = program.types[class.at()].order.iter();
                let above = order.filter_map(|base| program.types[base.at()].members.get(&member));
                for field in above.filter(|field| fields.contains(field)) {
                    keys.entry(*field).or_default().insert(program.symbol(index, *text));
                }
            }
        }
    }
}
