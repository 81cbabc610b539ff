//! Rows against rows: whether an answer holds what the gold holds.
//!
//! Names and order of columns do not count, nor does the order of rows. Columns that the gold does not have may stand beside; rows that differ in them alone
//! count once.
//!
//! ```text
//! gold  name     answer  file  name      answer  name  name
//!       a                x.go  a                 a
//!       b                y.go  b                 a           two rows of the gold are not there: different
//!              contained: a column more
//! ```

use std::collections::BTreeMap;

use ripple_graphdb::Value;
use serde::Serialize;

use crate::view::Answer;

/// How like the gold's rows an answer's rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Likeness {
    /// The same rows, as often.
    Same,
    /// The same rows, with more columns.
    Contained,
    /// Other rows.
    Different,
}

impl Likeness {
    /// Whether the answer is right.
    pub fn is_right(self) -> bool {
        self != Self::Different
    }
}

/// How often each row is there.
type Bag = BTreeMap<Vec<String>, usize>;

/// Ways to match columns that are tried.
const ATTEMPTS: usize = 10_000;

/// Compares an answer with the gold.
pub fn rows(gold: &Answer, answer: &Answer) -> Likeness {
    if gold.rows.is_empty() || answer.rows.is_empty() {
        return match gold.rows.is_empty() && answer.rows.is_empty() {
            true => Likeness::Same,
            false => Likeness::Different,
        };
    }
    let (wanted, given) = (cells(gold), cells(answer));
    let same_width = gold.columns.len() == answer.columns.len();
    let bag = bag(wanted.iter().cloned());
    // Columns of the answer that hold the same values as a column of the gold.
    let candidates: Vec<Vec<usize>> = (0..gold.columns.len())
        .map(|column| {
            let held = values(&wanted, column);
            (0..answer.columns.len())
                .filter(|at| values(&given, *at) == held)
                .collect()
        })
        .collect();
    let mut tried = 0;
    match search(&candidates, &mut Vec::new(), &mut tried, &|columns| {
        let projected = given
            .iter()
            .map(|row| columns.iter().map(|at| row[*at].clone()).collect());
        let held = self::bag(projected);
        match same_width {
            true => held == bag,
            false => held.keys().eq(bag.keys()),
        }
    }) {
        true if same_width => Likeness::Same,
        true => Likeness::Contained,
        false => Likeness::Different,
    }
}

/// Whether some choice of one candidate for each column, none twice, fits.
fn search(
    candidates: &[Vec<usize>],
    chosen: &mut Vec<usize>,
    tried: &mut usize,
    fits: &dyn Fn(&[usize]) -> bool,
) -> bool {
    let Some(column) = candidates.get(chosen.len()) else {
        *tried += 1;
        return fits(chosen);
    };
    for &at in column {
        if chosen.contains(&at) || *tried > ATTEMPTS {
            continue;
        }
        chosen.push(at);
        if search(candidates, chosen, tried, fits) {
            return true;
        }
        chosen.pop();
    }
    false
}

fn bag(rows: impl Iterator<Item = Vec<String>>) -> Bag {
    let mut bag = Bag::new();
    for row in rows {
        *bag.entry(row).or_default() += 1;
    }
    bag
}

fn values(rows: &[Vec<String>], column: usize) -> std::collections::BTreeSet<&str> {
    rows.iter()
        .filter_map(|row| row.get(column))
        .map(String::as_str)
        .collect()
}

fn cells(answer: &Answer) -> Vec<Vec<String>> {
    let width = answer.columns.len();
    let rows = answer.rows.iter().filter(|row| row.len() == width);
    rows.map(|row| row.iter().map(cell).collect()).collect()
}

/// A value as text: whole numbers alike in every type, a node by its name.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) => text.clone(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => format!("{number:.0}"),
        Value::Node(node) => {
            let text = |name: &str| match node.properties.iter().find(|(held, _)| held == name) {
                Some((_, Value::Text(text))) => text.clone(),
                _ => String::new(),
            };
            let name = text("qualified_name");
            if name.is_empty() { text("name") } else { name }
        }
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(columns: usize, rows: &[&[&str]]) -> Answer {
        let number = |text: &str| text.parse().map_or_else(|_| Value::Text(text.into()), Value::Int);
        Answer {
            columns: (0..columns).map(|column| column.to_string()).collect(),
            types: Vec::new(),
            rows: rows
                .iter()
                .map(|row| row.iter().map(|text| number(text)).collect())
                .collect(),
            truncated: false,
            elapsed_ms: 0.0,
        }
    }

    #[test]
    fn rows_are_compared_without_names_and_order() {
        let check = |gold: (usize, &[&[&str]]), other: (usize, &[&[&str]]), expected: Likeness| {
            let likeness = rows(&answer(gold.0, gold.1), &answer(other.0, other.1));
            assert_eq!(likeness, expected, "{gold:?} {other:?}");
        };
        let names: (usize, &[&[&str]]) = (1, &[&["a"], &["b"]]);
        check(names, (1, &[&["b"], &["a"]]), Likeness::Same);
        check(names, (2, &[&["x", "b"], &["y", "a"]]), Likeness::Contained);
        check(
            names,
            (2, &[&["a", "1"], &["b", "1"], &["b", "2"]]),
            Likeness::Contained,
        );
        check(names, (1, &[&["a"], &["b"], &["b"]]), Likeness::Different);
        check(names, (1, &[&["a"], &["b"], &["c"]]), Likeness::Different);
        check(names, (1, &[&["a"]]), Likeness::Different);
        check(names, (1, &[]), Likeness::Different);
        check((1, &[]), (3, &[]), Likeness::Same);
        check((1, &[]), (1, &[&["a"]]), Likeness::Different);
        // Each column holds the right values, and no row does.
        let pairs: (usize, &[&[&str]]) = (2, &[&["a", "1"], &["b", "2"]]);
        check(pairs, (2, &[&["1", "a"], &["2", "b"]]), Likeness::Same);
        check(pairs, (2, &[&["a", "2"], &["b", "1"]]), Likeness::Different);
        check(pairs, (1, &[&["a"], &["b"]]), Likeness::Different);
        // Columns that hold the same values are told apart by their rows.
        let calls: (usize, &[&[&str]]) = (2, &[&["a", "b"], &["b", "a"], &["a", "a"]]);
        check(calls, (2, &[&["b", "a"], &["a", "b"], &["a", "a"]]), Likeness::Same);
        check(
            calls,
            (2, &[&["b", "a"], &["a", "b"], &["b", "b"]]),
            Likeness::Different,
        );
    }
}
