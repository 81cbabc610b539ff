//! How many calls the engine makes at one place of the source.
//!
//! `len(box)` calls `box.__len__()`, a partial application calls what it holds back, `map(f, rows)` calls `f`: each is a call of its own,
//! made for the one that is written. A proxy that answers for every operator by `partial(operator, self.target)`, asked for one of them
//! on something that may be another proxy, makes calls for calls without an end (`werkzeug.local.LocalProxy`). So what is made at one
//! place has a limit, and what lies behind is not looked at: the call is noted as one that may call more.

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::{Object, ObjectId};
use super::solve::Solver;
use crate::facts::Position;
use crate::link::FileIndex;

/// Most calls that are made at one place: five hundred stand where three dozen functions may be called back, and in 470,000 lines of
/// Django no place has more than 210.
const MADE_LIMIT: u32 = 512;

/// What was made, and where too much.
#[derive(Debug, Default)]
pub(super) struct MadeCalls {
    /// The first that no file holds.
    first: Option<u32>,
    at: FxHashMap<(FileIndex, Position), u32>,
    /// Calls of a method that what is given may have or not: `fmt.Sprint(x)` calls `x.String()` if there is one.
    optional: FxHashSet<u32>,
}

impl MadeCalls {
    /// The calls up to here stand in files.
    pub(super) fn begin(&mut self, first: u32) {
        self.first = Some(first);
    }

    /// Whether a call stands in a file.
    pub(super) fn is_written(&self, call: u32) -> bool {
        self.first.is_none_or(|first| call < first)
    }

    /// A call is made of a method that its receiver may have or not.
    pub(super) fn note_optional(&mut self, call: u32) {
        self.optional.insert(call);
    }

    /// Whether a call calls something only where its receiver has it.
    pub(super) fn is_optional(&self, call: u32) -> bool {
        self.optional.contains(&call)
    }

    /// A call is made.
    pub(super) fn note(&mut self, call: u32, file: FileIndex, position: Position) {
        if !self.is_written(call) {
            *self.at.entry((file, position)).or_default() += 1;
        }
    }
}

impl Solver<'_> {
    /// Whether a made call calls what would make more, at a place where enough were made.
    pub(super) fn is_made_too_often(&mut self, call: u32, object: ObjectId) -> bool {
        if self.made_calls.is_written(call)
            || !matches!(
                self.objects.get(object),
                Object::External(_) | Object::Partial(_) | Object::Taken { .. }
            )
        {
            return false;
        }
        let row = &self.calls[call as usize];
        let (key, callee) = ((row.file, row.position), row.callee);
        let is_too_often = self.made_calls.at.get(&key).is_some_and(|count| *count > MADE_LIMIT);
        if is_too_often {
            self.left_out.note(callee, object, false);
        }
        is_too_often
    }
}
