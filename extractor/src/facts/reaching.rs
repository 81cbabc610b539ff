//! Reaching definitions within one function.
//!
//! A *slot* is one variable of a function; a *definition* is one assignment to it, with a place of its own. The state says,
//! for each slot, which definitions may reach this point. Walkers of source only say where branches are:
//!
//! ```text
//! x = a()            define(x, p1)
//! before = snapshot()
//! if c: x = b()      define(x, p2); after = snapshot(); restore(before); merge(after)
//! use(x)             {p1, p2}: the use sees both, each of them stays a place of its own
//! ```
//!
//! Loops: before the body, every slot that the body assigns gets a *join*, a definition that stands for "what was there
//! before, or what the last round left". Only a join that is used lets its inputs flow: `for …: x = f(); g(x)` keeps the
//! `x` before the loop apart.
//!
//! Where more than a few definitions meet, a join stands for them as well, so that a chain of branches costs no more than its length.
//!
//! A definition that comes from one of two ways that meet *reaches under a condition*: what holds on that way. `if quiet: x = "***"`
//! leaves what was in `x` before for the calls that are not quiet.
//!
//! A *path* (`user.email`, `row["a"]`) has a slot too. It may also be written where this function does not see it, so that
//! no definition means "not known" there, and one way on which it is not known makes it unknown where the ways meet.

mod ways;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::feasible;
use super::order::{Deferred, Order, Point};
use super::steps::{Counts, Steps};
use super::{Condition, ConditionId, PlaceId};

/// One variable of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Slot {
    /// No variable: the steps that the function itself took, as a generator.
    pub const OWN: Self = Self(u32::MAX);
}

/// Most definitions of a slot that are kept apart where ways meet: beyond, a join stands for them.
const MEETING_LIMIT: usize = 32;

/// Slots whose numbers are copied together.
const CHUNK: usize = 64;

/// Most conditions on parameters that are kept of one point.
pub(super) const CONDITION_LIMIT: u8 = 12;

/// The set of definitions of each slot. Copies share what neither of them changes.
#[derive(Debug, Clone, Default)]
struct Sets {
    chunks: Vec<Rc<[u32; CHUNK]>>,
}

impl Sets {
    fn get(&self, slot: usize) -> u32 {
        self.chunks.get(slot / CHUNK).map_or(0, |chunk| chunk[slot % CHUNK])
    }

    fn put(&mut self, slot: usize, set: u32) {
        let at = slot / CHUNK;
        if self.chunks.len() <= at {
            self.chunks.resize_with(at + 1, || Rc::new([0; CHUNK]));
        }
        if let Some(chunk) = self.chunks.get_mut(at).filter(|chunk| chunk[slot % CHUNK] != set) {
            Rc::make_mut(chunk)[slot % CHUNK] = set;
        }
    }

    /// The slots of which the other has another set, with that.
    fn differing<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = (usize, u32)> + 's {
        let own = |at: usize| self.chunks.get(at);
        let chunks = other.chunks.iter().enumerate();
        let changed = chunks.filter(move |(at, chunk)| own(*at).is_none_or(|own| !Rc::ptr_eq(own, chunk)));
        let slots =
            changed.flat_map(|(at, chunk)| chunk.iter().enumerate().map(move |(i, set)| (at * CHUNK + i, *set)));
        slots.filter(|(slot, set)| self.get(*slot) != *set)
    }
}

/// What may reach a point of the function. Cheap to copy.
#[derive(Debug, Clone)]
pub struct State {
    sets: Sets,
    reachable: bool,
    /// The last point on the way here.
    last: Point,
    /// Steps of generators.
    counts: Counts,
    /// What holds here.
    condition: ConditionId,
}

