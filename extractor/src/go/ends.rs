//! Slices that a statement makes longer or shorter: `items = append(items, text)`, `items = items[:len(items)-1]`.
//!
//! The variable holds the same parts, and one more behind them or one less. What another variable holds is no longer or shorter.

use tree_sitter::Node;

use super::Walker;
use crate::facts::AtEnd;
use crate::tree::children;

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
}
