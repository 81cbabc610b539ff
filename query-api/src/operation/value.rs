//! Operations that follow values: `impact`, `flows`, `path`.
//!
//! `impact` tells places as what they belong to: a result that changes is told as its function, the field of one object as the field. What lies
//! under a text as its key is told beside its function (`build.["speed_kmh"]`): features are often kept so. It
//! goes through tests of values (`if email:` changes with `email`), and for a function also along its callers. `flows` tells the places
//! themselves and goes only where the value itself goes.

use ripple_graphdb::Net;
use ripple_graphdb::net::{Arrow, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::CONTAINS;
use super::walk::{CHANGED_DOWN, Holding, PARTS_DOWN, Phase, Reach, Reached, VALUE_DOWN, WHOLE_DOWN, WHOLE_UP, Walk};
use super::{Found, RawFinding, Room, already_there, calls, failing, relations, target};
use crate::Error;
use crate::view::{Direction, Ground, Parameters};

/// What changes when the target changes; looking up, what it depends on.
pub(super) fn impact(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let mut seeds = target::resolve(room, "target", parameters.target.as_deref().unwrap_or_default())?;
    // What a class below binds in its body takes the place of what is bound above; what its methods set is the same attribute.
    seeds.extend(relations::below(room, &seeds, |kind| kind != "class_attribute")?);
    impact_of(room, parameters, seeds)
}

/// The same, of nodes that are known already.
pub(super) fn impact_of(room: &Room<'_>, parameters: &Parameters, seeds: Vec<u32>) -> Result<Found, Error> {
    let direction = parameters.direction.unwrap_or_default();
    let phases = if direction == Direction::Down {
        CHANGED_DOWN
    } else {
        WHOLE_UP
    };
    let walk = Walk {
        through_tests: true,
        ground: Some(parameters.ground.unwrap_or(Ground::May)),
        ..walk(room, parameters, (&seeds, direction), phases)
    };
    let mut starts = starts(room, &seeds, direction)?;
    if direction == Direction::Down {
        already_there::forget_found(&room.net, &mut starts, &seeds);
    }
    let values = walk.run(&starts, None);
    let mut findings = owners(room, &seeds, &values, direction);
    let under_keys = under_keys(room, &findings, &values, direction);
    findings.extend(under_keys);
    if direction == Direction::Down {
        findings.extend(stores(room, &seeds, "its value changes"));
        let stand_ins = seeds.iter().flat_map(|seed| calls::stand_ins(room, *seed));
        findings.extend(stand_ins.map(|arrow| RawFinding::one_step(room, arrow, "takes its place")));
        findings.extend(seeds.iter().flat_map(|seed| of_type(room, *seed)));
    }

    let mut known: FxHashSet<u32> = findings
        .iter()
        .map(|finding| finding.node)
        .chain(seeds.iter().copied())
        .collect();
    // Whoever runs a function that changed runs something else than before.
    let code: Vec<u32> = seeds
        .iter()
        .copied()
        .filter(|&seed| is_code(room.net.label(seed)))
        .collect();
    let functions = calls::functions_of(room, &code);
    let called = calls::walk(room, parameters, direction == Direction::Down, 30).run(&functions, None);
    let relation = told(direction, "calls it", "is called by it");
    findings.extend(
        called
            .all()
            .filter(|reached| reached.distance > 0)
            .filter_map(|reached| {
                let node = reached.state.node;
                let counts = room.net.label(node) == NodeKind::Function && known.insert(node);
                counts.then(|| RawFinding::reached(node, relation, 1, reached))
            }),
    );
    if direction == Direction::Down && called.nodes().all(|node| functions.contains(&node)) {
        let instead = calls::instead(room, &functions).into_iter();
        findings.extend(instead.filter(|finding| known.insert(finding.node)));
    }
    if direction == Direction::Down {
        // What a function uses does not change with it; who uses a field does.
        let held: Vec<u32> = seeds
            .iter()
            .copied()
            .filter(|&seed| !is_code(room.net.label(seed)))
            .collect();
        let users = relations::users(room, &held);
        findings.extend(users.into_iter().filter(|user| known.insert(user.node)));
        let readers = readers(room, &values).into_iter();
        findings.extend(readers.filter(|reader| known.insert(reader.node)));
    }
    findings.retain(|finding| parameters.ground.is_none_or(|weakest| finding.ground <= weakest));
    // Library code is the same before and after, and called by anyone.
    let found = findings.iter().map(|finding| finding.node);
    let found = found.filter(|node| room.net.label(*node) != NodeKind::External);
    let mut changed = calls::functions_of(room, &seeds);
    let found: Vec<u32> = found.take(200).collect();
    changed.extend(calls::without_wrappers(room, &changed, &found));
    let tests = match direction {
        Direction::Down => calls::tests_of(room, parameters, &changed, 4),
        Direction::Up => Vec::new(),
    };
    Ok(Found {
        seeds,
        findings,
        walks: vec![values, called],
        tests,
        entry_points: direction == Direction::Down,
        ..Found::default()
    })
}

/// Whether who reads what is reached is told by the key that it lies under, and not by who has the whole: of a whole that is made here, with
/// that in it, it is told by both.
fn is_told_by_key(net: &Net, reach: &Reach, reached: &Reached) -> bool {
    let by = reached.state.by_key.then(|| reach.keyed_by(reached.state));
    by.is_some_and(|edge| edge.is_none_or(|edge| net.how(edge) != How::Held))
}

/// Who reads the fields and globals that change, be it just to hand them on.
fn readers(room: &Room<'_>, values: &Reach) -> Vec<RawFinding> {
    const READS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Reads]);
    let net = &room.net;
    // Of a table that all share, only a part may change.
    let is_read = |reached: &Reached| {
        let node = reached.state.node;
        net.label(node) == NodeKind::Field || net.role(node) == Role::Global && !is_told_by_key(net, values, reached)
    };
    let kept = values.all().filter(|reached| reached.distance > 0 && is_read(reached));
    let mut found = Vec::new();
    for reached in kept {
        for arrow in net.entering(reached.state.node, READS) {
            found.push(RawFinding {
                distance: reached.distance + 1,
                confidence: reached.confidence * room.net.rule(arrow.edge).confidence() as f32,
                ground: match net.label(reached.state.node) {
                    NodeKind::Field => Ground::May,
                    _ => reached.ground,
                },
                ..RawFinding::reached(arrow.node, "reads what changes", 0, reached)
            });
        }
    }
    found.sort_by_key(|finding| (finding.ground, finding.distance));
    found
}

