//! Attributes that a class answers for by methods of its own: `__getattr__`, `__setattr__`, and what descriptors are asked by.
//!
//! ```python
//! class Proxy:
//!     def __init__(self, inner): self._inner = inner
//!     def __getattr__(self, name): return getattr(self._inner, name)
//! Proxy(store).put(mail)            # `put` of what lies in `_inner`
//! ```
//!
//! A `__getattr__` that asks something else by the same name hands on: what is asked of the whole is asked of that.

use super::access::implicit_row;
use super::rows::RowSite;
use super::solve::{ArgumentRow, LoadRow, Solver};
use crate::link::{DerivedPlace, PlaceIndex, Symbol, TypeIndex};

/// Most things that hand on to each other.
const CHAIN_LIMIT: u8 = 4;

impl Solver<'_> {
    /// What is not there is asked of `__getattr__`, and of what that hands it on to.
    pub(super) fn ask_for_attribute(&mut self, row: LoadRow, index: TypeIndex) {
        if !self.special_reads.insert((row.to, index)) {
            return;
        }
        self.special_read(row, ("__getattr__", index), row.base, None);
        let depth = self.handed_on.get(&row.base).copied().unwrap_or_default();
        if depth >= CHAIN_LIMIT {
            return;
        }
        for path in self.asked_instead(index) {
            let (mut base, mut only) = (row.base, Some(index));
            for member in path {
                let inner = self.derive_place(DerivedPlace::Passing(row.function));
                self.handed_on.insert(inner, depth + 1);
                let load = LoadRow {
                    only,
                    ..LoadRow::implicit(base, member, inner, row.at())
                };
                self.push_load(load);
                (base, only) = (inner, None);
            }
            self.push_load(LoadRow {
                base,
                implicit: false,
                ..row
            });
        }
    }

    /// What a class's `__getattr__` asks by the name that it is asked for: each by the members that lead there.
    fn asked_instead(&self, index: TypeIndex) -> Vec<Vec<Symbol>> {
        let method = self.program.symbols.find("__getattr__");
        let place = method.and_then(|name| self.program.find_member(index, name));
        let Some(member) = place.and_then(|place| self.program.member_of(place)) else {
            return Vec::new();
        };
        let (file, owner) = (member.file, member.owner);
        let facts = &self.program.files[file.at()].facts;
        let is_own = |function: crate::facts::FunctionId| {
            let class = facts.functions[function.0 as usize].owner;
            class.map(|class| self.program.type_index(file, class)) == Some(owner)
        };
        let rows = facts.handed_on.iter().filter(|(function, _)| is_own(*function));
        rows.map(|(_, path)| path.iter().map(|name| self.program.symbol(file, *name)).collect())
            .collect()
    }

    /// Writing an attribute calls the class's `__setattr__`.
    pub(super) fn hand_to_class(&mut self, store: u32, index: TypeIndex) {
        let row = self.stores[store as usize];
        if row.implicit || row.is_direct || !self.has(index, "__setattr__") || !self.stores_handed.insert((store, index)) {
            return;
        }
        let name = ArgumentRow {
            text: Some(row.member),
            ..ArgumentRow::positional(None, row.position)
        };
        let value = ArgumentRow::positional(row.from, row.position);
        self.call_hook((row.base, index), "__setattr__", row.at(), &[name, value]);
    }

    fn call_hook(&mut self, (base, index): (PlaceIndex, TypeIndex), name: &str, at: RowSite, given: &[ArgumentRow]) {
        let member = self.program.symbols.intern(name);
        let callee = self.derive_place(DerivedPlace::Passing(at.function));
        let load = LoadRow {
            only: Some(index),
            ..LoadRow::implicit(base, member, callee, at)
        };
        self.push_load(load);
        self.push_call(implicit_row(callee, load), given, &[]);
    }

    /// Writing a member that holds a descriptor calls its `__set__`.
    pub(super) fn set_descriptor(&mut self, store: u32, index: TypeIndex, place: PlaceIndex) {
        let row = self.stores[store as usize];
        if !self.has(index, "__set__") || !self.special_reads.insert((row.base, index)) {
            return;
        }
        let given = [Some(row.base), row.from].map(|place| ArgumentRow::positional(place, row.position));
        self.call_hook((place, index), "__set__", row.at(), &given);
    }

    /// A call of `base.name(argument)` whose value is what a load finds.
    pub(super) fn special_read(
        &mut self,
        row: LoadRow,
        (name, index): (&str, TypeIndex),
        base: PlaceIndex,
        argument: Option<PlaceIndex>,
    ) {
        let member = self.program.symbols.intern(name);
        let callee = self.derive_place(DerivedPlace::Passing(row.function));
        let load = LoadRow {
            base,
            member,
            to: callee,
            after: None,
            implicit: true,
            known: false,
            only: (name == "__getattr__").then_some(index),
            without: [None; 2],
            ..row
        };
        self.push_load(load);
        let argument = ArgumentRow::positional(argument, row.position);
        self.push_call(implicit_row(callee, load), &[argument], &[row.to]);
    }
}
