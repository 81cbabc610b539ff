//! Where values of types are made that have no constructor: who makes a `Post` is asked before a field of it is taken away.
//!
//! ```go
//! post := Post{Title: "x"}        // `CALLS_THROUGH` from the function around it to `Post`, as where Python's `Post("x")` finds no `__init__`
//! tags := Tags{"a"}; set := make(Set); zero := new(Post)
//! ```

use ripple_schema::{How, Rule};
use rustc_hash::FxHashSet;

use super::{CallEdge, Collector, EdgeSite, End, NO_CALL};
use crate::facts;
use crate::link::FileIndex;
use crate::propagate::object::Object;

impl Collector<'_, '_> {
    pub(super) fn made(&mut self) {
        let solver = self.solver;
        for (index, row) in solver.program.files.iter().enumerate() {
            let file = FileIndex(index as u32);
            if solver.untyped.contains(&file) {
                continue;
            }
            let mut told = FxHashSet::default();
            for (local, object) in &row.facts.objects {
                if !matches!(object, facts::Object::Instance(_)) {
                    continue;
                }
                let place = row.facts.places[local.0 as usize];
                let function = solver.program.function(file, place.function);
                for (_, object) in solver.held(solver.program.place(file, *local)) {
                    let Object::Instance(class) = object else { continue };
                    if told.insert((function, class, place.position)) {
                        self.flows.through.push(CallEdge {
                            function,
                            target: End::Type(class),
                            how: How::Constructor,
                            rule: Rule::Scope,
                            site: EdgeSite {
                                file,
                                position: place.position,
                            },
                            call: NO_CALL,
                        });
                    }
                }
            }
        }
    }
}
