//! Names that are put together: texts of which a part is constant.
//!
//! `f"visit_{kind}"`, `"visit_" + kind`, `"visit_%s" % kind` and `"visit_{}".format(kind)` are all `visit_*`: what is known of
//! the text, with a `*` for what is not. Where `kind` is a constant, all of it is known.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::Walker;
use super::format::{Pattern, Selector, braces, percents};
use crate::facts::PlaceId;

/// How deep sums of texts nest before they are cut.
const DEPTH_LIMIT: u32 = 16;

impl<'t> Walker<'t> {
    /// What is known of the text that an expression makes, with a `*` for what is not; none where nothing is.
    pub(super) fn composed_text(&mut self, node: Node<'t>) -> Option<String> {
        let text = self.compose(node, DEPTH_LIMIT, &mut Vec::new())?;
        let (first, last) = match (text.split_once('*'), text.rsplit_once('*')) {
            (Some((first, _)), Some((_, last))) => (first, last),
            _ => return Some(text),
        };
        // `_*` fits too much to say anything.
        let is_telling = first.chars().chain(last.chars()).any(char::is_alphanumeric);
        is_telling.then(|| format!("{first}*{last}"))
    }

    /// The one part of such a text that is not known, with what stands before it and behind it.
    pub(super) fn composed_around(&mut self, node: Node<'t>) -> Option<(String, Node<'t>, String)> {
        let mut holes = Vec::new();
        let text = self.compose(node, DEPTH_LIMIT, &mut holes)?;
        let (before, behind) = text.split_once('*')?;
        match holes.as_slice() {
            [hole] if !behind.contains('*') => Some((before.to_owned(), *hole, behind.to_owned())),
            _ => None,
        }
    }

