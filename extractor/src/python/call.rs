//! Calls and their arguments.
//!
//! `client.post(url, json=body, **extra)` loads the member `post` of whatever `client` holds and calls it with one argument
//! by position, one by keyword and one spread; the callee's text, `client.post`, is kept for the case that nothing is known.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{Argument, ArgumentKind, Constant, Name, PlaceId, TypeId};

/// Methods and functions that read columns by expressions in texts.
const EXPRESSION_METHODS: &[&str] = &["eval", "expr", "query", "selectExpr"];

impl<'t> Walker<'t> {
    pub(super) fn call(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let function = node.child_by_field_name("function")?;
        let arguments_node = node.child_by_field_name("arguments");
        if let Some(place) = self.reflective(function, arguments_node) {
            return Some(place);
        }
        self.note_put(function, arguments_node);
        if let Some(place) = self.container_call(function, arguments_node) {
            self.grown_by(function);
            return Some(place);
        }
        if self.fields_updated(function, arguments_node) {
            return None;
        }
        self.note_registered(function, arguments_node);
        self.grown_by(function);
        let stepped = self.stepped_by(function, arguments_node);
        self.stepped = stepped.map(|stepped| stepped.id());
        let callee = self.expression(function)?;
        if let Some(root) = root_of(function) {
            let root = self.name_of(root);
            self.builder.note_body_call(root);
        }
        let callee = self.dispatched(function, arguments_node).unwrap_or(callee);
        let receiver = match function.kind() {
            // `getattr(name, "upper")()` is asked of `name`.
            "attribute" | "call" => self
                .builder
                .facts
                .loads
                .last()
                .filter(|load| load.to == callee)
                .map(|load| load.base),
            _ => None,
        };
        let (at, how) = match function.kind() {
            "attribute" => (
                function
                    .child_by_field_name("attribute")
                    .map_or(position(node), position),
                How::Method,
            ),
            "identifier" => (position(function), How::Direct),
            _ => {
                let site = table_called(function).or(arguments_node).unwrap_or(node);
                (position(site), How::Dynamic)
            }
        };
        let text = self.callee_text(function);
        self.note_expressions(function, arguments_node);
        let template = self.template_of(function);
        let looks = template.is_some() || self.only_looks(function);
        let mut arguments = self.arguments(arguments_node, looks);
        let written = template.and_then(|template| self.written_by(template, &mut arguments));
        if self.makes_default_table(node) {
            arguments.iter_mut().for_each(|argument| argument.place = None);
        }
        self.note_property(node, &arguments);
        let module = self.imported_module(function, arguments_node);
        let made = looks.then(|| self.made_of(function, &arguments, at)).flatten();
        let first = arguments.first().and_then(|argument| argument.place);
        let given = if made.is_none() {
            self.spread_given(function, &arguments)
        } else {
            Vec::new()
        };
        let result = self.builder.call(callee, text, receiver, arguments, at, how);
        self.fill_result(function, given, result);
        self.may_tell(function, first, at);
        for part in written.into_iter().flatten() {
            self.builder.derive(Some(part), result, at);
        }
        self.note_number(function, arguments_node);
        self.note_set_by_name(function, arguments_node);
        self.read_by_pattern(function, arguments_node, first, result);
        if let ("setattr" | "delattr", Some(first)) = (self.text_of(function), first) {
            self.builder.use_computed(first, true, at);
            self.set_under_names(function, arguments_node, first);
        }
        self.note_own_table(node, callee);
        self.note_getter(function, first, callee, result);
        if matches!(self.text_of(function), "inspect.getmembers" | "getmembers") {
            // Any of them may be called, by whoever gets them.
            self.builder
                .facts
                .computed_members
                .extend(first.map(|base| (base, callee)));
        }
        if let Some(class) = self.cast_to(function, arguments_node) {
            let declared = self.annotation(class);
            self.builder.declare_type(result, declared);
        }
        if let Some((shape, container)) = made {
            self.flow_into(container, result, at);
            self.builder.know_shape(result, shape);
        }
        self.flow_into(module, result, at);
        if let Some(own) = self.asked_for_class(function, arguments_node) {
            let (own, class) = (self.name_of(own), self.builder.name("__class__"));
            let own = self.builder.use_name(own, at);
            return Some(self.builder.load(own, class, at));
        }
        self.take_step(stepped);
        if !self.builder.at_file_level() && self.never_comes_back(function) {
            self.ended_by_calls += 1;
            self.builder.fail(at);
            self.builder.leave();
        }
        Some(result)
    }

