//! What a method gives of what another method of the same receiver gives: to each caller what that is for its receiver.
//!
//! ```python
//! class Factory:
//!     def get(self): return self.request()       # an own call: what `request` is, the receiver tells
//!     def request(self): return Request()
//! class Client(Factory):
//!     def request(self): return Response()
//!
//! Factory().get()                                # a Request, and no Response
//! ```
//!
//! The result of `get` holds both, and who calls it on an unknown receiver gets both. Where the receiver is known, the caller gets the **rest**
//! (what `get` gives besides) and what the own calls give for that receiver: the call is made once more for it, with no edges of its own. So
//! it is with `return cls()` and `return super().get()`. This is object sensitivity (Milanova et al. 2005) by the type of the receiver, for
//! results alone.

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::{Object, ObjectId};
use super::solve::{CallRow, LoadRow, Solver};
use crate::facts::{Binding, FileFacts, PlaceId};
use crate::link::{DerivedPlace, FunctionIndex, PlaceIndex};

/// Most receivers of one own call; more get the result of all.
const RECEIVER_LIMIT: u32 = 64;

/// A call of the receiver, or of a method of it, of which the value is the result of the method around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnCall {
    pub call: u32,
    /// The load of the method; none where the receiver itself is called.
    pub load: Option<u32>,
    pub result: PlaceIndex,
}

/// All that is known of own calls.
#[derive(Debug, Default)]
pub(super) struct ByReceiver {
    own_calls: FxHashMap<FunctionIndex, Vec<OwnCall>>,
    /// What a result holds besides.
    rest: FxHashMap<PlaceIndex, PlaceIndex>,
    /// The value of an own call for a receiver.
    values: FxHashMap<(u32, ObjectId), PlaceIndex>,
    receivers: FxHashMap<u32, u32>,
    /// Own calls that were made once more: the call that stands in the source.
    made_of: FxHashMap<u32, u32>,
}

impl Solver<'_> {
    /// Notes a function's own call; what else goes into that result has a place of its own from now on.
    pub(super) fn note_own_call(&mut self, function: FunctionIndex, own: OwnCall) {
        self.by_receiver.own_calls.entry(function).or_default().push(own);
        if !self.by_receiver.rest.contains_key(&own.result) {
            let rest = self.derive_place(DerivedPlace::Passing(function));
            self.by_receiver.rest.insert(own.result, rest);
            self.copy(rest, own.result);
        }
    }

    /// Whether a function has own calls.
    pub(super) fn has_own_calls(&self, function: FunctionIndex) -> bool {
        self.by_receiver.own_calls.contains_key(&function)
    }

    /// Where what is no own call's goes on its way into a result.
    pub(super) fn rest_of(&self, result: PlaceIndex) -> PlaceIndex {
        self.by_receiver.rest.get(&result).copied().unwrap_or(result)
    }

    /// The places that make up a result for this receiver, what is no own call's first; none where that is the result itself.
    pub(super) fn result_for_receiver(
        &mut self,
        function: FunctionIndex,
        receiver: Option<ObjectId>,
        result: PlaceIndex,
    ) -> Option<Vec<PlaceIndex>> {
        let receiver = receiver?;
        let is_known = matches!(self.objects.get(receiver), Object::Instance(_) | Object::Class(_));
        let own = self.by_receiver.own_calls.get(&function).filter(|_| is_known)?;
        let own: Vec<OwnCall> = own.iter().filter(|own| own.result == result).copied().collect();
        let mut places = vec![self.by_receiver.rest.get(&result).copied()?];
        for own in own {
            places.push(self.value_for(own, receiver)?);
        }
        Some(places)
    }

    /// What an own call gives for a receiver.
    fn value_for(&mut self, own: OwnCall, receiver: ObjectId) -> Option<PlaceIndex> {
        if let Some(value) = self.by_receiver.values.get(&(own.call, receiver)) {
            return Some(*value);
        }
        let receivers = self.by_receiver.receivers.entry(own.call).or_default();
        if *receivers == RECEIVER_LIMIT {
            return None;
        }
        *receivers += 1;
        let row = self.calls[own.call as usize].clone();
        let [base, value] = [(); 2].map(|()| self.derive_place(DerivedPlace::Passing(row.function)));
        // Before the call is made: it may come round to itself.
        self.by_receiver.values.insert((own.call, receiver), value);
        self.add(base, receiver);
        let callee = match own.load {
            None => base,
            Some(load) => {
                let to = self.derive_place(DerivedPlace::Passing(row.function));
                let load = self.loads[load as usize];
                self.push_load(LoadRow {
                    base,
                    to,
                    silent: true,
                    ..load
                });
                to
            }
        };
        let arguments = self.call_arguments(own.call).to_vec();
        let made = CallRow {
            callee,
            receiver: row.receiver.map(|_| base),
            targets: Vec::new(),
            silent: true,
            ..row
        };
        // Noted before its targets are found.
        self.by_receiver.made_of.insert(self.calls.len() as u32, own.call);
        self.push_call(made, &arguments, &[value]);
        Some(value)
    }

    /// The call in the source that was made once more as this one.
    pub(super) fn made_of(&self, call: u32) -> Option<u32> {
        self.by_receiver.made_of.get(&call).copied()
    }
}

/// The calls of a file that call the receiver of their method, or a method of it, by their values: the call and the load of the method, as
/// indices of the file's.
pub(super) fn own_calls(facts: &FileFacts) -> FxHashMap<PlaceId, (usize, Option<usize>)> {
    let methods = facts.functions.iter().filter(|function| {
        function.owner.is_some() && function.receiver.is_none() && function.binding != Binding::Static
    });
    let receivers: FxHashSet<PlaceId> = methods
        .filter_map(|function| Some(function.parameters.first()?.place))
        .collect();
    let of_receiver =
        |place: PlaceId, function| receivers.contains(&place) && facts.places[place.0 as usize].function == function;
    let loads = facts.loads.iter().enumerate();
    let loads: FxHashMap<PlaceId, usize> = loads
        .filter(|(_, load)| of_receiver(load.base, load.function))
        .map(|(index, load)| (load.to, index))
        .collect();
    let mut own = FxHashMap::default();
    for (index, call) in facts.calls.iter().enumerate() {
        let load = loads.get(&call.callee).copied();
        if let ([value], true) = (
            call.results.as_slice(),
            load.is_some() || of_receiver(call.callee, call.function),
        ) {
            own.insert(*value, (index, load));
        }
    }
    own
}
