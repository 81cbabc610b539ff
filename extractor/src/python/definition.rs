//! Functions, classes, decorators and imports: what binds a name to something with members or a body.
//!
//! `@cached def price(self): …` in a class body notes a method, calls `cached` with it, and binds `price` to the value of that
//! call; at the end of the class body the name's value goes into the member `price` of the class.

use crate::tree::{Parts, children};
use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::call::root_of;
use super::{Class, Walker, end_line, position};
use crate::facts::builder::one_line;
use crate::facts::{
    Argument, ArgumentKind, BaseGiven, Binding, Constant, Function, FunctionId, FunctionKind, Import, ImportId, MEMBER,
    MemberBinding, MemberValue, Name, Object, Parameter, ParameterKind, PlaceId, PlaceKind, Position, Type,
    TypeExpression, TypeId, TypeKind,
};

impl<'t> Walker<'t> {
    pub(super) fn decorated_definition(&mut self, node: Node<'t>) {
        let decorators: Vec<_> = children(node)
            .filter(|child| child.kind() == "decorator")
            .filter_map(|child| child.part(0))
            .collect();
        match node.child_by_field_name("definition") {
            Some(definition) if definition.kind() == "class_definition" => {
                self.class_definition(definition, &decorators);
            }
            Some(definition) => self.function_definition(definition, &decorators),
            None => {}
        }
    }

