//! Fields: what class bodies and methods say of them, and classes that are made by a call.
//!
//! ```python
//! @dataclass
//! class User:
//!     table: ClassVar[str] = "users"              # no argument of the constructor
//!     mail: str = field(alias="email")            # outside it is called `email`
//! Point = namedtuple("Point", "east north")       # a class with two fields
//! ```

use crate::tree::{Parts, children};
use tree_sitter::Node;

use super::definition::binding_of;
use super::{Walker, position};
use crate::facts::{
    Field, FieldKind, Given, MemberBinding, MemberValue, Name, Object, Type, TypeExpression, TypeExpressionId, TypeId,
    TypeKind,
};

impl<'t> Walker<'t> {
    /// A class attribute (`x = …` in a class body) or an instance attribute (`self.x = …` in a method) is a field.
    pub(super) fn note_field(&mut self, target: Node<'t>, declared: Option<TypeExpressionId>) {
        let (class, member, kind) = match target.kind() {
            "identifier" => {
                let Some(class) = self.class_around() else {
                    return;
                };
                (class.id, target, FieldKind::ClassAttribute)
            }
            "attribute" => {
                let (Some(object), Some(member)) = (
                    target.child_by_field_name("object"),
                    target.child_by_field_name("attribute"),
                ) else {
                    return;
                };
                let Some(class) = self.receiver_class(object) else {
                    return;
                };
                (class, member, FieldKind::Attribute)
            }
            _ => return,
        };
        let name = self.name_of(member);
        let at = position(member);
        let is_always_set = self.is_always_set(target, kind);
        let fields = &mut self.builder.facts.types[class.0 as usize].fields;
        match fields.iter_mut().find(|field| field.name == name) {
            Some(field) => {
                field.declared = field.declared.or(declared);
                field.is_always_set |= is_always_set;
            }
            None => {
                let mut field = new_field(name, kind, declared);
                field.is_always_set = is_always_set;
                field.position = at;
                fields.push(field);
            }
        }
    }

    /// Whether an assignment stands in a class body or a constructor, in no branch.
    fn is_always_set(&self, target: Node<'t>, kind: FieldKind) -> bool {
        let assignment = target.parent().filter(|around| around.kind() == "assignment");
        let is_value = assignment.is_some_and(|assignment| assignment.child_by_field_name("right").is_some());
        let statement = assignment.and_then(|assignment| assignment.parent());
        let body = statement.and_then(|statement| statement.parent());
        let Some(around) = body.and_then(|body| body.parent()).filter(|_| is_value) else {
            return false;
        };
        let name = around.child_by_field_name("name").map_or("", |name| self.text_of(name));
        let is_made_here = match kind {
            FieldKind::ClassAttribute => around.kind() == "class_definition",
            _ => around.kind() == "function_definition" && name == "__init__",
        };
        // What is taken away may be missing.
        is_made_here && !self.text.contains("del ") && !self.text.contains("delattr(")
    }

    /// `property(read, write, take_away)`, `property(fget=read, fset=write)`: what writes, and what takes away.
    fn writers_given(&mut self, made: Node<'t>) -> [Option<Name>; 2] {
        [("fset", 1), ("fdel", 2)].map(|(name, position)| {
            let by_position = || children(made.child_by_field_name("arguments")?).nth(position);
            let writer = self.keyword(made, name).or_else(by_position);
            let writer = writer.filter(|writer| writer.kind() == "identifier")?;
            Some(self.name_of(writer))
        })
    }

