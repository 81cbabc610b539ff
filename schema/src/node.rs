//! Node kinds (the database's labels), and the one shape that all nodes share.
//!
//! `total = price * quantity` inside `def bill` of `shop/bill.py` is
//! `Variable {name: "total", qualified_name: "shop.bill.bill.total", kind: "local", language: "python", line: …}`.

use crate::declare::declare;
use crate::{NodeId, Site};

declare! {
    /// The label of a node.
    pub enum NodeKind {
        /// A Go package, or a Python module or package. `kind`: `package`, `module`.
        Package = "Package",
        /// A source file; `name` is its path from the indexed root, `end_line` its number of lines.
        File = "File",
        /// A class, struct, interface or named type. `kind`: `class`, `struct`, `interface`, `named` (in Python: made by a call, as by `namedtuple`), `alias`.
        Type = "Type",
        /// A function, method or closure, or the body of a module or package (`kind: "initializer"`). `kind`: `function`,
        /// `method`, `closure`, `initializer`.
        Function = "Function",
        /// A field of a struct, or an attribute of a class or its instances. `kind`: `field`, `attribute`, `class_attribute`.
        Field = "Field",
        /// A variable, one node for each definition (a parameter, an assignment), so that what is overwritten flows no further. `kind`: `local`, `parameter`, `receiver`,
        /// `result`, `global`, `constant`, `captured`, `element` (a part of a container, or a field of one object), `value` (the unnamed result of a call),
        /// `decision` (what a function decides by, where that has no name of its own), `failure` (whether a function raises, or gives back an error).
        Variable = "Variable",
        /// A wire name: what an API field is called outside (a JSON tag, a dict key, a form or query parameter). One node
        /// per name, shared by all languages: this is where a Go client and a Python reader meet.
        Key = "Key",
        /// What the code names but the index does not hold. `kind`: `library`, `builtin`, or `unresolved`, with the reason in
        /// `doc`.
        External = "External",
    }
}

declare! {
    /// The language a node was written in.
    pub enum Language {
        /// Go.
        Go = "go",
        /// Python 3.
        Python = "python",
        /// Shared by all languages (wire keys).
        Any = "any",
    }
}

/// A node: the same properties for every label. Empty text means "does not apply".
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Stable id, see [`NodeId`].
    pub id: NodeId,
    /// The label.
    pub label: NodeKind,
    /// Short name: `total`.
    pub name: String,
    /// Dotted path from the package down: `shop.bill.bill.total`; Go: `example.com/shop/api.Server.Create.req`.
    pub qualified_name: String,
    /// Finer kind within the label, listed in the label's documentation.
    pub kind: &'static str,
    /// Language of the source.
    pub language: Language,
    /// Where it is declared; `None` for what the index does not hold.
    pub site: Option<Site>,
    /// Last line of its declaration; 0 if it has no site.
    pub end_line: u32,
    /// How it is declared, on one line: `func (s *Server) Create(w http.ResponseWriter, r *http.Request)`.
    pub signature: String,
    /// Its documentation comment, cut to [`Node::DOC_LIMIT`] bytes.
    pub doc: String,
    /// Its declared or inferred type, as text.
    pub type_text: String,
    /// Visible outside its package (Go: upper case; Python: no leading underscore).
    pub exported: bool,
    /// Declared in test code.
    pub test: bool,
    /// A variable or field that holds containers or objects: what comes to it from elsewhere than from such is put into it.
    pub whole: bool,
    /// Tags given by rules in `ripple.toml`, separated by blanks.
    pub tags: String,
}

impl Node {
    /// Longest documentation text that is kept, in bytes.
    pub const DOC_LIMIT: usize = 2000;
}

/// A property of every node, with its type in the database.
pub struct Property {
    /// Name in Cypher.
    pub name: &'static str,
    /// Type in the database.
    pub kind: &'static str,
    /// Meaning.
    pub doc: &'static str,
}

const fn property(name: &'static str, kind: &'static str, doc: &'static str) -> Property {
    Property { name, kind, doc }
}

/// The properties of every node, in the order of the database's columns.
pub const PROPERTIES: &[Property] = &[
    property("id", "INT64", "stable id, the primary key"),
    property("name", "STRING", "short name"),
    property("qualified_name", "STRING", "dotted path from the package down"),
    property("kind", "STRING", "finer kind within the label"),
    property("language", "STRING", "`go`, `python`, or `any`"),
    property(
        "file",
        "STRING",
        "path of the file that declares it, empty if the index does not hold it",
    ),
    property("line", "INT64", "line of its declaration, from 1; 0 if it has none"),
    property(
        "col",
        "INT64",
        "column of its name in bytes, from 1; 0 if it has none (`column` is a reserved word of the database)",
    ),
    property("end_line", "INT64", "last line of its declaration"),
    property("signature", "STRING", "its declaration on one line"),
    property(
        "doc",
        "STRING",
        "documentation comment; for an unresolved External the reason",
    ),
    property("type", "STRING", "declared or inferred type, as text"),
    property("exported", "BOOLEAN", "visible outside its package"),
    property("test", "BOOLEAN", "declared in test code"),
    property(
        "whole",
        "BOOLEAN",
        "of a variable or field: it holds containers or objects, so that parts come out of it",
    ),
    property("tags", "STRING", "tags from `ripple.toml`, separated by blanks"),
];
