//! What a call does when an object arrives at its callee: targets, arguments to parameters, results to the value of the call.

use ripple_schema::{How, Language};

use super::arguments::{Passing, Spread};
use super::forwarding::Entered;
use super::object::{Object, ObjectId};
use super::solve::{
    ArgumentRow, CallRow, Constraint, ElementRow, LoadRow, PartCopyRow, RowBase, RowKey, RowSite, Solver, Target,
};
use crate::facts;
use crate::facts::order::Point;
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, TypeIndex};

/// Most partial applications inside each other.
const PARTIAL_LIMIT: usize = 4;

impl Solver<'_> {
    pub(super) fn call_object(&mut self, call: u32, object: ObjectId) {
        if let Some(own) = self.calls[call as usize].copy_of
            && !self.is_copied_through(call, object)
        {
            return self.share_results(own, call);
        }
        if self.is_made_too_often(call, object) {
            return self.add_target(call, Target::Elsewhere);
        }
        match self.objects.get(object) {
            Object::Function(function) if self.is_of_interface(function) => self.call_by_interface(call, function),
            Object::Function(function) => {
                let is_itself = self.is_given_itself(call, function);
                self.add_target(
                    call,
                    Target::Function {
                        function,
                        receiver: is_itself.then_some(object),
                        base: is_itself.then(|| self.calls[call as usize].callee),
                    },
                );
            }
            Object::Bound {
                function,
                receiver,
                base,
            } => {
                self.add_target(
                    call,
                    Target::Function {
                        function,
                        receiver: Some(receiver),
                        base: Some(base),
                    },
                );
            }
            Object::Class(class) => self.call_class(call, class),
            // A metaclass that is not called again for what it makes.
            Object::Instance(_) | Object::AnyOf(_) if self.made_plainly.contains_key(&call) => {}
            Object::Instance(index) | Object::AnyOf(index) => match self.program.type_language(index) {
                Language::Go => {
                    for underlying in self.underlying_objects(index) {
                        if let Object::Callable(_) = self.objects.get(underlying) {
                            self.call_object(call, underlying);
                        }
                    }
                }
                _ => {
                    let name = self.program.symbols.intern("__call__");
                    if let Some(place) = self.program.find_member(index, name) {
                        self.attach_once(place, Constraint::CallMember(call, object));
                    }
                }
            },
            Object::External(name) => self.call_external(call, name),
            Object::Callable(results) => {
                self.add_target(call, Target::Opaque);
                if let Some(result) = self.call_results(call).first().copied() {
                    for object in self.objects.list(results).to_vec() {
                        self.add(result, object);
                    }
                }
            }
            Object::Partial(made) => self.call_partial(call, made),
            Object::Taken { method, base } => self.call_taken(call, object, (method, base)),
            Object::LoopBody(index) => self.call_body(call, index),
            _ => {}
        }
    }

    /// Whether a function is the method that an interface declares.
    fn is_of_interface(&self, function: FunctionIndex) -> bool {
        let owner = self.program.functions[function.at()].owner;
        owner.is_some_and(|owner| self.program.type_facts(owner).kind == facts::TypeKind::Interface)
    }

    /// `Interface.Method(value, …)`: the method of what the first argument holds.
    fn call_by_interface(&mut self, call: u32, function: FunctionIndex) {
        let row = self.calls[call as usize].clone();
        let given = self.call_arguments(call).to_vec();
        let Some((Some(receiver), rest)) = given.split_first().map(|(first, rest)| (first.place, rest)) else {
            return;
        };
        if row.targets.contains(&Target::Elsewhere) {
            return;
        }
        self.add_target(call, Target::Elsewhere);
        let name = self.program.function_facts(function).name;
        let member = self.program.symbol(self.program.functions[function.at()].file, name);
        let to = self.derive_place(DerivedPlace::Passing(row.function));
        self.push_load(LoadRow::implicit(receiver, member, to, row.at()));
        let results = self.call_results(call).to_vec();
        let row = CallRow {
            callee: to,
            receiver: Some(receiver),
            targets: Vec::new(),
            ..row
        };
        self.push_call(row, rest, &results);
    }

    /// What was held back comes before what is given now.
    fn call_partial(&mut self, call: u32, made: u32) {
        if call == made || !self.partials.insert((call, made)) {
            return;
        }
        if let Some(getter) = self.getter(made) {
            return self.call_getter(call, made, getter);
        }
        // What holds itself back, by whatever way round, is called with that once.
        let before = self.partial_calls.get(&call).map(|(_, made)| made.clone());
        let before = before.unwrap_or_default();
        if before.contains(&made) || before.len() >= PARTIAL_LIMIT {
            return;
        }
        self.add_target(call, Target::Elsewhere);
        let held_back = self.call_arguments(made).to_vec();
        let Some(callee) = held_back.first().and_then(|first| first.place) else {
            return;
        };
        let given = self.call_arguments(call);
        // What the call says by keyword stands in place of what was held back under it.
        let is_again = |held: &&ArgumentRow| held.name.is_some() && given.iter().any(|own| own.name == held.name);
        let mut arguments: Vec<_> = held_back[1..].iter().filter(|held| !is_again(held)).copied().collect();
        arguments.extend_from_slice(given);
        // Keywords after positions, as `passings` counts.
        arguments.sort_by_key(|argument| argument.name.is_some());
        let results = self.call_results(call).to_vec();
        let row = CallRow {
            callee,
            receiver: None,
            targets: Vec::new(),
            ..self.calls[call as usize].clone()
        };
        let inner = self.push_call(row, &arguments, &results);
        self.partial_calls
            .insert(inner, (call, before.into_iter().chain([made]).collect()));
    }

    fn call_class(&mut self, call: u32, class: TypeIndex) {
        if self.makes_no_member(call, class) {
            return self.add_target(call, Target::Elsewhere);
        }
        if self.is_made_by_metaclass(call, class) || self.is_unaccepted_by_class(call, class) {
            return;
        }
        self.make_instance(call, class);
    }

    /// What calling a class does where its metaclass doesn't come before it.
    pub(super) fn make_instance(&mut self, call: u32, class: TypeIndex) {
        let result = self.call_results(call).first().copied();
        // What is converted to an interface, or by another name of its type, stays what it is.
        let stays = matches!(
            self.program.type_facts(class).kind,
            facts::TypeKind::Interface | facts::TypeKind::Alias
        );
        if let Some(result) = result.filter(|_| !stays) {
            let instance = self.objects.intern(Object::Instance(class));
            self.add(result, instance);
        }
        if self.program.type_language(class) == Language::Go {
            if !self.calls[call as usize].targets.contains(&Target::Conversion(class)) {
                self.convert_structure(call, class);
            }
            self.add_target(call, Target::Conversion(class));
            // An interface, or a function or container under another name, still holds what it held.
            let keeps = stays || !self.underlying_objects(class).is_empty();
            if let (true, Some(result), Some(argument)) = (
                keeps,
                result,
                self.call_arguments(call).first().and_then(|first| first.place),
            ) {
                match self.is_structure_renamed(class) {
                    // What was of the other type is of this one from here on.
                    true => self.attach(argument, Constraint::CopyPlain(result)),
                    false => self.copy(argument, result),
                }
            }
            return;
        }
        if let Some(result) = result {
            self.make_container(call, class, result);
        }
        // Its members are there already.
        let members = self.members_called(call, class);
        if !members.is_empty() {
            if let Some(result) = result {
                members.into_iter().for_each(|member| self.copy(member, result));
            }
            return self.add_target(call, Target::Class(class));
        }
        self.make_by_new(call, class);
        self.render_made(call, class);
        let name = self.program.symbols.intern("__init__");
        match self.program.find_member(class, name) {
            Some(place) => self.attach_once(place, Constraint::Construct(call, class)),
            None => {
                if !self.is_made_by_new(call, class) {
                    self.add_target(call, Target::Class(class));
                }
                let after = self.program.symbols.find("__post_init__");
                let after = after.filter(|_| self.has_generated_constructor(class));
                if let Some(place) = after.and_then(|name| self.program.find_member(class, name)) {
                    self.attach_once(place, Constraint::Construct(call, class));
                }
            }
        }
    }

    /// A task that library code calls with itself before what it is given: `@shared_task(bind=True) def work(self, order)`.
    fn is_given_itself(&self, call: u32, function: FunctionIndex) -> bool {
        let facts = self.program.function_facts(function);
        let file = self.program.functions[function.at()].file;
        let first = facts.parameters.first();
        self.calls[call as usize].how == How::Callback
            && facts.decorated
            && self.program.functions[function.at()].owner.is_none()
            && first.is_some_and(|first| self.program.files[file.at()].facts.text(first.name) == "self")
    }

    pub(super) fn construct(&mut self, call: u32, class: TypeIndex, object: ObjectId) {
        if let Object::Function(function) = self.objects.get(object) {
            self.add_target(call, Target::Constructor { function, class });
        }
    }

    pub(super) fn call_member(&mut self, call: u32, receiver: ObjectId, object: ObjectId) {
        if let Object::Function(function) = self.objects.get(object) {
            let base = Some(self.calls[call as usize].callee);
            self.add_target(
                call,
                Target::Function {
                    function,
                    receiver: Some(receiver),
                    base,
                },
            );
        }
    }

    pub(super) fn add_target(&mut self, call: u32, target: Target) {
        if self.calls[call as usize].targets.contains(&target) || self.is_unaccepted(call, target) {
            return;
        }
        self.calls[call as usize].targets.push(target);
        self.note_set(call, target);
        let always_raises = match target {
            Target::Function { function, .. } => self.program.function_facts(function).always_raises,
            _ => false,
        };
        if !always_raises {
            self.note_end(call);
        }
        match target {
            Target::Function {
                function,
                receiver,
                base,
            } => self.enter_function(call, function, receiver, base),
            Target::Constructor { function, class } => {
                let instance = self.objects.intern(Object::Instance(class));
                self.enter_function(call, function, Some(instance), None);
            }
            Target::Class(class) => {
                for passing in self.generated_fields(call, class) {
                    self.pass(passing);
                }
            }
            Target::Conversion(_) | Target::External(_) | Target::Opaque | Target::Elsewhere => {}
        }
    }

    fn enter_function(
        &mut self,
        call: u32,
        function: FunctionIndex,
        receiver: Option<ObjectId>,
        base: Option<PlaceIndex>,
    ) {
        let results = self.function_results(function);
        let given = self.call_results(call).to_vec();
        let constructs = matches!(
            self.calls[call as usize].targets.last(),
            Some(Target::Constructor { .. })
        );
        let back = |solver: &mut Self, parameter: PlaceIndex, argument: Option<PlaceIndex>| -> Vec<PlaceIndex> {
            let ways = solver.handed_back.get(&parameter).filter(|_| !constructs);
            let ways = ways.cloned().unwrap_or_default();
            solver.places_back((call, function), parameter, argument, &ways)
        };
        if !constructs {
            self.note_entered(function, Entered { call, receiver, base });
        }
        let copies = match constructs {
            true => Default::default(),
            false => self.copy_for(call, function),
        };
        if let (Some(receiver), Some(place)) = (receiver, self.receiver_place(function)) {
            self.allow_receiver(place, receiver);
            self.add(place, receiver);
            // Where the receiver comes to, from inside and by what hands it back.
            let mut to_all = back(self, place, base);
            to_all.extend(copies.get(&place).copied());
            // A named function type or container holds a function or container besides being of its type.
            if let (Object::Instance(named), Some(base)) = (self.objects.get(receiver), base)
                && !self.underlying_objects(named).is_empty()
            {
                for to in to_all.iter().chain([&place]) {
                    self.attach(base, Constraint::CopyPlain(*to));
                }
            }
            let whole = base.or(given.first().copied().filter(|_| constructs));
            if let (Object::Instance(class), Some(whole)) = (self.objects.get(receiver), whole) {
                self.receive_container(class, whole, to_all.iter().copied().chain([place]));
            }
            for to in to_all {
                self.add(to, receiver);
            }
        }
        for passing in self.passings(call, function, receiver.is_some(), base) {
            if passing.is_receiver_known(receiver) && self.receiver_place(function).is_some() {
                continue;
            }
            if !self.pass_to_hook(call, passing) {
                self.pass(passing);
            }
            if let Some(to) = copies.get(&passing.to) {
                self.pass(Passing { to: *to, ..passing });
            }
            if passing.gathered.is_none() {
                for to in back(self, passing.to, Some(passing.from)) {
                    self.pass(Passing { to, ..passing });
                }
            }
        }
        if constructs {
            return;
        }
        self.hand_back_defaults(call, function, receiver.is_some());
        let typed = self.typed_results(call, function, base);
        self.suppose_results(function, base, &given);
        for (index, (from, to)) in results.into_iter().zip(given).enumerate() {
            match typed.get(index).cloned().flatten() {
                Some(objects) => objects.into_iter().for_each(|object| self.add(to, object)),
                None => {
                    let sources = match copies.get(&from) {
                        Some(own) => vec![*own],
                        None => self.result_for((call, function, receiver), from),
                    };
                    for from in sources {
                        self.copy(from, to);
                        self.copy_forwarded(call, from, to);
                    }
                }
            }
        }
    }

    /// A parameter that is handed back, and left out by a call, is its default there.
    fn hand_back_defaults(&mut self, call: u32, function: FunctionIndex, bound: bool) {
        let file = self.program.functions[function.at()].file;
        let parameters = self.program.function_facts(function).parameters.iter();
        let parameters = parameters.map(|parameter| self.program.place(file, parameter.place));
        let left = |place: &PlaceIndex| self.defaults.contains_key(place) && self.handed_back.contains_key(place);
        let mut left: Vec<PlaceIndex> = parameters.filter(left).collect();
        if left.is_empty() {
            return;
        }
        let given = self.parameters_given(call, function, bound);
        left.retain(|parameter| !given.contains(parameter));
        for parameter in left {
            let ways = self.handed_back.get(&parameter).cloned().unwrap_or_default();
            let sources = self.defaults.get(&parameter).cloned().unwrap_or_default();
            for to in self.places_back((call, function), parameter, None, &ways) {
                sources.iter().for_each(|from| self.copy(*from, to));
            }
        }
    }

    pub(super) fn function_results(&self, function: FunctionIndex) -> Vec<PlaceIndex> {
        let file = self.program.functions[function.at()].file;
        let results = &self.program.function_facts(function).results;
        results.iter().map(|result| self.program.place(file, *result)).collect()
    }

    /// Objects along an argument's way.
    pub(super) fn pass(&mut self, passing: Passing) {
        if let Some(part) = passing.gathered {
            for container in self.gathering(passing.to) {
                self.element(container, part);
                if part == Part::Any && passing.spread.is_none_or(|spread| spread == Spread::Any) {
                    self.open.insert(container);
                }
            }
        }
        let Some(spread) = passing.spread else {
            for (from, to) in self.ways(passing) {
                self.copy(from, to);
            }
            return;
        };
        // Parts arrive later, too, and at positions and under keys that nobody knows.
        let (file, function) = self
            .program
            .owner_of(passing.from)
            .map_or((FileIndex(0), FunctionIndex(0)), |owner| {
                (self.program.functions[owner.at()].file, owner)
            });
        let (key, shift) = match spread {
            Spread::At(index) => (RowKey::Index(index), 0),
            Spread::Named(name) => (RowKey::Text(name), 0),
            Spread::Moved(further) => (RowKey::Any, further),
            Spread::Rest | Spread::Any => (RowKey::Any, 0),
        };
        let at = RowSite {
            file,
            function,
            position: passing.position,
            point: Point::default(),
            silent: true,
        };
        let taken = |value| ElementRow {
            library: true,
            ..ElementRow::made((passing.from, key, value), RowBase::Plain, at)
        };
        if passing.gathered.is_none() {
            return self.push_element_load(taken(passing.to));
        }
        if spread == Spread::Any {
            for container in self.gathering(passing.to) {
                let any = self.element(container, Part::Any);
                self.push_element_load(taken(any));
            }
            return;
        }
        self.part_copies.push(PartCopyRow {
            shift,
            except: self.names_taken(passing),
            ..PartCopyRow::of_all(passing.from, passing.to, at)
        });
    }

    pub(super) fn call_arguments(&self, call: u32) -> &[ArgumentRow] {
        let (start, count) = self.calls[call as usize].arguments;
        &self.arguments[start as usize..(start + count) as usize]
    }

    pub(super) fn call_results(&self, call: u32) -> &[PlaceIndex] {
        let (start, count) = self.calls[call as usize].results;
        &self.results[start as usize..(start + count) as usize]
    }
}
