//! From contents to edges: once nothing changes any more, every flow, call and access is written down with its site and rule.
//!
//! A load of `net` from a base that holds `Instance(Cart)` becomes a flow from the field `Cart.net` and a read of that field; a
//! load from a base of which nothing is known becomes a flow from the base itself, with a rule that says so.

use ripple_schema::{EdgeKind, How, Language, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::{readable_parts, written_part};
use super::library::{Effect, Subject};
use super::object::{Object, ObjectId};
use super::solve::{ElementRow, LoadRow, RowKey, Solver, Target};
use crate::facts::{self, ArgumentKind, FieldKind, PlaceKind, Position, TypeKind};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol, TypeIndex};

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
    /// Wire keys of fields: member place, key.
    pub field_keys: Vec<(PlaceIndex, Symbol)>,
}

/// Writes down what the solver found.
pub fn collect(solver: &mut Solver<'_>) -> Flows {
    let mut collector = Collector::new(solver);
    collector.plain_flows();
    collector.names();
    collector.loads();
    collector.stores();
    collector.element_stores();
    collector.element_loads();
    collector.calls();
    collector.setters();
    collector.keys();
    collector.types();
    let mut flows = collector.flows;
    flows.implementations = std::mem::take(&mut solver.implementations);
    flows
}

/// Which places of a caller hold a container that a call gave it: the value of the call, and what it is assigned to.
fn given_by(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>> {
    let mut next: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
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
    }
    let mut given: FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>> = FxHashMap::default();
    for (call, row) in solver.calls.iter().enumerate() {
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
                        open.extend(next.get(&place).into_iter().flatten());
                    }
                }
            }
        }
    }
    given
}

struct Collector<'s, 'p> {
    solver: &'s mut Solver<'p>,
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
}

impl<'s, 'p> Collector<'s, 'p> {
    fn new(solver: &'s mut Solver<'p>) -> Self {
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
        solver.loads.iter().for_each(|row| mark(row.base));
        solver.stores.iter().filter_map(|row| row.from).for_each(&mut mark);
        solver.element_loads.iter().for_each(|row| mark(row.base));
        solver.element_stores.iter().for_each(|row| mark(row.value));
        solver.arguments.iter().filter_map(|row| row.place).for_each(&mut mark);
        solver.calls.iter().filter_map(|row| row.receiver).for_each(&mut mark);
        for place in &mut used[solver.program.local_places as usize..] {
            *place = true;
        }
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
        let given_by = given_by(solver);
        let put_from_afar = FxHashSet::default();
        Self {
            solver,
            flows: Flows::default(),
            used,
            load_of,
            imported_from,
            declared,
            given_by,
            put_from_afar,
        }
    }

    fn is_used(&self, place: PlaceIndex) -> bool {
        self.used.get(place.at()).copied().unwrap_or(true)
    }

    fn flow(&mut self, from: End, to: End, how: How, rule: Rule, site: EdgeSite) {
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

    fn between(&mut self, from: PlaceIndex, to: PlaceIndex, how: How, rule: Rule, site: EdgeSite) {
        if from != to {
            self.flow(End::Place(from), End::Place(to), how, rule, site);
        }
    }

    fn access(&mut self, kind: EdgeKind, function: FunctionIndex, target: End, rule: Rule, site: EdgeSite) {
        self.flows.accesses.push(Access {
            kind,
            function,
            target,
            rule,
            site,
        });
    }

    fn place_kind(&self, place: PlaceIndex) -> Option<PlaceKind> {
        let (file, local) = self.solver.program.local_place(place)?;
        Some(self.solver.program.files[file.at()].facts.places[local.0 as usize].kind)
    }

    /// Flows that are written as such, and what class bodies put in members.
    fn plain_flows(&mut self) {
        for index in 0..self.solver.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.solver.program.files[index].facts.clone();
            for flow in &facts.flows {
                let from = self.solver.program.place(file, flow.from);
                let to = self.solver.program.place(file, flow.to);
                let site = EdgeSite {
                    file,
                    position: flow.position,
                };
                self.between(from, to, flow.how, Rule::Syntax, site);
            }
            for (place, object) in &facts.objects {
                let to = self.solver.program.place(file, *place);
                let position = facts.places[place.0 as usize].position;
                let site = EdgeSite { file, position };
                let from = match object {
                    facts::Object::Function(function) => End::Function(self.solver.program.function(file, *function)),
                    facts::Object::Class(class) => End::Type(self.solver.program.type_index(file, *class)),
                    _ => continue,
                };
                if self.is_used(to) {
                    self.flow(from, End::Place(to), How::Reference, Rule::Scope, site);
                }
            }
            for value in &facts.member_values {
                let owner = self.solver.program.type_index(file, value.owner);
                let name = self.solver.program.symbol(file, value.member);
                let Some(member) = self.solver.program.types[owner.at()].members.get(&name).copied() else {
                    continue;
                };
                let Some(row) = self.solver.program.member_of(member).filter(|row| row.field.is_some()) else {
                    continue;
                };
                let site = EdgeSite {
                    file,
                    position: row.position,
                };
                let from = self.solver.program.place(file, value.from);
                self.between(from, member, How::Store, Rule::Syntax, site);
            }
            for (local, own) in facts.types.iter().enumerate() {
                let owner = self.solver.program.type_index(file, facts::TypeId(local as u32));
                let body = self.solver.program.function(file, own.function);
                for field in &own.fields {
                    let name = self.solver.program.symbol(file, field.name);
                    let Some(member) = self.solver.program.types[owner.at()].members.get(&name).copied() else {
                        continue;
                    };
                    for key in field.keys.iter().filter(|key| key.0 != 0) {
                        let key = self.solver.program.symbol(file, *key);
                        self.flows.field_keys.push((member, key));
                    }
                    let set_here = facts
                        .member_values
                        .iter()
                        .any(|value| value.owner.0 == local as u32 && value.member == field.name);
                    if field.kind == FieldKind::ClassAttribute && set_here {
                        let site = EdgeSite {
                            file,
                            position: field.position,
                        };
                        self.access(EdgeKind::Writes, body, End::Place(member), Rule::Syntax, site);
                    }
                }
            }
        }
        self.initial_values();
        for (from, to) in self.solver.import_sources.clone() {
            if let Some((file, local)) = self.solver.program.local_place(to)
                && self.is_used(to)
            {
                let position = self.solver.program.files[file.at()].facts.places[local.0 as usize].position;
                self.between(from, to, How::Global, Rule::Scope, EdgeSite { file, position });
            }
        }
    }

