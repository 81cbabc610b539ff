//! Classes below something that goes by the name of a class, of which nobody knows whether it is that one.
//!
//! ```python
//! OrderMixin = get_class("checkout", "OrderMixin")
//! class PaymentView(OrderMixin): ...        # below `checkout.OrderMixin`? It is found while the program runs
//! def extend(base):
//!     class Extended(base): ...             # below each class that callers hand in
//! ```

use ripple_graphdb::Net;
use ripple_graphdb::net::Arrow;
use ripple_schema::{Language, NodeId, NodeKind, Rule};
use rustc_hash::FxHashSet;

use super::Room;
use super::calls::CONTAINS;
use super::outside::{INHERITS, MOST, class_of};
use super::verdict::reason;
use crate::Error;
use crate::view::Reason;

/// What keeps these types, and the types that these functions and fields are of, from being known with all that is below them.
pub(super) fn reasons(room: &Room<'_>, seeds: &[u32]) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    let types = seeds.iter().take(MOST).filter_map(|seed| match net.label(*seed) {
        NodeKind::Type => Some(*seed),
        _ => class_of(net, *seed),
    });
    let types: FxHashSet<u32> = types.collect();
    let mut types: Vec<u32> = types.into_iter().collect();
    types.sort_unstable();
    let mut reasons = Vec::new();
    for class in types {
        let card = net.card(class)?;
        let handed = |arrow: &Arrow| net.rule(arrow.edge) == Rule::Propagated;
        let derived: Vec<u32> = net
            .entering(class, INHERITS)
            .filter(handed)
            .map(|arrow| arrow.node)
            .collect();
        let from = "what is handed in, this among others, and what their objects ask of it is not followed";
        reasons.extend(told(net, &derived, from)?);
        let Some(language) = Language::ALL.iter().find(|language| language.name() == card.language) else {
            continue;
        };
        // What is found in no package has a name of one word, and is of no language where nobody calls it.
        let unknown = [*language, Language::Any].map(|of| NodeId::of(of, NodeKind::External, &card.name, 0));
        let below: Vec<u32> = unknown
            .into_iter()
            .filter_map(|id| net.index(id))
            .flat_map(|node| net.entering(node, INHERITS))
            .map(|arrow| arrow.node)
            .collect();
        let from = format!(
            "something called `{}` that is found while the program runs, and may be this",
            card.name
        );
        reasons.extend(told(net, &below, &from)?);
    }
    Ok(reasons)
}

/// Tells of classes that derive from something, and of the first by its name.
fn told(net: &Net, classes: &[u32], from: &str) -> Result<Option<Reason>, Error> {
    let Some(first) = classes.first() else { return Ok(None) };
    let (count, first) = (classes.len() as u64, net.card(*first)?.qualified_name);
    let plural = if count == 1 { "class derives" } else { "classes derive" };
    let more = if count > 1 { ", …" } else { "" };
    let message = format!("{count} {plural} from {from}: `{first}`{more}");
    Ok(Some(reason("unknown-bases", message, count)))
}

/// Whether this is a class without a constructor of its own that derives from what is handed in.
pub(super) fn is_given(net: &Net, class: u32) -> bool {
    let mut above = net.leaving(class, INHERITS);
    let mut parts = net.leaving(class, CONTAINS).map(|part| part.node);
    net.label(class) == NodeKind::Type
        && above.any(|arrow| net.rule(arrow.edge) == Rule::Propagated)
        && !parts.any(|part| net.card(part).is_ok_and(|card| card.name == "__init__"))
}
