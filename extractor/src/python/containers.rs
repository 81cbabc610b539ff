//! What changes a container that one variable alone holds, and what only looks at it.
//!
//! `items.append(secret)` makes `items` another list, of one part more; `items.pop()` gives the last part and makes it one of less.
//! The call itself is noted as any other, of a container without parts, so that nothing else is told of it.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::Node;

use super::value::Value;
use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{Argument, ArgumentKind, Constant, ContainerKind, ElementKey, Name, Object, PlaceId, Position};

/// What a method does to a container of known shape.
enum Act {
    /// Nothing: it looks at the parts.
    Look,
    /// The parts are moved about.
    Stir,
    Known {
        /// What it gives back.
        given: Part,
        /// The argument that it doesn't take: a default.
        ignored: Option<usize>,
        /// What it makes of the container.
        shape: Option<Shape>,
    },
}

/// Where a container is that one variable holds.
pub(super) struct Spot {
    pub(super) name: Name,
    /// The containers around it, from the variable's on, each with the part that leads on.
    pub(super) around: Vec<(Shape, usize)>,
    pub(super) shape: Shape,
}

/// Functions of the language that only look at what they are given.
pub(super) const LOOKING: &[&str] = &[
    "all",
    "any",
    "dict",
    "enumerate",
    "isinstance",
    "len",
    "list",
    "max",
    "min",
    "print",
    "repr",
    "reversed",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
];

/// Methods of containers that do not change them.
pub(super) const READING: &[&str] = &["copy", "count", "get", "index", "items", "keys", "values"];

/// Those of them that read what they are given when they are asked for it.
const LATE: &[&str] = &["enumerate", "reversed", "zip"];

/// Whether a function of the language keeps nothing of what it is given.
fn keeps_nothing(name: &str) -> bool {
    LOOKING.contains(&name) || matches!(name, "bool" | "frozenset" | "type")
}

