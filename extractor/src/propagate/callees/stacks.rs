//! The calls through which a walk came, one inside the other, each stack by a number.
//!
//! `make(Box).go()`: what comes out of `make` is followed with that call on top, and leaves through the same call's arguments.

use super::{ANYWHERE, STACK_LIMIT, Walks};

impl Walks<'_, '_, '_> {
    /// The calls on a stack, the last one first.
    pub(in crate::propagate) fn calls_of(&self, mut stack: u32) -> Vec<u32> {
        let mut calls = Vec::new();
        while stack != ANYWHERE {
            let (call, before, _) = self.stacks[stack as usize];
            calls.push(call);
            stack = before;
        }
        calls
    }

    /// The stack with one call more; none where it is too high.
    pub(in crate::propagate) fn push(&mut self, call: u32, stack: u32) -> Option<u32> {
        if let Some(known) = self.stack_ids.get(&(call, stack)) {
            return Some(*known);
        }
        let depth = self.stacks[stack as usize].2 + 1;
        if depth > STACK_LIMIT {
            return None;
        }
        self.stacks.push((call, stack, depth));
        let id = self.stacks.len() as u32 - 1;
        self.stack_ids.insert((call, stack), id);
        Some(id)
    }
}
