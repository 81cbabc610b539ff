//! Reads and writes of containers' parts.
//!
//! `row["email"] = mail` on a dict made in the index is a flow into its part `["email"]`; on something from outside, into the wire key
//! `email` and into the whole.

use ripple_schema::{EdgeKind, How, Language, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End, ValueEdge, put_call};
use crate::facts::{self, PlaceKind, TypeExpression, TypeKind};
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::parts::{readable_parts, written_part};
use crate::propagate::solve::{ElementRow, RowBase, RowKey};

/// A container with more parts than this is read through one place for all of them.
const PART_LIMIT: usize = 8;

/// Most pairs of containers of which each puts its parts into the other for all of them to be told apart.
const PAIR_LIMIT: usize = 16;

impl Collector<'_, '_> {
    pub(super) fn element_loads(&mut self) {
        for index in 0..self.solver.element_loads.len() {
            let row = self.solver.element_loads[index];
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            if row.key == RowKey::Target {
                self.between(row.base, row.value, How::Assign, Rule::Syntax, site);
            }
            // Rows of a table are told by the method that gives them.
            let is_of_table = row.of == RowBase::Rows && self.is_table(row.base);
            if row.known || row.silent || is_of_table {
                continue;
            }
            let mut found = self.heap.find_parts(self.solver, &row);
            found.elsewhere |= self
                .solver
                .contents(row.base)
                .iter()
                .any(|id| self.solver.supposed.contains(id));
            for cell in &found.cells {
                self.between(*cell, row.value, How::Element, Rule::Propagated, site);
            }
            self.note_step(&row);
            // Something that only a type is known of, or nothing at all, may come from anywhere.
            let all_made = self
                .solver
                .held(row.base)
                .all(|(_, object)| matches!(object, Object::Container { .. }));
            let is_unknown = self.tables.unknown.is_read(self.solver, &row);
            let held = self.solver.contents(row.base).iter();
            let is_named_outside = held.into_iter().any(|id| self.tables.named_outside.contains(id));
            if is_named_outside {
                self.note_asked(&row);
                self.note_asked_by_field(&row);
            }
            if !found.elsewhere && all_made && !is_unknown {
                continue;
            }
            let mut known = row.key == RowKey::Target || self.has_no_keys(&row);
            let is_looked_into = row.of == RowBase::Argument;
            let partly_unknown = !is_looked_into && is_unknown;
            let under = self
                .found_under(index, &row)
                .filter(|_| found.elsewhere || partly_unknown);
            if let Some(under) = under {
                self.between(under, row.value, How::Element, Rule::Propagated, site);
            }
            // What was put in under unknown keys is carried by the containers themselves, call by call.
            let mut is_carried = false;
            for (id, object) in self.solver.held(row.base).collect::<Vec<_>>() {
                match object {
                    _ if self.solver.is_passed_by(&row, id) => {}
                    Object::Container { kind, .. } => {
                        known |= !self.solver.supposed.contains(&id);
                        // What is found in cells is all that is in containers.
                        if under.is_some() {
                            is_carried |= self.carries(&row, id);
                        } else if found.elsewhere || partly_unknown {
                            is_carried |= self.container_load(row, site, id, kind);
                        }
                    }
                    Object::Address(target) if row.key == RowKey::Target => {
                        let found = self.heap.find_pointed(&row);
                        for cell in found.cells {
                            self.between(cell, row.value, How::Load, Rule::Propagated, site);
                        }
                        if found.elsewhere {
                            self.between(target, row.value, How::Load, Rule::Propagated, site);
                        }
                    }
                    Object::Instance(owner) | Object::AnyOf(owner) => {
                        let program = &self.solver.program;
                        let is_python = program.type_language(owner) == Language::Python;
                        known |= is_python && !program.types[owner.at()].open;
                    }
                    Object::Class(class) => {
                        known = true;
                        for member in self.solver.members_read(&row, class) {
                            self.between(member, row.value, How::Element, Rule::AnyElement, site);
                        }
                    }
                    Object::Function(_) | Object::Bound { .. } => {
                        known |= self.solver.loop_values.contains(&row.value);
                    }
                    _ => {}
                }
            }
            if is_carried {
                self.between(row.base, row.value, How::Element, Rule::AnyElement, site);
            }
            // What else may be there is read as an attribute.
            if row.of == RowBase::Record || is_looked_into {
                continue;
            }
            known |= matches!(row.key, RowKey::Matched(_)) && !self.solver.contents(row.base).is_empty();
            if !known || partly_unknown && row.key != RowKey::Target && !self.has_no_keys(&row) {
                let rule = if row.library {
                    Rule::LibraryTable
                } else {
                    Rule::UnknownContents
                };
                self.between(row.base, row.value, How::Element, rule, site);
                match (self.wire_name(row.key), row.key) {
                    (Some(key), _) => {
                        self.flow(End::Key(key), End::Place(row.value), How::Decode, Rule::WireName, site);
                    }
                    // `r.Context().Value(userKey{})`: whoever put something under it, by whatever way that comes here.
                    (None, RowKey::Text(key)) if row.library => {
                        for put in self.tables.under_values.get(&key).into_iter().flatten() {
                            self.between(*put, row.value, How::Element, Rule::UnknownContents, site);
                        }
                    }
                    _ => {}
                }
                if !is_named_outside {
                    self.note_asked(&row);
                    self.note_asked_by_field(&row);
                }
            }
        }
    }

