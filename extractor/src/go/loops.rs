//! Loops: what a round leaves for the next, and what is gone because the body has run.
//!
//! `for i := 0; i < 3; i++ { text = "x" }` leaves nothing of what `text` was before.

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::builder::Rounds;
use crate::facts::{
    AskedPart, Constant, ContainerKind, ElementKey, LoopOver, Name, Object, ParameterKind, PlaceId, Position,
    TypeExpression,
};
use crate::tree::{Parts, children};

/// A loop over the parts of something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range<'t> {
    source: PlaceId,
    /// What it is over, as that is written.
    over: &'t str,
    key: PlaceId,
    value: Option<PlaceId>,
    /// The body may write into it.
    is_written: bool,
}

impl<'t> Walker<'t> {
    pub(super) fn for_statement(&mut self, node: Node<'t>, label: Option<Name>) {
        self.builder.open_block(false);
        let clause = children(node).find(|child| matches!(child.kind(), "for_clause" | "range_clause"));
        let body = node.child_by_field_name("body");
        let mut ranged = None;
        if let Some(clause) = clause {
            if let Some(initializer) = clause.child_by_field_name("initializer") {
                self.statement(initializer, None);
            }
            if clause.kind() == "range_clause" {
                let right = clause.child_by_field_name("right");
                ranged = right.and_then(|right| {
                    let value = self.expression(right)?;
                    // What is ranged over is the array as it was.
                    let is_copied = clause
                        .child_by_field_name("left")
                        .is_some_and(|left| left.part_count() > 1);
                    Some(if is_copied {
                        self.copied_array(right, value)
                    } else {
                        value
                    })
                });
            }
        }
        let runs = self.runs_at_first(clause);
        let assigned = self.assigned_in(node);
        self.builder.open_loop(&assigned, label);
        let condition = match clause {
            Some(clause) if clause.kind() == "range_clause" => {
                let is_once = body.is_some_and(|body| runs_once(body));
                self.range_targets(clause, ranged, is_once);
                None
            }
            Some(clause) => clause.child_by_field_name("condition"),
            None => children(node).find(|child| Some(*child) != body),
        };
        let mut is_endless =
            condition.is_none() && ranged.is_none() && clause.is_none_or(|clause| clause.kind() == "for_clause");
        let tests = self.builder.tests();
        if let Some(condition) = condition {
            let value = self.expression(condition);
            self.builder.decide(value, position(condition));
            self.builder.choose_by(value);
            is_endless = self.outcome_of(condition) == Some(true);
            self.assume(condition, true);
        }
        if runs == Some(false) {
            self.builder.rule_out();
        }
        let around = self.ranges.len();
        if let (Some(clause), Some(source)) = (clause, ranged) {
            self.note_range(clause, source);
        }
        let function = self.builder.function();
        self.rounds.extend(ranged.map(|ranged| (ranged, function)));
        // Whether the body runs at all. What it writes into that very list is there in any case.
        let writes_it = || {
            let over = clause.and_then(|clause| clause.child_by_field_name("right"));
            let (over, body) = (over.map(|over| self.text_of(over)), body.map(|body| self.text_of(body)));
            over.zip(body).is_some_and(|(over, body)| assigns_parts(body, over))
        };
        let decides = ranged.filter(|_| !writes_it());
        self.builder.choose_by(decides);
        self.open_loops.push((label, self.builder.tests(), Vec::new()));
        if let Some(body) = body {
            self.block(body);
        }
        self.open_loops.pop();
        self.rounds.truncate(self.rounds.len() - usize::from(ranged.is_some()));
        self.ranges.truncate(around);
        self.builder.restore_tests(tests);
        self.builder.loop_continues();
        if let Some(update) = clause.and_then(|clause| clause.child_by_field_name("update")) {
            self.statement(update, None);
        }
        let length = match (runs, clause) {
            (None, Some(clause)) => self.length_ranged(clause),
            _ => None,
        };
        let rounds = match runs {
            Some(true) => Rounds::OneAtLeast,
            _ => length.map_or(Rounds::Any, Rounds::OfLength),
        };
        let breaks = self.builder.close_loop(rounds);
        if is_endless {
            self.builder.leave();
        }
        for state in breaks {
            self.builder.merge(Some(state));
        }
        // What is left of a round of a loop around, some test in here may skip.
        let skipped_by = self.open_loops.last().map_or(Vec::new(), |open| open.2.clone());
        skipped_by
            .into_iter()
            .for_each(|tested| self.builder.choose_once_by(Some(tested)));
        self.builder.close_block();
    }

    /// Control goes to a loop around those that it leaves.
    pub(super) fn leaves_to(&mut self, label: Option<Name>) {
        let around = self.open_loops.len().saturating_sub(1);
        let mut open = self.open_loops[..around].iter_mut().rev();
        if let Some((_, tests, left_by)) = open.find(|open| label.is_some() && open.0 == label) {
            left_by.extend(self.builder.left_by_since(*tests));
        }
    }

