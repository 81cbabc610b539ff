//! Values that are copied: which assignments and parameters make a copy, and what a copy begins with.
//!
//! ```go
//! two := one              // a structure of its own: `two.name` begins with what is in `one.name`
//! two.name = "x"          // and this is not in `one.name`
//! func fill(user User)    // the same for what a parameter brings
//! ```
//!
//! A copy that nobody writes into, of something that nobody writes into, may as well be the original, and is.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::changed::{add_outer, changed_places};
use super::{CellId, Filling, Heap, Local, RootId, RootKind, Roots, UNKNOWN, ValueCopy, When};
use crate::facts::order::Point;
use crate::facts::{self, ElementKey, FileFacts, PlaceId, PlaceKind, TypeExpression, TypeExpressionId, TypeKind};
use crate::link::scope::TypeMeaning;
use crate::link::{FileIndex, PlaceIndex, Step, Symbol};
use crate::propagate::edges::{EdgeSite, End, NO_CALL, ValueEdge};
use crate::propagate::library::{End as LibraryEnd, Subject};
use crate::propagate::object::Object;
use crate::propagate::solve::Solver;

/// How far a place's type is looked for.
const DEPTH_LIMIT: u8 = 6;

/// How the places of a file come by their types.
struct Typing<'f> {
    file: FileIndex,
    facts: &'f FileFacts,
    made: FxHashMap<PlaceId, TypeExpressionId>,
    /// Addresses of variables.
    pointers: FxHashSet<PlaceId>,
    /// What they lead to.
    addressed: FxHashSet<PlaceId>,
    assigned: FxHashMap<PlaceId, PlaceId>,
    loads: FxHashMap<PlaceId, PlaceId>,
    members: FxHashMap<PlaceId, usize>,
    parts: FxHashMap<PlaceId, usize>,
    /// What calls give: the call, and which of its results.
    given: FxHashMap<PlaceId, (usize, usize)>,
}

