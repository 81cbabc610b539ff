//! What a function hands back that another handed back to it: `return other(value)`, where `other` gives what it is given.
//!
//! ```python
//! def register(self, name, function): self.all[name] = function; return function
//! def plain(self, function): return self.register(function.__name__, function)      # what this call put in
//! ```
//!
//! As in [`super::handing`], the caller gets its own arguments back. Whether `other` hands back is known once it is known which function that
//! is: until then what it gives is taken over; from then on, what came in by the parameter goes back to those who put it in.

use rustc_hash::FxHashMap;

use super::arguments::Passing;
use super::handing::Ways;
use super::object::{Object, ObjectId};
use super::solve::{Constraint, Solver};
use crate::facts::{ConditionId, FileFacts, PlaceId, PlaceKind};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex};

/// Most ways by which one parameter is handed back as the same result.
const WAY_LIMIT: usize = 4;

/// Most tests on a way; the outcome of more is not asked for.
const TEST_LIMIT: usize = 6;

/// The value of a call that is the result of the function around it.
#[derive(Debug)]
pub(super) struct Forward {
    function: FunctionIndex,
    value: PlaceIndex,
    result: PlaceIndex,
    /// Where the value goes: the result, or what it holds besides own calls.
    into: PlaceIndex,
    /// What the call is given: arguments, each with the parameter that it is and the tests that this passed.
    given: Vec<(PlaceIndex, PlaceIndex, Vec<u32>)>,
    /// The parameters that come back.
    handed_back: Vec<PlaceIndex>,
}

/// A call of a function that forwards, for what is found out later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entered {
    pub call: u32,
    pub receiver: Option<ObjectId>,
    pub base: Option<PlaceIndex>,
}

/// A parameter that was found to come back as a result, by these tests.
#[derive(Debug)]
struct Found {
    function: FunctionIndex,
    parameter: PlaceIndex,
    way: (PlaceIndex, Vec<u32>),
}

/// All that is forwarded.
#[derive(Debug, Default)]
pub(super) struct Forwards {
    rows: Vec<Forward>,
    by_call: FxHashMap<u32, Vec<u32>>,
    /// The calls of each function that forwards.
    entered: FxHashMap<FunctionIndex, Vec<Entered>>,
    found: Vec<Found>,
}

