//! Which function is called may depend on a value: what it gives does so too.
//!
//! ```python
//! RATES = {"flat": Flat(), "share": Share()}
//! price = RATES[kind].of(order)    # from the table's element to price, as a test: its outcome is another method
//! ```

use ripple_schema::{How, Rule};

use super::Collector;
use crate::facts::PlaceKind;
use crate::propagate::solve::Target;

impl Collector<'_, '_> {
    /// A call of one of several functions, from what it is taken from. A parameter that is called is chosen by who calls.
    pub(super) fn chosen_by_value(&mut self, call: u32, told: &[Target]) {
        let row = &self.solver.calls[call as usize];
        let is_function = |target: &&Target| matches!(target, Target::Function { .. } | Target::Constructor { .. });
        if told.iter().filter(is_function).count() < 2 || matches!(row.how, How::Implicit | How::Callback) {
            return;
        }
        let chooser = match self.tables.load_of.get(&row.callee) {
            Some(load) => self.solver.loads[*load as usize].base,
            None => row.callee,
        };
        let kind = self.place_kind(chooser);
        if matches!(kind, Some(PlaceKind::Parameter | PlaceKind::Receiver)) {
            return;
        }
        let site = self.call_site(call);
        for result in self.solver.call_results(call).to_vec() {
            self.between(chooser, result, How::Test, Rule::Propagated, site);
        }
    }
}
