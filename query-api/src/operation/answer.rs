//! What was found, told: filtered, ranked, cut, grouped, with the subgraph of its ways.
//!
//! Of 300 findings and a limit of 100 the answer holds the 100 nearest, the ways to them, the nodes and edges of these ways, and
//! `truncated: true`; the verdict counts the cut.

use std::collections::BTreeMap;
use std::time::Instant;

use ripple_graphdb::{Card, Net};
use ripple_schema::{Language, NodeId, NodeKind};
use rustc_hash::FxHashMap;
use serde_json::json;

use super::entry::is_entry;
use super::table::{LIMIT, Operation};
use super::walk::Way;
use super::{Found, RawFinding, Room, Trail, verdict};
use crate::Error;
use crate::view::{
    CypherText, EdgeView, Finding, Ground, Grounds, Group, NodeView, OperationAnswer, Parameters, PathView, Reason,
};

/// Most tests to run that are told.
const TESTS: usize = 10_000;

/// How far a result may be that is called near.
const NEAR: u32 = 3;

/// Most ways that are told: what a drawing can hold. Further findings have none.
const WAYS: usize = 5_000;

/// The answer.
pub(super) fn tell(
    room: &Room<'_>,
    operation: &Operation,
    parameters: &Parameters,
    mut found: Found,
    started: Instant,
) -> Result<OperationAnswer, Error> {
    let asked_for_tests = parameters.tests.unwrap_or(false)
        || operation.name == "tests_for"
        || found.seeds.iter().all(|&seed| room.net.is_test(seed));
    let mut hidden = 0;
    if !asked_for_tests {
        let before = found.findings.len();
        found.findings.retain(|finding| !room.net.is_test(finding.node));
        hidden = before - found.findings.len();
    }
    rank(&room.net, &mut found.findings);
    if parameters.tag.is_some() || parameters.package.is_some() {
        keep_named(room, parameters, &mut found.findings)?;
        if found.findings.is_empty() {
            found.reasons.extend(no_package(room, parameters));
        }
    }
    let total = found.findings.len();
    let near = found.findings.iter().filter(|finding| finding.distance <= NEAR).count();
    let grounds = grounds(&found.findings);
    let limit = parameters.limit.unwrap_or(LIMIT);
    let truncated = total > limit;
    found.findings.truncate(limit);
    let mut reasons = std::mem::take(&mut found.reasons);
    if truncated {
        let message = format!(
            "{} of {total} results are shown; a larger `limit` shows more",
            found.findings.len()
        );
        reasons.push(verdict::reason("cut", message, (total - limit) as u64));
    }

    let mut picture = Picture::new(room);
    let mut results = Vec::with_capacity(found.findings.len());
    for finding in &found.findings {
        let path = match (results.len() < WAYS).then(|| way(room, &found, finding)).flatten() {
            Some(way) => Some(picture.path(&way)?),
            None => None,
        };
        picture.node(finding.node)?;
        results.push(Finding {
            node: room.net.id(finding.node).0,
            distance: finding.distance,
            confidence: rounded(finding.confidence),
            path,
            relation: finding.relation.into(),
            ground: finding.ground,
        });
    }
    let entry_points: Vec<u32> = match found.entry_points {
        true => found
            .findings
            .iter()
            .map(|finding| finding.node)
            .filter(|node| is_entry(room, *node))
            .collect(),
        false => Vec::new(),
    };
    // Who runs tests needs all of them, however few results are shown.
    let tests = found.tests.len();
    found.tests.truncate(TESTS);
    if found.tests.len() < tests {
        let message = format!("{TESTS} of {tests} tests to run are told");
        reasons.push(verdict::reason("cut", message, (tests - TESTS) as u64));
    }
    for &node in found.seeds.iter().chain(&found.tests).chain(&found.ends) {
        picture.node(node)?;
    }
    let ids = |nodes: &[u32]| nodes.iter().map(|&node| room.net.id(node).0).collect();
    let groups = groups(room, &found.findings)?;
    let nothing = results.is_empty() && hidden == 0;
    Ok(OperationAnswer {
        operation: operation.name.into(),
        parameters: parameters.clone(),
        seeds: found
            .seeds
            .iter()
            .map(|&seed| node_view(&room.net, seed))
            .collect::<Result<_, _>>()?,
        results,
        groups,
        entry_points: ids(&entry_points),
        tests: ids(&found.tests),
        verdict: verdict::of(reasons, nothing),
        cypher: cypher(room, operation, parameters, &found.seeds),
        source: found.source,
        truncated,
        found: total,
        near,
        grounds,
        in_tests: hidden,
        edges: picture.edges(&room.net)?,
        paths: picture.paths,
        nodes: picture.nodes,
        elapsed_ms: started.elapsed().as_micros() as f64 / 1000.0,
    })
}

