//! Generators that are stepped by hand: `next(flow)`, `flow.send(value)`.
//!
//! What such a call gives is what comes at the step that it takes; a loop over `flow` gets what is left.

use crate::tree::Parts;
use ripple_schema::How;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::statement::is_async;
use super::{Walker, children, position};
use crate::facts::{ElementKey, PlaceId, Position};

/// Methods that take one step.
const STEPPING: &[&str] = &[
    "__next__",
    "__anext__",
    "send",
    "asend",
    "throw",
    "athrow",
    "close",
    "aclose",
];

/// Most values of a generator that are handed on one by one.
const YIELDS_LIMIT: u32 = 8;

impl<'t> Walker<'t> {
    /// The variable of whose generator a call takes a step.
    pub(super) fn stepped_by(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<Node<'t>> {
        let stepped = match function.kind() {
            "identifier" if matches!(self.text_of(function), "next" | "anext") => {
                let name = self.name_of(function);
                let is_bound = self.builder.is_bound(name);
                arguments
                    .and_then(|arguments| children(arguments).next())
                    .filter(|_| !is_bound)?
            }
            "attribute" => {
                let member = function.child_by_field_name("attribute")?;
                let steps = STEPPING.contains(&self.text_of(member));
                function.child_by_field_name("object").filter(|_| steps)?
            }
            _ => return None,
        };
        (stepped.kind() == "identifier").then_some(stepped)
    }

    /// Whether a use of a name takes a step of the generator there and does no more with it.
    pub(super) fn is_stepped(&mut self, node: Node<'t>) -> bool {
        let is_stepped = self.stepped == Some(node.id());
        if is_stepped {
            self.stepped = None;
        }
        is_stepped
    }

    /// Notes the step that the last call takes.
    pub(super) fn take_step(&mut self, stepped: Option<Node<'t>>) {
        let Some(stepped) = stepped else { return };
        let name = self.name_of(stepped);
        if let Some(before) = self.builder.step(name) {
            let call = self.builder.facts.calls.len() as u32 - 1;
            self.builder.facts.steps.push((call, before));
        }
        if self.stops_here(stepped) {
            self.raise_stop(stepped);
        }
    }

    /// `next` of a generator that is at its end raises `StopIteration` with what it returned.
    fn raise_stop(&mut self, stepped: Node<'t>) {
        let (name, at) = (self.name_of(stepped), position(stepped));
        let generator = self.builder.see_name(name, at);
        let returned = self.builder.element_load(generator, ElementKey::Returned, at);
        let class = self.builder.name("StopIteration");
        let callee = self.builder.see_name(class, at);
        let argument = Self::positional(Some(returned), stepped);
        let stop = self
            .builder
            .call_that_keeps(callee, class, None, vec![argument], at, How::Implicit);
        self.builder.raise(stop, at);
    }

    /// What iteration gives of a variable's generator, of which some steps may have been taken.
    pub(super) fn each_left(&mut self, source: Option<Node<'t>>, is_async: bool) -> ElementKey {
        let name = source
            .filter(|source| source.kind() == "identifier")
            .map(|source| self.name_of(source));
        let steps = name.and_then(|name| self.builder.steps(name));
        match steps.map_or(0, |steps| steps.least) {
            0 if is_async => ElementKey::Awaited,
            0 => ElementKey::Each,
            least => ElementKey::From(least),
        }
    }

    /// Counts the values of the generators at file level that give as many each time: those that stand in a line.
    pub(super) fn note_file_yields(&mut self, root: Node<'t>, times: &FxHashMap<String, u32>) {
        for function in children(root).filter(|statement| statement.kind() == "function_definition") {
            let (Some(name), Some(body)) = (
                function.child_by_field_name("name"),
                function.child_by_field_name("body"),
            ) else {
                continue;
            };
            let name = self.text_of(name);
            let count = yields_in_line(body).filter(|_| times.get(name) == Some(&1) && !is_async(function));
            self.file_yields.extend(count.map(|count| (name, count)));
        }
    }

    /// How many values a call gives one after another, if it is one of such a generator.
    pub(super) fn values_given(&mut self, call: Node<'t>) -> Option<u32> {
        let function = call.child_by_field_name("function").filter(|_| call.kind() == "call")?;
        let count = *self.file_yields.get(self.text_of(function))?;
        let name = self.name_of(function);
        self.builder.is_of_file(name).then_some(count)
    }

    /// `yield from` of a generator that gives so many values. Gives what it returns.
    pub(super) fn yield_each(&mut self, inner: PlaceId, result: PlaceId, count: u32, at: Position) -> PlaceId {
        for index in 0..count {
            let before = self.builder.next_yield();
            let (key, sent) = match before.is_exact {
                true => (ElementKey::Index(before.least), ElementKey::Sent(before.least + 1)),
                false => (ElementKey::From(before.least), ElementKey::SentFrom(before.least + 1)),
            };
            let given = self.builder.element_load(inner, ElementKey::Index(index), at);
            self.builder.element_store(result, key, Some(given), at);
            let sent = self.builder.element_load(result, sent, at);
            self.builder
                .element_store(inner, ElementKey::Sent(index + 1), Some(sent), at);
        }
        self.builder.element_load(inner, ElementKey::Returned, at)
    }

    /// Whether somebody around waits for the end of a generator.
    fn stops_here(&self, stepped: Node<'t>) -> bool {
        let mut around = stepped.parent();
        while let Some(node) = around.filter(|node| node.kind() != "function_definition") {
            let mut clauses = children(node).filter(|clause| clause.kind() == "except_clause");
            let names = |clause: Node<'t>| clause.part(0).map_or("", |named| self.text_of(named));
            if node.kind() == "try_statement" && clauses.any(|clause| names(clause).contains("StopIteration")) {
                return true;
            }
            around = node.parent();
        }
        false
    }
}

/// How many values the statements of a generator give one after another; none where some may be left out, or come again.
fn yields_in_line(body: Node<'_>) -> Option<u32> {
    let mut count = 0;
    for statement in children(body) {
        let value = match statement.part(0).filter(|_| statement.kind() == "expression_statement") {
            Some(assignment) if assignment.kind() == "assignment" => assignment.child_by_field_name("right"),
            value => value,
        };
        let is_yield = value.is_some_and(|value| {
            let inside = value.part(0).is_some_and(|inside| holds(inside, &["yield"]));
            value.kind() == "yield" && value.child(1).is_none_or(|word| word.kind() != "from") && !inside
        });
        match is_yield {
            true => count += 1,
            false if holds(statement, &["yield"]) => return None,
            false if statement.kind() == "return_statement" => break,
            false if holds(statement, &["return_statement"]) => return None,
            false => {}
        }
    }
    (1..=YIELDS_LIMIT).contains(&count).then_some(count)
}

/// Whether one of these is inside, functions inside left out.
fn holds(node: Node<'_>, kinds: &[&str]) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if kinds.contains(&node.kind()) {
            return true;
        }
        if !matches!(node.kind(), "function_definition" | "lambda" | "class_definition") {
            open.extend(children(node));
        }
    }
    false
}
