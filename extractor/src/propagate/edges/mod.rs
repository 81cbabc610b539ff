//! From contents to edges: once nothing changes any more, every flow, call and access is written down with its site and rule.
//!
//! A load of `net` from a base that holds `Instance(Cart)` becomes a flow from the field `Cart.net` and a read of that field; a
//! load from a base of which nothing is known becomes a flow from the base itself, with a rule that says so.

mod calls;
mod elements;
mod encoded;
mod generators;
mod handed;
mod kept;
mod keyed;
mod library;
mod members;
mod plain;

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::order::Point;
use crate::facts::{PlaceKind, Position};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Program, Symbol, TypeIndex};
use crate::propagate::heap::Heap;
use crate::propagate::keyed::Meaning;
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{Solver, Target};

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
    /// One of the four flow kinds.
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
    /// Calls.
    pub calls: Vec<CallEdge>,
    /// Reads, writes, keys.
    pub accesses: Vec<Access>,
    /// Types of places.
    pub types: Vec<TypeEdge>,
    /// What implements what.
    pub implementations: Vec<(TypeIndex, TypeIndex)>,
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
}

/// Writes down what the solver found.
pub(super) fn collect(solver: &mut Solver<'_>, heap: &Heap, used: Vec<bool>) -> Flows {
    let mut collector = Collector::new(solver, heap, used);
    // About so many there will be: the largest table of all is not to be copied while it grows.
    let places = collector.used.len();
    collector.flows.values.reserve(heap.edges.len() + places + places / 2);
    collector.flows.values.extend_from_slice(&heap.edges);
    collector.plain_flows();
    collector.names();
    collector.loads();
    collector.stores();
    collector.find_stepped();
    collector.element_stores();
    collector.keyed_puts();
    collector.part_copies();
    collector.element_loads();
    collector.keyed_finds();
    collector.calls();
    collector.calls_cut();
    collector.defaults_of_uncalled();
    collector.exceptions();
    collector.called_back();
    collector.texts();
    collector.setters();
    collector.steps_as_calls();
    collector.keys();
    collector.types();
    let mut flows = collector.flows;
    flows.outside_implementations = solver.outside_implementations();
    flows.implementations = std::mem::take(&mut solver.implementations);
    flows
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

/// Places by the place that is assigned to them.
type Assigned = FxHashMap<PlaceIndex, Vec<PlaceIndex>>;

/// To what each place is assigned as it is, inside its file.
fn assignments(solver: &Solver<'_>) -> Assigned {
    let mut next = Assigned::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let file_index = FileIndex(index as u32);
        for flow in file
            .facts
            .flows
            .iter()
            .filter(|flow| flow.same && flow.how == How::Assign)
        {
            let from = solver.program.place(file_index, flow.from);
            next.entry(from)
                .or_default()
                .push(solver.program.place(file_index, flow.to));
        }
        for narrowing in &file.facts.narrowings {
            let from = solver.program.place(file_index, narrowing.from);
            next.entry(from)
                .or_default()
                .push(solver.program.place(file_index, narrowing.to));
        }
    }
    next
}

/// Which variables of files the uses of their names mean.
fn globals_used(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, Vec<PlaceIndex>> {
    let mut used: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
    for (file, index, places) in &solver.name_sources {
        let row = &solver.program.files[file.at()].facts.name_uses[*index as usize];
        let globals = places.iter().filter(|place| {
            let local = solver.program.local_place(**place);
            local.is_some_and(|(file, local)| {
                let row = solver.program.files[file.at()].facts.places[local.0 as usize];
                row.kind == PlaceKind::Global
            })
        });
        let globals: Vec<PlaceIndex> = globals.copied().collect();
        if !globals.is_empty() {
            used.insert(solver.program.place(*file, row.to), globals);
        }
    }
    used
}

/// What calls, loads and callers give without an object, and what that is assigned to: `payload.get("items") or []`.
fn partly_unknown(solver: &Solver<'_>, assigned: &Assigned) -> FxHashSet<PlaceIndex> {
    let loaded = solver
        .loads
        .iter()
        .map(|row| row.to)
        .chain(solver.element_loads.iter().map(|row| row.value));
    let given = solver.results.iter().copied().chain(loaded);
    let mut open: Vec<PlaceIndex> = given.filter(|place| solver.contents(*place).is_empty()).collect();
    let mut unknown = FxHashSet::default();
    while let Some(place) = open.pop() {
        if unknown.insert(place) {
            open.extend(assigned.get(&place).into_iter().flatten());
        }
    }
    unknown
}

/// Which places of a caller hold a container that a call gave it: the value of the call, and what it is assigned to.
fn given_by(solver: &Solver<'_>, assigned: &Assigned) -> FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>> {
    let mut given: FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>> = FxHashMap::default();
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        let call = call as u32;
        for target in &row.targets {
            let Target::Function { function, .. } = target else {
                continue;
            };
            for result in solver.call_results(call) {
                let made_there = solver.held(*result).any(|(_, object)| match object {
                    Object::Container { site, .. } => solver.program.owner_of(site) == Some(*function),
                    _ => false,
                });
                if !made_there {
                    continue;
                }
                let mut open = vec![*result];
                let mut seen = FxHashSet::default();
                while let Some(place) = open.pop() {
                    if seen.insert(place) && seen.len() < 100 {
                        given.entry(place).or_default().push((call, *function));
                        open.extend(assigned.get(&place).into_iter().flatten());
                    }
                }
            }
        }
    }
    given
}

