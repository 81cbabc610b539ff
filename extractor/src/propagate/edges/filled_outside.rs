//! Structures with wire names that are read here and that nobody here fills: what decodes them is not in the index.
//!
//! ```go
//! type NewOrder struct { Quantity int `json:"quantity"` }
//! func (r *resolver) Order(ctx context.Context, in NewOrder) int { return in.Quantity * 2 }     // the key `quantity`
//! ```
//!
//! A framework fills such a structure by its tags before it calls a handler, be it that the handler is a method which generated code registers. Where a
//! function makes one and writes a field of it, by a decoder or by hand, all is said by that. What tests write does not count, nor what is mended in
//! one that came from elsewhere (`if in.Quantity == 0 { in.Quantity = 1 }`), nor what empties it.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Access, Collector, EdgeSite, End};
use crate::facts::{self, TypeKind};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, TypeIndex};
use crate::propagate::object::Object;

impl Collector<'_, '_> {
    pub(super) fn filled_outside(&mut self) {
        let makers = self.makers();
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
                EdgeKind::Writes if !matches!(how, How::Implicit | How::Put) => {
                    let owner = program.member_of(place).map(|member| member.owner);
                    filled.extend(owner.filter(|owner| *how == How::Decode || makers.contains(&(*function, *owner))));
                }
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

    /// The functions that make structures, with the types of these.
    fn makers(&self) -> FxHashSet<(FunctionIndex, TypeIndex)> {
        let program = &self.solver.program;
        let mut makers = FxHashSet::default();
        for (index, file) in program.files.iter().enumerate() {
            let objects = file.facts.objects.iter();
            let made = objects.filter(|(_, object)| matches!(object, facts::Object::Instance(_)));
            for (place, _) in made {
                let place = program.place(FileIndex(index as u32), *place);
                let Some(function) = program.owner_of(place) else {
                    continue;
                };
                makers.extend(self.solver.held(place).filter_map(|(_, object)| match object {
                    Object::Instance(index) | Object::AnyOf(index) => Some((function, index)),
                    _ => None,
                }));
            }
        }
        makers
    }
}
