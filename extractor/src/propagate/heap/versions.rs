//! Versions of cells: which write of a cell reaches which read of it, across calls.
//!
//! ```python
//! box = Box("plain")       # box.value, written by the constructor
//! show(box.value)          # sees that
//! fill(box, secret)        # written by the callee: a version of its own
//! send(box.value)          # sees the second; the first as well, if `fill` does not write on every way through it
//! ```
//!
//! Each write of a cell by a function, its own or that of a call, is a version with a place of its own, beside the one for what was
//! there when the function began. A read sees those from which there is a way to it without a write that overwrites (static single
//! assignment for memory: Chow et al. 1996). A write overwrites where the object is one alone and the write is certain; a call does
//! if all ways through the callee do. Where the order is not known (generators, `go`, `goto`, what recovers), a cell is one place, which every
//! read sees and every write adds to.
//!
//! What a callee starts (`go`, a thread, a handler) goes on after the call: it reads whatever is written later, and writes at any time.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Callee, Cell, CellId, Heap, RootId, RootKind, Site, ValueCopy, When};
use crate::facts::Position;
use crate::facts::order::{Order, Point};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::conditions::HANDED_ON_LIMIT;
use crate::propagate::solve::Solver;

/// Most steps back from a read; one that would need more sees all versions.
const STEP_LIMIT: usize = 2_000;

/// Most versions of a cell in one function: each read may see all of them. A cell that is written more often is one place.
const VERSION_LIMIT: usize = 64;

/// A write of a cell.
#[derive(Debug, Clone, Copy)]
struct Write {
    at: Point,
    overwrites: bool,
    /// A call does it.
    by_call: bool,
    /// It happens here or at any time later: a generator runs when it is stepped.
    is_late: bool,
    /// A copy does it that carries what is under keys, too: see [`super::carried`].
    is_carried: bool,
    site: (FileIndex, Position),
}

impl Write {
    fn new(when: When, site: (FileIndex, Position), overwrites: bool) -> Self {
        Self {
            at: when.point,
            overwrites: overwrites && when.is_certain,
            by_call: false,
            is_late: false,
            is_carried: false,
            site,
        }
    }

    fn by_call(self, is_late: bool) -> Self {
        Self {
            overwrites: self.overwrites && !is_late,
            by_call: true,
            is_late,
            ..self
        }
    }
}

/// The versions of cells.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// The order of each function that has any.
    orders: FxHashMap<FunctionIndex, Order>,
    /// The writes of each cell that has versions, in order, one a point.
    writes: FxHashMap<CellId, Vec<Write>>,
    places: FxHashMap<(CellId, Point), PlaceIndex>,
    /// Cells that hold something else when their function ends, whatever way it went.
    overwritten: FxHashSet<CellId>,
    /// Cells that may be written after their function ended.
    late: FxHashSet<CellId>,
    /// Writes by one call that overwrites on some ways only: the call, and the cell to its callee.
    perhaps: FxHashMap<(CellId, Point), (u32, CellId)>,
    /// What is in a cell when its function ends.
    ends: FxHashMap<CellId, Vec<PlaceIndex>>,
}

/// A write by a call that overwrites on some ways only: see [`Versions::perhaps`].
type Perhaps = ((CellId, Point), (u32, CellId));

/// Where a walk back ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stops<'s> {
    /// Nowhere before the function's beginning.
    Never,
    /// At writes that overwrite.
    Always,
    /// There, at these, and where nobody comes.
    Here { dead: &'s [Point], certain: &'s [Point] },
}

/// What a walk back from a point finds.
#[derive(Debug, Default)]
pub(super) struct Reached {
    pub(super) writes: Vec<Point>,
    /// What was there when the function began is among it.
    pub(super) first: bool,
    /// Some of them may happen later.
    is_late: bool,
}

