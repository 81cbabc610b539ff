//! What is asked of parts of a parameter: `event["kind"] == "click"`, `case ["set", name]`, `len(arguments) == 2`.
//!
//! ```python
//! def handle(event):
//!     if event["kind"] == "click":       # asks the part "kind" of what was handed in
//!         return event["at"]
//! handle({"kind": "key", "at": place})   # says what that part is: `place` does not come back
//! ```
//!
//! That holds as long as the function does nothing with the parameter that may change it, and so only of those that it reads.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::Walker;
use super::containers::{LOOKING, READING};
use crate::facts::builder::Part;
use crate::facts::{AskedPart, Constant, ContainerKind, Display, ElementKey, PlaceId, Question};

/// Something that is asked, and the answer.
pub(super) type Asked = (PlaceId, Question, Constant, bool);

impl<'t> Walker<'t> {
    /// What an argument says of its parts, as a constant.
    pub(super) fn display_given(&mut self, value: Node<'t>) -> Option<Constant> {
        let display = match value.kind() {
            "list" | "tuple" => {
                let parts: Vec<_> = children(value).filter(|part| part.kind() != "comment").collect();
                let is_plain = parts.iter().all(|part| part.kind() != "list_splat");
                let keyed = parts.into_iter().zip(0..);
                let parts = keyed
                    .filter(|_| is_plain)
                    .map(|(part, index)| (ElementKey::Index(index), self.constant(part)));
                let kind = if value.kind() == "list" {
                    ContainerKind::List
                } else {
                    ContainerKind::Tuple
                };
                is_plain.then_some(Display {
                    kind,
                    parts: parts.collect(),
                })?
            }
            "dictionary" => {
                let mut parts = Vec::new();
                for pair in children(value).filter(|part| part.kind() != "comment") {
                    let (key, held) = (pair.child_by_field_name("key")?, pair.child_by_field_name("value")?);
                    let key = self.constant_text(key)?;
                    let constant = self.constant(held);
                    let key = ElementKey::Text(self.builder.name(&key));
                    parts.retain(|(known, _)| *known != key);
                    parts.push((key, constant));
                }
                Display {
                    kind: ContainerKind::Map,
                    parts,
                }
            }
            "identifier" => {
                let name = self.name_of(value);
                let Some((_, shape)) = self.builder.shaped(name) else {
                    return self.named_display_given(value);
                };
                let told = |part: &Part| part.constant.or(part.text.map(Constant::Text));
                let parts = shape.parts.iter().map(|(key, part)| (*key, told(part)));
                Display {
                    kind: shape.kind,
                    parts: parts.collect(),
                }
            }
            _ => return None,
        };
        Some(self.builder.display(display))
    }

    /// The same of a dict of the file that nobody changes, by its name.
    fn named_display_given(&mut self, value: Node<'t>) -> Option<Constant> {
        let named = self.display_named(value)?;
        (named.kind() == "dictionary").then(|| self.display_given(named))?
    }

    /// What a comparison asks of a part of a parameter.
    pub(super) fn asked_by(&mut self, asked: Node<'t>) -> Option<PlaceId> {
        let (parameter, part) = match asked.kind() {
            "subscript" => {
                let base = asked.child_by_field_name("value")?;
                let mut cursor = asked.walk();
                let keys: Vec<_> = asked.children_by_field_name("subscript", &mut cursor).collect();
                let [key] = keys.as_slice() else { return None };
                let key = match self.constant(*key)? {
                    Constant::Number(index) => ElementKey::Index(u32::try_from(index).ok()?),
                    Constant::Text(name) => ElementKey::Text(name),
                    _ => return None,
                };
                (self.parameter_read(base)?, AskedPart::Element(key))
            }
            "call"
                if asked
                    .child_by_field_name("function")
                    .is_some_and(|function| self.text_of(function) == "len") =>
            {
                let given: Vec<_> = asked
                    .child_by_field_name("arguments")
                    .into_iter()
                    .flat_map(children)
                    .collect();
                let [base] = given.as_slice() else { return None };
                (self.parameter_read(*base)?, AskedPart::Length)
            }
            _ => return None,
        };
        self.builder.part_asked(parameter, part)
    }

