//! What each function does with objects, laid out from the solved program: reads, writes, copies, calls, and what escapes.
//!
//! `xs.append(box)` is a write of a part of `xs`, as the table of library code says; `json.dumps(box)` hands `box` to code that is not
//! followed, so that it escapes.

use ripple_schema::How;
use rustc_hash::FxHashSet;

use super::boxes::gives_pointer;
use super::cells::PART_LIMIT;
use super::fields::fields_of;
use super::gathered::{Gathered, is_brought_list};
use super::keys::{is_brought, part_under};
use super::library::gives_objects_alone;
use super::looked_up::LookedUp;
use super::spread::Taken;
use super::values::{is_library_value, is_value_type};
use super::{Access, Callee, Filling, Heap, Site, ValueCopy, When};
use crate::facts;
use crate::facts::{ContainerKind, TypeExpression, TypeId, TypeKind};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, Part, PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::arguments::Passing;
use crate::propagate::edges::setter_call;
use crate::propagate::object::Object;
use crate::propagate::parts::{readable_parts, written_part};
use crate::propagate::solve::{CallRow, ElementRow, RowKey, Solver, Target};

/// Most functions that a call may enter for their closures to be told apart there.
const CLOSURE_LIMIT: usize = 4;

impl Heap {
    pub(super) fn lay_out(&mut self, solver: &mut Solver<'_>) {
        self.classes = super::folded::Classes::new(solver);
        let mut looked_up = LookedUp::new(solver);
        // What other functions and files see of a body's variables.
        let mut outside: FxHashSet<PlaceIndex> = FxHashSet::default();
        outside.extend(solver.import_sources.iter().map(|(from, _)| *from));
        let mut asked = FxHashSet::default();
        for row in &solver.loads {
            let packages = solver.slots[row.base.at()]
                .contents
                .iter()
                .filter_map(|id| match solver.objects.get(*id) {
                    Object::Package(package) => Some(package),
                    _ => None,
                });
            for package in packages.filter(|package| asked.insert((*package, row.member))) {
                if let Meaning::Places(places) = solver.program.package_member(package, row.member) {
                    outside.extend(places);
                }
            }
        }
        let gathered = self.lay_out_gathered(solver);
        let by_factory = std::mem::take(&mut looked_up.made_by_factory);
        self.lay_out_factories(solver, &by_factory);
        let taken = self.lay_out_spread(solver);
        for index in 0..solver.program.files.len() {
            let file = FileIndex(index as u32);
            let values = solver.program.member_values(file);
            let members = values.into_iter().map(|(_, member)| member);
            self.initial
                .extend(members.filter(|member| !by_factory.contains(member)));
            for (member, declared) in solver.program.declared_fields(file) {
                let owner = solver.program.member_of(member).map(|row| row.owner);
                if owner.is_some_and(|owner| solver.program.type_facts(owner).kind == TypeKind::Struct) {
                    self.of_structures.insert(member);
                    if is_library_value(solver, file, declared) {
                        self.initial.insert(member);
                        self.of_library.insert(member);
                        if container_at(solver, member).is_some() {
                            self.tables_held.insert(member);
                        }
                    }
                }
                if is_value_type(solver, file, declared, 0) {
                    self.initial.insert(member);
                    self.structured.insert(member);
                }
            }
            for local in 0..solver.program.files[index].facts.types.len() as u32 {
                let owner = solver.program.type_index(file, TypeId(local));
                for (member, _) in solver.program.array_fields(owner) {
                    self.initial.insert(member);
                    self.structured.insert(member);
                }
            }
        }
        self.of_library.extend(&looked_up.of_library);
        self.shared = std::mem::take(&mut looked_up.shared);
        self.shared.retain(|field| !by_factory.contains(field));
        self.entered = std::mem::take(&mut looked_up.entered);
        self.embedded = std::mem::take(&mut looked_up.embedded);
        self.lay_out_promoted(solver);
        for index in 0..solver.program.files.len() {
            let (file, facts) = (FileIndex(index as u32), solver.program.files[index].facts.clone());
            self.lay_out_boxes(solver, file, &facts);
            self.lay_out_closures(solver, file, &facts);
            self.lay_out_file(solver, file, &facts);
            self.lay_out_values(solver, file, &facts);
        }
        self.lay_out_bound(solver);
        self.lay_out_held_back(solver);
        for ((base, _, _), whole) in &solver.wholes {
            if let Some(function) = solver.program.owner_of(*whole) {
                self.locals[function.at()].asserted.push((*base, *whole));
            }
        }
        let kept_apart = &looked_up.kept_apart;
        self.note_library_fields(solver);
        for row in solver.loads.iter().filter(|row| !row.known && !row.silent) {
            if solver.asks_for_args(row) && container_at(solver, row.base) == Some(ContainerKind::Tuple) {
                self.locals[row.function.at()].copies.push((row.base, row.to));
            }
            let fields = fields_of(solver, kept_apart, row.base, row.member);
            let base = self.promoted.holder(row.base, row.member);
            for (step, fields) in self.steps_of((base, row.member), fields) {
                if !fields.is_empty() {
                    self.locals[row.function.at()].reads.push(Access {
                        base,
                        step,
                        value: Some(row.to),
                        fields,
                        at: (row.file, row.position),
                        when: When::certain(row.point),
                        function: row.function,
                    });
                }
            }
        }
        for text in solver.texts() {
            let row = &solver.calls[text.call as usize];
            for (name, field) in &text.fields {
                for (step, fields) in self.steps_of((text.of, *name), vec![*field]) {
                    self.locals[row.function.at()].reads.push(Access {
                        base: text.of,
                        step,
                        value: None,
                        fields,
                        at: (row.file, row.position),
                        when: When::certain(row.point),
                        function: row.function,
                    });
                }
            }
        }
        for row in solver.stores.iter().filter(|row| !solver.holds_records(row.base)) {
            let fields = fields_of(solver, kept_apart, row.base, row.member);
            let base = self.promoted.holder(row.base, row.member);
            for (step, fields) in self.steps_of((base, row.member), fields) {
                self.lay_out_write(Access {
                    base,
                    step,
                    value: row.from,
                    fields,
                    at: (row.file, row.position),
                    when: When::certain(row.point),
                    function: row.function,
                });
            }
        }
        for (store, function) in &solver.setter_calls {
            let row = solver.stores[*store as usize];
            let file = solver.program.functions[function.at()].file;
            let parameters = solver.program.function_facts(*function).parameters.iter();
            let parameters = parameters.map(|parameter| solver.program.place(file, parameter.place));
            let given = parameters.zip([Some(row.base), row.from]);
            let site = Site {
                call: setter_call(*store),
                number: 0,
                caller: row.function,
                at: (row.file, row.position),
                when: When::certain(row.point),
                is_started: false,
                value: None,
                callee: Callee::Function {
                    function: *function,
                    constructs: false,
                },
                given: given.filter_map(|(to, from)| Some((to, from?))).collect(),
                results: Vec::new(),
            };
            self.locals[row.function.at()].add_site(site);
            self.locals[function.at()].callers.push(row.function);
        }
        for (function, entered, given) in &solver.entered.themselves {
            self.locals[function.at()].copies.push((*entered, *given));
        }
        for row in solver.element_loads.iter().filter(|row| !row.known && !row.silent) {
            if row.key == RowKey::Target {
                self.lay_out_target(solver, row);
            }
            let leads_on = !self.points_at_boxes_alone(solver, row.base);
            let local = &mut self.locals[row.function.at()];
            if row.key == RowKey::Target {
                if leads_on {
                    local.copies.push((row.base, row.value));
                }
                continue;
            }
            match read_part(solver, row) {
                Some(part) => local.reads.push(part_access(solver, row, part)),
                None if solver.is_asked_by_call(row) => {}
                None => local.unknown.push(row.value),
            }
        }
        let has_targets = solver.element_stores.iter().any(|row| row.key == RowKey::Target);
        let stores = solver.element_stores.iter().filter(|_| has_targets);
        let filled: FxHashSet<PlaceIndex> = stores.map(|row| row.base).collect();
        for row in solver.element_stores.iter().filter(|row| !row.silent) {
            if let Some(member) = filled_field(solver, row) {
                let fields = fields_of(solver, kept_apart, row.base, member);
                for (step, fields) in self.steps_of((row.base, member), fields) {
                    self.lay_out_write(Access {
                        base: row.base,
                        step,
                        value: Some(row.value),
                        fields,
                        at: (row.file, row.position),
                        when: When::certain(row.point),
                        function: row.function,
                    });
                }
                continue;
            }
            if row.key == RowKey::Target && !is_structure(solver, row.base) {
                self.write_target(solver, row, &filled);
                continue;
            }
            if row.key == RowKey::Target
                && let Some(variables) = self.pointers_at(solver, row)
            {
                let copies = variables.into_iter().map(|variable| (row.value, variable));
                self.locals[row.function.at()].copies.extend(copies);
                continue;
            }
            if row.key == RowKey::Target && gives_pointer(solver, row) {
                self.lead_elsewhere(solver, row);
                continue;
            }
            if row.key == RowKey::Target {
                self.note_structure(solver, row.base);
                let local = &mut self.locals[row.function.at()];
                local.overwritten.push(ValueCopy {
                    from: row.value,
                    to: row.base,
                    at: (row.file, row.position),
                    point: Some(row.point),
                    function: row.function,
                    is_deep: false,
                });
                continue;
            }
            // What is sent into a generator is not among what it gives.
            let kind = match row.key {
                RowKey::Sent(_) | RowKey::SentFrom(_) | RowKey::Thrown | RowKey::Returned => None,
                _ => iterated_at(solver, row.base),
            };
            // What it makes itself, and may look at again, is written by callers while it waits.
            let entered = self.entered.get(&row.function);
            if entered.is_some_and(|entered| entered.shares(solver, row)) && !is_brought(solver, row.value) {
                self.locals[row.function.at()].escapes.push(row.value);
            }
            match kind {
                Some(kind) => {
                    let part = part_under(solver, row, kind).unwrap_or(written_part(kind, row.key));
                    self.lay_out_write(part_access(solver, row, part));
                }
                None => self.locals[row.function.at()].escapes.push(row.value),
            }
        }
        // What functions hand out is told by them.
        for row in solver.loops.iter().filter(|row| row.call.is_some()) {
            self.locals[row.function.at()].unknown.extend(&row.values);
        }
        for (call, from, to) in &solver.called_back {
            let caller = solver.calls[*call as usize].function;
            self.locals[caller.at()].copies.push((*from, *to));
        }
        self.lay_out_keys(solver, &looked_up.handed_on);
        self.lay_out_drops(solver);
        self.lay_out_moves(solver);
        for call in 0..solver.calls.len() as u32 {
            if solver.calls[call as usize].silent {
                continue;
            }
            self.lay_out_call(solver, call, &gathered, &taken);
        }
        self.lay_out_handed(solver);
        self.lay_out_raised(solver);
        self.lay_out_globals(solver, &outside, &looked_up);
        outside.extend(super::remembered::remembered(solver));
        for (_, _, places) in &solver.name_sources {
            outside.extend(places);
        }
        self.lay_out_singletons(solver, &mut outside, &looked_up.handed_over);
        for place in outside {
            if let Some(function) = solver.program.owner_of(place) {
                self.locals[function.at()].escapes.push(place);
            }
        }
    }

