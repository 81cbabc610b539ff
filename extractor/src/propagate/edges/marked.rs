//! Functions that are put on other functions, or on objects under special names.
//!
//! ```python
//! view.permitted = check                  # `view` is a function: `permitted` is a member of no class
//! root.__resource_url__ = address         # and this none that a class would have
//! ```
//!
//! Who has the one finds the other there, and may call it: that is told as what is put under that name, wherever it is asked for.

use ripple_schema::{How, Rule};

use super::{Collector, EdgeSite, End};
use crate::propagate::object::Object;
use crate::propagate::put_in::OWN;
use crate::propagate::solve::StoreRow;

impl Collector<'_, '_> {
    /// Tells of such a function.
    pub(super) fn mark(&mut self, row: &StoreRow, site: EdgeSite) {
        let Some(from) = row
            .from
            .filter(|_| !row.implicit && self.solver.untyped.contains(&row.file))
        else {
            return;
        };
        let name = self.solver.program.symbols.text(row.member);
        let is_special = name.starts_with("__") && name.ends_with("__");
        let mut on = self.solver.held(row.base).map(|(_, object)| object);
        let is_meant = on.any(|object| match object {
            Object::Function(_) => true,
            Object::Instance(_) | Object::AnyOf(_) => is_special,
            _ => false,
        });
        let is_function = |(_, object)| matches!(object, Object::Function(_) | Object::Bound { .. });
        if is_meant && !OWN.contains(&name) && self.solver.held(from).any(is_function) {
            self.flow(
                End::Place(from),
                End::Unresolved(row.member),
                How::Store,
                Rule::Scope,
                site,
            );
        }
    }
}
