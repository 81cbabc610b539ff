//! Names that come as data: what is put under a name that an entry of a table, a pair or an object brings has that name.
//!
//! ```python
//! FEATURES = {"caps": caps, "kb": size}                           # or filled by a decorator, or a list of pairs or of objects
//! {name: give(mail) for name, give in FEATURES.items()}           # ["caps"] is what `caps` gives, ["kb"] what `size` gives
//! ```
//!
//! The name and what is put have to be read from one item: what one entry brings is not mixed with what others do. Who reads under such
//! a name finds all that was put under names of data, as before: these parts are for who asks what goes where.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{EdgeSite, End, NO_CALL, Tables, ValueEdge};
use crate::facts::ContainerKind;
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::keyed::{Callers, Meaning, Outer};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

mod asked;
mod by_position;
mod composed;
mod handed_on;
mod handlers;
mod inherited;
mod made;
mod objects;
mod pairs;
mod tables;
mod wrapped;

use asked::Texts;
use composed::Around;
pub(super) use handed_on::{HandedOn, hand_on};
use made::Made;

/// Most places that are looked at for what a value is made of.
const PLACE_LIMIT: usize = 24;

/// Most pairs inside each other of which one brings what the next is made of.
const PAIR_LIMIT: usize = 2;

/// Most names that one store puts something under, and most containers that it puts them in.
const NAME_LIMIT: usize = 64;
const CONTAINER_LIMIT: usize = 4;

/// What of an item is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// Its keys, one after another, and what is under each of them.
    Key,
    Value,
    /// The part at a position.
    Part(u32),
    /// A member: of a call, what that gives.
    Member(Symbol),
    /// The part under a constant text.
    Under(Symbol),
    /// What is made of it: it is a class.
    Made,
}

/// What is read of an item, and of what is there, in this order.
#[derive(Debug, Clone)]
struct Read {
    item: PlaceIndex,
    ways: Vec<Way>,
    /// Where what is read lies.
    at: PlaceIndex,
    /// It is called.
    called: Option<u32>,
    /// What it is asked for last, where that is computed.
    index: Option<PlaceIndex>,
}

impl Read {
    /// An item itself.
    fn of(item: PlaceIndex) -> Self {
        Self {
            item,
            ways: Vec::new(),
            at: item,
            called: None,
            index: None,
        }
    }
}

/// What a value is made of.
struct Reads {
    reads: Vec<Read>,
    /// All that it is made of, or that a call was given which it comes from.
    is_of: FxHashSet<PlaceIndex>,
}

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Place(PlaceIndex),
    /// What a function gives at a call.
    Given(u32, FunctionIndex),
    /// What is in a place of a function that is called there, on its way to what that gives.
    Inside(u32, PlaceIndex),
    /// What comes under this name from outside.
    Key(Symbol),
}

/// What has which name.
type Entries = Vec<(Symbol, Source)>;

/// What one store puts where.
struct Found {
    base: PlaceIndex,
    site: EdgeSite,
    /// What stands around the names.
    around: Around,
    entries: Entries,
}

/// What [`find`] finds.
#[derive(Default)]
pub(super) struct NamedEntries {
    /// What goes into which part.
    pub edges: Vec<ValueEdge>,
    /// What is handed to functions that give what has a name, by way of others.
    pub handed_on: Vec<HandedOn>,
    /// What calls give to parameters of handlers, by the name that it comes under.
    pub to_handlers: Vec<(u32, Symbol, PlaceIndex)>,
}

