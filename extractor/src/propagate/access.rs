//! What reads and writes of members do when an object arrives at their base.

use ripple_schema::{How, Language};

use super::object::{Object, ObjectId};
use super::parts::container_name;
use super::signatures::Given;
use super::solve::{CallRow, Constraint, LoadRow, Solver, Target};
use crate::builtins::{has_member, is_asked_of_result};
use crate::facts::by_name::REGISTERED;
use crate::facts::{Binding, ContainerKind, Field, FieldKind};
use crate::link::member::Member;
use crate::link::scope::Meaning;
use crate::link::{Base, FunctionIndex, PlaceIndex, Symbol, TypeIndex};

/// Whether the name of a library thing still says something: `a.b().c().d()…` and `node.parent.parent…` end somewhere.
pub(super) fn is_telling(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let mut parts = last.rsplit('.');
    // What goes by the name of its module, as `copy.copy` does, is no repetition.
    let repeats = matches!((parts.next(), parts.next(), parts.next()), (Some(a), Some(b), Some(_)) if a == b);
    name.len() <= 100 && !repeats && last.matches('.').count() <= 5 && last.matches("()").count() <= 1
}

/// What the language keeps in exceptions where they are raised.
const KEPT: &[&str] = &["__cause__", "__context__"];

/// Loads and stores.
impl Solver<'_> {
    pub(super) fn load_from(&mut self, load: u32, object: ObjectId) {
        let row = self.loads[load as usize];
        self.note_widening(load, object);
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
                Meaning::Unbound => self.ask_module(row, package),
            },
            Object::External(name) => {
                let text = |name| self.program.symbols.text(name);
                let is_awaited = is_asked_of_result(text(name), text(row.member));
                if !is_awaited && (!row.implicit || self.is_told_of(name, &row)) {
                    self.load_external(name, row);
                }
            }
            // A class of a library has methods of its own, whatever it was taken from: `frames.DataFrame.from_records`.
            Object::Taken { method, .. } if self.is_class_of_library(method) => {
                if !row.implicit {
                    self.load_external(method, row);
                }
            }
            // What arrives may be more exact: it waits for [`Solver::widen`].
            Object::AnyExternal(name) => {
                if !row.implicit && self.widened.contains(&(load, object)) {
                    self.load_external(name, row);
                }
            }
            Object::Container {
                kind: ContainerKind::Tuple,
                ..
            } if self.asks_for_args(&row) => self.add(row.to, object),
            Object::Container { .. } if self.is_of_its_class(&row, object) => {}
            Object::Container { .. } | Object::Typed { .. } if self.is_subscript(&row, object) => {}
            Object::Container { .. } | Object::Typed { .. } if self.compare_parts(&row, object) => {}
            // `row.iloc[0]`, `row.values`.
            row_of_table
                if row_of_table.is_row() && super::records::is_itself(self.program.symbols.text(row.member)) =>
            {
                self.add(row.to, object);
            }
            Object::Container { .. } if self.records.contains(&object) => self.load_from_record(load, object, &row),
            Object::Container { kind, .. } | Object::Typed { kind, .. } => {
                let text = self.program.symbols.text(row.member);
                let name = match kind {
                    ContainerKind::Table if !self.is_told(row.file, &format!("dict.{text}")) => Some("list"),
                    kind => container_name(kind),
                };
                if let Some(name) = name
                    && let told = self.is_told(row.file, &format!("{name}.{text}"))
                    && (told || !row.implicit && self.has_builtin_member(row.file, name, text) == Some(true))
                {
                    let name = format!("{name}.{text}");
                    let object = self.method_taken(&row, &name);
                    self.add(row.to, object);
                }
            }
            // What can be called is what `__call__` of it calls.
            Object::Function(_) | Object::Bound { .. }
                if self.program.symbols.text(row.member) == "__call__" && !row.implicit =>
            {
                self.add(row.to, object);
            }
            Object::Function(function) if !row.implicit => {
                match self.function_members.get(&(function, row.member)).copied() {
                    Some(place) => self.copy(place, row.to),
                    None if self.load_of_property((function, object), &row) => {}
                    None => self.method_of_function(&row),
                }
            }
            Object::Function(_) | Object::Bound { .. } => self.method_of_function(&row),
            Object::Callable(_)
            | Object::Address(_)
            | Object::LoopBody(_)
            | Object::Partial(_)
            | Object::Taken { .. }
            | Object::AnyMember(_) => {}
        }
    }

    /// `x[key]` of a container, which finds the part by itself. Of a class that is one, the method is looked up: it may be one of its own.
    fn is_subscript(&self, row: &LoadRow, container: ObjectId) -> bool {
        let is_of_class = self.own_containers.contains_key(&container);
        row.implicit && !is_of_class && matches!(self.program.symbols.text(row.member), "__getitem__" | "__setitem__")
    }

    /// Whether the table has an entry of that name.
    pub(super) fn is_told(&self, file: crate::link::FileIndex, name: &str) -> bool {
        let library = self.libraries.get(&self.program.files[file.at()].language);
        library.is_some_and(|library| library.get(name).is_some())
    }

    /// Whether a type that the language of a file brings along has the member; none for what is no such type.
    fn has_builtin_member(&self, file: crate::link::FileIndex, name: &str, member: &str) -> Option<bool> {
        // `bytes` is a package elsewhere.
        let has_them = self.program.files[file.at()].language == Language::Python;
        has_member(name, member).filter(|_| has_them)
    }

    fn load_external(&mut self, name: Symbol, row: LoadRow) {
        self.stand_for_modules(name, &row);
        // What a built-in type does not have, this value is not asked for: it got here by another way. All have a constructor.
        let (text, member) = (self.program.symbols.text(name), self.program.symbols.text(row.member));
        let name = format!("{text}.{member}");
        if self.has_builtin_member(row.file, text, member) == Some(false) && !self.is_told(row.file, &name) {
            return;
        }
        // `x.__doc__.strip` is no member that anyone would look for under the name of `x`.
        let of_special = self.program.symbols.text(row.member).starts_with("__");
        if !is_telling(&name) || of_special && name.matches("__").count() > 2 {
            return;
        }
        let language = self.program.files[row.file.at()].language;
        let library = self.libraries.get(&language);
        let entry = library.and_then(|library| library.get(&name));
        if entry.is_some_and(|entry| entry.gives_rows) {
            self.load_inner(&row);
        }
        let renamed = entry.and_then(|entry| entry.type_name.clone());
        if renamed.is_none()
            && let Some(given) = library.and_then(|library| library.signatures().member(&name))
        {
            let object = self.given_object(given);
            return self.add(row.to, object);
        }
        let object = self.method_taken(&row, &renamed.unwrap_or(name));
        self.add(row.to, object);
    }

    /// A value of library code.
    pub(super) fn given_object(&mut self, given: &Given) -> ObjectId {
        let none = self.objects.intern_list(Vec::new());
        let mut inside = match given.name {
            "" => none,
            name => {
                let object = self.external(name);
                if given.containers.is_empty() {
                    return object;
                }
                self.objects.intern_list(vec![object])
            }
        };
        let mut object = ObjectId(0);
        for kind in given.containers.iter().rev() {
            let (kind, key, element) = (*kind, none, inside);
            object = self.objects.intern(Object::Typed { kind, key, element });
            inside = self.objects.intern_list(vec![object]);
        }
        object
    }

    /// What a load finds in a class: behind the class that `super()` stands in, if that is what it asks.
    pub(super) fn member_asked(&self, row: &LoadRow, class: TypeIndex) -> Option<PlaceIndex> {
        match row.after {
            Some(after) => self.program.find_member_after(class, after, row.member),
            None => self.program.find_member(class, row.member),
        }
    }

    pub(super) fn load_member(&mut self, load: u32, row: LoadRow, index: TypeIndex, object: ObjectId) {
        if row.only.is_some_and(|only| only != index) {
            return;
        }
        // What is only declared may be narrowed by what arrives: it waits for [`Solver::widen`].
        let declared = matches!(self.objects.get(object), Object::AnyOf(_));
        if declared && !self.widened.contains(&(load, object)) {
            return;
        }
        let is_class = matches!(self.objects.get(object), Object::Class(_));
        let index = self.asked_of(row.function, row.member, index);
        if self.answers_before(row, index) {
            return;
        }
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
        if !is_class {
            self.suppose_attribute(&row, index);
        }
        if found.is_empty() && !is_class && self.reads_value(&row, index) {
            return self.attach(row.base, Constraint::CopyPlain(row.to));
        }
        if found.is_empty() && !is_class && self.is_value_of_member(&row) {
            return self.add(row.to, object);
        }
        if found.is_empty()
            && !is_class
            && let Some(second) = self.second_choice(row, index)
            && let Some(place) = self.program.find_member(index, second)
        {
            return self.member_copy(load, place, object);
        }
        if found.is_empty()
            && is_class
            && let Some(meta) = self.metaclass(index)
        {
            match (self.member_asked(&row, meta), row.after) {
                (Some(place), _) => return self.member_copy(load, place, object),
                // `super()` in a metaclass.
                (None, Some(after)) if self.program.types[meta.at()].order.contains(&after) => {
                    if let Some(base) = self.external_base(meta) {
                        return self.load_external(base, row);
                    }
                }
                _ => {}
            }
        }
        if !is_class && !row.implicit && self.is_kept_elsewhere(index, &found) {
            return self.ask_for_attribute(row, index);
        }
        if !found.is_empty() || row.implicit {
            return;
        }
        if is_class && self.program.symbols.text(row.member) == "__subclasses__" {
            let class = self.program.symbols.intern("type");
            return self.load_external(class, row);
        }
        self.missed_loads.entry(row.member).or_default().push((load, object));
        if !is_class && self.load_related(&row, index) {
            return;
        }
        // What is not there, nor in what the language has as a base, is asked of `__getattr__`.
        let is_of_base = || {
            let member = self.program.symbols.text(row.member);
            let mut bases = self.external_bases(index);
            bases.any(|base| has_member(base, member) == Some(true))
        };
        let answers = self
            .program
            .symbols
            .find("__getattr__")
            .is_some_and(|name| !is_class && self.program.find_member(index, name).is_some());
        if answers && !is_of_base() {
            return self.ask_for_attribute(row, index);
        }
        if self.program.types[index.at()].open
            && let Some(base) = self.external_base(index)
            && !self.embedded_interface(row, object, Base::External(base))
        {
            // A dict whose keys are declared has the methods of any dict.
            let base = match self.is_typed_dict(index) {
                true => self.program.symbols.intern("dict"),
                false => base,
            };
            if is_class {
                self.rows_told(&row, base, object);
            }
            self.load_external(base, row);
        } else if self.program.symbols.text(row.member) == "__new__" && (is_class || row.after.is_some()) {
            let all = self.program.symbols.intern("object");
            self.load_external(all, row);
        }
    }

    /// Whether a class has what is asked for before this.
    pub(super) fn answers_before(&self, row: LoadRow, index: TypeIndex) -> bool {
        let mut before = row.without.into_iter().flatten();
        before.any(|before| self.program.find_member(index, before).is_some())
    }

    /// What the language asks a class for that has not what it asks for first: what does not say whether it is true is, unless it is empty;
    /// what does not say when it is another is, unless it is equal; what has no text of its own is shown as it is for who looks for faults;
    /// a mapping that has its parts from its base asks for what is missing.
    pub(super) fn second_choice(&self, row: LoadRow, index: TypeIndex) -> Option<Symbol> {
        let others: &[&str] = match self.program.symbols.text(row.member) {
            // `super().__format__(spec)`
            "__format__" if row.after.is_some() => &["__str__", "__repr__"],
            _ if !row.implicit => return None,
            "__bool__" => &["__len__"],
            "__ne__" => &["__eq__"],
            "__format__" => &["__str__", "__repr__"],
            "__str__" => &["__repr__"],
            "__getitem__" => &["__missing__"],
            _ => return None,
        };
        if self.member_asked(&row, index).is_some() {
            return None;
        }
        let has_text = || self.external_bases(index).any(|base| !is_shown_by_repr(base));
        let found = others.iter().find_map(|name| {
            let second = self.program.symbols.find(name)?;
            self.program.find_member(index, second).map(|_| (*name, second))
        });
        found
            .filter(|(name, _)| *name != "__repr__" || !has_text())
            .map(|(_, second)| second)
    }

    /// Whether a method that was read from a field tells by where it was bound that it was bound elsewhere. In Go that is the part of the
    /// whole that was embedded.
    pub(super) fn tells_where_bound(&self, file: crate::link::FileIndex) -> bool {
        self.program.files[file.at()].language == Language::Python
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
            // A number or a text that was just written is of the type that the field is declared with.
            Object::Instance(index) if row.known && self.is_number_or_text(index) => {
                return self.add(row.to, object);
            }
            // What a descriptor was just given to keep, it is asked for.
            _ if row.known && !self.is_kept_by_descriptor(place) => return,
            Object::Instance(index) if self.describes(index, place, receiver) => {
                return self.call_descriptor(row, index, (place, receiver));
            }
            _ => {
                self.rows_read(&row, receiver, object);
                return self.add(row.to, object);
            }
        };
        // A property is called, whatever was written to it before; what else was there is overwritten.
        let told = self.bound_as(function, place).map(|(binding, _)| binding);
        if row.known && told.unwrap_or(self.program.function_facts(function).binding) != Binding::Property {
            return;
        }
        let is_field = match self.program.member_of(place).and_then(|member| member.field) {
            Some(FieldKind::Field | FieldKind::Attribute) => true,
            Some(FieldKind::ClassAttribute) => !self.is_put_in_class(place, object),
            None => self.is_put_on_object(row.base, place, object),
        };
        // A property that is assigned through `self` looks like an attribute.
        let is_field = is_field
            && !matches!(
                self.program.function_facts(function).binding,
                Binding::Property | Binding::Setter
            );
        let facts = self.program.function_facts(function);
        let is_abstract = facts.is_abstract;
        let binding = told.unwrap_or(facts.binding);
        // What another function made, or a function of the file is put in a class: it is a method from then on.
        let of_class = self.program.member_of(place).map(|member| member.owner);
        let of_class = of_class.filter(|owner| self.program.type_language(*owner) == Language::Python);
        let owner = self.program.functions[function.at()].owner.or(of_class);
        let Some(owner) = owner.filter(|_| !is_field) else {
            return self.add(row.to, object);
        };
        let held = self.objects.get(receiver);
        if self.program.type_language(owner) == Language::Go {
            if let Object::Class(_) = held {
                return self.add(row.to, object);
            }
            if is_abstract && self.embedded_interface(row, receiver, Base::Type(owner)) {
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
        let through_class = match held {
            // A method of the class's class gets the class.
            Object::Class(class) => self
                .metaclass(class)
                .is_none_or(|meta| !self.program.types[meta.at()].order.contains(&owner)),
            _ => false,
        };
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

    /// Whether a class attribute holds a descriptor: reading it calls its `__get__`.
    fn describes(&mut self, index: TypeIndex, place: PlaceIndex, receiver: ObjectId) -> bool {
        let get = self.program.symbols.find("__get__");
        matches!(
            self.objects.get(receiver),
            Object::Instance(_) | Object::AnyOf(_) | Object::Class(_)
        ) && self.is_put_on_class(place)
            && get.is_some_and(|get| self.program.find_member(index, get).is_some())
    }

    /// Whether only code outside of a class gives its objects a member.
    pub(super) fn is_added(&self, member: &Member) -> bool {
        member.field == Some(FieldKind::Attribute) && self.members_added.contains(&member.name)
    }

    /// What no object has by itself is asked of `__getattr__`, though there is a field: one that the class only declares, or that code outside of it
    /// writes, and `__setattr__` keeps somewhere else.
    fn is_kept_elsewhere(&self, index: TypeIndex, found: &[PlaceIndex]) -> bool {
        if found.is_empty() || !self.has(index, "__getattr__") {
            return false;
        }
        let is_put = |member: &Member| self.is_added(member) && self.has(index, "__setattr__");
        let is_declared = |member: &Member| {
            let fields = &self.program.type_facts(member.owner).fields;
            let field = member.declared.and_then(|number| fields.get(number as usize));
            let is_bare = |field: &Field| field.declared.is_some() && !field.is_always_set;
            member.field == Some(FieldKind::ClassAttribute)
                && field.is_some_and(is_bare)
                && !self.has_generated_constructor(member.owner)
        };
        let mut members = found.iter().map(|place| self.program.member_of(*place));
        members.all(|member| member.is_some_and(|member| is_put(member) || is_declared(member)))
    }

    /// Reading a property calls it: a call of its own, whose value is the load's place.
    fn call_property(&mut self, load: u32, row: LoadRow, function: FunctionIndex, receiver: ObjectId) {
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

    pub(super) fn store_into(&mut self, store: u32, object: ObjectId) {
        let row = self.stores[store as usize];
        let place = match self.objects.get(object) {
            Object::Instance(index) | Object::AnyOf(index) => {
                let index = self.asked_of(row.function, row.member, index);
                self.hand_to_class(store, index);
                let known = self.program.find_attribute_owner(index, row.member);
                self.note_put_on_object(known, row.from);
                // What goes past the class is of the kind that other writes of the member show, and properties are asked for.
                if row.implicit && known.is_some() && self.untyped.contains(&row.file) {
                    return;
                }
                let is_python = self.program.type_language(index) == Language::Python;
                let text = self.program.symbols.text(row.member);
                let may_add = is_python && (!text.starts_with("__") || KEPT.contains(&text));
                known.or_else(|| may_add.then(|| self.add_attribute(store, index, FieldKind::Attribute)))
            }
            // What is registered with a class is no attribute of it.
            Object::Class(_) if row.implicit && self.program.symbols.text(row.member) == REGISTERED => None,
            Object::Class(index) => {
                let known = self.program.find_member(index, row.member);
                let place = known.unwrap_or_else(|| self.add_attribute(store, index, FieldKind::ClassAttribute));
                // Where objects are met as well, what is written is most likely theirs.
                let is_of_object = |(_, held)| matches!(held, Object::Instance(_) | Object::AnyOf(_));
                if !self.held(row.base).any(is_of_object) {
                    self.put_in.on_classes.insert(place);
                }
                Some(place)
            }
            Object::Package(package) => {
                self.set_in_packages.push((package, row.member));
                let places = match self.program.package_member(package, row.member) {
                    Meaning::Places(places) => places,
                    Meaning::Unbound => self.module_member(package, row.member).into_iter().collect(),
                    _ => return,
                };
                for (place, from) in places.into_iter().zip(row.from.into_iter().cycle()) {
                    self.copy(from, place);
                }
                return;
            }
            Object::Function(function) => {
                let place = self.function_member(function, row.member);
                if let (Some(place), Some(from)) = (place, row.from) {
                    self.copy(from, place);
                }
                return;
            }
            Object::Container { .. } if self.records.contains(&object) => return self.store_in_record(&row, object),
            _ => None,
        };
        let Some(place) = place else { return };
        if let Some(from) = row.from {
            self.copy(from, place);
        }
        if !row.implicit {
            self.attach(place, Constraint::SetterCopy(store, object));
        }
    }

    /// An attribute that only code outside of the class sets.
    fn add_attribute(&mut self, store: u32, owner: TypeIndex, kind: FieldKind) -> PlaceIndex {
        let row = self.stores[store as usize];
        let (name, position, file) = (row.member, row.position, row.file);
        self.members_added.insert(name);
        let place = self.program.add_member(Member {
            owner,
            name,
            field: Some(kind),
            declared: None,
            position,
            file,
        });
        self.grow();
        // Who asked for it before finds it now.
        for (load, object) in self.missed_loads.get(&name).cloned().unwrap_or_default() {
            let asked = match self.objects.get(object) {
                Object::Instance(index) | Object::AnyOf(index) | Object::Class(index) => index,
                _ => continue,
            };
            if self.program.types[asked.at()].order.contains(&owner) {
                let base = self.loads[load as usize].base;
                self.work.push((Some(Constraint::Load(load)), base, object));
            }
        }
        place
    }

    pub(super) fn call_setter(&mut self, store: u32, receiver: ObjectId, place: PlaceIndex, object: ObjectId) {
        let function = match self.objects.get(object) {
            Object::Function(function) => function,
            Object::Instance(_) if self.stores[store as usize].deletes => return,
            Object::Instance(index) if matches!(self.objects.get(receiver), Object::Instance(_) | Object::AnyOf(_)) => {
                return self.set_descriptor(store, index, (place, receiver));
            }
            _ => return,
        };
        let facts = self.program.function_facts(function);
        if let Object::Class(class) = self.objects.get(receiver) {
            // A function that a class is given is a method of it from then on.
            let first = facts.parameters.first().map(|parameter| parameter.place);
            let is_free = facts.owner.is_none() && facts.binding == Binding::Instance;
            if let Some(first) = first.filter(|_| is_free && self.program.type_language(class) == Language::Python) {
                let first = self.program.place(self.program.functions[function.at()].file, first);
                let own = self.objects.intern(Object::AnyOf(class));
                self.add(first, own);
            }
            return;
        }
        if let Some((_, [set, delete])) = self.bound_as(function, place)
            && let Some(writer) = if self.stores[store as usize].deletes {
                delete
            } else {
                set
            }
        {
            return self.attach_once(writer, Constraint::SetterCopy(store, receiver));
        }
        // What is found in another member than the one that is written was said to write that.
        let member = self.program.member_of(place).map(|member| member.name);
        if facts.binding != Binding::Setter && member == Some(self.stores[store as usize].member) {
            return;
        }
        let value = facts.parameters.get(1).map(|parameter| parameter.place);
        let row = self.stores[store as usize];
        // What takes the member away is given no value.
        if row.deletes == value.is_some() || facts.parameters.is_empty() {
            return;
        }
        let file = self.program.functions[function.at()].file;
        if let (Some(from), Some(value)) = (row.from, value) {
            let value = self.program.place(file, value);
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

/// Whether a base of the language leaves it to `__repr__` how its objects are shown.
fn is_shown_by_repr(base: &str) -> bool {
    let name = base.rsplit('.').next().unwrap_or(base);
    matches!(
        name,
        "object" | "ABC" | "Generic" | "Protocol" | "dict" | "list" | "set" | "tuple"
    )
}

pub(super) fn implicit_row(callee: PlaceIndex, row: LoadRow) -> CallRow {
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
        point: row.point,
    }
}
