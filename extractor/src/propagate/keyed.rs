//! Keys that callers hand in, of tables that everybody shares: what a function puts or finds under its parameter is, to each of its
//! calls, what is under the constant that the call gives.
//!
//! ```python
//! handlers = {}
//! def register(name, function): handlers[name] = function     # puts under `name`
//! def lookup(name): return handlers[name]                     # finds under `name`
//! register("show", show)                                      # what was put is in the part ["show"]
//! lookup("hide")                                              # what was found was in the part ["hide"], or under an unknown key
//! ```
//!
//! What is put has a place in the function, which is handed back by each call to the part that the call means; what is found has one,
//! which each call hands that part to. So summaries tell the calls apart, and no function has to be looked at twice. A call that
//! hands on a parameter of its own is told apart by its callers in turn; one of which the key is not known means any part.
//!
//! What is in the tables is told apart by where they are made: [`super::heap`] knows more of those that it can follow.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::grouped::Grouped;
use super::made_with::note_sources;
use super::named_keys::NamedKey;
use super::object::{Object, ObjectId};
use super::solve::{ArgumentRow, ElementRow, RowKey, Solver, Target};
use crate::facts::order::Point;
use crate::facts::{ArgumentKind, Constant, ContainerKind, PlaceId, PlaceKind};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Step, Symbol};

/// Most tables that are meant at one place.
const TABLE_LIMIT: usize = 4;

/// Most calls of a function that are told apart.
const CALL_LIMIT: usize = 256;

/// Most calls, one inside the other, through which a key is handed on.
pub(super) const HANDED_ON_LIMIT: usize = 3;

/// Most variables from the call that makes a closure to where it is called.
const KEPT_LIMIT: usize = 3;

/// What a call gives for a parameter that is a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// The part under a constant.
    Part(Part),
    /// A parameter of the caller.
    Handed(PlaceIndex),
    Unknown,
}

impl Key {
    /// The constant text that it is.
    pub(super) fn text(self) -> Option<Symbol> {
        match self {
            Self::Part(Part::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// What a call means by what its callee puts or finds under its key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meaning {
    /// What is put or found, in the callee.
    pub inner: PlaceIndex,
    pub is_put: bool,
    pub call: u32,
    pub outer: Outer,
}

/// Where that is, to the caller.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outer {
    /// In parts of these tables, by their number.
    Part(usize, Part),
    /// In any of their parts.
    Any(usize),
    /// Where the caller's own callers say.
    Handed(PlaceIndex),
}

/// A function that has a key, and which of its parameters, or of those of the function around it, that is.
type Keyhole = (FunctionIndex, PlaceIndex);

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Keyed {
    /// What element stores put, by row.
    pub stores: FxHashMap<u32, PlaceIndex>,
    /// What element loads find, by row.
    pub loads: FxHashMap<u32, PlaceIndex>,
    pub meanings: Vec<Meaning>,
    /// The tables that are meant at one place.
    pub tables: Vec<Vec<ObjectId>>,
    /// Parts of tables of which edges tell all that is in them.
    pub filled: FxHashSet<PlaceIndex>,
    /// What is found under keys.
    pub found: FxHashSet<PlaceIndex>,
    /// Keys that are named by constants.
    pub named: Vec<NamedKey>,
    has_constants: bool,
    /// Places that hold a constant of another file.
    pub constants: FxHashMap<PlaceIndex, Part>,
    table_ids: FxHashMap<Vec<ObjectId>, usize>,
    places: FxHashMap<(usize, Keyhole, bool), PlaceIndex>,
}

/// An element load or store under a key that is handed in.
struct Access {
    row: u32,
    is_put: bool,
    hole: Keyhole,
    tables: Vec<ObjectId>,
}

impl Solver<'_> {
    /// Finds what is put and found under keys that are handed in, and the parts that are meant. Whether there is anything new.
    pub(super) fn find_keyed(&mut self) -> bool {
        let accesses = self.keyed_accesses();
        if accesses.is_empty() {
            return false;
        }
        self.name_constants();
        let mut holes: FxHashMap<Keyhole, Vec<(u32, Key)>> = FxHashMap::default();
        let mut wanted: FxHashSet<Keyhole> = accesses.iter().map(|access| access.hole).collect();
        for _ in 0..HANDED_ON_LIMIT {
            let found = self.keys_of(&wanted);
            let handed = found
                .iter()
                .flat_map(|(_, keys)| keys)
                .filter_map(|(call, key)| match key {
                    Key::Handed(own) => Some((self.calls[*call as usize].function, *own)),
                    _ => None,
                });
            let handed: Vec<Keyhole> = handed.collect();
            holes.extend(found);
            wanted = handed.into_iter().filter(|hole| !holes.contains_key(hole)).collect();
            if wanted.is_empty() {
                break;
            }
        }
        let telling = telling(self, &holes);
        let before = self.work.len();
        for access in accesses.into_iter().filter(|access| telling.contains(&access.hole)) {
            let tables = self.handed_keys.number(access.tables);
            let place = self.place_under((tables, access.hole, access.is_put), &holes, &telling);
            match access.is_put {
                true => self.handed_keys.stores.insert(access.row, place),
                false => self.handed_keys.loads.insert(access.row, place),
            };
        }
        self.work.len() > before
    }

    /// What calls mean, those included that were found late.
    pub(super) fn keyed_meanings(&self) -> Vec<Meaning> {
        let mut meanings = self.handed_keys.meanings.clone();
        let known: FxHashSet<(PlaceIndex, u32)> =
            meanings.iter().map(|meaning| (meaning.inner, meaning.call)).collect();
        let mut by_function: FxHashMap<FunctionIndex, Vec<(usize, PlaceIndex, bool)>> = FxHashMap::default();
        for ((tables, (function, _), is_put), inner) in &self.handed_keys.places {
            let rows = by_function.entry(*function).or_default();
            rows.push((*tables, *inner, *is_put));
        }
        for (call, row) in self.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            for (function, _) in row.targets.iter().filter_map(entered) {
                for (tables, inner, is_put) in by_function.get(&function).into_iter().flatten() {
                    let (inner, is_put, call) = (*inner, *is_put, call as u32);
                    if !known.contains(&(inner, call)) {
                        let outer = Outer::Any(*tables);
                        meanings.push(Meaning {
                            inner,
                            is_put,
                            call,
                            outer,
                        });
                    }
                }
            }
        }
        meanings.sort_by_key(|meaning| (meaning.call, meaning.inner));
        meanings
    }

