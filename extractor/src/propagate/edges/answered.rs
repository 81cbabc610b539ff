//! Operators that one side answers: the other is not asked then.
//!
//! ```python
//! left + right          # `left.__add__`; `right.__radd__` if that gives `NotImplemented`, or there is none
//! rows += more          # `rows.__iadd__`; `rows.__add__` if there is none
//! ```
//!
//! <https://docs.python.org/3/reference/datamodel.html#emulating-numeric-types>

use ripple_schema::{How, Rule};

use super::Collector;
use crate::facts::PlaceKind;
use crate::link::{FunctionIndex, Symbol};
use crate::propagate::looked_into::{gives_operands, is_second_choice};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;
use crate::propagate::texts::text_methods;

impl Collector<'_, '_> {
    /// `__radd__` of the right side, where the left side has an answer; `__add__` that `+=` asks for, where the object has `__iadd__`.
    pub(super) fn is_answered_before(&self, call: u32, target: Target) -> bool {
        let row = &self.solver.calls[call as usize];
        let Target::Function { function, .. } = target else {
            return false;
        };
        let written = self.solver.program.symbols.text(row.text);
        if row.how != How::Implicit || !written.ends_with("__") {
            return false;
        }
        let symbols = &self.solver.program.symbols;
        if written.starts_with("__i") {
            // The method is that of the object itself.
            let own = match target {
                Target::Function { receiver, .. } => receiver.map(|receiver| self.solver.objects.get(receiver)),
                _ => None,
            };
            return is_second_choice(written)
                && self.solver.name_of(function) != written
                && own
                    .zip(symbols.find(written))
                    .is_some_and(|(own, method)| self.answers(own, method));
        }
        let operation = written.strip_prefix("__r").filter(|_| is_second_choice(written));
        let Some(first) = operation.and_then(|operation| symbols.find(&format!("__{operation}"))) else {
            return false;
        };
        let left = self.solver.call_arguments(call).first();
        let Some(asked) = left.and_then(|left| left.place) else {
            return false;
        };
        // A variable may hold a number as well, of which nothing is known here: what a call makes is what it is.
        let is_made = matches!(
            self.solver.program.place_kind(asked),
            Some(PlaceKind::CallValue | PlaceKind::Receiver)
        );
        let held: Vec<Object> = self.solver.held(asked).map(|(_, object)| object).collect();
        is_made
            && !held.is_empty()
            && held
                .iter()
                .all(|object| self.answers(*object, first) && !self.is_above(*object, target))
    }

    /// The language's own operator on built-in values: what goes in comes out, changed.
    pub(super) fn answered_by_itself(&mut self, call: u32) {
        let row = self.solver.calls[call as usize].clone();
        let result = self.solver.call_results(call).first().copied();
        let is_given = gives_operands(self.solver.program.symbols.text(row.text));
        let Some(result) = result.filter(|result| is_given && self.is_used(*result)) else {
            return;
        };
        let site = self.call_site(call);
        let arguments = self.solver.call_arguments(call).to_vec();
        let sources = arguments
            .iter()
            .filter_map(|argument| argument.place)
            .chain(row.receiver);
        for source in sources.collect::<Vec<_>>() {
            for from in self.solver.with_inside(call, source) {
                self.between(from, result, How::Assign, Rule::Syntax, site);
            }
        }
    }

    /// Whether a text is made of objects that have no method for that, beside those that have one: `f"{error}"` shows what an exception was made
    /// with, whatever a class below its own says.
    pub(super) fn is_shown_as_it_is(&self, call: u32, told: &[Target]) -> bool {
        let row = &self.solver.calls[call as usize];
        let methods = text_methods(self.solver.program.symbols.text(row.text));
        let (Some(methods), Some(receiver), How::Implicit) = (methods, row.receiver, row.how) else {
            return false;
        };
        let has_none = |(_, object)| match object {
            Object::Instance(class) | Object::AnyOf(class) => {
                self.solver.program.types[class.at()].open
                    && !methods.iter().any(|method| self.solver.has(class, method))
            }
            _ => false,
        };
        told.is_empty() || self.solver.held(receiver).any(has_none)
    }

    /// Whether an object has a method of an operator that never leaves the answer to another one.
    fn answers(&self, object: Object, method: Symbol) -> bool {
        let Object::Instance(class) = object else {
            return false;
        };
        let method = self.solver.program.find_member(class, method);
        let method = method.and_then(|method| self.solver.method_at.get(&method).copied());
        method.is_some_and(|method| !self.solver.program.function_facts(method).decorated && !self.may_decline(method))
    }

    /// Whether the class of a target's receiver stands below that of an object: its method is asked first.
    fn is_above(&self, object: Object, target: Target) -> bool {
        let (
            Object::Instance(class),
            Target::Function {
                receiver: Some(receiver),
                ..
            },
        ) = (object, target)
        else {
            return true;
        };
        match self.solver.objects.get(receiver) {
            Object::Instance(own) => own != class && self.solver.program.types[own.at()].order.contains(&class),
            _ => true,
        }
    }

    /// Whether a method of an operator may leave the answer to the other side: it gives `NotImplemented`.
    fn may_decline(&self, method: FunctionIndex) -> bool {
        let results = self.solver.function_results(method);
        results.into_iter().any(|result| {
            let mut held = self.solver.held(result);
            held.any(|(_, object)| match object {
                Object::External(name) => self.solver.program.symbols.text(name).ends_with("NotImplemented"),
                _ => false,
            })
        })
    }
}
