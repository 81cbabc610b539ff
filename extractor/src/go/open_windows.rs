//! Slices that are cut out of others from a place on that only the running program knows: what is put into one is put into the other.
//!
//! ```go
//! rest := list[n:]
//! rest[0] = secret             // some part of `list`
//! copy(list[n:], others)       // and so are all of these
//! fill(list[n:], secret)       // whoever is handed one may write into it
//! ```
//!
//! Where it is cut out is not known, so that it becomes a part under an unknown key. What is only read needs none of this.

use tree_sitter::Node;

use super::Walker;
use crate::facts::{Argument, ContainerKind, ElementKey, FunctionId, Name, PlaceId, Position, TypeExpression};

/// Most slices that are cut out of each other.
const DEPTH_LIMIT: usize = 4;

/// Packages whose functions only look at the parts that they are handed.
const LOOKING: &[&str] = &[
    "bytes", "errors", "filepath", "fmt", "log", "path", "slog", "strconv", "strings",
];

/// What is cut out of what.
#[derive(Debug, Default)]
pub(super) struct OpenWindows {
    values: rustc_hash::FxHashMap<PlaceId, PlaceId>,
    variables: rustc_hash::FxHashMap<(FunctionId, Name), PlaceId>,
}

impl<'t> Walker<'t> {
    pub(super) fn note_open_window(&mut self, window: PlaceId, whole: PlaceId) {
        self.open_windows.values.insert(window, whole);
    }

    /// A variable holds one.
    pub(super) fn hold_open_window(&mut self, name: Name, value: Option<PlaceId>) {
        if let Some(whole) = value.and_then(|value| self.open_windows.values.get(&value).copied()) {
            let function = self.builder.function();
            self.open_windows.variables.insert((function, name), whole);
        }
    }

    /// What a value is cut out of, the nearest first; none of most values.
    fn wholes_of(&mut self, node: Node<'t>, value: PlaceId) -> Vec<PlaceId> {
        let mut wholes = Vec::new();
        let named = (node.kind() == "identifier").then(|| (self.builder.function(), self.name_of(node)));
        let held = named.and_then(|named| self.open_windows.variables.get(&named).copied());
        let mut open = self.open_windows.values.get(&value).copied().or(held);
        while let Some(whole) = open.filter(|_| wholes.len() < DEPTH_LIMIT) {
            wholes.push(whole);
            open = self.open_windows.values.get(&whole).copied();
        }
        wholes
    }

    /// `rest[i] = value`.
    pub(super) fn store_in_wholes(&mut self, operand: Node<'t>, base: PlaceId, value: Option<PlaceId>, at: Position) {
        for whole in self.wholes_of(operand, base) {
            self.builder.element_store(whole, ElementKey::Any, value, at);
        }
    }

    /// `copy(rest, from)`.
    pub(super) fn copy_in_wholes(&mut self, (node, to): (Node<'t>, PlaceId), from: PlaceId, at: Position) {
        for whole in self.wholes_of(node, to) {
            self.put_somewhere(from, whole, at);
        }
    }

    /// `fill(list[n:], …)`: what is cut out of variables that are known to be slices, each with what it is cut out of.
    pub(super) fn cut_out_arguments(
        &mut self,
        function: Node<'t>,
        given: &[Node<'t>],
        arguments: &[Argument],
    ) -> Vec<(PlaceId, PlaceId)> {
        let package = function
            .child_by_field_name("operand")
            .map(|operand| self.text_of(operand));
        if package.is_some_and(|package| LOOKING.contains(&package)) {
            return Vec::new();
        }
        let mut cut_out = Vec::new();
        for (node, argument) in given.iter().zip(arguments) {
            let operand = node
                .child_by_field_name("operand")
                .filter(|operand| node.kind() == "slice_expression" && operand.kind() == "identifier");
            let is_slice = operand.is_some_and(|operand| self.is_slice(operand));
            if let (Some(window), true) = (argument.place, is_slice) {
                let wholes = self.wholes_of(*node, window).into_iter();
                cut_out.extend(wholes.map(|whole| (window, whole)));
            }
        }
        cut_out
    }

    /// Whoever was handed them may have written into them.
    pub(super) fn written_by_callee(&mut self, cut_out: Vec<(PlaceId, PlaceId)>, at: Position) {
        for (window, whole) in cut_out {
            self.put_somewhere(window, whole, at);
        }
    }

    /// Whether a variable is declared as a slice, or made as one.
    fn is_slice(&mut self, variable: Node<'t>) -> bool {
        let name = self.name_of(variable);
        let declared = self.variable_types.get(&name).map(|declared| declared.0 as usize);
        let declared = declared.and_then(|declared| self.builder.facts.type_expressions.get(declared));
        let kind = ContainerKind::List;
        matches!(declared, Some(TypeExpression::Container { kind: own, .. }) if *own == kind)
            || self
                .static_type(variable, 0)
                .is_some_and(|known| known.starts_with("[]"))
    }

    /// The parts of one are parts of the other, nobody knows which.
    pub(super) fn put_somewhere(&mut self, from: PlaceId, to: PlaceId, at: Position) {
        let part = self.builder.element_load(from, ElementKey::Any, at);
        self.builder.element_store(to, ElementKey::Any, Some(part), at);
        self.builder.copy_parts(from, to, i32::MIN, Vec::new(), at);
    }
}
