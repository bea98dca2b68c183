//! Rows that come after the first load.

use crate::support::*;
use arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, Float32Array, Float64Array, Int8Array, Int32Array, Int64Array,
    LargeStringArray, RecordBatch, StringArray,
};
use arrow::datatypes::{DataType, Field, Int8Type, Int32Type, Schema};
use dataset::{AttributeColumns, Dataset, Fault, LoadOptions, OpenFile, PcaChoice, Reader, load_batches};
use std::sync::Arc;

fn first(batch: &RecordBatch, options: &LoadOptions) -> Dataset {
    load_batches("test", std::slice::from_ref(batch), options, &|_| {}).unwrap()
}

fn reader(batch: &RecordBatch) -> Reader {
    Reader::of(&first(batch, &LoadOptions::default()))
}

/// A batch with one column in the place of another.
fn with(batch: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let schema = batch.schema();
    let columns =
        schema.fields().iter().zip(batch.columns()).map(|(field, old)| {
            (field.name().as_str(), if field.name() == name { column.clone() } else { old.clone() })
        });
    table(columns.collect())
}

#[test]
fn batches_load_as_a_file_of_them_would() {
    let dir = dir();
    let path = dir.path().join("a.arrows");
    let batches = [numbered_from(0, 40), numbered_from(40, 60)];
    write(&path, &batches);
    let options = LoadOptions { sample: Some(50), standardize: true, ..LoadOptions::default() };
    let (file, memory) = (load(&path, &options).unwrap(), load_batches("a", &batches, &options, &|_| {}).unwrap());
    assert_eq!((&file.vectors, &file.attributes), (&memory.vectors, &memory.attributes));
    assert_eq!((&file.row_numbers, &file.roles), (&memory.row_numbers, &memory.roles));
    assert_eq!(memory.source.file_rows, 100);
    let differing = [numbered(5), numbered(5).project(&[0, 1]).unwrap()];
    let text = message(load_batches("a", &differing, &LoadOptions::default(), &|_| {}));
    assert!(text.contains("\"a, batch 1\" must have the same columns, but column \"number\" is missing"), "{text}");
    assert_eq!(message(load_batches("a", &[], &LoadOptions::default(), &|_| {})), "\"a\" has no rows");
}

#[test]
fn batches_may_bring_dictionaries_of_their_own() {
    let batch = |words: [&str; 3]| {
        let words: DictionaryArray<Int8Type> = words.into_iter().collect();
        table(vec![("v", numbered(3).column(1).clone()), ("word", Arc::new(words))])
    };
    let data = load_batches("a", &[batch(["x", "y", "x"]), batch(["z", "x", "q"])], &LoadOptions::default(), &|_| {});
    let words = arrow::compute::cast(data.unwrap().attributes.column(0), &DataType::Utf8).unwrap();
    let words: Vec<&str> = words.as_string::<i32>().iter().flatten().collect();
    assert_eq!(words, ["x", "y", "x", "z", "x", "q"]);
}

#[test]
fn further_rows_are_treated_exactly_as_the_first() {
    let batch = numbered(200);
    let plain = LoadOptions::default();
    let scaled = LoadOptions { standardize: true, ..LoadOptions::default() };
    let reduced = LoadOptions { standardize: true, pca: PcaChoice::To(2), ..LoadOptions::default() };
    for options in [plain, scaled, reduced] {
        let data = first(&batch, &options);
        let reader = Reader::of(&data);
        let more = reader.read(&batch).unwrap();
        assert_eq!((more.vectors.rows(), more.vectors.dims()), (200, reader.dims()));
        assert_eq!(more.vectors, data.vectors);
        assert_eq!(more.attributes.columns(), data.attributes.columns());
        assert_eq!((more.kept.len(), more.rows, more.bad), (200, 200, None));
        // A single row is not scaled by itself.
        let alone = reader.read(&batch.slice(17, 1)).unwrap().vectors;
        let apart = alone.row(0).iter().zip(data.vectors.row(17)).map(|(one, other)| (one - other).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-5, "{:?} and {:?}", alone.row(0), data.vectors.row(17));
    }
}

