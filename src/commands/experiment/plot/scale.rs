//! The numbers of an axis: where they are, and which of them are written, round ones and few enough not to touch.

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// Steps of a linear axis, at most.
const STEPS: f64 = 6.0;
/// Powers of ten that have room for 2 and 5 times themselves between them.
const DECADES: f64 = 3.0;
/// Leading digits of round numbers.
const ROUND: [f64; 3] = [1.0, 2.0, 5.0];
/// Relatively: numbers that differ by less are the same.
const TOLERANCE: f64 = 1e-6;

/// From a number to its place and its label.
#[derive(Debug, Clone)]
pub struct Scale {
    range: Range<f64>,
    log: bool,
    ticks: Vec<f64>,
    /// The same for all, or as many as each needs.
    decimals: Option<usize>,
}

impl Scale {
    /// Ticks are equally far apart.
    pub fn linear(range: Range<f64>) -> Self {
        let least = (range.end - range.start) / STEPS * (1.0 - TOLERANCE);
        let exponent = least.log10().floor() as i32;
        let (digit, exponent) = ROUND
            .into_iter()
            .find(|digit| digit * 10f64.powi(exponent) >= least)
            .map_or((1.0, exponent + 1), |digit| (digit, exponent));
        // 3 by 10 is 0.3; 3 times 0.1 is a little more.
        let at = |step: i64| step as f64 * digit * 10f64.powi(exponent.max(0)) / 10f64.powi((-exponent).max(0));
        let (first, last) = (range.start / at(1) - TOLERANCE, range.end / at(1) + TOLERANCE);
        let ticks = (first.ceil() as i64..=last.floor() as i64).map(at).collect();
        Self { range, log: false, ticks, decimals: Some(usize::try_from(-exponent).unwrap_or(0)) }
    }

    /// Ticks at 1, 2, 5, 10, …, or at powers of ten alone where the range is wide.
    pub fn log(range: Range<f64>) -> Self {
        let digits = if (range.end / range.start).log10() > DECADES { &ROUND[..1] } else { &ROUND[..] };
        let inside = range.start * (1.0 - TOLERANCE)..=range.end * (1.0 + TOLERANCE);
        let ticks = round_numbers(&range, digits).filter(|value| inside.contains(value)).collect();
        Self { range, log: true, ticks, decimals: None }
    }

    pub fn label(&self, value: f64) -> String {
        let needed = || (-value.log10() - TOLERANCE).ceil().max(0.0) as usize;
        match self.decimals.unwrap_or_else(needed) {
            0 if value >= 0.0 => crate::text::count(value.round() as usize),
            decimals => format!("{value:.decimals$}"),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let along = |value: f64| if self.log { value.ln() } else { value };
        let (begin, end) = (along(self.range.start), along(self.range.end));
        from + (f64::from(to - from) * (along(*value) - begin) / (end - begin)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// The range to the next round numbers outside.
pub fn around(range: Range<f64>) -> Range<f64> {
    let below = round_numbers(&range, &ROUND).filter(|&value| value <= range.start * (1.0 + TOLERANCE)).last();
    let above = round_numbers(&range, &ROUND).find(|&value| value >= range.end * (1.0 - TOLERANCE));
    below.unwrap_or(range.start)..above.unwrap_or(range.end)
}

/// Numbers that begin with these digits, from below the range to above it.
fn round_numbers(range: &Range<f64>, digits: &[f64]) -> impl Iterator<Item = f64> {
    let exponents = range.start.log10().floor() as i32 - 1..=range.end.log10().ceil() as i32 + 1;
    exponents.flat_map(move |exponent| digits.iter().map(move |digit| digit * 10f64.powi(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks.iter().map(|&value| scale.label(value)).collect()
    }

    #[test]
    fn ticks_are_round_and_no_two_read_the_same() {
        assert_eq!(labels(&Scale::linear(0.0..1.0)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Scale::linear(0.98..1.001)), ["0.980", "0.985", "0.990", "0.995", "1.000"]);
        assert_eq!(labels(&Scale::linear(0.0..200.0)), ["0", "50", "100", "150", "200"]);
        assert_eq!(labels(&Scale::linear(0.0..0.6)), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(labels(&Scale::log(1.0..32.0)), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(&Scale::log(1.0..6000.0)), ["1", "10", "100", "1 000"]);
        assert_eq!(labels(&Scale::log(0.2..5.0)), ["0.2", "0.5", "1", "2", "5"]);
    }

    #[test]
    fn places_are_even_in_the_number_or_in_its_logarithm() {
        let pixels = (100, 0); // upwards, as on a screen
        assert_eq!([0.0, 5.0, 10.0].map(|value| Scale::linear(0.0..10.0).map(&value, pixels)), [100, 50, 0]);
        assert_eq!([1.0, 10.0, 100.0].map(|value| Scale::log(1.0..100.0).map(&value, pixels)), [100, 50, 0]);
    }

    #[test]
    fn a_range_grows_to_round_numbers_and_round_ones_stay() {
        assert_eq!(around(1000.0..100_000.0), 1000.0..100_000.0);
        let grown = around(0.31..45.0);
        assert!((grown.start - 0.2).abs() < TOLERANCE && grown.end == 50.0, "{grown:?}");
    }
}
