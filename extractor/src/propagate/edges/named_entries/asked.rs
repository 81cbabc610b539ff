//! What is asked for under texts that come as data: of each item, what lies under the text that it brings for that.
//!
//! ```python
//! SPEC = [{"feature": "caps", "source": "subject"}, {"feature": "kb", "source": "size"}]       # or pairs, objects, or a table of texts
//! {spec["feature"]: str(mail[spec["source"]]) for spec in SPEC}                                # ["caps"] is made of what came as `subject`
//! {"m_" + name: getattr(mail, name) for name in ("subject", "size")}                           # ["m_subject"] of that member
//! ```

use rustc_hash::FxHashMap;

use super::{Entries, Finder, PLACE_LIMIT, Read, Source, Way};
use crate::facts::ContainerKind;
use crate::link::{FileIndex, Part, PlaceIndex, Symbol};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{Solver, Target};

/// The texts that displays hold.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// Of lists, by where these are made. A number is the text that it is written as.
    listed: FxHashMap<PlaceIndex, Vec<Symbol>>,
    /// Of mappings: under which key which text.
    under: FxHashMap<PlaceIndex, Vec<(Symbol, Symbol)>>,
    /// What containers are copies of.
    copied: FxHashMap<PlaceIndex, PlaceIndex>,
}

impl Texts {
    pub(super) fn new(solver: &Solver<'_>) -> Self {
        let mut texts = Self::default();
        let program = &*solver.program;
        for (index, file) in program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            let symbol = |name| program.symbol(file_index, name);
            for (list, text, _) in &file.facts.texts_listed {
                let list = program.place(file_index, *list);
                texts.listed.entry(list).or_default().push(symbol(*text));
            }
            for (list, number, _) in &file.facts.numbers_listed {
                let list = program.place(file_index, *list);
                texts.listed.entry(list).or_default().push(symbol(*number));
            }
            for (mapping, key, text) in &file.facts.texts_under {
                let mapping = program.place(file_index, *mapping);
                texts
                    .under
                    .entry(mapping)
                    .or_default()
                    .push((symbol(*key), symbol(*text)));
            }
        }
        let copies = solver.part_copies.iter();
        texts.copied = copies.map(|row| (row.to, row.from)).collect();
        texts
    }
}

impl Finder<'_, '_> {
    /// What reads bring that ask for what an item names, under the name that it brings.
    pub(super) fn entries_asked(&self, (name, key): (PlaceIndex, &Read), reads: &[Read]) -> Entries {
        let mut entries = Vec::new();
        for value in reads {
            match (value.ways.as_slice(), value.index) {
                ([Way::Value], Some(index)) => {
                    let (index, around) = self.core(index);
                    let tables = self.containers(value.item, ContainerKind::Map);
                    let is_unknown = self.is_from_outside(value);
                    // What a table has under the name itself is told with all that is registered there.
                    if !tables.is_empty() && self.first(index) == name {
                        continue;
                    }
                    for (name, asked) in self.texts_of_items((name, key), index) {
                        let Some(asked) = around.known(&self.solver.program.symbols, asked) else {
                            continue;
                        };
                        let parts = tables
                            .iter()
                            .filter_map(|table| self.solver.elements.get(&(*table, Part::Text(asked))));
                        let found = parts.flat_map(|place| self.found(*place, (&[], value.called)));
                        entries.extend(found.map(|source| (name, source)));
                        entries.extend(is_unknown.then_some((name, Source::Key(asked))));
                    }
                }
                // `getattr(mail, name)`: one of the members that the names name.
                ([Way::Member(member)], None) if value.item != key.item && self.is_one_of_several(value.at) => {
                    let symbols = &self.solver.program.symbols;
                    let names = self.texts_of_items((name, key), name).into_iter().map(|(name, _)| name);
                    let fitting = names.filter(|name| may_be_named(symbols.text(*member), symbols.text(*name)));
                    let Some(name) = fitting.max_by_key(|name| symbols.text(*name).len()) else {
                        continue;
                    };
                    let found = match value.called {
                        Some(_) => {
                            let classes = self.classes(self.solver.contents(value.item));
                            self.called_on(&classes, *member, value.called)
                        }
                        None => vec![Source::Place(value.at)],
                    };
                    entries.extend(found.into_iter().map(|source| (name, source)));
                }
                _ => {}
            }
        }
        entries
    }

