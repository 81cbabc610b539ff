//! What lies in containers that calls hand over as wholes, where that says nothing of keys.
//!
//! ```python
//! def send(row): post(row)             # mail and name come to row: send({"mail": mail, "name": name})
//! def read(row, key): return row[key]  # so would all come out under every key, if it came to row
//! ```
//!
//! A function that takes its container apart without knowing what is in it reads the place itself. What lies under known keys has ways of
//! its own there, and does not come to such a place, nor to any that leads to one.

use ripple_schema::{How, Rule};
use rustc_hash::FxHashSet;

use super::{End, ValueEdge};
use crate::link::{DerivedPlace, PlaceIndex};
use crate::propagate::solve::Solver;

/// The edges of `handed` that lead to no place which is taken apart by one of `values`.
pub(super) fn others(
    solver: &Solver<'_>,
    mut handed: Vec<ValueEdge>,
    values: &[ValueEdge],
    whole: &[bool],
) -> Vec<ValueEdge> {
    let places = whole.len();
    // Library code that looks into what it is given takes all of it.
    let looked: FxHashSet<PlaceIndex> = solver.looked_into.values().copied().collect();
    // What lies in a part, a field or a cell is read out of it whole.
    let is_inside = |place: PlaceIndex| match solver.program.derived_place(place) {
        Some(DerivedPlace::Passing(_) | DerivedPlace::Given(_)) | None => false,
        Some(DerivedPlace::Member(_) | DerivedPlace::Element { .. } | DerivedPlace::Cell { .. }) => true,
    };
    let mut apart = vec![false; places];
    let mut next: Vec<(u32, u32)> = Vec::new();
    for edge in values {
        let End::Place(from) = edge.from else { continue };
        if !whole[from.at()] && !is_inside(from) {
            continue;
        }
        let is_test = edge.how == How::Test;
        let goes_on = match (edge.to, edge.how) {
            // On the wire a name stands for all that is ever written under it.
            (End::Key(_), _) => None,
            (End::Place(to), How::Element) if looked.contains(&to) => Some(edge.to),
            (End::Place(_), How::Element | How::Load | How::Decode) => is_inside(from).then_some(edge.to),
            (End::Place(to), How::Put | How::Add | How::Copy | How::Store) if !is_inside(to) => continue,
            // What asks for a type lets other things through than containers.
            (End::Place(to), How::Assign) if !is_inside(from) => whole[to.at()].then_some(edge.to),
            // Library code takes all of it, or the table says which part; a function of the index picks.
            (End::Place(_), _) => (edge.rule != Rule::Summary).then_some(edge.to),
            _ => continue,
        };
        match goes_on {
            _ if is_test => {}
            Some(End::Place(to)) => next.push((from.0, to.0)),
            _ => apart[from.at()] = true,
        }
    }
    let next = Next::new(&next, places);
    let leads_to = |place: u32| next.of(place);
    let target = |edge: &ValueEdge| match edge.to {
        End::Place(place) => Some(place.0),
        _ => None,
    };
    // Where the containers go, in the order of coming there.
    let mut seen = vec![false; places];
    let mut region: Vec<u32> = Vec::new();
    for place in handed.iter().filter_map(target) {
        if !std::mem::replace(&mut seen[place as usize], true) {
            region.push(place);
        }
    }
    let mut index = 0;
    while let Some(place) = region.get(index) {
        for to in leads_to(*place) {
            if !std::mem::replace(&mut seen[to as usize], true) {
                region.push(to);
            }
        }
        index += 1;
    }
    loop {
        let mut is_new = false;
        for place in region.iter().rev() {
            if !apart[*place as usize] && leads_to(*place).any(|to| apart[to as usize]) {
                apart[*place as usize] = true;
                is_new = true;
            }
        }
        if !is_new {
            break;
        }
    }
    handed.retain(|edge| target(edge).is_some_and(|place| !apart[PlaceIndex(place).at()]));
    handed
}

/// Where each place leads.
struct Next {
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Next {
    fn new(pairs: &[(u32, u32)], places: usize) -> Self {
        let mut first = vec![0; places + 1];
        for (from, _) in pairs {
            first[*from as usize + 1] += 1;
        }
        for place in 0..places {
            first[place + 1] += first[place];
        }
        let mut free = first.clone();
        let mut to = vec![0; pairs.len()];
        for (from, end) in pairs {
            to[free[*from as usize] as usize] = *end;
            free[*from as usize] += 1;
        }
        Self { first, to }
    }

    fn of(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let (begin, end) = (self.first[place as usize], self.first[place as usize + 1]);
        self.to[begin as usize..end as usize].iter().copied()
    }
}
