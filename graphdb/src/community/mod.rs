//! [`Communities`]: the parts of a code base, as its own calls and data draw them, found once when an index is built.
//!
//! First, some terminology:
//!
//! - **member**: a function or type, outside of test code. Only members are counted and told.
//! - **vertex**: a member, or what holds members together: a file, a package, a wire key, a global. Everything inside a member is it.
//! - **strength**: how much two vertices have to do with each other: calls, reads, writes, inheritance, flows between them.
//! - **community**: vertices with more strength among themselves than to others. Level 0 is the whole code in parts; each part that is
//!   large has parts of its own on level 1, and these on level 2.
//!
//! The shop of the tests comes out in a handful of parts, among them
//!
//! ```text
//! 0   23 members   example.com/shop/api/model, …/service, …/store   Order, Orders.Place, …   uses 7 (4 times)
//! 3   16 members   pipeline.features.customer, pipeline.vector, …   build, is_adult, …       uses 2
//! ```
//!
//! The stages of [`find`]: [`coupling`] makes vertices and strengths of the graph, [`cluster`] sorts vertices into communities, level by
//! level, [`tell`] says of each what it holds. Written as `communities.json` of the generation; small, for it names only the members in
//! the middle of each.

mod cluster;
mod coupling;
mod tell;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::time::Instant;

use ripple_schema::Graph;
use serde::{Deserialize, Serialize};

use crate::generation::{self, Generation};
use crate::{Error, Net};

/// The communities of a generation: by level, the largest first. A community comes after the one that it is part of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Communities {
    /// All of them; others name one by its place here.
    pub all: Vec<Community>,
    /// Members of the graph, in a community or not.
    pub members: u32,
}

/// A part of the code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Community {
    /// 0 for the parts of the whole.
    pub level: u32,
    /// The community that it is part of; none on level 0.
    pub parent: Option<u32>,
    /// Its functions.
    pub functions: u32,
    /// Its types.
    pub types: u32,
    /// Files that declare them.
    pub files: u32,
    /// Packages that they are in and how many are, most first; at most [`PACKAGES`].
    pub packages: Vec<(String, u32)>,
    /// Ids of the members in its middle, the most central first; at most [`TOP`].
    pub top: Vec<i64>,
    /// Communities of the same level that it uses, and how often: calls, reads, writes, types; most first; at most [`LINKS`].
    pub links: Vec<(u32, u32)>,
}

/// Most packages that are told of a community.
pub const PACKAGES: usize = 16;
/// Most members that are told of a community.
pub const TOP: usize = 12;
/// Most communities that one is told to use.
pub const LINKS: usize = 8;

/// Members of the smallest community.
const SMALLEST: usize = 3;
/// Members from which on a community is looked at for parts.
const DIVIDED: usize = 24;
/// Levels at most.
const LEVELS: usize = 3;

/// Finds the communities of a generation whose arrays were written, and writes them.
pub(crate) fn write(generation: &Generation, graph: &Graph) -> Result<(), Error> {
    let began = Instant::now();
    let net = Net::open(generation)?;
    // Nodes have the same places in both.
    let is_initializer = |node: u32| {
        graph
            .nodes
            .get(node as usize)
            .is_some_and(|node| node.kind == "initializer")
    };
    let package = |node: u32| {
        graph
            .nodes
            .get(node as usize)
            .map_or("", |node| node.qualified_name.as_str())
    };
    let communities = find(&net, &is_initializer, &package);
    tracing::debug!(
        communities = communities.all.len(),
        ms = began.elapsed().as_millis(),
        "communities found"
    );
    generation::write_json(&generation.communities(), &communities)
}

/// Reads the communities of a generation.
pub(crate) fn read(path: &Path) -> Result<Communities, Error> {
    let communities: Communities = generation::read_json(path)?;
    let count = communities.all.len();
    // An index that leads out of the list is damage, found here and not where somebody follows it.
    let sound = communities.all.iter().zip(0u32..).all(|(community, place)| {
        community.parent.is_none_or(|parent| parent < place)
            && community.links.iter().all(|(to, _)| (*to as usize) < count)
    });
    if sound {
        return Ok(communities);
    }
    Err(Error::Damaged {
        path: path.into(),
        message: "a community names one that is not there".into(),
    })
}

/// The communities of a graph. `is_silent` nodes are no members though they are functions; `package` gives a package its name.
pub fn find<'p>(net: &Net, is_silent: &dyn Fn(u32) -> bool, package: &dyn Fn(u32) -> &'p str) -> Communities {
    let coupling = coupling::Coupling::of(net, is_silent);
    let tree = cluster::tree(&coupling);
    tell::communities(net, &coupling, &tree, package)
}