    /// `"key" in event`.
    pub(super) fn asked_for_key(&mut self, key: Node<'t>, base: Node<'t>) -> Option<PlaceId> {
        let Constant::Text(name) = self.constant(key)? else {
            return None;
        };
        let parameter = self.parameter_read(base)?;
        self.builder.part_asked(parameter, AskedPart::Has(name))
    }

    /// What has to be so for a pattern to take a parameter; with whether it takes all for which that is so.
    pub(super) fn asked_by_case(&mut self, subject: Node<'t>, pattern: Node<'t>) -> (Vec<Asked>, bool) {
        let mut asked = Vec::new();
        let pattern = unwrapped(pattern, self.text);
        let is_all = match pattern.kind() {
            "list_pattern" | "tuple_pattern" | "dict_pattern" => match self.parameter_read(subject) {
                Some(parameter) => self.asked_by_parts(parameter, pattern, &mut asked),
                None => false,
            },
            _ if takes_anything(pattern) => true,
            _ => {
                let name = self.name_of(subject);
                let parameter = (subject.kind() == "identifier")
                    .then(|| self.builder.parameter(name))
                    .flatten();
                match parameter.zip(self.literal_of(pattern)) {
                    Some((parameter, constant)) => {
                        asked.push((parameter, Question::Equals, constant, true));
                        true
                    }
                    None => false,
                }
            }
        };
        (asked, is_all)
    }

    fn asked_by_parts(&mut self, parameter: PlaceId, pattern: Node<'t>, asked: &mut Vec<Asked>) -> bool {
        let mut is_all = true;
        let mut ask = |walker: &mut Self, part, question, constant| {
            let place = walker.builder.part_asked(parameter, part);
            asked.extend(place.map(|place| (place, question, constant, true)));
            place.is_some()
        };
        if pattern.kind() == "dict_pattern" {
            is_all &= ask(self, AskedPart::IsMap, Question::IsTrue, Constant::Nothing);
            let mut cursor = pattern.walk();
            let keys: Vec<_> = pattern.children_by_field_name("key", &mut cursor).collect();
            let mut cursor = pattern.walk();
            let values: Vec<_> = pattern.children_by_field_name("value", &mut cursor).collect();
            for (key, value) in keys.into_iter().zip(values) {
                let Some(Constant::Text(name)) = self.constant(key) else {
                    is_all = false;
                    continue;
                };
                is_all &= ask(self, AskedPart::Has(name), Question::IsTrue, Constant::Nothing);
                let value = unwrapped(value, self.text);
                match self.literal_of(value) {
                    Some(constant) => {
                        let part = AskedPart::Element(ElementKey::Text(name));
                        is_all &= ask(self, part, Question::Equals, constant);
                    }
                    None => is_all &= takes_anything(value),
                }
            }
            return is_all;
        }
        let parts: Vec<_> = children(pattern)
            .filter(|part| part.kind() != "comment")
            .map(|part| unwrapped(part, self.text))
            .collect();
        let star = parts.iter().position(|part| part.kind() == "splat_pattern");
        let count = parts.len() as i32;
        is_all &= ask(self, AskedPart::IsSequence, Question::IsTrue, Constant::Nothing);
        is_all &= match star {
            None => ask(self, AskedPart::Length, Question::Equals, Constant::Number(count)),
            Some(_) => ask(
                self,
                AskedPart::Length,
                Question::IsAtLeast,
                Constant::Number(count - 1),
            ),
        };
        for (index, part) in parts.iter().enumerate().filter(|(index, _)| Some(*index) != star) {
            match self.literal_of(*part) {
                Some(constant) if star.is_none_or(|star| index < star) => {
                    let key = AskedPart::Element(ElementKey::Index(index as u32));
                    is_all &= ask(self, key, Question::Equals, constant);
                }
                _ => is_all &= takes_anything(*part),
            }
        }
        is_all
    }

