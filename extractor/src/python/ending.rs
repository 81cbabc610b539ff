//! Calls that never come back: `sys.exit`, `abort(404)`, and functions and methods of this file that raise whatever happens.
//!
//! ```python
//! def fail(text): raise ValueError(text)
//! if broken:
//!     name = text
//!     fail("broken")        # or `sys.exit(1)`, `parser.error("broken")`
//! show(name)                # `name` is what it was before
//! ```
//!
//! A function never comes back if it returns and yields nowhere, does not wait, and comes by a `raise` or such a call on its own level.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::Walker;
use crate::facts::{Object, PlaceId};
use crate::tree::{Parts, children};

/// How often the functions of a file are looked at for those that end in others.
const ROUND_LIMIT: usize = 4;

/// Functions of libraries that never come back, by their modules.
const LIBRARY: &[(&str, &[&str])] = &[
    ("bottle", &["abort", "redirect"]),
    ("flask", &["abort"]),
    ("os", &["_exit", "abort"]),
    ("pytest", &["exit", "fail", "skip", "xfail"]),
    ("sys", &["exit"]),
    ("typing", &["assert_never"]),
    ("typing_extensions", &["assert_never"]),
    ("werkzeug.exceptions", &["abort"]),
];

/// What the language gives that does so.
const BUILT_IN: &[&str] = &["exit", "quit"];

/// Methods of a parser of command lines that do so.
const OF_PARSER: &[&str] = &["error", "exit"];

/// What never comes back, as a file names it.
#[derive(Debug, Default)]
pub(super) struct Endings<'t> {
    /// Functions of the file, or imported.
    functions: FxHashSet<&'t str>,
    /// Methods of classes of the file, by class and name.
    methods: FxHashSet<(&'t str, &'t str)>,
    /// Imported modules by their names here, with such functions.
    modules: FxHashMap<&'t str, &'static [&'static str]>,
}

/// A function of the file, as far as it matters here.
struct Candidate<'t> {
    class: Option<&'t str>,
    name: &'t str,
    body: Node<'t>,
}

impl<'t> Walker<'t> {
    /// Finds what never comes back in a file.
    pub(super) fn note_endings(&mut self, root: Node<'t>) {
        for statement in children(root) {
            self.note_ending_imports(statement);
        }
        let mut candidates = Vec::new();
        let functions: Vec<_> = self.file_functions.values().copied().collect();
        candidates.extend(functions.into_iter().filter_map(|node| self.candidate(None, node)));
        let classes: Vec<_> = self.file_classes.iter().map(|(name, class)| (*name, *class)).collect();
        for (class, definition) in classes.into_iter().filter(|(class, _)| !self.is_base_here(class)) {
            let body = definition.child_by_field_name("body").into_iter().flat_map(children);
            candidates.extend(body.filter_map(|node| self.candidate(Some(class), node)));
        }
        for _ in 0..ROUND_LIMIT {
            let before = candidates.len();
            candidates.retain(|candidate| {
                let ends = self.block_ends(candidate.body, candidate.class);
                if ends {
                    match candidate.class {
                        Some(class) => _ = self.endings.methods.insert((class, candidate.name)),
                        None => _ = self.endings.functions.insert(candidate.name),
                    }
                }
                !ends
            });
            if candidates.len() == before {
                break;
            }
        }
    }

    /// `import sys`, `from sys import exit as leave`.
    pub(super) fn note_ending_imports(&mut self, statement: Node<'t>) {
        let module = statement.child_by_field_name("module_name");
        if !matches!(statement.kind(), "import_statement" | "import_from_statement") {
            return;
        }
        let mut cursor = statement.walk();
        for name in statement.children_by_field_name("name", &mut cursor) {
            let (path, bound) = match name.kind() {
                "aliased_import" => (name.child_by_field_name("name"), name.child_by_field_name("alias")),
                _ => (Some(name), Some(name)),
            };
            let [path, bound] = [path, bound].map(|part| part.map_or("", |part| self.text_of(part)));
            let of = |module: &str| LIBRARY.iter().find(|(own, _)| *own == module).map(|(_, own)| *own);
            match module.map(|module| of(self.text_of(module))) {
                Some(Some(functions)) if functions.contains(&path) => _ = self.endings.functions.insert(bound),
                None => self
                    .endings
                    .modules
                    .extend(of(path).map(|functions| (bound, functions))),
                _ => {}
            }
        }
    }

