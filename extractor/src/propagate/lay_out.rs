//! Facts to constraints: every load, store, call and flow of the files, hung on the place that it waits for.
//!
//! `return parameter` is no constraint: what comes out of a call is what that call put in, and is handed back there.

use ripple_schema::{How, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use super::any_member::ANY_MODULES;
use super::by_receiver::OwnCall;
use super::object::{Object, ObjectId};
use super::solve::{
    ArgumentRow, CallRow, Constraint, DropRow, ElementRow, EndRow, LoadRow, PartCopyRow, RowBase, RowKey, RowSite,
    Solver, StoreRow,
};
use crate::facts::{
    self, ArgumentKind, AtEnd, ContainerKind, ElementKey, Name, PlaceKind, TypeExpression, TypeExpressionId,
};
use crate::link::scope::{Meaning, TypeMeaning};
use crate::link::{DerivedPlace, FileIndex, Part, PlaceIndex, Program, TypeIndex};

impl Solver<'_> {
    pub(super) fn lay_out(&mut self, file: FileIndex) {
        let facts = self.program.files[file.at()].facts.clone();
        let place = |program: &Program, place: facts::PlaceId| program.place(file, place);
        let nothing = FxHashSet::default();
        let first = super::copies::First::of(self);
        // Without types to go by, the way of what is handed over is followed through variables.
        let is_untyped = self.program.files[file.at()].language == Language::Python;
        if is_untyped {
            self.untyped.insert(file);
        }
        let ways = super::handing::Ways::new(&facts, is_untyped);
        let own_calls = match is_untyped {
            true => super::by_receiver::own_calls(&facts),
            false => FxHashMap::default(),
        };
        let (first_load, first_call) = (self.loads.len() as u32, self.calls.len() as u32);
        let mut forwarded = Vec::new();
        let mut copied = Vec::new();
        for flow in facts.flows.iter().filter(|flow| flow.same) {
            let (from, to) = (place(self.program, flow.from), place(self.program, flow.to));
            if flow.how == How::Default {
                self.defaults.entry(to).or_default().push(from);
            } else if self.is_ruled_out((file, &facts), flow.condition, &nothing) {
                self.held_back.push((file, flow.condition, from, to));
                continue;
            }
            // `return parameter`: what comes out is what this call put in, not what any call did.
            let handed = match facts.places[flow.to.0 as usize].kind {
                PlaceKind::Result => ways.to(flow.from),
                _ => Default::default(),
            };
            let forwards = |other: &facts::PlaceId| super::forwarding::is_call_value(&facts, *other);
            if handed.parameters.is_empty() && !handed.others.iter().any(forwards) {
                copied.push((from, to, None, flow.condition));
                continue;
            }
            for (parameter, tests) in handed.parameters {
                let parameter = place(self.program, parameter);
                let tests = tests.into_iter().map(|test| first.narrowing + test).collect();
                self.handed_back.entry(parameter).or_default().push((to, tests));
            }
            for other in handed.others {
                if forwards(&other) {
                    forwarded.push((other, flow.to, flow.condition));
                    continue;
                }
                copied.push((place(self.program, other), to, None, flow.condition));
            }
            for (mixed, parameter) in handed.mixed {
                let parameter = place(self.program, parameter);
                copied.push((place(self.program, mixed), to, Some(parameter), flow.condition));
            }
        }
        for (value, result, _) in &forwarded {
            if let Some((call, load)) = own_calls.get(value) {
                let own = OwnCall {
                    call: first_call + *call as u32,
                    load: load.map(|load| first_load + load as u32),
                    result: place(self.program, *result),
                };
                let function = facts.places[result.0 as usize].function;
                self.note_own_call(self.program.function(file, function), own);
            }
        }
        let is_result = |place: facts::PlaceId| facts.places[place.0 as usize].kind == PlaceKind::Result;
        for flow in facts.flows.iter().filter(|flow| flow.same && is_result(flow.to)) {
            self.note_part(file, &facts, flow.to, flow.condition);
        }
        let pointers: FxHashSet<(PlaceIndex, PlaceIndex)> = facts
            .objects
            .iter()
            .filter_map(|(at, object)| match object {
                facts::Object::Address(target) => Some((place(self.program, *target), place(self.program, *at))),
                _ => None,
            })
            .collect();
        for (from, to, unless_in, condition) in copied {
            let is_pointer = pointers.contains(&(from, to));
            let to = self.part_under(to, condition);
            let constraint = match unless_in {
                None if is_pointer => Constraint::CopyPointedAt(to),
                None => Constraint::Copy(to),
                Some(parameter) => Constraint::CopyOwn(to, parameter),
            };
            self.hang(from, constraint);
        }
        for load in &facts.loads {
            let row = LoadRow {
                base: place(self.program, load.base),
                member: self.program.symbol(file, load.member),
                to: place(self.program, load.to),
                file,
                function: self.program.function(file, load.function),
                position: load.position,
                after: load.after.map(|after| self.program.type_index(file, after)),
                implicit: load.implicit,
                known: load.known,
                only: None,
                without: [None; 2],
                silent: false,
                point: load.point,
            };
            self.push_load(row);
        }
        for (load, class) in &facts.supers {
            if let TypeMeaning::Type(class) = self.program.head_type(file, *class, 0) {
                self.loads[(first_load + load) as usize].after = Some(class);
            }
        }
        for store in &facts.stores {
            let row = StoreRow {
                base: place(self.program, store.base),
                member: self.program.symbol(file, store.member),
                from: store.from.map(|from| place(self.program, from)),
                file,
                function: self.program.function(file, store.function),
                position: store.position,
                implicit: store.implicit,
                is_direct: store.is_direct,
                deletes: store.deletes,
                point: store.point,
            };
            self.push_store(row);
        }
        for load in &facts.element_loads {
            let row = ElementRow {
                base: place(self.program, load.base),
                key: self.row_key(file, load.key),
                value: place(self.program, load.to),
                index: load.index.map(|index| place(self.program, index)),
                file,
                function: self.program.function(file, load.function),
                position: load.position,
                library: false,
                of: match load.key {
                    ElementKey::Rows | ElementKey::Column(_) => RowBase::Rows,
                    _ => RowBase::Plain,
                },
                known: load.known,
                silent: false,
                point: load.point,
            };
            self.push_element_load(row);
        }
        for store in &facts.element_stores {
            let row = ElementRow {
                base: place(self.program, store.base),
                key: self.row_key(file, store.key),
                value: place(self.program, store.from),
                index: store.index.map(|index| place(self.program, index)),
                file,
                function: self.program.function(file, store.function),
                position: store.position,
                library: false,
                of: RowBase::Plain,
                known: false,
                silent: false,
                point: store.point,
            };
            self.push_element_store(row);
        }
        for row in &facts.end_changes {
            let part = match row.change {
                AtEnd::Append(part) | AtEnd::Extend(part) | AtEnd::Receive(part) => Some(place(self.program, part)),
                AtEnd::CutFirst | AtEnd::CutLast | AtEnd::CutAll | AtEnd::Empty => None,
            };
            self.end_changes.push(EndRow {
                base: place(self.program, row.base),
                change: row.change,
                part,
                function: self.program.function(file, row.function),
                point: row.point,
            });
        }
        for copy in &facts.part_copies {
            let row = PartCopyRow {
                by_key: copy.by_key.map(|by| place(self.program, by)),
                from: place(self.program, copy.from),
                to: place(self.program, copy.to),
                shift: copy.shift,
                stop: copy.stop,
                except: copy.except.iter().map(|key| self.program.symbol(file, *key)).collect(),
                only: Vec::new(),
                file,
                function: self.program.function(file, copy.function),
                position: copy.position,
                point: copy.point,
                iterated: false,
                pairs: None,
                silent: false,
            };
            self.part_copies.push(row);
        }
        for narrowing in &facts.narrowings {
            let to = place(self.program, narrowing.to);
            let from = place(self.program, narrowing.from);
            let named: Vec<PlaceIndex> = narrowing
                .named
                .iter()
                .map(|named| place(self.program, *named))
                .collect();
            let row = self.narrowing_row(file, (from, to), narrowing, named);
            self.push_narrowing(row);
        }
        self.lay_out_assertions(file, &facts);
        self.lay_out_loops(file, &facts);
        for (container, length) in &facts.lengths {
            let container = place(self.program, *container);
            self.lengths.insert(container, *length);
        }
        for (container, keys) in &facts.keyed {
            let keys = keys.iter().filter_map(|key| match key {
                ElementKey::Text(name) => Some(Part::Text(self.program.symbol(file, *name))),
                ElementKey::Index(index) => Some(Part::Index(*index)),
                _ => None,
            });
            let keys = keys.collect();
            self.keyed.insert(place(self.program, *container), keys);
        }
        self.first_guard.push(self.guards.len() as u32);
        self.lay_out_exceptions(file, &facts);
        let first_call = self.calls.len() as u32;
        self.first_calls.push(first_call);
        let first = super::copies::First {
            call: self.calls.len() as u32,
            ..first
        };
        for call in &facts.calls {
            self.lay_out_call(file, call);
        }
        let forwarded = forwarded.into_iter().map(|(value, result, condition)| {
            let is_own = own_calls.contains_key(&value);
            (value, result, is_own, condition)
        });
        self.lay_out_forwards(
            (file, &facts),
            &ways,
            (first.call, first.narrowing),
            forwarded.collect(),
        );
        for (call, argument) in &facts.type_arguments {
            self.type_objects(file, *argument);
            self.type_arguments
                .entry(first_call + call)
                .or_default()
                .push(*argument);
        }
        let steps = facts.steps.iter().map(|(call, steps)| (first_call + call, *steps));
        self.steps.extend(steps);
        let numbers = facts.numbers.iter().map(|(call, number)| (first_call + call, *number));
        self.numbers.extend(numbers);
        self.note_class_decorations(file, &facts);
        if is_untyped {
            self.note_recipes(file, &facts, first);
        }
    }

    /// What is taken out of containers, once it is known which keys objects keep.
    pub(super) fn lay_out_drops(&mut self, file: FileIndex) {
        let facts = self.program.files[file.at()].facts.clone();
        for drop in &facts.drops {
            let part = drop.key.map(|key| match self.row_key(file, key) {
                RowKey::Text(key) => Part::Text(key),
                RowKey::Index(index) => Part::Index(index),
                _ => self.part_dropped(drop.index.map(|index| self.program.place(file, index))),
            });
            let at = RowSite {
                file,
                function: self.program.function(file, drop.function),
                position: drop.position,
                point: drop.point,
                silent: false,
            };
            self.drops.push(DropRow {
                base: self.program.place(file, drop.base),
                part,
                at,
                call: None,
            });
        }
    }

    /// A constraint of the files, on a place that holds nothing yet.
    fn hang(&mut self, place: PlaceIndex, constraint: Constraint) {
        let slot = &mut self.slots[place.at()];
        self.arena.push((constraint, slot.head));
        slot.head = self.arena.len() as u32 - 1;
    }

    fn row_key(&self, file: FileIndex, key: ElementKey) -> RowKey {
        match key {
            ElementKey::Text(name) | ElementKey::Column(name) => RowKey::Text(self.program.symbol(file, name)),
            ElementKey::Index(index) => RowKey::Index(index),
            ElementKey::Back(index) => RowKey::Back(index),
            ElementKey::Any | ElementKey::Rows => RowKey::Any,
            ElementKey::Each => RowKey::Each,
            ElementKey::First => RowKey::First,
            ElementKey::Awaited => RowKey::Awaited,
            ElementKey::Keys => RowKey::Keys,
            ElementKey::Target => RowKey::Target,
            ElementKey::Returned => RowKey::Returned,
            ElementKey::From(step) => RowKey::From(step),
            ElementKey::Sent(step) => RowKey::Sent(step),
            ElementKey::Thrown => RowKey::Thrown,
            ElementKey::SentFrom(step) => RowKey::SentFrom(step),
            ElementKey::Matched(position) => RowKey::Matched(position),
        }
    }

    pub(super) fn push_load(&mut self, row: LoadRow) {
        let index = self.loads.len() as u32;
        self.loads.push(row);
        if !self.loads_of.is_empty() {
            self.loads_of.entry(row.member).or_default().push(index);
        }
        let constraint = match super::fitting::is_pattern(self.program.symbols.text(row.member)) {
            true => Constraint::LoadFitting(index),
            false => Constraint::Load(index),
        };
        self.attach(row.base, constraint);
    }

    pub(super) fn push_store(&mut self, row: StoreRow) {
        self.stores.push(row);
        self.attach(row.base, Constraint::Store(self.stores.len() as u32 - 1));
    }

    pub(super) fn push_element_load(&mut self, row: ElementRow) {
        self.element_loads.push(row);
        self.attach(row.base, Constraint::ElementLoad(self.element_loads.len() as u32 - 1));
    }

    pub(super) fn push_element_store(&mut self, row: ElementRow) {
        if !row.silent {
            self.written.insert(row.base);
        }
        self.element_stores.push(row);
        self.attach(row.base, Constraint::ElementStore(self.element_stores.len() as u32 - 1));
    }

    pub(super) fn push_call(&mut self, mut row: CallRow, arguments: &[ArgumentRow], results: &[PlaceIndex]) -> u32 {
        row.arguments = (self.arguments.len() as u32, arguments.len() as u32);
        self.arguments.extend_from_slice(arguments);
        row.results = (self.results.len() as u32, results.len() as u32);
        self.results.extend_from_slice(results);
        let callee = row.callee;
        let index = self.calls.len() as u32;
        if row.copy_of.is_none() {
            self.made_calls.note(index, row.file, row.position);
        }
        self.calls.push(row);
        self.attach(callee, Constraint::Call(index));
        index
    }

    /// Which class each decorator call is handed: the first one is given the class, the next what the first gave.
    fn note_class_decorations(&mut self, file: FileIndex, facts: &facts::FileFacts) {
        let decorators = facts.calls.iter().filter(|call| call.how == How::Decorator);
        let classes: FxHashMap<facts::PlaceId, facts::TypeId> = facts
            .objects
            .iter()
            .filter_map(|(place, object)| match object {
                facts::Object::Class(class) => Some((*place, *class)),
                _ => None,
            })
            .collect();
        let mut given = classes;
        for call in decorators {
            let argument = call.arguments.first().and_then(|argument| argument.place);
            let Some(class) = argument.and_then(|argument| given.get(&argument).copied()) else {
                continue;
            };
            let class_index = self.program.type_index(file, class);
            self.decorated_classes.insert(class_index);
            let object = self.objects.intern(Object::Class(class_index));
            for result in &call.results {
                given.insert(*result, class);
                let place = self.program.place(file, *result);
                self.class_decorations.insert(place, object);
            }
        }
    }

    fn lay_out_call(&mut self, file: FileIndex, call: &facts::Call) {
        let place = |program: &Program, place: facts::PlaceId| program.place(file, place);
        let arguments: Vec<ArgumentRow> = call
            .arguments
            .iter()
            .map(|argument| ArgumentRow {
                kind: argument.kind,
                name: match argument.kind {
                    ArgumentKind::Keyword(name) => Some(self.program.symbol(file, name)),
                    _ => None,
                },
                place: argument.place.map(|given| place(self.program, given)),
                text: argument.text.map(|text| self.program.symbol(file, text)),
                constant: argument
                    .constant
                    .map(|constant| constant.map(|text| self.program.symbol(file, text))),
                position: argument.position,
            })
            .collect();
        let results: Vec<PlaceIndex> = call.results.iter().map(|result| place(self.program, *result)).collect();
        let row = CallRow {
            callee: place(self.program, call.callee),
            text: self.program.symbol(file, call.text),
            receiver: call.receiver.map(|receiver| place(self.program, receiver)),
            arguments: (0, 0),
            results: (0, 0),
            file,
            function: self.program.function(file, call.function),
            position: call.position,
            how: call.how,
            targets: Vec::new(),
            guard: call.guard.map(|guard| self.first_guard[file.at()] + guard.0),
            silent: false,
            copy_of: None,
            point: call.point,
        };
        self.push_call(row, &arguments, &results);
    }

    /// Puts the first objects where they are made, declared or named.
    pub(super) fn seed(&mut self) {
        self.fill_annotated();
        for index in 0..self.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.program.files[index].facts.clone();
            let language = self.program.files[index].language;
            for (place, object) in &facts.objects {
                let place = self.program.place(file, *place);
                self.seed_object(file, &facts, place, *object);
            }
            self.seed_gathering(file, &facts);
            self.note_declared(file, &facts);
            for (local, declared) in &facts.declared {
                let place = self.program.place(file, *local);
                // `*rest: T` gathers some of them.
                let to = match self.gathering(place).first() {
                    Some(container) => self.element(*container, Part::Any),
                    None => place,
                };
                let is_value = self.is_value_held(file, &facts, (*local, *declared));
                let mut objects = self.type_objects(file, *declared);
                // In Go the parameter is declared as the slice that it is.
                if to != place && language == Language::Go {
                    objects = self.elements_of_types(&objects);
                }
                for object in objects {
                    self.add(to, object);
                    if is_value {
                        self.add_held(file, object, to);
                    }
                }
            }
            for bound in &facts.member_bindings {
                let owner = self.program.type_index(file, bound.owner);
                let writers = bound.writers.map(|writer| self.named_in_class(file, owner, writer?));
                let name = self.program.symbol(file, bound.name);
                let member = self.program.types[owner.at()].members.get(&name).copied();
                self.member_bindings
                    .extend(member.map(|member| (member, (bound.binding, writers))));
            }
            self.seed_members(file, &facts, language);
            self.seed_names(file, &facts, language);
        }
        self.lay_out_properties();
        self.seed_by_name();
        self.lay_out_members_set();
        self.name_keys();
    }

    /// What a class body means by a name: a member of the class, or what the file has of that name.
    fn named_in_class(&mut self, file: FileIndex, owner: TypeIndex, name: Name) -> Option<PlaceIndex> {
        let name = self.program.symbol(file, name);
        if let Some(member) = self.program.types[owner.at()].members.get(&name) {
            return Some(*member);
        }
        let package = self.program.files[file.at()].package;
        match self.program.package_member(package, name) {
            Meaning::Places(places) => places.first().copied(),
            _ => None,
        }
    }

    fn seed_object(&mut self, file: FileIndex, facts: &facts::FileFacts, place: PlaceIndex, object: facts::Object) {
        let object = match object {
            facts::Object::Function(function) => Object::Function(self.program.function(file, function)),
            facts::Object::Class(class) => Object::Class(self.program.type_index(file, class)),
            facts::Object::Container(kind) => Object::Container { kind, site: place },
            facts::Object::Builtin(name) => Object::External(self.program.symbol(file, name)),
            facts::Object::AnyModule => Object::AnyMember(self.program.symbols.intern(ANY_MODULES)),
            facts::Object::OwnModule => Object::Package(self.program.files[file.at()].package),
            facts::Object::Address(target) => Object::Address(self.program.place(file, target)),
            facts::Object::Instance(expression) => {
                for object in self.type_objects(file, expression) {
                    let object = self.made_here(object, place);
                    self.add(place, object);
                    self.add_held(file, object, place);
                    self.make_named(object, place);
                }
                return;
            }
            facts::Object::Import(import) => {
                let import = facts.imports[import.0 as usize].clone();
                if let Some(fitting) = self.program.modules_fitting(file, &import) {
                    for package in fitting.into_iter().take(super::fitting::FITTING_LIMIT) {
                        let package = self.objects.intern(Object::Package(package));
                        self.add(place, package);
                    }
                    return;
                }
                match self.program.import_meaning(file, &import) {
                    Meaning::Places(places) => {
                        for from in places {
                            self.import_sources.push((from, place));
                            self.copy(from, place);
                        }
                        return;
                    }
                    Meaning::Package(package) => Object::Package(package),
                    Meaning::External(name) => Object::External(name),
                    Meaning::Unbound => return self.import_asked_for((file, &import), place),
                }
            }
        };
        let object = self.objects.intern(object);
        self.add(place, object);
    }

    /// What is made of a type that names a container is that container, too.
    fn make_named(&mut self, object: ObjectId, place: PlaceIndex) {
        let Object::Instance(index) = self.objects.get(object) else {
            return;
        };
        for under in self.underlying_objects(index) {
            if let Object::Typed { kind, .. } = self.objects.get(under) {
                let made = self.objects.intern(Object::Container { kind, site: place });
                self.add(place, made);
            }
        }
    }

    /// A composite literal or `make` of a container type is a container of its own.
    fn made_here(&mut self, object: ObjectId, place: PlaceIndex) -> ObjectId {
        match self.objects.get(object) {
            Object::Typed { kind, key, element } => {
                let made = self.objects.intern(Object::Container { kind, site: place });
                // What its type says of its parts holds for those that nobody was seen to put in.
                for (part, list) in [(Part::Any, element), (Part::Keys, key)] {
                    let list = self.objects.list(list).to_vec();
                    if !list.is_empty() {
                        let to = self.element(made, part);
                        list.into_iter().for_each(|object| self.add(to, object));
                    }
                }
                made
            }
            Object::AnyOf(index) => self.objects.intern(Object::Instance(index)),
            _ => object,
        }
    }

    /// Whether a variable is a value of a library's type, and none that it is given.
    fn is_value_held(
        &mut self,
        file: FileIndex,
        facts: &facts::FileFacts,
        (local, declared): (facts::PlaceId, TypeExpressionId),
    ) -> bool {
        let kind = facts.places[local.0 as usize].kind;
        matches!(kind, PlaceKind::Local | PlaceKind::Global)
            && self.is_table_value(file, declared)
            && facts.flows.iter().all(|flow| flow.to != local)
    }

    /// Whether a type is one of a library whose values keep their parts in a container: no pointer to one.
    fn is_table_value(&mut self, file: FileIndex, declared: TypeExpressionId) -> bool {
        let (parts, function) = match self.program.type_expression(file, declared).clone() {
            TypeExpression::Path { parts, function } => (parts, function),
            TypeExpression::Generic(head, _) if head != declared => return self.is_table_value(file, head),
            _ => return false,
        };
        match self.program.type_named(file, function, &parts) {
            TypeMeaning::External(name) => {
                let entry = self.table_entry(file, name);
                entry.is_some_and(|entry| entry.holds.is_some())
            }
            _ => false,
        }
    }

    fn seed_members(&mut self, file: FileIndex, facts: &facts::FileFacts, language: Language) {
        for (from, member) in self.program.member_values(file) {
            self.copy(from, member);
            self.class_values.entry(member).or_default().push(from);
        }
        for (member, declared) in self.program.declared_fields(file) {
            self.class_values.entry(member).or_default();
            let is_value = self.is_table_value(file, declared);
            for object in self.type_objects(file, declared) {
                self.add(member, object);
                if is_value {
                    let body = self.program.function(file, facts::FunctionId(0));
                    let own = self.derive_place(DerivedPlace::Passing(body));
                    self.add_held(file, object, own);
                    self.copy(own, member);
                }
            }
        }
        for local in 0..facts.types.len() as u32 {
            let owner = self.program.type_index(file, facts::TypeId(local));
            self.seed_enumeration(owner);
            self.seed_arrays(owner);
        }
        for (local, function) in facts.functions.iter().enumerate() {
            let id = self.program.function(file, facts::FunctionId(local as u32));
            let owner = self.program.functions[id.at()].owner;
            if let (Some(owner), Language::Go) = (owner, language) {
                let name = self.program.symbol(file, function.name);
                if let Some(member) = self.program.types[owner.at()].members.get(&name).copied() {
                    let object = self.objects.intern(Object::Function(id));
                    self.add(member, object);
                }
            }
            if let (Some(owner), Language::Python, Some(receiver)) = (owner, language, function.parameters.first()) {
                let place = self.program.place(file, receiver.place);
                let object = match function.binding {
                    facts::Binding::Static => continue,
                    facts::Binding::Class => Object::Class(owner),
                    _ => Object::AnyOf(owner),
                };
                let object = self.objects.intern(object);
                self.add(place, object);
            }
        }
    }

    /// A field that is an array holds a container of its own, whoever makes the structure; one of arrays holds them, too.
    fn seed_arrays(&mut self, owner: TypeIndex) {
        let file = self.program.types[owner.at()].file;
        for (member, declared) in self.program.array_fields(owner) {
            let body = self.program.function(file, facts::FunctionId(0));
            let (mut place, mut declared) = (member, Some(declared));
            while let Some(TypeExpression::Container {
                kind: ContainerKind::List,
                element,
                ..
            }) = declared.map(|declared| self.program.type_expression(file, declared).clone())
            {
                let own = self.derive_place(DerivedPlace::Passing(body));
                let array = self.objects.intern(Object::Container {
                    kind: ContainerKind::List,
                    site: own,
                });
                self.add(place, array);
                place = self.element(array, Part::Any);
                declared = element;
            }
        }
    }

    /// `*args` and `**kwargs` hold a container of their own.
    fn seed_gathering(&mut self, file: FileIndex, facts: &facts::FileFacts) {
        for parameter in facts.functions.iter().flat_map(|function| &function.parameters) {
            let kind = match parameter.kind {
                facts::ParameterKind::Rest => ContainerKind::List,
                facts::ParameterKind::RestKeywords => ContainerKind::Map,
                _ => continue,
            };
            let site = self.program.place(file, parameter.place);
            let object = self.objects.intern(Object::Container { kind, site });
            self.add(site, object);
        }
    }

    fn seed_names(&mut self, file: FileIndex, facts: &facts::FileFacts, language: Language) {
        for (index, name_use) in facts.name_uses.iter().enumerate() {
            let to = self.program.place(file, name_use.to);
            match self.program.meaning(file, name_use.name) {
                Meaning::Places(places) => {
                    for from in &places {
                        self.copy(*from, to);
                    }
                    self.name_sources.push((file, index as u32, places));
                }
                Meaning::Package(package) => {
                    let object = self.objects.intern(Object::Package(package));
                    self.add(to, object);
                }
                Meaning::External(name) => {
                    let object = self.objects.intern(Object::External(name));
                    self.add(to, object);
                }
                Meaning::Unbound => {
                    let symbol = self.program.symbol(file, name_use.name);
                    if crate::builtins::is_builtin(language, self.program.symbols.text(symbol)) {
                        let object = self.objects.intern(Object::External(symbol));
                        self.add(to, object);
                    }
                    self.unbound.insert(to, symbol);
                }
            }
        }
        for (index, store) in facts.name_stores.iter().enumerate() {
            let places = match self.program.meaning(file, store.name) {
                Meaning::Places(places) => places,
                _ => continue,
            };
            if let Some(from) = store.from {
                let from = self.program.place(file, from);
                for to in &places {
                    self.copy(from, *to);
                }
            }
            self.name_targets.push((file, index as u32, places));
        }
    }
}
