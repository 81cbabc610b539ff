//! What one call's arguments come to at the same call: each once, by however many ways inside of the callee.
//!
//! ```python
//! def wrapper(*args, **options): return function(*args, **options)
//! wrapper(name, mail, age=3)       # each may come to what each may come to: once for each pair, and not for each way
//! ```
//!
//! A call may hand over a hundred cells of objects to a hundred places of its callee, and most of these come to the same ends.

use rustc_hash::{FxHashMap, FxHashSet};

use super::crossing::{Crossing, Site};
use crate::link::PlaceIndex;

/// Arguments, with the places that they come to in the caller.
pub(super) struct Ways<'c> {
    /// Each with the number of its list.
    rows: Vec<(&'c Crossing, usize)>,
    lists: Vec<Vec<PlaceIndex>>,
}

impl<'c> Ways<'c> {
    /// At one call, by the ends that each place of the callee comes to.
    pub(super) fn through(site: &Site<'c>, reached: &FxHashMap<PlaceIndex, Vec<PlaceIndex>>) -> Self {
        let mut ways = Self {
            rows: Vec::new(),
            lists: Vec::new(),
        };
        let mut numbers: FxHashMap<Vec<PlaceIndex>, usize> = FxHashMap::default();
        let mut lists: FxHashMap<PlaceIndex, Option<usize>> = FxHashMap::default();
        let mut known: FxHashSet<(PlaceIndex, usize)> = FxHashSet::default();
        for row in site.passed {
            let list = lists.entry(row.end).or_insert_with(|| {
                let ends = reached.get(&row.end)?.iter();
                let mut to: Vec<PlaceIndex> = ends.flat_map(|end| site.at(*end)).map(|(.., place)| *place).collect();
                to.sort_unstable();
                to.dedup();
                let next = numbers.len();
                let number = *numbers.entry(to).or_insert(next);
                Some(number)
            });
            if let Some(list) = *list
                && known.insert((row.place, list))
            {
                ways.rows.push((row, list));
            }
        }
        ways.lists.resize_with(numbers.len(), Vec::new);
        for (list, number) in numbers {
            ways.lists[number] = list;
        }
        ways
    }

    /// Each argument with what it comes to.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'c Crossing, &[PlaceIndex])> {
        self.rows.iter().map(|(row, list)| (*row, self.lists[*list].as_slice()))
    }
}
