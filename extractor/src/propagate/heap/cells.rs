//! Cells that are worth a place of their own, and the edges between them.
//!
//! Where all objects of a class are one to every reader, the field of the class says it all, and no cell is made. A field is
//! *split* when two objects or more, made in the index and never escaped, have it; the cells of those objects, and of whatever
//! parameter brings them, are places. Where a caller's object is not one of them, the field stands for its cell.

use rayon::prelude::*;
use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::boxes::variables_at;
use super::keys::part_under;
use super::lay_out::read_part;
use super::{Callee, CellId, Heap, RootId, RootKind, Site, When};
use crate::facts::order::Point;
use crate::facts::{ContainerKind, TypeKind};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Step, Symbol};
use crate::propagate::decided::Decided;
use crate::propagate::edges::{EdgeSite, End, NO_CALL, ValueEdge};
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, LoadRow, Solver, StoreRow};

/// Most parts of a container of which only the making is known that are handed to a callee one by one.
pub(super) const PART_LIMIT: usize = 8;

/// Where a member of what is in a place is.
#[derive(Debug, Default)]
pub(in crate::propagate) struct Where {
    /// Cells of known objects.
    pub cells: Vec<PlaceIndex>,
    /// There may be other objects, too, whose class's field it is.
    pub elsewhere: bool,
}

/// What a call hands over and gives back by way of objects.
#[derive(Default)]
struct SiteEdges {
    edges: Vec<(EdgeKind, PlaceIndex, PlaceIndex)>,
    /// Cells of callees of which not all edges are told.
    incomplete: Vec<PlaceIndex>,
    /// Of these, those that more parts may come to than are told one by one.
    untold: Vec<PlaceIndex>,
    /// Places with many containers, with the part that goes into a cell.
    crowded: Vec<(PlaceIndex, Part, PlaceIndex)>,
    /// Fields and what goes into a cell from them, and whether that is a part.
    from_fields: Vec<(PlaceIndex, PlaceIndex, bool)>,
    /// What lies in containers that are handed over as wholes, and the parameters.
    handed: Vec<(PlaceIndex, PlaceIndex)>,
}

impl SiteEdges {
    /// How many edges it may become.
    fn len(&self) -> usize {
        self.edges.len() + self.from_fields.len() + self.crowded.len()
    }
}

impl Heap {
    /// Whether what a parameter brings is put into something that may outlive the call.
    pub(in crate::propagate) fn is_put(&self, parameter: PlaceIndex) -> bool {
        self.put_by.contains(&parameter)
    }

    /// Where a load finds the member of what is in its base.
    pub(in crate::propagate) fn find_member(&self, row: &LoadRow) -> Where {
        self.find_taken(self.promoted.holder(row.base, row.member), row.member, row.point)
    }

    /// Where a field is that is taken, by no load of its own.
    pub(in crate::propagate) fn find_taken(&self, base: PlaceIndex, member: Symbol, point: Point) -> Where {
        let steps = self.steps_from(base, member);
        self.find_each(base, |heap, root| {
            let cells = steps.iter().filter_map(|step| heap.place_of(root, *step));
            cells
                .flat_map(|(cell, _)| heap.versions_seen(cell, When::certain(point)))
                .collect()
        })
    }

    /// Where a store puts the member of what is in its base.
    pub(in crate::propagate) fn find_stored(&self, row: &StoreRow) -> Where {
        self.find_filled(self.promoted.holder(row.base, row.member), row.member, row.point)
    }

    /// Where a value that fills a field goes, by no store of its own.
    pub(in crate::propagate) fn find_filled(&self, base: PlaceIndex, member: Symbol, point: Point) -> Where {
        let steps = self.steps_from(base, member);
        self.find_each(base, |heap, root| {
            let cells = steps.iter().filter_map(|step| heap.place_of(root, *step));
            cells
                .filter_map(|(cell, _)| heap.version_written(cell, When::certain(point)))
                .collect()
        })
    }

    /// Where an element load finds the parts of what is in its base.
    pub(in crate::propagate) fn find_parts(&self, solver: &Solver<'_>, row: &ElementRow) -> Where {
        if let Some(found) = self.find_tracked(row) {
            return found;
        }
        match read_part(solver, row) {
            Some(part) => {
                let when = When {
                    point: row.point,
                    is_certain: !row.library,
                };
                self.look_into(solver, row.base, part, when)
            }
            None => Where {
                cells: Vec::new(),
                elsewhere: true,
            },
        }
    }

