//! Containers that are handed on as wholes: what lies in one just then goes along.
//!
//! ```python
//! row = {"mail": mail}
//! row["mail"] = "none"
//! row["name"] = name
//! send(row)                # name comes to the parameter of send, mail does not
//! ```
//!
//! So do the fields of an object that its text shows, where the function makes a text of what it is given.
//!
//! Parts have flows of their own, by key and by object. These are for who asks what comes to `send` at all, and no flows (`PACKS_INTO`): with a
//! whole, what a function makes of another of its parts does not change.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::lay_out::{container_at, part_fields};
use super::{Access, Callee, CellId, Heap, RootId, RootKind, Site, When};
use crate::facts::order::Point;
use crate::facts::{ContainerKind, PlaceKind};
use crate::link::{FunctionIndex, Part, PlaceIndex, Step, Symbol};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::Solver;

/// Most parts of a container that are told one by one.
const PART_LIMIT: usize = 32;

/// Most containers in containers that are looked into: as deep as there are cells.
const BELOW_LIMIT: u8 = super::DEPTH_LIMIT - 1;

/// Most functions that hand on a parameter until a text is made of it.
const HANDED_ON_LIMIT: usize = 3;

impl Heap {
    /// A function that hands on what lies in a field or a part reads all of that.
    pub(super) fn lay_out_handed(&mut self, solver: &Solver<'_>) {
        let fields = solver.loads.iter().filter(|row| !row.silent && !row.known);
        let parts = solver.element_loads.iter().filter(|row| !row.silent && !row.known);
        let loaded = fields.map(|row| row.to).chain(parts.map(|row| row.value));
        let loaded = loaded.filter(|place| container_at(solver, *place).is_some());
        let loaded: FxHashSet<PlaceIndex> = loaded.collect();
        for local in &mut self.locals {
            let mut reads: Vec<Access> = Vec::new();
            for site in local
                .sites
                .iter()
                .filter(|site| matches!(site.callee, Callee::Function { .. }))
            {
                let handed = site.given.iter().map(|(_, from)| *from);
                reads.extend(handed.filter(|from| loaded.contains(from)).map(|from| Access {
                    base: from,
                    step: Step::Part(Part::Any),
                    value: None,
                    fields: part_fields(solver, from, Part::Any),
                    at: site.at,
                    when: site.when,
                    function: site.caller,
                }));
            }
            self.loaded.extend(reads.iter().map(|read| read.base));
            local.reads.extend(reads);
        }
    }

    /// Containers that are made here and handed on with what was put in where nobody knows: as long as one is not told apart from others,
    /// it has that for good.
    pub(super) fn filled_and_handed(&self, solver: &Solver<'_>) -> Vec<RootId> {
        let sites = self.locals.iter().flat_map(|local| &local.sites);
        let given = sites.filter(|site| matches!(site.callee, Callee::Function { .. }));
        let given = given.flat_map(|site| &site.given).map(|(_, from)| *from);
        let given = given.filter(|from| container_at(solver, *from).is_some());
        let roots = given.flat_map(|from| self.points_of(from)).copied();
        let is_filled = |root: &RootId| {
            let filled = self.cell_of(*root, Step::Part(Part::Any));
            self.is_made(*root) && filled.is_some_and(|cell| self.cell(cell).written)
        };
        roots.filter(is_filled).collect()
    }

