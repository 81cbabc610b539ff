//! Types as written, and the structs and interfaces declared in them.
//!
//! `map[string][]*Order` is a container with a key and an element; `struct{ Email string }` in the middle of an expression is a
//! type of its own, without a name.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, end_line, position};
use crate::facts::builder::one_line;
use crate::facts::{
    ContainerKind, Field, FieldKind, Function, FunctionKind, NAMELESS, Name, Naming, Type, TypeExpression,
    TypeExpressionId, TypeId, TypeKind,
};

/// Tags whose first word is a wire name.
const WIRE_TAGS: &[&str] = &[
    "json",
    "form",
    "xml",
    "yaml",
    "query",
    "param",
    "uri",
    "header",
    "bson",
    "toml",
    "env",
    "envconfig",
    "hcl",
    "ini",
    "koanf",
    "mapstructure",
    "schema",
    "redis",
    "avro",
    "parquet",
    "msgpack",
    "cbor",
    "dynamodbav",
    "firestore",
    "datastore",
    "bigquery",
    "csv",
    "url",
    "structs",
    "rethinkdb",
    "firebase",
];

/// Tags whose first word is the name of a column: a wire name where there is no other.
const COLUMN_TAGS: &[&str] = &["db", "gorm", "sql", "bun", "pg", "ch", "clickhouse", "spanner"];

impl<'t> Walker<'t> {
    /// The type that a node means.
    pub(super) fn type_of(&mut self, node: Node<'t>) -> TypeExpressionId {
        let expression = if self.builder.enter(position(node).line) {
            let expression = self.type_inside(node);
            self.builder.exit();
            expression
        } else {
            TypeExpression::Unknown
        };
        self.builder.type_expression(expression)
    }

