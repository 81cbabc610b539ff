//! What a function carries from its arguments, and from fields and globals, to its results and other arguments.
//!
//! `def label(name): return name.title()` carries its argument to its result, so at `x = label(y)` there is a summary edge from `y`
//! to `x`. `def tagged(self): return self.tag` carries a field to its result; so at `x = cart.tagged()` there is one from what comes
//! out of `tagged` to `x`: the field is, as it were, one more argument of every call (Horwitz, Reps and Binkley 1990, on
//! non-local variables). That makes two plain phases enough for the precise question, up through returns, then down through
//! arguments: a value that went down into a setter and lies in a field comes up again through the getters' summary edges.
//!
//! A function that is handed functions or objects carries different things, by what it is handed: it is looked at once for each of its
//! instances ([`super::contexts`]), and a call gets what the instance carries that it enters.
//!
//! A summary edge is itself part of a path in the caller, so both kinds are found by a worklist that ends when nothing is new. What
//! was carried at the last look at a function is not looked at again: calls that hand over a hundred cells are common.

mod crossing;
mod given;
mod handed;
mod together;
mod ways;
mod wholes;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contexts::{Contexts, Instance};
use super::edges::{EdgeSite, End, Flows, NO_CALL, ValueEdge};
use crate::link::{PlaceIndex, Program};
use crossing::Calls;
use ways::Ways;

/// With more fields and globals behind one result than this, the result itself stands for them.
const SOURCE_LIMIT: usize = 8;

/// No function, and the end of a list.
const NONE: u32 = u32::MAX;

/// Adds the summary edges of calls between functions of the index.
pub(super) fn add(program: &mut Program, contexts: &Contexts, flows: &mut Flows) {
    let calls = Calls::new(program, contexts, flows);
    let (values, mut with_tests) = rayon::join(
        || Summaries::of_arguments(&calls, flows, false),
        || Summaries::of_arguments(&calls, flows, true),
    );
    // Both tell of the same ends, so that an edge that carries values and outcomes is one.
    let mixed = with_tests.mixed.take().unwrap_or_default();
    // What was walked is let go of before edges are added.
    let of_values = |mut values: Summaries<'_>| {
        (
            values.found(&mixed).0,
            std::mem::take(&mut values.put),
            std::mem::take(&mut values.back),
            values.wholes(flows),
        )
    };
    let of_tests = |mut with_tests: Summaries<'_>| with_tests.found(&mixed);
    let ((values, put, back, wholes), (with_tests, together)) =
        rayon::join(|| of_values(values), || of_tests(with_tests));
    given::keep_apart(&calls, &together.given, flows);
    handed::keep_apart(&calls, &together.handed, flows);
    // What a callee does to an argument is done to what is there already.
    let how = |kind: EdgeKind, ends: (End, PlaceIndex), is_value| match is_value {
        true if kind != EdgeKind::Summarizes => How::None,
        true if calls.given_to.get(ends.1.at()) == Some(&false) || put.contains(&ends) => How::Put,
        true => How::None,
        false => How::Test,
    };
    let mut found = Vec::new();
    for ((kind, with_tests), (_, values)) in with_tests.into_iter().zip(values) {
        let others: Found = values
            .iter()
            .filter(|(ends, _)| back.contains(ends) && !with_tests.contains_key(ends))
            .map(|(ends, site)| (*ends, *site))
            .collect();
        let edges = with_tests.into_iter().chain(others);
        found.extend(
            edges.map(|(ends, site)| (kind, ends.0, ends.1, site, how(kind, ends, values.contains_key(&ends)))),
        );
    }
    flows.wholes.extend(wholes);
    found.sort_unstable();
    flows.values.reserve(found.len());
    for (kind, from, to, site, how) in found {
        flows.values.push(ValueEdge {
            kind,
            from,
            to: End::Place(to),
            how,
            rule: Rule::Summary,
            site,
            call: NO_CALL,
        });
    }
}

/// Edges, with the site of the argument or call that makes them.
type Found = FxHashMap<(End, PlaceIndex), EdgeSite>;

