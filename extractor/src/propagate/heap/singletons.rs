//! Objects that the body of a file makes, and that one global keeps: each is one object to all functions that name it.
//!
//! ```python
//! users, carts = Store(), Store()
//! def login(name): users.add(name)      # into the cell `users.names`,
//! def pay(): return carts.first()       # and this comes out of `carts.names`
//! ```
//!
//! Nobody knows in which order functions come to such an object. What is put in a cell of it at any time is there at any time, so that its
//! cells have no versions, and what lies in them is not followed edit by edit. It is the same object under the same name in callers and
//! callees: what one function learns of it, all that name it learn.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{CellId, Heap, NOTHING, RootId, RootKind, Roots, UNKNOWN};
use crate::facts::{FunctionId, PlaceKind, Position};
use crate::link::scope::Meaning;
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PackageIndex, PlaceIndex, Symbol};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{Constraint, Solver, Target};

/// An object that is no such.
pub(super) const NONE: u32 = u32::MAX;

/// One of these objects.
#[derive(Debug)]
pub(super) struct Singleton {
    root: RootId,
    /// What makes it, and nothing else if it is to be one.
    value: PlaceIndex,
    /// The body that makes it, and where.
    pub(super) body: FunctionIndex,
    pub(super) site: (FileIndex, Position),
    /// The functions that name it.
    users: Vec<FunctionIndex>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Singletons {
    rows: Vec<Singleton>,
    /// Those of which something was learned, by number.
    changed: Vec<u32>,
    /// Places that hold tables of which calls tell keys apart, see [`crate::propagate::keyed`]: what is in these is told there.
    of_tables: FxHashSet<PlaceIndex>,
    /// Functions that others than those who name them call, and give what comes back to whom they like.
    handed_over: FxHashSet<FunctionIndex>,
    /// The body of a file is followed, and no other function.
    pub(super) in_body: bool,
}

/// Where globals are named.
struct Uses {
    /// By what a use of a name gives: the function.
    named: FxHashMap<PlaceIndex, FunctionIndex>,
    /// Of these, those that may be another one.
    unclear: FxHashSet<PlaceIndex>,
    /// What an import binds, by what it is.
    imported: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Globals that functions assign, or that are something else as well.
    rebound: FxHashSet<PlaceIndex>,
}

/// The names of a global.
struct Names {
    /// Itself, and what imports in other files bind to it.
    bound: Vec<PlaceIndex>,
    /// What uses of these give, and in which functions.
    used: Vec<(PlaceIndex, FunctionIndex)>,
}

impl Heap {
    /// Finds these objects and puts them where they are named. What holds one of them escapes no longer: it is taken out of `outside`.
    pub(super) fn lay_out_singletons(
        &mut self,
        solver: &mut Solver<'_>,
        outside: &mut FxHashSet<PlaceIndex>,
        handed_over: &FxHashSet<FunctionIndex>,
    ) {
        let made = self.made_for_globals(solver);
        if made.is_empty() {
            return;
        }
        let uses = Uses::new(solver);
        self.singletons.of_tables = holding_tables(solver);
        self.singletons.handed_over.clone_from(handed_over);
        for (global, value, at) in made {
            let (Some(names), Some(body)) = (uses.of(solver, global), solver.program.owner_of(global)) else {
                continue;
            };
            // In the body alone it is what any object of a function is.
            if names.used.iter().all(|(_, user)| *user == body) {
                continue;
            }
            let root = self.made_at(value);
            let number = self.singletons.rows.len() as u32;
            self.roots[root.0 as usize].singleton = number;
            for (place, function) in names.used.iter().copied() {
                self.locals[function.at()].unknown.retain(|unknown| *unknown != place);
                self.put(place, &[root]);
            }
            for name in names.bound {
                outside.remove(&name);
                self.put(name, &[root]);
            }
            let mut users: Vec<FunctionIndex> = names.used.into_iter().map(|(_, function)| function).collect();
            users.push(body);
            users.sort_unstable();
            users.dedup();
            self.singletons.rows.push(Singleton {
                root,
                value,
                body,
                site: at,
                users,
            });
        }
    }

