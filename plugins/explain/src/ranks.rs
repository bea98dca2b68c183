//! How often a value of A exceeds one of B, by ranks.

use std::cmp::Ordering;

/// The key of a 32-bit value that is missing; every value's key is smaller.
pub(crate) const MISSING_KEY: u32 = u32::MAX;

/// A whole number that orders as the finite values do, both zeros being one; [`MISSING_KEY`] for any other value.
pub(crate) fn key32(value: f32) -> u32 {
    if !value.is_finite() {
        return MISSING_KEY;
    }
    let bits = (value + 0.0).to_bits(); // −0 becomes 0
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// As [`key32`], of 64 bits and for finite values only.
pub(crate) fn key64(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// P(a > b) + ½ P(a = b) for an a of A and a b of B drawn at random: the area under the ROC curve, and Mann and
/// Whitney's U over the number of pairs, where ties take the mean of their ranks. Nothing if a side is empty.
pub(crate) fn auc<K: Ord + Copy>(mut a: Vec<K>, mut b: Vec<K>) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    a.sort_unstable();
    b.sort_unstable();
    // Twice U: two for each b below an a, one for each that is equal. Whole numbers, so nothing is rounded.
    let mut twice = 0u128;
    let (mut below, mut not_above) = (0, 0);
    for key in a.iter() {
        while b.get(below).is_some_and(|other| other.cmp(key) == Ordering::Less) {
            below += 1;
        }
        not_above = not_above.max(below);
        while b.get(not_above).is_some_and(|other| other.cmp(key) == Ordering::Equal) {
            not_above += 1;
        }
        twice += (below + not_above) as u128;
    }
    Some(twice as f64 / (2.0 * a.len() as f64 * b.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::noise;

    fn by_pairs(a: &[f64], b: &[f64]) -> f64 {
        let half = |a: f64, b: f64| if a > b { 2 } else { usize::from(a == b) };
        let sum: usize = a.iter().map(|&a| b.iter().map(|&b| half(a, b)).sum::<usize>()).sum();
        sum as f64 / (2 * a.len() * b.len()) as f64
    }

    fn by_ranks(a: &[f64], b: &[f64]) -> f64 {
        let keys = |values: &[f64]| values.iter().map(|&value| key64(value)).collect();
        auc(keys(a), keys(b)).unwrap()
    }

    #[test]
    fn ranks_agree_with_all_pairs_with_and_without_ties() {
        let (a, b) = (noise(70, 1), noise(90, 2));
        for grain in [1e-9, 0.5, 2.0] {
            let coarse = |values: &[f64]| -> Vec<f64> { values.iter().map(|x| (x / grain).round() * grain).collect() };
            let (a, b) = (coarse(&a), coarse(&b));
            assert_eq!(by_ranks(&a, &b), by_pairs(&a, &b), "{grain}");
            assert_eq!(by_ranks(&b, &a), by_pairs(&b, &a), "{grain}");
            assert_ne!(by_ranks(&a, &b), by_pairs(&a[1..], &b), "{grain}");
            let narrow = |values: &[f64]| values.iter().map(|&value| key32(value as f32)).collect();
            assert!((auc::<u32>(narrow(&a), narrow(&b)).unwrap() - by_pairs(&a, &b)).abs() < 1e-3, "{grain}");
        }
    }

    #[test]
    fn the_ends_are_exact() {
        assert_eq!(by_ranks(&[2.0, 3.0], &[-1.0, 1.0]), 1.0);
        assert_eq!(by_ranks(&[-1.0, 1.0], &[2.0, 3.0]), 0.0);
        assert_eq!(by_ranks(&[4.0; 3], &[4.0; 5]), 0.5);
        assert_eq!(by_ranks(&[-0.0], &[0.0]), 0.5);
        assert_eq!(auc::<u32>(vec![], vec![1]), None);
    }

    #[test]
    fn keys_order_as_values_do() {
        let ascending = [f32::MIN, -2.5, -f32::MIN_POSITIVE, 0.0, f32::MIN_POSITIVE, 1.0, f32::MAX];
        assert!(ascending.windows(2).all(|pair| key32(pair[0]) < key32(pair[1])));
        assert!(ascending.windows(2).all(|pair| key64(pair[0].into()) < key64(pair[1].into())));
        assert!(key32(f32::MAX) < MISSING_KEY);
        assert_eq!(key32(-0.0), key32(0.0));
        for missing in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(key32(missing), MISSING_KEY);
        }
    }
}