#[test]
fn bad_rows_are_left_out_and_the_first_is_named() {
    let values = (0..12).map(|at| if at == 4 { Some(f64::NAN) } else { Some(f64::from(at)) }).collect();
    let vectors = with_null_rows(&lists("list", &DataType::Float64, values, 3), |row| row == 2);
    let more = reader(&numbered(9)).read(&with(&numbered(4), "vector", vectors)).unwrap();
    assert_eq!((more.kept.as_slice(), more.rows), ([0, 3].as_slice(), 4));
    assert_eq!((more.vectors.row(0), more.vectors.row(1)), ([0.0, 1.0, 2.0].as_slice(), [9.0, 10.0, 11.0].as_slice()));
    let numbers = more.attributes.column_by_name("number").unwrap().as_primitive::<Int32Type>();
    assert_eq!(numbers.values(), &[0, 3]);
    let bad = more.bad.unwrap();
    assert_eq!((bad.column.as_str(), bad.row), ("vector", 1));
    assert!(matches!(bad.fault, Fault::NotFinite { .. }));
}

#[test]
fn what_becomes_infinite_by_scaling_is_left_out() {
    // Deviations of a millionth: what is scaled by them does not fit f32 any more.
    let column = |scale: f64| Arc::new(Float64Array::from_iter_values((0..50).map(|row| f64::from(row) * scale)));
    let batch = table(vec![("x", column(1e-6)), ("y", column(1.0))]);
    let data = first(&batch, &LoadOptions { standardize: true, ..LoadOptions::default() });
    let huge: ArrayRef = Arc::new(Float64Array::from(vec![1e-6, 1e36]));
    let more = Reader::of(&data).read(&table(vec![("x", huge.clone()), ("y", huge)])).unwrap();
    assert_eq!(more.kept, [0]);
    assert!(more.vectors.padded().iter().all(|value| value.is_finite()));
}

#[test]
fn order_width_and_storage_of_columns_do_not_matter() {
    let reader = reader(&numbered(9));
    let batch = numbered(3);
    let wanted = reader.read(&batch).unwrap();
    let label = |array: ArrayRef| with(&batch, "label", array);
    let number = |array: ArrayRef| with(&batch, "number", array);
    let dictionary: DictionaryArray<Int8Type> = ["red", "green", "blue"].into_iter().collect();
    let values: Vec<Option<f64>> =
        (0..3).flat_map(|row| [row as f64, row as f64 / 2.0, -(row as f64)]).map(Some).collect();
    for other in [
        batch.project(&[2, 0, 1]).unwrap(),
        label(Arc::new(LargeStringArray::from(vec!["red", "green", "blue"]))),
        label(Arc::new(dictionary)),
        number(Arc::new(Int64Array::from(vec![0, 1, 2]))),
        number(Arc::new(Int8Array::from(vec![0, 1, 2]))),
        with(&batch, "vector", lists("large", &DataType::Float64, values, 3)),
    ] {
        let more = reader.read(&other).unwrap();
        assert_eq!((&more.vectors, &more.attributes), (&wanted.vectors, &wanted.attributes), "{}", other.schema());
        assert!(more.ignored.is_empty());
    }
    let extra = table(vec![
        ("label", batch.column(0).clone()),
        ("vector", batch.column(1).clone()),
        ("number", batch.column(2).clone()),
        ("more", batch.column(2).clone()),
    ]);
    assert_eq!(reader.read(&extra).unwrap().ignored, ["more"]);
}

#[test]
fn dictionaries_of_few_codes_get_room_for_more() {
    let words: DictionaryArray<Int8Type> = ["a", "b"].into_iter().collect();
    let reader = reader(&table(vec![("v", numbered(2).column(1).clone()), ("word", Arc::new(words))]));
    let wide = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    assert_eq!(reader.schema().field(0).data_type(), &wide);
    let many = StringArray::from_iter_values((0..300).map(|word| format!("word {word}")));
    let more = reader.read(&table(vec![("v", numbered(300).column(1).clone()), ("word", Arc::new(many))])).unwrap();
    assert_eq!(more.attributes.column(0).as_dictionary::<Int32Type>().values().len(), 300);
}

