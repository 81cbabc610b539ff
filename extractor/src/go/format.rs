//! Formats: what a verb writes nothing of that goes anywhere. `fmt.Sprintf("%T", text)` gives the type's name.

use tree_sitter::Node;

use super::Walker;
use crate::facts::{Argument, ArgumentKind};

/// Functions of `fmt` with a format, and which argument that is.
const FORMATTING: &[(&str, usize)] = &[
    ("fmt.Sprintf", 0),
    ("fmt.Errorf", 0),
    ("fmt.Printf", 0),
    ("fmt.Fprintf", 1),
    ("fmt.Appendf", 1),
];

impl<'t> Walker<'t> {
    /// Arguments of which only the type or the address is written are handed to nobody.
    pub(super) fn leave_unwritten(&mut self, function: Node<'t>, given: &[Node<'t>], arguments: &mut [Argument]) {
        let text = self.text_of(function);
        let Some((_, at)) = FORMATTING.iter().find(|(name, _)| *name == text) else {
            return;
        };
        let is_plain = arguments.len() == given.len()
            && arguments
                .iter()
                .all(|argument| argument.kind == ArgumentKind::Positional);
        let package = self.builder.name("fmt");
        let format = given.get(*at).and_then(|format| self.constant_text(*format));
        let Some(format) = format.filter(|_| is_plain && !self.builder.is_bound(package)) else {
            return;
        };
        let Some(verbs) = verbs(&format) else { return };
        for (argument, verb) in arguments.iter_mut().skip(at + 1).zip(verbs) {
            if matches!(verb, 'T' | 'p') {
                argument.place = None;
            }
        }
    }
}

/// The verbs of a format in the order of its arguments; none where that is not told.
fn verbs(format: &str) -> Option<Vec<char>> {
    let mut verbs = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let verb = letters.find(|letter| !matches!(letter, '+' | '-' | '#' | ' ' | '.' | '0'..='9'))?;
        match verb {
            '%' => {}
            '*' | '[' => return None,
            verb => verbs.push(verb),
        }
    }
    Some(verbs)
}
