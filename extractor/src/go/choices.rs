//! Constants that tests choose: see [`crate::facts::builder`] for what is said of them.
//!
//! ```go
//! switch plan {
//! case "gold": return 2       // the result depends on `plan`
//! }
//! if err != nil { return 0, err }     // and not on whether there was an error
//! ```

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{ElementKey, Name, Object, PlaceId, Position, TypeExpression};
use crate::tree::{Parts, children};

impl<'t> Walker<'t> {
    /// A constant that tests choose; nil is no value.
    pub(super) fn chosen(&mut self, place: Option<PlaceId>, node: Node<'t>) -> Option<PlaceId> {
        match node.kind() {
            "nil" => place,
            _ => self.builder.chosen(place, position(node)),
        }
    }

    /// What is assigned under tests: of a field or an element, and of a variable that holds something else otherwise, by its name.
    pub(super) fn assigned_under_tests(
        &mut self,
        (target, value): (Node<'t>, Option<PlaceId>),
        right: Node<'t>,
        declares: bool,
    ) -> (Option<PlaceId>, Option<Name>) {
        let is_told = right.kind() == "index_expression" || self.is_figure(right);
        let Some(place) = value.filter(|_| !declares && is_told && self.builder.has_tests()) else {
            let is_kept = target.kind() == "selector_expression";
            if is_kept && value.is_none() && right.kind() != "nil" {
                return (self.builder.kept_constant(position(right)), None);
            }
            if let Some(grown) = value.filter(|_| self.grows(target, right)) {
                self.builder.chosen_as(grown, position(right));
                self.builder.kept_when_called(grown, position(right));
            }
            return (self.chosen(value, right), None);
        };
        match target.kind() {
            "selector_expression" | "index_expression" => {
                let held = self.builder.chosen_copy(place, position(right));
                self.builder.assigned(Some(place), held);
                (Some(held), None)
            }
            "identifier" => {
                let name = self.name_of(target);
                (value, Some(name).filter(|name| self.builder.is_held(*name)))
            }
            _ => (value, None),
        }
    }

    /// `s.items = append(s.items, item)`: how long the list is depends on whether this is done.
    fn grows(&self, target: Node<'t>, right: Node<'t>) -> bool {
        let arguments = right
            .child_by_field_name("arguments")
            .filter(|_| right.kind() == "call_expression");
        let function = right.child_by_field_name("function");
        let is_append = function.is_some_and(|function| self.text_of(function) == "append");
        let first = arguments.and_then(|arguments| arguments.part(0));
        let is_same = first.is_some_and(|first| self.text_of(first) == self.text_of(target));
        target.kind() == "selector_expression" && is_append && is_same
    }

    /// A mapping is given a key: under tests, or with nothing but itself, it tells who asks how many there are.
    pub(super) fn put_key(&mut self, mapping: PlaceId, key: Option<PlaceId>, value: Option<PlaceId>, at: Position) {
        let is_set = value.is_none_or(|value| self.is_empty_structure(value));
        self.builder.element_store(mapping, ElementKey::Keys, key, at);
        if key.is_some() {
            if let Some(key) = key.filter(|_| is_set) {
                self.builder.marks(key, mapping, at);
            }
            self.builder.chosen_as(mapping, at);
        }
        self.builder.kept_when_called(mapping, at);
    }

    /// `struct{}{}`
    fn is_empty_structure(&self, place: PlaceId) -> bool {
        let facts = &self.builder.facts;
        let made = facts.objects.iter().rev().find(|(made, _)| *made == place);
        let expression = match made {
            Some((_, Object::Instance(expression))) => &facts.type_expressions[expression.0 as usize],
            _ => return false,
        };
        matches!(expression, TypeExpression::Local(local) if facts.types[local.0 as usize].fields.is_empty())
    }

    /// A structure or list that is given back depends on the tests around it.
    pub(super) fn chosen_made(&mut self, place: Option<PlaceId>, node: Node<'t>) -> Option<PlaceId> {
        let made = match node.kind() {
            "unary_expression" => node.child_by_field_name("operand").unwrap_or(node),
            _ => node,
        };
        if let ("composite_literal", Some(whole), true) = (made.kind(), place, self.builder.is_reachable()) {
            self.builder.chosen_as(whole, position(node));
        }
        self.chosen(place, node)
    }

    /// Notes the literals that are given back under tests: which of several it is, each part depends on.
    pub(super) fn note_returned(&mut self, values: Node<'t>) {
        if !self.builder.has_tests() || is_failure(values, self.text) {
            return;
        }
        for value in children(values) {
            // `return json.Marshal(Out{…})`
            if let Some(arguments) = value
                .child_by_field_name("arguments")
                .filter(|_| value.kind() == "call_expression")
            {
                self.note_returned(arguments);
            }
            let made = match value.kind() {
                "unary_expression" => value.child_by_field_name("operand").unwrap_or(value),
                _ => value,
            };
            let body = made.child_by_field_name("body");
            self.returned_literals.extend(body.map(|body| body.id()));
        }
    }

    /// A part of such a literal.
    pub(super) fn given_under_tests(
        &mut self,
        place: Option<PlaceId>,
        body: Node<'t>,
        value: Node<'t>,
    ) -> Option<PlaceId> {
        let value = match value.kind() {
            "literal_element" => value.part(0).unwrap_or(value),
            _ => value,
        };
        if !self.returned_literals.contains(&body.id()) || value.kind() == "nil" {
            return place;
        }
        match place {
            Some(place) if self.is_figure(value) => Some(self.builder.chosen_copy(place, position(value))),
            Some(place) => Some(place),
            None => self.builder.chosen(None, position(value)),
        }
    }

    /// What is looked up or asserted, and whether it is there: `name, ok := names[key]`.
    pub(super) fn with_whether(&mut self, value: Option<PlaceId>, node: Node<'t>) -> Vec<Option<PlaceId>> {
        let is_asked = matches!(node.kind(), "index_expression" | "type_assertion_expression");
        if !is_asked || value.is_none() || !self.builder.is_reachable() {
            return vec![value];
        }
        let is_there = self.builder.value(position(node));
        self.builder.test(value, is_there, position(node));
        vec![value, Some(is_there)]
    }

    /// Whether a variable is declared in the body of the loop around: in each round it begins anew.
    pub(super) fn begins_anew(&self, target: Node<'t>) -> bool {
        let mut around = target.parent();
        while let Some(node) = around.filter(|node| node.kind() != "for_statement") {
            around = node.parent();
        }
        let body = around.and_then(|node| node.child_by_field_name("body"));
        let name = self.text_of(target);
        let declares = |body: Node<'t>| {
            let text = self.text_of(body);
            text.contains(&format!("{name} := ")) || text.contains(&format!("var {name} "))
        };
        target.kind() == "identifier" && body.is_some_and(declares)
    }

