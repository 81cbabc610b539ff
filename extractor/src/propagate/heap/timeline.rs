//! The edits of one container, in the order of its function: which of them have happened at each point, whatever way led there.
//!
//! ```text
//! rows = ["x"]          # none
//! if ready:
//!     rows.append(a)    # [append a]
//! rows[0]               # not known: it may be none, or one
//! rows.clear()          # …
//! ```

use super::contents::{Contents, Edit};
use crate::facts::order::{Order, Point};

/// Most edits of one container that a function is seen to make, its callees' included.
const EDIT_LIMIT: usize = 32;

/// How often the edits that reach each point are looked at again: as deep as loops are inside each other.
const ROUND_LIMIT: usize = 6;

/// Edits on the way to a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Known {
    /// No way leads there.
    Never,
    Edits(Vec<Edit>),
    Unknown,
}

/// Where edits happen or ways meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) at: Point,
    before: Known,
    after: Known,
}

/// The edits of one container in its function.
#[derive(Debug)]
pub(super) struct Timeline {
    /// What it holds before them; none where that is not known, nor what kind of container it is.
    pub(super) start: Option<Contents>,
    pub(super) is_given: bool,
    /// Where edits happen or ways meet, with what holds after it.
    pub(super) stops: Vec<Stop>,
    pub(super) ends: Known,
}

impl Timeline {
    pub(super) fn is_there(&self) -> bool {
        self.is_given || self.start.is_some()
    }

    /// What holds before a point.
    pub(super) fn before(&self, point: Point) -> Known {
        match self.stops.binary_search_by_key(&point, |stop| stop.at) {
            Ok(index) => self.stops[index].before.clone(),
            Err(_) => after(&self.stops, Point(point.0.saturating_sub(1)), self.is_there()),
        }
    }
}

/// What is there after some edits.
pub(super) fn contents_after(start: Option<Contents>, is_given: bool, edits: &[Edit]) -> Option<Contents> {
    let mut edits = edits;
    let mut contents = match (start, edits) {
        (_, [Edit::Become(contents), rest @ ..]) => {
            edits = rest;
            contents.clone()
        }
        (Some(start), _) => start,
        (None, _) if is_given => Contents::of_parameter(),
        (None, _) => return None,
    };
    for edit in edits {
        contents = contents.after(edit)?;
    }
    Some(contents)
}

/// The edits that reach each edit and each place where ways meet, and those behind it.
pub(super) fn walk(order: &Order, edits: &[(Point, Vec<Edit>)], is_there: bool) -> Option<Vec<Stop>> {
    let mut points: Vec<Point> = edits.iter().map(|(point, _)| *point).collect();
    points.extend(order.meetings.iter().map(|meeting| meeting.at));
    points.sort_unstable();
    points.dedup();
    let never = |at| Stop {
        at,
        before: Known::Never,
        after: Known::Never,
    };
    let mut stops: Vec<Stop> = points.into_iter().map(never).collect();
    for _ in 0..ROUND_LIMIT {
        let mut is_new = false;
        for index in 0..stops.len() {
            let at = stops[index].at;
            let meeting = order.meeting_before(at).filter(|meeting| meeting.at == at);
            let before = match meeting {
                Some(meeting) => {
                    let ways = meeting.after.iter().map(|way| after(&stops, *way, is_there));
                    let known = ways.fold(Known::Never, meet);
                    let inside = |stop: &&Stop| {
                        meeting
                            .region
                            .is_some_and(|(first, end)| (first..end).contains(&stop.at))
                    };
                    stops
                        .iter()
                        .filter(inside)
                        .fold(known, |known, stop| meet(known, stop.after.clone()))
                }
                None => after(&stops, Point(at.0.saturating_sub(1)), is_there),
            };
            let made = edits.binary_search_by_key(&at, |(at, _)| *at).ok();
            let made = made.into_iter().flat_map(|made| &edits[made].1);
            let after = made.fold(before.clone(), with);
            let stop = Stop { at, before, after };
            is_new |= stops[index] != stop;
            stops[index] = stop;
        }
        if !is_new {
            return Some(stops);
        }
    }
    None
}

fn with(known: Known, edit: &Edit) -> Known {
    match (known, edit) {
        (Known::Never, _) => Known::Never,
        (_, Edit::Unknown) => Known::Unknown,
        (_, Edit::Become(_)) => Known::Edits(vec![edit.clone()]),
        (Known::Edits(edits), _) if edits.len() >= EDIT_LIMIT => Known::Unknown,
        (Known::Edits(mut edits), edit) => {
            edits.push(edit.clone());
            Known::Edits(edits)
        }
        (Known::Unknown, _) => Known::Unknown,
    }
}

pub(super) fn meet(one: Known, other: Known) -> Known {
    match (one, other) {
        (Known::Never, known) | (known, Known::Never) => known,
        (one, other) if one == other => one,
        (Known::Edits(one), Known::Edits(other)) => {
            match (is_where_empty(&one, &other), is_where_empty(&other, &one)) {
                (true, _) => Known::Edits(other),
                (_, true) => Known::Edits(one),
                _ => Known::Unknown,
            }
        }
        _ => Known::Unknown,
    }
}

/// Whether one way is only gone where there are no parts, and the other edits would change nothing then: `if len(s) == 0 { return }`,
/// and taking one out otherwise.
fn is_where_empty(one: &[Edit], other: &[Edit]) -> bool {
    let Some((Edit::Empty, before)) = one.split_last() else {
        return false;
    };
    let changes_nothing = |edit: &Edit| matches!(edit, Edit::Take(_) | Edit::TakeBack(_) | Edit::Clear | Edit::Empty);
    other
        .strip_prefix(before)
        .is_some_and(|rest| rest.iter().all(changes_nothing))
}

/// What holds after a point.
pub(super) fn after(stops: &[Stop], point: Point, is_there: bool) -> Known {
    let later = stops.partition_point(|stop| stop.at <= point);
    match later.checked_sub(1) {
        Some(index) => stops[index].after.clone(),
        None if is_there => Known::Edits(Vec::new()),
        None => Known::Unknown,
    }
}
