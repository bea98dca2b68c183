//! Quantiles without sorting.

/// The quantile of finite values at a share (0…1), between two values by their distance, as NumPy does by default;
/// nothing of no values. Reorders the values.
pub(crate) fn quantile(values: &mut [f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let place = share * last as f64;
    let below = (place.floor() as usize).min(last);
    let (_, &mut low, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    Some(low + (high - low) * (place - below as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_by_hand() {
        let of = |share| quantile(&mut [7.0, 1.0, 3.0, 2.0], share).unwrap();
        assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(of), [1.0, 1.75, 2.5, 4.0, 7.0]); // numpy.quantile
        assert_eq!(quantile(&mut [4.0], 0.3), Some(4.0));
        assert_eq!(quantile(&mut [], 0.3), None);
    }
}
