//! Functions that the class of their first argument chooses.
//!
//! ```python
//! @singledispatch
//! def show(value): ...
//! @show.register
//! def show_text(value: str): ...     # `show("a")` calls this one, `show(x)` any of them
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::by_name::REGISTERED;
use crate::facts::{FunctionId, Name, Object, PlaceId};

/// Classes of the language of which none is below another, but for `bool`, which is below `int`.
const PLAIN: [&str; 9] = ["str", "int", "float", "list", "dict", "tuple", "set", "bool", "None"];

/// Whether no value of a class of the language is one of another class.
fn is_apart(registered: &str, class: &str) -> bool {
    PLAIN.contains(&registered) && (registered, class) != ("int", "bool")
}

/// What is registered with such a function: the class by its name, and the function.
#[derive(Debug)]
pub(super) struct Dispatcher {
    place: PlaceId,
    /// The function for what nothing is registered for.
    base: FunctionId,
    registered: Vec<(String, FunctionId)>,
}

impl<'t> Walker<'t> {
    /// Notes that a function is one of these, or is registered with one.
    pub(super) fn note_dispatch(
        &mut self,
        decorators: &[Node<'t>],
        (name, place): (Name, PlaceId),
        (function, parameters): (FunctionId, Option<Node<'t>>),
    ) {
        for decorator in decorators {
            let decorator = *decorator;
            let text = self.text_of(decorator);
            if let Some("singledispatch" | "singledispatchmethod") = text.rsplit('.').next() {
                let registered = Vec::new();
                let dispatcher = Dispatcher {
                    place,
                    base: function,
                    registered,
                };
                self.dispatchers.insert(name, dispatcher);
                // Other files register more with it.
                let at = position(decorator);
                let (base, member) = (
                    self.builder.object(Object::Function(function), at),
                    self.builder.name(REGISTERED),
                );
                let others = self.builder.load(base, member, at);
                self.flow_into(Some(others), place, at);
                continue;
            }
            let (of, class) = match decorator.kind() {
                "call" => (
                    decorator.child_by_field_name("function"),
                    decorator
                        .child_by_field_name("arguments")
                        .and_then(|given| given.part(0)),
                ),
                _ => (
                    Some(decorator),
                    parameters
                        .and_then(|parameters| parameters.part(0))
                        .and_then(|first| first.child_by_field_name("type")),
                ),
            };
            let class = class.map_or("", |class| self.text_of(class)).to_owned();
            let of = of.filter(|of| self.text_of(*of).ends_with(".register"));
            let Some(of) = of.and_then(|of| of.child_by_field_name("object")) else {
                continue;
            };
            let known = self.builder.name(self.text_of(of));
            if let Some(dispatcher) = self.dispatchers.get_mut(&known) {
                dispatcher.registered.push((class, function));
            }
            self.register_with(of, place, decorator);
        }
    }

    /// `show.register(str, show_text)`.
    pub(super) fn note_registered(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) {
        let given: Vec<Node<'t>> = arguments.into_iter().flat_map(children).collect();
        let is_it = self.text_of(function).ends_with(".register");
        let ([_, registered], true) = (given.as_slice(), is_it) else {
            return;
        };
        if let Some(of) = function.child_by_field_name("object")
            && matches!(registered.kind(), "identifier" | "attribute" | "lambda")
            && let Some(place) = self.look(*registered)
        {
            self.register_with(of, place, function);
        }
    }

    /// What is called where `of` is called, from here on: a function of this file, or of another one.
    fn register_with(&mut self, of: Node<'t>, place: PlaceId, node: Node<'t>) {
        let (name, at) = (self.builder.name(self.text_of(of)), position(node));
        if let Some(dispatcher) = self.dispatchers.get(&name) {
            let to = dispatcher.place;
            return self.flow_into(Some(place), to, at);
        }
        // What has that name is a function of another file.
        let text = self.text_of(of);
        let root = text.split('.').next().unwrap_or(text);
        let mut imports = self.builder.facts.imports.iter();
        let is_imported = imports.any(|import| self.builder.facts.text(import.alias) == root);
        if !is_imported
            || !text
                .chars()
                .all(|part| part.is_alphanumeric() || matches!(part, '_' | '.'))
        {
            return;
        }
        let Some(base) = self.look(of) else { return };
        let member = self.builder.name(REGISTERED);
        self.builder.store(base, member, Some(place), at);
        if let Some(store) = self.builder.facts.stores.last_mut() {
            store.implicit = true;
        }
    }

    /// The function that the first argument of a call chooses, where its class is plain to see.
    pub(super) fn dispatched(&mut self, function: Node<'t>, arguments: Option<Node<'t>>) -> Option<PlaceId> {
        if self.dispatchers.is_empty() || function.kind() != "identifier" {
            return None;
        }
        let name = self.name_of(function);
        if self.builder.is_own_variable(name) && !self.builder.at_file_level() {
            return None;
        }
        let dispatcher = self.dispatchers.get(&name)?;
        let first = children(arguments?).next()?;
        let class = match first.kind() {
            "string" | "concatenated_string" => "str",
            "integer" => "int",
            "float" => "float",
            "list" => "list",
            "dictionary" => "dict",
            "tuple" => "tuple",
            "set" => "set",
            "true" | "false" => "bool",
            "none" => "None",
            "call" => self.text_of(first.child_by_field_name("function")?),
            _ => return None,
        };
        let mut registered = dispatcher.registered.iter().rev();
        let chosen = match registered.find(|(own, _)| own == class) {
            Some((_, function)) => *function,
            // Nothing else that is registered can be what a value of the language is.
            None => {
                let is_other = |own: &str| is_apart(own, class) || self.file_classes.contains_key(own);
                let mut registered = dispatcher.registered.iter();
                let is_left = PLAIN.contains(&class) && registered.all(|(own, _)| is_other(own));
                is_left.then_some(dispatcher.base)?
            }
        };
        Some(self.builder.object(Object::Function(chosen), position(function)))
    }
}
