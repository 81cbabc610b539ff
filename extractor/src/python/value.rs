//! Values that are known while source is read, and what operators, methods and functions of the language make of them.
//!
//! ```python
//! "a" + "b"                 # the text "ab"
//! [3, 4][-1]                # the number 4
//! {"low": 1}.get("high")    # nothing
//! ```

use std::cmp::Ordering;

use tree_sitter::Node;

use crate::facts::Question;

/// Longest text, and most parts of a container.
pub(super) const SIZE_LIMIT: usize = 64;

/// A value that is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'t> {
    Nothing,
    Truth(bool),
    Number(i64),
    Text(String),
    /// A member of an enumeration of this file: the class, and its name.
    Member(&'t str, &'t str),
    Items(Vec<Value<'t>>),
    Pairs(Vec<(Value<'t>, Value<'t>)>),
    /// Whatever this expression gives.
    Given(Node<'t>),
}

impl Value<'_> {
    /// Whether it counts as true.
    pub(super) fn is_true(&self) -> Option<bool> {
        Some(match self {
            Self::Nothing => false,
            Self::Truth(truth) => *truth,
            Self::Number(number) => *number != 0,
            Self::Text(text) => !text.is_empty(),
            Self::Member(..) => true,
            Self::Items(items) => !items.is_empty(),
            Self::Pairs(pairs) => !pairs.is_empty(),
            Self::Given(_) => return None,
        })
    }

    /// Whether it has parts that may change.
    pub(super) fn is_container(&self) -> bool {
        matches!(self, Self::Items(_) | Self::Pairs(_))
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Truth(truth) => Some(i64::from(*truth)),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether one equals the other.
    pub(super) fn equals(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Given(_), _) | (_, Self::Given(_)) => None,
            (Self::Items(one), Self::Items(other)) if one.len() == other.len() => {
                let mut pairs = one.iter().zip(other);
                pairs.try_fold(true, |same, (one, other)| Some(same & one.equals(other)?))
            }
            (Self::Pairs(_), Self::Pairs(_)) => None,
            _ if self.is_container() != other.is_container() => Some(false),
            _ => match (self.number(), other.number()) {
                (Some(one), Some(other)) => Some(one == other),
                _ => Some(self == other),
            },
        }
    }

    fn is_in(&self, container: &Self) -> Option<bool> {
        if let (Self::Text(part), Self::Text(whole)) = (self, container) {
            return Some(whole.contains(part.as_str()));
        }
        let mut found = Some(false);
        for part in container.parts()? {
            match self.equals(part) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => found = None,
            }
        }
        found
    }

    /// What an iteration gives.
    pub(super) fn parts(&self) -> Option<Vec<&Self>> {
        match self {
            Self::Items(items) => Some(items.iter().collect()),
            Self::Pairs(pairs) => Some(pairs.iter().map(|(key, _)| key).collect()),
            _ => None,
        }
    }

    pub(super) fn compared(&self, operator: &str, other: &Self) -> Option<bool> {
        match operator {
            "in" => return self.is_in(other),
            "not in" => return Some(!self.is_in(other)?),
            _ => {}
        }
        let (question, turned) = Question::of(operator)?;
        let order = self.order(other);
        let answer = match question {
            Question::Equals => self.equals(other)?,
            Question::IsLess => order?.is_lt(),
            Question::IsAtMost => order?.is_le(),
            Question::IsMore => order?.is_gt(),
            Question::IsAtLeast => order?.is_ge(),
            Question::IsTrue | Question::IsOf => return None,
        };
        Some(answer != turned)
    }

    /// Which of two numbers, texts or tuples is less.
    fn order(&self, other: &Self) -> Option<Ordering> {
        if let (Self::Items(own), Self::Items(others)) = (self, other) {
            for (one, other) in own.iter().zip(others) {
                match one.order(other)? {
                    Ordering::Equal => {}
                    told => return Some(told),
                }
            }
            return Some(own.len().cmp(&others.len()));
        }
        match (self.number(), other.number()) {
            (Some(one), Some(other)) => Some(one.cmp(&other)),
            _ => self.text().zip(other.text()).map(|(one, other)| one.cmp(other)),
        }
    }

    /// What an operator makes of two of them.
    pub(super) fn combined(self, operator: &str, other: Self) -> Option<Self> {
        let made = match (self, other) {
            (Self::Text(one), Self::Text(other)) if operator == "+" => Self::Text(one + &other),
            (Self::Text(template), Self::Items(given)) if operator == "%" => Self::Text(filled(&template, &given)?),
            (Self::Text(template), given) if operator == "%" => Self::Text(filled(&template, &[given])?),
            (Self::Items(mut one), Self::Items(other)) if operator == "+" => {
                one.extend(other);
                Self::Items(one)
            }
            (one, other) => {
                let (one, other) = (one.number()?, other.number()?);
                Self::Number(match operator {
                    "+" => one.checked_add(other)?,
                    "-" => one.checked_sub(other)?,
                    "*" => one.checked_mul(other)?,
                    // As Python rounds: towards what is less.
                    "//" if other > 0 => one.checked_div_euclid(other)?,
                    "%" if other > 0 => one.checked_rem_euclid(other)?,
                    _ => return None,
                })
            }
        };
        made.is_small().then_some(made)
    }

    fn is_small(&self) -> bool {
        match self {
            Self::Text(text) => text.len() <= SIZE_LIMIT,
            Self::Items(items) => items.len() <= SIZE_LIMIT,
            _ => true,
        }
    }
}

