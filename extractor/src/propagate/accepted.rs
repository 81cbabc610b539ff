//! Which functions a call can enter with what it gives: the others would raise a `TypeError` before their first line.
//!
//! ```python
//! def draw(canvas, x, y): …
//! def load(path, *, strict=False): …
//! action(here, 3, 4)                # of all that `action` may be, `draw` and not `load`
//! action(name, strict=True)         # `load` and not `draw`
//! ```
//!
//! Where many functions meet in one place, most of them do not fit the calls behind it. A call that none of them fits is believed all the
//! same: something is not known of it, and nobody is told that it calls nothing. Asked are calls that stand in the source, since those
//! that library code makes hand over what nobody sees, and functions without decorators, which may hand over more.

use ripple_schema::{How, Language};
use rustc_hash::FxHashSet;

use super::object::Object;
use super::solve::{Constraint, Solver, Target};
use crate::facts::{ArgumentKind, Parameter, ParameterKind};
use crate::link::{FunctionIndex, TypeIndex};

/// Calls that something was kept out of.
#[derive(Debug, Default)]
pub(super) struct Unaccepted {
    calls: FxHashSet<u32>,
    /// Those that would call nothing without it.
    believed: FxHashSet<u32>,
}

impl Solver<'_> {
    /// Whether what a call gives does not fit what it would enter.
    pub(super) fn is_unaccepted(&mut self, call: u32, target: Target) -> bool {
        let fits = match target {
            Target::Function { function, receiver, .. } => self.accepts(call, function, receiver.is_some()),
            // What a constructor that nobody wrote calls is given other things.
            Target::Constructor { function, .. } if self.is_initializer(function) => self.accepts(call, function, true),
            _ => true,
        };
        if !fits {
            self.unaccepted.calls.insert(call);
        }
        !fits
    }

    /// Whether a class has constructors, and none that takes what a call gives.
    pub(super) fn is_unaccepted_by_class(&mut self, call: u32, class: TypeIndex) -> bool {
        let [init, new] = ["__init__", "__new__"].map(|name| {
            let name = self.program.symbols.find(name)?;
            self.program.find_member(class, name)
        });
        let (Some(init), None) = (init, new) else { return false };
        let functions: Vec<FunctionIndex> = self
            .held(init)
            .filter_map(|(_, object)| match object {
                Object::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        let are_all = functions.len() == self.contents(init).len() && !functions.is_empty();
        let fits = !are_all || functions.iter().any(|function| self.accepts(call, *function, true));
        if !fits {
            self.unaccepted.calls.insert(call);
        }
        !fits
    }

    /// Calls that nothing fitted are believed after all.
    pub(super) fn believe_unaccepted(&mut self) {
        let mut calls: Vec<u32> = self.unaccepted.calls.drain().collect();
        calls.sort_unstable();
        calls.retain(|call| self.calls[*call as usize].targets.is_empty());
        for call in calls {
            self.unaccepted.believed.insert(call);
            let callee = self.calls[call as usize].callee;
            let held = self.slots[callee.at()].contents.iter();
            self.work
                .extend(held.map(|object| (Some(Constraint::Call(call)), callee, *object)));
        }
    }

    fn is_initializer(&self, function: FunctionIndex) -> bool {
        let file = self.program.functions[function.at()].file;
        let name = self.program.function_facts(function).name;
        self.program.files[file.at()].facts.text(name) == "__init__"
    }

    fn accepts(&self, call: u32, function: FunctionIndex, bound: bool) -> bool {
        let row = &self.calls[call as usize];
        let is_written = self.made_calls.is_written(row.copy_of.unwrap_or(call));
        let facts = self.program.function_facts(function);
        let file = self.program.functions[function.at()].file;
        if !is_written
            || facts.decorated
            || !matches!(row.how, How::Direct | How::Method | How::Dynamic)
            || self.program.files[file.at()].language != Language::Python
            || self.unaccepted.believed.contains(&call)
        {
            return true;
        }
        let arguments = self.call_arguments(call);
        let has = |kind: ArgumentKind| arguments.iter().any(|argument| argument.kind == kind);
        let (spreads, spreads_keywords) = (has(ArgumentKind::Spread), has(ArgumentKind::SpreadKeywords));
        let by_position = arguments
            .iter()
            .filter(|argument| argument.kind == ArgumentKind::Positional)
            .count();
        let keywords = arguments
            .iter()
            .filter(|argument| matches!(argument.kind, ArgumentKind::Keyword(_)));
        let keywords: Vec<_> = keywords.filter_map(|argument| argument.name).collect();

        let takes = |before: usize, parameters: &[Parameter]| -> bool {
            let given = before + by_position;
            let gathers = |kind| parameters.iter().any(|parameter| parameter.kind == kind);
            let (rest, rest_keywords) = (gathers(ParameterKind::Rest), gathers(ParameterKind::RestKeywords));
            let mut position = 0;
            let mut named = 0;
            for parameter in parameters {
                let is_placed = matches!(parameter.kind, ParameterKind::Normal | ParameterKind::PositionalOnly);
                let is_named = matches!(parameter.kind, ParameterKind::Normal | ParameterKind::KeywordOnly);
                if !is_placed && !is_named {
                    continue;
                }
                let by_place = is_placed && position < given;
                position += usize::from(is_placed);
                let by_name = is_named && keywords.contains(&self.program.symbol(file, parameter.name));
                named += usize::from(by_name);
                let may_be_spread = is_placed && spreads || is_named && spreads_keywords;
                if by_place && by_name || parameter.required && !by_place && !by_name && !may_be_spread {
                    return false;
                }
            }
            (given <= position || rest) && (named == keywords.len() || rest_keywords)
        };
        let is_method = facts.owner.is_some();
        let skip = usize::from(bound && is_method);
        let before = usize::from(bound && !is_method);
        let parameters = facts.parameters.get(skip..).unwrap_or(&[]);
        // What code outside of a class puts into it is a method, too, and looks like an attribute.
        takes(before, parameters) || !bound && row.how == How::Method && takes(1, parameters)
    }
}
