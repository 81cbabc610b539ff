//! Loops: what they assign, how often they run, and what their condition chooses.
//!
//! ```python
//! while points >= need:
//!     level += 1               # how high it gets depends on `points`
//! ```

use tree_sitter::Node;

use super::turns::Turns;
use super::{Walker, names, position};
use crate::facts::builder::Rounds;
use crate::facts::{AskedPart, Constant, ElementKey, Name, PlaceId, Position};
use crate::tree::{Parts, children};

/// `for key, value in table.items()`, or `for key in table`.
#[derive(Debug, Clone)]
pub(super) struct Pairs {
    table: PlaceId,
    /// What the key is at first.
    key: PlaceId,
    /// The value's name, with what that is at first.
    value: Option<(Name, PlaceId)>,
    /// Where the source names the table, if it goes by its keys.
    over: Option<std::ops::Range<usize>>,
}

impl<'t> Walker<'t> {
    /// The table whose pairs a loop comes by.
    pub(super) fn table_of_pairs(&mut self, right: Option<Node<'t>>) -> Option<PlaceId> {
        let right = right.filter(|right| right.kind() == "call" && !self.builder.at_file_level())?;
        let method = right
            .child_by_field_name("function")
            .filter(|function| function.kind() == "attribute")?;
        let is_items = self.text_of(method.child_by_field_name("attribute")?) == "items";
        let is_plain = right.child_by_field_name("arguments")?.part_count() == 0;
        let table = method.child_by_field_name("object").filter(|_| is_items && is_plain)?;
        self.look(table)
    }

    /// A loop over pairs begins.
    pub(super) fn note_pairs(&mut self, left: Node<'t>, table: Option<PlaceId>) {
        let names: Vec<_> = children(left).collect();
        let ([key, value], Some(table)) = (names.as_slice(), table) else {
            return;
        };
        if [key, value].iter().all(|name| name.kind() == "identifier") {
            let (key, named) = (self.name_of(*key), self.name_of(*value));
            let held = [key, named].map(|name| self.builder.only_definition(name));
            if let [Some(key), Some(value)] = held {
                let value = Some((named, value));
                let over = None;
                self.pairs.push(Pairs {
                    table,
                    key,
                    value,
                    over,
                });
            }
        }
    }

    /// `for key in table:`, too, by which the body finds what lies there.
    pub(super) fn note_keys(&mut self, left: Node<'t>, right: Option<Node<'t>>, table: Option<PlaceId>) {
        let over = right.filter(|right| matches!(right.kind(), "identifier" | "attribute"));
        if let (Some(over), Some(table), "identifier") = (over, table, left.kind())
            && !self.builder.at_file_level()
        {
            let name = self.name_of(left);
            if let Some(key) = self.builder.only_definition(name) {
                let over = Some(over.byte_range());
                let value = None;
                self.pairs.push(Pairs {
                    table,
                    key,
                    value,
                    over,
                });
            }
        }
    }

    /// `out[key] = value`, or `out[key] = table[key]`, in such a loop: the parts of the table are parts of `out`, under the keys that
    /// they have.
    pub(super) fn copies_part(&mut self, target: Node<'t>, held: Option<PlaceId>, at: Position) -> bool {
        let (Some(by), false) = (held, self.pairs.is_empty()) else {
            return false;
        };
        let Some((table, base, index)) = self.table_copied(target) else {
            return false;
        };
        let key = self.expression(index);
        if let Some(into) = self.expression(base) {
            self.builder.copy_parts(table, into, 0, Vec::new(), at);
            self.builder.keep_keys(by);
            self.builder.element_store(into, ElementKey::Keys, key, at);
        }
        true
    }

