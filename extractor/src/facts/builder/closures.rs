//! What inner functions write into variables of outer ones, and when: at any call from then on, at once, or where the outer one ends.
//!
//! ```go
//! text := secret()
//! set := func() { text = "clean" }     // nothing has changed yet
//! early := text                        // secret
//! set()                                // whoever is called may be `set`, or call it
//! late := text                         // secret, or what `set` writes
//! defer func() { text = "closed" }()   // nobody sees this but what is read where the function ends
//! ```
//!
//! All that inner functions write into one variable is one definition of it, its *inner web*, which reaches a use as any other does.

use rustc_hash::{FxHashMap, FxHashSet};

use super::scopes::LATER_LIMIT;
use super::{Builder, Captured, Runs, Scope};
use crate::facts::reaching::Slot;
use crate::facts::{FunctionId, Name, PlaceId, PlaceKind, Position};

/// What the inner functions of a function write into its variables.
#[derive(Debug, Default)]
pub(super) struct InnerWrites {
    /// Inner webs of what is written whenever somebody calls.
    anytime: FxHashMap<Slot, PlaceId>,
    /// Of what is written by the function that is just being called where it is made.
    at_once: FxHashMap<Slot, PlaceId>,
    /// Of what is written where the function ends.
    at_end: FxHashMap<Slot, PlaceId>,
    /// Variables that inner functions certainly assign where the function ends.
    replaced: FxHashSet<Slot>,
    /// Variables of the functions around that this one has assigned wherever it ends; none before it does.
    assigned: Option<FxHashSet<Name>>,
    /// Each write: the inner web, what is written, where.
    pub(super) writes: Vec<(PlaceId, PlaceId, Position)>,
}

impl InnerWrites {
    /// The inner web of a variable, once there is one.
    pub(super) fn web(&self, slot: Slot) -> Option<PlaceId> {
        self.anytime.get(&slot).copied()
    }

    /// The same for what is written where the function ends.
    pub(super) fn web_at_end(&self, slot: Slot) -> Option<PlaceId> {
        self.at_end.get(&slot).copied()
    }
}

impl Scope {
    /// The function ends here: variables of others that it has not assigned by now are what they were.
    fn note_replaced(&mut self) {
        let webs = &self.webs;
        let is_replaced = |captured: &Captured| {
            let definitions = webs.definitions(captured.slot);
            let is_own = |place: &PlaceId| *place != captured.place && definitions.contains(place);
            let reaching = webs.reaching(captured.slot);
            !reaching.is_empty() && reaching.iter().all(is_own)
        };
        let replaced = self.captured.iter().filter(|(_, captured)| is_replaced(captured));
        let replaced: FxHashSet<Name> = replaced.map(|(name, _)| *name).collect();
        match &mut self.inner.assigned {
            Some(assigned) => assigned.retain(|name| replaced.contains(name)),
            none => *none = Some(replaced),
        }
    }

    /// Inner functions may run here that run at such times: this is what they see.
    fn note(&mut self, at: impl Fn(Runs) -> bool) {
        for capture in self.captures.iter_mut().filter(|capture| at(capture.runs)) {
            let set = self.webs.set_of(capture.slot);
            if let Some(there) = &mut capture.there
                && capture.noted != set
                && there.len() <= LATER_LIMIT
            {
                capture.noted = set;
                there.extend(self.webs.use_of(capture.slot));
            }
        }
    }
}

impl Builder {
    /// Says when the function runs that is opened next.
    pub fn next_runs(&mut self, runs: Runs) {
        self.next_runs = Some(runs);
    }

    /// Whether [`Builder::next_runs`] has something to say of the next function.
    pub fn knows_next(&self) -> bool {
        self.next_runs.is_some()
    }

    /// When a function that is open inside the one at this depth runs, as that one sees it.
    pub(super) fn runs_inside(&self, depth: usize) -> Runs {
        let mut inner = self.scopes.iter().skip(depth + 1).map(|scope| scope.runs);
        match inner.next() {
            Some(Runs::AtOnce) if inner.any(|runs| runs == Runs::Anytime) => Runs::Anytime,
            Some(runs) => runs,
            None => Runs::Anytime,
        }
    }

