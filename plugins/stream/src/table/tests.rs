//! The table against a plain list of what should be in it.

use super::*;
use crate::ROW_COLUMN;
use crate::support::{numbered, table, valued, with_column};
use dataset::arrow::array::{Array, ArrayRef, AsArray, DictionaryArray, Int64Array, StringArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, Int32Type, Int64Type};
use dataset::{LoadOptions, load_batches};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn first(batch: &RecordBatch) -> Dataset {
    load_batches("test", std::slice::from_ref(batch), &LoadOptions::default(), &|_| {}).unwrap()
}

fn living(ids: std::ops::Range<i64>, keep_last: Option<usize>) -> LivingTable {
    LivingTable::new(&first(&numbered(ids)), Some("id"), keep_last).unwrap()
}

fn apply(table: &mut LivingTable, operation: Operation, batch: &RecordBatch) -> Applied {
    let incoming = table.intake().read(operation, batch).unwrap();
    table.apply(incoming).unwrap()
}

/// What an engine knows: vectors of living rows, changed only by what it is told.
#[derive(Default)]
struct Engine {
    vectors: BTreeMap<u32, Vec<f32>>,
    rows: usize,
}

impl Engine {
    fn of(dataset: &Dataset) -> Self {
        let rows = dataset.vectors.rows();
        let vectors = (0..rows).map(|row| (row as u32, dataset.vectors.row(row).to_vec())).collect();
        Self { vectors, rows }
    }

    fn take(&mut self, change: &Change) {
        let mut mentioned = BTreeSet::new();
        let all = change.departed.iter().chain(&change.arrived.0).chain(&change.updated.0);
        all.for_each(|&row| assert!(mentioned.insert(row), "row {row} is in two sets"));
        for row in &change.departed {
            assert!(self.vectors.remove(row).is_some(), "row {row} departs and did not live");
        }
        for (at, &row) in change.arrived.0.iter().enumerate() {
            let before = self.vectors.insert(row, change.arrived.1.row(at).to_vec());
            assert!(before.is_none(), "row {row} arrives and lived already");
        }
        for (at, &row) in change.updated.0.iter().enumerate() {
            let before = self.vectors.insert(row, change.updated.1.row(at).to_vec());
            assert!(before.is_some(), "row {row} changes and did not live");
        }
        self.rows = change.rows;
        assert_eq!(self.vectors.len(), change.living);
        assert!(self.vectors.keys().all(|&row| (row as usize) < change.rows));
    }
}

/// What should be in the table: value and arrival number by key, and keys by when they were last written.
#[derive(Default)]
struct Model {
    rows: BTreeMap<i64, (f32, u64)>,
    order: Vec<i64>,
    unknown: usize,
    next_number: u64,
}

impl Model {
    fn apply(&mut self, operation: Operation, rows: &[(i64, f32)], keep_last: Option<usize>) {
        for &(key, value) in rows {
            let known = self.rows.contains_key(&key);
            match operation {
                Operation::Delete if known => {
                    self.rows.remove(&key);
                    self.order.retain(|&other| other != key);
                }
                Operation::Append | Operation::Replace if known || operation == Operation::Append => {
                    self.rows.entry(key).or_insert((0.0, self.next_number)).0 = value;
                    self.order.retain(|&other| other != key);
                    self.order.push(key);
                }
                _ => self.unknown += 1,
            }
            self.next_number += u64::from(operation == Operation::Append);
        }
        while keep_last.is_some_and(|most| self.order.len() > most) {
            self.rows.remove(&self.order.remove(0));
        }
    }
}

fn check(table: &mut LivingTable, engine: &Engine, model: &Model) {
    assert_eq!(table.living(), model.rows.len());
    assert_eq!(table.rows(), engine.rows);
    let attributes = table.attributes().unwrap();
    assert_eq!(attributes.num_rows(), table.rows());
    let ids = attributes.column(0).as_primitive::<Int64Type>();
    let labels = cast(attributes.column(1), &DataType::Utf8).unwrap();
    let labels = labels.as_string::<i32>();
    assert_eq!(ids.null_count(), table.rows() - table.living(), "the departed are null");
    for (&key, &(value, number)) in &model.rows {
        let row = table.row_of(&Key::Integer(key)).unwrap();
        assert_eq!(engine.vectors[&row], [value, -value, value / 2.0], "key {key}");
        assert_eq!(ids.value(row as usize), key);
        assert_eq!(labels.value(row as usize), ["red", "green", "blue"][value as usize % 3]);
        assert_eq!((table.number(row), table.key(row)), (Some(number), Some(&Key::Integer(key))));
    }
    assert_eq!(table.living_rows().collect::<Vec<_>>(), engine.vectors.keys().copied().collect::<Vec<_>>());
}

