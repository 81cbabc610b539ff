//! Structures that are converted: `stored(in)` has in each field what is in that of `in` at the time.
//!
//! ```go
//! in := input{City: "x"}
//! in.City = city
//! row := stored(in)        // `row.City` is `city`; what is written into `in` later is not in `row`
//! ```

use super::solve::{LoadRow, Solver, StoreRow};
use crate::facts::TypeKind;
use crate::link::{DerivedPlace, Symbol, TypeIndex};

/// Most fields that are followed one by one.
const FIELD_LIMIT: usize = 64;

impl Solver<'_> {
    /// Whether a conversion to this type makes another structure: one to a pointer, `(*stored)(in)`, has no name to be called by.
    pub(super) fn makes_another(&self, call: u32, class: TypeIndex) -> bool {
        let facts = self.program.type_facts(class);
        let is_named = !self.program.symbols.text(self.calls[call as usize].text).is_empty();
        is_named && facts.kind == TypeKind::Struct && facts.fields.len() <= FIELD_LIMIT
    }

    /// A call is a conversion to this type.
    pub(super) fn convert_structure(&mut self, call: u32, class: TypeIndex) {
        if !self.makes_another(call, class) {
            return;
        }
        let facts = self.program.type_facts(class);
        let file = self.program.types[class.at()].file;
        let fields: Vec<Symbol> = facts
            .fields
            .iter()
            .map(|field| self.program.symbol(file, field.name))
            .collect();
        let given = self.call_arguments(call).first().and_then(|first| first.place);
        let (Some(from), Some(to)) = (given, self.call_results(call).first().copied()) else {
            return;
        };
        let at = self.calls[call as usize].at();
        for member in fields {
            let value = self.derive_place(DerivedPlace::Passing(at.function));
            self.push_load(LoadRow::implicit(from, member, value, at));
            self.push_store(StoreRow::implicit(to, member, value, at));
        }
    }
}