/// Reaching definitions of one function while it is walked.
#[derive(Debug)]
pub struct Webs {
    state: State,
    /// Interned sets of definitions, each sorted. Set 0 is empty.
    sets: Vec<Vec<PlaceId>>,
    /// The conditions under which they reach where the set is, one each; none where all do in any case.
    under: Vec<Vec<ConditionId>>,
    set_ids: FxHashMap<(Vec<PlaceId>, Vec<ConditionId>), u32>,
    /// Every definition of a slot, in the order of the walk.
    definitions: Vec<Vec<PlaceId>>,
    /// Slots of paths.
    paths: Vec<Slot>,
    /// Conditions that hold together, by the two.
    joined_conditions: FxHashMap<(ConditionId, ConditionId), ConditionId>,
    /// What slots hold where nothing was defined yet, if anything.
    brought: FxHashMap<Slot, u32>,
    /// Inputs of joins, and under which conditions they come.
    joins: FxHashMap<PlaceId, Vec<(PlaceId, ConditionId)>>,
    used_joins: Vec<PlaceId>,
    /// The open `try`s.
    tries: Vec<Try>,
    order: Order,
    /// Calls that run where the function ends.
    deferred: Vec<Deferred>,
    /// How often anything was done to the counts of steps.
    counted: u32,
    lasting: feasible::Lasting,
    /// Variables whose constants tell by which way control came.
    flags: Vec<Slot>,
    marks: u32,
}

/// A region that may be left where something in it fails.
#[derive(Debug, Default)]
struct Try {
    /// What was there when it could be left.
    left_with: FxHashSet<(Slot, PlaceId)>,
    /// Slots that it defines, with what was noted of them last.
    defined: FxHashMap<Slot, u32>,
    /// Where it begins.
    first: Point,
    /// Something in it may have failed by now.
    may_have_failed: bool,
    /// Slots that were defined before anything could fail.
    replaced: FxHashSet<Slot>,
    /// Steps that were taken when it could be left.
    left_counts: Option<Counts>,
}

impl Webs {
    /// A function with no slots yet.
    pub fn new() -> Self {
        Self {
            state: State {
                sets: Sets::default(),
                reachable: true,
                last: Point::default(),
                counts: Counts::default(),
                condition: ConditionId::default(),
            },
            sets: vec![Vec::new()],
            under: vec![Vec::new()],
            set_ids: FxHashMap::from_iter([((Vec::new(), Vec::new()), 0)]),
            definitions: Vec::new(),
            paths: Vec::new(),
            joined_conditions: FxHashMap::default(),
            brought: FxHashMap::default(),
            joins: FxHashMap::default(),
            used_joins: Vec::new(),
            tries: Vec::new(),
            order: Order::new(),
            deferred: Vec::new(),
            counted: 0,
            lasting: feasible::Lasting::default(),
            flags: Vec::new(),
            marks: 0,
        }
    }

    /// A read, write or call happens here.
    pub fn point(&mut self) -> Point {
        if !self.state.reachable {
            return Point::NEVER;
        }
        self.state.last = self.order.follow(self.state.last);
        self.state.last
    }

    /// The points do not tell the order of what happens; whether that is since the function runs later, step by step.
    pub fn loosen(&mut self, is_delayed: bool) {
        self.order.is_loose = true;
        self.order.is_delayed |= is_delayed;
    }

    /// The points, once the function is walked, and when each of the calls is that run at its end.
    pub fn take_order(&mut self) -> (Order, Vec<Point>) {
        if self.state.reachable {
            self.order.exits.push(self.state.last);
        }
        let points = self.order.run_deferred(&self.deferred);
        (std::mem::take(&mut self.order), points)
    }

    /// A call runs where the function ends; whether it does so wherever that is from here on.
    pub fn defer(&mut self, is_certain: bool) {
        self.deferred.push(Deferred {
            exits_before: self.order.exits.len(),
            is_certain,
        });
    }

    /// What follows may follow a later point, too: see [`Webs::repeat`].
    pub fn open_repeat(&mut self) -> Point {
        self.state.last = self.order.open(self.state.last);
        self.state.last
    }

    /// From here control may go back to where [`Webs::open_repeat`] was.
    pub fn repeat(&mut self, start: Point) {
        if self.state.reachable {
            self.order.jump(self.state.last, start);
        }
    }

    /// No step was taken yet of what is in a slot.
    pub fn begin_steps(&mut self, slot: Slot) {
        self.state.counts.begin(slot);
    }

    /// How many steps were taken of what is in a slot.
    pub fn steps(&self, slot: Slot) -> Option<Steps> {
        self.state.counts.of(slot)
    }

