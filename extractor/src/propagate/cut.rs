//! What the budgets cut, and which calls and writes miss something for it.
//!
//! A place that is full takes no more: what comes late is left out there, and wherever the place goes on to. A call of what such a
//! place holds, or of a member of it, may call more than the graph says. It is noted, and so is each function that was left out, with
//! one such call, so that an answer about either says what it lacks. So is what is put into a part of what such a place holds: it may be
//! in more containers than the graph says.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::object::{Object, ObjectId};
use super::solve::{Constraint, Solver};
use crate::facts::Position;
use crate::link::{FileIndex, PlaceIndex, Symbol};

/// Most places that are noted for a function that was left out there.
const PLACE_LIMIT: usize = 8;

/// Most containers that lie in each other for what lies in them to be noted.
const DEPTH_LIMIT: usize = 3;

/// What found no room, while the engine runs.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Places that could not take all.
    full: FxHashSet<PlaceIndex>,
    /// Those of them that could not take all containers.
    full_of_containers: FxHashSet<PlaceIndex>,
    /// Containers, with where they found no room.
    containers: FxHashMap<ObjectId, SmallVec<[PlaceIndex; 2]>>,
    /// Functions and classes, with where they found no room.
    callables: FxHashMap<ObjectId, SmallVec<[PlaceIndex; 2]>>,
}

impl LeftOut {
    /// Places that could not take all.
    pub(super) fn full(&self) -> impl Iterator<Item = PlaceIndex> {
        self.full.iter().copied()
    }

    /// A container found no room.
    pub(super) fn note_container(&mut self, place: PlaceIndex, container: ObjectId) {
        self.full.insert(place);
        self.full_of_containers.insert(place);
        note_place(self.containers.entry(container).or_default(), place);
    }

    pub(super) fn note(&mut self, place: PlaceIndex, object: ObjectId, is_callable: bool) {
        self.full.insert(place);
        if is_callable {
            note_place(self.callables.entry(object).or_default(), place);
        }
    }
}

fn note_place(places: &mut SmallVec<[PlaceIndex; 2]>, place: PlaceIndex) {
    if places.len() < PLACE_LIMIT && !places.contains(&place) {
        places.push(place);
    }
}

/// What budgets cut.
#[derive(Debug, Default)]
pub struct Cut {
    /// Calls that may call more than was found.
    pub calls: Vec<u32>,
    /// Names of functions that were left out, each with a call that may be one of them.
    pub names: Vec<(Symbol, u32)>,
    /// What is put into what may be more containers than were found.
    pub writes: Vec<Write>,
}

/// Something that is put into a container, or all parts of one into another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Write {
    /// Where.
    pub file: FileIndex,
    /// Line and column.
    pub position: Position,
    /// What is put.
    pub value: PlaceIndex,
    /// What it is put into.
    pub container: PlaceIndex,
}

