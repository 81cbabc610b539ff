//! What loads, stores and element accesses do when an object arrives at their base.

use ripple_schema::Language;

use super::object::{Object, ObjectId};
use super::solve::{ArgumentRow, CallRow, Constraint, ElementRow, LoadRow, RowBase, RowKey, Solver, Target};
use crate::facts::{Binding, ContainerKind, FieldKind, TypeKind};
use crate::link::member::Member;
use crate::link::scope::Meaning;
use crate::link::{Base, Part, PlaceIndex, Symbol, TypeIndex};
use ripple_schema::How;

/// Whether the name of a library thing still says something: `a.b().c().d()…` and `node.parent.parent…` end somewhere.
pub(super) fn is_telling(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let mut parts = last.rsplit('.');
    let repeats = matches!((parts.next(), parts.next()), (Some(a), Some(b)) if a == b);
    name.len() <= 100 && !repeats && last.matches('.').count() <= 5 && last.matches("()").count() <= 1
}

/// Loads and stores.
impl Solver<'_> {
    pub(super) fn load_from(&mut self, load: u32, object: ObjectId) {
        let row = self.loads[load as usize];
        match self.objects.get(object) {
            Object::Instance(index) | Object::AnyOf(index) if self.program.symbols.text(row.member) == "__class__" => {
                let class = self.objects.intern(Object::Class(index));
                self.add(row.to, class);
            }
            Object::Instance(index) | Object::AnyOf(index) => self.load_member(load, row, index, object),
            Object::Class(index) => self.load_member(load, row, index, object),
            Object::Package(package) => match self.program.package_member(package, row.member) {
                Meaning::Places(places) => {
                    for place in places {
                        self.copy(place, row.to);
                    }
                }
                Meaning::Package(child) => {
                    let object = self.objects.intern(Object::Package(child));
                    self.add(row.to, object);
                }
                Meaning::External(name) => {
                    let object = self.objects.intern(Object::External(name));
                    self.add(row.to, object);
                }
                Meaning::Unbound => {}
            },
            Object::External(name) => {
                if !row.implicit {
                    self.load_external(name, row);
                }
            }
            Object::Container { kind, .. } | Object::Typed { kind, .. } => {
                if !row.implicit
                    && let Some(name) = container_name(kind)
                    && crate::builtins::has_member(name, self.program.symbols.text(row.member)) == Some(true)
                {
                    let name = format!("{name}.{}", self.program.symbols.text(row.member));
                    let object = self.external(&name);
                    self.add(row.to, object);
                }
            }
            Object::Function(_)
            | Object::Bound { .. }
            | Object::Callable(_)
            | Object::Address(_)
            | Object::Partial(_) => {}
        }
    }

    fn load_external(&mut self, name: Symbol, row: LoadRow) {
        // What a built-in type does not have, this value is not asked for: it got here by another way.
        let text = self.program.symbols.text(name);
        if crate::builtins::has_member(text, self.program.symbols.text(row.member)) == Some(false) {
            return;
        }
        let name = format!(
            "{}.{}",
            self.program.symbols.text(name),
            self.program.symbols.text(row.member)
        );
        // `x.__doc__.strip` is no member that anyone would look for under the name of `x`.
        let of_special = self.program.symbols.text(row.member).starts_with("__");
        if !is_telling(&name) || of_special && name.matches("__").count() > 2 {
            return;
        }
        let language = self.program.files[row.file.at()].language;
        let renamed = self
            .libraries
            .get(&language)
            .and_then(|library| library.get(&name)?.type_name.clone());
        let object = self.external(&renamed.unwrap_or(name));
        self.add(row.to, object);
    }

    fn load_member(&mut self, load: u32, row: LoadRow, index: TypeIndex, object: ObjectId) {
        if row.only.is_some_and(|only| only != index) {
            return;
        }
        // What is only declared may be narrowed by what arrives: it waits for [`Solver::widen`].
        let declared = matches!(self.objects.get(object), Object::AnyOf(_));
        if declared && row.after.is_none() && !self.widened.contains(&(load, object)) {
            return;
        }
        let is_class = matches!(self.objects.get(object), Object::Class(_));
        let found = match row.after {
            Some(after) => self
                .program
                .find_member_after(index, after, row.member)
                .into_iter()
                .collect(),
            None if is_class => self.program.find_member(index, row.member).into_iter().collect(),
            None => self.program.find_readable(index, row.member),
        };
        for place in &found {
            self.member_copy(load, *place, object);
        }
        if !found.is_empty() || row.implicit {
            return;
        }
        // What is not there is asked of `__getattr__`.
        let answers = self
            .program
            .symbols
            .find("__getattr__")
            .is_some_and(|name| !is_class && self.program.find_member(index, name).is_some());
        if answers {
            if self.special_reads.insert((row.to, index)) {
                self.special_read(row, ("__getattr__", index), row.base, None);
            }
            return;
        }
        if self.program.types[index.at()].open
            && let Some(base) = self.external_base(index)
        {
            self.load_external(base, row);
        }
    }

    /// What a member holds goes to the load's place, methods bound to the receiver.
    pub(super) fn member_copy(&mut self, load: u32, place: PlaceIndex, receiver: ObjectId) {
        if self.member_copies.insert((place, load, receiver)) {
            self.attach(place, Constraint::MemberCopy(load, receiver));
        }
    }

    pub(super) fn bind_member(&mut self, load: u32, receiver: ObjectId, place: PlaceIndex, object: ObjectId) {
        let row = self.loads[load as usize];
        let function = match self.objects.get(object) {
            Object::Function(function) => function,
            _ if row.known => return,
            Object::Instance(index) if self.describes(index, place, receiver) => {
                return self.call_descriptor(row, index, place);
            }
            _ => return self.add(row.to, object),
        };
        // A property is called, whatever was written to it before; what else was there is overwritten.
        if row.known && self.program.function_facts(function).binding != Binding::Property {
            return;
        }
        let is_field = self
            .program
            .member_of(place)
            .is_some_and(|member| matches!(member.field, Some(FieldKind::Field | FieldKind::Attribute)));
        // A property that is assigned through `self` looks like an attribute.
        let is_field = is_field
            && !matches!(
                self.program.function_facts(function).binding,
                Binding::Property | Binding::Setter
            );
        let Some(owner) = self.program.functions[function.at()].owner.filter(|_| !is_field) else {
            return self.add(row.to, object);
        };
        let facts = self.program.function_facts(function);
        let (binding, is_abstract) = (facts.binding, facts.is_abstract);
        let held = self.objects.get(receiver);
        if self.program.type_language(owner) == Language::Go {
            if let Object::Class(_) = held {
                return self.add(row.to, object);
            }
            if is_abstract && self.embedded_interface(load, row, held, owner) {
                return;
            }
            // A promoted method gets the embedded part, not the whole.
            let receiver = if is_abstract {
                receiver
            } else {
                self.objects.intern(Object::Instance(owner))
            };
            let bound = self.objects.intern(Object::Bound {
                function,
                receiver,
                base: row.base,
            });
            return self.add(row.to, bound);
        }
        let through_class = matches!(held, Object::Class(_));
        match (binding, through_class) {
            (Binding::Static, _) | (Binding::Property | Binding::Setter, true) => self.add(row.to, object),
            (Binding::Instance, true) if row.after.is_none() => self.add(row.to, object),
            (Binding::Instance, _) => {
                let bound = self.objects.intern(Object::Bound {
                    function,
                    receiver,
                    base: row.base,
                });
                self.add(row.to, bound);
            }
            (Binding::Class, _) => {
                let class = match held {
                    Object::Instance(index) | Object::AnyOf(index) => self.objects.intern(Object::Class(index)),
                    _ => receiver,
                };
                let bound = self.objects.intern(Object::Bound {
                    function,
                    receiver: class,
                    base: row.base,
                });
                self.add(row.to, bound);
            }
            (Binding::Property, false) => self.call_property(load, row, function, receiver),
            (Binding::Setter, false) => {}
        }
    }

    /// Whether a class attribute holds a descriptor: reading it through an instance calls its `__get__`.
    fn describes(&mut self, index: TypeIndex, place: PlaceIndex, receiver: ObjectId) -> bool {
        let member = self.program.member_of(place).copied();
        let get = self.program.symbols.find("__get__");
        matches!(self.objects.get(receiver), Object::Instance(_) | Object::AnyOf(_))
            && member.is_some_and(|member| member.field != Some(FieldKind::Attribute))
            && get.is_some_and(|get| self.program.find_member(index, get).is_some())
    }

    fn call_descriptor(&mut self, row: LoadRow, index: TypeIndex, place: PlaceIndex) {
        if !self.special_reads.insert((row.to, index)) {
            return;
        }
        self.special_read(row, ("__get__", index), place, Some(row.base));
    }

    /// A call of `base.name(argument)` whose value is what a load finds.
    fn special_read(
        &mut self,
        row: LoadRow,
        (name, index): (&str, TypeIndex),
        base: PlaceIndex,
        argument: Option<PlaceIndex>,
    ) {
        let member = self.program.symbols.intern(name);
        let callee = self.derive_place(crate::link::DerivedPlace::Passing(row.function));
        let load = LoadRow {
            base,
            member,
            to: callee,
            after: None,
            implicit: true,
            known: false,
            only: (name == "__getattr__").then_some(index),
            ..row
        };
        self.push_load(load);
        let argument = ArgumentRow {
            kind: crate::facts::ArgumentKind::Positional,
            name: None,
            place: argument,
            text: None,
            position: row.position,
        };
        self.push_call(implicit_row(callee, load), &[argument], &[row.to]);
    }

    /// Reading a property calls it: a call of its own, whose value is the load's place.
    fn call_property(&mut self, load: u32, row: LoadRow, function: crate::link::FunctionIndex, receiver: ObjectId) {
        let call = match self.property_calls.get(&load) {
            Some(call) => *call,
            None => {
                let callee = self.derive_place(crate::link::DerivedPlace::Passing(row.function));
                let call = self.push_call(implicit_row(callee, row), &[], &[row.to]);
                self.property_calls.insert(load, call);
                call
            }
        };
        let target = Target::Function {
            function,
            receiver: Some(receiver),
            base: Some(row.base),
        };
        self.add_target(call, target);
    }

    /// A struct that embeds an interface: the method is that of whatever the embedded field holds.
    fn embedded_interface(&mut self, load: u32, row: LoadRow, held: Object, owner: TypeIndex) -> bool {
        let Object::Instance(index) = held else { return false };
        if !self.implicit_done.insert((true, load)) {
            return true;
        }
        let fields: Vec<PlaceIndex> = self.program.types[index.at()]
            .order
            .iter()
            .flat_map(|base| self.program.types[base.at()].members.values().copied())
            .collect();
        let mut found = false;
        for field in fields {
            let holds = self
                .held(field)
                .any(|(_, object)| matches!(object, Object::AnyOf(held) if held == owner));
            if holds {
                found = true;
                self.push_load(LoadRow { base: field, ..row });
            }
        }
        found
    }

    pub(super) fn store_into(&mut self, store: u32, object: ObjectId) {
        let row = self.stores[store as usize];
        let place = match self.objects.get(object) {
            Object::Instance(index) | Object::AnyOf(index) => {
                let known = self.program.find_attribute_owner(index, row.member);
                let is_python = self.program.type_language(index) == Language::Python;
                let may_add = is_python && !self.program.symbols.text(row.member).starts_with("__");
                known.or_else(|| may_add.then(|| self.add_attribute(store, index, FieldKind::Attribute)))
            }
            Object::Class(index) => {
                let known = self.program.find_member(index, row.member);
                known.or_else(|| Some(self.add_attribute(store, index, FieldKind::ClassAttribute)))
            }
            Object::Package(package) => {
                if let Meaning::Places(places) = self.program.package_member(package, row.member)
                    && let Some(from) = row.from
                {
                    for place in places {
                        self.copy(from, place);
                    }
                }
                return;
            }
            _ => None,
        };
        let Some(place) = place else { return };
        if let Some(from) = row.from {
            self.copy(from, place);
        }
        self.attach(place, Constraint::SetterCopy(store, object));
    }

    /// An attribute that only code outside of the class sets.
    fn add_attribute(&mut self, store: u32, owner: TypeIndex, kind: FieldKind) -> PlaceIndex {
        let row = self.stores[store as usize];
        let (name, position, file) = (row.member, row.position, row.file);
        let place = self.program.add_member(Member {
            owner,
            name,
            field: Some(kind),
            declared: None,
            position,
            file,
        });
        self.grow();
        place
    }

    pub(super) fn call_setter(&mut self, store: u32, receiver: ObjectId, object: ObjectId) {
        let Object::Function(function) = self.objects.get(object) else {
            return;
        };
        let facts = self.program.function_facts(function);
        if facts.binding != Binding::Setter {
            return;
        }
        let Some(value) = facts.parameters.get(1).map(|parameter| parameter.place) else {
            return;
        };
        let row = self.stores[store as usize];
        let file = self.program.functions[function.at()].file;
        let value = self.program.place(file, value);
        if let Some(from) = row.from {
            self.copy(from, value);
        }
        let receiver_place = self.program.function_facts(function).parameters[0].place;
        let receiver_place = self.program.place(file, receiver_place);
        self.add(receiver_place, receiver);
        if !self.setter_calls.contains(&(store, function)) {
            self.setter_calls.push((store, function));
        }
    }
}

