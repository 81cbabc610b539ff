//! Objects that library code gets as the results of what it calls: who calls their methods is not seen.
//!
//! ```go
//! func (drv) Open(name string) (driver.Conn, error) { return &conn{}, nil }     // nobody here calls it: the library has `conn` from now on
//! pool.LoadOrCompute(1, func() *mux { return &mux{} })                          // and this `mux`
//! var stores cache.Map[Store]                                                   // and makes a `Store` itself
//! ```

use ripple_schema::{How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite, End, NO_CALL};
use crate::builtins::is_builtin;
use crate::facts::TypeExpressionId;
use crate::link::{FunctionIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

impl Collector<'_, '_> {
    pub(super) fn given_outside(&mut self) {
        let mut called: FxHashSet<FunctionIndex> = FxHashSet::default();
        let mut handed: Vec<(FunctionIndex, Symbol, EdgeSite)> = Vec::new();
        for edge in &self.flows.calls {
            let End::Function(function) = edge.target else { continue };
            if edge.rule != Rule::HandedToLibrary {
                called.insert(function);
                continue;
            }
            let row = self.solver.calls.get(edge.call as usize);
            let library = row
                .into_iter()
                .flat_map(|row| &row.targets)
                .find_map(|target| match target {
                    Target::External(name) => Some(*name),
                    _ => None,
                });
            handed.extend(library.map(|library| (function, library, edge.site)));
        }
        for function in (0..self.solver.program.functions.len() as u32).map(FunctionIndex) {
            if !called.contains(&function) {
                handed.extend(self.declared_outside(function));
            }
        }
        let mut given: Vec<(TypeIndex, Symbol, EdgeSite)> = Vec::new();
        for (function, library, site) in handed {
            for result in self.solver.function_results(function) {
                let made = self.solver.held(result).filter_map(|(_, object)| match object {
                    Object::Instance(class) => Some(class),
                    _ => None,
                });
                given.extend(made.map(|class| (class, library, site)));
            }
        }
        given.extend(self.arguments_of_declared());
        given.sort_unstable();
        given.dedup_by_key(|(class, library, _)| (*class, *library));
        for (class, library, site) in given {
            self.hand_over(End::Type(class), (End::External(library), How::Return), site, NO_CALL);
        }
    }

    /// Types of the index that something is declared with as arguments of a library's: `var stores cache.Map[Store]`.
    fn arguments_of_declared(&self) -> Vec<(TypeIndex, Symbol, EdgeSite)> {
        let (solver, program) = (self.solver, &self.solver.program);
        let mut found = Vec::new();
        for (file, place, given) in &solver.declared.arguments {
            let objects = |of: TypeExpressionId| solver.type_cache.get(&(*file, of.0)).into_iter().flatten();
            let place = &program.files[file.at()].facts.places[place.0 as usize];
            let site = EdgeSite::from((*file, place.position));
            let (outer, given) = *given;
            let libraries = objects(outer).filter_map(|object| match solver.objects.get(*object) {
                Object::External(name) | Object::AnyExternal(name) => Some(name),
                _ => None,
            });
            // Go's own library calls nothing of what it holds so.
            let of_other_module = |name: &Symbol| {
                let host = program.symbols.text(*name).split_once('/').map(|(host, _)| host);
                host.is_some_and(|host| host.contains('.'))
            };
            for library in libraries.filter(of_other_module) {
                let classes = objects(given).filter_map(|object| match solver.objects.get(*object) {
                    Object::Instance(class) | Object::AnyOf(class) => Some(class),
                    _ => None,
                });
                found.extend(classes.map(|class| (class, library, site)));
            }
        }
        found
    }

    /// The type of a library that a method is declared to give.
    fn declared_outside(&mut self, function: FunctionIndex) -> Option<(FunctionIndex, Symbol, EdgeSite)> {
        let row = self.solver.program.functions[function.at()];
        if self.solver.untyped.contains(&row.file) || row.owner.is_none() {
            return None;
        }
        let facts = self.solver.program.function_facts(function);
        let at = EdgeSite::from((row.file, facts.position));
        let results = facts.results.clone();
        results.into_iter().find_map(|result| {
            let declared = self.solver.program.declared_type(row.file, result)?;
            let known = self.solver.type_cache.get(&(row.file, declared.0))?;
            known.iter().find_map(|object| match self.solver.objects.get(*object) {
                Object::External(name) | Object::AnyExternal(name) => {
                    // What the language itself has, everybody looks at: an error.
                    let language = self.solver.program.files[row.file.at()].language;
                    (!is_builtin(language, self.solver.program.symbols.text(name))).then_some((function, name, at))
                }
                _ => None,
            })
        })
    }
}
