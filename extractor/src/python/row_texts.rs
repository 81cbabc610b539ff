//! Texts that are made of the texts of an item, where these are known.
//!
//! ```python
//! NAMES = {"amt": "amount", "cc": "country"}
//! {NAMES[key]: value for key, value in form.items() if key in NAMES}     # "amount" is `form["amt"]`
//! {f"{key}_raw".lower(): value for key, value in row.items()}            # a row that is known: "amt_raw"
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::rows::{OF_TEXTS, ROW_LIMIT, Row};
use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{ContainerKind, ElementKey};

/// How deep expressions are looked into.
const DEPTH_LIMIT: u8 = 6;

/// Longest text that is worked out.
const LENGTH_LIMIT: usize = 200;

impl<'t> Walker<'t> {
    /// The text that an expression gives for one item, if that has to do with the item and is known.
    pub(super) fn text_for(&mut self, node: Node<'t>, row: &Row, depth: u8) -> Option<String> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "identifier" => {
                let name = self.builder.known_name(self.text_of(node))?;
                let (_, part) = row.iter().rev().find(|(bound, _)| *bound == name)?;
                let text = part.text.filter(|_| part.place.is_none())?;
                Some(self.builder.facts.text(text).to_owned())
            }
            "parenthesized_expression" => self.text_for(node.part(0)?, row, depth + 1),
            "string" => {
                let mut text = String::new();
                let mut is_of_item = false;
                for part in children(node) {
                    match part.kind() {
                        "string_content" if !self.text_of(part).contains(['\\', '{', '}']) => {
                            text.push_str(self.text_of(part));
                        }
                        "interpolation" if part.part_count() == 1 && !self.text_of(part).contains('=') => {
                            is_of_item = true;
                            text.push_str(&self.text_for(part.part(0)?, row, depth + 1)?);
                        }
                        "string_start" | "string_end" => {}
                        _ => return None,
                    }
                }
                (is_of_item && text.len() < LENGTH_LIMIT).then_some(text)
            }
            "binary_operator" => {
                if node.child_by_field_name("operator")?.kind() != "+" {
                    return None;
                }
                let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
                let known = [
                    self.text_for(sides[0]?, row, depth + 1),
                    self.text_for(sides[1]?, row, depth + 1),
                ];
                if known.iter().all(Option::is_none) {
                    return None;
                }
                let mut joined = String::new();
                for (side, known) in sides.into_iter().zip(known) {
                    let text = known.or_else(|| {
                        let literal = self.literal(side?);
                        self.constant_text(literal)
                    });
                    joined.push_str(&text?);
                }
                (joined.len() < LENGTH_LIMIT).then_some(joined)
            }
            "subscript" => {
                if let Some(part) = self.part_of_item(node, row) {
                    let text = part.text.filter(|_| part.place.is_none())?;
                    return Some(self.builder.facts.text(text).to_owned());
                }
                let key = self.text_for(node.child_by_field_name("subscript")?, row, depth + 1)?;
                self.text_in_table(node.child_by_field_name("value")?, &key).flatten()
            }
            "call" => self.text_called(node, row, depth),
            _ => None,
        }
    }

    /// `rule["column"]` of an item that is a dict or a tuple of which all parts are known.
    fn part_of_item(&mut self, node: Node<'t>, row: &Row) -> Option<Part> {
        let item = node
            .child_by_field_name("value")
            .filter(|item| item.kind() == "identifier")?;
        let name = self.builder.known_name(self.text_of(item))?;
        let (_, held) = row.iter().rev().find(|(bound, _)| *bound == name)?;
        let shape = self.builder.shape(held.place?)?.clone();
        let key = node.child_by_field_name("subscript")?;
        let key = match key.kind() {
            "integer" => ElementKey::Index(self.text_of(key).parse().ok()?),
            _ => {
                let literal = self.literal(key);
                let text = self.constant_text(literal)?;
                ElementKey::Text(self.builder.name(&text))
            }
        };
        shape.part(key)
    }

    fn text_called(&mut self, node: Node<'t>, row: &Row, depth: u8) -> Option<String> {
        let function = node.child_by_field_name("function")?;
        let object = function.child_by_field_name("object")?;
        let method = self.text_of(function.child_by_field_name("attribute")?);
        let given = node.child_by_field_name("arguments")?;
        if method == "get" {
            let key = self.text_for(given.part(0)?, row, depth + 1)?;
            let is_told = self.is_told_table(object);
            return match self.text_in_table(object, &key) {
                Some(found) => found,
                None => self.text_for(given.part(1).filter(|_| is_told)?, row, depth + 1),
            };
        }
        if given.part_count() > 0 || !OF_TEXTS.contains(&method) || self.text.contains(&format!("def {method}(")) {
            return None;
        }
        let text = self.text_for(object, row, depth + 1)?;
        Some(match method {
            "lower" | "casefold" => text.to_lowercase(),
            "upper" => text.to_uppercase(),
            "strip" => text.trim().to_owned(),
            "lstrip" => text.trim_start().to_owned(),
            "rstrip" => text.trim_end().to_owned(),
            _ => return None,
        })
    }

    fn is_told_table(&mut self, table: Node<'t>) -> bool {
        self.display_named(table)
            .is_some_and(|display| display.kind() == "dictionary")
    }

    /// What a table of the file that nobody changes has under a key: none if it has nothing there, and in that none if it is no constant text.
    fn text_in_table(&mut self, table: Node<'t>, key: &str) -> Option<Option<String>> {
        let display = self
            .display_named(table)
            .filter(|display| display.kind() == "dictionary")?;
        let mut found = None;
        for pair in children(display).filter(|part| part.kind() != "comment") {
            let Some(written) = pair.child_by_field_name("key") else {
                return Some(None);
            };
            match self.constant_text(written) {
                Some(text) if text == key => {
                    let value = pair.child_by_field_name("value")?;
                    found = Some(self.constant_text(value));
                }
                Some(_) => {}
                None => return Some(None),
            }
        }
        found
    }

    /// The items of `form.items()` that a comprehension takes: those under the keys that a table names, each with its part of the mapping.
    pub(super) fn items_by_table(&mut self, comprehension: Node<'t>, source: Node<'t>) -> Option<Vec<Part>> {
        let mut clauses = children(comprehension).filter(|clause| clause.kind() == "for_in_clause");
        let (clause, None) = (clauses.next()?, clauses.next()) else {
            return None;
        };
        let (targets, body) = (
            clause.child_by_field_name("left")?,
            comprehension.child_by_field_name("body")?,
        );
        let mapping = self.items_of_mapping(source)?;
        let key = targets.part(0).filter(|key| key.kind() == "identifier")?;
        if targets.part_count() != 2 || body.kind() != "pair" || self.picked(comprehension, body).is_some() {
            return None;
        }
        let mut texts = None;
        let conditions = children(comprehension).filter(|clause| clause.kind() == "if_clause");
        for condition in conditions.flat_map(children) {
            if let Some((left, "in", right)) = super::truth::sides(condition)
                && self.text_of(left) == self.text_of(key)
            {
                texts = texts.or_else(|| self.texts_listed(right));
            }
        }
        let renamed = body
            .child_by_field_name("key")
            .filter(|written| written.kind() == "subscript");
        if let (None, Some(renamed)) = (&texts, renamed) {
            let by = renamed.child_by_field_name("subscript")?;
            let table = renamed.child_by_field_name("value")?;
            if self.text_of(by) == self.text_of(key) && self.is_told_table(table) {
                texts = self.texts_listed(table);
            }
        }
        let texts = texts.filter(|texts| texts.len() <= ROW_LIMIT)?;
        let (base, at) = (self.look(mapping)?, position(source));
        let item = |walker: &mut Self, text: &String| {
            let text = walker.builder.name(text);
            let part = walker.builder.element_load(base, ElementKey::Text(text), at);
            let parts = [
                Part {
                    text: Some(text),
                    ..Part::default()
                },
                Part {
                    place: Some(part),
                    ..Part::default()
                },
            ];
            let pair = walker.builder.make(Shape::sequence(ContainerKind::Tuple, parts), at);
            Part {
                place: Some(pair),
                ..Part::default()
            }
        };
        Some(texts.iter().map(|text| item(self, text)).collect())
    }

    /// The mapping of which `mapping.items()` gives the items.
    pub(super) fn items_of_mapping(&self, source: Node<'t>) -> Option<Node<'t>> {
        let function = source.child_by_field_name("function")?;
        let is_items = function.kind() == "attribute"
            && self.text_of(function.child_by_field_name("attribute")?) == "items"
            && source.child_by_field_name("arguments")?.part_count() == 0;
        function.child_by_field_name("object").filter(|_| is_items)
    }
}
