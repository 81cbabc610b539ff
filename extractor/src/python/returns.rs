//! What functions give back under tests: one value of several.
//!
//! ```python
//! if yearly:
//!     return rent / 12         # the result depends on `yearly`,
//! return rent                  # and so it does here
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::builder::Part;
use crate::facts::{Name, PlaceId};

impl<'t> Walker<'t> {
    /// What is given back under tests: `if yearly: return rent / 12`, and `return rent` behind it.
    pub(super) fn returned(&mut self, place: Option<PlaceId>, value: Node<'t>) -> Option<PlaceId> {
        let result = self.builder.function_mut().results.first().copied();
        if let (Some(result), true, true) = (
            result,
            self.is_figure(value) && place.is_some(),
            self.builder.has_tests(),
        ) {
            self.builder.chosen_as(result, position(value));
        }
        self.chosen(place, value)
    }

    /// Notes the displays that are given back under tests, those in it included: which of several displays it is, each part depends on. What a
    /// call is handed that makes the answer (`return jsonify({…})`) is given back as well.
    pub(super) fn note_returned(&mut self, value: Node<'t>) {
        let mut open = vec![value];
        while let Some(node) = open.pop().filter(|_| self.builder.has_tests()) {
            match node.kind() {
                "dictionary" | "tuple" | "expression_list" => {
                    self.chosen_displays.insert(node.id());
                    open.extend(children(node));
                }
                "pair" | "keyword_argument" => open.extend(node.child_by_field_name("value")),
                "call" => {
                    let arguments = node.child_by_field_name("arguments");
                    let takes_parts = self.takes_parts(node);
                    let displays = arguments.filter(|_| takes_parts).map(|arguments| arguments.id());
                    self.chosen_displays.extend(displays);
                    open.extend(arguments);
                }
                "argument_list" | "list" => open.extend(children(node)),
                "parenthesized_expression" => open.extend(node.part(0)),
                _ => {}
            }
        }
    }

    /// The same of what is assigned under tests where something else is otherwise: `out = {…}` in each branch.
    pub(super) fn note_assigned_parts(&mut self, target: Node<'t>, right: Node<'t>) {
        let has_parts = right.kind() == "dictionary" || self.takes_parts(right);
        if !has_parts || !self.builder.has_tests() {
            return;
        }
        let is_chosen = match target.kind() {
            "attribute" | "subscript" => true,
            "identifier" => {
                let name = self.name_of(target);
                self.builder.is_held(name) || self.either.contains(&name)
            }
            _ => false,
        };
        if is_chosen {
            self.note_returned(right);
        }
    }

    /// `Row(weight=2.0)`, `dict(weight=2.0)`, `row.update(weight=2.0)`: what is given by name is a part.
    fn takes_parts(&self, call: Node<'t>) -> bool {
        let Some(function) = call.child_by_field_name("function").filter(|_| call.kind() == "call") else {
            return false;
        };
        let is_update = || {
            let member = function.child_by_field_name("attribute");
            member.is_some_and(|member| self.text_of(member) == "update")
        };
        self.text_of(function) == "dict" || self.looks_like_class(function) || is_update()
    }

    /// A part of such a display.
    pub(super) fn give_under_tests(&mut self, part: &mut Part, display: Node<'t>, value: Node<'t>) {
        if self.chosen_displays.contains(&display.id()) {
            part.place = self.part_under_tests(part.place, value);
        }
    }

    /// What a call is given by name.
    pub(super) fn given_under_tests(&mut self, place: Option<PlaceId>, argument: Node<'t>) -> Option<PlaceId> {
        let value = argument.child_by_field_name("value");
        let is_part = argument
            .parent()
            .is_some_and(|list| self.chosen_displays.contains(&list.id()));
        match value.filter(|_| is_part && argument.kind() == "keyword_argument") {
            Some(value) => self.part_under_tests(place, value),
            None => place,
        }
    }

    fn part_under_tests(&mut self, place: Option<PlaceId>, value: Node<'t>) -> Option<PlaceId> {
        match place {
            _ if self.same_parts.contains(&value.id()) => place,
            Some(_) if matches!(value.kind(), "dictionary" | "list" | "tuple" | "lambda") => place,
            Some(place) if self.is_figure(value) => Some(self.builder.chosen_copy(place, position(value))),
            place => self.chosen(place, value),
        }
    }

