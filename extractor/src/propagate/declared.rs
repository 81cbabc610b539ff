//! What a declared type keeps out: `width: int` holds no `Layout`, however one came to be passed there.
//!
//! ```python
//! def pad(width: int, style: Union[str, Style], label: Labelled): …
//! ```
//!
//! `width` takes no instance of a class of the index, `style` none but a `Style`. `label`, if `Labelled` is a `Protocol`, takes
//! anything, and so does whatever is declared with a type that is not known to the last part.
//!
//! `self` is declared by where it stands: what calls the functions of many classes alike (`self.function(owner)` in a descriptor, the
//! wrapper of a decorator) gives each of them an object of its own class.

use rustc_hash::FxHashMap;

use super::object::{Object, ObjectId};
use super::solve::Solver;
use crate::facts::{self, Binding, TypeExpression, TypeExpressionId, TypeKind};
use crate::link::scope::TypeMeaning;
use crate::link::{FileIndex, PlaceIndex, Symbol, TypeIndex};

/// What may be in a place that is declared so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Allowed {
    /// Instances of a class of the index.
    Class(TypeIndex),
    /// Instances of a class of the language.
    Library(Symbol),
    /// What has parts.
    Parts,
    /// What can be called.
    Calls,
    /// Functions with as many parameters and results: where types are kept, no others come.
    Shape(u32, u32),
    /// What a method of a class may be called on.
    Receiver(TypeIndex),
}

/// What declared types keep out.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// By number, see [`super::solve::Slot::declared`]; 0 keeps nothing out.
    lists: Vec<Vec<Allowed>>,
    ids: FxHashMap<Vec<Allowed>, u32>,
    known: FxHashMap<(u32, ObjectId), bool>,
    /// What is declared with a generic type, by the whole type, and each of its arguments.
    pub(super) arguments: Vec<(FileIndex, facts::PlaceId, (TypeExpressionId, TypeExpressionId))>,
}

