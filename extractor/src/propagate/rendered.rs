//! What serializers write of an object: each field that their class declares is read of it, by the name that the field says.
//!
//! ```python
//! class OrderOut(serializers.Serializer):
//!     is_gift = serializers.BooleanField(source="gift")      # `order.gift`
//!     domain = serializers.SerializerMethodField()           # `get_domain(order)`
//!     lines = LineOut(many=True)                             # and of each of `order.lines` what that class declares
//! OrderOut(order).data
//! ```
//!
//! Which calls do so stands in the table of the library, as `render 0`. What is read comes into the attribute, and from there under its key
//! to whoever reads that. Methods that run around a read or a write (`@post_load`) are called where that happens, as `hooks read` and `hooks write` say.

use rustc_hash::{FxHashMap, FxHashSet};

use super::library::{Effect, End, Subject};
use super::object::{Object, ObjectId};
use super::solve::{ArgumentRow, Constraint, ElementRow, LoadRow, RowBase, RowKey, Solver};
use crate::facts::{Constant, ContainerKind};
use crate::link::{FileIndex, PlaceIndex, Symbol, TypeIndex};
use ripple_schema::How;

/// The keywords by which a field says what it is read of.
const SOURCES: [&str; 2] = ["source", "attribute"];

/// All of the object, as a field's source.
const WHOLE: &str = "*";

/// The hook that is given what was read, and gives what is read instead.
const AFTER_READING: &str = "post_load";

/// The other hooks of what reads, and those of what writes.
const OF_READING: [&str; 3] = ["pre_load", "validates", "validates_schema"];
const OF_WRITING: [&str; 2] = ["post_dump", "pre_dump"];

/// What was found of fields and hooks, and what is rendered.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    /// What is to be written when it is known who writes it: the call, and the object.
    rows: Vec<(u32, PlaceIndex)>,
    done: FxHashSet<(u32, PlaceIndex, TypeIndex)>,
    declared: Option<Declared>,
    /// Fields of classes that objects are written by.
    pub(super) fields: FxHashSet<PlaceIndex>,
    /// Of these, those that a method fills.
    pub(super) by_method: FxHashSet<PlaceIndex>,
}

/// What stands in class bodies.
#[derive(Debug, Default)]
struct Declared {
    /// By its value, the call that makes a field.
    calls: FxHashMap<PlaceIndex, u32>,
    /// Functions under a hook's decorator, by its name.
    hooks: Vec<(PlaceIndex, &'static str)>,
}

/// How a field comes by its value.
enum Source {
    /// It is read by this path.
    Read(Symbol),
    /// The method of the serializer that this is gives it.
    Method(String),
    /// The function in this place does.
    Function(PlaceIndex),
    /// Nothing says.
    Unknown,
}

impl Solver<'_> {
    /// An object of a class that stands on a serializer of the library is made: of what it is given, it will write its fields.
    pub(super) fn render_made(&mut self, call: u32, class: TypeIndex) {
        if !self.program.types[class.at()].open {
            return;
        }
        let libraries = self.libraries;
        let Some(library) = libraries.get(&self.program.type_language(class)) else {
            return;
        };
        let entry = self.external_bases(class).find_map(|base| library.get(base));
        for effect in entry.map_or(&[][..], |entry| &entry.flows) {
            if let Effect::Render(end) = effect {
                for of in self.subject_places(call, &end.subject) {
                    self.render(call, class, of);
                }
            }
        }
    }

    /// The receiver of a call writes what it is given.
    pub(super) fn render_for_receiver(&mut self, call: u32, end: &End) {
        let Some(receiver) = self.calls[call as usize].receiver else {
            return;
        };
        for of in self.subject_places(call, &end.subject) {
            self.render_when_known(call, of, receiver);
        }
    }

    fn render_when_known(&mut self, call: u32, of: PlaceIndex, by: PlaceIndex) {
        let row = self.rendered.rows.len() as u32;
        self.rendered.rows.push((call, of));
        self.attach_once(by, Constraint::Render(row));
    }

    /// It is known who writes.
    pub(super) fn render_by(&mut self, row: u32, object: ObjectId) {
        let (call, of) = self.rendered.rows[row as usize];
        if let Object::Instance(class) | Object::AnyOf(class) | Object::Class(class) = self.objects.get(object) {
            self.render(call, class, of);
        }
    }

