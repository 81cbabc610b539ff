//! Structures of which all fields are told where they are made, on their way to a call: `export(text, Options{Mode: "full"})`.
//!
//! What a function asks of such a field is then known for that call: the constant that it was given, or nothing at all where it was left out.
//! A field that is assigned anywhere else says nothing: see `propagate/conditions.rs`.

use tree_sitter::Node;

use super::Walker;
use crate::facts::builder::Happened;
use crate::facts::{Constant, MadeArgument, Name, PlaceId};
use crate::tree::{Parts, children};

/// A structure that is made with these fields and no others.
#[derive(Debug, Clone)]
pub(super) struct Made {
    /// The fields, with their constants.
    pub fields: std::rc::Rc<Vec<(Name, Option<Constant>)>>,
    /// Those that are given a parameter as it came.
    pub from: std::rc::Rc<Vec<(Name, PlaceId)>>,
    /// The type, where that is one of the file.
    of: Option<Name>,
    /// What had happened when it was made, where that is before it is used.
    when: Option<Happened>,
}

impl<'t> Walker<'t> {
    /// The fields of a structure that is made here, or was where its variable was declared.
    pub(super) fn made(&mut self, node: Node<'t>) -> Option<Made> {
        match node.kind() {
            "parenthesized_expression" => self.made(node.part(0)?),
            "unary_expression" if self.text_of(node).starts_with('&') => {
                let operand = node.child_by_field_name("operand")?;
                (operand.kind() == "composite_literal").then(|| self.made(operand))?
            }
            "composite_literal" => {
                let of = node.child_by_field_name("type")?;
                if !matches!(of.kind(), "type_identifier" | "qualified_type" | "generic_type") {
                    return None;
                }
                let (mut fields, mut from) = (Vec::new(), Vec::new());
                let body = node.child_by_field_name("body")?;
                for (index, element) in children(body).filter(|child| child.kind() != "comment").enumerate() {
                    let (key, value) = self.field_made(of, (index, element))?;
                    let constant = value.and_then(|value| self.argument_constant(value));
                    fields.push((key, constant));
                    if let Some(value) = value.filter(|value| value.kind() == "identifier" && constant.is_none()) {
                        let name = self.name_of(value);
                        let is_own = !self.addressed.contains(&name);
                        let parameter = self.builder.parameter(name).filter(|_| is_own);
                        from.extend(parameter.map(|parameter| (key, parameter)));
                    }
                }
                let head = if of.kind() == "generic_type" { of.part(0)? } else { of };
                let name = self.name_of(head);
                Some(Made {
                    of: (!self.builder.is_bound(name)).then_some(name),
                    fields: fields.into(),
                    from: from.into(),
                    when: None,
                })
            }
            "identifier" => {
                let name = self.name_of(node);
                let held = self.builder.only_definition(name)?;
                let is_own = self.builder.is_own_variable(name) && !self.addressed.contains(&name);
                self.made.get(&held).filter(|_| is_own).cloned()
            }
            _ => None,
        }
    }

