//! A module that asks itself for what it has, by names that nobody wrote down.
//!
//! ```python
//! globals()[kind + "_export"]()                   # any function of this file that is called so
//! getattr(sys.modules[__name__], kind)()          # so is this
//! for name, value in list(globals().items()): …   # and whoever has this has all of them
//! eval(text)                                      # which may call any of them
//! ```

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{Object, PlaceId, Position};
use crate::tree::{Parts, children};

impl<'t> Walker<'t> {
    /// The module that stands in this file.
    pub(super) fn own_module(&mut self, at: Position) -> PlaceId {
        self.builder.object(Object::OwnModule, at)
    }

    /// `sys.modules[__name__]`, and `sys.modules["shop.cart"]`.
    pub(super) fn module_in_table(&mut self, subscript: Node<'t>) -> Option<PlaceId> {
        let table = subscript.child_by_field_name("value")?;
        if self.text_of(table) != "sys.modules" {
            return None;
        }
        let named = subscript.child_by_field_name("subscript")?;
        if self.text_of(named) == "__name__" {
            return Some(self.own_module(position(subscript)));
        }
        let text = self.literal(named);
        let module = self.constant_text(text)?;
        self.module_of_text(&module, false, position(subscript))
    }

    /// Whether this is the table of what the file has: `globals()`, and `vars()` outside of functions.
    pub(super) fn is_own_table(&mut self, table: Node<'t>) -> bool {
        if table.kind() != "call" {
            return false;
        }
        let (Some(function), Some(arguments)) = (
            table.child_by_field_name("function"),
            table.child_by_field_name("arguments"),
        ) else {
            return false;
        };
        let is_meant = match self.text_of(function) {
            "globals" => true,
            "vars" | "locals" => self.builder.at_file_level(),
            _ => false,
        };
        let name = self.name_of(function);
        is_meant && arguments.part_count() == 0 && !self.builder.is_bound(name)
    }

    /// `globals()["name"]` is the global of that name.
    pub(super) fn named_global(&mut self, subscript: Node<'t>) -> Option<PlaceId> {
        let value = subscript.child_by_field_name("value")?;
        if value.kind() != "call" || self.text_of(value) != "globals()" {
            return None;
        }
        let globals = self.builder.name("globals");
        let key = subscript.child_by_field_name("subscript")?;
        let text = self.literal(key);
        let text = self.constant_text(text)?;
        let name = self.builder.name(&text);
        if self.builder.is_bound(globals) || !self.builder.is_of_file(name) {
            return None;
        }
        self.builder.key_use(name, position(key));
        Some(self.builder.use_name(name, position(key)))
    }

    /// Who gets such a table, and who has a text evaluated that comes as data, may call whatever the file has.
    pub(super) fn note_own_table(&mut self, call: Node<'t>, callee: PlaceId) {
        let Some(function) = call.child_by_field_name("function") else {
            return;
        };
        let is_open = match self.text_of(function) {
            "eval" | "exec" => self.is_evaluated_here(function, call),
            _ => self.is_own_table(call) && !is_looked_up(call),
        };
        if is_open {
            let own = self.own_module(position(call));
            self.builder.facts.computed_members.push((own, callee));
        }
    }

    /// Whether such a text is one that nobody wrote down, and names what this file has.
    fn is_evaluated_here(&mut self, function: Node<'t>, call: Node<'t>) -> bool {
        let mut given = call.child_by_field_name("arguments").into_iter().flat_map(children);
        let (Some(text), other) = (given.next(), given.next()) else {
            return false;
        };
        let name = self.name_of(function);
        text.kind() != "string" && other.is_none() && !self.builder.is_bound(name)
    }
}

/// Whether the table is asked for one name alone, or whether it has it.
fn is_looked_up(table: Node<'_>) -> bool {
    let Some(parent) = table.parent() else { return false };
    match parent.kind() {
        "subscript" => parent.child_by_field_name("value") == Some(table),
        "comparison_operator" => true,
        _ => false,
    }
}
