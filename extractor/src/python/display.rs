//! Displays of containers: `[a, *rest]`, `{"k": a, **row}`.
//!
//! Where all parts are known, what is spread included, the display has a shape.

use crate::tree::{Parts, children};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{Constant, ContainerKind, ElementKey, Name, Object, PlaceId, Position};

/// A constant text longer than this is no key.
const TEXT_LIMIT: usize = 100;

/// Most keys behind a spread that are kept out of what it gives.
const EXCEPT_LIMIT: usize = 256;

/// What stands in the display of a dict.
enum Entry {
    /// With what the key is computed from, if it is no constant of the file.
    Pair(ElementKey, Part, Position, Option<PlaceId>),
    /// What is spread, with its shape if that is known.
    Spread(PlaceId, Option<Shape>, Position),
}

impl Entry {
    /// The keys that it certainly puts something under.
    fn keys(&self) -> Vec<ElementKey> {
        match self {
            Self::Pair(key, ..) => Vec::from_iter(Some(*key).filter(|key| *key != ElementKey::Any)),
            Self::Spread(_, shape, _) => {
                let parts = shape.iter().flat_map(|shape| &shape.parts);
                parts.map(|(key, _)| *key).collect()
            }
        }
    }
}

impl<'t> Walker<'t> {
    pub(super) fn sequence(&mut self, node: Node<'t>, kind: ContainerKind) -> PlaceId {
        let container = self.builder.object(Object::Container(kind), position(node));
        let mut parts = Vec::new();
        // Where the next part stands, as long as that is known.
        let mut next = Some(0u32).filter(|_| kind != ContainerKind::Set);
        for item in flat_items(node) {
            let at = position(item);
            if item.kind() != "list_splat" {
                let mut part = self.part(item);
                if kind == ContainerKind::Tuple {
                    self.give_under_tests(&mut part, node, item);
                }
                let key = next.map_or(ElementKey::Any, ElementKey::Index);
                self.builder.element_store(container, key, part.place, at);
                self.builder
                    .facts
                    .texts_listed
                    .extend(part.text.map(|text| (container, text, next)));
                if let (Some(Constant::Number(number)), Some(at)) = (part.constant, next) {
                    self.builder.note_number(container, i64::from(number), at);
                }
                parts.push(part);
                next = next.map(|next| next + 1);
                continue;
            }
            let Some(place) = item.part(0).and_then(|inner| self.look(inner)) else {
                next = None;
                continue;
            };
            match (next, self.spread_parts(place)) {
                (Some(first), Some(spread)) => {
                    for (part, index) in spread.iter().zip(first..) {
                        self.builder
                            .element_store(container, ElementKey::Index(index), part.place, at);
                    }
                    next = Some(first + spread.len() as u32);
                    parts.extend(spread);
                }
                (Some(first), None) => {
                    self.builder.copy_parts(place, container, first as i32, Vec::new(), at);
                    next = None;
                }
                (None, _) => {
                    let part = self.builder.element_load(place, ElementKey::Each, at);
                    self.builder.element_store(container, ElementKey::Any, Some(part), at);
                }
            }
        }
        if let Some(length) = next {
            self.builder.facts.lengths.push((container, length));
            self.builder.know_shape(container, Shape::sequence(kind, parts));
        }
        container
    }

    /// The value of an expression, as a part.
    pub(super) fn part(&mut self, node: Node<'t>) -> Part {
        let text = self.constant_text(node).filter(|text| text.len() <= TEXT_LIMIT);
        Part {
            place: self.expression(node),
            text: text.map(|text| self.builder.name(&text)),
            constant: self.constant(node),
        }
    }

