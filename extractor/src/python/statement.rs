//! Statements: where control branches, and what they do with values.
//!
//! `for user in users: send(user)` reads what iteration over `users` gives into a definition of `user`; the body is a loop
//! whose joins are the names that it assigns.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::Node;

use super::returns::is_left;
use super::{Walker, names, position};
use crate::facts::{
    Argument, ArgumentKind, Constant, ElementKey, GuardId, Handler, PlaceId, PlaceKind, Position, TypeExpressionId,
};

impl<'t> Walker<'t> {
    /// The statements of a block, in order.
    pub(super) fn block(&mut self, block: Node<'t>) {
        let tests = self.builder.tests();
        for statement in children(block) {
            self.statement(statement);
        }
        self.left_inside = self.builder.left_by_since(tests);
        self.builder.restore_tests(tests);
    }

    fn statement(&mut self, node: Node<'t>) {
        if !self.builder.enter(position(node).line) {
            return;
        }
        self.statement_inside(node);
        self.builder.exit();
    }

    fn statement_inside(&mut self, node: Node<'t>) {
        match node.kind() {
            "expression_statement" if self.is_borrowed(node) => {}
            "expression_statement" => {
                for child in children(node) {
                    self.expression_statement(child);
                }
            }
            "return_statement" => self.return_statement(node),
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node),
            "while_statement" => self.while_statement(node),
            "try_statement" => self.try_statement(node),
            "with_statement" => self.with_statement(node),
            "match_statement" => self.match_statement(node),
            "function_definition" => self.function_definition(node, &[]),
            "class_definition" => self.class_definition(node, &[]),
            "decorated_definition" => self.decorated_definition(node),
            "import_statement" => {
                self.builder.may_fail();
                self.note_ending_imports(node);
                self.import_statement(node);
            }
            "import_from_statement" => {
                self.builder.may_fail();
                self.note_ending_imports(node);
                self.import_from_statement(node);
            }
            "global_statement" => {
                for child in children(node) {
                    let name = self.name_of(child);
                    if !self.builder.at_file_level() {
                        self.builder.declare_global(name);
                    }
                }
            }
            "nonlocal_statement" => {
                for child in children(node) {
                    let name = self.name_of(child);
                    self.builder.declare_outer(name, position(child));
                }
            }
            "delete_statement" => {
                for child in children(node) {
                    self.delete(child);
                }
            }
            "raise_statement" => {
                self.raise_statement(node);
                self.builder.fail(position(node));
                // Subclasses do better.
                self.comes_back |= self.text_of(node).contains("NotImplemented");
                self.builder.leave();
            }
            "assert_statement" => {
                self.builder.may_fail();
                for (index, child) in children(node).enumerate() {
                    let value = match index {
                        0 => self.condition(child),
                        _ => self.expression(child),
                    };
                    self.builder.decide(value.filter(|_| index == 0), position(child));
                }
                if let Some(condition) = node.part(0) {
                    self.narrow(condition, true);
                }
                // `assert False` in a base class: subclasses do better.
                self.comes_back |= !self.builder.is_reachable();
            }
            "break_statement" => self.break_statement(),
            "continue_statement" => self.builder.continue_loop(None),
            "pass_statement" | "future_import_statement" => {}
            "type_alias_statement" => self.type_alias(node),
            "ERROR" => self.block(node),
            _ => {
                self.expression(node);
            }
        }
    }

    fn expression_statement(&mut self, node: Node<'t>) {
        match node.kind() {
            _ if self.left_out.contains(&node.id()) => self.walk_left_out(node),
            "assignment" => {
                self.assignment(node);
            }
            "augmented_assignment" => self.augmented_assignment(node),
            _ => {
                let before = self.builder.facts.calls.len();
                self.expression(node);
                // The outermost comes last.
                if matches!(node.kind(), "call" | "await") {
                    self.builder.tested_call(before);
                }
            }
        }
    }

    fn return_statement(&mut self, node: Node<'t>) {
        if let Some(value) = node.part(0) {
            self.note_returned(value);
            let place = self.expression(value);
            let place = self.returned(place, value);
            self.return_value(place, node);
            self.note_text_returned(node, value);
        }
        self.comes_back |= self.builder.is_reachable();
        self.builder.leave();
    }

    /// What a function gives back: `return v`, a lambda's body.
    pub(super) fn return_value(&mut self, place: Option<PlaceId>, node: Node<'t>) {
        let Some(result) = self.builder.function_mut().results.first().copied() else {
            return;
        };
        if !self.builder.is_reachable() {
            return;
        }
        if self.generators.contains(&result) {
            self.builder
                .element_store(result, ElementKey::Returned, place, position(node));
        } else {
            self.builder.flow(place, result, How::Return, position(node));
        }
    }

    /// A branch, and the tests by which it is left for good: that which chooses it, and those inside of it.
    fn branch_left_by(&mut self, body: Node<'t>, value: Option<PlaceId>) -> Vec<PlaceId> {
        self.branch(body);
        let mut left_by = std::mem::take(&mut self.left_inside);
        left_by.extend(value.filter(|_| !left_by.is_empty() || is_left(body, self.text)));
        left_by
    }

    fn if_statement(&mut self, node: Node<'t>) {
        let tests = self.builder.tests();
        let mut left_by = Vec::new();
        let mut tested = node.child_by_field_name("condition");
        let mut value = tested.and_then(|condition| self.branch_on(condition));
        self.builder.choose_by(value);
        let mut before = self.builder.snapshot();
        let outer = std::mem::take(&mut self.narrowed);
        if let Some(condition) = tested {
            self.narrow(condition, true);
        }
        let either = self.either.len();
        self.note_either(node);
        if let Some(body) = node.child_by_field_name("consequence") {
            left_by.extend(self.branch_left_by(body, value));
        }
        let mut ends = vec![self.builder.snapshot()];
        let mut has_else = false;
        let mut cursor = node.walk();
        for clause in node.children_by_field_name("alternative", &mut cursor) {
            self.builder.restore(before.clone());
            self.narrowed.clear();
            if let Some(condition) = tested.take() {
                self.narrow(condition, false);
            }
            if let Some(condition) = clause.child_by_field_name("condition") {
                value = self.branch_on(condition);
                self.builder.choose_by(value);
                before = self.builder.snapshot();
                self.narrow(condition, true);
                tested = Some(condition);
            }
            has_else |= clause.kind() == "else_clause";
            let body = clause
                .child_by_field_name("consequence")
                .or_else(|| clause.child_by_field_name("body"));
            if let Some(body) = body {
                left_by.extend(self.branch_left_by(body, value));
            }
            ends.push(self.builder.snapshot());
        }
        self.either.truncate(either);
        self.builder.restore_tests(tests);
        if !has_else {
            self.builder.restore(before);
            if let Some(condition) = tested {
                self.narrow(condition, false);
            }
            ends.push(self.builder.snapshot());
        }
        self.narrowed = outer;
        self.join(ends);
        // What follows depends on what did not leave before.
        left_by
            .into_iter()
            .for_each(|value| self.builder.choose_by(Some(value)));
    }

    /// A constant that tests choose; nothing is no value.
    pub(super) fn chosen(&mut self, place: Option<PlaceId>, node: Node<'t>) -> Option<PlaceId> {
        match node.kind() {
            "none" => place,
            _ => self.builder.chosen(place, position(node)),
        }
    }

    /// A block behind a test: where its last statement is a call, what was tested goes on if that comes back.
    fn branch(&mut self, block: Node<'t>) {
        let tested = self.narrowed.clone();
        self.block(block);
        let last = children(block)
            .last()
            .filter(|last| last.kind() == "expression_statement");
        let is_call = last
            .and_then(|last| last.part(0))
            .is_some_and(|value| value.kind() == "call");
        // What the walk of it noted last.
        let begins = last.map(position);
        let noted = self
            .builder
            .facts
            .calls
            .last()
            .filter(|call| Some(call.position) >= begins);
        let call = noted.map(|_| self.builder.facts.calls.len() - 1);
        let (Some(last), Some(call), true) = (last, call, is_call && self.builder.is_reachable()) else {
            return;
        };
        for name in tested {
            self.narrow_by_end(name, call as u32, position(last));
        }
    }

    /// Control goes on from any of these states.
    pub(super) fn join(&mut self, ends: Vec<Option<crate::facts::builder::Control>>) {
        let mut ends = ends.into_iter();
        if let Some(first) = ends.next() {
            self.builder.restore(first);
        }
        for end in ends {
            self.builder.merge(end);
        }
    }

    fn for_statement(&mut self, node: Node<'t>) {
        let right = node.child_by_field_name("right");
        let body = node.child_by_field_name("body");
        let comes_once = body.is_some_and(|body| leaves(body) && !continues(body));
        let key = match self.each_left(right, is_async(node)) {
            ElementKey::Each if comes_once => ElementKey::First,
            key => key,
        };
        let (table, pairs) = (self.table_of_pairs(right), self.pairs.len());
        let source = right.and_then(|right| self.look(right));
        let runs = right.is_some_and(|right| self.has_items(right));
        // How long a display is the source says.
        let runs_always = runs && right.is_some_and(|right| matches!(right.kind(), "list" | "tuple" | "set"));
        let is_empty = right.is_some_and(|right| self.has_no_items(right));
        let puts = source.map_or(Vec::new(), |source| self.puts_of_loop(node, source));
        let ends = self.held_behind(node, source);
        let turns = self.turns_of(node);
        let is_told = turns.is_some();
        let runs = runs || turns.as_ref().is_some_and(|turns| turns.count > 0);
        let is_empty = is_empty || turns.as_ref().is_some_and(|turns| turns.count == 0);
        self.told_loops += u32::from(turns.is_some());
        self.open_loop(node);
        if let Some(left) = node.child_by_field_name("left") {
            let at = right.map_or(position(left), position);
            let item = source.map(|source| self.builder.element_load(source, key, at));
            self.assign(left, item, at);
            self.give_members(node);
            self.note_pairs(left, table);
            self.note_keys(left, right, source);
        }
        if is_empty && !self.builder.at_file_level() {
            self.builder.rule_out();
        }
        let (rounds, tests) = (self.rounds.len(), self.builder.tests());
        let function = self.builder.function();
        let decides = source.filter(|_| !runs_always);
        self.rounds.extend(decides.map(|source| (source, function)));
        // Whether the body runs at all.
        self.builder.choose_by(decides);
        if let Some(body) = body {
            self.block(body);
        }
        self.builder.restore_tests(tests);
        self.rounds.truncate(rounds);
        self.pairs.truncate(pairs);
        self.close_loop(node, (false, runs), turns);
        self.put_all_of(puts);
        self.hold_behind(ends, is_told);
    }

    /// Behind a loop over a display, the variable holds the last part, and so does what the body sets to it each time.
    pub(super) fn hold_last(&mut self, node: Node<'t>) -> Option<()> {
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let body = node.child_by_field_name("body")?;
        let is_display = matches!(right.kind(), "list" | "tuple");
        if left.kind() != "identifier" || !is_display || !self.builder.is_reachable() || continues(body) {
            return None;
        }
        let last = children(right).last()?;
        let name = self.text_of(left);
        let is_plain = matches!(
            last.kind(),
            "identifier" | "string" | "integer" | "true" | "false" | "none"
        );
        let bound = names::all_bound_in(body, self.text);
        let is_bound = |node: &Node<'t>| bound.iter().any(|bound| bound == self.text_of(*node));
        if !is_plain || is_bound(&left) || last.kind() == "identifier" && is_bound(&last) {
            return None;
        }
        let copies = children(body).filter_map(|statement| {
            let assignment = statement
                .part(0)
                .filter(|_| statement.kind() == "expression_statement")?;
            let (to, from) = (
                assignment.child_by_field_name("left")?,
                assignment.child_by_field_name("right")?,
            );
            let is_copy = assignment.kind() == "assignment" && to.kind() == "identifier" && from.kind() == "identifier";
            (is_copy && self.text_of(from) == name).then_some(to)
        });
        let is_once = |to: &Node<'t>| bound.iter().filter(|bound| **bound == self.text_of(*to)).count() == 1;
        let copies: Vec<_> = copies.filter(is_once).collect();
        let held = self.expression(last);
        for to in std::iter::once(left).chain(copies) {
            self.assign(to, held, position(to));
        }
        Some(())
    }

    /// Whether a loop over this certainly has nothing to go over.
    fn has_no_items(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "list" | "tuple" | "dictionary" => children(node).next().is_none(),
            "call" => self.range_of(node).is_some_and(|(start, end)| start >= end),
            _ => false,
        }
    }

    /// Where `range(…)` begins and ends, if that is known.
    pub(super) fn range_of(&mut self, call: Node<'t>) -> Option<(i32, i32)> {
        let function = call.child_by_field_name("function")?;
        let name = self.name_of(function);
        if self.text_of(function) != "range" || self.builder.is_bound(name) {
            return None;
        }
        let given: Vec<_> = call
            .child_by_field_name("arguments")
            .into_iter()
            .flat_map(children)
            .collect();
        let mut number = |node| match self.constant(node)? {
            Constant::Number(number) => Some(number),
            _ => None,
        };
        match given.as_slice() {
            [end] => Some((0, number(*end)?)),
            [start, end] => Some((number(*start)?, number(*end)?)),
            _ => None,
        }
    }

    /// Whether a loop over this certainly has something to go over.
    fn has_items(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "list" | "tuple" | "set" => {
                let is_one = |item: Node<'t>| !matches!(item.kind(), "list_splat" | "comment");
                children(node).any(is_one)
            }
            "dictionary" => children(node).any(|item| item.kind() == "pair"),
            "string" => self.constant_text(node).is_some_and(|text| !text.is_empty()),
            "parenthesized_expression" => node.part(0).is_some_and(|inner| self.has_items(inner)),
            "identifier" => {
                let name = self.name_of(node);
                let shape = self.builder.shaped(name).map(|(_, shape)| shape);
                shape.is_some_and(|shape| shape.values().next().is_some())
            }
            "call" => {
                let function = node.child_by_field_name("function");
                let given: Vec<_> = node
                    .child_by_field_name("arguments")
                    .into_iter()
                    .flat_map(children)
                    .collect();
                let Some(function) = function.filter(|function| function.kind() == "identifier") else {
                    return false;
                };
                let name = self.name_of(function);
                if self.builder.is_bound(name) {
                    return false;
                }
                match (self.text_of(function), given.as_slice()) {
                    ("range", _) => self.range_of(node).is_some_and(|(start, end)| start < end),
                    ("enumerate" | "reversed" | "sorted", [inner, ..]) => self.has_items(*inner),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn try_statement(&mut self, node: Node<'t>) {
        let (first_flow, exits) = (self.builder.facts.flows.len(), self.builder.exits());
        let before = self.builder.open_try();
        let guard = self.builder.open_guard();
        let (tests, calls) = (self.builder.tests(), self.builder.facts.calls.len());
        if let Some(body) = node.child_by_field_name("body") {
            self.block(body);
        }
        self.builder.close_guard(guard);
        let failed = self.failed_by(node, calls);
        let handler = self.builder.close_try(before);
        let mut ends = Vec::new();
        let mut finally = None;
        let mut after_body = self.builder.snapshot();
        let mut idle = self.idle_handlers(node).into_iter();
        for clause in children(node) {
            match clause.kind() {
                "except_clause" | "except_group_clause" => {
                    self.builder.restore(handler.clone());
                    if idle.next() == Some(true) {
                        self.builder.rule_out();
                    }
                    self.builder.choose_by(failed);
                    self.except_clause(clause, guard);
                    self.builder.restore_tests(tests);
                    ends.push(self.builder.snapshot());
                }
                "else_clause" => {
                    self.builder.restore(after_body.take());
                    self.block(clause.child_by_field_name("body").unwrap_or(clause));
                    after_body = self.builder.snapshot();
                }
                "finally_clause" => finally = Some(clause),
                _ => {}
            }
        }
        ends.insert(0, after_body);
        self.join(ends);
        if let Some(clause) = finally {
            if clause.part(0).is_some_and(returns) {
                self.forget_returns(first_flow);
            }
            let reachable = self.builder.snapshot();
            let leaves = self.builder.exits() > exits;
            self.builder.merge(handler);
            // Names hold what they may hold wherever it was left; what was done to objects by the end is done here.
            self.builder.restore_order(&reachable);
            self.block(clause.part(0).unwrap_or(clause));
            // The function may end behind it.
            if leaves && self.builder.is_reachable() {
                let here = self.builder.snapshot();
                self.builder.leave();
                self.builder.restore(here);
            }
            // Names that the clause itself binds are rare; what holds after it is what held before.
            if names::bound_in(clause, self.text).is_empty() {
                self.builder.restore_names(reachable);
            }
        }
    }

    /// What was returned so far is not: something else is.
    fn forget_returns(&mut self, first_flow: usize) {
        let Some(result) = self.builder.function_mut().results.first().copied() else {
            return;
        };
        let mut index = 0;
        self.builder.facts.flows.retain(|flow| {
            index += 1;
            index <= first_flow || flow.to != result
        });
    }

    /// `raise x from y`; alone it raises what was caught.
    fn raise_statement(&mut self, node: Node<'t>) {
        let at = position(node);
        let cause = node.child_by_field_name("cause");
        let value = children(node).find(|child| Some(*child) != cause);
        let value = match value {
            Some(value) => {
                let held = self.expression(value);
                let made = held.filter(|_| self.looks_like_class(value));
                made.map_or(held, |class| Some(self.made_by_raising(value, class)))
            }
            None => self.caught_again(at),
        };
        let is_raised_anew = value.is_some() && children(node).next().is_some();
        let cause = cause.and_then(|cause| self.expression(cause));
        if let Some(value) = value {
            if cause.is_some() {
                let name = self.builder.name("__cause__");
                self.builder.store(value, name, cause, at);
            }
            if is_raised_anew
                && self.reads_context
                && let Some(caught) = self.caught.last_mut()
            {
                caught.1 = true;
                let (name, held) = (self.builder.name("__context__"), caught.0);
                self.builder.store(value, name, Some(held), at);
            }
            self.builder.raise(value, at);
        }
    }

    /// What the handler around caught: what its name holds, where that is still the same.
    fn caught_again(&mut self, at: Position) -> Option<PlaceId> {
        let caught = self.caught.last_mut()?;
        caught.1 = true;
        let (held, named) = (caught.0, caught.2);
        let named = named.filter(|(name, place)| self.builder.only_definition(*name) == Some(*place));
        Some(named.map_or(held, |(name, _)| self.builder.use_name(name, at)))
    }

    fn except_clause(&mut self, clause: Node<'t>, guard: GuardId) {
        let held = self.builder.value(position(clause));
        self.caught.push((held, false, None));
        let class = self.except_parts(clause, held);
        let Some((held, used, _)) = self.caught.pop() else {
            return;
        };
        let to = Some(held).filter(|_| used);
        self.builder.facts.guards[guard.0 as usize].handlers.push(Handler {
            to,
            class,
            looks_on: None,
        });
    }

    /// Gives what the clause catches.
    fn except_parts(&mut self, clause: Node<'t>, held: PlaceId) -> Option<TypeExpressionId> {
        let mut declared = None;
        for child in children(clause) {
            match child.kind() {
                "block" => self.block(child),
                "as_pattern" => {
                    let alias = child.child_by_field_name("alias").and_then(|alias| alias.part(0));
                    let class = child.part(0);
                    declared = self.caught(class, alias, held);
                }
                _ => {
                    let alias = clause.child_by_field_name("alias");
                    if alias != Some(child) {
                        declared = self.caught(Some(child), alias, held);
                    }
                }
            }
        }
        declared
    }

    /// `except class as alias`: the alias holds an instance of the class.
    fn caught(&mut self, class: Option<Node<'t>>, alias: Option<Node<'t>>, held: PlaceId) -> Option<TypeExpressionId> {
        let class = class?;
        self.expression(class);
        let declared = self.annotation(class);
        if let Some(alias) = alias {
            let name = self.name_of(alias);
            let place = self.builder.define(name, PlaceKind::Local, position(alias));
            self.builder.declare_type(place, declared);
            self.builder.flow(Some(held), place, How::Raise, position(alias));
            if let Some(caught) = self.caught.last_mut() {
                caught.1 = true;
                // What is raised again is what the name holds, with what was put in it.
                caught.2 = Some((name, place));
            }
        }
        Some(declared)
    }

    fn with_statement(&mut self, node: Node<'t>) {
        let clause = children(node).find(|child| child.kind() == "with_clause");
        let is_async = is_async(node);
        let (mut may_leave, mut exits) = (false, Vec::new());
        for item in clause
            .into_iter()
            .flat_map(children)
            .filter(|item| item.kind() == "with_item")
        {
            let Some(value) = item.child_by_field_name("value") else {
                continue;
            };
            let (context, target) = match value.kind() {
                "as_pattern" => {
                    let target = value.child_by_field_name("alias").and_then(|alias| alias.part(0));
                    (value.part(0), target)
                }
                _ => (Some(value), None),
            };
            let Some(context) = context else { continue };
            may_leave |= self.swallows(context);
            let place = self.expression(context);
            let at = position(context);
            let (enter, exit) = if is_async {
                ("__aenter__", "__aexit__")
            } else {
                ("__enter__", "__exit__")
            };
            let entered = place.map(|place| self.builder.implicit_call(place, enter, Vec::new(), at));
            exits.extend(place.map(|place| (place, exit, at)));
            if let Some(target) = target {
                self.assign(target, entered, at);
            }
        }
        let body = node.child_by_field_name("body");
        let raises = (self.builder.facts.raises.len(), self.ended_by_calls);
        let before = self.builder.open_try();
        let guard = self.builder.open_guard();
        body.into_iter().for_each(|body| self.block(body));
        self.builder.close_guard(guard);
        let mut left = self.builder.close_try(before);
        let after = (!self.builder.is_reachable()).then(|| self.builder.snapshot());
        // What is raised in there may go no further: that is for `__exit__` to say.
        may_leave |= !self.builder.is_reachable() && raises != (self.builder.facts.raises.len(), self.ended_by_calls);
        // It is left at the end, or from somewhere in there.
        if after.is_some() {
            self.builder.restore(left.clone());
        }
        for (place, exit, at) in exits.into_iter().rev() {
            let raised = self.builder.value(at);
            let given = [None, Some(raised), None].map(|place| Self::positional(place, node));
            self.builder.implicit_call(place, exit, given.to_vec(), at);
            let call = self.builder.facts.calls.len() as u32 - 1;
            self.builder.facts.guards[guard.0 as usize].handlers.push(Handler {
                to: Some(raised),
                class: None,
                looks_on: Some(call),
            });
        }
        if let Some(after) = after {
            left = self.builder.snapshot();
            self.builder.leave();
            self.builder.restore(after);
        }
        if may_leave {
            self.builder.merge(left);
        }
    }

    /// `suppress(KeyError)`: the body may end at any point, and what follows goes on.
    fn swallows(&self, context: Node<'t>) -> bool {
        let function = context.child_by_field_name("function");
        let text = function.map_or("", |function| self.text_of(function));
        matches!(text.rsplit('.').next(), Some("suppress" | "raises" | "assertRaises"))
    }

    fn delete(&mut self, node: Node<'t>) {
        match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                self.builder.undefine(name, position(node));
            }
            "expression_list" | "tuple" | "pattern_list" => {
                for child in children(node) {
                    self.delete(child);
                }
            }
            "attribute" => {
                let object = node.child_by_field_name("object");
                let base = object.and_then(|object| self.expression(object));
                let member = node.child_by_field_name("attribute");
                if let (Some(base), Some(member)) = (base, member) {
                    let name = self.name_of(member);
                    self.builder.delete(base, name, position(member));
                }
            }
            "subscript" if self.take_part(node) => {}
            "subscript" => {
                let base = node
                    .child_by_field_name("value")
                    .and_then(|value| self.expression(value));
                let (key, computed) = self.subscript_key(node);
                if let Some(base) = base {
                    let asked = node.child_by_field_name("subscript");
                    let constant = asked.and_then(|asked| self.constant(asked));
                    let argument = Argument {
                        constant,
                        ..Self::positional(computed, node)
                    };
                    let call = self.builder.facts.calls.len() as u32;
                    self.builder
                        .implicit_call(base, "__delitem__", vec![argument], position(node));
                    if let Some(Constant::Number(number)) = constant {
                        self.builder.facts.numbers.push((call, number));
                    } else {
                        self.builder.element_store(base, key, None, position(node));
                        self.builder.drop_parts(base, (Some(key), computed), position(node));
                    }
                    self.move_behind(base, node, Some(0), position(node));
                }
            }
            _ => {
                self.expression(node);
            }
        }
    }

    /// An argument by position.
    pub(super) fn positional(place: Option<PlaceId>, node: Node<'t>) -> Argument {
        Argument {
            kind: ArgumentKind::Positional,
            place,
            text: None,
            constant: None,
            position: position(node),
        }
    }
}

