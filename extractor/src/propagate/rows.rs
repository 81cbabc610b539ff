//! What facts become in the engine: rows in the program's numbers, each with where and when it happens.
//!
//! `cart.net` in a function that was lowered once is a [`LoadRow`] from the place of `cart` to the place of the expression; calls that
//! the engine makes itself (special methods, callbacks of libraries) are rows like those that stand in the source.

use ripple_schema::How;

use super::object::ObjectId;
use crate::facts::order::Point;
use crate::facts::{ArgumentKind, Constant, Position};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};

/// Where and when something happens.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowSite {
    pub file: FileIndex,
    pub function: FunctionIndex,
    pub position: Position,
    pub point: Point,
    /// As for [`ElementRow::silent`].
    pub silent: bool,
}

/// A [`facts::Load`] in the program's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadRow {
    pub base: PlaceIndex,
    pub member: Symbol,
    pub to: PlaceIndex,
    pub file: FileIndex,
    pub function: FunctionIndex,
    pub position: Position,
    pub after: Option<TypeIndex>,
    pub implicit: bool,
    /// What the function wrote there before flows to `to` by itself.
    pub known: bool,
    /// Asked of instances of this class alone.
    pub only: Option<TypeIndex>,
    /// Asked of those alone that have no member of these names, which go before.
    pub without: [Option<Symbol>; 2],
    /// As for [`ElementRow::silent`].
    pub silent: bool,
    /// When it happens.
    pub point: Point,
}

impl LoadRow {
    pub(super) fn at(&self) -> RowSite {
        RowSite {
            file: self.file,
            function: self.function,
            position: self.position,
            point: self.point,
            silent: self.silent,
        }
    }

    /// A load that the language makes, not written.
    pub(super) fn implicit(base: PlaceIndex, member: Symbol, to: PlaceIndex, at: RowSite) -> Self {
        Self {
            base,
            member,
            to,
            file: at.file,
            function: at.function,
            position: at.position,
            after: None,
            implicit: true,
            known: false,
            only: None,
            without: [None; 2],
            silent: at.silent,
            point: at.point,
        }
    }
}

/// A [`facts::Store`] in the program's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoreRow {
    pub base: PlaceIndex,
    pub member: Symbol,
    pub from: Option<PlaceIndex>,
    pub file: FileIndex,
    pub function: FunctionIndex,
    pub position: Position,
    /// Made by the language, not written.
    pub implicit: bool,
    /// Past what the class answers for.
    pub is_direct: bool,
    /// The member is taken away.
    pub deletes: bool,
    /// When it happens.
    pub point: Point,
}

impl StoreRow {
    /// A store that the language makes, not written.
    pub(super) fn implicit(base: PlaceIndex, member: Symbol, from: PlaceIndex, at: RowSite) -> Self {
        Self {
            base,
            member,
            from: Some(from),
            file: at.file,
            function: at.function,
            position: at.position,
            implicit: true,
            is_direct: false,
            deletes: false,
            point: at.point,
        }
    }

    pub(super) fn at(&self) -> RowSite {
        RowSite {
            file: self.file,
            function: self.function,
            position: self.position,
            point: self.point,
            silent: false,
        }
    }
}

/// An element load or store in the program's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementRow {
    pub base: PlaceIndex,
    pub key: RowKey,
    /// Where the value goes, or comes from.
    pub value: PlaceIndex,
    /// What it is asked for, or where it is put, where that is computed.
    pub index: Option<PlaceIndex>,
    pub file: FileIndex,
    pub function: FunctionIndex,
    pub position: Position,
    /// Made by a library call.
    pub library: bool,
    /// What the base is to that call.
    pub of: RowBase,
    /// As for [`LoadRow::known`].
    pub known: bool,
    /// Carries objects only: the data is told by another edge.
    pub silent: bool,
    /// When it happens.
    pub point: Point,
}

impl ElementRow {
    /// A row that stands in no source by itself.
    pub(super) fn made((base, key, value): (PlaceIndex, RowKey, PlaceIndex), of: RowBase, at: RowSite) -> Self {
        Self {
            base,
            key,
            value,
            index: None,
            file: at.file,
            function: at.function,
            position: at.position,
            library: of == RowBase::Result,
            of,
            known: false,
            silent: at.silent,
            point: at.point,
        }
    }

    pub(super) fn at(&self) -> RowSite {
        RowSite {
            file: self.file,
            function: self.function,
            position: self.position,
            point: self.point,
            silent: self.silent,
        }
    }
}

/// What the base of an element access is to the library call that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowBase {
    /// No more than an argument.
    Plain,
    /// The receiver, and the method that is called: a class of the index that has it itself answers for itself.
    Receiver(Symbol),
    /// The value of the call: what is in it by another target of the call is not the library's.
    Result,
    /// An argument that library code looks into: the containers alone.
    Argument,
    /// Not of a call: an attribute of records, and of nothing else that may be there.
    Record,
    /// Not of a call: rows of what may be a table, which gives them otherwise.
    Rows,
}

