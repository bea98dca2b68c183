//! Where a scale is marked, and numbers and times as text.

use crate::Kind;
use crate::date::{DAY_SECS, date_of_day, first_day_of_month, split_day};

/// Stands between thousands: a thin space, which the panel's font library knows how to draw.
pub const THOUSANDS: char = '\u{a0}';

/// A scale has at most so many steps.
const MAX_STEPS: f64 = 5.0;
const HOUR_SECS: f64 = 3600.0;
const MONTH_SECS: f64 = 28.0 * DAY_SECS; // the shortest
const YEAR_SECS: f64 = 365.0 * DAY_SECS;
/// Times farther from 1970 (300 million years) are damaged rather than dates, and written as plain numbers.
const MAX_TIME_SECS: f64 = 1e16;

/// Steps of times between fractions of seconds and months.
#[rustfmt::skip] // a line per unit
const TIME_STEPS_SECS: [f64; 21] = [
    1.0, 2.0, 5.0, 10.0, 15.0, 30.0,
    60.0, 120.0, 300.0, 600.0, 900.0, 1800.0,
    HOUR_SECS, 2.0 * HOUR_SECS, 3.0 * HOUR_SECS, 6.0 * HOUR_SECS, 12.0 * HOUR_SECS,
    DAY_SECS, 2.0 * DAY_SECS, 5.0 * DAY_SECS, 10.0 * DAY_SECS,
];
const STEPS_MONTHS: [i64; 4] = [1, 2, 3, 6];

/// From one mark of a scale to the next.
enum Step {
    /// So much of the number, or so many seconds.
    Even(f64),
    /// So many months, which are not of one length.
    Months(i64),
}

/// The marks of a scale: where each stands (0 to 1 from the first end to the second) and what it says. At most six, at
/// round values within the range; one in the middle where both ends are (all but) the same; none where an end, or the
/// distance between them, is not finite.
#[must_use]
pub fn ticks(range: [f64; 2], kind: Kind) -> Vec<(f64, String)> {
    let [first, last] = range;
    let (low, high) = (first.min(last), first.max(last));
    let width = high - low;
    if first.is_nan() || last.is_nan() || width.is_infinite() {
        return Vec::new();
    }
    if width < f64::MIN_POSITIVE {
        return vec![(0.5, value_text(low, kind))];
    }
    let kind = readable(kind, low.abs().max(high.abs()));
    let (values, step) = match step(width, kind) {
        Step::Even(step) => (even_marks(low, high, step), step),
        Step::Months(months) => (month_marks(low, high, months), months as f64 * YEAR_SECS / 12.0),
    };
    let mut ticks: Vec<(f64, String)> =
        values.into_iter().map(|value| ((value - first) / (last - first), tick_text(value, step, kind))).collect();
    ticks.sort_by(|left, right| left.0.total_cmp(&right.0));
    ticks
}

/// Times too far off for a clock or calendar are plain numbers.
fn readable(kind: Kind, value: f64) -> Kind {
    match kind {
        Kind::Time | Kind::TimeOfDay if value.abs() > MAX_TIME_SECS => Kind::Real,
        kind => kind,
    }
}

fn step(width: f64, kind: Kind) -> Step {
    let least = width / MAX_STEPS;
    match kind {
        Kind::Real => Step::Even(round_up(least)),
        Kind::Integer => Step::Even(round_up(least).max(1.0)),
        Kind::Time | Kind::TimeOfDay | Kind::Duration => {
            let even = TIME_STEPS_SECS.into_iter().find(|&step| step >= least);
            match even {
                _ if least < 1.0 => Step::Even(round_up(least)),
                Some(step) => Step::Even(step),
                None if kind == Kind::Time => Step::Months(round_up_months(least)),
                None => Step::Even(round_up(least / DAY_SECS) * DAY_SECS),
            }
        }
    }
}

