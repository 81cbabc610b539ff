//! Keys of dicts that a class declares as fields: `TypedDict` (PEP 589).
//!
//! ```python
//! class Event(TypedDict):
//!     body: bytes
//!
//! def make(data) -> Event:
//!     return {"body": data}            # writes `Event.body`
//! def size(event: Event):
//!     return len(event["body"])        # reads it
//! ```
//!
//! Such a dict is an ordinary one, and is followed as one. It is of the class where the class makes it, or where it comes to a place, or lies under a
//! key, that is declared so; its parts are then the fields of the class, and where nobody knows which dict it is, the field stands for all of them.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

/// Which dicts are of which classes that declare their keys.
struct TypedDicts {
    classes: FxHashSet<TypeIndex>,
    dicts: FxHashMap<ObjectId, Vec<TypeIndex>>,
}

impl TypedDicts {
    fn find(solver: &Solver<'_>) -> Self {
        let types = (0..solver.program.types.len() as u32).map(TypeIndex);
        let classes: FxHashSet<TypeIndex> = types.filter(|class| solver.is_typed_dict(*class)).collect();
        let mut dicts: FxHashMap<ObjectId, Vec<TypeIndex>> = FxHashMap::default();
        if classes.is_empty() {
            return Self { classes, dicts };
        }
        let mut note = |id: ObjectId, class: TypeIndex| {
            let known = dicts.entry(id).or_default();
            if !known.contains(&class) {
                known.push(class);
            }
        };
        for place in (0..solver.slots.len() as u32).map(PlaceIndex) {
            for class in solver.declared_classes(place).filter(|class| classes.contains(class)) {
                let held = solver.held(place);
                held.filter(|(_, object)| matches!(object, Object::Container { .. }))
                    .for_each(|(id, _)| note(id, class));
            }
        }
        for call in 0..solver.calls.len() as u32 {
            let Some(result) = solver.call_results(call).first().copied() else {
                continue;
            };
            for target in &solver.calls[call as usize].targets {
                let Target::Class(class) = target else { continue };
                if classes.contains(class) {
                    let made = |object| matches!(object, Object::Container { site, .. } if site == result);
                    let held = solver.held(result).filter(|(_, object)| made(*object));
                    held.for_each(|(id, _)| note(id, *class));
                }
            }
        }
        let mut found = Self { classes, dicts };
        found.find_inner(solver);
        found
    }

    /// What lies in one under a key is of the class that the field is declared with.
    fn find_inner(&mut self, solver: &Solver<'_>) {
        let mut open: Vec<(ObjectId, TypeIndex)> = Vec::new();
        let known = self.dicts.iter();
        open.extend(known.flat_map(|(id, classes)| classes.iter().map(|class| (*id, *class))));
        while let Some((id, class)) = open.pop() {
            for (part, place) in solver.parts.get(&id).into_iter().flatten() {
                let Part::Text(key) = part else { continue };
                let Some(field) = solver.declared_key(class, *key) else {
                    continue;
                };
                let declared = solver
                    .declared_classes(field)
                    .filter(|class| self.classes.contains(class));
                for class in declared {
                    for (inner, object) in solver.held(*place) {
                        let own = self.dicts.get(&inner).is_some_and(|own| own.contains(&class));
                        if matches!(object, Object::Container { .. }) && !own {
                            self.dicts.entry(inner).or_default().push(class);
                            open.push((inner, class));
                        }
                    }
                }
            }
        }
    }

    /// The fields that a key of what a place holds may mean, each with the dict it is of, if that is known.
    fn fields(&self, solver: &Solver<'_>, base: PlaceIndex, key: Symbol) -> Vec<(PlaceIndex, Option<ObjectId>)> {
        let mut fields = Vec::new();
        let mut note = |class: TypeIndex, dict| {
            fields.extend(solver.declared_key(class, key).map(|field| (field, dict)));
        };
        for (id, object) in solver.held(base) {
            match object {
                Object::Container { .. } => {
                    let classes = self.dicts.get(&id).into_iter().flatten();
                    classes.for_each(|class| note(*class, Some(id)));
                }
                Object::Instance(class) | Object::AnyOf(class) if self.classes.contains(&class) => note(class, None),
                _ => {}
            }
        }
        fields
    }
}

