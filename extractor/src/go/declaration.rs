//! Declarations: imports, functions and methods, types, variables and constants.
//!
//! At file level a declaration gives a name that every file of the package sees; inside a function it opens a new variable.

use crate::tree::{Parts, children};
use ripple_schema::How;
use tree_sitter::Node;

use super::{Walker, end_line, position};
use crate::facts::builder::one_line;
use crate::facts::by_name::Given;
use crate::facts::{
    Function, FunctionId, FunctionKind, Handler, Import, Name, Object, Parameter, ParameterKind, PlaceId, PlaceKind,
    Position, TypeExpressionId, TypeKind,
};

/// What the last constants of a list were given: their type, their values, and the expressions.
type Repeated<'t> = (Option<TypeExpressionId>, Vec<Option<PlaceId>>, Vec<Node<'t>>);

impl<'t> Walker<'t> {
    pub(super) fn imports(&mut self, node: Node<'t>) {
        for child in children(node) {
            match child.kind() {
                "import_spec_list" => self.imports(child),
                "import_spec" => {
                    let Some(path_node) = child.child_by_field_name("path") else {
                        continue;
                    };
                    let path = self.constant_text(path_node).unwrap_or_default();
                    let path = self.builder.name(&path);
                    let alias = child.child_by_field_name("name");
                    let star = alias.is_some_and(|alias| alias.kind() == "dot");
                    let alias = alias.filter(|_| !star).map_or(Name(0), |alias| self.name_of(alias));
                    let (level, member, binds_first) = (0, None, false);
                    let import = Import {
                        path,
                        level,
                        member,
                        star,
                        binds_first,
                        alias,
                        position: position(child),
                    };
                    self.builder.facts.imports.push(import);
                }
                _ => {}
            }
        }
    }

    /// Binds a name at file level, or in the current block.
    fn bind(&mut self, name: Name, kind: PlaceKind, at: Position) -> PlaceId {
        if self.builder.at_file_level() {
            let place = self.builder.place(kind, name, at);
            self.builder.facts.exports.push((name, place));
            return place;
        }
        self.builder.declare(name);
        self.share_declared(name, at);
        self.builder.define(name, kind, at)
    }

    pub(super) fn function_declaration(&mut self, node: Node<'t>) {
        let Some(name_node) = node.child_by_field_name("name") else {
            return;
        };
        let name = self.name_of(name_node);
        let at = position(name_node);
        let body = node.child_by_field_name("body");
        let receiver = node
            .child_by_field_name("receiver")
            .and_then(|list| children(list).next());
        let receiver_type = receiver.and_then(|receiver| receiver.child_by_field_name("type"));
        let receiver_type = receiver_type.map(|node| self.type_of(node));
        let text = self.text_of(name_node);
        if receiver.is_none() && text != "init" && text != "_" {
            let place = self.builder.place(PlaceKind::Binding, name, at);
            let id = FunctionId(self.builder.facts.functions.len() as u32);
            self.builder.facts.exports.push((name, place));
            self.builder.facts.objects.push((place, Object::Function(id)));
        }
        let signature_end = body.map_or(node.end_byte(), |body| body.start_byte());
        let signature = one_line(self.text.get(node.start_byte()..signature_end).unwrap_or(""));
        let doc = self.doc_above(node);
        let is_test = self.test
            && ["Test", "Benchmark", "Fuzz", "Example"]
                .iter()
                .any(|prefix| text.starts_with(prefix));
        self.builder.open_function(Function {
            name,
            kind: if receiver.is_some() {
                FunctionKind::Method
            } else {
                FunctionKind::Function
            },
            parent: Some(FunctionId(0)),
            owner: None,
            receiver_type,
            receiver: None,
            parameters: Vec::new(),
            results: Vec::new(),
            position: at,
            end_line: end_line(node),
            signature,
            doc,
            binding: Default::default(),
            is_abstract: body.is_none(),
            always_raises: false,
            looks_at_raised: false,
            decorated: false,
            test: is_test || self.test,
        });
        self.closures.push(0);
        self.variable_types.clear();
        if let (Some(receiver), Some(declared)) = (receiver, receiver_type) {
            let name_node = receiver.child_by_field_name("name");
            let (name, at) = match name_node {
                Some(node) => (self.name_of(node), position(node)),
                None => (self.builder.name("_"), position(receiver)),
            };
            self.builder.declare(name);
            let place = self.builder.define(name, PlaceKind::Receiver, at);
            self.builder.declare_type(place, declared);
            self.variable_types.insert(name, declared);
            let type_node = receiver.child_by_field_name("type");
            self.builder.hold_value(name, type_node.is_some_and(is_plain_type));
            self.builder.function_mut().receiver = Some(place);
        }
        if self.test && receiver.is_some() {
            self.note_suite(text, name);
        }
        let list = node.child_by_field_name("receiver");
        self.receiver = list.and_then(|list| self.receiver_of(list));
        self.recovering_inside(name, |walker| walker.function_inside(node, name, at));
        self.receiver = None;
        self.closures.pop();
        self.builder.close_function();
    }

