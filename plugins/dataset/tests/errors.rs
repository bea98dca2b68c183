//! Every message, word for word where a user meets it.

use crate::support::*;
use arrow::array::{ArrayRef, BooleanArray, Float64Array, ListArray, StringArray};
use arrow::datatypes::{DataType, Float32Type};
use dataset::{LoadOptions, OnBadRows};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const REMEDY: &str = "(counting from 0); --on-bad-rows drop leaves such rows out";

fn default(path: &Path) -> String {
    message(load(path, &LoadOptions::default()))
}

fn file(directory: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = directory.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn missing_and_foreign_files() {
    let dir = dir();
    let missing = dir.path().join("nowhere.parquet");
    assert_eq!(default(&missing), format!("{missing:?} does not exist"));
    assert!(message(dataset::load(&[], &LoadOptions::default(), &|_| {})).starts_with("no input given"));
    assert_eq!(
        default(dir.path()),
        format!("directory {:?} holds no .parquet, .arrow, .feather, .ipc, .arrows, .csv or .tsv file", dir.path())
    );
    let supported = "supported are Parquet, Arrow IPC (Feather 2) and CSV";
    for (name, bytes, guess) in [
        ("a.parquet", &b"\x93NUMPY\x01\0"[..], "it looks like a NumPy array (.npy)"),
        ("a.dat", b"\x01\x02\x03", "it begins with the bytes 01 02 03"),
        ("a.dat", b"a,b\n", "it looks like text; a CSV file must end in .csv, .tsv or .txt"),
    ] {
        let path = file(&dir, name, bytes);
        assert_eq!(default(&path), format!("{path:?} is not a supported file: {guess}; {supported}"));
    }
}

#[test]
fn empty_files_and_tables_without_rows() {
    let dir = dir();
    let empty = file(&dir, "a.parquet", b"");
    assert_eq!(default(&empty), format!("{empty:?} has no rows"));
    let header = file(&dir, "a.csv", b"x,y\n");
    assert_eq!(default(&header), format!("{header:?} has no rows"));
    let wanting = LoadOptions { limit: Some(0), ..LoadOptions::default() };
    let full = dir.path().join("c.parquet");
    write(&full, &[numbered(5)]);
    let text = "none of the 5 rows are wanted: --limit and --sample must be at least 1";
    assert_eq!(message(load(&full, &wanting)), text);
    for ending in BINARY {
        let path = dir.path().join(format!("b.{ending}"));
        write(&path, &[numbered(5).slice(0, 0)]);
        assert_eq!(default(&path), format!("{path:?} has no rows"));
    }
}

#[test]
fn truncated_files_name_file_and_format() {
    let dir = dir();
    let names = ["Parquet", "Arrow IPC file", "Arrow IPC stream"];
    for (ending, name) in BINARY.into_iter().zip(names) {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[numbered(500)]);
        let bytes = std::fs::read(&path).unwrap();
        for keep in [bytes.len() - 20, bytes.len() / 2, 12] {
            std::fs::write(&path, &bytes[..keep]).unwrap();
            let text = default(&path);
            assert!(text.starts_with(&format!("{path:?} is truncated or damaged ({name}): ")), "{keep}: {text}");
        }
    }
    let ragged = file(&dir, "a.csv", b"x,y\n1,2\n1,2,3\n");
    let text = default(&ragged);
    assert!(
        text.starts_with(&format!("{ragged:?} is truncated or damaged (CSV): ")) && text.contains("line 3"),
        "{text}"
    );
}

#[test]
fn parts_of_unlike_schemas() {
    let dir = dir();
    let (a, b) = (dir.path().join("a.parquet"), dir.path().join("b.parquet"));
    write(&a, &[numbered(5)]);
    let both = |second: &arrow::array::RecordBatch| {
        write(&b, std::slice::from_ref(second));
        message(dataset::load(&[a.clone(), b.clone()], &LoadOptions::default(), &|_| {}))
    };
    let numbered = numbered(5);
    let text = both(&numbered.project(&[0, 1]).unwrap());
    let start = format!("{a:?} and {b:?} must have the same columns, but column");
    assert_eq!(text, format!("{start} \"number\" is missing or in another place in the second"));
    let (label, vector, number) = (numbered.column(0).clone(), numbered.column(1).clone(), numbered.column(2).clone());
    let text = both(&table(vec![("label", number.clone()), ("vector", vector.clone()), ("number", number.clone())]));
    assert_eq!(text, format!("{start} \"label\" holds Utf8 in the first and Int32 in the second"));
    let extra = vec![("label", label), ("vector", vector), ("number", number.clone()), ("extra", number)];
    assert_eq!(both(&table(extra)), format!("{start} \"extra\" is only in the second"));
}

