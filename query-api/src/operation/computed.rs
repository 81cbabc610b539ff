//! Calls of members that are named while the program runs, which may call a method without saying so.
//!
//! ```python
//! handler = getattr(self, request.method.lower(), self.missing)
//! return handler(request)        # `View.get`? The graph has a call of `View.*` that could not be resolved
//! ```

use ripple_graphdb::Net;
use ripple_schema::{Language, NodeId, NodeKind};
use rustc_hash::FxHashSet;

use super::Room;
use super::calls::CALLS;
use super::outside::{INHERITS, MOST, class_of, with_those_above};
use super::verdict::{counted, reason};
use crate::Error;
use crate::view::Reason;

/// What keeps the callers of these functions from being all that call them.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    let (mut callers, mut first) = (FxHashSet::default(), None);
    for &function in functions.iter().take(MOST) {
        let card = net.card(function)?;
        let mut languages = Language::ALL.iter().filter(|language| language.name() == card.language);
        let Some(language) = languages
            .next()
            .filter(|_| !card.name.starts_with("__") && !card.name.starts_with('<'))
        else {
            continue;
        };
        for whole in wholes(net, function, &card.qualified_name)? {
            let id = NodeId::of(*language, NodeKind::External, &format!("?.{whole}.*"), 0);
            let calls = net.index(id).into_iter().flat_map(|node| net.entering(node, CALLS));
            let before = callers.len();
            callers.extend(calls.map(|arrow| arrow.node).filter(|caller| !net.is_test(*caller)));
            if callers.len() > before {
                first.get_or_insert((whole, card.name.clone()));
            }
        }
    }
    let Some((whole, name)) = first else {
        return Ok(Vec::new());
    };
    let count = callers.len() as u64;
    let message = format!(
        "what `getattr` finds in `{whole}` under a name that is put together while the program runs is called, or handed on, in {}; that may be `{name}`",
        counted(count, "function")
    );
    Ok(vec![reason("unresolved-calls", message, count)])
}

/// The full names of the types of which objects may have a method, or of the module of a function.
fn wholes(net: &Net, function: u32, qualified_name: &str) -> Result<Vec<String>, Error> {
    let Some(owner) = class_of(net, function) else {
        let module = qualified_name.rsplit_once('.').map(|(module, _)| module.to_owned());
        return Ok(module.into_iter().collect());
    };
    let mut seen = with_those_above(net, owner);
    let mut open = vec![owner];
    while let Some(class) = open.pop() {
        let below = net.entering(class, INHERITS).map(|arrow| arrow.node);
        open.extend(below.filter(|class| seen.insert(*class)));
    }
    let mut names = Vec::new();
    for class in seen {
        names.push(net.card(class)?.qualified_name);
    }
    names.sort_unstable();
    Ok(names)
}
