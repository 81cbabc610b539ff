//! Calls of values of which nothing is known, beside a function that nobody is known to call.
//!
//! ```python
//! class Steps(type):
//!     def __init__(cls, name, bases, namespace):
//!         cls.steps = [part for key, part in namespace.items() if key.startswith("step_")]
//! class Build(metaclass=Steps):
//!     def step_fetch(self): ...                  # nobody names it,
//!     def run(self):
//!         for step in self.steps: step(self)     # and nobody knows what this calls
//! ```
//!
//! What is found by going through the names of a class, a module or a function comes out as a value like any other. So where nothing else is to be said
//! of such a function, and its file, or that of a class above its own, has calls of values that come from nowhere, any of these may be one of it.

use ripple_graphdb::Net;
use ripple_schema::{Language, NodeId, NodeKind, Rule};
use rustc_hash::FxHashSet;

use super::Room;
use super::calls::{CALLS, CONTAINS};
use super::outside::{MOST, class_of, is_special, with_those_above};
use super::published::is_called;
use super::verdict::{counted, reason};
use crate::Error;
use crate::view::Reason;

/// What keeps "nobody calls these functions" from being all.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32], tests: bool) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let uncalled = functions.iter().copied().filter(|function| !is_called(room, *function));
    for function in uncalled
        .filter(|function| net.label(*function) == NodeKind::Function)
        .take(MOST)
    {
        let card = net.card(function)?;
        if card.language != Language::Python.name() || is_special(&card) || card.name.starts_with('<') {
            continue;
        }
        let classes = class_of(net, function).map(|class| with_those_above(net, class));
        let mut files = FxHashSet::from_iter([card.file]);
        for class in classes.unwrap_or_default() {
            files.insert(net.card(class)?.file);
        }
        let mut files: Vec<String> = files.into_iter().collect();
        files.sort_unstable();
        let callers: Vec<u32> = files.iter().flat_map(|file| functions_in(net, file)).collect();
        let calls = callers.iter().filter(|caller| tests || !net.is_test(**caller));
        let calls = calls.flat_map(|caller| net.leaving(*caller, CALLS).map(|call| (*caller, call)));
        let unknown: Vec<u32> = calls
            .filter(|(_, call)| net.rule(call.edge) == Rule::UnresolvedValue)
            .map(|(caller, _)| caller)
            .collect();
        if let Some(first) = unknown.first() {
            let message = format!(
                "nothing is known of what is called in {} beside it ({}): that may be `{}`",
                counted(unknown.len() as u64, "place"),
                net.card(*first)?.name,
                card.name
            );
            return Ok(Some(reason("unresolved-calls", message, unknown.len() as u64)));
        }
    }
    Ok(None)
}

/// The functions of a file, those in classes and in other functions too.
fn functions_in(net: &Net, file: &str) -> Vec<u32> {
    let id = NodeId::of(Language::Python, NodeKind::File, file, 0);
    let (mut open, mut found): (Vec<u32>, Vec<u32>) = (net.index(id).into_iter().collect(), Vec::new());
    while let Some(whole) = open.pop() {
        for part in net.leaving(whole, CONTAINS) {
            match net.label(part.node) {
                NodeKind::Function => {
                    found.push(part.node);
                    open.push(part.node);
                }
                NodeKind::Type => open.push(part.node),
                _ => {}
            }
        }
    }
    found
}
