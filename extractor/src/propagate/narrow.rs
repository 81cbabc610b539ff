//! Tests of types: what passes `isinstance(x, C)`, and what does not.
//!
//! ```python
//! def show(shape: Shape):
//!     if isinstance(shape, (Circle, str)):
//!         draw(shape)      # a `Circle`, or a text
//!     else:
//!         draw(shape)      # neither
//! ```
//!
//! What a test asks for is a class of the index (`AnyOf`) or a library's (`External`). A name that is no class may be a variable
//! that holds one, and then the classes that arrive there count.

use rustc_hash::FxHashSet;

use super::object::{Object, ObjectId};
use super::solve::{Constraint, Solver};
use crate::builtins::is_plain_class;
use crate::facts::{self, ContainerKind, FieldKind, PlaceKind, TypeExpression, TypeExpressionId, TypeKind};
use crate::link::scope::TypeMeaning;
use crate::link::{DerivedPlace, FileIndex, Part, PlaceIndex, Symbol, TypeIndex};

/// What can be called, as a class.
const CALLABLE: &str = "collections.abc.Callable";

/// A [`facts::Narrowing`] in the program's numbers.
#[derive(Debug, Clone)]
pub(super) struct NarrowingRow {
    pub from: PlaceIndex,
    pub to: PlaceIndex,
    /// What is asked for.
    pub asked: Asked,
    /// The classes that are asked for.
    pub classes: Vec<ObjectId>,
    /// Variables that hold more of them.
    pub named: Vec<PlaceIndex>,
    /// Something is asked for that nobody knows.
    pub unknown: bool,
    /// Whether what passes goes on, or what does not.
    pub holds: bool,
    /// What it is where nothing is known of what is tested.
    pub declared: Vec<ObjectId>,
}

/// What a test asks of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// To be of one of the classes.
    Class,
    /// To be of one of them, and of none below it.
    Exactly,
    /// To have this member.
    Member(Symbol),
    /// That this call ends, once that is known.
    End(u32),
    /// That something lacks this member, once that is known.
    Lacks(Symbol),
}

