//! Operations along calls: `callers`, `callees`, `tests_for`.
//!
//! A type is called where it is constructed: its callers are those of its constructor too. What is called but not in the index is told
//! among the callees, with the rule that says why.

use ripple_graphdb::Net;
use ripple_graphdb::net::{Arrow, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, NodeKind, Rule};
use rustc_hash::FxHashSet;

use super::walk::{PASSES, Phase, Walk};
use super::{Found, RawFinding, Room, builds, outside, relations, target, value, verdict};
use crate::Error;
use crate::view::{Parameters, Reason};

pub(super) const CALLS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Calls]);
pub(super) const CONTAINS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Contains]);
const OVERRIDES: EdgeKinds = EdgeKinds::of(&[EdgeKind::Overrides]);
pub(super) const CALLED: EdgeKinds = EdgeKinds::of(&[EdgeKind::Calls, EdgeKind::CallsThrough]);

/// To what is called, and on. A function that calls what it is handed calls all that anybody hands it; who comes from a caller has been told
/// what that one hands over.
const TO_CALLEES: &[Phase] = &[
    Phase {
        advance: &[(CALLED, 1)],
        handed: Some(1),
        ..Phase::alone(EdgeKinds::NONE)
    },
    Phase {
        covered_by: &[0],
        handed: None,
        ..Phase::alone(CALLED)
    },
];

/// To who calls, and on. Behind a function that was handed what it calls come the callers of all that anybody hands it: who handed it this one
/// has an edge of its own.
const TO_CALLERS: &[Phase] = &[
    Phase {
        handed: Some(1),
        ..Phase::alone(CALLED)
    },
    Phase {
        covered_by: &[0],
        ..Phase::alone(EdgeKinds::NONE)
    },
];

/// Who calls the target.
pub(super) fn callers(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    along(room, parameters, true)
}

/// What the target calls.
pub(super) fn callees(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    along(room, parameters, false)
}

fn along(room: &Room<'_>, parameters: &Parameters, backwards: bool) -> Result<Found, Error> {
    let seeds = target::resolve(room, "target", parameters.target.as_deref().unwrap_or_default())?;
    // Nobody calls a field, a key or a constant: who asks for its callers means those that use it.
    let is_used = |seed: &u32| {
        matches!(room.net.label(*seed), NodeKind::Field | NodeKind::Key) || room.net.role(*seed) == Role::Global
    };
    let (fields, others): (Vec<u32>, Vec<u32>) = seeds.iter().partition(|seed| backwards && is_used(seed));
    let functions = functions_of(room, &others);
    let reach = walk(room, parameters, backwards, 1).run(&functions, None);
    let mut findings = among(room, &seeds, &functions, backwards);
    let mut told = FxHashSet::default();
    let others = reach.all().filter(|reached| reached.distance > 0);
    for reached in others.filter(|reached| told.insert(reached.state.node)) {
        let edge = reach.last_edge(reached.state);
        let through = edge.filter(|edge| room.net.kind(*edge) == EdgeKind::CallsThrough);
        let makes = through.is_some_and(|edge| room.net.how(edge) == How::Constructor);
        let is_through = through.is_some() && !makes;
        let relation = match (backwards, reached.distance, room.net.label(reached.state.node)) {
            (true, 1, _) if is_through => "calls it through another function",
            (false, 1, _) if is_through => "is called by it through another function",
            (true, 1, _) if makes => "makes one",
            (false, 1, _) if makes => "is made by it",
            (true, 1, _) => "calls it",
            (true, ..) => "calls a caller",
            (false, 1, NodeKind::External) => "is called by it, outside of the index",
            (false, 1, _) => "is called by it",
            (false, _, NodeKind::External) => "is called further down, outside of the index",
            (false, ..) => "is called further down",
        };
        findings.push(RawFinding::reached(reached.state.node, relation, 0, reached));
    }
    if !backwards {
        unresolved(room, &functions, &mut findings);
    }
    // What is called in place of an interface's method may call several of those that are.
    let mut told = FxHashSet::default();
    findings.retain(|finding| told.insert((finding.node, finding.relation)));
    if backwards && findings.is_empty() {
        findings.extend(instead(room, &functions));
        findings.extend(in_other_builds(room, &functions)?);
    }
    let known: FxHashSet<u32> = findings.iter().map(|finding| finding.node).collect();
    let users = relations::users(room, &fields).into_iter();
    findings.extend(users.filter(|user| !known.contains(&user.node)));
    Ok(Found {
        seeds,
        findings,
        walks: vec![reach],
        ..Found::default()
    })
}