impl Heap {
    /// Finds the versions of all cells that have a place.
    pub(super) fn find_versions(&mut self, solver: &mut Solver<'_>) {
        let loose = self.loose_cells(solver);
        let mut cells: FxHashMap<FunctionIndex, Vec<CellId>> = FxHashMap::default();
        for (index, cell) in self.cells.iter().enumerate() {
            let id = CellId(index as u32);
            // A pointer to a part leads to what others write as well.
            let in_order = cell.step != Step::Target || cell.emptied || self.is_of_box(cell);
            if cell.place.is_some() && cell.written && in_order && !loose.contains(&id) && !self.is_shared(cell.root) {
                cells.entry(cell.function).or_default().push(id);
            }
        }
        let loops = solver.loops.iter().filter(|row| row.call.is_some());
        let with_loops: FxHashSet<FunctionIndex> = loops.map(|row| row.function).collect();
        let mut functions: Vec<FunctionIndex> = cells.keys().copied().collect();
        functions.sort_unstable_by_key(|function| (self.ranks[function.at()], *function));
        for function in functions {
            let Some(order) = order_of(solver, function).filter(|_| !with_loops.contains(&function)) else {
                continue;
            };
            let versioned: FxHashSet<CellId> = cells.remove(&function).unwrap_or_default().into_iter().collect();
            let (mut writes, perhaps) = self.writes_in(solver, function, &versioned);
            self.versions.perhaps.extend(perhaps);
            for (cell, writes) in &mut writes {
                for write in writes.iter_mut().filter(|write| write.by_call && !write.overwrites) {
                    write.overwrites = self.overwrites_here(solver, (*cell, write.at), &[]);
                }
            }
            self.versions.orders.insert(function, order);
            for (cell, writes) in writes.into_iter().filter(|(_, writes)| writes.len() <= VERSION_LIMIT) {
                self.add_versions(solver, cell, writes);
            }
        }
    }

    /// Cells that somebody may write at any time.
    fn loose_cells(&self, solver: &Solver<'_>) -> FxHashSet<CellId> {
        let mut loose = FxHashSet::default();
        for [one, other] in self.captures.values().map(|capture| capture.ends()) {
            let assigned = |place: &PlaceIndex| {
                let closure = solver.program.owner_of(*place);
                closure.is_some_and(|closure| self.assigned_inside.contains(&closure))
            };
            if assigned(&one) || assigned(&other) {
                for root in self.points_of(one).iter().chain(self.points_of(other)) {
                    loose.extend(&self.get(*root).cells);
                }
            }
        }
        // Containers that calls make of their arguments, and those that take up the parts of others.
        for (place, root) in &self.made {
            let is_made = matches!(self.get(*root).kind, RootKind::Made(_));
            if is_made && solver.program.local_place(*place).is_none() {
                loose.extend(&self.get(*root).cells);
            }
        }
        let moves = self.locals.iter().flat_map(|local| &local.moves);
        for moved in moves.filter(|moved| moved.is_shared) {
            for (_, target) in self.pairs_moved(moved) {
                loose.extend(&self.get(target).cells);
            }
        }
        let copies = self.locals.iter().flat_map(|local| &local.values);
        for copy in copies.filter(|copy| copy.point.is_none()) {
            if let Some(copied) = self.copied.get(&copy.to) {
                loose.extend(&self.get(*copied).cells);
            }
        }
        loose
    }