impl Solver<'_> {
    pub(super) fn narrowing_row(
        &mut self,
        file: FileIndex,
        (from, to): (PlaceIndex, PlaceIndex),
        narrowing: &facts::Narrowing,
        named: Vec<PlaceIndex>,
    ) -> NarrowingRow {
        let mut classes = Vec::new();
        let (asked, class) = match narrowing.test {
            facts::Test::Class(class) => (Asked::Class, Some(class)),
            facts::Test::Exactly(class) => (Asked::Exactly, Some(class)),
            facts::Test::Member(member) => (Asked::Member(self.program.symbol(file, member)), None),
            facts::Test::Lacks(member) => (Asked::Lacks(self.program.symbol(file, member)), None),
            facts::Test::End(call) => (Asked::End(self.calls.len() as u32 + call), None),
        };
        let known = class.is_none_or(|class| self.classes_asked_for(file, class, &mut classes));
        let declared = match class.filter(|_| narrowing.holds) {
            Some(class) => self.type_objects(file, class),
            None => Vec::new(),
        };
        let is_of_named = matches!(asked, Asked::Lacks(_));
        let named = if known && !is_of_named { Vec::new() } else { named };
        NarrowingRow {
            from,
            to,
            asked,
            classes,
            unknown: !known && named.is_empty(),
            named,
            holds: narrowing.holds,
            declared,
        }
    }

    pub(super) fn push_narrowing(&mut self, row: NarrowingRow) {
        let index = self.narrowings.len() as u32;
        let (from, named) = (row.from, row.named.clone());
        if let Asked::End(call) = row.asked {
            self.waiting.entry(call).or_default().push(index);
        }
        self.narrowings.push(row);
        self.attach(from, Constraint::Narrow(index));
        for place in named {
            self.attach(place, Constraint::NarrowBy(index));
        }
    }

    /// The place to put something in for what passes these tests to arrive at `to`.
    pub(super) fn behind_tests(&mut self, call: u32, tests: &[u32], to: PlaceIndex) -> PlaceIndex {
        let function = self.calls[call as usize].function;
        let mut to = to;
        for test in tests.iter().rev() {
            let from = self.derive_place(DerivedPlace::Passing(function));
            let row = NarrowingRow {
                from,
                to,
                declared: Vec::new(),
                ..self.narrowings[*test as usize].clone()
            };
            self.push_narrowing(row);
            to = from;
        }
        to
    }

    /// Something arrives that is tested.
    pub(super) fn narrow(&mut self, narrowing: u32, object: ObjectId) {
        let row = &self.narrowings[narrowing as usize];
        let (from, to, holds, asked) = (row.from, row.to, row.holds, row.asked);
        self.note_tested(from, to, object);
        match asked {
            Asked::End(call) => {
                if self.ended.contains(&call) {
                    self.add(to, object);
                }
            }
            Asked::Lacks(_) => {
                if self.lacking.contains(&narrowing) {
                    self.add(to, object);
                }
            }
            Asked::Member(member) => {
                if self.may_answer(object, member, holds) {
                    self.add(to, object);
                }
            }
            Asked::Exactly if !matches!(self.objects.get(object), Object::Instance(_)) && !holds => {
                if !matches!(self.objects.get(object), Object::AnyOf(_)) {
                    self.narrow_by_class(narrowing, object);
                } else {
                    self.add(to, object);
                }
            }
            Asked::Exactly | Asked::Class => self.narrow_by_class(narrowing, object),
        }
    }

    fn narrow_by_class(&mut self, narrowing: u32, object: ObjectId) {
        let row = self.narrowings[narrowing as usize].clone();
        let exactly = row.asked == Asked::Exactly;
        if let (Object::Instance(own), true) = (self.objects.get(object), exactly) {
            let itself = self.objects.intern(Object::AnyOf(own));
            if row.unknown || !row.named.is_empty() || row.classes.contains(&itself) == row.holds {
                self.add(row.to, object);
            }
            return;
        }
        if !row.holds {
            if !row.classes.iter().any(|class| self.is_surely(object, *class)) {
                self.add(row.to, object);
            }
            return;
        }
        if row.unknown {
            self.add(row.to, object);
        }
        for class in row.classes {
            self.pass_test(row.to, object, class);
        }
        for place in row.named {
            for class in self.contents(place).to_vec() {
                self.pass_variable(row.to, object, class);
            }
        }
    }

    /// Whether an object may have a member, or may lack it.
    fn may_answer(&self, object: ObjectId, member: Symbol, has: bool) -> bool {
        let index = match self.objects.get(object) {
            Object::Instance(index) | Object::AnyOf(index) => index,
            Object::External(name) => {
                let (name, member) = (self.program.symbols.text(name), self.program.symbols.text(member));
                return crate::builtins::has_member(name, member).is_none_or(|known| known == has);
            }
            _ => return true,
        };
        let is_field = |place| {
            self.program
                .member_of(place)
                .is_some_and(|member| member.field.is_some())
        };
        let found = |index: TypeIndex| self.program.find_member(index, member);
        if !has {
            // A field may not be set yet.
            return found(index).is_none_or(|place| is_field(place) && !self.is_always_set(index, place));
        }
        let may_have = |index: TypeIndex| {
            found(index).is_some() || self.program.types[index.at()].open || self.has(index, "__getattr__")
        };
        let is_declared = matches!(self.objects.get(object), Object::AnyOf(_));
        let mut subtypes = self.program.types[index.at()].subtypes.iter().filter(|_| is_declared);
        may_have(index) || subtypes.any(|subtype| may_have(*subtype))
    }

    /// Whether every instance of a class has a field from when it was made.
    fn is_always_set(&self, index: TypeIndex, field: PlaceIndex) -> bool {
        let Some(member) = self.program.member_of(field) else {
            return false;
        };
        let declared = member.declared.map(|own| own as usize);
        let row = declared.and_then(|own| self.program.type_facts(member.owner).fields.get(own));
        if !row.is_some_and(|row| row.is_always_set) {
            return false;
        }
        if member.field == Some(FieldKind::ClassAttribute) || member.owner == index {
            return true;
        }
        // A constructor of its own may not call that of its base.
        let constructor = self.program.symbols.find("__init__");
        let constructor = constructor.and_then(|name| self.program.find_member(index, name));
        constructor
            .and_then(|place| self.program.member_of(place))
            .is_some_and(|own| own.owner == member.owner)
    }

    /// Whether something may lack a member for which another value stands in.
    fn may_lack(&self, object: ObjectId, member: Symbol) -> bool {
        match self.objects.get(object) {
            Object::Instance(_) | Object::AnyOf(_) | Object::External(_) => self.may_answer(object, member, false),
            Object::Class(index) => self.program.find_member(index, member).is_none_or(|place| {
                let field = self.program.member_of(place).and_then(|member| member.field);
                match field {
                    Some(FieldKind::ClassAttribute) => !self.is_always_set(index, place),
                    field => field.is_some(),
                }
            }),
            _ => true,
        }
    }

    /// What stands in for a member goes on.
    fn note_lack(&mut self, narrowing: u32) {
        if self.lacking.insert(narrowing) {
            let row = &self.narrowings[narrowing as usize];
            let (from, to) = (row.from, row.to);
            for object in self.contents(from).to_vec() {
                self.add(to, object);
            }
        }
    }

    /// Where nothing comes that only stands in for what is always there.
    pub(super) fn never_missing(&self) -> FxHashSet<PlaceIndex> {
        let rows = self.narrowings.iter().enumerate();
        let closed = rows
            .filter(|(index, row)| matches!(row.asked, Asked::Lacks(_)) && !self.lacking.contains(&(*index as u32)));
        closed.map(|(_, row)| row.to).collect()
    }

    /// A call may end: what waits for that goes on.
    pub(super) fn note_end(&mut self, call: u32) {
        if !self.waiting.contains_key(&call) || !self.ended.insert(call) {
            return;
        }
        for narrowing in self.waiting.get(&call).cloned().unwrap_or_default() {
            let row = &self.narrowings[narrowing as usize];
            let (from, to) = (row.from, row.to);
            for object in self.contents(from).to_vec() {
                self.add(to, object);
            }
        }
    }

    /// Calls of which nothing is known are taken to end; members that came to be known since are looked for again.
    pub(super) fn narrow_late(&mut self) {
        let mut calls: Vec<u32> = self.waiting.keys().copied().collect();
        calls.sort_unstable();
        for call in calls {
            if self.calls[call as usize].targets.is_empty() {
                self.note_end(call);
            }
        }
        for index in 0..self.narrowings.len() as u32 {
            let row = &self.narrowings[index as usize];
            if let Asked::Lacks(member) = row.asked {
                let is_unknown = row.named.iter().all(|base| self.contents(*base).is_empty());
                if is_unknown || self.members_added.contains(&member) {
                    self.note_lack(index);
                }
                continue;
            }
            if matches!(row.asked, Asked::Member(member) if self.members_added.contains(&member)) {
                for object in self.contents(row.from).to_vec() {
                    self.narrow(index, object);
                }
            }
        }
    }

    /// Something arrives at a variable that stands for a class in a test.
    pub(super) fn narrow_by(&mut self, narrowing: u32, class: ObjectId) {
        let row = &self.narrowings[narrowing as usize];
        if let Asked::Lacks(member) = row.asked {
            if self.may_lack(class, member) {
                self.note_lack(narrowing);
            }
            return;
        }
        if !row.holds {
            return;
        }
        let (from, to) = (row.from, row.to);
        if let Object::Container { .. } = self.objects.get(class) {
            // `KINDS = (Circle, Square)`.
            let all = self.element(class, Part::All);
            return self.attach_once(all, Constraint::NarrowBy(narrowing));
        }
        for object in self.contents(from).to_vec() {
            self.pass_variable(to, object, class);
        }
        // Parts of containers are asked for by what arrives later, too.
        let asked = match self.objects.get(class) {
            Object::Class(index) => self.objects.intern(Object::AnyOf(index)),
            _ => class,
        };
        let classes = &mut self.narrowings[narrowing as usize].classes;
        if !classes.contains(&asked) {
            classes.push(asked);
        }
    }

    fn pass_variable(&mut self, to: PlaceIndex, object: ObjectId, class: ObjectId) {
        match self.objects.get(class) {
            Object::Class(index) => {
                let class = self.objects.intern(Object::AnyOf(index));
                self.pass_test(to, object, class);
            }
            Object::External(_) => self.pass_test(to, object, class),
            Object::Container { .. } => {}
            _ => self.add(to, object),
        }
    }

    /// An object of that class goes on; what is declared wider is of that class from there on.
    fn pass_test(&mut self, to: PlaceIndex, object: ObjectId, class: ObjectId) {
        let order = |solver: &Self, index: TypeIndex| solver.program.types[index.at()].order.clone();
        let passes = match (self.objects.get(object), self.objects.get(class)) {
            (Object::Instance(own), Object::AnyOf(wanted)) => {
                order(self, own).contains(&wanted) || self.conforms(own, wanted)
            }
            (Object::AnyOf(own), Object::AnyOf(wanted)) => {
                if order(self, wanted).contains(&own) && own != wanted {
                    self.add(to, class);
                    return;
                }
                let is_one = order(self, own).contains(&wanted) || self.conforms(own, wanted);
                for subtype in self.program.types[own.at()].subtypes.clone() {
                    // A class that is both.
                    if !is_one && order(self, subtype).contains(&wanted) {
                        let both = self.objects.intern(Object::AnyOf(subtype));
                        self.add(to, both);
                    }
                }
                is_one
            }
            (_, Object::AnyOf(wanted)) => self.is_container_of(object, wanted),
            (_, Object::External(name)) => {
                let name = self.program.symbols.text(name).to_owned();
                self.may_be(object, &name)
            }
            _ => true,
        };
        if passes {
            self.add(to, object);
        }
    }

    /// Whether an object may be of a library's class.
    pub(super) fn may_be(&self, object: ObjectId, class: &str) -> bool {
        let is_plain = is_plain_class(class);
        let is_abstract = class.starts_with("typing.") || class.starts_with("collections.abc.");
        let last = class.rsplit('.').next().unwrap_or(class);
        match self.objects.get(object) {
            Object::Instance(own) => self.derives(own, class),
            Object::AnyOf(own) => {
                let subtypes = &self.program.types[own.at()].subtypes;
                self.derives(own, class) || subtypes.iter().any(|subtype| self.derives(*subtype, class))
            }
            Object::Container { kind, .. } if is_plain => match kind {
                ContainerKind::Map => class == "dict",
                ContainerKind::Set => matches!(class, "set" | "frozenset"),
                ContainerKind::Tuple => class == "tuple",
                ContainerKind::List => matches!(class, "list" | "tuple"),
                ContainerKind::Row => matches!(class, "tuple" | "dict"),
                ContainerKind::Table => matches!(class, "list" | "dict"),
                ContainerKind::Generator | ContainerKind::Channel => false,
            },
            Object::Typed { .. } if is_plain => {
                matches!(class, "list" | "dict" | "tuple" | "set" | "frozenset" | "range")
            }
            Object::Container { .. } | Object::Typed { .. } => class.starts_with("collections.") || is_abstract,
            Object::External(own) => {
                let own = self.program.symbols.text(own);
                own == class || !(is_plain && is_plain_class(own)) || own == "bool" && class == "int"
            }
            Object::Class(_) if is_plain => class == "type",
            Object::Function(_)
            | Object::Bound { .. }
            | Object::Callable(_)
            | Object::Partial(_)
            | Object::Taken { .. } => !is_plain && (!is_abstract || matches!(last, "Callable" | "Hashable")),
            _ => !is_plain,
        }
    }

    /// Whether instances of a class of the index may be of a library's class.
    pub(super) fn derives(&self, own: TypeIndex, class: &str) -> bool {
        let last = class.rsplit('.').next().unwrap_or(class);
        if class.starts_with("typing.") || class.starts_with("collections.abc.") {
            let asked = match last {
                "Hashable" => return true,
                "Callable" => "__call__",
                "Iterable" => "__iter__",
                "Iterator" => "__next__",
                "Sized" => "__len__",
                "Container" => "__contains__",
                "Awaitable" => "__await__",
                "AsyncIterable" => "__aiter__",
                "AsyncIterator" => "__anext__",
                _ => return self.program.types[own.at()].open,
            };
            return self.has(own, asked) || self.program.types[own.at()].open;
        }
        self.external_bases(own).any(|base| may_derive(base, class))
    }

    /// Whether an object cannot but be of a class.
    fn is_surely(&self, object: ObjectId, class: ObjectId) -> bool {
        match (self.objects.get(object), self.objects.get(class)) {
            (Object::Instance(own) | Object::AnyOf(own), Object::AnyOf(wanted)) => {
                self.program.types[own.at()].order.contains(&wanted)
            }
            (held, Object::External(name)) => {
                let class = self.program.symbols.text(name);
                match held {
                    Object::Instance(own) | Object::AnyOf(own) => self.external_bases(own).any(|base| base == class),
                    Object::External(own) => own == name && is_plain_class(class) && class != "type",
                    Object::Container { kind, site } => match kind {
                        ContainerKind::Map => class == "dict",
                        ContainerKind::Set => class == "set",
                        ContainerKind::Tuple => class == "tuple",
                        ContainerKind::List if self.is_rest(site) => class == "tuple",
                        ContainerKind::List => class == "list",
                        ContainerKind::Generator
                        | ContainerKind::Channel
                        | ContainerKind::Row
                        | ContainerKind::Table => false,
                    },
                    Object::Class(_) => class == "type" || class == CALLABLE,
                    Object::Function(_) | Object::Bound { .. } | Object::Partial(_) | Object::Taken { .. } => {
                        class == CALLABLE
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a container is what a parameter gathers.
    fn is_rest(&self, site: PlaceIndex) -> bool {
        self.program.place_kind(site) == Some(PlaceKind::Parameter)
    }

    /// Where nothing is known of what passes a test, it is of the types that it is tested for; where nothing is known of
    /// those, all of it passes.
    pub(super) fn narrow_unknown(&mut self) {
        for index in 0..self.narrowings.len() {
            let row = self.narrowings[index].clone();
            if !row.holds || matches!(row.asked, Asked::Member(_) | Asked::End(_) | Asked::Lacks(_)) {
                continue;
            }
            let is_asked = !row.classes.is_empty() || row.named.iter().any(|place| !self.contents(*place).is_empty());
            if !row.unknown && !is_asked {
                self.copy(row.from, row.to);
            }
            // What library code gives may be of any of them.
            let is_known = |(_, object): (_, Object)| !matches!(object, Object::External(_) | Object::AnyExternal(_));
            if !self.held(row.to).any(is_known) {
                for class in row.declared {
                    self.add(row.to, class);
                }
            }
        }
    }

    /// The classes that an expression names; whether all of them are known.
    fn classes_asked_for(&mut self, file: FileIndex, id: TypeExpressionId, found: &mut Vec<ObjectId>) -> bool {
        match self.program.type_expression(file, id).clone() {
            TypeExpression::Union(sides) => {
                let mut known = !sides.is_empty();
                for side in sides {
                    known &= self.classes_asked_for(file, side, found);
                }
                known
            }
            TypeExpression::Function { .. } => {
                found.push(self.external(CALLABLE));
                true
            }
            TypeExpression::Generic(head, _) => self.classes_asked_for(file, head, found),
            TypeExpression::Path { parts, function } => {
                let class = match self.program.type_named(file, function, &parts) {
                    TypeMeaning::Type(index) if self.program.type_facts(index).kind == TypeKind::Alias => return false,
                    TypeMeaning::Type(index) => Object::AnyOf(index),
                    TypeMeaning::External(name) => Object::External(name),
                    _ => {
                        let [name] = parts.as_slice() else { return false };
                        let name = self.program.symbol(file, *name);
                        let text = self.program.symbols.text(name);
                        let is_class = is_plain_class(text) || text.starts_with(char::is_uppercase);
                        if !is_class || !crate::builtins::is_builtin(self.program.files[file.at()].language, text) {
                            return false;
                        }
                        Object::External(name)
                    }
                };
                let class = self.objects.intern(class);
                found.push(class);
                true
            }
            TypeExpression::Local(local) => {
                let index = self.program.type_index(file, local);
                let class = self.objects.intern(Object::AnyOf(index));
                found.push(class);
                true
            }
            _ => false,
        }
    }
}

/// Whether a class with this base may be one that is asked for.
fn may_derive(base: &str, class: &str) -> bool {
    if base == class {
        return true;
    }
    let last = base.rsplit('.').next().unwrap_or(base);
    match last {
        "object" | "ABC" | "Generic" | "Protocol" => false,
        "NamedTuple" => class == "tuple",
        "OrderedDict" | "defaultdict" | "Counter" | "TypedDict" => class == "dict" || !is_plain_class(class),
        "Enum" | "Flag" => !is_plain_class(class),
        "IntEnum" | "IntFlag" => class == "int" || !is_plain_class(class),
        _ if is_plain_class(base) => false,
        _ if base.starts_with("typing.") || base.starts_with("collections.abc.") => !is_plain_class(class),
        // Exceptions are no texts and no containers.
        _ if last.ends_with("Error") || last.ends_with("Exception") || last.ends_with("Warning") => {
            !is_plain_class(class)
        }
        _ => true,
    }
}