    /// Objects of a class write the parts of what is in a place, and itself.
    fn render(&mut self, call: u32, class: TypeIndex, of: PlaceIndex) {
        if !self.rendered.done.insert((call, of, class)) {
            return;
        }
        let one = self.passing(call);
        self.copy(of, one);
        let parts = self.element_row(call, of, RowKey::Each, one);
        self.push_element_load(ElementRow {
            of: RowBase::Argument,
            silent: true,
            ..parts
        });
        self.find_declared();
        let order = self.program.types[class.at()].order.clone();
        for base in order {
            let file = self.program.types[base.at()].file;
            let names = self.program.type_facts(base).fields.iter().map(|field| field.name);
            for name in names.collect::<Vec<_>>() {
                let name = self.program.symbol(file, name);
                let Some(field) = self.program.types[base.at()].members.get(&name).copied() else {
                    continue;
                };
                let values = self.class_values.get(&field).cloned().unwrap_or_default();
                let calls = self.rendered.declared.as_ref().map(|declared| &declared.calls);
                let made = values.iter().find_map(|value| calls?.get(value).copied());
                if let Some(made) = made {
                    self.render_field(call, (class, one), (name, field, made));
                }
            }
        }
        // What is called around it, where it is written by hand.
        let by_hand = self.program.symbols.find("to_representation");
        if let Some(name) = by_hand.filter(|name| self.program.find_member(class, *name).is_some()) {
            let value = self.passing(call);
            self.call_of_class(call, (class, name), one, value);
        }
    }

    fn render_field(
        &mut self,
        call: u32,
        (class, one): (TypeIndex, PlaceIndex),
        (name, field, made): (Symbol, PlaceIndex, u32),
    ) {
        self.rendered.fields.insert(field);
        let value = self.passing(call);
        match self.source_of(made, name) {
            Source::Read(path) => {
                self.load_path(call, one, path, (value, true));
                // What is nested is written by another class.
                let of_nested: Vec<PlaceIndex> = self.call_arguments(made).iter().filter_map(|row| row.place).collect();
                for by in of_nested.into_iter().chain(self.call_results(made).first().copied()) {
                    self.render_when_known(call, value, by);
                }
            }
            Source::Method(method) => {
                self.rendered.by_method.insert(field);
                let method = self.program.symbols.intern(&method);
                self.call_of_class(call, (class, method), one, value);
            }
            Source::Function(function) => {
                self.rendered.by_method.insert(field);
                let callback = self.callback(call, function, None);
                let given = ArgumentRow::positional(Some(one), self.calls[call as usize].position);
                self.push_call(callback, &[given], &[value]);
            }
            Source::Unknown => return,
        }
        self.copy(value, field);
        self.called_back.push((call, value, field));
    }

    /// A method of the class is called by library code with this.
    fn call_of_class(&mut self, call: u32, (class, method): (TypeIndex, Symbol), given: PlaceIndex, value: PlaceIndex) {
        let own = self.passing(call);
        let instance = self.objects.intern(Object::Instance(class));
        self.add(own, instance);
        let callee = self.passing(call);
        let at = self.calls[call as usize].at();
        self.push_load(LoadRow::implicit(own, method, callee, at));
        let given = ArgumentRow::positional(Some(given), self.calls[call as usize].position);
        let callback = self.callback(call, callee, Some(own));
        self.push_call(callback, &[given], &[value]);
    }

    /// How a field comes by its value, as the call says that makes it.
    fn source_of(&self, made: u32, name: Symbol) -> Source {
        let symbols = &self.program.symbols;
        let written = symbols.text(self.calls[made as usize].text);
        let arguments = self.call_arguments(made);
        let named = |wanted: &[&str]| {
            let mut arguments = arguments.iter();
            arguments.find(|argument| argument.name.is_some_and(|name| wanted.contains(&symbols.text(name))))
        };
        let first = arguments.first().filter(|argument| argument.name.is_none());
        match written.rsplit('.').next().unwrap_or(written) {
            "SerializerMethodField" => {
                let method = first.or(named(&["method_name"])).and_then(|argument| argument.text);
                let usual = || format!("get_{}", symbols.text(name));
                Source::Method(method.map_or_else(usual, |method| symbols.text(method).to_owned()))
            }
            "Method" => match first.or(named(&["serialize"])).and_then(|argument| argument.text) {
                Some(method) => Source::Method(symbols.text(method).to_owned()),
                None => Source::Unknown,
            },
            "Function" => match first.or(named(&["serialize"])).and_then(|argument| argument.place) {
                Some(function) => Source::Function(function),
                None => Source::Unknown,
            },
            _ => match named(&SOURCES).map(|argument| argument.text) {
                Some(Some(path)) if symbols.text(path) != WHOLE => Source::Read(path),
                Some(_) => Source::Unknown,
                None => Source::Read(name),
            },
        }
    }