/// What is put into parts under names that come as data. Makes these parts.
pub(super) fn find(solver: &mut Solver<'_>, tables: &Tables) -> NamedEntries {
    let rows = asked(solver);
    let copies: Vec<usize> = (0..solver.part_copies.len())
        .filter(|index| !solver.part_copies[*index].silent && solver.part_copies[*index].pairs.is_some())
        .collect();
    let several = handlers::calls_of_several(solver);
    if rows.is_empty() && copies.is_empty() && several.is_empty() {
        return NamedEntries::default();
    }
    // What stands for a part of a name that nobody knows.
    solver.program.symbols.intern("*");
    let finder = Finder::new(solver, tables, &rows);
    let to_handlers = finder.given_to_handlers(&several);
    let (mut found, mut handed): (Vec<Found>, _) = (Vec::new(), Vec::new());
    for (row, key) in rows {
        let (core, around) = finder.core(key);
        let entries = finder.entries(core, row.value, 0);
        if entries.is_empty() {
            match finder.handed(&row, core, &around) {
                Some(row) => handed.push(row),
                None => found.extend(finder.any_name(&row, &around)),
            }
            continue;
        }
        found.push(Found {
            base: row.base,
            site: (row.file, row.position).into(),
            around,
            entries,
        });
    }
    let (for_callers, read) = finder.put_for_callers(handed);
    found.extend(for_callers);
    for index in copies {
        let row = &solver.part_copies[index];
        let Some(pairs) = row.pairs else { continue };
        let mut entries = Vec::new();
        for pair in finder.tuples(pairs.each) {
            entries.extend(finder.entries_of_pair(pair, (0, 1), (&[], None), 0));
        }
        found.push(Found {
            base: row.to,
            site: (row.file, row.position).into(),
            around: Around::default(),
            entries,
        });
    }
    let entries = found.iter().flat_map(|found| &found.entries);
    let handed_on = entries.filter_map(|(_, source)| match source {
        Source::Given(call, function) => Some((*call, *function)),
        _ => None,
    });
    let handed_on: Vec<HandedOn> = handed_on.collect();
    let mut edges = read;
    let mut named = Named::default();
    for Found {
        base,
        site,
        around,
        mut entries,
    } in found
    {
        entries.sort_unstable();
        entries.dedup();
        let names: FxHashSet<Symbol> = entries.iter().map(|(name, _)| *name).collect();
        if names.len() > NAME_LIMIT {
            continue;
        }
        for (name, source) in entries {
            let Some(name) = around.name(&mut solver.program.symbols, name) else {
                continue;
            };
            for to in ends(solver, &mut named, (base, name), source) {
                put(solver, (source, to), site, &mut edges);
            }
        }
    }
    NamedEntries {
        edges,
        handed_on,
        to_handlers,
    }
}

/// The stores under keys of which nothing is known but where they come from, with that place.
fn asked(solver: &Solver<'_>) -> Vec<(ElementRow, PlaceIndex)> {
    let mut asked = Vec::new();
    // Of displays, and of comprehensions, the key is put in before the value is.
    let mut keys: FxHashMap<PlaceIndex, PlaceIndex> = FxHashMap::default();
    for row in solver.element_stores.iter().filter(|row| !row.silent && !row.library) {
        match row.key {
            RowKey::Keys => _ = keys.insert(row.base, row.value),
            RowKey::Any => asked.extend(row.index.or_else(|| keys.remove(&row.base)).map(|key| (*row, key))),
            _ => {}
        }
    }
    asked
}

/// The parts that names of data tell of. Those that nothing else tells of nobody reads: who asks for such a part finds what is put under unknown keys.
#[derive(Debug, Default)]
struct Named(FxHashMap<(ObjectId, Symbol), PlaceIndex>);

impl Named {
    fn part(
        &mut self,
        solver: &mut Solver<'_>,
        (container, name): (ObjectId, Symbol),
        source: Source,
    ) -> Option<PlaceIndex> {
        let part = Part::Text(name);
        let Object::Container { site, .. } = solver.objects.get(container) else {
            return None;
        };
        if let Some(known) = solver.elements.get(&(container, part)) {
            // It is read: what comes from another function would come there whoever called.
            let program = &solver.program;
            let is_near = match source {
                Source::Place(from) => program.owner_of(from) == program.owner_of(site),
                Source::Given(call, _) | Source::Inside(call, _) => {
                    Some(solver.calls[call as usize].function) == program.owner_of(site)
                }
                Source::Key(_) => true,
            };
            return Some(*known).filter(|_| is_near);
        }
        let made = self.0.entry((container, name));
        Some(*made.or_insert_with(|| solver.derive_place(DerivedPlace::Element { container: site, part })))
    }
}

