//! Keys that callers hand over: a part under what a parameter brings is, to each caller, the part under the constant that it gives.
//!
//! ```python
//! def put(row, key, value):
//!     row[key] = value             # the part of `row` under `key`
//! put(row, "mail", secret)         # the part `["mail"]`
//! put(row, name, "plain")          # any part, or the one under this function's own parameter `name`
//! ```

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Heap, RootId, RootKind, Site};
use crate::facts::{ContainerKind, PlaceKind};
use crate::link::{DerivedPlace, FunctionIndex, Part, PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::conditions::Given;
use crate::propagate::keyed::{Key, entered, part_of};
use crate::propagate::made_with::ByConstructors;
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

/// The part of a mapping, or of a list whose parts stay where they are, that is under what a parameter of this function brings, or keeps
/// in a field.
pub(super) fn part_under(solver: &Solver<'_>, row: &ElementRow, kind: ContainerKind) -> Option<Part> {
    let stays = |list: ObjectId| !solver.shifted.contains(&list) && !solver.stirred.contains(&list);
    let is_told = match kind {
        kind if kind.has_names() => true,
        ContainerKind::List => solver.held(row.base).all(|(list, _)| stays(list)),
        _ => false,
    };
    if row.key != RowKey::Any || !is_told {
        return None;
    }
    let key = solver.key_place(row.index?)?;
    (solver.program.owner_of(key) == Some(row.function)).then_some(Part::Under(key))
}

pub(in crate::propagate) fn is_parameter(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    solver.program.place_kind(place) == Some(PlaceKind::Parameter)
}

/// Whether callers say what is in a place: a parameter, or what a method is called on.
pub(in crate::propagate) fn is_brought(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    let kind = solver.program.place_kind(place);
    matches!(kind, Some(PlaceKind::Parameter | PlaceKind::Receiver))
}

/// Keys that objects keep, see [`crate::propagate::kept_keys`].
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// What stands for a field of a parameter.
    keys: FxHashMap<(PlaceIndex, Field), PlaceIndex>,
    /// The same, the other way round.
    fields: FxHashMap<PlaceIndex, (PlaceIndex, Field)>,
    /// The classes of what calls make, by the value of the call.
    made: FxHashMap<PlaceIndex, TypeIndex>,
    /// What constructors put in the fields of such objects, where that is known.
    constants: FxHashMap<(PlaceIndex, Symbol), Part>,
    /// Classes, each with those that are of its kind.
    kinds: FxHashSet<(TypeIndex, TypeIndex)>,
}

/// A field that is a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Field {
    name: Symbol,
    /// The class of the method that reads it of what it is called on.
    reader: Option<TypeIndex>,
}

impl Kept {
    fn note_constants(&mut self, solver: &Solver<'_>) {
        let names: FxHashSet<Symbol> = self.fields.values().map(|(_, field)| field.name).collect();
        let by_constructors = ByConstructors::new(solver, &names);
        let fields = by_constructors.fields_of_classes(solver);
        for (place, class) in by_constructors.made(solver) {
            self.made.insert(place, class);
            let bases = solver.program.types[class.at()].order.iter();
            let own = bases.flat_map(|base| fields.get(base).into_iter().flatten());
            for name in own.filter(|name| names.contains(name)) {
                if let Some(Given::Constant(constant)) = by_constructors.given(solver, place, *name)
                    && let Some(part) = part_of(constant)
                {
                    self.constants.insert((place, *name), part);
                }
            }
        }
        for reader in self.fields.values().filter_map(|(_, field)| field.reader) {
            let kinds = solver.program.types[reader.at()].subtypes.iter().copied();
            self.kinds.extend(kinds.chain([reader]).map(|kind| (reader, kind)));
        }
    }

    /// The parameter and the field that a key is read from.
    pub(super) fn field(&self, key: PlaceIndex) -> Option<(PlaceIndex, Field)> {
        self.fields.get(&key).copied()
    }

    /// What the constructor put in a field of what is made at a place.
    pub(super) fn constant(&self, place: PlaceIndex, field: Field) -> Option<Part> {
        self.constants.get(&(place, field.name)).copied()
    }

