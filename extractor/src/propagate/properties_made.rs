//! Properties that calls make, where a class has them: `location = header("Location")` with a `header` that gives `property(get, put)`.
//!
//! ```python
//! response.location = "/"        # calls `put`
//! ```
//!
//! What the call gives is followed as the function that reads is. So a member of a class which holds such a function under another name than its
//! own is read by calling that, and written by calling what was given beside it.

use super::object::ObjectId;
use super::solve::{LoadRow, Solver};
use crate::facts::Binding;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex};

/// What writes a property, and what takes it away.
pub(super) type Writers = [Option<PlaceIndex>; 2];

impl Solver<'_> {
    /// Finds the functions that properties are made of.
    pub(super) fn lay_out_properties(&mut self) {
        for (index, row) in self.program.files.iter().enumerate() {
            let file = FileIndex(index as u32);
            for made in &row.facts.properties_made {
                let function = self.program.function(file, made.getter);
                let writers = made
                    .writers
                    .map(|writer| writer.map(|place| self.program.place(file, place)));
                self.properties_made.insert(function, writers);
            }
        }
    }

    /// `made.fget` and `made.fset` are the functions that were given. Whether it is one of these.
    pub(super) fn load_of_property(&mut self, (function, object): (FunctionIndex, ObjectId), row: &LoadRow) -> bool {
        let Some([set, delete]) = self.properties_made.get(&function).copied() else {
            return false;
        };
        let writer = match self.program.symbols.text(row.member) {
            "fget" => {
                self.add(row.to, object);
                return true;
            }
            "fset" => set,
            "fdel" => delete,
            _ => return false,
        };
        writer.into_iter().for_each(|writer| self.copy(writer, row.to));
        true
    }

    /// How a member binds that holds this function, which another made, and what writes it.
    pub(super) fn bound_as(&self, function: FunctionIndex, place: PlaceIndex) -> Option<(Binding, Writers)> {
        let told = self.member_bindings.get(&place).copied();
        told.or_else(|| Some((Binding::Property, self.property_made(function, place)?)))
    }

    /// What writes the property that a member is, if it holds a function that one was made of.
    pub(super) fn property_made(&self, function: FunctionIndex, place: PlaceIndex) -> Option<Writers> {
        let writers = self.properties_made.get(&function)?;
        let member = self.program.member_of(place)?;
        let row = &self.program.functions[function.at()];
        let facts = self.program.function_facts(function);
        // As a method of the class that declares it, it is what it was.
        let is_itself = self.program.symbol(row.file, facts.name) == member.name;
        (!is_itself || row.owner.is_none()).then_some(*writers)
    }
}
