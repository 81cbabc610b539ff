//! Member reads and writes: through fields, properties and packages.
//!
//! `out = cart.net` with a `Cart` in `cart` is a flow from the field `Cart.net` to `out`, and a read of the field by this function.

use std::collections::BTreeSet;

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{CallEdge, Collector, EdgeSite, End, NO_CALL, ValueEdge, setter_call};
use crate::builtins::is_kept_object;
use crate::facts::by_name::REGISTERED;
use crate::facts::order::Point;
use crate::facts::{Binding, FieldKind, PlaceKind};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{CallRow, LoadRow, StoreRow};

impl Collector<'_, '_> {
    pub(super) fn loads(&mut self) {
        // Reads of what may be a property, or a field, of something unknown, by where their value is.
        let mut unknown: FxHashMap<PlaceIndex, LoadRow> = FxHashMap::default();
        let mut unread: FxHashMap<PlaceIndex, LoadRow> = FxHashMap::default();
        let calls = self.solver.calls.iter().filter(|row| row.how == How::Implicit);
        let tables = calls.filter(|row| self.solver.program.symbols.text(row.text) == "vars");
        self.read_as_tables = tables.map(|row| (row.file, row.position)).collect();
        for index in 0..self.solver.loads.len() as u32 {
            let row = self.solver.loads[index as usize];
            if row.silent {
                continue;
            }
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let held: Vec<(ObjectId, Object)> = self.solver.held(row.base).collect();
            let mut known = row.known || self.solver.property_calls.contains_key(&index);
            self.read_of_own_class(&row, site);
            let promoting: Vec<_> = self.heap.promoting_member(row.base, row.member).collect();
            for (_, field) in promoting {
                let (field, rule) = (End::Place(field), Rule::DeclaredType);
                self.access(EdgeKind::Reads, row.function, field, rule, site);
            }
            for field in self.promoting_outside(&row) {
                self.access(
                    EdgeKind::Reads,
                    row.function,
                    End::Place(field),
                    Rule::DeclaredType,
                    site,
                );
            }
            for (id, object) in held {
                known |= self.load_of_object(index, row, site, id, object);
            }
            self.read_outside(&row, site);
            let is_open = !known && !row.implicit;
            if is_open && self.names.is_of_a_property(row.member) && self.may_be_of_the_index(row.base, row.file) {
                unknown.insert(row.to, row);
            }
            let is_lacked =
                || !row.known && !row.implicit && self.names.is_of_a_field(row.member) && self.is_lacked(&row);
            // A method that is read, and not called there, goes on as a value.
            let is_member = self.names.is_of_a_field(row.member) || self.names.is_of_a_method(row.member);
            if is_open && is_member && self.may_be_of_the_index(row.base, row.file) || is_lacked() {
                unread.insert(row.to, row);
            }
            if !known && !row.implicit && self.is_used(row.to) {
                self.between(row.base, row.to, How::Load, Rule::UnknownContents, site);
            }
        }
        // Who calls what is read, by its name, is told as a call.
        let is_by_name = |row: &&CallRow| row.how == How::Method;
        for row in self.solver.calls.iter().filter(is_by_name) {
            unknown.remove(&row.callee);
            unread.remove(&row.callee);
        }
        self.properties_unknown(unknown);
        self.keep_taken(&mut unread);
        self.fields_unknown(unread);
    }

    /// Of reads of what is a method and no field, those whose value goes on as it is: `row.limit > 3` takes no method.
    fn keep_taken(&self, unread: &mut FxHashMap<PlaceIndex, LoadRow>) {
        let is_method = |row: &LoadRow| !self.names.is_of_a_field(row.member);
        if !unread.values().any(is_method) {
            return;
        }
        let solver = self.solver;
        let mut taken: FxHashSet<PlaceIndex> = FxHashSet::default();
        let is_read = |place: &PlaceIndex| unread.contains_key(place);
        for (index, file) in solver.program.files.iter().enumerate() {
            let place = |own| solver.program.place(FileIndex(index as u32), own);
            let flows = file.facts.flows.iter().filter(|flow| flow.same);
            taken.extend(flows.map(|flow| place(flow.from)).filter(is_read));
        }
        let given = solver.arguments.iter().filter_map(|argument| argument.place);
        let stored = solver.stores.iter().filter_map(|row| row.from);
        let put = solver.element_stores.iter().map(|row| row.value);
        let called = solver.calls.iter().map(|row| row.callee);
        taken.extend(given.chain(stored).chain(put).chain(called).filter(is_read));
        unread.retain(|place, row| !is_method(row) || taken.contains(place));
    }

