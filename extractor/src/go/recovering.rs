//! Functions that are deferred by their names and take what is thrown, as a closure does that is deferred where it stands.
//!
//! ```go
//! func handle(out *string) { if thrown := recover(); thrown != nil { *out = thrown.(string) } }
//! func run(text string) (out string) { defer handle(&out); panic(text) }     // what is thrown in `run` is `thrown`
//! ```
//!
//! The function may stand behind those that defer it, so that what they take is told at the end of the file.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::Walker;
use crate::facts::{GuardId, Handler, Name, PlaceId};
use crate::tree::children;

/// What a file's functions recover.
#[derive(Debug, Default)]
pub(super) struct Recovering {
    /// Functions and methods that ask what is thrown.
    names: FxHashSet<Name>,
    /// What they get.
    taken: FxHashMap<Name, Vec<PlaceId>>,
    /// What functions defer by these names.
    deferred: Vec<(GuardId, Name)>,
}

impl<'t> Walker<'t> {
    /// Notes the functions of the file that ask what is thrown.
    pub(super) fn note_recovering(&mut self, root: Node<'t>) {
        for declaration in children(root) {
            let is_function = matches!(declaration.kind(), "function_declaration" | "method_declaration");
            let body = declaration.child_by_field_name("body").filter(|_| is_function);
            let recovers = body.is_some_and(|body| self.text_of(body).contains("recover()"));
            let name = declaration.child_by_field_name("name").filter(|_| recovers);
            if let Some(name) = name {
                let name = self.name_of(name);
                self.recovering.names.insert(name);
            }
        }
    }

    /// The name of a function that a statement defers, if that asks what is thrown.
    pub(super) fn recovers_by_name(&mut self, deferred: Node<'t>) -> Option<Name> {
        let function = children(deferred).next()?.child_by_field_name("function")?;
        let name = match function.kind() {
            "identifier" => self.name_of(function),
            "selector_expression" => self.name_of(function.child_by_field_name("field")?),
            _ => return None,
        };
        self.recovering.names.contains(&name).then_some(name)
    }

    /// What happens in a guard is taken by functions of these names, too.
    pub(super) fn note_deferred(&mut self, guard: GuardId, names: Vec<Name>) {
        let rows = names.into_iter().map(|name| (guard, name));
        self.recovering.deferred.extend(rows);
    }

    /// Walks a function of the file, with what it recovers.
    pub(super) fn recovering_inside(&mut self, name: Name, walk: impl FnOnce(&mut Self)) {
        if !self.recovering.names.contains(&name) {
            return walk(self);
        }
        self.recovered.push(Vec::new());
        walk(self);
        let taken = self.recovered.pop().unwrap_or_default();
        self.recovering.taken.entry(name).or_default().extend(taken);
    }

    /// The file ends: who takes what is thrown where functions defer others by name.
    pub(super) fn close_recovering(&mut self) {
        let Recovering { taken, deferred, .. } = std::mem::take(&mut self.recovering);
        for (guard, name) in deferred {
            let handlers = taken.get(&name).into_iter().flatten().map(|to| Handler {
                to: Some(*to),
                class: None,
                looks_on: None,
            });
            self.builder.facts.guards[guard.0 as usize].handlers.extend(handlers);
        }
    }
}
