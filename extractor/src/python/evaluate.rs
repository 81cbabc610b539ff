//! What source computes from constants alone.
//!
//! ```python
//! LIMIT = 2
//! def level(name):
//!     return 3 if name == "high" else 1
//! most = level("high") + LIMIT      # 5: the call is worked out, and nothing else would come of it
//! ```
//!
//! Values are those of literals, displays and members of enumerations. A name is what it holds here, if that is one value. Names of the
//! file count only where that is asked for, and are noted, since somebody may set them.

use crate::tree::{Parts, children};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::truth::compared;
use super::value::{BUILTINS, SIZE_LIMIT, TEXT_METHODS, Value, built_in, called_on, part_under, shown};
use super::{Walker, names};
use crate::builtins::is_plain_class;
use crate::facts::constant::joined;
use crate::facts::{Constant, ContainerKind, ElementKey, Name};

/// How deep expressions are looked into.
const DEPTH_LIMIT: u8 = 12;

/// Most expressions and statements that are worked out for one answer.
pub(super) const STEP_LIMIT: u32 = 600;

/// Which names mean something besides those that are bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// Those of the function that is walked, and what containers hold here.
    Here,
    /// Those of that function, in a loop whose turns may change what containers hold.
    Turns,
    /// Those of the file alone.
    File,
}

/// A name of the file, or a class of it and a member of that.
pub(super) type Used<'t> = (&'t str, Option<&'t str>);

/// A value that a variable keeps, and what of the file it depends on.
pub(super) type Kept<'t> = (Value<'t>, Vec<Used<'t>>);

/// The names that are bound where something is worked out.
#[derive(Debug, Clone)]
pub(super) struct Bound<'t> {
    pub(super) names: FxHashMap<&'t str, Held<'t>>,
    outside: Outside,
    depth: u8,
}

/// What a name holds, and the name that was assigned last.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Held<'t> {
    pub(super) value: Option<Value<'t>>,
    pub(super) target: Option<Node<'t>>,
    /// Which name gave it, to a loop.
    pub(super) from: Option<Node<'t>>,
}

impl<'t> Bound<'t> {
    /// Where a function is walked.
    pub(super) fn here() -> Self {
        Self {
            names: FxHashMap::default(),
            outside: Outside::Here,
            depth: 0,
        }
    }

    /// Before the turns of a loop.
    pub(super) fn of_turns() -> Self {
        Self {
            outside: Outside::Turns,
            ..Self::here()
        }
    }

    fn of_file(depth: u8) -> Self {
        Self {
            names: FxHashMap::default(),
            outside: Outside::File,
            depth,
        }
    }

    pub(super) fn bind(&mut self, target: Node<'t>, name: &'t str, value: Option<Value<'t>>) {
        let (target, from) = (Some(target), None);
        self.names.insert(name, Held { value, target, from });
    }
}