/// What arguments come to.
#[derive(Default)]
struct Mixed {
    /// Ends of functions, by instance.
    ends: FxHashSet<(Instance, PlaceIndex)>,
    /// By place, whether it is the value of a call that they come to.
    places: Vec<bool>,
}

/// What is told for all calls together: results of functions that were handed in, and parameters of such.
struct Together {
    given: FxHashSet<PlaceIndex>,
    handed: FxHashSet<PlaceIndex>,
}

/// An edge that holds in every instance of its function.
const ANY: Instance = Instance(NONE);

/// Inside of one function.
struct Inside {
    to: PlaceIndex,
    /// In which instance, or [`ANY`].
    within: Instance,
    /// Whether it happens in all of them is another question.
    is_conditional: bool,
    /// It puts what it carries under a known key into something of which the contents are not known.
    puts: bool,
    next: u32,
}

struct Summaries<'c> {
    calls: &'c Calls<'c>,
    /// Flows inside one function: by place the first of them, each with the next.
    heads: Vec<u32>,
    inside: Vec<Inside>,
    /// Where values come into a function that are no arguments: where from, the place in the function, and whether they were put under a key
    /// of what is there.
    entries: FxHashMap<Instance, Vec<(End, PlaceIndex, bool)>>,
    /// When a place was last come by.
    seen: Vec<u32>,
    walks: u32,
    /// How many sources came by a place in which round.
    passed_by: Vec<(u32, u32)>,
    rounds: u32,
    found: Found,
    /// Of that, what lies under known keys of what it came to, and nowhere else.
    put: FxHashSet<(End, PlaceIndex)>,
    /// What was found in other instances than bases, and whether it lies there so.
    elsewhere: FxHashMap<(Instance, End, PlaceIndex), bool>,
    /// What arguments come to, where tests are followed too.
    mixed: Option<Mixed>,
    /// The outcomes of tests are followed, too.
    tests: bool,
    /// What is found of values alone: what a function makes itself, and where that waits.
    back: FxHashSet<(End, PlaceIndex)>,
}

impl<'c> Summaries<'c> {
    /// What arguments come to: the values alone, or the outcomes of tests of them too.
    fn of_arguments(calls: &'c Calls<'c>, flows: &Flows, tests: bool) -> Self {
        let mut summaries = Self::new(calls, flows, tests);
        summaries.follow_arguments();
        summaries
    }

    /// All that is carried, and what is not told apart by call.
    fn found(&mut self, mixed: &Mixed) -> ([(EdgeKind, Found); 3], Together) {
        self.follow_outside_values(mixed);
        let (from_given, given) = self.given();
        let (to_handed, handed) = self.handed();
        let mut from_given = from_given;
        // What a function makes itself decides about little, and there are as many tests again.
        if !self.tests {
            let (back, mixed) = self.given_back();
            self.back.extend(back.keys().copied());
            from_given.extend(back);
            self.let_wait(&mixed);
        }
        let found = [
            (EdgeKind::ReturnsTo, from_given),
            (EdgeKind::PassesTo, to_handed),
            (EdgeKind::Summarizes, std::mem::take(&mut self.found)),
        ];
        (found, Together { given, handed })
    }

    /// What a function hands over of its own comes back as a callee's result does: to where not all of its callers have it from.
    fn let_wait(&mut self, mixed: &FxHashSet<PlaceIndex>) {
        let calls = self.calls;
        let found = std::mem::take(&mut self.found).into_iter();
        let found = found.map(|((from, to), site)| match (from, calls.waiting.get(&to)) {
            (End::Place(argument), Some(waiting)) if calls.comes_back(argument, to) && !mixed.contains(&argument) => {
                self.back.insert((from, *waiting));
                if self.put.remove(&(from, to)) {
                    self.put.insert((from, *waiting));
                }
                ((from, *waiting), site)
            }
            _ => ((from, to), site),
        });
        self.found = found.collect();
    }