/// The next 1, 2 or 5 times a power of ten.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let digits = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= value * (1.0 - 1e-9));
    digits.unwrap_or(10.0) * power
}

fn round_up_months(secs: f64) -> i64 {
    let fits = |months: &i64| *months as f64 * YEAR_SECS / 12.0 >= secs;
    STEPS_MONTHS.into_iter().find(fits).unwrap_or_else(|| (round_up(secs / YEAR_SECS).max(1.0) * 12.0) as i64)
}

/// The multiples of a step between two values.
fn even_marks(low: f64, high: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first).clamp(-1.0, MAX_STEPS + 1.0) as i64;
    let mark = |place: i64| ((first + place as f64) * step).clamp(low, high) + 0.0;
    let mut marks: Vec<f64> = (0..=count).map(mark).collect();
    marks.dedup(); // where numbers are too large for their step
    marks
}

fn month_marks(low: f64, high: f64, step: i64) -> Vec<f64> {
    let (year, month, _) = date_of_day(split_day(low).0);
    let first = (year * 12 + i64::from(month) - 1).div_euclid(step);
    let secs = |place: i64| first_day_of_month((first + place) * step) as f64 * DAY_SECS;
    (0..=MAX_STEPS as i64 + 2).map(secs).filter(|secs| (low..=high).contains(secs)).collect()
}

/// A value on a scale whose marks are `step` apart (seconds for times): as many digits as tell the marks apart.
#[must_use]
pub fn tick_text(value: f64, step: f64, kind: Kind) -> String {
    if !value.is_finite() || !step.is_finite() || step <= 0.0 {
        return value_text(value, kind);
    }
    match readable(kind, value) {
        Kind::Real | Kind::Integer => number_text(value, step),
        Kind::Time => {
            let (day, secs) = split_day(value);
            let (year, month, of_month) = date_of_day(day);
            match step {
                _ if step >= YEAR_SECS => format!("{year}"),
                _ if step >= MONTH_SECS => format!("{year}-{month:02}"),
                _ if step >= DAY_SECS => format!("{year}-{month:02}-{of_month:02}"),
                _ if step >= 60.0 => format!("{year}-{month:02}-{of_month:02} {}", clock_text(secs, step)),
                _ => clock_text(secs, step),
            }
        }
        Kind::TimeOfDay => clock_text(value, step),
        Kind::Duration => {
            let units = [(DAY_SECS, "d"), (HOUR_SECS, "h"), (60.0, "min")];
            let (secs, unit) = units.into_iter().find(|(secs, _)| step >= *secs).unwrap_or((1.0, "s"));
            format!("{} {unit}", number_text(value / secs, step / secs))
        }
    }
}

