//! Containers of which all that is done to them is known, in order: what each of their parts holds at each read.
//!
//! ```python
//! def add(rows, value): rows.append(value)
//! rows = ["x"]
//! add(rows, secret)        # ["x", secret]
//! rows.pop(0)              # [secret]
//! ```
//!
//! A function has a list of the edits that it makes to a container that it is given, the same on all its ways, and each caller makes
//! them its own. Where ways meet with different edits, where a loop repeats one, or where the container may be another one, nothing is
//! known from there on, and the versions of its cells tell what may be where.

use std::sync::Arc;

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::Where;
use super::contents::{Contents, Found, Item, Wanted};
use super::edits::changes_of;
use super::lay_out::{container_at, part_fields};
use super::timeline::{Known, Timeline, contents_after};
use super::windows::Windows;
use super::{CELL_LIMIT, Callee, CellId, Fields, Heap, RootId, RootKind, Roots, When};
use crate::facts::order::Point;
use crate::facts::{AtEnd, ContainerKind, Name, PlaceId, PlaceKind, Position};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::edges::{EdgeSite, End, NO_CALL, ValueEdge};
use crate::propagate::library::Change;

use crate::propagate::solve::{ElementRow, RowKey, Solver};

/// What a callee put in a container of ours.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) call: u32,
    pub(super) site: (FileIndex, Position),
    pub(super) function: FunctionIndex,
    pub(super) at: Point,
    pub(super) root: RootId,
    pub(super) item: Item,
    pub(super) place: Option<PlaceIndex>,
}

/// A call that hands a container to a callee, or gets one: which call, our containers, the callee's.
pub(super) type Pair = (usize, Roots, RootId);

/// What the calls of a function have to do with containers.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// In the order of calls.
    pub(super) all: Vec<Pair>,
    /// Which of them are about a container of ours.
    pub(super) of: FxHashMap<RootId, Vec<usize>>,
    /// How many calls happen at a point.
    pub(super) calls: FxHashMap<Point, usize>,
}

/// What a function does with a container, by row.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) stores: Vec<usize>,
    loads: Vec<usize>,
    pub(super) copies: Vec<usize>,
    pub(super) drops: Vec<usize>,
    pub(super) ends: Vec<usize>,
    pub(super) calls: Vec<u32>,
    /// Calls of library code that make it of another one.
    pub(super) layers: Vec<u32>,
    moves: Vec<(PlaceIndex, Point)>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Tracked {
    pub(super) given: Vec<Given>,
    pub(super) given_ids: FxHashMap<(u32, RootId, Item), u32>,
    /// Where functions leave what they put, by what that is.
    left: FxHashMap<PlaceIndex, PlaceIndex>,
    /// None while it is looked for.
    pub(super) timelines: FxHashMap<RootId, Option<Timeline>>,
    /// The functions that are looked at.
    functions: FxHashSet<FunctionIndex>,
    pub(super) rows: FxHashMap<RootId, Rows>,
    pairs: FxHashMap<FunctionIndex, Arc<Pairs>>,
    /// Containers that are edited at all.
    pub(super) edited: FxHashSet<RootId>,
    /// What is received from channels.
    received: FxHashSet<PlaceIndex>,
    /// Lists that more than one variable holds, or something else.
    pub(super) shared: FxHashSet<RootId>,
    /// What lies in cells that something else may lie in later.
    pub(super) left_behind: FxHashSet<RootId>,
    /// Those of which functions read parts by where callers know them to be.
    opened: FxHashSet<RootId>,
    /// Lists that are cut out of others.
    pub(super) windows: Windows,
    /// What is in a container at a point where it is read.
    found: FxHashMap<(RootId, Point), Contents>,
    /// Where a container is read one by one that nothing is done to meanwhile.
    settled: FxHashSet<(RootId, Point)>,
}

impl Tracked {
    /// The containers of which it is known what is in them where they are read.
    pub(super) fn roots_found(&self) -> impl Iterator<Item = RootId> {
        self.found.keys().map(|(root, _)| *root)
    }

