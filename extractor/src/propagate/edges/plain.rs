//! What is written as such: flows inside functions, class bodies, imports, uses of file-level names, wire names, types.
//!
//! `LIMIT = 10` at file level is a write of `LIMIT` by the body of the file; `return LIMIT` in a function of another file, which
//! imports it, a read by that function and a flow to its result.

use ripple_schema::{EdgeKind, How, Language, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End, TypeEdge, ValueEdge};
use crate::facts::{self, FieldKind, PlaceKind, TypeKind};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::ruled_out::RuledOut;
use crate::propagate::solve::RowKey;

impl Collector<'_, '_> {
    /// Flows that are written as such, and what class bodies put in members.
    pub(super) fn plain_flows(&mut self, ruled_out: &RuledOut) {
        let mut closed = self.read_by_calls();
        closed.extend(self.solver.never_missing());
        for index in 0..self.solver.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.solver.program.files[index].facts.clone();
            for flow in &facts.flows {
                if ruled_out.has_flow(self.solver, file, flow.condition) {
                    continue;
                }
                let from = self.solver.program.place(file, flow.from);
                let to = self.solver.program.place(file, flow.to);
                if flow.how == How::Default {
                    self.defaults.entry(to).or_default().push(from);
                    continue;
                }
                let site = EdgeSite {
                    file,
                    position: flow.position,
                };
                if closed.contains(&to) {
                    continue;
                }
                if let Some(ways) = self.heap.boxed(from, to) {
                    // What anybody puts in the box of a field is in the field as well.
                    let is_unnamed = self.place_kind(to) == Some(PlaceKind::Value);
                    let put = if is_unnamed {
                        self.heap.put_in_box(from, to)
                    } else {
                        Vec::new()
                    };
                    let put = put.into_iter().map(|version| (version, to));
                    for (from, to) in ways.into_iter().chain(put) {
                        self.between(from, to, How::Assign, Rule::Syntax, site);
                    }
                    continue;
                }
                let is_capture = flow.how == How::Capture;
                match is_capture.then(|| self.heap.captures(from, to)).flatten() {
                    Some(links) => {
                        for ((from, to), (goes_to, comes_from)) in links {
                            for kept in goes_to {
                                self.between(from, kept, How::Capture, Rule::Syntax, site);
                            }
                            for inside in comes_from {
                                self.between(inside, to, How::Capture, Rule::Syntax, site);
                            }
                        }
                    }
                    None => self.between(from, to, flow.how, Rule::Syntax, site),
                }
            }
            let members: FxHashMap<PlaceIndex, PlaceIndex> = match facts.body_reads.is_empty() {
                true => FxHashMap::default(),
                false => self.solver.program.member_values(file).into_iter().collect(),
            };
            for read in &facts.body_reads {
                let from = self.solver.program.place(file, read.from);
                let function = self.solver.program.function(file, read.function);
                let position = read.position;
                let site = EdgeSite { file, position };
                if let Some(member) = members.get(&from) {
                    self.access(EdgeKind::Reads, function, End::Place(*member), Rule::Scope, site);
                }
                if !members.contains_key(&from) || self.tables.imported_from.contains_key(&from) {
                    self.read_globals(function, from, site);
                }
            }
            for read in &facts.wholes_read {
                let function = self.solver.program.function(file, read.function);
                let position = read.position;
                let whole = self.solver.program.place(file, read.from);
                let owners: Vec<TypeIndex> = self
                    .solver
                    .held(whole)
                    .filter_map(|(_, object)| match object {
                        Object::Instance(owner) => Some(owner),
                        _ => None,
                    })
                    .collect();
                for field in owners
                    .into_iter()
                    .flat_map(|owner| self.solver.program.own_fields(owner))
                {
                    let site = EdgeSite { file, position };
                    self.access(EdgeKind::Reads, function, End::Place(field), Rule::DeclaredType, site);
                }
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
            for (from, member) in self.solver.program.member_values(file) {
                let Some(row) = self.solver.program.member_of(member).filter(|row| row.field.is_some()) else {
                    continue;
                };
                let site = EdgeSite {
                    file,
                    position: row.position,
                };
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
                    let named = |key: &&facts::Name| key.0 != 0 && facts.text(**key) != facts::NAMELESS;
                    for key in field.keys.iter().filter(named) {
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

    /// Where what a property gives goes, in a function that assigned to it before: that went to the setter.
    fn read_by_calls(&self) -> FxHashSet<PlaceIndex> {
        let solver = &self.solver;
        let calls = solver.property_calls.keys().map(|load| solver.loads[*load as usize]);
        let calls = calls.filter(|row| {
            let is_property = |owner| {
                let found = solver.program.find_member(owner, row.member);
                found.is_some_and(|place| {
                    solver
                        .program
                        .member_of(place)
                        .is_some_and(|member| member.field.is_none())
                })
            };
            let mut held = solver.held(row.base);
            row.known
                && held.all(|(_, object)| match object {
                    Object::Instance(owner) | Object::AnyOf(owner) => is_property(owner),
                    _ => false,
                })
        });
        calls.map(|row| row.to).collect()
    }

    /// The body of a file writes the globals that it defines.
    pub(super) fn initial_values(&mut self) {
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
    pub(super) fn names(&mut self) {
        let mut first_uses: FxHashMap<(FunctionIndex, Vec<PlaceIndex>), PlaceIndex> = FxHashMap::default();
        let solver = self.solver;
        for (file, index, places) in &solver.name_sources {
            let (file, index) = (*file, *index);
            let facts = self.solver.program.files[file.at()].facts.clone();
            let name_use = facts.name_uses[index as usize];
            let to = self.solver.program.place(file, name_use.to);
            let function = self.solver.program.function(file, name_use.function);
            let site = EdgeSite {
                file,
                position: name_use.position,
            };
            let found = self.heap.find_global(to);
            for cell in found.iter().flat_map(|found| &found.cells) {
                self.between(*cell, to, How::Global, Rule::Scope, site);
            }
            // A container is the same at each use, and may carry itself what is put into it.
            let is_told = found.as_ref().is_some_and(|found| !found.elsewhere);
            let is_container = |(_, object)| matches!(object, Object::Container { .. });
            if name_use.point.is_some() && !is_told && self.solver.held(to).any(is_container) {
                let first = *first_uses.entry((function, places.clone())).or_insert(to);
                self.between(first, to, How::Global, Rule::Scope, site);
                self.between(to, first, How::Global, Rule::Scope, site);
            }
            for &from in places {
                if found.as_ref().is_none_or(|found| found.elsewhere) {
                    self.between(from, to, How::Global, Rule::Scope, site);
                }
                self.read_globals(function, from, site);
            }
        }
        for row in solver.annotated() {
            self.between(row.from, row.to, How::Default, Rule::Syntax, row.site.into());
        }
        for (file, index, places) in &solver.name_targets {
            let (file, index) = (*file, *index);
            let facts = self.solver.program.files[file.at()].facts.clone();
            let store = facts.name_stores[index as usize];
            let function = self.solver.program.function(file, store.function);
            let site = EdgeSite {
                file,
                position: store.position,
            };
            let from = store.from.map(|from| self.solver.program.place(file, from));
            for cell in from
                .iter()
                .flat_map(|from| self.heap.find_global_written(*from, store.point))
            {
                self.flow(
                    from.map_or(End::Place(cell), End::Place),
                    End::Place(cell),
                    How::Global,
                    Rule::Scope,
                    site,
                );
            }
            for &to in places {
                if let Some(from) = from {
                    self.between(from, to, How::Global, Rule::Scope, site);
                }
                let by_address = from.filter(|_| store.by_address);
                match by_address.map(|target| self.written_by_address(target, true)) {
                    None => self.access(EdgeKind::Writes, function, End::Place(to), Rule::Scope, site),
                    Some(how) => _ = how.map(|how| self.changed_field((function, to), how, Rule::Scope, site)),
                }
            }
        }
    }

    /// How what lies in a box is written by whoever has its address, if at all; of what is in none, nobody knows. What lies in a variable of
    /// a package is open to all.
    pub(super) fn written_by_address(&self, target: PlaceIndex, is_global: bool) -> Option<How> {
        match self.heap.is_box(target, is_global) {
            true => self.heap.is_written_through(target).then_some(How::Implicit),
            false => Some(How::Reference),
        }
    }

    /// The function reads a global; through imports, the one that was imported.
    pub(super) fn read_globals(&mut self, function: FunctionIndex, place: PlaceIndex, site: EdgeSite) {
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
                _ => open.extend(self.tables.imported_from.get(&place).into_iter().flatten()),
            }
        }
    }

    pub(super) fn keys(&mut self) {
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
        for named in &self.solver.handed_keys.named {
            let site = EdgeSite {
                file: named.file,
                position: named.position,
            };
            if let Some(key) = self.wire_name(RowKey::Text(named.key)) {
                self.access(EdgeKind::UsesKey, named.function, End::Key(key), Rule::Syntax, site);
            }
        }
    }

    fn is_environment(&self, place: PlaceIndex) -> bool {
        self.solver.held(place).any(|(_, object)| match object {
            Object::External(name) => self.solver.program.symbols.text(name) == "os.environ",
            _ => false,
        })
    }

    /// Whether what is in a place may be something of which nothing is known.
    fn is_from_outside(&self, place: PlaceIndex) -> bool {
        let is_text = |name| matches!(self.solver.program.symbols.text(name), "str" | "bytes");
        let mut held = self.solver.held(place);
        let is_outside = held.any(|(_, object)| match object {
            Object::External(name) | Object::AnyExternal(name) => !is_text(name),
            _ => false,
        });
        is_outside || self.tables.unknown.is_followed(place)
    }

    /// `"mail" in row` is a use of the wire name, if anything else says that it is one.
    pub(super) fn keys_sought(&mut self) {
        let of = |end: &End| match end {
            End::Key(key) => Some(*key),
            _ => None,
        };
        let named = self.flows.accesses.iter().filter_map(|edge| of(&edge.target));
        let flows = self.flows.values.iter();
        let carried = flows.flat_map(|edge| [&edge.from, &edge.to]).filter_map(of);
        let known: FxHashSet<Symbol> = named.chain(carried).collect();
        for index in 0..self.solver.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.solver.program.files[index].facts.clone();
            for facts::KeySought { used, base, outcome } in &facts.keys_sought {
                let key = self.solver.program.symbol(file, used.key);
                let base = base.map(|base| self.solver.program.place(file, base));
                let is_environment = base.is_some_and(|base| self.is_environment(base));
                if !is_environment && !known.contains(&key) {
                    continue;
                }
                let function = self.solver.program.function(file, used.function);
                let site = EdgeSite {
                    file,
                    position: used.position,
                };
                self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::Syntax, site);
                if let (Some(base), Some(outcome)) = (base, outcome)
                    && (is_environment || self.is_from_outside(base))
                {
                    let outcome = self.solver.program.place(file, *outcome);
                    self.flow(End::Key(key), End::Place(outcome), How::Test, Rule::WireName, site);
                }
            }
        }
    }

    /// Functions and classes that texts name: who looks them up by that may call them.
    pub(super) fn named_in_texts(&mut self) {
        let solver = self.solver;
        for (index, file) in solver.program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            for (name, position) in &file.facts.by_name.texts {
                let named = solver.program.named_in_text(file_index, file.facts.text(*name));
                let Some((package, member)) = named else { continue };
                let Some(Meaning::Places(places)) = solver.program.known_package_member(package, member) else {
                    continue;
                };
                for place in places {
                    for (_, object) in solver.held(*place) {
                        let from = match object {
                            Object::Function(function) => End::Function(function),
                            Object::Class(class) => End::Type(class),
                            _ => continue,
                        };
                        let ends = (from, End::External(self.names.text));
                        let site = (file_index, *position).into();
                        let (kind, how, rule) = (EdgeKind::PassesTo, How::Reference, Rule::IntoLibrary);
                        self.flows
                            .values
                            .push(ValueEdge::of_no_call(kind, ends, how, rule, site));
                    }
                }
            }
        }
    }

    pub(super) fn types(&mut self) {
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
            let declared = self.tables.declared.contains(&place);
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
