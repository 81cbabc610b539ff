//! Roots and cells, function by function until nothing changes.
//!
//! `self.value = value` in `__init__` makes the cell `self.value`, written. A caller with `left = Box(secret)` learns of it, and gets
//! the cell `left.value`, written; had `left` been its own parameter, its callers would learn of that in turn.

use rustc_hash::{FxHashMap, FxHashSet};

use super::deep::Way;
use super::found::Steps;
use super::points::Points;
use super::{
    Access, CELL_LIMIT, Callee, Cell, CellId, DEPTH_LIMIT, Fields, Heap, Local, NOTHING, ROOT_LIMIT, Root, RootId,
    RootKind, Roots, Site, UNKNOWN,
};
use crate::facts::Position;
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Step};
use crate::propagate::ranks;
use crate::propagate::solve::Solver;

impl Heap {
    /// What each function does with objects, laid out.
    pub(in crate::propagate) fn new(solver: &mut Solver<'_>) -> Self {
        // Room for what comes: tables that grow by and by are copied again and again.
        let (places, calls) = (solver.program.place_count(), solver.calls.len());
        let points = Points::new(places);
        let mut heap = Self {
            locals: Vec::new(),
            ranks: Vec::new(),
            roots: vec![Root::unknown()],
            clock: 0,
            asked: Vec::new(),
            of_structures: FxHashSet::default(),
            of_values: FxHashSet::default(),
            shown: FxHashSet::default(),
            printed: FxHashSet::default(),
            steps: FxHashMap::default(),
            cells: Vec::new(),
            folded: FxHashMap::default(),
            classes: Default::default(),
            made: FxHashMap::default(),
            receivers: FxHashMap::default(),
            held_back: Default::default(),
            taken_by_class: Default::default(),
            kept: FxHashMap::default(),
            captures: FxHashMap::default(),
            passed_on: FxHashMap::default(),
            aliases: FxHashMap::default(),
            assigned_inside: FxHashSet::default(),
            asserting: FxHashSet::default(),
            beyond: FxHashMap::default(),
            pairs: Default::default(),
            copied: FxHashMap::default(),
            changed_by_methods: super::changed::changed_by_methods(solver),
            initial: FxHashSet::default(),
            shared: FxHashSet::default(),
            promoted: Default::default(),
            puts: Vec::new(),
            of_library: FxHashSet::default(),
            tables_held: FxHashSet::default(),
            made_outside: Vec::new(),
            library_fields: FxHashMap::default(),
            puts_in_fields: Vec::new(),
            boxed: FxHashSet::default(),
            boxes: FxHashMap::default(),
            addresses: FxHashSet::default(),
            gathered: FxHashMap::default(),
            nowhere: solver.derive_place(DerivedPlace::Passing(FunctionIndex(0))),
            taken_apart: solver.derive_place(DerivedPlace::Passing(FunctionIndex(0))),
            taken: Vec::new(),
            structures: FxHashMap::default(),
            leading: FxHashSet::default(),
            structured: FxHashSet::default(),
            by_value: FxHashMap::default(),
            embedded: FxHashSet::default(),
            entered: FxHashMap::default(),
            replaced: FxHashSet::default(),
            put_by: FxHashSet::default(),
            modules: FxHashMap::default(),
            globals: FxHashMap::default(),
            globals_written: FxHashMap::default(),
            begins_with: FxHashMap::default(),
            held_at: FxHashMap::default(),
            begun: FxHashMap::default(),
            singletons: Default::default(),
            made_empty: FxHashSet::default(),
            layers: Vec::new(),
            class_members: Default::default(),
            first: FxHashMap::default(),
            left_to: FxHashSet::default(),
            untouched: FxHashSet::default(),
            stand_ins: FxHashMap::default(),
            with_default: FxHashSet::default(),
            keys: FxHashSet::default(),
            kept_keys: Default::default(),
            key_sets: Default::default(),
            waits: false,
            has_waited: false,
            constants: FxHashMap::default(),
            brought: FxHashSet::default(),
            joined: FxHashMap::default(),
            incomplete: FxHashSet::default(),
            untold: FxHashSet::default(),
            points,
            edges: Vec::new(),
            loaded: FxHashSet::default(),
            handed: Vec::new(),
            to_receivers: FxHashSet::default(),
            versions: Default::default(),
            lasting: FxHashSet::default(),
            outlived: Vec::new(),
            decided: Default::default(),
            tracked: Default::default(),
        };
        heap.roots.reserve(2 * calls);
        heap.cells.reserve(3 * calls);
        heap.locals.resize_with(solver.program.functions.len(), Local::default);
        let nothing = heap.root(RootKind::Nothing, 0);
        heap.roots[nothing.0 as usize].live = true;
        heap.put(heap.nowhere, &[UNKNOWN]);
        heap.lay_out(solver);
        // Who calls whom is all laid out.
        heap.ranks = ranks::callees_first(heap.locals.len(), |function| &heap.locals[function].callers);
        heap
    }

