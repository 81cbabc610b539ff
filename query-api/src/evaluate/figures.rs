//! Figures: recall at some depths, reciprocal rank, precision, F1.

use serde::Serialize;

/// Where the right answers to a question were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Place of each right answer that was found, from 1, in order.
    pub places: Vec<usize>,
    /// How many right answers there are.
    pub right: usize,
}

/// Figures of one stage over many questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Questions that have right answers of this kind.
    pub questions: usize,
    /// Share of the right answers among the first 5, averaged over questions.
    pub recall_5: f64,
    /// The same of the first 10.
    pub recall_10: f64,
    /// The same of the first 50.
    pub recall_50: f64,
    /// The same of all that the stage found.
    pub recall: f64,
    /// Share of questions with a right answer among the first 10.
    pub hit_10: f64,
    /// 1 over the place of the first right answer, averaged.
    pub mrr: f64,
    /// Of as many first hits as there are right answers, the share that is right, averaged.
    pub precision: f64,
    /// Harmonic mean of precision and recall at 10, where precision is at that same depth.
    pub f1: f64,
}

impl Outcome {
    /// Compares names in order with the right ones.
    pub fn of(right: &[String], found: Vec<String>) -> Self {
        let places = (1..).zip(&found).filter(|(_, name)| right.contains(name));
        Self {
            places: places.map(|(place, _)| place).collect(),
            right: right.len(),
        }
    }

    fn recall(&self, depth: usize) -> f64 {
        let found = self.places.iter().filter(|place| **place <= depth).count();
        found as f64 / self.right as f64
    }
}

impl Figures {
    /// Averages over those questions that have right answers.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let asked: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.right > 0).collect();
        if asked.is_empty() {
            return Self::default();
        }
        let mean =
            |of: &dyn Fn(&Outcome) -> f64| asked.iter().map(|outcome| of(outcome)).sum::<f64>() / asked.len() as f64;
        Self {
            questions: asked.len(),
            recall_5: mean(&|outcome| outcome.recall(5)),
            recall_10: mean(&|outcome| outcome.recall(10)),
            recall_50: mean(&|outcome| outcome.recall(50)),
            recall: mean(&|outcome| outcome.recall(usize::MAX)),
            hit_10: mean(&|outcome| f64::from(u8::from(outcome.recall(10) > 0.0))),
            mrr: mean(&|outcome| outcome.places.first().map_or(0.0, |place| 1.0 / *place as f64)),
            precision: mean(&|outcome| outcome.recall(outcome.right)),
            f1: mean(&|outcome| {
                let found = outcome.recall(10) * outcome.right as f64;
                2.0 * found / (10.0 + outcome.right as f64)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_by_hand() {
        let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let one = Outcome::of(&names(&["a", "b"]), names(&["x", "a", "y", "z", "w", "v", "b"]));
        assert_eq!(one.places, [2, 7]);
        let two = Outcome::of(&names(&["q"]), names(&["q"]));
        let none = Outcome::of(&[], names(&["q"]));
        let figures = Figures::of(&[one, two, none]);
        assert_eq!(figures.questions, 2);
        assert_eq!((figures.recall_5, figures.recall_10, figures.mrr), (0.75, 1.0, 0.75));
        assert_eq!(figures.precision, 0.75);
        assert!((figures.f1 - (4.0 / 12.0 + 2.0 / 11.0) / 2.0).abs() < 1e-12);
        assert_eq!(Figures::of(&[]), Figures::default());
    }
}