    /// A write, or a copy where that is what the language makes of it.
    fn lay_out_write(&mut self, access: Access) {
        let is_structured = access.fields.iter().any(|field| self.structured.contains(field));
        let by_value = access.value.filter(|value| match self.by_value.get(value) {
            Some(is_fresh) => is_structured || !is_fresh,
            None => false,
        });
        let local = &mut self.locals[access.function.at()];
        let Some(from) = by_value else {
            return local.writes.push(access);
        };
        local.fillings.push(Filling {
            copy: ValueCopy {
                from,
                to: access.base,
                at: access.at,
                point: Some(access.when.point),
                function: access.function,
                is_deep: false,
            },
            step: access.step,
            fields: access.fields.clone(),
        });
        // The cell itself is written, too.
        local.writes.push(Access { value: None, ..access });
    }

    fn lay_out_file(&mut self, solver: &mut Solver<'_>, file: FileIndex, facts: &facts::FileFacts) {
        let filled: FxHashSet<facts::PlaceId> = facts.flows.iter().map(|flow| flow.to).collect();
        for (at, declared) in &facts.declared {
            // A pointer that nothing was put in points at nothing; named results are variables, too.
            let kind = facts.places[at.0 as usize].kind;
            let is_variable = matches!(kind, facts::PlaceKind::Local | facts::PlaceKind::Value);
            let is_value = |solver: &mut Solver<'_>| {
                is_value_type(solver, file, *declared, 0) || is_library_value(solver, file, *declared)
            };
            if is_variable && !filled.contains(at) && is_value(solver) {
                let place = solver.program.place(file, *at);
                let made = self.made_at(place);
                self.put(place, &[made]);
            }
        }
        for (at, object) in &facts.objects {
            let facts::Object::Instance(declared) = object else {
                continue;
            };
            let TypeExpression::Container {
                kind: ContainerKind::List,
                element: Some(element),
                ..
            } = *solver.program.type_expression(file, *declared)
            else {
                continue;
            };
            if is_value_type(solver, file, element, 0) {
                let made = self.made_at(solver.program.place(file, *at));
                self.of_values.insert(made);
            }
        }
        let solver = &*solver;
        let grown = self.lay_out_grown(solver, file, facts);
        let place = |local: facts::PlaceId| solver.program.place(file, local);
        for function in &facts.functions {
            for parameter in &function.parameters {
                let to = place(parameter.place);
                self.bring(to);
            }
            if let Some(receiver) = function.receiver {
                self.bring(place(receiver));
            }
        }
        for flow in facts.flows.iter().filter(|flow| flow.same) {
            let (from, to) = (
                facts.places[flow.from.0 as usize].function,
                facts.places[flow.to.0 as usize].function,
            );
            let is_kept = self.is_kept(place(flow.from), place(flow.to));
            let local = &mut self.locals[solver.program.function(file, from).at()];
            if self.boxed.contains(&place(flow.from)) || self.boxed.contains(&place(flow.to)) {
                continue;
            }
            if from == to {
                local.copies.push((place(flow.from), place(flow.to)));
            } else if !is_kept {
                local.escapes.push(place(flow.from));
                let other = solver.program.function(file, to);
                match flow.how {
                    How::Default => _ = self.with_default.insert(place(flow.to)),
                    _ => self.locals[other.at()].unknown.push(place(flow.to)),
                }
            }
        }
        for assertion in &facts.assertions {
            let function = facts.places[assertion.to.0 as usize].function;
            let function = solver.program.function(file, function);
            let asserted = (place(assertion.from), place(assertion.to));
            self.locals[function.at()].asserted.push(asserted);
            self.asserting.insert(function);
        }
        for narrowing in &facts.narrowings {
            let function = solver
                .program
                .function(file, facts.places[narrowing.to.0 as usize].function);
            let (from, to) = (place(narrowing.from), place(narrowing.to));
            if !super::outside::is_for_others(solver, from, to) {
                self.locals[function.at()].copies.push((from, to));
            }
        }
        for (at, object) in &facts.objects {
            if let facts::Object::Address(target) = object
                && !is_structure(solver, place(*target))
                && !self.is_kept_in(solver, place(*target))
                && !self.boxed.contains(&place(*target))
            {
                let made = self.made_at(place(*at));
                self.put(place(*at), &[made]);
            }
            if let facts::Object::Instance(_) | facts::Object::Container(_) = object
                && !grown.contains(&place(*at))
            {
                let made = self.made_at(place(*at));
                self.put(place(*at), &[made]);
            }
        }
        for store in &facts.name_stores {
            let function = solver.program.function(file, store.function);
            self.locals[function.at()].escapes.extend(store.from.map(place));
        }
        for name_use in &facts.name_uses {
            let function = solver.program.function(file, name_use.function);
            self.locals[function.at()].unknown.push(place(name_use.to));
        }
        for value in &facts.member_values {
            let function = facts.places[value.from.0 as usize].function;
            let function = solver.program.function(file, function);
            self.locals[function.at()].escapes.push(place(value.from));
        }
    }

    /// A generated constructor fills every field, with what it is given or with what the class says.
    fn lay_out_generated(&mut self, solver: &Solver<'_>, call: u32, class: TypeIndex) {
        let row = &solver.calls[call as usize];
        let Some(made) = solver
            .call_results(call)
            .first()
            .filter(|_| solver.has_generated_constructor(class))
        else {
            return;
        };
        let filled = solver.filled_fields(call, class);
        let taken = solver.generated_fields(call, class);
        for field in solver.constructor_fields(class) {
            let is_given = filled.iter().any(|(place, _)| *place == field.place);
            // What is spread tells itself what it puts there.
            if taken
                .iter()
                .any(|passing| passing.spread.is_some() && passing.to == field.place)
            {
                continue;
            }
            self.locals[row.function.at()].writes.push(Access {
                base: *made,
                step: Step::Member(field.name),
                value: None,
                fields: vec![field.place],
                at: (row.file, row.position),
                when: When {
                    point: row.point,
                    is_certain: is_given && row.targets.len() < 2,
                },
                function: row.function,
            });
        }
    }

    fn lay_out_call(&mut self, solver: &Solver<'_>, call: u32, gathered: &Gathered, taken: &Taken) {
        let row = &solver.calls[call as usize];
        let caller = row.function;
        // Of several targets the one may write what the other reads: a class's fields and its `__post_init__`.
        // A function that came from somewhere says more than its type.
        let targets = row.entries().filter(|target| *target != Target::Opaque);
        let is_certain = row.how != How::Callback && targets.take(2).count() < 2;
        let is_entered = |target: &Target| matches!(target, Target::Function { function, .. } if self.entered.contains_key(function));
        let is_started = row.how == How::Go || solver.started.contains(&call) || row.targets.iter().any(is_entered);
        let site = |callee, given, results| Site {
            call,
            number: 0,
            caller,
            at: (row.file, row.position),
            when: When {
                point: row.point,
                is_certain,
            },
            is_started,
            value: solver.call_results(call).first().copied(),
            callee,
            given,
            results,
        };
        // What a table says that library code calls is called by that code: it has told already what it is handed.
        let (mut is_holder_told, mut makes) = (false, false);
        let mut handed_out = row.targets.is_empty() && row.how != How::Callback && !is_absent(solver, row);
        for target in row.entries() {
            let (function, bound, base, constructs) = match target {
                Target::Function {
                    function,
                    receiver,
                    base,
                } => (function, receiver.is_some(), base, false),
                Target::Constructor { function, .. } => {
                    (function, true, solver.call_results(call).first().copied(), true)
                }
                Target::Class(class) => {
                    self.lay_out_generated(solver, call, class);
                    let given = solver.generated_fields(call, class);
                    let part = |passing: &Passing| taken.get(&(call, passing.from, passing.to)).copied();
                    let given: Vec<_> = given
                        .iter()
                        .filter(|passing| passing.spread.is_none() || part(passing).is_some())
                        .map(|passing| (passing.to, part(passing).unwrap_or(passing.from)))
                        .collect();
                    let callee = if solver.is_hidden(class) && given.is_empty() {
                        Callee::Unknown
                    } else {
                        Callee::Class
                    };
                    self.locals[caller.at()].add_site(site(callee, given, Vec::new()));
                    handed_out |= callee == Callee::Unknown;
                    continue;
                }
                Target::Conversion(class) => {
                    let argument = solver.call_arguments(call).first().and_then(|first| first.place);
                    match (argument, solver.call_results(call).first()) {
                        // A structure of its own, with what was in the fields.
                        (_, Some(to)) if solver.makes_another(call, class) => {
                            let made = self.made_at(*to);
                            self.put(*to, &[made]);
                        }
                        (Some(from), Some(to)) => self.locals[caller.at()].copies.push((from, *to)),
                        _ => {}
                    }
                    continue;
                }
                Target::External(name) => {
                    // What library code puts where a pointer leads is in the variable.
                    let arguments = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
                    let pointers: Vec<PlaceIndex> =
                        arguments.filter(|place| self.points_at_boxes(solver, *place)).collect();
                    self.locals[caller.at()].escapes.extend(pointers);
                    let followed = self.follow_library(solver, call, name);
                    let by_name = self.follow_by_name(solver, call, name);
                    is_holder_told |= by_name.is_receiver_told;
                    makes |= by_name.makes;
                    handed_out |= !followed;
                    let entry = solver.table_entry(row.file, name);
                    let makes_anew =
                        entry.is_some_and(|entry| entry.flows.iter().any(|effect| solver.makes_anew(call, effect)));
                    let is_made = solver
                        .call_results(call)
                        .first()
                        .is_some_and(|result| self.made.contains_key(result) || makes_anew);
                    let is_told = followed && entry.is_some_and(gives_objects_alone);
                    if !is_made && !is_told {
                        self.locals[caller.at()].add_site(site(Callee::Unknown, Vec::new(), Vec::new()));
                    }
                    continue;
                }
                // A function that came from somewhere says more than its type.
                Target::Opaque => {
                    handed_out |= row.targets.len() == 1;
                    continue;
                }
                Target::Elsewhere => continue,
            };
            let mut given = Vec::new();
            for mut passing in solver.passings(call, function, bound, base) {
                passing.from = self.held_back.given(call, passing.from);
                let container = gathered.get(&(call, passing.to));
                match (passing.gathered, passing.spread, container) {
                    (Some(part), spread, Some(to)) => {
                        // What is spread is told as a move.
                        if spread.is_none() {
                            let site = site(Callee::Unknown, Vec::new(), Vec::new());
                            self.gather(solver, (passing.from, part), (*to, passing.to), &site);
                        }
                        if !given.contains(&(passing.to, *to)) {
                            given.push((passing.to, *to));
                        }
                    }
                    (None, None, _) if passing.how == How::Receiver => {
                        let owner = solver.program.functions[function.at()].owner;
                        let from = self.receivers.get(&(call, function)).copied().unwrap_or(passing.from);
                        given.push((passing.to, self.promoted.receiver(from, owner)));
                    }
                    (None, None, _) => given.push((passing.to, passing.from)),
                    (None, Some(_), _) => match taken.get(&(call, passing.from, passing.to)) {
                        Some(part) => given.push((passing.to, *part)),
                        None => self.locals[caller.at()].escapes.push(passing.from),
                    },
                    _ => self.locals[caller.at()].escapes.push(passing.from),
                }
            }
            self.give_nothing_left(solver, (call, function), gathered, &mut given);
            self.give_defaults(solver, function, &mut given);
            // What the closure keeps is handed in with every call; among many, nobody would know which of them keeps what.
            match self.kept.get(&function) {
                Some(kept) if row.targets.len() > CLOSURE_LIMIT => {
                    self.locals[function.at()].escapes.push(*kept);
                    self.locals[caller.at()].escapes.push(row.callee);
                }
                Some(kept) => given.push((*kept, self.held_back.given(call, row.callee))),
                None => {}
            }
            let values = solver.call_results(call).iter().copied();
            let results = if constructs {
                Vec::new()
            } else {
                values.zip(solver.function_results(function)).collect()
            };
            self.locals[caller.at()].add_site(site(Callee::Function { function, constructs }, given, results));
            if !self.locals[function.at()].callers.contains(&caller) {
                self.locals[function.at()].callers.push(caller);
            }
        }
        if handed_out {
            let arguments = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
            // What holds a function is not handed to it.
            let is_handed = row.targets != [Target::Opaque] && !(is_holder_told && row.targets.len() == 1);
            let holder = row
                .receiver
                .filter(|holder| is_handed && !is_of_own_class(solver, *holder));
            let handed: Vec<PlaceIndex> = arguments.chain(holder).collect();
            let results = solver.call_results(call).to_vec();
            let local = &mut self.locals[caller.at()];
            local.escapes.extend(handed);
            local.unknown.extend(results.into_iter().filter(|_| !makes));
        }
    }
}