    /// Where a part is of the containers that a place holds at some time.
    pub(super) fn look_into(&self, solver: &Solver<'_>, base: PlaceIndex, part: Part, when: When) -> Where {
        let found = self.find_each(base, |heap, root| heap.places_seen(root, Step::Part(part), when));
        let roots = self.points_of(base);
        // What is made here may be handed to others that run beside it, unless what they do is seen.
        let is_empty = |root: &RootId| {
            let is_gathered =
                matches!(self.get(*root).kind, RootKind::Made(place) if self.gathered.contains_key(&place));
            let is_inside = matches!(self.get(*root).kind, RootKind::Inside(_));
            let is_seen = is_gathered || is_inside || self.is_filled_by_key(*root) || self.is_filled_in_turn(*root);
            is_seen && self.is_known_empty(solver, *root)
        };
        let mut known = roots.iter().filter(|root| **root != super::NOTHING).peekable();
        let is_empty = known.peek().is_some() && known.all(is_empty);
        // What is not told of a cell is told of the containers that may be there.
        let is_untold = found.cells.iter().any(|cell| self.untold.contains(cell));
        Where {
            elsewhere: found.elsewhere && !is_empty || is_untold,
            ..found
        }
    }

    /// Where an element store puts a part of what is in its base.
    pub(in crate::propagate) fn find_written(
        &self,
        solver: &Solver<'_>,
        row: &ElementRow,
        (kind, part): (ContainerKind, Part),
    ) -> Vec<PlaceIndex> {
        let part = part_under(solver, row, kind).unwrap_or(part);
        self.find_each(row.base, |heap, root| {
            let cell = heap.place_of(root, Step::Part(part));
            cell.and_then(|(cell, _)| heap.version_written(cell, When::certain(row.point)))
                .into_iter()
                .collect()
        })
        .cells
    }

    /// Where a write through the pointer that is in `base` goes.
    pub(in crate::propagate) fn find_target(&self, row: &ElementRow) -> Where {
        self.find_each(row.base, |heap, root| {
            let cell = heap.place_of(root, Step::Target);
            cell.and_then(|(cell, _)| heap.version_written(cell, When::certain(row.point)))
                .into_iter()
                .collect()
        })
    }

    /// Where what a pointer leads to is.
    pub(in crate::propagate) fn find_pointed(&self, row: &ElementRow) -> Where {
        self.find_each(row.base, |heap, root| {
            let cell = heap.place_of(root, Step::Target);
            cell.map_or(Vec::new(), |(cell, _)| {
                heap.versions_seen(cell, When::certain(row.point))
            })
        })
    }

    pub(super) fn find_each(&self, base: PlaceIndex, places: impl Fn(&Self, RootId) -> Vec<PlaceIndex>) -> Where {
        let mut found = Where::default();
        let roots = self.points_of(base);
        if !roots.is_empty() && roots.iter().all(|root| *root == super::NOTHING) {
            return found;
        }
        for root in roots.iter().filter(|root| **root != super::NOTHING) {
            let places = places(self, *root);
            found.elsewhere |= places.is_empty() && !self.untouched.contains(root);
            found.cells.extend(places);
        }
        let is_untouched = !roots.is_empty() && roots.iter().all(|root| self.untouched.contains(root));
        found.elsewhere |= found.cells.is_empty() && !is_untouched;
        found.cells.sort_unstable();
        found.cells.dedup();
        found
    }

    /// The places of the cells that a read by this step sees.
    pub(super) fn places_seen(&self, root: RootId, step: Step, when: When) -> Vec<PlaceIndex> {
        if root == super::UNKNOWN {
            return Vec::new();
        }
        if let Some(found) = self.step_tracked(root, step, when) {
            return found;
        }
        // What was there at first is in the cell of that step: of others, what is written into them.
        let cells = self.seen_by(root, step).into_iter();
        cells
            .filter(|cell| self.cell(*cell).step == step || self.cell(*cell).written)
            .filter_map(|cell| self.place_of(root, self.cell(cell).step))
            .flat_map(|(cell, _)| self.versions_seen_by((root, cell), step, when))
            .collect()
    }

