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

use rustc_hash::FxHashSet;

use super::{Finder, PLACE_LIMIT, Read, Source, Way};
use crate::facts::PlaceKind;
use crate::link::{FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

/// What a method's result is made of.
#[derive(Default)]
struct Template {
    /// Methods of its own object that it calls, with the calls.
    asked: Vec<(Symbol, u32)>,
    /// What it looks up under a name that its class says, in what comes from outside: that member, in what, and what is found.
    looked_up: Vec<(Symbol, PlaceIndex, PlaceIndex)>,
    /// Anything else.
    others: Vec<PlaceIndex>,
}

impl Finder<'_, '_> {
    /// What a method gives for objects of a class at a call.
    pub(super) fn given_for(&self, class: TypeIndex, call: u32, function: FunctionIndex) -> Vec<Source> {
        let Some(Template {
            asked,
            looked_up,
            others,
        }) = self.template(function)
        else {
            return vec![Source::Given(call, function)];
        };
        let program = &self.solver.program;
        let mut given: Vec<Source> = others.into_iter().map(|place| Source::Inside(call, place)).collect();
        for (member, base, found) in looked_up {
            match self.made.text_of_class(self.solver, class, member) {
                Some(text) => given.extend([Source::Key(text), Source::Inside(call, base)]),
                None => given.push(Source::Inside(call, found)),
            }
        }
        let mut is_apart = !given.is_empty();
        for (method, inner) in asked {
            let member = program.find_member(class, method);
            let Some(own) = member.and_then(|member| self.solver.method_at.get(&member)) else {
                return vec![Source::Given(call, function)];
            };
            given.push(Source::Given(call, *own));
            is_apart |= self.solver.calls[inner as usize].targets.len() > 1;
        }
        // No other class gives anything else.
        match is_apart {
            true => given,
            false => vec![Source::Given(call, function)],
        }
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
                    Some(method) if !is_outside => {
                        found.asked.push((method, *call));
                        // What it is handed comes to the caller of this one by way of it.
                        let given = solver.call_arguments(*call).iter();
                        open.extend(given.filter_map(|argument| argument.place));
                    }
                    _ if is_outside => {
                        let given = solver
                            .call_arguments(*call)
                            .iter()
                            .filter_map(|argument| argument.place);
                        match self
                            .read_by_get(*call, place)
                            .and_then(|read| self.asked_by_class(&read))
                        {
                            Some((member, base)) => {
                                found.looked_up.push((member, base, place));
                                open.extend(given.skip(1));
                            }
                            None => open.extend(given.chain(row.receiver)),
                        }
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
            let read = self.read(place);
            if let Some((member, base)) = read.as_ref().and_then(|read| self.asked_by_class(read)) {
                found.looked_up.push((member, base, place));
                continue;
            }
            if is_given || read.is_some() {
                found.others.push(place);
                continue;
            }
            open.extend(self.into.get(&place).into_iter().flatten().map(|(from, _)| *from));
        }
        (!found.asked.is_empty() || !found.looked_up.is_empty()).then_some(found)
    }

    /// The member of its own object by which a method asks for what comes from outside, and what it asks: `mail[self.column]`.
    fn asked_by_class(&self, read: &Read) -> Option<(Symbol, PlaceIndex)> {
        let member = self.own_field(self.first(read.index?))?;
        (read.ways.as_slice() == [Way::Value] && self.is_from_outside(read)).then_some((member, read.item))
    }
}
