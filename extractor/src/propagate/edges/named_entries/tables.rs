//! Tables of what has a name: written down, filled by who registers it, or by what says its name itself.
//!
//! ```python
//! FEATURES = {"caps": caps}
//! register("kb", size)                                        # `def register(name, give): FEATURES[name] = give`
//! def __init_subclass__(cls): FEATURES[cls.label] = cls       # under what the class below says
//! ```

use rustc_hash::FxHashMap;

use super::{Entries, Finder, Way};
use crate::facts::PlaceKind;
use crate::link::{Part, PlaceIndex, Symbol};
use crate::propagate::object::ObjectId;
use crate::propagate::solve::ElementRow;

impl Finder<'_, '_> {
    /// What tables get under names that it has itself: `TABLE[cls.label] = cls`.
    pub(super) fn self_named_in(
        &self,
        rows: &[(ElementRow, PlaceIndex)],
    ) -> FxHashMap<ObjectId, Vec<(PlaceIndex, Symbol)>> {
        let mut named: FxHashMap<ObjectId, Vec<(PlaceIndex, Symbol)>> = FxHashMap::default();
        for (row, key) in rows {
            let Some(read) = self.read(self.first(*key)) else {
                continue;
            };
            if let [Way::Member(member)] = read.ways.as_slice()
                && self.first(row.value) == read.item
            {
                for table in self.solver.contents(row.base) {
                    named.entry(*table).or_default().push((read.item, *member));
                }
            }
        }
        named
    }

    /// What objects and classes give that are in a table under a name of theirs.
    fn entries_of_self_named(&self, item: PlaceIndex, name: Symbol, (ways, called): (&[Way], Option<u32>)) -> Entries {
        match ways {
            [Way::Made, ways @ ..] => self.entries_of_classes(item, name, (ways, called)),
            [Way::Member(member)] => self.entries_of_objects(item, (name, *member), called, 0),
            _ => Vec::new(),
        }
    }

    /// What is under each known key of tables.
    pub(super) fn entries_of_tables(&self, tables: Vec<ObjectId>, more: (&[Way], Option<u32>)) -> Entries {
        let mut entries = Vec::new();
        for table in tables {
            for (item, member) in self.self_named.get(&table).into_iter().flatten() {
                entries.extend(self.entries_of_self_named(*item, *member, more));
            }
            for (part, place) in self.solver.parts.get(&table).into_iter().flatten() {
                let Part::Text(name) = part else { continue };
                let (places, ways) = match more.0 {
                    [Way::Member(member)] => match self.registered_in(table, *name, *member) {
                        Some(places) => (places, &[][..]),
                        None => (vec![*place], more.0),
                    },
                    ways => (self.registered(table, *name).unwrap_or_else(|| vec![*place]), ways),
                };
                let found = places.into_iter().flat_map(|place| self.found(place, (ways, more.1)));
                entries.extend(found.map(|source| (*name, source)));
            }
        }
        entries
    }

    /// What callers of a function that puts what it is given in a table gave it under this name: `register("caps", caps)`.
    fn registered(&self, table: ObjectId, name: Symbol) -> Option<Vec<PlaceIndex>> {
        let meanings = self.registering.get(&(table, Part::Text(name)))?;
        let solver = self.solver;
        let mut places = Vec::new();
        for meaning in meanings {
            let value = *self.registers.get(&meaning.inner)?;
            // `def __init_subclass__(cls, name): TABLE[name] = cls`
            if solver.program.place_kind(value) == Some(PlaceKind::Receiver) {
                places.extend(solver.calls[meaning.call as usize].receiver);
                continue;
            }
            let parameter = solver.parameter_at(value).or_else(|| self.wrapped(value))?;
            places.extend(self.arguments_for(meaning.call, parameter));
        }
        let direct = self.direct.get(&name).into_iter().flatten();
        let direct = direct.filter(|(base, _)| solver.contents(*base).contains(&table));
        places.extend(direct.map(|(_, value)| *value));
        Some(places)
    }

    /// The same of a member of what is put there: `registry[name] = scorer{name, of}`.
    fn registered_in(&self, table: ObjectId, name: Symbol, member: Symbol) -> Option<Vec<PlaceIndex>> {
        let meanings = self.registering.get(&(table, Part::Text(name)))?;
        let mut places = Vec::new();
        for meaning in meanings {
            let literal = self.first(*self.registers.get(&meaning.inner)?);
            places.extend(self.arguments_for(meaning.call, self.made.given_at(literal, member)?));
        }
        Some(places)
    }
}
