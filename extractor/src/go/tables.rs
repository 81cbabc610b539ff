//! Structures that are rows of tables: `func (Loan) TableName() string { return "loans" }`, or by the convention of gorm (<https://gorm.io/docs/conventions.html>).

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::Walker;
use crate::facts::{Name, Naming};
use crate::tree::{Parts, children};

/// What the methods of a file say: the type, and its table where that is a constant.
pub(super) type Tables = FxHashMap<String, Option<String>>;

impl<'t> Walker<'t> {
    /// The table of which the objects of a structure are rows.
    pub(super) fn table_of(&mut self, name: &str, body: Node<'t>) -> Option<Name> {
        if body.kind() != "struct_type" {
            return None;
        }
        if self.tables.is_none() {
            self.tables = Some(self.tables_told(body));
        }
        let told = self.tables.as_ref().and_then(|tables| tables.get(name).cloned());
        let fields = self.text_of(body);
        let by_convention = || fields.contains("gorm:\"") || fields.contains("gorm.Model");
        let table = match told {
            Some(told) => told?,
            None => by_convention().then(|| plural(&Naming::Snake.of(name)))?,
        };
        Some(self.builder.name(&table.to_lowercase()))
    }

    /// What the methods `TableName` of the file around a node give.
    fn tables_told(&self, inside: Node<'t>) -> Tables {
        let mut tables = Tables::default();
        let file = std::iter::successors(Some(inside), Node::parent).last();
        let methods = file.into_iter().flat_map(children);
        for method in methods.filter(|node| node.kind() == "method_declaration") {
            let text = |field: &str| {
                let node = method.child_by_field_name(field);
                node.map_or("", |node| self.text_of(node))
            };
            if text("name") == "TableName" {
                let receiver = text("receiver").trim_matches(['(', ')']);
                let owner = receiver.rsplit([' ', '*']).next().unwrap_or(receiver);
                let owner = owner.split('[').next().unwrap_or(owner);
                tables.insert(owner.to_owned(), self.constant_given(method));
            }
        }
        tables
    }

    /// The text that a method gives, and nothing else.
    fn constant_given(&self, method: Node<'t>) -> Option<String> {
        let body = method.child_by_field_name("body")?;
        let inner = children(body)
            .find(|child| child.kind() == "statement_list")
            .unwrap_or(body);
        let mut statements = children(inner).filter(|child| child.kind() != "comment");
        let only = statements.next().filter(|only| only.kind() == "return_statement")?;
        let value = only.part(0)?;
        let value = match value.kind() {
            "expression_list" => value.part(0)?,
            _ => value,
        };
        let is_text = matches!(value.kind(), "interpreted_string_literal" | "raw_string_literal");
        let text = self.text_of(value).trim_matches(['"', '`']);
        (is_text && statements.next().is_none()).then(|| text.to_owned())
    }
}

/// `category` is `categories`.
fn plural(word: &str) -> String {
    let ends = |ends: &[&str]| ends.iter().any(|end| word.ends_with(end));
    match word.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}
