//! Shapes: which parts a container has, where one function makes it, changes it, and nobody else holds it.
//!
//! ```python
//! items = ["x"]            # made: the shape of `items` is ["x"]
//! first = items[0]         # read: "x", whatever the list may hold later
//! items.append(secret)     # changed: `items` holds a new container from here on, ["x", secret]
//! items.pop()              # and another, ["x"]
//! send(items)              # given away: from here on nothing is known, and the container is changed in place
//! ```
//!
//! A shape belongs to a value: to a definition of a variable, to an expression that makes a container, or to a part of another that is
//! one itself. It is lost for good as soon as the value gets another holder, and of no use inside of a loop that the value comes into
//! from outside. A tuple never changes, so that its holders don't matter, but for what it holds.

use ripple_schema::How;
use rustc_hash::FxHashMap;

use super::Builder;
use crate::facts::order::Point;
use crate::facts::reaching::Slot;
use crate::facts::{Constant, ContainerKind, ElementKey, FunctionId, Name, Object, PlaceId, Position};

/// Most parts of a container whose shape is known: each change makes all of them anew.
const PART_LIMIT: usize = 8;

/// What is in a container under a key, or at a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Part {
    /// Its value; none for a literal.
    pub place: Option<PlaceId>,
    /// A constant text.
    pub text: Option<Name>,
    /// Any constant, where that is told.
    pub constant: Option<Constant>,
}

/// All parts of a container, in order.
#[derive(Debug, Clone)]
pub struct Shape {
    /// What it is.
    pub kind: ContainerKind,
    /// Keys of a map, all of them constant; positions of another.
    pub parts: Vec<(ElementKey, Part)>,
}

impl Shape {
    /// A list or tuple of these.
    pub fn sequence(kind: ContainerKind, parts: impl IntoIterator<Item = Part>) -> Self {
        let key = |(index, part)| (ElementKey::Index(index as u32), part);
        Self {
            kind,
            parts: parts.into_iter().enumerate().map(key).collect(),
        }
    }

    /// What is in it, in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = Part> + '_ {
        self.parts.iter().map(|(_, part)| *part)
    }

    /// Whether it has more parts than a known shape may have.
    pub fn is_too_long(&self) -> bool {
        self.parts.len() > PART_LIMIT
    }

    /// Where the part of a key is among the parts.
    pub fn find(&self, key: ElementKey) -> Option<usize> {
        match key {
            ElementKey::Back(back) => self
                .parts
                .len()
                .checked_sub(back as usize)
                .filter(|_| self.kind != ContainerKind::Map),
            ElementKey::First => {
                let is_in_order = matches!(self.kind, ContainerKind::List | ContainerKind::Tuple);
                (is_in_order && !self.parts.is_empty()).then_some(0)
            }
            key => self.parts.iter().position(|(known, _)| *known == key),
        }
    }

    /// What is under a key.
    pub fn part(&self, key: ElementKey) -> Option<Part> {
        self.find(key).map(|index| self.parts[index].1)
    }

    /// Puts a part under a key, over what is there.
    pub fn put(&mut self, key: ElementKey, part: Part) {
        match self.find(key) {
            Some(index) => self.parts[index].1 = part,
            None => self.parts.push((key, part)),
        }
    }
}

/// The shapes of values.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    of_place: FxHashMap<PlaceId, Known>,
}

#[derive(Debug)]
struct Known {
    shape: Shape,
    function: FunctionId,
    /// The loop that it was made in.
    turn: Option<Point>,
    /// The part of another container that this is, as it was put there.
    part: Option<PlaceId>,
}

impl Builder {
    fn turn(&self) -> Option<Point> {
        self.scopes.last().and_then(|scope| scope.turns.last().copied())
    }

    /// The value has these parts, and nobody else holds it.
    pub fn know_shape(&mut self, place: PlaceId, shape: Shape) {
        self.know(place, shape, None);
    }

    fn know(&mut self, place: PlaceId, shape: Shape, part: Option<PlaceId>) {
        if !shape.is_too_long() {
            let (function, turn) = (self.function(), self.turn());
            let known = Known {
                shape,
                function,
                turn,
                part,
            };
            self.shapes.of_place.insert(place, known);
        }
    }

    /// The parts of a value, where they are known here.
    pub fn shape(&self, place: PlaceId) -> Option<&Shape> {
        let known = self.shapes.of_place.get(&place)?;
        let is_tuple = known.shape.kind == ContainerKind::Tuple;
        let is_here = known.function == self.function() && (is_tuple || known.turn == self.turn());
        is_here.then_some(&known.shape)
    }

