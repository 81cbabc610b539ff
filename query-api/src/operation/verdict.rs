//! How complete an answer is: what could not be resolved within its reach, what the index left out, and what has changed since.
//!
//! Nobody calls `Model.save`, as far as the index knows, but 24 calls of something called `save` were not resolved: then nobody knows, and
//! the verdict is `unknown`, never "safe to delete". Had five callers been found, it would be a lower bound. Calls that a budget of the
//! extractor kept from being told whole count the same way, and are named apart. So does what calls a function without a call in the index ([`outside`]),
//! who has it as a value ([`as_values`]), who asks for it under a name that is put together ([`computed`]), and what makes objects of any class below its own ([`makers`]).

use std::collections::BTreeSet;

use ripple_graphdb::net::{Card, EdgeKinds, Role};
use ripple_graphdb::{Net, Reader};
use ripple_schema::{EdgeKind, FileStatus, How, Language, NodeId, NodeKind, Rule};
use rustc_hash::FxHashSet;

use super::calls::CALLS;
use super::published::READS;
use super::table::Operation;
use super::unknown::{Calls, Unknown};
use super::value::{FLOWS, function_of};
use super::{
    Found, Room, as_values, bases, builds, calls, computed, failing, makers, named, outside, published, relations,
    texts,
};
use crate::Error;
use crate::view::{Direction, Parameters, Reason, Verdict, VerdictLevel};

/// Fields by their names on a wire.
const NAMED: EdgeKinds = EdgeKinds::of(&[EdgeKind::SerializedAs]);
const USES: EdgeKinds = EdgeKinds::of(&[EdgeKind::UsesKey]);
const WRITES: EdgeKinds = EdgeKinds::of(&[EdgeKind::Writes]);
const TYPED: EdgeKinds = EdgeKinds::of(&[EdgeKind::HasType]);

/// Methods of texts, containers and files of Python that are called as many a field is.
const OF_BUILTINS: &[&str] = &[
    "add", "append", "clear", "close", "copy", "count", "decode", "encode", "extend", "find", "format", "get", "index",
    "insert", "items", "join", "keys", "lower", "pop", "read", "remove", "replace", "reverse", "sort", "split",
    "strip", "title", "update", "upper", "values", "write",
];

/// Most functions of one question that are looked at by name.
const MOST: usize = 50;

/// A reason, with how often it holds.
pub(crate) fn reason(code: &str, message: String, count: u64) -> Reason {
    Reason {
        code: code.into(),
        message,
        count,
    }
}

/// `1 call`, `2 calls`.
pub(super) fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The verdict that the reasons make.
pub(super) fn of(reasons: Vec<Reason>, nothing_found: bool) -> Verdict {
    // Index and source being apart, or test data left out, says little of the answer; an unresolved call may be the answer.
    let level = match (reasons.is_empty(), nothing_found) {
        (true, _) => VerdictLevel::Complete,
        (false, true) => VerdictLevel::Unknown,
        (false, false) => VerdictLevel::LowerBound,
    };
    Verdict { level, reasons }
}