/// A long random life; the row of every key at its end.
fn random_life(seed: u64, keep_last: Option<usize>, dictionary: bool) -> Vec<(i64, u32)> {
    const MOST: usize = 40;
    let mut random = fastrand::Rng::with_seed(seed);
    let stored = |batch: RecordBatch| match dictionary {
        false => batch,
        true => {
            let labels = cast(batch.column(2), &DataType::Dictionary(DataType::Int8.into(), DataType::Utf8.into()));
            let [id, vector] = [0, 1].map(|column| batch.column(column).clone());
            self::table([("id", id), ("vector", vector), ("label", labels.unwrap())])
        }
    };
    let begin: Vec<(i64, f32)> = (0..50).map(|id| (id, id as f32)).collect();
    let dataset = first(&stored(valued(begin.clone())));
    let mut table = LivingTable::new(&dataset, Some("id"), keep_last).unwrap();
    let (mut engine, mut model) = (Engine::of(&dataset), Model::default());
    model.apply(Operation::Append, &begin, keep_last);
    let (mut most_living, mut most_between, mut unknown) = (50, 0, 0);
    for _ in 0..400 {
        let mut between = 0;
        for _ in 0..random.usize(0..4) {
            let operation = [Operation::Append, Operation::Replace, Operation::Delete][random.usize(..3)];
            let count = random.usize(0..MOST);
            let rows: Vec<(i64, f32)> = (0..count).map(|_| (random.i64(0..200), random.u32(..1000) as f32)).collect();
            between += count;
            apply(&mut table, operation, &stored(valued(rows.clone())));
            model.apply(operation, &rows, keep_last);
            most_living = most_living.max(model.rows.len());
        }
        most_between = most_between.max(between);
        if let Some(change) = table.take_change() {
            unknown += change.unknown_keys;
            engine.take(&change);
        }
        check(&mut table, &engine, &model);
    }
    assert_eq!(unknown, model.unknown);
    assert!(table.rows() <= most_living + most_between, "{} row numbers for {most_living} rows", table.rows());
    model.rows.keys().map(|&key| (key, table.row_of(&Key::Integer(key)).unwrap())).collect()
}

#[test]
fn long_random_lives_agree_with_a_plain_list() {
    for (seed, keep_last, dictionary) in [(1, None, false), (2, None, true), (3, Some(60), false), (4, Some(7), true)] {
        let end = random_life(seed, keep_last, dictionary);
        assert_eq!(end, random_life(seed, keep_last, dictionary), "the same life ends the same way");
        assert_ne!(end, random_life(seed + 10, keep_last, dictionary));
    }
}

#[test]
fn numbers_of_the_departed_are_used_again_only_after_they_were_told_of() {
    let mut table = living(0..4, None);
    apply(&mut table, Operation::Delete, &numbered([1, 2]));
    apply(&mut table, Operation::Append, &numbered([10]));
    assert_eq!(table.row_of(&Key::Integer(10)), Some(4));
    let change = table.take_change().unwrap();
    assert_eq!((change.departed, change.arrived.0, change.rows, change.living), (vec![1, 2], vec![4], 5, 3));
    apply(&mut table, Operation::Append, &numbered([11, 12, 13]));
    assert_eq!([11, 12, 13].map(|key| table.row_of(&Key::Integer(key))), [Some(1), Some(2), Some(5)]);
    assert!(table.take_change().is_some() && table.take_change().is_none());
}

#[test]
fn the_last_rows_stay_and_a_rewritten_row_is_young_again() {
    let mut table = living(0..5, Some(3));
    assert_eq!(table.take_change().unwrap().departed, [0, 1]);
    apply(&mut table, Operation::Replace, &valued([(2, 9.0)]));
    let applied = apply(&mut table, Operation::Append, &numbered([20]));
    assert_eq!(applied, Applied { arrived: 1, departed: 1, ..Applied::default() });
    let keys: Vec<String> = table.living_rows().map(|row| table.key(row).unwrap().to_string()).collect();
    assert_eq!(keys, ["20", "2", "4"]);
    apply(&mut table, Operation::Append, &numbered(100..200));
    assert_eq!((table.living(), table.row_of(&Key::Integer(199)).is_some()), (3, true));
}