    /// Who writes which of these cells, in the order of points; and the calls that do so on some ways.
    fn writes_in(
        &self,
        solver: &Solver<'_>,
        function: FunctionIndex,
        versioned: &FxHashSet<CellId>,
    ) -> (Vec<(CellId, Vec<Write>)>, Vec<Perhaps>) {
        let local = &self.locals[function.at()];
        let mut found: Vec<(CellId, Write)> = Vec::new();
        let mut note = |cell: CellId, write: Write| {
            if versioned.contains(&cell) {
                found.push((cell, write));
            }
        };
        for access in &local.writes {
            let bases = self.points_of(access.base);
            for root in bases {
                for cell in self.changed_by(*root, access.step) {
                    let overwrites =
                        self.is_the_one(bases, *root) && self.is_one(solver, *root) && is_constant(access.step);
                    note(cell, Write::new(access.when, access.at, overwrites));
                }
            }
        }
        for (copy, _, own) in self.copies_made(local) {
            let Some(point) = copy.point.filter(|_| copy.from != copy.to) else {
                continue;
            };
            let overwrites = self.is_only_at(copy, own) && self.is_one(solver, own);
            for cell in &self.get(own).cells {
                let is_known = is_constant(self.cell(*cell).step);
                note(*cell, Write::new(When::certain(point), copy.at, overwrites && is_known));
            }
        }
        for moved in local.moves.iter().filter(|moved| !moved.is_shared) {
            for written in self.parts_written(solver, moved) {
                if let Some(cell) = self.cell_of(written.target, Step::Part(written.part)) {
                    let overwrites = written.is_certain && self.is_one(solver, written.target);
                    let write = Write {
                        is_carried: written.is_carried,
                        ..Write::new(moved.when, moved.at, overwrites)
                    };
                    note(cell, write);
                }
            }
        }
        let mut perhaps: Vec<Perhaps> = Vec::new();
        let mut calls: FxHashMap<Point, usize> = FxHashMap::default();
        for site in &local.sites {
            *calls.entry(site.when.point).or_default() += 1;
        }
        for site in &local.sites {
            let is_alone = calls.get(&site.when.point) == Some(&1);
            let is_delayed = self.is_delayed(solver, site);
            self.each_pair(site, &mut |heap, ours, theirs, _| {
                let brought = matches!(heap.get(heap.top(theirs)).kind, RootKind::Parameter(_));
                for cell in &heap.get(theirs).cells {
                    let their = heap.cell(*cell);
                    if !their.written {
                        continue;
                    }
                    let step = heap.our_step(site, their.step);
                    let steps = heap.meant_by(step);
                    let is_one = is_alone && brought && ours.len() == 1 && is_constant(step);
                    let overwrites = is_one && heap.versions.overwritten.contains(cell);
                    for root in ours {
                        for own in steps.iter().flat_map(|step| heap.changed_by(*root, *step)) {
                            let overwrites = overwrites && heap.is_one(solver, *root);
                            if is_one
                                && !overwrites
                                && !is_delayed
                                && site.when.is_certain
                                && heap.is_one(solver, *root)
                            {
                                perhaps.push(((own, site.when.point), (site.call, *cell)));
                            }
                            let is_late = is_delayed || heap.versions.late.contains(cell);
                            note(own, Write::new(site.when, site.at, overwrites).by_call(is_late));
                        }
                    }
                }
            });
            for (cell, _) in self.filled_by_class(solver, site) {
                let overwrites = is_alone && self.is_one(solver, self.cell(cell).root);
                note(cell, Write::new(site.when, site.at, overwrites).by_call(false));
            }
        }
        found.sort_by_key(|(cell, write)| (*cell, write.at));
        let mut writes: Vec<(CellId, Vec<Write>)> = Vec::new();
        for (cell, write) in found {
            match writes.last_mut() {
                Some((known, writes)) if *known == cell => match writes.last_mut() {
                    Some(last) if last.at == write.at => {
                        last.overwrites |= write.overwrites;
                        last.is_late |= write.is_late;
                        last.is_carried &= write.is_carried;
                    }
                    _ => writes.push(write),
                },
                _ => writes.push((cell, vec![write])),
            }
        }
        (writes, perhaps)
    }

    /// Whether a call that overwrites a cell on some ways does so on all that are left, where its function was entered through these calls.
    fn overwrites_here(&mut self, solver: &Solver<'_>, write: (CellId, Point), calls: &[u32]) -> bool {
        let Some((call, cell)) = self.versions.perhaps.get(&write).copied() else {
            return false;
        };
        if calls.len() >= HANDED_ON_LIMIT || self.versions.late.contains(&cell) {
            return false;
        }
        let calls: Vec<u32> = std::iter::once(call).chain(calls.iter().copied()).collect();
        let function = self.cell(cell).function;
        let dead = self.decided.dead(solver, function, &calls);
        let Some(writes) = self.versions.writes.get(&cell) else {
            return false;
        };
        let by_calls = writes.iter().filter(|write| write.by_call && !write.overwrites);
        let by_calls: Vec<Point> = by_calls.map(|write| write.at).collect();
        let mut certain = Vec::new();
        for at in by_calls {
            if self.overwrites_here(solver, (cell, at), &calls) {
                certain.push(at);
            }
        }
        if dead.is_empty() && certain.is_empty() {
            return false;
        }
        let Some(order) = self.versions.orders.get(&function) else {
            return false;
        };
        let reached = self.versions.walk_back(
            cell,
            order,
            order.exits.clone(),
            Stops::Here {
                dead: &dead,
                certain: &certain,
            },
        );
        !reached.first && !reached.writes.is_empty()
    }

