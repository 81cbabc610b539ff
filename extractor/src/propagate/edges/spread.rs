//! Arguments that are spread over a callee's parameters: `f(*values)`, `Order(**json.loads(text))`.
//!
//! Of a container of which it is known what is in it, each part goes its own way; of what nobody knows, a mapping is asked for the names of the
//! parameters, which are keys then: `Order(**json.loads(text))` reads the key `mail` for the parameter `mail`.

use ripple_schema::{EdgeKind, How, Rule};

use super::{Collector, EdgeSite, End, ValueEdge};
use crate::facts::ArgumentKind;
use crate::link::{PlaceIndex, Symbol};
use crate::propagate::arguments::{Passing, Spread};
use crate::propagate::object::Object;

impl Collector<'_, '_> {
    /// Arguments that were gathered by another function, put somewhere, and are spread where nobody knows which those are.
    pub(super) fn find_spread_from_afar(&mut self) {
        for call in 0..self.solver.calls.len() as u32 {
            let spreads = |kind| matches!(kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
            let row = &self.solver.calls[call as usize];
            let mut arguments = self.solver.call_arguments(call).iter();
            if row.silent || !arguments.any(|argument| spreads(argument.kind)) {
                continue;
            }
            let caller = row.function;
            for target in row.entries().collect::<Vec<_>>() {
                let Some((function, bound, base)) = self.solver.entered_as(call, target) else {
                    continue;
                };
                for passing in self.solver.passings(call, function, bound, base) {
                    let found = self.heap.find_spread(self.solver, call, &passing);
                    if passing.spread.is_none() || found.is_some_and(|found| !found.elsewhere) {
                        continue;
                    }
                    let containers = self.solver.held(passing.from).filter_map(|(_, object)| match object {
                        Object::Container { site, .. } => Some(site),
                        _ => None,
                    });
                    let is_afar = |site: &PlaceIndex| {
                        self.heap.is_put(*site) && self.solver.program.owner_of(*site) != Some(caller)
                    };
                    let afar: Vec<PlaceIndex> = containers.filter(is_afar).collect();
                    self.read_from_afar.extend(afar);
                }
            }
        }
    }

    /// From where to where an argument goes: of one that is spread, the parts that are in it then.
    pub(super) fn ways_of(&self, call: u32, passing: &Passing) -> Vec<(PlaceIndex, PlaceIndex)> {
        let found = self.heap.find_spread(self.solver, call, passing);
        let mut ways = match &found {
            Some(found) if !found.elsewhere => Vec::new(),
            _ => self.solver.ways(*passing),
        };
        let cells = found.into_iter().flat_map(|found| found.cells);
        ways.extend(cells.map(|cell| (cell, passing.to)));
        if passing.spread.is_some_and(|spread| !matches!(spread, Spread::Named(_))) {
            ways.extend(
                self.columns_of_row(passing.from)
                    .into_iter()
                    .map(|column| (column, passing.to)),
            );
        }
        ways
    }

    /// `Order(**json.loads(text))`: what is spread where nobody knows what is in it is asked for by the names of the parameters.
    pub(super) fn named_by_spread(&mut self, call: u32, passing: &Passing, site: EdgeSite) {
        let Some(Spread::Named(name)) = passing.spread else {
            return;
        };
        let is_known = |(_, object)| matches!(object, Object::Container { .. });
        let is_partly_unknown = self.tables.unknown.is_spread(self.solver, passing.from, name);
        if self.solver.held(passing.from).any(is_known) && !is_partly_unknown {
            return;
        }
        let function = self.solver.calls[call as usize].function;
        for key in self.keys_of_field(passing.to).unwrap_or_else(|| vec![name]) {
            self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::WireName, site);
            let Some(member) = self.solver.program.member_of(passing.to) else {
                self.keys_spread.push((call, key, passing.to, How::Variadic));
                continue;
            };
            let row = &self.solver.calls[call as usize];
            let made = self.solver.call_results(call).first();
            let found = made.map(|made| self.heap.find_filled(*made, member.name, row.point));
            let cells = found.map_or_else(Vec::new, |found| found.cells);
            for to in cells.into_iter().chain([passing.to]) {
                self.flow(End::Key(key), End::Place(to), How::Decode, Rule::WireName, site);
            }
        }
    }

    /// What handlers get that are looked up under the name that it comes under.
    pub(super) fn keys_to_handlers(&mut self, given: &[(u32, Symbol, PlaceIndex)]) {
        for (call, key, parameter) in given.iter().copied() {
            let (function, site) = (self.solver.calls[call as usize].function, self.call_site(call));
            self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::WireName, site);
            self.keys_spread.push((call, key, parameter, How::Positional));
        }
    }

    /// What is spread under the name of a parameter is an argument of that call, and comes out of it again as others do.
    pub(super) fn pass_keys_spread(&mut self) {
        for (call, key, parameter, how) in std::mem::take(&mut self.keys_spread) {
            let (function, site) = (self.solver.calls[call as usize].function, self.call_site(call));
            let argument = End::Place(self.passing(function));
            self.flow(End::Key(key), argument, How::Decode, Rule::WireName, site);
            self.flows.values.push(ValueEdge {
                kind: EdgeKind::PassesTo,
                from: argument,
                to: End::Place(parameter),
                how,
                rule: Rule::WireName,
                site,
                call,
            });
        }
    }
}
