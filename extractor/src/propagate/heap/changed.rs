//! Where structures are written into: only there it matters whether something is a copy.
//!
//! ```go
//! user.address.city = "x"        // writes into `user`,
//! user.Mark()                    // and so does this, if the method has a pointer for its receiver and writes through it
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{self, ElementKey, FileFacts, PlaceId, TypeExpression};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol};
use crate::propagate::heap::Heap;
use crate::propagate::solve::{Solver, Target};

/// How far a part is followed to what it is a part of, and a method to those that call it.
const DEPTH_LIMIT: u8 = 6;

/// Places of a file that something is written into, or whose address is taken.
pub(super) fn changed_places(facts: &FileFacts) -> FxHashSet<PlaceId> {
    let mut changed: FxHashSet<PlaceId> = facts.stores.iter().map(|row| row.base).collect();
    let stores = facts.element_stores.iter();
    changed.extend(stores.filter(|row| row.key != ElementKey::Keys).map(|row| row.base));
    changed.extend(facts.objects.iter().filter_map(|(_, object)| match object {
        facts::Object::Address(target) => Some(*target),
        _ => None,
    }));
    add_outer(facts, &mut changed);
    changed
}

/// `value.part.field = x` writes into `value` too.
pub(super) fn add_outer(facts: &FileFacts, changed: &mut FxHashSet<PlaceId>) {
    let outer: FxHashMap<PlaceId, PlaceId> = facts.loads.iter().map(|row| (row.to, row.base)).collect();
    for place in changed.clone() {
        let mut next = place;
        for _ in 0..DEPTH_LIMIT {
            let Some(base) = outer.get(&next) else { break };
            changed.insert(*base);
            next = *base;
        }
    }
}

/// The names of fields that structures embed.
pub(super) fn embedded_names(solver: &Solver<'_>) -> FxHashSet<Symbol> {
    let mut names = FxHashSet::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let fields = file.facts.types.iter().flat_map(|row| &row.fields);
        let embedded = fields.filter(|field| field.embedded).map(|field| field.name);
        names.extend(embedded.map(|name| solver.program.symbol(FileIndex(index as u32), name)));
    }
    names
}

/// What methods are called on that change what their pointer points at: `value.Mark()` changes `value`.
pub(super) fn changed_by_methods(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let mut changers: FxHashSet<FunctionIndex> = FxHashSet::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let file_index = FileIndex(index as u32);
        let is_pointer = |function: &facts::Function| {
            let declared = function.receiver_type;
            declared.is_some_and(|declared| {
                matches!(
                    solver.program.type_expression(file_index, declared),
                    TypeExpression::Pointer(_)
                )
            })
        };
        if !file.facts.functions.iter().any(is_pointer) {
            continue;
        }
        let changed = changed_places(&file.facts);
        for (local, function) in file.facts.functions.iter().enumerate() {
            let receiver = function.receiver.filter(|receiver| changed.contains(receiver));
            if receiver.is_some() && is_pointer(function) {
                changers.insert(solver.program.function(file_index, facts::FunctionId(local as u32)));
            }
        }
    }
    let mut changed = FxHashSet::default();
    // A method that calls another of its receiver's.
    for _ in 0..DEPTH_LIMIT {
        let before = changers.len();
        for row in solver.calls.iter().filter(|row| !row.silent) {
            for target in &row.targets {
                if let Target::Function {
                    function,
                    base: Some(base),
                    ..
                } = target
                    && changers.contains(function)
                {
                    changed.insert(*base);
                    if solver.receiver_place(row.function) == Some(*base) {
                        changers.insert(row.function);
                    }
                }
            }
        }
        if changers.len() == before {
            break;
        }
    }
    changed
}

impl Heap {
    /// Whether a method that writes through its receiver is called on what is in a place.
    pub(in crate::propagate) fn is_changed_by_method(&self, place: PlaceIndex) -> bool {
        self.changed_by_methods.contains(&place)
    }
}
