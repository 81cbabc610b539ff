//! The order of a function's reads, writes and calls: which of them may come before which.
//!
//! Each is a **point**; most follow the one before. Where control meets, jumps back or may leave a region, a point says where it
//! comes from:
//!
//! ```text
//! p.name = a        1
//! if ready:
//!     clear(p)      2
//!                   3, after 1 or 2
//! send(p.name)      4: what was written at 1, and what the call at 2 may have written
//! ```
//!
//! [`super::reaching`] answers this for variables while the source is walked; points answer it for what calls do to objects, which only
//! the whole program tells.

use serde::{Deserialize, Serialize};

/// A read, write or call in a function, by number. 0 is where the function begins.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Point(pub u32);

impl Point {
    /// What never happens: it comes after everything, and nothing comes after it.
    pub const NEVER: Self = Self(u32::MAX);
}

/// Where a point comes from that does not just follow the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meeting {
    /// The point.
    pub at: Point,
    /// It follows any of these.
    pub after: Vec<Point>,
    /// It may follow any point from the first up to, but not with, the second.
    pub region: Option<(Point, Point)>,
}

/// A call that runs where its function ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deferred {
    /// How many of the function's exits were left by before it was told of.
    pub exits_before: usize,
    /// All later exits come by it.
    pub is_certain: bool,
}

/// The points of one function.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// In the order of their points.
    pub meetings: Vec<Meeting>,
    /// The points that the function may end after.
    pub exits: Vec<Point>,
    /// How many points there are, with the first.
    pub len: u32,
    /// What happens in the function does not follow its source: it yields, starts others beside it, recovers, or jumps.
    pub is_loose: bool,
    /// It runs after its call, step by step: a generator.
    pub is_delayed: bool,
}

impl Order {
    /// A function's beginning alone.
    pub fn new() -> Self {
        Self {
            len: 1,
            ..Self::default()
        }
    }

    /// A new point that comes after another.
    pub fn follow(&mut self, last: Point) -> Point {
        let at = self.next();
        if last.0 + 1 != at.0 {
            self.note(at, vec![last], None);
        }
        at
    }

    /// Control comes from both.
    pub fn meet(&mut self, one: Point, other: Point) -> Point {
        if one == other {
            return one;
        }
        let at = self.next();
        self.note(at, vec![one, other], None);
        at
    }

    /// A point that others will jump back to.
    pub fn open(&mut self, last: Point) -> Point {
        let at = self.next();
        self.note(at, vec![last], None);
        at
    }

    /// A jump back to what [`Order::open`] gave.
    pub fn jump(&mut self, from: Point, to: Point) {
        if let Ok(index) = self.meetings.binary_search_by_key(&to, |meeting| meeting.at) {
            self.meetings[index].after.push(from);
        }
    }

    /// A point that may follow `before` and any from `first` on.
    pub fn leave_region(&mut self, before: Point, first: Point) -> Point {
        let end = Point(self.len);
        let at = self.next();
        self.note(at, vec![before], Some((first, end)));
        at
    }

    /// What runs where the function ends, the last one first. Gives the point of each.
    pub fn run_deferred(&mut self, deferred: &[Deferred]) -> Vec<Point> {
        let mut exits = std::mem::take(&mut self.exits);
        let mut points = vec![Point::default(); deferred.len()];
        // Those that leave after this call was told of.
        let mut leaving: Vec<Point> = Vec::new();
        for (call, point) in deferred.iter().zip(&mut points).rev() {
            leaving.extend(exits.drain(call.exits_before.min(exits.len())..));
            if leaving.is_empty() {
                continue;
            }
            *point = self.next();
            self.note(*point, leaving.clone(), None);
            if call.is_certain {
                leaving.clear();
            }
            leaving.push(*point);
        }
        leaving.extend(exits);
        self.exits = leaving;
        points
    }

    fn next(&mut self) -> Point {
        self.len += 1;
        Point(self.len - 1)
    }

    fn note(&mut self, at: Point, after: Vec<Point>, region: Option<(Point, Point)>) {
        self.meetings.push(Meeting { at, after, region });
    }

    /// The last meeting at or before a point.
    pub fn meeting_before(&self, point: Point) -> Option<&Meeting> {
        let later = self.meetings.partition_point(|meeting| meeting.at <= point);
        self.meetings.get(later.checked_sub(1)?)
    }
}