/// Adds what keeps the findings of an operation from being complete.
pub(super) fn add(
    room: &Room<'_>,
    operation: &Operation,
    parameters: &Parameters,
    found: &mut Found,
) -> Result<(), Error> {
    let tests = parameters.tests.unwrap_or(false);
    match operation.name {
        "callers" => {
            let depth = parameters.depth.unwrap_or(1);
            let above = uncalled(room, found, 0, depth);
            not_in_the_graph(room, found, above, tests)?;
        }
        "tests_for" => {
            let mut functions = calls::at_work(room, &found.seeds);
            functions.truncate(MOST);
            functions.extend(uncalled(room, found, 0, u32::MAX));
            // Who hands it to library code may have a test reach it by that: a view by its address.
            unseen(room, found, &functions, true)?;
            by_name(room, found, functions, true)?;
        }
        "callees" => inside(room, found)?,
        "impact" | "flows" | "path" => {
            in_reach(room, found)?;
            let direction = parameters.direction.unwrap_or_default();
            let kinds = if direction == Direction::Down { READS } else { WRITES };
            let fields = found.walks.first().into_iter().flat_map(|values| values.nodes());
            let fields = fields.filter(|node| room.net.label(*node) == NodeKind::Field);
            let reason = attributes(room, fields, (kinds, tests))?;
            let fields = found.walks.first().into_iter().flat_map(|values| values.nodes());
            let computed = computed::of_fields(room, fields, (kinds, tests))?;
            found.reasons.extend(reason.into_iter().chain(computed));
            if direction == Direction::Down && operation.name != "path" {
                let seeds = || found.seeds.iter().copied();
                // What is put under a name that nobody knows may be read under another.
                let computed = computed::of_fields(room, seeds(), (WRITES, tests))?;
                let libraries = outside::of_fields(room, seeds())?;
                found.reasons.extend(computed.into_iter().chain(libraries));
                let reached = found.walks.first().into_iter().flat_map(|values| values.nodes());
                let values: BTreeSet<u32> = seeds().chain(reached).collect();
                let unread = published::of_values(room, values.into_iter())?;
                found.reasons.extend(unread);
            }
            match direction {
                Direction::Up => given_from_outside(room, found)?,
                // A way that was found is there, whoever calls what lies on it.
                Direction::Down if operation.name == "path" && !found.findings.is_empty() => {}
                Direction::Down => given_back(room, found, tests)?,
            }
            if direction == Direction::Down {
                found.reasons.extend(inner_key(room, found));
                found.reasons.extend(composed_names(room, found, tests)?);
            }
            if operation.name == "impact" && direction == Direction::Down {
                found.reasons.extend(failing::reasons(room, found)?);
            }
            if operation.name == "path" && found.findings.is_empty() {
                between(room, found)?;
            }
            if operation.name == "impact"
                && found
                    .seeds
                    .iter()
                    .any(|&seed| room.net.label(seed) == NodeKind::Function)
            {
                let above = uncalled(room, found, 1, u32::MAX);
                not_in_the_graph(room, found, above, false)?;
            }
        }
        "readers_writers" => {
            let (seeds, kinds) = (found.seeds.iter().copied(), (READS.and(WRITES), tests));
            found
                .reasons
                .extend(outside::of_fields(room, found.seeds.iter().copied())?);
            let reason = attributes(room, seeds.clone(), kinds)?;
            let members = outside::of_members(room, seeds.clone())?;
            let special = outside::special_fields(room, seeds.clone())?;
            let promoted = published::of_promoted(room, seeds.clone())?;
            found.reasons.extend(members.into_iter().chain(special).chain(promoted));
            let unread = published::of_values(room, seeds.clone())?;
            let computed = computed::of_fields(room, seeds, kinds)?;
            found.reasons.extend(reason.into_iter().chain(computed).chain(unread));
            let properties = found.seeds.iter().copied();
            let properties: Vec<u32> = properties
                .filter(|seed| relations::is_property(&room.net, *seed))
                .collect();
            unseen(room, found, &properties, tests)?;
            by_name(room, found, properties, tests)?;
        }
        _ => {}
    }
    if matches!(operation.name, "impact" | "flows" | "uses_of_key") {
        let carried = |seed: &u32| room.net.entering(*seed, NAMED).map(|arrow| arrow.node);
        let fields: Vec<u32> = found.seeds.iter().flat_map(carried).collect();
        found.reasons.extend(outside::of_fields(room, fields.into_iter())?);
    }
    if matches!(
        operation.name,
        "callers" | "impact" | "implementations" | "hierarchy" | "readers_writers" | "tests_for"
    ) {
        found.reasons.extend(bases::reasons(room, &found.seeds)?);
    }
    if matches!(operation.name, "impact" | "flows" | "readers_writers" | "uses_of_key") {
        found.reasons.extend(texts::reasons(room, &found.seeds, tests)?);
    }
    // How far calls are followed is part of the question, if it says so; values are followed to their end.
    let is_followed = matches!(operation.name, "impact" | "flows" | "path")
        || operation.name == "tests_for" && parameters.depth.is_none();
    if is_followed && found.walks.iter().any(|walk| walk.cut) {
        let message = "the walk was cut at its depth or budget; a larger `depth` goes on".to_owned();
        found.reasons.push(reason("budget", message, 1));
    }
    named::add(room, operation.name, found, tests)?;
    found.reasons.extend(left_out(room.reader));
    stale(room, found)
}