    /// The roots that pass an assertion. Of what a parameter brings each caller knows what it is.
    pub(super) fn roots_asserted(&self, solver: &Solver<'_>, from: PlaceIndex, to: PlaceIndex) -> Vec<RootId> {
        if super::outside::is_for_others(solver, from, to) {
            return Vec::new();
        }
        let passes = solver.contents(to);
        let roots = self.points_of(from).iter().map(|root| match self.get(*root).kind {
            RootKind::Made(place) => {
                let made = solver.contents(place);
                let is_one = made.is_empty() || made.iter().any(|object| passes.contains(object));
                is_one.then_some(*root)
            }
            _ => Some(*root),
        });
        roots.flatten().collect()
    }

    pub(super) fn put(&mut self, place: PlaceIndex, roots: &[RootId]) -> bool {
        if roots.is_empty() {
            return false;
        }
        let held = self.points_mut(place);
        let before = held.len();
        for root in roots {
            if !held.contains(root) {
                held.push(*root);
            }
        }
        let new = held.len() > before;
        if held.len() > ROOT_LIMIT {
            let all = std::mem::replace(held, Roots::from_slice(&[UNKNOWN]));
            for root in all {
                self.escape(root);
            }
        }
        self.clock += u32::from(new);
        new && before <= ROOT_LIMIT
    }

    /// Something is written into a cell.
    pub(super) fn fill(&mut self, cell: CellId, roots: &[RootId]) -> bool {
        let is_new = self.mark(cell, |cell| &mut cell.put);
        self.mark(cell, |cell| &mut cell.written);
        self.hold(cell, roots) | is_new
    }

    pub(super) fn hold(&mut self, cell: CellId, roots: &[RootId]) -> bool {
        let (holder, mut new) = (self.cell(cell).root, false);
        for root in roots {
            let (root, escapes) = self.put_in(holder, *root);
            new |= escapes;
            let root = &root;
            let holds = &mut self.cells[cell.0 as usize].holds;
            if holds.contains(root) {
                continue;
            }
            if holds.len() >= ROOT_LIMIT {
                new |= self.escape(*root);
                continue;
            }
            holds.push(*root);
            self.changed(holder);
            new = true;
        }
        if self.is_lost(holder) {
            new |= self.escape_all(roots);
        }
        new
    }

    /// Code that is not followed may get hold of the object, and of what is in it.
    pub(super) fn escape(&mut self, root: RootId) -> bool {
        let mut open = Roots::from_slice(&[root]);
        let mut new = false;
        while let Some(root) = open.pop() {
            let row = &mut self.roots[root.0 as usize];
            if let RootKind::Beyond(holder) = row.kind {
                open.push(holder);
                continue;
            }
            if row.escaped || root == NOTHING {
                continue;
            }
            row.escaped = true;
            new = true;
            for cell in &row.cells {
                open.extend(self.cells[cell.0 as usize].holds.iter().copied());
            }
            self.changed(root);
        }
        new
    }

    pub(super) fn escape_place(&mut self, place: PlaceIndex) -> bool {
        let roots = Roots::from_slice(self.points_of(place));
        self.escape_all(&roots)
    }

    fn escape_all(&mut self, roots: &[RootId]) -> bool {
        roots.iter().fold(false, |new, root| self.escape(*root) | new)
    }