    /// A method of a suite of tests, or what runs around these ([testify](https://pkg.go.dev/github.com/stretchr/testify/suite)).
    fn note_suite(&mut self, text: &str, name: Name) {
        const AROUND: &[&str] = &[
            "AfterTest",
            "BeforeTest",
            "SetupSubTest",
            "SetupSuite",
            "SetupTest",
            "TearDownSubTest",
            "TearDownSuite",
            "TearDownTest",
        ];
        let function = self.builder.function();
        if text.starts_with("Test") {
            self.builder.run_around(function);
        } else if AROUND.contains(&text) {
            let owner = None;
            let given = Given { name, function, owner };
            self.builder.facts.by_name.around.push(given);
        }
    }

    /// Parameters, results and body of the function that was just opened.
    pub(super) fn function_inside(&mut self, node: Node<'t>, name: Name, at: Position) {
        let jumps = std::mem::take(&mut self.jumps);
        let boxed = std::mem::take(&mut self.boxed);
        let tested = std::mem::take(&mut self.tested);
        let given = std::mem::take(&mut self.given);
        self.parameters(node.child_by_field_name("parameters"));
        let named = self.declare_results(node.child_by_field_name("result"), name, at);
        self.results.push(named);
        self.type_parameters(node.child_by_field_name("type_parameters"));
        if let Some(body) = node.child_by_field_name("body") {
            let scan = self.scan(body);
            self.share_addressed(body, scan.addressed);
            self.note_tests((scan.events, scan.constants), &tested);
            self.caught.push(Vec::new());
            let names: Vec<Name> = scan
                .deferred
                .into_iter()
                .filter_map(|node| self.recovers_by_name(node))
                .collect();
            let recovers = scan.recovers || !names.is_empty();
            let guard = recovers.then(|| self.builder.open_guard());
            self.block(body);
            let caught = self.caught.pop().unwrap_or_default();
            if let Some(guard) = guard {
                self.builder.close_guard(guard);
                let handlers = caught.into_iter().map(|to| Handler {
                    to: Some(to),
                    class: None,
                    looks_on: None,
                });
                self.builder.facts.guards[guard.0 as usize].handlers = handlers.collect();
                self.note_deferred(guard, names);
            }
            if self.builder.is_reachable() {
                self.bare_return(body);
                self.builder.note_end();
            }
            self.results_at_end(body);
        }
        self.results.pop();
        self.boxed = boxed;
        self.tested = tested;
        self.note_made_result();
        self.given = given;
        self.jumps = jumps;
    }

    fn type_parameters(&mut self, list: Option<Node<'t>>) {
        let function = self.builder.function();
        let names = self.parameter_names(list);
        let rows = names.into_iter().map(|name| (function, name));
        self.builder.facts.type_parameters.extend(rows);
    }

    fn parameter_names(&mut self, list: Option<Node<'t>>) -> Vec<Name> {
        let mut names = Vec::new();
        for declaration in list.into_iter().flat_map(children) {
            let mut cursor = declaration.walk();
            names.extend(declaration.children_by_field_name("name", &mut cursor));
        }
        names.into_iter().map(|node| self.name_of(node)).collect()
    }

