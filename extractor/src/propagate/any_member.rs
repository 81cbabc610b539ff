//! Members that are read under names which nobody knows before the program runs, wherever they go from there.
//!
//! ```python
//! def find(addon, name):
//!     return getattr(addon, name)       # some member of an `Addon`
//!
//! for hook in hooks: hook = find(addon, hook); hook(flow)        # and that is called
//! ```
//!
//! What it is is not known, but whose it is: so it travels as one object for each type or module that was asked, and a call of it is one of
//! `Addon.*` (see [`super::edges`]).

use super::object::Object;
use super::solve::Solver;
use crate::link::{FileIndex, PlaceIndex};

impl Solver<'_> {
    /// Gives the places that such members come to what stands for them. Whether there was anything new.
    pub(super) fn any_members(&mut self) -> bool {
        let mut found = Vec::new();
        for (index, file) in self.program.files.iter().enumerate() {
            for (base, to) in &file.facts.computed_members {
                let place = |local| self.program.place(FileIndex(index as u32), local);
                let (base, to) = (place(*base), place(*to));
                found.extend(self.wholes_of(base).map(|whole| (to, whole)));
            }
        }
        for (base, to, _) in &self.computed {
            found.extend(self.wholes_of(*base).map(|whole| (*to, whole)));
        }
        let before = self.work.len();
        for (to, whole) in found {
            let whole = self.program.symbols.intern(&whole);
            let member = self.objects.intern(Object::AnyMember(whole));
            self.add(to, member);
        }
        self.work.len() > before
    }

    /// The names of the types and modules that a place holds.
    pub(super) fn wholes_of(&self, base: PlaceIndex) -> impl Iterator<Item = String> {
        self.held(base).filter_map(|(_, object)| match object {
            Object::Instance(index) | Object::AnyOf(index) | Object::Class(index) => {
                Some(self.program.type_name(index))
            }
            Object::Package(package) => Some(self.program.packages[package.at()].name.clone()),
            Object::AnyMember(whole) if self.program.symbols.text(whole) == ANY_MODULES => Some(ANY_MODULE.to_owned()),
            _ => None,
        })
    }
}

/// A module of which the name is only known while the program runs: `import_module(name)`.
pub(super) const ANY_MODULES: &str = "(modules)";

/// What stands for such a module, as the whole that a member is of.
pub const ANY_MODULE: &str = "(module)";
