//! The end of a file: united places become one, and the rest is numbered anew.
//!
//! A variable that a closure assigns is one place, however often it is defined.

use super::Builder;
use crate::facts::by_name::SetTo;
use crate::facts::{AtEnd, FileFacts, MadeFrom, Object, Place, PlaceId, PlaceKind};

/// The end.
impl Builder {
    /// Makes united places one, and gives the facts.
    pub fn finish(mut self) -> FileFacts {
        while !self.scopes.is_empty() {
            self.close_function();
        }
        self.forget_lasting();
        let count = self.facts.places.len();
        let mut new_index = vec![u32::MAX; count];
        let mut places: Vec<Place> = Vec::with_capacity(count);
        for index in 0..count as u32 {
            let root = self.find(index) as usize;
            let place = self.facts.places[index as usize];
            if new_index[root] == u32::MAX {
                new_index[root] = places.len() as u32;
                places.push(place);
            } else if let Some(kept) = places.get_mut(new_index[root] as usize)
                && is_unnamed(kept.kind)
                && !is_unnamed(place.kind)
            {
                *kept = place;
            }
            new_index[index as usize] = new_index[root];
        }
        self.facts.places = places;
        self.facts.each_place(|place| place.0 = new_index[place.0 as usize]);
        self.facts.flows.retain(|flow| flow.from != flow.to);
        self.facts.exports.sort_unstable();
        self.facts.exports.dedup();
        self.facts
    }
}

fn is_unnamed(kind: PlaceKind) -> bool {
    matches!(kind, PlaceKind::Value | PlaceKind::CallValue | PlaceKind::Binding)
}

