//! Paths: what this function itself has written into `user.email` or `row["a"]`, and what a read of that finds.
//!
//! ```text
//! user.email = mail        path_written(user, .email, mail): the path is defined
//! user.email = "hidden"    defined again: the mail is overwritten
//! send(user.email)         path_read: the second definition alone, whatever the field may hold elsewhere
//! show(user)               paths_given: the callee may write into it, so that nothing is known any more
//! ```
//!
//! A callee may also write into what it was not given: `user` may lie in what it was. Only a variable that holds what a call or a literal made
//! here, and that nobody was given since, keeps its paths.
//!
//! A path begins with a variable of this function that no inner function sees. What another path could mean by the same last
//! step (`other.email = x`: both may be one object) is forgotten, never trusted.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Builder, Scope};
use crate::facts::reaching::Slot;
use crate::facts::{ElementKey, Name, PlaceId, PlaceKind, Position};

/// Most paths of a function that are followed: each write looks at all of them.
const PATH_LIMIT: usize = 100;

/// Most pairs of paths that may lead to one object: beyond it all may.
const ALIAS_LIMIT: usize = 64;

/// Among how many of the last literals one is looked for.
const OBJECT_LIMIT: usize = 8;

/// One step from a value into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Member(Name),
    Element(ElementKey),
}

impl Step {
    /// Whether it names one part.
    fn is_constant(self) -> bool {
        matches!(
            self,
            Self::Member(_) | Self::Element(ElementKey::Text(_) | ElementKey::Index(_) | ElementKey::Back(_))
        )
    }

    fn is_position(self) -> bool {
        matches!(self, Self::Element(ElementKey::Index(_) | ElementKey::Back(_)))
    }

    /// Whether a write by one may be seen by a read by the other.
    fn may_meet(self, other: Self) -> bool {
        match (self, other) {
            (Self::Member(a), Self::Member(b)) => a == b,
            (Self::Element(ElementKey::Keys), _) | (_, Self::Element(ElementKey::Keys)) => false,
            // What a pointer points at is written whole.
            (Self::Element(ElementKey::Target), _) | (_, Self::Element(ElementKey::Target)) => true,
            // A position from the end may be the same as one from the start.
            (Self::Element(ElementKey::Index(_)), Self::Element(ElementKey::Back(_)))
            | (Self::Element(ElementKey::Back(_)), Self::Element(ElementKey::Index(_))) => true,
            (Self::Element(a), Self::Element(b)) => !self.is_constant() || !other.is_constant() || a == b,
            _ => false,
        }
    }
}

/// A path, as an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Path {
    Root(Name),
    Step(u32),
}

#[derive(Debug)]
struct Row {
    parent: Path,
    step: Step,
    slot: Slot,
}

/// The paths of one function.
#[derive(Debug, Default)]
pub(super) struct Paths {
    rows: Vec<Row>,
    by_step: FxHashMap<(u32, Step), u32>,
    by_root: FxHashMap<(Name, Step), u32>,
    /// What is in a place by way of a path.
    of_place: FxHashMap<PlaceId, Path>,
    /// Paths to what other values are, or hold: `pair{row, 1}` holds what is in `row`.
    holders: FxHashMap<PlaceId, Path>,
    /// Paths that may lead to one object: `other = row`.
    aliases: Vec<(Path, Path)>,
    /// Variables that inner functions see.
    captured: FxHashSet<Name>,
    /// Variables that hold a value of their own: nothing is written into them by another name.
    own: FxHashSet<Name>,
    /// Variables that, somewhere in the function, hold something else.
    shared: FxHashSet<Name>,
    /// How often a variable is assigned, and how often something that is made there.
    assigned: FxHashMap<Name, (u32, u32)>,
    /// Variables of which what they hold was given away.
    given: FxHashSet<Name>,
}

impl Paths {
    fn find(&self, parent: Path, step: Step) -> Option<u32> {
        match parent {
            Path::Root(name) => self.by_root.get(&(name, step)).copied(),
            Path::Step(index) => self.by_step.get(&(index, step)).copied(),
        }
    }

    /// Whether `path` begins with `start`, or is it.
    fn begins(&self, mut path: Path, start: Path) -> bool {
        loop {
            if path == start {
                return true;
            }
            match path {
                Path::Root(_) => return false,
                Path::Step(index) => path = self.rows[index as usize].parent,
            }
        }
    }

    /// Whether two values of these variables cannot be one.
    fn are_apart(&self, a: Path, b: Path) -> bool {
        match (a, b) {
            (Path::Root(a), Path::Root(b)) => a != b && (self.own.contains(&a) || self.own.contains(&b)),
            _ => false,
        }
    }

    fn path_of(&self, place: PlaceId) -> Option<Path> {
        self.of_place.get(&place).or_else(|| self.holders.get(&place)).copied()
    }

    /// Whether nobody else has what a variable holds.
    fn is_apart(&self, name: Name) -> bool {
        let is_made = || self.assigned.get(&name).is_some_and(|(all, made)| all == made);
        self.own.contains(&name) || is_made() && !self.given.contains(&name)
    }