/// Where what is put under a name goes.
fn ends(solver: &mut Solver<'_>, named: &mut Named, (base, name): (PlaceIndex, Symbol), source: Source) -> Vec<End> {
    let held = solver.held(base);
    let containers = held.filter_map(|(id, object)| match object {
        Object::Container { kind, .. } => Some((id, kind)),
        _ => None,
    });
    let containers: Vec<(ObjectId, ContainerKind)> = containers.collect();
    if containers.is_empty() {
        return vec![End::Key(name)];
    }
    let maps = containers.iter().filter(|(_, kind)| *kind == ContainerKind::Map);
    let maps: Vec<ObjectId> = maps.take(CONTAINER_LIMIT).map(|(id, _)| *id).collect();
    let parts = maps.into_iter().filter_map(|id| named.part(solver, (id, name), source));
    parts.map(End::Place).collect()
}

fn put(solver: &Solver<'_>, (source, to): (Source, End), site: EdgeSite, edges: &mut Vec<ValueEdge>) {
    let places = |places: Vec<PlaceIndex>| places.into_iter().map(End::Place).collect();
    let (kind, from, call): (_, Vec<End>, _) = match (source, to) {
        (Source::Place(place), _) => (EdgeKind::FlowsTo, vec![End::Place(place)], NO_CALL),
        (Source::Key(name), End::Key(own)) if name == own => return,
        (Source::Key(name), _) => (EdgeKind::FlowsTo, vec![End::Key(name)], NO_CALL),
        // A name on a wire is no value of a call.
        (Source::Inside(_, place), End::Key(_)) => (EdgeKind::FlowsTo, vec![End::Place(place)], NO_CALL),
        (Source::Inside(call, place), _) => (EdgeKind::ReturnsTo, vec![End::Place(place)], call),
        (Source::Given(_, function), End::Key(_)) => {
            (EdgeKind::FlowsTo, places(solver.function_results(function)), NO_CALL)
        }
        (Source::Given(call, function), _) => (EdgeKind::ReturnsTo, places(solver.function_results(function)), call),
    };
    edges.extend(from.into_iter().map(|from| ValueEdge {
        kind,
        from,
        to,
        how: How::Put,
        rule: Rule::Propagated,
        site,
        call,
    }));
}

struct Finder<'s, 'p> {
    solver: &'s Solver<'p>,
    tables: &'s Tables,
    /// What values are made of, and whether they are the same.
    into: FxHashMap<PlaceIndex, Vec<(PlaceIndex, bool)>>,
    /// Reads of parts, by what they read.
    loads: FxHashMap<PlaceIndex, u32>,
    /// Reads of members, by where they go: the first, which is written there.
    members: FxHashMap<PlaceIndex, u32>,
    /// Calls, by what they give.
    calls: FxHashMap<PlaceIndex, u32>,
    /// Tables in which something is looked up under keys that are computed.
    looked_up: FxHashSet<ObjectId>,
    /// Calls of library code that give tuples, by these.
    tuple_calls: FxHashMap<PlaceIndex, u32>,
    /// Constant texts in displays.
    texts: FxHashMap<(PlaceIndex, u32), Symbol>,
    /// What else is in displays.
    parts: FxHashMap<(PlaceIndex, u32), PlaceIndex>,
    /// What functions put in tables under names that they are given, for their calls.
    registering: FxHashMap<(ObjectId, Part), Vec<Meaning>>,
    /// What each of them puts there.
    registers: FxHashMap<PlaceIndex, PlaceIndex>,
    /// What is put in tables under constant names, by the name.
    direct: FxHashMap<Symbol, Vec<(PlaceIndex, PlaceIndex)>>,
    /// What is put in tables under a name that it has itself, with that member.
    self_named: FxHashMap<ObjectId, Vec<(PlaceIndex, Symbol)>>,
    /// Texts that are put together around a value, by these: what stands before it, the value, and what stands behind it.
    composed: FxHashMap<PlaceIndex, (Symbol, PlaceIndex, Symbol)>,
    written: Texts,
    made: Made,
    callers: Callers,
}

