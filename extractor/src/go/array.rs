//! Arrays are values: what is assigned, or arrives at a parameter, is a copy with parts of its own.

use tree_sitter::Node;

use super::declaration::is_array_type;
use super::{Walker, position};
use crate::facts::{ContainerKind, Name, Object, PlaceId, Position};

impl<'t> Walker<'t> {
    /// Whether a variable holds an array from here on.
    pub(super) fn hold_array(&mut self, name: Name, is_array: bool) {
        if is_array {
            self.arrays.insert(name);
        } else {
            self.arrays.remove(&name);
        }
    }

    /// Whether an expression gives an array.
    pub(super) fn is_array(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "composite_literal" => node.child_by_field_name("type").is_some_and(is_array_type),
            "identifier" => {
                let name = self.name_of(node);
                self.arrays.contains(&name)
            }
            _ => false,
        }
    }

    /// The value of an expression where it is assigned: a copy, if it is an array that a variable holds.
    pub(super) fn copied_array(&mut self, node: Node<'t>, value: PlaceId) -> PlaceId {
        if node.kind() == "identifier" && self.is_array(node) {
            return self.array_copy(value, position(node));
        }
        value
    }

    /// A copy of an array.
    pub(super) fn array_copy(&mut self, from: PlaceId, at: Position) -> PlaceId {
        let own = self.builder.object(Object::Container(ContainerKind::List), at);
        self.builder.copy_parts(from, own, 0, Vec::new(), at);
        own
    }
}
