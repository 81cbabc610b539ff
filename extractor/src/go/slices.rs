//! Slices that are cut out of others, and made longer: `list[1:3]`, `append(list, text)`, `append(list[:1], list[2:]...)`.
//!
//! ```go
//! tail := list[1:]           // a window: a slice of its own, whose parts are parts of `list`, at other positions
//! list[2] = secret           // is `tail[1]`, too
//! all := append(tail, "x")   // what is made longer
//! ```

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{
    Argument, ArgumentKind, AtEnd, ContainerKind, ElementKey, Name, Object, PlaceId, PlaceKind, Position,
    TypeExpression,
};
use crate::tree::{Parts, children};

impl<'t> Walker<'t> {
    /// `list[start:end]`.
    pub(super) fn sliced(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        let start = match node.child_by_field_name("start") {
            Some(start) => self.text_of(start).parse().ok().filter(|start: &i32| *start >= 0),
            None => Some(0),
        };
        let mut bounds = Vec::new();
        for index in ["start", "end", "capacity"] {
            bounds.extend(node.child_by_field_name(index).and_then(|index| self.expression(index)));
        }
        let base = node
            .child_by_field_name("operand")
            .and_then(|operand| self.expression(operand))?;
        if self.is_room_for_bytes(node) {
            return Some(base);
        }
        let cut = self.cut_of(node);
        let end = self.window_end(node);
        if cut.is_some() || start == Some(0) && end.is_none() {
            // The same elements at the same positions.
            let same = self.builder.value(at);
            self.builder.flow(Some(base), same, How::Assign, at);
            bounds
                .into_iter()
                .for_each(|bound| self.builder.test(Some(bound), same, at));
            match cut {
                Some(AtEnd::CutFirst) => self.builder.cut_first(same, at),
                Some(cut) => self.builder.change_end(same, cut),
                None => {}
            }
            return Some(same);
        }
        let rest = self.builder.object(Object::Container(ContainerKind::List), at);
        self.builder.shared_with(base, rest);
        bounds
            .into_iter()
            .for_each(|bound| self.builder.test(Some(bound), rest, at));
        match start {
            Some(start) => {
                self.builder.copy_parts(base, rest, -start, Vec::new(), at);
                self.builder.stop_parts(end);
                // They share their elements.
                self.builder.copy_parts(rest, base, start, Vec::new(), at);
            }
            None => {
                self.put_somewhere(base, rest, at);
                self.note_open_window(rest, base);
            }
        }
        Some(rest)
    }

    /// Whether what `append` gives is the slice that it is given, made longer, and nobody else has that one as it was: it is assigned to
    /// the variable that it is of, or was made for the call.
    pub(super) fn is_grown(&mut self, first: Node<'t>) -> bool {
        match first.kind() {
            "composite_literal" => {
                let part = |field: &str| first.child_by_field_name(field);
                let is_slice = part("type").is_some_and(|of| of.kind() == "slice_type");
                is_slice && part("body").is_some_and(|body| body.named_child_count() > 0)
            }
            "slice_expression" if first.child_by_field_name("capacity").is_none() => {
                let operand = first.child_by_field_name("operand");
                let is_own = operand.is_some_and(|operand| self.is_changed(operand));
                let is_all = first
                    .child_by_field_name("end")
                    .is_some_and(|end| self.text_of(end) == "0");
                // Asked again by the expression itself.
                if is_own && is_all {
                    self.changed = operand.and_then(|operand| self.written(operand));
                }
                is_own && is_all || self.window_end(first).is_some()
            }
            _ => self.is_changed(first),
        }
    }

    /// `var stages Pipeline`, of which only its file knows that it is a slice: it may hold nothing yet.
    fn is_of_named_type(&mut self, node: Node<'t>) -> bool {
        if node.kind() != "identifier" {
            return false;
        }
        let name = self.name_of(node);
        let declared = self.variable_types.get(&name).copied();
        declared.is_some_and(|declared| {
            let expression = &self.builder.facts.type_expressions[declared.0 as usize];
            matches!(expression, TypeExpression::Path { .. })
        })
    }

