//! Conditions whose outcome the source tells: what stands behind one that never holds never runs.
//!
//! ```go
//! const debug = false
//! if debug && ready {      // never
//!     send(text)
//! }
//! ```
//!
//! Constants of this file, and variables of the function that can hold nothing else where they are tested; a package's variables may be
//! set by others.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::builder::Whose;
use crate::facts::constant::joined;
use crate::facts::{AtEnd, Constant, ElementKey, Name, Question, TypeExpression};

/// How deep conditions are looked into.
const DEPTH_LIMIT: u8 = 8;

impl<'t> Walker<'t> {
    /// From here on a condition holds, or does not.
    pub(super) fn assume(&mut self, condition: Node<'t>, holds: bool) {
        if self.outcome_of(condition) == Some(!holds) {
            self.builder.rule_out();
        }
        self.hold(condition, holds, 0);
    }

    /// What a condition says of parameters.
    fn hold(&mut self, condition: Node<'t>, holds: bool, depth: u8) {
        if depth > DEPTH_LIMIT {
            return;
        }
        let (left, right) = (
            condition.child_by_field_name("left"),
            condition.child_by_field_name("right"),
        );
        match condition.kind() {
            "parenthesized_expression" => {
                if let Some(inner) = condition.part(0) {
                    self.hold(inner, holds, depth + 1);
                }
            }
            "unary_expression" if self.text_of(condition).starts_with('!') => {
                if let Some(inner) = condition.child_by_field_name("operand") {
                    self.hold(inner, !holds, depth + 1);
                }
            }
            "identifier" => {
                let name = self.name_of(condition);
                self.hold_asserted(name, holds, position(condition));
                self.hold_found(name, holds);
                self.hold_of(condition, Question::IsTrue, &[Constant::Nothing], holds);
            }
            "selector_expression" => self.hold_field(condition, Question::IsTrue, Constant::Nothing, holds),
            "binary_expression" => {
                let (Some(left), Some(right)) = (left, right) else {
                    return;
                };
                let operator = condition
                    .child_by_field_name("operator")
                    .map_or("", |operator| operator.kind());
                // `a && b` holds where both do, `a || b` fails where both do.
                if matches!((operator, holds), ("&&", true) | ("||", false)) {
                    self.hold(left, holds, depth + 1);
                    self.hold(right, holds, depth + 1);
                } else if let Some((question, turned)) = Question::of(operator) {
                    self.hold_length(left, question, right, holds != turned);
                    self.hold_compared(left, question, right, holds != turned);
                    self.hold_compared(right, question.turned(), left, holds != turned);
                }
            }
            _ => {}
        }
    }

    /// `len(items) == 0`: where that holds, there is nothing in the list.
    fn hold_length(&mut self, asked: Node<'t>, question: Question, with: Node<'t>, holds: bool) {
        let function = asked
            .child_by_field_name("function")
            .filter(|_| asked.kind() == "call_expression");
        let Some(function) = function.filter(|function| self.text_of(*function) == "len") else {
            return;
        };
        let is_empty = match (question, self.constant(with)) {
            (Question::Equals | Question::IsAtMost, Some(Constant::Number(0))) => holds,
            (Question::IsLess, Some(Constant::Number(1))) => holds,
            (Question::IsMore, Some(Constant::Number(0))) => !holds,
            (Question::IsAtLeast, Some(Constant::Number(1))) => !holds,
            _ => false,
        };
        let at = position(function);
        let mut calls = self.builder.facts.calls.iter().rev();
        let counted = calls
            .find(|call| call.position == at)
            .map(|call| call.arguments.first());
        if let Some(list) = counted
            .flatten()
            .and_then(|argument| argument.place)
            .filter(|_| is_empty)
        {
            self.builder.change_end(list, AtEnd::Empty);
        }
    }

    fn hold_compared(&mut self, asked: Node<'t>, question: Question, with: Node<'t>, holds: bool) {
        if asked.kind() == "identifier"
            && let Some(constant) = self.constant(with)
        {
            self.hold_of(asked, question, &[constant], holds);
            if question == Question::Equals && holds {
                self.choose_part(asked, constant);
            }
        }
        if asked.kind() == "selector_expression"
            && let Some(constant) = self.constant(with)
        {
            self.hold_field(asked, question, constant, holds);
        }
    }

