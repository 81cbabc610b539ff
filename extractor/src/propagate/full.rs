//! A place that has no room for more: any instance of the class that most of what it holds has in common.
//!
//! ```python
//! for operation in operations:        # 35 classes of them
//!     operation.run(state)            # any Operation
//! ```
//!
//! Where they have nothing in common, what comes late is left out: see [`super::cut`].

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::object::{Object, ObjectId};
use super::rows::LoadRow;
use super::solve::{CALLABLES_LIMIT, CONTENTS_LIMIT, Solver};
use crate::builtins::takes_anything;
use crate::facts::TypeExpression;
use crate::link::{PlaceIndex, Symbol, TypeIndex};

/// Steps of functions and classes from which on places take fewer of them, in a program of no places: small ones can afford that all is mixed.
const MIXED_STEPS: u64 = 8_000_000;

/// The same for each place of the program: there a place takes a quarter, and behind each further half of these steps a quarter of that,
/// three times in all. Programs that keep their functions apart need up to 8 (networkx), others 50 and more.
const MIXED_STEPS_PER_PLACE: u64 = 12;

/// Steps from which on no place takes anything more: what has come by then is what is told. Less than a minute.
const STEPS: u64 = 100_000_000;

/// The same for each place that the source has, where that is more: not for those that are added on the way, which where all is mixed are the
/// more the longer it goes on.
const STEPS_PER_PLACE: u64 = 24;

/// Places that are full.
#[derive(Debug, Default)]
pub(super) struct Full {
    /// Places behind a test, and what is tested there, where a declared type comes through.
    tested: FxHashMap<PlaceIndex, PlaceIndex>,
    /// What stands for what finds no room, if anything does; looked for once.
    common: FxHashMap<PlaceIndex, Option<TypeIndex>>,
}

