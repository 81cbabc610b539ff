//! Keys that objects keep: `row[self.column]` is the part under whatever the object was made with.
//!
//! ```python
//! class Lower:
//!     def __init__(self, column): self.column = column         # and nobody else puts anything there
//!     def apply(self, row):
//!         row[self.column] = row[self.column].lower()           # one part, under one key
//! Lower("city").apply(row)                                      # the part `["city"]`
//! ```
//!
//! To the method such a key is what a parameter would be: the first read of the field stands for all of them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::heap::keys::{is_brought, is_parameter};
use super::made_with::set_by_constructors;
use super::solve::Solver;
use crate::link::{FileIndex, PlaceIndex, Symbol};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct KeptKeys {
    /// The first read of the same field, by the value of each.
    first: FxHashMap<PlaceIndex, PlaceIndex>,
    /// Of first reads, the parameter and the field.
    fields: FxHashMap<PlaceIndex, (PlaceIndex, Symbol)>,
}

impl KeptKeys {
    /// The parameter and the field that a key is read from; none for a key that a parameter brings itself.
    pub(super) fn field(&self, key: PlaceIndex) -> Option<(PlaceIndex, Symbol)> {
        self.fields.get(&key).copied()
    }
}

impl Solver<'_> {
    /// Finds the reads of fields of parameters that constructors alone put something in.
    pub(super) fn find_kept_keys(&mut self) {
        let mut names: FxHashSet<Symbol> = FxHashSet::default();
        for (index, file) in self.program.files.iter().enumerate() {
            let made = file.facts.fields_made.iter();
            names.extend(made.map(|row| self.program.symbol(FileIndex(index as u32), row.field)));
        }
        if names.is_empty() {
            return;
        }
        let (fields, changes) = set_by_constructors(self, &names);
        let names = fields.into_keys().map(|(_, field)| field);
        let names: FxHashSet<Symbol> = names.filter(|field| !changes.has(*field)).collect();
        let mut known: FxHashMap<(PlaceIndex, Symbol), PlaceIndex> = FxHashMap::default();
        let mut kept = KeptKeys::default();
        for row in self.loads.iter().filter(|row| names.contains(&row.member)) {
            let is_own = self.program.owner_of(row.base) == Some(row.function);
            if is_own && is_brought(self, row.base) {
                let first = *known.entry((row.base, row.member)).or_insert(row.to);
                kept.first.insert(row.to, first);
                kept.fields.insert(first, (row.base, row.member));
            }
        }
        self.kept_keys = kept;
    }

    /// What stands for a key in its function: a parameter, or a field of one.
    pub(super) fn key_place(&self, place: PlaceIndex) -> Option<PlaceIndex> {
        let kept = || self.kept_keys.first.get(&place).copied();
        is_parameter(self, place).then_some(place).or_else(kept)
    }
}
