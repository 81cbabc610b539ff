//! Fields that are values: where a part of one is set, or a method of it writes through its pointer, the field is changed, though nothing is
//! assigned to it.
//!
//! ```go
//! type Player struct { at Position; level *Level }
//!
//! p.at.x = 1          // changes what is in `at`
//! p.at.Reset()        // and so does this, where `Reset` writes through the pointer that is its receiver
//! p.level.name = ""   // and this does not: others may have the level, too
//! p.x = 1             // and this does, where the player embeds its `Position`
//! ```

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite, End};
use crate::facts::{TypeExpression, TypeKind};
use crate::link::scope::TypeMeaning;
use crate::link::{FileIndex, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, StoreRow, Target};

/// The fields that are declared to be values of a type of the index, and neither pointers to such nor what an interface keeps.
pub(super) fn value_fields(solver: &mut Solver<'_>) -> FxHashSet<PlaceIndex> {
    let mut values = FxHashSet::default();
    for file in (0..solver.program.files.len() as u32).map(FileIndex) {
        if solver.untyped.contains(&file) {
            continue;
        }
        for (field, declared) in solver.program.declared_fields(file) {
            let mut head = declared;
            if let TypeExpression::Generic(inner, _) = solver.program.type_expression(file, declared) {
                head = *inner;
            }
            let is_name = matches!(
                solver.program.type_expression(file, head),
                TypeExpression::Path { .. } | TypeExpression::Local(_)
            );
            if is_name
                && let TypeMeaning::Type(named) = solver.program.head_type(file, head, 0)
                && matches!(
                    solver.program.type_facts(named).kind,
                    TypeKind::Struct | TypeKind::Named
                )
            {
                values.insert(field);
            }
        }
    }
    values
}

impl Collector<'_, '_> {
    /// Parts of values that are set, and methods that change theirs.
    pub(super) fn changed_values(&mut self, values: &FxHashSet<PlaceIndex>) {
        if values.is_empty() {
            return;
        }
        let solver = self.solver;
        for row in solver.stores.iter().filter(|row| !row.implicit) {
            let site = EdgeSite {
                file: row.file,
                position: row.position,
            };
            self.changed_by_promotion(row, values, site);
            self.changed_around(row.base, values, site);
        }
        for (index, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            let changers = row.targets.iter().filter_map(|target| match target {
                Target::Function { base: Some(base), .. } if self.heap.is_changed_by_method(*base) => Some(*base),
                _ => None,
            });
            for base in changers.collect::<FxHashSet<_>>() {
                self.changed_around(base, values, self.call_site(index as u32));
            }
        }
    }

    /// `player.x = 1` with an embedded `Position`: that is read, and changed where it lies in the player.
    fn changed_by_promotion(&mut self, row: &StoreRow, values: &FxHashSet<PlaceIndex>, site: EdgeSite) {
        let mut lies_inside = true;
        let embedded: Vec<_> = self.heap.promoting_member(row.base, row.member).collect();
        for (_, field) in embedded {
            let (end, rule) = (End::Place(field), Rule::DeclaredType);
            self.access(EdgeKind::Reads, row.function, end, rule, site);
            lies_inside &= values.contains(&field);
            if lies_inside {
                self.changed_field((row.function, field), How::Put, rule, site);
            }
        }
    }

    /// The value that was read into `part` is changed, and so is each value around it.
    fn changed_around(&mut self, mut part: PlaceIndex, values: &FxHashSet<PlaceIndex>, site: EdgeSite) {
        let solver = self.solver;
        let mut seen = FxHashSet::default();
        while let Some(load) = self.tables.load_of.get(&part).filter(|_| seen.insert(part)) {
            let load = solver.loads[*load as usize];
            let before = self.flows.accesses.len();
            for (_, object) in solver.held(load.base) {
                let (Object::Instance(owner) | Object::AnyOf(owner)) = object else {
                    continue;
                };
                let rule = self.member_rule(load.base, object);
                for field in solver.program.find_readable(owner, load.member) {
                    if values.contains(&field) {
                        self.changed_field((load.function, field), How::Put, rule, site);
                    }
                }
            }
            if self.flows.accesses.len() == before {
                return;
            }
            part = load.base;
        }
    }
}