    /// `node.end` of an unknown `node`, where some class has a property `end`: a call that could not be resolved, unless it is one that is written.
    fn properties_unknown(&mut self, unknown: FxHashMap<PlaceIndex, LoadRow>) {
        for row in in_order(unknown) {
            let (file, position) = (row.file, row.position);
            self.property_unknown(row.function, row.member, EdgeSite { file, position });
        }
    }

    fn property_unknown(&mut self, function: FunctionIndex, member: Symbol, site: EdgeSite) {
        self.flows.calls.push(CallEdge {
            function,
            target: End::Unresolved(member),
            how: How::Implicit,
            rule: Rule::UnresolvedReceiver,
            site,
            call: NO_CALL,
        });
    }

    /// Whether all that is known to come to where a member is read are objects of classes without it: what is read is of another.
    fn is_lacked(&self, row: &LoadRow) -> bool {
        let solver = self.solver;
        let lacks = |(_, object)| match object {
            Object::Instance(class) | Object::AnyOf(class) => {
                let row_class = solver.asked_of(row.function, row.member, class);
                solver.is_class(class) && solver.program.find_readable(row_class, row.member).is_empty()
            }
            _ => false,
        };
        row.after.is_none()
            && solver.untyped.contains(&row.file)
            && !solver.contents(row.base).is_empty()
            && solver.held(row.base).all(lacks)
    }

    /// The fields of classes below those of which objects are known and that have none, few as they are: `self.panel.targets` of a `Panel`, where a `TitlePanel` has some.
    fn fields_below(&self, row: &LoadRow) -> BTreeSet<PlaceIndex> {
        /// Most that are meant at one place.
        const MOST: usize = 8;
        let mut fields = BTreeSet::new();
        if !self.is_lacked(row) {
            return fields;
        }
        let program = &self.solver.program;
        let above = self.solver.held(row.base).filter_map(|(_, object)| match object {
            Object::Instance(class) | Object::AnyOf(class) => Some(class),
            _ => None,
        });
        let below = above.flat_map(|class| self.solver.subtypes(class));
        let members = below.filter_map(|class| program.types[class.at()].members.get(&row.member).copied());
        for field in members.filter(|place| program.is_field(*place)) {
            fields.insert(field);
            if fields.len() > MOST {
                return BTreeSet::new();
            }
        }
        fields
    }

    /// `order.email` of an unknown `order`, where some class has a field `email`: a read of nobody knows which.
    fn fields_unknown(&mut self, unread: FxHashMap<PlaceIndex, LoadRow>) {
        for row in in_order(unread) {
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let below = self.fields_below(&row);
            for field in &below {
                self.between(*field, row.to, How::Load, Rule::Hierarchy, site);
                self.access(EdgeKind::Reads, row.function, End::Place(*field), Rule::Hierarchy, site);
            }
            if !below.is_empty() {
                continue;
            }
            let (field, rule) = (End::Unresolved(row.member), Rule::UnresolvedReceiver);
            self.access(EdgeKind::Reads, row.function, field, rule, site);
        }
    }

    /// Whether a member of what a place holds may be a field of a class of the index, though nothing says so: of what nothing is known of, of what
    /// library code gave, or of what is found under a name that a class of a library, or something made by one in a class body, answers.
    fn may_be_a_field(&self, (base, file): (PlaceIndex, FileIndex), member: Symbol) -> bool {
        self.names.is_of_a_field(member) && self.may_be_of_the_index(base, file)
    }

