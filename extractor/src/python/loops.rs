//! Loops: what they assign, how often they run, and what their condition chooses.
//!
//! ```python
//! while points >= need:
//!     level += 1               # how high it gets depends on `points`
//! ```

use tree_sitter::Node;

use super::turns::Turns;
use super::{Walker, names};

impl<'t> Walker<'t> {
    pub(super) fn while_statement(&mut self, node: Node<'t>) {
        let condition = node.child_by_field_name("condition");
        let at_first = condition.and_then(|condition| self.outcome_of(condition));
        let turns = self.turns_of(node);
        let at_first = at_first.or(turns.as_ref().map(|turns| turns.count > 0));
        self.told_loops += u32::from(turns.is_some());
        self.open_loop(node);
        let (tests, mut is_endless) = (self.builder.tests(), false);
        if let Some(condition) = condition {
            let value = self.branch_on(condition);
            self.builder.choose_by(value);
            is_endless = self.outcome_of(condition) == Some(true);
            self.narrow(condition, true);
        }
        if at_first == Some(false) {
            self.builder.rule_out();
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.block(body);
        }
        self.builder.restore_tests(tests);
        self.close_loop(node, (is_endless, at_first == Some(true)), turns);
    }

    pub(super) fn open_loop(&mut self, node: Node<'t>) {
        let mut assigned: Vec<_> = names::bound_in(node, self.text)
            .iter()
            .map(|name| self.builder.name(name))
            .collect();
        if let Some(left) = node
            .child_by_field_name("left")
            .filter(|left| left.kind() == "identifier")
        {
            assigned.push(self.name_of(left));
        }
        self.builder.open_loop(&assigned, None);
    }

    /// What is endless is left by `break` alone.
    pub(super) fn close_loop(&mut self, node: Node<'t>, (is_endless, it_runs): (bool, bool), turns: Option<Turns<'t>>) {
        self.told_loops -= u32::from(turns.is_some());
        let mut breaks = self.builder.close_loop_after(it_runs);
        if is_endless || turns.as_ref().is_some_and(|turns| !turns.is_ended) {
            self.builder.rule_out();
        }
        if turns.as_ref().is_some_and(|turns| !turns.is_broken) {
            breaks.clear();
        }
        if it_runs && turns.is_none() && node.kind() == "for_statement" {
            self.hold_last(node);
        }
        if let Some(clause) = node.child_by_field_name("alternative") {
            self.block(clause.child_by_field_name("body").unwrap_or(clause));
        }
        for state in breaks {
            self.builder.merge(Some(state));
        }
        if let Some(turns) = turns {
            self.hold_ends(node, turns);
        }
    }
}