    /// The constant that a pattern asks for; a name takes what comes.
    fn literal_of(&mut self, pattern: Node<'t>) -> Option<Constant> {
        let is_name = matches!(pattern.kind(), "identifier" | "dotted_name" | "attribute");
        (!is_name).then(|| self.constant(pattern)).flatten()
    }

    /// The parameter that a name stands for, if the function around it only reads what is in it.
    pub(super) fn parameter_read(&mut self, node: Node<'t>) -> Option<PlaceId> {
        if node.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(node);
        let parameter = self.builder.parameter(name)?;
        if self.builder.only_definition(name) != Some(parameter) {
            return None;
        }
        let mut around = node.parent();
        while let Some(function) = around.filter(|node| node.kind() != "function_definition") {
            around = function.parent();
        }
        let body = around?.child_by_field_name("body")?;
        let key = (body.id(), self.text_of(node));
        if let Some(known) = self.only_read.get(&key) {
            return known.then_some(parameter);
        }
        let is_read = self.reads_alone(body, self.text_of(node));
        self.only_read.insert(key, is_read);
        is_read.then_some(parameter)
    }

    fn reads_alone(&self, body: Node<'t>, name: &str) -> bool {
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            if node.kind() == "identifier" && self.text_of(node) == name && !self.is_read(node) {
                return false;
            }
            open.extend(children(node));
        }
        true
    }

    fn is_read(&self, node: Node<'t>) -> bool {
        let Some(parent) = node.parent() else { return false };
        let is = |field: &str| parent.child_by_field_name(field) == Some(node);
        match parent.kind() {
            "match_statement" | "comparison_operator" | "return_statement" | "not_operator" | "interpolation" => true,
            "binary_operator" | "list_splat" | "dictionary_splat" | "case_clause" => true,
            "for_statement" | "for_in_clause" => is("right"),
            "if_statement" | "elif_clause" | "while_statement" => is("condition"),
            "expression_list" => parent.parent().is_some_and(|outer| outer.kind() == "match_statement"),
            "keyword_argument" => is("name"),
            "subscript" => is("value") && parent.parent().is_some_and(|outer| !is_changed(outer, parent)),
            "attribute" if is("attribute") => true,
            "attribute" => {
                let member = parent.child_by_field_name("attribute");
                member.is_some_and(|member| READING.contains(&self.text_of(member)))
            }
            "argument_list" => {
                let call = parent.parent().and_then(|call| call.child_by_field_name("function"));
                call.map(|function| self.text_of(function))
                    .is_some_and(|name| LOOKING.contains(&name) || matches!(name, "bool" | "type"))
            }
            _ => false,
        }
    }
}

/// Whether a part is put or taken out where it stands.
fn is_changed(outer: Node<'_>, part: Node<'_>) -> bool {
    match outer.kind() {
        "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
            outer.child_by_field_name("left") == Some(part)
        }
        "delete_statement" | "pattern_list" | "tuple_pattern" | "list_pattern" | "as_pattern_target" => true,
        _ => false,
    }
}

/// What stands in a pattern, without what is only around it.
fn unwrapped<'t>(pattern: Node<'t>, text: &str) -> Node<'t> {
    let is_group = |node: Node<'_>| {
        let commas = text.get(node.byte_range()).is_none_or(|text| text.contains(','));
        node.kind() == "tuple_pattern" && node.part_count() == 1 && !commas
    };
    let mut pattern = pattern;
    while let Some(inner) = pattern.part(0)
        && (matches!(pattern.kind(), "case_pattern" | "as_pattern") || is_group(pattern))
    {
        pattern = inner;
    }
    pattern
}

/// Whether a pattern takes whatever comes: `_`, or a name.
fn takes_anything(pattern: Node<'_>) -> bool {
    match pattern.kind() {
        "case_pattern" => pattern.child(0).is_some_and(|child| child.kind() == "_"),
        "dotted_name" => pattern.part_count() == 1,
        "identifier" | "_" | "splat_pattern" => true,
        _ => false,
    }
}
