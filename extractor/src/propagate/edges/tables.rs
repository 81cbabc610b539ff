//! What the solver alone says of places, looked up while edges are written down: it is made while objects are still followed.
//!
//! `rows = fetch()` gives `rows` what the call gave, in [`Tables::given_by`]; `names = rows` hands it on, in [`Tables::assigned`].

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::elements::is_value;
use super::unknown::Unknown;
use super::{encoded, kept};
use crate::facts::PlaceKind;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::cut::Cut;
use crate::propagate::keyed::Meaning;
use crate::propagate::library::Effect;
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{RowKey, Solver, Target};

/// Places by the place that is assigned to them.
pub(super) type Assigned = FxHashMap<PlaceIndex, Vec<PlaceIndex>>;

/// What the solver alone says of places.
pub(in crate::propagate) struct Tables {
    pub(super) load_of: FxHashMap<PlaceIndex, u32>,
    pub(super) imported_from: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Places with a declared type.
    pub(super) declared: FxHashSet<PlaceIndex>,
    /// Places that hold what a call gave, in the caller: (call, callee).
    pub(super) given_by: FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>>,
    /// Where something may be of which nothing is known, beside what is.
    pub(super) unknown: Unknown,
    /// What reads find that this function wrote itself: another name for what is there.
    pub(super) read_back: FxHashSet<PlaceIndex>,
    /// To what places are assigned as they are.
    pub(super) assigned: Assigned,
    /// Variables of files, by the place of a use.
    pub(super) globals_used: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Text that was encoded here, out of structures.
    pub(super) encoded: FxHashSet<PlaceIndex>,
    /// Containers that library code fills from text: what is in them is where they are.
    pub(super) filled: FxHashSet<ObjectId>,
    /// Mappings and tables whose keys and columns come from outside: those, and what library code makes a table.
    pub(super) named_outside: FxHashSet<ObjectId>,
    /// Constructors that tell the exception what to keep.
    pub(super) telling: FxHashSet<FunctionIndex>,
    /// Properties that classes of the index make, with what these do when they are asked: `__get__`.
    pub(super) described: FxHashMap<FunctionIndex, FunctionIndex>,
    /// What calls mean by what their callees put and find under keys.
    pub(super) meanings: Vec<Meaning>,
    /// The one wire name under which objects of a type lie in others; none if there are several.
    pub(super) around: FxHashMap<TypeIndex, Option<Symbol>>,
    /// Classes whose objects are given members under names that are not all known.
    pub(super) set_by_name: FxHashSet<TypeIndex>,
    /// Classes that are given members so themselves, and those below them.
    pub(super) filled_by_name: FxHashSet<TypeIndex>,
    /// What library code puts under keys that are written as values of some type: `context.WithValue(ctx, userKey{}, user)`.
    pub(super) under_values: FxHashMap<Symbol, Vec<PlaceIndex>>,
    /// What budgets kept from being found.
    pub(super) cut: Cut,
}

impl Tables {
    /// Of what was solved.
    pub(in crate::propagate) fn new(solver: &Solver<'_>) -> Self {
        let load_of = solver
            .loads
            .iter()
            .enumerate()
            .map(|(index, row)| (row.to, index as u32))
            .filter(|(_, load)| !solver.compared.parts.contains(load))
            .collect();
        let mut imported_from: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        for (from, to) in &solver.import_sources {
            imported_from.entry(*to).or_default().push(*from);
        }
        let mut declared = FxHashSet::default();
        for (index, file) in solver.program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            declared.extend(
                file.facts
                    .declared
                    .iter()
                    .map(|(place, _)| solver.program.place(file_index, *place)),
            );
        }
        let telling = kept::telling(solver);
        let meanings = solver.keyed_meanings();
        let assigned = assignments(solver);
        let parts = solver.element_loads.iter().filter(|row| row.known);
        let members = solver.loads.iter().filter(|row| row.known);
        let read_back = parts.map(|row| row.value).chain(members.map(|row| row.to)).collect();
        let globals_used = globals_used(solver);
        let encoded = encoded::encoded(solver);
        let unknown = Unknown::find(solver, &assigned, &encoded);
        let given_by = given_by(solver, &assigned);
        let filled = filled(solver);
        let named_outside = named_outside(solver, &filled);
        Self {
            load_of,
            imported_from,
            declared,
            given_by,
            unknown,
            read_back,
            assigned,
            globals_used,
            encoded,
            filled,
            named_outside,
            telling,
            described: described(solver),
            set_by_name: solver.classes_set_by_name(),
            filled_by_name: solver.classes_filled_by_name(),
            meanings,
            around: around(solver),
            under_values: under_values(solver),
            cut: solver.find_cut(),
        }
    }
}

