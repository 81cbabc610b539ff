//! What the solver alone says of functions, classes and fields, looked up by all threads at once before objects are laid out.
//!
//! `run(steps[0])` with `steps = [first, second]`: `first` and `second` are handed to others, so that not all who call them are seen.

use rustc_hash::{FxHashMap, FxHashSet};

use super::keys::{Handed, handed_on};
use super::{changed, class_members, entered, factories, fields, globals, outside};
use crate::link::{FunctionIndex, PlaceIndex, Symbol};
use crate::propagate::solve::Solver;

/// See the module's documentation.
pub(super) struct LookedUp {
    /// Fields that hold a container of their own in each object.
    pub(super) made_by_factory: FxHashSet<PlaceIndex>,
    /// By type, whether its objects are kept apart.
    pub(super) kept_apart: Vec<bool>,
    /// Functions whose generators `with` enters.
    pub(super) entered: FxHashMap<FunctionIndex, entered::Entered>,
    /// Parameters that are handed on as other parameters.
    pub(super) handed_on: Handed,
    /// Functions that are handed to others, or kept somewhere.
    pub(super) handed_over: FxHashSet<FunctionIndex>,
    /// Functions that call what is not known.
    pub(super) calling_unknown: FxHashSet<FunctionIndex>,
    /// Fields of objects that are values of library types.
    pub(super) of_library: FxHashSet<PlaceIndex>,
    /// Members of classes that all instances share.
    pub(super) shared: FxHashSet<PlaceIndex>,
    /// The names of embedded fields.
    pub(super) embedded: FxHashSet<Symbol>,
}

impl LookedUp {
    pub(super) fn new(solver: &Solver<'_>) -> Self {
        let ((handed_on, calling_unknown, entered, embedded), (handed_over, kept_apart, others)) = rayon::join(
            || {
                (
                    handed_on(solver),
                    globals::calls_unknown(solver),
                    entered::functions_entered(solver),
                    changed::embedded_names(solver),
                )
            },
            || {
                let others = (
                    factories::fields_made(solver),
                    outside::fields_of_objects(solver),
                    class_members::shared_by_instances(solver),
                );
                (globals::handed_over(solver), fields::classes_kept_apart(solver), others)
            },
        );
        let (made_by_factory, of_library, shared) = others;
        Self {
            made_by_factory,
            kept_apart,
            entered,
            handed_on,
            handed_over,
            calling_unknown,
            of_library,
            shared,
            embedded,
        }
    }
}
