//! Means and variances that add up without loss.

/// Number, mean and sum of squared deviations of some values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Moments {
    /// Number of values.
    pub n: usize,
    /// Their mean; 0 of none.
    pub mean: f64,
    /// The sum of their squared distances from the mean.
    pub squares: f64,
}

impl Moments {
    /// The moments of finite values, in two passes. Equal values have a spread of exactly zero.
    pub fn of(values: &[f64]) -> Self {
        let Some(&first) = values.first() else { return Self::default() };
        let n = values.len();
        // Relative to one of them, equal values leave no rounding behind.
        let mean = first + values.iter().map(|value| value - first).sum::<f64>() / n as f64;
        let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Self { n, mean, squares }
    }

    /// The moments of both sets of values together (Chan, Golub and LeVeque 1979).
    pub fn add(self, other: Self) -> Self {
        if self.n == 0 || other.n == 0 {
            return if self.n == 0 { other } else { self };
        }
        let n = self.n + other.n;
        let step = other.mean - self.mean;
        let part = other.n as f64 / n as f64;
        Self {
            n,
            mean: self.mean + step * part,
            squares: self.squares + other.squares + step * step * self.n as f64 * part,
        }
    }

    /// The standard deviation, with n − 1; 0 of fewer than two values.
    pub fn sd(self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.squares / (self.n - 1) as f64).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::noise;

    #[test]
    fn parts_add_up_to_the_whole() {
        let values: Vec<f64> = noise(1000, 1).iter().map(|x| x * 3.0 + 1e6).collect();
        let whole = Moments::of(&values);
        let close = |sum: Moments| {
            sum.n == whole.n
                && (sum.mean - whole.mean).abs() < 1e-12 * whole.mean
                && (sum.sd() - whole.sd()).abs() < 1e-9 * whole.sd()
        };
        for at in [0, 1, 137, 999, 1000] {
            let (left, right) = values.split_at(at);
            assert!(close(Moments::of(left).add(Moments::of(right))), "{at}");
        }
        assert!(!close(Moments::of(&values[1..])));
        assert!(!close(Moments::of(&values[500..]).add(Moments::of(&values[500..]))));
    }

    #[test]
    fn a_far_mean_costs_no_digits() {
        let far = Moments::of(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]);
        assert_eq!((far.mean, far.squares), (1e9 + 10.0, 90.0));
        assert!((far.sd() - 30f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn equal_values_have_no_spread() {
        let third = Moments::of(&[0.1; 3]);
        assert_eq!((third.mean, third.squares, third.sd()), (0.1, 0.0, 0.0));
        assert_eq!(third.add(Moments::of(&[0.1; 1000])).squares, 0.0);
        assert!(Moments::of(&[0.1, 0.1, 0.1 + 1e-15]).squares > 0.0);
        assert_eq!(Moments::of(&[5.0]).sd(), 0.0);
        assert_eq!(Moments::of(&[]), Moments::default());
    }
}
