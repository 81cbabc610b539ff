//! What never happens, whoever calls: what stands behind a condition that constants answer.
//!
//! ```python
//! from settings import DEBUG            # settings.py says `DEBUG = False`, and nobody sets it
//! if DEBUG: send(text)                  # the text is not handed over
//! box = Box(safe=True)
//! if not box.safe: text = secret        # nothing of the secret comes to `text`
//! ```
//!
//! The call is still one of `send`: the source says so. What depends on who calls is asked in [`super::conditions`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::conditions::of_class::Tests;
use super::conditions::{Given, rows};
use super::flags::either;
use super::solve::Solver;
use crate::facts::order::Point;
use crate::facts::{Condition, ConditionId, Constant, FileFacts, PlaceKind};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct RuledOut {
    /// Variables of files that functions assign, so that constants do not tell what they hold.
    assigned: FxHashSet<PlaceIndex>,
    /// What is in fields of objects that functions make themselves, and what these objects are.
    made: FxHashMap<PlaceIndex, Constant<Symbol>>,
    /// Tests of what these objects are.
    tests: Tests,
    /// Points of functions that nobody comes to.
    never: FxHashSet<(FunctionIndex, Point)>,
}

impl RuledOut {
    /// As far as is known before all is: of constants of files alone.
    pub(super) fn by_files(solver: &mut Solver<'_>) -> Self {
        let mut assigned: FxHashSet<PlaceIndex> = solver.variables_set_by_name();
        for (_, _, places) in &solver.name_targets {
            assigned.extend(places);
        }
        for index in 0..solver.set_in_packages.len() {
            let (package, member) = solver.set_in_packages[index];
            if let Meaning::Places(places) = solver.program.package_member(package, member) {
                assigned.extend(places);
            }
        }
        Self {
            assigned,
            ..Self::default()
        }
    }

    /// Once all is known.
    pub(super) fn new(solver: &mut Solver<'_>) -> Self {
        let mut ruled_out = Self::by_files(solver);
        let made_with = solver.made_with.get().cloned();
        for (index, file) in solver.program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for row in &file.facts.fields_asked {
                let [asked, base] = [row.place, row.base].map(|place| solver.program.place(index, place));
                let field = solver.program.symbol(index, row.field);
                let made = made_with.as_ref().and_then(|made| made.given(solver, base, field));
                if let Some(Given::Constant(constant)) = made {
                    ruled_out.made.insert(asked, constant);
                }
            }
        }
        ruled_out.note_tests(solver);
        for (index, file) in solver.program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            let mut known: FxHashMap<ConditionId, bool> = FxHashMap::default();
            for (function, point, condition) in &file.facts.points_under {
                let is_never = known
                    .entry(*condition)
                    .or_insert_with(|| ruled_out.has_flow(solver, index, *condition));
                if *is_never && *point != Point::NEVER {
                    let function = solver.program.function(index, *function);
                    ruled_out.never.insert((function, *point));
                }
            }
        }
        ruled_out
    }

    /// Notes of which class the objects are that functions make and test themselves.
    fn note_tests(&mut self, solver: &Solver<'_>) {
        for (index, file) in solver.program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for row in &file.facts.conditions {
                let kind = file.facts.places.get(row.parameter.0 as usize).map(|place| place.kind);
                if !matches!(row.constant, Constant::Test(_)) || kind != Some(PlaceKind::Local) {
                    continue;
                }
                let place = solver.program.place(index, row.parameter);
                self.tests.ask(solver, index, row, place);
                if let Some(class) = self.tests.made(solver, (index, place), place) {
                    self.made.insert(place, class);
                }
            }
        }
    }

    /// Whether a flow under a condition never happens.
    pub(super) fn has_flow(&self, solver: &Solver<'_>, file: FileIndex, condition: ConditionId) -> bool {
        let facts = &solver.program.files[file.at()].facts;
        let is_made_otherwise = |row: &Condition| {
            let with = row.constant.map(|text| solver.program.symbol(file, text));
            let made = self.made.get(&solver.program.place(file, row.parameter));
            let answer = made.and_then(|made| match with {
                Constant::Test(test) => self.tests.passes(solver, (file, test), *made),
                with => made.answer(row.question, with),
            });
            answer == Some(!row.holds)
        };
        let mut held = rows(condition, &facts.conditions).filter(|_| !self.made.is_empty());
        condition != ConditionId::default()
            && (solver.is_ruled_out((file, facts), condition, &self.assigned)
                || held.any(|row| either(row, &facts.conditions).all(is_made_otherwise)))
    }

    /// Whether a call never happens.
    pub(super) fn has_call(&self, solver: &Solver<'_>, call: u32) -> bool {
        let row = &solver.calls[call as usize];
        !self.never.is_empty() && self.never.contains(&(row.function, row.point))
    }
}

impl Solver<'_> {
    /// Whether constants of files rule something out, but for what is assigned.
    pub(super) fn is_ruled_out(
        &self,
        (file, facts): (FileIndex, &FileFacts),
        condition: ConditionId,
        assigned: &FxHashSet<PlaceIndex>,
    ) -> bool {
        let says_no = |row: &Condition| {
            let place = self.program.place(file, row.parameter);
            if facts.places[row.parameter.0 as usize].kind != PlaceKind::Value {
                // Of its own names a file tells only what they rule out.
                return !assigned.contains(&place);
            }
            self.flags.get(&place).is_some_and(|flag| {
                let with = row.constant.map(|text| self.program.symbol(file, text));
                flag.constant.answer(row.question, with) == Some(!row.holds) && !assigned.contains(&flag.place)
            })
        };
        rows(condition, &facts.conditions)
            .filter(|row| facts.places[row.parameter.0 as usize].function.0 == 0)
            .any(|row| either(row, &facts.conditions).all(says_no))
    }

    /// What was held back goes on where the variable turned out to be assigned that seemed to rule it out.
    pub(super) fn release_held_back(&mut self) {
        if self.held_back.is_empty() {
            return;
        }
        let ruled_out = RuledOut::by_files(self);
        let held_back = std::mem::take(&mut self.held_back);
        for row in held_back {
            let (file, condition, from, to) = row;
            if ruled_out.has_flow(self, file, condition) {
                self.held_back.push(row);
                continue;
            }
            let to = self.part_under(to, condition);
            self.copy(from, to);
        }
    }
}