/// What is called from one of these functions to another, or to itself: no walk comes back to its starts. And what is called for one of
/// them, where that is a method of an interface.
fn among(room: &Room<'_>, seeds: &[u32], functions: &[u32], backwards: bool) -> Vec<RawFinding> {
    let net = &room.net;
    let starts: FxHashSet<u32> = functions.iter().copied().collect();
    let mut findings = Vec::new();
    for &function in functions {
        let arrows: Vec<Arrow> = match backwards {
            true => net.entering(function, CALLED).collect(),
            false => net.leaving(function, CALLED).collect(),
        };
        let mut seen = FxHashSet::default();
        for arrow in arrows
            .into_iter()
            .filter(|arrow| starts.contains(&arrow.node) && seen.insert(arrow.node))
        {
            let relation = match (arrow.node == function, backwards) {
                (true, _) => "calls itself",
                (_, true) => "calls it",
                (_, false) => "is called by it",
            };
            findings.push(RawFinding::one_step(room, arrow, relation));
        }
    }
    if !backwards {
        let stand_ins = seeds.iter().flat_map(|seed| stand_ins(room, *seed));
        findings.extend(stand_ins.map(|arrow| RawFinding::one_step(room, arrow, "takes its place")));
    }
    findings
}

/// Who calls what takes the place of methods that nobody calls themselves: what a base class only declares.
pub(super) fn instead(room: &Room<'_>, functions: &[u32]) -> Vec<RawFinding> {
    let net = &room.net;
    let mut seen = FxHashSet::default();
    let below = functions.iter().flat_map(|function| outside::below(net, *function));
    let calls = below.flat_map(|method| net.entering(method, CALLS));
    let calls = calls.filter(|arrow| !functions.contains(&arrow.node) && seen.insert(arrow.node));
    calls
        .map(|arrow| RawFinding::one_step(room, arrow, "calls what takes its place"))
        .collect()
}

/// Who calls what takes the place of functions in the build that was indexed.
fn in_other_builds(room: &Room<'_>, functions: &[u32]) -> Result<Vec<RawFinding>, Error> {
    let others = builds::others(room, functions)?.into_iter();
    let mut seen = FxHashSet::default();
    let calls = others.flat_map(|other| room.net.entering(other, CALLS));
    let calls = calls.filter(|arrow| seen.insert(arrow.node));
    Ok(calls
        .map(|arrow| RawFinding::one_step(room, arrow, "calls what takes its place"))
        .collect())
}

/// The methods that are called where an interface's method is.
pub(super) fn stand_ins(room: &Room<'_>, function: u32) -> Vec<Arrow> {
    let net = &room.net;
    let of_interface = outside::class_of(net, function).is_some_and(|class| is_interface(net, class));
    let arrows = net.entering(function, OVERRIDES).filter(|_| of_interface);
    arrows.collect()
}

/// Whether nothing is of this type but what is of another one that has its methods.
pub(super) fn is_interface(net: &Net, class: u32) -> bool {
    let is_protocol = |arrow: Arrow| {
        let above = net.label(arrow.node) == NodeKind::External;
        above && net.card(arrow.node).is_ok_and(|card| card.name == "Protocol")
    };
    net.card(class).is_ok_and(|card| card.kind == "interface") || net.leaving(class, outside::INHERITS).any(is_protocol)
}

/// What keeps the callees of these functions from being all: a protocol or an interface only says what is called, and nothing in the index
/// takes its place.
pub(super) fn only_declared(room: &Room<'_>, functions: &[u32]) -> Result<Option<Reason>, Error> {
    const INSTEAD: EdgeKinds = EdgeKinds::of(&[EdgeKind::Overrides]);
    let net = &room.net;
    let (mut first, mut seen) = (None, FxHashSet::default());
    for call in functions.iter().flat_map(|function| net.leaving(*function, CALLS)) {
        let is_declared = outside::class_of(net, call.node).is_some_and(|class| is_interface(net, class));
        if is_declared && net.entering(call.node, INSTEAD).next().is_none() && seen.insert(call.node) {
            first.get_or_insert(call.node);
        }
    }
    let Some(first) = first else { return Ok(None) };
    let message = format!(
        "`{}` only says what is called: nothing in the index is seen to take its place",
        net.card(first)?.qualified_name
    );
    Ok(Some(verdict::reason("unresolved-calls", message, seen.len() as u64)))
}

