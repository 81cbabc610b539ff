//! Where something may be of which nothing is known, beside what is: what is asked of it under a constant key is asked of the wire, too.
//!
//! ```python
//! body = request.json or {}
//! body["size"]                        # the wire's `size`: the dict that was made here has none
//! def area(body): return body["size"]     # and so it is where that is handed on, kept in a field, and given back
//! {**DEFAULTS, **body}["size"]        # and in what was put together of it
//! ```

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::tables::Assigned;
use super::{Collector, EdgeSite, End};
use crate::facts::order::Point;
use crate::facts::{ContainerKind, FunctionId};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::rows::LoadRow;
use crate::propagate::solve::{Constraint, ElementRow, RowKey, Solver, Target};

/// A set of places; most places of a program are in one or another, and there are millions.
#[derive(Debug, Default)]
struct Places(Vec<bool>);

impl Places {
    fn none(solver: &Solver<'_>) -> Self {
        Self(vec![false; solver.program.place_count()])
    }

    /// Whether it was not there before.
    fn insert(&mut self, place: PlaceIndex) -> bool {
        self.0
            .get_mut(place.at())
            .is_some_and(|is_in| !std::mem::replace(is_in, true))
    }

    fn contains(&self, place: PlaceIndex) -> bool {
        self.0.get(place.at()).copied().unwrap_or(false)
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Unknown {
    /// Where what library code gave goes.
    followed: Places,
    /// What calls and loads give without an object, and what that is assigned to.
    given_nothing: Places,
    /// Where objects may come that are of classes of the index, and nobody knows of which.
    objects: Places,
    /// Containers that the parts of such values were put in, and when.
    mixed: FxHashMap<ObjectId, Vec<(FunctionIndex, Point)>>,
    /// When such a container got a part under a constant key.
    put: FxHashMap<(ObjectId, Symbol), Vec<(FunctionIndex, Point)>>,
}

impl Unknown {
    /// Of what was solved, as long as there are constraints.
    pub(super) fn find(solver: &Solver<'_>, assigned: &Assigned, encoded: &FxHashSet<PlaceIndex>) -> Self {
        let mut unknown = Self {
            followed: followed(solver, encoded),
            objects: follow(solver, made_elsewhere(solver), |place| {
                solver.slots[place.at()].declared != 0
            }),
            given_nothing: given_nothing(solver, assigned),
            ..Self::default()
        };
        unknown.mix(solver, assigned);
        if unknown.follow_mixed(solver) {
            unknown.mix(solver, assigned);
        }
        unknown
    }

    /// What is read out of containers that something unknown was mixed with may be unknown, beside what else comes there: `found.get("tags", ())`.
    fn follow_mixed(&mut self, solver: &Solver<'_>) -> bool {
        let rows = solver.element_loads.iter();
        let rows = rows.filter(|row| solver.untyped.contains(&row.file) && !solver.contents(row.value).is_empty());
        let is_mixed = |row: &&ElementRow| solver.held(row.base).any(|(id, _)| self.is_mixed(id, row.key));
        let read: Vec<PlaceIndex> = rows.filter(is_mixed).map(|row| row.value).collect();
        let mut is_new = false;
        if !read.is_empty() {
            let Places(further) = follow(solver, read, |_| false);
            for (known, more) in self.followed.0.iter_mut().zip(further) {
                is_new |= more && !*known;
                *known |= more;
            }
        }
        is_new
    }

    /// Whether something unknown may be in a place.
    pub(super) fn is_in(&self, place: PlaceIndex) -> bool {
        self.is_followed(place) || self.given_nothing.contains(place)
    }

    /// Whether something that library code gave may be in a place.
    pub(super) fn is_followed(&self, place: PlaceIndex) -> bool {
        self.followed.contains(place)
    }

    /// Whether what a read finds may have come out of something unknown: what library code reads, out of what other library code gave.
    pub(super) fn is_read(&self, solver: &Solver<'_>, row: &ElementRow) -> bool {
        let is_in = match row.library {
            true => self.is_followed(row.base),
            false => self.is_in(row.base),
        };
        is_in || solver.held(row.base).any(|(id, _)| self.is_mixed(id, row.key))
    }

    /// Whether what is spread may bring something unknown under a name.
    pub(super) fn is_spread(&self, solver: &Solver<'_>, place: PlaceIndex, name: Symbol) -> bool {
        self.is_in(place) || solver.held(place).any(|(id, _)| self.is_mixed(id, RowKey::Text(name)))
    }

    /// Whether a part of a container may be one that came out of something unknown, and was not overwritten since.
    fn is_mixed(&self, container: ObjectId, key: RowKey) -> bool {
        let Some(mixed) = self.mixed.get(&container) else {
            return false;
        };
        let RowKey::Text(key) = key else { return false };
        let later = self.put.get(&(container, key));
        let is_overwritten = |(function, point): &(FunctionIndex, Point)| {
            let mut later = later.into_iter().flatten();
            later.any(|(put_in, put_at)| put_in == function && put_at > point)
        };
        !mixed.iter().all(is_overwritten)
    }

    /// Finds the containers that are filled out of something unknown.
    fn mix(&mut self, solver: &Solver<'_>, assigned: &Assigned) {
        let containers = |place: PlaceIndex| {
            let held = solver.held(place);
            held.filter(|(_, object)| matches!(object, Object::Container { .. }))
                .map(|(id, _)| id)
                .collect::<Vec<_>>()
        };
        let mut copies = Vec::new();
        for row in solver
            .part_copies
            .iter()
            .filter(|row| solver.untyped.contains(&row.file))
        {
            let (from, to) = (containers(row.from), containers(row.to));
            let at = (row.function, row.point);
            // A table that comes as an argument has columns that nobody sees.
            let is_opaque = || {
                solver
                    .held(row.from)
                    .any(|(_, object)| is_unknown(solver, row.file, object))
            };
            if self.followed.contains(row.from) || self.objects.contains(row.from) || is_opaque() {
                for id in &to {
                    self.mixed.entry(*id).or_default().push(at);
                }
            }
            copies.push((from, to, at));
        }
        let keys = keys_of_unknown(solver, assigned, &self.followed);
        for row in solver
            .element_stores
            .iter()
            .filter(|row| solver.untyped.contains(&row.file))
        {
            if row.index.is_some_and(|index| keys.contains(&index)) {
                for id in containers(row.base) {
                    self.mixed.entry(id).or_default().push((row.function, row.point));
                }
            }
        }
        let mut grows = !self.mixed.is_empty();
        while grows {
            grows = false;
            for (from, to, at) in &copies {
                if from.iter().any(|id| self.mixed.contains_key(id)) {
                    for id in to.iter().filter(|id| !from.contains(id)) {
                        let mixed = self.mixed.entry(*id).or_default();
                        if !mixed.contains(at) {
                            mixed.push(*at);
                            grows = true;
                        }
                    }
                }
            }
        }
        for row in &solver.element_stores {
            let RowKey::Text(key) = row.key else { continue };
            for id in containers(row.base) {
                if self.mixed.contains_key(&id) {
                    self.put.entry((id, key)).or_default().push((row.function, row.point));
                }
            }
        }
    }
}

/// Whether nothing is known of what a place holds but that library code gave it.
fn is_opaque(solver: &Solver<'_>, file: FileIndex, place: PlaceIndex) -> bool {
    let mut held = solver.held(place).peekable();
    held.peek().is_none() || held.any(|(_, object)| is_unknown(solver, file, object))
}

/// Whether an object is one of a library's of which nobody says what is in it.
fn is_unknown(solver: &Solver<'_>, file: FileIndex, object: Object) -> bool {
    let (Object::External(name) | Object::AnyExternal(name)) = object else {
        return false;
    };
    // What the language has itself is no record.
    let text = solver.program.symbols.text(name);
    let language = solver.program.files[file.at()].language;
    let head = text.split('.').next().unwrap_or(text);
    text.contains('.') && !crate::builtins::is_builtin(language, head.trim_end_matches("()"))
}

/// What calls and loads give without an object, and what that is assigned to.
fn given_nothing(solver: &Solver<'_>, assigned: &Assigned) -> Places {
    let loaded = solver.loads.iter().map(|row| row.to);
    let loaded = loaded.chain(solver.element_loads.iter().map(|row| row.value));
    let given = solver.results.iter().copied().chain(loaded);
    let mut open: Vec<PlaceIndex> = given.filter(|place| solver.contents(*place).is_empty()).collect();
    let mut unknown = Places::none(solver);
    while let Some(place) = open.pop() {
        if unknown.insert(place) {
            open.extend(assigned.get(&place).into_iter().flatten());
        }
    }
    unknown
}

/// Where what comes from outside goes, and what is taken out of that where a function that is called stands for itself.
fn followed(solver: &Solver<'_>, encoded: &FxHashSet<PlaceIndex>) -> Places {
    let rows = solver.element_loads.iter();
    let copied = rows.filter(|row| row.silent && solver.untyped.contains(&row.file));
    let mut taken: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
    for row in copied.filter(|row| is_opaque(solver, row.file, row.value)) {
        taken.entry(row.base).or_default().push(row.value);
    }
    let taken = |place: PlaceIndex| taken.get(&place).map_or(&[][..], Vec::as_slice);
    follow_through(solver, from_outside(solver, encoded), |_| false, taken)
}

/// Where what is in these places goes, as it is, and not into those that are closed.
fn follow(solver: &Solver<'_>, open: Vec<PlaceIndex>, is_closed: impl Fn(PlaceIndex) -> bool) -> Places {
    follow_through(solver, open, is_closed, |_| &[])
}

/// The same, and into other places with what comes to some.
fn follow_through<'p>(
    solver: &Solver<'_>,
    mut open: Vec<PlaceIndex>,
    is_closed: impl Fn(PlaceIndex) -> bool,
    others: impl Fn(PlaceIndex) -> &'p [PlaceIndex],
) -> Places {
    let mut seen = Places::none(solver);
    while let Some(place) = open.pop() {
        if is_closed(place) || !seen.insert(place) {
            continue;
        }
        open.extend(others(place));
        for constraint in solver.constraints_of(place) {
            open.extend(match constraint {
                Constraint::Copy(to) | Constraint::CopyOwn(to, _) => Some(to),
                Constraint::Narrow(row) => Some(solver.narrowings[row as usize].to),
                Constraint::Assert(row) => Some(solver.assertions[row as usize].to),
                Constraint::MemberCopy(load, _) => Some(solver.loads[load as usize].to),
                _ => None,
            });
        }
    }
    seen
}

/// What calls of nobody knows what give, what is read from such, what those hand over whom nobody sees, and what stands for any object in a test.
fn made_elsewhere(solver: &Solver<'_>) -> Vec<PlaceIndex> {
    let is_empty = |place: PlaceIndex| solver.contents(place).is_empty();
    let is_mock = |held| is_mock(solver, held);
    let mut called: FxHashSet<FunctionIndex> = FxHashSet::default();
    let mut open = Vec::new();
    for (index, row) in solver.calls.iter().enumerate() {
        called.extend(row.targets.iter().filter_map(|target| match target {
            Target::Function { function, .. } | Target::Constructor { function, .. } => Some(*function),
            _ => None,
        }));
        let is_written = !row.silent && !matches!(row.how, How::Implicit | How::Callback);
        if !is_written || !solver.untyped.contains(&row.file) {
            continue;
        }
        for result in solver.call_results(index as u32) {
            let is_unknown = row.targets.is_empty() && is_empty(*result);
            if is_unknown || solver.held(*result).any(is_mock) {
                open.push(*result);
            }
        }
    }
    let members = solver.loads.iter().filter(|row| !row.silent && !row.implicit);
    let members = members.filter(|row| solver.untyped.contains(&row.file) && is_empty(row.base) && is_empty(row.to));
    open.extend(members.map(|row| row.to));
    // What a test hands in for it tells nothing of what else comes there.
    let members = solver.loads.iter().filter(|row| !row.silent && !row.implicit);
    let members = members.filter(|row| !solver.program.is_test(row.function));
    open.extend(members.filter(|row| solver.held(row.to).any(is_mock)).map(|row| row.to));
    for (index, file) in solver.program.files.iter().enumerate() {
        let file_index = FileIndex(index as u32);
        if !solver.untyped.contains(&file_index) {
            continue;
        }
        for (local, function) in file.facts.functions.iter().enumerate() {
            let own = solver.program.function(file_index, FunctionId(local as u32));
            if called.contains(&own) {
                continue;
            }
            // What is declared says what may come.
            let undeclared = function.parameters.iter().map(|parameter| parameter.place);
            let undeclared = undeclared.filter(|place| solver.program.declared_type(file_index, *place).is_none());
            let places = undeclared.map(|place| solver.program.place(file_index, place));
            open.extend(places.filter(|place| is_empty(*place)));
        }
    }
    open
}

/// Whether an object is one that stands for any other in a test.
fn is_mock(solver: &Solver<'_>, (_, object): (ObjectId, Object)) -> bool {
    match object {
        Object::External(name) | Object::AnyExternal(name) => {
            solver.program.symbols.text(name).starts_with("unittest.mock.")
        }
        _ => false,
    }
}

impl Collector<'_, '_> {
    /// Methods that are called, and fields that are read, of what may be an object that nobody knows beside those that are known.
    pub(super) fn members_of_unknown(&mut self) {
        let solver = self.solver;
        let unknown = &self.tables.unknown.objects;
        let mut callees = FxHashSet::default();
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            callees.insert(row.callee);
            let Some(load) = self.tables.load_of.get(&row.callee) else {
                continue;
            };
            let load = &solver.loads[*load as usize];
            let is_written = row.how == How::Method && !load.implicit && !row.targets.is_empty();
            // What stands for a module in a test has its functions.
            let may_be = || {
                let for_module = || {
                    self.names.is_of_a_function(load.member) && solver.held(load.base).any(|held| is_mock(solver, held))
                };
                self.names.is_of_a_method(load.member) || for_module()
            };
            if is_written && unknown.contains(load.base) && may_be() {
                let call = call as u32;
                self.call_edge(call, End::Unresolved(load.member), Rule::UnresolvedReceiver, row.how);
            }
        }
        for row in solver.loads.iter().filter(|row| !row.silent && !row.implicit) {
            let is_known = !solver.contents(row.base).is_empty() && !callees.contains(&row.to);
            let is_member = self.names.is_of_a_field(row.member) || self.names.is_of_a_method(row.member);
            if is_known && unknown.contains(row.base) && is_member {
                let site = EdgeSite {
                    file: row.file,
                    position: row.position,
                };
                let (field, rule) = (End::Unresolved(row.member), Rule::UnresolvedReceiver);
                self.access(EdgeKind::Reads, row.function, field, rule, site);
            }
        }
    }
}

