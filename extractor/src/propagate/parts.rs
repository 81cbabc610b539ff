//! What reads and writes of parts do when an object arrives at their base: containers, tuples with names, and what answers
//! `x[i]` and `for … in x` by methods of its own.

use super::access::implicit_row;
use super::moved::Pairs;
use super::object::{ListId, Object, ObjectId};
use super::solve::{ArgumentRow, Constraint, ElementRow, LoadRow, RowBase, RowKey, Solver};
use crate::facts::{Constant, ContainerKind, FieldKind, TypeKind};
use crate::link::{Base, DerivedPlace, Part, PlaceIndex, Symbol, TypeIndex};

impl Solver<'_> {
    /// A number or a text that was just written is of the type that elements are declared with.
    fn elements_of_named_types(&mut self, value: PlaceIndex, element: ListId) {
        for object in self.objects.list(element).to_vec() {
            if let Object::Instance(index) = self.objects.get(object)
                && self.is_number_or_text(index)
            {
                self.add(value, object);
            }
        }
    }

    /// Whether a type is defined as one that has neither fields nor parts, and cannot be called.
    pub(super) fn is_number_or_text(&mut self, index: TypeIndex) -> bool {
        self.program.type_facts(index).kind == TypeKind::Named && self.underlying_objects(index).is_empty()
    }

    pub(super) fn element_from(&mut self, load: u32, object: ObjectId) {
        let row = self.element_loads[load as usize];
        match self.objects.get(object) {
            _ if self.is_passed_by(&row, object) => {}
            Object::Typed { element, .. } if row.known => self.elements_of_named_types(row.value, element),
            Object::Container { .. } | Object::Typed { .. } if row.known || matches!(row.key, RowKey::Matched(_)) => {}
            Object::Container { kind, .. } => {
                if let RowKey::Back(back) = row.key
                    && let Some(position) = self.position_from_end(object, back)
                {
                    self.reads_from_end.push((load, object));
                    let place = self.element(object, Part::Index(position));
                    return self.copy(place, row.value);
                }
                for part in readable_parts(kind, row.key.of_any()) {
                    let place = self.element(object, part);
                    self.copy(place, row.value);
                }
            }
            Object::Typed { kind, key, element } => {
                let list = match (kind, row.key) {
                    (ContainerKind::Channel, _) => element,
                    (_, RowKey::Keys) | (ContainerKind::Map, RowKey::Each) => key,
                    (_, RowKey::Target) => return self.add(row.value, object),
                    (ContainerKind::Tuple, at) => self.part_of_typed(key, at).unwrap_or(element),
                    _ => element,
                };
                for object in self.objects.list(list).to_vec() {
                    self.add(row.value, object);
                }
            }
            Object::Instance(index) | Object::AnyOf(index) => {
                if row.key == RowKey::Target {
                    return self.add(row.value, object);
                }
                if let RowKey::Matched(position) = row.key {
                    return self.matched_field(row, index, position);
                }
                if !self.is_class(index) {
                    for object in self.underlying_objects(index) {
                        self.element_from(load, object);
                    }
                } else if let Some(field) = self.field_under(row, index) {
                    self.copy(field, row.value);
                } else if self.answers_itself(row, index) {
                    // Not the library's code runs, but the class's own.
                } else if !self.tuple_fields(row, index) {
                    self.special_element(load, row, index);
                }
            }
            // A generic class with its type arguments is still that class; what a class with a class of its own gives one by one are
            // its instances.
            Object::Class(index) if row.key.is_iteration() || self.is_enumeration(index) => {
                for member in self.members_read(&row, index) {
                    self.copy(member, row.value);
                }
                let gives_instances = || self.program.types[index.at()].open || self.metaclass(index).is_some();
                if row.key.is_iteration() && gives_instances() {
                    let instance = self.objects.intern(Object::Instance(index));
                    self.add(row.value, instance);
                }
            }
            Object::Class(index) => {
                if let Some(asked) = self.asked_of_class(&row, index) {
                    self.ask_element(load, row, asked, None);
                }
                if !matches!(row.key, RowKey::Index(_) | RowKey::Back(_)) {
                    self.add(row.value, object);
                }
            }
            Object::Address(target) => {
                if row.key == RowKey::Target {
                    self.copy(target, row.value);
                }
            }
            // A generic function with its type arguments is still that function; else it has no parts.
            Object::Function(_) | Object::Bound { .. } => {
                let is_generic = row.key == RowKey::Any && !row.library && !self.untyped.contains(&row.file);
                if row.key == RowKey::Target || is_generic && !self.loop_values.contains(&row.value) {
                    self.add(row.value, object);
                }
            }
            Object::External(_) | Object::AnyExternal(_) | Object::Callable(_) => {
                if row.key == RowKey::Target {
                    self.add(row.value, object);
                }
            }
            Object::Package(_)
            | Object::Partial(_)
            | Object::Taken { .. }
            | Object::LoopBody(_)
            | Object::AnyMember(_) => {}
        }
    }

    /// Of lists whose parts were moved about, any may be at any position.
    pub(super) fn stir(&mut self) {
        let mut stirred: Vec<ObjectId> = self.stirred.iter().copied().collect();
        stirred.sort_unstable();
        for container in stirred {
            let parts = self.parts.get(&container).cloned().unwrap_or_default();
            for (_, place) in parts.iter().filter(|(part, _)| matches!(part, Part::Index(_))) {
                let any = self.element(container, Part::Any);
                self.copy(*place, any);
            }
        }
    }

    /// Whether a part of a list may be at another position than where it was put.
    pub(super) fn is_moved(&self, list: ObjectId) -> bool {
        self.stirred.contains(&list) || self.shifted.contains(&list)
    }

    /// Reads from the end of containers that got a part under an unknown key since.
    pub(super) fn read_opened(&mut self) {
        let (opened, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.reads_from_end)
            .into_iter()
            .partition(|(_, container)| self.open.contains(container) || self.resized.contains(container));
        self.reads_from_end = left;
        for (load, container) in opened {
            let all = self.element(container, Part::All);
            self.copy(all, self.element_loads[load as usize].value);
        }
    }

    /// Parts of containers that are put into others. Whether there was anything new.
    pub(super) fn copy_parts(&mut self) -> bool {
        let mut new = false;
        for index in 0..self.part_copies.len() {
            if !self.may_copy_more(index) {
                continue;
            }
            let row = self.part_copies[index].clone();
            let held: Vec<(ObjectId, Object)> = self.held(row.from).collect();
            let into: Vec<(ObjectId, Object)> = self.held(row.to).collect();
            for (id, object) in held {
                for (target, container) in &into {
                    let Object::Container { kind, .. } = *container else {
                        continue;
                    };
                    match object {
                        // A table is made of rows, and not of pairs.
                        Object::Container { kind: from, .. } | Object::Typed { kind: from, .. }
                            if row.is_of_pairs(from, kind) && self.records.contains(target) => {}
                        Object::Container { kind: from, .. } | Object::Typed { kind: from, .. }
                            if row.is_of_pairs(from, kind) =>
                        {
                            new |= self.copy_pairs(index, id);
                        }
                        Object::Container { kind: from, .. } if id != *target || row.from == row.to => {
                            let parts = self.parts.get(&id).map_or(&[][..], Vec::as_slice);
                            // Those that were there at the last look were copied then.
                            let known = self.parts_copied.entry((index as u32, id, *target)).or_default();
                            let fresh = parts.get(*known as usize..).unwrap_or_default().to_vec();
                            *known = parts.len() as u32;
                            for (part, place) in fresh {
                                let Some(moved) = row.moved(part, (from, kind)) else {
                                    continue;
                                };
                                new |= !self.elements.contains_key(&(*target, moved));
                                let to = self.element(*target, moved);
                                match self.objects.get(*target).is_row() {
                                    // Of a column that is a list, a row has one of what is in that.
                                    true => {
                                        self.attach(place, Constraint::CopyCells(to));
                                        self.push_element_load(row.element(place, RowKey::Any, to));
                                    }
                                    false if self.is_made_of_rows((id, from), *target) => {
                                        self.attach(place, Constraint::CopyCells(to));
                                    }
                                    // `DataFrame({"age": [age]})`: a column is what is in it, however it was written down.
                                    false if self.frames.contains(target) && !self.frames.contains(&id) => {
                                        self.copy(place, to);
                                        self.push_element_load(row.element(place, RowKey::Any, to));
                                    }
                                    false => self.copy(place, to),
                                }
                                if let Part::Any | Part::From(_) = moved {
                                    new |= self.open.insert(*target);
                                }
                            }
                        }
                        Object::Typed {
                            kind: from,
                            key,
                            element,
                        } => {
                            let to = self.element(*target, Part::Any);
                            let each = if row.is_of_keys(from, kind) { key } else { element };
                            let is_made_of_rows = self.is_made_of_rows((id, from), *target);
                            for object in self.objects.list(each).to_vec() {
                                if !(is_made_of_rows && self.objects.get(object).is_container()) {
                                    self.add(to, object);
                                }
                            }
                        }
                        // A part of a named slice is of that type.
                        Object::Instance(named) if !self.underlying_objects(named).is_empty() => {
                            self.add(row.to, id);
                        }
                        Object::Instance(class) | Object::AnyOf(class) | Object::Class(class)
                            if !self.part_copies[index].iterated
                                && (!matches!(object, Object::Class(_)) || self.is_enumeration(class)) =>
                        {
                            self.part_copies[index].iterated = true;
                            let passing = self.derive_place(DerivedPlace::Passing(row.function));
                            let each = row.element(row.from, RowKey::Each, passing);
                            self.push_element_load(each);
                            self.push_element_store(ElementRow {
                                base: row.to,
                                key: RowKey::Any,
                                ..each
                            });
                            new = true;
                        }
                        _ => {}
                    }
                }
            }
        }
        new
    }

    /// A mapping is made of the pairs in a container: the first of each is a key, the second what is under it. Whether that is new.
    fn copy_pairs(&mut self, index: usize, container: ObjectId) -> bool {
        let row = self.part_copies[index].clone();
        if let Some(Pairs { all, .. }) = row.pairs {
            let new = all != row.from && !self.contents(all).contains(&container);
            if new {
                self.add(all, container);
            }
            return new;
        }
        let mut passing = || self.derive_place(DerivedPlace::Passing(row.function));
        let (own, each, pair, key, value) = (passing(), passing(), passing(), passing(), passing());
        // Of other mappings, the parts are told as they are.
        let is_mixed = self.held(row.from).any(|(_, object)| match object {
            Object::Container { kind, .. } | Object::Typed { kind, .. } => kind == ContainerKind::Map,
            _ => false,
        });
        let all = if is_mixed { own } else { row.from };
        self.part_copies[index].pairs = Some(Pairs { all, each, pair });
        if is_mixed {
            self.add(all, container);
        }
        self.push_element_load(row.element(all, RowKey::Each, each));
        self.attach(each, Constraint::CopyContainers(pair));
        self.push_element_load(row.element(pair, RowKey::Index(0), key));
        self.push_element_load(row.element(pair, RowKey::Index(1), value));
        self.push_element_store(row.element(row.to, RowKey::Keys, key));
        self.push_element_store(row.element(row.to, RowKey::Any, value));
        true
    }

    /// Whether anything of what a copy of parts depends on is new since this was last asked: all of it only grows.
    fn may_copy_more(&mut self, index: usize) -> bool {
        let row = &self.part_copies[index];
        let (from, to) = (self.contents(row.from), self.contents(row.to));
        let parts = from.iter().filter_map(|id| self.parts.get(id)).map(Vec::len);
        let size = (from.len(), to.len(), parts.sum());
        self.part_copies_seen.resize(self.part_copies.len(), (usize::MAX, 0, 0));
        std::mem::replace(&mut self.part_copies_seen[index], size) != size
    }

    /// The position of a container's part that is counted from the end.
    pub(super) fn position_from_end(&self, container: ObjectId, back: u32) -> Option<u32> {
        let Object::Container { site, .. } = self.objects.get(container) else {
            return None;
        };
        let is_known = !self.open.contains(&container) && !self.resized.contains(&container);
        let length = self.lengths.get(&site).filter(|_| is_known)?;
        length.checked_sub(back)
    }

    pub(super) fn element_into(&mut self, store: u32, object: ObjectId) {
        let row = self.element_stores[store as usize];
        if let RowKey::Sent(_) = row.key {
            self.sent_to.insert(object);
        }
        match self.objects.get(object) {
            _ if self.is_passed_by(&row, object) => {}
            // A tuple stays as it is.
            Object::Container { kind, .. } if matches!(row.key, RowKey::Size | RowKey::Places | RowKey::Shifted) => {
                if kind != ContainerKind::Tuple {
                    self.resized.insert(object);
                }
                match row.key {
                    RowKey::Places if kind == ContainerKind::List => _ = self.stirred.insert(object),
                    RowKey::Shifted if kind == ContainerKind::List => _ = self.shifted.insert(object),
                    _ => {}
                }
            }
            _ if matches!(row.key, RowKey::Size | RowKey::Places | RowKey::Shifted) => {}
            Object::Container { kind, .. } => {
                let part = written_part(kind, row.key.of_any());
                if part == Part::Keys && !kind.has_names() {
                    return;
                }
                if let Part::Any | Part::From(_) = part {
                    self.open.insert(object);
                }
                let place = self.element(object, part);
                self.copy(row.value, place);
            }
            Object::Address(target) if row.key == RowKey::Target => self.copy(row.value, target),
            Object::Instance(index) if !self.is_class(index) => {
                if let Some(field) = self.field_at(index, row.key) {
                    self.copy(row.value, field);
                }
            }
            Object::Instance(index) | Object::AnyOf(index)
                if self.is_class(index)
                    && !matches!(
                        row.key,
                        RowKey::Keys | RowKey::Returned | RowKey::Sent(_) | RowKey::Thrown
                    )
                    && !self.answers_itself(row, index)
                    && !self.is_done_by(row, "__setitem__")
                    && self.implicit_done.insert((false, store)) =>
            {
                self.special_call(row, "__setitem__", None, Some(row.value), None);
            }
            _ => {}
        }
    }

    /// Whether instances of a type answer by methods of their own, not by what the type is made of.
    pub(super) fn is_class(&self, index: TypeIndex) -> bool {
        self.program.type_facts(index).kind.is_class()
    }

    /// Whether what a library method does to this base is no matter of instances of the class: they have the method
    /// themselves, or they come from another target of the call.
    fn answers_itself(&self, row: ElementRow, index: TypeIndex) -> bool {
        match row.of {
            RowBase::Plain | RowBase::Record | RowBase::Rows | RowBase::Argument => false,
            RowBase::Receiver(method) => self.program.find_member(index, method).is_some(),
            RowBase::Result => true,
        }
    }

    /// Whether a row says what library code of that name does: asked for it again, it would do so without an end.
    fn is_done_by(&self, row: ElementRow, method: &str) -> bool {
        matches!(row.of, RowBase::Receiver(own) if self.program.symbols.text(own) == method)
    }

    /// The field that a struct literal without keys fills at a position.
    pub(super) fn field_at(&self, index: TypeIndex, key: RowKey) -> Option<PlaceIndex> {
        let RowKey::Index(position) = key else { return None };
        // `type Mute stage` has the fields of `stage`.
        let mut types = self.program.types[index.at()].order.iter();
        let owner = *types.find(|of| !self.program.type_facts(**of).fields.is_empty())?;
        let is_own = owner == index || self.program.type_facts(index).kind == TypeKind::Named;
        let field = self
            .program
            .type_facts(owner)
            .fields
            .get(position as usize)
            .filter(|_| is_own)?;
        let name = self.program.symbol(self.program.types[owner.at()].file, field.name);
        self.program.types[owner.at()].members.get(&name).copied()
    }

    /// Parts of a `NamedTuple` are its fields, in order. Whether the class is one.
    fn tuple_fields(&mut self, row: ElementRow, index: TypeIndex) -> bool {
        let Some(fields) = self.fields_in_order(index) else {
            return false;
        };
        if !self.special_reads.insert((row.value, index)) {
            return true;
        }
        let fields = match row.key {
            RowKey::Index(position) => fields.get(position as usize).copied().into_iter().collect(),
            RowKey::Back(back) => {
                let position = fields.len().checked_sub(back as usize);
                position
                    .and_then(|position| fields.get(position).copied())
                    .into_iter()
                    .collect()
            }
            RowKey::At(_) | RowKey::Any | RowKey::Each | RowKey::Next => fields,
            RowKey::First | RowKey::Step(_) | RowKey::From(_) => fields,
            _ => Vec::new(),
        };
        for member in fields {
            self.read_part_field(row, index, member);
        }
        true
    }

    /// What a pattern takes out of an instance at a position.
    fn matched_field(&mut self, row: ElementRow, index: TypeIndex, position: u32) {
        let own = self.program.types[index.at()].order.iter().find_map(|base| {
            let names = &self.program.type_facts(*base).match_args;
            let file = self.program.types[base.at()].file;
            let symbols = names.iter().map(|name| self.program.symbol(file, *name));
            (!names.is_empty()).then(|| symbols.collect::<Vec<_>>())
        });
        let names = own.unwrap_or_else(|| {
            self.constructor_fields(index)
                .into_iter()
                .map(|field| field.name)
                .collect()
        });
        if let Some(member) = names.get(position as usize).copied()
            && self.special_reads.insert((row.value, index))
        {
            self.read_part_field(row, index, member);
        }
    }

    /// A part of an instance is one of its fields.
    fn read_part_field(&mut self, row: ElementRow, index: TypeIndex, member: Symbol) {
        self.push_load(LoadRow {
            only: Some(index),
            ..LoadRow::implicit(row.base, member, row.value, row.at())
        });
    }

    /// The fields of a `NamedTuple` that does not say itself what its parts are.
    fn fields_in_order(&self, index: TypeIndex) -> Option<Vec<Symbol>> {
        let order = &self.program.types[index.at()].order;
        let is_one = |base: &&TypeIndex| {
            self.program.types[base.at()].bases.iter().any(|base| match base {
                Base::External(name) => matches!(
                    self.program.symbols.text(*name),
                    "typing.NamedTuple" | "collections.namedtuple"
                ),
                Base::Type(_) => false,
            })
        };
        let owner = *order.iter().find(is_one)?;
        if self.has(index, "__iter__") || self.has(index, "__getitem__") {
            return None;
        }
        let file = self.program.types[owner.at()].file;
        let fields = self.program.type_facts(owner).fields.iter();
        let fields = fields.filter(|field| field.declared.is_some() && field.kind != FieldKind::Attribute);
        Some(fields.map(|field| self.program.symbol(file, field.name)).collect())
    }

    /// What the index has that answers a subscript of a class: <https://docs.python.org/3/reference/datamodel.html#object.__class_getitem__>
    fn asked_of_class(&self, row: &ElementRow, index: TypeIndex) -> Option<&'static str> {
        let is_subscript = matches!(
            row.key,
            RowKey::Text(_) | RowKey::Index(_) | RowKey::Any | RowKey::Back(_)
        );
        if !is_subscript || row.library {
            return None;
        }
        // The class of a class goes before it.
        match self.metaclass(index) {
            Some(meta) if self.has(meta, "__getitem__") => Some("__getitem__"),
            _ => self.has(index, "__class_getitem__").then_some("__class_getitem__"),
        }
    }

    /// Subscripts and iteration of instances call `__getitem__`, `__iter__` and `__next__`, each object what its class has.
    fn special_element(&mut self, load: u32, row: ElementRow, index: TypeIndex) {
        let is_entered = matches!(row.key, RowKey::Each | RowKey::Awaited)
            || matches!(row.key, RowKey::From(_) | RowKey::First) && !row.library;
        let (enter, next) = match row.key {
            RowKey::Awaited | RowKey::AwaitedNext => ("__aiter__", "__anext__"),
            // A library's function may do either.
            RowKey::Each if row.library && !self.has(index, "__iter__") && self.has(index, "__aiter__") => {
                ("__aiter__", "__anext__")
            }
            RowKey::Each | RowKey::Next | RowKey::First | RowKey::Step(_) | RowKey::From(_) => ("__iter__", "__next__"),
            // These are parts of generators alone.
            RowKey::Returned | RowKey::Sent(_) | RowKey::SentFrom(_) | RowKey::Thrown => return,
            // What is taken apart is iterated over.
            RowKey::Index(_) | RowKey::Back(_) if !self.has(index, "__getitem__") && self.has(index, "__iter__") => {
                return self.ask_element(load, row, "__iter__", None);
            }
            _ => return self.ask_element(load, row, "__getitem__", None),
        };
        // An iterator that the library entered may be of either kind.
        let next = match self.has(index, next) || is_entered {
            false if self.has(index, "__anext__") => "__anext__",
            _ => next,
        };
        if is_entered && self.has(index, enter) {
            self.ask_element(load, row, enter, None);
        } else if self.has(index, next) {
            self.ask_element(load, row, next, is_entered.then_some(enter));
        } else if enter == "__iter__" {
            self.ask_element(load, row, "__getitem__", Some(if is_entered { enter } else { next }));
        }
    }

    /// Whether all that a place holds answers by a method or a field of its own when it is asked for a part.
    pub(super) fn is_asked_by_call(&self, row: &ElementRow) -> bool {
        let names = match row.key {
            RowKey::Each | RowKey::Next | RowKey::First | RowKey::Step(_) => &["__iter__", "__next__"][..],
            RowKey::Text(_) | RowKey::Index(_) | RowKey::Any | RowKey::Back(_) => &["__getitem__"],
            _ => return false,
        };
        let mut held = self.held(row.base).peekable();
        held.peek().is_some()
            && held.all(|(_, object)| match object {
                Object::Instance(index) => {
                    let is_whole = self.is_class(index) && !self.program.types[index.at()].open;
                    self.fields_in_order(index).is_some() || is_whole && names.iter().any(|name| self.has(index, name))
                }
                _ => false,
            })
    }

    /// Those objects of a base that have no method that goes before are asked for a part by this one.
    fn ask_element(&mut self, load: u32, row: ElementRow, name: &str, without: Option<&str>) {
        let asked = self.program.symbols.intern(name);
        if self.is_done_by(row, name) || !self.elements_asked.insert((load, asked)) {
            return;
        }
        let next = match name {
            "__iter__" => RowKey::Next,
            "__aiter__" => RowKey::AwaitedNext,
            _ => return self.special_call(row, name, without, None, Some(row.value)),
        };
        let iterator = self.derive_place(DerivedPlace::Passing(row.function));
        self.special_call(row, name, without, None, Some(iterator));
        self.push_element_load(ElementRow {
            base: iterator,
            key: next,
            ..row
        });
    }

    /// A call that the language makes: `base.name(argument)`.
    fn special_call(
        &mut self,
        row: ElementRow,
        name: &str,
        without: Option<&str>,
        argument: Option<PlaceIndex>,
        result: Option<PlaceIndex>,
    ) {
        let member = self.program.symbols.intern(name);
        let to = self.derive_place(DerivedPlace::Passing(row.function));
        let answered = match row.of {
            RowBase::Receiver(method) => Some(method),
            RowBase::Plain | RowBase::Result | RowBase::Record | RowBase::Rows | RowBase::Argument => None,
        };
        let load = LoadRow {
            without: [without.and_then(|without| self.program.symbols.find(without)), answered],
            ..LoadRow::implicit(row.base, member, to, row.at())
        };
        self.push_load(load);
        let argument_row = |place| ArgumentRow::positional(place, row.position);
        let (text, constant) = match row.key {
            RowKey::Text(key) => (Some(key), Some(Constant::Text(key))),
            RowKey::Index(index) => (None, i32::try_from(index).ok().map(Constant::Number)),
            _ => (None, None),
        };
        let key = ArgumentRow {
            text,
            constant,
            ..argument_row(row.index)
        };
        let arguments: Vec<_> = match name {
            "__setitem__" => vec![key, argument_row(argument)],
            "__getitem__" | "__class_getitem__" => vec![key],
            _ => Vec::new(),
        };
        let results: Vec<PlaceIndex> = result.into_iter().collect();
        let mut call = implicit_row(to, load);
        call.receiver = Some(row.base);
        self.push_call(call, &arguments, &results);
    }
}

