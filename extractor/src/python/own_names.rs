//! Members that are asked for by the names that a class itself lists.
//!
//! ```python
//! def to_row(self):
//!     return {field.name: getattr(self, field.name) for field in fields(self)}     # each member under its name: `vars(self)`
//! for name in order._fields: send(getattr(order, name))                           # any of them
//! ```
//!
//! What such a loop reads is what [`vars`](https://docs.python.org/3/library/functions.html#vars) gives of the object. Loops over all
//! names, or over what a class has under them, look for methods, most often for those whose names begin in one way:
//!
//! ```python
//! for name in dir(self):
//!     if name.startswith("test_"): getattr(self, name)()
//! for name, method in vars(cls).items(): ...
//! ```

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{ElementKey, PlaceId, Position};
use crate::tree::{Parts, children};

/// Attributes of a class, or of an object, that list its fields.
const LISTS: &[&str] = &[
    "__annotations__",
    "__dataclass_fields__",
    "__attrs_attrs__",
    "_fields",
    "model_fields",
    "__fields__",
];

impl<'t> Walker<'t> {
    /// `getattr(order, field.name)` in a loop over `fields(order)`: what it reads of, as a mapping by the names.
    pub(super) fn members_listed(&mut self, call: Node<'t>) -> Option<PlaceId> {
        let (object, _) = self.listed_read(call)?;
        let base = self.look(object)?;
        // Which fields are read is known by their flows; that they all are is said here.
        self.builder.use_computed(base, false, position(call));
        self.members_of(base, call)
    }

    /// One of the members, whichever it is.
    pub(super) fn any_listed(&mut self, call: Node<'t>) -> Option<PlaceId> {
        if let Some((object, name, clause)) = self.read_by_dir(call) {
            let begins = self.beginning_asked(self.text_of(name), clause)?;
            return self.members_beginning(object, &begins, position(call));
        }
        let members = self.members_listed(call)?;
        Some(self.builder.element_load(members, ElementKey::Any, position(call)))
    }

    /// `{field.name: getattr(order, field.name) for field in fields(order)}`: the mapping of all members.
    pub(super) fn pair_listed(&mut self, pair: Node<'t>) -> Option<PlaceId> {
        let (key, value) = (pair.child_by_field_name("key")?, pair.child_by_field_name("value")?);
        let (_, named) = self.listed_read(value)?;
        let is_same = self.text_of(named) == self.text_of(key);
        is_same.then(|| self.members_listed(value)).flatten()
    }

    /// `row[field.name] = getattr(order, field.name)`: all members go into the row under their names.
    pub(super) fn copies_listed(&mut self, target: Node<'t>, at: Position) -> bool {
        let statement = target.parent().filter(|around| around.kind() == "assignment");
        let written = statement.and_then(|statement| statement.child_by_field_name("right"));
        let Some((_, named)) = written.and_then(|written| self.listed_read(written)) else {
            return false;
        };
        let key = target.child_by_field_name("subscript");
        if key.is_none_or(|key| self.text_of(key) != self.text_of(named)) {
            return false;
        }
        let base = target
            .child_by_field_name("value")
            .and_then(|base| self.expression(base));
        let members = written.and_then(|written| self.members_listed(written));
        let (Some(into), Some(members)) = (base, members) else {
            return false;
        };
        self.builder.copy_parts(members, into, 0, Vec::new(), at);
        true
    }

    /// `getattr(checks, name)` in a loop over `dir(checks)`: the object, the variable, and the loop.
    fn read_by_dir(&self, call: Node<'t>) -> Option<(Node<'t>, Node<'t>, Node<'t>)> {
        let (object, name) = self.getattr_of(call)?;
        let (over, path) = (name.kind() == "identifier").then(|| self.clause_of(name))??;
        let is_dir = over.kind() == "call" && self.text_of(over.child_by_field_name("function")?) == "dir";
        (is_dir && path.is_empty()).then(|| Some((object, name, over.parent()?)))?
    }

    /// `for name, method in vars(cls).items():`: the variable that gets what the class has under each name, and that.
    fn members_paired(&mut self, clause: Node<'t>) -> Option<(Node<'t>, PlaceId)> {
        let (left, over) = (
            clause.child_by_field_name("left")?,
            clause.child_by_field_name("right")?,
        );
        if over.kind() != "call" {
            return None;
        }
        let function = over.child_by_field_name("function")?;
        let arguments = over.child_by_field_name("arguments")?;
        let (object, is_pair) = match self.text_of(function) {
            "inspect.getmembers" | "getmembers" => (arguments.part(0)?, true),
            _ => {
                let method = self.text_of(function.child_by_field_name("attribute")?);
                let table = function.child_by_field_name("object")?;
                let is_all = matches!(method, "items" | "values") && arguments.part_count() == 0;
                let object = is_all.then(|| self.object_of_table(table))??;
                (self.means_class(object).then_some(object)?, method == "items")
            }
        };
        let (name, value) = match is_pair {
            true if left.part_count() == 2 => (Some(left.part(0)?), left.part(1)?),
            true => return None,
            false => (None, left),
        };
        let begins = name.and_then(|name| self.beginning_asked(self.text_of(name), clause));
        let members = self.members_beginning(object, &begins.unwrap_or_default(), position(over))?;
        (value.kind() == "identifier").then_some((value, members))
    }