    /// Objects and closures that calls in the bodies of files make, and one global keeps: the global, what the call gives, and where.
    fn made_for_globals(&self, solver: &Solver<'_>) -> Vec<(PlaceIndex, PlaceIndex, (FileIndex, Position))> {
        let mut made: FxHashMap<PlaceIndex, Position> = FxHashMap::default();
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            let is_body = solver.program.functions[row.function.at()].local == FunctionId(0);
            let is_ours = |target: &Target| !matches!(target, Target::External(_) | Target::Opaque);
            if let ([target], true) = (row.targets.as_slice(), is_body)
                && is_ours(target)
                && let [value] = solver.call_results(call as u32)
            {
                made.insert(*value, row.position);
            }
        }
        let keeping = self.closures_keeping_objects(solver);
        let mut found = Vec::new();
        for (index, file) in solver.program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            let place = |local| solver.program.place(file_index, local);
            let row = |local: crate::facts::PlaceId| &file.facts.places[local.0 as usize];
            let is_global = |local| {
                let row = row(local);
                let is_name = matches!(row.kind, PlaceKind::Global | PlaceKind::Constant | PlaceKind::Binding);
                is_name && row.function == FunctionId(0)
            };
            let mut sources: FxHashMap<crate::facts::PlaceId, Vec<crate::facts::PlaceId>> = FxHashMap::default();
            for flow in file.facts.flows.iter().filter(|flow| is_global(flow.to)) {
                sources.entry(flow.to).or_default().push(flow.from);
            }
            for (global, from) in sources {
                let [from] = from.as_slice() else { continue };
                let (global, value) = (place(global), place(*from));
                let Some(position) = made.get(&value).filter(|_| !row(*from).repeated) else {
                    continue;
                };
                let mut held = solver.held(global).map(|(_, object)| object);
                let is_one = match (held.next(), held.next()) {
                    (Some(Object::Instance(_)), None) => true,
                    (Some(Object::Function(closure)), None) => keeping.contains(&closure),
                    _ => false,
                };
                if is_one {
                    found.push((global, value, (file_index, *position)));
                }
            }
        }
        found.sort_unstable_by_key(|(global, ..)| *global);
        found
    }

    /// Closures that keep an object or a container: what they call otherwise is told by how they were entered.
    fn closures_keeping_objects(&self, solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
        let ends = self.captures.keys().flat_map(|(one, other)| [*one, *other]);
        let with_objects = ends.filter(|place| {
            let mut held = solver.held(*place).map(|(_, object)| object);
            held.any(|object| matches!(object, Object::Instance(_) | Object::Container { .. }))
        });
        let closures = with_objects.filter_map(|place| solver.program.owner_of(place));
        closures.filter(|closure| self.kept.contains_key(closure)).collect()
    }

    /// The singleton that an object is, or lies in.
    pub(super) fn singleton(&self, root: RootId) -> Option<&Singleton> {
        self.singletons.rows.get(self.get(root).singleton as usize)
    }

    /// Whether an object is the same one to all functions.
    pub(super) fn is_shared(&self, root: RootId) -> bool {
        self.get(root).singleton != NONE
    }

    /// Whether what lies in a cell of a singleton is a table of which other functions tell the keys.
    pub(super) fn holds_table(&self, cell: CellId) -> bool {
        self.is_shared(self.cell(cell).root) && self.may_be_table(cell)
    }

    /// Whether an object lies where such a table may be.
    pub(super) fn lies_in_table(&self, root: RootId) -> bool {
        matches!(self.get(root).kind, RootKind::Inside(cell) if self.may_be_table(cell))
    }

    fn may_be_table(&self, cell: CellId) -> bool {
        let mut fields = self.cell(cell).fields.iter();
        fields.any(|field| self.singletons.of_tables.contains(field))
    }

    /// Something was learned of an object: all who name it are to hear of that.
    pub(super) fn note_changed(&mut self, root: RootId) {
        let number = self.get(root).singleton;
        if number != NONE && !self.singletons.changed.contains(&number) {
            self.singletons.changed.push(number);
        }
    }

    /// Once a body was followed: what a function gives may be no new object, or may be several.
    pub(super) fn check_made(&mut self, body: FunctionIndex) {
        let made = self.singletons.rows.iter().filter(|row| row.body == body);
        let others = made.filter(|row| self.points_of(row.value) != [row.root]);
        let others: Vec<RootId> = others.map(|row| row.root).collect();
        for root in others {
            self.escape(root);
        }
    }

    /// Once a function was followed that is handed over: what it gives back goes where nobody sees it.
    pub(super) fn check_given(&mut self, solver: &Solver<'_>, function: FunctionIndex) {
        if !self.singletons.handed_over.contains(&function) {
            return;
        }
        let file = solver.program.functions[function.at()].file;
        for result in &solver.program.function_facts(function).results {
            let given = Roots::from_slice(self.points_of(solver.program.place(file, *result)));
            for root in given {
                if self.is_shared(root) {
                    self.escape(root);
                }
            }
        }
    }

    /// Who names the objects of which something was learned since this was asked, with each of these objects.
    pub(super) fn users_of_changed(&mut self) -> Vec<(RootId, Vec<FunctionIndex>)> {
        let changed = std::mem::take(&mut self.singletons.changed);
        let rows = changed
            .iter()
            .filter_map(|number| self.singletons.rows.get(*number as usize));
        rows.map(|row| (row.root, row.users.clone())).collect()
    }

    /// What a cell holds where an object is put there: what is put in a singleton is seen by functions that know nothing of it, unless a
    /// body made it as well.
    pub(super) fn put_in(&mut self, holder: RootId, root: RootId) -> (RootId, bool) {
        let number = self.get(holder).singleton;
        if number == NONE || root == UNKNOWN || root == NOTHING || self.is_shared(root) {
            return (root, false);
        }
        if self.singletons.in_body && self.is_made(root) {
            self.share(root, number);
            return (root, false);
        }
        (UNKNOWN, self.escape(root))
    }

    fn share(&mut self, root: RootId, number: u32) {
        let mut open = vec![root];
        while let Some(root) = open.pop() {
            if root == UNKNOWN || root == NOTHING || self.is_shared(root) {
                continue;
            }
            self.roots[root.0 as usize].singleton = number;
            self.changed(root);
            let cells = self.get(root).cells.iter();
            open.extend(cells.flat_map(|cell| self.cell(*cell).holds.iter().copied()));
        }
    }
}

