//! Edge kinds (the database's relationship tables), their endpoints, and the one shape that all edges share.
//!
//! `label = trim(name)` on line 3 of `a.py`, where `trim` is in the index, is three edges from line 3: `CALLS` to `trim`,
//! `name -PASSES_TO-> trim.s`, `trim.result -RETURNS_TO-> label`; and if `trim` hands `s` on to its result, a fourth:
//! `name -SUMMARIZES-> label`.

use crate::declare::declare;
use crate::{NodeId, NodeKind, Rule, Site};

declare! {
    /// The label of an edge.
    pub enum EdgeKind {
        /// From the whole to its part: package to file, file to type and function, type to field and method, function to variable.
        Contains = "CONTAINS",
        /// A file imports a package.
        Imports = "IMPORTS",
        /// A variable or field is declared with, or was found to hold, an instance of a type.
        HasType = "HAS_TYPE",
        /// A class names a base class.
        Inherits = "INHERITS",
        /// A Go struct or interface embeds a type.
        Embeds = "EMBEDS",
        /// A type has every method of an interface (Go), or subclasses a `Protocol` or abstract class (Python).
        Implements = "IMPLEMENTS",
        /// A method takes the place of a base class's method, or is what an interface's method stands for.
        Overrides = "OVERRIDES",
        /// A function calls a function; a class without a constructor of its own is called itself. To `External` when the
        /// callee is not in the index; the `rule` then says why.
        Calls = "CALLS",
        /// A call calls a function through another one, which `CALLS` it because this call, or what made that one, handed it over: what a decorator or a
        /// middleware wraps, and a callback. To a class or type, it makes a value of it where
        /// no constructor of its own says so: by one that it inherits, or by a literal, `new` or `make` of Go.
        CallsThrough = "CALLS_THROUGH",
        /// A function reads a field or global; an `External`, if it reads something that is called as fields are, of an object of which nobody knows
        /// what it is.
        Reads = "READS",
        /// A function writes a field or global. Where `how` is `put` it changes what is in it, where it is `implicit` it writes it through its
        /// address, or with the whole that it is a part of. Of unknown objects as `READS`.
        Writes = "WRITES",
        /// A field is called by this key on the wire.
        SerializedAs = "SERIALIZED_AS",
        /// A function names a wire key.
        UsesKey = "USES_KEY",
        /// Data moves inside a function, or through a field, global, capture, channel or element; `how` says which.
        FlowsTo = "FLOWS_TO",
        /// A call's argument becomes the callee's parameter, receiver included. In a function that was handed the callee, what the callee gave
        /// goes on in the same way: inside, and out again only at the calls that handed it over.
        PassesTo = "PASSES_TO",
        /// The callee's result becomes the value of the call; of a callee that was handed over, also the value of the call that did so.
        ReturnsTo = "RETURNS_TO",
        /// An argument becomes (part of) the value of the call, or of another argument, because the callee carries it there.
        Summarizes = "SUMMARIZES",
        /// A part of the source comes to the target: what is read from a container by key, position or loop, or from an object by the name of a field.
        /// Where the part itself is known it also has a flow of its own; this one is for whoever starts from the whole.
        UnpacksTo = "UNPACKS_TO",
        /// The source becomes a part of the target, a container. What is read from that later by its key has a flow of its own; this one tells
        /// which wholes hold the value: at some time, or (`how: "held"`) just when the whole is made, or handed to the parameter that is the target.
        PacksInto = "PACKS_INTO",
        /// A file changed in the same commits as another. It has no site: `line` is the number of commits with both (the support), `col` that
        /// of commits with the first, so that `line / col` is the share of the first's changes that the other had a part in.
        CoChanged = "CO_CHANGED",
    }
}

declare! {
    /// The way data takes along an edge, or the way a callee is called.
    pub enum How {
        /// Assignment, or part of an expression that is assigned.
        Assign = "assign",
        /// Result of a comparison, a test, or a lookup by it: it depends on the value, and is not the value.
        Test = "test",
        /// Read of a field.
        Load = "load",
        /// Write of a field.
        Store = "store",
        /// Read of a container's element.
        Element = "element",
        /// Write of a container's element.
        Put = "put",
        /// Put into a container that has no keys: a list, a set, what a generator gives.
        Add = "add",
        /// What lies in a container goes into another, under the keys that it has there: `{**row}`, `row.copy()`, `table.merge(other)`.
        Copy = "copy",
        /// It lies in a container just when that is made, or when a call hands it on.
        Held = "held",
        /// A closure sees an outer variable.
        Capture = "capture",
        /// A global is read or written in another function.
        Global = "global",
        /// Send or receive on a channel.
        Channel = "channel",
        /// Read by its wire name, or decoded from the wire.
        Decode = "decode",
        /// Written under its wire name, or encoded to the wire.
        Encode = "encode",
        /// A function, method or class used as a value.
        Reference = "reference",
        /// `return`, or `yield`.
        Return = "return",
        /// Raised or panicked, and caught.
        Raise = "raise",
        /// Default of a parameter.
        Default = "default",
        /// Argument by position.
        Positional = "positional",
        /// Argument by keyword.
        Keyword = "keyword",
        /// Argument gathered into, or spread from, a variadic parameter.
        Variadic = "variadic",
        /// The receiver of a method call.
        Receiver = "receiver",
        /// Call of a function by name.
        Direct = "direct",
        /// Call of a method.
        Method = "method",
        /// Call of a class.
        Constructor = "constructor",
        /// Call of a function held in a variable, field or element.
        Dynamic = "dynamic",
        /// Call of a function that was handed over, by the caller or by what made the calling function: `CALLS_THROUGH` leads there from each of
        /// those.
        Handed = "handed",
        /// Call by `defer`.
        Defer = "defer",
        /// Call by `go`.
        Go = "go",
        /// Call that applies a decorator.
        Decorator = "decorator",
        /// Call that the language makes by itself (operators, iteration, context managers, properties).
        Implicit = "implicit",
        /// Call by a library function that was handed a callback.
        Callback = "callback",
        /// Nothing to add.
        None = "",
    }
}

