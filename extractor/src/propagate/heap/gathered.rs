//! Containers that calls make: what a parameter gathers (`args ...T`, `*args`), and parts of one container that are put into another.
//!
//! ```go
//! func first(all ...string) string { return all[0] }
//! first(secret); first("plain")      // each call makes a slice of its own
//! tail := list[1:]                   // the parts of `list` are parts of `tail`
//! ```

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::cells::{PART_LIMIT, parts_at};
use super::lay_out::{container_at, iterated_at, part_fields};
use super::versions::order_of;
use super::{Access, Cell, CellId, Heap, Local, RootId, RootKind, Site, When};
use crate::facts::order::Point;
use crate::facts::{ContainerKind, ParameterKind, PlaceKind, Position};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::arguments::{Passing, Spread};
use crate::propagate::edges::{EdgeSite, End, NO_CALL, ValueEdge};
use crate::propagate::library::Effect;
use crate::propagate::moved::PartCopyRow;
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// What calls hand over in containers of their own, by call and parameter.
pub(super) type Gathered = FxHashMap<(u32, PlaceIndex), PlaceIndex>;

/// A value that goes into what is in a place: an argument that is gathered, or what library code writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Put {
    pub(super) from: PlaceIndex,
    pub(super) to: PlaceIndex,
    pub(super) step: Step,
    pub(super) at: (FileIndex, Position),
    pub(super) when: When,
}

/// The parts of a container become parts of another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    from: PlaceIndex,
    to: PlaceIndex,
    /// The place that is known to hold what is in `to`.
    held_at: PlaceIndex,
    /// Index into the solver's rows.
    row: usize,
    /// What they are: that which is read, and the other.
    source: ContainerKind,
    kind: ContainerKind,
    /// There was one the other way.
    is_back: bool,
    /// There is one the other way: both share their parts.
    pub(super) is_shared: bool,
    /// What is under a key in the one is under it in the other, from a point of the function on.
    pub(super) carries_keys: bool,
    pub(super) at: (FileIndex, Position),
    pub(super) when: When,
    function: FunctionIndex,
}

/// A part that a move writes.
pub(super) struct PartWritten {
    pub(super) target: RootId,
    pub(super) part: Part,
    /// It is another from then on.
    pub(super) is_certain: bool,
    /// So is what is under keys that callers give: see [`super::carried`].
    pub(super) is_carried: bool,
}

impl Move {
    /// The ends and the row of what makes a list that shares its parts with the one that it is cut out of.
    pub(super) fn window(&self) -> Option<(PlaceIndex, PlaceIndex, usize)> {
        let is_of_lists = self.source == ContainerKind::List && self.kind == ContainerKind::List;
        let is_window = self.is_shared && !self.is_back && is_of_lists && self.from != self.to;
        is_window.then_some((self.from, self.to, self.row))
    }

    /// Whether parts of a list move up in it.
    fn is_itself(&self) -> bool {
        self.from == self.to
    }

    /// Which container is read, and when; none where both share their parts.
    pub(super) fn read_at(&self) -> Option<(PlaceIndex, Point)> {
        (!self.is_shared).then_some((self.from, self.when.point))
    }
}

/// Whether a place holds lists that others made and nothing else: they may know which of their parts is the last.
pub(super) fn is_brought_list(solver: &Solver<'_>, base: PlaceIndex) -> bool {
    let owner = solver.program.owner_of(base);
    // What is declared is one of those that are made.
    let is_typed = |object: &Object| {
        matches!(
            object,
            Object::Typed {
                kind: ContainerKind::List,
                ..
            }
        )
    };
    let mut held = solver.held(base).map(|(_, object)| object);
    let is_brought = |object: Object| match object {
        Object::Container {
            kind: ContainerKind::List,
            site,
            ..
        } => solver.program.owner_of(site) != owner,
        object => is_typed(&object),
    };
    !solver.held(base).all(|(_, object)| is_typed(&object)) && held.all(is_brought)
}

