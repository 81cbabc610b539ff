//! Calls, as what goes over between two functions: arguments to parameters, results to values, and the cells of objects both ways.

use std::collections::hash_map::Entry;

use rayon::slice::ParallelSliceMut;
use ripple_schema::EdgeKind;
use rustc_hash::FxHashMap;

use super::NONE;
use crate::link::{DerivedPlace, FunctionIndex, PlaceIndex, Program};
use crate::propagate::contexts::{Contexts, Instance};
use crate::propagate::edges::{EdgeSite, End, Flows};
use crate::propagate::ranks;

/// What a call hands to a function, or gets back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    callee: FunctionIndex,
    call: u32,
    /// Handed over, not given back.
    pub(super) passed: bool,
    /// In the callee.
    pub(super) end: PlaceIndex,
    /// In the caller.
    pub(super) place: PlaceIndex,
    pub(super) at: EdgeSite,
}

/// What one call hands to one function, and gets back.
pub(super) struct Site<'c> {
    pub(super) call: u32,
    callee: FunctionIndex,
    /// The function that the call is in; none where it is none of the source.
    pub(super) caller: Option<FunctionIndex>,
    pub(super) returned: &'c [Crossing],
    pub(super) passed: &'c [Crossing],
    by_end: &'c [(PlaceIndex, bool, PlaceIndex)],
}

impl<'c> Site<'c> {
    /// What goes over at this end of the callee: (end, given back, place in the caller).
    pub(super) fn at(&self, end: PlaceIndex) -> &'c [(PlaceIndex, bool, PlaceIndex)] {
        let from = self.by_end.partition_point(|row| row.0 < end);
        let rest = &self.by_end[from..];
        &rest[..rest.partition_point(|row| row.0 == end)]
    }
}

/// All calls, by callee.
pub(super) struct Calls<'c> {
    pub(super) contexts: &'c Contexts,
    pub(super) owners: Vec<u32>,
    /// Places of the source, before those that were derived.
    pub(super) written: u32,
    /// Each function's first row, and where the last one's end.
    pub(super) first: Vec<u32>,
    rows: Vec<Crossing>,
    /// The rows of each call once more, sorted by their ends.
    by_end: Vec<(PlaceIndex, bool, PlaceIndex)>,
    /// The order of functions, see [`ranks::callees_first`].
    pub(super) ranks: Vec<u32>,
    /// The function of which a place is an end.
    pub(super) end_of: Vec<u32>,
    /// Whether a place gets what comes out of calls.
    pub(super) given_to: Vec<bool>,
    /// Where what comes out of a callee waits that not all instances of the caller have, by the place that it comes to.
    pub(super) waiting: FxHashMap<PlaceIndex, PlaceIndex>,
    /// Where an argument waits that not all instances of the caller hand over.
    pub(super) waiting_inside: FxHashMap<PlaceIndex, PlaceIndex>,
    /// Whether a place is such an argument.
    pub(super) waits: Vec<bool>,
    /// The places of [`Self::waiting`], by the function that they are in.
    given: FxHashMap<u32, Vec<PlaceIndex>>,
    /// Where such arguments are handed over.
    bound: FxHashMap<(PlaceIndex, PlaceIndex), EdgeSite>,
}

impl<'c> Calls<'c> {
    pub(super) fn new(program: &mut Program, contexts: &'c Contexts, flows: &Flows) -> Self {
        let owners: Vec<u32> = (0..program.place_count() as u32)
            .map(|place| program.owner_of(PlaceIndex(place)).map_or(NONE, |owner| owner.0))
            .collect();
        let mut rows = Vec::new();
        for edge in &flows.values {
            let passed = edge.kind == EdgeKind::PassesTo;
            let (End::Place(from), End::Place(to)) = (edge.from, edge.to) else {
                continue;
            };
            if !passed && edge.kind != EdgeKind::ReturnsTo {
                continue;
            }
            let (end, place) = if passed { (to, from) } else { (from, to) };
            if owners[end.at()] != NONE {
                rows.push(Crossing {
                    callee: FunctionIndex(owners[end.at()]),
                    call: edge.call,
                    passed,
                    end,
                    place,
                    at: edge.site,
                });
            }
        }
        rows.par_sort_by_key(|row| (row.callee, row.call, row.passed));
        let mut by_end: Vec<_> = rows.iter().map(|row| (row.end, !row.passed, row.place)).collect();
        let mut end_of = vec![NONE; owners.len()];
        let mut given_to = vec![false; owners.len()];
        let mut first = vec![0; program.functions.len() + 1];
        let mut at = 0;
        for site in rows.chunk_by(|a, b| (a.callee, a.call) == (b.callee, b.call)) {
            by_end[at..at + site.len()].sort_unstable();
            at += site.len();
            for row in site {
                end_of[row.end.at()] = row.callee.0;
                given_to[row.place.at()] |= !row.passed;
                first[row.callee.at() + 1] = at as u32;
            }
        }
        for function in 1..first.len() {
            first[function] = first[function].max(first[function - 1]);
        }
        let mut calls = Self {
            contexts,
            owners,
            written: program.local_places,
            first,
            rows,
            by_end,
            ranks: Vec::new(),
            end_of,
            given_to,
            waiting: FxHashMap::default(),
            waiting_inside: FxHashMap::default(),
            waits: Vec::new(),
            given: FxHashMap::default(),
            bound: FxHashMap::default(),
        };
        calls.find_waiting(program);
        calls.waits = vec![false; program.place_count()];
        for place in calls.waiting_inside.keys() {
            calls.waits[place.at()] = true;
        }
        calls.ranks = calls.callees_first();
        calls
    }

