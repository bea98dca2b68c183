//! CSV: types are inferred from every row, so that row one million cannot surprise the reader; that pass also counts.

use super::{Layout, RawBatches};
use crate::DatasetError;
use crate::parts::{Part, ReadSeek};
use arrow::csv::ReaderBuilder;
use arrow::csv::reader::Format;
use arrow::datatypes::SchemaRef;
use std::io::{BufRead, BufReader, SeekFrom};
use std::sync::Arc;

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// How the text is cut into cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    separator: u8,
    /// Bytes before the header: a byte-order mark or nothing.
    skip: u64,
}

impl Dialect {
    fn format(self) -> Format {
        Format::default().with_header(true).with_delimiter(self.separator)
    }

    fn reader(self, part: &Part) -> Result<BufReader<Box<dyn ReadSeek>>, DatasetError> {
        let mut reader = part.reader()?;
        reader.seek(SeekFrom::Start(self.skip)).map_err(|error| part.corrupt(error))?;
        Ok(BufReader::with_capacity(1 << 16, reader))
    }
}

pub(super) fn open(part: &Part) -> Result<(SchemaRef, usize, Layout), DatasetError> {
    let dialect = dialect(part)?;
    let inferred = dialect.format().infer_schema(dialect.reader(part)?, None);
    let (schema, rows) = inferred.map_err(|error| part.corrupt(super::describe(&error)))?;
    Ok((Arc::new(schema), rows, Layout::Csv(dialect)))
}

pub(super) fn batches(
    part: &Part,
    dialect: &Dialect,
    schema: &SchemaRef,
    projection: &[usize],
    batch_rows: usize,
) -> Result<RawBatches, DatasetError> {
    let reader = ReaderBuilder::new(Arc::clone(schema))
        .with_format(dialect.format())
        .with_projection(projection.to_vec())
        .with_batch_size(batch_rows)
        .build_buffered(dialect.reader(part)?);
    Ok(Box::new(reader.map_err(|error| part.corrupt(super::describe(&error)))?))
}

/// The separator that the header line has most of; a comma if it has none.
fn dialect(part: &Part) -> Result<Dialect, DatasetError> {
    let mut header = Vec::new();
    let mut reader = BufReader::new(part.reader()?);
    reader.read_until(b'\n', &mut header).map_err(|error| part.corrupt(error))?;
    let count = |separator: u8| header.iter().filter(|&&byte| byte == separator).count();
    // The last maximum wins: a comma wins a draw.
    let separator = [b';', b'\t', b','].into_iter().max_by_key(|&separator| count(separator)).unwrap_or(b',');
    Ok(Dialect { separator, skip: if header.starts_with(&BYTE_ORDER_MARK) { 3 } else { 0 } })
}
