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

use super::object::Object;
use super::rows::RowSite;
use super::solve::{Solver, StoreRow, Target};
use crate::facts::ContainerKind;
use crate::facts::by_name::SetTo;
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol};

/// Most members that one such statement sets.
const MEMBER_LIMIT: usize = 128;

/// One statement.
#[derive(Debug)]
pub(super) struct SetRow {
    base: PlaceIndex,
    to: SetIndex,
    at: RowSite,
    /// What is told already.
    told: FxHashSet<(Symbol, PlaceIndex)>,
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
                self.members_set.push(SetRow { base, to, at, told });
            }
        }
    }

    /// Sets what tables were found to hold since. Whether there is any.
    pub(super) fn set_parts(&mut self) -> bool {
        let mut is_new = false;
        for index in 0..self.members_set.len() {
            let SetIndex::PartsOf(table) = self.members_set[index].to else {
                continue;
            };
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
            let found: Vec<(Symbol, PlaceIndex)> = parts.collect();
            is_new |= self.set_members(index, found);
        }
        is_new
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
        let mut is_new = false;
        for index in 0..self.members_set.len() {
            let SetIndex::Named(hole, Some(value)) = self.members_set[index].to else {
                continue;
            };
            let mut found = Vec::new();
            for (call, key) in keys.iter().filter(|(of, _)| *of == hole).flat_map(|(_, keys)| keys) {
                let Some(name) = key.text() else { continue };
                let given = self.given_for(*call, hole.0, value);
                found.push((name, given.unwrap_or(value)));
            }
            is_new |= self.set_members(index, found);
        }
        is_new
    }

    /// What a call gives a function for one of its parameters, if it is one.
    fn given_for(&self, call: u32, function: FunctionIndex, value: PlaceIndex) -> Option<PlaceIndex> {
        let parameter = self.parameter_at(value)?;
        let entries = self.calls[call as usize].entries();
        let targets: Vec<Target> = entries.into_iter().collect();
        targets.into_iter().find_map(|target| match target {
            Target::Function {
                function: own,
                receiver,
                ..
            } if own == function => {
                let given = self.arguments_given(call, function, receiver.is_some());
                given.into_iter().find(|(to, _)| *to == parameter)?.1?.place
            }
            _ => None,
        })
    }

    fn set_members(&mut self, index: usize, found: Vec<(Symbol, PlaceIndex)>) -> bool {
        let mut is_new = false;
        for (name, from) in found {
            let SetRow { base, at, told, .. } = &mut self.members_set[index];
            let (base, at) = (*base, *at);
            if told.len() < MEMBER_LIMIT && told.insert((name, from)) {
                is_new = true;
                let row = StoreRow::implicit(base, name, from, at);
                self.push_store(StoreRow { implicit: false, ..row });
            }
        }
        is_new
    }
}