impl<'t> Walker<'t> {
    /// Walks an expression of which nothing is kept.
    pub(super) fn look(&mut self, node: Node<'t>) -> Option<PlaceId> {
        match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                let place = self.builder.see_name(name, position(node));
                if !self.is_stepped(node) {
                    self.builder.steps_taken(name);
                }
                // In a loop, it may have been changed in a round before.
                if self.builder.shape(place).is_none() {
                    self.builder.give_away(place);
                }
                Some(place)
            }
            "subscript" => self.subscript(node),
            "parenthesized_expression" => node.part(0).and_then(|inner| self.look(inner)),
            _ => self.expression(node),
        }
    }

    /// `a = b = […]`: two names for one container.
    pub(super) fn hold_twice(&mut self, inner: Node<'t>, value: Option<PlaceId>) {
        value.into_iter().for_each(|value| self.builder.give_away(value));
        if let Some(left) = inner
            .child_by_field_name("left")
            .filter(|left| left.kind() == "identifier")
        {
            let name = self.name_of(left);
            self.builder.give_away_all(name);
        }
    }

    /// What going over a container of known shape gives, in order.
    pub(super) fn spread_parts(&mut self, place: PlaceId) -> Option<Vec<Part>> {
        self.builder.give_parts(place);
        let shape = self.builder.shape(place)?;
        let is_map = shape.kind == ContainerKind::Map;
        let part = |(key, part): &(ElementKey, Part)| match key {
            ElementKey::Text(name) if is_map => Part {
                place: None,
                text: Some(*name),
                ..Part::default()
            },
            _ if is_map => Part::default(),
            _ => *part,
        };
        Some(shape.parts.iter().map(part).collect())
    }

    /// What a star takes of a container of known shape: all but so many parts before and behind.
    pub(super) fn rest_of(&mut self, value: PlaceId, before: usize, behind: usize, at: Position) -> Option<PlaceId> {
        let parts = self.spread_parts(value)?;
        let rest = parts.get(before..parts.len().checked_sub(behind)?)?;
        let shape = Shape::sequence(ContainerKind::List, rest.iter().copied());
        Some(self.builder.make(shape, at))
    }

    /// `xs[1:]` of a container of known shape.
    pub(super) fn known_slice(&mut self, base: PlaceId, node: Node<'t>) -> Option<PlaceId> {
        let slice = node.child_by_field_name("subscript")?;
        self.builder.give_parts(base);
        let shape = self.builder.shape(base)?;
        let kind = shape.kind;
        if !matches!(kind, ContainerKind::List | ContainerKind::Tuple) {
            return None;
        }
        let chosen = sliced(self.text_of(slice), shape.parts.len())?;
        let parts: Vec<Part> = chosen.into_iter().map(|index| shape.parts[index].1).collect();
        Some(self.builder.make(Shape::sequence(kind, parts), position(node)))
    }

    /// `a + b`, `a * 2` and `a | b` of containers of known shape.
    pub(super) fn joined(
        &mut self,
        left: PlaceId,
        operator: &str,
        right: Option<PlaceId>,
        right_node: Node<'t>,
    ) -> Option<Shape> {
        for side in right.into_iter().chain([left]) {
            self.builder.give_parts(side);
        }
        let left = self.builder.shape(left)?;
        let is_sequence = matches!(left.kind, ContainerKind::List | ContainerKind::Tuple);
        let other = right.and_then(|right| self.builder.shape(right));
        match operator {
            "+" if is_sequence => {
                let other = other.filter(|other| other.kind == left.kind)?;
                Some(Shape::sequence(left.kind, left.values().chain(other.values())))
            }
            "*" if is_sequence => {
                let times: usize = self.text_of(right_node).parse().ok().filter(|times| *times <= 8)?;
                let parts = std::iter::repeat_n(left, times).flat_map(|shape| shape.values());
                Some(Shape::sequence(left.kind, parts))
            }
            "|" if left.kind == ContainerKind::Map => {
                let other = other.filter(|other| other.kind == ContainerKind::Map)?;
                let mut merged = left.clone();
                other.parts.iter().for_each(|(key, part)| merged.put(*key, *part));
                Some(merged)
            }
            _ => None,
        }
    }

    /// The variable's own container that an expression means, or a part of it that is one, where its shape is known.
    pub(super) fn spot(&mut self, node: Node<'t>) -> Option<Spot> {
        if self.builder.at_file_level() {
            return None;
        }
        match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                let (_, shape) = self.builder.shaped(name)?;
                Some(Spot {
                    name,
                    around: Vec::new(),
                    shape: shape.clone(),
                })
            }
            "subscript" => {
                self.put_missing(node);
                let mut spot = self.spot(node.child_by_field_name("value")?)?;
                let key = self.constant_key(node)?;
                let index = spot.shape.find(key)?;
                let inner = spot.shape.parts[index].1.place?;
                let inner = self.builder.shape(inner)?.clone();
                let outer = std::mem::replace(&mut spot.shape, inner);
                spot.around.push((outer, index));
                Some(spot)
            }
            _ => None,
        }
    }

    /// The container there has these parts from here on, and those around it have it.
    pub(super) fn change(&mut self, spot: Spot, shape: Shape, at: Position) {
        let mut shape = shape;
        for (mut outer, index) in spot.around.into_iter().rev() {
            let container = self.builder.make(shape, at);
            outer.parts[index].1.place = Some(container);
            shape = outer;
        }
        self.builder.change(spot.name, shape, at);
    }

    /// The container there is another from here on.
    fn replace(&mut self, mut spot: Spot, container: PlaceId, at: Position) {
        match spot.around.pop() {
            Some((mut outer, index)) => {
                outer.parts[index].1.place = Some(container);
                self.change(spot, outer, at);
            }
            None => {
                self.builder.replace(spot.name, container, at);
            }
        }
    }

    /// The constant that a subscript is, without a walk through it.
    pub(super) fn constant_key(&mut self, target: Node<'t>) -> Option<ElementKey> {
        let mut cursor = target.walk();
        let subscripts: Vec<_> = target.children_by_field_name("subscript", &mut cursor).collect();
        let [subscript] = subscripts.as_slice() else {
            return None;
        };
        let literal = self.literal(*subscript);
        if let Some(text) = self.constant_text(literal) {
            return Some(ElementKey::Text(self.builder.name(&text)));
        }
        match self.constant_position(literal) {
            Some(index) => position_key(index),
            None => self.computed_key(literal),
        }
    }

    /// `row[i + 1]`, where `i` is one number here, and `row[f"{prefix}_id"]`, where the prefix is one text.
    pub(super) fn computed_key(&mut self, subscript: Node<'t>) -> Option<ElementKey> {
        if !matches!(
            subscript.kind(),
            "identifier" | "binary_operator" | "unary_operator" | "string" | "concatenated_string" | "call"
        ) {
            return None;
        }
        match self.value_by_constants(subscript)? {
            Value::Number(index) => position_key(index),
            Value::Text(text) => Some(ElementKey::Text(self.builder.name(&text))),
            _ => None,
        }
    }

    /// `items[0] = v`, `row["k"] = v`, `items[:] = xs` of a variable's own container. Whether it was one.
    pub(super) fn put_part(&mut self, target: Node<'t>, value: Option<PlaceId>, at: Position) -> bool {
        let Some(base) = target.child_by_field_name("value") else {
            return false;
        };
        let Some(spot) = self.spot(base) else { return false };
        if self.is_whole(target) {
            return self.put_all(spot, value, at);
        }
        if self.slice_assigned(target) {
            return value.is_some() && self.replace_slice(spot, target, value, at);
        }
        let Some(key) = self.constant_key(target) else {
            return false;
        };
        let held = self.look(base);
        self.subscript_key(target);
        let part = Part {
            place: value,
            text: None,
            ..Part::default()
        };
        let mut shape = spot.shape.clone();
        match (shape.find(key), held) {
            (Some(index), _) => shape.parts[index].1 = part,
            (None, Some(held)) if shape.kind == ContainerKind::Map && spot.around.is_empty() => {
                shape.put(key, part);
                self.builder.element_store(held, key, value, at);
                self.builder.grow(spot.name, held, shape, at);
                return true;
            }
            (None, _) if shape.kind == ContainerKind::Map => shape.put(key, part),
            // It fails.
            _ => return true,
        }
        self.change(spot, shape, at);
        true
    }

    /// Whether a subscript is `[:]`.
    fn is_whole(&self, target: Node<'t>) -> bool {
        let subscript = target.child_by_field_name("subscript");
        subscript.is_some_and(|subscript| subscript.kind() == "slice" && self.text_of(subscript) == ":")
    }

    /// `items[:] = xs`.
    fn put_all(&mut self, spot: Spot, value: Option<PlaceId>, at: Position) -> bool {
        let Some(value) = value.filter(|_| spot.shape.kind == ContainerKind::List) else {
            return false;
        };
        match self.spread_parts(value) {
            Some(parts) => self.change(spot, Shape::sequence(ContainerKind::List, parts), at),
            None => {
                let container = self.builder.object(Object::Container(ContainerKind::List), at);
                self.builder.copy_parts(value, container, 0, Vec::new(), at);
                self.replace(spot, container, at);
            }
        }
        true
    }

    /// Whether a subscript that is assigned to is a slice.
    pub(super) fn slice_assigned(&self, target: Node<'t>) -> bool {
        let subscript = target.child_by_field_name("subscript");
        subscript.is_some_and(|subscript| subscript.kind() == "slice")
    }

    /// `items[:] = xs` and `items[a:b] = xs` of a container that others may hold, too.
    pub(super) fn put_slice(&mut self, base: PlaceId, target: Node<'t>, value: Option<PlaceId>, at: Position) {
        let is_whole = self.is_whole(target);
        if is_whole {
            self.builder.drop_parts(base, (None, None), at);
        }
        self.subscript_key(target);
        let Some(value) = value else { return };
        let known = self.spread_parts(value);
        if !is_whole {
            self.move_behind(base, target, known.as_ref().map(Vec::len), at);
        }
        let known = known.filter(|_| is_whole);
        self.builder.give_away(value);
        let Some(parts) = known else {
            let part = self.builder.element_load(value, ElementKey::Each, at);
            return self.builder.element_store(base, ElementKey::Any, Some(part), at);
        };
        for (index, part) in parts.iter().enumerate() {
            self.builder
                .element_store(base, ElementKey::Index(index as u32), part.place, at);
        }
    }

    /// `del items[0]`, `del row["k"]` of a variable's own container. Whether it was one.
    pub(super) fn take_part(&mut self, target: Node<'t>) -> bool {
        let Some(base) = target.child_by_field_name("value") else {
            return false;
        };
        let Some(spot) = self.spot(base) else { return false };
        let mut shape = spot.shape.clone();
        if self.is_whole(target) {
            shape.parts.clear();
        } else if self.slice_assigned(target) {
            return self.replace_slice(spot, target, None, position(target));
        } else {
            let Some(key) = self.constant_key(target) else {
                return false;
            };
            let Some(index) = shape.find(key) else { return true };
            shape = without(shape, index);
        }
        self.look(base);
        self.subscript_key(target);
        self.change(spot, shape, position(target));
        true
    }

    /// A method of a container that one variable alone holds.
    pub(super) fn container_call(&mut self, function: Node<'t>, arguments_node: Option<Node<'t>>) -> Option<PlaceId> {
        if function.kind() != "attribute" {
            return None;
        }
        let object = function.child_by_field_name("object")?;
        let member = function.child_by_field_name("attribute")?;
        let method = self.text_of(member);
        self.spot(object)?;
        let (at, text) = (position(member), self.callee_text(function));
        let held = self.look(object)?;
        let looks = matches!(method, "extend" | "update" | "index" | "count" | "remove");
        let mut arguments = self.arguments(arguments_node, looks);
        let nodes: Vec<Node<'t>> = arguments_node.into_iter().flat_map(children).collect();
        // The arguments may have done something to the container.
        let spot = self.spot(object);
        let is_late = matches!(method, "items" | "values" | "keys") && is_kept(function);
        let shape = spot.as_ref().map(|spot| &spot.shape).filter(|_| !is_late);
        let act = shape.and_then(|shape| match shape.kind {
            ContainerKind::List => self.list_method(method, shape, &nodes, &arguments),
            ContainerKind::Map => self.dict_method(method, shape, &arguments),
            _ => matches!(method, "index" | "count").then_some(Act::Look),
        });
        let member = self.name_of(member);
        let receiver = match (&act, shape) {
            (Some(Act::Known { ignored, .. }), Some(shape)) => {
                if let Some(ignored) = ignored.and_then(|ignored| arguments.get_mut(ignored)) {
                    ignored.place = None;
                }
                self.builder.object(Object::Container(shape.kind), at)
            }
            _ => held,
        };
        let callee = self.builder.load(receiver, member, at);
        let (Some(act), Some(spot)) = (act, spot) else {
            self.builder.give_away(held);
            let result = self
                .builder
                .call(callee, text, Some(receiver), arguments, at, How::Method);
            self.note_number(function, arguments_node);
            return Some(result);
        };
        let result = self
            .builder
            .call_that_keeps(callee, text, Some(receiver), arguments, at, How::Method);
        self.note_number(function, arguments_node);
        match act {
            Act::Look => {
                self.builder.give_parts(held);
                if let Some(shape) = self.shape_looked_at(method, spot.shape, at) {
                    self.builder.know_shape(result, shape);
                }
            }
            Act::Stir => {
                let container = self.builder.stirred(&spot.shape, at);
                self.replace(spot, container, at);
            }
            Act::Known { given, shape, .. } => {
                self.flow_into(given.place, result, at);
                given.place.into_iter().for_each(|given| self.builder.give_away(given));
                if let Some(shape) = shape {
                    self.change(spot, shape, at);
                }
            }
        }
        Some(result)
    }

    /// What a method that changes nothing gives.
    fn shape_looked_at(&mut self, method: &str, shape: Shape, at: Position) -> Option<Shape> {
        let text = |key: &ElementKey| match key {
            ElementKey::Text(text) => Some(*text),
            _ => None,
        };
        let key = |key| Part {
            place: None,
            text: text(key),
            ..Part::default()
        };
        let parts: Vec<Part> = match method {
            "copy" => return Some(shape),
            "values" => shape.values().collect(),
            "keys" => shape.parts.iter().map(|(own, _)| key(own)).collect(),
            "items" => {
                let rows = shape.parts.iter().map(|(own, part)| vec![key(own), *part]);
                let rows = rows.collect();
                self.tuples(rows, at)
            }
            _ => return None,
        };
        Some(Shape::sequence(ContainerKind::Generator, parts))
    }

    fn list_method(&mut self, method: &str, shape: &Shape, nodes: &[Node<'t>], arguments: &[Argument]) -> Option<Act> {
        let by_position = |argument: &Argument| matches!(argument.kind, ArgumentKind::Positional);
        if method == "sort" {
            return Some(Act::Stir);
        }
        if !arguments.iter().all(by_position) {
            return None;
        }
        let mut parts: Vec<Part> = shape.values().collect();
        let mut given = Part::default();
        match (method, arguments) {
            ("index" | "count" | "copy", _) => return Some(Act::Look),
            ("remove", _) => return Some(Act::Stir),
            ("append", [value]) => parts.push(part_of(value)),
            ("insert", [_, value]) => {
                let index = self.constant_position(*nodes.first()?)?;
                parts.insert(clamped(index, parts.len()), part_of(value));
            }
            ("extend", [more]) => parts.extend(self.spread_parts(more.place?)?),
            ("appendleft", [value]) => parts.insert(0, part_of(value)),
            ("popleft", []) if !parts.is_empty() => given = parts.remove(0),
            ("extendleft", [more]) => {
                let more = self.spread_parts(more.place?)?;
                more.into_iter().for_each(|part| parts.insert(0, part));
            }
            ("rotate", _) if !parts.is_empty() => {
                let by = nodes.first().map_or(Some(1), |by| self.constant_position(*by))?;
                let length = parts.len() as i64;
                parts.rotate_right(by.rem_euclid(length) as usize);
            }
            ("reverse", []) => parts.reverse(),
            ("clear", []) => parts.clear(),
            ("pop", []) => given = parts.pop()?,
            ("pop", [_]) => {
                let index = self.constant_position(*nodes.first()?)?;
                let index = if index < 0 { index + parts.len() as i64 } else { index };
                let index = usize::try_from(index).ok().filter(|index| *index < parts.len())?;
                given = parts.remove(index);
            }
            _ => return None,
        }
        Some(Act::Known {
            given,
            ignored: None,
            shape: Some(Shape::sequence(ContainerKind::List, parts)),
        })
    }

    fn dict_method(&mut self, method: &str, shape: &Shape, arguments: &[Argument]) -> Option<Act> {
        if matches!(method, "items" | "values" | "keys" | "copy") {
            return Some(Act::Look);
        }
        let mut shape = shape.clone();
        if method == "clear" {
            shape.parts.clear();
            return Some(changed(shape));
        }
        if method == "update" {
            for argument in arguments {
                match argument.kind {
                    ArgumentKind::Keyword(name) => shape.put(ElementKey::Text(name), part_of(argument)),
                    ArgumentKind::Positional => {
                        let other = self.pairs_of(argument.place?)?;
                        other.parts.iter().for_each(|(key, part)| shape.put(*key, *part));
                    }
                    _ => return None,
                }
            }
            return Some(changed(shape));
        }
        let [key, default @ ..] = arguments else { return None };
        let is_plain = |argument: &Argument| matches!(argument.kind, ArgumentKind::Positional);
        if !arguments.iter().all(is_plain) || default.len() > 1 {
            return None;
        }
        let Some(key) = key.text.map(ElementKey::Text) else {
            // A key that is not known: a look at any of them.
            return (method == "get").then_some(Act::Look);
        };
        let found = shape.find(key);
        let given = match (found, default.first()) {
            (Some(index), _) => shape.parts[index].1,
            (None, Some(default)) => part_of(default),
            (None, None) => Part::default(),
        };
        let shape = match (method, found) {
            ("move_to_end", Some(_)) => return Some(Act::Look),
            ("get", _) | ("setdefault", Some(_)) | ("pop", None) => None,
            ("setdefault", None) => {
                shape.put(key, given);
                Some(shape)
            }
            ("pop", Some(index)) => Some(without(shape, index)),
            _ => return None,
        };
        Some(Act::Known {
            given,
            ignored: Some(1),
            shape,
        })
    }

    /// A dict of what is a dict, or a sequence of pairs, of known shape.
    fn pairs_of(&mut self, place: PlaceId) -> Option<Shape> {
        self.builder.give_parts(place);
        let shape = self.builder.shape(place)?;
        if shape.kind == ContainerKind::Map {
            return Some(shape.clone());
        }
        let mut made = Shape {
            kind: ContainerKind::Map,
            parts: Vec::new(),
        };
        for pair in shape.values() {
            let pair: Vec<Part> = self.builder.shape(pair.place?)?.values().collect();
            let [key, value] = pair.as_slice() else { return None };
            made.put(ElementKey::Text(key.text?), *value);
        }
        Some(made)
    }

    /// Whether a call keeps nothing of its arguments: a function of the language, or `join` of a constant text.
    pub(super) fn only_looks(&mut self, function: Node<'t>) -> bool {
        if let Some(name) = self.of_collections(function) {
            let call = function.parent();
            return name != "defaultdict" || call.is_some_and(|call| self.makes_default_table(call));
        }
        match function.kind() {
            "identifier" if keeps_nothing(self.text_of(function)) => {
                let name = self.name_of(function);
                let is_late = LATE.contains(&self.text_of(function)) && is_kept(function);
                !is_late && !self.builder.is_bound(name)
            }
            "attribute" => {
                let object = function.child_by_field_name("object");
                object.is_some_and(|object| object.kind() == "string")
            }
            _ => false,
        }
    }

    /// What such a function makes of containers of known shape.
    pub(super) fn made_of(
        &mut self,
        function: Node<'t>,
        arguments: &[Argument],
        at: Position,
    ) -> Option<(Shape, Option<PlaceId>)> {
        let name = self.of_collections(function).unwrap_or(self.text_of(function));
        if name == "defaultdict" && arguments.len() == 1 {
            return self.made_dict(&[], at);
        }
        if matches!(name, "deque" | "OrderedDict") && arguments.is_empty() {
            let kind = if name == "deque" {
                ContainerKind::List
            } else {
                ContainerKind::Map
            };
            return Some((Shape::sequence(kind, []), None));
        }
        if matches!(name, "copy" | "deepcopy") {
            return self.made_copy(function, name == "deepcopy", arguments, at);
        }
        if name == "ChainMap" {
            return self.made_chain(arguments, at);
        }
        if let ("zip", [rows]) = (name, arguments)
            && rows.kind == ArgumentKind::Spread
        {
            let rows = self.spread_parts(rows.place?)?;
            let rows = rows.iter().map(|row| self.spread_parts(row.place?));
            let rows = rows.collect::<Option<Vec<_>>>()?;
            let columns = self.tuples(turned(&rows), at);
            return Some((Shape::sequence(ContainerKind::Generator, columns), None));
        }
        if matches!(name, "dict" | "OrderedDict") {
            return self.made_dict(arguments, at);
        }
        let mut given = Vec::new();
        for argument in arguments {
            let is_plain = matches!(argument.kind, ArgumentKind::Positional);
            given.push(self.spread_parts(argument.place.filter(|_| is_plain)?)?);
        }
        let (kind, parts) = match (name, given.as_mut_slice()) {
            ("list" | "deque", [parts]) => (ContainerKind::List, std::mem::take(parts)),
            ("tuple", [parts]) => (ContainerKind::Tuple, std::mem::take(parts)),
            ("reversed", [parts]) => (ContainerKind::Generator, parts.drain(..).rev().collect()),
            ("enumerate", [parts]) => {
                let parts = parts.iter().map(|part| vec![Part::default(), *part]).collect();
                (ContainerKind::Generator, self.tuples(parts, at))
            }
            ("zip", columns @ [_, ..]) => (ContainerKind::Generator, self.tuples(turned(columns), at)),
            _ => return None,
        };
        Some((Shape::sequence(kind, parts), None))
    }

    fn tuples(&mut self, rows: Vec<Vec<Part>>, at: Position) -> Vec<Part> {
        let tuple = |row| Part {
            place: Some(self.builder.make(Shape::sequence(ContainerKind::Tuple, row), at)),
            ..Part::default()
        };
        rows.into_iter().map(tuple).collect()
    }

    /// `dict(k=a)`, `dict(row)`, `dict(pairs)`; the container itself where the parts are not those of what is given.
    fn made_dict(&mut self, arguments: &[Argument], at: Position) -> Option<(Shape, Option<PlaceId>)> {
        let mut shape = Shape {
            kind: ContainerKind::Map,
            parts: Vec::new(),
        };
        let mut of_pairs = false;
        for argument in arguments {
            match argument.kind {
                ArgumentKind::Positional => {
                    let place = argument.place?;
                    of_pairs |= self.builder.shape(place)?.kind != ContainerKind::Map;
                    let other = self.pairs_of(place)?;
                    other.parts.iter().for_each(|(key, part)| shape.put(*key, *part));
                }
                ArgumentKind::Keyword(name) => shape.put(ElementKey::Text(name), part_of(argument)),
                ArgumentKind::SpreadKeywords => {
                    let other = self.builder.shape(argument.place?)?.clone();
                    if other.kind != ContainerKind::Map {
                        return None;
                    }
                    other.parts.iter().for_each(|(key, part)| shape.put(*key, *part));
                    of_pairs = true;
                }
                _ => return None,
            }
        }
        let container = of_pairs.then(|| self.builder.make(shape.clone(), at));
        Some((shape, container))
    }

    /// A constant position, from the start or, below zero, from the end.
    pub(super) fn constant_position(&self, node: Node<'t>) -> Option<i64> {
        matches!(node.kind(), "integer" | "unary_operator")
            .then(|| self.text_of(node).parse().ok())
            .flatten()
    }
}

