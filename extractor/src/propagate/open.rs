//! Parameters that nobody in the index feeds: what arrives there is of the declared type, and whoever uses the code decides of which.
//!
//! ```python
//! def use(kind: Kind): return kind.convert()
//! def convert(kind: Kind): return use(kind)     # for those who use this library
//! use(Int())
//! ```
//!
//! `use` is given an `Int`, and by `convert` any `Kind`: more exact arrivals do not say what comes from an open parameter. Nor do they
//! where more arrives than a place has room for.

use rustc_hash::FxHashSet;

use super::object::{Object, ObjectId};
use super::solve::{Constraint, Solver, Target};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex};

/// What open parameters hold and how far it has come.
#[derive(Debug, Default)]
pub(super) struct Open {
    roots: Option<Vec<(PlaceIndex, ObjectId)>>,
    reached: FxHashSet<(PlaceIndex, ObjectId)>,
}

impl Solver<'_> {
    /// Whether what a place holds of a declared type came from an open parameter.
    pub(super) fn is_from_outside(&self, place: PlaceIndex, object: ObjectId) -> bool {
        self.outside.reached.contains(&(place, object))
    }

    /// Finds the open parameters, once all calls are known; whether that was just done.
    pub(super) fn find_open(&mut self) -> bool {
        if self.outside.roots.is_some() {
            return false;
        }
        let mut called: FxHashSet<FunctionIndex> = FxHashSet::default();
        for target in self.calls.iter().flat_map(|row| &row.targets) {
            if let Target::Function { function, .. } | Target::Constructor { function, .. } = target {
                called.insert(*function);
            }
        }
        called.extend(self.setter_calls.iter().map(|(_, function)| *function));
        let mut roots = Vec::new();
        for index in 0..self.program.functions.len() {
            let function = FunctionIndex(index as u32);
            let file = self.program.functions[index].file;
            if !called.contains(&function) && self.untyped.contains(&file) {
                self.open_parameters(file, function, &mut roots);
            }
        }
        // Of what is full, a protocol says what found no room.
        for place in self.left_out.full() {
            let is_protocol = |id: ObjectId| match self.objects.get(id) {
                Object::AnyOf(index) => self.implementers.contains_key(&index),
                _ => false,
            };
            roots.extend(self.declared_here(place).filter(|(_, id)| is_protocol(*id)));
        }
        roots.sort_unstable();
        self.outside.roots = Some(roots);
        true
    }

    /// What a place holds only because of a type.
    fn declared_here(&self, place: PlaceIndex) -> impl Iterator<Item = (PlaceIndex, ObjectId)> {
        let is_declared = |object| match object {
            Object::AnyOf(index) => self.untyped.contains(&self.program.types[index.at()].file),
            _ => false,
        };
        self.held(place)
            .filter(move |(_, object)| is_declared(*object))
            .map(move |(id, _)| (place, id))
    }

    fn open_parameters(&self, file: FileIndex, function: FunctionIndex, roots: &mut Vec<(PlaceIndex, ObjectId)>) {
        let own = self.receiver_place(function);
        for parameter in &self.program.function_facts(function).parameters {
            let place = self.program.place(file, parameter.place);
            if own == Some(place) {
                continue;
            }
            roots.extend(self.declared_here(place));
        }
    }

    /// Follows what open parameters hold, and widens what reads members of it.
    pub(super) fn widen_open(&mut self) {
        let mut work = match &self.outside.roots {
            Some(roots) if !roots.is_empty() => roots.clone(),
            _ => return,
        };
        let mut reached = FxHashSet::from_iter(work.iter().copied());
        while let Some((place, object)) = work.pop() {
            let mut next = self.slots[place.at()].head;
            while next != u32::MAX {
                let (constraint, after) = self.arena[next as usize];
                next = after;
                let to = match constraint {
                    Constraint::Copy(to) | Constraint::CopyOwn(to, _) => to,
                    Constraint::Narrow(row) => self.narrowings[row as usize].to,
                    Constraint::Forward(row) => match self.forwarded_whole(row) {
                        Some(to) => to,
                        None => continue,
                    },
                    Constraint::MemberCopy(load, _) => self.loads[load as usize].to,
                    _ => continue,
                };
                let goes_on = self.contents(to).contains(&object) && !self.is_declared_below(to, object);
                if goes_on && reached.insert((to, object)) {
                    work.push((to, object));
                }
            }
        }
        let bases: FxHashSet<PlaceIndex> = reached.iter().map(|(place, _)| *place).collect();
        self.outside.reached = reached;
        for load in 0..self.loads.len() as u32 {
            let row = self.loads[load as usize];
            if !bases.contains(&row.base) {
                continue;
            }
            for object in self.contents(row.base).to_vec() {
                if let Object::AnyOf(declared) = self.objects.get(object)
                    && self.outside.reached.contains(&(row.base, object))
                {
                    self.widen_to(load, declared, object);
                }
            }
        }
    }
}
