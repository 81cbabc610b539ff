//! Texts that a constant template makes of values: which of these are in it.
//!
//! `"{0} {user.name}".format(a, b, user=u)` holds `a` and the name of `u`, and nothing of `b`; so do `"%s" % a`, where what is given is a
//! tuple or a dict, and `Template("$a")`. A precision of nothing, `"%.0s" % a`, leaves out what it stands for.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{Argument, ArgumentKind, ContainerKind, ElementKey, PlaceId, Position};

/// Most values that a template asks for.
const PIECE_LIMIT: usize = 64;

/// A template in parts.
#[derive(Debug, Default)]
pub(super) struct Pattern {
    pub(super) pieces: Vec<Piece>,
    /// The text behind the last of them.
    pub(super) tail: String,
    /// How many values it takes by position.
    taken: usize,
}

/// A value that a template asks for.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    /// The text before it.
    pub(super) before: String,
    pub(super) value: Selector,
    /// What of it is taken.
    path: Vec<Part>,
    /// The methods that may make a text of it.
    methods: &'static [&'static str],
    /// Anything of it is in the text.
    is_written: bool,
    /// It is in the text as it is.
    pub(super) is_plain: bool,
}

/// Which value is meant.
#[derive(Debug, PartialEq)]
pub(super) enum Selector {
    Position(usize),
    Name(String),
}

#[derive(Debug, PartialEq)]
enum Part {
    Member(String),
    Element(String),
}

/// A template and how it is written.
pub(super) enum Template {
    /// `"{}".format(a)`.
    Braces(String),
    /// `"{a}".format_map(row)`.
    BracesOfMap(String),
    /// `Template("$a").substitute(a=a)`.
    Dollars(String),
}

const SHOWN: &[&str] = &["__str__"];
const FORMATTED: &[&str] = &["__format__"];
const REPRESENTED: &[&str] = &["__repr__"];

impl<'t> Walker<'t> {
    /// The template that a method makes a text of, where it is a constant.
    pub(super) fn template_of(&mut self, function: Node<'t>) -> Option<Template> {
        if function.kind() != "attribute" {
            return None;
        }
        let method = self.text_of(function.child_by_field_name("attribute")?);
        if !matches!(method, "format" | "format_map" | "substitute" | "safe_substitute") {
            return None;
        }
        let object = function.child_by_field_name("object")?;
        Some(match method {
            "format" => Template::Braces(self.template_text(object)?),
            "format_map" => Template::BracesOfMap(self.template_text(object)?),
            _ => {
                let made = match object.kind() {
                    "call" => object,
                    _ => self.template_named(object)?,
                };
                let given = self.template_made(made)?;
                Template::Dollars(self.template_text(given)?)
            }
        })
    }

    /// The text that `Template("$a")` is made with.
    pub(super) fn template_made(&self, call: Node<'t>) -> Option<Node<'t>> {
        if call.kind() != "call" {
            return None;
        }
        let text = self.text_of(call.child_by_field_name("function")?);
        if text.rsplit('.').next() != Some("Template") {
            return None;
        }
        let facts = &self.builder.facts;
        let is_it = facts.imports.iter().any(|import| {
            let named = match import.member {
                Some(member) => facts.text(member) == "Template" && facts.text(import.alias) == text,
                None => text.strip_suffix(".Template") == Some(facts.text(import.alias)),
            };
            facts.text(import.path) == "string" && named
        });
        let mut given = children(call.child_by_field_name("arguments")?);
        let first = given.next().filter(|_| is_it)?;
        given.next().is_none().then_some(first)
    }

    /// What a name that stands for such a template was bound to.
    fn template_named(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        if node.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(node);
        if self.builder.is_own_variable(name) || !self.builder.is_of_file(name) {
            return self.named_text(node);
        }
        let call = self.file_calls.get(self.text_of(node)).copied();
        call.filter(|call| self.text_of(*call).contains("Template("))
    }

    /// A constant text, or several behind each other, or a name for one.
    fn template_text(&mut self, node: Node<'t>) -> Option<String> {
        let node = self.literal(node);
        match node.kind() {
            "string" => self.constant_text(node),
            "concatenated_string" => children(node).map(|part| self.constant_text(part)).collect(),
            "parenthesized_expression" => self.template_text(node.part(0)?),
            _ => None,
        }
    }

    /// What of the arguments of such a method is in the text; they are handed to it no more. None if that is not known.
    // What it takes on the stack would be taken at every level of any call.
    #[inline(never)]
    pub(super) fn written_by(&mut self, template: Template, arguments: &mut [Argument]) -> Option<Vec<PlaceId>> {
        let (pieces, is_map) = match &template {
            Template::Braces(text) => (braces(text)?.pieces, false),
            Template::BracesOfMap(text) => (braces(text)?.pieces, true),
            Template::Dollars(text) => (dollars(text)?.pieces, true),
        };
        if pieces.len() > PIECE_LIMIT {
            return None;
        }
        // Which position is meant behind a star, nobody knows.
        let mut behind = arguments
            .iter()
            .skip_while(|argument| argument.kind != ArgumentKind::Spread);
        let is_spread = behind.next().is_some();
        if is_spread && behind.any(|argument| matches!(argument.kind, ArgumentKind::Positional | ArgumentKind::Spread))
        {
            return None;
        }
        let mut written = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.is_written) {
            let found = self.selected(&piece.value, arguments, is_map);
            written.extend(found.into_iter().flat_map(|(value, at)| self.shown(value, piece, at)));
        }
        arguments.iter_mut().for_each(|argument| argument.place = None);
        Some(written)
    }