/// A key that functions name, and of which nothing is seen to come: it is asked of containers that the program fills under names that it computes.
fn inner_key(room: &Room<'_>, found: &Found) -> Option<Reason> {
    let net = &room.net;
    let is_apart = |seed: u32| net.leaving(seed, FLOWS).next().is_none() && net.entering(seed, FLOWS).next().is_none();
    let is_named = |seed: &u32| net.label(*seed) == NodeKind::Key && is_apart(*seed);
    let mut reached = found.walks.first().into_iter().flat_map(|values| values.nodes());
    if !reached.all(|node| found.seeds.contains(&node)) {
        return None;
    }
    let functions = found.seeds.iter().filter(|seed| is_named(seed));
    let functions = functions.flat_map(|seed| net.entering(*seed, USES).map(|arrow| arrow.node));
    let functions: BTreeSet<u32> = functions.filter(|function| !net.is_test(*function)).collect();
    let count = functions.len() as u64;
    let message = format!(
        "the key is asked for in {}, of what may be filled under names that are computed",
        counted(count, "function")
    );
    (count > 0).then(|| reason("inner-key", message, count))
}

/// What goes under names that are put together, and of which only a part is known.
fn composed_names(room: &Room<'_>, found: &Found, tests: bool) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let reached = found.walks.first().into_iter().flat_map(|values| values.nodes());
    let parts = reached.filter(|node| net.label(*node) == NodeKind::Key || net.role(*node) == Role::Element);
    // A constant that has a `*` is put there as such.
    let is_composed = |part: &u32| {
        let mut puts = net.entering(*part, FLOWS);
        puts.any(|put| put.how == How::Put && net.rule(put.edge) == Rule::Propagated)
    };
    let (mut first, mut count) = (None, 0);
    for part in parts.filter(is_composed).filter(|part| tests || !net.is_test(*part)) {
        let name = net.card(part)?.name;
        if name.contains('*') {
            count += 1;
            first.get_or_insert(name.trim_matches(['[', ']', '"']).to_owned());
        }
    }
    let told = |first| {
        let message =
            format!("what is put under names like `{first}`, of which only a part is known, may have any that fits");
        reason("composed-names", message, count)
    };
    Ok(first.map(told))
}

/// Callers of the target that the graph does not have, and of the functions at which its callers end.
fn not_in_the_graph(room: &Room<'_>, found: &mut Found, above: Vec<u32>, tests: bool) -> Result<(), Error> {
    let mut functions = calls::functions_of(room, &found.seeds);
    found.reasons.extend(published::reasons(room, &functions)?);
    // Who calls a class calls what makes its objects.
    for function in functions.clone() {
        let makes = |name: &str| outside::MAKING.contains(&name);
        let class = outside::class_of(&room.net, function).filter(|class| !functions.contains(class));
        if let Some(class) = class.filter(|_| room.net.card(function).is_ok_and(|card| makes(&card.name))) {
            functions.push(class);
        }
    }
    callers_of(room, found, functions, above, tests)
}

/// Callers of these functions, and of others by name, that the graph does not have.
fn callers_of(
    room: &Room<'_>,
    found: &mut Found,
    mut functions: Vec<u32>,
    others: Vec<u32>,
    tests: bool,
) -> Result<(), Error> {
    functions.truncate(MOST);
    functions.extend(others);
    unseen(room, found, &functions, tests)?;
    by_name(room, found, functions, tests)
}

/// Callers of these functions that no call in the index says.
fn unseen(room: &Room<'_>, found: &mut Found, functions: &[u32], tests: bool) -> Result<(), Error> {
    found.reasons.extend(outside::reasons(room, functions)?);
    found.reasons.extend(builds::reasons(room, functions)?);
    found.reasons.extend(computed::reasons(room, functions, tests)?);
    found.reasons.extend(makers::reasons(room, functions)?);
    found.reasons.extend(as_values::reasons(room, functions, tests)?);
    Ok(())
}

