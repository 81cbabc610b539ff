//! Annotations as types: `Optional["Order"]`, `list[Order]`, `dict[str, Order]`, `Order | None`.

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::Walker;
use crate::facts::{ContainerKind, TypeExpression, TypeExpressionId};

impl<'t> Walker<'t> {
    /// The type that an annotation means; also the classes of `except` and of bases.
    pub(super) fn annotation(&mut self, node: Node<'t>) -> TypeExpressionId {
        let expression = self.annotation_inside(node).unwrap_or(TypeExpression::Unknown);
        self.builder.type_expression(expression)
    }

    /// A class that another stands on: of `dict[str, Order]`, which dict matters, and what it is of comes behind.
    pub(super) fn base(&mut self, node: Node<'t>) -> TypeExpressionId {
        let head = node.child_by_field_name("value").filter(|_| node.kind() == "subscript");
        let head = head.and_then(|head| self.path_type(head));
        let inside = self.annotation_inside(node).unwrap_or(TypeExpression::Unknown);
        let expression = match (head, inside) {
            (Some(head), TypeExpression::Container { key, element, .. }) => {
                let head = self.builder.type_expression(head);
                TypeExpression::Generic(head, key.into_iter().chain(element).collect())
            }
            (_, inside) => inside,
        };
        self.builder.type_expression(expression)
    }

    fn annotation_inside(&mut self, node: Node<'t>) -> Option<TypeExpression> {
        match node.kind() {
            "type" | "parenthesized_expression" => self.annotation_inside(node.part(0)?),
            "identifier" | "attribute" if self.text_of(node).trim_start_matches("typing.") == "Any" => None,
            "identifier" | "attribute" => self.path_type(node),
            "dotted_name" => Some(TypeExpression::Path {
                parts: children(node).map(|part| self.name_of(part)).collect(),
                function: self.builder.function(),
            }),
            "none" => Some(TypeExpression::Path {
                parts: vec![self.builder.name("None")],
                function: self.builder.function(),
            }),
            "string" => self.quoted(node),
            "binary_operator" => {
                let sides: Vec<_> = children(node).map(|side| self.annotation(side)).collect();
                Some(TypeExpression::Union(sides))
            }
            "union_type" | "tuple" => {
                let sides: Vec<_> = children(node).map(|side| self.annotation(side)).collect();
                Some(TypeExpression::Union(sides))
            }
            "generic_type" => {
                let head = node.part(0)?;
                let parameters = node.part(1)?;
                let arguments: Vec<_> = children(parameters).collect();
                self.generic(head, &arguments)
            }
            "subscript" => {
                let head = node.child_by_field_name("value")?;
                let mut cursor = node.walk();
                let arguments: Vec<_> = node.children_by_field_name("subscript", &mut cursor).collect();
                self.generic(head, &arguments)
            }
            _ => None,
        }
    }

    /// `"Order"`, `"shop.Order"`: a dotted name in quotes. Anything else in quotes is not followed.
    fn quoted(&mut self, node: Node<'t>) -> Option<TypeExpression> {
        let text = self.constant_text(node)?;
        let mut text = text.trim();
        for wrapper in ["Optional[", "typing.Optional["] {
            if let Some(inner) = text.strip_prefix(wrapper).and_then(|rest| rest.strip_suffix(']')) {
                text = inner.trim().trim_matches(['"', '\'']);
            }
        }
        let parts: Vec<&str> = text
            .split('|')
            .map(str::trim)
            .filter(|part| !part.is_empty() && *part != "None")
            .collect();
        let mut paths = Vec::new();
        for part in parts {
            if !part.split('.').all(is_identifier) {
                return None;
            }
            let parts = part.split('.').map(|name| self.builder.name(name)).collect();
            paths.push(TypeExpression::Path {
                parts,
                function: self.builder.function(),
            });
        }
        if paths.len() == 1 {
            return paths.pop();
        }
        let sides = paths
            .into_iter()
            .map(|path| self.builder.type_expression(path))
            .collect();
        Some(TypeExpression::Union(sides))
    }

    fn generic(&mut self, head: Node<'t>, arguments: &[Node<'t>]) -> Option<TypeExpression> {
        let name = self.text_of(head).rsplit('.').next().unwrap_or("");
        let all = |walker: &mut Self| {
            arguments
                .iter()
                .map(|argument| walker.annotation(*argument))
                .collect::<Vec<_>>()
        };
        let container = |kind, key, element| Some(TypeExpression::Container { kind, key, element });
        match name {
            "Optional" | "Union" | "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "Awaitable"
            | "Coroutine" | "Self" => {
                let mut sides = all(self);
                match name {
                    "Annotated" => sides.truncate(1),
                    "Coroutine" => sides = sides.pop().into_iter().collect(),
                    _ => {}
                }
                Some(TypeExpression::Union(sides))
            }
            "list" | "List" | "Sequence" | "MutableSequence" | "Collection" | "deque" => {
                let element = all(self).first().copied();
                container(ContainerKind::List, None, element)
            }
            "Iterable" | "Iterator" | "Generator" | "AsyncIterator" | "AsyncIterable" | "AsyncGenerator" => {
                let element = all(self).first().copied();
                container(ContainerKind::Generator, None, element)
            }
            "set" | "Set" | "frozenset" | "FrozenSet" | "AbstractSet" => {
                let element = all(self).first().copied();
                container(ContainerKind::Set, None, element)
            }
            "dict" | "Dict" | "Mapping" | "MutableMapping" | "defaultdict" | "DefaultDict" | "OrderedDict" => {
                let parts = all(self);
                container(ContainerKind::Map, parts.first().copied(), parts.get(1).copied())
            }
            "tuple" | "Tuple" => {
                let parts = all(self);
                let is_open = arguments.last().is_some_and(|last| self.text_of(*last) == "...");
                if is_open {
                    return container(ContainerKind::Tuple, None, parts.first().copied());
                }
                Some(TypeExpression::Tuple(parts))
            }
            "type" | "Type" => {
                let inner = *all(self).first()?;
                Some(TypeExpression::Class(inner))
            }
            "Callable" => {
                let result = arguments.last().map(|last| self.annotation(*last));
                Some(TypeExpression::Function(result.into_iter().collect()))
            }
            "Literal" => None,
            _ => {
                let path = self.path_type(head)?;
                let head = self.builder.type_expression(path);
                let arguments = all(self);
                Some(TypeExpression::Generic(head, arguments))
            }
        }
    }
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || character == '_')
}
