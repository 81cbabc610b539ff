//! Constants that tests choose: see [`crate::facts::builder`] for what is said of them.
//!
//! ```go
//! switch plan {
//! case "gold": return 2       // the result depends on `plan`
//! }
//! if err != nil { return 0, err }     // and not on whether there was an error
//! ```

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{PlaceId, Position};
use crate::tree::{Parts, children};

impl<'t> Walker<'t> {
    /// A constant that tests choose; nil is no value.
    pub(super) fn chosen(&mut self, place: Option<PlaceId>, node: Node<'t>) -> Option<PlaceId> {
        match node.kind() {
            "nil" => place,
            _ => self.builder.chosen(place, position(node)),
        }
    }

    /// What something is counted up to depends on the tests around it.
    pub(super) fn summed(&mut self, sum: Option<PlaceId>, at: Position) -> Option<PlaceId> {
        sum.into_iter().for_each(|sum| self.builder.chosen_as(sum, at));
        self.builder.chosen(sum, at)
    }
}

/// Whether a branch ends by giving something back that is no error, or by going on with the next item.
pub(super) fn leaves(block: Node<'_>) -> bool {
    let list = children(block).filter(|node| node.kind() == "statement_list").last();
    let Some(last) = children(list.unwrap_or(block))
        .filter(|node| node.kind() != "comment")
        .last()
    else {
        return false;
    };
    match last.kind() {
        "continue_statement" | "break_statement" => true,
        "return_statement" => last.part(0).is_some_and(|values| !is_failure(values)),
        _ => false,
    }
}

/// Whether what is given back is an error, or nothing: the last of several values is no constant.
pub(super) fn is_failure(values: Node<'_>) -> bool {
    let values: Vec<Node<'_>> = match values.kind() {
        "expression_list" => children(values).collect(),
        _ => vec![values],
    };
    match values.as_slice() {
        [only] => only.kind() == "nil",
        [.., last] => !matches!(last.kind(), "nil" | "true" | "false") && !last.kind().ends_with("_literal"),
        [] => true,
    }
}

pub(super) fn falls_through(case: Node<'_>) -> bool {
    let last = children(case).last();
    let last = last.map(|last| {
        if last.kind() == "statement_list" {
            children(last).last().unwrap_or(last)
        } else {
            last
        }
    });
    last.is_some_and(|last| last.kind() == "fallthrough_statement")
}
