//! Expressions: the place that an expression's value is in, or none for a literal.
//!
//! `price * 2 if price else base["net"]` is one place that `price` (by a computation) and the element `"net"` of `base` flow
//! into; the condition is walked, and flows nowhere.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::Node;

use super::{Walker, end_line, position};
use crate::facts::{
    Argument, ArgumentKind, ContainerKind, ElementKey, Function, FunctionKind, Name, Object, PlaceId, PlaceKind,
    Position, TypeExpression, TypeId,
};

impl<'t> Walker<'t> {
    /// Walks an expression; gives the place of its value.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Option<PlaceId> {
        if !self.builder.enter(position(node).line) {
            return None;
        }
        let place = self.expression_inside(node);
        if !cannot_fail(node) {
            self.builder.may_fail();
        }
        self.builder.exit();
        place
    }

    fn expression_inside(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                Some(match self.is_stepped(node) {
                    true => self.builder.see_name(name, at),
                    false => self.builder.use_name(name, at),
                })
            }
            "attribute" => self.attribute(node),
            "call" => {
                let given = self.call(node);
                self.dict_of_pairs(node).or(given)
            }
            "subscript" => {
                let part = self.subscript(node);
                part.into_iter().for_each(|part| self.builder.give_part(part));
                part
            }
            "string" => self.string(node),
            // What a slice is made of chooses which parts are taken.
            "slice" if children(node).any(|bound| !is_number(bound)) => self.derived_from_children(node),
            "concatenated_string" => self.derived_from_children(node),
            "binary_operator" => self.binary_operator(node),
            "boolean_operator" => self.boolean_operator(node),
            "comparison_operator" => self.comparison(node),
            "not_operator" => {
                let value = node
                    .child_by_field_name("argument")
                    .and_then(|argument| self.condition(argument));
                self.builder.outcome(&[value], at)
            }
            "unary_operator" => {
                let value = node
                    .child_by_field_name("argument")
                    .and_then(|argument| self.expression(argument))?;
                let method = match node.child_by_field_name("operator").map(|operator| operator.kind()) {
                    Some("-") => "__neg__",
                    Some("~") => "__invert__",
                    _ => "__pos__",
                };
                Some(self.builder.implicit_call(value, method, Vec::new(), at))
            }
            "conditional_expression" => self.conditional_expression(node),
            "named_expression" => {
                let value = node
                    .child_by_field_name("value")
                    .and_then(|value| self.expression(value));
                let target = node.child_by_field_name("name")?;
                let place = self.assign(target, value, at);
                place.into_iter().for_each(|place| self.builder.give_away(place));
                place
            }
            "parenthesized_expression" | "type" => node.part(0).and_then(|inner| self.expression(inner)),
            "await" => {
                let value = node.part(0).and_then(|inner| self.expression(inner))?;
                self.builder.implicit_call(value, "__await__", Vec::new(), at);
                Some(value)
            }
            "lambda" => Some(self.lambda(node)),
            "list" => Some(self.sequence(node, ContainerKind::List)),
            "tuple" | "expression_list" => Some(self.sequence(node, ContainerKind::Tuple)),
            "set" => Some(self.sequence(node, ContainerKind::Set)),
            "dictionary" => Some(self.dictionary(node)),
            "list_comprehension" => Some(self.comprehension(node, ContainerKind::List)),
            "set_comprehension" => Some(self.comprehension(node, ContainerKind::Set)),
            "dictionary_comprehension" => Some(self.comprehension(node, ContainerKind::Map)),
            "generator_expression" => Some(self.comprehension(node, ContainerKind::Generator)),
            "yield" => self.yield_expression(node),
            "assignment" => self.assignment(node),
            "integer" | "float" | "true" | "false" | "none" | "ellipsis" | "comment" => None,
            "list_splat" | "dictionary_splat" => node.part(0).and_then(|inner| self.expression(inner)),
            _ => {
                for child in children(node) {
                    self.expression(child);
                }
                None
            }
        }
    }

    /// `left or right`.
    fn boolean_operator(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        let left_node = node.child_by_field_name("left")?;
        let left = self.expression(left_node);
        self.ask_truth(left_node, left);
        let outcome = self.outcome_of(left_node);
        let before = self.builder.snapshot();
        self.assume_all(left_node, !super::narrow::is_and(node));
        let if_left = self.builder.condition();
        self.builder.restore(before.clone());
        self.narrow(left_node, super::narrow::is_and(node));
        let right = node
            .child_by_field_name("right")
            .and_then(|right| self.expression(right));
        let if_right = self.builder.condition();
        // `"x" or y` is "x", `None or y` is `y`.
        let goes_on = outcome.map(|is_true| is_true == super::narrow::is_and(node));
        if goes_on != Some(true) {
            self.builder.merge(before);
        }
        match goes_on {
            Some(true) => right,
            Some(false) => left,
            None => self.flow_either(&[(left, if_left), (right, if_right)], at),
        }
    }

    /// `body if condition else alternative`.
    fn conditional_expression(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        let parts: Vec<_> = children(node).collect();
        let [body, condition, alternative] = parts.as_slice() else {
            return None;
        };
        let tested = self.branch_on(*condition);
        let outcome = self.outcome_of(*condition);
        let before = self.builder.snapshot();
        self.narrow(*condition, true);
        let body = (self.expression(*body), self.builder.condition());
        let after_body = self.builder.snapshot();
        self.builder.restore(before);
        self.narrow(*condition, false);
        let alternative = (self.expression(*alternative), self.builder.condition());
        self.builder.merge(after_body);
        match outcome {
            Some(true) => body.0,
            Some(false) => alternative.0,
            None => {
                let either = self.flow_either(&[body, alternative], at);
                let either = either.or_else(|| tested.map(|_| self.builder.value(at)));
                either
                    .into_iter()
                    .for_each(|either| self.builder.test(tested, either, at));
                either
            }
        }
    }

    /// `row["k"]`, `xs[1:]`.
    pub(super) fn subscript(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        if let Some(marker) = self.marker_in(node) {
            return self.expression(marker);
        }
        if let Some(module) = self.module_in_table(node) {
            return Some(module);
        }
        if let Some((base, member)) = self.field_by_name(node) {
            return Some(self.builder.load(base, member, at));
        }
        if let Some(found) = self.field_by_key(node) {
            return Some(found);
        }
        if let Some(part) = self.column_of_rows(node) {
            return part;
        }
        self.put_missing(node);
        if let Some(part) = self.part_or_missing(node) {
            return Some(part);
        }
        if let Some(rows) = self.rows_of(node) {
            return rows;
        }
        if let Some(columns) = self.columns_of(node) {
            return columns;
        }
        let base = node.child_by_field_name("value").and_then(|value| self.look(value));
        if let Some(global) = self.named_global(node) {
            return Some(global);
        }
        let (key, computed) = self.subscript_key(node);
        let is_slice = node
            .child_by_field_name("subscript")
            .is_some_and(|index| index.kind() == "slice");
        let start = node
            .child_by_field_name("subscript")
            .and_then(|slice| self.slice_range(slice));
        if let Some(part) = base.filter(|_| is_slice).and_then(|base| self.known_slice(base, node)) {
            return Some(part);
        }
        base.map(|base| match is_slice {
            true => {
                let rest = self.slice(base, start, at);
                self.builder.test(computed, rest, at);
                rest
            }
            false => {
                let part = self.builder.element_load(base, key, at);
                self.builder.index_of_load(computed);
                self.builder.test(computed, part, at);
                computed
                    .into_iter()
                    .for_each(|key| self.may_raise_with("KeyError", key, at));
                part
            }
        })
    }

    /// `xs[1:]`: some of the parts, at other positions.
    fn slice(&mut self, base: PlaceId, range: Option<(i32, Option<u32>)>, at: Position) -> PlaceId {
        let rest = self.builder.object(Object::Container(ContainerKind::List), at);
        // Of a text it is a text.
        self.builder.derive(Some(base), rest, at);
        match range {
            Some((start, stop)) => {
                self.builder.copy_parts(base, rest, -start, Vec::new(), at);
                self.builder.stop_parts(stop);
            }
            None => {
                let part = self.builder.element_load(base, ElementKey::Any, at);
                self.builder.element_store(rest, ElementKey::Any, Some(part), at);
            }
        }
        rest
    }

    /// Where a slice without a step begins, if that is a constant, and where it ends.
    fn slice_range(&self, slice: Node<'t>) -> Option<(i32, Option<u32>)> {
        let text = self.text_of(slice);
        let (start, rest) = text.split_once(':')?;
        let start = if start.trim().is_empty() { "0" } else { start.trim() };
        let start = start.parse().ok().filter(|start| *start >= 0 && !rest.contains(':'))?;
        Some((start, rest.trim().parse().ok()))
    }

    fn attribute(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let object = node.child_by_field_name("object")?;
        let member = node.child_by_field_name("attribute")?;
        let name = self.name_of(member);
        if let Some((base, class)) = self.super_call(object) {
            let loaded = self.builder.super_load(base, class, name, position(member));
            self.note_super(object);
            return Some(loaded);
        }
        let base = match object.kind() {
            // Methods of literals: `", ".join(xs)`.
            _ if self.is_text(object) => {
                let text = self.expression(object);
                let str_type = self.builder.name("str");
                let place = self.builder.object(Object::Builtin(str_type), position(object));
                self.builder.derive(text, place, position(object));
                place
            }
            // A constant has methods, too.
            _ => match self.expression(object) {
                Some(base) => base,
                None => self.builder.value(position(object)),
            },
        };
        if self.text_of(member) == "__dict__" {
            let around = node.parent().and_then(|around| around.child_by_field_name("attribute"));
            let is_written =
                around.is_some_and(|method| matches!(self.text_of(method), "update" | "setdefault" | "pop" | "clear"));
            self.builder.use_computed(base, is_written, position(member));
            if self.is_taken_whole(node)
                && let Some(members) = self.members_of(base, node)
            {
                return Some(members);
            }
        }
        Some(self.builder.load(base, name, position(member)))
    }

    /// Whether an expression is a text literal, or a variable of this function that is one.
    fn is_text(&mut self, node: Node<'t>) -> bool {
        match node.kind() {
            "string" | "concatenated_string" => true,
            "parenthesized_expression" => node.part(0).is_some_and(|inner| self.is_text(inner)),
            "binary_operator" => !["left", "right"].into_iter().any(|side| {
                let side = node.child_by_field_name(side);
                side.is_none_or(|side| side.kind() == "identifier" || !self.is_text(side))
            }),
            "identifier" => {
                let name = self.name_of(node);
                let is_own = self.builder.is_own_variable(name);
                is_own && self.named_text(node).is_some_and(|text| text.kind() == "string")
            }
            _ => false,
        }
    }

    fn string(&mut self, node: Node<'t>) -> Option<PlaceId> {
        self.note_dotted(node);
        let (mut parts, mut holes) = (Vec::new(), Vec::new());
        for interpolation in children(node).filter(|part| part.kind() == "interpolation") {
            let inner = interpolation
                .child_by_field_name("expression")
                .or_else(|| interpolation.part(0));
            let value = inner.and_then(|inner| self.look(inner));
            holes.extend(inner.map(|inner| (inner, value)));
            let format = interpolation.child_by_field_name("format_specifier");
            for width in format.into_iter().flat_map(children) {
                self.expression(width);
            }
            let format = format.map_or("", |format| self.text_of(format));
            if super::format::writes_nothing(format) {
                continue;
            }
            // `{x!r}`, and `{x=}` where nothing else is asked for.
            let conversion = interpolation.child_by_field_name("type_conversion");
            let conversion = conversion.map_or("", |conversion| self.text_of(conversion));
            let mut cursor = interpolation.walk();
            let shows_source = interpolation.children(&mut cursor).any(|child| child.kind() == "=")
                && conversion.is_empty()
                && interpolation.child_by_field_name("format_specifier").is_none();
            let at = position(interpolation);
            let asked = match conversion {
                _ if shows_source => "__repr__",
                "" => "__format__",
                "!r" | "!a" => "__repr__",
                _ => "__str__",
            };
            let given = match asked {
                "__format__" => vec![self.format_given(format, at)],
                _ => Vec::new(),
            };
            parts.push(value.map(|value| self.builder.implicit_call(value, asked, given, at)));
        }
        let text = self.builder.derived(&parts, position(node))?;
        self.note_composed(node, text, &holes);
        Some(text)
    }

    /// `:>8`, as `__format__` gets it.
    fn format_given(&mut self, format: &str, at: Position) -> Argument {
        let text = format.strip_prefix(':').unwrap_or(format);
        let is_known = !text.contains('{');
        Argument {
            kind: ArgumentKind::Positional,
            place: None,
            text: is_known.then(|| self.builder.name(text)),
            constant: is_known.then(|| self.builder.text_constant(text)),
            position: at,
        }
    }

    fn derived_from_children(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let parts: Vec<_> = children(node).map(|child| self.expression(child)).collect();
        self.builder.derived(&parts, position(node))
    }

    fn binary_operator(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let left_node = node.child_by_field_name("left")?;
        let right_node = node.child_by_field_name("right")?;
        let left = self.look(left_node);
        let is_text = matches!(left_node.kind(), "string" | "concatenated_string");
        let operator = node.child_by_field_name("operator").map(|operator| operator.kind());
        if operator == Some("%")
            && let Some(mut written) = self.written_by_percent(left_node, right_node)
        {
            written.extend(left);
            let written: Vec<_> = written.into_iter().map(Some).collect();
            return self.builder.derived(&written, position(node));
        }
        let is_percent = is_text && operator == Some("%");
        let right = match right_node.kind() {
            // `"%s, %s" % (a, b)` takes the parts.
            "tuple" | "dictionary" if is_text => self.operands(right_node),
            // `"%s" % user` shows the user.
            _ if is_percent && is_object_like(right_node) => {
                let shown = self.expression(right_node);
                shown.map(|shown| {
                    self.builder
                        .implicit_call(shown, "__str__", Vec::new(), position(right_node))
                })
            }
            _ => self.look(right_node),
        };
        if let (Some(left), Some(operator)) = (left, operator)
            && let Some(shape) = self.joined(left, operator, right, right_node)
        {
            return Some(self.builder.make(shape, position(node)));
        }
        let method = node
            .child_by_field_name("operator")
            .and_then(|operator| operator_method(operator.kind()));
        let at = position(node);
        // `__radd__` and its like are asked when the left side has no answer.
        let reflected = right
            .zip(method)
            .filter(|_| is_object_like(right_node))
            .map(|(right, method)| {
                let argument = Self::positional(left, left_node);
                let method = method.replacen("__", "__r", 1);
                self.builder.implicit_call(right, &method, vec![argument], at)
            });
        let sum = match left.zip(method) {
            Some((left, method)) => {
                let argument = Self::positional(right, right_node);
                self.builder.implicit_call(left, method, vec![argument], at)
            }
            None => self.builder.derived(&[left, right], at)?,
        };
        self.flow_into(reflected, sum, at);
        if operator == Some("+") {
            self.note_composed(node, sum, &[(left_node, left), (right_node, right)]);
        }
        Some(sum)
    }

    /// The value of a condition, which is asked whether it is true.
    pub(super) fn condition(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let value = self.look(node)?;
        self.ask_truth(node, Some(value));
        Some(value)
    }

    /// A condition by which control takes one way or another.
    pub(super) fn branch_on(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let value = self.condition(node);
        self.builder.decide(value, position(node));
        value
    }

    /// Whether it is true, a value answers by a method of its own.
    fn ask_truth(&mut self, node: Node<'t>, value: Option<PlaceId>) {
        if let Some(value) = value.filter(|_| is_object_like(node)) {
            self.builder
                .implicit_call(value, "__bool__", Vec::new(), position(node));
        }
    }

    /// `a < b < c`, `a in b`: the outcome depends on all of them.
    fn comparison(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        let operands: Vec<_> = children(node).collect();
        let mut cursor = node.walk();
        let operators: Vec<_> = node
            .children_by_field_name("operators", &mut cursor)
            .map(|operator| operator.kind())
            .collect();
        let values: Vec<_> = operands.iter().map(|operand| self.look(*operand)).collect();
        let (mut answers, mut sought) = (Vec::new(), Vec::new());
        for (index, operator) in operators.iter().enumerate() {
            let (Some(left), Some(right)) = (operands.get(index), operands.get(index + 1)) else {
                break;
            };
            if matches!(*operator, "in" | "not in")
                && let Some(text) = self.constant_text(*left)
            {
                sought.push((self.builder.name(&text), values[index + 1], position(*left)));
            }
            let (method, swapped) = match *operator {
                "==" => ("__eq__", false),
                "!=" | "<>" => ("__ne__", false),
                "<" => ("__lt__", false),
                "<=" => ("__le__", false),
                ">" => ("__gt__", false),
                ">=" => ("__ge__", false),
                "in" | "not in" => ("__contains__", true),
                _ => continue,
            };
            let (receiver, argument) = if swapped {
                (values[index + 1], Self::positional(values[index], *left))
            } else {
                (values[index], Self::positional(values[index + 1], *right))
            };
            // What is sought among values is compared with each.
            if swapped
                && matches!(right.kind(), "tuple" | "list")
                && let Some(sought) = values[index].filter(|_| is_object_like(*left))
            {
                answers.push(Some(self.builder.implicit_call(sought, "__eq__", Vec::new(), at)));
            }
            let receiver_node = if swapped { *right } else { *left };
            if let Some(receiver) = receiver.filter(|_| is_object_like(receiver_node)) {
                answers.push(Some(self.builder.implicit_call(receiver, method, vec![argument], at)));
            }
        }
        let outcome = self.builder.outcome(&values, at);
        for (key, base, at) in sought {
            self.builder.key_sought(key, (base, outcome), at);
        }
        if let Some(outcome) = outcome {
            // What a class answers with need not be a truth: `User.name == "x"` is a condition of a query.
            for answer in answers {
                self.builder.flow(answer, outcome, How::Assign, at);
            }
        }
        outcome
    }

    /// One value computed from all parts of a display.
    fn operands(&mut self, display: Node<'t>) -> Option<PlaceId> {
        let mut parts = Vec::new();
        for item in children(display) {
            let value = item.child_by_field_name("value").unwrap_or(item);
            let place = self.expression(value);
            parts.push(place.map(|place| {
                self.builder
                    .implicit_call(place, "__str__", Vec::new(), position(value))
            }));
        }
        self.builder.derived(&parts, position(display))
    }

    fn lambda(&mut self, node: Node<'t>) -> PlaceId {
        let at = position(node);
        let name = self.builder.name("<lambda>");
        let signature = node
            .child_by_field_name("parameters")
            .map_or("", |parameters| self.text_of(parameters));
        let defaults = self.default_values(node.child_by_field_name("parameters"));
        let function = Function {
            name,
            kind: FunctionKind::Closure,
            parent: Some(self.builder.function()),
            owner: None,
            receiver_type: None,
            receiver: None,
            parameters: Vec::new(),
            results: Vec::new(),
            position: at,
            end_line: end_line(node),
            signature: crate::facts::builder::one_line(&format!("lambda {signature}")),
            doc: String::new(),
            binding: Default::default(),
            is_abstract: false,
            always_raises: false,
            looks_at_raised: false,
            decorated: false,
            test: self.test,
        };
        let id = self.builder.open_function(function);
        self.methods.push(None);
        self.parameters(node.child_by_field_name("parameters"), defaults, false);
        let result = self.builder.place(PlaceKind::Result, name, at);
        self.builder.function_mut().results.push(result);
        if let Some(body) = node.child_by_field_name("body") {
            let value = self.expression(body);
            self.return_value(value, body);
        }
        self.methods.pop();
        self.builder.close_function();
        self.builder.object(Object::Function(id), at)
    }

    /// `yield v`: the function's result is a generator, and `v` one of its elements.
    fn yield_expression(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        let value_node = node.part(0);
        let value = value_node.and_then(|value| self.expression(value));
        let from = node.child(1).is_some_and(|word| word.kind() == "from");
        let result = self.builder.function_mut().results.first().copied()?;
        self.builder.loosen_order(true);
        let Some(inner) = value.filter(|_| from) else {
            let before = self.builder.next_yield();
            let (key, sent) = match before.is_exact {
                true => (ElementKey::Index(before.least), ElementKey::Sent(before.least + 1)),
                false => (ElementKey::From(before.least), ElementKey::SentFrom(before.least + 1)),
            };
            self.builder.element_store(result, key, value, at);
            let gone_over: Vec<PlaceId> = self.rounds.iter().map(|(over, _)| *over).collect();
            self.builder.chosen_beside(result, &gone_over, at);
            // An exception may be thrown in where it waits.
            if self.builder.is_guarded() {
                let thrown = self.builder.element_load(result, ElementKey::Thrown, at);
                self.builder.raise_thrown(thrown, at);
            }
            // The value of `yield` is what is sent.
            return Some(self.builder.element_load(result, sent, at));
        };
        if let Some(count) = value_node.and_then(|call| self.values_given(call)) {
            return Some(self.yield_each(inner, result, count, at));
        }
        let before = self.builder.yield_many();
        if before.is_exact {
            self.builder
                .copy_parts(inner, result, before.least as i32, Vec::new(), at);
        } else {
            let each = self.builder.element_load(inner, ElementKey::Each, at);
            self.builder
                .element_store(result, ElementKey::From(before.least), Some(each), at);
        }
        let sent = self
            .builder
            .element_load(result, ElementKey::SentFrom(before.least + 1), at);
        self.builder.element_store(inner, ElementKey::Sent(0), Some(sent), at);
        // The value of `yield from` is what the inner generator returns.
        Some(self.builder.element_load(inner, ElementKey::Returned, at))
    }

    /// The function being walked gives back a generator.
    pub(super) fn make_generator(&mut self, result: PlaceId, at: Position) {
        self.generators.push(result);
        self.builder.begin_yields();
        let generator = self.builder.object(Object::Container(ContainerKind::Generator), at);
        self.builder.flow(Some(generator), result, How::Return, at);
    }

    /// The class named by this expression, as a type.
    pub(super) fn path_type(&mut self, node: Node<'t>) -> Option<TypeExpression> {
        let mut parts = Vec::new();
        let mut current = node;
        while current.kind() == "attribute" {
            parts.push(self.name_of(current.child_by_field_name("attribute")?));
            current = current.child_by_field_name("object")?;
        }
        if current.kind() != "identifier" {
            return None;
        }
        parts.push(self.name_of(current));
        if let [name] = parts.as_slice()
            && let Some(class) = self.class_beside(*name)
        {
            return Some(TypeExpression::Local(class));
        }
        parts.reverse();
        Some(TypeExpression::Path {
            parts,
            function: self.builder.function(),
        })
    }

    /// The class of that name in the class body that this is in: there it hides one of the file.
    fn class_beside(&self, name: Name) -> Option<TypeId> {
        let around = self.class_around()?;
        let mut known = self.builder.facts.types.iter().enumerate().rev();
        let beside = known.find(|(_, known)| known.name == name && known.outer == Some(around.id))?;
        Some(TypeId(beside.0 as u32))
    }
}

