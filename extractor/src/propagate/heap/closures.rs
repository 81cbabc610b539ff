//! Closures as objects: each time that one is made it keeps variables of its own.
//!
//! ```go
//! func keep(text string) func() string { return func() string { return text } }
//! first, second := keep(a), keep(b)      // two objects: what `first()` gives is what `first` keeps
//! ```
//!
//! What a closure keeps are the cells of the object that it is; the function gets them with every call, as it gets the fields of a
//! receiver. Where a closure goes to code that is not followed, the variable itself says what it keeps.

use ripple_schema::How;
use rustc_hash::FxHashMap;

use super::{Access, Heap, When};
use crate::facts::order::Point;
use crate::facts::{self, FileFacts, PlaceKind};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Step};
use crate::propagate::solve::Solver;

impl Heap {
    /// Finds what the closures of a file keep.
    pub(super) fn lay_out_closures(&mut self, solver: &mut Solver<'_>, file: FileIndex, facts: &FileFacts) {
        let made: FxHashMap<facts::FunctionId, facts::PlaceId> = facts
            .objects
            .iter()
            .filter_map(|(place, object)| match object {
                facts::Object::Function(function) => Some((*function, *place)),
                _ => None,
            })
            .collect();
        let points: FxHashMap<_, _> = facts
            .captures
            .iter()
            .map(|(from, to, point)| ((*from, *to), *point))
            .collect();
        for flow in facts.flows.iter().filter(|flow| flow.how == How::Capture) {
            let (outer, kept) = (facts.places[flow.from.0 as usize], facts.places[flow.to.0 as usize]);
            if kept.kind != PlaceKind::Captured {
                continue;
            }
            let Some(literal) = made.get(&kept.function) else {
                continue;
            };
            if facts.places[literal.0 as usize].function != outer.function {
                continue;
            }
            let closure = solver.program.function(file, kept.function);
            let maker = solver.program.function(file, outer.function);
            let variable = solver.program.symbol(file, kept.name);
            let (from, to) = (
                solver.program.place(file, flow.from),
                solver.program.place(file, flow.to),
            );
            let (literal, inside) = self.closure_at(solver, (file, *literal), closure);
            let at = (file, flow.position);
            let point = points.get(&(flow.from, flow.to)).copied();
            if point.is_none() {
                self.assigned_inside.insert(closure);
            }
            let when = When::certain(point.unwrap_or_default());
            let access = |base, value, function| Access {
                base,
                step: Step::Kept(variable),
                value: Some(value),
                fields: vec![from],
                at,
                when,
                function,
            };
            self.locals[maker.at()].writes.push(access(literal, from, maker));
            self.locals[closure.at()].reads.push(access(inside, to, closure));
            self.captures.insert((from, to), (literal, inside, variable, when));
        }
        self.lay_out_written(solver, file, facts, &made);
    }

    /// What closures write into variables that nobody else's closures see.
    fn lay_out_written(
        &mut self,
        solver: &mut Solver<'_>,
        file: FileIndex,
        facts: &FileFacts,
        made: &FxHashMap<facts::FunctionId, facts::PlaceId>,
    ) {
        let is_kept = |place: facts::PlaceId| facts.places[place.0 as usize].kind == PlaceKind::Captured;
        let captures = || facts.flows.iter().filter(|flow| flow.how == How::Capture);
        let mut writers: FxHashMap<facts::PlaceId, Vec<facts::FunctionId>> = FxHashMap::default();
        for flow in captures() {
            let (web, closure) = match (is_kept(flow.from), is_kept(flow.to)) {
                (true, false) => (flow.to, facts.places[flow.from.0 as usize].function),
                (false, true) => (flow.from, facts.places[flow.to.0 as usize].function),
                _ => continue,
            };
            let closures = writers.entry(web).or_default();
            if !closures.contains(&closure) {
                closures.push(closure);
            }
        }
        for flow in captures().filter(|flow| is_kept(flow.from) && !is_kept(flow.to)) {
            let written = facts.places[flow.from.0 as usize];
            let (Some([only]), Some(literal)) = (writers.get(&flow.to).map(Vec::as_slice), made.get(&written.function))
            else {
                continue;
            };
            let maker = facts.places[flow.to.0 as usize].function;
            if *only != written.function || facts.places[literal.0 as usize].function != maker {
                continue;
            }
            let closure = solver.program.function(file, written.function);
            let maker = solver.program.function(file, maker);
            let variable = solver.program.symbol(file, written.name);
            let (from, to) = (
                solver.program.place(file, flow.from),
                solver.program.place(file, flow.to),
            );
            let (literal, inside) = self.closure_at(solver, (file, *literal), closure);
            let at = (file, flow.position);
            let when = When::certain(Point::default());
            self.assigned_inside.insert(closure);
            let access = |base, value, function| Access {
                base,
                step: Step::Kept(variable),
                value: Some(value),
                fields: Vec::new(),
                at,
                when,
                function,
            };
            self.locals[closure.at()].writes.push(access(inside, from, closure));
            self.locals[maker.at()].reads.push(access(literal, to, maker));
            // From the closure into the variable it goes the other way round.
            self.captures.insert((from, to), (inside, literal, variable, when));
        }
    }

    /// The closure that is made at a place, and the place that stands for what it keeps.
    fn closure_at(
        &mut self,
        solver: &mut Solver<'_>,
        (file, literal): (FileIndex, facts::PlaceId),
        closure: FunctionIndex,
    ) -> (PlaceIndex, PlaceIndex) {
        let literal = solver.program.place(file, literal);
        let made = self.made_at(literal);
        self.put(literal, &[made]);
        (literal, self.kept_by(solver, closure))
    }

    /// The place that stands for what a closure keeps, in the closure.
    fn kept_by(&mut self, solver: &mut Solver<'_>, closure: FunctionIndex) -> PlaceIndex {
        if let Some(place) = self.kept.get(&closure) {
            return *place;
        }
        let place = solver.derive_place(DerivedPlace::Passing(closure));
        self.kept.insert(closure, place);
        self.bring(place);
        place
    }

    /// By way of which cells a variable comes into a closure: that of the object that is made, and that of the one that is called.
    /// None where the variable itself has to say it.
    pub(in crate::propagate) fn capture(&self, from: PlaceIndex, to: PlaceIndex) -> Option<(PlaceIndex, PlaceIndex)> {
        let (literal, inside, variable, when) = *self.captures.get(&(from, to))?;
        let cell = |place: PlaceIndex| {
            let [root] = self.points_of(place) else { return None };
            self.place_of(*root, Step::Kept(variable))
        };
        let (kept, _) = cell(literal)?;
        let (_, inside) = cell(inside)?;
        Some((self.version_written(kept, when)?, inside))
    }
}
