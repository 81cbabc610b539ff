//! Properties that are made by a call, wherever what it gives goes from there.
//!
//! ```python
//! def header(name):
//!     def get(self): return self.headers.get(name)
//!     def put(self, value): self.headers[name] = value
//!     return property(get, put)
//!
//! class Response:
//!     location = header("Location")      # whoever reads it calls `get`, and whoever writes it `put`
//! ```

use tree_sitter::Node;

use super::Walker;
use super::definition::binding_of;
use crate::facts::{Argument, Binding, FunctionId, Object, PlaceId, PropertyMade};
use crate::tree::children;

impl<'t> Walker<'t> {
    /// Notes which function such a call makes a property of, and what writes it and takes it away.
    pub(super) fn note_property(&mut self, call: Node<'t>, given: &[Argument]) {
        let Some(function) = call.child_by_field_name("function") else {
            return;
        };
        if binding_of(self.text_of(function)) != Some(Binding::Property) {
            return;
        }
        let arguments = call.child_by_field_name("arguments");
        let nodes: Vec<Node<'t>> = arguments.into_iter().flat_map(children).collect();
        let find = |walker: &Self, name: &str, position: usize| {
            let is_named = |node: &Node<'t>| {
                let own = node.child_by_field_name("name");
                node.kind() == "keyword_argument" && own.is_some_and(|own| walker.text_of(own) == name)
            };
            let by_position = || {
                nodes
                    .get(position)
                    .is_some_and(|node| node.kind() != "keyword_argument")
            };
            let named = nodes.iter().position(is_named);
            named.or_else(|| by_position().then_some(position))
        };
        let Some(getter) = find(self, "fget", 0) else { return };
        let value = |index: usize| nodes[index].child_by_field_name("value").unwrap_or(nodes[index]);
        let place = |index: usize| given.get(index).and_then(|argument| argument.place);
        let Some(function) = self.function_named(value(getter), place(getter)) else {
            return;
        };
        let writers = [("fset", 1), ("fdel", 2)].map(|(name, at)| find(self, name, at).and_then(place));
        self.builder.facts.properties_made.push(PropertyMade {
            getter: function,
            writers,
        });
    }

    /// The function that an argument is: a lambda, or the last one of that name before.
    fn function_named(&mut self, node: Node<'t>, place: Option<PlaceId>) -> Option<FunctionId> {
        let facts = &self.builder.facts;
        match node.kind() {
            "lambda" => facts.objects.iter().rev().find_map(|(own, object)| match object {
                Object::Function(function) if Some(*own) == place => Some(*function),
                _ => None,
            }),
            "identifier" => {
                let name = self.text_of(node);
                let here = self.builder.function();
                let named = |parent: Option<FunctionId>| {
                    let is_it = |row: &crate::facts::Function| facts.text(row.name) == name && row.parent == parent;
                    facts.functions.iter().rposition(is_it)
                };
                let found =
                    named(Some(here)).or_else(|| facts.functions.iter().rposition(|row| facts.text(row.name) == name));
                found.map(|index| FunctionId(index as u32))
            }
            _ => None,
        }
    }
}
