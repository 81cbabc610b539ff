//! Generators that are stepped by hand: `next(flow)`, `flow.send(value)`.
//!
//! What such a call gives is what comes at the step that it takes; a loop over `flow` gets what is left.

use crate::tree::Parts;
use ripple_schema::How;
use tree_sitter::Node;

use super::{Walker, children, position};
use crate::facts::ElementKey;

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
