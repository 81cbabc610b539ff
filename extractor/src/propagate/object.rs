//! Objects: what travels. Each is numbered once, so that a place's contents are a short list of numbers.

use rustc_hash::FxHashMap;

use crate::facts::ContainerKind;
use crate::link::{FunctionIndex, PackageIndex, PlaceIndex, Symbol, TypeIndex};

/// Number of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// Number of a list of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListId(pub u32);

/// Something that has members, has parts, or can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Object {
    /// A function.
    Function(FunctionIndex),
    /// A method read from a receiver.
    Bound {
        /// The method.
        function: FunctionIndex,
        /// What it was read from.
        receiver: ObjectId,
        /// The place that held that.
        base: PlaceIndex,
    },
    /// A class itself; in Go a type's name, as in a conversion.
    Class(TypeIndex),
    /// An instance made in the index, of exactly this type.
    Instance(TypeIndex),
    /// Declared with this type: an instance of it or of any subtype.
    AnyOf(TypeIndex),
    /// A package or module.
    Package(PackageIndex),
    /// A container made at this place.
    Container {
        /// Which.
        kind: ContainerKind,
        /// Where it is made.
        site: PlaceIndex,
    },
    /// A container that a type declares.
    Typed {
        /// Which.
        kind: ContainerKind,
        /// What its keys hold.
        key: ListId,
        /// What its elements hold.
        element: ListId,
    },
    /// A function of which only the results' types are known.
    Callable(ListId),
    /// Something of a library, by its full name: a module, a function, or an instance of a type of that name.
    External(Symbol),
    /// Declared with this interface of a library: whatever has its methods.
    AnyExternal(Symbol),
    /// The body of a loop over a function, by the number of the loop.
    LoopBody(u32),
    /// The address of a variable.
    Address(PlaceIndex),
    /// What the library's partial application gave at this call: its first argument, with the others held back.
    Partial(u32),
    /// A method of library code, read from what is in this place.
    Taken {
        /// Its name.
        method: Symbol,
        /// The place that held what it was read from.
        base: PlaceIndex,
    },
    /// Some member of a type or module of this full name: see [`super::any_member`].
    AnyMember(Symbol),
}

impl Object {
    /// Whether it keeps parts, as the language's own containers do.
    pub(super) fn is_container(self) -> bool {
        matches!(self, Self::Container { .. } | Self::Typed { .. })
    }

    /// Whether it is a row of a table.
    pub(super) fn is_row(self) -> bool {
        matches!(
            self,
            Self::Container {
                kind: ContainerKind::Row,
                ..
            }
        )
    }

    /// Whether it is a function or a class, or what stands for one.
    pub(super) fn is_callable(self) -> bool {
        matches!(
            self,
            Self::Function(_)
                | Self::Bound { .. }
                | Self::Class(_)
                | Self::Callable(_)
                | Self::Partial(_)
                | Self::Taken { .. }
        )
    }
}

/// All objects and lists.
#[derive(Debug)]
pub struct Objects {
    objects: Vec<Object>,
    ids: FxHashMap<Object, ObjectId>,
    lists: Vec<Vec<ObjectId>>,
    list_ids: FxHashMap<Vec<ObjectId>, ListId>,
}

impl Default for Objects {
    fn default() -> Self {
        let lists = vec![Vec::new()];
        let list_ids = FxHashMap::from_iter([(Vec::new(), ListId(0))]);
        Self {
            objects: Vec::new(),
            ids: FxHashMap::default(),
            lists,
            list_ids,
        }
    }
}

impl Objects {
    /// The number of an object.
    pub fn intern(&mut self, object: Object) -> ObjectId {
        if let Some(id) = self.ids.get(&object) {
            return *id;
        }
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(object);
        self.ids.insert(object, id);
        id
    }

    /// The number of an object, if it has one.
    pub fn find(&self, object: Object) -> Option<ObjectId> {
        self.ids.get(&object).copied()
    }

    /// The object of a number.
    pub fn get(&self, id: ObjectId) -> Object {
        self.objects[id.0 as usize]
    }

    /// The number of a list.
    pub fn intern_list(&mut self, mut list: Vec<ObjectId>) -> ListId {
        list.sort_unstable();
        list.dedup();
        if let Some(id) = self.list_ids.get(&list) {
            return *id;
        }
        let id = ListId(self.lists.len() as u32);
        self.lists.push(list.clone());
        self.list_ids.insert(list, id);
        id
    }

    /// A list in which the place of each tells something.
    pub fn intern_row(&mut self, row: Vec<ObjectId>) -> ListId {
        if let Some(id) = self.list_ids.get(&row) {
            return *id;
        }
        let id = ListId(self.lists.len() as u32);
        self.lists.push(row.clone());
        self.list_ids.insert(row, id);
        id
    }

    /// The objects of a list.
    pub fn list(&self, id: ListId) -> &[ObjectId] {
        &self.lists[id.0 as usize]
    }
}