    /// Takes one more; gives how many there were before.
    pub fn step(&mut self, slot: Slot) -> Option<Steps> {
        self.counted += 1;
        let before = self.state.counts.of(slot);
        self.state.counts.step(slot);
        before
    }

    /// There may be more steps than are known of.
    pub fn blur_steps(&mut self, slot: Slot) {
        self.counted += 1;
        self.state.counts.blur(slot);
    }

    /// What follows may come again. Gives what [`Webs::close_turns`] needs.
    pub fn open_turns(&mut self) -> (u32, Counts) {
        let before = self.state.counts.clone();
        self.state.counts.blur_all();
        (self.counted, before)
    }

    /// It comes no more, and this is the state after it: where no step was taken inside, there were none.
    pub fn close_turns(&mut self, (counted, before): (u32, Counts)) {
        if counted == self.counted {
            self.state.counts = before;
        }
    }

    /// The function ends here.
    pub fn exit(&mut self) {
        if self.state.reachable {
            self.order.exits.push(self.state.last);
        }
        self.leave();
    }

    /// A new variable that nothing defines yet.
    pub fn slot(&mut self) -> Slot {
        self.definitions.push(Vec::new());
        Slot(self.definitions.len() as u32 - 1)
    }

    /// A new path that nothing defines yet.
    pub fn path(&mut self) -> Slot {
        let slot = self.slot();
        self.paths.push(slot);
        slot
    }

    /// From here on nothing is known of the path.
    pub fn forget(&mut self, path: Slot) {
        self.put(path, 0);
    }

    /// From here on nothing is known of any path.
    pub fn forget_paths(&mut self) {
        for index in 0..self.paths.len() {
            self.put(self.paths[index], 0);
        }
    }

    /// From here on the slot holds this definition.
    pub fn define(&mut self, slot: Slot, place: PlaceId) {
        self.state.counts.forget(slot);
        self.definitions[slot.0 as usize].push(place);
        for open in &mut self.tries {
            if !open.may_have_failed && !open.defined.contains_key(&slot) {
                open.replaced.insert(slot);
            }
            open.defined.entry(slot).or_insert(u32::MAX);
        }
        let set = self.intern(vec![place]);
        self.put(slot, set);
    }

    /// As [`Webs::define`], of what was there when the function began, whatever was on the way here.
    pub fn bring(&mut self, slot: Slot, place: PlaceId) {
        self.define(slot, place);
        self.brought.insert(slot, self.set_of(slot));
    }

    /// From here on the slot holds this one of its definitions.
    pub fn hold_only(&mut self, slot: Slot, place: PlaceId) {
        let set = self.intern(vec![place]);
        self.put(slot, set);
    }

    /// A definition that reaches no use yet.
    pub fn note(&mut self, slot: Slot, place: PlaceId) {
        self.definitions[slot.0 as usize].push(place);
    }

    /// From here on the slot may also hold this definition.
    pub fn add(&mut self, slot: Slot, place: PlaceId) {
        let old = self.set_of(slot);
        if !self.sets[old as usize].contains(&place) {
            let one = self.intern(vec![place]);
            let set = self.union(old, one);
            self.put(slot, set);
        }
    }

    /// The definitions that may reach this point.
    pub fn reaching(&self, slot: Slot) -> &[PlaceId] {
        let set = self.set_of(slot);
        &self.sets[set as usize]
    }

    /// As [`Webs::reaching`], each with the condition under which it does.
    pub fn reaching_under(&self, slot: Slot) -> impl Iterator<Item = (PlaceId, ConditionId)> {
        self.members(self.set_of(slot))
    }

    fn members(&self, set: u32) -> impl Iterator<Item = (PlaceId, ConditionId)> {
        let under = &self.under[set as usize];
        let condition = |index: usize| under.get(index).copied().unwrap_or_default();
        let places = self.sets[set as usize].iter().enumerate();
        places.map(move |(index, place)| (*place, condition(index)))
    }

    /// Which set of definitions reaches this point.
    pub fn set_of(&self, slot: Slot) -> u32 {
        self.state.sets.get(slot.0 as usize)
    }

