//! Tables and streams for the tests.

use dataset::arrow::array::{ArrayRef, FixedSizeListArray, Float32Array, Int64Array, RecordBatch, StringArray};
use dataset::arrow::datatypes::{DataType, Field, Schema};
use dataset::arrow::ipc::writer::StreamWriter;
use std::collections::HashMap;
use std::sync::Arc;

/// Rows with `id` = their number, `vector` = [number, −number, number / 2] and one of three words as `label`.
pub fn numbered(ids: impl IntoIterator<Item = i64>) -> RecordBatch {
    valued(ids.into_iter().map(|id| (id, id as f32)))
}

/// The same with values of their own: id and value.
pub fn valued(rows: impl IntoIterator<Item = (i64, f32)>) -> RecordBatch {
    let rows: Vec<(i64, f32)> = rows.into_iter().collect();
    let values = rows.iter().flat_map(|&(_, value)| [value, -value, value / 2.0]);
    let element = Arc::new(Field::new_list_field(DataType::Float32, true));
    let vectors = FixedSizeListArray::new(element, 3, Arc::new(Float32Array::from_iter_values(values)), None);
    let labels = rows.iter().map(|&(_, value)| ["red", "green", "blue"][value.abs() as usize % 3]);
    let columns: [(&str, ArrayRef); 3] = [
        ("id", Arc::new(Int64Array::from_iter_values(rows.iter().map(|&(id, _)| id)))),
        ("vector", Arc::new(vectors)),
        ("label", Arc::new(StringArray::from_iter_values(labels))),
    ];
    table(columns)
}

pub fn table<'a>(columns: impl IntoIterator<Item = (&'a str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

/// The same rows with one more column.
pub fn with_column(batch: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let schema = batch.schema();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    table(names.zip(batch.columns().iter().cloned()).chain([(name, column)]))
}

/// The same rows whose schema says what they are for.
pub fn meant_for(batch: &RecordBatch, operation: &str) -> RecordBatch {
    let metadata = HashMap::from([(crate::OPERATION_KEY.to_owned(), operation.to_owned())]);
    let schema = Schema::clone(&batch.schema()).with_metadata(metadata);
    RecordBatch::try_new(Arc::new(schema), batch.columns().to_vec()).unwrap()
}

/// The bytes of a stream of batches, with its end marker.
pub fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}