impl Heap {
    /// Finds the copies that a file makes.
    pub(super) fn lay_out_values(&mut self, solver: &mut Solver<'_>, file: FileIndex, facts: &FileFacts) {
        let mut changed = changed_places(facts);
        let by_methods = facts.calls.iter().filter_map(|call| call.receiver);
        changed
            .extend(by_methods.filter(|place| self.changed_by_methods.contains(&solver.program.place(file, *place))));
        add_outer(facts, &mut changed);
        let has_kept = !facts.element_stores.is_empty() || facts.stores.iter().any(|row| row.from.is_some());
        if changed.is_empty() && !has_kept {
            return;
        }
        let typing = Typing::new(file, facts);
        // What a function keeps of what it is handed is as it was then, whatever the caller does to its own.
        let stored = facts.stores.iter().filter_map(|row| row.from);
        let stored = stored.chain(facts.element_stores.iter().map(|row| row.from));
        let kept: FxHashSet<PlaceId> = stored.map(|from| typing.source_of(from)).collect();
        let loads = facts.loads.iter().filter(|row| changed.contains(&row.to));
        let members: FxHashSet<facts::Name> = loads.map(|row| row.member).collect();
        let is_structure = |solver: &Solver<'_>, place: PlaceIndex| {
            solver.held(place).any(|(_, object)| match object {
                Object::Instance(index) => solver.program.type_facts(index).kind == TypeKind::Struct,
                _ => false,
            })
        };
        for (local, function) in facts.functions.iter().enumerate() {
            let index = solver.program.function(file, facts::FunctionId(local as u32));
            let parameters = function.parameters.iter().map(|parameter| parameter.place);
            for parameter in parameters
                .chain(function.receiver)
                .filter(|place| changed.contains(place) || kept.contains(place))
            {
                let place = solver.program.place(file, parameter);
                let declared = solver.program.declared_type(file, parameter);
                let by_value = declared.is_some_and(|declared| is_value_type(solver, file, declared, 0));
                if by_value && is_structure(solver, place) {
                    let at = (file, facts.places[parameter.0 as usize].position);
                    let copy = ValueCopy {
                        from: place,
                        to: place,
                        at,
                        point: Some(Point::default()),
                        function: index,
                        is_deep: false,
                    };
                    self.points_mut(place).clear();
                    self.note_structure(solver, place);
                    self.locals[index.at()].values.push(copy);
                }
            }
        }
        let points: FxHashMap<(PlaceId, PlaceId), Point> = facts
            .assigned
            .iter()
            .map(|(from, to, point)| ((*from, *to), *point))
            .collect();
        for flow in facts.flows.iter().filter(|flow| flow.same) {
            let is_assigned = points.contains_key(&(flow.from, flow.to));
            if self.is_copy(solver, &typing, (flow, is_assigned), (&changed, &members)) {
                let (from, to) = (
                    solver.program.place(file, flow.from),
                    solver.program.place(file, flow.to),
                );
                if !is_structure(solver, to) {
                    continue;
                }
                let function = facts.places[flow.to.0 as usize].function;
                let function = solver.program.function(file, function);
                let at = (file, flow.position);
                let point = points.get(&(flow.from, flow.to)).copied();
                let local = &mut self.locals[function.at()];
                local.copies.retain(|copy| *copy != (from, to));
                local.values.push(ValueCopy {
                    from,
                    to,
                    at,
                    point,
                    function,
                    is_deep: false,
                });
                self.note_structure(solver, to);
            }
        }
        self.lay_out_stored(solver, &typing, &changed, is_structure);
    }

    /// Finds the structures that are stored by copy, where the one or the other is changed.
    fn lay_out_stored(
        &mut self,
        solver: &mut Solver<'_>,
        typing: &Typing<'_>,
        changed: &FxHashSet<PlaceId>,
        is_structure: impl Fn(&Solver<'_>, PlaceIndex) -> bool,
    ) {
        let facts = typing.facts;
        let loads = facts.loads.iter().filter(|row| changed.contains(&row.to));
        let members: FxHashSet<facts::Name> = loads.map(|row| row.member).collect();
        let mut parts = facts.element_loads.iter();
        let has_parts = parts.any(|row| changed.contains(&row.to));
        let stores = facts.stores.iter();
        // `&items[0]`: the part stays where it is.
        let is_part = |place: &PlaceId| {
            typing.addressed.contains(place) && facts.places[place.0 as usize].kind == PlaceKind::Value
        };
        let is_addressed = |from: &PlaceId| is_part(from) || typing.assigned.get(from).is_some_and(is_part);
        // What is embedded is changed by the names of its own members, too.
        let assigned: FxHashSet<facts::Name> = facts.fields_assigned.iter().copied().collect();
        let embedded: FxHashSet<facts::Name> = assigned
            .iter()
            .copied()
            .filter(|name| self.embedded.contains(&solver.program.symbol(typing.file, *name)))
            .collect();
        let is_changed = |member: &facts::Name| members.contains(member) || embedded.contains(member);
        let stores = stores.filter_map(|row| Some((row.from?, is_changed(&row.member), row.point, row.position)));
        let puts = facts.element_stores.iter();
        let puts = puts.filter(|row| !is_addressed(&row.from));
        let puts = puts.map(|row| (row.from, has_parts, row.point, row.position));
        for (from, changes, point, position) in stores.chain(puts) {
            let place = solver.program.place(typing.file, from);
            let source = typing.source_of(from);
            if !(changes
                || changed.contains(&source)
                || typing.is_part_of_changed(source, changed)
                || typing.is_target(source))
                || !is_structure(solver, place)
                || !typing.is_value(solver, from, 0)
            {
                continue;
            }
            self.note_structure(solver, place);
            let is_made = typing.made.contains_key(&source);
            let Some(before) = typing.assigned.get(&from).filter(|_| source != from && !is_made) else {
                self.by_value.insert(place, is_made);
                continue;
            };
            // What is written by a path is known by that path, too: it is the copy.
            let function = solver
                .program
                .function(typing.file, facts.places[from.0 as usize].function);
            let before = solver.program.place(typing.file, *before);
            let local = &mut self.locals[function.at()];
            local.copies.retain(|copy| *copy != (before, place));
            local.values.push(ValueCopy {
                from: before,
                to: place,
                at: (typing.file, position),
                point: Some(point),
                function,
                is_deep: false,
            });
        }
    }

    /// Arguments of library code are members of what it makes, in place of those that this begins with.
    pub(super) fn replace_by_library(&mut self, solver: &Solver<'_>, call: u32, to: &Subject) {
        for to in solver.subject_places(call, to) {
            let given = solver.call_arguments(call).iter().filter_map(|argument| argument.name);
            self.replaced.extend(given.map(|name| (to, name)));
        }
    }

    /// Library code makes objects that begin with what is in others.
    pub(super) fn copy_by_library(
        &mut self,
        solver: &Solver<'_>,
        call: u32,
        (from, to): (&LibraryEnd, &LibraryEnd),
        is_deep: bool,
    ) {
        let row = &solver.calls[call as usize];
        let (from, to) = (&from.subject, &to.subject);
        for from in solver.subject_places(call, from) {
            for to in solver.subject_places(call, to) {
                let (at, function) = ((row.file, row.position), row.function);
                self.note_structure(solver, to);
                self.locals[function.at()].values.push(ValueCopy {
                    from,
                    to,
                    at,
                    point: Some(row.point),
                    function,
                    is_deep,
                });
            }
        }
    }

    /// The fields of a structure that is copied: whoever gets the copy may look at any of them.
    pub(super) fn note_structure(&mut self, solver: &Solver<'_>, place: PlaceIndex) {
        let mut fields = Vec::new();
        for (_, object) in solver.held(place) {
            let Object::Instance(index) = object else { continue };
            let file = solver.program.types[index.at()].file;
            for field in &solver.program.type_facts(index).fields {
                let name = solver.program.symbol(file, field.name);
                let member = solver.program.types[index.at()].members.get(&name);
                fields.extend(member.map(|member| (name, *member)));
            }
        }
        let leads = |place: PlaceIndex| {
            let parts = |object| matches!(object, Object::Instance(_) | Object::Container { .. });
            solver.held(place).any(|(_, object)| parts(object))
        };
        self.leading
            .extend(fields.iter().map(|(_, field)| *field).filter(|field| leads(*field)));
        let inner = fields.iter().map(|(_, field)| *field);
        let inner: Vec<PlaceIndex> = inner.filter(|field| self.structured.contains(field)).collect();
        self.structures.insert(place, fields);
        // What lies in it by value is copied with it.
        for field in inner {
            if !self.structures.contains_key(&field) {
                self.note_structure(solver, field);
            }
        }
    }

    /// `*pointer = value`: the fields of one structure are those of the other. Whether anything is new.
    pub(super) fn overwrite(&mut self, copy: ValueCopy) -> bool {
        let (from, to) = (self.points_of(copy.from).to_vec(), self.points_of(copy.to).to_vec());
        let mut new = false;
        for own in to {
            for source in &from {
                if self.is_lost(own) {
                    continue;
                }
                if self.is_lost(*source) {
                    new |= self.escape(own);
                } else if *source != own {
                    new |= self.copy_all(copy, *source, own);
                }
            }
        }
        new
    }

    /// `holder.part = value`: the structure that lies there is a copy. Whether anything is new.
    pub(super) fn fill_by_value(&mut self, filling: &Filling) -> bool {
        let Filling { copy, step, fields } = filling;
        let (from, to) = (self.points_of(copy.from).to_vec(), self.points_of(copy.to).to_vec());
        let mut new = false;
        for holder in to {
            let cell = match fields.is_empty() && matches!(step, Step::Member(_)) {
                true => None,
                false => self.cell_at(holder, *step, copy.at, copy.function),
            };
            let Some(cell) = cell else {
                new |= from.iter().fold(false, |new, source| self.escape(*source) | new);
                continue;
            };
            self.note_fields(cell, fields);
            new |= self.fill(cell, &[]);
            let own = self.structure_in(cell);
            let declared = self.structures.get(&copy.from).cloned().unwrap_or_default();
            for source in &from {
                new |= self.copy_into(*copy, (*source, own), cell, &declared);
            }
        }
        new
    }

    /// The structure that is a part of another object, not a pointer to one.
    fn structure_in(&mut self, cell: CellId) -> RootId {
        self.mark(cell, |cell| &mut cell.copied);
        self.contents(cell);
        let known = self.structure_known(cell);
        known.unwrap_or_else(|| {
            let depth = self.get(self.cell(cell).root).depth + 1;
            let inside = self.root(RootKind::Inside(cell), depth);
            self.hold(cell, &[inside]);
            inside
        })
    }

    /// That structure, if there is one.
    pub(super) fn structure_known(&self, cell: CellId) -> Option<RootId> {
        let mut holds = self.cell(cell).holds.iter().copied();
        holds.find(|root| self.get(*root).kind == RootKind::Inside(cell))
    }

    /// As [`Self::copy_all`], into what lies in a cell.
    fn copy_into(
        &mut self,
        copy: ValueCopy,
        (source, own): (RootId, RootId),
        cell: CellId,
        declared: &[(Symbol, PlaceIndex)],
    ) -> bool {
        if self.is_lost(source) || self.is_lost(own) || self.get(own).depth >= super::DEPTH_LIMIT {
            return self.fill(cell, &[source]);
        }
        if source == own {
            return false;
        }
        let (new, is_whole) = self.copy_cells(copy, (source, own), declared);
        new | (!is_whole && self.hold(cell, &[UNKNOWN]))
    }

    /// What is in each cell of one object is in that of the other; where there are too many, nothing is known of the copy.
    fn copy_all(&mut self, copy: ValueCopy, source: RootId, own: RootId) -> bool {
        let declared = self.structures.get(&copy.to).cloned().unwrap_or_default();
        let (new, is_whole) = self.copy_cells(copy, (source, own), &declared);
        new | (!is_whole && self.put(copy.to, &[UNKNOWN]))
    }

    /// Whether an assignment copies a value that one of both sides changes.
    fn is_copy(
        &self,
        solver: &mut Solver<'_>,
        typing: &Typing<'_>,
        (flow, is_assigned): (&facts::Flow, bool),
        (changed, members): (&FxHashSet<PlaceId>, &FxHashSet<facts::Name>),
    ) -> bool {
        let places = &typing.facts.places;
        let (from, to) = (places[flow.from.0 as usize], places[flow.to.0 as usize]);
        // `return it.part`, where the part is changed some other time.
        if to.kind == PlaceKind::Result {
            let load = typing.members.get(&flow.from);
            let member = load.map(|index| typing.facts.loads[*index].member);
            return member.is_some_and(|member| members.contains(&member)) && typing.is_value(solver, flow.from, 0);
        }
        // `*one, *other = *other, *one` reads both before it writes either, `defer send(value)` reads long before it calls.
        let is_read_before = to.kind == PlaceKind::Value && is_assigned;
        let is_variable = matches!(to.kind, PlaceKind::Local | PlaceKind::Parameter) || is_read_before;
        if !is_variable || typing.made.contains_key(&flow.from) || from.function != to.function {
            return false;
        }
        // What a call gives may be somebody's, and is nobody's variable.
        let is_given = from.kind == PlaceKind::CallValue;
        if !changed.contains(&flow.to)
            && !typing.is_target(flow.from)
            && !is_given
            && !changed.contains(&flow.from)
            && !typing.is_part_of_changed(flow.from, changed)
            || is_given && !changed.contains(&flow.to)
        {
            return false;
        }
        typing.is_value(solver, flow.from, 0)
    }

    /// What a copy begins with; whether anything is new.
    pub(super) fn copy_value(&mut self, copy: ValueCopy) -> bool {
        let own = match self.copied.get(&copy.to) {
            Some(own) => *own,
            None => {
                let own = self.root(RootKind::Made(copy.to), 0);
                self.copied.insert(copy.to, own);
                own
            }
        };
        let mut new = self.put(copy.to, &[own]);
        for source in self.sources_of(copy) {
            if self.is_lost(source) {
                new |= self.put(copy.to, &[UNKNOWN]);
            } else if source != own {
                new |= self.copy_all(copy, source, own);
            }
        }
        new
    }

    fn sources_of(&self, copy: ValueCopy) -> Vec<RootId> {
        if copy.from == copy.to {
            return self.made.get(&copy.to).copied().into_iter().collect();
        }
        self.points_of(copy.from).to_vec()
    }

    /// Whether anything is new, and whether there was room for all.
    fn copy_cells(
        &mut self,
        copy: ValueCopy,
        (source, own): (RootId, RootId),
        declared: &[(Symbol, PlaceIndex)],
    ) -> (bool, bool) {
        let cells = self.get(source).cells.iter().chain(&self.get(own).cells);
        let mut steps: Vec<Step> = cells.map(|cell| self.cell(*cell).step).collect();
        let declared = declared.iter();
        let by_step: FxHashMap<Step, PlaceIndex> = declared
            .map(|(name, field)| (self.member_step(*name, *field), *field))
            .collect();
        steps.extend(by_step.keys());
        steps.sort_unstable();
        steps.dedup();
        steps.retain(|step| !self.is_replaced(copy.to, own, *step));
        let (mut new, mut is_whole) = (false, true);
        for step in steps {
            let theirs = self.cell_at(source, step, copy.at, copy.function);
            let ours = self.cell_at(own, step, copy.at, copy.function);
            let (Some(theirs), Some(ours)) = (theirs, ours) else {
                is_whole = false;
                continue;
            };
            if let Some(field) = by_step.get(&step) {
                self.note_fields(theirs, &[*field]);
            }
            for (from, to) in [(theirs, ours), (ours, theirs)] {
                self.note_fields_of(to, from);
            }
            new |= self.mark(theirs, |cell| &mut cell.read);
            let is_known = self.cell(ours).opened || !self.cell(theirs).holds.is_empty();
            let is_read = self.cell(ours).read;
            // What a pointer leads to is that of both.
            let opened = is_known || is_read || by_step.get(&step).is_some_and(|field| self.leading.contains(field));
            // What is only read here is changed by whoever follows it, and may be any other to who reads it.
            if is_read && !is_known {
                new |= self.hold(ours, &[UNKNOWN]);
            }
            let within = by_step.get(&step).and_then(|field| self.structures.get(field)).cloned();
            let within = within.filter(|_| self.is_structured(ours));
            let holds = if opened || within.is_some() || copy.is_deep {
                self.contents(theirs)
            } else {
                Roots::new_const()
            };
            let is_inner = copy.is_deep && !holds.is_empty();
            if !self.is_structured(ours) && !is_inner {
                new |= self.fill(ours, &holds);
                continue;
            }
            new |= self.fill(ours, &[]);
            if opened || within.is_some() || is_inner {
                let inner = self.structure_in(ours);
                let declared = within.unwrap_or_default();
                for source in holds {
                    new |= self.copy_into(copy, (source, inner), ours, &declared);
                }
            }
        }
        (new, is_whole)
    }

    /// Whether a copy is given a member of its own.
    fn is_replaced(&self, to: PlaceIndex, own: RootId, step: Step) -> bool {
        matches!(step, Step::Member(name) if self.replaced.contains(&(to, name))) && self.copied.get(&to) == Some(&own)
    }

    /// Whether a cell is a structure itself.
    fn is_structured(&self, cell: CellId) -> bool {
        self.cell(cell)
            .fields
            .iter()
            .any(|field| self.structured.contains(field))
    }

    /// Originals and their copies, each cell of the original flowing into that of the copy.
    pub(super) fn value_edges(&mut self, locals: &[Local]) {
        for (copy, source, own) in locals
            .iter()
            .flat_map(|local| self.copies_made(local))
            .collect::<Vec<_>>()
        {
            if self.is_lost(source) || source == own {
                continue;
            }
            let when = When::certain(copy.point.unwrap_or_default());
            for cell in self.get(own).cells.clone() {
                let row = self.cell(cell);
                if row.place.is_none() || self.is_replaced(copy.to, own, row.step) {
                    continue;
                }
                let mut from = match copy.point {
                    Some(_) => self.places_seen(source, row.step, when),
                    None => self.places_ever(source, row.step),
                };
                if from.is_empty() && !self.get(source).live {
                    from.extend(&row.fields);
                }
                let Some(to) = self.version_written(cell, when) else {
                    continue;
                };
                for from in from {
                    self.edges.push(ValueEdge {
                        kind: EdgeKind::FlowsTo,
                        from: End::Place(from),
                        to: End::Place(to),
                        how: How::Assign,
                        rule: Rule::Propagated,
                        site: EdgeSite::from(copy.at),
                        call: NO_CALL,
                    });
                }
            }
        }
    }

    /// Each original with its copy.
    pub(super) fn value_pairs(&self, locals: &[Local]) -> Vec<(RootId, RootId)> {
        let copies = locals.iter().flat_map(|local| self.copies_made(local));
        copies.map(|(_, source, own)| (source, own)).collect()
    }

    /// The copies of a function, with what lies in them.
    pub(super) fn copies_made(&self, local: &Local) -> Vec<(ValueCopy, RootId, RootId)> {
        let mut made = Vec::new();
        for copy in &local.values {
            if let Some(own) = self.copied.get(&copy.to) {
                for source in self.sources_of(*copy) {
                    self.add_copies(*copy, source, *own, &mut made);
                }
            }
        }
        for copy in &local.overwritten {
            for own in self.points_of(copy.to) {
                for source in self.points_of(copy.from) {
                    self.add_copies(*copy, *source, *own, &mut made);
                }
            }
        }
        for Filling { copy, step, .. } in &local.fillings {
            for holder in self.points_of(copy.to) {
                let cell = self.cell_of(*holder, *step);
                let Some(own) = cell.and_then(|cell| self.structure_known(cell)) else {
                    continue;
                };
                for source in self.points_of(copy.from) {
                    self.add_copies(*copy, *source, own, &mut made);
                }
            }
        }
        made
    }

    fn add_copies(&self, copy: ValueCopy, source: RootId, own: RootId, made: &mut Vec<(ValueCopy, RootId, RootId)>) {
        if source == own || self.is_lost(own) {
            return;
        }
        made.push((copy, source, own));
        let is_inner = |cell: &&CellId| copy.is_deep || self.is_structured(**cell);
        for cell in self.get(own).cells.iter().filter(is_inner) {
            let Some(inner) = self.structure_known(*cell) else {
                continue;
            };
            let theirs = self.cell_of(source, self.cell(*cell).step);
            for source in theirs.into_iter().flat_map(|theirs| &self.cell(theirs).holds) {
                self.add_copies(copy, *source, inner, made);
            }
        }
    }
}