    /// Whether somebody still has the slice that is made longer, as it was, and there is no room behind what is in it: it is what the caller
    /// has, or was written down in a variable that nothing else is assigned to.
    fn stays_as_it_is(&mut self, given: &[Node<'t>], is_grown: bool) -> bool {
        let Some((first, rest)) = given.split_first() else {
            return false;
        };
        if first.kind() != "identifier" {
            return first.child_by_field_name("capacity").is_some();
        }
        let is_longer = rest.iter().any(|part| part.kind() != "variadic_argument");
        self.is_given(Some(*first)) || !is_grown && is_longer && self.is_written_down(*first)
    }

    /// Whether a variable of the function is a slice that is written down with its parts, once, and of which nobody takes the address.
    fn is_written_down(&mut self, name: Node<'t>) -> bool {
        let mut around = name.parent();
        while let Some(node) = around.filter(|node| !node.kind().starts_with("func")) {
            around = node.parent();
        }
        let Some(body) = around.and_then(|function| function.child_by_field_name("body")) else {
            return false;
        };
        if !self.written_down.contains_key(&body.id()) {
            let names = self.names_written_down(body);
            self.written_down.insert(body.id(), names);
        }
        self.written_down[&body.id()].contains(self.text_of(name))
    }

    /// All such names of a function's body.
    fn names_written_down(&self, body: Node<'t>) -> FxHashSet<&'t str> {
        let (mut times, mut literals) = (FxHashMap::<&'t str, usize>::default(), FxHashSet::default());
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            open.extend(children(node));
            let part = |field: &str| node.child_by_field_name(field);
            let names: Vec<&'t str> = match part("left").or_else(|| part("name")) {
                Some(left) if left.kind() == "expression_list" => {
                    children(left).map(|name| self.text_of(name)).collect()
                }
                left => left.map(|left| self.text_of(left)).into_iter().collect(),
            };
            let right = part("right").filter(|right| right.part_count() == 1);
            if node.kind() == "short_var_declaration"
                && right.and_then(|right| right.part(0)).is_some_and(is_slice_literal)
            {
                literals.extend(names.iter().copied());
            }
            let is_address = node.kind() == "unary_expression" && self.text_of(node).starts_with('&');
            let addressed = part("operand")
                .filter(|_| is_address)
                .map(|operand| self.text_of(operand));
            for name in names.into_iter().chain(addressed) {
                *times.entry(name).or_default() += 1;
            }
        }
        literals.retain(|name| times.get(name) == Some(&1));
        literals
    }

    /// What `append` gives.
    pub(super) fn appended(
        &mut self,
        given: &[Node<'t>],
        arguments: &[Argument],
        is_grown: bool,
        at: Position,
    ) -> PlaceId {
        let base = arguments.first().and_then(|argument| argument.place);
        // What is no variable may hold nothing yet: then the slice is made here.
        let is_stored = given.first().is_some_and(|first| {
            matches!(
                first.kind(),
                "selector_expression" | "index_expression" | "unary_expression"
            )
        });
        let is_stored = is_stored || given.first().is_some_and(|first| self.is_of_named_type(*first));
        let is_new = given.first().is_some_and(|first| self.is_empty_slice(*first));
        let grown = if is_stored || is_new {
            self.builder.object(Object::Container(ContainerKind::List), at)
        } else {
            self.builder.place(PlaceKind::Value, Name(0), at)
        };
        let is_apart = self.stays_as_it_is(given, is_grown);
        match base.filter(|_| is_apart) {
            // What the caller has is no longer than before.
            Some(base) => {
                self.builder
                    .facts
                    .objects
                    .push((grown, Object::Container(ContainerKind::List)));
                self.builder.derive(Some(base), grown, at);
                self.builder.copy_parts(base, grown, 0, Vec::new(), at);
            }
            None => self.builder.flow(base, grown, How::Assign, at),
        }
        if let Some(base) = base.filter(|_| is_stored && is_grown && !is_apart) {
            let written = given.first().and_then(|first| self.written(*first)).unwrap_or(Name(0));
            self.builder.facts.grown.push((grown, base, written));
            self.builder.facts.lengths.push((grown, 0));
        }
        // What is put behind a window is put into what it is cut out of.
        let is_window = given
            .first()
            .is_some_and(|first| first.kind() == "slice_expression" && self.window_end(*first).is_some());
        let longer = base.filter(|_| is_window && !is_apart).unwrap_or(grown);
        for argument in arguments.iter().skip(1) {
            if let (true, ArgumentKind::Spread, Some(from)) = (is_new, argument.kind, argument.place) {
                self.builder.copy_parts(from, grown, 0, Vec::new(), argument.position);
                continue;
            }
            // A constant makes the slice longer, too.
            let mut value = argument.place.unwrap_or_else(|| self.builder.value(argument.position));
            let is_spread = argument.kind == ArgumentKind::Spread;
            let spread = value;
            if is_spread {
                value = self.builder.element_load(value, ElementKey::Any, argument.position);
            }
            self.builder
                .element_store(longer, ElementKey::Any, Some(value), argument.position);
            match (is_grown || is_apart, is_spread) {
                (true, true) => self.builder.put_all_last(longer, spread),
                (true, false) => self.builder.put_last(longer),
                (false, _) => {}
            }
        }
        self.builder.chosen_as(grown, at);
        grown
    }

    /// Where a window ends, if that is written as a number; none for a text, which has no parts.
    fn window_end(&mut self, node: Node<'t>) -> Option<u32> {
        let end = node.child_by_field_name("end")?;
        let start = node
            .child_by_field_name("start")
            .map_or("0", |start| self.text_of(start));
        let (start, end): (u32, u32) = (start.parse().ok()?, self.text_of(end).parse().ok()?);
        let operand = node.child_by_field_name("operand")?;
        (0 < end && start <= end && !self.is_text(operand)).then_some(end)
    }

    /// `copy(buffer[2:], text)`, `reader.Read(buffer[n:])`: bytes have no parts that are told apart, so that what is written into some of
    /// them is written into the buffer.
    fn is_room_for_bytes(&mut self, window: Node<'t>) -> bool {
        let around = window.parent().filter(|around| around.kind() == "argument_list");
        let called = around.and_then(|around| around.parent()?.child_by_field_name("function"));
        let is_handed = called.is_some_and(|called| {
            called.kind() == "selector_expression" || called.kind() == "identifier" && self.text_of(called) != "append"
        });
        let mut operand = window.child_by_field_name("operand");
        while let Some(inner) = operand.filter(|operand| operand.kind() == "slice_expression") {
            operand = inner.child_by_field_name("operand");
        }
        is_handed && operand.is_some_and(|operand| self.is_bytes(operand))
    }

    /// Whether a variable, or a field that this file declares, holds bytes.
    fn is_bytes(&mut self, node: Node<'t>) -> bool {
        let names = ["byte", "uint8"].map(|name| self.builder.name(name));
        let is_bytes = |walker: &Self, declared: crate::facts::TypeExpressionId| {
            let expressions = &walker.builder.facts.type_expressions;
            let Some(TypeExpression::Container {
                kind: ContainerKind::List,
                element: Some(element),
                ..
            }) = expressions.get(declared.0 as usize)
            else {
                return false;
            };
            let element = expressions.get(element.0 as usize);
            matches!(element, Some(TypeExpression::Path { parts, .. }) if matches!(parts[..], [name] if names.contains(&name)))
        };
        match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                let declared = self.variable_types.get(&name).copied();
                declared.is_some_and(|declared| is_bytes(self, declared))
                    || self.static_type(node, 0).as_deref() == Some("[]uint8")
            }
            "selector_expression" => {
                let Some(field) = node.child_by_field_name("field") else {
                    return false;
                };
                let field = self.name_of(field);
                let fields = self.builder.facts.types.iter().flat_map(|row| &row.fields);
                let mut declared = fields.filter(|row| row.name == field).peekable();
                declared.peek().is_some()
                    && declared.all(|row| row.declared.is_some_and(|declared| is_bytes(self, declared)))
            }
            _ => false,
        }
    }

    /// Whether an expression is known to be a text.
    fn is_text(&mut self, node: Node<'t>) -> bool {
        let name = (node.kind() == "identifier").then(|| self.name_of(node));
        let declared = name.and_then(|name| self.variable_types.get(&name));
        let declared = declared.and_then(|declared| self.builder.facts.type_expressions.get(declared.0 as usize));
        let written = match declared {
            Some(TypeExpression::Path { parts, .. }) => Some(parts.clone()),
            _ => None,
        };
        if let Some(parts) = written {
            return parts[..] == [self.builder.name("string")];
        }
        self.static_type(node, 0).as_deref() == Some("string")
    }
}

/// `[]string{"a"}`: a slice that is written down with its parts.
fn is_slice_literal(node: Node<'_>) -> bool {
    let part = |field: &str| node.child_by_field_name(field);
    node.kind() == "composite_literal"
        && part("type").is_some_and(|of| of.kind() == "slice_type")
        && part("body").is_some_and(|body| body.part_count() > 0)
}