/// Methods of texts that are worked out.
pub(super) const TEXT_METHODS: &[&str] = &[
    "endswith",
    "isdigit",
    "lower",
    "replace",
    "startswith",
    "strip",
    "title",
    "upper",
];

/// Functions of the language that are worked out.
pub(super) const BUILTINS: &[&str] = &[
    "abs",
    "bool",
    "enumerate",
    "int",
    "len",
    "list",
    "max",
    "min",
    "range",
    "reversed",
    "str",
    "tuple",
    "zip",
];

pub(super) fn called_on<'t>(of: &Value<'t>, method: &str, given: &[Value<'t>]) -> Option<Value<'t>> {
    if let Value::Pairs(pairs) = of {
        let row = |(key, held): &(Value<'t>, Value<'t>)| Value::Items(vec![key.clone(), held.clone()]);
        return match (method, given) {
            ("get", [key]) => part_under(of, key).or(Some(Value::Nothing)),
            ("get", [key, other]) => part_under(of, key).or_else(|| Some(other.clone())),
            ("keys", []) => Some(Value::Items(pairs.iter().map(|(key, _)| key.clone()).collect())),
            ("values", []) => Some(Value::Items(pairs.iter().map(|(_, held)| held.clone()).collect())),
            ("items", []) => Some(Value::Items(pairs.iter().map(row).collect())),
            _ => None,
        }
        .filter(|value| !matches!(value, Value::Given(_)));
    }
    let text = of.text()?;
    let affix = |test: fn(&str, &str) -> bool| match given {
        [Value::Text(part)] => Some(test(text, part)),
        [Value::Items(parts)] => {
            let parts: Option<Vec<&str>> = parts.iter().map(Value::text).collect();
            Some(parts?.into_iter().any(|part| test(text, part)))
        }
        _ => None,
    };
    Some(match (method, given) {
        ("startswith", _) => Value::Truth(affix(|text, part| text.starts_with(part))?),
        ("endswith", _) => Value::Truth(affix(|text, part| text.ends_with(part))?),
        ("isdigit", []) => Value::Truth(!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())),
        ("lower", []) => Value::Text(text.to_lowercase()),
        ("upper", []) => Value::Text(text.to_uppercase()),
        ("strip", []) => Value::Text(text.trim().to_owned()),
        ("replace", [Value::Text(from), Value::Text(to)]) if !from.is_empty() => Value::Text(text.replace(from, to)),
        _ => return None,
    })
    .filter(Value::is_small)
}