#[test]
fn columns_that_are_missing_or_not_numbers() {
    let dir = dir();
    let path = dir.path().join("a.parquet");
    write(&path, &[numbered(5)]);
    let there = "\"label\" (Utf8), \"vector\" (FixedSizeList(3 x Float32)), \"number\" (Int32)";
    let with = |vector: Option<&str>, columns: &[&str]| {
        let columns = columns.iter().map(ToString::to_string).collect();
        message(load(&path, &LoadOptions { vector: vector.map(Into::into), columns, ..LoadOptions::default() }))
    };
    assert_eq!(with(Some("emb"), &[]), format!("no column \"emb\"; there are: {there}"));
    assert_eq!(with(None, &["number", "y"]), format!("no column \"y\"; there are: {there}"));
    let numeric = "\"vector\" (FixedSizeList(3 x Float32)), \"number\" (Int32)";
    let text = format!("column \"label\" holds Utf8, but vectors must be numbers; numeric columns: {numeric}");
    assert_eq!(with(Some("label"), &[]), text);
    assert_eq!(with(None, &["number", "label"]), text);
    assert_eq!(
        with(Some("vector"), &["number"]),
        "--vector \"vector\" and --columns exclude each other: give one of them"
    );
    let words: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false]));
    write(&path, &[table(vec![("word", words), ("flag", flags)])]);
    let text = "no numeric columns to make vectors of; there are: \"word\" (Utf8), \"flag\" (Boolean)";
    assert_eq!(default(&path), text);
}

#[test]
fn lists_of_unequal_length_name_row_and_both_lengths() {
    let dir = dir();
    let mut rows = vec![Some(vec![Some(1.0), Some(2.0)]); 30];
    rows[17] = Some(vec![Some(1.0), Some(2.0), Some(3.0)]);
    let array: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(rows));
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[table(vec![("v", Arc::clone(&array))])]);
        let text = format!("column \"v\" has a list of 3 values where the others have 2 at row 17 {REMEDY}");
        assert_eq!(default(&path), text);
        let dropping = LoadOptions { on_bad_rows: OnBadRows::Drop, ..LoadOptions::default() };
        assert_eq!(load(&path, &dropping).unwrap().source.dropped_rows, 1);
    }
    let empty: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(vec![Some(vec![None; 0]); 3]));
    let path = dir.path().join("b.parquet");
    write(&path, &[table(vec![("v", empty)])]);
    assert_eq!(default(&path), "column \"v\" holds empty lists: a vector needs at least one value");
}

#[test]
fn nulls_and_numbers_that_are_not_finite_name_column_and_row() {
    let dir = dir();
    let faults = [
        (None, "has a null as value 1 of its list"),
        (Some(f64::NAN), "is not finite (NaN)"),
        (Some(f64::NEG_INFINITY), "is not finite (-inf)"),
        (Some(1e300), "is not finite (inf)"),
    ];
    for (value, fault) in faults {
        for kind in ["fixed", "list", "large"] {
            let mut values = vec![Some(1.0); 40];
            values[2 * 17 + 1] = value;
            values[2 * 19] = value;
            let path = dir.path().join("a.arrow");
            let batch = table(vec![("v", lists(kind, &DataType::Float64, values, 2))]);
            write(&path, &[batch.slice(0, 10), batch.slice(10, 10)]);
            assert_eq!(default(&path), format!("column \"v\" {fault} at row 17 {REMEDY}"), "{kind}");
            let dropping = LoadOptions { on_bad_rows: OnBadRows::Drop, ..LoadOptions::default() };
            assert_eq!(load(&path, &dropping).unwrap().source.dropped_rows, 2);
        }
    }
    let path = dir.path().join("b.parquet");
    let batch = numbered(20);
    let vectors = with_null_rows(batch.column(1), |row| row == 3);
    write(&path, &[table(vec![("vector", vectors)])]);
    assert_eq!(default(&path), format!("column \"vector\" is null at row 3 {REMEDY}"));
}

#[test]
fn plain_columns_name_the_column_that_is_bad() {
    let dir = dir();
    let path = file(&dir, "a.csv", b"x,y\n1,2\n3,\n5,nan\n");
    assert_eq!(default(&path), format!("column \"y\" is null at row 1 {REMEDY}"));
    let column = |bad: Option<f64>| -> ArrayRef { Arc::new(Float64Array::from(vec![Some(1.0), Some(2.0), bad])) };
    write(&path.with_extension("parquet"), &[table(vec![("x", column(Some(0.0))), ("y", column(Some(f64::NAN)))])]);
    let text = default(&path.with_extension("parquet"));
    assert_eq!(text, format!("column \"y\" is not finite (NaN) at row 2 {REMEDY}"));
}

#[test]
fn the_first_bad_row_of_the_file_is_named_whatever_thread_finds_one() {
    let dir = dir();
    let path = dir.path().join("a.parquet");
    let batch = numbered(9000);
    let vectors = with_null_rows(batch.column(1), |row| row > 1234 && row % 50 == 7);
    write_parquet(&path, &[table(vec![("vector", vectors)])], parquet::basic::Compression::SNAPPY, 100);
    for _ in 0..20 {
        assert_eq!(default(&path), format!("column \"vector\" is null at row 1257 {REMEDY}"));
    }
}

#[test]
fn nothing_left_is_an_error_even_when_dropping() {
    let dir = dir();
    let path = dir.path().join("a.parquet");
    write(&path, &[table(vec![("v", lists("fixed", &DataType::Float32, vec![Some(f64::NAN); 6], 2))])]);
    let dropping = LoadOptions { on_bad_rows: OnBadRows::Drop, ..LoadOptions::default() };
    assert_eq!(
        message(load(&path, &dropping)),
        "all 3 rows have a null, NaN, infinity or another length in the vector columns [\"v\"]: nothing is left"
    );
}