    fn hold_field(&mut self, asked: Node<'t>, question: Question, constant: Constant, holds: bool) {
        let ends = ["operand", "field"].map(|end| asked.child_by_field_name(end));
        if let [Some(operand), Some(field)] = ends
            && operand.kind() == "identifier"
        {
            let (name, field) = (self.name_of(operand), self.name_of(field));
            if self.addressed.contains(&name) {
                return;
            }
            if let Some(parameter) = self.made_from(name, field) {
                self.builder.assume_either(&[(parameter, question, constant, holds)]);
                return;
            }
            let declared = self.variable_types.get(&name);
            let whose = match declared.map(|own| &self.builder.facts.type_expressions[own.0 as usize]) {
                Some(TypeExpression::Path { .. }) => Whose::HandedByValue,
                _ => Whose::Handed,
            };
            self.builder
                .assume_field((name, field, whose), (question, constant), holds);
        }
    }

    fn hold_of(&mut self, asked: Node<'t>, question: Question, constants: &[Constant], holds: bool) {
        let (name, again) = (self.name_of(asked), self.is_asked_again(asked));
        if !self.addressed.contains(&name) {
            self.builder
                .assume_lasting(name, question, constants, holds, (again, false));
        }
    }

    /// A case of a switch is taken, or is not.
    pub(super) fn assume_case(&mut self, value: Option<Node<'t>>, case: Node<'t>, holds: bool) {
        let heads: Vec<_> = case
            .child_by_field_name("value")
            .into_iter()
            .flat_map(children)
            .collect();
        if holds && heads.len() != 1 {
            return self.hold_one_of(value, &heads);
        }
        for head in heads {
            match value {
                Some(value) => self.hold_compared(value, Question::Equals, head, holds),
                None => self.hold(head, holds, 0),
            }
        }
    }

    /// A case is taken, or one of as many above it that fall through to it.
    pub(super) fn assume_fallen(&mut self, value: Option<Node<'t>>, case: Node<'t>, above: usize) {
        let cases = std::iter::successors(Some(case), |case| {
            let mut before = case.prev_named_sibling();
            while let Some(comment) = before.filter(|before| before.kind() == "comment") {
                before = comment.prev_named_sibling();
            }
            before
        });
        let mut heads = Vec::new();
        for case in cases.take(above + 1) {
            match case.child_by_field_name("value") {
                Some(values) => heads.extend(children(values)),
                None => return,
            }
        }
        self.hold_one_of(value, &heads);
    }

