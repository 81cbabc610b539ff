//! Loops of which the source tells each turn, and functions of which it tells the way through them.
//!
//! ```python
//! tries = 0
//! while True:
//!     tries += 1
//!     if tries == 3:           # no, no, yes
//!         last = name
//!         break
//! else:                        # never
//! ```
//!
//! The statements are gone through with the values that are known, turn by turn. What that finds is said to the walk of the same
//! statements: which conditions always come out the same, whether the loop is left by `break`, and which assignment was the last.

use crate::tree::{Parts, children};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::evaluate::{Bound, STEP_LIMIT};
use super::value::Value;
use super::{Walker, names, position};
use crate::facts::PlaceId;

/// How deep statements are looked into.
const DEPTH_LIMIT: u8 = 8;

/// Where control goes behind a statement.
#[derive(Debug, Clone, PartialEq)]
enum Next<'t> {
    On,
    Break,
    Continue,
    /// Out of the function, with what it gives.
    Out(Option<Value<'t>>),
}

/// What is known of a loop.
#[derive(Debug)]
pub(super) struct Turns<'t> {
    /// How often its body begins.
    pub(super) count: usize,
    /// It is left by `break`.
    pub(super) is_broken: bool,
    /// It comes to its end by itself.
    pub(super) is_ended: bool,
    /// The names that it assigned for certain: which assignment was the last, and what the name holds, where that is known.
    ends: Vec<End<'t>>,
}

/// A name, the target of its last assignment, what it holds and which name gave that, where these are known.
type End<'t> = (&'t str, Node<'t>, Option<Value<'t>>, Option<Node<'t>>);

/// Something is gone through.
struct Way {
    /// How conditions came out, by the node: true somewhere, false somewhere.
    outcomes: FxHashMap<usize, (bool, bool)>,
    /// What comes back is asked for.
    is_function: bool,
}

impl<'t> Walker<'t> {
    /// What a loop does, if the source tells all of it; the outcomes of its conditions are noted.
    pub(super) fn turns_of(&mut self, node: Node<'t>) -> Option<Turns<'t>> {
        if self.builder.at_file_level() || !self.builder.is_reachable() || self.is_shared_with_closures(node) {
            return None;
        }
        self.steps_left = STEP_LIMIT;
        let mut way = Way {
            outcomes: FxHashMap::default(),
            is_function: false,
        };
        let mut bound = Bound::of_turns();
        let assigned = names::bound_in(node, self.text);
        for name in &assigned {
            let name = self.builder.name(name);
            if !self.builder.is_own_variable(name) {
                return None;
            }
        }
        let (count, next) = self.go_round(node, &mut bound, &mut way, 0)?;
        for (condition, outcome) in way.outcomes {
            match outcome {
                (true, false) => _ = self.outcomes.insert(condition, true),
                (false, true) => _ = self.outcomes.insert(condition, false),
                _ => {}
            }
        }
        let is_given = |value: &Value<'t>| matches!(value, Value::Given(given) if assigned.iter().any(|name| *name == self.text_of(*given)));
        let ends = bound.names.into_iter().filter_map(|(name, held)| {
            let value = held.value.filter(|value| !is_given(value));
            Some((name, held.target?, value, held.from))
        });
        let mut ends: Vec<_> = ends.collect();
        ends.sort_unstable_by_key(|(_, target, ..)| target.start_byte());
        Some(Turns {
            count,
            is_broken: next == Next::Break,
            is_ended: next == Next::On,
            ends,
        })
    }

    /// Behind a loop, names hold what its last assignments put there.
    pub(super) fn hold_ends(&mut self, node: Node<'t>, turns: Turns<'t>) {
        let left = node.child_by_field_name("left").map(|left| left.byte_range());
        for (name, target, value, from) in turns.ends {
            if !self.builder.is_reachable() {
                return;
            }
            let is_of_loop = left.as_ref().is_some_and(|left| left.contains(&target.start_byte()));
            let given = match &value {
                Some(Value::Given(given)) => Some(*given),
                _ => None,
            };
            let symbol = self.builder.name(name);
            if given.is_some() || is_of_loop && value.is_some() {
                let held = given.or(from).and_then(|given| self.expression(given));
                self.assign(target, held, position(target));
            } else if let (false, Some(place)) = (is_of_loop, self.assigned_at.get(&target.id()).copied()) {
                self.builder.hold_only(symbol, place);
            } else {
                continue;
            }
            let place: Option<PlaceId> = self.builder.only_definition(symbol);
            if let (Some(value), Some(place), None) = (value, place, given) {
                self.values.insert(place, value);
            }
        }
    }

    /// What comes back from a body.
    pub(super) fn returned_by(&mut self, body: Node<'t>, mut bound: Bound<'t>) -> Option<Value<'t>> {
        let mut way = Way {
            outcomes: FxHashMap::default(),
            is_function: true,
        };
        match self.go_through(body, &mut bound, &mut way, 0)? {
            Next::On => Some(Value::Nothing),
            Next::Out(value) => value,
            Next::Break | Next::Continue => None,
        }
    }

