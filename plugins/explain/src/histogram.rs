//! The counts of both groups along an axis.

use crate::dip::{Dip, Sample, find_dip};
use crate::quantile::quantile;
use serde::Serialize;

/// A histogram that chooses its bins has at least so many.
pub const MIN_BINS: usize = 20;
/// A histogram that chooses its bins has at most so many.
pub const MAX_BINS: usize = 80;

/// The range leaves out this share of a group at each end.
const TAIL: f64 = 0.001;

/// Both groups projected on the axis in the data that leads from the mean of B to that of A:
/// t = (x − mean_b)·(mean_a − mean_b) / |mean_a − mean_b|², so B's mean is 0 and A's is 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AxisHistogram {
    /// The bounds of the bins, ascending: one more than bins. A value on a bound belongs to the bin above it, on the
    /// last to the last. Empty if there are no values, which is so if both means are the same.
    pub edges: Vec<f64>,
    /// Values of A in each bin; those beyond the ends are in the end bins.
    pub a: Vec<usize>,
    /// Values of B in each bin; those beyond the ends are in the end bins.
    pub b: Vec<usize>,
    /// The gap between the two highest modes of both groups together; none if there is one mode, or if chance could
    /// have made the gap.
    pub dip: Option<Dip>,
}

/// Counts the values of both groups (one of which may be empty) and looks for a dip. Values that are not finite are
/// left out.
///
/// The range is that of the middle 99.8 % of each group. Without a number of bins, they are as wide as Freedman and
/// Diaconis advise, 2 IQR / ∛n, but between [`MIN_BINS`] and [`MAX_BINS`] in number.
#[must_use]
pub fn axis_histogram(a: &[f64], b: &[f64], bins: Option<usize>) -> AxisHistogram {
    let finite = |values: &[f64]| -> Vec<f64> { values.iter().copied().filter(|value| value.is_finite()).collect() };
    let (mut a, mut b) = rayon::join(|| finite(a), || finite(b));
    let (of_a, of_b) = rayon::join(|| Sample::of(&mut a, TAIL), || Sample::of(&mut b, TAIL));
    let samples: Vec<Sample> = [of_a, of_b].into_iter().flatten().collect();
    let low = samples.iter().map(|sample| sample.range[0]).min_by(f64::total_cmp);
    let high = samples.iter().map(|sample| sample.range[1]).max_by(f64::total_cmp);
    let (Some(low), Some(high)) = (low, high) else {
        return AxisHistogram { edges: Vec::new(), a: Vec::new(), b: Vec::new(), dip: None };
    };
    let [low, high] = widened(low, high);
    let bins = bins.unwrap_or_else(|| advised_bins(&a, &b, high - low)).max(1);
    let edges: Vec<f64> = (0..=bins).map(|bin| edge(low, high, bin, bins)).collect();
    let (in_a, in_b) = rayon::join(|| counts(&a, &edges), || counts(&b, &edges));
    let dip = find_dip(&a, &b, &samples, [low, high]);
    AxisHistogram { edges, a: in_a, b: in_b, dip }
}

/// A range that has a width also where all values are equal.
fn widened(low: f64, high: f64) -> [f64; 2] {
    if high > low { [low, high] } else { [low - 0.5, high + 0.5] }
}

fn edge(low: f64, high: f64, bin: usize, bins: usize) -> f64 {
    if bin == bins { high } else { low + (high - low) * (bin as f64 / bins as f64) }
}

/// Freedman and Diaconis' number of bins, within bounds.
fn advised_bins(a: &[f64], b: &[f64], range: f64) -> usize {
    let mut pooled: Vec<f64> = a.iter().chain(b).copied().collect();
    let quartiles = [0.25, 0.75].map(|share| quantile(&mut pooled, share).unwrap_or_default());
    let width = 2.0 * (quartiles[1] - quartiles[0]) / (pooled.len() as f64).cbrt();
    // No width at all asks for any number of bins, and `as` keeps to the greatest.
    ((range / width).ceil() as usize).clamp(MIN_BINS, MAX_BINS)
}

