//! What a condition says of the values that it tests, on the way where it holds and on the other.
//!
//! ```python
//! if not isinstance(shape, Circle):
//!     return                      # on this way no Circle
//! shape.radius                    # on this one nothing else
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{Constant, Name, Narrowing, PlaceId, PlaceKind, Position, Question, Test, TypeExpression};

impl<'t> Walker<'t> {
    /// Where this condition holds, `x` of `isinstance(x, C)` is a `C`; where it does not, it is none. Where `callable(x)` does not hold, `x`
    /// is no function.
    pub(super) fn narrow(&mut self, condition: Node<'t>, holds: bool) {
        if self.outcome_of(condition) == Some(!holds) {
            self.builder.rule_out();
        }
        if matches!(
            condition.kind(),
            "attribute" | "call" | "comparison_operator" | "identifier" | "subscript"
        ) || condition.kind() == "boolean_operator" && is_and(condition) != holds
        {
            self.assume_of_file(condition, holds);
        }
        self.assume(condition, holds);
        match condition.kind() {
            "identifier" => {
                if let Some(tested) = self.tested_before(condition)
                    && self.builder.enter(position(condition).line)
                {
                    self.narrow(tested, holds);
                    self.builder.exit();
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = condition.part(0) {
                    self.narrow(inner, holds);
                }
            }
            "not_operator" => {
                if let Some(inner) = condition.child_by_field_name("argument") {
                    self.narrow(inner, !holds);
                }
            }
            "boolean_operator" => {
                let (Some(left), Some(right)) = (
                    condition.child_by_field_name("left"),
                    condition.child_by_field_name("right"),
                ) else {
                    return;
                };
                // `a and b` holds where both do, `a or b` fails where both do: then both say something.
                if is_and(condition) == holds {
                    self.narrow(left, holds);
                    self.narrow(right, holds);
                } else if says_something(left, self.text) && says_something(right, self.text) {
                    let before = self.builder.snapshot();
                    self.narrow(left, holds);
                    let first = self.builder.snapshot();
                    self.builder.restore(before);
                    self.narrow(left, !holds);
                    self.narrow(right, holds);
                    self.builder.merge(first);
                }
            }
            "comparison_operator" => {
                self.narrow_none(condition, holds);
                self.narrow_to_type(condition, holds);
            }
            "call" if calls(condition, "hasattr", self.text) => {
                let arguments = condition.child_by_field_name("arguments");
                let given: Vec<_> = arguments.into_iter().flat_map(children).collect();
                if let [value, member] = given.as_slice() {
                    self.narrow_to_member(*value, *member, holds);
                }
            }
            "call" if is_test(condition, self.text) => {
                let test = self.builder.name("isinstance");
                if self.builder.is_bound(test) {
                    return;
                }
                let arguments = condition.child_by_field_name("arguments");
                let given: Vec<_> = arguments.into_iter().flat_map(children).collect();
                if let [value, class] = given.as_slice() {
                    self.narrow_to_class(*value, *class, holds);
                }
            }
            "call" if !holds && calls(condition, "callable", self.text) => {
                let arguments = condition.child_by_field_name("arguments");
                if let Some(value) = arguments.and_then(|arguments| arguments.part(0)) {
                    self.narrow_to_no_function(value);
                }
            }
            _ => {}
        }
    }

    /// Gives the place of what is tested on this way; none where that is no variable.
    pub(super) fn narrow_to_class(&mut self, value: Node<'t>, class: Node<'t>, holds: bool) -> Option<PlaceId> {
        self.assume_of_class(value, holds);
        let (from, to) = self.refined(value, position(value))?;
        self.narrowing((from, to), class, holds);
        Some(to)
    }

    /// From here on a variable passes the next test of the file, or does not.
    fn assume_of_class(&mut self, value: Node<'t>, holds: bool) {
        if value.kind() == "identifier" {
            let name = self.name_of(value);
            let test = Constant::Test(self.builder.facts.narrowings.len() as u32);
            self.builder.assume_here(name, Question::IsOf, test, holds);
        }
    }

    /// What is tested is nothing that can be called.
    fn narrow_to_no_function(&mut self, value: Node<'t>) {
        let at = position(value);
        let Some((from, to)) = self.refined(value, at) else {
            return;
        };
        let class = self.builder.type_expression(TypeExpression::Function {
            parameters: None,
            results: Vec::new(),
        });
        self.untyped_narrowing((from, to), Test::Class(class), false, at);
    }

    /// `type(x) is C`, `type(x) in {C, D}`: an instance of the class itself.
    fn narrow_to_type(&mut self, condition: Node<'t>, holds: bool) {
        let mut cursor = condition.walk();
        let operators = condition.children_by_field_name("operators", &mut cursor);
        let operators: Vec<_> = operators.map(|operator| operator.kind()).collect();
        let parts: Vec<_> = children(condition).collect();
        let ([asked, classes], [operator]) = (parts.as_slice(), operators.as_slice()) else {
            return;
        };
        let is_one = match *operator {
            "is" | "==" => true,
            "in" => matches!(classes.kind(), "set" | "tuple" | "list"),
            "is not" | "!=" => false,
            "not in" if matches!(classes.kind(), "set" | "tuple" | "list") => false,
            _ => return,
        };
        if !calls(*asked, "type", self.text) {
            return;
        }
        let given: Vec<_> = asked
            .child_by_field_name("arguments")
            .into_iter()
            .flat_map(children)
            .collect();
        let [value] = given.as_slice() else {
            return;
        };
        self.assume_of_class(*value, holds == is_one);
        let Some((from, to)) = self.refined(*value, position(*value)) else {
            return;
        };
        let (mut named, mut sides) = (Vec::new(), Vec::new());
        let listed: Vec<_> = match classes.kind() {
            "set" | "tuple" | "list" => children(*classes).collect(),
            _ => vec![*classes],
        };
        for class in listed {
            self.named_in(class, &mut named);
            sides.push(self.annotation(class));
        }
        let class = self.builder.type_expression(TypeExpression::Union(sides));
        self.builder.derive(Some(from), to, position(*value));
        self.builder.facts.narrowings.push(Narrowing {
            from,
            to,
            test: Test::Exactly(class),
            named,
            holds: holds == is_one,
        });
    }

    /// `hasattr(x, "name")`: what has no such member is not there, or what has one.
    fn narrow_to_member(&mut self, value: Node<'t>, member: Node<'t>, holds: bool) {
        let literal = self.literal(member);
        let Some(member) = self.constant_text(literal) else {
            return;
        };
        let member = self.builder.name(&member);
        self.assume_of_class(value, holds);
        if let Some((from, to)) = self.refined(value, position(value)) {
            self.untyped_narrowing((from, to), Test::Member(member), holds, position(value));
        }
    }

    /// What a variable holds goes on from here if the call comes back.
    pub(super) fn narrow_by_end(&mut self, name: Name, call: u32, at: Position) {
        let from = self.builder.use_name(name, at);
        let to = self.builder.refine(name, at);
        self.untyped_narrowing((from, to), Test::End(call), true, at);
    }

    /// Where a test that names no class of the file holds, or does not.
    pub(super) fn untyped_narrowing(&mut self, (from, to): (PlaceId, PlaceId), test: Test, holds: bool, at: Position) {
        self.builder.derive(Some(from), to, at);
        self.builder.facts.narrowings.push(Narrowing {
            from,
            to,
            test,
            named: Vec::new(),
            holds,
        });
    }

    /// What is in `from` is in `to`, as far as it passes the test.
    pub(super) fn narrowing(&mut self, (from, to): (PlaceId, PlaceId), class: Node<'t>, holds: bool) {
        let at = position(class);
        let mut named = Vec::new();
        self.named_in(class, &mut named);
        let class = self.annotation(class);
        self.builder.derive(Some(from), to, at);
        self.builder.facts.narrowings.push(Narrowing {
            from,
            to,
            test: Test::Class(class),
            named,
            holds,
        });
    }

    /// What a variable, or a member of one, holds before and from here on.
    fn refined(&mut self, value: Node<'t>, at: Position) -> Option<(PlaceId, PlaceId)> {
        match value.kind() {
            "identifier" => {
                let name = self.name_of(value);
                if !self.builder.is_own_variable(name) {
                    return None;
                }
                let from = self.builder.use_name(name, at);
                self.narrowed.push(name);
                Some((from, self.builder.refine(name, at)))
            }
            "attribute" if is_path(value) => {
                let from = self.expression(value)?;
                Some((from, self.builder.refine_path(from, at)?))
            }
            _ => None,
        }
    }

    /// What the names in a test's class hold: a class may go by the name of a variable.
    fn named_in(&mut self, class: Node<'t>, named: &mut Vec<PlaceId>) {
        match class.kind() {
            "identifier" => {
                let name = self.name_of(class);
                named.push(self.builder.use_name(name, position(class)));
            }
            "dotted_name" => {
                named.extend(self.dotted(class));
            }
            "tuple" | "parenthesized_expression" | "binary_operator" => {
                for part in children(class) {
                    self.named_in(part, named);
                }
            }
            _ => {}
        }
    }

    /// A name with dots, as a pattern writes it.
    pub(super) fn dotted(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let mut parts = children(node);
        let first = parts.next()?;
        let name = self.name_of(first);
        let mut place = self.builder.use_name(name, position(first));
        for part in parts {
            let member = self.name_of(part);
            place = self.builder.load(place, member, position(part));
        }
        Some(place)
    }

    /// `x is None`: where that holds, nothing is in `x`.
    fn narrow_none(&mut self, condition: Node<'t>, holds: bool) {
        let parts: Vec<_> = children(condition).collect();
        let mut cursor = condition.walk();
        let operators: Vec<_> = condition
            .children_by_field_name("operators", &mut cursor)
            .map(|operator| operator.kind())
            .collect();
        let ([value, none], [operator]) = (parts.as_slice(), operators.as_slice()) else {
            return;
        };
        let is_none = match *operator {
            "is" => holds,
            "is not" => !holds,
            _ => return,
        };
        if is_none && none.kind() == "none" && value.kind() == "identifier" && !self.builder.at_file_level() {
            let name = self.name_of(*value);
            if self.builder.is_own_variable(name) {
                self.builder.define(name, PlaceKind::Value, position(*value));
            }
        }
    }
}

/// Whether an `and` joins the two sides; else it is an `or`.
pub(super) fn is_and(node: Node<'_>) -> bool {
    node.child_by_field_name("operator")
        .is_some_and(|operator| operator.kind() == "and")
}

fn is_test(call: Node<'_>, text: &str) -> bool {
    calls(call, "isinstance", text)
}

fn calls(call: Node<'_>, name: &str, text: &str) -> bool {
    let function = call.child_by_field_name("function");
    function.is_some_and(|function| text.get(function.byte_range()) == Some(name))
}

/// Whether a condition says something of what it tests on either way.
fn says_something(condition: Node<'_>, text: &str) -> bool {
    match condition.kind() {
        "call" => is_test(condition, text) || calls(condition, "hasattr", text),
        "parenthesized_expression" | "not_operator" => {
            condition.part(0).is_some_and(|inner| says_something(inner, text))
        }
        "boolean_operator" => children(condition).any(|side| says_something(side, text)),
        "comparison_operator" => {
            condition.part(1).is_some_and(|right| right.kind() == "none")
                || condition.part(0).is_some_and(|left| calls(left, "type", text))
        }
        _ => false,
    }
}

/// `user.name`, `self.box.lid`.
fn is_path(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" => true,
        "attribute" => node.child_by_field_name("object").is_some_and(is_path),
        _ => false,
    }
}
