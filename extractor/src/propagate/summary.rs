//! Which argument a function carries to its result, and which to another argument.
//!
//! `def label(name): return name.title()` carries its argument to its result, so at `x = label(y)` there is a summary edge from `y`
//! to `x`. Paths inside one function only: what goes through a field or global is an edge of its own already. A summary edge is
//! itself part of a path in the caller, so this runs until nothing new is found (Horwitz, Reps and Binkley 1990).

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::{EdgeSite, End, Flows, NO_CALL, ValueEdge};
use crate::link::{FunctionIndex, PlaceIndex, Program};

/// What one call hands to one function, and gets back.
#[derive(Debug, Default)]
struct Site {
    /// (parameter's place, argument's place, where the argument stands).
    passed: Vec<(PlaceIndex, PlaceIndex, EdgeSite)>,
    /// (result's place, place in the caller).
    returned: Vec<(PlaceIndex, PlaceIndex)>,
}

/// Adds the summary edges of calls between functions of the index.
pub fn add(program: &Program, flows: &mut Flows) {
    let owner = |place: PlaceIndex| program.owner_of(place);
    // Flows inside one function.
    let mut inside: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
    let mut sites: FxHashMap<(u32, FunctionIndex), Site> = FxHashMap::default();
    for edge in &flows.values {
        let (End::Place(from), End::Place(to)) = (edge.from, edge.to) else {
            continue;
        };
        match edge.kind {
            EdgeKind::PassesTo => {
                if let Some(callee) = owner(to) {
                    sites
                        .entry((edge.call, callee))
                        .or_default()
                        .passed
                        .push((to, from, edge.site));
                }
            }
            EdgeKind::ReturnsTo => {
                if let Some(callee) = owner(from) {
                    sites.entry((edge.call, callee)).or_default().returned.push((from, to));
                }
            }
            _ => {
                if let (Some(a), Some(b)) = (owner(from), owner(to))
                    && a == b
                {
                    inside.entry(from).or_default().push(to);
                }
            }
        }
    }
    let mut callers: FxHashMap<FunctionIndex, Vec<Site>> = FxHashMap::default();
    for ((_, callee), site) in sites {
        callers.entry(callee).or_default().push(site);
    }
    let mut work: Vec<FunctionIndex> = callers.keys().copied().collect();
    work.sort_unstable();
    let mut queued: FxHashSet<FunctionIndex> = work.iter().copied().collect();
    let mut found: FxHashMap<(PlaceIndex, PlaceIndex), EdgeSite> = FxHashMap::default();
    while let Some(function) = work.pop() {
        queued.remove(&function);
        let own = callers.get(&function).map_or(&[][..], Vec::as_slice);
        let ends: FxHashSet<PlaceIndex> = own
            .iter()
            .flat_map(|site| {
                site.passed
                    .iter()
                    .map(|(end, _, _)| *end)
                    .chain(site.returned.iter().map(|(end, _)| *end))
            })
            .collect();
        let starts: FxHashSet<PlaceIndex> = own
            .iter()
            .flat_map(|site| site.passed.iter().map(|(end, _, _)| *end))
            .collect();
        let reached: FxHashMap<PlaceIndex, FxHashSet<PlaceIndex>> = starts
            .iter()
            .map(|start| (*start, reach(*start, &inside, &ends)))
            .collect();
        for site in callers.get(&function).into_iter().flatten() {
            for (parameter, argument, at) in &site.passed {
                let Some(reached) = reached.get(parameter) else {
                    continue;
                };
                let passed = site.passed.iter().map(|(end, place, _)| (*end, *place));
                for (end, place) in site.returned.iter().copied().chain(passed) {
                    let new = end != *parameter && reached.contains(&end) && place != *argument;
                    if !new || found.contains_key(&(*argument, place)) {
                        continue;
                    }
                    found.insert((*argument, place), *at);
                    inside.entry(*argument).or_default().push(place);
                    if let Some(caller) = owner(*argument)
                        && queued.insert(caller)
                    {
                        work.push(caller);
                    }
                }
            }
        }
    }
    let mut sorted: Vec<_> = found.into_iter().collect();
    sorted.sort_unstable();
    for ((from, to), site) in sorted {
        let (from, to, how, rule) = (End::Place(from), End::Place(to), How::None, Rule::Summary);
        flows.values.push(ValueEdge {
            kind: EdgeKind::Summarizes,
            from,
            to,
            how,
            rule,
            site,
            call: NO_CALL,
        });
    }
}

/// Which of the ends a value comes to inside its function.
fn reach(
    start: PlaceIndex,
    inside: &FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    ends: &FxHashSet<PlaceIndex>,
) -> FxHashSet<PlaceIndex> {
    let mut seen = FxHashSet::from_iter([start]);
    let mut open = vec![start];
    let mut found = FxHashSet::default();
    while let Some(place) = open.pop() {
        for next in inside.get(&place).into_iter().flatten() {
            if seen.insert(*next) {
                if ends.contains(next) {
                    found.insert(*next);
                }
                open.push(*next);
            }
        }
    }
    found
}