/// What library code gives, of which nobody says what it is, and what comes from callers that nobody sees.
fn from_outside(solver: &Solver<'_>, encoded: &FxHashSet<PlaceIndex>) -> Vec<PlaceIndex> {
    let mut open = Vec::new();
    for (index, row) in solver.calls.iter().enumerate() {
        // Where the table says what comes out, that comes by itself, but for what is read from a wire.
        let is_told = |target: &Target| match target {
            Target::External(name) => {
                let entry = solver.table_entry(row.file, *name);
                entry.is_some_and(|entry| {
                    entry.holds.is_some() || entry.returns.as_ref().is_none_or(|named| !named.contains('.'))
                })
            }
            _ => true,
        };
        let is_written = !row.silent && !matches!(row.how, How::Implicit | How::Callback);
        let is_open = row.receiver.is_some_and(|receiver| is_open_mapping(solver, receiver));
        if is_open && is_written && solver.untyped.contains(&row.file) {
            open.extend(solver.call_results(index as u32));
        }
        if !is_written
            || !solver.untyped.contains(&row.file)
            || !row.targets.is_empty() && row.targets.iter().all(is_told)
        {
            continue;
        }
        let results = solver.call_results(index as u32).iter().copied();
        // What was encoded here is known.
        let results = results.filter(|result| !encoded.contains(result));
        open.extend(results.filter(|result| is_opaque(solver, row.file, *result)));
    }
    let members = solver.loads.iter().filter(|row| solver.untyped.contains(&row.file));
    let members = members.filter(|row| !row.silent && !row.implicit);
    let members = members.filter(|row| is_opaque(solver, row.file, row.base) && is_opaque(solver, row.file, row.to));
    open.extend(members.map(|row| row.to));
    // What a model has else, where nothing came, hides what came.
    let types = (0..solver.program.types.len() as u32).map(TypeIndex);
    let read: FxHashSet<TypeIndex> = types.filter(|class| solver.is_read_model(*class)).collect();
    let has_else = |row: &&LoadRow| {
        solver.held(row.base).any(|(_, object)| match object {
            Object::Instance(class) | Object::AnyOf(class) => {
                read.contains(&class) && solver.program.find_attribute_owner(class, row.member).is_some()
            }
            _ => false,
        })
    };
    let models = solver.loads.iter().filter(|row| !row.silent && !row.implicit);
    open.extend(models.filter(has_else).map(|row| row.to));
    let parts = solver
        .element_loads
        .iter()
        .filter(|row| solver.untyped.contains(&row.file));
    let parts = parts.filter(|row| !row.silent);
    let parts = parts.filter(|row| is_opaque(solver, row.file, row.base) && is_opaque(solver, row.file, row.value));
    open.extend(parts.map(|row| row.value));
    open
}