    /// Finds where constants of files are named, once.
    fn name_constants(&mut self) {
        if !std::mem::replace(&mut self.handed_keys.has_constants, true) {
            self.name_loads();
        }
    }

    /// The part that is under the constant that an argument is.
    pub(super) fn constant_given(&mut self, argument: &ArgumentRow) -> Option<Part> {
        part_given(argument).or_else(|| {
            self.name_constants();
            self.handed_keys.constants.get(&argument.place?).copied()
        })
    }

    /// As [`Self::constant_given`], of what was asked before.
    pub(super) fn constant_known(&self, argument: &ArgumentRow) -> Option<Part> {
        part_given(argument).or_else(|| self.handed_keys.constants.get(&argument.place?).copied())
    }

    fn keyed_accesses(&self) -> Vec<Access> {
        let rows = |rows: &[ElementRow], is_put: bool| {
            let rows = rows.iter().enumerate();
            let rows = rows.filter(|(_, row)| !row.silent && !row.known && row.key == RowKey::Any);
            let accesses = rows.filter_map(|(index, row)| {
                let hole = (row.function, self.parameter_at(row.index?)?);
                let tables = self.tables_at(row)?;
                let row = index as u32;
                Some(Access {
                    row,
                    is_put,
                    hole,
                    tables,
                })
            });
            accesses.collect::<Vec<_>>()
        };
        let mut accesses = rows(&self.element_stores, true);
        accesses.extend(rows(&self.element_loads, false));
        accesses
    }

    /// The parameter that a place is, or the one of a function around that a closure sees there.
    pub(super) fn parameter_at(&self, place: PlaceIndex) -> Option<PlaceIndex> {
        let (file, local) = self.program.local_place(place)?;
        let facts = &self.program.files[file.at()].facts;
        let kind = |place: PlaceId| facts.places[place.0 as usize].kind;
        if kind(local) == PlaceKind::Parameter {
            return Some(place);
        }
        if kind(local) != PlaceKind::Captured {
            return None;
        }
        let mut flows = facts.flows.iter().filter(|flow| flow.to == local);
        let from = flows.next().filter(|flow| flow.same && flows.next().is_none())?.from;
        (kind(from) == PlaceKind::Parameter).then(|| self.program.place(file, from))
    }

    /// The tables of a row, where they are few, and made by others.
    fn tables_at(&self, row: &ElementRow) -> Option<Vec<ObjectId>> {
        let mut tables = Vec::new();
        for (id, object) in self.held(row.base) {
            match object {
                Object::Container {
                    kind: ContainerKind::Map,
                    site,
                    ..
                } if self.program.owner_of(site) != Some(row.function) => tables.push(id),
                Object::Container { .. } => return None,
                _ => {}
            }
        }
        tables.sort_unstable();
        (1..=TABLE_LIMIT).contains(&tables.len()).then_some(tables)
    }

    /// What calls give for these.
    pub(super) fn keys_of(&self, holes: &FxHashSet<Keyhole>) -> Vec<(Keyhole, Vec<(u32, Key)>)> {
        self.keys_by(holes, &Callers::default())
    }

