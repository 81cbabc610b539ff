//! What a function carries from its arguments, and from fields and globals, to its results and other arguments.
//!
//! `def label(name): return name.title()` carries its argument to its result, so at `x = label(y)` there is a summary edge from `y`
//! to `x`. `def tagged(self): return self.tag` carries a field to its result; so at `x = cart.tagged()` there is one from what comes
//! out of `tagged` to `x`: the field is, as it were, one more argument of every call (Horwitz, Reps and Binkley 1990, on
//! non-local variables). That makes two plain phases enough for the precise question, up through returns, then down through
//! arguments: a value that went down into a setter and lies in a field comes up again through the getters' summary edges.
//!
//! A summary edge is itself part of a path in the caller, so both kinds are found by a worklist that ends when nothing is new.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::{EdgeSite, End, Flows, NO_CALL, ValueEdge};
use crate::link::{FunctionIndex, PlaceIndex, Program};

/// With more fields and globals behind one result than this, the result itself stands for them.
const SOURCE_LIMIT: usize = 8;

/// What one call hands to one function, and gets back: (end in the callee, place in the caller, where it stands).
#[derive(Debug, Default)]
struct Site {
    passed: Vec<(PlaceIndex, PlaceIndex, EdgeSite)>,
    returned: Vec<(PlaceIndex, PlaceIndex, EdgeSite)>,
}