struct Collector<'s, 'p> {
    solver: &'s mut Solver<'p>,
    heap: &'s Heap,
    flows: Flows,
    /// Whether a value is used: what nobody uses needs no edges.
    used: Vec<bool>,
    load_of: FxHashMap<PlaceIndex, u32>,
    imported_from: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Places with a declared type.
    declared: FxHashSet<PlaceIndex>,
    /// Places that hold what a call gave, in the caller: (call, callee).
    given_by: FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>>,
    /// Parts under unknown keys that another function than the container's put in.
    put_from_afar: FxHashSet<PlaceIndex>,
    /// Places that may hold something of which nothing is known, beside what is.
    partly_unknown: FxHashSet<PlaceIndex>,
    /// Defaults of parameters.
    defaults: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Functions that calls were found to call.
    entered: FxHashSet<FunctionIndex>,
    /// What reads find that this function wrote itself: another name for what is there.
    read_back: FxHashSet<PlaceIndex>,
    /// To what places are assigned as they are.
    assigned: Assigned,
    /// Variables of files, by the place of a use.
    globals_used: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Text that was encoded here, out of structures.
    encoded: FxHashSet<PlaceIndex>,
    /// Containers whose parts were joined in one place.
    gathered: FxHashSet<ObjectId>,
    /// Generators that are stepped.
    stepped: generators::Stepped,
    /// Containers that functions make of what they are given, and others read.
    read_from_afar: FxHashSet<PlaceIndex>,
    /// Constructors that tell the exception what to keep.
    telling: FxHashSet<FunctionIndex>,
    /// What calls mean by what their callees put and find under keys.
    meanings: Vec<Meaning>,
}

impl From<(FileIndex, Position)> for EdgeSite {
    fn from((file, position): (FileIndex, Position)) -> Self {
        Self { file, position }
    }
}

impl<'s, 'p> Collector<'s, 'p> {
    pub(super) fn new(solver: &'s mut Solver<'p>, heap: &'s Heap, used: Vec<bool>) -> Self {
        let load_of = solver
            .loads
            .iter()
            .enumerate()
            .map(|(index, row)| (row.to, index as u32))
            .collect();
        let mut imported_from: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        for (from, to) in &solver.import_sources {
            imported_from.entry(*to).or_default().push(*from);
        }
        let mut declared = FxHashSet::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            declared.extend(
                file.facts
                    .declared
                    .iter()
                    .map(|(place, _)| solver.program.place(file_index, *place)),
            );
        }
        let telling = kept::telling(solver);
        let meanings = solver.keyed_meanings();
        let assigned = assignments(solver);
        let parts = solver.element_loads.iter().filter(|row| row.known);
        let members = solver.loads.iter().filter(|row| row.known);
        let read_back = parts.map(|row| row.value).chain(members.map(|row| row.to)).collect();
        let partly_unknown = partly_unknown(solver, &assigned);
        let globals_used = globals_used(solver);
        let encoded = encoded::encoded(solver);
        let given_by = given_by(solver, &assigned);
        let put_from_afar = FxHashSet::default();
        Self {
            solver,
            heap,
            flows: Flows::default(),
            used,
            load_of,
            imported_from,
            declared,
            given_by,
            put_from_afar,
            partly_unknown,
            encoded,
            globals_used,
            defaults: FxHashMap::default(),
            entered: FxHashSet::default(),
            assigned,
            read_back,
            gathered: FxHashSet::default(),
            stepped: Default::default(),
            read_from_afar: FxHashSet::default(),
            telling,
            meanings,
        }
    }

    pub(super) fn is_used(&self, place: PlaceIndex) -> bool {
        self.used.get(place.at()).copied().unwrap_or(true)
    }

    pub(super) fn flow(&mut self, from: End, to: End, how: How, rule: Rule, site: EdgeSite) {
        self.flows.values.push(ValueEdge {
            kind: EdgeKind::FlowsTo,
            from,
            to,
            how,
            rule,
            site,
            call: NO_CALL,
        });
    }

    pub(super) fn between(&mut self, from: PlaceIndex, to: PlaceIndex, how: How, rule: Rule, site: EdgeSite) {
        if from != to {
            self.flow(End::Place(from), End::Place(to), how, rule, site);
        }
    }

    pub(super) fn access(&mut self, kind: EdgeKind, function: FunctionIndex, target: End, rule: Rule, site: EdgeSite) {
        self.flows.accesses.push(Access {
            kind,
            function,
            target,
            rule,
            site,
        });
    }

    pub(super) fn place_kind(&self, place: PlaceIndex) -> Option<PlaceKind> {
        let (file, local) = self.solver.program.local_place(place)?;
        Some(self.solver.program.files[file.at()].facts.places[local.0 as usize].kind)
    }
}