    /// Whether a cell is that of a variable's box, as its function knows it or as a callee does.
    fn is_of_box(&self, cell: &Cell) -> bool {
        match self.get(cell.root).kind {
            RootKind::Made(place) => self.box_at(place) == Some(cell.root),
            RootKind::Parameter(_) | RootKind::Inside(_) => {
                let mut fields = cell.fields.iter();
                !cell.by_library && !cell.fields.is_empty() && fields.all(|field| self.boxed.contains(field))
            }
            _ => false,
        }
    }

    /// Whether a copy can go nowhere else: what is written over is the one thing that is there.
    fn is_only_at(&self, copy: ValueCopy, own: RootId) -> bool {
        self.copied.get(&copy.to) == Some(&own) || self.points_of(copy.to).len() == 1
    }

    /// Whether the root is one object while its function runs once.
    pub(super) fn is_one(&self, solver: &Solver<'_>, root: RootId) -> bool {
        match self.get(root).kind {
            _ if self.is_shared(root) || self.is_loop(root) => false,
            RootKind::Unknown | RootKind::Nothing | RootKind::Beyond(_) => false,
            RootKind::Parameter(_) => true,
            RootKind::Made(place) => solver.program.local_place(place).is_some_and(|(file, local)| {
                let place = solver.program.files[file.at()].facts.places[local.0 as usize];
                !place.repeated
            }),
            RootKind::Inside(cell) => {
                let Cell { root, step, .. } = *self.cell(cell);
                is_constant(step) && self.is_one(solver, root)
            }
        }
    }

    fn add_versions(&mut self, solver: &mut Solver<'_>, cell: CellId, writes: Vec<Write>) {
        let Cell {
            root, step, function, ..
        } = *self.cell(cell);
        let (RootKind::Made(owner) | RootKind::Parameter(owner)) = self.get(self.top(root)).kind else {
            return;
        };
        for write in &writes {
            let place = DerivedPlace::Cell {
                owner,
                step,
                function,
                written: write.at,
            };
            let place = solver.derive_place(place);
            self.versions.places.insert((cell, write.at), place);
        }
        self.versions.writes.insert(cell, writes);
        let Some(order) = self.versions.orders.get(&function) else {
            return;
        };
        let mut reached = self.versions.reached(cell, order, order.exits.clone());
        // What a function writes that never ends is seen by those that run beside it.
        if order.exits.is_empty() {
            let writes = self.versions.writes.get(&cell).into_iter().flatten();
            reached.writes = writes.map(|write| write.at).collect();
            reached.first = true;
        }
        let made = self.is_made(root);
        let mut ends = self.places_of(cell, &reached.writes);
        if made && reached.first {
            ends.extend(self.cell(cell).place);
        }
        if !reached.first {
            self.versions.overwritten.insert(cell);
        }
        if reached.is_late {
            self.versions.late.insert(cell);
        }
        self.versions.ends.insert(cell, ends);
    }

    pub(super) fn places_of(&self, cell: CellId, writes: &[Point]) -> Vec<PlaceIndex> {
        let places = writes.iter().filter_map(|at| self.versions.places.get(&(cell, *at)));
        places.copied().collect()
    }

    /// The places that hold what is in a cell at a point, before what happens there; inside of library code, or after it.
    pub(super) fn versions_seen(&self, cell: CellId, when: When) -> Vec<PlaceIndex> {
        let row = self.cell(cell);
        self.versions_seen_by((row.root, cell), row.step, when)
    }

    /// As [`Heap::versions_seen`], of what a read by this step looks at.
    pub(super) fn versions_seen_by(&self, (root, cell): (RootId, CellId), step: Step, when: When) -> Vec<PlaceIndex> {
        let row = self.cell(cell);
        let Some(first) = row.place else { return Vec::new() };
        let versions = (self.versions.writes.get(&cell), self.versions.orders.get(&row.function));
        let (Some(_), Some(order)) = versions else {
            let mut ever = self.first_in_class(cell, when).unwrap_or_default();
            ever.push(first);
            return ever;
        };
        let mut reached = self.versions.reached(cell, order, before(order, when.point));
        if !when.is_certain && self.versions.places.contains_key(&(cell, when.point)) {
            reached.writes.push(when.point);
        }
        self.looked_at((root, cell), step, &mut reached.writes);
        let mut places = self.places_of(cell, &reached.writes);
        if reached.first {
            places.extend(self.first_in_class(cell, when).unwrap_or_else(|| vec![first]));
        }
        places
    }

