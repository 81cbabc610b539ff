//! Calls of library code: what the table says, or, where it says nothing, that arguments reach the result.
//!
//! `json.Unmarshal(body, &order)` is `SUMMARIZES` from `body` to `order` and to each of its fields, and a flow from each wire key to
//! its field.

use std::collections::VecDeque;

use ripple_schema::{EdgeKind, How, Language, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite, End, ValueEdge};
use crate::facts::{ArgumentKind, NAMELESS, Naming, TypeKind};
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::library::{Carries, Effect, EndPart, Subject, WireNames};
use crate::propagate::object::{Object, ObjectId};

/// Most places of one value that goes on the wire.
const WIRE_LIMIT: usize = 10_000;

/// Most types behind an interface in one.
const BELOW_LIMIT: usize = 256;

/// What is written as text of what a place holds.
struct WireParts {
    /// Fields and parts, with their wire names.
    named: Vec<(PlaceIndex, Symbol)>,
    /// Parts that have none, each with whether it is a part of the whole itself.
    unnamed: Vec<(PlaceIndex, bool)>,
}

impl Collector<'_, '_> {
    /// What a library call does with its arguments.
    pub(super) fn external_call(&mut self, call: u32, name: Symbol) {
        let row = &self.solver.calls[call as usize];
        let language = self.solver.program.files[row.file.at()].language;
        let (file, how, is_decorator) = (row.file, row.how, row.how == How::Decorator);
        let text = self.solver.program.symbols.text(name).to_owned();
        let head = text.split('.').next().unwrap_or(&text);
        let builtin = crate::builtins::is_builtin(language, head.trim_end_matches("()"));
        let rule = if builtin { Rule::Builtin } else { Rule::Library };
        // An operator of the language's own containers is no call that anyone wrote.
        let is_written = how != How::Implicit;
        if is_written {
            self.call_edge(call, End::External(name), rule, how);
            self.method_of_unknown(call, &text);
        }
        let libraries = self.solver.libraries.get(&language);
        let entry = libraries.and_then(|library| library.get(&text)).cloned();
        let is_told = builtin || entry.is_some() || self.solver.entry_of_method(call, name).is_some();
        // By its last name alone, it does what one of that name does, and perhaps more.
        let is_guessed = is_told && !builtin && entry.is_none();
        let is_asked = entry.as_ref().is_some_and(|entry| entry.asks);
        let put_together = !is_told && !is_decorator && self.may_be_put_together(call);
        // `task.delay(order)` of what library code made of a function of the index.
        let receiver = self.solver.calls[call as usize].receiver;
        let is_function =
            |(_, object)| matches!(object, Object::Function(_) | Object::Bound { .. } | Object::Partial(_));
        let is_of_function = !is_told && receiver.is_some_and(|receiver| self.solver.held(receiver).any(is_function));
        if !is_told && is_written && !is_decorator {
            self.send_keys(call, &text);
        }
        // What comes with the language reads no wire for others.
        let is_own = self.solver.untyped.contains(&file) && crate::builtins::is_python_module(head);
        if !is_told && is_written && !is_own {
            self.fill_handlers(call);
        }
        if !is_told {
            self.hand_type_arguments(call, End::External(name));
        }
        let arguments = self.solver.call_arguments(call).to_vec();
        for (index, argument) in arguments.iter().enumerate().filter(|_| is_written) {
            let Some(place) = argument.place else { continue };
            let how = match argument.kind {
                ArgumentKind::Positional => How::Positional,
                ArgumentKind::Keyword(_) => How::Keyword,
                ArgumentKind::Spread | ArgumentKind::SpreadKeywords => How::Variadic,
            };
            let site = EdgeSite {
                file,
                position: argument.position,
            };
            let rule = match put_together || is_of_function || (!is_told || is_asked) && self.may_be_called(place) {
                true => Rule::IntoLibrary,
                false => Rule::Syntax,
            };
            if rule == Rule::IntoLibrary || is_guessed {
                self.hand_made(call, place, (End::External(name), how), site);
            }
            if !is_told || is_guessed {
                self.hand_parts(call, place, (End::External(name), how), site);
            }
            if !is_told || is_asked || rule == Rule::IntoLibrary {
                self.hand_inner(call, place, (End::External(name), how), site);
            }
            let mut given = self.solver.with_inside(call, place);
            // What is filled gives nothing of what is in it.
            let is_filled =
                |effect: &Effect| matches!(effect, Effect::Decode { to, .. } if to.subject == Subject::Argument(index));
            if !entry.as_ref().is_some_and(|entry| entry.flows.iter().any(is_filled)) {
                given.extend(self.fields_given(call, place, is_told));
            }
            if rule == Rule::IntoLibrary && fills(&text) {
                given.extend(self.fields_within(call, place));
                self.filled_by_name(call, place);
            }
            for from in given {
                let is_kept = is_guessed && self.solver.held(from).any(is_function);
                let is_open = from != place && (!is_told || is_asked) && self.may_be_called(from);
                let rule = if is_kept || is_open { Rule::IntoLibrary } else { rule };
                let (kind, from, to) = (EdgeKind::PassesTo, End::Place(from), End::External(name));
                self.flows.values.push(ValueEdge {
                    kind,
                    from,
                    to,
                    how,
                    rule,
                    site,
                    call,
                });
            }
        }
        let result = self
            .solver
            .call_results(call)
            .first()
            .copied()
            .filter(|result| self.is_used(*result));
        if let Some(result) = result.filter(|_| is_written) {
            let site = self.call_site(call);
            let (kind, from, to) = (EdgeKind::ReturnsTo, End::External(name), End::Place(result));
            self.flows.values.push(ValueEdge {
                kind,
                from,
                to,
                how: How::Return,
                rule,
                site,
                call,
            });
        }
        if !builtin && !is_decorator {
            self.handed_over(call, &text, entry.as_ref());
        }
        match entry {
            Some(entry) => {
                for effect in &entry.flows {
                    self.library_effect(call, effect);
                }
                self.chosen_by_arguments(call, &entry);
            }
            None if is_decorator => {
                let given = arguments.first().and_then(|argument| argument.place);
                if let (Some(from), Some(to)) = (given, result) {
                    let site = self.call_site(call);
                    self.between(from, to, How::Assign, Rule::UnknownLibrary, site);
                }
            }
            None if is_of_module(language, &text) => self.summarize_all(call, Rule::UnknownLibrary),
            None => self.effects_by_name(call, name, Rule::UnknownLibrary),
        }
    }

