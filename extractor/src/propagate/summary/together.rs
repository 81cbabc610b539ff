//! What many places of one function come to, found in one walk for all of them.
//!
//! ```python
//! def draw(self, **options): self.first = options["a"]; …      # a thousand cells go in, and may come to a thousand others
//! ```
//!
//! One walk for each of them looks at the function a thousand times. Here the flows are walked once, places that come to each other are one
//! (Tarjan 1972), and each of these knows the ends behind it as a set of bits, made of those of the next.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use crate::link::PlaceIndex;
use crate::propagate::contexts::Instance;

/// More places than this are followed together: for a few, a walk for each is faster.
pub(super) const FOLLOWED_ALONE: usize = 64;

/// A set of ends, by their numbers.
type Ends = Vec<u64>;

/// A place, as it is met.
struct Node {
    place: PlaceIndex,
    /// The first place that it is known to come back to, in the order in which they were met.
    low: u32,
    /// What lies behind it, once that is known.
    behind: Option<Rc<Ends>>,
    /// The edge to look at next.
    next: u32,
}

/// One walk.
#[derive(Default)]
struct Walk {
    nodes: Vec<Node>,
    known: FxHashMap<PlaceIndex, u32>,
    /// The way from the start to where the walk is.
    open: Vec<u32>,
    /// Places that were met and of which it is not known yet what lies behind them.
    waiting: Vec<u32>,
    ends: Vec<PlaceIndex>,
}

impl Summaries<'_> {
    /// Which of the ends of their function each of these places comes to; tells of each place on the way.
    pub(super) fn reach_together(
        &self,
        starts: &[PlaceIndex],
        instance: Instance,
        mut visit: impl FnMut(PlaceIndex),
    ) -> FxHashMap<PlaceIndex, Vec<PlaceIndex>> {
        let mut walk = Walk::default();
        for start in starts {
            if !walk.known.contains_key(start) {
                walk.meet(*start, self.heads[start.at()]);
                self.go_on(&mut walk, instance, &mut visit);
            }
        }
        let ends_of = |start: &PlaceIndex| {
            let behind = walk
                .known
                .get(start)
                .and_then(|node| walk.nodes[*node as usize].behind.as_ref());
            let numbers = behind.into_iter().flat_map(|ends| numbers_in(ends));
            let ends = numbers.filter_map(|number| walk.ends.get(number).copied());
            ends.filter(|end| end != start).collect()
        };
        starts.iter().map(|start| (*start, ends_of(start))).collect()
    }

    /// From the place that was met last to all that it comes to.
    fn go_on(&self, walk: &mut Walk, instance: Instance, visit: &mut impl FnMut(PlaceIndex)) {
        while let Some(at) = walk.open.last().copied() {
            let (place, next) = (walk.nodes[at as usize].place, walk.nodes[at as usize].next);
            let Some(edge) = self.inside.get(next as usize) else {
                walk.open.pop();
                self.close(walk, at, instance);
                if let Some(before) = walk.open.last().copied() {
                    let low = walk.nodes[at as usize].low;
                    let before = &mut walk.nodes[before as usize];
                    before.low = before.low.min(low);
                }
                continue;
            };
            walk.nodes[at as usize].next = edge.next;
            if !self.holds(place, edge, instance) {
                continue;
            }
            visit(edge.to);
            match walk.known.get(&edge.to).copied() {
                None => walk.meet(edge.to, self.heads[edge.to.at()]),
                Some(known) if walk.nodes[known as usize].behind.is_none() => {
                    let node = &mut walk.nodes[at as usize];
                    node.low = node.low.min(known);
                }
                Some(_) => {}
            }
        }
    }

    /// All is known of what a place comes to: where it comes back to none before it, so it is of all that it comes back to.
    fn close(&self, walk: &mut Walk, at: u32, instance: Instance) {
        if walk.nodes[at as usize].low != at {
            return;
        }
        let from = walk.waiting.iter().rposition(|node| *node == at).unwrap_or(0);
        let members = walk.waiting.split_off(from);
        let function = self.calls.contexts.function(instance).0;
        let mut behind: Vec<Rc<Ends>> = Vec::new();
        let mut seen: FxHashSet<*const Ends> = FxHashSet::default();
        let mut own: Vec<usize> = Vec::new();
        for member in &members {
            let place = walk.nodes[*member as usize].place;
            if self.calls.end_of[place.at()] == function {
                own.push(walk.ends.len());
                walk.ends.push(place);
            }
            let mut next = self.heads[place.at()];
            while let Some(edge) = self.inside.get(next as usize) {
                let known = walk.known.get(&edge.to).filter(|_| self.holds(place, edge, instance));
                let ends = known.and_then(|to| walk.nodes[*to as usize].behind.as_ref());
                if let Some(ends) = ends.filter(|ends| seen.insert(Rc::as_ptr(ends))) {
                    behind.push(ends.clone());
                }
                next = edge.next;
            }
        }
        let all = match (behind.as_slice(), own.is_empty()) {
            // Most have one place behind them.
            ([only], true) => only.clone(),
            _ => Rc::new(joined(&behind, &own)),
        };
        for member in members {
            walk.nodes[member as usize].behind = Some(all.clone());
        }
    }
}

impl Walk {
    fn meet(&mut self, place: PlaceIndex, next: u32) {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            place,
            low: number,
            behind: None,
            next,
        });
        self.known.insert(place, number);
        self.open.push(number);
        self.waiting.push(number);
    }
}

fn joined(behind: &[Rc<Ends>], own: &[usize]) -> Ends {
    let last = own.last().map_or(0, |number| number / 64 + 1);
    let words = behind.iter().map(|ends| ends.len()).max().unwrap_or(0).max(last);
    let mut all = vec![0; words];
    for ends in behind {
        for (all, word) in all.iter_mut().zip(ends.iter()) {
            *all |= word;
        }
    }
    for number in own {
        all[number / 64] |= 1 << (number % 64);
    }
    all
}

fn numbers_in(ends: &[u64]) -> impl Iterator<Item = usize> {
    ends.iter().enumerate().flat_map(|(word, bits)| {
        let mut bits = *bits;
        std::iter::from_fn(move || {
            let next = (bits != 0).then(|| 64 * word + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(next)
        })
    })
}
