//! Calls whose receiver is made where the call stands: nothing that a caller hands over has a part in it.
//!
//! ```go
//! func main() {
//!     real, fake := &Service{store: &Memory{}}, &Service{store: Null{}}
//!     real.store.Get()                    // Memory.Get: `real` is made here
//! }
//! func (s *Service) Get() string {
//!     return s.store.Get()                // of whoever calls, and not all callers need be seen
//! }
//! ```
//!
//! Where types are written, a reader expects to see what may be called by them, so that only the former are told apart.

use rustc_hash::{FxHashMap, FxHashSet};

use super::flow_graph::FlowGraph;
use crate::facts::PlaceKind;
use crate::link::PlaceIndex;
use crate::propagate::edges::End;
use ripple_schema::How;

/// Most places that are looked at for a call.
const PLACE_LIMIT: usize = 200;

/// What values of calls and parts of containers are made of.
#[derive(Debug, Default)]
pub(super) struct Makers {
    containers: FxHashMap<PlaceIndex, PlaceIndex>,
    calls: FxHashMap<PlaceIndex, u32>,
}

impl FlowGraph<'_, '_> {
    /// What [`Self::is_from_outside`] asks.
    pub(super) fn makers_of_values(&self) -> Makers {
        let rows = self.solver.element_loads.iter();
        let calls = self.solver.calls.iter().enumerate().filter(|(_, row)| !row.silent);
        Makers {
            containers: rows.map(|row| (row.value, row.base)).collect(),
            calls: calls
                .flat_map(|(call, _)| {
                    self.solver
                        .call_results(call as u32)
                        .iter()
                        .map(move |to| (*to, call as u32))
                })
                .collect(),
        }
    }

    /// Whether callers have a part in what a call is a call of, or may have.
    pub(super) fn is_from_outside(&self, makers: &Makers, call: u32) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![self.solver.calls[call as usize].callee];
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            let kind = self.solver.program.place_kind(place);
            if seen.len() > PLACE_LIMIT || matches!(kind, Some(PlaceKind::Parameter | PlaceKind::Receiver)) {
                return true;
            }
            let loads = self.origins.load_of.get(&place).into_iter();
            let loads = loads.chain(self.origins.other_loads.get(&place).into_iter().flatten());
            let bases = loads.map(|load| self.solver.loads[*load as usize].base);
            open.extend(bases.chain(makers.containers.get(&place).copied()));
            if let Some(call) = makers.calls.get(&place) {
                let row = &self.solver.calls[*call as usize];
                let arguments = self.solver.call_arguments(*call).iter();
                let given = arguments.filter_map(|argument| argument.place).chain(row.receiver);
                open.extend(given.filter(|given| !self.solver.contents(*given).is_empty()));
            }
            let owner = self.solver.program.owner_of(place);
            for index in self.into.of(place.at()) {
                let edge = self.edges[*index as usize];
                match edge.from {
                    End::Place(from) if edge.how == How::Capture || self.solver.program.owner_of(from) == owner => {
                        open.push(from);
                    }
                    _ => {}
                }
            }
        }
        false
    }
}
