use super::*;
use crate::support::{dataset, dataset_with_roles, floats, integers, words};
use dataset::arrow::array::{BinaryArray, BooleanArray, Date32Array, DictionaryArray, DurationMillisecondArray};
use dataset::arrow::array::{Float64Array, Int8Array, Int64Array, StringArray, Time32SecondArray};
use dataset::arrow::array::{TimestampMillisecondArray, TimestampNanosecondArray, UInt64Array};
use dataset::arrow::datatypes::Int8Type;
use std::sync::Arc;

fn values(array: ArrayRef, role: Role) -> Values {
    Values::of_column(&dataset_with_roles(vec![("x", array)], &[("x", role)]), "x").unwrap()
}

fn categories(array: ArrayRef) -> Categories {
    match values(array, Role::Categorical) {
        Values::Categories(categories) => categories,
        other => panic!("{other:?}"),
    }
}

fn numbers(array: ArrayRef, role: Role) -> Numbers {
    match values(array, role) {
        Values::Numbers(numbers) => numbers,
        other => panic!("{other:?}"),
    }
}

#[test]
fn categories_are_named_sorted_and_counted() {
    let read = categories(Arc::new(StringArray::from(vec![Some("b10"), Some("b2"), None, Some("b10"), Some("7")])));
    assert_eq!(read.names, ["7", "b2", "b10"]);
    assert_eq!(read.codes, [2, 1, NO_CATEGORY, 2, 0]);
    assert_eq!(read.counts, [1, 1, 2]);
    assert_eq!(read.missing, 1);
    assert_eq!((read.name(0), read.name(2), read.name(99)), (Some("b10"), None, None));
}

#[test]
fn every_type_of_category_is_read() {
    assert_eq!(categories(Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))).names, ["false", "true"]);
    assert_eq!(categories(integers(&[10, -2, 9, 10])).names, ["-2", "9", "10"]);
    assert_eq!(categories(Arc::new(UInt64Array::from(vec![u64::MAX, 1]))).names, ["1", "18446744073709551615"]);
    let real = categories(floats(&[0.5, f64::NAN, -1.0]));
    assert_eq!((real.names.len(), real.missing), (2, 1));
}

#[test]
fn dictionaries_show_only_names_in_use() {
    // "b" twice among the values, "c" in no row, and a null in the values as well as in the keys.
    let names = StringArray::from(vec![Some("b"), Some("a"), Some("c"), Some("b"), None]);
    let keys = Int8Array::from(vec![Some(0), Some(3), None, Some(1), Some(4)]);
    let read = categories(Arc::new(DictionaryArray::<Int8Type>::new(keys, Arc::new(names))));
    assert_eq!(read.names, ["a", "b"]);
    assert_eq!(read.codes, [1, 1, NO_CATEGORY, 0, NO_CATEGORY]);
    assert_eq!(read.missing, 2);
    let empty = DictionaryArray::<Int8Type>::new(
        Int8Array::from(vec![None::<i8>, None]),
        Arc::new(StringArray::from(Vec::<&str>::new())),
    );
    assert_eq!(categories(Arc::new(empty)).codes, [NO_CATEGORY; 2]);
}

#[test]
fn colours_of_categories_do_not_depend_on_row_order() {
    for count in [5, 8, 9, 130] {
        let names: Vec<String> = (0..count * 3).map(|row| format!("name {}", row % count)).collect();
        let forward = Categories::of_names(names.iter().map(|name| Some(name.as_str())));
        let backward = Categories::of_names(names.iter().rev().map(|name| Some(name.as_str())));
        let once = Categories::of_names(names[..count].iter().map(|name| Some(name.as_str())));
        assert_eq!((&forward.names, &forward.colours), (&backward.names, &backward.colours));
        assert_eq!(forward.colours, once.colours, "nor on the number of rows");
        assert_ne!(forward.codes, backward.codes);
    }
}

#[test]
fn numbers_know_their_extent() {
    let read =
        numbers(Arc::new(Float64Array::from(vec![Some(3.0), None, Some(-1.0), Some(f64::NAN)])), Role::Continuous);
    assert_eq!((read.extent, read.robust, read.missing), ([-1.0, 3.0], [-1.0, 3.0], 2));
    assert!(read.values[1].is_nan() && !read.is_integer() && !read.is_time());
    let infinite = numbers(floats(&[f64::INFINITY, 2.0, 1.0]), Role::Continuous);
    assert_eq!((infinite.extent, infinite.missing), ([1.0, 2.0], 0));
    assert!(numbers(integers(&[1, 5]), Role::Continuous).is_integer());
    let nothing = numbers(Arc::new(Float64Array::from(vec![None::<f64>, None])), Role::Continuous);
    assert_eq!((nothing.extent, nothing.missing), ([0.0, 0.0], 2));
    assert_eq!(numbers(words(&["1.5", "x"]), Role::Continuous).extent, [1.5, 1.5], "text that is asked to be numbers");
}

