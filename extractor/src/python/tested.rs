//! Names that a function asks the same question again and that answer as before, found before the function is walked.
//!
//! ```python
//! def run(text, verbose):
//!     detail = "-"
//!     if verbose:
//!         detail = text
//!     if not verbose:
//!         print(detail)        # not the text: that comes where `verbose` is true
//! ```
//!
//! A list is empty at one time and not at another, so that truth is asked again of *steady* names alone: of those that are said to be a
//! flag, a number or a text, and of those with which the function does nothing but test them, and calls nothing between: what a name
//! holds may be emptied by another name for it. What is compared with a constant, or with
//! `None`, is what it is until the name is assigned. Names that are given constants in several places, and tested, say by these which way
//! control came: see [`crate::facts::feasible`].

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::Walker;
use crate::facts::{Constant, Name, PlaceId, Question};
use crate::tree::{Parts, children};

/// How deep a function is looked into; of one that goes deeper nothing is noted.
const DEPTH_LIMIT: u16 = 200;

/// Stands among the names where a function goes deeper.
const TOO_DEEP: &str = "<deep>";

/// Most names of a function of which that is noted.
const NAME_LIMIT: usize = 256;

/// Functions that tell something of what they are given, and do nothing to it.
const ASKING: &[&str] = &[
    "bool",
    "callable",
    "int",
    "isinstance",
    "len",
    "print",
    "repr",
    "str",
    "type",
];

/// What is known of a function's tests before it is walked.
#[derive(Debug, Default)]
pub(super) struct Tested<'t> {
    steady: FxHashSet<&'t str>,
    /// Names that are asked more than once.
    again: FxHashSet<&'t str>,
    /// Names that are given constants, and tested.
    flags: FxHashSet<&'t str>,
}

/// What a function does with a name.
#[derive(Debug, Default)]
struct Uses {
    tests: u32,
    /// Anything else than to test it or to give it a value.
    others: u32,
    assigned: u32,
    is_constant: bool,
    is_plain: bool,
    /// How much of [`Seen::others`] there was before the first test.
    first: Option<u32>,
    /// The number of the last test among all.
    last: u32,
    /// Something may have been done to what it holds between two tests, by another name.
    is_interrupted: bool,
}

/// What was seen of a function so far.
#[derive(Debug, Default)]
struct Seen<'t> {
    uses: FxHashMap<&'t str, Uses>,
    /// Calls, and whatever else may change a list that goes by two names.
    others: u32,
    tests: u32,
}