    /// Notes what is put together around one of the parts of an expression, which were looked at.
    pub(super) fn note_composed(&mut self, node: Node<'t>, made: PlaceId, parts: &[(Node<'t>, Option<PlaceId>)]) {
        let Some((before, hole, behind)) = self.composed_around(node) else {
            return;
        };
        let found = parts.iter().find(|(part, _)| part.id() == hole.id());
        if let Some((_, Some(value))) = found {
            return self.builder.note_composed(made, (&before, *value, &behind));
        }
        // `"u_" + name + "_7d"`: the value stands in one of the two sides.
        let mut known = parts
            .iter()
            .map(|(part, _)| self.compose(*part, DEPTH_LIMIT, &mut Vec::new()));
        let (first, second) = (known.next().flatten(), known.next().flatten());
        let is_whole = |text: &String| !text.contains('*');
        match (first.filter(is_whole), second.filter(is_whole), parts) {
            (Some(before), None, [_, (_, Some(value))]) => self.builder.note_composed(made, (&before, *value, "")),
            (None, Some(behind), [(_, Some(value)), _]) => self.builder.note_composed(made, ("", *value, &behind)),
            _ => {}
        }
    }

    fn compose(&mut self, node: Node<'t>, depth: u32, holes: &mut Vec<Node<'t>>) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        match node.kind() {
            "string" => {
                let mut text = String::new();
                let is_format = children(node).any(|part| part.kind() == "interpolation");
                for part in children(node) {
                    match part.kind() {
                        "string_content" if is_format => {
                            text.push_str(&self.text_of(part).replace("{{", "{").replace("}}", "}"));
                        }
                        "string_content" => text.push_str(self.text_of(part)),
                        "interpolation" => {
                            let inner = part.part(0).filter(|_| part.part_count() == 1);
                            text.push_str(&self.part_of_name(inner.unwrap_or(part), depth, holes));
                        }
                        _ => {}
                    }
                }
                Some(text)
            }
            "integer" => Some(self.text_of(node).to_owned()),
            "parenthesized_expression" => self.compose(node.part(0)?, depth, holes),
            "identifier" | "attribute" => match self.named_text(node) {
                Some(named) => self.compose(named, depth, holes),
                None => self.text_worked_out(node),
            },
            "binary_operator" => {
                let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
                match self.text_of(node.child_by_field_name("operator")?) {
                    "+" => {
                        let sides = [left, right].map(|side| self.part_of_name(side, depth, holes));
                        (sides != ["*", "*"]).then(|| sides.concat())
                    }
                    "%" if left.kind() == "string" => {
                        let pattern = percents(&self.constant_text(left)?)?;
                        let given: Vec<Node<'t>> = match right.kind() {
                            "tuple" => children(right).collect(),
                            _ => vec![right],
                        };
                        Some(self.filled(&pattern, &given, depth, holes))
                    }
                    _ => None,
                }
            }
            "call" => {
                let function = node.child_by_field_name("function")?;
                let given: Vec<Node<'t>> = node
                    .child_by_field_name("arguments")
                    .into_iter()
                    .flat_map(children)
                    .collect();
                let (Some(text), Some(method)) = (
                    function.child_by_field_name("object"),
                    function.child_by_field_name("attribute"),
                ) else {
                    let is_text = self.text_of(function) == "str" && given.len() == 1;
                    return is_text.then(|| self.compose(given[0], depth, holes))?;
                };
                match (self.text_of(method), given.as_slice()) {
                    ("format", _) if text.kind() == "string" => {
                        let pattern = braces(&self.constant_text(text)?)?;
                        Some(self.filled(&pattern, &given, depth, holes))
                    }
                    ("join", [parts]) if matches!(parts.kind(), "list" | "tuple") => {
                        let between = self.constant_text(text)?;
                        let parts = children(*parts).map(|part| self.part_of_name(part, depth, holes));
                        Some(parts.collect::<Vec<_>>().join(&between))
                    }
                    ("replace", [from, to]) => {
                        let [from, to] = [*from, *to].map(|part| self.constant_text(part));
                        let text = self.compose(text, depth, holes)?;
                        let text = Some(text).filter(|text| !text.contains('*'))?;
                        Some(text.replace(&from?, &to?))
                    }
                    (method, []) => {
                        let text = self.compose(text, depth, holes)?;
                        let text = Some(text).filter(|text| !text.contains('*'))?;
                        Some(match method {
                            "lower" | "casefold" => text.to_lowercase(),
                            "upper" => text.to_uppercase(),
                            "strip" => text.trim().to_owned(),
                            _ => return None,
                        })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A part of a name: a `*` if it is not known.
    fn part_of_name(&mut self, node: Node<'t>, depth: u32, holes: &mut Vec<Node<'t>>) -> String {
        let before = holes.len();
        if let Some(text) = self.compose(node, depth, holes) {
            return text;
        }
        holes.truncate(before);
        self.text_worked_out(node).unwrap_or_else(|| {
            holes.push(node);
            "*".to_owned()
        })
    }

    /// The text of a value that can be worked out.
    fn text_worked_out(&mut self, node: Node<'t>) -> Option<String> {
        let value = self.value_of(node);
        let text = value.as_ref().and_then(super::value::shown);
        let literal = text.is_none().then(|| self.literal(node));
        text.or_else(|| self.constant_text(literal?))
    }

    /// What a template makes of arguments that are given one by one.
    fn filled(&mut self, pattern: &Pattern, given: &[Node<'t>], depth: u32, holes: &mut Vec<Node<'t>>) -> String {
        let mut text = String::new();
        for piece in &pattern.pieces {
            text.push_str(&piece.before);
            let value = match &piece.value {
                Selector::Position(index) => given.get(*index).copied(),
                Selector::Name(name) => given
                    .iter()
                    .find(|own| {
                        let keyword = own.child_by_field_name("name");
                        keyword.is_some_and(|keyword| self.text_of(keyword) == name)
                    })
                    .and_then(|own| own.child_by_field_name("value")),
            };
            match value.filter(|_| piece.is_plain) {
                Some(value) => text.push_str(&self.part_of_name(value, depth, holes)),
                None => {
                    holes.extend(given.first());
                    text.push('*');
                }
            }
        }
        text + &pattern.tail
    }
}

/// A sum or a formatted text, which may be a name that is put together.
pub(super) fn is_composed(node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_operator" | "call")
}