    /// Whether a class is a base of another one of the file, which may do better.
    fn is_base_here(&self, class: &str) -> bool {
        self.file_classes.values().any(|other| {
            let bases = other.child_by_field_name("superclasses").into_iter().flat_map(children);
            bases.into_iter().any(|base| self.text_of(base) == class)
        })
    }

    fn candidate(&self, class: Option<&'t str>, node: Node<'t>) -> Option<Candidate<'t>> {
        let name = self.text_of(
            node.child_by_field_name("name")
                .filter(|_| node.kind() == "function_definition")?,
        );
        let body = node.child_by_field_name("body")?;
        let text = self.text_of(body);
        let may_end = text.contains("raise") || text.contains('(');
        let comes_back = super::statement::is_async(node)
            || text.contains("NotImplemented")
            || ["return", "yield"].iter().any(|word| text.contains(word)) && comes_back(body);
        (may_end && !comes_back).then_some(Candidate { class, name, body })
    }

    /// Whether control never comes past the end of a block.
    fn block_ends(&self, block: Node<'t>, class: Option<&'t str>) -> bool {
        children(block).any(|statement| match statement.kind() {
            "raise_statement" => true,
            "expression_statement" => {
                let call = statement.part(0).filter(|call| call.kind() == "call");
                let function = call.and_then(|call| call.child_by_field_name("function"));
                function.is_some_and(|function| self.names_ending(function, class))
            }
            "if_statement" => {
                let mut cursor = statement.walk();
                let others: Vec<_> = statement.children_by_field_name("alternative", &mut cursor).collect();
                let is_full = others.iter().any(|clause| clause.kind() == "else_clause");
                let bodies = others.iter().map(|clause| {
                    let body = clause.child_by_field_name("consequence");
                    body.or_else(|| clause.child_by_field_name("body"))
                });
                let mut bodies = bodies.chain([statement.child_by_field_name("consequence")]);
                is_full && bodies.all(|body| body.is_some_and(|body| self.block_ends(body, class)))
            }
            _ => false,
        })
    }

    /// Whether a callee never comes back; `class`: around it.
    fn names_ending(&self, function: Node<'t>, class: Option<&'t str>) -> bool {
        match function.kind() {
            "identifier" => {
                let name = self.text_of(function);
                let is_own = || self.file_functions.contains_key(name) || self.file_imports.contains(name);
                self.endings.functions.contains(name) || BUILT_IN.contains(&name) && !is_own()
            }
            "attribute" => {
                let parts = ["object", "attribute"].map(|part| function.child_by_field_name(part));
                let [object, member] = parts.map(|part| part.map_or("", |part| self.text_of(part)));
                let functions = self.endings.modules.get(object);
                let is_own = object == "self"
                    && member.starts_with('_')
                    && class.is_some_and(|class| self.endings.methods.contains(&(class, member)));
                functions.is_some_and(|functions| functions.contains(&member))
                    || is_own
                    || OF_PARSER.contains(&member)
                        && object.rsplit('.').next().is_some_and(|name| name.ends_with("parser"))
                        && self.text.contains("ArgumentParser(")
            }
            _ => false,
        }
    }

    /// Whether a call at this point never comes back.
    pub(super) fn never_comes_back(&mut self, function: Node<'t>) -> bool {
        let root = match function.kind() {
            "identifier" => function,
            "attribute" => match function.child_by_field_name("object") {
                Some(object) if object.kind() == "identifier" => object,
                Some(_) => return self.names_ending(function, None),
                None => return false,
            },
            _ => return false,
        };
        let name = self.name_of(root);
        if function.kind() == "identifier" {
            let is_of_language = BUILT_IN.contains(&self.text_of(root)) && !self.builder.is_bound(name);
            let is_told = self.never_back.contains(&name) || self.endings.functions.contains(self.text_of(root));
            return (is_of_language || is_told && self.is_named_here(root)) && is_on_its_own(function);
        }
        if !is_on_its_own(function) {
            return false;
        }
        if self.names_ending(function, None) {
            let is_module = self.endings.modules.contains_key(self.text_of(root));
            return !is_module || self.is_named_here(root);
        }
        let member = function
            .child_by_field_name("attribute")
            .map_or("", |member| self.text_of(member));
        if self.endings.methods.iter().all(|(_, name)| *name != member) {
            return false;
        }
        let own = self.receiver_class(root).map(|class| {
            let name = self.builder.facts.types[class.0 as usize].name;
            self.builder.facts.text(name).to_owned()
        });
        // Of its own object a class below, in another file, may do better.
        let own = own.filter(|_| member.starts_with('_'));
        let made = || self.made_here.get(&self.builder.only_definition(name)?).copied();
        let class = own.as_deref().or_else(made);
        class.is_some_and(|class| {
            self.endings
                .methods
                .iter()
                .any(|(own, name)| (*own, *name) == (class, member))
        })
    }

    /// Whether a name is one of the file, or imported here.
    fn is_named_here(&mut self, node: Node<'t>) -> bool {
        let name = self.name_of(node);
        if self.builder.is_of_file(name) {
            return true;
        }
        let only = self.builder.only_definition(name);
        let is_import =
            |(place, object): &(PlaceId, Object)| Some(*place) == only && matches!(object, Object::Import(_));
        only.is_some() && self.builder.facts.objects.iter().rev().any(is_import)
    }
}

