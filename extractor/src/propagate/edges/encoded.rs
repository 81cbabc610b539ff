//! What was encoded here and nowhere else: its keys say what is in it, wherever it is decoded.
//!
//! ```go
//! data, _ := json.Marshal(Question{nick, code})
//! answer := server.Handle(data)          // each caller of `Handle` hands it what was encoded
//! json.Unmarshal(data, &question)        // in `Handle`: `question.Nick` is what the key `nick` holds, not all of `data`
//! ```
//!
//! A place is *encoded* if all that comes to it comes from places that are, or from calls that encode.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{self, ContainerKind, TypeKind};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex};
use crate::propagate::heap::keys::is_brought;
use crate::propagate::library::{Effect, Subject};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// How many calls something encoded goes through, one after the other.
const ROUNDS: u32 = 12;

/// How deep what is encoded holds other things.
const DEPTH_LIMIT: u8 = 4;

/// Where everything comes from that may be encoded.
#[derive(Debug, Default)]
struct Sources {
    /// By place; none of something that is not followed.
    of: FxHashMap<PlaceIndex, Vec<Option<PlaceIndex>>>,
}

/// The places that are encoded.
pub(super) fn encoded(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let made: FxHashSet<u32> = (0..solver.calls.len() as u32)
        .filter(|call| encodes(solver, *call))
        .collect();
    if made.is_empty() {
        return FxHashSet::default();
    }
    let results = made
        .iter()
        .filter_map(|call| solver.call_results(*call).first().copied());
    let mut candidates: FxHashSet<PlaceIndex> = results.collect();
    for _ in 0..ROUNDS {
        let before = candidates.len();
        flow_on(solver, &mut candidates);
        pass_on(solver, &mut candidates);
        if candidates.len() == before {
            break;
        }
    }
    let changed = changed(solver);
    candidates.retain(|place| !changed.contains(place));
    let sources = sources_of(solver, &candidates, &made);
    loop {
        let is_encoded = |place: &PlaceIndex| {
            let sources = sources.of.get(place);
            sources.is_some_and(|sources| {
                let mut sources = sources.iter();
                sources.all(|source| source.is_some_and(|source| source == *place || candidates.contains(&source)))
            })
        };
        let lost: Vec<PlaceIndex> = candidates.iter().copied().filter(|place| !is_encoded(place)).collect();
        if lost.is_empty() {
            return candidates;
        }
        for place in lost {
            candidates.remove(&place);
        }
    }
}

/// Whether a call encodes things of which all is known by their keys.
fn encodes(solver: &Solver<'_>, call: u32) -> bool {
    let row = &solver.calls[call as usize];
    let [Target::External(name)] = row.targets.as_slice() else {
        return false;
    };
    let entry = solver.table_entry(row.file, *name);
    let Some([Effect::Encode { from, to, .. }, asked @ ..]) = entry.map(|entry| entry.flows.as_slice()) else {
        return false;
    };
    // What a list holds is written, too, but then not all is known by keys.
    if !asked
        .iter()
        .all(|effect| matches!(effect, Effect::Call { .. } | Effect::Move { .. }))
    {
        return false;
    }
    to.subject == Subject::Result
        && !row.silent
        && solver
            .subject_places(call, &from.subject)
            .iter()
            .all(|place| has_keys(solver, (*place, row.file), 0))
}

/// Whether a place holds structures, or mappings with constant keys, and nothing else; where objects go along with the text that they are
/// encoded in, lists too.
fn has_keys(solver: &Solver<'_>, (place, file): (PlaceIndex, FileIndex), depth: u8) -> bool {
    let goes_along = solver.untyped.contains(&file);
    let is_plain = |place: PlaceIndex| {
        let mut held = solver.held(place);
        held.all(|(_, object)| goes_along && matches!(object, Object::External(_)))
    };
    let is_known =
        |place: PlaceIndex| is_plain(place) || depth < DEPTH_LIMIT && has_keys(solver, (place, file), depth + 1);
    let mut held = solver.held(place).filter_map(|(id, object)| match object {
        Object::Address(_) => None,
        // What a mapping is declared as, beside the mapping itself.
        Object::Typed {
            kind: ContainerKind::Map,
            ..
        } => None,
        Object::Instance(index) => Some(
            solver.program.type_facts(index).kind == TypeKind::Struct
                && !solver.has(index, "MarshalJSON")
                && !solver.has(index, "MarshalText"),
        ),
        Object::Container {
            kind: ContainerKind::Map,
            ..
        } => {
            let mut parts = solver.parts.get(&id).into_iter().flatten();
            let is_known = |part: &(Part, PlaceIndex)| match part.0 {
                Part::Text(_) => is_known(part.1),
                Part::All | Part::Keys => true,
                _ => goes_along && is_known(part.1),
            };
            Some(!solver.open.contains(&id) && parts.all(is_known))
        }
        Object::Container {
            kind: ContainerKind::List | ContainerKind::Tuple,
            ..
        } if goes_along => {
            let mut parts = solver.parts.get(&id).into_iter().flatten();
            Some(!solver.open.contains(&id) && parts.all(|part| is_known(part.1)))
        }
        // A text beside them, as in what may be left out.
        Object::External(_) if goes_along && depth > 0 => None,
        _ => Some(false),
    });
    held.next() == Some(true) && held.all(|is_known| is_known)
}

