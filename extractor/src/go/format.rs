//! Formats: what a verb writes of its argument. `fmt.Sprintf("%T", text)` gives the type's name, and nothing of `text`; `%d` writes the number that
//! a value is, and calls no `String` for it, as `%v` and `%s` do ([its manual](https://pkg.go.dev/fmt#hdr-Printing)).

use tree_sitter::Node;

use super::Walker;
use super::expression::is_basic_type;
use crate::facts::{Argument, ArgumentKind, PlaceId, TypeExpression};

/// Functions of `fmt` with a format, and which argument that is.
const FORMATTING: &[(&str, usize)] = &[
    ("fmt.Sprintf", 0),
    ("fmt.Errorf", 0),
    ("fmt.Printf", 0),
    ("fmt.Fprintf", 1),
    ("fmt.Appendf", 1),
];

impl<'t> Walker<'t> {
    /// Arguments of which only the type or the address is written are handed to nobody, and of those written as numbers the value alone.
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
        for (index, argument) in arguments.iter_mut().skip(at + 1).enumerate() {
            if verbs.leaves_out(index) {
                argument.place = None;
            } else if verbs.writes_number(index) && given.get(at + 1 + index).is_some_and(|node| self.is_number(*node))
            {
                let number = self.builder.value(argument.position);
                self.builder.derive(argument.place, number, argument.position);
                argument.place = argument.place.map(|_| number);
            }
        }
    }

    /// `fmt.Sprintf("sum_%d", days)`: what stands around the one value that a format writes.
    pub(super) fn written_around(
        &self,
        function: Node<'t>,
        given: &[Node<'t>],
        arguments: &[Argument],
    ) -> Option<(String, PlaceId, String)> {
        let [format, _] = given else { return None };
        let is_it = self.text_of(function) == "fmt.Sprintf" && arguments.len() == 2;
        let format = self.constant_text(*format).filter(|_| is_it)?;
        let (before, behind) = ["%s", "%d", "%v"].iter().find_map(|verb| format.split_once(verb))?;
        let is_all = !before.contains('%') && !behind.contains('%');
        let value = arguments[1].place.filter(|_| is_all)?;
        Some((before.to_owned(), value, behind.to_owned()))
    }

    /// Whether a value is a number, be it of a type of the file that is one, as far as the source tells here.
    fn is_number(&mut self, node: Node<'t>) -> bool {
        let declared = |walker: &mut Self| {
            let name = walker.name_of(node);
            let declared = walker
                .variable_types
                .get(&name)
                .filter(|_| node.kind() == "identifier")?;
            match &walker.builder.facts.type_expressions[declared.0 as usize] {
                TypeExpression::Path { parts, .. } if parts.len() == 1 => parts.first().copied(),
                _ => None,
            }
        };
        let named = match self.static_type(node, 0) {
            Some(text) => Some(self.builder.name(&text)),
            None => declared(self),
        };
        named.is_some_and(|name| {
            let text = self.builder.facts.text(name);
            self.file_numbers.contains(&name) || is_basic_type(text) && text != "error"
        })
    }
}

/// What a format does with its arguments.
struct Verbs {
    /// The verbs, each with the argument that it writes.
    of: Vec<(usize, char)>,
    /// Arguments are named by their number: those that are not are written nowhere.
    by_number: bool,
}

impl Verbs {
    fn writes_number(&self, argument: usize) -> bool {
        let mut verbs = self.verbs_of(argument).peekable();
        verbs.peek().is_some() && verbs.all(|verb| NUMBERS.contains(verb))
    }

    fn leaves_out(&self, argument: usize) -> bool {
        let mut verbs = self.verbs_of(argument).peekable();
        match verbs.peek() {
            None => self.by_number,
            Some(_) => verbs.all(|verb| matches!(verb, 'T' | 'p')),
        }
    }

    fn verbs_of(&self, argument: usize) -> impl Iterator<Item = char> {
        let own = self.of.iter().filter(move |(index, _)| *index == argument);
        own.map(|(_, verb)| *verb)
    }
}

/// Verbs that write numbers, and ask for no text of them.
const NUMBERS: &str = "bcdeEfFgGoOtU";

/// The verbs of a format; none where a width comes from an argument. `%[2]s` writes the second argument, and the next verb the third
/// (<https://pkg.go.dev/fmt#hdr-Explicit_argument_indexes>).
fn verbs(format: &str) -> Option<Verbs> {
    let mut verbs = Verbs {
        of: Vec::new(),
        by_number: false,
    };
    let (mut letters, mut next) = (format.chars(), 0);
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        let is_flag = |letter: &char| matches!(letter, '+' | '-' | '#' | ' ' | '.' | '0'..='9');
        let mut verb = letters.find(|letter| !is_flag(letter))?;
        if verb == '[' {
            let number: String = letters.by_ref().take_while(|letter| *letter != ']').collect();
            next = number.parse::<usize>().ok()?.checked_sub(1)?;
            verbs.by_number = true;
            verb = letters.find(|letter| !is_flag(letter))?;
        }
        match verb {
            '%' => {}
            '*' | '[' => return None,
            verb => {
                verbs.of.push((next, verb));
                next += 1;
            }
        }
    }
    Some(verbs)
}
