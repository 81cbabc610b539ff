//! Structures that embed an interface: their method is that of what lies in the field.
//!
//! ```go
//! type logged struct{ Store }
//! logged{memory}.Get()          // `memory.Get`; and of `logged{logged{memory}}`, too
//! ```

use rustc_hash::FxHashSet;

use super::object::{Object, ObjectId};
use super::solve::{LoadRow, Solver};
use crate::link::{Base, DerivedPlace, PlaceIndex, TypeIndex};

impl Solver<'_> {
    /// A struct that embeds an interface: the method is that of whatever its own embedded field holds.
    pub(super) fn embedded_interface(&mut self, row: LoadRow, receiver: ObjectId, owner: Base) -> bool {
        let Object::Instance(index) = self.objects.get(receiver) else {
            return false;
        };
        if let Base::External(name) = owner
            && (self.untyped.contains(&row.file) || self.is_concrete_outside(self.program.symbols.text(name)))
        {
            return false;
        }
        let fields: Vec<PlaceIndex> = self.program.types[index.at()]
            .order
            .iter()
            .flat_map(|base| self.program.types[base.at()].members.values().copied())
            .collect();
        let mut found = false;
        for field in fields {
            // The interface may itself embed the one that asks for the method.
            let holds = self.held(field).any(|(_, object)| match (object, owner) {
                (Object::AnyOf(held), Base::Type(owner)) => self.program.types[held.at()].order.contains(&owner),
                (Object::AnyOf(held), Base::External(_)) => {
                    let mut order = self.program.types[held.at()].order.iter();
                    order.any(|base| self.program.types[base.at()].bases.contains(&owner))
                }
                (Object::External(held) | Object::AnyExternal(held), Base::External(owner)) => held == owner,
                _ => false,
            });
            if holds {
                found = true;
                let Some(name) = self.program.member_of(field).map(|member| member.name) else {
                    continue;
                };
                // What wraps itself asks itself again.
                let part = match self.embedded_parts.get(&(field, row.to)) {
                    Some(part) => *part,
                    None => {
                        let part = self.derive_place(DerivedPlace::Passing(row.function));
                        self.embedded_parts.insert((field, row.to), part);
                        self.push_load(LoadRow {
                            base: part,
                            known: false,
                            ..row
                        });
                        part
                    }
                };
                // Others that the same place holds may answer by themselves.
                if !self.wholes.contains_key(&(row.base, index, part)) {
                    let whole = self.derive_place(DerivedPlace::Passing(row.function));
                    self.wholes.insert((row.base, index, part), whole);
                    self.add(whole, receiver);
                    self.push_load(LoadRow::implicit(whole, name, part, row.at()));
                }
            }
        }
        found
    }

    /// The methods that are asked of nothing but structures which embed an interface.
    pub(super) fn asked_of_embedded(&self) -> FxHashSet<PlaceIndex> {
        let wholes: FxHashSet<(PlaceIndex, TypeIndex)> = self.wholes.keys().map(|(base, of, _)| (*base, *of)).collect();
        let bases: FxHashSet<PlaceIndex> = wholes.iter().map(|(base, _)| *base).collect();
        let parts: FxHashSet<PlaceIndex> = self.embedded_parts.keys().map(|(_, to)| *to).collect();
        let is_whole = |base: PlaceIndex, object: Object| match object {
            Object::Instance(of) => wholes.contains(&(base, of)),
            _ => false,
        };
        let rows = self.loads.iter().filter(|row| bases.contains(&row.base));
        let rows = rows.filter(|row| self.held(row.base).all(|(_, object)| is_whole(row.base, object)));
        let asked = rows.map(|row| row.to).filter(|to| parts.contains(to));
        asked.collect()
    }
}
