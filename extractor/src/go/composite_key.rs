//! Keys that are no constants of the language and still always the same: `userKey{}`, `Point{1, 2}`, `[2]string{"a", "b"}`, and the
//! variable `var userKey = &key{"user"}` that nobody assigns.
//!
//! A literal of a structure is written out with all its fields in order, so that `Point{X: 1}` is the key that `Point{1, 0}` is. The
//! types are those of the package that names them.

use tree_sitter::Node;

use super::Walker;
use crate::facts::{ElementKey, Name, PlaceId};
use crate::tree::{Parts, children};

/// The longest key that is written out.
const LENGTH_LIMIT: usize = 200;

impl<'t> Walker<'t> {
    /// Notes what the file calls its own package, and packages that it calls otherwise than they do.
    pub(super) fn note_packages(&mut self, root: Node<'t>) {
        for declaration in children(root) {
            match declaration.kind() {
                "package_clause" => self.package = declaration.part(0).map_or("", |name| self.text_of(name)),
                "import_declaration" => {
                    let specs = children(declaration).flat_map(|spec| match spec.kind() {
                        "import_spec_list" => children(spec).collect(),
                        _ => vec![spec],
                    });
                    let names: Vec<_> = specs.filter_map(|spec| spec.child_by_field_name("name")).collect();
                    let names: Vec<&str> = names.into_iter().map(|name| self.text_of(name)).collect();
                    self.renamed.extend(names);
                }
                _ => {}
            }
        }
    }

    /// Whether a key is one of these.
    pub(super) fn is_composite_key(&mut self, index: Node<'t>) -> bool {
        match index.kind() {
            "composite_literal" | "literal_value" => true,
            "identifier" => {
                let name = self.name_of(index);
                self.file_keys.contains_key(&name) && !self.builder.is_bound(name)
            }
            _ => false,
        }
    }

    /// Notes the fields of the file's structures, in order; none of those that have embedded ones.
    pub(super) fn note_fields(&mut self, declaration: Node<'t>) {
        for spec in children(declaration) {
            let (Some(name), Some(of)) = (spec.child_by_field_name("name"), spec.child_by_field_name("type")) else {
                continue;
            };
            if of.kind() != "struct_type" {
                continue;
            }
            let mut fields = Some(Vec::new());
            let declared = of.part(0).into_iter().flat_map(children);
            for field in declared.filter(|field| field.kind() == "field_declaration") {
                let mut cursor = field.walk();
                let names: Vec<_> = field.children_by_field_name("name", &mut cursor).collect();
                if names.is_empty() {
                    fields = None;
                    break;
                }
                for name in names {
                    let name = self.name_of(name);
                    fields.iter_mut().for_each(|fields| fields.push(name));
                }
            }
            if let Some(fields) = fields {
                let name = self.name_of(name);
                self.file_fields.insert(name, fields);
            }
        }
    }

    /// Notes the variables of the file that stand for a key.
    pub(super) fn note_key_variables(&mut self, declaration: Node<'t>, assigned: &[Name]) {
        for spec in children(declaration) {
            if spec.kind() == "var_spec_list" {
                self.note_key_variables(spec, assigned);
                continue;
            }
            let mut cursor = spec.walk();
            let names: Vec<_> = spec.children_by_field_name("name", &mut cursor).collect();
            let value = spec.child_by_field_name("value").and_then(|values| values.part(0));
            let ([name], Some(value)) = (names.as_slice(), value) else {
                continue;
            };
            let name = self.name_of(*name);
            if assigned.contains(&name) {
                continue;
            }
            let key = match value.kind() {
                "composite_literal" => self.composite_key(value),
                "unary_expression" if self.text_of(value).starts_with('&') => {
                    let text = format!("&{}.{}", self.package, self.builder.facts.text(name));
                    Some(ElementKey::Text(self.builder.name(&text)))
                }
                _ => self.statement_given(value).map(ElementKey::Text),
            };
            if let Some(key) = key {
                self.file_keys.insert(name, key);
            }
        }
    }

