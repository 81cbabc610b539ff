//! Constants that conditions ask for: `if limit > 3` where `limit` is 2 never holds, and `if masked` holds where the caller says so.
//!
//! ```python
//! def show(text, masked=False):
//!     if masked:
//!         return "***"       # under the condition that `masked` is true
//!     return text            # under the condition that it is not
//! ```
//!
//! What flows under a condition on a parameter flows for the calls that meet it: see `propagate/summary/`.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{ContainerKind, ElementKey, FunctionId, Name, PlaceId, Position};

/// The value of a literal. Texts are told apart by what stands for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Constant<T = Name> {
    /// `None`, `nil`.
    Nothing,
    /// `True`, `false`.
    Truth(bool),
    /// A whole number.
    Number(i32),
    /// The empty text.
    Empty,
    /// Any other text.
    Text(T),
    /// A value of which no more is known than its type, as that is written without packages.
    OfType(T),
    /// The same of a value that was just made: it is not nothing.
    Made(T),
    /// A container that a display makes: one of the file's table.
    Display(u32),
    /// A function or class: it can be called, and counts as true.
    Function,
    /// What is in a field that nobody sets: `false`, 0, the empty text, `nil`.
    Zero,
    /// What a test of types asks for: a row of the file's [`Narrowing`](super::Narrowing)s.
    Test(u32),
    /// A container of which no more is known than its kind.
    Container(ContainerKind),
    /// An instance of this class, by its number in the program.
    InstanceOf(u32),
}

/// A container of which it is known where its parts are, and of some of them what they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Display {
    /// Of which kind it is.
    pub kind: ContainerKind,
    /// All of its parts.
    pub parts: Vec<(ElementKey, Option<Constant>)>,
}

/// What is asked of a part of a parameter has a place that stands for that part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartAsked {
    /// That place.
    pub place: PlaceId,
    /// The parameter.
    pub parameter: PlaceId,
    /// Which part.
    pub part: AskedPart,
}

/// What is asked of a name that the file imports has a place that stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagAsked {
    /// That place.
    pub place: PlaceId,
    /// The name.
    pub name: Name,
    /// Which member of it, where it is a module.
    pub member: Option<Name>,
}

/// What a call is given was made with these fields, and no others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MadeArgument {
    /// The call, by its index.
    pub call: u32,
    /// Which argument; none for the receiver.
    pub argument: Option<u32>,
    /// The fields, with their constants where they are some.
    pub fields: Vec<(Name, Option<Constant>)>,
    /// Nothing can happen to it on its way to the call.
    pub is_direct: bool,
}

/// A field of what a parameter brings, where a condition asks for it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct FieldAsked {
    /// What stands for the field.
    pub place: PlaceId,
    /// The parameter or receiver.
    pub base: PlaceId,
    /// The field.
    pub field: Name,
    /// It is still as the caller left it.
    pub is_untouched: bool,
}

/// Whether a table has a part under a key that a parameter brings, where a condition asks for that.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct LookupAsked {
    /// What stands for the answer.
    pub place: PlaceId,
    /// The table.
    pub table: PlaceId,
    /// The parameter.
    pub key: PlaceId,
}

/// What a constructor puts in a field of what it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldMade {
    /// The constructor.
    pub function: FunctionId,
    /// The field.
    pub field: Name,
    /// What it puts there.
    pub from: MadeFrom,
    /// Where.
    pub position: Position,
}

/// Where what is put in a field comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MadeFrom<P = PlaceId, T = Name> {
    /// A parameter, as it came.
    Parameter(P),
    /// A constant.
    Constant(Constant<T>),
}

/// What of a container is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AskedPart {
    /// The part under a key.
    Element(ElementKey),
    /// How many parts there are.
    Length,
    /// Whether there is a part under a key.
    Has(Name),
    /// Whether it has parts by position.
    IsSequence,
    /// Whether it has parts by key.
    IsMap,
}

/// What a condition asks of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Question {
    /// Whether it counts as true; what it is compared with does not matter.
    IsTrue,
    /// `==`, `is`.
    Equals,
    /// `<`.
    IsLess,
    /// `<=`.
    IsAtMost,
    /// `>`.
    IsMore,
    /// `>=`.
    IsAtLeast,
    /// Of which type it is.
    IsOf,
}

/// A condition of a file's table; the first one always holds.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConditionId(pub u32);

/// What holds of a parameter where something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Condition {
    /// What holds besides.
    pub outer: ConditionId,
    /// How many conditions that are, with this one.
    pub depth: u8,
    /// The parameter; or a variable of the file that holds another constant, as long as nobody assigns it.
    pub parameter: PlaceId,
    /// What is asked of it.
    pub question: Question,
    /// What it is compared with.
    pub constant: Constant,
    /// The answer.
    pub holds: bool,
    /// Or this holds.
    pub or: ConditionId,
}

impl ConditionId {
    /// The row of a file's table; none for what always holds.
    pub fn row(self, conditions: &[Condition]) -> Option<&Condition> {
        conditions.get((self.0 as usize).checked_sub(1)?)
    }
}

/// What `a and b` comes to, or `a or b`: a side that is what `decides` decides alone.
pub fn joined(decides: bool, left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(left), _) if left == decides => Some(decides),
        (_, Some(right)) if right == decides => Some(decides),
        (Some(_), Some(_)) => Some(!decides),
        _ => None,
    }
}