impl<'f> Typing<'f> {
    fn new(file: FileIndex, facts: &'f FileFacts) -> Self {
        let made = facts.objects.iter().filter_map(|(place, object)| match object {
            facts::Object::Instance(expression) => Some((*place, *expression)),
            _ => None,
        });
        let pointers = facts.objects.iter().filter_map(|(place, object)| match object {
            facts::Object::Address(_) => Some(*place),
            _ => None,
        });
        let addressed = facts.objects.iter().filter_map(|(_, object)| match object {
            facts::Object::Address(target) => Some(*target),
            _ => None,
        });
        let assigned = facts.flows.iter().filter(|flow| flow.same);
        Self {
            file,
            facts,
            made: made.collect(),
            pointers: pointers.collect(),
            addressed: addressed.collect(),
            assigned: assigned.map(|flow| (flow.to, flow.from)).collect(),
            loads: facts.loads.iter().map(|row| (row.to, row.base)).collect(),
            members: facts
                .loads
                .iter()
                .enumerate()
                .map(|(index, row)| (row.to, index))
                .collect(),
            parts: facts
                .element_loads
                .iter()
                .enumerate()
                .map(|(index, row)| (row.to, index))
                .collect(),
            given: facts
                .calls
                .iter()
                .enumerate()
                .flat_map(|(index, call)| {
                    let results = call.results.iter().enumerate();
                    results.map(move |(position, place)| (*place, (index, position)))
                })
                .collect(),
        }
    }

