//! Names at file level: where functions use and assign them, and where the body of the file reads them.
//!
//! ```python
//! LIMIT = 10
//! PAGES = range(LIMIT)              # a read by the body of the file
//! def first(): return LIMIT         # a use in a function
//! def widen(): global LIMIT; LIMIT = 20
//! ```

use serde::{Deserialize, Serialize};

use super::order::Point;
use super::{FunctionId, Name, PlaceId, Position};

/// Use of a name that is bound at file level, in another file of the package, by a star import, or by the language.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct NameUse {
    /// The name.
    pub name: Name,
    /// Where its value goes.
    pub to: PlaceId,
    /// In this function.
    pub function: FunctionId,
    /// First use in this function.
    pub position: Position,
    /// When, if functions assign the name: then each use is one of its own.
    pub point: Option<Point>,
}

/// Assignment to a file-level name.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct NameStore {
    /// The name.
    pub name: Name,
    /// What is assigned; none for a literal.
    pub from: Option<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// Where the name stands.
    pub position: Position,
    /// When.
    pub point: Point,
    /// Its address is taken, and it is written through that, if at all.
    pub by_address: bool,
}

/// Read of a value where it lies: of a file-level name by the body of the file, of a class's by the body of the class, and of what a function or
/// class imports by the import.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct BodyRead {
    /// Where the value is.
    pub from: PlaceId,
    /// The body.
    pub function: FunctionId,
    /// First use.
    pub position: Position,
}