    /// Looks once at what makes fields, and at what stands under decorators of hooks.
    fn find_declared(&mut self) {
        if self.rendered.declared.is_some() {
            return;
        }
        let mut declared = Declared::default();
        let values: FxHashSet<PlaceIndex> = self.class_values.values().flatten().copied().collect();
        // By the value of the call, or by the variable of the class body.
        let mut bound: FxHashMap<PlaceIndex, PlaceIndex> = FxHashMap::default();
        for (file, row) in self.program.files.iter().enumerate() {
            let place = |place| self.program.place(FileIndex(file as u32), place);
            let flows = row
                .facts
                .flows
                .iter()
                .filter(|flow| flow.same)
                .map(|flow| (place(flow.to), place(flow.from)));
            bound.extend(flows.filter(|(to, _)| values.contains(to)).map(|(to, from)| (from, to)));
        }
        for (call, row) in self.calls.iter().enumerate() {
            for result in self.call_results(call as u32) {
                let field = bound.get(result).or_else(|| values.get(result));
                declared.calls.extend(field.map(|field| (*field, call as u32)));
            }
            if row.how == How::Decorator {
                let written = self.program.symbols.text(row.text);
                let last = written.rsplit('.').next().unwrap_or(written).trim_end_matches("()");
                let hook = [AFTER_READING]
                    .into_iter()
                    .chain(OF_READING)
                    .chain(OF_WRITING)
                    .find(|hook| *hook == last);
                let function = self.call_arguments(call as u32).first();
                if let (Some(hook), Some(function)) = (hook, function.and_then(|argument| argument.place)) {
                    declared.hooks.push((function, hook));
                }
            }
        }
        self.rendered.declared = Some(declared);
    }

    /// Who reads is known: the hooks of its class are called, and what is read is what the one after it gives.
    pub(super) fn call_hooks(&mut self, (call, writes): (u32, bool), object: ObjectId) {
        let (Object::Instance(class) | Object::AnyOf(class)) = self.objects.get(object) else {
            return;
        };
        self.find_declared();
        let hooks = self.rendered.declared.as_ref().map(|declared| declared.hooks.clone());
        let order = self.program.types[class.at()].order.clone();
        let is_many = self.reads_many(call);
        for (place, hook) in hooks.unwrap_or_default() {
            if OF_WRITING.contains(&hook) != writes {
                continue;
            }
            let function = self.held(place).find_map(|(_, object)| match object {
                Object::Function(function) => Some(function),
                _ => None,
            });
            let Some(function) = function else { continue };
            let row = &self.program.functions[function.at()];
            if !row.owner.is_some_and(|owner| order.contains(&owner)) {
                continue;
            }
            let method = self
                .program
                .symbol(row.file, self.program.function_facts(function).name);
            let value = self.passing(call);
            let given = self.subject_places(call, &Subject::Argument(0)).first().copied();
            let given = match given {
                Some(all) if is_many => {
                    let one = self.passing(call);
                    let each = self.element_row(call, all, RowKey::Each, one);
                    self.push_element_load(ElementRow {
                        of: RowBase::Argument,
                        ..each
                    });
                    one
                }
                Some(given) => given,
                None => self.passing(call),
            };
            self.call_of_class(call, (class, method), given, value);
            let result = self.call_results(call).first().copied();
            if let Some(result) = result.filter(|_| hook == AFTER_READING) {
                self.give_read(call, (value, result), is_many);
            }
        }
    }

    /// Whether a call, or the one that made what it is asked of, says that there are many.
    fn reads_many(&self, call: u32) -> bool {
        let many = self.program.symbols.find("many");
        let says = |call: u32| {
            let mut arguments = self.call_arguments(call).iter();
            let is_so = |constant| constant != Some(Constant::Truth(false));
            many.is_some() && arguments.any(|argument| argument.name == many && is_so(argument.constant))
        };
        let receiver = self.calls[call as usize].receiver;
        says(call)
            || receiver
                .and_then(|receiver| self.call_that_gives(call, receiver))
                .is_some_and(says)
    }

    /// What is read instead: one, or, where the call says so, many.
    fn give_read(&mut self, call: u32, (value, result): (PlaceIndex, PlaceIndex), is_many: bool) {
        if !is_many {
            self.copy(value, result);
            self.called_back.push((call, value, result));
            return;
        }
        let kind = ContainerKind::List;
        let object = self.objects.intern(Object::Container { kind, site: result });
        self.add(result, object);
        self.push_element_store(self.element_row(call, result, RowKey::Any, value));
    }
}