    /// The field that an element of a structure's display is for, by its name or by its position, and the value.
    fn field_made(&mut self, of: Node<'t>, (index, element): (usize, Node<'t>)) -> Option<(Name, Option<Node<'t>>)> {
        let inner = |end: Option<Node<'t>>| match end {
            Some(end) if end.kind() == "literal_element" => end.part(0),
            end => end,
        };
        if element.kind() != "keyed_element" {
            let head = if of.kind() == "generic_type" { of.part(0)? } else { of };
            let name = self.name_of(head);
            let field = *self.file_fields.get(&name)?.get(index)?;
            return Some((field, inner(Some(element))));
        }
        let ends = [("key", 0), ("value", 1)]
            .map(|(end, index)| element.child_by_field_name(end).or_else(|| element.part(index)));
        let [key, value] = ends.map(inner);
        let key = key.filter(|key| matches!(key.kind(), "identifier" | "field_identifier"))?;
        Some((self.name_of(key), value))
    }

    /// A variable is declared with such a structure.
    pub(super) fn note_made(&mut self, target: Node<'t>, value: Option<Node<'t>>) {
        let Some(value) = value.filter(|value| target.kind() == "identifier" && value.kind() != "identifier") else {
            return;
        };
        if let Some(mut made) = self.made(value) {
            let name = self.name_of(target);
            if let Some(place) = self.builder.only_definition(name) {
                made.when = Some(self.builder.happened());
                self.made.insert(place, made);
            }
        }
    }

    /// The parameter that a field of a variable was given where it was made, if that is still there.
    pub(super) fn made_from(&mut self, variable: Name, field: Name) -> Option<PlaceId> {
        let made = self.still_made(variable, field)?;
        let (_, parameter) = *made.from.iter().find(|(name, _)| *name == field)?;
        Some(parameter)
    }

    /// How the structure in a variable was made, if that still says what is in a field of it.
    fn still_made(&self, variable: Name, field: Name) -> Option<&Made> {
        let held = self.builder.only_definition(variable)?;
        let made = self.made.get(&held)?;
        let is_own = self.builder.is_own_variable(variable);
        (is_own && self.builder.is_untouched(field, made.when?, false)).then_some(made)
    }

    /// The constant that a field of a variable was given where it was made, or left at, if that is still there.
    pub(super) fn constant_made(&mut self, variable: Name, field: Name) -> Option<Constant> {
        if self.addressed.contains(&variable) {
            return None;
        }
        let made = self.still_made(variable, field)?;
        if let Some((_, constant)) = made.fields.iter().find(|(name, _)| *name == field) {
            return *constant;
        }
        // What is embedded has fields and methods that the literal does not tell of.
        let fields = self.file_fields.get(&made.of?)?;
        fields.contains(&field).then_some(Constant::Zero)
    }

    /// The last call is given these, by this function or method.
    pub(super) fn note_made_arguments(&mut self, function: Node<'t>, given: &[Node<'t>]) {
        let Some(call) = self.builder.facts.calls.len().checked_sub(1) else {
            return;
        };
        let operand = (function.kind() == "selector_expression").then(|| function.child_by_field_name("operand"));
        let operand = operand.flatten().filter(|operand| operand.kind() == "identifier");
        let of_package = operand.is_some_and(|operand| !self.is_bound(operand));
        let made_here = (function.kind() == "selector_expression").then(|| function.child_by_field_name("operand"));
        let made_here = made_here
            .flatten()
            .filter(|operand| matches!(operand.kind(), "composite_literal" | "parenthesized_expression"));
        if let Some(fields) = operand.or(made_here).and_then(|operand| self.made(operand)) {
            self.push_made(call, None, &fields);
        }
        for (index, node) in given.iter().enumerate() {
            if let Some(fields) = self.made(*node) {
                self.push_made(call, Some(index as u32), &fields);
            }
            // A library may fill what it is given.
            if of_package && node.kind() == "identifier" {
                let name = self.name_of(*node);
                if let Some(held) = self.builder.only_definition(name) {
                    self.made.remove(&held);
                }
            }
        }
    }

    fn is_bound(&mut self, node: Node<'t>) -> bool {
        let name = self.name_of(node);
        self.builder.is_bound(name)
    }

    fn push_made(&mut self, call: usize, argument: Option<u32>, made: &Made) {
        let now = self.builder.happened();
        // The call itself is the one that has been added.
        let is_direct = made.when.is_none_or(|when| {
            Happened {
                calls: when.calls + 1,
                ..when
            } == now
        });
        self.builder.facts.made_arguments.push(MadeArgument {
            call: call as u32,
            argument,
            fields: made.fields.to_vec(),
            is_direct,
        });
    }

    /// Whether a structure that pointers may lead to is written over as a whole.
    pub(super) fn is_set_anew(&mut self, target: Node<'t>, value: Option<Node<'t>>) -> bool {
        let made = value.filter(|value| value.kind() == "composite_literal");
        let made = made.and_then(|made| made.child_by_field_name("type"));
        if target.kind() != "identifier" || made.is_none_or(|of| of.kind() != "type_identifier") {
            return false;
        }
        let (name, of) = (self.name_of(target), made.map(|of| self.name_of(of)));
        let is_boxed = self.builder.box_of(name).is_some();
        let is_structure = of.is_some_and(|of| self.structures.contains(&of));
        is_structure && self.is_addressed(name) && !is_boxed && self.builder.is_bound(name)
    }

    /// A field is assigned, or its address is taken; or all fields of what a pointer leads to are.
    pub(super) fn note_assigned(&mut self, target: Node<'t>, value: Option<Node<'t>>) {
        match target.kind() {
            "selector_expression" => {
                if let Some(field) = target.child_by_field_name("field") {
                    let name = self.name_of(field);
                    self.builder.facts.fields_assigned.push(name);
                }
            }
            "unary_expression" | "index_expression" => {
                if let Some(made) = value.and_then(|value| self.made(value)) {
                    let names = made.fields.iter().map(|(name, _)| *name);
                    self.builder.facts.fields_assigned.extend(names);
                }
            }
            _ => {}
        }
    }
}
