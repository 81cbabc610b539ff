//! Type variables, and the classes that are generic in them (PEP 484, PEP 695).
//!
//! ```python
//! S = TypeVar("S", bound=Sink)         # what is declared with `S` is a `Sink`
//!
//! class Box(Generic[T]): ...           # so is `class Box[T]`: `Box[Sink]` says what `T` is there
//! def send[U: Sink](sink: U): ...      # `U` is a `Sink` in here
//! ```

use tree_sitter::Node;

use super::Walker;
use crate::facts::{Name, TypeExpression, TypeExpressionId};
use crate::tree::{Parts, children};

/// A type variable that stands in the brackets of a function or class, with what it is bound to.
pub(super) type TypeVariable<'t> = (&'t str, Option<TypeExpressionId>);

impl<'t> Walker<'t> {
    /// Opens what stands in the brackets of a function or class: [`Self::close_type_variables`] takes the number that comes back.
    pub(super) fn open_type_variables(&mut self, definition: Node<'t>) -> usize {
        let before = self.type_variables.len();
        let list = definition.child_by_field_name("type_parameters");
        for variable in list.into_iter().flat_map(children) {
            let variable = variable.part(0).unwrap_or(variable);
            let (name, bound) = match variable.kind() {
                "constrained_type" => (variable.part(0), variable.part(1)),
                _ => (Some(variable), None),
            };
            let bound = bound.map(|bound| self.annotation(bound));
            let name = name.map_or("", |name| self.text_of(name));
            self.type_variables.push((name, bound));
        }
        before
    }

    pub(super) fn close_type_variables(&mut self, before: usize) {
        self.type_variables.truncate(before);
    }

    /// What a name is bound to that stands in brackets around.
    pub(super) fn bound_of_name(&self, name: &str) -> Option<TypeExpression> {
        let variable = self.type_variables.iter().rev().find(|(own, _)| *own == name);
        let (_, bound) = variable?;
        bound.map(|bound| TypeExpression::Union(vec![bound]))
    }

    /// The type that `TypeVar("S", bound=Sink)` is bound to, or those that `TypeVar("S", File, Socket)` may be.
    pub(super) fn bound_of_variable(&mut self, value: Node<'t>) -> Option<TypeExpressionId> {
        let function = value
            .child_by_field_name("function")
            .filter(|_| value.kind() == "call")?;
        if self.name_of_generic(self.text_of(function)) != "TypeVar" {
            return None;
        }
        let given: Vec<_> = children(value.child_by_field_name("arguments")?).skip(1).collect();
        let is_named = |node: &Node<'t>| node.kind() == "keyword_argument";
        let sides: Vec<_> = match self.keyword(value, "bound") {
            Some(bound) => vec![bound],
            None => given.into_iter().filter(|node| !is_named(node)).collect(),
        };
        let sides: Vec<_> = sides.into_iter().map(|side| self.annotation(side)).collect();
        (!sides.is_empty()).then(|| self.builder.type_expression(TypeExpression::Union(sides)))
    }

    /// The variables that a class is generic in, in order.
    pub(super) fn class_parameters(&mut self, definition: Node<'t>, opened: usize) -> Vec<Name> {
        let own: Vec<&str> = self.type_variables[opened..].iter().map(|(name, _)| *name).collect();
        if !own.is_empty() {
            return own.into_iter().map(|name| self.builder.name(name)).collect();
        }
        let bases = definition.child_by_field_name("superclasses");
        for base in bases.into_iter().flat_map(children) {
            let head = base.child_by_field_name("value").filter(|_| base.kind() == "subscript");
            let is_generic = head.is_some_and(|head| {
                matches!(
                    self.name_of_generic(self.text_of(head)).as_str(),
                    "Generic" | "Protocol"
                )
            });
            if is_generic {
                let mut cursor = base.walk();
                let names: Vec<_> = base.children_by_field_name("subscript", &mut cursor).collect();
                return names.into_iter().map(|name| self.name_of(name)).collect();
            }
        }
        Vec::new()
    }
}