    /// What a class body says of a field besides its type.
    pub(super) fn note_field_details(&mut self, left: Node<'t>, annotation: Option<Node<'t>>, right: Option<Node<'t>>) {
        let in_class = self.class_around();
        let Some((id, after_marker)) = in_class.map(|class| (class.id, class.keyword_only)) else {
            return;
        };
        if left.kind() != "identifier" {
            return;
        }
        if self.text_of(left) == "__match_args__" {
            let texts: Vec<String> = right
                .into_iter()
                .flat_map(children)
                .filter_map(|item| self.constant_text(item))
                .collect();
            let names = texts.iter().map(|text| self.builder.name(text)).collect();
            self.builder.facts.types[id.0 as usize].match_args = names;
            return;
        }
        if self.text_of(left) == "fields" {
            let listed = right.map_or_else(Vec::new, |right| self.names_listed(right));
            self.builder.facts.types[id.0 as usize].listed = listed;
        }
        let made = right.and_then(|right| right.child_by_field_name("function"));
        if let Some(binding) = made.and_then(|function| binding_of(self.text_of(function))) {
            let name = self.name_of(left);
            let writers = right.map_or([None; 2], |made| self.writers_given(made));
            self.builder.facts.member_bindings.push(MemberBinding {
                owner: id,
                name,
                binding,
                writers,
            });
        }
        let declared = annotation.map_or("", |annotation| self.text_of(annotation));
        let declared = declared
            .rsplit_once('.')
            .map_or(declared, |(first, last)| match first.contains('[') {
                true => declared,
                false => last,
            });
        let mut given = if after_marker { Given::ByKeyword } else { Given::Normal };
        if declared == "KW_ONLY" {
            if let Some(class) = self.classes.last_mut() {
                class.keyword_only = true;
            }
            given = Given::Not;
        } else if declared.starts_with("ClassVar") {
            given = Given::Not;
        } else if declared
            .split('[')
            .next()
            .is_some_and(|marker| marker.ends_with("InitVar"))
        {
            given = Given::Handed;
        }
        let (mut keys, mut is_hidden) = (Vec::new(), false);
        // `Annotated[str, Field(alias="x")]` says the same as a value.
        let marker = annotation.and_then(|annotation| self.annotated_with(annotation, is_field));
        for argument in right
            .into_iter()
            .chain(marker)
            .flat_map(|call| self.field_arguments(call))
            .collect::<Vec<_>>()
        {
            let (Some(name), Some(value)) = (
                argument.child_by_field_name("name"),
                argument.child_by_field_name("value"),
            ) else {
                continue;
            };
            match (self.text_of(name), self.text_of(value)) {
                ("init", "False") => given = Given::Not,
                ("repr", "False") => is_hidden = true,
                ("kw_only", "True") => given = Given::ByKeyword,
                ("alias" | "serialization_alias" | "validation_alias" | "data_key", _) => {
                    let named = self.aliases(value).into_iter().map(|text| self.builder.name(&text));
                    let named: Vec<Name> = named.collect();
                    keys.extend(named.into_iter().filter(|key| !keys.contains(key)).collect::<Vec<_>>());
                }
                _ => {}
            }
        }
        let name = self.name_of(left);
        let column = right.and_then(|right| self.column_named(right));
        let fields = &mut self.builder.facts.types[id.0 as usize].fields;
        if let Some(field) = fields.iter_mut().find(|field| field.name == name) {
            field.columns.extend(column);
            field.given = given;
            field.is_hidden = is_hidden;
            field.keys.extend(keys);
        }
    }

