//! How many steps a generator took by some point of a function: values that the function gave by itself, and those that it took of a
//! generator in one of its variables.
//!
//! ```python
//! flow = lines()         # none
//! head = next(flow)      # takes the first; one from here on
//! if long: next(flow)    # one or two where the ways meet: at least one
//! ```

use serde::{Deserialize, Serialize};

use super::reaching::Slot;

/// A number of steps.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    /// So many at least.
    pub least: u32,
    /// And no more.
    pub is_exact: bool,
}

impl Steps {
    /// None yet.
    pub const NONE: Self = Self {
        least: 0,
        is_exact: true,
    };

    fn next(self) -> Self {
        Self {
            least: self.least.saturating_add(1),
            ..self
        }
    }
}

/// The counts at one point, each of a variable; few functions have any.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Counts {
    rows: Vec<(Slot, Steps)>,
}

impl Counts {
    pub(super) fn of(&self, slot: Slot) -> Option<Steps> {
        let row = self.rows.iter().find(|(known, _)| *known == slot);
        row.map(|(_, steps)| *steps)
    }

    pub(super) fn begin(&mut self, slot: Slot) {
        self.forget(slot);
        self.rows.push((slot, Steps::NONE));
    }

    pub(super) fn forget(&mut self, slot: Slot) {
        self.rows.retain(|(known, _)| *known != slot);
    }

    /// Takes one more.
    pub(super) fn step(&mut self, slot: Slot) {
        for (_, steps) in self.rows.iter_mut().filter(|(known, _)| *known == slot) {
            *steps = steps.next();
        }
    }

    /// There may be more than are known of.
    pub(super) fn blur(&mut self, slot: Slot) {
        for (_, steps) in self.rows.iter_mut().filter(|(known, _)| *known == slot) {
            steps.is_exact = false;
        }
    }

    /// The same of all.
    pub(super) fn blur_all(&mut self) {
        self.rows.iter_mut().for_each(|(_, steps)| steps.is_exact = false);
    }

    /// Control may also come from a point with these.
    pub(super) fn merge(&mut self, other: &Self) {
        self.rows.retain_mut(|(slot, steps)| match other.of(*slot) {
            Some(theirs) => {
                steps.is_exact &= theirs == *steps;
                steps.least = steps.least.min(theirs.least);
                true
            }
            None => false,
        });
    }
}
