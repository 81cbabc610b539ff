//! Control flow: branches, loops, and regions that may be left at any point, as states of the webs.
//!
//! `if c: x = 1` is a snapshot before the branch, the branch, and a merge with what was there before.

use rustc_hash::FxHashSet;

use super::{Builder, Happened, Loop};
use crate::facts::order::Point;
use crate::facts::reaching::{CONDITION_LIMIT, Slot, State};
use crate::facts::{
    AskedPart, Condition, ConditionId, Constant, Display, FieldAsked, FlagAsked, FunctionId, Guard, GuardId,
    LookupAsked, Name, PartAsked, PlaceId, PlaceKind, Position, Question, Raise,
};

/// Most names that a file imports among which one is sought that was asked for before.
const FLAG_LIMIT: usize = 64;

/// Most parts of a parameter that are asked for.
const PART_LIMIT: usize = 32;

/// Of whose object a field is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// What a parameter or the receiver refers to.
    Handed,
    /// A structure that a parameter or the receiver holds.
    HandedByValue,
    /// What a variable refers to, handed in or not.
    Variable,
}

/// What is known of the rounds of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounds {
    /// There may be none.
    Any,
    /// There is one at least: what is there is what it left.
    OneAtLeast,
    /// There is none where this is 0, which stands for how many parts a parameter has.
    OfLength(PlaceId),
}

/// Control flow.
impl Builder {
    /// The state here.
    pub fn snapshot(&self) -> Option<State> {
        self.scopes.last().map(|scope| scope.webs.snapshot())
    }

    /// Back to a state.
    pub fn restore(&mut self, state: Option<State>) {
        if let (Some(scope), Some(state)) = (self.scopes.last_mut(), state) {
            scope.webs.restore(state);
        }
    }

    /// Back to what names hold in a state; what was done to objects since stays done.
    pub fn restore_names(&mut self, state: Option<State>) {
        if let (Some(scope), Some(state)) = (self.scopes.last_mut(), state) {
            scope.webs.restore_names(state);
        }
    }

    /// Back to when a state was, if control comes there.
    pub fn restore_order(&mut self, state: &Option<State>) {
        if let (Some(scope), Some(state)) = (self.scopes.last_mut(), state) {
            scope.webs.restore_order(state);
        }
    }

    /// In how many places the function was seen to end.
    pub fn exits(&self) -> usize {
        self.scopes.last().map_or(0, |scope| scope.webs.exits())
    }

    /// Control may also come from this state.
    pub fn merge(&mut self, state: Option<State>) {
        let (Some(scope), Some(state)) = (self.scopes.last_mut(), state) else {
            return;
        };
        let condition = scope.webs.common_condition(&state, &self.facts.conditions);
        let crowded = scope.webs.merge(&state, &mut self.facts.conditions);
        scope.webs.hold(condition);
        for slot in crowded {
            let place = self.value(Position::default());
            if let Some(scope) = self.scopes.last_mut() {
                scope.webs.open_join(slot, place);
            }
        }
    }