    /// Whether something may be an object of a class of the index, though nothing says so.
    pub(super) fn may_be_of_the_index(&self, base: PlaceIndex, file: FileIndex) -> bool {
        let solver = self.solver;
        let is_untyped = solver.untyped.contains(&file);
        // Of some member of an object nobody knows what it is.
        let is_any = |(_, object)| matches!(object, Object::AnyMember(_));
        if solver.contents(base).is_empty() || solver.held(base).any(is_any) {
            return true;
        }
        if !is_untyped {
            return false;
        }
        let mut libraries = solver.held(base).filter_map(|(_, object)| match object {
            Object::External(name) => Some(solver.program.symbols.text(name)),
            _ => None,
        });
        let language = solver.program.files[file.at()].language;
        libraries.any(|name| is_result(name) || is_kept_object(language, name)) || self.is_answered_by_library(base)
    }

    /// `self.object` of a class with a base of a library's, `line.order` where the class has `order = ForeignKey(Order)`.
    pub(super) fn is_answered_by_library(&self, place: PlaceIndex) -> bool {
        let solver = self.solver;
        let mut outside = solver.held(place).map(|(_, object)| object);
        let Some(row) = self
            .tables
            .load_of
            .get(&place)
            .filter(|_| outside.any(|object| matches!(object, Object::External(_))))
        else {
            return false;
        };
        let row = solver.loads[*row as usize];
        solver.held(row.base).any(|(_, object)| {
            let (Object::Instance(class) | Object::AnyOf(class)) = object else {
                return false;
            };
            let field = solver.program.find_attribute_owner(class, row.member);
            let member = field.and_then(|field| solver.program.member_of(field));
            member.is_none_or(|member| member.field == Some(FieldKind::ClassAttribute))
        })
    }

    /// The embedded fields of types that are not in the index, which have what the structure itself has not: `cache.Lock()` reads `Mutex`.
    fn promoting_outside(&self, row: &LoadRow) -> BTreeSet<PlaceIndex> {
        let (solver, program) = (self.solver, &self.solver.program);
        let mut fields = BTreeSet::new();
        if solver.untyped.contains(&row.file) {
            return fields;
        }
        for (_, object) in solver.held(row.base) {
            let (Object::Instance(index) | Object::AnyOf(index)) = object else {
                continue;
            };
            if program.find_member(index, row.member).is_some() {
                continue;
            }
            for owner in &program.types[index.at()].order {
                let file = program.types[owner.at()].file;
                let embedded = program.type_facts(*owner).fields.iter().filter(|field| field.embedded);
                let embedded = embedded.map(|field| program.symbol(file, field.name));
                let places = embedded.filter_map(|name| program.types[owner.at()].members.get(&name).copied());
                let is_outside = |place: &PlaceIndex| {
                    let mut held = solver.held(*place);
                    held.any(|(_, object)| matches!(object, Object::External(_) | Object::AnyExternal(_)))
                };
                fields.extend(places.filter(is_outside));
            }
        }
        // Which of several has it, nobody says here.
        if fields.len() > 1 {
            fields.clear();
        }
        fields
    }

    /// `self.name` reads what the class of the method declares, whichever classes below it have a `name` of their own.
    fn read_of_own_class(&mut self, row: &LoadRow, site: EdgeSite) {
        let program = &self.solver.program;
        let is_written = !row.implicit && row.after.is_none();
        let owner = program.functions[row.function.at()].owner.filter(|_| is_written);
        let Some(owner) = owner.filter(|_| self.solver.receiver_place(row.function) == Some(row.base)) else {
            return;
        };
        let declared = program.find_member(owner, row.member);
        if let Some(field) = declared.filter(|place| program.is_field(*place)) {
            self.access(EdgeKind::Reads, row.function, End::Place(field), Rule::SelfMember, site);
        }
    }

