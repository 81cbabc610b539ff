//! Class-hierarchy analysis, where nothing more exact has arrived: a declared type stands for its subtypes.
//!
//! ```python
//! def area(shape: Shape): return shape.size()      # any `size` below `Shape`, as long as no caller is seen to hand over a `Circle`
//! ```

use super::object::{Object, ObjectId};
use super::solve::{LoadRow, Solver};
use crate::facts::TypeKind;
use crate::link::{PlaceIndex, Symbol, TypeIndex};

/// Loads whose base holds something that is only declared, and how much the base held when each was last widened.
#[derive(Debug, Default)]
pub(super) struct WidenedAt {
    rows: Vec<(u32, u32)>,
    noted: Vec<bool>,
}

impl WidenedAt {
    fn note(&mut self, load: u32) {
        if self.noted.len() <= load as usize {
            self.noted.resize(load as usize + 1, false);
        }
        if !std::mem::replace(&mut self.noted[load as usize], true) {
            self.rows.push((load, 0));
        }
    }

    /// Those that are there by now, by the number of the load.
    fn in_order(&mut self) -> &[(u32, u32)] {
        self.rows.sort_unstable();
        &self.rows
    }
}

impl Solver<'_> {
    /// A load to which something comes that is only declared will be widened.
    pub(super) fn note_widening(&mut self, load: u32, object: ObjectId) {
        if let Object::AnyOf(_) | Object::AnyExternal(_) = self.objects.get(object) {
            self.widened_at.note(load);
        }
    }

    /// Widens what was noted, where its base holds more than when it was last looked at.
    pub(super) fn widen(&mut self) {
        for index in 0..self.widened_at.in_order().len() {
            let (load, before) = self.widened_at.rows[index];
            let row = self.loads[load as usize];
            // What it comes to depends on nothing else.
            let held = self.contents(row.base).len() as u32 * 2 + u32::from(self.is_crowded(row.base));
            if before == held {
                continue;
            }
            self.widened_at.rows[index].1 = held;
            for index in 0..self.contents(row.base).len() {
                let object = self.contents(row.base)[index];
                let declared = match self.objects.get(object) {
                    Object::AnyOf(declared) => declared,
                    Object::AnyExternal(interface) => {
                        self.widen_outside(load, row, interface, object);
                        continue;
                    }
                    _ => continue,
                };
                if !self.says_more(&row, declared) || self.stands_for_more(row.base, declared) {
                    self.widen_to(load, declared, object);
                }
            }
        }
    }

    /// A declared type stands for its subtypes where this load reads it.
    pub(super) fn widen_to(&mut self, load: u32, declared: TypeIndex, object: ObjectId) {
        if !self.widened.insert((load, object)) {
            return;
        }
        let row = self.loads[load as usize];
        match row.after {
            Some(_) => self.load_member(load, row, declared, object),
            None => self.widen_load(load, row, declared, object),
        }
    }

    /// As for an interface of the index: nothing that arrives says more, so it is anything that has the methods.
    fn widen_outside(&mut self, load: u32, row: LoadRow, interface: Symbol, object: ObjectId) {
        if row.implicit || self.widened.contains(&(load, object)) || self.is_narrowed(row.base) {
            return;
        }
        self.widened.insert((load, object));
        self.load_from(load, object);
        for implementer in self.implementers_outside(interface) {
            if let Some(place) = self.program.find_member(implementer, row.member) {
                let receiver = self.objects.intern(Object::Instance(implementer));
                self.member_copy(load, place, receiver);
            }
        }
    }

    /// Whether something is there of which more is known than an interface of a library.
    pub(super) fn is_narrowed(&self, place: PlaceIndex) -> bool {
        self.held(place).any(|(_, held)| match held {
            Object::AnyExternal(_) => false,
            Object::External(name) => !self.program.symbols.text(name).contains("()"),
            _ => true,
        })
    }

    /// Where a method asks its own receiver: the members that the method is. A subtype that has others in their place, and never came
    /// here by another way, is not what is asked.
    pub(super) fn names_around(&self, row: LoadRow) -> Vec<(Symbol, PlaceIndex)> {
        let owner = self.program.functions[row.function.at()].owner;
        let own = self.objects.find(Object::Function(row.function));
        let (Some(owner), Some(own), true) = (owner, own, self.receiver_place(row.function) == Some(row.base)) else {
            return Vec::new();
        };
        let members = self.program.types[owner.at()].members.iter();
        let is_it = |place: &PlaceIndex| self.contents(*place).contains(&own);
        members
            .filter(|(_, place)| is_it(place))
            .map(|(name, place)| (*name, *place))
            .collect()
    }

    fn widen_load(&mut self, load: u32, row: LoadRow, declared: TypeIndex, object: ObjectId) {
        if self.is_private(row.member) {
            return self.load_member(load, row, declared, object);
        }
        let is_interface = self.program.type_facts(declared).kind == TypeKind::Interface;
        let subtypes = self.subtypes_at(row.base, declared);
        let is_protocol = !is_interface && self.implementers.contains_key(&declared);
        if !is_interface && !is_protocol {
            self.load_member(load, row, declared, object);
        }
        let mut around: Option<Vec<(Symbol, PlaceIndex)>> = None;
        for subtype in &subtypes {
            let place = if is_interface {
                self.program.find_member(*subtype, row.member)
            } else if is_protocol {
                self.conforming_member(*subtype, declared, row.member)
            } else if self.answers_before(row, *subtype) {
                None
            } else {
                // Only where a subtype replaces the member.
                let own = |name| self.program.types[subtype.at()].members.get(&name).copied();
                let second = || own(self.second_choice(row, *subtype)?);
                own(row.member)
                    .or_else(second)
                    .or_else(|| self.mixed_in(*subtype, declared, row.member))
            };
            let Some(place) = place else { continue };
            let names = around.get_or_insert_with(|| self.names_around(row));
            let comes_by =
                |(name, place): &(Symbol, PlaceIndex)| self.program.find_member(*subtype, *name) == Some(*place);
            if names.is_empty() || names.iter().any(comes_by) {
                let kind = if is_interface {
                    Object::Instance(*subtype)
                } else {
                    Object::AnyOf(*subtype)
                };
                let receiver = self.objects.intern(kind);
                self.member_copy(load, place, receiver);
            }
        }
        if is_interface
            && subtypes.is_empty()
            && let Some(place) = self.program.find_member(declared, row.member)
        {
            self.member_copy(load, place, object);
        }
    }
}
