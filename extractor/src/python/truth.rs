//! Conditions whose outcome the source tells: what stands behind one that never holds never runs.
//!
//! ```python
//! verbose = False
//! if verbose and ready:        # never: `verbose` is one thing here
//!     send(text)
//! ```
//!
//! Names of a module are no such constants: another module, a test or a person may set them. Where nobody is seen to, what one
//! that is bound to another constant keeps from flowing does not: [`Builder::assume_of_file`](crate::facts::builder::Builder::assume_of_file).

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::Walker;
use super::evaluate::Used;
use crate::facts::constant::joined;
use crate::facts::{Constant, Name, PlaceId, Question};

/// How deep conditions are looked into.
const DEPTH_LIMIT: u8 = 8;

impl<'t> Walker<'t> {
    /// What a condition comes to, inside of a function, if that is always the same.
    pub(super) fn outcome_of(&mut self, condition: Node<'t>) -> Option<bool> {
        if self.builder.at_file_level() {
            return None;
        }
        match self.outcomes.get(&condition.id()) {
            Some(known) => Some(*known),
            None => self.outcome(condition, 0),
        }
    }

    fn outcome(&mut self, node: Node<'t>, depth: u8) -> Option<bool> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "parenthesized_expression" => self.outcome(node.part(0)?, depth + 1),
            "not_operator" => Some(!self.outcome(node.child_by_field_name("argument")?, depth + 1)?),
            "boolean_operator" => {
                let decides = !super::narrow::is_and(node);
                let left = self.outcome(node.child_by_field_name("left")?, depth + 1);
                let right = self.outcome(node.child_by_field_name("right")?, depth + 1);
                joined(decides, left, right)
            }
            "comparison_operator" => self.compared(node),
            // A function is there.
            "lambda" => Some(true),
            "identifier" if self.names_function(node) => Some(true),
            "identifier" => match self.tested_before(node) {
                Some(tested) => self.outcome(tested, depth + 1),
                None => self
                    .worked_out(node)
                    .or_else(|| self.parts_told(node).map(|parts| parts > 0)),
            },
            _ => self.worked_out(node),
        }
    }

    fn worked_out(&mut self, node: Node<'t>) -> Option<bool> {
        match self.constant(node) {
            Some(constant) => Some(constant.is_true()),
            // What is in a container may change.
            None => self.value_of(node).filter(|value| !value.is_container())?.is_true(),
        }
    }

    pub(super) fn names_function(&mut self, node: Node<'t>) -> bool {
        let name = self.name_of(node);
        self.file_functions.contains_key(self.text_of(node)) && self.builder.is_of_file(name)
    }

    pub(super) fn names_decorated(&mut self, node: Node<'t>) -> bool {
        let name = self.name_of(node);
        self.file_decorated.contains(self.text_of(node)) && self.builder.is_of_file(name)
    }

    pub(super) fn names_class(&mut self, node: Node<'t>) -> bool {
        if !self.file_classes.contains_key(self.text_of(node)) {
            return false;
        }
        let name = self.name_of(node);
        self.builder.is_of_file(name)
    }

    fn compared(&mut self, node: Node<'t>) -> Option<bool> {
        let (operands, operators) = compared(node);
        if operators.len() > 1 {
            // What is called twice may answer otherwise.
            if operands.iter().any(|operand| operand.kind() == "call") {
                return None;
            }
            let mut left = self.constant(*operands.first()?)?;
            for (operator, right) in operators.into_iter().zip(&operands[1..]) {
                let right = self.constant(*right)?;
                if !left.compared(operator, right)? {
                    return Some(false);
                }
                left = right;
            }
            return Some(true);
        }
        let (left, operator, right) = sides(node)?;
        if matches!(operator, "in" | "not in") && !matches!(right.kind(), "tuple" | "list" | "set") {
            return self.value_of(node)?.is_true();
        }
        if let Some(is_nothing) = self.asked_for_nothing(left, operator, right) {
            return Some(is_nothing);
        }
        let left = self.constant(left)?;
        if let Some((listed, is_in)) = self.listed(operator, right) {
            let mut found = Some(false);
            for one in listed {
                found = joined(true, found, left.answer(Question::Equals, one));
            }
            return Some(found? == is_in);
        }
        left.compared(operator, self.constant(right)?)
    }

    /// Whether something is nothing, where a container, a function or an instance is there.
    fn asked_for_nothing(&mut self, left: Node<'t>, operator: &str, right: Node<'t>) -> Option<bool> {
        let is_asked = match operator {
            "is" => true,
            "is not" => false,
            _ => return None,
        };
        let other = match (left.kind(), right.kind()) {
            (_, "none") => left,
            ("none", _) => right,
            _ => return None,
        };
        let is_there = match other.kind() {
            "lambda" => true,
            "identifier" if self.names_function(other) => true,
            "identifier" if self.holds_object(other) => true,
            _ => self.value_of(other).is_some_and(|value| value.is_container()),
        };
        // Who takes its own module from there may set any of its names.
        (is_there && !self.text.contains("sys.modules")).then_some(!is_asked)
    }

    /// Whether a variable holds an instance or a function here.
    fn holds_object(&mut self, node: Node<'t>) -> bool {
        let name = self.name_of(node);
        let held = self.builder.only_definition(name);
        let held = held.filter(|_| self.builder.is_own_variable(name));
        // A class may say itself what comes of calling it.
        let is_made = |class: &str| {
            let class = self.file_classes.get(class).map_or("", |class| self.text_of(*class));
            !class.contains("__new__") && !self.text.contains("metaclass")
        };
        held.is_some_and(|held| {
            self.callables.contains(&held) || self.made_here.get(&held).is_some_and(|class| is_made(class))
        })
    }

    /// The constants that something is sought among, and whether the answer is yes where it is one of them.
    fn listed(&mut self, operator: &str, right: Node<'t>) -> Option<(Vec<Constant>, bool)> {
        let is_in = match operator {
            "in" => true,
            "not in" => false,
            _ => return None,
        };
        let is_display = matches!(right.kind(), "tuple" | "list" | "set");
        let listed: Option<Vec<_>> = children(right)
            .filter(|_| is_display)
            .map(|part| self.constant(part))
            .collect();
        listed.filter(|listed| !listed.is_empty()).map(|listed| (listed, is_in))
    }

    /// What an expression tests, if it does nothing else: the names in it, with what each holds.
    pub(super) fn tested_in(&mut self, expression: Node<'t>) -> Option<Vec<(Name, PlaceId)>> {
        let mut names = Vec::new();
        let is_test = matches!(
            expression.kind(),
            "comparison_operator" | "not_operator" | "boolean_operator" | "parenthesized_expression"
        );
        (is_test && !self.builder.at_file_level() && self.tests_names(expression, 0, &mut names)).then_some(names)
    }

    fn tests_names(&mut self, node: Node<'t>, depth: u8, names: &mut Vec<(Name, PlaceId)>) -> bool {
        if depth > DEPTH_LIMIT {
            return false;
        }
        match node.kind() {
            "parenthesized_expression"
            | "not_operator"
            | "boolean_operator"
            | "comparison_operator"
            | "tuple"
            | "list"
            | "set" => children(node).all(|part| self.tests_names(part, depth + 1, names)),
            "identifier" => {
                let name = self.name_of(node);
                let flag = self.file_flags.get(self.text_of(node)).copied();
                if flag.is_some_and(super::file_constants::is_constant) && self.builder.is_of_file(name) {
                    return true;
                }
                let held = self.builder.only_definition(name);
                names.extend(held.map(|held| (name, held)));
                held.is_some() && self.builder.is_own_variable(name)
            }
            _ => self.constant(node).is_some(),
        }
    }

    /// The test that a variable holds the outcome of, as long as what was tested is what it was.
    pub(super) fn tested_before(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        if self.conditions.is_empty() {
            return None;
        }
        let name = self.name_of(node);
        let held = self
            .builder
            .only_definition(name)
            .filter(|_| self.builder.is_own_variable(name))?;
        let (test, names) = self.conditions.get(&held)?;
        let is_same = |(name, held): &(Name, PlaceId)| self.builder.only_definition(*name) == Some(*held);
        names.iter().all(is_same).then_some(*test)
    }

    /// As [`Walker::assume`], of all that is said on this way.
    pub(super) fn assume_all(&mut self, condition: Node<'t>, holds: bool) {
        self.assume_of_file(condition, holds);
        self.assume_parts_of(condition, holds);
    }

    fn assume_parts_of(&mut self, condition: Node<'t>, holds: bool) {
        match condition.kind() {
            "parenthesized_expression" => {
                if let Some(inner) = condition.part(0) {
                    self.assume_parts_of(inner, holds);
                }
            }
            "not_operator" => {
                if let Some(inner) = condition.child_by_field_name("argument") {
                    self.assume_parts_of(inner, !holds);
                }
            }
            "boolean_operator" if super::narrow::is_and(condition) == holds => {
                for side in ["left", "right"] {
                    if let Some(side) = condition.child_by_field_name(side) {
                        self.assume_parts_of(side, holds);
                    }
                }
            }
            _ => self.assume(condition, holds),
        }
    }

    /// From here on a condition holds or does not, which may say something of a parameter.
    pub(super) fn assume(&mut self, condition: Node<'t>, holds: bool) {
        match condition.kind() {
            "identifier" => {
                self.assume_of(condition, Question::IsTrue, &[Constant::Nothing], holds);
                self.assume_imported(condition, (Question::IsTrue, Constant::Nothing), holds);
            }
            "attribute" => {
                self.assume_imported(condition, (Question::IsTrue, Constant::Nothing), holds);
                self.assume_made(condition, (Question::IsTrue, Constant::Nothing), holds);
            }
            "comparison_operator" => {
                let Some((left, operator, right)) = sides(condition) else {
                    return;
                };
                if let Some((listed, is_in)) = self.listed(operator, right) {
                    if left.kind() == "identifier" {
                        match holds == is_in {
                            true => self.assume_of(left, Question::Equals, &listed, true),
                            false => {
                                for one in listed {
                                    self.assume_of(left, Question::Equals, &[one], false);
                                }
                            }
                        }
                    }
                } else if matches!(operator, "in" | "not in") {
                    if let Some(place) = self.asked_for_key(left, right) {
                        let holds = holds == (operator == "in");
                        let row = (place, Question::IsTrue, Constant::Nothing, holds);
                        self.builder.assume_either(&[row]);
                    }
                } else if let Some((question, turned)) = Question::of(operator) {
                    self.assume_compared(left, question, right, holds != turned);
                    self.assume_compared(right, question.turned(), left, holds != turned);
                }
            }
            "call" => {
                if let Some(asked) = self.asked_for_calling(condition) {
                    self.assume_of(asked, Question::IsOf, &[Constant::Function], holds);
                }
            }
            _ => {}
        }
    }

    /// The variable of which `callable(…)` asks.
    fn asked_for_calling(&self, call: Node<'t>) -> Option<Node<'t>> {
        let function = call.child_by_field_name("function")?;
        let given = call.child_by_field_name("arguments")?;
        let asked = given.part(0).filter(|asked| asked.kind() == "identifier")?;
        (self.text_of(function) == "callable" && given.part_count() == 1).then_some(asked)
    }

    fn assume_compared(&mut self, asked: Node<'t>, question: Question, with: Node<'t>, holds: bool) {
        if matches!(asked.kind(), "attribute" | "identifier")
            && let Some(constant) = self.constant(with)
        {
            self.assume_imported(asked, (question, constant), holds);
            if asked.kind() == "identifier" {
                self.assume_of(asked, question, &[constant], holds);
                if question == Question::Equals && holds {
                    self.choose_part(asked, constant);
                }
            } else {
                self.assume_made(asked, (question, constant), holds);
            }
        } else if matches!(asked.kind(), "subscript" | "call")
            && let Some(constant) = self.constant(with)
            && let Some(place) = self.asked_by(asked)
        {
            self.builder.assume_either(&[(place, question, constant, holds)]);
        }
    }

    /// Where constants of the file say otherwise, control comes here only if somebody sets one of them.
    pub(super) fn assume_of_file(&mut self, condition: Node<'t>, holds: bool) {
        if self.outcome_of(condition) == Some(!holds) {
            return;
        }
        if let Some((truth, used)) = self.truth_by_file(condition)
            && truth != holds
        {
            let used: Vec<_> = used.into_iter().map(|used| self.named_flag(used)).collect();
            self.builder.assume_of_file(&used);
        }
    }

    /// A name of the file, or a member of a class of it with whether that counts as true.
    fn named_flag(&mut self, (name, member): Used<'t>) -> (Name, Option<(Name, bool)>) {
        let member = member.map(|member| {
            let literal = self.class_constants.get(&(name, member)).copied();
            let constant = literal.and_then(|(literal, _)| self.constant(literal));
            (
                self.builder.name(member),
                constant.is_some_and(|constant| constant.is_true()),
            )
        });
        (self.builder.name(name), member)
    }

    /// What conditions elsewhere may ask of the names of this file.
    pub(super) fn note_flags(&mut self) {
        let mut flags: Vec<(&'t str, Node<'t>)> = self.file_flags.iter().map(|(name, node)| (*name, *node)).collect();
        flags.retain(|(name, _)| is_flag(name));
        flags.sort_unstable_by_key(|(name, _)| *name);
        for (text, node) in flags {
            if let Some(constant) = self.flag_of(node) {
                let name = self.builder.name(text);
                self.builder.note_flag(name, constant);
            }
        }
    }

    /// From here on an imported constant answers a question so.
    fn assume_imported(&mut self, asked: Node<'t>, question: (Question, Constant), holds: bool) {
        let (named, member) = match asked.kind() {
            "attribute" => (
                asked.child_by_field_name("object"),
                asked.child_by_field_name("attribute"),
            ),
            _ => (Some(asked), None),
        };
        let Some(named) = named.filter(|named| named.kind() == "identifier") else {
            return;
        };
        let is_of_class = member.is_some() && self.text_of(named).starts_with(|letter: char| letter.is_uppercase());
        let is_written_so = is_of_class || is_flag(self.text_of(member.unwrap_or(named)));
        if !is_written_so || !self.file_imports.contains(self.text_of(named)) {
            return;
        }
        let name = self.name_of(named);
        if self.builder.is_of_file(name) && !self.builder.assigned_inside.contains(&name) {
            let member = member.map(|member| self.name_of(member));
            self.builder
                .assume_imported((name, member), (question.0, question.1, holds));
        }
    }

    /// From here on a subject is one of what a pattern of literals names, or none of it.
    pub(super) fn assume_case(&mut self, subject: Node<'t>, pattern: Node<'t>, holds: bool) {
        let inner = match pattern.kind() {
            "case_pattern" => pattern.part(0),
            _ => Some(pattern),
        };
        match inner.map(|inner| (inner, inner.kind())) {
            Some((inner, "union_pattern")) if !holds => {
                for side in children(inner) {
                    self.assume_case(subject, side, false);
                }
            }
            Some((inner, "union_pattern")) if subject.kind() == "identifier" => {
                let sides: Option<Vec<_>> = children(inner)
                    .map(|side| match side.kind() {
                        "identifier" => None,
                        "dotted_name" if side.part_count() < 2 => None,
                        _ => self.constant(side),
                    })
                    .collect();
                if let Some(sides) = sides {
                    self.assume_of(subject, Question::Equals, &sides, true);
                }
            }
            Some((_, "union_pattern" | "identifier")) | None => {}
            Some((inner, "dotted_name")) if inner.part_count() < 2 => {}
            Some((inner, _)) => self.assume_compared(subject, Question::Equals, inner, holds),
        }
    }

    /// From here on all subjects are what their patterns ask for, or not all of them.
    pub(super) fn assume_parts(&mut self, cases: &[(Node<'t>, Node<'t>)], holds: bool) {
        let (mut asked, mut is_all) = (Vec::new(), true);
        for (subject, pattern) in cases {
            let (own, takes_it) = self.asked_by_case(*subject, *pattern);
            asked.extend(own);
            is_all &= takes_it;
        }
        match holds {
            true => asked.into_iter().for_each(|row| self.builder.assume_either(&[row])),
            false if is_all => {
                asked.iter_mut().for_each(|row| row.3 = !row.3);
                self.builder.assume_either(&asked);
            }
            false => {}
        }
    }

    /// Whether a pattern takes its subject, where both are constants.
    pub(super) fn outcome_of_case(&mut self, subject: Node<'t>, pattern: Node<'t>) -> Option<bool> {
        if self.builder.at_file_level() {
            return None;
        }
        let subject = self.constant(subject)?;
        self.takes(subject, pattern, 0)
    }

    fn takes(&mut self, subject: Constant, pattern: Node<'t>, depth: u8) -> Option<bool> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match pattern.kind() {
            "case_pattern" => self.takes(subject, pattern.part(0)?, depth + 1),
            "union_pattern" => {
                let sides: Vec<_> = children(pattern)
                    .map(|side| self.takes(subject, side, depth + 1))
                    .collect();
                match sides.contains(&Some(true)) {
                    true => Some(true),
                    false => sides.iter().all(|side| *side == Some(false)).then_some(false),
                }
            }
            // Names in patterns are no constants: they take what comes.
            "identifier" => None,
            "dotted_name" if pattern.part_count() < 2 => None,
            _ => {
                let constant = self.constant(pattern)?;
                subject.answer(Question::Equals, constant)
            }
        }
    }

    /// The constant that a literal is, or a variable of this function that can hold nothing else here.
    pub(super) fn constant(&mut self, node: Node<'t>) -> Option<Constant> {
        match node.kind() {
            "none" => Some(Constant::Nothing),
            "true" => Some(Constant::Truth(true)),
            "false" => Some(Constant::Truth(false)),
            "integer" => self.text_of(node).parse().ok().map(Constant::Number),
            // Bytes are no text, and equal to none.
            "string" if is_bytes(self.text_of(node)) => None,
            "string" => self.constant_text(node).map(|text| self.builder.text_constant(&text)),
            // A member of an enumeration is one value, whatever it stands for.
            "attribute" => self.worked_out_constant(node),
            "parenthesized_expression" => self.constant(node.part(0)?),
            "unary_operator" => {
                let text = self.text_of(node).strip_prefix('-')?;
                text.parse::<i32>().ok().map(|number| Constant::Number(-number))
            }
            "comparison_operator" | "not_operator" if !self.builder.at_file_level() => {
                self.outcome(node, DEPTH_LIMIT / 2).map(Constant::Truth)
            }
            // A member, as a pattern writes it.
            "dotted_name" => {
                let [class, member] = [0, 1].map(|part| node.part(part).map_or("", |part| self.text_of(part)));
                let (literal, is_member) = self.class_constants.get(&(class, member)).copied()?;
                match is_member && node.part_count() == 2 {
                    true => Some(self.builder.text_constant(&format!("{class}.{member}"))),
                    false => self.constant(literal),
                }
            }
            "identifier" => {
                let name = self.name_of(node);
                let is_own = self.builder.is_own_variable(name);
                let named = self.named_text(node).filter(|_| is_own);
                match named.filter(|named| super::file_constants::is_constant(*named)) {
                    Some(literal) => self.constant(literal),
                    None => self.worked_out_constant(node),
                }
            }
            "binary_operator" | "boolean_operator" | "call" | "conditional_expression" | "subscript" => {
                self.worked_out_constant(node)
            }
            _ => None,
        }
    }
}