/// Whether an expression may be worth an instance of a class: no literal, and nothing that is worked out of literals.
pub(super) fn is_object_like(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier"
        | "attribute"
        | "call"
        | "subscript"
        | "await"
        | "parenthesized_expression"
        | "named_expression" => true,
        "binary_operator" => ["left", "right"]
            .into_iter()
            .any(|side| node.child_by_field_name(side).is_some_and(is_object_like)),
        "unary_operator" => node.child_by_field_name("argument").is_some_and(is_object_like),
        _ => false,
    }
}

pub(super) fn operator_method(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "+" => "__add__",
        "-" => "__sub__",
        "*" => "__mul__",
        "/" => "__truediv__",
        "//" => "__floordiv__",
        "%" => "__mod__",
        "**" => "__pow__",
        "@" => "__matmul__",
        "&" => "__and__",
        "|" => "__or__",
        "^" => "__xor__",
        "<<" => "__lshift__",
        ">>" => "__rshift__",
        _ => return None,
    })
}

/// Whether evaluating the expression cannot raise, apart from what is inside of it.
fn cannot_fail(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" | "integer" | "float" | "true" | "false" | "none" | "ellipsis" | "comment" | "lambda" => true,
        "list" | "tuple" | "expression_list" | "parenthesized_expression" => true,
        "conditional_expression" | "named_expression" | "boolean_operator" | "not_operator" => true,
        "string" => !children(node).any(|part| part.kind() == "interpolation"),
        _ => false,
    }
}

/// Whether a bound of a slice is a number that is written down.
fn is_number(node: Node<'_>) -> bool {
    let digits = match node.kind() {
        "unary_operator" => node.child_by_field_name("argument"),
        _ => Some(node),
    };
    digits.is_some_and(|digits| digits.kind() == "integer")
}
