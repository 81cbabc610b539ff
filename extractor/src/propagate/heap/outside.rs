//! Objects of library code: what is put into one by any name is found by every other.
//!
//! ```python
//! class Report:
//!     def __init__(self): self.out = StringIO()
//!     def add(self, text): self.out.write(text)       # into the one object
//!     def text(self): return self.out.getvalue()      # and out of it
//! ```
//!
//! What the tables do not tell of such an object is told by the names of its methods. It has one cell, [`Step::Target`], for all that
//! it keeps; a field that holds one stands for it where the object is not known.

use ripple_schema::Language;
use rustc_hash::FxHashSet;

use super::{Heap, RootId};
use crate::link::{PlaceIndex, Step, Symbol};
use crate::propagate::library::{Effect, End, EndPart, Entry, Subject};
use crate::propagate::object::Object;
use crate::propagate::records::container_named;
use crate::propagate::solve::Solver;

/// Members of classes that hold objects of library code.
pub(super) fn fields_of_objects(solver: &Solver<'_>) -> FxHashSet<PlaceIndex> {
    let mut fields = FxHashSet::default();
    for row in &solver.program.types {
        fields.extend(
            row.members
                .values()
                .copied()
                .filter(|member| is_made_outside(solver, *member)),
        );
    }
    fields
}

/// Whether a place holds an object that a class of library code made.
fn is_made_outside(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    let mut held = solver.held(place);
    held.any(|(_, object)| matches!(object, Object::External(name) if is_object(solver.program.symbols.text(name))))
}

/// The name of a class, by which its instances go, or of what a function of a module gives: `lib.connect()`.
fn is_object(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    text.contains('.') && (last.starts_with(char::is_uppercase) || last.ends_with("()"))
}

/// Whether a test lets through none of the objects that are known: `case fmt.Stringer:` of structures that are none.
pub(super) fn is_for_others(solver: &Solver<'_>, from: PlaceIndex, to: PlaceIndex) -> bool {
    let is_known = |(_, object)| !matches!(object, Object::External(_) | Object::AnyExternal(_));
    let is_anything = |place: PlaceIndex| solver.held(place).next().is_some();
    is_anything(to) && !solver.held(to).any(is_known) && solver.held(from).any(is_known)
}

/// What is told of a call of library code by its name alone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByName {
    /// All that happens to the receiver.
    pub(super) is_receiver_told: bool,
    /// It makes an object.
    pub(super) makes: bool,
}

impl Heap {
    /// What a call does to an object of library code by its name alone, and the object that a class of library code makes.
    pub(super) fn follow_by_name(&mut self, solver: &Solver<'_>, call: u32, name: Symbol) -> ByName {
        let mut told = ByName::default();
        let row = &solver.calls[call as usize];
        let language = solver.program.files[row.file.at()].language;
        if language != Language::Python || solver.table_entry(row.file, name).is_some() {
            return told;
        }
        let result = solver.call_results(call).first().copied();
        if let Some(result) = result.filter(|result| is_made_outside(solver, *result)) {
            let made = self.made_at(result);
            self.roots[made.0 as usize].foreign = true;
            self.put(result, &[made]);
            self.made_outside.push(made);
            told.makes = true;
        }
        let Some(receiver) = row.receiver.filter(|receiver| is_made_outside(solver, *receiver)) else {
            return told;
        };
        told.is_receiver_told = solver
            .held(receiver)
            .all(|(_, object)| matches!(object, Object::External(_)));
        let Some(entry) = solver.entry_by_name(row.file, name) else {
            // What nobody knows is made of all that it is asked of.
            let whole = |subject| End {
                subject,
                part: EndPart::Whole,
            };
            self.put_by_library(solver, call, &whole(Subject::Receiver), &whole(Subject::Result));
            return told;
        };
        for effect in &entry.flows {
            if let Effect::Move { from, to, .. } = effect {
                self.put_by_library(solver, call, from, to);
            }
        }
        told
    }

    /// What a function of Go's library gives that makes an object, of which tables tell what is put in and taken out: `bytes.NewBuffer(nil)`.
    pub(super) fn make_by_table(&mut self, solver: &Solver<'_>, call: u32, entry: &Entry) {
        let file = solver.calls[call as usize].file;
        let Some(result) = solver.call_results(call).first().copied() else {
            return;
        };
        let is_kept = entry.holds.is_some() || entry.returns.as_deref().and_then(container_named).is_some();
        let is_go = solver.program.files[file.at()].language == Language::Go;
        let asks_receiver = entry
            .flows
            .iter()
            .any(|effect| matches!(effect, Effect::Move { from, .. } if from.subject == Subject::Receiver));
        if is_go && !is_kept && !asks_receiver && is_made_outside(solver, result) {
            let made = self.made_at(result);
            self.roots[made.0 as usize].foreign = true;
            self.put(result, &[made]);
        }
    }

    /// Objects of library code that something is put into.
    pub(super) fn filled_outside(&self) -> impl Iterator<Item = RootId> + '_ {
        let is_filled = |root: &RootId| {
            let cell = self.cell_of(*root, Step::Target);
            cell.is_some_and(|cell| self.cell(cell).written)
        };
        self.made_outside.iter().copied().filter(is_filled)
    }
}
