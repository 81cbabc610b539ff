//! Types that generic types are given: `Stack[Word]` is a `Stack` whose `T` is `Word`.
//!
//! ```go
//! type Stack[T Cell] struct{ items []T }
//! func (s *Stack[T]) Top() string { return s.items[0].Show() }   // `T` is whatever comes here, or any `Stack` is given
//! words := Stack[Word]{}
//! words.Pop().Show()                                             // and what this one gives is a `Word`
//! ```

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::generics::Bound;
use super::object::{Object, ObjectId};
use super::solve::Solver;
use crate::facts::{self, FunctionId, Name, PlaceId, PlaceKind, TypeExpression, TypeExpressionId, TypeKind};
use crate::link::scope::{Meaning, TypeMeaning};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol, TypeIndex};

/// Most objects that a parameter of a generic type stands for.
const GIVEN_LIMIT: usize = 40;

/// How far the type of a place is looked for.
const DEPTH_LIMIT: u8 = 6;

/// A parameter of a generic type, by its position.
type Parameter = (TypeIndex, u32);

/// What generic types are given.
#[derive(Debug, Default)]
pub(super) struct Instantiations {
    given: FxHashMap<Parameter, Vec<ObjectId>>,
    /// Places whose declared types name a parameter, under which name.
    places: FxHashMap<Parameter, Vec<(FileIndex, Name, TypeExpressionId, PlaceIndex)>>,
    /// Parameters that stand for what others are given.
    passed: FxHashMap<Parameter, FxHashSet<Parameter>>,
    /// Parameters that stand for what generic functions are given.
    of_functions: FxHashMap<FunctionIndex, Vec<(Name, Parameter)>>,
    /// The names that methods give to the parameters of their receivers' types.
    methods: FxHashMap<FunctionIndex, (TypeIndex, Vec<Name>)>,
    origins: FxHashMap<FileIndex, Arc<Origins>>,
    /// What parameters of generic functions were found to stand for.
    pub(super) inferred: FxHashSet<(FunctionIndex, Name, TypeIndex)>,
    pub(super) ways: FxHashMap<FileIndex, Arc<super::inferred::Ways>>,
    /// The types of attributes that name parameters of their class, and the class.
    pub(super) members: FxHashMap<(TypeIndex, Symbol), (FileIndex, TypeExpressionId)>,
}

/// How the places of a file come by their types.
#[derive(Debug, Default)]
pub(super) struct Origins {
    pub made: FxHashMap<PlaceId, TypeExpressionId>,
    pub assigned: FxHashMap<PlaceId, PlaceId>,
    /// The call, by its index in the file, and which of its values.
    pub given: FxHashMap<PlaceId, (u32, usize)>,
    /// The base and the member.
    pub loads: FxHashMap<PlaceId, (PlaceId, Name)>,
    /// The names of the file or the package that places stand for.
    pub named: FxHashMap<PlaceId, Name>,
}

