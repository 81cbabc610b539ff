//! What is in a list or a dict, part by part, and what changes it.
//!
//! A list that a function is handed has parts at its beginning and at its end that are not known, but how many were put before, behind
//! and over them is:
//!
//! ```python
//! def push(rows, value):
//!     rows.append(value)       # […, value]
//!     rows.insert(0, "x")      # ["x", …, value]
//!     rows[-2]                 # the last of what `rows` held at first
//! ```

use super::RootId;
use crate::link::{Part, PlaceIndex};

/// Most parts of a container that is followed.
const PART_LIMIT: usize = 16;

/// What one part holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Item {
    /// Nothing that goes anywhere: a literal.
    Nothing,
    /// What is in this place of the function.
    Of(PlaceIndex),
    /// What a callee put there, by number.
    Given(u32),
}

/// A change of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edit {
    /// A part is written over, or put in under a key.
    Put(Part, Item),
    /// A part is put in under a key if there is none.
    Default(Part, Item),
    /// What is under a key or at a position is taken out.
    Take(Part),
    /// The part at this number from the end is taken out; 1 is the last.
    TakeBack(u32),
    Insert(u32, Item),
    Append(Item),
    /// All parts of another container, that a parameter brings, are put in.
    Add(RootId),
    Clear,
    /// Nothing: there are no parts here.
    Empty,
    Reverse,
    /// It is another container now.
    Become(Contents),
    /// Nothing is known of what is done.
    Unknown,
}

/// What is in a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Contents {
    List {
        front: Vec<Item>,
        /// Between them what it held at first, without so many parts before and behind.
        middle: Option<(u32, u32)>,
        back: Vec<Item>,
    },
    Map(Vec<(Part, Item)>),
}

/// What a read finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Item(Item),
    /// A part of what the container held at first, counted from its beginning.
    First(u32),
    /// The same, from its end; 1 is the last.
    Last(u32),
    /// There is no such part.
    Missing,
}

/// Which part a read wants.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted {
    Part(Part),
    Back(u32),
}

impl Contents {
    /// A list of which nothing is known.
    pub(super) fn of_parameter() -> Self {
        Self::List {
            front: Vec::new(),
            middle: Some((0, 0)),
            back: Vec::new(),
        }
    }

    /// A list of so many literals.
    pub(super) fn of_length(length: u32) -> Option<Self> {
        (length as usize <= PART_LIMIT).then(|| Self::List {
            front: vec![Item::Nothing; length as usize],
            middle: None,
            back: Vec::new(),
        })
    }

    /// All parts in order, with the keys of a dict, where all are known.
    pub(super) fn items(&self) -> Option<Vec<(Option<Part>, Item)>> {
        match self {
            Self::List {
                front, middle: None, ..
            } => Some(front.iter().map(|item| (None, *item)).collect()),
            Self::List { .. } => None,
            Self::Map(parts) => Some(parts.iter().map(|(part, item)| (Some(*part), *item)).collect()),
        }
    }

    /// What is there after a change; none where that is not known.
    pub(super) fn after(mut self, edit: &Edit) -> Option<Self> {
        let is_done = match (&mut self, edit) {
            (_, Edit::Become(contents)) => {
                self = contents.clone();
                true
            }
            (_, Edit::Empty) => true,
            (Self::Map(parts), edit) => change_map(parts, edit),
            (Self::List { front, middle, back }, edit) => change_list(front, middle, back, edit),
        };
        let size = match &self {
            Self::List { front, back, .. } => front.len() + back.len(),
            Self::Map(parts) => parts.len(),
        };
        (is_done && size <= PART_LIMIT).then_some(self)
    }