/// Elements.
impl Solver<'_> {
    pub(super) fn element_from(&mut self, load: u32, object: ObjectId) {
        let row = self.element_loads[load as usize];
        match self.objects.get(object) {
            Object::Container { .. } | Object::Typed { .. } if row.known => {}
            Object::Container { kind, .. } => {
                for part in readable_parts(kind, row.key) {
                    let place = self.element(object, part);
                    self.copy(place, row.value);
                }
            }
            Object::Typed { kind, key, element } => {
                let list = match (kind, row.key) {
                    (ContainerKind::Channel, _) => element,
                    (_, RowKey::Keys) | (ContainerKind::Map, RowKey::Each) => key,
                    (_, RowKey::Target) => return self.add(row.value, object),
                    _ => element,
                };
                for object in self.objects.list(list).to_vec() {
                    self.add(row.value, object);
                }
            }
            Object::Instance(index) | Object::AnyOf(index) => {
                if row.key == RowKey::Target {
                    return self.add(row.value, object);
                }
                if self.program.type_language(index) == Language::Go {
                    for object in self.underlying_objects(index) {
                        self.element_from(load, object);
                    }
                } else if self.answers_itself(row, index) {
                    // Not the library's code runs, but the class's own.
                } else if !self.tuple_fields(row, index) {
                    self.special_element(load, row, index);
                }
            }
            Object::Class(_) => self.add(row.value, object),
            Object::Address(target) => {
                if row.key == RowKey::Target {
                    self.copy(target, row.value);
                }
            }
            // A generic function with its type arguments is still that function.
            Object::Function(_) | Object::Bound { .. } => self.add(row.value, object),
            Object::External(_) | Object::Callable(_) => {
                if row.key == RowKey::Target {
                    self.add(row.value, object);
                }
            }
            Object::Package(_) | Object::Partial(_) => {}
        }
    }

    /// Parts of containers that are put into others. Whether there was anything new.
    pub(super) fn copy_parts(&mut self) -> bool {
        let mut new = false;
        for index in 0..self.part_copies.len() {
            let row = self.part_copies[index].clone();
            let held: Vec<(ObjectId, Object)> = self.held(row.from).collect();
            let into: Vec<(ObjectId, Object)> = self.held(row.to).collect();
            for (id, object) in held {
                for (target, container) in &into {
                    let Object::Container { kind, .. } = *container else {
                        continue;
                    };
                    match object {
                        Object::Container { .. } if id != *target => {
                            for (part, place) in self.parts.get(&id).cloned().unwrap_or_default() {
                                let Some(moved) = row.moved(part, kind) else { continue };
                                new |= !self.elements.contains_key(&(*target, moved));
                                let to = self.element(*target, moved);
                                self.copy(place, to);
                                if moved == Part::Any {
                                    new |= self.open.insert(*target);
                                }
                            }
                        }
                        Object::Typed { element, .. } => {
                            let to = self.element(*target, Part::Any);
                            for object in self.objects.list(element).to_vec() {
                                self.add(to, object);
                            }
                        }
                        // A part of a named slice is of that type.
                        Object::Instance(named) if !self.underlying_objects(named).is_empty() => {
                            self.add(row.to, id);
                        }
                        Object::Instance(_) | Object::AnyOf(_) if !self.part_copies[index].iterated => {
                            self.part_copies[index].iterated = true;
                            let passing = self.derive_place(crate::link::DerivedPlace::Passing(row.function));
                            let each = ElementRow {
                                base: row.from,
                                key: RowKey::Each,
                                value: passing,
                                index: None,
                                file: row.file,
                                function: row.function,
                                position: row.position,
                                library: false,
                                of: RowBase::Plain,
                                known: false,
                                silent: row.silent,
                            };
                            self.push_element_load(each);
                            self.push_element_store(ElementRow {
                                base: row.to,
                                key: RowKey::Any,
                                ..each
                            });
                            new = true;
                        }
                        _ => {}
                    }
                }
            }
        }
        new
    }

    /// The position of a container's part that is counted from the end.
    pub(super) fn position_from_end(&self, container: ObjectId, back: u32) -> Option<u32> {
        let Object::Container { site, .. } = self.objects.get(container) else {
            return None;
        };
        let length = self.lengths.get(&site).filter(|_| !self.open.contains(&container))?;
        length.checked_sub(back)
    }

    pub(super) fn element_into(&mut self, store: u32, object: ObjectId) {
        let row = self.element_stores[store as usize];
        match self.objects.get(object) {
            Object::Container { kind, .. } => {
                let part = written_part(kind, row.key);
                if part == Part::Keys && kind != ContainerKind::Map {
                    return;
                }
                if part == Part::Any {
                    self.open.insert(object);
                }
                let place = self.element(object, part);
                self.copy(row.value, place);
            }
            Object::Address(target) if row.key == RowKey::Target => self.copy(row.value, target),
            Object::Instance(index) if self.program.type_language(index) == Language::Go => {
                if let Some(field) = self.field_at(index, row.key) {
                    self.copy(row.value, field);
                }
            }
            Object::Instance(index) | Object::AnyOf(index)
                if self.program.type_language(index) == Language::Python
                    && row.key != RowKey::Keys
                    && !self.answers_itself(row, index)
                    && self.implicit_done.insert((false, store)) =>
            {
                self.special_call(row, "__setitem__", Some(row.value), None);
            }
            _ => {}
        }
    }

    /// Whether what a library method does to this base is no matter of instances of the class: they have the method
    /// themselves, or they come from another target of the call.
    fn answers_itself(&self, row: ElementRow, index: TypeIndex) -> bool {
        match row.of {
            RowBase::Plain => false,
            RowBase::Receiver(method) => self.program.find_member(index, method).is_some(),
            RowBase::Result => true,
        }
    }

    /// The field that a struct literal without keys fills at a position.
    pub(super) fn field_at(&self, index: TypeIndex, key: RowKey) -> Option<PlaceIndex> {
        let RowKey::Index(position) = key else { return None };
        let field = self.program.type_facts(index).fields.get(position as usize)?;
        let name = self.program.symbol(self.program.types[index.at()].file, field.name);
        self.program.types[index.at()].members.get(&name).copied()
    }

    /// Parts of a `NamedTuple` are its fields, in order. Whether the class is one.
    fn tuple_fields(&mut self, row: ElementRow, index: TypeIndex) -> bool {
        let Some(fields) = self.fields_in_order(index) else {
            return false;
        };
        if !self.special_reads.insert((row.value, index)) {
            return true;
        }
        let fields = match row.key {
            RowKey::Index(position) => fields.get(position as usize).copied().into_iter().collect(),
            RowKey::Back(back) => {
                let position = fields.len().checked_sub(back as usize);
                position
                    .and_then(|position| fields.get(position).copied())
                    .into_iter()
                    .collect()
            }
            RowKey::Any | RowKey::Each | RowKey::Next => fields,
            _ => Vec::new(),
        };
        for member in fields {
            self.push_load(LoadRow {
                base: row.base,
                member,
                to: row.value,
                file: row.file,
                function: row.function,
                position: row.position,
                after: None,
                implicit: true,
                known: false,
                only: Some(index),
                silent: row.silent,
            });
        }
        true
    }

    /// The fields of a `NamedTuple` that does not say itself what its parts are.
    fn fields_in_order(&self, index: TypeIndex) -> Option<Vec<Symbol>> {
        let order = &self.program.types[index.at()].order;
        let is_one = |base: &&TypeIndex| {
            self.program.types[base.at()].bases.iter().any(|base| match base {
                Base::External(name) => self.program.symbols.text(*name) == "typing.NamedTuple",
                Base::Type(_) => false,
            })
        };
        let owner = *order.iter().find(is_one)?;
        if self.has(index, "__iter__") || self.has(index, "__getitem__") {
            return None;
        }
        let file = self.program.types[owner.at()].file;
        let fields = self.program.type_facts(owner).fields.iter();
        let fields = fields.filter(|field| field.declared.is_some() && field.kind != FieldKind::Attribute);
        Some(fields.map(|field| self.program.symbol(file, field.name)).collect())
    }

    /// Subscripts and iteration of instances call `__getitem__`, `__iter__` and `__next__`.
    fn special_element(&mut self, load: u32, row: ElementRow, index: TypeIndex) {
        if !self.implicit_done.insert((true, u32::MAX - load)) {
            return;
        }
        let has = |solver: &Self, name: &str| {
            solver
                .program
                .symbols
                .find(name)
                .is_some_and(|name| solver.program.find_member(index, name).is_some())
        };
        if !matches!(row.key, RowKey::Each | RowKey::Next) {
            return self.special_call(row, "__getitem__", None, Some(row.value));
        }
        let first = row.key == RowKey::Each;
        if first && (has(self, "__iter__") || has(self, "__aiter__")) {
            let name = if has(self, "__iter__") { "__iter__" } else { "__aiter__" };
            let iterator = self.derive_place(crate::link::DerivedPlace::Passing(row.function));
            self.special_call(row, name, None, Some(iterator));
            self.push_element_load(ElementRow {
                base: iterator,
                key: RowKey::Next,
                ..row
            });
        } else if has(self, "__next__") || has(self, "__anext__") {
            let name = if has(self, "__next__") { "__next__" } else { "__anext__" };
            self.special_call(row, name, None, Some(row.value));
        } else {
            self.special_call(row, "__getitem__", None, Some(row.value));
        }
    }

    /// A call that the language makes: `base.name(argument)`.
    fn special_call(&mut self, row: ElementRow, name: &str, argument: Option<PlaceIndex>, result: Option<PlaceIndex>) {
        let member = self.program.symbols.intern(name);
        let to = self.derive_place(crate::link::DerivedPlace::Passing(row.function));
        let load = LoadRow {
            base: row.base,
            member,
            to,
            file: row.file,
            function: row.function,
            position: row.position,
            after: None,
            implicit: true,
            known: false,
            only: None,
            silent: row.silent,
        };
        self.push_load(load);
        let argument_row = |place| ArgumentRow {
            kind: crate::facts::ArgumentKind::Positional,
            name: None,
            place,
            text: None,
            position: row.position,
        };
        let arguments: Vec<_> = match name {
            "__setitem__" => vec![argument_row(row.index), argument_row(argument)],
            "__getitem__" => vec![argument_row(row.index)],
            _ => Vec::new(),
        };
        let results: Vec<PlaceIndex> = result.into_iter().collect();
        let mut call = implicit_row(to, load);
        call.receiver = Some(row.base);
        self.push_call(call, &arguments, &results);
    }
}