/// What changes with a type: those that are below it, and, of an interface, which nobody makes, the functions that are given one.
fn of_type(room: &Room<'_>, seed: u32) -> Vec<RawFinding> {
    const BELOW: EdgeKinds = EdgeKinds::of(&[EdgeKind::Inherits, EdgeKind::Implements, EdgeKind::Embeds]);
    const HELD: EdgeKinds = EdgeKinds::of(&[EdgeKind::HasType]);
    let net = &room.net;
    if net.label(seed) != NodeKind::Type {
        return Vec::new();
    }
    let below = net.entering(seed, BELOW);
    let mut findings: Vec<RawFinding> = below
        .map(|arrow| RawFinding::one_step(room, arrow, "implements or extends it"))
        .collect();
    if calls::is_interface(net, seed) {
        let mut seen = FxHashSet::default();
        for arrow in net.entering(seed, HELD) {
            let user = match net.label(arrow.node) {
                NodeKind::Variable => function_of(room, arrow.node),
                _ => Some(arrow.node),
            };
            if let Some(node) = user.filter(|node| seen.insert(*node)) {
                findings.push(RawFinding {
                    node,
                    ..RawFinding::one_step(room, arrow, "has one")
                });
            }
        }
    }
    findings
}

/// Where the value goes, or comes from.
pub(super) fn flows(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let seeds = target::resolve(room, "target", parameters.target.as_deref().unwrap_or_default())?;
    let direction = parameters.direction.unwrap_or_default();
    let starts = starts(room, &seeds, direction)?;
    let phases = if direction == Direction::Down {
        WHOLE_DOWN
    } else {
        WHOLE_UP
    };
    let walk = walk(room, parameters, (&seeds, direction), phases);
    let values = walk.run(&starts, None);
    let started: FxHashSet<u32> = starts.into_iter().collect();
    let mut seen = FxHashSet::default();
    let mut findings = match direction {
        Direction::Down => stores(room, &seeds, "the value comes to it"),
        Direction::Up => Vec::new(),
    };
    let reached = values
        .all()
        .filter(|reached| !started.contains(&reached.state.node) && seen.insert(reached.state.node))
        .map(|reached| {
            let relation = match (walk.holding(reached.state), direction) {
                (Holding::Value, Direction::Down) => "the value comes to it",
                (Holding::Value, Direction::Up) => "the value comes from it",
                (Holding::Part, Direction::Down) => "a part of it comes there",
                (Holding::Part, Direction::Up) => "a part of it comes from there",
                (Holding::Whole, Direction::Down) => "it comes to hold the value",
                (Holding::Whole, Direction::Up) => "the value is a part of what comes from there",
            };
            RawFinding::reached(reached.state.node, relation, 0, reached)
        });
    findings.extend(reached);
    Ok(Found {
        seeds,
        findings,
        walks: vec![values],
        ..Found::default()
    })
}