/// Adds what candidates flow to inside of functions.
fn flow_on(solver: &Solver<'_>, candidates: &mut FxHashSet<PlaceIndex>) {
    let mut open: Vec<PlaceIndex> = candidates.iter().copied().collect();
    let mut next: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
    let files: FxHashSet<FileIndex> = open.iter().filter_map(|place| file_of(solver, *place)).collect();
    for file in files {
        // What is found out about a value is none of it.
        let flows = solver.program.files[file.at()].facts.flows.iter();
        for flow in flows.filter(|flow| flow.how != How::Test) {
            let (from, to) = (
                solver.program.place(file, flow.from),
                solver.program.place(file, flow.to),
            );
            next.entry(from).or_default().push(to);
        }
    }
    while let Some(place) = open.pop() {
        for to in next.get(&place).into_iter().flatten() {
            if candidates.insert(*to) {
                open.push(*to);
            }
        }
    }
}

/// Adds what calls are handed, and what they give.
fn pass_on(solver: &Solver<'_>, candidates: &mut FxHashSet<PlaceIndex>) {
    let mut found = Vec::new();
    for call in 0..solver.calls.len() as u32 {
        let row = &solver.calls[call as usize];
        let is_handed = solver
            .call_arguments(call)
            .iter()
            .filter_map(|argument| argument.place)
            .chain(row.receiver)
            .any(|place| candidates.contains(&place));
        for target in &row.targets {
            if let Some((function, bound, base)) = solver.entered_as(call, *target) {
                if is_handed {
                    let passings = solver.passings(call, function, bound, base).into_iter();
                    found.extend(passings.filter(|row| candidates.contains(&row.from)).map(|row| row.to));
                }
                let results = solver.function_results(function);
                let given = solver.call_results(call).iter().zip(results);
                found.extend(
                    given
                        .filter(|(_, inner)| candidates.contains(inner))
                        .map(|(ours, _)| *ours),
                );
            } else if is_handed && matches!(target, Target::External(_) | Target::Conversion(_)) {
                found.extend(solver.call_results(call));
            }
        }
    }
    candidates.extend(found);
}

/// What is written into by other ways than being assigned.
fn changed(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let mut changed: FxHashSet<PlaceIndex> = solver.element_stores.iter().map(|row| row.base).collect();
    changed.extend(solver.part_copies.iter().map(|row| row.to));
    for (index, file) in solver.program.files.iter().enumerate() {
        let pointed_at = file.facts.objects.iter().filter_map(|(_, object)| match object {
            facts::Object::Address(target) => Some(solver.program.place(FileIndex(index as u32), *target)),
            _ => None,
        });
        changed.extend(pointed_at);
    }
    changed
}

/// Where all candidates come from.
fn sources_of(solver: &Solver<'_>, candidates: &FxHashSet<PlaceIndex>, made: &FxHashSet<u32>) -> Sources {
    let mut sources = Sources::default();
    let files: FxHashSet<FileIndex> = candidates.iter().filter_map(|place| file_of(solver, *place)).collect();
    for file in files {
        // What is found out about a value is none of it.
        let flows = solver.program.files[file.at()].facts.flows.iter();
        for flow in flows.filter(|flow| flow.how != How::Test) {
            let (from, to) = (
                solver.program.place(file, flow.from),
                solver.program.place(file, flow.to),
            );
            if candidates.contains(&to) {
                sources.of.entry(to).or_default().push(Some(from));
            }
        }
    }
    let entered: FxHashSet<FunctionIndex> = candidates
        .iter()
        .filter(|place| is_brought(solver, **place))
        .filter_map(|place| solver.program.owner_of(*place))
        .collect();
    for call in 0..solver.calls.len() as u32 {
        let row = &solver.calls[call as usize];
        for (index, result) in solver.call_results(call).iter().enumerate() {
            if candidates.contains(result) {
                let own = sources.of.entry(*result).or_default();
                own.extend(given(solver, call, index, made));
            }
        }
        for target in &row.targets {
            let Some((function, bound, base)) = solver.entered_as(call, *target) else {
                continue;
            };
            if !entered.contains(&function) {
                continue;
            }
            for passing in solver.passings(call, function, bound, base) {
                if candidates.contains(&passing.to) {
                    let is_whole = passing.gathered.is_none() && passing.spread.is_none();
                    let own = sources.of.entry(passing.to).or_default();
                    own.push(is_whole.then_some(passing.from));
                }
            }
        }
    }
    sources
}

/// What a value of a call comes from.
fn given(solver: &Solver<'_>, call: u32, index: usize, made: &FxHashSet<u32>) -> Vec<Option<PlaceIndex>> {
    if made.contains(&call) {
        return Vec::new();
    }
    let row = &solver.calls[call as usize];
    let mut sources = Vec::new();
    if row.targets.is_empty() {
        sources.push(None);
    }
    for target in &row.targets {
        match *target {
            Target::Function { function, .. } => sources.push(solver.function_results(function).get(index).copied()),
            Target::External(name) => {
                let Some(entry) = solver.table_entry(row.file, name) else {
                    sources.push(None);
                    continue;
                };
                let is_read = |effect: &Effect| match effect {
                    Effect::Move { from, .. } => from.subject == Subject::Receiver,
                    // What it is handed to call is among the arguments.
                    Effect::Call { .. } => false,
                    _ => true,
                };
                let receiver = row.receiver.filter(|_| entry.flows.iter().any(is_read));
                let arguments = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
                sources.extend(arguments.chain(receiver).map(Some));
            }
            Target::Conversion(_) => {
                let arguments = solver.call_arguments(call).iter();
                sources.extend(arguments.map(|argument| argument.place));
            }
            _ => sources.push(None),
        }
    }
    sources
}

fn file_of(solver: &Solver<'_>, place: PlaceIndex) -> Option<FileIndex> {
    solver.program.local_place(place).map(|(file, _)| file)
}