    fn new(calls: &'c Calls<'c>, flows: &Flows, tests: bool) -> Self {
        let mut summaries = Self {
            calls,
            heads: vec![NONE; calls.owners.len()],
            inside: Vec::new(),
            entries: FxHashMap::default(),
            seen: vec![0; calls.owners.len()],
            walks: 0,
            passed_by: vec![(0, 0); calls.owners.len()],
            rounds: 0,
            found: FxHashMap::default(),
            put: FxHashSet::default(),
            elsewhere: FxHashMap::default(),
            tests,
            back: FxHashSet::default(),
            mixed: tests.then(|| Mixed {
                ends: FxHashSet::default(),
                places: vec![false; calls.owners.len()],
            }),
        };
        let dropped = calls.contexts.all_dropped();
        let encoded = flows
            .values
            .iter()
            .filter(|edge| matches!(edge.how, How::Encode | How::Test) && matches!(edge.to, End::Key(_)));
        let encoded: FxHashSet<(End, EdgeSite)> = encoded.map(|edge| (edge.from, edge.site)).collect();
        for edge in flows.values.iter().filter(|edge| tests || edge.how != How::Test) {
            let (EdgeKind::FlowsTo | EdgeKind::Summarizes, End::Place(to)) = (edge.kind, edge.to) else {
                continue;
            };
            let Some(function) = calls.owner(to) else { continue };
            let is_put = matches!(edge.how, How::Put | How::Test) && edge.rule == Rule::UnknownContents;
            // Library code makes a whole with it: `frame.with_columns(total=v)`.
            let is_made = edge.kind == EdgeKind::Summarizes && edge.rule == Rule::LibraryTable;
            let puts = (is_put || is_made) && encoded.contains(&(edge.from, edge.site));
            match edge.from {
                End::Place(from) if calls.owner(from) == Some(function) => {
                    let is_conditional = !dropped.is_empty() && dropped.contains(&(from, to));
                    summaries.join_under((from, to), ANY, is_conditional, puts);
                }
                End::Place(_) | End::Key(_) => {
                    for instance in calls.contexts.instances(function) {
                        summaries
                            .entries
                            .entry(instance)
                            .or_default()
                            .push((edge.from, to, puts));
                    }
                }
                _ => {}
            }
        }
        summaries
    }

    fn join(&mut self, from: PlaceIndex, to: PlaceIndex, within: Instance) {
        self.join_under((from, to), within, false, false);
    }

    fn join_under(&mut self, (from, to): (PlaceIndex, PlaceIndex), within: Instance, is_conditional: bool, puts: bool) {
        let next = std::mem::replace(&mut self.heads[from.at()], self.inside.len() as u32);
        self.inside.push(Inside {
            to,
            within,
            is_conditional,
            puts,
            next,
        });
    }

    /// Runs `step` on every called function, callees first, and again on those whose calls it adds edges to: in rounds, so that of many
    /// that call each other none is looked at again before all the others were.
    fn until_nothing_new(&mut self, mut step: impl FnMut(&mut Self, Instance) -> Vec<Instance>) {
        let calls = self.calls;
        let instances = (0..calls.contexts.len() as u32).map(Instance);
        let is_called = |instance: &Instance| {
            let function = calls.contexts.function(*instance).at();
            calls.first[function] < calls.first[function + 1]
        };
        let rank = |instance: Instance| (calls.ranks[calls.contexts.function(instance).at()], instance);
        let mut work: BinaryHeap<_> = instances.filter(is_called).map(|one| Reverse((0, rank(one)))).collect();
        let mut queued = vec![false; calls.contexts.len()];
        work.iter()
            .for_each(|Reverse((_, (_, instance)))| queued[instance.0 as usize] = true);
        while let Some(Reverse((round, place))) = work.pop() {
            let instance = place.1;
            queued[instance.0 as usize] = false;
            let again = step(self, instance);
            let is_new = |caller: &Instance| !std::mem::replace(&mut queued[caller.0 as usize], true);
            let again = again.into_iter().filter(is_new).map(rank);
            work.extend(again.map(|caller| Reverse((round + u32::from(caller <= place), caller))));
        }
    }