    /// A method of which only the name is known does what methods of that name do, if the table says so.
    pub(super) fn effects_by_name(&mut self, call: u32, name: Symbol, rule: Rule) {
        match self.solver.entry_of_method(call, name) {
            Some(entry) => {
                for effect in &entry.flows {
                    self.library_effect(call, effect);
                    self.called_by_name(call, effect);
                }
                self.chosen_by_arguments(call, entry);
            }
            None => self.summarize_all(call, rule),
        }
    }

    /// `rows.apply(lambda row: …)`: what the function gives that such a method calls is in what the method gives.
    fn called_by_name(&mut self, call: u32, effect: &Effect) {
        let Effect::Call {
            callee,
            method: None,
            result: Some(to),
            ..
        } = effect
        else {
            return;
        };
        let site = self.call_site(call);
        let given = self.solver.subject_places(call, &callee.subject);
        let given: Vec<PlaceIndex> = given.iter().flat_map(|place| self.results_of_held(*place)).collect();
        for to in self.solver.subject_places(call, &to.subject) {
            for from in &given {
                self.flows.values.push(ValueEdge {
                    kind: EdgeKind::ReturnsTo,
                    from: End::Place(*from),
                    to: End::Place(to),
                    how: How::Return,
                    rule: Rule::LibraryTable,
                    site,
                    call,
                });
            }
        }
    }

