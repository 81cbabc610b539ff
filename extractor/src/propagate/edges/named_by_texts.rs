//! Wire names that a variable holds one after another: the texts of a list that the program writes down.
//!
//! ```python
//! NUMERIC = ["rooms", "floor"]
//! sum(row[c] for c in NUMERIC)            # reads `rooms` and `floor`
//! {c: row[c] for c in NUMERIC}            # each of them is under its own name again: nothing is said of the others
//! ```
//!
//! `for c in TABLE` and `for c, spec in TABLE.items()` name the keys of a mapping so. All texts of the list are named at the one place; of a table of
//! rows, what each of them has there: `mail[spec["source"]]`. What of them goes under which name is told row by row ([`super::named_entries`]).

use ripple_schema::{EdgeKind, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::facts::{ContainerKind, PlaceKind};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::grouped::Grouped;
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, RowKey, Solver};

/// Most texts that one place may mean.
const TEXT_LIMIT: usize = 64;

/// Most places between a list and the variable.
const PLACE_LIMIT: usize = 16;

/// Something unknown is asked for what a variable names.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedByText {
    /// The variable.
    pub index: PlaceIndex,
    pub function: FunctionIndex,
    /// What is read.
    pub value: Option<PlaceIndex>,
    pub site: EdgeSite,
}

/// The texts that a variable holds.
#[derive(Debug, Default)]
struct Named {
    texts: Vec<Symbol>,
    /// Something is put under each of them as well: what is read under one goes there, and not under the others.
    each_alone: bool,
}

impl Collector<'_, '_> {
    pub(super) fn keys_named_by_texts(&mut self) {
        let asked = std::mem::take(&mut self.asked_by_text);
        if asked.is_empty() {
            return;
        }
        let texts = Texts::new(self.solver);
        let mut known: FxHashMap<(PlaceIndex, FunctionIndex), Named> = FxHashMap::default();
        for AskedByText {
            index,
            function,
            value,
            site,
        } in asked
        {
            let named = known
                .entry((index, function))
                .or_insert_with(|| texts.of(index, function));
            for key in named.texts.iter().copied() {
                if self.wire_name(RowKey::Text(key)).is_none() {
                    continue;
                }
                match value.filter(|_| !named.each_alone) {
                    Some(value) => self.read_by_key(function, (key, value), Rule::WireName, site),
                    None => self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::WireName, site),
                }
            }
        }
    }
}

/// Where texts are written down, and how they get to where they are asked for.
struct Texts<'s, 'p> {
    solver: &'s Solver<'p>,
    /// The texts of lists, by where these are made.
    lists: FxHashMap<PlaceIndex, Vec<Symbol>>,
    /// The texts in rows of tables, which are mappings or tuples, by where a row is made.
    rows: FxHashMap<(PlaceIndex, RowKey), Symbol>,
    /// Variables under which something is put.
    puts: FxHashSet<PlaceIndex>,
    /// Lists of names under which a function puts something at once: `df[NUMERIC] = …`.
    lists_put: FxHashSet<(FunctionIndex, PlaceIndex)>,
    /// Reads of parts, by where the part goes.
    loads: Grouped,
    /// Copies of parts, by what they write to.
    copies: Grouped,
    /// Pairs of a key and what is under it, by where they are made, with the mapping: `TABLE.items()`.
    items: FxHashMap<PlaceIndex, PlaceIndex>,
    /// What places are assigned, as it stands in the files.
    into: Grouped,
}

impl<'s, 'p> Texts<'s, 'p> {
    fn new(solver: &'s Solver<'p>) -> Self {
        let places = solver.program.place_count();
        let files = || {
            let files = solver.program.files.iter().enumerate();
            files.map(|(index, file)| (FileIndex(index as u32), &file.facts))
        };
        let mut lists: FxHashMap<PlaceIndex, Vec<Symbol>> = FxHashMap::default();
        for (file, facts) in files() {
            for (list, text, _) in &facts.texts_listed {
                let text = solver.program.symbol(file, *text);
                lists.entry(solver.program.place(file, *list)).or_default().push(text);
            }
        }
        let mut rows = FxHashMap::default();
        for (file, facts) in files() {
            let place = |own| solver.program.place(file, own);
            let symbol = |name| solver.program.symbol(file, name);
            let listed = facts.texts_listed.iter();
            rows.extend(
                listed.filter_map(|(list, text, at)| Some(((place(*list), RowKey::Index((*at)?)), symbol(*text)))),
            );
            let under = facts.texts_under.iter();
            rows.extend(
                under.map(|(mapping, key, text)| ((place(*mapping), RowKey::Text(symbol(*key))), symbol(*text))),
            );
        }
        let stores = solver.element_stores.iter();
        let puts = stores.filter_map(|row| match row.key {
            RowKey::Keys => Some((row.function, row.value)),
            _ => Some((row.function, row.index?)),
        });
        let puts: Vec<(FunctionIndex, PlaceIndex)> = puts.collect();
        let lists_put = puts.iter().flat_map(|(function, index)| {
            let held = solver.held(*index);
            held.filter_map(|(_, object)| match object {
                Object::Container { site, .. } => Some((*function, site)),
                _ => None,
            })
        });
        let lists_put = lists_put.filter(|(_, site)| lists.contains_key(site)).collect();
        Self {
            solver,
            lists,
            rows,
            puts: puts.iter().map(|(_, index)| *index).collect(),
            lists_put,
            loads: Grouped::new(places, || {
                let rows = solver.element_loads.iter().enumerate();
                rows.map(|(index, row)| (row.value.at(), index as u32))
            }),
            copies: Grouped::new(places, || {
                let rows = solver.part_copies.iter().enumerate();
                rows.map(|(index, row)| (row.to.at(), index as u32))
            }),
            items: items(solver),
            into: Grouped::new(places, || {
                files().flat_map(|(file, facts)| {
                    let place = move |own| solver.program.place(file, own);
                    let flows = facts.flows.iter().filter(|flow| flow.same);
                    flows.map(move |flow| (place(flow.to).at(), place(flow.from).0))
                })
            }),
        }
    }

