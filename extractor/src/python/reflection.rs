//! Code that names things by texts, and constants that go by a name.
//!
//! `getattr(user, "mail")` is the member `mail`; `import_module("shop.cart")` the module; `eval("send()")` the call in the text;
//! and after `KEY = "mail"`, `row[KEY]` is the part `"mail"`.

use crate::tree::{Parts, children};
use ripple_schema::How;
use rustc_hash::FxHashSet;
use tree_sitter::{Node, Parser, Range};

use super::containers::{LOOKING, READING};
use super::{Walker, names, position};
use crate::facts::{Import, ImportId, Name, Object, PlaceId};

impl<'t> Walker<'t> {
    /// `"shop.cache.DummyPolicy"`, `"shop.cache:make"`: somebody may look up what is called so.
    pub(super) fn note_dotted(&mut self, node: Node<'t>) {
        /// Longest such text.
        const MOST: usize = 200;
        let mut parts = children(node).filter(|part| part.kind() == "string_content");
        let (Some(content), None) = (parts.next(), parts.next()) else {
            return;
        };
        let text = self.text_of(content);
        let is_name = |part: &str| part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let begins = |part: &str| part.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let is_dotted = text.len() <= MOST
            && text.contains(['.', ':'])
            && text.split(['.', ':']).all(|part| begins(part) && is_name(part));
        if is_dotted {
            let name = self.builder.name(text);
            self.builder.facts.by_name.texts.push((name, position(node)));
        }
    }

    /// `getattr(x, "name")` and `setattr(x, "name", v)` with a constant name are member reads and writes; `hasattr` looks at a member, `delattr` takes it.
    pub(super) fn reflective(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<PlaceId> {
        let text = self.text_of(function);
        if function.kind() == "attribute" && text.ends_with(".__setattr__") {
            return self.set_past_class(function, arguments);
        }
        if !matches!(text, "getattr" | "setattr" | "hasattr" | "delattr" | "eval" | "exec") {
            return None;
        }
        let name = self.builder.name(text);
        if self.builder.is_bound(name) {
            return None;
        }
        let given: Vec<_> = children(arguments?).collect();
        if matches!(text, "eval" | "exec") {
            self.evaluate(*given.first()?);
            return None;
        }
        let named = *given.get(1)?;
        let at = position(named);
        if text == "getattr" {
            self.note_handed_on(given[0], named);
        }
        let composed = self.composed_text(named);
        if matches!(text, "hasattr" | "delattr") {
            let member = composed.filter(|text| !text.contains('*'))?;
            return self.present_or_not(function, (given[0], named), &member);
        }
        let Some(member) = composed.as_ref().filter(|text| !text.contains('*')) else {
            let table = given.get(2).filter(|_| text == "setattr");
            let table = table.and_then(|third| self.table_of_pair(named, *third));
            let meant = self.members_meant(named, table);
            let meant = meant.filter(|meant| meant.is_all || text == "setattr")?;
            let base = self.expression(given[0])?;
            let name = self.expression(named);
            let third = given.get(2).and_then(|third| self.expression(*third));
            self.call_by_name(function, [(Some(base), given[0]), (name, named)]);
            let result = self.builder.value(at);
            if text == "setattr" {
                let parts_of = table.and_then(|table| self.look(table));
                self.write_meant(base, named, &meant, (third, parts_of));
            } else {
                self.read_meant((base, third), named, &meant, result);
            }
            return Some(result);
        };
        let member = self.builder.name(member);
        let base = self.expression(given[0])?;
        let third = given.get(2).and_then(|third| self.expression(*third));
        self.call_by_name(function, [(Some(base), given[0]), (None, named)]);
        if text == "setattr" {
            self.builder.store(base, member, third, at);
            return Some(self.builder.value(at));
        }
        let loaded = self.builder.load(base, member, at);
        match third {
            Some(third) => {
                let missing = self.if_missing((base, member), third, at);
                let condition = self.builder.condition();
                self.flow_either(&[(Some(loaded), condition), (Some(missing), condition)], at)
            }
            None => Some(loaded),
        }
    }

    /// `hasattr(x, "name")`, `delattr(x, "name")`.
    fn present_or_not(
        &mut self,
        function: Node<'t>,
        (object, named): (Node<'t>, Node<'t>),
        member: &str,
    ) -> Option<PlaceId> {
        let base = self.expression(object)?;
        let member = self.builder.name(member);
        if self.text_of(function) == "delattr" {
            self.builder.delete(base, member, position(named));
        } else {
            self.builder.load(base, member, position(named));
        }
        self.call_by_name(function, [(Some(base), object), (None, named)])
    }

    /// `object.__setattr__(x, "name", value)` and `super().__setattr__("name", value)` write a member, whatever the class does with that.
    fn set_past_class(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<PlaceId> {
        let of = function.child_by_field_name("object")?;
        let given: Vec<_> = children(arguments?).collect();
        let (base, named, value) = match (of.kind(), given.as_slice()) {
            ("identifier", [object, named, value]) if self.text_of(of) == "object" => (Some(*object), *named, *value),
            ("call", [named, value]) => (None, *named, *value),
            _ => return None,
        };
        let member = self.composed_text(named).filter(|text| !text.contains('*'))?;
        let base = match base {
            Some(object) => self.expression(object)?,
            None => self.super_call(of)?.0,
        };
        let value = self.expression(value);
        let member = self.builder.name(&member);
        self.builder.store(base, member, value, position(named));
        if let Some(store) = self.builder.facts.stores.last_mut() {
            store.is_direct = true;
        }
        Some(self.builder.value(position(named)))
    }

    /// `getattr(self.inner, name)` in `__getattr__(self, name)`.
    fn note_handed_on(&mut self, asked: Node<'t>, named: Node<'t>) {
        let function = self.builder.function();
        let facts = &self.builder.facts;
        let row = &facts.functions[function.0 as usize];
        let [receiver, name] = row.parameters.as_slice() else {
            return;
        };
        let is_it = facts.text(row.name) == "__getattr__" && facts.text(name.name) == self.text_of(named);
        let receiver = facts.text(receiver.name).to_owned();
        let mut path = Vec::new();
        let mut at = asked;
        while at.kind() == "attribute" {
            let (Some(object), Some(member)) = (at.child_by_field_name("object"), at.child_by_field_name("attribute"))
            else {
                return;
            };
            path.insert(0, self.name_of(member));
            at = object;
        }
        if is_it && !path.is_empty() && self.text_of(at) == receiver {
            self.builder.facts.handed_on.push((function, path));
        }
    }

    /// The call itself, of which the reads and writes of members say what comes of it.
    fn call_by_name(&mut self, function: Node<'t>, given: [(Option<PlaceId>, Node<'t>); 2]) -> Option<PlaceId> {
        let callee = self.expression(function)?;
        let text = self.callee_text(function);
        let arguments = given.map(|(place, node)| Self::positional(place, node));
        let arguments = arguments.to_vec();
        let at = position(function);
        Some(self.builder.call(callee, text, None, arguments, at, How::Direct))
    }

