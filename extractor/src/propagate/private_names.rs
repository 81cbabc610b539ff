//! Names that belong to the class in which they are written: the language puts the class's name before them.
//!
//! ```python
//! class Base:
//!     def run(self): self.__step()         # `Base.__step`, whatever class the object is of
//! class Own(Base):
//!     def __step(self): ...                # another method
//! ```

use super::solve::Solver;
use crate::link::{FunctionIndex, Symbol, TypeIndex};

impl Solver<'_> {
    /// A name that belongs to the class in which it is written: `__step`.
    pub(super) fn is_private(&self, name: Symbol) -> bool {
        let text = self.program.symbols.text(name);
        text.starts_with("__") && !text.ends_with("__")
    }

    /// The class that is asked for a member: for a private one that around the function, where the object is of it.
    pub(super) fn asked_of(&self, function: FunctionIndex, name: Symbol, index: TypeIndex) -> TypeIndex {
        if !self.is_private(name) {
            return index;
        }
        let mut around = Some(function);
        while let Some(function) = around {
            let row = &self.program.functions[function.at()];
            if let Some(owner) = row.owner {
                let is_of = self.program.types[index.at()].order.contains(&owner);
                return if is_of { owner } else { index };
            }
            let parent = self.program.function_facts(function).parent;
            around = parent.map(|parent| self.program.function(row.file, parent));
        }
        index
    }
}
