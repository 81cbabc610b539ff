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
use crate::propagate::solve::{Solver, Target};

/// What a function keeps when it is called.
struct Kept {
    entered: PlaceIndex,
    constants: Vec<(PlaceIndex, EdgeSite)>,
}

/// What is put into fields and parts as it is, or names the part.
fn put_away(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let stored = solver.stores.iter().filter_map(|row| row.from);
    let put = solver.element_stores.iter().filter(|row| !row.library);
    let put = put.flat_map(|row| [Some(row.value), row.index]);
    stored.chain(put.flatten()).collect()
}

/// The functions among the targets of a call, in order, with whether they are bound to a receiver.
fn functions_of(targets: &[Target]) -> Vec<(FunctionIndex, bool)> {
    let functions = targets.iter().filter_map(|target| match target {
        Target::Function { function, receiver, .. } => Some((*function, receiver.is_some())),
        _ => None,
    });
    let mut functions: Vec<(FunctionIndex, bool)> = functions.collect();
    functions.sort_unstable();
    functions.dedup();
    functions
}

impl Collector<'_, '_> {
    pub(super) fn called_under_tests(&mut self) {
        let kept = self.kept_when_called();
        let solver = self.solver;
        let put: FxHashSet<PlaceIndex> = put_away(solver);
        let mut entered: FxHashSet<FunctionIndex> = FxHashSet::default();
        for (file, row) in solver.program.files.iter().enumerate() {
            let index = FileIndex(file as u32);
            let Some(first) = solver.first_calls.get(file) else {
                continue;
            };
            for (call, tested) in &row.facts.calls_tested {
                let call = first + call;
                // What tests do is asked by nobody.
                if solver.program.is_test(solver.calls[call as usize].function) {
                    continue;
                }
                let tested = solver.program.place(index, *tested);
                for (function, bound) in functions_of(&solver.calls[call as usize].targets) {
                    if let Some(kept) = kept.get(&function) {
                        entered.insert(function);
                        self.pass_test(call, tested, kept.entered);
                    }
                    // So does what constants that it is given are put into.
                    for (parameter, argument) in solver.arguments_given(call, function, bound) {
                        let is_put = put.contains(&parameter);
                        if is_put && argument.is_some_and(|argument| argument.place.is_none()) {
                            self.pass_test(call, tested, parameter);
                        }
                    }
                }
            }
        }
        self.called_by_value(&kept, &mut entered);
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

    /// What a variable or a part of a list calls, it calls because that is there: `for option in options: option(client)`.
    fn called_by_value(&mut self, kept: &FxHashMap<FunctionIndex, Kept>, entered: &mut FxHashSet<FunctionIndex>) {
        let solver = self.solver;
        let read: FxHashSet<PlaceIndex> = solver.element_loads.iter().map(|row| row.value).collect();
        for (call, row) in solver.calls.iter().enumerate() {
            let is_variable = solver.program.place_kind(row.callee) == Some(PlaceKind::Local);
            let is_asked = is_variable || read.contains(&row.callee);
            if row.silent || !is_asked || solver.program.is_test(row.function) {
                continue;
            }
            for (function, _) in functions_of(&row.targets) {
                if let Some(kept) = kept.get(&function) {
                    entered.insert(function);
                    self.pass_test(call as u32, row.callee, kept.entered);
                }
            }
        }
    }

    fn pass_test(&mut self, call: u32, tested: PlaceIndex, to: PlaceIndex) {
        let site = self.call_site(call);
        self.flows.values.push(ValueEdge {
            kind: EdgeKind::PassesTo,
            from: End::Place(tested),
            to: End::Place(to),
            how: How::Test,
            rule: Rule::Propagated,
            site,
            call,
        });
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
                    for (place, _) in read_from {
                        self.between(by, place, How::Test, Rule::Syntax, site);
                    }
                    continue;
                }
                let Some(function) = solver.program.owner_of(by) else {
                    continue;
                };
                let places = read_from.into_iter().map(|(place, _)| place).chain([constant]);
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
