//! Reads and writes of what values are made of: members, and parts of containers.
//!
//! `cart["net"] = order.net` is a [`Load`] of `net` from `order`, and an [`ElementStore`] under the key `net` into `cart`.

use serde::{Deserialize, Serialize};

use super::order::Point;
use super::{FunctionId, Name, PlaceId, Position, TypeId};

/// Read of a member.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Load {
    /// Whose member.
    pub base: PlaceId,
    /// Its name; with a `*` in it, any name that fits.
    pub member: Name,
    /// Where the value goes.
    pub to: PlaceId,
    /// In this function.
    pub function: FunctionId,
    /// Where the member's name stands.
    pub position: Position,
    /// `super()`: search the method resolution order after this class only.
    pub after: Option<TypeId>,
    /// Made by the language, not written: says nothing when the member is not there.
    pub implicit: bool,
    /// What this function wrote there before is what is read: it flows to `to` by itself.
    pub known: bool,
    /// When it happens.
    pub point: Point,
}

/// Write of a member.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Store {
    /// Whose member.
    pub base: PlaceId,
    /// Its name.
    pub member: Name,
    /// What is written; none for a literal.
    pub from: Option<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// Where the member's name stands.
    pub position: Position,
    /// Made by the language, not written: the address of the member was taken.
    pub implicit: bool,
    /// Past what the class answers for: `object.__setattr__(x, "name", value)`.
    pub is_direct: bool,
    /// The member is taken away: `del order.note`.
    pub deletes: bool,
    /// When it happens.
    pub point: Point,
}

/// What a loop over pairs gives where a test says of which key: the part of the table under that key, as far as it is a container.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ChosenByKey {
    /// What it is there.
    pub chosen: PlaceId,
    /// The table.
    pub table: PlaceId,
    /// What the loop gave.
    pub value: PlaceId,
    /// Where the test is.
    pub position: Position,
}

/// Containers that the languages bring along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ContainerKind {
    /// `dict`, Go's map.
    Map,
    /// `list`, Go's slice and array.
    List,
    /// `tuple`.
    Tuple,
    /// `set`.
    Set,
    /// What a generator yields.
    Generator,
    /// A channel.
    Channel,
    /// A row of a table: its parts have names, and what goes over it or asks for a position gets what is under one of them.
    Row,
    /// Rows by position, columns by name: what a table is written out as.
    Table,
}

impl ContainerKind {
    /// Whether its parts stand under names, of which others may be told.
    pub fn has_names(self) -> bool {
        matches!(self, Self::Map | Self::Row | Self::Table)
    }
}

/// Which part of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ElementKey {
    /// A constant text.
    Text(Name),
    /// A constant text, of what is no table: a table gives its columns by itself.
    Column(Name),
    /// A constant position.
    Index(u32),
    /// A constant position from the end; 1 is the last.
    Back(u32),
    /// Not known.
    Any,
    /// Of a table the rows for which a test holds, which are a table themselves and no part of it; of anything else as `Any`.
    Rows,
    /// What iteration gives.
    Each,
    /// What iteration gives at first.
    First,
    /// What iteration gives that waits for each item.
    Awaited,
    /// The keys of a map, not its values.
    Keys,
    /// What a pointer points at.
    Target,
    /// What a generator returns at its end.
    Returned,
    /// At this position or a later one: what a generator gives after so many steps.
    From(u32),
    /// What is sent into a generator as the step of this number is asked for; under 0 where that is not known.
    Sent(u32),
    /// What is sent at this step or a later one.
    SentFrom(u32),
    /// What is thrown into a generator.
    Thrown,
    /// What a pattern for a class takes at a position.
    Matched(u32),
}

/// Read of a container's part.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ElementLoad {
    /// The container.
    pub base: PlaceId,
    /// Which part.
    pub key: ElementKey,
    /// Where the value goes.
    pub to: PlaceId,
    /// What it is asked for, where that is computed.
    pub index: Option<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// The expression.
    pub position: Position,
    /// As for [`Load::known`].
    pub known: bool,
    /// When it happens.
    pub point: Point,
}

/// The columns that an expression in a text names.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ColumnsNamed {
    /// Those that it reads.
    pub reads: Vec<Name>,
    /// What it calls the outcome.
    pub makes: Option<Name>,
}

/// Write of a container's part.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ElementStore {
    /// The container.
    pub base: PlaceId,
    /// Which part.
    pub key: ElementKey,
    /// What is written.
    pub from: PlaceId,
    /// Where it is put, where that is computed.
    pub index: Option<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// The expression.
    pub position: Position,
    /// When it happens.
    pub point: Point,
}

/// A part of a container is taken out, or all of them are: `del row["k"]`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Drop {
    /// The container.
    pub base: PlaceId,
    /// Which part; none for all.
    pub key: Option<ElementKey>,
    /// What it is asked for, where that is computed.
    pub index: Option<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// The expression.
    pub position: Position,
    /// When it happens.
    pub point: Point,
}

/// The parts of one container become parts of another: `{**row}`, `[first, *rest]`, `first, *rest = row`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PartCopy {
    /// Whose parts.
    pub from: PlaceId,
    /// Into which container.
    pub to: PlaceId,
    /// How far positions move.
    pub shift: i32,
    /// Keys that stay out: written over by what follows.
    pub except: Vec<Name>,
    /// Positions from this one on stay out.
    pub stop: Option<u32>,
    /// They keep their keys, whatever both containers are: `for k, v := range row { out[k] = v }`.
    /// Where each is on its way.
    pub by_key: Option<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// The expression.
    pub position: Position,
    /// When it happens.
    pub point: Point,
}

/// A list or channel is changed at one of its ends.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct EndChange {
    /// The list or channel.
    pub base: PlaceId,
    /// What is done.
    pub change: AtEnd,
    /// In this function.
    pub function: FunctionId,
    /// When it happens.
    pub point: Point,
}

/// What is done at an end of a list or channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AtEnd {
    /// This is put behind the last part, as an [`ElementStore`] at the same time.
    Append(PlaceId),
    /// All parts of what is here are put behind the last part, in order.
    Extend(PlaceId),
    /// The first part is taken out, which an [`ElementLoad`] gave to this place.
    Receive(PlaceId),
    /// The first part is cut off.
    CutFirst,
    /// The last part is cut off.
    CutLast,
    /// All parts are.
    CutAll,
    /// Nothing is done: control comes here where there are no parts.
    Empty,
}