    /// What a loop counts up by a constant says how often it goes round.
    pub(super) fn counted(&mut self, sum: Option<PlaceId>, at: Position) {
        let (function, innermost) = (self.builder.function(), self.rounds.last().copied());
        let rounds = innermost.filter(|(_, own)| *own == function).map(|(rounds, _)| rounds);
        if let Some((rounds, sum)) = rounds.zip(sum) {
            self.builder.test(Some(rounds), sum, at);
        }
    }

    /// What something is counted up to depends on the tests around it.
    pub(super) fn summed(&mut self, sum: Option<PlaceId>, at: Position) -> Option<PlaceId> {
        sum.into_iter().for_each(|sum| self.builder.chosen_as(sum, at));
        self.builder.chosen(sum, at)
    }
}

/// Whether a branch ends by giving something back that is no error, or by going on with the next item.
pub(super) fn leaves(block: Node<'_>, text: &str) -> bool {
    let Some(last) = last_statement(block) else {
        return false;
    };
    match last.kind() {
        "continue_statement" | "break_statement" => true,
        "return_statement" => last.part(0).is_some_and(|values| !is_failure(values, text)),
        _ => false,
    }
}

/// Whether a branch of an `if` leaves, or does nothing but to end the function, for another reason than an error.
pub(super) fn some_branch_leaves(statement: Node<'_>, text: &str) -> bool {
    let alternative = statement.child_by_field_name("alternative");
    let consequence = statement.child_by_field_name("consequence");
    let mut branches = consequence.into_iter().chain(alternative);
    let asks_for_error = || {
        let condition = statement.child_by_field_name("condition");
        condition.is_none_or(|condition| tells_of_failure(condition, text))
    };
    branches.any(|branch| leaves(branch, text))
        || consequence.is_some_and(|block| only_ends(block, text)) && !asks_for_error()
}

