//! Attributes of classes, apart from those of their instances: what a class holds when it is asked, itself or for an instance.
//!
//! ```python
//! class Plan: level = "free"
//! one = Plan()
//! one.level = secret           # a cell of `one`: the class stays as it was
//! Plan.level = token           # what is in the class from here on,
//! Plan().level                 # and in instances that nothing was put in
//! ```
//!
//! All that the body of a class and functions ever put in one attribute of the class meets in a place of its own, beside the field, which
//! holds what instances are given as well. Where functions put something there, it is a cell of the module that they hand along, as
//! a global is: [`super::globals`]. A class below has a place of its own if something is put in there: else it has what the one above has.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::Where;
use super::{Access, CellId, Heap, RootKind, When};
use crate::facts::{Position, TypeKind};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::edges::{EdgeSite, End, NO_CALL, ValueEdge};
use crate::propagate::object::Object;
use crate::propagate::solve::{LoadRow, Solver};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct ClassMembers {
    /// What is in an attribute of a class.
    places: FxHashMap<(TypeIndex, Symbol), PlaceIndex>,
    /// The fields that functions put something in through their class.
    pub(super) rebound: FxHashSet<PlaceIndex>,
    /// Where what an object begins with is, in order: the first that is certainly there ends it.
    first: FxHashMap<CellId, Vec<PlaceIndex>>,
}

/// A function asks for an attribute of a class, or puts something there.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClassAccess {
    pub(super) function: FunctionIndex,
    pub(super) place: PlaceIndex,
    pub(super) is_write: bool,
    pub(super) when: When,
    pub(super) at: (FileIndex, Position),
}

/// What is put in a class by a function: in which, by which row, whether in no other.
type Rebinding = (TypeIndex, usize, bool);

impl Heap {
    /// A place for each attribute of a class that something else than its body says; who puts something there, and who asks.
    pub(super) fn lay_out_class_members(&mut self, solver: &mut Solver<'_>) -> (Vec<ClassAccess>, Beginnings) {
        let (rebound, on_instances) = rebindings(solver);
        let mut asked: FxHashSet<PlaceIndex> = FxHashSet::default();
        for row in solver.loads.iter().filter(|row| !row.silent && !row.known) {
            asked
                .extend(classes_at(solver, row.base).filter_map(|class| solver.program.find_member(class, row.member)));
        }
        let mut values: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        for index in 0..solver.program.files.len() {
            for (from, member) in solver.program.member_values(FileIndex(index as u32)) {
                values.entry(member).or_default().push(from);
            }
        }
        let mut fields: Vec<PlaceIndex> = rebound.keys().copied().collect();
        let is_begun = |field: &&PlaceIndex| self.initial.contains(field) && !rebound.contains_key(field);
        fields.extend(
            asked
                .iter()
                .filter(|field| on_instances.contains(field))
                .filter(is_begun),
        );
        fields.sort_unstable();
        let mut beginnings = Beginnings::default();
        let mut of_field: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        let mut accesses = Vec::new();
        for field in fields {
            let Some(member) = solver.program.member_of(field).copied() else {
                continue;
            };
            let body = values.get(&field).cloned().unwrap_or_default();
            let own = self.class_place(solver, (member.owner, member.name));
            for from in &body {
                self.put_in_class(*from, own, (member.file, member.position));
            }
            beginnings.insert(own, body);
            of_field.entry(field).or_default().push(own);
            for (class, row, is_alone) in rebound.get(&field).into_iter().flatten() {
                let row = solver.stores[*row];
                let place = self.class_place(solver, (*class, row.member));
                if !of_field[&field].contains(&place) {
                    of_field.entry(field).or_default().push(place);
                    beginnings.entry(place).or_default();
                }
                let at = (row.file, row.position);
                if let Some(from) = row.from {
                    self.put_in_class(from, place, at);
                }
                let is_certain = *is_alone;
                let when = When {
                    point: row.point,
                    is_certain,
                };
                accesses.push(ClassAccess {
                    function: row.function,
                    place,
                    is_write: true,
                    when,
                    at,
                });
            }
        }
        self.class_members.rebound = rebound.into_keys().collect();
        self.note_asked(solver, &of_field, &mut accesses);
        (accesses, beginnings)
    }

