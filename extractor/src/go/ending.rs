//! Calls that never come back: `panic`, `os.Exit`, and functions of this file that end in such a call whatever happens.
//!
//! ```go
//! func fail(text string) { panic(text) }
//! if broken { fail(text); name = text }      // `name` is what it was before
//! ```
//!
//! A function never comes back if it returns nowhere, defers nothing that might recover, and comes by such a call on its own level.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::Walker;
use super::statement::collect;
use crate::facts::Name;
use crate::tree::{Parts, children};

/// How often the functions of a file are looked at for those that end in others.
const ROUND_LIMIT: usize = 4;

/// How deep in a function's branches such a call may stand.
const DEPTH_LIMIT: u8 = 8;

/// Functions of the standard library, and of libraries that take its place, that never come back: package, and its functions.
const LIBRARY: &[(&str, &[&str])] = &[
    ("log", STOPPING),
    ("github.com/sirupsen/logrus", STOPPING),
    ("github.com/golang/glog", STOPPING),
    ("k8s.io/klog", STOPPING),
    ("k8s.io/klog/v2", STOPPING),
    ("os", &["Exit"]),
    ("runtime", &["Goexit"]),
    ("syscall", &["Exit"]),
];

const STOPPING: &[&str] = &[
    "Exit", "Exitf", "Exitln", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln",
];

/// What never comes back, as a file names it: a function, a method of a type of the file, or a function of a package.
#[derive(Debug, Default)]
pub(super) struct Endings {
    functions: FxHashSet<Name>,
    /// By type and name.
    methods: FxHashSet<(Name, Name)>,
    /// By the name of the package in this file.
    library: FxHashSet<(Name, &'static str)>,
}

/// A function of the file, as far as it matters here.
struct Candidate<'t> {
    name: Name,
    /// The receiver, and its type.
    receiver: Option<(Name, Name)>,
    body: Node<'t>,
}

impl<'t> Walker<'t> {
    /// Finds the functions of a file that never come back.
    pub(super) fn note_endings(&mut self, root: Node<'t>) {
        let mut candidates = Vec::new();
        for declaration in children(root) {
            match declaration.kind() {
                "import_declaration" => self.note_imports(declaration),
                "function_declaration" | "method_declaration" => candidates.extend(self.candidate(declaration)),
                _ => {}
            }
        }
        for _ in 0..ROUND_LIMIT {
            let before = candidates.len();
            candidates.retain(|candidate| {
                let ends = self.ends(candidate.body, candidate.receiver, DEPTH_LIMIT) && never_returns(candidate.body);
                if ends {
                    match candidate.receiver {
                        Some((_, of)) => _ = self.endings.methods.insert((of, candidate.name)),
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

    fn note_imports(&mut self, node: Node<'t>) {
        for child in children(node) {
            if child.kind() == "import_spec_list" {
                self.note_imports(child);
                continue;
            }
            let path = child.child_by_field_name("path");
            let path = path.and_then(|path| self.constant_text(path)).unwrap_or_default();
            for (package, functions) in LIBRARY.iter().filter(|(package, _)| *package == path) {
                let parts = package.rsplit('/').find(|part| *part != "v2");
                let name = match child.child_by_field_name("name") {
                    Some(alias) => self.name_of(alias),
                    None => self.builder.name(parts.unwrap_or(package)),
                };
                let functions = functions.iter().map(|function| (name, *function));
                self.endings.library.extend(functions);
            }
        }
    }

    fn candidate(&mut self, node: Node<'t>) -> Option<Candidate<'t>> {
        let name = self.name_of(node.child_by_field_name("name")?);
        let body = node.child_by_field_name("body")?;
        let receiver = match node.child_by_field_name("receiver") {
            Some(list) => Some(self.receiver_of(list)?),
            None => None,
        };
        Some(Candidate { name, receiver, body })
    }

    /// A receiver's name and type.
    pub(super) fn receiver_of(&mut self, list: Node<'t>) -> Option<(Name, Name)> {
        let declared = children(list).next()?;
        let name = match declared.child_by_field_name("name") {
            Some(name) => self.name_of(name),
            None => Name(0),
        };
        let mut of = declared.child_by_field_name("type")?;
        while let Some(inner) = match of.kind() {
            "pointer_type" | "parenthesized_type" => of.part(0),
            "generic_type" => of.child_by_field_name("type"),
            _ => None,
        } {
            of = inner;
        }
        Some((name, self.name_of(of)))
    }

    /// Whether a statement never comes to its end.
    fn ends(&mut self, statement: Node<'t>, receiver: Option<(Name, Name)>, depth: u8) -> bool {
        match statement.kind() {
            _ if depth == 0 => false,
            "statement_list" | "block" => children(statement).any(|inner| self.ends(inner, receiver, depth - 1)),
            "expression_statement" => statement.part(0).is_some_and(|call| self.is_ending(call, receiver)),
            "if_statement" => ["consequence", "alternative"].into_iter().all(|way| {
                let way = statement.child_by_field_name(way);
                way.is_some_and(|way| self.ends(way, receiver, depth - 1))
            }),
            _ => false,
        }
    }

    /// Whether a call never comes back, as far as its callee's name tells.
    fn is_ending(&mut self, call: Node<'t>, receiver: Option<(Name, Name)>) -> bool {
        let Some(function) = call
            .child_by_field_name("function")
            .filter(|_| call.kind() == "call_expression")
        else {
            return false;
        };
        match function.kind() {
            "identifier" => {
                let name = self.name_of(function);
                self.text_of(function) == "panic" || self.endings.functions.contains(&name)
            }
            "selector_expression" => {
                let ends = ["operand", "field"].map(|end| function.child_by_field_name(end));
                let [Some(operand), Some(field)] = ends else {
                    return false;
                };
                let (operand, name) = (self.name_of(operand), self.name_of(field));
                match receiver.filter(|(own, _)| *own == operand) {
                    Some((_, of)) => self.endings.methods.contains(&(of, name)),
                    None => self.endings.library.contains(&(operand, self.text_of(field))),
                }
            }
            _ => false,
        }
    }

    /// Whether a call never comes back where it stands: nothing around it takes its callee's name.
    pub(super) fn never_comes_back(&mut self, call: Node<'t>) -> bool {
        let receiver = self.receiver;
        let is_own = receiver.is_some_and(|(own, _)| self.builder.is_receiver(own));
        if !self.is_ending(call, receiver.filter(|_| is_own)) {
            return false;
        }
        let function = call.child_by_field_name("function");
        let head = match function.filter(|function| function.kind() == "selector_expression") {
            Some(selector) => selector.child_by_field_name("operand"),
            None => function,
        };
        head.is_some_and(|head| {
            let name = self.name_of(head);
            !self.builder.is_bound(name) || is_own && receiver.is_some_and(|(own, _)| own == name)
        })
    }
}

/// Whether a function has no way out but its end.
fn never_returns(body: Node<'_>) -> bool {
    let mut returns = false;
    let mut inner_ends = 0;
    collect(body, &mut |found| {
        if found.start_byte() < inner_ends {
            return;
        }
        match found.kind() {
            "func_literal" => inner_ends = found.end_byte(),
            "return_statement" | "defer_statement" | "goto_statement" => returns = true,
            _ => {}
        }
    });
    !returns
}
