//! [`Trees`]: what many small decision trees add to what the weights give a candidate. A text file, `trees.txt`, made by
//! `tests/eval/learn/learn.py`.
//!
//! A weight says that a feature counts, a tree also when: a name that covers the question counts less where the body has nothing of it.
//! One line is one tree: a question `FEATURE<=NUMBER`, then the tree for yes, then the tree for no; a number alone is what is added.
//!
//! ```text
//! cosine<=0.4 -0.2 name<=1.5 0.1 0.3
//! ```
//!
//! A candidate with `cosine` 0.7 and `name` 2 gets 0.3 from this one. Many small trees, each mending what those before it left (gradient
//! boosting, Friedman 2001), with pairs weighed by their places (LambdaMART, Burges 2010).

use std::collections::HashMap;

use super::{expand, features, weights};
use crate::Error;

/// The trees that ship with the program.
const SHIPPED: &str = include_str!("trees.txt");

/// How many of the best are asked about.
const BEST: usize = 200;

/// Features of which the place among the best is asked about, too.
const PLACED: [&str; 11] = [
    "name",
    "name-best",
    "doc-best",
    "body-best",
    "text",
    "cosine",
    "fused",
    "soft-name",
    "soft-all",
    "soft-names",
    "weighed",
];

/// Deepest tree that is read.
const DEPTH: usize = 64;

/// Trees over named features.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trees {
    /// Where each tree begins among the nodes.
    roots: Vec<u32>,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    /// A feature and what it is compared with; yes is the next node, no is this one.
    Split {
        feature: u32,
        most: f32,
        no: u32,
    },
    Leaf(f32),
}

impl Trees {
    /// The shipped ones.
    pub fn shipped() -> Result<Self, Error> {
        Self::read(SHIPPED)
    }

    /// Reads the text form.
    pub fn read(text: &str) -> Result<Self, Error> {
        let places: HashMap<String, u32> = names().zip(0..).collect();
        let mut trees = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| Error::Usage(format!("trees, line {number}: {what}"));
            trees.roots.push(trees.nodes.len() as u32);
            let mut words = line.split_ascii_whitespace();
            trees.add(&mut words, &places, DEPTH).map_err(|what| wrong(&what))?;
            if let Some(more) = words.next() {
                return Err(wrong(&format!("the tree ends before `{more}`")));
            }
        }
        Ok(trees)
    }

    fn add<'t>(
        &mut self,
        words: &mut impl Iterator<Item = &'t str>,
        places: &HashMap<String, u32>,
        depth: usize,
    ) -> Result<(), String> {
        let word = words.next().ok_or("the tree is not whole")?;
        let number = |text: &str| {
            let number: Option<f32> = text.parse().ok();
            number
                .filter(|number| number.is_finite())
                .ok_or_else(|| format!("`{text}` is no number"))
        };
        let Some((name, most)) = word.split_once("<=") else {
            self.nodes.push(Node::Leaf(number(word)?));
            return Ok(());
        };
        let feature = places.get(name).copied();
        let feature = feature.ok_or_else(|| format!("no feature is called `{name}`"))?;
        let most = number(most)?;
        let depth = depth.checked_sub(1).ok_or("the tree is too deep")?;
        let at = self.nodes.len();
        let split = |no: usize| Node::Split {
            feature,
            most,
            no: no as u32,
        };
        self.nodes.push(split(0));
        self.add(words, places, depth)?;
        self.nodes[at] = split(self.nodes.len());
        self.add(words, places, depth)
    }

    /// What all of them add to a candidate with these features.
    pub fn score(&self, features: &[f32]) -> f32 {
        self.roots.iter().map(|root| self.leaf(*root as usize, features)).sum()
    }

    /// The rows by what the weights give them, what the trees add if they are among the best, and what people said of them.
    pub fn order(
        &self,
        weighed: &[(u32, f32)],
        best: &[(u32, Vec<f32>)],
        said: impl Fn(u32) -> f32,
    ) -> Vec<(u32, f32)> {
        let added = best.iter().map(|(_, features)| self.score(features));
        let added = added.chain(std::iter::repeat(0.0));
        let rows: Vec<u32> = weighed.iter().map(|(row, _)| *row).collect();
        let scores = weighed.iter().zip(added);
        weights::order(&rows, scores.map(|((row, score), added)| score + added + said(*row)))
    }

    fn leaf(&self, mut at: usize, features: &[f32]) -> f32 {
        // Each step leads to a node further behind, so that there is an end.
        loop {
            match self.nodes.get(at) {
                Some(&Node::Split { feature, most, no }) => {
                    let is_yes = features.get(feature as usize).is_some_and(|value| *value <= most);
                    at = if is_yes { at + 1 } else { no as usize };
                }
                Some(Node::Leaf(adds)) => return *adds,
                None => return 0.0,
            }
        }
    }
}