/// Adds the summary edges of calls between functions of the index.
pub fn add(program: &Program, flows: &mut Flows) {
    let (values, with_tests) = rayon::join(
        || Summaries::found(program, flows, false),
        || Summaries::found(program, flows, true),
    );
    let mut found: Vec<_> = with_tests
        .into_iter()
        .map(|(ends, site)| {
            (
                ends,
                site,
                if values.contains_key(&ends) {
                    How::None
                } else {
                    How::Test
                },
            )
        })
        .collect();
    found.sort_unstable();
    for ((from, to), site, how) in found {
        let (to, rule) = (End::Place(to), Rule::Summary);
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

/// Summary edges, with the site of the argument or call that makes them.
type Found = FxHashMap<(End, PlaceIndex), EdgeSite>;

struct Summaries<'p> {
    program: &'p Program,
    /// Flows inside one function.
    inside: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Calls of each function.
    sites: FxHashMap<FunctionIndex, Vec<Site>>,
    /// Where values come into a function that are no arguments: (where from, place in the function).
    entries: FxHashMap<FunctionIndex, Vec<(End, PlaceIndex)>>,
    found: Found,
}

impl<'p> Summaries<'p> {
    /// What is carried: the values alone, or the outcomes of tests of them too.
    fn found(program: &'p Program, flows: &Flows, tests: bool) -> Found {
        let mut summaries = Self::new(program, flows, tests);
        summaries.follow_arguments();
        summaries.follow_outside_values();
        summaries.found
    }

    fn new(program: &'p Program, flows: &Flows, tests: bool) -> Self {
        let mut inside: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        let mut entries: FxHashMap<FunctionIndex, Vec<(End, PlaceIndex)>> = FxHashMap::default();
        let mut sites: FxHashMap<(FunctionIndex, u32), Site> = FxHashMap::default();
        for edge in flows.values.iter().filter(|edge| tests || edge.how != How::Test) {
            let End::Place(to) = edge.to else { continue };
            let from = match edge.from {
                End::Place(from) => Some(from),
                _ => None,
            };
            let start = from.and_then(|from| program.owner_of(from));
            match (edge.kind, from, program.owner_of(to)) {
                (EdgeKind::PassesTo, Some(from), Some(callee)) => {
                    sites
                        .entry((callee, edge.call))
                        .or_default()
                        .passed
                        .push((to, from, edge.site));
                }
                (EdgeKind::ReturnsTo, Some(from), _) => {
                    if let Some(callee) = start {
                        sites
                            .entry((callee, edge.call))
                            .or_default()
                            .returned
                            .push((from, to, edge.site));
                    }
                }
                (EdgeKind::FlowsTo | EdgeKind::Summarizes, Some(from), Some(function)) if start == Some(function) => {
                    inside.entry(from).or_default().push(to);
                }
                (EdgeKind::FlowsTo | EdgeKind::Summarizes, _, Some(function))
                    if matches!(edge.from, End::Place(_) | End::Key(_)) =>
                {
                    entries.entry(function).or_default().push((edge.from, to));
                }
                _ => {}
            }
        }
        let mut sorted: Vec<_> = sites.into_iter().collect();
        sorted.sort_unstable_by_key(|(key, _)| *key);
        let mut sites: FxHashMap<FunctionIndex, Vec<Site>> = FxHashMap::default();
        for ((callee, _), site) in sorted {
            sites.entry(callee).or_default().push(site);
        }
        Self {
            program,
            inside,
            sites,
            entries,
            found: FxHashMap::default(),
        }
    }

    /// Runs `step` on every called function, and again on those whose calls it adds edges to.
    fn until_nothing_new(&mut self, mut step: impl FnMut(&mut Self, FunctionIndex) -> Vec<FunctionIndex>) {
        let mut work: Vec<FunctionIndex> = self.sites.keys().copied().collect();
        work.sort_unstable();
        let mut queued: FxHashSet<FunctionIndex> = work.iter().copied().collect();
        while let Some(function) = work.pop() {
            queued.remove(&function);
            let again = step(self, function);
            work.extend(again.into_iter().filter(|caller| queued.insert(*caller)));
        }
    }

    /// From arguments to results and other arguments.
    fn follow_arguments(&mut self) {
        self.until_nothing_new(|summaries, function| {
            let Some(sites) = summaries.sites.remove(&function) else {
                return Vec::new();
            };
            let reached = summaries.reached_from_arguments(&sites);
            let mut callers = Vec::new();
            for site in &sites {
                for (parameter, argument, at) in &site.passed {
                    let Some(reached) = reached.get(parameter) else {
                        continue;
                    };
                    for (end, place, _) in site.returned.iter().chain(&site.passed) {
                        let new = end != parameter && reached.contains(end) && place != argument;
                        if new && summaries.note(End::Place(*argument), *place, *at) {
                            summaries.inside.entry(*argument).or_default().push(*place);
                            callers.extend(summaries.program.owner_of(*argument));
                        }
                    }
                }
            }
            summaries.sites.insert(function, sites);
            callers
        });
    }

    fn note(&mut self, from: End, to: PlaceIndex, site: EdgeSite) -> bool {
        let new = !self.found.contains_key(&(from, to));
        if new {
            self.found.insert((from, to), site);
        }
        new
    }

    /// Which ends of a function each of its parameters comes to.
    fn reached_from_arguments(&self, sites: &[Site]) -> FxHashMap<PlaceIndex, FxHashSet<PlaceIndex>> {
        let ends = ends_of(sites);
        let starts: FxHashSet<PlaceIndex> = sites
            .iter()
            .flat_map(|site| site.passed.iter().map(|(end, _, _)| *end))
            .collect();
        starts
            .into_iter()
            .map(|start| (start, self.reach(start, &ends)))
            .collect()
    }

    /// From fields, globals, captured variables and wire keys to results and arguments.
    fn follow_outside_values(&mut self) {
        self.until_nothing_new(|summaries, function| {
            let Some(entries) = summaries.entries.get(&function).cloned() else {
                return Vec::new();
            };
            let Some(sites) = summaries.sites.remove(&function) else {
                return Vec::new();
            };
            let ends = ends_of(&sites);
            let mut sources: FxHashMap<PlaceIndex, Vec<End>> = FxHashMap::default();
            for (source, entry) in entries {
                let mut reached = summaries.reach(entry, &ends);
                reached.extend(ends.contains(&entry).then_some(entry));
                for end in reached {
                    let known = sources.entry(end).or_default();
                    if !known.contains(&source) && source != End::Place(end) {
                        known.push(source);
                    }
                }
            }
            let mut callers = Vec::new();
            if !sources.is_empty() {
                let arguments = summaries.reached_from_arguments(&sites);
                let mixed: FxHashSet<PlaceIndex> = arguments.into_values().flatten().collect();
                for site in &sites {
                    for (end, place, at) in site.returned.iter().chain(&site.passed) {
                        let Some(sources) = sources.get(end) else { continue };
                        // Where no argument comes to it, what comes out is the same for every call.
                        let is_parameter = site.passed.iter().any(|(parameter, _, _)| parameter == end);
                        let whole = !is_parameter && (!mixed.contains(end) || sources.len() > SOURCE_LIMIT);
                        let own = [End::Place(*end)];
                        let from = if whole {
                            &own[..]
                        } else {
                            &sources[..sources.len().min(SOURCE_LIMIT)]
                        };
                        for source in from {
                            if *source == End::Place(*place) || !summaries.note(*source, *place, *at) {
                                continue;
                            }
                            if let Some(caller) = summaries.program.owner_of(*place) {
                                summaries
                                    .entries
                                    .entry(caller)
                                    .or_default()
                                    .push((End::Place(*place), *place));
                                callers.push(caller);
                            }
                        }
                    }
                }
            }
            summaries.sites.insert(function, sites);
            callers
        });
    }

    /// Which of the ends a value comes to inside its function.
    fn reach(&self, start: PlaceIndex, ends: &FxHashSet<PlaceIndex>) -> FxHashSet<PlaceIndex> {
        let mut seen = FxHashSet::from_iter([start]);
        let mut open = vec![start];
        let mut found = FxHashSet::default();
        while let Some(place) = open.pop() {
            for next in self.inside.get(&place).into_iter().flatten() {
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
}

/// Where values enter and leave a function, as its calls see it.
fn ends_of(sites: &[Site]) -> FxHashSet<PlaceIndex> {
    sites
        .iter()
        .flat_map(|site| site.passed.iter().chain(&site.returned))
        .map(|(end, _, _)| *end)
        .collect()
}