impl<'t> Walker<'t> {
    /// What an expression comes to here, whatever happens, if that is one value.
    pub(super) fn value_of(&mut self, node: Node<'t>) -> Option<Value<'t>> {
        self.steps_left = STEP_LIMIT;
        self.work_out(node, &Bound::here(), 0)
    }

    /// What a condition comes to with what names of the file hold, as long as nobody sets them: those that the answer depends on.
    pub(super) fn truth_by_file(&mut self, condition: Node<'t>) -> Option<(bool, Vec<Used<'t>>)> {
        if self.file_flags.is_empty() && self.file_displays.is_empty() && self.class_constants.is_empty() {
            return None;
        }
        self.steps_left = STEP_LIMIT;
        self.flags_used = Some(Vec::new());
        let bound = match self.builder.at_file_level() {
            true => Bound::of_file(0),
            false => Bound::here(),
        };
        let truth = self.truth_on(condition, &bound, 0);
        let used = self.take_flags_used();
        Some((truth?, used))
    }

    fn take_flags_used(&mut self) -> Vec<Used<'t>> {
        let mut used = self.flags_used.take().unwrap_or_default();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The same as [`Self::value_of`] with what names of the file hold, and these names.
    fn value_by_file(&mut self, node: Node<'t>) -> Option<Kept<'t>> {
        self.steps_left = STEP_LIMIT;
        self.flags_used = Some(Vec::new());
        let value = self.work_out(node, &Bound::here(), 0);
        let used = self.take_flags_used();
        Some((value?, used))
    }

    /// What an expression comes to with names of the file that stand for one literal each.
    pub(super) fn value_by_constants(&mut self, node: Node<'t>) -> Option<Value<'t>> {
        let (value, used) = self.value_by_file(node)?;
        used.iter()
            .all(|(name, member)| match member {
                Some(member) => {
                    let told = self.class_constants.get(&(*name, *member));
                    told.is_some_and(|(literal, _)| super::file_constants::is_literal(*literal))
                }
                None => self.file_constants.contains_key(name),
            })
            .then_some(value)
    }

    /// The constant that a name of the file holds, as long as nobody sets one of them.
    pub(super) fn flag_of(&mut self, node: Node<'t>) -> Option<Constant> {
        self.steps_left = STEP_LIMIT;
        self.flags_used = Some(Vec::new());
        let value = self.work_out(node, &Bound::of_file(0), 0);
        self.flags_used = None;
        self.constant_of(&value?)
    }

    /// Whether a condition holds; one side of it may say so alone.
    pub(super) fn truth_on(&mut self, node: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<bool> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "parenthesized_expression" => self.truth_on(node.part(0)?, bound, depth + 1),
            "not_operator" => Some(!self.truth_on(node.child_by_field_name("argument")?, bound, depth + 1)?),
            "boolean_operator" => {
                let [left, right] = ["left", "right"].map(|side| {
                    let side = node.child_by_field_name(side)?;
                    self.truth_on(side, bound, depth + 1)
                });
                joined(!super::narrow::is_and(node), left, right)
            }
            _ => self.work_out(node, bound, depth)?.is_true(),
        }
    }

    /// The same as a constant that parameters and variables may be compared with.
    pub(super) fn constant_of(&mut self, value: &Value<'t>) -> Option<Constant> {
        Some(match value {
            Value::Nothing => Constant::Nothing,
            Value::Truth(truth) => Constant::Truth(*truth),
            Value::Number(number) => Constant::Number(i32::try_from(*number).ok()?),
            Value::Text(text) => self.builder.text_constant(text),
            Value::Member(class, member) => self.builder.text_constant(&format!("{class}.{member}")),
            Value::Items(_) | Value::Pairs(_) | Value::Given(_) => return None,
        })
    }

    #[inline(never)]
    pub(super) fn work_out(&mut self, node: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<Value<'t>> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        if depth > DEPTH_LIMIT {
            return None;
        }
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "none" => Some(Value::Nothing),
            "true" => Some(Value::Truth(true)),
            "false" => Some(Value::Truth(false)),
            "integer" => self.text_of(node).parse().ok().map(Value::Number),
            "string" => self.text_put_together(node, bound, depth),
            "parenthesized_expression" => self.work_out(node.part(0)?, bound, depth + 1),
            "identifier" => self.value_named(node, bound, depth),
            "attribute" => self.value_of_member(node, bound, depth),
            "not_operator" => {
                let inner = self.work_out(field("argument")?, bound, depth + 1)?;
                Some(Value::Truth(!inner.is_true()?))
            }
            "unary_operator" => {
                let number = self.work_out(field("argument")?, bound, depth + 1)?.number()?;
                let is_minus = self.text_of(node).starts_with('-');
                is_minus.then(|| Some(Value::Number(number.checked_neg()?)))?
            }
            "boolean_operator" => {
                let left = self.work_out(field("left")?, bound, depth + 1);
                let decides = !super::narrow::is_and(node);
                match left? {
                    left if left.is_true()? == decides => Some(left),
                    _ => self.work_out(field("right")?, bound, depth + 1),
                }
            }
            "comparison_operator" => {
                let (operands, operators) = compared(node);
                // What is called twice may answer otherwise.
                if operators.len() > 1 && operands.iter().any(|operand| operand.kind() == "call") {
                    return None;
                }
                let mut left = self.work_out(*operands.first()?, bound, depth + 1)?;
                for (operator, right) in operators.into_iter().zip(&operands[1..]) {
                    let right = self.work_out(*right, bound, depth + 1)?;
                    if !left.compared(operator, &right)? {
                        return Some(Value::Truth(false));
                    }
                    left = right;
                }
                Some(Value::Truth(true))
            }
            "conditional_expression" => {
                let condition = self.work_out(node.part(1)?, bound, depth + 1)?;
                let taken = if condition.is_true()? { 0 } else { 2 };
                self.work_out(node.part(taken)?, bound, depth + 1)
            }
            "binary_operator" => {
                let left = self.work_out(field("left")?, bound, depth + 1)?;
                let right = self.work_out(field("right")?, bound, depth + 1)?;
                left.combined(self.text_of(field("operator")?), right)
            }
            "list" | "tuple" | "set" | "expression_list" => {
                if node.part_count() > SIZE_LIMIT || children(node).any(|part| part.kind().ends_with("splat")) {
                    return None;
                }
                let parts = children(node).filter(|part| part.kind() != "comment");
                let items = parts.map(|part| self.work_out(part, bound, depth + 1).unwrap_or(Value::Given(part)));
                Some(Value::Items(items.collect()))
            }
            "dictionary" => {
                let mut pairs: Vec<(Value<'t>, Value<'t>)> = Vec::new();
                if node.part_count() > SIZE_LIMIT {
                    return None;
                }
                for pair in children(node).filter(|part| part.kind() != "comment") {
                    let (key, held) = (pair.child_by_field_name("key")?, pair.child_by_field_name("value")?);
                    let key = self.work_out(key, bound, depth + 1)?;
                    let held = self.work_out(held, bound, depth + 1).unwrap_or(Value::Given(held));
                    pairs.retain(|(known, _)| *known != key);
                    pairs.push((key, held));
                }
                Some(Value::Pairs(pairs))
            }
            "subscript" => {
                let of = field("value")?;
                let key = self.work_out(field("subscript")?, bound, depth + 1)?;
                if let Some(class) = self.enumeration(of) {
                    let name = key.text()?;
                    return self.member_where(class, |member, _| member == name);
                }
                if let Some(part) = self.part_here(of, &key, bound) {
                    return part;
                }
                let of = self.work_out(of, bound, depth + 1)?;
                part_under(&of, &key).filter(|part| !matches!(part, Value::Given(_)))
            }
            "call" => self.value_of_call(node, bound, depth),
            _ => None,
        }
    }

