//! Calls that may be of another method than those that were found: of what is only supposed to be a container
//! ([`crate::propagate::supposed`]), and of a class that is given methods under names that nobody wrote down.
//!
//! ```python
//! class Orders:
//!     def __init__(self, store): self.store = store          # nobody knows what that is
//!     def post(self, mail): self.store.add(mail)             # a set has `add`, and so has the class `Store` of the index
//! ```

use ripple_schema::Rule;

use super::{Collector, End};
use crate::link::{PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

impl Collector<'_, '_> {
    /// Such a call may be one of a method of the index as well.
    pub(super) fn may_be_of_another(&mut self, call: u32) {
        let how = self.solver.calls[call as usize].how;
        if let Some(method) = self.asked_of_supposed(call) {
            self.call_edge(call, End::Unresolved(method), Rule::UnresolvedReceiver, how);
        } else if let Some(method) = self.asked_of_filled(call) {
            self.call_edge(call, End::Unresolved(method), Rule::UnresolvedMember, how);
        }
    }

    /// `for name, method in METHODS.items(): setattr(Remote, name, method)`: the method that a call asks of objects of such a class, which has
    /// none of that name, beside those that others have.
    fn asked_of_filled(&self, call: u32) -> Option<Symbol> {
        let row = &self.solver.calls[call as usize];
        let load = self
            .tables
            .load_of
            .get(&row.callee)
            .filter(|_| !row.targets.is_empty())?;
        let read = &self.solver.loads[*load as usize];
        let lacks = |object| match object {
            Object::Instance(class) | Object::AnyOf(class) => {
                self.tables.filled_by_name.contains(&class) && self.has_no_own(class, read.member)
            }
            _ => false,
        };
        let is_told = read.implicit || read.after.is_some();
        let mut held = self.solver.held(read.base).map(|(_, object)| object);
        (!is_told && held.any(lacks)).then_some(read.member)
    }

    /// Whether a class has no member of that name but what code outside of it gives to objects, as tests do.
    fn has_no_own(&self, class: TypeIndex, name: Symbol) -> bool {
        let program = &self.solver.program;
        let is_given = |place: &PlaceIndex| {
            let member = program.member_of(*place);
            member.is_some_and(|member| self.solver.is_added(member))
        };
        program.find_readable(class, name).iter().all(is_given)
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
