//! [`tree`]: vertices into communities, and each large community into parts of its own.
//!
//! Two groups of functions that call each other, joined by one call, are two communities; with forty functions in one group, that group
//! is looked at again by itself, where strengths to the other count no more.
//!
//! What sorts is modularity, moved vertex by vertex (the library's `Leiden`, seeded: the same graph gives the same communities). Its
//! refinement takes time in the square of the number of vertices, a minute on a graph of a million lines, so it is left out where there
//! are many; what is found there is refined when it is looked at again.

use leiden_rs::{GraphDataBuilder, Leiden, LeidenConfig};

use super::coupling::{Coupling, NONE, Pair};
use super::{DIVIDED, LEVELS, SMALLEST};

/// Up to so many vertices communities are refined.
const REFINED: usize = 4_000;

/// A community, with its vertices.
pub(super) struct Part {
    pub(super) level: usize,
    /// Place of the one that it is part of.
    pub(super) parent: Option<u32>,
    /// In order.
    pub(super) vertices: Vec<u32>,
    /// How many of them are members.
    pub(super) members: usize,
}

/// All communities, level by level, the largest first within each.
pub(super) fn tree(coupling: &Coupling) -> Vec<Part> {
    let all: Vec<u32> = (0..coupling.nodes.len() as u32).collect();
    let mut local = vec![NONE; all.len()];
    let mut parts = divided(coupling, &all, &coupling.pairs, None, 0, &mut local);
    let mut begin = 0;
    for level in 1..LEVELS {
        let neighbours = Neighbours::of(coupling, &parts[begin..]);
        let mut next = Vec::new();
        for (place, part) in parts.iter().enumerate().skip(begin) {
            if part.members < DIVIDED {
                continue;
            }
            let pairs = &neighbours.inside[place - begin];
            let found = divided(coupling, &part.vertices, pairs, Some(place as u32), level, &mut local);
            // One part says nothing that the whole does not say.
            if found.len() > 1 {
                next.extend(found);
            }
        }
        begin = parts.len();
        next.sort_by(|a, b| b.members.cmp(&a.members).then(a.vertices.cmp(&b.vertices)));
        parts.extend(next);
    }
    parts
}

/// The pairs inside each of some communities.
struct Neighbours {
    inside: Vec<Vec<Pair>>,
}

impl Neighbours {
    fn of(coupling: &Coupling, parts: &[Part]) -> Self {
        let mut part_of = vec![NONE; coupling.nodes.len()];
        for (place, part) in (0u32..).zip(parts) {
            for &vertex in &part.vertices {
                part_of[vertex as usize] = place;
            }
        }
        let mut inside = vec![Vec::new(); parts.len()];
        for pair in &coupling.pairs {
            let (low, high) = (part_of[pair.low as usize], part_of[pair.high as usize]);
            if low == high && low != NONE {
                inside[low as usize].push(*pair);
            }
        }
        Self { inside }
    }
}

/// The communities of some vertices, by the pairs between them; those with too few members are left out. `local` is room to work in.
fn divided(
    coupling: &Coupling,
    vertices: &[u32],
    pairs: &[Pair],
    parent: Option<u32>,
    level: usize,
    local: &mut [u32],
) -> Vec<Part> {
    for (place, &vertex) in (0u32..).zip(vertices) {
        local[vertex as usize] = place;
    }
    let community_of = communities(vertices.len(), pairs, local);
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut group_of: rustc_hash::FxHashMap<usize, usize> = rustc_hash::FxHashMap::default();
    for (&vertex, community) in vertices.iter().zip(community_of) {
        let group = *group_of.entry(community).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(vertex);
    }
    let members = |group: &[u32]| {
        group
            .iter()
            .filter(|vertex| coupling.members[**vertex as usize])
            .count()
    };
    let mut parts: Vec<Part> = groups
        .into_iter()
        .map(|vertices| Part {
            level,
            parent,
            members: members(&vertices),
            vertices,
        })
        .filter(|part| part.members >= SMALLEST)
        .collect();
    parts.sort_by(|a, b| b.members.cmp(&a.members).then(a.vertices.cmp(&b.vertices)));
    parts
}

/// The community of each vertex.
fn communities(count: usize, pairs: &[Pair], local: &[u32]) -> Vec<usize> {
    let alone = || (0..count).collect();
    let mut graph = GraphDataBuilder::new(count);
    for pair in pairs {
        let (low, high) = (local[pair.low as usize], local[pair.high as usize]);
        if graph
            .add_edge(low as usize, high as usize, f64::from(pair.strength))
            .is_err()
        {
            return alone();
        }
    }
    let settings = LeidenConfig {
        seed: Some(1),
        skip_refinement: count > REFINED,
        // A gain below this moves vertices to and fro and changes nothing that one could see.
        epsilon: 1e-9,
        ..LeidenConfig::default()
    };
    let found = graph.build().and_then(|graph| Leiden::new(settings).run(&graph));
    // It refuses edges that lead nowhere and weights that are no numbers: there are none.
    found.map_or_else(
        |_| alone(),
        |found| (0..count).map(|at| found.partition.community_of(at)).collect(),
    )
}