    pub(super) fn summarize(&mut self, (from, to): (PlaceIndex, PlaceIndex), how: How, rule: Rule, site: EdgeSite) {
        if from != to {
            let ends = (End::Place(from), End::Place(to));
            let edge = ValueEdge::of_no_call(EdgeKind::Summarizes, ends, how, rule, site);
            self.flows.values.push(edge);
        }
    }

    /// Nothing is known: receiver and arguments are taken to reach every result.
    pub(super) fn summarize_all(&mut self, call: u32, rule: Rule) {
        let site = self.call_site(call);
        let mut sources: Vec<PlaceIndex> = self
            .solver
            .call_arguments(call)
            .iter()
            .filter_map(|argument| argument.place)
            .collect();
        let row = &self.solver.calls[call as usize];
        // `convert = name.upper; convert()`: what a value that nobody knows gives is made of that value.
        sources.push(row.receiver.unwrap_or(row.callee));
        for to in self.solver.call_results(call).to_vec() {
            if !self.is_used(to) {
                continue;
            }
            for source in &sources {
                for from in self.solver.with_inside(call, *source) {
                    self.summarize((from, to), How::None, rule, site);
                }
            }
        }
    }

    fn has_containers(&self, place: PlaceIndex) -> bool {
        let objects = self.solver.contents(place).iter();
        objects.copied().any(|object| self.solver.is_container(object))
    }

    fn has_objects(&self, place: PlaceIndex) -> bool {
        let is_one = |object: Object| matches!(object, Object::Instance(_) | Object::AnyOf(_));
        let mut held = self.solver.held(place);
        held.any(|(_, object)| match object {
            Object::Typed { element, .. } => {
                let elements = self.solver.objects.list(element).iter();
                elements
                    .copied()
                    .any(|element| is_one(self.solver.objects.get(element)))
            }
            object => is_one(object),
        })
    }