    /// The arguments that a piece may mean, or what is in them.
    fn selected(&mut self, value: &Selector, arguments: &[Argument], is_map: bool) -> Vec<(PlaceId, Position)> {
        let place = |argument: &Argument| argument.place.map(|place| (place, argument.position));
        match value {
            Selector::Position(wanted) => {
                let mut left = *wanted;
                for argument in arguments {
                    match argument.kind {
                        ArgumentKind::Positional if left == 0 => return place(argument).into_iter().collect(),
                        ArgumentKind::Positional => left -= 1,
                        ArgumentKind::Spread => {
                            let part = place(argument).map(|(base, at)| {
                                let key = ElementKey::Index(left as u32);
                                (self.builder.element_load(base, key, at), at)
                            });
                            return part.into_iter().collect();
                        }
                        _ => {}
                    }
                }
                Vec::new()
            }
            Selector::Name(wanted) => {
                let name = self.builder.name(wanted);
                let own = arguments
                    .iter()
                    .find(|argument| argument.kind == ArgumentKind::Keyword(name));
                if let Some(own) = own {
                    return place(own).into_iter().collect();
                }
                let tables = arguments.iter().filter(|argument| match argument.kind {
                    ArgumentKind::SpreadKeywords => true,
                    ArgumentKind::Positional => is_map,
                    _ => false,
                });
                let tables: Vec<_> = tables.filter_map(place).collect();
                let part = |(base, at)| (self.builder.element_load(base, ElementKey::Text(name), at), at);
                tables.into_iter().map(part).collect()
            }
        }
    }

    /// The text of a value, or of what a piece takes of it.
    fn shown(&mut self, value: PlaceId, piece: &Piece, at: Position) -> Vec<PlaceId> {
        let mut value = value;
        for part in &piece.path {
            value = match part {
                Part::Member(member) => {
                    let member = self.builder.name(member);
                    self.builder.load(value, member, at)
                }
                Part::Element(key) => {
                    let key = match key.parse() {
                        Ok(index) => ElementKey::Index(index),
                        Err(_) => ElementKey::Text(self.builder.name(key)),
                    };
                    self.builder.element_load(value, key, at)
                }
            };
        }
        let shown = |method: &&str| self.builder.implicit_call(value, method, Vec::new(), at);
        piece.methods.iter().map(shown).collect()
    }

