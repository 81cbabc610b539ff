//! Constructors that nobody wrote: the fields of a data class, filled by keyword or in order.
//!
//! ```python
//! @dataclass
//! class Order: id: int; mail: str = ""
//! Order(7, mail=address)                # fills `Order.id` and `Order.mail`
//! ```

use ripple_schema::How;

use super::arguments::{Passing, Spread};
use super::solve::{ArgumentRow, Solver, Target};
use crate::facts::{ArgumentKind, Given, Naming};
use crate::link::{FunctionIndex, PlaceIndex, Symbol, TypeIndex};

/// A field that a generated constructor fills.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConstructorField {
    pub name: Symbol,
    pub place: PlaceIndex,
    given: Given,
    /// It is in the generated text.
    pub is_shown: bool,
}

impl Solver<'_> {
    /// A class without a constructor in the index, but with declared fields: arguments fill them, by keyword or in order.
    pub(super) fn generated_fields(&self, call: u32, class: TypeIndex) -> Vec<Passing> {
        let filled = self.filled_fields(call, class).into_iter();
        let passings = filled.filter_map(|(to, argument)| {
            Some(Passing {
                from: argument.place?,
                to,
                how: How::Store,
                position: argument.position,
                gathered: None,
                spread: None,
            })
        });
        passings.chain(self.spread_fields(call, class)).collect()
    }

    /// The fields that take a part of an argument that is spread: `Order(**row)`.
    fn spread_fields(&self, call: u32, class: TypeIndex) -> Vec<Passing> {
        let is_spread =
            |argument: &&ArgumentRow| matches!(argument.kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        let arguments = self.call_arguments(call);
        if !arguments.iter().any(|argument| is_spread(&argument)) {
            return Vec::new();
        }
        let given = self.filled_fields(call, class);
        let fields = self.constructor_fields(class);
        let fields = fields
            .iter()
            .filter(|field| given.iter().all(|(to, _)| *to != field.place));
        let generated = self.has_generated_constructor(class);
        let mut passings = Vec::new();
        for argument in arguments.iter().filter(is_spread) {
            let Some(from) = argument.place else { continue };
            let in_order = fields.clone().filter(|field| generated && field.given.is_in_order());
            let by_position = (0..).zip(in_order).map(|(index, field)| (field, Spread::At(index)));
            let by_name = fields.clone().map(|field| (field.place, Spread::Named(field.name)));
            let taken: Vec<_> = match argument.kind {
                ArgumentKind::Spread => by_position.map(|(field, spread)| (field.place, spread)).collect(),
                _ => by_name.chain(self.attributes_spread(class)).collect(),
            };
            for (to, spread) in taken {
                passings.push(Passing {
                    from,
                    to,
                    how: How::Store,
                    position: argument.position,
                    gathered: None,
                    spread: Some(spread),
                });
            }
        }
        passings
    }

    /// The fields that a call of such a class gives a value, literals as well.
    pub(super) fn filled_fields(&self, call: u32, class: TypeIndex) -> Vec<(PlaceIndex, ArgumentRow)> {
        let fields = self.constructor_fields(class);
        let by_position: Vec<PlaceIndex> = fields
            .iter()
            .filter(|field| field.given.is_in_order())
            .map(|field| field.place)
            .collect();
        let generated = self.has_generated_constructor(class);
        let mut filled = Vec::new();
        let mut next = 0usize;
        for argument in self.call_arguments(call) {
            let to = match argument.kind {
                ArgumentKind::Positional => {
                    next += 1;
                    by_position.get(next - 1).filter(|_| generated).copied()
                }
                ArgumentKind::Keyword(_) => {
                    let mut fields = fields.iter();
                    let declared = fields.find(|field| Some(field.name) == argument.name);
                    match declared {
                        Some(field) => Some(field.place),
                        None => argument.name.and_then(|name| self.attribute_filled(class, name)),
                    }
                }
                _ => None,
            };
            filled.extend(to.map(|to| (to, *argument)));
        }
        filled
    }

    /// The attribute that a constructor from outside fills by its name, as those of tables in a database do: `income = Column(Float)`.
    fn attribute_filled(&self, class: TypeIndex, name: Symbol) -> Option<PlaceIndex> {
        if !self.program.types[class.at()].open || self.has_generated_constructor(class) {
            return None;
        }
        self.declared_key(class, name)
    }

    /// The attributes that a constructor from outside fills by what is spread: `Listing(**row)`.
    fn attributes_spread(&self, class: TypeIndex) -> Vec<(PlaceIndex, Spread)> {
        let mut attributes = Vec::new();
        for base in &self.program.types[class.at()].order {
            let declared = self.program.type_facts(*base).fields.iter();
            let file = self.program.types[base.at()].file;
            for field in declared.filter(|field| field.declared.is_none()) {
                let name = self.program.symbol(file, field.name);
                if !self.program.symbols.text(name).starts_with('_')
                    && let Some(place) = self.attribute_filled(class, name)
                {
                    attributes.push((place, Spread::Named(name)));
                }
            }
        }
        attributes
    }

    /// Of the arguments of a call that makes an object, those that the method hears of that its generated constructor calls at the end.
    pub(super) fn arguments_after(&self, call: u32, function: FunctionIndex) -> Option<Vec<ArgumentRow>> {
        let name = self.program.function_facts(function).name;
        let file = self.program.functions[function.at()].file;
        if self.program.files[file.at()].facts.text(name) != "__post_init__" {
            return None;
        }
        let class = self.calls[call as usize]
            .targets
            .iter()
            .find_map(|target| match target {
                Target::Constructor { function: own, class } => (*own == function).then_some(*class),
                _ => None,
            })?;
        let fields = self.constructor_fields(class);
        let mut in_order = fields.iter().filter(|field| field.given.is_in_order());
        let arguments = self.call_arguments(call).iter();
        let heard = arguments.filter(|argument| match argument.kind {
            ArgumentKind::Positional => in_order.next().is_some_and(|field| field.given == Given::Handed),
            ArgumentKind::Keyword(_) => {
                let mut named = fields.iter().filter(|field| field.given == Given::Handed);
                named.any(|field| Some(field.name) == argument.name)
            }
            ArgumentKind::Spread | ArgumentKind::SpreadKeywords => true,
        });
        Some(heard.copied().collect())
    }

    /// The fields that a generated constructor of the class fills, in order.
    pub(super) fn constructor_fields(&self, class: TypeIndex) -> Vec<ConstructorField> {
        let mut in_order: Vec<ConstructorField> = Vec::new();
        for base in self.program.types[class.at()].order.iter().rev() {
            let file = self.program.types[base.at()].file;
            let fields = self.program.type_facts(*base).fields.iter();
            for field in fields.filter(|field| field.declared.is_some() && field.given != Given::Not) {
                let name = self.program.symbol(file, field.name);
                let Some(place) = self.program.types[base.at()].members.get(&name).copied() else {
                    continue;
                };
                let own = ConstructorField {
                    name,
                    place,
                    given: field.given,
                    is_shown: !field.is_hidden,
                };
                // A field that is declared again stays where it was.
                match in_order.iter_mut().find(|known| known.name == name) {
                    Some(known) => *known = own,
                    None => in_order.push(own),
                }
            }
        }
        in_order
    }

    /// Whether what the body of a class declares is all that its objects hold: those of data classes, and of models that are made of what comes
    /// over the wire.
    pub(super) fn is_model(&self, class: TypeIndex) -> bool {
        let is_base = |base: &str| {
            matches!(base, "faust.Record" | "ninja.Schema" | "ninja.schema.Schema")
                || matches!(base.rsplit('.').next(), Some("BaseModel" | "SQLModel" | "Struct"))
        };
        self.has_generated_constructor(class) || self.external_bases(class).any(is_base)
    }

    /// Whether a class is a model whose objects a library makes of what comes over the wire: what stands in its body is what they have else.
    pub(super) fn is_read_model(&self, class: TypeIndex) -> bool {
        self.is_model(class) && !self.has_generated_constructor(class)
    }

    /// Whether the objects of a class are those that its body names.
    pub(super) fn is_enumeration(&self, class: TypeIndex) -> bool {
        self.external_bases(class).any(|base| {
            let last = base.rsplit('.').next().unwrap_or(base);
            matches!(
                last,
                "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" | "TextChoices" | "IntegerChoices"
            )
        })
    }

    /// How the fields of a class are called on a wire, as itself or a class above says.
    pub(super) fn naming_of(&self, class: TypeIndex) -> Option<Naming> {
        let mut order = self.program.types[class.at()].order.iter();
        order.find_map(|base| self.program.type_facts(*base).naming)
    }

    pub(super) fn has_generated_constructor(&self, class: TypeIndex) -> bool {
        let mut order = self.program.types[class.at()].order.iter();
        order.any(|base| self.program.type_facts(*base).generated_constructor)
    }
}