impl<'t> Walker<'t> {
    fn worked_out_constant(&mut self, node: Node<'t>) -> Option<Constant> {
        let value = self.value_of(node)?;
        self.constant_of(&value)
    }
}

/// Whether a name is written as those of constants are.
fn is_flag(name: &str) -> bool {
    name.chars().any(|letter| letter.is_ascii_uppercase()) && !name.chars().any(|letter| letter.is_ascii_lowercase())
}

/// The two sides of a comparison, and what stands between them; none of `a < b < c`.
pub(super) fn sides<'t>(comparison: Node<'t>) -> Option<(Node<'t>, &'t str, Node<'t>)> {
    let (operands, operators) = compared(comparison);
    match (operands.as_slice(), operators.as_slice()) {
        ([left, right], [operator]) => Some((*left, *operator, *right)),
        _ => None,
    }
}

/// What is compared, and how: `0 < level < 4`.
pub(super) fn compared(comparison: Node<'_>) -> (Vec<Node<'_>>, Vec<&str>) {
    let mut cursor = comparison.walk();
    let operators = comparison.children_by_field_name("operators", &mut cursor);
    (
        children(comparison).collect(),
        operators.map(|operator| operator.kind()).collect(),
    )
}

/// Whether a literal is one of bytes.
pub(super) fn is_bytes(literal: &str) -> bool {
    let quote = literal.find(['"', '\'']).unwrap_or_default();
    literal[..quote].contains(['b', 'B'])
}
