//! Stretches of numbers that comparisons allow.

use super::words::Operator;

/// Numbers that have a next one.
pub(super) trait Steps: Copy + PartialOrd {
    const LEAST: Self;
    const GREATEST: Self;
    /// The number just below.
    fn below(self) -> Self;
    /// The number just above.
    fn above(self) -> Self;
}

impl Steps for i128 {
    const LEAST: Self = Self::MIN;
    const GREATEST: Self = Self::MAX;

    fn below(self) -> Self {
        self.saturating_sub(1)
    }

    fn above(self) -> Self {
        self.saturating_add(1)
    }
}

impl Steps for f64 {
    const LEAST: Self = Self::NEG_INFINITY;
    const GREATEST: Self = Self::INFINITY;

    /// Nothing is below −∞, and nothing is at most NaN.
    fn below(self) -> Self {
        if self == Self::LEAST { Self::NAN } else { self.next_down() }
    }

    /// Nothing is above ∞, and nothing is at least NaN.
    fn above(self) -> Self {
        if self == Self::GREATEST { Self::NAN } else { self.next_up() }
    }
}

/// What a typed value stands for among the values that a column can hold: from the first that is not below it to the
/// last that is not above it. A day is many seconds; 3.5 among whole numbers is none, the first being 4 and the last 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span<T> {
    pub(super) first: T,
    pub(super) last: T,
}

/// From `low` to `high`, both included, or everything else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Within<T> {
    pub(super) low: T,
    pub(super) high: T,
    pub(super) not: bool,
}

impl<T: Steps> Within<T> {
    /// What a comparison with a value allows.
    pub(super) fn compared(operator: Operator, Span { first, last }: Span<T>) -> Self {
        let (low, high) = match operator {
            Operator::Has | Operator::Is | Operator::IsNot => (first, last),
            Operator::Less => (T::LEAST, first.below()),
            Operator::AtMost => (T::LEAST, last),
            Operator::More => (last.above(), T::GREATEST),
            Operator::AtLeast => (first, T::GREATEST),
        };
        Self { low, high, not: operator == Operator::IsNot }
    }

    /// What a range allows, an end left out being open.
    pub(super) fn range(from: Option<Span<T>>, to: Option<Span<T>>) -> Self {
        let low = from.map_or(T::LEAST, |span| span.first);
        Self { low, high: to.map_or(T::GREATEST, |span| span.last), not: false }
    }

    /// Whether a number is allowed. NaN never is.
    pub(super) fn holds(&self, value: T) -> bool {
        let is_number = value.partial_cmp(&value).is_some();
        is_number && (self.low <= value && value <= self.high) != self.not
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATORS: [Operator; 6] =
        [Operator::Is, Operator::IsNot, Operator::Less, Operator::AtMost, Operator::More, Operator::AtLeast];

    fn expected(operator: Operator, value: f64, typed: f64) -> bool {
        match operator {
            Operator::Has | Operator::Is => value == typed,
            Operator::IsNot => value != typed && !value.is_nan(),
            Operator::Less => value < typed,
            Operator::AtMost => value <= typed,
            Operator::More => value > typed,
            Operator::AtLeast => value >= typed,
        }
    }

    #[test]
    fn comparisons_hold_as_they_do_for_numbers() {
        let values = [f64::NEG_INFINITY, -1e300, -2.5, -0.0, 0.0, 5e-324, 3.0, 3.5, f64::MAX, f64::INFINITY, f64::NAN];
        for operator in OPERATORS {
            for typed in values.into_iter().filter(|value| !value.is_nan()) {
                let within = Within::compared(operator, Span { first: typed, last: typed });
                for value in values {
                    assert_eq!(within.holds(value), expected(operator, value, typed), "{value} {operator:?} {typed}");
                }
            }
        }
    }

    #[test]
    fn whole_numbers_compare_with_fractions_exactly() {
        for operator in OPERATORS {
            for typed in [-3.5, -3.0, -0.5, 0.0, 2.0, 2.25] {
                let span = Span { first: f64::ceil(typed) as i128, last: f64::floor(typed) as i128 };
                let within = Within::compared(operator, span);
                for value in -6..6 {
                    let expected = expected(operator, value as f64, typed);
                    assert_eq!(within.holds(value), expected, "{value} {operator:?} {typed}");
                }
            }
        }
    }
}