/// Rows of columns, as long as the shortest of these.
fn turned(columns: &[Vec<Part>]) -> Vec<Vec<Part>> {
    let length = columns.iter().map(Vec::len).min().unwrap_or_default();
    let row = |index| columns.iter().filter_map(|column| column.get(index).copied()).collect();
    (0..length).map(row).collect()
}

/// A position, from the start or, below zero, from the end.
pub(super) fn position_key(index: i64) -> Option<ElementKey> {
    let size = u32::try_from(index.unsigned_abs()).ok()?;
    Some(match index < 0 {
        true => ElementKey::Back(size),
        false => ElementKey::Index(size),
    })
}

fn changed(shape: Shape) -> Act {
    Act::Known {
        given: Part::default(),
        ignored: None,
        shape: Some(shape),
    }
}

fn part_of(argument: &Argument) -> Part {
    Part {
        place: argument.place,
        text: argument.text,
        constant: argument
            .constant
            .filter(|constant| !matches!(constant, Constant::Display(_) | Constant::Function)),
    }
}

fn without(mut shape: Shape, index: usize) -> Shape {
    shape.parts.remove(index);
    match shape.kind {
        ContainerKind::Map => shape,
        kind => Shape::sequence(kind, shape.values().collect::<Vec<_>>()),
    }
}

