//! What goes into a function that was handed in: from the calls that handed it in, and from no other.
//!
//! ```python
//! def apply(step, value): return step(value)
//! apply(save, email)               # `email` comes to `save`'s parameter,
//! apply(send, phone)               # and `phone` does not, though both come to `value`
//! ```
//!
//! The mirror image of [`super::given`]: what is in `apply` by its own doing goes to a place that waits, and from there into `save` and
//! `send`. It gets there as a result gets to its caller, which what came in as an argument cannot follow: that goes into `save` by
//! an edge from the argument `email` itself, found by instance of `apply`.
//!
//! What comes from more places than [`WAY_LIMIT`] is not kept apart: where any method is called by any name with whatever came in, each
//! of a hundred thousand arguments would have an edge to each of hundreds of parameters.

use std::collections::hash_map::Entry;

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::crossing::Calls;
use super::{Found, Summaries};
use crate::link::PlaceIndex;
use crate::propagate::contexts::{Contexts, Instance};
use crate::propagate::edges::{EdgeSite, End, Flows, NO_CALL, ValueEdge};

/// Most places that a parameter is told one by one to get its values from.
pub(super) const WAY_LIMIT: u32 = 2_000;

/// Lets arguments wait, where their call calls different functions in different instances; but not for the parameters in `mixed`.
pub(super) fn keep_apart(calls: &Calls<'_>, mixed: &FxHashSet<PlaceIndex>, flows: &mut Flows) {
    let mut used: FxHashMap<PlaceIndex, ValueEdge> = FxHashMap::default();
    for edge in &mut flows.values {
        if edge.kind == EdgeKind::PassesTo
            && calls.contexts.is_differing(edge.call)
            && let End::Place(from) = edge.from
            && matches!(edge.to, End::Place(to) if !mixed.contains(&to))
            && let Some(waiting) = calls.waiting_inside.get(&from)
        {
            used.entry(from).or_insert(*edge);
            edge.from = End::Place(*waiting);
        }
    }
    let mut used: Vec<_> = used.into_iter().collect();
    used.sort_unstable_by_key(|(place, _)| *place);
    for (place, edge) in used {
        flows.values.push(ValueEdge {
            kind: EdgeKind::ReturnsTo,
            to: End::Place(calls.waiting_inside[&place]),
            how: How::Assign,
            rule: Rule::Summary,
            call: NO_CALL,
            ..edge
        });
    }
}

impl Summaries<'_> {
    /// From what is handed to a function to the parameters of what is handed in beside it; parameters that more comes to than is told.
    pub(super) fn handed(&mut self) -> (Found, FxHashSet<PlaceIndex>) {
        let calls = self.calls;
        let mut found = Limited::of(WAY_LIMIT);
        let mut known: FxHashSet<(Instance, PlaceIndex, PlaceIndex)> = FxHashSet::default();
        let mut followed: FxHashSet<(usize, PlaceIndex)> = FxHashSet::default();
        let mut all = AllWays::default();
        let mut work = self.bound_arguments();
        while let Some((instance, argument, target)) = work.pop() {
            if found.is_full(target) || !known.insert((instance, argument, target)) {
                continue;
            }
            let number = self.ways_into(instance, argument, &mut all);
            let ways_in = &all.ways[number];
            if let Some(at) = calls.site_at(argument, target) {
                for source in &ways_in.own {
                    found.note((*source, target), target, at);
                }
            }
            // Arguments that all the same comes to are one.
            if !followed.insert((number, target)) {
                continue;
            }
            for way in &ways_in.handed {
                if found.is_full(target) {
                    break;
                }
                found.note((End::Place(way.from), target), target, way.at);
                work.extend(way.before.map(|(caller, place)| (caller, place, target)));
            }
        }
        found.close(|(_, target)| *target)
    }

    /// The number of the ways by which something comes to an argument of a function's call.
    fn ways_into(&mut self, instance: Instance, argument: PlaceIndex, all: &mut AllWays) -> usize {
        if let Some(number) = all.known.get(&(instance, argument)) {
            return *number;
        }
        let reached = match all.reached.remove(&instance) {
            Some(reached) => reached,
            None => self.reached_arguments(instance),
        };
        let from = reached.get(&argument).cloned().unwrap_or_default();
        all.reached.insert(instance, reached);
        let next = all.ways.len();
        let number = *all.numbers.entry((instance, from)).or_insert_with_key(|(_, from)| {
            all.ways.push(self.ways_in(instance, from));
            next
        });
        all.known.insert((instance, argument), number);
        number
    }

    /// The arguments that wait in a function, each with the places, sorted, from which what came in comes to it.
    fn reached_arguments(&mut self, instance: Instance) -> FxHashMap<PlaceIndex, Vec<PlaceIndex>> {
        let calls = self.calls;
        let function = calls.contexts.function(instance);
        let mut starts: Vec<PlaceIndex> = Vec::new();
        if instance == Contexts::base(function) {
            let entries = self.entries.get(&instance).into_iter().flatten();
            starts.extend(entries.map(|(_, place, _)| *place));
            starts.extend(calls.given_in(function).map(|(place, _)| place));
        }
        starts.extend(calls.of(function).flat_map(|site| site.passed).map(|row| row.end));
        starts.sort_unstable();
        starts.dedup();
        let mut reached: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        for start in starts {
            for argument in self.reached_waiting(start, instance) {
                reached.entry(argument).or_default().push(start);
            }
        }
        reached
    }

    /// What comes into a function at these places.
    fn ways_in(&self, instance: Instance, from: &[PlaceIndex]) -> WaysIn {
        let calls = self.calls;
        let comes = |place: &PlaceIndex| from.binary_search(place).is_ok();
        let mut ways_in = WaysIn::default();
        let function = calls.contexts.function(instance);
        if instance == Contexts::base(function) {
            let entries = self.entries.get(&instance).into_iter().flatten();
            let entries = entries.map(|(source, place, _)| (*source, *place));
            let given = calls
                .given_in(function)
                .map(|(place, waiting)| (End::Place(waiting), place));
            let own = entries.chain(given);
            ways_in.own = own
                .filter(|(_, place)| comes(place))
                .map(|(source, _)| source)
                .collect();
        }
        for site in calls.of(function) {
            let passed: Vec<_> = site.passed.iter().filter(|row| comes(&row.end)).collect();
            if passed.is_empty() {
                continue;
            }
            let is_bound = calls.is_bound(&site);
            for caller in calls.callers(&site, instance) {
                ways_in.handed.extend(passed.iter().map(|row| {
                    let waiting = calls.waiting_inside.get(&row.place).filter(|_| is_bound);
                    WayIn {
                        from: *waiting.unwrap_or(&row.place),
                        at: row.at,
                        before: waiting.and(caller).map(|caller| (caller, row.place)),
                    }
                }));
            }
        }
        let mut seen = FxHashSet::default();
        ways_in.handed.retain(|way| seen.insert((way.from, way.before)));
        ways_in
    }

    /// Arguments of calls that call different functions in different instances: (instance, argument, parameter).
    fn bound_arguments(&self) -> Vec<(Instance, PlaceIndex, PlaceIndex)> {
        let calls = self.calls;
        let mut bound = Vec::new();
        calls.each_differing(|caller, site| {
            let own = site.passed.iter();
            let own = own.filter(|row| calls.waiting_inside.contains_key(&row.place));
            bound.extend(own.map(|row| (caller, row.place, row.end)));
        });
        bound
    }
}

