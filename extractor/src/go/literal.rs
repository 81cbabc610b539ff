//! Composite literals: structs with and without field names, slices, arrays and maps, also nested without their types.
//!
//! `Order{Email: e, Lines: []Line{{SKU: s}}}` is an instance of `Order` with `e` stored in `Email` and a list stored in `Lines`, whose
//! element 0 is an instance of `Line`.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{ContainerKind, ElementKey, Object, PlaceId, TypeExpression, TypeExpressionId};

/// Types of common packages that are mappings.
const MAPPINGS: &[(&str, &str)] = &[
    ("bson", "M"),
    ("echo", "Map"),
    ("fiber", "Map"),
    ("gin", "H"),
    ("http", "Header"),
    ("jwt", "MapClaims"),
    ("log", "Fields"),
    ("logrus", "Fields"),
    ("mail", "Header"),
    ("metadata", "MD"),
    ("prometheus", "Labels"),
    ("template", "FuncMap"),
    ("textproto", "MIMEHeader"),
    ("url", "Values"),
];

impl<'t> Walker<'t> {
    pub(super) fn composite_literal(&mut self, node: Node<'t>) -> Option<PlaceId> {
        let declared = node.child_by_field_name("type").map(|node| self.type_of(node));
        let body = node.child_by_field_name("body")?;
        let map = node.child_by_field_name("type").filter(|of| of.kind() == "map_type");
        self.key_type = map.and_then(|map| map.child_by_field_name("key"));
        Some(self.literal_value(body, declared, position(node)))
    }

    fn literal_value(
        &mut self,
        body: Node<'t>,
        declared: Option<TypeExpressionId>,
        at: crate::facts::Position,
    ) -> PlaceId {
        let key_type = self.key_type.take();
        let place = match declared {
            Some(declared) => self.instance(declared, at),
            None => self.builder.value(at),
        };
        let inner = declared.and_then(|declared| self.element_type(declared));
        // Only what is in a container may leave its type out.
        let leaves_out = inner.is_none() && children(body).any(leaves_type_out);
        let inner = match declared.filter(|_| leaves_out) {
            Some(declared) => Some(self.builder.type_expression(TypeExpression::ElementOf(declared))),
            None => inner,
        };
        let is_container = leaves_out || declared.is_some_and(|declared| self.names_container(declared));
        if is_container && children(body).all(|element| element.kind() != "keyed_element") {
            self.builder.facts.lengths.push((place, children(body).count() as u32));
        }
        if is_container && let Some(keys) = self.display_keys(body) {
            self.builder.facts.display_keys.push((place, keys));
        }
        let mut next = 0;
        for element in children(body) {
            match element.kind() {
                "keyed_element" => {
                    let key = element.child_by_field_name("key").or_else(|| element.part(0));
                    // What has no key goes behind what has one.
                    let at = key.filter(|_| is_container).and_then(|key| self.position_key(key));
                    next = at.map_or(next, |at| at.saturating_add(1));
                    let value = element.child_by_field_name("value").or_else(|| element.part(1));
                    let Some(value) = value else { continue };
                    let from = self.element_value(value, inner);
                    let from = self.given_under_tests(from, body, value);
                    let is_value = is_container || self.is_key_of_library(declared, key);
                    self.keyed((place, key_type), key, from, is_value, position(value));
                    match at {
                        Some(at) => self.note_text(place, value, at),
                        None if is_container => self.note_text_under(place, key, value),
                        None => self.note_field_text(place, key, value),
                    }
                }
                _ => {
                    let at = position(element);
                    let from = self.element_value(element, inner);
                    let from = self.given_under_tests(from, body, element);
                    // A constant is a write of the field at that position, too.
                    let from = from.or_else(|| (!is_container).then(|| self.builder.value(at)));
                    self.builder.element_store(place, ElementKey::Index(next), from, at);
                    self.note_text(place, element, next);
                    next += 1;
                }
            }
        }
        place
    }

    /// Whether a name in a literal of another package's type is a key, and no field: that type is a mapping, or the name is not exported.
    fn is_key_of_library(&self, declared: Option<TypeExpressionId>, key: Option<Node<'t>>) -> bool {
        let declared = declared.map(|declared| &self.builder.facts.type_expressions[declared.0 as usize]);
        let (Some(TypeExpression::Path { parts, .. }), Some(key)) = (declared, key.and_then(unwrapped)) else {
            return false;
        };
        let [package, name] = parts.as_slice() else {
            return false;
        };
        let of = (self.builder.facts.text(*package), self.builder.facts.text(*name));
        MAPPINGS.contains(&of)
            || self
                .text_of(key)
                .starts_with(|first: char| first.is_lowercase() || first == '_')
    }

