//! From contents to edges: once nothing changes any more, every flow, call and access is written down with its site and rule.
//!
//! A load of `net` from a base that holds `Instance(Cart)` becomes a flow from the field `Cart.net` and a read of that field; a
//! load from a base of which nothing is known becomes a flow from the base itself, with a rule that says so.

mod answered;
mod asked_keys;
mod begun;
mod by_interface;
mod by_pairs;
mod called_under;
mod calls;
mod changed;
mod chosen_rows;
mod columns;
mod computed;
mod declared_keys;
mod dispatched;
mod elements;
mod encoded;
mod filled;
mod filled_outside;
mod frames;
mod generators;
mod given_outside;
mod handed;
mod hashed;
mod kept;
mod keyed;
mod library;
mod loop_bodies;
mod made;
mod marked;
mod members;
mod named_by_texts;
mod named_entries;
mod names;
mod outside;
mod plain;
mod selecting;
mod sent;
mod served;
mod spread;
mod statements;
mod stored;
mod supposed;
mod tables;
mod taken_apart;
mod typed_dicts;
mod unknown;
mod unmarshalled;
mod wholes;

use std::sync::Arc;

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::order::Point;
use crate::facts::{PlaceKind, Position};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Program, Symbol, TypeIndex};
use crate::propagate::heap::Heap;
use crate::propagate::object::ObjectId;
use crate::propagate::ruled_out::RuledOut;
use crate::propagate::solve::Solver;
use names::Names;
pub(super) use tables::Tables;

/// An end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// A place.
    Place(PlaceIndex),
    /// A function, used as a value.
    Function(FunctionIndex),
    /// A class, used as a value.
    Type(TypeIndex),
    /// Library code.
    External(Symbol),
    /// Something that could not be resolved, by the last part of its name.
    Unresolved(Symbol),
    /// A wire key.
    Key(Symbol),
}

/// Where an edge is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeSite {
    /// File.
    pub file: FileIndex,
    /// Line and column.
    pub position: Position,
}

/// Data from one end to the other.
#[derive(Debug, Clone, Copy)]
pub struct ValueEdge {
    /// One of the four flow kinds, or what joins a part and its whole.
    pub kind: EdgeKind,
    /// From.
    pub from: End,
    /// To.
    pub to: End,
    /// The way.
    pub how: How,
    /// The rule.
    pub rule: Rule,
    /// The expression.
    pub site: EdgeSite,
    /// The call that makes it; [`NO_CALL`] for what is no call.
    pub call: u32,
}

impl ValueEdge {
    /// Of no call.
    pub(super) fn of_no_call(kind: EdgeKind, (from, to): (End, End), how: How, rule: Rule, site: EdgeSite) -> Self {
        Self {
            kind,
            from,
            to,
            how,
            rule,
            site,
            call: NO_CALL,
        }
    }
}

/// [`ValueEdge::call`] of what is no call.
pub const NO_CALL: u32 = u32::MAX;

/// [`ValueEdge::call`] of the call of a setter that a store makes.
pub(super) fn setter_call(store: u32) -> u32 {
    u32::MAX - 1 - store
}

/// [`CallEdge::call`] of what is put into a container of library code.
fn put_call(store: u32) -> u32 {
    u32::MAX / 2 - store
}

/// What a call is given; of what only counts as one, what it puts.
pub(super) fn given_by(solver: &Solver<'_>, call: u32) -> Vec<PlaceIndex> {
    if (call as usize) < solver.calls.len() {
        let arguments = solver.call_arguments(call).iter();
        return arguments.filter_map(|argument| argument.place).collect();
    }
    let store = (u32::MAX - 1)
        .checked_sub(call)
        .and_then(|store| solver.stores.get(store as usize));
    let put = (u32::MAX / 2)
        .checked_sub(call)
        .and_then(|store| solver.element_stores.get(store as usize));
    store
        .and_then(|row| row.from)
        .into_iter()
        .chain(put.map(|row| row.value))
        .collect()
}

/// A call.
#[derive(Debug, Clone, Copy)]
pub struct CallEdge {
    /// The caller.
    pub function: FunctionIndex,
    /// The callee: a function, type, external or unresolved name.
    pub target: End,
    /// The way.
    pub how: How,
    /// The rule; for an unresolved call, the reason.
    pub rule: Rule,
    /// The expression.
    pub site: EdgeSite,
    /// Number of the call, to group its edges.
    pub call: u32,
}

