//! What can be asked of a column, by its type.

use super::clock::{DAY_NANOS, SEC_NANOS};
use dataset::arrow::datatypes::{DataType, TimeUnit};

/// What the values of a column are to a search. Dictionaries are what their values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Truth,
    Whole,
    Real,
    /// Dates and times, counted in units of so many nanoseconds from 1970.
    Time(i128),
    /// Times of day, counted in units of so many nanoseconds from midnight.
    TimeOfDay(i128),
    /// Durations, of whose units so many are a second.
    Duration(i64),
    Other,
}

impl Kind {
    pub(super) fn of(data_type: &DataType) -> Self {
        match data_type {
            DataType::Dictionary(_, values) => Self::of(values),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Self::Text,
            DataType::Boolean => Self::Truth,
            other if other.is_integer() => Self::Whole,
            other if other.is_floating() || other.is_decimal() => Self::Real,
            DataType::Date32 => Self::Time(DAY_NANOS),
            DataType::Date64 => Self::Time(SEC_NANOS / 1000),
            DataType::Timestamp(unit, _) => Self::Time(SEC_NANOS / i128::from(per_sec(*unit))),
            DataType::Time32(unit) | DataType::Time64(unit) => Self::TimeOfDay(SEC_NANOS / i128::from(per_sec(*unit))),
            DataType::Duration(unit) => Self::Duration(per_sec(*unit)),
            _ => Self::Other,
        }
    }

    /// What a column holds, in words and by its type.
    pub(super) fn describe(data_type: &DataType) -> String {
        let words = match Self::of(data_type) {
            Self::Text => "text",
            Self::Truth => "yes or no",
            Self::Whole => "whole numbers",
            Self::Real => "numbers",
            Self::Time(_) => "dates or times",
            Self::TimeOfDay(_) => "times of day",
            Self::Duration(_) => "durations in seconds",
            Self::Other => return data_type.to_string(),
        };
        format!("{words} ({data_type})")
    }
}

const fn per_sec(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}