    /// What lies in the containers that a call hands over, each with the parameter that the container comes to.
    pub(super) fn parts_handed(&self, solver: &Solver<'_>, site: &Site) -> Vec<(PlaceIndex, PlaceIndex)> {
        let mut handed = Vec::new();
        if site.callee == Callee::Unknown || site.callee == Callee::Class {
            return handed;
        }
        for (parameter, argument) in &site.given {
            if let Some(gathered) = self.gathered.get(argument) {
                handed.extend(gathered.iter().map(|(_, part)| (*part, *parameter)));
                continue;
            }
            let is_receiver = solver.program.place_kind(*parameter) == Some(PlaceKind::Receiver);
            let mut held = solver.held(*argument);
            if is_receiver && held.any(|(_, object)| matches!(object, Object::Instance(_))) {
                continue;
            }
            let before = handed.len();
            let is_printed = self.printed.contains(parameter);
            let Some(kind) = container_at(solver, *argument) else {
                if !is_printed || is_known_as(solver, *parameter, *argument) {
                    continue;
                }
                let shown = self.shown_of(solver, *argument, site.when);
                handed.extend(shown.into_iter().map(|field| (field, *parameter)));
                continue;
            };
            if kind == ContainerKind::Channel {
                continue;
            }
            let found = self.look_into(solver, *argument, Part::Any, site.when);
            handed.extend(found.cells.into_iter().map(|part| (part, *parameter)));
            if found.elsewhere {
                let parts = match self.loaded.contains(argument) {
                    true => part_fields(solver, *argument, Part::Any),
                    false => self.parts_made(solver, *argument, site.caller),
                };
                handed.extend(parts.into_iter().map(|part| (part, *parameter)));
            }
            if handed.len() - before > PART_LIMIT {
                handed.truncate(before);
                continue;
            }
            let mut below = Vec::new();
            let roots = self.points_of(*argument);
            self.parts_below(solver, (roots, site.when), (BELOW_LIMIT, is_printed), &mut below);
            if handed.len() - before + below.len() <= PART_LIMIT {
                handed.extend(below.into_iter().map(|part| (part, *parameter)));
            }
        }
        handed.sort_unstable();
        handed.dedup();
        handed
    }

    /// What a text shows of the objects in a place; nothing of too much.
    fn shown_of(&self, solver: &Solver<'_>, place: PlaceIndex, when: When) -> Vec<PlaceIndex> {
        let mut shown = Vec::new();
        for (name, field) in self.fields_shown(solver, place) {
            let found = self.find_taken(place, name, when.point);
            shown.extend(found.cells);
            shown.extend(found.elsewhere.then_some(field));
        }
        self.parts_below(solver, (self.points_of(place), when), (BELOW_LIMIT, true), &mut shown);
        if shown.len() > PART_LIMIT {
            shown.clear();
        }
        shown
    }

    /// Finds the parameters of which a text is made, here or by whom they are handed on to, and what such texts show.
    pub(super) fn find_printed(&mut self, solver: &Solver<'_>) {
        self.shown = solver.fields_in_texts();
        let is_parameter = |place: &PlaceIndex| solver.program.place_kind(*place) == Some(PlaceKind::Parameter);
        self.printed = solver.made_texts_of().into_iter().filter(is_parameter).collect();
        for _ in 0..HANDED_ON_LIMIT {
            let given = self
                .locals
                .iter()
                .flat_map(|local| &local.sites)
                .flat_map(|site| &site.given);
            let handed_on = given.filter(|(to, from)| self.printed.contains(to) && is_parameter(from));
            let more: Vec<PlaceIndex> = handed_on.map(|(_, from)| *from).collect();
            let known = self.printed.len();
            self.printed.extend(more);
            if self.printed.len() == known {
                return;
            }
        }
    }

    /// What is in the fields of an object that its text shows.
    fn fields_shown_in(&self, root: RootId, when: When) -> impl Iterator<Item = PlaceIndex> {
        let shown = self.get(root).cells.iter().filter(|cell| self.is_shown(**cell));
        shown.flat_map(move |cell| self.places_seen(root, self.cell(*cell).step, when))
    }

    fn is_shown(&self, cell: CellId) -> bool {
        self.cell(cell).fields.iter().any(|field| self.shown.contains(field))
    }

    /// The fields of the objects in a place that their text shows.
    fn fields_shown(&self, solver: &Solver<'_>, place: PlaceIndex) -> Vec<(Symbol, PlaceIndex)> {
        let classes = solver.held(place).filter_map(|(_, object)| match object {
            Object::Instance(class) => Some(class),
            _ => None,
        });
        let bases = classes.flat_map(|class| &solver.program.types[class.at()].order);
        let members = bases.flat_map(|base| &solver.program.types[base.at()].members);
        let shown = members.filter(|(_, field)| self.shown.contains(field));
        let mut shown: Vec<(Symbol, PlaceIndex)> = shown.map(|(name, field)| (*name, *field)).collect();
        shown.sort_unstable();
        shown.dedup();
        shown
    }

    /// The cells of the parts of a container, and of the fields that a text of an object shows.
    fn cells_shown(&self, root: RootId) -> SmallVec<[CellId; 4]> {
        let mut cells = self.seen_by(root, Step::Part(Part::Any));
        let own = self.get(root).cells_by(|step| !matches!(step, Step::Part(_)));
        cells.extend(own.filter(|cell| self.is_shown(*cell)));
        cells
    }

