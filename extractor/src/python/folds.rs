//! What the variables of a loop over known items hold behind it.
//!
//! ```python
//! for step in (trim, blank):
//!     text = step(text)         # behind the loop it is what `blank` gave
//! ```
//!
//! The body is gone through once an item. It may assign names, of names, texts and what calls give for these. Where there are no calls, it may do
//! something else as well: which value a name stands for does not change by that.

use tree_sitter::Node;

use super::rows::{Next, Row};
use super::{Walker, names, position};
use crate::facts::PlaceId;
use crate::facts::builder::Part;
use crate::tree::{Parts, children};

/// A name's last assignment, and what that gave.
pub(super) type Held<'t> = (Node<'t>, Part);

impl<'t> Walker<'t> {
    /// What names hold behind a loop, where all that is assigned in it is told.
    pub(super) fn held_behind(&mut self, node: Node<'t>, source: Option<PlaceId>) -> Vec<Held<'t>> {
        self.try_held_behind(node, source).unwrap_or_default()
    }

    fn try_held_behind(&mut self, node: Node<'t>, source: Option<PlaceId>) -> Option<Vec<Held<'t>>> {
        let [left, right, body] = ["left", "right", "body"].map(|field| node.child_by_field_name(field));
        let (left, right, body) = (left?, right?, body?);
        let is_plain = !self.builder.at_file_level() && self.builder.is_reachable();
        if !is_plain || node.child_by_field_name("alternative").is_some() || self.is_shared_with_closures(node) {
            return None;
        }
        let mut targets = Vec::new();
        if !self.note_assigned(body, &mut targets) || targets.is_empty() || !self.is_plain_fold(body) {
            return None;
        }
        for name in names::bound_in(node, self.text) {
            let name = self.builder.name(&name);
            if !self.builder.is_own_variable(name) {
                return None;
            }
        }
        let items = match self.turns_of_range(right) {
            Some(items) => items,
            None => self.known_items(source, right)?,
        };
        let rows = self.crossed(vec![Vec::new()], left, &items)?;
        let calls_by_row = std::mem::replace(&mut self.calls_by_row, true);
        let held = self.fold(body, rows);
        self.calls_by_row = calls_by_row;
        let mut held = held?;
        targets.retain(|target| {
            let name = self.name_of(*target);
            held.iter().any(|(own, _)| *own == name)
        });
        // The last assignment of a name stands for all of them.
        let mut ends: Vec<Held<'t>> = Vec::new();
        for target in targets.into_iter().rev() {
            let name = self.name_of(target);
            if let Some(index) = held.iter().rposition(|(own, _)| *own == name) {
                ends.push((target, held[index].1));
                held.retain(|(own, _)| *own != name);
            }
        }
        ends.reverse();
        Some(ends)
    }

    /// Behind the loop.
    pub(super) fn hold_behind(&mut self, ends: Vec<Held<'t>>, is_told: bool) {
        for (target, part) in ends {
            if self.builder.is_reachable() && (part.place.is_some() || !is_told) {
                self.assign(target, part.place, position(target));
            }
        }
    }

    fn fold(&mut self, body: Node<'t>, rows: Vec<Row>) -> Option<Row> {
        let mut carried: Row = Vec::new();
        for item in rows {
            let mut row = carried.clone();
            row.extend(item);
            let bound = row.len();
            let next = self.fold_block(body, &mut row)?;
            for (name, part) in row.drain(bound..) {
                carried.retain(|(own, _)| *own != name);
                carried.push((name, part));
            }
            if next == Next::Nothing {
                break;
            }
        }
        Some(carried)
    }

    fn fold_block(&mut self, block: Node<'t>, row: &mut Row) -> Option<Next> {
        for statement in children(block) {
            match statement.kind() {
                "expression_statement" => {
                    let inner = statement.part(0)?;
                    if inner.kind() == "assignment" {
                        self.fold_assignment(inner, row)?;
                    }
                }
                "if_statement" => {
                    let taken = self.branch_for(statement, row)?;
                    match taken.map(|taken| self.fold_block(taken, row)) {
                        None | Some(Some(Next::Statement)) => {}
                        Some(next) => return next,
                    }
                }
                "continue_statement" => return Some(Next::Row),
                "break_statement" => return Some(Next::Nothing),
                _ => {}
            }
        }
        Some(Next::Statement)
    }

    fn fold_assignment(&mut self, inner: Node<'t>, row: &mut Row) -> Option<()> {
        let (left, right) = (inner.child_by_field_name("left")?, inner.child_by_field_name("right")?);
        match left.kind() {
            "identifier" => {
                let part = self.project(right, row)?;
                row.push((self.name_of(left), part));
            }
            "pattern_list" | "tuple_pattern" => {
                let given: Option<Vec<Part>> = children(right).map(|part| self.project(part, row)).collect();
                for (target, part) in children(left).zip(given?) {
                    row.push((self.name_of(target), part));
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Notes the names that a block assigns; whether that is all that can change them.
    fn note_assigned(&self, block: Node<'t>, targets: &mut Vec<Node<'t>>) -> bool {
        children(block).all(|statement| match statement.kind() {
            "expression_statement" => statement.part(0).is_some_and(|inner| self.note_target(inner, targets)),
            "if_statement" => children(statement).all(|part| match part.kind() {
                "block" => self.note_assigned(part, targets),
                "elif_clause" | "else_clause" => children(part).all(|part| match part.kind() {
                    "block" => self.note_assigned(part, targets),
                    _ => self.binds_nothing(part),
                }),
                _ => self.binds_nothing(part),
            }),
            "continue_statement" | "break_statement" | "pass_statement" | "comment" => true,
            _ => false,
        })
    }

    fn note_target(&self, inner: Node<'t>, targets: &mut Vec<Node<'t>>) -> bool {
        let (left, right) = (inner.child_by_field_name("left"), inner.child_by_field_name("right"));
        let (Some(left), Some(right), "assignment") = (left, right, inner.kind()) else {
            return matches!(inner.kind(), "call" | "string") && self.binds_nothing(inner);
        };
        match left.kind() {
            "identifier" => targets.push(left),
            "pattern_list" | "tuple_pattern" => {
                let is_shown = matches!(right.kind(), "expression_list" | "tuple");
                let is_each = children(left).all(|target| target.kind() == "identifier");
                if !is_shown || !is_each || left.part_count() != right.part_count() {
                    return false;
                }
                targets.extend(children(left));
            }
            // What a name holds may be changed by it.
            _ => return false,
        }
        self.binds_nothing(right)
    }

    /// Whether the names are given plain names and texts; or else what calls give for these, and the body does nothing else.
    fn is_plain_fold(&self, body: Node<'t>) -> bool {
        let (mut has_calls, mut has_others) = (false, false);
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            if node.kind() != "expression_statement" {
                let parts = children(node).filter(|part| part.kind().ends_with("_statement") || is_branch(*part));
                open.extend(parts);
                continue;
            }
            let inner = node.part(0).filter(|inner| inner.kind() == "assignment");
            let Some(right) = inner.and_then(|inner| inner.child_by_field_name("right")) else {
                has_others |= !node.part(0).is_some_and(|inner| self.changes_nothing(inner));
                continue;
            };
            let given: Vec<Node<'t>> = match right.kind() {
                "expression_list" | "tuple" => children(right).collect(),
                _ => vec![right],
            };
            for given in given {
                let Some(arguments) = given
                    .child_by_field_name("arguments")
                    .filter(|_| given.kind() == "call")
                else {
                    if !is_name_or_constant(given) {
                        return false;
                    }
                    continue;
                };
                if !children(arguments).all(is_name_or_constant) {
                    return false;
                }
                has_calls = true;
            }
        }
        !(has_calls && has_others)
    }

    fn binds_nothing(&self, node: Node<'t>) -> bool {
        let text = self.text_of(node);
        !text.contains(":=") && !["lambda", "yield", "await"].iter().any(|word| text.contains(word))
    }
}

fn is_branch(node: Node<'_>) -> bool {
    matches!(node.kind(), "block" | "elif_clause" | "else_clause")
}

fn is_name_or_constant(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "identifier" | "string" | "integer" | "float" | "true" | "false" | "none" | "comment"
    )
}