    /// As [`Webs::reaching`], for a use: joins among them come to life.
    pub fn use_of(&mut self, slot: Slot) -> Vec<PlaceId> {
        let places = self.reaching(slot).to_vec();
        for place in &places {
            if self.joins.contains_key(place) {
                self.used_joins.push(*place);
            }
        }
        places
    }

    /// Every definition of the slot so far.
    pub fn definitions(&self, slot: Slot) -> &[PlaceId] {
        &self.definitions[slot.0 as usize]
    }

    /// A copy of the state at this point.
    pub fn snapshot(&self) -> State {
        self.state.clone()
    }

    /// Back to a state; what is there now is dropped.
    pub fn restore(&mut self, state: State) {
        self.state = state;
    }

    /// As [`Webs::restore`], but for the order of what happened, and with it what is known of objects.
    pub fn restore_names(&mut self, state: State) {
        let here = std::mem::replace(&mut self.state, state);
        if self.state.reachable && here.reachable {
            self.state.last = here.last;
        }
        self.forget_paths();
    }

    /// Back to when a state was, if control comes there: what names hold stays.
    pub fn restore_order(&mut self, state: &State) {
        if state.reachable {
            self.state.last = state.last;
        }
    }

    /// In how many places the function was seen to end.
    pub fn exits(&self) -> usize {
        self.order.exits.len()
    }

    /// Control may also come from `other`. Gives the slots of which too many definitions meet here.
    pub fn merge(&mut self, other: &State, conditions: &mut Vec<Condition>) -> Vec<Slot> {
        let mut crowded = Vec::new();
        if !other.reachable {
            return crowded;
        }
        if !self.state.reachable {
            self.state = other.clone();
            return crowded;
        }
        let common = self.common_condition(other, conditions);
        let marked = self.mark_ways(other, conditions);
        let (ours, theirs) = marked.unwrap_or((self.state.condition, other.condition));
        let ways = Ways { ours, theirs, common };
        self.state.last = self.order.meet(self.state.last, other.last);
        self.state.counts.merge(&other.counts);
        for index in 0..self.paths.len() {
            let path = self.paths[index];
            if other.sets.get(path.0 as usize) == 0 {
                self.put(path, 0);
            }
        }
        let differing: Vec<(usize, u32)> = self.state.sets.differing(&other.sets).collect();
        for (index, theirs) in differing {
            let slot = Slot(index as u32);
            let ours = self.set_of(slot);
            if ours == 0 && self.is_path(index) {
                continue;
            }
            let first = self.brought.get(&slot).copied().unwrap_or_default();
            let or_first = |set: u32| if set == 0 { first } else { set };
            let set = self.meet(or_first(ours), or_first(theirs), ways, conditions);
            self.put(slot, set);
            if self.sets[set as usize].len() > MEETING_LIMIT {
                crowded.push(slot);
            }
        }
        crowded
    }

    /// Something here may fail: an open `try` may be left with what is there now.
    pub fn may_fail(&mut self) {
        if !self.state.reachable {
            return;
        }
        for open in &mut self.tries {
            open.may_have_failed = true;
            match &mut open.left_counts {
                Some(counts) => counts.merge(&self.state.counts),
                none => *none = Some(self.state.counts.clone()),
            }
            for (slot, noted) in &mut open.defined {
                let set = self.state.sets.get(slot.0 as usize);
                if *noted != set {
                    *noted = set;
                    let places = self.sets[set as usize].iter();
                    open.left_with.extend(places.map(|place| (*slot, *place)));
                }
            }
        }
    }

    /// Control never comes past this point (`return`, `raise`, `break`).
    pub fn leave(&mut self) {
        self.may_fail();
        self.state.reachable = false;
    }

    /// Control never comes here: what was tested for is not so.
    pub fn rule_out(&mut self) {
        self.state.reachable = false;
    }

    /// Opens a loop: `place` is the join for `slot`.
    pub fn open_join(&mut self, slot: Slot, place: PlaceId) {
        let inputs = self.reaching_under(slot).collect();
        self.joins.insert(place, inputs);
        self.state.counts.forget(slot);
        let set = self.intern(vec![place]);
        self.put(slot, set);
    }

