//! What a loop over a table of the file goes over: its rows, where the table is written down and nobody changes it.
//!
//! ```python
//! FEATURES = {"spend": (total, ("price", "count")), "age": (years, ("born",))}
//! for name, (function, keys) in FEATURES.items():
//!     out[name] = function(*[row[key] for key in keys])     # "spend" is `total(row["price"], row["count"])`
//! ```
//!
//! Each row is told apart: see [`super::rows`]. What is no text in it is read out of the table under its own key. Nothing is told of a table
//! that goes by another name as well; that another file puts something in is not seen here.

use tree_sitter::Node;

use super::by_name::is_display;
use super::rows::ROW_LIMIT;
use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{Constant, ContainerKind, ElementKey, PlaceId, Position};
use crate::tree::{Parts, children};

/// How deep displays inside of each other are told.
const DEPTH_LIMIT: u8 = 3;

impl<'t> Walker<'t> {
    /// The items of what an iteration goes over, where they are known.
    pub(super) fn known_items(&mut self, place: Option<PlaceId>, source: Node<'t>) -> Option<Vec<Part>> {
        place
            .and_then(|place| self.spread_parts(place))
            .or_else(|| self.texts_here(source))
            .or_else(|| self.named_items(source))
            .or_else(|| self.table_items(source))
            .or_else(|| self.zipped_items(source))
            .or_else(|| self.counted_items(source))
            .or_else(|| self.keys_of_table(source))
    }

    /// `enumerate(NAMES)`, where they are known.
    fn counted_items(&mut self, source: Node<'t>) -> Option<Vec<Part>> {
        let counted = *self.given_to(source, "enumerate", 1)?.first()?;
        let is_plain = matches!(counted.kind(), "identifier" | "list" | "tuple");
        if !is_plain || self.displays_handed_on.contains(self.text_of(counted)) {
            return None;
        }
        let place = self.look(counted);
        let items = self.known_items(place, counted)?;
        let at = position(source);
        let pair = |walker: &mut Self, (index, item): (usize, Part)| {
            let index = Part {
                constant: Some(Constant::Number(i32::try_from(index).unwrap_or(i32::MAX))),
                ..Part::default()
            };
            let pair = Shape::sequence(ContainerKind::Tuple, [index, item]);
            Part {
                place: Some(walker.builder.make(pair, at)),
                ..Part::default()
            }
        };
        let items = items.into_iter().take(ROW_LIMIT + 1).enumerate();
        let pairs: Vec<Part> = items.map(|item| pair(self, item)).collect();
        Some(pairs).filter(|pairs| pairs.len() <= ROW_LIMIT)
    }

    /// `TABLE`, `sorted(TABLE)`, `list(TABLE.keys())`: the keys of a table.
    fn keys_of_table(&mut self, source: Node<'t>) -> Option<Vec<Part>> {
        /// Most calls inside each other.
        const DEPTH: usize = 4;
        if self.builder.at_file_level() {
            return None;
        }
        let mut table = source;
        for _ in 0..DEPTH {
            if table.kind() == "identifier" {
                break;
            }
            let function = table
                .child_by_field_name("function")
                .filter(|_| table.kind() == "call")?;
            let given = table.child_by_field_name("arguments")?;
            table = match function.kind() {
                "identifier" if matches!(self.text_of(function), "sorted" | "list" | "tuple" | "iter") => {
                    let symbol = self.name_of(function);
                    given.part(0).filter(|_| !self.builder.is_bound(symbol))?
                }
                "attribute" if given.part_count() == 0 => {
                    let is_keys = self.text_of(function.child_by_field_name("attribute")?) == "keys";
                    function.child_by_field_name("object").filter(|_| is_keys)?
                }
                _ => return None,
            };
        }
        let display = self
            .display_named(table)
            .filter(|display| display.kind() == "dictionary")?;
        if self.displays_handed_on.contains(self.text_of(table)) {
            return None;
        }
        let mut keys = Vec::new();
        for pair in children(display).filter(|part| part.kind() != "comment") {
            let key = self.constant_text(pair.child_by_field_name("key")?)?;
            keys.push(Part {
                text: Some(self.builder.name(&key)),
                ..Part::default()
            });
        }
        (!keys.is_empty() && keys.len() <= ROW_LIMIT).then_some(keys)
    }

    /// `zip(NAMES, values)`, where both are known.
    fn zipped_items(&mut self, source: Node<'t>) -> Option<Vec<Part>> {
        let given = self.given_to(source, "zip", 2)?;
        // They are looked at once more.
        let is_plain = |side: &Node<'t>| matches!(side.kind(), "identifier" | "attribute" | "list" | "tuple");
        if !given.iter().all(is_plain) {
            return None;
        }
        let mut sides = Vec::new();
        for side in given {
            let place = self.look(side);
            sides.push(self.known_items(place, side)?);
        }
        let at = position(source);
        let mut pairs = Vec::new();
        for (first, second) in sides[0].iter().zip(&sides[1]).take(ROW_LIMIT + 1) {
            let pair = Shape::sequence(ContainerKind::Tuple, [*first, *second]);
            pairs.push(Part {
                place: Some(self.builder.make(pair, at)),
                ..Part::default()
            });
        }
        Some(pairs).filter(|pairs| pairs.len() <= ROW_LIMIT)
    }

