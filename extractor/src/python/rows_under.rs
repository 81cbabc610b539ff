//! What a loop over known items puts into containers under tests of which nobody knows how they end.
//!
//! ```python
//! for theirs, ours in RENAMED.items():
//!     if theirs in raw:                  # each item may be put there, or not
//!         out[ours] = raw[theirs]        # and depends on what the test asks for
//! ```
//!
//! Behind the loop the container has these parts, and any of them may be missing.

use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::rows::{Next, Put, Puts, Row};
use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{ElementKey, Name, PlaceId, Position};
use crate::tree::{Parts, children};

/// Most that a loop puts somewhere, and most that the tests ask for under which it does, for each of them to be told.
const PUT_LIMIT: usize = 256;
const TEST_LIMIT: usize = 16;

impl<'t> Walker<'t> {
    /// As [`Self::puts_of_branch`], where nobody knows which branch is taken: `if theirs in raw: out[ours] = raw[theirs]`.
    pub(super) fn puts_of_either(&mut self, statement: Node<'t>, row: &mut Row, puts: &mut Puts) -> Option<Next> {
        // Who catches what goes wrong in between sees what was put there by then.
        let is_crowded =
            puts.all.len() > PUT_LIMIT || puts.under.as_ref().is_some_and(|under| under.len() > TEST_LIMIT);
        if is_crowded || is_in_try(statement) {
            return None;
        }
        let (before, left_before) = (puts.under.clone(), puts.leaves);
        let mut under = before.clone().unwrap_or_default();
        let mut cursor = statement.walk();
        let clauses: Vec<Node<'t>> = statement.children_by_field_name("alternative", &mut cursor).collect();
        let mut leaves = false;
        for branch in std::iter::once(statement).chain(clauses) {
            let condition = branch.child_by_field_name("condition");
            let decided = condition.and_then(|condition| self.decided(condition, row, 0));
            match (condition, decided) {
                (_, Some(false)) => continue,
                (Some(condition), None) => self.tested(condition, row, &mut under)?,
                _ => {}
            }
            let body = branch.child_by_field_name("consequence");
            let body = body.or_else(|| branch.child_by_field_name("body"))?;
            puts.under = Some(under.clone());
            puts.leaves = false;
            let bound = row.len();
            leaves |= self.puts_of_row(body, row, puts)? == Next::Row;
            // What one branch alone gives to a variable is not what it holds behind.
            if row.len() > bound {
                return None;
            }
            // Who goes on with the next item further inside does so for what follows here, too.
            if puts.leaves {
                leaves = true;
                under = puts.under.take().unwrap_or(under);
            }
            if decided == Some(true) {
                break;
            }
        }
        // Who goes on with the next item there leaves what follows undone.
        puts.under = if leaves { Some(under) } else { before };
        puts.leaves = left_before || leaves;
        Some(Next::Statement)
    }

    /// Whether a name is assigned before anything else in the loop around names it.
    pub(super) fn is_first_named(&self, left: Node<'t>, right: Node<'t>) -> bool {
        let mut around = left;
        while around.kind() != "for_statement" {
            let Some(outer) = around.parent() else { return false };
            around = outer;
        }
        let names_it = |node: Node<'t>| node.kind() == "identifier" && self.text_of(node) == self.text_of(left);
        let mut open: Vec<Node<'t>> = Vec::from_iter(around.child_by_field_name("body"));
        let mut first = None;
        while let Some(node) = open.pop().filter(|_| first.is_none()) {
            first = Some(node).filter(|node| names_it(*node));
            let inner: Vec<Node<'t>> = children(node).collect();
            open.extend(inner.into_iter().rev());
        }
        let mut within = vec![right];
        while let Some(node) = within.pop() {
            if names_it(node) {
                return false;
            }
            within.extend(children(node));
        }
        first == Some(left)
    }

    /// What a condition asks for, of one item.
    fn tested(&mut self, condition: Node<'t>, row: &Row, found: &mut Vec<PlaceId>) -> Option<()> {
        match condition.kind() {
            "boolean_operator" | "parenthesized_expression" | "not_operator" => {
                for part in children(condition) {
                    self.tested(part, row, found)?;
                }
            }
            "comparison_operator" => {
                let (left, right) = (condition.part(0)?, condition.part(1)?);
                let is_within = condition
                    .child_by_field_name("operators")
                    .is_some_and(|operator| self.text_of(operator).ends_with("in"));
                match self
                    .row_text(left, row)
                    .filter(|_| is_within && condition.part_count() == 2)
                {
                    // Whether it is there depends on who puts it there.
                    Some(key) => {
                        let base = self.project(right, row)?.place?;
                        let key = ElementKey::Text(self.builder.name(&key));
                        found.push(self.builder.element_load(base, key, position(condition)));
                    }
                    None => {
                        for operand in children(condition) {
                            found.extend(self.project(operand, row)?.place);
                        }
                    }
                }
            }
            _ => found.extend(self.project(condition, row)?.place),
        }
        Some(())
    }

    /// What is put somewhere under tests.
    pub(super) fn part_under(&mut self, part: Part, tests: &[PlaceId], at: Position) -> Part {
        let value = self.builder.value(at);
        self.flow_into(part.place, value, at);
        for test in tests {
            self.builder.test(Some(*test), value, at);
        }
        Part {
            place: Some(value),
            ..Part::default()
        }
    }

    /// Behind the loop the containers hold what it put there.
    pub(super) fn put_all_of(&mut self, puts: Vec<Put>) {
        let mut changed: Vec<(Name, Shape, Position)> = Vec::new();
        let mut loose: FxHashSet<Name> = FxHashSet::default();
        for put in puts {
            let known = changed.iter().position(|(name, ..)| *name == put.into);
            let index = match known {
                Some(index) => index,
                None => {
                    let Some((_, shape)) = self.builder.shaped(put.into) else {
                        continue;
                    };
                    changed.push((put.into, shape.clone(), put.at));
                    changed.len() - 1
                }
            };
            put.part
                .place
                .into_iter()
                .for_each(|place| self.builder.give_away(place));
            let shape = &mut changed[index].1;
            let key = match put.key {
                Some(key) => ElementKey::Text(key),
                None => ElementKey::Index(shape.parts.len() as u32),
            };
            let mut part = put.part;
            if put.maybe {
                match shape.part(key).and_then(|old| old.place) {
                    Some(old) => self.flow_into(Some(old), part.place.unwrap_or(old), put.at),
                    None => _ = loose.insert(put.into),
                }
                part.text = None;
                part.constant = None;
            }
            shape.put(key, part);
        }
        for (name, shape, at) in changed {
            if loose.contains(&name) {
                let container = self.builder.loose(&shape, at);
                self.builder.replace(name, container, at);
            } else {
                self.builder.change(name, shape, at);
            }
        }
    }
}

/// Whether a statement stands in a `try` of its function.
fn is_in_try(statement: Node<'_>) -> bool {
    let around = std::iter::successors(Some(statement), |node| node.parent());
    let mut around = around.take_while(|node| node.kind() != "function_definition");
    around.any(|node| node.kind() == "try_statement")
}
