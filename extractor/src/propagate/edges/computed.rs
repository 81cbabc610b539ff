//! Calls of members that are named while the program runs.
//!
//! ```python
//! handler = getattr(self, request.method.lower(), self.missing)
//! return handler(request)                # any method of a `View` may be meant
//! ```
//!
//! So is a call of library code that is handed such a member: `blueprint.add_url_rule(url, name, getattr(self, name))`.
//!
//! That is no edge to each of them, but a call of `View.*` that could not be resolved, so that who asks for the callers of a method of `View` hears of it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, End};
use crate::facts::{FileFacts, PlaceId};
use crate::link::{FileIndex, PlaceIndex, Symbol};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};
use ripple_schema::Rule;

/// Most places that a member is followed to: one that goes further is kept, and called by others.
const PLACE_LIMIT: usize = 64;

/// Such calls, each with what it may call: `Type.*`, by the full name of the type or module.
pub(super) fn computed_calls(solver: &mut Solver<'_>) -> Vec<(u32, Symbol)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    for (index, file) in solver.program.files.iter().enumerate() {
        let facts = &file.facts;
        let Some(first) = solver
            .first_calls
            .get(index)
            .filter(|_| !facts.computed_members.is_empty())
        else {
            continue;
        };
        let bases = bases_of(facts);
        for (call, row) in facts.calls.iter().enumerate() {
            let call = first + call as u32;
            let handed = row.arguments.iter().filter_map(|argument| argument.place);
            let handed = handed.filter(|place| bases.contains_key(place) && may_call_others(solver, call));
            for base in std::iter::once(row.callee)
                .chain(handed)
                .filter_map(|place| bases.get(&place))
                .flatten()
            {
                let base = solver.program.place(FileIndex(index as u32), *base);
                found.extend(wholes(solver, base).map(|whole| (call, format!("{whole}.*"))));
            }
        }
    }
    let symbols = &mut solver.program.symbols;
    let mut found: Vec<_> = found
        .into_iter()
        .map(|(call, name)| (call, symbols.intern(&name)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a call is one of library code that may call what it is handed.
fn may_call_others(solver: &Solver<'_>, call: u32) -> bool {
    let Some(row) = solver.calls.get(call as usize) else {
        return false;
    };
    let language = solver.program.files[row.file.at()].language;
    row.targets.iter().any(|target| match target {
        Target::External(name) => {
            let name = solver.program.symbols.text(*name);
            !crate::builtins::is_builtin(language, name.split('.').next().unwrap_or(name))
        }
        _ => false,
    })
}

/// What places were read from that hold such a member.
fn bases_of(facts: &FileFacts) -> FxHashMap<PlaceId, Vec<PlaceId>> {
    let mut onward: FxHashMap<PlaceId, Vec<PlaceId>> = FxHashMap::default();
    for flow in facts.flows.iter().filter(|flow| flow.same) {
        onward.entry(flow.from).or_default().push(flow.to);
    }
    for tested in &facts.narrowings {
        onward.entry(tested.from).or_default().push(tested.to);
    }
    let mut bases: FxHashMap<PlaceId, Vec<PlaceId>> = FxHashMap::default();
    for (base, to) in &facts.computed_members {
        let (mut seen, mut open) = (FxHashSet::from_iter([*to]), vec![*to]);
        while let Some(place) = open.pop() {
            bases.entry(place).or_default().push(*base);
            let next = onward.get(&place).into_iter().flatten().copied();
            open.extend(next.filter(|next| seen.len() < PLACE_LIMIT && seen.insert(*next)));
        }
    }
    bases
}

/// The names of the types and modules that a place holds.
fn wholes(solver: &Solver<'_>, base: PlaceIndex) -> impl Iterator<Item = String> {
    solver.held(base).filter_map(|(_, object)| match object {
        Object::Instance(index) | Object::AnyOf(index) | Object::Class(index) => Some(solver.program.type_name(index)),
        Object::Package(package) => Some(solver.program.packages[package.at()].name.clone()),
        _ => None,
    })
}

impl Collector<'_, '_> {
    pub(super) fn computed(&mut self, calls: &[(u32, Symbol)]) {
        for (call, whole) in calls {
            let how = self.solver.calls[*call as usize].how;
            self.call_edge(*call, End::Unresolved(*whole), Rule::UnresolvedMember, how);
        }
    }
}
