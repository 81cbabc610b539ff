//! Operations along declared relations: `readers_writers`, `implementations`, `hierarchy`, `uses_of_key`.
//!
//! A question about one kind of node may be put about another: the fields that a *function* reads and writes, the methods that take the
//! place of a *method*.

use ripple_graphdb::Net;
use ripple_graphdb::net::{Arrow, EdgeKinds};
use ripple_schema::{EdgeKind, How, NodeKind};
use rustc_hash::FxHashSet;

use super::calls::{CALLS, CONTAINS};
use super::walk::{Phase, Walk};
use super::{Found, RawFinding, Room, outside, target, verdict};
use crate::Error;
use crate::view::Parameters;

/// Who reads and writes a field, global or key; or what a function reads and writes.
pub(super) fn readers_writers(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let mut seeds = target(room, parameters)?;
    let name = parameters.target.as_deref().unwrap_or_default().trim();
    let is_field = |seed: &u32| room.net.label(*seed) == NodeKind::Field;
    if seeds.iter().all(is_field) && !name.contains(['.', ':', '/']) {
        // A bare name may mean a global as well as fields.
        seeds.extend(target::named(room, NodeKind::Variable, name, &["global", "constant"])?);
    }
    seeds = fields_meant(room, seeds);
    seeds.extend(below(room, &seeds, |_| true)?);
    let mut findings = users(room, &seeds);
    for &property in seeds.iter().filter(|seed| is_property(&room.net, **seed)) {
        let mut seen = FxHashSet::default();
        let readers = room.net.entering(property, CALLS);
        let readers = readers.filter(|arrow| arrow.how == How::Implicit && seen.insert(arrow.node));
        findings.extend(readers.map(|arrow| RawFinding::one_step(room, arrow, "reads it")));
    }
    Ok(told(seeds, findings))
}

/// For types, their fields.
fn fields_meant(room: &Room<'_>, seeds: Vec<u32>) -> Vec<u32> {
    let net = &room.net;
    let is_type = |seed: &u32| net.label(*seed) == NodeKind::Type;
    if !seeds.iter().any(is_type) {
        return seeds;
    }
    let parts = seeds.iter().filter(|seed| is_type(seed));
    let parts = parts.flat_map(|class| net.leaving(*class, CONTAINS).map(|part| part.node));
    let fields = parts.filter(|part| net.label(*part) == NodeKind::Field);
    let others = seeds.iter().copied().filter(|seed| !is_type(seed));
    let meant: Vec<u32> = others.chain(fields).collect();
    if meant.is_empty() { seeds } else { meant }
}

