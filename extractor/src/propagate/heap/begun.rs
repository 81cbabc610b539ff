//! Containers in globals, where the one function begins that leads to them: what the body of the file put there, and no more.
//!
//! ```python
//! names = {"a": "Anna"}
//! lines = []
//! def run(secret):
//!     show(names["a"])          # what the file says: later writes come later
//!     lines.append(secret)      # [secret]
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{Contents, Item};
use super::keys::part_under;
use super::{Cell, Heap, RootId, RootKind};
use crate::facts::ContainerKind;
use crate::link::{FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::parts::written_part;
use crate::propagate::solve::{Solver, Target};

/// What bodies of files put in a container.
#[derive(Debug, Default)]
pub(super) struct Begun {
    /// Where it is made, and what it is.
    made: Option<(PlaceIndex, ContainerKind)>,
    /// Part by part.
    parts: Vec<(Part, PlaceIndex)>,
    /// There is more than what is written where it is made.
    is_changed: bool,
}

impl Heap {
    /// Notes what is in the containers of globals that begin with what files put there.
    pub(super) fn note_begun(&mut self, solver: &Solver<'_>) {
        let mut of: FxHashMap<ObjectId, PlaceIndex> = FxHashMap::default();
        let is_body = |function: FunctionIndex| solver.program.functions[function.at()].local.0 == 0;
        for global in self.begins_with.keys() {
            let mut held = solver.held(*global);
            let (Some((id, Object::Container { kind, site })), None) = (held.next(), held.next()) else {
                continue;
            };
            if solver.program.owner_of(site).is_some_and(is_body) && !of.contains_key(&id) {
                of.insert(id, *global);
                let begun = Begun {
                    made: Some((site, kind)),
                    ..Begun::default()
                };
                self.begun.insert(*global, begun);
            } else {
                self.begun.remove(of.get(&id).unwrap_or(global));
            }
        }
        if of.is_empty() {
            return;
        }
        let mut lost: FxHashSet<PlaceIndex> = FxHashSet::default();
        for row in solver.calls.iter().enumerate().filter(|(_, row)| is_body(row.function)) {
            let (call, row) = row;
            let is_table = |target: &Target| matches!(target, Target::External(name) if solver.table_entry(row.file, *name).is_some());
            let is_told = !row.targets.is_empty() && row.targets.iter().all(is_table);
            let given = solver
                .call_arguments(call as u32)
                .iter()
                .filter_map(|argument| argument.place);
            for place in given.chain(row.receiver) {
                for global in solver.contents(place).iter().filter_map(|id| of.get(id)) {
                    match is_told {
                        true => self.begun.entry(*global).or_default().is_changed = true,
                        false => _ = lost.insert(*global),
                    }
                }
            }
        }
        for row in solver.part_copies.iter().filter(|row| is_body(row.function)) {
            lost.extend(solver.contents(row.to).iter().filter_map(|id| of.get(id)));
        }
        for row in solver.element_stores.iter().filter(|row| is_body(row.function)) {
            for (id, object) in solver.held(row.base) {
                if let (Some(global), Object::Container { kind, site }) = (of.get(&id), object) {
                    let part = part_under(solver, row, kind).unwrap_or(written_part(kind, row.key));
                    let begun = self.begun.entry(*global).or_default();
                    begun.is_changed |= row.library || row.base != site;
                    begun.parts.push((part, row.value));
                }
            }
        }
        // What other functions put in is put in by those that the function leads to; who else has it, may at any time.
        let known: FxHashSet<FunctionIndex> = self.modules.keys().copied().collect();
        for row in solver.element_stores.iter().filter(|row| !row.silent) {
            if !is_body(row.function) && !known.contains(&row.function) {
                lost.extend(solver.contents(row.base).iter().filter_map(|id| of.get(id)));
            }
        }
        self.begun.retain(|global, _| !lost.contains(global));
    }

    /// What the part of a container in a global begins with.
    pub(super) fn part_begun(&self, cell: &Cell) -> Option<Vec<PlaceIndex>> {
        let begun = self.begun_at(cell.root)?;
        let Step::Part(part) = cell.step else { return None };
        let is_it = |own: &Part| match (part, own) {
            (Part::Any | Part::Under(_) | Part::OneOf(_) | Part::Last(_), own) => !matches!(own, Part::Keys),
            (Part::Keys, own) => *own == Part::Keys,
            (_, Part::Any | Part::From(_) | Part::Under(_)) => true,
            (part, own) => part == *own || begun.is_changed && matches!((part, own), (Part::Index(_), Part::Index(_))),
        };
        let parts = begun.parts.iter().filter(|(own, _)| is_it(own));
        Some(parts.map(|(_, place)| *place).collect())
    }

    /// What a container in a global begins with, where that is all written where it is made.
    pub(super) fn contents_begun(&self, solver: &Solver<'_>, root: RootId) -> Option<Contents> {
        let begun = self.begun_at(root).filter(|begun| !begun.is_changed)?;
        let (site, kind) = begun.made?;
        let item = |part: Part| {
            let mut own = begun.parts.iter().filter(|(own, _)| *own == part);
            match (own.next(), own.next()) {
                (None, _) => Some(Item::Nothing),
                (Some((_, place)), None) => Some(Item::Of(*place)),
                _ => None,
            }
        };
        match kind {
            ContainerKind::Map => {
                let keys = solver.keyed.get(&site)?;
                let parts: Option<Vec<_>> = keys.iter().map(|key| Some((*key, item(*key)?))).collect();
                Some(Contents::Map(parts?))
            }
            ContainerKind::List => {
                let length = *solver.lengths.get(&site)?;
                let Contents::List { front, middle, back } = Contents::of_length(length)? else {
                    return None;
                };
                let items = (0..length).map(|index| item(Part::Index(index)));
                let front: Vec<Item> = front.iter().zip(items).map(|(_, item)| item).collect::<Option<_>>()?;
                Some(Contents::List { front, middle, back })
            }
            _ => None,
        }
    }

    fn begun_at(&self, root: RootId) -> Option<&Begun> {
        let RootKind::Inside(cell) = self.get(root).kind else {
            return None;
        };
        let cell = self.cell(cell);
        let Step::Global(global) = cell.step else { return None };
        let is_called = !self.locals[cell.function.at()].callers.is_empty();
        // Assigned, it may be another one.
        self.begun.get(&global).filter(|_| !is_called && !cell.written)
    }
}
