//! Types that calls are given: `build[Dog]()` gives what `func build[T any]() *T` says, with `Dog` for `T`.
//!
//! What the function itself declares with `T` holds every type that it was ever given; what comes out of a call is of the types
//! of that call. Types that are left out are told by the arguments, which bring their own.

use super::object::{Object, ObjectId};
use super::solve::Solver;
use crate::facts::{self, Name, PlaceKind, TypeExpression, TypeExpressionId};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex};

/// How deep types nest before they are cut.
const DEPTH_LIMIT: u32 = 8;

/// Types for the parameters of a generic function.
#[derive(Debug)]
pub(super) struct Bound {
    /// The file of the function.
    pub file: FileIndex,
    pub parameters: Vec<Name>,
    /// For each of them, where it is known.
    pub given: Vec<Vec<ObjectId>>,
}

impl Solver<'_> {
    /// What each result of a call is, as far as the types that the call is given say so.
    pub(super) fn typed_results(
        &mut self,
        call: u32,
        function: FunctionIndex,
        base: Option<PlaceIndex>,
    ) -> Vec<Option<Vec<ObjectId>>> {
        if let Some(bound) = self.bound_types_of(call, function) {
            self.bind_inside(call, function, &bound);
            return self.results_of_types(function, &bound);
        }
        self.note_inferred(call, function);
        // Where annotations are kept by nobody, what a function gives is more than they say.
        let is_kept = self.program.function_facts(function).receiver_type.is_some();
        let base = base.filter(|_| is_kept);
        let Some(bound) = base.and_then(|base| self.given_to_receiver(function, base)) else {
            return Vec::new();
        };
        let mut results = self.results_of_types(function, &bound);
        for result in &mut results {
            let objects = result.take();
            *result =
                objects.filter(|objects| !objects.is_empty() && objects.iter().all(|object| self.is_all_told(*object)));
        }
        results
    }

    /// The names of a function's type parameters.
    pub(super) fn type_parameters_of(&self, function: FunctionIndex) -> Vec<Name> {
        let row = self.program.functions[function.at()];
        let parameters = self.program.files[row.file.at()].facts.type_parameters.iter();
        let own = parameters.filter(|(owner, _)| *owner == row.local);
        own.map(|(_, name)| *name).collect()
    }

    /// The types that a call gives to a generic function.
    pub(super) fn bound_types_of(&mut self, call: u32, function: FunctionIndex) -> Option<Bound> {
        let given = self.type_arguments.get(&call)?.clone();
        let row = self.program.functions[function.at()];
        let parameters = self.type_parameters_of(function);
        if parameters.is_empty() {
            return None;
        }
        let given_in = self.calls[call as usize].file;
        // What is itself a parameter around here says nothing.
        let around = &self.program.files[given_in.at()].facts.type_parameters;
        let is_parameter = |given: &TypeExpressionId| match self.program.type_expression(given_in, *given) {
            TypeExpression::Path { parts, function } => {
                matches!(parts.as_slice(), [name] if around.contains(&(*function, *name)))
            }
            _ => false,
        };
        if given.iter().any(is_parameter) {
            return None;
        }
        let given = given.into_iter().map(|given| self.type_objects(given_in, given));
        Some(Bound {
            file: row.file,
            parameters,
            given: given.collect(),
        })
    }

    pub(super) fn results_of_types(&mut self, function: FunctionIndex, bound: &Bound) -> Vec<Option<Vec<ObjectId>>> {
        let results = self.program.function_facts(function).results.clone();
        let results = results.into_iter().map(|result| {
            let declared = self.program.declared_type(bound.file, result)?;
            self.substituted(declared, bound, 0)
        });
        results.collect()
    }

    /// What the function declares and makes of the types that it is given.
    fn bind_inside(&mut self, call: u32, function: FunctionIndex, bound: &Bound) {
        let given_in = self.calls[call as usize].file;
        let first = self.type_arguments.get(&call).and_then(|given| given.first());
        let Some(first) = first.copied() else { return };
        if !self.bound_types.insert((function, given_in, first)) {
            return;
        }
        self.give_types(function, bound);
        self.bind_places(function, bound, |_| true);
    }

    /// What is declared in a function with the types that it is given, or made of them, be it in a closure of it.
    pub(super) fn bind_places(&mut self, function: FunctionIndex, bound: &Bound, is_meant: fn(PlaceKind) -> bool) {
        let local = self.program.functions[function.at()].local;
        let facts = self.program.files[bound.file.at()].facts.clone();
        let is_inside = |inner: facts::FunctionId| {
            let mut around = std::iter::successors(Some(inner), |inner| facts.functions[inner.0 as usize].parent);
            around.any(|around| around == local)
        };
        let made = facts.objects.iter().filter_map(|(place, object)| match object {
            facts::Object::Instance(expression) => Some((*place, *expression)),
            _ => None,
        });
        for (place, expression) in facts.declared.iter().copied().chain(made) {
            let own = &facts.places[place.0 as usize];
            if !is_meant(own.kind) || !is_inside(own.function) {
                continue;
            }
            if let Some(objects) = self.substituted(expression, bound, 0) {
                let place = self.program.place(bound.file, place);
                objects.into_iter().for_each(|object| self.add(place, object));
            }
        }
    }

    /// The objects of a type with the given types in it; none if it names no type parameter.
    pub(super) fn substituted(&mut self, id: TypeExpressionId, bound: &Bound, depth: u32) -> Option<Vec<ObjectId>> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match self.program.type_expression(bound.file, id).clone() {
            TypeExpression::Path { parts, .. } => {
                let [name] = parts.as_slice() else { return None };
                let index = bound.parameters.iter().position(|parameter| parameter == name)?;
                bound.given.get(index).cloned()
            }
            TypeExpression::Pointer(inner) => self.substituted(inner, bound, depth + 1),
            TypeExpression::Union(sides) => {
                let sides = sides.into_iter();
                let sides: Vec<_> = sides
                    .filter_map(|side| self.substituted(side, bound, depth + 1))
                    .collect();
                (!sides.is_empty()).then(|| sides.concat())
            }
            TypeExpression::Container { kind, element, .. } => {
                let element = self.substituted(element?, bound, depth + 1)?;
                let (key, element) = (self.objects.intern_list(Vec::new()), self.objects.intern_list(element));
                Some(vec![self.objects.intern(Object::Typed { kind, key, element })])
            }
            _ => None,
        }
    }
}