    /// A text, with what is put in it.
    fn text_put_together(&mut self, node: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<Value<'t>> {
        if super::truth::is_bytes(self.text_of(node)) {
            return None;
        }
        let mut text = String::new();
        for part in children(node) {
            match part.kind() {
                // What it escapes is not told.
                "string_content" if self.text_of(part).contains(['\\', '{', '}']) => return None,
                "escape_sequence" | "escape_interpolation" => return None,
                "string_content" => text.push_str(self.text_of(part)),
                "interpolation" => {
                    // `f"{name=}"` says the name, too.
                    let is_plain = part.part_count() == 1 && !self.text_of(part).contains('=');
                    let inner = part.part(0).filter(|_| is_plain)?;
                    text.push_str(&shown(&self.work_out(inner, bound, depth + 1)?)?);
                }
                _ => {}
            }
        }
        (text.len() <= SIZE_LIMIT).then_some(Value::Text(text))
    }

    fn value_named(&mut self, node: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<Value<'t>> {
        let text = self.text_of(node);
        if let Some(held) = bound.names.get(text) {
            return held.value.clone().filter(|value| !matches!(value, Value::Given(_)));
        }
        if bound.outside != Outside::File {
            let name = self.name_of(node);
            let is_own = self.builder.is_own_variable(name);
            if is_own || self.is_bound_once_around(node, name) {
                let place = match is_own {
                    true => self.builder.only_definition(name)?,
                    false => self.builder.sole_definition(name)?,
                };
                if let Some(known) = self.values.get(&place) {
                    // What has parts may have got others by the time that a function inside is called.
                    let is_one = !known.is_container() && !matches!(known, Value::Given(_));
                    return (is_own || is_one).then(|| known.clone());
                }
                if let Some((known, names)) = self.values_by_file.get(&place)
                    && let Some(used) = self.flags_used.as_mut()
                {
                    used.extend(names);
                    return Some(known.clone());
                }
                let literal = self.constants.get(&place).copied()?;
                return super::file_constants::is_constant(literal)
                    .then(|| self.work_out(literal, &Bound::of_file(bound.depth), depth + 1))?;
            }
            if !self.builder.is_of_file(name) {
                return None;
            }
        }
        self.flags_used.as_ref()?;
        let flags = self.file_flags.get(text).or_else(|| self.file_displays.get(text));
        let flag = *flags?;
        let value = self.work_out(flag, &Bound::of_file(bound.depth), depth + 1)?;
        self.flags_used.as_mut()?.push((text, None));
        Some(value)
    }

