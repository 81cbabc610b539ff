//! `new` of a value, as [Go 1.26](https://go.dev/doc/go1.26#language) has it: a variable that begins with the value, and its address.
//!
//! ```go
//! Request{Name: new(name), Size: new(load().Size)}
//! ```
//!
//! The grammar takes what `new` is given for a type. A name is one as well, and means a variable where one is called so; what can be no type
//! is read as an argument of a call.

use tree_sitter::{Node, Parser, Tree};

use super::{Walker, position};
use crate::facts::{Object, PlaceId, Position};
use crate::tree::children;
use ripple_schema::How;

/// The word, and one as long that the grammar takes for the name of a function.
const WORD: &str = "new(";
const OTHER: &str = "neW(";

/// Parses a file; where `new` is given a value, and the grammar knows of none, as a call like any other.
pub(super) fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let tree = parser.parse(text, None)?;
    if !tree.root_node().has_error() || !text.contains(WORD) {
        return Some(tree);
    }
    let mut lines = Vec::new();
    broken_lines(tree.root_node(), &mut lines);
    let mut changed = String::with_capacity(text.len());
    for (row, line) in text.split_inclusive('\n').enumerate() {
        let is_broken = lines.iter().any(|(first, last)| (*first..=*last).contains(&row));
        match is_broken {
            true => changed.push_str(&line.replace(WORD, OTHER)),
            false => changed.push_str(line),
        }
    }
    let again = parser.parse(&changed, None)?;
    Some(if again.root_node().has_error() { tree } else { again })
}

/// The first and last line, from 0, of what could not be parsed.
fn broken_lines(root: Node<'_>, lines: &mut Vec<(usize, usize)>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            lines.push((node.start_position().row, node.end_position().row));
        } else if node.has_error() {
            open.extend(children(node));
        }
    }
}

impl<'t> Walker<'t> {
    /// What `new` is given, where that is no type.
    pub(super) fn value_of_new(&mut self, given: Node<'t>) -> Option<PlaceId> {
        match given.kind() {
            "type_identifier" => {
                let name = self.name_of(given);
                let is_type = self.builder.facts.types.iter().any(|known| known.name == name);
                let is_variable = !is_type && self.builder.is_bound(name);
                is_variable.then(|| self.builder.use_name(name, position(given)))
            }
            "qualified_type" => {
                let (of, field) = (
                    given.child_by_field_name("package")?,
                    given.child_by_field_name("name")?,
                );
                let (name, member) = (self.name_of(of), self.name_of(field));
                self.builder.is_bound(name).then(|| {
                    let base = self.builder.use_name(name, position(of));
                    self.builder.load(base, member, position(field))
                })
            }
            kind if kind.ends_with("_type") => None,
            _ => self.expression(given),
        }
    }

    /// A variable without a name that begins with a value, and its address.
    pub(super) fn new_variable(&mut self, value: PlaceId, at: Position) -> PlaceId {
        let variable = self.builder.new_box(value, at);
        let pointer = self.builder.object(Object::Address(variable), at);
        self.builder.flow(Some(variable), pointer, How::Assign, at);
        pointer
    }
}