    /// The table of which an assignment copies what lies under a key, where it is put, and the key there.
    fn table_copied(&mut self, target: Node<'t>) -> Option<(PlaceId, Node<'t>, Node<'t>)> {
        let statement = target.parent().filter(|around| around.kind() == "assignment")?;
        let right = statement.child_by_field_name("right")?;
        let part = |node: Node<'t>| {
            let index = node.child_by_field_name("subscript")?;
            let is_name = node.part_count() == 2 && index.kind() == "identifier";
            Some((node.child_by_field_name("value")?, index)).filter(|_| is_name)
        };
        let (base, index) = part(target)?;
        if !self.is_mapping_made(base) {
            return None;
        }
        let name = self.name_of(index);
        let key = self.builder.only_definition(name)?;
        let pairs = self.pairs_by(key)?;
        let value = self.spelled(right);
        let is_part = match (value.kind(), pairs.value) {
            ("identifier", Some((named, held))) => {
                self.name_of(value) == named && self.builder.only_definition(named) == Some(held)
            }
            ("subscript", _) => {
                let (from, under) = part(value)?;
                let over = pairs.over.and_then(|over| self.text.get(over));
                self.name_of(under) == name && over == Some(self.text_of(from))
            }
            _ => false,
        };
        is_part.then_some((pairs.table, base, index))
    }

    /// The innermost such loop by this key.
    fn pairs_by(&self, key: PlaceId) -> Option<Pairs> {
        self.pairs.iter().rev().find(|pairs| pairs.key == key).cloned()
    }

    /// Whether a variable of the function, or an attribute that the class sets, is given a mapping of the language's own: of others, nobody
    /// knows what putting something there does.
    fn is_mapping_made(&self, base: Node<'t>) -> bool {
        let scope = match base.kind() {
            "identifier" => "function_definition",
            "attribute" => "class_definition",
            _ => return false,
        };
        let mut around = base.parent();
        while let Some(node) = around.filter(|node| node.kind() != scope) {
            around = node.parent();
        }
        let (name, mut open) = (self.text_of(base), Vec::from_iter(around));
        while let Some(node) = open.pop() {
            let written = node.child_by_field_name("left").filter(|_| node.kind() == "assignment");
            let is_it = written.is_some_and(|written| self.text_of(written) == name);
            if is_it
                && node
                    .child_by_field_name("right")
                    .is_some_and(|right| self.makes_mapping(right))
            {
                return true;
            }
            open.extend(children(node));
        }
        false
    }

    fn makes_mapping(&self, node: Node<'t>) -> bool {
        const MAKERS: &[&str] = &["dict", "OrderedDict", "defaultdict", "copy", "deepcopy"];
        match node.kind() {
            "dictionary" | "dictionary_comprehension" => true,
            "call" => {
                let function = node
                    .child_by_field_name("function")
                    .map(|function| self.text_of(function));
                let last = function.and_then(|function| function.rsplit('.').next());
                last.is_some_and(|last| MAKERS.contains(&last))
            }
            _ => false,
        }
    }

    /// `if key == "name"` in such a loop: there the value is what lies under that key.
    pub(super) fn choose_part(&mut self, asked: Node<'t>, constant: Constant) {
        let (Constant::Text(text), false) = (constant, self.pairs.is_empty()) else {
            return;
        };
        let name = self.name_of(asked);
        let Some(held) = self.builder.only_definition(name) else {
            return;
        };
        let Some((table, value)) = self.pairs_by(held).and_then(|pairs| Some((pairs.table, pairs.value?))) else {
            return;
        };
        self.builder
            .choose_by_key(value, (table, ElementKey::Text(text)), position(asked));
    }

    /// What the innermost loop around goes over: how often something is done there depends on it.
    pub(super) fn rounds_of(&mut self) -> Option<PlaceId> {
        let function = self.builder.function();
        let (rounds, own) = *self.rounds.last()?;
        (own == function).then_some(rounds)
    }

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
        self.left_loops.push((self.builder.tests(), Vec::new()));
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

    /// `else` of a loop depends on what it is left by.
    pub(super) fn break_statement(&mut self) {
        if let Some((tests, left_by)) = self.left_loops.last_mut() {
            left_by.extend(self.builder.left_by_since(*tests));
        }
        self.builder.break_loop(None);
    }

    /// What stands for the length of a parameter that is gone over, in this order or the other, and only read.
    fn length_iterated(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let mut over = node.child_by_field_name("right")?;
        if over.kind() == "call" {
            let function = over.child_by_field_name("function")?;
            let given = over.child_by_field_name("arguments")?;
            let goes_over_all = matches!(
                self.text_of(function),
                "reversed" | "enumerate" | "list" | "tuple" | "iter"
            );
            over = given.part(0).filter(|_| goes_over_all && given.part_count() == 1)?;
        }
        let parameter = self.parameter_read(over)?;
        self.builder.part_asked(parameter, AskedPart::Length)
    }

    /// What is endless is left by `break` alone.
    pub(super) fn close_loop(&mut self, node: Node<'t>, (is_endless, it_runs): (bool, bool), turns: Option<Turns<'t>>) {
        self.told_loops -= u32::from(turns.is_some());
        let length = match it_runs || turns.is_some() {
            false => self.length_iterated(node),
            true => None,
        };
        let rounds = match it_runs {
            true => Rounds::OneAtLeast,
            false => length.map_or(Rounds::Any, Rounds::OfLength),
        };
        let mut breaks = self.builder.close_loop(rounds);
        if is_endless || turns.as_ref().is_some_and(|turns| !turns.is_ended) {
            self.builder.rule_out();
        }
        if turns.as_ref().is_some_and(|turns| !turns.is_broken) {
            breaks.clear();
        }
        if it_runs && turns.is_none() && node.kind() == "for_statement" {
            self.hold_last(node);
        }
        let left_by = self.left_loops.pop().map_or(Vec::new(), |(_, left_by)| left_by);
        if let Some(clause) = node.child_by_field_name("alternative") {
            let tests = self.builder.tests();
            left_by
                .into_iter()
                .for_each(|tested| self.builder.choose_once_by(Some(tested)));
            self.block(clause.child_by_field_name("body").unwrap_or(clause));
            self.builder.restore_tests(tests);
        }
        for state in breaks {
            self.builder.merge(Some(state));
        }
        if let Some(turns) = turns {
            self.hold_ends(node, turns);
        }
    }
}