    /// As [`Heap::places_seen`], for a read that may happen at any time.
    pub(super) fn places_ever(&self, root: RootId, step: Step) -> Vec<PlaceIndex> {
        if root == super::UNKNOWN {
            return Vec::new();
        }
        let mut places = Vec::new();
        let cells = self.seen_by(root, step).into_iter();
        for cell in cells.filter(|cell| self.cell(*cell).step == step || self.cell(*cell).written) {
            if let Some((cell, first)) = self.place_of(root, self.cell(cell).step) {
                places.push(first);
                places.extend(self.ever_in_class(cell));
                places.extend(self.versions_made(cell).into_iter().map(|(version, _)| version));
            }
        }
        places
    }

    /// A root's cell, if it has a place, and the place for what was in it at first.
    pub(super) fn place_of(&self, root: RootId, step: Step) -> Option<(CellId, PlaceIndex)> {
        let row = self.get(root);
        if row.escaped || !row.live {
            return None;
        }
        let cell = self.cell_of(root, step)?;
        Some((cell, self.cell(cell).place?))
    }

    /// The root that a path begins with.
    pub(super) fn top(&self, mut root: RootId) -> RootId {
        while let RootKind::Inside(cell) = self.get(root).kind {
            root = self.cell(cell).root;
        }
        root
    }

    pub(super) fn is_made(&self, root: RootId) -> bool {
        matches!(self.get(self.top(root)).kind, RootKind::Made(_))
    }

    /// After the roots and cells are found: places and edges.
    pub(in crate::propagate) fn settle(&mut self, solver: &mut Solver<'_>, decided: Decided, used: &[bool]) {
        self.decided = decided;
        self.note_stand_ins(solver);
        self.find_lasting();
        self.track(solver);
        self.mark_live(solver);
        let held = self.cells.iter().flat_map(|cell| &cell.holds);
        let brought = held.filter_map(|root| match self.get(*root).kind {
            RootKind::Parameter(parameter) => Some(parameter),
            _ => None,
        });
        self.put_by = brought.collect();
        self.left_to = self.made_and_left();
        self.find_untouched(solver);
        self.find_printed(solver);
        let initial = initial_values(solver);
        for index in 0..self.cells.len() {
            let cell = CellId(index as u32);
            let row = self.cell(cell);
            let (root, made) = (row.root, self.is_made(row.root));
            // What nobody was seen to write may be written where nobody looked, if not all of the class is known.
            let is_closed = match self.get(self.top(row.root)).kind {
                RootKind::Made(place) => {
                    let itself = (self.top(root) == root).then_some(place);
                    let of_closed = |field: &PlaceIndex| is_of_closed(solver, *field, itself);
                    let is_member = matches!(row.step, Step::Member(_) | Step::Field(_));
                    let is_filled = || is_member && itself.is_none() && self.is_filled_here(root);
                    !row.fields.is_empty() && (row.fields.iter().all(of_closed) || is_filled())
                }
                _ => false,
            };
            if !self.get(root).live || self.get(root).escaped || made && !row.written && !row.late && !is_closed {
                continue;
            }
            let (step, function) = (row.step, row.function);
            let owner = match self.get(self.top(root)).kind {
                RootKind::Made(place) | RootKind::Parameter(place) => place,
                _ => continue,
            };
            let written = Point::default();
            let place = solver.derive_place(DerivedPlace::Cell {
                owner,
                step,
                function,
                written,
            });
            self.cells[index].place = Some(place);
        }
        self.note_first_in_class(solver);
        self.find_versions(solver);
        self.find_in_order(solver);
        let (heap, shared) = (&*self, &*solver);
        let (of_fields, inhabited) = rayon::join(
            || {
                let cells = (0..heap.cells.len() as u32).into_par_iter().map(CellId);
                cells
                    .flat_map_iter(|cell| heap.field_edges(shared, cell, &initial))
                    .collect::<Vec<_>>()
            },
            || heap.inhabited(&heap.locals),
        );
        let locals = &heap.locals;
        let of_sites: Vec<Vec<SiteEdges>> = locals
            .par_iter()
            .map(|local| {
                let sites = local.sites.iter();
                sites.map(|site| heap.site_edges(shared, site, &inhabited)).collect()
            })
            .collect();
        self.pairs = Default::default();
        // The largest table of all is not to be copied while it grows: about so many edges will come to these.
        let of_calls: usize = of_sites.iter().flatten().map(SiteEdges::len).sum();
        self.edges
            .reserve_exact(of_fields.len() + of_calls + used.len() + used.len() / 2);
        self.edges.extend(of_fields);
        let locals = std::mem::take(&mut self.locals);
        self.value_edges(&locals);
        self.gathered_edges(solver, &locals);
        // A field handed to a cell by a call whose value nobody uses is told once for all such calls.
        let mut told = FxHashSet::default();
        for (site, found) in locals
            .iter()
            .flat_map(|local| &local.sites)
            .zip(of_sites.into_iter().flatten())
        {
            let mut results = site.results.iter();
            let is_used = results.any(|(ours, _)| used.get(ours.at()).copied().unwrap_or(true));
            self.add_site_edges(solver, site, found, |edge| is_used || told.insert(edge));
        }
    }