    /// The cell of a root, if there may be one.
    pub(super) fn cell_at(
        &mut self,
        root: RootId,
        step: Step,
        site: (FileIndex, Position),
        function: FunctionIndex,
    ) -> Option<CellId> {
        if self.is_lost(root) || root == NOTHING {
            return None;
        }
        if let Some(cell) = self.cell_of(root, step) {
            return Some(cell);
        }
        let row = self.get(root);
        if row.depth + self.deeper_by(root, step) > DEPTH_LIMIT {
            return None;
        }
        if row.cells.len() >= CELL_LIMIT {
            self.escape(root);
            return None;
        }
        // What is put in under unknown keys is carried by the container itself.
        let carried = match (self.get(root).kind, step) {
            (RootKind::Inside(cell), Step::Part(_)) => match self.cell(cell).step {
                Step::Global(global) => Fields::from_slice(&[global]),
                _ => Fields::new_const(),
            },
            _ => Fields::new_const(),
        };
        let (site, function) = match self.singleton(root) {
            Some(singleton) => (singleton.site, singleton.body),
            None => (site, function),
        };
        let cell = CellId(self.cells.len() as u32);
        self.cells.push(Cell {
            root,
            step,
            holds: Roots::new_const(),
            read: false,
            written: false,
            put: false,
            by_library: false,
            emptied: false,
            fields: carried,
            site,
            function,
            opened: false,
            stocked: false,
            stocked_by_others: false,
            grown: false,
            left_empty: false,
            copied: false,
            stocked_openly: false,
            late: false,
            outlives: false,
            place: None,
        });
        let row = &mut self.roots[root.0 as usize];
        row.cells.push(cell);
        row.steps.push(step);
        self.changed(root);
        Some(cell)
    }

    /// Whether there may be objects in a cell that this function did not put there.
    pub(super) fn has_others(&self, cell: CellId) -> bool {
        let row = self.cell(cell);
        let is_initial = || row.fields.iter().any(|field| self.initial.contains(field));
        let is_structure = || matches!(row.step, Step::Part(_)) && self.of_values.contains(&row.root);
        !self.is_filled_here(row.root) || row.stocked || row.copied || row.outlives || is_initial() || is_structure()
    }

    /// Whether nothing is in an object but what is seen to be put there: it is made here, or a structure in one that is.
    pub(super) fn is_filled_here(&self, root: RootId) -> bool {
        let row = self.get(root);
        match row.kind {
            RootKind::Made(_) => !row.foreign,
            RootKind::Inside(cell) => {
                let cell = self.cell(cell);
                let is_initial = || cell.fields.iter().any(|field| self.initial.contains(field));
                let by_callees = cell.stocked && !cell.stocked_openly && !is_initial();
                (cell.copied && !cell.stocked || by_callees) && !cell.by_library && self.is_filled_here(cell.root)
            }
            _ => false,
        }
    }

    /// The objects in a cell, with what lay there before the function wrote to it.
    pub(super) fn contents(&mut self, cell: CellId) -> Roots {
        if self.has_others(cell) && !std::mem::replace(&mut self.cells[cell.0 as usize].opened, true) {
            let depth = self.get(self.cell(cell).root).depth + self.deeper(cell);
            if let Some(around) = self.fold_into(cell, depth) {
                self.folded.entry(around).or_default().push(cell);
                self.changed(around);
                self.cells[cell.0 as usize].holds.push(around);
                self.changed(self.cell(cell).root);
                return self.cell(cell).holds.clone();
            }
            let inside = self.root(RootKind::Inside(cell), depth);
            let is_shared = |field: &PlaceIndex| self.shared.contains(field);
            let is_elsewhere = self.cell(cell).fields.iter().any(is_shared) || self.holds_table(cell);
            if self.is_lost(self.cell(cell).root) || is_elsewhere {
                self.escape(inside);
            }
            self.cells[cell.0 as usize].holds.push(inside);
            self.changed(self.cell(cell).root);
        }
        self.cell(cell).holds.clone()
    }

