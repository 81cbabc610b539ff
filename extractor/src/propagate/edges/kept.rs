//! What exceptions keep of what they are made with: all of it, by themselves, unless their constructor tells them what.
//!
//! ```python
//! class Refused(Exception):
//!     def __init__(self, user, text):
//!         super().__init__(text)      # this is what `str(error)` and `error.args` have, and nothing of `user`
//! ```

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, End, ValueEdge};
use crate::link::{Base, FunctionIndex, PlaceIndex, TypeIndex};
use crate::propagate::solve::{Solver, Target};

/// Most constructors that call one another.
const CHAIN_LIMIT: u32 = 8;

impl Collector<'_, '_> {
    /// A constructor of an exception is called, for a new one or by that of a class below.
    pub(super) fn keep_arguments(
        &mut self,
        call: u32,
        function: FunctionIndex,
        (value, is_new): (Option<PlaceIndex>, bool),
    ) {
        let owner = self.solver.program.functions[function.at()].owner;
        let (Some(class), Some(value)) = (owner, value) else {
            return;
        };
        if !self.is_exception(class) {
            return;
        }
        if !self.tables.telling.contains(&function) {
            if is_new {
                self.summarize_all(call, Rule::LibraryTable);
            }
            return;
        }
        let file = self.solver.program.functions[function.at()].file;
        let parameters = &self.solver.program.function_facts(function).parameters;
        let Some(own) = parameters.first().map(|own| self.solver.program.place(file, own.place)) else {
            return;
        };
        let site = self.call_site(call);
        self.flows.values.push(ValueEdge {
            kind: EdgeKind::ReturnsTo,
            from: End::Place(own),
            to: End::Place(value),
            how: How::Return,
            rule: Rule::LibraryTable,
            site,
            call,
        });
    }

    fn is_exception(&self, class: TypeIndex) -> bool {
        let order = &self.solver.program.types[class.at()].order;
        let bases = order
            .iter()
            .flat_map(|class| &self.solver.program.types[class.at()].bases);
        let mut names = bases.filter_map(|base| match base {
            Base::External(name) => Some(self.solver.program.symbols.text(*name)),
            Base::Type(_) => None,
        });
        names.any(|name| ["Error", "Exception", "Warning"].iter().any(|end| name.ends_with(end)))
    }
}

/// Constructors that tell the exception what to keep: they call that of the language, or another that does.
pub(super) fn telling(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    let Some(init) = solver.program.symbols.find("__init__") else {
        return FxHashSet::default();
    };
    let is_init = |function: FunctionIndex| {
        let file = solver.program.functions[function.at()].file;
        solver
            .program
            .symbol(file, solver.program.function_facts(function).name)
            == init
    };
    let mut telling = FxHashSet::default();
    let mut inner: Vec<(FunctionIndex, FunctionIndex)> = Vec::new();
    let rows = solver.calls.iter().filter(|row| !row.silent && is_init(row.function));
    for row in rows {
        for target in &row.targets {
            match target {
                Target::External(name) if solver.program.symbols.text(*name).ends_with(".__init__") => {
                    telling.insert(row.function);
                }
                Target::Function { function, .. } if is_init(*function) => inner.push((row.function, *function)),
                _ => {}
            }
        }
    }
    for _ in 0..CHAIN_LIMIT {
        let before = telling.len();
        let more: Vec<FunctionIndex> = inner
            .iter()
            .filter(|(_, callee)| telling.contains(callee))
            .map(|(caller, _)| *caller)
            .collect();
        telling.extend(more);
        if telling.len() == before {
            break;
        }
    }
    telling
}
