//! What a value goes into of which nobody knows where it comes out again.
//!
//! ```python
//! client.send(order)          # library code that no table tells of may keep `order`, or call something of it
//! handlers[name](order)       # nobody knows what is called
//! ```
//!
//! Beside a call of which all callees are known, one that could not be resolved counts as well where it may be the same: of the object that is asked
//! there only some is known.

use std::collections::BTreeSet;

use ripple_graphdb::Net;
use ripple_schema::{EdgeKind, How, NodeKind, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Room;
use super::calls::CALLS;
use super::published::READS;
use super::value::FLOWS;
use super::verdict::{BUDGET, counted, reason, unresolved_of};
use super::walk::PASSES;
use crate::Error;
use crate::view::Reason;

/// Calls that values go into, and that tell no more of them.
#[derive(Default)]
pub(super) struct Unknown {
    /// Nobody knows what is called.
    unresolved: Calls,
    /// Nobody knows what the library code does with them.
    library: Calls,
    /// A budget of the extractor cut them.
    cut: Calls,
    /// They are put into objects of which nobody knows what they are.
    put: Calls,
}

impl Unknown {
    /// From these nodes, tests left out unless they are asked for.
    pub(super) fn of(room: &Room<'_>, values: impl Iterator<Item = u32>, tests: bool) -> Self {
        let net = &room.net;
        let mut unknown = Self::default();
        let mut others = Others::default();
        let mut seen = FxHashSet::default();
        for value in values {
            for arrow in net.leaving(value, PASSES.and(FLOWS)) {
                let (calls, into) = match net.rule(arrow.edge) {
                    Rule::UnknownContents if arrow.how == How::Store => (&mut unknown.put, arrow.node),
                    _ if arrow.kind == EdgeKind::FlowsTo => continue,
                    Rule::OverBudget => (&mut unknown.cut, arrow.node),
                    Rule::IntoLibrary => (&mut unknown.library, arrow.node),
                    rule if rule.is_unresolved() => (&mut unknown.unresolved, arrow.node),
                    _ => match others.beside(room, value, arrow.node) {
                        Some(other) => (&mut unknown.unresolved, other),
                        None => continue,
                    },
                };
                if seen.insert(arrow.edge) && (tests || !net.is_test(value)) {
                    calls.note(into);
                }
            }
        }
        unknown
    }

    /// Those of library code.
    pub(super) fn only_libraries(self) -> Self {
        Self {
            library: self.library,
            ..Self::default()
        }
    }

    /// Tells of each, behind the words that say what goes there.
    pub(super) fn reasons(&self, room: &Room<'_>, goes: &str) -> Result<Vec<Reason>, Error> {
        let sorts = [
            ("unresolved-calls", &self.unresolved, "calls that could not be resolved"),
            (
                "unknown-library",
                &self.library,
                "library code that is not known and may keep it, or call it",
            ),
            (
                BUDGET,
                &self.cut,
                "calls that have more callees than are followed, or into more containers",
            ),
            ("unknown-receivers", &self.put, "attributes of objects of unknown type"),
        ];
        let mut reasons = Vec::new();
        for (code, calls, into) in sorts.into_iter().filter(|(_, calls, _)| calls.count > 0) {
            let message = format!("{goes} {into}, {}", calls.shown(&room.net)?);
            reasons.push(reason(code, message, calls.count));
        }
        Ok(reasons)
    }
}

/// By a function, what stands for calls of something called so that could not be resolved.
#[derive(Default)]
struct Others(FxHashMap<u32, Option<u32>>);

impl Others {
    /// What else may be called where this value comes to a parameter: of the object that is asked there only some is known.
    fn beside(&mut self, room: &Room<'_>, value: u32, parameter: u32) -> Option<u32> {
        let net = &room.net;
        let callee = net
            .owner(parameter)
            .filter(|callee| net.label(*callee) == NodeKind::Function)?;
        let unresolved = self.0.entry(callee).or_insert_with(|| {
            let card = net.card(callee).ok()?;
            unresolved_of(net, &card.language, &card.name)
        });
        let unresolved = (*unresolved)?;
        let calls_both = |caller: u32| {
            let calls = |callee: u32| net.leaving(caller, CALLS).any(|call| call.node == callee);
            calls(unresolved) && calls(callee)
        };
        let is_one = match net.label(value) {
            NodeKind::Field => net.entering(value, READS).any(|reader| calls_both(reader.node)),
            _ => net.owner(value).is_some_and(calls_both),
        };
        is_one.then_some(unresolved)
    }
}

/// Calls, by what is called.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) names: BTreeSet<u32>,
    pub(super) count: u64,
}

impl Calls {
    /// One more of what this node stands for.
    pub(super) fn note(&mut self, node: u32) {
        self.names.insert(node);
        self.count += 1;
    }

    /// The first of their names, and how many there are.
    fn shown(&self, net: &Net) -> Result<String, Error> {
        let (first, count) = self.first(net)?;
        Ok(format!("{} in all: {first}", counted(count, "name")))
    }

    /// The first few, and how many there are: several nodes may have one name.
    pub(super) fn first(&self, net: &Net) -> Result<(String, u64), Error> {
        let (mut names, mut shown) = (FxHashSet::default(), Vec::new());
        for &node in &self.names {
            let name = net.card(node)?.name;
            if names.len() < 3 && !names.contains(&name) {
                shown.push(format!("`{name}`"));
            }
            names.insert(name);
        }
        let more = if names.len() > 3 { ", …" } else { "" };
        Ok((format!("{}{more}", shown.join(", ")), names.len() as u64))
    }
}