impl Solver<'_> {
    /// What a place may hold of functions and classes: less where the program mixes them so much that each place would hold them all.
    pub(super) fn callables_limit(&self) -> usize {
        let places = MIXED_STEPS_PER_PLACE * self.slots.len().max(1) as u64;
        let over = self.callable_steps.saturating_sub(MIXED_STEPS);
        let mixed = (2 * over / places).saturating_sub(1).min(3);
        CALLABLES_LIMIT >> (2 * mixed)
    }

    /// Whether all steps are taken that a program of this size gets.
    pub(super) fn is_spent(&self) -> bool {
        self.taken_steps > STEPS.max(STEPS_PER_PLACE * u64::from(self.program.local_places))
    }

    /// An object does not come into a place.
    pub(super) fn leave_out(&mut self, place: PlaceIndex, object: ObjectId) {
        let held = self.objects.get(object);
        match held {
            Object::Container { .. } => self.left_out.note_container(place, object),
            _ => self.left_out.note(place, object, held.is_callable()),
        }
    }

    /// Whether a place is declared to take whatever there is (`value any`): nothing is called on that, so that many cost little, and code that
    /// encodes or logs gets all of them.
    pub(super) fn takes_anything(&self, place: PlaceIndex) -> bool {
        let program = &*self.program;
        let Some((file, local)) = program.local_place(place) else {
            return false;
        };
        let language = program.files[file.at()].language;
        let declared = program.declared_type(file, local);
        match declared.map(|declared| program.type_expression(file, declared)) {
            Some(TypeExpression::Path { parts, .. }) => match parts.as_slice() {
                [only] => takes_anything(language, program.files[file.at()].facts.text(*only)),
                _ => false,
            },
            _ => false,
        }
    }

    /// Nothing of what a place holds comes into another.
    pub(super) fn leave_all_out(&mut self, from: PlaceIndex, to: PlaceIndex) {
        for object in self.slots[from.at()].contents.clone() {
            if !self.slots[to.at()].holds(object) {
                self.leave_out(to, object);
            }
        }
    }

    /// An object finds no room in a place.
    pub(super) fn find_room(&mut self, place: PlaceIndex, object: ObjectId) {
        let held = self.objects.get(object);
        if matches!(held, Object::Container { .. }) {
            return self.leave_out(place, object);
        }
        let is_instance = matches!(held, Object::Instance(_) | Object::AnyOf(_));
        if is_instance && !self.full.common.contains_key(&place) {
            let common = self.common_type(place);
            self.full.common.insert(place, common);
            if let Some(common) = common {
                let any = self.objects.intern(Object::AnyOf(common));
                let slot = &mut self.slots[place.at()];
                if !slot.holds(any) {
                    slot.contents.push(any);
                    self.work.push((None, place, any));
                }
            }
        }
        let stands_for = |common| held == Object::AnyOf(common) || self.is_narrower(held, common);
        if !self.full.common.get(&place).copied().flatten().is_some_and(stands_for) {
            self.leave_out(place, object);
        }
    }

    /// A type comes to a test: if it stands for others before that, it does so behind it, too.
    pub(super) fn note_tested(&mut self, from: PlaceIndex, to: PlaceIndex, object: ObjectId) {
        if let Object::AnyOf(_) = self.objects.get(object) {
            self.full.tested.insert(to, from);
        }
    }

    /// Whether a place is full, or what it is a part of.
    pub(super) fn is_crowded(&self, place: PlaceIndex) -> bool {
        let is_full = |place: PlaceIndex| {
            let slot = &self.slots[place.at()];
            usize::from(slot.others + slot.containers) >= CONTENTS_LIMIT
        };
        is_full(place) || self.full.tested.get(&place).is_some_and(|from| is_full(*from))
    }

    /// Whether something that came to what a load reads from says more than its declared type. A subtype that has another method in
    /// this one's place came by `super()`: that says nothing of the others.
    pub(super) fn says_more(&self, row: &LoadRow, declared: TypeIndex) -> bool {
        let mut around = None;
        self.held(row.base).any(|(_, held)| {
            let Object::AnyOf(below) = held else {
                return self.is_narrower(held, declared);
            };
            let comes_by =
                |(name, place): &(Symbol, PlaceIndex)| self.program.find_member(below, *name) == Some(*place);
            self.is_narrower(held, declared) && {
                let names = around.get_or_insert_with(|| self.names_around(*row));
                names.is_empty() || names.iter().any(comes_by)
            }
        })
    }

    /// Whether a type stands for what found no room in a place, or where it came from, so that nothing in it says more.
    pub(super) fn stands_for_more(&self, place: PlaceIndex, declared: TypeIndex) -> bool {
        let others = usize::from(self.slots[place.at()].others);
        let narrower = || self.held(place).filter(|(_, held)| self.is_narrower(*held, declared));
        self.is_crowded(place) && narrower().count() >= others.div_ceil(2)
    }

    /// Whether a place may hold more than what is in it.
    pub(super) fn holds_more(&self, place: PlaceIndex) -> bool {
        self.held(place).any(|(_, held)| match held {
            Object::AnyOf(declared) => self.stands_for_more(place, declared),
            _ => false,
        })
    }

    /// Whether a receiver that only stands for others is one that somebody makes: of a class that has this very member.
    pub(super) fn is_made(&self, receiver: ObjectId, member: Symbol) -> bool {
        let Object::AnyOf(class) = self.objects.get(receiver) else {
            return true;
        };
        let own = self.program.find_member(class, member);
        let is_made = |class: TypeIndex| {
            self.objects.find(Object::Instance(class)).is_some() && self.program.find_member(class, member) == own
        };
        let below = &self.program.types[class.at()].subtypes;
        is_made(class) || below.iter().any(|class| is_made(*class))
    }

    /// The class that most of what a place holds comes from, half of it at least; of several, the one with the fewest classes below it.
    fn common_type(&self, place: PlaceIndex) -> Option<TypeIndex> {
        let types = self.held(place).filter_map(|(_, object)| match object {
            Object::Instance(index) | Object::AnyOf(index) => Some(index),
            _ => None,
        });
        let types: Vec<TypeIndex> = types.collect();
        let mut counts: FxHashMap<TypeIndex, usize> = FxHashMap::default();
        for base in types.iter().flat_map(|index| &self.program.types[index.at()].order) {
            *counts.entry(*base).or_default() += 1;
        }
        for (interface, implementers) in &self.implementers {
            let count = types.iter().filter(|index| implementers.contains(index)).count();
            counts.insert(*interface, count);
        }
        let half = usize::from(self.slots[place.at()].others).div_ceil(2);
        let below = |base: &TypeIndex| self.subtypes(*base).len();
        let common = counts
            .into_iter()
            .filter(|(base, count)| *count >= half && below(base) <= CALLABLES_LIMIT);
        let most = common.max_by_key(|(base, count)| (*count, Reverse(below(base)), Reverse(*base)));
        most.map(|(base, _)| base)
    }
}