    /// What is in a cell is in the field of the class, and what class bodies put there is in the cell at first. What a function is
    /// given by callers that nobody sees may be any object.
    fn field_edges(
        &self,
        solver: &Solver<'_>,
        cell: CellId,
        initial: &FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    ) -> Vec<ValueEdge> {
        let mut edges = Vec::new();
        let row = self.cell(cell);
        let is_known = match self.is_made(row.root) {
            true => {
                !self.is_given_by_library(solver, row.root) || !matches!(row.step, Step::Member(_) | Step::Field(_))
            }
            false => self.is_called(solver, row.function),
        };
        if let (Some(place), true, false) = (row.place, row.read, is_known) {
            let at = row.site;
            let fields = match row.step {
                Step::Global(global) => self.begins_with(row.root, global).cloned(),
                _ => self.part_begun(row),
            };
            // Of what nothing is known, what lies in it is nothing that others have.
            let unknown = match (self.get(row.root).kind, row.step) {
                (RootKind::Parameter(given), Step::Part(_)) if solver.held(given).next().is_none() => Some(vec![given]),
                _ => None,
            };
            let fields = fields.or(unknown).unwrap_or_else(|| match row.step {
                Step::Part(part @ (Part::Text(_) | Part::Index(_))) => self.parts_under(solver, &row.fields, part),
                _ => row.fields.to_vec(),
            });
            edges.extend(fields.into_iter().map(|field| ValueEdge {
                kind: EdgeKind::FlowsTo,
                from: End::Place(field),
                to: End::Place(place),
                how: How::Load,
                rule: Rule::Propagated,
                site: EdgeSite::from(at),
                call: NO_CALL,
            }));
        }
        let row = self.cell(cell);
        let (Some(place), Step::Member(_) | Step::Field(_), true) =
            (row.place, row.step, row.written || self.is_made(row.root))
        else {
            return edges;
        };
        let flow = |from, to, site| ValueEdge {
            kind: EdgeKind::FlowsTo,
            from: End::Place(from),
            to: End::Place(to),
            how: How::Store,
            rule: Rule::Propagated,
            site: EdgeSite::from(site),
            call: NO_CALL,
        };
        let (at, made) = (row.site, self.is_made(row.root));
        let mut written = self.versions_made(cell);
        // Of a new object, what there was before the first write is what its class says.
        let has_first = !made || row.fields.iter().any(|field| initial.contains_key(field));
        if has_first || written.is_empty() {
            written.push((place, at));
        }
        let fields = row.fields.iter().copied();
        let fields: Vec<PlaceIndex> = fields
            .filter(|field| self.is_own_field(solver, row.root, *field))
            .collect();
        let begins_here = made && self.ever_in_class(cell).is_empty();
        for field in fields {
            let from = written.iter().map(|(version, site)| flow(*version, field, *site));
            edges.extend(from);
            let from = initial.get(&field).into_iter().flatten();
            let from = from.filter(|_| begins_here);
            edges.extend(from.map(|from| flow(*from, place, at)));
        }
        edges
    }