fn implicit_row(callee: PlaceIndex, row: LoadRow) -> CallRow {
    CallRow {
        callee,
        text: row.member,
        receiver: Some(row.base),
        arguments: (0, 0),
        results: (0, 0),
        file: row.file,
        function: row.function,
        position: row.position,
        how: How::Implicit,
        targets: Vec::new(),
        guard: None,
        silent: row.silent,
        copy_of: None,
    }
}

/// The parts that a read may find.
pub(super) fn readable_parts(kind: ContainerKind, key: RowKey) -> Vec<Part> {
    match (kind, key) {
        (_, RowKey::Returned) => vec![Part::Returned],
        (_, RowKey::Sent) => vec![Part::Sent],
        (ContainerKind::Channel, _) => vec![Part::All],
        (_, RowKey::Text(name)) => vec![Part::Text(name), Part::Any],
        (ContainerKind::Map, RowKey::Index(_)) => vec![Part::All],
        (_, RowKey::Index(index)) => vec![Part::Index(index), Part::Any],
        (_, RowKey::Keys) | (ContainerKind::Map, RowKey::Each) => vec![Part::Keys],
        (_, RowKey::Back(_) | RowKey::Any | RowKey::Each | RowKey::Next) => vec![Part::All],
        (_, RowKey::Target) => Vec::new(),
    }
}