/// Places that hold tables under whose keys callers put and find something.
fn holding_tables(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let tables: FxHashSet<ObjectId> = solver.handed_keys.tables.iter().flatten().copied().collect();
    if tables.is_empty() {
        return FxHashSet::default();
    }
    let places = (0..solver.program.place_count() as u32).map(PlaceIndex);
    let holding = places.filter(|place| solver.contents(*place).iter().any(|object| tables.contains(object)));
    holding.collect()
}

/// The globals that a member of modules may be.
fn members(solver: &mut Solver<'_>, base: PlaceIndex, member: Symbol) -> Vec<PlaceIndex> {
    let packages = solver.held(base).filter_map(|(_, object)| match object {
        Object::Package(package) => Some(package),
        _ => None,
    });
    let packages: SmallVec<[PackageIndex; 1]> = packages.collect();
    let mut found = Vec::new();
    for package in packages {
        if let Meaning::Places(places) = solver.program.package_member(package, member) {
            found.extend(places);
        }
    }
    found
}

impl Uses {
    fn new(solver: &mut Solver<'_>) -> Self {
        let mut uses = Self {
            named: FxHashMap::default(),
            unclear: FxHashSet::default(),
            imported: FxHashMap::default(),
            rebound: FxHashSet::default(),
        };
        let mut bound: FxHashMap<PlaceIndex, PlaceIndex> = FxHashMap::default();
        for (from, to) in &solver.import_sources {
            if *bound.entry(*to).or_insert(*from) != *from {
                uses.rebound.insert(*to);
            }
            uses.imported.entry(*from).or_default().push(*to);
        }
        for (_, _, places) in &solver.name_targets {
            uses.rebound.extend(places);
        }
        for (index, file) in solver.program.files.iter().enumerate() {
            for flow in &file.facts.flows {
                let to = solver.program.place(FileIndex(index as u32), flow.to);
                if bound.contains_key(&to) {
                    uses.rebound.insert(to);
                }
            }
        }
        for index in 0..solver.stores.len() {
            let row = solver.stores[index];
            uses.rebound.extend(members(solver, row.base, row.member));
        }
        for (file, index, places) in &solver.name_sources {
            let name_use = solver.program.files[file.at()].facts.name_uses[*index as usize];
            let to = solver.program.place(*file, name_use.to);
            uses.named.insert(to, solver.program.function(*file, name_use.function));
            if places.len() > 1 {
                uses.unclear.insert(to);
            }
        }
        for index in 0..solver.loads.len() {
            let row = solver.loads[index];
            let found = members(solver, row.base, row.member);
            if found.is_empty() {
                continue;
            }
            uses.named.insert(row.to, row.function);
            if found.len() > 1 || solver.held(row.base).nth(1).is_some() {
                uses.unclear.insert(row.to);
            }
        }
        for places in solver.fitting.values() {
            uses.rebound.extend(places);
        }
        uses
    }

    /// The names that a global has in other files, and where they and it are used; none where it may be used without being named.
    fn of(&self, solver: &Solver<'_>, global: PlaceIndex) -> Option<Names> {
        let mut names = Names {
            bound: vec![global],
            used: Vec::new(),
        };
        let mut next = 0;
        while let Some(name) = names.bound.get(next).copied() {
            next += 1;
            if self.rebound.contains(&name) {
                return None;
            }
            let imported = self.imported.get(&name).map_or(&[][..], Vec::as_slice);
            for constraint in solver.constraints_of(name) {
                let Constraint::Copy(to) = constraint else {
                    // What is done to it where it stands is laid out as for any other place.
                    let is_done_here = matches!(
                        constraint,
                        Constraint::Load(_)
                            | Constraint::Store(_)
                            | Constraint::Call(_)
                            | Constraint::ElementLoad(_)
                            | Constraint::ElementStore(_)
                    );
                    match is_done_here {
                        true => continue,
                        false => return None,
                    }
                };
                if imported.contains(&to) {
                    if !names.bound.contains(&to) {
                        names.bound.push(to);
                    }
                } else if let Some(function) = self.named.get(&to) {
                    if self.unclear.contains(&to) {
                        return None;
                    }
                    names.used.push((to, *function));
                } else if let Some(DerivedPlace::Element { .. }) = solver.program.derived_place(to)
                    && solver.program.owner_of(to) != solver.program.owner_of(name)
                {
                    return None;
                }
            }
        }
        Some(names)
    }
}