    /// Another round of the loop may begin with this state.
    pub fn close_join(&mut self, slot: Slot, place: PlaceId, state: &State) {
        if !state.reachable {
            return;
        }
        let set = state.sets.get(slot.0 as usize);
        let inputs: Vec<_> = self.members(set).filter(|(input, _)| *input != place).collect();
        if let Some(join) = self.joins.get_mut(&place) {
            join.extend(inputs);
        }
    }

    /// What a loop leaves behind, where it is told by a condition each whether there was a round.
    pub fn meet_behind(
        &mut self,
        slot: Slot,
        (before, none): (u32, ConditionId),
        (last, some): (&State, ConditionId),
        conditions: &mut Vec<Condition>,
    ) {
        let ways = Ways {
            ours: none,
            theirs: some,
            common: self.state.condition,
        };
        if before == 0 || !last.reachable || !self.state.reachable {
            return;
        }
        let set = self.meet(before, last.sets.get(slot.0 as usize), ways, conditions);
        if self.sets[set as usize].len() <= MEETING_LIMIT {
            self.put(slot, set);
        }
    }

    /// Opens a region that may be left at any point.
    pub fn open_try(&mut self) {
        self.tries.push(Try {
            first: Point(self.order.len),
            ..Try::default()
        });
    }

    /// Closes it: the state of a handler, which may follow any point of the region that began with `before`.
    pub fn close_try(&mut self, before: &State) -> State {
        let made = self.tries.pop().unwrap_or_default();
        let after = std::mem::replace(&mut self.state, before.clone());
        self.state.last = self.order.leave_region(before.last, made.first);
        if let Some(counts) = made.left_counts {
            self.state.counts = counts;
        }
        for slot in made
            .defined
            .keys()
            .filter(|slot| self.is_path(slot.0 as usize))
            .copied()
            .collect::<Vec<_>>()
        {
            self.put(slot, 0);
        }
        for slot in made
            .replaced
            .iter()
            .filter(|slot| !self.is_path(slot.0 as usize))
            .copied()
            .collect::<Vec<_>>()
        {
            self.put(slot, 0);
        }
        let mut left_with: Vec<_> = made.left_with.into_iter().collect();
        left_with.sort_unstable();
        for (slot, place) in left_with {
            if self.is_path(slot.0 as usize) {
                continue;
            }
            let old = self.set_of(slot);
            let one = self.intern(vec![place]);
            let set = self.union(old, one);
            self.put(slot, set);
        }
        self.state.reachable = made.may_have_failed;
        std::mem::replace(&mut self.state, after)
    }

    /// What holds here.
    pub fn condition(&self) -> ConditionId {
        self.state.condition
    }

    /// From here on this holds.
    pub fn hold(&mut self, condition: ConditionId) {
        self.state.condition = condition;
    }

    /// What holds after control came from here or from `other`.
    pub fn common_condition(&self, other: &State, conditions: &[Condition]) -> ConditionId {
        match (self.state.reachable, other.reachable) {
            (true, true) => common(self.state.condition, other.condition, conditions),
            (false, true) => other.condition,
            _ => self.state.condition,
        }
    }

    /// Whether control comes here.
    pub fn is_reachable(&self) -> bool {
        self.state.reachable
    }

    /// Joins that are used, each with what flows into it, and under which conditions.
    pub fn joined(&mut self) -> Vec<(PlaceId, Vec<(PlaceId, ConditionId)>)> {
        let mut groups = Vec::new();
        while let Some(join) = self.used_joins.pop() {
            let Some(inputs) = self.joins.remove(&join) else {
                continue;
            };
            self.used_joins.extend(
                inputs
                    .iter()
                    .map(|(input, _)| *input)
                    .filter(|input| self.joins.contains_key(input)),
            );
            groups.push((join, inputs));
        }
        groups
    }

    fn is_path(&self, slot: usize) -> bool {
        self.paths.binary_search(&Slot(slot as u32)).is_ok()
    }

    fn put(&mut self, slot: Slot, set: u32) {
        self.state.sets.put(slot.0 as usize, set);
    }

    fn intern(&mut self, set: Vec<PlaceId>) -> u32 {
        self.intern_under(set, Vec::new())
    }