    /// The body of a file writes the globals that it defines.
    fn initial_values(&mut self) {
        for index in 0..self.solver.program.files.len() {
            let file = FileIndex(index as u32);
            // In Go a declaration with a value is how the variable begins, not a write to it.
            if self.solver.program.files[index].language != Language::Python {
                continue;
            }
            let facts = self.solver.program.files[index].facts.clone();
            for (local, place) in facts.places.iter().enumerate() {
                if place.function.0 == 0 && matches!(place.kind, PlaceKind::Global | PlaceKind::Constant) {
                    let target = End::Place(self.solver.program.place(file, facts::PlaceId(local as u32)));
                    let body = self.solver.program.function(file, place.function);
                    let site = EdgeSite {
                        file,
                        position: place.position,
                    };
                    self.access(EdgeKind::Writes, body, target, Rule::Syntax, site);
                }
            }
        }
    }

    /// Uses of and assignments to file-level names.
    fn names(&mut self) {
        for (file, index, places) in std::mem::take(&mut self.solver.name_sources) {
            let facts = self.solver.program.files[file.at()].facts.clone();
            let name_use = facts.name_uses[index as usize];
            let to = self.solver.program.place(file, name_use.to);
            let function = self.solver.program.function(file, name_use.function);
            let site = EdgeSite {
                file,
                position: name_use.position,
            };
            for from in places {
                self.between(from, to, How::Global, Rule::Scope, site);
                self.read_globals(function, from, site);
            }
        }
        for (file, index, places) in std::mem::take(&mut self.solver.name_targets) {
            let facts = self.solver.program.files[file.at()].facts.clone();
            let store = facts.name_stores[index as usize];
            let function = self.solver.program.function(file, store.function);
            let site = EdgeSite {
                file,
                position: store.position,
            };
            for to in places {
                if let Some(from) = store.from {
                    let from = self.solver.program.place(file, from);
                    self.between(from, to, How::Global, Rule::Scope, site);
                }
                self.access(EdgeKind::Writes, function, End::Place(to), Rule::Scope, site);
            }
        }
    }

