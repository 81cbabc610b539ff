//! How the code is organised: its communities with names and summaries, as data and as text.
//!
//! First, some terminology:
//!
//! - **community**: functions and types that have more to do with each other than with others; [`ripple_graphdb::community`] finds them
//!   when an index is built, in up to three levels.
//! - **middle**: the members with the strongest ties inside their community.
//! - **facts**: what is known of a community without a language model ([`name`]): sizes, packages, the middle and its documentation.
//! - **summary**: two sentences. They are made of the facts, or written by a language model from the facts alone ([`summarise()`]) and
//!   kept in the index folder, by a hash of the facts, for every later generation in which these are the same.
//!
//! "How is this code organised?" for the shop of the tests:
//!
//! ```text
//! **1. example.com/shop/api · Order**: 17 functions and 6 types in 7 files, mostly `example.com/shop/api`.
//! - in the middle: [example.com/shop/api/model.Order](api/model/order.go:7), …
//! - uses: example.com/shop/api/mail · Mailer (4), …
//! ```
//!
//! What is not here: the search for communities, a call of a model that nobody asked for.

mod examples;
mod name;
mod prose;
mod summarise;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use ripple_graphdb::Reader;
use ripple_schema::NodeId;

use crate::Error;
use crate::operation::node_view;
use crate::view::{Communities, CommunityView, LinkView};

pub use examples::examples;
pub use prose::prose;
pub use summarise::summarise;

/// Communities when nobody says how many.
pub const LIMIT: usize = 200;

/// Members of its middle that are shown of a community.
const SHOWN: usize = 6;

/// The communities of an index, at most [`LIMIT`], with the summaries that are there already.
///
/// # Errors
///
/// Whatever the store says.
pub fn overview(reader: &Reader) -> Result<Communities, Error> {
    overview_of(reader, LIMIT)
}

/// The same, at most so many. What a community is part of is always there too.
///
/// # Errors
///
/// Whatever the store says.
pub fn overview_of(reader: &Reader, limit: usize) -> Result<Communities, Error> {
    let found = reader.communities()?;
    let net = reader.net()?;
    let mut communities = Vec::new();
    for (id, community) in (0u32..).zip(&found.all).take(limit) {
        let indices = community.top.iter().filter_map(|id| net.index(NodeId(*id)));
        let top = indices
            .take(SHOWN)
            .map(|node| node_view(&net, node))
            .collect::<Result<Vec<_>, Error>>()?;
        let package = name::package(&community.packages);
        let links = community.links.iter().filter(|(to, _)| (*to as usize) < limit);
        communities.push(CommunityView {
            id,
            name: name::name(&package, &top),
            level: community.level,
            parent: community.parent,
            size: community.functions + community.types,
            files: community.files,
            summary: name::summary(community, &package, &top),
            by_model: false,
            package,
            top,
            links: links.map(|&(to, weight)| LinkView { to, weight }).collect(),
        });
    }
    distinguish(&mut communities);
    summarise::kept(reader.folder(), &mut communities)?;
    Ok(Communities {
        communities,
        found: found.all.len(),
        members: u64::from(found.members),
    })
}

/// Gives those of one name more of their middle.
fn distinguish(communities: &mut [CommunityView]) {
    for names in 2..=SHOWN {
        let mut count: HashMap<String, usize> = HashMap::new();
        for community in communities.iter() {
            *count.entry(community.name.clone()).or_default() += 1;
        }
        let mut again = false;
        for community in communities.iter_mut().filter(|community| count[&community.name] > 1) {
            let longer = name::with_names(&community.package, &community.top, names);
            again |= longer != community.name;
            community.name = longer;
        }
        if !again {
            return;
        }
    }
}
