//! Statements: where control branches, and what they do with values.
//!
//! `if err := save(o); err != nil { return err }` opens a block with `err`, branches on the condition, and joins what is left.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::Node;

use super::choices::{falls_through, leaves_from_case, some_branch_leaves};
use super::expression::is_basic_type;
use super::returns::gives_several;
use super::{Walker, position};
use crate::facts::builder::{Control, Rounds, Runs};
use crate::facts::{Assertion, ElementKey, Name, PlaceId, PlaceKind, Position, TypeExpressionId};

impl<'t> Walker<'t> {
    /// A block with names of its own.
    pub(super) fn block(&mut self, block: Node<'t>) {
        self.builder.open_block(false);
        self.statements(block);
        self.builder.close_block();
    }

    pub(super) fn statements(&mut self, list: Node<'t>) {
        let mut open = Vec::new();
        let mut back = None;
        let tests = self.builder.tests();
        for statement in children(list) {
            if statement.kind() == "labeled_statement" {
                let back = back.get_or_insert_with(|| self.jumps_in(list));
                open.extend(self.open_jumps(statement, back));
            }
            let before = self.builder.facts.calls.len();
            self.statement(statement, None);
            if self.builder.facts.calls.len() > before && statement.kind().starts_with(['s', 'a']) {
                let next = statement.next_named_sibling();
                let next = next.filter(|next| next.kind() == "if_statement" && gives_several(statement));
                next.into_iter()
                    .for_each(|next| self.note_answer(statement, next, before));
            }
        }
        for label in open.into_iter().rev() {
            self.close_jumps(label);
        }
        self.builder.restore_tests(tests);
    }

    pub(super) fn statement(&mut self, node: Node<'t>, label: Option<Name>) {
        if !self.builder.enter(position(node).line) {
            return;
        }
        self.statement_inside(node, label);
        self.builder.exit();
    }