    /// Whether a place holds a table, or what locates its rows, and nothing else.
    fn is_table(&self, place: PlaceIndex) -> bool {
        let is_one = |(id, object)| match object {
            Object::External(name) => {
                let name = self.solver.program.symbols.text(name);
                name.strip_suffix(".loc").unwrap_or(name) == crate::propagate::records::FRAME
            }
            _ => self.solver.frames.contains(&id),
        };
        let mut held = self.solver.held(place).peekable();
        held.peek().is_some() && held.all(is_one)
    }

    /// The name on a wire that a key may be: none that is written as a value of some type.
    pub(super) fn wire_name(&self, key: RowKey) -> Option<Symbol> {
        let RowKey::Text(key) = key else { return None };
        (!is_value(self.solver.program.symbols.text(key))).then_some(key)
    }

    /// Whether what a loop gets first is a position and nothing else: of what has parts by number, like a text.
    pub(super) fn has_no_keys(&self, row: &ElementRow) -> bool {
        let is_go = self.solver.program.files[row.file.at()].language == Language::Go;
        let by_number = |object: Object| match object {
            Object::Container { kind, .. } | Object::Typed { kind, .. } => kind == facts::ContainerKind::List,
            Object::Address(_) => true,
            _ => false,
        };
        is_go && row.key == RowKey::Keys && self.solver.held(row.base).all(|(_, object)| by_number(object))
    }

    /// What comes out of one container; whether it carries more itself.
    fn container_load(&mut self, row: ElementRow, site: EdgeSite, id: ObjectId, kind: facts::ContainerKind) -> bool {
        if self.stepped_load(row, site, id) {
            return false;
        }
        let is_sent = matches!(row.key, RowKey::Sent(_) | RowKey::SentFrom(_));
        let is_known = is_sent || row.key != row.key.of_any() && self.is_counted(row.base, id);
        let key = if is_known { row.key } else { row.key.of_any() };
        let wanted = match key {
            RowKey::Back(back) => match self.solver.position_from_end(id, back) {
                Some(index) => vec![Part::Index(index)],
                None => readable_parts(kind, key),
            },
            RowKey::Index(_) | RowKey::First if self.solver.is_moved(id) => vec![Part::All],
            _ => readable_parts(kind, key),
        };
        if let RowKey::Text(name) = key
            && (self.solver.objects.get(id).is_row() || row.of != RowBase::Record && self.solver.frames.contains(&id))
            && self.columns_known().may_be_any(id, name)
        {
            for (_, place) in self.solver.parts.get(&id).cloned().unwrap_or_default() {
                self.part_to(place, (row.base, row.value), Rule::AnyElement, site);
            }
        }
        if wanted.contains(&Part::All) {
            for place in self.parts_left(row, id) {
                self.part_to(place, (row.base, row.value), Rule::AnyElement, site);
            }
        }
        let is_carried = |part: &Part| matches!(part, Part::All | Part::Any | Part::From(_));
        for part in wanted.into_iter().filter(|part| !is_carried(part)) {
            if let Some(place) = self.solver.elements.get(&(id, part)).copied() {
                self.part_to(place, (row.base, row.value), Rule::ConstantKey, site);
            }
        }
        let is_keys = matches!(row.key, RowKey::Keys) && kind != facts::ContainerKind::Channel
            || kind == facts::ContainerKind::Map
                && matches!(
                    row.key,
                    RowKey::Each | RowKey::First | RowKey::Step(_) | RowKey::From(_)
                );
        if is_keys || is_sent || matches!(row.key, RowKey::Returned | RowKey::Thrown) {
            return false;
        }
        if let Some(place) = self.part_from_afar(id) {
            self.part_to(place, (row.base, row.value), Rule::AnyElement, site);
        }
        self.carries(&row, id)
    }