    /// A function is found to write over what is in a cell.
    pub(super) fn overwrite_at(&mut self, cell: CellId, at: Point) {
        let writes = self.versions.writes.get_mut(&cell);
        let mut writes = writes.into_iter().flatten();
        if let Some(write) = writes.find(|write| write.at == at && !write.by_call && !write.is_late) {
            write.overwrites = true;
        }
    }

    /// Whether the writes of a cell are told apart.
    pub(super) fn has_versions(&self, cell: CellId) -> bool {
        self.versions.writes.contains_key(&cell)
    }

    /// When what is in a cell at a point was written, and whether it may be what was there at first; none where that is not known.
    pub(super) fn writes_seen(&self, cell: CellId, when: When) -> Option<(Vec<Point>, bool)> {
        self.versions.writes.get(&cell)?;
        let order = self.versions.orders.get(&self.cell(cell).function)?;
        let reached = self.versions.reached(cell, order, before(order, when.point));
        Some((reached.writes, reached.first))
    }

    /// The place that a write at a point goes to.
    pub(super) fn version_written(&self, cell: CellId, when: When) -> Option<PlaceIndex> {
        let version = self.versions.places.get(&(cell, when.point)).copied();
        version.or(self.cell(cell).place)
    }

    /// Every version of a cell that a write made, with the write's site.
    pub(super) fn versions_made(&self, cell: CellId) -> Vec<(PlaceIndex, (FileIndex, Position))> {
        let writes = self.versions.writes.get(&cell).into_iter().flatten();
        let places = writes.filter_map(|write| Some((*self.versions.places.get(&(cell, write.at))?, write.site)));
        places.collect()
    }

    /// The versions of a cell that calls made, not what the function itself writes into it.
    pub(super) fn versions_by_calls(&self, cell: CellId) -> Vec<PlaceIndex> {
        let writes = self.versions.writes.get(&cell).into_iter().flatten();
        let by_calls = writes.filter(|write| write.by_call).map(|write| write.at);
        self.places_of(cell, &by_calls.collect::<Vec<_>>())
    }

    /// What the callee leaves in a cell that it wrote; all that it ever puts there, if it runs beside its caller.
    pub(super) fn versions_left(&self, cell: CellId, is_beside: bool) -> Vec<PlaceIndex> {
        match self.versions.ends.get(&cell) {
            Some(_) if is_beside => self
                .versions_made(cell)
                .into_iter()
                .map(|(version, _)| version)
                .collect(),
            Some(ends) => ends.clone(),
            None => self.cell(cell).place.into_iter().collect(),
        }
    }
}

impl Heap {
    /// Notes which functions leave something running that has what their callers have.
    pub(super) fn find_lasting(&mut self) {
        let late = self.cells.iter().filter(|cell| cell.late);
        self.lasting = late.map(|cell| cell.function).collect();
    }

    /// Whether what is called runs later, step by step, or goes on after its call.
    pub(super) fn is_delayed(&self, solver: &Solver<'_>, site: &Site) -> bool {
        let Callee::Function { function, .. } = site.callee else {
            return false;
        };
        let is_stepped = || solver.program.order(function).is_some_and(|order| order.is_delayed);
        self.lasting.contains(&function) || site.is_started || is_stepped()
    }
}

impl Versions {
    /// Whether a copy wrote a cell at a point that carries what is under keys.
    pub(super) fn is_carried(&self, cell: CellId, at: Point) -> bool {
        let mut writes = self.writes.get(&cell).into_iter().flatten();
        writes.any(|write| write.at == at && write.is_carried)
    }

    /// When a cell is certainly written.
    pub(super) fn overwriting(&self, cell: CellId) -> impl Iterator<Item = Point> {
        let writes = self.writes.get(&cell).into_iter().flatten();
        writes.filter(|write| write.overwrites).map(|write| write.at)
    }

    /// Whether something certainly replaces what was put in a cell first.
    pub(super) fn is_overwritten_later(&self, cell: CellId) -> bool {
        let writes = self.writes.get(&cell).into_iter().flatten();
        writes.skip(1).any(|write| write.overwrites)
    }