    /// The variable or expression that a value without a name comes from.
    fn source_of(&self, mut place: PlaceId) -> PlaceId {
        for _ in 0..DEPTH_LIMIT {
            let is_value = self.facts.places[place.0 as usize].kind == PlaceKind::Value;
            match self
                .assigned
                .get(&place)
                .filter(|_| is_value && !self.made.contains_key(&place))
            {
                Some(from) => place = *from,
                None => break,
            }
        }
        place
    }

    /// Whether it is what a pointer points at, which may be changed by any name.
    fn is_target(&self, place: PlaceId) -> bool {
        let part = self.parts.get(&place);
        part.is_some_and(|index| self.facts.element_loads[*index].key == ElementKey::Target)
    }

    /// Whether a place is read out of something that is changed.
    fn is_part_of_changed(&self, place: PlaceId, changed: &FxHashSet<PlaceId>) -> bool {
        self.loads.get(&place).is_some_and(|base| changed.contains(base))
    }

    /// Whether what is in a place is a value, not a pointer to one.
    fn is_value(&self, solver: &mut Solver<'_>, place: PlaceId, depth: u8) -> bool {
        if depth > DEPTH_LIMIT {
            return false;
        }
        if let Some((file, declared)) = self.type_of(solver, place, depth) {
            return is_value_type(solver, file, declared, 0);
        }
        self.is_target(place)
    }