/// A value that comes from a parameter comes from whoever calls the function, callers that the graph does not have among them.
fn given_from_outside(room: &Room<'_>, found: &mut Found) -> Result<(), Error> {
    let net = &room.net;
    let mut seen = FxHashSet::default();
    let values = found.walks.first().into_iter().flat_map(|values| values.nodes());
    let parameters = values.filter(|value| net.role(*value) == Role::Parameter);
    let functions = parameters.filter_map(|value| function_of(room, value));
    let functions = functions.filter(|function| seen.insert(*function)).take(MOST).collect();
    callers_of(room, found, functions, Vec::new(), false)
}

/// What comes to the result of a function goes on to whoever calls it: callers that the graph does not have, where it has none.
fn given_back(room: &Room<'_>, found: &mut Found, tests: bool) -> Result<(), Error> {
    let net = &room.net;
    let mut seen = FxHashSet::default();
    let values = found.walks.first().into_iter().flat_map(|values| values.nodes());
    let results = values.filter(|value| net.role(*value) == Role::Result);
    let functions = results.filter_map(|value| function_of(room, value));
    let uncalled = functions.filter(|function| seen.insert(*function) && !published::is_called(room, *function));
    let uncalled = uncalled.take(MOST).collect();
    callers_of(room, found, uncalled, Vec::new(), tests)
}

/// Where a walk along callers comes to an end before it is as deep as was asked: functions that nobody is known to call.
fn uncalled(room: &Room<'_>, found: &Found, walk: usize, depth: u32) -> Vec<u32> {
    let net = &room.net;
    let reached = found.walks.get(walk).into_iter().flat_map(|walk| walk.all());
    let above = reached.filter(|reached| (1..depth).contains(&reached.distance));
    let functions = above.map(|reached| reached.state.node).filter(|node| {
        let is_code = net.label(*node) == NodeKind::Function && !net.is_test(*node);
        is_code && net.entering(*node, CALLS).next().is_none()
    });
    functions.take(MOST).collect()
}

/// Calls that may lead from the one to the other: unresolved ones below the first, of what leads to the second.
fn between(room: &Room<'_>, found: &mut Found) -> Result<(), Error> {
    let net = &room.net;
    let parameters = Parameters::default();
    let below = calls::walk(room, &parameters, false, 40).run(&calls::functions_of(room, &found.seeds), None);
    let above = calls::walk(room, &parameters, true, 40).run(&calls::functions_of(room, &found.ends), None);
    let mut leading = FxHashSet::default();
    for node in above
        .nodes()
        .filter(|node| net.label(*node) == NodeKind::Function)
        .take(MOST * MOST)
    {
        let card = net.card(node)?;
        leading.extend(unresolved_of(net, &card.language, &card.name));
    }
    let calls = below.nodes().flat_map(|node| net.leaving(node, CALLS));
    let count = calls.filter(|call| leading.contains(&call.node)).count() as u64;
    if count > 0 {
        let message = format!(
            "{} on the way could not be resolved, of names that what leads there has",
            counted(count, "call")
        );
        found.reasons.push(reason("unresolved-calls", message, count));
    }
    Ok(())
}

/// Unresolved calls of something that is called as the target is.
fn by_name(room: &Room<'_>, found: &mut Found, functions: Vec<u32>, tests: bool) -> Result<(), Error> {
    let mut names = BTreeSet::new();
    for function in functions {
        let card = room.net.card(function)?;
        // Of each class there is one: that some call of one could not be resolved says something where no other is known.
        let is_constructor = matches!(card.name.as_str(), "__init__" | "__new__");
        let is_told = !is_constructor || !published::is_called(room, function);
        if is_told && !card.name.starts_with('<') {
            names.insert((card.language, card.name));
        }
    }
    for (language, name) in names {
        let Counts { unresolved, cut } = calls_of(&room.net, &language, &name, tests);
        if unresolved > 0 {
            let message = format!(
                "{} of something called `{name}` could not be resolved; any of them may be meant",
                counted(unresolved, "call")
            );
            found.reasons.push(reason("unresolved-calls", message, unresolved));
        }
        found.reasons.extend(taken_unseen(room, &language, &name, tests)?);
        if cut > 0 {
            let message = format!(
                "{} with more callees than are followed may call something called `{name}` as well; `ripple status` says how many",
                counted(cut, "call")
            );
            found.reasons.push(reason(BUDGET, message, cut));
        }
    }
    Ok(())
}

