//! Values that a test chooses: which of several constants there is depends on what was tested.
//!
//! ```python
//! if ms < 30:
//!     return 0          # the result is found out about `ms`, though no value of it comes there
//! return 1
//! flag = 1 if country == "NL" else 0
//! ```
//!
//! What a call gives comes from where that is made: that a test lets it through is not said (Sridharan, Fink and Bodik 2007, *Thin slicing*).

use ripple_schema::How;

use super::Builder;
use crate::facts::{PlaceId, Position};

/// Most tests around a place that are told, the innermost.
const TESTS_LIMIT: usize = 6;

/// How many tests stand around a point.
#[derive(Debug, Clone, Copy)]
pub struct Tests(usize);

impl Builder {
    /// From here on, until the tests that stand now are restored, what happens depends on this one.
    pub fn choose_by(&mut self, tested: Option<PlaceId>) {
        if let (Some(tested), Some(scope)) = (tested, self.scopes.last_mut()) {
            scope.tests.push(tested);
        }
    }

    /// As [`Self::choose_by`], unless that is known.
    pub fn choose_once_by(&mut self, tested: Option<PlaceId>) {
        let mut known = self.scopes.last().into_iter().flat_map(|scope| &scope.tests);
        if !known.any(|known| Some(*known) == tested) {
            self.choose_by(tested);
        }
    }

    /// The tests that stand around this point.
    pub fn tests(&self) -> Tests {
        Tests(self.scopes.last().map_or(0, |scope| scope.tests.len()))
    }

    /// Whether what happens here depends on tests.
    pub fn has_tests(&self) -> bool {
        self.tests().0 > 0 && self.is_reachable()
    }

    /// The tests that were added since.
    pub fn left_by_since(&self, tests: Tests) -> Vec<PlaceId> {
        let scope = self.scopes.last().map_or(&[][..], |scope| &scope.tests);
        scope.get(tests.0..).unwrap_or_default().to_vec()
    }

    /// Leaves the tests that were added since.
    pub fn restore_tests(&mut self, tests: Tests) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tests.truncate(tests.0);
        }
    }

    /// A value, or, where it is a constant that tests choose, what stands for it.
    pub fn chosen(&mut self, value: Option<PlaceId>, position: Position) -> Option<PlaceId> {
        if value.is_some() || !self.has_tests() {
            return value;
        }
        let value = self.value(position);
        self.chosen_as(value, position);
        Some(value)
    }

    /// What a field or part gets under tests, which it would not have got otherwise.
    pub fn chosen_copy(&mut self, value: PlaceId, position: Position) -> PlaceId {
        let held = self.value(position);
        self.flow(Some(value), held, How::Assign, position);
        self.take_shape(value, held);
        self.chosen_as(held, position);
        held
    }

    /// What is computed here depends on the tests around it.
    pub fn chosen_as(&mut self, value: PlaceId, position: Position) {
        let tests = self.scopes.last().map_or(&[][..], |scope| &scope.tests);
        let mut tests = tests[tests.len().saturating_sub(TESTS_LIMIT)..].to_vec();
        tests.sort_unstable();
        tests.dedup();
        for tested in tests {
            self.test(Some(tested), value, position);
        }
    }
}
