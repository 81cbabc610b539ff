//! Comprehensions: `[f(x) for x in xs if x]`.
//!
//! Where the items are known and the body is plain, so are the parts: `[x for x in [a, b]]` is `[a, b]`.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{ContainerKind, ElementKey, Name, Object, PlaceId, PlaceKind, Position};

/// Most items that are told apart.
const ROW_LIMIT: usize = 8;

/// What the variables of a comprehension hold for one item.
type Row = Vec<(Name, Part)>;

impl<'t> Walker<'t> {
    pub(super) fn comprehension(&mut self, node: Node<'t>, kind: ContainerKind) -> PlaceId {
        let at = position(node);
        let container = self.builder.object(Object::Container(kind), at);
        self.builder.open_block(false);
        let mut opened = 1;
        let mut shape = None;
        let mut rows = Some(vec![Vec::new()]);
        let (mut before, mut start) = (None, None);
        for clause in children(node) {
            match clause.kind() {
                "for_in_clause" => {
                    // The first source is evaluated outside; a new block for each clause keeps that right.
                    let source = clause.child_by_field_name("right");
                    let key = self.each_left(source, super::statement::is_async(clause));
                    // A generator goes over it later.
                    let place = source.and_then(|right| match kind {
                        ContainerKind::Generator => self.expression(right),
                        _ => self.look(right),
                    });
                    let items = place.and_then(|place| self.spread_parts(place));
                    self.builder.open_block(false);
                    opened += 1;
                    start = start.or_else(|| self.builder.open_items());
                    rows = rows.and_then(|rows| self.crossed(rows, clause.child_by_field_name("left")?, &items?));
                    if let (Some(left), Some(source)) = (clause.child_by_field_name("left"), source) {
                        self.declare_targets(left);
                        let at = position(source);
                        let item = place.map(|place| self.builder.element_load(place, key, at));
                        self.comprehension_target(left, item, at);
                    }
                }
                "if_clause" => {
                    rows = None;
                    for condition in children(clause) {
                        self.condition(condition);
                        before = before.or_else(|| self.builder.snapshot());
                        self.narrow(condition, true);
                    }
                }
                _ => {}
            }
        }
        let rows = rows.filter(|_| kind != ContainerKind::Set);
        let projected = |walker: &mut Self, body| rows.as_ref().and_then(|rows| walker.projected(kind, body, rows));
        if let Some(body) = node.child_by_field_name("body") {
            if body.kind() == "pair" {
                let key = body.child_by_field_name("key").and_then(|key| self.expression(key));
                let value = body
                    .child_by_field_name("value")
                    .and_then(|value| self.expression(value));
                self.builder
                    .element_store(container, ElementKey::Keys, key, position(body));
                shape = projected(self, body);
                if shape.is_none() {
                    self.builder
                        .element_store(container, ElementKey::Any, value, position(body));
                }
            } else {
                let value = self.expression(body);
                shape = projected(self, body);
                if shape.is_none() {
                    self.builder
                        .element_store(container, ElementKey::Any, value, position(body));
                }
            }
        }
        // What holds for an item says nothing of the variables around it.
        self.builder.merge(before);
        self.builder.close_items(start);
        for _ in 0..opened {
            self.builder.close_block();
        }
        if let Some(shape) = shape {
            self.builder.fill(container, shape, at);
        }
        container
    }

    /// What the targets of a clause hold, one row an item, for each row of the clauses before; none if the items are not known.
    fn crossed(&mut self, rows: Vec<Row>, target: Node<'t>, items: &[Part]) -> Option<Vec<Row>> {
        if rows.len() * items.len() > ROW_LIMIT {
            return None;
        }
        let mut crossed = Vec::new();
        for row in &rows {
            for item in items {
                let mut row = row.clone();
                self.bind(target, *item, &mut row)?;
                crossed.push(row);
            }
        }
        Some(crossed)
    }

    fn bind(&mut self, target: Node<'t>, item: Part, row: &mut Row) -> Option<()> {
        match target.kind() {
            "identifier" => row.push((self.name_of(target), item)),
            "pattern_list" | "tuple_pattern" => {
                let parts: Vec<Part> = self.builder.shape(item.place?)?.values().collect();
                if parts.len() != target.part_count() {
                    return None;
                }
                for (target, part) in children(target).zip(parts) {
                    self.bind(target, part, row)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// What a comprehension makes of known items, where its body is plain.
    fn projected(&mut self, kind: ContainerKind, body: Node<'t>, rows: &[Row]) -> Option<Shape> {
        if kind != ContainerKind::Map {
            let parts: Option<Vec<Part>> = rows.iter().map(|row| self.project(body, row)).collect();
            return Some(Shape::sequence(kind, parts?));
        }
        let (key, value) = (body.child_by_field_name("key")?, body.child_by_field_name("value")?);
        let mut shape = Shape {
            kind,
            parts: Vec::new(),
        };
        for row in rows {
            let key = self.project(key, row)?.text?;
            let value = self.project(value, row)?;
            shape.put(ElementKey::Text(key), value);
        }
        Some(shape)
    }

    /// A plain expression for one item: of names, literals, tuples, and texts that are put behind each other.
    fn project(&mut self, node: Node<'t>, row: &Row) -> Option<Part> {
        let at = position(node);
        match node.kind() {
            "identifier" => {
                let name = self.name_of(node);
                let bound = row.iter().rev().find(|(bound, _)| *bound == name);
                Some(bound.map_or_else(
                    || Part {
                        place: Some(self.builder.see_name(name, at)),
                        text: None,
                    },
                    |(_, part)| *part,
                ))
            }
            "string" => {
                let text = self.constant_text(node)?;
                Some(Part {
                    place: None,
                    text: Some(self.builder.name(&text)),
                })
            }
            "integer" | "float" | "true" | "false" | "none" => Some(Part::default()),
            "parenthesized_expression" => self.project(node.part(0)?, row),
            "tuple" => {
                let parts: Option<Vec<Part>> = children(node).map(|item| self.project(item, row)).collect();
                let tuple = self.builder.make(Shape::sequence(ContainerKind::Tuple, parts?), at);
                Some(Part {
                    place: Some(tuple),
                    text: None,
                })
            }
            "binary_operator" => {
                let sides = [node.child_by_field_name("left")?, node.child_by_field_name("right")?];
                if !sides.iter().any(|side| side.kind() == "string") {
                    return None;
                }
                let [left, right] = sides.map(|side| self.project(side, row));
                let place = self.builder.derived(&[left?.place, right?.place], at);
                Some(Part { place, text: None })
            }
            _ => None,
        }
    }

    /// Loop variables of a comprehension are local, also in a class body or at file level.
    fn comprehension_target(&mut self, target: Node<'t>, value: Option<PlaceId>, at: Position) {
        if target.kind() == "identifier" {
            let name = self.name_of(target);
            let place = self.builder.define(name, PlaceKind::Local, position(target));
            self.flow_into(value, place, at);
            return;
        }
        if matches!(target.kind(), "attribute" | "subscript") {
            self.assign(target, value, at);
            return;
        }
        for (index, part) in children(target).enumerate() {
            let item = value.map(|value| self.builder.element_load(value, ElementKey::Index(index as u32), at));
            self.comprehension_target(part, item, at);
        }
    }
}
