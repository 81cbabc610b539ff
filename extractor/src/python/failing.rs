//! Which handler takes what a `try` is certain to raise.
//!
//! ```python
//! try:
//!     raise KeyError(name)      # nothing else fails here
//! except ValueError: …          # never
//! except LookupError: …         # this one
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{Call, Object, PlaceId, Position};

/// Built-in functions whose exceptions say what they were given, by what these are.
const TELLING: &[(&str, &str)] = &[
    ("float", "ValueError"),
    ("int", "ValueError"),
    ("open", "FileNotFoundError"),
];

/// Most classes from one to the top.
const CHAIN_LIMIT: usize = 12;

/// Exceptions of the language that are no direct children of `Exception`.
const BUILT_IN: &[(&str, &str)] = &[
    ("ConnectionError", "OSError"),
    ("FileExistsError", "OSError"),
    ("FileNotFoundError", "OSError"),
    ("FloatingPointError", "ArithmeticError"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("ModuleNotFoundError", "ImportError"),
    ("NotImplementedError", "RuntimeError"),
    ("OverflowError", "ArithmeticError"),
    ("PermissionError", "OSError"),
    ("RecursionError", "RuntimeError"),
    ("TimeoutError", "OSError"),
    ("UnicodeDecodeError", "UnicodeError"),
    ("UnicodeError", "ValueError"),
    ("ZeroDivisionError", "ArithmeticError"),
];

/// Those that are.
const PLAIN: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "EOFError",
    "ImportError",
    "LookupError",
    "NameError",
    "OSError",
    "RuntimeError",
    "StopIteration",
    "TypeError",
    "ValueError",
];

/// Most statements of a `try` whose handlers are told by what they fail, and most of what its calls are given.
const TRIED_LIMIT: usize = 4;
const GIVEN_LIMIT: usize = 6;

impl<'t> Walker<'t> {
    /// `int(text)` that fails under a `try` says in its exception what the text was.
    pub(super) fn may_tell(&mut self, function: Node<'t>, given: Option<PlaceId>, at: Position) {
        let name = self.text_of(function);
        let told = TELLING.iter().find(|(own, _)| *own == name);
        let (Some((_, class)), Some(given)) = (told, given) else {
            return;
        };
        let name = self.builder.name(name);
        if !self.builder.is_bound(name) {
            self.may_raise_with(class, given, at);
        }
    }

    /// What is done here may raise an exception of the language that has this in it: `table[name]` a `KeyError`.
    pub(super) fn may_raise_with(&mut self, class: &str, given: PlaceId, at: Position) {
        if self.builder.is_guarded() {
            let class = self.builder.name(class);
            let error = self.builder.object(Object::Builtin(class), at);
            self.builder.derive(Some(given), error, at);
            self.builder.raise(error, at);
        }
    }

