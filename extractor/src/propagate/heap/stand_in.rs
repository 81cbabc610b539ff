//! What a function makes where it is given nothing: `if items is None: items = []`, `items = items or []`.
//!
//! The variable holds what the parameter brings, or what is made here, and never both: what is done to it is certainly done to the
//! one that is there.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Heap, RootId, RootKind};
use crate::facts::{Condition, Constant, PlaceId, Question};
use crate::link::{FileIndex, PlaceIndex};
use crate::propagate::solve::Solver;

impl Heap {
    /// Finds the objects that are made for a parameter that is nothing, and go nowhere else.
    pub(super) fn note_stand_ins(&mut self, solver: &Solver<'_>) {
        let mut found: FxHashMap<RootId, PlaceIndex> = FxHashMap::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            let facts = &file.facts;
            let file = FileIndex(index as u32);
            let mut stands_in: FxHashMap<PlaceId, PlaceId> = FxHashMap::default();
            let mut others: FxHashSet<PlaceId> = FxHashSet::default();
            if facts.conditions.is_empty() {
                continue;
            }
            for flow in &facts.flows {
                match flow.condition.row(&facts.conditions).filter(|row| is_nothing(row)) {
                    Some(row) if flow.same => match stands_in.insert(flow.from, row.parameter) {
                        Some(other) if other != row.parameter => _ = others.insert(flow.from),
                        _ => {}
                    },
                    _ => _ = others.insert(flow.from),
                }
            }
            for (made, parameter) in stands_in.into_iter().filter(|(made, _)| !others.contains(made)) {
                if let Some(root) = self.made.get(&solver.program.place(file, made)) {
                    found.insert(*root, solver.program.place(file, parameter));
                }
            }
        }
        self.stand_ins = found;
    }

    /// Whether it is certainly this object, where it is there at all, that a place with these holds.
    pub(super) fn is_the_one(&self, roots: &[RootId], root: RootId) -> bool {
        match roots {
            [only] => *only == root,
            [one, other] if [*one, *other].contains(&root) => {
                self.stands_in_for(*one, *other) || self.stands_in_for(*other, *one)
            }
            _ => false,
        }
    }

    fn stands_in_for(&self, made: RootId, brought: RootId) -> bool {
        match self.get(brought).kind {
            RootKind::Parameter(parameter) => self.stand_ins.get(&made) == Some(&parameter),
            _ => false,
        }
    }
}

/// Whether a condition says that a parameter is nothing.
fn is_nothing(row: &Condition) -> bool {
    match row.question {
        Question::Equals => row.constant == Constant::Nothing && row.holds,
        Question::IsTrue => !row.holds,
        _ => false,
    }
}