    /// The arguments of a call of a built-in function, by position alone.
    fn given_to(&mut self, call: Node<'t>, name: &str, count: usize) -> Option<Vec<Node<'t>>> {
        let function = call.child_by_field_name("function").filter(|_| call.kind() == "call")?;
        // Every call is asked: what is called otherwise gets no name for that.
        if self.text_of(function) != name {
            return None;
        }
        let symbol = self.name_of(function);
        if self.builder.is_bound(symbol) {
            return None;
        }
        let given: Vec<Node<'t>> = children(call.child_by_field_name("arguments")?).collect();
        let is_plain = |node: &Node<'t>| !node.kind().contains("splat") && node.kind() != "keyword_argument";
        (given.len() == count && given.iter().all(is_plain)).then_some(given)
    }

    /// `dict(zip(NAMES, values))`: what is under each name.
    pub(super) fn dict_of_pairs(&mut self, call: Node<'t>) -> Option<PlaceId> {
        let given = self.given_to(call, "dict", 1)?;
        let pairs = self.zipped_items(given[0])?;
        let mut shape = Shape {
            kind: ContainerKind::Map,
            parts: Vec::new(),
        };
        for pair in pairs {
            let sides: Vec<Part> = self.builder.shape(pair.place?)?.values().collect();
            let [key, value] = sides.as_slice() else { return None };
            shape.put(ElementKey::Text(key.text?), *value);
        }
        Some(self.builder.make(shape, position(call)))
    }

    /// `for name in ("rooms", "floor")`
    fn texts_here(&mut self, source: Node<'t>) -> Option<Vec<Part>> {
        match source.kind() {
            "list" | "tuple" => self.texts_as_items(source),
            _ => None,
        }
    }

    fn table_items(&mut self, source: Node<'t>) -> Option<Vec<Part>> {
        if self.builder.at_file_level() {
            return None;
        }
        let (table, view) = match source.kind() {
            "call" => {
                let function = source.child_by_field_name("function")?;
                let given = source.child_by_field_name("arguments")?;
                let view = self.text_of(function.child_by_field_name("attribute")?);
                let is_view = given.part_count() == 0 && matches!(view, "items" | "values");
                (function.child_by_field_name("object").filter(|_| is_view)?, view)
            }
            _ => (source, ""),
        };
        let display = self.display_named(table)?;
        let is_map = display.kind() == "dictionary";
        let is_handed_on = self.displays_handed_on.contains(self.text_of(table))
            || ["globals()", "sys.modules["].iter().any(|way| self.text.contains(way));
        if is_map == view.is_empty() || is_handed_on || !is_told(display, 0) {
            return None;
        }
        let (base, at) = (self.look(table)?, position(source));
        let parts = self.parts_of_display(display, base, at, 0)?;
        let item = |walker: &mut Self, (key, part): (ElementKey, Part)| match (view, key) {
            ("items", ElementKey::Text(text)) => {
                let key = Part {
                    text: Some(text),
                    ..Part::default()
                };
                let pair = Shape::sequence(ContainerKind::Tuple, [key, part]);
                Part {
                    place: Some(walker.builder.make(pair, at)),
                    ..Part::default()
                }
            }
            _ => part,
        };
        Some(parts.into_iter().map(|part| item(self, part)).collect())
    }

    fn parts_of_display(
        &mut self,
        display: Node<'t>,
        base: PlaceId,
        at: Position,
        depth: u8,
    ) -> Option<Vec<(ElementKey, Part)>> {
        let is_map = display.kind() == "dictionary";
        let mut parts = Vec::new();
        let written = children(display).filter(|part| part.kind() != "comment");
        for (index, part) in written.enumerate() {
            let (key, value) = match is_map {
                true => {
                    let key = self.constant_text(part.child_by_field_name("key")?)?;
                    (
                        ElementKey::Text(self.builder.name(&key)),
                        part.child_by_field_name("value")?,
                    )
                }
                false => (ElementKey::Index(u32::try_from(index).ok()?), part),
            };
            parts.push((key, self.part_of_display(value, (base, key), at, depth)));
        }
        Some(parts)
    }

    fn part_of_display(
        &mut self,
        value: Node<'t>,
        (base, key): (PlaceId, ElementKey),
        at: Position,
        depth: u8,
    ) -> Part {
        if let Some(text) = self.constant_text(value) {
            return Part {
                text: Some(self.builder.name(&text)),
                ..Part::default()
            };
        }
        if matches!(value.kind(), "integer" | "float" | "true" | "false" | "none") {
            return Part {
                constant: self.constant(value),
                ..Part::default()
            };
        }
        let held = self.builder.element_load(base, key, at);
        // Of a list in it, which may be changed by another name, no more is known than where it lies.
        let is_tuple = value.kind() == "tuple";
        let parts = is_tuple.then(|| self.parts_of_display(value, held, at, depth + 1));
        let place = match parts.flatten() {
            Some(parts) => {
                let parts = parts.into_iter().map(|(_, part)| part);
                self.builder.make(Shape::sequence(ContainerKind::Tuple, parts), at)
            }
            None => held,
        };
        Part {
            place: Some(place),
            ..Part::default()
        }
    }
}

/// Whether each part of a display, and of those in it, stands there by itself, under a constant key.
fn is_told(display: Node<'_>, depth: u8) -> bool {
    let is_told_part = |part: Node<'_>| {
        let value = match part.kind() {
            "pair" => part.child_by_field_name("value"),
            kind if kind.ends_with("splat") => None,
            _ => Some(part),
        };
        value.is_some_and(|value| !is_display(value) || is_told(value, depth + 1))
    };
    let is_plain = matches!(display.kind(), "list" | "tuple" | "dictionary");
    is_plain
        && depth < DEPTH_LIMIT
        && display.part_count() <= ROW_LIMIT
        && children(display)
            .filter(|part| part.kind() != "comment")
            .all(is_told_part)
}
