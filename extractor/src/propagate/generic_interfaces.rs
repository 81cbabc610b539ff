//! Implementations of a generic interface, by what it is given where it is declared.
//!
//! ```go
//! type Repo[T any] interface{ All() []T }
//! func last(r Repo[Order]) Order { … r.All() … }    // no `*userRepo`, whose `All` gives a `[]User`
//! ```
//!
//! Method sets alone would fit: a parameter stands for any type.

use super::generics::Bound;
use super::object::ObjectId;
use super::solve::Solver;
use crate::link::{FunctionIndex, PlaceIndex, TypeIndex};

impl Solver<'_> {
    /// Types that may stand where this one is declared for what is in a place.
    pub(super) fn subtypes_at(&mut self, place: PlaceIndex, declared: TypeIndex) -> Vec<TypeIndex> {
        let mut subtypes = self.subtypes(declared);
        let parameters = self.program.type_facts(declared).parameters.clone();
        if parameters.is_empty() || subtypes.is_empty() {
            return subtypes;
        }
        let Some(given) = self.given_at(place, declared, 0) else {
            return subtypes;
        };
        let bound = Bound {
            file: self.program.types[declared.at()].file,
            parameters,
            given,
        };
        let mut asked = Vec::new();
        for (name, method) in self.program.method_set(declared) {
            if let Some(method) = self.method_at.get(&method).copied() {
                asked.push((name, self.signature_given(method, &bound)));
            }
        }
        subtypes.retain(|subtype| {
            // What is generic itself stands for what it is given in turn.
            let is_generic = !self.program.type_facts(*subtype).parameters.is_empty();
            is_generic
                || asked.iter().all(|(name, wanted)| {
                    let own = self.program.find_member(*subtype, *name);
                    let own = own.and_then(|own| self.method_at.get(&own).copied());
                    own.is_none_or(|own| self.may_have_signature(own, wanted))
                })
        });
        subtypes
    }

    /// What a method's parameters and results are where their types name what is given; nothing of others.
    fn signature_given(&mut self, method: FunctionIndex, bound: &Bound) -> Vec<Option<Vec<ObjectId>>> {
        let places = self.signature_places(method);
        let of_place = |place| {
            let declared = self.program.declared_type(bound.file, place)?;
            self.substituted(declared, bound, 0)
        };
        places.into_iter().map(of_place).collect()
    }

    /// Whether a method may be the one with this signature: nothing is declared that shares nothing with it.
    fn may_have_signature(&mut self, method: FunctionIndex, wanted: &[Option<Vec<ObjectId>>]) -> bool {
        let file = self.program.functions[method.at()].file;
        let places = self.signature_places(method);
        places.into_iter().zip(wanted).all(|(place, wanted)| {
            let declared = self.program.declared_type(file, place);
            let (Some(declared), Some(wanted)) = (declared, wanted) else {
                return true;
            };
            let own = self.type_objects(file, declared);
            own.is_empty() || wanted.is_empty() || own.iter().any(|object| wanted.contains(object))
        })
    }

    fn signature_places(&self, method: FunctionIndex) -> Vec<crate::facts::PlaceId> {
        let facts = self.program.function_facts(method);
        let parameters = facts.parameters.iter().map(|parameter| parameter.place);
        parameters.chain(facts.results.iter().copied()).collect()
    }
}
