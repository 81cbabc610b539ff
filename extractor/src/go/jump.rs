//! `goto`: forward, the state of the jump is one more that its label may be reached with; back, what follows the label is a loop.

use crate::tree::Parts;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::Walker;
use super::statement::collect;
use crate::facts::Name;
use crate::facts::builder::Control;

/// The `goto`s of a function.
#[derive(Default)]
pub(super) struct Jumps {
    /// States that go to a label still to come.
    forward: FxHashMap<Name, Vec<Control>>,
    /// Labels that are jumped back to, while what follows them is walked.
    back: Vec<Name>,
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

    /// Opens the loop that a statement of a list begins, if it has a label that is jumped back to.
    pub(super) fn open_jumps(&mut self, statement: Node<'t>, list: Node<'t>) -> Option<Name> {
        if statement.kind() != "labeled_statement" {
            return None;
        }
        let label = self.name_of(statement.child_by_field_name("label")?);
        let mut jumps = Vec::new();
        collect(list, &mut |found| {
            if found.kind() == "goto_statement" && found.start_byte() > statement.start_byte() {
                jumps.extend(found.part(0));
            }
        });
        if !jumps.into_iter().any(|node| self.name_of(node) == label) {
            return None;
        }
        self.land(Some(label));
        let assigned = self.assigned_in(list);
        let open = self.back_label(label);
        self.builder.open_loop(&assigned, Some(open));
        self.jumps.back.push(label);
        Some(label)
    }

    /// Ends it: only the jumps lead back.
    pub(super) fn close_jumps(&mut self, label: Name) {
        self.jumps.back.retain(|open| *open != label);
        let end = self.builder.snapshot();
        self.builder.leave();
        self.builder.close_loop();
        self.builder.restore(end);
    }

    /// A loop's own label is free for `break` and `continue`.
    fn back_label(&mut self, label: Name) -> Name {
        let text = format!("goto {}", self.builder.facts.text(label));
        self.builder.name(&text)
    }
}