impl How {
    /// Whether what goes this way becomes a part of what it comes to.
    pub fn is_put(self) -> bool {
        self.keeps_keys() || matches!(self, Self::Put | Self::Decode | Self::Encode)
    }

    /// Whether what lies in that under keys has these in what it comes to, too: it is put beside others, or copied.
    pub fn keeps_keys(self) -> bool {
        matches!(self, Self::Add | Self::Copy)
    }
}

/// An edge: the same properties for every kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The label.
    pub kind: EdgeKind,
    /// Start.
    pub from: NodeId,
    /// End.
    pub to: NodeId,
    /// The expression that makes it.
    pub site: Site,
    /// The rule that made it.
    pub rule: Rule,
    /// The way it takes.
    pub how: How,
}

impl EdgeKind {
    /// Which labels it may join, as the database's `FROM … TO …` pairs.
    pub fn endpoints(self) -> Vec<(NodeKind, NodeKind)> {
        use NodeKind::{External, Field, File, Function, Key, Package, Type, Variable};
        let pairs = |from: &[NodeKind], to: &[NodeKind]| -> Vec<(NodeKind, NodeKind)> {
            from.iter()
                .flat_map(|from| to.iter().map(move |to| (*from, *to)))
                .collect()
        };
        let join = |parts: &[Vec<(NodeKind, NodeKind)>]| parts.concat();
        match self {
            Self::Contains => join(&[
                pairs(&[Package], &[Package, File]),
                pairs(&[File], &[Type, Function, Variable]),
                pairs(&[Type], &[Type, Function, Field]),
                pairs(&[Function], &[Type, Function, Variable]),
            ]),
            Self::Imports => pairs(&[File], &[Package, External]),
            Self::HasType => pairs(&[Variable, Field], &[Type, External]),
            Self::Inherits | Self::Embeds | Self::Implements => pairs(&[Type], &[Type, External]),
            Self::Overrides => pairs(&[Function], &[Function]),
            Self::CallsThrough => pairs(&[Function], &[Function, Type]),
            Self::Calls => pairs(&[Function], &[Function, Type, External]),
            Self::Reads | Self::Writes => pairs(&[Function], &[Field, Variable, External]),
            Self::SerializedAs => pairs(&[Field], &[Key]),
            Self::CoChanged => pairs(&[File], &[File]),
            Self::UsesKey => pairs(&[Function], &[Key]),
            Self::FlowsTo => join(&[
                pairs(&[Variable], &[Variable, Field, Key]),
                pairs(&[Field], &[Variable, Field, Key]),
                pairs(&[Key, Function, Type], &[Variable, Field, Key]),
                pairs(&[Variable, Field, Key, Function, Type], &[External]),
                pairs(&[External], &[Variable, Field, Key, External]),
            ]),
            Self::PassesTo => pairs(&[Variable, Field, Key, Function, Type, External], &[Variable, External]),
            Self::ReturnsTo => pairs(&[Variable, External], &[Variable, Field]),
            Self::Summarizes => pairs(&[Variable, Field, Key, Function, Type, External], &[Variable, Field]),
            Self::PacksInto => pairs(&[Variable, Field, Key, Function, Type], &[Variable, Field]),
            Self::UnpacksTo => pairs(&[Variable, Field], &[Variable, Field, External]),
        }
    }
}

/// The properties of every edge, in the order of the database's columns.
pub const PROPERTIES: &[crate::node::Property] = &[
    crate::node::Property {
        name: "file",
        kind: "STRING",
        doc: "path of the file whose expression makes the edge",
    },
    crate::node::Property {
        name: "line",
        kind: "INT64",
        doc: "line of that expression, from 1",
    },
    crate::node::Property {
        name: "col",
        kind: "INT64",
        doc: "column of that expression in bytes, from 1",
    },
    crate::node::Property {
        name: "rule",
        kind: "STRING",
        doc: "the resolver rule that made the edge",
    },
    crate::node::Property {
        name: "confidence",
        kind: "DOUBLE",
        doc: "the rule's confidence, 0 to 1",
    },
    crate::node::Property {
        name: "how",
        kind: "STRING",
        doc: "the way the data takes, or the way the callee is called",
    },
];
