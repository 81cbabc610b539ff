//! Containers that nobody is seen to make, and that are written into: `self.rows = load(path)`, and later `self.rows[key] = row`.
//!
//! ```python
//! class Table:
//!     def __init__(self, path): self.rows = tomllib.load(path)
//!     def set(self, key, row): self.rows[key] = row
//! table.set("mail", mail); table.rows["mail"]          # what `set` put there
//! ```
//!
//! What library code gave is no object that is known. Where it lies in a field or a global, and parts are put into it there, a container is
//! supposed to be there, one for all objects of the class; what is read may still be anything else.

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::Object;
use super::solve::{ElementRow, RowBase, RowKey, Solver, Target};
use crate::facts::ContainerKind;
use crate::link::{PlaceIndex, Symbol};

impl Solver<'_> {
    /// Puts such containers where they are written into.
    pub(super) fn suppose_containers(&mut self) {
        let mut asked: FxHashMap<PlaceIndex, ContainerKind> = FxHashMap::default();
        for row in &self.element_stores {
            if let Some(kind) = kind_written(row).filter(|_| self.is_unknown(row.base)) {
                asked.entry(row.base).or_insert(kind);
            }
        }
        for row in self
            .calls
            .iter()
            .filter(|row| row.targets.is_empty() || row.targets.iter().all(is_outside))
        {
            let Some(receiver) = row
                .receiver
                .filter(|receiver| self.untyped.contains(&row.file) && self.is_unknown(*receiver))
            else {
                continue;
            };
            let name = self.program.symbols.text(row.text).rsplit('.').next();
            if let Some(kind) = name.and_then(kind_changed) {
                asked.entry(receiver).or_insert(kind);
            }
        }
        // Where it lies, and where it is said to be made: a container has to stand somewhere.
        let mut there: Vec<(PlaceIndex, PlaceIndex, ContainerKind)> = Vec::new();
        for row in self.loads.iter().filter(|row| !row.implicit) {
            let Some(kind) = asked.get(&row.to) else { continue };
            for (_, object) in self.held(row.base) {
                if let Object::Instance(class) | Object::AnyOf(class) = object
                    && let Some(field) = self.program.find_attribute_owner(class, row.member)
                {
                    there.push((field, row.to, *kind));
                }
            }
        }
        for (file, index, places) in &self.name_sources {
            let used = self.program.files[file.at()].facts.name_uses[*index as usize].to;
            if let (Some(kind), [global]) = (asked.get(&self.program.place(*file, used)), places.as_slice()) {
                there.push((*global, self.program.place(*file, used), *kind));
            }
        }
        // Where nobody ever puts anything whole, a value lies: an array of Go.
        let assigned = self.fields_assigned(&there);
        there.retain(|(place, ..)| self.program.member_of(*place).is_none() || assigned.contains(place));
        there.sort_unstable();
        there.dedup_by_key(|(place, ..)| *place);
        for (place, site, kind) in there {
            let object = self.objects.intern(Object::Container { kind, site });
            self.supposed.insert(object);
            self.add(place, object);
        }
    }

    /// Those of these fields that something is stored in.
    fn fields_assigned(&self, asked: &[(PlaceIndex, PlaceIndex, ContainerKind)]) -> FxHashSet<PlaceIndex> {
        let members = asked.iter().filter_map(|(place, ..)| self.program.member_of(*place));
        let names: FxHashSet<Symbol> = members.map(|member| member.name).collect();
        let stores = self.stores.iter();
        let stores = stores.filter(|row| row.from.is_some() && names.contains(&row.member));
        let fields = stores.flat_map(|row| {
            let objects = self.held(row.base);
            objects.filter_map(|(_, object)| match object {
                Object::Instance(class) | Object::AnyOf(class) => self.program.find_attribute_owner(class, row.member),
                _ => None,
            })
        });
        fields.collect()
    }

    /// Whether nothing is known of what a place holds that could have parts.
    fn is_unknown(&self, place: PlaceIndex) -> bool {
        self.held(place).all(|(_, object)| {
            matches!(
                object,
                Object::External(_) | Object::AnyExternal(_) | Object::Typed { .. }
            )
        })
    }
}

fn is_outside(target: &Target) -> bool {
    matches!(target, Target::External(_) | Target::Opaque)
}

/// What has a method of such a name that puts something in.
fn kind_changed(method: &str) -> Option<ContainerKind> {
    match method {
        "append" | "extend" | "insert" => Some(ContainerKind::List),
        "add" => Some(ContainerKind::Set),
        "update" | "setdefault" => Some(ContainerKind::Map),
        _ => None,
    }
}

/// What it has to be for such a write.
fn kind_written(row: &ElementRow) -> Option<ContainerKind> {
    if row.silent || matches!(row.of, RowBase::Result | RowBase::Record) {
        return None;
    }
    match row.key {
        RowKey::Text(_) => Some(ContainerKind::Map),
        RowKey::Any if !row.library => Some(ContainerKind::Map),
        RowKey::Any | RowKey::Each | RowKey::Index(_) | RowKey::Back(_) => Some(ContainerKind::List),
        _ => None,
    }
}