/// What keeps the callees of these functions from being all: a method is called on an object that came from a caller, and on that of another
/// class it is another method.
pub(super) fn on_other_objects(room: &Room<'_>, functions: &[u32]) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let (mut first, mut others) = (None, FxHashSet::default());
    for &function in functions {
        let called: FxHashSet<u32> = net.leaving(function, CALLS).map(|call| call.node).collect();
        for call in net.leaving(function, CALLS) {
            let Some(from) = receiver_given(net, function, call.node) else {
                continue;
            };
            let family = outside::family(net, call.node);
            // `super().save()` calls the one above, whatever the object.
            if family.contains(&function) {
                continue;
            }
            let is_own = net.card(from)?.kind == "receiver";
            let told = match is_own {
                true => outside::class_of(net, function).into_iter().collect(),
                false => declared_types(net, from),
            };
            let below: FxHashSet<u32> = told
                .iter()
                .flat_map(|class| outside::with_those_below(net, *class))
                .collect();
            // What only says what is called is no callee.
            let may_be = |method: &u32| {
                let class = outside::class_of(net, *method);
                class.is_some_and(|class| (told.is_empty() || below.contains(&class)) && !is_interface(net, class))
            };
            let mut family: Vec<u32> = family.into_iter().filter(may_be).collect();
            family.sort_unstable();
            for other in family {
                if !called.contains(&other) && !net.is_test(other) && others.insert(other) {
                    first.get_or_insert((call.node, other));
                }
            }
        }
    }
    let Some((called, other)) = first else { return Ok(None) };
    let message = format!(
        "`{}` is called on what callers hand in, and not on its own class alone: of another class it would be `{}`",
        net.card(called)?.name,
        net.card(other)?.qualified_name
    );
    Ok(Some(verdict::reason("unknown-receivers", message, others.len() as u64)))
}

/// The types that a parameter is declared with.
fn declared_types(net: &Net, parameter: u32) -> Vec<u32> {
    let types = net.leaving(parameter, outside::HELD);
    let declared = types.filter(|arrow| net.rule(arrow.edge) == Rule::DeclaredType);
    declared.map(|arrow| arrow.node).collect()
}

/// The parameter of a function, its receiver included, that is the receiver of a method that it calls.
fn receiver_given(net: &Net, function: u32, method: u32) -> Option<u32> {
    let parts = net.leaving(method, CONTAINS).map(|part| part.node);
    let mut receivers = parts.filter(|part| net.role(*part) == Role::Parameter);
    // The receiver comes first.
    let receiver = receivers.next()?;
    let given = net
        .entering(receiver, PASSES)
        .filter(|arrow| arrow.how == How::Receiver);
    let mut given = given.map(|arrow| arrow.node);
    given.find(|from| net.role(*from) == Role::Parameter && net.owner(*from) == Some(function))
}

/// Calls that were not resolved: no walk follows them, and yet they are there.
fn unresolved(room: &Room<'_>, functions: &[u32], findings: &mut Vec<RawFinding>) {
    let mut seen = FxHashSet::default();
    for &function in functions {
        for arrow in room.net.leaving(function, CALLS) {
            let rule = room.net.rule(arrow.edge);
            if rule.is_unresolved() && rule != Rule::UnresolvedSpecial && seen.insert(arrow.node) {
                findings.push(RawFinding::one_step(room, arrow, "a call that could not be resolved"));
            }
        }
    }
}

/// The tests that run the target.
pub(super) fn tests_for(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let seeds = target::resolve(room, "target", parameters.target.as_deref().unwrap_or_default())?;
    let functions = at_work(room, &seeds);
    let reach = walk(room, parameters, true, 10).run(&functions, None);
    let findings = reach
        .all()
        .filter(|reached| is_test_function(room, reached.state.node) && is_run(room, reached.state.node))
        .map(|reached| {
            let relation = match reached.distance {
                0 | 1 => "tests it",
                _ => "tests a caller",
            };
            RawFinding::reached(reached.state.node, relation, 0, reached)
        })
        .collect();
    Ok(Found {
        seeds,
        findings,
        walks: vec![reach],
        ..Found::default()
    })
}

/// Tests that run any of these functions, nearest first: what a person would run, not the helpers and closures that tests are made of.
pub(super) fn tests_of(room: &Room<'_>, parameters: &Parameters, functions: &[u32], depth: u32) -> Vec<u32> {
    let walk = Walk {
        depth,
        ..walk(room, parameters, true, depth)
    };
    let reach = walk.run(functions, None);
    let mut seen = FxHashSet::default();
    let reached = reach.all().map(|reached| reached.state.node);
    let found: Vec<u32> = reached
        .filter(|node| is_test_function(room, *node))
        .map(|node| outermost(room, node))
        .filter(|node| seen.insert(*node))
        .collect();
    let tests: Vec<u32> = found.iter().copied().filter(|test| is_run(room, *test)).collect();
    if tests.is_empty() { found } else { tests }
}

