//! The rows of one column that pass a test.

use super::span::{Steps, Within};
use super::{Test, WholeTest};
use crate::Rows;
use dataset::arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, Float64Array, PrimitiveArray, StringArrayType,
};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{
    DataType, Date32Type, Date64Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};

/// The rows of a column that pass a test; none if its values are of a kind that the test is not for.
pub(super) fn matching(array: &ArrayRef, test: &Test) -> Rows {
    if array.as_any_dictionary_opt().is_some() {
        return by_dictionary(array, test);
    }
    match test {
        Test::Missing => missing(array),
        Test::Present => missing(array).inverted(),
        Test::Contains(needle) => texts(array, |text| needle.is_in(text)),
        Test::Is(expected) => texts(array, |text| text == expected),
        Test::IsNot(other) => texts(array, |text| text != other),
        Test::Truth(expected) => match array.as_boolean_opt() {
            Some(array) => truths(array, *expected),
            None => Rows::none(array.len()),
        },
        Test::Whole(within) => wholes(array, within),
        Test::Real(within) => reals(array, within),
    }
}

/// Tests each value of the dictionary once, however many rows share it.
fn by_dictionary(array: &ArrayRef, test: &Test) -> Rows {
    let dictionary = array.as_any_dictionary();
    let without_value = *test == Test::Missing;
    if dictionary.values().is_empty() {
        return if without_value { Rows::all(array.len()) } else { Rows::none(array.len()) };
    }
    let values = matching(dictionary.values(), test);
    let (keys, nulls) = (dictionary.normalized_keys(), dictionary.keys());
    Rows::choose(array.len(), |row| {
        let row = row as usize;
        if nulls.is_null(row) { without_value } else { values.contains(keys[row] as u32) }
    })
}

/// Rows without a value: null, or NaN.
fn missing(array: &ArrayRef) -> Rows {
    let Some(nulls) = array.logical_nulls() else {
        return not_numbers(array);
    };
    let null = Rows::choose(array.len(), |row| nulls.is_null(row as usize));
    null.combined(&not_numbers(array), crate::Combine::Add)
}

/// Rows whose value is NaN.
fn not_numbers(array: &ArrayRef) -> Rows {
    fn nans<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>) -> Rows
    where
        T::Native: Into<f64>,
    {
        let values = array.values();
        Rows::choose(array.len(), |row| array.is_valid(row as usize) && values[row as usize].into().is_nan())
    }
    match array.data_type() {
        DataType::Float16 => nans(array.as_primitive::<Float16Type>()),
        DataType::Float32 => nans(array.as_primitive::<Float32Type>()),
        DataType::Float64 => nans(array.as_primitive::<Float64Type>()),
        _ => Rows::none(array.len()),
    }
}

fn texts(array: &ArrayRef, test: impl Fn(&str) -> bool + Sync) -> Rows {
    fn chosen<'a>(array: impl StringArrayType<'a> + Sync, test: impl Fn(&str) -> bool + Sync) -> Rows {
        Rows::choose(array.len(), |row| array.is_valid(row as usize) && test(array.value(row as usize)))
    }
    match array.data_type() {
        DataType::Utf8 => chosen(array.as_string::<i32>(), test),
        DataType::LargeUtf8 => chosen(array.as_string::<i64>(), test),
        DataType::Utf8View => chosen(array.as_string_view(), test),
        _ => Rows::none(array.len()),
    }
}

fn truths(array: &BooleanArray, expected: bool) -> Rows {
    Rows::choose(array.len(), |row| array.is_valid(row as usize) && array.value(row as usize) == expected)
}

fn numbers<T: ArrowPrimitiveType, N: Steps + Sync>(array: &PrimitiveArray<T>, within: &Within<N>) -> Rows
where
    T::Native: Into<N>,
{
    let values = array.values();
    Rows::choose(array.len(), |row| array.is_valid(row as usize) && within.holds(values[row as usize].into()))
}

fn wholes(array: &ArrayRef, within: &WholeTest) -> Rows {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    match array.data_type() {
        DataType::Int8 => numbers(array.as_primitive::<Int8Type>(), within),
        DataType::Int16 => numbers(array.as_primitive::<Int16Type>(), within),
        DataType::Int32 => numbers(array.as_primitive::<Int32Type>(), within),
        DataType::Int64 => numbers(array.as_primitive::<Int64Type>(), within),
        DataType::UInt8 => numbers(array.as_primitive::<UInt8Type>(), within),
        DataType::UInt16 => numbers(array.as_primitive::<UInt16Type>(), within),
        DataType::UInt32 => numbers(array.as_primitive::<UInt32Type>(), within),
        DataType::UInt64 => numbers(array.as_primitive::<UInt64Type>(), within),
        DataType::Date32 => numbers(array.as_primitive::<Date32Type>(), within),
        DataType::Date64 => numbers(array.as_primitive::<Date64Type>(), within),
        DataType::Timestamp(Second, _) => numbers(array.as_primitive::<TimestampSecondType>(), within),
        DataType::Timestamp(Millisecond, _) => numbers(array.as_primitive::<TimestampMillisecondType>(), within),
        DataType::Timestamp(Microsecond, _) => numbers(array.as_primitive::<TimestampMicrosecondType>(), within),
        DataType::Timestamp(Nanosecond, _) => numbers(array.as_primitive::<TimestampNanosecondType>(), within),
        DataType::Time32(Second) => numbers(array.as_primitive::<Time32SecondType>(), within),
        DataType::Time32(Millisecond) => numbers(array.as_primitive::<Time32MillisecondType>(), within),
        DataType::Time64(Microsecond) => numbers(array.as_primitive::<Time64MicrosecondType>(), within),
        DataType::Time64(Nanosecond) => numbers(array.as_primitive::<Time64NanosecondType>(), within),
        DataType::Duration(Second) => numbers(array.as_primitive::<DurationSecondType>(), within),
        DataType::Duration(Millisecond) => numbers(array.as_primitive::<DurationMillisecondType>(), within),
        DataType::Duration(Microsecond) => numbers(array.as_primitive::<DurationMicrosecondType>(), within),
        DataType::Duration(Nanosecond) => numbers(array.as_primitive::<DurationNanosecondType>(), within),
        _ => Rows::none(array.len()),
    }
}

fn reals(array: &ArrayRef, within: &Within<f64>) -> Rows {
    match array.data_type() {
        DataType::Float16 => numbers(array.as_primitive::<Float16Type>(), within),
        DataType::Float32 => numbers(array.as_primitive::<Float32Type>(), within),
        DataType::Float64 => numbers(array.as_primitive::<Float64Type>(), within),
        decimal if decimal.is_decimal() => match cast(array, &DataType::Float64) {
            Ok(array) => numbers::<Float64Type, _>(&Float64Array::from(array.to_data()), within),
            Err(_) => Rows::none(array.len()), // arrow casts every decimal
        },
        _ => Rows::none(array.len()),
    }
}