    fn position_key(&mut self, key: Node<'t>) -> Option<u32> {
        let key = unwrapped(key)?;
        let is_plain = matches!(key.kind(), "int_literal" | "identifier" | "binary_expression");
        match self.constant_key(key).filter(|_| is_plain)? {
            ElementKey::Index(position) => Some(position),
            _ => None,
        }
    }

    /// Notes the constant text that a literal puts in a field.
    fn note_field_text(&mut self, literal: PlaceId, key: Option<Node<'t>>, value: Node<'t>) {
        let (Some(field), Some(value)) = (key.and_then(unwrapped), unwrapped(value)) else {
            return;
        };
        let is_name =
            matches!(value.kind(), "identifier" | "selector_expression") || value.kind().ends_with("string_literal");
        if let (true, Some(ElementKey::Text(text))) = (is_name, self.constant_key(value)) {
            let row = (literal, self.name_of(field), text, position(field));
            self.builder.facts.texts_in_fields.push(row);
        }
    }

    /// Notes the constant text that lies under a constant key.
    fn note_text_under(&mut self, mapping: PlaceId, key: Option<Node<'t>>, value: Node<'t>) {
        let plain = [key, Some(value)].map(|node| {
            let node = node.and_then(unwrapped)?;
            let is_plain = !matches!(node.kind(), "literal_value" | "composite_literal");
            self.constant_key(node).filter(|_| is_plain)
        });
        if let [Some(ElementKey::Text(key)), Some(ElementKey::Text(text))] = plain {
            self.builder.facts.texts_under.push((mapping, key, text));
        }
    }

    /// Notes the constant text that an element is.
    fn note_text(&mut self, list: PlaceId, element: Node<'t>, index: u32) {
        let plain =
            unwrapped(element).filter(|element| !matches!(element.kind(), "literal_value" | "composite_literal"));
        match plain.and_then(|element| self.constant_key(element)) {
            Some(ElementKey::Text(text)) => self.builder.facts.texts_listed.push((list, text, Some(index))),
            Some(ElementKey::Index(number)) => self.builder.note_number(list, i64::from(number), index),
            _ => {}
        }
    }

    /// Whether a type is a container, as far as this file tells.
    fn names_container(&self, declared: TypeExpressionId) -> bool {
        match &self.builder.facts.type_expressions[declared.0 as usize] {
            TypeExpression::Container { .. } => true,
            TypeExpression::Path { parts, .. } => parts.iter().any(|name| self.elements.contains_key(name)),
            _ => false,
        }
    }

    /// The keys of a mapping, where all are constant texts.
    fn display_keys(&mut self, body: Node<'t>) -> Option<Vec<ElementKey>> {
        let mut keys = Vec::new();
        for element in children(body).filter(|element| element.kind() == "keyed_element") {
            let key = element.child_by_field_name("key").or_else(|| element.part(0))?;
            let key = unwrapped(key)?;
            let is_plain = !matches!(key.kind(), "composite_literal" | "literal_value" | "call_expression");
            let key = self.constant_key(key).filter(|_| is_plain)?;
            keys.push(matches!(key, ElementKey::Text(_)).then_some(key)?);
        }
        (!keys.is_empty()).then_some(keys)
    }