/// What stands on stronger ground first, then nearest first, surest first among equally near ones, in the order of the graph where nothing else tells; what is outside of the index last.
fn rank(net: &Net, findings: &mut [RawFinding]) {
    let outside = |finding: &RawFinding| net.label(finding.node) == NodeKind::External;
    findings.sort_by(|a, b| {
        outside(a)
            .cmp(&outside(b))
            .then(a.ground.cmp(&b.ground))
            .then(a.distance.cmp(&b.distance))
            .then(b.confidence.total_cmp(&a.confidence))
            .then(a.node.cmp(&b.node))
    });
}

fn grounds(findings: &[RawFinding]) -> Grounds {
    let count = |ground: Ground| findings.iter().filter(|finding| finding.ground == ground).count();
    Grounds {
        flow: count(Ground::Flow),
        decision: count(Ground::Decision),
        may: count(Ground::May),
    }
}

/// That there is no package of the name that is asked for: nothing is found then, whatever there is.
fn no_package(room: &Room<'_>, parameters: &Parameters) -> Option<Reason> {
    let package = parameters.package.as_deref()?;
    let is_there = |language: &Language| {
        let id = NodeId::of(*language, NodeKind::Package, package, 0);
        room.net.index(id).is_some()
    };
    let message = format!("there is no package `{package}` in the index");
    (!Language::ALL.iter().any(is_there)).then(|| verdict::reason("not-in-index", message, 1))
}

fn keep_named(room: &Room<'_>, parameters: &Parameters, findings: &mut Vec<RawFinding>) -> Result<(), Error> {
    let mut kept = Vec::new();
    for finding in findings.drain(..) {
        let card = room.net.card(finding.node)?;
        let tag = parameters
            .tag
            .as_deref()
            .is_none_or(|tag| card.tags.split(' ').any(|held| held == tag));
        let package = parameters
            .package
            .as_deref()
            .is_none_or(|package| is_within(&card.qualified_name, package));
        if tag && package {
            kept.push(finding);
        }
    }
    *findings = kept;
    Ok(())
}

/// Whether a qualified name lies in a package.
fn is_within(name: &str, package: &str) -> bool {
    let rest = name.strip_prefix(package.trim_end_matches('.'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
}

fn way(room: &Room<'_>, found: &Found, finding: &RawFinding) -> Option<Way> {
    match finding.way {
        Trail::Walk(walk, reached) => Some(found.walks.get(walk)?.way(&room.net, reached.state)),
        Trail::Edge(edge) => {
            let (from, to) = room.net.ends(edge);
            Some(Way {
                nodes: vec![from, to],
                edges: vec![edge],
            })
        }
    }
}

fn groups(room: &Room<'_>, findings: &[RawFinding]) -> Result<Vec<Group>, Error> {
    let mut names: FxHashMap<Option<u32>, String> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        let package = package_of(&room.net, finding.node);
        let name = match names.get(&package) {
            Some(name) => name.clone(),
            None => {
                let name = match package {
                    Some(package) => room.net.card(package)?.qualified_name,
                    None => String::new(),
                };
                names.insert(package, name.clone());
                name
            }
        };
        match groups.iter_mut().find(|group| group.package == name) {
            Some(group) => group.results.push(at),
            None => groups.push(Group {
                package: name,
                results: vec![at],
            }),
        }
    }
    Ok(groups)
}

/// The package that a node is in; nothing for keys and what is outside of the index.
pub(crate) fn package_of(net: &Net, mut node: u32) -> Option<u32> {
    for _ in 0..64 {
        if net.label(node) == NodeKind::Package {
            return Some(node);
        }
        node = net.owner(node)?;
    }
    None
}

/// Cypher that finds the same from each of the first seeds.
fn cypher(room: &Room<'_>, operation: &Operation, parameters: &Parameters, seeds: &[u32]) -> Vec<CypherText> {
    const SHOWN: usize = 3;
    let up = parameters.direction == Some(crate::view::Direction::Up);
    seeds
        .iter()
        .take(SHOWN)
        .map(|&seed| {
            let depth = operation.steps(parameters).to_string();
            let text = half(operation.cypher, up)
                .replace("{label}", room.net.label(seed).name())
                .replace("{depth}", &depth);
            let mut params = BTreeMap::from([("id".to_owned(), json!(room.net.id(seed).0))]);
            if let Some(to) = parameters.to.as_deref().filter(|_| text.contains("$to")) {
                params.insert("to".into(), json!(to.rsplit([':', '.']).next().unwrap_or(to)));
            }
            CypherText { text, params }
        })
        .collect()
}

/// A file of Cypher with two directions has `// up` on a line between them.
pub(super) fn half(text: &str, up: bool) -> String {
    match text.split_once("// up\n") {
        Some((_, after)) if up => after.trim().to_owned(),
        Some((before, _)) => before.trim().to_owned(),
        None => text.trim().to_owned(),
    }
}

/// The subgraph that an answer shows, as it grows.
struct Picture<'r> {
    room: &'r Room<'r>,
    nodes: BTreeMap<i64, NodeView>,
    paths: Vec<PathView>,
    edges: Vec<u32>,
    at: FxHashMap<u32, usize>,
}

