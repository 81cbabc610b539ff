//! Names, places and plain facts: what a walker notes as it is.
//!
//! `load(cart, net)` notes that the member `net` of whatever `cart` holds is read, and gives the place of its value.

use ripple_schema::How;

use super::paths::Step;
use super::{Builder, DEPTH_LIMIT};
use crate::facts::by_name::{Asked, ComputedUse, MembersSet, SetTo};
use crate::facts::{
    Argument, Assertion, AtEnd, Call, ConditionId, Drop, ElementKey, ElementLoad, ElementStore, EndChange,
    FactDiagnostic, Flow, FunctionId, KeySought, KeyUse, Load, Name, Object, PartCopy, Place, PlaceId, PlaceKind,
    Position, Store, TypeExpression, TypeExpressionId, TypeId,
};

/// How many flows back those into the value of a condition are looked for.
const LAST_FLOWS: usize = 8;

/// The first numbers of a list may be parts of names, where they are not larger than that.
const NUMBER_LIMIT: u32 = 32;
const LARGEST_NUMBER: i64 = 10_000;

/// Longest texts around a value that may be parts of a name, both together.
const AROUND_LIMIT: usize = 64;

/// Names, places and plain facts.
impl Builder {
    /// The index of a name.
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return *name;
        }
        let name = Name(self.facts.names.len() as u32);
        self.facts.names.push(text.to_owned());
        self.names.insert(text.to_owned(), name);
        name
    }

    /// A name that has been met before.
    pub fn known_name(&self, text: &str) -> Option<Name> {
        self.names.get(text).copied()
    }

    /// A new place of the current function.
    pub fn place(&mut self, kind: PlaceKind, name: Name, position: Position) -> PlaceId {
        let function = self.function();
        self.place_of(function, kind, name, position)
    }

    /// A new place of a given function.
    pub fn place_of(&mut self, function: FunctionId, kind: PlaceKind, name: Name, position: Position) -> PlaceId {
        let id = PlaceId(self.facts.places.len() as u32);
        let repeated = self.scopes.last().is_some_and(|scope| !scope.turns.is_empty());
        self.facts.places.push(Place {
            kind,
            name,
            function,
            position,
            repeated,
        });
        self.parents.push(id.0);
        id
    }

    /// A new unnamed place.
    pub fn value(&mut self, position: Position) -> PlaceId {
        self.place(PlaceKind::Value, Name(0), position)
    }

    /// A new unnamed place that holds an object.
    pub fn object(&mut self, object: Object, position: Position) -> PlaceId {
        let place = self.value(position);
        self.facts.objects.push((place, object));
        place
    }

    /// Data moves; objects too.
    pub fn flow(&mut self, from: Option<PlaceId>, to: PlaceId, how: How, position: Position) {
        self.add_flow(from, to, how, true, position);
    }

    /// As [`Builder::flow`] of an assignment, where a condition holds, whatever does here.
    pub fn flow_under(&mut self, condition: ConditionId, from: Option<PlaceId>, to: PlaceId, position: Position) {
        let before = self.facts.flows.len();
        self.flow(from, to, How::Assign, position);
        self.facts.flows[before..]
            .iter_mut()
            .for_each(|flow| flow.condition = condition);
    }

    /// A variable gets what is in `from`: a copy, if that is a structure.
    pub fn assigned(&mut self, from: Option<PlaceId>, to: PlaceId) {
        if let Some(from) = from {
            let point = self.point();
            self.facts.assigned.push((from, to, point));
        }
    }

    /// What is computed from `from` moves; its objects do not.
    pub fn derive(&mut self, from: Option<PlaceId>, to: PlaceId, position: Position) {
        self.add_flow(from, to, How::Assign, false, position);
    }

    /// What is found out about `from` moves.
    pub fn test(&mut self, from: Option<PlaceId>, to: PlaceId, position: Position) {
        self.add_flow(from, to, How::Test, false, position);
    }

    /// The way that control takes depends on this. A variable that is tested is a place of the function itself; a field, a part, what a call gives
    /// is known there by nothing else.
    pub fn decide(&mut self, by: Option<PlaceId>, position: Position) {
        let Some(by) = by else { return };
        let is_named = |place: PlaceId| {
            let kind = self.facts.places[place.0 as usize].kind;
            matches!(
                kind,
                PlaceKind::Local | PlaceKind::Parameter | PlaceKind::Receiver | PlaceKind::Result
            )
        };
        let is_computed = self.facts.places[by.0 as usize].kind == PlaceKind::Value;
        let last = self.facts.flows.iter().rev().take(LAST_FLOWS);
        let mut sources = last.filter(|flow| flow.to == by).map(|flow| flow.from).peekable();
        let of_variables = is_computed && sources.peek().is_some() && sources.all(is_named);
        if is_named(by) || of_variables {
            return;
        }
        let place = self.own_place(PlaceKind::Decision, "decision", position);
        self.test(Some(by), place, position);
    }

    /// A place that a function has once, by its name; where it stands first is its position.
    pub(super) fn own_place(&mut self, kind: PlaceKind, name: &'static str, position: Position) -> PlaceId {
        let function = self.function();
        if let Some(known) = self.own_places.get(&(function, name)) {
            return *known;
        }
        let own = self.name(name);
        let place = self.place(kind, own, position);
        self.own_places.insert((function, name), place);
        place
    }

    /// A new value computed from others; none if they are all literals.
    pub fn derived(&mut self, parts: &[Option<PlaceId>], position: Position) -> Option<PlaceId> {
        if parts.iter().all(Option::is_none) {
            return None;
        }
        let value = self.value(position);
        for part in parts {
            self.derive(*part, value, position);
        }
        Some(value)
    }

    /// A text is put together around a value, as a name may be.
    pub fn note_composed(&mut self, made: PlaceId, (before, value, behind): (&str, PlaceId, &str)) {
        let length = before.len() + behind.len();
        let may_name = |text: &str| !text.contains(char::is_whitespace);
        if (1..=AROUND_LIMIT).contains(&length) && may_name(before) && may_name(behind) {
            let (before, behind) = (self.name(before), self.name(behind));
            self.facts.composed.push((made, before, value, behind));
        }
    }

    /// A list holds a number, of which names may be made.
    pub fn note_number(&mut self, list: PlaceId, number: i64, position: u32) {
        if (0..=LARGEST_NUMBER).contains(&number) && position < NUMBER_LIMIT {
            let number = self.name(&number.to_string());
            self.facts.numbers_listed.push((list, number, position));
        }
    }

    /// The outcome of a test of some values; none if they are all literals.
    pub fn outcome(&mut self, values: &[Option<PlaceId>], position: Position) -> Option<PlaceId> {
        if values.iter().all(Option::is_none) {
            return None;
        }
        let outcome = self.value(position);
        for value in values {
            self.test(*value, outcome, position);
        }
        Some(outcome)
    }

    pub(super) fn add_flow(&mut self, from: Option<PlaceId>, to: PlaceId, how: How, same: bool, position: Position) {
        if let Some(from) = from
            && from != to
        {
            if same {
                self.shared_with(from, to);
            }
            self.facts.flows.push(Flow {
                from,
                to,
                how,
                same,
                condition: self.condition(),
                position,
            });
        }
    }

    /// Reads a member.
    pub fn load(&mut self, base: PlaceId, member: Name, position: Position) -> PlaceId {
        self.may_fail();
        let to = self.place(PlaceKind::Value, member, position);
        let function = self.function();
        let known = self.path_read(base, Step::Member(member), to, position);
        let point = self.point();
        self.facts.loads.push(Load {
            base,
            member,
            to,
            function,
            position,
            after: None,
            implicit: false,
            known,
            point,
        });
        to
    }

    /// Reads a member of which a part of the name is known.
    pub fn load_fitting(&mut self, base: PlaceId, pattern: Name, position: Position) -> PlaceId {
        let to = self.place(PlaceKind::Value, pattern, position);
        let (function, point) = (self.function(), self.point());
        self.facts.loads.push(Load {
            base,
            member: pattern,
            to,
            function,
            position,
            after: None,
            implicit: true,
            known: false,
            point,
        });
        to
    }

    /// Reads a member that the language asks for by itself.
    pub fn implicit_load(&mut self, base: PlaceId, member: &str, position: Position) -> PlaceId {
        let member = self.name(member);
        let to = self.load(base, member, position);
        if let Some(load) = self.facts.loads.last_mut() {
            load.implicit = true;
        }
        to
    }

    /// Reads a member found after `class` in the method resolution order of what `base` holds.
    pub fn super_load(&mut self, base: PlaceId, class: TypeId, member: Name, position: Position) -> PlaceId {
        let to = self.load(base, member, position);
        if let Some(load) = self.facts.loads.last_mut() {
            load.after = Some(class);
        }
        to
    }

    /// Writes a member.
    pub fn store(&mut self, base: PlaceId, member: Name, from: Option<PlaceId>, position: Position) {
        self.may_fail();
        let function = self.function();
        let from = self.path_written(base, Step::Member(member), from, position);
        let from = from.filter(|_| self.is_reachable());
        let point = self.point();
        self.facts.stores.push(Store {
            base,
            member,
            from,
            function,
            position,
            implicit: false,
            is_direct: false,
            deletes: false,
            point,
        });
    }

    /// A field holds something from the start, that nobody writes.
    pub fn begin_field(&mut self, base: PlaceId, field: Name, from: PlaceId, position: Position) {
        self.store(base, field, Some(from), position);
        if let Some(store) = self.facts.stores.last_mut() {
            store.implicit = true;
        }
    }

    /// Takes a member away.
    pub fn delete(&mut self, base: PlaceId, member: Name, position: Position) {
        self.store(base, member, None, position);
        if let Some(store) = self.facts.stores.last_mut() {
            store.deletes = true;
        }
    }

    /// The address of a member is taken: what is put where it leads is in the member. Gives that place.
    pub fn member_address(&mut self, base: PlaceId, member: Name, position: Position) -> PlaceId {
        let held = self.load(base, member, position);
        let target = self.new_box(held, position);
        let function = self.function();
        let written = self.path_written(base, Step::Member(member), Some(target), position);
        self.lies_in_box(written, target);
        let point = self.point();
        self.facts.stores.push(Store {
            base,
            member,
            from: Some(target),
            function,
            position,
            implicit: true,
            is_direct: false,
            deletes: false,
            point,
        });
        target
    }

    /// The address of a container's part is taken, as for [`Builder::member_address`].
    pub fn part_address(&mut self, base: PlaceId, key: ElementKey, position: Position) -> PlaceId {
        let held = self.element_load(base, key, position);
        let target = self.value(position);
        self.flow(Some(held), target, How::Assign, position);
        self.element_store(base, key, Some(target), position);
        target
    }

    /// What is in `from` goes on to `to` if it is of one of these types, or of none of them.
    pub fn assert_types(&mut self, from: PlaceId, to: PlaceId, types: Vec<TypeExpressionId>, holds: bool) {
        self.facts.assertions.push(Assertion {
            from,
            to,
            types,
            holds,
            except: Vec::new(),
            is_itself: false,
        });
    }

    /// Reads a part of a container.
    pub fn element_load(&mut self, base: PlaceId, key: ElementKey, position: Position) -> PlaceId {
        self.may_fail();
        let to = self.value(position);
        let function = self.function();
        let known = self.path_read(base, Step::Element(key), to, position) || self.shape_read(base, key, to, position);
        let point = self.point();
        self.facts.element_loads.push(ElementLoad {
            base,
            key,
            to,
            index: None,
            function,
            position,
            known,
            point,
        });
        to
    }

    /// What the last read of a part was asked for.
    pub fn index_of_load(&mut self, index: Option<PlaceId>) {
        if let Some(load) = self.facts.element_loads.last_mut() {
            load.index = index;
        }
    }

    /// Writes a part of a container, under a key with what that is computed from.
    pub fn element_store_at(
        &mut self,
        base: PlaceId,
        (key, index): (ElementKey, Option<PlaceId>),
        from: Option<PlaceId>,
        position: Position,
    ) {
        let before = self.facts.element_stores.len();
        self.element_store(base, key, from, position);
        // Nothing is written where control does not come.
        for store in &mut self.facts.element_stores[before..] {
            store.index = index;
        }
    }

    /// Writes a part of a container.
    pub fn element_store(&mut self, base: PlaceId, key: ElementKey, from: Option<PlaceId>, position: Position) {
        self.may_fail();
        let function = self.function();
        let from = self.path_written(base, Step::Element(key), from, position);
        if let (None, ElementKey::Text(key), true) = (from, key, self.is_reachable()) {
            self.facts.constant_parts.push((base, key, function, position));
        }
        if let Some(from) = from.filter(|_| self.is_reachable()) {
            let point = self.point();
            self.facts.element_stores.push(ElementStore {
                base,
                key,
                from,
                index: None,
                function,
                position,
                point,
            });
        }
    }

    /// Takes a part out of a container, or all of them.
    pub fn drop_parts(
        &mut self,
        base: PlaceId,
        (key, index): (Option<ElementKey>, Option<PlaceId>),
        position: Position,
    ) {
        if key.is_none() {
            self.paths_given(vec![base]);
        }
        let function = self.function();
        let point = self.point();
        self.facts.drops.push(Drop {
            base,
            key,
            index,
            function,
            position,
            point,
        });
    }

    /// Some member of an object is read or written, by a name that is put together while the program runs.
    pub fn use_computed(&mut self, base: PlaceId, is_written: bool, position: Position) {
        let function = self.function();
        self.facts.computed_uses.push(ComputedUse {
            base,
            is_written,
            function,
            position,
        });
    }

    /// Members are set under names that others may hand in.
    pub fn set_members(&mut self, base: PlaceId, to: SetTo, position: Position) {
        let (function, point) = (self.function(), self.point());
        self.facts.by_name.members_set.push(MembersSet {
            base,
            to,
            function,
            position,
            point,
        });
    }

    /// What was just put into a list or channel is its last part.
    pub fn put_last(&mut self, base: PlaceId) {
        self.put_behind(base, AtEnd::Append);
    }

    /// What was just put into a list is all parts of another, in order.
    pub fn put_all_last(&mut self, base: PlaceId, parts: PlaceId) {
        self.put_behind(base, |_| AtEnd::Extend(parts));
    }

    fn put_behind(&mut self, base: PlaceId, change: impl Fn(PlaceId) -> AtEnd) {
        let Some(row) = self.facts.element_stores.last().copied() else {
            return;
        };
        if row.base == base && row.function == self.function() {
            self.facts.end_changes.push(EndChange {
                base,
                change: change(row.from),
                function: row.function,
                point: row.point,
            });
        }
    }

    /// The last part of a list is cut off, or what was just received is taken out of its channel.
    pub fn change_end(&mut self, base: PlaceId, change: AtEnd) {
        let (function, point) = (self.function(), self.point());
        self.facts.end_changes.push(EndChange {
            base,
            change,
            function,
            point,
        });
    }

    /// The first part of a list is cut off: the others move up.
    pub fn cut_first(&mut self, base: PlaceId, position: Position) {
        self.copy_parts(base, base, -1, Vec::new(), position);
        let Some(row) = self.facts.part_copies.last() else {
            return;
        };
        self.facts.end_changes.push(EndChange {
            base,
            change: AtEnd::CutFirst,
            function: row.function,
            point: row.point,
        });
    }

    /// The parts of one container become parts of another, at positions that much further on.
    pub fn copy_parts(&mut self, from: PlaceId, to: PlaceId, shift: i32, except: Vec<Name>, position: Position) {
        let function = self.function();
        self.paths_given(vec![to]);
        let point = self.point();
        self.facts.part_copies.push(PartCopy {
            from,
            to,
            shift,
            except,
            stop: None,
            by_key: None,
            function,
            position,
            point,
        });
    }

    /// The parts of the last copy, each of which is in this place on its way, keep their keys.
    pub fn keep_keys(&mut self, by: PlaceId) {
        if let Some(copy) = self.facts.part_copies.last_mut() {
            copy.by_key = Some(by);
        }
    }

    /// Parts from this position on stay out of the last copy.
    pub fn stop_parts(&mut self, stop: Option<u32>) {
        if let Some(copy) = self.facts.part_copies.last_mut() {
            copy.stop = stop;
        }
    }

    /// A test is called with what runs around it: a call of its own, where the test is declared.
    pub fn run_around(&mut self, test: FunctionId) {
        let at = self.function_mut().position;
        let name = self.name("__around__");
        let callee = self.place(PlaceKind::Value, name, at);
        self.call(callee, name, None, Vec::new(), at, How::Implicit);
        self.facts.by_name.tests.push(Asked {
            name,
            function: test,
            callee,
        });
    }

    /// The function asks whether there is something under a name.
    pub fn key_sought(&mut self, key: Name, (base, outcome): (Option<PlaceId>, Option<PlaceId>), position: Position) {
        let used = self.use_of_key(key, position);
        self.facts.keys_sought.push(KeySought { used, base, outcome });
    }

    /// The function mentions a wire name.
    pub fn key_use(&mut self, key: Name, position: Position) {
        let used = self.use_of_key(key, position);
        self.facts.key_uses.push(used);
    }

    fn use_of_key(&self, key: Name, position: Position) -> KeyUse {
        KeyUse {
            key,
            function: self.function(),
            position,
        }
    }

    /// A call with one result.
    pub fn call(
        &mut self,
        callee: PlaceId,
        text: Name,
        receiver: Option<PlaceId>,
        arguments: Vec<Argument>,
        position: Position,
        how: How,
    ) -> PlaceId {
        let given = arguments.iter().filter_map(|argument| argument.place).chain(receiver);
        self.paths_given(given.collect());
        self.shapes_called();
        self.call_that_keeps(callee, text, receiver, arguments, position, how)
    }

    /// A call that writes into nothing of what it is given.
    pub fn call_that_keeps(
        &mut self,
        callee: PlaceId,
        text: Name,
        receiver: Option<PlaceId>,
        mut arguments: Vec<Argument>,
        position: Position,
        how: How,
    ) -> PlaceId {
        if !self.is_reachable() {
            // A call that never runs is still one that a reader finds; it hands nothing over.
            arguments.iter_mut().for_each(|argument| argument.place = None);
        }
        self.may_fail();
        self.others_run();
        let result = self.place(PlaceKind::CallValue, text, position);
        let function = self.function();
        let results = vec![result];
        let point = self.point();
        self.facts.calls.push(Call {
            callee,
            text,
            receiver,
            arguments,
            results,
            function,
            position,
            how,
            point,
            guard: self.scopes.last().and_then(|scope| scope.guard),
        });
        result
    }

    /// A call that the language makes by itself, if the receiver has such a method.
    pub fn implicit_call(
        &mut self,
        base: PlaceId,
        method: &str,
        arguments: Vec<Argument>,
        position: Position,
    ) -> PlaceId {
        let callee = self.implicit_load(base, method, position);
        let text = self.name(method);
        self.call(callee, text, Some(base), arguments, position, How::Implicit)
    }

    /// Notes a type.
    pub fn type_expression(&mut self, expression: TypeExpression) -> TypeExpressionId {
        self.facts.type_expressions.push(expression);
        TypeExpressionId(self.facts.type_expressions.len() as u32 - 1)
    }

    /// The place is declared with this type.
    pub fn declare_type(&mut self, place: PlaceId, expression: TypeExpressionId) {
        self.facts.declared.push((place, expression));
    }

    /// Notes something that a person should know.
    pub fn diagnostic(&mut self, line: u32, code: &str, message: impl Into<String>) {
        self.facts.diagnostics.push(FactDiagnostic {
            line,
            code: code.into(),
            message: message.into(),
        });
    }

    /// As [`Builder::diagnostic`], once a file.
    pub fn diagnostic_once(&mut self, line: u32, code: &str, message: String) {
        if !self.facts.diagnostics.iter().any(|known| known.code == code) {
            self.diagnostic(line, code, message);
        }
    }

    /// Goes one level deeper; false when that is too deep, which is noted once.
    pub fn enter(&mut self, line: u32) -> bool {
        self.depth += 1;
        if self.depth <= DEPTH_LIMIT {
            return true;
        }
        self.depth -= 1;
        let message = format!("nested more than {DEPTH_LIMIT} levels deep: what is inside is not in the graph");
        self.diagnostic_once(line, "too-deep", message);
        false
    }

    /// Comes back up.
    pub fn exit(&mut self) {
        self.depth -= 1;
    }
}