impl Heap {
    /// A place for each container that a call makes of its arguments, be there none left for it. Parameters that take parts of other
    /// containers are not known.
    pub(super) fn lay_out_gathered(&mut self, solver: &mut Solver<'_>) -> Gathered {
        let mut gathered = Gathered::default();
        for call in 0..solver.calls.len() as u32 {
            let row = &solver.calls[call as usize];
            if row.silent {
                continue;
            }
            let (caller, how) = (row.function, row.how);
            for target in row.entries().collect::<Vec<_>>() {
                let Some((function, bound, base)) = solver.entered_as(call, target) else {
                    continue;
                };
                let mut left = gathering(solver, function);
                if left.is_empty() {
                    continue;
                }
                for passing in solver.passings(call, function, bound, base) {
                    left.retain(|parameter| *parameter != passing.to);
                    if let (Some(spread), Some(_)) = (passing.spread, passing.gathered) {
                        if !self.spread_on(solver, call, (&passing, spread), &mut gathered) {
                            self.locals[function.at()].unknown.push(passing.to);
                            self.locals[function.at()].escapes.push(passing.to);
                        }
                    } else if passing.gathered.is_some() && !gathered.contains_key(&(call, passing.to)) {
                        gathered.insert((call, passing.to), self.made_by_call(solver, caller));
                    }
                }
                // Library code that calls a function hands over what nobody sees.
                if how == How::Callback {
                    continue;
                }
                for parameter in left {
                    gathered.entry((call, parameter)).or_insert_with(|| {
                        let place = self.made_by_call(solver, caller);
                        self.gathered.insert(place, Vec::new());
                        place
                    });
                }
            }
        }
        gathered
    }

    /// A place for a container that a call makes of arguments.
    fn made_by_call(&mut self, solver: &mut Solver<'_>, caller: FunctionIndex) -> PlaceIndex {
        let place = solver.derive_place(DerivedPlace::Passing(caller));
        let made = self.made_at(place);
        self.put(place, &[made]);
        place
    }

    /// What is spread and gathered again, `send(*texts)`: the parts of one container become parts of the one that the call makes.
    /// False where nobody knows which.
    fn spread_on(
        &mut self,
        solver: &mut Solver<'_>,
        call: u32,
        (passing, spread): (&Passing, Spread),
        gathered: &mut Gathered,
    ) -> bool {
        let (shift, kind) = match spread {
            Spread::Moved(further) => (further, ContainerKind::List),
            Spread::Rest => (0, ContainerKind::Map),
            _ => return false,
        };
        let Some(source) = container_at(solver, passing.from) else {
            return false;
        };
        let site = solver.calls[call as usize].at();
        let (at, when, function) = ((site.file, site.position), When::certain(site.point), site.function);
        let to = *gathered
            .entry((call, passing.to))
            .or_insert_with(|| self.made_by_call(solver, function));
        let row = solver.part_copies.len();
        let except = solver.names_taken(*passing);
        solver.part_copies.push(PartCopyRow {
            shift,
            except,
            silent: true,
            ..PartCopyRow::of_all(passing.from, to, site)
        });
        // Where the order tells nothing, those that are ever spread here.
        let spread = &solver.part_copies[row];
        let mut parts = Vec::new();
        for (id, _) in solver.held(passing.from) {
            let all = solver.parts.get(&id).into_iter().flatten();
            parts.extend(all.filter_map(|(part, place)| Some((spread.moved(*part, (source, kind))?, *place))));
            if solver.open.contains(&id) {
                parts.push((Part::Any, passing.from));
            }
        }
        if parts.is_empty() {
            parts.push((Part::Any, passing.from));
        }
        self.gathered.entry(to).or_default().extend(parts);
        self.locals[function.at()].moves.push(Move {
            from: passing.from,
            to,
            held_at: passing.to,
            row,
            source,
            kind,
            is_back: false,
            is_shared: false,
            carries_keys: spread.keeps_keys((source, kind)) && order_of(solver, function).is_some(),
            at,
            when,
            function,
        });
        true
    }

