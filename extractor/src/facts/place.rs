//! Places: what can hold a value.
//!
//! `def total(order): net = order.net; return net` has the places `order` (a parameter), `net` (a local variable), the result, and an
//! unnamed one, the value of `order.net`.

use serde::{Deserialize, Serialize};

use super::{FunctionId, Name, Position};

/// What a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PlaceKind {
    /// A local variable.
    Local,
    /// A parameter.
    Parameter,
    /// The receiver (`self`, Go's receiver).
    Receiver,
    /// A function's result.
    Result,
    /// A file-level variable.
    Global,
    /// A constant.
    Constant,
    /// An outer function's variable, as an inner function sees it.
    Captured,
    /// The value of a call.
    CallValue,
    /// The value of another expression.
    Value,
    /// A name bound to a function, class or import.
    Binding,
    /// What a function decides by, where that has no name.
    Decision,
    /// Whether a function fails: it raises, or gives back an error.
    Failure,
}

/// A place.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// Its name; empty for values.
    pub name: Name,
    /// The function it belongs to.
    pub function: FunctionId,
    /// Where it is defined first.
    pub position: Position,
    /// In a loop, or in a comprehension.
    pub repeated: bool,
}
