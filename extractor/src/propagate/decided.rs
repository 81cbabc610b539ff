//! Ways through a function on which a call cannot go, for what it hands over.
//!
//! ```go
//! func clear(form *Form, keep bool) {
//!     if keep { return }           // this way is left out where `keep` is false,
//!     form.text = ""               // so that the text is written over for certain
//! }
//! clear(form, false)
//! ```
//!
//! The points under conditions that fail for a call are *dead* to it. What a call hands on of its caller's parameters is answered by the
//! call before, as for flows: see [`super::conditions`].

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::conditions::{Conditions, HANDED_ON_LIMIT};
use super::solve::Solver;
use crate::facts::order::Point;
use crate::facts::{Condition, ConditionId};
use crate::link::{FileIndex, FunctionIndex};

/// The points of functions that are under conditions on parameters, and which of them are dead to calls.
#[derive(Debug, Default)]
pub(super) struct Decided {
    conditions: Conditions,
    under: FxHashMap<FunctionIndex, Vec<(Point, ConditionId)>>,
    dead: FxHashMap<(FunctionIndex, Vec<u32>), Arc<Vec<Point>>>,
}

impl Decided {
    pub(super) fn new(solver: &Solver<'_>) -> Self {
        let mut under: FxHashMap<FunctionIndex, Vec<(Point, ConditionId)>> = FxHashMap::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            let facts = &file.facts;
            for (local, point, id) in &facts.points_under {
                let mut rows = super::conditions::rows(*id, &facts.conditions);
                let is_own = |row: &Condition| facts.places[row.parameter.0 as usize].function == *local;
                if *point != Point::NEVER && rows.any(is_own) {
                    let function = solver.program.function(FileIndex(index as u32), *local);
                    under.entry(function).or_default().push((*point, *id));
                }
            }
        }
        under.values_mut().for_each(|points| points.sort_unstable());
        let conditions = Conditions::of_points(solver, &under);
        let dead = FxHashMap::default();
        Self {
            conditions,
            under,
            dead,
        }
    }

    /// The points of a function that nobody comes to who entered it through these calls, the last one first.
    pub(super) fn dead(&mut self, solver: &Solver<'_>, function: FunctionIndex, calls: &[u32]) -> Arc<Vec<Point>> {
        let Some(points) = self.under.get(&function) else {
            return Arc::default();
        };
        let calls = &calls[..calls.len().min(HANDED_ON_LIMIT)];
        let key = (function, calls.to_vec());
        if let Some(known) = self.dead.get(&key) {
            return known.clone();
        }
        let known = self.conditions.known(solver, function, calls);
        let mut dead = Vec::new();
        if !known.is_empty() {
            let fails = |(_, id): &&(Point, ConditionId)| self.conditions.fails(solver, function, *id, &known);
            dead.extend(points.iter().filter(fails).map(|(point, _)| *point));
        }
        let dead = Arc::new(dead);
        self.dead.insert(key, dead.clone());
        dead
    }
}