    /// `"%s: %s" % (a, b)`, `"%(a)s" % row`: what of the right side is in the text. None if that is not known.
    #[inline(never)]
    pub(super) fn written_by_percent(&mut self, left: Node<'t>, right: Node<'t>) -> Option<Vec<PlaceId>> {
        if !matches!(left.kind(), "string" | "concatenated_string" | "identifier") {
            return None;
        }
        let text = self.template_text(left)?;
        let Pattern {
            pieces, taken: asked, ..
        } = percents(&text)?;
        if pieces.len() > PIECE_LIMIT {
            return None;
        }
        let is_splat = |item: Node<'t>| item.kind().ends_with("splat");
        let by_name = pieces.iter().any(|piece| matches!(piece.value, Selector::Name(_)));
        let values: Vec<(Option<String>, Option<PlaceId>, Position)> = match right.kind() {
            "tuple" if !by_name && right.part_count() == asked && !children(right).any(is_splat) => children(right)
                .map(|item| (None, self.expression(item), position(item)))
                .collect(),
            "dictionary" if by_name || pieces.is_empty() => {
                let mut pairs = Vec::new();
                for pair in children(right) {
                    let key = pair.child_by_field_name("key")?;
                    pairs.push((self.constant_text(key)?, pair.child_by_field_name("value")?));
                }
                let value = |(key, value)| (Some(key), self.expression(value), position(value));
                pairs.into_iter().map(value).collect()
            }
            "tuple" | "dictionary" => return None,
            _ if by_name => {
                let Some(base) = self.look(right) else {
                    return Some(Vec::new());
                };
                let at = position(right);
                let mut written = Vec::new();
                for piece in pieces.iter().filter(|piece| piece.is_written) {
                    let Selector::Name(name) = &piece.value else { continue };
                    let key = ElementKey::Text(self.builder.name(name));
                    let part = self.builder.element_load(base, key, at);
                    written.extend(self.shown(part, piece, at));
                }
                return Some(written);
            }
            _ => {
                let value = self.look(right);
                let parts = value
                    .and_then(|value| self.builder.shape(value))
                    .filter(|shape| shape.kind == ContainerKind::Tuple);
                match parts.map(|shape| shape.values().collect::<Vec<_>>()) {
                    Some(parts) if parts.len() == asked => {
                        let at = position(right);
                        parts.into_iter().map(|part| (None, part.place, at)).collect()
                    }
                    // It is the one value, or a tuple of all of them.
                    _ => {
                        let value = value.filter(|_| pieces.iter().any(|piece| piece.is_written));
                        let methods = pieces.iter().find(|piece| piece.is_written).map(|piece| piece.methods);
                        let methods = methods.filter(|_| super::expression::is_object_like(right) || is_display(right));
                        return Some(match (value, methods) {
                            (Some(value), Some(methods)) => methods
                                .iter()
                                .map(|method| self.builder.implicit_call(value, method, Vec::new(), position(right)))
                                .collect(),
                            (value, _) => value.into_iter().collect(),
                        });
                    }
                }
            }
        };
        let mut written = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.is_written) {
            let meant = match &piece.value {
                Selector::Position(index) => values.get(*index),
                Selector::Name(name) => values.iter().rev().find(|value| value.0.as_ref() == Some(name)),
            };
            if let Some((_, Some(place), at)) = meant {
                written.extend(self.shown(*place, piece, *at));
            }
        }
        Some(written)
    }
}

/// Whether a format asks for nothing of a text: `.0`, `>8.0s`.
pub(super) fn writes_nothing(format: &str) -> bool {
    format.strip_suffix('s').unwrap_or(format).ends_with(".0")
}

/// The values that `"{} {user.name!r:>8}"` asks for.
pub(super) fn braces(text: &str) -> Option<Pattern> {
    if text.contains("\\N") {
        return None;
    }
    let mut pattern = Pattern::default();
    let mut rest = text;
    while let Some(open) = rest.find(['{', '}']) {
        pattern.tail.push_str(rest.get(..open)?);
        let (brace, behind) = rest.get(open..)?.split_at_checked(1)?;
        if behind.starts_with(brace) {
            pattern.tail.push_str(brace);
            rest = behind.get(1..)?;
            continue;
        }
        if brace == "}" {
            return None;
        }
        // What stands inside of a format in braces says how wide or precise it is.
        let mut depth = 1;
        let end = behind.char_indices().find_map(|(index, letter)| {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(index)
        })?;
        let field = behind.get(..end)?;
        rest = behind.get(end + 1..)?;
        let (field, format) = field.split_once(':').unwrap_or((field, ""));
        let (field, conversion) = field.split_once('!').unwrap_or((field, ""));
        let first = field.find(['.', '[']).unwrap_or(field.len());
        let (name, path) = field.split_at_checked(first)?;
        let value = match name {
            "" => {
                pattern.taken += 1;
                Selector::Position(pattern.taken - 1)
            }
            name => match name.parse() {
                Ok(index) => Selector::Position(index),
                Err(_) => Selector::Name(name.to_owned()),
            },
        };
        pattern.taken += format.matches("{}").count();
        let before = std::mem::take(&mut pattern.tail);
        pattern.pieces.push(Piece {
            before,
            value,
            path: parts(path)?,
            methods: match conversion {
                "r" | "a" => REPRESENTED,
                "s" => SHOWN,
                _ => FORMATTED,
            },
            is_written: !writes_nothing(format),
            is_plain: path.is_empty() && format.is_empty() && matches!(conversion, "" | "s"),
        });
    }
    pattern.tail.push_str(rest);
    Some(pattern)
}

/// `.name[key]`.
fn parts(path: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix('[') {
            let (key, behind) = behind.split_once(']')?;
            parts.push(Part::Element(key.to_owned()));
            rest = behind;
        } else {
            let behind = rest.strip_prefix('.')?;
            let end = behind.find(['.', '[']).unwrap_or(behind.len());
            let (member, behind) = behind.split_at_checked(end)?;
            parts.push(Part::Member(member.to_owned()));
            rest = behind;
        }
    }
    Some(parts)
}

