//! Type arguments that calls leave out: what comes out of `first(words)` is a `Word`, if `words` is a `[]Word`.
//!
//! ```go
//! func first[T any](values []T) T { return values[0] }     // holds whatever anybody gives it
//! first(words).Show()                                      // and this is `Word.Show` alone
//! for _, page := range kept(pages) { page.Show() }         // `Page.Show`, where `kept` gives what it was given: a `[]T`
//! ```
//!
//! Arguments are matched with the types of the parameters (as in the Go specification, "Type inference"), as far as they lead to structures. Then what
//! the call gives takes no structure but that one, wherever it goes on in the function, be it as a part of a list.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::Object;
use super::solve::Solver;
use crate::facts::{
    self, ArgumentKind, ElementKey, Name, ParameterKind, PlaceId, PlaceKind, TypeExpression, TypeExpressionId, TypeKind,
};
use crate::link::scope::TypeMeaning;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, TypeIndex};

/// How far the type of an argument is looked for.
const DEPTH_LIMIT: u8 = 8;

/// What is known of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
enum StaticType {
    /// A structure, or a pointer to one.
    Structure(TypeIndex),
    /// A list, map or channel of such.
    Parts(Box<StaticType>),
    /// A parameter of a type, an interface, a number.
    Unknown,
}

/// What a function's type parameters stand for in a call.
type Bound = Vec<(Name, StaticType)>;

/// How values go on within the functions of a file, as they are or as parts of what goes on.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// To what a place is assigned.
    to: FxHashMap<PlaceId, Vec<PlaceId>>,
    /// Parts that are read, with what they are read from.
    parts: FxHashMap<PlaceId, PlaceId>,
    parts_of: FxHashMap<PlaceId, Vec<PlaceId>>,
    /// What a pointer points at, and the other way round.
    targets: FxHashMap<PlaceId, PlaceId>,
}

impl Ways {
    fn of(facts: &facts::FileFacts) -> Self {
        let mut ways = Self::default();
        for flow in facts.flows.iter().filter(|flow| flow.same) {
            ways.to.entry(flow.from).or_default().push(flow.to);
        }
        for row in &facts.element_loads {
            match row.key {
                ElementKey::Keys => {}
                ElementKey::Target => _ = ways.targets.insert(row.to, row.base),
                _ => {
                    ways.parts.insert(row.to, row.base);
                    ways.parts_of.entry(row.base).or_default().push(row.to);
                }
            }
        }
        for (place, object) in &facts.objects {
            if let facts::Object::Address(target) = object {
                ways.targets.insert(*place, *target);
            }
        }
        ways
    }
}