#[test]
fn outliers_do_not_stretch_the_default_range() {
    let mut values: Vec<f64> = (0..1000).map(f64::from).collect();
    let even = Numbers::new(values.clone(), Kind::Real);
    assert_eq!(even.robust, [0.0, 999.0], "without outliers the range is the extent");
    values[500] = 1e6;
    let stretched = Numbers::new(values, Kind::Real);
    assert_eq!(stretched.extent, [0.0, 1e6]);
    assert!(stretched.robust[0] >= 0.0 && stretched.robust[1] < 1000.0, "{:?}", stretched.robust);
    let mut rare = vec![0.0; 1000];
    rare[3] = 5.0;
    assert_eq!(Numbers::new(rare, Kind::Real).robust, [0.0, 5.0], "a core without width is no range");
}

#[test]
fn times_are_seconds() {
    let time = |array: ArrayRef| {
        let read = numbers(array, Role::Timestamp);
        (read.kind, read.values[0])
    };
    assert_eq!(time(Arc::new(TimestampMillisecondArray::from(vec![1500]))), (Kind::Time, 1.5));
    assert_eq!(time(Arc::new(TimestampNanosecondArray::from(vec![2_000_000_000]))), (Kind::Time, 2.0));
    assert_eq!(time(Arc::new(Date32Array::from(vec![2]))), (Kind::Time, 172_800.0));
    assert_eq!(time(Arc::new(Time32SecondArray::from(vec![90]))), (Kind::TimeOfDay, 90.0));
    assert_eq!(time(Arc::new(DurationMillisecondArray::from(vec![250]))), (Kind::Duration, 0.25));
    assert_eq!(time(words(&["1970-01-02T00:00:00", "?"])), (Kind::Time, 86_400.0));
    assert_eq!(time(Arc::new(Int64Array::from(vec![7]))), (Kind::Time, 7.0));
    let missing = numbers(Arc::new(Date32Array::from(vec![None, Some(1)])), Role::Timestamp);
    assert!(missing.values[0].is_nan() && missing.is_time());
}

#[test]
fn colours_of_the_file_are_taken_as_they_are() {
    let array = StringArray::from(vec![Some("#f00"), None, Some("#0102Ff")]);
    let data = dataset(vec![("tint", Arc::new(array))]);
    let read = Values::of_column(&data, "tint").unwrap();
    assert_eq!(read, Values::Direct(vec![Some([255, 0, 0]), None, Some([1, 2, 255])]));
    assert_eq!((read.rows(), read.text(0), read.text(1)), (3, Some("#ff0000".to_owned()), None));
}

#[test]
fn columns_without_colours_say_what_they_are_and_what_would_do() {
    let columns = || {
        let image: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"png", b"png"]));
        let size = floats(&[1.0, 2.0]);
        vec![("title", words(&["one", "two"])), ("picture", image), ("kind", words(&["a", "a"])), ("size", size)]
    };
    let data = dataset_with_roles(columns(), &[]);
    let message = |name: &str| Values::of_column(&data, name).unwrap_err().to_string();
    for (name, what) in [
        ("title", "column \"title\" holds text that differs from row to row"),
        ("picture", "column \"picture\" holds images"),
        ("vector", "column \"vector\" is part of the vectors"),
        ("colour", "there is no column \"colour\""),
    ] {
        let message = message(name);
        assert!(message.starts_with(what), "{message}");
        assert!(message.ends_with("columns to colour by: kind, size"), "{message}");
    }
    let ignored = dataset_with_roles(columns(), &[("kind", Role::Ignored), ("size", Role::Ignored)]);
    let message = Values::of_column(&ignored, "kind").unwrap_err().to_string();
    assert!(message.contains("is ignored") && message.ends_with("no column to colour by"), "{message}");
}

#[test]
fn a_role_that_does_not_fit_the_type_is_an_error() {
    let image: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"png", b"jpg"]));
    let data = dataset_with_roles(vec![("picture", image)], &[("picture", Role::Continuous)]);
    let message = Values::of_column(&data, "picture").unwrap_err().to_string();
    assert!(message.contains("to be continuous") && message.contains("Binary"), "{message}");
}

#[test]
fn colours_stay_while_categories_come_and_go() {
    let mut known = BTreeMap::new();
    let mut seen = |names: &[&str]| {
        let mut categories = Categories::of_names(names.iter().map(|name| Some(*name)));
        categories.keep_colours(&mut known);
        let colours: BTreeMap<String, Rgb> = categories.names.into_iter().zip(categories.colours).collect();
        let distinct: std::collections::BTreeSet<Rgb> = colours.values().copied().collect();
        assert_eq!(distinct.len(), colours.len(), "two categories share a colour");
        colours
    };
    let ten = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let few = seen(&ten[3..6]);
    assert_eq!(few["3"], category_colours(&["3"])[0], "the first have the colours they would have anyway");
    let all = seen(&ten);
    let without = seen(&[&ten[..4], &ten[5..], &["new"]].concat());
    let again = seen(&ten);
    assert!(few.iter().all(|(name, colour)| all[name] == *colour));
    assert!(without.iter().all(|(name, colour)| name == "new" || all[name] == *colour));
    assert_eq!(again, all, "who returns has its colour");
    // Names without end are forgotten by and by.
    for round in 0..20 {
        let names: Vec<String> = (0..200).map(|name| format!("{round} {name}")).collect();
        let mut categories = Categories::of_names(names.iter().map(|name| Some(name.as_str())));
        categories.keep_colours(&mut known);
    }
    assert!(known.len() <= MAX_PALETTE + 200, "{} names", known.len());
}