    pub(super) fn parameters(&mut self, list: Option<Node<'t>>) {
        for declaration in list.into_iter().flat_map(children) {
            let kind = match declaration.kind() {
                "parameter_declaration" => ParameterKind::PositionalOnly,
                "variadic_parameter_declaration" => ParameterKind::Rest,
                _ => continue,
            };
            let declared = declaration.child_by_field_name("type").map(|node| self.type_of(node));
            let mut cursor = declaration.walk();
            let names: Vec<_> = declaration.children_by_field_name("name", &mut cursor).collect();
            let named: Vec<(Name, Position)> = if names.is_empty() {
                vec![(self.builder.name("_"), position(declaration))]
            } else {
                names
                    .into_iter()
                    .map(|node| (self.name_of(node), position(node)))
                    .collect()
            };
            for (name, at) in named {
                self.builder.declare(name);
                let place = self.builder.define(name, PlaceKind::Parameter, at);
                self.builder.function_mut().parameters.push(Parameter {
                    place,
                    name,
                    kind,
                    default: None,
                    required: true,
                    wire_name: None,
                });
                match (declared, kind) {
                    (Some(declared), ParameterKind::Rest) => {
                        let kind = crate::facts::ContainerKind::List;
                        let (key, element) = (None, Some(declared));
                        let container = crate::facts::TypeExpression::Container { kind, key, element };
                        let declared = self.builder.type_expression(container);
                        self.builder.declare_type(place, declared);
                    }
                    (Some(declared), _) => self.builder.declare_type(place, declared),
                    (None, _) => {}
                }
                let type_node = declaration.child_by_field_name("type");
                let is_value = kind != ParameterKind::Rest && type_node.is_some_and(is_plain_type);
                self.builder.hold_value(name, is_value);
                self.note_type(name, declared.filter(|_| kind != ParameterKind::Rest));
                let is_array = kind != ParameterKind::Rest && type_node.is_some_and(is_array_type);
                self.hold_array(name, is_array);
                if is_array {
                    let own = self.array_copy(place, at);
                    let place = self.builder.define(name, PlaceKind::Local, at);
                    self.builder.flow(Some(own), place, How::Assign, at);
                }
            }
        }
    }

    /// A place for each result; the names of named ones, which are variables too.
    pub(super) fn declare_results(&mut self, result: Option<Node<'t>>, name: Name, at: Position) -> Vec<Name> {
        let types = self.result_types(result);
        let mut cursor_names: Vec<(Name, Position)> = Vec::new();
        for declaration in result
            .filter(|list| list.kind() == "parameter_list")
            .into_iter()
            .flat_map(children)
        {
            let mut cursor = declaration.walk();
            let nodes: Vec<_> = declaration.children_by_field_name("name", &mut cursor).collect();
            cursor_names.extend(nodes.into_iter().map(|node| (self.name_of(node), position(node))));
        }
        for (index, declared) in types.into_iter().enumerate() {
            let (name, at) = cursor_names.get(index).copied().unwrap_or((name, at));
            let place = self.builder.place(PlaceKind::Result, name, at);
            self.builder.function_mut().results.push(place);
            self.builder.declare_type(place, declared);
        }
        let mut named = Vec::new();
        for declaration in result
            .filter(|list| list.kind() == "parameter_list")
            .into_iter()
            .flat_map(children)
        {
            let declared = declaration.child_by_field_name("type").map(|node| self.type_of(node));
            let mut cursor = declaration.walk();
            let names: Vec<_> = declaration.children_by_field_name("name", &mut cursor).collect();
            for node in names {
                let name = self.name_of(node);
                self.builder.declare(name);
                // Its zero value: the result's own place stands at the name.
                let place = self.builder.define(name, PlaceKind::Value, position(node));
                if let Some(declared) = declared {
                    self.builder.declare_type(place, declared);
                }
                let of = declaration.child_by_field_name("type");
                let of = of.filter(|of| matches!(of.kind(), "slice_type" | "map_type"));
                if let (Some(declared), Some(of)) = (declared, of) {
                    self.begin_container(place, (of, declared), position(node));
                }
                self.note_type(name, declared);
                named.push(name);
            }
        }
        named
    }