/// What a change of some functions reaches, without the functions that were handed another of these, and call it: who runs such a `wrapper` with
/// something else in it runs nothing that changed, and who runs it with this has an edge of its own.
pub(super) fn without_wrappers(room: &Room<'_>, changed: &[u32], reached: &[u32]) -> Vec<u32> {
    let all: FxHashSet<u32> = changed.iter().chain(reached).copied().collect();
    let calls = |function: &u32| room.net.leaving(*function, CALLS);
    let is_wrapper =
        |function: &u32| calls(function).any(|arrow| arrow.how == How::Handed && all.contains(&arrow.node));
    let reached = reached.iter().copied();
    reached.filter(|function| !is_wrapper(function)).collect()
}

/// The function that a closure is in, or itself.
fn outermost(room: &Room<'_>, function: u32) -> u32 {
    let mut at = function;
    // Owners are a tree; the bound is for a damaged index.
    for _ in 0..64 {
        match room
            .net
            .owner(at)
            .filter(|owner| room.net.label(*owner) == NodeKind::Function)
        {
            Some(owner) => at = owner,
            None => break,
        }
    }
    at
}

/// Whether a test is one that is run, as far as is known: a helper is called by tests, and none itself.
fn is_run(room: &Room<'_>, test: u32) -> bool {
    let mut callers = room.net.entering(test, CALLS);
    !callers.any(|arrow| arrow.node != test && is_test_function(room, arrow.node))
}

fn is_test_function(room: &Room<'_>, node: u32) -> bool {
    room.net.is_test(node) && room.net.label(node) == NodeKind::Function
}

/// A walk along calls.
pub(super) fn walk<'n>(room: &'n Room<'_>, parameters: &Parameters, backwards: bool, depth: u32) -> Walk<'n> {
    Walk {
        net: &room.net,
        phases: if backwards { TO_CALLERS } else { TO_CALLEES },
        backwards,
        ground: None,
        through_tests: true,
        test_code: true,
        depth: parameters.depth.unwrap_or(depth),
        min_confidence: parameters.min_confidence.unwrap_or(0.0) as f32,
    }
}

/// The functions that run where these nodes are at work: of a type, beside its constructor, its methods and whoever uses its fields.
pub(super) fn at_work(room: &Room<'_>, nodes: &[u32]) -> Vec<u32> {
    let net = &room.net;
    let types = nodes.iter().filter(|node| net.label(**node) == NodeKind::Type);
    let parts = types
        .flat_map(|node| net.leaving(*node, CONTAINS))
        .map(|arrow| arrow.node)
        .filter(|part| matches!(net.label(*part), NodeKind::Function | NodeKind::Field));
    let all: Vec<u32> = nodes.iter().copied().chain(parts).collect();
    functions_of(room, &all)
}

/// What can be called of these nodes: functions themselves, a type and its constructor, the functions that use a field, a variable's
/// function, everything in a file or package.
pub(super) fn functions_of(room: &Room<'_>, nodes: &[u32]) -> Vec<u32> {
    let net = &room.net;
    let used = EdgeKinds::of(&[EdgeKind::Reads, EdgeKind::Writes, EdgeKind::UsesKey]);
    let mut seen = FxHashSet::default();
    let mut functions = Vec::new();
    let mut open: Vec<u32> = nodes.iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        match net.label(node) {
            NodeKind::Function => {
                functions.push(node);
                functions.extend(stand_ins(room, node).iter().map(|arrow| arrow.node));
            }
            NodeKind::Type => {
                functions.push(node);
                let parts = net.leaving(node, CONTAINS).map(|arrow| arrow.node);
                let called = |part: &u32| {
                    net.label(*part) == NodeKind::Function
                        && net
                            .card(*part)
                            .is_ok_and(|card| matches!(card.name.as_str(), "__init__" | "__new__"))
                };
                functions.extend(parts.filter(called));
            }
            NodeKind::Field | NodeKind::Key => functions.extend(net.entering(node, used).map(|arrow| arrow.node)),
            NodeKind::Variable if net.role(node) == Role::Global => {
                functions.extend(net.entering(node, used).map(|arrow| arrow.node));
            }
            NodeKind::Variable => functions.extend(value::function_of(room, node)),
            NodeKind::File | NodeKind::Package => open.extend(net.leaving(node, CONTAINS).map(|arrow| arrow.node)),
            _ => functions.push(node),
        }
    }
    let mut once = FxHashSet::default();
    functions.retain(|function| once.insert(*function));
    functions
}