    /// What stands for the length of a parameter that is ranged over and never assigned.
    fn length_ranged(&mut self, clause: Node<'t>) -> Option<PlaceId> {
        let over = clause.child_by_field_name("right")?;
        let name = self.builder.name(self.text_of(over));
        let parameter = (over.kind() == "identifier").then(|| self.builder.parameter(name))??;
        let is_as_it_came = self.builder.only_definition(name) == Some(parameter);
        is_as_it_came
            .then(|| self.builder.part_asked(parameter, AskedPart::Length))
            .flatten()
    }

    fn range_targets(&mut self, clause: Node<'t>, source: Option<PlaceId>, is_once: bool) {
        // A channel lets others run, and a pointer may be written through.
        self.builder.happens_unseen();
        let Some(left) = clause.child_by_field_name("left") else {
            if let Some(over) = source {
                let (function, values) = (self.builder.function(), Vec::new());
                let position = clause.child_by_field_name("right").map_or(position(clause), position);
                self.builder.facts.loops.push(LoopOver {
                    over,
                    values,
                    function,
                    position,
                });
            }
            return;
        };
        let declares = self.text_of(clause).contains(":=");
        let at = position(clause);
        let mut parts = Vec::new();
        let is_first = is_once && self.is_list(clause.child_by_field_name("right"));
        for (index, target) in children(left).enumerate() {
            let key = match index {
                0 => ElementKey::Keys,
                _ if is_first => ElementKey::Index(0),
                _ => ElementKey::Any,
            };
            let part = source.map(|source| self.builder.element_load(source, key, at));
            parts.extend(part);
            self.note_assigned(target, None);
            self.assign(target, part, declares, at);
        }
        if let Some(over) = source {
            let function = self.builder.function();
            let position = clause.child_by_field_name("right").map_or(at, position);
            self.builder.facts.loops.push(LoopOver {
                over,
                values: parts,
                function,
                position,
            });
        }
    }

    /// Whether what is ranged over is a slice or an array, as the source tells.
    fn is_list(&mut self, over: Option<Node<'t>>) -> bool {
        let Some(over) = over else { return false };
        match over.kind() {
            "composite_literal" => over
                .child_by_field_name("type")
                .is_some_and(|of| matches!(of.kind(), "slice_type" | "array_type" | "implicit_length_array_type")),
            "identifier" => {
                let name = self.name_of(over);
                let declared = self.variable_types.get(&name).map(|declared| declared.0 as usize);
                let declared = declared.and_then(|declared| self.builder.facts.type_expressions.get(declared));
                let is_declared = matches!(
                    declared,
                    Some(TypeExpression::Container {
                        kind: ContainerKind::List,
                        ..
                    })
                );
                let mut parameters = self.builder.function_mut().parameters.iter();
                let is_gathered = parameters.any(|own| own.name == name && own.kind == ParameterKind::Rest);
                let of = self.static_type(over, 0);
                is_declared || is_gathered || of.is_some_and(|of| of.starts_with("[]"))
            }
            _ => self.static_type(over, 0).is_some_and(|of| of.starts_with("[]")),
        }
    }

    /// Notes what a loop that declares them calls the keys and parts that it comes by.
    fn note_range(&mut self, clause: Node<'t>, source: PlaceId) {
        let (left, right) = (clause.child_by_field_name("left"), clause.child_by_field_name("right"));
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        if !self.text_of(clause).contains(":=") {
            return;
        }
        let mut names = children(left).map(|name| {
            let name = self.name_of(name);
            self.builder.only_definition(name)
        });
        if let Some(key) = names.next().flatten() {
            let value = names.next().flatten();
            let over = self.text_of(right);
            let body = clause.parent().and_then(|around| around.child_by_field_name("body"));
            let body = body.map_or("", |body| self.text_of(body));
            let is_written = body.contains(&format!("{over}[")) || body.contains(&format!("({over}"));
            self.ranges.push(Range {
                source,
                over,
                key,
                value,
                is_written,
            });
        }
    }

    /// `if key == "name"` in a loop over a map: there the value is what lies under that key.
    pub(super) fn choose_part(&mut self, asked: Node<'t>, constant: Constant) {
        let key = match constant {
            Constant::Text(text) => ElementKey::Text(text),
            Constant::Number(number) if number >= 0 => ElementKey::Index(number as u32),
            _ => return,
        };
        if self.ranges.is_empty() {
            return;
        }
        let name = self.name_of(asked);
        let Some(held) = self.builder.only_definition(name) else {
            return;
        };
        let mut ranges = self.ranges.iter().rev();
        let range = ranges.find(|range| range.key == held).filter(|range| !range.is_written);
        let Some((source, value)) = range.and_then(|range| Some((range.source, range.value?))) else {
            return;
        };
        let named = self.builder.facts.places[value.0 as usize].name;
        if !self.addressed.contains(&named) {
            self.builder
                .choose_by_key((named, value), (source, key), position(asked));
        }
    }