    /// The texts that are in a variable of a function one after another, or in the list that it holds; none where not all come from one list.
    fn of(&self, index: PlaceIndex, function: FunctionIndex) -> Named {
        let (mut open, mut seen) = (vec![index], FxHashSet::default());
        let mut lists: Vec<PlaceIndex> = Vec::new();
        self.add_lists(index, &mut lists);
        let (mut each_alone, mut in_rows, mut of_keys) = (false, Vec::new(), Vec::new());
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            if seen.len() > PLACE_LIMIT {
                return Named::default();
            }
            each_alone |= self.puts.contains(&place);
            for load in self.loads.of(place.at()) {
                let row = &self.solver.element_loads[*load as usize];
                let of_rows = self.texts_of_rows(row.base, row.key);
                if !of_rows.is_empty() {
                    in_rows.extend(of_rows);
                    continue;
                }
                let keys = self.keys_of_tables(row);
                if !keys.is_empty() {
                    of_keys.extend(keys);
                    continue;
                }
                if !row.key.is_iteration() || row.key == RowKey::Keys {
                    return Named::default();
                }
                self.add_lists(row.base, &mut lists);
            }
            open.extend(self.into.of(place.at()).iter().map(|from| PlaceIndex(*from)));
        }
        let is_alone = each_alone && in_rows.is_empty();
        let mut told = if in_rows.is_empty() { of_keys } else { in_rows };
        if !told.is_empty() {
            told.sort_unstable();
            told.dedup();
            let is_all = lists.is_empty() && told.len() <= TEXT_LIMIT;
            return Named {
                texts: if is_all { told } else { Vec::new() },
                each_alone: is_alone,
            };
        }
        lists.sort_unstable();
        lists.dedup();
        let [list] = lists.as_slice() else {
            return Named::default();
        };
        let texts = self.lists.get(list).filter(|texts| texts.len() <= TEXT_LIMIT);
        Named {
            texts: texts.cloned().unwrap_or_default(),
            each_alone: each_alone || self.lists_put.contains(&(function, *list)),
        }
    }

    /// The keys of mappings that are gone over, where all are known: one by one, or in pairs with what is under them.
    fn keys_of_tables(&self, row: &ElementRow) -> Vec<Symbol> {
        let solver = self.solver;
        let pair = |(_, object)| match object {
            Object::Container { site, .. } => self.items.get(&site).copied(),
            _ => None,
        };
        let table = match row.key {
            RowKey::Keys | RowKey::Each => Some(row.base),
            RowKey::Index(0) => solver.held(row.base).find_map(pair),
            _ => None,
        };
        let mut keys = Vec::new();
        for (id, object) in table.into_iter().flat_map(|table| solver.held(table)) {
            let site = match object {
                Object::Container {
                    kind: ContainerKind::Map,
                    site,
                    ..
                } if !solver.open.contains(&id) && !solver.supposed.contains(&id) => site,
                _ => return Vec::new(),
            };
            // One that is filled while the program runs has others at other times.
            let written: Vec<Part> = match solver.keyed.get(&site) {
                Some(written) => written.clone(),
                // `**fields`: what calls give by name.
                None if solver.program.place_kind(site) == Some(PlaceKind::Parameter) => {
                    let parts = solver.parts.get(&id).into_iter().flatten();
                    parts.map(|(part, _)| *part).collect()
                }
                None => return Vec::new(),
            };
            keys.extend(written.iter().filter_map(|part| match part {
                Part::Text(name) => Some(*name),
                _ => None,
            }));
        }
        keys
    }

    /// The texts that all rows which a place holds have under a key.
    fn texts_of_rows(&self, base: PlaceIndex, key: RowKey) -> Vec<Symbol> {
        let rows = self.solver.held(base).filter_map(|(_, object)| match object {
            Object::Container { site, .. } => Some(self.rows.get(&(site, key)).copied()),
            _ => None,
        });
        rows.collect::<Option<Vec<Symbol>>>().unwrap_or_default()
    }

    /// Adds the lists that a place holds; one that is made of another is that other one.
    fn add_lists(&self, place: PlaceIndex, lists: &mut Vec<PlaceIndex>) {
        for (_, object) in self.solver.held(place) {
            let Object::Container { site, .. } = object else {
                continue;
            };
            let copied = self
                .copies
                .of(site.at())
                .first()
                .filter(|_| !self.lists.contains_key(&site));
            match copied {
                Some(copy) => {
                    let from = self.solver.part_copies[*copy as usize].from;
                    let of_copied = self.solver.held(from).filter_map(|(_, object)| match object {
                        Object::Container { site, .. } => Some(site),
                        _ => None,
                    });
                    lists.extend(of_copied);
                }
                None => lists.push(site),
            }
        }
    }
}

/// The pairs that `table.items()` gives, with the table.
fn items(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, PlaceIndex> {
    let pairs = solver.result_tuples.iter();
    pairs
        .filter_map(|(call, tuple)| Some((*tuple, items_of(solver, *call)?)))
        .collect()
}

/// The mapping of which a call gives the items: `table.items()`.
pub(super) fn items_of(solver: &Solver<'_>, call: u32) -> Option<PlaceIndex> {
    let row = &solver.calls[call as usize];
    let called = solver.program.symbols.text(row.text);
    let is_items = called == "items" || called.ends_with(".items");
    row.receiver.filter(|_| is_items)
}