    /// `vars(user)["mail"]` and `user.__dict__["mail"]` are the member `mail`: whose, and its name.
    pub(super) fn field_by_name(&mut self, subscript: Node<'t>) -> Option<(PlaceId, Name)> {
        let object = self.object_of_table(subscript.child_by_field_name("value")?)?;
        let key = self.literal(subscript.child_by_field_name("subscript")?);
        let member = self.constant_text(key)?;
        let member = self.builder.name(&member);
        Some((self.expression(object)?, member))
    }

    /// `user.__dict__.update({"mail": mail}, name=name)`: members that are written. Whether it is that, with names alone.
    pub(super) fn fields_updated(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> bool {
        let (Some(table), Some(method)) = (
            function.child_by_field_name("object"),
            function.child_by_field_name("attribute"),
        ) else {
            return false;
        };
        if self.text_of(method) != "update" {
            return false;
        }
        let Some(object) = self.object_of_table(table) else {
            return false;
        };
        if let Some(tables) = self.tables_given(arguments) {
            return self.take_over(object, &tables);
        }
        if !self.is_open_table(table) {
            return false;
        }
        let mut fields = Vec::new();
        for argument in arguments.into_iter().flat_map(children) {
            let pairs: Vec<Node<'t>> = match argument.kind() {
                "dictionary" => children(argument).collect(),
                _ => vec![argument],
            };
            for pair in pairs {
                let named = match pair.kind() {
                    "pair" => pair.child_by_field_name("key").and_then(|key| self.constant_text(key)),
                    "keyword_argument" => pair
                        .child_by_field_name("name")
                        .map(|name| self.text_of(name).to_owned()),
                    _ => None,
                };
                match (named, pair.child_by_field_name("value")) {
                    (Some(name), Some(value)) => fields.push((name, value)),
                    _ => return false,
                }
            }
        }
        let base = self.expression(object);
        for (name, value) in fields {
            let place = self.expression(value);
            let name = self.builder.name(&name);
            if let Some(base) = base {
                self.builder.store(base, name, place, position(value));
            }
        }
        true
    }