    /// `raise NotReady`: a class by its name is called with nothing.
    pub(super) fn made_by_raising(&mut self, name: Node<'t>, class: PlaceId) -> PlaceId {
        let load = self.builder.facts.loads.last().filter(|load| load.to == class);
        let (receiver, how) = match (name.kind(), load) {
            ("attribute", load) => (load.map(|load| load.base), How::Method),
            _ => (None, How::Direct),
        };
        let last = name.child_by_field_name("attribute").unwrap_or(name);
        let text = self.callee_text(name);
        self.builder
            .call(class, text, receiver, Vec::new(), position(last), how)
    }

    /// Whether an expression is the name of a class, as classes are named: `NotReady`, `errors.NotReady`.
    pub(super) fn looks_like_class(&self, node: Node<'t>) -> bool {
        let last = match node.kind() {
            "identifier" => node,
            "attribute" => node.child_by_field_name("attribute").unwrap_or(node),
            _ => return false,
        };
        let text = self.text_of(last).trim_start_matches('_');
        text.starts_with(char::is_uppercase) && text.contains(char::is_lowercase)
    }

    /// `rows.pop(0)`, `rows.insert(0, value)`, `itemgetter(0)`: which part is meant.
    pub(super) fn note_number(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) {
        let named = function.child_by_field_name("attribute").unwrap_or(function);
        let first = arguments.and_then(|arguments| children(arguments).next());
        if let ("pop" | "insert" | "itemgetter", Some(first)) = (self.text_of(named), first)
            && let Some(number) = self
                .constant_position(first)
                .and_then(|number| i32::try_from(number).ok())
        {
            let call = self.builder.facts.calls.len() as u32 - 1;
            self.builder.facts.numbers.push((call, number));
        }
    }

    /// The type that `cast("B", value)` says the value is of.
    fn cast_to(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<Node<'t>> {
        let text = self.text_of(function);
        let (bound, member) = match text.split_once('.') {
            Some((bound, "cast")) => (bound, None),
            None => (text, Some("cast")),
            _ => return None,
        };
        let facts = &self.builder.facts;
        let is_typing = facts.imports.iter().any(|import| {
            facts.text(import.alias) == bound
                && import.member.map(|name| facts.text(name)) == member
                && matches!(facts.text(import.path), "typing" | "typing_extensions")
        });
        let class = arguments.filter(|_| is_typing)?.part(0)?;
        // A class that the code has a name for: what a library's type says would stand beside what is known.
        let named = self.text_of(class).trim_matches(['"', '\'']);
        let first = named.split('.').next().unwrap_or_default();
        let is_of_typing = facts
            .imports
            .iter()
            .any(|import| facts.text(import.alias) == first && facts.text(import.path).starts_with("typing"));
        let is_name = named
            .chars()
            .all(|part| part.is_alphanumeric() || part == '_' || part == '.');
        (is_name && !is_of_typing).then_some(class)
    }

    /// `super()` or `super(C, self)` inside a method: the receiver's place and the class to search after.
    pub(super) fn super_call(&mut self, node: Node<'t>) -> Option<(PlaceId, TypeId)> {
        if node.kind() != "call" {
            return None;
        }
        let function = node.child_by_field_name("function")?;
        if self.text_of(function) != "super" {
            return None;
        }
        let around = self.methods.iter().rev().flatten().next().copied();
        let given: Vec<_> = children(node.child_by_field_name("arguments")?).collect();
        let [named, of] = given.as_slice() else {
            let (receiver, class) = around?;
            return Some((self.builder.use_name(receiver, position(node)), class));
        };
        // `super(Middle, self)`: past a class that may be another than that around.
        let name = self.name_of(*named);
        let named = self.builder.facts.types.iter().rposition(|own| own.name == name);
        let named = named
            .map(|index| TypeId(index as u32))
            .or(around.map(|(_, class)| class))?;
        Some((self.expression(*of)?, named))
    }

    /// `super(Base, self).save` where `Base` is a class of another file: what was read last is sought past that.
    pub(super) fn note_super(&mut self, call: Node<'t>) {
        let given: Vec<_> = call
            .child_by_field_name("arguments")
            .into_iter()
            .flat_map(children)
            .collect();
        let [named, _] = given.as_slice() else { return };
        let name = self.name_of(*named);
        if self.builder.facts.types.iter().all(|own| own.name != name) {
            let class = self.annotation(*named);
            let load = self.builder.facts.loads.len() as u32 - 1;
            self.builder.facts.supers.push((load, class));
        }
    }

    /// Notes what texts name that methods read as expressions: `frame.query("hours > 0")`.
    fn note_expressions(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) {
        let name = function.child_by_field_name("attribute").unwrap_or(function);
        if !EXPRESSION_METHODS.contains(&self.text_of(name)) {
            return;
        }
        for argument in arguments.into_iter().flat_map(children) {
            if let Some(text) = self.constant_text(argument) {
                self.builder.expressions(&text);
            }
        }
    }

