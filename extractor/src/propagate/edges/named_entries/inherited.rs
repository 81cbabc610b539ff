//! Methods of a base class that ask the class below: what they give for objects of one class is what that class gives.
//!
//! ```python
//! class Feature:
//!     def __call__(self, mail): return float(self.extract(mail))
//!
//! {feature.name: feature(mail) for feature in FEATURES}       # ["caps"] is made of what `Caps.extract` gives, and of no other's
//! ```
//!
//! Everything else that comes to the result (what the method is given itself, fields that it reads) comes for each class.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Finder, PLACE_LIMIT, Source};
use crate::facts::PlaceKind;
use crate::link::{FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::edges::{EdgeSite, End, ValueEdge};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// What a method's result is made of.
#[derive(Default)]
struct Template {
    /// Calls of methods of its own object.
    asked: Vec<(u32, Symbol)>,
    /// Anything else.
    others: Vec<PlaceIndex>,
}

impl Finder<'_, '_> {
    /// What a method gives for objects of a class at a call.
    pub(super) fn given_for(&self, class: TypeIndex, call: u32, function: FunctionIndex) -> Vec<Source> {
        let Some(Template { asked, others }) = self.template(function) else {
            return vec![Source::Given(call, function)];
        };
        let program = &self.solver.program;
        let mut given: Vec<Source> = others.into_iter().map(|place| Source::Inside(call, place)).collect();
        for (inner, method) in asked {
            let member = program.find_member(class, method);
            match member.and_then(|member| self.solver.method_at.get(&member)) {
                Some(own) => given.push(Source::Asked(call, inner, *own)),
                None => return vec![Source::Given(call, function)],
            }
        }
        given
    }

    /// What a method is made of that asks its own object for values; nothing where it does not, or gives containers, of which the parts go
    /// their own ways.
    fn template(&self, function: FunctionIndex) -> Option<Template> {
        let solver = self.solver;
        let mut open = solver.function_results(function);
        let (mut seen, mut found) = (FxHashSet::default(), Template::default());
        while let Some(place) = open.pop() {
            if seen.len() >= PLACE_LIMIT {
                return None;
            }
            if !seen.insert(place) {
                continue;
            }
            if solver
                .held(place)
                .any(|(_, object)| matches!(object, Object::Container { .. }))
            {
                return None;
            }
            if let Some(call) = self.calls.get(&place) {
                let row = &solver.calls[*call as usize];
                let is_outside = row.targets.iter().all(|target| matches!(target, Target::External(_)));
                match self.own_field(self.first(row.callee)) {
                    Some(method) if !is_outside => found.asked.push((*call, method)),
                    _ if is_outside => {
                        let given = solver.call_arguments(*call).iter();
                        open.extend(given.filter_map(|argument| argument.place).chain(row.receiver));
                    }
                    _ => found.others.push(place),
                }
                continue;
            }
            let kind = solver.program.place_kind(place);
            let is_given = matches!(
                kind,
                Some(PlaceKind::Parameter | PlaceKind::Receiver | PlaceKind::Captured)
            );
            if is_given || self.read(place).is_some() {
                found.others.push(place);
                continue;
            }
            open.extend(self.into.get(&place).into_iter().flatten().map(|(from, _)| *from));
        }
        (!found.asked.is_empty()).then_some(found)
    }

    /// What a call hands to the method that one which it calls asks in its place: of the arguments there, those that are made of these here.
    pub(super) fn hand_below(
        &self,
        (call, inner, function): (u32, u32, FunctionIndex),
        site: EdgeSite,
        edges: &mut Vec<ValueEdge>,
    ) {
        let solver = self.solver;
        let given: Vec<(PlaceIndex, PlaceIndex)> = targets_of(solver, call)
            .flat_map(|(target, is_bound)| solver.arguments_given(call, target, is_bound))
            .filter_map(|(parameter, argument)| Some((parameter, argument?.place?)))
            .collect();
        for (parameter, argument) in solver.arguments_given(inner, function, true) {
            let Some(argument) = argument.and_then(|argument| argument.place) else {
                continue;
            };
            let is_of = self.reads(argument).is_of;
            let from = given.iter().filter(|(outer, _)| is_of.contains(outer));
            edges.extend(from.map(|(_, place)| ValueEdge {
                kind: EdgeKind::PassesTo,
                from: End::Place(*place),
                to: End::Place(parameter),
                how: How::Positional,
                rule: Rule::Propagated,
                site,
                call,
            }));
        }
    }
}

/// The functions that a call calls, and whether it calls them as methods.
fn targets_of<'s>(solver: &'s Solver<'_>, call: u32) -> impl Iterator<Item = (FunctionIndex, bool)> + 's {
    solver.calls[call as usize].entries().filter_map(|target| match target {
        Target::Function { function, receiver, .. } => Some((function, receiver.is_some())),
        _ => None,
    })
}