impl Solver<'_> {
    /// Notes what each declared place of a file takes.
    pub(super) fn note_declared(&mut self, file: FileIndex, facts: &facts::FileFacts) {
        for (place, declared) in &facts.declared {
            self.note_type_arguments(file, *place, *declared);
            let place = self.program.place(file, *place);
            if self.gathering(place).is_empty() {
                self.keep_out(file, place, *declared);
            }
        }
        for (member, declared) in self.program.declared_fields(file) {
            self.keep_out(file, member, declared);
        }
        for function in &facts.functions {
            let first = function.parameters.first();
            if let (Some(owner), Some(first), Binding::Instance) = (function.owner, first, function.binding)
                && function.receiver.is_none()
                && facts.text(first.name) == "self"
            {
                let place = self.program.place(file, first.place);
                let owner = self.program.type_index(file, owner);
                if self.slots[place.at()].declared == 0 {
                    self.allow(place, vec![Allowed::Receiver(owner)]);
                }
            }
        }
    }

    fn note_type_arguments(&mut self, file: FileIndex, place: facts::PlaceId, declared: TypeExpressionId) {
        if self.untyped.contains(&file) {
            return;
        }
        let whole = match self.program.type_expression(file, declared) {
            TypeExpression::Pointer(inner) => *inner,
            _ => declared,
        };
        if let TypeExpression::Generic(_, given) = self.program.type_expression(file, whole).clone() {
            self.type_objects(file, whole);
            for given in given {
                self.type_objects(file, given);
                self.declared.arguments.push((file, place, (whole, given)));
            }
        }
    }

    /// The classes that a place is declared with.
    pub(super) fn declared_classes(&self, place: PlaceIndex) -> impl Iterator<Item = TypeIndex> {
        let list = self.declared.lists.get(self.slots[place.at()].declared as usize);
        list.into_iter().flatten().filter_map(|allowed| match allowed {
            Allowed::Class(class) => Some(*class),
            _ => None,
        })
    }

    /// What a method is called on, it is called on, be it that another class took it over.
    pub(super) fn allow_receiver(&mut self, place: PlaceIndex, receiver: ObjectId) {
        let list = self.declared.lists.get(self.slots[place.at()].declared as usize);
        let is_receiver = list.is_some_and(|list| matches!(list.as_slice(), [Allowed::Receiver(_)]));
        if is_receiver && !self.takes(place, receiver) {
            self.slots[place.at()].declared = 0;
        }
    }

    /// A place has a structure in it, or a pointer to one, and no other, though that is nowhere written.
    pub(super) fn allow_structure(&mut self, place: PlaceIndex, structure: TypeIndex) {
        if self.slots[place.at()].declared == 0 {
            self.allow(place, vec![Allowed::Class(structure)]);
        }
    }

    fn keep_out(&mut self, file: FileIndex, place: PlaceIndex, declared: TypeExpressionId) {
        let mut allowed = Vec::new();
        if !self.allowed_by((file, declared), &mut allowed, 0) || allowed.is_empty() {
            return;
        }
        self.allow(place, allowed);
    }

    fn allow(&mut self, place: PlaceIndex, mut allowed: Vec<Allowed>) {
        allowed.sort_unstable();
        allowed.dedup();
        let list = match self.declared.ids.get(&allowed) {
            Some(list) => *list,
            None => {
                // List 0 keeps nothing out.
                self.declared
                    .lists
                    .resize_with(self.declared.lists.len().max(1), Vec::new);
                let list = self.declared.lists.len() as u32;
                self.declared.lists.push(allowed.clone());
                self.declared.ids.insert(allowed, list);
                list
            }
        };
        self.slots[place.at()].declared = list;
    }

    /// What a type takes; whether all of it is known.
    fn allowed_by(
        &mut self,
        (file, id): (FileIndex, TypeExpressionId),
        allowed: &mut Vec<Allowed>,
        depth: u32,
    ) -> bool {
        /// How deep names of types stand for each other.
        const DEPTH_LIMIT: u32 = 3;
        match self.program.type_expression(file, id).clone() {
            TypeExpression::Union(sides) => sides
                .into_iter()
                .all(|side| self.allowed_by((file, side), allowed, depth)),
            TypeExpression::Generic(inner, _) | TypeExpression::Pointer(inner) => {
                self.allowed_by((file, inner), allowed, depth)
            }
            TypeExpression::Container { .. } | TypeExpression::Tuple(_) => {
                allowed.push(Allowed::Parts);
                true
            }
            TypeExpression::Function { parameters, results } => {
                allowed.push(match parameters {
                    Some(parameters) => Allowed::Shape(parameters.len() as u32, results.len() as u32),
                    None => Allowed::Calls,
                });
                true
            }
            TypeExpression::Path { parts, function } => match self.program.type_named(file, function, &parts) {
                // A named function type takes what it is another name for.
                TypeMeaning::Type(index) if let Some((file, under)) = self.function_under(index) => {
                    self.allowed_by((file, under), allowed, depth + 1)
                }
                TypeMeaning::Type(index) => {
                    let is_class = self.program.type_facts(index).kind.is_class() || self.is_structure(index);
                    let is_protocol = self.external_bases(index).any(|base| base.ends_with("Protocol"));
                    allowed.push(Allowed::Class(index));
                    // Which of two is meant, a condition decides.
                    is_class && !is_protocol && !self.program.is_defined_twice(index)
                }
                TypeMeaning::Alias(file, named) => {
                    depth < DEPTH_LIMIT && self.allowed_by((file, named), allowed, depth + 1)
                }
                TypeMeaning::Unknown => {
                    let [name] = parts.as_slice() else { return false };
                    let name = self.program.symbol(file, *name);
                    let text = self.program.symbols.text(name);
                    if text == "None" {
                        return true;
                    }
                    let is_exception = text.ends_with("Error") || text.ends_with("Exception");
                    if !crate::builtins::is_plain_class(text) && !is_exception
                        || text == "type"
                        || !crate::builtins::is_builtin(self.program.files[file.at()].language, text)
                    {
                        return false;
                    }
                    allowed.push(Allowed::Library(name));
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a place is declared with subtypes of what is only declared itself: the wider type says nothing there.
    pub(super) fn is_declared_below(&self, place: PlaceIndex, object: ObjectId) -> bool {
        let Object::AnyOf(wider) = self.objects.get(object) else {
            return false;
        };
        let list = self.declared.lists.get(self.slots[place.at()].declared as usize);
        let is_below = |allowed: &Allowed| match allowed {
            Allowed::Class(class) => *class != wider && self.is_narrower(Object::Instance(*class), wider),
            _ => false,
        };
        let is_own = |allowed: &Allowed| *allowed == Allowed::Class(wider);
        list.is_some_and(|list| list.iter().any(is_below) && !list.iter().any(is_own))
    }

    /// Whether a place takes an object.
    pub(super) fn takes(&mut self, place: PlaceIndex, object: ObjectId) -> bool {
        let list = self.slots[place.at()].declared;
        if list == 0 {
            return true;
        }
        if let Some(known) = self.declared.known.get(&(list, object)) {
            return *known;
        }
        let takes = self.fits(&self.declared.lists[list as usize], object);
        self.declared.known.insert((list, object), takes);
        takes
    }

    fn fits(&self, allowed: &[Allowed], object: ObjectId) -> bool {
        if let [Allowed::Receiver(class)] = allowed {
            return self.may_be_receiver(*class, object);
        }
        match self.objects.get(object) {
            // A structure is of its type and of no other.
            Object::Instance(own) if self.is_structure(own) => {
                let structures = allowed.iter().filter_map(|allowed| match allowed {
                    Allowed::Class(wanted) if self.is_structure(*wanted) => Some(*wanted),
                    _ => None,
                });
                let mut structures = structures.peekable();
                structures.peek().is_none() || structures.any(|wanted| wanted == own)
            }
            Object::Instance(own) | Object::AnyOf(own) => {
                !self.is_class(own)
                    || self.has(own, "__get__")
                    || allowed.iter().any(|allowed| self.is_allowed(own, object, *allowed))
            }
            // `location: str = header("Location")`: what it gives is a text.
            Object::Function(function) if self.properties_made.contains_key(&function) => true,
            Object::Function(_) | Object::Bound { .. } | Object::Partial(_) | Object::Taken { .. } => {
                let is_kept_out = |allowed: &Allowed| match allowed {
                    Allowed::Shape(parameters, results) => {
                        let shape = self.shape_of(object);
                        shape.is_some_and(|shape| shape != (*parameters, *results))
                    }
                    allowed => self.takes_no_function(*allowed),
                };
                !allowed.iter().all(is_kept_out)
            }
            Object::Container { .. } | Object::Typed { .. } | Object::Package(_) => {
                !allowed.iter().all(|allowed| self.takes_scalars(*allowed))
            }
            // What library code gives, of which no more is known, is no structure of the index: that would be told.
            Object::External(_) | Object::AnyExternal(_) => !allowed
                .iter()
                .all(|allowed| matches!(allowed, Allowed::Class(wanted) if self.is_structure(*wanted))),
            _ => true,
        }
    }

    /// Whether a method of a class may have an object as its receiver.
    fn may_be_receiver(&self, class: TypeIndex, id: ObjectId) -> bool {
        match self.objects.get(id) {
            Object::Instance(own) | Object::AnyOf(own) => {
                let is_one = !self.is_class(own) || self.is_allowed(own, id, Allowed::Class(class));
                is_one || !self.has_known_bases(own)
            }
            Object::Class(own) => self.metaclass(own).is_some() || !self.has_known_bases(own),
            Object::Container { .. } | Object::Typed { .. } if self.is_container_class(class) => {
                self.is_container_of(id, class)
            }
            Object::Container { .. } | Object::Typed { .. } => self.program.types[class.at()].open,
            Object::External(_) | Object::AnyExternal(_) => true,
            _ => false,
        }
    }

    /// Whether all that a class stands on is in the index, or comes with the language.
    fn has_known_bases(&self, own: TypeIndex) -> bool {
        let order = &self.program.types[own.at()].order;
        let are_found = order.iter().all(|base| {
            let found = self.program.types[base.at()].bases.len();
            found >= self.program.type_facts(*base).bases.len()
        });
        let language = self.program.type_language(own);
        let comes_along = |name: &str| {
            let package = name.split('.').next().unwrap_or(name);
            crate::builtins::is_builtin(language, name)
                || matches!(
                    package,
                    "abc" | "collections" | "enum" | "types" | "typing" | "typing_extensions"
                )
        };
        are_found && self.external_bases(own).all(comes_along)
    }

    fn is_allowed(&self, own: TypeIndex, object: ObjectId, allowed: Allowed) -> bool {
        let open = self.program.types[own.at()].open;
        match allowed {
            Allowed::Class(wanted) => {
                let fits = |own: TypeIndex| self.program.types[own.at()].order.contains(&wanted);
                let subtypes = &self.program.types[own.at()].subtypes;
                let is_wide = matches!(self.objects.get(object), Object::AnyOf(_));
                fits(own) || is_wide && subtypes.iter().any(|subtype| fits(*subtype))
            }
            Allowed::Library(name) => self.may_be(object, self.program.symbols.text(name)),
            Allowed::Parts => {
                open || self.has(own, "__iter__") || self.has(own, "__getitem__") || self.has(own, "__aiter__")
            }
            Allowed::Calls | Allowed::Shape(..) => open || self.has(own, "__call__"),
            Allowed::Receiver(class) => self.may_be_receiver(class, object),
        }
    }

    /// Whether what is declared so is never a function: a scalar, or an object of a class that is known to the last base. (A
    /// `Protocol` with a `__call__` takes functions, and what a class of a library is, is not known.)
    fn takes_no_function(&self, allowed: Allowed) -> bool {
        match allowed {
            Allowed::Class(class) => self.is_class(class) && self.has_known_bases(class),
            allowed => self.takes_scalars(allowed),
        }
    }

    /// The function type that a named type is.
    fn function_under(&self, index: TypeIndex) -> Option<(FileIndex, TypeExpressionId)> {
        let facts = self.program.type_facts(index);
        let named = facts.underlying.filter(|_| facts.kind == TypeKind::Named)?;
        let file = self.program.types[index.at()].file;
        let is_function = matches!(
            self.program.type_expression(file, named),
            TypeExpression::Function { .. }
        );
        is_function.then_some((file, named))
    }

    /// How many parameters and results a function has as a value: a method that is bound to nothing takes its receiver as one more.
    fn shape_of(&self, object: ObjectId) -> Option<(u32, u32)> {
        let (function, is_bound) = match self.objects.get(object) {
            Object::Function(function) => (function, false),
            Object::Bound { function, .. } => (function, true),
            _ => return None,
        };
        let facts = self.program.function_facts(function);
        let receiver = u32::from(facts.receiver_type.is_some() && !is_bound);
        Some((facts.parameters.len() as u32 + receiver, facts.results.len() as u32))
    }

    /// Whether what is declared so is a value without parts.
    fn takes_scalars(&self, allowed: Allowed) -> bool {
        matches!(allowed, Allowed::Library(name) if is_scalar(self.program.symbols.text(name)))
    }

    fn is_structure(&self, index: TypeIndex) -> bool {
        self.program.type_facts(index).kind == TypeKind::Struct
    }

    pub(super) fn has(&self, own: TypeIndex, member: &str) -> bool {
        let member = self.program.symbols.find(member);
        member.is_some_and(|member| self.program.find_member(own, member).is_some())
    }

    /// The place to put something in for what `first` and `last` take to arrive at `to`.
    pub(super) fn behind_declared(&mut self, call: u32, declared: [PlaceIndex; 2], to: PlaceIndex) -> PlaceIndex {
        let mut to = to;
        for place in declared {
            let list = self.slots[place.at()].declared;
            if list != 0 {
                let function = self.calls[call as usize].function;
                let before = self.derive_place(crate::link::DerivedPlace::Passing(function));
                self.slots[before.at()].declared = list;
                self.copy(before, to);
                to = before;
            }
        }
        to
    }
}

fn is_scalar(name: &str) -> bool {
    matches!(name, "str" | "bytes" | "int" | "float" | "bool" | "complex")
}