/// Functions that read what is called so of objects of unknown type, and do not call it there: `strategy = consumer.limit`.
fn taken_unseen(room: &Room<'_>, language: &str, name: &str, tests: bool) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let unknown = unresolved_of(net, language, name).into_iter();
    let takers = unknown.flat_map(|unknown| net.entering(unknown, READS).map(|arrow| arrow.node));
    let names: BTreeSet<u32> = takers.filter(|taker| tests || !net.is_test(*taker)).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let calls = Calls {
        count: names.len() as u64,
        names,
    };
    let message = format!(
        "`{name}` of objects of unknown type is taken as a value in {} ({}); who has that may call it",
        counted(calls.count, "function"),
        calls.first(net)?.0
    );
    Ok(Some(reason("unknown-receivers", message, calls.count)))
}

/// How many calls are not known, or not whole.
#[derive(Default)]
struct Counts {
    unresolved: u64,
    /// A budget of the extractor cut them.
    cut: u64,
}

impl Counts {
    fn note(&mut self, rule: Rule) {
        match rule {
            Rule::OverBudget => self.cut += 1,
            _ => self.unresolved += 1,
        }
    }
}

/// What a budget of the extractor cut.
pub(super) const BUDGET: &str = "budget";

/// What stands for calls that name this and could not be resolved.
pub(super) fn unresolved_of(net: &Net, language: &str, name: &str) -> Option<u32> {
    let language = Language::ALL.iter().find(|other| other.name() == language)?;
    net.index(NodeId::of(*language, NodeKind::External, &format!("?.{name}"), 0))
}

/// Calls that name this and could not be resolved; those of tests only where they are asked for.
fn calls_of(net: &Net, language: &str, name: &str, tests: bool) -> Counts {
    let mut counts = Counts::default();
    if let Some(node) = unresolved_of(net, language, name) {
        let arrows = net
            .entering(node, CALLS)
            .filter(|arrow| tests || !net.is_test(arrow.node));
        // That the language calls special methods by itself is told of all of them.
        let rules = arrows.map(|arrow| net.rule(arrow.edge));
        rules
            .filter(|rule| *rule != Rule::UnresolvedSpecial)
            .for_each(|rule| counts.note(rule));
    }
    counts
}

/// Calls from code other than tests that name this and could not be resolved; and those of which a budget cut callees.
pub(super) fn unknown_calls(net: &Net, language: &str, name: &str) -> (u64, u64) {
    let Counts { unresolved, cut } = calls_of(net, language, name, false);
    (unresolved, cut)
}