    /// Whether the method that reads a field may be called on what is made at a place.
    pub(super) fn may_read(&self, place: PlaceIndex, field: Field) -> bool {
        match (field.reader, self.made.get(&place)) {
            (Some(reader), Some(class)) => self.kinds.contains(&(reader, *class)),
            _ => true,
        }
    }
}

/// What stands for the keys under which parts are read, written and dropped.
fn keys_used(solver: &Solver<'_>) -> Vec<PlaceIndex> {
    let rows = solver.element_loads.iter().chain(&solver.element_stores);
    let keys = rows.filter(|row| row.key == RowKey::Any).filter_map(|row| row.index);
    let dropped = solver.drops.iter().filter_map(|row| match row.part {
        Some(Part::Under(key)) => Some(key),
        _ => None,
    });
    keys.chain(dropped).filter_map(|key| solver.key_place(key)).collect()
}

/// Parameters that are handed on as other parameters, by these.
pub(super) type Handed = FxHashMap<PlaceIndex, Vec<PlaceIndex>>;

pub(super) fn handed_on(solver: &Solver<'_>) -> Handed {
    let mut handed = Handed::default();
    for call in 0..solver.calls.len() as u32 {
        let row = &solver.calls[call as usize];
        let places = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
        if row.silent || !places.chain(row.receiver).any(|place| is_brought(solver, place)) {
            continue;
        }
        for target in &row.targets {
            let (function, bound, base) = match *target {
                Target::Function {
                    function,
                    receiver,
                    base,
                } => (function, receiver.is_some(), base),
                _ => continue,
            };
            let given = solver.arguments_given(call, function, bound).into_iter();
            let given = given.map(|(parameter, argument)| (parameter, argument.and_then(|argument| argument.place)));
            let receiver = solver
                .first_parameter(function)
                .filter(|_| bound)
                .map(|own| (own, base));
            for (parameter, own) in given.chain(receiver) {
                if let Some(own) = own.filter(|own| is_brought(solver, *own)) {
                    handed.entry(parameter).or_default().push(own);
                }
            }
        }
    }
    handed
}

impl Heap {
    /// Notes the constants that a call hands over, of the parameters that are keys.
    pub(super) fn lay_out_keys(&mut self, solver: &mut Solver<'_>, handed: &Handed) {
        let (kept, keys): (Vec<_>, Vec<_>) = keys_used(solver)
            .into_iter()
            .partition(|key| solver.kept_keys.field(*key).is_some());
        if kept.is_empty() && keys.is_empty() {
            return;
        }
        self.lay_out_kept_keys(solver, &kept, handed);
        let solver = &*solver;
        self.keys = keys.into_iter().collect();
        self.hand_keys_on(solver, handed);
        for call in (0..solver.calls.len() as u32).filter(|_| !self.keys.is_empty()) {
            let row = &solver.calls[call as usize];
            for (function, bound) in row.targets.iter().filter(|_| !row.silent).filter_map(entered) {
                let file = solver.program.functions[function.at()].file;
                let parameters = solver.program.function_facts(function).parameters.iter();
                let parameters = parameters.map(|parameter| solver.program.place(file, parameter.place));
                for parameter in parameters.filter(|parameter| self.keys.contains(parameter)) {
                    if let Key::Part(part) = solver.key_handed(call, (function, bound), parameter) {
                        self.constants.insert((call, parameter), part);
                    }
                }
            }
        }
    }

    /// A parameter that is handed to one that is a key is one, too.
    fn hand_keys_on(&mut self, solver: &Solver<'_>, handed: &Handed) {
        let mut open: Vec<PlaceIndex> = self.keys.iter().copied().collect();
        while let Some(key) = open.pop() {
            let own = handed.get(&key).into_iter().flatten();
            let own = own.copied().filter(|own| is_parameter(solver, *own));
            open.extend(own.filter(|own| self.keys.insert(*own)));
        }
    }

