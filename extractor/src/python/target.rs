//! Assignment in every form: to names, members, elements, and patterns of those.
//!
//! `a, self.b, c["d"] = 1, x, y` pairs up both sides: a definition of `a`, a store of `x` into the member `b`, an element
//! store of `y` under `"d"`.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::Node;

use super::by_name::is_looked_up;
use super::file_constants::is_constant;
use super::naming::is_composed;
use super::{Walker, position};
use crate::facts::by_name::ClassName;
use crate::facts::{ConditionId, Constant, ContainerKind, ElementKey, Object, PlaceId, PlaceKind, Position};

impl<'t> Walker<'t> {
    /// `left: type = right`, also chained. Gives what was assigned.
    pub(super) fn assignment(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let left = node.child_by_field_name("left")?;
        let right = node.child_by_field_name("right");
        let annotation = node.child_by_field_name("type");
        if let (Some(right), None) = (right, annotation)
            && (self.assign_pairwise(left, right) || self.named_tuple_assignment(left, right))
        {
            return None;
        }
        right
            .into_iter()
            .for_each(|right| self.note_assigned_parts(left, right));
        let value = match right {
            Some(right) if right.kind() == "assignment" => {
                let value = self.assignment(right);
                self.hold_twice(right, value);
                value
            }
            Some(right) if is_pattern(left) => self.look(right),
            Some(right) => self.expression(right),
            None => None,
        };
        let (value, is_again) = match right {
            Some(right) => self.assigned_under_tests((left, value), right),
            None => (value, false),
        };
        let at = right.map_or(position(left), position);
        if let Some((right, value)) = right.zip(value).filter(|(right, _)| self.counts_on(left, *right)) {
            let rounds = self.rounds_of();
            self.builder.test(rounds, value, position(right));
        }
        if right.is_none() {
            self.declare_only(left, annotation);
            annotation
                .into_iter()
                .for_each(|annotation| self.call_in_declaration(annotation));
            self.note_field_details(left, annotation, None);
            return None;
        }
        let tested = right.and_then(|right| self.tested_in(right));
        if let Some(right) = right {
            self.note_class_name(left, right);
            self.note_type_alias(left, annotation, right);
        }
        let known = right.filter(|_| left.kind() == "identifier");
        let known = known.and_then(|right| self.value_to_keep(right));
        let target = self.assign(left, value, at);
        if let Some(target) = target.filter(|_| is_again) {
            self.builder.chosen_as(target, at);
        }
        match (left.kind(), right) {
            ("attribute", Some(right)) => _ = self.note_field_made(node, left, right),
            ("identifier", Some(right)) => {
                self.note_bound_in_class(node, left, right);
                self.tell_its_name(left, (right, value));
            }
            _ => {}
        }
        if let (Some(target), Some(right), Some(tested)) = (target, right, tested) {
            self.conditions.insert(target, (right, tested));
        }
        let is_kept = |right: &Node<'t>| {
            let is_chosen = right.kind() == "conditional_expression";
            let is_in_pieces = matches!(right.kind(), "concatenated_string" | "parenthesized_expression");
            let is_tuple = right.kind() == "tuple" && children(*right).all(|part| is_constant(part));
            is_constant(*right) || is_composed(*right) || is_looked_up(*right) || is_chosen || is_in_pieces || is_tuple
        };
        if let (Some(target), Some(right)) = (target, right.filter(|right| right.kind() == "call"))
            && let Some(class) = right
                .child_by_field_name("function")
                .filter(|class| self.names_class(*class))
        {
            self.made_here.insert(target, self.text_of(class));
        }
        let is_callable = right.is_some_and(|right| match right.kind() {
            "lambda" => true,
            "identifier" => self.names_function(right),
            _ => false,
        });
        self.callables.extend(target.filter(|_| is_callable));
        if let (Some(target), Some(right)) = (target, right.filter(is_kept)) {
            self.constants.insert(target, right);
        }
        if let Some(right) = right.filter(|_| left.kind() == "identifier") {
            let name = self.name_of(left);
            self.keep_value(name, known);
            if let Some(target) = target {
                self.note_flag_given(left, target, right);
            }
        }
        if let Some(annotation) = annotation {
            self.call_in_declaration(annotation);
            let declared = self.annotation(annotation);
            self.note_field(left, Some(declared));
            if let Some(target) = target {
                self.builder.declare_type(target, declared);
            }
        }
        self.note_field_details(left, annotation, right);
        value
    }

    /// `counts["all"] = counts.get("all", 0) + 1`: what a loop counts up says how often it went round.
    fn counts_on(&self, left: Node<'t>, right: Node<'t>) -> bool {
        let whole = match left.kind() {
            "subscript" => left.child_by_field_name("value").unwrap_or(left),
            "attribute" => left,
            _ => return false,
        };
        let is_itself = |side: Node<'t>| {
            let rest = self.text_of(side).strip_prefix(self.text_of(whole));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let sides = ["left", "right"].map(|side| right.child_by_field_name(side));
        match sides {
            [Some(one), Some(other)] if right.kind() == "binary_operator" => {
                is_itself(one) && is_constant(other) || is_itself(other) && is_constant(one)
            }
            _ => false,
        }
    }

    /// `Alias = Base`, `Alias = Base[int]`, in whatever branch of the file; `Alias = Base if fast else Other`.
    fn note_class_name(&mut self, left: Node<'t>, right: Node<'t>) {
        let is_name = left.kind() == "identifier" && self.builder.at_file_level() && self.classes.is_empty();
        if !is_name {
            return;
        }
        if right.kind() == "conditional_expression" {
            let sides = [right.part(0), right.part(2)];
            return sides
                .into_iter()
                .flatten()
                .for_each(|side| self.note_class_name(left, side));
        }
        let head = match right.kind() {
            "subscript" => right.child_by_field_name("value"),
            _ => Some(right),
        };
        let is_class = |walker: &mut Self, head: Node<'t>| {
            walker.names_class(head) || walker.looks_like_class(head) && walker.looks_like_class(left)
        };
        if head.is_some_and(|head| is_class(self, head)) {
            let (name, class) = (self.name_of(left), self.base(right));
            let rarely = self.is_rare(right);
            self.builder.facts.class_names.push(ClassName { name, class, rarely });
        }
    }

    /// Whether something stands in a branch for systems or versions that few have: `if sys.platform == "win32":`, `if PY2:`.
    fn is_rare(&self, node: Node<'t>) -> bool {
        let mut inner = node;
        while let Some(around) = inner.parent() {
            let condition = match around.kind() {
                "conditional_expression" => around.part(1),
                "if_statement" | "elif_clause" => around.child_by_field_name("condition"),
                "module" => return false,
                _ => None,
            };
            let is_test = condition.is_some_and(|condition| condition == inner);
            if let Some(condition) = condition.filter(|_| !is_test) {
                let is_other = match around.kind() {
                    "conditional_expression" => around.part(2) == Some(inner),
                    _ => matches!(inner.kind(), "else_clause" | "elif_clause"),
                };
                if self.is_rarely_true(condition).is_some_and(|rarely| rarely != is_other) {
                    return true;
                }
            }
            inner = around;
        }
        false
    }

    /// Whether a test of the system or the version holds on few; none where it asks for something else.
    fn is_rarely_true(&self, condition: Node<'t>) -> Option<bool> {
        const RARE: &[&str] = &["win32", "nt", "Windows", "cygwin", "java", "os2"];
        let text = self.text_of(condition);
        let is_negated = text.starts_with("not ") || text.contains("!=");
        if text.contains("version_info") || text.contains("hexversion") {
            // `(3, 8) <= sys.version_info`
            let (older, newer) = if text.starts_with(['(', '0']) {
                ('>', '<')
            } else {
                ('<', '>')
            };
            let is_old =
                text.contains("== 2") || text.contains("== (2") || text.contains(older) && !text.contains(newer);
            return Some(is_old != is_negated);
        }
        let word = text
            .strip_prefix("not ")
            .unwrap_or(text)
            .rsplit('.')
            .next()
            .unwrap_or(text);
        if matches!(word, "PY2" | "PY3") {
            return Some((word == "PY2") != is_negated);
        }
        let is_named = |name: &&str| {
            ['"', '\'']
                .iter()
                .any(|quote| text.contains(&format!("{quote}{name}{quote}")))
        };
        let asks_system = text.contains("platform") || text.contains("os.name");
        (asks_system && RARE.iter().any(is_named)).then_some(!is_negated)
    }

    /// `Out = Union[File, Socket]`, `Rows = list[Row]`, `Id: TypeAlias = …`: what annotations mean by the name. A type variable means what it is
    /// bound to.
    fn note_type_alias(&mut self, left: Node<'t>, annotation: Option<Node<'t>>, right: Node<'t>) {
        if left.kind() != "identifier" || !self.builder.at_file_level() || !self.classes.is_empty() {
            return;
        }
        let is_said = annotation.is_some_and(|annotation| self.text_of(annotation).ends_with("TypeAlias"));
        let named = match self.bound_of_variable(right) {
            Some(bound) => bound,
            None if is_said || annotation.is_none() && self.looks_like_type(right, 0) => self.annotation(right),
            None => return,
        };
        let name = self.name_of(left);
        self.builder.facts.type_aliases.push((name, named));
    }

    /// `type Out = File | Socket`, `type Rows[T] = list[T]`.
    pub(super) fn type_alias(&mut self, node: Node<'t>) {
        let left = node.child_by_field_name("left").and_then(|left| left.part(0));
        let name = match left {
            Some(left) if left.kind() == "generic_type" => left.part(0),
            left => left,
        };
        if let (Some(name), Some(right)) = (name, node.child_by_field_name("right"))
            && self.builder.at_file_level()
        {
            let (name, named) = (self.name_of(name), self.annotation(right));
            self.builder.facts.type_aliases.push((name, named));
        }
    }

    /// Whether an expression may be one of a type: a class, something of `[…]`, or several with `|` between them.
    fn looks_like_type(&self, node: Node<'t>, depth: u32) -> bool {
        /// How deep types are looked into.
        const DEPTH_LIMIT: u32 = 6;
        match node.kind() {
            _ if depth > DEPTH_LIMIT => false,
            "none" => depth > 0,
            "identifier" | "attribute" => {
                let text = self.text_of(node);
                let is_known = is_builtin_type(text) && depth > 0;
                is_known || self.looks_like_class(node) || self.file_classes.contains_key(text)
            }
            "subscript" => node
                .child_by_field_name("value")
                .is_some_and(|head| is_builtin_type(self.text_of(head)) || self.looks_like_class(head)),
            "binary_operator" => children(node).all(|side| self.looks_like_type(side, depth + 1)),
            _ => false,
        }
    }

    /// `a, b = x, y` without stars: each to its own.
    fn assign_pairwise(&mut self, left: Node<'t>, right: Node<'t>) -> bool {
        let is_sequence = matches!(right.kind(), "expression_list" | "tuple" | "list");
        if !is_pattern(left) || !is_sequence || left.part_count() != right.part_count() {
            return false;
        }
        let starred = |node: Node<'t>| matches!(node.kind(), "list_splat" | "list_splat_pattern");
        if children(left).any(starred) || children(right).any(starred) {
            return false;
        }
        let values: Vec<_> = children(right)
            .map(|item| (self.expression(item), position(item)))
            .collect();
        let known: Vec<_> = children(right).map(|item| self.value_to_keep(item)).collect();
        let items = children(right).zip(known);
        for ((target, (value, at)), (item, known)) in children(left).zip(values).zip(items) {
            // A fresh place each, so that `a, b = b, a` reads both before it writes either.
            let held = value.map(|value| {
                let held = self.builder.value(at);
                self.flow_into(Some(value), held, at);
                self.builder.take_shape(value, held);
                held
            });
            let place = self.assign(target, held, at);
            if let Some(place) = place.filter(|_| is_constant(item)) {
                self.constants.insert(place, item);
            }
            if place.is_some() {
                let name = self.name_of(target);
                self.keep_value(name, known);
            }
        }
        true
    }

    /// `x: int` with no value.
    fn declare_only(&mut self, left: Node<'t>, annotation: Option<Node<'t>>) {
        let declared = annotation.map(|annotation| self.annotation(annotation));
        self.note_field(left, declared);
        let in_class = self.class_around().is_some();
        if left.kind() == "identifier" && !in_class {
            let name = self.name_of(left);
            let (kind, at) = (self.variable_kind(), position(left));
            // What it holds stays there.
            let held = self.builder.is_held(name).then(|| self.builder.use_name(name, at));
            let place = self.builder.define(name, kind, at);
            self.flow_into(held, place, at);
            if let Some(declared) = declared {
                self.builder.declare_type(place, declared);
            }
        }
    }

    /// `name = Column()` in the body of a class: what is made there is told its name by `__set_name__`.
    fn tell_its_name(&mut self, left: Node<'t>, (right, value): (Node<'t>, Option<PlaceId>)) {
        let in_class = self.class_around().is_some();
        if let Some(value) = value.filter(|_| in_class && right.kind() == "call") {
            let at = position(left);
            let [owner, mut told] = [(); 2].map(|()| Self::positional(None, left));
            let name = self.name_of(left);
            told.text = Some(name);
            told.constant = Some(Constant::Text(name));
            self.builder.implicit_call(value, "__set_name__", vec![owner, told], at);
        }
    }

    pub(super) fn variable_kind(&self) -> PlaceKind {
        let in_class = self.class_around().is_some();
        match (in_class, self.builder.at_file_level()) {
            (true, _) => PlaceKind::Binding,
            (false, true) => PlaceKind::Global,
            (false, false) => PlaceKind::Local,
        }
    }

    /// Assigns a value; none for a literal. Gives the place of a plain name.
    pub(super) fn assign(&mut self, target: Node<'t>, value: Option<PlaceId>, at: Position) -> Option<PlaceId> {
        match target.kind() {
            "identifier" => {
                let name = self.name_of(target);
                let kind = self.variable_kind();
                let place = self.builder.define(name, kind, position(target));
                self.flow_into(value, place, at);
                if self.told_loops > 0 {
                    self.assigned_at.insert(target.id(), place);
                }
                if let Some(value) = value.filter(|_| kind != PlaceKind::Binding) {
                    self.builder.hold_shape(name, value, place);
                    self.builder.begin_steps(name, value);
                }
                self.note_field(target, None);
                Some(place)
            }
            "attribute" => {
                self.note_field(target, None);
                let base = target
                    .child_by_field_name("object")
                    .and_then(|object| self.expression(object));
                if let (Some(base), Some(member)) = (base, target.child_by_field_name("attribute")) {
                    let name = self.name_of(member);
                    self.builder.store(base, name, value, position(member));
                }
                None
            }
            "subscript" => {
                let is_member = self.set_by_key(target, value).is_some();
                if !is_member
                    && (self.put_part(target, value, at)
                        || self.put_in_column(target, value, at)
                        || self.copies_part(target, value, at)
                        || self.copies_listed(target, at))
                {
                    return None;
                }
                let table = target.child_by_field_name("value");
                if table.is_some_and(|table| self.is_open_table(table))
                    && let Some((base, member)) = self.field_by_name(target)
                {
                    self.builder.store(base, member, value, at);
                    return None;
                }
                let base = target
                    .child_by_field_name("value")
                    .and_then(|value| self.expression(value));
                if let (Some(base), true) = (base, self.slice_assigned(target)) {
                    self.put_slice(base, target, value, at);
                    return None;
                }
                let (key, computed) = self.subscript_key(target);
                if let Some(base) = base {
                    // A literal is put there, too: an object may have a method for that.
                    let value = value.unwrap_or_else(|| self.builder.value(at));
                    self.builder.element_store_at(base, (key, computed), Some(value), at);
                    let named = computed.or_else(|| self.key_by_name(target));
                    self.builder.element_store(base, ElementKey::Keys, named, at);
                    if let Some(key) = computed {
                        self.builder.chosen_as(base, at);
                        if is_mark(target) {
                            self.builder.marks(key, base, at);
                        }
                    }
                }
                None
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "expression_list" => {
                self.unpack(target, value, at);
                None
            }
            "parenthesized_expression" => {
                let inner = target.part(0)?;
                self.assign(inner, value, at)
            }
            "list_splat_pattern" | "list_splat" => {
                let inner = target.part(0)?;
                self.assign(inner, value, at)
            }
            _ => {
                self.expression(target);
                None
            }
        }
    }

    fn unpack(&mut self, pattern: Node<'t>, value: Option<PlaceId>, at: Position) {
        let mut starred = false;
        let count = pattern.part_count();
        for (index, target) in children(pattern).enumerate() {
            let is_star = matches!(target.kind(), "list_splat_pattern" | "list_splat");
            starred |= is_star;
            let part = value.map(|value| {
                if is_star {
                    if let Some(rest) = self.rest_of(value, index, count - index - 1, at) {
                        return rest;
                    }
                    let rest = self.builder.object(Object::Container(ContainerKind::List), at);
                    self.builder.copy_parts(value, rest, -(index as i32), Vec::new(), at);
                    return rest;
                }
                let key = if starred {
                    ElementKey::Back((count - index) as u32)
                } else {
                    ElementKey::Index(index as u32)
                };
                let part = self.builder.element_load(value, key, at);
                self.builder.give_away(part);
                part
            });
            self.assign(target, part, at);
        }
    }

    pub(super) fn augmented_assignment(&mut self, node: Node<'t>) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let operator = node
            .child_by_field_name("operator")
            .map_or("", |operator| operator.kind().trim_end_matches('='));
        let known = self.value_joined(left, operator, right);
        let old = self.look(left);
        let value = self.look(right);
        let at = position(right);
        if let Some(old) = old {
            if let Some(shape) = self.joined(old, operator, value, right) {
                let made = self.builder.make(shape, at);
                self.assign(left, Some(made), at);
                return;
            }
            self.builder.give_away(old);
        }
        let sum = self.builder.value(at);
        self.flow_into(old, sum, at);
        self.builder.derive(value, sum, at);
        if let Some(old) = old
            && let Some(method) = super::expression::operator_method(operator)
        {
            let in_place = method.replacen("__", "__i", 1);
            let argument = Self::positional(value, right);
            let answer = self.builder.implicit_call(old, &in_place, vec![argument], at);
            self.flow_into(Some(answer), sum, at);
            // Under that name: what changes in place is not asked for the other.
            let (callee, text) = (
                self.builder.implicit_load(old, method, at),
                self.builder.name(&in_place),
            );
            let answer = self
                .builder
                .call(callee, text, Some(old), vec![argument], at, How::Implicit);
            self.flow_into(Some(answer), sum, at);
        }
        let counted = value.is_none().then(|| self.rounds_of()).flatten();
        let held = (old.is_some() || value.is_some() || counted.is_some()).then_some(sum);
        if let (Some(held), Some(rounds)) = (held, counted) {
            self.builder.test(Some(rounds), held, at);
        }
        held.into_iter().for_each(|held| self.builder.chosen_as(held, at));
        if let Some(held) = held.filter(|_| left.kind() != "identifier") {
            self.builder.kept_when_called(held, at);
        }
        let held = self.builder.chosen(held, at);
        self.assign(left, held, at);
        if known.is_some() {
            let name = self.name_of(left);
            self.keep_value(name, known);
        }
    }

    /// The part that a subscript names, or what it is computed from.
    pub(super) fn subscript_key(&mut self, node: Node<'t>) -> (ElementKey, Option<PlaceId>) {
        let mut cursor = node.walk();
        let subscripts: Vec<_> = node.children_by_field_name("subscript", &mut cursor).collect();
        let [subscript] = subscripts.as_slice() else {
            let key = self.tuple_of(&subscripts).unwrap_or(ElementKey::Any);
            for subscript in subscripts {
                self.expression(subscript);
            }
            return (key, None);
        };
        let literal = self.literal(*subscript);
        if literal != *subscript {
            self.expression(*subscript);
        }
        let subscript = &literal;
        if let Some(text) = self.constant_text(*subscript) {
            let key = self.builder.name(&text);
            match subscript.kind() {
                "string" => self.builder.key_use(key, position(*subscript)),
                _ => _ = self.expression(*subscript),
            }
            return (ElementKey::Text(key), None);
        }
        if subscript.kind() == "integer"
            && let Ok(index) = self.text_of(*subscript).parse()
        {
            return (ElementKey::Index(index), None);
        }
        if subscript.kind() == "unary_operator"
            && let Some(index) = self.text_of(*subscript).strip_prefix('-')
            && let Ok(index) = index.trim().parse()
            && index > 0
        {
            return (ElementKey::Back(index), None);
        }
        let computed = self.expression(*subscript);
        match self.computed_key(*subscript) {
            Some(ElementKey::Text(text)) => {
                self.builder.key_use(text, position(*subscript));
                (ElementKey::Text(text), None)
            }
            Some(position) => (position, None),
            None => (self.tuple_key(*subscript).unwrap_or(ElementKey::Any), computed),
        }
    }

    /// The variable that a key is, be it that this stands for a literal.
    fn key_by_name(&mut self, subscript: Node<'t>) -> Option<PlaceId> {
        let key = subscript.child_by_field_name("subscript")?;
        (key.kind() == "identifier").then(|| self.expression(key))?
    }

    /// `(0, "a")`: a tuple of literals is a key like any other, and so is a variable that holds one.
    pub(super) fn tuple_key(&mut self, node: Node<'t>) -> Option<ElementKey> {
        let node = match node.kind() {
            "identifier" => self.named_text(node)?,
            _ => node,
        };
        let parts: Vec<_> = children(node).collect();
        (node.kind() == "tuple").then(|| self.tuple_in(&parts))?
    }

    /// `table[0, "a"]`: the same without parentheses.
    fn tuple_of(&mut self, nodes: &[Node<'t>]) -> Option<ElementKey> {
        // What is of numbers alone is rather a place in a matrix.
        if nodes.iter().all(|node| node.kind() == "integer") {
            return None;
        }
        self.tuple_in(nodes)
    }

    fn tuple_in(&mut self, nodes: &[Node<'t>]) -> Option<ElementKey> {
        let mut parts = Vec::new();
        for part in nodes {
            parts.push(match part.kind() {
                "integer" => self.text_of(*part).to_owned(),
                _ => format!("{:?}", self.constant_text(*part)?),
            });
        }
        Some(ElementKey::Text(self.builder.name(&format!("({})", parts.join(", ")))))
    }

    /// What holds a loop variable or pattern in a comprehension is declared in the innermost block.
    pub(super) fn declare_targets(&mut self, target: Node<'t>) {
        if target.kind() == "identifier" {
            let name = self.name_of(target);
            self.builder.declare(name);
            return;
        }
        if matches!(target.kind(), "attribute" | "subscript") {
            return;
        }
        for child in children(target) {
            self.declare_targets(child);
        }
    }

    pub(super) fn flow_either(&mut self, values: &[(Option<PlaceId>, ConditionId)], at: Position) -> Option<PlaceId> {
        if values.iter().all(|(value, _)| value.is_none()) {
            return None;
        }
        let either = self.builder.value(at);
        for (value, condition) in values {
            self.builder.flow_under(*condition, *value, either, at);
        }
        Some(either)
    }
}

fn is_pattern(target: Node<'_>) -> bool {
    matches!(target.kind(), "pattern_list" | "tuple_pattern" | "list_pattern")
}

/// Types of the language that others are written of.
fn is_builtin_type(name: &str) -> bool {
    matches!(
        name,
        "bool" | "bytes" | "dict" | "float" | "frozenset" | "int" | "list" | "set" | "str" | "tuple" | "type"
    )
}

/// Whether a constant is put under a key: `seen[user] = True`, `times[user] += 1`. What is there tells no more than which keys there are.
fn is_mark(target: Node<'_>) -> bool {
    let around = target.parent().filter(|around| around.kind().ends_with("assignment"));
    let right = around.and_then(|around| around.child_by_field_name("right"));
    right.is_some_and(is_constant)
}