    /// The callee as written, calls and subscripts in it shortened: `open().read`.
    pub(super) fn callee_text(&mut self, node: Node<'t>) -> Name {
        let mut text = self.text_of(node);
        if text.len() > 80 || text.contains(['(', '[', '"', '\'', '\n']) {
            text = match node.kind() {
                "attribute" => node
                    .child_by_field_name("attribute")
                    .map_or("", |member| self.text_of(member)),
                _ => "",
            };
        }
        self.builder.name(text)
    }

    /// The receiver whose class `type(self)` asks for, which is what `self.__class__` is.
    fn asked_for_class(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<Node<'t>> {
        if self.text_of(function) != "type" {
            return None;
        }
        let name = self.name_of(function);
        let given = arguments?
            .part(0)
            .filter(|_| arguments.is_some_and(|given| given.part_count() == 1))?;
        let is_own = self.receiver_class(given).is_some() && !self.builder.is_bound(name);
        // What `cls` is of is another class than its own.
        (is_own && self.text_of(given) != "cls").then_some(given)
    }

    /// The arguments of a call that may keep them, or only looks at them.
    pub(super) fn arguments(&mut self, node: Option<Node<'t>>, looks: bool) -> Vec<Argument> {
        let Some(node) = node else { return Vec::new() };
        if node.kind() == "generator_expression" {
            let place = self.expression(node);
            return vec![Self::positional(place, node)];
        }
        // `dict(email=address)` names the key as `{"email": address}` does.
        let function = node.parent().and_then(|call| call.child_by_field_name("function"));
        if function.is_some_and(|function| self.text_of(function) == "dict") {
            for name in children(node).filter_map(|argument| argument.child_by_field_name("name")) {
                let key = self.name_of(name);
                self.builder.key_use(key, position(name));
            }
        }
        children(node).map(|argument| self.argument(argument, looks)).collect()
    }

    /// What a call is given under a name.
    pub(super) fn keyword(&self, call: Node<'t>, wanted: &str) -> Option<Node<'t>> {
        let named = children(call.child_by_field_name("arguments")?).find(|argument| {
            let name = argument.child_by_field_name("name");
            argument.kind() == "keyword_argument" && name.is_some_and(|name| self.text_of(name) == wanted)
        })?;
        named.child_by_field_name("value")
    }

    /// What is known of an argument: a constant, or that it is a function.
    fn constant_given(&mut self, value: Node<'t>) -> Option<Constant> {
        let is_function = match value.kind() {
            "lambda" => true,
            "identifier" => self.names_function(value) || self.names_class(value) || self.names_decorated(value),
            _ => false,
        };
        match is_function {
            true => Some(Constant::Function),
            false => self.constant(value),
        }
    }

    pub(super) fn argument(&mut self, node: Node<'t>, looks: bool) -> Argument {
        let (kind, value) = match node.kind() {
            "keyword_argument" => {
                let name = node.child_by_field_name("name");
                let name = name.map_or(Name(0), |name| self.name_of(name));
                (ArgumentKind::Keyword(name), node.child_by_field_name("value"))
            }
            "list_splat" => (ArgumentKind::Spread, node.part(0)),
            "dictionary_splat" => (ArgumentKind::SpreadKeywords, node.part(0)),
            _ => (ArgumentKind::Positional, Some(node)),
        };
        let is_spread = matches!(kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        let display = value.filter(|_| !is_spread).and_then(|value| self.display_given(value));
        let place = value.and_then(|value| match looks || is_spread {
            true => self.look(value),
            false => self.expression(value),
        });
        let place = self.given_under_tests(place, node);
        let text = value
            .map(|value| self.literal(value))
            .and_then(|value| self.constant_text(value))
            .filter(|text| text.len() <= 200);
        let text = text.map(|text| self.builder.name(&text));
        let statement = value.and_then(|value| self.statement_given(value));
        let text = statement.or(text);
        let constant = display.or_else(|| value.and_then(|value| self.constant_given(value)));
        Argument {
            kind,
            place,
            text,
            constant,
            position: value.map_or(position(node), position),
        }
    }
}

/// The name of the table whose part is called: `steps` in `steps[0]()` and `self.steps[0]()`.
fn table_called(function: Node<'_>) -> Option<Node<'_>> {
    let mut table = function;
    while table.kind() == "subscript" {
        table = table.child_by_field_name("value")?;
    }
    match table.kind() {
        "identifier" if table != function => Some(table),
        "attribute" if table != function => table.child_by_field_name("attribute"),
        _ => None,
    }
}

/// The name that a callee is reached through: `a` of `a.b[0].c()`.
pub(super) fn root_of(mut callee: Node<'_>) -> Option<Node<'_>> {
    loop {
        callee = match callee.kind() {
            "identifier" => return Some(callee),
            "attribute" => callee.child_by_field_name("object")?,
            "subscript" => callee.child_by_field_name("value")?,
            "call" => callee.child_by_field_name("function")?,
            _ => return None,
        };
    }
}