    /// Notes the fields of parameters that are keys, those of parameters that are handed to these, and what constructors put there.
    fn lay_out_kept_keys(&mut self, solver: &mut Solver<'_>, keys: &[PlaceIndex], handed: &Handed) {
        for key in keys.iter().copied() {
            if let Some((base, name)) = solver.kept_keys.field(key) {
                let function = solver.program.owner_of(base);
                let function = function.filter(|_| solver.program.place_kind(base) == Some(PlaceKind::Receiver));
                let reader = function.and_then(|function| solver.program.functions[function.at()].owner);
                let kept = (base, Field { name, reader });
                self.kept_keys.fields.insert(key, kept);
                self.kept_keys.keys.insert(kept, key);
            }
        }
        if self.kept_keys.fields.is_empty() {
            return;
        }
        let mut open: Vec<(PlaceIndex, Field)> = self.kept_keys.keys.keys().copied().collect();
        open.sort_unstable();
        while let Some((parameter, field)) = open.pop() {
            for own in handed.get(&parameter).into_iter().flatten() {
                let kept = (*own, field);
                let function = solver.program.owner_of(*own).unwrap_or(FunctionIndex(0));
                if let Entry::Vacant(entry) = self.kept_keys.keys.entry(kept) {
                    let key = solver.derive_place(DerivedPlace::Passing(function));
                    self.kept_keys.fields.insert(*entry.insert(key), kept);
                    open.push(kept);
                }
            }
        }
        self.kept_keys.note_constants(solver);
    }

    /// What stands for the key that a parameter keeps in a field.
    pub(super) fn key_of_parameter(&self, root: RootId, field: Field) -> Option<PlaceIndex> {
        match self.get(root).kind {
            RootKind::Parameter(own) => self.kept_keys.keys.get(&(own, field)).copied(),
            _ => None,
        }
    }

    /// Where the method that reads the key is called on none of the objects that are handed over.
    pub(super) fn no_part(&self) -> Part {
        Part::Under(self.nowhere)
    }

    /// Whether a step leads to no part at all.
    pub(super) fn leads_nowhere(&self, step: Step) -> bool {
        step == Step::Part(self.no_part())
    }

    /// What a caller calls a step of its callee's; [`Heap::meant_by`] tells the steps that it may stand for.
    pub(super) fn our_step(&self, site: &Site, step: Step) -> Step {
        if let Some(ours) = self.our_kept_step(site, step) {
            return ours;
        }
        let Step::Part(Part::Under(parameter)) = step else {
            return step;
        };
        if let Some(part) = self.constants.get(&(site.call, parameter)) {
            return Step::Part(*part);
        }
        let mut given = site.given.iter().filter(|(to, _)| *to == parameter);
        let own = given.next().map(|(_, from)| *from);
        match own.filter(|own| given.next().is_none() && self.brought.contains(own)) {
            Some(own) => Step::Part(Part::Under(own)),
            None => Step::Part(Part::Any),
        }
    }

    /// As [`Heap::our_step`], where the key is known.
    pub(super) fn our_part(&self, site: &Site, part: Part) -> Option<Part> {
        match self.our_step(site, Step::Part(part)) {
            Step::Part(part @ (Part::Text(_) | Part::Index(_) | Part::Under(_))) => Some(part),
            _ => None,
        }
    }

    /// Of the parts of tables that may be meant, those under a constant, and what was put in under keys that are not known.
    pub(super) fn parts_under(&self, solver: &Solver<'_>, fields: &[PlaceIndex], wanted: Part) -> Vec<PlaceIndex> {
        let mut parts = Vec::new();
        for field in fields {
            let Some(DerivedPlace::Element { container, part }) = solver.program.derived_place(*field).copied() else {
                parts.push(*field);
                continue;
            };
            if !matches!(part, Part::Text(_) | Part::Index(_)) {
                parts.push(*field);
            }
            let made = |kind| solver.objects.find(Object::Container { kind, site: container });
            let kinds = [
                ContainerKind::Map,
                ContainerKind::Row,
                ContainerKind::Table,
                ContainerKind::List,
            ];
            match kinds.into_iter().find_map(made) {
                Some(table) => parts.extend(
                    [wanted, Part::Any]
                        .iter()
                        .flat_map(|part| solver.elements.get(&(table, *part))),
                ),
                None => parts.push(*field),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }
}
