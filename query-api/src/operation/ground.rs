//! What a way rests on: values that are known to move, decisions that depend on them, or what only may meet.
//!
//! ```python
//! total = price * count          # `price` -> `total`: the value moves
//! if total > limit: tax = 3      # `total` -> `tax`: it is decided
//! self.total = total             # of any object of the class: who reads `total` of another one may meet it
//! ```
//!
//! In a package of some size nearly everything is reached from nearly everything by what may meet. What is reached by values alone is another answer,
//! and comes first.

use ripple_graphdb::Net;
use ripple_schema::{How, NodeKind, Rule};

use crate::view::Ground;

/// Where a step starts.
pub(super) struct From {
    /// It is what is asked about.
    pub is_start: bool,
    /// One of several calls of a function handed over what came to it, and the others may hand over something else.
    pub by_one_call: bool,
}

/// The ground of one step. From the very key or field that is asked about nothing has to meet.
pub(super) fn of_step(net: &Net, edge: u32, from: &From) -> Ground {
    let is_loose = matches!(
        net.rule(edge),
        Rule::UnknownLibrary | Rule::UnknownCallee | Rule::IntoLibrary | Rule::OverBudget
    );
    let node = net.ends(edge).0;
    let meets = || match net.label(node) {
        NodeKind::Field => from.by_one_call || net.meets(node),
        NodeKind::Key => net.meets(node),
        _ => false,
    };
    if is_loose || !from.is_start && meets() {
        return Ground::May;
    }
    match net.how(edge) {
        How::Test => Ground::Decision,
        _ => Ground::Flow,
    }
}
