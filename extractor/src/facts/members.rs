//! What class bodies do besides declaring methods and fields: members that get values, members that other functions made, bases that are handed in.
//!
//! ```python
//! class Shop(base):                      # whatever class `base` is
//!     make = build                       # a member gets a value
//!     total = property(read_total)       # and one holds what another function made
//! ```

use serde::{Deserialize, Serialize};

use super::{Binding, FunctionId, Name, PlaceId, Position, TypeId};

/// A member of a type of this file gets a value where the type is declared (class bodies).
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct MemberValue {
    /// The type.
    pub owner: TypeId,
    /// The member.
    pub member: Name,
    /// What it holds.
    pub from: PlaceId,
    /// Where.
    pub position: Position,
}

/// How a member binds that holds what another function made: `label = property(read, write)`, a class method that is decorated besides.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct MemberBinding {
    /// The class.
    pub owner: TypeId,
    /// The member.
    pub name: Name,
    /// How it binds.
    pub binding: Binding,
    /// The methods, or functions of the file, that write it and take it away.
    pub writers: [Option<Name>; 2],
}

/// A function of which a call makes a property, wherever that goes: `return property(get, put)`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct PropertyMade {
    /// What reads it.
    pub getter: FunctionId,
    /// What writes it, and what takes it away.
    pub writers: [Option<PlaceId>; 2],
}

/// A class with a base that callers hand in: `class Shop(base)`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct BaseGiven {
    /// The class.
    pub class: TypeId,
    /// What it derives from.
    pub base: PlaceId,
}
