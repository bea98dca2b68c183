//! Every type of column.

use super::*;
use dataset::arrow::array::{
    Date32Array, Decimal128Array, Float32Array, Int64Array, LargeStringArray, NullArray, StringViewArray,
    TimestampMillisecondArray, UInt64Array,
};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, TimeUnit};

fn one(array: ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([("x", array, true)]).unwrap()
}

fn converted(array: &ArrayRef, data_type: &DataType) -> RecordBatch {
    one(cast(array, data_type).unwrap())
}

#[test]
fn whole_numbers_of_every_width() {
    use DataType::{Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64};
    let numbers = array(Int64Array::from(vec![Some(1), None, Some(2), Some(3), Some(100)]));
    for width in [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64] {
        let in_dictionary = DataType::Dictionary(Box::new(Int16), Box::new(width.clone()));
        for data_type in [width.clone(), in_dictionary] {
            let table = converted(&numbers, &data_type);
            for (text, expected) in [
                ("x=2", &[2][..]),
                ("x!=2", &[0, 3, 4]),
                ("x>1.5", &[2, 3, 4]),
                ("x:2..3", &[2, 3]),
                ("x=", &[1]),
                ("x!=", &[0, 2, 3, 4]),
                ("100", &[4]),
                ("x>-1e30", &[0, 2, 3, 4]),
                ("x<99999999999999999999999", &[0, 2, 3, 4]),
            ] {
                assert_eq!(found_in(text, &table), expected, "{text} {data_type}");
            }
        }
    }
}

#[test]
fn large_whole_numbers_are_told_apart() {
    let odd = 9_007_199_254_740_993; // no f64
    let table = one(array(Int64Array::from(vec![odd - 1, odd, odd + 1])));
    assert_eq!(found_in("x=9007199254740993", &table), [1]);
    assert_eq!(found_in("x>9007199254740993", &table), [2]);
    assert_eq!(found_in("9007199254740993", &table), [1]);
    let table = one(array(UInt64Array::from(vec![u64::MAX - 1, u64::MAX])));
    assert_eq!(found_in("x:18446744073709551615", &table), [1]);
    assert_eq!(found_in("x<18446744073709551615", &table), [0]);
}

#[test]
fn fractions_of_every_width() {
    use DataType::{Float16, Float32, Float64};
    let values = [Some(0.1), None, Some(f32::NAN), Some(-2.5), Some(f32::INFINITY)];
    let numbers = array(Float32Array::from(values.to_vec()));
    for width in [Float16, Float32] {
        let table = converted(&numbers, &width);
        for (text, expected) in [
            ("x=0.1", &[0][..]), // at the column's precision
            ("x!=0.1", &[3, 4]),
            ("x<0.1", &[3]),
            ("x<=0.1", &[0, 3]),
            ("x>0.1", &[4]),
            ("x=inf", &[4]),
            ("x=1e300", &[]), // beyond the width, but not infinite
            ("x<1e300", &[0, 3]),
            ("x=", &[1, 2]),
            ("x!=", &[0, 3, 4]),
        ] {
            assert_eq!(found_in(text, &table), expected, "{text} {width}");
        }
    }
    let table = converted(&numbers, &Float64);
    assert_eq!(found_in("x=-2.5 or x=inf", &table), [3, 4]);
    let decimals = Decimal128Array::from(vec![Some(110), None, Some(-250)]).with_precision_and_scale(9, 2).unwrap();
    let table = one(array(decimals));
    assert_eq!(found_in("x=1.1", &table), [0]);
    assert_eq!(found_in("x<0", &table), [2]);
    assert_eq!(found_in("x=", &table), [1]);
}

#[test]
fn text_of_every_kind() {
    let long = Some("A text too long to be inlined");
    let values = vec![Some("York"), None, Some("new york"), long, Some("")];
    let plain = array(StringArray::from(values.clone()));
    let in_dictionary = |keys, values| DataType::Dictionary(Box::new(keys), Box::new(values));
    for table in [
        one(array(StringArray::from(values.clone()))),
        one(array(LargeStringArray::from(values.clone()))),
        one(array(StringViewArray::from(values))),
        converted(&plain, &in_dictionary(DataType::UInt8, DataType::Utf8)),
        converted(&plain, &in_dictionary(DataType::Int64, DataType::LargeUtf8)),
        converted(&plain, &in_dictionary(DataType::Int32, DataType::Utf8View)),
    ] {
        for (text, expected) in [
            ("york", &[0, 2][..]),
            ("x:YORK", &[0, 2]),
            ("x=York", &[0]),
            ("x!=York", &[2, 3, 4]),
            ("\"long to\"", &[3]),
            ("x=", &[1]),
            ("x=\"\"", &[4]),
            ("-york", &[1, 3, 4]),
        ] {
            assert_eq!(found_in(text, &table), expected, "{text} {}", table.column(0).data_type());
        }
    }
}