/// A value by itself, to about four digits; whole numbers and times in full.
#[must_use]
pub fn value_text(value: f64, kind: Kind) -> String {
    if value.is_nan() {
        return "missing".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    let kind = readable(kind, value);
    let step = match kind {
        Kind::Integer => 1.0,
        Kind::Real => real_step(value),
        Kind::Time if split_day(value).1 == 0.0 => DAY_SECS,
        Kind::Time => {
            let date = tick_text(value, DAY_SECS, kind);
            return format!("{date} {}", clock_text(split_day(value).1, 1.0));
        }
        Kind::TimeOfDay => 1.0,
        Kind::Duration => {
            let units = [DAY_SECS, HOUR_SECS, 60.0];
            let unit = units.into_iter().find(|unit| value.abs() >= *unit && value % unit == 0.0);
            unit.unwrap_or_else(|| real_step(value))
        }
    };
    tick_text(value, step, kind)
}

/// The place of the last of four digits, or of the last that is not zero.
fn real_step(value: f64) -> f64 {
    if value == 0.0 {
        return 1.0;
    }
    let power = value.abs().log10().floor();
    let digit = |places: i32| 10f64.powf(power - f64::from(places));
    let exact = |step: &f64| ((value / step).round() * step - value).abs() <= value.abs() * 1e-9;
    let step = (0..3).map(digit).find(exact).unwrap_or_else(|| digit(3));
    if (-6.0..15.0).contains(&power) { step.min(1.0) } else { step.max(f64::MIN_POSITIVE) }
}

/// A number of things, thousands apart.
#[must_use]
pub fn count_text(count: usize) -> String {
    group(&count.to_string())
}

fn number_text(value: f64, step: f64) -> String {
    let magnitude = value.abs();
    let last_place = (step.log10() + 1e-9).floor();
    let (sign, plain) = (if value < 0.0 { "−" } else { "" }, last_place >= -7.0 && magnitude < 1e15);
    let text = if plain || magnitude == 0.0 {
        let decimals = if plain { (-last_place).max(0.0) as usize } else { 0 };
        let text = format!("{magnitude:.decimals$}");
        let whole = text.find('.').unwrap_or(text.len());
        group(&text[..whole]) + &text[whole..]
    } else {
        let digits = (magnitude.log10().floor() - last_place).clamp(0.0, 16.0) as usize;
        format!("{magnitude:.digits$e}").replace("e-", "e−")
    };
    if text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { format!("{sign}{text}") } else { text }
}

/// Digits with a space between thousands.
fn group(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 2);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(THOUSANDS);
        }
        text.push(digit);
    }
    text
}