    fn find_waiting(&mut self, program: &mut Program) {
        let mut rows = Vec::new();
        for function in 0..self.first.len() as u32 - 1 {
            for site in self.of(FunctionIndex(function)) {
                let (is_bound, is_told) = (self.is_bound(&site), self.contexts.is_told_apart(site.call));
                let returned = site.returned.iter().filter(|_| is_bound || is_told);
                let both = returned.chain(site.passed.iter().filter(|_| is_bound));
                rows.extend(both.filter(|row| self.owner(row.place) == site.caller).copied());
            }
        }
        for row in rows {
            let all = match row.passed {
                true => &mut self.waiting_inside,
                false => &mut self.waiting,
            };
            if let Entry::Vacant(place) = all.entry(row.place) {
                place.insert(program.derive_place(DerivedPlace::Given(row.place)));
                if !row.passed {
                    let given = self.given.entry(self.owners[row.place.at()]);
                    given.or_default().push(row.place);
                }
            }
            if row.passed {
                self.bound.insert((row.place, row.end), row.at);
            }
        }
    }

    fn callees_first(&self) -> Vec<u32> {
        let functions = 0..self.first.len() as u32 - 1;
        let callers = |function| self.of(FunctionIndex(function)).filter_map(|site| site.caller);
        let callers: Vec<Vec<FunctionIndex>> = functions.map(|function| callers(function).collect()).collect();
        ranks::callees_first(callers.len(), |function| &callers[function])
    }

    /// What waits for where it comes out of calls of a function, as (where it comes out, where it waits).
    pub(super) fn given_in(&self, function: FunctionIndex) -> impl Iterator<Item = (PlaceIndex, PlaceIndex)> {
        let places = self.given.get(&function.0).into_iter().flatten();
        places.map(|place| (*place, self.waiting[place]))
    }

    /// Where a bound argument is handed over.
    pub(super) fn site_at(&self, argument: PlaceIndex, parameter: PlaceIndex) -> Option<EdgeSite> {
        self.bound.get(&(argument, parameter)).copied()
    }

    /// Whether what comes out of a call depends on the instance that its caller is.
    pub(super) fn is_bound(&self, site: &Site<'_>) -> bool {
        let has_others = |function| !self.contexts.others(function).is_empty();
        site.caller.is_some_and(has_others) && (self.contexts.is_differing(site.call) || has_others(site.callee))
    }

    /// Whether a place that gets what comes out of a call, where that waits, is in the same function as this argument.
    pub(super) fn comes_back(&self, argument: PlaceIndex, place: PlaceIndex) -> bool {
        self.waiting.contains_key(&place) && self.owners.get(argument.at()) == self.owners.get(place.at())
    }

    /// Visits the calls that call different functions in different instances, once for each instance of their caller.
    pub(super) fn each_differing(&self, visit: impl FnMut(Instance, &Site<'_>)) {
        self.each_site(
            |site| self.contexts.is_differing(site.call) && self.is_bound(site),
            visit,
        );
    }

    /// As [`Self::each_differing`], with those of which what they give is not handed on in all instances.
    pub(super) fn each_told_apart(&self, visit: impl FnMut(Instance, &Site<'_>)) {
        let is_held = |site: &Site<'_>| !self.contexts.is_differing(site.call) || self.is_bound(site);
        self.each_site(|site| self.contexts.is_told_apart(site.call) && is_held(site), visit);
    }

    fn each_site(&self, is_one: impl Fn(&Site<'_>) -> bool, mut visit: impl FnMut(Instance, &Site<'_>)) {
        for instance in (0..self.contexts.len() as u32).map(Instance) {
            for site in self.of(self.contexts.function(instance)) {
                if is_one(&site) {
                    for caller in self.callers(&site, instance).flatten() {
                        visit(caller, &site);
                    }
                }
            }
        }
    }

    /// All that comes out of calls.
    pub(super) fn returned(&self) -> impl Iterator<Item = &Crossing> {
        self.rows.iter().filter(|row| !row.passed)
    }

    pub(super) fn owner(&self, place: PlaceIndex) -> Option<FunctionIndex> {
        let owner = self.owners[place.at()];
        (owner != NONE).then_some(FunctionIndex(owner))
    }

    /// The calls of a function.
    pub(super) fn of(&self, function: FunctionIndex) -> impl Iterator<Item = Site<'_>> {
        let (mut at, end) = (
            self.first[function.at()] as usize,
            self.first[function.at() + 1] as usize,
        );
        let sites = self.rows[at..end].chunk_by(|a, b| a.call == b.call);
        sites.map(move |site| {
            let (returned, passed) = site.split_at(site.partition_point(|row| !row.passed));
            let by_end = &self.by_end[at..at + site.len()];
            at += site.len();
            let Crossing {
                call, callee, place, ..
            } = site[0];
            Site {
                call,
                callee,
                caller: self.contexts.caller(call).or_else(|| self.owner(place)),
                returned,
                passed,
                by_end,
            }
        })
    }

    /// The instances of a call's caller in which it enters this instance of the callee; none is the caller of what is no call.
    pub(super) fn callers(
        &self,
        site: &Site<'_>,
        instance: Instance,
    ) -> impl Iterator<Item = Option<Instance>> + use<'c> {
        let (call, callee, caller, contexts) = (site.call, site.callee, site.caller, self.contexts);
        let outside = (caller.is_none() && contexts.is_base(instance)).then_some(None);
        let inside = caller.into_iter().flat_map(|caller| contexts.instances(caller));
        let entering = inside.filter(move |caller| contexts.entered(*caller, call, callee) == Some(instance));
        entering.map(Some).chain(outside)
    }
}
