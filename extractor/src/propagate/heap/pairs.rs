//! What a callee's objects are to its caller, call by call: found once, for many ask.
//!
//! ```python
//! def move(source, target): target.items = source.items
//! move(old, new)       # `source` is `old`, `target` is `new`, and what lies in `source.items` is what lies in `old.items`
//! ```
//!
//! Pairs are kept by function, and forgotten where the objects that places hold become fewer.

use rayon::prelude::*;

use super::deep::Way;
use super::{Callee, DEPTH_LIMIT, Heap, Local, RootId, RootKind, Roots, Site, UNKNOWN};
use crate::link::{FunctionIndex, PlaceIndex};

/// The pairs of all calls of each function; none where they are not kept.
#[derive(Debug, Default)]
pub(super) struct Pairs(Vec<Option<OfCalls>>);

/// The pairs of a function's calls.
#[derive(Debug, Default)]
struct OfCalls {
    /// Where the pairs of each call end.
    ends: Vec<u32>,
    pairs: Vec<Pair>,
    ours: Vec<RootId>,
}

#[derive(Debug)]
struct Pair {
    theirs: RootId,
    /// Where what it is to the caller ends, in [`OfCalls::ours`]: it begins where that of the pair before ends.
    end: u32,
    /// The argument, for what it holds itself.
    from: Option<PlaceIndex>,
}

impl Pairs {
    /// The objects that this function's places hold are others from now on.
    pub(super) fn forget(&mut self, function: FunctionIndex) {
        if let Some(known) = self.0.get_mut(function.at()) {
            *known = None;
        }
    }
}

impl Heap {
    /// Every object of a callee with what the caller calls it, and the argument that it is, if it is one.
    pub(super) fn each_pair(&self, site: &Site, visit: &mut impl FnMut(&Self, &[RootId], RootId, Option<PlaceIndex>)) {
        let Some(Some(known)) = self.pairs.0.get(site.caller.at()) else {
            return self.walk(site, visit);
        };
        let number = site.number as usize;
        let start = number.checked_sub(1).map_or(0, |before| known.ends[before] as usize);
        let before = start.checked_sub(1).map_or(0, |before| known.pairs[before].end);
        let mut begin = before as usize;
        for pair in &known.pairs[start..known.ends[number] as usize] {
            let end = pair.end as usize;
            visit(self, &known.ours[begin..end], pair.theirs, pair.from);
            begin = end;
        }
    }

    /// Finds the pairs of the functions of which none are kept.
    pub(super) fn find_pairs(&mut self) {
        let mut pairs = std::mem::take(&mut self.pairs.0);
        pairs.resize_with(self.locals.len(), || None);
        let missing = pairs
            .par_iter_mut()
            .zip(&self.locals)
            .filter(|(known, _)| known.is_none());
        missing.for_each(|(known, local)| *known = Some(self.pairs_of(local)));
        self.pairs.0 = pairs;
    }

    fn pairs_of(&self, local: &Local) -> OfCalls {
        let mut of = OfCalls::default();
        for site in &local.sites {
            self.walk(site, &mut |_, ours, theirs, from| {
                of.ours.extend_from_slice(ours);
                let end = of.ours.len() as u32;
                of.pairs.push(Pair { theirs, end, from });
            });
            of.ends.push(of.pairs.len() as u32);
        }
        of
    }

    /// Follows a call's arguments and results into the callee.
    fn walk(&self, site: &Site, visit: &mut impl FnMut(&Self, &[RootId], RootId, Option<PlaceIndex>)) {
        let Callee::Function { .. } = site.callee else { return };
        for (parameter, from) in &site.given {
            if let Some(theirs) = self.made.get(parameter) {
                self.pairs_from(
                    site,
                    self.points_of(*from),
                    *theirs,
                    (Way::default(), Some(*from)),
                    visit,
                );
            }
        }
        for (ours, theirs) in &site.results {
            for root in self.points_of(*theirs) {
                let is_ours = self.is_lost(*root) || self.is_shared(*root);
                let is_new = !is_ours && !matches!(self.get(self.top(*root)).kind, RootKind::Parameter(_));
                if let (true, Some(made)) = (is_new, self.made.get(ours)) {
                    self.pairs_from(site, &[*made], *root, (Way::default(), None), visit);
                }
            }
        }
    }

    fn pairs_from(
        &self,
        site: &Site,
        ours: &[RootId],
        theirs: RootId,
        (way, from): (Way, Option<PlaceIndex>),
        visit: &mut impl FnMut(&Self, &[RootId], RootId, Option<PlaceIndex>),
    ) {
        let limit = match self.is_made(theirs) {
            true => 2 * DEPTH_LIMIT,
            false => DEPTH_LIMIT,
        };
        if self.is_lost(theirs) || way.depth > limit || ours.is_empty() {
            return;
        }
        visit(self, ours, theirs, from);
        for cell in &self.get(theirs).cells {
            let row = self.cell(*cell);
            let leads_on = |root: &&RootId| {
                let is_theirs = **root != theirs && !self.is_shared(**root) && !self.is_folded_at(**root, *cell);
                is_theirs && matches!(self.get(**root).kind, RootKind::Inside(_) | RootKind::Made(_))
            };
            // In most there is nothing.
            if !row.holds.iter().any(|root| leads_on(&root)) {
                continue;
            }
            let steps = self.meant_by(self.our_step(site, row.step));
            let mut inside: Vec<RootId> = Vec::new();
            // What the callee makes and puts there lies there from now on, and not when the call is entered.
            let mut left_inside: Vec<RootId> = Vec::new();
            for (root, step) in ours.iter().flat_map(|root| steps.iter().map(move |step| (root, *step))) {
                match self.cell_of(*root, step).is_some() {
                    true if !self.is_lost(*root) => {
                        for seen in self.seen_by(*root, step) {
                            inside.extend(self.held_at(seen, site.when.point));
                            let holds = self.cell(seen).holds.iter();
                            left_inside.extend(holds.filter(|root| self.get(**root).kind == RootKind::Inside(seen)));
                        }
                    }
                    // Too deep for cells of its own: what lies in it stands with it.
                    _ if self.is_deep(*root) => inside.push(*root),
                    _ => inside.push(UNKNOWN),
                }
            }
            left_inside.extend(&inside);
            for inside in [&mut inside, &mut left_inside] {
                inside.sort_unstable();
                inside.dedup();
            }
            let is_given = |root: &RootId| self.given_name(site, *root).is_some();
            for root in row.holds.iter().filter(leads_on).filter(|root| !is_given(root)) {
                let inside = match self.get(*root).kind {
                    RootKind::Made(_) => &left_inside,
                    _ => &inside,
                };
                let Some(way) = way.on(self.deeper(*cell)) else {
                    continue;
                };
                if self.is_loop(*root) {
                    let mut all = Roots::from_slice(inside);
                    self.add_folded(site, *root, &mut all);
                    self.pairs_from(site, &all, *root, (way, None), visit);
                } else {
                    self.pairs_from(site, inside, *root, (way, None), visit);
                }
            }
        }
    }
}
