//! What a function finds out about its own variables, and what it then knows of the way it came: see [`crate::facts::feasible`].

use super::Builder;
use crate::facts::feasible::{LASTING_LIMIT, is_mark, keep_said_of_parameters, rows};
use crate::facts::{Condition, ConditionId, Constant, Name, PlaceId, Position, Question};
use ripple_schema::How;

impl Builder {
    /// From here on a question about a variable has one of these answers, and has it until the variable is assigned.
    ///
    /// Of other variables than parameters that is kept where somebody asks again. `is_dynamic`: in a language where any value may be tested.
    pub fn assume_lasting(
        &mut self,
        name: Name,
        question: Question,
        constants: &[Constant],
        holds: bool,
        (is_asked_again, is_dynamic): (bool, bool),
    ) {
        if !self.is_own_variable(name) {
            return;
        }
        if let [constant] = constants {
            self.assume_flag(name, question, *constant, holds);
        }
        let parameter = self.parameter(name);
        let Some(place) = parameter.or_else(|| self.only_definition(name).filter(|_| is_asked_again)) else {
            return;
        };
        let depth = self.condition().row(&self.facts.conditions).map_or(0, |row| row.depth);
        if parameter.is_none() && depth >= LASTING_LIMIT {
            return;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.lasts(place, is_dynamic);
        }
        if parameter.is_none() {
            self.lasting.insert(place);
        }
        let before = self.condition();
        let rows = constants.iter().map(|constant| (place, question, *constant, holds));
        self.assume_either(&rows.collect::<Vec<_>>());
        if self.is_excluded(before) {
            self.rule_out();
        }
    }

    /// Whether what holds since then cannot hold with what held before.
    fn is_excluded(&self, before: ConditionId) -> bool {
        let Some(scope) = self.scopes.last().filter(|_| self.condition() != before) else {
            return false;
        };
        let conditions = &self.facts.conditions;
        // Looked at alone: the new row ends at what was there before.
        scope.webs.exclude_newest(before, conditions)
    }

    /// What a variable holds decides on later tests of it, and is a constant in some places.
    pub fn follow_flag(&mut self, name: Name) {
        if let Some((depth, slot)) = self.lookup(name)
            && depth + 1 == self.scopes.len()
        {
            self.scopes[depth].webs.follow_flag(slot);
        }
    }

    /// A definition of such a variable is a constant.
    pub fn set_flag(&mut self, definition: PlaceId, constant: Constant) {
        self.flags.insert(definition, constant);
    }

    /// Loops that are closed leave a variable what all that comes into them makes of it.
    pub(super) fn close_flags(&mut self, joins: &[PlaceId]) {
        let Some(scope) = self.scopes.last().filter(|scope| scope.webs.has_flags()) else {
            return;
        };
        for join in joins {
            let mut inputs = scope.webs.inputs_of(*join).map(|input| self.flags.get(&input).copied());
            if let Some(Some(first)) = inputs.next()
                && inputs.all(|input| input == Some(first))
            {
                self.flags.insert(*join, first);
            }
        }
    }

    /// Which of its definitions a variable may hold here, and by which ways these come.
    pub fn assume_flag(&mut self, name: Name, question: Question, constant: Constant, holds: bool) {
        let own = self.lookup(name).filter(|_| self.is_own_variable(name));
        let Some((depth, slot)) = own else { return };
        let Some(scope) = self.scopes.get(depth).filter(|scope| scope.webs.is_flag(slot)) else {
            return;
        };
        let flags = &self.flags;
        let may_be = |place: &PlaceId| {
            let own = flags.get(place).and_then(|own| own.answer(question, constant));
            own != Some(!holds)
        };
        let (stay, go): (Vec<_>, Vec<_>) = scope.webs.reaching_under(slot).partition(|(place, _)| may_be(place));
        let Some(((_, first), others)) = stay.split_first().filter(|_| !go.is_empty()) else {
            return;
        };
        let conditions = &self.facts.conditions;
        let here = self.condition();
        // What holds wherever one of them comes from.
        let is_in = |row: &Condition, id: ConditionId| {
            rows(id, conditions).any(|own| {
                let said = |row: &Condition| (row.parameter, row.question, row.constant, row.holds, row.or);
                said(own) == said(row)
            })
        };
        let mut common: Vec<Condition> = rows(*first, conditions)
            .filter(|row| others.iter().all(|(_, id)| is_in(row, *id)) && !is_in(row, here))
            .copied()
            .collect();
        let depth = here.row(conditions).map_or(0, |row| row.depth);
        common.truncate(usize::from(LASTING_LIMIT.saturating_sub(depth)));
        let places = stay.iter().map(|(place, _)| *place).collect();
        let mut last = here;
        for row in common {
            let depth = last.row(&self.facts.conditions).map_or(0, |row| row.depth) + 1;
            self.facts.conditions.push(Condition {
                outer: last,
                depth,
                ..row
            });
            last = ConditionId(self.facts.conditions.len() as u32);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.keep_only(slot, places);
            scope.webs.hold(last);
        }
    }

    /// Whether a definition is known not to be nil here.
    pub fn is_something(&self, definition: PlaceId) -> bool {
        let conditions = &self.facts.conditions;
        rows(self.condition(), conditions).any(|row| {
            let is_nil_asked = (row.question, row.constant) == (Question::Equals, Constant::Nothing);
            row.parameter == definition && is_nil_asked && !row.holds && row.or == ConditionId::default()
        })
    }

    /// What a function gives back, where this holds of its other results.
    pub fn flow_with(
        &mut self,
        rows: &[(PlaceId, Question, Constant, bool)],
        from: Option<PlaceId>,
        to: PlaceId,
        position: Position,
    ) {
        let before = self.facts.flows.len();
        self.flow(from, to, How::Return, position);
        if self.facts.flows.len() == before {
            return;
        }
        let mut last = self.condition();
        for (parameter, question, constant, holds) in rows {
            self.facts.conditions.push(Condition {
                outer: last,
                depth: last.row(&self.facts.conditions).map_or(0, |row| row.depth) + 1,
                parameter: *parameter,
                question: *question,
                constant: *constant,
                holds: *holds,
                or: ConditionId::default(),
            });
            last = ConditionId(self.facts.conditions.len() as u32);
        }
        self.facts.flows[before..]
            .iter_mut()
            .for_each(|flow| flow.condition = last);
    }

    /// What a condition says of parameters, if anything: where it says nothing, it is the same for all callers.
    pub(super) fn for_callers(&self, id: ConditionId) -> ConditionId {
        let is_other = |row: &Condition| is_mark(row.parameter) || self.lasting.contains(&row.parameter);
        match rows(id, &self.facts.conditions).all(is_other) {
            true => ConditionId::default(),
            false => id,
        }
    }

    /// Conditions that say nothing of parameters are of no use to others.
    pub(super) fn forget_lasting(&mut self) {
        let lasting = std::mem::take(&mut self.lasting);
        let mut conditions = self.facts.conditions.iter();
        if lasting.is_empty() && !conditions.any(|row| is_mark(row.parameter)) {
            return;
        }
        let stands_for = keep_said_of_parameters(&mut self.facts.conditions, &lasting);
        for flow in &mut self.facts.flows {
            flow.condition = stands_for[flow.condition.0 as usize];
        }
        for (_, _, condition) in &mut self.facts.points_under {
            *condition = stands_for[condition.0 as usize];
        }
        self.facts
            .points_under
            .retain(|(_, _, condition)| *condition != ConditionId::default());
    }
}
