//! What containers hold from the start: what they are written down with.
//!
//! ```python
//! row = {"mail": mail}         # mail PACKS_INTO row: it is held there, if nothing replaces it
//! ```
//!
//! The part has its own flows, by key; these are for where the container goes as a whole. What is put in later goes along with the calls
//! that hand the container over then ([`crate::propagate::heap`]).

use ripple_schema::{EdgeKind, How, Rule};

use super::{Collector, EdgeSite, End, ValueEdge};
use crate::facts::order::Point;
use crate::link::{FunctionIndex, Part, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, RowKey};

impl Collector<'_, '_> {
    /// A store that is one of those that fill a container where it is written down.
    pub(super) fn begun_with(&mut self, row: &ElementRow, site: EdgeSite) {
        let is_written = |(_, object)| matches!(object, Object::Container { site, .. } if site == row.base);
        if matches!(row.key, RowKey::Text(_) | RowKey::Index(_))
            && self.solver.held(row.base).any(is_written)
            && self.heap.keeps_its_parts(row.base)
        {
            self.lies_in(row.value, row.base, site);
        }
    }

    /// A container that is made of the parts of others.
    pub(super) fn begun_with_parts(
        &mut self,
        (made, function): (PlaceIndex, FunctionIndex),
        point: Point,
        site: EdgeSite,
    ) {
        let is_made = |(_, object)| matches!(object, Object::Container { site, .. } if site == made);
        if !self.solver.held(made).any(is_made) || !self.heap.keeps_its_parts(made) {
            return;
        }
        for part in self.heap.parts_begun(self.solver, (made, function), point) {
            self.lies_in(part, made, site);
        }
    }

    /// The row of a table is handed to a callee: it is made anew, of what is in the table then.
    pub(super) fn row_handed(&mut self, from: PlaceIndex, to: PlaceIndex, site: EdgeSite) {
        for column in self.columns_of_row(from) {
            self.lies_in(column, to, site);
        }
    }

    /// What is in the rows of tables that a place holds.
    pub(super) fn columns_of_row(&self, place: PlaceIndex) -> Vec<PlaceIndex> {
        let rows = self.solver.held(place).filter(|(_, object)| object.is_row());
        let columns = rows.flat_map(|(row, _)| self.solver.parts.get(&row).into_iter().flatten());
        let named = columns.filter(|(part, _)| matches!(part, Part::Text(_) | Part::Any));
        named.map(|(_, column)| *column).collect()
    }

    fn lies_in(&mut self, part: PlaceIndex, whole: PlaceIndex, site: EdgeSite) {
        let ends = (End::Place(part), End::Place(whole));
        let edge = ValueEdge::of_no_call(EdgeKind::PacksInto, ends, How::Held, Rule::ConstantKey, site);
        self.flows.handed.push(edge);
    }
}