    /// Whether an object comes from a function of library code that says nothing of it: who takes it for one of a class finds what its fields hold.
    fn is_given_by_library(&self, solver: &Solver<'_>, root: RootId) -> bool {
        let RootKind::Made(place) = self.get(root).kind else {
            return false;
        };
        let is_given = |(_, object)| match object {
            Object::External(name) => solver.program.symbols.text(name).ends_with("()"),
            _ => false,
        };
        // Where types are written down, they say what it is.
        let file = solver
            .program
            .owner_of(place)
            .map(|function| solver.program.functions[function.at()].file);
        file.is_some_and(|file| solver.untyped.contains(&file)) && solver.held(place).all(is_given)
    }

    /// Whether callers are seen that say what a function is given. What tests alone call is there for others.
    fn is_called(&self, solver: &Solver<'_>, function: FunctionIndex) -> bool {
        let is_test = |function: FunctionIndex| solver.program.is_test(function);
        let callers = &self.locals[function.at()].callers;
        callers.iter().any(|caller| !is_test(*caller)) || !callers.is_empty() && is_test(function)
    }

    /// Whether a field may be that of an object: of one that is made here, only what its own class finds under that name.
    fn is_own_field(&self, solver: &Solver<'_>, root: RootId, field: PlaceIndex) -> bool {
        let (RootKind::Made(place), Some(member)) = (self.get(root).kind, solver.program.member_of(field)) else {
            return true;
        };
        let name = member.name;
        let mut held = solver.held(place).peekable();
        held.peek().is_none()
            || held.any(|(_, object)| match object {
                Object::Instance(class) => {
                    let own = solver.program.find_attribute_owner(class, name);
                    own.is_none_or(|own| own == field)
                }
                _ => true,
            })
    }

    /// The cells that a class without a constructor fills, each with what it is given.
    pub(super) fn filled_by_class(&self, solver: &Solver<'_>, site: &Site) -> Vec<(CellId, PlaceIndex)> {
        let made = site.value.filter(|_| site.callee == Callee::Class);
        let Some(made) = made.and_then(|value| self.made.get(&value)) else {
            return Vec::new();
        };
        let given = site.given.iter().filter_map(|(field, from)| {
            let step = self.step_to(solver, *field)?;
            Some((self.cell_of(*made, step)?, *from))
        });
        given.collect()
    }

    /// One place that the parts of many containers flow to.
    fn joined_parts(&mut self, solver: &mut Solver<'_>, (from, part): (PlaceIndex, Part), at: EdgeSite) -> PlaceIndex {
        if let Some(joined) = self.joined.get(&(from, part)) {
            return *joined;
        }
        let owner = solver.program.owner_of(from).unwrap_or(FunctionIndex(0));
        let joined = solver.derive_place(DerivedPlace::Passing(owner));
        self.joined.insert((from, part), joined);
        let parts = parts_at(solver, from, part).into_iter();
        self.edges.extend(parts.map(|part| ValueEdge {
            kind: EdgeKind::FlowsTo,
            from: End::Place(part),
            to: End::Place(joined),
            how: How::Load,
            rule: Rule::Propagated,
            site: at,
            call: NO_CALL,
        }));
        joined
    }

