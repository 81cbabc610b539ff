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

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::crossing::Calls;
use super::{Found, Summaries};
use crate::link::PlaceIndex;
use crate::propagate::contexts::{Contexts, Instance};
use crate::propagate::edges::{EdgeSite, End, Flows, NO_CALL, ValueEdge};

/// Lets arguments wait, where their call calls different functions in different instances.
pub(super) fn keep_apart(calls: &Calls<'_>, flows: &mut Flows) {
    let mut used: FxHashMap<PlaceIndex, ValueEdge> = FxHashMap::default();
    for edge in &mut flows.values {
        if edge.kind == EdgeKind::PassesTo
            && calls.contexts.is_differing(edge.call)
            && let End::Place(from) = edge.from
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
    /// From what is handed to a function to the parameters of what is handed in beside it.
    pub(super) fn handed(&mut self) -> Found {
        let calls = self.calls;
        let mut found = Found::default();
        let mut known: FxHashSet<(Instance, PlaceIndex, PlaceIndex)> = FxHashSet::default();
        let mut ways_in: FxHashMap<(Instance, PlaceIndex), WaysIn> = FxHashMap::default();
        let mut reached = FxHashMap::default();
        let mut work = self.bound_arguments();
        while let Some((instance, argument, target)) = work.pop() {
            if !known.insert((instance, argument, target)) {
                continue;
            }
            let ways_in = ways_in.entry((instance, argument));
            let ways_in = ways_in.or_insert_with(|| self.ways_in(instance, argument, &mut reached));
            if let Some(at) = calls.site_at(argument, target) {
                for source in &ways_in.own {
                    found.entry((*source, target)).or_insert(at);
                }
            }
            for way in &ways_in.handed {
                found.entry((End::Place(way.from), target)).or_insert(way.at);
                work.extend(way.before.map(|(caller, place)| (caller, place, target)));
            }
        }
        found
    }

    /// From where an argument of a function's call comes into the function.
    fn ways_in(&mut self, instance: Instance, argument: PlaceIndex, reached: &mut Reached) -> WaysIn {
        let calls = self.calls;
        let mut comes = |summaries: &mut Self, from: PlaceIndex| {
            let places = reached.entry((instance, from));
            places
                .or_insert_with(|| summaries.reached_waiting(from, instance))
                .contains(&argument)
        };
        let mut ways_in = WaysIn::default();
        let function = calls.contexts.function(instance);
        if instance == Contexts::base(function) {
            let entries = self.entries.get(&instance).cloned().unwrap_or_default();
            let given = calls
                .given_in(function)
                .map(|(place, waiting)| (End::Place(waiting), place));
            let own = entries.into_iter().chain(given);
            ways_in.own = own
                .filter(|(_, place)| comes(self, *place))
                .map(|(source, _)| source)
                .collect();
        }
        for site in calls.of(function) {
            let passed: Vec<_> = site.passed.iter().filter(|row| comes(self, row.end)).collect();
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

/// The arguments that wait which a place comes to.
type Reached = FxHashMap<(Instance, PlaceIndex), FxHashSet<PlaceIndex>>;

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