    pub(super) fn library_effect(&mut self, call: u32, effect: &Effect) {
        let site = self.call_site(call);
        let row = &self.solver.calls[call as usize];
        let (function, point) = (row.function, row.point);
        match effect {
            Effect::Move { from, to, carries } => {
                if let Some(key) = self.key_asked(call, from, true) {
                    self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                    let how = if *carries == Carries::Test {
                        How::Test
                    } else {
                        How::Decode
                    };
                    for to in self.solver.subject_places(call, &to.subject) {
                        self.flow(End::Key(key), End::Place(to), how, Rule::LibraryTable, site);
                    }
                }
                if let Some(key) = self.key_asked(call, to, false) {
                    self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                    if let Some(from) = self.key_asked(call, from, true) {
                        self.flow(End::Key(from), End::Key(key), How::Encode, Rule::LibraryTable, site);
                    }
                    for from in self.solver.subject_places(call, &from.subject) {
                        self.flow(End::Place(from), End::Key(key), How::Encode, Rule::LibraryTable, site);
                    }
                }
                for (end, is_read) in [(from, true), (to, false)] {
                    let EndPart::Under(index) = end.part else { continue };
                    // What lies in a container that is known comes out of that.
                    let is_read = is_read && !self.is_in_container(call, &end.subject);
                    if let Some(key) = self.key_at(call, index, is_read) {
                        self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                    }
                }
                // Parts that are put in are told where they are; a constant is put in by nobody.
                let is_told = to.part != EndPart::Whole && !self.solver.subject_places(call, &from.subject).is_empty();
                if to.subject == Subject::Receiver && !is_told {
                    for receiver in self.solver.subject_places(call, &to.subject) {
                        self.changed_inside(receiver, function, site);
                    }
                }
                // Containers bring along what is in them: nothing else goes on by that.
                if from.part != EndPart::Whole || to.part != EndPart::Whole || *carries == Carries::Containers {
                    return;
                }
                let how = match carries {
                    Carries::Test => How::Test,
                    _ => How::None,
                };
                for source in self.solver.subject_places(call, &from.subject) {
                    let mut sources = match self.heap.find_kept(source, point) {
                        Some(kept) => kept,
                        None => self.solver.with_inside(call, source),
                    };
                    // What makes a text of whatever it is given makes it of the fields.
                    if from.subject == Subject::Arguments {
                        sources.extend(self.fields_given(call, source, true));
                    }
                    for target in self.with_pointed_at(&to.subject, call) {
                        for source in &sources {
                            self.summarize((*source, target), how, Rule::LibraryTable, site);
                        }
                        if how == How::Test && to.subject == Subject::Receiver {
                            self.chooses_in(&sources, target, site);
                        }
                    }
                }
            }
            Effect::Decode { from, to, by } => {
                for target in self.with_pointed_at(&to.subject, call) {
                    let sources = self.solver.subject_places(call, &from.subject);
                    for source in &sources {
                        self.summarize((*source, target), How::None, Rule::LibraryTable, site);
                    }
                    for (member, key) in self.wire_parts(target, false, *by).named {
                        // A key is one for all objects.
                        self.read_by_key(function, (key, member), Rule::LibraryTable, site);
                        self.fills_itself(call, (member, key, *by), site);
                        for place in self.cells_of(target, member, call, true) {
                            if place != member && !sources.is_empty() {
                                self.flow(End::Key(key), End::Place(place), How::Decode, Rule::LibraryTable, site);
                            }
                            // What was encoded here says by its keys what is where.
                            for source in &sources {
                                if self.tables.encoded.contains(source) {
                                    continue;
                                }
                                self.summarize((*source, place), How::None, Rule::LibraryTable, site);
                            }
                        }
                    }
                }
            }
            Effect::Encode { from, .. } if from.subject == Subject::Keywords => self.send_keywords(call),
            Effect::Encode { from, to, by } => {
                for source in self.solver.subject_places(call, &from.subject) {
                    let targets = self.with_pointed_at(&to.subject, call);
                    let WireParts { named, unnamed } = self.wire_parts(source, true, *by);
                    let direct = self.solver.subject_places(call, &to.subject);
                    // Where all that lies in it is read, that very call's parts are known: fields of objects are not looked into for that.
                    let inside = self.solver.with_inside(call, source);
                    let is_read = inside.len() > 1
                        && !self.has_containers(inside[inside.len() - 1])
                        && !inside.iter().any(|place| self.has_objects(*place));
                    let is_told = |part: PlaceIndex| is_read && self.solver.program.member_of(part).is_none();
                    let (named, told): (Vec<_>, Vec<_>) = named.into_iter().partition(|(part, _)| !is_told(*part));
                    let unnamed: Vec<_> = unnamed.into_iter().filter(|(part, _)| !is_told(*part)).collect();
                    for target in &targets {
                        for place in inside.iter().take(if is_read { inside.len() } else { 1 }) {
                            self.summarize((*place, *target), How::None, Rule::LibraryTable, site);
                        }
                        // The table tells of its own parts, but not where a variable is pointed at.
                        let parts = unnamed.iter().filter(|(_, own)| !own || !direct.contains(target));
                        for (part, _) in parts {
                            self.summarize((*part, *target), How::None, Rule::LibraryTable, site);
                        }
                    }
                    for (part, key) in told {
                        self.written_by_key(function, (part, key), Rule::LibraryTable, site);
                    }
                    for (member, key) in named {
                        self.written_by_key(function, (member, key), Rule::LibraryTable, site);
                        for place in self.cells_of(source, member, call, false) {
                            if place != member {
                                self.flow(End::Place(place), End::Key(key), How::Encode, Rule::LibraryTable, site);
                            }
                            for target in &targets {
                                self.summarize((place, *target), How::None, Rule::LibraryTable, site);
                            }
                        }
                    }
                }
            }
            // Who gets what is made may call the function.
            Effect::Partial => {
                let function = self.solver.call_arguments(call).first().and_then(|first| first.place);
                let made = self.solver.call_results(call).first().copied();
                if let (Some(function), Some(made)) = (function, made) {
                    self.summarize((function, made), How::None, Rule::LibraryTable, site);
                }
            }
            Effect::Call {
                callee,
                method,
                arguments,
                chooses: Some(chosen),
                ..
            } => {
                let chosen = self.solver.subject_places(call, &chosen.subject);
                let chosen: Vec<_> = chosen
                    .iter()
                    .flat_map(|place| self.with_converted(call, *place))
                    .collect();
                for place in self.solver.subject_places(call, &callee.subject) {
                    for result in self.chosen_by(call, (place, method.as_deref()), arguments) {
                        for chosen in &chosen {
                            self.between(result, *chosen, How::Test, Rule::LibraryTable, site);
                            self.chooses_in(&[result], *chosen, site);
                        }
                    }
                }
            }
            Effect::Call { .. }
            | Effect::Remote { .. }
            | Effect::ClassOf
            | Effect::InstanceOf(_)
            | Effect::Columns { .. }
            | Effect::RowOf(_)
            | Effect::SubclassesOf(_)
            | Effect::RowsOf(_)
            | Effect::Relate { .. }
            | Effect::Render(_)
            | Effect::Hooks { .. }
            | Effect::Getter(_) => {}
            Effect::Serve { served, answers } => {
                for place in self.solver.subject_places(call, &served.subject) {
                    self.serves(place, *answers, site);
                }
            }
            Effect::Rename => self.renamed(call),
            Effect::Rows => self.rows_asked.push(call),
            Effect::Expression { is_test } => self.named_in_expressions(call, *is_test),
            Effect::Pick => self.pick(call),
            Effect::Fill(filled) => self.fill(call, &filled.subject),
            Effect::Iterate { .. } => {}
            Effect::Drop(_) | Effect::Resize(_) | Effect::Stir(_) | Effect::Start(_) => {}
        }
    }