/// Whether a mapping is there of which no more is known than that it is one: `message: dict`.
fn is_open_mapping(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    solver.held(place).any(|(_, object)| match object {
        Object::Typed {
            kind: ContainerKind::Map,
            element,
            ..
        } => solver.objects.list(element).is_empty(),
        Object::External(name) => matches!(solver.program.symbols.text(name), "dict()" | "dict"),
        _ => false,
    })
}

/// Keys that something unknown has: `for key, value in body.items()`, `for key in body`.
fn keys_of_unknown(solver: &Solver<'_>, assigned: &Assigned, unknown: &Places) -> FxHashSet<PlaceIndex> {
    let rows = solver
        .element_loads
        .iter()
        .filter(|row| solver.untyped.contains(&row.file));
    let is_key = |row: &&ElementRow| matches!(row.key, RowKey::Each | RowKey::Index(0) | RowKey::Keys);
    let rows = rows.filter(is_key).filter(|row| unknown.contains(row.base));
    let mut open: Vec<PlaceIndex> = rows.map(|row| row.value).collect();
    let mut keys = FxHashSet::default();
    if open.is_empty() {
        return keys;
    }
    // `key.decode()`, `key.lower()`: another text, and as unknown.
    let mut made: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
    for (index, row) in solver.calls.iter().enumerate() {
        let is_known = |target: &Target| !matches!(target, Target::External(_));
        if let Some(receiver) = row.receiver
            && solver.untyped.contains(&row.file)
            && !row.targets.iter().any(is_known)
        {
            made.entry(receiver)
                .or_default()
                .extend(solver.call_results(index as u32));
        }
    }
    while let Some(place) = open.pop() {
        if keys.insert(place) {
            let further = [&made, assigned].map(|ways| ways.get(&place).map_or(&[][..], Vec::as_slice));
            open.extend(further.into_iter().flatten());
        }
    }
    keys
}
