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
//! Of objects of which nothing is known it is one of `*`, or of `after_*`, where it is known how the name begins or ends.

use ripple_schema::{EdgeKind, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol};
use crate::propagate::any_member::ANY_MODULES;
use crate::propagate::fitting::is_pattern;
use crate::propagate::object::Object;
use crate::propagate::solve::{LoadRow, Solver, Target};

/// What is done under names that nobody knows before the program runs.
#[derive(Debug, Default)]
pub(super) struct Computed {
    /// Calls, each with what it may call: `Type.*`, by the full name of the type or module.
    calls: Vec<(u32, Symbol)>,
    /// Reads and writes of what may be any member of a type or module.
    uses: Vec<(EdgeKind, FunctionIndex, Symbol, EdgeSite)>,
}

impl Computed {
    /// Looks for them.
    pub(super) fn find(solver: &mut Solver<'_>) -> Self {
        let asks =
            |facts: &crate::facts::FileFacts| !facts.computed_members.is_empty() || !facts.computed_uses.is_empty();
        let fitting = Fitting::find(solver);
        let is_asked = !fitting.reads.is_empty() || !solver.computed.is_empty();
        if !is_asked && !solver.program.files.iter().any(|file| asks(&file.facts)) {
            return Self::default();
        }
        let (mut uses, mut of_unknown) = (Vec::new(), FxHashSet::default());
        for (index, file) in solver.program.files.iter().enumerate() {
            let own = FileIndex(index as u32);
            for (base, member) in &file.facts.computed_members {
                let (base, to) = (solver.program.place(own, *base), &file.facts.places[member.0 as usize]);
                let site = EdgeSite::from((own, to.position));
                let function = solver.program.function(own, to.function);
                let wholes = named(solver, base);
                uses.extend(
                    wholes
                        .iter()
                        .map(|whole| (EdgeKind::Reads, function, whole.clone(), site)),
                );
                if wholes.iter().any(|whole| whole.is_empty()) {
                    of_unknown.insert(solver.program.place(own, *member));
                }
            }
            for used in &file.facts.computed_uses {
                let base = solver.program.place(own, used.base);
                let kind = if used.is_written {
                    EdgeKind::Writes
                } else {
                    EdgeKind::Reads
                };
                let (function, site) = (
                    solver.program.function(own, used.function),
                    EdgeSite::from((own, used.position)),
                );
                let wholes = named(solver, base).into_iter();
                uses.extend(wholes.map(|whole| (kind, function, whole, site)));
            }
        }
        for (base, member, call) in &solver.computed {
            let at = solver.calls[*call as usize].at();
            let wholes = named(solver, *base);
            let site = EdgeSite::from((at.file, at.position));
            if wholes.iter().any(|whole| whole.is_empty()) {
                of_unknown.insert(*member);
            }
            uses.extend(
                wholes
                    .into_iter()
                    .map(|whole| (EdgeKind::Reads, at.function, whole, site)),
            );
        }
        let kept = kept_members(solver, &of_unknown);
        of_unknown.extend(kept);
        let symbols = &mut solver.program.symbols;
        let mut any = |whole: &str| match whole {
            "" => symbols.intern("*"),
            whole => symbols.intern(&format!("{whole}.*")),
        };
        let uses = uses
            .into_iter()
            .map(|(kind, function, whole, site)| (kind, function, any(&whole), site));
        let mut uses: Vec<_> = uses.collect();
        let named_in: FxHashSet<FunctionIndex> = solver.named_read.iter().map(|(.., function)| *function).collect();
        let mut calls = Vec::new();
        for call in 0..solver.calls.len() as u32 {
            let row = &solver.calls[call as usize];
            if row.silent {
                continue;
            }
            if members_in(solver, row.callee).next().is_some() {
                // What a class answers for by `__getattr__` is known by the name that is asked.
                let owner = |target: &Target| match target {
                    Target::Function { function, .. } => solver.program.functions[function.at()].owner,
                    _ => None,
                };
                // Of names that come as data there may be others.
                let is_named = named_in.contains(&row.function);
                let owners = row.targets.iter().filter(|_| !is_named).filter_map(owner);
                let known: Vec<String> = owners.map(|own| solver.program.type_name(own)).collect();
                let is_new = |whole: &Symbol| !known.iter().any(|known| known == solver.program.symbols.text(*whole));
                calls.extend(members_in(solver, row.callee).filter(is_new).map(|whole| (call, whole)));
            }
            let handed = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
            let mut handed = handed.flat_map(|place| members_in(solver, place)).peekable();
            if handed.peek().is_some() && may_call_others(solver, call) {
                calls.extend(handed.map(|whole| (call, whole)));
            }
        }
        calls.sort_unstable();
        calls.dedup();
        for (_, whole) in &mut calls {
            let name = format!("{}.*", solver.program.symbols.text(*whole));
            *whole = solver.program.symbols.intern(&name);
        }
        for (pattern, function, site) in &fitting.reads {
            uses.push((EdgeKind::Reads, *function, *pattern, *site));
        }
        for call in (0..solver.calls.len() as u32).filter(|_| !fitting.members.is_empty()) {
            let row = &solver.calls[call as usize];
            if row.silent {
                continue;
            }
            let handed = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
            let mut handed = handed.flat_map(|place| fitting.of(place)).copied().peekable();
            calls.extend(fitting.of(row.callee).iter().map(|pattern| (call, *pattern)));
            if handed.peek().is_some() && may_call_others(solver, call) {
                calls.extend(handed.map(|pattern| (call, pattern)));
            }
        }
        let any = solver.program.symbols.intern("*");
        let unknown = (0..solver.calls.len() as u32).filter(|call| uses_one(solver, *call, &of_unknown));
        calls.extend(unknown.map(|call| (call, any)));
        Self { calls, uses }
    }
}

