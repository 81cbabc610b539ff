//! `match`: what a pattern takes out of its subject, and what it says of it.
//!
//! ```python
//! match event:
//!     case Mail(to=address):       # event is a Mail here; address is its member `to`
//!     case {"tel": number}:        # a mapping; number is its part "tel"
//!     case (first, *rest):         # a sequence; first is its part 0
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::returns::is_left;
use super::{Walker, names, position};
use crate::facts::{ContainerKind, ElementKey, Object, PlaceId, PlaceKind, Position, Test, TypeExpression};

/// Classes whose pattern takes the whole as its one position.
const WHOLE: &[&str] = &[
    "bool",
    "bytearray",
    "bytes",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "set",
    "str",
    "tuple",
];

impl<'t> Walker<'t> {
    pub(super) fn match_statement(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let subjects: Vec<_> = node.children_by_field_name("subject", &mut cursor).collect();
        let places: Vec<_> = subjects.iter().map(|subject| self.expression(*subject)).collect();
        let tests = self.builder.tests();
        for (subject, place) in subjects.iter().zip(&places) {
            self.builder.decide(*place, position(*subject));
            self.builder.choose_by(*place);
        }
        let mut before = self.builder.snapshot();
        let mut ends = Vec::new();
        let body = node.child_by_field_name("body").unwrap_or(node);
        let (mut is_settled, mut left_by) = (false, Vec::new());
        for clause in children(body).filter(|child| child.kind() == "case_clause") {
            self.builder.restore(before.clone());
            let patterns: Vec<_> = children(clause)
                .filter(|child| child.kind() == "case_pattern")
                .collect();
            let guard = clause.child_by_field_name("guard");
            let outcome = match (subjects.as_slice(), patterns.as_slice()) {
                ([subject], [pattern]) => self.outcome_of_case(*subject, *pattern),
                _ => None,
            };
            if outcome == Some(false) {
                self.builder.rule_out();
            }
            if let ([subject], [pattern]) = (subjects.as_slice(), patterns.as_slice()) {
                self.assume_case(*subject, *pattern, true);
            }
            let cases = cases(&subjects, &patterns, self.text);
            self.assume_parts(&cases, true);
            match (subjects.as_slice(), places.as_slice(), patterns.as_slice()) {
                ([subject], [place], [pattern]) => self.case(*subject, *place, *pattern),
                // `match a, b:` with `case x, y:` pairs them up.
                (_, places, patterns) if places.len() == patterns.len() => {
                    for (place, pattern) in places.iter().zip(patterns) {
                        self.pattern(*pattern, *place);
                    }
                }
                (_, [place], patterns) => {
                    let place = place.map(|place| self.one_of(place, &["list", "tuple"], position(clause)));
                    self.sequence_pattern(patterns, place, position(clause));
                }
                _ => {
                    for pattern in &patterns {
                        self.pattern(*pattern, None);
                    }
                }
            }
            if let ([subject], [pattern]) = (subjects.as_slice(), patterns.as_slice()) {
                self.hold_subject(*subject, *pattern);
            }
            let mut refused = None;
            if let Some(guard) = guard.and_then(|clause| clause.part(0)) {
                let asked = self.branch_on(guard);
                self.builder.choose_once_by(asked);
                let outcome = self.outcome_of(guard);
                let taken = self.builder.snapshot();
                if outcome == Some(true) {
                    self.builder.rule_out();
                }
                refused = self.builder.snapshot();
                self.builder.restore(taken);
                if outcome == Some(false) {
                    self.builder.rule_out();
                }
                self.narrow(guard, true);
            }
            if let Some(body) = clause.child_by_field_name("consequence") {
                self.block(body);
                if is_left(body, self.text) {
                    left_by = self.builder.left_by_since(tests);
                }
            }
            ends.push(self.builder.snapshot());
            if let Some(guard) = guard.and_then(|clause| clause.part(0)) {
                // What is taken and then refused goes on.
                if let [pattern] = patterns.as_slice()
                    && takes_all(*pattern)
                {
                    self.builder.restore(refused);
                    self.narrow(guard, false);
                    before = self.builder.snapshot();
                }
                continue;
            }
            self.builder.restore(before.clone());
            self.assume_parts(&cases, false);
            before = self.builder.snapshot();
            if let ([subject], [pattern]) = (subjects.as_slice(), patterns.as_slice()) {
                is_settled |= takes_all(*pattern);
                self.builder.restore(before);
                self.assume_case(*subject, *pattern, false);
                if outcome == Some(true) {
                    self.builder.rule_out();
                }
                before = self.builder.snapshot();
                // What this pattern takes, the next ones do not see.
                if let Some(class) = class_alone(*pattern) {
                    self.builder.restore(before);
                    self.narrow_to_class(*subject, class, false);
                    before = self.builder.snapshot();
                }
            }
        }
        if !is_settled {
            ends.push(before);
        }
        self.builder.restore_tests(tests);
        self.join(ends);
        // What follows depends on what did not leave before.
        left_by
            .into_iter()
            .for_each(|asked| self.builder.choose_by(Some(asked)));
    }