    /// What gathers nothing is empty.
    pub(super) fn give_nothing_left(
        &self,
        solver: &Solver<'_>,
        (call, function): (u32, FunctionIndex),
        gathered: &Gathered,
        given: &mut Vec<(PlaceIndex, PlaceIndex)>,
    ) {
        for parameter in gathering(solver, function) {
            let place = gathered.get(&(call, parameter));
            let is_given = given.iter().any(|(to, _)| *to == parameter);
            given.extend(place.filter(|_| !is_given).map(|place| (parameter, *place)));
        }
    }

    /// One argument goes into the container that its call makes.
    pub(super) fn gather(
        &mut self,
        solver: &Solver<'_>,
        (from, part): (PlaceIndex, Part),
        (to, parameter): (PlaceIndex, PlaceIndex),
        site: &Site,
    ) {
        let fields = part_fields(solver, parameter, part);
        self.locals[site.caller.at()].writes.push(Access {
            base: to,
            step: Step::Part(part),
            value: Some(from),
            fields,
            at: site.at,
            when: site.when,
            function: site.caller,
        });
        self.gathered.entry(to).or_default().push((part, from));
        let (step, at, when) = (Step::Part(part), site.at, site.when);
        self.puts.push(Put {
            from,
            to,
            step,
            at,
            when,
        });
    }

    /// What a call gathered in a container that a read of this part may find.
    pub(super) fn gathered_under(&self, container: PlaceIndex, wanted: Part) -> Vec<PlaceIndex> {
        let rows = self.gathered.get(&container).into_iter().flatten();
        let seen = rows.filter(|(part, _)| match (wanted, part) {
            (Part::Any, part) => !matches!(part, Part::Keys | Part::All),
            (Part::Text(_) | Part::Index(_), Part::Any) => true,
            (wanted, part) => wanted == *part,
        });
        seen.map(|(_, from)| *from).collect()
    }

    /// What is taken out of containers is not there any more: nothing is written over it.
    pub(super) fn lay_out_drops(&mut self, solver: &Solver<'_>) {
        for row in solver.drops.iter().filter(|row| !row.at.silent) {
            if row.part.is_none() && row.call.is_some() && container_at(solver, row.base).is_none() {
                self.empty_by_library(row);
                continue;
            }
            let part = match (container_at(solver, row.base), row.part) {
                (Some(_), None) => Part::All,
                (Some(ContainerKind::Map), Some(part @ (Part::Text(_) | Part::Index(_) | Part::Under(_)))) => part,
                _ => continue,
            };
            let is_certain = row.call.is_none_or(|call| {
                let row = &solver.calls[call as usize];
                row.how != How::Callback && row.targets.iter().all(|target| drops(solver, row.file, *target))
            });
            let fields = match part {
                Part::All => Vec::new(),
                part => part_fields(solver, row.base, part),
            };
            self.locals[row.at.function.at()].writes.push(Access {
                base: row.base,
                step: Step::Part(part),
                value: None,
                fields,
                at: (row.at.file, row.at.position),
                when: When {
                    point: row.at.point,
                    is_certain,
                },
                function: row.at.function,
            });
        }
    }

