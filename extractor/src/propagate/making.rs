//! What makes an instance before its constructor: `__new__` of the class, and `__call__` of the class's class before that.
//!
//! ```python
//! class Once(type):
//!     def __call__(cls, *args):                # `Store("a")` calls this one,
//!         return super().__call__(*args)       # and this `Store.__init__`
//! class Store(metaclass=Once): ...
//! ```

use ripple_schema::How;
use rustc_hash::FxHashMap;

use super::object::{Object, ObjectId};
use super::solve::{ArgumentRow, CallRow, Constraint, Solver, Target};
use crate::facts::{ArgumentKind, TypeExpression};
use crate::link::scope::TypeMeaning;
use crate::link::{Base, FunctionIndex, PlaceIndex, Symbol, TypeIndex};

/// Most classes of one metaclass that a call of `type.__new__` in it gives.
const CLASS_LIMIT: usize = 8;

impl Solver<'_> {
    /// Whether calling the class calls its metaclass, which makes the instance or doesn't.
    pub(super) fn is_made_by_metaclass(&mut self, call: u32, class: TypeIndex) -> bool {
        if self.made_plainly.contains_key(&call) {
            return false;
        }
        let name = self.program.symbols.find("__call__");
        let meta = self.metaclass(class).zip(name);
        let Some(place) = meta.and_then(|(meta, name)| self.program.find_member(meta, name)) else {
            return false;
        };
        self.attach_once(place, Constraint::Make(call, class));
        self.note_made(call, class);
        // Without a constructor, there is nothing else to be told of it.
        let constructor = self.program.symbols.find("__init__");
        constructor.is_some_and(|name| self.program.find_member(class, name).is_some())
    }

    /// `__new__` is called first, with the class.
    pub(super) fn make_by_new(&mut self, call: u32, class: TypeIndex) {
        let name = self.program.symbols.find("__new__");
        if let Some(place) = name.and_then(|name| self.program.find_member(class, name)) {
            self.note_made(call, class);
            self.attach_once(place, Constraint::Make(call, class));
        }
    }

    /// What a call of a class gives is of that class.
    fn note_made(&mut self, call: u32, class: TypeIndex) {
        if let Some(result) = self.call_results(call).first().copied() {
            let own = self.made_of_class.entry(result).or_insert(Some(class));
            *own = own.filter(|own| *own == class);
        }
    }

    /// Whether `__new__` is all that is called to make an instance.
    pub(super) fn is_made_by_new(&self, call: u32, class: TypeIndex) -> bool {
        let name = self.program.symbols.find("__new__");
        name.is_some_and(|name| self.program.find_member(class, name).is_some())
            && self.generated_fields(call, class).is_empty()
    }

    /// A function that makes what calling the class gives.
    pub(super) fn make(&mut self, call: u32, class: TypeIndex, object: ObjectId) {
        if let Object::Function(function) = self.objects.get(object) {
            let receiver = self.objects.intern(Object::Class(class));
            let target = Target::Function {
                function,
                receiver: Some(receiver),
                base: Some(self.calls[call as usize].callee),
            };
            self.add_target(call, target);
            // What a method of the metaclass hands on to the constructor is what it is given.
            if self.name_of(function) == "__call__" {
                if self.calls_one(function, "__call__") {
                    self.constructed_inside.insert((call, class));
                    self.make_instance(call, class);
                } else if self.calls_one(function, "__new__") {
                    self.make_instance(call, class);
                }
            }
        }
    }

    pub(super) fn name_of(&self, function: FunctionIndex) -> &str {
        let file = self.program.functions[function.at()].file;
        let name = self.program.function_facts(function).name;
        self.program.files[file.at()].facts.text(name)
    }

    /// Whether a call of this name stands in a function.
    fn calls_one(&self, function: FunctionIndex, name: &str) -> bool {
        let row = &self.program.functions[function.at()];
        let facts = &self.program.files[row.file.at()].facts;
        let mut own = facts.calls.iter().filter(|call| call.function == row.local);
        own.any(|call| facts.text(call.text).rsplit('.').next() == Some(name))
    }

    /// `super().__call__(…)` in a metaclass makes an instance of what is called, `object.__new__(cls)` one without its constructor.
    /// Whether that is all that it does.
    pub(super) fn made_by_type(&mut self, call: u32, name: Symbol) -> bool {
        let text = self.program.symbols.text(name);
        let (is_call, is_new) = (text == "type.__call__", text.ends_with(".__new__"));
        if !is_call && !is_new {
            return false;
        }
        let row = self.calls[call as usize].clone();
        let given = self.call_arguments(call).to_vec();
        let first = given.first().filter(|first| first.kind == ArgumentKind::Positional);
        // What can be called stands for the functions under it where it decorates: those themselves say more than one object for all.
        let owner = self.program.functions[row.function.at()].owner;
        let called = self.program.symbols.find("__call__");
        let is_called = |class| called.is_some_and(|name| self.program.find_member(class, name).is_some());
        // `object.__new__(cls)` and `cls.__new__(cls)` anywhere, `super().__new__(cls)` in a method of that name.
        let asked = self.program.symbols.text(row.text).strip_suffix(".__new__");
        let is_plain = asked.is_some_and(|class| !class.is_empty() && !class.contains('('));
        let makes_plain = owner.map_or(is_plain, |class| !is_called(class));
        if is_new && makes_plain && (is_plain || self.name_of(row.function) == "__new__") {
            let result = self.call_results(call).first().copied();
            if let (Some(class), Some(result)) = (first.and_then(|first| first.place), result) {
                self.attach(class, Constraint::InstanceOf(result));
                self.add_target(call, Target::External(name));
                return true;
            }
        }
        if is_new {
            return false;
        }
        // `type.__call__(cls, …)` names the class.
        let is_named = self.program.symbols.text(row.text) == "type.__call__";
        let (class, rest): (Option<PlaceIndex>, &[ArgumentRow]) = match is_named {
            true => (first.and_then(|first| first.place), given.get(1..).unwrap_or_default()),
            false => (row.receiver, &given),
        };
        let Some(class) = class else { return false };
        let is_spread =
            |argument: &ArgumentRow| matches!(argument.kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        let rest = if rest.iter().all(is_spread) { &[] } else { rest };
        if let Some(result) = self.call_results(call).first().copied() {
            self.attach(class, Constraint::InstanceOf(result));
        }
        let inner = CallRow {
            callee: class,
            receiver: None,
            targets: Vec::new(),
            ..row
        };
        self.made_plainly.insert(self.calls.len() as u32, (call, name));
        self.push_call(inner, rest, &[]);
        self.add_target(call, Target::Elsewhere);
        true
    }

    /// What makes no instance of a class of the index is a call of library code like any other.
    pub(super) fn make_unknown(&mut self) {
        let mut rows: Vec<_> = self.made_plainly.iter().map(|(inner, row)| (*inner, *row)).collect();
        rows.sort_unstable();
        for (inner, (call, name)) in rows {
            if self.calls[inner as usize].targets.is_empty() {
                self.add_target(call, Target::External(name));
            }
        }
    }

    /// Whether an object is of another class than the one that was called, made by the same metaclass or `__new__`.
    pub(super) fn is_of_another_call(&self, place: PlaceIndex, object: ObjectId) -> bool {
        let Some(called) = self.made_of_class.get(&place).copied().flatten() else {
            return false;
        };
        match self.objects.get(object) {
            Object::Instance(class) => {
                let is_below = self.program.types[class.at()].order.contains(&called);
                let name = self.program.symbols.find("__new__");
                let by_new = |class| name.and_then(|name| self.program.find_member(class, name));
                let by_meta = self.metaclass(class);
                let is_alike = by_meta.is_some() && by_meta == self.metaclass(called)
                    || by_new(class).is_some() && by_new(class) == by_new(called);
                !is_below && is_alike
            }
            _ => false,
        }
    }

    /// The class of a class, where the index holds it.
    pub(super) fn metaclass(&self, index: TypeIndex) -> Option<TypeIndex> {
        if self.metaclasses.is_empty() {
            return None;
        }
        let mut order = self.program.types[index.at()].order.iter();
        order.find_map(|base| self.metaclasses.get(base).copied())
    }

    /// Finds the classes of classes.
    pub(super) fn find_metaclasses(&mut self) {
        for index in 0..self.program.types.len() {
            let index = TypeIndex(index as u32);
            let Some(named) = self.program.type_facts(index).metaclass else {
                continue;
            };
            let file = self.program.types[index.at()].file;
            if let TypeExpression::Path { parts, function } = self.program.type_expression(file, named).clone()
                && let TypeMeaning::Type(meta) = self.program.type_named(file, function, &parts)
            {
                self.metaclasses.insert(index, meta);
            }
        }
    }

    /// A class below one that has a class of its own calls `__new__` and `__init__` of that, too: where it asks its bases.
    pub(super) fn tell_inherited_metaclasses(&mut self) {
        let Some(asks) = self.program.symbols.find("__init_subclass__") else {
            return;
        };
        if self.metaclasses.is_empty() {
            return;
        }
        let below: FxHashMap<PlaceIndex, TypeIndex> = self
            .loads
            .iter()
            .filter(|load| load.implicit && load.member == asks)
            .filter_map(|load| Some((load.to, load.after?)))
            .filter(|(_, class)| self.program.type_facts(*class).metaclass.is_none())
            .collect();
        for call in 0..self.calls.len() as u32 {
            let row = &self.calls[call as usize];
            let (callee, class, position) = (row.callee, row.receiver, row.position);
            let Some(meta) = below.get(&callee).and_then(|below| self.metaclass(*below)) else {
                continue;
            };
            let place = self.passing(call);
            let meta = self.objects.intern(Object::Class(meta));
            self.add(place, meta);
            let given = |place| ArgumentRow::positional(place, position);
            let [new, init, prepare] = ["__new__", "__init__", "__prepare__"].map(|method| {
                let callee = self.method_of(call, place, method);
                let receiver = (method != "__init__").then_some(place);
                let mut row = self.callback(call, callee, receiver);
                row.how = How::Implicit;
                row.text = self.program.symbols.intern(method);
                row
            });
            self.push_call(prepare, &[given(None), given(None)], &[]);
            self.push_call(new, &[given(None), given(None), given(None)], &[]);
            self.push_call(init, &[given(class), given(None), given(None), given(None)], &[]);
        }
    }

    /// The class of what arrives.
    pub(super) fn class_given(&mut self, object: ObjectId, to: PlaceIndex) {
        if let Object::Instance(index) | Object::AnyOf(index) = self.objects.get(object) {
            let class = self.objects.intern(Object::Class(index));
            self.add(to, class);
        }
    }

    /// An instance of the class that arrives.
    pub(super) fn instance_given(&mut self, object: ObjectId, to: PlaceIndex) {
        if let Object::Class(class) = self.objects.get(object) {
            self.instance_of(class, to);
        }
    }

    /// The classes that name the class that arrives as a base: `Plugin.__subclasses__()`.
    pub(super) fn subclasses_given(&mut self, object: ObjectId, to: PlaceIndex) {
        let Object::Class(class) = self.objects.get(object) else {
            return;
        };
        let below = self.program.types[class.at()].subtypes.clone();
        for own in below {
            let mut bases = self.program.types[own.at()].bases.iter();
            if bases.any(|base| *base == Base::Type(class)) {
                let own = self.objects.intern(Object::Class(own));
                self.add(to, own);
            }
        }
    }

    /// A class arrives of which an instance is made: of a metaclass, one of its classes.
    pub(super) fn instance_of(&mut self, class: TypeIndex, to: PlaceIndex) {
        let is_meta = self.metaclasses.values().any(|meta| *meta == class);
        if !is_meta {
            let instance = self.objects.intern(Object::Instance(class));
            return self.add(to, instance);
        }
        let all = (0..self.program.types.len() as u32).map(TypeIndex);
        let own: Vec<TypeIndex> = all.filter(|own| self.metaclass(*own) == Some(class)).collect();
        if own.len() > CLASS_LIMIT {
            return;
        }
        for class in own {
            let class = self.objects.intern(Object::Class(class));
            self.add(to, class);
        }
    }
}
