//! Fields that a constructor sets once and for all: `self.verbose = verbose` in `__init__`, and nowhere else.
//!
//! Conditions that ask for such a field of a parameter, or of `self`, are answered by how the object was made.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{ConditionId, Constant, FieldMade, MadeFrom, Question};

impl<'t> Walker<'t> {
    /// `self.field = parameter` or `self.field = constant`, by itself in `__init__`.
    pub(super) fn note_field_made(&mut self, assignment: Node<'t>, left: Node<'t>, right: Node<'t>) -> Option<()> {
        let (object, member) = (
            left.child_by_field_name("object")?,
            left.child_by_field_name("attribute")?,
        );
        if !self.fields_once.contains(self.text_of(member)) {
            return None;
        }
        self.receiver_class(object)?;
        let function = assignment.parent()?.parent()?.parent()?;
        let name = function.child_by_field_name("name")?;
        let text = self.text_of(function);
        let calls_others = text.contains("super(") || text.contains(".__init__(");
        let is_settled = self.builder.condition() == ConditionId::default() && self.builder.is_reachable();
        if function.kind() != "function_definition" || self.text_of(name) != "__init__" || calls_others || !is_settled {
            return None;
        }
        let parameter = match right.kind() {
            "identifier" => {
                let name = self.name_of(right);
                self.builder.parameter(name)
            }
            _ => None,
        };
        let from = match parameter {
            Some(parameter) => MadeFrom::Parameter(parameter),
            None => MadeFrom::Constant(self.constant(right)?),
        };
        let row = FieldMade {
            function: self.builder.function(),
            field: self.name_of(member),
            from,
            position: position(member),
        };
        self.builder.facts.fields_made.push(row);
        Some(())
    }

    /// From here on a field of a parameter, which constructors alone set, answers a question so.
    pub(super) fn assume_made(&mut self, asked: Node<'t>, (question, constant): (Question, Constant), holds: bool) {
        let parts = asked
            .child_by_field_name("object")
            .zip(asked.child_by_field_name("attribute"));
        let Some((object, member)) = parts.filter(|(object, _)| object.kind() == "identifier") else {
            return;
        };
        if self.fields_once.contains(self.text_of(member)) {
            let (name, field) = (self.name_of(object), self.name_of(member));
            self.builder
                .assume_field((name, field, false), (question, constant), holds);
        }
    }
}

/// Attributes that are set in `__init__` alone, as far as lines tell.
pub(super) fn set_once(text: &str) -> FxHashSet<&str> {
    let (mut made, mut others) = (FxHashSet::default(), FxHashSet::default());
    let mut is_constructor = false;
    for line in text.lines() {
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix("def ") {
            is_constructor = rest.starts_with("__init__(");
        }
        let Some((base, rest)) = line.split_once('.') else {
            continue;
        };
        if !base.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (member, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let rest = rest.trim_start();
        let is_plain = rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(':');
        let is_changed = rest.chars().nth(1) == Some('=');
        if is_plain && base == "self" && is_constructor {
            made.insert(member);
        } else if is_plain || is_changed {
            others.insert(member);
        }
    }
    made.retain(|member| !others.contains(member));
    made
}