    fn give(&mut self, path: Path) {
        if let Path::Root(name) = path {
            self.given.insert(name);
        }
    }

    fn add_alias(&mut self, one: Path, other: Path) {
        self.give(one);
        self.give(other);
        if one != other && self.aliases.len() <= ALIAS_LIMIT && !self.aliases.contains(&(one, other)) {
            self.aliases.push((one, other));
        }
    }

    fn root(&self, mut path: Path) -> Option<Name> {
        loop {
            match path {
                Path::Root(name) => return Some(name),
                Path::Step(index) => path = self.rows.get(index as usize)?.parent,
            }
        }
    }

    /// These paths, and those that may lead to the same objects, or into them.
    fn with_aliases(&self, mut paths: Vec<Path>) -> Vec<Path> {
        let is_own = |path: Path| self.root(path).is_none_or(|name| self.own.contains(&name));
        let mut next = 0;
        while let Some(path) = paths.get(next).copied() {
            next += 1;
            for (one, other) in &self.aliases {
                for (one, other) in [(*one, *other), (*other, *one)] {
                    let meets = self.begins(one, path) || self.begins(path, one);
                    if meets && !paths.contains(&other) && !is_own(one) && !is_own(other) {
                        paths.push(other);
                    }
                }
            }
        }
        paths
    }

    /// Slots of the paths that go on from `start`.
    fn inside(&self, start: Path) -> Vec<Slot> {
        let rows = self.rows.iter().filter(|row| self.begins(row.parent, start));
        rows.map(|row| row.slot).collect()
    }
}

impl Scope {
    fn new_path(&mut self, parent: Path, step: Step) -> Option<u32> {
        let index = self.paths.rows.len() as u32;
        if index as usize >= PATH_LIMIT {
            return None;
        }
        let slot = self.webs.path();
        self.paths.rows.push(Row { parent, step, slot });
        match parent {
            Path::Root(name) => self.paths.by_root.insert((name, step), index),
            Path::Step(outer) => self.paths.by_step.insert((outer, step), index),
        };
        Some(index)
    }
}

impl Builder {
    /// The variable is used, and this is the place of its value.
    pub(super) fn root_used(&mut self, name: Name, place: PlaceId) {
        if let Some(scope) = self.scopes.last_mut()
            && !scope.paths.captured.contains(&name)
        {
            scope.paths.of_place.insert(place, Path::Root(name));
        }
    }

