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
//! is seen to call begins with all that is ever put in them, unless nobody else comes to them; so does one that a file's body or a
//! function calls that is not followed, and one that calls what is not known, for that may write them, too.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bodies::Kept;
use super::cells::Where;
use super::class_members::Beginnings;
use super::looked_up::LookedUp;
use super::{Access, Callee, Heap, RootId, RootKind, When};
use crate::facts::order::Point;
use crate::facts::{FunctionKind, PlaceKind};
use crate::link::scope::Meaning;
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Step, Symbol};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Most functions that a global is handed along by.
const FUNCTION_LIMIT: usize = 48;

/// A read or write of a global: the function, the place in it, when. A literal that is assigned has no place.
type Touch = (
    FunctionIndex,
    Option<PlaceIndex>,
    Point,
    (FileIndex, crate::facts::Position),
);

/// How a function reads and writes one global.
#[derive(Debug, Default)]
struct Touches {
    reads: Vec<Touch>,
    writes: Vec<Touch>,
    /// The order is not known of all.
    is_loose: bool,
}

impl Touches {
    /// No function assigns it.
    fn is_constant(&self) -> bool {
        self.writes.is_empty() && !self.is_loose
    }
}

impl Heap {
    /// Finds the globals that are worth it, and who hands them along.
    pub(super) fn lay_out_globals(
        &mut self,
        solver: &mut Solver<'_>,
        outside: &FxHashSet<PlaceIndex>,
        looked_up: &LookedUp,
    ) {
        let mut touched = touches(solver);
        touch_members(solver, &mut touched);
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
        let (of_classes, mut beginnings) = self.lay_out_class_members(solver);
        let mut touching: FxHashMap<PlaceIndex, FxHashSet<FunctionIndex>> = FxHashMap::default();
        let mut writers: FxHashMap<PlaceIndex, FxHashSet<FunctionIndex>> = FxHashMap::default();
        for access in &of_classes {
            touching.entry(access.place).or_default().insert(access.function);
            if access.is_write {
                writers.entry(access.place).or_default().insert(access.function);
            }
        }
        let mut written: Vec<PlaceIndex> = writers.keys().copied().collect();
        written.sort_unstable();
        for place in &written {
            let touching = touching.remove(place).unwrap_or_default();
            for function in self.handing_along(solver, touching).into_iter().flatten() {
                modules.entry(function).or_default().push(*place);
            }
        }
        let called_otherwise = called_otherwise(solver);
        let handed: FxHashSet<PlaceIndex> = modules.values().flatten().copied().collect();
        let assigned = touched.iter().filter(|(_, touches)| !touches.is_constant());
        let globals = assigned.filter(|(global, _)| handed.contains(global));
        let globals = globals.map(|(global, touches)| Kept {
            place: *global,
            first: first_values(solver, *global),
            writers: touches.writes.iter().map(|(function, ..)| *function).collect(),
        });
        let members = written.iter().map(|place| Kept {
            place: *place,
            first: beginnings.get(place).cloned().unwrap_or_default(),
            writers: writers.remove(place).unwrap_or_default(),
        });
        let kept: Vec<Kept> = globals.chain(members).collect();
        let by_body = self.begun_by_bodies(solver, kept, (looked_up, &called_otherwise));
        for (body, place, _) in &by_body {
            modules.entry(*body).or_default().push(*place);
        }
        self.begin_modules((solver, looked_up), &modules, &mut beginnings);
        // What only the file's body puts there has the name of the global on its way.
        for (global, values) in &mut self.begins_with {
            if touched.get(global).is_some_and(Touches::is_constant) {
                *values = vec![*global];
            }
        }
        let mut functions: Vec<FunctionIndex> = modules.keys().copied().collect();
        functions.sort_unstable();
        for function in &functions {
            let place = solver.derive_place(DerivedPlace::Passing(*function));
            self.bring(place);
            self.modules.insert(*function, place);
        }
        for (body, place, first) in by_body {
            self.first.insert((self.modules[&body], place), first);
        }
        for function in functions {
            let module = self.modules[&function];
            if looked_up.calling_unknown.contains(&function) {
                self.locals[function.at()].escapes.push(module);
            }
            for global in &modules[&function] {
                if let Some(touches) = touched.get(global) {
                    self.touch(module, *global, (function, touches));
                    if is_entry(solver, function)
                        && let Some(first) = self.values_at_start(solver, *global, touches, &called_otherwise)
                    {
                        self.first.insert((module, *global), first);
                    }
                }
            }
        }
        self.touch_classes(&of_classes);
        self.note_begun(solver);
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

    /// Globals that one function alone leads to, which nobody calls or has: it finds in them what bodies of files put there.
    fn begin_modules(
        &mut self,
        (solver, looked_up): (&Solver<'_>, &LookedUp),
        modules: &FxHashMap<FunctionIndex, Vec<PlaceIndex>>,
        beginnings: &mut Beginnings,
    ) {
        let is_body = |function: &FunctionIndex| solver.program.functions[function.at()].local.0 == 0;
        let mut entries: FxHashMap<PlaceIndex, Option<FunctionIndex>> = FxHashMap::default();
        for (function, globals) in modules {
            let callers = &self.locals[function.at()].callers;
            if callers.iter().any(is_body) {
                globals.iter().for_each(|global| _ = entries.insert(*global, None));
            }
        }
        for (function, globals) in modules
            .iter()
            .filter(|(function, _)| self.locals[function.at()].callers.is_empty())
        {
            for global in globals {
                let entry = entries.entry(*global).or_insert(Some(*function));
                *entry = entry.filter(|known| known == function);
            }
        }
        entries.retain(|_, entry| entry.is_some());
        entries.retain(|_, entry| {
            entry.is_some_and(|function| {
                let facts = solver.program.function_facts(function);
                facts.kind == FunctionKind::Function
                    && facts.owner.is_none()
                    && !looked_up.handed_over.contains(&function)
            })
        });
        for (index, file) in solver.program.files.iter().enumerate().filter(|_| !entries.is_empty()) {
            let place = |local| solver.program.place(FileIndex(index as u32), local);
            for flow in &file.facts.flows {
                if file.facts.places[flow.from.0 as usize].function.0 == 0 && entries.contains_key(&place(flow.to)) {
                    beginnings.entry(place(flow.to)).or_default().push(place(flow.from));
                }
            }
        }
        for global in entries.keys() {
            let begins_with = beginnings.remove(global).unwrap_or_default();
            self.begins_with.insert(*global, begins_with);
        }
    }

    /// What a global holds where the function begins that a program begins with, or that alone leads to it.
    pub(super) fn begins_with(&self, root: RootId, global: PlaceIndex) -> Option<&Vec<PlaceIndex>> {
        let first = match self.get(root).kind {
            RootKind::Parameter(module) => self.first.get(&(module, global)),
            _ => None,
        };
        first.or_else(|| self.begins_with.get(&global))
    }

    /// What is in a global when the program begins: what its file says, or what the functions left there that run before. None where
    /// others may have written it by then.
    fn values_at_start(
        &self,
        solver: &Solver<'_>,
        global: PlaceIndex,
        touches: &Touches,
        called_otherwise: &FxHashSet<FunctionIndex>,
    ) -> Option<Vec<PlaceIndex>> {
        let (first, later): (Vec<&Touch>, Vec<&Touch>) = touches
            .writes
            .iter()
            .partition(|(function, ..)| runs_first(solver, *function));
        let along = self.handing_along(solver, later.iter().map(|(function, ..)| *function).collect())?;
        if along.iter().any(|function| runs_first(solver, *function)) || !along.is_disjoint(called_otherwise) {
            return None;
        }
        if touches.is_constant() {
            return Some(vec![global]);
        }
        let mut values = first_values(solver, global);
        let (own, _) = solver.program.local_place(global)?;
        let mut writes = Vec::new();
        for (function, from, point, (file, position)) in first {
            let (there, here) = (&solver.program.files[file.at()], &solver.program.files[own.at()]);
            if there.package != here.package {
                return None;
            }
            writes.push((there.relative.as_str(), *function, *point, *from, *position));
        }
        // The files of a package in the order of their names, the functions of a file as they stand.
        writes.sort_by_key(|(file, function, point, ..)| (*file, *function, *point));
        for (_, function, point, from, _) in writes {
            if is_certain(solver, function, point) {
                values.clear();
            }
            values.extend(from);
        }
        Some(values)
    }

    fn touch(&mut self, module: PlaceIndex, global: PlaceIndex, (function, touches): (FunctionIndex, &Touches)) {
        let access = |place, point, at| Access {
            base: module,
            step: Step::Global(global),
            value: place,
            fields: vec![global],
            at,
            when: When::certain(point),
            function,
        };
        let local = &mut self.locals[function.at()];
        for (_, place, point, at) in touches.reads.iter().filter(|(owner, ..)| *owner == function) {
            local.unknown.retain(|unknown| Some(*unknown) != *place);
            local.reads.push(access(*place, *point, *at));
            self.globals
                .extend(place.map(|place| (place, (module, global, *point))));
        }
        for (_, place, point, at) in touches.writes.iter().filter(|(owner, ..)| *owner == function) {
            local.writes.push(access(*place, *point, *at));
            let written = place.map(|place| ((place, *point), (module, global)));
            self.globals_written.extend(written);
        }
    }

    /// These functions and those that call them; none where that are too many.
    pub(super) fn handing_along(
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
    pub(in crate::propagate) fn find_global_written(&self, from: PlaceIndex, point: Point) -> Vec<PlaceIndex> {
        let Some((module, global)) = self.globals_written.get(&(from, point)).copied() else {
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
            touched.entry(*place).or_default().is_loose |= global(*file, places).is_none();
        }
        let Some(place) = global(*file, places) else { continue };
        touched.entry(place).or_default().writes.push((
            solver.program.function(*file, store.function),
            store.from.map(|from| solver.program.place(*file, from)),
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
            Some(solver.program.place(*file, name_use.to)),
            name_use.point.unwrap_or_default(),
            (*file, name_use.position),
        ));
    }
    touched
}

/// The same, through the module that is imported: `config.key`.
fn touch_members(solver: &mut Solver<'_>, touched: &mut FxHashMap<PlaceIndex, Touches>) {
    let global = |solver: &mut Solver<'_>, base: PlaceIndex, member: Symbol| {
        let held: Vec<Object> = solver.held(base).map(|(_, object)| object).collect();
        let mut found: Vec<PlaceIndex> = Vec::new();
        for object in &held {
            if let Object::Package(package) = object
                && let Meaning::Places(places) = solver.program.package_member(*package, member)
            {
                found.extend(places);
            }
        }
        let is_one = held.len() == 1 && found.len() == 1;
        (found, is_one)
    };
    for index in 0..solver.stores.len() {
        let row = solver.stores[index];
        let (found, is_one) = global(solver, row.base, row.member);
        for place in found {
            let touches = touched.entry(place).or_default();
            let at = (row.file, row.position);
            touches.is_loose |= !is_one;
            touches.writes.push((row.function, row.from, row.point, at));
        }
    }
    for index in 0..solver.loads.len() {
        let row = solver.loads[index];
        if row.silent || row.known {
            continue;
        }
        let (found, is_one) = global(solver, row.base, row.member);
        for place in found {
            let Some(touches) = touched.get_mut(&place) else {
                continue;
            };
            let is_written = touches.is_loose || !touches.writes.is_empty();
            touches.is_loose |= is_written && !is_one;
            if is_written && is_one {
                let at = (row.file, row.position);
                touches.reads.push((row.function, Some(row.to), row.point, at));
            }
        }
    }
}

/// Functions that are handed to others, or kept somewhere.
pub(super) fn handed_over(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    let arguments = solver.arguments.iter().filter_map(|argument| argument.place);
    let stored = solver.stores.iter().filter_map(|row| row.from);
    let put = solver.element_stores.iter().map(|row| row.value);
    let places = arguments.chain(stored).chain(put).chain(solver.results.iter().copied());
    let mut handed = FxHashSet::default();
    for place in places {
        handed.extend(solver.held(place).filter_map(|(_, object)| match object {
            Object::Function(function) => Some(function),
            _ => None,
        }));
    }
    handed
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

/// Functions that are called in another way than by a call that is written as one: at another time, or beside others.
fn called_otherwise(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    let is_plain = |how| matches!(how, How::Direct | How::Method | How::Dynamic);
    let others = solver.calls.iter().filter(|row| !is_plain(row.how));
    let targets = others.flat_map(|row| &row.targets);
    let functions = targets.filter_map(|target| match target {
        Target::Function { function, .. } => Some(*function),
        _ => None,
    });
    functions.collect()
}

/// Whether a function runs before the one that the program begins with.
fn runs_first(solver: &Solver<'_>, function: FunctionIndex) -> bool {
    let facts = solver.program.function_facts(function);
    let file = solver.program.functions[function.at()].file;
    solver.program.files[file.at()].facts.text(facts.name) == "init"
}

/// Whether a function comes by a point whatever way it goes: nothing branches before that.
fn is_certain(solver: &Solver<'_>, function: FunctionIndex, point: Point) -> bool {
    solver.program.order(function).is_some_and(|order| {
        let is_straight = order.meetings.iter().all(|meeting| meeting.at > point);
        !order.is_loose && is_straight && order.exits.iter().all(|exit| *exit >= point)
    })
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
pub(super) fn calls_unknown(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    // A function that came from somewhere says more than its type.
    let is_unknown = |targets: &[Target]| targets.iter().all(|target| *target == Target::Opaque);
    let rows = solver
        .calls
        .iter()
        .filter(|row| !row.silent && is_unknown(&row.targets));
    let written = rows.filter(|row| matches!(row.how, How::Direct | How::Method));
    written.map(|row| row.function).collect()
}
