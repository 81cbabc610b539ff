//! Containers of `collections`, and copies of containers: `deque` is a list, `OrderedDict` a dict, and `defaultdict(list)` a dict that has a list under each key.
//!
//! ```python
//! groups = defaultdict(list)
//! groups["a"].append(secret)       # groups.setdefault("a", []).append(secret)
//! ```

use crate::tree::children;
use ripple_schema::How;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::builder::{Part, Shape};
use crate::facts::{Argument, ArgumentKind, ContainerKind, ElementKey, Object, PlaceId, Position};

/// What a dict with defaults has under a key that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Container(ContainerKind),
    Literal,
}

impl<'t> Walker<'t> {
    /// The name under which `collections`, or `copy`, has what a call calls.
    pub(super) fn of_collections(&self, function: Node<'t>) -> Option<&'t str> {
        let text = self.text_of(function);
        let imports = || self.builder.facts.imports.iter();
        let named = |alias| self.builder.facts.text(alias);
        let (module, name) = match text.split_once('.') {
            Some((module, name)) => (Some(module), name),
            None => (None, text),
        };
        let home = match name {
            "deque" | "OrderedDict" | "defaultdict" | "ChainMap" => "collections",
            "copy" | "deepcopy" => "copy",
            _ => return None,
        };
        let is_it = imports().any(|import| {
            named(import.path) == home
                && match module {
                    Some(module) => import.member.is_none() && named(import.alias) == module,
                    None => named(import.alias) == name && import.member.map(named) == Some(name),
                }
        });
        is_it.then_some(name)
    }

    /// `copy(x)` and `deepcopy(x)` of a container of known shape: the parts themselves, or copies of them, too.
    pub(super) fn made_copy(
        &mut self,
        function: Node<'t>,
        is_deep: bool,
        arguments: &[Argument],
        at: Position,
    ) -> Option<(Shape, Option<PlaceId>)> {
        let [original] = arguments else { return None };
        let place = original.place?;
        if is_deep {
            let shape = self.deep_copy(function, place, at)?;
            let container = self.builder.make(shape.clone(), at);
            return Some((shape, Some(container)));
        }
        self.builder.give_parts(place);
        Some((self.builder.shape(place)?.clone(), None))
    }

    /// `ChainMap(high, low)` of mappings of known shape: what is in the first of them that has it.
    pub(super) fn made_chain(&mut self, arguments: &[Argument], at: Position) -> Option<(Shape, Option<PlaceId>)> {
        let mut made = Shape {
            kind: ContainerKind::Map,
            parts: Vec::new(),
        };
        for argument in arguments.iter().rev() {
            let is_plain = matches!(argument.kind, ArgumentKind::Positional);
            let shape = self.builder.shape(argument.place.filter(|_| is_plain)?)?;
            if shape.kind != ContainerKind::Map {
                return None;
            }
            shape.parts.iter().for_each(|(key, part)| made.put(*key, *part));
        }
        let container = self.builder.make(made.clone(), at);
        Some((made, Some(container)))
    }

    /// What such a function takes the parts of without telling where they are: `dict(a, **b)`, `zip(*rows)`, `deque(a, maxlen=2)`.
    pub(super) fn spread_given(&mut self, function: Node<'t>, arguments: &[Argument]) -> Vec<Argument> {
        let text = self.text_of(function);
        let is_own = matches!(text, "dict" | "zip") && {
            let name = self.builder.name(text);
            !self.builder.is_bound(name)
        };
        let of_collections = self.of_collections(function);
        let mut given = arguments.iter();
        match of_collections.unwrap_or(text) {
            "dict" | "OrderedDict" if is_own || of_collections.is_some() => given
                .filter(|argument| argument.kind == ArgumentKind::SpreadKeywords)
                .copied()
                .collect(),
            "zip" if is_own => given
                .filter(|argument| argument.kind == ArgumentKind::Spread)
                .copied()
                .collect(),
            "deque" if of_collections.is_some() && arguments.len() > 1 => given.next().copied().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// These parts are in the value of a call.
    pub(super) fn fill_result(&mut self, function: Node<'t>, given: Vec<Argument>, result: PlaceId) {
        for argument in given {
            let Some(place) = argument.place else { continue };
            let at = argument.position;
            match argument.kind {
                ArgumentKind::SpreadKeywords => self.builder.copy_parts(place, result, 0, Vec::new(), at),
                ArgumentKind::Spread if self.text_of(function) == "zip" => {
                    let row = self.builder.element_load(place, ElementKey::Each, at);
                    let part = self.builder.element_load(row, ElementKey::Each, at);
                    let column = self.builder.object(Object::Container(ContainerKind::List), at);
                    self.builder.element_store(column, ElementKey::Any, Some(part), at);
                    self.builder.element_store(result, ElementKey::Any, Some(column), at);
                }
                _ => {
                    let part = self.builder.element_load(place, ElementKey::Each, at);
                    self.builder.element_store(result, ElementKey::Any, Some(part), at);
                }
            }
        }
    }

    fn deep_copy(&mut self, function: Node<'t>, place: PlaceId, at: Position) -> Option<Shape> {
        let mut shape = self.builder.shape(place)?.clone();
        for (_, part) in &mut shape.parts {
            let Some(inner) = part.place else { continue };
            part.place = match self.deep_copy(function, inner, at) {
                Some(inner) => Some(self.builder.make(inner, at)),
                // What it is, is not known: a copy of it.
                None => {
                    let callee = self.expression(function)?;
                    let text = self.callee_text(function);
                    let argument = Self::positional(Some(inner), function);
                    Some(self.builder.call(callee, text, None, vec![argument], at, How::Implicit))
                }
            };
        }
        Some(shape)
    }

    /// Finds the names that stand for dicts with defaults all over the file.
    pub(super) fn note_default_tables(&mut self, root: Node<'t>) {
        if !self.text.contains("defaultdict(") {
            return;
        }
        let mut found: FxHashMap<&'t str, Option<Missing>> = FxHashMap::default();
        let mut cursor = root.walk();
        'walk: loop {
            let node = cursor.node();
            if node.kind() == "assignment"
                && let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
                && matches!(left.kind(), "identifier" | "attribute")
            {
                let missing = self.missing_of(right);
                let known = found.entry(self.text_of(left)).or_insert(missing);
                if *known != missing {
                    *known = None;
                }
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
        let found = found.into_iter().filter_map(|(name, missing)| Some((name, missing?)));
        self.default_tables = found.collect();
    }

    fn missing_of(&self, made: Node<'t>) -> Option<Missing> {
        let function = made.child_by_field_name("function").filter(|_| made.kind() == "call")?;
        if !matches!(self.text_of(function), "defaultdict" | "collections.defaultdict") {
            return None;
        }
        let given: Vec<_> = children(made.child_by_field_name("arguments")?).collect();
        let [factory] = given.as_slice() else { return None };
        match self.text_of(*factory) {
            "list" => Some(Missing::Container(ContainerKind::List)),
            "dict" => Some(Missing::Container(ContainerKind::Map)),
            "set" => Some(Missing::Container(ContainerKind::Set)),
            "int" | "str" | "float" | "bool" => Some(Missing::Literal),
            _ => None,
        }
    }

    /// Whether a call makes such a dict, for a name that always stands for one.
    pub(super) fn makes_default_table(&self, call: Node<'t>) -> bool {
        if self.default_tables.is_empty() {
            return false;
        }
        let around = call.parent().filter(|around| around.kind() == "assignment");
        let left = around.and_then(|around| around.child_by_field_name("left"));
        left.is_some_and(|left| self.default_tables.contains_key(self.text_of(left))) && self.missing_of(call).is_some()
    }

    /// Puts a new container under a key of a variable's own dict that has none.
    pub(super) fn put_missing(&mut self, subscript: Node<'t>) {
        let Some((base, missing)) = self.default_table(subscript) else {
            return;
        };
        let (Some(spot), Some(key @ ElementKey::Text(_))) = (self.spot(base), self.constant_key(subscript)) else {
            return;
        };
        if spot.shape.kind != ContainerKind::Map || spot.shape.find(key).is_some() || !spot.around.is_empty() {
            return;
        }
        let at = position(subscript);
        let place = match missing {
            Missing::Container(kind) => Some(self.builder.make(Shape::sequence(kind, []), at)),
            Missing::Literal => None,
        };
        let mut shape = spot.shape.clone();
        shape.put(
            key,
            Part {
                place,
                ..Part::default()
            },
        );
        let Some(held) = self.look(base) else { return };
        self.builder.element_store(held, key, place, at);
        self.builder.grow(spot.name, held, shape, at);
    }

    /// Reads a part of a dict with defaults of which nothing is known: what is there, or a new container.
    pub(super) fn part_or_missing(&mut self, subscript: Node<'t>) -> Option<PlaceId> {
        let (base, missing) = self.default_table(subscript)?;
        let Missing::Container(kind) = missing else { return None };
        if self.spot(base).is_some() {
            return None;
        }
        let at = position(subscript);
        let held = self.look(base)?;
        let (_, computed) = self.subscript_key(subscript);
        let made = self.builder.object(Object::Container(kind), at);
        let literal = self.literal(subscript.child_by_field_name("subscript")?);
        let text = self.constant_text(literal).map(|text| self.builder.name(&text));
        let argument = |place, text| Argument {
            kind: ArgumentKind::Positional,
            place,
            text,
            constant: None,
            position: at,
        };
        let arguments = vec![argument(computed, text), argument(Some(made), None)];
        Some(self.builder.implicit_call(held, "setdefault", arguments, at))
    }

    fn default_table(&mut self, subscript: Node<'t>) -> Option<(Node<'t>, Missing)> {
        if self.default_tables.is_empty() {
            return None;
        }
        let base = subscript.child_by_field_name("value")?;
        let is_slice = subscript.child_by_field_name("subscript")?.kind() == "slice";
        let missing = self.default_tables.get(self.text_of(base)).filter(|_| !is_slice)?;
        Some((base, *missing))
    }
}
