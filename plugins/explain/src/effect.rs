//! How far apart two groups are in one number.

use crate::moments::Moments;
use serde::Serialize;
use std::cmp::Ordering;

/// How far apart two groups are in one number: a column, or a component of the vectors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// The column or component.
    pub name: String,
    /// Mean over A; NaN where A has no value.
    pub mean_a: f64,
    /// Mean over B; NaN where B has no value.
    pub mean_b: f64,
    /// Standard deviation over A, with n − 1; 0 of fewer than two values.
    pub sd_a: f64,
    /// Standard deviation over B, with n − 1; 0 of fewer than two values.
    pub sd_b: f64,
    /// Rows of A with a value; the others of A are missing.
    pub n_a: usize,
    /// Rows of B with a value; the others of B are missing.
    pub n_b: usize,
    /// Cohen's d: the difference of the means, A's less B's, in pooled standard deviations. 0 where both groups are
    /// constant and equal. None where both are constant and differ (no spread to measure by; `auc` is then 0 or 1) and
    /// where a group has no value.
    pub cohens_d: Option<f64>,
    /// P(a > b) + ½ P(a = b): 1 if every value of A exceeds every one of B, ½ if neither does more often. None where a
    /// group has no value, and for components beyond the [`crate::MAX_RANKED`] strongest.
    pub auc: Option<f64>,
}

impl Effect {
    /// The effect by means alone; where there is no spread, the AUC follows from the means as well.
    pub(crate) fn new(name: String, a: Moments, b: Moments) -> Self {
        let mean = |moments: Moments| if moments.n == 0 { f64::NAN } else { moments.mean };
        let constant = a.n > 0 && b.n > 0 && a.squares + b.squares == 0.0;
        let auc = constant.then(|| match a.mean.total_cmp(&b.mean) {
            _ if a.mean == b.mean => 0.5,
            Ordering::Greater => 1.0,
            _ => 0.0,
        });
        Self {
            name,
            mean_a: mean(a),
            mean_b: mean(b),
            sd_a: a.sd(),
            sd_b: b.sd(),
            n_a: a.n,
            n_b: b.n,
            cohens_d: cohens_d(a, b),
            auc,
        }
    }

    /// What effects are sorted by: |d|. Constants that differ come before all others, as nothing sets groups farther
    /// apart (their AUC is as far from ½ as can be); what cannot be compared comes last.
    fn strength(&self) -> f64 {
        match self.cohens_d {
            Some(d) => d.abs(),
            None if self.n_a > 0 && self.n_b > 0 => f64::INFINITY,
            None => -1.0,
        }
    }

    /// The order of effects, the strongest first.
    pub(crate) fn by_strength(left: &Self, right: &Self) -> Ordering {
        right.strength().total_cmp(&left.strength())
    }
}

fn cohens_d(a: Moments, b: Moments) -> Option<f64> {
    if a.n == 0 || b.n == 0 {
        return None;
    }
    let difference = a.mean - b.mean;
    let squares = a.squares + b.squares;
    if squares == 0.0 {
        return (difference == 0.0).then_some(0.0);
    }
    // Squares other than zero need two values in a group, so the divisor is at least 1.
    let pooled = (squares / (a.n + b.n - 2) as f64).sqrt();
    Some(difference / pooled).filter(|d| d.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(a: &[f64], b: &[f64]) -> Effect {
        Effect::new("x".to_owned(), Moments::of(a), Moments::of(b))
    }

    #[test]
    fn cohens_d_by_hand() {
        // Means 4 and 1; squares 8 and 2 over 3 + 3 − 2: pooled sd √2.5.
        let found = effect(&[2.0, 4.0, 6.0], &[0.0, 1.0, 2.0]);
        assert!((found.cohens_d.unwrap() - 3.0 / 2.5f64.sqrt()).abs() < 1e-15);
        assert_eq!((found.mean_a, found.mean_b, found.sd_a, found.sd_b), (4.0, 1.0, 2.0, 1.0));
        assert!((effect(&[2.0, 4.0, 7.0], &[0.0, 1.0, 2.0]).cohens_d.unwrap() - 3.0 / 2.5f64.sqrt()).abs() > 0.01);
        // A single row is measured by the spread of the others.
        assert!((effect(&[3.0], &[0.0, 1.0, 2.0]).cohens_d.unwrap() - 2.0).abs() < 1e-15);
    }

    #[test]
    fn constants_are_never_infinite() {
        let same = effect(&[0.1; 3], &[0.1; 7]);
        assert_eq!((same.cohens_d, same.auc), (Some(0.0), Some(0.5)));
        let above = effect(&[2.0; 3], &[1.0; 7]);
        assert_eq!((above.cohens_d, above.auc), (None, Some(1.0)));
        let below = effect(&[1.0], &[2.0]);
        assert_eq!((below.cohens_d, below.auc), (None, Some(0.0)));
        let none = effect(&[], &[2.0]);
        assert_eq!((none.cohens_d, none.auc, none.n_a, none.mean_b), (None, None, 0, 2.0));
        assert!(none.mean_a.is_nan());
    }

    #[test]
    fn the_strongest_come_first() {
        let mut effects = [
            effect(&[], &[1.0]),
            effect(&[1.0, 2.0], &[1.5, 2.5]),
            effect(&[1.0, 2.0], &[8.0, 9.0]),
            effect(&[1.0; 2], &[2.0; 2]),
            effect(&[3.0; 2], &[3.0; 2]),
        ];
        effects.sort_by(Effect::by_strength);
        let means: Vec<f64> = effects.iter().map(|effect| effect.mean_b).collect();
        assert_eq!(means, [2.0, 8.5, 2.0, 3.0, 1.0]);
        assert_eq!(effects[0].auc, Some(0.0));
    }
}