    /// From arguments to results and other arguments.
    fn follow_arguments(&mut self) {
        let calls = self.calls;
        let mut carried: FxHashSet<(Instance, PlaceIndex, PlaceIndex)> = FxHashSet::default();
        self.until_nothing_new(|summaries, instance| {
            let mut fresh = summaries.reached_from_arguments(instance);
            fresh.retain(|parameter, ends| {
                ends.retain(|end| carried.insert((instance, *parameter, *end)));
                if let Some(mixed) = &mut summaries.mixed {
                    mixed.ends.extend(ends.iter().map(|end| (instance, *end)));
                }
                !ends.is_empty()
            });
            let mut callers = Vec::new();
            if fresh.is_empty() {
                return callers;
            }
            for site in calls.of(calls.contexts.function(instance)) {
                let is_bound = calls.is_bound(&site);
                let mut ways = None;
                for caller in calls.callers(&site, instance) {
                    let ways = ways.get_or_insert_with(|| Ways::through(&site, &fresh));
                    for (row, to) in ways.iter() {
                        let is_outside = calls.owner(row.place) != site.caller;
                        // What the caller hands over of others is carried where its own callers enter it so.
                        let is_told_apart = is_outside && is_bound && caller.is_some();
                        for place in to {
                            if !is_told_apart {
                                let ends = (End::Place(row.place), *place);
                                if *place == row.place || !summaries.note(caller, ends, false, row.at) {
                                    continue;
                                }
                                summaries.join(row.place, *place, summaries.within(caller));
                                callers.extend(caller);
                            }
                            // A field that is handed over is one that the caller reads, for its own callers.
                            if is_outside && let Some(caller) = caller {
                                let entries = summaries.entries.entry(caller).or_default();
                                entries.push((End::Place(row.place), *place, false));
                            }
                        }
                    }
                }
            }
            callers
        });
    }

    /// Where an edge of an instance holds. What is found of a base holds in no other instance, if there are any.
    fn within(&self, instance: Option<Instance>) -> Instance {
        let contexts = self.calls.contexts;
        let alone = |instance: &Instance| contexts.others(contexts.function(*instance)).is_empty();
        instance.filter(|instance| !alone(instance)).unwrap_or(ANY)
    }

    /// Whether that is new: or came to lie elsewhere than under known keys.
    fn note(&mut self, caller: Option<Instance>, ends: (End, PlaceIndex), is_put: bool, site: EdgeSite) -> bool {
        match caller.filter(|caller| !self.calls.contexts.is_base(*caller)) {
            Some(other) => match self.elsewhere.entry((other, ends.0, ends.1)) {
                Entry::Vacant(new) => {
                    new.insert(is_put);
                    true
                }
                Entry::Occupied(mut known) => !is_put && std::mem::replace(known.get_mut(), false),
            },
            None => match self.found.entry(ends) {
                Entry::Vacant(new) => {
                    new.insert(site);
                    if is_put {
                        self.put.insert(ends);
                    }
                    true
                }
                Entry::Occupied(_) => !is_put && self.put.remove(&ends),
            },
        }
    }

    /// Which ends of a function each of its parameters comes to.
    fn reached_from_arguments(&mut self, instance: Instance) -> FxHashMap<PlaceIndex, Vec<PlaceIndex>> {
        let calls = self.calls;
        let mut mixed = self.mixed.take();
        let passed = calls.of(calls.contexts.function(instance)).flat_map(|site| site.passed);
        let mut starts: Vec<PlaceIndex> = passed.map(|row| row.end).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut note = |place: PlaceIndex| {
            if let Some(mixed) = &mut mixed {
                mixed.places[place.at()] |= calls.given_to[place.at()];
            }
        };
        let reached = match starts.len() > together::FOLLOWED_ALONE {
            true => self.reach_together(&starts, instance, &mut note),
            false => {
                let alone = starts.into_iter();
                alone
                    .map(|start| (start, self.reach_by(start, instance, &mut note)))
                    .collect()
            }
        };
        self.mixed = mixed;
        reached
    }