impl Solver<'_> {
    /// Notes the values of calls that are results, each with whether it is that of an own call, and hangs the others on them as they are.
    pub(super) fn lay_out_forwards(
        &mut self,
        (file, facts): (FileIndex, &FileFacts),
        ways: &Ways<'_>,
        (first_call, first_narrowing): (u32, u32),
        values: Vec<(PlaceId, PlaceId, bool, ConditionId)>,
    ) {
        if values.is_empty() {
            return;
        }
        let results = facts.calls.iter().enumerate();
        let by_result: FxHashMap<PlaceId, usize> = results
            .flat_map(|(index, call)| call.results.iter().map(move |result| (*result, index)))
            .collect();
        for (value, result, is_own, condition) in values {
            let function = self.program.function(file, facts.places[result.0 as usize].function);
            let [from, result] = [value, result].map(|place| self.program.place(file, place));
            let into = match is_own {
                true => result,
                false => self.part_under(result, condition),
            };
            let at = |place: PlaceId| self.program.place(file, place);
            let mut given = Vec::new();
            let call = by_result.get(&value).copied();
            if let Some(call) = call.and_then(|call| facts.calls.get(call)) {
                let arguments = call.arguments.iter().filter_map(|argument| argument.place);
                for argument in arguments.chain(call.receiver) {
                    for (parameter, tests) in ways.to(argument).parameters {
                        let tests = tests.into_iter().map(|test| first_narrowing + test).collect();
                        given.push((at(argument), at(parameter), tests));
                    }
                }
            }
            let Some(call) = call.filter(|_| !given.is_empty()) else {
                self.attach(from, Constraint::Copy(into));
                continue;
            };
            let (call, index) = (first_call + call as u32, self.forwards.rows.len() as u32);
            self.forwards.by_call.entry(call).or_default().push(index);
            self.forwards.entered.entry(function).or_default();
            self.forwards.rows.push(Forward {
                function,
                value: from,
                result,
                into,
                given,
                handed_back: Vec::new(),
            });
            self.attach(from, Constraint::Forward(index));
        }
    }

    /// Something arrives at the value of a call that is a result.
    pub(super) fn forward(&mut self, row: u32, object: ObjectId) {
        let row = &self.forwards.rows[row as usize];
        let is_handed = |parameter: &PlaceIndex| self.slots[parameter.at()].contents.contains(&object);
        if !row.handed_back.iter().any(is_handed) {
            let to = row.into;
            self.add(to, object);
        }
    }

    /// The result that a value goes on to, where none of it goes back to callers.
    pub(super) fn forwarded_whole(&self, row: u32) -> Option<PlaceIndex> {
        let row = &self.forwards.rows[row as usize];
        row.handed_back.is_empty().then_some(row.into)
    }

    /// A call enters a function that may turn out to hand back more.
    pub(super) fn note_entered(&mut self, function: FunctionIndex, entered: Entered) {
        if let Some(calls) = self.forwards.entered.get_mut(&function) {
            calls.push(entered);
        }
    }

    /// What a callee gives of itself is the result of the function around its call as well.
    pub(super) fn copy_forwarded(&mut self, call: u32, from: PlaceIndex, value: PlaceIndex) {
        for row in self.forwards.by_call.get(&call).cloned().unwrap_or_default() {
            let row = &self.forwards.rows[row as usize];
            if row.value == value {
                let to = row.into;
                self.copy(from, to);
            }
        }
    }

    /// A callee hands back what the call gave as this, as this value, behind these tests.
    pub(super) fn hand_on(&mut self, call: u32, argument: PlaceIndex, value: PlaceIndex, tests: &[u32]) {
        let Some(rows) = self.forwards.by_call.get(&call) else {
            return;
        };
        for row in rows {
            let row = &mut self.forwards.rows[*row as usize];
            if row.value != value {
                continue;
            }
            for (_, parameter, before) in row.given.iter().filter(|(given, ..)| *given == argument) {
                if !row.handed_back.contains(parameter) {
                    row.handed_back.push(*parameter);
                }
                let ways = self.handed_back.entry(*parameter).or_default();
                let known = || ways.iter().filter(|(result, _)| *result == row.result);
                let mut all: Vec<u32> = before.iter().chain(tests).copied().collect();
                if all.len() > TEST_LIMIT || known().count() + 1 >= WAY_LIMIT {
                    all.clear();
                }
                // Fewer tests let more through.
                if known().any(|(_, tests)| tests.iter().all(|test| all.contains(test))) {
                    continue;
                }
                ways.push((row.result, all.clone()));
                self.forwards.found.push(Found {
                    function: row.function,
                    parameter: *parameter,
                    way: (row.result, all),
                });
            }
        }
    }

    /// Those who called a function before it was known to hand something back get it now.
    pub(super) fn hand_back_found(&mut self) {
        while let Some(found) = self.forwards.found.pop() {
            let calls = self.forwards.entered.get(&found.function).cloned().unwrap_or_default();
            for Entered { call, receiver, base } in calls {
                let way = std::slice::from_ref(&found.way);
                if let Some(receiver) = receiver
                    && self.receiver_place(found.function) == Some(found.parameter)
                {
                    for to in self.places_back((call, found.function), found.parameter, base, way) {
                        self.add(to, receiver);
                        if let (Object::Instance(class), Some(base)) = (self.objects.get(receiver), base) {
                            self.receive_container(class, base, [to]);
                        }
                    }
                }
                for passing in self.passings(call, found.function, receiver.is_some(), base) {
                    if passing.to == found.parameter
                        && !passing.is_receiver_known(receiver)
                        && passing.gathered.is_none()
                    {
                        for to in self.places_back((call, found.function), passing.to, Some(passing.from), way) {
                            self.pass(Passing { to, ..passing });
                        }
                    }
                }
            }
        }
    }

    /// Whether a call that forwards hands this on, which its function was given.
    fn is_given(&self, call: u32, argument: PlaceIndex) -> bool {
        let rows = self.forwards.by_call.get(&call).into_iter().flatten();
        let mut given = rows.flat_map(|row| &self.forwards.rows[*row as usize].given);
        given.any(|(given, ..)| *given == argument)
    }

    /// Where a call gets back what it hands over as a parameter.
    pub(super) fn places_back(
        &mut self,
        (call, function): (u32, FunctionIndex),
        parameter: PlaceIndex,
        argument: Option<PlaceIndex>,
        ways: &[(PlaceIndex, Vec<u32>)],
    ) -> Vec<PlaceIndex> {
        if ways.is_empty() {
            return Vec::new();
        }
        // What the method was given goes back to its caller, whatever the receiver.
        if let (Some(own), Some(argument)) = (self.made_of(call), argument)
            && self.is_given(own, argument)
        {
            return Vec::new();
        }
        let results = self.function_results(function);
        let given = self.call_results(call).to_vec();
        let mut to = Vec::new();
        for (result, tests) in ways {
            let position = results.iter().position(|own| own == result);
            let Some(value) = position.and_then(|position| given.get(position).copied()) else {
                continue;
            };
            if let Some(argument) = argument {
                self.hand_on(call, argument, value, tests);
            }
            let value = self.behind_declared(call, [*result, parameter], value);
            to.push(self.behind_tests(call, tests, value));
        }
        to
    }
}

/// Whether a place holds the value of a call.
pub(super) fn is_call_value(facts: &FileFacts, place: PlaceId) -> bool {
    facts.places[place.0 as usize].kind == PlaceKind::CallValue
}
