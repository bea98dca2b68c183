//! Parquet: footer first, then row groups.

use super::{Layout, RawBatches, Unit};
use crate::DatasetError;
use crate::parts::Part;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::PageIndexPolicy;
use parquet::file::reader::ChunkReader;
use std::ops::Range;
use std::sync::Arc;

/// Row groups are not split below this many rows: each piece has to skip the pages before it.
const MIN_PIECE_ROWS: usize = 16 * 1024;

pub(super) fn open(part: &Part) -> Result<(SchemaRef, usize, Layout), DatasetError> {
    // Offsets of the pages, where the writer left them, let a piece of a row group skip what is not its own.
    let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
    let loaded = match &part.memory {
        Some(bytes) => ArrowReaderMetadata::load(bytes, options),
        None => ArrowReaderMetadata::load(&part.file()?, options),
    };
    let metadata = loaded.map_err(|error| part.corrupt(error))?;
    let rows = usize::try_from(metadata.metadata().file_metadata().num_rows());
    let rows = rows.map_err(|_| part.corrupt("the footer gives a negative number of rows"))?;
    let in_groups: i64 = metadata.metadata().row_groups().iter().map(|group| group.num_rows()).sum();
    if i64::try_from(rows) != Ok(in_groups) {
        return Err(part.corrupt(format!("the footer gives {rows} rows, its row groups {in_groups}")));
    }
    Ok((Arc::clone(metadata.schema()), rows, Layout::Parquet(metadata)))
}

pub(super) fn units(metadata: &ArrowReaderMetadata, wanted: usize) -> Vec<Unit> {
    let groups = metadata.metadata().row_groups();
    let per_group = wanted.div_ceil(groups.len().max(1));
    let mut units = Vec::new();
    for (group, rows) in groups.iter().map(|group| group.num_rows() as usize).enumerate() {
        let step = rows.div_ceil(per_group).max(MIN_PIECE_ROWS);
        for offset in (0..rows).step_by(step) {
            units.push(Unit::RowGroup { group, offset, rows: step.min(rows - offset) });
        }
    }
    units
}

pub(super) fn batches(
    part: &Part,
    metadata: &ArrowReaderMetadata,
    group: usize,
    rows: Range<usize>,
    projection: &[usize],
    batch_rows: usize,
) -> Result<RawBatches, DatasetError> {
    match &part.memory {
        Some(bytes) => build(part, bytes.clone(), metadata, group, rows, projection, batch_rows),
        // Every piece opens the file anew: readers that share one handle would share its position.
        None => build(part, part.file()?, metadata, group, rows, projection, batch_rows),
    }
}

fn build<R: ChunkReader + 'static>(
    part: &Part,
    input: R,
    metadata: &ArrowReaderMetadata,
    group: usize,
    rows: Range<usize>,
    projection: &[usize],
    batch_rows: usize,
) -> Result<RawBatches, DatasetError> {
    let mask = ProjectionMask::roots(metadata.parquet_schema(), projection.iter().copied());
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(input, metadata.clone())
        .with_row_groups(vec![group])
        .with_projection(mask)
        .with_offset(rows.start)
        .with_limit(rows.len())
        .with_batch_size(batch_rows)
        .build();
    Ok(Box::new(reader.map_err(|error| part.corrupt(error))?))
}

pub(super) fn key_value(metadata: &ArrowReaderMetadata, key: &str) -> Option<String> {
    let entries = metadata.metadata().file_metadata().key_value_metadata()?;
    entries.iter().find(|entry| entry.key == key)?.value.clone()
}
