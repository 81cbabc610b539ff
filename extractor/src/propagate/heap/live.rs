//! Which objects are worth cells of their own, and of which it is known what is in them: nothing, where nobody put anything there.
//!
//! A container that is made here, and goes nowhere else but to functions that are seen, holds what they put in, and no more.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::versions::is_constant;
use super::{Callee, Cell, CellId, DEPTH_LIMIT, Heap, Local, RootId, RootKind};
use crate::facts::order::Point;
use crate::link::{FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::callees::maker_of;
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Most containers that a parameter may be for it to tell them apart: a function that everybody hands something to.
const CALLER_LIMIT: usize = 12;

/// Functions that call one thing here and another there: what comes out of the same container is told apart by who handed it over.
fn calling_several(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    let rows = solver.calls.iter().filter(|row| !row.silent);
    let several = rows.filter(|row| {
        let is_ours = |target: &&Target| matches!(target, Target::Function { .. });
        row.targets.iter().filter(is_ours).take(2).count() == 2
    });
    several.map(|row| row.function).collect()
}

fn by_text(step: Step) -> bool {
    matches!(step, Step::Part(Part::Text(_)))
}

/// What one function does that says of which objects the order counts.
#[derive(Debug, Default)]
struct Uses {
    /// Objects that are written after they were read or copied.
    in_turn: Vec<RootId>,
    /// Which cell of an object that is made, or which field of one that is brought, is written, and when.
    written: Vec<(CellId, Point)>,
    /// What is brought, or made of others, and is put something into under a known key.
    replaced: Vec<RootId>,
    /// What is handed to callees: (what it is here, what it is there).
    handed: Vec<(RootId, RootId)>,
}

impl Heap {
    /// Objects of split fields are live, those into which several are written one after another, and so is what they are in callees and
    /// callers.
    pub(super) fn mark_live(&mut self, solver: &Solver<'_>) {
        let mut owners: FxHashMap<PlaceIndex, FxHashSet<RootId>> = FxHashMap::default();
        for cell in &self.cells {
            if self.is_made(cell.root) && !self.is_lost(cell.root) {
                let fields = cell
                    .fields
                    .iter()
                    .filter(|_| matches!(cell.step, Step::Member(_) | Step::Field(_)));
                for field in fields {
                    owners.entry(*field).or_default().insert(cell.root);
                }
            }
        }
        // Each call of the function that makes an object makes another one.
        let mut entered = vec![0u32; self.locals.len()];
        for site in self.locals.iter().flat_map(|local| &local.sites) {
            if let Callee::Function { function, .. } = site.callee {
                entered[function.at()] += 1;
            }
        }
        let is_made_again = |root: &RootId| {
            let maker = self.function_of(solver, *root);
            maker.is_some_and(|maker| entered[maker.at()] > 1)
        };
        let split = owners
            .into_values()
            .filter(|roots| roots.len() > 1 || roots.iter().any(is_made_again));
        let mut open: Vec<RootId> = split.flatten().collect();
        // What a callee calls our objects, and the other way round.
        let mut theirs_of: FxHashMap<RootId, Vec<RootId>> = FxHashMap::default();
        let mut ours_of: FxHashMap<RootId, Vec<RootId>> = FxHashMap::default();
        let mut first_write: FxHashMap<CellId, Point> = FxHashMap::default();
        // What a function writes again tells its callers that it is not there any more.
        let mut rewritten: FxHashSet<RootId> = FxHashSet::default();
        self.find_pairs();
        let heap = &*self;
        let (uses, (of_several, replaced, choosing, worth)) = rayon::join(
            || -> Vec<Uses> { heap.locals.par_iter().map(|local| heap.uses_in(local)).collect() },
            || {
                let worth = [heap.gathered_and_kept(), heap.filled_outside().collect()];
                let choosing = calling_several(solver);
                (heap.closures_of_several(solver), heap.replaced_here(), choosing, worth)
            },
        );
        for uses in uses {
            open.extend(uses.in_turn);
            rewritten.extend(uses.replaced);
            for (cell, at) in uses.written {
                let root = self.cell(cell).root;
                if *first_write.entry(cell).or_insert(at) == at {
                    continue;
                }
                if self.is_made(root) {
                    open.push(root);
                }
                if !self.is_made(root) || by_text(self.cell(cell).step) {
                    rewritten.insert(root);
                }
            }
            for (ours, theirs) in uses.handed {
                theirs_of.entry(ours).or_default().push(theirs);
                let known = ours_of.entry(theirs).or_default();
                if known.len() <= CALLER_LIMIT && !known.contains(&ours) {
                    known.push(ours);
                }
            }
        }
        for (original, copy) in self.value_pairs(&self.locals) {
            theirs_of.entry(original).or_default().push(copy);
            theirs_of.entry(copy).or_default().push(original);
        }
        for moved in self.locals.iter().flat_map(|local| &local.moves) {
            for (source, target) in self.pairs_moved(moved) {
                // What is put into a window is in what it is cut out of.
                let window = moved.window().and_then(|(_, to, _)| self.made.get(&to));
                let mut parts = window.into_iter().flat_map(|window| &self.get(*window).cells);
                if window == Some(&target) && parts.any(|cell| self.cell(*cell).put) {
                    open.extend([source, target]);
                }
                theirs_of.entry(source).or_default().push(target);
                theirs_of.entry(target).or_default().push(source);
            }
        }
        // A function that is handed one container here and another there, or makes one for each of its callers.
        for (theirs, ours) in &ours_of {
            let mut cells = self.get(*theirs).cells.iter();
            let by_library = self.get(*theirs).cells.iter().any(|cell| self.cell(*cell).by_library);
            let has_parts =
                cells.any(|cell| matches!(self.cell(*cell).step, Step::Part(_) | Step::Target | Step::Kept(_)));
            let mut steps = self.get(*theirs).cells.iter().map(|cell| self.cell(*cell).step);
            let by_key = steps.any(|step| matches!(step, Step::Part(Part::Under(_) | Part::OneOf(_))));
            let least = if by_library
                || by_key
                || self.is_read_by_place(*theirs)
                || of_several.contains(theirs)
                || replaced.contains(theirs)
                || (self.function_of(solver, *theirs)).is_some_and(|function| choosing.contains(&function))
            {
                1
            } else {
                2
            };
            let asks_types = || {
                let function = self.function_of(solver, *theirs);
                function.is_some_and(|function| self.asserting.contains(&function))
            };
            let is_told = has_parts && ours.len() >= least
                || self.has_types(solver, *theirs)
                || rewritten.contains(theirs)
                || asks_types();
            if is_told && ours.len() <= CALLER_LIMIT && !self.is_lost(*theirs) {
                open.push(*theirs);
                open.extend(ours);
            }
        }
        open.extend(worth.into_iter().flatten());
        open.extend(self.filled_and_handed(solver));
        self.mark_emptied(&theirs_of);
        let modules = self.modules.values().flat_map(|module| self.points_of(*module));
        open.extend(modules.copied());
        let rebound = &self.class_members.rebound;
        let of_class = self
            .cells
            .iter()
            .filter(|cell| cell.fields.iter().any(|field| rebound.contains(field)));
        open.extend(of_class.filter(|_| !rebound.is_empty()).map(|cell| cell.root));
        open.sort_unstable();
        self.make_live(open, &theirs_of, |heap, root| !heap.is_shared(root));
        let beside = self.beside_live();
        self.make_live(beside, &theirs_of, |heap, root| !heap.is_shared(root));
        let all = (0..self.roots.len() as u32).map(RootId);
        let shared = all.filter(|root| self.is_shared(*root)).collect();
        // Of tables in them, calls tell the keys apart, unless something else is told by objects.
        self.make_live(shared, &theirs_of, |heap, root| !heap.lies_in_table(root));
        // What a parameter brings that nobody is seen to hand over is any object of its class.
        let modules: FxHashSet<PlaceIndex> = self.modules.values().copied().collect();
        for index in 0..self.roots.len() as u32 {
            let top = self.top(RootId(index));
            let is_brought = matches!(self.get(top).kind, RootKind::Parameter(place) if !modules.contains(&place));
            if is_brought && !ours_of.contains_key(&top) {
                self.roots[index as usize].live = false;
            }
        }
    }

    /// These objects, what they are to callees and what lies in them, where that is wanted.
    fn make_live(
        &mut self,
        mut open: Vec<RootId>,
        theirs_of: &FxHashMap<RootId, Vec<RootId>>,
        is_wanted: impl Fn(&Self, RootId) -> bool,
    ) {
        while let Some(root) = open.pop() {
            if self.is_lost(root) || self.get(root).live || !is_wanted(self, root) {
                continue;
            }
            self.roots[root.0 as usize].live = true;
            open.extend(theirs_of.get(&root).into_iter().flatten());
            for cell in &self.roots[root.0 as usize].cells {
                open.extend(self.cells[cell.0 as usize].holds.iter().copied());
            }
            if let RootKind::Inside(cell) = self.get(root).kind {
                open.push(self.cell(cell).root);
            }
        }
    }

    /// What may be in a place where something else that is live may be: who reads there asks all of them.
    fn beside_live(&self) -> Vec<RootId> {
        let several = self.points.lists().iter().filter(|roots| roots.len() > 1);
        let is_live = |root: &RootId| *root != super::NOTHING && self.get(*root).live;
        let mixed = several.filter(|roots| roots.iter().any(is_live));
        let mut beside: Vec<RootId> = mixed.flatten().copied().filter(|root| !is_live(root)).collect();
        beside.sort_unstable();
        beside.dedup();
        beside
    }

    /// See [`Uses`].
    fn uses_in(&self, local: &Local) -> Uses {
        let mut uses = Uses::default();
        // What is written after it was read, or after it was copied: each read and copy has its own time.
        let mut first_read: FxHashMap<RootId, Point> = FxHashMap::default();
        let mut note_read = |root: RootId, point: Point| {
            let first = first_read.entry(root).or_insert(point);
            *first = point.min(*first);
        };
        for access in &local.reads {
            for root in self.points_of(access.base) {
                note_read(*root, access.when.point);
            }
        }
        for moved in local.moves.iter().filter(|moved| !moved.is_shared) {
            for (source, target) in self.pairs_moved(moved) {
                note_read(source, moved.when.point);
                note_read(target, moved.when.point);
            }
        }
        let mut note_write = |root: RootId, step: Step, at: Point| {
            let is_late = is_constant(step) && first_read.get(&root).is_some_and(|first| *first < at);
            if !self.is_made(root) {
                let is_field = matches!(step, Step::Member(_) | Step::Field(_));
                if is_field && matches!(self.get(root).kind, RootKind::Parameter(_)) {
                    let changed = self.changed_by(root, step).into_iter();
                    uses.written.extend(changed.map(|cell| (cell, at)));
                }
                // What came under a key is not there any more: `kwargs["text"] = "x"`.
                uses.replaced.extend(by_text(step).then_some(root));
                return;
            }
            uses.in_turn.extend(is_late.then_some(root));
            // What a copy had under a key it has no more: `clean = dict(row); clean["name"] = "x"`.
            uses.replaced.extend((is_late && by_text(step)).then_some(root));
            uses.written
                .extend(self.changed_by(root, step).into_iter().map(|cell| (cell, at)));
        };
        for access in &local.writes {
            for root in self.points_of(access.base) {
                note_write(*root, access.step, access.when.point);
            }
        }
        for site in &local.sites {
            self.each_pair(site, &mut |heap, ours, theirs, _| {
                for cell in &heap.get(theirs).cells {
                    let their = heap.cell(*cell);
                    if !their.written {
                        continue;
                    }
                    for step in heap.meant_by(heap.our_step(site, their.step)) {
                        ours.iter().for_each(|root| note_write(*root, step, site.when.point));
                    }
                }
                let known = ours.iter().filter(|root| !heap.is_lost(**root));
                uses.handed.extend(known.map(|root| (*root, theirs)));
            });
        }
        uses
    }

    /// What parameters bring where the function may take one that it makes itself: `if items is None: items = []`.
    fn replaced_here(&self) -> FxHashSet<RootId> {
        let several = self.points.lists().iter().filter(|roots| roots.len() > 1);
        let is = |root: &RootId, made: bool| match self.get(*root).kind {
            RootKind::Made(_) => made,
            RootKind::Parameter(_) => !made && !self.is_lost(*root),
            _ => false,
        };
        let mixed = several.filter(|roots| roots.iter().any(|root| is(root, true)));
        mixed
            .flat_map(|roots| roots.iter().copied().filter(|root| is(root, false)))
            .collect()
    }

    /// Whether a function takes what it is given for structures of several types.
    fn has_types(&self, solver: &Solver<'_>, root: RootId) -> bool {
        let owners = self.get(root).cells.iter().map(|cell| match self.cell(*cell).step {
            Step::Field(field) => solver.program.member_of(field).map(|member| member.owner),
            _ => None,
        });
        let mut owners = owners.flatten();
        let first = owners.next();
        owners.any(|owner| Some(owner) != first)
    }

    /// What closures keep whose makers are called in several places: each call makes another one.
    fn closures_of_several(&self, solver: &Solver<'_>) -> FxHashSet<RootId> {
        let mut calls: FxHashMap<FunctionIndex, usize> = FxHashMap::default();
        for site in self.locals.iter().flat_map(|local| &local.sites) {
            if let Callee::Function { function, .. } = site.callee {
                *calls.entry(function).or_default() += 1;
            }
        }
        let of_several = self.kept.iter().filter(|(closure, _)| {
            let maker = maker_of(solver.program, **closure);
            let calls = maker.and_then(|maker| calls.get(&maker).copied());
            calls.is_some_and(|calls| (2..=CALLER_LIMIT).contains(&calls))
        });
        of_several
            .filter_map(|(_, place)| self.made.get(place).copied())
            .collect()
    }

    /// Whether all that is seen to be put into a container is put in under constant keys, and nobody who called has it.
    pub(super) fn is_filled_by_key(&self, root: RootId) -> bool {
        let parts = self.get(root).cells.iter().map(|cell| self.cell(*cell));
        let mut written = parts.filter(|part| part.written).peekable();
        let by_key = |part: &Cell| matches!(part.step, Step::Part(Part::Text(_) | Part::Keys));
        written.peek().is_some() && written.all(by_key) && !self.left_to.contains(&root)
    }

    /// Whether nothing that runs beside the function that makes a container puts anything in, nobody who called has
    /// it, and no other list has parts of it.
    pub(super) fn is_filled_in_turn(&self, root: RootId) -> bool {
        let mut cells = self.get(root).cells.iter().map(|cell| self.cell(*cell));
        !cells.any(|cell| cell.late) && !self.left_to.contains(&root) && !self.tracked.windows.has(root)
    }

    /// What calls gather that is given back, or lies in an object: whoever reads it there reads what that very call was given.
    fn gathered_and_kept(&self) -> Vec<RootId> {
        let made = |place: &PlaceIndex| self.made.get(place).copied();
        let filled = self.gathered.iter().filter(|(_, parts)| !parts.is_empty());
        let gathered: FxHashSet<RootId> = filled.filter_map(|(place, _)| made(place)).collect();
        let in_cells = self.cells.iter().flat_map(|cell| &cell.holds);
        let sites = self.locals.iter().flat_map(|local| &local.sites);
        let given = sites
            .flat_map(|site| &site.results)
            .flat_map(|(ours, _)| self.points_of(*ours));
        in_cells
            .chain(given)
            .filter(|root| gathered.contains(root))
            .copied()
            .collect()
    }

    /// What is emptied somewhere may be empty wherever it is handed to.
    fn mark_emptied(&mut self, theirs_of: &FxHashMap<RootId, Vec<RootId>>) {
        let emptied = self.cells.iter().filter(|cell| cell.emptied);
        let mut open: Vec<RootId> = emptied.map(|cell| cell.root).collect();
        while let Some(root) = open.pop() {
            for theirs in theirs_of.get(&root).into_iter().flatten() {
                if let Some(cell) = self.cell_of(*theirs, Step::Target)
                    && !std::mem::replace(&mut self.cells[cell.0 as usize].emptied, true)
                {
                    open.push(*theirs);
                }
            }
        }
    }

    /// What functions make and put into what they were given.
    pub(super) fn made_and_left(&self) -> FxHashSet<RootId> {
        let is_made = |root: &RootId| matches!(self.get(*root).kind, RootKind::Made(_));
        let cells = self.cells.iter().filter(|cell| !self.is_made(cell.root));
        let mut open: Vec<RootId> = cells
            .flat_map(|cell| cell.holds.iter().copied().filter(is_made))
            .collect();
        let mut left = FxHashSet::default();
        while let Some(root) = open.pop() {
            if left.insert(root) {
                let cells = self.get(root).cells.iter();
                open.extend(cells.flat_map(|cell| self.cell(*cell).holds.iter().copied()));
            }
        }
        left
    }

    /// Whether nothing is kept in an object but what was seen to be put there.
    pub(super) fn keeps_nothing(&self, root: RootId) -> bool {
        let row = self.get(root);
        matches!(row.kind, RootKind::Made(_)) && row.live && !row.escaped && !row.foreign
    }

    /// Whether a root is too deep for cells of its own.
    pub(super) fn is_deep(&self, root: RootId) -> bool {
        !self.is_lost(root) && self.get(root).depth >= DEPTH_LIMIT
    }

    /// Which of the roots that are too deep are objects at all: a function that calls itself with a part of what it was given comes
    /// to an end, and what nobody hands it is not there.
    pub(super) fn inhabited(&self, locals: &[Local]) -> FxHashSet<RootId> {
        let mut inhabited = FxHashSet::default();
        let mut waiting: FxHashMap<RootId, Vec<RootId>> = FxHashMap::default();
        for site in locals.iter().flat_map(|local| &local.sites) {
            self.each_pair(site, &mut |heap, ours, theirs, _| {
                if !heap.is_deep(theirs) || inhabited.contains(&theirs) {
                    return;
                }
                for root in ours {
                    let is_inside = heap.is_deep(*root) && matches!(heap.get(*root).kind, RootKind::Inside(_));
                    // What lies in an object that is made here was put there by a callee.
                    match is_inside && !heap.is_made(*root) {
                        true => waiting.entry(*root).or_default().push(theirs),
                        false => _ = inhabited.insert(theirs),
                    }
                }
            });
        }
        let mut open: Vec<RootId> = inhabited.iter().copied().collect();
        while let Some(root) = open.pop() {
            let theirs = waiting.remove(&root).unwrap_or_default();
            open.extend(theirs.into_iter().filter(|theirs| inhabited.insert(*theirs)));
        }
        inhabited
    }

    /// Whether all is known of what is put in a container: it is made here, and goes nowhere else.
    pub(super) fn is_known_empty(&self, solver: &Solver<'_>, root: RootId) -> bool {
        self.get(root).live && self.is_empty_at_first(solver, root)
    }

    /// Whether a container holds nothing but what cells tell: it is made here, or by a callee that is seen to fill it.
    pub(super) fn is_empty_at_first(&self, solver: &Solver<'_>, root: RootId) -> bool {
        let row = self.get(root);
        if row.escaped || row.foreign {
            return false;
        }
        match row.kind {
            // What a call gathers is all there is.
            RootKind::Made(place) if self.gathered.contains_key(&place) => true,
            RootKind::Made(place) => solver.held(place).any(|(_, object)| match object {
                Object::Container { site, .. } => site == place || solver.nothing_held == Some(site),
                _ => false,
            }),
            RootKind::Inside(cell) => {
                let row = self.cell(cell);
                let holder = self.get(row.root);
                let is_ours = matches!(holder.kind, RootKind::Made(_)) && !holder.foreign && !holder.escaped;
                let is_initial = row.fields.iter().any(|field| self.initial.contains(field));
                // A table that is a field by value is there from the start, and nothing is in it.
                let is_begun = || {
                    let mut fields = row.fields.iter();
                    !row.fields.is_empty()
                        && !row.written
                        && !row.copied
                        && fields.all(|field| self.tables_held.contains(field))
                };
                let is_brought = row.stocked && !row.stocked_openly && !is_initial;
                is_ours && !row.by_library && (is_brought || is_begun())
            }
            _ => false,
        }
    }

    /// Whether a root that lies in a callee's cell is made where all is seen that is put in, or what lay there before.
    pub(super) fn is_of_closed(&self, solver: &Solver<'_>, root: RootId, cell: CellId) -> bool {
        match self.get(root).kind {
            RootKind::Made(place) => {
                let row = self.get(root);
                // What lies in it may go by another name elsewhere.
                let keeps_made = |cell: &CellId| {
                    let mut holds = self.cell(*cell).holds.iter();
                    holds.any(|root| matches!(self.get(*root).kind, RootKind::Made(_)))
                };
                let is_member = matches!(self.cell(cell).step, Step::Member(_) | Step::Field(_));
                let is_known = || is_member && !row.escaped && !row.foreign && !row.cells.iter().any(keeps_made);
                self.is_empty_at_first(solver, root) || is_known() && is_of_known_class(solver, place)
            }
            RootKind::Inside(from) if from == cell => !self.cell(from).stocked_openly,
            // Ours, whatever that is.
            RootKind::Parameter(_) => true,
            _ => false,
        }
    }

    /// Finds the containers that are made empty and stay so: what a function gives where there is nothing else.
    pub(super) fn find_untouched(&mut self, solver: &Solver<'_>) {
        let mut given: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        for site in self.locals.iter().flat_map(|local| &local.sites) {
            for (ours, theirs) in &site.results {
                given.entry(*ours).or_default().push(*theirs);
            }
        }
        let heap = &*self;
        let roots = (0..heap.roots.len() as u32).into_par_iter().map(RootId);
        let untouched: Vec<RootId> = roots
            .filter(|root| heap.is_untouched(solver, *root, &given, 0))
            .collect();
        self.untouched = untouched.into_iter().collect();
    }

    fn is_untouched(
        &self,
        solver: &Solver<'_>,
        root: RootId,
        given: &FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
        depth: u8,
    ) -> bool {
        let row = self.get(root);
        let RootKind::Made(place) = row.kind else { return false };
        let is_filled = |cell: &CellId| {
            let cell = self.cell(*cell);
            cell.written || cell.stocked || cell.by_library || cell.late || !cell.holds.is_empty()
        };
        if depth > DEPTH_LIMIT || row.escaped || row.foreign || row.changed || row.cells.iter().any(is_filled) {
            return false;
        }
        if self.left_to.contains(&root) || self.gathered.contains_key(&place) {
            return false;
        }
        let mut held = solver.held(place).peekable();
        let is_container = |object: Object| matches!(object, Object::Container { .. });
        if held.peek().is_none() || !held.all(|(_, object)| is_container(object)) {
            return false;
        }
        if self.is_empty_at_first(solver, root) {
            return solver.lengths.get(&place).is_none_or(|length| *length == 0);
        }
        let theirs = given.get(&place).into_iter().flatten();
        let mut theirs = theirs.flat_map(|theirs| self.points_of(*theirs));
        let mut all = theirs
            .clone()
            .filter(|root| matches!(self.get(self.top(**root)).kind, RootKind::Made(_)));
        theirs.all(|root| !self.is_lost(*root))
            && all.clone().next().is_some()
            && all.all(|root| self.is_untouched(solver, *root, given, depth + 1))
    }
}

/// Whether what is made at a place is an instance of classes of which all is known.
fn is_of_known_class(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    let mut held = solver.held(place).peekable();
    held.peek().is_some()
        && held.all(|(_, object)| match object {
            Object::Instance(class) => !solver.is_hidden(class),
            _ => false,
        })
}