impl Solver<'_> {
    /// Follows what was left out to the calls that miss it.
    pub(super) fn find_cut(&self) -> Cut {
        let left_out = &self.left_out;
        // What lies in containers that were left out is left out wherever it would be read from there.
        let mut callables = left_out.callables.clone();
        let mut open: Vec<(PlaceIndex, bool)> = Vec::new();
        for (container, places) in &left_out.containers {
            for callable in self.callables_in(*container) {
                let known = callables.entry(callable).or_default();
                places.iter().for_each(|place| note_place(known, *place));
                open.extend(places.iter().map(|place| (*place, true)));
            }
        }
        open.extend(left_out.full.iter().map(|place| (*place, false)));
        open.sort_unstable_by_key(|(place, with_parts)| (*with_parts, *place));
        open.dedup();
        let mut seen: FxHashSet<(PlaceIndex, bool)> = open.iter().copied().collect();
        let mut into: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
        let mut calls: Vec<(u32, PlaceIndex)> = Vec::new();
        while let Some((place, with_parts)) = open.pop() {
            for constraint in self.constraints_of(place) {
                if let Constraint::Call(call) = constraint {
                    calls.push((call, place));
                }
                let part = match constraint {
                    Constraint::ElementLoad(load) if with_parts => Some(self.element_loads[load as usize].value),
                    _ => None,
                };
                let Some(to) = part.or_else(|| self.goes_on(constraint)) else {
                    continue;
                };
                into.entry(to).or_default().push(place);
                // With more left out, all is told that would be with less.
                let is_new = !seen.contains(&(to, true)) && seen.insert((to, with_parts));
                open.extend(is_new.then_some((to, with_parts)));
            }
        }
        calls.retain(|(call, _)| {
            let row = &self.calls[*call as usize];
            !row.silent && !row.targets.is_empty()
        });
        // Backward from each call, so that what was left out has one that misses it; rather one that is no test.
        calls.sort_unstable_by_key(|(call, place)| (self.is_in_test(*call), *call, *place));
        let mut missing: FxHashMap<PlaceIndex, u32> = FxHashMap::default();
        for (call, place) in &calls {
            let mut open = vec![*place];
            while let Some(place) = open.pop() {
                if let Entry::Vacant(seen) = missing.entry(place) {
                    seen.insert(*call);
                    open.extend(into.get(&place).into_iter().flatten());
                }
            }
        }
        let mut names: Vec<(Symbol, u32)> = Vec::new();
        for (object, places) in &callables {
            let calls = places.iter().filter_map(|place| missing.get(place));
            let call = calls.min_by_key(|call| (self.is_in_test(**call), **call));
            if let (Some(call), Some(name)) = (call, self.name_left_out(*object)) {
                names.push((name, *call));
            }
        }
        names.sort_unstable();
        names.dedup_by_key(|(name, _)| *name);
        let mut calls: Vec<u32> = calls.into_iter().map(|(call, _)| call).collect();
        calls.sort_unstable();
        calls.dedup();
        let writes = self.writes_cut(left_out.full_of_containers.clone());
        Cut { calls, names, writes }
    }

    /// Follows the containers that were left out to where something is put into them.
    fn writes_cut(&self, full: FxHashSet<PlaceIndex>) -> Vec<Write> {
        if full.is_empty() {
            return Vec::new();
        }
        let mut open: Vec<PlaceIndex> = full.iter().copied().collect();
        let mut seen = full;
        while let Some(place) = open.pop() {
            let next = self
                .constraints_of(place)
                .filter_map(|constraint| self.goes_on(constraint));
            open.extend(next.filter(|to| seen.insert(*to)));
        }
        let stores = self.element_stores.iter().filter(|row| !row.silent).map(|row| Write {
            file: row.file,
            position: row.position,
            value: row.value,
            container: row.base,
        });
        let copies = self.part_copies.iter().filter(|row| !row.silent).map(|row| Write {
            file: row.file,
            position: row.position,
            value: row.from,
            container: row.to,
        });
        let mut writes: Vec<Write> = stores
            .chain(copies)
            .filter(|write| seen.contains(&write.container))
            .collect();
        writes.sort_unstable();
        writes.dedup();
        writes
    }

    /// What happens when an object arrives at a place, until constraints are forgotten.
    pub(super) fn constraints_of(&self, place: PlaceIndex) -> impl Iterator<Item = Constraint> + '_ {
        let mut next = self.slots[place.at()].head;
        std::iter::from_fn(move || {
            let (constraint, after) = *self.arena.get(next as usize)?;
            next = after;
            Some(constraint)
        })
    }

    /// Where what a place holds goes by a constraint, as it is or as a member that is called.
    fn goes_on(&self, constraint: Constraint) -> Option<PlaceIndex> {
        let is_called = |place: PlaceIndex| {
            let mut constraints = self.constraints_of(place);
            constraints.any(|constraint| matches!(constraint, Constraint::Call(_)))
        };
        match constraint {
            Constraint::Copy(to)
            | Constraint::CopyOwn(to, _)
            | Constraint::CopyPlain(to)
            | Constraint::CopyCells(to) => Some(to),
            Constraint::Narrow(row) => Some(self.narrowings[row as usize].to),
            Constraint::Assert(row) => Some(self.assertions[row as usize].to),
            Constraint::Forward(row) => self.forwarded_whole(row),
            Constraint::MemberCopy(load, _) => Some(self.loads[load as usize].to),
            Constraint::Load(load) => Some(self.loads[load as usize].to).filter(|to| is_called(*to)),
            Constraint::ElementLoad(load) => Some(self.element_loads[load as usize].value).filter(|to| is_called(*to)),
            _ => None,
        }
    }

    fn is_in_test(&self, call: u32) -> bool {
        self.program.function_facts(self.calls[call as usize].function).test
    }

    /// Functions and classes that lie in a container, or in one that lies in it.
    fn callables_in(&self, container: ObjectId) -> Vec<ObjectId> {
        let (mut callables, mut open) = (Vec::new(), vec![container]);
        let mut seen: FxHashSet<ObjectId> = FxHashSet::from_iter([container]);
        for _ in 0..DEPTH_LIMIT {
            let parts = open.iter().filter_map(|container| self.parts.get(container));
            let inside = parts.flatten().flat_map(|(_, place)| self.contents(*place)).copied();
            let fresh: Vec<ObjectId> = inside.filter(|object| seen.insert(*object)).collect();
            callables.extend(fresh.iter().filter(|object| self.objects.get(**object).is_callable()));
            open = fresh;
        }
        callables.sort_unstable();
        callables
    }

    fn name_left_out(&self, object: ObjectId) -> Option<Symbol> {
        match self.objects.get(object) {
            Object::Function(function) | Object::Bound { function, .. } => {
                let name = self.program.function_facts(function).name;
                Some(self.program.symbol(self.program.functions[function.at()].file, name))
            }
            Object::Class(class) => {
                let name = self.program.type_facts(class).name;
                Some(self.program.symbol(self.program.types[class.at()].file, name))
            }
            _ => None,
        }
    }
}