    fn is_in_container(&self, call: u32, subject: &Subject) -> bool {
        let places = self.solver.subject_places(call, subject);
        let mut held = places.into_iter().flat_map(|place| self.solver.held(place));
        held.any(|(_, object)| matches!(object, Object::Container { .. }))
    }

    /// What is on the wire under a key goes into a member.
    pub(super) fn read_by_key(
        &mut self,
        function: FunctionIndex,
        (key, member): (Symbol, PlaceIndex),
        rule: Rule,
        site: EdgeSite,
    ) {
        self.flow(End::Key(key), End::Place(member), How::Decode, rule, site);
        self.access(EdgeKind::UsesKey, function, End::Key(key), rule, site);
        self.through_wire(EdgeKind::Writes, (function, member), (How::Decode, rule), site);
    }

    /// What is in a member goes on the wire under a key.
    pub(super) fn written_by_key(
        &mut self,
        function: FunctionIndex,
        (member, key): (PlaceIndex, Symbol),
        rule: Rule,
        site: EdgeSite,
    ) {
        self.flow(End::Place(member), End::Key(key), How::Encode, rule, site);
        self.access(EdgeKind::UsesKey, function, End::Key(key), rule, site);
        self.through_wire(EdgeKind::Reads, (function, member), (How::Encode, rule), site);
    }

    /// A field is read or written as what holds it is written to the wire, or read from there.
    fn through_wire(
        &mut self,
        kind: EdgeKind,
        (function, member): (FunctionIndex, PlaceIndex),
        (how, rule): (How, Rule),
        site: EdgeSite,
    ) {
        if self.solver.program.is_field(member) {
            self.access_by(kind, (function, End::Place(member)), how, rule, site);
        }
    }

    /// Where a field of what is in a place is: the cells of known objects, or the field of the class.
    fn cells_of(&self, base: PlaceIndex, member: PlaceIndex, call: u32, is_written: bool) -> Vec<PlaceIndex> {
        let Some(row) = self.solver.program.member_of(member) else {
            return vec![member];
        };
        let is_own = |object: Object| matches!(object, Object::Instance(index) if index == row.owner);
        if !self.solver.held(base).any(|(_, object)| is_own(object)) {
            return vec![member];
        }
        let point = self.solver.calls[call as usize].point;
        let found = match is_written {
            true => self.heap.find_filled(base, row.name, point),
            false => self.heap.find_taken(base, row.name, point),
        };
        let mut places = found.cells;
        if found.elsewhere {
            places.push(member);
        }
        places
    }