    /// What is assigned under tests: of a field or a part, and of a variable that holds something else otherwise.
    pub(super) fn assigned_under_tests(
        &mut self,
        (target, value): (Node<'t>, Option<PlaceId>),
        right: Node<'t>,
    ) -> (Option<PlaceId>, bool) {
        let is_looked_up = right.kind() == "subscript" || self.is_taken_out(right);
        let Some(place) = value.filter(|_| self.builder.has_tests() && (is_looked_up || self.is_figure(right))) else {
            let is_kept = matches!(target.kind(), "attribute" | "subscript");
            if is_kept && value.is_none() && right.kind() != "none" {
                return (self.builder.kept_constant(position(right)), false);
            }
            return (self.chosen(value, right), false);
        };
        match target.kind() {
            "attribute" | "subscript" => (Some(self.builder.chosen_copy(place, position(right))), false),
            "identifier" => {
                let name = self.name_of(target);
                (value, self.builder.is_held(name) || self.either.contains(&name))
            }
            _ => (value, false),
        }
    }

    /// Notes the variables that each branch of a statement assigns, whichever is taken: `if big: v = high(n)`, `else: v = low(n)`.
    pub(super) fn note_either(&mut self, statement: Node<'t>) {
        let mut cursor = statement.walk();
        let clauses: Vec<Node<'t>> = statement.children_by_field_name("alternative", &mut cursor).collect();
        if clauses.last().is_none_or(|last| last.kind() != "else_clause") {
            return;
        }
        let bodies = clauses.iter().map(|clause| {
            let own = clause.child_by_field_name("consequence");
            own.or_else(|| clause.child_by_field_name("body"))
        });
        let Some(first) = statement.child_by_field_name("consequence") else {
            return;
        };
        let mut all = self.assigned_in(first);
        let mut parts = vec![parts_of(&all)];
        for body in bodies {
            let own = body.map(|body| self.assigned_in(body)).unwrap_or_default();
            all.retain(|(name, _)| own.iter().any(|(own, _)| own == name));
            parts.push(parts_of(&own));
        }
        // What stands in each of their displays does not depend on which it is.
        let is_in = |parts: &[Node<'t>], text: &str| parts.iter().any(|part| self.text_of(*part) == text);
        let everywhere = parts.iter().flatten().filter(|part| {
            let text = self.text_of(**part);
            parts.iter().all(|parts| is_in(parts, text))
        });
        let same = everywhere.filter_map(|part| Some(part.child_by_field_name("value")?.id()));
        let same: Vec<usize> = same.collect();
        self.same_parts.extend(same);
        self.either.extend(all.into_iter().map(|(name, _)| name));
    }

    /// The variables that the statements of a block assign, and what to.
    fn assigned_in(&mut self, block: Node<'t>) -> Vec<(Name, Node<'t>)> {
        let assignments = children(block).filter_map(|statement| {
            let assignment = statement.part(0).filter(|part| part.kind() == "assignment")?;
            let left = assignment.child_by_field_name("left");
            left.filter(|left| left.kind() == "identifier")
                .zip(assignment.child_by_field_name("right"))
        });
        let assigned: Vec<(Node<'t>, Node<'t>)> = assignments.collect();
        let named = assigned.into_iter();
        named.map(|(target, right)| (self.name_of(target), right)).collect()
    }

    /// Notes that a method does nothing but to give back a text: the name of its class, maybe.
    pub(super) fn note_text_returned(&mut self, statement: Node<'t>, value: Node<'t>) {
        let Some(body) = statement.parent().filter(|_| !self.classes.is_empty()) else {
            return;
        };
        let is_code = |statement: &Node<'_>| !matches!(statement.kind(), "comment" | "expression_statement");
        let is_first = children(body).find(is_code) == Some(statement);
        let is_of_function = body.parent().is_some_and(|of| of.kind() == "function_definition");
        if let (true, true, Some(text)) = (is_first, is_of_function, self.constant_text(value)) {
            let row = (self.builder.function(), self.builder.name(&text));
            self.builder.facts.texts_returned.push(row);
        }
    }

    /// Whether a value is of this program's making, and no constant: tests choose which of several is given back.
    fn is_figure(&self, value: Node<'t>) -> bool {
        matches!(
            value.kind(),
            "attribute"
                | "await"
                | "binary_operator"
                | "boolean_operator"
                | "call"
                | "comparison_operator"
                | "dictionary"
                | "dictionary_comprehension"
                | "identifier"
                | "list"
                | "list_comprehension"
                | "string"
                | "subscript"
                | "tuple"
                | "unary_operator"
        )
    }

    /// `order.get("total")`, `order.pop("total")`
    fn is_taken_out(&self, value: Node<'t>) -> bool {
        let function = value.child_by_field_name("function").filter(|_| value.kind() == "call");
        let method = function.and_then(|function| function.child_by_field_name("attribute"));
        method.is_some_and(|method| matches!(self.text_of(method), "get" | "pop"))
    }
}

/// The parts of displays that are assigned, and what calls are given by name.
fn parts_of<'t>(assigned: &[(Name, Node<'t>)]) -> Vec<Node<'t>> {
    let displays = assigned.iter().filter_map(|(_, value)| match value.kind() {
        "call" => value.child_by_field_name("arguments"),
        "dictionary" => Some(*value),
        _ => None,
    });
    let parts = displays.flat_map(children);
    parts
        .filter(|part| matches!(part.kind(), "pair" | "keyword_argument"))
        .collect()
}

/// Whether a branch ends by giving something back, by going on with the next item, or does nothing but to end the function.
pub(super) fn is_left(block: Node<'_>, text: &str) -> bool {
    let statements: Vec<Node<'_>> = children(block)
        .filter(|statement| statement.kind() != "comment")
        .collect();
    let Some((last, others)) = statements.split_last() else {
        return false;
    };
    match last.kind() {
        "continue_statement" | "break_statement" => true,
        "return_statement" => {
            let gives = last.part(0).is_some_and(|value| value.kind() != "none");
            gives || others.iter().all(|statement| only_tells(*statement, text))
        }
        _ => false,
    }
}

/// `logger.info("skipped")`
fn only_tells(statement: Node<'_>, text: &str) -> bool {
    let Some(call) = statement.part(0).filter(|inner| inner.kind() == "call") else {
        return false;
    };
    let function = call.child_by_field_name("function");
    let written = function
        .and_then(|function| text.get(function.byte_range()))
        .unwrap_or("");
    let holder = written.rsplit_once('.').map_or(written, |(holder, _)| holder);
    holder == "print" || holder.to_ascii_lowercase().contains("log")
}