/// Whether a loop, a clause or a block waits for what it asks for: `async for`.
pub(super) fn is_async(node: Node<'_>) -> bool {
    node.child(0).is_some_and(|first| first.kind() == "async")
}

/// Whether control never comes past the end of a block.
fn leaves(block: Node<'_>) -> bool {
    let Some(last) = children(block).filter(|statement| statement.kind() != "comment").last() else {
        return false;
    };
    match last.kind() {
        "return_statement" | "raise_statement" | "break_statement" => true,
        "if_statement" => {
            let mut cursor = last.walk();
            let others: Vec<_> = last.children_by_field_name("alternative", &mut cursor).collect();
            let bodies = others.iter().map(|clause| {
                let body = clause.child_by_field_name("consequence");
                body.or_else(|| clause.child_by_field_name("body"))
            });
            others.iter().any(|clause| clause.kind() == "else_clause")
                && std::iter::once(last.child_by_field_name("consequence"))
                    .chain(bodies)
                    .all(|body| body.is_some_and(leaves))
        }
        _ => false,
    }
}

/// Whether the loop around a block may go on from within it.
fn continues(block: Node<'_>) -> bool {
    let mut open = vec![block];
    while let Some(node) = open.pop() {
        if node.kind() == "continue_statement" {
            return true;
        }
        let has_own = matches!(
            node.kind(),
            "for_statement" | "while_statement" | "function_definition" | "class_definition" | "lambda"
        );
        // The `else` clause of a loop inside is not that loop's.
        match has_own {
            true => open.extend(node.child_by_field_name("alternative")),
            false => open.extend(children(node)),
        }
    }
    false
}

/// Whether a block ends the function with a value, whatever came before it.
fn returns(block: Node<'_>) -> bool {
    children(block).any(|statement| statement.kind() == "return_statement")
}