/// Whether a place holds objects of classes of the index alone: library code that they inherit knows nothing of their own fields.
fn is_of_own_class(solver: &Solver<'_>, holder: PlaceIndex) -> bool {
    let mut held = solver.held(holder).peekable();
    let is_own = |object| matches!(object, Object::Instance(class) | Object::AnyOf(class) if solver.is_class(class));
    held.peek().is_some() && held.all(|(_, object)| is_own(object))
}

/// Whether a call is of a special method that the receiver is known not to have.
fn is_absent(solver: &Solver<'_>, row: &CallRow) -> bool {
    let asks = matches!(row.how, How::Implicit | How::Callback);
    let Some(receiver) = row.receiver.filter(|receiver| asks && *receiver != row.callee) else {
        return false;
    };
    let mut held = solver.held(receiver).peekable();
    held.peek().is_some()
        && held.all(|(_, object)| match object {
            // Of classes below it that have the method it would be a target.
            Object::Instance(owner) | Object::AnyOf(owner) => !solver.program.types[owner.at()].open,
            Object::Container { .. } => true,
            _ => false,
        })
}

/// The field that a part of a structure's literal without keys fills.
fn filled_field(solver: &Solver<'_>, row: &ElementRow) -> Option<Symbol> {
    solver.held(row.base).find_map(|(_, object)| match object {
        Object::Instance(index) if !solver.is_class(index) => {
            let field = solver.field_at(index, row.key)?;
            Some(solver.program.member_of(field)?.name)
        }
        _ => None,
    })
}

