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
//! of such a function, and its file, or that of a class above its own, goes through names and has calls of values that come from nowhere, any of
//! these may be one of it.

use ripple_graphdb::Net;
use ripple_schema::{NodeKind, Rule};

use super::Room;
use super::calls::{CALLS, CONTAINS};
use super::outside::{MOST, class_of, is_special, with_those_above};
use super::published::is_called;
use super::verdict::{counted, reason};
use crate::Error;
use crate::view::Reason;

/// What goes through names, or has them from somewhere: in the source of a file.
const NAMESPACES: &[&str] = &[
    "(type)",
    "metaclass=",
    "vars(",
    "locals()",
    "__dict__",
    "f_globals",
    "f_locals",
    "__globals__",
    "exec(",
    "__wrapped__",
];

/// What keeps "nobody calls these functions" from being all.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32], tests: bool) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let uncalled = functions.iter().copied().filter(|function| !is_called(room, *function));
    for function in uncalled
        .filter(|function| net.label(*function) == NodeKind::Function)
        .take(MOST)
    {
        let card = net.card(function)?;
        if is_special(&card) || card.name.starts_with('<') {
            continue;
        }
        let classes = class_of(net, function).map(|class| with_those_above(net, class));
        let mut files: Vec<u32> = file_of(net, function).into_iter().collect();
        files.extend(
            classes
                .unwrap_or_default()
                .into_iter()
                .filter_map(|class| file_of(net, class)),
        );
        files.sort_unstable();
        files.dedup();
        let mut goes_through_names = false;
        for file in &files {
            let path = net.card(*file)?.qualified_name;
            let source = room
                .reader
                .source(&path)?
                .filter(|_| path.ends_with(".py"))
                .unwrap_or_default();
            goes_through_names |= NAMESPACES.iter().any(|name| source.contains(name));
        }
        if !goes_through_names {
            continue;
        }
        let callers: Vec<u32> = files.iter().flat_map(|file| functions_in(net, *file)).collect();
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

/// The file that something is declared in.
fn file_of(net: &Net, node: u32) -> Option<u32> {
    let mut whole = net.owner(node);
    while let Some(above) = whole.filter(|above| net.label(*above) != NodeKind::File) {
        whole = net.owner(above);
    }
    whole
}

/// The functions of a file, those in classes and in other functions too.
fn functions_in(net: &Net, file: u32) -> Vec<u32> {
    let (mut open, mut found) = (vec![file], Vec::new());
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
