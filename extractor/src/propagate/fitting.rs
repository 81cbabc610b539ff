//! Members of which only a part of the name is known.
//!
//! `getattr(visitor, "visit_" + kind)` reads one of the members of `visitor` that begin with `visit_`: what is in `visitor` says
//! which there are, and each of them is then read by its whole name.

use super::object::{Object, ObjectId};
use super::solve::{LoadRow, Solver};
use crate::facts::FieldKind;
use crate::link::scope::fits;
use crate::link::{FunctionIndex, PackageIndex, PlaceIndex, Symbol, TypeIndex};

/// Most members that are read where a part of the name is known; of more, none says anything.
pub(super) const FITTING_LIMIT: usize = 128;

/// Letters of the end of a name that tell which of a module's names are meant, where nothing is known of how they begin.
const END_LENGTH: usize = 3;

/// Whether a member's name stands for several.
pub(super) fn is_pattern(name: &str) -> bool {
    name.contains('*')
}

impl Solver<'_> {
    /// What a load of any member that fits finds in an object.
    pub(super) fn load_fitting(&mut self, load: u32, object: ObjectId) {
        let row = self.loads[load as usize];
        self.note_widening(load, object);
        if let Object::Package(package) = self.objects.get(object) {
            return self.load_fitting_of_module(&row, package);
        }
        let types: Vec<TypeIndex> = match self.objects.get(object) {
            Object::Instance(index) | Object::Class(index) => self.program.types[index.at()].order.clone(),
            Object::AnyOf(index) => {
                let own = &self.program.types[index.at()];
                own.order.iter().chain(&own.subtypes).copied().collect()
            }
            _ => return,
        };
        for member in self.members_fitting(&types, row.member) {
            self.load_named(LoadRow {
                member,
                implicit: true,
                ..row
            });
        }
    }

    /// `getattr(checks, name)` where the names begin with `check_`: functions of the module.
    fn load_fitting_of_module(&mut self, row: &LoadRow, package: PackageIndex) {
        let symbols = &self.program.symbols;
        let Some((first, last)) = symbols.text(row.member).split_once('*') else {
            return;
        };
        let names = self.program.packages[package.at()].scope.keys();
        // A short end fits much that is not meant.
        let is_telling = !first.is_empty() || last.trim_matches('_').len() >= END_LENGTH;
        let mut found: Vec<Symbol> = names
            .filter(|name| is_telling && fits(symbols.text(**name), first, last))
            .copied()
            .collect();
        found.sort_unstable_by_key(|name| symbols.text(*name));
        for member in found.into_iter().take(FITTING_LIMIT) {
            self.load_named(LoadRow {
                member,
                implicit: false,
                ..*row
            });
        }
    }

    /// Reads one of the members that fit, once for each place that gets it.
    fn load_named(&mut self, row: LoadRow) {
        let known = self.fitting.entry((row.base, row.member)).or_default();
        if !known.contains(&row.to) {
            known.push(row.to);
            self.push_load(row);
        }
    }

    /// Whether a method was read from there by a part of its name.
    pub(super) fn is_fitting(&self, base: PlaceIndex, function: FunctionIndex) -> bool {
        if self.fitting.is_empty() {
            return false;
        }
        let file = self.program.functions[function.at()].file;
        let name = self.program.symbol(file, self.program.function_facts(function).name);
        self.fitting.contains_key(&(base, name))
    }

    /// The names of methods, and of what else class bodies bind, that fit; none if there are too many.
    fn members_fitting(&self, types: &[TypeIndex], pattern: Symbol) -> Vec<Symbol> {
        let symbols = &self.program.symbols;
        let Some((first, last)) = symbols.text(pattern).split_once('*') else {
            return Vec::new();
        };
        let is_any = first.is_empty() && last.is_empty();
        let mut found: Vec<Symbol> = Vec::new();
        for index in types {
            for (name, place) in &self.program.types[index.at()].members {
                let member = self.program.member_of(*place);
                let is_of_class =
                    member.is_some_and(|member| !matches!(member.field, Some(FieldKind::Field | FieldKind::Attribute)));
                // Who goes over all names means no special methods.
                let is_meant = !is_any || !symbols.text(*name).starts_with("__");
                if is_of_class && is_meant && fits(symbols.text(*name), first, last) {
                    found.push(*name);
                }
            }
        }
        found.sort_unstable_by_key(|name| symbols.text(*name));
        found.dedup();
        if found.len() > FITTING_LIMIT {
            found.clear();
        }
        found
    }
}
