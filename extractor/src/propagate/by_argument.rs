//! What a function gives under conditions on its parameters: to each caller what the constants let through that this one hands over.
//!
//! ```python
//! def required(view=None, url="/"):
//!     def decorator(view): …
//!     if view: return decorator(view)     # for `@required`: a view
//!     return decorator                    # for `@required(url="/login")`, which leaves `view` at `None`: a decorator
//! ```
//!
//! The result holds both, and a caller of which too little is known gets both. It is made up of **parts**: what always goes into it, and what
//! goes into it under each condition, so that a caller can do without some of them.

use rustc_hash::FxHashMap;

use super::conditions::rows;
use super::object::ObjectId;
use super::solve::Solver;
use crate::facts::{Condition, ConditionId, FileFacts, PlaceId};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex};

/// The parts of results that have some under conditions.
#[derive(Debug, Default)]
pub(super) struct ByArgument(FxHashMap<PlaceIndex, Parts>);

#[derive(Debug, Clone)]
struct Parts {
    /// Where all of them go: the result, or what it holds besides own calls (see [`super::by_receiver`]).
    whole: PlaceIndex,
    always: PlaceIndex,
    under: Vec<(ConditionId, PlaceIndex)>,
}

impl Solver<'_> {
    /// Notes that something goes into a result under a condition, where callers may decide that.
    pub(super) fn note_part(&mut self, file: FileIndex, facts: &FileFacts, result: PlaceId, condition: ConditionId) {
        let function = facts.places[result.0 as usize].function;
        let asks_own = |row: &Condition| {
            let asked = facts.places.get(row.parameter.0 as usize);
            asked.is_some_and(|asked| asked.function == function)
        };
        if function.0 == 0 || !rows(condition, &facts.conditions).any(asks_own) {
            return;
        }
        let result = self.program.place(file, result);
        let function = self.program.function(file, function);
        let mut parts = match self.by_argument.0.remove(&result) {
            Some(parts) => parts,
            None => {
                let whole = self.rest_of(result);
                let always = self.part_of(function, whole);
                let under = Vec::new();
                Parts { whole, always, under }
            }
        };
        if parts.under.iter().all(|(own, _)| *own != condition) {
            parts.under.push((condition, self.part_of(function, parts.whole)));
        }
        self.by_argument.0.insert(result, parts);
    }

    fn part_of(&mut self, function: FunctionIndex, whole: PlaceIndex) -> PlaceIndex {
        let part = self.derive_place(DerivedPlace::Passing(function));
        self.copy(part, whole);
        part
    }

    /// Where what goes into a result under a condition, and is no own call's, is put.
    pub(super) fn part_under(&self, result: PlaceIndex, condition: ConditionId) -> PlaceIndex {
        let Some(parts) = self.by_argument.0.get(&result) else {
            return self.rest_of(result);
        };
        let under = parts.under.iter().find(|(own, _)| *own == condition);
        under.map_or(parts.always, |(_, part)| *part)
    }

    /// The places that make up a result for a call, for what it hands over and for the receiver.
    pub(super) fn result_for(
        &mut self,
        (call, function, receiver): (u32, FunctionIndex, Option<ObjectId>),
        result: PlaceIndex,
    ) -> Vec<PlaceIndex> {
        let places = self.result_for_receiver(function, receiver, result);
        let mut places = places.unwrap_or_else(|| vec![result]);
        // Where own calls of an unknown receiver are part of it, there is no doing without any.
        if let Some(parts) = self.by_argument.0.get(&result)
            && places.first() == Some(&parts.whole)
        {
            let given = |(condition, part): &(ConditionId, PlaceIndex)| {
                let fails = self.is_ruled_out_by(call, (function, receiver.is_some()), *condition);
                (!fails).then_some(*part)
            };
            places[0] = parts.always;
            places.extend(parts.under.iter().filter_map(given));
        }
        places
    }

    /// Whether a condition does not hold in a function, for the constants that a call hands over.
    fn is_ruled_out_by(&self, call: u32, callee: (FunctionIndex, bool), condition: ConditionId) -> bool {
        let file = self.program.functions[callee.0.at()].file;
        let conditions = &self.program.files[file.at()].facts.conditions;
        let fails = |row: &Condition| {
            let with = row.constant.map(|text| self.program.symbol(file, text));
            let given = self.constant_for(call, callee, self.program.place(file, row.parameter));
            given.and_then(|given| given.answer(row.question, with)) == Some(!row.holds)
        };
        // One of the alternatives of a row has to hold.
        let mut all = rows(condition, conditions);
        all.any(|row| std::iter::successors(Some(row), |row| row.or.row(conditions)).all(fails))
    }
}