/// Edges, up to a limit for each place that they are told of.
pub(super) struct Limited {
    limit: u32,
    found: Found,
    counts: FxHashMap<PlaceIndex, u32>,
}

impl Limited {
    /// None so far.
    pub(super) fn of(limit: u32) -> Self {
        Self {
            limit,
            found: Found::default(),
            counts: FxHashMap::default(),
        }
    }

    /// Notes an edge that is told of a place.
    pub(super) fn note(&mut self, ends: (End, PlaceIndex), of: PlaceIndex, at: EdgeSite) {
        if let Entry::Vacant(edge) = self.found.entry(ends) {
            let count = self.counts.entry(of).or_default();
            *count += 1;
            if *count <= self.limit {
                edge.insert(at);
            }
        }
    }

    /// Whether a place has more edges than are told.
    pub(super) fn is_full(&self, of: PlaceIndex) -> bool {
        self.counts.get(&of).is_some_and(|count| *count > self.limit)
    }

    /// The edges of the places that have no more, and the others.
    pub(super) fn close(mut self, of: impl Fn(&(End, PlaceIndex)) -> PlaceIndex) -> (Found, FxHashSet<PlaceIndex>) {
        let limit = self.limit;
        let counts = self.counts.into_iter();
        let full: FxHashSet<PlaceIndex> = counts
            .filter(|(_, count)| *count > limit)
            .map(|(place, _)| place)
            .collect();
        if !full.is_empty() {
            self.found.retain(|ends, _| !full.contains(&of(ends)));
        }
        (self.found, full)
    }
}

/// All ways in, each with a number.
#[derive(Default)]
struct AllWays {
    ways: Vec<WaysIn>,
    /// By function and where it is that they come in.
    numbers: FxHashMap<(Instance, Vec<PlaceIndex>), usize>,
    reached: FxHashMap<Instance, FxHashMap<PlaceIndex, Vec<PlaceIndex>>>,
    /// By function and argument: most are asked for again, for each parameter that they go to.
    known: FxHashMap<(Instance, PlaceIndex), usize>,
}

/// From where an argument comes.
#[derive(Default)]
struct WaysIn {
    /// What is in the function by its own doing.
    own: Vec<End>,
    handed: Vec<WayIn>,
}

/// Where something is handed over.
struct WayIn {
    from: PlaceIndex,
    at: EdgeSite,
    /// Where it comes from in turn, as an argument of the caller.
    before: Option<(Instance, PlaceIndex)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Position;
    use crate::link::FileIndex;

    #[test]
    fn a_place_with_too_many_edges_has_none_and_others_keep_theirs() {
        let at = EdgeSite::from((FileIndex(0), Position::default()));
        let (crowded, quiet) = (PlaceIndex(0), PlaceIndex(1));
        let mut limited = Limited::of(WAY_LIMIT);
        for from in 2..WAY_LIMIT + 2 {
            limited.note((End::Place(PlaceIndex(from)), crowded), crowded, at);
            // A second time counts for nothing.
            limited.note((End::Place(PlaceIndex(from)), crowded), crowded, at);
        }
        assert!(!limited.is_full(crowded), "as many as are told");
        limited.note((End::Place(PlaceIndex(WAY_LIMIT + 2)), crowded), crowded, at);
        limited.note((End::Place(PlaceIndex(2)), quiet), quiet, at);
        assert!(limited.is_full(crowded) && !limited.is_full(quiet));
        let (found, full) = limited.close(|(_, to)| *to);
        assert_eq!(full, FxHashSet::from_iter([crowded]));
        assert_eq!(
            found.into_keys().collect::<Vec<_>>(),
            [(End::Place(PlaceIndex(2)), quiet)]
        );
    }
}
