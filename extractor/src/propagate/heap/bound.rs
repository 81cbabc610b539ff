//! Methods as values: each keeps the object that it was taken from.
//!
//! ```python
//! def ask(read): return read()
//! ask(one.get), ask(two.get)        # two values of `read`: what the first gives is what lies in `one`
//! ```
//!
//! Like a closure, a bound method is an object with a cell for what it keeps; where it is called by another name than that of its
//! object, the receiver comes out of that cell. The cell is named after the method, so that of `[one.read, two.write]` a loop
//! reads `one` alone and writes `two`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Access, Heap, ValueCopy, When};
use crate::facts::{TypeExpression, TypeKind};
use crate::link::{DerivedPlace, FunctionIndex, PlaceIndex, Step};
use crate::propagate::object::Object;
use crate::propagate::solve::{LoadRow, RowSite, Solver, Target};

/// The name of the cell where methods share it: the receivers of all that a variable may hold are mixed.
const RECEIVER: &str = "(receiver)";

/// Most methods at one call of which each has a cell of its own.
const METHOD_LIMIT: usize = 8;

impl Heap {
    /// Finds the calls of methods that were taken from their objects elsewhere.
    pub(super) fn lay_out_bound(&mut self, solver: &mut Solver<'_>) {
        let taken = taken_elsewhere(solver);
        if taken.is_empty() && solver.taken.calls.is_empty() {
            return;
        }
        let shared = Step::Kept(solver.program.symbols.intern(RECEIVER));
        let access = |(base, step), value, from: PlaceIndex, row: RowSite| Access {
            base,
            step,
            value: Some(value),
            fields: vec![from],
            at: (row.file, row.position),
            when: When::certain(row.point),
            function: row.function,
        };
        let mut bases = FxHashSet::default();
        for taken in &solver.taken.calls {
            let (callee, row) = (
                solver.calls[taken.call as usize].callee,
                solver.calls[taken.call as usize].at(),
            );
            let read = access((callee, shared), taken.receiver, taken.base, row);
            self.locals[row.function.at()].reads.push(read);
            bases.insert(taken.base);
        }
        self.to_receivers.insert(shared);
        let mut is_shared = !solver.taken.calls.is_empty();
        let mut own_steps: FxHashMap<FunctionIndex, Step> = FxHashMap::default();
        // What is called there may be a method of one object or another one of another.
        for methods in taken.chunk_by(|one, next| one.0 == next.0) {
            let distinct: FxHashSet<FunctionIndex> = methods.iter().map(|(_, function, _)| *function).collect();
            let is_apart = distinct.len() <= METHOD_LIMIT;
            is_shared |= !is_apart;
            for (call, function, base) in methods.iter().copied() {
                let step = match is_apart {
                    true => *own_steps.entry(function).or_insert_with(|| {
                        let name = format!("{RECEIVER} {}", function.at());
                        Step::Kept(solver.program.symbols.intern(&name))
                    }),
                    false => shared,
                };
                let (callee, row) = (solver.calls[call as usize].callee, solver.calls[call as usize].at());
                let receiver = self.receivers.entry((call, function));
                let receiver = *receiver.or_insert_with(|| solver.derive_place(DerivedPlace::Passing(row.function)));
                self.locals[row.function.at()]
                    .reads
                    .push(access((callee, step), receiver, base, row));
                bases.insert(base);
            }
        }
        self.to_receivers.extend(own_steps.values());
        let loads = solver.loads.iter();
        let loads = loads.filter(|load| !load.silent && bases.contains(&load.base));
        for load in loads.copied().collect::<Vec<_>>() {
            let bound = solver.held(load.to).filter_map(|(_, object)| match object {
                Object::Bound { base, function, .. } if base == load.base => Some(function),
                _ => None,
            });
            let bound: Vec<FunctionIndex> = bound.collect();
            let is_taken = |object| matches!(object, Object::Taken { base, .. } if base == load.base);
            if !bound.is_empty() || solver.held(load.to).any(|(_, object)| is_taken(object)) {
                let made = self.made_at(load.to);
                self.put(load.to, &[made]);
                // The method of an embedded part is taken from that part.
                let owner = bound
                    .first()
                    .and_then(|function| solver.program.functions[function.at()].owner);
                let holder = self.promoted.receiver(load.base, owner);
                let by_value = !bound.is_empty() && bound.iter().all(|function| takes_value(solver, *function));
                let kept = match by_value && is_structure(solver, load.base) {
                    true => self.copy_of_receiver(solver, (holder, load.base), &load),
                    false => holder,
                };
                let own = bound.iter().filter_map(|function| own_steps.get(function).copied());
                for step in own.chain(is_shared.then_some(shared)) {
                    let write = access((load.to, step), kept, load.base, load.at());
                    self.locals[load.function.at()].writes.push(write);
                }
            }
        }
    }
}

impl Heap {
    /// A structure that a method is taken from is copied then.
    fn copy_of_receiver(
        &mut self,
        solver: &mut Solver<'_>,
        (from, base): (PlaceIndex, PlaceIndex),
        load: &LoadRow,
    ) -> PlaceIndex {
        let copy = solver.derive_place(DerivedPlace::Passing(load.function));
        // Of an embedded part the fields are found where it is copied.
        if from == base {
            self.note_structure(solver, base);
            let fields = self.structures.get(&base).cloned().unwrap_or_default();
            self.structures.insert(copy, fields);
        }
        self.locals[load.function.at()].values.push(ValueCopy {
            from,
            to: copy,
            at: (load.file, load.position),
            point: Some(load.point),
            function: load.function,
            is_deep: false,
        });
        copy
    }
}

/// Whether a method gets a copy of its receiver.
fn takes_value(solver: &Solver<'_>, function: FunctionIndex) -> bool {
    let file = solver.program.functions[function.at()].file;
    let declared = solver.program.function_facts(function).receiver_type;
    declared.is_some_and(|declared| {
        !matches!(
            solver.program.type_expression(file, declared),
            TypeExpression::Pointer(_)
        )
    })
}

fn is_structure(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    solver.held(place).any(|(_, object)| match object {
        Object::Instance(index) => solver.program.type_facts(index).kind == TypeKind::Struct,
        _ => false,
    })
}

/// Methods that are called where they were not taken from their object: (call, method, where the object is).
fn taken_elsewhere(solver: &Solver<'_>) -> Vec<(u32, FunctionIndex, PlaceIndex)> {
    let loads: FxHashMap<PlaceIndex, PlaceIndex> = solver.loads.iter().map(|row| (row.to, row.base)).collect();
    let mut taken = Vec::new();
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        for target in &row.targets {
            let Target::Function {
                function,
                receiver: Some(_),
                base: Some(base),
            } = *target
            else {
                continue;
            };
            let is_here = loads.get(&row.callee) == Some(&base);
            let is_value = |object| matches!(object, Object::Bound { function: own, base: from, .. } if own == function && from == base);
            if !is_here && solver.held(row.callee).any(|(_, object)| is_value(object)) {
                taken.push((call as u32, function, base));
            }
        }
    }
    taken
}