    pub(super) fn found_at(&self, root: RootId, point: Point) -> Option<&Contents> {
        self.found.get(&(root, point))
    }
}

impl Heap {
    /// Finds what is in containers at each read, where that is known. After the roots, before their cells have places.
    pub(super) fn track(&mut self, solver: &mut Solver<'_>) {
        self.tracked.windows = self.note_windows(solver);
        let mut edited = self.edited(solver);
        edited.retain(|root| !self.is_shared(*root));
        if edited.is_empty() {
            return;
        }
        let received = solver.end_changes.iter();
        let received = received.filter(|row| matches!(row.change, AtEnd::Receive(_)));
        self.tracked.received = received.filter_map(|row| row.part).collect();
        self.note_shared(solver);
        self.tracked.left_behind = self.left_behind();
        self.note_rows(solver, &edited);
        let mut roots: Vec<RootId> = edited.iter().copied().collect();
        let function = |heap: &Self, root: RootId| heap.function_of(solver, root);
        roots.sort_by_key(|root| {
            (
                function(self, *root).map_or(0, |function| self.ranks[function.at()]),
                *root,
            )
        });
        self.tracked.edited = edited;
        for root in &roots {
            self.timeline(solver, *root);
        }
        for root in roots {
            self.note_reads(solver, root);
        }
        self.tracked.timelines = FxHashMap::default();
        self.tracked.rows = FxHashMap::default();
        self.tracked.pairs = FxHashMap::default();
    }

