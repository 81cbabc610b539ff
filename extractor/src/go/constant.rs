//! Constants as keys: `const ( None Kind = iota; Some )` makes `names[Some]` the part at position 1.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::Walker;
use super::expression::is_basic_type;
use crate::facts::{Constant, ElementKey, Name, PlaceId};
use crate::sql::may_be_statement;

/// How far a constant expression is followed.
const DEPTH_LIMIT: u8 = 20;

/// The longest text that is put together from others.
const TEXT_LIMIT: usize = 200;

impl<'t> Walker<'t> {
    /// Constants of the file that stand for a text or a number.
    pub(super) fn note_file_constants(&mut self, declaration: Node<'t>) {
        let mut last = Vec::new();
        let specs = children(declaration).filter(|spec| spec.kind() == "const_spec");
        for (iota, spec) in specs.enumerate() {
            let mut cursor = spec.walk();
            let names: Vec<_> = spec
                .children_by_field_name("name", &mut cursor)
                .filter(Node::is_named)
                .collect();
            if let Some(values) = spec.child_by_field_name("value") {
                last = children(values).collect();
            }
            for (name, value) in names.into_iter().zip(last.iter().copied()) {
                let own = self.name_of(name);
                self.note_truth(own, value);
                if let Some(key) = self.constant_value(value, iota) {
                    let name = self.name_of(name);
                    self.file_constants.insert(name, key);
                    self.statement_given(value);
                }
            }
        }
    }

    /// A constant of this function.
    pub(super) fn note_constant(&mut self, place: PlaceId, value: Node<'t>, iota: usize) {
        if let Some(key) = self.constant_value(value, iota) {
            self.constants.insert(place, key);
        }
    }

    /// Types of the file, which constants may be converted to.
    pub(super) fn note_types(&mut self, declaration: Node<'t>) {
        for spec in children(declaration) {
            if let Some(name) = spec.child_by_field_name("name") {
                let name = self.name_of(name);
                self.file_types.insert(name);
                let named = spec.child_by_field_name("type");
                let Some(named) = named.filter(|_| spec.kind() == "type_spec") else {
                    continue;
                };
                let text = self.text_of(named);
                let is_basic = is_basic_type(text) && text != "error";
                if is_basic {
                    self.file_numbers.insert(name);
                }
                if is_basic || named.kind() == "struct_type" {
                    self.file_concrete.insert(name);
                }
            }
        }
    }

    /// `Kind(1)` is the same key as `1`.
    pub(super) fn converted_constant(&mut self, call: Node<'t>) -> Option<ElementKey> {
        let function = call.child_by_field_name("function")?;
        let arguments = call.child_by_field_name("arguments")?;
        if function.kind() != "identifier" || arguments.part_count() != 1 {
            return None;
        }
        let name = self.name_of(function);
        let is_type = self.file_types.contains(&name) || is_basic_type(self.text_of(function));
        if !is_type || self.builder.is_bound(name) {
            return None;
        }
        self.constant_key(arguments.part(0)?)
    }

    /// `prefix + "name"` of two constant texts.
    pub(super) fn joined_constant(&mut self, sum: Node<'t>) -> Option<ElementKey> {
        if sum.child_by_field_name("operator")?.kind() != "+" {
            return None;
        }
        let text = |walker: &mut Self, side| match walker.constant_key(sum.child_by_field_name(side)?)? {
            ElementKey::Text(text) => Some(walker.builder.facts.text(text).to_owned()),
            _ => None,
        };
        let joined = text(self, "left")? + &text(self, "right")?;
        let is_kept = joined.len() <= TEXT_LIMIT || may_be_statement(&joined);
        is_kept.then(|| ElementKey::Text(self.builder.name(&joined)))
    }

    /// Notes what is put together of a constant text and a value.
    pub(super) fn note_composed(
        &mut self,
        sum: Node<'t>,
        made: PlaceId,
        (left, right): (Option<PlaceId>, Option<PlaceId>),
    ) {
        let [first, second] = ["left", "right"].map(|side| {
            let key = sum.child_by_field_name(side).and_then(|side| self.constant_key(side))?;
            match key {
                ElementKey::Text(text) => Some(self.builder.facts.text(text).to_owned()),
                _ => None,
            }
        });
        match (first, second, left, right) {
            (Some(before), None, _, Some(value)) => self.builder.note_composed(made, (&before, value, "")),
            (None, Some(behind), Some(value), _) => self.builder.note_composed(made, ("", value, &behind)),
            _ => {}
        }
    }

    /// The position that a variable of this function certainly holds.
    pub(super) fn known_position(&mut self, name: Name) -> Option<ElementKey> {
        match self.certain(name)? {
            Constant::Number(number) => u32::try_from(number).ok().map(ElementKey::Index),
            _ => None,
        }
    }

    /// The text that a variable of this function certainly holds, where something is looked up under it.
    pub(super) fn known_text(&mut self, index: Node<'t>) -> Option<ElementKey> {
        let name = Some(index)
            .filter(|index| index.kind() == "identifier")
            .map(|index| self.name_of(index))?;
        match self.certain(name)? {
            Constant::Text(text) => Some(ElementKey::Text(text)),
            _ => None,
        }
    }

    /// What a variable of this function certainly holds, if that is a constant.
    fn certain(&self, name: Name) -> Option<Constant> {
        let held = self.builder.only_definition(name)?;
        let is_own = self.builder.is_own_variable(name) && !self.addressed.contains(&name);
        self.known.get(&held).copied().filter(|_| is_own)
    }

    /// `row[i+1]`, where `i` is one number here.
    pub(super) fn computed_position(&mut self, sum: Node<'t>) -> Option<ElementKey> {
        let number = match self.constant(sum) {
            Some(Constant::Number(number)) => Some(i64::from(number)),
            Some(_) => None,
            None => self.number(sum, None, 0),
        };
        u32::try_from(number?).ok().map(ElementKey::Index)
    }

    /// How far from its end `list[len(list)-1]` looks into a list.
    pub(super) fn position_from_end(&mut self, list: Option<Node<'t>>, index: Option<Node<'t>>) -> Option<u32> {
        self.before_end(list?, index?).filter(|back| *back > 0)
    }

    fn constant_value(&mut self, value: Node<'t>, iota: usize) -> Option<ElementKey> {
        match self.constant_key(value) {
            Some(key) => Some(key),
            None => {
                let number = self.number(value, Some(iota as i64), 0)?;
                u32::try_from(number).ok().map(ElementKey::Index)
            }
        }
    }

    /// What a constant expression of whole numbers comes to.
    pub(super) fn number(&mut self, node: Node<'t>, iota: Option<i64>, depth: u8) -> Option<i64> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match node.kind() {
            "iota" => iota,
            "int_literal" => self.text_of(node).parse().ok(),
            "parenthesized_expression" => self.number(node.part(0)?, iota, depth + 1),
            "binary_expression" => {
                let left = self.number(node.child_by_field_name("left")?, iota, depth + 1)?;
                let right = self.number(node.child_by_field_name("right")?, iota, depth + 1)?;
                match node.child_by_field_name("operator")?.kind() {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "&" => Some(left & right),
                    "|" => Some(left | right),
                    "&^" => Some(left & !right),
                    "<<" => u32::try_from(right).ok().and_then(|right| left.checked_shl(right)),
                    _ => None,
                }
            }
            "identifier" => match self.constant_key(node) {
                Some(ElementKey::Index(number)) => Some(i64::from(number)),
                _ => None,
            },
            _ => None,
        }
    }
}
