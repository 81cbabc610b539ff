//! [`Weights`]: how much each feature counts. A small text file, `weights.txt`, made by `ripple eval --learn`.
//!
//! ```text
//! [first]
//! name 2.1
//! cosine 7.9
//! [last]
//! name 1.7
//! owner-got 0.4
//! ```

use std::fmt::Write as _;

use super::sources::List;
use super::{expand, features};
use crate::Error;
use crate::view::Source;

/// The weights that ship with the program.
const SHIPPED: &str = include_str!("weights.txt");

/// How much votes, and the files of answered questions, add: nobody's questions teach it.
const FEEDBACK: f32 = 8.0;
const FAQ: f32 = 1.5;
const PATTERN: f32 = 2.0;

/// Weights by feature, in the features' order.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Of a candidate alone.
    pub first: Vec<f32>,
    /// Of a candidate, then of those around it.
    pub last: Vec<f32>,
}

impl Weights {
    /// The shipped ones.
    pub fn shipped() -> Result<Self, Error> {
        Self::read(SHIPPED)
    }

    /// Reads the text form. A feature that is not named counts nothing.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut weights = Self {
            first: vec![0.0; features::NAMES.len()],
            last: vec![0.0; features::NAMES.len() + expand::NAMES.len()],
        };
        let mut is_last = false;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            let wrong = || Error::Usage(format!("weights, line {number}: `{line}` is no feature and number"));
            match line {
                "" => {}
                "[first]" => is_last = false,
                "[last]" => is_last = true,
                _ if line.starts_with('#') => {}
                _ => {
                    let (name, value) = line.split_once(' ').ok_or_else(wrong)?;
                    let value: f32 = value.trim().parse().map_err(|_| wrong())?;
                    let place = names().position(|known| known == name).ok_or_else(wrong)?;
                    let list = if is_last { &mut weights.last } else { &mut weights.first };
                    *list.get_mut(place).filter(|_| value.is_finite()).ok_or_else(wrong)? = value;
                }
            }
        }
        Ok(weights)
    }

    /// The text form.
    pub fn write(&self) -> String {
        let mut text =
            String::from("# Made by `ripple eval --learn`. A feature and its weight; see features.rs and expand.rs.\n");
        for (section, weights) in [("first", &self.first), ("last", &self.last)] {
            let _ = writeln!(text, "[{section}]");
            for (name, weight) in names().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                let _ = writeln!(text, "{name} {weight:.4}");
            }
        }
        text
    }

    /// The score of a candidate alone.
    pub fn first(&self, features: &[f32]) -> f32 {
        dot(&self.first, features)
    }

    /// The score of a candidate with what is around it.
    pub fn last(&self, features: &[f32], around: &[f32]) -> f32 {
        let (own, near) = self.last.split_at(features.len().min(self.last.len()));
        dot(own, features) + dot(near, around)
    }
}

/// What people said about a row, and the file of answers: added to its score as it is.
pub fn said(lists: &[List], row: u32) -> f32 {
    let of = |source: Source, weight: f32| {
        let found = lists
            .iter()
            .filter(|list| list.source == source)
            .flat_map(|list| &list.found);
        found
            .filter(|(known, _)| *known == row)
            .map(|(_, score)| score * weight)
            .sum::<f32>()
    };
    of(Source::Feedback, FEEDBACK) + of(Source::Faq, FAQ) + of(Source::Pattern, PATTERN)
}

/// Rows by score, the best first.
pub fn order(rows: &[u32], scores: impl Iterator<Item = f32>) -> Vec<(u32, f32)> {
    let mut order: Vec<(u32, f32)> = rows.iter().copied().zip(scores).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order
}

fn names() -> impl Iterator<Item = &'static str> {
    features::NAMES.into_iter().chain(expand::NAMES)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() -> Result<(), Error> {
        let mut weights = Weights::read("[first]\nname 2.5\n# words\n\n[last]\nown -1\n")?;
        assert_eq!((weights.first[0], weights.first(&[2.0, 9.0])), (2.5, 5.0));
        weights.last[3] = 0.25;
        assert_eq!(Weights::read(&weights.write())?, weights);
        for wrong in ["name", "nome 1", "name x", "name NaN", "[first]\nown 1"] {
            assert!(matches!(Weights::read(wrong), Err(Error::Usage(_))), "{wrong}");
        }
        Weights::shipped().map(|_| ())
    }

    #[test]
    fn every_feature_has_a_name_of_its_own() {
        let mut all: Vec<_> = names().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), features::NAMES.len() + expand::NAMES.len());
    }
}