    fn intern_under(&mut self, set: Vec<PlaceId>, mut under: Vec<ConditionId>) -> u32 {
        if under.iter().all(|condition| *condition == ConditionId::default()) {
            under.clear();
        }
        let next = self.sets.len() as u32;
        let (sets, unders) = (&mut self.sets, &mut self.under);
        *self.set_ids.entry((set, under)).or_insert_with_key(|(set, under)| {
            sets.push(set.clone());
            unders.push(under.clone());
            next
        })
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        self.meet(a, b, Ways::default(), &mut Vec::new())
    }

    /// What reaches the point where two ways meet.
    fn meet(&mut self, a: u32, b: u32, ways: Ways, conditions: &mut Vec<Condition>) -> u32 {
        let plain = self.under[a as usize].is_empty() && self.under[b as usize].is_empty();
        if plain && ways.ours == ways.theirs {
            let mut set = self.sets[a as usize].clone();
            set.extend_from_slice(&self.sets[b as usize]);
            set.sort_unstable();
            set.dedup();
            return self.intern(set);
        }
        let mut all: Vec<(PlaceId, ConditionId)> = self.members(a).collect();
        let ours = all.len();
        all.extend(self.members(b));
        let way = |index| if index < ours { ways.ours } else { ways.theirs };
        if !self.tells_nothing() {
            let comes = |(index, row): (usize, &(PlaceId, ConditionId))| {
                let is_excluded = feasible::exclude(row.1, way(index), conditions, &self.lasting);
                (!is_excluded).then_some((way(index), *row))
            };
            let rows: Vec<_> = all.iter().enumerate().filter_map(comes).collect();
            if !rows.is_empty() {
                all.clear();
                for (way, (place, condition)) in rows {
                    all.push((place, self.both(way, condition, conditions)));
                }
            }
        } else {
            for (index, (_, condition)) in all.iter_mut().enumerate() {
                *condition = self.both(way(index), *condition, conditions);
            }
        }
        all.sort_unstable();
        all.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = common(kept.1, next.1, conditions);
            }
            is_same
        });
        let told = |condition| {
            if common(condition, ways.common, conditions) == condition {
                ConditionId::default()
            } else {
                condition
            }
        };
        let (set, under) = all
            .into_iter()
            .map(|(place, condition)| (place, told(condition)))
            .unzip();
        self.intern_under(set, under)
    }

    /// Where two conditions hold; where that are too many, the second.
    fn both(&mut self, one: ConditionId, other: ConditionId, conditions: &mut Vec<Condition>) -> ConditionId {
        let shared = common(one, other, conditions);
        if shared == other || shared == one {
            return if shared == other { one } else { other };
        }
        if let Some(known) = self.joined_conditions.get(&(one, other)) {
            return *known;
        }
        let outward = std::iter::successors(Some(one), |id| id.row(conditions).map(|row| row.outer));
        let mut added: Vec<ConditionId> = outward.take_while(|id| *id != shared).collect();
        let mut all = other;
        while let Some(row) = added.pop().and_then(|id| id.row(conditions)).copied() {
            let depth = all.row(conditions).map_or(0, |row| row.depth) + 1;
            if depth > CONDITION_LIMIT {
                break;
            }
            conditions.push(Condition {
                outer: all,
                depth,
                ..row
            });
            all = ConditionId(conditions.len() as u32);
        }
        self.joined_conditions.insert((one, other), all);
        all
    }
}

/// What holds on two ways that meet, and what on both.
#[derive(Debug, Default, Clone, Copy)]
struct Ways {
    ours: ConditionId,
    theirs: ConditionId,
    common: ConditionId,
}

/// What two conditions have in common.
fn common(mut one: ConditionId, mut other: ConditionId, conditions: &[Condition]) -> ConditionId {
    while one != other {
        match (one.row(conditions), other.row(conditions)) {
            (Some(row), None) => one = row.outer,
            (Some(row), Some(theirs)) if row.depth >= theirs.depth => one = row.outer,
            (_, Some(row)) => other = row.outer,
            (None, None) => return ConditionId::default(),
        }
    }
    one
}
