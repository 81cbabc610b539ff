//! From function to function, until nothing is new: callees before their callers, and callers again where a callee changed.
//!
//! What one function does with objects is gone through again and again until all of it gives nothing new. A call takes longest, and most
//! calls have nothing new to learn the second time: a call is followed again only if its arguments hold more objects, or one of
//! the caller's objects that it leads to has changed since. In
//!
//! ```python
//! def load(source):
//!     text = source.read()        # followed: `source` is read
//!     row = Row(text)
//!     row.keep(source)            # `row` changes, and nothing of `source`
//!     return row
//! ```
//!
//! the second round follows `row.keep` alone, and the third one nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;

use rustc_hash::FxHasher;

use super::{Callee, Heap, Local, Roots, Site, UNKNOWN};
use crate::facts::FunctionId;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::solve::Solver;

/// How often a function is looked at again because a callee changed. What is found by then counts.
const VISIT_LIMIT: u8 = 12;

/// How often all that a function does is gone through at most.
const ROUND_LIMIT: usize = 8;

/// When a call was followed, and what it depends on.
#[derive(Debug, Clone)]
struct Followed {
    /// By [`Heap::clock`].
    at: u32,
    /// What its arguments and results held, see [`Heap::held_by`].
    held: (u64, u64),
    /// The objects of the caller that it leads to, in [`Heap::asked`].
    asked: Range<usize>,
}

impl Heap {
    /// Follows the objects, function by function, until nothing is new.
    pub(in crate::propagate) fn solve(&mut self, solver: &Solver<'_>) {
        let mut visits = vec![0u8; self.locals.len()];
        let mut queued = vec![true; self.locals.len()];
        // When a function was done, and when it last changed.
        let mut settled: Vec<Option<u32>> = vec![None; self.locals.len()];
        let mut changed = vec![0; self.locals.len()];
        let mut work: BinaryHeap<Reverse<(u32, u32)>> = (0..self.locals.len() as u32)
            .map(|index| Reverse((self.ranks[index as usize], index)))
            .collect();
        while let Some(Reverse((_, index))) = work.pop() {
            let index = index as usize;
            queued[index] = false;
            visits[index] += 1;
            let local = std::mem::take(&mut self.locals[index]);
            self.singletons.in_body = solver.program.functions[index].local == FunctionId(0);
            let before = self.clock;
            let mut is_new = false;
            let is_as_before = match settled[index] {
                // Nothing has changed here: what callees found since is all there may be to learn.
                Some(since) => {
                    self.waits = true;
                    is_new = self.learn_again(solver, &local, (since, &changed));
                    !std::mem::take(&mut self.has_waited) && self.clock == before
                }
                None => false,
            };
            settled[index] = match is_as_before {
                true => Some(self.clock),
                false => self.visit(solver, &local, &mut is_new).then_some(self.clock),
            };
            if self.clock > before {
                changed[index] = self.clock;
            }
            if is_new {
                for caller in &local.callers {
                    if !queued[caller.at()] && visits[caller.at()] < VISIT_LIMIT {
                        queued[caller.at()] = true;
                        work.push(Reverse((self.ranks[caller.at()], caller.0)));
                    }
                }
            }
            self.locals[index] = local;
            if self.singletons.in_body {
                self.check_made(FunctionIndex(index as u32));
            }
            self.check_given(solver, FunctionIndex(index as u32));
            for function in std::mem::take(&mut self.outlived).into_iter().map(FunctionIndex::at) {
                settled[function] = None;
                if !queued[function] && visits[function] < VISIT_LIMIT {
                    queued[function] = true;
                    work.push(Reverse((self.ranks[function], function as u32)));
                }
            }
            for (root, users) in self.users_of_changed() {
                for user in users.into_iter().map(FunctionIndex::at).filter(|user| *user != index) {
                    settled[user] = None;
                    if queued[user] {
                        continue;
                    }
                    if visits[user] >= VISIT_LIMIT {
                        self.escape(root);
                        continue;
                    }
                    queued[user] = true;
                    work.push(Reverse((self.ranks[user], user as u32)));
                }
            }
        }
    }