    /// What mappings bring of which one part is a name: `{"name": "caps", "give": caps}`.
    pub(super) fn entries_of_mappings(
        &self,
        item: PlaceIndex,
        (name, given): (Symbol, Symbol),
        more: (&[Way], Option<u32>),
    ) -> Entries {
        let mut entries = Vec::new();
        for table in self.containers(item, ContainerKind::Map) {
            let Some(text) = self.text_under(table, name) else {
                continue;
            };
            let place = self.solver.elements.get(&(table, Part::Text(given)));
            let found = place.into_iter().flat_map(|place| self.found(*place, more));
            entries.extend(found.map(|source| (text, source)));
        }
        entries
    }

    /// What the arguments of a call ask for that calls what an item brings, where these bring nothing else of what is asked.
    pub(super) fn entries_asked_in_arguments(&self, key: (PlaceIndex, &Read), reads: &[Read]) -> Entries {
        let mut entries = Vec::new();
        for call in reads.iter().filter_map(|read| read.called) {
            let places = self.solver.call_arguments(call).iter();
            let places: Vec<PlaceIndex> = places.filter_map(|argument| argument.place).collect();
            let asked: Vec<Read> = places.iter().flat_map(|place| self.reads(*place).reads).collect();
            let is_whole = |place: &PlaceIndex| asked.iter().any(|read| read.item == self.first(*place));
            if !places.iter().any(is_whole) {
                let found = self.entries_asked(key, &asked).into_iter();
                entries.extend(found.filter(|(_, source)| matches!(source, Source::Key(_))));
            }
        }
        entries
    }

    /// Whether what is read may have come from outside.
    pub(super) fn is_from_outside(&self, read: &Read) -> bool {
        let solver = self.solver;
        let outside = &self.tables.named_outside;
        let is_named = solver.contents(read.item).iter().any(|id| outside.contains(id));
        let load = self.loads.get(&read.at);
        let row = load.map(|load| &solver.element_loads[*load as usize]);
        let is_read = match row {
            Some(row) => self.tables.unknown.is_read(solver, row),
            None => self.tables.unknown.is_in(read.item),
        };
        is_named || is_read || solver.contents(read.item).is_empty()
    }

    /// Whether a member was read because some name may name it.
    fn is_one_of_several(&self, place: PlaceIndex) -> bool {
        let load = self.tables.load_of.get(&place);
        load.is_some_and(|load| self.solver.loads[*load as usize].implicit)
    }

    /// Of each item, the text that is its name, and the one that it brings in another place.
    fn texts_of_items(&self, (name, key): (PlaceIndex, &Read), asked: PlaceIndex) -> Vec<(Symbol, Symbol)> {
        let [own] = key.ways.as_slice() else { return Vec::new() };
        let other = match self.first(asked) == name {
            true => *own,
            false => match self.name_read(asked) {
                Some(read) if read.item == key.item && read.ways.len() == 1 => read.ways[0],
                _ => return Vec::new(),
            },
        };
        let mut texts = Vec::new();
        match (*own, other) {
            (Way::Value, Way::Value) => {
                texts.extend(self.texts_of_lists(key.item).into_iter().map(|text| (text, text)))
            }
            (Way::Key, Way::Value) => {
                for table in self.containers(key.item, ContainerKind::Map) {
                    texts.extend(self.texts_in(table));
                }
            }
            (Way::Part(name), Way::Part(other)) => {
                for pair in self.tuples(key.item) {
                    texts.extend(self.texts_of_pair(pair, (name, other)));
                }
            }
            (Way::Under(name), Way::Under(other)) => {
                for table in self.containers(key.item, ContainerKind::Map) {
                    texts.extend(self.text_under(table, name).zip(self.text_under(table, other)));
                }
            }
            (Way::Member(name), Way::Member(other)) => {
                for class in self.classes(self.solver.contents(key.item)) {
                    let [name, other] = [name, other].map(|name| self.field_given(class, name).unwrap_or(name));
                    let text = |made: &super::made::MadeHere, member: Symbol| {
                        let of_class = || self.made.text_of_class(self.solver, class, member);
                        made.texts.get(&member).copied().or_else(of_class)
                    };
                    let mut all = self.made.of(class).to_vec();
                    // Nothing is known of its objects: all is said by the class.
                    if all.is_empty() {
                        all.push(super::made::MadeHere::default());
                    }
                    texts.extend(all.iter().filter_map(|made| text(made, name).zip(text(made, other))));
                }
            }
            _ => {}
        }
        texts
    }

