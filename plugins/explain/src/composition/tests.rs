//! Shares by hand, and columns of every kind.

use super::*;
use dataset::arrow::array::{BooleanArray, DictionaryArray, Float32Array, Int32Array, Int64Array, StringArray};
use dataset::arrow::datatypes::Int32Type;
use std::sync::Arc;

fn of(array: impl Array + 'static, a: &[u32], b: &[u32]) -> Composition {
    Composition::of_array("kind", &(Arc::new(array) as ArrayRef), Groups { a, b }).unwrap()
}

fn counts(composition: &Composition) -> Vec<(&str, usize, usize)> {
    composition.shares.iter().map(|share| (share.value.as_str(), share.in_a, share.in_b)).collect()
}

#[test]
fn lift_by_hand() {
    // A: T T B, B: T B B B, and one row each without a value. Together 3 of 7 are T.
    let kinds = StringArray::from(vec![
        Some("T"),
        Some("T"),
        Some("B"),
        None,
        Some("T"),
        Some("B"),
        Some("B"),
        Some("B"),
        None,
        Some("unused"),
    ]);
    let found = of(kinds.clone(), &[0, 1, 2, 3], &[4, 5, 6, 7, 8]);
    assert_eq!(counts(&found), [("T", 2, 1), ("B", 1, 3)]);
    assert_eq!((found.missing_a, found.missing_b, found.distinct, found.others), (1, 1, 2, 0));
    let close = |left: f64, right: f64| (left - right).abs() < 1e-15;
    let t = &found.shares[0];
    assert!(close(t.share_a, 2.0 / 3.0) && close(t.share_b, 0.25) && close(t.lift, (2.0 / 3.0) / (3.0 / 7.0)));
    // χ² of [2 1; 1 3] is n (ad − bc)² / (products of the margins) = 7·25 / (3·4·3·4).
    assert!(close(found.cramers_v, (25.0f64 / 144.0).sqrt()), "{}", found.cramers_v);
    let other = of(kinds, &[0, 1, 4], &[2, 5, 6, 7]);
    assert!(close(other.shares[0].lift, 7.0 / 3.0) && close(other.cramers_v, 1.0));
}

#[test]
fn every_kind_of_column_has_values() {
    let (a, b): (&[u32], &[u32]) = (&[0, 1, 2], &[3, 4, 5]);
    let expected = [("10", 2, 0), ("2", 1, 1), ("1", 0, 1)];
    let integers = [Some(10), Some(2), Some(10), None, Some(1), Some(2)];
    let texts = integers.map(|value| value.map(|value: i32| value.to_string()));
    assert_eq!(counts(&of(Int32Array::from(integers.to_vec()), a, b)), expected);
    assert_eq!(counts(&of(Int64Array::from(integers.map(|value| value.map(i64::from)).to_vec()), a, b)), expected);
    assert_eq!(counts(&of(StringArray::from(texts.to_vec()), a, b)), expected);
    let dictionary: DictionaryArray<Int32Type> = texts.iter().map(Option::as_deref).collect();
    let found = of(dictionary, a, b);
    assert_eq!((counts(&found), found.missing_b), (expected.to_vec(), 1));
    let view: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    assert_eq!(counts(&of(cast(&view, &DataType::Utf8View).unwrap(), a, b)), expected);
    let truth = of(BooleanArray::from(vec![true, true, false, false, true, false]), a, b);
    assert_eq!(counts(&truth), [("true", 2, 1), ("false", 1, 2)]);
    let floats = of(Float32Array::from(vec![1.5, f32::NAN, 1.5, 1.5, f32::INFINITY, 1.5]), a, b);
    assert_eq!((counts(&floats), floats.missing_a, floats.missing_b), (vec![("1.5", 2, 2)], 1, 1));
}

#[test]
fn a_dictionary_may_repeat_values_and_hold_none() {
    let keys = Int32Array::from(vec![Some(0), Some(1), Some(2), None, Some(3), Some(0)]);
    let values = StringArray::from(vec![Some("x"), Some("x"), None, Some("y"), Some("unused")]);
    let found = of(DictionaryArray::new(keys, Arc::new(values)), &[0, 1, 2], &[3, 4, 5]);
    assert_eq!(counts(&found), [("x", 2, 1), ("y", 0, 1)]);
    assert_eq!((found.missing_a, found.missing_b, found.distinct), (1, 1, 2));
    let empty = DictionaryArray::new(Int32Array::from(vec![None; 6]), Arc::new(StringArray::new_null(0)));
    let found = of(empty, &[0, 1, 2], &[3, 4]);
    assert_eq!((counts(&found), found.missing_a, found.missing_b, found.cramers_v), (vec![], 3, 2, 0.0));
}

#[test]
fn ties_are_in_the_order_of_names() {
    let names: Vec<String> = [10, 9, 2, 1].map(|number| format!("cluster {number}")).to_vec();
    let found = of(StringArray::from(names), &[0, 1], &[2, 3]);
    let expected = [("cluster 9", 1, 0), ("cluster 10", 1, 0), ("cluster 1", 0, 1), ("cluster 2", 0, 1)];
    assert_eq!(counts(&found), expected);
}

#[test]
fn many_values_are_summed_up() {
    // Value v has v + 1 rows; those of odd v are in A. 40 values of the 240 are beyond the bound: v < 40.
    let all: Vec<usize> = (0..240).flat_map(|value| std::iter::repeat_n(value, value + 1)).collect();
    let rows = |odd: usize| -> Vec<u32> { (0..all.len() as u32).filter(|&row| all[row as usize] % 2 == odd).collect() };
    let names: Vec<String> = all.iter().map(|value| format!("value {value}")).collect();
    let found = of(StringArray::from(names), &rows(1), &rows(0));
    assert_eq!((found.shares.len(), found.distinct, found.others), (MAX_CATEGORIES + 1, 240, 40));
    assert_eq!(counts(&found)[..2], [("value 239", 240, 0), ("value 237", 238, 0)]);
    let last = found.shares.last().unwrap();
    assert_eq!((last.value.as_str(), last.in_a, last.in_b), (OTHER, 420, 400)); // 2 + 4 + … + 40, 1 + 3 + … + 39
    assert_eq!(found.shares.iter().map(|share| share.in_a + share.in_b).sum::<usize>(), all.len());
    assert!((found.cramers_v - 1.0).abs() < 1e-12, "V sees all values, not their sum: {}", found.cramers_v);
    let few = of(Int32Array::from_iter_values(all.iter().map(|&value| value as i32 % 200)), &rows(1), &rows(0));
    assert_eq!((few.shares.len(), few.others), (200, 0));
}

#[test]
fn one_value_or_none_tells_nothing() {
    let found = of(StringArray::from(vec!["same"; 4]), &[0, 1], &[2, 3]);
    assert_eq!((found.cramers_v, found.shares[0].lift), (0.0, 1.0));
    let found = of(StringArray::from(vec![None, None, Some("x"), Some("y")]), &[0, 1], &[2, 3]);
    assert_eq!((found.cramers_v, found.missing_a, found.shares[0].share_a, found.shares[0].lift), (0.0, 2, 0.0, 0.0));
}
