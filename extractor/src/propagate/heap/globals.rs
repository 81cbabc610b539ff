//! Globals as cells of the module: what is in them when a function reads them, as far as callers tell.
//!
//! ```python
//! def login(name):
//!     global current
//!     current = name               # writes the cell `current` of what its callers hand along
//! login(secret); logout()
//! show(current)                    # what `logout` left there
//! ```
//!
//! Functions that read or write such a global hand along the *module*, an object of which the globals are cells. A function that nobody
//! is seen to call begins with all that is ever put in them; so does one that a file's body or a function calls that is not
//! followed, and one that calls what is not known, for that may write them, too.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::Where;
use super::{Access, Callee, Heap, When};
use crate::facts::order::Point;
use crate::facts::{FunctionKind, PlaceKind};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Step};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Most functions that a global is handed along by.
const FUNCTION_LIMIT: usize = 48;

/// A read or write of a global: the function, the place in it, when.
type Touch = (FunctionIndex, PlaceIndex, Point, (FileIndex, crate::facts::Position));

/// How a function reads and writes one global.
#[derive(Debug, Default)]
struct Touches {
    reads: Vec<Touch>,
    writes: Vec<Touch>,
    /// The order is not known of all.
    is_loose: bool,
}

impl Heap {
    /// Finds the globals that are worth it, and who hands them along.
    pub(super) fn lay_out_globals(&mut self, solver: &mut Solver<'_>, outside: &FxHashSet<PlaceIndex>) {
        let touched = touches(solver);
        let mut modules: FxHashMap<FunctionIndex, Vec<PlaceIndex>> = FxHashMap::default();
        let mut globals: Vec<PlaceIndex> = touched.keys().copied().collect();
        globals.sort_unstable();
        for global in globals {
            let touches = &touched[&global];
            let is_told = !touches.is_loose && (!touches.writes.is_empty() || !outside.contains(&global));
            let touching = touches.reads.iter().chain(&touches.writes);
            let touching = touching.map(|(function, ..)| *function).collect();
            let Some(along) = self.handing_along(solver, touching).filter(|_| is_told) else {
                continue;
            };
            for function in along {
                modules.entry(function).or_default().push(global);
            }
        }
        let mut functions: Vec<FunctionIndex> = modules.keys().copied().collect();
        functions.sort_unstable();
        for function in &functions {
            let place = solver.derive_place(DerivedPlace::Passing(*function));
            self.bring(place);
            self.modules.insert(*function, place);
        }
        let unknown = calls_unknown(solver);
        for function in functions {
            let module = self.modules[&function];
            if unknown.contains(&function) {
                self.locals[function.at()].escapes.push(module);
            }
            for global in &modules[&function] {
                let touches = &touched[global];
                self.touch(module, *global, (function, touches));
                if is_entry(solver, function) && self.are_called_alone(solver, touches) {
                    self.first.insert((module, *global), first_values(solver, *global));
                }
            }
        }
        for local in &mut self.locals {
            for site in &mut local.sites {
                let Callee::Function { function, .. } = site.callee else {
                    continue;
                };
                if let Some(theirs) = self.modules.get(&function) {
                    let ours = self.modules.get(&site.caller).copied().unwrap_or(self.nowhere);
                    site.given.push((*theirs, ours));
                }
            }
        }
    }

    /// Whether all that writes a global is called by what is seen, when that happens.
    fn are_called_alone(&self, solver: &Solver<'_>, touches: &Touches) -> bool {
        let writing = touches.writes.iter().map(|(function, ..)| *function).collect();
        let Some(along) = self.handing_along(solver, writing) else {
            return false;
        };
        let runs_first = |function: &FunctionIndex| {
            let name = solver.program.function_facts(*function).name;
            let file = solver.program.functions[function.at()].file;
            solver.program.files[file.at()].facts.text(name) == "init"
        };
        let is_plain = |how| matches!(how, How::Direct | How::Method | How::Dynamic);
        let mut others = solver.calls.iter().filter(|row| !is_plain(row.how));
        !along.iter().any(runs_first)
            && !others.any(|row| {
                row.targets.iter().any(|target| match target {
                    Target::Function { function, .. } => along.contains(function),
                    _ => false,
                })
            })
    }

    fn touch(&mut self, module: PlaceIndex, global: PlaceIndex, (function, touches): (FunctionIndex, &Touches)) {
        let access = |place, point, at| Access {
            base: module,
            step: Step::Global(global),
            value: Some(place),
            fields: vec![global],
            at,
            when: When::certain(point),
            function,
        };
        let local = &mut self.locals[function.at()];
        for (_, place, point, at) in touches.reads.iter().filter(|(owner, ..)| *owner == function) {
            local.unknown.retain(|unknown| unknown != place);
            local.reads.push(access(*place, *point, *at));
            self.globals.insert(*place, (module, global, *point));
        }
        for (_, place, point, at) in touches.writes.iter().filter(|(owner, ..)| *owner == function) {
            local.writes.push(access(*place, *point, *at));
            self.globals.insert(*place, (module, global, *point));
        }
    }

