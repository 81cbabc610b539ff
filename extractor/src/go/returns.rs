//! What functions give back, and what that says: an error that is not nil, or `false`, of what comes with it.
//!
//! ```go
//! func find(name, other string) (string, error) {
//!     if name == "" { return other, errors.New("no name") }     // `other` is given with an error
//!     return name, nil
//! }
//! found, err := find(name, other)
//! if err != nil { return err }
//! use(found)                                                    // and nobody looks at it here
//! ```

use ripple_schema::How;
use tree_sitter::Node;

use super::choices::{gives_error, is_failure};
use super::made::Made;
use super::statement::collect;
use super::{Walker, position};
use crate::facts::{Answer, Constant, ElementKey, MadeResult, Name, PlaceId, PlaceKind, Question};
use crate::tree::{Parts, children};

/// What a function was seen to give back.
#[derive(Debug, Default)]
pub(super) enum Given {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Structures of which all fields are told, with the constants that they have in common.
    Made(Vec<(Name, Option<Constant>)>, Vec<(Name, PlaceId)>),
    /// Other things, too.
    Anything,
}

impl<'t> Walker<'t> {
    pub(super) fn return_statement(&mut self, node: Node<'t>) {
        let results = self.builder.function_mut().results.clone();
        let named = self.results.last().cloned().unwrap_or_default();
        // Nobody comes here; a label that is jumped back to may still be come to.
        let is_reached = self.builder.is_reachable() || !self.jumps.is_empty();
        match node.part(0) {
            Some(list) => {
                let failures = self.failures(list, &results);
                let fails = gives_error(list, self.text);
                if fails {
                    self.builder.fail(position(node));
                }
                if let Some(first) = list.part(0) {
                    self.note_given(first);
                    self.note_text_returned(node, first);
                }
                let before = self.builder.facts.calls.len();
                self.note_returned(list);
                let mut values = self.values(list, results.len());
                if !is_failure(list, self.text) {
                    for (index, (value, node)) in values.iter_mut().zip(children(list)).enumerate() {
                        *value = self.chosen_made(*value, node);
                        if node.kind() == "selector_expression" {
                            *value = value.map(|value| self.copied_array(node, value));
                        }
                        let result = results.get(index).filter(|_| is_reached && self.is_figure(node));
                        result
                            .into_iter()
                            .for_each(|result| self.builder.chosen_as(*result, position(node)));
                    }
                }
                // Which error it is, or whether there is one, tests say.
                if let Some(error) = results.last().filter(|_| fails && is_reached) {
                    self.builder.chosen_as(*error, position(node));
                }
                if results.len() > 1 && list.part_count() == 1 {
                    self.hand_answers_on(before, results.len());
                }
                for (index, value) in values.into_iter().enumerate() {
                    let Some(result) = results.get(index).copied().filter(|_| is_reached) else {
                        continue;
                    };
                    let at = position(node);
                    let written = children(list)
                        .nth(index)
                        .filter(|written| written.kind() == "identifier");
                    match named.get(index) {
                        // `return order, nil`: what it holds is what it held.
                        Some(name) if written.is_some_and(|written| self.name_of(written) == *name) => {
                            if !self.builder.is_replaced_at_end(*name) {
                                self.builder.flow(value, result, How::Return, at);
                            }
                        }
                        // Deferred functions may still change a named result.
                        Some(name) => {
                            let place = self.builder.define(*name, PlaceKind::Local, at);
                            self.builder.flow(value, place, How::Return, at);
                            if !self.builder.is_replaced_at_end(*name) {
                                self.builder.flow(Some(place), result, How::Return, at);
                            }
                        }
                        None => {
                            let of_others = failures.iter().filter(|(of, ..)| *of != result).copied();
                            let rows: Vec<_> = of_others.collect();
                            self.builder.flow_with(&rows, value, result, at);
                        }
                    }
                }
            }
            None if is_reached => self.bare_return(node),
            None => {}
        }
        self.builder.note_end();
        self.builder.leave();
    }

