//! `total += price`, `count++`: what a variable holds is joined to another value.
//!
//! ```go
//! total := 1
//! total += 2
//! if total > 5 {       // never: it is 3
//!     send(text)
//! }
//! ```

use tree_sitter::Node;

use super::Walker;
use crate::facts::{Constant, Position, TypeExpression};

impl<'t> Walker<'t> {
    /// An operator joins what the target holds to a value, or to one where there is none.
    pub(super) fn assign_joined(&mut self, target: Node<'t>, operator: &str, value: Option<Node<'t>>, at: Position) {
        let other = match value {
            Some(value) => self.constant(value),
            None => Some(Constant::Number(1)),
        };
        let held = match target.kind() {
            "identifier" if self.is_whole_number(target) => self.constant(target),
            _ => None,
        };
        let known = held.zip(other);
        let known = known.and_then(|(held, other)| combined(held, operator, other));
        let mut parts = vec![self.expression(target)];
        parts.extend(value.map(|value| self.expression(value)));
        let sum = self.builder.derived(&parts, at);
        let sum = self.summed(sum, at);
        let is_counted = other.is_some() && !self.begins_anew(target);
        self.counted(sum.filter(|_| is_counted), at);
        if let Some(sum) = sum.filter(|_| matches!(target.kind(), "selector_expression" | "index_expression")) {
            self.builder.kept_when_called(sum, at);
        }
        self.note_assigned(target, None);
        self.assign(target, sum, false, at);
        self.note_known(target, known);
        self.note_static_type(target, known.map(|_| "int".to_owned()));
    }

    /// What an expression of two whole numbers comes to; sums of sums are not looked into, since they may be as long as somebody likes.
    pub(super) fn constant_joined(&mut self, sum: Node<'t>) -> Option<Constant> {
        let (left, right) = (sum.child_by_field_name("left")?, sum.child_by_field_name("right")?);
        let operator = sum.child_by_field_name("operator")?.kind();
        // Bits of one and of the other are no more than there were.
        let is_of_bits = matches!(operator, "&" | "|" | "&^");
        if !is_of_bits && ![left, right].into_iter().all(|side| self.is_whole_number(side)) {
            return None;
        }
        combined(self.constant(left)?, operator, self.constant(right)?)
    }

    /// Whether an expression is a literal, or a variable of a type that holds whole numbers below zero, too, and does not soon begin again.
    fn is_whole_number(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "int_literal" => true,
            "identifier" => {
                let name = self.name_of(node);
                let declared = self.variable_types.get(&name).copied();
                match declared.and_then(|declared| self.builder.facts.type_expressions.get(declared.0 as usize)) {
                    Some(TypeExpression::Path { parts, .. }) => match parts.as_slice() {
                        [of] => matches!(self.builder.facts.text(*of), "int" | "int32" | "int64"),
                        _ => false,
                    },
                    Some(_) => false,
                    None => self.static_type(node, 0).as_deref() == Some("int"),
                }
            }
            _ => false,
        }
    }
}

/// What an operator makes of two whole numbers.
fn combined(left: Constant, operator: &str, right: Constant) -> Option<Constant> {
    let (Constant::Number(left), Constant::Number(right)) = (left, right) else {
        return None;
    };
    let made = match operator {
        "&" => left & right,
        "|" => left | right,
        "&^" => left & !right,
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        _ => return None,
    };
    Some(Constant::Number(made))
}