    /// Who asks for what functions put in classes: of the class, or of an instance.
    fn note_asked(
        &self,
        solver: &Solver<'_>,
        of_field: &FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
        accesses: &mut Vec<ClassAccess>,
    ) {
        let mut note = |field: &PlaceIndex, function, point, at| {
            let places = of_field.get(field).into_iter().flatten();
            accesses.extend(places.map(|place| ClassAccess {
                function,
                place: *place,
                is_write: false,
                when: When::certain(point),
                at,
            }));
        };
        let is_rebound = |field: &PlaceIndex| self.class_members.rebound.contains(field);
        for row in solver.loads.iter().filter(|row| !row.silent && !row.known) {
            let fields = classes_at(solver, row.base).filter_map(|class| solver.program.find_member(class, row.member));
            for field in fields.filter(is_rebound) {
                note(&field, row.function, row.point, (row.file, row.position));
            }
        }
        for access in self
            .locals
            .iter()
            .flat_map(|local| local.reads.iter().chain(&local.writes))
        {
            for field in access.fields.iter().filter(|field| is_rebound(field)) {
                note(field, access.function, access.when.point, access.at);
            }
        }
    }

    fn class_place(&mut self, solver: &mut Solver<'_>, (class, member): (TypeIndex, Symbol)) -> PlaceIndex {
        if let Some(place) = self.class_members.places.get(&(class, member)) {
            return *place;
        }
        let file = solver.program.types[class.at()].file;
        let body = solver.program.function(file, solver.program.type_facts(class).function);
        let place = solver.derive_place(DerivedPlace::Passing(body));
        self.class_members.places.insert((class, member), place);
        place
    }

    fn put_in_class(&mut self, from: PlaceIndex, to: PlaceIndex, at: (FileIndex, Position)) {
        self.edges.push(ValueEdge {
            kind: EdgeKind::FlowsTo,
            from: End::Place(from),
            to: End::Place(to),
            how: How::Store,
            rule: Rule::Scope,
            site: EdgeSite::from(at),
            call: NO_CALL,
        });
    }

    /// These reads and writes, where their functions hand the module along.
    pub(super) fn touch_classes(&mut self, accesses: &[ClassAccess]) {
        for access in accesses {
            let Some(module) = self.modules.get(&access.function) else {
                continue;
            };
            let row = Access {
                base: *module,
                step: Step::Global(access.place),
                value: None,
                fields: vec![access.place],
                at: access.at,
                when: access.when,
                function: access.function,
            };
            let local = &mut self.locals[access.function.at()];
            match access.is_write {
                true => local.writes.push(row),
                false => local.reads.push(row),
            }
        }
    }

    /// The places that a class is asked for a member, from itself up; none where that is the field.
    fn chain(&self, solver: &Solver<'_>, class: TypeIndex, member: Symbol) -> Option<Vec<PlaceIndex>> {
        let mut chain = Vec::new();
        let mut is_apart = false;
        for base in &solver.program.types[class.at()].order {
            let own = self.class_members.places.get(&(*base, member)).copied();
            is_apart |= own.is_some();
            let field = solver.program.types[base.at()].members.get(&member).copied();
            chain.extend(own.or(field));
            if field.is_some() {
                break;
            }
        }
        is_apart.then_some(chain)
    }

    /// Where what a load finds in a class is; none where that is the field.
    pub(in crate::propagate) fn find_in_class(
        &self,
        solver: &Solver<'_>,
        row: &LoadRow,
        class: TypeIndex,
    ) -> Option<Where> {
        let chain = self.chain(solver, class, row.member).filter(|_| row.after.is_none())?;
        Some(Where {
            cells: self.seen_in_class(row.function, &chain, When::certain(row.point)),
            elsewhere: false,
        })
    }

    /// Where what a store puts in a class is found by who asks in order.
    pub(in crate::propagate) fn find_class_written(
        &self,
        (function, point): (FunctionIndex, crate::facts::order::Point),
        (class, member): (TypeIndex, Symbol),
    ) -> Vec<PlaceIndex> {
        let place = self.class_members.places.get(&(class, member));
        let cell = place.and_then(|place| self.class_cell(function, *place));
        let version = cell.and_then(|cell| self.version_written(cell, When::certain(point)));
        version.into_iter().collect()
    }

    /// The cell of the module that a function hands along, for an attribute of a class.
    fn class_cell(&self, function: FunctionIndex, place: PlaceIndex) -> Option<CellId> {
        let module = self.modules.get(&function)?;
        let [root] = self.points_of(*module) else { return None };
        Some(self.place_of(*root, Step::Global(place))?.0)
    }

    fn seen_in_class(&self, function: FunctionIndex, chain: &[PlaceIndex], when: When) -> Vec<PlaceIndex> {
        let mut seen = Vec::new();
        for place in chain {
            let Some(cell) = self.class_cell(function, *place) else {
                seen.push(*place);
                continue;
            };
            let versions = self.versions_seen(cell, when);
            let is_first = self.cell(cell).place.is_none_or(|first| versions.contains(&first));
            seen.extend(versions);
            if !is_first {
                break;
            }
        }
        seen
    }