    /// The function ends here: control goes no further.
    pub fn leave(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.exit();
        }
    }

    /// Control never comes here: what was tested for is not so.
    pub fn rule_out(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.rule_out();
        }
    }

    /// What holds here.
    pub fn condition(&self) -> ConditionId {
        self.scopes
            .last()
            .map_or(ConditionId::default(), |scope| scope.webs.condition())
    }

    /// What a text literal is.
    pub fn text_constant(&mut self, text: &str) -> Constant {
        match text.is_empty() {
            true => Constant::Empty,
            false => Constant::Text(self.name(text)),
        }
    }

    /// From here on a question about a variable has this answer. It says something where that is a parameter as it came.
    pub fn assume(&mut self, name: Name, question: Question, constant: Constant, holds: bool) {
        self.assume_any(name, question, &[constant], holds);
    }

    /// As [`Builder::assume`], where one of several answers is the one.
    pub fn assume_any(&mut self, name: Name, question: Question, constants: &[Constant], holds: bool) {
        if let Some(parameter) = self.parameter(name) {
            let rows = constants.iter().map(|constant| (parameter, question, *constant, holds));
            self.assume_either(&rows.collect::<Vec<_>>());
        }
    }

    /// As [`Builder::assume`], of whatever variable is bound once.
    pub fn assume_here(&mut self, name: Name, question: Question, constant: Constant, holds: bool) {
        let parameter = self.parameter(name);
        let own = self.is_own_variable(name).then(|| self.only_definition(name)).flatten();
        if let Some(place) = parameter.or(own) {
            self.assume_either(&[(place, question, constant, holds)]);
        }
    }

    /// As [`Builder::assume`], of a field of what a parameter, the receiver or, where told, a variable holds.
    pub fn assume_field(
        &mut self,
        (name, field, whose): (Name, Name, Whose),
        (question, constant): (Question, Constant),
        holds: bool,
    ) {
        if !self.is_own_variable(name) {
            return;
        }
        let Some(base) = self.only_definition(name) else {
            return;
        };
        let function = self.function_mut();
        let is_brought = function.receiver == Some(base) || function.parameters.iter().any(|own| own.place == base);
        if !is_brought && whose != Whose::Variable {
            return;
        }
        let began = self.scopes.last().map_or(Happened::default(), |scope| scope.began);
        let is_untouched = self.is_untouched(field, began, whose == Whose::HandedByValue);
        let mut known = self.facts.fields_asked.iter().rev();
        let known = known
            .find(|row| (row.base, row.field, row.is_untouched) == (base, field, is_untouched))
            .map(|row| row.place);
        let asked = known.unwrap_or_else(|| {
            let place = self.place(PlaceKind::Value, field, Position::default());
            self.facts.fields_asked.push(FieldAsked {
                place,
                base,
                field,
                is_untouched,
            });
            place
        });
        self.assume_either(&[(asked, question, constant, holds)]);
    }

    /// How much has happened so far.
    pub fn happened(&self) -> Happened {
        Happened {
            assigned: self.facts.fields_assigned.len(),
            calls: self.facts.calls.len(),
            turns: self.scopes.last().map_or(0, |scope| scope.turns.len()),
            unseen: self.unseen,
        }
    }

    /// Something happens that may change fields of what pointers lead to.
    pub fn happens_unseen(&mut self) {
        self.unseen += 1;
    }

    /// Whether nothing since then can have changed a field: of a structure that nobody else has, where that is a value.
    pub fn is_untouched(&self, field: Name, since: Happened, is_value: bool) -> bool {
        let assigned = self.facts.fields_assigned.get(since.assigned..).unwrap_or_default();
        let now = self.happened();
        let is_seen = is_value || (now.calls, now.unseen) == (since.calls, since.unseen);
        now.turns == since.turns && !assigned.contains(&field) && is_seen
    }

    /// As [`Builder::assume`], of whether a table has a part under a key that a parameter brought.
    pub fn assume_found(&mut self, (table, key): (PlaceId, PlaceId), holds: bool) {
        let mut known = self.facts.lookups_asked.iter().rev();
        let known = known
            .find(|row| (row.table, row.key) == (table, key))
            .map(|row| row.place);
        let asked = known.unwrap_or_else(|| {
            let place = self.value(Position::default());
            self.facts.lookups_asked.push(LookupAsked { place, table, key });
            place
        });
        self.assume_either(&[(asked, Question::IsTrue, Constant::Nothing, holds)]);
    }

    /// The parameter that a variable is here, as it came.
    pub fn parameter(&mut self, name: Name) -> Option<PlaceId> {
        if !self.is_own_variable(name) {
            return None;
        }
        let definition = self.only_definition(name)?;
        let parameter = self.held.get(&definition).copied().unwrap_or(definition);
        let mut parameters = self.function_mut().parameters.iter();
        parameters.any(|own| own.place == parameter).then_some(parameter)
    }

    /// A definition holds a parameter as it came.
    pub fn hold_parameter(&mut self, definition: PlaceId, parameter: PlaceId) {
        self.held.insert(definition, parameter);
    }

    /// From here on one of these questions about parameters has the answer that goes with it.
    pub fn assume_either(&mut self, rows: &[(PlaceId, Question, Constant, bool)]) {
        if let Some(condition) = self.one_of(rows)
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.webs.hold(condition);
            // Whoever comes by here came by this condition, whatever else there is on the way.
            self.point();
        }
    }

    /// One of these questions has the answer that goes with it, besides what holds here.
    fn one_of(&mut self, rows: &[(PlaceId, Question, Constant, bool)]) -> Option<ConditionId> {
        let outer = self.condition();
        let depth = outer.row(&self.facts.conditions).map_or(0, |row| row.depth) + 1;
        if depth > CONDITION_LIMIT || rows.is_empty() {
            return None;
        }
        let mut condition = ConditionId::default();
        for (parameter, question, constant, holds) in rows {
            self.facts.conditions.push(Condition {
                outer,
                depth,
                parameter: *parameter,
                question: *question,
                constant: *constant,
                holds: *holds,
                or: condition,
            });
            condition = ConditionId(self.facts.conditions.len() as u32);
        }
        Some(condition)
    }

    /// The place that stands for a part of a parameter where it is asked for.
    pub fn part_asked(&mut self, parameter: PlaceId, part: AskedPart) -> Option<PlaceId> {
        let own = self
            .facts
            .parts_asked
            .iter()
            .rev()
            .take_while(|row| row.parameter == parameter);
        let (mut count, mut known) = (0, None);
        for row in own {
            count += 1;
            known = known.or((row.part == part).then_some(row.place));
        }
        if known.is_some() || count >= PART_LIMIT {
            return known;
        }
        let place = self.value(Position::default());
        self.facts.parts_asked.push(PartAsked { place, parameter, part });
        Some(place)
    }

    /// What an argument says of its parts, as a constant.
    pub fn display(&mut self, display: Display) -> Constant {
        self.facts.displays.push(display);
        Constant::Display(self.facts.displays.len() as u32 - 1)
    }

    /// From here on somebody has set one of these variables of the file: with what they hold by themselves, control does not come here.
    pub fn assume_of_file(&mut self, names: &[(Name, Option<(Name, bool)>)]) {
        let mut rows = Vec::new();
        for (name, member) in names {
            if let Some((member, is_true)) = member {
                let place = self.flag_asked(*name, Some(*member));
                rows.push((place, Question::IsTrue, Constant::Nothing, !is_true));
                continue;
            }
            let slot = self
                .lookup(*name)
                .filter(|(depth, _)| *depth == 0)
                .map(|(_, slot)| slot);
            match slot.map(|slot| self.scopes[0].webs.definitions(slot)) {
                Some([only]) => rows.push((*only, Question::IsTrue, Constant::Nothing, true)),
                _ => return,
            }
        }
        if let Some(condition) = self.one_of(&rows)
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.webs.hold(condition);
        }
    }

    /// What stands for a name that the file imports, or a member of a module or class, where conditions ask for it.
    fn flag_asked(&mut self, name: Name, member: Option<Name>) -> PlaceId {
        let known = self.facts.flags_asked.iter().rev();
        let known = known
            .take(FLAG_LIMIT)
            .find(|row| (row.name, row.member) == (name, member))
            .map(|row| row.place);
        known.unwrap_or_else(|| {
            let place = self.place_of(FunctionId(0), PlaceKind::Value, name, Position::default());
            self.facts.flags_asked.push(FlagAsked { place, name, member });
            place
        })
    }

    /// From here on a name that the file imports, or a member of a module, answers a question so.
    pub fn assume_imported(&mut self, (name, member): (Name, Option<Name>), row: (Question, Constant, bool)) {
        let place = self.flag_asked(name, member);
        let (question, constant, holds) = row;
        if let Some(condition) = self.one_of(&[(place, question, constant, holds)])
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.webs.hold(condition);
        }
    }

    /// A variable of the file holds a constant, unless somebody sets it.
    pub fn note_flag(&mut self, name: Name, constant: Constant) {
        let slot = self.lookup(name).filter(|(depth, _)| *depth == 0).map(|(_, slot)| slot);
        if let Some([only]) = slot.map(|slot| self.scopes[0].webs.definitions(slot)) {
            self.facts.flags.push((*only, constant));
        }
    }

    /// Whether control comes here.
    pub fn is_reachable(&self) -> bool {
        self.scopes.last().is_none_or(|scope| scope.webs.is_reachable())
    }

    /// Something here may fail, and control go to a handler.
    pub fn may_fail(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.may_fail();
        }
    }

    /// Opens a region that may be left where something fails.
    pub fn open_try(&mut self) -> Option<State> {
        let scope = self.scopes.last_mut()?;
        scope.webs.open_try();
        Some(scope.webs.snapshot())
    }

    /// Closes it; the state of its handlers.
    pub fn close_try(&mut self, before: Option<State>) -> Option<State> {
        Some(self.scopes.last_mut()?.webs.close_try(&before?))
    }

    /// Begins a region whose exceptions are caught; its handlers are told later.
    pub fn open_guard(&mut self) -> GuardId {
        let guard = GuardId(self.facts.guards.len() as u32);
        let outer = self.scopes.last_mut().and_then(|scope| scope.guard.replace(guard));
        self.facts.guards.push(Guard {
            outer,
            handlers: Vec::new(),
        });
        guard
    }

    /// Ends it.
    pub fn close_guard(&mut self, guard: GuardId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.guard = self.facts.guards[guard.0 as usize].outer;
        }
    }

    /// Whether exceptions are caught that are raised here.
    pub fn is_guarded(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.guard.is_some())
    }

    /// Raises an exception.
    pub fn raise(&mut self, value: PlaceId, position: Position) {
        self.raise_here(value, false, position);
    }

    /// Whoever steps the generator may throw an exception in.
    pub fn raise_thrown(&mut self, value: PlaceId, position: Position) {
        self.raise_here(value, true, position);
    }

    fn raise_here(&mut self, value: PlaceId, is_thrown: bool, position: Position) {
        if !self.is_reachable() {
            return;
        }
        let function = self.function();
        let point = self.point();
        let guard = self.scopes.last().and_then(|scope| scope.guard);
        self.facts.raises.push(Raise {
            value,
            point,
            function,
            guard,
            is_thrown,
            position,
        });
    }

    /// Begins a loop whose body assigns these names.
    pub fn open_loop(&mut self, assigned: &[Name], label: Option<Name>) {
        self.others_run();
        let mut joins = Vec::new();
        let mut seen = FxHashSet::default();
        for name in assigned {
            if let Some((depth, slot)) = self.lookup(*name)
                && depth + 1 == self.scopes.len()
                && seen.insert(slot)
            {
                let place = self.place(PlaceKind::Value, *name, Position::default());
                let before = self.scopes[depth].webs.set_of(slot);
                self.scopes[depth].webs.open_join(slot, place);
                joins.push((slot, place, before));
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            let counts = scope.webs.open_turns();
            // What the body writes may be there when it begins again.
            scope.webs.forget_paths();
            let start = scope.webs.open_repeat();
            scope.turns.push(start);
            let header = scope.webs.snapshot();
            scope.loops.push(Loop {
                label,
                joins,
                header,
                breaks: Vec::new(),
                continues: Vec::new(),
                repeated_from: Some(start),
                counts: Some(counts),
            });
        }
    }

    /// Begins a `switch` or `select`, which `break` leaves.
    pub fn open_switch(&mut self, label: Option<Name>) {
        if let Some(scope) = self.scopes.last_mut() {
            let header = scope.webs.snapshot();
            let (joins, breaks, continues) = (Vec::new(), Vec::new(), Vec::new());
            scope.loops.push(Loop {
                label,
                joins,
                header,
                breaks,
                continues,
                repeated_from: None,
                counts: None,
            });
        }
    }

    /// `continue` lands here: what follows in a `for` clause sees every way that the body may end.
    pub fn loop_continues(&mut self) {
        if let Some(scope) = self.scopes.last_mut()
            && let Some(open) = scope.loops.last_mut()
        {
            let states = std::mem::take(&mut open.continues);
            for state in states {
                self.merge(Some(state));
            }
        }
    }

    /// Ends the loop: the state is that of a normal exit. Gives the states of its breaks, to merge after an `else` clause.
    pub fn close_loop(&mut self, rounds: Rounds) -> Vec<State> {
        self.loop_continues();
        self.others_run();
        let Some(scope) = self.scopes.last_mut() else {
            return Vec::new();
        };
        let Some(open) = scope.loops.pop() else {
            return Vec::new();
        };
        let mut joins = Vec::new();
        if let Some(start) = open.repeated_from {
            scope.turns.pop();
            scope.webs.repeat(start);
            let state = scope.webs.snapshot();
            for (slot, place, _) in &open.joins {
                scope.webs.close_join(*slot, *place, &state);
            }
            joins.extend(open.joins.iter().map(|(_, place, _)| *place));
            if rounds != Rounds::OneAtLeast {
                scope.webs.restore(open.header);
            }
            open.counts
                .into_iter()
                .for_each(|counts| scope.webs.close_turns(counts));
            if let Rounds::OfLength(length) = rounds {
                self.meet_behind(length, &open.joins, &state);
            }
        }
        self.close_flags(&joins);
        open.breaks
    }

    /// Behind a loop, names hold what they held before where there was no round, and else what the last round left.
    fn meet_behind(&mut self, length: PlaceId, joins: &[(Slot, PlaceId, u32)], last: &State) {
        let row = |is_none| (length, Question::Equals, Constant::Number(0), is_none);
        let ways = (self.one_of(&[row(true)]), self.one_of(&[row(false)]));
        if let ((Some(none), Some(some)), Some(scope)) = (ways, self.scopes.last_mut()) {
            for (slot, _, before) in joins {
                let conditions = &mut self.facts.conditions;
                scope.webs.meet_behind(*slot, (*before, none), (last, some), conditions);
            }
        }
    }

    /// Begins what runs once for each item of something, without jumps: a comprehension.
    pub fn open_items(&mut self) -> Option<Point> {
        let scope = self.scopes.last_mut()?;
        let start = scope.webs.open_repeat();
        scope.turns.push(start);
        Some(start)
    }

    /// Ends it.
    pub fn close_items(&mut self, start: Option<Point>) {
        if let (Some(scope), Some(start)) = (self.scopes.last_mut(), start) {
            scope.turns.pop();
            scope.webs.repeat(start);
        }
    }

    /// What this function does happens in an order that its source does not tell; a generator runs when it is asked for more.
    pub fn loosen_order(&mut self, is_delayed: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.loosen(is_delayed);
        }
    }

    /// The last call runs where this function ends; whether it does so wherever that is from here on.
    pub fn defer_call(&mut self, is_certain: bool) {
        let Some(call) = self.facts.calls.len().checked_sub(1) else {
            return;
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.defer(is_certain);
            scope.deferred.push(call);
            let (condition, known) = (scope.webs.condition(), scope.deferred_under);
            scope.deferred_under = Some(
                known
                    .filter(|known| *known != condition)
                    .map_or(condition, |_| ConditionId::default()),
            );
        }
    }

    /// What is deferred runs whichever way the function ends, once it is deferred.
    pub fn end_anyhow(&mut self) {
        if let Some(scope) = self.scopes.last_mut()
            && let Some(condition) = scope.deferred_under
        {
            scope.webs.hold(condition);
        }
    }

    /// A read, write or call happens here.
    pub(super) fn point(&mut self) -> Point {
        let point = self
            .scopes
            .last_mut()
            .map_or(Point::default(), |scope| scope.webs.point());
        let condition = self.condition();
        if condition != ConditionId::default() {
            let function = self.function();
            self.facts.points_under.push((function, point, condition));
        }
        point
    }

    /// `break`.
    pub fn break_loop(&mut self, label: Option<Name>) {
        self.jump(label, |_| true, |open| &mut open.breaks);
    }

    /// `continue`.
    pub fn continue_loop(&mut self, label: Option<Name>) {
        self.jump(label, |open| open.repeated_from.is_some(), |open| &mut open.continues);
    }

    /// Control goes to the innermost loop that takes such a jump.
    fn jump(
        &mut self,
        label: Option<Name>,
        takes: impl Fn(&Loop) -> bool,
        states: impl Fn(&mut Loop) -> &mut Vec<State>,
    ) {
        self.others_run();
        let Some(scope) = self.scopes.last_mut() else { return };
        let state = scope.webs.snapshot();
        let mut loops = scope.loops.iter_mut().rev();
        if let Some(target) = loops.find(|open| takes(open) && (label.is_none() || open.label == label)) {
            states(target).push(state);
        }
        scope.webs.leave();
    }
}
