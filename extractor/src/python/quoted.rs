//! Annotations in quotes: `"Order"`, `"list[shop.Order] | None"`.
//!
//! ```python
//! def total(orders: "Iterable[Order]"): ...      # read as if it stood there without quotes
//! ```

use tree_sitter::Node;

use super::Walker;
use super::annotation::is_identifier;
use crate::facts::{TypeExpression, TypeExpressionId};

/// How deep one that is read has others in it.
const DEPTH_LIMIT: usize = 8;

impl<'t> Walker<'t> {
    /// The type that a text in quotes means. What is not made of names, `[…]` and `|` is not followed.
    pub(super) fn quoted(&mut self, node: Node<'t>) -> Option<TypeExpression> {
        let text = self.constant_text(node)?;
        self.written(&text, DEPTH_LIMIT)
    }

    fn written(&mut self, text: &str, depth: usize) -> Option<TypeExpression> {
        let text = text.trim().trim_matches(['"', '\'']);
        let depth = depth.checked_sub(1)?;
        let sides: Vec<&str> = split(text, '|').into_iter().map(str::trim).collect();
        let known: Vec<&str> = sides.iter().copied().filter(|side| *side != "None").collect();
        match known.as_slice() {
            [] => None,
            [one] if sides.len() == 1 => self.one_written(one, depth),
            [one] => self.written(one, depth),
            several => {
                let sides = several.iter().map(|side| self.written_id(side, depth)).collect();
                Some(TypeExpression::Union(sides))
            }
        }
    }

    fn one_written(&mut self, text: &str, depth: usize) -> Option<TypeExpression> {
        let (head, inside) = match text.strip_suffix(']').map(|text| text.split_once('[')) {
            Some(parts) => parts?,
            None => (text, ""),
        };
        let head = head.trim();
        if head == "Any" || !head.split('.').all(is_identifier) {
            return None;
        }
        let path = TypeExpression::Path {
            parts: head.split('.').map(|name| self.builder.name(name)).collect(),
            function: self.builder.function(),
        };
        if inside.is_empty() {
            return Some(path);
        }
        let name = self.name_of_generic(head);
        if name == "Literal" {
            return None;
        }
        let arguments = split(inside, ',');
        let is_open = arguments.last().is_some_and(|last| last.trim() == "...");
        let arguments = arguments
            .into_iter()
            .map(|argument| self.written_id(argument, depth))
            .collect();
        self.generic_of(&name, arguments, is_open, |_| Some(path))
    }

    fn written_id(&mut self, text: &str, depth: usize) -> TypeExpressionId {
        let expression = self.written(text, depth).unwrap_or(TypeExpression::Unknown);
        self.builder.type_expression(expression)
    }
}

/// A text in pieces, at a sign that stands in no brackets.
fn split(text: &str, sign: char) -> Vec<&str> {
    let (mut pieces, mut start, mut open) = (Vec::new(), 0, 0i32);
    for (at, character) in text.char_indices() {
        match character {
            '[' | '(' => open += 1,
            ']' | ')' => open -= 1,
            _ if character == sign && open == 0 => {
                pieces.push(&text[start..at]);
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn pieces() {
        let check = |text, sign, expected: &[&str]| assert_eq!(split(text, sign), expected, "{text}");
        check("A", '|', &["A"]);
        check("A | None", '|', &["A ", " None"]);
        check("dict[str, A | B]|C", '|', &["dict[str, A | B]", "C"]);
        check("str, list[A, B]", ',', &["str", " list[A, B]"]);
        check("]]", ',', &["]]"]);
        check("", '|', &[""]);
    }
}