impl Collector<'_, '_> {
    pub(super) fn typed_dicts(&mut self) {
        let found = TypedDicts::find(self.solver);
        if found.classes.is_empty() {
            return;
        }
        for index in 0..self.solver.element_stores.len() {
            let row = self.solver.element_stores[index];
            self.typed_dict_part(&row, &found, EdgeKind::Writes);
        }
        for index in 0..self.solver.element_loads.len() {
            let row = self.solver.element_loads[index];
            self.typed_dict_part(&row, &found, EdgeKind::Reads);
        }
        // `{"retries": 3}`, `options["retries"] = 3`: there is no value to follow, and the field is written all the same.
        let constants = self.constant_parts();
        for (base, key, function, site) in &constants {
            self.writes_under(&found, (*base, *key), *function, *site);
        }
        self.filled_by_calls(&found, &constants);
    }

    /// Where constants are put into mappings, under which name.
    fn constant_parts(&self) -> Vec<(PlaceIndex, Symbol, FunctionIndex, EdgeSite)> {
        let program = &self.solver.program;
        let files = program.files.iter().enumerate();
        let parts = files.flat_map(|(index, file)| {
            let file_index = FileIndex(index as u32);
            let rows = file.facts.constant_parts.iter();
            rows.map(move |(base, key, function, position)| {
                let site = EdgeSite {
                    file: file_index,
                    position: *position,
                };
                let (base, key) = (program.place(file_index, *base), program.symbol(file_index, *key));
                (base, key, program.function(file_index, *function), site)
            })
        });
        parts.collect()
    }

    fn writes_under(
        &mut self,
        dicts: &TypedDicts,
        (base, key): (PlaceIndex, Symbol),
        function: FunctionIndex,
        site: EdgeSite,
    ) {
        for (field, _) in dicts.fields(self.solver, base, key) {
            self.access(EdgeKind::Writes, function, End::Place(field), Rule::DeclaredType, site);
        }
    }

    /// `dict(retries=3)`, `options.update({"retries": 3})`, `options.update(retries=3)`.
    fn filled_by_calls(&mut self, dicts: &TypedDicts, constants: &[(PlaceIndex, Symbol, FunctionIndex, EdgeSite)]) {
        let values = self.solver.element_stores.iter().filter_map(|row| match row.key {
            RowKey::Text(key) => Some((row.base, key)),
            _ => None,
        });
        let mut put_into: FxHashMap<PlaceIndex, Vec<Symbol>> = FxHashMap::default();
        for (base, key) in values.chain(constants.iter().map(|(base, key, ..)| (*base, *key))) {
            put_into.entry(base).or_default().push(key);
        }
        for call in 0..self.solver.calls.len() as u32 {
            let row = &self.solver.calls[call as usize];
            let is_filling =
                !row.targets.is_empty() && row.targets.iter().all(|target| matches!(target, Target::External(_)));
            let filled = match self.solver.program.symbols.text(row.text).rsplit('.').next() {
                Some("dict") => self.solver.call_results(call).first().copied(),
                Some("update") => row.receiver,
                _ => None,
            };
            let Some(filled) = filled.filter(|_| is_filling && !row.silent) else {
                continue;
            };
            let (function, site) = (row.function, self.call_site(call));
            let mut keys = Vec::new();
            for argument in self.solver.call_arguments(call) {
                keys.extend(argument.name);
                let given = argument.place.filter(|_| argument.name.is_none());
                keys.extend(given.and_then(|place| put_into.get(&place)).into_iter().flatten());
            }
            for key in keys {
                self.writes_under(dicts, (filled, key), function, site);
            }
        }
    }

    fn typed_dict_part(&mut self, row: &ElementRow, dicts: &TypedDicts, kind: EdgeKind) {
        let RowKey::Text(key) = row.key else { return };
        let fields = dicts.fields(self.solver, row.base, key);
        let site = EdgeSite {
            file: row.file,
            position: row.position,
        };
        let any_known = fields.iter().any(|(_, dict)| dict.is_some());
        for (field, dict) in fields {
            if !row.silent {
                self.access(kind, row.function, End::Place(field), Rule::DeclaredType, site);
            }
            match (dict, kind) {
                // As with cells of objects: each of them goes into the field, and readers read the cell.
                (Some(id), _) => {
                    if let Some(part) = self.solver.elements.get(&(id, Part::Text(key))).copied() {
                        self.between(part, field, How::Store, Rule::DeclaredType, site);
                    }
                }
                (None, EdgeKind::Writes) if !any_known => {
                    self.between(row.value, field, How::Store, Rule::DeclaredType, site);
                }
                (None, EdgeKind::Reads) if !any_known => {
                    self.between(field, row.value, How::Load, Rule::DeclaredType, site)
                }
                _ => {}
            }
        }
    }
}