    fn statement_inside(&mut self, node: Node<'t>, label: Option<Name>) {
        match node.kind() {
            "statement_list" | "ERROR" => self.statements(node),
            "block" => self.block(node),
            "expression_statement" => {
                for child in children(node) {
                    let before = self.builder.facts.calls.len();
                    self.expression(child);
                    if child.kind() == "call_expression" {
                        self.builder.tested_call(before);
                    }
                    if self.never_comes_back(child) {
                        self.leave_by_panic(child);
                    }
                }
            }
            "short_var_declaration" => self.assignment(node, true),
            "assignment_statement" => self.assignment(node, false),
            "inc_statement" | "dec_statement" => {
                if let Some(target) = node.part(0) {
                    let operator = if node.kind() == "inc_statement" { "+" } else { "-" };
                    self.assign_joined(target, operator, None, position(target));
                }
            }
            "var_declaration" => self.value_declaration(node, PlaceKind::Local),
            "const_declaration" => self.value_declaration(node, PlaceKind::Constant),
            "type_declaration" => self.type_declaration(node),
            "return_statement" => self.return_statement(node),
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node, label),
            "expression_switch_statement" | "select_statement" => self.switch_statement(node, label),
            "type_switch_statement" => self.type_switch(node, label),
            "labeled_statement" => {
                let name = node.child_by_field_name("label").map(|label| self.name_of(label));
                self.land(name);
                for child in children(node).skip(1) {
                    self.statement(child, name);
                }
            }
            "go_statement" => self.special_call(node, How::Go),
            "defer_statement" => self.special_call(node, How::Defer),
            "send_statement" => {
                self.builder.others_run();
                self.builder.happens_unseen();
                let channel = node
                    .child_by_field_name("channel")
                    .and_then(|channel| self.expression(channel));
                let value = node
                    .child_by_field_name("value")
                    .and_then(|value| self.expression(value));
                if let Some(channel) = channel {
                    let at = position(node);
                    let value = value.unwrap_or_else(|| self.builder.value(at));
                    self.builder.element_store(channel, ElementKey::Any, Some(value), at);
                    self.builder.put_last(channel);
                }
            }
            "receive_statement" => self.receive(node),
            "break_statement" => {
                let label = node.part(0).map(|label| self.name_of(label));
                self.leaves_to(label);
                self.builder.break_loop(label);
            }
            "continue_statement" => {
                let label = node.part(0).map(|label| self.name_of(label));
                self.leaves_to(label);
                self.builder.continue_loop(label);
            }
            "goto_statement" => {
                self.builder.loosen_order(false);
                if let Some(label) = node.part(0).map(|label| self.name_of(label)) {
                    self.jump(label);
                }
            }
            "fallthrough_statement" | "empty_statement" => {}
            _ => {
                self.expression(node);
            }
        }
    }

    fn special_call(&mut self, node: Node<'t>, how: How) {
        let before = self.builder.facts.calls.len();
        // What is recovered from may happen anywhere.
        if how == How::Go || self.builder.is_guarded() {
            self.builder.loosen_order(false);
        }
        let is_certain = is_on_own_level(node);
        if let Some(call) = node.part(0) {
            let is_closure = call
                .child_by_field_name("function")
                .is_some_and(|function| function.kind() == "func_literal");
            if is_closure {
                let runs = match call.child_by_field_name("function") {
                    Some(function) if how == How::Defer && self.text_of(function).contains("recover()") => {
                        Runs::AtAnyEnd
                    }
                    Some(_) if how == How::Defer => Runs::AtEnd,
                    _ => Runs::Anytime,
                };
                self.builder.next_runs(runs);
            }
            if is_closure && how == How::Defer {
                self.recovered.push(Vec::new());
                self.expression(call);
                if is_certain {
                    self.builder.replaced_at_end();
                }
                let recovered = self.recovered.pop().unwrap_or_default();
                if let Some(caught) = self.caught.last_mut() {
                    caught.extend(recovered);
                }
            } else {
                self.expression(call);
            }
            if self.builder.facts.calls.len() > before
                && let Some(last) = self.builder.facts.calls.last_mut()
            {
                last.how = how;
                if how == How::Defer {
                    self.hold_deferred(call);
                    self.builder.defer_call(is_certain);
                }
            }
        }
    }

    /// Structures that a deferred call is given are copied where it is deferred.
    fn hold_deferred(&mut self, call: Node<'t>) {
        let given: Vec<_> = call
            .child_by_field_name("arguments")
            .into_iter()
            .flat_map(children)
            .collect();
        for (index, node) in given.into_iter().enumerate() {
            let is_name = node.kind() == "identifier";
            let name = self.name_of(node);
            if !is_name || !self.builder.holds_value(name) {
                continue;
            }
            let held = self.builder.value(position(node));
            let arguments = self.builder.facts.calls.last_mut().map(|row| &mut row.arguments);
            let argument = arguments.and_then(|arguments| arguments.get_mut(index)?.place.as_mut());
            let before = argument.map(|place| std::mem::replace(place, held));
            if before.is_some() {
                self.builder.flow(before, held, How::Assign, position(node));
                self.builder.assigned(before, held);
            }
        }
    }

    fn receive(&mut self, node: Node<'t>) {
        let right = node.child_by_field_name("right");
        let value = right.and_then(|right| self.expression(right));
        let declares = children(node).count() > 0 && self.text_of(node).contains(":=");
        if let Some(left) = node.child_by_field_name("left") {
            for (index, target) in children(left).enumerate() {
                let value = if index == 0 { value } else { None };
                self.note_assigned(target, None);
                self.assign(target, value, declares, position(node));
            }
        }
    }

    /// `a, b := x, y`, `a = b`, `a += b`.
    fn assignment(&mut self, node: Node<'t>, declares: bool) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let targets: Vec<_> = children(left).collect();
        let operator = node
            .child_by_field_name("operator")
            .map_or("=", |operator| self.text_of(operator));
        let at = position(right);
        if operator != "=" && !declares {
            if let ([target], Some(value)) = (targets.as_slice(), right.part(0)) {
                self.assign_joined(*target, operator.trim_end_matches('='), Some(value), at);
            }
            return;
        }
        let own: Vec<bool> = children(right).map(|node| self.is_own_value(node)).collect();
        let arrays: Vec<bool> = children(right).map(|node| self.is_array(node)).collect();
        let mut constants: Vec<_> = children(right).map(|node| self.constant_or_made(node)).collect();
        if let (Some(call), true) = (right.part(0), constants.len() < targets.len()) {
            constants = self.constants_given(call).unwrap_or_default().to_vec();
        }
        let types = if declares {
            self.static_types_of(right)
        } else {
            Vec::new()
        };
        if targets
            .iter()
            .any(|target| matches!(target.kind(), "parenthesized_expression" | "unary_expression"))
        {
            self.builder.happens_unseen();
        }
        self.note_changed(&targets, right);
        let mut values = self.values(right, targets.len());
        self.changed = None;
        for (value, node) in values.iter_mut().zip(children(right)) {
            *value = value.map(|value| self.copied_array(node, value));
        }
        let several = targets.len() > 1;
        // A fresh place each, so that `a, b = b, a` reads both before it writes either.
        let fresh: Vec<Option<PlaceId>> = values
            .iter()
            .map(|value| {
                let value = value.filter(|_| several && !declares)?;
                let held = self.builder.value(at);
                self.builder.flow(Some(value), held, How::Assign, at);
                self.builder.assigned(Some(value), held);
                Some(held)
            })
            .collect();
        let mut targets: Vec<_> = targets.into_iter().enumerate().collect();
        // What stands in an index, or before a dot, is what it was before anything is assigned: `i, words[i] = 2, word`.
        targets.sort_by_key(|(_, target)| several && target.kind() == "identifier");
        for (index, target) in targets {
            let value = values.get(index).copied().flatten();
            if !declares && !several && self.copies_part(target, (children(right).nth(index), value), at) {
                continue;
            }
            let is_own = own.len() > index && own[index];
            if let Some(value) = value
                && !declares
                && self.is_set_anew(target, children(right).nth(index))
            {
                let held = self.expression(target);
                held.into_iter()
                    .for_each(|held| self.builder.element_store(held, ElementKey::Target, Some(value), at));
                continue;
            }
            let held = fresh.get(index).copied().flatten().or(value);
            let (held, again) = match children(right).nth(index) {
                Some(given) => self.assigned_under_tests((target, held), given, declares),
                None => (held, None),
            };
            self.assign(target, held, declares, at);
            if let Some(again) = again {
                let place = self.builder.only_definition(again);
                place.into_iter().for_each(|place| self.builder.chosen_as(place, at));
            }
            if index == 1 {
                self.note_asserted(target, right);
                self.note_found(target, right);
            }
            let given = children(right).nth(index);
            self.note_made(target, given);
            self.note_assigned(target, given);
            self.note_known(target, constants.get(index).cloned().flatten());
            self.note_flag(target, given);
            self.note_statement(target, given);
            self.note_length(target, given);
            self.note_static_type(target, types.get(index).cloned().flatten());
            if target.kind() == "identifier" && (declares || !is_own) {
                let name = self.name_of(target);
                if declares {
                    self.hold_array(name, arrays.len() > index && arrays[index]);
                }
                self.builder.hold_value(name, is_own && !self.is_addressed(name));
            }
        }
    }

    /// Whether an expression gives a structure of its own: a literal, or a copy of such a variable.
    fn is_own_value(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "composite_literal" => node
                .child_by_field_name("type")
                .is_some_and(super::declaration::is_plain_type),
            "identifier" => {
                let name = self.name_of(node);
                self.builder.holds_value(name)
            }
            _ => false,
        }
    }

    /// Values of an expression list for a number of targets: one call may give them all.
    pub(super) fn values(&mut self, list: Node<'t>, targets: usize) -> Vec<Option<PlaceId>> {
        let nodes: Vec<_> = match list.kind() {
            "expression_list" => children(list).collect(),
            _ => vec![list],
        };
        if let [only] = nodes.as_slice()
            && targets > 1
        {
            let before = self.builder.facts.calls.len();
            let value = self.expression(*only);
            let is_call = only.kind() == "call_expression" && self.builder.facts.calls.len() > before;
            if !is_call {
                return self.with_whether(value, *only);
            }
            return self.more_results(value, targets, position(*only));
        }
        nodes.into_iter().map(|node| self.expression(node)).collect()
    }

    /// Gives the call whose first value this is as many values.
    pub(super) fn more_results(&mut self, first: Option<PlaceId>, count: usize, at: Position) -> Vec<Option<PlaceId>> {
        let Some(first) = first else { return Vec::new() };
        let index = self
            .builder
            .facts
            .calls
            .iter()
            .rposition(|call| call.results.first() == Some(&first));
        let Some(index) = index else { return vec![Some(first)] };
        let text = self.builder.facts.calls[index].text;
        while self.builder.facts.calls[index].results.len() < count {
            let place = self.builder.place(PlaceKind::CallValue, text, at);
            self.builder.facts.calls[index].results.push(place);
        }
        self.builder.facts.calls[index]
            .results
            .iter()
            .map(|place| Some(*place))
            .collect()
    }

    pub(super) fn assign(&mut self, target: Node<'t>, value: Option<PlaceId>, declares: bool, at: Position) {
        match target.kind() {
            "identifier" => {
                if self.text_of(target) == "_" {
                    return;
                }
                let name = self.name_of(target);
                if declares && !self.builder.is_declared_here(name) {
                    self.builder.declare(name);
                    self.declare_flag(name);
                    self.note_type(name, None);
                    self.share_declared(name, position(target));
                }
                let place = self.builder.define(name, PlaceKind::Local, position(target));
                if let Some(declared) = self.variable_types.get(&name) {
                    self.builder.declare_type(place, *declared);
                }
                self.builder.flow(value, place, How::Assign, at);
                self.builder.assigned(value, place);
                self.hold_open_window(name, value);
                if let Some(value) = value {
                    self.builder.hold_closure(value, place);
                }
            }
            "selector_expression" => {
                let base = target
                    .child_by_field_name("operand")
                    .and_then(|operand| self.expression(operand));
                if let (Some(base), Some(field)) = (base, target.child_by_field_name("field")) {
                    let name = self.name_of(field);
                    self.builder.store(base, name, value, position(field));
                }
            }
            "index_expression" => {
                let operand = target.child_by_field_name("operand");
                let base = operand.and_then(|operand| self.expression(operand));
                let (key, computed) = self.index_key(target.child_by_field_name("index"));
                if let (Some(operand), Some(base)) = (operand, base) {
                    // A constant is written over what is there, too.
                    let is_one = matches!(key, ElementKey::Text(_) | ElementKey::Index(_));
                    let value = value.or_else(|| is_one.then(|| self.builder.value(at)));
                    self.builder.element_store_at(base, (key, computed), value, at);
                    self.put_key(base, computed, value, at);
                    self.store_in_wholes(operand, base, value, at);
                }
            }
            "unary_expression" => {
                let base = target
                    .child_by_field_name("operand")
                    .and_then(|operand| self.expression(operand));
                if let Some(base) = base {
                    // A constant is written over what is there, too.
                    let value = value.unwrap_or_else(|| self.builder.value(at));
                    self.builder.element_store(base, ElementKey::Target, Some(value), at);
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = target.part(0) {
                    self.assign(inner, value, declares, at);
                }
            }
            _ => {
                self.expression(target);
            }
        }
    }

    fn if_statement(&mut self, node: Node<'t>) {
        let (tests, mut tested) = (self.builder.tests(), None);
        self.builder.open_block(false);
        if let Some(initializer) = node.child_by_field_name("initializer") {
            let before = self.builder.facts.calls.len();
            self.statement(initializer, None);
            if gives_several(initializer) {
                self.note_answer(initializer, node, before);
            }
        }
        if let Some(condition) = node.child_by_field_name("condition") {
            let value = self.expression(condition);
            self.builder.decide(value, position(condition));
            self.builder.choose_by(value);
            tested = value;
        }
        let inner = self.builder.tests();
        let before = self.builder.snapshot();
        let condition = node.child_by_field_name("condition");
        condition.into_iter().for_each(|condition| self.assume(condition, true));
        if let Some(body) = node.child_by_field_name("consequence") {
            self.block(body);
        }
        let after = self.builder.snapshot();
        self.builder.restore(before);
        condition
            .into_iter()
            .for_each(|condition| self.assume(condition, false));
        if let Some(alternative) = node.child_by_field_name("alternative") {
            self.statement(alternative, None);
        }
        self.builder.merge(after);
        self.builder.close_block();
        // What follows depends on what did not leave before, here and in what came instead.
        let left_by = self.builder.left_by_since(inner);
        self.builder.restore_tests(tests);
        let is_left = !left_by.is_empty() || some_branch_leaves(node, self.text);
        left_by
            .into_iter()
            .for_each(|value| self.builder.choose_by(Some(value)));
        if is_left {
            self.builder.choose_by(tested);
        }
    }

    fn switch_statement(&mut self, node: Node<'t>, label: Option<Name>) {
        let (tests, mut left_by) = (self.builder.tests(), Vec::new());
        self.builder.open_block(false);
        if let Some(initializer) = node.child_by_field_name("initializer") {
            self.statement(initializer, None);
        }
        if let Some(value) = node.child_by_field_name("value") {
            let tested = self.expression(value);
            self.builder.decide(tested, position(value));
            self.builder.choose_by(tested);
            let mut cases = children(node).filter(|case| case.kind().ends_with("_case"));
            left_by.extend(tested.filter(|_| cases.any(|case| leaves_from_case(case, self.text))));
        }
        self.builder.open_switch(label);
        let mut before = self.builder.snapshot();
        let mut ends: Vec<Option<Control>> = Vec::new();
        let mut has_default = node.kind() == "select_statement";
        let mut fallen: Option<Control> = None;
        let mut heads_above = 0;
        let value = node.child_by_field_name("value");
        let is_select = node.kind() == "select_statement";
        let outcomes: Vec<Option<bool>> = children(node)
            .filter(|child| child.kind().ends_with("_case"))
            .map(|case| self.outcome_of_case(value, case).filter(|_| !is_select))
            .collect();
        let is_decided = outcomes.contains(&Some(true));
        has_default |= is_decided;
        let mut is_taken = false;
        let cases = children(node).filter(|child| child.kind().ends_with("_case"));
        for (case, outcome) in cases.zip(outcomes) {
            has_default |= case.kind() == "default_case";
            self.builder.restore(before.clone());
            if !is_select {
                self.assume_case(value, case, false);
            }
            let otherwise = self.builder.snapshot();
            self.builder.restore(std::mem::replace(&mut before, otherwise));
            if !is_select {
                self.assume_case(value, case, true);
            }
            // The default is for when no case is taken, wherever it stands.
            let is_left = is_decided && case.kind() == "default_case";
            if is_taken || is_left || outcome == Some(false) {
                self.builder.rule_out();
            }
            is_taken |= outcome == Some(true);
            let from_above = fallen.take();
            heads_above = match &from_above {
                Some(_) => heads_above + 1,
                None => 0,
            };
            if from_above.is_some() {
                self.builder.merge(from_above);
                self.assume_fallen(value, case, heads_above);
            }
            self.builder.open_block(false);
            let head = case
                .child_by_field_name("value")
                .or_else(|| case.child_by_field_name("communication"));
            match head {
                // `switch { case c.Flag: … }`
                Some(head) if value.is_none() && head.kind() == "expression_list" => {
                    for condition in children(head) {
                        let value = self.expression(condition);
                        self.builder.decide(value, position(condition));
                        self.builder.choose_by(value);
                        left_by.extend(value.filter(|_| leaves_from_case(case, self.text)));
                    }
                }
                Some(head) => self.statement(head, None),
                None => {}
            }
            for child in children(case).filter(|child| Some(*child) != head) {
                self.statement(child, None);
            }
            self.builder.close_block();
            if falls_through(case) {
                fallen = self.builder.snapshot();
            } else {
                ends.push(self.builder.snapshot());
            }
        }
        if !has_default {
            ends.push(before);
        }
        self.join(ends);
        for state in self.builder.close_loop(Rounds::Any) {
            self.builder.merge(Some(state));
        }
        self.builder.close_block();
        self.builder.restore_tests(tests);
        left_by
            .into_iter()
            .for_each(|value| self.builder.choose_by(Some(value)));
    }

    fn type_switch(&mut self, node: Node<'t>, label: Option<Name>) {
        self.builder.open_block(false);
        if let Some(initializer) = node.child_by_field_name("initializer") {
            self.statement(initializer, None);
        }
        let value = node
            .child_by_field_name("value")
            .and_then(|value| self.expression(value));
        let alias = node.child_by_field_name("alias").and_then(|alias| alias.part(0));
        self.builder.open_switch(label);
        let before = self.builder.snapshot();
        let mut ends: Vec<Option<Control>> = Vec::new();
        let mut has_default = false;
        let mut all: Vec<TypeExpressionId> = Vec::new();
        let mut cases: Vec<Assertion> = Vec::new();
        let mut other_types = Vec::new();
        for case in children(node).filter(|child| child.kind() == "type_case") {
            let mut cursor = case.walk();
            let types = case.children_by_field_name("type", &mut cursor);
            other_types.extend(types.filter(|node| node.is_named()));
        }
        for case in children(node).filter(|child| child.kind().ends_with("_case")) {
            has_default |= case.kind() == "default_case";
            self.builder.restore(before.clone());
            self.builder.open_block(false);
            let mut cursor = case.walk();
            let types: Vec<_> = case
                .children_by_field_name("type", &mut cursor)
                .filter(|node| node.is_named())
                .collect();
            let mut asked: Vec<TypeExpressionId> = Vec::new();
            for node in &types {
                if self.text_of(*node) != "nil" {
                    asked.push(self.type_of(*node));
                }
            }
            all.extend(&asked);
            let before = all.len() - asked.len();
            if let Some(switched) = node.child_by_field_name("value") {
                match case.kind() {
                    "default_case" => self.assume_types(switched, &other_types, false),
                    _ => {
                        self.assume_types(switched, &types, true);
                        self.assume_later(switched, &types, case);
                    }
                }
                let is_nil = types.len() > asked.len();
                if let Some(name) = self.narrowable(switched).filter(|_| !is_nil) {
                    let from = self.builder.use_name(name, position(switched));
                    let to = self.builder.refine(name, position(switched));
                    self.builder.derive(Some(from), to, position(switched));
                    cases.push(Assertion {
                        from,
                        to,
                        types: asked.clone(),
                        holds: case.kind() != "default_case",
                        except: all[..before].to_vec(),
                        is_itself: true,
                    });
                }
            }
            if let (Some(alias), Some(value)) = (alias, value) {
                let name = self.name_of(alias);
                self.builder.declare(name);
                let place = self.builder.define(name, PlaceKind::Local, position(alias));
                self.builder.derive(Some(value), place, position(alias));
                cases.push(Assertion {
                    from: value,
                    to: place,
                    types: asked,
                    holds: case.kind() != "default_case",
                    except: all[..before].to_vec(),
                    is_itself: false,
                });
            }
            for child in children(case).filter(|child| !types.contains(child)) {
                self.statement(child, None);
            }
            self.builder.close_block();
            ends.push(self.builder.snapshot());
        }
        for case in cases.iter_mut().filter(|case| !case.holds) {
            (case.types, case.except) = (all.clone(), Vec::new());
        }
        self.builder.facts.assertions.extend(cases);
        if !has_default {
            ends.push(before);
        }
        self.join(ends);
        for state in self.builder.close_loop(Rounds::Any) {
            self.builder.merge(Some(state));
        }
        self.builder.close_block();
    }

    fn join(&mut self, ends: Vec<Option<Control>>) {
        let mut ends = ends.into_iter();
        if let Some(first) = ends.next() {
            self.builder.restore(first);
        }
        for end in ends {
            self.builder.merge(end);
        }
    }

    /// Notes which variables of a function have their address taken.
    pub(super) fn share_addressed(&mut self, body: Node<'t>, nodes: Vec<Node<'t>>) {
        let names: Vec<Name> = nodes.into_iter().map(|node| self.name_of(node)).collect();
        if names.is_empty() {
            return;
        }
        // What has parts is followed by these, and what a closure sees through what it keeps.
        let mut others = Vec::new();
        collect(body, &mut |found| match found.kind() {
            "selector_expression" | "index_expression" | "slice_expression" => {
                let operand = found.child_by_field_name("operand");
                others.extend(operand.filter(|operand| operand.kind() == "identifier"));
            }
            "func_literal" => {
                collect(found, &mut |inner| {
                    if inner.kind() == "identifier" {
                        others.push(inner);
                    }
                });
            }
            "var_spec" => {
                let declared = found.child_by_field_name("type");
                if declared.is_some_and(|declared| !is_basic_type(self.text_of(declared))) {
                    let mut cursor = found.walk();
                    others.extend(found.children_by_field_name("name", &mut cursor));
                }
            }
            "short_var_declaration" => {
                let ends = ["left", "right"].map(|end| found.child_by_field_name(end));
                if let [Some(left), Some(right)] = ends {
                    let made = children(left).zip(children(right));
                    let made = made.filter(|(_, value)| value.kind() == "composite_literal");
                    others.extend(made.map(|(target, _)| target));
                }
            }
            _ => {}
        });
        let others: Vec<Name> = others.into_iter().map(|node| self.name_of(node)).collect();
        self.addressed.extend(&names);
        self.boxed = names.iter().filter(|name| !others.contains(name)).copied().collect();
        for name in names {
            self.share_declared(name, position(body));
        }
    }

    /// Notes that a variable may be written through pointers, once it is declared.
    pub(super) fn share_declared(&mut self, name: Name, at: Position) {
        let is_boxed = self.boxed.contains(&name) && self.builder.box_variable(name, at);
        if self.is_addressed(name) && !is_boxed {
            self.builder.share(name);
        }
    }

    pub(super) fn is_addressed(&self, name: Name) -> bool {
        self.addressed.contains(&name)
    }
}

/// Whether a statement stands on its function's own level, so that all that follows comes by it.
fn is_on_own_level(statement: Node<'_>) -> bool {
    let mut around = statement.parent();
    while let Some(list) = around.filter(|list| matches!(list.kind(), "statement_list" | "block")) {
        around = list.parent();
    }
    around.is_some_and(|around| {
        matches!(
            around.kind(),
            "function_declaration" | "method_declaration" | "func_literal"
        )
    })
}

/// Visits every node below.
pub(super) fn collect<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>)) {
    let mut cursor = node.walk();
    let mut depth = 0usize;
    loop {
        visit(cursor.node());
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if depth == 0 {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            depth -= 1;
        }
    }
}