    fn site_edges(&self, solver: &Solver<'_>, site: &Site, inhabited: &FxHashSet<RootId>) -> SiteEdges {
        let SiteEdges {
            mut edges,
            incomplete,
            mut untold,
            mut crowded,
            mut from_fields,
            ..
        } = SiteEdges::default();
        let is_delayed = self.is_delayed(solver, site);
        self.each_pair(site, &mut |heap, ours, theirs, from| {
            for cell in &heap.get(theirs).cells {
                let their = heap.cell(*cell);
                let Some(inner) = their.place.filter(|_| their.step != Step::Part(Part::All)) else {
                    continue;
                };
                let steps = heap.meant_by(heap.our_step(site, their.step));
                let brought = !heap.is_made(theirs);
                let ours = ours.iter();
                let ours = ours.filter(|root| **root != super::NOTHING && !heap.untouched.contains(root));
                let ours = ours.filter(|root| heap.may_have(solver, site, **root, *cell));
                for (root, step) in ours.flat_map(|root| steps.iter().map(move |step| (root, *step))) {
                    if their.read && (brought || is_delayed) {
                        let mut outer = match is_delayed {
                            true => heap.places_ever(*root, step),
                            false => heap.places_seen(*root, step, site.when),
                        };
                        // Where it is not known which part is the last, or the first, it may be any.
                        let is_by_place = match step {
                            Step::Part(Part::Last(_)) => true,
                            Step::Part(Part::Index(_)) => heap.is_read_by_place(theirs),
                            _ => false,
                        };
                        if outer.is_empty()
                            && is_by_place
                            && !is_delayed
                            && heap.step_tracked(*root, their.step, site.when).is_none()
                        {
                            outer = heap.places_seen(*root, Step::Part(Part::Any), site.when);
                        }
                        let is_own = !outer.is_empty();
                        if !is_own {
                            let step = match step {
                                Step::Part(Part::Last(_)) => Step::Part(Part::Any),
                                step => step,
                            };
                            let is_constant = matches!(step, Step::Part(Part::Text(_) | Part::Index(_)));
                            let is_by_key = is_constant && !their.fields.is_empty();
                            match (step, from) {
                                _ if !is_delayed && heap.step_tracked(*root, their.step, site.when).is_some() => {}
                                (Step::Target, Some(from)) if their.emptied => outer.push(from),
                                (Step::Target, Some(from)) => outer.extend(variables_at(solver, from)),
                                (Step::Part(part), Some(from)) if heap.gathered.contains_key(&from) => {
                                    outer.extend(heap.gathered_under(from, part));
                                }
                                // Of a container that is made here, and in which nothing was put, nothing is there.
                                (Step::Part(_), _) if heap.is_known_empty(solver, *root) => {}
                                (Step::Part(part), Some(from)) if solver.held(from).next().is_some() => {
                                    outer.extend(parts_at(solver, from, part));
                                    if outer.len() > PART_LIMIT {
                                        outer.clear();
                                        crowded.push((from, part, inner));
                                    }
                                }
                                // What a call gathers is all there is.
                                (Step::Part(_), Some(_)) if heap.get(*root).live => {}
                                // Of what nothing is known all is in the place itself, and nothing that others hand over.
                                (Step::Part(_), Some(from)) => outer.push(from),
                                (Step::Member(_), Some(from))
                                    if *root == super::UNKNOWN && solver.held(from).next().is_none() => {}
                                (Step::Part(part), _) if is_by_key => {
                                    let parts = heap.parts_under(solver, &their.fields, part);
                                    match parts.len() > PART_LIMIT {
                                        true => untold.push(inner),
                                        false => outer.extend(parts),
                                    }
                                }
                                (Step::Part(_), _) if their.fields.len() > PART_LIMIT => untold.push(inner),
                                // A closure that does not keep such a variable.
                                (Step::Kept(_), _) if heap.keeps_nothing(*root) => {}
                                // What a callee made has that in it which the callee put there.
                                _ if heap.is_deep(*root) && !inhabited.contains(root) && !heap.is_made(*root) => {}
                                _ => outer.extend(&their.fields),
                            }
                        }
                        for place in outer {
                            match is_own {
                                true => edges.push((EdgeKind::PassesTo, place, inner)),
                                false => from_fields.push((place, inner, matches!(their.step, Step::Part(_)))),
                            }
                        }
                    }
                    // What is in a cell is in the field as well; only known objects have more to learn.
                    let own = heap.place_of(*root, step).filter(|_| their.written);
                    if let Some(place) = own.and_then(|(own, _)| heap.version_written(own, site.when)) {
                        let left = heap.left_by_callee(site, theirs, *cell).into_iter();
                        edges.extend(left.map(|inner| (EdgeKind::ReturnsTo, inner, place)));
                    }
                }
                // What is written through a pointer is in the variable.
                if let (Step::Target, Some(from), true) = (their.step, from, their.written) {
                    for left in heap.versions_left(*cell, site.is_started) {
                        edges.extend(variables_at(solver, from).map(|variable| (EdgeKind::ReturnsTo, left, variable)));
                    }
                }
            }
        });
        edges.sort_unstable_by_key(by_ends);
        edges.dedup();
        // Most are told of each object that may be meant.
        from_fields.sort_unstable();
        from_fields.dedup();
        SiteEdges {
            edges,
            incomplete,
            untold,
            crowded,
            from_fields,
            handed: self.parts_handed(solver, site),
        }
    }