    fn keyed(
        &mut self,
        (place, key_type): (PlaceId, Option<Node<'t>>),
        key: Option<Node<'t>>,
        from: Option<PlaceId>,
        is_container: bool,
        at: crate::facts::Position,
    ) {
        let key = key.map(|key| unwrapped(key).unwrap_or(key));
        let Some(key) = key else { return };
        if key.kind() == "identifier" && !is_container {
            let name = self.name_of(key);
            self.builder.store(place, name, from, position(key));
            return;
        }
        // What a test writes into a table of its own is no name on a wire.
        let of_type = match (key.kind(), key_type) {
            ("literal_value", Some(of)) => self.key_of_type(of, key),
            _ => self.constant_key(key).filter(|_| self.test),
        };
        let (element, computed) = match of_type {
            Some(element) => {
                // What is written in it is written all the same.
                if let ("literal_value", Some(of)) = (key.kind(), key_type) {
                    let declared = self.type_of(of);
                    self.element_value(key, Some(declared));
                }
                (element, None)
            }
            None => match (key.kind(), key_type) {
                ("literal_value", Some(of)) => {
                    let declared = self.type_of(of);
                    (ElementKey::Any, self.element_value(key, Some(declared)))
                }
                _ => self.index_key(Some(key)),
            },
        };
        self.builder.element_store_at(place, (element, computed), from, at);
        self.builder.element_store(place, ElementKey::Keys, computed, at);
    }

    fn element_value(&mut self, node: Node<'t>, declared: Option<TypeExpressionId>) -> Option<PlaceId> {
        let node = unwrapped(node)?;
        if node.kind() == "literal_value" {
            if !self.builder.enter(position(node).line) {
                return None;
            }
            let place = self.literal_value(node, declared, position(node));
            self.builder.exit();
            return Some(place);
        }
        self.expression(node)
    }

    /// The type that elements of a literal of this type have when they leave it out.
    fn element_type(&self, declared: TypeExpressionId) -> Option<TypeExpressionId> {
        match self.builder.facts.type_expressions[declared.0 as usize] {
            TypeExpression::Container { element, .. } => element,
            TypeExpression::Path { ref parts, .. } => match parts.as_slice() {
                [name] => self.elements.get(name).map(|(_, element)| *element),
                _ => None,
            },
            _ => None,
        }
    }

    /// Notes the variables of the file.
    pub(super) fn note_variables(&mut self, declaration: Node<'t>) {
        for spec in children(declaration) {
            if spec.kind() == "var_spec_list" {
                self.note_variables(spec);
                continue;
            }
            let mut cursor = spec.walk();
            let names: Vec<_> = spec.children_by_field_name("name", &mut cursor).collect();
            for node in names {
                let name = self.name_of(node);
                self.file_variables.insert(name);
            }
        }
    }

    /// An instance of a type of the file that names a container is that container, too.
    pub(super) fn instance(&mut self, declared: TypeExpressionId, at: crate::facts::Position) -> PlaceId {
        let place = self.builder.object(Object::Instance(declared), at);
        let mut head = declared;
        for _ in 0..2 {
            match &self.builder.facts.type_expressions[head.0 as usize] {
                TypeExpression::Generic(inner, _) => head = *inner,
                TypeExpression::Path { parts, .. } => {
                    if let [name] = parts.as_slice() {
                        if let Some((kind, _)) = self.elements.get(name) {
                            let container = Object::Container(*kind);
                            self.builder.facts.objects.push((place, container));
                        }
                        for field in self.array_fields.get(name).cloned().unwrap_or_default() {
                            let array = self.builder.object(Object::Container(ContainerKind::List), at);
                            self.builder.begin_field(place, field, array, at);
                        }
                    }
                    break;
                }
                _ => break,
            }
        }
        place
    }

    /// Notes the types of the file that name a container: what their elements are.
    pub(super) fn note_elements(&mut self, declaration: Node<'t>) {
        for spec in children(declaration) {
            let (Some(name), Some(named)) = (spec.child_by_field_name("name"), spec.child_by_field_name("type")) else {
                continue;
            };
            if named.kind() == "struct_type" {
                let name = self.name_of(name);
                self.structures.insert(name);
                self.note_array_fields(name, named);
            }
            if !matches!(named.kind(), "slice_type" | "array_type" | "map_type") {
                continue;
            }
            let declared = self.type_of(named);
            if let TypeExpression::Container {
                kind,
                element: Some(element),
                ..
            } = self.builder.facts.type_expressions[declared.0 as usize]
            {
                let name = self.name_of(name);
                self.elements.insert(name, (kind, element));
            }
        }
    }
}

/// Whether an element of a literal, or what is under its key, is `{…}` without a type.
fn leaves_type_out(element: Node<'_>) -> bool {
    let value = match element.kind() {
        "keyed_element" => element.child_by_field_name("value").or_else(|| element.part(1)),
        _ => Some(element),
    };
    value
        .and_then(unwrapped)
        .is_some_and(|value| value.kind() == "literal_value")
}

/// What stands in an element of a literal.
fn unwrapped(element: Node<'_>) -> Option<Node<'_>> {
    match element.kind() {
        "literal_element" => element.part(0),
        _ => Some(element),
    }
}