    /// The fields of a structure that library code is given as a whole: `log.Printf("%+v", user)` tells the user's address. `as_text`: not of
    /// what makes a text of itself.
    fn fields_given(&self, call: u32, place: PlaceIndex, as_text: bool) -> Vec<PlaceIndex> {
        /// Most fields that are told one by one.
        const MOST: usize = 32;
        let program = &self.solver.program;
        let file = self.solver.calls[call as usize].file;
        if program.files[file.at()].language != Language::Go {
            return Vec::new();
        }
        let mut fields = Vec::new();
        for (_, object) in self.solver.held(place) {
            let Object::Instance(owner) = object else { continue };
            let has = |name: &str| {
                let name = program.symbols.find(name);
                name.is_some_and(|name| program.find_member(owner, name).is_some())
            };
            if as_text && ["String", "Error", "Format", "GoString"].into_iter().any(has) {
                continue;
            }
            let own = program.own_fields(owner).into_iter();
            fields.extend(own.flat_map(|field| self.cells_of(place, field, call, false)));
        }
        fields.truncate(MOST);
        fields
    }

    /// What library code decodes of which nothing is known but its name: `toml.Decode(text, &config)` fills the fields of a structure by their tags.
    fn filled_by_name(&mut self, call: u32, place: PlaceIndex) {
        let (site, function) = (self.call_site(call), self.solver.calls[call as usize].function);
        if self.solver.untyped.contains(&site.file) {
            return;
        }
        for (member, key) in self.wire_fields(place) {
            self.read_by_key(function, (key, member), Rule::UnknownLibrary, site);
            for cell in self.cells_of(place, member, call, true) {
                if cell != member {
                    self.flow(End::Key(key), End::Place(cell), How::Decode, Rule::UnknownLibrary, site);
                }
            }
        }
    }

    /// The fields of what lies in a structure that library code fills, which it may fill as well: `viper.Unmarshal(&config)`.
    fn fields_within(&self, call: u32, place: PlaceIndex) -> Vec<PlaceIndex> {
        /// Most fields that are told.
        const MOST: usize = 512;
        let program = &self.solver.program;
        let file = self.solver.calls[call as usize].file;
        if self.solver.untyped.contains(&file) {
            return Vec::new();
        }
        let (mut seen, mut found, mut open) = (FxHashSet::default(), Vec::new(), vec![(place, true)]);
        let mut been = FxHashSet::default();
        while let Some((place, is_outer)) = open.pop().filter(|_| found.len() < MOST) {
            if !been.insert(place) {
                continue;
            }
            for (id, object) in self.solver.held(place) {
                match object {
                    Object::Instance(owner) if seen.insert(owner) => {
                        let own = program.own_fields(owner);
                        open.extend(own.iter().map(|field| (*field, false)));
                        found.extend(own.into_iter().filter(|_| !is_outer));
                    }
                    Object::Container { .. } => {
                        let parts = self.solver.parts.get(&id).into_iter().flatten();
                        open.extend(parts.filter(|_| !is_outer).map(|(_, part)| (*part, false)));
                    }
                    Object::Address(target) if is_outer => open.push((target, true)),
                    _ => {}
                }
            }
        }
        found
    }

