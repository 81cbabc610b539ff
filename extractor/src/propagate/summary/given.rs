//! What comes out of a function that was handed in: at the calls that handed it in, and at no other.
//!
//! ```python
//! def ask(source): return source()
//! kept = ask(secret)               # `secret`'s result comes here
//! gone = ask(blank)                # and not here, though both come out of `ask`
//! ```
//!
//! The result of `secret` is given to the value of `source()`, from where all callers of `ask` would have it. So it goes to a place of
//! its own first, and from there on as an argument does: into `ask`, and not out of it. Where it comes out is found by instance of
//! `ask`, and is an edge from the result of `secret` itself.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::crossing::Calls;
use super::{Found, NONE, Summaries};
use crate::link::PlaceIndex;
use crate::propagate::contexts::Instance;
use crate::propagate::edges::{EdgeSite, End, Flows, NO_CALL, ValueEdge};

/// Lets what a call gives wait, where the call calls different functions in different instances.
pub(super) fn keep_apart(calls: &Calls<'_>, flows: &mut Flows) {
    for edge in &mut flows.values {
        if edge.kind == EdgeKind::ReturnsTo
            && calls.contexts.is_told_apart(edge.call)
            && let (End::Place(from), End::Place(to)) = (edge.from, edge.to)
            && calls.owners[from.at()] != NONE
            && let Some(waiting) = calls.waiting.get(&to)
        {
            edge.to = End::Place(*waiting);
        }
    }
    let sites: FxHashMap<PlaceIndex, _> = calls.returned().map(|row| (row.place, row.at)).collect();
    let mut waiting: Vec<_> = calls.waiting.iter().collect();
    waiting.sort_unstable();
    for (place, waiting) in waiting {
        flows.values.push(ValueEdge {
            kind: EdgeKind::PassesTo,
            from: End::Place(*waiting),
            to: End::Place(*place),
            how: How::Return,
            rule: Rule::Summary,
            site: sites[place],
            call: NO_CALL,
        });
    }
}

impl Summaries<'_> {
    /// From results of functions that were handed in to where they come out.
    pub(super) fn given(&mut self) -> Found {
        let calls = self.calls;
        let mut found = Found::default();
        let mut known: FxHashSet<(Instance, PlaceIndex, PlaceIndex)> = FxHashSet::default();
        let mut work: Vec<(Instance, PlaceIndex, PlaceIndex)> = Vec::new();
        calls.each_told_apart(|caller, site| {
            let own = site.returned.iter();
            let own = own.filter(|row| calls.waiting.contains_key(&row.place));
            work.extend(own.map(|row| (caller, row.end, row.place)));
        });
        let mut ways_out: FxHashMap<(Instance, PlaceIndex), Vec<WayOut>> = FxHashMap::default();
        while let Some((instance, source, place)) = work.pop() {
            if !known.insert((instance, source, place)) {
                continue;
            }
            let ways_out = ways_out.entry((instance, place));
            for way in ways_out.or_insert_with(|| self.ways_out(instance, place)) {
                found.entry((End::Place(source), way.to)).or_insert(way.at);
                work.extend(way.further.map(|(caller, place)| (caller, source, place)));
            }
        }
        found
    }

    /// Where that which is in a place of a function comes out of its calls.
    fn ways_out(&mut self, instance: Instance, place: PlaceIndex) -> Vec<WayOut> {
        let calls = self.calls;
        let function = calls.contexts.function(instance);
        let mut ends = self.reach(place, instance);
        ends.extend((calls.end_of[place.at()] == function.0).then_some(place));
        let mut ways_out = Vec::new();
        for site in calls.of(function) {
            let returned = || site.returned.iter().filter(|row| ends.contains(&row.end));
            if returned().next().is_none() {
                continue;
            }
            let is_bound = calls.is_bound(&site);
            for caller in calls.callers(&site, instance) {
                ways_out.extend(returned().map(|row| {
                    let waiting = calls
                        .waiting
                        .get(&row.place)
                        .filter(|_| is_bound || calls.contexts.is_told_apart(site.call));
                    WayOut {
                        to: *waiting.unwrap_or(&row.place),
                        at: row.at,
                        further: waiting.and(caller).map(|caller| (caller, row.place)),
                    }
                }));
            }
        }
        ways_out
    }
}

/// Where something comes out of a call.
struct WayOut {
    to: PlaceIndex,
    at: EdgeSite,
    /// Where it goes on from, as what comes out of the caller in turn.
    further: Option<(Instance, PlaceIndex)>,
}
