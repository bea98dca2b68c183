//! Record batches out of a part, whatever its format.

mod arrow_ipc;
mod csv;
mod parquet_file;

use crate::parts::Part;
use crate::{DatasetError, Format};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A part whose schema and number of rows are known.
pub(crate) struct OpenPart {
    pub part: Part,
    pub schema: SchemaRef,
    pub rows: usize,
    layout: Layout,
}

/// What is known about where the rows are.
enum Layout {
    Parquet(ArrowReaderMetadata),
    /// Rows of each record batch.
    ArrowFile(Vec<usize>),
    ArrowStream,
    Csv(csv::Dialect),
}

/// A run of rows that can be read on its own.
#[derive(Debug, Clone)]
pub(crate) enum Unit {
    /// Part of a Parquet row group.
    RowGroup { group: usize, offset: usize, rows: usize },
    /// Record batches of an Arrow file.
    Batches { range: Range<usize>, rows: usize },
    /// Everything, in sequence.
    Whole { rows: usize },
}

impl Unit {
    pub fn rows(&self) -> usize {
        match self {
            Self::RowGroup { rows, .. } | Self::Batches { rows, .. } | Self::Whole { rows } => *rows,
        }
    }
}

impl OpenPart {
    /// Reads schema and row count: from the footer or message headers, for CSV by reading the text once.
    pub fn open(part: Part) -> Result<Self, DatasetError> {
        let opened = guarded(&part, || match part.format {
            Format::Parquet => parquet_file::open(&part),
            Format::ArrowFile => arrow_ipc::open_file(&part),
            Format::ArrowStream => arrow_ipc::open_stream(&part),
            Format::Csv => csv::open(&part),
        });
        let (schema, rows, layout) = opened?;
        Ok(Self { part, schema, rows, layout })
    }

    /// Splits the rows into units for at least `wanted` threads, as far as the format allows.
    pub fn units(&self, wanted: usize) -> Vec<Unit> {
        match &self.layout {
            Layout::Parquet(metadata) => parquet_file::units(metadata, wanted),
            Layout::ArrowFile(batch_rows) => arrow_ipc::units(batch_rows, wanted),
            Layout::ArrowStream | Layout::Csv(_) => vec![Unit::Whole { rows: self.rows }],
        }
    }

    /// The batches of a unit, with only the columns of `projection` (rising indices), of about `batch_rows` rows.
    pub fn batches(&self, unit: &Unit, projection: &[usize], batch_rows: usize) -> Result<Batches<'_>, DatasetError> {
        let part = &self.part;
        let inner = guarded(part, || match (&self.layout, unit) {
            (Layout::Parquet(metadata), &Unit::RowGroup { group, offset, rows }) => {
                parquet_file::batches(part, metadata, group, offset..offset + rows, projection, batch_rows)
            }
            (Layout::ArrowFile(_), Unit::Batches { range, .. }) => {
                arrow_ipc::file_batches(part, range.clone(), projection)
            }
            (Layout::Csv(dialect), _) => csv::batches(part, dialect, &self.schema, projection, batch_rows),
            _ => arrow_ipc::stream_batches(part, projection),
        })?;
        Ok(Batches { part, inner })
    }

    /// Entries of the schema's metadata; Parquet keeps its own beside the Arrow schema's.
    pub fn metadata(&self, key: &str) -> Option<String> {
        let stored = match &self.layout {
            Layout::Parquet(metadata) => parquet_file::key_value(metadata, key),
            _ => None,
        };
        stored.or_else(|| self.schema.metadata().get(key).cloned())
    }
}

pub(crate) type RawBatches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// Record batches; a broken part becomes an error that names it.
pub(crate) struct Batches<'a> {
    part: &'a Part,
    inner: RawBatches,
}

impl Iterator for Batches<'_> {
    type Item = Result<RecordBatch, DatasetError>;
    fn next(&mut self) -> Option<Self::Item> {
        let part = self.part;
        let next = guarded(part, || self.inner.next().transpose().map_err(|error| part.corrupt(describe(&error))));
        next.transpose()
    }
}

/// Turns a panic of a decoder into an error: some of them index before they check, and the file is not ours.
fn guarded<T>(part: &Part, read: impl FnOnce() -> Result<T, DatasetError>) -> Result<T, DatasetError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(part.corrupt("the decoder gave up on its contents")))
}

/// The message without the layers that wrapped it.
fn describe(error: &ArrowError) -> String {
    match error {
        ArrowError::ParquetError(text)
        | ArrowError::ParseError(text)
        | ArrowError::CsvError(text)
        | ArrowError::IpcError(text) => text.clone(),
        other => other.to_string(),
    }
}