impl Solver<'_> {
    /// Notes what a call of a generic function gives, before it gives anything.
    pub(super) fn note_inferred(&mut self, call: u32, function: FunctionIndex) {
        let file = self.calls[call as usize].file;
        if self.untyped.contains(&file) || self.calls[call as usize].copy_of.is_some() {
            return;
        }
        let results = self.inferred_results(call, function, 0);
        let given = self.call_results(call).to_vec();
        for (to, known) in given.into_iter().zip(results) {
            if let (Some((file, local)), true) = (self.program.local_place(to), known != StaticType::Unknown) {
                self.expect(file, local, known);
            }
        }
    }

    /// The types of the results of a call, as far as its arguments tell them.
    fn inferred_results(&mut self, call: u32, function: FunctionIndex, depth: u8) -> Vec<StaticType> {
        let row = self.program.functions[function.at()];
        let facts = self.program.files[row.file.at()].facts.clone();
        let names = self.type_parameters_of(function);
        if names.is_empty() {
            return Vec::new();
        }
        let own = &facts.functions[row.local.0 as usize];
        let mut bound = Bound::new();
        let arguments = self.call_arguments(call).to_vec();
        for (argument, parameter) in arguments.iter().zip(&own.parameters) {
            let is_one = argument.kind == ArgumentKind::Positional && parameter.kind != ParameterKind::Rest;
            let declared = self.program.declared_type(row.file, parameter.place);
            if let (true, Some(place), Some(declared)) = (is_one, argument.place, declared) {
                self.match_argument((row.file, declared), place, &names, &mut bound, depth);
            }
        }
        self.bind_inferred(function, &names, &bound);
        let results = own.results.iter().map(|result| {
            let declared = self.program.declared_type(row.file, *result);
            declared.map_or(StaticType::Unknown, |declared| {
                self.static_type_of((row.file, declared), &bound, depth)
            })
        });
        results.collect()
    }

    /// What the function makes of the types that it is given: `var body T`, `new(T)`.
    fn bind_inferred(&mut self, function: FunctionIndex, names: &[Name], bound: &Bound) {
        let mut is_new = false;
        let mut given = Vec::new();
        for name in names {
            let known = bound.iter().filter(|(known, _)| known == name);
            let mut structures = known.filter_map(|(_, known)| match known {
                StaticType::Structure(structure) => Some(*structure),
                _ => None,
            });
            let structure = structures.next();
            let own = structure.map(|structure| {
                is_new |= self.instantiations.inferred.insert((function, *name, structure));
                self.objects.intern(Object::Instance(structure))
            });
            given.push(own.into_iter().collect());
        }
        if is_new {
            let file = self.program.functions[function.at()].file;
            let (parameters, made) = (names.to_vec(), |kind| {
                matches!(kind, PlaceKind::Local | PlaceKind::Value)
            });
            self.bind_places(
                function,
                &super::generics::Bound {
                    file,
                    parameters,
                    given,
                },
                made,
            );
        }
    }

    /// Binds the type parameters that an argument tells.
    fn match_argument(
        &mut self,
        (file, declared): (FileIndex, TypeExpressionId),
        place: PlaceIndex,
        names: &[Name],
        bound: &mut Bound,
        depth: u8,
    ) {
        let (parameters, results) = match self.program.type_expression(file, declared) {
            TypeExpression::Function { parameters, results } => {
                (parameters.clone().unwrap_or_default(), results.clone())
            }
            _ => {
                let known = self.static_type_at(place, depth);
                return self.unify((file, declared), &known, names, bound);
            }
        };
        let given = self.held(place).find_map(|(_, object)| match object {
            Object::Function(function) => Some(function),
            _ => None,
        });
        let Some(given) = given else { return };
        let given_in = self.program.functions[given.at()].file;
        let own = self.program.function_facts(given).results.clone();
        let taken = self.program.function_facts(given).parameters.iter();
        let taken: Vec<PlaceId> = taken.map(|parameter| parameter.place).collect();
        for (wanted, own) in parameters.into_iter().zip(taken).chain(results.into_iter().zip(own)) {
            if let Some(own) = self.program.declared_type(given_in, own) {
                let known = self.static_type_of((given_in, own), &[], depth);
                self.unify((file, wanted), &known, names, bound);
            }
        }
    }

    fn unify(
        &self,
        (file, declared): (FileIndex, TypeExpressionId),
        known: &StaticType,
        names: &[Name],
        bound: &mut Bound,
    ) {
        match self.program.type_expression(file, declared) {
            TypeExpression::Path { parts, .. } => {
                if let [name] = parts.as_slice()
                    && names.contains(name)
                    && *known != StaticType::Unknown
                {
                    bound.push((*name, known.clone()));
                }
            }
            TypeExpression::Pointer(inner) => self.unify((file, *inner), known, names, bound),
            TypeExpression::Container {
                element: Some(element), ..
            } => {
                if let StaticType::Parts(inner) = known {
                    self.unify((file, *element), inner, names, bound);
                }
            }
            _ => {}
        }
    }

    /// What a type is, with what its parameters stand for.
    fn static_type_of(
        &mut self,
        (file, id): (FileIndex, TypeExpressionId),
        bound: &[(Name, StaticType)],
        depth: u8,
    ) -> StaticType {
        if depth > DEPTH_LIMIT {
            return StaticType::Unknown;
        }
        match self.program.type_expression(file, id).clone() {
            TypeExpression::Pointer(inner) => self.static_type_of((file, inner), bound, depth + 1),
            TypeExpression::Container {
                element: Some(element), ..
            } => match self.static_type_of((file, element), bound, depth + 1) {
                StaticType::Unknown => StaticType::Unknown,
                inner => StaticType::Parts(Box::new(inner)),
            },
            TypeExpression::Path { parts, .. }
                if let [name] = parts.as_slice()
                    && let Some((_, known)) = bound.iter().find(|(known, _)| known == name) =>
            {
                known.clone()
            }
            TypeExpression::Path { .. } | TypeExpression::Local(_) | TypeExpression::Generic(..) => {
                let TypeMeaning::Type(named) = self.program.head_type(file, id, 0) else {
                    return StaticType::Unknown;
                };
                let facts = self.program.type_facts(named);
                match (facts.kind, facts.underlying) {
                    (TypeKind::Struct, _) => StaticType::Structure(named),
                    (TypeKind::Named, Some(underlying)) => {
                        let file = self.program.types[named.at()].file;
                        match self.static_type_of((file, underlying), &[], depth + 1) {
                            // A structure under another name has methods of its own.
                            StaticType::Structure(_) => StaticType::Unknown,
                            known => known,
                        }
                    }
                    _ => StaticType::Unknown,
                }
            }
            _ => StaticType::Unknown,
        }
    }

    /// The type of what is in a place.
    fn static_type_at(&mut self, place: PlaceIndex, depth: u8) -> StaticType {
        let found = (depth <= DEPTH_LIMIT).then(|| self.find_static_type(place, depth));
        found.flatten().unwrap_or(StaticType::Unknown)
    }

    fn find_static_type(&mut self, place: PlaceIndex, depth: u8) -> Option<StaticType> {
        let (file, local) = self.program.local_place(place)?;
        let around = self.program.owner_of(place)?;
        let is_gathering = !self.gathering(place).is_empty();
        if let Some(declared) = self.program.declared_type(file, local) {
            return (!is_gathering).then(|| self.static_type_of((file, declared), &[], depth));
        }
        if self.program.place_kind(place) == Some(PlaceKind::Receiver) {
            return Some(StaticType::Structure(self.program.functions[around.at()].owner?));
        }
        let origins = self.origins_in(file);
        if let Some(made) = origins.made.get(&local) {
            return Some(self.static_type_of((file, *made), &[], depth));
        }
        if let Some((base, member)) = origins.loads.get(&local) {
            let member = self.program.symbol(file, *member);
            let StaticType::Structure(holder) = self.static_type_at(self.program.place(file, *base), depth + 1) else {
                return None;
            };
            let field = self.program.find_member(holder, member)?;
            let field = *self.program.member_of(field)?;
            let facts = self.program.type_facts(field.owner);
            // What a generic structure was given, nobody says here.
            let declared = facts.fields.get(field.declared? as usize)?.declared;
            let declared = declared.filter(|_| facts.parameters.is_empty())?;
            return Some(self.static_type_of((self.program.types[field.owner.at()].file, declared), &[], depth));
        }
        let ways = self.ways_in(file);
        if let Some(base) = ways.parts.get(&local) {
            return match self.static_type_at(self.program.place(file, *base), depth + 1) {
                StaticType::Parts(inner) => Some(*inner),
                _ => None,
            };
        }
        if let Some(target) = ways.targets.get(&local) {
            return Some(self.static_type_at(self.program.place(file, *target), depth + 1));
        }
        if let Some((call, position)) = origins.given.get(&local) {
            let call = self.first_calls.get(file.at())? + call;
            return self.static_type_of_result(call, *position, depth + 1);
        }
        let from = self.program.place(file, *origins.assigned.get(&local)?);
        Some(self.static_type_at(from, depth + 1))
    }

    fn static_type_of_result(&mut self, call: u32, position: usize, depth: u8) -> Option<StaticType> {
        let function = self.callee_of(call, depth)?;
        let inferred = self.inferred_results(call, function, depth);
        if let Some(known) = inferred.get(position) {
            return Some(known.clone());
        }
        let file = self.program.functions[function.at()].file;
        let result = *self.program.function_facts(function).results.get(position)?;
        let declared = self.program.declared_type(file, result)?;
        Some(self.static_type_of((file, declared), &[], depth))
    }

    /// The function that is called, by what is there already, or by the method that the receiver's type has.
    fn callee_of(&mut self, call: u32, depth: u8) -> Option<FunctionIndex> {
        let function = |(_, object)| match object {
            Object::Function(function) | Object::Bound { function, .. } => Some(function),
            _ => None,
        };
        let callee = self.calls[call as usize].callee;
        if let Some(found) = self.held(callee).find_map(function) {
            return Some(found);
        }
        let (file, local) = self.program.local_place(callee)?;
        let (base, member) = *self.origins_in(file).loads.get(&local)?;
        let StaticType::Structure(holder) = self.static_type_at(self.program.place(file, base), depth + 1) else {
            return None;
        };
        let method = self.program.find_member(holder, self.program.symbol(file, member))?;
        self.held(method).find_map(function)
    }

    /// What is in a place is of this type, and so is what it is assigned to.
    fn expect(&mut self, file: FileIndex, first: PlaceId, known: StaticType) {
        let ways = self.ways_in(file);
        let mut open = vec![(first, known)];
        let mut seen = FxHashSet::default();
        while let Some((local, known)) = open.pop() {
            let place = self.program.place(file, local);
            let is_local = matches!(
                self.program.place_kind(place),
                Some(PlaceKind::Local | PlaceKind::Value | PlaceKind::CallValue)
            );
            if !is_local || self.program.declared_type(file, local).is_some() || !seen.insert(local) {
                continue;
            }
            let further = ways.to.get(&local).into_iter().flatten();
            open.extend(further.map(|to| (*to, known.clone())));
            match known {
                StaticType::Structure(structure) => self.allow_structure(place, structure),
                StaticType::Parts(inner) if *inner != StaticType::Unknown => {
                    let parts = ways.parts_of.get(&local).into_iter().flatten();
                    open.extend(parts.map(|part| (*part, (*inner).clone())));
                }
                _ => {}
            }
        }
    }

    fn ways_in(&mut self, file: FileIndex) -> Arc<Ways> {
        if let Some(known) = self.instantiations.ways.get(&file) {
            return known.clone();
        }
        let ways = Arc::new(Ways::of(&self.program.files[file.at()].facts));
        self.instantiations.ways.insert(file, ways.clone());
        ways
    }
}
