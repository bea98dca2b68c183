//! Dates and times as people type them: ISO text, each standing for a stretch as long as it is vague.

use super::span::Span;
use dataset::arrow::compute::kernels::cast_utils::Parser;
use dataset::arrow::datatypes::Date32Type;

pub(super) const SEC_NANOS: i128 = 1_000_000_000;
pub(super) const DAY_NANOS: i128 = 86_400 * SEC_NANOS;
const MINUTE_NANOS: i128 = 60 * SEC_NANOS;
const HOUR_NANOS: i128 = 60 * MINUTE_NANOS;

/// A stretch of time in nanoseconds: from its beginning to just before its end.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    begin: i128,
    end: i128,
}

impl Stretch {
    /// The stretch among times counted in units of so many nanoseconds.
    fn in_units(self, unit_nanos: i128) -> Span<i128> {
        let up = |nanos: i128| -(-nanos).div_euclid(unit_nanos); // rounds up
        Span { first: up(self.begin), last: up(self.end) - 1 }
    }
}

/// The times since 1970 that `2024`, `2024-03`, `2024-03-15`, `2024-03-15T10`, `2024-03-15 10:30:15.5` and so on stand
/// for, in UTC, counted in units of so many nanoseconds.
pub(super) fn date(word: &str, unit_nanos: i128) -> Option<Span<i128>> {
    let word = word.trim();
    let (date, time) = match word.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time.trim_end_matches(['Z', 'z']))),
        None => (word, None),
    };
    let (first_day, days) = days(date)?;
    let begin = first_day * DAY_NANOS;
    let stretch = match time {
        None => Stretch { begin, end: begin + days * DAY_NANOS },
        Some(time) if date.len() == "2024-03-15".len() => {
            let of_day = clock_stretch(time)?;
            Stretch { begin: begin + of_day.begin, end: begin + of_day.end }
        }
        Some(_) => return None, // a time of no day
    };
    Some(stretch.in_units(unit_nanos))
}

/// The times of day that `10`, `10:30`, `10:30:15` and `10:30:15.5` stand for.
pub(super) fn time_of_day(word: &str, unit_nanos: i128) -> Option<Span<i128>> {
    clock_stretch(word.trim()).map(|stretch| stretch.in_units(unit_nanos))
}

/// The first day, from 1970-01-01, of a year, month or day, and how many days it has.
fn days(text: &str) -> Option<(i128, i128)> {
    let day = |text: &str| Date32Type::parse(text).map(i128::from);
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    if !parts.iter().zip([4, 2, 2]).all(|(part, count)| digits(part, count)) {
        return None;
    }
    match parts.len() {
        1 => {
            let first = day(&format!("{text}-01-01"))?;
            Some((first, day(&format!("{text}-12-31"))? + 1 - first))
        }
        2 => {
            let first = day(&format!("{text}-01"))?;
            let last = ["31", "30", "29", "28"].iter().find_map(|last| day(&format!("{text}-{last}")))?;
            Some((first, last + 1 - first))
        }
        3 => Some((day(text)?, 1)),
        _ => None,
    }
}

fn clock_stretch(text: &str) -> Option<Stretch> {
    let two_digits = |text: &str, end: i128| {
        let valid = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i128>().ok().filter(|&value| valid && value < end)
    };
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let (mut begin, mut length) = (two_digits(parts.first()?, 24)? * HOUR_NANOS, HOUR_NANOS);
    if let Some(minutes) = parts.get(1) {
        (begin, length) = (begin + two_digits(minutes, 60)? * MINUTE_NANOS, MINUTE_NANOS);
    }
    if let Some(secs) = parts.get(2) {
        (begin, length) = (begin + two_digits(secs, 60)? * SEC_NANOS, SEC_NANOS);
    }
    if let Some(fraction) = fraction {
        let valid = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
        length = 10i128.pow(9 - u32::try_from(fraction.len()).ok().filter(|_| valid && parts.len() == 3)?);
        begin += fraction.parse::<i128>().ok()? * length;
    }
    (parts.len() <= 3).then_some(Stretch { begin, end: begin + length })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(first: i128, last: i128) -> Option<Span<i128>> {
        Some(Span { first, last })
    }

    #[test]
    fn dates_stand_for_all_of_their_days() {
        for (word, expected) in [
            ("1970", span(0, 364)),
            ("1970-02", span(31, 58)),
            ("2024-02", span(19_754, 19_782)),
            ("2024-03-15", span(19_797, 19_797)),
            ("1969-12-31", span(-1, -1)),
            ("9999", span(2_932_532, 2_932_896)),
        ] {
            assert_eq!(date(word, DAY_NANOS), expected, "{word}");
        }
        for wrong in
            ["", "24", "2024-3", "2024-13", "2023-02-29", "2024-03-15-01", "2024T10", "1700000000", "+2024", "x"]
        {
            assert_eq!(date(wrong, DAY_NANOS), None, "{wrong}");
        }
    }

    #[test]
    fn times_are_as_exact_as_they_are_long() {
        let day = 19_797 * 86_400;
        for (word, first, secs) in [
            ("2024-03-15", 0, 86_400),
            ("2024-03-15T10", 36_000, 3_600),
            ("2024-03-15 10:30", 37_800, 60),
            ("2024-03-15T10:30:15Z", 37_815, 1),
        ] {
            assert_eq!(date(word, SEC_NANOS), span(day + first, day + first + secs - 1), "{word}");
        }
        assert_eq!(date("2024-03-15T10:30:15.5", 1_000_000), span(1_710_498_615_500, 1_710_498_615_599));
        for wrong in ["2024-03-15T", "2024-03-15T24", "2024-03-15T10:60", "2024-03-15T10:3", "2024-03-15T10.5"] {
            assert_eq!(date(wrong, SEC_NANOS), None, "{wrong}");
        }
    }

    #[test]
    fn a_time_finer_than_the_unit_is_between_two_of_them() {
        // Among days, a time within one is after that day's beginning and before the next.
        assert_eq!(date("1970-01-02T10", DAY_NANOS), span(2, 1));
    }

    #[test]
    fn times_of_day_need_no_date() {
        assert_eq!(time_of_day("10:30", SEC_NANOS), span(37_800, 37_859));
        assert_eq!(time_of_day("00:00:01.25", 1_000), span(1_250_000, 1_259_999));
        for wrong in ["", "10:30:15:01", "10:30:15.", "10:30.5", "9", "-1:00", "10:30:15.0123456789"] {
            assert_eq!(time_of_day(wrong, 1), None, "{wrong}");
        }
    }
}
