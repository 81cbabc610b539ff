//! Names that are put together: texts of which a part is constant.
//!
//! `f"visit_{kind}"`, `"visit_" + kind`, `"visit_%s" % kind` and `"visit_{}".format(kind)` are all `visit_*`: what is known of
//! the text, with a `*` for what is not.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::Walker;

/// How deep sums of texts nest before they are cut.
const DEPTH_LIMIT: u32 = 16;

impl<'t> Walker<'t> {
    /// What is known of the text that an expression makes, with a `*` for what is not; none where nothing is.
    pub(super) fn composed_text(&mut self, node: Node<'t>) -> Option<String> {
        let text = self.compose(node, DEPTH_LIMIT)?;
        let (first, last) = match (text.split_once('*'), text.rsplit_once('*')) {
            (Some((first, _)), Some((_, last))) => (first, last),
            _ => return Some(text),
        };
        // `_*` fits too much to say anything.
        let is_telling = first.chars().chain(last.chars()).any(char::is_alphanumeric);
        is_telling.then(|| format!("{first}*{last}"))
    }

    fn compose(&mut self, node: Node<'t>, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        match node.kind() {
            "string" => {
                let mut text = String::new();
                for part in children(node) {
                    match part.kind() {
                        "string_content" => text.push_str(self.text_of(part)),
                        "interpolation" => match part.part(0).filter(|_| part.part_count() == 1) {
                            Some(inner) => text.push_str(&self.part_put_in(inner)),
                            None => text.push('*'),
                        },
                        _ => {}
                    }
                }
                Some(text)
            }
            "parenthesized_expression" => self.compose(node.part(0)?, depth),
            "identifier" | "attribute" => match self.named_text(node) {
                Some(named) => self.compose(named, depth),
                None => Some(self.part_put_in(node)).filter(|text| text != "*"),
            },
            "binary_operator" => {
                let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
                match self.text_of(node.child_by_field_name("operator")?) {
                    "+" => {
                        let (left, right) = (self.compose(left, depth), self.compose(right, depth));
                        (left.is_some() || right.is_some()).then(|| {
                            let part = |side: Option<String>| side.unwrap_or_else(|| "*".to_owned());
                            part(left) + &part(right)
                        })
                    }
                    "%" if left.kind() == "string" => Some(holes(&self.constant_text(left)?, '%')),
                    _ => None,
                }
            }
            "call" => {
                let function = node.child_by_field_name("function")?;
                let text = function.child_by_field_name("object")?;
                let method = function.child_by_field_name("attribute")?;
                let is_format = text.kind() == "string" && self.text_of(method) == "format";
                is_format.then(|| Some(holes(&self.constant_text(text)?, '{')))?
            }
            _ => None,
        }
    }
}

impl<'t> Walker<'t> {
    /// The text that an expression puts into another, or a `*`.
    fn part_put_in(&mut self, inner: Node<'t>) -> String {
        let value = self.value_of(inner);
        let text = value.as_ref().and_then(super::evaluate::shown);
        let literal = text.is_none().then(|| self.literal(inner));
        let text = text.or_else(|| literal.and_then(|literal| self.constant_text(literal)));
        text.unwrap_or_else(|| "*".to_owned())
    }
}

/// A text with a `*` for what is put in: from the first hole to the last, whatever stands between them.
fn holes(text: &str, opening: char) -> String {
    let Some((first, rest)) = text.split_once(opening) else {
        return text.to_owned();
    };
    let last = match opening {
        '{' => rest.rsplit_once('}').map_or("", |(_, last)| last),
        // `%s`, `%-8d`, `%(name)s`: a letter ends it.
        _ => {
            let last = rest.rsplit_once(opening).map_or(rest, |(_, last)| last);
            let last = last.rsplit_once(')').map_or(last, |(_, last)| last);
            let end = last.find(char::is_alphabetic).map_or(last.len(), |end| end + 1);
            last.get(end..).unwrap_or_default()
        }
    };
    format!("{first}*{last}")
}

/// A sum or a formatted text, which may be a name that is put together.
pub(super) fn is_composed(node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_operator" | "call")
}
