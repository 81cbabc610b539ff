//! What an iteration does with each item, where the items are known.
//!
//! ```python
//! form = {"name": name, "pin": pin}
//! for key, value in form.items():        # two rows: "name" and `name`, "pin" and `pin`
//!     if key != "pin":
//!         clean[key] = value.strip()     # `clean` gets a part "name", of `name` alone
//! ```
//!
//! A comprehension makes its parts so, and a loop that only puts things into containers of known shape. What it does besides is walked
//! as any loop is.

use crate::tree::{Parts, children};
use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::containers::LOOKING;
use super::expression::operator_method;
use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::constant::joined;
use crate::facts::{Argument, ArgumentKind, Constant, ContainerKind, ElementKey, Name, PlaceId, Position};

/// Most items that are told apart.
pub(super) const ROW_LIMIT: usize = 32;

/// How deep expressions are looked into.
const DEPTH_LIMIT: u8 = 6;

/// Methods of texts that give the text itself in another form.
pub(super) const OF_TEXTS: &[&str] = &[
    "capitalize",
    "casefold",
    "lower",
    "lstrip",
    "rstrip",
    "strip",
    "swapcase",
    "title",
    "upper",
];

/// What the variables of an iteration hold for one item.
pub(super) type Row = Vec<(Name, Part)>;

/// What one item puts into a container.
#[derive(Debug)]
pub(super) struct Put {
    pub(super) into: Name,
    /// None for what goes behind the others.
    pub(super) key: Option<Name>,
    pub(super) part: Part,
    pub(super) at: Position,
    /// It may not happen.
    pub(super) maybe: bool,
}

/// What a loop puts into containers.
#[derive(Debug, Default)]
pub(super) struct Puts {
    pub(super) all: Vec<Put>,
    /// What the tests ask for under which the next put happens, where nobody knows how they end.
    pub(super) under: Option<Vec<PlaceId>>,
    /// One of the branches that were gone through last goes on with the next item.
    pub(super) leaves: bool,
}

/// How the body of a loop goes on behind a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Statement,
    Row,
    Nothing,
}

impl<'t> Walker<'t> {
    /// What the targets of a clause hold, one row an item, for each row of the clauses before; none if the items are not known.
    pub(super) fn crossed(&mut self, rows: Vec<Row>, target: Node<'t>, items: &[Part]) -> Option<Vec<Row>> {
        if rows.len() * items.len() > ROW_LIMIT {
            return None;
        }
        let mut crossed = Vec::new();
        for row in &rows {
            for item in items {
                let mut row = row.clone();
                self.bind(target, *item, &mut row)?;
                crossed.push(row);
            }
        }
        Some(crossed)
    }