    /// Finds the lists that are held by several, of which one may be made longer and the others not, and the channels that lie somewhere
    /// for others to send to.
    fn note_shared(&mut self, solver: &Solver<'_>) {
        let changes = solver.end_changes.iter().filter(|row| row.change != AtEnd::Empty);
        let changed = changes.flat_map(|row| self.points_of(row.base));
        let changed: FxHashSet<RootId> = changed.copied().collect();
        if changed.is_empty() {
            return;
        }
        let is_list = |root: &RootId| match self.get(*root).kind {
            RootKind::Made(place) => container_at(solver, place) != Some(ContainerKind::Channel),
            _ => true,
        };
        let lists: FxHashSet<RootId> = changed.iter().copied().filter(is_list).collect();
        let mut names: FxHashMap<RootId, Name> = FxHashMap::default();
        let mut lies_in: FxHashMap<RootId, CellId> = FxHashMap::default();
        let mut shared = FxHashSet::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            for (local, place) in file.facts.places.iter().enumerate() {
                let is_variable = matches!(
                    place.kind,
                    PlaceKind::Local | PlaceKind::Parameter | PlaceKind::Captured | PlaceKind::Global
                );
                let held = solver.program.place(FileIndex(index as u32), PlaceId(local as u32));
                for root in self
                    .points_of(held)
                    .iter()
                    .filter(|root| is_variable && lists.contains(root))
                {
                    if *names.entry(*root).or_insert(place.name) != place.name {
                        shared.insert(*root);
                    }
                }
            }
        }
        for (index, cell) in self.cells.iter().enumerate() {
            let own = CellId(index as u32);
            let is_own = |root: &RootId| self.get(*root).kind == RootKind::Inside(own);
            for root in cell.holds.iter().filter(|root| changed.contains(root) && !is_own(root)) {
                // A list that lies there and nowhere else.
                let is_first = *lies_in.entry(*root).or_insert(own) == own;
                if !is_first || names.contains_key(root) || !lists.contains(root) {
                    shared.insert(*root);
                }
            }
        }
        self.tracked.shared = shared;
    }

    /// The parts of a container that a read finds, where it is known what is there.
    fn parts_tracked(&self, root: RootId, part: Part, point: Point) -> Option<Vec<PlaceIndex>> {
        let contents = self.tracked.found.get(&(root, point))?;
        match part {
            Part::Any | Part::Under(_) | Part::OneOf(_) => {
                let items = contents.items()?.into_iter();
                Some(items.filter_map(|(_, item)| self.place_of_item(item)).collect())
            }
            part => self.found_places(root, contents.find(Wanted::Part(part))?),
        }
    }

    /// As [`Heap::parts_tracked`], of a part that is counted from the end.
    fn part_from_end(&self, root: RootId, back: u32, point: Point) -> Option<Vec<PlaceIndex>> {
        let contents = self.tracked.found.get(&(root, point))?;
        self.found_places(root, contents.find(Wanted::Back(back))?)
    }

    /// What a load finds in a container.
    fn load_tracked(&self, root: RootId, row: &ElementRow) -> Option<Vec<PlaceIndex>> {
        match row.key {
            RowKey::Text(key) => self.parts_tracked(root, Part::Text(key), row.point),
            RowKey::Index(index) | RowKey::At(index) => self.parts_tracked(root, Part::Index(index), row.point),
            RowKey::Back(back) => self.part_from_end(root, back, row.point),
            RowKey::Any if self.tracked.received.contains(&row.value) => {
                self.parts_tracked(root, Part::Index(0), row.point)
            }
            RowKey::Any => self.parts_tracked(root, Part::Any, row.point),
            RowKey::Each => self.parts_iterated(root, row),
            _ => None,
        }
    }

    /// What comes out of a list one by one, if nothing is put in or taken out meanwhile: what iterates later is not seen.
    fn parts_iterated(&self, root: RootId, row: &ElementRow) -> Option<Vec<PlaceIndex>> {
        let is_list = matches!(self.tracked.found_at(root, row.point)?, Contents::List { .. });
        let is_settled = self.tracked.settled.contains(&(root, row.point));
        (is_list && is_settled).then(|| self.parts_tracked(root, Part::Any, row.point))?
    }

    fn found_places(&self, root: RootId, found: Found) -> Option<Vec<PlaceIndex>> {
        match found {
            Found::Missing => Some(Vec::new()),
            Found::Item(item) => Some(self.place_of_item(item).into_iter().collect()),
            Found::First(index) => Some(vec![self.place_of(root, Step::Part(Part::Index(index)))?.1]),
            Found::Last(back) => Some(vec![self.place_of(root, Step::Part(Part::Last(back)))?.1]),
        }
    }

    /// Where an element load finds what all that is done to its base has left there.
    pub(super) fn find_tracked(&self, row: &ElementRow) -> Option<Where> {
        let roots = self.points_of(row.base);
        let found: Option<Vec<_>> = roots.iter().map(|root| self.load_tracked(*root, row)).collect();
        let mut cells: Vec<PlaceIndex> = found.filter(|_| !roots.is_empty())?.into_iter().flatten().collect();
        cells.sort_unstable();
        cells.dedup();
        Some(Where {
            cells,
            elsewhere: false,
        })
    }

    /// The loads that find all that is in a container where they happen.
    pub(in crate::propagate) fn tracked_loads(&self, solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
        if self.tracked.found.is_empty() {
            return FxHashSet::default();
        }
        let rows = solver.element_loads.iter().filter(|row| !row.silent && !row.known);
        let rows = rows.filter(|row| self.find_tracked(row).is_some());
        rows.map(|row| row.value).collect()
    }

    /// What a read by this step sees where it is known what is in the container.
    pub(super) fn step_tracked(&self, root: RootId, step: Step, when: When) -> Option<Vec<PlaceIndex>> {
        match step {
            Step::Part(Part::Last(back)) => self.part_from_end(root, back, when.point),
            Step::Part(part) => self.parts_tracked(root, part, when.point),
            _ => None,
        }
    }

    /// Whether a function reads a part of what it is given by where its callers know it to be.
    pub(super) fn is_read_by_place(&self, root: RootId) -> bool {
        self.tracked.opened.contains(&root)
    }

    fn place_of_item(&self, item: Item) -> Option<PlaceIndex> {
        match item {
            Item::Nothing => None,
            Item::Of(place) => Some(place),
            Item::Given(id) => self.tracked.given[id as usize].place,
        }
    }

    /// The containers that library code edits, and what callers call them.
    fn edited(&self, solver: &Solver<'_>) -> FxHashSet<RootId> {
        let mut edited: FxHashSet<RootId> = FxHashSet::default();
        for (index, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            if edits_receiver(solver, index as u32) {
                let receiver = row.receiver.into_iter();
                edited.extend(receiver.flat_map(|receiver| self.points_of(receiver)));
            }
        }
        for row in solver.end_changes.iter().filter(|row| row.change != AtEnd::Empty) {
            edited.extend(self.points_of(row.base));
        }
        for layered in self.layers.iter().filter(|layered| !layered.is_copy) {
            edited.extend(self.points_of(layered.result));
        }
        edited.extend(self.tracked.windows.followed());
        // Which part is the last one is known to callers.
        let is_last = |cell: &&super::Cell| matches!(cell.step, Step::Part(Part::Last(_))) && cell.read;
        edited.extend(self.cells.iter().filter(is_last).map(|cell| cell.root));
        edited.retain(|root| self.is_followed(*root));
        let mut functions: FxHashSet<FunctionIndex> = FxHashSet::default();
        let owner = |root: &RootId| self.function_of(solver, *root);
        functions.extend(edited.iter().filter_map(owner));
        // What their paths begin with.
        let mut tops: FxHashSet<RootId> = edited.iter().map(|root| self.top(*root)).collect();
        let mut callers: Vec<FunctionIndex> = (0..self.locals.len() as u32).map(FunctionIndex).collect();
        callers.sort_unstable_by_key(|function| self.ranks[function.at()]);
        for caller in callers {
            for site in &self.locals[caller.at()].sites {
                let is_of = |function| functions.contains(&function);
                if !matches!(site.callee, Callee::Function { function, .. } if is_of(function)) {
                    continue;
                }
                let mut given = site.given.iter().filter_map(|(parameter, _)| self.made.get(parameter));
                let mut results = site.results.iter().flat_map(|(_, theirs)| self.points_of(*theirs));
                if !given.any(|root| tops.contains(root)) && !results.any(|root| tops.contains(&self.top(*root))) {
                    continue;
                }
                let mut ours_edited: Vec<RootId> = Vec::new();
                self.each_pair(site, &mut |heap, ours, theirs, _| {
                    if edited.contains(&theirs) {
                        ours_edited.extend(ours.iter().filter(|root| heap.is_followed(**root)));
                    }
                });
                if !ours_edited.is_empty() {
                    functions.insert(caller);
                    tops.extend(ours_edited.iter().map(|root| self.top(*root)));
                    edited.extend(ours_edited);
                }
            }
        }
        edited
    }

    pub(super) fn is_followed(&self, root: RootId) -> bool {
        !self.is_lost(root) && root != super::NOTHING
    }

    pub(super) fn function_of(&self, solver: &Solver<'_>, root: RootId) -> Option<FunctionIndex> {
        match self.get(self.top(root)).kind {
            RootKind::Made(place) | RootKind::Parameter(place) => solver.program.owner_of(place),
            _ => None,
        }
    }

    /// Notes which rows are about which containers, in the functions that edit some and in their callees, which make them.
    fn note_rows(&mut self, solver: &Solver<'_>, edited: &FxHashSet<RootId>) {
        let functions = edited.iter().filter_map(|root| self.function_of(solver, *root));
        let mut open: FxHashSet<FunctionIndex> = functions.collect();
        for _ in 0..2 {
            let sites = open.iter().flat_map(|function| &self.locals[function.at()].sites);
            let callees: Vec<FunctionIndex> = sites
                .filter_map(|site| match site.callee {
                    Callee::Function { function, .. } => Some(function),
                    _ => None,
                })
                .collect();
            open.extend(callees);
        }
        let mut rows: FxHashMap<RootId, Rows> = FxHashMap::default();
        let mut note = |function: FunctionIndex, base: PlaceIndex, put: &mut dyn FnMut(&mut Rows)| {
            if open.contains(&function) {
                for root in self.points_of(base).iter().filter(|root| self.is_followed(**root)) {
                    put(rows.entry(*root).or_default());
                }
            }
        };
        for (index, row) in solver.element_stores.iter().enumerate() {
            note(row.function, row.base, &mut |rows| rows.stores.push(index));
        }
        for (index, row) in solver.part_copies.iter().enumerate() {
            note(row.function, row.to, &mut |rows| rows.copies.push(index));
        }
        for (index, row) in solver.drops.iter().enumerate() {
            note(row.at.function, row.base, &mut |rows| rows.drops.push(index));
        }
        for (index, row) in solver.end_changes.iter().enumerate() {
            note(row.function, row.base, &mut |rows| rows.ends.push(index));
        }
        for (index, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            if let Some(receiver) = row.receiver
                && edits_receiver(solver, index as u32)
            {
                note(row.function, receiver, &mut |rows| rows.calls.push(index as u32));
            }
        }
        for layered in &self.layers {
            let function = solver.calls[layered.call as usize].function;
            note(function, layered.result, &mut |rows| rows.layers.push(layered.call));
        }
        // What is read matters of those that are edited.
        for (index, row) in solver.element_loads.iter().enumerate() {
            if !row.silent && !row.known {
                for root in self.points_of(row.base).iter().filter(|root| edited.contains(root)) {
                    rows.entry(*root).or_default().loads.push(index);
                }
            }
        }
        for local in &self.locals {
            for (from, point) in local.moves.iter().filter_map(|moved| moved.read_at()) {
                for root in self.points_of(from).iter().filter(|root| edited.contains(root)) {
                    rows.entry(*root).or_default().moves.push((from, point));
                }
            }
        }
        self.tracked.rows = rows;
        self.tracked.functions = open;
    }

    /// Who hands which containers to whom, in a function; none if it is not looked at.
    pub(super) fn pairs(&mut self, function: FunctionIndex) -> Option<Arc<Pairs>> {
        if !self.tracked.functions.contains(&function) {
            return None;
        }
        if let Some(pairs) = self.tracked.pairs.get(&function) {
            return Some(pairs.clone());
        }
        let mut pairs = Pairs::default();
        for (index, site) in self.locals[function.at()].sites.iter().enumerate() {
            *pairs.calls.entry(site.when.point).or_default() += 1;
            self.each_pair(site, &mut |heap, ours, theirs, _| {
                let is_part = |step: Step| matches!(step, Step::Part(_));
                let mut cells = heap.get(theirs).cells.iter().map(|cell| heap.cell(*cell));
                let is_edited = heap.tracked.edited.contains(&theirs);
                let is_made = matches!(heap.get(theirs).kind, RootKind::Made(_));
                if is_made || is_edited || cells.any(|cell| is_part(cell.step)) {
                    for root in ours {
                        pairs.of.entry(*root).or_default().push(pairs.all.len());
                    }
                    pairs.all.push((index, Roots::from_slice(ours), theirs));
                }
            });
        }
        let pairs = Arc::new(pairs);
        self.tracked.pairs.insert(function, pairs.clone());
        Some(pairs)
    }

    /// Finds the edits of a container.
    pub(super) fn timeline(&mut self, solver: &Solver<'_>, root: RootId) {
        if self.tracked.timelines.contains_key(&root) {
            return;
        }
        self.tracked.timelines.insert(root, None);
        let timeline = self.find_timeline(solver, root).unwrap_or(Timeline {
            start: None,
            is_given: false,
            stops: Vec::new(),
            ends: Known::Unknown,
        });
        self.tracked.timelines.insert(root, Some(timeline));
    }

    /// What is in a container at each point where the function or a callee reads it.
    fn note_reads(&mut self, solver: &mut Solver<'_>, root: RootId) {
        let Some(function) = self.function_of(solver, root) else {
            return;
        };
        let Some(pairs) = self.pairs(function) else { return };
        let mut reads: Vec<(Point, Option<RowKey>, PlaceIndex)> = Vec::new();
        let mut at_once: FxHashSet<Point> = FxHashSet::default();
        if let Some(rows) = self.tracked.rows.get(&root) {
            let loads = rows.loads.iter().map(|index| &solver.element_loads[*index]);
            let loads = loads.filter(|row| row.function == function);
            let key = |row: &ElementRow| match self.tracked.received.contains(&row.value) {
                true => RowKey::Index(0),
                false => row.key,
            };
            // What a call takes out for its own result, it takes out at once.
            let takes = |row: &ElementRow| row.library && solver.program.local_place(row.value).is_some();
            let iterated = loads.clone().filter(|row| row.key == RowKey::Each);
            let (taken, others): (Vec<&ElementRow>, Vec<&ElementRow>) = iterated.partition(|row| takes(row));
            at_once.extend(taken.into_iter().map(|row| row.point));
            others.into_iter().for_each(|row| _ = at_once.remove(&row.point));
            reads.extend(loads.map(|row| (row.point, Some(key(row)), row.base)));
            reads.extend(rows.moves.iter().map(|(base, point)| (*point, None, *base)));
        }
        let mut by_place: Vec<(Point, Part, RootId)> = Vec::new();
        for index in pairs.of.get(&root).into_iter().flatten() {
            let (index, _, theirs) = &pairs.all[*index];
            let cells = self.get(*theirs).cells.iter().map(|cell| self.cell(*cell));
            let read: Vec<Part> = cells
                .filter(|cell| cell.read)
                .filter_map(|cell| match cell.step {
                    Step::Part(part) => Some(part),
                    _ => None,
                })
                .collect();
            let site = &self.locals[function.at()].sites[*index];
            if !read.is_empty() && !self.is_delayed(solver, site) {
                reads.push((site.when.point, None, self.nowhere));
                // A position that the callee itself found only now.
                let is_opened = self.tracked.opened.contains(theirs);
                let told = read.iter().filter(|part| match part {
                    Part::Last(_) => true,
                    Part::Index(_) => is_opened,
                    _ => false,
                });
                by_place.extend(told.map(|part| (site.when.point, *part, *theirs)));
            }
        }
        for (point, key, base) in reads {
            let Some(contents) = self.contents_before(root, point) else {
                continue;
            };
            self.give_places(solver, &contents);
            let wanted = match key {
                Some(RowKey::Index(index) | RowKey::At(index)) => Some(Wanted::Part(Part::Index(index))),
                Some(RowKey::Back(back)) => Some(Wanted::Back(back)),
                _ => None,
            };
            let found = wanted.and_then(|wanted| contents.find(wanted));
            let fields = part_fields(solver, base, Part::Any);
            self.open_part((function, root), found, &fields);
            self.tracked.found.insert((root, point), contents);
            if at_once.contains(&point) || self.is_settled(root, point) {
                self.tracked.settled.insert((root, point));
            }
        }
        for (point, part, theirs) in by_place {
            let wanted = match part {
                Part::Last(back) => Wanted::Back(back),
                part => Wanted::Part(part),
            };
            let found = self
                .contents_before(root, point)
                .and_then(|contents| contents.find(wanted));
            let their = self.cell_of(theirs, Step::Part(part));
            let fields = their.map_or(Fields::new_const(), |their| self.cell(their).fields.clone());
            self.open_part((function, root), found, &fields);
        }
    }

    /// A cell for a part of what the container held at first.
    fn open_part(&mut self, (function, root): (FunctionIndex, RootId), found: Option<Found>, fields: &[PlaceIndex]) {
        let part = match found {
            Some(Found::First(index)) => Part::Index(index),
            Some(Found::Last(back)) => Part::Last(back),
            _ => return,
        };
        let any = self.cell_of(root, Step::Part(Part::Any));
        let site = any.map_or((FileIndex(0), Position::default()), |cell| self.cell(cell).site);
        let is_full = self.get(root).cells.len() >= CELL_LIMIT;
        let cell = (!is_full).then(|| self.cell_at(root, Step::Part(part), site, function));
        if let Some(cell) = cell.flatten() {
            self.tracked.opened.insert(root);
            self.cells[cell.0 as usize].read = true;
            self.note_fields(cell, fields);
        }
    }

    /// Whether nothing is done to a container from a point on.
    fn is_settled(&self, root: RootId, point: Point) -> bool {
        let timeline = self.tracked.timelines.get(&root).and_then(Option::as_ref);
        timeline.is_some_and(|timeline| match timeline.before(point) {
            Known::Edits(edits) => timeline.ends == Known::Edits(edits),
            _ => false,
        })
    }

    pub(super) fn contents_before(&self, root: RootId, point: Point) -> Option<Contents> {
        let timeline = self.tracked.timelines.get(&root)?.as_ref()?;
        match timeline.before(point) {
            Known::Edits(edits) => contents_after(timeline.start.clone(), timeline.is_given, &edits),
            _ => None,
        }
    }

    /// Places for what callees put there.
    fn give_places(&mut self, solver: &mut Solver<'_>, contents: &Contents) {
        let items: Vec<Item> = match contents {
            Contents::Map(parts) => parts.iter().map(|(_, item)| *item).collect(),
            Contents::List { front, back, .. } => front.iter().chain(back).copied().collect(),
        };
        for item in items {
            self.give_place(solver, item);
        }
    }

    fn give_place(&mut self, solver: &mut Solver<'_>, item: Item) -> Option<PlaceIndex> {
        let id = match item {
            Item::Nothing => return None,
            Item::Of(place) => return Some(place),
            Item::Given(id) => id as usize,
        };
        if let Some(place) = self.tracked.given[id].place {
            return Some(place);
        }
        let item = self.tracked.given[id].item;
        let from = self.give_place(solver, item)?;
        let from = match item {
            Item::Of(_) => self.leave(solver, from)?,
            _ => from,
        };
        let given = &self.tracked.given[id];
        let (RootKind::Made(owner) | RootKind::Parameter(owner)) = self.get(self.top(given.root)).kind else {
            return None;
        };
        let place = solver.derive_place(DerivedPlace::Cell {
            owner,
            step: Step::Part(Part::Any),
            function: given.function,
            written: given.at,
        });
        self.edges.push(ValueEdge {
            kind: EdgeKind::ReturnsTo,
            from: End::Place(from),
            to: End::Place(place),
            how: How::Store,
            rule: Rule::Propagated,
            site: EdgeSite::from(given.site),
            call: given.call,
        });
        self.tracked.given[id].place = Some(place);
        Some(place)
    }

    /// Where a function leaves what it put in a container of its callers.
    fn leave(&mut self, solver: &mut Solver<'_>, from: PlaceIndex) -> Option<PlaceIndex> {
        if let Some(left) = self.tracked.left.get(&from) {
            return Some(*left);
        }
        let function = solver.program.owner_of(from)?;
        let left = solver.derive_place(DerivedPlace::Passing(function));
        self.tracked.left.insert(from, left);
        let site = solver.program.site_of(from)?;
        self.edges.push(ValueEdge {
            kind: EdgeKind::FlowsTo,
            from: End::Place(from),
            to: End::Place(left),
            how: How::Put,
            rule: Rule::Propagated,
            site: EdgeSite::from(site),
            call: NO_CALL,
        });
        Some(left)
    }
}

/// Whether a call edits its receiver, as the tables say. `del rows[first:]` takes out several parts, and nobody knows which.
fn edits_receiver(solver: &Solver<'_>, call: u32) -> bool {
    let row = &solver.calls[call as usize];
    let changes = changes_of(solver, row.file, &row.targets);
    changes.is_some_and(|changes| {
        row.how != How::Implicit || !changes.contains(&Change::Pop) || solver.numbers.contains_key(&call)
    })
}
