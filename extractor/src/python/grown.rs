//! Containers that grow under tests: how many things are in one, and which, depends on what was tested.
//!
//! ```python
//! for event in events:
//!     if event["kind"] == "click":
//!         clicks.append(event)            # `len(clicks)` depends on `kind`
//!     days[event["day"]].append(1)        # and what is in `days` on `day`
//! ```

use tree_sitter::Node;

use super::file_constants::is_constant;
use super::{Walker, position};
use crate::facts::{ElementKey, PlaceId};
use crate::tree::Parts;

/// Methods that put something into a container.
const GROWING: &[&str] = &[
    "add",
    "append",
    "appendleft",
    "extend",
    "insert",
    "setdefault",
    "update",
];

impl<'t> Walker<'t> {
    /// Whether what is in a container is found by other functions: it is in a field, or in a variable of the file.
    fn is_elsewhere(&mut self, whole: Node<'t>) -> bool {
        if whole.kind() == "attribute" {
            return true;
        }
        let name = self.name_of(whole);
        !self.builder.is_own_variable(name)
    }

    /// What is put into a container under tests is there by them, each part of it: `rows.append({"weight": weight})`.
    pub(super) fn note_put(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) {
        let member = function.child_by_field_name("attribute");
        if self.builder.has_tests() && member.is_some_and(|member| GROWING.contains(&self.text_of(member))) {
            let call = arguments.and_then(|arguments| arguments.parent());
            call.into_iter().for_each(|call| self.note_returned(call));
        }
    }

    /// A loop puts a constant, or an object that it makes, into a variable's container: how many there are is how often it goes round.
    fn grown_by_rounds(&mut self, function: Node<'t>, container: PlaceId) {
        let arguments = function.parent().and_then(|call| call.child_by_field_name("arguments"));
        let first = arguments.and_then(|arguments| arguments.part(0));
        let is_one = first.is_some_and(|first| is_constant(first) || self.makes_object(first));
        if let Some(rounds) = self.rounds_of().filter(|_| is_one) {
            self.builder.test(Some(rounds), container, position(function));
        }
    }

    /// `Position(…)`: its parts are in its fields, and nothing else is told of it.
    pub(super) fn makes_object(&self, node: Node<'t>) -> bool {
        let function = node.child_by_field_name("function").filter(|_| node.kind() == "call");
        function.is_some_and(|function| self.looks_like_class(function))
    }

    /// What is called may put something into a variable's container.
    pub(super) fn grown_by(&mut self, function: Node<'t>) {
        let member = function
            .child_by_field_name("attribute")
            .map_or("", |member| self.text_of(member));
        let Some(object) = function
            .child_by_field_name("object")
            .filter(|_| GROWING.contains(&member))
        else {
            return;
        };
        let whole = match object.kind() {
            "subscript" => object.child_by_field_name("value"),
            _ => Some(object),
        };
        let is_field = |whole: &Node<'t>| {
            let of = whole
                .child_by_field_name("object")
                .filter(|_| whole.kind() == "attribute");
            of.is_some_and(|of| of.kind() == "identifier")
        };
        let Some(whole) = whole.filter(|whole| whole.kind() == "identifier" || is_field(whole)) else {
            return;
        };
        let is_part = whole != object;
        if !is_part && self.is_elsewhere(whole) {
            let at = position(function);
            if let Some(container) = self.look(whole) {
                self.builder.grows(container, at);
            }
        }
        if whole.kind() != "identifier" {
            return;
        }
        if !is_part && let Some(container) = self.look(whole) {
            self.grown_by_rounds(function, container);
        }
        // What is called in a key is called once.
        if is_part && self.text_of(object).contains('(') || !is_part && !self.builder.has_tests() {
            return;
        }
        let at = position(function);
        let Some(container) = self.look(whole) else { return };
        self.builder.chosen_as(container, at);
        if is_part && let (ElementKey::Any, key) = self.subscript_key(object) {
            self.builder.test(key, container, at);
        }
    }
}