    /// Whether a container got a part under an unknown key.
    fn is_open(&self, id: ObjectId) -> bool {
        self.solver.open.contains(&id) || self.opened.contains(&id)
    }

    /// Whether a container carries parts itself: those under unknown keys, and what library code filled in, but for what its constant
    /// keys tell.
    fn carries(&self, row: &ElementRow, id: ObjectId) -> bool {
        let is_filled = !matches!(row.key, RowKey::Text(_)) && self.tables.filled.contains(&id);
        self.is_open(id) || is_filled
    }

    /// The parts of a container that have constant keys; of a container with many, one place that all of them flow to.
    pub(super) fn all_parts(&mut self, id: ObjectId) -> Vec<PlaceIndex> {
        let parts = self.solver.parts.get(&id).into_iter().flatten();
        let parts = parts.filter(|(part, _)| matches!(part, Part::Text(_) | Part::Index(_)));
        let parts: Vec<PlaceIndex> = parts.map(|(_, place)| *place).collect();
        let all = self.solver.elements.get(&(id, Part::All)).copied();
        let (Some(all), true) = (all, parts.len() > PART_LIMIT) else {
            return parts;
        };
        if self.gathered.insert(id)
            && let Some(site) = self.solver.program.site_of(all)
        {
            for part in parts {
                self.between(part, all, How::Element, Rule::AnyElement, site.into());
            }
        }
        vec![all]
    }

    /// A part of a container goes to the load's place: as part of a call's result where a call gave the container.
    pub(super) fn part_to(
        &mut self,
        part: PlaceIndex,
        (base, value): (PlaceIndex, PlaceIndex),
        rule: Rule,
        site: EdgeSite,
    ) {
        let maker = self.solver.program.owner_of(part);
        let given: Vec<u32> = self
            .tables
            .given_by
            .get(&base)
            .into_iter()
            .flatten()
            .filter(|(_, callee)| Some(*callee) == maker)
            .map(|(call, _)| *call)
            .collect();
        if given.is_empty() {
            return self.between(part, value, How::Element, rule, site);
        }
        for call in given {
            let (kind, from, to, how) = (EdgeKind::ReturnsTo, End::Place(part), End::Place(value), How::Element);
            self.flows.values.push(ValueEdge {
                kind,
                from,
                to,
                how,
                rule,
                site,
                call,
            });
        }
    }

    /// `self.rows[key] = row` changes what is in the field `rows`, and `*order = Order{}` each field of the order.
    fn changed_parts(&mut self, row: &ElementRow, site: EdgeSite) {
        if row.key == RowKey::Target {
            // `errors.As(err, &missing)` sets a pointer, and nothing of what it points to.
            if self
                .solver
                .held(row.base)
                .any(|(_, object)| matches!(object, Object::Address(target) if self.is_pointer(target)))
            {
                return;
            }
            for (_, object) in self.solver.held(row.base).collect::<Vec<_>>() {
                let Object::Instance(owner) = object else { continue };
                for field in self.solver.program.own_fields(owner) {
                    self.changed_field((row.function, field), How::Implicit, Rule::Propagated, site);
                }
            }
            return;
        }
        if !matches!(row.key, RowKey::Keys) {
            self.changed_inside(row.base, row.function, site);
        }
    }