impl<'r> Picture<'r> {
    fn new(room: &'r Room<'r>) -> Self {
        Self {
            room,
            nodes: BTreeMap::new(),
            paths: Vec::new(),
            edges: Vec::new(),
            at: FxHashMap::default(),
        }
    }

    fn node(&mut self, node: u32) -> Result<(), Error> {
        if let std::collections::btree_map::Entry::Vacant(free) = self.nodes.entry(self.room.net.id(node).0) {
            free.insert(node_view(&self.room.net, node)?);
        }
        Ok(())
    }

    fn path(&mut self, way: &Way) -> Result<usize, Error> {
        let net = &self.room.net;
        let edges = way
            .edges
            .iter()
            .map(|&edge| {
                *self.at.entry(edge).or_insert_with(|| {
                    self.edges.push(edge);
                    self.edges.len() - 1
                })
            })
            .collect();
        let confidence = way
            .edges
            .iter()
            .map(|&edge| net.rule(edge).confidence())
            .product::<f64>();
        self.paths.push(PathView {
            nodes: way.nodes.iter().map(|&node| net.id(node).0).collect(),
            edges,
            confidence: rounded(confidence as f32),
        });
        for &node in &way.nodes {
            self.node(node)?;
        }
        Ok(self.paths.len() - 1)
    }

    fn edges(&self, net: &Net) -> Result<Vec<EdgeView>, Error> {
        let files = self.room.reader.files()?;
        let sites = net.sites(&self.edges)?;
        let views = self.edges.iter().zip(sites).map(|(&edge, site)| {
            let (from, to) = net.ends(edge);
            let rule = net.rule(edge);
            EdgeView {
                from: net.id(from).0,
                to: net.id(to).0,
                kind: net.kind(edge).name().into(),
                how: net.how(edge).name().into(),
                file: files
                    .get(site.file as usize)
                    .map_or_else(String::new, |file| file.path.clone()),
                line: site.line,
                col: site.column,
                rule: rule.name().into(),
                confidence: rule.confidence(),
            }
        });
        Ok(views.collect())
    }
}

/// A node as answers show it.
pub(crate) fn node_view(net: &Net, node: u32) -> Result<NodeView, Error> {
    let Card {
        name,
        qualified_name,
        kind,
        language,
        file,
        line,
        end_line,
        signature,
        doc,
        type_text,
        test,
        tags,
        ..
    } = net.card(node)?;
    Ok(NodeView {
        id: net.id(node).0,
        label: net.label(node).name().into(),
        kind,
        name,
        qualified_name,
        language,
        file,
        line,
        end_line,
        signature,
        doc,
        type_text,
        test,
        tags: tags.split_whitespace().map(str::to_owned).collect(),
    })
}

/// Three digits are more than a confidence holds.
fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence) * 1000.0).round() / 1000.0
}