    /// Whether the object says what the load finds.
    pub(super) fn load_of_object(
        &mut self,
        index: u32,
        row: LoadRow,
        site: EdgeSite,
        id: ObjectId,
        object: Object,
    ) -> bool {
        let owner = match object {
            // Narrowed by what arrived.
            Object::AnyOf(_) if !self.solver.widened.contains(&(index, id)) => return true,
            Object::Instance(owner) | Object::AnyOf(owner) | Object::Class(owner) => owner,
            // Told as a part.
            Object::Container { .. } if self.solver.records.contains(&id) => return true,
            Object::Function(function) => {
                let member = self.solver.function_members.get(&(function, row.member)).copied();
                if let Some(member) = member {
                    self.between(member, row.to, How::Load, Rule::Scope, site);
                }
                return member.is_some();
            }
            Object::Package(package) => {
                let solver = self.solver;
                if let Some(Meaning::Places(places)) = solver.program.known_package_member(package, row.member) {
                    let found = self.heap.find_global(row.to);
                    for cell in found.iter().flat_map(|found| &found.cells).filter(|_| !row.known) {
                        self.between(*cell, row.to, How::Global, Rule::Scope, site);
                    }
                    for &place in places {
                        if !row.known && found.as_ref().is_none_or(|found| found.elsewhere) {
                            self.between(place, row.to, How::Global, Rule::Scope, site);
                        }
                        self.read_globals(row.function, place, site);
                    }
                }
                return true;
            }
            _ => return false,
        };
        // `order.state.value`: which member it is says what its value is, and decides about its name.
        let of_member = match self.solver.program.symbols.text(row.member) {
            "value" | "_value_" | "label" => Some(How::Load),
            "name" | "_name_" => Some(How::Test),
            _ => None,
        };
        if let Some(how) = of_member
            && !matches!(object, Object::Class(_))
            && self.solver.is_enumeration(owner)
        {
            let is_own = !self.solver.program.find_readable(owner, row.member).is_empty();
            if how == How::Load || !is_own {
                self.between(row.base, row.to, how, Rule::UnknownContents, site);
            }
            if how == How::Test && !is_own {
                return true;
            }
        }
        let is_class = matches!(object, Object::Class(_));
        let owner = self.solver.asked_of(row.function, row.member, owner);
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
        if places.is_empty() && !is_class && self.tables.set_by_name.contains(&owner) {
            // It may have got that under a name which nobody wrote down.
            return false;
        }
        let mut rule = self.member_rule(row.base, object);
        if row.after.is_none() && self.solver.widened.contains(&(index, id)) {
            for subtype in self.solver.subtypes(owner) {
                if let Some(place) = self.solver.program.types[subtype.at()].members.get(&row.member)
                    && !places.contains(place)
                {
                    places.push(*place);
                    rule = Rule::Hierarchy;
                }
            }
        }
        let in_class = match object {
            Object::Class(class) => self.heap.find_in_class(self.solver, &row, class),
            _ => None,
        };
        let found = in_class.unwrap_or_else(|| self.heap.find_member(&row));
        for place in &places {
            let Some(member) = self.solver.program.member_of(*place) else {
                continue;
            };
            if member.field.is_some() {
                for cell in found.cells.iter().filter(|_| !row.known) {
                    self.between(*cell, row.to, How::Load, rule, site);
                }
                if !row.known && found.elsewhere {
                    self.between(*place, row.to, How::Load, rule, site);
                }
                let is_named = !row.implicit || self.solver.untyped.contains(&row.file);
                if is_named && !self.read_as_tables.contains(&(row.file, row.position)) {
                    self.access(EdgeKind::Reads, row.function, End::Place(*place), rule, site);
                }
            } else if self.is_used(row.to) && !row.known && (is_class || !self.is_property(*place)) {
                for held in self.solver.contents(*place).to_vec() {
                    if let Object::Function(function) = self.solver.objects.get(held) {
                        self.flow(End::Function(function), End::Place(row.to), How::Reference, rule, site);
                    }
                }
            }
        }
        !places.is_empty() || !self.solver.program.types[owner.at()].open
    }

    /// Whether reading a member through an object calls it: what is read is what it gives.
    fn is_property(&self, member: PlaceIndex) -> bool {
        let told = self.solver.member_bindings.get(&member).map(|(binding, _)| *binding);
        let mut functions = self.solver.held(member).filter_map(|(_, object)| match object {
            Object::Function(function) => {
                let own = self.solver.program.function_facts(function).binding;
                Some(
                    self.solver
                        .bound_as(function, member)
                        .map_or(own, |(binding, _)| binding),
                )
            }
            _ => None,
        });
        told.or_else(|| functions.next())
            .is_some_and(|binding| matches!(binding, Binding::Property | Binding::Setter))
    }

    /// What is put in an object may depend on what callers hand over.
    pub(super) fn note_put(&mut self, put: (PlaceIndex, PlaceIndex), function: FunctionIndex, point: Point) {
        let file = self.solver.program.functions[function.at()].file;
        if !self.solver.program.files[file.at()].facts.conditions.is_empty() {
            self.flows.put.push((put, function, point));
        }
    }

