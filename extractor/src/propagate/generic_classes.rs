//! What attributes and methods of a generic class give, by what annotations say that the class is given.
//!
//! ```python
//! class Box(Generic[T]):
//!     def __init__(self, item: T): self.item = item
//!     def get(self) -> T: return self.item
//!
//! def use(box: Box[Sink]):
//!     box.item.send()                  # calls `Sink.send`
//!     box.get().send()                 # and so does this
//! ```
//!
//! As with everything that is declared where nobody keeps to it, that comes beside what is known of the objects themselves.

use super::generics::Bound;
use super::rows::LoadRow;
use super::solve::Solver;
use crate::facts::{self, TypeExpressionId};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, TypeIndex};

impl Solver<'_> {
    /// Notes the attributes of generic classes that take a parameter of a method as it is.
    pub(super) fn note_attributes(&mut self, file: FileIndex, facts: &facts::FileFacts) {
        let is_generic = |row: &facts::Type| row.kind.is_class() && !row.parameters.is_empty();
        if !facts.types.iter().any(is_generic) {
            return;
        }
        for (local, row) in facts.types.iter().enumerate().filter(|(_, row)| is_generic(row)) {
            let owner = self.program.type_index(file, facts::TypeId(local as u32));
            for field in &row.fields {
                if let Some(declared) = field.declared {
                    let member = self.program.symbol(file, field.name);
                    self.note_attribute((owner, member), file, declared);
                }
            }
        }
        let origins = self.origins_in(file);
        for store in &facts.stores {
            let function = &facts.functions[store.function.0 as usize];
            let of_receiver = facts.places[store.base.0 as usize].kind == facts::PlaceKind::Receiver;
            let from = store
                .from
                .map(|from| origins.assigned.get(&from).copied().unwrap_or(from));
            let declared = from.and_then(|from| self.program.declared_type(file, from));
            if let (Some(owner), Some(declared), true) = (function.owner, declared, of_receiver) {
                let owner = self.program.type_index(file, owner);
                let member = self.program.symbol(file, store.member);
                self.note_attribute((owner, member), file, declared);
            }
        }
    }

    fn note_attribute(
        &mut self,
        (owner, member): (TypeIndex, crate::link::Symbol),
        file: FileIndex,
        declared: TypeExpressionId,
    ) {
        let parameters = self.program.type_facts(owner).parameters.clone();
        let given = vec![Vec::new(); parameters.len()];
        let bound = Bound {
            file,
            parameters,
            given,
        };
        if self.substituted(declared, &bound, 0).is_some() {
            self.instantiations.members.insert((owner, member), (file, declared));
        }
    }

    /// An attribute of a generic class holds what the class is given where it is read.
    pub(super) fn suppose_attribute(&mut self, row: &LoadRow, class: TypeIndex) {
        if self.instantiations.members.is_empty() {
            return;
        }
        let known = self.program.types[class.at()].order.iter().find_map(|owner| {
            let found = self.instantiations.members.get(&(*owner, row.member));
            found.map(|(file, declared)| (*owner, *file, *declared))
        });
        let Some((owner, file, declared)) = known else { return };
        let Some(given) = self.given_at(row.base, owner, 0) else {
            return;
        };
        let parameters = self.program.type_facts(owner).parameters.clone();
        let bound = Bound {
            file,
            parameters,
            given,
        };
        let objects = self.substituted(declared, &bound, 0).unwrap_or_default();
        objects.into_iter().for_each(|object| self.add(row.to, object));
    }

    /// A method of a generic class gives what the class is given where it is called.
    pub(super) fn suppose_results(
        &mut self,
        function: FunctionIndex,
        base: Option<PlaceIndex>,
        results: &[PlaceIndex],
    ) {
        // Of a method that stands in its class, what a receiver is given is no more than an annotation.
        let stands_inside = self.program.function_facts(function).owner.is_some();
        let Some(base) = base.filter(|_| stands_inside) else {
            return;
        };
        let Some(bound) = self.given_to_receiver(function, base) else {
            return;
        };
        let typed = self.results_of_types(function, &bound);
        for (objects, to) in typed.into_iter().zip(results) {
            objects.into_iter().flatten().for_each(|object| self.add(*to, object));
        }
    }
}