impl<'s, 'p> Finder<'s, 'p> {
    fn new(solver: &'s Solver<'p>, tables: &'s Tables, rows: &[(ElementRow, PlaceIndex)]) -> Self {
        let mut into: FxHashMap<PlaceIndex, Vec<(PlaceIndex, bool)>> = FxHashMap::default();
        let (mut texts, mut composed) = (FxHashMap::default(), FxHashMap::default());
        for (index, file) in solver.program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            let place = |own| solver.program.place(index, own);
            for flow in file.facts.flows.iter().filter(|flow| flow.how != How::Test) {
                into.entry(place(flow.to))
                    .or_default()
                    .push((place(flow.from), flow.same));
            }
            for (list, text, position) in &file.facts.texts_listed {
                let text = solver.program.symbol(index, *text);
                texts.extend(position.map(|position| ((place(*list), position), text)));
            }
            for (made, before, value, behind) in &file.facts.composed {
                let [before, behind] = [before, behind].map(|text| solver.program.symbol(index, *text));
                composed.insert(place(*made), (before, place(*value), behind));
            }
        }
        let mut registering: FxHashMap<(ObjectId, Part), Vec<Meaning>> = FxHashMap::default();
        for meaning in tables.meanings.iter().filter(|meaning| meaning.is_put) {
            if let Outer::Part(put_into, part) = meaning.outer {
                for table in &solver.handed_keys.tables[put_into] {
                    registering.entry((*table, part)).or_default().push(*meaning);
                }
            }
        }
        let registers = solver.handed_keys.stores.iter();
        let registers = registers.map(|(row, inner)| (*inner, solver.element_stores[*row as usize].value));
        let mut direct: FxHashMap<Symbol, Vec<(PlaceIndex, PlaceIndex)>> = FxHashMap::default();
        for row in solver.element_stores.iter().filter(|_| !registering.is_empty()) {
            if let RowKey::Text(name) = row.key {
                direct.entry(name).or_default().push((row.base, row.value));
            }
        }
        let loads = solver.element_loads.iter().enumerate();
        let computed = solver.element_loads.iter().filter(|row| row.key == RowKey::Any);
        let looked_up = computed.flat_map(|row| solver.contents(row.base).iter().copied());
        let calls = (0..solver.calls.len() as u32).filter(|call| !solver.calls[*call as usize].silent);
        let parts = solver.element_stores.iter().filter_map(|row| match row.key {
            RowKey::Index(index) => Some(((row.base, index), row.value)),
            _ => None,
        });
        let mut finder = Self {
            solver,
            tables,
            into,
            loads: loads.map(|(index, row)| (row.value, index as u32)).collect(),
            members: (0..solver.loads.len())
                .rev()
                .map(|load| (solver.loads[load].to, load as u32))
                .collect(),
            looked_up: looked_up.collect(),
            // Calls that are made for others come later.
            calls: calls
                .rev()
                .filter_map(|call| Some((*solver.call_results(call).first()?, call)))
                .collect(),
            tuple_calls: solver
                .result_tuples
                .iter()
                .map(|(call, tuple)| (*tuple, *call))
                .collect(),
            texts,
            parts: parts.collect(),
            registers: registers.collect(),
            registering,
            direct,
            self_named: FxHashMap::default(),
            composed,
            written: Texts::new(solver),
            made: Made::default(),
            callers: Callers::new(solver),
        };
        let wanted = finder.classes_named(rows);
        finder.made = Made::new(solver, tables, &wanted);
        finder.self_named = finder.self_named_in(rows);
        finder
    }

    /// The classes of which a member is a name.
    fn classes_named(&self, rows: &[(ElementRow, PlaceIndex)]) -> FxHashSet<TypeIndex> {
        let reads = rows.iter().filter_map(|(_, key)| self.name_read(self.core(*key).0));
        let items = reads.filter(|read| matches!(read.ways.as_slice(), [Way::Member(_)]));
        let classes = items.flat_map(|read| self.classes(self.solver.contents(read.item)));
        classes.collect()
    }

    /// What is put under which name, by the place of the name and that of what is put.
    fn entries(&self, key: PlaceIndex, value: PlaceIndex, depth: usize) -> Entries {
        let name = self.first(key);
        let Some(key) = self.name_read(key) else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        let Reads { reads, is_of } = self.reads(value);
        // `out[row["name"]] = TABLE[row["by"]](mail[row["source"]])`: it is made of that, whatever else the function is given elsewhere.
        let asked = self.entries_asked_in_arguments((name, &key), &reads);
        if !asked.is_empty() {
            return asked;
        }
        entries.extend(self.entries_asked((name, &key), &reads));
        for value in reads.iter().filter(|value| value.item == key.item) {
            entries.extend(self.entries_of_item(&key, value, depth));
        }
        for value in &reads {
            entries.extend(self.entries_by_index((name, &key), value));
        }
        // What has nothing to do with what the name is read from is put under each name.
        let names = match key.ways.as_slice() {
            [Way::Member(name)] if !is_of.contains(&key.item) => self.names_of_objects(key.item, *name),
            [Way::Value] if entries.is_empty() && self.first(value) != name => self.texts_of_lists(key.item),
            _ => return entries,
        };
        names.into_iter().map(|name| (name, Source::Place(value))).collect()
    }

    /// What is asked for under the name itself, `out[name] = table[name](row)`, or at the position at which the name stands in its list
    /// ([`by_position`]).
    fn entries_by_index(&self, (name, key): (PlaceIndex, &Read), value: &Read) -> Entries {
        let more = (&[][..], value.called);
        let is_asked = value.ways.as_slice() == [Way::Value];
        match value.index.filter(|_| is_asked) {
            Some(index) if self.first(index) == name => {
                self.entries_of_tables(self.containers(value.item, ContainerKind::Map), more)
            }
            _ => self.entries_by_position(key, value),
        }
    }

    /// What a name is read from: as it is, or by a method that gives it.
    fn name_read(&self, key: PlaceIndex) -> Option<Read> {
        let mut place = key;
        for _ in 0..PLACE_LIMIT {
            let read = self.read(place).or_else(|| {
                let call = *self.calls.get(&place)?;
                self.read(self.solver.calls[call as usize].callee)
            });
            if let Some(read) = read {
                // What library code takes out of a list is no name of an item: `"-".join(parts)`.
                let load = self.loads.get(&read.at);
                return Some(read)
                    .filter(|_| load.is_none_or(|load| !self.solver.element_loads[*load as usize].library));
            }
            place = self.same(place)?;
        }
        None
    }

    /// The one place that another has its value from, as it is.
    fn same(&self, place: PlaceIndex) -> Option<PlaceIndex> {
        match self.into.get(&place)?.as_slice() {
            [(from, true)] => Some(*from),
            _ => None,
        }
    }

    /// Where what a place holds comes from, as far as it is one place after another.
    fn first(&self, place: PlaceIndex) -> PlaceIndex {
        let places = std::iter::successors(Some(place), |place| self.same(*place));
        places.take(PLACE_LIMIT).last().unwrap_or(place)
    }

    fn read(&self, place: PlaceIndex) -> Option<Read> {
        let mut index = None;
        let (base, way) = if let Some(load) = self.loads.get(&place) {
            let row = &self.solver.element_loads[*load as usize];
            index = row.index;
            let way = match row.key {
                RowKey::Index(index) => Way::Part(index),
                RowKey::Keys => Way::Key,
                RowKey::Text(name) => Way::Under(name),
                RowKey::Any | RowKey::Each | RowKey::Next | RowKey::First => Way::Value,
                _ => return None,
            };
            (row.base, way)
        } else {
            let row = self.solver.loads[*self.members.get(&place)? as usize];
            (row.base, Way::Member(row.member))
        };
        Some(Read {
            item: self.first(base),
            ways: vec![way],
            at: place,
            called: None,
            index,
        })
    }

    /// What a value is made of that is read from something: also of what was read from something itself.
    fn reads(&self, value: PlaceIndex) -> Reads {
        let (mut open, mut seen) = (vec![value], FxHashSet::default());
        let mut reads = Vec::new();
        let mut is_of: FxHashSet<PlaceIndex> = FxHashSet::default();
        while let Some(place) = open.pop() {
            if seen.len() >= PLACE_LIMIT || !seen.insert(place) {
                continue;
            }
            is_of.insert(self.first(place));
            reads.extend(self.read(place));
            if let Some(call) = self.calls.get(&place).copied() {
                let row = &self.solver.calls[call as usize];
                let itself = Read::of(self.first(row.callee));
                reads.extend(
                    self.reads_called(row.callee)
                        .into_iter()
                        .chain([itself])
                        .map(|read| Read {
                            called: Some(call),
                            ..read
                        }),
                );
                reads.extend(self.read_by_get(call, place));
                let given = self.solver.call_arguments(call).iter();
                is_of.extend(given.filter_map(|argument| Some(self.first(argument.place?))));
                if row.targets.iter().all(|target| matches!(target, Target::External(_))) {
                    open.extend(row.receiver);
                    let given = self.solver.call_arguments(call).iter();
                    open.extend(given.filter_map(|argument| argument.place));
                }
            }
            open.extend(self.into.get(&place).into_iter().flatten().map(|(from, _)| *from));
        }
        // What was read from what was read, and so on.
        let mut next = 0;
        while let Some(read) = reads.get(next).filter(|_| next < PLACE_LIMIT).cloned() {
            next += 1;
            let item = read.item;
            let made = || {
                let callee = self.solver.calls[*self.calls.get(&item)? as usize].callee;
                let is_class = |(_, object)| matches!(object, Object::Class(_));
                self.solver.held(callee).any(is_class).then_some(())?;
                let mut read = Read::of(self.first(callee));
                read.ways.push(Way::Made);
                Some(read)
            };
            let Some(outer) = self.read(item).or_else(made) else {
                continue;
            };
            reads.push(Read {
                item: outer.item,
                ways: outer.ways.iter().chain(&read.ways).copied().collect(),
                index: None,
                ..read
            });
        }
        is_of.extend(reads.iter().map(|read| read.item));
        Reads { reads, is_of }
    }

    /// What is called: it may be one of several members of an object that some name may name.
    fn reads_called(&self, callee: PlaceIndex) -> Vec<Read> {
        let callee = std::iter::successors(Some(callee), |place| self.same(*place));
        let places: Vec<PlaceIndex> = callee.take(PLACE_LIMIT).collect();
        if let Some(read) = places.iter().find_map(|place| self.read(*place)) {
            return vec![read];
        }
        let several = places.last().and_then(|last| self.into.get(last)).into_iter().flatten();
        several.filter_map(|(from, _)| self.read(*from)).collect()
    }

    /// `mail.get(name)` of what is not known.
    fn read_by_get(&self, call: u32, result: PlaceIndex) -> Option<Read> {
        let row = &self.solver.calls[call as usize];
        let is_get = self.solver.program.symbols.text(row.text).ends_with(".get");
        let index = self.solver.call_arguments(call).first()?.place;
        Some(Read {
            ways: vec![Way::Value],
            at: result,
            index: Some(index?),
            ..Read::of(self.first(row.receiver.filter(|_| is_get)?))
        })
    }

    fn entries_of_item(&self, key: &Read, value: &Read, depth: usize) -> Entries {
        if let ([Way::Member(name)], [], Some(_)) = (key.ways.as_slice(), value.ways.as_slice(), value.called) {
            let call = self.solver.program.symbols.find("__call__");
            let entries = call.map(|call| self.entries_of_objects(key.item, (*name, call), value.called, depth));
            return entries.unwrap_or_default();
        }
        let (Some((first, rest)), [way]) = (value.ways.split_first(), key.ways.as_slice()) else {
            return Vec::new();
        };
        let more = (rest, value.called);
        match (*way, *first) {
            (Way::Key, Way::Value) => {
                let tables = self.containers(key.item, ContainerKind::Map);
                self.entries_of_tables(tables, more)
            }
            (Way::Part(name), Way::Part(given)) => {
                let pairs = self.tuples(key.item).into_iter();
                let entries = pairs.flat_map(|pair| self.entries_of_pair(pair, (name, given), more, depth));
                entries.collect()
            }
            (Way::Under(name), Way::Under(given)) => self.entries_of_mappings(key.item, (name, given), more),
            (Way::Member(name), Way::Made) => self.entries_of_classes(key.item, name, more),
            (Way::Member(name), Way::Member(member)) => {
                self.entries_of_objects(key.item, (name, member), value.called, depth)
            }
            _ => Vec::new(),
        }
    }

    fn containers(&self, place: PlaceIndex, wanted: ContainerKind) -> Vec<ObjectId> {
        let held = self.solver.held(place);
        let containers = held.filter(|(_, object)| matches!(object, Object::Container { kind, .. } if *kind == wanted));
        containers.map(|(id, _)| id).collect()
    }

    fn tuples(&self, place: PlaceIndex) -> Vec<ObjectId> {
        self.containers(place, ContainerKind::Tuple)
    }

    /// What a call gives for a parameter.
    fn arguments_for(&self, call: u32, parameter: PlaceIndex) -> Vec<PlaceIndex> {
        let mut places = Vec::new();
        for target in self.solver.calls[call as usize].entries() {
            let Target::Function { function, receiver, .. } = target else {
                continue;
            };
            let given = self
                .solver
                .arguments_given(call, function, receiver.is_some())
                .into_iter();
            let given = given.filter(|(to, _)| *to == parameter);
            places.extend(given.filter_map(|(_, argument)| argument?.place));
        }
        places
    }

    /// What is found in a place, on its ways from there, and called.
    fn found(&self, place: PlaceIndex, (ways, called): (&[Way], Option<u32>)) -> Vec<Source> {
        let mut places = vec![place];
        for (index, way) in ways.iter().enumerate() {
            match way {
                Way::Part(position) => {
                    let tuples = places.iter().flat_map(|place| self.solver.contents(*place));
                    let parts = tuples.filter_map(|id| self.solver.elements.get(&(*id, Part::Index(*position))));
                    places = parts.copied().collect();
                }
                Way::Made => {
                    let [Way::Member(method)] = ways[index + 1..] else {
                        return Vec::new();
                    };
                    let held = places.iter().flat_map(|place| self.solver.held(*place));
                    let classes = held.filter_map(|(_, object)| match object {
                        Object::Class(class) => Some(class),
                        _ => None,
                    });
                    return self.called_on(&classes.collect::<Vec<_>>(), method, called);
                }
                Way::Member(method) if index + 1 == ways.len() => {
                    let on = places.iter().flat_map(|place| self.solver.contents(*place));
                    let on: Vec<ObjectId> = on.copied().collect();
                    return self.called_on(&self.classes(&on), *method, called);
                }
                _ => return Vec::new(),
            }
        }
        let Some(call) = called else {
            return places.into_iter().map(Source::Place).collect();
        };
        let held: FxHashSet<ObjectId> = places
            .iter()
            .flat_map(|place| self.solver.contents(*place))
            .copied()
            .collect();
        let functions = held.iter().filter_map(|id| match self.solver.objects.get(*id) {
            Object::Function(function) | Object::Bound { function, .. } => Some(function),
            _ => None,
        });
        let functions: FxHashSet<FunctionIndex> = functions.collect();
        let targets = self.solver.calls[call as usize].entries();
        let mut chosen = Vec::new();
        for target in targets {
            let Target::Function { function, receiver, .. } = target else {
                continue;
            };
            let object = receiver.filter(|receiver| held.contains(receiver));
            match object.map(|object| self.solver.objects.get(object)) {
                Some(Object::Instance(class) | Object::AnyOf(class)) => {
                    chosen.extend(self.given_for(class, call, function))
                }
                Some(_) => chosen.push(Source::Given(call, function)),
                None if functions.contains(&function) => chosen.push(Source::Given(call, function)),
                None => {}
            }
        }
        match chosen.is_empty() {
            true => self.given_through(call, functions),
            false => chosen,
        }
    }
}
