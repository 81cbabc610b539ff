//! What is told of each community: how large it is, where it lies, who stands in its middle, whom it uses.

use std::collections::BTreeMap;

use ripple_schema::{EdgeKind, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cluster::Part;
use super::coupling::{Coupling, NONE};
use super::{Communities, Community, LEVELS, LINKS, PACKAGES, TOP};
use crate::Net;
use crate::net::EdgeKinds;

/// What makes one member depend on another. Two that name the same key do not: neither has to know of the other.
const USES: EdgeKinds = EdgeKinds::of(&[
    EdgeKind::Calls,
    EdgeKind::CallsThrough,
    EdgeKind::Reads,
    EdgeKind::Writes,
    EdgeKind::Inherits,
    EdgeKind::Embeds,
    EdgeKind::Implements,
    EdgeKind::HasType,
]);

/// Tells of all communities.
pub(super) fn communities<'p>(
    net: &Net,
    coupling: &Coupling,
    parts: &[Part],
    package: &dyn Fn(u32) -> &'p str,
) -> Communities {
    let levels = levels(coupling, parts);
    let links = links(net, coupling, &levels, parts.len());
    let strengths = strengths(coupling, &levels);
    let all = parts.iter().zip(links).map(|(part, links)| {
        let members = part.vertices.iter().copied();
        let members: Vec<u32> = members.filter(|vertex| coupling.members[*vertex as usize]).collect();
        let mut files: FxHashSet<u32> = FxHashSet::default();
        let mut packages: FxHashMap<u32, u32> = FxHashMap::default();
        let mut types = 0;
        for &vertex in &members {
            let node = coupling.nodes[vertex as usize];
            types += u32::from(net.label(node) == NodeKind::Type);
            let (file, within) = place(net, coupling, node);
            files.extend(file);
            if let Some(within) = within {
                *packages.entry(within).or_default() += 1;
            }
        }
        let mut packages: Vec<(u32, u32)> = packages.into_iter().collect();
        packages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        packages.truncate(PACKAGES);
        let packages = packages.iter().map(|(node, count)| (package(*node).to_owned(), *count));
        let strength = &strengths[part.level];
        let mut top = members.clone();
        top.sort_by(|a, b| strength[*b as usize].total_cmp(&strength[*a as usize]).then(a.cmp(b)));
        top.truncate(TOP);
        Community {
            level: part.level as u32,
            parent: part.parent,
            functions: members.len() as u32 - types,
            types,
            files: files.len() as u32,
            packages: packages.collect(),
            top: top
                .iter()
                .map(|vertex| net.id(coupling.nodes[*vertex as usize]).0)
                .collect(),
            links,
        }
    });
    Communities {
        all: all.collect(),
        members: coupling.members.iter().filter(|is_member| **is_member).count() as u32,
    }
}

/// The community of each vertex, by level.
fn levels(coupling: &Coupling, parts: &[Part]) -> Vec<Vec<u32>> {
    let mut levels = vec![vec![NONE; coupling.nodes.len()]; LEVELS];
    for (place, part) in (0u32..).zip(parts) {
        for &vertex in &part.vertices {
            levels[part.level][vertex as usize] = place;
        }
    }
    levels
}

/// How strongly each member hangs together with the other members of its community, by level.
fn strengths(coupling: &Coupling, levels: &[Vec<u32>]) -> Vec<Vec<f32>> {
    let of_level = |community_of: &Vec<u32>| {
        let mut strengths = vec![0.0; coupling.nodes.len()];
        for pair in &coupling.pairs {
            let (low, high) = (pair.low as usize, pair.high as usize);
            let same = community_of[low] == community_of[high] && community_of[low] != NONE;
            if same && coupling.members[low] && coupling.members[high] {
                strengths[low] += pair.strength;
                strengths[high] += pair.strength;
            }
        }
        strengths
    };
    levels.iter().map(of_level).collect()
}

/// Whom each community uses, and how often.
fn links(net: &Net, coupling: &Coupling, levels: &[Vec<u32>], count: usize) -> Vec<Vec<(u32, u32)>> {
    let mut uses: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for node in 0..net.nodes() as u32 {
        let from = coupling.vertex_of[node as usize];
        if from == NONE {
            continue;
        }
        for arrow in net.leaving(node, USES) {
            let to = coupling.vertex_of[arrow.node as usize];
            if to == NONE || to == from {
                continue;
            }
            for level in levels {
                let (user, used) = (level[from as usize], level[to as usize]);
                if user != used && user != NONE && used != NONE {
                    *uses.entry((user, used)).or_default() += 1;
                }
            }
        }
    }
    let mut links = vec![Vec::new(); count];
    for ((user, used), times) in uses {
        links[user as usize].push((used, times));
    }
    for list in &mut links {
        list.sort_by(|a: &(u32, u32), b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        list.truncate(LINKS);
    }
    links
}

/// File and package of a node.
fn place(net: &Net, coupling: &Coupling, mut node: u32) -> (Option<u32>, Option<u32>) {
    let mut file = None;
    for _ in 0..64 {
        match net.label(node) {
            NodeKind::Package => return (file, Some(node)),
            NodeKind::File => file = Some(node),
            _ => {}
        }
        node = coupling.owners[node as usize];
        if node == NONE {
            break;
        }
    }
    (file, None)
}