#[test]
fn an_endless_stream_needs_no_more_room_and_no_more_words() {
    let words = |ids: std::ops::Range<i64>| {
        let texts: DictionaryArray<Int32Type> =
            ids.clone().map(|id| format!("word {id}")).collect::<Vec<_>>().iter().map(String::as_str).collect();
        with_column(&numbered(ids), "word", Arc::new(texts))
    };
    let mut table = LivingTable::new(&first(&words(0..100)), None, Some(500)).unwrap();
    let mut most = 0;
    for round in 1..200 {
        apply(&mut table, Operation::Append, &words(round * 100..(round + 1) * 100));
        let _ = table.take_change();
        let attributes = table.attributes().unwrap();
        let column = attributes.column_by_name("word").unwrap().as_dictionary::<Int32Type>();
        most = most.max(column.values().len());
        let distinct: BTreeSet<&str> = column.values().as_string::<i32>().iter().flatten().collect();
        assert_eq!(distinct.len(), column.values().len(), "no word twice");
        let texts = column.downcast_dict::<StringArray>().unwrap();
        let found: BTreeSet<&str> = texts.into_iter().flatten().collect();
        let expected: BTreeSet<String> =
            (0.max((round + 1) * 100 - 500)..(round + 1) * 100).map(|id| format!("word {id}")).collect();
        assert_eq!(found, expected.iter().map(String::as_str).collect());
    }
    assert!(table.rows() <= 600, "{} row numbers", table.rows());
    assert!(most <= 2 * 600 + 1024 + 100, "{most} words");
    // Numbers go on: nobody is ever counted anew.
    assert_eq!(table.living_rows().filter_map(|row| table.number(row)).max(), Some(19_999));
}

#[test]
fn without_a_key_rows_are_known_by_their_numbers_bad_rows_included() {
    let mut table = LivingTable::new(&first(&numbered(0..3)), None, None).unwrap();
    let incoming = table.intake().read(Operation::Append, &valued([(7, 1.0), (8, f32::NAN), (9, 2.0)])).unwrap();
    let note = "1 of 3 rows are left out: column \"vector\" is not finite (NaN) at row 1 of them";
    assert_eq!(incoming.notes, [note]);
    table.apply(incoming).unwrap();
    assert_eq!([3, 4, 5, 6].map(|number| table.row_of(&Key::Unsigned(number))), [Some(3), None, Some(4), None]);
    let numbers = |numbers: Vec<i64>| Arc::new(Int64Array::from(numbers)) as ArrayRef;
    apply(&mut table, Operation::Delete, &self::table([(ROW_COLUMN, numbers(vec![5, 0, 77, -1]))]));
    let replacing = with_column(&valued([(1, 50.0)]), ROW_COLUMN, numbers(vec![1]));
    apply(&mut table, Operation::Replace, &replacing);
    let change = table.take_change().unwrap();
    assert_eq!((change.departed.as_slice(), change.unknown_keys), ([0].as_slice(), 2));
    assert_eq!(
        (change.updated.0.as_slice(), change.updated.1.row(0)),
        ([1].as_slice(), [50.0, -50.0, 25.0].as_slice())
    );
    let refusal = table.intake().read(Operation::Delete, &numbered([1])).unwrap_err().to_string();
    assert!(refusal.starts_with("delete needs to know its rows: choose a key column (--key NAME)"), "{refusal}");
}