    pub(super) fn read(&mut self, solver: &Solver<'_>, access: &Access) -> bool {
        let mut new = false;
        let give = |heap: &mut Self, roots: &[RootId]| access.value.is_some_and(|to| heap.put(to, roots));
        for root in Roots::from_slice(self.points_of(access.base)) {
            if root == NOTHING {
                new |= give(self, &[NOTHING]);
                continue;
            }
            let cell = self.cell_at(root, access.step, access.at, access.function);
            let Some(cell) = cell else {
                let is_object = matches!(access.step, Step::Kept(_))
                    || access.value.is_some_and(|value| !solver.contents(value).is_empty());
                let inside = match is_object && self.is_deep(root) {
                    true => self.beyond(root),
                    false => UNKNOWN,
                };
                new |= give(self, &[inside]);
                continue;
            };
            self.note_fields(cell, &access.fields);
            for cell in self.seen_by(root, access.step) {
                new |= self.mark(cell, |cell| &mut cell.read);
                let holds = self.contents(cell);
                new |= give(self, &holds);
            }
        }
        new
    }

    pub(super) fn write(&mut self, access: &Access) -> bool {
        let stored = access
            .value
            .map(|from| Roots::from_slice(self.points_of(from)))
            .unwrap_or_default();
        let bases = Roots::from_slice(self.points_of(access.base));
        let mut new = false;
        let is_unknown = matches!(access.step, Step::Member(_)) && access.fields.is_empty();
        for root in &bases {
            let cell = (!is_unknown).then(|| self.cell_at(*root, access.step, access.at, access.function));
            let Some(cell) = cell.flatten() else {
                new |= self.escape_all(&stored);
                new |= !is_unknown && self.change(*root);
                continue;
            };
            self.note_fields(cell, &access.fields);
            for cell in self.written_by(*root, access.step) {
                new |= self.fill(cell, &stored);
                new |= access.value.is_none() && self.mark(cell, |cell| &mut cell.left_empty);
            }
        }
        new
    }

    pub(super) fn note_fields(&mut self, cell: CellId, fields: &[PlaceIndex]) {
        if note_all(&mut self.cells[cell.0 as usize].fields, fields) {
            self.changed(self.cell(cell).root);
        }
    }

    /// The fields that another cell may be.
    pub(super) fn note_fields_of(&mut self, cell: CellId, other: CellId) {
        if let Ok([own, other]) = self.cells.get_disjoint_mut([cell.0 as usize, other.0 as usize])
            && note_all(&mut own.fields, &other.fields)
        {
            let root = own.root;
            self.changed(root);
        }
    }

    pub(super) fn made_at(&mut self, place: PlaceIndex) -> RootId {
        if let Some(root) = self.made.get(&place) {
            return *root;
        }
        let root = self.root(RootKind::Made(place), 0);
        self.made.insert(place, root);
        root
    }

    pub(super) fn call(&mut self, solver: &Solver<'_>, site: &Site) -> bool {
        let mut new = false;
        match site.callee {
            Callee::Unknown => {
                if let Some(result) = site.value {
                    new |= self.put(result, &[UNKNOWN]);
                }
            }
            Callee::Class => {
                let Some(result) = site.value else { return new };
                let made = self.made_at(result);
                new |= self.put(result, &[made]);
                for (field, from) in &site.given {
                    let Some(step) = self.step_to(solver, *field) else {
                        continue;
                    };
                    let stored = Roots::from_slice(self.points_of(*from));
                    match self.cell_at(made, step, site.at, site.caller) {
                        Some(cell) => {
                            self.note_fields(cell, &[*field]);
                            new |= self.fill(cell, &stored);
                        }
                        None => new |= self.escape_all(&stored),
                    }
                }
            }
            Callee::Function { constructs, .. } => {
                if constructs && let Some(result) = site.value {
                    let made = self.made_at(result);
                    new |= self.put(result, &[made]);
                }
                self.name_results(site);
                for (parameter, from) in &site.given {
                    let ours = Roots::from_slice(self.points_of(*from));
                    if let Some(theirs) = self.made.get(parameter).copied() {
                        new |= self.learn(solver, site, &ours, theirs, Way::default());
                    }
                }
                for (ours, theirs) in &site.results {
                    for root in Roots::from_slice(self.points_of(*theirs)) {
                        new |= self.given_back(solver, site, root, *ours);
                    }
                }
            }
        }
        new
    }