    /// What a read of one part finds; none where that is not known.
    pub(super) fn find(&self, wanted: Wanted) -> Option<Found> {
        match (self, wanted) {
            (Self::Map(parts), Wanted::Part(part @ (Part::Text(_) | Part::Index(_)))) => {
                let found = parts.iter().find(|(key, _)| *key == part);
                Some(found.map_or(Found::Missing, |(_, item)| Found::Item(*item)))
            }
            (Self::List { front, middle, .. }, Wanted::Part(Part::Index(index))) => {
                let index = index as usize;
                match (front.get(index), middle) {
                    (Some(item), _) => Some(Found::Item(*item)),
                    (None, None) => Some(Found::Missing),
                    // There may be fewer parts in the middle.
                    (None, Some((taken, _))) if self.has_plain_end() => {
                        Some(Found::First(taken + (index - front.len()) as u32))
                    }
                    (None, Some(_)) => None,
                }
            }
            (Self::List { front, middle, back }, Wanted::Back(number)) => {
                let number = number as usize;
                let behind = match middle {
                    Some(_) => back,
                    None => front,
                };
                match (behind.len().checked_sub(number).map(|index| behind[index]), middle) {
                    (Some(item), _) => Some(Found::Item(item)),
                    (None, None) => Some(Found::Missing),
                    (None, Some((_, taken))) if front.is_empty() => {
                        Some(Found::Last(taken + (number - back.len()) as u32))
                    }
                    (None, Some(_)) => None,
                }
            }
            _ => None,
        }
    }

    fn has_plain_end(&self) -> bool {
        matches!(self, Self::List { back, middle: Some((_, 0)) | None, .. } if back.is_empty())
    }
}

fn change_map(parts: &mut Vec<(Part, Item)>, edit: &Edit) -> bool {
    let is_key = |part: &Part| matches!(part, Part::Text(_) | Part::Index(_));
    match edit {
        Edit::Put(part, item) if is_key(part) => match parts.iter_mut().find(|(key, _)| key == part) {
            Some((_, known)) => *known = *item,
            None => parts.push((*part, *item)),
        },
        Edit::Default(part, item) if is_key(part) => {
            if parts.iter().all(|(key, _)| key != part) {
                parts.push((*part, *item));
            }
        }
        Edit::Take(part) if is_key(part) => parts.retain(|(key, _)| key != part),
        Edit::Clear => parts.clear(),
        _ => return false,
    }
    true
}

fn change_list(front: &mut Vec<Item>, middle: &mut Option<(u32, u32)>, back: &mut Vec<Item>, edit: &Edit) -> bool {
    match edit {
        Edit::Append(item) => match middle {
            Some(_) => back.push(*item),
            None => front.push(*item),
        },
        Edit::Insert(index, item) => {
            let index = *index as usize;
            if index > front.len() && middle.is_some() {
                return false;
            }
            front.insert(index.min(front.len()), *item);
        }
        Edit::Put(Part::Index(index), item) => match (front.get_mut(*index as usize), middle) {
            (Some(known), _) => *known = *item,
            (None, None) => {}
            (None, Some(_)) => return false,
        },
        Edit::Take(Part::Index(index)) => {
            let index = *index as usize;
            match middle {
                _ if index < front.len() => _ = front.remove(index),
                None => {}
                // Whether it is one of those in the middle is not known where these may be none.
                Some((taken, _)) if index == front.len() && back.is_empty() => *taken += 1,
                Some(_) => return false,
            }
        }
        Edit::TakeBack(number) => {
            let number = *number as usize;
            let behind = match middle {
                Some(_) => &mut *back,
                None => &mut *front,
            };
            match (behind.len().checked_sub(number), &mut *middle) {
                (Some(index), _) => _ = behind.remove(index),
                (None, None) => {}
                (None, Some((_, taken))) if number == back.len() + 1 && front.is_empty() => *taken += 1,
                (None, Some(_)) => return false,
            }
        }
        Edit::Clear => {
            front.clear();
            back.clear();
            *middle = None;
        }
        Edit::Reverse if middle.is_none() => front.reverse(),
        _ => return false,
    }
    true
}