    /// The places that an end means, and the variables of the same function that they point at.
    pub(super) fn with_pointed_at(&self, subject: &Subject, call: u32) -> Vec<PlaceIndex> {
        let function = self.solver.calls[call as usize].function;
        let is_own = |place: PlaceIndex| self.solver.program.owner_of(place) == Some(function);
        let mut places = self.solver.subject_places(call, subject);
        for place in places.clone() {
            let pointed_at = self.solver.held(place).filter_map(|(_, object)| match object {
                Object::Address(target) if is_own(target) => Some(target),
                _ => None,
            });
            places.extend(pointed_at);
        }
        let globals = places
            .iter()
            .filter_map(|place| self.tables.globals_used.get(place))
            .flatten();
        places.extend(globals.copied().collect::<Vec<_>>());
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Fields with wire names of whatever a place holds, inner structs and elements included; and constant keys of containers. A
    /// field of an inner struct also belongs to the key that the struct goes by, if that is the only one.
    pub(super) fn wire_fields(&mut self, place: PlaceIndex) -> Vec<(PlaceIndex, Symbol)> {
        self.wire_parts(place, false, WireNames::Keys).named
    }

    /// As [`Self::wire_fields`], and the parts that have no wire name: what stands in lists, or under keys that are not known.
    /// Where they are written, a field of an inner struct that has a key of its own goes by that alone: under the struct's key, the reader would
    /// take it for all fields of the struct. What is in a list is what the list's key brings.
    fn wire_parts(&mut self, whole: PlaceIndex, is_written: bool, by: WireNames) -> WireParts {
        let (mut found, mut unnamed) = (Vec::new(), Vec::new());
        let mut open: VecDeque<(PlaceIndex, Option<Symbol>, bool)> = VecDeque::from([(whole, None, false)]);
        let mut seen = FxHashSet::default();
        let (mut seen_types, mut seen_containers) = (FxHashSet::default(), FxHashSet::default());
        while let Some((place, around, mut is_listed)) = open.pop_front() {
            if !seen.insert(place) || seen.len() > WIRE_LIMIT {
                continue;
            }
            let mut objects: Vec<ObjectId> = self.solver.contents(place).to_vec();
            while let Some(id) = objects.pop() {
                match self.solver.objects.get(id) {
                    // Which member it is comes over the wire, and changes none of them.
                    Object::Instance(index) | Object::AnyOf(index) if self.solver.is_enumeration(index) => {}
                    Object::Instance(index) | Object::AnyOf(index) if seen_types.insert(index) => {
                        objects.extend(self.names.underlying(index));
                        objects.extend(self.all_below(index));
                        for (member, key) in self.wire_fields_of(index, is_written, by) {
                            found.extend(key.map(|key| (member, key)));
                            // What stands in an element has no name but the element's.
                            let is_text = self.solver.contents(member).is_empty();
                            let is_only = || self.tables.around.get(&index).copied().flatten() == around;
                            let nameless = around
                                .filter(|_| is_text && key.is_none() || key.is_some() && !is_written && is_only());
                            found.extend(nameless.map(|around| (member, around)));
                            open.push_back((member, key.or(around), false));
                        }
                    }
                    Object::Typed { element, .. } => {
                        is_listed = true;
                        objects.extend(self.solver.objects.list(element));
                    }
                    Object::Address(target) => open.push_back((target, around, is_listed)),
                    Object::Container { .. } if seen_containers.insert(id) => {
                        let parts = self.solver.parts.get(&id).into_iter().flatten();
                        let keyed = parts.map(|(part, at)| match part {
                            Part::Text(key) => (Some(*key), at),
                            _ => (None, at),
                        });
                        // What lies under a key is looked into by that key, before all that lie under any.
                        let mut keyed: Vec<_> = keyed.collect();
                        keyed.sort_by_key(|(key, _)| key.is_none());
                        for (key, part_at) in keyed {
                            match key {
                                Some(key) => found.push((*part_at, key)),
                                None => {
                                    unnamed.push((*part_at, place == whole));
                                    // A value in a list is what the list's key brings.
                                    let is_whole =
                                        |(_, object)| matches!(object, Object::External(_) | Object::AnyExternal(_));
                                    let is_text = is_written && self.solver.held(*part_at).all(is_whole);
                                    found.extend(around.filter(|_| is_text).map(|around| (*part_at, around)));
                                }
                            }
                            open.push_back((*part_at, key.or(around), true));
                        }
                    }
                    _ => {}
                }
            }
        }
        WireParts { named: found, unnamed }
    }

    /// What the functions give that a place holds.
    fn results_of_held(&self, place: PlaceIndex) -> Vec<PlaceIndex> {
        let functions = self.solver.held(place).filter_map(|(_, object)| match object {
            Object::Function(function) | Object::Bound { function, .. } => Some(function),
            _ => None,
        });
        functions
            .flat_map(|function| self.solver.function_results(function))
            .collect()
    }

    /// What may stand behind an interface of which a place holds any: it was given more types than it has room for.
    fn all_below(&self, index: TypeIndex) -> Vec<ObjectId> {
        if self.solver.program.type_facts(index).kind != TypeKind::Interface {
            return Vec::new();
        }
        let below = self.solver.subtypes(index).into_iter().take(BELOW_LIMIT);
        below
            .filter_map(|own| self.solver.objects.find(Object::Instance(own)))
            .collect()
    }

    /// Fields of a type that go on the wire, each with its name there; none for an embedded struct, whose fields stand for it.
    fn wire_fields_of(
        &mut self,
        index: TypeIndex,
        is_written: bool,
        by: WireNames,
    ) -> Vec<(PlaceIndex, Option<Symbol>)> {
        let mut fields = Vec::new();
        let is_model = self.solver.is_model(index);
        let naming = self.solver.naming_of(index);
        for base in self.solver.program.types[index.at()].order.clone() {
            let file = self.solver.program.types[base.at()].file;
            let is_go = self.solver.program.files[file.at()].language == Language::Go;
            for field in self.solver.program.type_facts(base).fields.clone() {
                let name = self.solver.program.symbol(file, field.name);
                let Some(member) = self.solver.program.types[base.at()].members.get(&name).copied() else {
                    continue;
                };
                if by == WireNames::Columns && !field.columns.is_empty() {
                    let columns = field.columns.iter().filter(|column| column.0 != 0);
                    fields.extend(columns.map(|key| (member, Some(self.solver.program.symbol(file, *key)))));
                    continue;
                }
                // What says how a model is read is no field of it.
                if is_model && !is_go && self.solver.program.symbols.text(name) == "model_config" {
                    continue;
                }
                let exported = self.solver.program.symbols.text(name).starts_with(char::is_uppercase);
                match field.keys.first() {
                    Some(key) if key.0 == 0 => {}
                    Some(key) if self.solver.program.files[file.at()].facts.text(*key) == NAMELESS => {
                        fields.push((member, None));
                    }
                    Some(_) => {
                        let keys = field.keys.iter().filter(|key| key.0 != 0);
                        fields.extend(keys.map(|key| (member, Some(self.solver.program.symbol(file, *key)))));
                    }
                    // Its own name is that of a field which nothing names otherwise; what Python writes of any object is told by its parts.
                    None if (is_go && exported || !is_go && (!is_written || is_model)) && !field.embedded => {
                        let by_column = Some(Naming::Snake).filter(|_| is_go && by == WireNames::Columns);
                        let naming = naming.or(by_column);
                        let key = naming.map_or(name, |naming| self.names.renamed(naming, name));
                        fields.push((member, Some(key)));
                        self.flows.field_keys.push((member, key));
                    }
                    None if field.embedded => fields.push((member, None)),
                    None => {}
                }
            }
        }
        fields
    }
}

/// Whether a name is that of a module's function, as `re.split` is: only modules have names of one word that are no types.
fn is_of_module(language: Language, name: &str) -> bool {
    let Some((of, member)) = name.rsplit_once('.').filter(|_| language == Language::Python) else {
        return false;
    };
    of == "os.path" || !of.contains(['.', '(']) && crate::builtins::has_member(of, member).is_none()
}

/// Whether a function of a library that is not known is named as one that fills what it is given.
fn fills(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "bind",
        "decode",
        "fill",
        "load",
        "parse",
        "populate",
        "scan",
        "unmarshal",
        "unpack",
    ];
    let function = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    WORDS.iter().any(|word| function.contains(word))
}
