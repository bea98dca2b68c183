//! Calibrate: finds each row's width β so that its Gaussian has the wanted perplexity.

use crate::lists::Lists;
use rayon::prelude::*;

/// The Gaussian of one row: `p(j|i) = exp(−beta·(D_ij − nearest)) · inverse_sum`.
/// The shift by the nearest distance keeps the exponentials away from underflow.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gaussian {
    /// 1/(2σ²); 0 until the row is calibrated for the first time.
    pub beta: f32,
    /// The row's smallest squared distance.
    pub nearest: f32,
    /// One over the sum of the shifted exponentials.
    pub inverse_sum: f32,
}

impl Gaussian {
    /// `p(j|i)` at squared distance `D_ij`.
    #[inline(always)]
    #[must_use]
    pub fn p(&self, distance: f32) -> f32 {
        (-self.beta * (distance - self.nearest)).exp() * self.inverse_sum
    }
}

/// Largest difference of the entropy from ln(perplexity) that is left standing.
pub const TOLERANCE: f32 = 1e-4;
/// Steps after which the best found so far is taken; Newton needs three to six.
pub const MAX_STEPS: usize = 60;

/// Calibrates the dirty rows; they stay dirty for [`super::symmetrise`] to see.
pub fn calibrate(hd: &Lists, dirty: &[bool], perplexity: f32, gaussians: &mut [Gaussian]) {
    gaussians.par_iter_mut().enumerate().with_min_len(256).for_each(|(point, gaussian)| {
        if dirty[point] {
            let distances = hd.distances(point);
            let found = distances.iter().take_while(|distance| distance.is_finite()).count();
            *gaussian = calibrate_row(&distances[..found], perplexity, gaussian.beta);
        }
    });
}

/// Calibrates one ascending row, starting at `warm` (0: from scratch).
///
/// Newton's method on ln β inside a bracket: the entropy falls with β, so each step moves one end of the bracket, and
/// a step that would leave it is replaced by bisection.
#[must_use]
pub fn calibrate_row(distances: &[f32], perplexity: f32, warm: f32) -> Gaussian {
    let Some((&nearest, &farthest)) = distances.first().zip(distances.last()) else {
        return Gaussian::default();
    };
    let spread = farthest - nearest;
    // More neighbours wanted than there are, or all at one distance: every width gives the same, an even, row.
    let target = perplexity.ln();
    if spread <= 0.0 || perplexity >= distances.len() as f32 {
        return Gaussian { beta: 0.0, nearest, inverse_sum: 1.0 / distances.len() as f32 };
    }
    let (mut low, mut high) = (0.0_f32, f32::INFINITY);
    let mut beta = if warm > 0.0 { warm } else { distances.len() as f32 / (spread * perplexity) };
    let mut sum = 1.0;
    for _ in 0..MAX_STEPS {
        let moments = Moments::of(distances, nearest, beta);
        sum = moments.sum;
        let excess = moments.entropy(beta) - target;
        if excess.abs() < TOLERANCE {
            break;
        }
        if excess > 0.0 {
            low = beta
        } else {
            high = beta
        }
        // dH/d(ln β) = −β²·variance
        let slope = -beta * beta * moments.variance();
        let newton = beta * (-excess / slope).clamp(-2.0, 2.0).exp();
        let bisection = if high.is_finite() { 0.5 * (low + high) } else { beta * 4.0 };
        beta = if newton > low && newton < high { newton } else { bisection };
        if !(beta > 0.0 && beta.is_finite()) || (high - low) <= f32::EPSILON * low {
            beta = low.max(f32::MIN_POSITIVE);
            sum = Moments::of(distances, nearest, beta).sum;
            break; // ties at the nearest distance hold the entropy above the target: the narrowest row it is
        }
    }
    Gaussian { beta, nearest, inverse_sum: 1.0 / sum }
}

/// Sums of the shifted exponentials and of their first two moments in the distance.
struct Moments {
    sum: f32,
    first: f32,
    second: f32,
}

impl Moments {
    fn of(distances: &[f32], nearest: f32, beta: f32) -> Self {
        let mut moments = Self { sum: 0.0, first: 0.0, second: 0.0 };
        for distance in distances {
            let shifted = distance - nearest;
            let e = (-beta * shifted).exp();
            moments.sum += e;
            moments.first += e * shifted;
            moments.second += e * shifted * shifted;
        }
        moments
    }

    fn entropy(&self, beta: f32) -> f32 {
        self.sum.ln() + beta * self.first / self.sum
    }

    fn variance(&self) -> f32 {
        let mean = self.first / self.sum;
        (self.second / self.sum - mean * mean).max(1e-30)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest relative error of the perplexity that a calibrated row may have.
    const MAX_ERROR: f64 = 2e-3;

    /// The perplexity of a calibrated row, straight from the definition in f64.
    fn perplexity(gaussian: &Gaussian, distances: &[f32]) -> f64 {
        let e: Vec<f64> = distances.iter().map(|&d| (-f64::from(gaussian.beta) * f64::from(d)).exp()).collect();
        let e = if e.iter().sum::<f64>() > 0.0 {
            e
        } else {
            distances.iter().map(|&d| (-f64::from(gaussian.beta) * f64::from(d - gaussian.nearest)).exp()).collect()
        };
        let sum: f64 = e.iter().sum();
        e.iter().filter(|&&e| e > 0.0).map(|e| -(e / sum) * (e / sum).ln()).sum::<f64>().exp()
    }

    fn ramp(from: f32, to: f32, count: usize) -> Vec<f32> {
        (0..count).map(|i| from + (to - from) * (i as f32 / (count - 1) as f32).powi(2)).collect()
    }

    #[test]
    fn rows_reach_the_requested_perplexity() {
        for distances in [ramp(0.0, 1.0, 96), ramp(100.0, 105.0, 96), ramp(1e-9, 1e-8, 96), ramp(1e6, 4e9, 96)] {
            for wanted in [2.0, 5.0, 30.0, 80.0] {
                let cold = calibrate_row(&distances, wanted, 0.0);
                let reached = perplexity(&cold, &distances);
                let error = (reached / f64::from(wanted) - 1.0).abs();
                assert!(error < MAX_ERROR, "{reached} instead of {wanted} at {}…", distances[0]);
                let sum: f32 = distances.iter().map(|&d| cold.p(d)).sum();
                assert!((sum - 1.0).abs() < 1e-4, "p sums to {sum}");
                let warm = calibrate_row(&distances, wanted, cold.beta * 1e3);
                assert!((perplexity(&warm, &distances) / f64::from(wanted) - 1.0).abs() < MAX_ERROR);
                let perturbed = Gaussian { beta: cold.beta * 1.1, ..cold };
                assert!((perplexity(&perturbed, &distances) / f64::from(wanted) - 1.0).abs() > MAX_ERROR);
            }
        }
    }

    #[test]
    fn degenerate_rows_stay_finite() {
        let rows: [&[f32]; 6] = [
            &[],
            &[0.0],
            &[0.0, 0.0, 0.0, 0.0],
            &[3.0, 3.0, 3.0],
            &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            &[0.0, f32::MIN_POSITIVE, 1e30, 1e37],
        ];
        for distances in rows {
            for wanted in [1.0, 2.0, 4.0, 30.0] {
                let gaussian = calibrate_row(distances, wanted, 0.0);
                let sum: f32 = distances.iter().map(|&d| gaussian.p(d)).sum();
                assert!(distances.is_empty() || (sum - 1.0).abs() < 1e-3, "{distances:?} at {wanted}: {gaussian:?}");
            }
        }
    }
}
