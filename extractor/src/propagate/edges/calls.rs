//! Calls of functions and classes of the index: arguments to parameters, results to values; and calls that nothing is known of.
//!
//! `x = f(y)` is `CALLS` from this function to `f`, `PASSES_TO` from `y` to `f`'s parameter, `RETURNS_TO` from `f`'s result to `x`.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashMap;

use super::{CallEdge, Collector, EdgeSite, End, NO_CALL, ValueEdge};
use crate::facts::PlaceKind;
use crate::facts::order::Point;
use crate::link::{FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::callees::{TARGET_LIMIT, maker_of};
use crate::propagate::object::Object;
use crate::propagate::ruled_out::RuledOut;
use crate::propagate::solve::{LoadRow, Target};

impl Collector<'_, '_> {
    /// What never happens hands nothing over; that it is a call the source says all the same.
    pub(super) fn calls(&mut self, ruled_out: &RuledOut) {
        self.find_spread_from_afar();
        for call in 0..self.solver.calls.len() as u32 {
            if self.solver.calls[call as usize].silent {
                continue;
            }
            let targets = self.solver.calls[call as usize].targets.clone();
            let mut told: Vec<Target> = Vec::new();
            self.is_never = ruled_out.has_call(self.solver, call);
            for target in &targets {
                if !told.iter().any(|other| other.is_entered_as(*target)) && !self.is_overruled(call, *target) {
                    self.call_target(call, *target);
                    told.push(*target);
                }
            }
            if targets.is_empty() {
                self.unresolved_call(call);
            } else if self.is_shown_as_it_is(call, &told) {
                self.answered_by_itself(call);
            }
            self.may_be_of_another(call);
            self.chosen_by_value(call, &told);
        }
    }

    /// A method of a subtype that only the declared type of the receiver suggests, where more exact receivers have arrived since.
    fn is_overruled(&self, call: u32, target: Target) -> bool {
        if self.is_only_declared(call, target) || self.is_answered_before(call, target) {
            return true;
        }
        if let Target::External(name) = target {
            // Something that library code may have given is guessed at; a function of the index is known.
            let guessed = self.solver.program.symbols.text(name).contains("()");
            let row = &self.solver.calls[call as usize];
            return guessed
                && row
                    .targets
                    .iter()
                    .any(|target| matches!(target, Target::Function { .. }));
        }
        let Target::Function {
            function,
            receiver,
            base: bound_at,
        } = target
        else {
            return false;
        };
        let Some(receiver) = receiver else {
            // A decorator that gives back the class, or a function that would: the class it is. Where so many meet that nobody tells them apart,
            // whatever decorators make is for other functions.
            let targets = &self.solver.calls[call as usize].targets;
            let (is_crowd, mut targets) = (targets.len() > TARGET_LIMIT, targets.iter());
            return maker_of(self.solver.program, function).is_some()
                && targets.any(|target| match *target {
                    Target::Constructor { class, .. } | Target::Class(class) => {
                        is_crowd || self.solver.decorated_classes.contains(&class)
                    }
                    _ => false,
                });
        };
        let Some(load) = self.tables.load_of.get(&self.solver.calls[call as usize].callee) else {
            return false;
        };
        let LoadRow {
            base,
            member,
            after,
            file,
            ..
        } = self.solver.loads[*load as usize];
        // A method that a field keeps was bound elsewhere.
        if self.solver.tells_where_bound(file) && bound_at.is_some_and(|bound_at| bound_at != base) {
            return false;
        }
        if after.is_none() && self.solver.holds_more(base) {
            // Where nobody in the index makes any of them, others do.
            let mut all = self.solver.calls[call as usize].targets.iter();
            let is_made = |receiver| self.solver.is_made(receiver, member);
            return !is_made(receiver)
                && all.any(|other| matches!(other, Target::Function { receiver: Some(other), .. } if is_made(*other)));
        }
        let owner = self.solver.program.functions[function.at()].owner;
        let mut narrowed = false;
        for (id, object) in self.solver.held(base) {
            let (Object::Instance(index) | Object::AnyOf(index)) = object else {
                continue;
            };
            let order = &self.solver.program.types[index.at()].order;
            if id == receiver || owner.is_some_and(|owner| order.contains(&owner)) {
                return false;
            }
            narrowed = narrowed
                || self.solver.widened.contains(&(*load, id))
                    && !self.solver.is_from_outside(base, id)
                    && (self.solver.says_more(&self.solver.loads[*load as usize], index)
                        || self.solver.held(base).any(|(_, held)| self.is_of_library(file, held)));
        }
        narrowed
    }

    /// A method of a library's interface, or of one of those who have it, where something more exact has arrived since.
    fn is_only_declared(&self, call: u32, target: Target) -> bool {
        let Some(load) = self.tables.load_of.get(&self.solver.calls[call as usize].callee) else {
            return false;
        };
        let row = self.solver.loads[*load as usize];
        let held = || self.solver.held(row.base);
        let symbols = &self.solver.program.symbols;
        let interfaces: Vec<Symbol> = held()
            .filter_map(|(id, object)| match object {
                Object::AnyExternal(name) if self.solver.widened.contains(&(*load, id)) => Some(name),
                _ => None,
            })
            .collect();
        if interfaces.is_empty() || !self.solver.is_narrowed(row.base) {
            return false;
        }
        match target {
            Target::External(name) => interfaces.iter().any(|interface| {
                let rest = symbols.text(name).strip_prefix(symbols.text(*interface));
                let is_given = held().any(|(_, object)| object == Object::External(*interface));
                rest.and_then(|rest| rest.strip_prefix('.')) == Some(symbols.text(row.member)) && !is_given
            }),
            Target::Function {
                function,
                receiver: Some(receiver),
                ..
            } => {
                let owner = self.solver.program.functions[function.at()].owner;
                !held().any(|(id, object)| match object {
                    Object::Instance(index) | Object::AnyOf(index) => {
                        let order = &self.solver.program.types[index.at()].order;
                        id == receiver
                            || matches!(object, Object::AnyOf(_))
                            || owner.is_some_and(|owner| order.contains(&owner))
                    }
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// What a call of an enumeration gives is one of its members: which, the argument says.
    fn looked_up(&mut self, call: u32, class: TypeIndex) {
        let members = self.solver.members_called(call, class);
        let Some(value) = self
            .solver
            .call_results(call)
            .first()
            .copied()
            .filter(|_| !members.is_empty())
        else {
            return;
        };
        let site = self.call_site(call);
        for member in members {
            self.between(member, value, How::Element, Rule::AnyElement, site);
        }
        let asked = self.solver.call_arguments(call).first().and_then(|first| first.place);
        if let Some(asked) = asked {
            self.between(asked, value, How::Test, Rule::AnyElement, site);
        }
    }

    pub(super) fn call_edge(&mut self, call: u32, target: End, rule: Rule, how: How) {
        let edge = self.call_as_edge(call, target, rule, how);
        self.flows.calls.push(edge);
    }

    fn call_as_edge(&self, call: u32, target: End, rule: Rule, how: How) -> CallEdge {
        let row = &self.solver.calls[call as usize];
        let site = EdgeSite {
            file: row.file,
            position: row.position,
        };
        CallEdge {
            function: row.function,
            target,
            how,
            rule,
            site,
            call,
        }
    }

    pub(super) fn call_target(&mut self, call: u32, target: Target) {
        let row = &self.solver.calls[call as usize];
        let (file, how) = (row.file, row.how);
        match target {
            Target::Function {
                function,
                receiver,
                base,
            } => {
                let rule = match base.is_some_and(|base| self.solver.is_fitting(base, function)) {
                    true if !self
                        .tables
                        .load_of
                        .contains_key(&self.solver.calls[call as usize].callee) =>
                    {
                        Rule::AnyElement
                    }
                    _ => self.target_rule(call, function),
                };
                let how = if how == How::Direct && receiver.is_some() {
                    How::Method
                } else {
                    how
                };
                self.call_edge(call, End::Function(function), rule, how);
                if let Some(asked) = self.tables.described.get(&function).filter(|_| receiver.is_some()) {
                    self.call_edge(call, End::Function(*asked), rule, how);
                }
                if self.is_never {
                    return;
                }
                self.pass_arguments(call, function, receiver.is_some(), base, rule);
                self.return_results(call, function, rule);
                if self.tables.telling.contains(&function) {
                    self.keep_arguments(call, function, (base, false));
                }
            }
            Target::Constructor { function, class } => {
                let rule = self.target_rule(call, function);
                if !self.solver.constructed_inside.contains(&(call, class)) {
                    self.call_edge(call, End::Function(function), rule, How::Constructor);
                    // A constructor of a class above says not of which class the object is.
                    if self.solver.program.functions[function.at()].owner != Some(class) {
                        self.makes(call, class, rule);
                    }
                }
                if self.is_never {
                    return;
                }
                let value = self.solver.call_results(call).first().copied();
                self.pass_arguments(call, function, true, value, rule);
                self.keep_arguments(call, function, (value, true));
                self.become_itself(call, function, class);
            }
            Target::Class(class) => {
                self.call_edge(call, End::Type(class), Rule::Scope, How::Constructor);
                self.looked_up(call, class);
                let filled = self.solver.generated_fields(call, class);
                let caller = self.solver.calls[call as usize].function;
                // A constant is written, too.
                let constants = self.solver.filled_fields(call, class).into_iter();
                let constants = constants.filter(|(_, argument)| argument.place.is_none());
                let written = filled.iter().map(|passing| (passing.to, passing.position));
                let written = written.chain(constants.map(|(to, argument)| (to, argument.position)));
                for (field, position) in written.collect::<Vec<_>>() {
                    let (field, site) = (End::Place(field), EdgeSite { file, position });
                    self.access(EdgeKind::Writes, caller, field, Rule::DeclaredType, site);
                }
                for passing in &filled {
                    let site = EdgeSite {
                        file,
                        position: passing.position,
                    };
                    self.named_by_spread(call, passing, site);
                    let part = self.heap.part_taken(call, passing);
                    for (from, to) in self.ways_of(call, passing) {
                        self.between(from, to, How::Store, Rule::DeclaredType, site);
                        part.into_iter()
                            .for_each(|part| self.between(from, part, How::Store, Rule::DeclaredType, site));
                    }
                }
                // What fills a container is told by its parts.
                let is_opaque = self.solver.program.types[class.at()].open && !self.solver.is_container_class(class);
                if filled.is_empty() && is_opaque {
                    self.summarize_all(call, Rule::UnknownLibrary);
                }
            }
            Target::Conversion(class) => {
                let from = self
                    .solver
                    .call_arguments(call)
                    .first()
                    .and_then(|argument| argument.place);
                let to = self.solver.call_results(call).first().copied();
                if let (Some(from), Some(to)) = (from, to) {
                    let site = self.call_site(call);
                    self.between(from, to, How::Assign, Rule::Syntax, site);
                    if !self.solver.makes_another(call, class) {
                        self.share_fields(from, class, site);
                    }
                }
            }
            Target::External(name) => {
                self.call_getters(call, name);
                self.external_call(call, name);
            }
            Target::Elsewhere => {}
            Target::Opaque => {
                if self.solver.calls[call as usize].targets.len() == 1 {
                    self.unresolved_call(call);
                }
            }
        }
    }

    /// A call makes an object of a class by a constructor that the class inherits.
    fn makes(&mut self, call: u32, class: TypeIndex, rule: Rule) {
        let edge = self.call_as_edge(call, End::Type(class), rule, How::Constructor);
        self.flows.through.push(edge);
    }

    /// `self.fget(obj)` in a class of the index that makes properties, as one below `property`: the functions that these were made of.
    fn call_getters(&mut self, call: u32, name: Symbol) {
        let described = &self.tables.described;
        if described.is_empty() || self.solver.program.symbols.text(name) != "property.fget" {
            return;
        }
        let row = &self.solver.calls[call as usize];
        let (function, how) = (row.function, row.how);
        let getters = described.iter().filter(|(_, asked)| **asked == function);
        let mut getters: Vec<_> = getters.map(|(getter, _)| *getter).collect();
        getters.sort_unstable();
        for getter in getters {
            self.call_edge(call, End::Function(getter), Rule::Propagated, how);
        }
    }

    /// `class Name(str)`: what it is made of is what it is, for its constructor, too.
    fn become_itself(&mut self, call: u32, constructor: FunctionIndex, class: TypeIndex) {
        let is_value = |base: &str| matches!(base, "str" | "bytes" | "bytearray" | "int" | "float" | "complex");
        let new = self.solver.program.symbols.find("__new__");
        let makes_itself = new.is_some_and(|new| self.solver.program.find_member(class, new).is_some());
        if makes_itself || !self.solver.external_bases(class).any(is_value) {
            return;
        }
        let first = self.solver.call_arguments(call).first();
        let Some(given) = first.filter(|first| first.name.is_none()).and_then(|first| first.place) else {
            return;
        };
        let site = self.call_site(call);
        if let Some(value) = self.solver.call_results(call).first().copied() {
            self.summarize((given, value), How::Positional, Rule::LibraryTable, site);
        }
        if let Some(receiver) = self.solver.receiver_place(constructor) {
            self.flows.values.push(ValueEdge {
                kind: EdgeKind::PassesTo,
                from: End::Place(given),
                to: End::Place(receiver),
                how: How::Positional,
                rule: Rule::LibraryTable,
                site,
                call,
            });
        }
    }

    /// A pointer to a structure becomes one to another type with the same fields: what is in the one is in the other.
    fn share_fields(&mut self, from: PlaceIndex, class: TypeIndex, site: EdgeSite) {
        let own = self.solver.program.types[class.at()].members.clone();
        let mut own: Vec<_> = own.into_iter().collect();
        own.sort_unstable();
        for (_, object) in self.solver.held(from).collect::<Vec<_>>() {
            let Object::Instance(source) = object else { continue };
            for (name, to) in own.iter().filter(|_| source != class) {
                let is_field = |place: PlaceIndex| self.solver.program.is_field(place);
                let theirs = self.solver.program.types[source.at()].members.get(name).copied();
                if let Some(theirs) = theirs.filter(|theirs| is_field(*theirs) && is_field(*to)) {
                    self.between(theirs, *to, How::Assign, Rule::Syntax, site);
                    self.between(*to, theirs, How::Assign, Rule::Syntax, site);
                }
            }
        }
    }

    pub(super) fn call_site(&self, call: u32) -> EdgeSite {
        let row = &self.solver.calls[call as usize];
        EdgeSite {
            file: row.file,
            position: row.position,
        }
    }

    /// How the callee was found.
    pub(super) fn target_rule(&self, call: u32, function: FunctionIndex) -> Rule {
        let row = &self.solver.calls[call as usize];
        let Some(load) = self.tables.load_of.get(&row.callee) else {
            let is_name = matches!(self.place_kind(row.callee), Some(PlaceKind::Binding | PlaceKind::Value));
            return if row.how == How::Direct && is_name {
                Rule::Scope
            } else {
                Rule::Propagated
            };
        };
        let load_row = self.solver.loads[*load as usize];
        let owner = self.solver.program.functions[function.at()].owner;
        let mut rule = Rule::Propagated;
        for (id, object) in self.solver.held(load_row.base) {
            let found = match object {
                Object::Instance(index) | Object::AnyOf(index) | Object::Class(index) => index,
                Object::Package(_) => return Rule::Scope,
                _ => continue,
            };
            let order = &self.solver.program.types[found.at()].order;
            if owner.is_some_and(|owner| order.contains(&owner)) {
                return self.member_rule(load_row.base, object);
            }
            if self.solver.widened.contains(&(*load, id)) {
                let is_receiver = self.place_kind(load_row.base) == Some(PlaceKind::Receiver);
                rule = if is_receiver {
                    Rule::SelfOverride
                } else {
                    Rule::Hierarchy
                };
            }
        }
        rule
    }

    pub(super) fn pass_arguments(
        &mut self,
        call: u32,
        function: FunctionIndex,
        bound: bool,
        base: Option<PlaceIndex>,
        rule: Rule,
    ) {
        let file = self.solver.calls[call as usize].file;
        self.pass_defaults(call, function, bound, rule);
        self.pass_promoted(call, function, base, rule);
        for passing in self.solver.passings(call, function, bound, base) {
            let site = EdgeSite {
                file,
                position: passing.position,
            };
            self.named_by_spread(call, &passing, site);
            if passing.spread.is_none() {
                self.row_handed(passing.from, passing.to, site);
            }
            for (from, to) in self.ways_of(call, &passing) {
                // A container that a call makes of its arguments, and that stays, is no matter of the callee alone.
                if passing.gathered.is_some() && self.read_from_afar.contains(&passing.to) {
                    self.between(from, to, passing.how, rule, site);
                }
                let (kind, from, to, how) = (EdgeKind::PassesTo, End::Place(from), End::Place(to), passing.how);
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
    }

    /// `event.Show()` is `event.Request.Show()` where the request is embedded: it is what the method gets.
    fn pass_promoted(&mut self, call: u32, function: FunctionIndex, base: Option<PlaceIndex>, rule: Rule) {
        let Some(base) = base else { return };
        let row = &self.solver.calls[call as usize];
        let (caller, point, site) = (row.function, row.point, self.call_site(call));
        let owner = self.solver.program.functions[function.at()].owner;
        let fields: Vec<_> = self.heap.promoting_method(base, owner).collect();
        for (_, field) in &fields {
            self.access(EdgeKind::Reads, caller, End::Place(*field), rule, site);
        }
        let program = &self.solver.program;
        let first = fields
            .first()
            .and_then(|(whole, field)| Some((*whole, *field, program.member_of(*field)?.name)));
        if let (Some((whole, field, name)), Some(receiver)) = (first, self.solver.receiver_place(function)) {
            let found = self.heap.find_taken(whole, name, point);
            let elsewhere = found.elsewhere.then_some(field);
            for from in found.cells.into_iter().chain(elsewhere) {
                self.flows.values.push(ValueEdge {
                    kind: EdgeKind::PassesTo,
                    from: End::Place(from),
                    to: End::Place(receiver),
                    how: How::Receiver,
                    rule,
                    site,
                    call,
                });
            }
        }
    }

    /// The default of a parameter is what a call that leaves it out hands over.
    fn pass_defaults(&mut self, call: u32, function: FunctionIndex, bound: bool, rule: Rule) {
        self.entered.insert(function);
        let program = &self.solver.program;
        let file = program.functions[function.at()].file;
        let places = program.function_facts(function).parameters.iter();
        let places: Vec<PlaceIndex> = places.map(|parameter| program.place(file, parameter.place)).collect();
        if !places.iter().any(|place| self.defaults.contains_key(place)) {
            return;
        }
        let given = self.solver.parameters_given(call, function, bound);
        let site = self.call_site(call);
        for to in places.into_iter().filter(|place| !given.contains(place)) {
            for from in self.defaults.get(&to).into_iter().flatten() {
                self.flows.values.push(ValueEdge {
                    kind: EdgeKind::PassesTo,
                    from: End::Place(*from),
                    to: End::Place(to),
                    how: How::Default,
                    rule,
                    site,
                    call,
                });
            }
        }
    }

    /// Defaults of functions that nobody in the index is known to call.
    pub(super) fn defaults_of_uncalled(&mut self) {
        let mut defaults: Vec<(PlaceIndex, Vec<PlaceIndex>)> = std::mem::take(&mut self.defaults).into_iter().collect();
        defaults.sort_unstable();
        for (to, sources) in defaults {
            let function = self.solver.program.owner_of(to);
            let Some(site) = self.solver.program.site_of(to) else {
                continue;
            };
            if function.is_none_or(|function| !self.entered.contains(&function)) {
                for from in sources {
                    self.between(from, to, How::Default, Rule::Syntax, site.into());
                }
            }
        }
    }

    pub(super) fn return_results(&mut self, call: u32, function: FunctionIndex, rule: Rule) {
        let file = self.solver.program.functions[function.at()].file;
        let from = self.solver.program.function_facts(function).results.clone();
        let site = self.call_site(call);
        for (from, to) in from.into_iter().zip(self.solver.call_results(call).to_vec()) {
            if self.is_used(to) {
                let from = End::Place(self.solver.program.place(file, from));
                let (kind, to) = (EdgeKind::ReturnsTo, End::Place(to));
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
        }
    }

    /// Calls, and writes of parts, that budgets keep from being told whole.
    pub(super) fn calls_cut(&mut self) {
        let cut = &self.tables.cut;
        self.flows.cut = (cut.calls.len(), cut.names.len());
        for &call in &cut.calls {
            // As where nothing is known: the language's own way with built-in values stands for the rest.
            if matches!(self.solver.calls[call as usize].how, How::Implicit | How::Callback) {
                continue;
            }
            let name = self.names.of_call(call);
            self.unknown_callee(call, name, Rule::OverBudget);
        }
        for &(name, call) in &cut.names {
            let how = self.solver.calls[call as usize].how;
            self.call_edge(call, End::Unresolved(name), Rule::OverBudget, how);
        }
        for write in &cut.writes {
            let name = self.names.of_container(write.container);
            self.flows.writes_cut.push((name, write.file));
            self.flows.values.push(ValueEdge {
                kind: EdgeKind::PassesTo,
                from: End::Place(write.value),
                to: End::Unresolved(name),
                how: How::Put,
                rule: Rule::OverBudget,
                site: EdgeSite {
                    file: write.file,
                    position: write.position,
                },
                call: NO_CALL,
            });
        }
    }

    pub(super) fn unresolved_call(&mut self, call: u32) {
        let row = self.solver.calls[call as usize].clone();
        let result = self
            .solver
            .call_results(call)
            .first()
            .copied()
            .filter(|result| self.is_used(*result));
        let site = self.call_site(call);
        match row.how {
            How::Implicit => {
                self.answered_by_itself(call);
                return self.special_unknown(call);
            }
            How::Callback => return self.special_unknown(call),
            How::Decorator => {
                let given = self
                    .solver
                    .call_arguments(call)
                    .first()
                    .and_then(|argument| argument.place);
                if let (Some(from), Some(to)) = (given, result) {
                    self.between(from, to, How::Assign, Rule::UnknownCallee, site);
                }
            }
            _ => self.effects_by_name(call, row.text, Rule::UnknownCallee),
        }
        let name = self.names.of_call(call);
        let rule = match self.tables.load_of.get(&row.callee) {
            Some(load) => {
                let base = self.solver.loads[*load as usize].base;
                if self.solver.contents(base).is_empty() {
                    Rule::UnresolvedReceiver
                } else {
                    Rule::UnresolvedMember
                }
            }
            None if self.solver.unbound.contains_key(&row.callee) => Rule::UnresolvedName,
            None => Rule::UnresolvedValue,
        };
        self.unknown_callee(call, name, rule);
    }

    /// An operator or a conversion asks what nobody knows for a special method, and a class of the index has one.
    fn special_unknown(&mut self, call: u32) {
        let row = &self.solver.calls[call as usize];
        let (file, function) = (row.file, row.function);
        let Some(load) = self
            .tables
            .load_of
            .get(&row.callee)
            .filter(|_| self.solver.untyped.contains(&file))
        else {
            return;
        };
        let load = self.solver.loads[*load as usize];
        let is_special = self.solver.program.symbols.text(load.member).starts_with("__");
        let is_asked = is_special && self.names.is_of_a_method(load.member);
        if is_asked && self.may_be_of_the_index(load.base, file) && self.special.insert((function, load.member)) {
            self.call_edge(
                call,
                End::Unresolved(load.member),
                Rule::UnresolvedSpecial,
                How::Implicit,
            );
        }
    }

    /// Whatever is called by a name gets what the call gives.
    fn unknown_callee(&mut self, call: u32, name: Symbol, rule: Rule) {
        let row = &self.solver.calls[call as usize];
        let (how, text) = (row.how, row.text);
        self.call_edge(call, End::Unresolved(name), rule, how);
        if self.solver.entry_of_method(call, text).is_none() {
            self.send_keys(call, self.solver.program.symbols.text(name));
        }
        self.give_to_unresolved(call, name, rule);
    }
}

impl Collector<'_, '_> {
    /// What functions that library code calls give it.
    pub(super) fn called_back(&mut self) {
        for (call, from, to) in self.solver.called_back.clone() {
            let site = self.call_site(call);
            self.between(from, to, How::Return, Rule::LibraryTable, site);
        }
        self.loop_bodies();
    }

    /// What is raised arrives where it is caught.
    /// From what is raised to what catches it. What a deferred function recovers comes into the function that defers it first, and is
    /// handed over from there.
    pub(super) fn exceptions(&mut self) {
        let caught = self.solver.caught.clone();
        let raises = self.solver.raises.iter();
        let raised: FxHashMap<PlaceIndex, (FunctionIndex, Point)> =
            raises.map(|row| (row.value, (row.function, row.point))).collect();
        let mut calls_of: FxHashMap<(FunctionIndex, FunctionIndex), u32> = FxHashMap::default();
        if !caught.is_empty() {
            for (call, row) in self.solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
                for target in &row.targets {
                    if let Target::Function { function, .. } = target {
                        calls_of.entry((row.function, *function)).or_insert(call as u32);
                    }
                }
            }
        }
        for (from, to, call, file, position) in caught {
            let owner = |place| self.solver.program.owner_of(place);
            let within = call.map_or(owner(from), |call| Some(self.solver.calls[call as usize].function));
            let deferred = within.zip(owner(to)).filter(|(within, taker)| within != taker);
            let deferred = deferred.and_then(|(within, taker)| Some((within, *calls_of.get(&(within, taker))?)));
            let arrives = match deferred {
                Some((within, _)) => self.passing(within),
                None => to,
            };
            let mut raise = |kind, from, to, call| {
                self.flows.values.push(ValueEdge {
                    kind,
                    from: End::Place(from),
                    to: End::Place(to),
                    how: How::Raise,
                    rule: Rule::Propagated,
                    site: EdgeSite { file, position },
                    call,
                });
            };
            match call {
                Some(call) => raise(EdgeKind::ReturnsTo, from, arrives, call),
                None => raise(EdgeKind::FlowsTo, from, arrives, NO_CALL),
            }
            if let Some((_, deferred)) = deferred {
                raise(EdgeKind::PassesTo, arrives, to, deferred);
            }
            if let Some((function, point)) = raised.get(&from).filter(|_| call.is_none()) {
                self.note_put((from, arrives), *function, *point);
            }
        }
    }
}