    /// A case with several values is taken.
    fn hold_one_of(&mut self, value: Option<Node<'t>>, heads: &[Node<'t>]) {
        let Some(value) = value.filter(|value| value.kind() == "identifier") else {
            return;
        };
        let constants: Option<Vec<Constant>> = heads.iter().map(|head| self.constant(*head)).collect();
        if let Some(constants) = constants {
            self.hold_of(value, Question::Equals, &constants, true);
        }
    }

    /// What a condition comes to, if that is always the same.
    pub(super) fn outcome_of(&mut self, condition: Node<'t>) -> Option<bool> {
        self.outcome(condition, 0)
    }

    fn outcome(&mut self, node: Node<'t>, depth: u8) -> Option<bool> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "parenthesized_expression" => self.outcome(node.part(0)?, depth + 1),
            "unary_expression" if self.text_of(node).starts_with('!') => {
                Some(!self.outcome(node.child_by_field_name("operand")?, depth + 1)?)
            }
            "binary_expression" => {
                let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
                let operator = node.child_by_field_name("operator")?.kind();
                if !matches!(operator, "&&" | "||") {
                    return self.constant(left)?.compared(operator, self.constant(right)?);
                }
                joined(
                    operator == "||",
                    self.outcome(left, depth + 1),
                    self.outcome(right, depth + 1),
                )
            }
            _ => match self.constant(node)? {
                Constant::Truth(truth) => Some(truth),
                Constant::Zero => Some(false),
                _ => None,
            },
        }
    }

    /// Whether a case of a switch is taken: one on the value, or on conditions where there is none.
    pub(super) fn outcome_of_case(&mut self, value: Option<Node<'t>>, case: Node<'t>) -> Option<bool> {
        let heads: Vec<_> = children(case.child_by_field_name("value")?).collect();
        let outcomes: Vec<_> = match value {
            Some(value) => {
                let value = self.constant(value)?;
                let equals = |head| {
                    self.constant(head)
                        .and_then(|head| value.answer(Question::Equals, head))
                };
                heads.into_iter().map(equals).collect()
            }
            None => heads.into_iter().map(|head| self.outcome_of(head)).collect(),
        };
        match outcomes.contains(&Some(true)) {
            true => Some(true),
            false => outcomes.iter().all(|outcome| *outcome == Some(false)).then_some(false),
        }
    }

    /// A variable of this function got a constant.
    pub(super) fn note_known(&mut self, target: Node<'t>, constant: Option<Constant>) {
        let Some(constant) = constant.filter(|_| target.kind() == "identifier") else {
            return;
        };
        let name = self.name_of(target);
        if let Some(place) = self.builder.only_definition(name) {
            self.known.insert(place, constant);
        }
    }

    /// What an expression is, or that it is made here.
    pub(super) fn constant_or_made(&mut self, node: Node<'t>) -> Option<Constant> {
        self.constant(node).or_else(|| self.made_constant(node))
    }

    /// A constant of the file that is `true` or `false`.
    pub(super) fn note_truth(&mut self, name: Name, value: Node<'t>) {
        if let "true" | "false" = value.kind() {
            self.file_truths.insert(name, value.kind() == "true");
        }
    }

    pub(super) fn constant(&mut self, node: Node<'t>) -> Option<Constant> {
        match node.kind() {
            "true" => Some(Constant::Truth(true)),
            "false" => Some(Constant::Truth(false)),
            "nil" => Some(Constant::Nothing),
            "parenthesized_expression" => self.constant(node.part(0)?),
            "int_literal" => self.text_of(node).parse().ok().map(Constant::Number),
            "interpreted_string_literal" | "raw_string_literal" => {
                self.constant_text(node).map(|text| self.builder.text_constant(&text))
            }
            "identifier" => self.named_constant(node),
            "binary_expression" => self.constant_joined(node),
            "call_expression" => match self.constants_given(node) {
                Some([only]) => *only,
                Some(_) => None,
                None => self.length_of_text(node),
            },
            "selector_expression" => {
                let (of, field) = (node.child_by_field_name("operand")?, node.child_by_field_name("field")?);
                let (of, field) = (
                    (of.kind() == "identifier").then(|| self.name_of(of))?,
                    self.name_of(field),
                );
                self.constant_made(of, field)
            }
            _ => None,
        }
    }

    /// `len(name)` of a text that is told, in bytes.
    fn length_of_text(&mut self, call: Node<'t>) -> Option<Constant> {
        let function = call.child_by_field_name("function")?;
        let given = call.child_by_field_name("arguments")?;
        let length = self.name_of(function);
        if self.text_of(function) != "len" || self.builder.is_bound(length) || given.part_count() != 1 {
            return None;
        }
        let text = match self.constant(given.part(0)?)? {
            Constant::Text(text) => self.builder.facts.text(text),
            Constant::Empty => "",
            _ => return None,
        };
        // What is written with an escape is shorter than it looks.
        let is_plain = !text.contains('\\');
        is_plain.then(|| i32::try_from(text.len()).ok().map(Constant::Number))?
    }

    fn named_constant(&mut self, node: Node<'t>) -> Option<Constant> {
        let name = self.name_of(node);
        let key = if self.builder.is_bound(name) {
            let is_own = self.builder.is_own_variable(name);
            let around = (!is_own && self.is_given_once(name)).then(|| self.builder.sole_definition(name));
            let held = around.unwrap_or_else(|| self.builder.only_definition(name))?;
            if let Some(known) = self.known.get(&held) {
                let is_seen = is_own || around.is_some();
                return (is_seen && !self.addressed.contains(&name)).then_some(*known);
            }
            self.constants.get(&held)
        } else if let Some(truth) = self.file_truths.get(&name) {
            return Some(Constant::Truth(*truth));
        } else {
            self.file_constants.get(&name)
        };
        match *key? {
            ElementKey::Index(number) => i32::try_from(number).ok().map(Constant::Number),
            ElementKey::Text(text) if self.builder.facts.text(text).is_empty() => Some(Constant::Empty),
            ElementKey::Text(text) => Some(Constant::Text(text)),
            _ => None,
        }
    }
}