/// Seconds of a day as on a clock; seconds and their fractions only where steps are that fine.
fn clock_text(secs: f64, step: f64) -> String {
    let decimals = if step < 1.0 { (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize } else { 0 };
    let scale = 10f64.powi(decimals as i32);
    let units = (secs * scale).round();
    let whole = (units / scale).floor();
    let (hours, minutes, secs) = ((whole / HOUR_SECS).floor(), (whole / 60.0).floor() % 60.0, whole % 60.0);
    if step >= 60.0 {
        return format!("{hours:02.0}:{minutes:02.0}");
    }
    let text = format!("{hours:02.0}:{minutes:02.0}:{secs:02.0}");
    if decimals == 0 { text } else { format!("{text}.{:0decimals$.0}", units - whole * scale) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(range: [f64; 2], kind: Kind) -> Vec<String> {
        ticks(range, kind).into_iter().map(|(_, text)| text.replace(THOUSANDS, " ")).collect()
    }

    #[test]
    fn ticks_stand_at_round_numbers_where_they_belong() {
        let marks = ticks([-0.1, 0.9], Kind::Real);
        assert_eq!(marks.len(), 5, "{marks:?}");
        for ((place, text), (expected_place, expected)) in
            marks.iter().zip([(0.1, "0.0"), (0.3, "0.2"), (0.5, "0.4"), (0.7, "0.6"), (0.9, "0.8")])
        {
            assert!((place - expected_place).abs() < 1e-9 && text == expected, "{place} {text}");
        }
        assert_eq!(texts([0.0, 1.0], Kind::Real), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts([-1.0, 1.0], Kind::Real), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(texts([0.0, 5_200.0], Kind::Real), ["0", "2 000", "4 000"]);
        assert_eq!(texts([1.0, 3.0], Kind::Integer), ["1", "2", "3"]);
        assert_eq!(texts([0.0, 3e-9], Kind::Real), ["0", "1e−9", "2e−9", "3e−9"]);
        assert_eq!(texts([0.0, 2e18], Kind::Real), ["0", "5e17", "1.0e18", "1.5e18", "2.0e18"]);
    }

    #[test]
    fn a_range_turned_round_turns_its_ticks() {
        let turned = ticks([1.0, 0.0], Kind::Real);
        assert_eq!(turned.first(), Some(&(0.0, "1.0".to_owned())));
        assert_eq!(turned.last(), Some(&(1.0, "0.0".to_owned())));
    }

    #[test]
    fn odd_ranges_have_few_ticks_or_none() {
        assert_eq!(ticks([7.0, 7.0], Kind::Real), [(0.5, "7".to_owned())]);
        assert_eq!(ticks([0.0, f64::INFINITY], Kind::Real), []);
        assert_eq!(ticks([f64::NAN, 1.0], Kind::Time), []);
        for range in [
            [-f64::MAX, f64::MAX],
            [1e16, 1e16 + 2.0],
            [5e-324, 1e-323],
            [-1e300, 1e300],
            [0.1, 0.1 + 1e-16],
            [-9e15, 9e15],
        ] {
            for kind in [Kind::Real, Kind::Integer, Kind::Time, Kind::TimeOfDay, Kind::Duration] {
                let ticks = ticks(range, kind);
                assert!(ticks.len() <= 7, "{range:?} {kind:?}: {ticks:?}");
                assert!(ticks.iter().all(|(place, _)| (0.0..=1.0).contains(place)), "{range:?} {kind:?}: {ticks:?}");
            }
        }
    }

    #[test]
    fn times_are_marked_by_the_calendar() {
        let day = 19_797.0 * DAY_SECS; // 2024-03-15
        assert_eq!(texts([day, day + 4.0 * YEAR_SECS], Kind::Time), ["2025", "2026", "2027", "2028"]);
        assert_eq!(texts([day, day + 100.0 * DAY_SECS], Kind::Time), ["2024-04", "2024-05", "2024-06"]);
        assert_eq!(texts([day, day + 3.0 * DAY_SECS], Kind::Time)[1], "2024-03-16");
        assert_eq!(texts([day, day + 2.0 * HOUR_SECS], Kind::Time)[1], "2024-03-15 00:30");
        assert_eq!(texts([day, day + 10.0], Kind::Time)[1], "00:00:02");
        assert_eq!(texts([day, day + 1.0], Kind::Time)[1], "00:00:00.2");
        assert_eq!(texts([-40.0 * YEAR_SECS, 40.0 * YEAR_SECS], Kind::Time), ["1940", "1960", "1980", "2000"]);
        assert_eq!(texts([0.0, DAY_SECS - 1.0], Kind::TimeOfDay), ["00:00", "06:00", "12:00", "18:00"]);
        assert_eq!(texts([0.0, 90.0], Kind::Duration), ["0 s", "30 s", "60 s", "90 s"]);
        assert_eq!(texts([0.0, 9.0 * HOUR_SECS], Kind::Duration)[1], "2 h");
    }

    #[test]
    fn values_by_themselves_have_sensible_digits() {
        let text = |value: f64, kind| value_text(value, kind).replace(THOUSANDS, " ");
        for (value, expected) in [
            (0.0, "0"),
            (0.5, "0.5"),
            (std::f64::consts::PI, "3.142"),
            (-1234.5678, "−1 235"),
            (12_345_678.9, "12 345 679"),
            (0.000_123_456, "0.0001235"),
            (1.5e-9, "1.5e−9"),
            (5e-324, "5e−324"),
            (-1e308, "−1e308"),
            (-0.0, "0"),
            (f64::NAN, "missing"),
            (f64::NEG_INFINITY, "−∞"),
        ] {
            assert_eq!(text(value, Kind::Real), expected, "{value}");
        }
        assert_eq!(text(-1_000_000.0, Kind::Integer), "−1 000 000");
        assert_eq!(text(19_797.0 * DAY_SECS, Kind::Time), "2024-03-15");
        assert_eq!(text(19_797.0 * DAY_SECS + 3_661.0, Kind::Time), "2024-03-15 01:01:01");
        assert_eq!(text(i64::MAX as f64, Kind::Time), "9.223e18", "no such date");
        assert_eq!(text(7_200.0, Kind::Duration), "2 h");
        assert_eq!(count_text(1_234_567).replace(THOUSANDS, " "), "1 234 567");
        assert_eq!(count_text(12), "12");
    }
}
