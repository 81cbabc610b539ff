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
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::keyed::Key;
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, RowKey};

/// A read under a name that a field keeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedByField {
    field: PlaceIndex,
    row: ElementRow,
}

impl Collector<'_, '_> {
    /// `X[self.column]` of something unknown.
    pub(super) fn note_asked_by_field(&mut self, row: &ElementRow) {
        let index = row.index.filter(|_| row.key == RowKey::Any);
        let Some(load) = index.and_then(|index| self.tables.load_of.get(&index)) else {
            return;
        };
        let load = self.solver.loads[*load as usize];
        for (_, object) in self.solver.held(load.base) {
            let (Object::Instance(owner) | Object::AnyOf(owner)) = object else {
                continue;
            };
            for field in self.solver.program.find_readable(owner, load.member) {
                if self.solver.program.is_field(field) {
                    self.asked_by_field.push(AskedByField { field, row: *row });
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
        let mut filled_by: FxHashMap<(FunctionIndex, PlaceIndex), Vec<PlaceIndex>> = FxHashMap::default();
        for row in &self.solver.stores {
            let Some(parameter) = row.from.and_then(|from| self.solver.parameter_at(from)) else {
                continue;
            };
            let Some(owner) = self.solver.program.functions[row.function.at()].owner else {
                continue;
            };
            let field = self.solver.program.find_member(owner, row.member);
            if let Some(field) = field.filter(|field| fields.contains(field)) {
                filled_by.entry((row.function, parameter)).or_default().push(field);
            }
        }
        let mut keys: FxHashMap<PlaceIndex, FxHashSet<Symbol>> = FxHashMap::default();
        for (hole, given) in self.solver.keys_of(&filled_by.keys().copied().collect()) {
            let texts = given.into_iter().filter_map(|(_, key)| match key {
                Key::Part(Part::Text(text)) => Some(text),
                _ => None,
            });
            let texts: Vec<Symbol> = texts.collect();
            for field in &filled_by[&hole] {
                keys.entry(*field).or_default().extend(&texts);
            }
        }
        for AskedByField { field, row } in asked {
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let mut named: Vec<Symbol> = keys.get(&field).into_iter().flatten().copied().collect();
            named.sort_unstable();
            for key in named {
                self.access(EdgeKind::UsesKey, row.function, End::Key(key), Rule::WireName, site);
                self.flow(End::Key(key), End::Place(row.value), How::Decode, Rule::WireName, site);
            }
        }
    }
}
