//! Which objects are told apart at all, before it is known what is done with them.

use rustc_hash::FxHashSet;

use crate::facts;
use crate::facts::TypeKind;
use crate::link::{FileIndex, FunctionIndex, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Most objects of a type that are kept apart.
const MADE_LIMIT: usize = 200;

/// Of which types objects are kept apart: those of which some are made here, and not so many that nobody would look at one.
pub(super) fn classes_kept_apart(solver: &Solver<'_>) -> Vec<bool> {
    let mut made = vec![0usize; solver.program.types.len()];
    let mut count = |index: TypeIndex| {
        for base in &solver.program.types[index.at()].order {
            made[base.at()] += 1;
        }
    };
    for row in solver.calls.iter().filter(|row| !row.silent) {
        for target in &row.targets {
            if let Target::Constructor { class, .. } | Target::Class(class) = target {
                count(*class);
            }
        }
    }
    for (index, file) in solver.program.files.iter().enumerate() {
        let objects = file.facts.objects.iter();
        let objects = objects.filter(|(_, object)| matches!(object, facts::Object::Instance(_)));
        let declared = file.facts.declared.iter().map(|(place, _)| place);
        for place in objects.map(|(place, _)| place).chain(declared) {
            let place = solver.program.place(FileIndex(index as u32), *place);
            for (_, object) in solver.held(place) {
                if let Object::Instance(index) = object {
                    count(index);
                }
            }
        }
    }
    let made = made.into_iter().enumerate().map(|(index, made)| {
        // Structures are there without being made: in variables, in parts of containers.
        let is_structure = solver.program.type_facts(TypeIndex(index as u32)).kind == TypeKind::Struct;
        (1..=MADE_LIMIT).contains(&made.max(usize::from(is_structure)))
    });
    made.collect()
}

/// Functions whose generators `with` enters.
pub(super) fn functions_entered(solver: &Solver<'_>) -> FxHashSet<FunctionIndex> {
    let mut entered = FxHashSet::default();
    for call in 0..solver.calls.len() as u32 {
        let result = solver.call_results(call).first();
        if result.is_some_and(|result| solver.entered.contains(result)) {
            let targets = solver.calls[call as usize].targets.iter();
            entered.extend(targets.filter_map(|target| match target {
                Target::Function { function, .. } => Some(*function),
                _ => None,
            }));
        }
    }
    entered
}
