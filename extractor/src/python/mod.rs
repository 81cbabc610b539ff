//! One Python file to [`FileFacts`].
//!
//! ```python
//! import json
//! class Client:
//!     def __init__(self, url):
//!         self.url = url
//! ```
//!
//! gives an import bound to `json`, a class bound to `Client` with an attribute `url`, a method with parameters `self` and
//! `url`, and a store of `url` into the member `url` of whatever `self` holds. Broken syntax gives what could be read: the
//! parser marks the rest as errors, which are walked like anything else.

mod annotation;
mod annotation_calls;
mod asked;
pub mod borrowed;
mod by_name;
mod call;
mod collections;
mod columns;
mod comprehension;
mod containers;
mod definition;
mod dispatch;
mod display;
mod ending;
mod evaluate;
mod expression;
mod failing;
mod fields;
mod fields_made;
mod file_constants;
mod fixtures;
mod folds;
mod format;
mod generics;
mod grown;
mod loops;
mod names;
mod naming;
mod narrow;
mod own_module;
mod own_names;
mod parametrized;
mod pattern;
mod picked;
mod properties;
mod quoted;
mod reflection;
mod returns;
mod row_containers;
mod row_texts;
mod rows;
mod rows_under;
mod slices;
mod sql;
mod statement;
mod stepping;
mod table_items;
mod tables;
mod target;
mod tested;
mod truth;
mod turns;
mod value;
mod wire_names;

use std::ops::Range;

use crate::tree::{Parts, children};
use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, Parser, Tree};

use self::borrowed::Borrowed;
use crate::facts::builder::{Builder, Tests};
use crate::facts::{FileFacts, FunctionId, Name, PlaceId, Position, TypeId};

/// What Python's library code does with data.
pub const LIBRARY: &str = include_str!("library.toml");

/// Reads one file.
pub fn lower((text, borrowed): (&str, Option<&Borrowed>), name: &str, test: bool) -> FileFacts {
    let (text, ranges) = borrowed.map_or((text, &[][..]), |borrowed| (borrowed.text.as_str(), &borrowed.ranges));
    let mut parser = Parser::new();
    let tree = match parser.set_language(&tree_sitter_python::LANGUAGE.into()) {
        Ok(()) => parse(&mut parser, text),
        Err(_) => None,
    };
    let mut walker = Walker::new(text, test);
    walker.borrowed = ranges;
    walker.builder.facts.test = test;
    walker.builder.facts.by_name.below = fixtures::is_given_below(name);
    walker.builder.facts.lines = line_count(text);
    match &tree {
        Some(tree) => walker.module(tree.root_node()),
        None => walker
            .builder
            .diagnostic(0, "syntax", "the parser gave up: nothing of this file is in the graph"),
    }
    walker.builder.finish()
}

/// The tree of a text. The grammar takes `type(self).last = text` for a type by another name: there it reads a word of the same length. And
/// it takes a comment that is indented less than what is around it for the end of a block in places where
/// Python does not, as between a decorator and its function: what cannot be read is read once more with such lines empty.
fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let begins_so = |line: &str| line.trim_start().starts_with("type(");
    let spelled = text.lines().any(begins_so).then(|| {
        let lines = text.split_inclusive('\n');
        lines.fold(String::with_capacity(text.len()), |spelled, line| {
            match line.trim_start().strip_prefix("type(") {
                Some(rest) => spelled + &line[..line.len() - rest.len() - 5] + "typ_(" + rest,
                None => spelled + line,
            }
        })
    });
    let text = spelled.as_deref().unwrap_or(text);
    let tree = parser.parse(text, None)?;
    if !tree.root_node().has_error() {
        return Some(tree);
    }
    let mut emptied = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.trim_start().starts_with('#') {
            // Every byte stays where it was.
            true => emptied.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })),
            false => emptied.push_str(line),
        }
    }
    let again = parser
        .parse(&emptied, None)
        .filter(|tree| !tree.root_node().has_error());
    again.or(Some(tree))
}

/// Lines of a text; a last line without an end counts.
pub(crate) fn line_count(text: &str) -> u32 {
    let ends = text.bytes().filter(|byte| *byte == b'\n').count() as u32;
    ends + u32::from(!text.is_empty() && !text.ends_with('\n'))
}

