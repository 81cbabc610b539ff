//! Arrays are values: what is assigned, or arrives at a parameter, is a copy with parts of its own.

use tree_sitter::Node;

use super::declaration::is_array_type;
use super::{Walker, position};
use crate::facts::{ContainerKind, ElementKey, Name, Object, PlaceId, Position, TypeExpression};
use crate::tree::children;

/// Most arrays in an array that are told apart.
const LENGTH_LIMIT: u32 = 8;

/// How deep they are looked for.
const DEPTH_LIMIT: u8 = 2;

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
            // A field of a structure that this file declares.
            "selector_expression" => {
                let (operand, field) = (node.child_by_field_name("operand"), node.child_by_field_name("field"));
                let (Some(operand), Some(field)) = (operand, field) else {
                    return false;
                };
                let field = self.name_of(field);
                let structure = self.structure_of(operand);
                let arrays = structure.and_then(|structure| self.array_fields.get(&structure));
                arrays.is_some_and(|arrays| arrays.contains(&field))
            }
            _ => false,
        }
    }

    /// The type of a variable, where that is a structure or leads to one, as far as this file tells.
    fn structure_of(&mut self, variable: Node<'t>) -> Option<Name> {
        if variable.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(variable);
        let expressions = &self.builder.facts.type_expressions;
        let mut declared = self
            .variable_types
            .get(&name)
            .and_then(|of| expressions.get(of.0 as usize));
        if let Some(TypeExpression::Pointer(inner)) = declared {
            declared = expressions.get(inner.0 as usize);
        }
        if let Some(TypeExpression::Path { parts, .. }) = declared {
            return parts.as_slice().first().copied().filter(|_| parts.len() == 1);
        }
        let text = self.static_type(variable, 0)?;
        Some(self.builder.name(text.trim_start_matches('*')))
    }

    /// Notes which fields of a structure of the file are arrays. Those of arrays are left to what their type says.
    pub(super) fn note_array_fields(&mut self, structure: Name, of: Node<'t>) {
        let list = children(of).find(|child| child.kind() == "field_declaration_list");
        let declarations = list.into_iter().flat_map(children);
        for declaration in declarations.filter(|node| node.kind() == "field_declaration") {
            let Some(declared) = declaration.child_by_field_name("type") else {
                continue;
            };
            let is_flat = !declared.child_by_field_name("element").is_some_and(is_array_type);
            let mut cursor = declaration.walk();
            for name in declaration.children_by_field_name("name", &mut cursor) {
                let name = self.name_of(name);
                if is_array_type(declared) && is_flat {
                    self.array_fields.entry(structure).or_default().push(name);
                }
            }
        }
    }

    /// The value of an expression where it is assigned: a copy, if it is an array that a variable holds.
    pub(super) fn copied_array(&mut self, node: Node<'t>, value: PlaceId) -> PlaceId {
        if matches!(node.kind(), "identifier" | "selector_expression") && self.is_array(node) {
            return self.array_copy(value, position(node));
        }
        value
    }

    /// An array of arrays holds them from the start.
    pub(super) fn fill_array(&mut self, made: PlaceId, array: Node<'t>, depth: u8, at: Position) {
        let inner = array
            .child_by_field_name("element")
            .filter(|inner| is_array_type(*inner));
        let length = array
            .child_by_field_name("length")
            .and_then(|length| self.constant_key(length));
        let (Some(inner), true) = (inner, depth < DEPTH_LIMIT) else {
            return;
        };
        let keys = match length {
            Some(ElementKey::Index(length @ 0..=LENGTH_LIMIT)) => (0..length).map(ElementKey::Index).collect(),
            _ => vec![ElementKey::Any],
        };
        for key in keys {
            let own = self.builder.object(Object::Container(ContainerKind::List), at);
            self.fill_array(own, inner, depth + 1, at);
            self.builder.element_store(made, key, Some(own), at);
        }
    }

    /// A copy of an array.
    pub(super) fn array_copy(&mut self, from: PlaceId, at: Position) -> PlaceId {
        let own = self.builder.object(Object::Container(ContainerKind::List), at);
        self.builder.copy_parts(from, own, 0, Vec::new(), at);
        own
    }
}