/// See [`Tables::under_values`].
fn under_values(solver: &Solver<'_>) -> FxHashMap<Symbol, Vec<PlaceIndex>> {
    let mut put: FxHashMap<Symbol, Vec<PlaceIndex>> = FxHashMap::default();
    for row in solver.element_stores.iter().filter(|row| row.library) {
        if let RowKey::Text(key) = row.key
            && is_value(solver.program.symbols.text(key))
        {
            put.entry(key).or_default().push(row.value);
        }
    }
    put
}

/// See [`Tables::around`].
fn around(solver: &Solver<'_>) -> FxHashMap<TypeIndex, Option<Symbol>> {
    let mut found: FxHashMap<TypeIndex, Option<Symbol>> = FxHashMap::default();
    let program = &solver.program;
    for index in 0..program.types.len() {
        let owner = TypeIndex(index as u32);
        let (file, facts) = (program.types[index].file, program.type_facts(owner));
        let is_model = solver.is_model(owner);
        for field in &facts.fields {
            let key = field.keys.iter().find(|key| key.0 != 0);
            let Some(key) = key.copied().or_else(|| is_model.then_some(field.name)) else {
                continue;
            };
            let (key, name) = (program.symbol(file, key), program.symbol(file, field.name));
            let Some(member) = program.types[index].members.get(&name) else {
                continue;
            };
            let mut open: Vec<Object> = solver.held(*member).map(|(_, object)| object).collect();
            while let Some(object) = open.pop() {
                match object {
                    Object::Instance(inner) | Object::AnyOf(inner) => {
                        let known = found.entry(inner).or_insert(Some(key));
                        *known = known.filter(|known| *known == key);
                    }
                    Object::Typed { element, .. } => {
                        let elements = solver.objects.list(element).iter();
                        open.extend(elements.map(|element| solver.objects.get(*element)));
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// See [`Tables::described`].
fn described(solver: &Solver<'_>) -> FxHashMap<FunctionIndex, FunctionIndex> {
    let mut found = FxHashMap::default();
    let Some(get) = solver.program.symbols.find("__get__") else {
        return found;
    };
    for (index, file) in solver.program.files.iter().enumerate() {
        let Some(first) = solver.first_calls.get(index) else {
            continue;
        };
        for (function, call) in &file.facts.described {
            let classes = solver.calls[(first + call) as usize].targets.iter();
            let mut classes = classes.filter_map(|target| match target {
                Target::Constructor { class, .. } | Target::Class(class) => Some(*class),
                _ => None,
            });
            let asked = classes.find_map(|class| {
                let member = solver.program.find_member(class, get)?;
                solver.method_at.get(&member).copied()
            });
            let function = solver.program.function(FileIndex(index as u32), *function);
            found.extend(asked.map(|asked| (function, asked)));
        }
    }
    found
}

/// To what each place is assigned as it is, inside its file.
fn assignments(solver: &Solver<'_>) -> Assigned {
    let mut next = Assigned::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let file_index = FileIndex(index as u32);
        for flow in file
            .facts
            .flows
            .iter()
            .filter(|flow| flow.same && flow.how == How::Assign)
        {
            let from = solver.program.place(file_index, flow.from);
            next.entry(from)
                .or_default()
                .push(solver.program.place(file_index, flow.to));
        }
        for narrowing in &file.facts.narrowings {
            let from = solver.program.place(file_index, narrowing.from);
            next.entry(from)
                .or_default()
                .push(solver.program.place(file_index, narrowing.to));
        }
    }
    next
}

/// Which variables of files the uses of their names mean.
fn globals_used(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, Vec<PlaceIndex>> {
    let mut used: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
    for (file, index, places) in &solver.name_sources {
        let row = &solver.program.files[file.at()].facts.name_uses[*index as usize];
        let globals = places.iter().filter(|place| {
            let local = solver.program.local_place(**place);
            local.is_some_and(|(file, local)| {
                let row = solver.program.files[file.at()].facts.places[local.0 as usize];
                row.kind == PlaceKind::Global
            })
        });
        let globals: Vec<PlaceIndex> = globals.copied().collect();
        if !globals.is_empty() {
            used.insert(solver.program.place(*file, row.to), globals);
        }
    }
    used
}

/// The containers that library code fills: `var rows []string; json.Unmarshal(data, &rows)`.
fn filled(solver: &Solver<'_>) -> FxHashSet<ObjectId> {
    let mut filled = FxHashSet::default();
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        let names = row.targets.iter().filter_map(|target| match target {
            Target::External(name) => solver.table_entry(row.file, *name),
            _ => None,
        });
        let effects = names.flat_map(|entry| &entry.flows);
        let decoded = effects.filter_map(|effect| match effect {
            Effect::Decode { to, .. } => Some(&to.subject),
            _ => None,
        });
        for subject in decoded {
            for place in solver.subject_places(call as u32, subject) {
                let pointed_at = solver.held(place).filter_map(|(_, object)| match object {
                    Object::Address(target) => Some(target),
                    _ => None,
                });
                for place in pointed_at.chain([place]) {
                    let held = solver.held(place);
                    let containers = held.filter(|(_, object)| matches!(object, Object::Container { .. }));
                    filled.extend(containers.map(|(id, _)| id));
                }
            }
        }
    }
    filled
}

/// See [`Tables::named_outside`].
fn named_outside(solver: &Solver<'_>, filled: &FxHashSet<ObjectId>) -> FxHashSet<ObjectId> {
    let is_map = |object| {
        let kind = match object {
            Object::Container { kind, .. } => kind,
            _ => return false,
        };
        kind.has_names()
    };
    let filled = filled.iter().copied().filter(|id| is_map(solver.objects.get(*id)));
    let mut named: FxHashSet<ObjectId> = filled.collect();
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        let makes_table = |target: &Target| match target {
            Target::External(name) => {
                let entry = solver.table_entry(row.file, *name);
                entry.is_some_and(|entry| entry.returns.as_deref() == Some(crate::propagate::records::FRAME))
            }
            _ => false,
        };
        if row.targets.iter().any(makes_table) {
            let held = solver
                .call_results(call as u32)
                .iter()
                .flat_map(|result| solver.held(*result));
            let containers = held.filter(|(_, object)| matches!(object, Object::Container { .. }));
            named.extend(containers.map(|(id, _)| id));
        }
    }
    named
}

/// Which places of a caller hold a container that a call gave it: the value of the call, and what it is assigned to.
fn given_by(solver: &Solver<'_>, assigned: &Assigned) -> FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>> {
    let mut given: FxHashMap<PlaceIndex, Vec<(u32, FunctionIndex)>> = FxHashMap::default();
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        let call = call as u32;
        for target in &row.targets {
            let Target::Function { function, .. } = target else {
                continue;
            };
            for result in solver.call_results(call) {
                let made_there = solver.held(*result).any(|(_, object)| match object {
                    Object::Container { site, .. } => solver.program.owner_of(site) == Some(*function),
                    _ => false,
                });
                if !made_there {
                    continue;
                }
                let mut open = vec![*result];
                let mut seen = FxHashSet::default();
                while let Some(place) = open.pop() {
                    if seen.insert(place) && seen.len() < 100 {
                        given.entry(place).or_default().push((call, *function));
                        open.extend(assigned.get(&place).into_iter().flatten());
                    }
                }
            }
        }
    }
    given
}