    pub(super) fn function_definition(&mut self, node: Node<'t>, decorators: &[Node<'t>]) {
        let Some(name_node) = node.child_by_field_name("name") else {
            return;
        };
        let name = self.name_of(name_node);
        let at = position(name_node);
        let owner = self.class_around().map(|class| class.id);
        let parameters = node.child_by_field_name("parameters");
        let body = node.child_by_field_name("body");
        let is_stub = body.is_some_and(|body| self.text_of(body).trim() == "...");
        // For who checks types it takes the place of what is inherited; when the program runs there is no such method.
        if is_stub && owner.is_some() && self.is_for_types(node) {
            return;
        }
        let applied: Vec<_> = decorators
            .iter()
            .map(|decorator| (*decorator, self.expression(*decorator)))
            .collect();
        let defaults = self.default_values(parameters);
        let variables = self.open_type_variables(node);
        let returns = node
            .child_by_field_name("return_type")
            .map(|annotation| self.annotation(annotation));
        let binding = decorators.iter().fold(Binding::Instance, |binding, decorator| {
            let text = self.text_of(*decorator);
            binding_of(text).unwrap_or(binding)
        });
        let binding = match self.text_of(name_node) {
            "__new__" | "__init_subclass__" | "__class_getitem__" if owner.is_some() => Binding::Class,
            _ => binding,
        };
        let signature_end = body.map_or(node.end_byte(), |body| body.start_byte());
        let signature = self.text.get(node.start_byte()..signature_end).unwrap_or("");
        let signature = one_line(
            signature
                .split(":\n")
                .next()
                .unwrap_or(signature)
                .trim_end()
                .trim_end_matches(':'),
        );
        let id = self.builder.open_function(Function {
            name,
            kind: if owner.is_some() {
                FunctionKind::Method
            } else {
                FunctionKind::Function
            },
            parent: Some(self.builder.function()),
            owner,
            receiver_type: None,
            receiver: None,
            parameters: Vec::new(),
            results: Vec::new(),
            position: at,
            end_line: end_line(node),
            signature,
            doc: body.map_or_else(String::new, |body| self.docstring(body)),
            binding,
            is_abstract: is_stub
                || decorators
                    .iter()
                    .any(|decorator| self.text_of(*decorator).ends_with("abstractmethod")),
            always_raises: false,
            looks_at_raised: self.looks_at_raised(node),
            decorated: decorators
                .iter()
                .any(|decorator| changes_parameters(self.text_of(*decorator))),
            test: self.test,
        });
        self.methods.push(None);
        // What waits, or gives its values one by one, comes back at once.
        let comes_back =
            is_stub || super::statement::is_async(node) || body.is_some_and(|body| yields(body, self.text));
        let outer = std::mem::replace(&mut self.comes_back, comes_back);
        let is_method = owner.is_some() && binding != Binding::Static;
        self.parameters(parameters, defaults, is_method);
        if let (Some(class), true) = (owner, is_method)
            && let Some(first) = self.builder.function_mut().parameters.first().copied()
            && matches!(first.kind, ParameterKind::Normal | ParameterKind::PositionalOnly)
            && let Some(method) = self.methods.last_mut()
        {
            *method = Some((first.name, class));
        }
        self.note_fixtures((self.text_of(name_node), decorators), (id, owner), is_method);
        self.give_parametrized(decorators);
        let result = self.builder.place(PlaceKind::Result, name, at);
        self.builder.function_mut().results.push(result);
        if let Some(returns) = returns {
            self.builder.declare_type(result, returns);
        }
        if let Some(body) = body {
            let elsewhere = declared_elsewhere(body, self.text);
            let around = self.note_tests(parameters, body);
            for text in super::names::bound_in(body, self.text) {
                let is_own = !elsewhere.contains(text.as_str());
                let bound = self.builder.name(&text);
                if is_own && !self.builder.is_declared_here(bound) {
                    self.builder.declare(bound);
                    self.declare_flag(bound, &text);
                }
            }
            if yields(body, self.text) {
                self.make_generator(result, at);
            }
            self.block(body);
            self.forget_tests(around);
        }
        self.methods.pop();
        self.comes_back |= self.builder.is_reachable();
        let always_raises = !std::mem::replace(&mut self.comes_back, outer);
        self.builder.function_mut().always_raises = always_raises;
        if always_raises && owner.is_none() && self.builder.function_mut().parent.is_some_and(|parent| parent.0 == 0) {
            let is_one = self.file_functions.contains_key(self.builder.facts.text(name));
            self.never_back.extend(is_one.then_some(name));
        }
        self.builder.close_function();
        self.close_type_variables(variables);
        for (decorator, callee) in &applied {
            self.apply_descriptor((*decorator, *callee), id, at);
        }
        let applied: Vec<_> = applied
            .into_iter()
            .filter(|(decorator, _)| binding_of(self.text_of(*decorator)).is_none())
            .collect();
        if let (Some(owner), false) = (owner, applied.is_empty() || binding == Binding::Instance) {
            self.builder.facts.member_bindings.push(MemberBinding {
                owner,
                name,
                binding,
                writers: [None; 2],
            });
        }
        // `@x.setter def x` adds to what `x` is: the getter stays.
        let kept = (binding == Binding::Setter).then(|| self.builder.use_name(name, at));
        let place = self.bind_decorated(name, at, Object::Function(id), &applied);
        self.flow_into(kept, place, at);
        self.note_dispatch(decorators, (name, place), (id, parameters));
    }

    /// `@cached_property` makes a property, be it one of the language or of the program: a class of the index is called for that.
    fn apply_descriptor(
        &mut self,
        (decorator, callee): (Node<'t>, Option<PlaceId>),
        function: FunctionId,
        at: Position,
    ) {
        let text = self.text_of(decorator);
        let is_own = binding_of(text) == Some(Binding::Property) && last_name(text) == "cached_property";
        let Some(callee) = callee.filter(|_| is_own && decorator.kind() != "call") else {
            return;
        };
        let name = self.builder.name(text);
        let getter = self.builder.object(Object::Function(function), at);
        let argument = Argument {
            constant: Some(Constant::Function),
            ..Self::positional(Some(getter), decorator)
        };
        let call = self.builder.facts.calls.len() as u32;
        self.builder
            .call(callee, name, None, vec![argument], position(decorator), How::Decorator);
        self.builder.facts.described.push((function, call));
    }

    /// Binds a name to a function or class, through its decorators, innermost first.
    pub(super) fn bind_decorated(
        &mut self,
        name: Name,
        at: Position,
        object: Object,
        decorators: &[(Node<'t>, Option<PlaceId>)],
    ) -> PlaceId {
        if decorators.is_empty() {
            let place = self.builder.define(name, PlaceKind::Binding, at);
            self.builder.facts.objects.push((place, object));
            return place;
        }
        let mut current = self.builder.object(object, at);
        for (node, callee) in decorators.iter().rev() {
            let Some(callee) = callee else { continue };
            let text = one_line(self.text_of(*node).split('(').next().unwrap_or(""));
            let text = self.builder.name(&text);
            // What a decorator gives stands for what it was given: it can be called, too.
            let argument = Argument {
                constant: Some(Constant::Function),
                ..Self::positional(Some(current), *node)
            };
            current = self
                .builder
                .call(*callee, text, None, vec![argument], position(*node), How::Decorator);
        }
        let place = self.builder.define(name, PlaceKind::Binding, at);
        self.flow_into(Some(current), place, at);
        place
    }

    /// The class that a call gives, where the function of this file that is called does nothing but return it by name.
    fn class_given(&self, call: Node<'t>) -> Option<Node<'t>> {
        let function = call.child_by_field_name("function").filter(|_| call.kind() == "call")?;
        let mut root = call;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        let name = self.text_of(function);
        let mut definitions = children(root).filter(|statement| {
            let own = statement.child_by_field_name("name");
            statement.kind() == "function_definition" && own.is_some_and(|own| self.text_of(own) == name)
        });
        let (definition, None) = (definitions.next()?, definitions.next()) else {
            return None;
        };
        let last = children(definition.child_by_field_name("body")?).last()?;
        let given = last.part(0).filter(|_| last.kind() == "return_statement")?;
        let is_local = super::names::bound_in(definition, self.text)
            .iter()
            .any(|bound| bound == self.text_of(given));
        (given.kind() == "identifier" && !is_local).then_some(given)
    }

    /// The constructor of an enumeration runs for each of its members, with what the body gives it: `EARTH = (5.97e24, 6.37e6)`. Whether a class is
    /// one, other files may say: what is called as constants are may be a member.
    fn tell_enumeration(&mut self, class: Node<'t>, body: Node<'t>, (id, place): (TypeId, PlaceId)) {
        let bases: Vec<Node<'t>> = class
            .child_by_field_name("superclasses")
            .into_iter()
            .flat_map(children)
            .collect();
        if bases.is_empty() {
            return;
        }
        let is_enumeration = bases.into_iter().any(|base| {
            let last = self.text_of(base).rsplit('.').next().unwrap_or_default();
            last.ends_with("Enum") || last.ends_with("Flag")
        });
        let is_constant = |name: &str| !name.contains(char::is_lowercase);
        let text = self.builder.name(MEMBER);
        // Of a name that is bound twice, the first.
        let mut values: FxHashMap<Name, PlaceId> = FxHashMap::default();
        for value in self
            .builder
            .facts
            .member_values
            .iter()
            .rev()
            .take_while(|value| value.owner == id)
        {
            values.insert(value.member, value.from);
        }
        let assigned = children(body).filter_map(|statement| statement.part(0));
        let assigned = assigned.filter(|node| node.kind() == "assignment");
        for assignment in assigned.collect::<Vec<_>>() {
            let ends = ["left", "right"].map(|end| assignment.child_by_field_name(end));
            let [Some(member), Some(value)] = ends else { continue };
            let named = self.text_of(member);
            let is_member = member.kind() == "identifier" && !named.starts_with('_') && value.kind() != "lambda";
            if !is_member || !(is_enumeration || is_constant(named)) {
                continue;
            }
            let (name, at) = (self.name_of(member), position(member));
            let mut given = Self::positional(values.get(&name).copied(), value);
            if matches!(value.kind(), "tuple" | "expression_list") {
                given.kind = ArgumentKind::Spread;
            }
            let made = self.builder.call(place, text, None, vec![given], at, How::Implicit);
            self.builder.facts.member_values.push(MemberValue {
                owner: id,
                member: name,
                from: made,
                position: at,
            });
        }
    }

    /// A class calls `__new__` and `__init__` of its metaclass.
    fn tell_metaclass(&mut self, meta: PlaceId, class: PlaceId, name: Node<'t>) {
        let at = position(name);
        let text = self.name_of(name);
        let mut named = Self::positional(None, name);
        named.text = Some(text);
        let rest = [named, Self::positional(None, name), Self::positional(None, name)];
        let prepared = vec![Self::positional(None, name), Self::positional(None, name)];
        self.builder.implicit_call(meta, "__prepare__", prepared, at);
        self.builder.implicit_call(meta, "__new__", rest.to_vec(), at);
        let callee = self.builder.implicit_load(meta, "__init__", at);
        let mut given = vec![Self::positional(Some(class), name)];
        given.extend(rest);
        let text = self.builder.name("__init__");
        self.builder.call(callee, text, None, given, at, How::Implicit);
    }

    /// `if TYPE_CHECKING: def find(self) -> int: ...`
    fn is_for_types(&self, definition: Node<'t>) -> bool {
        let mut inner = definition;
        let test = std::iter::successors(definition.parent(), |node| node.parent()).find_map(|node| {
            let found = match node.kind() {
                "if_statement" => Some(node.child_by_field_name("consequence") == Some(inner)),
                "decorated_definition" | "block" => None,
                _ => Some(false),
            };
            inner = node;
            found.map(|is_inside| (node, is_inside))
        });
        let test = test.filter(|(_, is_inside)| *is_inside).map(|(test, _)| test);
        let condition = test.and_then(|test| test.child_by_field_name("condition"));
        let is_name = |condition: &Node<'t>| matches!(condition.kind(), "identifier" | "attribute");
        let is_asked = condition
            .filter(is_name)
            .is_some_and(|condition| last_name(self.text_of(condition)) == "TYPE_CHECKING");
        // Where nothing is inherited, nothing else says what there is.
        let class = test.and_then(|test| test.parent()?.parent());
        is_asked && class.is_some_and(|class| class.child_by_field_name("superclasses").is_some())
    }

    /// A class with bases calls their `__init_subclass__`.
    fn tell_bases(&mut self, class: PlaceId, id: TypeId, keywords: Vec<Argument>, at: Position) {
        let method = self.builder.name("__init_subclass__");
        let callee = self.builder.super_load(class, id, method, at);
        if let Some(load) = self.builder.facts.loads.last_mut() {
            load.implicit = true;
        }
        self.builder
            .call(callee, method, Some(class), keywords, at, How::Implicit);
    }

    /// Defaults are evaluated where the function is defined, and what annotations say beside types.
    pub(super) fn default_values(&mut self, parameters: Option<Node<'t>>) -> Vec<[Option<PlaceId>; 2]> {
        let mut values = Vec::new();
        for parameter in parameters.into_iter().flat_map(children) {
            let value = parameter
                .child_by_field_name("value")
                .filter(|_| parameter.kind().contains("default"));
            // Nothing is in it, and nothing is put in.
            let value = value.filter(|value| value.kind() != "tuple" || value.part_count() > 0);
            let value = value.and_then(|value| self.expression(value));
            values.push([value, self.marked(parameter)]);
            if let Some(annotation) = parameter.child_by_field_name("type") {
                self.call_in_annotation(annotation);
            }
        }
        values
    }

    /// Declares the parameters of the function that was just opened.
    pub(super) fn parameters(&mut self, node: Option<Node<'t>>, defaults: Vec<[Option<PlaceId>; 2]>, is_method: bool) {
        let mut kind = ParameterKind::Normal;
        for (parameter, [default, marked]) in node.into_iter().flat_map(children).zip(defaults) {
            match parameter.kind() {
                "keyword_separator" => {
                    kind = ParameterKind::KeywordOnly;
                    continue;
                }
                "positional_separator" => {
                    for parameter in &mut self.builder.function_mut().parameters {
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                    continue;
                }
                _ => {}
            }
            let inner = match parameter.kind() {
                "typed_parameter" => parameter.part(0).unwrap_or(parameter),
                _ => parameter.child_by_field_name("name").unwrap_or(parameter),
            };
            let (name_node, own_kind) = match inner.kind() {
                "list_splat_pattern" => (inner.part(0), ParameterKind::Rest),
                "dictionary_splat_pattern" => (inner.part(0), ParameterKind::RestKeywords),
                "identifier" => (Some(inner), kind),
                _ => (None, kind),
            };
            let Some(name_node) = name_node else { continue };
            let name = self.name_of(name_node);
            let is_first = self.builder.function_mut().parameters.is_empty();
            let place_kind = if is_method && is_first {
                PlaceKind::Receiver
            } else {
                PlaceKind::Parameter
            };
            let constant = parameter
                .child_by_field_name("value")
                .filter(|value| value.kind() != "identifier")
                .and_then(|value| self.constant(value));
            let wire_name = self.name_in_request(parameter, name_node);
            self.builder.declare(name);
            let place = self.builder.define(name, place_kind, position(name_node));
            self.builder.function_mut().parameters.push(Parameter {
                place,
                name,
                kind: own_kind,
                default: constant,
                required: !parameter.kind().contains("default"),
                wire_name,
            });
            if own_kind == ParameterKind::Rest {
                kind = ParameterKind::KeywordOnly;
            }
            self.builder.flow(default, place, How::Default, position(name_node));
            self.mark(marked, parameter, place);
            if let Some(annotation) = parameter.child_by_field_name("type") {
                let declared = self.annotation(annotation);
                self.builder.declare_type(place, declared);
            }
        }
    }

    pub(super) fn class_definition(&mut self, node: Node<'t>, decorators: &[Node<'t>]) {
        let Some(name_node) = node.child_by_field_name("name") else {
            return;
        };
        let name = self.name_of(name_node);
        let at = position(name_node);
        let body = node.child_by_field_name("body");
        let applied: Vec<_> = decorators
            .iter()
            .map(|decorator| (*decorator, self.expression(*decorator)))
            .collect();
        let variables = self.open_type_variables(node);
        let type_parameters = self.class_parameters(node, variables);
        let (mut bases, mut bases_given) = (Vec::new(), Vec::new());
        let mut named_tuple = false;
        let mut metaclass = None;
        let (mut meta, mut keywords) = (None, Vec::new());
        for base in node.child_by_field_name("superclasses").into_iter().flat_map(children) {
            if base.kind() == "keyword_argument" {
                let named = base.child_by_field_name("name").map(|name| self.text_of(name));
                match base.child_by_field_name("value") {
                    Some(value) if named == Some("metaclass") => {
                        meta = self.expression(value);
                        metaclass = Some(self.annotation(value));
                    }
                    Some(_) => keywords.push(self.argument(base, false)),
                    None => {}
                }
                continue;
            }
            let base_place = self.expression(base);
            // `class Point(namedtuple("Point", "east north"))`.
            let base_name = self.builder.name("namedtuple");
            if let Some(id) = self.named_tuple(base, base_name) {
                bases.push(self.builder.type_expression(TypeExpression::Local(id)));
                continue;
            }
            named_tuple |= self.text_of(base).ends_with("NamedTuple");
            // What callers hand in may be any class.
            let is_given = root_of(base).is_some_and(|root| {
                let name = self.name_of(root);
                self.builder.parameter(name).is_some()
            });
            bases_given.extend(base_place.filter(|_| is_given));
            if is_given && base.kind() == "identifier" {
                bases.push(self.builder.type_expression(TypeExpression::Unknown));
                continue;
            }
            let is_name = base.kind() == "identifier" && {
                let name = self.name_of(base);
                self.builder.is_of_file(name)
            };
            let made = self.file_calls.get(self.text_of(base)).filter(|_| is_name);
            let made = made.copied().unwrap_or(base);
            let named = self.class_given(made).unwrap_or(base);
            bases.push(self.base(named));
        }
        let generated = named_tuple
            || decorators.iter().any(|decorator| {
                let text = self.text_of(*decorator).split('(').next().unwrap_or("");
                matches!(
                    text.rsplit('.').next(),
                    Some("dataclass" | "attrs" | "define" | "frozen" | "s")
                )
            });
        let keyword_only = generated
            && decorators
                .iter()
                .any(|decorator| self.text_of(*decorator).replace(' ', "").contains("kw_only=True"));
        let signature_end = body.map_or(node.end_byte(), |body| body.start_byte());
        let signature = self.text.get(node.start_byte()..signature_end).unwrap_or("");
        let id = TypeId(self.builder.facts.types.len() as u32);
        let outer = self.class_around().map(|class| class.id);
        let function = self.builder.function();
        let table = self.table_of_class(node);
        self.builder.facts.types.push(Type {
            name,
            kind: TypeKind::Class,
            function,
            outer,
            position: at,
            end_line: end_line(node),
            signature: one_line(signature.trim_end().trim_end_matches(':')),
            doc: body.map_or_else(String::new, |body| self.docstring(body)),
            bases,
            underlying: None,
            fields: Vec::new(),
            generated_constructor: generated,
            parameters: type_parameters,
            match_args: Vec::new(),
            metaclass,
            naming: self.naming_of_class(node, decorators),
            table,
            listed: Vec::new(),
        });
        self.classes.push(Class {
            id,
            depth: self.methods.len(),
            keyword_only,
            times_bound: body.map_or_else(Default::default, |body| super::names::times_bound(body, self.text)),
        });
        self.builder.open_block(true);
        if let Some(body) = body {
            for bound in super::names::bound_in(body, self.text) {
                let bound = self.builder.name(&bound);
                self.builder.declare(bound);
            }
            self.block(body);
        }
        let members = self.builder.close_block();
        self.classes.pop();
        self.close_type_variables(variables);
        let has_no_text = |decorator: &Node<'t>| self.text_of(*decorator).replace(' ', "").contains("repr=False");
        if generated && decorators.iter().any(has_no_text) {
            let fields = &mut self.builder.facts.types[id.0 as usize].fields;
            fields.iter_mut().for_each(|field| field.is_hidden = true);
        }
        for (member, from) in members {
            self.builder.facts.member_values.push(MemberValue {
                owner: id,
                member,
                from,
                position: at,
            });
        }
        let applied: Vec<_> = if generated { Vec::new() } else { applied };
        let place = self.bind_decorated(name, at, Object::Class(id), &applied);
        if let Some(body) = body {
            self.tell_enumeration(node, body, (id, place));
        }
        if let Some(meta) = meta {
            self.tell_metaclass(meta, place, name_node);
        }
        for base in bases_given {
            self.builder.facts.bases_given.push(BaseGiven { class: id, base });
            self.builder.implicit_call(base, "__init_subclass__", Vec::new(), at);
        }
        if !self.builder.facts.types[id.0 as usize].bases.is_empty() {
            self.tell_bases(place, id, keywords, at);
        }
    }

    pub(super) fn import_statement(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let names: Vec<_> = node.children_by_field_name("name", &mut cursor).collect();
        for name in names {
            let (path, alias) = match name.kind() {
                "aliased_import" => (name.child_by_field_name("name"), name.child_by_field_name("alias")),
                _ => (Some(name), None),
            };
            let Some(path_node) = path else { continue };
            let path = self.name_of(path_node);
            let bound = alias.or_else(|| path_node.part(0));
            let Some(bound) = bound else { continue };
            let import = Import {
                path,
                level: 0,
                member: None,
                star: false,
                binds_first: alias.is_none(),
                alias: self.name_of(bound),
                position: position(name),
            };
            self.bind_import(import, position(bound));
        }
    }

    pub(super) fn import_from_statement(&mut self, node: Node<'t>) {
        let Some(module) = node.child_by_field_name("module_name") else {
            return;
        };
        let text = self.text_of(module);
        let level = text.bytes().take_while(|byte| *byte == b'.').count() as u32;
        let path = self.builder.name(text.trim_start_matches('.').trim());
        let at = position(node);
        if children(node).any(|child| child.kind() == "wildcard_import") {
            let alias = Name(0);
            let import = Import {
                path,
                level,
                member: None,
                star: true,
                binds_first: false,
                alias,
                position: at,
            };
            self.builder.facts.imports.push(import);
            return;
        }
        let mut cursor = node.walk();
        let names: Vec<_> = node.children_by_field_name("name", &mut cursor).collect();
        for name in names {
            let (member, alias) = match name.kind() {
                "aliased_import" => (name.child_by_field_name("name"), name.child_by_field_name("alias")),
                _ => (Some(name), None),
            };
            let Some(member_node) = member else { continue };
            let member = self.name_of(member_node);
            let bound = alias.unwrap_or(member_node);
            let import = Import {
                path,
                level,
                member: Some(member),
                star: false,
                binds_first: false,
                alias: self.name_of(bound),
                position: position(name),
            };
            self.bind_import(import, position(bound));
        }
    }

    fn bind_import(&mut self, import: Import, at: Position) {
        let alias = import.alias;
        let id = ImportId(self.builder.facts.imports.len() as u32);
        self.builder.facts.imports.push(import);
        let place = self.builder.define(alias, PlaceKind::Binding, at);
        self.builder.note_import(alias, place, at);
        self.builder.facts.objects.push((place, Object::Import(id)));
    }
}

/// Decorators that change how a method binds, and are not called when it is.
pub(super) fn binding_of(decorator: &str) -> Option<Binding> {
    Some(match last_name(decorator) {
        "staticmethod" => Binding::Static,
        "classmethod" => Binding::Class,
        "property" | "cached_property" | "hybrid_property" | "getter" | "abstractproperty" => Binding::Property,
        "setter" | "deleter" if decorator.contains('.') => Binding::Setter,
        _ => return None,
    })
}

/// Whether what a decorator gives may take other arguments than the function below it.
fn changes_parameters(decorator: &str) -> bool {
    let keeps = [
        "abstractmethod",
        "asynccontextmanager",
        "cache",
        "contextmanager",
        "final",
        "lru_cache",
        "overload",
        "override",
        "wraps",
    ];
    binding_of(decorator).is_none() && !keeps.contains(&last_name(decorator).trim())
}

/// `setter` of `@size.setter`, `wraps` of `@functools.wraps(function)`.
pub(super) fn last_name(decorator: &str) -> &str {
    let called = decorator.split('(').next().unwrap_or("");
    called.rsplit('.').next().unwrap_or("")
}

fn yields(body: Node<'_>, text: &str) -> bool {
    says(body, text, &["yield"]) && any_in_function(body, &mut |node| node.kind() == "yield")
}

/// Whether one of these words stands anywhere in a node's text: most have none, and need not be walked.
fn says(node: Node<'_>, text: &str, words: &[&str]) -> bool {
    let text = text.get(node.byte_range()).unwrap_or("");
    words.iter().any(|word| text.contains(word))
}

/// The names of `global x` and `nonlocal x` somewhere in the body: they are not of this function.
fn declared_elsewhere<'a>(body: Node<'_>, text: &'a str) -> FxHashSet<&'a str> {
    let mut names = FxHashSet::default();
    if !says(body, text, &["global", "nonlocal"]) {
        return names;
    }
    any_in_function(body, &mut |node| {
        if matches!(node.kind(), "global_statement" | "nonlocal_statement") {
            names.extend(children(node).filter_map(|child| text.get(child.byte_range())));
        }
        false
    });
    names
}

/// Whether a node of this body, functions and classes inside it left out, fits.
fn any_in_function(body: Node<'_>, fits: &mut impl FnMut(Node<'_>) -> bool) -> bool {
    let mut cursor = body.walk();
    let mut depth = 0usize;
    loop {
        let node = cursor.node();
        if fits(node) {
            return true;
        }
        let opaque = depth > 0 && matches!(node.kind(), "function_definition" | "class_definition" | "lambda");
        if !opaque && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if depth == 0 {
                return false;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            depth -= 1;
        }
    }
}
