//! Calls of methods of containers that are only supposed to be there ([`crate::propagate::supposed`]).
//!
//! ```python
//! class Orders:
//!     def __init__(self, store): self.store = store          # nobody knows what that is
//!     def post(self, mail): self.store.add(mail)             # a set has `add`, and so has the class `Store` of the index
//! ```

use ripple_schema::Rule;

use super::{Collector, End};
use crate::link::Symbol;
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

impl Collector<'_, '_> {
    /// Such a call may be one of a method of the index as well.
    pub(super) fn may_be_of_another(&mut self, call: u32) {
        if let Some(method) = self.asked_of_supposed(call) {
            let how = self.solver.calls[call as usize].how;
            self.call_edge(call, End::Unresolved(method), Rule::UnresolvedReceiver, how);
        }
    }

    /// The method that a call asks of such a container and of nothing else that is known, if a class of the index has one of that name.
    fn asked_of_supposed(&self, call: u32) -> Option<Symbol> {
        let row = &self.solver.calls[call as usize];
        let receiver = row.receiver.filter(|_| !self.solver.supposed.is_empty())?;
        let mut is_asked = false;
        for (id, object) in self.solver.held(receiver) {
            match object {
                Object::Container { .. } if self.solver.supposed.contains(&id) => is_asked = true,
                Object::External(_) | Object::AnyExternal(_) => {}
                _ => return None,
            }
        }
        let is_outside = |target: &Target| matches!(target, Target::External(_));
        let method = self.solver.program.symbols.text(row.text).rsplit('.').next()?;
        let method = self.solver.program.symbols.find(method)?;
        let is_told = is_asked && row.targets.iter().all(is_outside);
        Some(method).filter(|method| is_told && self.names.is_of_a_method(*method))
    }
}