/// The parts that a read may find.
pub(super) fn readable_parts(kind: ContainerKind, key: RowKey) -> Vec<Part> {
    match (kind, key) {
        (_, RowKey::Returned) => vec![Part::Returned],
        (_, RowKey::Thrown) => vec![Part::Thrown],
        (_, RowKey::Sent(step)) => vec![Part::sent(step), Part::Sent(0)],
        (_, RowKey::SentFrom(step)) => {
            let known = (step..=Part::STEP_LIMIT).map(Part::Sent);
            known.chain([Part::Sent(0)]).collect()
        }
        (ContainerKind::Generator, RowKey::Index(step) | RowKey::Step(step)) => {
            let least = (1..=step.min(Part::STEP_LIMIT)).map(Part::From);
            [Part::Index(step), Part::Any].into_iter().chain(least).collect()
        }
        (ContainerKind::Channel, _) => vec![Part::All],
        (ContainerKind::Row, RowKey::Index(_) | RowKey::First | RowKey::Step(_) | RowKey::From(_)) => vec![Part::All],
        (
            ContainerKind::Table,
            RowKey::Index(_)
            | RowKey::Back(_)
            | RowKey::Each
            | RowKey::First
            | RowKey::Next
            | RowKey::Step(_)
            | RowKey::From(_),
        ) => vec![Part::Index(0), Part::Any],
        (_, RowKey::Text(name)) => vec![Part::Text(name), Part::Any],
        (_, RowKey::Index(index)) => vec![Part::Index(index), Part::Any],
        (ContainerKind::Map, RowKey::First) => vec![Part::Keys],
        (_, RowKey::First) => vec![Part::Index(0), Part::Any],
        (_, RowKey::Keys) | (ContainerKind::Map, RowKey::Each | RowKey::Step(_) | RowKey::From(_)) => vec![Part::Keys],
        (_, RowKey::At(_) | RowKey::Back(_) | RowKey::Any | RowKey::Each) => vec![Part::All],
        (_, RowKey::Next | RowKey::Step(_) | RowKey::From(_)) => {
            vec![Part::All]
        }
        (_, RowKey::Awaited | RowKey::AwaitedNext) => vec![Part::All],
        (_, RowKey::Target | RowKey::Matched(_) | RowKey::Size | RowKey::Places | RowKey::Shifted) => Vec::new(),
    }
}