    /// What lies in the containers and objects that lie in these, as far down as there are cells.
    fn parts_below(
        &self,
        solver: &Solver<'_>,
        (roots, when): (&[RootId], When),
        (depth, is_printed): (u8, bool),
        parts: &mut Vec<PlaceIndex>,
    ) {
        let cells = roots.iter().flat_map(|root| match is_printed {
            true => self.cells_shown(*root),
            false => self.seen_by(*root, Step::Part(Part::Any)),
        });
        for cell in cells {
            // Of what is replaced some time, what is there just then; a structure that is copied over another stays where it is.
            let structure: Option<RootId> = self.structure_known(cell);
            let inner = match (
                self.versions.is_overwritten_later(cell),
                self.known_at(cell, when.point),
            ) {
                (false, _) => self.cell(cell).holds.as_slice(),
                (true, Some(known)) => known,
                (true, None) => structure.as_slice(),
            };
            for root in inner.iter().filter(|root| **root != super::NOTHING) {
                let seen = self.places_seen(*root, Step::Part(Part::Any), when);
                match self.get(*root).kind {
                    RootKind::Made(made) if seen.is_empty() && self.is_plain(*root) => {
                        parts.extend(parts_written(solver, solver.held(made)));
                        let shown = self.fields_shown(solver, made).into_iter().filter(|_| is_printed);
                        parts.extend(shown.map(|(_, field)| field));
                    }
                    _ => {
                        parts.extend(seen);
                        parts.extend(self.fields_shown_in(*root, when).filter(|_| is_printed));
                    }
                }
            }
            if depth > 0 && parts.len() <= PART_LIMIT {
                self.parts_below(solver, (inner, when), (depth - 1, is_printed), parts);
            }
        }
    }

    /// Whether a container is made here, and what is in it has no cells of its own.
    fn is_plain(&self, root: RootId) -> bool {
        let row = self.get(root);
        matches!(row.kind, RootKind::Made(_)) && (row.escaped || !row.live)
    }

    /// Whether all that a container begins with that is made at a place stays in it, whatever else is done to it.
    pub(in crate::propagate) fn keeps_its_parts(&self, made: PlaceIndex) -> bool {
        let [root] = self.points_of(made) else {
            return false;
        };
        let is_kept = |cell: &CellId| !self.versions.is_overwritten_later(*cell);
        !self.tracked.edited.contains(root) && self.get(*root).cells.iter().all(is_kept)
    }

    /// What lies in a container right after something was put into it.
    pub(in crate::propagate) fn parts_begun(
        &self,
        solver: &Solver<'_>,
        (made, function): (PlaceIndex, FunctionIndex),
        point: Point,
    ) -> Vec<PlaceIndex> {
        let after = When::certain(Point(point.0 + 1));
        let found = self.look_into(solver, made, Part::Any, after);
        match found.elsewhere {
            true => self.parts_made(solver, made, function),
            false => found.cells,
        }
    }

    /// What is put into the containers that a place holds, where the function makes them and no more is known.
    fn parts_made(&self, solver: &Solver<'_>, place: PlaceIndex, function: FunctionIndex) -> Vec<PlaceIndex> {
        if !self.points_of(place).iter().any(|root| self.is_plain(*root)) {
            return Vec::new();
        }
        let own = solver.held(place).filter(|(_, object)| match object {
            Object::Container { site, .. } => solver.program.owner_of(*site) == Some(function),
            _ => false,
        });
        parts_written(solver, own).collect()
    }
}

/// Whether a parameter takes objects of the class that an argument holds: who takes them reads what it needs of them.
fn is_known_as(solver: &Solver<'_>, parameter: PlaceIndex, argument: PlaceIndex) -> bool {
    let is_class = |(_, object)| match object {
        Object::Instance(class) => solver.declared_classes(parameter).any(|declared| declared == class),
        _ => false,
    };
    solver.held(argument).any(is_class)
}

/// The parts of containers that are written to under keys that are known.
fn parts_written<'s>(
    solver: &'s Solver<'_>,
    containers: impl Iterator<Item = (ObjectId, Object)> + 's,
) -> impl Iterator<Item = PlaceIndex> + 's {
    let parts = containers.flat_map(|(id, _)| solver.parts.get(&id).into_iter().flatten());
    let parts = parts.filter(|(part, _)| matches!(part, Part::Text(_) | Part::Index(_)));
    parts.map(|(_, place)| *place)
}
