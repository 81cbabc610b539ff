//! Types that calls are given: `build[Dog]()` gives what `func build[T any]() *T` says, with `Dog` for `T`.
//!
//! What the function itself declares with `T` holds every type that it was ever given; what comes out of a call is of the types
//! of that call. Types that are left out are told by the arguments, which bring their own.

use super::object::{Object, ObjectId};
use super::solve::Solver;
use crate::facts::{self, FunctionId, Name, TypeExpression, TypeExpressionId};
use crate::link::{FileIndex, FunctionIndex};

/// How deep types nest before they are cut.
const DEPTH_LIMIT: u32 = 8;

/// Types for the parameters of a generic function.
struct Bound {
    /// The file of the function.
    file: FileIndex,
    parameters: Vec<Name>,
    /// The file of the call.
    given_in: FileIndex,
    given: Vec<TypeExpressionId>,
}

impl Solver<'_> {
    /// What each result of a call is, as far as the types that the call is given say so.
    pub(super) fn typed_results(&mut self, call: u32, function: FunctionIndex) -> Vec<Option<Vec<ObjectId>>> {
        let Some(given) = self.type_arguments.get(&call).cloned() else {
            return Vec::new();
        };
        let row = self.program.functions[function.at()];
        let facts = self.program.files[row.file.at()].facts.clone();
        let parameters = facts.type_parameters.iter();
        let parameters: Vec<Name> = parameters
            .filter(|(owner, _)| *owner == row.local)
            .map(|(_, name)| *name)
            .collect();
        if parameters.is_empty() {
            return Vec::new();
        }
        let bound = Bound {
            file: row.file,
            parameters,
            given_in: self.calls[call as usize].file,
            given,
        };
        self.bind_inside(&facts, row.local, function, &bound);
        let results = facts.functions[row.local.0 as usize].results.clone();
        results
            .into_iter()
            .map(|result| {
                let declared = self.program.declared_type(row.file, result)?;
                self.substituted(declared, &bound, 0)
            })
            .collect()
    }

    /// What the function declares and makes of the types that it is given.
    fn bind_inside(&mut self, facts: &facts::FileFacts, local: FunctionId, function: FunctionIndex, bound: &Bound) {
        let Some(first) = bound.given.first() else { return };
        if !self.bound_types.insert((function, bound.given_in, *first)) {
            return;
        }
        let made = facts.objects.iter().filter_map(|(place, object)| match object {
            facts::Object::Instance(expression) => Some((*place, *expression)),
            _ => None,
        });
        for (place, expression) in facts.declared.iter().copied().chain(made) {
            if facts.places[place.0 as usize].function != local {
                continue;
            }
            if let Some(objects) = self.substituted(expression, bound, 0) {
                let place = self.program.place(bound.file, place);
                objects.into_iter().for_each(|object| self.add(place, object));
            }
        }
    }

    /// The objects of a type with the given types in it; none if it names no type parameter.
    fn substituted(&mut self, id: TypeExpressionId, bound: &Bound, depth: u32) -> Option<Vec<ObjectId>> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match self.program.type_expression(bound.file, id).clone() {
            TypeExpression::Path { parts, .. } => {
                let [name] = parts.as_slice() else { return None };
                let index = bound.parameters.iter().position(|parameter| parameter == name)?;
                let given = bound.given.get(index)?;
                Some(self.type_objects(bound.given_in, *given))
            }
            TypeExpression::Pointer(inner) => self.substituted(inner, bound, depth + 1),
            TypeExpression::Container { kind, element, .. } => {
                let element = self.substituted(element?, bound, depth + 1)?;
                let (key, element) = (self.objects.intern_list(Vec::new()), self.objects.intern_list(element));
                Some(vec![self.objects.intern(Object::Typed { kind, key, element })])
            }
            _ => None,
        }
    }
}
