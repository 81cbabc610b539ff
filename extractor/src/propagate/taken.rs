//! Methods of library code as values: each keeps what it was taken from.
//!
//! ```python
//! put = rows.append
//! put(order)                       # `order` is in `rows`
//! visit(tree, seen.add)            # what `visit` calls puts into `seen`
//! ```
//!
//! Where such a value is called, a call of the method stands behind it, with the place that it was taken from as receiver. Methods of
//! the index are [`Object::Bound`].

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::library::Effect;
use super::object::{Object, ObjectId};
use super::rows::{CallRow, LoadRow};
use super::solve::{Solver, Target};
use crate::link::{DerivedPlace, PlaceIndex, Symbol};

/// A call of a method that was taken from its object elsewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakenCall {
    /// The call of the value.
    pub call: u32,
    /// The receiver, as a place of the caller.
    pub receiver: PlaceIndex,
    /// Where the object was that the method was taken from.
    pub base: PlaceIndex,
}

/// All methods of library code that are values.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// Places that are called: what is read there is no value.
    called: Option<FxHashSet<PlaceIndex>>,
    known: FxHashMap<(u32, ObjectId), u32>,
    pub(super) calls: Vec<TakenCall>,
}

impl Solver<'_> {
    /// A method that library code gives functions: `http.HandlerFunc(list).ServeHTTP`.
    pub(super) fn method_of_function(&mut self, row: &LoadRow) {
        let name = format!("func.{}", self.program.symbols.text(row.member));
        let library = self.libraries.get(&self.program.files[row.file.at()].language);
        if let Some(entry) = library.and_then(|library| library.get(&name)) {
            let name = entry.type_name.clone().unwrap_or(name);
            let object = self.method_taken(row, &name);
            self.add(row.to, object);
        }
    }

    /// What reading this member of something of a library gives: the method itself where it is called at once, or where the tables
    /// don't say that it does something to its receiver.
    pub(super) fn method_taken(&mut self, row: &LoadRow, name: &str) -> ObjectId {
        let symbol = self.program.symbols.intern(name);
        let method = self.objects.intern(Object::External(symbol));
        let entry = self.table_entry(row.file, symbol);
        let does = entry.is_some_and(|entry| entry.flows.iter().any(Effect::is_of_receiver));
        // `str.upper` is taken from no string.
        let of_class = self.unbound.contains_key(&row.base);
        if row.implicit || row.silent || !does || of_class || self.is_called(row.to) {
            return method;
        }
        self.objects.intern(Object::Taken {
            method: symbol,
            base: row.base,
        })
    }

    /// Whether a library's name is written as those of classes are.
    pub(super) fn is_class_of_library(&self, name: Symbol) -> bool {
        let last = self.program.symbols.text(name).rsplit('.').next();
        last.is_some_and(|last| last.starts_with(char::is_uppercase))
    }

    fn is_called(&mut self, place: PlaceIndex) -> bool {
        // What library code calls is a value that it was given.
        let written = self.calls.iter().filter(|row| row.how != How::Callback);
        let called = self
            .taken
            .called
            .get_or_insert_with(|| written.map(|row| row.callee).collect());
        called.contains(&place)
    }

    /// Such a method is called.
    pub(super) fn call_taken(&mut self, call: u32, object: ObjectId, (method, base): (Symbol, PlaceIndex)) {
        if self.taken.known.contains_key(&(call, object)) {
            return;
        }
        self.add_target(call, Target::Elsewhere);
        let row = self.calls[call as usize].clone();
        let callee = self.derive_place(DerivedPlace::Passing(row.function));
        let receiver = self.derive_place(DerivedPlace::Passing(row.function));
        let (arguments, results) = (self.call_arguments(call).to_vec(), self.call_results(call).to_vec());
        self.copy(base, receiver);
        let row = CallRow {
            callee,
            receiver: Some(receiver),
            targets: Vec::new(),
            ..row
        };
        let inner = self.push_call(row, &arguments, &results);
        self.taken.known.insert((call, object), inner);
        self.taken.calls.push(TakenCall { call, receiver, base });
        let method = self.objects.intern(Object::External(method));
        self.add(callee, method);
    }

    /// `self.clean(text)` where an object was given `str.strip` as `clean`: what it keeps is no method of it.
    fn keeps_method(&self, row: &CallRow, receiver: PlaceIndex) -> bool {
        if row.how != How::Method || !self.untyped.contains(&row.file) {
            return false;
        }
        let text = self.program.symbols.text(row.text);
        let member = self.program.symbols.find(text.rsplit('.').next().unwrap_or(text));
        let Some(member) = member else { return false };
        let mut held = self.held(receiver).peekable();
        let keeps = |(id, object): (_, Object)| match object {
            Object::Instance(class) | Object::AnyOf(class) => {
                let kept = self.program.find_attribute_owner(class, member);
                kept.is_some_and(|place| self.is_of_each_object(place))
            }
            Object::Container { .. } => self.records.contains(&id) && !object.is_row(),
            _ => false,
        };
        held.peek().is_some() && held.all(keeps)
    }

    /// `str.upper(text)`: a method of a type, which is handed its receiver first.
    pub(super) fn is_taken_from_type(&self, call: u32) -> bool {
        let row = &self.calls[call as usize];
        let of_type = |receiver: PlaceIndex| self.unbound.contains_key(&receiver) || self.keeps_method(row, receiver);
        if !row.receiver.is_some_and(of_type) {
            return false;
        }
        let entries = row.targets.iter().filter_map(|target| match target {
            Target::External(name) => self.table_entry(row.file, *name),
            _ => None,
        });
        let mut effects = entries.flat_map(|entry| &entry.flows);
        effects.any(Effect::is_of_receiver)
    }
}
