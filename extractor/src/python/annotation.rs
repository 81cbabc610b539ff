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
            "identifier" => self.bound_of_name(self.text_of(node)).or_else(|| self.path_type(node)),
            "attribute" => self.path_type(node),
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

    fn generic(&mut self, head: Node<'t>, arguments: &[Node<'t>]) -> Option<TypeExpression> {
        let name = self.name_of_generic(self.text_of(head));
        if name == "Literal" {
            return None;
        }
        let is_open = arguments.last().is_some_and(|last| self.text_of(*last) == "...");
        let arguments = arguments.iter().map(|argument| self.annotation(*argument)).collect();
        self.generic_of(&name, arguments, is_open, |walker| walker.path_type(head))
    }

    /// What the library calls a generic type: `Seq` for `from collections.abc import Sequence as Seq`. A class of the file is nobody else's.
    pub(super) fn name_of_generic(&self, written: &str) -> String {
        let last = written.rsplit('.').next().unwrap_or_default();
        if last != written {
            return last.to_owned();
        }
        if self.file_classes.contains_key(written) {
            return String::new();
        }
        let facts = &self.builder.facts;
        let import = facts.imports.iter().find(|import| {
            facts.text(import.alias) == written
                && matches!(
                    facts.text(import.path),
                    "typing" | "typing_extensions" | "collections" | "collections.abc"
                )
        });
        let imported = import.and_then(|import| import.member).map(|member| facts.text(member));
        imported.unwrap_or(written).to_owned()
    }

    /// A generic type, by its name in the language or its library and what it is of; one that has none there is the class that its head names.
    pub(super) fn generic_of(
        &mut self,
        name: &str,
        arguments: Vec<TypeExpressionId>,
        is_open: bool,
        head: impl FnOnce(&mut Self) -> Option<TypeExpression>,
    ) -> Option<TypeExpression> {
        let first = arguments.first().copied();
        let container = |kind, key, element| Some(TypeExpression::Container { kind, key, element });
        match name {
            "Optional" | "Union" | "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "Awaitable"
            | "Coroutine" | "Self" | "Mapped" => {
                let mut sides = arguments;
                match name {
                    "Annotated" => sides.truncate(1),
                    "Coroutine" => sides = sides.pop().into_iter().collect(),
                    _ => {}
                }
                Some(TypeExpression::Union(sides))
            }
            "list" | "List" | "Sequence" | "MutableSequence" | "Collection" | "deque" | "Deque" => {
                container(ContainerKind::List, None, first)
            }
            "Iterable" | "Iterator" | "Generator" | "AsyncIterator" | "AsyncIterable" | "AsyncGenerator" => {
                container(ContainerKind::Generator, None, first)
            }
            "set" | "Set" | "frozenset" | "FrozenSet" | "AbstractSet" | "MutableSet" => {
                container(ContainerKind::Set, None, first)
            }
            "dict" | "Dict" | "Mapping" | "MutableMapping" | "defaultdict" | "DefaultDict" | "OrderedDict" => {
                container(ContainerKind::Map, first, arguments.get(1).copied())
            }
            "tuple" | "Tuple" if is_open => container(ContainerKind::Tuple, None, first),
            "tuple" | "Tuple" => Some(TypeExpression::Tuple(arguments)),
            "type" | "Type" => first.map(TypeExpression::Class),
            "Callable" => Some(TypeExpression::Function {
                parameters: None,
                results: arguments.last().copied().into_iter().collect(),
            }),
            _ => {
                let head = head(self)?;
                Some(TypeExpression::Generic(self.builder.type_expression(head), arguments))
            }
        }
    }
}

pub(super) fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || character == '_')
}