/// The shortest way from one to the other.
pub(super) fn path(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let seeds = target::resolve(room, "from", parameters.from.as_deref().unwrap_or_default())?;
    let ends = target::resolve(room, "to", parameters.to.as_deref().unwrap_or_default())?;
    // As a value from the places of the one to any place of the other, tests of values last; else by calls.
    let until: FxHashSet<u32> = places(room, &ends).into_iter().collect();
    let starts = starts(room, &seeds, Direction::Down)?;
    let ways = [
        (VALUE_DOWN, false, "the value comes to it"),
        (PARTS_DOWN, false, "a part of it comes there"),
        (WHOLE_DOWN, false, "it comes to hold the value"),
        (PARTS_DOWN, true, "it depends on the value"),
    ];
    let found = ways.into_iter().find_map(|(phases, through_tests, relation)| {
        let walk = Walk {
            through_tests,
            depth: parameters.depth.unwrap_or(40),
            ..walk(room, parameters, (&seeds, Direction::Down), phases)
        };
        nearest(walk.run(&starts, Some(&until)), &until, relation)
    });
    // Calls lead to code, and say nothing of where a value comes to.
    let by_calls = ends.iter().any(|end| is_code(room.net.label(*end)));
    let found = found.or_else(|| {
        if !by_calls {
            return None;
        }
        let callees: FxHashSet<u32> = calls::functions_of(room, &ends).into_iter().collect();
        let callers = calls::functions_of(room, &seeds);
        let reach = calls::walk(room, parameters, false, 40).run(&callers, Some(&callees));
        let is_code = seeds.iter().all(|seed| is_code(room.net.label(*seed)));
        let relation = match is_code {
            true => "is called by it, by and by",
            false => "is called by what uses it, by and by",
        };
        nearest(reach, &callees, relation)
    });
    // How complete it is that there is no way, where the value comes to says.
    let (findings, walks) = found.unwrap_or_else(|| {
        let values = walk(room, parameters, (&seeds, Direction::Down), PARTS_DOWN);
        (Vec::new(), vec![values.run(&starts, None)])
    });
    Ok(Found {
        seeds,
        ends,
        findings,
        walks,
        ..Found::default()
    })
}

/// The nearest of these places that a walk came to, with the walk; nothing if it came to none.
fn nearest(reach: Reach, until: &FxHashSet<u32>, relation: &'static str) -> Option<(Vec<RawFinding>, Vec<Reach>)> {
    let is_hit = |hit: &Reached| hit.distance > 0 && until.contains(&hit.state.node);
    let nearest = reach.all().filter(is_hit).map(|hit| hit.distance).min()?;
    let mut seen = FxHashSet::default();
    let hits = reach.all().filter(is_hit);
    let findings = hits
        .filter(|hit| hit.distance == nearest && seen.insert(hit.state.node))
        .map(|hit| RawFinding::reached(hit.state.node, relation, 0, hit))
        .collect();
    Some((findings, vec![reach]))
}

fn walk<'n>(
    room: &'n Room<'_>,
    parameters: &Parameters,
    (seeds, direction): (&[u32], Direction),
    phases: &'n [Phase],
) -> Walk<'n> {
    // What tests make of values is no way that the program takes, unless the question is about tests.
    let is_about_tests = seeds.iter().any(|seed| room.net.is_test(*seed));
    Walk {
        net: &room.net,
        phases,
        ground: None,
        backwards: direction == Direction::Up,
        through_tests: false,
        test_code: parameters.tests.unwrap_or(false) || is_about_tests,
        depth: parameters.depth.unwrap_or(30),
        min_confidence: parameters.min_confidence.unwrap_or(0.0) as f32,
    }
}

pub(super) const FLOWS: EdgeKinds = EdgeKinds::of(&[EdgeKind::FlowsTo]);

/// What is told of a function of which a test changes.
const DECIDES: &str = "it decides by it";