    /// Somebody else may hold the value from here on, and what is in it.
    pub fn give_away(&mut self, place: PlaceId) {
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            let Some(known) = self.shapes.of_place.get_mut(&place) else {
                continue;
            };
            open.extend(known.part.take());
            open.extend(known.shape.values().filter_map(|part| part.place));
            if known.shape.kind != ContainerKind::Tuple {
                self.shapes.of_place.remove(&place);
            }
        }
    }

    /// As [`Builder::give_away`], where the value is a part of another.
    pub fn give_part(&mut self, place: PlaceId) {
        if self
            .shapes
            .of_place
            .get(&place)
            .is_some_and(|known| known.part.is_some())
        {
            self.give_away(place);
        }
    }

    /// Somebody else may hold what is in the value from here on.
    pub fn give_parts(&mut self, place: PlaceId) {
        if let Some(known) = self.shapes.of_place.get(&place) {
            let parts: Vec<PlaceId> = known.shape.values().filter_map(|part| part.place).collect();
            parts.into_iter().for_each(|part| self.give_away(part));
        }
    }

    /// What any definition of the name that reaches this point holds may get another holder.
    pub fn give_away_all(&mut self, name: Name) {
        if self.shapes.of_place.is_empty() {
            return;
        }
        if let Some((depth, slot)) = self.lookup(name) {
            for place in self.scopes[depth].webs.reaching(slot).to_vec() {
                self.give_away(place);
            }
        }
    }

    /// A call from the file's body: functions see its variables without being given them.
    pub(super) fn shapes_called(&mut self) {
        if self.at_file_level() {
            let shapes = &mut self.shapes.of_place;
            shapes.retain(|_, known| known.shape.kind == ContainerKind::Tuple);
        }
    }

    /// A variable is given what an expression made, and is its one holder.
    pub fn hold_shape(&mut self, name: Name, value: PlaceId, variable: PlaceId) {
        let is_generator = self
            .shape(value)
            .is_none_or(|shape| shape.kind == ContainerKind::Generator);
        if !is_generator && self.is_own_variable(name) && !self.is_captured(name) {
            self.take_shape(value, variable);
        }
    }

    /// The variable of this function whose container has a known shape, with the place of that.
    pub fn shaped(&self, name: Name) -> Option<(PlaceId, &Shape)> {
        let held = self.only_definition(name).filter(|_| self.is_own_variable(name))?;
        Some((held, self.shape(held)?))
    }

    /// What an expression made goes on to another place.
    pub fn take_shape(&mut self, from: PlaceId, to: PlaceId) {
        let Some(known) = self.shapes.of_place.get(&from) else {
            return;
        };
        if known.part.is_some() && known.shape.kind != ContainerKind::Tuple {
            // It stays where it is, too.
            self.give_away(from);
        } else if let Some(shape) = self.shape(from).cloned() {
            if shape.kind != ContainerKind::Tuple {
                self.shapes.of_place.remove(&from);
            }
            self.know_shape(to, shape);
        }
    }

    /// A new container with these parts.
    pub fn make(&mut self, shape: Shape, position: Position) -> PlaceId {
        let container = self.object(Object::Container(shape.kind), position);
        self.fill(container, shape, position);
        container
    }

    /// Puts these parts into a container that has none yet.
    pub fn fill(&mut self, container: PlaceId, shape: Shape, position: Position) {
        for (key, part) in &shape.parts {
            self.element_store(container, *key, part.place, position);
        }
        self.note_parts(container, &shape);
        self.know_shape(container, shape);
    }

    /// Notes how many parts a container has where it is made, or its keys.
    pub fn note_parts(&mut self, container: PlaceId, shape: &Shape) {
        match shape.kind {
            ContainerKind::Map => {
                let keys = shape.parts.iter().map(|(key, _)| *key).collect();
                self.facts.keyed.push((container, keys));
            }
            _ => self.facts.lengths.push((container, shape.parts.len() as u32)),
        }
    }

    /// The variable's container is changed: it holds one with these parts from here on.
    pub fn change(&mut self, name: Name, shape: Shape, position: Position) {
        let container = self.make(shape, position);
        let place = self.replace(name, container, position);
        self.take_shape(container, place);
    }

    /// A new container with these parts, each of which may be at any position.
    pub fn stirred(&mut self, shape: &Shape, position: Position) -> PlaceId {
        self.poured(shape, |_| ElementKey::Any, position)
    }

    /// A new container with these parts, each of which may be missing.
    pub fn loose(&mut self, shape: &Shape, position: Position) -> PlaceId {
        self.poured(shape, |key| key, position)
    }

    /// A new container of no known shape, with the parts of one that has a shape.
    fn poured(&mut self, shape: &Shape, under: impl Fn(ElementKey) -> ElementKey, position: Position) -> PlaceId {
        let container = self.object(Object::Container(shape.kind), position);
        for (key, part) in &shape.parts {
            part.place.into_iter().for_each(|part| self.give_away(part));
            self.element_store(container, under(*key), part.place, position);
        }
        container
    }

    /// The variable holds another container from here on. Gives the place of that.
    pub fn replace(&mut self, name: Name, container: PlaceId, position: Position) -> PlaceId {
        self.root_defined(name);
        let place = self.refine(name, position);
        self.flow(Some(container), place, How::Assign, position);
        place
    }

    /// As [`Builder::change`], of a variable whose container got a part that was not there before: it is the same one.
    pub fn grow(&mut self, name: Name, held: PlaceId, shape: Shape, position: Position) {
        let place = self.refine(name, position);
        self.flow(Some(held), place, How::Assign, position);
        self.know_shape(place, shape);
    }

    /// An inner function sees a variable of the function at this depth, and may do with it what it likes.
    pub(super) fn shapes_captured(&mut self, depth: usize, slot: Slot) {
        if !self.shapes.of_place.is_empty() {
            for place in self.scopes[depth].webs.definitions(slot).to_vec() {
                self.give_away(place);
            }
        }
    }

    /// Reads a part of a container of known shape into `to`. Whether it is known.
    pub(super) fn shape_read(&mut self, base: PlaceId, key: ElementKey, to: PlaceId, position: Position) -> bool {
        let part = self.shape(base).and_then(|shape| Some(shape.parts[shape.find(key)?].1));
        match part {
            Some(part) => {
                self.flow(part.place, to, How::Assign, position);
                if let Some(inner) = part.place.and_then(|place| self.shape(place)).cloned() {
                    self.know(to, inner, part.place);
                }
            }
            None => self.give_parts(base),
        }
        part.is_some()
    }
}