/// The kind of the containers that a place holds; none for generators, which run while they are read.
pub(super) fn container_at(solver: &Solver<'_>, base: PlaceIndex) -> Option<ContainerKind> {
    let kind = kinds_at(solver, base).next()?;
    kinds_at(solver, base)
        .all(|kind| kind != ContainerKind::Generator)
        .then_some(kind)
}

/// Rows of tables are made by library code: what is in them is told where they are.
fn kinds_at<'s>(solver: &'s Solver<'_>, base: PlaceIndex) -> impl Iterator<Item = ContainerKind> + 's {
    let has_rows = !solver.rows_made.is_empty() && solver.held(base).any(|(_, object)| object.is_row());
    solver.held(base).filter_map(move |(_, object)| match object {
        Object::Container { kind, .. } | Object::Typed { kind, .. } => Some(kind).filter(|_| !has_rows),
        _ => None,
    })
}

/// The kind of what a place holds that is iterated over: generators give their parts one by one, whenever that is.
pub(super) fn iterated_at(solver: &Solver<'_>, base: PlaceIndex) -> Option<ContainerKind> {
    let first = kinds_at(solver, base).next()?;
    let is_map = |kind| kind == ContainerKind::Map;
    let has_generator = kinds_at(solver, base).any(|kind| kind == ContainerKind::Generator);
    match has_generator {
        true if kinds_at(solver, base).any(is_map) => None,
        true => Some(ContainerKind::Generator),
        false => Some(first),
    }
}

