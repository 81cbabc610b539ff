//! Targets: the words by which people name nodes, and the nodes that they mean.
//!
//! ```text
//! 8312…               the node with that id; several, with commas
//! key:email           nodes of that label (or kind) and name; where no key goes in or out by that name, what lies under it in containers
//! Model.save          a qualified name, or its tail after a dot
//! orders.py:12        the innermost function or type around that line, and what is declared on it
//! ```
//!
//! `Basket.add` of a class that has it from above means the one above, `shop.connect` what stands further inside of `shop`. A name that fits several nodes means all of them; code before tests. One that fits none is an error that names near ones.

use std::collections::BTreeMap;

use ripple_graphdb::net::EdgeKinds;
use ripple_graphdb::{Limits, Value};
use ripple_schema::{EdgeKind, NodeId, NodeKind};
use rustc_hash::FxHashSet;
use serde_json::json;

use super::Room;
use super::calls::CONTAINS;
use crate::Error;

/// Most nodes that a target may mean.
pub const MOST: usize = 50;

/// Labels that a bare name may mean, and the kinds of each, by and by: the first round that finds something wins.
const ROUNDS: &[&[(NodeKind, &[&str])]] = &[
    &[
        (NodeKind::Function, &[]),
        (NodeKind::Type, &[]),
        (NodeKind::Field, &[]),
        (NodeKind::Variable, &["global", "constant"]),
        (NodeKind::Package, &[]),
        (NodeKind::File, &[]),
    ],
    &[(NodeKind::Key, &[])],
    &[(NodeKind::Variable, &[])],
    &[(NodeKind::External, &[])],
];

/// The nodes that a target means: at least one, at most [`MOST`].
pub fn resolve(room: &Room<'_>, parameter: &str, target: &str) -> Result<Vec<u32>, Error> {
    let target = target.trim();
    if target.is_empty() {
        return Err(Error::Parameter {
            name: parameter.into(),
            message: "name a node: a qualified name, `key:email`, or `file.py:12`".into(),
        });
    }
    let mut found = if let Some(ids) = ids_in(target) {
        ids.into_iter().filter_map(|id| room.net.index(id)).collect()
    } else if let Some((file, line)) = file_and_line(target) {
        at_line(room, file, line)?
    } else if let Some((word, name)) = prefixed(target) {
        by_word(room, word, name)?
    } else {
        by_name(room, target)?
    };
    if found.is_empty() {
        return Err(Error::NoMatch {
            target: target.into(),
            near: near(room, target)?,
        });
    }
    found.sort_by_key(|&node| (room.net.is_test(node), room.net.label(node), node));
    found.dedup();
    found.truncate(MOST);
    Ok(found)
}

fn ids_in(target: &str) -> Option<Vec<NodeId>> {
    target.split(',').map(|id| id.trim().parse().ok().map(NodeId)).collect()
}

/// `shop/orders.py:12`: a path of a source file and a line.
fn file_and_line(target: &str) -> Option<(&str, u32)> {
    let (file, line) = target.rsplit_once(':')?;
    let line = line.parse().ok().filter(|line| *line > 0)?;
    (file.contains('.') && !file.contains(char::is_whitespace)).then_some((file, line))
}

/// `field:email`: a label or kind in any case, and a name.
fn prefixed(target: &str) -> Option<(&str, &str)> {
    let (word, name) = target.split_once(':')?;
    let plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    (plain && !name.is_empty()).then_some((word, name.trim()))
}

fn by_word(room: &Room<'_>, word: &str, name: &str) -> Result<Vec<u32>, Error> {
    let label = NodeKind::ALL
        .iter()
        .find(|label| label.name().eq_ignore_ascii_case(word));
    let word = word.to_lowercase();
    let (labels, kinds): (&[NodeKind], &[&str]) = match label {
        Some(label) => (std::slice::from_ref(label), &[]),
        None => (
            &[
                NodeKind::Function,
                NodeKind::Type,
                NodeKind::Field,
                NodeKind::Variable,
                NodeKind::Package,
            ],
            &[&word],
        ),
    };
    let mut found = Vec::new();
    for label in labels {
        found.extend(named(room, *label, name, kinds)?);
    }
    if found.is_empty() && labels == [NodeKind::Key] {
        let params = BTreeMap::from([("name".to_owned(), json!(name.to_lowercase()))]);
        // Names of headers are written in any case.
        found = ids(
            room,
            "MATCH (n:Key) WHERE lower(n.name) = $name RETURN n.id LIMIT 200",
            &params,
        )?;
    }
    if found.is_empty() && labels == [NodeKind::Key] {
        return under_key(room, name);
    }
    Ok(found)
}