    /// The type of what is in a place, as it is written somewhere.
    fn type_of(&self, solver: &mut Solver<'_>, place: PlaceId, depth: u8) -> Option<(FileIndex, TypeExpressionId)> {
        if depth > DEPTH_LIMIT || self.pointers.contains(&place) {
            return None;
        }
        if let Some(declared) = solver.program.declared_type(self.file, place) {
            return Some((self.file, declared));
        }
        if let Some(made) = self.made.get(&place) {
            return Some((self.file, *made));
        }
        if let Some(index) = self.members.get(&place) {
            let row = &self.facts.loads[*index];
            let name = solver.program.symbol(self.file, row.member);
            let base = solver.program.place(self.file, row.base);
            let owner = solver.held(base).find_map(|(_, object)| match object {
                Object::Instance(owner) => Some(owner),
                _ => None,
            })?;
            let member = solver.program.find_member(owner, name)?;
            let member = *solver.program.member_of(member)?;
            let field = &solver.program.type_facts(member.owner).fields[member.declared? as usize];
            return Some((solver.program.types[member.owner.at()].file, field.declared?));
        }
        if let Some(index) = self.parts.get(&place) {
            let row = &self.facts.element_loads[*index];
            let (file, container) = self.type_of(solver, row.base, depth + 1)?;
            return match solver.program.type_expression(file, container) {
                TypeExpression::Container { element, .. } if row.key != ElementKey::Keys => Some((file, (*element)?)),
                _ => None,
            };
        }
        if self.facts.places[place.0 as usize].kind == PlaceKind::CallValue
            && let Some((call, position)) = self.given.get(&place).copied()
        {
            let row = &self.facts.calls[call];
            let callee = solver.program.place(self.file, row.callee);
            let function = solver.held(callee).find_map(|(_, object)| match object {
                Object::Function(function) | Object::Bound { function, .. } => Some(function),
                _ => None,
            })?;
            let result = *solver.program.function_facts(function).results.get(position)?;
            let file = solver.program.functions[function.at()].file;
            return Some((file, solver.program.declared_type(file, result)?));
        }
        self.type_of(solver, *self.assigned.get(&place)?, depth + 1)
    }
}

