//! Children of a syntax node, comments not counted: they may stand between any two of them.
//!
//! ```python
//! total = (  # without shipping
//!     net())            # the brackets' part 0
//! ```

use tree_sitter::Node;

/// Named children.
pub(crate) fn children<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    std::iter::from_fn(move || {
        while more {
            let child = cursor.node();
            more = cursor.goto_next_sibling();
            if child.is_named() && child.kind() != "comment" {
                return Some(child);
            }
        }
        None
    })
}

/// Named children by position.
pub(crate) trait Parts<'t>: Sized {
    /// The one at a position.
    fn part(self, index: usize) -> Option<Node<'t>>;

    /// How many there are.
    fn part_count(self) -> usize;
}

impl<'t> Parts<'t> for Node<'t> {
    fn part(self, index: usize) -> Option<Node<'t>> {
        // The first one is asked for most, and needs no cursor.
        match self.named_child(0) {
            Some(first) if index == 0 && !first.is_extra() => Some(first),
            _ => children(self).nth(index),
        }
    }

    fn part_count(self) -> usize {
        children(self).count()
    }
}
