//! Small datasets for the tests, loaded as the program loads them.

use dataset::arrow::array::{Array, RecordBatch};
use dataset::arrow::array::{ArrayRef, FixedSizeListArray, Float32Array, Float64Array, Int64Array, StringArray};
use dataset::arrow::datatypes::{DataType, Field};
use dataset::arrow::ipc::writer::StreamWriter;
use dataset::{Dataset, LoadOptions, Role};
use std::sync::Arc;

pub fn words(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

pub fn floats(values: &[f64]) -> ArrayRef {
    Arc::new(Float64Array::from(values.to_vec()))
}

pub fn integers(values: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

/// A dataset with these columns beside its vectors.
pub fn dataset(columns: Vec<(&str, ArrayRef)>) -> Dataset {
    dataset_with_roles(columns, &[])
}

/// The same with roles given by hand.
pub fn dataset_with_roles(columns: Vec<(&str, ArrayRef)>, roles: &[(&str, Role)]) -> Dataset {
    let rows = columns[0].1.len();
    let values = Arc::new(Float32Array::from_iter_values((0..rows * 2).map(|value| value as f32)));
    let field = Arc::new(Field::new_list_field(DataType::Float32, true));
    let vectors: ArrayRef = Arc::new(FixedSizeListArray::try_new(field, 2, values, None).unwrap());
    let columns = columns.into_iter().chain([("vector", vectors)]).map(|(name, array)| (name, array, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    let roles = roles.iter().map(|&(name, role)| (name.to_owned(), role)).collect();
    let options = LoadOptions { roles, ..LoadOptions::default() };
    dataset::load_bytes("test.arrows", bytes.into(), &options, &|_| {}).unwrap()
}