/// Whether a type is one of library code's, as a value: no pointer, and no interface that is known.
pub(super) fn is_library_value(solver: &mut Solver<'_>, file: FileIndex, id: TypeExpressionId) -> bool {
    let (parts, function) = match solver.program.type_expression(file, id).clone() {
        TypeExpression::Path { parts, function } => (parts, function),
        TypeExpression::Generic(head, _) if head != id => return is_library_value(solver, file, head),
        _ => return false,
    };
    let TypeMeaning::External(name) = solver.program.type_named(file, function, &parts) else {
        return false;
    };
    let language = solver.program.files[file.at()].language;
    let library = solver.libraries.get(&language);
    let name = solver.program.symbols.text(name);
    library.is_some_and(|library| library.signatures().interface(name).is_none())
}

/// Whether a type is that of a structure, not of a pointer to one.
pub(super) fn is_value_type(solver: &mut Solver<'_>, file: FileIndex, id: TypeExpressionId, depth: u8) -> bool {
    if depth > DEPTH_LIMIT {
        return false;
    }
    match solver.program.type_expression(file, id).clone() {
        TypeExpression::Generic(head, _) => is_value_type(solver, file, head, depth + 1),
        TypeExpression::Local(local) => {
            let index = solver.program.type_index(file, local);
            solver.program.type_facts(index).kind == TypeKind::Struct
        }
        TypeExpression::Path { parts, function } => match solver.program.type_named(file, function, &parts) {
            TypeMeaning::Type(index) => {
                let facts = solver.program.type_facts(index);
                let own = solver.program.types[index.at()].file;
                match (facts.kind, facts.underlying) {
                    (TypeKind::Struct, _) => true,
                    (TypeKind::Alias | TypeKind::Named, Some(underlying)) => {
                        is_value_type(solver, own, underlying, depth + 1)
                    }
                    _ => false,
                }
            }
            _ => false,
        },
        _ => false,
    }
}