/// Members of objects of which nothing is known, read under names of which a part is known.
#[derive(Debug, Default)]
struct Fitting {
    /// As much of the name as tells whether one fits, and where it is read.
    reads: Vec<(Symbol, FunctionIndex, EdgeSite)>,
    /// The same, by the places that the members come to.
    members: FxHashMap<PlaceIndex, Vec<Symbol>>,
}

impl Fitting {
    fn of(&self, place: PlaceIndex) -> &[Symbol] {
        self.members.get(&place).map_or(&[], Vec::as_slice)
    }

    fn find(solver: &mut Solver<'_>) -> Self {
        let text = |row: &LoadRow| solver.program.symbols.text(row.member);
        let is_open = |row: &&LoadRow| is_pattern(text(row)) && !row.silent && solver.contents(row.base).is_empty();
        let rows = solver.loads.iter().filter(is_open).filter_map(|row| {
            let (begin, end) = text(row).split_once('*')?;
            let end = end.rsplit('*').next().unwrap_or(end);
            // `_` alone tells nothing.
            let tells = |part: &str| !part.trim_matches('_').is_empty();
            let pattern = match (tells(begin), tells(end)) {
                (true, _) => format!("{begin}*"),
                (false, true) => format!("*{end}"),
                (false, false) => "*".to_owned(),
            };
            Some((pattern, *row))
        });
        let rows: Vec<(String, LoadRow)> = rows.collect();
        let mut fitting = Self::default();
        for (pattern, row) in rows {
            let pattern = solver.program.symbols.intern(&pattern);
            let site = EdgeSite::from((row.file, row.position));
            fitting.reads.push((pattern, row.function, site));
            fitting.members.entry(row.to).or_default().push(pattern);
        }
        // What is read comes to the value of the call first, and from there to a variable.
        if !fitting.members.is_empty() {
            fitting.follow(solver);
            fitting.follow(solver);
        }
        fitting
    }

    fn follow(&mut self, solver: &Solver<'_>) {
        for (index, file) in solver.program.files.iter().enumerate() {
            let place = |own| solver.program.place(FileIndex(index as u32), own);
            for flow in file.facts.flows.iter().filter(|flow| flow.same) {
                let patterns = self.of(place(flow.from)).to_vec();
                if !patterns.is_empty() {
                    let known = self.members.entry(place(flow.to)).or_default();
                    known.extend(patterns);
                    known.sort_unstable();
                    known.dedup();
                }
            }
        }
    }
}

/// The types and modules of what a place holds; an empty name where it may be anything.
fn named(solver: &Solver<'_>, base: PlaceIndex) -> Vec<String> {
    match solver.contents(base).is_empty() {
        true => vec![String::new()],
        false => solver.wholes_of(base).collect(),
    }
}

/// Variables that keep such members of what nothing is known of.
fn kept_members(solver: &Solver<'_>, members: &FxHashSet<PlaceIndex>) -> Vec<PlaceIndex> {
    let mut kept = Vec::new();
    for (index, file) in solver.program.files.iter().enumerate() {
        let place = |own| solver.program.place(FileIndex(index as u32), own);
        let flows = file.facts.flows.iter().filter(|flow| flow.same);
        let flows = flows.filter(|flow| members.contains(&place(flow.from)));
        kept.extend(flows.map(|flow| place(flow.to)));
    }
    kept
}

/// Whether a call calls one of these members, or hands one to library code that may.
fn uses_one(solver: &Solver<'_>, call: u32, members: &FxHashSet<PlaceIndex>) -> bool {
    let row = &solver.calls[call as usize];
    if row.silent || members.is_empty() {
        return false;
    }
    let mut handed = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
    members.contains(&row.callee) || handed.any(|place| members.contains(&place)) && may_call_others(solver, call)
}

/// The types and modules of which a place may hold any member.
fn members_in(solver: &Solver<'_>, place: PlaceIndex) -> impl Iterator<Item = Symbol> {
    solver.held(place).filter_map(|(_, object)| match object {
        Object::AnyMember(whole) if solver.program.symbols.text(whole) != ANY_MODULES => Some(whole),
        _ => None,
    })
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

impl Collector<'_, '_> {
    pub(super) fn computed(&mut self, computed: &Computed) {
        for (call, whole) in &computed.calls {
            let how = self.solver.calls[*call as usize].how;
            self.call_edge(*call, End::Unresolved(*whole), Rule::UnresolvedMember, how);
        }
        for (kind, function, whole, site) in &computed.uses {
            self.access(*kind, *function, End::Unresolved(*whole), Rule::UnresolvedMember, *site);
        }
    }
}
