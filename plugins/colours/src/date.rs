//! Days and their names in the (proleptic) Gregorian calendar, UTC.

pub(crate) const DAY_SECS: f64 = 86_400.0;

/// Year, month (1 to 12) and day of the month of a day counted from 1970-01-01 (Howard Hinnant's `civil_from_days`).
pub(crate) fn date_of_day(day: i64) -> (i64, u32, u32) {
    let day = day + 719_468; // from the 1st of March of the year 0
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153; // from March
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u32, of_month as u32)
}

/// The day, counted from 1970-01-01, that a month begins with; `months` are counted from January of the year 0.
pub(crate) fn first_day_of_month(months: i64) -> i64 {
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

/// Splits seconds since 1970 into the day and the seconds of that day.
pub(crate) fn split_day(secs: f64) -> (i64, f64) {
    let day = (secs / DAY_SECS).floor();
    (day as i64, secs - day * DAY_SECS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (day, date) in [
            (0, (1970, 1, 1)),
            (-1, (1969, 12, 31)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (19_797, (2024, 3, 15)),
            (-25_509, (1900, 2, 28)),
            (-25_508, (1900, 3, 1)), // 1900 was no leap year
        ] {
            assert_eq!(date_of_day(day), date, "{day}");
        }
    }

    #[test]
    fn months_begin_with_their_first_day() {
        for months in -50..30_000 {
            let (year, month, day) = date_of_day(first_day_of_month(months));
            assert_eq!((year * 12 + i64::from(month) - 1, day), (months, 1));
        }
    }
}
