//! Classes that are containers of the language: `class Row(dict)`.
//!
//! ```python
//! class Row(dict):
//!     def mail(self): return self["mail"]
//! row = Row(mail=mail)
//! row.mail()                       # what was put in under that key
//! ```
//!
//! An instance of one is an object of its class and a container besides, each where it is made: members are found in the class, parts
//! in the container. Where a method is entered, its receiver is both.

use super::moved::PartCopyRow;
use super::object::{Object, ObjectId};
use super::rows::{ElementRow, LoadRow, RowBase, RowKey};
use super::solve::{Constraint, Solver};
use crate::facts::{ArgumentKind, ContainerKind};
use crate::link::{PlaceIndex, Symbol, TypeIndex};

impl Solver<'_> {
    /// Whether instances of a class are containers.
    pub(super) fn is_container_class(&self, class: TypeIndex) -> bool {
        self.external_bases(class).any(|base| kind_of(base).is_some())
    }

    /// Whether a class declares the keys of dicts.
    pub(super) fn is_typed_dict(&self, class: TypeIndex) -> bool {
        self.external_bases(class).any(is_typed_dict)
    }

    /// The field that a key of a dict of this class is, if the class declares its keys.
    pub(super) fn field_under(&self, row: ElementRow, class: TypeIndex) -> Option<PlaceIndex> {
        let RowKey::Text(key) = row.key else { return None };
        self.declared_key(class, key).filter(|_| self.is_typed_dict(class))
    }

    /// The field that a class declares under a name: that of a key, or of a column.
    pub(super) fn declared_key(&self, class: TypeIndex, key: Symbol) -> Option<PlaceIndex> {
        let field = self.program.find_member(class, key);
        field.filter(|field| self.program.is_field(*field))
    }

    /// Whether a member that is read of a container is one that its class defines.
    pub(super) fn is_of_its_class(&self, row: &LoadRow, container: ObjectId) -> bool {
        let class = self.own_containers.get(&container);
        class.is_some_and(|class| self.member_asked(row, *class).is_some())
    }

    /// Whether a container is an instance of a class.
    pub(super) fn is_container_of(&self, container: ObjectId, class: TypeIndex) -> bool {
        let own = self.own_containers.get(&container);
        own.is_some_and(|own| self.program.types[own.at()].order.contains(&class))
    }

    /// An instance that a call makes is a container; without a constructor of its class, that of the container fills it.
    pub(super) fn make_container(&mut self, call: u32, class: TypeIndex, result: PlaceIndex) {
        let above = self.external_bases(class).find_map(kind_of);
        let Some((kind, skipped)) = above else { return };
        let container = self.objects.intern(Object::Container { kind, site: result });
        // A method of a dict may bear the name of a key that is declared.
        if !self.is_typed_dict(class) {
            self.own_containers.insert(container, class);
        }
        self.add(result, container);
        if self.has(class, "__init__") || self.has(class, "__new__") {
            return;
        }
        let at = self.calls[call as usize].at();
        let given = self.call_arguments(call).to_vec();
        for argument in given.iter().skip(skipped) {
            let Some(from) = argument.place else { continue };
            match (argument.kind, argument.name) {
                (ArgumentKind::Keyword(_), Some(name)) if kind == ContainerKind::Map => {
                    let key = RowKey::Text(name);
                    self.push_element_store(ElementRow::made((result, key, from), RowBase::Plain, at));
                }
                (ArgumentKind::Positional | ArgumentKind::SpreadKeywords, _) => {
                    self.part_copies.push(PartCopyRow::of_all(from, result, at));
                }
                _ => {}
            }
        }
    }

    pub(super) fn copy_container(&mut self, object: ObjectId, to: PlaceIndex) {
        if let Object::Container { .. } | Object::Typed { .. } = self.objects.get(object) {
            self.add(to, object);
        }
    }

    /// The receiver of a method is the container that it is called on, too, and so is what the method hands back of it.
    pub(super) fn receive_container(
        &mut self,
        class: TypeIndex,
        base: PlaceIndex,
        receivers: impl IntoIterator<Item = PlaceIndex>,
    ) {
        if self.is_container_class(class) || self.is_row_giver(class) {
            for receiver in receivers {
                self.attach(base, Constraint::CopyContainers(receiver));
            }
        }
    }
}

/// Whether instances of a class of the library are containers, and keep their parts in no field: `UserDict` has `data`.
pub(super) fn is_plain_container(name: &str) -> bool {
    kind_of(name).is_some() && !name.ends_with("UserDict") && !name.ends_with("UserList")
}

/// Whether what stands on a class of the library is a dict whose keys are declared as fields (PEP 589).
fn is_typed_dict(name: &str) -> bool {
    matches!(name, "typing.TypedDict" | "typing_extensions.TypedDict" | "TypedDict")
}

/// What a class of the library is as a container, and how many arguments its constructor takes before those that fill it.
fn kind_of(name: &str) -> Option<(ContainerKind, usize)> {
    Some(match name {
        "list" | "List" | "typing.List" | "collections.UserList" | "UserList" => (ContainerKind::List, 0),
        "collections.deque" | "deque" => (ContainerKind::List, 0),
        "set" | "frozenset" => (ContainerKind::Set, 0),
        "dict" | "Dict" | "typing.Dict" => (ContainerKind::Map, 0),
        _ if is_typed_dict(name) => (ContainerKind::Map, 0),
        "collections.OrderedDict" | "collections.UserDict" | "OrderedDict" | "UserDict" => (ContainerKind::Map, 0),
        "collections.defaultdict" | "defaultdict" => (ContainerKind::Map, 1),
        _ => return None,
    })
}
