//! A first load of batches that are in memory already.

use crate::load::attribute_error;
use crate::scan::Report;
use crate::{Dataset, DatasetError, LoadOptions, load_bytes};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::StreamWriter;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use std::path::PathBuf;
use std::sync::Arc;

/// Loads batches that came by other ways than a file, as by a stream; `name` stands for their path.
///
/// # Errors
/// As [`load`](crate::load); also if the batches do not have the same columns.
pub fn load_batches(
    name: &str,
    batches: &[RecordBatch],
    options: &LoadOptions,
    progress: Report<'_>,
) -> Result<Dataset, DatasetError> {
    let Some(first) = batches.first() else { return Err(DatasetError::NoRows { path: name.into() }) };
    let first = first.schema();
    for (at, batch) in batches.iter().enumerate() {
        if let Some((column, difference)) = difference(&first, &batch.schema()) {
            let [first, other] = [0, at].map(|at| PathBuf::from(format!("{name}, batch {at}")));
            return Err(DatasetError::SchemaDiffers { first, other, column, difference });
        }
    }
    let fields = first.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    // As a stream in memory, which may replace its dictionaries: the one way of loading then serves these rows too.
    let bytes = stream(&schema, batches).map_err(attribute_error)?;
    load_bytes(name, bytes.into(), options, progress)
}

/// The first column in which two schemas differ, and how.
fn difference(first: &Schema, other: &Schema) -> Option<(String, String)> {
    for (place, field) in first.fields().iter().enumerate() {
        match other.fields().get(place).filter(|twin| twin.name() == field.name()) {
            None => return Some((field.name().clone(), "is missing or in another place in the second".to_owned())),
            Some(twin) if twin.data_type() != field.data_type() => {
                let types = format!("holds {} in the first and {} in the second", field.data_type(), twin.data_type());
                return Some((field.name().clone(), types));
            }
            Some(_) => {}
        }
    }
    let extra = other.fields().get(first.fields().len())?;
    Some((extra.name().clone(), "is only in the second".to_owned()))
}

fn stream(schema: &SchemaRef, batches: &[RecordBatch]) -> Result<Vec<u8>, ArrowError> {
    let mut writer = StreamWriter::try_new(Vec::new(), schema)?;
    for batch in batches {
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let columns = batch.columns().to_vec();
        writer.write(&RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)?;
    }
    writer.into_inner()
}