    /// The variable holds something else from here on.
    pub(super) fn root_defined(&mut self, name: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.paths.assigned.entry(name).or_default().0 += 1;
        }
        self.forget_inside(Path::Root(name));
    }

    /// The variable holds a value of its own, not one that others may hold too.
    pub fn hold_value(&mut self, name: Name, is_value: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            if is_value && !scope.paths.shared.contains(&name) {
                scope.paths.own.insert(name);
            } else {
                scope.paths.own.remove(&name);
                scope.paths.shared.insert(name);
            }
        }
    }

    /// Whether [`Builder::hold_value`] was told of the variable.
    pub fn holds_value(&self, name: Name) -> bool {
        self.scopes.last().is_some_and(|scope| scope.paths.own.contains(&name))
    }

    /// Whether an inner function sees the variable.
    pub(super) fn is_captured(&self, name: Name) -> bool {
        self.scopes
            .last()
            .is_some_and(|scope| scope.paths.captured.contains(&name))
    }

    /// An inner function sees a variable of the function at this depth.
    pub(super) fn root_captured(&mut self, name: Name, depth: usize) {
        let scope = &mut self.scopes[depth];
        scope.paths.captured.insert(name);
        for slot in scope.paths.inside(Path::Root(name)) {
            scope.webs.forget(slot);
        }
    }

    fn forget_inside(&mut self, start: Path) {
        let Some(scope) = self.scopes.last_mut() else { return };
        if scope.paths.rows.is_empty() {
            return;
        }
        for slot in scope.paths.inside(start) {
            scope.webs.forget(slot);
        }
    }

    /// These values are handed to other code, which may write into them.
    pub(super) fn paths_given(&mut self, places: Vec<PlaceId>) {
        let at_file_level = self.at_file_level();
        let Some(scope) = self.scopes.last_mut() else { return };
        if scope.paths.rows.is_empty() {
            return;
        }
        if at_file_level {
            // Functions see the variables of the file without being given them.
            return scope.webs.forget_paths();
        }
        let given: Vec<Path> = places.iter().filter_map(|place| scope.paths.path_of(*place)).collect();
        if !given.is_empty() && scope.paths.aliases.len() > ALIAS_LIMIT {
            return scope.webs.forget_paths();
        }
        given.iter().for_each(|path| scope.paths.give(*path));
        let paths = scope.paths.with_aliases(given);
        let is_reached = |row: &&Row| {
            let root = scope.paths.root(row.parent);
            root.is_none_or(|name| !scope.paths.is_apart(name))
        };
        let reached: Vec<Slot> = scope.paths.rows.iter().filter(is_reached).map(|row| row.slot).collect();
        for slot in reached {
            scope.webs.forget(slot);
        }
        for path in paths {
            self.forget_inside(path);
        }
    }

    /// Whether a value is made here and now: by a call of a function, a module's as well, or a literal.
    fn is_made_here(&self, value: PlaceId) -> bool {
        let is_call = self.facts.places[value.0 as usize].kind == PlaceKind::CallValue;
        let of_function = || {
            let call = self.facts.calls.iter().rev().find(|call| call.results.contains(&value));
            call.is_some_and(|call| call.receiver.is_none_or(|receiver| self.is_imported(receiver)))
        };
        let is_literal = || {
            self.facts
                .objects
                .iter()
                .rev()
                .take(OBJECT_LIMIT)
                .any(|(place, _)| *place == value)
        };
        is_call && of_function() || is_literal()
    }

    fn is_imported(&self, value: PlaceId) -> bool {
        let name = self.facts.places[value.0 as usize].name;
        !self.facts.text(name).is_empty() && self.facts.imports.iter().any(|import| import.alias == name)
    }

    /// What is in `from` is in `to`, too: the very object.
    pub fn shared_with(&mut self, from: PlaceId, to: PlaceId) {
        let row = &self.facts.places[to.0 as usize];
        let is_variable = matches!(
            row.kind,
            PlaceKind::Local | PlaceKind::Parameter | PlaceKind::Captured | PlaceKind::Global
        );
        let name = row.name;
        let is_made = is_variable && self.is_made_here(from);
        let Some(scope) = self.scopes.last_mut() else { return };
        if is_made {
            scope.paths.assigned.entry(name).or_default().1 += 1;
        }
        let Some(path) = scope.paths.path_of(from) else { return };
        match scope.paths.of_place.get(&to).copied() {
            _ if is_variable => scope.paths.add_alias(Path::Root(name), path),
            Some(known) => scope.paths.add_alias(known, path),
            None => _ = scope.paths.holders.entry(to).or_insert(path),
        }
    }

    /// A part of what is in `base` is written. Gives the place to take as what is written.
    pub(super) fn path_written(
        &mut self,
        base: PlaceId,
        step: Step,
        from: Option<PlaceId>,
        position: Position,
    ) -> Option<PlaceId> {
        let scope = self.scopes.last_mut()?;
        let parent = scope.paths.of_place.get(&base).copied();
        let known = parent.and_then(|parent| scope.paths.find(parent, step));
        for index in 0..scope.paths.rows.len() {
            let row = &scope.paths.rows[index];
            let apart = parent.is_some_and(|parent| scope.paths.are_apart(row.parent, parent));
            // What is one part may have another position in another list.
            let is_shifted = self.lists_share_parts && Some(row.parent) != parent;
            let may_meet = row.step.may_meet(step) || is_shifted && row.step.is_position() && step.is_position();
            if Some(index as u32) != known && may_meet && !apart {
                scope.webs.forget(row.slot);
            }
        }
        let held = from.and_then(|from| scope.paths.path_of(from));
        let path = match parent.filter(|_| step.is_constant()) {
            Some(parent) => known.or_else(|| scope.new_path(parent, step)),
            None => None,
        };
        // What lies in an object is reached by way of it.
        match (held, path, scope.paths.path_of(base)) {
            (Some(held), Some(path), _) => scope.paths.add_alias(Path::Step(path), held),
            (Some(held), None, Some(holder)) => scope.paths.add_alias(holder, held),
            (Some(held), None, None) => _ = scope.paths.holders.insert(base, held),
            (None, ..) => {}
        }
        let Some(path) = path else { return from };
        let slot = scope.paths.rows[path as usize].slot;
        self.forget_inside(Path::Step(path));
        // A place of its own: what is written may be written elsewhere too, or be nothing at all.
        let written = self.value(position);
        self.flow(from, written, How::Assign, position);
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.define(slot, written);
        }
        from.map(|_| written)
    }

    /// As [`Builder::refine`], for the path by which `read` was read; none if that is not followed.
    pub fn refine_path(&mut self, read: PlaceId, position: Position) -> Option<PlaceId> {
        let scope = self.scopes.last()?;
        let Path::Step(path) = *scope.paths.of_place.get(&read)? else {
            return None;
        };
        let slot = scope.paths.rows[path as usize].slot;
        let name = self.facts.places[read.0 as usize].name;
        let place = self.place(PlaceKind::Value, name, position);
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.define(slot, place);
        }
        Some(place)
    }

    /// A part of what is in `base` is read into `to`. Whether it is known what is there.
    pub(super) fn path_read(&mut self, base: PlaceId, step: Step, to: PlaceId, position: Position) -> bool {
        let Some(scope) = self.scopes.last_mut() else {
            return false;
        };
        let Some(parent) = scope.paths.of_place.get(&base).copied().filter(|_| step.is_constant()) else {
            return false;
        };
        let known = scope.paths.find(parent, step);
        let Some(path) = known.or_else(|| scope.new_path(parent, step)) else {
            return false;
        };
        scope.paths.of_place.insert(to, Path::Step(path));
        let written = scope
            .webs
            .use_here(scope.paths.rows[path as usize].slot, &self.facts.conditions);
        for from in &written {
            self.take_written(*from, to, position);
        }
        !written.is_empty()
    }
}
