//! Structures with wire names that are read here and that nobody here fills: what decodes them is not in the index.
//!
//! ```go
//! type NewOrder struct { Quantity int `json:"quantity"` }
//! func (r *resolver) Order(ctx context.Context, in NewOrder) int { return in.Quantity * 2 }     // the key `quantity`
//! ```
//!
//! A framework fills such a structure by its tags before it calls a handler, be it that the handler is a method which generated code registers. Where one
//! field of it is written here, by a decoder or by hand, all is said by that; what tests write does not count.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Access, Collector, EdgeSite, End};
use crate::facts::TypeKind;
use crate::link::{PlaceIndex, TypeIndex};

impl Collector<'_, '_> {
    pub(super) fn filled_outside(&mut self) {
        let program = &self.solver.program;
        let mut filled: FxHashSet<TypeIndex> = FxHashSet::default();
        let mut read: FxHashSet<PlaceIndex> = FxHashSet::default();
        for Access {
            kind,
            function,
            target,
            how,
            ..
        } in &self.flows.accesses
        {
            let End::Place(place) = *target else { continue };
            if program.function_facts(*function).test {
                continue;
            }
            match kind {
                EdgeKind::Writes => filled.extend(program.member_of(place).map(|member| member.owner)),
                EdgeKind::Reads if *how != How::Encode => _ = read.insert(place),
                _ => {}
            }
        }
        let is_meant = |place: &PlaceIndex| {
            let owner = program.member_of(*place).map(|member| member.owner);
            let owner = owner.filter(|owner| program.type_facts(*owner).kind == TypeKind::Struct);
            owner.is_some_and(|owner| !filled.contains(&owner)) && read.contains(place)
        };
        let mut named = self.flows.field_keys.clone();
        named.retain(|(place, _)| is_meant(place));
        named.sort_unstable();
        named.dedup();
        for (field, key) in named {
            if let Some(site) = self.solver.program.site_of(field) {
                let site = EdgeSite::from(site);
                self.flow(End::Key(key), End::Place(field), How::Decode, Rule::WireName, site);
            }
        }
    }
}