impl FileFacts {
    /// Visits every mention of a place.
    pub(super) fn each_place(&mut self, mut visit: impl FnMut(&mut PlaceId)) {
        for function in &mut self.functions {
            function.receiver.iter_mut().for_each(&mut visit);
            function
                .parameters
                .iter_mut()
                .for_each(|parameter| visit(&mut parameter.place));
            function.results.iter_mut().for_each(&mut visit);
        }
        self.exports.iter_mut().for_each(|(_, place)| visit(place));
        for (from, to, _) in &mut self.captures {
            visit(from);
            visit(to);
        }
        for (from, to, _) in self.annotated.iter_mut().chain(&mut self.kept_constants) {
            visit(from);
            visit(to);
        }
        self.calls_tested.iter_mut().for_each(|(_, tested)| visit(tested));
        self.passed_on.iter_mut().for_each(|(place, ..)| visit(place));
        for row in &mut self.boxed {
            visit(&mut row.variable);
            visit(&mut row.place);
        }
        for (from, to, _) in &mut self.assigned {
            visit(from);
            visit(to);
        }
        self.inner_writes.iter_mut().for_each(|(place, _)| visit(place));
        self.conditions
            .iter_mut()
            .for_each(|condition| visit(&mut condition.parameter));
        for row in &mut self.parts_asked {
            visit(&mut row.place);
            visit(&mut row.parameter);
        }
        for flow in &mut self.flows {
            visit(&mut flow.from);
            visit(&mut flow.to);
        }
        for (place, object) in &mut self.objects {
            visit(place);
            if let Object::Address(target) = object {
                visit(target);
            }
        }
        for load in &mut self.loads {
            visit(&mut load.base);
            visit(&mut load.to);
        }
        for store in &mut self.stores {
            visit(&mut store.base);
            store.from.iter_mut().for_each(&mut visit);
        }
        for load in &mut self.element_loads {
            visit(&mut load.base);
            visit(&mut load.to);
            load.index.iter_mut().for_each(&mut visit);
        }
        self.constant_parts.iter_mut().for_each(|(place, ..)| visit(place));
        for store in &mut self.element_stores {
            visit(&mut store.base);
            visit(&mut store.from);
            store.index.iter_mut().for_each(&mut visit);
        }
        for drop in &mut self.drops {
            visit(&mut drop.base);
            drop.index.iter_mut().for_each(&mut visit);
        }
        for row in &mut self.end_changes {
            visit(&mut row.base);
            if let AtEnd::Append(place) | AtEnd::Extend(place) | AtEnd::Receive(place) = &mut row.change {
                visit(place);
            }
        }
        for copy in &mut self.part_copies {
            visit(&mut copy.from);
            visit(&mut copy.to);
        }
        let made = self.made_results.iter_mut().flat_map(|row| &mut row.from);
        made.for_each(|(_, place)| visit(place));
        self.lengths.iter_mut().for_each(|(place, _)| visit(place));
        self.keyed.iter_mut().for_each(|(place, _)| visit(place));
        self.member_values.iter_mut().for_each(|value| visit(&mut value.from));
        self.name_uses.iter_mut().for_each(|name_use| visit(&mut name_use.to));
        self.name_stores
            .iter_mut()
            .for_each(|store| store.from.iter_mut().for_each(&mut visit));
        for call in &mut self.calls {
            visit(&mut call.callee);
            call.receiver.iter_mut().for_each(&mut visit);
            call.arguments
                .iter_mut()
                .for_each(|argument| argument.place.iter_mut().for_each(&mut visit));
            call.results.iter_mut().for_each(&mut visit);
        }
        for narrowing in &mut self.narrowings {
            visit(&mut narrowing.from);
            visit(&mut narrowing.to);
            narrowing.named.iter_mut().for_each(&mut visit);
        }
        for assertion in &mut self.assertions {
            visit(&mut assertion.from);
            visit(&mut assertion.to);
        }
        for row in &mut self.fields_asked {
            visit(&mut row.place);
            visit(&mut row.base);
        }
        for row in &mut self.lookups_asked {
            visit(&mut row.place);
            visit(&mut row.table);
            visit(&mut row.key);
        }
        for (base, to) in &mut self.computed_members {
            visit(base);
            visit(to);
        }
        for made in &mut self.properties_made {
            made.writers.iter_mut().flatten().for_each(&mut visit);
        }
        self.bases_given.iter_mut().for_each(|given| visit(&mut given.base));
        self.body_reads.iter_mut().for_each(|read| visit(&mut read.from));
        self.wholes_read.iter_mut().for_each(|read| visit(&mut read.from));
        for sought in &mut self.keys_sought {
            sought.base.iter_mut().for_each(&mut visit);
            sought.outcome.iter_mut().for_each(&mut visit);
        }
        for used in &mut self.computed_uses {
            visit(&mut used.base);
        }
        self.by_name.set_any.iter_mut().for_each(&mut visit);
        for set in &mut self.by_name.members_set {
            visit(&mut set.base);
            match &mut set.to {
                SetTo::PartsOf(table) => visit(table),
                SetTo::Named(name, value) => {
                    visit(name);
                    value.iter_mut().for_each(&mut visit);
                }
            }
        }
        for (grown, base, _) in &mut self.grown {
            visit(grown);
            visit(base);
        }
        for row in &mut self.fields_made {
            if let MadeFrom::Parameter(place) = &mut row.from {
                visit(place);
            }
        }
        self.flags.iter_mut().for_each(|(place, _)| visit(place));
        self.flags_asked.iter_mut().for_each(|row| visit(&mut row.place));
        for row in &mut self.chosen_by_key {
            visit(&mut row.chosen);
            visit(&mut row.table);
            visit(&mut row.value);
        }
        self.texts_listed.iter_mut().for_each(|(list, ..)| visit(list));
        self.texts_in_fields.iter_mut().for_each(|(literal, ..)| visit(literal));
        self.texts_under.iter_mut().for_each(|(mapping, ..)| visit(mapping));
        self.numbers_listed.iter_mut().for_each(|(list, ..)| visit(list));
        for (made, _, value, _) in &mut self.composed {
            visit(made);
            visit(value);
        }
        self.display_keys.iter_mut().for_each(|(place, _)| visit(place));
        for row in &mut self.loops {
            visit(&mut row.over);
            row.values.iter_mut().for_each(&mut visit);
        }
        self.raises.iter_mut().for_each(|raise| visit(&mut raise.value));
        for guard in &mut self.guards {
            guard
                .handlers
                .iter_mut()
                .for_each(|handler| handler.to.iter_mut().for_each(&mut visit));
        }
        self.declared.iter_mut().for_each(|(place, _)| visit(place));
    }
}
