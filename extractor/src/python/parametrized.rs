//! Parameters of tests that a mark gives their values ([pytest's manual](https://docs.pytest.org/en/stable/how-to/parametrize.html)).
//!
//! ```python
//! @pytest.mark.parametrize("function, text", [(parse, "a"), pytest.param(join, "b")])
//! def test_each(function, text):
//!     function(text)                   # calls `parse` and `join`
//! ```
//!
//! Only names are taken: what an expression makes is made once, for the mark.

use ripple_schema::How;
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{Name, PlaceId};
use crate::tree::children;

impl<'t> Walker<'t> {
    /// Gives the parameters of a function what its marks list; the function is open, its body was not walked yet.
    pub(super) fn give_parametrized(&mut self, decorators: &[Node<'t>]) {
        for decorator in decorators {
            for (name, value) in self.values_listed(*decorator) {
                let value_at = position(value);
                let parameters = self.builder.function_mut().parameters.iter();
                let to: Option<PlaceId> = parameters.filter(|row| row.name == name).map(|row| row.place).next();
                if let Some(to) = to {
                    let from = self.expression(value);
                    self.builder.flow(from, to, How::Assign, value_at);
                }
            }
        }
    }

    /// The parameters that a mark lists values for; none of another decorator.
    pub(super) fn names_marked(&self, decorator: Node<'t>) -> Vec<&'t str> {
        let arguments = decorator.child_by_field_name("arguments");
        let arguments = arguments.filter(|_| self.is_called(decorator, &["parametrize"]));
        let names = arguments.and_then(|arguments| children(arguments).next());
        let names = names.map_or("", |names| self.text_of(names));
        let names = names.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        names.filter(|name| !name.is_empty()).collect()
    }

    /// The names that a mark lists for parameters.
    fn values_listed(&mut self, mark: Node<'t>) -> Vec<(Name, Node<'t>)> {
        let names = self.names_marked(mark);
        let given = mark.child_by_field_name("arguments").into_iter().flat_map(children);
        let mut given = given.filter(|node| node.kind() != "keyword_argument");
        let Some(rows) = given.nth(1).filter(|_| !names.is_empty()) else {
            return Vec::new();
        };
        let rows = children(rows).filter(|_| matches!(rows.kind(), "list" | "tuple"));
        let mut listed = Vec::new();
        for row in rows {
            let inside = match row.kind() {
                "call" => row.child_by_field_name("arguments"),
                "tuple" | "list" if names.len() > 1 => Some(row),
                _ => None,
            };
            let values: Vec<_> = match inside {
                Some(inside) => children(inside).collect(),
                None => vec![row],
            };
            listed.extend(names.iter().copied().zip(values));
        }
        let is_name = |node: &Node<'t>| matches!(node.kind(), "identifier" | "attribute");
        let listed = listed.into_iter().filter(|(_, value)| is_name(value));
        listed.map(|(name, value)| (self.builder.name(name), value)).collect()
    }
}
