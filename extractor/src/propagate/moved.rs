//! Parts of containers that are moved: put into another container, or taken out.

use ripple_schema::How;

use super::library::{End, EndPart};
use super::object::{Object, ObjectId};
use super::solve::{ElementRow, RowBase, RowKey, RowSite, Solver};
use crate::facts::order::Point;
use crate::facts::{AtEnd, ContainerKind, Position};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol};

/// The last position that parts are told apart by which came from another container.
const POSITION_LIMIT: u32 = 16;

/// A [`crate::facts::Drop`] in the program's numbers, or what library code takes out.
#[derive(Debug, Clone, Copy)]
pub(super) struct DropRow {
    pub base: PlaceIndex,
    /// Which part; none for all.
    pub part: Option<Part>,
    pub at: RowSite,
    /// The call that does it.
    pub call: Option<u32>,
}

/// A [`crate::facts::EndChange`] in the program's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndRow {
    pub base: PlaceIndex,
    pub change: AtEnd,
    /// What is put there, or taken from there.
    pub part: Option<PlaceIndex>,
    pub function: FunctionIndex,
    pub point: Point,
}

/// A [`crate::facts::PartCopy`] in the program's numbers.
#[derive(Debug, Clone)]
pub(super) struct PartCopyRow {
    pub from: PlaceIndex,
    pub to: PlaceIndex,
    pub shift: i32,
    pub except: Vec<Symbol>,
    /// Of what has a name, only these go, if there are any.
    pub only: Vec<Symbol>,
    pub stop: Option<u32>,
    /// They keep their keys, whatever both are, and are in this place on their way.
    pub by_key: Option<PlaceIndex>,
    pub file: FileIndex,
    pub function: FunctionIndex,
    pub position: Position,
    /// When it happens.
    pub point: Point,
    /// What is no container is iterated over.
    pub iterated: bool,
    /// What goes into a mapping and is no mapping is taken for pairs.
    pub pairs: Option<Pairs>,
    /// As for [`ElementRow::silent`].
    pub silent: bool,
}

impl PartCopyRow {
    /// All parts, under the keys that they have.
    pub(super) fn of_all(from: PlaceIndex, to: PlaceIndex, at: RowSite) -> Self {
        Self {
            from,
            to,
            shift: 0,
            except: Vec::new(),
            only: Vec::new(),
            stop: None,
            by_key: None,
            file: at.file,
            function: at.function,
            position: at.position,
            point: at.point,
            iterated: false,
            pairs: None,
            silent: at.silent,
        }
    }

    /// How what lies in the one comes to lie in the other: under the keys that it has, where both go by keys, or neither does.
    pub(super) fn carries(&self, from: Option<ContainerKind>, into: &[(ObjectId, Object)]) -> How {
        let keeps = |(_, object): &(ObjectId, Object)| match *object {
            Object::Container { kind, .. } => {
                from.is_none_or(|from| !self.is_of_keys(from, kind) && from.has_names() == kind.has_names())
            }
            _ => true,
        };
        match self.shift > i32::MIN && into.iter().all(keeps) {
            true => How::Copy,
            false => How::Put,
        }
    }

    /// A part that is read or written on the way.
    pub(super) fn element(&self, base: PlaceIndex, key: RowKey, value: PlaceIndex) -> ElementRow {
        ElementRow {
            base,
            key,
            value,
            index: None,
            file: self.file,
            function: self.function,
            position: self.position,
            library: false,
            of: RowBase::Plain,
            known: false,
            silent: self.silent,
            point: self.point,
        }
    }
}

/// Places of what is taken for pairs of keys and values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairs {
    /// The containers of them.
    pub all: PlaceIndex,
    /// What is in these.
    pub each: PlaceIndex,
    /// That of it which has parts.
    pub pair: PlaceIndex,
}

impl PartCopyRow {
    /// Whether what is put into a mapping is pairs of keys and values: `dict(pairs)`.
    pub(super) fn is_of_pairs(&self, from: ContainerKind, to: ContainerKind) -> bool {
        self.by_key.is_none() && to.has_names() && !from.has_names()
    }

    /// Whether what is put into a container is the keys of a mapping: `list(row)`.
    pub(super) fn is_of_keys(&self, from: ContainerKind, to: ContainerKind) -> bool {
        self.by_key.is_none() && from == ContainerKind::Map && !to.has_names()
    }

    /// Whether each part is under the same key in the other.
    pub(super) fn keeps_keys(&self, kinds: (ContainerKind, ContainerKind)) -> bool {
        self.by_key.is_none() && self.shift == 0 && kinds.0.has_names() && kinds.1.has_names()
    }

    /// Where a part of the one is in the other: what is no mapping gets the keys of one.
    pub(super) fn moved(&self, part: Part, (from, to): (ContainerKind, ContainerKind)) -> Option<Part> {
        if self.is_of_keys(from, to) {
            return (part == Part::Keys && self.shift > i32::MIN).then_some(Part::Any);
        }
        match part {
            Part::Text(key) if self.except.contains(&key) => None,
            Part::Text(key) if !self.only.is_empty() && !self.only.contains(&key) => None,
            Part::Index(index) if self.stop.is_some_and(|stop| index >= stop) => None,
            Part::Index(_) if to.has_names() && self.shift == 0 => Some(part),
            // What goes up where a part was taken out: parts of a dict stay.
            Part::Index(_) | Part::Any if to.has_names() && self.from == self.to => None,
            Part::Text(_) | Part::Keys if to.has_names() => Some(part),
            Part::Index(index) if !to.has_names() && to != ContainerKind::Set && self.shift > i32::MIN => {
                let moved = index.checked_add_signed(self.shift)?;
                // A list that is put behind others again and again would have ever more positions, and a long one that goes through
                // `f(*values)` as many in thousands of calls.
                Some(if moved > POSITION_LIMIT {
                    Part::Any
                } else {
                    Part::Index(moved)
                })
            }
            Part::Under(_) if self.keeps_keys((from, to)) => Some(part),
            Part::Any if to == ContainerKind::Generator && self.shift > 0 => Some(Part::from(self.shift as u32)),
            Part::From(least) if to == ContainerKind::Generator => least.checked_add_signed(self.shift).map(Part::from),
            Part::Text(_) | Part::Index(_) | Part::From(_) | Part::Any | Part::Under(_) | Part::OneOf(_) => {
                (self.shift > i32::MIN).then_some(Part::Any)
            }
            Part::All | Part::Last(_) | Part::Keys | Part::Returned | Part::Sent(_) | Part::Thrown => None,
        }
    }
}

impl Solver<'_> {
    /// The part that is taken out under a key that is computed.
    pub(super) fn part_dropped(&self, key: Option<PlaceIndex>) -> Part {
        key.and_then(|key| self.key_place(key)).map_or(Part::Any, Part::Under)
    }

    /// Library code takes something out.
    pub(super) fn apply_drop(&mut self, call: u32, end: &End) {
        let part = match &end.part {
            EndPart::Parts => None,
            part => match self.part_key(call, part) {
                RowKey::Text(key) => Some(Part::Text(key)),
                RowKey::Index(index) => Some(Part::Index(index)),
                _ => match self.part_dropped(self.key_given(call, part)) {
                    Part::Any => return,
                    part => Some(part),
                },
            },
        };
        for base in self.subject_places(call, &end.subject) {
            let at = self.calls[call as usize].at();
            self.drops.push(DropRow {
                base,
                part,
                at,
                call: Some(call),
            });
        }
    }
}
