//! What a function unpacks of its arguments and packs into them, told at its calls.
//!
//! ```python
//! def first(rows): return rows[0]
//! def add(rows, row): rows.append(row)
//! top = first(urls)        # urls UNPACKS_TO top
//! add(urls, url)           # url PACKS_INTO urls
//! ```
//!
//! Of a way inside the callee all that counts is whether it takes parts out, and whether it puts something in. It never takes out again what
//! was put in: which part comes out then is for the flows to tell. What does both, as a copy does, is told as both.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::contexts::Instance;
use crate::propagate::edges::{EdgeSite, End, Flows, ValueEdge};

/// What a way does, as bits.
type Done = u8;
const UNPACKS: Done = 1;
const PACKS: Done = 2;
/// A flow put it into a whole.
const PUT: Done = 4;
/// It lies there for good: nobody takes it out again.
const HELD: Done = 8;

/// Steps between parts and wholes, and what was found of calls.
#[derive(Default)]
struct Wholes<'f> {
    /// Of a call, for the instance of its function in which it does that.
    steps: FxHashMap<PlaceIndex, Vec<(PlaceIndex, Done, Option<Instance>)>>,
    /// Functions that have any, and those that put something in what they make, which lies there for good.
    functions: FxHashSet<FunctionIndex>,
    holding: FxHashSet<FunctionIndex>,
    known: FxHashSet<(PlaceIndex, PlaceIndex, Done, Option<Instance>)>,
    told: FxHashSet<(PlaceIndex, PlaceIndex, Done)>,
    /// Places that hold containers or objects: from others nothing is unpacked, nor from what they are put into.
    whole: &'f [bool],
    found: Vec<ValueEdge>,
}