    /// The statements of a block; none where what they do is not told.
    #[inline(never)]
    fn go_through(&mut self, block: Node<'t>, bound: &mut Bound<'t>, way: &mut Way, depth: u8) -> Option<Next<'t>> {
        for statement in children(block) {
            match self.go(statement, bound, way, depth)? {
                Next::On => {}
                next => return Some(next),
            }
        }
        Some(Next::On)
    }

    #[inline(never)]
    fn go(&mut self, node: Node<'t>, bound: &mut Bound<'t>, way: &mut Way, depth: u8) -> Option<Next<'t>> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "comment" | "pass_statement" => {}
            "expression_statement" => {
                for inner in children(node) {
                    self.go_over(inner, bound);
                }
            }
            "break_statement" => return Some(Next::Break),
            "continue_statement" => return Some(Next::Continue),
            "return_statement" => {
                let value = match node.part(0) {
                    Some(value) if way.is_function => Some(self.work_out(value, bound, 0)?),
                    _ => None,
                };
                return Some(Next::Out(value.or(Some(Value::Nothing))));
            }
            "raise_statement" if !way.is_function => return Some(Next::Out(None)),
            "if_statement" => return self.go_either(node, bound, way, depth),
            "for_statement" | "while_statement" => {
                return match self.go_round(node, bound, way, depth + 1)?.1 {
                    Next::Out(value) => Some(Next::Out(value)),
                    _ => Some(Next::On),
                };
            }
            "with_statement" if !way.is_function => {
                self.forget(node.child(1)?, bound);
                return self.go_through(node.child_by_field_name("body")?, bound, way, depth + 1);
            }
            "assert_statement" if !way.is_function => {}
            _ => return None,
        }
        Some(Next::On)
    }

    /// An expression that stands alone, an assignment among them.
    fn go_over(&mut self, node: Node<'t>, bound: &mut Bound<'t>) {
        let (left, right) = (node.child_by_field_name("left"), node.child_by_field_name("right"));
        match (node.kind(), left, right) {
            ("assignment", Some(left), Some(right)) if left.kind() == "identifier" && right.kind() != "assignment" => {
                self.forget(right, bound);
                let value = self.work_out(right, bound, 0).or_else(|| self.given_by(right, bound));
                bound.bind(left, self.text_of(left), value.filter(is_plain));
            }
            ("augmented_assignment", Some(left), Some(right)) if left.kind() == "identifier" => {
                self.forget(right, bound);
                let operator = node
                    .child_by_field_name("operator")
                    .map_or("", |operator| operator.kind());
                let old = self.work_out(left, bound, 0);
                let given = self.work_out(right, bound, 0);
                let value = old
                    .zip(given)
                    .and_then(|(old, given)| old.combined(operator.trim_end_matches('='), given));
                bound.bind(left, self.text_of(left), value.filter(is_plain));
            }
            _ => self.forget(node, bound),
        }
    }

    /// What a plain name, or one of an iteration, stands for.
    fn given_by(&mut self, node: Node<'t>, bound: &Bound<'t>) -> Option<Value<'t>> {
        if node.kind() != "identifier" {
            return None;
        }
        let held = bound.names.get(self.text_of(node))?;
        held.value.clone().filter(|value| matches!(value, Value::Given(_)))
    }

    /// What is bound in there is not known from here on.
    fn forget(&mut self, node: Node<'t>, bound: &mut Bound<'t>) {
        let parent = match node.parent() {
            Some(parent) if matches!(node.kind(), "assignment" | "augmented_assignment" | "named_expression") => parent,
            _ => node,
        };
        for name in names::all_bound_in(parent, self.text) {
            let known = bound.names.iter().find(|(own, _)| **own == name).map(|(own, _)| *own);
            let name = known.or_else(|| {
                let at = self.text.get(node.byte_range())?.find(name.as_str())? + node.start_byte();
                self.text.get(at..at + name.len())
            });
            if let Some(name) = name {
                bound.names.insert(name, Default::default());
            }
        }
    }

    fn go_either(&mut self, node: Node<'t>, bound: &mut Bound<'t>, way: &mut Way, depth: u8) -> Option<Next<'t>> {
        let mut clauses = vec![(
            node.child_by_field_name("condition"),
            node.child_by_field_name("consequence"),
        )];
        let mut cursor = node.walk();
        clauses.extend(node.children_by_field_name("alternative", &mut cursor).map(|clause| {
            let body = clause.child_by_field_name("consequence");
            (
                clause.child_by_field_name("condition"),
                body.or_else(|| clause.child_by_field_name("body")),
            )
        }));
        let mut ends: Vec<(Bound<'t>, Next<'t>)> = Vec::new();
        let mut may_go_on = true;
        for (condition, body) in clauses {
            let outcome = match condition {
                Some(condition) => self.outcome_on(condition, bound, way),
                None => Some(true),
            };
            if outcome == Some(false) {
                continue;
            }
            let mut inside = bound.clone();
            let next = self.go_through(body?, &mut inside, way, depth + 1)?;
            ends.push((inside, next));
            if outcome == Some(true) {
                may_go_on = false;
                break;
            }
        }
        if may_go_on {
            ends.push((bound.clone(), Next::On));
        }
        let is_sure = ends.len() == 1;
        // Who leaves the function does not come behind the loop; which of several it is, is not told.
        if !is_sure
            && (way.is_function
                || ends
                    .iter()
                    .any(|(_, next)| matches!(next, Next::Break | Next::Continue)))
        {
            let is_same = ends.iter().all(|(_, next)| *next == Next::On);
            if !is_same {
                return None;
            }
        }
        let mut left = ends.iter().filter(|(_, next)| !matches!(next, Next::Out(_)));
        let Some((first, next)) = left.next().cloned() else {
            return ends.into_iter().next().map(|(_, next)| next);
        };
        *bound = first;
        for (other, _) in left {
            let names: Vec<&'t str> = bound.names.keys().chain(other.names.keys()).copied().collect();
            for name in names {
                let theirs = other.names.get(name).cloned().unwrap_or_default();
                let ours = bound.names.entry(name).or_default();
                if ours.value != theirs.value {
                    ours.value = None;
                }
                if ours.target != theirs.target {
                    ours.target = None;
                }
            }
        }
        Some(next)
    }

    /// How a condition comes out, which is noted.
    fn outcome_on(&mut self, condition: Node<'t>, bound: &mut Bound<'t>, way: &mut Way) -> Option<bool> {
        self.forget(condition, bound);
        let outcome = self.truth_on(condition, bound, 0);
        let noted = way.outcomes.entry(condition.id()).or_default();
        noted.0 |= outcome != Some(false);
        noted.1 |= outcome != Some(true);
        outcome
    }

    /// A loop, turn by turn: how many there are, and how it ends.
    #[inline(never)]
    fn go_round(
        &mut self,
        node: Node<'t>,
        bound: &mut Bound<'t>,
        way: &mut Way,
        depth: u8,
    ) -> Option<(usize, Next<'t>)> {
        let body = node.child_by_field_name("body")?;
        let mut items = match node.kind() {
            "for_statement" => Some(self.items_told(node, bound)?.into_iter()),
            _ => None,
        };
        let mut count = 0;
        loop {
            self.steps_left = self.steps_left.checked_sub(1)?;
            let goes_on = match (&mut items, node.child_by_field_name("condition")) {
                (Some(items), _) => match items.next() {
                    Some(item) => {
                        let left = node.child_by_field_name("left")?;
                        self.bind_item(left, Some(item), bound);
                        if let Some(held) = bound.names.get_mut(self.text_of(left)) {
                            let named = self.named_item(node, count);
                            held.from = named;
                        }
                        true
                    }
                    None => false,
                },
                (None, condition) => self.outcome_on(condition?, bound, way)?,
            };
            if !goes_on {
                break;
            }
            count += 1;
            match self.go_through(body, bound, way, depth)? {
                Next::On | Next::Continue => {}
                next => return Some((count, next)),
            }
        }
        let next = match node.child_by_field_name("alternative") {
            Some(clause) => {
                let body = clause.child_by_field_name("body").unwrap_or(clause);
                self.go_through(body, bound, way, depth + 1)?
            }
            None => Next::On,
        };
        // A jump there is one of the loop around.
        matches!(next, Next::On | Next::Out(_)).then_some((count, next))
    }

    /// What a loop goes over.
    fn items_told(&mut self, node: Node<'t>, bound: &Bound<'t>) -> Option<Vec<Value<'t>>> {
        if super::statement::is_async(node) {
            return None;
        }
        let right = node.child_by_field_name("right")?;
        match self.work_out(right, bound, 0)? {
            Value::Items(items) => Some(items),
            Value::Pairs(pairs) => Some(pairs.into_iter().map(|(key, _)| key).collect()),
            _ => None,
        }
    }

    /// The name that stands where a loop over a display is.
    fn named_item(&self, node: Node<'t>, index: usize) -> Option<Node<'t>> {
        let right = node.child_by_field_name("right")?;
        let mut parts = children(right).filter(|part| part.kind() != "comment");
        let part = parts.nth(index).filter(|part| part.kind() == "identifier");
        part.filter(|_| matches!(right.kind(), "list" | "tuple"))
    }

    fn bind_item(&mut self, target: Node<'t>, item: Option<Value<'t>>, bound: &mut Bound<'t>) {
        match target.kind() {
            "identifier" => bound.bind(target, self.text_of(target), item.filter(is_plain)),
            "pattern_list" | "tuple_pattern" | "list_pattern" => {
                let parts = match item {
                    Some(Value::Items(parts)) if parts.len() == target.part_count() => parts,
                    _ => Vec::new(),
                };
                let mut parts = parts.into_iter();
                for target in children(target) {
                    self.bind_item(target, parts.next(), bound);
                }
            }
            _ => {}
        }
    }
}

/// Whether a name may stand for it: nothing that may be changed meanwhile, or done twice.
fn is_plain(value: &Value<'_>) -> bool {
    match value {
        Value::Items(_) | Value::Pairs(_) => false,
        Value::Given(node) => node.kind() == "identifier",
        _ => true,
    }
}