impl<T: Copy + PartialEq> Constant<T> {
    /// What comparing it by an operator comes to; none if that is not known.
    pub fn compared(self, operator: &str, other: Self) -> Option<bool> {
        let (question, turned) = Question::of(operator)?;
        Some(self.answer(question, other)? != turned)
    }

    /// The same, where something else stands for texts.
    pub fn map<U>(self, text: impl FnOnce(T) -> U) -> Constant<U> {
        match self {
            Self::Nothing => Constant::Nothing,
            Self::Truth(truth) => Constant::Truth(truth),
            Self::Number(number) => Constant::Number(number),
            Self::Empty => Constant::Empty,
            Self::Text(own) => Constant::Text(text(own)),
            Self::OfType(own) => Constant::OfType(text(own)),
            Self::Made(own) => Constant::Made(text(own)),
            Self::Display(index) => Constant::Display(index),
            Self::Function => Constant::Function,
            Self::Zero => Constant::Zero,
            Self::Test(index) => Constant::Test(index),
            Self::Container(kind) => Constant::Container(kind),
            Self::InstanceOf(class) => Constant::InstanceOf(class),
        }
    }

    /// Whether it says of which type a value is, and not which one it is.
    fn is_type(self) -> bool {
        matches!(
            self,
            Self::OfType(_)
                | Self::Made(_)
                | Self::Display(_)
                | Self::Test(_)
                | Self::Container(_)
                | Self::InstanceOf(_)
        )
    }

    /// Whether it counts as true where a condition takes any value.
    pub fn is_true(self) -> bool {
        !matches!(
            self,
            Self::Nothing | Self::Truth(false) | Self::Number(0) | Self::Empty | Self::Zero
        )
    }

    /// The answer to a question; none if that is not known.
    pub fn answer(self, question: Question, other: Self) -> Option<bool> {
        let order = match (self, other) {
            (Self::Made(_), Self::Nothing) if question == Question::Equals => return Some(false),
            (own, Self::Function) if question == Question::IsOf => {
                let may_be = matches!(own, Self::OfType(_) | Self::Made(_) | Self::Zero);
                return (!may_be).then_some(own == Self::Function);
            }
            (Self::Container(_) | Self::InstanceOf(_), Self::Nothing) if question == Question::Equals => {
                return Some(false);
            }
            _ if self.is_type() || other.is_type() => return None,
            _ if question == Question::IsTrue => return Some(self.is_true()),
            // It is the one of these that what it is compared with can be.
            (Self::Zero, Self::Truth(_)) => return Self::Truth(false).answer(question, other),
            (Self::Zero, Self::Number(_)) => return Self::Number(0).answer(question, other),
            (Self::Zero, Self::Text(_) | Self::Empty) => return Self::Empty.answer(question, other),
            (Self::Zero, Self::Nothing) => return Self::Nothing.answer(question, other),
            (Self::Zero, Self::Zero) | (_, Self::Zero) => return None,
            (Self::Number(one), Self::Number(other)) => Some(one.cmp(&other)),
            (Self::Truth(one), Self::Truth(other)) => Some(one.cmp(&other)),
            (Self::Text(_) | Self::Empty, Self::Text(_) | Self::Empty) => (self == other).then_some(Ordering::Equal),
            (Self::Nothing, Self::Nothing) => Some(Ordering::Equal),
            (Self::Nothing, _) | (_, Self::Nothing) => None,
            _ => return None,
        };
        match question {
            Question::Equals => Some(order == Some(Ordering::Equal)),
            Question::IsLess => order.map(Ordering::is_lt),
            Question::IsAtMost => order.map(Ordering::is_le),
            Question::IsMore => order.map(Ordering::is_gt),
            Question::IsAtLeast => order.map(Ordering::is_ge),
            Question::IsTrue | Question::IsOf => None,
        }
    }
}

impl Question {
    /// What a comparison asks of its left side, and whether the answer is to be turned round.
    pub fn of(operator: &str) -> Option<(Self, bool)> {
        Some(match operator {
            "==" | "is" => (Self::Equals, false),
            "!=" | "<>" | "is not" => (Self::Equals, true),
            "<" => (Self::IsLess, false),
            "<=" => (Self::IsAtMost, false),
            ">" => (Self::IsMore, false),
            ">=" => (Self::IsAtLeast, false),
            _ => return None,
        })
    }

    /// The same asked of the right side.
    pub fn turned(self) -> Self {
        match self {
            Self::IsLess => Self::IsMore,
            Self::IsMore => Self::IsLess,
            Self::IsAtMost => Self::IsAtLeast,
            Self::IsAtLeast => Self::IsAtMost,
            same => same,
        }
    }
}

/// What a function gives back was made in it with these fields, and no others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MadeResult {
    /// The function.
    pub function: FunctionId,
    /// The fields, with their constants where they always are the same.
    pub fields: Vec<(Name, Option<Constant>)>,
    /// Those that always are given a parameter as it came.
    pub from: Vec<(Name, PlaceId)>,
}

/// What a call gives is looked at where one of its results is a constant.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Answer {
    /// The call, by its index.
    pub call: u32,
    /// Which result.
    pub result: u32,
    /// The constant; none where the result is that of the function around, and whoever calls that says it.
    pub constant: Option<Constant>,
}