    /// What the callee does to an object that we call `ours`.
    fn learn(&mut self, solver: &Solver<'_>, site: &Site, ours: &[RootId], theirs: RootId, way: Way) -> bool {
        let depth = way.depth;
        self.asked.extend_from_slice(ours);
        if self.get(theirs).changed {
            return self.change_all(ours);
        }
        if self.is_lost(theirs) {
            return self.escape_all(ours);
        }
        let mut new = false;
        // Where we hand over no object, there is none to learn of.
        if ours.is_empty() {
            return new;
        }
        for index in 0..self.get(theirs).cells.len() {
            let cell = self.get(theirs).cells[index];
            if !self.note_kept_step(site, self.cell(cell).step) {
                continue;
            }
            let step = self.our_step(site, self.cell(cell).step);
            let steps = self.meant_by(step);
            if depth + self.deeper(cell) > DEPTH_LIMIT {
                // What the callee made may lie elsewhere with us than with it.
                let is_made = self.is_made(theirs);
                let has_room = |root: &RootId| self.get(*root).depth + self.deeper_by(*root, step) <= DEPTH_LIMIT;
                if !is_made || depth >= 2 * DEPTH_LIMIT || !ours.iter().any(has_room) {
                    new |= is_made && self.cell(cell).written && self.change_all(ours);
                    continue;
                }
            }
            let their = self.cell(cell);
            let (read, written, put) = (their.read, their.written, their.put);
            let (by_library, emptied) = (their.by_library, their.emptied);
            let late = their.late || (read || written) && site.is_started;
            let (grown, left_empty) = (their.grown, their.left_empty);
            let holds = their.holds.clone();
            let (was_stocked, was_copied) = (their.stocked, their.copied);
            if late && self.is_made(theirs) && self.mark(cell, |cell| &mut cell.outlives) {
                self.outlived.push(self.cell(cell).function);
            }
            let mut handed = Roots::new();
            // What lay in one of our cells goes to another.
            let mut moved = Roots::new();
            for root in holds.iter().copied() {
                if self.is_first_of(root, cell) {
                    continue;
                }
                if self.is_shared(root) {
                    handed.push(root);
                    continue;
                }
                if let Some(known) = self.given_name(site, root) {
                    moved.push(root);
                    handed.push(known);
                    continue;
                }
                self.open_way(site, root);
                if let Some(ours) = self.found_by(site, root) {
                    moved.push(root);
                    handed.extend(ours);
                }
            }
            // Objects of the callee's own, and such as it found elsewhere.
            let stocks = holds.iter().any(|root| match self.get(*root).kind {
                _ if self.is_shared(*root) => false,
                RootKind::Made(_) => !moved.contains(root),
                RootKind::Inside(_) => {
                    !self.is_first_of(*root, cell) && !moved.contains(root) || was_stocked || was_copied
                }
                _ => false,
            });
            let is_open = |root: &RootId| !self.is_shared(*root) && !self.is_of_closed(solver, *root, cell);
            let stocks_openly = stocks && holds.iter().any(is_open);
            for root in &holds {
                match self.get(*root).kind {
                    RootKind::Unknown => handed.push(UNKNOWN),
                    RootKind::Parameter(parameter) => handed.extend(self.given_as(site, parameter)),
                    _ => {}
                }
            }
            // What lay there before, or was put there by the callee: what we hand over has a name already.
            let is_unnamed = |root: &RootId| match self.get(*root).kind {
                _ if self.is_shared(*root) => false,
                RootKind::Made(_) | RootKind::Inside(_) => !moved.contains(root),
                _ => false,
            };
            let has_unnamed = holds.iter().any(is_unnamed);
            let mut inside = Roots::new();
            let known = ours.iter().filter(|root| **root != NOTHING);
            for (root, step) in known.flat_map(|root| steps.iter().map(move |step| (root, *step))) {
                if !self.may_have(solver, site, *root, cell) {
                    continue;
                }
                let own = self.cell_at(*root, step, site.at, site.caller);
                let Some(own) = own else {
                    new |= self.escape_all(&handed);
                    // Too deep for a cell: who calls it by another name has to know that it may change, or what is in it.
                    new |= (written || self.changes_inside(&holds, depth)) && self.change(*root);
                    inside.push(UNKNOWN);
                    continue;
                };
                self.note_fields_of(own, cell);
                if written {
                    for cell in self.written_by(*root, step) {
                        new |= self.mark(cell, |cell| &mut cell.written);
                        new |= late && self.mark(cell, |cell| &mut cell.late);
                    }
                }
                new |= written && self.mark(own, |cell| &mut cell.written);
                new |= late && self.mark(own, |cell| &mut cell.late);
                new |= stocks && self.mark(own, |cell| &mut cell.stocked);
                new |= stocks && self.mark(own, |cell| &mut cell.stocked_by_others);
                new |= stocks_openly && self.mark(own, |cell| &mut cell.stocked_openly);
                new |= left_empty && self.mark(own, |cell| &mut cell.left_empty);
                new |= put && self.mark(own, |cell| &mut cell.put);
                new |= by_library && self.mark(own, |cell| &mut cell.by_library);
                new |= emptied && self.mark(own, |cell| &mut cell.emptied);
                new |= self.hold(own, &handed);
                new |= grown && self.grow_in(own);
                if !holds.is_empty() {
                    new |= self.name_again(site, &holds, own);
                    inside.extend(match has_unnamed {
                        true => self.contents(own),
                        false => self.cell(own).holds.clone(),
                    });
                    self.note_name(site, &holds, own);
                }
                if read {
                    for seen in self.seen_by(*root, step) {
                        new |= self.mark(seen, |cell| &mut cell.read);
                        new |= late && self.mark(seen, |cell| &mut cell.late);
                        if has_unnamed {
                            inside.extend(self.contents(seen));
                        }
                    }
                }
            }
            inside.sort_unstable();
            inside.dedup();
            for root in holds {
                let leads_on = matches!(self.get(root).kind, RootKind::Inside(_) | RootKind::Made(_));
                let is_known = !leads_on || root == theirs || self.is_shared(root) || self.is_folded_at(root, cell);
                if is_known || self.given_name(site, root).is_some() {
                    continue;
                }
                if let Some(way) = way.on(self.deeper(cell)) {
                    let mut inside = inside.clone();
                    self.open_folded(site, root, &mut inside);
                    new |= self.learn(solver, site, &inside, root, way);
                }
            }
        }
        new
    }