/// Unresolved calls inside the target itself.
fn inside(room: &Room<'_>, found: &mut Found) -> Result<(), Error> {
    let functions = calls::functions_of(room, &found.seeds);
    found.reasons.extend(calls::only_declared(room, &functions)?);
    found.reasons.extend(calls::on_other_objects(room, &functions)?);
    let arrows = functions.iter().flat_map(|&function| room.net.leaving(function, CALLS));
    let (mut counts, mut special, mut given) = (Counts::default(), Calls::default(), Calls::default());
    let mut replaced = Calls::default();
    for arrow in arrows {
        if room.net.label(arrow.node) == NodeKind::External && is_replaced(&room.net, arrow.node) {
            replaced.note(arrow.node);
        }
        if bases::is_given(&room.net, arrow.node) {
            special.note(arrow.node);
        }
        match room.net.rule(arrow.edge) {
            // `registry.lookup(name)(request)`
            Rule::Library if calls_what_it_has(&room.net.card(arrow.node)?) => {
                given.note(arrow.node);
            }
            Rule::UnresolvedSpecial => special.note(arrow.node),
            rule if rule.is_unresolved() => counts.note(rule),
            _ => {}
        }
    }
    let members = functions
        .iter()
        .flat_map(|&function| room.net.leaving(function, READS.and(WRITES)));
    let mut computed = Calls::default();
    for arrow in members.filter(|arrow| room.net.rule(arrow.edge) == Rule::UnresolvedMember) {
        if room.net.card(arrow.node)?.name.ends_with('*') {
            computed.note(arrow.node);
        }
    }
    if computed.count > 0 {
        let message = format!(
            "members are asked for under computed names ({}); properties and descriptors among them run",
            computed.first(&room.net)?.0
        );
        found.reasons.push(reason("unknown-receivers", message, computed.count));
    }
    if replaced.count > 0 {
        let message = format!(
            "library code that it calls is replaced ({}): what was put there may be called",
            replaced.first(&room.net)?.0
        );
        found.reasons.push(reason("unknown-library", message, replaced.count));
    }
    if given.count > 0 {
        let message = format!(
            "what library code gave is called in it ({}), and may be of the index",
            given.first(&room.net)?.0
        );
        found.reasons.push(reason("unknown-library", message, given.count));
    }
    if special.count > 0 {
        let message = format!(
            "the language calls special methods by itself ({}) of values of which nothing is known here",
            special.first(&room.net)?.0
        );
        found.reasons.push(reason("unknown-receivers", message, special.count));
    }
    let Counts { unresolved, cut } = counts;
    if unresolved > 0 {
        let message = format!("{} in it could not be resolved", counted(unresolved, "call"));
        found.reasons.push(reason("unresolved-calls", message, unresolved));
    }
    if cut > 0 {
        let message = format!("{} in it with more callees than are followed", counted(cut, "call"));
        found.reasons.push(reason(BUDGET, message, cut));
    }
    Ok(())
}

/// Whether library code calls something that it gave before: `reflect.ValueOf(order).MethodByName(name).Call(nil)`.
fn calls_what_it_has(library: &Card) -> bool {
    library.name.ends_with("()")
        || matches!(
            library.qualified_name.as_str(),
            "reflect.Value.Call" | "reflect.Value.CallSlice"
        )
}

/// Whether somebody puts a function of the index in the place of one of a library's: `time.time = lambda: now`.
fn is_replaced(net: &Net, library: u32) -> bool {
    let mut put = net.entering(library, FLOWS).filter(|arrow| arrow.how == How::Store);
    put.any(|arrow| net.label(arrow.node) == NodeKind::Function)
}

/// Calls that the value goes into of which nobody knows where it comes out again.
fn in_reach(room: &Room<'_>, found: &mut Found) -> Result<(), Error> {
    if let Some(values) = found.walks.first() {
        let unknown = Unknown::of(room, values.nodes(), false);
        found.reasons.extend(unknown.reasons(room, "the value goes into")?);
    }
    Ok(())
}

/// Reads and writes of what is called as these fields are, of objects that nobody knows.
fn attributes(
    room: &Room<'_>,
    nodes: impl Iterator<Item = u32>,
    (kinds, tests): (EdgeKinds, bool),
) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let (mut names, mut functions) = (BTreeSet::new(), BTreeSet::new());
    let mut seen = FxHashSet::default();
    // What library code has, or lies in a container here, may be asked for by a name that others have as well: `app.conf.eager`.
    let is_member =
        |node: u32| matches!(net.label(node), NodeKind::Field | NodeKind::External) || net.role(node) == Role::Element;
    let fields = nodes.filter(|node| is_member(*node) && seen.insert(*node));
    for field in fields.take(MOST * MOST) {
        let card = net.card(field)?;
        // Library code is of no language.
        let unknown = match net.label(field) {
            NodeKind::External => Language::ALL
                .iter()
                .find_map(|language| unresolved_of(net, language.name(), &card.name)),
            _ => unresolved_of(net, &card.language, &card.name),
        };
        let Some(unknown) = unknown else { continue };
        // `backend.apply(1)` reads a field as well, if that keeps something that can be called.
        let called = kinds.has(EdgeKind::Reads) && may_be_called(net, field)?;
        let kinds = if called { kinds.and(CALLS) } else { kinds };
        let users = net.entering(unknown, kinds).map(|arrow| arrow.node);
        let before = functions.len();
        functions.extend(users.filter(|user| tests || !net.is_test(*user)));
        if functions.len() > before {
            names.insert(card.name);
        }
    }
    if functions.is_empty() {
        return Ok(None);
    }
    let named: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > 3 { ", …" } else { "" };
    let calls = Calls {
        count: functions.len() as u64,
        names: functions,
    };
    let used = used(kinds);
    let (named, functions) = (named.join(", "), counted(calls.count, "function"));
    let message = format!(
        "{named}{more} of objects of unknown type is {used} in {functions} ({}); any of them may be meant",
        calls.first(net)?.0
    );
    Ok(Some(reason("unknown-receivers", message, calls.count)))
}

