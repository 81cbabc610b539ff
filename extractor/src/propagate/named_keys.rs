//! Constants of other files, and of classes, as keys: they mean what a text in their place would.
//!
//! ```python
//! # const.py                            # setup.py
//! CONF_MAIL = "mail"                    config[CONF_MAIL]              # config["mail"]
//! class Columns: PHONE = "phone"        row.get(Columns.PHONE)         # row.get("phone")
//! ```
//!
//! In Go as well: `fields[wire.Mail]`. What is named before anything is propagated goes into the rows; what is found out later serves
//! [`super::keyed`] alone.

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::Object;
use super::solve::{RowKey, Solver};
use crate::facts::{ElementKey, Place, PlaceId, PlaceKind, Position};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol, TypeIndex};

/// Most imports through which a constant gets its name.
const NAMED_LIMIT: usize = 2;

/// A key that a function names by a constant.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedKey {
    pub key: Symbol,
    pub file: FileIndex,
    pub function: FunctionIndex,
    pub position: Position,
}

impl Solver<'_> {
    /// Puts constants in the place of their names, where these are keys or arguments.
    pub(super) fn name_keys(&mut self) {
        let named = self.constants_named();
        if named.is_empty() {
            return;
        }
        let members = self.members_of_enumerations();
        for row in self.element_loads.iter_mut().chain(&mut self.element_stores) {
            if row.known || row.key != RowKey::Any {
                continue;
            }
            match row.index.and_then(|index| named.get(&index)) {
                Some(Part::Text(key)) => {
                    row.key = RowKey::Text(*key);
                    if members.contains(key) {
                        continue;
                    }
                    self.handed_keys.named.push(NamedKey {
                        key: *key,
                        file: row.file,
                        function: row.function,
                        position: row.position,
                    });
                }
                Some(Part::Index(index)) => row.key = RowKey::Index(*index),
                _ => {}
            }
        }
        for argument in self.arguments.iter_mut().filter(|argument| argument.text.is_none()) {
            if let Some(Part::Text(text)) = argument.place.and_then(|place| named.get(&place))
                && !members.contains(text)
            {
                argument.text = Some(*text);
            }
        }
        self.handed_keys.constants = named;
    }

    /// What is known of reads by now that nothing was known of before anything was propagated.
    pub(super) fn name_loads(&mut self) {
        let mut named = std::mem::take(&mut self.handed_keys.constants);
        self.constants_loaded(&mut named);
        self.handed_keys.constants = named;
    }

    /// What stands for members of enumerations: no texts, and no names on a wire.
    fn members_of_enumerations(&self) -> FxHashSet<Symbol> {
        let mut members = FxHashSet::default();
        for (index, file) in self.program.files.iter().enumerate() {
            for (.., key, is_member) in &file.facts.class_constants {
                if let (ElementKey::Text(name), true) = (key, is_member) {
                    members.insert(self.program.symbol(FileIndex(index as u32), *name));
                }
            }
        }
        members
    }

    /// Where constants of files are named elsewhere: `settings.HOST`, `from settings import HOST`, `Columns.PHONE`.
    fn constants_named(&mut self) -> FxHashMap<PlaceIndex, Part> {
        let mut named: FxHashMap<PlaceIndex, Part> = FxHashMap::default();
        for index in 0..self.program.files.len() as u32 {
            let file = FileIndex(index);
            let facts = self.program.files[file.at()].facts.clone();
            let constants: FxHashMap<_, _> = facts.constants.iter().copied().collect();
            let is_global = |place: &Place| matches!(place.kind, PlaceKind::Global | PlaceKind::Constant);
            for (local, place) in facts.places.iter().enumerate().filter(|_| !constants.is_empty()) {
                let part = constants.get(&place.name).filter(|_| is_global(place));
                if let Some(part) = part.and_then(|key| self.part_named(file, *key)) {
                    named.insert(self.program.place(file, PlaceId(local as u32)), part);
                }
            }
            for (class, member, key, _) in &facts.class_constants {
                let Some(part) = self.part_named(file, *key) else {
                    continue;
                };
                let class = self.program.symbol(file, *class);
                if let [only] = self.program.types_named(file, class) {
                    let member = self.program.symbol(file, *member);
                    let members = &self.program.types[self.program.type_index(file, *only).at()].members;
                    named.extend(members.get(&member).map(|place| (*place, part)));
                }
            }
        }
        let sources = self.sources_of_names();
        for _ in 0..NAMED_LIMIT {
            let found = sources.iter().filter_map(|(to, from)| Some((*to, *named.get(from)?)));
            let found: Vec<_> = found.collect();
            named.extend(found);
        }
        self.constants_loaded(&mut named);
        named
    }

    /// Reads of members that are constants.
    fn constants_loaded(&mut self, named: &mut FxHashMap<PlaceIndex, Part>) {
        let sources = self.sources_of_names();
        let assigned: FxHashSet<Symbol> = self.stores.iter().map(|row| row.member).collect();
        for index in 0..self.loads.len() {
            let row = self.loads[index];
            // Before anything is propagated an import holds what it brings, and what names it nothing.
            let named_by = std::iter::successors(Some(row.base), |place| sources.get(place).copied());
            let mut held = named_by.take(1 + NAMED_LIMIT).map(|place| self.contents(place));
            let Some([only]) = held.find(|held| !held.is_empty()) else {
                continue;
            };
            let from = match self.objects.get(*only) {
                Object::Package(package) => match self.program.package_member(package, row.member) {
                    Meaning::Places(places) if places.len() == 1 => places.first().copied(),
                    _ => None,
                },
                Object::Class(class) if self.program.place_kind(row.base) != Some(PlaceKind::Receiver) => {
                    self.program.find_member(class, row.member)
                }
                // What is the same for all objects of the class, and of those below it.
                Object::Class(class) | Object::Instance(class) | Object::AnyOf(class)
                    if !assigned.contains(&row.member) =>
                {
                    let below = &self.program.types[class.at()].subtypes;
                    let is_own = |below: &TypeIndex| self.program.types[below.at()].members.contains_key(&row.member);
                    self.program
                        .find_member(class, row.member)
                        .filter(|_| !below.iter().any(is_own))
                }
                _ => None,
            };
            let part = from.and_then(|from| named.get(&from).copied());
            named.extend(part.map(|part| (row.to, part)));
        }
    }

    /// Where imports, and names that files do not bind themselves, have their values from, if that is one place.
    pub(super) fn sources_of_names(&self) -> FxHashMap<PlaceIndex, PlaceIndex> {
        let mut sources: FxHashMap<PlaceIndex, PlaceIndex> = FxHashMap::default();
        let mut several = FxHashSet::default();
        for (from, to) in &self.import_sources {
            if sources.insert(*to, *from).is_some_and(|other| other != *from) {
                several.insert(*to);
            }
        }
        sources.retain(|to, _| !several.contains(to));
        for (file, index, places) in &self.name_sources {
            let name_use = self.program.files[file.at()].facts.name_uses[*index as usize];
            if let [from] = places.as_slice() {
                sources.insert(self.program.place(*file, name_use.to), *from);
            }
        }
        sources
    }

    fn part_named(&self, file: FileIndex, key: ElementKey) -> Option<Part> {
        match key {
            ElementKey::Text(name) => Some(Part::Text(self.program.symbol(file, name))),
            ElementKey::Index(index) => Some(Part::Index(index)),
            _ => None,
        }
    }
}
