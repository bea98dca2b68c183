//! A file as batches of all its columns.

use crate::DatasetError;
use crate::parts::Part;
use crate::read::OpenPart;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use std::path::Path;
use std::sync::Arc;

/// A Parquet, Arrow or CSV file whose schema and number of rows are known.
pub struct OpenFile {
    open: OpenPart,
}

impl OpenFile {
    /// Reads footer or message headers; CSV is read once for its types.
    ///
    /// # Errors
    /// If the file cannot be read, is not of a known format, or is not whole.
    pub fn open(path: &Path) -> Result<Self, DatasetError> {
        Ok(Self { open: OpenPart::open(Part::at(path.to_path_buf())?)? })
    }

    /// The columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.open.schema)
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.open.rows
    }

    /// An entry of the file's metadata.
    #[must_use]
    pub fn metadata(&self, key: &str) -> Option<String> {
        self.open.metadata(key)
    }

    /// All rows in the file's order, in batches of about `batch_rows`; an Arrow file is read in the batches it has.
    pub fn batches(&self, batch_rows: usize) -> impl Iterator<Item = Result<RecordBatch, DatasetError>> + '_ {
        let projection: Vec<usize> = (0..self.open.schema.fields().len()).collect();
        let units = self.open.units(1).into_iter();
        units.flat_map(move |unit| -> Box<dyn Iterator<Item = Result<RecordBatch, DatasetError>> + '_> {
            match self.open.batches(&unit, &projection, batch_rows) {
                Ok(batches) => Box::new(batches),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        })
    }
}