    /// What is called does not come back: where that is recovered from, named results stay what they are.
    pub(super) fn leave_by_panic(&mut self, node: Node<'t>) {
        self.builder.fail(position(node));
        if self.builder.is_guarded() && self.builder.is_reachable() {
            self.bare_return(node);
            self.builder.note_end();
        }
        self.builder.leave();
    }

    /// What results say of those beside them: which of them are an error that is not nil, or false.
    fn failures(&mut self, list: Node<'t>, results: &[PlaceId]) -> Vec<(PlaceId, Question, Constant, bool)> {
        if results.len() < 2 || list.part_count() != results.len() {
            return Vec::new();
        }
        let mut failures = Vec::new();
        for (node, result) in children(list).zip(results) {
            let constant = match node.kind() {
                "nil" => None,
                "identifier" if self.is_failed(node) => Some(Constant::Made(Name(0))),
                _ => self.constant_or_made(node).or_else(|| self.sentinel(node)),
            };
            match constant {
                Some(Constant::Truth(false)) => {
                    failures.push((*result, Question::Equals, Constant::Truth(true), false));
                }
                Some(Constant::Made(_)) => failures.push((*result, Question::Equals, Constant::Nothing, false)),
                _ => {}
            }
        }
        failures
    }

    /// What a call gives is given back as it is: who calls says what it looks at.
    fn hand_answers_on(&mut self, calls_before: usize, count: usize) {
        let calls = self.builder.facts.calls.get(calls_before..).unwrap_or_default();
        if let Some(call) = calls.iter().rposition(|call| call.results.len() == count) {
            let rows = (0..count as u32).map(|result| Answer {
                call: (calls_before + call) as u32,
                result,
                constant: None,
            });
            self.builder.facts.answers.extend(rows);
        }
    }

    /// Whether a variable is known not to be nil here.
    fn is_failed(&mut self, node: Node<'t>) -> bool {
        let name = self.name_of(node);
        let held = self.builder.only_definition(name);
        held.is_some_and(|held| self.builder.is_something(held))
    }

