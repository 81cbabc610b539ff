//! One Go file to [`FileFacts`], from source alone: no Go toolchain is asked.
//!
//! ```go
//! type Order struct { Email string `json:"email"` }
//! func (o *Order) Domain() string { return after(o.Email, "@") }
//! ```
//!
//! gives a type `Order` with a field `Email` that goes by the wire name `email`, and a method with a receiver `o`, a load of the
//! member `Email` from whatever `o` holds, a call of `after` with it, and a flow from the call's value to the result.

mod array;
mod assigned;
mod atomic;
mod choices;
mod composite_key;
mod constant;
mod constraint;
mod declaration;
mod ending;
mod ends;
mod expression;
mod format;
mod joined;
mod jump;
mod literal;
mod loops;
mod made;
mod new_value;
mod open_windows;
mod recovering;
mod returns;
mod slices;
mod sql;
mod statement;
mod static_type;
mod tables;
mod tested;
mod truth;
mod types;

use crate::tree::{Parts, children};
use tree_sitter::{Node, Parser};

use crate::Options;
use crate::facts::builder::{Builder, Tests};
use crate::facts::{ContainerKind, ElementKey, FileFacts, Name, PlaceId, Position, TypeExpressionId};
use crate::python::line_count;

/// What Go's library code does with data.
pub const LIBRARY: &str = include_str!("library.toml");

/// The types of Go's standard library.
pub const STANDARD: &str = include_str!("standard.txt");

/// Reads one file. `file_name` decides, with the build constraints, whether it belongs to the build.
pub fn lower(text: &str, file_name: &str, test: bool, options: &Options) -> FileFacts {
    let mut parser = Parser::new();
    let tree = match parser.set_language(&tree_sitter_go::LANGUAGE.into()) {
        Ok(()) => new_value::parse(&mut parser, text),
        Err(_) => None,
    };
    let mut walker = Walker {
        builder: Builder::default(),
        text,
        closures: vec![0],
        results: Vec::new(),
        addressed: Default::default(),
        boxed: Default::default(),
        constants: Default::default(),
        file_constants: Default::default(),
        file_keys: Default::default(),
        file_fields: Default::default(),
        key_type: None,
        package: "",
        ranges: Vec::new(),
        renamed: Default::default(),
        file_truths: Default::default(),
        constant_results: Default::default(),
        known: Default::default(),
        tested: Default::default(),
        given: Default::default(),
        file_results: Default::default(),
        file_concrete: Default::default(),
        file_numbers: Default::default(),
        static_types: Default::default(),
        asserted: Default::default(),
        made: Default::default(),
        found: Default::default(),
        structures: Default::default(),
        array_fields: Default::default(),
        tables: None,
        file_types: Default::default(),
        changed: None,
        written_down: Default::default(),
        lengths: Default::default(),
        recovered: Vec::new(),
        recovering: Default::default(),
        caught: Vec::new(),
        jumps: Default::default(),
        returned_literals: Default::default(),
        rounds: Vec::new(),
        open_loops: Vec::new(),
        endings: Default::default(),
        receiver: None,
        arrays: Default::default(),
        open_windows: Default::default(),
        elements: Default::default(),
        file_functions: Default::default(),
        file_variables: Default::default(),
        variable_types: Default::default(),
        test,
    };
    walker.builder.calls_are_written = true;
    walker.builder.lists_share_parts = true;
    walker.builder.facts.test = test;
    walker.builder.facts.lines = line_count(text);
    walker.builder.facts.excluded = !constraint::fits(file_name, text, options);
    match &tree {
        Some(tree) => walker.file(tree.root_node()),
        None => walker
            .builder
            .diagnostic(0, "syntax", "the parser gave up: nothing of this file is in the graph"),
    }
    walker.builder.finish()
}

