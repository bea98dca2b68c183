//! Values of any Arrow type as short texts for people.

use dataset::arrow::array::{Array, ArrayRef, AsArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{
    DataType, Date32Type, Date64Type, Float16Type, Float32Type, Float64Type, Int64Type, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use dataset::arrow::temporal_conversions::as_datetime;
use dataset::arrow::util::display::{ArrayFormatter, FormatOptions};

/// Numbers have so many digits, unless more stand before the point.
const DIGITS: i32 = 6;
/// Numbers from here on, or below the least, are written with an exponent.
const LARGE: f64 = 1e15;
const SMALL: f64 = 1e-5;

/// A value of an Arrow array as a short text for people; `None` where it is null or beyond the array.
///
/// Numbers have about six digits, times are in UTC (`2024-03-15 10:30:00`, without the clock at midnight), durations
/// in seconds, booleans yes or no; of lists and binary values only the size is told. Text is left as it is.
#[must_use]
pub fn values_text(array: &ArrayRef, row: usize) -> Option<String> {
    if row >= array.len() || array.is_null(row) {
        return None;
    }
    if array.as_any_dictionary_opt().is_some() {
        let one = array.slice(row, 1); // so that no other key is looked up
        let dictionary = one.as_any_dictionary();
        let key = (!dictionary.values().is_empty()).then(|| dictionary.normalized_keys())?.first().copied()?;
        return values_text(dictionary.values(), key);
    }
    match array.data_type() {
        DataType::Boolean => Some(if array.as_boolean().value(row) { "yes" } else { "no" }.to_owned()),
        DataType::Float16 => Some(real_text(array.as_primitive::<Float16Type>().value(row).to_f64())),
        DataType::Float32 => Some(real_text(array.as_primitive::<Float32Type>().value(row).into())),
        DataType::Float64 => Some(real_text(array.as_primitive::<Float64Type>().value(row))),
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Some(time_text(array, row)),
        DataType::Duration(unit) => {
            let units = whole(array, row)? as f64;
            Some(format!("{} s", real_text(units / per_sec(*unit))))
        }
        DataType::Binary => Some(sized(array.as_binary::<i32>().value(row).len(), "byte")),
        DataType::LargeBinary => Some(sized(array.as_binary::<i64>().value(row).len(), "byte")),
        DataType::BinaryView => Some(sized(array.as_binary_view().value(row).len(), "byte")),
        DataType::FixedSizeBinary(_) => Some(sized(array.as_fixed_size_binary().value(row).len(), "byte")),
        DataType::List(_) => Some(list_text(array.as_list::<i32>().value(row).len())),
        DataType::LargeList(_) => Some(list_text(array.as_list::<i64>().value(row).len())),
        DataType::ListView(_) => Some(list_text(array.as_list_view::<i32>().value(row).len())),
        DataType::LargeListView(_) => Some(list_text(array.as_list_view::<i64>().value(row).len())),
        DataType::FixedSizeList(..) => Some(list_text(array.as_fixed_size_list().value(row).len())),
        DataType::Map(..) => Some(list_text(array.as_map().value(row).len())),
        DataType::Null => None,
        _ => displayed(array, row),
    }
}

/// Arrow's own text: whole numbers, decimals, text, times of day, structures.
fn displayed(array: &ArrayRef, row: usize) -> Option<String> {
    let options = FormatOptions::new().with_display_error(false);
    let formatter = ArrayFormatter::try_new(array, &options).ok()?;
    formatter.value(row).try_to_string().ok()
}

fn sized(count: usize, unit: &str) -> String {
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

fn list_text(count: usize) -> String {
    format!("[{}]", sized(count, "value"))
}

fn per_sec(unit: TimeUnit) -> f64 {
    match unit {
        TimeUnit::Second => 1.0,
        TimeUnit::Millisecond => 1e3,
        TimeUnit::Microsecond => 1e6,
        TimeUnit::Nanosecond => 1e9,
    }
}

/// The count of units behind a time.
fn whole(array: &ArrayRef, row: usize) -> Option<i64> {
    let value = array.slice(row, 1);
    // Dates of 32 bits become whole numbers of 64 only by way of those of 32.
    let value = if *value.data_type() == DataType::Date32 { cast(&value, &DataType::Int32).ok()? } else { value };
    let value = cast(&value, &DataType::Int64).ok()?;
    Some(value.as_primitive::<Int64Type>().value(0))
}

fn time_text(array: &ArrayRef, row: usize) -> String {
    let Some(count) = whole(array, row) else {
        return displayed(array, row).unwrap_or_default();
    };
    let time = match array.data_type() {
        DataType::Date32 => as_datetime::<Date32Type>(count),
        DataType::Date64 => as_datetime::<Date64Type>(count),
        DataType::Timestamp(TimeUnit::Second, _) => as_datetime::<TimestampSecondType>(count),
        DataType::Timestamp(TimeUnit::Millisecond, _) => as_datetime::<TimestampMillisecondType>(count),
        DataType::Timestamp(TimeUnit::Microsecond, _) => as_datetime::<TimestampMicrosecondType>(count),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => as_datetime::<TimestampNanosecondType>(count),
        _ => None,
    };
    let Some(time) = time else {
        return count.to_string(); // no calendar goes so far
    };
    let text = time.format("%Y-%m-%d %H:%M:%S%.f").to_string();
    text.strip_suffix(" 00:00:00").map(str::to_owned).unwrap_or(text)
}

/// A number to six digits, without zeros at its end; all digits before the point.
fn real_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs();
    if !(SMALL..LARGE).contains(&magnitude) {
        let text = format!("{value:.*e}", DIGITS as usize - 1);
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", without_zeros(digits));
    }
    let decimals = (DIGITS - 1 - magnitude.log10().floor() as i32).max(0) as usize;
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests;