    /// Containers whose parts are put into others.
    pub(super) fn lay_out_moves(&mut self, solver: &Solver<'_>) {
        let rows = solver.part_copies.iter().filter(|row| !row.silent);
        let all: FxHashSet<(PlaceIndex, PlaceIndex)> = rows.map(|row| (row.from, row.to)).collect();
        let mut there: FxHashSet<(PlaceIndex, PlaceIndex)> = FxHashSet::default();
        for (index, row) in solver.part_copies.iter().enumerate().filter(|(_, row)| !row.silent) {
            let local = &mut self.locals[row.function.at()];
            let kind = iterated_at(solver, row.to);
            if let Some(pairs) = row.pairs {
                local.asserted.push((pairs.each, pairs.pair));
                if pairs.all != row.from {
                    local.asserted.push((row.from, pairs.all));
                }
            }
            // Parts that move up in their own list.
            let is_itself = row.from == row.to;
            let is_back = there.contains(&(row.to, row.from)) && !is_itself;
            there.insert((row.from, row.to));
            // What callers hand over may have a key, or not.
            let is_given = solver.held(row.from).any(|(_, object)| match object {
                Object::Container { site, .. } => {
                    let is_own = solver.program.owner_of(site) == Some(row.function);
                    !is_own || solver.program.place_kind(site) == Some(PlaceKind::Parameter)
                }
                _ => false,
            });
            match (iterated_at(solver, row.from), kind) {
                // Told by reads and writes of its own.
                (Some(from), Some(kind)) if row.is_of_pairs(from, kind) => {}
                (Some(source), Some(kind)) => local.moves.push(Move {
                    source,
                    from: row.from,
                    to: row.to,
                    held_at: row.to,
                    row: index,
                    kind,
                    is_back,
                    is_shared: all.contains(&(row.to, row.from)) && !is_itself,
                    carries_keys: !is_back
                        && !all.contains(&(row.to, row.from))
                        && row.keeps_keys((source, kind))
                        && order_of(solver, row.function).is_some(),
                    at: (row.file, row.position),
                    when: When {
                        point: row.point,
                        is_certain: !row.iterated && !is_given,
                    },
                    function: row.function,
                }),
                // The method that is called to iterate over it is told by itself.
                (None, Some(_)) if row.iterated && is_of_known_classes(solver, row.from) => {}
                _ => local.escapes.extend([row.from, row.to]),
            }
        }
    }

    /// What one container gets of another; whether anything is new.
    pub(super) fn move_parts(&mut self, solver: &Solver<'_>, moved: &Move) -> bool {
        let mut new = false;
        let (from, to) = (self.points_of(moved.from).to_vec(), self.points_of(moved.to).to_vec());
        for source in &from {
            for target in to.iter().filter(|target| *target != source || moved.is_itself()) {
                match (self.is_lost(*source), self.is_lost(*target)) {
                    (false, false) => {}
                    (true, true) => continue,
                    (true, false) => {
                        new |= self.escape(*target);
                        continue;
                    }
                    (false, true) => {
                        new |= self.escape(*source);
                        continue;
                    }
                }
                for (part, own) in self.moved_parts(solver, moved, (*source, *target)) {
                    let theirs = self.cell_at(*source, Step::Part(part), moved.at, moved.function);
                    let ours = self.cell_at(*target, Step::Part(own), moved.at, moved.function);
                    let (Some(theirs), Some(ours)) = (theirs, ours) else {
                        new |= self.escape(*source) | self.escape(*target);
                        continue;
                    };
                    self.note_fields(theirs, &part_fields(solver, moved.from, part));
                    self.note_fields(ours, &part_fields(solver, moved.held_at, own));
                    new |= self.mark(theirs, |cell| &mut cell.read);
                    new |= self.mark(ours, |cell| &mut cell.written);
                    for seen in self.cells_moved(*source, part) {
                        new |= self.mark(seen, |cell| &mut cell.read);
                        let holds = self.contents(seen);
                        new |= self.hold(ours, &holds);
                    }
                }
            }
        }
        new
    }