/// A list, a set or a dictionary that is written out.
fn is_display(node: Node<'_>) -> bool {
    matches!(node.kind(), "list" | "set" | "dictionary")
}

/// The values that `"%s %(name)r"` asks for, and how many it takes by position.
pub(super) fn percents(text: &str) -> Option<Pattern> {
    let mut pattern = Pattern::default();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('%') {
        pattern.tail.push_str(before);
        rest = behind;
        let mut name = None;
        if let Some(named) = rest.strip_prefix('(') {
            let (own, behind) = named.split_once(')')?;
            name = Some(own.to_owned());
            rest = behind;
        }
        let end = rest.find(|letter: char| !matches!(letter, '#' | '0'..='9' | '-' | ' ' | '+' | '.' | '*'))?;
        let (flags, behind) = rest.split_at_checked(end)?;
        let letter = behind.chars().next()?;
        rest = behind.get(letter.len_utf8()..)?;
        if letter == '%' {
            pattern.tail.push('%');
            continue;
        }
        pattern.taken += flags.matches('*').count();
        let is_text = matches!(letter, 's' | 'r' | 'a');
        let before = std::mem::take(&mut pattern.tail);
        pattern.pieces.push(Piece {
            before,
            value: match name {
                Some(name) => Selector::Name(name),
                None => {
                    pattern.taken += 1;
                    Selector::Position(pattern.taken - 1)
                }
            },
            path: Vec::new(),
            methods: match letter {
                'r' | 'a' => REPRESENTED,
                _ => SHOWN,
            },
            is_written: !(is_text && writes_nothing(flags)),
            is_plain: flags.is_empty() && matches!(letter, 's' | 'd'),
        });
    }
    pattern.tail.push_str(rest);
    Some(pattern)
}

/// The values that `"$name ${name}s"` asks for.
fn dollars(text: &str) -> Option<Pattern> {
    let mut pattern = Pattern::default();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        pattern.tail.push_str(before);
        if let Some(behind) = behind.strip_prefix('$') {
            pattern.tail.push('$');
            rest = behind;
            continue;
        }
        let is_braced = behind.starts_with('{');
        let behind = behind.strip_prefix('{').unwrap_or(behind);
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = behind.find(|letter: char| !is_of_name(letter)).unwrap_or(behind.len());
        let (name, behind) = behind.split_at_checked(end)?;
        rest = match is_braced {
            true => behind.strip_prefix('}')?,
            false => behind,
        };
        if !name.is_empty() {
            let before = std::mem::take(&mut pattern.tail);
            pattern.pieces.push(Piece {
                before,
                value: Selector::Name(name.to_owned()),
                path: Vec::new(),
                methods: SHOWN,
                is_written: true,
                is_plain: true,
            });
        }
    }
    pattern.tail.push_str(rest);
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(pieces: &[Piece]) -> Vec<(usize, bool)> {
        let position = |piece: &Piece| match &piece.value {
            Selector::Position(index) => Some((*index, piece.is_written)),
            Selector::Name(_) => None,
        };
        pieces.iter().filter_map(position).collect()
    }

    #[test]
    fn braces_count_and_name() {
        let pattern = braces("{} {{x}} {:>{}} {:.0} {user.name[0]!r}").expect("it is a template");
        let pieces = pattern.pieces;
        assert_eq!(pieces[1].before, " {x} ");
        assert_eq!(positions(&pieces), [(0, true), (1, true), (3, false)]);
        let last = pieces.last().expect("there is one");
        assert_eq!(last.value, Selector::Name("user".to_owned()));
        assert_eq!(
            last.path,
            [Part::Member("name".to_owned()), Part::Element("0".to_owned())]
        );
        assert!(braces("{").is_none() && braces("}").is_none());
    }

    #[test]
    fn percents_take_widths() {
        let pattern = percents("%s %% %*d %.0s %(a)5.2f").expect("it is a template");
        assert_eq!(positions(&pattern.pieces), [(0, true), (2, true), (3, false)]);
        assert_eq!(pattern.taken, 4);
        assert!(percents("100%").is_none());
    }

    #[test]
    fn dollars_escape() {
        let pieces = dollars("$$a ${b}s $c.").expect("it is a template").pieces;
        let names: Vec<_> = pieces.iter().map(|piece| &piece.value).collect();
        assert_eq!(
            names,
            [&Selector::Name("b".to_owned()), &Selector::Name("c".to_owned())]
        );
    }
}
