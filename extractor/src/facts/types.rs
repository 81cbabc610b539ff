//! Types as they are written, what stands beside them, and how a class calls its fields on a wire.
//!
//! `dict[str, Order]` is a container, a map, with a key and an element; `Order` in it a path of one part, looked up from where it stands.

use serde::{Deserialize, Serialize};

use super::{ContainerKind, FunctionId, Name, TypeExpressionId, TypeId};

/// A type as written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum TypeExpression {
    /// A dotted name, looked up from a function's scope outwards.
    Path {
        /// Its parts.
        parts: Vec<Name>,
        /// The function in whose scope it stands.
        function: FunctionId,
    },
    /// A type declared in this file (also anonymous structs).
    Local(TypeId),
    /// A pointer.
    Pointer(TypeExpressionId),
    /// A container, with key (maps) and element.
    Container {
        /// Which.
        kind: ContainerKind,
        /// Type of its keys.
        key: Option<TypeExpressionId>,
        /// Type of its elements.
        element: Option<TypeExpressionId>,
    },
    /// A tuple.
    Tuple(Vec<TypeExpressionId>),
    /// A function.
    Function {
        /// What its parameters are, where that is known and nothing else will do.
        parameters: Option<Vec<TypeExpressionId>>,
        /// What it gives.
        results: Vec<TypeExpressionId>,
    },
    /// One of several.
    Union(Vec<TypeExpressionId>),
    /// A generic type with arguments.
    Generic(TypeExpressionId, Vec<TypeExpressionId>),
    /// The class itself, not an instance (`type[C]`).
    Class(TypeExpressionId),
    /// What is in a container of that type.
    ElementOf(TypeExpressionId),
    /// Nothing that can be followed.
    Unknown,
}

/// What says of a parameter, as its default or beside its type, that a framework fills it.
pub const MARKERS: &[&str] = &[
    "Body", "Cookie", "Depends", "File", "Form", "Header", "Path", "Query", "Security",
];

/// How the fields of a class are called on a wire, where all of them are called otherwise than in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Naming {
    /// `firstName`.
    Camel,
    /// `FirstName`.
    Pascal,
    /// `first-name`.
    Kebab,
    /// `FIRST_NAME`.
    Upper,
    /// `First-Name`, as headers are called.
    Header,
    /// `first_name`, of what is called `FirstName` (<https://gorm.io/docs/conventions.html>).
    Snake,
}

impl Naming {
    /// What a field of this name is called.
    pub fn of(self, name: &str) -> String {
        let capital = |word: &str| {
            let mut letters = word.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect::<String>()
        };
        match self {
            Self::Kebab => name.replace('_', "-"),
            Self::Upper => name.to_uppercase(),
            Self::Pascal => name.split('_').map(capital).collect(),
            Self::Header => name.split('_').map(capital).collect::<Vec<_>>().join("-"),
            Self::Camel => {
                let (first, others) = name.split_once('_').unwrap_or((name, ""));
                first.to_owned() + &Self::Pascal.of(others)
            }
            Self::Snake => {
                let letters: Vec<char> = name.chars().collect();
                let is_lower = |at: usize| letters.get(at).is_some_and(|letter| !letter.is_uppercase());
                let mut words = String::with_capacity(name.len() + 4);
                for (index, letter) in letters.iter().enumerate() {
                    let begins = index > 0 && (is_lower(index - 1) || is_lower(index + 1));
                    if begins && letter.is_uppercase() && !words.ends_with('_') {
                        words.push('_');
                    }
                    words.extend(letter.to_lowercase());
                }
                words
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Naming;

    #[test]
    fn fields_are_renamed() {
        let named =
            [Naming::Camel, Naming::Pascal, Naming::Kebab, Naming::Upper].map(|naming| naming.of("monthly_net_income"));
        assert_eq!(
            named,
            [
                "monthlyNetIncome",
                "MonthlyNetIncome",
                "monthly-net-income",
                "MONTHLY_NET_INCOME"
            ]
        );
        assert_eq!(Naming::Camel.of("id"), "id");
    }
}