    /// What the callee makes and gives back goes by that name, wherever it puts it besides.
    fn name_results(&mut self, site: &Site) {
        let [(ours, theirs)] = site.results.as_slice() else {
            return;
        };
        for theirs in Roots::from_slice(self.points_of(*theirs)) {
            if self.is_made_there(theirs) {
                let made = self.made_at(*ours);
                self.aliases.entry((site.call, theirs)).or_insert(made);
            }
        }
    }

    fn is_made_there(&self, root: RootId) -> bool {
        matches!(self.get(root).kind, RootKind::Made(_)) && !self.is_lost(root) && !self.is_shared(root)
    }

    /// What the caller calls an object that a call makes and gives back.
    pub(super) fn given_name(&self, site: &Site, theirs: RootId) -> Option<RootId> {
        let known = self.aliases.get(&(site.call, theirs)).copied()?;
        matches!(self.get(known).kind, RootKind::Made(_)).then_some(known)
    }

    /// An object that the callee put in several places at once is one object to us, too.
    fn name_again(&mut self, site: &Site, holds: &[RootId], own: CellId) -> bool {
        let Some(theirs) = self.only_made(holds) else {
            return false;
        };
        let Some(known) = self.aliases.get(&(site.call, theirs)).copied() else {
            return false;
        };
        let is_inside = self.get(known).kind != RootKind::Inside(own);
        let was_opened = !self.mark(own, |cell| &mut cell.opened);
        let is_given = matches!(self.get(known).kind, RootKind::Made(_));
        is_inside && (is_given || !was_opened) && self.hold(own, &[known])
    }

    /// What an object is called that the callee made and put in one of our cells.
    fn note_name(&mut self, site: &Site, holds: &[RootId], own: CellId) {
        let Some(theirs) = self.only_made(holds) else { return };
        let is_inside = |root: &&RootId| self.get(**root).kind == RootKind::Inside(own);
        if let Some(inside) = self.cell(own).holds.iter().find(is_inside).copied() {
            self.aliases.entry((site.call, theirs)).or_insert(inside);
        }
    }

    /// The one object that a callee made, where nothing else is in a cell.
    fn only_made(&self, holds: &[RootId]) -> Option<RootId> {
        match holds {
            [only] if self.is_made_there(*only) => Some(*only),
            _ => None,
        }
    }

