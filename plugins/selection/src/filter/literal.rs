//! Numbers as people type them.

use super::span::Span;
use dataset::arrow::datatypes::{ArrowPrimitiveType, DataType, Float16Type};

type F16 = <Float16Type as ArrowPrimitiveType>::Native;

/// Seconds typed as decimals may miss a whole number of a column's units by this share of themselves.
const ROUNDING: f64 = 1e-12;

/// A number, with the minus and the infinity that the program itself shows understood, too; NaN is none.
pub(super) fn real(word: &str) -> Option<f64> {
    let word = word.trim().replace('−', "-").replace('∞', "inf");
    word.parse::<f64>().ok().filter(|value| !value.is_nan())
}

/// A number among whole numbers.
pub(super) fn whole(word: &str) -> Option<Span<i128>> {
    if let Ok(value) = word.trim().replace('−', "-").parse() {
        return Some(Span { first: value, last: value }); // exact where f64 is not
    }
    let value = real(word)?;
    Some(Span { first: value.ceil() as i128, last: value.floor() as i128 })
}

/// A number among those of a column: at its precision, so that 0.1 is the column's 0.1.
pub(super) fn real_of(word: &str, data_type: &DataType) -> Option<Span<f64>> {
    let value = real(word)?;
    let rounded = match data_type {
        DataType::Float16 => F16::from_f64(value).to_f64(),
        DataType::Float32 => f64::from(value as f32),
        _ => value,
    };
    // Numbers beyond the column's range stay themselves: they are not its infinity or zero.
    let kept = rounded.is_infinite() == value.is_infinite() && (rounded == 0.0) == (value == 0.0);
    let value = if kept { rounded } else { value };
    Some(Span { first: value, last: value })
}

/// Seconds, counted in units of which `per_sec` are a second.
pub(super) fn secs(word: &str, per_sec: i64) -> Option<Span<i128>> {
    let units = real(word)? * per_sec as f64;
    let nearest = units.round();
    let value = if (units - nearest).abs() <= units.abs() * ROUNDING { nearest } else { units };
    Some(Span { first: value.ceil() as i128, last: value.floor() as i128 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_way_of_writing_them() {
        for (word, expected) in [
            ("3", Some(3.0)),
            ("+3.50", Some(3.5)),
            ("−2", Some(-2.0)),
            (".5", Some(0.5)),
            ("1e3", Some(1000.0)),
            ("-∞", Some(f64::NEG_INFINITY)),
            ("inf", Some(f64::INFINITY)),
            ("nan", None),
            ("", None),
            ("3 apples", None),
            ("0x10", None),
        ] {
            assert_eq!(real(word), expected, "{word}");
        }
    }

    #[test]
    fn whole_numbers_are_exact() {
        let span = |first, last| Some(Span { first, last });
        assert_eq!(whole("9007199254740993"), span(9_007_199_254_740_993, 9_007_199_254_740_993));
        assert_eq!(whole("18446744073709551615"), span(u64::MAX.into(), u64::MAX.into()));
        assert_eq!(whole("3.0"), span(3, 3));
        assert_eq!(whole("-3.5"), span(-3, -4));
        assert_eq!(whole("1e400"), span(i128::MAX, i128::MAX));
        assert_eq!(whole("x"), None);
    }

    #[test]
    fn fractions_take_the_precision_of_their_column() {
        let value = |word: &str, data_type| real_of(word, &data_type).unwrap().first;
        assert_eq!(value("0.1", DataType::Float32), f64::from(0.1f32));
        assert_eq!(value("0.1", DataType::Float64), 0.1);
        assert_eq!(value("0.1", DataType::Float16), 0.099_975_585_937_5);
        assert_eq!(value("1e300", DataType::Float32), 1e300);
        assert_eq!(value("1e-300", DataType::Float32), 1e-300);
        assert_eq!(value("inf", DataType::Float16), f64::INFINITY);
    }

    #[test]
    fn seconds_are_counted_in_units() {
        assert_eq!(secs("1.1", 1000), Some(Span { first: 1100, last: 1100 }));
        assert_eq!(secs("0.3", 1_000_000_000), Some(Span { first: 300_000_000, last: 300_000_000 }));
        assert_eq!(secs("1.5", 1), Some(Span { first: 2, last: 1 }));
    }
}