    /// Whether a function around the one that a name stands in binds it, and once: all see what that gave.
    fn is_bound_once_around(&mut self, node: Node<'t>, name: Name) -> bool {
        if self.builder.is_of_file(name) {
            return false;
        }
        let (text, mut around) = (self.text_of(node), node.parent());
        while let Some(function) = around {
            around = function.parent();
            let Some(body) = function
                .child_by_field_name("body")
                .filter(|_| function.kind() == "function_definition")
            else {
                continue;
            };
            let source = self.text;
            let bound = self.bound_around.entry(body.id());
            let bound = bound.or_insert_with(|| names::times_bound(body, source));
            if let Some(times) = bound.get(text).copied() {
                let mut lines = self.text_of(body).lines();
                let is_assigned_inside = lines.any(|line| {
                    let names = line.split_once("nonlocal ").map_or("", |(_, names)| names);
                    names.split([',', ';', '#']).any(|name| name.trim() == text)
                });
                return times == 1 && !is_assigned_inside;
            }
        }
        false
    }

    /// `Color.RED`, `Color.RED.value`, `member.name`.
    fn value_of_member(&mut self, node: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<Value<'t>> {
        let (object, member) = (
            node.child_by_field_name("object")?,
            node.child_by_field_name("attribute")?,
        );
        let member = self.text_of(member);
        let is_own = bound.names.contains_key(self.text_of(object));
        if let Some((literal, is_member)) = self.class_constant(node).filter(|_| !is_own) {
            if is_member {
                return Some(Value::Member(self.text_of(object), member));
            }
            // Somebody may set it.
            let class = self.text_of(object);
            self.flags_used.as_mut()?.push((class, Some(member)));
            return self.work_out(literal, &Bound::of_file(bound.depth), depth + 1);
        }
        if !matches!(member, "value" | "name") {
            return None;
        }
        let Value::Member(class, own) = self.work_out(object, bound, depth + 1)? else {
            return None;
        };
        if member == "name" {
            return Some(Value::Text(own.to_owned()));
        }
        let (literal, _) = self.class_constants.get(&(class, own)).copied()?;
        self.work_out(literal, &Bound::of_file(bound.depth), depth + 1)
    }

