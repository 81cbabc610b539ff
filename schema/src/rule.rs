//! Resolver rules: why an edge is there, and how far to trust it.
//!
//! The confidence of a rule is the share of its edges that hold, as people read them in real packages. Until enough of a rule have been read its figure
//! is an estimate, and [`Rule::measured`] is false: the reference page shows which is which.

use crate::declare::declare;

declare! {
    /// The rule that made an edge.
    pub enum Rule {
        /// Written so in the source: containment, a declared base, an import, an assignment, a `return`.
        Syntax = "syntax",
        /// The name is bound in an enclosing scope, in the package, or by an import.
        Scope = "scope",
        /// The member belongs to the type that the receiver is declared with.
        DeclaredType = "declared-type",
        /// The receiver is `self` or `cls`; the member was found along the method resolution order.
        SelfMember = "self-member",
        /// A subclass takes the place of the member found on `self`.
        SelfOverride = "self-override",
        /// The value that reaches the expression was followed to where it is made.
        Propagated = "propagated",
        /// Any type in the index that implements the interface.
        Hierarchy = "hierarchy",
        /// The only member of that name in the index; the receiver is unknown.
        UniqueName = "unique-name",
        /// The element of a container made in the index, by constant key or index.
        ConstantKey = "constant-key",
        /// Some element of a container made in the index, or some member of a value, of those whose names fit; which one is not known.
        AnyElement = "any-element",
        /// A member or element of a value whose contents are not known: the whole stands for its parts.
        UnknownContents = "unknown-contents",
        /// By its name on the wire: the value's origin is not in the index.
        WireName = "wire-name",
        /// The field has this tag, or its default wire name.
        FieldTag = "field-tag",
        /// The library table says what the callee does with its arguments.
        LibraryTable = "library-table",
        /// The library callee is not in the table: its arguments are taken to reach its result.
        UnknownLibrary = "unknown-library",
        /// The callee is not known: its arguments are taken to reach its result.
        UnknownCallee = "unknown-callee",
        /// The callee in the index carries the argument to the result along its own flows.
        Summary = "summary",
        /// Method sets compared: every method of the interface is there.
        MethodSet = "method-set",
        /// The callee is in a package that is not indexed.
        Library = "library",
        /// The callee is built into the language.
        Builtin = "builtin",
        /// A function of the index is handed to library code, which may call it: the call stands where it is handed over.
        HandedToLibrary = "handed-to-library",
        /// Handed to library code that the table does not tell of, and which may do more than give it back: call it or its methods, or put it into
        /// what it is given beside (a container, an object, what the library keeps).
        IntoLibrary = "into-library",
        /// Counted in the history that git keeps.
        History = "history",
        /// Not resolved: nothing is known of the value whose member is called.
        UnresolvedReceiver = "unresolved-receiver",
        /// Not resolved: the receiver's type is known and has no such member in the index.
        UnresolvedMember = "unresolved-member",
        /// Not resolved: the name is not bound anywhere that the index can see.
        UnresolvedName = "unresolved-name",
        /// Not resolved: the callee is computed (an element, a call's result) and nothing is known of it.
        UnresolvedValue = "unresolved-value",
        /// Not resolved: the language asks a value of which nothing is known for a special method (an operator, a conversion) that a class of the
        /// index has. Told once for each function and method.
        UnresolvedSpecial = "unresolved-special",
        /// Not resolved whole: more could be called here, or hold what is put here, than a budget of the engine lets be followed; what was left out
        /// is meant.
        OverBudget = "over-budget",
    }
}

impl Rule {
    /// The share of this rule's edges that hold, 0 to 1: of those of real packages that were read (`tests/accuracy/rules`), or an estimate where too
    /// few have been.
    pub const fn confidence(self) -> f64 {
        match self {
            Self::Scope | Self::SelfMember | Self::WireName | Self::FieldTag | Self::MethodSet => 1.0,
            Self::DeclaredType | Self::Builtin => 0.97,
            Self::Syntax | Self::IntoLibrary | Self::SelfOverride | Self::Hierarchy => 0.92,
            Self::Summary => 0.88,
            Self::AnyElement | Self::Library => 0.85,
            Self::Propagated | Self::ConstantKey => 0.84,
            Self::UnknownContents => 0.83,
            Self::LibraryTable => 0.75,
            Self::UnknownLibrary => 0.68,
            Self::HandedToLibrary => 0.63,
            Self::UnknownCallee => 0.57,
            Self::UniqueName | Self::History => 0.5,
            Self::UnresolvedReceiver
            | Self::UnresolvedMember
            | Self::UnresolvedName
            | Self::UnresolvedValue
            | Self::UnresolvedSpecial
            | Self::OverBudget => 0.0,
        }
    }

    /// Whether the confidence was measured, or is an estimate so far.
    pub const fn measured(self) -> bool {
        !matches!(self, Self::UniqueName | Self::IntoLibrary | Self::History) && !self.is_unresolved()
    }

    /// Whether the rule stands for a call that could not be resolved.
    pub const fn is_unresolved(self) -> bool {
        matches!(
            self,
            Self::UnresolvedReceiver
                | Self::UnresolvedMember
                | Self::UnresolvedName
                | Self::UnresolvedValue
                | Self::UnresolvedSpecial
                | Self::OverBudget
        )
    }
}