/// `return` alone, or `return nil` where there is but an error to give back.
fn only_ends(block: Node<'_>, text: &str) -> bool {
    let statements: Vec<Node<'_>> = children(list_of(block)).collect();
    let written = statements.iter().filter(|statement| statement.kind() != "comment");
    let mut written = written.rev();
    let Some(last) = written.next().filter(|last| last.kind() == "return_statement") else {
        return false;
    };
    let gives_nothing = last.part(0).is_none_or(|values| {
        let is_nil = text.get(values.byte_range()) == Some("nil");
        is_nil && function_around(*last).is_some_and(|function| gives_error_alone(function, text))
    });
    gives_nothing && written.all(|statement| only_tells(*statement, text))
}

/// `log.Printf("skipped")`
fn only_tells(statement: Node<'_>, text: &str) -> bool {
    let call = match statement.kind() {
        "expression_statement" => statement.part(0),
        _ => None,
    };
    let function = call.and_then(|call| call.child_by_field_name("function"));
    let written = function
        .and_then(|function| text.get(function.byte_range()))
        .unwrap_or("");
    let holder = written.rsplit_once('.').map_or("", |(holder, _)| holder);
    holder == "fmt" || holder.to_ascii_lowercase().contains("log")
}

/// Whether an error is asked for, or a function that tells by its answer that it has refused: `!decode(w, r, &in)`.
fn tells_of_failure(condition: Node<'_>, text: &str) -> bool {
    let written = text.get(condition.byte_range()).unwrap_or("");
    let mut words = written.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let is_error = |word: &str| {
        let rest = word.strip_prefix("err");
        word.ends_with("Err") || rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_lowercase()))
    };
    let is_filled = written.contains("(&") || written.contains(", &");
    words.any(is_error) || written.starts_with('!') && is_filled
}

fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    let around = std::iter::successors(node.parent(), |node| node.parent());
    let is_function = |node: &Node<'_>| {
        matches!(
            node.kind(),
            "function_declaration" | "method_declaration" | "func_literal"
        )
    };
    around.into_iter().find(is_function)
}

fn gives_error_alone(function: Node<'_>, text: &str) -> bool {
    let result = function.child_by_field_name("result");
    let written = result.and_then(|result| text.get(result.byte_range())).unwrap_or("");
    matches!(written, "error" | "(err error)")
}

/// As [`leaves`], of a case: a `break` leaves the switch alone.
pub(super) fn leaves_from_case(case: Node<'_>, text: &str) -> bool {
    let is_break = last_statement(case).is_some_and(|last| last.kind() == "break_statement" && last.part(0).is_none());
    !is_break && leaves(case, text)
}

/// Whether what is given back is an error, or nothing: the last of several values is no constant, and one alone is made or called as errors are.
pub(super) fn is_failure(values: Node<'_>, text: &str) -> bool {
    let values: Vec<Node<'_>> = match values.kind() {
        "expression_list" => children(values).collect(),
        _ => vec![values],
    };
    let is_constant = |node: &Node<'_>| matches!(node.kind(), "true" | "false") || node.kind().ends_with("_literal");
    match values.as_slice() {
        [only] => {
            let written = text.get(only.byte_range()).unwrap_or("");
            let name = written.rsplit('.').next().unwrap_or(written);
            only.kind() == "nil"
                || name.starts_with("err")
                || name.starts_with("Err")
                || written.starts_with("errors.")
                || written.starts_with("fmt.Errorf(")
        }
        [.., last] => last.kind() != "nil" && !is_constant(last),
        [] => true,
    }
}

/// `return nil, ErrAmount`, and not `if err != nil { return nil, err }`, which hands on that another function failed.
pub(super) fn gives_error(values: Node<'_>, text: &str) -> bool {
    let last = match values.kind() {
        "expression_list" => children(values).last(),
        _ => Some(values),
    };
    let is_error = last.is_some_and(|last| last.kind() != "nil") && is_failure(values, text);
    let around = std::iter::successors(values.parent(), |node| node.parent());
    let test = around.into_iter().find(|node| node.kind() == "if_statement");
    let condition = test.and_then(|test| test.child_by_field_name("condition"));
    is_error && !condition.is_some_and(|condition| tells_of_failure(condition, text))
}

pub(super) fn falls_through(case: Node<'_>) -> bool {
    last_statement(case).is_some_and(|last| last.kind() == "fallthrough_statement")
}

/// The last statement of a block or a case.
fn last_statement(block: Node<'_>) -> Option<Node<'_>> {
    children(list_of(block)).last()
}

/// Where the statements of a block or a case are.
fn list_of(block: Node<'_>) -> Node<'_> {
    let list = children(block).last().filter(|list| list.kind() == "statement_list");
    list.unwrap_or(block)
}
