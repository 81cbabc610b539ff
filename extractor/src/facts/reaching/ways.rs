//! The ways by which definitions come, and those that nobody goes: see [`super::super::feasible`].

use super::{CONDITION_LIMIT, Slot, State, Webs};
use crate::facts::{Condition, ConditionId, Constant, PlaceId, Question, feasible};

impl Webs {
    /// As [`Webs::use_of`], of those that may be here for all that holds here.
    pub fn use_here(&mut self, slot: Slot, conditions: &[Condition]) -> Vec<PlaceId> {
        let set = self.set_of(slot);
        let here = self.state.condition;
        if self.under[set as usize].is_empty() || here == ConditionId::default() || self.tells_nothing() {
            return self.use_of(slot);
        }
        let may_be = |id: ConditionId| !feasible::exclude(id, here, conditions, &self.lasting);
        let places = self.members(set).filter(|(_, id)| may_be(*id)).map(|(place, _)| place);
        let places: Vec<PlaceId> = places.collect();
        if places.is_empty() {
            return self.use_of(slot);
        }
        let joins = places.iter().filter(|place| self.joins.contains_key(place));
        self.used_joins.extend(joins);
        places
    }

    /// Whether no conditions are known that exclude each other.
    pub(super) fn tells_nothing(&self) -> bool {
        self.lasting.places.is_empty() && self.marks == 0
    }

    /// Conditions on this definition stay true.
    /// `is_dynamic`: in a language where any value may be tested.
    pub fn lasts(&mut self, place: PlaceId, is_dynamic: bool) {
        self.lasting.places.insert(place);
        self.lasting.is_dynamic = is_dynamic;
    }

    /// Whether what was found out since `before` cannot be with that.
    pub fn exclude_newest(&self, before: ConditionId, conditions: &[Condition]) -> bool {
        let newest = self.state.condition;
        let Some(row) = newest.row(conditions).filter(|_| !self.tells_nothing()) else {
            return false;
        };
        feasible::row_excludes(row, before, conditions, &self.lasting)
    }

    /// See [`super::feasible`]: constants of this variable tell by which way control came.
    pub fn follow_flag(&mut self, slot: Slot) {
        if !self.flags.contains(&slot) {
            self.flags.push(slot);
        }
    }

    /// Whether it is such a variable.
    pub fn is_flag(&self, slot: Slot) -> bool {
        self.flags.contains(&slot)
    }

    /// Whether there are such variables.
    pub fn has_flags(&self) -> bool {
        !self.flags.is_empty()
    }

    /// Of the definitions that reach this point, only these do, in the order that they had.
    pub fn keep_only(&mut self, slot: Slot, places: Vec<PlaceId>) {
        let set = self.set_of(slot);
        let kept = self.members(set).filter(|(place, _)| places.contains(place));
        let (places, under) = kept.unzip();
        let set = self.intern_under(places, under);
        self.put(slot, set);
    }

    /// What flows into a join.
    pub fn inputs_of(&self, join: PlaceId) -> impl Iterator<Item = PlaceId> {
        self.joins.get(&join).into_iter().flatten().map(|(input, _)| *input)
    }

    /// Tells two ways apart that meet here with different values of a flag.
    pub(super) fn mark_ways(
        &mut self,
        other: &State,
        conditions: &mut Vec<Condition>,
    ) -> Option<(ConditionId, ConditionId)> {
        let differs = |slot: &Slot| self.set_of(*slot) != other.sets.get(slot.0 as usize);
        if self.marks >= feasible::MARK_LIMIT || !self.flags.iter().any(differs) {
            return None;
        }
        let place = feasible::mark(self.marks);
        self.marks += 1;
        let mut side = |outer: ConditionId, holds| {
            let depth = outer.row(conditions).map_or(0, |row| row.depth) + 1;
            if depth > CONDITION_LIMIT {
                return outer;
            }
            conditions.push(Condition {
                outer,
                depth,
                parameter: place,
                question: Question::IsTrue,
                constant: Constant::Nothing,
                holds,
                or: ConditionId::default(),
            });
            ConditionId(conditions.len() as u32)
        };
        Some((side(self.state.condition, true), side(other.condition, false)))
    }
}
