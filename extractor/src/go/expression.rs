//! Expressions: the place that an expression's value is in, or none for a literal.
//!
//! `strings.ToLower(order.Email)` loads `Email` from whatever `order` holds, loads `ToLower` from the package, and calls it.

use crate::tree::{Parts, children};
use ripple_schema::{How, Language};
use tree_sitter::Node;

use super::{Walker, end_line, position};
use crate::facts::builder::{Runs, one_line};
use crate::facts::{
    Argument, ArgumentKind, AtEnd, ElementKey, Function, FunctionKind, Name, Object, PlaceId, PlaceKind, Position,
    TypeExpression,
};

/// Types of the language that are called to convert.
const CONVERSIONS: &[&str] = &[
    "any",
    "bool",
    "byte",
    "complex128",
    "complex64",
    "error",
    "float32",
    "float64",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "rune",
    "string",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// Whether a type is one of the language's own without parts.
pub(super) fn is_basic_type(text: &str) -> bool {
    text != "any" && CONVERSIONS.contains(&text)
}

impl<'t> Walker<'t> {
    /// Walks an expression; gives the place of its value.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Option<PlaceId> {
        if !self.builder.enter(position(node).line) {
            return None;
        }
        let place = self.expression_inside(node);
        self.builder.exit();
        place
    }

    fn expression_inside(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        match node.kind() {
            "identifier" => {
                let text = self.text_of(node);
                if text == "_" {
                    return None;
                }
                let name = self.name_of(node);
                Some(self.builder.use_name(name, at))
            }
            "selector_expression" => {
                let base = node
                    .child_by_field_name("operand")
                    .and_then(|operand| self.expression(operand))?;
                let field = node.child_by_field_name("field")?;
                let name = self.name_of(field);
                Some(self.builder.load(base, name, position(field)))
            }
            "call_expression" => self.call(node),
            "index_expression" => {
                let (operand, index) = (node.child_by_field_name("operand"), node.child_by_field_name("index"));
                let base = operand.and_then(|operand| self.expression(operand));
                let (key, computed) = self.index_key(index);
                let from_end = self.position_from_end(operand, index).map(ElementKey::Back);
                let held = index
                    .filter(|_| key == ElementKey::Any)
                    .and_then(|index| self.known_text(index));
                let key = from_end.or(held).unwrap_or(key);
                base.map(|base| self.part_at(base, (key, computed), at))
            }
            "slice_expression" => self.sliced(node),
            "type_assertion_expression" => {
                let value = node
                    .child_by_field_name("operand")
                    .and_then(|operand| self.expression(operand));
                let declared = node.child_by_field_name("type").map(|node| self.type_of(node));
                let asserted = self.builder.value(at);
                let ends = (node.child_by_field_name("operand"), node.child_by_field_name("type"));
                if !matches!(ends, (Some(operand), Some(of)) if !self.may_be_of(operand, of)) {
                    self.builder.derive(value, asserted, at);
                }
                if let (Some(value), Some(declared)) = (value, declared) {
                    self.builder.assert_types(value, asserted, vec![declared], true);
                }
                Some(asserted)
            }
            // `f[T](x)` reads like a conversion to a generic type.
            "type_conversion_expression"
                if node
                    .child_by_field_name("type")
                    .is_some_and(|inner| inner.kind() == "generic_type") =>
            {
                self.generic_call(node)
            }
            "type_conversion_expression" => {
                let value = node
                    .child_by_field_name("operand")
                    .and_then(|operand| self.expression(operand))?;
                let converted = self.builder.value(at);
                self.builder.flow(Some(value), converted, How::Assign, at);
                if let Some(type_node) = node.child_by_field_name("type") {
                    let declared = self.type_of(type_node);
                    self.builder.declare_type(converted, declared);
                }
                Some(converted)
            }
            "type_instantiation_expression" => {
                // `counts[c.Kind]` reads like a generic function with its type arguments, until `counts` is known to be a variable.
                let mut parts = children(node);
                let head = parts.next()?;
                let base = self.expression(head)?;
                let arguments: Vec<_> = parts.collect();
                let is_variable = head.kind() != "identifier" || self.is_variable(head);
                let [index] = arguments.as_slice() else {
                    return Some(base);
                };
                if !is_variable {
                    return Some(base);
                }
                let (key, computed) = self.index_key(Some(*index));
                Some(self.part_at(base, (key, computed), at))
            }
            // `counts[c.Kind][c.Key]` reads like a generic type.
            "type_identifier" => {
                let name = self.name_of(node);
                Some(self.builder.use_name(name, at))
            }
            "qualified_type" => {
                let package = node.child_by_field_name("package")?;
                let name = self.name_of(package);
                let base = self.builder.use_name(name, position(package));
                let member = node.child_by_field_name("name")?;
                let name = self.name_of(member);
                Some(self.builder.load(base, name, position(member)))
            }
            "type_elem" => node.part(0).and_then(|inner| self.expression(inner)),
            "generic_type" => {
                let base = node
                    .child_by_field_name("type")
                    .and_then(|head| self.expression(head))?;
                let arguments = node.child_by_field_name("type_arguments");
                let index = arguments.and_then(|arguments| children(arguments).next());
                let (key, computed) = self.index_key(index);
                Some(self.part_at(base, (key, computed), at))
            }
            "composite_literal" => self.composite_literal(node),
            "func_literal" => Some(self.closure(node)),
            "unary_expression" => self.unary_expression(node),
            "binary_expression" => {
                let left = node.child_by_field_name("left").and_then(|left| self.expression(left));
                let right = node
                    .child_by_field_name("right")
                    .and_then(|right| self.expression(right));
                let operator = node
                    .child_by_field_name("operator")
                    .map_or("", |operator| operator.kind());
                let mut asked = vec![left, right];
                if matches!(operator, "==" | "!=") {
                    for (side, place) in [("left", left), ("right", right)] {
                        if let Some(side) = node.child_by_field_name(side) {
                            self.read_whole(side, place);
                            asked.extend(self.with_parts(side, place));
                        }
                    }
                }
                match operator {
                    "==" | "!=" | "<" | "<=" | ">" | ">=" => self.builder.outcome(&asked, at),
                    _ => {
                        let joined = self.builder.derived(&[left, right], at)?;
                        if operator == "+" {
                            self.note_composed(node, joined, (left, right));
                        }
                        Some(joined)
                    }
                }
            }
            "parenthesized_expression" | "literal_element" => node.part(0).and_then(|inner| self.expression(inner)),
            "expression_list" => {
                let mut last = None;
                for child in children(node) {
                    last = self.expression(child);
                }
                last
            }
            "variadic_argument" => node.part(0).and_then(|inner| self.expression(inner)),
            kind if kind.ends_with("_literal") || kind.ends_with("_type") => None,
            "nil" | "true" | "false" | "iota" | "comment" => None,
            _ => {
                for child in children(node) {
                    self.expression(child);
                }
                None
            }
        }
    }

    fn unary_expression(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        let operand = node.child_by_field_name("operand")?;
        let operator = node
            .child_by_field_name("operator")
            .map_or("", |operator| operator.kind());
        let is_part = operator == "&" && matches!(operand.kind(), "selector_expression" | "index_expression");
        let value = if is_part { None } else { self.expression(operand) };
        match operator {
            "&" => {
                let value = match operand.kind() {
                    "selector_expression" | "index_expression" => self.address_of_part(operand)?,
                    "identifier" => {
                        let name = self.name_of(operand);
                        let held = match value {
                            Some(value) if self.builder.is_of_package(name) => {
                                self.builder.global_address(name, value, at)
                            }
                            value => self.builder.box_of(name).or(value)?,
                        };
                        // What is written through the pointer is in the variable of the function around, too.
                        if self.builder.is_of_outer(name) {
                            let left = self.builder.define(name, PlaceKind::Local, at);
                            self.builder.flow(Some(held), left, How::Assign, at);
                        }
                        held
                    }
                    "composite_literal" => return self.pointer_to(value, operand.child_by_field_name("type"), at),
                    _ => return value,
                };
                let pointer = self.builder.object(Object::Address(value), at);
                self.builder.flow(Some(value), pointer, How::Assign, at);
                Some(pointer)
            }
            "*" => value.map(|value| self.builder.element_load(value, ElementKey::Target, at)),
            "<-" => {
                self.builder.others_run();
                self.builder.happens_unseen();
                value.map(|channel| {
                    let received = self.builder.element_load(channel, ElementKey::Any, at);
                    self.builder.change_end(channel, AtEnd::Receive(received));
                    received
                })
            }
            "!" => self.builder.outcome(&[value], at),
            _ => self.builder.derived(&[value], at),
        }
    }

    /// A pointer to what was just made.
    fn pointer_to(&mut self, made: Option<PlaceId>, to: Option<Node<'t>>, at: Position) -> Option<PlaceId> {
        let (made, to) = (made?, to?);
        let pointer = self.builder.value(at);
        self.builder.flow(Some(made), pointer, How::Assign, at);
        let to = self.type_of(to);
        let declared = self.builder.type_expression(TypeExpression::Pointer(to));
        self.builder.declare_type(pointer, declared);
        Some(pointer)
    }

    /// Where a field or element is.
    fn address_of_part(&mut self, operand: Node<'t>) -> Option<PlaceId> {
        let base = operand.child_by_field_name("operand");
        let base = base.and_then(|base| self.expression(base))?;
        if let Some(field) = operand.child_by_field_name("field") {
            let name = self.name_of(field);
            self.builder.facts.fields_assigned.push(name);
            return Some(self.builder.member_address(base, name, position(field)));
        }
        let at = position(operand);
        match self.index_key(operand.child_by_field_name("index")) {
            (key @ (ElementKey::Text(_) | ElementKey::Index(_)), _) => Some(self.builder.part_address(base, key, at)),
            (key, computed) => Some(self.part_at(base, (key, computed), at)),
        }
    }

    /// What is read from a part, whose index may be computed.
    fn part_at(&mut self, base: PlaceId, (key, computed): (ElementKey, Option<PlaceId>), at: Position) -> PlaceId {
        let part = self.builder.element_load(base, key, at);
        self.builder.index_of_load(computed);
        self.builder.test(computed, part, at);
        part
    }

    /// The part that an index names, or what it is computed from.
    pub(super) fn index_key(&mut self, index: Option<Node<'t>>) -> (ElementKey, Option<PlaceId>) {
        let Some(index) = index else {
            return (ElementKey::Any, None);
        };
        if let Some(key) = self.constant_key(index) {
            if let (ElementKey::Text(name), false) = (key, self.is_composite_key(index)) {
                self.builder.key_use(name, position(index));
            }
            let is_written = matches!(index.kind(), "identifier" | "binary_expression" | "composite_literal");
            if is_written {
                self.expression(index);
            }
            return (key, None);
        }
        let computed = self.expression(index);
        self.read_whole(index, computed);
        let parts = self.with_parts(index, computed);
        if let ([whole, parts @ ..], true) = (parts.as_slice(), parts.len() > 1) {
            let (at, with_parts) = (position(index), self.builder.value(position(index)));
            self.builder.flow(*whole, with_parts, How::Assign, at);
            parts.iter().for_each(|part| self.builder.derive(*part, with_parts, at));
            return (ElementKey::Any, Some(with_parts));
        }
        (ElementKey::Any, computed)
    }

    fn closure(&mut self, node: Node<'t>) -> PlaceId {
        let at = position(node);
        let is_known = self.builder.knows_next();
        let number = match self.closures.last_mut() {
            Some(count) => {
                *count += 1;
                *count
            }
            None => 1,
        };
        let name = self.builder.name(&format!("func{number}"));
        let body = node.child_by_field_name("body");
        let signature_end = body.map_or(node.end_byte(), |body| body.start_byte());
        let id = self.builder.open_function(Function {
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
            signature: one_line(self.text.get(node.start_byte()..signature_end).unwrap_or("")),
            doc: String::new(),
            binding: Default::default(),
            is_abstract: false,
            always_raises: false,
            looks_at_raised: false,
            decorated: false,
            test: self.test,
        });
        self.function_inside(node, name, at);
        self.builder.close_function();
        let closure = self.builder.object(Object::Function(id), at);
        if !is_known {
            self.builder.note_closure(closure);
        }
        closure
    }

    /// Notes the names on paths: `doc.Get("trip.distance_m")`.
    fn note_paths(&mut self, function: Node<'t>, given: &[Node<'t>]) {
        let field = function.child_by_field_name("field");
        if !field.is_some_and(|field| self.text_of(field).starts_with("Get")) {
            return;
        }
        let texts = given.iter().filter_map(|given| self.constant_text(*given));
        for path in texts.filter(|path| path.contains('.')).collect::<Vec<_>>() {
            for name in crate::facts::path::names_of(&path) {
                self.builder.name(name);
            }
        }
    }

    fn call(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let function = node.child_by_field_name("function")?;
        let arguments_node = node.child_by_field_name("arguments");
        let given: Vec<_> = arguments_node.into_iter().flat_map(children).collect();
        let at = position(node);
        // `group.Go(func() …)` starts it beside what follows, as the statement of that name does.
        let is_started = function
            .child_by_field_name("field")
            .is_some_and(|name| self.text_of(name) == "Go");
        if is_started && given.iter().any(|argument| argument.kind() == "func_literal") {
            self.builder.loosen_order(false);
        }
        self.note_paths(function, &given);
        if function.kind() == "identifier" {
            let name = self.name_of(function);
            let text = self.text_of(function);
            if given.len() == 1 && !self.builder.is_bound(name) && self.is_type_parameter(name) {
                // A conversion to a type parameter: still the same object.
                let value = self.expression(given[0])?;
                let converted = self.builder.value(at);
                self.builder.flow(Some(value), converted, How::Assign, at);
                return Some(converted);
            }
            let is_own = self.builder.is_bound(name) || self.file_functions.contains(&name);
            if !is_own && crate::builtins::is_builtin(Language::Go, text) {
                if CONVERSIONS.contains(&text) && given.len() == 1 {
                    let value = self.expression(given[0]);
                    return self.builder.derived(&[value], at);
                }
                return self.builtin_call(function, text, &given, at);
            }
        }
        let mut left = Vec::new();
        let callee = match function.kind() {
            "parenthesized_expression" => {
                // `(*T)(x)` converts.
                let inner = function.part(0)?;
                self.expression(inner)?
            }
            "index_expression" if self.is_instantiated(function) => self.expression(function.part(0)?)?,
            kind if kind.ends_with("_type") => {
                let value = given.first().and_then(|first| self.expression(*first));
                return self.builder.derived(&[value], at);
            }
            "func_literal" if !self.builder.knows_next() => {
                self.builder.next_runs(Runs::AtOnce);
                let callee = self.expression(function)?;
                left = self.builder.left_at_once();
                callee
            }
            _ => self.expression(function)?,
        };
        // `it.table[key.name](x)` reads like a call with types.
        let types: Vec<_> = node
            .child_by_field_name("type_arguments")
            .into_iter()
            .flat_map(children)
            .collect();
        if let [key] = types.as_slice()
            && !self.may_be_generic(function)
        {
            let (key, computed) = self.index_key(Some(*key));
            let part = self.part_at(callee, (key, computed), position(function));
            let (site, how) = match function.child_by_field_name("field") {
                Some(field) => (position(field), How::Method),
                None => (position(function), How::Dynamic),
            };
            let text = self.callee_text(function);
            let arguments = self.arguments(&given);
            return Some(self.builder.call(part, text, None, arguments, site, how));
        }
        let receiver = match function.kind() {
            "selector_expression" => self
                .builder
                .facts
                .loads
                .last()
                .filter(|load| load.to == callee)
                .map(|load| load.base),
            _ => None,
        };
        // `f[int](x)`: the name is inside.
        let named = match function.kind() {
            "index_expression" | "type_instantiation_expression" => function.part(0).unwrap_or(function),
            _ => function,
        };
        let (site, how) = match named.kind() {
            "selector_expression" if named != function => {
                (named.child_by_field_name("field").map_or(at, position), How::Method)
            }
            "identifier" if named != function => {
                let is_direct = self.is_generic_call(named);
                (position(named), if is_direct { How::Direct } else { How::Dynamic })
            }
            _ if named != function => (arguments_node.map_or(at, position), How::Dynamic),
            "selector_expression" => (function.child_by_field_name("field").map_or(at, position), How::Method),
            "identifier" => (position(function), How::Direct),
            _ => (arguments_node.map_or(at, position), How::Dynamic),
        };
        let text = self.callee_text(function);
        let types = match function.kind() {
            "index_expression" => function.child_by_field_name("index").into_iter().collect(),
            "type_instantiation_expression" => children(function).skip(1).collect(),
            _ => types,
        };
        let mut arguments = match self.atomic_arguments(function, &given, at) {
            Some(arguments) => arguments,
            None => self.arguments(&given),
        };
        self.leave_unwritten(function, &given, &mut arguments);
        let cut_out = self.cut_out_arguments(function, &given, &arguments);
        let around = self.written_around(function, &given, &arguments);
        let result = self.builder.call(callee, text, receiver, arguments, site, how);
        if let Some((before, value, behind)) = around {
            self.builder.note_composed(result, (&before, value, &behind));
        }
        self.note_made_arguments(function, &given);
        self.written_by_callee(cut_out, at);
        self.builder.run_at_once(&left);
        if function.kind() == "identifier" {
            let name = self.name_of(function);
            self.builder.run_closure(name);
        }
        self.type_arguments(&types);
        Some(result)
    }

    /// The types that the last call is given.
    fn type_arguments(&mut self, types: &[Node<'t>]) {
        let call = self.builder.facts.calls.len() as u32 - 1;
        for node in types {
            let argument = self.type_of(*node);
            self.builder.facts.type_arguments.push((call, argument));
        }
    }

    fn generic_call(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let generic = node.child_by_field_name("type")?;
        let head = generic.child_by_field_name("type")?;
        let types: Vec<_> = generic
            .child_by_field_name("type_arguments")
            .into_iter()
            .flat_map(children)
            .collect();
        let argument = node.child_by_field_name("operand")?;
        let (callee, receiver, named) = match head.kind() {
            "qualified_type" => {
                let package = head.child_by_field_name("package")?;
                let member = head.child_by_field_name("name")?;
                let package_name = self.name_of(package);
                let base = self.builder.use_name(package_name, position(package));
                let member_name = self.name_of(member);
                let callee = self.builder.load(base, member_name, position(member));
                if self.is_table(package_name) {
                    let at = (position(head), position(member));
                    return self.call_of_part(callee, &types, argument, at, (head, How::Method));
                }
                (callee, Some(base), member)
            }
            _ => {
                let name = self.name_of(head);
                let base = self.builder.use_name(name, position(head));
                if self.is_table(name) {
                    let at = (position(head), position(head));
                    return self.call_of_part(base, &types, argument, at, (head, How::Dynamic));
                }
                (base, None, head)
            }
        };
        let text = self.callee_text(head);
        let arguments = self.arguments(&[argument]);
        let how = if receiver.is_some() { How::Method } else { How::Direct };
        let result = self
            .builder
            .call(callee, text, receiver, arguments, position(named), how);
        self.type_arguments(&types);
        Some(result)
    }

    /// Whether what is called may be a function with type parameters: `f[T](x)`, `package.F[T](x)`.
    fn may_be_generic(&mut self, function: Node<'t>) -> bool {
        let named = match function.kind() {
            "selector_expression" => function.child_by_field_name("operand"),
            _ => Some(function),
        };
        let named = named.filter(|named| named.kind() == "identifier");
        let name = named.map(|named| self.name_of(named));
        name.is_some_and(|name| !self.is_table(name))
    }

    /// `package.Make[T]()`: what is in the brackets is a type, as far as the file tells.
    fn is_instantiated(&mut self, function: Node<'t>) -> bool {
        let operand = function.child_by_field_name("operand");
        let package = operand
            .filter(|operand| operand.kind() == "selector_expression")
            .and_then(|operand| operand.child_by_field_name("operand"))
            .filter(|package| package.kind() == "identifier");
        let index = function.child_by_field_name("index");
        let (Some(package), Some(index)) = (package, index) else {
            return false;
        };
        let package = self.name_of(package);
        let named = match index.kind() {
            "selector_expression" => index.child_by_field_name("operand"),
            "identifier" => Some(index),
            kind => return kind.ends_with("_type") && !self.is_table(package),
        };
        let named = named.filter(|named| named.kind() == "identifier");
        let named = named.map(|named| self.name_of(named));
        !self.is_table(package) && named.is_some_and(|named| !self.is_table(named))
    }

    /// Whether a name is that of a variable, not of a function or package.
    fn is_table(&self, name: Name) -> bool {
        self.builder.is_bound(name) || self.file_variables.contains(&name)
    }

    /// `table[key](x)` and `it.table[key](x)`, where the part and where the call stands.
    fn call_of_part(
        &mut self,
        table: PlaceId,
        keys: &[Node<'t>],
        argument: Node<'t>,
        (at, site): (Position, Position),
        (head, how): (Node<'t>, How),
    ) -> Option<PlaceId> {
        let (key, computed) = self.index_key(keys.first().copied());
        let part = self.part_at(table, (key, computed), at);
        let text = self.callee_text(head);
        let arguments = self.arguments(&[argument]);
        Some(self.builder.call(part, text, None, arguments, site, how))
    }

    /// Whether an indexed name is a function with type arguments, not a table of functions: no variable is called so.
    fn is_generic_call(&mut self, name: Node<'t>) -> bool {
        let name = self.name_of(name);
        !self.builder.is_bound(name)
    }

    fn arguments(&mut self, given: &[Node<'t>]) -> Vec<Argument> {
        // `f(g())` hands on every result of `g`.
        if let [only] = given
            && only.kind() == "call_expression"
        {
            let value = self.expression(*only);
            let values = match value {
                Some(value) => self.more_results(Some(value), 3, position(*only)),
                None => vec![None],
            };
            let argument = |place| Argument {
                kind: ArgumentKind::Positional,
                place,
                text: None,
                constant: None,
                position: position(*only),
            };
            return values.into_iter().map(argument).collect();
        }
        given.iter().map(|node| self.argument(*node)).collect()
    }

    fn argument(&mut self, node: Node<'t>) -> Argument {
        let kind = match node.kind() {
            "variadic_argument" => ArgumentKind::Spread,
            _ => ArgumentKind::Positional,
        };
        let place = self.expression(node);
        let text = match self.constant_key(node) {
            Some(ElementKey::Text(text)) => Some(text).filter(|text| self.builder.facts.text(*text).len() <= 200),
            _ => None,
        };
        let text = self.statement_given(node).or(text);
        let constant = self.argument_constant(node);
        Argument {
            kind,
            place,
            text,
            constant,
            position: position(node),
        }
    }

    fn callee_text(&mut self, node: Node<'t>) -> Name {
        let mut text = self.text_of(node);
        if text.len() > 80 || text.contains(['(', '[', '{', '"', '\n']) {
            text = match node.kind() {
                "selector_expression" => node
                    .child_by_field_name("field")
                    .map_or("", |field| self.text_of(field)),
                _ => "",
            };
        }
        self.builder.name(text)
    }

    /// Whether a name stands for a type that the function around this point is given.
    fn is_type_parameter(&self, name: Name) -> bool {
        let function = self.builder.function();
        let parameters = self.builder.facts.type_parameters.iter().rev();
        let mut around = Some(function);
        let functions = &self.builder.facts.functions;
        let mut parameters = parameters.filter(|(_, known)| *known == name).peekable();
        if parameters.peek().is_none() {
            return false;
        }
        let own: Vec<_> = parameters.map(|(owner, _)| *owner).collect();
        while let Some(at) = around {
            if own.contains(&at) {
                return true;
            }
            around = functions.get(at.0 as usize).and_then(|function| function.parent);
        }
        false
    }

    /// Whether a name is bound in a function that is being walked.
    fn is_variable(&mut self, node: Node<'t>) -> bool {
        let name = self.name_of(node);
        self.builder.is_bound(name)
    }

    /// `make`, `new`, `append`, `copy` move or make things; the rest are in the library table.
    fn builtin_call(&mut self, function: Node<'t>, text: &str, given: &[Node<'t>], at: Position) -> Option<PlaceId> {
        let name = self.name_of(function);
        let callee = self.builder.use_name(name, position(function));
        let site = position(function);
        if let ("new", [given]) = (text, given)
            && let Some(value) = self.value_of_new(*given)
        {
            self.builder.call(callee, name, None, Vec::new(), site, How::Direct);
            return Some(self.new_variable(value, at));
        }
        if matches!(text, "make" | "new") {
            let made = given.first().map(|node| self.type_of(*node));
            for size in given.iter().skip(1) {
                self.expression(*size);
            }
            self.builder.call(callee, name, None, Vec::new(), site, How::Direct);
            let is_basic = given.first().is_some_and(|of| is_basic_type(self.text_of(*of)));
            let length = given.get(1).and_then(|length| self.constant_key(*length));
            if text == "new" && is_basic {
                let zero = self.builder.value(at);
                return Some(self.new_variable(zero, at));
            }
            let place = made.map(|made| self.instance(made, at));
            let is_slice = given.first().is_some_and(|of| of.kind() == "slice_type");
            if let (Some(place), Some(ElementKey::Index(length)), true) = (place, length, is_slice) {
                self.builder.facts.lengths.push((place, length));
            }
            return match text {
                "new" => self.pointer_to(place, given.first().copied(), at),
                _ => place,
            };
        }
        if text == "append" {
            let list = given.first().and_then(|first| first.parent());
            list.into_iter().for_each(|list| self.note_returned(list));
        }
        let is_grown = text == "append" && given.first().is_some_and(|first| self.is_grown(*first));
        let arguments = self.arguments(given);
        let result = match text {
            // What they are given is looked at, no more.
            "len" | "cap" | "print" | "println" | "delete" | "clear" | "min" | "max" | "close" | "panic" => self
                .builder
                .call_that_keeps(callee, name, None, arguments.clone(), site, How::Direct),
            _ => self
                .builder
                .call(callee, name, None, arguments.clone(), site, How::Direct),
        };
        let place = |index: usize| arguments.get(index).and_then(|argument: &Argument| argument.place);
        match text {
            "append" => Some(self.appended(given, &arguments, is_grown, at)),
            "copy" => {
                if let (Some(to), Some(from)) = (place(0), place(1)) {
                    self.builder.copy_parts(from, to, 0, Vec::new(), at);
                    self.copy_in_wholes((given[0], to), from, at);
                }
                None
            }
            "delete" => {
                let key = given.get(1).and_then(|key| self.constant_key(*key));
                match (place(0), key, place(1)) {
                    (Some(map), Some(key), _) => {
                        self.builder.element_store(map, key, None, at);
                        self.builder.drop_parts(map, (Some(key), None), at);
                    }
                    (Some(map), None, index @ Some(_)) => {
                        self.builder.drop_parts(map, (Some(ElementKey::Any), index), at);
                    }
                    _ => {}
                }
                None
            }
            "clear" => {
                if let Some(cleared) = place(0) {
                    self.builder.drop_parts(cleared, (None, None), at);
                }
                None
            }
            "panic" => {
                if let Some(value) = place(0) {
                    self.builder.raise(value, at);
                }
                self.leave_by_panic(function);
                None
            }
            "recover" => {
                if let Some(recovered) = self.recovered.last_mut() {
                    recovered.push(result);
                }
                Some(result)
            }
            _ => Some(result),
        }
    }
}