    /// A name that takes the whole subject holds the parameter that this is.
    fn hold_subject(&mut self, subject: Node<'t>, pattern: Node<'t>) {
        let taken = inner(pattern).and_then(|inner| match inner.kind() {
            "dotted_name" if inner.part_count() == 1 => inner.part(0),
            "as_pattern" => children(inner).nth(1),
            _ => None,
        });
        let (Some(taken), "identifier") = (taken, subject.kind()) else {
            return;
        };
        let value = self.value_to_keep(subject);
        let (taken, subject) = (self.name_of(taken), self.name_of(subject));
        self.keep_value(taken, value);
        if let Some(parameter) = self.builder.parameter(subject)
            && let Some(definition) = self.builder.only_definition(taken)
        {
            self.builder.hold_parameter(definition, parameter);
        }
    }

    /// A pattern for the whole subject: what it says holds for the variable, too.
    fn case(&mut self, subject: Node<'t>, place: Option<PlaceId>, pattern: Node<'t>) {
        let class = inner(pattern).filter(|inner| inner.kind() == "class_pattern");
        if let Some(class) = class.and_then(|pattern| pattern.part(0))
            && let Some(refined) = self.narrow_to_class(subject, class, true)
        {
            return self.class_parts(inner(pattern).unwrap_or(pattern), Some(refined));
        }
        self.pattern(pattern, place);
    }

    fn pattern(&mut self, node: Node<'t>, subject: Option<PlaceId>) {
        if !self.builder.enter(position(node).line) {
            return;
        }
        self.pattern_inside(node, subject);
        self.builder.exit();
    }

    fn pattern_inside(&mut self, node: Node<'t>, subject: Option<PlaceId>) {
        let at = position(node);
        match node.kind() {
            "case_pattern" => {
                if let Some(inner) = node.part(0) {
                    self.pattern(inner, subject);
                }
            }
            "dotted_name" if node.part_count() == 1 => {
                if let Some(name) = node.part(0) {
                    self.capture(name, subject);
                }
            }
            "as_pattern" => {
                let parts: Vec<_> = children(node).collect();
                let [inside, alias] = parts.as_slice() else { return };
                let class = inner(*inside).filter(|inner| inner.kind() == "class_pattern");
                let taken = match class {
                    Some(class) => self.class_pattern(class, subject),
                    None => {
                        self.pattern(*inside, subject);
                        subject
                    }
                };
                self.capture(*alias, taken);
            }
            "union_pattern" => {
                let before = self.builder.snapshot();
                let mut ends = Vec::new();
                for side in children(node) {
                    self.builder.restore(before.clone());
                    self.pattern(side, subject);
                    ends.push(self.builder.snapshot());
                }
                self.join(ends);
            }
            "class_pattern" => {
                self.class_pattern(node, subject);
            }
            "list_pattern" | "tuple_pattern" => {
                let parts: Vec<_> = children(node).collect();
                let is_group = node.kind() == "tuple_pattern" && parts.len() == 1 && !self.text_of(node).contains(',');
                if let ([only], true) = (parts.as_slice(), is_group) {
                    return self.pattern(*only, subject);
                }
                let sequence = subject.map(|subject| self.one_of(subject, &["list", "tuple"], at));
                self.sequence_pattern(&parts, sequence, at);
            }
            "dict_pattern" => {
                let mapping = subject.map(|subject| self.one_of(subject, &["dict"], at));
                self.mapping_pattern(node, mapping);
            }
            "splat_pattern" => {
                if let Some(name) = node.part(0) {
                    self.capture(name, subject);
                }
            }
            // A constant: whether it is that decides on this case, and on those behind it.
            _ => self.builder.choose_once_by(subject),
        }
    }

    fn capture(&mut self, name: Node<'t>, from: Option<PlaceId>) {
        if self.text_of(name) == "_" {
            return;
        }
        let (at, name) = (position(name), self.name_of(name));
        let place = self.builder.define(name, PlaceKind::Local, at);
        self.flow_into(from, place, at);
    }