    /// A variable of a package that is an error, by its name: `ErrMissing`, `io.EOF`.
    fn sentinel(&mut self, node: Node<'t>) -> Option<Constant> {
        let name = match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                self.builder.is_of_file(name).then_some(node)?
            }
            "selector_expression" => {
                let package = self.name_of(node.child_by_field_name("operand")?);
                let field = node.child_by_field_name("field")?;
                (!self.builder.is_bound(package)).then_some(field)?
            }
            _ => return None,
        };
        let text = self.text_of(name);
        let rest = text.strip_prefix("Err").or_else(|| text.strip_prefix("err"));
        let is_error = text == "EOF" || rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_uppercase()));
        is_error.then_some(Constant::Made(Name(0)))
    }

    /// What a function gives back is made with these fields.
    fn note_given(&mut self, value: Node<'t>) {
        if value.kind() == "nil" || matches!(self.given, Given::Anything) {
            return;
        }
        let Some(Made { fields, from, .. }) = self.made(value) else {
            self.given = Given::Anything;
            return;
        };
        self.given = match std::mem::take(&mut self.given) {
            Given::Made(mut known, mut brought) => {
                brought.retain(|row| from.contains(row));
                known.retain_mut(|(name, constant)| {
                    let other = fields.iter().find(|(own, _)| own == name);
                    *constant = constant.filter(|_| other.is_some_and(|(_, other)| other == constant));
                    true
                });
                let more = fields
                    .iter()
                    .filter(|(name, _)| known.iter().all(|(own, _)| own != name));
                let more: Vec<_> = more.map(|(name, _)| (*name, None)).collect();
                known.extend(more);
                Given::Made(known, brought)
            }
            _ => Given::Made(fields.to_vec(), from.to_vec()),
        };
    }

    /// The function ends: what it gives back.
    pub(super) fn note_made_result(&mut self) {
        if let Given::Made(fields, from) = std::mem::take(&mut self.given) {
            let function = self.builder.function();
            let row = MadeResult { function, fields, from };
            self.builder.facts.made_results.push(row);
        }
    }

    /// `v, err := f()`, and then `if err != nil { return }`: what is in `v` is looked at where there is no error.
    pub(super) fn note_answer(&mut self, statement: Node<'t>, test: Node<'t>, calls_before: usize) {
        let declares = statement.kind() == "short_var_declaration";
        if !declares && statement.kind() != "assignment_statement" {
            return;
        }
        let ends = ["left", "right"].map(|end| statement.child_by_field_name(end));
        let ([Some(left), Some(right)], Some(condition)) = (ends, test.child_by_field_name("condition")) else {
            return;
        };
        let count = left.part_count();
        let is_call = right.part_count() == 1 && right.part(0).is_some_and(|call| call.kind() == "call_expression");
        if count < 2 || !is_call || children(left).any(|target| target.kind() != "identifier") {
            return;
        }
        let Some((asked, is_failure, constant)) = self.asked_of(condition) else {
            return;
        };
        let Some(index) = children(left).position(|target| self.text_of(target) == asked) else {
            return;
        };
        let others: Vec<&str> = children(left)
            .map(|target| self.text_of(target))
            .filter(|name| *name != asked && *name != "_")
            .collect();
        let is_own = test.child_by_field_name("initializer") == Some(statement);
        let bad = match is_failure {
            true => test.child_by_field_name("consequence"),
            false => test.child_by_field_name("alternative"),
        };
        let mentions = bad.is_some_and(|bad| self.mentions(bad, &others));
        let leaves = is_failure && bad.is_some_and(|bad| self.leaves(bad, declares));
        let named = self.results.last().cloned().unwrap_or_default();
        let is_named = others.iter().any(|other| {
            let name = self.builder.name(other);
            named.contains(&name) || !self.builder.is_own_variable(name)
        });
        if mentions || is_named || !(leaves || is_own && declares) {
            return;
        }
        let calls = self.builder.facts.calls.get(calls_before..).unwrap_or_default();
        if let Some(call) = calls.iter().rposition(|call| call.results.len() == count) {
            self.builder.facts.answers.push(Answer {
                call: (calls_before + call) as u32,
                result: index as u32,
                constant: Some(constant),
            });
        }
    }

    /// The variable that a test asks whether it is an error, or whether it is true; whether the test holds where it failed.
    fn asked_of(&self, condition: Node<'t>) -> Option<(&'t str, bool, Constant)> {
        let part = |field: &str| condition.child_by_field_name(field);
        let is_name = |node: &Node<'t>| node.kind() == "identifier";
        match condition.kind() {
            "identifier" => Some((self.text_of(condition), false, Constant::Truth(true))),
            "unary_expression" if self.text_of(condition).starts_with('!') => {
                let operand = part("operand").filter(is_name)?;
                Some((self.text_of(operand), true, Constant::Truth(true)))
            }
            "binary_expression" => {
                let operator = part("operator")?.kind();
                let (left, right) = (part("left").filter(is_name)?, part("right")?);
                let is_nil = right.kind() == "nil" && matches!(operator, "==" | "!=");
                is_nil.then(|| (self.text_of(left), operator == "!=", Constant::Nothing))
            }
            _ => None,
        }
    }

    /// Whether any of these names stands in a piece of source.
    fn mentions(&self, node: Node<'t>, names: &[&str]) -> bool {
        let mut mentions = false;
        collect(node, &mut |found| {
            mentions |= found.kind() == "identifier" && names.contains(&self.text_of(found));
        });
        mentions
    }

    /// What a function of the file answers each time, where all its returns say the same: `func load() (string, error) { return path(), nil }`.
    /// A text or a number is no answer but a value.
    pub(super) fn note_constant_results(&mut self, function: Node<'t>) {
        let (Some(name), Some(body)) = (
            function.child_by_field_name("name"),
            function.child_by_field_name("body"),
        ) else {
            return;
        };
        let mut declared = function.child_by_field_name("result").into_iter().flat_map(children);
        let is_named = declared.any(|result| result.child_by_field_name("name").is_some());
        let mut results: Option<Vec<Option<Constant>>> = None;
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            match node.kind() {
                "func_literal" => continue,
                // What is deferred may set results that have names.
                "defer_statement" if is_named => return,
                "return_statement" => {
                    let Some(list) = node.part(0) else { return };
                    let given: Vec<_> = children(list).map(answer_of).collect();
                    let told = results.get_or_insert_with(|| given.clone());
                    if told.len() != given.len() {
                        return;
                    }
                    let pairs = told.iter_mut().zip(given);
                    pairs.for_each(|(told, given)| *told = told.filter(|told| Some(*told) == given));
                }
                _ => open.extend(children(node)),
            }
        }
        let results = results.filter(|results| results.iter().any(Option::is_some));
        if let Some(results) = results {
            let name = self.name_of(name);
            self.constant_results.insert(name, results);
        }
    }

    /// Notes that a method does nothing but to give back a text: the name of its type, maybe.
    fn note_text_returned(&mut self, statement: Node<'t>, value: Node<'t>) {
        let block = statement.parent();
        let is_first = block.and_then(|block| children(block).next()) == Some(statement);
        let of = block.and_then(|block| block.parent()).and_then(|block| block.parent());
        let is_of_method = of.is_some_and(|of| of.kind() == "method_declaration");
        if let (true, true, Some(ElementKey::Text(text))) = (is_first, is_of_method, self.constant_key(value)) {
            let row = (self.builder.function(), text);
            self.builder.facts.texts_returned.push(row);
        }
    }

    /// What a call of such a function gives.
    pub(super) fn constants_given(&mut self, call: Node<'t>) -> Option<&[Option<Constant>]> {
        let function = call
            .child_by_field_name("function")
            .filter(|_| call.kind() == "call_expression")?;
        let name = (function.kind() == "identifier").then(|| self.name_of(function))?;
        let is_seen = !self.builder.is_bound(name);
        self.constant_results.get(&name).filter(|_| is_seen).map(Vec::as_slice)
    }

    /// Whether a value is of this program's making, and no constant: tests choose which of several is given back.
    pub(super) fn is_figure(&self, node: Node<'t>) -> bool {
        matches!(
            node.kind(),
            "binary_expression"
                | "call_expression"
                | "identifier"
                | "index_expression"
                | "selector_expression"
                | "type_assertion_expression"
                | "unary_expression"
        )
    }

    /// Whether a block ends in leaving what is around it: the function, or a round of a loop.
    fn leaves(&mut self, block: Node<'t>, with_loop: bool) -> bool {
        let last = children(block).filter(|child| child.kind() != "comment").last();
        last.is_some_and(|last| match last.kind() {
            "statement_list" => self.leaves(last, with_loop),
            "return_statement" => true,
            "continue_statement" | "break_statement" => with_loop,
            "expression_statement" => last.part(0).is_some_and(|call| self.never_comes_back(call)),
            _ => false,
        })
    }
}

/// Whether a statement assigns several variables.
pub(super) fn gives_several(statement: Node<'_>) -> bool {
    let left = statement.child_by_field_name("left");
    left.is_some_and(|left| left.part_count() > 1)
}

/// Yes, no or nothing, where that is written.
fn answer_of(node: Node<'_>) -> Option<Constant> {
    match node.kind() {
        "true" => Some(Constant::Truth(true)),
        "false" => Some(Constant::Truth(false)),
        "nil" => Some(Constant::Nothing),
        _ => None,
    }
}
