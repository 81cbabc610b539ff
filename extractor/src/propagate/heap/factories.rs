//! Containers that a generated constructor makes for each object: `rows: list = field(default_factory=list)`.
//!
//! ```python
//! one, two = Basket(), Basket()
//! one.rows.append(order)           # `two.rows` is another list
//! ```

use rustc_hash::FxHashSet;

use super::{Access, Heap, When};
use crate::link::{DerivedPlace, FileIndex, PlaceIndex, Step, TypeIndex};
use crate::propagate::library::{Effect, Subject};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Functions of the language that make an empty container.
const MAKERS: [&str; 3] = ["list", "dict", "set"];

/// Fields that hold a container of their own in each object.
pub(super) fn fields_made(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let makes = solver
        .calls
        .iter()
        .enumerate()
        .filter(|(call, _)| is_made_empty(solver, *call as u32));
    let made: FxHashSet<PlaceIndex> = makes
        .filter_map(|(call, _)| solver.call_results(call as u32).first().copied())
        .collect();
    let mut fields = FxHashSet::default();
    for file in (0..solver.program.files.len() as u32).map(FileIndex) {
        if made.is_empty() {
            break;
        }
        let at = |place| solver.program.place(file, place);
        let flows = solver.program.files[file.at()].facts.flows.iter();
        let named = flows.filter(|flow| flow.same && made.contains(&at(flow.from)));
        let named: FxHashSet<PlaceIndex> = named.map(|flow| at(flow.to)).collect();
        let values = solver.program.member_values(file).into_iter();
        let values = values.filter(|(from, _)| made.contains(from) || named.contains(from));
        fields.extend(values.map(|(_, member)| member));
    }
    fields
}

/// Whether a call describes a field by a function that makes an empty container for it.
fn is_made_empty(solver: &Solver<'_>, call: u32) -> bool {
    let row = &solver.calls[call as usize];
    let [Target::External(name)] = row.targets.as_slice() else {
        return false;
    };
    let Some(entry) = solver.table_entry(row.file, *name) else {
        return false;
    };
    entry.flows.iter().any(|effect| match effect {
        Effect::Call { callee, result: Some(result), .. } if result.subject == Subject::Result => {
            matches!(callee.subject, Subject::Keyword(_))
                && solver.subject_places(call, &callee.subject).iter().any(|place| {
                    let mut held = solver.held(*place).map(|(_, object)| object).peekable();
                    let is_maker = |object| matches!(object, Object::External(name) if MAKERS.contains(&solver.program.symbols.text(name)));
                    held.peek().is_some() && held.all(is_maker)
                })
        }
        _ => false,
    })
}

impl Heap {
    /// The containers that each call of such a class makes for the fields that it is not given.
    pub(super) fn lay_out_factories(&mut self, solver: &mut Solver<'_>, fields: &FxHashSet<PlaceIndex>) {
        if fields.is_empty() {
            return;
        }
        for call in 0..solver.calls.len() as u32 {
            let row = &solver.calls[call as usize];
            let classes = row.targets.iter().filter_map(|target| match target {
                Target::Class(class) => Some(*class),
                _ => None,
            });
            let classes: Vec<TypeIndex> = classes.filter(|_| !row.silent).collect();
            let (at, function, made) = (row.at(), row.function, solver.call_results(call).first().copied());
            let mut left = Vec::new();
            for class in classes
                .into_iter()
                .filter(|class| solver.has_generated_constructor(*class))
            {
                let given = solver
                    .generated_fields(call, class)
                    .into_iter()
                    .map(|passing| passing.to);
                let filled = solver.filled_fields(call, class).into_iter().map(|(to, _)| to);
                let given: FxHashSet<PlaceIndex> = given.chain(filled).collect();
                let own = solver.constructor_fields(class).into_iter();
                left.extend(own.filter(|field| fields.contains(&field.place) && !given.contains(&field.place)));
            }
            for (field, made) in left.into_iter().filter_map(|field| Some((field, made?))) {
                let place = solver.derive_place(DerivedPlace::Passing(function));
                let root = self.made_at(place);
                self.put(place, &[root]);
                self.gathered.insert(place, Vec::new());
                self.locals[function.at()].writes.push(Access {
                    base: made,
                    step: Step::Member(field.name),
                    value: Some(place),
                    fields: vec![field.place],
                    at: (at.file, at.position),
                    when: When::certain(at.point),
                    function,
                });
            }
        }
    }
}