    pub(super) fn dictionary(&mut self, node: Node<'t>) -> PlaceId {
        let container = self
            .builder
            .object(Object::Container(ContainerKind::Map), position(node));
        let mut entries = Vec::new();
        for item in children(node) {
            match item.kind() {
                "pair" => entries.extend(self.pair(container, item)),
                "dictionary_splat" => {
                    let place = item.part(0).and_then(|inner| self.look(inner));
                    let shape = place.and_then(|place| self.builder.shape(place)).cloned();
                    let shape = shape.filter(|shape| shape.kind == ContainerKind::Map);
                    entries.extend(place.map(|place| Entry::Spread(place, shape, position(item))));
                }
                _ => {
                    self.expression(item);
                }
            }
        }
        // How many of the entries still to come put something under a key: what comes later is written over it.
        let mut later: FxHashMap<ElementKey, u32> = FxHashMap::default();
        for key in entries.iter().flat_map(Entry::keys) {
            *later.entry(key).or_default() += 1;
        }
        let mut shape = Some(Shape {
            kind: ContainerKind::Map,
            parts: Vec::new(),
        });
        for (index, entry) in entries.iter().enumerate() {
            for key in entry.keys() {
                if let Some(left) = later.get_mut(&key) {
                    *left -= 1;
                }
            }
            let (parts, at, computed) = match entry {
                Entry::Pair(key, part, at, computed) => (vec![(*key, *part)], *at, *computed),
                Entry::Spread(_, Some(shape), at) => (shape.parts.clone(), *at, None),
                Entry::Spread(place, None, at) => {
                    let except = entries[index + 1..].iter().flat_map(texts_of).take(EXCEPT_LIMIT);
                    self.builder.copy_parts(*place, container, 0, except.collect(), *at);
                    shape = None;
                    continue;
                }
            };
            for (key, part) in parts {
                if later.get(&key).is_none_or(|left| *left == 0) {
                    self.builder
                        .element_store_at(container, (key, computed), part.place, at);
                }
                match &mut shape {
                    Some(shape) if key != ElementKey::Any && !shape.is_too_long() => shape.put(key, part),
                    shape => *shape = None,
                }
            }
        }
        if let Some(shape) = shape {
            self.builder.note_parts(container, &shape);
            self.builder.know_shape(container, shape);
        }
        container
    }

    /// Whether a key may be a constant of another file, or of a class.
    fn may_be_a_constant(&mut self, key: Node<'t>) -> bool {
        match key.kind() {
            "identifier" => {
                let name = self.name_of(key);
                !self.builder.is_own_variable(name)
            }
            kind => kind == "attribute",
        }
    }

    fn pair(&mut self, container: PlaceId, item: Node<'t>) -> Option<Entry> {
        let (key, value) = (item.child_by_field_name("key")?, item.child_by_field_name("value")?);
        let literal = self.literal(key);
        if literal != key {
            let named = self.expression(key);
            self.builder
                .element_store(container, ElementKey::Keys, named, position(key));
        }
        let key = literal;
        let mut computed = None;
        let element = match self.constant_text(key) {
            Some(text) => {
                let name = self.builder.name(&text);
                match key.kind() {
                    "string" => self.builder.key_use(name, position(key)),
                    _ => _ = self.expression(key),
                }
                ElementKey::Text(name)
            }
            None => {
                let place = self.expression(key);
                self.builder
                    .element_store(container, ElementKey::Keys, place, position(key));
                computed = place.filter(|_| self.may_be_a_constant(key));
                match key.kind() {
                    "integer" => self.text_of(key).parse().map_or(ElementKey::Any, ElementKey::Index),
                    "tuple" => self.tuple_key(key).unwrap_or(ElementKey::Any),
                    _ => match self.computed_key(key) {
                        Some(ElementKey::Text(text)) => {
                            computed = None;
                            self.builder.key_use(text, position(key));
                            ElementKey::Text(text)
                        }
                        _ => ElementKey::Any,
                    },
                }
            }
        };
        let mut part = self.part(value);
        if let (ElementKey::Text(key), Some(text)) = (element, part.text) {
            self.builder.facts.texts_under.push((container, key, text));
        }
        if let Some(display) = item.parent() {
            self.give_under_tests(&mut part, display, value);
        }
        Some(Entry::Pair(element, part, position(value), computed))
    }
}

/// The constant texts that an entry certainly puts something under.
fn texts_of(entry: &Entry) -> Vec<Name> {
    let texts = entry.keys().into_iter().filter_map(|key| match key {
        ElementKey::Text(name) => Some(name),
        _ => None,
    });
    texts.collect()
}

/// What is listed in a display; the items of a display that is spread in it are its own.
fn flat_items(display: Node<'_>) -> Vec<Node<'_>> {
    let mut items = Vec::new();
    for item in children(display) {
        let spread = item.part(0).filter(|_| item.kind() == "list_splat");
        match spread.filter(|inner| matches!(inner.kind(), "list" | "tuple")) {
            Some(inner) => items.extend(flat_items(inner)),
            None => items.push(item),
        }
    }
    items
}
