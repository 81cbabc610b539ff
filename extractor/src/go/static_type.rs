//! Types of values as the source tells them: what a switch over types takes, and what it does not.
//!
//! ```go
//! func show(value any) string {
//!     switch v := value.(type) {
//!     case string: return v          // where a text is handed in,
//!     case Name:   return "name"     // and here a name
//!     }
//! }
//! ```

use tree_sitter::Node;

use super::Walker;
use super::expression::is_basic_type;
use crate::facts::{Assertion, Constant, Name, PlaceId, Position, Question, TypeExpressionId};
use crate::tree::{Parts, children};

/// How deep expressions are looked into.
const DEPTH_LIMIT: u8 = 4;

/// Most cases of a switch over types that are known not to be taken where a later one is.
const EARLIER_LIMIT: usize = 6;

/// What an outcome says: the variable, which definition of it, the types that are asked for, and how the one is written.
pub(super) type Asserted = (Name, PlaceId, Vec<TypeExpressionId>, Option<Name>);

impl<'t> Walker<'t> {
    /// The type of a value, where that is no interface; as a constant that says no more.
    pub(super) fn of_type(&mut self, node: Node<'t>) -> Option<Constant> {
        let Some(text) = self.static_type(node, 0) else {
            return self.is_made(node).then_some(Constant::Made(Name(0)));
        };
        let name = self.builder.name(&text);
        let is_made = match node.kind() {
            "composite_literal" => true,
            "unary_expression" => self.text_of(node).starts_with('&'),
            _ => false,
        };
        Some(match is_made {
            true => Constant::Made(name),
            false => Constant::OfType(name),
        })
    }

    /// A structure that is compared, or that something is kept under, is looked at field by field; a pointer to one is not.
    pub(super) fn read_whole(&mut self, node: Node<'t>, place: Option<PlaceId>) {
        let Some(place) = place else { return };
        let is_structure = |text: &String| {
            let last = text.rsplit('.').next().unwrap_or(text);
            let is_name = last.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            is_name && !is_basic_type(last)
        };
        if self.static_type(node, 0).as_ref().is_some_and(is_structure) {
            self.builder.read_whole(place, super::position(node));
        }
    }

    /// What an expression makes, if it is certainly not nil.
    pub(super) fn made_constant(&mut self, node: Node<'t>) -> Option<Constant> {
        if !self.is_made(node) {
            return None;
        }
        match self.of_type(node) {
            Some(Constant::Made(name)) => Some(Constant::Made(name)),
            _ => Some(Constant::Made(Name(0))),
        }
    }

