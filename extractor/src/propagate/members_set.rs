//! Members that are set under names which other functions hand in.
//!
//! ```python
//! def fill(row, **values):
//!     for name, value in values.items(): setattr(row, name, value)
//! fill(row, plan=order["plan"])                 # in another file: `row.plan`
//! def put(row, name, value): setattr(row, name, value)
//! put(row, "plan", order["plan"])
//! ```

use rustc_hash::FxHashSet;

use super::keyed::entered;
use super::object::Object;
use super::rows::RowSite;
use super::solve::{Solver, StoreRow, Target};
use crate::facts::by_name::SetTo;
use crate::facts::{ArgumentKind, ContainerKind, ParameterKind, PlaceKind};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol};

/// Most members that one such statement sets, of all objects that it is given.
const MEMBER_LIMIT: usize = 512;

/// One statement.
#[derive(Debug)]
pub(super) struct SetRow {
    base: PlaceIndex,
    to: SetIndex,
    at: RowSite,
    /// What is told already.
    told: FxHashSet<(PlaceIndex, Symbol, PlaceIndex)>,
}

/// [`SetTo`], in the program's numbers.
#[derive(Debug, Clone, Copy)]
enum SetIndex {
    PartsOf(PlaceIndex),
    Named((FunctionIndex, PlaceIndex), Option<PlaceIndex>),
}

