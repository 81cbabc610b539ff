//! Slices that a statement makes longer or shorter: `items = append(items, text)`, `items = items[:len(items)-1]`.
//!
//! The variable holds the same parts, and one more behind them or one less. What another variable holds is no longer or shorter.

use tree_sitter::Node;

use super::Walker;
use crate::facts::builder::Happened;
use crate::facts::{AtEnd, ContainerKind, Name, PlaceId, TypeExpression};
use crate::tree::{Parts, children};

/// How long a list is that is written so, or a little less.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length {
    list: Name,
    /// The variable's definition, where it is one.
    held: Option<PlaceId>,
    when: Happened,
    less: u32,
}

impl<'t> Walker<'t> {
    /// Notes the variable or field that an assignment gives what it makes of itself.
    pub(super) fn note_changed(&mut self, targets: &[Node<'t>], right: Node<'t>) {
        let mut values = children(right);
        self.changed = match (targets, values.next(), values.next()) {
            ([target], Some(value), None) => {
                let is_change = matches!(value.kind(), "call_expression" | "slice_expression");
                is_change.then(|| self.written(*target)).flatten()
            }
            _ => None,
        };
    }

    /// What a variable, a field of one, or what a pointer leads to is written as.
    pub(super) fn written(&mut self, node: Node<'t>) -> Option<Name> {
        let is_plain = |node: Node<'t>| node.kind() == "identifier";
        match node.kind() {
            "identifier" => Some(self.name_of(node)),
            "parenthesized_expression" => self.written(node.part(0)?),
            "selector_expression" if node.child_by_field_name("operand").is_some_and(is_plain) => {
                Some(self.builder.name(self.text_of(node)))
            }
            "unary_expression" if self.text_of(node).starts_with('*') => {
                let operand = node.child_by_field_name("operand").filter(|operand| is_plain(*operand));
                operand.map(|_| self.builder.name(self.text_of(node)))
            }
            _ => None,
        }
    }

    /// Whether this is the variable or field that is given what is made of it here.
    pub(super) fn is_changed(&mut self, node: Node<'t>) -> bool {
        let written = self.written(node);
        written.is_some() && std::mem::take(&mut self.changed) == written
    }

    /// What a slice expression cuts off, where it is given to the variable that it is of.
    pub(super) fn cut_of(&mut self, node: Node<'t>) -> Option<AtEnd> {
        let operand = node.child_by_field_name("operand")?;
        let part = |end: &str| node.child_by_field_name(end);
        let is_first = || part("start").is_some_and(|start| self.text_of(start) == "1");
        if operand.kind() != "identifier" && is_first() && part("end").is_none() {
            return self.is_changed(operand).then_some(AtEnd::CutFirst);
        }
        let end = part("end")?;
        if part("start").is_some_and(|start| self.text_of(start) != "0") || !self.is_changed(operand) {
            return None;
        }
        if self.text_of(end) == "0" {
            return Some(AtEnd::CutAll);
        }
        (self.before_end(operand, end) == Some(1)).then_some(AtEnd::CutLast)
    }

    /// How far from the end of a list a number is: `len(list)-1`, or a variable that holds that.
    pub(super) fn before_end(&mut self, list: Node<'t>, number: Node<'t>) -> Option<u32> {
        match number.kind() {
            "call_expression" => {
                let arguments = number.child_by_field_name("arguments")?;
                let function = number.child_by_field_name("function")?;
                let counted = arguments.part(0).filter(|_| arguments.part_count() == 1)?;
                let is_length = self.text_of(function) == "len" && self.written(counted) == Some(self.written(list)?);
                is_length.then_some(0)
            }
            "binary_expression" => {
                let (left, right) = (
                    number.child_by_field_name("left")?,
                    number.child_by_field_name("right")?,
                );
                let less = self.number(right, None, 0).and_then(|less| u32::try_from(less).ok())?;
                let is_less = number.child_by_field_name("operator")?.kind() == "-";
                let from = self.before_end(list, left).filter(|_| is_less)?;
                from.checked_add(less)
            }
            "identifier" => {
                let name = self.name_of(number);
                let held = self.builder.only_definition(name)?;
                let known = *self.lengths.get(&held)?;
                let is_own = self.builder.is_own_variable(name) && !self.addressed.contains(&name);
                (is_own && self.written(list) == Some(known.list) && self.is_as_long(known, list)).then_some(known.less)
            }
            _ => None,
        }
    }

    fn is_as_long(&mut self, known: Length, list: Node<'t>) -> bool {
        match list.kind() {
            "identifier" => self.builder.only_definition(known.list) == known.held,
            _ => self.builder.happened() == known.when,
        }
    }

    /// A variable gets the length of a list, or a little less.
    pub(super) fn note_length(&mut self, target: Node<'t>, value: Option<Node<'t>>) {
        let Some(value) = value.filter(|_| target.kind() == "identifier") else {
            return;
        };
        let (call, less) = match value.kind() {
            "call_expression" => (value, 0),
            "binary_expression" => {
                let less = value
                    .child_by_field_name("right")
                    .map(|less| self.text_of(less).parse());
                let is_less = value
                    .child_by_field_name("operator")
                    .is_some_and(|operator| operator.kind() == "-");
                match (value.child_by_field_name("left"), less) {
                    (Some(call), Some(Ok(less))) if is_less && call.kind() == "call_expression" => (call, less),
                    _ => return,
                }
            }
            _ => return,
        };
        let counted = call
            .child_by_field_name("arguments")
            .and_then(|counted| counted.part(0));
        let Some(counted) = counted else { return };
        if self.before_end(counted, call) != Some(0) {
            return;
        }
        let (name, list) = (self.name_of(target), self.written(counted));
        if let (Some(held), Some(list)) = (self.builder.only_definition(name), list) {
            let length = Length {
                list,
                held: self.builder.only_definition(list),
                when: self.builder.happened(),
                less,
            };
            self.lengths.insert(held, length);
        }
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