    fn add_site_edges(
        &mut self,
        solver: &mut Solver<'_>,
        site: &Site,
        found: SiteEdges,
        mut is_new: impl FnMut((PlaceIndex, PlaceIndex)) -> bool,
    ) {
        let at = EdgeSite::from(site.at);
        let SiteEdges {
            mut edges,
            mut incomplete,
            untold,
            crowded,
            from_fields,
            handed,
        } = found;
        self.handed.extend(handed.into_iter().map(|(from, to)| ValueEdge {
            kind: EdgeKind::PacksInto,
            from: End::Place(from),
            to: End::Place(to),
            how: How::Held,
            rule: Rule::Propagated,
            site: at,
            call: NO_CALL,
        }));
        let told = edges.len();
        self.untold.extend(&untold);
        incomplete.extend(untold);
        // What comes back by way of our objects comes from what this very call hands over.
        let gives = edges.iter().any(|(kind, ..)| *kind == EdgeKind::ReturnsTo);
        for (place, inner, is_part) in from_fields {
            if gives || is_new((place, inner)) {
                edges.push((EdgeKind::PassesTo, place, inner));
            } else if is_part {
                incomplete.push(inner);
            }
        }
        self.incomplete.extend(incomplete);
        for (from, part, inner) in crowded {
            let joined = self.joined_parts(solver, (from, part), at);
            if gives || is_new((joined, inner)) {
                edges.push((EdgeKind::PassesTo, joined, inner));
            } else {
                self.incomplete.insert(inner);
            }
        }
        // A class without a constructor: what it is given is in its cells.
        for (cell, from) in self.filled_by_class(solver, site) {
            let row = self.cell(cell);
            let placed = self.place_of(row.root, row.step);
            if let Some(place) = placed.and_then(|(cell, _)| self.version_written(cell, site.when)) {
                edges.push((EdgeKind::FlowsTo, from, place));
            }
        }
        if edges.len() > told {
            edges.sort_unstable_by_key(by_ends);
            edges.dedup();
        }
        for (kind, from, to) in edges {
            let how = match kind {
                EdgeKind::PassesTo => How::Load,
                _ => How::Store,
            };
            self.edges.push(ValueEdge {
                kind,
                from: End::Place(from),
                to: End::Place(to),
                how,
                rule: Rule::Propagated,
                site: at,
                call: if kind == EdgeKind::FlowsTo { NO_CALL } else { site.call },
            });
        }
    }
}

fn by_ends((kind, from, to): &(EdgeKind, PlaceIndex, PlaceIndex)) -> (u8, PlaceIndex, PlaceIndex) {
    (*kind as u8, *from, *to)
}

/// Whether all is known that a field begins with: of an object that is made at a place, or of a structure.
fn is_of_closed(solver: &Solver<'_>, field: PlaceIndex, made: Option<PlaceIndex>) -> bool {
    let member = solver.program.member_of(field);
    member.is_some_and(|member| match solver.program.type_facts(member.owner).kind {
        TypeKind::Struct => true,
        TypeKind::Class => made.is_some_and(|made| {
            solver.held(made).all(|(_, object)| match object {
                Object::Instance(class) => !solver.is_hidden(class),
                _ => true,
            })
        }),
        _ => false,
    })
}

/// The parts of the containers that a place holds, and the place itself, which carries what was put in under unknown keys.
pub(super) fn parts_at(solver: &Solver<'_>, place: PlaceIndex, part: Part) -> Vec<PlaceIndex> {
    let mut places = vec![place];
    for (id, _) in solver.held(place) {
        match part {
            Part::Any => {
                let parts = solver.parts.get(&id).into_iter().flatten();
                let parts = parts.filter(|(part, _)| matches!(part, Part::Text(_) | Part::Index(_)));
                places.extend(parts.map(|(_, place)| *place));
            }
            part => places.extend(solver.elements.get(&(id, part))),
        }
    }
    places
}

/// What class bodies put in members, and what is put in the class itself later.
fn initial_values(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, Vec<PlaceIndex>> {
    let mut values: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
    for index in 0..solver.program.files.len() {
        for (from, member) in solver.program.member_values(FileIndex(index as u32)) {
            values.entry(member).or_default().push(from);
        }
    }
    for row in &solver.stores {
        let Some(from) = row.from else { continue };
        for (_, object) in solver.held(row.base) {
            if let Object::Class(owner) = object
                && let Some(member) = solver.program.find_member(owner, row.member)
            {
                values.entry(member).or_default().push(from);
            }
        }
    }
    values
}