impl Solver<'_> {
    /// Reads the statements of all files.
    pub(super) fn lay_out_members_set(&mut self) {
        for index in 0..self.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.program.files[index].facts.clone();
            for row in &facts.by_name.members_set {
                let place = |local| self.program.place(file, local);
                let function = self.program.function(file, row.function);
                let to = match row.to {
                    SetTo::PartsOf(table) => SetIndex::PartsOf(place(table)),
                    SetTo::Named(name, value) => SetIndex::Named((function, place(name)), value.map(place)),
                };
                let at = RowSite {
                    file,
                    function,
                    position: row.position,
                    point: row.point,
                    silent: false,
                };
                let (base, told) = (place(row.base), FxHashSet::default());
                if let SetIndex::PartsOf(_) = to {
                    self.calls_that_set.entry(function).or_default();
                }
                self.members_set.push(SetRow { base, to, at, told });
            }
        }
    }

    /// Sets what tables were found to hold since. Whether there is any.
    pub(super) fn set_parts(&mut self) -> bool {
        let mut found = Vec::new();
        for (index, row) in self.members_set.iter().enumerate() {
            let SetIndex::PartsOf(table) = row.to else { continue };
            if [row.base, table].iter().all(|place| self.handed_in(*place).is_none()) {
                let parts = self.texts_in(table).into_iter();
                found.extend(parts.map(|(name, from)| (index, (row.base, name, from), row.at)));
                continue;
            }
            let calls = self.calls_that_set.get(&row.at.function).into_iter().flatten();
            for call in calls.copied().filter(|call| !self.calls[*call as usize].silent) {
                let Some(base) = self.given_to(call, row.at.function, row.base) else {
                    continue;
                };
                let parts = match self.handed_in(table) {
                    None => self.texts_in(table),
                    Some(_) => self.texts_given(call, row.at.function, table),
                };
                let at = self.calls[call as usize].at();
                found.extend(parts.into_iter().map(|(name, from)| (index, (base, name, from), at)));
            }
        }
        self.set_members(found)
    }

    /// Sets what callers name by a constant. Whether there is any.
    pub(super) fn set_named(&mut self) -> bool {
        let named = self.members_set.iter().filter_map(|row| match row.to {
            SetIndex::Named(hole, _) => Some(hole),
            SetIndex::PartsOf(_) => None,
        });
        let holes: FxHashSet<(FunctionIndex, PlaceIndex)> = named.collect();
        if holes.is_empty() {
            return false;
        }
        let keys = self.keys_of(&holes);
        let mut found = Vec::new();
        for (index, row) in self.members_set.iter().enumerate() {
            let SetIndex::Named(hole, Some(value)) = row.to else {
                continue;
            };
            for (call, key) in keys.iter().filter(|(of, _)| *of == hole).flat_map(|(_, keys)| keys) {
                let given = |place| self.given_to(*call, hole.0, place);
                if let (Some(name), Some(base), Some(from)) = (key.text(), given(row.base), given(value)) {
                    found.push((index, (base, name, from), self.calls[*call as usize].at()));
                }
            }
        }
        self.set_members(found)
    }

    /// The parameter, or the receiver, that a place is.
    fn handed_in(&self, place: PlaceIndex) -> Option<PlaceIndex> {
        let is_receiver = self.program.place_kind(place) == Some(PlaceKind::Receiver);
        is_receiver.then_some(place).or_else(|| self.parameter_at(place))
    }

    /// Notes the calls of functions that set what lies in tables.
    pub(super) fn note_set(&mut self, call: u32, target: Target) {
        if let Some((function, _)) = entered(&target)
            && let Some(calls) = self.calls_that_set.get_mut(&function)
            && let Err(at) = calls.binary_search(&call)
        {
            calls.insert(at, call);
        }
    }

    /// What a call gives a function in a place: for a parameter the argument, for the receiver what it is called on; a place of its own stays.
    fn given_to(&self, call: u32, function: FunctionIndex, place: PlaceIndex) -> Option<PlaceIndex> {
        let Some(parameter) = self.handed_in(place) else {
            return Some(place);
        };
        let row = &self.calls[call as usize];
        if self.program.place_kind(parameter) == Some(PlaceKind::Receiver) {
            let makes = row
                .targets
                .iter()
                .any(|target| matches!(target, Target::Constructor { .. }));
            return match makes {
                true => self.call_results(call).first().copied(),
                false => row.receiver,
            };
        }
        let given = self.arguments_given(call, function, self.is_bound(call, function));
        given.into_iter().find(|(to, _)| *to == parameter)?.1?.place
    }

    fn is_bound(&self, call: u32, function: FunctionIndex) -> bool {
        let mut targets = self.calls[call as usize].targets.iter();
        targets.any(|target| match target {
            Target::Constructor { function: own, .. } => *own == function,
            Target::Function {
                function: own,
                receiver,
                ..
            } => *own == function && receiver.is_some(),
            _ => false,
        })
    }

    /// What lies in the tables of a place under texts.
    fn texts_in(&self, table: PlaceIndex) -> Vec<(Symbol, PlaceIndex)> {
        let tables = self.held(table).filter_map(|(id, object)| match object {
            Object::Container {
                kind: ContainerKind::Map,
                ..
            } => self.parts.get(&id),
            _ => None,
        });
        let parts = tables.flatten().filter_map(|(part, place)| match part {
            Part::Text(name) => Some((*name, *place)),
            _ => None,
        });
        parts.collect()
    }

    /// What a call gives a parameter under texts: what lies in its argument, or the keywords that the parameter gathers.
    fn texts_given(&self, call: u32, function: FunctionIndex, table: PlaceIndex) -> Vec<(Symbol, PlaceIndex)> {
        let facts = self.program.function_facts(function);
        let file = self.program.functions[function.at()].file;
        let parameter = self.handed_in(table);
        let gathers = facts.parameters.iter().any(|own| {
            own.kind == ParameterKind::RestKeywords && Some(self.program.place(file, own.place)) == parameter
        });
        if !gathers {
            return self
                .given_to(call, function, table)
                .map_or_else(Vec::new, |given| self.texts_in(given));
        }
        let is_own = |name: Symbol| {
            facts
                .parameters
                .iter()
                .any(|own| self.program.symbol(file, own.name) == name)
        };
        let mut texts = Vec::new();
        for argument in self.call_arguments(call) {
            match (argument.kind, argument.name, argument.place) {
                (ArgumentKind::SpreadKeywords, _, Some(spread)) => texts.extend(self.texts_in(spread)),
                (_, Some(name), Some(place)) if !is_own(name) => texts.push((name, place)),
                _ => {}
            }
        }
        texts
    }

    fn set_members(&mut self, found: Vec<(usize, (PlaceIndex, Symbol, PlaceIndex), RowSite)>) -> bool {
        let mut is_new = false;
        for (index, (base, name, from), at) in found {
            let told = &mut self.members_set[index].told;
            if told.len() < MEMBER_LIMIT && told.insert((base, name, from)) {
                is_new = true;
                let row = StoreRow::implicit(base, name, from, at);
                self.push_store(StoreRow { implicit: false, ..row });
            }
        }
        is_new
    }
}