/// The part that an element load reads; `Any` for all of them.
pub(super) fn read_part(solver: &Solver<'_>, row: &ElementRow) -> Option<Part> {
    if let RowKey::At(_) = row.key {
        return container_at(solver, row.base).map(|_| Part::Any);
    }
    if row.key == RowKey::First && !row.library {
        let kind = iterated_at(solver, row.base)?;
        let is_in_order = matches!(kind, ContainerKind::List | ContainerKind::Tuple)
            && solver.held(row.base).all(|(id, _)| !solver.is_moved(id));
        return match kind {
            ContainerKind::Map => readable_parts(kind, row.key).first().copied(),
            _ => Some(if is_in_order { Part::Index(0) } else { Part::Any }),
        };
    }
    let is_iterated = match row.key {
        RowKey::Each | RowKey::Next | RowKey::Any | RowKey::Awaited | RowKey::AwaitedNext => true,
        // What a generator gives next depends on what was sent into it until then.
        RowKey::First | RowKey::Step(_) | RowKey::Index(_) => {
            solver.held(row.base).all(|(id, _)| !solver.sent_to.contains(&id))
        }
        _ => false,
    };
    let kind = match is_iterated {
        true => iterated_at(solver, row.base),
        false => container_at(solver, row.base),
    }?;
    if let RowKey::Back(back) = row.key {
        let mut positions = solver.held(row.base).map(|(id, _)| solver.position_from_end(id, back));
        let position = positions.next().flatten();
        return match position.filter(|first| positions.all(|other| other == Some(*first))) {
            Some(position) => Some(Part::Index(position)),
            None if is_brought_list(solver, row.base) => Some(Part::Last(back)),
            None => Some(Part::Any),
        };
    }
    if let RowKey::Index(_) = row.key
        && solver.held(row.base).any(|(id, _)| solver.is_moved(id))
    {
        return Some(Part::Any);
    }
    if let Some(part) = part_under(solver, row, kind) {
        return Some(part);
    }
    match readable_parts(kind, row.key).first()? {
        Part::All => Some(Part::Any),
        part => Some(*part),
    }
}