/// The places to start from: of a function what it makes and what it stores, of a type its fields and methods, of a field the cells that hold it, and,
/// looking up, of a key that nothing is sent under what lies under it in containers.
fn starts(room: &Room<'_>, seeds: &[u32], direction: Direction) -> Result<Vec<u32>, Error> {
    let net = &room.net;
    let named: FxHashSet<u32> = seeds.iter().copied().collect();
    let mut starts = places(room, seeds);
    // What a function is given is not made by it.
    starts.retain(|place| named.contains(place) || net.role(*place) != Role::Parameter);
    if direction == Direction::Down {
        starts.extend(stored(room, seeds).iter().map(|arrow| arrow.node));
    }
    // Where nobody is seen to send it, or to read it from outside, it lies in containers of the program.
    let is_inner = |key: u32| match direction {
        Direction::Up => net.entering(key, FLOWS).next().is_none(),
        Direction::Down => net.leaving(key, FLOWS).next().is_none(),
    };
    let keys = seeds.iter().filter(|seed| net.label(**seed) == NodeKind::Key);
    for &key in keys.filter(|key| is_inner(**key)) {
        starts.extend(target::under_key(room, &net.card(key)?.name)?);
    }
    starts.sort_unstable();
    starts.dedup();
    Ok(starts)
}

/// Where functions put what they are given: `SetOut(w)` makes nothing, and yet all that writes to the field changes with it.
fn stored(room: &Room<'_>, seeds: &[u32]) -> Vec<Arrow> {
    let net = &room.net;
    let functions = seeds.iter().filter(|seed| net.label(**seed) == NodeKind::Function);
    let given = functions
        .flat_map(|function| net.leaving(*function, CONTAINS))
        .map(|arrow| arrow.node)
        .filter(|place| net.role(*place) == Role::Parameter);
    let kept = given.flat_map(|place| net.leaving(place, FLOWS));
    kept.filter(|arrow| {
        matches!(net.label(arrow.node), NodeKind::Field | NodeKind::Key)
            || matches!(net.role(arrow.node), Role::Global | Role::Element)
    })
    .collect()
}

/// The same as findings. Cells of objects are told as their field, or not at all.
fn stores(room: &Room<'_>, seeds: &[u32], relation: &'static str) -> Vec<RawFinding> {
    let mut seen = FxHashSet::default();
    stored(room, seeds)
        .into_iter()
        .filter(|arrow| room.net.role(arrow.node) != Role::Element && seen.insert(arrow.node))
        .map(|arrow| RawFinding::one_step(room, arrow, relation))
        .collect()
}

/// Every place that belongs to these nodes.
fn places(room: &Room<'_>, seeds: &[u32]) -> Vec<u32> {
    /// Places of a whole package are enough for any answer.
    const MOST: usize = 100_000;
    let net = &room.net;
    let mut seen: FxHashSet<u32> = seeds.iter().copied().collect();
    let mut open: Vec<u32> = seeds.to_vec();
    let mut places = Vec::new();
    while let Some(node) = open.pop() {
        let parts: Vec<u32> = match net.label(node) {
            NodeKind::Variable | NodeKind::Key | NodeKind::External => {
                places.push(node);
                Vec::new()
            }
            // A field whose objects are known has a cell for each of them, and its readers read those.
            NodeKind::Field => {
                places.push(node);
                let cells = net.entering(node, FLOWS).map(|arrow| arrow.node);
                cells.filter(|cell| net.role(*cell) == Role::Element).collect()
            }
            NodeKind::Function => net
                .leaving(node, CONTAINS)
                .map(|arrow| arrow.node)
                .filter(|part| net.label(*part) == NodeKind::Variable)
                .collect(),
            _ => net.leaving(node, CONTAINS).map(|arrow| arrow.node).collect(),
        };
        if places.len() < MOST {
            open.extend(parts.into_iter().filter(|part| seen.insert(*part)));
        }
    }
    places.sort_unstable();
    places
}