    /// The callee gives an object back.
    fn given_back(&mut self, solver: &Solver<'_>, site: &Site, root: RootId, result: PlaceIndex) -> bool {
        let roots = self.as_ours(site, root, result);
        let mut new = self.put(result, &roots);
        if let [made] = roots.as_slice()
            && self.made.get(&result) == Some(made)
        {
            new |= self.learn(solver, site, &[*made], root, Way::default());
        }
        new
    }

    /// Whether all is seen that is put in a field: of a structure that is made here.
    fn is_closed(&self, cell: CellId) -> bool {
        let row = self.cell(cell);
        let holder = self.get(row.root);
        let mut fields = row.fields.iter();
        let is_ours = matches!(holder.kind, RootKind::Made(_)) && !holder.foreign && !holder.escaped;
        is_ours && !row.by_library && !row.fields.is_empty() && fields.all(|field| self.of_structures.contains(field))
    }

    /// What the caller calls an object of the callee's that comes back at `result`.
    pub(super) fn as_ours(&mut self, site: &Site, root: RootId, result: PlaceIndex) -> Roots {
        if self.is_lost(root) {
            return Roots::from_slice(&[UNKNOWN]);
        }
        if self.is_shared(root) {
            return Roots::from_slice(&[root]);
        }
        let mut steps = Steps::new();
        let mut start = root;
        while let RootKind::Inside(cell) = self.get(start).kind {
            steps.push((self.our_step(site, self.cell(cell).step), start));
            start = self.cell(cell).root;
        }
        let RootKind::Parameter(parameter) = self.get(start).kind else {
            // What comes back as two results is one object, too.
            if site.results.len() < 2 {
                return Roots::from_slice(&[self.made_at(result)]);
            }
            if let Some(known) = self.aliases.get(&(site.call, root)) {
                return Roots::from_slice(&[*known]);
            }
            let made = self.made_at(result);
            self.aliases.insert((site.call, root), made);
            return Roots::from_slice(&[made]);
        };
        let mut roots = self.given_as(site, parameter);
        for (step, theirs) in steps.into_iter().rev() {
            let mut next = Roots::new();
            let mut is_closed = true;
            self.asked.extend_from_slice(&roots);
            let steps = self.meant_by(step);
            for (root, step) in roots
                .iter()
                .flat_map(|root| steps.iter().map(move |step| (*root, *step)))
            {
                let cell = self.cell_at(root, step, site.at, site.caller);
                is_closed &= root == NOTHING || cell.is_some_and(|cell| self.is_closed(cell));
                if root == NOTHING {
                    continue;
                }
                if cell.is_none() {
                    next.push(UNKNOWN);
                    continue;
                }
                for seen in self.seen_by(root, step) {
                    self.mark(seen, |cell| &mut cell.read);
                    next.extend(self.contents(seen));
                }
            }
            // Nobody put anything there.
            if next.is_empty() && is_closed {
                next.push(NOTHING);
            }
            next.sort_unstable();
            next.dedup();
            self.open_folded(site, theirs, &mut next);
            roots = next;
        }
        roots
    }

    /// How much deeper a cell leads than where its object lies: what is in a global is no deeper than what is in a variable, nor is what a method was
    /// taken from than the method, and what lies in the container that a field keeps than that.
    pub(super) fn deeper(&self, cell: CellId) -> u8 {
        let cell = self.cell(cell);
        self.deeper_by(cell.root, cell.step)
    }

    fn deeper_by(&self, root: RootId, step: Step) -> u8 {
        let holder = match self.get(root).kind {
            RootKind::Inside(holder) => Some(self.cell(holder).step),
            _ => None,
        };
        let is_kept_in_field = matches!(holder, Some(Step::Member(_) | Step::Field(_)));
        match step {
            Step::Global(_) => 0,
            // Methods of methods come to an end, too.
            Step::Kept(_) if self.to_receivers.contains(&step) => {
                u8::from(holder.is_none_or(|holder| self.to_receivers.contains(&holder)))
            }
            Step::Part(_) => u8::from(!is_kept_in_field),
            _ => 1,
        }
    }
}

/// Whether any is new.
fn note_all(known: &mut Fields, fields: &[PlaceIndex]) -> bool {
    if known.starts_with(fields) {
        return false;
    }
    let before = known.len();
    for field in fields {
        if !known.contains(field) {
            known.push(*field);
        }
    }
    known.len() > before
}