    /// As [`Self::keys_of`], for who asks again and again.
    pub(super) fn keys_by(&self, holes: &FxHashSet<Keyhole>, callers: &Callers) -> Vec<(Keyhole, Vec<(u32, Key)>)> {
        let mut by_function: FxHashMap<FunctionIndex, Vec<PlaceIndex>> = FxHashMap::default();
        for (function, parameter) in holes {
            by_function.entry(*function).or_default().push(*parameter);
        }
        let is_around = |(function, parameter): &Keyhole| self.program.owner_of(*parameter) != Some(*function);
        let given_by = match holes.iter().any(is_around) {
            true => Some(callers.given_by.get_or_init(|| self.calls_that_gave())),
            false => None,
        };
        let calls: Vec<u32> = match &callers.of {
            Some(of) => {
                let calls = by_function.keys().flat_map(|function| of.of(function.at()));
                let mut calls: Vec<u32> = calls.copied().collect();
                calls.sort_unstable();
                calls.dedup();
                calls
            }
            None => (0..self.calls.len() as u32).collect(),
        };
        let mut found: FxHashMap<Keyhole, Vec<(u32, Key)>> = FxHashMap::default();
        for call in calls {
            let row = &self.calls[call as usize];
            if row.silent {
                continue;
            }
            for target in &row.targets {
                let Some((function, bound)) = entered(target) else {
                    continue;
                };
                for parameter in by_function.get(&function).into_iter().flatten() {
                    let keys = found.entry((function, *parameter)).or_default();
                    if keys.last().is_some_and(|(last, _)| *last == call) {
                        continue;
                    }
                    let key = match self.program.owner_of(*parameter) {
                        Some(owner) if owner == function => self.key_handed(call, (function, bound), *parameter),
                        Some(owner) => {
                            let given = given_by.and_then(|given_by| given_by.get(&row.callee));
                            self.key_kept(given.copied(), owner, *parameter)
                        }
                        None => Key::Unknown,
                    };
                    keys.push((call, key));
                }
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable_by_key(|(hole, _)| *hole);
        found
    }

    /// By what it gave, each call; and by the variables that keep what it gave.
    fn calls_that_gave(&self) -> FxHashMap<PlaceIndex, u32> {
        let calls = (0..self.calls.len() as u32).filter(|call| !self.calls[*call as usize].silent);
        let gave = calls.filter_map(|call| Some((*self.call_results(call).first()?, call)));
        let mut given_by: FxHashMap<PlaceIndex, u32> = gave.collect();
        let mut sources = FxHashMap::default();
        for index in 0..self.program.files.len() as u32 {
            note_sources(self, FileIndex(index), &mut sources);
        }
        let named = self.sources_of_names().into_iter();
        sources.extend(named.map(|(to, from)| (to, Some(from))));
        for _ in 0..KEPT_LIMIT {
            let more = sources.iter().filter(|(to, _)| !given_by.contains_key(to));
            let more = more.filter_map(|(to, from)| Some((*to, *given_by.get(from.as_ref()?)?)));
            let more: Vec<_> = more.collect();
            given_by.extend(more);
        }
        given_by
    }

    /// What the call that gave a closure gave for a parameter of the function around it.
    fn key_kept(&self, given_by: Option<u32>, owner: FunctionIndex, parameter: PlaceIndex) -> Key {
        let Some(call) = given_by else { return Key::Unknown };
        match self.calls[call as usize].targets.as_slice() {
            [target] => match entered(target) {
                Some((function, bound)) if function == owner => self.key_handed(call, (function, bound), parameter),
                _ => Key::Unknown,
            },
            _ => Key::Unknown,
        }
    }

    pub(super) fn key_handed(&self, call: u32, (function, bound): (FunctionIndex, bool), parameter: PlaceIndex) -> Key {
        let is_spread = |kind| matches!(kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        if self
            .call_arguments(call)
            .iter()
            .any(|argument| is_spread(argument.kind))
        {
            return Key::Unknown;
        }
        let arguments = self.arguments_given(call, function, bound);
        let Some((_, argument)) = arguments.into_iter().find(|(to, _)| *to == parameter) else {
            let default = super::conditions::default_of(self, function, parameter);
            return default.and_then(part_of).map_or(Key::Unknown, Key::Part);
        };
        let Some(argument) = argument else { return Key::Unknown };
        let own = || argument.place.and_then(|place| self.parameter_at(place));
        let named = || {
            argument
                .place
                .and_then(|place| self.handed_keys.constants.get(&place).copied())
        };
        match part_given(&argument).or_else(named) {
            Some(part) => Key::Part(part),
            None => own().map_or(Key::Unknown, Key::Handed),
        }
    }

    /// The place for what is put or found under a key, with what that is to each call.
    fn place_under(
        &mut self,
        asked: (usize, Keyhole, bool),
        holes: &FxHashMap<Keyhole, Vec<(u32, Key)>>,
        telling: &FxHashSet<Keyhole>,
    ) -> PlaceIndex {
        let (tables, hole, is_put) = asked;
        if let Some(place) = self.handed_keys.places.get(&asked) {
            return *place;
        }
        for table in self.handed_keys.tables[tables].clone().into_iter().filter(|_| is_put) {
            let any = self.element(table, Part::Any);
            self.handed_keys.filled.insert(any);
        }
        let inner = self.derive_place(DerivedPlace::Cell {
            owner: hole.1,
            step: Step::Part(Part::Under(hole.1)),
            function: hole.0,
            written: Point::default(),
        });
        self.handed_keys.places.insert(asked, inner);
        if !is_put {
            self.handed_keys.found.insert(inner);
        }
        for (call, key) in holes.get(&hole).into_iter().flatten() {
            let outer = match *key {
                Key::Part(part) => {
                    for table in self.handed_keys.tables[tables].clone() {
                        // What is put under any key may be put under this one.
                        let (any, own) = (self.element(table, Part::Any), self.element(table, part));
                        self.copy(any, own);
                        self.handed_keys.filled.insert(own);
                    }
                    Outer::Part(tables, part)
                }
                Key::Handed(own) => {
                    let outer = (self.calls[*call as usize].function, own);
                    match telling.contains(&outer) {
                        true => Outer::Handed(self.place_under((tables, outer, is_put), holes, telling)),
                        false => Outer::Any(tables),
                    }
                }
                Key::Unknown => Outer::Any(tables),
            };
            let call = *call;
            self.handed_keys.meanings.push(Meaning {
                inner,
                is_put,
                call,
                outer,
            });
        }
        inner
    }
}

impl Keyed {
    fn number(&mut self, tables: Vec<ObjectId>) -> usize {
        let next = self.tables.len();
        *self.table_ids.entry(tables).or_insert_with_key(|tables| {
            self.tables.push(tables.clone());
            next
        })
    }
}

/// Those of which some call knows the key.
fn telling(solver: &Solver<'_>, holes: &FxHashMap<Keyhole, Vec<(u32, Key)>>) -> FxHashSet<Keyhole> {
    let mut telling: FxHashSet<Keyhole> = FxHashSet::default();
    for _ in 0..HANDED_ON_LIMIT {
        let tells = |(call, key): &(u32, Key)| match key {
            Key::Part(_) => true,
            Key::Handed(own) => telling.contains(&(solver.calls[*call as usize].function, *own)),
            Key::Unknown => false,
        };
        let known = holes
            .iter()
            .filter(|(_, keys)| keys.len() <= CALL_LIMIT && keys.iter().any(tells));
        let more: Vec<Keyhole> = known.map(|(hole, _)| *hole).collect();
        telling.extend(more);
    }
    telling
}

/// The function of the index that is called, and whether with its receiver.
pub(super) fn entered(target: &Target) -> Option<(FunctionIndex, bool)> {
    match *target {
        Target::Function { function, receiver, .. } => Some((function, receiver.is_some())),
        Target::Constructor { function, .. } => Some((function, true)),
        _ => None,
    }
}

/// What the keys of any function are found by, once all calls are known.
#[derive(Debug, Default)]
pub(super) struct Callers {
    /// The calls of each function, where that was asked for.
    of: Option<Grouped>,
    given_by: OnceLock<FxHashMap<PlaceIndex, u32>>,
}

impl Callers {
    /// Of all functions.
    pub(super) fn new(solver: &Solver<'_>) -> Self {
        let sites: Vec<(usize, u32)> = (0..)
            .zip(&solver.calls)
            .flat_map(|(call, row)| {
                let mut callees: Vec<usize> = row
                    .targets
                    .iter()
                    .filter_map(entered)
                    .map(|(callee, _)| callee.at())
                    .collect();
                callees.sort_unstable();
                callees.dedup();
                callees.into_iter().map(move |callee| (callee, call))
            })
            .collect();
        Self {
            of: Some(Grouped::new(solver.program.functions.len(), || sites.iter().copied())),
            given_by: OnceLock::new(),
        }
    }
}

/// The part of a table that an argument names.
pub(super) fn part_given(argument: &ArgumentRow) -> Option<Part> {
    argument.text.map(Part::Text).or(argument.constant.and_then(part_of))
}

pub(super) fn part_of(constant: Constant<Symbol>) -> Option<Part> {
    match constant {
        Constant::Text(text) => Some(Part::Text(text)),
        Constant::Number(number) => u32::try_from(number).ok().map(Part::Index),
        _ => None,
    }
}