struct Walker<'t> {
    builder: Builder,
    text: &'t str,
    /// Where tables stand that other files have.
    borrowed: &'t [Range<usize>],
    /// The classes around this point.
    classes: Vec<Class>,
    /// For each function around this point: the name of its receiver and its class, if it is a method.
    methods: Vec<Option<(Name, TypeId)>>,
    /// For each handler around this point: what it caught, whether anyone looks at it, and the name that holds it,
    /// by its definition.
    caught: Vec<Caught>,
    /// Results of the functions that are generators.
    generators: Vec<PlaceId>,
    /// The use of a name that is walked next, if it only takes a step of the generator there.
    stepped: Option<usize>,
    /// Whether the function around this point may come back to its caller.
    comes_back: bool,
    /// Variables that tests of open branches have told something of.
    narrowed: Vec<Name>,
    /// Variables that every branch around assigns.
    either: Vec<Name>,
    /// Literals that file-level names stand for.
    file_constants: FxHashMap<&'t str, Node<'t>>,
    /// Calls of which names of the file hold the value, and nothing else.
    file_calls: FxHashMap<&'t str, Node<'t>>,
    /// All constants that file-level names are bound to, once and in no branch.
    file_flags: FxHashMap<&'t str, Node<'t>>,
    /// File-level functions of which there is one by the name.
    file_functions: FxHashMap<&'t str, Node<'t>>,
    /// The same of decorated functions: what a decorator gives stands for them, and can be called, too.
    file_decorated: FxHashSet<&'t str>,
    /// File-level classes of which there is one by the name.
    file_classes: FxHashMap<&'t str, Node<'t>>,
    /// Type variables in the brackets of the functions and classes around this point.
    type_variables: Vec<generics::TypeVariable<'t>>,
    /// Those that are known by now not to come back.
    never_back: FxHashSet<Name>,
    /// What never comes back, as names say.
    endings: ending::Endings<'t>,
    /// Variables that hold what a class of the file makes.
    made_here: FxHashMap<PlaceId, &'t str>,
    /// Variables that hold a function.
    callables: FxHashSet<PlaceId>,
    /// How many calls there were of such.
    ended_by_calls: usize,
    /// How many values file-level generators give that give as many each time.
    file_yields: FxHashMap<&'t str, u32>,
    /// Literals that members of file-level classes are: by class and member, with whether the member is another value than the literal.
    class_constants: FxHashMap<(&'t str, &'t str), (Node<'t>, bool)>,
    /// Tests by which the block that was walked last is left, behind which the rest of what is around it is not run.
    left_inside: Vec<PlaceId>,
    /// Literals and displays that definitions of variables are.
    constants: FxHashMap<PlaceId, Node<'t>>,
    /// Tests whose outcomes definitions of variables are, with what the names in them held.
    conditions: FxHashMap<PlaceId, (Node<'t>, Vec<(Name, PlaceId)>)>,
    /// Displays that file-level names are bound to, once and in no branch.
    file_displays: FxHashMap<&'t str, Node<'t>>,
    /// Those of them that go by other names as well, or are given to somebody.
    displays_handed_on: FxHashSet<&'t str>,
    /// The arguments of calls by the name of what is called, once they were asked for.
    calls_by_name: Option<FxHashMap<&'t str, Vec<Node<'t>>>>,
    /// Names, as they are written, that stand for dicts with defaults.
    default_tables: FxHashMap<&'t str, collections::Missing>,
    /// Functions that the class of their first argument chooses.
    dispatchers: FxHashMap<Name, dispatch::Dispatcher>,
    /// Enumerations of the file, with their members in order.
    enumerations: FxHashMap<&'t str, Vec<&'t str>>,
    /// What definitions of variables hold, where that was worked out.
    values: FxHashMap<PlaceId, value::Value<'t>>,
    /// The same where names of the file say so, as long as nobody sets these.
    values_by_file: FxHashMap<PlaceId, evaluate::Kept<'t>>,
    /// How many expressions are worked out at most, from here on.
    steps_left: u32,
    /// Names of the file that what is worked out depends on, where these count.
    flags_used: Option<Vec<evaluate::Used<'t>>>,
    /// How often bodies of functions bind names, of those that functions inside of them asked for.
    bound_around: FxHashMap<usize, FxHashMap<String, u32>>,
    /// Conditions that come out the same at every turn of the loops around.
    outcomes: FxHashMap<usize, bool>,
    /// How many loops are around of which each turn is told.
    told_loops: u32,
    /// Loops over pairs of keys and values, around this point.
    pairs: Vec<loops::Pairs>,
    /// What targets in such loops define.
    assigned_at: FxHashMap<usize, PlaceId>,
    /// Functions of the file assign variables of those around them.
    has_nonlocal: bool,
    /// Somebody asks exceptions what was caught when they were raised.
    reads_context: bool,
    /// Calls in what is done with known items are told one by one.
    calls_by_row: bool,
    /// Attributes that constructors of the file set, and nothing else in it.
    fields_once: FxHashSet<&'t str>,
    /// Members may be set here in ways that no name tells.
    sets_anyhow: bool,
    /// Names that the file imports, each once.
    file_imports: FxHashSet<&'t str>,
    /// Statements of loops whose effect is told behind the loop.
    left_out: FxHashSet<usize>,
    /// What the loops around this point go over, each with the function that it stands in.
    rounds: Vec<(PlaceId, FunctionId)>,
    /// Of each loop that is open: the tests around it, and those by which it is left.
    left_loops: Vec<(Tests, Vec<PlaceId>)>,
    /// Displays that are given back under tests.
    chosen_displays: FxHashSet<usize>,
    /// Parts of displays that are the same whichever of several is taken.
    same_parts: FxHashSet<usize>,
    /// Whether a function, by its body, only reads what is in a variable.
    only_read: FxHashMap<(usize, &'t str), bool>,
    /// What is known of the tests of the function around this point.
    tested: tested::Tested<'t>,
    test: bool,
}

impl<'t> Walker<'t> {
    /// Before the first statement of a text.
    fn new(text: &'t str, test: bool) -> Self {
        let sets_anyhow = fields_made::sets_anyhow(text);
        Self {
            builder: Builder::default(),
            text,
            borrowed: &[],
            classes: Vec::new(),
            methods: Vec::new(),
            caught: Vec::new(),
            generators: Vec::new(),
            stepped: None,
            comes_back: true,
            narrowed: Vec::new(),
            either: Vec::new(),
            file_constants: Default::default(),
            file_calls: Default::default(),
            file_flags: Default::default(),
            file_functions: Default::default(),
            file_decorated: Default::default(),
            file_classes: Default::default(),
            type_variables: Vec::new(),
            never_back: Default::default(),
            endings: Default::default(),
            made_here: Default::default(),
            callables: Default::default(),
            ended_by_calls: 0,
            file_yields: Default::default(),
            class_constants: Default::default(),
            left_inside: Vec::new(),
            constants: Default::default(),
            conditions: Default::default(),
            file_displays: Default::default(),
            displays_handed_on: Default::default(),
            calls_by_name: None,
            default_tables: Default::default(),
            dispatchers: Default::default(),
            enumerations: Default::default(),
            values: Default::default(),
            values_by_file: Default::default(),
            steps_left: 0,
            flags_used: None,
            bound_around: FxHashMap::default(),
            outcomes: Default::default(),
            told_loops: 0,
            pairs: Vec::new(),
            assigned_at: Default::default(),
            has_nonlocal: text.contains("nonlocal "),
            reads_context: text.contains("__context__"),
            calls_by_row: false,
            fields_once: match sets_anyhow {
                true => Default::default(),
                false => fields_made::set_once(text),
            },
            sets_anyhow,
            file_imports: Default::default(),
            left_out: Default::default(),
            rounds: Vec::new(),
            left_loops: Vec::new(),
            chosen_displays: Default::default(),
            same_parts: Default::default(),
            only_read: Default::default(),
            tested: Default::default(),
            test,
        }
    }
}

type Caught = (PlaceId, bool, Option<(Name, PlaceId)>);

/// A class body that is being walked.
struct Class {
    id: TypeId,
    /// How many functions are around it: a `def` at this depth is a method of it.
    depth: usize,
    /// Fields from here on are given by keyword.
    keyword_only: bool,
    /// How often its body binds each name.
    times_bound: FxHashMap<String, u32>,
}

impl<'t> Walker<'t> {
    /// The class in whose body this stands, and in no function of it.
    fn class_around(&self) -> Option<&Class> {
        self.classes.last().filter(|class| class.depth == self.methods.len())
    }

    fn module(&mut self, root: Node<'t>) {
        self.builder.open_file(Name(0), self.test);
        self.methods.push(None);
        self.builder.facts.doc = self.docstring(root);
        for name in names::bound_in(root, self.text) {
            let name = self.builder.name(&name);
            self.builder.declare(name);
        }
        for names in self
            .text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("global "))
        {
            for name in names.split(',') {
                let name = self.builder.name(name.trim());
                self.builder.assigned_inside.insert(name);
            }
        }
        self.note_syntax_errors(root);
        self.note_file_constants(root);
        self.note_default_tables(root);
        self.note_endings(root);
        self.block(root);
        self.note_star_names(root);
        self.note_flags();
        let exports = self.builder.file_level_names();
        self.builder.facts.exports = exports;
    }

    fn note_syntax_errors(&mut self, root: Node<'t>) {
        if !root.has_error() {
            return;
        }
        let line = first_error(root).map_or(0, |node| node.start_position().row as u32 + 1);
        self.builder.diagnostic(
            line,
            "syntax",
            "syntax error: the graph holds what could be read around it",
        );
    }

    /// `__all__ = ["a", "b"]` at file level.
    fn note_star_names(&mut self, root: Node<'t>) {
        let mut found: Option<Vec<Name>> = None;
        for statement in children(root) {
            let Some(assignment) = statement.part(0) else {
                continue;
            };
            if !matches!(assignment.kind(), "assignment" | "augmented_assignment") {
                continue;
            }
            let (Some(left), Some(right)) = (
                assignment.child_by_field_name("left"),
                assignment.child_by_field_name("right"),
            ) else {
                continue;
            };
            if self.text_of(left) != "__all__" || !matches!(right.kind(), "list" | "tuple") {
                continue;
            }
            let texts: Vec<String> = children(right).filter_map(|item| self.constant_text(item)).collect();
            let names: Vec<Name> = texts.iter().map(|text| self.builder.name(text)).collect();
            found.get_or_insert_default().extend(names);
        }
        self.builder.facts.star_names = found;
    }

    fn text_of(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn name_of(&mut self, node: Node<'t>) -> Name {
        let text = self.text_of(node);
        self.builder.name(text)
    }

    /// The text of a string literal without interpolation.
    fn constant_text(&self, node: Node<'t>) -> Option<String> {
        if node.kind() == "attribute" {
            // A member of an enumeration is one value wherever it is named.
            return self
                .class_constant(node)
                .filter(|(_, is_member)| *is_member)
                .map(|_| self.text_of(node).to_owned());
        }
        if node.kind() != "string" {
            return None;
        }
        let mut text = String::new();
        for part in children(node) {
            match part.kind() {
                "string_content" => text.push_str(self.text_of(part)),
                "interpolation" => return None,
                _ => {}
            }
        }
        Some(text)
    }

    fn docstring(&self, body: Node<'t>) -> String {
        let first = children(body).find(|node| node.kind() != "comment");
        let text = first
            .filter(|statement| statement.kind() == "expression_statement")
            .and_then(|statement| statement.part(0))
            .and_then(|string| self.constant_text(string))
            .unwrap_or_default();
        crate::facts::builder::tidy_doc(&text)
    }

    /// The object of an attribute that is the receiver of the method around this point: its class.
    fn receiver_class(&mut self, object: Node<'t>) -> Option<TypeId> {
        if object.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(object);
        self.methods
            .iter()
            .rev()
            .flatten()
            .find(|(receiver, _)| *receiver == name)
            .map(|(_, class)| *class)
    }

    fn flow_into(&mut self, from: Option<PlaceId>, to: PlaceId, position: Position) {
        self.builder.flow(from, to, How::Assign, position);
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

pub(crate) fn first_error(root: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return Some(node);
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}