impl<'t> Walker<'t> {
    /// Whether an `__exit__` does more with the exception than to ask whether there is one, and to hand it on to another.
    pub(super) fn looks_at_raised(&self, definition: Node<'t>) -> bool {
        let name = definition
            .child_by_field_name("name")
            .map_or("", |name| self.text_of(name));
        let parts = ["parameters", "body"].map(|part| definition.child_by_field_name(part));
        let ("__exit__" | "__aexit__", [Some(parameters), Some(body)]) = (name, parts) else {
            return false;
        };
        let own: Vec<Node<'t>> = children(parameters)
            .filter(|own| own.kind() != "comment")
            .take(3)
            .collect();
        if own.iter().any(|own| own.kind() == "list_splat_pattern") {
            return true;
        }
        let third = own.get(2).copied();
        let raised = third.map(|third| {
            third
                .child_by_field_name("name")
                .or_else(|| third.part(0))
                .unwrap_or(third)
        });
        let Some(raised) = raised.map(|raised| self.text_of(raised)) else {
            return false;
        };
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            if node.kind() == "identifier" && self.text_of(node) == raised && !self.only_asks_for(node) {
                return true;
            }
            open.extend(children(node));
        }
        false
    }

    /// Whether a use of a name asks whether there is something, or hands it to another `__exit__`.
    fn only_asks_for(&self, node: Node<'t>) -> bool {
        let Some(around) = node.parent() else { return false };
        match around.kind() {
            "comparison_operator" | "if_statement" | "not_operator" | "boolean_operator" => true,
            "argument_list" => {
                let function = around.parent().and_then(|call| call.child_by_field_name("function"));
                function.is_some_and(|function| self.text_of(function).ends_with("exit__"))
            }
            _ => false,
        }
    }
}

/// Whether a call happens whenever control comes to its statement: no part of what may be left out.
fn is_on_its_own(function: Node<'_>) -> bool {
    let mut around = function.parent();
    while let Some(node) = around {
        match node.kind() {
            "boolean_operator" | "conditional_expression" | "lambda" | "generator_expression" => return false,
            kind if kind.ends_with("_comprehension") => return false,
            kind if kind.ends_with("_statement") || kind == "block" => return true,
            _ => around = node.parent(),
        }
    }
    true
}

/// Whether a body returns or yields, functions inside left out.
fn comes_back(body: Node<'_>) -> bool {
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        match node.kind() {
            "return_statement" | "yield" => return true,
            "function_definition" | "class_definition" | "lambda" => {}
            _ => open.extend(children(node)),
        }
    }
    false
}
