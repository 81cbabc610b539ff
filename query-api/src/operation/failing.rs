//! Functions that fail by what changes: what they would have given is not there then, and nobody says where that shows.
//!
//! ```go
//! func build(order *Order) (*Features, error) {
//!     if order.Amount <= 0 { return nil, ErrAmount }     // no features, where no `amount` is sent
//! ```

use std::collections::BTreeSet;

use ripple_graphdb::net::Role;

use super::value::function_of;
use super::verdict::{counted, reason};
use super::{Found, Room};
use crate::Error;
use crate::view::Reason;

/// What is told of such a function.
pub(super) const FAILS: &str = "it may fail by it";

/// Most steps to a failure that is said to leave the answer open: it looks at the very thing, and further away nearly all code may fail.
const NEAR: u32 = 3;

/// That what comes after a failure is not among the findings.
pub(super) fn reasons(room: &Room<'_>, found: &Found) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let reached = found.walks.first().into_iter().flat_map(|values| values.all());
    let is_near = |distance: u32| (1..=NEAR).contains(&distance);
    let failures = reached.filter(|reached| is_near(reached.distance) && net.role(reached.state.node) == Role::Failure);
    let functions = failures.filter_map(|reached| function_of(room, reached.state.node));
    let functions: BTreeSet<u32> = functions.filter(|function| !net.is_test(*function)).collect();
    let Some(first) = functions.first() else {
        return Ok(None);
    };
    let count = functions.len() as u64;
    let message = format!(
        "{} may fail by it, and what that keeps from being done or given is not followed: `{}`{}",
        counted(count, "function"),
        net.card(*first)?.qualified_name,
        if count > 1 { ", …" } else { "" }
    );
    Ok(Some(reason("failure", message, count)))
}
