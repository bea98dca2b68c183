//! Calibrate: finds the widths of each row's Gaussians, so that each has its perplexity.
//!
//! A row is the mean of [`SCALES`] Gaussians, whose perplexities are those of a fine, the wanted and a coarse view of the
//! data: neighbourhoods of all sizes between them then weigh something. (Lee et al., multi-scale similarities, 2015.)

use super::lanes::{self, MAX_LANES};
use super::widen::{Neighbourhoods, THINNING};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Gaussians of a row.
pub const SCALES: usize = 3;

/// The mean Gaussian of one row: `p(j|i) = Σₛ exp(−betaₛ·(D_ij − nearest)) · inverse_sumₛ`.
/// The shift by the nearest distance keeps the exponentials away from underflow.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gaussian {
    /// 1/(2σ²); 0 until the row is calibrated for the first time.
    pub beta: [f32; SCALES],
    /// The row's smallest squared distance.
    pub nearest: f32,
    /// One over the sum of the shifted exponentials, and over the number of scales.
    pub inverse_sum: [f32; SCALES],
}

impl Gaussian {
    /// `p(j|i)` at squared distance `D_ij`.
    #[inline(always)]
    #[must_use]
    pub fn p(&self, distance: f32) -> f32 {
        let shifted = distance - self.nearest;
        self.beta.iter().zip(self.inverse_sum).map(|(beta, inverse_sum)| (-beta * shifted).exp() * inverse_sum).sum()
    }
}

/// The perplexities of a row's Gaussians: around the one that is wanted, up and down by a factor.
#[must_use]
pub fn perplexities(perplexity: f32, range: f32) -> [f32; SCALES] {
    [(perplexity / range).max(1.0), perplexity, perplexity * range]
}

/// The squared distances of a row, ascending.
#[derive(Debug, Clone, Copy)]
pub struct Distances<'a> {
    /// Of its nearest neighbours, all of them.
    pub listed: &'a [f32],
    /// Of a fair sample of those beyond.
    pub beyond: &'a [f32],
    /// How many each of the sample stands for.
    pub weight: f32,
}

impl<'a> Distances<'a> {
    /// Those of a point.
    #[must_use]
    pub fn of(neighbourhoods: Neighbourhoods<'a>, point: usize) -> Self {
        let beyond = neighbourhoods.beyond.map_or(&[][..], |beyond| found(beyond.distances(point)));
        Self { listed: found(neighbourhoods.listed.distances(point)), beyond, weight: THINNING as f32 }
    }

    /// A row of which all are known.
    #[must_use]
    pub fn all(listed: &'a [f32]) -> Self {
        Self { listed, beyond: &[], weight: 1.0 }
    }

    /// How many neighbours the row stands for.
    fn count(&self) -> f32 {
        self.listed.len() as f32 + self.weight * self.beyond.len() as f32
    }
}

/// The places of a list that are taken.
#[must_use]
pub fn found(distances: &[f32]) -> &[f32] {
    &distances[..distances.iter().take_while(|distance| distance.is_finite()).count()]
}

/// Largest difference of the entropy from ln(perplexity) that is left standing.
pub const TOLERANCE: f32 = 1e-4;
/// Steps after which the best found so far is taken; Newton needs three to six.
pub const MAX_STEPS: usize = 60;

/// Calibrates the dirty rows; they stay dirty for [`super::symmetrise`] to see.
pub fn calibrate(
    neighbourhoods: Neighbourhoods<'_>,
    dirty: &[bool],
    perplexities: [f32; SCALES],
    gaussians: &mut [Gaussian],
) {
    gaussians.par_iter_mut().enumerate().with_min_len(256).for_each(|(point, gaussian)| {
        if dirty[point] {
            *gaussian = calibrate_row(Distances::of(neighbourhoods, point), perplexities, gaussian.beta);
        }
    });
}

/// Calibrates one row, starting at `warm` (0: from scratch).
#[must_use]
pub fn calibrate_row(distances: Distances<'_>, perplexities: [f32; SCALES], warm: [f32; SCALES]) -> Gaussian {
    Arch::new().dispatch(Calibration { distances, perplexities, warm })
}

struct Calibration<'a> {
    distances: Distances<'a>,
    perplexities: [f32; SCALES],
    warm: [f32; SCALES],
}

impl WithSimd for Calibration<'_> {
    type Output = Gaussian;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Gaussian {
        let Self { distances, perplexities, warm } = self;
        let row = Row::of(distances);
        let mut gaussian = Gaussian { nearest: row.nearest, ..Gaussian::default() };
        for scale in 0..SCALES {
            let (beta, inverse_sum) = row.calibrate(simd, perplexities[scale], warm[scale]);
            gaussian.beta[scale] = beta;
            gaussian.inverse_sum[scale] = inverse_sum / SCALES as f32;
        }
        gaussian
    }
}

/// A row of squared distances less the nearest, and how many each stands for, padded to whole registers by some that stand
/// for none.
struct Row {
    nearest: f32,
    spread: f32,
    count: f32,
    shifted: Vec<f32>,
    weights: Vec<f32>,
}

impl Row {
    fn of(distances: Distances<'_>) -> Self {
        let nearest = distances.listed.first().copied().unwrap_or(0.0);
        let farthest = distances.beyond.last().or(distances.listed.last()).copied().unwrap_or(nearest);
        let all = distances.listed.len() + distances.beyond.len();
        let padded = all.next_multiple_of(MAX_LANES);
        let mut shifted = Vec::with_capacity(padded);
        shifted.extend(distances.listed.iter().chain(distances.beyond).map(|distance| distance - nearest));
        shifted.resize(padded, 0.0);
        let mut weights = vec![1.0; padded];
        weights[distances.listed.len()..all].fill(distances.weight);
        weights[all..].fill(0.0);
        Self { nearest, spread: farthest - nearest, count: distances.count(), shifted, weights }
    }

