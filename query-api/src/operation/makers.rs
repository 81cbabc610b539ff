//! Methods that make objects of whatever class they are asked of, which may be one below theirs.
//!
//! ```python
//! class Element:
//!     @classmethod
//!     def each(cls, texts): return [cls(text) for text in texts]     # asked of `Literal` by code outside, it makes one of these
//! class Literal(Element): ...
//! ```
//!
//! The graph has the classes that were seen to ask. Another one below may be made there as well.

use ripple_graphdb::Net;
use ripple_schema::{How, NodeKind, Rule};

use super::Room;
use super::calls::{CALLS, CONTAINS};
use super::outside::{INHERITS, MOST, class_of, with_those_above};
use super::verdict::reason;
use crate::Error;
use crate::view::Reason;

/// What keeps the callers of constructors among these functions from being all that call them.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    let mut found: Vec<(String, String)> = Vec::new();
    for &function in functions.iter().take(MOST) {
        let card = net.card(function)?;
        let Some(class) = class_of(net, function).filter(|_| matches!(card.name.as_str(), "__init__" | "__new__"))
        else {
            continue;
        };
        for maker in makers(net, class) {
            let makes = net
                .leaving(maker, CALLS)
                .any(|call| call.node == function || call.node == class);
            if !makes {
                found.push((net.card(maker)?.qualified_name, net.card(class)?.name));
            }
        }
    }
    let count = found.len() as u64;
    let Some((maker, class)) = found.into_iter().next() else {
        return Ok(Vec::new());
    };
    let message = format!(
        "`{maker}` makes objects of the class that it is asked of, and code outside the index may ask it of `{class}`"
    );
    Ok(vec![reason("called-from-outside", message, count)])
}

/// Methods of a class and of those above it that make objects of a class that a variable brings, which was seen to be one of these or below.
fn makers(net: &Net, class: u32) -> Vec<u32> {
    let above = with_those_above(net, class);
    let is_below =
        |made: u32| above.contains(&made) || net.leaving(made, INHERITS).any(|base| above.contains(&base.node));
    let makes = |method: u32| {
        net.leaving(method, CALLS).any(|call| {
            let made = class_of(net, call.node).unwrap_or(call.node);
            net.rule(call.edge) == Rule::Propagated && net.how(call.edge) == How::Constructor && is_below(made)
        })
    };
    let mut all: Vec<u32> = above.iter().copied().collect();
    all.sort_unstable();
    let methods = all
        .into_iter()
        .flat_map(|class| net.leaving(class, CONTAINS).map(|part| part.node));
    methods
        .filter(|method| net.label(*method) == NodeKind::Function && !net.is_test(*method) && makes(*method))
        .collect()
}