    /// The function reads a global; through imports, the one that was imported.
    fn read_globals(&mut self, function: FunctionIndex, place: PlaceIndex, site: EdgeSite) {
        let mut open = vec![place];
        let mut seen = FxHashSet::default();
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            match self.place_kind(place) {
                Some(PlaceKind::Global | PlaceKind::Constant) => {
                    self.access(EdgeKind::Reads, function, End::Place(place), Rule::Scope, site);
                }
                _ => open.extend(self.imported_from.get(&place).into_iter().flatten()),
            }
        }
    }

    fn loads(&mut self) {
        for index in 0..self.solver.loads.len() as u32 {
            let row = self.solver.loads[index as usize];
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let held: Vec<(ObjectId, Object)> = self.solver.held(row.base).collect();
            let mut known = self.solver.property_calls.contains_key(&index);
            for (id, object) in held {
                known |= self.load_of_object(index, row, site, id, object);
            }
            if !known && !row.implicit && self.is_used(row.to) {
                self.between(row.base, row.to, How::Load, Rule::UnknownContents, site);
            }
        }
    }

    /// Whether the object says what the load finds.
    fn load_of_object(&mut self, index: u32, row: LoadRow, site: EdgeSite, id: ObjectId, object: Object) -> bool {
        let owner = match object {
            // Narrowed by what arrived.
            Object::AnyOf(_) if row.after.is_none() && !self.solver.widened.contains(&(index, id)) => return true,
            Object::Instance(owner) | Object::AnyOf(owner) | Object::Class(owner) => owner,
            Object::Package(package) => {
                if let Meaning::Places(places) = self.solver.program.package_member(package, row.member) {
                    for place in places {
                        self.between(place, row.to, How::Global, Rule::Scope, site);
                        self.read_globals(row.function, place, site);
                    }
                }
                return true;
            }
            _ => return false,
        };
        let is_class = matches!(object, Object::Class(_));
        let mut places: Vec<PlaceIndex> = match row.after {
            Some(after) => self
                .solver
                .program
                .find_member_after(owner, after, row.member)
                .into_iter()
                .collect(),
            None if is_class => self.solver.program.find_member(owner, row.member).into_iter().collect(),
            None => self.solver.program.find_readable(owner, row.member),
        };
        let mut rule = self.member_rule(row.base, object);
        if self.solver.widened.contains(&(index, id)) {
            for subtype in self.solver.subtypes(owner) {
                if let Some(place) = self.solver.program.types[subtype.at()].members.get(&row.member)
                    && !places.contains(place)
                {
                    places.push(*place);
                    rule = Rule::Hierarchy;
                }
            }
        }
        for place in &places {
            let Some(member) = self.solver.program.member_of(*place) else {
                continue;
            };
            if member.field.is_some() {
                self.between(*place, row.to, How::Load, rule, site);
                self.access(EdgeKind::Reads, row.function, End::Place(*place), rule, site);
            } else if self.is_used(row.to) {
                for held in self.solver.contents(*place).to_vec() {
                    if let Object::Function(function) = self.solver.objects.get(held) {
                        self.flow(End::Function(function), End::Place(row.to), How::Reference, rule, site);
                    }
                }
            }
        }
        !places.is_empty() || !self.solver.program.types[owner.at()].open
    }

    /// How a member of what a place holds was found.
    fn member_rule(&self, base: PlaceIndex, object: Object) -> Rule {
        if self.place_kind(base) == Some(PlaceKind::Receiver) {
            return Rule::SelfMember;
        }
        match object {
            Object::AnyOf(_) => Rule::DeclaredType,
            Object::Instance(_) if self.declared.contains(&base) => Rule::DeclaredType,
            Object::Class(_) | Object::Package(_) => Rule::Scope,
            _ => Rule::Propagated,
        }
    }

    fn stores(&mut self) {
        for index in 0..self.solver.stores.len() {
            let row = self.solver.stores[index];
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let mut known = false;
            for (_, object) in self.solver.held(row.base).collect::<Vec<_>>() {
                let place = match object {
                    Object::Instance(owner) | Object::AnyOf(owner) => {
                        self.solver.program.find_attribute_owner(owner, row.member)
                    }
                    Object::Class(owner) => self.solver.program.find_member(owner, row.member),
                    Object::Package(package) => {
                        if let Meaning::Places(places) = self.solver.program.package_member(package, row.member) {
                            for place in places {
                                if let Some(from) = row.from {
                                    self.between(from, place, How::Global, Rule::Scope, site);
                                }
                                self.access(EdgeKind::Writes, row.function, End::Place(place), Rule::Scope, site);
                            }
                        }
                        known = true;
                        None
                    }
                    _ => None,
                };
                let Some(place) = place else { continue };
                known = true;
                if self
                    .solver
                    .program
                    .member_of(place)
                    .is_none_or(|member| member.field.is_none())
                {
                    continue;
                }
                let rule = self.member_rule(row.base, object);
                if let Some(from) = row.from {
                    self.between(from, place, How::Store, rule, site);
                }
                self.access(EdgeKind::Writes, row.function, End::Place(place), rule, site);
            }
            if let (false, Some(from)) = (known, row.from) {
                self.between(from, row.base, How::Store, Rule::UnknownContents, site);
            }
        }
    }

    fn element_loads(&mut self) {
        for index in 0..self.solver.element_loads.len() {
            let row = self.solver.element_loads[index];
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            if row.key == RowKey::Target {
                self.between(row.base, row.value, How::Assign, Rule::Syntax, site);
            }
            let mut known = row.key == RowKey::Target;
            for (id, object) in self.solver.held(row.base).collect::<Vec<_>>() {
                match object {
                    Object::Container { kind, .. } => {
                        known = true;
                        self.container_load(row, site, id, kind);
                    }
                    Object::Address(target) if row.key == RowKey::Target => {
                        self.between(target, row.value, How::Load, Rule::Propagated, site);
                    }
                    Object::Instance(owner) | Object::AnyOf(owner) => {
                        let program = &self.solver.program;
                        let is_python = program.type_language(owner) == Language::Python;
                        known |= is_python && !program.types[owner.at()].open;
                    }
                    Object::Class(_) => known = true,
                    _ => {}
                }
            }
            if !known {
                let rule = if row.library {
                    Rule::LibraryTable
                } else {
                    Rule::UnknownContents
                };
                self.between(row.base, row.value, How::Element, rule, site);
                if let RowKey::Text(key) = row.key {
                    self.flow(End::Key(key), End::Place(row.value), How::Decode, Rule::WireName, site);
                }
            }
        }
    }

    fn container_load(&mut self, row: ElementRow, site: EdgeSite, id: ObjectId, kind: facts::ContainerKind) {
        let mut wanted = readable_parts(kind, row.key);
        let all = wanted.contains(&Part::All);
        if all {
            let parts = self.solver.parts.get(&id).into_iter().flatten().map(|(part, _)| *part);
            wanted = parts
                .filter(|part| !matches!(part, Part::All | Part::Any | Part::Keys))
                .collect();
        }
        for part in wanted {
            if part == Part::Any {
                continue;
            }
            if let Some(place) = self.solver.elements.get(&(id, part)).copied() {
                let rule = if all { Rule::AnyElement } else { Rule::ConstantKey };
                self.part_to(place, row, rule, site);
            }
        }
        let is_keys = matches!(row.key, RowKey::Keys) && kind != facts::ContainerKind::Channel
            || kind == facts::ContainerKind::Map && row.key == RowKey::Each;
        if is_keys {
            return;
        }
        if let Some(place) = self.solver.elements.get(&(id, Part::Any)).copied()
            && self.put_from_afar.contains(&place)
        {
            self.part_to(place, row, Rule::AnyElement, site);
        }
        // What was put in under unknown keys is carried by the container itself, call by call.
        if self.solver.open.contains(&id) {
            self.between(row.base, row.value, How::Element, Rule::AnyElement, site);
        }
    }

    /// A part of a container goes to the load's place: as part of a call's result where a call gave the container.
    fn part_to(&mut self, part: PlaceIndex, row: ElementRow, rule: Rule, site: EdgeSite) {
        let maker = self.solver.program.owner_of(part);
        let given: Vec<u32> = self
            .given_by
            .get(&row.base)
            .into_iter()
            .flatten()
            .filter(|(_, callee)| Some(*callee) == maker)
            .map(|(call, _)| *call)
            .collect();
        if given.is_empty() {
            return self.between(part, row.value, How::Element, rule, site);
        }
        for call in given {
            let (kind, from, to, how) = (
                EdgeKind::ReturnsTo,
                End::Place(part),
                End::Place(row.value),
                How::Element,
            );
            self.flows.values.push(ValueEdge {
                kind,
                from,
                to,
                how,
                rule,
                site,
                call,
            });
        }
    }

    fn element_stores(&mut self) {
        for index in 0..self.solver.element_stores.len() {
            let row = self.solver.element_stores[index];
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let mut known = false;
            for (id, object) in self.solver.held(row.base).collect::<Vec<_>>() {
                match object {
                    Object::Container { kind, .. } => {
                        known = true;
                        let part = written_part(kind, row.key);
                        if part == Part::Keys && kind != facts::ContainerKind::Map {
                            continue;
                        }
                        if part == Part::Any {
                            self.between(row.value, row.base, How::Put, Rule::AnyElement, site);
                            self.put_afar(row, id, site);
                        } else if let Some(place) = self.solver.elements.get(&(id, part)).copied() {
                            self.between(row.value, place, How::Put, Rule::ConstantKey, site);
                        }
                    }
                    Object::Address(target) if row.key == RowKey::Target => {
                        known = true;
                        self.between(row.value, target, How::Store, Rule::Propagated, site);
                    }
                    Object::Instance(owner) | Object::AnyOf(owner) => {
                        if let Some(field) = self.solver.field_at(owner, row.key) {
                            self.between(row.value, field, How::Store, Rule::DeclaredType, site);
                            self.access(
                                EdgeKind::Writes,
                                row.function,
                                End::Place(field),
                                Rule::DeclaredType,
                                site,
                            );
                        }
                        let program = &self.solver.program;
                        let is_struct = program.type_facts(owner).kind == TypeKind::Struct;
                        let is_python = program.type_language(owner) == Language::Python;
                        known |= is_struct || is_python && !program.types[owner.at()].open;
                    }
                    _ => {}
                }
            }
            if !known && row.key != RowKey::Keys {
                self.between(row.value, row.base, How::Put, Rule::UnknownContents, site);
                if let RowKey::Text(key) = row.key {
                    self.flow(End::Place(row.value), End::Key(key), How::Encode, Rule::WireName, site);
                }
            }
        }
    }

    /// A container of another function: what is put in is there for all who hold it.
    fn put_afar(&mut self, row: ElementRow, id: ObjectId, site: EdgeSite) {
        let Some(place) = self.solver.elements.get(&(id, Part::Any)).copied() else {
            return;
        };
        if self.solver.program.owner_of(place) != Some(row.function) {
            self.put_from_afar.insert(place);
            self.between(row.value, place, How::Put, Rule::AnyElement, site);
        }
    }

    fn calls(&mut self) {
        for call in 0..self.solver.calls.len() as u32 {
            let targets = self.solver.calls[call as usize].targets.clone();
            for target in &targets {
                self.call_target(call, *target);
            }
            if targets.is_empty() {
                self.unresolved_call(call);
            }
        }
    }

    fn call_edge(&mut self, call: u32, target: End, rule: Rule, how: How) {
        let row = &self.solver.calls[call as usize];
        let site = EdgeSite {
            file: row.file,
            position: row.position,
        };
        self.flows.calls.push(CallEdge {
            function: row.function,
            target,
            how,
            rule,
            site,
            call,
        });
    }

    fn call_target(&mut self, call: u32, target: Target) {
        let row = &self.solver.calls[call as usize];
        let (file, how) = (row.file, row.how);
        match target {
            Target::Function {
                function,
                receiver,
                base,
            } => {
                let rule = self.target_rule(call, function);
                let how = if how == How::Direct && receiver.is_some() {
                    How::Method
                } else {
                    how
                };
                self.call_edge(call, End::Function(function), rule, how);
                self.pass_arguments(call, function, receiver.is_some(), base, rule);
                self.return_results(call, function, rule);
            }
            Target::Constructor { function, .. } => {
                let rule = self.target_rule(call, function);
                self.call_edge(call, End::Function(function), rule, How::Constructor);
                let value = self.solver.call_results(call).first().copied();
                self.pass_arguments(call, function, true, value, rule);
            }
            Target::Class(class) => {
                self.call_edge(call, End::Type(class), Rule::Scope, How::Constructor);
                let filled = self.solver.generated_fields(call, class);
                for passing in &filled {
                    let site = EdgeSite {
                        file,
                        position: passing.position,
                    };
                    self.between(passing.from, passing.to, How::Store, Rule::DeclaredType, site);
                }
                if filled.is_empty() && self.solver.program.types[class.at()].open {
                    self.summarize_all(call, Rule::UnknownLibrary);
                }
            }
            Target::Conversion(_) => {
                let from = self
                    .solver
                    .call_arguments(call)
                    .first()
                    .and_then(|argument| argument.place);
                let to = self.solver.call_results(call).first().copied();
                if let (Some(from), Some(to)) = (from, to) {
                    let site = self.call_site(call);
                    self.between(from, to, How::Assign, Rule::Syntax, site);
                }
            }
            Target::External(name) => self.external_call(call, name),
            Target::Opaque => {
                if self.solver.calls[call as usize].targets.len() == 1 {
                    self.unresolved_call(call);
                }
            }
        }
    }

    fn call_site(&self, call: u32) -> EdgeSite {
        let row = &self.solver.calls[call as usize];
        EdgeSite {
            file: row.file,
            position: row.position,
        }
    }

    /// How the callee was found.
    fn target_rule(&self, call: u32, function: FunctionIndex) -> Rule {
        let row = &self.solver.calls[call as usize];
        let Some(load) = self.load_of.get(&row.callee) else {
            let is_name = matches!(self.place_kind(row.callee), Some(PlaceKind::Binding | PlaceKind::Value));
            return if row.how == How::Direct && is_name {
                Rule::Scope
            } else {
                Rule::Propagated
            };
        };
        let load_row = self.solver.loads[*load as usize];
        let owner = self.solver.program.functions[function.at()].owner;
        let mut rule = Rule::Propagated;
        for (id, object) in self.solver.held(load_row.base) {
            let found = match object {
                Object::Instance(index) | Object::AnyOf(index) | Object::Class(index) => index,
                Object::Package(_) => return Rule::Scope,
                _ => continue,
            };
            let order = &self.solver.program.types[found.at()].order;
            if owner.is_some_and(|owner| order.contains(&owner)) {
                return self.member_rule(load_row.base, object);
            }
            if self.solver.widened.contains(&(*load, id)) {
                let is_receiver = self.place_kind(load_row.base) == Some(PlaceKind::Receiver);
                rule = if is_receiver {
                    Rule::SelfOverride
                } else {
                    Rule::Hierarchy
                };
            }
        }
        rule
    }

    fn pass_arguments(
        &mut self,
        call: u32,
        function: FunctionIndex,
        bound: bool,
        base: Option<PlaceIndex>,
        rule: Rule,
    ) {
        let file = self.solver.calls[call as usize].file;
        for passing in self.solver.passings(call, function, bound, base) {
            let site = EdgeSite {
                file,
                position: passing.position,
            };
            for (from, to) in self.solver.ways(passing) {
                let (kind, from, to, how) = (EdgeKind::PassesTo, End::Place(from), End::Place(to), passing.how);
                self.flows.values.push(ValueEdge {
                    kind,
                    from,
                    to,
                    how,
                    rule,
                    site,
                    call,
                });
            }
        }
    }

    fn return_results(&mut self, call: u32, function: FunctionIndex, rule: Rule) {
        let file = self.solver.program.functions[function.at()].file;
        let from = self.solver.program.function_facts(function).results.clone();
        let site = self.call_site(call);
        for (from, to) in from.into_iter().zip(self.solver.call_results(call).to_vec()) {
            if self.is_used(to) {
                let from = End::Place(self.solver.program.place(file, from));
                let (kind, to) = (EdgeKind::ReturnsTo, End::Place(to));
                self.flows.values.push(ValueEdge {
                    kind,
                    from,
                    to,
                    how: How::Return,
                    rule,
                    site,
                    call,
                });
            }
        }
    }

    /// What a library call does with its arguments.
    fn external_call(&mut self, call: u32, name: Symbol) {
        let row = &self.solver.calls[call as usize];
        let language = self.solver.program.files[row.file.at()].language;
        let (file, how, is_decorator) = (row.file, row.how, row.how == How::Decorator);
        let text = self.solver.program.symbols.text(name).to_owned();
        let head = text.split('.').next().unwrap_or(&text);
        let builtin = crate::builtins::is_builtin(language, head.trim_end_matches("()"));
        let rule = if builtin { Rule::Builtin } else { Rule::Library };
        self.call_edge(call, End::External(name), rule, how);
        let arguments = self.solver.call_arguments(call).to_vec();
        for argument in &arguments {
            let Some(place) = argument.place else { continue };
            let how = match argument.kind {
                ArgumentKind::Positional => How::Positional,
                ArgumentKind::Keyword(_) => How::Keyword,
                ArgumentKind::Spread | ArgumentKind::SpreadKeywords => How::Variadic,
            };
            let site = EdgeSite {
                file,
                position: argument.position,
            };
            for from in self.with_parts(place) {
                let (kind, from, to) = (EdgeKind::PassesTo, End::Place(from), End::External(name));
                self.flows.values.push(ValueEdge {
                    kind,
                    from,
                    to,
                    how,
                    rule: Rule::Syntax,
                    site,
                    call,
                });
            }
        }
        let result = self
            .solver
            .call_results(call)
            .first()
            .copied()
            .filter(|result| self.is_used(*result));
        let entry = self
            .solver
            .libraries
            .get(&language)
            .and_then(|library| library.get(&text))
            .cloned();
        if let Some(result) = result {
            let site = self.call_site(call);
            let (kind, from, to) = (EdgeKind::ReturnsTo, End::External(name), End::Place(result));
            self.flows.values.push(ValueEdge {
                kind,
                from,
                to,
                how: How::Return,
                rule,
                site,
                call,
            });
        }
        match entry {
            Some(entry) => {
                for effect in &entry.flows {
                    self.library_effect(call, effect);
                }
            }
            None if is_decorator => {
                let given = arguments.first().and_then(|argument| argument.place);
                if let (Some(from), Some(to)) = (given, result) {
                    let site = self.call_site(call);
                    self.between(from, to, How::Assign, Rule::UnknownLibrary, site);
                }
            }
            None => self.effects_by_name(call, name, Rule::UnknownLibrary),
        }
    }

    /// A method of which only the name is known does what methods of that name do, if the table says so.
    fn effects_by_name(&mut self, call: u32, name: Symbol, rule: Rule) {
        let row = &self.solver.calls[call as usize];
        let language = self.solver.program.files[row.file.at()].language;
        let text = self.solver.program.symbols.text(name);
        let last = format!("?.{}", text.rsplit('.').next().unwrap_or(text));
        let entry = self
            .solver
            .libraries
            .get(&language)
            .and_then(|library| library.get(&last))
            .cloned();
        match entry.filter(|_| row.receiver.is_some()) {
            Some(entry) => {
                for effect in &entry.flows {
                    self.library_effect(call, effect);
                }
            }
            None => self.summarize_all(call, rule),
        }
    }

    /// The place, and the parts of containers in it that have constant keys.
    fn with_parts(&self, place: PlaceIndex) -> Vec<PlaceIndex> {
        let mut places = vec![place];
        for (id, object) in self.solver.held(place) {
            if let Object::Container { .. } = object {
                let parts = self.solver.parts.get(&id).into_iter().flatten();
                places.extend(
                    parts
                        .filter(|(part, _)| matches!(part, Part::Text(_) | Part::Index(_)))
                        .map(|(_, place)| *place),
                );
            }
        }
        places
    }

    fn summarize(&mut self, from: End, to: End, rule: Rule, site: EdgeSite) {
        if from != to {
            let (kind, how) = (EdgeKind::Summarizes, How::None);
            self.flows.values.push(ValueEdge {
                kind,
                from,
                to,
                how,
                rule,
                site,
                call: NO_CALL,
            });
        }
    }

    /// Nothing is known: receiver and arguments are taken to reach every result.
    fn summarize_all(&mut self, call: u32, rule: Rule) {
        let site = self.call_site(call);
        let mut sources: Vec<PlaceIndex> = self
            .solver
            .call_arguments(call)
            .iter()
            .filter_map(|argument| argument.place)
            .collect();
        sources.extend(self.solver.calls[call as usize].receiver);
        for to in self.solver.call_results(call).to_vec() {
            if !self.is_used(to) {
                continue;
            }
            for source in &sources {
                for from in self.with_parts(*source) {
                    self.summarize(End::Place(from), End::Place(to), rule, site);
                }
            }
        }
    }

    fn library_effect(&mut self, call: u32, effect: &Effect) {
        let site = self.call_site(call);
        let row = &self.solver.calls[call as usize];
        let function = row.function;
        match effect {
            Effect::Move { from, to, .. } => {
                if let Subject::Key(index) = from.subject
                    && let Some(key) = self
                        .solver
                        .call_arguments(call)
                        .get(index)
                        .and_then(|argument| argument.text)
                {
                    self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                    for to in self.solver.subject_places(call, &to.subject) {
                        self.flow(End::Key(key), End::Place(to), How::Decode, Rule::LibraryTable, site);
                    }
                }
                if let Subject::Key(index) = to.subject
                    && let Some(key) = self
                        .solver
                        .call_arguments(call)
                        .get(index)
                        .and_then(|argument| argument.text)
                {
                    self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                    for from in self.solver.subject_places(call, &from.subject) {
                        self.flow(End::Place(from), End::Key(key), How::Encode, Rule::LibraryTable, site);
                    }
                }
                use super::library::EndPart::Whole;
                if from.part != Whole || to.part != Whole {
                    return;
                }
                for source in self.solver.subject_places(call, &from.subject) {
                    for target in self.solver.subject_places(call, &to.subject) {
                        for source in self.with_parts(source) {
                            self.summarize(End::Place(source), End::Place(target), Rule::LibraryTable, site);
                        }
                    }
                }
            }
            Effect::Decode { from, to } => {
                for target in self.solver.subject_places(call, &to.subject) {
                    let sources = self.solver.subject_places(call, &from.subject);
                    for source in &sources {
                        self.summarize(End::Place(*source), End::Place(target), Rule::LibraryTable, site);
                    }
                    for (member, key) in self.wire_fields(target) {
                        self.flow(End::Key(key), End::Place(member), How::Decode, Rule::LibraryTable, site);
                        self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                        for source in &sources {
                            self.summarize(End::Place(*source), End::Place(member), Rule::LibraryTable, site);
                        }
                    }
                }
            }
            Effect::Encode { from, to } => {
                for source in self.solver.subject_places(call, &from.subject) {
                    let targets = self.solver.subject_places(call, &to.subject);
                    for target in &targets {
                        self.summarize(End::Place(source), End::Place(*target), Rule::LibraryTable, site);
                    }
                    for (member, key) in self.wire_fields(source) {
                        self.flow(End::Place(member), End::Key(key), How::Encode, Rule::LibraryTable, site);
                        self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                        for target in &targets {
                            self.summarize(End::Place(member), End::Place(*target), Rule::LibraryTable, site);
                        }
                    }
                }
            }
            Effect::Call { .. } => {}
        }
    }

    /// Fields with wire names of whatever a place holds, inner structs and elements included; and constant keys of containers.
    fn wire_fields(&mut self, place: PlaceIndex) -> Vec<(PlaceIndex, Symbol)> {
        let mut found = Vec::new();
        let mut open = vec![place];
        let mut seen = FxHashSet::default();
        let mut seen_types = FxHashSet::default();
        while let Some(place) = open.pop() {
            if !seen.insert(place) || seen.len() > 500 {
                continue;
            }
            let mut objects: Vec<ObjectId> = self.solver.contents(place).to_vec();
            while let Some(id) = objects.pop() {
                match self.solver.objects.get(id) {
                    Object::Instance(index) | Object::AnyOf(index) => {
                        if seen_types.insert(index) {
                            objects.extend(self.solver.underlying_objects(index));
                            self.wire_fields_of(index, &mut found, &mut open);
                        }
                    }
                    Object::Typed { element, .. } => objects.extend(self.solver.objects.list(element)),
                    Object::Address(target) => open.push(target),
                    Object::Container { .. } => {
                        for (part, place) in self.solver.parts.get(&id).into_iter().flatten() {
                            if let Part::Text(key) = part {
                                found.push((*place, *key));
                            }
                            open.push(*place);
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }

    fn wire_fields_of(&mut self, index: TypeIndex, found: &mut Vec<(PlaceIndex, Symbol)>, open: &mut Vec<PlaceIndex>) {
        for base in self.solver.program.types[index.at()].order.clone() {
            let file = self.solver.program.types[base.at()].file;
            let facts = self.solver.program.type_facts(base).fields.clone();
            for field in facts {
                let name = self.solver.program.symbol(file, field.name);
                let Some(member) = self.solver.program.types[base.at()].members.get(&name).copied() else {
                    continue;
                };
                let is_go = self.solver.program.files[file.at()].language == Language::Go;
                let exported = self.solver.program.symbols.text(name).starts_with(char::is_uppercase);
                for key in field.keys.iter().filter(|key| key.0 != 0) {
                    found.push((member, self.solver.program.symbol(file, *key)));
                }
                // Go's own name for a field without a tag.
                if field.keys.is_empty() && is_go && exported && !field.embedded {
                    found.push((member, name));
                    self.flows.field_keys.push((member, name));
                }
                let left_out = field.keys.first().is_some_and(|key| key.0 == 0);
                if !left_out {
                    open.push(member);
                }
            }
        }
    }

    fn unresolved_call(&mut self, call: u32) {
        let row = self.solver.calls[call as usize].clone();
        let result = self
            .solver
            .call_results(call)
            .first()
            .copied()
            .filter(|result| self.is_used(*result));
        let site = self.call_site(call);
        match row.how {
            How::Implicit => {
                // The language's own operator on built-in values: what goes in comes out, changed.
                let entering = matches!(
                    self.solver.program.symbols.text(row.text),
                    "__exit__" | "__aexit__" | "__setitem__" | "__getitem__" | "__iter__" | "__next__"
                );
                if let (Some(result), false) = (result, entering) {
                    let arguments = self.solver.call_arguments(call).to_vec();
                    let sources = arguments
                        .iter()
                        .filter_map(|argument| argument.place)
                        .chain(row.receiver);
                    for source in sources.collect::<Vec<_>>() {
                        for from in self.with_parts(source) {
                            self.between(from, result, How::Assign, Rule::Syntax, site);
                        }
                    }
                }
                return;
            }
            How::Callback => return,
            How::Decorator => {
                let given = self
                    .solver
                    .call_arguments(call)
                    .first()
                    .and_then(|argument| argument.place);
                if let (Some(from), Some(to)) = (given, result) {
                    self.between(from, to, How::Assign, Rule::UnknownCallee, site);
                }
            }
            _ => self.effects_by_name(call, row.text, Rule::UnknownCallee),
        }
        let text = self.solver.program.symbols.text(row.text).to_owned();
        let last = text.rsplit('.').next().unwrap_or(&text).to_owned();
        let name = self
            .solver
            .program
            .symbols
            .intern(if last.is_empty() { "(value)" } else { &last });
        let rule = match self.load_of.get(&row.callee) {
            Some(load) => {
                let base = self.solver.loads[*load as usize].base;
                if self.solver.contents(base).is_empty() {
                    Rule::UnresolvedReceiver
                } else {
                    Rule::UnresolvedMember
                }
            }
            None if self.solver.unbound.contains_key(&row.callee) => Rule::UnresolvedName,
            None => Rule::UnresolvedValue,
        };
        self.call_edge(call, End::Unresolved(name), rule, row.how);
        for argument in self.solver.call_arguments(call).to_vec() {
            if let Some(from) = argument.place {
                let site = EdgeSite {
                    file: row.file,
                    position: argument.position,
                };
                let (kind, from, to) = (EdgeKind::PassesTo, End::Place(from), End::Unresolved(name));
                self.flows.values.push(ValueEdge {
                    kind,
                    from,
                    to,
                    how: How::Positional,
                    rule,
                    site,
                    call,
                });
            }
        }
    }

    /// Writes of properties that have a setter.
    fn setters(&mut self) {
        for (store, function) in self.solver.setter_calls.clone() {
            let row = self.solver.stores[store as usize];
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let call = u32::MAX - store;
            let (target, how, rule) = (End::Function(function), How::Implicit, Rule::Propagated);
            self.flows.calls.push(CallEdge {
                function: row.function,
                target,
                how,
                rule,
                site,
                call,
            });
            let file = self.solver.program.functions[function.at()].file;
            let parameters = self.solver.program.function_facts(function).parameters.clone();
            let given = [Some(row.base), row.from];
            for (parameter, from) in parameters.iter().zip(given) {
                if let Some(from) = from {
                    let to = End::Place(self.solver.program.place(file, parameter.place));
                    let (kind, from) = (EdgeKind::PassesTo, End::Place(from));
                    self.flows.values.push(ValueEdge {
                        kind,
                        from,
                        to,
                        how: How::Positional,
                        rule: Rule::Syntax,
                        site,
                        call,
                    });
                }
            }
        }
    }

    fn keys(&mut self) {
        for index in 0..self.solver.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.solver.program.files[index].facts.clone();
            for key_use in &facts.key_uses {
                let function = self.solver.program.function(file, key_use.function);
                let key = End::Key(self.solver.program.symbol(file, key_use.key));
                let site = EdgeSite {
                    file,
                    position: key_use.position,
                };
                self.access(EdgeKind::UsesKey, function, key, Rule::Syntax, site);
            }
        }
    }

    fn types(&mut self) {
        for index in 0..self.solver.program.place_count() as u32 {
            let place = PlaceIndex(index);
            let named = match self.place_kind(place) {
                Some(kind) => !matches!(kind, PlaceKind::Value | PlaceKind::CallValue | PlaceKind::Binding),
                None => self
                    .solver
                    .program
                    .member_of(place)
                    .is_some_and(|member| member.field.is_some()),
            };
            if !named {
                continue;
            }
            let declared = self.declared.contains(&place);
            for object in self.solver.contents(place).to_vec() {
                let (target, exact) = match self.solver.objects.get(object) {
                    Object::Instance(index) => (End::Type(index), true),
                    Object::AnyOf(index) => {
                        let is_interface = self.solver.program.type_facts(index).kind == TypeKind::Interface;
                        (End::Type(index), !is_interface)
                    }
                    _ => continue,
                };
                let is_receiver = self.place_kind(place) == Some(PlaceKind::Receiver);
                let rule = match (declared, exact) {
                    (true, _) | (_, false) => Rule::DeclaredType,
                    _ if is_receiver => Rule::SelfMember,
                    _ => Rule::Propagated,
                };
                self.flows.types.push(TypeEdge { place, target, rule });
            }
        }
    }
}