fn clamped(index: i64, length: usize) -> usize {
    let index = if index < 0 { index + length as i64 } else { index };
    index.clamp(0, length as i64) as usize
}

/// The positions that a slice takes, in order.
fn sliced(text: &str, length: usize) -> Option<Vec<usize>> {
    let mut bounds = Vec::new();
    for bound in text.split(':') {
        let bound = bound.trim();
        bounds.push(match bound {
            "" => None,
            _ => Some(bound.parse::<i64>().ok()?),
        });
    }
    let (start, stop) = (*bounds.first()?, *bounds.get(1)?);
    match bounds.get(2).copied().flatten() {
        None | Some(1) if bounds.len() <= 3 => {
            let start = start.map_or(0, |start| clamped(start, length));
            let stop = stop.map_or(length, |stop| clamped(stop, length));
            Some((start..stop.max(start)).collect())
        }
        Some(-1) if start.is_none() && stop.is_none() => Some((0..length).rev().collect()),
        _ => None,
    }
}

/// Whether the value of a call goes into a variable, or out of the function: it may be looked at later.
fn is_kept(function: Node<'_>) -> bool {
    let around = function.parent().and_then(|call| call.parent());
    // What is taken apart at once is looked at here.
    let is_taken_apart = |around: Node<'_>| {
        let left = around.child_by_field_name("left");
        left.is_some_and(|left| left.kind().ends_with("pattern") || left.kind() == "pattern_list")
    };
    around.filter(|around| !is_taken_apart(*around)).is_some_and(|around| {
        matches!(
            around.kind(),
            "assignment" | "return_statement" | "yield" | "keyword_argument" | "named_expression"
        )
    })
}