/// Whether a function is put in a field, or what comes from outside and may be one, as nothing tells of its type.
fn may_be_called(net: &Net, field: u32) -> Result<bool, Error> {
    let mut put = net.entering(field, FLOWS).map(|arrow| arrow.node);
    let may_be = |from: u32| net.role(from) == Role::Parameter && net.leaving(from, TYPED).next().is_none();
    let is_put = put.any(|from| net.label(from) == NodeKind::Function || may_be(from));
    let card = net.card(field)?;
    // Where types are written down, a call says which; and what texts and containers have is asked of these.
    Ok(is_put && card.language == Language::Python.name() && !OF_BUILTINS.contains(&card.name.as_str()))
}

/// What such edges say of a field.
pub(super) fn used(kinds: EdgeKinds) -> &'static str {
    match (kinds.has(EdgeKind::Reads), kinds.has(EdgeKind::Writes)) {
        (true, true) => "read or written",
        (true, false) => "read",
        _ => "written",
    }
}

/// The verdict of an answer that no walk made: what the index holds is all it can say.
pub(super) fn of_index(reader: &Reader, missing: &[String]) -> Verdict {
    let mut reasons = left_out(reader);
    for name in missing {
        reasons.push(reason(
            "not-in-index",
            format!("nothing in the index is called `{name}`"),
            1,
        ));
    }
    let message = "this is what a search found best; it does not say that there is nothing else".to_owned();
    reasons.push(reason("search", message, 1));
    of(reasons, !missing.is_empty())
}

/// Files that the index does not hold, or not whole.
fn left_out(reader: &Reader) -> Vec<Reason> {
    let files = &reader.manifest().files;
    let count = |status| {
        files
            .iter()
            .filter(|files| files.status == status)
            .map(|files| files.files)
            .sum::<u64>()
    };
    let mut reasons = Vec::new();
    let skipped = count(FileStatus::Skipped);
    if skipped > 0 {
        let (files, were) = (counted(skipped, "file"), if skipped == 1 { "was" } else { "were" });
        let message = format!("{files} {were} skipped; `ripple status --files` lists them");
        reasons.push(reason("skipped-files", message, skipped));
    }
    let partial = count(FileStatus::Partial);
    if partial > 0 {
        let (files, were) = match partial {
            1 => ("1 file has".to_owned(), "was"),
            _ => (format!("{partial} files have"), "were"),
        };
        let message = format!("{files} syntax errors and {were} read in part; `ripple status --files` lists them");
        reasons.push(reason("partial-files", message, partial));
    }
    reasons
}

/// Files of this answer that are not on disk as they were when they were indexed.
fn stale(room: &Room<'_>, found: &mut Found) -> Result<(), Error> {
    /// Files that are looked at.
    const MOST: usize = 40;
    let mut files = BTreeSet::new();
    for node in found
        .seeds
        .iter()
        .copied()
        .chain(found.findings.iter().map(|finding| finding.node))
    {
        if files.len() >= MOST {
            break;
        }
        files.insert(room.net.card(node)?.file);
    }
    let changed = crate::freshness::changed(room.reader, files.iter().map(String::as_str))?;
    if !changed.is_empty() {
        let count = changed.len() as u64;
        let first = changed.first().cloned().unwrap_or_default();
        let message = format!(
            "{count} files of this answer have changed since they were indexed ({first}, …); run `ripple index`"
        );
        found.reasons.push(reason("stale-index", message, count));
    }
    Ok(())
}