    /// From fields, globals, captured variables and wire keys to results and arguments.
    fn follow_outside_values(&mut self, mixed: &Mixed) {
        let calls = self.calls;
        // Of each function's entries, how many were looked at.
        let mut done: FxHashMap<Instance, usize> = FxHashMap::default();
        let mut entered: FxHashSet<(Instance, End, PlaceIndex, bool)> = FxHashSet::default();
        let mut sources: FxHashMap<(Instance, PlaceIndex), Vec<(End, bool)>> = FxHashMap::default();
        self.until_nothing_new(|summaries, instance| {
            let function = calls.contexts.function(instance);
            let entries = summaries.entries.get(&instance).map_or(&[][..], Vec::as_slice);
            let first = *done.get(&instance).unwrap_or(&0);
            let mut entries = entries.get(first..).unwrap_or_default().to_vec();
            done.insert(instance, first + entries.len());
            entries.sort_by_key(|(source, ..)| *source);
            let mut changed: Vec<PlaceIndex> = Vec::new();
            summaries.rounds += 1;
            for group in entries.chunk_by(|a, b| a.0 == b.0) {
                let source = group[0].0;
                for (end, is_put) in summaries.reach_of_source(group, instance) {
                    let mut is_changed = false;
                    let known = sources.entry((instance, end)).or_insert_with(|| {
                        is_changed = true;
                        Vec::new()
                    });
                    let is_full = known.len() > SOURCE_LIMIT;
                    match known.iter_mut().find(|(known, _)| *known == source) {
                        Some((_, was_put)) => is_changed |= !is_put && std::mem::replace(was_put, false),
                        None if !is_full && source != End::Place(end) => {
                            known.push((source, is_put));
                            is_changed = true;
                        }
                        None => {}
                    }
                    if is_changed && !changed.contains(&end) {
                        changed.push(end);
                    }
                }
            }
            let mut callers = Vec::new();
            if changed.is_empty() {
                return callers;
            }
            let is_one_of_several = !calls.contexts.others(function).is_empty();
            for site in calls.of(function) {
                let is_bound = calls.is_bound(&site);
                for caller in calls.callers(&site, instance) {
                    for row in site.returned.iter().chain(site.passed) {
                        let (end, place) = (row.end, row.place);
                        // Most ends are as they were.
                        let sources = changed.contains(&end).then(|| sources.get(&(instance, end)));
                        let Some(sources) = sources.flatten() else { continue };
                        // Where no argument comes to it, what comes out is the same for every call.
                        let is_parameter = site.at(end).first().is_some_and(|(_, returned, _)| !returned);
                        let is_same = !is_one_of_several && !mixed.ends.contains(&(instance, end));
                        let whole = !is_parameter && (is_same || sources.len() > SOURCE_LIMIT);
                        let own = [(End::Place(end), false)];
                        let from = if whole {
                            &own[..]
                        } else {
                            &sources[..sources.len().min(SOURCE_LIMIT)]
                        };
                        let waiting = calls.waiting.get(&place).filter(|_| is_bound);
                        let to = *waiting.unwrap_or(&place);
                        for (source, is_put) in from {
                            if *source == End::Place(place) || !summaries.note(caller, (*source, to), *is_put, row.at) {
                                continue;
                            }
                            // What not all instances have is told apart by where it comes from, and so is what arguments come to.
                            let is_told_apart = waiting.is_some() || mixed.places.get(place.at()) == Some(&true);
                            let entry = if is_told_apart { *source } else { End::Place(place) };
                            if let Some(caller) = caller {
                                let is_put = *is_put && entry == *source;
                                if entered.insert((caller, entry, place, is_put)) {
                                    summaries
                                        .entries
                                        .entry(caller)
                                        .or_default()
                                        .push((entry, place, is_put));
                                }
                                callers.push(caller);
                            }
                        }
                    }
                }
            }
            callers
        });
    }

    /// Which of the ends of its function a value comes to.
    fn reach(&mut self, start: PlaceIndex, instance: Instance) -> Vec<PlaceIndex> {
        self.reach_by(start, instance, |_| {})
    }