/// A function reads or writes a field or global, or names a wire key.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// `READS`, `WRITES` or `USES_KEY`.
    pub kind: EdgeKind,
    /// The function.
    pub function: FunctionIndex,
    /// The field, global or key.
    pub target: End,
    /// The way: through its address, or into what is in it.
    pub how: How,
    /// The rule.
    pub rule: Rule,
    /// The expression.
    pub site: EdgeSite,
}

/// A place holds instances of a type.
#[derive(Debug, Clone, Copy)]
pub struct TypeEdge {
    /// The place.
    pub place: PlaceIndex,
    /// The type, or a library's.
    pub target: End,
    /// The rule.
    pub rule: Rule,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Flows {
    /// Data.
    pub values: Vec<ValueEdge>,
    /// What is read out of containers and objects, and what they come to hold: no flows.
    pub wholes: Vec<ValueEdge>,
    /// What lies in containers that go on as wholes, until it is clear where they lead ([`taken_apart`]).
    handed: Vec<ValueEdge>,
    /// Places that hold containers or objects.
    pub whole: Vec<bool>,
    /// Calls.
    pub calls: Vec<CallEdge>,
    /// Functions that library code has, and does with what it will.
    outside: Vec<FunctionIndex>,
    /// What calls call through what they call.
    pub through: Vec<CallEdge>,
    /// Reads, writes, keys.
    pub accesses: Vec<Access>,
    /// Types of places.
    pub types: Vec<TypeEdge>,
    /// What implements what.
    pub implementations: Vec<(TypeIndex, TypeIndex)>,
    /// Classes, each with one that it was seen to derive from where its base is handed in.
    pub below_given: Vec<(TypeIndex, TypeIndex)>,
    /// What has the methods of a library's interface.
    pub outside_implementations: Vec<(TypeIndex, Symbol)>,
    /// Calls that may call more than the graph says, and functions that are called so.
    pub cut: (usize, usize),
    /// Containers that were written, of which a budget left some out: what they are called there, and where.
    pub writes_cut: Vec<(Symbol, FileIndex)>,
    /// What is put in objects by functions of files that have conditions: from where, in which cell, by which function, when.
    pub put: Vec<((PlaceIndex, PlaceIndex), FunctionIndex, Point)>,
    /// Wire keys of fields: member place, key.
    pub field_keys: Vec<(PlaceIndex, Symbol)>,
    /// Steps of generators of which all edges are told.
    pub steps_told: FxHashSet<PlaceIndex>,
}

/// More edges than there mostly are, by places.
const EDGES_OF_PLACE: usize = 3;

/// Writes down what the solver found: what calls are told beside the rest, by another thread.
pub(super) fn collect(
    solver: &mut Solver<'_>,
    (heap, of_objects, handed): (&Heap, Vec<ValueEdge>, Vec<ValueEdge>),
    tables: &Tables,
    used: &[bool],
) -> Flows {
    let (names, ruled_out) = (Names::new(solver, &tables.cut), RuledOut::new(solver));
    keyed::make_parts(solver, tables);
    generators::make_parts(solver);
    let named = named_entries::find(solver, tables);
    let computed = computed::Computed::find(solver);
    let values = changed::value_fields(solver);
    let mut rest = Collector::new(solver, heap, (tables, &names), used);
    // Room for all that come: it takes no memory before it is used, and millions of edges are copied no more.
    rest.flows.values = Vec::with_capacity(EDGES_OF_PLACE * solver.program.place_count());
    rest.flows.values.extend(of_objects);
    rest.flows.values.extend(named.edges);
    rest.flows.handed = handed;
    rest.plain_flows(&ruled_out);
    rest.find_stepped();
    rest.element_stores();
    rest.drops();
    rest.part_copies();
    rest.keyed_puts();
    let mut calls = Collector {
        put_from_afar: rest.put_from_afar.clone(),
        defaults: std::mem::take(&mut rest.defaults),
        ..Collector::new(solver, heap, (tables, &names), used)
    };
    rayon::join(
        || {
            calls.calls(&ruled_out);
            calls.called_under_tests();
            calls.sent_unseen();
            calls.keys_handed_in();
            calls.defaults_of_uncalled();
            calls.wholes();
            calls.members_of_unknown();
            calls.made_of_rows();
            calls.hashed();
        },
        || {
            rest.names();
            rest.loads();
            rest.values_of_loops();
            rest.stores();
            rest.changed_values(&values);
            rest.element_loads();
            rest.keys_handed_in();
            rest.statements();
            rest.stored();
            rest.frames();
            rest.keyed_finds();
            rest.calls_cut();
            rest.computed(&computed);
            rest.typed_dicts();
            rest.declared_keys();
            rest.exceptions();
            rest.called_back();
            rest.texts();
            rest.setters();
            rest.keys();
            rest.made();
            rest.named_in_texts();
            rest.types();
        },
    );
    rest.flows.add(calls.flows);
    rest.asked_by_text.extend(calls.asked_by_text);
    rest.keys_spread.extend(calls.keys_spread);
    rest.keys_to_handlers(&named.to_handlers);
    rest.pass_keys_spread();
    rest.asked_by_field.extend(calls.asked_by_field);
    rest.keys_of_fields();
    rest.keys_named_by_texts();
    rest.filled_outside();
    rest.given_outside();
    rest.keys_sought();
    rest.steps_as_calls();
    let (mut flows, derived) = (rest.flows, rest.derived);
    for place in derived {
        solver.derive_place(place);
    }
    handed::kept_outside(solver, heap, &mut flows);
    flows.whole = wholes::places(solver);
    let handed = std::mem::take(&mut flows.handed);
    let handed = taken_apart::others(solver, handed, &flows.values, &flows.whole);
    flows.wholes.extend(handed);
    flows.outside_implementations = solver.outside_implementations();
    flows.below_given = solver.below_given();
    solver.note_conforming();
    let declared = by_interface::declared(solver);
    by_interface::note_proven(solver, &declared);
    by_interface::calls(solver, &declared, &mut flows);
    named_entries::hand_on(solver, named.handed_on, &mut flows.values);
    flows.implementations = std::mem::take(&mut solver.implementations);
    flows
}

impl Flows {
    /// With what was told beside.
    fn add(&mut self, other: Self) {
        self.values.extend(other.values);
        self.wholes.extend(other.wholes);
        self.calls.extend(other.calls);
        self.through.extend(other.through);
        self.outside.extend(other.outside);
        self.accesses.extend(other.accesses);
        self.types.extend(other.types);
        self.handed.extend(other.handed);
        self.put.extend(other.put);
        self.field_keys.extend(other.field_keys);
    }
}

/// A field is the same at every call: that it is handed to a callee's cell, or back, is said once.
pub(super) fn drop_repeated(program: &Program, flows: &mut Flows) {
    let mut seen = FxHashSet::default();
    flows.values.retain(|edge| {
        let (End::Place(from), End::Place(to)) = (edge.from, edge.to) else {
            return true;
        };
        let is_field = |place| program.member_of(place).is_some();
        let is_crossing = matches!(edge.kind, EdgeKind::PassesTo | EdgeKind::ReturnsTo);
        !is_crossing || !(is_field(from) || is_field(to)) || seen.insert((from, to))
    });
}

/// Whether a value is used: what nobody uses needs no edges.
pub(super) fn used_places(solver: &Solver<'_>) -> Vec<bool> {
    let mut used = vec![false; solver.program.place_count()];
    let mut mark = |place: PlaceIndex| used[place.at()] = true;
    for (index, file) in solver.program.files.iter().enumerate() {
        let file_index = FileIndex(index as u32);
        for flow in &file.facts.flows {
            mark(solver.program.place(file_index, flow.from));
        }
        for (_, place) in &file.facts.exports {
            mark(solver.program.place(file_index, *place));
        }
        for value in &file.facts.member_values {
            mark(solver.program.place(file_index, value.from));
        }
        for store in &file.facts.name_stores {
            if let Some(from) = store.from {
                mark(solver.program.place(file_index, from));
            }
        }
    }
    solver.raises.iter().for_each(|row| mark(row.value));
    solver.part_copies.iter().for_each(|row| mark(row.from));
    solver.loads.iter().for_each(|row| mark(row.base));
    solver.stores.iter().filter_map(|row| row.from).for_each(&mut mark);
    solver.element_loads.iter().for_each(|row| mark(row.base));
    solver.element_stores.iter().for_each(|row| mark(row.value));
    solver.arguments.iter().filter_map(|row| row.place).for_each(&mut mark);
    solver.calls.iter().filter_map(|row| row.receiver).for_each(&mut mark);
    for place in &mut used[solver.program.local_places as usize..] {
        *place = true;
    }
    used
}

struct Collector<'s, 'p> {
    solver: &'s Solver<'p>,
    heap: &'s Heap,
    tables: &'s Tables,
    names: &'s Names,
    flows: Flows,
    /// Places that are new, in the order of their numbers: one collector alone makes any.
    derived: Vec<DerivedPlace>,
    /// Whether a value is used: what nobody uses needs no edges.
    used: &'s [bool],
    /// Parts under unknown keys that another function than the container's put in.
    put_from_afar: FxHashSet<PlaceIndex>,
    /// Where `__dict__` is read: of all members, and of none by its name.
    read_as_tables: FxHashSet<(FileIndex, Position)>,
    /// What is looked at never happens: see [`RuledOut`].
    is_never: bool,
    /// Defaults of parameters.
    defaults: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Functions that calls were found to call.
    entered: FxHashSet<FunctionIndex>,
    /// Special methods that the language asks for of what nobody knows.
    special: FxHashSet<(FunctionIndex, Symbol)>,
    /// Containers that others are put into of which the keys are not known.
    opened: FxHashSet<ObjectId>,
    /// Containers whose parts were joined in one place.
    gathered: FxHashSet<ObjectId>,
    /// Generators that are stepped.
    stepped: generators::Stepped,
    /// Containers that functions make of what they are given, and others read.
    read_from_afar: FxHashSet<PlaceIndex>,
    /// Parameters that are names on a wire.
    asked_keys: asked_keys::AskedKeys,
    /// Reads under names that fields keep.
    asked_by_field: Vec<columns::AskedByField>,
    /// Calls that make sums of rows.
    rows_asked: Vec<u32>,
    /// Reads under names that variables hold.
    asked_by_text: Vec<named_by_texts::AskedByText>,
    /// Keys of what is spread in calls, with the parameters that they are.
    keys_spread: Vec<(u32, Symbol, PlaceIndex, How)>,
    /// Columns of tables, see [`Self::columns_known`].
    columns: Option<Arc<frames::Columns>>,
}

impl From<(FileIndex, Position)> for EdgeSite {
    fn from((file, position): (FileIndex, Position)) -> Self {
        Self { file, position }
    }
}

impl<'s, 'p> Collector<'s, 'p> {
    fn new(solver: &'s Solver<'p>, heap: &'s Heap, (tables, names): (&'s Tables, &'s Names), used: &'s [bool]) -> Self {
        Self {
            solver,
            heap,
            tables,
            names,
            flows: Flows::default(),
            derived: Vec::new(),
            used,
            put_from_afar: FxHashSet::default(),
            read_as_tables: FxHashSet::default(),
            is_never: false,
            defaults: FxHashMap::default(),
            special: FxHashSet::default(),
            entered: FxHashSet::default(),
            opened: FxHashSet::default(),
            gathered: FxHashSet::default(),
            stepped: Default::default(),
            read_from_afar: FxHashSet::default(),
            asked_keys: Default::default(),
            asked_by_field: Vec::new(),
            rows_asked: Vec::new(),
            asked_by_text: Vec::new(),
            keys_spread: Vec::new(),
            columns: None,
        }
    }

