//! Wire names that reach library code through a helper: the call that hands one in names it, and what the helper gives back was read under it.
//!
//! ```go
//! func getenv(name, def string) string { if v, ok := os.LookupEnv(name); ok { return v }; return def }
//! dsn := getenv("APP_DSN", "local")        // names `APP_DSN`, and `dsn` is read from it
//! ```
//!
//! Calls of the helper are told apart by what they hand in, as with tables ([`crate::propagate::keyed`]); one that hands on a parameter of its own is a
//! helper, too.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::named_by_texts::AskedByText;
use super::{Collector, End};
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::keyed::{HANDED_ON_LIMIT, Key, entered};
use crate::propagate::library::{End as EffectEnd, Subject};
use crate::propagate::solve::{ArgumentRow, ElementRow, RowKey};

/// Helpers whose parameter is a wire name, and whether they read what is under it.
pub(super) type AskedKeys = FxHashSet<((FunctionIndex, PlaceIndex), bool)>;

impl Collector<'_, '_> {
    /// The wire name by which a library call reads or writes, if it stands there; a parameter that is one is looked at later.
    pub(super) fn key_asked(&mut self, call: u32, end: &EffectEnd, is_read: bool) -> Option<Symbol> {
        match &end.subject {
            Subject::Key(index) => self.key_at(call, *index, is_read),
            Subject::Path(index) => {
                let path = self.key_at(call, *index, is_read)?;
                let last = crate::facts::path::last_of(self.solver.program.symbols.text(path))?;
                self.solver.program.symbols.find(last)
            }
            Subject::KeyBy(name) => {
                let name = self.solver.program.symbols.find(name)?;
                let arguments = self.solver.call_arguments(call).iter();
                let argument = arguments.copied().find(|argument| argument.name == Some(name))?;
                self.key_of(call, argument, is_read)
            }
            _ => None,
        }
    }

    /// As [`Self::key_asked`], of an argument.
    pub(super) fn key_at(&mut self, call: u32, index: usize, is_read: bool) -> Option<Symbol> {
        let argument = *self.solver.call_arguments(call).get(index)?;
        self.key_of(call, argument, is_read)
    }

    fn key_of(&mut self, call: u32, argument: ArgumentRow, is_read: bool) -> Option<Symbol> {
        if let (None, Some(place)) = (argument.text, argument.place) {
            let function = self.solver.calls[call as usize].function;
            match self.solver.parameter_at(place) {
                Some(parameter) => _ = self.asked_keys.insert(((function, parameter), is_read)),
                None => {
                    if let Some(value) = self.solver.call_results(call).first().copied().filter(|_| is_read) {
                        self.note_field_asked(place, (function, value), self.call_site(call));
                    }
                    self.asked_at(call, place, is_read);
                }
            }
        }
        argument.text
    }

    /// `body[name]`, where callers say the name.
    pub(super) fn note_asked(&mut self, row: &ElementRow) {
        let Some(index) = row.index.filter(|_| row.key == RowKey::Any) else {
            return;
        };
        match self.solver.parameter_at(index) {
            Some(parameter) => _ = self.asked_keys.insert(((row.function, parameter), true)),
            None => self.asked_by_text.push(AskedByText {
                index,
                function: row.function,
                value: Some(row.value),
                site: (row.file, row.position).into(),
            }),
        }
    }

    /// What calls of helpers hand in.
    pub(super) fn keys_handed_in(&mut self) {
        let mut open = std::mem::take(&mut self.asked_keys);
        let mut known = AskedKeys::default();
        for _ in 0..HANDED_ON_LIMIT {
            let mut further = AskedKeys::default();
            for is_read in [true, false] {
                let holes = open
                    .iter()
                    .filter(|(_, reads)| *reads == is_read)
                    .map(|(hole, _)| *hole);
                let holes: FxHashSet<_> = holes.collect();
                let makers = self.given_to_makers(&holes);
                for (hole, keys) in self.solver.keys_of(&holes) {
                    let kept = makers.get(&hole.1).map_or(&[][..], Vec::as_slice);
                    for (call, key) in keys {
                        match key {
                            Key::Unknown if !kept.is_empty() => {
                                self.name_by_text((call, hole), is_read);
                                kept.iter().for_each(|key| self.use_key_at(call, *key));
                            }
                            Key::Part(Part::Text(key)) => self.named_at(call, key, is_read),
                            Key::Unknown => self.name_by_text((call, hole), is_read),
                            Key::Handed(own) => {
                                further.insert(((self.solver.calls[call as usize].function, own), is_read));
                            }
                            _ => {}
                        }
                    }
                }
            }
            known.extend(open);
            open = further.difference(&known).copied().collect();
        }
    }

    /// What the functions around closures are given for the parameters that these ask by: which call made a closure is not always seen.
    fn given_to_makers(&self, holes: &FxHashSet<(FunctionIndex, PlaceIndex)>) -> FxHashMap<PlaceIndex, Vec<Symbol>> {
        let makers = holes.iter().filter_map(|(function, parameter)| {
            let maker = self
                .solver
                .program
                .owner_of(*parameter)
                .filter(|maker| maker != function)?;
            Some((maker, *parameter))
        });
        let makers: FxHashSet<_> = makers.collect();
        let mut given: FxHashMap<PlaceIndex, Vec<Symbol>> = FxHashMap::default();
        for ((_, parameter), keys) in self.solver.keys_of(&makers) {
            let texts = keys.into_iter().filter_map(|(_, key)| key.text());
            let mut texts: Vec<Symbol> = texts.collect();
            texts.sort_unstable();
            texts.dedup();
            given.insert(parameter, texts);
        }
        given
    }

    /// What a call hands to a helper is asked for by a variable.
    fn name_by_text(&mut self, (call, (function, parameter)): (u32, (FunctionIndex, PlaceIndex)), is_read: bool) {
        let solver = self.solver;
        let mut targets = solver.calls[call as usize].targets.iter().filter_map(entered);
        let Some((_, bound)) = targets.find(|(own, _)| *own == function) else {
            return;
        };
        let given = solver.arguments_given(call, function, bound).into_iter();
        let mut given = given.filter(|(to, _)| *to == parameter);
        if let Some(index) = given.find_map(|(_, given)| given?.place) {
            self.asked_at(call, index, is_read);
        }
    }

    /// A call asks for what a variable names.
    fn asked_at(&mut self, call: u32, index: PlaceIndex, is_read: bool) {
        let solver = self.solver;
        self.asked_by_text.push(AskedByText {
            index,
            function: solver.calls[call as usize].function,
            value: solver.call_results(call).first().copied().filter(|_| is_read),
            site: self.call_site(call),
        });
    }

    /// One of several keys may be meant: it is named there, and no more is said.
    fn use_key_at(&mut self, call: u32, key: Symbol) {
        let (site, function) = (self.call_site(call), self.solver.calls[call as usize].function);
        self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::WireName, site);
    }

    fn named_at(&mut self, call: u32, key: Symbol, is_read: bool) {
        self.use_key_at(call, key);
        let site = self.call_site(call);
        let result = self.solver.call_results(call).first().copied();
        if let Some(result) = result.filter(|_| is_read) {
            self.flow(End::Key(key), End::Place(result), How::Decode, Rule::WireName, site);
        }
    }
}
