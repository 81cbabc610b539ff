//! Which objects a read finds, by what was written before it.
//!
//! ```python
//! person.work = office            # the cell `person.work` holds `office`,
//! show(person.work.street)        # and here nothing else:
//! person.work = person.home       # `home` comes later
//! ```
//!
//! Roots are found without order: a cell has all objects that its function ever puts there. Once it is known which writes reach which
//! reads, each read gives those objects alone that these put there, and what is made of it in the function follows. What a cell
//! holds where a call is entered is told apart the same way.

use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{Found, Item, Wanted};
use super::versions::is_constant;
use super::{Access, CellId, Filling, Heap, Local, NOTHING, RootId, RootKind, Roots, UNKNOWN, When};
use crate::facts::order::Point;
use crate::link::{FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::solve::Solver;

/// How often a function is looked at again because fewer objects came somewhere. What is found by then counts.
const ROUND_LIMIT: usize = 3;

/// What was put in a cell at a point; none where that is not told.
type Put = FxHashMap<(CellId, Point), Option<Roots>>;

/// Where what a place holds comes from, inside of its function.
#[derive(Debug, Clone, Copy)]
enum Source {
    Place(PlaceIndex),
    /// A read, by number.
    Read(usize),
}

impl Heap {
    /// Takes away the objects that reads do not find. After versions are found.
    pub(super) fn find_in_order(&mut self, solver: &Solver<'_>) {
        let tracked: FxHashSet<RootId> = self.tracked.roots_found().collect();
        let mut functions: FxHashSet<FunctionIndex> = FxHashSet::default();
        for (index, cell) in self.cells.iter().enumerate() {
            let is_part = matches!(cell.step, Step::Part(_)) && tracked.contains(&cell.root);
            if cell.holds.len() > 1 && (is_part || self.has_versions(CellId(index as u32))) {
                functions.insert(cell.function);
            }
        }
        let mut functions: Vec<FunctionIndex> = functions.into_iter().collect();
        functions.sort_unstable();
        for function in functions {
            let local = std::mem::take(&mut self.locals[function.at()]);
            if self.order_reads(solver, function, &local) {
                self.overwrite_in_order(solver, &local);
                // What it gives its callers may be less, too.
                local.callers.iter().for_each(|caller| self.pairs.forget(*caller));
            }
            self.order_calls(solver, function, &local);
            self.locals[function.at()] = local;
        }
        self.find_pairs();
    }

    /// Whether fewer objects come somewhere.
    fn order_reads(&mut self, solver: &Solver<'_>, function: FunctionIndex, local: &Local) -> bool {
        let mut sources: FxHashMap<PlaceIndex, Vec<Source>> = FxHashMap::default();
        for (index, access) in local.reads.iter().enumerate() {
            if let Some(to) = access.value {
                sources.entry(to).or_default().push(Source::Read(index));
            }
        }
        if sources.is_empty() {
            return false;
        }
        for (from, to) in &local.copies {
            sources.entry(*to).or_default().push(Source::Place(*from));
        }
        // What comes another way stays.
        let before: Vec<Vec<RootId>> = local.reads.iter().map(|access| self.found_ever(access)).collect();
        let mut others: FxHashMap<PlaceIndex, Vec<RootId>> = FxHashMap::default();
        let mut places: Vec<PlaceIndex> = sources.keys().copied().collect();
        places.sort_unstable();
        for place in &places {
            let explained: FxHashSet<RootId> = sources[place]
                .iter()
                .flat_map(|source| match source {
                    Source::Place(from) => self.points_of(*from),
                    Source::Read(index) => &before[*index],
                })
                .copied()
                .collect();
            let rest = self.points_of(*place).iter().filter(|root| !explained.contains(root));
            others.insert(*place, rest.copied().collect());
        }
        let mut is_any = false;
        for _ in 0..ROUND_LIMIT {
            let put = self.put_in_order(solver, local);
            let found: Vec<Vec<RootId>> = local
                .reads
                .iter()
                .map(|access| self.found_in_order(access, &put))
                .collect();
            let mut is_less = false;
            for place in &places {
                let held = self.points_of(*place);
                let kept = held.iter().filter(|root| {
                    others[place].contains(root)
                        || sources[place].iter().any(|source| match source {
                            Source::Place(from) => self.points_of(*from).contains(root),
                            Source::Read(index) => found[*index].contains(root),
                        })
                });
                let kept: Roots = kept.copied().collect();
                if kept.len() < held.len() {
                    *self.points_mut(*place) = kept;
                    is_less = true;
                }
            }
            if !is_less {
                break;
            }
            self.pairs.forget(function);
            is_any = true;
        }
        is_any
    }

    /// What is written into the one object that is left where there were several is written over what was there.
    fn overwrite_in_order(&mut self, solver: &Solver<'_>, local: &Local) {
        for access in &local.writes {
            let bases = self.points_of(access.base);
            let [root] = bases[..] else { continue };
            let is_over = access.when.is_certain && is_constant(access.step) && self.is_one(solver, root);
            if is_over {
                for cell in self.changed_by(root, access.step) {
                    self.overwrite_at(cell, access.when.point);
                }
            }
        }
    }

    /// What cells hold where calls are entered.
    fn order_calls(&mut self, solver: &Solver<'_>, function: FunctionIndex, local: &Local) {
        let mut wanted: FxHashSet<(CellId, Point)> = FxHashSet::default();
        for site in &local.sites {
            if !site.when.is_certain || self.is_delayed(solver, site) {
                continue;
            }
            self.each_pair(site, &mut |heap, ours, _, _| {
                for root in ours.iter().filter(|root| !heap.is_lost(**root)) {
                    let cells = heap.get(*root).cells.iter().copied();
                    let crowded = cells.filter(|cell| heap.cell(*cell).holds.len() > 1);
                    wanted.extend(crowded.map(|cell| (cell, site.when.point)));
                }
            });
        }
        if wanted.is_empty() {
            return;
        }
        let put = self.put_in_order(solver, local);
        for (cell, point) in wanted {
            if let Some(roots) = self.held_in_order(cell, When::certain(point), &put)
                && roots.len() < self.cell(cell).holds.len()
            {
                self.held_at.insert((cell, point), roots);
                self.pairs.forget(function);
            }
        }
    }

    /// What a cell holds where a call is entered.
    pub(super) fn held_at(&self, cell: CellId, point: Point) -> &[RootId] {
        self.known_at(cell, point).unwrap_or(&self.cell(cell).holds)
    }

    /// The same, where that is less than what it holds at other times.
    pub(super) fn known_at(&self, cell: CellId, point: Point) -> Option<&[RootId]> {
        self.held_at.get(&(cell, point)).map(|roots| roots.as_slice())
    }

    /// What a read gives, whatever comes before it.
    fn found_ever(&self, access: &Access) -> Vec<RootId> {
        let roots = self.points_of(access.base).iter();
        roots
            .flat_map(|root| self.found_of(*root, access, |heap, cell| heap.cell(cell).holds.clone()))
            .collect()
    }

    fn found_in_order(&self, access: &Access, put: &Put) -> Vec<RootId> {
        let mut found = Vec::new();
        for root in self.points_of(access.base) {
            match self.items_at(*root, access) {
                Some(roots) => found.extend(roots),
                None => found.extend(self.found_of(*root, access, |heap, cell| {
                    let held = heap.held_in_order(cell, access.when, put);
                    held.unwrap_or_else(|| heap.cell(cell).holds.clone())
                })),
            }
        }
        found
    }

    fn found_of(&self, root: RootId, access: &Access, held: impl Fn(&Self, CellId) -> Roots) -> Vec<RootId> {
        if root == NOTHING {
            return vec![NOTHING];
        }
        if self.is_lost(root) || self.cell_of(root, access.step).is_none() {
            return vec![UNKNOWN];
        }
        let seen = self.seen_by(root, access.step).into_iter();
        seen.flat_map(|cell| held(self, cell)).collect()
    }

    /// What a read finds in a container of which all is known that is in it.
    fn items_at(&self, root: RootId, access: &Access) -> Option<Vec<RootId>> {
        let Step::Part(part) = access.step else { return None };
        if self.of_values.contains(&root) {
            return None;
        }
        let contents = self.tracked.found_at(root, access.when.point)?;
        let items = match part {
            Part::Any | Part::Under(_) | Part::OneOf(_) => {
                contents.items()?.into_iter().map(|(_, item)| item).collect()
            }
            part => match contents.find(Wanted::Part(part))? {
                Found::Item(item) => vec![item],
                Found::Missing => Vec::new(),
                Found::First(_) | Found::Last(_) => return None,
            },
        };
        let mut roots = Vec::new();
        for item in items {
            match item {
                Item::Nothing => {}
                // What lies there is a copy.
                Item::Of(place) if self.by_value.contains_key(&place) => return None,
                Item::Of(place) => roots.extend(self.points_of(place)),
                Item::Given(_) => return None,
            }
        }
        Some(roots)
    }

    /// What a cell holds at a point; none where that is not known.
    fn held_in_order(&self, cell: CellId, when: When, put: &Put) -> Option<Roots> {
        let holds = &self.cell(cell).holds;
        if holds.len() < 2 || !when.is_certain || when.point == Point::default() {
            return None;
        }
        let (writes, is_first) = self.writes_seen(cell, when)?;
        let mut held: Vec<RootId> = Vec::new();
        for at in writes {
            held.extend(put.get(&(cell, at))?.as_ref()?);
        }
        let is_there = |root: &&RootId| {
            let is_inside = matches!(self.get(**root).kind, RootKind::Inside(_) | RootKind::Unknown);
            held.contains(root) || is_first && is_inside
        };
        Some(holds.iter().filter(is_there).copied().collect())
    }

    /// What each write of a function puts in which cells.
    fn put_in_order(&self, solver: &Solver<'_>, local: &Local) -> Put {
        let mut put = Put::default();
        let mut note = |cell: CellId, at: Point, roots: &[RootId]| {
            if let Some(known) = put.entry((cell, at)).or_insert_with(|| Some(Roots::new())) {
                known.extend_from_slice(roots);
            }
        };
        for access in &local.writes {
            let stored = access.value.map_or(&[][..], |value| self.points_of(value));
            for root in self.points_of(access.base) {
                for cell in self.changed_by(*root, access.step) {
                    note(cell, access.when.point, stored);
                }
            }
        }
        // A structure that is copied there is the cell's own.
        for Filling { copy, step, .. } in &local.fillings {
            for holder in self.points_of(copy.to) {
                let cell = self.cell_of(*holder, *step);
                if let (Some(cell), Some(point)) = (cell, copy.point)
                    && let Some(own) = self.structure_known(cell)
                {
                    note(cell, point, &[own]);
                }
            }
        }
        for site in &local.sites {
            for (cell, from) in self.filled_by_class(solver, site) {
                note(cell, site.when.point, self.points_of(from));
            }
            self.each_pair(site, &mut |heap, ours, theirs, _| {
                for cell in heap.get(theirs).cells.iter().filter(|cell| heap.cell(**cell).written) {
                    let steps = heap.meant_by(heap.our_step(site, heap.cell(*cell).step));
                    let changed = |root: &RootId| {
                        steps
                            .iter()
                            .flat_map(|step| heap.changed_by(*root, *step))
                            .collect::<Vec<_>>()
                    };
                    for own in ours.iter().flat_map(changed) {
                        note(own, site.when.point, &heap.put_by_callee(site, *cell, own));
                    }
                }
            });
        }
        // What is copied as a whole is not told.
        for (copy, _, own) in self.copies_made(local) {
            if let Some(point) = copy.point {
                put.extend(self.get(own).cells.iter().map(|cell| ((*cell, point), None)));
            }
        }
        for moved in &local.moves {
            for written in self.parts_written(solver, moved) {
                if let Some(cell) = self.cell_of(written.target, Step::Part(written.part)) {
                    put.insert((cell, moved.when.point), None);
                }
            }
        }
        put
    }

    /// What a callee puts in a cell of ours: what we gave it, or what only it knows.
    fn put_by_callee(&self, site: &super::Site, their: CellId, own: CellId) -> Vec<RootId> {
        let mut put = Vec::new();
        for root in &self.cell(their).holds {
            if let Some(known) = self.given_name(site, *root) {
                put.push(known);
                continue;
            }
            match self.get(*root).kind {
                RootKind::Parameter(parameter) => put.extend(self.given_as(site, parameter)),
                RootKind::Unknown | RootKind::Nothing => put.push(*root),
                RootKind::Beyond(_) => put.push(UNKNOWN),
                RootKind::Made(_) | RootKind::Inside(_) => {
                    if !self.is_first_of(*root, their) {
                        put.extend(self.found_by(site, *root).unwrap_or_default());
                    }
                    let holds = self.cell(own).holds.iter();
                    put.extend(holds.filter(|root| matches!(self.get(**root).kind, RootKind::Inside(_))));
                }
            }
        }
        put
    }
}
