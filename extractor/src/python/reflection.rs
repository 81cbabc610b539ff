//! Code that names things by texts.
//!
//! `getattr(user, "mail")` is the member `mail`; `import_module("shop.cart")` the module; `eval("send()")` the call in the text.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::{Node, Parser, Range};

use super::{Walker, position};
use crate::facts::by_name::SetTo;
use crate::facts::{Import, ImportId, Name, Object, PlaceId, Position};

impl<'t> Walker<'t> {
    /// `"shop.cache.DummyPolicy"`, `"shop.cache:make"`: somebody may look up what is called so. A text of several such names, and of nothing
    /// else, is a list of them.
    pub(super) fn note_dotted(&mut self, node: Node<'t>) {
        /// Longest such text, and most names in one.
        const MOST: usize = 200;
        const MOST_NAMES: usize = 32;
        let mut parts = children(node).filter(|part| part.kind() == "string_content");
        let (Some(content), None) = (parts.next(), parts.next()) else {
            return;
        };
        let text = self.text_of(content);
        if text.len() > MOST * MOST_NAMES {
            return;
        }
        let names = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).take(MOST_NAMES + 1).collect();
        if names.len() <= MOST_NAMES && names.iter().all(|name| name.len() <= MOST && is_dotted(name)) {
            for name in names {
                let name = self.builder.name(name);
                self.builder.facts.by_name.texts.push((name, position(node)));
            }
        }
    }

    /// `getattr(x, "name")` and `setattr(x, "name", v)` with a constant name are member reads and writes; `hasattr` looks at a member, `delattr` takes it.
    pub(super) fn reflective(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<PlaceId> {
        let text = self.text_of(function);
        if function.kind() == "attribute" && text.ends_with(".__setattr__") {
            return self.set_past_class(function, arguments);
        }
        if function.kind() == "attribute" && text.ends_with(".__getattribute__") {
            return self.get_past_class(function, arguments);
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
            if let Some(read) = function.parent().and_then(|call| self.any_listed(call)) {
                let (base, name) = (self.expression(given[0]), self.expression(named));
                self.call_by_name(function, [(base, given[0]), (name, named)]);
                return Some(read);
            }
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
                let others = (!meant.is_all).then_some(base);
                self.builder.facts.by_name.set_any.extend(others);
                let parts_of = table.and_then(|table| self.look(table));
                if !meant.is_all {
                    self.note_members_set(base, named, (third, parts_of));
                }
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

    /// `setattr(row, name, value)` with names of which this file has none.
    pub(super) fn set_under_names(&mut self, function: Node<'t>, arguments: Option<Node<'t>>, base: PlaceId) {
        let given: Vec<_> = arguments.into_iter().flat_map(children).collect();
        let [_, named, third] = given.as_slice() else { return };
        if self.text_of(function) == "setattr" {
            let parts_of = self.table_of_pair(*named, *third).and_then(|table| self.look(table));
            let value = self.look(*third);
            self.note_members_set(base, *named, (value, parts_of));
        }
    }

    fn note_members_set(
        &mut self,
        base: PlaceId,
        named: Node<'t>,
        (value, parts_of): (Option<PlaceId>, Option<PlaceId>),
    ) {
        let named_by = (named.kind() == "identifier").then(|| self.name_of(named));
        let named_by = named_by.and_then(|name| self.builder.parameter(name));
        let to = match (parts_of, named_by) {
            (Some(table), _) => SetTo::PartsOf(table),
            (None, Some(name)) => SetTo::Named(name, value),
            (None, None) => return,
        };
        self.builder.set_members(base, to, position(named));
    }

    /// `monkeypatch.setattr(shop, "DEBUG", True)`, `patch.object(Settings, "debug", True)`, `patch("shop.DEBUG", True)`: a name is set for others.
    pub(super) fn note_set_by_name(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) {
        let last = function.child_by_field_name("attribute").unwrap_or(function);
        let named = match self.text_of(last) {
            "patch" => 0,
            "setattr" | "object" => 1,
            _ => return,
        };
        let mut given = arguments.into_iter().flat_map(children).take(named + 1);
        let texts = given.by_ref().filter_map(|argument| self.composed_text(argument));
        let texts: Vec<String> = texts.collect();
        for text in texts {
            let last = text.rsplit('.').next().unwrap_or(&text);
            let name = self.builder.name(last);
            self.builder.facts.by_name.set.push(name);
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
            // `type.__setattr__(Settings, "debug", True)` sets what belongs to a class.
            (_, [object, named, value]) => (Some(*object), *named, *value),
            ("call", [named, value]) if self.text_of(of).starts_with("super(") => (None, *named, *value),
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

    /// `object.__getattribute__(x, name)` and `super().__getattribute__(name)` read a member.
    fn get_past_class(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<PlaceId> {
        let of = function.child_by_field_name("object")?;
        let given: Vec<_> = children(arguments?).collect();
        let (object, named) = match given.as_slice() {
            [object, named] => (*object, *named),
            // `order.__getattribute__(name)`
            [named] => (of, *named),
            _ => return None,
        };
        self.is_read_here().then_some(())?;
        let base = match self.super_call(object) {
            Some((receiver, _)) => receiver,
            None => self.expression(object)?,
        };
        match self.composed_text(named).filter(|text| !text.contains('*')) {
            Some(member) => {
                let member = self.builder.name(&member);
                Some(self.builder.load(base, member, position(named)))
            }
            None => self.read_under((base, object), named),
        }
    }

    /// `attrgetter(name)(order)` reads a member of it, and `methodcaller(name)(order)` calls one.
    pub(super) fn note_getter(&mut self, function: Node<'t>, first: Option<PlaceId>, callee: PlaceId, result: PlaceId) {
        let Some(made) = function
            .child_by_field_name("function")
            .filter(|_| function.kind() == "call")
        else {
            return;
        };
        let of_member = match self.text_of(made) {
            "operator.attrgetter" | "attrgetter" => result,
            "operator.methodcaller" | "methodcaller" => callee,
            _ => return,
        };
        let arguments = function.child_by_field_name("arguments");
        let is_constant = arguments
            .and_then(|arguments| arguments.part(0))
            .is_some_and(|named| named.kind() == "string" && self.constant_text(named).is_some());
        if !is_constant {
            let read = first.map(|base| (base, of_member));
            self.builder.facts.computed_members.extend(read);
        }
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

    /// `user.__dict__[key]`, where nothing is known of the key: `getattr(user, key)`.
    pub(super) fn field_by_key(&mut self, subscript: Node<'t>) -> Option<PlaceId> {
        let (object, named) = self.asked_by_key(subscript)?;
        self.is_read_here().then_some(())?;
        let base = self.whole_of(object)?;
        self.read_under((base, object), named)
    }

    /// Whether reading a member under a name that is put together is no part of the method that a class has for that.
    fn is_read_here(&mut self) -> bool {
        let getattr = self.builder.name("getattr");
        let is_in_hook = self.is_in_hook("__getattr__") || self.is_in_hook("__getattribute__");
        !self.builder.is_bound(getattr) && !is_in_hook
    }

    /// `getattr(user, key)`, however it is written.
    fn read_under(&mut self, (base, object): (PlaceId, Node<'t>), named: Node<'t>) -> Option<PlaceId> {
        let getattr = self.builder.name("getattr");
        let name = self.expression(named);
        let at = position(named);
        let callee = self.builder.use_name(getattr, at);
        let given = vec![Self::positional(Some(base), object), Self::positional(name, named)];
        let result = self.builder.call(callee, getattr, None, given, at, How::Implicit);
        self.read_named(base, named, result);
        Some(result)
    }

    /// The object of `user.__dict__[key]`, and the key, where that is no constant.
    fn asked_by_key(&mut self, subscript: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let table = subscript.child_by_field_name("value")?;
        let object = match self.is_own_table(table) {
            true => table,
            false => self.object_of_table(table)?,
        };
        let named = subscript.child_by_field_name("subscript")?;
        let literal = self.literal(named);
        self.constant_text(literal).is_none().then_some((object, named))
    }

    /// What has the members that such a table holds: the module itself, of its own table.
    fn whole_of(&mut self, object: Node<'t>) -> Option<PlaceId> {
        match self.is_own_table(object) {
            true => Some(self.own_module(position(object))),
            false => self.expression(object),
        }
    }

    /// Whether this stands in the method that a class has for attributes, past which its `__dict__` goes.
    fn is_in_hook(&self, hook: &str) -> bool {
        let facts = &self.builder.facts;
        let function = facts.functions.get(self.builder.function().0 as usize);
        function.is_some_and(|function| facts.text(function.name) == hook)
    }

    /// `user.__dict__[key] = value`: `setattr(user, key, value)`.
    pub(super) fn set_by_key(&mut self, target: Node<'t>, value: Option<PlaceId>) -> Option<()> {
        let (object, named) = self.asked_by_key(target)?;
        let setattr = self.builder.name("setattr");
        if self.builder.is_bound(setattr) || self.is_in_hook("__setattr__") {
            return None;
        }
        let base = self.whole_of(object)?;
        let (name, at) = (self.expression(named), position(named));
        let callee = self.builder.use_name(setattr, at);
        let given = [(Some(base), object), (name, named), (value, target)];
        let given = given.map(|(place, node)| Self::positional(place, node)).to_vec();
        self.builder.call(callee, setattr, None, given, at, How::Implicit);
        let written = target.parent().and_then(|around| around.child_by_field_name("right"));
        let table = written.and_then(|written| self.table_of_pair(named, written));
        let meant = self.members_meant(named, table);
        let parts_of = table.and_then(|table| self.look(table));
        if !meant.as_ref().is_some_and(|meant| meant.is_all) {
            self.builder.facts.by_name.set_any.push(base);
            self.note_members_set(base, named, (value, parts_of));
        }
        if let Some(meant) = meant {
            self.write_meant(base, named, &meant, (value, parts_of));
        }
        Some(())
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
            let is_told = self.take_over(object, &tables);
            if !is_told {
                self.take_over_given(object, &tables);
            }
            return is_told;
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

    /// Whether what is done with `user.__dict__` is done with all of it.
    pub(super) fn is_taken_whole(&self, table: Node<'t>) -> bool {
        let is_whole = |around: Node<'t>| match around.kind() {
            "attribute" => {
                let method = around.child_by_field_name("attribute");
                let given = around
                    .parent()
                    .and_then(|call| call.child_by_field_name("arguments")?.part(0));
                method.is_some_and(|method| match self.text_of(method) {
                    // Under a key of which nothing is known is what nobody knows of the object, too.
                    "get" => given.is_some_and(|key| key.kind() == "string"),
                    method => matches!(method, "items" | "values" | "keys" | "copy"),
                })
            }
            "subscript" | "comparison_operator" => false,
            _ => true,
        };
        table.parent().is_none_or(is_whole)
    }

    /// `user.__dict__` is what `vars(user)` gives, and there whatever a class does about names that are not.
    pub(super) fn members_of(&mut self, object: PlaceId, node: Node<'t>) -> Option<PlaceId> {
        let at = position(node);
        let vars = self.builder.name("vars");
        if self.builder.is_bound(vars) {
            return None;
        }
        let callee = self.builder.use_name(vars, at);
        let arguments = vec![Self::positional(Some(object), node)];
        Some(self.builder.call(callee, vars, None, arguments, at, How::Implicit))
    }

    /// The object whose members are the parts of a table: `user.__dict__`, `vars(user)`.
    pub(super) fn object_of_table(&mut self, table: Node<'t>) -> Option<Node<'t>> {
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
        if !self.builder.is_bound(name) {
            self.read_named(base, named, result);
        }
    }

    /// Reads the members that an expression may name.
    fn read_named(&mut self, base: PlaceId, named: Node<'t>, result: PlaceId) {
        let composed = self.composed_text(named);
        // What is in fields is found out for all files.
        let meant = self.members_meant(named, None);
        let meant = meant.filter(|meant| meant.is_all || named.kind() != "attribute");
        if let Some(meant) = meant {
            if !meant.is_all && composed.is_none() {
                self.builder.facts.computed_members.push((base, result));
            }
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

    /// The module that `import_module("shop.cart")` gives (in tests `importorskip`), or any that `import_module("plugins." + name)` may give.
    pub(super) fn imported_module(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<PlaceId> {
        let text = self.text_of(function);
        let last = text.rsplit('.').next();
        let is_import = text == "__import__" || matches!(last, Some("import_module" | "importorskip"));
        if !is_import {
            return None;
        }
        let named = children(arguments?).next()?;
        if self.text_of(named) == "__name__" {
            return Some(self.own_module(position(function)));
        }
        let literal = self.literal(named);
        let constant = self.constant_text(literal);
        let Some(module) = constant.or_else(|| self.composed_text(named)) else {
            return Some(self.builder.object(Object::AnyModule, position(function)));
        };
        self.module_of_text(&module, text == "__import__", position(function))
    }

    /// The module that a text names, or any that it may.
    pub(super) fn module_of_text(&mut self, module: &str, binds_first: bool, at: Position) -> Option<PlaceId> {
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
            binds_first,
            alias: Name(0),
            position: at,
        };
        let id = ImportId(self.builder.facts.imports.len() as u32);
        self.builder.facts.imports.push(import);
        Some(self.builder.object(Object::Import(id), at))
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
}

/// Whether a text is a name with dots, or with a colon before the last part: `shop.cache:make`.
fn is_dotted(text: &str) -> bool {
    let is_name = |part: &str| part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let begins = |part: &str| part.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    let named = text.strip_prefix('.').unwrap_or(text);
    named.contains(['.', ':']) && named.split(['.', ':']).all(|part| begins(part) && is_name(part))
}