fn counts(values: &[f64], edges: &[f64]) -> Vec<usize> {
    let bins = edges.len() - 1;
    let mut counts = vec![0; bins];
    let (low, width) = (edges[0], (edges[bins] - edges[0]) / bins as f64);
    for &value in values {
        let mut bin = (((value - low) / width) as usize).min(bins - 1); // `as` takes what is below to 0
        // The division is rounded; the bounds decide.
        if value < edges[bin] {
            bin = bin.saturating_sub(1);
        } else if bin + 1 < bins && value >= edges[bin + 1] {
            bin += 1;
        }
        counts[bin] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::noise;

    #[test]
    fn values_fall_into_their_bins() {
        let found = axis_histogram(&[0.0, 0.1, 0.25, 0.99], &[1.0, 0.5, f64::NAN], Some(4));
        // With so few values the range nearly reaches the extremes: just above 0 and just below 1.
        assert!((0.0..0.001).contains(&found.edges[0]) && (0.999..=1.0).contains(&found.edges[4]), "{:?}", found.edges);
        assert_eq!((found.a, found.b), (vec![3, 0, 0, 1], vec![0, 0, 1, 1]));
        let edges = [0.0, 0.1, 0.2, 0.30000000000000004, 0.4];
        let on_bounds = [-5.0, 0.0, 0.1, 0.2, 0.3, 0.30000000000000004, 0.4, 9.0];
        assert_eq!(counts(&on_bounds, &edges), [2, 1, 2, 3]); // numpy.histogram of the clipped values
    }

    #[test]
    fn every_value_is_counted_and_outliers_do_not_stretch_the_range() {
        let mut a = noise(5000, 1);
        let b: Vec<f64> = noise(8000, 2).iter().map(|x| x + 3.0).collect();
        let calm = axis_histogram(&a, &b, None);
        a.extend([1e6, -1e6, f64::INFINITY]);
        let wild = axis_histogram(&a, &b, None);
        assert!(wild.edges[0] > -5.0 && wild.edges.last().unwrap() < &8.0, "{:?}", wild.edges);
        assert_eq!(calm.a.iter().sum::<usize>(), 5000);
        assert_eq!((wild.a.iter().sum::<usize>(), wild.b.iter().sum::<usize>()), (5002, 8000));
        assert!((MIN_BINS..=MAX_BINS).contains(&calm.a.len()) && calm.edges.len() == calm.a.len() + 1);
    }

    #[test]
    fn a_small_group_far_away_is_in_range() {
        let far: Vec<f64> = noise(40, 1).iter().map(|x| x + 20.0).collect();
        let found = axis_histogram(&far, &noise(100_000, 2), None);
        assert!(*found.edges.last().unwrap() > 21.0, "{:?}", found.edges.last());
        assert!(found.dip.is_some());
    }

    #[test]
    fn the_bins_follow_the_number_of_values_within_bounds() {
        let bins = |count| axis_histogram(&noise(count, 1), &noise(count, 2), None).a.len();
        assert_eq!((bins(20), bins(200_000)), (MIN_BINS, MAX_BINS));
        assert!((MIN_BINS + 1..MAX_BINS).contains(&bins(1500)), "{}", bins(1500));
    }

    #[test]
    fn no_values_equal_values_and_one_group() {
        let none = axis_histogram(&[], &[f64::NAN], None);
        assert_eq!((none.edges.len(), none.a.len(), none.b.len(), none.dip), (0, 0, 0, None));
        let same = axis_histogram(&[2.0; 30], &[2.0; 10], None);
        assert_eq!((same.a.iter().sum::<usize>(), same.b.iter().sum::<usize>(), same.dip), (30, 10, None));
        assert_eq!((same.edges[0], same.edges[same.a.len()]), (1.5, 2.5));
        let one = axis_histogram(&noise(1000, 1), &[], None);
        assert_eq!((one.a.iter().sum::<usize>(), one.b.iter().sum::<usize>(), one.dip), (1000, 0, None));
    }
}