    fn bind(&mut self, target: Node<'t>, item: Part, row: &mut Row) -> Option<()> {
        match target.kind() {
            "identifier" => row.push((self.name_of(target), item)),
            "pattern_list" | "tuple_pattern" => {
                let parts: Vec<Part> = self.builder.shape(item.place?)?.values().collect();
                if parts.len() != target.part_count() {
                    return None;
                }
                for (target, part) in children(target).zip(parts) {
                    self.bind(target, part, row)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// The rows for which a condition may hold; none if there is one of which that is not known.
    pub(super) fn rows_where(&mut self, condition: Node<'t>, rows: Vec<Row>) -> Option<Vec<Row>> {
        let mut kept = Vec::new();
        for row in rows {
            if self.decided(condition, &row, 0)? {
                kept.push(row);
            }
        }
        Some(kept)
    }

    /// What a condition comes to for one item, if its texts say so.
    pub(super) fn decided(&mut self, node: Node<'t>, row: &Row, depth: u8) -> Option<bool> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "parenthesized_expression" => self.decided(node.part(0)?, row, depth + 1),
            "not_operator" => Some(!self.decided(node.child_by_field_name("argument")?, row, depth + 1)?),
            "boolean_operator" => {
                let decides = !super::narrow::is_and(node);
                let left = self.decided(node.child_by_field_name("left")?, row, depth + 1);
                let right = self.decided(node.child_by_field_name("right")?, row, depth + 1);
                joined(decides, left, right)
            }
            "comparison_operator" => {
                let (left, operator, right) = super::truth::sides(node)?;
                let text = self.row_text(left, row)?;
                match operator {
                    "==" | "!=" => Some((text == self.row_text(right, row)?) == (operator == "==")),
                    "in" | "not in" => {
                        let texts = self.texts_listed(right)?;
                        Some(texts.contains(&text) == (operator == "in"))
                    }
                    _ => None,
                }
            }
            "call" => {
                let function = node.child_by_field_name("function")?;
                let text = self.row_text(function.child_by_field_name("object")?, row)?;
                let given: Vec<_> = children(node.child_by_field_name("arguments")?).collect();
                let [given] = given.as_slice() else { return None };
                let given = self.row_text(*given, row)?;
                match self.text_of(function.child_by_field_name("attribute")?) {
                    "startswith" => Some(text.starts_with(&given)),
                    "endswith" => Some(text.ends_with(&given)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn row_text(&mut self, node: Node<'t>, row: &Row) -> Option<String> {
        if let Some(text) = self.text_for(node, row, 0) {
            return Some(text);
        }
        if node.kind() == "identifier" {
            let name = self.name_of(node);
            if let Some((_, part)) = row.iter().rev().find(|(bound, _)| *bound == name) {
                return part.text.map(|text| self.builder.facts.text(text).to_owned());
            }
        }
        let node = self.literal(node);
        self.constant_text(node)
    }

    /// The position that a name of the row is.
    fn row_index(&mut self, node: Node<'t>, row: &Row) -> Option<u32> {
        if node.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(node);
        let (_, part) = row.iter().rev().find(|(bound, _)| *bound == name)?;
        match part.constant {
            Some(Constant::Number(number)) => u32::try_from(number).ok(),
            _ => None,
        }
    }

    /// A plain expression for one item: of names, literals, tuples, parts, and texts that are put behind each other.
    pub(super) fn project(&mut self, node: Node<'t>, row: &Row) -> Option<Part> {
        let at = position(node);
        let of = |place| Part {
            place,
            ..Part::default()
        };
        if let Some(text) = self.text_for(node, row, 0) {
            return Some(Part {
                text: Some(self.builder.name(&text)),
                ..Part::default()
            });
        }
        match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                let bound = row.iter().rev().find(|(bound, _)| *bound == name);
                Some(bound.map_or_else(|| of(Some(self.builder.see_name(name, at))), |(_, part)| *part))
            }
            "string" if self.constant_text(node).is_some() => {
                let text = self.constant_text(node)?;
                Some(Part {
                    place: None,
                    text: Some(self.builder.name(&text)),
                    ..Part::default()
                })
            }
            "string" => {
                let mut parts = Vec::new();
                for inner in children(node).filter(|part| part.kind() == "interpolation") {
                    let shown = self.project(inner.part(0).filter(|_| inner.part_count() == 1)?, row)?;
                    parts.push(
                        shown
                            .place
                            .map(|shown| self.builder.implicit_call(shown, "__str__", Vec::new(), at)),
                    );
                }
                Some(of(self.builder.derived(&parts, at)))
            }
            "integer" | "float" | "true" | "false" | "none" => Some(Part::default()),
            "parenthesized_expression" => self.project(node.part(0)?, row),
            "tuple" | "list" | "dictionary" => self.project_display(node, row),
            "binary_operator" if self.repeated(node).is_some() => self.project_display(node, row),
            "binary_operator" => {
                let sides = [node.child_by_field_name("left")?, node.child_by_field_name("right")?];
                // Lists are added, and texts are written by `%`, otherwise.
                let operator = node.child_by_field_name("operator")?.kind();
                let is_plain = |side: &Node<'t>| matches!(side.kind(), "string" | "integer" | "float");
                if matches!(operator, "+" | "%") && !sides.iter().any(is_plain) {
                    return None;
                }
                // `"%s=%s" % (key, value)` takes the parts.
                if operator == "%" && sides[1].kind() == "tuple" {
                    let parts: Option<Vec<Part>> = children(sides[1]).map(|part| self.project(part, row)).collect();
                    let places: Vec<_> = parts?.into_iter().map(|part| part.place).collect();
                    return Some(of(self.builder.derived(&places, at)));
                }
                let [left, right] = sides.map(|side| self.project(side, row));
                let (left_part, right_part) = (left?, right?);
                let (left, right) = (left_part.place, right_part.place);
                // A key that is worked out is somewhere else.
                let is_unseen = |part: &Part| part.place.is_none() && part.text.is_none() && part.constant.is_none();
                let mut named = sides.iter().zip([left_part, right_part]);
                if named.any(|(side, part)| side.kind() == "identifier" && is_unseen(&part)) {
                    return None;
                }
                if sides.iter().any(|side| side.kind() == "string") {
                    return Some(of(self.builder.derived(&[left, right], at)));
                }
                // Of containers of which the parts are known, another one is made.
                if [left, right]
                    .into_iter()
                    .flatten()
                    .any(|side| self.builder.shape(side).is_some())
                {
                    return None;
                }
                let method = operator_method(operator)?;
                let Some(left) = left else {
                    return Some(of(self.builder.derived(&[right], at)));
                };
                let argument = Self::positional(right, sides[1]);
                Some(of(Some(self.builder.implicit_call(left, method, vec![argument], at))))
            }
            "list_comprehension" => self.project_each(node, row),
            "subscript" => {
                let base = self.project(node.child_by_field_name("value")?, row)?.place?;
                let index = node.child_by_field_name("subscript")?;
                let key = match (self.row_text(index, row), self.row_index(index, row)) {
                    (Some(text), _) => ElementKey::Text(self.builder.name(&text)),
                    (None, Some(position)) => ElementKey::Index(position),
                    (None, None) => {
                        let index = self.literal(index);
                        ElementKey::Index(u32::try_from(self.constant_position(index)?).ok()?)
                    }
                };
                self.builder.give_parts(base);
                let shape = self.builder.shape(base);
                if let Some(part) = shape.and_then(|shape| Some(shape.parts[shape.find(key)?].1)) {
                    return Some(part);
                }
                Some(of(Some(self.builder.element_load(base, key, at))))
            }
            "attribute" => {
                let base = self.project(node.child_by_field_name("object")?, row)?.place?;
                let member = self.name_of(node.child_by_field_name("attribute")?);
                Some(of(Some(self.builder.load(base, member, at))))
            }
            "call" => {
                let function = node.child_by_field_name("function")?;
                if let Some(converted) = self.project_conversion(node, function, row) {
                    return Some(of(converted));
                }
                if matches!(function.kind(), "identifier" | "subscript") {
                    return self.project_call(node, function, row).map(|result| of(Some(result)));
                }
                let method = self.text_of(function.child_by_field_name("attribute")?);
                let given = node.child_by_field_name("arguments")?;
                if method == "get" && matches!(given.part_count(), 1 | 2) {
                    return self
                        .project_get(node, (function, given), row)
                        .map(|found| of(Some(found)));
                }
                let is_own = || self.text.contains(&format!("def {method}("));
                if !OF_TEXTS.contains(&method) || given.part_count() > 0 || is_own() {
                    return self.project_call(node, function, row).map(|result| of(Some(result)));
                }
                let text = self.project(function.child_by_field_name("object")?, row)?;
                Some(of(self.builder.derived(&[text.place], at)))
            }
            _ => None,
        }
    }

    /// `form.get(key)`, `form.get(key, other)`: a part of a mapping that is known, else whatever the method gives.
    fn project_get(&mut self, node: Node<'t>, (function, given): (Node<'t>, Node<'t>), row: &Row) -> Option<PlaceId> {
        let (at, object) = (position(node), function.child_by_field_name("object")?);
        let key = self.row_text(given.part(0)?, row)?;
        let base = self.project(object, row)?.place?;
        if self.builder.shape(base).is_none() && self.calls_by_row {
            let mut arguments = Vec::new();
            for argument in children(given) {
                if argument.kind().contains("splat") || argument.kind() == "keyword_argument" {
                    return None;
                }
                let part = self.project(argument, row)?;
                let text = part.text.map(|text| self.builder.facts.text(text).to_owned());
                arguments.push(Argument {
                    kind: ArgumentKind::Positional,
                    place: part.place,
                    text: part.text,
                    constant: text.map(|text| self.builder.text_constant(&text)),
                    position: position(argument),
                });
            }
            let method = function.child_by_field_name("attribute")?;
            let (name, text) = (self.name_of(method), self.callee_text(function));
            let callee = self.builder.load(base, name, position(method));
            let at = position(method);
            return Some(self.builder.call(callee, text, Some(base), arguments, at, How::Method));
        }
        let key = ElementKey::Text(self.builder.name(&key));
        let found = self.builder.element_load(base, key, at);
        let Some(other) = given.part(1) else {
            return Some(found);
        };
        let other = self.project(other, row)?.place;
        let either = self.builder.value(at);
        self.flow_into(Some(found), either, at);
        self.flow_into(other, either, at);
        Some(either)
    }

    /// `str(value)`, `float(value)`: the language's own classes of texts and numbers.
    fn project_conversion(&mut self, node: Node<'t>, function: Node<'t>, row: &Row) -> Option<Option<PlaceId>> {
        let class = self.text_of(function);
        let given = node.child_by_field_name("arguments")?;
        let is_own = matches!(class, "str" | "int" | "float");
        let name = self.name_of(function);
        if !is_own || given.part_count() != 1 || self.builder.is_bound(name) {
            return None;
        }
        let (value, at) = (self.project(given.part(0)?, row)?.place, position(node));
        Some(match value {
            Some(value) if class == "str" => Some(self.builder.implicit_call(value, "__str__", Vec::new(), at)),
            _ => self.builder.derived(&[value], at),
        })
    }

    /// A function or class of the program is called with one item.
    fn project_call(&mut self, node: Node<'t>, function: Node<'t>, row: &Row) -> Option<PlaceId> {
        let mut receiver = None;
        let told = match function.kind() {
            "attribute" => {
                let object = function
                    .child_by_field_name("object")
                    .filter(|object| object.kind() == "identifier")?;
                let name = self.name_of(object);
                let (_, part) = row.iter().rev().find(|(bound, _)| *bound == name)?;
                let base = part.place?;
                if self.builder.shape(base).is_some() {
                    return None;
                }
                receiver = Some(base);
                let method = self.name_of(function.child_by_field_name("attribute")?);
                Some(self.builder.load(base, method, position(function)))
            }
            "identifier" => {
                let name = self.name_of(function);
                match row.iter().rev().find(|(bound, _)| *bound == name) {
                    Some((_, part)) => Some(part.place?),
                    None if self.builder.is_bound(name) && !self.never_back.contains(&name) => None,
                    None => return None,
                }
            }
            _ => Some(self.project(function, row)?.place?),
        };
        if !self.calls_by_row {
            return None;
        }
        let mut arguments = Vec::new();
        for argument in children(node.child_by_field_name("arguments")?).filter(|node| node.kind() != "comment") {
            let (kind, value) = match argument.kind() {
                "keyword_argument" => {
                    let name = argument.child_by_field_name("name")?;
                    (
                        ArgumentKind::Keyword(self.name_of(name)),
                        argument.child_by_field_name("value")?,
                    )
                }
                "list_splat" => {
                    let spread = self.project(argument.part(0)?, row)?.place?;
                    let at = position(argument);
                    let given = self.spread_parts(spread)?.into_iter().map(|part| Argument {
                        kind: ArgumentKind::Positional,
                        place: part.place,
                        text: part.text,
                        constant: part.constant,
                        position: at,
                    });
                    arguments.extend(given);
                    continue;
                }
                "for_in_clause" | "dictionary_splat" => return None,
                _ => (ArgumentKind::Positional, argument),
            };
            let part = self.project(value, row)?;
            let constant = match part.text {
                Some(text) => {
                    let text = self.builder.facts.text(text).to_owned();
                    Some(self.builder.text_constant(&text))
                }
                None if value.kind() == "identifier" => None,
                None => self.constant(value),
            };
            arguments.push(Argument {
                kind,
                place: part.place,
                text: part.text,
                constant,
                position: position(value),
            });
        }
        let callee = match told {
            Some(told) => told,
            None => self.expression(function)?,
        };
        let text = self.callee_text(function);
        let at = position(function);
        let how = receiver.map_or(How::Direct, |_| How::Method);
        Some(self.builder.call(callee, text, receiver, arguments, at, how))
    }

    /// `[row[key] for key in keys]`, where the keys are known.
    fn project_each(&mut self, node: Node<'t>, row: &Row) -> Option<Part> {
        let mut clauses = children(node).filter(|clause| clause.kind().ends_with("_clause"));
        let (clause, None) = (clauses.next()?, clauses.next()) else {
            return None;
        };
        let (target, source) = (
            clause.child_by_field_name("left")?,
            clause.child_by_field_name("right")?,
        );
        let body = node.child_by_field_name("body")?;
        let items = match self.counted(node, source) {
            Some(items) => items,
            None => {
                let held = self.project(source, row)?.place?;
                self.spread_parts(held)?
            }
        };
        let mut parts = Vec::new();
        for item in items {
            let mut inner = row.clone();
            self.bind(target, item, &mut inner)?;
            parts.push(self.project(body, &inner)?);
        }
        let list = self
            .builder
            .make(Shape::sequence(ContainerKind::List, parts), position(node));
        Some(Part {
            place: Some(list),
            ..Part::default()
        })
    }

    /// What a loop over known items puts into containers of known shape, and nothing else does there. Those statements are left out of
    /// the walk of its body.
    pub(super) fn puts_of_loop(&mut self, node: Node<'t>, source: PlaceId) -> Vec<Put> {
        let (Some(left), Some(body)) = (node.child_by_field_name("left"), node.child_by_field_name("body")) else {
            return Vec::new();
        };
        if self.builder.at_file_level() || node.child_by_field_name("alternative").is_some() {
            return Vec::new();
        }
        let mut targets = FxHashSet::default();
        if !self.note_targets(body, &mut targets) || targets.is_empty() {
            return Vec::new();
        }
        let items = node
            .child_by_field_name("right")
            .and_then(|right| self.known_items(Some(source), right));
        let Some(rows) = items.and_then(|items| self.crossed(vec![Vec::new()], left, &items)) else {
            return Vec::new();
        };
        let mut puts = Puts::default();
        // What the body gives to variables for one item, they hold as the next one comes.
        let mut carried: Row = Vec::new();
        // What is made for an item and has a name may be another object where that is used again.
        let is_named = self.names_what_it_makes(node, body);
        let calls_by_row = std::mem::replace(&mut self.calls_by_row, !is_named);
        for item in rows {
            let mut row = carried.clone();
            row.extend(item);
            (puts.under, puts.leaves) = (None, false);
            let bound = row.len();
            match self.puts_of_row(body, &mut row, &mut puts) {
                Some(Next::Nothing) => break,
                Some(_) => carried.extend(row.drain(bound..)),
                None => {
                    puts.all.clear();
                    targets.clear();
                    break;
                }
            }
        }
        self.calls_by_row = calls_by_row;
        self.left_out.extend(targets);
        puts.all
    }

    /// Whether a name that the body binds to what a call gives is used by anything but one statement that puts it somewhere.
    fn names_what_it_makes(&self, node: Node<'t>, body: Node<'t>) -> bool {
        let assigned =
            children(body).filter_map(|statement| statement.part(0).filter(|inner| inner.kind() == "assignment"));
        let of_calls = assigned.filter(|inner| {
            let right = inner.child_by_field_name("right");
            right.is_some_and(|right| right.kind() == "call")
        });
        let names: Vec<&str> = of_calls
            .filter_map(|inner| inner.child_by_field_name("left"))
            .map(|left| self.text_of(left))
            .collect();
        if names.is_empty() {
            return false;
        }
        let mut around = node;
        while let Some(outer) = around.parent().filter(|_| around.kind() != "function_definition") {
            around = outer;
        }
        let mut times: FxHashMap<&str, u32> = FxHashMap::default();
        let mut open = vec![around];
        while let Some(node) = open.pop() {
            if node.kind() == "identifier" && names.contains(&self.text_of(node)) {
                *times.entry(self.text_of(node)).or_default() += 1;
            }
            open.extend(children(node));
        }
        names
            .iter()
            .any(|name| times.get(name).copied().unwrap_or_default() > 2)
    }

    /// The statements that put something into a container; whether they alone are about it.
    fn note_targets(&mut self, body: Node<'t>, found: &mut FxHashSet<usize>) -> bool {
        let mut names: Vec<&'t str> = Vec::new();
        let mut heads: FxHashSet<usize> = FxHashSet::default();
        let mut mentioned: Vec<(&'t str, usize)> = Vec::new();
        let mut cursor = body.walk();
        'walk: loop {
            let node = cursor.node();
            match node.kind() {
                "expression_statement" => {
                    if let Some((head, ..)) = node.part(0).and_then(|inner| self.put_parts(inner)) {
                        names.push(self.text_of(head));
                        heads.insert(head.id());
                        found.extend(node.part(0).map(|inner| inner.id()));
                    }
                }
                "identifier" => mentioned.push((self.text_of(node), node.id())),
                "function_definition" | "lambda" | "class_definition" => return false,
                _ => {}
            }
            if cursor.goto_first_child() {
                continue;
            }
            while cursor.node().id() == body.id() || !cursor.goto_next_sibling() {
                if cursor.node().id() == body.id() || !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
        mentioned
            .iter()
            .all(|(name, id)| heads.contains(id) || !names.contains(name))
    }

    /// `out[key] = value`, `out.append(value)`, of a variable whose container has a known shape: the variable, key and value.
    fn put_parts(&mut self, inner: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>, Node<'t>)> {
        let (head, key, value, kind) = match inner.kind() {
            "assignment" => {
                let left = inner
                    .child_by_field_name("left")
                    .filter(|left| left.kind() == "subscript")?;
                let key = left.child_by_field_name("subscript")?;
                let value = inner.child_by_field_name("right")?;
                (left.child_by_field_name("value")?, Some(key), value, ContainerKind::Map)
            }
            "call" => {
                let function = inner.child_by_field_name("function")?;
                let method = function.child_by_field_name("attribute")?;
                let given = inner.child_by_field_name("arguments")?;
                let is_append = self.text_of(method) == "append" && given.part_count() == 1;
                let value = given.part(0).filter(|_| is_append)?;
                (
                    function.child_by_field_name("object")?,
                    None,
                    value,
                    ContainerKind::List,
                )
            }
            _ => return None,
        };
        if head.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(head);
        let (_, shape) = self.builder.shaped(name)?;
        (shape.kind == kind).then_some((head, key, value))
    }

    pub(super) fn puts_of_row(&mut self, body: Node<'t>, row: &mut Row, puts: &mut Puts) -> Option<Next> {
        for statement in children(body) {
            match statement.kind() {
                "expression_statement" => {
                    let inner = statement.part(0)?;
                    if let Some((head, key, value)) = self.put_parts(inner) {
                        let key = match key {
                            Some(key) => {
                                let text = self.row_text(key, row)?;
                                Some(self.builder.name(&text))
                            }
                            None => None,
                        };
                        let (mut part, at) = (self.project(value, row)?, position(inner));
                        if let Some(tests) = puts.under.clone().filter(|_| key.is_some()) {
                            part = self.part_under(part, &tests, at);
                        } else if puts.under.is_some() {
                            // Where it stands then, nobody knows.
                            return None;
                        }
                        puts.all.push(Put {
                            into: self.name_of(head),
                            key,
                            part,
                            at,
                            maybe: puts.under.is_some(),
                        });
                    } else if inner.kind() == "assignment" {
                        let left = inner
                            .child_by_field_name("left")
                            .filter(|left| left.kind() == "identifier")?;
                        let right = inner.child_by_field_name("right")?;
                        // What has a name may be changed by it.
                        if matches!(right.kind(), "list" | "dictionary" | "list_comprehension") {
                            return None;
                        }
                        // What it holds for the next item, nobody knows then: who asks for that must come behind.
                        if puts.under.is_some() && !self.is_first_named(left, right) {
                            return None;
                        }
                        let part = self.project(right, row)?;
                        row.push((self.name_of(left), part));
                    } else if !self.changes_nothing(inner) {
                        return None;
                    }
                }
                "if_statement" => {
                    let next = self.puts_of_branch(statement, row, puts)?;
                    if next != Next::Statement {
                        return Some(next);
                    }
                }
                "continue_statement" => return Some(Next::Row),
                "break_statement" if puts.under.is_none() => return Some(Next::Nothing),
                "pass_statement" | "comment" => {}
                _ => return None,
            }
        }
        Some(Next::Statement)
    }

    /// A call that changes nothing: `print(key)`, `log.info(key)`.
    pub(super) fn changes_nothing(&self, call: Node<'t>) -> bool {
        let function = call.child_by_field_name("function").filter(|_| call.kind() == "call");
        let Some(function) = function else { return false };
        match function.kind() {
            "identifier" => LOOKING.contains(&self.text_of(function)),
            _ => {
                let holder = function.child_by_field_name("object");
                holder.is_some_and(|holder| self.text_of(holder).to_ascii_lowercase().contains("log"))
            }
        }
    }

    fn puts_of_branch(&mut self, statement: Node<'t>, row: &mut Row, puts: &mut Puts) -> Option<Next> {
        match self.branch_for(statement, row) {
            Some(Some(taken)) => self.puts_of_row(taken, row, puts),
            Some(None) => Some(Next::Statement),
            None => self.puts_of_either(statement, row, puts),
        }
    }

    /// The branch of an `if` that is taken for one item, if there is one; none where that is not known.
    pub(super) fn branch_for(&mut self, statement: Node<'t>, row: &Row) -> Option<Option<Node<'t>>> {
        if self.decided(statement.child_by_field_name("condition")?, row, 0)? {
            return Some(Some(statement.child_by_field_name("consequence")?));
        }
        let mut cursor = statement.walk();
        let clauses: Vec<Node<'t>> = statement.children_by_field_name("alternative", &mut cursor).collect();
        for clause in clauses {
            let holds = match clause.child_by_field_name("condition") {
                Some(condition) => self.decided(condition, row, 0)?,
                None => true,
            };
            let body = clause
                .child_by_field_name("consequence")
                .or_else(|| clause.child_by_field_name("body"));
            if holds {
                return Some(Some(body?));
            }
        }
        Some(None)
    }

    /// A statement whose effect is told behind the loop: what else there is in it.
    pub(super) fn walk_left_out(&mut self, inner: Node<'t>) {
        match inner.kind() {
            "assignment" => {
                if let Some(right) = inner.child_by_field_name("right") {
                    self.expression(right);
                }
                if let Some(left) = inner.child_by_field_name("left") {
                    self.subscript_key(left);
                }
            }
            _ => {
                let (Some(function), at) = (inner.child_by_field_name("function"), position(inner)) else {
                    return;
                };
                let at = function.child_by_field_name("attribute").map_or(at, position);
                let text = self.callee_text(function);
                let arguments = self.arguments(inner.child_by_field_name("arguments"), false);
                let list = crate::facts::Object::Container(ContainerKind::List);
                let receiver = self.builder.object(list, at);
                let append = self.builder.name("append");
                let callee = self.builder.load(receiver, append, at);
                let how = How::Method;
                self.builder
                    .call_that_keeps(callee, text, Some(receiver), arguments, at, how);
            }
        }
    }
}