    /// Whether a variable is declared as a pointer.
    fn is_pointer(&self, variable: PlaceIndex) -> bool {
        let program = &self.solver.program;
        let declared = program.local_place(variable).and_then(|(file, local)| {
            let declared = program.declared_type(file, local)?;
            Some(program.type_expression(file, declared))
        });
        matches!(declared, Some(TypeExpression::Pointer(_)))
    }

    /// The fields and variables of files that a value was read from, and what says so.
    pub(super) fn read_from(&self, base: PlaceIndex) -> Vec<(PlaceIndex, Rule)> {
        let globals = self.tables.globals_used.get(&base).into_iter().flatten();
        let mut places: Vec<(PlaceIndex, Rule)> = globals.map(|global| (*global, Rule::Scope)).collect();
        let Some(load) = self.tables.load_of.get(&base) else {
            return places;
        };
        let load = self.solver.loads[*load as usize];
        for (_, object) in self.solver.held(load.base) {
            let (Object::Instance(owner) | Object::AnyOf(owner)) = object else {
                continue;
            };
            let rule = self.member_rule(load.base, object);
            let found = self.solver.program.find_readable(owner, load.member).into_iter();
            let fields = found.filter(|place| self.solver.program.is_field(*place));
            places.extend(fields.map(|field| (field, rule)));
        }
        places
    }

    /// Something is put into what was read from a field or global, or taken out of it.
    pub(super) fn changed_inside(&mut self, base: PlaceIndex, function: FunctionIndex, site: EdgeSite) {
        for (place, rule) in self.read_from(base) {
            self.changed_field((function, place), How::Put, rule, site);
        }
    }

    /// What is taken out of what fields hold.
    pub(super) fn drops(&mut self) {
        for index in 0..self.solver.drops.len() {
            let row = &self.solver.drops[index];
            let (base, at) = (row.base, row.at);
            if !at.silent {
                let site = EdgeSite {
                    file: at.file,
                    position: at.position,
                };
                self.changed_inside(base, at.function, site);
            }
        }
    }