struct Walker<'t> {
    builder: Builder,
    text: &'t str,
    /// How many closures each named function around this point has so far.
    closures: Vec<u32>,
    /// Named results of the functions around this point.
    results: Vec<Vec<Name>>,
    /// Names whose address is taken in the functions around this point.
    addressed: rustc_hash::FxHashSet<Name>,
    /// Those of this function that are nothing but written, read and pointed at.
    boxed: rustc_hash::FxHashSet<Name>,
    /// What constants of this function stand for as keys.
    constants: rustc_hash::FxHashMap<PlaceId, ElementKey>,
    /// What constants of the file stand for as keys.
    file_constants: rustc_hash::FxHashMap<Name, ElementKey>,
    /// Variables of the file that stand for a key.
    file_keys: rustc_hash::FxHashMap<Name, ElementKey>,
    /// The fields of the file's structures, in order.
    file_fields: rustc_hash::FxHashMap<Name, Vec<Name>>,
    /// The type of the keys of the literal that comes next.
    key_type: Option<Node<'t>>,
    /// The loops around this point.
    ranges: Vec<loops::Range<'t>>,
    /// What the file calls its package.
    package: &'t str,
    /// Packages that the file calls otherwise than they do.
    renamed: rustc_hash::FxHashSet<&'t str>,
    /// Constants of the file that are true or false.
    file_truths: rustc_hash::FxHashMap<Name, bool>,
    /// What functions of the file give each time.
    constant_results: rustc_hash::FxHashMap<Name, Vec<Option<crate::facts::Constant>>>,
    /// What definitions of variables stand for where they are tested.
    known: rustc_hash::FxHashMap<PlaceId, crate::facts::Constant>,
    /// What is known of the tests of the function around this point.
    tested: tested::Tested,
    /// What that function was seen to give back.
    given: returns::Given,
    /// The variable that is given what is made of it.
    changed: Option<Name>,
    /// Names of slices that are written down once, by the body of their function.
    written_down: rustc_hash::FxHashMap<usize, rustc_hash::FxHashSet<&'t str>>,
    /// Variables that hold how long a list is, by their definitions.
    lengths: rustc_hash::FxHashMap<PlaceId, ends::Length>,
    /// What `recover` gives in the deferred closures around this point.
    recovered: Vec<Vec<PlaceId>>,
    /// What functions of the file recover that are deferred by name.
    recovering: recovering::Recovering,
    /// The same, for each function around this point: where it takes what is thrown in it.
    caught: Vec<Vec<PlaceId>>,
    /// `goto`s of this function whose label is still to come, and labels that are jumped back to.
    jumps: jump::Jumps,
    /// Literals that are given back under tests.
    returned_literals: rustc_hash::FxHashSet<usize>,
    /// What the loops around this point range over, each with its function.
    rounds: Vec<(PlaceId, crate::facts::FunctionId)>,
    /// The loops around this point: label, tests around, and tests by which loops in it go on with it.
    open_loops: Vec<(Option<Name>, Tests, Vec<PlaceId>)>,
    /// What never comes back.
    endings: ending::Endings,
    /// The receiver of the method around this point, and its type.
    receiver: Option<(Name, Name)>,
    /// Slices that are cut out at unknown places.
    open_windows: open_windows::OpenWindows,
    /// Variables that hold an array.
    arrays: rustc_hash::FxHashSet<Name>,
    /// Elements of the file's types that name a container.
    elements: rustc_hash::FxHashMap<Name, (ContainerKind, TypeExpressionId)>,
    /// What functions of the file give, as that type is written.
    file_results: rustc_hash::FxHashMap<Name, String>,
    /// Types of the file that are no interfaces, nor other names.
    file_concrete: rustc_hash::FxHashSet<Name>,
    /// Those of them that are a number, a text or a truth value.
    file_numbers: rustc_hash::FxHashSet<Name>,
    /// Types of variables, by their definitions.
    static_types: rustc_hash::FxHashMap<PlaceId, String>,
    /// What outcomes of assertions say.
    asserted: rustc_hash::FxHashMap<PlaceId, static_type::Asserted>,
    /// What outcomes of look-ups say: the table, and the parameter that brings the key.
    found: rustc_hash::FxHashMap<PlaceId, (PlaceId, PlaceId)>,
    /// Variables that hold a structure of which all fields are told, by their definitions.
    made: rustc_hash::FxHashMap<PlaceId, made::Made>,
    /// Types of the file that are structures.
    structures: rustc_hash::FxHashSet<Name>,
    /// Their fields that are arrays.
    array_fields: rustc_hash::FxHashMap<Name, Vec<Name>>,
    /// The tables that methods of the file name, once that was asked.
    tables: Option<tables::Tables>,
    /// Types of the file.
    file_types: rustc_hash::FxHashSet<Name>,
    /// Functions of the file.
    file_functions: rustc_hash::FxHashSet<Name>,
    /// Variables of the file.
    file_variables: rustc_hash::FxHashSet<Name>,
    /// Types of variables of this function that were declared with one.
    variable_types: rustc_hash::FxHashMap<Name, TypeExpressionId>,
    test: bool,
}

