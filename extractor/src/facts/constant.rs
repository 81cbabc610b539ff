//! What an expression is every time, as far as conditions ask: `limit > 3` where `limit` is 2 never holds.

use std::cmp::Ordering;

/// The value of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// `None`, `nil`.
    Nothing,
    /// `True`, `false`.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

impl Constant {
    /// Whether it counts as true where a condition takes any value.
    pub fn is_true(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Truth(truth) => *truth,
            Self::Number(number) => *number != 0,
            Self::Text(text) => !text.is_empty(),
        }
    }

    /// How two of them compare: none if that is not known, nothing inside if they are not equal and have no order.
    pub fn compared(&self, other: &Self) -> Option<Option<Ordering>> {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => Some(Some(one.cmp(other))),
            (Self::Text(one), Self::Text(other)) => Some(Some(one.cmp(other))),
            (Self::Truth(one), Self::Truth(other)) => Some(Some(one.cmp(other))),
            (Self::Nothing, Self::Nothing) => Some(Some(Ordering::Equal)),
            (Self::Nothing, _) | (_, Self::Nothing) => Some(None),
            _ => None,
        }
    }

    /// What comparing them by an operator comes to.
    pub fn holds(&self, operator: &str, other: &Self) -> Option<bool> {
        let order = self.compared(other)?;
        match operator {
            "==" | "is" => Some(order == Some(Ordering::Equal)),
            "!=" | "<>" | "is not" => Some(order != Some(Ordering::Equal)),
            "<" => order.map(Ordering::is_lt),
            "<=" => order.map(Ordering::is_le),
            ">" => order.map(Ordering::is_gt),
            ">=" => order.map(Ordering::is_ge),
            _ => None,
        }
    }
}