#[test]
fn rows_that_do_not_fit_are_refused_and_the_table_stays() {
    let mut table = living(0..4, None);
    let before = table.attributes().unwrap();
    let batch = numbered(10..12);
    let words: ArrayRef = Arc::new(StringArray::from(vec!["x", "y"]));
    let vector = batch.column(1).clone();
    let refusals = [
        (self::table([("id", batch.column(0).clone()), ("vector", vector.clone())]), "no column \"label\" (Utf8)"),
        (
            self::table([("id", words.clone()), ("vector", vector.clone()), ("label", words.clone())]),
            "column \"id\" holds Utf8, but Int64 in the table; send it as Int64",
        ),
        (
            self::table([
                ("id", Arc::new(Int64Array::from(vec![Some(1), None])) as ArrayRef),
                ("vector", vector),
                ("label", words),
            ]),
            "column \"id\" is null at row 1: every row needs a key",
        ),
    ];
    for (batch, expected) in refusals {
        let message = table.intake().read(Operation::Append, &batch).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!((table.take_change(), table.attributes().unwrap()), (None, before));
    // Deleting needs the key alone, and says nothing of the columns it ignores.
    let delete = self::table([("id", Arc::new(Int64Array::from(vec![2])) as ArrayRef)]);
    assert_eq!(apply(&mut table, Operation::Delete, &delete).departed, 1);
}

#[test]
fn columns_that_are_left_out_are_told_of_once() {
    let table = living(0..4, None);
    let batch = with_column(&numbered(4..5), "more", Arc::new(StringArray::from(vec!["x"])));
    let notes = |table: &LivingTable| table.intake().read(Operation::Append, &batch).unwrap().notes;
    assert_eq!(notes(&table), ["the table has no such columns, they are left out: \"more\""]);
    assert!(notes(&table).is_empty());
}

#[test]
fn keys_of_the_first_load_must_be_one_each() {
    let refusal =
        |batch: &RecordBatch, key: &str| LivingTable::new(&first(batch), Some(key), None).unwrap_err().to_string();
    let twice = refusal(&numbered([4, 7, 5, 7]), "id");
    assert_eq!(twice, "rows 1 and 3 both have the key 7 in column \"id\": a key must belong to one row");
    let missing = refusal(&numbered(0..2), "name");
    assert_eq!(missing, "there is no column \"name\" to know rows by; there are: \"id\", \"label\"");
}

#[test]
fn vectors_are_scaled_by_what_the_first_load_found() {
    let batch = numbered(0..50);
    let options = LoadOptions { standardize: true, pca: dataset::PcaChoice::To(2), ..LoadOptions::default() };
    let dataset = load_batches("test", std::slice::from_ref(&batch), &options, &|_| {}).unwrap();
    let mut table = LivingTable::new(&dataset, None, None).unwrap();
    apply(&mut table, Operation::Append, &batch);
    let change = table.take_change().unwrap();
    assert_eq!(change.arrived.1.dims(), 2);
    let apart = |row: usize| {
        let pairs = change.arrived.1.row(row).iter().zip(dataset.vectors.row(row));
        pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
    };
    assert!((0..50).all(|row| apart(row) < 1e-5), "the same rows have the same vectors");
}

#[test]
#[ignore = "prints timings; for people"]
fn timings() {
    let columns = |ids: std::ops::Range<i64>| {
        let mut batch = numbered(ids.clone());
        for column in 0..4 {
            let words = ids.clone().map(|id| format!("word {}", (id * 7 + column) % 50));
            let words: Vec<String> = words.collect();
            let kinds: DictionaryArray<Int32Type> = words.iter().map(String::as_str).collect();
            let texts = StringArray::from_iter_values(ids.clone().map(|id| format!("a text of some length {id}")));
            batch = with_column(&batch, &format!("kind {column}"), Arc::new(kinds));
            batch = with_column(&batch, &format!("text {column}"), Arc::new(texts));
        }
        batch
    };
    let rows = 70_000;
    let mut table = LivingTable::new(&first(&columns(0..rows)), Some("id"), Some(rows as usize)).unwrap();
    let (mut reading, mut applying, mut joining) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..20 {
        let batch = columns(rows + round * 1000..rows + (round + 1) * 1000);
        let begun = std::time::Instant::now();
        let incoming = table.intake().read(Operation::Append, &batch).unwrap();
        let read = begun.elapsed();
        table.apply(incoming).unwrap();
        let change = table.take_change().unwrap();
        let applied = begun.elapsed();
        assert_eq!((change.departed.len(), change.arrived.0.len()), (1000, 1000));
        let attributes = table.attributes().unwrap();
        assert_eq!(attributes.num_columns(), 10);
        reading.push(read);
        applying.push(applied - read);
        joining.push(begun.elapsed() - applied);
    }
    for times in [&mut reading, &mut applying, &mut joining] {
        times.sort();
    }
    println!(
        "1000 rows of 70 000 × 10: read {:?}, apply {:?}, attributes {:?}",
        reading[10], applying[10], joining[10]
    );
}