    /// These functions and those that call them; none where that are too many.
    fn handing_along(
        &self,
        solver: &Solver<'_>,
        touching: FxHashSet<FunctionIndex>,
    ) -> Option<FxHashSet<FunctionIndex>> {
        let is_body = |function: FunctionIndex| solver.program.functions[function.at()].local.0 == 0;
        let mut open: Vec<FunctionIndex> = touching.into_iter().filter(|function| !is_body(*function)).collect();
        let mut along: FxHashSet<FunctionIndex> = FxHashSet::default();
        while let Some(function) = open.pop() {
            if along.len() > FUNCTION_LIMIT {
                return None;
            }
            if along.insert(function) {
                let callers = self.locals[function.at()].callers.iter();
                open.extend(callers.filter(|caller| !is_body(**caller)));
            }
        }
        Some(along)
    }

    /// Where what a use of a global finds is.
    pub(in crate::propagate) fn find_global(&self, used: PlaceIndex) -> Option<Where> {
        let (module, global, point) = *self.globals.get(&used)?;
        Some(self.find_each(module, |heap, root| {
            heap.places_seen(root, Step::Global(global), When::certain(point))
        }))
    }

    /// Where what is assigned to a global goes, beside that global.
    pub(in crate::propagate) fn find_global_written(&self, from: PlaceIndex) -> Vec<PlaceIndex> {
        let Some((module, global, point)) = self.globals.get(&from).copied() else {
            return Vec::new();
        };
        let found = self.find_each(module, |heap, root| {
            let cell = heap.place_of(root, Step::Global(global));
            let place = cell.and_then(|(cell, _)| heap.version_written(cell, When::certain(point)));
            place.into_iter().collect()
        });
        found.cells
    }
}

/// Who reads and writes the globals that functions assign, and those that hold containers.
fn touches(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, Touches> {
    let mut touched: FxHashMap<PlaceIndex, Touches> = FxHashMap::default();
    let global = |file: FileIndex, places: &[PlaceIndex]| {
        let [place] = places else { return None };
        let (own, local) = solver.program.local_place(*place)?;
        let kind = solver.program.files[own.at()].facts.places[local.0 as usize].kind;
        (own == file && matches!(kind, PlaceKind::Global | PlaceKind::Constant)).then_some(*place)
    };
    for (file, index, places) in &solver.name_targets {
        let store = solver.program.files[file.at()].facts.name_stores[*index as usize];
        for place in places {
            touched.entry(*place).or_default().is_loose |= store.from.is_none() || global(*file, places).is_none();
        }
        let (Some(place), Some(from)) = (global(*file, places), store.from) else {
            continue;
        };
        touched.entry(place).or_default().writes.push((
            solver.program.function(*file, store.function),
            solver.program.place(*file, from),
            store.point,
            (*file, store.position),
        ));
    }
    for (file, index, places) in &solver.name_sources {
        let Some(place) = global(*file, places) else { continue };
        let known = touched.get(&place);
        let is_written = known.is_some_and(|touches| touches.is_loose || !touches.writes.is_empty());
        let is_container = |(_, object)| matches!(object, Object::Container { .. });
        if !is_written && !solver.held(place).any(is_container) {
            continue;
        }
        let name_use = solver.program.files[file.at()].facts.name_uses[*index as usize];
        let touches = touched.entry(place).or_default();
        // What no function assigns is the same at any time.
        touches.is_loose |= is_written && name_use.point.is_none();
        touches.reads.push((
            solver.program.function(*file, name_use.function),
            solver.program.place(*file, name_use.to),
            name_use.point.unwrap_or_default(),
            (*file, name_use.position),
        ));
    }
    touched
}

/// Whether a program begins with this function.
fn is_entry(solver: &Solver<'_>, function: FunctionIndex) -> bool {
    let file = solver.program.functions[function.at()].file;
    let (facts, row) = (
        &solver.program.files[file.at()].facts,
        solver.program.function_facts(function),
    );
    facts.package == "main" && facts.text(row.name) == "main" && row.kind == FunctionKind::Function
}

/// What the file's body puts in a global.
fn first_values(solver: &Solver<'_>, global: PlaceIndex) -> Vec<PlaceIndex> {
    let Some((file, local)) = solver.program.local_place(global) else {
        return Vec::new();
    };
    let facts = &solver.program.files[file.at()].facts;
    let flows = facts.flows.iter().filter(|flow| flow.to == local);
    flows.map(|flow| solver.program.place(file, flow.from)).collect()
}

/// Functions that call what is not known.
fn calls_unknown(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    let is_unknown = |targets: &[Target]| targets.is_empty() || targets.contains(&Target::Opaque);
    let rows = solver
        .calls
        .iter()
        .filter(|row| !row.silent && is_unknown(&row.targets));
    let written = rows.filter(|row| matches!(row.how, How::Direct | How::Method));
    written.map(|row| row.function).collect()
}
