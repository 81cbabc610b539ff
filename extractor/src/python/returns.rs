//! What functions give back under tests: one value of several.
//!
//! ```python
//! if yearly:
//!     return rent / 12         # the result depends on `yearly`,
//! return rent                  # and so it does here
//! ```

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::PlaceId;

/// Functions of the language that make a figure or a text of what they are given.
const FIGURING: &[&str] = &[
    "abs", "bool", "float", "int", "len", "max", "min", "round", "str", "sum",
];

impl<'t> Walker<'t> {
    /// What is given back under tests: `if yearly: return rent / 12`, and `return rent` behind it.
    pub(super) fn returned(&mut self, place: Option<PlaceId>, value: Node<'t>) -> Option<PlaceId> {
        let is_figure = match value.kind() {
            "attribute" | "binary_operator" | "identifier" | "unary_operator" => true,
            "call" => {
                let function = value.child_by_field_name("function");
                function.is_some_and(|function| FIGURING.contains(&self.text_of(function)))
            }
            _ => false,
        };
        let result = self.builder.function_mut().results.first().copied();
        if let (Some(result), true, true) = (result, is_figure && place.is_some(), self.builder.has_tests()) {
            self.builder.chosen_as(result, position(value));
        }
        self.chosen(place, value)
    }
}