pub(super) fn built_in<'t>(name: &str, given: &[Value<'t>]) -> Option<Value<'t>> {
    let numbers = || given.iter().map(Value::number).collect::<Option<Vec<i64>>>();
    let parts = |value: &Value<'t>| -> Option<Vec<Value<'t>>> { Some(value.parts()?.into_iter().cloned().collect()) };
    match (name, given) {
        ("abs", [Value::Number(number)]) => Some(Value::Number(number.checked_abs()?)),
        ("bool", [value]) => Some(Value::Truth(value.is_true()?)),
        ("int", [Value::Number(number)]) => Some(Value::Number(*number)),
        ("int", [Value::Text(text)]) => text.trim().parse().ok().map(Value::Number),
        ("str", [value]) => shown(value).map(Value::Text),
        ("len", [Value::Text(text)]) => Some(Value::Number(text.chars().count() as i64)),
        ("len", [value]) => Some(Value::Number(value.parts()?.len() as i64)),
        ("max" | "min", [_, _, ..]) => {
            let numbers = numbers()?.into_iter();
            let found = if name == "max" { numbers.max() } else { numbers.min() };
            found.map(Value::Number)
        }
        ("range", _) => {
            let (from, to, by) = match numbers()?.as_slice() {
                [to] => (0, *to, 1),
                [from, to] => (*from, *to, 1),
                [from, to, by] if *by > 0 => (*from, *to, *by),
                _ => return None,
            };
            let count = to.checked_sub(from)?.checked_add(by - 1)?.div_euclid(by).max(0);
            let count = usize::try_from(count).ok().filter(|count| *count <= SIZE_LIMIT)? as i64;
            Some(Value::Items(
                (0..count).map(|index| Value::Number(from + index * by)).collect(),
            ))
        }
        ("list" | "tuple", [value]) => Some(Value::Items(parts(value)?)),
        ("reversed", [value]) => Some(Value::Items(parts(value)?.into_iter().rev().collect())),
        ("enumerate", [value, start @ ..]) => {
            let first = match start {
                [] => 0,
                [start] => start.number()?,
                _ => return None,
            };
            let rows = parts(value)?.into_iter().zip(first..);
            let rows = rows.map(|(part, index)| Value::Items(vec![Value::Number(index), part]));
            Some(Value::Items(rows.collect()))
        }
        ("zip", [one, other]) => {
            let rows = parts(one)?.into_iter().zip(parts(other)?);
            Some(Value::Items(
                rows.map(|(one, other)| Value::Items(vec![one, other])).collect(),
            ))
        }
        _ => None,
    }
}

/// The part of a container under a key or position.
pub(super) fn part_under<'t>(of: &Value<'t>, key: &Value<'t>) -> Option<Value<'t>> {
    match of {
        Value::Items(items) => {
            let index = match key.number()? {
                index if index < 0 => items.len().checked_sub(usize::try_from(index.checked_neg()?).ok()?)?,
                index => usize::try_from(index).ok()?,
            };
            items.get(index).cloned()
        }
        Value::Text(text) => {
            let index = key.number()?;
            let letter = match usize::try_from(index) {
                Ok(index) => text.chars().nth(index)?,
                Err(_) => text.chars().rev().nth(usize::try_from(-1 - index).ok()?)?,
            };
            Some(Value::Text(letter.to_string()))
        }
        Value::Pairs(pairs) => {
            let found = pairs.iter().find(|(own, _)| own.equals(key) == Some(true));
            found.map(|(_, held)| held.clone())
        }
        _ => None,
    }
}

/// A value as text.
pub(super) fn shown(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Truth(true) => Some("True".to_owned()),
        Value::Truth(false) => Some("False".to_owned()),
        Value::Nothing => Some("None".to_owned()),
        _ => None,
    }
}

/// `"%s_%d" % (name, number)`, of texts and whole numbers.
fn filled(template: &str, given: &[Value<'_>]) -> Option<String> {
    let mut given = given.iter();
    let mut pieces = template.split('%');
    let mut text = pieces.next()?.to_owned();
    while let Some(piece) = pieces.next() {
        let rest = match (piece.strip_prefix('s'), piece.strip_prefix('d')) {
            (Some(rest), _) => {
                match given.next()? {
                    Value::Text(own) => text.push_str(own),
                    Value::Number(own) => text.push_str(&own.to_string()),
                    _ => return None,
                }
                rest
            }
            (_, Some(rest)) => {
                text.push_str(&given.next()?.number()?.to_string());
                rest
            }
            // `%%`: a sign of its own.
            _ if piece.is_empty() => {
                text.push('%');
                pieces.next()?
            }
            _ => return None,
        };
        text.push_str(rest);
    }
    given.next().is_none().then_some(text)
}