    pub(super) fn element_stores(&mut self) {
        for index in 0..self.solver.element_stores.len() {
            let row = self.solver.element_stores[index];
            if row.silent {
                continue;
            }
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            let (mut known, mut is_carried, mut is_set) = (false, false, false);
            self.changed_parts(&row, site);
            if row.key == RowKey::Target {
                for cell in self.heap.find_target(&row).cells {
                    self.between(row.value, cell, How::Store, Rule::Propagated, site);
                }
            }
            for (id, object) in self.solver.held(row.base).collect::<Vec<_>>() {
                match object {
                    _ if self.solver.is_passed_by(&row, id) => {}
                    Object::Container { kind, .. } => {
                        known |= !self.solver.supposed.contains(&id);
                        is_set |= kind == facts::ContainerKind::Set;
                        let part = written_part(kind, row.key);
                        if part == Part::Keys && !kind.has_names() {
                            continue;
                        }
                        for cell in self.heap.find_written(self.solver, &row, (kind, part)) {
                            self.between(row.value, cell, How::Put, Rule::Propagated, site);
                            self.note_put((row.value, cell), row.function, row.point);
                        }
                        if let Part::Any | Part::From(_) = part {
                            is_carried = true;
                            match self.put_under(index, &row) {
                                Some(under) => self.between(row.value, under, How::Put, Rule::Propagated, site),
                                None => self.put_afar(row.value, (row.base, row.function), id, site),
                            }
                            if self.is_stepped(id)
                                && let Some(place) = self.solver.elements.get(&(id, part)).copied()
                            {
                                self.between(row.value, place, How::Put, Rule::AnyElement, site);
                            }
                        } else if self.send(&row, id, site) {
                        } else if let Some(place) = self.solver.elements.get(&(id, part)).copied() {
                            self.between(row.value, place, How::Put, Rule::ConstantKey, site);
                        }
                    }
                    Object::Address(target) if row.key == RowKey::Target => {
                        known = true;
                        if self.heap.find_target(&row).elsewhere {
                            self.between(row.value, target, How::Store, Rule::Propagated, site);
                        }
                    }
                    Object::Instance(owner) | Object::AnyOf(owner) => {
                        if let Some(field) = self.solver.field_at(owner, row.key) {
                            let member = self.solver.program.member_of(field).map(|member| member.name);
                            let found = member.map(|member| self.heap.find_filled(row.base, member, row.point));
                            for cell in found.iter().flat_map(|found| &found.cells) {
                                self.between(row.value, *cell, How::Store, Rule::DeclaredType, site);
                            }
                            if found.is_none_or(|found| found.elsewhere) {
                                self.between(row.value, field, How::Store, Rule::DeclaredType, site);
                            }
                            self.access(
                                EdgeKind::Writes,
                                row.function,
                                End::Place(field),
                                Rule::DeclaredType,
                                site,
                            );
                        }
                        let program = &self.solver.program;
                        let is_struct = program.type_facts(owner).kind == TypeKind::Struct;
                        let is_python = program.type_language(owner) == Language::Python;
                        known |= is_struct || is_python && !program.types[owner.at()].open;
                    }
                    _ => {}
                }
            }
            if is_carried {
                let how = if self.has_no_names(row.base) {
                    How::Add
                } else {
                    How::Put
                };
                self.between(row.value, row.base, how, Rule::AnyElement, site);
            }
            if is_set {
                // How many there are, and what is among them, depends on each.
                for (kept, _) in self.read_from(row.base) {
                    self.between(row.value, kept, How::Test, Rule::AnyElement, site);
                }
            }
            self.begun_with(&row, site);
            if !row.library {
                self.put_outside(row.base, row.value, (row.function, site), put_call(index as u32));
                self.part_outside(&row, site);
            }
            if !known && row.key != RowKey::Keys {
                self.between(row.value, row.base, How::Put, Rule::UnknownContents, site);
                if self.may_be_called(row.value) {
                    for holder in self.holders(row.base) {
                        self.between(row.value, holder, How::Put, Rule::UnknownContents, site);
                    }
                }
                if let Some(key) = self.wire_name(row.key) {
                    self.flow(End::Place(row.value), End::Key(key), How::Encode, Rule::WireName, site);
                    self.parts_to_key(&row, key, site);
                }
            }
        }
    }

    /// Whether a place holds containers whose parts have positions, or none, and nothing else.
    fn has_no_names(&self, place: PlaceIndex) -> bool {
        let mut held = self.solver.held(place);
        held.all(|(_, object)| matches!(object, Object::Container { kind, .. } if !kind.has_names()))
    }

    /// `reading["firmware"] = (version, 1)`, of a reading from outside: what is read under that key has the parts, too.
    fn parts_to_key(&mut self, row: &ElementRow, key: Symbol, site: EdgeSite) {
        let mut parts: Vec<PlaceIndex> = Vec::new();
        for (id, object) in self.solver.held(row.value) {
            if matches!(object, Object::Container { .. }) {
                let own = self.solver.parts.get(&id).into_iter().flatten();
                let is_part = |part: &Part| matches!(part, Part::Text(_) | Part::Index(_) | Part::Any);
                parts.extend(own.filter(|(part, _)| is_part(part)).map(|(_, place)| *place));
            }
        }
        for part in parts {
            self.flow(End::Place(part), End::Key(key), How::Encode, Rule::WireName, site);
        }
    }

