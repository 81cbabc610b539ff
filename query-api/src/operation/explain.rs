//! `explain`: one node, its source, and everything that touches it, one step around.
//!
//! A function's places are its own: what flows into its parameters and out of its results is told as touching the function.

use ripple_graphdb::net::{Arrow, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, NodeKind};
use rustc_hash::FxHashSet;

use super::{Found, RawFinding, Room, target};
use crate::Error;
use crate::view::{Excerpt, Parameters};

/// Lines of source that are shown of one node.
const LINES: u32 = 120;

/// A node and its neighbourhood.
pub(super) fn explain(room: &Room<'_>, parameters: &Parameters) -> Result<Found, Error> {
    let seeds = target::resolve(room, "target", parameters.target.as_deref().unwrap_or_default())?;
    let net = &room.net;
    let mut findings = Vec::new();
    let mut seen = FxHashSet::default();
    let mut source = Vec::new();
    for &seed in &seeds {
        let mut ends = vec![seed];
        if net.label(seed) == NodeKind::Function {
            let parts = net
                .leaving(seed, EdgeKinds::of(&[EdgeKind::Contains]))
                .map(|arrow| arrow.node);
            ends.extend(parts.filter(|part| matches!(net.role(*part), Role::Parameter | Role::Result)));
        }
        for end in ends {
            let into = net.entering(end, EdgeKinds::ALL).map(|arrow| (arrow, false));
            let out = net.leaving(end, EdgeKinds::ALL).map(|arrow| (arrow, true));
            for (arrow, leaving) in into.chain(out) {
                // Inside a function its own places meet each other all the time.
                let inner = end != seed && net.owner(arrow.node) == Some(seed);
                let relation = relation(arrow, leaving);
                if arrow.node != seed && !inner && seen.insert((arrow.node, relation)) {
                    findings.push(RawFinding::one_step(room, arrow, relation));
                }
            }
        }
        source.extend(excerpt(room, seed)?);
    }
    Ok(Found {
        seeds,
        findings,
        source,
        ..Found::default()
    })
}

/// The source of a node, cut after [`LINES`] lines.
pub(crate) fn excerpt(room: &Room<'_>, node: u32) -> Result<Option<Excerpt>, Error> {
    let card = room.net.card(node)?;
    if card.line == 0 || card.file.is_empty() || matches!(room.net.label(node), NodeKind::File | NodeKind::Package) {
        return Ok(None);
    }
    let last = card.end_line.max(card.line).min(card.line.saturating_add(LINES - 1));
    lines(room.reader, &card.file, card.line, last)
}

/// Lines of an indexed file, as they were when it was indexed; `None` if the index does not hold it.
pub fn lines(reader: &ripple_graphdb::Reader, file: &str, first: u32, last: u32) -> Result<Option<Excerpt>, Error> {
    let Some(text) = reader.source(file)? else {
        return Ok(None);
    };
    let first = first.max(1);
    let mut shown = String::new();
    let mut end_line = first.saturating_sub(1);
    for line in text.split_inclusive('\n').skip(first as usize - 1) {
        if end_line >= last {
            break;
        }
        shown.push_str(line);
        end_line += 1;
    }
    let language = reader
        .files()?
        .iter()
        .find(|indexed| indexed.path == file)
        .map_or_else(String::new, |indexed| indexed.language.name().to_owned());
    Ok((end_line >= first).then(|| Excerpt {
        file: file.into(),
        line: first,
        end_line,
        text: shown,
        language,
    }))
}

fn relation(arrow: Arrow, leaving: bool) -> &'static str {
    match (arrow.kind, leaving) {
        (EdgeKind::Contains, false) => "contains it",
        (EdgeKind::Contains, true) => "is part of it",
        (EdgeKind::Imports, false) => "imports it",
        (EdgeKind::Imports, true) => "is imported by it",
        (EdgeKind::HasType, false) => "is of this type",
        (EdgeKind::HasType, true) => "is its type",
        (EdgeKind::Inherits | EdgeKind::Embeds, false) => "derives from it",
        (EdgeKind::Inherits | EdgeKind::Embeds, true) => "is its base",
        (EdgeKind::Implements, false) => "implements it",
        (EdgeKind::Implements, true) => "is implemented by it",
        (EdgeKind::Overrides, false) => "takes its place",
        (EdgeKind::Overrides, true) => "has its place taken",
        (EdgeKind::Calls, false) => "calls it",
        (EdgeKind::Calls, true) => "is called by it",
        (EdgeKind::CallsThrough, false) if arrow.how == How::Constructor => "makes one",
        (EdgeKind::CallsThrough, true) if arrow.how == How::Constructor => "is made by it",
        (EdgeKind::CallsThrough, false) => "calls it through another function",
        (EdgeKind::CallsThrough, true) => "is called by it through another function",
        (EdgeKind::Reads, false) => "reads it",
        (EdgeKind::Reads, true) => "is read by it",
        (EdgeKind::Writes, false) => "writes it",
        (EdgeKind::Writes, true) => "is written by it",
        (EdgeKind::CoChanged, _) => "changes together with it",
        (EdgeKind::SerializedAs, false) => "is called by it on the wire",
        (EdgeKind::SerializedAs, true) => "is its name on the wire",
        (EdgeKind::UsesKey, false) => "names it",
        (EdgeKind::UsesKey, true) => "is named by it",
        (EdgeKind::FlowsTo | EdgeKind::PassesTo | EdgeKind::ReturnsTo | EdgeKind::Summarizes, false) => "flows into it",
        (EdgeKind::FlowsTo | EdgeKind::PassesTo | EdgeKind::ReturnsTo | EdgeKind::Summarizes, true) => {
            "flows out of it"
        }
        (EdgeKind::UnpacksTo, false) => "has it as a part",
        (EdgeKind::UnpacksTo, true) => "is a part of it",
        (EdgeKind::PacksInto, false) => "is put into it",
        (EdgeKind::PacksInto, true) => "comes to hold it",
    }
}