    /// How a member of what a place holds was found.
    pub(super) fn member_rule(&self, base: PlaceIndex, object: Object) -> Rule {
        if self.place_kind(base) == Some(PlaceKind::Receiver) {
            return Rule::SelfMember;
        }
        match object {
            Object::AnyOf(_) => Rule::DeclaredType,
            Object::Instance(_) if self.tables.declared.contains(&base) => Rule::DeclaredType,
            Object::Class(_) | Object::Package(_) => Rule::Scope,
            _ => Rule::Propagated,
        }
    }

    /// The fields in generated texts.
    pub(super) fn texts(&mut self) {
        for text in self.solver.texts() {
            let site = self.call_site(text.call);
            let point = self.solver.calls[text.call as usize].point;
            for (name, field) in text.fields {
                let found = self.heap.find_taken(text.of, name, point);
                let elsewhere = found.elsewhere.then_some(field);
                for from in found.cells.into_iter().chain(elsewhere) {
                    self.between(from, text.to, How::Load, Rule::LibraryTable, site);
                }
            }
        }
    }

    pub(super) fn stores(&mut self) {
        let registered = self.solver.program.symbols.find(REGISTERED);
        for index in 0..self.solver.stores.len() {
            let row = self.solver.stores[index];
            if Some(row.member) == registered {
                continue;
            }
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let (mut known, mut is_marked) = (false, false);
            for (id, object) in self.solver.held(row.base).collect::<Vec<_>>() {
                let place = match object {
                    Object::Instance(owner) | Object::AnyOf(owner) => {
                        let owner = self.solver.asked_of(row.function, row.member, owner);
                        self.solver.program.find_attribute_owner(owner, row.member)
                    }
                    Object::Class(owner) => self.solver.program.find_member(owner, row.member),
                    Object::Package(package) => {
                        let solver = self.solver;
                        if let Some(Meaning::Places(places)) = solver.program.known_package_member(package, row.member)
                        {
                            for &place in places {
                                if let Some(from) = row.from {
                                    for cell in self.heap.find_global_written(from, row.point) {
                                        self.between(from, cell, How::Global, Rule::Scope, site);
                                    }
                                    self.between(from, place, How::Global, Rule::Scope, site);
                                }
                                self.access(EdgeKind::Writes, row.function, End::Place(place), Rule::Scope, site);
                            }
                        }
                        known = true;
                        None
                    }
                    Object::Container { .. } => {
                        known |= self.solver.records.contains(&id);
                        None
                    }
                    Object::Function(function) => {
                        let member = self.solver.function_members.get(&(function, row.member)).copied();
                        if let (Some(member), Some(from)) = (member, row.from) {
                            self.between(from, member, How::Store, Rule::Scope, site);
                        }
                        is_marked |= member.is_some();
                        known |= member.is_some();
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
                // What is written to the class takes the descriptor's place.
                let is_class = matches!(object, Object::Class(_));
                let is_kept_here = is_class || row.is_direct || !self.solver.is_kept_by_descriptor(place);
                if let Some(from) = row.from.filter(|_| is_kept_here) {
                    let found = self.heap.find_stored(&row);
                    for cell in found.cells {
                        self.between(from, cell, How::Store, rule, site);
                        self.note_put((from, cell), row.function, row.point);
                    }
                    if found.elsewhere {
                        self.between(from, place, How::Store, rule, site);
                    }
                    if let Object::Class(class) = object {
                        let written = self
                            .heap
                            .find_class_written((row.function, row.point), (class, row.member));
                        for cell in written {
                            self.between(from, cell, How::Store, rule, site);
                        }
                    }
                }
                // What a class calls its own is written as well as what the first above it has: both are read.
                let own = self.own_attribute(&row, object).filter(|own| *own != place);
                if let (Some(own), Some(from)) = (own, row.from) {
                    self.between(from, own, How::Store, rule, site);
                }
                if !row.implicit || self.solver.untyped.contains(&row.file) {
                    for place in own.into_iter().chain([place]) {
                        self.access(EdgeKind::Writes, row.function, End::Place(place), rule, site);
                    }
                } else if let Some(how) = row.from.and_then(|address| self.written_by_address(address, false)) {
                    self.changed_field((row.function, place), how, rule, site);
                }
            }
            if let Some(from) = row.from {
                let at = (row.function, site);
                self.put_outside(row.base, from, at, setter_call(index as u32));
            }
            if is_marked || !known {
                self.mark(&row, site);
            }
            // Special members, such as the cause of an exception, are about it, and not in it.
            let name = self.solver.program.symbols.text(row.member);
            let is_special = name.starts_with("__") && name.ends_with("__");
            let is_property = !known && !row.implicit && self.names.is_of_a_property(row.member);
            if is_property && self.may_be_of_the_index(row.base, row.file) {
                self.property_unknown(row.function, row.member, site);
            }
            if !known && !row.implicit && self.may_be_a_field((row.base, row.file), row.member) {
                let (field, rule) = (End::Unresolved(row.member), Rule::UnresolvedReceiver);
                self.access(EdgeKind::Writes, row.function, field, rule, site);
            }
            if let (false, Some(from)) = (known || is_special, row.from) {
                for holder in self.holders(row.base) {
                    self.between(from, holder, How::Store, Rule::UnknownContents, site);
                }
                self.attribute_outside(&row, from, site);
            }
        }
    }

    /// The attribute that the class of an object, or the nearest above it, sets itself.
    fn own_attribute(&self, row: &StoreRow, object: Object) -> Option<PlaceIndex> {
        let (Object::Instance(class) | Object::AnyOf(class)) = object else {
            return None;
        };
        let program = &self.solver.program;
        let own = program.find_member(self.solver.asked_of(row.function, row.member, class), row.member)?;
        let member = program.member_of(own)?;
        (member.field == Some(FieldKind::Attribute)).then_some(own)
    }

    /// Whether a place of a Go file holds structures of library code alone: they lie where they were read from.
    fn is_structure_outside(&self, place: PlaceIndex) -> bool {
        let file = self.solver.program.local_place(place).map(|(file, _)| file);
        let is_typed = file.is_some_and(|file| !self.solver.untyped.contains(&file));
        is_typed
            && self
                .solver
                .held(place)
                .all(|(_, object)| matches!(object, Object::External(_)))
    }

    /// Where something unknown lies that is written into: `c` for `c.spawner.hook = f`, and the field `client` for `self.client.session.auth = f`.
    pub(super) fn holders(&self, base: PlaceIndex) -> Vec<PlaceIndex> {
        /// Most reads, one of what the other gave.
        const DEPTH: usize = 8;
        let mut at = base;
        for _ in 0..DEPTH {
            let Some(load) = self
                .tables
                .load_of
                .get(&at)
                .filter(|_| self.solver.contents(at).is_empty() || self.is_structure_outside(at))
            else {
                break;
            };
            let row = self.solver.loads[*load as usize];
            let fields = self.solver.held(row.base).filter_map(|(_, object)| match object {
                Object::Instance(class) | Object::AnyOf(class) => {
                    self.solver.program.find_attribute_owner(class, row.member)
                }
                _ => None,
            });
            let fields: Vec<PlaceIndex> = fields.collect();
            if !fields.is_empty() {
                return fields;
            }
            at = row.base;
        }
        vec![at]
    }

    /// Writes of properties that have a setter.
    pub(super) fn setters(&mut self) {
        let given = self.solver.setter_calls.iter().map(|call| (*call, true));
        let told = self.solver.setters_told.iter().map(|call| (*call, false));
        for ((store, function), is_given) in given.chain(told).collect::<Vec<_>>() {
            let row = self.solver.stores[store as usize];
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let call = setter_call(store);
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
            let given = [Some(row.base), row.from].map(|given| given.filter(|_| is_given));
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
}

fn in_order(rows: FxHashMap<PlaceIndex, LoadRow>) -> impl Iterator<Item = LoadRow> {
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_unstable_by_key(|(place, _)| *place);
    rows.into_iter().map(|(_, row)| row)
}

/// Whether that is what a function of a library gave: `requests.get()`, and not `requests.Session()`, of which one knows what it is.
fn is_result(name: &str) -> bool {
    let function = name.strip_suffix("()").and_then(|name| name.rsplit('.').next());
    function.is_some_and(|name| !name.starts_with(char::is_uppercase))
}
