//! Functions that give what another one gives: what is registered in place of what was given.
//!
//! ```python
//! def feature(name):
//!     def wrap(function):
//!         def safe(mail): return function(mail)      # gives what `function` gives
//!         FEATURES[name] = safe
//!         return safe
//!     return wrap
//! ```

use rustc_hash::FxHashSet;

use super::{Finder, PLACE_LIMIT, Source};
use crate::facts::{ArgumentKind, PlaceKind};
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

impl Finder<'_, '_> {
    /// The parameter that the closure in a place calls: see [`Finder::wraps`].
    pub(super) fn wrapped(&self, closure: PlaceIndex) -> Option<PlaceIndex> {
        let mut functions = self.solver.held(closure).filter_map(|(_, object)| match object {
            Object::Function(function) => Some(function),
            _ => None,
        });
        match (functions.next(), functions.next()) {
            (Some(function), None) => self.wraps(function),
            _ => None,
        }
    }

    /// What is given at a call of functions that give what others give: what these do.
    pub(super) fn given_through(&self, call: u32, functions: FxHashSet<FunctionIndex>) -> Vec<Source> {
        let mut targets = self.solver.calls[call as usize]
            .entries()
            .filter_map(|target| match target {
                Target::Function { function, .. } => Some(function),
                _ => None,
            });
        let mut functions: Vec<FunctionIndex> = match targets.any(|target| self.wraps(target).is_some()) {
            true => functions.into_iter().collect(),
            false => Vec::new(),
        };
        functions.sort_unstable();
        functions
            .into_iter()
            .map(|function| Source::Given(call, function))
            .collect()
    }

    /// The parameter of the function around that a closure calls, where it gives what comes of that and nothing else.
    fn wraps(&self, function: FunctionIndex) -> Option<PlaceIndex> {
        let solver = self.solver;
        let is_of_kind = |place, kind| solver.program.place_kind(place) == Some(kind);
        let mut open = solver.function_results(function);
        let (mut seen, mut called) = (FxHashSet::default(), None);
        while let Some(place) = open.pop() {
            if seen.len() >= PLACE_LIMIT {
                return None;
            }
            if !seen.insert(place) {
                continue;
            }
            if let Some(call) = self.calls.get(&place) {
                let row = &solver.calls[*call as usize];
                let captured = Some(row.callee).filter(|callee| is_of_kind(*callee, PlaceKind::Captured));
                match captured.and_then(|callee| solver.parameter_at(callee)) {
                    Some(parameter) if called.is_none_or(|called| called == parameter) => called = Some(parameter),
                    Some(_) => return None,
                    None if row.targets.iter().all(|target| matches!(target, Target::External(_))) => {
                        let given = solver.call_arguments(*call).iter();
                        open.extend(given.filter_map(|argument| argument.place).chain(row.receiver));
                    }
                    None => return None,
                }
                continue;
            }
            let captured = Some(place).filter(|place| is_of_kind(*place, PlaceKind::Captured));
            if captured.is_some_and(|captured| self.is_constant(captured)) {
                continue;
            }
            if captured.is_some() || is_of_kind(place, PlaceKind::Parameter) || self.read(place).is_some() {
                return None;
            }
            open.extend(self.into.get(&place).into_iter().flatten().map(|(from, _)| *from));
        }
        called
    }

    /// Whether a closure sees a parameter there that each call fills with a constant, or leaves as it is by default: `feature("kb", default=0)`.
    fn is_constant(&self, captured: PlaceIndex) -> bool {
        let solver = self.solver;
        let Some(parameter) = solver.parameter_at(captured) else {
            return false;
        };
        let Some(maker) = solver.program.owner_of(parameter) else {
            return false;
        };
        let is_made = |place: &PlaceIndex| {
            let is_value = solver.program.place_kind(*place) == Some(PlaceKind::Value);
            !is_value
                || self.into.contains_key(place)
                || self.read(*place).is_some()
                || solver.held(*place).next().is_some()
        };
        let mut defaults = self.into.get(&parameter).into_iter().flatten();
        let of_maker = |target: &Target| matches!(target, Target::Function { function, .. } if *function == maker);
        let mut calls = (0..solver.calls.len() as u32)
            .filter(|call| solver.calls[*call as usize].entries().any(|target| of_maker(&target)));
        let is_open = |call: u32| {
            let given = solver.call_arguments(call).iter();
            let mut spread =
                given.filter(|argument| !matches!(argument.kind, ArgumentKind::Positional | ArgumentKind::Keyword(_)));
            let given = solver.arguments_given(call, maker, false).into_iter();
            let mut here = given
                .filter(|(own, _)| *own == parameter)
                .filter_map(|(_, argument)| argument?.place);
            spread.next().is_some() || here.any(|place| is_made(&place))
        };
        !defaults.any(|(from, _)| is_made(from)) && !calls.any(is_open)
    }
}