/// Names of what the trees are asked about, in order: what the weights give a candidate, its own features, what is around it, how far
/// each of these is behind the best candidate's, and in which place some of them put it.
pub fn names() -> impl Iterator<Item = String> {
    plain()
        .map(str::to_owned)
        .chain(plain().map(|name| format!("{name}-behind")))
        .chain(PLACED.iter().map(|name| format!("{name}-place")))
}

fn plain() -> impl Iterator<Item = &'static str> {
    ["weighed"].into_iter().chain(features::NAMES).chain(expand::NAMES)
}

/// The best of the rows, which are sorted, in the order in which they were weighed, with what the trees are asked about each.
pub fn asked_about(
    rows: &[u32],
    weighed: &[(u32, f32)],
    features: &[Vec<f32>],
    around: &[Vec<f32>],
) -> Vec<(u32, Vec<f32>)> {
    let best = weighed.iter().take(BEST).filter_map(|(row, score)| {
        let at = rows.binary_search(row).ok()?;
        let own = std::iter::once(score).chain(features.get(at)?);
        Some((*row, own.chain(around.get(at)?).copied().collect()))
    });
    let mut best: Vec<(u32, Vec<f32>)> = best.collect();
    let width = best.first().map_or(0, |(_, features)| features.len());
    let column = |best: &[(u32, Vec<f32>)], at: usize| -> Vec<f32> {
        best.iter()
            .map(|(_, features)| features.get(at).copied().unwrap_or(0.0))
            .collect()
    };
    for at in 0..width {
        let values = column(&best, at);
        let most = values.iter().copied().fold(f32::MIN, f32::max);
        best.iter_mut()
            .zip(values)
            .for_each(|((_, features), value)| features.push(value - most));
    }
    let plain: Vec<&str> = plain().collect();
    for at in PLACED
        .iter()
        .filter_map(|placed| plain.iter().position(|name| name == placed))
    {
        let values = column(&best, at);
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        for (place, which) in order.into_iter().enumerate() {
            best[which].1.push((place as f32).ln_1p());
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_says_what_it_adds() -> Result<(), Error> {
        let trees = Trees::read("# words\nweighed<=0.4 -0.25 name<=1.5 0.125 0.5\n\n0.25\n")?;
        let score = |weighed: f32, name: f32| trees.score(&[weighed, name]);
        assert_eq!((score(0.4, 2.0), score(0.5, 1.5), score(0.5, 2.0)), (0.0, 0.375, 0.75));
        for wrong in [
            "name<=0.4 1",
            "nome<=1 1 2",
            "name<=x 1 2",
            "name<=1 1 NaN",
            "1 2",
            "name<=1 1 2 3",
        ] {
            assert!(matches!(Trees::read(wrong), Err(Error::Usage(_))), "{wrong}");
        }
        let deep = "name<=1 ".repeat(100);
        assert!(Trees::read(&deep).is_err());
        Trees::shipped().map(|_| ())
    }

    #[test]
    fn trees_add_to_the_best_and_people_to_any() -> Result<(), Error> {
        let trees = Trees::read("name<=0.5 -3 1")?;
        let weighed = [(7, 9.0), (8, 8.0), (9, 2.0), (10, 1.0)];
        let best = [(7, vec![9.0, 0.0]), (8, vec![8.0, 1.0])];
        let rows = |said: fn(u32) -> f32| -> Vec<u32> {
            let order = trees.order(&weighed, &best, said);
            order.into_iter().map(|(row, _)| row).collect()
        };
        assert_eq!(rows(|_| 0.0), [8, 7, 9, 10]);
        assert_eq!(rows(|row| if row == 10 { 8.5 } else { 0.0 }), [10, 8, 7, 9]);
        Ok(())
    }

    #[test]
    fn what_is_asked_has_a_name_of_its_own() {
        let mut all: Vec<_> = names().collect();
        let features = vec![vec![0.5; features::NAMES.len()]; 2];
        let around = vec![vec![0.5; expand::NAMES.len()]; 2];
        let best = asked_about(&[3, 4], &[(4, 1.0), (3, 0.5)], &features, &around);
        assert_eq!(best[1].1.len(), all.len());
        let at = |name: &str| all.iter().position(|known| known == name).map(|at| best[1].1[at]);
        assert_eq!(
            (best[1].0, at("weighed"), at("weighed-behind")),
            (3, Some(0.5), Some(-0.5))
        );
        assert_eq!(at("weighed-place"), Some(1.0_f32.ln_1p()));
        all.sort_unstable();
        all.dedup();
        assert_eq!(best[1].1.len(), all.len());
    }
}