#[test]
fn foreign_columns_are_refused_by_name_with_both_types() {
    let list_reader = reader(&numbered(9));
    let batch = numbered(2);
    let vectors = |dims: usize| lists("fixed", &DataType::Float32, vec![Some(1.0); 2 * dims], dims);
    let refusal = |batch: &RecordBatch| message(list_reader.read(batch));
    let words: ArrayRef = Arc::new(StringArray::from(vec!["1", "2"]));
    for (other, expected) in [
        (
            batch.project(&[0, 1]).unwrap(),
            "the rows have no column \"number\" (Int32), which the table has; they have:",
        ),
        (
            batch.project(&[0, 2]).unwrap(),
            "the rows have no column \"vector\" (3 numbers per row), which the table has",
        ),
        (
            with(&batch, "number", words.clone()),
            "column \"number\" holds Utf8, but Int32 in the table; send it as Int32",
        ),
        (
            with(&batch, "number", Arc::new(Float64Array::from(vec![1.0, 2.0]))),
            "column \"number\" holds Float64, but Int32 in the table",
        ),
        (with(&batch, "vector", vectors(4)), "column \"vector\" holds vectors of 4 values, but of 3 in the table"),
        (with(&batch, "vector", words), "column \"vector\" holds Utf8, but lists of 3 numbers in the table"),
        (
            with(&batch, "number", Arc::new(Int64Array::from(vec![1, i64::MAX]))),
            "column \"number\" holds Int64, and not every value of it fits Int32 as in the table",
        ),
    ] {
        assert!(refusal(&other).starts_with(expected), "{}", refusal(&other));
    }
    assert!(message(list_reader.judge(&batch.project(&[0]).unwrap().schema())).contains("no column"));
    let plain = table(vec![
        ("x", Arc::new(Float32Array::from(vec![1.0, 2.0])) as ArrayRef),
        ("y", Arc::new(Float32Array::from(vec![1.0, 5.0]))),
    ]);
    let text = message(reader(&plain).read(&with(&plain, "y", Arc::new(StringArray::from(vec!["a", "b"])))));
    assert_eq!(text, "column \"y\" holds Utf8, but numbers in the table; send it as numbers");
}

#[test]
fn tables_without_attributes_and_batches_without_rows_are_fine() {
    let options = LoadOptions { attributes: AttributeColumns::None, ..LoadOptions::default() };
    let reader = Reader::of(&first(&numbered(9), &options));
    let more = reader.read(&numbered(4)).unwrap();
    assert_eq!((more.attributes.num_rows(), more.attributes.num_columns(), more.vectors.rows()), (4, 0, 4));
    assert_eq!(reader.read(&numbered(4).slice(0, 0)).unwrap().vectors.rows(), 0);
}

#[test]
fn one_attribute_can_be_read_alone() {
    let reader = reader(&numbered(9));
    let only = table(vec![("number", Arc::new(Int64Array::from(vec![4, 5])) as ArrayRef)]);
    assert_eq!(reader.attribute(&only, "number").unwrap().as_primitive::<Int32Type>(), &Int32Array::from(vec![4, 5]));
    assert!(message(reader.attribute(&only, "label")).contains("no column \"label\" (Utf8)"));
    assert_eq!(
        reader.judge_attribute(&Schema::new(vec![Field::new("number", DataType::Int8, true)]), "number").unwrap(),
        0
    );
}

#[test]
fn a_file_opens_as_batches_of_all_its_columns() {
    let dir = dir();
    let batch = numbered(2500);
    for ending in BINARY {
        let path = dir.path().join(format!("a.{ending}"));
        write(&path, &[batch.slice(0, 2000), batch.slice(2000, 500)]);
        let file = OpenFile::open(&path).unwrap();
        assert_eq!((file.rows(), file.schema().fields()), (2500, batch.schema().fields()), "{ending}");
        let batches: Vec<RecordBatch> = file.batches(700).map(Result::unwrap).collect();
        assert_eq!(arrow::compute::concat_batches(&file.schema(), &batches).unwrap().columns(), batch.columns());
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 12]).unwrap();
        assert!(OpenFile::open(&path).is_err(), "{ending}: a cut file is not whole");
    }
}