    fn sequence_pattern(&mut self, parts: &[Node<'t>], subject: Option<PlaceId>, at: Position) {
        let is_star = |part: &Node<'t>| inner(*part).unwrap_or(*part).kind() == "splat_pattern";
        let star = parts.iter().position(is_star);
        for (index, part) in parts.iter().enumerate() {
            let value = subject.map(|subject| match star {
                Some(star) if index == star => {
                    let rest = self.builder.object(Object::Container(ContainerKind::List), at);
                    self.builder.copy_parts(subject, rest, -(index as i32), Vec::new(), at);
                    rest
                }
                Some(star) if index > star => {
                    let key = ElementKey::Back((parts.len() - index) as u32);
                    self.builder.element_load(subject, key, at)
                }
                _ => self.builder.element_load(subject, ElementKey::Index(index as u32), at),
            });
            self.pattern(*part, value);
        }
    }

    fn mapping_pattern(&mut self, node: Node<'t>, subject: Option<PlaceId>) {
        let mut cursor = node.walk();
        let keys: Vec<_> = node.children_by_field_name("key", &mut cursor).collect();
        let mut cursor = node.walk();
        let values: Vec<_> = node.children_by_field_name("value", &mut cursor).collect();
        let mut taken = Vec::new();
        for (key, value) in keys.iter().zip(values) {
            let at = position(*key);
            let key = match self.constant_text(*key) {
                Some(text) => {
                    let name = self.builder.name(&text);
                    self.builder.key_use(name, at);
                    taken.push(name);
                    ElementKey::Text(name)
                }
                None => ElementKey::Any,
            };
            let part = subject.map(|subject| self.builder.element_load(subject, key, at));
            self.pattern(value, part);
        }
        for rest in children(node).filter(|child| child.kind() == "splat_pattern") {
            let at = position(rest);
            let rest_place = subject.map(|subject| {
                let others = self.builder.object(Object::Container(ContainerKind::Map), at);
                self.builder.copy_parts(subject, others, 0, taken.clone(), at);
                others
            });
            self.pattern(rest, rest_place);
        }
    }

    /// `Mail(to=address)`: gives the subject as a `Mail`.
    fn class_pattern(&mut self, node: Node<'t>, subject: Option<PlaceId>) -> Option<PlaceId> {
        let class = node.part(0)?;
        let at = position(class);
        let taken = subject.map(|from| {
            let to = self.builder.value(at);
            self.narrowing((from, to), class, true);
            to
        });
        if subject.is_none() {
            self.dotted(class);
        }
        self.class_parts(node, taken);
        taken
    }

    fn class_parts(&mut self, node: Node<'t>, subject: Option<PlaceId>) {
        let class = node.part(0).map_or("", |class| self.text_of(class));
        let mut next = 0;
        for part in children(node).skip(1) {
            let at = position(part);
            let inside = inner(part).unwrap_or(part);
            if inside.kind() == "keyword_pattern" {
                let (Some(name), Some(value)) = (inside.part(0), inside.part(1)) else {
                    continue;
                };
                let member = self.name_of(name);
                let value_place = subject.map(|subject| self.builder.load(subject, member, position(name)));
                self.pattern(value, value_place);
                continue;
            }
            let value = match WHOLE.contains(&class) {
                true => subject,
                false => subject.map(|subject| self.builder.element_load(subject, ElementKey::Matched(next), at)),
            };
            next += 1;
            self.pattern(part, value);
        }
    }

    /// The subject, as far as it is of one of these built-in classes.
    fn one_of(&mut self, from: PlaceId, classes: &[&str], at: Position) -> PlaceId {
        let to = self.builder.value(at);
        let function = self.builder.function();
        let sides: Vec<_> = classes
            .iter()
            .map(|class| {
                let parts = vec![self.builder.name(class)];
                self.builder.type_expression(TypeExpression::Path { parts, function })
            })
            .collect();
        let class = self.builder.type_expression(TypeExpression::Union(sides));
        self.untyped_narrowing((from, to), Test::Class(class), true, at);
        to
    }
}

/// Each subject with the pattern for it: those of which something is asked that is not asked of a plain subject by a literal.
fn cases<'t>(subjects: &[Node<'t>], patterns: &[Node<'t>], text: &str) -> Vec<(Node<'t>, Node<'t>)> {
    match (subjects, patterns) {
        ([subject], [pattern]) => {
            let inside = inner(*pattern).unwrap_or(*pattern);
            let is_parts = matches!(
                inside.kind(),
                "list_pattern" | "tuple_pattern" | "dict_pattern" | "as_pattern"
            );
            Vec::from_iter(is_parts.then_some((*subject, *pattern)))
        }
        (several, patterns) if several.len() == patterns.len() => {
            several.iter().copied().zip(patterns.iter().copied()).collect()
        }
        (several, [pattern]) => {
            let inside = inner(*pattern).unwrap_or(*pattern);
            let parts: Vec<_> = children(inside).collect();
            let is_sequence = matches!(inside.kind(), "tuple_pattern" | "list_pattern") && parts.len() == several.len();
            let has_star = text.get(inside.byte_range()).is_none_or(|text| text.contains('*'));
            match is_sequence && !has_star {
                true => several.iter().copied().zip(parts).collect(),
                false => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// What stands in a pattern of `case`.
fn inner(pattern: Node<'_>) -> Option<Node<'_>> {
    match pattern.kind() {
        "case_pattern" => pattern.part(0),
        _ => Some(pattern),
    }
}

/// Whether nothing gets past the pattern.
fn takes_all(pattern: Node<'_>) -> bool {
    match inner(pattern) {
        None => pattern.child(0).is_some_and(|child| child.kind() == "_"),
        Some(inner) => {
            let mut captured = 0;
            names::captured(inner, &mut |_| captured += 1);
            inner.kind() == "dotted_name" && captured == 1
        }
    }
}

/// The class of a pattern that asks for nothing else: `Mail()`.
fn class_alone(pattern: Node<'_>) -> Option<Node<'_>> {
    let mut inside = inner(pattern)?;
    if inside.kind() == "as_pattern" {
        inside = inner(inside.part(0)?)?;
    }
    (inside.kind() == "class_pattern" && inside.part_count() == 1).then(|| inside.part(0))?
}