/// The part that a write fills.
pub(super) fn written_part(kind: ContainerKind, key: RowKey) -> Part {
    match (kind, key) {
        (_, RowKey::Text(name)) => Part::Text(name),
        (ContainerKind::Table, RowKey::Index(_)) => Part::Index(0),
        (_, RowKey::Index(index)) => Part::Index(index),
        (_, RowKey::Keys) => Part::Keys,
        (_, RowKey::Returned) => Part::Returned,
        (_, RowKey::Thrown) => Part::Thrown,
        (_, RowKey::Sent(step)) => Part::sent(step),
        (ContainerKind::Generator, RowKey::From(least)) => Part::from(least),
        // Who knows no name puts in a row.
        (ContainerKind::Table, _) => Part::Index(0),
        _ => Part::Any,
    }
}

/// What the tables call the containers that have methods.
const CONTAINER_NAMES: &[(ContainerKind, &str)] = &[
    (ContainerKind::Map, "dict"),
    (ContainerKind::List, "list"),
    (ContainerKind::Tuple, "tuple"),
    (ContainerKind::Set, "set"),
    (ContainerKind::Generator, "generator"),
    (ContainerKind::Channel, "channel"),
    // What has rows and columns has the methods of a list, too: see `access`.
    (ContainerKind::Table, "dict"),
];

pub(super) fn container_name(kind: ContainerKind) -> Option<&'static str> {
    CONTAINER_NAMES
        .iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, name)| *name)
}

/// The container that the tables call so.
pub(super) fn container_named(name: &str) -> Option<ContainerKind> {
    CONTAINER_NAMES
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(kind, _)| *kind)
}
