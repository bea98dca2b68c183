//! Searches, over tables small enough to read.

mod columns;
mod errors;
mod language;

use super::*;
use dataset::arrow::array::{
    Array, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int32Array, ListArray, StringArray,
};
use dataset::arrow::datatypes::Int32Type;
use std::sync::Arc;

/// File row numbers of the table's rows: every other, from 100.
fn row_number(row: usize) -> u32 {
    100 + 2 * row as u32
}

/// ```text
///    city       material  age   weight  retired  my column  tags
/// 0  York       wool      30    1.5     true     1          [1]
/// 1  New York   silk      41    NaN     false    2          [1]
/// 2  –          Wool      –     –       –        3          –
/// 3  Leeds      –         -5    0.1     true     4          [1]
/// 4  (empty)    cotton    7     -3      false    5          [1]
/// ```
fn table() -> RecordBatch {
    let list = || Some(vec![Some(1)]);
    let materials: DictionaryArray<Int32Type> =
        [Some("wool"), Some("silk"), Some("Wool"), None, Some("cotton")].into_iter().collect();
    let columns: [(&str, ArrayRef); 7] = [
        ("city", array(StringArray::from(vec![Some("York"), Some("New York"), None, Some("Leeds"), Some("")]))),
        ("Material", array(materials)),
        ("age", array(Int32Array::from(vec![Some(30), Some(41), None, Some(-5), Some(7)]))),
        ("weight", array(Float64Array::from(vec![Some(1.5), Some(f64::NAN), None, Some(0.1), Some(-3.0)]))),
        ("retired", array(BooleanArray::from(vec![Some(true), Some(false), None, Some(true), Some(false)]))),
        ("my column", array(Int8Array::from(vec![1, 2, 3, 4, 5]))),
        ("tags", array(ListArray::from_iter_primitive::<Int32Type, _, _>([list(), list(), None, list(), list()]))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}

fn array(array: impl Array + 'static) -> ArrayRef {
    Arc::new(array)
}

fn found_in(text: &str, table: &RecordBatch) -> Vec<u32> {
    let filter = Filter::parse(text, table).unwrap_or_else(|error| panic!("{text}: {error}"));
    let rows = filter.rows(table, &row_number);
    assert_eq!(rows.len(), table.num_rows());
    rows.iter().collect()
}

fn check(searches: &[(&str, &[u32])]) {
    let table = table();
    for (text, expected) in searches {
        assert_eq!(found_in(text, &table), *expected, "{text}");
    }
}
