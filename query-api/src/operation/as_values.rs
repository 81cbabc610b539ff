//! Functions that are handed on as values: who calls them there may be nobody that the index knows.
//!
//! ```python
//! @app.route("/")             # library code is given `index`, and calls it when somebody asks for the page
//! def index(): ...
//!
//! def logged(function):
//!     def inner(): ...
//!     return inner            # and whoever calls `logged` has `inner`
//! ```
//!
//! So a function is followed as any value is. Where it comes to calls that tell no more of it, or out of a function that nobody in the index calls, the
//! callers that were found need not be all.

use ripple_graphdb::net::{EdgeKinds, Role};
use ripple_schema::{EdgeKind, NodeKind};

use super::calls::CALLS;
use super::verdict::{Unknown, reason};
use super::walk::{Reach, VALUE_DOWN, Walk};
use super::{Room, outside};
use crate::Error;
use crate::view::Reason;

/// Most steps that one is followed.
const DEPTH: u32 = 64;

const HANDED_ON: EdgeKinds = EdgeKinds::of(&[EdgeKind::FlowsTo, EdgeKind::PassesTo, EdgeKind::Summarizes]);

/// What keeps the callers of these functions from being all that call them.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    let (mut starts, mut classes) = (Vec::new(), Vec::new());
    for &function in functions.iter().take(outside::MOST) {
        if net.leaving(function, HANDED_ON).next().is_some() {
            starts.push(function);
        }
        // Who has a class has its methods, but for those that are nobody else's. Where the index makes objects of it the calls are known.
        if let Some(class) = outside::class_of(net, function)
            && net.leaving(class, HANDED_ON).next().is_some()
            && !net.card(function)?.name.starts_with('_')
        {
            classes.push(class);
        }
    }
    let mut reasons = Vec::new();
    if !starts.is_empty() {
        let walk = Walk {
            net,
            phases: VALUE_DOWN,
            backwards: false,
            through_tests: false,
            depth: DEPTH,
            min_confidence: 0.0,
        };
        let reach = walk.run(&starts, None);
        reasons = Unknown::of(room, reach.nodes()).reasons(room, "it is handed on as a value, into")?;
        if let Some((first, count)) = given_out(room, &reach)? {
            let message = format!("it is handed on as a value, out of `{first}`, which nobody in the index calls");
            reasons.push(reason("called-from-outside", message, count));
        }
    }
    let handed = Unknown::of(room, classes.into_iter()).only_libraries();
    reasons.extend(handed.reasons(room, "its class is handed on as a value, into")?);
    Ok(reasons)
}

/// Functions that nobody in the index calls and that give out what the walk follows: the first, and how many there are.
fn given_out(room: &Room<'_>, reach: &Reach) -> Result<Option<(String, u64)>, Error> {
    let net = &room.net;
    // What lies in a container goes where that goes.
    let goes_out = |node: &u32| matches!(net.role(*node), Role::Result | Role::Element) && !net.is_test(*node);
    let results = reach.nodes().filter(goes_out);
    let owners = results.filter_map(|result| net.owner(result));
    let owners = owners.filter(|owner| net.label(*owner) == NodeKind::Function);
    let mut open: Vec<u32> = owners
        .filter(|owner| net.entering(*owner, CALLS).next().is_none())
        .collect();
    open.sort_unstable();
    open.dedup();
    let (mut first, mut count) = (None, 0);
    for owner in open {
        let card = net.card(owner)?;
        // What a module keeps is not given to anyone, and what special methods give is a text, a number, a part.
        if card.kind != "initializer" && !outside::is_special(&card) {
            count += 1;
            first.get_or_insert(card.name);
        }
    }
    Ok(first.map(|first| (first, count)))
}