    /// What decides whether the handlers of a short `try` run: what the calls in it are given, `price = float(row["price"])`. Only of handlers that say
    /// what is so then.
    pub(super) fn failed_by(&mut self, node: Node<'t>, calls_before: usize) -> Option<PlaceId> {
        let body = node.child_by_field_name("body")?;
        let says = |statement: Node<'t>| match statement.kind() {
            "return_statement" => true,
            "expression_statement" => statement.part(0).is_some_and(|inner| inner.kind() == "assignment"),
            _ => false,
        };
        let handlers = children(node).filter(|clause| clause.kind() == "except_clause");
        let mut blocks = handlers.flat_map(children).filter(|part| part.kind() == "block");
        if body.part_count() > TRIED_LIMIT || !blocks.any(|block| children(block).any(says)) {
            return None;
        }
        let tells = |call: &&Call| {
            let text = self.builder.facts.text(call.text);
            text == "print" || text.starts_with("log")
        };
        let calls = self.builder.facts.calls[calls_before..]
            .iter()
            .filter(|call| !tells(call));
        let given = calls
            .flat_map(|call| &call.arguments)
            .filter_map(|argument| argument.place);
        let given: Vec<Option<PlaceId>> = given.take(GIVEN_LIMIT).map(Some).collect();
        self.builder.outcome(&given, position(node))
    }

    /// For each handler of a `try`, whether it is certain that it does not run.
    pub(super) fn idle_handlers(&mut self, node: Node<'t>) -> Vec<bool> {
        let handlers = || children(node).filter(|clause| clause.kind() == "except_clause");
        let raised = node
            .child_by_field_name("body")
            .and_then(|body| self.raised_at_the_end(body));
        let Some(classes) = raised.and_then(|class| self.classes_above(class)) else {
            return handlers().map(|_| false).collect();
        };
        let mut is_taken = false;
        let mut idle = Vec::new();
        for clause in handlers() {
            let takes = self.takes_any(clause, &classes);
            idle.push(is_taken || takes == Some(false));
            is_taken |= takes == Some(true);
        }
        idle
    }

    /// The class of what a block raises at its end, where nothing before may fail.
    fn raised_at_the_end(&self, body: Node<'t>) -> Option<&'t str> {
        let mut statements: Vec<_> = children(body)
            .filter(|statement| statement.kind() != "comment")
            .collect();
        let last = statements.pop().filter(|last| last.kind() == "raise_statement")?;
        let is_harmless = |statement: &Node<'t>| {
            let inner = statement.part(0).filter(|inner| inner.kind() == "assignment");
            let sides = inner.and_then(|inner| {
                let left = inner.child_by_field_name("left")?;
                Some((left, inner.child_by_field_name("right")?))
            });
            sides.is_some_and(|(left, right)| left.kind() == "identifier" && is_harmless(right))
        };
        if !statements.iter().all(is_harmless) {
            return None;
        }
        let raised = last.part(0)?;
        match raised.kind() {
            "identifier" => Some(self.text_of(raised)),
            "call" => {
                let class = raised.child_by_field_name("function")?;
                let given = raised.child_by_field_name("arguments")?;
                let is_plain = class.kind() == "identifier" && children(given).all(is_harmless_argument);
                is_plain.then(|| self.text_of(class))
            }
            _ => None,
        }
    }

    /// A class with those that it is made of; none if that is not all told here.
    fn classes_above(&mut self, class: &'t str) -> Option<Vec<&'t str>> {
        let mut classes = vec![class];
        let mut class = class;
        while class != "Exception" && class != "BaseException" {
            let name = self.builder.name(class);
            class = match self.file_classes.get(class).copied() {
                Some(definition) if self.builder.is_of_file(name) => {
                    let bases = definition.child_by_field_name("superclasses")?;
                    let base = bases
                        .part(0)
                        .filter(|base| base.kind() == "identifier" && bases.part_count() == 1)?;
                    self.text_of(base)
                }
                _ if self.builder.is_bound(name) => return None,
                _ => {
                    let known = BUILT_IN.iter().find(|(own, _)| *own == class).map(|(_, base)| *base);
                    known.or_else(|| PLAIN.contains(&class).then_some("Exception"))?
                }
            };
            classes.push(class);
            if classes.len() > CHAIN_LIMIT {
                return None;
            }
        }
        Some(classes)
    }

    /// Whether a handler takes what is of these classes.
    fn takes_any(&mut self, clause: Node<'t>, classes: &[&str]) -> Option<bool> {
        let Some(named) = children(clause).find(|part| !matches!(part.kind(), "block" | "comment")) else {
            return Some(true);
        };
        let named = match named.kind() {
            "as_pattern" => named.part(0)?,
            _ => named,
        };
        let listed: Vec<_> = match named.kind() {
            "tuple" => children(named).collect(),
            _ => vec![named],
        };
        let mut answer = Some(false);
        for class in listed {
            if class.kind() != "identifier" {
                answer = None;
                continue;
            }
            let text = self.text_of(class);
            if classes.contains(&text) || text == "BaseException" {
                return Some(true);
            }
            // A name may stand for one of them.
            if self.classes_above(text).is_none() {
                answer = None;
            }
        }
        answer
    }
}

/// Whether evaluating something cannot fail.
fn is_harmless(node: Node<'_>) -> bool {
    match node.kind() {
        "string" => children(node).all(|part| match part.kind() {
            "interpolation" => part.part(0).is_some_and(|inner| inner.kind() == "identifier"),
            _ => true,
        }),
        "identifier" | "integer" | "float" | "true" | "false" | "none" => true,
        _ => false,
    }
}

fn is_harmless_argument(node: Node<'_>) -> bool {
    match node.kind() {
        "keyword_argument" => node.child_by_field_name("value").is_some_and(is_harmless),
        _ => is_harmless(node),
    }
}
