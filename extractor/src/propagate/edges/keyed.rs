//! What functions put and find under keys that callers hand in: see [`crate::propagate::keyed`].

use ripple_schema::{EdgeKind, How, Rule};

use super::{Collector, EdgeSite, End, Tables, ValueEdge};
use crate::link::{Part, PlaceIndex};
use crate::propagate::keyed::{Meaning, Outer};
use crate::propagate::object::ObjectId;
use crate::propagate::solve::{ElementRow, Solver};

impl Collector<'_, '_> {
    /// The place for what a store puts under a key that is handed in.
    pub(super) fn put_under(&self, store: usize, row: &ElementRow) -> Option<PlaceIndex> {
        let place = self.solver.handed_keys.stores.get(&(store as u32)).copied();
        place.filter(|_| !self.tables.given_by.contains_key(&row.base))
    }

    /// The place for what a load finds under a key that is handed in.
    pub(super) fn found_under(&self, load: usize, row: &ElementRow) -> Option<PlaceIndex> {
        let place = self.solver.handed_keys.loads.get(&(load as u32)).copied();
        place.filter(|_| !self.tables.given_by.contains_key(&row.base))
    }

    /// What calls mean by what their callees put under a key.
    pub(super) fn keyed_puts(&mut self) {
        for meaning in self.meanings(true) {
            let (outer, rule) = match meaning.outer {
                Outer::Part(tables, part) => (self.parts_put(tables, part), Rule::ConstantKey),
                Outer::Any(tables) => (self.parts_put(tables, Part::Any), Rule::AnyElement),
                Outer::Handed(place) => (vec![place], Rule::Propagated),
            };
            let edges = outer.into_iter().map(|outer| (meaning.inner, outer));
            self.cross(meaning, EdgeKind::ReturnsTo, edges.collect(), rule);
        }
    }

    /// What calls mean by what their callees find under a key. When all is known of what is put under unknown ones.
    pub(super) fn keyed_finds(&mut self) {
        for meaning in self.meanings(false) {
            let (outer, rule) = match meaning.outer {
                Outer::Part(tables, part) => (self.parts_found(tables, Some(part)), Rule::ConstantKey),
                Outer::Any(tables) => (self.parts_found(tables, None), Rule::AnyElement),
                Outer::Handed(place) => (vec![place], Rule::Propagated),
            };
            let edges = outer.into_iter().map(|outer| (outer, meaning.inner));
            self.cross(meaning, EdgeKind::PassesTo, edges.collect(), rule);
        }
    }

    fn meanings(&self, is_put: bool) -> Vec<Meaning> {
        let all = self.tables.meanings.iter().copied();
        all.filter(|meaning| meaning.is_put == is_put).collect()
    }

    fn parts_put(&mut self, tables: usize, part: Part) -> Vec<PlaceIndex> {
        let mut parts = Vec::new();
        for table in self.solver.handed_keys.tables[tables].clone() {
            let own = self.solver.elements.get(&(table, part)).copied();
            let any = self.solver.elements.get(&(table, Part::Any)).copied();
            let Some(place) = own.or(any) else { continue };
            if part == Part::Any || own.is_none() {
                self.put_from_afar.insert(place);
            }
            parts.push(place);
        }
        parts
    }

    fn parts_found(&mut self, tables: usize, part: Option<Part>) -> Vec<PlaceIndex> {
        let mut parts = Vec::new();
        for table in self.solver.handed_keys.tables[tables].clone() {
            match part {
                Some(part) => parts.extend(self.solver.elements.get(&(table, part)).copied()),
                None => parts.extend(self.all_parts(table)),
            }
            parts.extend(self.part_from_afar(table));
        }
        parts
    }

    /// What others put into a container under unknown keys.
    pub(super) fn part_from_afar(&self, container: ObjectId) -> Option<PlaceIndex> {
        let place = self.solver.elements.get(&(container, Part::Any)).copied();
        place.filter(|place| self.put_from_afar.contains(place))
    }

    fn cross(&mut self, meaning: Meaning, kind: EdgeKind, ends: Vec<(PlaceIndex, PlaceIndex)>, rule: Rule) {
        let row = &self.solver.calls[meaning.call as usize];
        let site = EdgeSite {
            file: row.file,
            position: row.position,
        };
        let how = if meaning.is_put { How::Put } else { How::Element };
        self.flows.values.extend(ends.into_iter().map(|(from, to)| ValueEdge {
            kind,
            from: End::Place(from),
            to: End::Place(to),
            how,
            rule,
            site,
            call: meaning.call,
        }));
    }
}

/// Where what is put under keys that are handed in lies in tables that have no such part yet: under an unknown key.
pub(super) fn make_parts(solver: &mut Solver<'_>, tables: &Tables) {
    for meaning in tables.meanings.iter().filter(|meaning| meaning.is_put) {
        let (put_into, part) = match meaning.outer {
            Outer::Part(tables, part) => (tables, part),
            Outer::Any(tables) => (tables, Part::Any),
            Outer::Handed(_) => continue,
        };
        for table in solver.handed_keys.tables[put_into].clone() {
            if !solver.elements.contains_key(&(table, part)) {
                solver.element(table, Part::Any);
            }
        }
    }
}
