//! Objects travel along flows until nothing changes; then every flow, call and access is written down as an edge.
//!
//! First, some terminology, on top of [`crate::facts`]:
//!
//! - A place's **contents** are the objects that may be in it: a set that only grows.
//! - A **constraint** hangs on a place and fires once for each object that arrives there: *copy* it to another place, look up a
//!   member of it (*load*, *store*), take or put a part of it (*element*), *call* it.
//! - A **target** is a function that a call site was found to call. Finding one adds copies (arguments to parameters, results to
//!   the value of the call), which carry more objects, which find more targets. This is variable-type analysis for Go
//!   (Sundaresan et al. 2000) and an assignment graph for Python (Salis et al. 2021, PyCG): one engine for both, inclusion-based
//!   (Andersen 1994), field-based for named types, by place of making for containers.
//!
//! One small program, followed through:
//!
//! ```python
//! class Dog:
//!     def speak(self): return "woof"
//! def hear(animal):
//!     return animal.speak()
//! hear(Dog())
//! ```
//!
//! The body's use of `Dog` holds `Class(Dog)`; it is called, so the value of the call holds `Instance(Dog)`. The use of `hear` holds
//! `Function(hear)`; it is called, so the argument's contents are copied to `animal`. There waits a load of `speak`:
//! `Instance(Dog)` has it, so the load's place gets `Bound(speak, Instance(Dog))`, which is called: a target, and `self` gets the
//! instance.
//!
//! What is only declared (`animal: Dog`, a Go interface) is the object `AnyOf(Dog)`. When everything else has settled and nothing
//! more exact has arrived, it stands for every subtype in the index (class-hierarchy analysis), and the engine runs on.
//!
//! The stages: [`solve`] (with [`access`] and [`call`] for what constraints do), [`edges`] (contents to edges), [`callees`]
//! (which callees really come to a call), [`contexts`] (by how their function was entered), [`summary`]
//! (which argument a function carries to its result).

pub mod edges;
mod heap;
pub mod library;
pub mod object;
mod raise;
mod ranks;
mod reached;
mod rows;
pub mod solve;
mod stands_for;
pub mod summary;

mod accepted;
mod access;
mod annotated;
pub mod any_member;
mod arguments;
mod assertions;
mod attribute_hooks;
mod bases_given;
mod by_argument;
mod by_name;
mod by_receiver;
mod call;
mod callees;
mod changes;
mod columns_named;
mod compared;
mod conditions;
mod constraint;
mod constructor;
mod container_classes;
mod contexts;
mod converted;
mod copies;
mod cut;
mod decided;
mod declared;
mod effects;
mod embedded;
mod end_parts;
mod enumerations;
mod fallback;
mod fitting;
mod flags;
mod forwarding;
mod full;
mod generic_classes;
mod generic_interfaces;
mod generics;
mod getters;
mod grouped;
mod handing;
mod inferred;
mod instantiations;
mod kept_keys;
mod keyed;
mod lay_out;
mod looked_into;
mod loops;
mod made_calls;
mod made_with;
mod making;
mod members_set;
mod model_rows;
mod moved;
mod named_keys;
mod named_members;
mod namespace;
mod narrow;
mod open;
mod parts;
mod private_names;
mod properties_made;
mod protocols;
mod put_in;
mod records;
mod rendered;
mod ruled_out;
pub mod signatures;
mod supposed;
mod taken;
mod texts;
mod types;
mod widening;

pub use cut::Cut;
pub use edges::{Access, CallEdge, End, Flows, TypeEdge, ValueEdge};
pub(crate) use heap::written_name;

use std::time::Instant;

use ripple_schema::Language;
use rustc_hash::FxHashMap;

use crate::link::Program;
use library::Library;

/// Runs the engine and writes down what it found.
pub fn run(program: &mut Program, libraries: &FxHashMap<Language, Library>) -> Flows {
    let mut phase = Phases::begin();
    let mut solver = solve::Solver::new(program, libraries);
    phase.end("lay out");
    solver.solve();
    phase.end("solve");
    let mut heap = heap::Heap::new(&mut solver);
    phase.end("lay out objects");
    // What only the solver says is looked up meanwhile.
    let ((), (tables, decided, origins, (used, called))) = rayon::join(
        || heap.solve(&solver),
        || {
            (
                edges::Tables::new(&solver),
                decided::Decided::new(&solver),
                callees::Origins::new(&solver),
                callees::used_places(&solver),
            )
        },
    );
    phase.end("objects");
    solver.forget_constraints();
    heap.settle(&mut solver, decided, &used);
    phase.end("cells");
    let of_objects = std::mem::take(&mut heap.edges);
    let handed = std::mem::take(&mut heap.handed);
    let mut flows = edges::collect(&mut solver, (&heap, of_objects, handed), &tables, &used);
    phase.end("edges");
    drop(tables);
    let (incomplete, told) = (std::mem::take(&mut heap.incomplete), heap.tracked_loads(&solver));
    // What comes now takes as much memory; to give back so many small tables takes a while.
    rayon::spawn(|| drop(heap));
    let contexts = callees::narrow((&solver, origins), (&incomplete, &told), &mut flows, &called);
    phase.end("callees");
    drop(solver);
    summary::add(program, &contexts, &mut flows);
    edges::drop_repeated(program, &mut flows);
    phase.end("summaries");
    flows
}

/// How long each phase takes, for who asks with `RUST_LOG=ripple_extractor=debug`.
struct Phases(Instant);

impl Phases {
    fn begin() -> Self {
        Self(Instant::now())
    }

    fn end(&mut self, phase: &str) {
        let took = std::mem::replace(&mut self.0, Instant::now()).elapsed();
        tracing::debug!(phase, ms = took.as_millis() as u64, "propagated");
    }
}