impl<'t> Walker<'t> {
    /// What is to be known of a function's tests before its body is walked; gives what was known around it.
    pub(super) fn note_tests(&mut self, parameters: Option<Node<'t>>, body: Node<'t>) -> Tested<'t> {
        let mut seen = Seen::default();
        // Most functions ask once, if at all.
        if asks_twice(self.text_of(body)) {
            self.note_uses(body, false, 0, &mut seen);
        }
        let mut uses = seen.uses;
        for parameter in parameters.into_iter().flat_map(children) {
            let name = parameter.child_by_field_name("name").or_else(|| parameter.part(0));
            if let Some(known) = name.and_then(|name| uses.get_mut(self.text_of(name))) {
                known.is_plain = self.is_said_plain(parameter);
            }
        }
        let mut tested = Tested::default();
        if uses.contains_key(TOO_DEEP) {
            uses.clear();
        }
        for (name, uses) in uses.into_iter().filter(|(_, uses)| uses.tests > 0) {
            if uses.others == 0 && !uses.is_interrupted || uses.is_plain {
                tested.steady.insert(name);
            }
            if uses.tests > 1 {
                tested.again.insert(name);
            }
            if uses.is_constant && uses.assigned > 1 {
                tested.flags.insert(name);
            }
        }
        std::mem::replace(&mut self.tested, tested)
    }

    /// Back to what was known around a function.
    pub(super) fn forget_tests(&mut self, around: Tested<'t>) {
        self.tested = around;
    }

    fn note_uses(&self, node: Node<'t>, is_test: bool, depth: u16, seen: &mut Seen<'t>) {
        let (kind, depth) = (node.kind(), depth + 1);
        let (others_before, tests_before) = (seen.others, seen.tests);
        if kind == "identifier" {
            seen.tests += u32::from(is_test);
            let number = seen.tests;
            let uses = self.uses_of(node, &mut seen.uses);
            match is_test {
                true => {
                    uses.tests += 1;
                    uses.last = number;
                    uses.is_interrupted |= *uses.first.get_or_insert(others_before) != others_before;
                }
                false => uses.others += 1,
            }
            return;
        }
        if node.child_count() == 0 {
            return;
        }
        let asked = match kind {
            "if_statement" | "elif_clause" | "while_statement" => node.child_by_field_name("condition"),
            "conditional_expression" => node.part(1),
            "assert_statement" => node.part(0),
            "not_operator" => node.child_by_field_name("argument"),
            "call" => node.child_by_field_name("arguments").filter(|_| self.only_asks(node)),
            _ => None,
        };
        let is_kept = matches!(kind, "boolean_operator" | "parenthesized_expression" | "argument_list");
        let skipped = match kind {
            "attribute" => node.child_by_field_name("attribute"),
            "keyword_argument" => node.child_by_field_name("name"),
            "assignment" => node
                .child_by_field_name("left")
                .filter(|left| left.kind() == "identifier"),
            _ => None,
        };
        if let Some(target) = skipped.filter(|_| kind == "assignment") {
            let constant = node.child_by_field_name("right").is_some_and(may_be_constant);
            let uses = self.uses_of(target, &mut seen.uses);
            uses.assigned += 1;
            uses.is_constant |= constant;
        }
        if depth > DEPTH_LIMIT {
            seen.uses.entry(TOO_DEEP).or_default();
            return;
        }
        for child in children(node).filter(|child| Some(*child) != skipped) {
            let is_asked =
                Some(child) == asked || matches!(kind, "comparison_operator" | "interpolation") || is_kept && is_test;
            self.note_uses(child, is_asked, depth, seen);
        }
        let may_change = match kind {
            "call" => asked.is_none(),
            "assignment" => skipped.is_none(),
            "augmented_assignment" | "delete_statement" | "yield" | "await" | "with_statement" => true,
            _ => false,
        };
        seen.others += u32::from(may_change);
        if matches!(kind, "for_statement" | "while_statement") && seen.others > others_before {
            // The next turn asks after what this one did.
            for uses in seen.uses.values_mut().filter(|uses| uses.last > tests_before) {
                uses.is_interrupted = true;
            }
        }
    }

    fn uses_of<'u>(&self, name: Node<'t>, uses: &'u mut FxHashMap<&'t str, Uses>) -> &'u mut Uses {
        let name = match uses.len() < NAME_LIMIT || uses.contains_key(self.text_of(name)) {
            true => self.text_of(name),
            false => "",
        };
        uses.entry(name).or_default()
    }

    fn only_asks(&self, call: Node<'t>) -> bool {
        let function = call
            .child_by_field_name("function")
            .map_or("", |function| self.text_of(function));
        ASKING.contains(&function) && !self.file_functions.contains_key(function)
    }

    /// Whether a parameter is said to be a flag, a number or a text.
    fn is_said_plain(&self, parameter: Node<'t>) -> bool {
        let value = parameter.child_by_field_name("value").map(|value| value.kind());
        if matches!(value, Some("true" | "false")) {
            return true;
        }
        let Some(declared) = parameter.child_by_field_name("type") else {
            return false;
        };
        let text = self.text_of(declared);
        let inner = text.strip_prefix("Optional[").and_then(|text| text.strip_suffix(']'));
        let mut sides = inner.unwrap_or(text).split('|').map(str::trim);
        sides.all(|side| matches!(side, "bool" | "int" | "float" | "str" | "bytes" | "None"))
    }

    /// From here on a question about a name has one of these answers, and has it until the name is assigned where that can be said.
    pub(super) fn assume_of(&mut self, asked: Node<'t>, question: Question, constants: &[Constant], holds: bool) {
        let (name, text) = (self.name_of(asked), self.text_of(asked));
        if question != Question::IsTrue || self.tested.steady.contains(text) {
            let is_asked_again = self.tested.again.contains(text);
            self.builder
                .assume_lasting(name, question, constants, holds, (is_asked_again, true));
            return;
        }
        if let [constant] = constants {
            self.builder.assume_flag(name, question, *constant, holds);
        }
        self.builder.assume_any(name, question, constants, holds);
    }

    /// A variable is declared.
    pub(super) fn declare_flag(&mut self, name: Name, text: &str) {
        if self.tested.flags.contains(text) {
            self.builder.follow_flag(name);
        }
    }

    /// A variable is given a value.
    pub(super) fn note_flag_given(&mut self, target: Node<'t>, place: PlaceId, value: Node<'t>) {
        if target.kind() == "identifier"
            && self.tested.flags.contains(self.text_of(target))
            && may_be_constant(value)
            && let Some(constant) = self.constant(value)
        {
            self.builder.set_flag(place, constant);
        }
    }
}

/// Whether more than one condition may stand in a text.
fn asks_twice(text: &str) -> bool {
    ["if ", "if(", "while ", "assert ", "case ", " and ", " or "]
        .into_iter()
        .flat_map(|word| text.matches(word).take(2))
        .nth(1)
        .is_some()
}

/// Whether an expression is a literal.
fn may_be_constant(value: Node<'_>) -> bool {
    matches!(value.kind(), "true" | "false" | "none" | "integer" | "string")
}