    /// A new place in a function, through which something passes.
    pub(super) fn passing(&mut self, function: FunctionIndex) -> PlaceIndex {
        self.derived.push(DerivedPlace::Passing(function));
        PlaceIndex((self.solver.program.place_count() + self.derived.len() - 1) as u32)
    }

    pub(super) fn is_used(&self, place: PlaceIndex) -> bool {
        self.used.get(place.at()).copied().unwrap_or(true)
    }

    pub(super) fn flow(&mut self, from: End, to: End, how: How, rule: Rule, site: EdgeSite) {
        let edge = ValueEdge::of_no_call(EdgeKind::FlowsTo, (from, to), how, rule, site);
        self.flows.values.push(edge);
    }

    pub(super) fn between(&mut self, from: PlaceIndex, to: PlaceIndex, how: How, rule: Rule, site: EdgeSite) {
        if from != to {
            self.flow(End::Place(from), End::Place(to), how, rule, site);
        }
    }

    pub(super) fn access(&mut self, kind: EdgeKind, function: FunctionIndex, target: End, rule: Rule, site: EdgeSite) {
        self.access_by(kind, (function, target), How::None, rule, site);
    }

    pub(super) fn access_by(
        &mut self,
        kind: EdgeKind,
        (function, target): (FunctionIndex, End),
        how: How,
        rule: Rule,
        site: EdgeSite,
    ) {
        self.flows.accesses.push(Access {
            kind,
            function,
            target,
            how,
            rule,
            site,
        });
    }

    /// A function changes what is in a field, and not by an assignment to it.
    pub(super) fn changed_field(
        &mut self,
        (function, field): (FunctionIndex, PlaceIndex),
        how: How,
        rule: Rule,
        site: EdgeSite,
    ) {
        self.access_by(EdgeKind::Writes, (function, End::Place(field)), how, rule, site);
    }

    pub(super) fn place_kind(&self, place: PlaceIndex) -> Option<PlaceKind> {
        self.solver.program.place_kind(place)
    }
}