    /// As [`Self::reach`]; tells of each place on the way.
    fn reach_by(
        &mut self,
        start: PlaceIndex,
        instance: Instance,
        mut visit: impl FnMut(PlaceIndex),
    ) -> Vec<PlaceIndex> {
        let function = self.calls.contexts.function(instance).0;
        let mut found = Vec::new();
        self.walk(start, instance, |summaries, place| {
            visit(place);
            if summaries.calls.end_of[place.at()] == function {
                found.push(place);
            }
        });
        found
    }

    /// Which of the ends of its function come from a source that is in these places of it. Where as many sources of this round have come by
    /// as are told apart, no more do: what lies behind has them all.
    ///
    /// With each, whether it lies there under a known key alone: what is so is followed last.
    fn reach_of_source(&mut self, entries: &[(End, PlaceIndex, bool)], instance: Instance) -> Vec<(PlaceIndex, bool)> {
        let function = self.calls.contexts.function(instance).0;
        let mut found = Vec::new();
        self.walks += 1;
        let (mut open, mut put): (Vec<PlaceIndex>, Vec<PlaceIndex>) = (Vec::new(), Vec::new());
        for (_, entry, is_put) in entries {
            match is_put {
                true => put.push(*entry),
                false if self.comes_by(*entry) => open.push(*entry),
                false => {}
            }
        }
        for is_put in [false, true] {
            if is_put {
                let first = std::mem::take(&mut put);
                open.extend(first.into_iter().filter(|place| self.comes_by(*place)));
            }
            while let Some(place) = open.pop() {
                if self.calls.end_of[place.at()] == function {
                    found.push((place, is_put));
                }
                let mut next = self.heads[place.at()];
                while let Some(edge) = self.inside.get(next as usize) {
                    let (to, after, puts) = (edge.to, edge.next, edge.puts);
                    if self.holds(place, edge, instance) {
                        match puts && !is_put {
                            true => put.push(to),
                            false if self.comes_by(to) => open.push(to),
                            false => {}
                        }
                    }
                    next = after;
                }
            }
        }
        found
    }

    /// Whether a walk of this round comes to a place for the first time, and not after too many others.
    fn comes_by(&mut self, place: PlaceIndex) -> bool {
        if std::mem::replace(&mut self.seen[place.at()], self.walks) == self.walks {
            return false;
        }
        let (round, count) = &mut self.passed_by[place.at()];
        if std::mem::replace(round, self.rounds) != self.rounds {
            *count = 0;
        }
        *count += 1;
        // One of them may be the end itself, which counts for nothing.
        *count as usize <= SOURCE_LIMIT + 2
    }

    /// Which of the arguments that wait a value comes to, itself included.
    fn reached_waiting(&mut self, start: PlaceIndex, instance: Instance) -> FxHashSet<PlaceIndex> {
        let mut found = FxHashSet::from_iter([start]);
        self.walk(start, instance, |summaries, place| {
            if summaries.calls.waits[place.at()] {
                found.insert(place);
            }
        });
        found
    }

    fn holds(&self, from: PlaceIndex, edge: &Inside, instance: Instance) -> bool {
        let is_within = edge.within == ANY || edge.within == instance;
        is_within && (!edge.is_conditional || self.calls.contexts.happens(instance, (from, edge.to)))
    }

    fn walk(&mut self, start: PlaceIndex, instance: Instance, mut visit: impl FnMut(&Self, PlaceIndex)) {
        self.walks += 1;
        self.seen[start.at()] = self.walks;
        let mut open = vec![start];
        while let Some(place) = open.pop() {
            let mut next = self.heads[place.at()];
            while let Some(edge) = self.inside.get(next as usize) {
                let (to, after) = (edge.to, edge.next);
                if self.holds(place, edge, instance)
                    && std::mem::replace(&mut self.seen[to.at()], self.walks) != self.walks
                {
                    visit(self, to);
                    open.push(to);
                }
                next = after;
            }
        }
    }
}