    fn is_made(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "unary_expression" => self.text_of(node).starts_with('&'),
            "call_expression" => {
                let function = node.child_by_field_name("function");
                let text = function.map_or("", |function| self.text_of(function));
                let is_making = matches!(text, "errors.New" | "fmt.Errorf" | "new" | "make");
                is_making && {
                    let head = text.split('.').next().unwrap_or_default();
                    let head = self.builder.name(head);
                    !self.builder.is_bound(head)
                }
            }
            _ => false,
        }
    }

    /// What is known of a value that is handed over.
    pub(super) fn argument_constant(&mut self, node: Node<'t>) -> Option<Constant> {
        let known = self.constant(node).or_else(|| self.of_type(node));
        known.or_else(|| {
            self.is_function(node)
                .then(|| Constant::Made(self.builder.name("func")))
        })
    }

    /// Whether an expression is a function of this file, or one that is made here.
    fn is_function(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "func_literal" => true,
            "identifier" => {
                let name = self.name_of(node);
                self.file_functions.contains(&name) && !self.builder.is_bound(name)
            }
            _ => false,
        }
    }

    pub(super) fn static_type(&mut self, node: Node<'t>, depth: u8) -> Option<String> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let part = |field: &str| node.child_by_field_name(field);
        match node.kind() {
            "interpreted_string_literal" | "raw_string_literal" => Some("string".into()),
            "int_literal" => Some("int".into()),
            "float_literal" => Some("float64".into()),
            "true" | "false" => Some("bool".into()),
            "parenthesized_expression" => self.static_type(node.part(0)?, depth + 1),
            // A number that is worked out of others.
            "binary_expression" if self.constant_joined(node).is_some() => {
                let own = self.static_type(part("left")?, depth + 1)?;
                (own == "int" && self.static_type(part("right")?, depth + 1)? == own).then_some(own)
            }
            "composite_literal" => self.type_text(part("type")?),
            "unary_expression" if self.text_of(node).starts_with('&') => {
                let operand = part("operand").filter(|operand| operand.kind() == "composite_literal")?;
                Some(format!("*{}", self.static_type(operand, depth + 1)?))
            }
            "type_conversion_expression" => self.type_text(part("type")?),
            "call_expression" => {
                let function = part("function")?;
                if function.kind().ends_with("_type") {
                    return self.type_text(function);
                }
                let text = self.text_of(function);
                let name = self.name_of(function);
                if function.kind() != "identifier" || self.builder.is_bound(name) {
                    return None;
                }
                match text {
                    "len" | "cap" => Some("int".into()),
                    "make" if !self.file_functions.contains(&name) => self.type_text(part("arguments")?.part(0)?),
                    _ if self.file_types.contains(&name) || is_basic_type(text) && text != "error" => {
                        self.type_text(function)
                    }
                    _ => self.file_results.get(&name).cloned(),
                }
            }
            "identifier" => {
                let name = self.name_of(node);
                let held = self.builder.only_definition(name)?;
                self.static_types.get(&held).cloned()
            }
            _ => None,
        }
    }

    /// How a type is written, without packages.
    pub(super) fn type_text(&self, node: Node<'t>) -> Option<String> {
        let text = self.text_of(node);
        if matches!(node.kind(), "interface_type" | "generic_type") || matches!(text, "any" | "error") {
            return None;
        }
        match node.kind() {
            "identifier" | "type_identifier" => Some(match text {
                "byte" => "uint8".into(),
                "rune" => "int32".into(),
                text => text.into(),
            }),
            "qualified_type" => Some(self.text_of(node.child_by_field_name("name")?).into()),
            "pointer_type" => Some(format!("*{}", self.type_text(node.part(0)?)?)),
            "slice_type" => Some(format!("[]{}", self.type_text(node.child_by_field_name("element")?)?)),
            "parenthesized_type" => self.type_text(node.part(0)?),
            _ => None,
        }
    }

    /// A variable is declared with a value.
    pub(super) fn note_static_type(&mut self, target: Node<'t>, of: Option<String>) {
        if let (Some(of), "identifier") = (of, target.kind()) {
            let name = self.name_of(target);
            if let Some(place) = self.builder.only_definition(name) {
                self.static_types.insert(place, of);
            }
        }
    }

    /// The types of some expressions.
    pub(super) fn static_types_of(&mut self, list: Node<'t>) -> Vec<Option<String>> {
        children(list).map(|node| self.static_type(node, 0)).collect()
    }

    /// Notes the one result of a function of the file.
    pub(super) fn note_result(&mut self, function: Node<'t>) {
        let (name, result) = (
            function.child_by_field_name("name"),
            function.child_by_field_name("result"),
        );
        if let (Some(name), Some(result)) = (name, result)
            && result.kind() != "parameter_list"
            && let Some(text) = self.type_text(result)
        {
            let name = self.name_of(name);
            self.file_results.insert(name, text);
        }
    }

    /// What is switched over is of one of these types, or of none of them.
    pub(super) fn assume_types(&mut self, value: Node<'t>, types: &[Node<'t>], holds: bool) {
        let known = types.iter().filter(|node| self.text_of(**node) != "nil");
        let texts: Vec<String> = known.filter_map(|node| self.type_text(*node)).collect();
        // To be of none of them says as much of those that are known.
        if value.kind() != "identifier" || holds && texts.len() < types.len() {
            return;
        }
        let name = self.name_of(value);
        if self.addressed.contains(&name) {
            return;
        }
        let asked: Vec<Constant> = texts
            .iter()
            .map(|text| Constant::OfType(self.builder.name(text)))
            .collect();
        if holds {
            return self.builder.assume_any(name, Question::IsOf, &asked, true);
        }
        for asked in asked {
            self.builder.assume(name, Question::IsOf, asked, false);
        }
    }

    /// A case of a switch over types is taken, and so none above it was, which says something where its types may be interfaces.
    pub(super) fn assume_later(&mut self, value: Node<'t>, types: &[Node<'t>], case: Node<'t>) {
        let is_concrete = |walker: &mut Self, node: Node<'t>| {
            let name = walker.name_of(node);
            let text = walker.type_text(node).unwrap_or_default();
            walker.file_concrete.contains(&name) || crate::builtins::is_concrete(&text)
        };
        if types.iter().all(|node| is_concrete(self, *node)) {
            return;
        }
        let above = std::iter::successors(case.prev_named_sibling(), Node::prev_named_sibling);
        for case in above.filter(|above| above.kind() == "type_case").take(EARLIER_LIMIT) {
            let mut cursor = case.walk();
            let types: Vec<_> = case
                .children_by_field_name("type", &mut cursor)
                .filter(|node| node.is_named())
                .collect();
            self.assume_types(value, &types, false);
        }
    }

    /// A variable of which it may be asked what type it is of, here and from here on.
    pub(super) fn narrowable(&mut self, value: Node<'t>) -> Option<Name> {
        let name = (value.kind() == "identifier").then(|| self.name_of(value))?;
        (!self.addressed.contains(&name) && self.builder.is_own_variable(name)).then_some(name)
    }

    /// `v, ok := value.(T)`: `ok` says whether `value` is a `T`.
    pub(super) fn note_asserted(&mut self, outcome: Node<'t>, assertion: Node<'t>) {
        let assertion = match assertion.kind() {
            "expression_list" if assertion.part_count() == 1 => assertion.part(0),
            _ => Some(assertion),
        };
        let Some(assertion) = assertion.filter(|node| node.kind() == "type_assertion_expression") else {
            return;
        };
        let value = assertion.child_by_field_name("operand");
        let Some(name) = value.and_then(|value| self.narrowable(value)) else {
            return;
        };
        let asked = self.builder.facts.assertions.last().map(|row| row.types.clone());
        let text = assertion
            .child_by_field_name("type")
            .and_then(|of| self.type_text(of))
            .map(|text| self.builder.name(&text));
        let (Some(held), Some(asked), "identifier") = (self.builder.only_definition(name), asked, outcome.kind())
        else {
            return;
        };
        if let (Some(value), Some(of)) = (value, assertion.child_by_field_name("type"))
            && !self.may_be_of(value, of)
        {
            self.note_known(outcome, Some(Constant::Truth(false)));
        }
        let outcome = self.name_of(outcome);
        if let Some(place) = self.builder.only_definition(outcome).filter(|_| outcome != name) {
            self.asserted.insert(place, (name, held, asked, text));
        }
    }

    /// The outcome of such a test is known from here on.
    pub(super) fn hold_asserted(&mut self, outcome: Name, holds: bool, at: Position) {
        let Some(place) = self.builder.only_definition(outcome) else {
            return;
        };
        let Some((name, held, asked, text)) = self.asserted.get(&place).cloned() else {
            return;
        };
        if self.builder.only_definition(name) == Some(held) && self.builder.is_own_variable(name) {
            if let Some(text) = text {
                let of = Constant::OfType(text);
                self.builder.assume(name, Question::IsOf, of, holds);
            }
            let to = self.builder.refine(name, at);
            self.builder.derive(Some(held), to, at);
            self.builder.facts.assertions.push(Assertion {
                from: held,
                to,
                types: asked,
                holds,
                except: Vec::new(),
                is_itself: true,
            });
        }
    }

    /// `v, ok := table[key]`: `ok` says whether the table has a part under a key that a parameter brought.
    pub(super) fn note_found(&mut self, outcome: Node<'t>, looked_up: Node<'t>) {
        let looked_up = match looked_up.kind() {
            "expression_list" if looked_up.part_count() == 1 => looked_up.part(0),
            _ => Some(looked_up),
        };
        let key = looked_up
            .filter(|node| node.kind() == "index_expression" && outcome.kind() == "identifier")
            .and_then(|node| node.child_by_field_name("index"))
            .filter(|key| key.kind() == "identifier");
        let Some(key) = key else { return };
        let key = self.name_of(key);
        let table = self.builder.facts.element_loads.last().map(|load| load.base);
        if let (Some(table), Some(key)) = (
            table,
            self.builder.parameter(key).filter(|_| !self.addressed.contains(&key)),
        ) {
            let outcome = self.name_of(outcome);
            if let Some(place) = self.builder.only_definition(outcome) {
                self.found.insert(place, (table, key));
            }
        }
    }

    /// The outcome of such a look-up is known from here on.
    pub(super) fn hold_found(&mut self, outcome: Name, holds: bool) {
        let held = self.builder.only_definition(outcome);
        let found = held.and_then(|held| self.found.get(&held)).copied();
        if let Some(found) = found.filter(|_| self.builder.is_own_variable(outcome)) {
            self.builder.assume_found(found, holds);
        }
    }

    /// Whether a value can be of a type that is asserted, as far as the source tells.
    pub(super) fn may_be_of(&mut self, value: Node<'t>, asserted: Node<'t>) -> bool {
        let inner = match value.kind() {
            "call_expression" => {
                let is_any = value
                    .child_by_field_name("function")
                    .is_some_and(|function| self.text_of(function) == "any");
                let arguments = value.child_by_field_name("arguments").filter(|_| is_any);
                arguments.and_then(|arguments| arguments.part(0))
            }
            "identifier" => self.narrowable(value).map(|_| value),
            _ => None,
        };
        let own = inner.and_then(|inner| self.static_type(inner, 0));
        let (Some(own), Some(asked)) = (own, self.type_text(asserted)) else {
            return true;
        };
        let mut is_concrete = |text: &String| {
            let name = self.builder.name(text);
            crate::builtins::is_concrete(text) || self.file_concrete.contains(&name)
        };
        own == asked || !is_concrete(&own) || !is_concrete(&asked)
    }
}