fn part_access(solver: &Solver<'_>, row: &ElementRow, part: Part) -> Access {
    let fields = part_fields(solver, row.base, part);
    Access {
        base: row.base,
        step: Step::Part(part),
        value: Some(row.value),
        fields,
        at: (row.file, row.position),
        when: When {
            point: row.point,
            is_certain: !row.library,
        },
        function: row.function,
    }
}

/// The parts that may be meant, of the containers that a place holds.
pub(super) fn part_fields(solver: &Solver<'_>, base: PlaceIndex, part: Part) -> Vec<PlaceIndex> {
    let part = if let Part::Under(_) | Part::OneOf(_) | Part::Last(_) = part {
        Part::Any
    } else {
        part
    };
    let mut fields: Vec<PlaceIndex> = solver
        .held(base)
        .filter_map(|(id, _)| solver.elements.get(&(id, part)).copied())
        .collect();
    if part == Part::Any {
        // What was put in under constant keys is read by whoever reads everything.
        for (id, _) in solver.held(base) {
            let parts = solver.parts.get(&id).into_iter().flatten();
            let parts = parts.filter(|(part, _)| matches!(part, Part::Text(_) | Part::Index(_)));
            fields.extend(parts.map(|(_, place)| *place).take(PART_LIMIT));
        }
    }
    fields
}

/// Whether a place holds structures, which pointers to them stand for.
fn is_structure(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    solver
        .held(place)
        .any(|(_, object)| matches!(object, Object::Instance(_) | Object::AnyOf(_)))
}