/// What lies under this text in containers: `["speed_kmh"]` of each function that puts something there.
pub(super) fn under_key(room: &Room<'_>, key: &str) -> Result<Vec<u32>, Error> {
    let text = "MATCH (n:Variable) WHERE n.name = $name AND n.kind = 'element' RETURN n.id LIMIT 200";
    let params = BTreeMap::from([("name".to_owned(), json!(format!("[\"{key}\"]")))]);
    ids(room, text, &params)
}

/// The key in the name of an element that lies under a text.
pub(super) fn key_of(element: &str) -> Option<&str> {
    element.strip_prefix("[\"")?.strip_suffix("\"]")
}

fn by_name(room: &Room<'_>, name: &str) -> Result<Vec<u32>, Error> {
    // Variables are many, and looking through them takes time: those of the first round are constants, which are written in capitals.
    let constant = !name.contains(char::is_lowercase);
    for labels in ROUNDS {
        let mut found = Vec::new();
        for (label, kinds) in labels.iter().filter(|(_, kinds)| constant || kinds.is_empty()) {
            found.extend(named(room, *label, name, kinds)?);
        }
        // A whole name is meant before a tail of others.
        let mut exact = Vec::new();
        for &node in &found {
            if room.net.card(node)?.qualified_name == name {
                exact.push(node);
            }
        }
        // `build` in a module `build`, `main` in a package `main`: the function, and not all that is around it.
        let mut parts = Vec::new();
        for &node in &found {
            if !is_whole(room, node)? {
                parts.push(node);
            }
        }
        let in_code = |node: &u32| room.net.label(*node) == NodeKind::Function && !room.net.is_test(*node);
        let is_one_word = !name.contains(['.', '/']);
        let is_part = exact.iter().any(|node| parts.contains(node));
        if !exact.is_empty() && (is_part || !is_one_word || !parts.iter().any(in_code)) {
            return Ok(exact);
        }
        if !found.is_empty() {
            return Ok(if parts.is_empty() { found } else { parts });
        }
        if labels.iter().any(|(label, _)| *label == NodeKind::Key) {
            let found = under_key(room, name)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        if labels.len() > 1 {
            let found = further_in(room, name)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    inherited(room, name)
}

/// `shop.connect`, which stands in `shop.core.database` and is known by the package that gives it on: what is nearest to the package.
fn further_in(room: &Room<'_>, name: &str) -> Result<Vec<u32>, Error> {
    let slashed = |name: &str| format!("/{}/", name.replace('.', "/"));
    for (at, _) in name.match_indices('.') {
        let (package, rest) = (slashed(&name[..at]), &name[at + 1..]);
        let mut found: Vec<(usize, u32)> = Vec::new();
        for label in [NodeKind::Function, NodeKind::Type, NodeKind::Field] {
            for node in named(room, label, rest, &[])? {
                let whole = room.net.card(node)?.qualified_name;
                let head = slashed(
                    whole
                        .strip_suffix(rest)
                        .unwrap_or_default()
                        .trim_end_matches(['.', '/']),
                );
                if head.contains(&package) {
                    found.push((head.matches('/').count(), node));
                }
            }
        }
        if let Some(nearest) = found.iter().map(|(depth, _)| *depth).min() {
            let nearest = found.iter().filter(|(depth, _)| *depth == nearest);
            return Ok(nearest.map(|(_, node)| *node).collect());
        }
    }
    Ok(Vec::new())
}

/// `Basket.add_product`, where `Basket` has it from a type above: what is nearest there.
fn inherited(room: &Room<'_>, name: &str) -> Result<Vec<u32>, Error> {
    const ABOVE: EdgeKinds = EdgeKinds::of(&[EdgeKind::Inherits, EdgeKind::Embeds]);
    let net = &room.net;
    let Some((owner, member)) = name.rsplit_once('.') else {
        return Ok(Vec::new());
    };
    let mut level = named(room, NodeKind::Type, owner, &[])?;
    let mut seen: FxHashSet<u32> = level.iter().copied().collect();
    while !level.is_empty() {
        let above = level
            .iter()
            .flat_map(|node| net.leaving(*node, ABOVE))
            .map(|arrow| arrow.node);
        level = above
            .filter(|node| net.label(*node) == NodeKind::Type && seen.insert(*node))
            .collect();
        let mut found = Vec::new();
        for part in level.iter().flat_map(|node| net.leaving(*node, CONTAINS)) {
            if net.card(part.node)?.name == member {
                found.push(part.node);
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Whether a node stands for all that is in a module or package.
fn is_whole(room: &Room<'_>, node: u32) -> Result<bool, Error> {
    Ok(match room.net.label(node) {
        NodeKind::Package | NodeKind::File => true,
        NodeKind::Function => room.net.card(node)?.kind == "initializer",
        _ => false,
    })
}

/// Nodes of these kinds, of all if none is named, whose qualified name is `name` or ends with it after a dot or slash.
pub(super) fn named(room: &Room<'_>, label: NodeKind, name: &str, kinds: &[&str]) -> Result<Vec<u32>, Error> {
    let last = name.rsplit(['.', '/']).next().unwrap_or(name);
    let (short, whole) = match label {
        NodeKind::File => (name, name),
        NodeKind::Package => (last, name),
        _ => (name.rsplit('.').next().unwrap_or(name), name),
    };
    let kind_is = if kinds.is_empty() { "" } else { "n.kind IN $kinds AND " };
    let text = format!(
        "MATCH (n:{label}) WHERE {kind_is}(n.qualified_name = $whole OR (n.name = $short AND \
         (n.name = $whole OR n.qualified_name ENDS WITH $dotted OR n.qualified_name ENDS WITH $slashed))) \
         RETURN n.id LIMIT 200"
    );
    let mut params = BTreeMap::from([
        ("whole".to_owned(), json!(whole)),
        ("short".to_owned(), json!(short)),
        ("dotted".to_owned(), json!(format!(".{whole}"))),
        ("slashed".to_owned(), json!(format!("/{whole}"))),
    ]);
    if !kinds.is_empty() {
        params.insert("kinds".into(), json!(kinds));
    }
    ids(room, &text, &params)
}

fn at_line(room: &Room<'_>, file: &str, line: u32) -> Result<Vec<u32>, Error> {
    let params = BTreeMap::from([
        ("file".to_owned(), json!(file)),
        ("tail".to_owned(), json!(format!("/{}", file.trim_start_matches('/')))),
        ("line".to_owned(), json!(line)),
    ]);
    let there = "(n.file = $file OR n.file ENDS WITH $tail)";
    let mut found = Vec::new();
    for label in [NodeKind::Variable, NodeKind::Field] {
        let text = format!("MATCH (n:{label}) WHERE {there} AND n.line = $line RETURN n.id LIMIT 200");
        found.extend(ids(room, &text, &params)?);
    }
    let mut around = Vec::new();
    for label in [NodeKind::Function, NodeKind::Type] {
        let text = format!(
            "MATCH (n:{label}) WHERE {there} AND n.line <= $line AND n.end_line >= $line AND n.kind <> 'initializer' \
             RETURN n.id ORDER BY n.line DESC LIMIT 20"
        );
        around.extend(ids(room, &text, &params)?);
    }
    let mut innermost: Option<(u32, u32)> = None;
    for node in around {
        let card = room.net.card(node)?;
        let span = card.end_line - card.line.min(card.end_line);
        if innermost.is_none_or(|(_, held)| span < held) {
            innermost = Some((node, span));
        }
    }
    // Variables inside the function stand for it only where the line names them alone.
    if found.is_empty() {
        found.extend(innermost.map(|(node, _)| node));
    } else if let Some((node, _)) = innermost
        && room.net.card(node)?.line == line
    {
        found = vec![node];
    }
    Ok(found)
}

/// Names that are near to one that fits nothing: of the same last part in another case, around it, or an edit or two away.
fn near(room: &Room<'_>, target: &str) -> Result<Vec<String>, Error> {
    let name = prefixed(target).map_or(target, |(_, name)| name);
    let last = name
        .rsplit(['.', ':', '/'])
        .find(|part| !part.is_empty())
        .unwrap_or(name);
    // Of a short name, a letter more or less makes another one.
    let edits = match last.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    let params = BTreeMap::from([
        ("part".to_owned(), json!(last.to_lowercase())),
        ("edits".to_owned(), json!(edits)),
    ]);
    let mut near = Vec::new();
    for label in [NodeKind::Function, NodeKind::Type, NodeKind::Field, NodeKind::Key] {
        let text = format!(
            "MATCH (n:{label}) WITH n, lower(n.name) AS name WHERE name CONTAINS $part OR levenshtein(name, $part) <= $edits \
             RETURN DISTINCT n.qualified_name AS near, levenshtein(name, $part) AS edits ORDER BY edits, near LIMIT 3"
        );
        let rows = room.reader.query(&text, &params, &Limits::default())?;
        near.extend(rows.rows.into_iter().filter_map(|row| match &row[..] {
            [Value::Text(name), Value::Int(edits)] => Some((*edits, name.clone())),
            _ => None,
        }));
    }
    near.sort();
    Ok(near.into_iter().map(|(_, name)| name).take(5).collect())
}

fn ids(room: &Room<'_>, text: &str, params: &BTreeMap<String, serde_json::Value>) -> Result<Vec<u32>, Error> {
    let rows = room.reader.query(text, params, &Limits::default())?;
    Ok(rows
        .rows
        .iter()
        .filter_map(|row| match row.first() {
            Some(Value::Int(id)) => room.net.index(NodeId(*id)),
            _ => None,
        })
        .collect())
}