    /// Which parts become which. What a parameter brings has parts that are not known here.
    fn moved_parts(&self, solver: &Solver<'_>, moved: &Move, (source, target): (RootId, RootId)) -> Vec<(Part, Part)> {
        let cells = self.get(source).cells.iter().map(|cell| self.cell(*cell));
        let row = &solver.part_copies[moved.row];
        // What came by the way there is not brought back.
        let mut parts: Vec<Part> = Vec::new();
        let is_foreign = self.get(source).foreign;
        let has_some = |cell: &&Cell| {
            if moved.is_back {
                cell.put
            } else {
                cell.written || is_foreign
            }
        };
        for cell in cells.filter(has_some) {
            if let Step::Part(part) = cell.step {
                parts.push(part);
            }
        }
        if !moved.is_back && !matches!(self.get(source).kind, RootKind::Made(_)) {
            if row.is_of_keys(moved.source, moved.kind) {
                return vec![(Part::Keys, Part::Any)];
            }
            parts = known_parts(solver, moved.from).unwrap_or_else(|| vec![Part::Any]);
            parts.extend(self.keys_carried(moved, source, target));
        }
        let moves = parts.into_iter();
        moves
            .filter_map(|part| Some((part, row.moved(part, (moved.source, moved.kind))?)))
            .collect()
    }

    /// The cell that stands for parts under unknown keys, of a container of which each part moves by itself.
    fn moves_by_itself(&self, source: RootId, part: Part) -> Option<CellId> {
        let is_made = matches!(self.get(source).kind, RootKind::Made(_));
        let cell = self.cell_of(source, Step::Part(part));
        cell.filter(|_| is_made && part == Part::Any)
    }

    /// The cells of which what they hold moves with a part.
    fn cells_moved(&self, source: RootId, part: Part) -> SmallVec<[CellId; 4]> {
        match self.moves_by_itself(source, part) {
            Some(cell) => SmallVec::from_slice(&[cell]),
            None => self.seen_by(source, Step::Part(part)),
        }
    }

    /// What goes into containers that calls make, and from one container into another.
    pub(super) fn gathered_edges(&mut self, solver: &Solver<'_>, locals: &[Local]) {
        let mut edges: Vec<(PlaceIndex, PlaceIndex, How, (FileIndex, Position))> = Vec::new();
        for put in &self.puts {
            for root in self.points_of(put.to) {
                let cell = self.place_of(*root, put.step);
                let to = cell.and_then(|(cell, _)| self.version_written(cell, put.when));
                edges.extend(to.map(|to| (put.from, to, How::Put, put.at)));
            }
        }
        let in_fields = self.puts_in_fields.iter();
        edges.extend(in_fields.map(|(from, field, at)| (*from, *field, How::Put, *at)));
        for taken in &self.taken {
            for root in self.points_of(taken.from) {
                let cell = self.place_of(*root, taken.step);
                // What may be emptied is found by when it is looked at.
                let cell = cell.filter(|(cell, _)| !self.cell(*cell).emptied);
                edges.extend(cell.map(|(_, cell)| (cell, taken.to, How::Load, taken.at)));
            }
        }
        for moved in locals.iter().flat_map(|local| &local.moves) {
            for (source, target) in self.pairs_moved(moved) {
                for (part, own) in self.moved_parts(solver, moved, (source, target)) {
                    let Some((cell, first)) = self.place_of(target, Step::Part(own)) else {
                        continue;
                    };
                    let of_itself = self.moves_by_itself(source, part);
                    let (mut from, to) = match moved.is_shared {
                        true => (self.places_ever(source, Step::Part(part)), first),
                        false => {
                            let to = self.version_written(cell, moved.when);
                            let from = match of_itself {
                                Some(cell) if self.place_of(source, Step::Part(part)).is_some() => {
                                    self.versions_seen(cell, moved.when)
                                }
                                _ => self.places_seen(source, Step::Part(part), moved.when),
                            };
                            (from, to.unwrap_or(first))
                        }
                    };
                    if from.is_empty() && !self.get(source).live {
                        from = parts_at(solver, moved.from, part);
                        from.truncate(PART_LIMIT + 1);
                    }
                    edges.extend(from.into_iter().map(|from| (from, to, How::Put, moved.at)));
                }
            }
        }
        for (from, to, how, at) in edges {
            self.edges.push(ValueEdge {
                kind: EdgeKind::FlowsTo,
                from: End::Place(from),
                to: End::Place(to),
                how,
                rule: Rule::Propagated,
                site: EdgeSite::from(at),
                call: NO_CALL,
            });
        }
    }

