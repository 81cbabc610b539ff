//! Members that are asked for by the names that a class itself lists.
//!
//! ```python
//! def to_row(self):
//!     return {field.name: getattr(self, field.name) for field in fields(self)}     # each member under its name: `vars(self)`
//! for name in order._fields: send(getattr(order, name))                           # any of them
//! ```
//!
//! What such a loop reads is what [`vars`](https://docs.python.org/3/library/functions.html#vars) gives of the object.

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{ElementKey, PlaceId, Position};
use crate::tree::Parts;

/// Attributes of a class, or of an object, that list its fields.
const LISTS: &[&str] = &[
    "__annotations__",
    "__dataclass_fields__",
    "__attrs_attrs__",
    "_fields",
    "model_fields",
    "__fields__",
];

impl<'t> Walker<'t> {
    /// `getattr(order, field.name)` in a loop over `fields(order)`: what it reads of, as a mapping by the names.
    pub(super) fn members_listed(&mut self, call: Node<'t>) -> Option<PlaceId> {
        let (object, _) = self.listed_read(call)?;
        let base = self.look(object)?;
        self.members_of(base, call)
    }

    /// One of the members, whichever it is.
    pub(super) fn any_listed(&mut self, call: Node<'t>) -> Option<PlaceId> {
        let members = self.members_listed(call)?;
        Some(self.builder.element_load(members, ElementKey::Any, position(call)))
    }

    /// `{field.name: getattr(order, field.name) for field in fields(order)}`: the mapping of all members.
    pub(super) fn pair_listed(&mut self, pair: Node<'t>) -> Option<PlaceId> {
        let (key, value) = (pair.child_by_field_name("key")?, pair.child_by_field_name("value")?);
        let (_, named) = self.listed_read(value)?;
        let is_same = self.text_of(named) == self.text_of(key);
        is_same.then(|| self.members_listed(value)).flatten()
    }

    /// `row[field.name] = getattr(order, field.name)`: all members go into the row under their names.
    pub(super) fn copies_listed(&mut self, target: Node<'t>, at: Position) -> bool {
        let statement = target.parent().filter(|around| around.kind() == "assignment");
        let written = statement.and_then(|statement| statement.child_by_field_name("right"));
        let Some((_, named)) = written.and_then(|written| self.listed_read(written)) else {
            return false;
        };
        let key = target.child_by_field_name("subscript");
        if key.is_none_or(|key| self.text_of(key) != self.text_of(named)) {
            return false;
        }
        let base = target.child_by_field_name("value").and_then(|base| self.expression(base));
        let members = written.and_then(|written| self.members_listed(written));
        let (Some(into), Some(members)) = (base, members) else {
            return false;
        };
        self.builder.copy_parts(members, into, 0, Vec::new(), at);
        true
    }

    /// The object that such a call reads, and the expression that names the member.
    fn listed_read(&self, call: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let function = call.child_by_field_name("function")?;
        if call.kind() != "call" || self.text_of(function) != "getattr" {
            return None;
        }
        let arguments = call.child_by_field_name("arguments")?;
        let (object, named) = (arguments.part(0)?, arguments.part(1)?);
        let (variable, is_field) = match named.kind() {
            "identifier" => (named, false),
            "attribute" if self.text_of(named.child_by_field_name("attribute")?) == "name" => {
                (named.child_by_field_name("object")?, true)
            }
            _ => return None,
        };
        let (over, path) = (variable.kind() == "identifier").then(|| self.clause_of(variable))??;
        let is_listed = match over.kind() {
            "attribute" => {
                let list = self.text_of(over.child_by_field_name("attribute")?);
                LISTS.contains(&list) && is_field == (list == "__attrs_attrs__")
            }
            "call" => {
                let function = self.text_of(over.child_by_field_name("function")?);
                match function.rsplit('.').next()? {
                    "fields" => is_field && over.child_by_field_name("arguments")?.part_count() == 1,
                    "dir" | "vars" => !is_field && function == function.trim_start_matches('.'),
                    _ => false,
                }
            }
            _ => false,
        };
        (is_listed && path.is_empty()).then_some((object, named))
    }
}
