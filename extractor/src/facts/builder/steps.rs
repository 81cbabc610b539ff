//! Generators that are stepped: how many values a function gave by now, and how many were taken of a generator in a variable.

use super::Builder;
use crate::facts::reaching::Slot;
use crate::facts::steps::Steps;
use crate::facts::{Name, PlaceId, PlaceKind};

impl Builder {
    /// A variable is given a value: of what a call just made no step was taken.
    pub fn begin_steps(&mut self, name: Name, value: PlaceId) {
        let is_given = self.facts.places[value.0 as usize].kind == PlaceKind::CallValue;
        if let Some((depth, slot)) = self.stepped(name).filter(|_| is_given) {
            self.scopes[depth].webs.begin_steps(slot);
        }
    }

    /// How many steps were taken of what is in a variable.
    pub fn steps(&self, name: Name) -> Option<Steps> {
        let (depth, slot) = self.stepped(name)?;
        self.scopes[depth].webs.steps(slot)
    }

    /// Takes one more; gives how many there were before.
    pub fn step(&mut self, name: Name) -> Option<Steps> {
        let (depth, slot) = self.stepped(name)?;
        self.scopes[depth].webs.step(slot)
    }

    /// Any number of steps may be taken here of what the variable holds.
    pub fn steps_taken(&mut self, name: Name) {
        if let Some((depth, slot)) = self.lookup(name) {
            self.steps_shared(depth, slot);
        }
    }

    /// Somebody else may take steps of what the variable holds from here on.
    pub(super) fn steps_shared(&mut self, depth: usize, slot: Slot) {
        self.scopes[depth].webs.blur_steps(slot);
    }

    /// The function that is walked gives values as it is asked for them.
    pub fn begin_yields(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.begin_steps(Slot::OWN);
        }
    }

    /// The function gives a value, as its caller asked for one: how many it gave before.
    pub fn next_yield(&mut self) -> Steps {
        let scope = self.scopes.last_mut();
        scope.and_then(|scope| scope.webs.step(Slot::OWN)).unwrap_or_default()
    }

    /// The function gives any number of values.
    pub fn yield_many(&mut self) -> Steps {
        let Some(scope) = self.scopes.last_mut() else {
            return Steps::default();
        };
        let before = scope.webs.steps(Slot::OWN).unwrap_or_default();
        scope.webs.blur_steps(Slot::OWN);
        before
    }

    fn stepped(&self, name: Name) -> Option<(usize, Slot)> {
        let is_own = !self.at_file_level() && self.is_own_variable(name) && !self.is_captured(name);
        self.lookup(name).filter(|_| is_own)
    }
}
