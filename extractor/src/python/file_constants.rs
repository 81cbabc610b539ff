//! What goes by a name of the file, or of a class of it, and is one constant.
//!
//! ```python
//! KEY = "mail"              # `row[KEY]` is the part `"mail"`
//! class Settings:
//!     debug = False         # `if Settings.debug:` never holds, as long as nobody sets it
//! ```

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::containers::{LOOKING, READING};
use super::{Walker, names};
use crate::tree::{Parts, children};

/// Methods of library code that read a table which they are given, and leave it as it is.
const LOOKING_METHODS: &[&str] = &[
    "agg",
    "astype",
    "extend",
    "fillna",
    "format_map",
    "isin",
    "join",
    "map",
    "rename",
    "replace",
    "update",
    "with_columns",
];

impl<'t> Walker<'t> {
    /// The literal that a name stands for, where it stands for one; else the node itself.
    pub(super) fn literal(&mut self, node: Node<'t>) -> Node<'t> {
        if node.kind() == "attribute" {
            return self.member_literal(node).unwrap_or(node);
        }
        let named = self.named_text(node).filter(|named| is_literal(*named));
        named.unwrap_or(node)
    }

    /// The literal, or the text that is put together, that a name stands for.
    pub(super) fn named_text(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        if node.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(node);
        let found = if self.builder.is_own_variable(name) {
            self.builder
                .only_definition(name)
                .and_then(|place| self.constants.get(&place))
        } else if self.builder.is_of_file(name) {
            self.file_constants.get(self.text_of(node))
        } else {
            None
        };
        found.copied()
    }

    /// What `Color.RED` is in a class of this file, if it is bound once, to a constant.
    pub(super) fn class_constant(&self, node: Node<'t>) -> Option<(Node<'t>, bool)> {
        let class = node.child_by_field_name("object")?;
        let member = node.child_by_field_name("attribute")?;
        if class.kind() != "identifier" || self.class_constants.is_empty() {
            return None;
        }
        let key = (self.text_of(class), self.text_of(member));
        let found = self.class_constants.get(&key).copied()?;
        self.names_of_file(class).then_some(found)
    }

    /// Whether a name is one of the file here, and not one that a function binds.
    fn names_of_file(&self, node: Node<'t>) -> bool {
        let name = self.builder.known_name(self.text_of(node));
        name.is_none_or(|name| self.builder.is_of_file(name))
    }

    /// The literal that `Keys.MAIL`, or `Color.RED.value`, stands for.
    fn member_literal(&self, node: Node<'t>) -> Option<Node<'t>> {
        let (constant, is_member) = match self.class_constant(node) {
            Some(found) => found,
            None => {
                let member = node.child_by_field_name("attribute")?;
                let inner = node
                    .child_by_field_name("object")
                    .filter(|_| self.text_of(member) == "value")?;
                (self.class_constant(inner)?.0, false)
            }
        };
        (!is_member).then_some(constant)
    }

    /// Members of file-level classes that are bound once, to a constant.
    fn note_class_constants(&mut self, root: Node<'t>, times: &FxHashMap<String, u32>) {
        for decorated in children(root).filter_map(|statement| statement.child_by_field_name("definition")) {
            let name = decorated.child_by_field_name("name");
            let name = name.map_or("", |name| self.text_of(name));
            if decorated.kind() == "function_definition" && times.get(name) == Some(&1) {
                self.file_decorated.insert(name);
            }
        }
        let (assigned, globals) = (members_assigned(self.text), names_global(self.text));
        for class in children(root).filter(|statement| statement.kind() == "class_definition") {
            let (Some(name), Some(body)) = (class.child_by_field_name("name"), class.child_by_field_name("body"))
            else {
                continue;
            };
            let name = self.text_of(name);
            let bases: Vec<&str> = class
                .child_by_field_name("superclasses")
                .into_iter()
                .flat_map(children)
                .map(|base| self.text_of(base))
                .collect();
            let is = |wanted: &[&str]| {
                bases
                    .iter()
                    .any(|base| wanted.contains(&base.rsplit('.').next().unwrap_or(base)))
            };
            let is_enumeration = is(&["Enum", "Flag"]) && !is(&["str", "int"]);
            let is_plain = bases.is_empty() || is(&["StrEnum", "IntEnum", "IntFlag", "str", "int"]);
            let is_once = times.get(name) == Some(&1) && !globals.contains(name);
            if !is_once || !(is_enumeration || is_plain) {
                continue;
            }
            let bound = names::times_bound(body, self.text);
            let assignments = children(body).filter_map(|statement| statement.part(0));
            let assignments = assignments.filter(|node| node.kind() == "assignment");
            let found: Vec<_> = assignments
                .filter_map(|node| {
                    let ends = ["left", "right"].map(|end| node.child_by_field_name(end));
                    Some((self.text_of(ends[0]?), ends[1]?))
                })
                .collect();
            for (member, right) in found {
                let is_told = is_constant(right) || is_enumeration && !member.starts_with('_');
                if bound.get(member) != Some(&1) || !is_told {
                    continue;
                }
                let is_written = [name, "cls"].iter().any(|class| assigned.contains(&(*class, member)));
                if !is_written {
                    if is_enumeration || !bases.is_empty() {
                        self.enumerations.entry(name).or_default().push(member);
                    }
                    self.class_constants.insert((name, member), (right, is_enumeration));
                }
            }
        }
    }

    /// Names whose containers are not only looked into, all over the file; and those that other names may be given to them by.
    fn names_changed(&self, root: Node<'t>) -> (FxHashSet<&'t str>, FxHashSet<&'t str>) {
        let (mut changed, mut handed_on) = (FxHashSet::default(), FxHashSet::default());
        let mut open = vec![root];
        while let Some(around) = open.pop() {
            let field = |node: Node<'t>, name| node.child_by_field_name(name);
            let put_into = |target: Node<'t>| field(target, "value").filter(|_| target.kind() == "subscript");
            let mut note = |base: Node<'t>| {
                if base.kind() == "identifier" {
                    changed.insert(self.text_of(base));
                }
            };
            match around.kind() {
                "attribute" => {
                    let looks =
                        field(around, "attribute").is_some_and(|member| READING.contains(&self.text_of(member)));
                    field(around, "object").filter(|_| !looks).into_iter().for_each(note);
                }
                "delete_statement" => {
                    let targets = children(around).flat_map(|part| std::iter::once(part).chain(children(part)));
                    targets.filter_map(put_into).for_each(note);
                }
                "call" => {
                    let called = field(around, "function").map(|called| self.text_of(called));
                    let looks = called.is_some_and(|name| {
                        LOOKING.contains(&name) || matches!(name, "filter" | "frozenset" | "iter" | "map")
                    });
                    let method = field(around, "function").and_then(|called| field(called, "attribute"));
                    let method = method.map_or("", |method| self.text_of(method));
                    let only_reads =
                        LOOKING_METHODS.contains(&method) && !self.text.contains(&format!("def {method}("));
                    let given = field(around, "arguments").filter(|_| !looks && !only_reads);
                    for argument in given.into_iter().flat_map(children) {
                        let value = (argument.kind() == "keyword_argument").then(|| field(argument, "value"));
                        note(value.flatten().unwrap_or(argument));
                    }
                }
                kind if kind.ends_with("assignment") => {
                    field(around, "left").and_then(put_into).into_iter().for_each(note);
                }
                _ => {}
            }
            let handed = match around.kind() {
                "assignment" | "named_expression" => vec![field(around, "right").or_else(|| field(around, "value"))],
                "default_parameter" | "typed_default_parameter" | "pair" => vec![field(around, "value")],
                "conditional_expression"
                | "dictionary_splat"
                | "expression_list"
                | "lambda"
                | "list"
                | "return_statement"
                | "set"
                | "tuple"
                | "yield" => children(around).map(Some).collect(),
                _ => Vec::new(),
            };
            let names = handed.into_iter().flatten().filter(|node| node.kind() == "identifier");
            handed_on.extend(names.map(|name| self.text_of(name)));
            open.extend(children(around));
        }
        (changed, handed_on)
    }

    /// Whether a statement is the table of another file.
    pub(super) fn is_borrowed(&self, statement: Node<'t>) -> bool {
        let at = statement.start_byte();
        self.borrowed.iter().any(|range| range.contains(&at))
    }

    /// File-level names that are bound once, to a literal.
    pub(super) fn note_file_constants(&mut self, root: Node<'t>) {
        let mut times = names::times_bound(root, self.text);
        // What is imported is bound by the import alone.
        for statement in children(root).filter(|statement| self.is_borrowed(*statement)) {
            let name = statement
                .part(0)
                .and_then(|assignment| assignment.child_by_field_name("left"));
            if let Some(times) = name.and_then(|name| times.get_mut(self.text_of(name))) {
                *times -= 1;
            }
        }
        let times = times;
        self.note_class_constants(root, &times);
        self.note_file_yields(root, &times);
        for function in children(root).filter(|statement| statement.kind() == "function_definition") {
            let name = function
                .child_by_field_name("name")
                .map_or("", |name| self.text_of(name));
            if times.get(name) == Some(&1) && !self.text.contains(&format!("global {name}")) {
                self.file_functions.insert(name, function);
            }
        }
        for class in children(root).filter(|statement| statement.kind() == "class_definition") {
            let name = class.child_by_field_name("name").map_or("", |name| self.text_of(name));
            if times.get(name) == Some(&1) {
                self.file_classes.insert(name, class);
            }
        }
        for statement in
            children(root).filter(|node| matches!(node.kind(), "import_statement" | "import_from_statement"))
        {
            let mut cursor = statement.walk();
            for name in statement.children_by_field_name("name", &mut cursor) {
                let bound = match name.kind() {
                    "aliased_import" => name.child_by_field_name("alias"),
                    _ => name.part(0),
                };
                let bound = bound.map_or("", |bound| self.text_of(bound));
                if times.get(bound) == Some(&1) {
                    self.file_imports.insert(bound);
                }
            }
        }
        let has_globals = self.text.contains("global ");
        let is_open = sets_globals(self.text);
        let mut changed = None;
        for assignment in children(root).filter_map(|statement| statement.part(0)) {
            let (Some(left), Some(right)) = (
                assignment.child_by_field_name("left"),
                assignment.child_by_field_name("right"),
            ) else {
                continue;
            };
            let name = self.text_of(left);
            let is_once =
                assignment.kind() == "assignment" && left.kind() == "identifier" && times.get(name) == Some(&1);
            if is_once && super::by_name::is_display(right) {
                let (changed, handed_on) = changed.get_or_insert_with(|| self.names_changed(root));
                // Nobody hands on an empty container but for others to put something in.
                let is_filled_elsewhere = right.named_child_count() == 0 && handed_on.contains(name);
                if !changed.contains(name) && !is_filled_elsewhere {
                    self.file_displays.insert(name, right);
                    if is_open || handed_on.contains(name) {
                        self.displays_handed_on.insert(name);
                    }
                }
            }
            if is_once && right.kind() == "call" {
                self.file_calls.insert(name, right);
            }
            if is_once && let Some(statement) = self.statement_given(right) {
                let name = self.builder.name(name);
                let key = crate::facts::ElementKey::Text(statement);
                self.builder.facts.constants.push((name, key));
            }
            let is_set = || has_globals && self.text.contains(&format!("global {name}"));
            if is_once && may_be_worked_out(right) && !is_set() {
                if !is_open {
                    self.file_flags.insert(name, right);
                }
                if is_literal(right) {
                    self.file_constants.insert(name, right);
                }
            }
        }
        self.tell_class_constants();
        let mut constants: Vec<(&str, Node<'t>)> =
            self.file_constants.iter().map(|(name, node)| (*name, *node)).collect();
        constants.sort_unstable_by_key(|(name, _)| *name);
        for (name, node) in constants {
            if let Some(text) = self.constant_text(node) {
                let (name, text) = (self.builder.name(name), self.builder.name(&text));
                self.builder
                    .facts
                    .constants
                    .push((name, crate::facts::ElementKey::Text(text)));
            }
        }
    }

    /// Hands other files what classes of this one bind to constants.
    fn tell_class_constants(&mut self) {
        let mut constants: Vec<_> = self.class_constants.iter().map(|(name, told)| (*name, *told)).collect();
        constants.sort_unstable_by_key(|(name, _)| *name);
        for ((class, member), (literal, is_member)) in constants {
            let text = match is_member {
                true => Some(format!("{class}.{member}")),
                false => self.constant_text(literal),
            };
            if let Some(text) = text {
                let key = crate::facts::ElementKey::Text(self.builder.name(&text));
                let named = (self.builder.name(class), self.builder.name(member), key, is_member);
                self.builder.facts.class_constants.push(named);
            }
        }
    }
}

/// What a variable may stand for where it is tested.
pub(super) fn is_constant(node: Node<'_>) -> bool {
    is_literal(node) || matches!(node.kind(), "true" | "false" | "none")
}

/// What may be worked out from constants of the file.
fn may_be_worked_out(node: Node<'_>) -> bool {
    let is_made_of_others = matches!(
        node.kind(),
        "attribute"
            | "binary_operator"
            | "boolean_operator"
            | "comparison_operator"
            | "identifier"
            | "not_operator"
            | "unary_operator"
    );
    is_constant(node) || is_made_of_others
}

/// A text or a number that may be a key.
pub(super) fn is_literal(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "integer")
}

/// Whether names of the file may be set by what nobody sees: `globals()["LEVEL"] = 2`, `setattr(sys.modules[__name__], name, value)`.
fn sets_globals(text: &str) -> bool {
    /// Ways to the table of the file's names.
    const TABLES: [&str; 3] = ["globals()", "vars()", "sys.modules["];
    if !TABLES.iter().any(|table| text.contains(table)) {
        return false;
    }
    text.lines().any(|line| {
        TABLES.iter().any(|table| {
            line.split(table).skip(1).any(|behind| {
                let is_asked = behind.starts_with(".get(") || behind.starts_with(['[', '_']) || behind.starts_with(')');
                let looks = is_asked && !behind.contains("] =") && !line.contains("setattr(");
                !looks && !line.contains(" in globals()")
            })
        })
    })
}

/// Members that are assigned as `Settings.debug = True` is, each with what it is a member of.
fn members_assigned(text: &str) -> FxHashSet<(&str, &str)> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut assigned = FxHashSet::default();
    for (at, _) in text.match_indices('=') {
        let before = text[..at].trim_end_matches([' ', '\t', '+', '-', '*', '/', '|', '&', '^', '%', '@', '<', '>']);
        if text[at + 1..].starts_with('=') || before.ends_with(['=', '!', ':']) {
            continue;
        }
        let Some((object, member)) = before
            .rsplit_once('.')
            .filter(|(_, member)| member.chars().all(is_of_name))
        else {
            continue;
        };
        let start = object.rfind(|letter| !is_of_name(letter));
        let start = start.map_or(0, |at| at + object[at..].chars().next().map_or(1, char::len_utf8));
        assigned.insert((&object[start..], member));
    }
    assigned
}

/// What `global` statements name.
fn names_global(text: &str) -> FxHashSet<&str> {
    let lines = text.lines().filter_map(|line| line.split_once("global "));
    lines
        .flat_map(|(_, names)| names.split([',', ';', '#']))
        .map(str::trim)
        .collect()
}