    /// What callees found that changed since then; whether anything is new.
    fn learn_again(&mut self, solver: &Solver<'_>, local: &Local, (since, changed): (u32, &[u32])) -> bool {
        let mut new = false;
        for site in &local.sites {
            if matches!(site.callee, Callee::Function { function, .. } if changed[function.at()] > since) {
                new |= self.call(solver, site);
            }
        }
        new
    }

    /// One function; whether that came to an end.
    fn visit(&mut self, solver: &Solver<'_>, local: &Local, is_new: &mut bool) -> bool {
        let mut followed = vec![None; local.sites.len()];
        self.asked.clear();
        let mut before = None;
        self.waits = true;
        for round in 0..ROUND_LIMIT {
            self.waits &= round + 2 < ROUND_LIMIT;
            before = Some(self.clock);
            let mut new = self.follow_values(solver, local);
            for (site, followed) in local.sites.iter().zip(&mut followed) {
                new |= self.follow_call(solver, site, followed);
            }
            for place in &local.escapes {
                new |= self.escape_place(*place);
            }
            if !new && !self.grow_all(local) {
                if !std::mem::take(&mut self.has_waited) {
                    break;
                }
                // What is not found by now is not found at all.
                self.waits = false;
                followed.fill(None);
                continue;
            }
            *is_new = true;
        }
        // What is put where nothing is known of.
        for access in &local.writes {
            if self.points_of(access.base).is_empty() {
                *is_new |= access.value.is_some_and(|value| self.escape_place(value));
            }
        }
        before == Some(self.clock)
    }

    /// What a function does itself; whether anything is new.
    fn follow_values(&mut self, solver: &Solver<'_>, local: &Local) -> bool {
        let mut new = false;
        for (from, to) in &local.copies {
            let roots = Roots::from_slice(self.points_of(*from));
            new |= self.put(*to, &roots);
        }
        for place in &local.unknown {
            new |= self.put(*place, &[UNKNOWN]);
        }
        for (from, to) in &local.asserted {
            let roots = self.roots_asserted(solver, *from, *to);
            new |= self.put(*to, &roots);
        }
        for copy in &local.values {
            new |= self.copy_value(*copy);
        }
        for copy in &local.overwritten {
            new |= self.overwrite(*copy);
        }
        for filling in &local.fillings {
            new |= self.fill_by_value(filling);
        }
        for access in &local.reads {
            new |= self.read(solver, access);
        }
        for access in &local.writes {
            new |= self.write(access);
        }
        for place in &local.library {
            new |= self.written_by_library(*place);
        }
        for place in &local.emptied {
            new |= self.emptied_by_library(*place);
        }
        for moved in &local.moves {
            new |= self.move_parts(solver, moved);
        }
        new
    }

    /// A call, unless nothing that it depends on has changed since it was followed. The callee does not change meanwhile, unless it is the
    /// caller itself.
    fn follow_call(&mut self, solver: &Solver<'_>, site: &Site, followed: &mut Option<Followed>) -> bool {
        let is_other = matches!(site.callee, Callee::Function { function, .. } if function != site.caller);
        if let Some(followed) = followed.as_ref().filter(|_| is_other)
            && followed.held == (self.given_by(site), self.results_of(site))
            && self.asked[followed.asked.clone()]
                .iter()
                .all(|root| self.get(*root).changed_at <= followed.at)
        {
            return false;
        }
        let (at, start, given) = (self.clock, self.asked.len(), self.given_by(site));
        let new = self.call(solver, site);
        *followed = Some(Followed {
            at,
            held: (given, self.results_of(site)),
            asked: start..self.asked.len(),
        });
        new
    }

    fn given_by(&self, site: &Site) -> u64 {
        self.held_by(site.given.iter().map(|(_, from)| *from))
    }

    fn results_of(&self, site: &Site) -> u64 {
        self.held_by(site.results.iter().map(|(ours, _)| *ours))
    }

    /// Another number where one of the places holds something else: what is there grows, or becomes one object of which nothing is known.
    fn held_by(&self, places: impl Iterator<Item = PlaceIndex>) -> u64 {
        let mut hasher = FxHasher::default();
        for place in places {
            let roots = self.points_of(place);
            (roots.len(), roots.last()).hash(&mut hasher);
        }
        hasher.finish()
    }
}
