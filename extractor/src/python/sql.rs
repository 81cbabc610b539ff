//! Statements of SQL as Python writes them: in pieces, with holes, under a name.
//!
//! ```python
//! cursor.execute("INSERT INTO people (age) " "VALUES (%s)", (age,))
//! connection.execute(text(f"INSERT INTO {table} (age) VALUES (:age)"), {"age": age})
//! ```

use tree_sitter::Node;

use super::Walker;
use super::format::{Pattern, braces, percents};
use crate::facts::Name;
use crate::sql::HOLE;
use crate::tree::{Parts, children};

/// Pieces in pieces.
const DEPTH_LIMIT: u8 = 8;

/// What makes a statement of a text, or a text of it: the last part of the callee's name.
const WRAPPERS: [&str; 5] = ["text", "SQL", "dedent", "cleandoc", "TextClause"];

impl<'t> Walker<'t> {
    /// The statement that an expression is, if it is one.
    pub(super) fn statement_given(&mut self, node: Node<'t>) -> Option<Name> {
        let text = self.text_with_holes(node, DEPTH_LIMIT)?;
        self.builder.statement(&text)
    }

    /// A text of which pieces may not be known.
    fn text_with_holes(&mut self, node: Node<'t>, depth: u8) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        match node.kind() {
            "string" => {
                let pieces = children(node).map(|piece| match piece.kind() {
                    "string_content" => self.text_of(piece).to_owned(),
                    "interpolation" => HOLE.to_owned(),
                    _ => String::new(),
                });
                Some(pieces.collect())
            }
            "concatenated_string" => children(node).map(|piece| self.text_with_holes(piece, depth)).collect(),
            "parenthesized_expression" => self.text_with_holes(node.part(0)?, depth),
            "binary_operator" => {
                let left = self.text_with_holes(node.child_by_field_name("left")?, depth)?;
                match node.child_by_field_name("operator")?.kind() {
                    "%" => Some(holed(&percents(&left)?)),
                    "+" => {
                        let right = self.text_with_holes(node.child_by_field_name("right")?, depth);
                        Some(left + right.as_deref().unwrap_or(HOLE))
                    }
                    _ => None,
                }
            }
            "call" => self.text_made(node, depth),
            "identifier" => {
                let named = self.named_text(node).or_else(|| {
                    let name = self.name_of(node);
                    let place = self.builder.only_definition(name)?;
                    self.constants.get(&place).copied()
                })?;
                self.text_with_holes(named, depth)
            }
            _ => None,
        }
    }

    /// `text("…")`, `"…".format(table)`, `"…".strip()`.
    fn text_made(&mut self, call: Node<'t>, depth: u8) -> Option<String> {
        let function = call.child_by_field_name("function")?;
        let name = match function.kind() {
            "attribute" => function.child_by_field_name("attribute")?,
            "identifier" => function,
            _ => return None,
        };
        let name = self.text_of(name);
        if WRAPPERS.contains(&name) {
            let first = call.child_by_field_name("arguments")?.part(0)?;
            return self.text_with_holes(first, depth);
        }
        let object = function.child_by_field_name("object")?;
        match name {
            "strip" | "rstrip" | "lstrip" => self.text_with_holes(object, depth),
            "format" => {
                let text = self.text_with_holes(object, depth)?;
                Some(holed(&braces(&text)?))
            }
            _ => None,
        }
    }
}

/// The text of a template, a hole for each piece that is filled in.
fn holed(pattern: &Pattern) -> String {
    let pieces = pattern.pieces.iter().map(|piece| piece.before.clone() + HOLE);
    pieces.collect::<String>() + &pattern.tail
}
