//! What is put in a set, or is a key of a mapping, is asked for its hash.
//!
//! ```python
//! class Card:
//!     def __hash__(self): return hash(self.name)
//! hand[card] = 1               # calls `Card.__hash__`
//! seen.add(key)                # and this whatever method `key` has for that, if it has one
//! ```
//!
//! See [object.__hash__](https://docs.python.org/3/reference/datamodel.html#object.__hash__).

use ripple_schema::{How, Rule};
use rustc_hash::FxHashSet;

use super::{CallEdge, Collector, EdgeSite, End, NO_CALL};
use crate::facts::ContainerKind;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, RowKey};

impl Collector<'_, '_> {
    /// Calls of `__hash__`, each once for a function and what it calls.
    pub(super) fn hashed(&mut self) {
        let solver = self.solver;
        let asked = ["__hash__", "__eq__"].map(|name| solver.program.symbols.find(name));
        let [Some(hash), equal] = asked else { return };
        if !self.names.is_of_a_method(hash) {
            return;
        }
        let is_hashing = |row: &ElementRow, kind: ContainerKind| {
            let mut held = solver.held(row.base);
            held.any(|(_, object)| matches!(object, Object::Container { kind: own, .. } if own == kind))
        };
        let stores = solver.element_stores.iter();
        let stores = stores.filter(|row| row.key == RowKey::Keys || is_hashing(row, ContainerKind::Set));
        let stores = stores.map(|row| (row, row.value));
        let loads = solver.element_loads.iter();
        let loads = loads.filter_map(|row| Some((row, row.index.filter(|_| is_hashing(row, ContainerKind::Map))?)));
        let mut told: FxHashSet<(FunctionIndex, End)> = FxHashSet::default();
        let mut found: Vec<(&ElementRow, PlaceIndex, End)> = Vec::new();
        for (row, key) in stores
            .chain(loads)
            .filter(|(row, _)| !row.silent && solver.untyped.contains(&row.file))
        {
            for (_, object) in solver.held(key) {
                let Object::Instance(class) = object else { continue };
                let method = solver.program.find_member(class, hash);
                for method in method.into_iter().flat_map(|method| solver.held(method)) {
                    if let (_, Object::Function(method)) = method {
                        found.push((row, key, End::Function(method)));
                    }
                }
            }
            if self.may_be_of_the_index(key, row.file) {
                let named = [Some(hash), equal].into_iter().flatten();
                let named = named.filter(|name| self.names.is_of_a_method(*name));
                found.extend(named.map(|name| (row, key, End::Unresolved(name))));
            }
        }
        for (row, _, target) in found {
            let is_known = match target {
                End::Unresolved(name) => !self.special.insert((row.function, name)),
                _ => !told.insert((row.function, target)),
            };
            if is_known {
                continue;
            }
            self.flows.calls.push(CallEdge {
                function: row.function,
                target,
                how: How::Implicit,
                rule: match target {
                    End::Unresolved(_) => Rule::UnresolvedSpecial,
                    _ => Rule::Propagated,
                },
                site: EdgeSite {
                    file: row.file,
                    position: row.position,
                },
                call: NO_CALL,
            });
        }
    }
}