    /// Whether what is put in such a table is followed: not where a method does it to its own object, past the class, its properties and
    /// `__setattr__`.
    pub(super) fn is_open_table(&mut self, table: Node<'t>) -> bool {
        let Some(object) = self.object_of_table(table) else {
            return false;
        };
        let receiver = self.methods.last().and_then(|method| method.as_ref());
        receiver.is_none_or(|(name, _)| self.builder.facts.text(*name) != self.text_of(object))
    }

    /// The object whose members are the parts of a table: `user.__dict__`, `vars(user)`.
    fn object_of_table(&mut self, table: Node<'t>) -> Option<Node<'t>> {
        match table.kind() {
            "attribute" => {
                let member = table.child_by_field_name("attribute")?;
                table
                    .child_by_field_name("object")
                    .filter(|_| self.text_of(member) == "__dict__")
            }
            "call" => {
                let function = table
                    .child_by_field_name("function")
                    .filter(|function| self.text_of(*function) == "vars")?;
                let name = self.name_of(function);
                let is_bound = self.builder.is_bound(name);
                let mut given = children(table.child_by_field_name("arguments")?);
                let object = given.next().filter(|_| !is_bound)?;
                given.next().is_none().then_some(object)
            }
            _ => None,
        }
    }

    /// `getattr(x, "visit_" + kind)` gives one of the members of `x` whose names fit.
    pub(super) fn read_by_pattern(
        &mut self,
        function: Node<'t>,
        arguments: Option<Node<'t>>,
        base: Option<PlaceId>,
        result: PlaceId,
    ) {
        if self.text_of(function) != "getattr" {
            return;
        }
        let name = self.builder.name("getattr");
        let (Some(base), Some(named)) = (base, arguments.and_then(|arguments| arguments.part(1))) else {
            return;
        };
        if self.builder.is_bound(name) {
            return;
        }
        let composed = self.composed_text(named);
        if let Some(meant) = self.members_meant(named, None) {
            self.read_meant((base, None), named, &meant, result);
            return;
        }
        if composed.as_ref().is_none_or(|pattern| !pattern.contains('*')) {
            self.builder.facts.computed_members.push((base, result));
        }
        if let Some(pattern) = composed {
            let pattern = self.builder.name(&pattern);
            let loaded = self.builder.load_fitting(base, pattern, position(named));
            self.flow_into(Some(loaded), result, position(named));
        }
    }

    /// `globals()["name"]` is the global of that name.
    pub(super) fn named_global(&mut self, subscript: Node<'t>) -> Option<PlaceId> {
        let value = subscript.child_by_field_name("value")?;
        if value.kind() != "call" || self.text_of(value) != "globals()" {
            return None;
        }
        let globals = self.builder.name("globals");
        let key = subscript.child_by_field_name("subscript")?;
        let text = self.literal(key);
        let text = self.constant_text(text)?;
        let name = self.builder.name(&text);
        if self.builder.is_bound(globals) || !self.builder.is_of_file(name) {
            return None;
        }
        self.builder.key_use(name, position(key));
        Some(self.builder.use_name(name, position(key)))
    }

    /// The module that `import_module("shop.cart")` gives, or any that `import_module("plugins." + name)` may give.
    pub(super) fn imported_module(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<PlaceId> {
        let text = self.text_of(function);
        let is_import = text == "__import__" || text.rsplit('.').next() == Some("import_module");
        if !is_import {
            return None;
        }
        let named = children(arguments?).next()?;
        let literal = self.literal(named);
        let constant = self.constant_text(literal);
        let module = constant.or_else(|| self.composed_text(named))?;
        let level = module.bytes().take_while(|byte| *byte == b'.').count() as u32;
        let module = module.trim_start_matches('.');
        // `.cart` is `from . import cart`; in `plugins.*.setup` the first part that is not known is one of those in `plugins`.
        let (known, is_part) = match module.split_once('*') {
            Some((known, _)) => (known, true),
            None => (module, false),
        };
        let dot = known.rfind('.').filter(|_| is_part || level > 0);
        let (path, member) = match dot {
            Some(dot) => (&module[..dot], Some(&module[dot + 1..])),
            None if level > 0 => ("", Some(module)),
            None if is_part => return None,
            None => (module, None),
        };
        let import = Import {
            path: self.builder.name(path),
            level,
            member: member.map(|member| self.builder.name(member)),
            star: false,
            binds_first: text == "__import__",
            alias: Name(0),
            position: position(function),
        };
        let id = ImportId(self.builder.facts.imports.len() as u32);
        self.builder.facts.imports.push(import);
        Some(self.builder.object(Object::Import(id), position(function)))
    }

    /// What a constant text says when it runs here.
    // The walker of what is evaluated takes room that every level of any call would take.
    #[inline(never)]
    fn evaluate(&mut self, argument: Node<'t>) {
        let mut contents = children(argument).filter(|part| part.kind() == "string_content");
        let (Some(content), None) = (contents.next(), contents.next()) else {
            return;
        };
        if argument.kind() != "string" || self.text_of(content).contains('\\') {
            return;
        }
        let mut parser = Parser::new();
        let range = Range {
            start_byte: content.start_byte(),
            end_byte: content.end_byte(),
            start_point: content.start_position(),
            end_point: content.end_position(),
        };
        let is_ready = parser.set_language(&tree_sitter_python::LANGUAGE.into()).is_ok()
            && parser.set_included_ranges(&[range]).is_ok();
        let Some(tree) = is_ready.then(|| parser.parse(self.text, None)).flatten() else {
            return;
        };
        if !self.builder.enter(position(argument).line) {
            return;
        }
        let mut inner = Walker {
            builder: std::mem::take(&mut self.builder),
            methods: self.methods.clone(),
            generators: self.generators.clone(),
            ..Walker::new(self.text, self.test)
        };
        inner.block(tree.root_node());
        self.builder = inner.builder;
        self.builder.exit();
    }

    /// The literal that a name stands for, where it stands for one; else the node itself.
    pub(super) fn literal(&mut self, node: Node<'t>) -> Node<'t> {
        if node.kind() == "attribute" {
            return self.member_literal(node).unwrap_or(node);
        }
        let named = self.named_text(node).filter(|named| is_literal(*named));
        named.unwrap_or(node)
    }

    /// The literal, or the text that is put together, that a name stands for.
    pub(super) fn named_text(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        if node.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(node);
        let found = if self.builder.is_own_variable(name) {
            self.builder
                .only_definition(name)
                .and_then(|place| self.constants.get(&place))
        } else if self.builder.is_of_file(name) {
            self.file_constants.get(self.text_of(node))
        } else {
            None
        };
        found.copied()
    }

    /// What `Color.RED` is in a class of this file, if it is bound once, to a constant.
    pub(super) fn class_constant(&self, node: Node<'t>) -> Option<(Node<'t>, bool)> {
        let class = node.child_by_field_name("object")?;
        let member = node.child_by_field_name("attribute")?;
        if class.kind() != "identifier" || self.class_constants.is_empty() {
            return None;
        }
        let key = (self.text_of(class), self.text_of(member));
        self.class_constants.get(&key).copied()
    }

    /// The literal that `Keys.MAIL`, or `Color.RED.value`, stands for.
    fn member_literal(&self, node: Node<'t>) -> Option<Node<'t>> {
        let (constant, is_member) = match self.class_constant(node) {
            Some(found) => found,
            None => {
                let member = node.child_by_field_name("attribute")?;
                let inner = node
                    .child_by_field_name("object")
                    .filter(|_| self.text_of(member) == "value")?;
                (self.class_constant(inner)?.0, false)
            }
        };
        (!is_member).then_some(constant)
    }

    /// Members of file-level classes that are bound once, to a constant.
    fn note_class_constants(&mut self, root: Node<'t>, times: &rustc_hash::FxHashMap<String, u32>) {
        for decorated in children(root).filter_map(|statement| statement.child_by_field_name("definition")) {
            let name = decorated.child_by_field_name("name");
            let name = name.map_or("", |name| self.text_of(name));
            if decorated.kind() == "function_definition" && times.get(name) == Some(&1) {
                self.file_decorated.insert(name);
            }
        }
        for class in children(root).filter(|statement| statement.kind() == "class_definition") {
            let (Some(name), Some(body)) = (class.child_by_field_name("name"), class.child_by_field_name("body"))
            else {
                continue;
            };
            let name = self.text_of(name);
            let bases: Vec<&str> = class
                .child_by_field_name("superclasses")
                .into_iter()
                .flat_map(children)
                .map(|base| self.text_of(base))
                .collect();
            let is = |wanted: &[&str]| {
                bases
                    .iter()
                    .any(|base| wanted.contains(&base.rsplit('.').next().unwrap_or(base)))
            };
            let is_enumeration = is(&["Enum", "Flag"]) && !is(&["str", "int"]);
            let is_plain = bases.is_empty() || is(&["StrEnum", "IntEnum", "IntFlag", "str", "int"]);
            if times.get(name) != Some(&1) || !(is_enumeration || is_plain) {
                continue;
            }
            let mut bound: rustc_hash::FxHashMap<&str, u32> = Default::default();
            let mut found = Vec::new();
            for assignment in children(body)
                .filter_map(|statement| statement.part(0))
                .filter(|node| node.kind() == "assignment")
            {
                let Some(left) = assignment.child_by_field_name("left") else {
                    continue;
                };
                *bound.entry(self.text_of(left)).or_default() += 1;
                found.extend(
                    assignment
                        .child_by_field_name("right")
                        .map(|right| (self.text_of(left), right)),
                );
            }
            for (member, right) in found {
                let is_told = is_constant(right) || is_enumeration && !member.starts_with('_');
                if bound.get(member) != Some(&1) || !is_told {
                    continue;
                }
                let is_written =
                    self.text.contains(&format!("{name}.{member} =")) || self.text.contains(&format!("cls.{member} ="));
                if !is_written {
                    if is_enumeration || !bases.is_empty() {
                        self.enumerations.entry(name).or_default().push(member);
                    }
                    self.class_constants.insert((name, member), (right, is_enumeration));
                }
            }
        }
    }

    /// Names whose containers are not only looked into, all over the file; and those that other names may be given to them by.
    fn names_changed(&self, root: Node<'t>) -> (FxHashSet<&'t str>, FxHashSet<&'t str>) {
        let (mut changed, mut handed_on) = (FxHashSet::default(), FxHashSet::default());
        let mut open = vec![root];
        while let Some(around) = open.pop() {
            let field = |node: Node<'t>, name| node.child_by_field_name(name);
            let put_into = |target: Node<'t>| field(target, "value").filter(|_| target.kind() == "subscript");
            let mut note = |base: Node<'t>| {
                if base.kind() == "identifier" {
                    changed.insert(self.text_of(base));
                }
            };
            match around.kind() {
                "attribute" => {
                    let looks =
                        field(around, "attribute").is_some_and(|member| READING.contains(&self.text_of(member)));
                    field(around, "object").filter(|_| !looks).into_iter().for_each(note);
                }
                "delete_statement" => {
                    let targets = children(around).flat_map(|part| std::iter::once(part).chain(children(part)));
                    targets.filter_map(put_into).for_each(note);
                }
                "call" => {
                    let called = field(around, "function").map(|called| self.text_of(called));
                    let looks = called.is_some_and(|name| {
                        LOOKING.contains(&name) || matches!(name, "filter" | "frozenset" | "iter" | "map")
                    });
                    let given = field(around, "arguments").filter(|_| !looks);
                    for argument in given.into_iter().flat_map(children) {
                        let value = (argument.kind() == "keyword_argument").then(|| field(argument, "value"));
                        note(value.flatten().unwrap_or(argument));
                    }
                }
                kind if kind.ends_with("assignment") => {
                    field(around, "left").and_then(put_into).into_iter().for_each(note);
                }
                _ => {}
            }
            let handed = match around.kind() {
                "assignment" | "named_expression" => vec![field(around, "right").or_else(|| field(around, "value"))],
                "default_parameter" | "pair" => vec![field(around, "value")],
                "conditional_expression"
                | "dictionary_splat"
                | "expression_list"
                | "lambda"
                | "list"
                | "return_statement"
                | "set"
                | "tuple"
                | "yield" => children(around).map(Some).collect(),
                _ => Vec::new(),
            };
            let names = handed.into_iter().flatten().filter(|node| node.kind() == "identifier");
            handed_on.extend(names.map(|name| self.text_of(name)));
            open.extend(children(around));
        }
        (changed, handed_on)
    }

    /// File-level names that are bound once, to a literal.
    pub(super) fn note_file_constants(&mut self, root: Node<'t>) {
        let mut times: rustc_hash::FxHashMap<String, u32> = Default::default();
        for name in names::all_bound_in(root, self.text) {
            *times.entry(name).or_default() += 1;
        }
        self.note_class_constants(root, &times);
        self.note_file_yields(root, &times);
        for function in children(root).filter(|statement| statement.kind() == "function_definition") {
            let name = function
                .child_by_field_name("name")
                .map_or("", |name| self.text_of(name));
            if times.get(name) == Some(&1) && !self.text.contains(&format!("global {name}")) {
                self.file_functions.insert(name, function);
            }
        }
        for class in children(root).filter(|statement| statement.kind() == "class_definition") {
            let name = class.child_by_field_name("name").map_or("", |name| self.text_of(name));
            if times.get(name) == Some(&1) {
                self.file_classes.insert(name, class);
            }
        }
        for statement in
            children(root).filter(|node| matches!(node.kind(), "import_statement" | "import_from_statement"))
        {
            let mut cursor = statement.walk();
            for name in statement.children_by_field_name("name", &mut cursor) {
                let bound = match name.kind() {
                    "aliased_import" => name.child_by_field_name("alias"),
                    _ => name.part(0),
                };
                let bound = bound.map_or("", |bound| self.text_of(bound));
                if times.get(bound) == Some(&1) {
                    self.file_imports.insert(bound);
                }
            }
        }
        let has_globals = self.text.contains("global ");
        let mut changed = None;
        for assignment in children(root).filter_map(|statement| statement.part(0)) {
            let (Some(left), Some(right)) = (
                assignment.child_by_field_name("left"),
                assignment.child_by_field_name("right"),
            ) else {
                continue;
            };
            let name = self.text_of(left);
            let is_once =
                assignment.kind() == "assignment" && left.kind() == "identifier" && times.get(name) == Some(&1);
            if is_once && super::by_name::is_display(right) {
                let (changed, handed_on) = changed.get_or_insert_with(|| self.names_changed(root));
                // Nobody hands on an empty container but for others to put something in.
                let is_filled_elsewhere = right.named_child_count() == 0 && handed_on.contains(name);
                if !changed.contains(name) && !is_filled_elsewhere {
                    self.file_displays.insert(name, right);
                }
            }
            if is_once && right.kind() == "call" {
                self.file_calls.insert(name, right);
            }
            if is_once && let Some(statement) = self.statement_given(right) {
                let name = self.builder.name(name);
                let key = crate::facts::ElementKey::Text(statement);
                self.builder.facts.constants.push((name, key));
            }
            let is_set = || has_globals && self.text.contains(&format!("global {name}"));
            if is_once && may_be_worked_out(right) && !is_set() {
                self.file_flags.insert(name, right);
                if is_literal(right) {
                    self.file_constants.insert(name, right);
                }
            }
        }
        self.tell_class_constants();
        let mut constants: Vec<(&str, Node<'t>)> =
            self.file_constants.iter().map(|(name, node)| (*name, *node)).collect();
        constants.sort_unstable_by_key(|(name, _)| *name);
        for (name, node) in constants {
            if let Some(text) = self.constant_text(node) {
                let (name, text) = (self.builder.name(name), self.builder.name(&text));
                self.builder
                    .facts
                    .constants
                    .push((name, crate::facts::ElementKey::Text(text)));
            }
        }
    }

    /// Hands other files what classes of this one bind to constants.
    fn tell_class_constants(&mut self) {
        let mut constants: Vec<_> = self.class_constants.iter().map(|(name, told)| (*name, *told)).collect();
        constants.sort_unstable_by_key(|(name, _)| *name);
        for ((class, member), (literal, is_member)) in constants {
            if !is_member && !is_literal(literal) {
                let (class, member) = (self.builder.name(class), self.builder.name(member));
                let switch = self.constant(literal).map(|constant| (class, member, constant));
                self.builder.facts.class_flags.extend(switch);
            }
            let text = match is_member {
                true => Some(format!("{class}.{member}")),
                false => self.constant_text(literal),
            };
            if let Some(text) = text {
                let key = crate::facts::ElementKey::Text(self.builder.name(&text));
                let named = (self.builder.name(class), self.builder.name(member), key, is_member);
                self.builder.facts.class_constants.push(named);
            }
        }
    }
}

/// What a variable may stand for where it is tested.
pub(super) fn is_constant(node: Node<'_>) -> bool {
    is_literal(node) || matches!(node.kind(), "true" | "false" | "none")
}

/// What may be worked out from constants of the file.
fn may_be_worked_out(node: Node<'_>) -> bool {
    let is_made_of_others = matches!(
        node.kind(),
        "attribute"
            | "binary_operator"
            | "boolean_operator"
            | "comparison_operator"
            | "identifier"
            | "not_operator"
            | "unary_operator"
    );
    is_constant(node) || is_made_of_others
}

/// A text or a number that may be a key.
pub(super) fn is_literal(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "integer")
}
