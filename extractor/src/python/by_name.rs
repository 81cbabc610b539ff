//! Members that are named by what a variable holds: `for name in ("mail", "phone"): getattr(user, name)`.
//!
//! What the variable goes over is often written in the same file: a display, a table of constants. Where it is a parameter, or comes from
//! elsewhere, the texts of this file that name a member in it are what it may be; each of them is read where the parameter is that text.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::by_name::SetTo;
use crate::facts::{ElementKey, Name, PlaceId, Position, Question, Test};

/// Most members that are told apart; of more, none is read.
const NAME_LIMIT: usize = 16;

/// How deep displays and the expressions around them are looked into.
const DEPTH_LIMIT: u8 = 6;

/// What an iteration gives.
#[derive(Debug, Clone)]
enum Item<'t> {
    Node(Node<'t>),
    Text(String),
    Row(Vec<Item<'t>>),
    Other,
}

/// Names that a place may hold.
pub(super) struct Meant {
    /// What the variable holds, and the name that it gives.
    names: Vec<(String, Name)>,
    variable: Option<Name>,
    /// What fits all of them, where it is put together.
    pattern: Option<Name>,
    /// There are no others.
    pub(super) is_all: bool,
}

impl<'t> Walker<'t> {
    /// The members that an expression may name, which a loop may take from a table; none if nothing is known.
    pub(super) fn members_meant(&mut self, named: Node<'t>, table: Option<Node<'t>>) -> Option<Meant> {
        let around = match self.texts_of(&Item::Node(named), 0) {
            Some(texts) => return self.meant(texts, named, None, true),
            None => self.composed_around(named),
        };
        let variable = around.as_ref().map_or(named, |(_, variable, _)| *variable);
        let found = around
            .is_some()
            .then(|| self.texts_of(&Item::Node(variable), 0))
            .flatten();
        let is_all = found.is_some();
        let texts = match found {
            Some(texts) => texts,
            None => self.texts_handed_in(table.unwrap_or(variable)),
        };
        let around = around.map(|(before, _, behind)| (before, behind));
        self.meant(texts, variable, around, is_all)
    }

    fn meant(
        &mut self,
        mut texts: Vec<String>,
        variable: Node<'t>,
        around: Option<(String, String)>,
        is_all: bool,
    ) -> Option<Meant> {
        texts.sort_unstable();
        texts.dedup();
        if texts.is_empty() || texts.len() > NAME_LIMIT {
            return None;
        }
        let (before, behind) = around.clone().unwrap_or_default();
        let name = |text: String| {
            let name = self.builder.name(&format!("{before}{text}{behind}"));
            (text, name)
        };
        Some(Meant {
            names: texts.into_iter().map(name).collect(),
            variable: (variable.kind() == "identifier").then(|| self.name_of(variable)),
            pattern: around.map(|(before, behind)| self.builder.name(&format!("{before}*{behind}"))),
            is_all,
        })
    }

    /// Reads each of these members into a place, or what stands in for it.
    pub(super) fn read_meant(
        &mut self,
        (base, missing): (PlaceId, Option<PlaceId>),
        named: Node<'t>,
        meant: &Meant,
        to: PlaceId,
    ) {
        let at = position(named);
        self.each_meant(meant, &mut |walker, name| {
            let Some(name) = name else {
                let loaded = meant
                    .pattern
                    .map(|pattern| walker.builder.load_fitting(base, pattern, at));
                walker.flow_into(loaded, to, at);
                return walker.flow_into(missing, to, at);
            };
            let loaded = walker.builder.load(base, name, at);
            if let Some(load) = walker.builder.facts.loads.last_mut() {
                load.implicit = true;
            }
            walker.flow_into(Some(loaded), to, at);
            let missing = missing.map(|missing| walker.if_missing((base, name), missing, at));
            walker.flow_into(missing, to, at);
        });
    }

    /// What stands in for a member where that is missing.
    pub(super) fn if_missing(&mut self, (base, member): (PlaceId, Name), value: PlaceId, at: Position) -> PlaceId {
        let given = self.builder.value(at);
        self.untyped_narrowing((value, given), Test::Lacks(member), true, at);
        if let Some(row) = self.builder.facts.narrowings.last_mut() {
            row.named.push(base);
        }
        given
    }

    /// Writes each of these members: a value, or what a table has under the same name.
    pub(super) fn write_meant(
        &mut self,
        base: PlaceId,
        named: Node<'t>,
        meant: &Meant,
        (value, parts_of): (Option<PlaceId>, Option<PlaceId>),
    ) {
        let at = position(named);
        self.each_meant(meant, &mut |walker, name| {
            let Some(name) = name else { return };
            let part = parts_of.map(|table| walker.builder.element_load(table, ElementKey::Text(name), at));
            walker.builder.store(base, name, part.or(value), at);
            // Of names that others hand in, any may be none of this object.
            if let Some(store) = walker.builder.facts.stores.last_mut().filter(|_| !meant.is_all) {
                store.implicit = true;
            }
        });
    }

    /// The table of which a loop gives a key and its value: `for name, value in given.items(): setattr(self, name, value)`, or by whose keys it
    /// goes, or by names under which it asks the table.
    pub(super) fn table_of_pair(&self, key: Node<'t>, value: Node<'t>) -> Option<Node<'t>> {
        // `setattr(self, name, given[name])`
        if value.kind() == "subscript" && key.kind() == "identifier" {
            let index = value.child_by_field_name("subscript")?;
            let is_same = value.part_count() == 2 && self.text_of(index) == self.text_of(key);
            let is_of_loop = is_same && self.clause_of(key).is_some_and(|(_, path)| path.is_empty());
            return value.child_by_field_name("value").filter(|_| is_of_loop);
        }
        let mut around = key.parent();
        while let Some(node) = around.filter(|node| node.kind() != "function_definition") {
            around = node.parent();
            let Some(left) = node
                .child_by_field_name("left")
                .filter(|_| node.kind() == "for_statement")
            else {
                continue;
            };
            let is_pair = left.part_count() == 2
                && children(left).zip([key, value]).all(|(own, given)| {
                    own.kind() == "identifier"
                        && given.kind() == "identifier"
                        && self.text_of(own) == self.text_of(given)
                });
            if !is_pair {
                continue;
            }
            let bound = [key, value].map(|bound| self.is_bound_in(node, self.text_of(bound)));
            let items = node.child_by_field_name("right").filter(|_| bound == [false, false])?;
            let function = items.child_by_field_name("function")?;
            let method = function.child_by_field_name("attribute")?;
            return function
                .child_by_field_name("object")
                .filter(|_| self.text_of(method) == "items");
        }
        None
    }

    /// The tables that `update(given)` takes over, where these are not written out.
    pub(super) fn tables_given(&self, arguments: Option<Node<'t>>) -> Option<Vec<Node<'t>>> {
        let tables = children(arguments?).map(|argument| match argument.kind() {
            "identifier" | "attribute" => Some(argument),
            "dictionary_splat" => argument.part(0),
            _ => None,
        });
        tables.collect::<Option<Vec<_>>>().filter(|tables| !tables.is_empty())
    }

    /// What is in these tables becomes members under names that others hand in: `self.__dict__.update(given)`.
    pub(super) fn take_over_given(&mut self, object: Node<'t>, tables: &[Node<'t>]) {
        let Some(base) = self.expression(object) else {
            return;
        };
        for table in tables {
            if let Some(given) = self.look(*table) {
                self.builder.facts.by_name.set_any.push(base);
                self.builder.set_members(base, SetTo::PartsOf(given), position(*table));
            }
        }
    }

    /// What is in a table becomes members under the same names. Whether any of these is known.
    pub(super) fn take_over(&mut self, object: Node<'t>, tables: &[Node<'t>]) -> bool {
        let names: Vec<String> = tables.iter().flat_map(|table| self.texts_handed_in(*table)).collect();
        if names.is_empty() || names.len() > NAME_LIMIT {
            return false;
        }
        let Some(base) = self.expression(object) else {
            return false;
        };
        for table in tables {
            let Some(meant) = self.meant(names.clone(), *table, None, false) else {
                return false;
            };
            let parts_of = self.look(*table);
            self.write_meant(base, *table, &meant, (None, parts_of));
        }
        true
    }

    /// Does something for each name, on a way of its own; and once for all others.
    fn each_meant(&mut self, meant: &Meant, visit: &mut dyn FnMut(&mut Self, Option<Name>)) {
        let variable = meant.variable.filter(|_| !meant.is_all);
        let before = self.builder.snapshot();
        let mut ends = Vec::new();
        for (text, name) in &meant.names {
            self.builder.restore(before.clone());
            if let Some(variable) = variable {
                let text = self.builder.text_constant(text);
                self.builder.assume(variable, Question::Equals, text, true);
            }
            visit(self, Some(*name));
            ends.push(self.builder.snapshot());
        }
        if !meant.is_all {
            self.builder.restore(before.clone());
            for (text, _) in &meant.names {
                if let Some(variable) = variable {
                    let text = self.builder.text_constant(text);
                    self.builder.assume(variable, Question::Equals, text, false);
                }
            }
            visit(self, None);
        }
        if !meant.is_all || meant.names.len() > 1 {
            ends.push(before);
        }
        self.join(ends);
    }

    /// The texts that something may be, where they are all written here.
    fn texts_of(&mut self, item: &Item<'t>, depth: u8) -> Option<Vec<String>> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let node = match item {
            Item::Node(node) => *node,
            Item::Text(text) => return Some(vec![text.clone()]),
            Item::Row(_) | Item::Other => return None,
        };
        match node.kind() {
            "string" => Some(vec![self.constant_text(node)?]),
            "parenthesized_expression" => self.texts_of(&Item::Node(node.part(0)?), depth + 1),
            "conditional_expression" => {
                let mut texts = self.texts_of(&Item::Node(node.part(0)?), depth + 1)?;
                texts.extend(self.texts_of(&Item::Node(node.part(2)?), depth + 1)?);
                Some(texts)
            }
            "identifier" => {
                if let Some(text) = self.named_text(node) {
                    return self.texts_of(&Item::Node(text), depth + 1);
                }
                let items = self.bound_to(node, depth + 1)?;
                self.all_texts(&items, depth)
            }
            "subscript" => {
                let (held, key) = (
                    node.child_by_field_name("value")?,
                    node.child_by_field_name("subscript")?,
                );
                let display = self.display_of(held, depth + 1)?;
                let literal = self.literal(key);
                if display.kind() == "dictionary" {
                    let wanted = self.constant_text(literal);
                    let pairs = self.pairs(display)?;
                    let is_meant = |own: &Option<String>| wanted.is_none() || own.is_none() || *own == wanted;
                    let meant: Vec<Item<'t>> = pairs
                        .into_iter()
                        .filter(|(key, _)| is_meant(&self.constant_text(*key)))
                        .map(|(_, value)| Item::Node(value))
                        .collect();
                    return self.all_texts(&meant, depth);
                }
                let items = self.items_of(Item::Node(display), depth + 1)?;
                let number = self.constant_position(literal);
                match number.and_then(|number| usize::try_from(number).ok()) {
                    Some(number) => self.texts_of(items.get(number)?, depth + 1),
                    None => self.all_texts(&items, depth),
                }
            }
            "call" => {
                let function = node.child_by_field_name("function")?;
                let method = function.child_by_field_name("attribute")?;
                if self.text_of(method) != "get" {
                    return None;
                }
                let display = self.display_of(function.child_by_field_name("object")?, depth + 1)?;
                let pairs = self.pairs(display)?;
                let values: Vec<Item<'t>> = pairs.into_iter().map(|(_, value)| Item::Node(value)).collect();
                let mut texts = self.all_texts(&values, depth)?;
                if let Some(other) = node.child_by_field_name("arguments").and_then(|given| given.part(1))
                    && other.kind() != "none"
                {
                    texts.extend(self.texts_of(&Item::Node(other), depth + 1)?);
                }
                Some(texts)
            }
            _ => None,
        }
    }

    /// The texts that a container holds, where they are all written here.
    pub(super) fn texts_listed(&mut self, container: Node<'t>) -> Option<Vec<String>> {
        let items = self.items_of(Item::Node(container), 0)?;
        self.all_texts(&items, 0)
    }

    fn all_texts(&mut self, items: &[Item<'t>], depth: u8) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        for item in items {
            texts.extend(self.texts_of(item, depth + 1)?);
        }
        Some(texts)
    }

    /// What the loop or comprehension around binds a variable to.
    fn bound_to(&mut self, variable: Node<'t>, depth: u8) -> Option<Vec<Item<'t>>> {
        let (over, path) = self.clause_of(variable)?;
        let items = self.items_of(Item::Node(over), depth + 1)?;
        items.into_iter().map(|item| self.at_path(item, &path)).collect()
    }

    /// What the loop or comprehension around goes over that binds a variable, and where that stands in the target.
    pub(super) fn clause_of(&self, variable: Node<'t>) -> Option<(Node<'t>, Vec<usize>)> {
        let name = self.text_of(variable);
        let mut around = variable.parent();
        while let Some(node) = around {
            let is_inside =
                |part: Option<Node<'t>>| part.is_some_and(|part| part.byte_range().contains(&variable.start_byte()));
            let clauses: Vec<Node<'t>> = match node.kind() {
                "for_statement" if is_inside(node.child_by_field_name("body")) => vec![node],
                "list_comprehension" | "set_comprehension" | "dictionary_comprehension" | "generator_expression" => {
                    let clauses = children(node).filter(|clause| clause.kind() == "for_in_clause");
                    clauses
                        .filter(|clause| !is_inside(clause.child_by_field_name("right")))
                        .collect()
                }
                "function_definition" | "lambda" | "class_definition" => return None,
                _ => Vec::new(),
            };
            for clause in clauses.into_iter().rev() {
                let left = clause.child_by_field_name("left")?;
                let Some(path) = self.path_to(left, name) else { continue };
                // Bound by anything else, it may be another.
                if node.kind() == "for_statement" && self.is_bound_in(clause, name) {
                    return None;
                }
                return Some((clause.child_by_field_name("right")?, path));
            }
            around = node.parent();
        }
        None
    }

    fn is_bound_in(&self, clause: Node<'t>, name: &str) -> bool {
        let body = clause.child_by_field_name("body");
        body.is_some_and(|body| {
            super::names::bound_in(body, self.text)
                .iter()
                .any(|bound| bound == name)
        })
    }

    /// Where a variable stands in a target.
    fn path_to(&self, target: Node<'t>, name: &str) -> Option<Vec<usize>> {
        match target.kind() {
            "identifier" => (self.text_of(target) == name).then(Vec::new),
            "pattern_list" | "tuple_pattern" | "list_pattern" => {
                children(target).enumerate().find_map(|(index, part)| {
                    let mut path = self.path_to(part, name)?;
                    path.insert(0, index);
                    Some(path)
                })
            }
            _ => None,
        }
    }

    fn at_path(&self, item: Item<'t>, path: &[usize]) -> Option<Item<'t>> {
        let Some((first, rest)) = path.split_first() else {
            return Some(item);
        };
        let part = match item {
            Item::Row(parts) => parts.into_iter().nth(*first)?,
            Item::Node(node) if matches!(node.kind(), "tuple" | "list") => Item::Node(node.part(*first)?),
            _ => return None,
        };
        self.at_path(part, rest)
    }

    /// What an iteration over something gives, where that is written here.
    fn items_of(&mut self, of: Item<'t>, depth: u8) -> Option<Vec<Item<'t>>> {
        let Item::Node(node) = of else { return None };
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "list" | "tuple" | "set" | "expression_list" => {
                let is_spread = |item: Node<'t>| item.kind().ends_with("splat");
                (!children(node).any(is_spread)).then(|| children(node).map(Item::Node).collect())
            }
            "dictionary" => {
                let pairs = self.pairs(node)?;
                Some(pairs.into_iter().map(|(key, _)| Item::Node(key)).collect())
            }
            "identifier" | "attribute" => {
                let display = self.display_of(node, depth)?;
                self.items_of(Item::Node(display), depth + 1)
            }
            "parenthesized_expression" => self.items_of(Item::Node(node.part(0)?), depth + 1),
            "subscript" => {
                let of = node.child_by_field_name("value")?;
                let some = node.child_by_field_name("subscript")?;
                self.items_of(Item::Node(of), depth + 1)
                    .filter(|_| some.kind() == "slice")
            }
            "call" => self.items_of_call(node, depth),
            _ => None,
        }
    }

    fn items_of_call(&mut self, node: Node<'t>, depth: u8) -> Option<Vec<Item<'t>>> {
        let function = node.child_by_field_name("function")?;
        let given: Vec<Node<'t>> = node
            .child_by_field_name("arguments")
            .into_iter()
            .flat_map(children)
            .collect();
        if function.kind() == "attribute" {
            let of = function.child_by_field_name("object")?;
            let method = self.text_of(function.child_by_field_name("attribute")?);
            if let ("split", []) = (method, given.as_slice()) {
                let text = self.literal(of);
                let words = self.constant_text(text)?;
                return Some(
                    words
                        .split_whitespace()
                        .map(|word| Item::Text(word.to_owned()))
                        .collect(),
                );
            }
            let display = self.display_of(of, depth)?;
            let pairs = self.pairs(display).filter(|_| given.is_empty())?.into_iter();
            let row = |(key, value)| match method {
                "keys" => Some(Item::Node(key)),
                "values" => Some(Item::Node(value)),
                "items" => Some(Item::Row(vec![Item::Node(key), Item::Node(value)])),
                _ => None,
            };
            return pairs.map(row).collect();
        }
        match (self.text_of(function), given.as_slice()) {
            ("list" | "tuple" | "set" | "sorted" | "reversed" | "iter" | "frozenset", [of, ..]) => {
                self.items_of(Item::Node(*of), depth + 1)
            }
            ("enumerate", [of, ..]) => {
                let items = self.items_of(Item::Node(*of), depth + 1)?.into_iter();
                Some(items.map(|item| Item::Row(vec![Item::Other, item])).collect())
            }
            ("zip", [left, right]) => {
                let sides = [*left, *right].map(|side| self.items_of(Item::Node(side), depth + 1));
                let length = sides.iter().flatten().map(Vec::len).min()?;
                let at = |side: &Option<Vec<Item<'t>>>, index: usize| {
                    side.as_ref()
                        .and_then(|items| items.get(index))
                        .cloned()
                        .unwrap_or(Item::Other)
                };
                let [left, right] = &sides;
                Some(
                    (0..length)
                        .map(|index| Item::Row(vec![at(left, index), at(right, index)]))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    /// The display that a name stands for, where it stands for one.
    fn display_of(&mut self, node: Node<'t>, depth: u8) -> Option<Node<'t>> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "list" | "tuple" | "set" | "dictionary" => Some(node),
            "parenthesized_expression" => self.display_of(node.part(0)?, depth + 1),
            "identifier" => {
                let name = self.name_of(node);
                if self.builder.is_own_variable(name) {
                    let text = self.text_of(node);
                    let grows = |method: &&str| self.text.contains(&format!("{text}.{method}("));
                    if ["append", "extend", "insert", "add", "update"].iter().any(grows) {
                        return None;
                    }
                    let place = self.builder.only_definition(name)?;
                    return self.constants.get(&place).copied().filter(|node| is_display(*node));
                }
                self.display_named(node)
            }
            // `self.fields`, of a class around.
            "attribute" => {
                let member = self.text_of(node.child_by_field_name("attribute")?);
                self.receiver_class(node.child_by_field_name("object")?)?;
                let mut around = node.parent();
                while let Some(class) = around.filter(|around| around.kind() != "class_definition") {
                    around = class.parent();
                }
                let body = around?.child_by_field_name("body")?;
                let mut assigned = children(body).filter_map(|statement| {
                    let assignment = statement.part(0).filter(|inner| inner.kind() == "assignment")?;
                    let left = assignment.child_by_field_name("left")?;
                    (self.text_of(left) == member).then(|| assignment.child_by_field_name("right"))?
                });
                let display = assigned.next().filter(|node| is_display(*node))?;
                // Written, or of another class of this file, too, it may be another.
                let times = |text: String| self.text.matches(&text).count();
                let is_written = self.text.contains(&format!(".{member} ="))
                    || times(format!(" {member} =")) + times(format!(" {member}:")) > 1;
                (assigned.next().is_none() && !is_written).then_some(display)
            }
            _ => None,
        }
    }

    fn pairs(&self, display: Node<'t>) -> Option<Vec<(Node<'t>, Node<'t>)>> {
        if display.kind() != "dictionary" {
            return None;
        }
        let pairs = children(display).map(|pair| {
            let key = pair.child_by_field_name("key").filter(|_| pair.kind() == "pair")?;
            Some((key, pair.child_by_field_name("value")?))
        });
        pairs.collect()
    }

    /// The texts that calls in this file hand over for a parameter of the function around, or to the class around for what its objects keep.
    fn texts_handed_in(&mut self, named: Node<'t>) -> Vec<String> {
        let (wanted, in_class) = match named.kind() {
            "identifier" => (self.text_of(named), false),
            "attribute" => {
                let object = named.child_by_field_name("object");
                match object.and_then(|object| self.receiver_class(object)) {
                    Some(_) => ("", true),
                    None => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        };
        let Some((function, class)) = function_around(named) else {
            return Vec::new();
        };
        let name = |node: Option<Node<'t>>| node.and_then(|node| node.child_by_field_name("name"));
        let is_made = in_class || self.text_of(function).starts_with("def __init__");
        let (Some(called), parameters) = (
            name(if is_made { class } else { Some(function) }),
            function.child_by_field_name("parameters"),
        ) else {
            return Vec::new();
        };
        let mut position = None;
        let mut gathers = false;
        if !in_class {
            let parameters: Vec<Node<'t>> = parameters.into_iter().flat_map(children).collect();
            let receiver = usize::from(class.is_some());
            for (index, parameter) in parameters.iter().enumerate() {
                let own = match parameter.kind() {
                    "identifier" => Some(*parameter),
                    "default_parameter" | "typed_default_parameter" => parameter.child_by_field_name("name"),
                    "typed_parameter" => parameter.part(0),
                    "dictionary_splat_pattern" => {
                        gathers |= parameter.part(0).is_some_and(|own| self.text_of(own) == wanted);
                        None
                    }
                    _ => None,
                };
                if own.is_some_and(|own| self.text_of(own) == wanted) {
                    position = index.checked_sub(receiver);
                }
            }
            if position.is_none() && !gathers {
                return Vec::new();
            }
        }
        let mut texts = Vec::new();
        for arguments in self.calls_of(self.text_of(called), named) {
            for (index, argument) in children(arguments).enumerate() {
                let keyword = argument.child_by_field_name("name").map(|name| self.text_of(name));
                let is_meant = in_class || position.is_some() && (Some(index) == position || keyword == Some(wanted));
                match (argument.kind(), keyword) {
                    ("keyword_argument", Some(keyword)) if position.is_none() && !in_class => {
                        texts.push(keyword.to_owned())
                    }
                    ("keyword_argument", _) if is_meant => {
                        let value = argument.child_by_field_name("value").map(|value| self.literal(value));
                        texts.extend(value.and_then(|value| self.constant_text(value)));
                    }
                    ("keyword_argument", _) => {}
                    _ if is_meant => {
                        let value = self.literal(argument);
                        texts.extend(self.constant_text(value));
                    }
                    _ => {}
                }
            }
        }
        texts.retain(|text| is_name(text));
        texts
    }

    /// The arguments of the calls in this file whose callee goes by a name.
    fn calls_of(&mut self, name: &'t str, inside: Node<'t>) -> Vec<Node<'t>> {
        if self.calls_by_name.is_none() {
            let mut calls: rustc_hash::FxHashMap<&'t str, Vec<Node<'t>>> = Default::default();
            let mut root = inside;
            while let Some(parent) = root.parent() {
                root = parent;
            }
            let mut cursor = root.walk();
            'walk: loop {
                let node = cursor.node();
                if node.kind() == "call"
                    && let Some(function) = node.child_by_field_name("function")
                    && let Some(arguments) = node.child_by_field_name("arguments")
                {
                    let called = function.child_by_field_name("attribute").unwrap_or(function);
                    calls.entry(self.text_of(called)).or_default().push(arguments);
                }
                if cursor.goto_first_child() {
                    continue;
                }
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        break 'walk;
                    }
                }
            }
            self.calls_by_name = Some(calls);
        }
        let calls = self.calls_by_name.as_ref().and_then(|calls| calls.get(name));
        calls.cloned().unwrap_or_default()
    }
}

/// The function around something, and the class whose method it is.
fn function_around(inside: Node<'_>) -> Option<(Node<'_>, Option<Node<'_>>)> {
    let mut function = inside.parent()?;
    while function.kind() != "function_definition" {
        function = function.parent()?;
    }
    let around = function.parent().and_then(|around| match around.kind() {
        "decorated_definition" => around.parent(),
        _ => Some(around),
    });
    let class = around.and_then(|body| body.parent());
    Some((function, class.filter(|class| class.kind() == "class_definition")))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|part| part.is_alphanumeric() || part == '_')
}

/// A container that is written out.
pub(super) fn is_display(node: Node<'_>) -> bool {
    matches!(node.kind(), "list" | "tuple" | "set" | "dictionary")
}

/// A container that is written out, or what is in one.
pub(super) fn is_looked_up(node: Node<'_>) -> bool {
    is_display(node) || node.kind() == "subscript"
}
