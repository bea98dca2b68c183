//! A text for every type.

use super::*;
use dataset::arrow::array::{
    BinaryArray, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray, DurationMillisecondArray,
    FixedSizeBinaryArray, FixedSizeListArray, Float32Array, Float64Array, Int8Array, ListArray, NullArray, StringArray,
    StringViewArray, StructArray, Time32SecondArray, TimestampMicrosecondArray, TimestampSecondArray, UInt64Array,
};
use dataset::arrow::datatypes::{Field, Int32Type};
use std::sync::Arc;

fn text(array: impl Array + 'static, row: usize) -> String {
    let array: ArrayRef = Arc::new(array);
    values_text(&array, row).unwrap()
}

#[test]
fn numbers_have_sensible_digits() {
    for (value, expected) in [
        (0.0, "0"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (std::f64::consts::PI, "3.14159"),
        (-1234.5678, "-1234.57"),
        (12_345_678.9, "12345679"),
        (1e14, "100000000000000"),
        (1.5e15, "1.5e15"),
        (0.000_123_456_789, "0.000123457"),
        (1.25e-7, "1.25e-7"),
        (-5e-324, "-4.94066e-324"),
        (100.0, "100"),
        (0.999_999_9, "1"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "∞"),
        (f64::NEG_INFINITY, "-∞"),
    ] {
        assert_eq!(text(Float64Array::from(vec![value]), 0), expected, "{value}");
    }
    assert_eq!(text(Float32Array::from(vec![0.1, 0.3]), 1), "0.3");
    let half = cast(&(Arc::new(Float32Array::from(vec![1.5])) as ArrayRef), &DataType::Float16).unwrap();
    assert_eq!(values_text(&half, 0).as_deref(), Some("1.5"));
    assert_eq!(text(Int8Array::from(vec![-7]), 0), "-7");
    assert_eq!(text(UInt64Array::from(vec![u64::MAX]), 0), "18446744073709551615");
    let decimal = Decimal128Array::from(vec![12_345]).with_precision_and_scale(10, 2).unwrap();
    assert_eq!(text(decimal, 0), "123.45");
}

#[test]
fn times_are_readable() {
    let secs = 1_710_498_615; // 2024-03-15 10:30:15 UTC
    assert_eq!(text(Date32Array::from(vec![19_797]), 0), "2024-03-15");
    assert_eq!(text(Date64Array::from(vec![secs * 1000]), 0), "2024-03-15 10:30:15");
    assert_eq!(text(TimestampSecondArray::from(vec![0, secs]), 1), "2024-03-15 10:30:15");
    assert_eq!(text(TimestampSecondArray::from(vec![0, secs]), 0), "1970-01-01");
    assert_eq!(text(TimestampMicrosecondArray::from(vec![secs * 1_000_000 + 500_000]), 0), "2024-03-15 10:30:15.500");
    for zone in ["+02:00", "Europe/Zurich"] {
        let zoned = TimestampSecondArray::from(vec![secs]).with_timezone(zone);
        assert_eq!(text(zoned, 0), "2024-03-15 10:30:15", "{zone}");
    }
    assert_eq!(text(TimestampSecondArray::from(vec![i64::MAX]), 0), i64::MAX.to_string());
    assert_eq!(text(Time32SecondArray::from(vec![37_815]), 0), "10:30:15");
    assert_eq!(text(DurationMillisecondArray::from(vec![90_500]), 0), "90.5 s");
}

#[test]
fn other_values_are_short() {
    assert_eq!(text(StringArray::from(vec!["a", "  New\nYork"]), 1), "  New\nYork");
    assert_eq!(text(StringViewArray::from(vec!["a text too long to be inlined"]), 0), "a text too long to be inlined");
    assert_eq!(text(BooleanArray::from(vec![true, false]), 0), "yes");
    assert_eq!(text(BooleanArray::from(vec![true, false]), 1), "no");
    assert_eq!(text(BinaryArray::from(vec![b"abc".as_slice(), b"x"]), 0), "3 bytes");
    assert_eq!(text(BinaryArray::from(vec![b"abc".as_slice(), b"x"]), 1), "1 byte");
    assert_eq!(text(FixedSizeBinaryArray::try_from_iter([[1u8, 2]].into_iter()).unwrap(), 0), "2 bytes");
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)]), Some(vec![Some(1), None])]);
    assert_eq!((text(lists.clone(), 0), text(lists, 1)), ("[1 value]".to_owned(), "[2 values]".to_owned()));
    let vectors =
        FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), Some(2), Some(3)])], 3);
    assert_eq!(text(vectors, 0), "[3 values]");
    let field = Arc::new(Field::new("x", DataType::Int8, false));
    let structure = StructArray::from(vec![(field, Arc::new(Int8Array::from(vec![5])) as ArrayRef)]);
    assert_eq!(text(structure, 0), "{x: 5}");
    let dictionary: DictionaryArray<Int32Type> = ["red", "blue", "red"].into_iter().collect();
    assert_eq!(text(dictionary.slice(1, 2), 0), "blue");
    assert_eq!(text(dictionary, 2), "red");
}

#[test]
fn missing_values_have_no_text() {
    let numbers: ArrayRef = Arc::new(Int8Array::from(vec![None, Some(1)]));
    assert_eq!(values_text(&numbers, 0), None);
    assert_eq!(values_text(&numbers, 1).as_deref(), Some("1"));
    assert_eq!(values_text(&numbers, 2), None, "beyond the end");
    let keys = Int8Array::from(vec![None, Some(0), Some(1)]);
    let dictionary = DictionaryArray::new(keys, Arc::new(StringArray::from(vec![None, Some("a")])));
    let dictionary: ArrayRef = Arc::new(dictionary);
    assert_eq!(values_text(&dictionary, 0), None);
    assert_eq!(values_text(&dictionary, 1), None, "a null among the values");
    assert_eq!(values_text(&dictionary, 2).as_deref(), Some("a"));
    let nulls: ArrayRef = Arc::new(NullArray::new(2));
    assert_eq!(values_text(&nulls, 1), None);
}