    /// Parts of containers that are put into others.
    pub(super) fn part_copies(&mut self) {
        for index in 0..self.solver.part_copies.len() {
            let row = self.solver.part_copies[index].clone();
            if row.silent {
                continue;
            }
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            self.begun_with_parts((row.to, row.function), row.point, site);
            let held: Vec<_> = self.solver.held(row.from).collect();
            let into: Vec<_> = self.solver.held(row.to).collect();
            if let Some(pairs) = row.pairs {
                self.between(row.from, pairs.all, How::Assign, Rule::Propagated, site);
                self.between(pairs.each, pairs.pair, How::Assign, Rule::Propagated, site);
            }
            if let Some(by) = row.by_key {
                let parts = held
                    .iter()
                    .flat_map(|(id, _)| self.solver.parts.get(id).into_iter().flatten());
                let is_key = |part: &Part| matches!(part, Part::Text(_) | Part::Index(_));
                // Of known keys, each part goes its own way; of what is no container nobody knows them.
                let is_other = |(_, object): &(ObjectId, Object)| {
                    matches!(object, Object::Instance(_) | Object::AnyOf(_) | Object::External(_))
                };
                if self.solver.untyped.contains(&row.file) && held.iter().any(is_other)
                    || !parts.into_iter().any(|(part, _)| is_key(part))
                {
                    self.between(by, row.to, How::Put, Rule::AnyElement, site);
                }
            }
            let mut known = false;
            let containers = |held: &[(ObjectId, Object)]| {
                let containers = held
                    .iter()
                    .filter(|(_, object)| matches!(object, Object::Container { .. }));
                containers.count()
            };
            // Where many are put into many, what has one name meets at one place.
            let crowded = containers(&held) * containers(&into) > PAIR_LIMIT;
            let mut met: FxHashMap<Part, PlaceIndex> = FxHashMap::default();
            let mut joined: FxHashSet<(PlaceIndex, PlaceIndex)> = FxHashSet::default();
            for (id, object) in held {
                let Object::Container { kind: from, .. } = object else {
                    continue;
                };
                known = true;
                let mut kinds = into.iter().filter_map(|(_, object)| match object {
                    Object::Container { kind, .. } => Some(*kind),
                    _ => None,
                });
                if kinds.any(|kind| row.is_of_pairs(from, kind)) {
                    continue;
                }
                let mut kinds = into.iter().filter_map(|(_, object)| match object {
                    Object::Container { kind, .. } => Some(*kind),
                    _ => None,
                });
                let is_of_rows = into.iter().all(|(target, _)| self.is_of_rows((id, from), *target));
                if self.is_open(id) && !is_of_rows && !kinds.all(|kind| row.is_of_keys(from, kind)) {
                    self.between(row.from, row.to, row.carries(Some(from), &into), Rule::AnyElement, site);
                    for (target, _) in into.iter().filter(|(target, _)| *target != id) {
                        self.put_afar(row.from, (row.to, row.function), *target, site);
                    }
                }
                for (target, container) in &into {
                    let Object::Container { kind, .. } = *container else {
                        continue;
                    };
                    if self.is_of_rows((id, from), *target) {
                        continue;
                    }
                    for (part, place) in self.solver.parts.get(&id).cloned().unwrap_or_default() {
                        let moved = row.moved(part, (from, kind)).filter(|_| id != *target);
                        let to = match moved {
                            Some(Part::Any | Part::From(_)) => Some(row.to),
                            Some(moved) => self.solver.elements.get(&(*target, moved)).copied(),
                            None => None,
                        };
                        let is_carried =
                            matches!(part, Part::Any | Part::From(_)) && !self.put_from_afar.contains(&place);
                        if let Some(value) = to.filter(|_| !is_carried) {
                            match moved.filter(|moved| crowded && !matches!(moved, Part::Any | Part::From(_))) {
                                None => {
                                    self.part_to(place, (row.from, value), Rule::ConstantKey, site);
                                    if value == row.to {
                                        self.put_afar(place, (row.to, row.function), *target, site);
                                    }
                                }
                                Some(name) => {
                                    let meeting = *met.entry(name).or_insert_with(|| self.passing(row.function));
                                    if joined.insert((place, meeting)) {
                                        self.part_to(place, (row.from, meeting), Rule::ConstantKey, site);
                                    }
                                    if joined.insert((meeting, value)) {
                                        self.between(meeting, value, How::Element, Rule::ConstantKey, site);
                                    }
                                }
                            }
                        }
                        // What comes out of a generator that is stepped is also where its steps are told apart.
                        if let Some(moved) = moved.filter(|_| self.is_stepped(*target))
                            && let Some(value) = self.solver.elements.get(&(*target, moved)).copied()
                            && matches!(moved, Part::Any | Part::From(_))
                        {
                            match is_carried {
                                true => self.between(
                                    row.from,
                                    value,
                                    row.carries(Some(from), &into),
                                    Rule::AnyElement,
                                    site,
                                ),
                                false => self.part_to(place, (row.from, value), Rule::ConstantKey, site),
                            }
                        }
                    }
                }
            }
            if !known || self.tables.unknown.is_followed(row.from) {
                // What is no container, or is not known to be one: all of it may be any part.
                let containers = into
                    .iter()
                    .filter(|(_, object)| matches!(object, Object::Container { .. }));
                self.opened.extend(containers.map(|(id, _)| *id));
                self.between(row.from, row.to, row.carries(None, &into), Rule::UnknownContents, site);
            }
        }
    }

