//! Containers that are compared: what lies in them answers.
//!
//! ```python
//! [first] == [second]          # asks `first.__eq__(second)`
//! (price, order) < other       # and this `order.__lt__`, where the prices are alike
//! order in orders              # and this the `__eq__` of each
//! ```

use rustc_hash::FxHashSet;

use super::object::{Object, ObjectId};
use super::rows::{ElementRow, LoadRow, RowBase, RowKey};
use super::solve::Solver;
use crate::facts::ContainerKind;
use crate::link::{DerivedPlace, PlaceIndex, Symbol};

/// How containers compare themselves.
const COMPARISONS: [&str; 6] = ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"];

/// Most containers in each other.
const DEPTH_LIMIT: u8 = 3;

/// Comparisons whose parts are asked.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// Whether any class of the program compares its objects; nothing as long as nobody asked.
    is_asked: Option<bool>,
    /// By what is compared, and where what answers comes to.
    told: FxHashSet<(PlaceIndex, PlaceIndex)>,
    /// The loads that ask parts: what is not found there says nothing of the comparison.
    pub parts: FxHashSet<u32>,
}

impl Solver<'_> {
    /// Asks the parts of a container that is compared. Whether it is.
    pub(super) fn compare_parts(&mut self, row: &LoadRow, container: ObjectId) -> bool {
        let text = self.program.symbols.text(row.member);
        // What is sought in a list is compared with each of its parts.
        let is_sought = text == "__contains__" && self.is_list(container);
        let is_comparison = row.implicit && (is_sought || COMPARISONS.contains(&text));
        if !is_comparison || !self.untyped.contains(&row.file) || self.own_containers.contains_key(&container) {
            return false;
        }
        if !self.is_any_compared() || !self.compared.told.insert((row.base, row.to)) {
            return true;
        }
        let depth = self.handed_on.get(&row.base).copied().unwrap_or_default();
        if depth < DEPTH_LIMIT {
            let part = self.derive_place(DerivedPlace::Passing(row.function));
            self.handed_on.insert(part, depth + 1);
            let read = ElementRow::made((row.base, RowKey::Any, part), RowBase::Argument, row.at());
            self.push_element_load(ElementRow { silent: true, ..read });
            let member = match is_sought {
                true => self.program.symbols.intern("__eq__"),
                false => row.member,
            };
            self.compared.parts.insert(self.loads.len() as u32);
            self.push_load(LoadRow::implicit(part, member, row.to, row.at()));
        }
        true
    }

    fn is_list(&self, container: ObjectId) -> bool {
        match self.objects.get(container) {
            Object::Container { kind, .. } | Object::Typed { kind, .. } => {
                matches!(kind, ContainerKind::List | ContainerKind::Tuple)
            }
            _ => false,
        }
    }

    fn is_any_compared(&mut self) -> bool {
        let program = &self.program;
        *self.compared.is_asked.get_or_insert_with(|| {
            let has = |name: Symbol| program.types.iter().any(|row| row.members.contains_key(&name));
            let mut names = COMPARISONS.iter().filter_map(|name| program.symbols.find(name));
            names.any(has)
        })
    }
}