#[test]
fn parts_of_arrays_are_searched_alone() {
    let whole = table();
    let part = whole.slice(1, 3);
    for (text, expected) in [
        ("york", &[0][..]),
        ("material:wool", &[1]),
        ("age<0", &[2]),
        ("city=", &[1]),
        ("retired=yes", &[2]),
        ("weight=", &[0, 1]),
    ] {
        assert_eq!(found_in(text, &part), expected, "{text}");
    }
    assert_eq!(found_in("york or age<0", &whole.slice(0, 0)), []);
}

#[test]
fn nulls_among_the_values_of_a_dictionary_are_missing() {
    let keys = Int8Array::from(vec![Some(0), Some(1), None]);
    let table = one(array(DictionaryArray::new(keys, array(StringArray::from(vec![None, Some("a")])))));
    assert_eq!(found_in("x=", &table), [0, 2]);
    assert_eq!(found_in("x!=", &table), [1]);
    assert_eq!(found_in("x!=b", &table), [1]);
    let keys = Int8Array::from(vec![None, None]);
    let table = one(array(DictionaryArray::new(keys, array(StringArray::from(Vec::<&str>::new())))));
    assert_eq!(found_in("x=", &table), [0, 1]);
    assert_eq!(found_in("x:a", &table), []);
    assert_eq!(found_in("x=", &one(array(NullArray::new(2)))), [0, 1]);
}

#[test]
fn dates_and_times_are_iso_text() {
    let day = 86_400_000;
    let millis =
        vec![Some(0), Some(19_797 * day), None, Some(19_797 * day + 37_815_500), Some(19_850 * day), Some(-day)];
    let times = array(TimestampMillisecondArray::from(millis));
    let units = [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
    let zones = [None, Some("+02:00".into())];
    let zoned = units.iter().flat_map(|unit| zones.iter().map(|zone| DataType::Timestamp(*unit, zone.clone())));
    for data_type in zoned.chain([DataType::Date64]) {
        // By way of whole numbers, since arrow would shift the times of another zone.
        let utc = match &data_type {
            DataType::Timestamp(unit, _) => cast(&times, &DataType::Timestamp(*unit, None)).unwrap(),
            _ => Arc::clone(&times),
        };
        let table = converted(&cast(&utc, &DataType::Int64).unwrap(), &data_type);
        for (text, expected) in [
            ("x:2024-03-15", &[1, 3][..]),
            ("x=2024-03-15T00:00", &[1]),
            ("x!=2024-03-15", &[0, 4, 5]),
            ("x:2024-03-15T10:30:15", &[3]),
            ("\"x\":\"2024-03-15 10:30\"", &[3]),
            ("x>2024-03-15", &[4]),
            ("x>=2024-03-15", &[1, 3, 4]),
            ("x<2024-03-15T10", &[0, 1, 5]),
            ("x<=2024-03", &[0, 1, 3, 5]),
            ("x:2024", &[1, 3, 4]),
            ("x<1970", &[5]),
            ("x:1970..2024-03-15", &[0, 1, 3]),
            ("x:2024-04..", &[4]),
            ("x=", &[2]),
        ] {
            assert_eq!(found_in(text, &table), expected, "{text} {data_type}");
        }
    }
    let table = one(array(Date32Array::from(vec![Some(0), Some(19_797), None, Some(-1)])));
    assert_eq!(found_in("x:2024-03", &table), [1]);
    assert_eq!(found_in("x<1970-01-01T12", &table), [0, 3]);
    assert_eq!(found_in("x:1969..1970", &table), [0, 3]);
}

#[test]
fn times_of_day_and_durations() {
    let secs = array(Int32Array::from(vec![Some(0), Some(37_800), None, Some(37_859), Some(37_860)]));
    for unit in [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond] {
        let seconds = cast(&secs, &DataType::Time32(TimeUnit::Second)).unwrap();
        let data_type = match unit {
            TimeUnit::Second | TimeUnit::Millisecond => DataType::Time32(unit),
            TimeUnit::Microsecond | TimeUnit::Nanosecond => DataType::Time64(unit),
        };
        let table = converted(&seconds, &data_type);
        assert_eq!(found_in("x:10:30", &table), [1, 3], "{unit:?}");
        assert_eq!(found_in("x>10:30", &table), [4], "{unit:?}");
        assert_eq!(found_in("x:..10:30:00", &table), [0, 1], "{unit:?}");
        let long = cast(&secs, &DataType::Int64).unwrap();
        let durations = cast(&long, &DataType::Duration(TimeUnit::Second)).unwrap();
        let table = converted(&durations, &DataType::Duration(unit));
        assert_eq!(found_in("x=37800", &table), [1], "{unit:?}");
        assert_eq!(found_in("x>37800.5", &table), [3, 4], "{unit:?}");
        assert_eq!(found_in("x=", &table), [2], "{unit:?}");
    }
}