    /// Whether a table is made of what is in each part of this, and not of the parts themselves.
    fn is_of_rows(&self, (list, kind): (ObjectId, facts::ContainerKind), table: ObjectId) -> bool {
        let mut parts = self.solver.parts.get(&list).into_iter().flatten().peekable();
        let is_row = |place: PlaceIndex| self.solver.held(place).any(|(_, object)| object.is_container());
        self.solver.is_made_of_rows((list, kind), table)
            && parts.peek().is_some()
            && parts.all(|(_, part)| is_row(*part))
    }

    /// Whether a place holds a container by another name than the one that it was given where it was made.
    fn is_alias(&self, id: ObjectId, base: PlaceIndex) -> bool {
        let Object::Container { site, .. } = self.solver.objects.get(id) else {
            return false;
        };
        let program = &self.solver.program;
        let mut open = vec![(site, None)];
        let mut seen = FxHashSet::default();
        while let Some((place, mut name)) = open.pop() {
            if matches!(self.place_kind(place), Some(PlaceKind::Local | PlaceKind::Global)) {
                let own = program.local_place(place);
                let own = own.map(|(file, local)| program.files[file.at()].facts.places[local.0 as usize].name);
                if name.is_some() && own != name {
                    continue;
                }
                name = own;
            }
            if place == base {
                return false;
            }
            if seen.len() > 50 || !seen.insert(place) {
                continue;
            }
            let next = self.tables.assigned.get(&place).into_iter().flatten();
            let next = next.filter(|next| {
                let is_given = self.place_kind(**next) == Some(PlaceKind::CallValue);
                !is_given && !self.tables.read_back.contains(next)
            });
            open.extend(next.map(|next| (*next, name)));
        }
        true
    }

    /// A container of another function: what is put in, by a function under some name, is there for all who hold it.
    fn put_afar(
        &mut self,
        value: PlaceIndex,
        (base, function): (PlaceIndex, FunctionIndex),
        id: ObjectId,
        site: EdgeSite,
    ) {
        let Some(place) = self.solver.elements.get(&(id, Part::Any)).copied() else {
            return;
        };
        if self.solver.program.owner_of(place) != Some(function)
            || self.is_alias(id, base)
            || self.solver.supposed.contains(&id)
        {
            self.put_from_afar.insert(place);
            self.between(value, place, How::Put, Rule::AnyElement, site);
        }
    }
}

/// Whether a key is written as a value of some type: `userKey{}`, `&user`.
pub(super) fn is_value(text: &str) -> bool {
    let is_plain = |head: &str| {
        head.chars()
            .all(|letter| letter.is_alphanumeric() || "_.[]".contains(letter))
    };
    let head = text.strip_suffix('}').and_then(|text| text.split_once('{'));
    let is_address = text.strip_prefix('&').is_some_and(is_plain);
    is_address || head.is_some_and(|(head, _)| !head.is_empty() && is_plain(head))
}