    /// Which parts of a container a move writes, and whether each is certainly another from then on: it takes up what was just
    /// made, under constant keys.
    pub(super) fn parts_written(&self, solver: &Solver<'_>, moved: &Move) -> Vec<PartWritten> {
        let mut parts = Vec::new();
        let targets = self.points_of(moved.to).len();
        let sources = self.points_of(moved.from);
        let is_brought = |root: &RootId| !self.is_lost(*root) && !matches!(self.get(*root).kind, RootKind::Made(_));
        let is_carried = moved.carries_keys && sources.iter().all(is_brought);
        for (source, target) in self.pairs_moved(moved) {
            let is_new = self.made.get(&moved.from) == Some(&source) && targets == 1;
            for (_, part) in self.moved_parts(solver, moved, (source, target)) {
                parts.push(PartWritten {
                    target,
                    part,
                    is_certain: is_new && matches!(part, Part::Text(_)),
                    is_carried,
                });
            }
        }
        parts
    }

    /// Each container with one that takes up its parts.
    pub(super) fn pairs_moved(&self, moved: &Move) -> Vec<(RootId, RootId)> {
        let mut pairs = Vec::new();
        for source in self.points_of(moved.from) {
            let targets = self.points_of(moved.to).iter();
            let targets = targets.filter(|target| *target != source || moved.is_itself());
            let known = targets.filter(|target| !self.is_lost(*source) && !self.is_lost(**target));
            pairs.extend(known.map(|target| (*source, *target)));
        }
        pairs
    }
}

/// Whether a place holds instances of classes of which all methods are in the index, and nothing else.
fn is_of_known_classes(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    solver.held(place).all(|(_, object)| match object {
        Object::Instance(class) | Object::AnyOf(class) => !solver.is_hidden(class),
        _ => false,
    })
}

/// The parts of what a place holds, where these are few and all known by their keys.
fn known_parts(solver: &Solver<'_>, base: PlaceIndex) -> Option<Vec<Part>> {
    /// Most parts that are told apart.
    const LIMIT: usize = 8;
    /// Of so many containers, some may have found no room.
    const CONTAINERS: usize = 16;
    let mut known: Vec<Part> = Vec::new();
    if solver.contents(base).len() > CONTAINERS {
        return None;
    }
    for (id, object) in solver.held(base) {
        if !matches!(object, Object::Container { .. }) || solver.open.contains(&id) {
            return None;
        }
        for (part, _) in solver.parts.get(&id).into_iter().flatten() {
            match part {
                Part::Text(_) | Part::Index(_) if !known.contains(part) => known.push(*part),
                // Where nothing is under an unknown key, nothing is in `Any`.
                Part::Text(_) | Part::Index(_) | Part::All | Part::Keys | Part::Any => {}
                _ => return None,
            }
        }
    }
    (!known.is_empty() && known.len() <= LIMIT).then_some(known)
}

/// The parameters that gather what is left of the arguments.
pub(super) fn gathering(solver: &Solver<'_>, function: FunctionIndex) -> Vec<PlaceIndex> {
    let file = solver.program.functions[function.at()].file;
    let parameters = solver.program.function_facts(function).parameters.iter();
    let gathers = |kind| matches!(kind, ParameterKind::Rest | ParameterKind::RestKeywords);
    let gathering = parameters.filter(|parameter| gathers(parameter.kind));
    gathering
        .map(|parameter| solver.program.place(file, parameter.place))
        .collect()
}

/// Whether what is called takes parts out.
fn drops(solver: &Solver<'_>, file: FileIndex, target: Target) -> bool {
    let Target::External(name) = target else { return false };
    let entry = solver.table_entry(file, name);
    entry.is_some_and(|entry| entry.flows.iter().any(|effect| matches!(effect, Effect::Drop(_))))
}
