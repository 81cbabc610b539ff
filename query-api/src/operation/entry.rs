//! Entry points: functions that the outside calls.
//!
//! `main`, what is visible outside of its package and called by nobody in the index but tests, and what is handed to a library that calls it: the handler of a
//! route, the action of a command. A handler may be wrapped: `Routes` hands `only(create)` to the router, so a closure is called back, and the closure calls
//! `create`.

use ripple_schema::{How, NodeKind, Rule};

use super::Room;
use super::calls::CALLS;
use super::published::is_called;

/// Wrappers around a handler that are looked through.
const WRAPPERS: u32 = 3;

/// Whether the outside calls it.
pub(super) fn is_entry(room: &Room<'_>, node: u32) -> bool {
    let net = &room.net;
    let Some(card) = net.card(node).ok().filter(|_| net.label(node) == NodeKind::Function) else {
        return false;
    };
    match (card.name.as_str(), card.kind.as_str()) {
        ("main", _) => true,
        (_, "closure" | "initializer") => false,
        _ if is_called(room, node) => is_called_back(room, node, WRAPPERS),
        _ => net.is_exported(node),
    }
}

/// Whether nothing calls it but a library that it was handed to, or what wraps it and is called like that.
fn is_called_back(room: &Room<'_>, node: u32, wrappers: u32) -> bool {
    let net = &room.net;
    let mut callers = net
        .entering(node, CALLS)
        .filter(|arrow| !net.is_test(arrow.node) && arrow.node != node);
    let mut any = false;
    callers.all(|arrow| {
        any = true;
        // A wrapper calls what it holds, and that was followed there.
        let wrapped = || {
            wrappers > 0
                && net.rule(arrow.edge) == Rule::Propagated
                && net.card(arrow.node).is_ok_and(|card| card.kind == "closure")
                && is_called_back(room, arrow.node, wrappers - 1)
        };
        arrow.how == How::Callback || wrapped()
    }) && any
}