impl Summaries<'_> {
    /// The edges of calls, after all that is carried was found.
    pub(super) fn wholes(&mut self, flows: &Flows) -> Vec<ValueEdge> {
        let calls = self.calls;
        let mut wholes = Wholes {
            whole: &flows.whole,
            ..Wholes::default()
        };
        for edge in flows.wholes.iter().filter(|edge| edge.how != How::Test) {
            let (End::Place(from), End::Place(to)) = (edge.from, edge.to) else {
                continue;
            };
            wholes.steps.entry(from).or_default().push((to, done(edge), None));
            wholes.functions.extend(calls.owner(from));
            if edge.how == How::Held {
                wholes.holding.extend(calls.owner(from));
            }
        }
        let mut known: FxHashSet<(Instance, PlaceIndex, PlaceIndex, Done)> = FxHashSet::default();
        let is_written = |place: PlaceIndex| (place.at() as u32) < calls.written;
        self.until_nothing_new(|summaries, instance| {
            let function = calls.contexts.function(instance);
            let mut callers = Vec::new();
            if !wholes.functions.contains(&function) {
                return callers;
            }
            let passed = calls.of(function).flat_map(|site| site.passed);
            let passed = passed.filter(|row| is_written(row.end) || is_written(row.place));
            let mut starts: Vec<PlaceIndex> = passed.map(|row| row.end).collect();
            starts.sort_unstable();
            starts.dedup();
            let mut reached: FxHashMap<PlaceIndex, Vec<(PlaceIndex, Done)>> = FxHashMap::default();
            for start in starts {
                let mut ends = summaries.reach_of_whole(&wholes, start, instance);
                // What is put in a part on the way in, as one of several arguments is, comes out in what is made of it.
                let is_told = |done: Done| is_written(start) || done == HELD;
                ends.retain(|(end, done)| {
                    is_written(*end) && is_told(*done) && known.insert((instance, start, *end, *done))
                });
                if !ends.is_empty() {
                    reached.insert(start, ends);
                }
            }
            let kept = summaries.kept_in_results(&wholes, instance, &mut known);
            if reached.is_empty() && kept.is_empty() {
                return callers;
            }
            for site in calls.of(function) {
                for caller in calls.callers(&site, instance) {
                    for row in site.returned {
                        for (source, _) in kept.iter().filter(|(_, end)| *end == row.end) {
                            if wholes.tell((*source, row.place), (HELD, caller), row.at) {
                                wholes.functions.extend(site.caller);
                                callers.extend(caller);
                            }
                        }
                    }
                    for row in site.passed.iter().filter(|row| is_written(row.place)) {
                        for (end, done) in reached.get(&row.end).into_iter().flatten() {
                            let places = site.at(*end).iter();
                            let places = places.filter(|(_, given_back, _)| *given_back || is_written(row.end));
                            let places = places.map(|(.., place)| *place);
                            for place in places.filter(|place| is_written(*place)) {
                                if wholes.tell((row.place, place), (*done, caller), row.at) {
                                    wholes.functions.extend(site.caller);
                                    wholes.holding.extend(site.caller.filter(|_| *done & HELD != 0));
                                    callers.extend(caller);
                                }
                            }
                        }
                    }
                }
            }
            callers
        });
        wholes.found
    }

    /// Parts of containers of other functions that a function reads, each with the result in which they lie for good:
    /// `return {"total": row["total"]}`.
    fn kept_in_results(
        &self,
        wholes: &Wholes<'_>,
        instance: Instance,
        known: &mut FxHashSet<(Instance, PlaceIndex, PlaceIndex, Done)>,
    ) -> Vec<(PlaceIndex, PlaceIndex)> {
        let calls = self.calls;
        let mut kept = Vec::new();
        if !wholes.holding.contains(&calls.contexts.function(instance)) {
            return kept;
        }
        let is_written = |place: PlaceIndex| (place.at() as u32) < calls.written;
        let entries = self.entries.get(&instance).into_iter().flatten();
        let parts = entries.filter_map(|(source, entry, _)| match source {
            End::Place(source) if !is_written(*source) => Some((*entry, *source)),
            _ => None,
        });
        let mut parts: Vec<(PlaceIndex, PlaceIndex)> = parts.collect();
        parts.sort_unstable();
        parts.dedup();
        // Many parts come in at one place.
        for group in parts.chunk_by(|a, b| a.0 == b.0) {
            let mut ends = self.reach_of_whole(wholes, group[0].0, instance);
            ends.retain(|(end, done)| *done == HELD && is_written(*end));
            for (end, _) in ends {
                let new = group.iter().map(|(_, source)| *source);
                let new = new.filter(|source| known.insert((instance, *source, end, HELD)));
                kept.extend(new.map(|source| (source, end)));
            }
        }
        kept
    }

    /// Which ends of its function a place comes to by way of parts or wholes, and what that does.
    fn reach_of_whole(&self, wholes: &Wholes<'_>, start: PlaceIndex, instance: Instance) -> Vec<(PlaceIndex, Done)> {
        let function = self.calls.contexts.function(instance).0;
        let mut seen = FxHashSet::from_iter([(start, 0)]);
        let mut open = vec![(start, 0)];
        let mut found = Vec::new();
        while let Some((place, done)) = open.pop() {
            if done & (UNPACKS | PACKS | HELD) != 0 && self.calls.end_of[place.at()] == function {
                found.push((place, done));
            }
            let mut next = self.heads[place.at()];
            while let Some(edge) = self.inside.get(next as usize) {
                next = edge.next;
                let is_put = wholes.is_whole(edge.to) && !wholes.is_whole(place);
                let next = if is_put { done | PUT } else { done };
                if self.holds(place, edge, instance) && seen.insert((edge.to, next)) {
                    open.push((edge.to, next));
                }
            }
            for (to, step, only) in wholes.steps.get(&place).into_iter().flatten() {
                let before = match *step {
                    HELD => UNPACKS | PACKS | PUT,
                    PACKS => HELD,
                    _ => PACKS | PUT | HELD,
                };
                let is_allowed = done & before == 0 && only.is_none_or(|only| only == instance);
                if is_allowed && seen.insert((*to, done | step)) {
                    open.push((*to, done | step));
                }
            }
        }
        found
    }
}

impl Wholes<'_> {
    fn is_whole(&self, place: PlaceIndex) -> bool {
        self.whole.get(place.at()) == Some(&true)
    }

    /// Whether that is new.
    fn tell(
        &mut self,
        (from, to): (PlaceIndex, PlaceIndex),
        (done, caller): (Done, Option<Instance>),
        site: EdgeSite,
    ) -> bool {
        let mut is_new = false;
        for (step, kind, how) in [
            (UNPACKS, EdgeKind::UnpacksTo, How::None),
            (PACKS, EdgeKind::PacksInto, How::None),
            (HELD, EdgeKind::PacksInto, How::Held),
        ] {
            let is_whole = step != UNPACKS || self.is_whole(from);
            if done & step == 0 || from == to || !is_whole || !self.known.insert((from, to, step, caller)) {
                continue;
            }
            is_new = true;
            self.steps.entry(from).or_default().push((to, step, caller));
            if !self.told.insert((from, to, step)) {
                continue;
            }
            let ends = (End::Place(from), End::Place(to));
            let edge = ValueEdge::of_no_call(kind, ends, how, Rule::Summary, site);
            self.found.push(edge);
        }
        is_new
    }
}

fn done(edge: &ValueEdge) -> Done {
    match (edge.how, edge.kind) {
        (How::Held, _) => HELD,
        (_, EdgeKind::PacksInto) => PACKS,
        _ => UNPACKS,
    }
}
