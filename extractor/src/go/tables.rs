//! Structures that are rows of tables: `func (Loan) TableName() string { return "loans" }`, or by the convention of gorm (<https://gorm.io/docs/conventions.html>).

use tree_sitter::Node;

use super::Walker;
use crate::facts::Name;
use crate::tree::children;

impl<'t> Walker<'t> {
    /// The table of which the objects of a structure are rows.
    pub(super) fn table_of(&mut self, name: &str, body: Node<'t>) -> Option<Name> {
        if body.kind() != "struct_type" {
            return None;
        }
        let told = self.table_told(name, body);
        let fields = self.text_of(body);
        let by_convention = || fields.contains("gorm:\"") || fields.contains("gorm.Model");
        let table = told.or_else(|| by_convention().then(|| plural(&super::types::column_of(name))))?;
        Some(self.builder.name(&table.to_lowercase()))
    }

    /// What its method `TableName` gives.
    fn table_told(&self, name: &str, body: Node<'t>) -> Option<String> {
        if !self.text.contains("TableName() string") {
            return None;
        }
        let file = std::iter::successors(Some(body), Node::parent).last()?;
        let methods = children(file).filter(|node| node.kind() == "method_declaration");
        let mut methods = methods.filter(|method| {
            let text = |field: &str| method.child_by_field_name(field).map_or("", |node| self.text_of(node));
            let receiver = text("receiver").trim_end_matches(')');
            text("name") == "TableName" && receiver.rsplit([' ', '*', '(']).next() == Some(name)
        });
        let body = methods.next()?.child_by_field_name("body")?;
        let (_, given) = self.text_of(body).split_once("return")?;
        let (_, quoted) = given.split_once('"')?;
        Some(quoted.split_once('"')?.0.to_owned())
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
