//! What loops over pairs give where a test says of which key: the part of the table under that key, or what the loop gave.
//!
//! ```python
//! for name, step in registry.items():      # of whatever class: what `items` gives is not told by `registry["stop"]`
//!     if name == "stop":
//!         step()
//! ```
//!
//! Facts read the part. Where what is gone over turns out to be no container, what the loop gave is meant as well: an object that has an
//! `items` of its own, a function that is iterated over.

use ripple_schema::{How, Rule};

use super::{Collector, EdgeSite};
use crate::link::{FileIndex, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::Solver;

/// Such a place, what the loop gave, and where that is.
type Meant = (PlaceIndex, PlaceIndex, EdgeSite);

impl Solver<'_> {
    /// What loops gave is meant where they went over no container.
    pub(in crate::propagate) fn values_of_loops(&mut self) {
        for (chosen, value, _) in self.values_meant() {
            self.copy(value, chosen);
        }
    }

    /// The places that what a loop gave is meant by, too.
    fn values_meant(&self) -> Vec<Meant> {
        let mut meant = Vec::new();
        for (index, file) in self.program.files.iter().enumerate() {
            let place = |place| self.program.place(FileIndex(index as u32), place);
            for row in &file.facts.chosen_by_key {
                let is_other = |object: Object| {
                    !matches!(
                        object,
                        Object::Container { .. } | Object::Typed { .. } | Object::External(_) | Object::AnyExternal(_)
                    )
                };
                if self.held(place(row.table)).any(|(_, object)| is_other(object)) {
                    let site = EdgeSite::from((FileIndex(index as u32), row.position));
                    meant.push((place(row.chosen), place(row.value), site));
                }
            }
        }
        meant
    }
}

impl Collector<'_, '_> {
    /// The same as flows.
    pub(super) fn values_of_loops(&mut self) {
        for (chosen, value, site) in self.solver.values_meant() {
            self.between(value, chosen, How::Assign, Rule::Propagated, site);
        }
    }
}
