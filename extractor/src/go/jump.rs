//! `goto`: forward, the state of the jump is one more that its label may be reached with; back, what follows the label is a loop.

use crate::tree::Parts;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::statement::collect;
use super::{Walker, position};
use crate::facts::Name;
use crate::facts::builder::{Control, Rounds};

/// Most labels of a list of statements that are jumped back to: each makes a loop around all that follows.
const BACK_LIMIT: usize = 64;

/// The `goto`s of a function.
#[derive(Default)]
pub(super) struct Jumps {
    /// States that go to a label still to come.
    forward: FxHashMap<Name, Vec<Control>>,
    /// Labels that are jumped back to, while what follows them is walked.
    back: Vec<Name>,
}

impl Jumps {
    /// Whether no label is jumped to or back to around this point.
    pub(super) fn is_empty(&self) -> bool {
        self.forward.is_empty() && self.back.is_empty()
    }
}

/// The `goto`s inside of a list of statements.
pub(super) struct JumpsInside {
    /// Where the last one to each label begins.
    last: FxHashMap<Name, usize>,
    /// What the list assigns.
    assigned: Vec<Name>,
    /// Loops that they were found to make.
    opened: usize,
}

impl<'t> Walker<'t> {
    /// `goto label`.
    pub(super) fn jump(&mut self, label: Name) {
        if self.jumps.back.contains(&label) {
            let label = self.back_label(label);
            return self.builder.continue_loop(Some(label));
        }
        if let Some(state) = self.builder.snapshot().filter(|_| self.builder.is_reachable()) {
            self.jumps.forward.entry(label).or_default().push(state);
        }
        self.builder.leave();
    }

    /// A label: control also comes from where it was jumped to.
    pub(super) fn land(&mut self, label: Option<Name>) {
        let states = label.and_then(|label| self.jumps.forward.remove(&label));
        for state in states.into_iter().flatten() {
            self.builder.merge(Some(state));
        }
    }

    /// Finds the `goto`s inside of a list of statements.
    pub(super) fn jumps_in(&mut self, list: Node<'t>) -> JumpsInside {
        let mut jumps = Vec::new();
        collect(list, &mut |found| {
            if found.kind() == "goto_statement" {
                jumps.extend(found.part(0));
            }
        });
        let last = jumps.into_iter().map(|label| (self.name_of(label), label.start_byte()));
        JumpsInside {
            last: last.collect(),
            assigned: self.assigned_in(list),
            opened: 0,
        }
    }

    /// Opens the loop that a labelled statement begins, if it is jumped back to.
    pub(super) fn open_jumps(&mut self, statement: Node<'t>, jumps: &mut JumpsInside) -> Option<Name> {
        let label = self.name_of(statement.child_by_field_name("label")?);
        if jumps.last.get(&label).is_none_or(|last| *last < statement.start_byte()) {
            return None;
        }
        if jumps.opened >= BACK_LIMIT {
            let message = format!(
                "more than {BACK_LIMIT} labels that `goto` goes back to: what later ones bring back is left out"
            );
            self.builder
                .diagnostic_once(position(statement).line, "budget", message);
            return None;
        }
        jumps.opened += 1;
        self.land(Some(label));
        let open = self.back_label(label);
        self.builder.open_loop(&jumps.assigned, Some(open));
        self.jumps.back.push(label);
        Some(label)
    }

    /// Ends it: only the jumps lead back.
    pub(super) fn close_jumps(&mut self, label: Name) {
        self.jumps.back.retain(|open| *open != label);
        let end = self.builder.snapshot();
        self.builder.leave();
        self.builder.close_loop(Rounds::Any);
        self.builder.restore(end);
    }

    /// A loop's own label is free for `break` and `continue`.
    fn back_label(&mut self, label: Name) -> Name {
        let text = format!("goto {}", self.builder.facts.text(label));
        self.builder.name(&text)
    }
}