    /// The enumeration of this file that a name stands for.
    fn enumeration(&mut self, node: Node<'t>) -> Option<&'t str> {
        let name = (node.kind() == "identifier").then(|| self.text_of(node))?;
        self.enumerations.contains_key(name).then_some(name)
    }

    /// The first member for which something is so.
    fn member_where(&mut self, class: &'t str, is_it: impl Fn(&str, &Value<'t>) -> bool) -> Option<Value<'t>> {
        for member in self.enumerations.get(class)?.clone() {
            let (literal, is_member) = self.class_constants.get(&(class, member)).copied()?;
            let value = self.work_out(literal, &Bound::of_file(0), DEPTH_LIMIT / 2);
            let value = value.unwrap_or(Value::Given(literal));
            if is_it(member, &value) {
                // One of numbers or texts is what it stands for.
                return Some(if is_member { Value::Member(class, member) } else { value });
            }
        }
        None
    }

    #[inline(never)]
    fn value_of_call(&mut self, node: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<Value<'t>> {
        let function = node.child_by_field_name("function")?;
        let arguments = node.child_by_field_name("arguments")?;
        if function.kind() == "attribute" {
            let method = self.text_of(function.child_by_field_name("attribute")?);
            if !TEXT_METHODS.contains(&method) && !matches!(method, "get" | "keys" | "values" | "items") {
                return None;
            }
            let object = function.child_by_field_name("object")?;
            if let ("get", Some(key)) = (method, arguments.part(0))
                && let Some(key) = self.work_out(key, bound, depth + 1)
                && let Some(Some(part)) = self.part_here(object, &key, bound)
            {
                return Some(part);
            }
            let of = self.work_out(object, bound, depth + 1)?;
            let given = self.all_given(arguments, bound, depth)?;
            return called_on(&of, method, &given);
        }
        if function.kind() != "identifier" {
            return None;
        }
        let text = self.text_of(function);
        if bound.names.contains_key(text) {
            return None;
        }
        let name = self.name_of(function);
        if let Some(class) = self.enumeration(function) {
            let given = self.all_given(arguments, bound, depth)?;
            let [given] = given.as_slice() else { return None };
            return self.member_where(class, |_, value| value.equals(given) == Some(true));
        }
        if let Some(definition) = self.file_functions.get(text).copied() {
            let is_seen = bound.outside == Outside::File || self.builder.is_of_file(name);
            return is_seen.then(|| self.value_returned(definition, arguments, bound, depth))?;
        }
        if text == "isinstance" && !self.builder.is_bound(name) {
            return self.is_of_class(arguments, bound, depth).map(Value::Truth);
        }
        if !BUILTINS.contains(&text) || self.builder.is_bound(name) {
            return None;
        }
        if text == "len"
            && let Some(length) = self.length_here(arguments, bound)
        {
            return Some(Value::Number(length as i64));
        }
        let given = self.all_given(arguments, bound, depth)?;
        built_in(text, &given)
    }

    /// What `len(items)` gives, where the parts of `items` are told here.
    fn length_here(&mut self, arguments: Node<'t>, bound: &Bound<'t>) -> Option<usize> {
        let given = arguments.part(0).filter(|given| given.kind() == "identifier")?;
        (bound.outside == Outside::Here).then(|| self.parts_told(given))?
    }

    /// A part of the container of a variable, where its parts are told here: none where that part is no constant.
    fn part_here(&mut self, of: Node<'t>, key: &Value<'t>, bound: &Bound<'t>) -> Option<Option<Value<'t>>> {
        if of.kind() != "identifier" || bound.outside != Outside::Here {
            return None;
        }
        let key = match key {
            Value::Text(text) => ElementKey::Text(self.builder.name(text)),
            Value::Number(index) => super::containers::position_key(*index)?,
            _ => return None,
        };
        let name = self.name_of(of);
        let (_, shape) = self.builder.shaped(name)?;
        let part = shape.find(key).map(|index| shape.parts[index].1);
        Some(
            part.and_then(|part| part.constant)
                .and_then(|constant| self.value_of_constant(constant)),
        )
    }

    fn value_of_constant(&self, constant: Constant) -> Option<Value<'t>> {
        Some(match constant {
            Constant::Nothing => Value::Nothing,
            Constant::Truth(truth) => Value::Truth(truth),
            Constant::Number(number) => Value::Number(number.into()),
            Constant::Text(text) => Value::Text(self.builder.facts.text(text).to_owned()),
            _ => return None,
        })
    }

    /// How many parts are in the container of a variable, where they are told here.
    pub(super) fn parts_told(&mut self, variable: Node<'t>) -> Option<usize> {
        let name = self.name_of(variable);
        let (_, shape) = self.builder.shaped(name)?;
        let is_counted = !matches!(shape.kind, ContainerKind::Generator | ContainerKind::Set);
        is_counted.then_some(shape.parts.len())
    }

    /// `isinstance(value, (int, str))`, of a value that is known and classes of the language.
    fn is_of_class(&mut self, arguments: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<bool> {
        let (value, asked) = (arguments.part(0)?, arguments.part(1)?);
        let own = match self.work_out(value, bound, depth + 1)? {
            Value::Nothing => "NoneType",
            Value::Truth(_) => "bool",
            Value::Number(_) => "int",
            Value::Text(_) => "str",
            Value::Pairs(_) => "dict",
            Value::Member(..) | Value::Items(_) | Value::Given(_) => return None,
        };
        let asked: Vec<_> = match asked.kind() {
            "tuple" => children(asked).collect(),
            _ => vec![asked],
        };
        let mut answer = Some(false);
        for class in asked {
            let name = self.name_of(class);
            let text = self.text_of(class);
            let is_known = is_plain_class(text) && !bound.names.contains_key(text) && !self.builder.is_bound(name);
            let is_it = is_known.then_some(own == text || (own, text) == ("bool", "int"));
            answer = joined(true, answer, is_it);
        }
        answer
    }

    fn all_given(&mut self, arguments: Node<'t>, bound: &Bound<'t>, depth: u8) -> Option<Vec<Value<'t>>> {
        let arguments = children(arguments).filter(|argument| argument.kind() != "comment");
        arguments
            .map(|argument| self.work_out(argument, bound, depth + 1))
            .collect()
    }

    /// What a function of the file gives for arguments that are known.
    fn value_returned(
        &mut self,
        definition: Node<'t>,
        arguments: Node<'t>,
        bound: &Bound<'t>,
        depth: u8,
    ) -> Option<Value<'t>> {
        if bound.depth >= 3 || super::statement::is_async(definition) || self.text_of(definition).contains("yield") {
            return None;
        }
        let mut inner = Bound::of_file(bound.depth + 1);
        let mut given = Vec::new();
        for argument in children(arguments).filter(|argument| argument.kind() != "comment") {
            match argument.kind() {
                "keyword_argument" => {
                    let (name, value) = (
                        argument.child_by_field_name("name")?,
                        argument.child_by_field_name("value")?,
                    );
                    let value = self.work_out(value, bound, depth + 1)?;
                    inner.bind(name, self.text_of(name), Some(value));
                }
                kind if kind.ends_with("splat") => return None,
                _ => given.push(self.work_out(argument, bound, depth + 1)?),
            }
        }
        let mut given = given.into_iter();
        for parameter in children(definition.child_by_field_name("parameters")?) {
            let (name, default) = match parameter.kind() {
                "identifier" => (parameter, None),
                "typed_parameter" => (parameter.part(0)?, None),
                "default_parameter" | "typed_default_parameter" => (
                    parameter.child_by_field_name("name")?,
                    parameter.child_by_field_name("value"),
                ),
                _ => return None,
            };
            let text = (name.kind() == "identifier").then(|| self.text_of(name))?;
            let value = match given.next() {
                Some(value) => value,
                None if inner.names.contains_key(text) => continue,
                None => self.work_out(default?, &Bound::of_file(bound.depth), depth + 1)?,
            };
            inner.bind(name, text, Some(value));
        }
        if given.next().is_some() {
            return None;
        }
        self.returned_by(definition.child_by_field_name("body")?, inner)
    }

    /// A name holds a value from here on, as long as nobody sets names of the file.
    pub(super) fn keep_value(&mut self, name: Name, value: Option<Kept<'t>>) {
        let Some(((value, used), place)) = value.zip(self.builder.only_definition(name)) else {
            return;
        };
        match used.is_empty() {
            true => _ = self.values.insert(place, value),
            false => _ = self.values_by_file.insert(place, (value, used)),
        }
    }

    /// The value that a name holds to which an expression is assigned.
    pub(super) fn value_to_keep(&mut self, right: Node<'t>) -> Option<Kept<'t>> {
        let is_telling = matches!(
            right.kind(),
            "attribute"
                | "binary_operator"
                | "boolean_operator"
                | "call"
                | "comparison_operator"
                | "conditional_expression"
                | "identifier"
                | "not_operator"
                | "parenthesized_expression"
                | "subscript"
                | "unary_operator"
        );
        let is_telling = is_telling || right.kind() == "string" && right.part_count() > 1;
        if !is_telling || self.builder.at_file_level() || self.is_shared_with_closures(right) {
            return None;
        }
        self.value_by_file(right)
            .filter(|(value, _)| !value.is_container() && !matches!(value, Value::Given(_)))
    }

    /// The same, where an operator joins it to what the name holds.
    pub(super) fn value_joined(&mut self, left: Node<'t>, operator: &str, right: Node<'t>) -> Option<Kept<'t>> {
        if left.kind() != "identifier" || self.builder.at_file_level() || self.is_shared_with_closures(right) {
            return None;
        }
        let ((old, mut used), (value, more)) = (self.value_by_file(left)?, self.value_by_file(right)?);
        used.extend(more);
        let joined = old.combined(operator, value).filter(|value| !value.is_container())?;
        Some((joined, used))
    }

    /// Whether functions inside of the one around assign its variables.
    pub(super) fn is_shared_with_closures(&self, node: Node<'t>) -> bool {
        if !self.has_nonlocal {
            return false;
        }
        let (mut around, mut outermost) = (node.parent(), node);
        while let Some(node) = around {
            if node.kind() == "function_definition" {
                outermost = node;
            }
            around = node.parent();
        }
        self.text_of(outermost).contains("nonlocal ")
    }
}
