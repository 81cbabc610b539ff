//! What fields and parameters are called in requests and messages, where that is not what they are called in the source.
//!
//! ```python
//! class Loan(BaseModel):
//!     model_config = ConfigDict(alias_generator=to_camel)     # all fields: `net_income` comes as `netIncome`
//!     job: str = Field(validation_alias=AliasChoices("job", "profession"))
//! def tenant(x_tenant: Annotated[str, Header()]): ...         # comes as `X-Tenant`
//! Tenant = Annotated[str, Depends(tenant)]                    # whoever has a parameter of this is given what `tenant` gives
//! ```

use crate::tree::children;
use ripple_schema::How;
use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{MARKERS, Name, Naming, PlaceId};

/// How deep choices of aliases nest.
const DEPTH_LIMIT: u8 = 4;

/// Packages whose frameworks look at annotations.
const FRAMEWORKS: &[&str] = &["fastapi", "ninja", "fast_depends", "faststream"];

impl<'t> Walker<'t> {
    /// How a class says that its fields are called.
    pub(super) fn naming_of_class(&self, class: Node<'t>, decorators: &[Node<'t>]) -> Option<Naming> {
        let body = class.child_by_field_name("body")?;
        let bases = class.child_by_field_name("superclasses");
        // `class Loan(Struct, rename="camel")`, `@dataclass_json(letter_case=LetterCase.CAMEL)`
        let renamed = bases.and_then(|bases| self.keyword_in(bases, "rename"));
        let mut decorators = decorators.iter();
        let lettered = || decorators.find_map(|decorator| self.keyword(*decorator, "letter_case"));
        let said = renamed
            .or_else(lettered)
            .or_else(|| children(body).find_map(|line| self.generator_in(line)));
        naming(self.text_of(said?))
    }

    /// `alias_generator` in the configuration that a class body says: `model_config = …`, or `class Config`.
    fn generator_in(&self, line: Node<'t>) -> Option<Node<'t>> {
        if line.kind() == "class_definition" {
            return self.configured(line, "Config", &["alias_generator"]);
        }
        let (left, right) = assignment(line)?;
        if self.text_of(left) != "model_config" {
            return None;
        }
        match right.kind() {
            "call" => self.keyword(right, "alias_generator"),
            "dictionary" => children(right).find_map(|pair| {
                let key = pair.child_by_field_name("key")?;
                let is_generator = self.text_of(key).trim_matches(['"', '\'']) == "alias_generator";
                pair.child_by_field_name("value").filter(|_| is_generator)
            }),
            _ => None,
        }
    }

    /// What the class of this name that a line of a class body defines sets one of these to: `class Config: alias_generator = to_camel`.
    pub(super) fn configured(&self, line: Node<'t>, class: &str, names: &[&str]) -> Option<Node<'t>> {
        let name = line.child_by_field_name("name").map_or("", |name| self.text_of(name));
        let body = line.child_by_field_name("body").filter(|_| name == class)?;
        children(body).find_map(|line| {
            let (left, right) = assignment(line)?;
            names.contains(&self.text_of(left)).then_some(right)
        })
    }

    pub(super) fn keyword_in(&self, arguments: Node<'t>, name: &str) -> Option<Node<'t>> {
        let mut given = children(arguments).filter(|argument| argument.kind() == "keyword_argument");
        let is_it =
            |argument: &Node<'t>| argument.child_by_field_name("name").map(|name| self.text_of(name)) == Some(name);
        given.find(is_it)?.child_by_field_name("value")
    }

    /// The names that an alias says: one text, or those of `AliasChoices`; of `AliasPath` the first, which lies outermost.
    pub(super) fn aliases(&mut self, value: Node<'t>) -> Vec<String> {
        self.aliases_at(value, 0)
    }

    fn aliases_at(&mut self, value: Node<'t>, depth: u8) -> Vec<String> {
        if depth > DEPTH_LIMIT {
            return Vec::new();
        }
        let called = value.child_by_field_name("function").filter(|_| value.kind() == "call");
        let last = called.map_or("", |called| self.text_of(called).rsplit('.').next().unwrap_or_default());
        let given = value.child_by_field_name("arguments");
        let given: Vec<_> = given.into_iter().flat_map(children).collect();
        match last {
            "AliasChoices" => given
                .into_iter()
                .flat_map(|choice| self.aliases_at(choice, depth + 1))
                .collect(),
            "AliasPath" => given
                .into_iter()
                .take(1)
                .flat_map(|first| self.aliases_at(first, depth + 1))
                .collect(),
            _ => self.constant_text(value).into_iter().collect(),
        }
    }

    /// `Query(…)` in `Annotated[int, Query(…)]`.
    pub(super) fn marker_in(&self, annotation: Node<'t>) -> Option<Node<'t>> {
        self.annotated_with(annotation, is_marker)
    }

    /// The call of such a function in `Annotated[…]`.
    pub(super) fn annotated_with(&self, annotation: Node<'t>, is_meant: fn(&str) -> bool) -> Option<Node<'t>> {
        let head = annotation
            .child_by_field_name("value")
            .or_else(|| annotation.child(0))?;
        let parts = match annotation.kind() {
            "type" => return self.annotated_with(annotation.named_child(0)?, is_meant),
            "subscript" => annotation,
            "generic_type" => annotation.named_child(1)?,
            _ => return None,
        };
        let is_annotated = self.text_of(head).rsplit('.').next() == Some("Annotated");
        let inner = |part: Node<'t>| match part.kind() {
            "type" => part.named_child(0).unwrap_or(part),
            _ => part,
        };
        let mut parts = children(parts).map(inner).filter(|_| is_annotated);
        parts.find(|part| self.is_call_of(*part, is_meant))
    }

    fn is_marker(&self, value: Node<'t>) -> bool {
        self.is_call_of(value, is_marker)
    }

    fn is_call_of(&self, value: Node<'t>, is_meant: fn(&str) -> bool) -> bool {
        let called = value.child_by_field_name("function").filter(|_| value.kind() == "call");
        let last = called.map(|called| self.text_of(called).rsplit('.').next().unwrap_or_default());
        last.is_some_and(is_meant)
    }

    /// What an annotation says beside the type, as a value.
    pub(super) fn marked(&mut self, parameter: Node<'t>) -> Option<PlaceId> {
        let marker = parameter
            .child_by_field_name("type")
            .and_then(|annotation| self.marker_in(annotation))?;
        self.expression(marker)
    }

    /// What an annotation says fills the parameter; a name may say so elsewhere.
    pub(super) fn mark(&mut self, marked: Option<PlaceId>, parameter: Node<'t>, place: PlaceId) {
        let at = position(parameter);
        self.builder.flow(marked, place, How::Default, at);
        let Some(annotation) = parameter.child_by_field_name("type") else {
            return;
        };
        let name = annotation.named_child(0).filter(|inner| inner.kind() == "identifier");
        if let (Some(name), None, true) = (name, marked, self.has_framework()) {
            let named = self.name_of(name);
            let from = self.builder.use_name(named, position(name));
            self.builder.facts.annotated.push((from, place, at));
        }
    }

    fn has_framework(&self) -> bool {
        let facts = &self.builder.facts;
        let mut paths = facts.imports.iter().map(|import| facts.text(import.path));
        paths.any(|path| FRAMEWORKS.contains(&path.split('.').next().unwrap_or_default()))
    }

    /// What a parameter is called in a request, as its default or its annotation says; the empty name, if something else of the program gives it.
    pub(super) fn name_in_request(&mut self, parameter: Node<'t>, name: Node<'t>) -> Option<Name> {
        let default = parameter
            .child_by_field_name("value")
            .filter(|value| self.is_marker(*value));
        let marked = || self.marker_in(parameter.child_by_field_name("type")?);
        let marker = default.or_else(marked)?;
        let alias = ["alias", "validation_alias"]
            .into_iter()
            .find_map(|word| self.keyword(marker, word));
        if let Some(alias) = alias.and_then(|alias| self.constant_text(alias)) {
            return Some(self.builder.name(&alias));
        }
        let called = marker
            .child_by_field_name("function")
            .map_or("", |called| self.text_of(called));
        let called = called.rsplit('.').next().unwrap_or_default();
        if matches!(called, "Depends" | "Security") {
            return Some(Name(0));
        }
        let keeps = self
            .keyword(marker, "convert_underscores")
            .is_some_and(|value| self.text_of(value) == "False");
        let text = self.text_of(name);
        // As whoever sends it writes it: names of headers are the same in any case.
        (called == "Header" && !keeps).then(|| self.builder.name(&Naming::Header.of(text)))
    }
}

/// Whether a function of a framework says where in a request a parameter is.
fn is_marker(function: &str) -> bool {
    MARKERS.contains(&function)
}

pub(super) fn assignment(line: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let line = line.named_child(0).filter(|_| line.kind() == "expression_statement")?;
    Some((line.child_by_field_name("left")?, line.child_by_field_name("right")?))
}

/// The naming that an expression stands for, by the words in it: `to_camel`, `AliasGenerator(validation_alias=to_camel)`, `LetterCase.KEBAB`, and of
/// one's own `lambda name: name.upper()`.
fn naming(text: &str) -> Option<Naming> {
    let text = text.to_lowercase();
    let words: [(&[&str], Naming); 4] = [
        (&["camel"], Naming::Camel),
        (&["pascal"], Naming::Pascal),
        (
            &["kebab", "hyphen", "dash", "replace(\"_\", \"-\")", "replace('_', '-')"],
            Naming::Kebab,
        ),
        (&["upper"], Naming::Upper),
    ];
    let found = words
        .into_iter()
        .find(|(words, _)| words.iter().any(|word| text.contains(word)));
    found.map(|(_, naming)| naming)
}