/// The fields of these names in the classes below: `self.x = 1` in a method of one of them is a field of its own, and the same attribute.
pub(super) fn below(room: &Room<'_>, seeds: &[u32], takes: impl Fn(&str) -> bool) -> Result<Vec<u32>, Error> {
    let net = &room.net;
    let mut found = Vec::new();
    for &field in seeds.iter().filter(|seed| net.label(**seed) == NodeKind::Field) {
        for part in attributes_below(room, field)? {
            if !seeds.contains(&part.node) && takes(&net.card(part.node)?.kind) {
                found.push(part.node);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Whether a method is read as a field is: of its object, or of something that is called so and of which nobody knows what it is.
pub(super) fn is_property(net: &Net, node: u32) -> bool {
    let Some(card) = net.card(node).ok().filter(|_| net.label(node) == NodeKind::Function) else {
        return false;
    };
    let asked = [Some(node), verdict::unresolved_of(net, &card.language, &card.name)];
    let mut calls = asked.into_iter().flatten().flat_map(|asked| net.entering(asked, CALLS));
    !outside::is_special(&card) && calls.any(|call| call.how == How::Implicit)
}

/// Who reads, writes or names these nodes, and what these functions read, write and name.
pub(super) fn users(room: &Room<'_>, seeds: &[u32]) -> Vec<RawFinding> {
    let kinds = EdgeKinds::of(&[EdgeKind::Reads, EdgeKind::Writes, EdgeKind::UsesKey]);
    let mut findings = Vec::new();
    for &seed in seeds {
        let function = room.net.label(seed) == NodeKind::Function;
        for arrow in room.net.entering(seed, kinds).chain(room.net.leaving(seed, kinds)) {
            let relation = match (arrow.kind, function) {
                (EdgeKind::Writes, false) if arrow.how == How::Put => "changes what is in it",
                (EdgeKind::Writes, false) if arrow.how == How::Implicit => "writes it through its address",
                (EdgeKind::Writes, false) if arrow.how == How::Reference => {
                    "takes its address, and may write it through that"
                }
                (EdgeKind::Writes, false) if arrow.how == How::Decode => "fills it from the wire",
                (EdgeKind::Reads, false) if arrow.how == How::Encode => "writes it to the wire",
                (EdgeKind::Writes, false) => "writes it",
                (EdgeKind::Reads, false) => "reads it",
                (EdgeKind::Writes, true) => "is written by it",
                (EdgeKind::Reads, true) => "is read by it",
                (_, false) => "names it",
                (_, true) => "is named by it",
            };
            findings.push(RawFinding::one_step(room, arrow, relation));
        }
    }
    findings
}

/// Types below a type, or methods that take a method's place.
pub(super) fn implementations(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let seeds = target(room, parameters)?;
    let reach = walk(room, parameters, BELOW).run(&seeds, None);
    let mut findings = findings(room, &reach, 0, |label| match label {
        NodeKind::Function => "takes its place",
        _ => "implements or extends it",
    });
    // Of a property, attributes take the place.
    for &seed in seeds.iter().filter(|seed| room.net.label(**seed) == NodeKind::Function) {
        let below = attributes_below(room, seed)?.into_iter();
        findings.extend(below.map(|part| RawFinding::one_step(room, part, "takes its place")));
    }
    Ok(Found {
        seeds,
        findings,
        walks: vec![reach],
        ..Found::default()
    })
}

/// Attributes of the classes below that have the name of a member.
fn attributes_below(room: &Room<'_>, member: u32) -> Result<Vec<Arrow>, Error> {
    let net = &room.net;
    let Some(class) = outside::class_of(net, member) else {
        return Ok(Vec::new());
    };
    let name = net.card(member)?.name;
    let mut found = Vec::new();
    for class in outside::with_those_below(net, class).into_iter().skip(1) {
        for part in net.leaving(class, CONTAINS) {
            if net.label(part.node) == NodeKind::Field && net.card(part.node)?.name == name {
                found.push(part);
            }
        }
    }
    Ok(found)
}

/// Types above and below a type.
pub(super) fn hierarchy(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let seeds = target(room, parameters)?;
    let below = walk(room, parameters, BELOW);
    let above = Walk {
        backwards: false,
        ..below
    };
    let (above, below) = (above.run(&seeds, None), below.run(&seeds, None));
    let mut all = findings(room, &above, 0, |_| "is above it");
    all.extend(findings(room, &below, 1, |_| "is below it"));
    Ok(Found {
        seeds,
        findings: all,
        walks: vec![above, below],
        ..Found::default()
    })
}

/// Where a wire key is named, which fields are called by it, and where its value goes first.
pub(super) fn uses_of_key(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let mut seeds = target(room, parameters)?;
    if let Some(target) = &parameters.target
        && !seeds.iter().any(|&seed| room.net.label(seed) == NodeKind::Key)
        && !target.contains(':')
    {
        // A bare name meant something else; here it means the key, if there is one.
        seeds = target::resolve(room, "target", &format!("key:{target}"))?;
    }
    let kinds = EdgeKinds::of(&[EdgeKind::UsesKey, EdgeKind::SerializedAs, EdgeKind::FlowsTo]);
    let mut findings = Vec::new();
    for &seed in &seeds {
        for arrow in room.net.entering(seed, kinds) {
            let relation = match arrow.kind {
                EdgeKind::UsesKey => "names it",
                EdgeKind::SerializedAs => "is called by it on the wire",
                _ => "is sent under it",
            };
            findings.push(RawFinding::one_step(room, arrow, relation));
        }
        let read = room.net.leaving(seed, EdgeKinds::of(&[EdgeKind::FlowsTo]));
        findings.extend(read.map(|arrow| RawFinding::one_step(room, arrow, "is read from it")));
    }
    Ok(told(seeds, findings))
}

const BELOW: &[Phase] = &[Phase::alone(EdgeKinds::of(&[
    EdgeKind::Inherits,
    EdgeKind::Implements,
    EdgeKind::Embeds,
    EdgeKind::Overrides,
]))];

fn target(room: &Room<'_>, parameters: &Parameters) -> Result<Vec<u32>, Error> {
    target::resolve(room, "target", parameters.target.as_deref().unwrap_or_default())
}

fn walk<'n>(room: &'n Room<'_>, parameters: &Parameters, phases: &'n [Phase]) -> Walk<'n> {
    Walk {
        net: &room.net,
        phases,
        backwards: true,
        ground: None,
        through_tests: true,
        test_code: true,
        depth: parameters.depth.unwrap_or(20),
        min_confidence: parameters.min_confidence.unwrap_or(0.0) as f32,
    }
}

fn findings(
    room: &Room<'_>,
    reach: &super::Reach,
    walk: usize,
    relation: impl Fn(NodeKind) -> &'static str,
) -> Vec<RawFinding> {
    reach
        .all()
        .filter(|reached| reached.distance > 0)
        .map(|reached| {
            let node = reached.state.node;
            RawFinding::reached(node, relation(room.net.label(node)), walk, reached)
        })
        .collect()
}

fn told(seeds: Vec<u32>, mut findings: Vec<RawFinding>) -> Found {
    let mut seen = FxHashSet::default();
    findings.retain(|finding| seen.insert((finding.node, finding.relation)));
    Found {
        seeds,
        findings,
        ..Found::default()
    }
}
