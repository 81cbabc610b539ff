//! Exceptions as objects: what a handler takes is what was raised there, or what a callee let out.
//!
//! ```python
//! def check(value): raise Refused(value)
//! try: check(secret)
//! except Refused as error: send(error.value)      # the cell of what this call raised, and nothing of what others raise
//! ```
//!
//! An exception that leaves a function is one more result of its calls. A handler that may also get what was not followed there sees
//! the fields of the class.

use rustc_hash::FxHashMap;

use super::{Callee, Heap};
use crate::link::FunctionIndex;
use crate::propagate::solve::Solver;

impl Heap {
    /// Notes the ways of exceptions, after all calls.
    pub(super) fn lay_out_raised(&mut self, solver: &Solver<'_>) {
        if solver.caught.is_empty() {
            return;
        }
        let mut sites: FxHashMap<(u32, FunctionIndex), (FunctionIndex, usize)> = FxHashMap::default();
        let through: rustc_hash::FxHashSet<u32> = solver.caught.iter().filter_map(|(_, _, call, ..)| *call).collect();
        for (caller, local) in self.locals.iter().enumerate() {
            for (index, site) in local.sites.iter().enumerate() {
                if let Callee::Function { function, .. } = site.callee
                    && through.contains(&site.call)
                {
                    sites.insert((site.call, function), (FunctionIndex(caller as u32), index));
                }
            }
        }
        let open = solver.open_handlers();
        for (from, to, call, ..) in &solver.caught {
            let owner = |place| solver.program.owner_of(place);
            let (Some(raiser), Some(taker)) = (owner(*from), owner(*to)) else {
                continue;
            };
            let site = call
                .and_then(|call| sites.get(&(call, raiser)))
                .filter(|(caller, _)| *caller == taker);
            match (call, site) {
                (None, _) if raiser == taker => self.locals[taker.at()].copies.push((*from, *to)),
                (Some(_), Some((caller, index))) => self.locals[caller.at()].sites[*index].results.push((*to, *from)),
                _ => {
                    self.locals[raiser.at()].escapes.push(*from);
                    self.locals[taker.at()].unknown.push(*to);
                }
            }
            if open.contains(to) {
                self.locals[taker.at()].unknown.push(*to);
            }
        }
    }
}
