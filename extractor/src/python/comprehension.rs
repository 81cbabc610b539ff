//! Comprehensions: `[f(x) for x in xs if x]`.
//!
//! Where the items are known and the body is plain, so are the parts: `[x for x in [a, b]]` is `[a, b]`.

use crate::tree::children;
use tree_sitter::Node;

use super::file_constants::is_constant;
use super::rows::Row;
use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{ContainerKind, ElementKey, Object, PlaceId, PlaceKind, Position};

impl<'t> Walker<'t> {
    pub(super) fn comprehension(&mut self, node: Node<'t>, kind: ContainerKind) -> PlaceId {
        let at = position(node);
        let container = self.builder.object(Object::Container(kind), at);
        let tests = self.builder.tests();
        self.builder.open_block(false);
        let mut opened = 1;
        let mut shape = None;
        let mut rows = Some(vec![Vec::new()]);
        // Whether all that the rows say is certain.
        let mut is_certain = true;
        let (mut picked, mut listed) = (None, None);
        let (mut before, mut start) = (None, None);
        let mut sources = Vec::new();
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
                    sources.extend(place);
                    let items = source.and_then(|source| {
                        let known = self.known_items(place, source);
                        known
                            .or_else(|| self.items_by_table(node, source))
                            .or_else(|| self.counted(node, source))
                    });
                    self.builder.open_block(false);
                    opened += 1;
                    start = start.or_else(|| self.builder.open_items());
                    rows = rows.and_then(|rows| self.crossed(rows, clause.child_by_field_name("left")?, &items?));
                    if let (Some(left), Some(source)) = (clause.child_by_field_name("left"), source) {
                        self.declare_targets(left);
                        let at = position(source);
                        let item = place.map(|place| self.builder.element_load(place, key, at));
                        self.comprehension_target(left, item, at);
                        self.give_members(clause);
                    }
                }
                "if_clause" => {
                    for condition in children(clause) {
                        if let Some(all) = rows.take() {
                            let kept = self.rows_where(condition, all.clone());
                            is_certain &= kept.is_some();
                            rows = kept.or(Some(all));
                        }
                        let tested = self.branch_on(condition);
                        self.builder.choose_by(tested);
                        before = before.or_else(|| self.builder.snapshot());
                        self.narrow(condition, true);
                    }
                }
                _ => {}
            }
        }
        let rows = rows.filter(|_| kind != ContainerKind::Set && (is_certain || kind == ContainerKind::Map));
        // A generator calls later.
        let calls_by_row = std::mem::replace(&mut self.calls_by_row, kind != ContainerKind::Generator);
        let projected = |walker: &mut Self, body| rows.as_ref().and_then(|rows| walker.projected(kind, body, rows));
        if let Some(body) = node.child_by_field_name("body") {
            self.note_returned(body);
            if body.kind() == "pair" {
                let key = body.child_by_field_name("key").and_then(|key| self.expression(key));
                let value = body
                    .child_by_field_name("value")
                    .and_then(|value| self.expression(value));
                self.builder
                    .element_store(container, ElementKey::Keys, key, position(body));
                if rows.is_some() {
                    self.builder.merge(before.take());
                    self.builder.close_items(start.take());
                }
                shape = projected(self, body);
                if let Some(parts) = shape.take_if(|_| !is_certain) {
                    for (key, part) in parts.parts {
                        self.builder.element_store(container, key, part.place, position(body));
                    }
                } else if shape.is_none() {
                    picked = self.picked(node, body);
                    listed = self.pair_listed(body);
                    let value = value.filter(|_| picked.as_ref().is_none_or(|(_, picked)| picked.is_respelled));
                    let value = value.filter(|_| listed.is_none());
                    self.builder
                        .element_store(container, ElementKey::Any, value, position(body));
                }
            } else {
                let value = self.expression(body);
                let value = self.chosen(value, body);
                if rows.is_some() {
                    self.builder.merge(before.take());
                    self.builder.close_items(start.take());
                }
                shape = projected(self, body);
                if shape.is_none() {
                    self.builder
                        .element_store(container, ElementKey::Any, value, position(body));
                }
            }
        }
        self.calls_by_row = calls_by_row;
        for tested in self.builder.left_by_since(tests) {
            self.builder.test(Some(tested), container, position(node));
        }
        let body = node.child_by_field_name("body");
        if body.is_some_and(|body| is_constant(body) || self.makes_object(body)) {
            for source in sources {
                self.builder.test(Some(source), container, position(node));
            }
        }
        self.builder.restore_tests(tests);
        // What holds for an item says nothing of the variables around it.
        self.builder.merge(before);
        if start.is_some() {
            self.builder.close_items(start);
        }
        for _ in 0..opened {
            self.builder.close_block();
        }
        if let Some(shape) = shape {
            self.builder.fill(container, shape, at);
        }
        if let Some(picked) = picked {
            self.pick(picked, container, at);
        }
        if let Some(members) = listed {
            self.builder.copy_parts(members, container, 0, Vec::new(), at);
        }
        container
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