/// A [`ElementKey`] in the program's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum RowKey {
    Text(Symbol),
    Index(u32),
    Back(u32),
    Any,
    Each,
    /// What an iterator gives: as `Each`, but `__iter__` was called already.
    Next,
    /// What iteration gives that waits for each item, and what such an iterator gives.
    Awaited,
    AwaitedNext,
    /// What an iterator gives at first.
    First,
    /// What a generator gives after so many steps, if it is the one that the call made which these were counted from.
    Step(u32),
    /// At this position or a later one, of the same.
    From(u32),
    Keys,
    Target,
    Returned,
    Sent(u32),
    SentFrom(u32),
    Thrown,
    Matched(u32),
    /// At this position when it is read; nothing is known of where it was put.
    At(u32),
    /// No part: how many there are.
    Size,
    /// No part: where they are.
    Places,
    /// No part: all behind one of them move up or down.
    Shifted,
}

impl RowKey {
    /// The same, where it is not known which generator it is whose steps were counted.
    pub(super) fn of_any(self) -> Self {
        match self {
            Self::Step(_) => Self::Next,
            Self::At(_) => Self::Any,
            Self::Sent(_) | Self::SentFrom(_) => Self::Sent(0),
            key => key,
        }
    }

    /// Whether it is what iteration gives.
    pub(super) fn is_iteration(self) -> bool {
        matches!(
            self,
            Self::Each
                | Self::Next
                | Self::First
                | Self::Step(_)
                | Self::From(_)
                | Self::Awaited
                | Self::AwaitedNext
                | Self::Keys
        )
    }
}

/// A [`facts::Call`] in the program's numbers.
#[derive(Debug, Clone)]
pub(super) struct CallRow {
    pub callee: PlaceIndex,
    pub text: Symbol,
    pub receiver: Option<PlaceIndex>,
    pub arguments: (u32, u32),
    pub results: (u32, u32),
    pub file: FileIndex,
    pub function: FunctionIndex,
    pub position: Position,
    pub how: How,
    pub targets: Vec<Target>,
    /// Who catches what it raises.
    pub guard: Option<u32>,
    /// As for [`ElementRow::silent`].
    pub silent: bool,
    /// The call of the function itself, of which this is a caller's own copy.
    pub copy_of: Option<u32>,
    /// When it happens.
    pub point: Point,
}

impl CallRow {
    /// What it calls, each function once however many receivers it has there.
    pub(super) fn entries(&self) -> impl Iterator<Item = Target> {
        let targets = self.targets.iter().enumerate();
        let is_first =
            |index: usize, target: &Target| !self.targets[..index].iter().any(|other| other.is_entered_as(*target));
        targets
            .filter(move |(index, target)| is_first(*index, target))
            .map(|(_, target)| *target)
    }

    pub(super) fn at(&self) -> RowSite {
        RowSite {
            file: self.file,
            function: self.function,
            position: self.position,
            point: self.point,
            silent: self.silent,
        }
    }
}

/// A [`facts::Argument`] in the program's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArgumentRow {
    pub kind: ArgumentKind,
    pub name: Option<Symbol>,
    pub place: Option<PlaceIndex>,
    pub text: Option<Symbol>,
    pub constant: Option<Constant<Symbol>>,
    pub position: Position,
}

impl ArgumentRow {
    /// An argument that nobody names.
    pub(super) fn positional(place: Option<PlaceIndex>, position: Position) -> Self {
        Self {
            kind: ArgumentKind::Positional,
            name: None,
            place,
            text: None,
            constant: None,
            position,
        }
    }
}

/// What a call calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A function or method; with the receiver it is bound to, and the place that held it.
    Function {
        function: FunctionIndex,
        receiver: Option<ObjectId>,
        base: Option<PlaceIndex>,
    },
    /// The constructor of a class.
    Constructor { function: FunctionIndex, class: TypeIndex },
    /// A class without a constructor in the index.
    Class(TypeIndex),
    /// A Go type: a conversion, not a call.
    Conversion(TypeIndex),
    /// Library code.
    External(Symbol),
    /// A function value of which nothing but the type is known.
    Opaque,
    /// Another row at the same site calls it: what a partial application holds.
    Elsewhere,
}

impl Target {
    /// Whether two targets of a call are one function that is entered in the same way, for whatever receiver.
    pub(super) fn is_entered_as(self, other: Self) -> bool {
        match (self, other) {
            (
                Self::Function {
                    function,
                    receiver: Some(_),
                    base,
                },
                Self::Function {
                    function: own,
                    receiver: Some(_),
                    base: at,
                },
            ) => (function, base) == (own, at),
            _ => self == other,
        }
    }
}
