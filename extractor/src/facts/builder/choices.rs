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
use crate::facts::{PlaceId, PlaceKind, Position};

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

    /// A constant that goes into a field or a part: whether it does depends on the tests around it, and on those around calls of the function.
    pub fn kept_constant(&mut self, position: Position) -> Option<PlaceId> {
        let value = match self.has_tests() {
            true => self.chosen(None, position)?,
            false => {
                self.entered()?;
                self.value(position)
            }
        };
        self.kept_when_called(value, position);
        Some(value)
    }

    /// Whether this goes there depends on whether the function is called.
    pub fn kept_when_called(&mut self, value: PlaceId, position: Position) {
        if let Some(entered) = self.entered() {
            self.facts.kept_constants.push((entered, value, position));
        }
    }

    /// A container that other functions find, too, grows here: whether it does depends on the tests, and on whether the function is called.
    pub fn grows(&mut self, container: PlaceId, position: Position) {
        self.kept_when_called(container, position);
        if self.has_tests() {
            let grown = self
                .innermost_tests(TESTS_LIMIT)
                .into_iter()
                .map(|tested| (tested, container, position));
            self.facts.kept_constants.extend(grown);
        }
    }

    /// A container is a set of keys: how many there are, and whether one is there, depends on each.
    pub fn marks(&mut self, key: PlaceId, container: PlaceId, position: Position) {
        self.test(Some(key), container, position);
        self.facts.kept_constants.push((key, container, position));
    }

    /// What stands for the call of the function around this point; none of the body of a file.
    fn entered(&mut self) -> Option<PlaceId> {
        let function = self.function();
        let row = &self.facts.functions[function.0 as usize];
        if row.parent.is_none() || !self.is_reachable() {
            return None;
        }
        // What a constructor keeps is there with the object.
        let (name, at) = (row.name, row.position);
        if self.facts.text(name) == "__init__" {
            return None;
        }
        Some(self.own_place(PlaceKind::Decision, "called", at))
    }

    /// A statement that was a call, the last since there were so many: what it does depends on the innermost tests around it.
    pub fn tested_call(&mut self, calls_before: usize) {
        /// Most that are told.
        const LIMIT: usize = 2;
        let calls = self.facts.calls.len();
        if calls == calls_before || !self.has_tests() {
            return;
        }
        let tests = self.innermost_tests(LIMIT).into_iter();
        self.facts
            .calls_tested
            .extend(tests.map(|tested| (calls as u32 - 1, tested)));
    }

    /// The function fails here, by an exception or an error: whether it does depends on the innermost tests around.
    pub fn fail(&mut self, position: Position) {
        /// Most that are told.
        const LIMIT: usize = 2;
        if self.at_file_level() || !self.has_tests() {
            return;
        }
        let mut tests = self.innermost_tests(LIMIT);
        tests.dedup();
        let place = self.own_place(PlaceKind::Failure, "failure", position);
        for tested in tests {
            self.test(Some(tested), place, position);
        }
    }

    fn innermost_tests(&self, most: usize) -> Vec<PlaceId> {
        let tests = self.scopes.last().map_or(&[][..], |scope| &scope.tests);
        tests[tests.len().saturating_sub(most)..].to_vec()
    }

    /// What is computed here depends on the tests around it.
    pub fn chosen_as(&mut self, value: PlaceId, position: Position) {
        self.chosen_beside(value, &[], position);
    }

    /// The same, beside what loops around go over: that there are as many of the one as of the other is told by the parts.
    pub fn chosen_beside(&mut self, value: PlaceId, gone_over: &[PlaceId], position: Position) {
        let mut tests = self.innermost_tests(TESTS_LIMIT);
        tests.retain(|tested| !gone_over.contains(tested));
        tests.sort_unstable();
        tests.dedup();
        for tested in tests {
            self.test(Some(tested), value, position);
        }
    }
}
