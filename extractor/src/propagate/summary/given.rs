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
use super::handed::{Limited, WAY_LIMIT};
use super::{Found, NONE, Summaries};
use crate::link::PlaceIndex;
use crate::propagate::contexts::{Contexts, Instance};
use crate::propagate::edges::{EdgeSite, End, Flows, NO_CALL, ValueEdge};

/// Most places at which an argument comes out that a function made itself: what comes out at more is told for all callers together.
const BACK_LIMIT: u32 = 16;

/// Lets what a call gives wait, where the call calls different functions in different instances; but not the results in `mixed`.
pub(super) fn keep_apart(calls: &Calls<'_>, mixed: &FxHashSet<PlaceIndex>, flows: &mut Flows) {
    for edge in &mut flows.values {
        if edge.kind == EdgeKind::ReturnsTo
            && calls.contexts.is_told_apart(edge.call)
            && let (End::Place(from), End::Place(to)) = (edge.from, edge.to)
            && calls.owners[from.at()] != NONE
            && !mixed.contains(&from)
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
    /// From results of functions that were handed in to where they come out; results that come out at more places than are told.
    pub(super) fn given(&mut self) -> (Found, FxHashSet<PlaceIndex>) {
        let calls = self.calls;
        let mut work: Vec<(Instance, PlaceIndex, PlaceIndex)> = Vec::new();
        calls.each_told_apart(|caller, site| {
            let own = site.returned.iter();
            let own = own.filter(|row| calls.waiting.contains_key(&row.place));
            work.extend(own.map(|row| (caller, row.end, row.place)));
        });
        self.come_out(work, WAY_LIMIT)
    }

    /// The same, from arguments that such calls carry to what they give.
    pub(super) fn given_back(&mut self) -> (Found, FxHashSet<PlaceIndex>) {
        let work = self.carried_back();
        self.come_out(work, BACK_LIMIT)
    }

    /// From each of these sources to where it comes out, by what a call gives in an instance; sources that come out at more places.
    fn come_out(
        &mut self,
        mut work: Vec<(Instance, PlaceIndex, PlaceIndex)>,
        limit: u32,
    ) -> (Found, FxHashSet<PlaceIndex>) {
        let mut found = Limited::of(limit);
        let mut known: FxHashSet<(Instance, PlaceIndex, PlaceIndex)> = FxHashSet::default();
        let mut followed: FxHashSet<(usize, PlaceIndex)> = FxHashSet::default();
        let mut all = AllWays::default();
        while let Some((instance, source, place)) = work.pop() {
            if found.is_full(source) || !known.insert((instance, source, place)) {
                continue;
            }
            // What comes to the same ends comes out by the same ways.
            let number = self.ways_from(instance, place, &mut all);
            if !followed.insert((number, source)) {
                continue;
            }
            for way in &all.ways[number] {
                if found.is_full(source) {
                    break;
                }
                found.note((End::Place(source), way.to), source, way.at);
                work.extend(way.further.map(|(caller, place)| (caller, source, place)));
            }
        }
        found.close(|(source, to)| match source {
            End::Place(source) => *source,
            _ => *to,
        })
    }

    /// Arguments that such calls carry to what they give, by instance of the function that they are in: what the function makes itself comes
    /// out of it so.
    fn carried_back(&self) -> Vec<(Instance, PlaceIndex, PlaceIndex)> {
        let calls = self.calls;
        let carried = |from: End, to: PlaceIndex| match from {
            End::Place(argument) if calls.comes_back(argument, to) => Some((argument, to)),
            _ => None,
        };
        let of_bases = self.found.keys().filter_map(|(from, to)| {
            let (argument, to) = carried(*from, *to)?;
            Some((Contexts::base(calls.owner(to)?), argument, to))
        });
        let of_others = self.elsewhere.keys().filter_map(|(instance, from, to)| {
            let (argument, to) = carried(*from, *to)?;
            Some((*instance, argument, to))
        });
        let mut all: Vec<_> = of_bases.chain(of_others).collect();
        all.sort_unstable();
        all
    }

    /// The number of the ways by which what is in a place of a function comes out of its calls.
    fn ways_from(&mut self, instance: Instance, place: PlaceIndex, all: &mut AllWays) -> usize {
        if let Some(number) = all.of.get(&(instance, place)) {
            return *number;
        }
        let mut ends = self.reach(place, instance);
        let function = self.calls.contexts.function(instance);
        ends.extend((self.calls.end_of[place.at()] == function.0).then_some(place));
        ends.sort_unstable();
        ends.dedup();
        let next = all.ways.len();
        let number = *all.numbers.entry((instance, ends)).or_insert_with_key(|(_, ends)| {
            all.ways.push(self.ways_out(instance, ends));
            next
        });
        all.of.insert((instance, place), number);
        number
    }

    /// Where what comes to these ends of a function comes out of its calls.
    fn ways_out(&self, instance: Instance, ends: &[PlaceIndex]) -> Vec<WayOut> {
        let calls = self.calls;
        let function = calls.contexts.function(instance);
        let mut ways_out = Vec::new();
        for site in calls.of(function) {
            let returned = || {
                let rows = site.returned.iter();
                rows.filter(|row| ends.binary_search(&row.end).is_ok())
            };
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

/// All ways out, each with a number.
#[derive(Default)]
struct AllWays {
    ways: Vec<Vec<WayOut>>,
    of: FxHashMap<(Instance, PlaceIndex), usize>,
    /// By function and the ends that they begin at.
    numbers: FxHashMap<(Instance, Vec<PlaceIndex>), usize>,
}

/// Where something comes out of a call.
struct WayOut {
    to: PlaceIndex,
    at: EdgeSite,
    /// Where it goes on from, as what comes out of the caller in turn.
    further: Option<(Instance, PlaceIndex)>,
}
