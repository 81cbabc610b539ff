//! Statements of SQL as Go writes them: in pieces, with holes, under a name.
//!
//! ```go
//! const insert = `INSERT INTO people (age) ` +
//!     `VALUES ($1)`
//! db.Exec(insert, age)
//! db.Exec(fmt.Sprintf("INSERT INTO %s (age) VALUES (?)", table), age)
//! ```

use tree_sitter::Node;

use super::Walker;
use crate::facts::{Constant, ElementKey, Name};
use crate::sql::HOLE;
use crate::tree::{Parts, children};

/// Pieces in pieces.
const DEPTH_LIMIT: u8 = 8;

impl<'t> Walker<'t> {
    /// The statement that an expression is, if it is one.
    pub(super) fn statement_given(&mut self, node: Node<'t>) -> Option<Name> {
        let text = self.text_with_holes(node, DEPTH_LIMIT)?;
        self.builder.statement(&text)
    }

    /// A variable that holds a statement which is put together.
    pub(super) fn note_statement(&mut self, target: Node<'t>, given: Option<Node<'t>>) {
        let is_put_together = |node: &Node<'t>| matches!(node.kind(), "binary_expression" | "call_expression");
        if target.kind() != "identifier" || !given.as_ref().is_some_and(is_put_together) {
            return;
        }
        if let Some(statement) = given.and_then(|given| self.statement_given(given)) {
            let name = self.name_of(target);
            if let Some(place) = self.builder.only_definition(name) {
                self.constants.insert(place, ElementKey::Text(statement));
            }
        }
    }

    /// A text of which pieces may not be known.
    fn text_with_holes(&mut self, node: Node<'t>, depth: u8) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        match node.kind() {
            "interpreted_string_literal" | "raw_string_literal" => self.constant_text(node),
            "parenthesized_expression" => self.text_with_holes(node.part(0)?, depth),
            "binary_expression" => {
                if node.child_by_field_name("operator")?.kind() != "+" {
                    return None;
                }
                let left = self.text_with_holes(node.child_by_field_name("left")?, depth)?;
                let right = self.text_with_holes(node.child_by_field_name("right")?, depth);
                Some(left + right.as_deref().unwrap_or(HOLE))
            }
            "call_expression" => {
                let function = node.child_by_field_name("function")?;
                if self.text_of(function) != "fmt.Sprintf" {
                    return None;
                }
                let format = children(node.child_by_field_name("arguments")?).next()?;
                let text = self.text_with_holes(format, depth)?;
                Some(filled(&text))
            }
            "identifier" => match self.constant_key(node).or_else(|| self.text_held(node)) {
                Some(ElementKey::Text(text)) => Some(self.builder.facts.text(text).to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The constant text that a variable certainly holds.
    fn text_held(&mut self, node: Node<'t>) -> Option<ElementKey> {
        match self.constant(node)? {
            Constant::Text(text) => Some(ElementKey::Text(text)),
            _ => None,
        }
    }
}

/// The text that a format gives, a hole for each verb.
fn filled(format: &str) -> String {
    let mut written = String::with_capacity(format.len());
    let mut rest = format;
    while let Some((before, behind)) = rest.split_once('%') {
        written.push_str(before);
        if let Some(behind) = behind.strip_prefix('%') {
            written.push('%');
            rest = behind;
            continue;
        }
        written.push_str(HOLE);
        let verb = behind.find(|letter: char| letter.is_ascii_alphabetic());
        rest = verb.map_or("", |at| &behind[at + 1..]);
    }
    written + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_holes() {
        let filled = filled("SELECT %s FROM %[1]s WHERE a LIKE 'b%%' AND c = %5.2f;");
        assert_eq!(
            filled,
            format!("SELECT {HOLE} FROM {HOLE} WHERE a LIKE 'b%' AND c = {HOLE};")
        );
    }
}