impl Solver<'_> {
    /// Finds the generic types, and what is declared with their parameters.
    pub(super) fn find_instantiations(&mut self) {
        let is_generic = |facts: &facts::FileFacts| facts.types.iter().any(|row| !row.parameters.is_empty());
        if !self.program.files.iter().any(|file| is_generic(&file.facts)) {
            return;
        }
        let mut owners = Vec::new();
        for index in 0..self.program.files.len() {
            let (file, facts) = (FileIndex(index as u32), self.program.files[index].facts.clone());
            owners.push(self.note_fields(file, &facts));
            self.note_methods(file, &facts);
            self.note_attributes(file, &facts);
        }
        for (index, owners) in owners.into_iter().enumerate() {
            let (file, facts) = (FileIndex(index as u32), self.program.files[index].facts.clone());
            for (id, expression) in facts.type_expressions.iter().enumerate() {
                let TypeExpression::Generic(head, arguments) = expression else {
                    continue;
                };
                let Some((generic, count)) = self.generic_type(file, *head) else {
                    continue;
                };
                let owner = owners.get(&TypeExpressionId(id as u32)).copied();
                for (position, argument) in arguments.iter().enumerate().take(count) {
                    let to = (generic, position as u32);
                    self.note_argument(file, &facts, (owner, *argument), to);
                }
            }
        }
    }

    /// One type that a generic type is given somewhere.
    fn note_argument(
        &mut self,
        file: FileIndex,
        facts: &facts::FileFacts,
        (owner, argument): (Option<TypeIndex>, TypeExpressionId),
        to: Parameter,
    ) {
        if let TypeExpression::Path { parts, function } = self.program.type_expression(file, argument)
            && let [name] = parts.as_slice()
        {
            let (name, local) = (*name, *function);
            let function = self.program.function(file, local);
            let of_method = self.instantiations.methods.get(&function);
            let of_method = of_method.map(|(owner, names)| (*owner, names.clone()));
            let of_type = owner.map(|owner| (owner, self.program.type_facts(owner).parameters.clone()));
            for (owner, names) in of_method.into_iter().chain(of_type) {
                if let Some(position) = names.iter().position(|own| *own == name) {
                    let from = (owner, position as u32);
                    if from != to {
                        self.instantiations.passed.entry(from).or_default().insert(to);
                    }
                    for object in self.instantiations.given.get(&from).cloned().unwrap_or_default() {
                        self.give_type(to, object);
                    }
                    return;
                }
            }
            if facts.type_parameters.contains(&(local, name)) {
                let of_function = self.instantiations.of_functions.entry(function).or_default();
                return of_function.push((name, to));
            }
        }
        for object in self.type_objects(file, argument) {
            self.give_type(to, object);
        }
    }

    /// What a generic function is given for one of its parameters goes to the types that are made of it.
    pub(super) fn give_types(&mut self, function: FunctionIndex, bound: &Bound) {
        let rows = self.instantiations.of_functions.get(&function).cloned();
        for (name, to) in rows.unwrap_or_default() {
            let position = bound.parameters.iter().position(|own| *own == name);
            let given = position.and_then(|position| bound.given.get(position)).cloned();
            for object in given.unwrap_or_default() {
                self.give_type(to, object);
            }
        }
    }

    fn give_type(&mut self, to: Parameter, object: ObjectId) {
        let given = self.instantiations.given.entry(to).or_default();
        if given.contains(&object) || given.len() >= GIVEN_LIMIT {
            return;
        }
        given.push(object);
        for next in self.instantiations.passed.get(&to).cloned().unwrap_or_default() {
            self.give_type(next, object);
        }
    }

    /// What is declared with a parameter, and to which nothing came, is of the types that are given for it.
    pub(super) fn assume_given(&mut self) {
        let mut parameters: Vec<Parameter> = self.instantiations.places.keys().copied().collect();
        parameters.sort_unstable();
        let mut open = Vec::new();
        for parameter in parameters {
            let given = self.instantiations.given.get(&parameter).cloned().unwrap_or_default();
            let places = self.instantiations.places.get(&parameter).cloned().unwrap_or_default();
            for (file, name, declared, place) in places.into_iter().filter(|_| !given.is_empty()) {
                if self.is_unfed(place) {
                    let bound = Bound {
                        file,
                        parameters: vec![name],
                        given: vec![given.clone()],
                    };
                    let objects = self.substituted(declared, &bound, 0);
                    open.extend(objects.into_iter().flatten().map(|object| (place, object)));
                }
            }
        }
        for (place, object) in open {
            let to = match self.gathering(place).first() {
                Some(container) => self.element(*container, Part::Any),
                None => place,
            };
            self.add(to, object);
        }
    }

    /// Whether nothing came to a place, or containers in which nothing was put.
    fn is_unfed(&self, place: PlaceIndex) -> bool {
        self.held(place).all(|(id, object)| match object {
            Object::Container { .. } => {
                let all = self.elements.get(&(id, Part::All));
                all.is_none_or(|all| self.contents(*all).is_empty())
            }
            Object::Typed { element, .. } => self.objects.list(element).is_empty(),
            _ => false,
        })
    }

    /// A generic type by its name, and how many types it is given.
    fn generic_type(&mut self, file: FileIndex, head: TypeExpressionId) -> Option<(TypeIndex, usize)> {
        let TypeExpression::Path { parts, function } = self.program.type_expression(file, head).clone() else {
            return None;
        };
        let TypeMeaning::Type(index) = self.program.type_named(file, function, &parts) else {
            return None;
        };
        let count = self.program.type_facts(index).parameters.len();
        (count > 0).then_some((index, count))
    }

    /// Notes the fields of generic types. Gives the types that are written in them, with theirs.
    fn note_fields(&mut self, file: FileIndex, facts: &facts::FileFacts) -> FxHashMap<TypeExpressionId, TypeIndex> {
        let mut owners = FxHashMap::default();
        for (local, row) in facts
            .types
            .iter()
            .enumerate()
            .filter(|(_, row)| !row.parameters.is_empty())
        {
            let owner = self.program.type_index(file, facts::TypeId(local as u32));
            let fields = row.fields.iter().filter_map(|field| field.declared);
            let mut open: Vec<TypeExpressionId> = fields.chain(row.underlying).collect();
            while let Some(id) = open.pop() {
                if owners.insert(id, owner).is_none() {
                    open.extend(inside(self.program.type_expression(file, id)));
                }
            }
            // What a class is given is told where it is read: see `generic_classes`.
            for field in row.fields.iter().filter(|_| !row.kind.is_class()) {
                let name = self.program.symbol(file, field.name);
                let member = self.program.types[owner.at()].members.get(&name).copied();
                if let (Some(member), Some(declared)) = (member, field.declared) {
                    self.note_place(file, (owner, &row.parameters), declared, member);
                }
            }
        }
        owners
    }

    /// Notes the methods of generic types, with what is declared in them.
    fn note_methods(&mut self, file: FileIndex, facts: &facts::FileFacts) {
        let mut methods: FxHashMap<FunctionId, FunctionIndex> = FxHashMap::default();
        for (local, row) in facts.functions.iter().enumerate() {
            let Some((owner, names)) = self.generic_receiver(file, row) else {
                continue;
            };
            let stands_inside = row.owner.is_some();
            let local = FunctionId(local as u32);
            let function = self.program.function(file, local);
            if !stands_inside {
                methods.insert(local, function);
            }
            self.instantiations.methods.insert(function, (owner, names));
        }
        if methods.is_empty() {
            return;
        }
        let made = facts.objects.iter().filter_map(|(place, object)| match object {
            facts::Object::Instance(expression) => Some((*place, *expression)),
            _ => None,
        });
        for (place, declared) in facts.declared.iter().copied().chain(made) {
            let mut around = Some(facts.places[place.0 as usize].function);
            while let Some(local) = around {
                if let Some(method) = methods.get(&local)
                    && let Some((owner, names)) = self.instantiations.methods.get(method).cloned()
                {
                    let place = self.program.place(file, place);
                    self.note_place(file, (owner, &names), declared, place);
                    break;
                }
                around = facts.functions[local.0 as usize].parent;
            }
        }
    }

    /// The generic type of which a function is a method, and what the parameters are called there.
    fn generic_receiver(&mut self, file: FileIndex, row: &facts::Function) -> Option<(TypeIndex, Vec<Name>)> {
        let Some(mut receiver) = row.receiver_type else {
            // A class around says by itself what they are called.
            let owner = self.program.type_index(file, row.owner?);
            let names = self.program.type_facts(owner).parameters.clone();
            return (!names.is_empty()).then_some((owner, names));
        };
        while let TypeExpression::Pointer(inner) = self.program.type_expression(file, receiver) {
            receiver = *inner;
        }
        let TypeExpression::Generic(head, arguments) = self.program.type_expression(file, receiver).clone() else {
            return None;
        };
        let (owner, _) = self.generic_type(file, head)?;
        let name_of = |argument: TypeExpressionId| match self.program.type_expression(file, argument) {
            TypeExpression::Path { parts, .. } => parts.first().copied(),
            _ => None,
        };
        let names = arguments.into_iter().map(name_of).collect::<Option<Vec<Name>>>()?;
        Some((owner, names))
    }

    /// Notes a place whose declared type may name parameters.
    fn note_place(
        &mut self,
        file: FileIndex,
        (owner, names): (TypeIndex, &[Name]),
        declared: TypeExpressionId,
        place: PlaceIndex,
    ) {
        for (position, name) in names.iter().enumerate() {
            let bound = Bound {
                file,
                parameters: vec![*name],
                given: vec![Vec::new()],
            };
            if self.substituted(declared, &bound, 0).is_some() {
                let parameter = (owner, position as u32);
                let places = self.instantiations.places.entry(parameter).or_default();
                places.push((file, *name, declared, place));
            }
        }
    }

    /// What the types are that the receiver of a method was given, if that says all of what they are.
    pub(super) fn given_to_receiver(&mut self, function: FunctionIndex, base: PlaceIndex) -> Option<Bound> {
        let (owner, parameters) = self.instantiations.methods.get(&function).cloned()?;
        let given = self.given_at(base, owner, 0)?;
        Some(Bound {
            file: self.program.functions[function.at()].file,
            parameters,
            given,
        })
    }

    /// Whether an object says all by its type: nothing of it is known by where it was made.
    pub(super) fn is_all_told(&mut self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Instance(index) => self.underlying_objects(index).is_empty(),
            Object::External(_) => true,
            _ => false,
        }
    }

    /// The types that what is in a place was given, as a value of this generic type. Of those that are of no object (`string`, a parameter of the function
    /// around) it has none.
    pub(super) fn given_at(&mut self, place: PlaceIndex, owner: TypeIndex, depth: u8) -> Option<Vec<Vec<ObjectId>>> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let (file, local) = self.program.local_place(place)?;
        let around = self.program.owner_of(place)?;
        let none = Bound {
            file,
            parameters: Vec::new(),
            given: Vec::new(),
        };
        if let Some(declared) = self.program.declared_type(file, local) {
            return self.given_by(declared, owner, &none, depth);
        }
        if self.program.place_kind(place) == Some(PlaceKind::Receiver) {
            let class = self.program.functions[around.at()].owner?;
            return self.given_by_bases(class, owner, Vec::new(), depth);
        }
        let origins = self.origins_in(file);
        if let Some(made) = origins.made.get(&local) {
            return self.given_by(*made, owner, &none, depth);
        }
        if let Some((base, member)) = origins.loads.get(&local) {
            let (base, member) = (self.program.place(file, *base), self.program.symbol(file, *member));
            return self.given_to_member(base, member, owner, depth);
        }
        if let Some((call, position)) = origins.given.get(&local) {
            let call = self.first_calls.get(file.at())? + call;
            return self.given_by_call(call, *position, owner, depth);
        }
        // A type that is kept is the same wherever a variable is assigned.
        let is_kept = !self.untyped.contains(&file);
        let from = match origins.named.get(&local).filter(|_| is_kept) {
            Some(name) => only_place(self.program.meaning(file, *name))?,
            None => self.program.place(file, *origins.assigned.get(&local)?),
        };
        let is_told = is_kept || self.program.owner_of(from) == Some(around);
        is_told.then_some(())?;
        self.given_at(from, owner, depth + 1)
    }

    /// The same of a field of what is in a place, or of a variable of a package.
    fn given_to_member(
        &mut self,
        base: PlaceIndex,
        member: Symbol,
        owner: TypeIndex,
        depth: u8,
    ) -> Option<Vec<Vec<ObjectId>>> {
        let held = self.held(base).find_map(|(_, object)| match object {
            Object::Instance(_) | Object::Package(_) => Some(object),
            _ => None,
        });
        let holder = match held? {
            Object::Package(package) => {
                let place = only_place(self.program.package_member(package, member))?;
                let file = self.program.local_place(place)?.0;
                let is_kept = !self.untyped.contains(&file);
                return is_kept.then(|| self.given_at(place, owner, depth + 1)).flatten();
            }
            Object::Instance(holder) => holder,
            _ => return None,
        };
        let field = self.program.find_member(holder, member)?;
        let field = *self.program.member_of(field)?;
        let fields = &self.program.type_facts(field.owner).fields;
        let declared = fields.get(field.declared? as usize)?.declared?;
        let parameters = self.program.type_facts(field.owner).parameters.clone();
        let given = match parameters.is_empty() {
            true => Vec::new(),
            false => self.given_at(base, field.owner, depth + 1)?,
        };
        let bound = Bound {
            file: self.program.types[field.owner.at()].file,
            parameters,
            given,
        };
        self.given_by(declared, owner, &bound, depth)
    }

    fn given_by_call(&mut self, call: u32, position: usize, owner: TypeIndex, depth: u8) -> Option<Vec<Vec<ObjectId>>> {
        let callee = self.calls[call as usize].callee;
        let (function, base) = self.held(callee).find_map(|(_, object)| match object {
            Object::Function(function) => Some((function, None)),
            Object::Bound { function, base, .. } => Some((function, Some(base))),
            _ => None,
        })?;
        let file = self.program.functions[function.at()].file;
        let result = *self.program.function_facts(function).results.get(position)?;
        let declared = self.program.declared_type(file, result)?;
        let bound = match (self.instantiations.methods.get(&function).cloned(), base) {
            (Some((generic, parameters)), Some(base)) => Bound {
                file,
                parameters,
                given: self.given_at(base, generic, depth + 1)?,
            },
            _ => self.bound_types_of(call, function).unwrap_or(Bound {
                file,
                parameters: Vec::new(),
                given: Vec::new(),
            }),
        };
        self.given_by(declared, owner, &bound, depth)
    }

    /// The types that a generic type is given where it is written, or by a type that stands on it.
    fn given_by(
        &mut self,
        id: TypeExpressionId,
        owner: TypeIndex,
        bound: &Bound,
        depth: u8,
    ) -> Option<Vec<Vec<ObjectId>>> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match self.program.type_expression(bound.file, id).clone() {
            TypeExpression::Pointer(inner) => self.given_by(inner, owner, bound, depth),
            TypeExpression::Generic(head, arguments) => {
                let (generic, _) = self.generic_type(bound.file, head)?;
                let given = arguments.into_iter().map(|argument| {
                    let objects = self.substituted(argument, bound, 0);
                    objects.unwrap_or_else(|| self.type_objects(bound.file, argument))
                });
                let given: Vec<Vec<ObjectId>> = given.collect();
                given.iter().any(|objects| !objects.is_empty()).then_some(())?;
                match generic == owner {
                    true => Some(given),
                    false => self.given_by_bases(generic, owner, given, depth),
                }
            }
            TypeExpression::Union(sides) => {
                let mut sides = sides.into_iter();
                sides.find_map(|side| self.given_by(side, owner, bound, depth))
            }
            TypeExpression::Path { parts, function } => match self.program.type_named(bound.file, function, &parts) {
                TypeMeaning::Type(index) if index != owner => self.given_by_bases(index, owner, Vec::new(), depth),
                TypeMeaning::Alias(file, named) => {
                    let bound = Bound {
                        file,
                        parameters: Vec::new(),
                        given: Vec::new(),
                    };
                    self.given_by(named, owner, &bound, depth + 1)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The types that a class or structure gives to a generic one that it stands on (`class Words(Stack[Word])`), that is embedded in it
    /// (`struct{ *Stack[Word] }`), or that it is another name of, itself given these.
    fn given_by_bases(
        &mut self,
        class: TypeIndex,
        owner: TypeIndex,
        given: Vec<Vec<ObjectId>>,
        depth: u8,
    ) -> Option<Vec<Vec<ObjectId>>> {
        let facts = self.program.type_facts(class);
        let embedded = facts.fields.iter().filter(|field| field.embedded);
        let named = facts.underlying.filter(|_| facts.kind == TypeKind::Alias);
        let below: Vec<TypeExpressionId> = embedded.filter_map(|field| field.declared).chain(named).collect();
        let bound = Bound {
            file: self.program.types[class.at()].file,
            parameters: facts.parameters.clone(),
            given,
        };
        for declared in below {
            if let Some(given) = self.given_by(declared, owner, &bound, depth + 1) {
                return Some(given);
            }
        }
        for above in self.program.types[class.at()].order.clone() {
            let none = Bound {
                file: self.program.types[above.at()].file,
                parameters: Vec::new(),
                given: Vec::new(),
            };
            for base in self.program.type_facts(above).bases.clone() {
                let is_generic = matches!(
                    self.program.type_expression(none.file, base),
                    TypeExpression::Generic(..)
                );
                if is_generic && let Some(given) = self.given_by(base, owner, &none, depth + 1) {
                    return Some(given);
                }
            }
        }
        None
    }

    pub(super) fn origins_in(&mut self, file: FileIndex) -> Arc<Origins> {
        if let Some(known) = self.instantiations.origins.get(&file) {
            return known.clone();
        }
        let facts = &self.program.files[file.at()].facts;
        let mut origins = Origins::default();
        for (place, object) in &facts.objects {
            if let facts::Object::Instance(expression) = object {
                origins.made.insert(*place, *expression);
            }
        }
        let flows = facts.flows.iter().filter(|flow| flow.same);
        origins.assigned = flows.map(|flow| (flow.to, flow.from)).collect();
        for (call, row) in facts.calls.iter().enumerate() {
            let results = row.results.iter().enumerate();
            let results = results.map(|(position, place)| (*place, (call as u32, position)));
            origins.given.extend(results);
        }
        let loads = facts.loads.iter().map(|row| (row.to, (row.base, row.member)));
        origins.loads = loads.collect();
        origins.named = facts.name_uses.iter().map(|row| (row.to, row.name)).collect();
        let origins = Arc::new(origins);
        self.instantiations.origins.insert(file, origins.clone());
        origins
    }
}

/// The place that a name means, if it means just one.
fn only_place(meaning: Meaning) -> Option<PlaceIndex> {
    match meaning {
        Meaning::Places(places) if places.len() == 1 => places.first().copied(),
        _ => None,
    }
}

/// The types that are written in a type.
fn inside(expression: &TypeExpression) -> Vec<TypeExpressionId> {
    match expression {
        TypeExpression::Pointer(inner) | TypeExpression::Class(inner) | TypeExpression::ElementOf(inner) => {
            vec![*inner]
        }
        TypeExpression::Container { key, element, .. } => key.iter().chain(element).copied().collect(),
        TypeExpression::Tuple(parts) | TypeExpression::Union(parts) => parts.clone(),
        TypeExpression::Function { results, .. } => results.clone(),
        TypeExpression::Generic(head, arguments) => [*head].into_iter().chain(arguments.iter().copied()).collect(),
        TypeExpression::Path { .. } | TypeExpression::Local(_) | TypeExpression::Unknown => Vec::new(),
    }
}
