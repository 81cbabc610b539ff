//! Fields that are written, and of objects of which classes: what a class says of a field holds as long as nobody writes it.
//!
//! ```python
//! class Writer: escape = True
//! class Shelf:
//!     def close(self): self.escape = False      # of a `Shelf`, which is no `Writer`
//! ```

use rustc_hash::FxHashSet;

use super::object::Object;
use super::solve::{Solver, StoreRow};
use crate::link::{FileIndex, Symbol, TypeIndex};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Of objects of these classes.
    of_classes: FxHashSet<(TypeIndex, Symbol)>,
    /// Of objects that nobody knows.
    of_any: FxHashSet<Symbol>,
    /// Of whatever objects.
    of_all: FxHashSet<Symbol>,
}

impl Changes {
    /// By these rows, once it is known what their objects are.
    pub(super) fn of_rows<'r>(solver: &Solver<'_>, rows: impl Iterator<Item = &'r StoreRow>) -> Self {
        let mut changes = Self::default();
        for row in rows {
            let mut is_known = false;
            changes.of_all.insert(row.member);
            for (_, object) in solver.held(row.base) {
                is_known = true;
                if let Object::Instance(class) | Object::AnyOf(class) | Object::Class(class) = object {
                    changes.note(class, row.member);
                }
            }
            if !is_known {
                changes.of_any.insert(row.member);
            }
        }
        changes
    }

    /// By what files say, of which a method's own object is known.
    pub(super) fn as_written(solver: &Solver<'_>) -> Self {
        let mut changes = Self::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for row in &file.facts.stores {
                let member = solver.program.symbol(index, row.member);
                let function = solver.program.function(index, row.function);
                let own = solver.receiver_place(function);
                let own = own.filter(|own| *own == solver.program.place(index, row.base));
                match solver.program.functions[function.at()].owner.filter(|_| own.is_some()) {
                    Some(class) => changes.note(class, member),
                    None => _ = changes.of_any.insert(member),
                }
            }
        }
        changes
    }

    /// The field is written of objects of a class.
    pub(super) fn note(&mut self, class: TypeIndex, field: Symbol) {
        self.of_classes.insert((class, field));
    }

    /// Whether the field is written of whatever object.
    pub(super) fn has(&self, field: Symbol) -> bool {
        self.of_all.contains(&field)
    }

    /// Whether the field is written of what may be an object of a class, or of one above or below it.
    pub(super) fn reach(&self, solver: &Solver<'_>, class: TypeIndex, field: Symbol) -> bool {
        let row = &solver.program.types[class.at()];
        let mut related = row.order.iter().chain(&row.subtypes);
        self.of_any.contains(&field) || related.any(|class| self.of_classes.contains(&(*class, field)))
    }
}