    /// An inner function writes into a variable of an outer one.
    pub(super) fn written_inside(&mut self, captured: Captured, name: Name, place: PlaceId, position: Position) {
        let runs = self.runs_inside(captured.outer_scope);
        let slot = captured.outer_slot;
        let outer = &self.scopes[captured.outer_scope];
        let webs = match runs {
            Runs::Anytime => &outer.inner.anytime,
            Runs::AtOnce => &outer.inner.at_once,
            Runs::AtEnd | Runs::AtAnyEnd => &outer.inner.at_end,
        };
        let known = webs.get(&slot).copied();
        let function: FunctionId = outer.function;
        let web = known.unwrap_or_else(|| self.place_of(function, PlaceKind::Value, name, position));
        let outer = &mut self.scopes[captured.outer_scope];
        outer.inner.writes.push((web, place, position));
        if known.is_some() {
            return;
        }
        let webs = match runs {
            Runs::Anytime => &mut outer.inner.anytime,
            Runs::AtOnce => &mut outer.inner.at_once,
            Runs::AtEnd | Runs::AtAnyEnd => &mut outer.inner.at_end,
        };
        webs.insert(slot, web);
        if !matches!(runs, Runs::AtEnd | Runs::AtAnyEnd) {
            outer.webs.note(slot, web);
        }
    }

    /// Code that is not this function's may run here: what inner functions write may be there from now on.
    pub fn others_run(&mut self) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let at_once = std::mem::take(&mut scope.inner.at_once);
        for (slot, web) in scope.inner.anytime.iter().chain(&at_once) {
            scope.webs.add(*slot, *web);
        }
        scope.note(|runs| runs == Runs::Anytime);
    }

    /// The function ends here: this is what closures see that run then.
    pub fn note_end(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.note(|runs| runs != Runs::AtOnce);
            scope.note_replaced();
        }
    }

    /// The function that was just closed runs where this one ends, whatever way that goes from here on.
    pub fn replaced_at_end(&mut self) {
        let closed = std::mem::take(&mut self.replaced);
        if let Some(scope) = self.scopes.last_mut() {
            scope.inner.replaced.extend(closed);
        }
    }

    /// Whether what a variable holds where this function ends is gone when it has ended.
    pub fn is_replaced_at_end(&self, name: Name) -> bool {
        let Some((depth, slot)) = self.lookup(name) else {
            return false;
        };
        let scope = &self.scopes[depth];
        scope.inner.replaced.contains(&slot) && !scope.shared.contains(&slot)
    }

    /// What the function that was just closed leaves in variables of this one, if it runs at once, and whatever way that goes.
    pub fn left_at_once(&mut self) -> Vec<(Slot, PlaceId)> {
        let closed = std::mem::take(&mut self.replaced);
        let Some(scope) = self.scopes.last() else {
            return Vec::new();
        };
        let left = closed.into_iter().filter(|slot| !scope.shared.contains(slot));
        left.filter_map(|slot| Some((slot, *scope.inner.at_once.get(&slot)?)))
            .collect()
    }

    /// The closure that was just closed is what this place holds: what it leaves is known where that is called.
    pub fn note_closure(&mut self, closure: PlaceId) {
        let left = std::mem::take(&mut self.replaced);
        if !left.is_empty() {
            self.left_by.insert(closure, left);
        }
    }

    /// What a variable holds is called, and nothing else that has this name: what it leaves in variables of this function.
    pub fn run_closure(&mut self, name: Name) {
        let held = self.only_definition(name).filter(|_| self.is_own_variable(name));
        let left = held.and_then(|held| self.left_by.get(&held)).cloned();
        let Some(scope) = self.scopes.last_mut() else { return };
        for slot in left.unwrap_or_default() {
            if let Some(web) = scope.inner.anytime.get(&slot).filter(|_| !scope.shared.contains(&slot)) {
                scope.webs.define(slot, *web);
            }
        }
    }

    /// A variable is given a closure.
    pub fn hold_closure(&mut self, closure: PlaceId, variable: PlaceId) {
        if let Some(left) = self.left_by.get(&closure).cloned() {
            self.left_by.insert(variable, left);
        }
    }

    /// It runs here.
    pub fn run_at_once(&mut self, left: &[(Slot, PlaceId)]) {
        if let Some(scope) = self.scopes.last_mut() {
            for (slot, web) in left {
                scope.webs.define(*slot, *web);
            }
        }
    }

    /// The variables of the function around that an inner one of it assigns on all ways to its end.
    pub(super) fn replaced_by(&self, scope: &Scope) -> Vec<Slot> {
        let Some(replaced) = scope.inner.assigned.as_ref() else {
            return Vec::new();
        };
        let own = scope.captured.iter().filter(|(name, _)| replaced.contains(name));
        let direct = own.filter(|(_, captured)| captured.outer_scope + 1 == self.scopes.len());
        direct.map(|(_, captured)| captured.outer_slot).collect()
    }

    /// What closures that run where this function ends write into one of its variables.
    pub fn written_at_end(&self, name: Name) -> Option<PlaceId> {
        let (depth, slot) = self.lookup(name)?;
        self.scopes[depth].inner.web_at_end(slot)
    }
}
