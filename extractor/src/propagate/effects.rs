//! Calls of library code: what the table says it does, as constraints.

use ripple_schema::How;

use super::library::{Carries, Change, Effect, End, EndPart, Entry, Subject};
use super::namespace::Kind;
use super::object::{Object, ObjectId};
use super::records::{FRAME, holds};
use super::solve::{
    ArgumentRow, CallRow, Constraint, ElementRow, LoadRow, PartCopyRow, RowBase, RowKey, Solver, StoreRow, Target,
};
use crate::facts::{ArgumentKind, ContainerKind, TypeKind};
use crate::link::{DerivedPlace, FileIndex, PlaceIndex, Symbol, TypeIndex};

impl Solver<'_> {
    /// Whether a call asks for `__add__` where `__iadd__` is what happens: `rows += more` makes no other list.
    fn is_changed_in_place(&self, call: u32, name: Symbol) -> bool {
        let row = &self.calls[call as usize];
        let written = self.program.symbols.text(row.text);
        if row.how != How::Implicit || !written.starts_with("__i") {
            return false;
        }
        let language = self.program.files[row.file.at()].language;
        let asked = self.program.symbols.text(name).rsplit_once('.');
        asked.is_some_and(|(class, method)| {
            let in_place = || self.libraries.get(&language)?.get(&format!("{class}.{written}"));
            method != written && in_place().is_some()
        })
    }

    pub(super) fn call_external(&mut self, call: u32, name: Symbol) {
        if !self.effects_done.insert((call, name)) {
            return;
        }
        if self.made_by_type(call, name) || self.is_changed_in_place(call, name) {
            return;
        }
        self.add_target(call, Target::External(name));
        let row = &self.calls[call as usize];
        let language = self.program.files[row.file.at()].language;
        let text = self.program.symbols.text(name).to_owned();
        let entry = self
            .libraries
            .get(&language)
            .and_then(|library| library.get(&text))
            .cloned();
        let libraries = self.libraries;
        let signature = libraries
            .get(&language)
            .and_then(|library| library.signatures().function(&text));
        let told = entry.as_ref().is_some_and(|entry| entry.returns.is_some());
        for (index, result) in self.call_results(call).to_vec().into_iter().enumerate() {
            if let Some(given) = signature.and_then(|signature| signature.given.get(index))
                && !(given.name.is_empty() && given.containers.is_empty() || told && index == 0)
            {
                let object = self.given_object(given);
                self.add(result, object);
            }
        }
        if let Some(result) = self.call_results(call).first().copied()
            && (signature.is_none() || told)
        {
            // `lru_cache(f)` is the decorator itself, `lru_cache(maxsize=9)` gives one, which stands inside of it.
            let decorates = |entry: &Entry| {
                let returned = entry
                    .returns
                    .as_deref()
                    .and_then(|returned| returned.strip_prefix(&text));
                returned.is_some_and(|inside| inside.starts_with('.'))
                    && !entry.flows.is_empty()
                    && !self.subject_places(call, &Subject::Argument(0)).is_empty()
            };
            let decorates = entry.as_ref().is_some_and(decorates);
            let returned = match entry.as_ref().and_then(|entry| entry.returns.clone()) {
                Some(_) if decorates => None,
                Some(returned) => Some(returned),
                // What keeps parts is a value of its own type.
                None if entry.as_ref().is_some_and(|entry| entry.holds.is_some()) => Some(text.clone()),
                None if entry.as_ref().is_some_and(|entry| !entry.flows.is_empty()) => None,
                // A class called gives an instance; both go by the class's name.
                None if text
                    .rsplit('.')
                    .next()
                    .is_some_and(|last| last.starts_with(char::is_uppercase)) =>
                {
                    Some(text.clone())
                }
                None => Some(format!("{text}()")).filter(|name| super::access::is_telling(name)),
            };
            if let Some(returned) = returned {
                self.add_returned(call, &returned, result);
            }
        }
        if let Some(entry) = entry {
            if let (Some(kind), Some(result)) = (holds(&entry), self.call_results(call).first().copied()) {
                // Where nothing is put in, one is as good as another.
                let site = match entry.flows.is_empty() {
                    true => self.nothing_held(),
                    false => result,
                };
                self.keep_parts(&entry, (kind, site), result);
            }
            if !entry.flows.is_empty() && self.is_called_by_name(call, &text) {
                self.named_calls.insert(call);
                self.note_spread(call);
            }
            self.apply(call, &entry);
        } else {
            self.ask_for_rows(call);
        }
    }

    /// Whether a function is called by its own name, or by library code, and not as a value that came from elsewhere.
    fn is_called_by_name(&self, call: u32, name: &str) -> bool {
        let row = &self.calls[call as usize];
        let last = |text: &str| text.rsplit('.').next() == name.rsplit('.').next();
        row.how == How::Callback || last(self.program.symbols.text(row.text))
    }

    /// Where all containers are made that stay empty.
    fn nothing_held(&mut self) -> PlaceIndex {
        if let Some(place) = self.nothing_held {
            return place;
        }
        let body = self.program.function(FileIndex(0), crate::facts::FunctionId(0));
        let place = self.derive_place(DerivedPlace::Passing(body));
        self.nothing_held = Some(place);
        place
    }

    /// A value of a library's type keeps its parts in a container of its own, if the table says so.
    pub(super) fn add_held(&mut self, file: FileIndex, object: ObjectId, place: PlaceIndex) {
        let (Object::External(name) | Object::AnyExternal(name)) = self.objects.get(object) else {
            return;
        };
        let entry = self.table_entry(file, name);
        if let Some((entry, kind)) = entry.and_then(|entry| Some((entry, holds(entry)?))) {
            self.keep_parts(entry, (kind, place), place);
        }
    }

    /// What the table says such a value keeps its parts in lies in a place.
    fn keep_parts(&mut self, entry: &Entry, (kind, site): (ContainerKind, PlaceIndex), place: PlaceIndex) {
        let object = self.objects.intern(Object::Container { kind, site });
        self.note_record(entry.holds.as_deref().unwrap_or_default(), object);
        if entry.returns.as_deref() == Some(FRAME) {
            self.frames.insert(object);
        }
        self.add(place, object);
    }

    pub(super) fn add_returned(&mut self, call: u32, returned: &str, result: PlaceIndex) {
        let object = match super::records::container_named(returned) {
            Some(kind) => {
                let object = self.objects.intern(Object::Container { kind, site: result });
                self.note_copied(call, (result, object), kind);
                self.note_record(returned, object);
                object
            }
            None => self.external(returned),
        };
        self.add(result, object);
    }

    /// A container that the copy of a call makes is that of the call.
    fn note_copied(&mut self, call: u32, (result, copy): (PlaceIndex, ObjectId), kind: ContainerKind) {
        let Some(own) = self.calls[call as usize].copy_of else {
            return;
        };
        let mut results = self.call_results(call).iter().zip(self.call_results(own));
        if let Some((_, site)) = results.find(|(own, _)| **own == result) {
            let original = Object::Container { kind, site: *site };
            let original = self.objects.intern(original);
            self.container_copies.insert(copy, original);
        }
    }

    /// `chain(*rows)`: what is spread is handed over part by part.
    fn note_spread(&mut self, call: u32) {
        let is_spread = |argument: &&ArgumentRow| argument.kind == ArgumentKind::Spread;
        let spread = self.call_arguments(call).iter().find(is_spread);
        if let Some(whole) = spread.and_then(|argument| argument.place)
            && !self.spread_parts.contains_key(&call)
        {
            let part = self.inner(call, whole);
            self.spread_parts.insert(call, part);
        }
    }

    pub(super) fn apply(&mut self, call: u32, entry: &Entry) {
        for effect in &entry.flows {
            match effect {
                Effect::Move {
                    carries: Carries::Test, ..
                } => {}
                Effect::Move {
                    from,
                    to,
                    carries: Carries::Containers,
                } => {
                    for source in self.subject_places(call, &from.subject) {
                        for target in self.subject_places(call, &to.subject) {
                            self.attach(source, Constraint::CopyContainers(target));
                        }
                    }
                }
                // The result is of another type than what it is made of.
                Effect::Move { from, to, .. } if entry.returns.is_some() && is_wrapping(effect) => {
                    for source in self.subject_places(call, &from.subject) {
                        for target in self.subject_places(call, &to.subject) {
                            self.attach(source, Constraint::CopyPlain(target));
                        }
                    }
                }
                Effect::Move { from, to, carries } => self.apply_move(
                    call,
                    from,
                    to,
                    matches!(carries, Carries::Objects | Carries::Copies | Carries::DeepCopies),
                ),
                Effect::Call {
                    callee,
                    method,
                    arguments,
                    result,
                    is_started,
                    ..
                } => {
                    let callbacks = self.calls.len();
                    self.apply_call(call, (callee, method.as_deref()), arguments, result.as_ref());
                    if *is_started {
                        self.started.extend(callbacks as u32..self.calls.len() as u32);
                    }
                }
                Effect::Start(end) => {
                    for value in self.subject_places(call, &end.subject) {
                        self.started.extend(self.call_that_gives(call, value));
                    }
                }
                Effect::Remote {
                    name,
                    arguments,
                    result,
                } => self.call_remote(call, *name, arguments, result.as_ref()),
                Effect::Iterate { over, into } => self.apply_iterate(call, over, into),
                Effect::Drop(end) => self.apply_drop(call, end),
                Effect::Resize(end) | Effect::Stir(end) => {
                    let key = match effect {
                        Effect::Stir(_) => RowKey::Places,
                        _ if self.shifts(call, &entry.edits) => RowKey::Shifted,
                        _ => RowKey::Size,
                    };
                    for container in self.subject_places(call, &end.subject) {
                        let row = self.element_row(call, container, key, container);
                        self.push_element_store(ElementRow { silent: true, ..row });
                    }
                }
                Effect::ClassOf => {
                    let of = self.subject_places(call, &Subject::Argument(0));
                    if let (Some(of), Some(result)) = (of.first(), self.call_results(call).first().copied()) {
                        self.attach(*of, Constraint::ClassOf(result));
                    }
                }
                Effect::InstanceOf(class) => self.of_class(call, &class.subject, Constraint::InstanceOf),
                Effect::SubclassesOf(class) => {
                    for (class, result) in self
                        .subject_places(call, &class.subject)
                        .into_iter()
                        .zip(self.call_results(call).to_vec())
                    {
                        let below = self.passing(call);
                        self.attach(class, Constraint::SubclassesOf(below));
                        self.push_element_store(self.element_row(call, result, RowKey::Any, below));
                    }
                }
                Effect::Columns { rows, names } => self.note_columns(call, &rows.subject, &names.subject),
                Effect::RowOf(table) => self.make_row(call, &table.subject),
                Effect::RowsOf(class) => self.of_class(call, &class.subject, Constraint::RowsOf),
                Effect::Render(end) => self.render_for_receiver(call, end),
                Effect::Hooks { writes } => {
                    if let Some(receiver) = self.calls[call as usize].receiver {
                        self.attach(receiver, Constraint::Hooks(call, *writes));
                    }
                }
                Effect::Relate { keyword, given } => self.relate(call, keyword, given),
                Effect::Partial | Effect::Getter(_) => {
                    if let Some(result) = self.call_results(call).first().copied() {
                        let object = self.objects.intern(Object::Partial(call));
                        self.add(result, object);
                    }
                }
                // Wire effects are edges only: nothing that travels.
                Effect::Decode { .. }
                | Effect::Encode { .. }
                | Effect::Serve { .. }
                | Effect::Fill(_)
                | Effect::Rename
                | Effect::Expression { .. }
                | Effect::Rows
                | Effect::Pick => {}
            }
        }
    }

    /// Whether parts behind one that is put in or taken out move up or down.
    fn shifts(&self, call: u32, changes: &[Change]) -> bool {
        changes.iter().any(|change| match change {
            Change::Prepend | Change::PopFirst => true,
            Change::Pop => !self.call_arguments(call).is_empty() && self.numbers.get(&call) != Some(&-1),
            _ => false,
        })
    }

    fn apply_move(&mut self, call: u32, from: &End, to: &End, same: bool) {
        let is_members = |end: &End| matches!(end.part, EndPart::Members | EndPart::MembersWithin);
        if is_members(from) || is_members(to) {
            return self.apply_members(call, from, to);
        }
        if to.part == EndPart::Same {
            return self.apply_parts(call, from, to);
        }
        for source in self.subject_places(call, &from.subject) {
            let (source, part) = match &from.part {
                EndPart::Inner => (self.inner(call, source), &EndPart::Each),
                part => (source, part),
            };
            for target in self.subject_places(call, &to.subject) {
                match (part, &to.part) {
                    (EndPart::Whole, EndPart::Whole) => {
                        if same {
                            // `return cast(Order, value)`: what comes out is what went in.
                            self.hand_on(call, source, target, &[]);
                            self.copy(source, target);
                        }
                    }
                    (part, EndPart::Tuple(position)) => {
                        let tuple = self.result_tuple(call, target);
                        let from = match part {
                            EndPart::Whole => source,
                            _ => {
                                let passing = self.passing(call);
                                let key = self.part_key(call, part);
                                self.push_element_load(self.element_row(call, source, key, passing));
                                passing
                            }
                        };
                        self.push_element_store(self.element_row(call, tuple, RowKey::Index(*position), from));
                    }
                    (EndPart::Whole, part) => {
                        let key = self.part_key(call, part);
                        let index = self.key_given(call, part);
                        let row = self.element_row(call, target, key, source);
                        self.push_element_store(ElementRow { index, ..row });
                    }
                    (EndPart::PartsUnder(..), EndPart::Whole) => {
                        let list = self.passing(call);
                        let key = self.part_key(call, &from.part);
                        let index = self.key_given(call, &from.part);
                        let row = self.element_row(call, source, key, list);
                        self.push_element_load(ElementRow { index, ..row });
                        self.push_element_load(self.element_row(call, list, RowKey::Any, target));
                    }
                    (part, EndPart::Whole) => {
                        let key = self.part_key(call, part);
                        let index = self.key_given(call, part);
                        let row = self.element_row(call, source, key, target);
                        self.push_element_load(ElementRow { index, ..row });
                    }
                    (part, other) => {
                        let passing = self.passing(call);
                        let key = self.part_key(call, part);
                        self.push_element_load(self.element_row(call, source, key, passing));
                        let key = self.part_key(call, other);
                        self.push_element_store(self.element_row(call, target, key, passing));
                    }
                }
            }
        }
    }

    /// What is in a container.
    pub(super) fn inner(&mut self, call: u32, container: PlaceIndex) -> PlaceIndex {
        let passing = self.passing(call);
        self.push_element_load(self.element_row(call, container, RowKey::Each, passing));
        passing
    }

    /// `vars(order)`: a dictionary of its members. `replace(order, state=state)`: an argument under its name becomes that member.
    fn apply_members(&mut self, call: u32, from: &End, to: &End) {
        let row = self.calls[call as usize].clone();
        for target in self.subject_places(call, &to.subject) {
            if let EndPart::Members | EndPart::MembersWithin = from.part {
                let kind = Kind {
                    is_tuple: to.part == EndPart::Parts,
                    is_deep: from.part == EndPart::MembersWithin,
                };
                for source in self.subject_places(call, &from.subject) {
                    self.give_namespace((source, target), row.at(), kind);
                }
                continue;
            }
            for argument in self.call_arguments(call).to_vec() {
                let Some(member) = argument.name else { continue };
                self.push_store(StoreRow {
                    base: target,
                    member,
                    from: argument.place,
                    file: row.file,
                    function: row.function,
                    position: argument.position,
                    implicit: false,
                    is_direct: false,
                    deletes: false,
                    point: row.point,
                });
            }
        }
    }

    /// Parts under the keys that they have, or arguments under their names or at their positions.
    fn apply_parts(&mut self, call: u32, from: &End, to: &End) {
        let row = self.calls[call as usize].clone();
        for target in self.subject_places(call, &to.subject) {
            if from.subject == Subject::Keywords {
                for argument in self.call_arguments(call).to_vec() {
                    match (argument.kind, argument.name, argument.place) {
                        // Through every wrapper that may be handed such a function, it would be the keywords of all its calls.
                        (ArgumentKind::SpreadKeywords, _, Some(place)) if self.named_calls.contains(&call) => {
                            self.copy_parts_by(&row, place, target);
                        }
                        (_, Some(name), Some(place)) => {
                            self.push_element_store(self.element_row(call, target, RowKey::Text(name), place));
                        }
                        _ => {}
                    }
                }
                continue;
            }
            if from.subject == Subject::Arguments {
                let arguments = self.call_arguments(call).to_vec();
                let is_plain = |argument: &ArgumentRow| argument.kind == ArgumentKind::Positional;
                for (index, argument) in arguments.iter().enumerate() {
                    // Behind what is spread nobody knows the positions.
                    let key = match arguments[..=index].iter().all(is_plain) {
                        true => RowKey::Index(index as u32),
                        false => RowKey::Any,
                    };
                    let place = match argument.kind {
                        ArgumentKind::Spread => self.spread_parts.get(&call).copied(),
                        _ => argument.place,
                    };
                    if let Some(place) = place {
                        self.push_element_store(self.element_row(call, target, key, place));
                    }
                }
                continue;
            }
            let only: Vec<Symbol> = match from.part {
                EndPart::Told => self
                    .call_arguments(call)
                    .iter()
                    .filter_map(|argument| argument.text)
                    .collect(),
                _ => Vec::new(),
            };
            for source in self.subject_places(call, &from.subject) {
                let source = match from.part {
                    EndPart::InnerSame => self.inner(call, source),
                    _ => source,
                };
                self.part_copies.push(PartCopyRow {
                    only: only.clone(),
                    ..PartCopyRow::of_all(source, target, row.at())
                });
            }
        }
    }

    /// A call puts the parts of one container into another.
    pub(super) fn copy_parts_by(&mut self, row: &CallRow, from: PlaceIndex, to: PlaceIndex) {
        self.part_copies.push(PartCopyRow::of_all(from, to, row.at()));
    }

    /// `/shop.Orders/Get`: the method `Get` of what implements the interface `OrdersServer`.
    fn call_remote(&mut self, call: u32, name: usize, arguments: &[End], result: Option<&End>) {
        let named = self.call_arguments(call).get(name).and_then(|argument| argument.text);
        let Some(text) = named.map(|named| self.program.symbols.text(named).to_owned()) else {
            return;
        };
        let Some((service, method)) = text.trim_start_matches('/').rsplit_once('/') else {
            return;
        };
        let service = service.rsplit('.').next().unwrap_or(service);
        let Some(interface) = self.program.symbols.find(&format!("{service}Server")) else {
            return;
        };
        let row = self.calls[call as usize].clone();
        let services: Vec<TypeIndex> = (0..self.program.types.len() as u32)
            .map(TypeIndex)
            .filter(|index| {
                let file = self.program.types[index.at()].file;
                let facts = self.program.type_facts(*index);
                facts.kind == TypeKind::Interface && self.program.symbol(file, facts.name) == interface
            })
            .collect();
        for service in services {
            let receiver = self.passing(call);
            let object = self.objects.intern(Object::AnyOf(service));
            self.add(receiver, object);
            let callee = self.method_of(call, receiver, method);
            let given: Vec<ArgumentRow> = arguments
                .iter()
                .map(|argument| {
                    ArgumentRow::positional(
                        self.subject_places(call, &argument.subject).first().copied(),
                        row.position,
                    )
                })
                .collect();
            let value = self.passing(call);
            let callback = self.callback(call, callee, Some(receiver));
            self.push_call(callback, &given, &[value]);
            let targets: Vec<PlaceIndex> = result
                .into_iter()
                .flat_map(|end| self.subject_places(call, &end.subject))
                .collect();
            for target in targets {
                self.copy(value, target);
                self.called_back.push((call, value, target));
            }
        }
    }

    fn apply_call(
        &mut self,
        call: u32,
        (callee, method): (&End, Option<&str>),
        arguments: &[End],
        result: Option<&End>,
    ) {
        let row = self.calls[call as usize].clone();
        for receiver in self.subject_places(call, &callee.subject) {
            let receiver = match &callee.part {
                EndPart::Through(method) => self.reached_through(call, receiver, method),
                EndPart::Within => self.within(call, receiver),
                EndPart::Parts => self.inner(call, receiver),
                EndPart::Each => {
                    // An exception's text is not made of what stands in it.
                    let containers = self.passing(call);
                    self.attach(receiver, Constraint::CopyContainers(containers));
                    self.inner(call, containers)
                }
                _ => receiver,
            };
            let callee = match method {
                None => receiver,
                Some(method) => self.method_of(call, receiver, method),
            };
            let mut given = Vec::new();
            for argument in arguments {
                if argument.subject == Subject::Others {
                    given.extend_from_slice(self.behind(call, receiver));
                    continue;
                }
                let kind = match argument.part {
                    EndPart::Positions | EndPart::InnerPositions => ArgumentKind::Spread,
                    EndPart::Names => ArgumentKind::SpreadKeywords,
                    _ => ArgumentKind::Positional,
                };
                let place = self
                    .subject_places(call, &argument.subject)
                    .first()
                    .copied()
                    .map(|place| match argument.part {
                        EndPart::Whole | EndPart::Positions | EndPart::Names => place,
                        EndPart::InnerPositions => self.inner(call, place),
                        _ => {
                            let passing = self.passing(call);
                            let key = self.part_key(call, &argument.part);
                            self.push_element_load(self.element_row(call, place, key, passing));
                            passing
                        }
                    });
                if place.is_some() || kind == ArgumentKind::Positional {
                    given.push(ArgumentRow {
                        kind,
                        ..ArgumentRow::positional(place, row.position)
                    });
                }
            }
            let value = self.passing(call);
            let callback = self.callback(call, callee, method.map(|_| receiver));
            let made = self.push_call(callback, &given, &[value]);
            if method.is_some() {
                self.made_calls.note_optional(made);
            }
            if let Some(end) = result {
                for target in self.subject_places(call, &end.subject) {
                    match end.part {
                        EndPart::Whole => {
                            self.copy(value, target);
                            self.called_back.push((call, value, target));
                        }
                        // `call keywords(receiver) => result[*]`: under the name of the keyword.
                        EndPart::Same => {
                            let arguments = self.call_arguments(call).iter();
                            let named = arguments.filter(|argument| argument.place == Some(receiver));
                            let names: Vec<Symbol> = named.filter_map(|argument| argument.name).collect();
                            for name in names {
                                self.push_element_store(self.element_row(call, target, RowKey::Text(name), value));
                            }
                        }
                        _ => {
                            let key = self.part_key(call, &end.part);
                            self.push_element_store(self.element_row(call, target, key, value));
                        }
                    }
                }
            }
        }
    }

    /// The call in the same file whose value is in this place.
    pub(super) fn call_that_gives(&self, call: u32, value: PlaceIndex) -> Option<u32> {
        // Arguments are worked out just before.
        let file = self.calls[call as usize].file;
        let mut before = (0..call)
            .rev()
            .take_while(|before| self.calls[*before as usize].file == file);
        before.find(|before| self.call_results(*before).contains(&value))
    }

    /// A call that library code makes where it is called.
    pub(super) fn callback(&self, call: u32, callee: PlaceIndex, receiver: Option<PlaceIndex>) -> CallRow {
        CallRow {
            callee,
            receiver,
            how: How::Callback,
            targets: Vec::new(),
            ..self.calls[call as usize].clone()
        }
    }

    /// The arguments behind the one that is in this place.
    fn behind(&self, call: u32, place: PlaceIndex) -> &[ArgumentRow] {
        let arguments = self.call_arguments(call);
        if self.calls[call as usize].receiver == Some(place) {
            return arguments;
        }
        let at = arguments.iter().position(|argument| argument.place == Some(place));
        at.and_then(|at| arguments.get(at + 1..)).unwrap_or_default()
    }

    /// The method of that name of what an argument holds, if it has one; of several (`__int__|__index__`) the first that it has.
    pub(super) fn method_of(&mut self, call: u32, receiver: PlaceIndex, method: &str) -> PlaceIndex {
        let to = self.passing(call);
        let at = self.calls[call as usize].at();
        let mut without = [None; 2];
        for name in method.split('|') {
            let member = self.program.symbols.intern(name);
            let row = LoadRow::implicit(receiver, member, to, at);
            self.push_load(LoadRow { without, ..row });
            without = [Some(member), without[0]];
        }
        to
    }

    /// The tuple that stands for all tuples in what a call gives: `items()`, `enumerate()`.
    fn result_tuple(&mut self, call: u32, target: PlaceIndex) -> PlaceIndex {
        if let Some(place) = self.result_tuples.get(&call) {
            return *place;
        }
        let place = self.passing(call);
        self.result_tuples.insert(call, place);
        let object = self.objects.intern(Object::Container {
            kind: ContainerKind::Tuple,
            site: place,
        });
        self.add(place, object);
        self.push_element_store(self.element_row(call, target, RowKey::Any, place));
        place
    }

    pub(super) fn passing(&mut self, call: u32) -> PlaceIndex {
        let function = self.calls[call as usize].function;
        self.derive_place(DerivedPlace::Passing(function))
    }

    pub(super) fn element_row(&self, call: u32, base: PlaceIndex, key: RowKey, value: PlaceIndex) -> ElementRow {
        let row = &self.calls[call as usize];
        let of = match row.receiver {
            Some(receiver) if receiver == base => RowBase::Receiver(self.last_name(row.text)),
            _ if self.call_results(call).first() == Some(&base) => RowBase::Result,
            _ => RowBase::Plain,
        };
        ElementRow {
            base,
            key,
            value,
            index: None,
            file: row.file,
            function: row.function,
            position: row.position,
            library: true,
            of,
            known: false,
            silent: row.silent,
            point: row.point,
        }
    }

    /// `get` of `self.cache.get`.
    fn last_name(&self, text: Symbol) -> Symbol {
        let last = self.program.symbols.text(text).rsplit('.').next().unwrap_or("");
        self.program.symbols.find(last).unwrap_or(text)
    }

    /// The key that is asked for, where that is no constant.
    pub(super) fn key_given(&self, call: u32, part: &EndPart) -> Option<PlaceIndex> {
        let (EndPart::Under(argument) | EndPart::PartsUnder(argument, false)) = part else {
            return None;
        };
        self.call_arguments(call).get(*argument)?.place
    }

    /// How many arguments are given by position; a spread one may be any number.
    fn given_by_position(&self, call: u32) -> usize {
        let arguments = self.call_arguments(call).iter();
        let counts = arguments.map(|argument| match argument.kind {
            ArgumentKind::Positional => 1,
            ArgumentKind::Spread => 2,
            _ => 0,
        });
        counts.sum()
    }

    /// The places that an end of a flow means at a call.
    pub(super) fn subject_places(&self, call: u32, subject: &Subject) -> Vec<PlaceIndex> {
        let of_type = self.is_taken_from_type(call);
        let positional = |index: usize| {
            let index = index + usize::from(of_type && *subject != Subject::Receiver);
            let arguments = self.call_arguments(call).iter();
            arguments
                .filter(|argument| matches!(argument.kind, ArgumentKind::Positional))
                .nth(index)
        };
        let spread = self.spread_parts.get(&call).copied();
        match subject {
            Subject::Argument(index) => positional(*index)
                .map_or(spread, |argument| argument.place)
                .into_iter()
                .collect(),
            Subject::Keyword(name) => {
                let name = self.program.symbols.find(name);
                let arguments = self.call_arguments(call).iter();
                arguments
                    .filter(|argument| argument.name.is_some() && argument.name == name)
                    .filter_map(|a| a.place)
                    .collect()
            }
            Subject::Only if self.given_by_position(call) == 1 => self.subject_places(call, &Subject::Argument(0)),
            Subject::Several if self.given_by_position(call) > 1 => self.subject_places(call, &Subject::Arguments),
            Subject::Only | Subject::Several => Vec::new(),
            Subject::Arguments => self
                .call_arguments(call)
                .iter()
                .filter_map(|argument| argument.place)
                .chain(spread)
                .collect(),
            Subject::Keywords => {
                let arguments = self.call_arguments(call).iter();
                arguments
                    .filter(|argument| argument.name.is_some())
                    .filter_map(|argument| argument.place)
                    .collect()
            }
            // `map(str.upper, texts)` hands the receiver over as an argument.
            Subject::Receiver => match self.calls[call as usize].receiver {
                Some(receiver) if !of_type => vec![receiver],
                // What is called is the object itself, where nothing else is there.
                _ if self.call_arguments(call).is_empty() => vec![self.calls[call as usize].callee],
                _ => positional(0).and_then(|argument| argument.place).into_iter().collect(),
            },
            Subject::Result => self.call_results(call).first().copied().into_iter().collect(),
            Subject::Row => self.rows_made.get(&call).copied().into_iter().collect(),
            Subject::ResultAt(index) => self.call_results(call).get(*index).copied().into_iter().collect(),
            Subject::Key(_) | Subject::KeyBy(_) | Subject::Path(_) | Subject::Others | Subject::Wire => Vec::new(),
        }
    }
}

/// `0 => result`: the result holds what is handed in.
fn is_wrapping(effect: &Effect) -> bool {
    let Effect::Move { from, to, carries } = effect else {
        return false;
    };
    let is_whole = from.part == EndPart::Whole && to.part == EndPart::Whole;
    let is_first = from.subject == Subject::Argument(0);
    is_whole && is_first && *carries == Carries::Objects && to.subject == Subject::Result
}
