//! Containers that an iteration makes anew for each item.
//!
//! ```python
//! plan = {day: [] for day in ("mon", "tue")}     # two lists
//! grid = [[""] * 3 for _ in range(2)]            # two lists of three parts
//! ```

use tree_sitter::Node;

use super::rows::Row;
use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{Constant, ContainerKind, ElementKey};
use crate::tree::children;

/// Most turns of a `range`, and most times that a list is repeated, of which each has containers of its own.
const REPEAT_LIMIT: i32 = 8;

impl<'t> Walker<'t> {
    /// A display for one item: a container of its own, if all that stands in it is known.
    pub(super) fn project_display(&mut self, node: Node<'t>, row: &Row) -> Option<Part> {
        let shape = match node.kind() {
            "tuple" => Shape::sequence(ContainerKind::Tuple, self.project_all(node, row)?),
            "list" => Shape::sequence(ContainerKind::List, self.project_all(node, row)?),
            "dictionary" => {
                let mut shape = Shape {
                    kind: ContainerKind::Map,
                    parts: Vec::new(),
                };
                for pair in children(node).filter(|part| part.kind() != "comment") {
                    let key = self.project(pair.child_by_field_name("key")?, row)?.text?;
                    let value = self.project(pair.child_by_field_name("value")?, row)?;
                    shape.put(ElementKey::Text(key), value);
                }
                shape
            }
            "binary_operator" => {
                let (list, count) = self.repeated(node)?;
                let parts = self.project_all(list, row)?;
                let parts = std::iter::repeat_n(parts, count).flatten();
                Shape::sequence(ContainerKind::List, parts)
            }
            _ => return None,
        };
        Some(Part {
            place: Some(self.builder.make(shape, position(node))),
            ..Part::default()
        })
    }

    fn project_all(&mut self, display: Node<'t>, row: &Row) -> Option<Vec<Part>> {
        let parts = children(display).filter(|part| part.kind() != "comment");
        parts.map(|part| self.project(part, row)).collect()
    }

    /// `[0] * 3`: the list, and how often.
    pub(super) fn repeated(&mut self, node: Node<'t>) -> Option<(Node<'t>, usize)> {
        let [left, operator, right] = ["left", "operator", "right"].map(|field| node.child_by_field_name(field));
        let list = left.filter(|left| left.kind() == "list")?;
        // One container in it would be the same each time.
        let is_plain =
            |part: Node<'t>| matches!(part.kind(), "string" | "integer" | "float" | "true" | "false" | "none");
        let right = right.filter(|right| right.kind() == "integer")?;
        let Constant::Number(count @ 0..=REPEAT_LIMIT) = self.constant(right)? else {
            return None;
        };
        if !children(list).all(is_plain) {
            return None;
        }
        (operator?.kind() == "*").then_some((list, count as usize))
    }

    /// The turns of `for … in range(3)`, where each makes a container: what they count is no part of it.
    pub(super) fn counted(&mut self, comprehension: Node<'t>, source: Node<'t>) -> Option<Vec<Part>> {
        let body = comprehension.child_by_field_name("body")?;
        let is_made = match body.kind() {
            "list" | "dictionary" | "list_comprehension" => true,
            "binary_operator" => self.repeated(body).is_some(),
            _ => false,
        };
        self.turns_of_range(source).filter(|_| is_made)
    }

    /// The turns of a `range` of which both ends are known.
    pub(super) fn turns_of_range(&mut self, source: Node<'t>) -> Option<Vec<Part>> {
        let (start, end) = self.range_of(source).filter(|_| source.kind() == "call")?;
        let count = end
            .checked_sub(start)
            .filter(|count| (0..=REPEAT_LIMIT).contains(count))?;
        Some(vec![Part::default(); count as usize])
    }
}