impl<'t> Walker<'t> {
    fn file(&mut self, root: Node<'t>) {
        let name = self.builder.name("init");
        self.builder.open_file(name, self.test);
        self.results.push(Vec::new());
        if root.has_error() {
            let line = crate::python::first_error(root).map_or(0, |node| position(node).line);
            self.builder.diagnostic(
                line,
                "syntax",
                "syntax error: the graph holds what could be read around it",
            );
        }
        self.note_packages(root);
        for declaration in children(root).filter(|node| node.kind() == "const_declaration") {
            self.note_file_constants(declaration);
        }
        for declaration in children(root) {
            match declaration.kind() {
                "type_declaration" => {
                    self.note_types(declaration);
                    self.note_fields(declaration);
                    self.note_elements(declaration);
                }
                "var_declaration" => self.note_variables(declaration),
                "function_declaration" => {
                    let name = declaration.child_by_field_name("name").map(|name| self.name_of(name));
                    self.file_functions.extend(name);
                    self.note_result(declaration);
                    self.note_constant_results(declaration);
                }
                _ => {}
            }
        }
        self.note_endings(root);
        self.note_recovering(root);
        if !self.file_variables.is_empty() {
            let mut assigned = self.assigned_to_file(root);
            assigned.retain(|name| self.file_variables.contains(name));
            for declaration in children(root).filter(|node| node.kind() == "var_declaration") {
                self.note_key_variables(declaration, &assigned);
            }
            self.builder.assigned_inside.extend(assigned);
        }
        let constants = self.file_constants.iter().chain(&self.file_keys);
        self.builder.facts.constants = constants.map(|(name, key)| (*name, *key)).collect();
        self.builder.facts.constants.sort_unstable_by_key(|(name, _)| *name);
        for declaration in children(root) {
            self.top_level(declaration);
        }
        self.close_recovering();
    }

    /// The key that a constant expression stands for.
    fn constant_key(&mut self, node: Node<'t>) -> Option<ElementKey> {
        if let Some(text) = self.constant_text(node) {
            return Some(ElementKey::Text(self.builder.name(&text)));
        }
        match node.kind() {
            "int_literal" => self.text_of(node).parse().ok().map(ElementKey::Index),
            "identifier" | "type_identifier" => {
                let name = self.name_of(node);
                if !self.builder.is_bound(name) {
                    let known = self.file_constants.get(&name).or(self.file_keys.get(&name));
                    return known.copied();
                }
                let held = self.builder.use_name(name, position(node));
                self.constants.get(&held).copied().or_else(|| self.known_position(name))
            }
            "call_expression" => self.converted_constant(node),
            "binary_expression" => self.joined_constant(node).or_else(|| self.computed_position(node)),
            "composite_literal" => self.composite_key(node),
            // A key of what reads like a generic type.
            "type_elem" => node.part(0).and_then(|inner| self.constant_key(inner)),
            _ => None,
        }
    }

    fn top_level(&mut self, node: Node<'t>) {
        match node.kind() {
            "package_clause" => {
                self.builder.facts.package = node.part(0).map_or("", |name| self.text_of(name)).to_owned();
                self.builder.facts.doc = self.doc_above(node);
            }
            "import_declaration" => self.imports(node),
            "function_declaration" | "method_declaration" => self.function_declaration(node),
            "type_declaration" => self.type_declaration(node),
            "var_declaration" => self.value_declaration(node, crate::facts::PlaceKind::Global),
            "const_declaration" => self.value_declaration(node, crate::facts::PlaceKind::Constant),
            "ERROR" => {
                for child in children(node) {
                    self.top_level(child);
                }
            }
            _ => {}
        }
    }

    fn text_of(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn name_of(&mut self, node: Node<'t>) -> Name {
        let text = self.text_of(node);
        self.builder.name(text)
    }

    /// The value of a string literal.
    fn constant_text(&self, node: Node<'t>) -> Option<String> {
        let text = self.text_of(node);
        match node.kind() {
            "interpreted_string_literal" => Some(
                text.trim_matches('"')
                    .replace("\\\"", "\"")
                    .replace("\\n", "\n")
                    .replace("\\\\", "\\"),
            ),
            "raw_string_literal" => Some(text.trim_matches('`').to_owned()),
            _ => None,
        }
    }

    /// The comment right above a declaration.
    fn doc_above(&self, node: Node<'t>) -> String {
        let mut lines = Vec::new();
        let mut row = node.start_position().row;
        let mut above = node.prev_sibling();
        while let Some(comment) = above.filter(|above| above.kind() == "comment") {
            if comment.end_position().row + 1 != row {
                break;
            }
            row = comment.start_position().row;
            let text = self.text_of(comment);
            if !text.starts_with("//go:") {
                let text = text
                    .trim_start_matches("//")
                    .trim_start_matches("/*")
                    .trim_end_matches("*/");
                lines.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
            }
            above = comment.prev_sibling();
        }
        lines.reverse();
        crate::facts::builder::tidy_doc(&lines.join("\n"))
    }
}

fn position(node: Node<'_>) -> Position {
    let point = node.start_position();
    Position {
        line: point.row as u32 + 1,
        column: point.column as u32 + 1,
    }
}

fn end_line(node: Node<'_>) -> u32 {
    node.end_position().row as u32 + 1
}