    /// `out[k] = v`, or `out[k] = row[k]`, in a loop over `row`: the parts of `row` are parts of `out`, under the keys that they have.
    pub(super) fn copies_part(
        &mut self,
        target: Node<'t>,
        (value, held): (Option<Node<'t>>, Option<PlaceId>),
        at: Position,
    ) -> bool {
        let is_indexed = target.kind() == "index_expression" && !self.ranges.is_empty();
        let (Some(value), Some(by), true) = (value, held, is_indexed) else {
            return false;
        };
        let part = |node: Node<'t>| {
            let (base, index) = (node.child_by_field_name("operand"), node.child_by_field_name("index"));
            base.zip(index.filter(|index| index.kind() == "identifier"))
        };
        let Some((base, index)) = part(target) else {
            return false;
        };
        let name = self.name_of(index);
        let Some(key) = self.builder.only_definition(name) else {
            return false;
        };
        let Some(range) = self.ranges.iter().rev().find(|range| range.key == key).copied() else {
            return false;
        };
        let is_part = match value.kind() {
            "identifier" => {
                let name = self.name_of(value);
                let held = self.builder.only_definition(name);
                held.is_some_and(|held| Some(held) == range.value && !self.is_written(held))
            }
            "index_expression" => match part(value) {
                Some((base, index)) => self.text_of(base) == range.over && self.name_of(index) == name,
                None => false,
            },
            _ => false,
        };
        if !is_part {
            return false;
        }
        let key = self.expression(index);
        if let Some(into) = self.expression(base) {
            self.builder.copy_parts(range.source, into, 0, Vec::new(), at);
            self.builder.keep_keys(by);
            self.builder.element_store(into, ElementKey::Keys, key, at);
        }
        true
    }

    /// Whether something was put into what a variable holds, or whoever was handed it may have done so.
    fn is_written(&self, held: PlaceId) -> bool {
        let facts = &self.builder.facts;
        facts.stores.iter().any(|row| row.base == held)
            || facts.element_stores.iter().any(|row| row.base == held)
            || facts.calls.iter().any(|row| row.receiver == Some(held))
            || facts
                .objects
                .iter()
                .any(|(_, object)| matches!(object, Object::Address(of) if *of == held))
    }

    /// Whether the body of a loop runs at all, before anything in it has happened.
    fn runs_at_first(&mut self, clause: Option<Node<'t>>) -> Option<bool> {
        let clause = clause?;
        if clause.kind() == "for_clause" {
            return self.outcome_of(clause.child_by_field_name("condition")?);
        }
        let over = clause.child_by_field_name("right")?;
        if over.kind() == "composite_literal" {
            let has_any = over.child_by_field_name("body")?.part(0).is_some();
            return has_any.then_some(true);
        }
        match self.constant(over)? {
            Constant::Number(times) => Some(times > 0),
            Constant::Empty => Some(false),
            Constant::Text(_) => Some(true),
            _ => None,
        }
    }
}

/// Whether a loop's body is left for good in its first round, whatever happens.
fn runs_once(body: Node<'_>) -> bool {
    let mut goes_on = false;
    super::statement::collect(body, &mut |found| {
        goes_on |= matches!(
            found.kind(),
            "continue_statement" | "goto_statement" | "labeled_statement"
        );
    });
    !goes_on && leaves(body)
}

/// Whether a block, or a branch, ends in a jump out of the loop around it.
fn leaves(node: Node<'_>) -> bool {
    if node.kind() == "if_statement" {
        let branches = ["consequence", "alternative"].map(|branch| node.child_by_field_name(branch));
        return branches.into_iter().all(|branch| branch.is_some_and(leaves));
    }
    let last = children(node).filter(|child| child.kind() != "comment").last();
    last.is_some_and(|last| match last.kind() {
        "return_statement" | "break_statement" => true,
        "statement_list" | "block" | "if_statement" => leaves(last),
        _ => false,
    })
}

/// Whether a part of a list is assigned, as that is written: `list[i] = 0`.
fn assigns_parts(body: &str, list: &str) -> bool {
    body.match_indices(list).any(|(at, _)| {
        let behind = body.get(at + list.len()..).and_then(|behind| behind.strip_prefix('['));
        let behind = behind
            .and_then(|behind| behind.split_once(']'))
            .map(|(_, behind)| behind.trim_start());
        behind.is_some_and(|behind| behind.starts_with('=') && !behind.starts_with("=="))
    })
}