    /// The order of a function that has versions.
    pub(super) fn order_for(&self, function: FunctionIndex) -> Option<&Order> {
        self.orders.get(&function)
    }

    /// The writes that reach the end of any of these points, and those that may happen later than others.
    fn reached(&self, cell: CellId, order: &Order, from: Vec<Point>) -> Reached {
        let is_late = |write: &Write| write.is_late;
        let has_late = self.writes.get(&cell).is_some_and(|writes| writes.iter().any(is_late));
        if !has_late {
            return self.walk_back(cell, order, from, Stops::Always);
        }
        let ever = self.walk_back(cell, order, from.clone(), Stops::Never).writes;
        let mut reached = self.walk_back(cell, order, from, Stops::Always);
        let writes = self.writes.get(&cell).into_iter().flatten();
        let late = writes.filter(|write| write.is_late && ever.contains(&write.at));
        let late: Vec<Point> = late.map(|write| write.at).collect();
        reached.is_late = !late.is_empty();
        reached.writes.extend(late);
        reached.writes.sort_unstable();
        reached.writes.dedup();
        reached
    }

    /// The writes on the ways back from these points, up to those that overwrite where that `stops`.
    pub(super) fn walk_back(&self, cell: CellId, order: &Order, from: Vec<Point>, stops: Stops<'_>) -> Reached {
        let mut reached = Reached::default();
        let Some(writes) = self.writes.get(&cell) else {
            return reached;
        };
        let mut open = from;
        let mut seen: FxHashSet<Point> = FxHashSet::default();
        while let Some(point) = open.pop() {
            let later = writes.partition_point(|write| write.at <= point);
            let write = later.checked_sub(1).map(|index| writes[index]);
            let meeting = order.meeting_before(point);
            let stop = write.map(|write| write.at).max(meeting.map(|meeting| meeting.at));
            if let Stops::Here { dead, .. } = stops {
                let least = stop.unwrap_or_default();
                let next = dead.partition_point(|dead| *dead < least);
                if dead.get(next).is_some_and(|dead| *dead <= point) {
                    continue;
                }
            }
            let Some(stop) = stop.filter(|stop| stop.0 > 0) else {
                reached.first = true;
                continue;
            };
            if !seen.insert(stop) {
                continue;
            }
            if seen.len() > STEP_LIMIT {
                reached.writes = writes.iter().map(|write| write.at).collect();
                reached.first = true;
                return reached;
            }
            if let Some(write) = write.filter(|write| write.at == stop) {
                reached.writes.push(stop);
                let is_over = match stops {
                    Stops::Never => false,
                    Stops::Always => write.overwrites,
                    Stops::Here { certain, .. } => write.overwrites || certain.contains(&stop),
                };
                if is_over {
                    continue;
                }
            }
            match meeting.filter(|meeting| meeting.at == stop) {
                Some(meeting) => {
                    open.extend(&meeting.after);
                    if let Some((first, end)) = meeting.region {
                        let inside = writes.iter().map(|write| write.at);
                        reached.writes.extend(inside.filter(|at| (first..end).contains(at)));
                    }
                }
                None => open.push(Point(stop.0 - 1)),
            }
        }
        reached.writes.sort_unstable();
        reached.writes.dedup();
        reached
    }
}

/// The points that come right before one.
fn before(order: &Order, point: Point) -> Vec<Point> {
    match order.meeting_before(point).filter(|meeting| meeting.at == point) {
        Some(meeting) => meeting.after.clone(),
        None => vec![Point(point.0.saturating_sub(1))],
    }
}

/// Whether the step names one part.
pub(super) fn is_constant(step: Step) -> bool {
    matches!(
        step,
        Step::Member(_)
            | Step::Field(_)
            | Step::Kept(_)
            | Step::Global(_)
            | Step::Target
            | Step::Part(Part::Text(_) | Part::Index(_) | Part::Under(_) | Part::All)
    )
}

/// The order of a function's points, if its source tells it.
pub(super) fn order_of(solver: &Solver<'_>, function: FunctionIndex) -> Option<Order> {
    let order = solver.program.order(function)?;
    (!order.is_loose && order.len > 0).then(|| order.clone())
}
