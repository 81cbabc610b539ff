//! Fields that a constructor or a class body sets once and for all: `self.verbose = verbose` in `__init__`, `escape = True`.
//!
//! Conditions that ask for such a field of a parameter, or of `self`, are answered by how the object was made.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::file_constants::is_constant;
use super::{Walker, position};
use crate::facts::builder::Whose;
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

    /// `escape = True`, by itself in a class body.
    pub(super) fn note_bound_in_class(&mut self, assignment: Node<'t>, left: Node<'t>, right: Node<'t>) -> Option<()> {
        let class = self.class_around()?;
        let around = assignment.parent()?.parent()?.parent()?;
        let is_once = class.times_bound.get(self.text_of(left)) == Some(&1);
        let is_plain = !self.builder.facts.types[class.id.0 as usize].generated_constructor;
        let is_told = is_once && is_plain && is_constant(right) && !self.sets_anyhow;
        if around.kind() != "class_definition" || !is_told {
            return None;
        }
        let id = class.id;
        let row = (id, self.name_of(left), self.constant(right)?);
        self.builder.facts.bound_in_classes.push(row);
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
                .assume_field((name, field, Whose::Variable), (question, constant), holds);
        }
    }
}

/// Attributes that are set in `__init__` or in class bodies alone, as far as lines tell.
pub(super) fn set_once(text: &str) -> FxHashSet<&str> {
    let (mut made, mut others) = (FxHashSet::default(), FxHashSet::default());
    let mut is_constructor = false;
    let mut bodies = Bodies::default();
    for line in text.lines() {
        made.extend(bodies.bound_by(line));
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

/// Whether members may be set in ways that no name tells.
pub(super) fn sets_anyhow(text: &str) -> bool {
    const WAYS: [&str; 8] = [
        "(setattr",
        ", setattr",
        "__class__ =",
        "__dict__",
        "__getattribute__",
        "exec(",
        "locals()",
        "namespace=",
    ];
    let is_text = |argument: Option<&str>| argument.is_some_and(|argument| argument.trim().starts_with(['"', '\'']));
    // `object.__setattr__(self, name, value)`, and not `super().__setattr__("name", value)`.
    let sets_any = |given: &str| {
        let mut arguments = given.split([',', ')']);
        !is_text(arguments.next()) && !is_text(arguments.next())
    };
    WAYS.iter().any(|way| text.contains(way)) || text.split(".__setattr__(").skip(1).any(sets_any)
}

/// The class bodies around a line: how far `class` and the first line of its body are from the left.
#[derive(Default)]
struct Bodies(Vec<(usize, Option<usize>)>);

impl Bodies {
    /// The name that a line of a class body binds: `escape = True`, `escape: bool = True`.
    fn bound_by<'t>(&mut self, line: &'t str) -> Option<&'t str> {
        let rest = line.trim_start();
        if rest.is_empty() || rest.starts_with('#') {
            return None;
        }
        let indent = line.len() - rest.len();
        self.0.retain(|(class, _)| *class < indent);
        let body = self.0.last_mut().map(|(_, body)| *body.get_or_insert(indent));
        if rest.starts_with("class ") {
            self.0.push((indent, None));
        }
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
        let (name, behind) = rest.split_at(end);
        let behind = behind.trim_start();
        let is_bound = behind.starts_with('=') && !behind.starts_with("==") || behind.starts_with(':');
        (is_bound && body == Some(indent)).then_some(name)
    }
}