    /// Gives such a variable what it gets.
    pub(super) fn give_members(&mut self, clause: Node<'t>) {
        let Some((variable, members)) = self.members_paired(clause) else {
            return;
        };
        let name = self.name_of(variable);
        if let Some(place) = self.builder.only_definition(name) {
            self.flow_into(Some(members), place, position(variable));
        }
    }

    fn members_beginning(&mut self, object: Node<'t>, begins: &str, at: Position) -> Option<PlaceId> {
        let base = self.look(object)?;
        let pattern = self.builder.name(&format!("{begins}*"));
        Some(self.builder.load_fitting(base, pattern, at))
    }

    /// How names begin of which anything is done in a loop or a comprehension: all that it does stands under `if name.startswith("test_"):`, or
    /// behind `if not name.startswith("test_"): continue`.
    fn beginning_asked(&self, name: &str, clause: Node<'t>) -> Option<String> {
        if clause.kind() != "for_statement" {
            let mut clauses = children(clause.parent()?).filter(|clause| clause.kind() == "if_clause");
            return clauses.find_map(|clause| self.beginning(name, clause.part(0)?, true));
        }
        let statements =
            children(clause.child_by_field_name("body")?).filter(|statement| statement.kind() != "comment");
        let statements: Vec<Node<'t>> = statements.collect();
        for (index, statement) in statements.iter().enumerate() {
            if statement.kind() != "if_statement" || statement.child_by_field_name("alternative").is_some() {
                continue;
            }
            let condition = statement.child_by_field_name("condition")?;
            let body = statement.child_by_field_name("consequence")?;
            let is_last = index + 1 == statements.len();
            let is_left = body.part(0).is_some_and(|first| first.kind() == "continue_statement");
            let begins = match (is_left, is_last) {
                (true, _) => self.beginning(name, condition, false),
                (false, true) => self.beginning(name, condition, true),
                (false, false) => None,
            };
            if begins.is_some() {
                return begins;
            }
        }
        None
    }

    /// How a name begins wherever a condition holds, or wherever it does not.
    fn beginning(&self, name: &str, condition: Node<'t>, holds: bool) -> Option<String> {
        match condition.kind() {
            "parenthesized_expression" => self.beginning(name, condition.part(0)?, holds),
            "not_operator" => self.beginning(name, condition.part(0)?, !holds),
            "boolean_operator" if super::narrow::is_and(condition) == holds => {
                let sides = ["left", "right"].map(|side| condition.child_by_field_name(side));
                let mut sides = sides.into_iter().flatten();
                sides.find_map(|side| self.beginning(name, side, holds))
            }
            "call" if holds => {
                let asked = self.text_of(condition.child_by_field_name("function")?);
                let text = condition.child_by_field_name("arguments")?.part(0)?;
                (asked.strip_suffix(".startswith") == Some(name)).then(|| self.constant_text(text))?
            }
            _ => None,
        }
    }

    /// Whether an expression stands for a class: an object's own mapping has none of the methods.
    fn means_class(&mut self, object: Node<'t>) -> bool {
        let text = self.text_of(object);
        text == "cls"
            || text.ends_with(".__class__")
            || text.starts_with("type(")
            || self.names_class(object)
            || self.looks_like_class(object)
    }

    /// What `getattr` is asked of, and for.
    fn getattr_of(&self, call: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let function = call.child_by_field_name("function")?;
        let arguments = call.child_by_field_name("arguments")?;
        let is_it = call.kind() == "call" && self.text_of(function) == "getattr";
        is_it.then(|| Some((arguments.part(0)?, arguments.part(1)?)))?
    }

    /// The object that such a call reads, and the expression that names the member.
    fn listed_read(&self, call: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let (object, named) = self.getattr_of(call)?;
        let (variable, is_field) = match named.kind() {
            "identifier" => (named, false),
            "attribute" if self.text_of(named.child_by_field_name("attribute")?) == "name" => {
                (named.child_by_field_name("object")?, true)
            }
            _ => return None,
        };
        let (over, path) = (variable.kind() == "identifier").then(|| self.clause_of(variable))??;
        let is_listed = match over.kind() {
            "attribute" => {
                let list = self.text_of(over.child_by_field_name("attribute")?);
                LISTS.contains(&list) && is_field == (list == "__attrs_attrs__")
            }
            "call" => {
                let function = self.text_of(over.child_by_field_name("function")?);
                match function.rsplit('.').next()? {
                    "fields" => is_field && over.child_by_field_name("arguments")?.part_count() == 1,
                    "vars" => !is_field,
                    _ => false,
                }
            }
            _ => false,
        };
        (is_listed && path.is_empty()).then_some((object, named))
    }
}
