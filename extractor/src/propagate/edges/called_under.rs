//! What a function keeps because it is called: that depends on what its caller tests before.
//!
//! ```python
//! def flag(self, name): self.flags[name] = True
//! if row["pressure"] > 4: self.flag("alarm")       # `flags` depends on the pressure
//! ```
//!
//! Of what is computed from arguments that is not said, as nothing is of the value of a call (see [`crate::facts::builder`]); a constant says no more than
//! that the call was made. Where a call stands under tests, these are handed over to what stands for the call in the function.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End, NO_CALL, ValueEdge};
use crate::facts::PlaceKind;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex};
use crate::propagate::solve::Target;

/// What a function keeps when it is called.
struct Kept {
    entered: PlaceIndex,
    constants: Vec<(PlaceIndex, EdgeSite)>,
}

impl Collector<'_, '_> {
    pub(super) fn called_under_tests(&mut self) {
        let kept = self.kept_when_called();
        if kept.is_empty() {
            return;
        }
        let solver = self.solver;
        let mut entered: FxHashSet<FunctionIndex> = FxHashSet::default();
        for (file, row) in solver.program.files.iter().enumerate() {
            let index = FileIndex(file as u32);
            let Some(first) = solver.first_calls.get(file) else {
                continue;
            };
            for (call, tested) in &row.facts.calls_tested {
                let call = first + call;
                let targets = solver.calls[call as usize].targets.iter();
                let functions: FxHashSet<FunctionIndex> = targets
                    .filter_map(|target| match target {
                        Target::Function { function, .. } => Some(*function),
                        _ => None,
                    })
                    .filter(|function| kept.contains_key(function))
                    .collect();
                let mut functions: Vec<FunctionIndex> = functions.into_iter().collect();
                functions.sort_unstable();
                for function in functions {
                    entered.insert(function);
                    let site = self.call_site(call);
                    self.flows.values.push(ValueEdge {
                        kind: EdgeKind::PassesTo,
                        from: End::Place(solver.program.place(index, *tested)),
                        to: End::Place(kept[&function].entered),
                        how: How::Test,
                        rule: Rule::Propagated,
                        site,
                        call,
                    });
                }
            }
        }
        let mut entered: Vec<FunctionIndex> = entered.into_iter().collect();
        entered.sort_unstable();
        for function in entered {
            let Kept { entered, constants } = &kept[&function];
            let edges = constants.iter().map(|(constant, site)| ValueEdge {
                kind: EdgeKind::FlowsTo,
                from: End::Place(*entered),
                to: End::Place(*constant),
                how: How::Test,
                rule: Rule::Syntax,
                site: *site,
                call: NO_CALL,
            });
            self.flows.values.extend(edges);
        }
    }

    /// What functions keep when they are called. What depends on other tests is told here.
    fn kept_when_called(&mut self) -> FxHashMap<FunctionIndex, Kept> {
        let solver = self.solver;
        let mut kept: FxHashMap<FunctionIndex, Kept> = FxHashMap::default();
        for (file, row) in solver.program.files.iter().enumerate() {
            let file = FileIndex(file as u32);
            for (by, constant, position) in &row.facts.kept_constants {
                let site = EdgeSite {
                    file,
                    position: *position,
                };
                let is_call = row.facts.places[by.0 as usize].kind == PlaceKind::Decision;
                let (by, constant) = (solver.program.place(file, *by), solver.program.place(file, *constant));
                // A container is that of the field that it was read from.
                let read_from = self.read_from(constant);
                if !is_call {
                    for place in read_from {
                        self.between(by, place, How::Test, Rule::Syntax, site);
                    }
                    continue;
                }
                let Some(function) = solver.program.owner_of(by) else {
                    continue;
                };
                let places = read_from.into_iter().chain([constant]);
                let of_function = kept.entry(function).or_insert(Kept {
                    entered: by,
                    constants: Vec::new(),
                });
                of_function.constants.extend(places.map(|place| (place, site)));
            }
        }
        kept
    }
}
