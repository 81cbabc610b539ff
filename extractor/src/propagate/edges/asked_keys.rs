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
use rustc_hash::FxHashSet;

use super::{Collector, End};
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::keyed::{HANDED_ON_LIMIT, Key};
use crate::propagate::library::{End as EffectEnd, Subject};
use crate::propagate::solve::{ElementRow, RowKey};

/// Helpers whose parameter is a wire name, and whether they read what is under it.
pub(super) type AskedKeys = FxHashSet<((FunctionIndex, PlaceIndex), bool)>;

impl Collector<'_, '_> {
    /// The wire name by which a library call reads or writes, if it stands there; a parameter that is one is looked at later.
    pub(super) fn key_asked(&mut self, call: u32, end: &EffectEnd, is_read: bool) -> Option<Symbol> {
        match end.subject {
            Subject::Key(index) => self.key_at(call, index, is_read),
            _ => None,
        }
    }

    /// As [`Self::key_asked`], of an argument.
    pub(super) fn key_at(&mut self, call: u32, index: usize, is_read: bool) -> Option<Symbol> {
        let argument = *self.solver.call_arguments(call).get(index)?;
        if argument.text.is_none()
            && let Some(parameter) = argument.place.and_then(|place| self.solver.parameter_at(place))
        {
            let function = self.solver.calls[call as usize].function;
            self.asked_keys.insert(((function, parameter), is_read));
        }
        argument.text
    }

    /// `body[name]`, where callers say the name.
    pub(super) fn note_asked(&mut self, row: &ElementRow) {
        let index = row.index.filter(|_| row.key == RowKey::Any);
        if let Some(parameter) = index.and_then(|index| self.solver.parameter_at(index)) {
            self.asked_keys.insert(((row.function, parameter), true));
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
                for (_, keys) in self.solver.keys_of(&holes.collect()) {
                    for (call, key) in keys {
                        match key {
                            Key::Part(Part::Text(key)) => self.named_at(call, key, is_read),
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

    fn named_at(&mut self, call: u32, key: Symbol, is_read: bool) {
        let (site, function) = (self.call_site(call), self.solver.calls[call as usize].function);
        self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::WireName, site);
        let result = self.solver.call_results(call).first().copied();
        if let Some(result) = result.filter(|_| is_read) {
            self.flow(End::Key(key), End::Place(result), How::Decode, Rule::WireName, site);
        }
    }
}