    /// The keyword arguments of `field(…)`, `Field(…)`, `attr.ib(…)`.
    fn field_arguments(&self, call: Node<'t>) -> Vec<Node<'t>> {
        let function = call
            .child_by_field_name("function")
            .map_or("", |function| self.text_of(function));
        let last = function.rsplit('.').next().unwrap_or("");
        if call.kind() != "call" || !is_field(last) {
            return Vec::new();
        }
        let arguments = call.child_by_field_name("arguments");
        let arguments = arguments.into_iter().flat_map(children);
        arguments
            .filter(|argument| argument.kind() == "keyword_argument")
            .collect()
    }

    /// `Point = namedtuple("Point", ["east", "north"])`: whether it is one, and then it is bound.
    pub(super) fn named_tuple_assignment(&mut self, left: Node<'t>, right: Node<'t>) -> bool {
        if left.kind() != "identifier" {
            return false;
        }
        let name = self.name_of(left);
        let Some(id) = self.named_tuple(right, name).or_else(|| self.made_class(right, name)) else {
            return false;
        };
        self.expression(right);
        self.bind_decorated(name, position(left), Object::Class(id), &[]);
        true
    }

    /// The class that `type("Made", (Base,), {"go": send})` makes.
    fn made_class(&mut self, call: Node<'t>, name: Name) -> Option<TypeId> {
        let function = call.child_by_field_name("function").filter(|_| call.kind() == "call")?;
        let arguments: Vec<_> = children(call.child_by_field_name("arguments")?).collect();
        let [_, bases, members] = arguments.as_slice() else {
            return None;
        };
        let known = self.builder.name("type");
        let is_type = self.text_of(function) == "type" && !self.builder.is_bound(known);
        if !is_type || bases.kind() != "tuple" || members.kind() != "dictionary" {
            return None;
        }
        let bases = children(*bases).map(|base| self.annotation(base)).collect();
        let id = self.class_by_call(call, name, bases, Vec::new());
        for pair in children(*members) {
            let (Some(key), Some(value)) = (pair.child_by_field_name("key"), pair.child_by_field_name("value")) else {
                continue;
            };
            if let (Some(text), "identifier") = (self.constant_text(key), value.kind()) {
                let (member, value) = (self.builder.name(&text), self.name_of(value));
                let from = self.builder.use_name(value, position(key));
                self.builder.facts.member_values.push(MemberValue {
                    owner: id,
                    member,
                    from,
                    position: position(key),
                });
            }
        }
        Some(id)
    }

    /// The class that `namedtuple("Point", "east north")` makes.
    pub(super) fn named_tuple(&mut self, call: Node<'t>, name: Name) -> Option<TypeId> {
        if call.kind() != "call" {
            return None;
        }
        let function = call.child_by_field_name("function")?;
        let text = self.text_of(function).rsplit('.').next().unwrap_or("");
        if !matches!(text, "namedtuple" | "NamedTuple") {
            return None;
        }
        let arguments: Vec<_> = children(call.child_by_field_name("arguments")?).collect();
        let fields = *arguments.get(1)?;
        let names: Vec<String> = match fields.kind() {
            "string" => {
                let text = self.constant_text(fields)?;
                let words = text.split([',', ' ', '\n', '\t']).filter(|word| !word.is_empty());
                words.map(str::to_owned).collect()
            }
            "list" | "tuple" => children(fields)
                .map(|item| match item.kind() {
                    "tuple" => item.part(0).and_then(|first| self.constant_text(first)),
                    _ => self.constant_text(item),
                })
                .collect::<Option<_>>()?,
            _ => return None,
        };
        let base = self.annotation(function);
        let unknown = self.builder.type_expression(TypeExpression::Unknown);
        let at = position(call);
        let fields = names.iter().map(|text| {
            let name = self.builder.name(text);
            let mut field = new_field(name, FieldKind::ClassAttribute, Some(unknown));
            field.position = at;
            field
        });
        let fields = fields.collect();
        let id = self.class_by_call(call, name, vec![base], fields);
        self.builder.facts.types[id.0 as usize].generated_constructor = true;
        Some(id)
    }

    fn class_by_call(
        &mut self,
        call: Node<'t>,
        name: Name,
        bases: Vec<TypeExpressionId>,
        fields: Vec<Field>,
    ) -> TypeId {
        let at = position(call);
        let id = TypeId(self.builder.facts.types.len() as u32);
        let outer = self.class_around();
        let outer = outer.map(|class| class.id);
        let function = self.builder.function();
        let signature = crate::facts::builder::one_line(self.text_of(call));
        self.builder.facts.types.push(Type {
            name,
            kind: TypeKind::ClassByCall,
            function,
            outer,
            position: at,
            end_line: super::end_line(call),
            signature,
            doc: String::new(),
            bases,
            underlying: None,
            fields,
            generated_constructor: false,
            parameters: Vec::new(),
            match_args: Vec::new(),
            naming: None,
            table: None,
            listed: Vec::new(),
            metaclass: None,
        });
        id
    }
}

/// Whether a function of a library says what a field is.
fn is_field(function: &str) -> bool {
    matches!(function, "field" | "Field" | "ib" | "attrib")
}

fn new_field(name: Name, kind: FieldKind, declared: Option<TypeExpressionId>) -> Field {
    Field {
        name,
        kind,
        position: Default::default(),
        declared,
        keys: Vec::new(),
        embedded: false,
        given: Given::Normal,
        is_hidden: false,
        is_always_set: false,
        is_array: false,
        columns: Vec::new(),
        doc: String::new(),
    }
}