    /// What a variable of a container's type holds before anything is assigned to it.
    fn begin_container(&mut self, place: PlaceId, (of, declared): (Node<'t>, TypeExpressionId), at: Position) {
        let made = self.builder.object(Object::Instance(declared), at);
        if of.kind() == "slice_type" {
            self.builder.facts.lengths.push((made, 0));
        }
        self.fill_array(made, of, 0, at);
        self.builder.flow(Some(made), place, How::Assign, at);
    }

    /// The type that a variable is declared with.
    pub(super) fn note_type(&mut self, name: Name, declared: Option<TypeExpressionId>) {
        match declared {
            Some(declared) => self.variable_types.insert(name, declared),
            None => self.variable_types.remove(&name),
        };
    }

    /// What named results hold becomes the results.
    pub(super) fn bare_return(&mut self, node: Node<'t>) {
        let names = self.results.last().cloned().unwrap_or_default();
        let results = self.builder.function_mut().results.clone();
        for (name, result) in names.into_iter().zip(results) {
            let at = position(node);
            let held = self.builder.use_name(name, at);
            if !self.builder.is_replaced_at_end(name) {
                self.builder.flow(Some(held), result, How::Return, at);
            }
        }
    }

    /// What deferred functions leave in named results.
    fn results_at_end(&mut self, body: Node<'t>) {
        self.builder.end_anyhow();
        let defers = self.text_of(body).contains("defer ");
        let names = self.results.last().cloned().unwrap_or_default();
        let results = self.builder.function_mut().results.clone();
        for (name, result) in names.into_iter().zip(results) {
            let written = self.builder.written_at_end(name);
            self.builder.flow(written, result, How::Return, position(body));
            // What is deferred may write it by a pointer.
            let pointed = self.builder.box_of(name).filter(|_| defers);
            self.builder.flow(pointed, result, How::Return, position(body));
        }
    }

    pub(super) fn type_declaration(&mut self, node: Node<'t>) {
        for spec in children(node) {
            let (Some(name_node), Some(body)) = (spec.child_by_field_name("name"), spec.child_by_field_name("type"))
            else {
                continue;
            };
            let name = self.name_of(name_node);
            let at = position(name_node);
            let above = if node.part_count() > 1 { spec } else { node };
            let doc = self.doc_above(above);
            let head: String = self.text_of(spec).split('{').next().unwrap_or("").to_owned();
            let id = self.new_type(name, body, at, one_line(&format!("type {head}")), doc);
            self.builder.facts.types[id.0 as usize].parameters =
                self.parameter_names(spec.child_by_field_name("type_parameters"));
            if spec.kind() == "type_alias" {
                let underlying = self.builder.facts.types[id.0 as usize].underlying;
                if underlying.is_some() {
                    self.builder.facts.types[id.0 as usize].kind = TypeKind::Alias;
                }
            }
            let place = self.bind(name, PlaceKind::Binding, at);
            self.builder.facts.objects.push((place, Object::Class(id)));
        }
    }

    /// `var a, b T = x, y` and `const`.
    pub(super) fn value_declaration(&mut self, node: Node<'t>, kind: PlaceKind) {
        let mut repeated = None;
        let specs = children(node).filter(|spec| spec.kind() != "comment");
        for (iota, spec) in specs.enumerate() {
            match spec.kind() {
                "var_spec_list" => self.value_declaration(spec, kind),
                "var_spec" | "const_spec" => self.value_spec(spec, kind, iota, &mut repeated),
                _ => {}
            }
        }
    }

    fn value_spec(&mut self, spec: Node<'t>, kind: PlaceKind, iota: usize, repeated: &mut Option<Repeated<'t>>) {
        let mut cursor = spec.walk();
        let names: Vec<_> = spec
            .children_by_field_name("name", &mut cursor)
            .filter(|node| node.is_named())
            .collect();
        let type_node = spec.child_by_field_name("type");
        let declared = type_node.map(|node| self.type_of(node));
        let values = spec.child_by_field_name("value");
        let nodes: Vec<_> = values.into_iter().flat_map(children).collect();
        let (declared, given, nodes) = match values {
            Some(values) => {
                let given = self.values(values, names.len());
                if kind == PlaceKind::Constant {
                    *repeated = Some((declared, given.clone(), nodes.clone()));
                }
                (declared, given, nodes)
            }
            // In a list of constants the last type and values go on.
            None => match (kind, repeated.clone()) {
                (PlaceKind::Constant, Some(last)) => last,
                _ => (declared, Vec::new(), nodes),
            },
        };
        let kind = match (kind, self.builder.at_file_level()) {
            (PlaceKind::Global, false) => PlaceKind::Local,
            (kind, _) => kind,
        };
        for (index, name_node) in names.into_iter().enumerate() {
            let (name, at) = (self.name_of(name_node), position(name_node));
            if self.text_of(name_node) == "_" {
                continue;
            }
            let is_counted = type_node.is_none_or(|of| holds_as_written(self.text_of(of)));
            let node = nodes.get(index).copied();
            let node = node.filter(|_| kind == PlaceKind::Local && is_counted);
            let known = node.and_then(|node| self.constant_or_made(node));
            let is_bare = values.is_none() && kind == PlaceKind::Local;
            let known = known.or_else(|| self.zero_of(type_node.filter(|_| is_bare)?));
            // What is in an `any` is of the type that it was given.
            let is_any = type_node.is_some_and(|of| matches!(self.text_of(of), "any" | "interface{}"));
            let of = node.filter(|_| is_any).and_then(|node| self.static_type(node, 0));
            let place = self.bind(name, kind, at);
            self.declare_flag(name);
            if values.is_none() {
                self.note_zero_flag(name, place, type_node);
            }
            if let Some(declared) = declared {
                self.builder.declare_type(place, declared);
            }
            if !self.builder.at_file_level() {
                self.note_type(name, declared.filter(|_| kind == PlaceKind::Local));
            }
            self.hold_array(name, type_node.is_some_and(is_array_type));
            if values.is_none() && kind != PlaceKind::Constant {
                if let (Some(declared), Some(of)) = (declared, type_node.filter(|of| is_container_type(*of))) {
                    self.begin_container(place, (of, declared), at);
                }
                let is_value = kind == PlaceKind::Local && type_node.is_some_and(is_plain_type);
                self.builder
                    .hold_value(name, is_value && !self.addressed.contains(&name));
            }
            if let (PlaceKind::Constant, false, Some(node)) =
                (kind, self.builder.at_file_level(), nodes.get(index).copied())
            {
                self.note_constant(place, node, iota);
            }
            let value = given.get(index).copied().flatten();
            self.builder.flow(value, place, How::Assign, at);
            self.note_known(name_node, known);
            self.note_static_type(name_node, of);
        }
    }
}

/// Whether a variable of a type holds a constant as it is written: no fractions, and no numbers that soon begin again.
fn holds_as_written(declared: &str) -> bool {
    matches!(
        declared,
        "any" | "interface{}" | "string" | "bool" | "int" | "int32" | "int64"
    )
}

/// Whether a type is written as a name: of what is copied when it is assigned, as far as it has fields.
pub(super) fn is_plain_type(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "type_identifier" | "qualified_type" | "generic_type" | "struct_type"
    )
}

/// Whether a type is that of an array, which is copied when it is assigned.
pub(super) fn is_array_type(node: Node<'_>) -> bool {
    matches!(node.kind(), "array_type" | "implicit_length_array_type")
}

/// Whether a variable of that type holds parts of its own from the start.
fn is_container_type(node: Node<'_>) -> bool {
    matches!(node.kind(), "slice_type" | "array_type" | "map_type")
}
