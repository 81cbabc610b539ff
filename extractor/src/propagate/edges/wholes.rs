//! Containers and objects as wholes: what is read out of them, and what they come to hold.
//!
//! ```python
//! URLS = [first, second]      # first and second PACKS_INTO URLS
//! for url in URLS:            # URLS UNPACKS_TO url
//!     fetch(url)
//! ```
//!
//! That `first` comes to `url` is told by flows through the parts ([`super::elements`]), which keep keys and objects apart. These edges say
//! nothing of which part it is: they are for whoever starts from the whole, or asks which wholes hold a value, and so they are kinds of
//! their own that no flow goes along.

use rayon::prelude::*;
use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite, End, ValueEdge};
use crate::facts::PlaceKind;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{RowKey, Solver};

/// A place with more containers than this stands for them.
const CONTAINER_LIMIT: usize = 4;

/// By place, whether it holds containers or objects.
pub(super) fn places(solver: &Solver<'_>) -> Vec<bool> {
    let is_whole = |(_, object)| {
        matches!(
            object,
            Object::Container { .. } | Object::Instance(_) | Object::AnyOf(_)
        )
    };
    let places = (0..solver.program.place_count() as u32).into_par_iter().map(PlaceIndex);
    places.map(|place| solver.held(place).any(is_whole)).collect()
}

impl Collector<'_, '_> {
    /// All of them.
    pub(super) fn wholes(&mut self) {
        let assigned = self.solver.name_targets.iter().flat_map(|(.., places)| places);
        let assigned: FxHashSet<PlaceIndex> = assigned.copied().collect();
        for index in 0..self.solver.element_loads.len() {
            let row = self.solver.element_loads[index];
            let is_part = row.key != RowKey::Target && !self.has_no_keys(&row);
            if is_part && !row.silent && self.is_whole(row.base) && self.is_used(row.value) {
                let site = (row.file, row.position).into();
                self.unpacks((row.base, row.value), How::Element, Rule::AnyElement, site);
                // Of a container of constants no flow tells that it is read.
                for global in self.tables.globals_used.get(&row.base).into_iter().flatten() {
                    if !assigned.contains(global) {
                        self.unpacks((*global, row.value), How::Element, Rule::AnyElement, site);
                    }
                }
            }
        }
        // `self.total += amount`: which object it is that grows is chosen by who calls.
        let stores = self.solver.stores.iter().filter(|row| row.from.is_some());
        let grown: FxHashSet<_> = stores.map(|row| (row.base, row.member, row.position)).collect();
        for index in 0..self.solver.loads.len() {
            let row = self.solver.loads[index];
            let is_own = self.place_kind(row.base) == Some(PlaceKind::Receiver)
                && !grown.contains(&(row.base, row.member, row.position));
            if row.silent || row.implicit || is_own || !self.is_used(row.to) {
                continue;
            }
            let program = &self.solver.program;
            let field_of = |(_, object)| match object {
                Object::Instance(owner) | Object::AnyOf(owner) => {
                    program
                        .find_member(owner, row.member)
                        .filter(|place| program.is_field(*place))?;
                    Some(object)
                }
                _ => None,
            };
            if let Some(object) = self.solver.held(row.base).find_map(field_of) {
                let rule = self.member_rule(row.base, object);
                let site: EdgeSite = (row.file, row.position).into();
                self.unpacks((row.base, row.to), How::Load, rule, site);
                for around in self.fields_read(row.base) {
                    self.unpacks((around, row.to), How::Load, rule, site);
                }
            }
        }
        for index in 0..self.solver.element_stores.len() {
            let row = self.solver.element_stores[index];
            if !row.silent && row.key != RowKey::Target && self.is_whole(row.base) {
                self.packs(row.value, (row.base, row.function), (row.file, row.position).into());
            }
        }
        for index in 0..self.solver.part_copies.len() {
            let row = &self.solver.part_copies[index];
            let (from, to, function) = (row.from, row.to, row.function);
            if row.silent || !self.is_whole(from) || !self.is_whole(to) {
                continue;
            }
            let site = (row.file, row.position).into();
            self.unpacks((from, to), How::Element, Rule::AnyElement, site);
            self.packs(from, (to, function), site);
        }
    }

    /// The fields that a place is a read of: `order.buyer` of `order.buyer.email`.
    fn fields_read(&self, place: PlaceIndex) -> Vec<PlaceIndex> {
        let Some(load) = self.tables.load_of.get(&place) else {
            return Vec::new();
        };
        let load = self.solver.loads[*load as usize];
        let mut fields = Vec::new();
        for (_, object) in self.solver.held(load.base) {
            if let Object::Instance(owner) | Object::AnyOf(owner) = object {
                let found = self.solver.program.find_member(owner, load.member);
                fields.extend(found.filter(|place| self.solver.program.is_field(*place)));
            }
        }
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// Whether containers of the index are there: of what is not known, the whole stands for its parts anyway.
    fn is_whole(&self, place: PlaceIndex) -> bool {
        let is_container = |(_, object)| matches!(object, Object::Container { .. });
        self.solver.held(place).any(is_container)
    }

    fn unpacks(&mut self, (from, to): (PlaceIndex, PlaceIndex), how: How, rule: Rule, site: EdgeSite) {
        self.whole(EdgeKind::UnpacksTo, (from, to), how, rule, site);
    }

    /// A value is put into what a place holds, whoever else holds it.
    fn packs(&mut self, value: PlaceIndex, (base, function): (PlaceIndex, FunctionIndex), site: EdgeSite) {
        for whole in self.kept_in(base, function) {
            self.whole(EdgeKind::PacksInto, (value, whole), How::Put, Rule::AnyElement, site);
        }
    }

    fn whole(&mut self, kind: EdgeKind, (from, to): (PlaceIndex, PlaceIndex), how: How, rule: Rule, site: EdgeSite) {
        if from != to {
            let ends = (End::Place(from), End::Place(to));
            let edge = ValueEdge::of_no_call(kind, ends, how, rule, site);
            self.flows.wholes.push(edge);
        }
    }

    /// Where the containers of a place are kept: in a field or global that it was read from, where the function makes them, or just there.
    fn kept_in(&self, base: PlaceIndex, function: FunctionIndex) -> Vec<PlaceIndex> {
        let fields = self.fields_read(base);
        if !fields.is_empty() {
            return fields;
        }
        if let Some(globals) = self.tables.globals_used.get(&base) {
            return globals.clone();
        }
        let made = self.solver.held(base).map(|(_, object)| match object {
            Object::Container { site, .. } => {
                Some(site).filter(|site| self.solver.program.owner_of(*site) == Some(function))
            }
            _ => None,
        });
        let mut made: Vec<Option<PlaceIndex>> = made.collect();
        made.sort_unstable();
        made.dedup();
        match made.iter().copied().collect::<Option<Vec<PlaceIndex>>>() {
            Some(made) if made.len() <= CONTAINER_LIMIT => made,
            _ => vec![base],
        }
    }
}