/// The part that a write fills.
pub(super) fn written_part(kind: ContainerKind, key: RowKey) -> Part {
    match (kind, key) {
        (_, RowKey::Text(name)) => Part::Text(name),
        (ContainerKind::Map, RowKey::Index(_)) => Part::Any,
        (_, RowKey::Index(index)) => Part::Index(index),
        (_, RowKey::Keys) => Part::Keys,
        (_, RowKey::Returned) => Part::Returned,
        (_, RowKey::Sent) => Part::Sent,
        _ => Part::Any,
    }
}

/// What the tables call the containers that have methods.
const CONTAINER_NAMES: &[(ContainerKind, &str)] = &[
    (ContainerKind::Map, "dict"),
    (ContainerKind::List, "list"),
    (ContainerKind::Tuple, "tuple"),
    (ContainerKind::Set, "set"),
    (ContainerKind::Generator, "generator"),
];

fn container_name(kind: ContainerKind) -> Option<&'static str> {
    CONTAINER_NAMES
        .iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, name)| *name)
}

/// The container that the tables call so.
pub(super) fn container_named(name: &str) -> Option<ContainerKind> {
    CONTAINER_NAMES
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(kind, _)| *kind)
}

/// Widening.
impl Solver<'_> {
    /// Class-hierarchy analysis where nothing more exact has arrived: a declared type stands for its subtypes.
    pub(super) fn widen(&mut self) {
        for load in 0..self.loads.len() as u32 {
            let row = self.loads[load as usize];
            if row.after.is_some() {
                continue;
            }
            for index in 0..self.contents(row.base).len() {
                let object = self.contents(row.base)[index];
                let Object::AnyOf(declared) = self.objects.get(object) else {
                    continue;
                };
                if self.widened.contains(&(load, object)) {
                    continue;
                }
                let narrowed = self.held(row.base).any(|(_, held)| self.is_narrower(held, declared));
                if narrowed {
                    continue;
                }
                self.widened.insert((load, object));
                self.widen_load(load, row, declared, object);
            }
        }
    }

    fn widen_load(&mut self, load: u32, row: LoadRow, declared: TypeIndex, object: ObjectId) {
        let is_interface = self.program.type_facts(declared).kind == TypeKind::Interface;
        let subtypes = self.subtypes(declared);
        if !is_interface {
            self.load_member(load, row, declared, object);
        }
        for subtype in &subtypes {
            let place = if is_interface {
                self.program.find_member(*subtype, row.member)
            } else {
                // Only where a subtype replaces the member.
                self.program.types[subtype.at()].members.get(&row.member).copied()
            };
            if let Some(place) = place {
                let kind = if is_interface {
                    Object::Instance(*subtype)
                } else {
                    Object::AnyOf(*subtype)
                };
                let receiver = self.objects.intern(kind);
                self.member_copy(load, place, receiver);
            }
        }
        if is_interface
            && subtypes.is_empty()
            && let Some(place) = self.program.find_member(declared, row.member)
        {
            self.member_copy(load, place, object);
        }
    }
}