    /// Width of one Gaussian, and one over its sum.
    ///
    /// Newton's method on ln β inside a bracket: the entropy falls with β, so each step moves one end of the bracket, and
    /// a step that would leave it is replaced by bisection.
    #[inline(always)]
    fn calibrate<S: Simd>(&self, simd: S, perplexity: f32, warm: f32) -> (f32, f32) {
        let &Self { spread, count, .. } = self;
        if count == 0.0 {
            return (0.0, 0.0);
        }
        // More neighbours wanted than there are, or all at one distance: every width gives the same, an even, row.
        let target = perplexity.ln();
        if spread <= 0.0 || perplexity >= count {
            return (0.0, 1.0 / count);
        }
        let (mut low, mut high) = (0.0_f32, f32::INFINITY);
        let mut beta = if warm > 0.0 { warm } else { count / (spread * perplexity) };
        let mut sum = 1.0;
        for _ in 0..MAX_STEPS {
            let moments = self.moments(simd, beta);
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
                sum = self.moments(simd, beta).sum;
                break; // ties at the nearest distance hold the entropy above the target: the narrowest row it is
            }
        }
        (beta, 1.0 / sum)
    }

    #[inline(always)]
    fn moments<S: Simd>(&self, simd: S, beta: f32) -> Moments {
        let zero = simd.splat_f32s(0.0);
        let (mut sum, mut first, mut second) = (zero, zero, zero);
        let rate = simd.splat_f32s(-beta * std::f32::consts::LOG2_E);
        let rows = S::as_simd_f32s(&self.shifted).0.iter().zip(S::as_simd_f32s(&self.weights).0);
        for (&shifted, &weight) in rows {
            let e = simd.mul_f32s(weight, lanes::exp2(simd, simd.mul_f32s(rate, shifted)));
            let moment = simd.mul_f32s(e, shifted);
            sum = simd.add_f32s(sum, e);
            first = simd.add_f32s(first, moment);
            second = simd.mul_add_e_f32s(moment, shifted, second);
        }
        Moments {
            sum: simd.reduce_sum_f32s(sum),
            first: simd.reduce_sum_f32s(first),
            second: simd.reduce_sum_f32s(second),
        }
    }
}

/// Sums of the shifted exponentials and of their first two moments in the distance.
struct Moments {
    sum: f32,
    first: f32,
    second: f32,
}

impl Moments {
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
        let beta = f64::from(gaussian.beta[1]);
        let e: Vec<f64> = distances.iter().map(|&d| (-beta * f64::from(d)).exp()).collect();
        let e = if e.iter().sum::<f64>() > 0.0 {
            e
        } else {
            distances.iter().map(|&d| (-beta * f64::from(d - gaussian.nearest)).exp()).collect()
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
                let cold = calibrate_row(Distances::all(&distances), perplexities(wanted, 1.0), [0.0; SCALES]);
                let reached = perplexity(&cold, &distances);
                let error = (reached / f64::from(wanted) - 1.0).abs();
                assert!(error < MAX_ERROR, "{reached} instead of {wanted} at {}…", distances[0]);
                let sum: f32 = distances.iter().map(|&d| cold.p(d)).sum();
                assert!((sum - 1.0).abs() < 1e-4, "p sums to {sum}");
                let warm = calibrate_row(
                    Distances::all(&distances),
                    perplexities(wanted, 1.0),
                    cold.beta.map(|beta| beta * 1e3),
                );
                assert!((perplexity(&warm, &distances) / f64::from(wanted) - 1.0).abs() < MAX_ERROR);
                let perturbed = Gaussian { beta: cold.beta.map(|beta| beta * 1.1), ..cold };
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
                let gaussian = calibrate_row(Distances::all(distances), perplexities(wanted, 2.0), [0.0; SCALES]);
                let sum: f32 = distances.iter().map(|&d| gaussian.p(d)).sum();
                assert!(distances.is_empty() || (sum - 1.0).abs() < 1e-3, "{distances:?} at {wanted}: {gaussian:?}");
            }
        }
    }

    #[test]
    fn a_row_is_the_mean_of_three_perplexities_and_a_sample_stands_for_those_it_leaves_out() {
        let distances = ramp(0.0, 1.0, 480);
        let wanted = perplexities(24.0, 3.0);
        assert_eq!(wanted, [8.0, 24.0, 72.0]);
        let all = calibrate_row(Distances::all(&distances), wanted, [0.0; SCALES]);
        for (scale, wanted) in wanted.into_iter().enumerate() {
            let alone = calibrate_row(Distances::all(&distances), [wanted; SCALES], [0.0; SCALES]);
            assert!((alone.beta[1] / all.beta[scale] - 1.0).abs() < 1e-3, "scale {scale}: {alone:?} {all:?}");
        }
        let beyond: Vec<f32> = distances[60..].iter().skip(2).step_by(4).copied().collect();
        let sampled = Distances { listed: &distances[..60], beyond: &beyond, weight: 4.0 };
        let sampled = calibrate_row(sampled, wanted, [0.0; SCALES]);
        for scale in 0..SCALES {
            let error = (sampled.beta[scale] / all.beta[scale] - 1.0).abs();
            assert!(error < 0.02, "scale {scale}: {error}");
        }
        let cut = calibrate_row(Distances::all(&distances[..60]), wanted, [0.0; SCALES]);
        assert!((cut.beta[2] / all.beta[2] - 1.0).abs() > 0.1, "a row that ends early goes unnoticed");
    }
}