/// What the places belong to, each told once, by its nearest place.
fn owners(room: &Room<'_>, seeds: &[u32], reach: &Reach, direction: Direction) -> Vec<RawFinding> {
    let net = &room.net;
    let own: FxHashSet<u32> = seeds.iter().copied().collect();
    let mut at: FxHashMap<u32, usize> = FxHashMap::default();
    let mut findings: Vec<RawFinding> = Vec::new();
    for reached in reach.all() {
        let place = reached.state.node;
        let (node, relation) = match net.label(place) {
            NodeKind::Variable if net.role(place) == Role::Global => {
                (place, told(direction, "it changes", "it goes in"))
            }
            // It is handed a table in which something lies under a key: who reads that is told by the key.
            NodeKind::Variable if net.role(place) == Role::Parameter && is_told_by_key(net, reach, &reached) => {
                continue;
            }
            NodeKind::Variable => match function_of(room, place) {
                Some(function) if net.role(place) == Role::Result => {
                    (function, told(direction, "its result changes", "its result goes in"))
                }
                Some(function) if net.role(place) == Role::Decision => {
                    (function, told(direction, DECIDES, "what it decides by goes in"))
                }
                Some(function) if net.role(place) == Role::Failure => {
                    (function, told(direction, failing::FAILS, "what it fails by goes in"))
                }
                Some(function) => (
                    function,
                    told(direction, "a value in it changes", "a value in it goes in"),
                ),
                None => continue,
            },
            NodeKind::Field => (place, told(direction, "its value changes", "its value goes in")),
            NodeKind::Key => (
                place,
                told(direction, "what is sent under it changes", "it is read from there"),
            ),
            NodeKind::External => (place, told(direction, "it is given the value", "it gives the value")),
            _ => continue,
        };
        if own.contains(&node) || (reached.distance == 0 && !own.contains(&place)) {
            continue;
        }
        match at.get(&node) {
            None => {
                at.insert(node, findings.len());
                findings.push(RawFinding::reached(node, relation, 0, reached));
            }
            // That the result changes says more than that something inside does: the way goes on to there.
            Some(&held) => {
                let finding = &mut findings[held];
                let says_more = match net.role(place) {
                    Role::Result => finding.relation != relation,
                    Role::Failure => finding.relation == told(direction, DECIDES, "what it decides by goes in"),
                    _ => false,
                };
                if says_more {
                    *finding = RawFinding::reached(node, relation, 0, reached);
                }
            }
        }
    }
    findings
}

/// What lies under texts as keys in containers, each key of a function told once. One that goes out under its name is told as that.
fn under_keys(room: &Room<'_>, told_already: &[RawFinding], reach: &Reach, direction: Direction) -> Vec<RawFinding> {
    let net = &room.net;
    let name = |node: u32| net.card(node).map(|card| card.name).unwrap_or_default();
    let keys = told_already.iter().map(|finding| finding.node);
    let keys = keys.filter(|node| net.label(*node) == NodeKind::Key);
    let mut seen: FxHashSet<(Option<u32>, String)> = keys.map(|key| (None, name(key))).collect();
    let relation = told(direction, "what lies under it changes", "what lies under it goes in");
    let is_element = |reached: &Reached| reached.distance > 0 && net.role(reached.state.node) == Role::Element;
    let before = |reached: &Reached| {
        let edge = reach.last_edge(reached.state)?;
        let (from, to) = net.ends(edge);
        let before = match direction {
            Direction::Down => from,
            Direction::Up => to,
        };
        Some(before).filter(|before| net.role(*before) == Role::Element)
    };
    // Cards lie in the order of their nodes.
    let elements = reach.all().filter(is_element);
    let mut nodes: Vec<u32> = elements
        .flat_map(|reached| [Some(reached.state.node), before(&reached)])
        .flatten()
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    let names: FxHashMap<u32, String> = nodes
        .into_iter()
        .filter_map(|node| Some((node, target::key_of(&name(node))?.to_owned())))
        .collect();
    let elements = reach.all().filter(is_element);
    elements
        .filter_map(|reached| {
            let element = reached.state.node;
            let key = names.get(&element)?;
            // What was handed on as a part of its whole lies there under the key that it was put under before.
            let is_handed_on = before(&reached).is_some_and(|before| names.get(&before) == Some(key));
            let is_new = !is_handed_on
                && !seen.contains(&(None, key.clone()))
                && seen.insert((Some(net.owner(element)?), key.clone()));
            is_new.then(|| RawFinding::reached(element, relation, 0, reached))
        })
        .collect()
}

/// What changes by being edited, and not only by holding another value.
fn is_code(label: NodeKind) -> bool {
    matches!(
        label,
        NodeKind::Function | NodeKind::Type | NodeKind::File | NodeKind::Package
    )
}

fn told(direction: Direction, down: &'static str, up: &'static str) -> &'static str {
    match direction {
        Direction::Down => down,
        Direction::Up => up,
    }
}

/// The function that a variable is in.
pub(super) fn function_of(room: &Room<'_>, mut node: u32) -> Option<u32> {
    // Owners are a tree; the bound is for a damaged index.
    for _ in 0..64 {
        if room.net.label(node) == NodeKind::Function {
            return Some(node);
        }
        node = room.net.owner(node)?;
    }
    None
}
