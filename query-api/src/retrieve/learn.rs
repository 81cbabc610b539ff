//! Learning the weights: logistic regression over the candidates of each question (one softmax a question), by gradient descent.
//!
//! For a question with candidates `a` (right) and `b`, `c` (wrong), what is made small is `-ln(e^a / (e^a + e^b + e^c))` with the scores of
//! today's weights, plus a penalty on large weights. A question whose right answers are not among the candidates teaches nothing here.

/// The candidates of a question.
#[derive(Debug, Clone)]
pub struct Group {
    /// Features of each.
    pub features: Vec<Vec<f32>>,
    /// Whether each is right.
    pub right: Vec<bool>,
    /// The row of each.
    pub rows: Vec<u32>,
}

const STEPS: usize = 600;
const RATE: f32 = 0.05;

/// The weights that put the right candidates first. The same for the same questions.
pub fn fit(groups: &[Group], penalty: f32) -> Vec<f32> {
    let Some(width) = groups.iter().find_map(|group| group.features.first().map(Vec::len)) else {
        return Vec::new();
    };
    let spread = spread(groups, width);
    let useful: Vec<Group> = groups
        .iter()
        .filter(|group| group.right.contains(&true) && group.right.contains(&false))
        .map(|group| Group {
            features: group
                .features
                .iter()
                .map(|features| features.iter().zip(&spread).map(|(x, s)| x / s).collect())
                .collect(),
            right: group.right.clone(),
            rows: Vec::new(),
        })
        .collect();
    let mut weights = vec![0.0_f32; width];
    let (mut mean, mut square) = (vec![0.0_f32; width], vec![0.0_f32; width]);
    for step in 1..=STEPS {
        let gradient = gradient(&useful, &weights, penalty);
        let step = step as f32;
        for at in 0..width {
            mean[at] = 0.9 * mean[at] + 0.1 * gradient[at];
            square[at] = 0.999 * square[at] + 0.001 * gradient[at] * gradient[at];
            let m = mean[at] / (1.0 - 0.9_f32.powf(step));
            let s = square[at] / (1.0 - 0.999_f32.powf(step));
            weights[at] -= RATE * m / (s.sqrt() + 1e-8);
        }
    }
    weights
        .iter()
        .zip(&spread)
        .map(|(weight, spread)| weight / spread)
        .collect()
}

fn gradient(groups: &[Group], weights: &[f32], penalty: f32) -> Vec<f32> {
    use rayon::prelude::*;
    let width = weights.len();
    let sum = groups
        .par_iter()
        .map(|group| {
            let mut gradient = vec![0.0_f32; width];
            let scores: Vec<f32> = group
                .features
                .iter()
                .map(|features| features.iter().zip(weights).map(|(x, w)| x * w).sum())
                .collect();
            let right = group.right.iter().filter(|right| **right).count().max(1) as f32;
            for (at, _) in group.right.iter().enumerate().filter(|(_, right)| **right) {
                // The other right ones are not in its way.
                let rivals = |other: usize| other == at || !group.right[other];
                let most = (0..scores.len())
                    .filter(|&other| rivals(other))
                    .map(|other| scores[other])
                    .fold(f32::MIN, f32::max);
                let total: f32 = (0..scores.len())
                    .filter(|&o| rivals(o))
                    .map(|o| (scores[o] - most).exp())
                    .sum();
                for other in (0..scores.len()).filter(|&other| rivals(other)) {
                    let share = (scores[other] - most).exp() / total;
                    let push = (share - if other == at { 1.0 } else { 0.0 }) / right;
                    for (g, x) in gradient.iter_mut().zip(&group.features[other]) {
                        *g += push * x;
                    }
                }
            }
            gradient
        })
        .reduce(
            || vec![0.0; width],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                a
            },
        );
    let count = groups.len().max(1) as f32;
    sum.iter().zip(weights).map(|(g, w)| g / count + penalty * w).collect()
}

/// Standard deviation of each feature over all candidates, so that one penalty fits all.
fn spread(groups: &[Group], width: usize) -> Vec<f32> {
    let (mut sum, mut square, mut count) = (vec![0.0_f64; width], vec![0.0_f64; width], 0.0_f64);
    for features in groups.iter().flat_map(|group| &group.features) {
        count += 1.0;
        for (at, &x) in features.iter().enumerate() {
            sum[at] += f64::from(x);
            square[at] += f64::from(x) * f64::from(x);
        }
    }
    (0..width)
        .map(|at| {
            let mean = sum[at] / count;
            let deviation = (square[at] / count - mean * mean).max(0.0).sqrt() as f32;
            if deviation > 1e-6 { deviation } else { f32::INFINITY }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_that_tells_gets_the_weight() {
        let group = |flip: f32| Group {
            features: vec![vec![1.0, flip, 0.5], vec![0.0, 1.0 - flip, 0.5], vec![0.1, 0.3, 0.5]],
            right: vec![true, false, false],
            rows: vec![0, 1, 2],
        };
        let weights = fit(&[group(0.0), group(1.0), group(0.0), group(1.0)], 0.01);
        assert!(weights[0] > 1.0 && weights[1].abs() < weights[0] / 2.0, "{weights:?}");
        assert_eq!(weights[2], 0.0, "what is always the same says nothing");
        assert!(fit(&[], 0.01).is_empty());
    }
}
