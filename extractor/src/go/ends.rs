//! Slices that a statement makes longer or shorter: `items = append(items, text)`, `items = items[:len(items)-1]`.
//!
//! The variable holds the same parts, and one more behind them or one less. What another variable holds is no longer or shorter.

use tree_sitter::Node;

use super::Walker;
use crate::facts::{AtEnd, ContainerKind, TypeExpression};
use crate::tree::{Parts, children};

impl<'t> Walker<'t> {
    /// Notes the variable that an assignment gives what it makes of itself.
    pub(super) fn note_changed(&mut self, targets: &[Node<'t>], right: Node<'t>) {
        let mut values = children(right);
        self.changed = match (targets, values.next(), values.next()) {
            ([target], Some(value), None) if target.kind() == "identifier" => {
                let is_change = matches!(value.kind(), "call_expression" | "slice_expression");
                is_change.then(|| self.name_of(*target))
            }
            _ => None,
        };
    }

    /// Whether this is the variable that is given what is made of it here.
    pub(super) fn is_changed(&mut self, node: Node<'t>) -> bool {
        let name = (node.kind() == "identifier").then(|| self.name_of(node));
        name.is_some() && std::mem::take(&mut self.changed) == name
    }

    /// What a slice expression cuts off, where it is given to the variable that it is of.
    pub(super) fn cut_of(&mut self, node: Node<'t>) -> Option<AtEnd> {
        let operand = node.child_by_field_name("operand")?;
        let end = node.child_by_field_name("end")?;
        if !self.is_changed(operand) {
            return None;
        }
        let name = self.text_of(operand);
        let text: String = self.text_of(end).split_whitespace().collect();
        if text == "0" {
            return Some(AtEnd::CutAll);
        }
        (text == format!("len({name})-1")).then_some(AtEnd::CutLast)
    }

    /// Whether an expression is a slice with nothing in it: `[]string{}`, `[]string(nil)`, `make([]string, 0, 8)`.
    pub(super) fn is_empty_slice(&mut self, node: Node<'t>) -> bool {
        let part = |field: &str| node.child_by_field_name(field);
        let of = |of: Option<Node<'t>>| of.is_some_and(|of| of.kind() == "slice_type");
        match node.kind() {
            "composite_literal" => of(part("type")) && part("body").is_some_and(|body| body.part(0).is_none()),
            "type_conversion_expression" => of(part("type")) && part("operand").is_some_and(|of| of.kind() == "nil"),
            "call_expression" => {
                let is_make = part("function").is_some_and(|function| self.text_of(function) == "make");
                let given: Vec<_> = part("arguments").into_iter().flat_map(children).collect();
                let length = given.get(1).map(|length| self.text_of(*length));
                is_make && of(given.first().copied()) && length == Some("0")
            }
            _ => false,
        }
    }

    /// Whether an expression is a slice that the function was given, of no type of its own.
    pub(super) fn is_given(&mut self, node: Option<Node<'t>>) -> bool {
        let Some(node) = node.filter(|node| node.kind() == "identifier") else {
            return false;
        };
        let name = self.name_of(node);
        let parameters = &self.builder.function_mut().parameters;
        if parameters.iter().all(|parameter| parameter.name != name) {
            return false;
        }
        let declared = self.variable_types.get(&name).map(|declared| declared.0 as usize);
        let declared = declared.and_then(|declared| self.builder.facts.type_expressions.get(declared));
        matches!(
            declared,
            Some(TypeExpression::Container {
                kind: ContainerKind::List,
                ..
            })
        )
    }
}