    fn type_inside(&mut self, node: Node<'t>) -> TypeExpression {
        let function = self.builder.function();
        match node.kind() {
            "type_identifier" | "identifier" => TypeExpression::Path {
                parts: vec![self.name_of(node)],
                function,
            },
            "qualified_type" | "selector_expression" => {
                let parts = children(node).map(|part| self.name_of(part)).collect();
                TypeExpression::Path { parts, function }
            }
            "pointer_type" => self.inner(node, |_, inner| TypeExpression::Pointer(inner)),
            "unary_expression" => self.inner(node, |_, inner| TypeExpression::Pointer(inner)),
            "parenthesized_type" | "parenthesized_expression" => match node.part(0) {
                Some(inner) => self.type_inside(inner),
                None => TypeExpression::Unknown,
            },
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                if let Some(length) = node.child_by_field_name("length")
                    && length.kind() != "int_literal"
                {
                    self.expression(length);
                }
                let element = node.child_by_field_name("element").map(|element| self.type_of(element));
                TypeExpression::Container {
                    kind: ContainerKind::List,
                    key: None,
                    element,
                }
            }
            "map_type" => {
                let key = node.child_by_field_name("key").map(|key| self.type_of(key));
                let element = node.child_by_field_name("value").map(|value| self.type_of(value));
                TypeExpression::Container {
                    kind: ContainerKind::Map,
                    key,
                    element,
                }
            }
            "channel_type" => {
                let element = node.child_by_field_name("value").map(|value| self.type_of(value));
                TypeExpression::Container {
                    kind: ContainerKind::Channel,
                    key: None,
                    element,
                }
            }
            "function_type" => {
                let results = self.result_types(node.child_by_field_name("result"));
                let parameters = node.child_by_field_name("parameters");
                let mut types = Vec::new();
                for parameter in parameters.into_iter().flat_map(children) {
                    let mut cursor = parameter.walk();
                    let names = parameter.children_by_field_name("name", &mut cursor).count();
                    let declared = match parameter.child_by_field_name("type") {
                        Some(node) => self.type_of(node),
                        None => self.builder.type_expression(TypeExpression::Unknown),
                    };
                    types.extend(std::iter::repeat_n(declared, names.max(1)));
                }
                TypeExpression::Function {
                    parameters: Some(types),
                    results,
                }
            }
            "generic_type" => {
                let head = node.child_by_field_name("type").map(|head| self.type_of(head));
                let arguments = node.child_by_field_name("type_arguments");
                let arguments = arguments
                    .into_iter()
                    .flat_map(children)
                    .map(|argument| self.type_of(argument))
                    .collect();
                head.map_or(TypeExpression::Unknown, |head| TypeExpression::Generic(head, arguments))
            }
            "type_elem" => match node.part(0) {
                Some(inner) if node.part_count() == 1 => self.type_inside(inner),
                _ => TypeExpression::Unknown,
            },
            "struct_type" | "interface_type" => {
                let name = self.builder.name(if node.kind() == "struct_type" {
                    "struct{}"
                } else {
                    "interface{}"
                });
                if node.kind() == "interface_type" && node.part_count() == 0 {
                    let (any, function) = (self.builder.name("any"), self.builder.function());
                    return TypeExpression::Path {
                        parts: vec![any],
                        function,
                    };
                }
                let at = position(node);
                let id = self.new_type(name, node, at, String::new(), String::new());
                TypeExpression::Local(id)
            }
            _ => TypeExpression::Unknown,
        }
    }

    fn inner(
        &mut self,
        node: Node<'t>,
        make: impl Fn(&mut Self, TypeExpressionId) -> TypeExpression,
    ) -> TypeExpression {
        match node.part(0) {
            Some(inner) => {
                let inner = self.type_of(inner);
                make(self, inner)
            }
            None => TypeExpression::Unknown,
        }
    }

    /// Result types of a signature, one for each result.
    pub(super) fn result_types(&mut self, result: Option<Node<'t>>) -> Vec<TypeExpressionId> {
        let Some(result) = result else { return Vec::new() };
        if result.kind() != "parameter_list" {
            return vec![self.type_of(result)];
        }
        let mut types = Vec::new();
        for declaration in children(result) {
            let Some(type_node) = declaration.child_by_field_name("type") else {
                continue;
            };
            let mut cursor = declaration.walk();
            let names = declaration.children_by_field_name("name", &mut cursor).count().max(1);
            let declared = self.type_of(type_node);
            types.extend(std::iter::repeat_n(declared, names));
        }
        types
    }

    /// Notes a type: its fields or methods, or what it stands for.
    pub(super) fn new_type(
        &mut self,
        name: Name,
        body: Node<'t>,
        at: crate::facts::Position,
        signature: String,
        doc: String,
    ) -> TypeId {
        let kind = match body.kind() {
            "struct_type" => TypeKind::Struct,
            "interface_type" => TypeKind::Interface,
            _ => TypeKind::Named,
        };
        let id = TypeId(self.builder.facts.types.len() as u32);
        let function = self.builder.function();
        let own = self.builder.facts.text(name).to_owned();
        let table = self.table_of(&own, body);
        self.builder.facts.types.push(Type {
            name,
            kind,
            function,
            outer: None,
            position: at,
            end_line: end_line(body),
            signature,
            doc,
            bases: Vec::new(),
            underlying: None,
            fields: Vec::new(),
            generated_constructor: false,
            parameters: Vec::new(),
            match_args: Vec::new(),
            naming: None,
            table,
            listed: Vec::new(),
            metaclass: None,
        });
        match kind {
            TypeKind::Struct => self.struct_fields(id, body),
            TypeKind::Interface => self.interface_members(id, body),
            _ => {
                let underlying = self.type_of(body);
                self.builder.facts.types[id.0 as usize].underlying = Some(underlying);
            }
        }
        id
    }

    fn struct_fields(&mut self, id: TypeId, body: Node<'t>) {
        let list = children(body).find(|child| child.kind() == "field_declaration_list");
        // What YAML calls a field without a name of its own is in lower case.
        let tags = self.text_of(body);
        let is_yaml = tags.contains("yaml:\"") && !tags.contains("json:\"");
        let has_tags = tags.contains(":\"");
        for declaration in list
            .into_iter()
            .flat_map(children)
            .filter(|node| node.kind() == "field_declaration")
        {
            let Some(type_node) = declaration.child_by_field_name("type") else {
                continue;
            };
            let mut declared = self.type_of(type_node);
            // `*Base`, embedded: the star stands beside the type.
            let mut cursor = declaration.walk();
            if declaration.children(&mut cursor).any(|child| child.kind() == "*") {
                declared = self.builder.type_expression(TypeExpression::Pointer(declared));
            }
            let declared = Some(declared);
            let (keys, columns) = match declaration
                .child_by_field_name("tag")
                .and_then(|tag| self.constant_text(tag))
            {
                Some(tag) => self.wire_names(&tag),
                None => Default::default(),
            };
            let doc = self.doc_above(declaration);
            let mut cursor = declaration.walk();
            let mut names: Vec<_> = declaration.children_by_field_name("name", &mut cursor).collect();
            let embedded = names.is_empty();
            if embedded {
                names.extend(last_name(type_node));
            }
            for name_node in names {
                let (name, at) = (self.name_of(name_node), position(name_node));
                let kind = FieldKind::Field;
                let mut keys = keys.clone();
                let mut columns = columns.clone();
                let text = self.text_of(name_node);
                if columns.is_empty() && has_tags && !embedded && text.starts_with(char::is_uppercase) {
                    columns.push(self.builder.name(&Naming::Snake.of(text)));
                }
                if is_yaml && keys.is_empty() && !embedded && text.starts_with(char::is_uppercase) {
                    keys.push(self.builder.name(&text.to_lowercase()));
                }
                let field = Field {
                    name,
                    kind,
                    position: at,
                    declared,
                    keys,
                    columns,
                    embedded,
                    given: Default::default(),
                    is_hidden: false,
                    is_always_set: true,
                    is_array: !embedded && super::declaration::is_array_type(type_node),
                    doc: doc.clone(),
                };
                self.builder.facts.types[id.0 as usize].fields.push(field);
            }
        }
    }

    /// Wire names and columns in a struct tag. A name of `-` leaves the field out, which an empty name stands for.
    fn wire_names(&mut self, tag: &str) -> (Vec<Name>, Vec<Name>) {
        let mut names: Vec<Name> = Vec::new();
        let mut columns: Vec<Name> = Vec::new();
        let mut rest = tag.trim();
        while let Some((key, after)) = rest.split_once(":\"") {
            let Some((value, after)) = after.split_once('"') else {
                break;
            };
            let key = key.trim();
            if WIRE_TAGS.contains(&key) {
                let (name, options) = value
                    .split_once(',')
                    .map_or((value, None), |(name, rest)| (name, Some(rest)));
                match name {
                    "" if key == "xml" && options.is_some_and(is_text_of_element) => {
                        names.push(self.builder.name(NAMELESS));
                    }
                    "" => {}
                    "-" if options.is_none() => names.push(Name(0)),
                    name => names.push(self.builder.name(name)),
                }
            } else if COLUMN_TAGS.contains(&key) {
                let column = match key {
                    "gorm" => value.split(';').find_map(|part| part.strip_prefix("column:")),
                    // `bun:"table:users,alias:u"` names no column.
                    _ => value.split(',').next().filter(|column| !column.contains(':')),
                };
                let column = column.or_else(|| value.starts_with('-').then_some("-"));
                columns.extend(column.filter(|column| !column.is_empty()).map(|column| match column {
                    "-" => Name(0),
                    column => self.builder.name(column),
                }));
            } else if key == "protobuf" {
                // `name=tip_minor,json=tipMinor`: by both, to who writes messages as JSON.
                for word in ["name=", "json="] {
                    let name = value.split(',').find_map(|part| part.strip_prefix(word));
                    names.extend(name.map(|name| self.builder.name(name)));
                }
            }
            rest = after.trim_start();
        }
        if names.is_empty() {
            names.extend(columns.iter().filter(|column| column.0 != 0));
        }
        names.dedup();
        (names, columns)
    }

    fn interface_members(&mut self, id: TypeId, body: Node<'t>) {
        for member in children(body) {
            match member.kind() {
                "method_elem" | "method_spec" => self.interface_method(id, member),
                "type_elem" | "constraint_elem" | "type_identifier" | "qualified_type" => {
                    let base = self.type_of(member);
                    self.builder.facts.types[id.0 as usize].bases.push(base);
                }
                _ => {}
            }
        }
    }

    fn interface_method(&mut self, id: TypeId, node: Node<'t>) {
        let Some(name_node) = node.child_by_field_name("name") else {
            return;
        };
        let name = self.name_of(name_node);
        let signature = one_line(self.text_of(node));
        let doc = self.doc_above(node);
        self.builder.open_function(Function {
            name,
            kind: FunctionKind::Method,
            parent: Some(crate::facts::FunctionId(0)),
            owner: Some(id),
            receiver_type: None,
            receiver: None,
            parameters: Vec::new(),
            results: Vec::new(),
            position: position(name_node),
            end_line: end_line(node),
            signature,
            doc,
            binding: Default::default(),
            is_abstract: true,
            always_raises: false,
            looks_at_raised: false,
            decorated: false,
            test: self.test,
        });
        self.results.push(Vec::new());
        self.parameters(node.child_by_field_name("parameters"));
        self.declare_results(node.child_by_field_name("result"), name, position(name_node));
        self.results.pop();
        self.builder.close_function();
    }
}

/// `xml:",chardata"`: the field holds what stands in the element around it.
fn is_text_of_element(options: &str) -> bool {
    options
        .split(',')
        .any(|option| matches!(option, "chardata" | "cdata" | "innerxml"))
}

/// The name that an embedded field goes by: the last one of its type.
fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "type_identifier" => Some(node),
        "qualified_type" => node.child_by_field_name("name"),
        "generic_type" => node.child_by_field_name("type").and_then(last_name),
        "pointer_type" => node.part(0).and_then(last_name),
        _ => None,
    }
}
