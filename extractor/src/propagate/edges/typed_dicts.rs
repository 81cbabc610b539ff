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
//! Such a dict is an ordinary one, and is followed as one. It is of the class where the class makes it, or where it comes to a place that is
//! declared so; its parts are then the fields of the class, and where nobody knows which dict it is, the field stands for all of them.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::link::{Part, PlaceIndex, Symbol, TypeIndex};
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
        Self { classes, dicts }
    }

    /// The fields that a key of what a place holds may mean, each with the dict it is of, if that is known.
    fn fields(&self, solver: &Solver<'_>, base: PlaceIndex, key: Symbol) -> Vec<(PlaceIndex, Option<ObjectId>)> {
        let mut fields = Vec::new();
        let mut note = |class: TypeIndex, dict| {
            let field = solver.program.find_member(class, key);
            fields.extend(
                field
                    .filter(|field| solver.program.is_field(*field))
                    .map(|field| (field, dict)),
            );
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