    /// What an object holds that nothing was put in: what its class does then. None where the object's own place says it.
    pub(super) fn first_in_class(&self, cell: CellId, when: When) -> Option<Vec<PlaceIndex>> {
        let chain = self.class_members.first.get(&cell)?;
        Some(self.seen_in_class(self.cell(cell).function, chain, when))
    }

    /// The same, whenever that is.
    pub(super) fn ever_in_class(&self, cell: CellId) -> &[PlaceIndex] {
        self.class_members.first.get(&cell).map_or(&[], Vec::as_slice)
    }

    /// Notes which cells begin with what is in classes that functions change.
    pub(super) fn note_first_in_class(&mut self, solver: &Solver<'_>) {
        if self.class_members.rebound.is_empty() {
            return;
        }
        for index in 0..self.cells.len() {
            let id = CellId(index as u32);
            let cell = self.cell(id);
            let is_rebound = |field: &PlaceIndex| self.class_members.rebound.contains(field);
            let (Step::Member(member), true) = (cell.step, cell.fields.iter().any(is_rebound)) else {
                continue;
            };
            let RootKind::Made(made) = self.get(cell.root).kind else {
                continue;
            };
            let mut chain = Vec::new();
            for (_, object) in solver.held(made) {
                if let Object::Instance(class) = object {
                    chain.extend(self.chain(solver, class, member).unwrap_or_default());
                }
            }
            let mut seen = FxHashSet::default();
            chain.retain(|place| seen.insert(*place));
            if !chain.is_empty() {
                self.class_members.first.insert(id, chain);
            }
        }
    }
}

/// What the bodies of files put in what functions change, by the place of all that is ever in there.
pub(super) type Beginnings = FxHashMap<PlaceIndex, Vec<PlaceIndex>>;

fn classes_at<'s>(solver: &'s Solver<'_>, place: PlaceIndex) -> impl Iterator<Item = TypeIndex> + 's {
    solver.held(place).filter_map(|(_, object)| match object {
        Object::Class(class) => Some(class),
        _ => None,
    })
}

/// What functions put in classes, by field; and the fields that instances are given.
fn rebindings(solver: &Solver<'_>) -> (FxHashMap<PlaceIndex, Vec<Rebinding>>, FxHashSet<PlaceIndex>) {
    let mut rebound: FxHashMap<PlaceIndex, Vec<Rebinding>> = FxHashMap::default();
    let mut on_instances = FxHashSet::default();
    for (index, row) in solver.stores.iter().enumerate() {
        let is_alone = solver.contents(row.base).len() == 1;
        for (_, object) in solver.held(row.base) {
            match object {
                Object::Class(class) => {
                    let field = solver.program.find_member(class, row.member);
                    let is_field = |field: &PlaceIndex| {
                        let member = solver.program.member_of(*field);
                        member.is_some_and(|member| {
                            let of_class = solver.program.type_facts(member.owner).kind == TypeKind::Class;
                            of_class && member.field.is_some() && !solver.has_generated_constructor(member.owner)
                        })
                    };
                    if let Some(field) = field.filter(is_field) {
                        rebound.entry(field).or_default().push((class, index, is_alone));
                    }
                }
                Object::Instance(owner) | Object::AnyOf(owner) => {
                    on_instances.extend(solver.program.find_attribute_owner(owner, row.member));
                }
                _ => {}
            }
        }
    }
    (rebound, on_instances)
}

/// Members of classes whose bodies put a container there, where no instance is given another: `class Log: lines = []`.
pub(super) fn shared_by_instances(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let mut shared: FxHashMap<Symbol, Vec<PlaceIndex>> = FxHashMap::default();
    for index in 0..solver.program.files.len() {
        for (from, field) in solver.program.member_values(FileIndex(index as u32)) {
            let is_container = |object| matches!(object, Object::Container { .. });
            let member = solver.program.member_of(field);
            if let Some(member) = member.filter(|_| solver.held(from).any(|(_, object)| is_container(object)))
                && solver.program.type_facts(member.owner).kind == TypeKind::Class
            {
                shared.entry(member.name).or_default().push(field);
            }
        }
    }
    for row in &solver.stores {
        let Some(fields) = shared.get_mut(&row.member) else {
            continue;
        };
        for (_, object) in solver.held(row.base) {
            if let Object::Instance(owner) | Object::AnyOf(owner) = object
                && let Some(own) = solver.program.find_attribute_owner(owner, row.member)
            {
                fields.retain(|field| *field != own);
            }
        }
    }
    shared.into_values().flatten().collect()
}
