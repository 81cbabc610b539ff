//! Mappings that are made of others by their keys.
//!
//! ```python
//! clean = {key: value for key, value in user.items() if key != "password"}      # all of `user` but one part
//! slim = {key: value for key, value in user.items() if key in ("name", "city")} # two parts of it
//! vector = [user[name] for name in COLUMNS]                                     # those that a list of the file names, in order
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::Walker;
use super::rows::OF_TEXTS;
use crate::facts::builder::Part;
use crate::facts::{ElementKey, Name, PlaceId, Position};

/// Which keys pass the conditions of a comprehension.
#[derive(Debug, Default)]
pub(super) struct Picked {
    /// None but these.
    only: Option<Vec<String>>,
    /// None of these.
    except: Vec<String>,
    /// Keys are written otherwise, or hold another text of the same: `{key.lower(): value.strip() for …}`.
    pub(super) is_respelled: bool,
}

impl<'t> Walker<'t> {
    /// The items of a list of constant texts of the file that nobody changes.
    pub(super) fn named_items(&mut self, source: Node<'t>) -> Option<Vec<Part>> {
        let display = self.display_named(source)?;
        self.texts_as_items(display)
    }

    /// The constant texts of a display, as items.
    pub(super) fn texts_as_items(&mut self, display: Node<'t>) -> Option<Vec<Part>> {
        let texts = self.texts_listed(display)?;
        let part = |walker: &mut Self, text: &String| Part {
            place: None,
            text: Some(walker.builder.name(text)),
            ..Part::default()
        };
        Some(texts.iter().map(|text| part(self, text)).collect())
    }

    /// The display of the file that a name stands for, and that nobody changes.
    pub(super) fn display_named(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        if node.kind() != "identifier" {
            return None;
        }
        let display = self.file_displays.get(self.text_of(node)).copied()?;
        let name = self.name_of(node);
        self.builder.is_of_file(name).then_some(display)
    }

    /// Copies the parts of a mapping under their keys.
    pub(super) fn pick(&mut self, (from, picked): (Node<'t>, Picked), container: PlaceId, at: Position) {
        let Some(from) = self.look(from) else { return };
        match picked.only {
            Some(only) => {
                for key in only.iter().filter(|key| !picked.except.contains(key)) {
                    let key = ElementKey::Text(self.builder.name(key));
                    let part = self.builder.element_load(from, key, at);
                    self.builder.element_store(container, key, Some(part), at);
                }
            }
            None => {
                let except: Vec<Name> = picked.except.iter().map(|key| self.builder.name(key)).collect();
                self.builder.copy_parts(from, container, 0, except, at);
            }
        }
    }

    /// `{key: value for key, value in from.items() if …}`: from where, and which keys.
    pub(super) fn picked(&mut self, comprehension: Node<'t>, body: Node<'t>) -> Option<(Node<'t>, Picked)> {
        let mut clauses = children(comprehension).filter(|clause| clause.kind() == "for_in_clause");
        let (clause, None) = (clauses.next()?, clauses.next()) else {
            return None;
        };
        let targets = clause.child_by_field_name("left")?;
        let mapping = self.items_of_mapping(clause.child_by_field_name("right")?)?;
        let [key, value] = ["key", "value"].map(|field| body.child_by_field_name(field));
        let (written, value) = (key?, unwrapped(value?));
        let (key, held) = (self.spelled(written), self.spelled(value));
        let is_pair = matches!(targets.kind(), "pattern_list" | "tuple_pattern") && targets.part_count() == 2;
        let same = |walker: &Self, one: Node<'t>, other: Node<'t>| {
            one.kind() == "identifier" && walker.text_of(one) == walker.text_of(other)
        };
        if !is_pair || !same(self, key, targets.part(0)?) {
            return None;
        }
        let mut picked = Picked {
            is_respelled: key != written,
            ..Picked::default()
        };
        if !same(self, held, targets.part(1)?) {
            // `"***" if key in SECRET else value`: those have nothing of the value.
            let (first, condition, second) = (value.part(0)?, value.part(1)?, value.part(2)?);
            let holds = same(self, first, targets.part(1)?);
            let other = if holds { second } else { first };
            if value.kind() != "conditional_expression"
                || !holds && !same(self, second, targets.part(1)?)
                || !matches!(other.kind(), "string" | "none" | "integer" | "float" | "true" | "false")
            {
                return None;
            }
            self.note_picked(condition, (key, holds), &mut picked);
        }
        for condition in children(comprehension).filter(|clause| clause.kind() == "if_clause") {
            for condition in children(condition) {
                self.note_picked(condition, (key, true), &mut picked);
            }
        }
        Some((mapping, picked))
    }

    /// The text of which an expression gives another spelling.
    pub(super) fn spelled(&self, node: Node<'t>) -> Node<'t> {
        let object = || {
            let function = node.child_by_field_name("function")?;
            let method = self.text_of(function.child_by_field_name("attribute")?);
            let is_plain = node.child_by_field_name("arguments")?.part_count() == 0;
            let object = function.child_by_field_name("object")?;
            (is_plain && OF_TEXTS.contains(&method)).then_some(object)
        };
        object().map_or(node, |object| self.spelled(object))
    }

    /// What a condition says of keys where it holds, or does not; one that says nothing lets all through.
    fn note_picked(&mut self, condition: Node<'t>, (key, holds): (Node<'t>, bool), picked: &mut Picked) {
        if condition.kind() == "boolean_operator" && super::narrow::is_and(condition) == holds {
            for side in ["left", "right"] {
                if let Some(side) = condition.child_by_field_name(side) {
                    self.note_picked(side, (key, holds), picked);
                }
            }
            return;
        }
        let Some((left, operator, right)) = super::truth::sides(condition) else {
            return;
        };
        if left.kind() != "identifier" || self.text_of(left) != self.text_of(key) {
            return;
        }
        let texts = match operator {
            "==" | "!=" => {
                let literal = self.literal(right);
                self.constant_text(literal).map(|text| vec![text])
            }
            "in" | "not in" => self.texts_listed(right),
            _ => None,
        };
        let is_among = matches!(operator, "==" | "in") == holds;
        match (texts, is_among) {
            (Some(texts), true) => match &mut picked.only {
                Some(only) => only.retain(|key| texts.contains(key)),
                None => picked.only = Some(texts),
            },
            (Some(texts), false) => picked.except.extend(texts),
            (None, _) => {}
        }
    }
}

fn unwrapped(node: Node<'_>) -> Node<'_> {
    let inner = node.part(0).filter(|_| node.kind() == "parenthesized_expression");
    inner.map_or(node, unwrapped)
}