    /// A value that is compared or looked up by; of a literal that was just written, with all that it is made of.
    pub(super) fn with_parts(&self, node: Node<'t>, value: Option<PlaceId>) -> Vec<Option<PlaceId>> {
        /// Most writes that are looked through.
        const LIMIT: usize = 32;
        let mut node = node;
        while let (true, Some(inner)) = (node.kind() == "parenthesized_expression", node.part(0)) {
            node = inner;
        }
        let mut parts = vec![value];
        if let Some(whole) = value.filter(|_| node.kind() == "composite_literal") {
            let facts = &self.builder.facts;
            let stores = facts.stores.iter().rev().take(LIMIT);
            parts.extend(stores.filter(|row| row.base == whole).map(|row| row.from));
            let elements = facts.element_stores.iter().rev().take(LIMIT);
            parts.extend(elements.filter(|row| row.base == whole).map(|row| Some(row.from)));
        }
        parts
    }

    /// The key that a literal of a structure or array is, where it is made of constants.
    pub(super) fn composite_key(&mut self, literal: Node<'t>) -> Option<ElementKey> {
        let of = literal.child_by_field_name("type")?;
        let body = literal.child_by_field_name("body")?;
        let text = self.written_out(of, body)?;
        (text.len() <= LENGTH_LIMIT).then(|| ElementKey::Text(self.builder.name(&text)))
    }

    /// The same of a literal that leaves out its type.
    pub(super) fn key_of_type(&mut self, of: Node<'t>, body: Node<'t>) -> Option<ElementKey> {
        let text = self.written_out(of, body)?;
        (text.len() <= LENGTH_LIMIT).then(|| ElementKey::Text(self.builder.name(&text)))
    }

    fn written_out(&mut self, of: Node<'t>, body: Node<'t>) -> Option<String> {
        let is_empty = body.part(0).is_none();
        let (head, fields) = match of.kind() {
            "type_identifier" => {
                let name = self.name_of(of);
                if self.builder.is_bound(name) {
                    return None;
                }
                let fields = self.file_fields.get(&name).cloned();
                (format!("{}.{}", self.package, self.text_of(of)), fields)
            }
            "qualified_type" => {
                let package = of.child_by_field_name("package")?;
                if self.renamed.contains(self.text_of(package)) {
                    return None;
                }
                (self.text_of(of).to_owned(), None)
            }
            "array_type" => (self.text_of(of).to_owned(), None),
            _ => return None,
        };
        let mut values: Vec<String> = fields.iter().flatten().map(|_| String::new()).collect();
        for (index, element) in children(body).enumerate() {
            let (at, value) = match element.kind() {
                "keyed_element" => {
                    let key = element.child_by_field_name("key").or_else(|| element.part(0))?;
                    let key = if key.kind() == "literal_element" {
                        key.part(0)?
                    } else {
                        key
                    };
                    let name = self.name_of(key);
                    let at = fields.as_ref()?.iter().position(|field| *field == name)?;
                    (at, element.child_by_field_name("value").or_else(|| element.part(1))?)
                }
                _ => (index, element),
            };
            let value = if value.kind() == "literal_element" {
                value.part(0)?
            } else {
                value
            };
            if value.kind() == "composite_literal" {
                return None;
            }
            let value = match (value.kind(), self.constant_key(value)) {
                ("true", _) => "true".to_owned(),
                ("false", _) | (_, Some(ElementKey::Index(0))) => String::new(),
                (_, Some(ElementKey::Index(number))) => number.to_string(),
                (_, Some(ElementKey::Text(text))) => match self.builder.facts.text(text) {
                    "" => String::new(),
                    text => format!("{text:?}"),
                },
                _ => return None,
            };
            match (values.get_mut(at), of.kind()) {
                (Some(known), _) => *known = value,
                (None, "array_type") => values.push(value),
                (None, _) => return None,
            }
        }
        while of.kind() == "array_type" && values.last().is_some_and(String::is_empty) {
            values.pop();
        }
        // Of a type that is declared elsewhere, nothing says how many fields there are.
        let is_known = is_empty || fields.is_some() || of.kind() == "array_type";
        let inside = match values.iter().all(String::is_empty) {
            true => String::new(),
            false => values.join(","),
        };
        is_known.then(|| format!("{head}{{{inside}}}"))
    }
}