    /// The texts of the lists that a place holds; one that is made of another has those of that other one.
    pub(super) fn texts_of_lists(&self, place: PlaceIndex) -> Vec<Symbol> {
        let (mut open, mut seen) = (vec![place], 0);
        let mut texts = Vec::new();
        while let Some(place) = open.pop() {
            seen += 1;
            if seen > PLACE_LIMIT {
                break;
            }
            for (_, object) in self.solver.held(place) {
                let Object::Container { site, .. } = object else {
                    continue;
                };
                match (self.written.listed.get(&site), self.written.copied.get(&site)) {
                    (Some(listed), _) => texts.extend(listed),
                    (None, Some(from)) => open.push(*from),
                    _ => {}
                }
            }
        }
        texts.sort_unstable();
        texts.dedup();
        texts
    }

    /// The text that a mapping has under a key.
    pub(super) fn text_under(&self, table: ObjectId, key: Symbol) -> Option<Symbol> {
        let mut texts = self.texts_in(table).iter().rev();
        texts.find(|(own, _)| *own == key).map(|(_, text)| *text)
    }

    /// The texts that a mapping has, with their keys.
    fn texts_in(&self, table: ObjectId) -> &[(Symbol, Symbol)] {
        let texts = match self.solver.objects.get(table) {
            Object::Container { site, .. } => self.written.under.get(&site),
            _ => None,
        };
        texts.map_or(&[], Vec::as_slice)
    }

    /// The texts at two positions of a pair, or of all pairs that `table.items()` gives.
    fn texts_of_pair(&self, pair: ObjectId, (name, other): (u32, u32)) -> Vec<(Symbol, Symbol)> {
        let solver = self.solver;
        let Object::Container { site, .. } = solver.objects.get(pair) else {
            return Vec::new();
        };
        let Some(call) = self.tuple_calls.get(&site) else {
            let text = |position: u32| self.texts.get(&(site, position)).copied();
            return text(name).zip(text(other)).into_iter().collect();
        };
        let row = &solver.calls[*call as usize];
        let is_items = match row.targets.as_slice() {
            [Target::External(callee)] => solver.program.symbols.text(*callee).ends_with(".items"),
            _ => false,
        };
        match (row.receiver, (name, other)) {
            (Some(table), (0, 1)) if is_items => {
                let tables = self.containers(table, ContainerKind::Map);
                tables.iter().flat_map(|table| self.texts_in(*table)).copied().collect()
            }
            (Some(table), (0, 0)) if is_items => {
                let tables = self.containers(table, ContainerKind::Map);
                let names = tables
                    .iter()
                    .flat_map(|table| solver.parts.get(table).into_iter().flatten());
                let names = names.filter_map(|(part, _)| match part {
                    Part::Text(name) => Some((*name, *name)),
                    _ => None,
                });
                names.collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Whether a member is named by a text, or by one that is put together around it: `compute_trip` by `trip`.
fn may_be_named(member: &str, name: &str) -> bool {
    let before = member
        .strip_suffix(name)
        .is_some_and(|before| before.is_empty() || before.ends_with('_'));
    before || member.strip_prefix(name).is_some_and(|behind| behind.starts_with('_'))
}
