//! Results into files.
//!
//! A table replaces what was there as a whole or not at all: see [`atomic_file`].

use crate::{DatasetError, format};
use arrow::datatypes::{DataType, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::FileWriter;
use arrow::record_batch::RecordBatch;
use atomic_file::{AtomicFile, directory_of};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows of a Parquet row group: enough of them that readers can share the work.
const ROW_GROUP_ROWS: usize = 128 * 1024;

/// The format of an output, by its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutputFormat {
    Parquet,
    Arrow,
    Csv,
}

impl OutputFormat {
    fn of(path: &Path) -> Result<Self, DatasetError> {
        match format::ending(path).as_deref() {
            Some("parquet" | "pq" | "nevis") => Ok(Self::Parquet), // a session is a table too
            Some("arrow" | "feather" | "ipc") => Ok(Self::Arrow),
            Some("csv") => Ok(Self::Csv),
            _ => Err(DatasetError::UnknownOutput { path: path.into() }),
        }
    }
}

/// Says whether a table of this schema could be written to this path, before the work that makes it is begun.
///
/// # Errors
/// If the ending is unknown, the directory is missing, or a CSV file would have to hold a nested column.
pub fn check_output(path: &Path, schema: &Schema) -> Result<(), DatasetError> {
    let format = OutputFormat::of(path)?;
    check_place(path)?;
    let nested = schema.fields().iter().find(|field| !fits_csv(field.data_type()));
    match nested {
        Some(field) if format == OutputFormat::Csv => Err(DatasetError::NestedInCsv {
            path: path.into(),
            column: field.name().clone(),
            found: field.data_type().to_string(),
        }),
        _ => Ok(()),
    }
}

/// Says whether a file could be made at this path, whatever it is to hold.
///
/// # Errors
/// If it is a directory, or its directory is missing.
pub fn check_place(path: &Path) -> Result<(), DatasetError> {
    let unwritable = |reason: &str| DatasetError::Unwritable { path: path.into(), reason: reason.to_owned() };
    if path.is_dir() {
        return Err(unwritable("it is a directory"));
    }
    if !directory_of(path).is_dir() {
        return Err(unwritable("its directory does not exist"));
    }
    Ok(())
}

/// Says whether writing to this path leaves alone what is read: files, and directories of parts.
///
/// # Errors
/// If it is one of them, by whatever name or link.
pub fn check_spares(path: &Path, read: &[PathBuf]) -> Result<(), DatasetError> {
    let Some(written) = identity(path) else { return Ok(()) }; // nothing is there yet
    let parts = |path: &PathBuf| match path.read_dir() {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => vec![path.clone()],
    };
    if read.iter().flat_map(parts).any(|read| identity(&read).is_some_and(|read| read == written)) {
        return Err(DatasetError::OverInput { path: path.into() });
    }
    Ok(())
}

/// What all names of one file have in common.
#[cfg(unix)]
fn identity(path: &Path) -> Option<impl PartialEq + use<>> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// What the names of one file have in common, hard links left aside.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<impl PartialEq + use<>> {
    path.canonicalize().ok()
}

/// Writes a text that is no table, in the same way: the old file or the whole new one.
///
/// # Errors
/// If it cannot be written; the old file is then untouched.
pub fn write_text(path: &Path, text: &str) -> Result<(), DatasetError> {
    check_place(path)?;
    atomic_file::write(path, text.as_bytes()).map_err(|error| unwritable(path, &error))
}

fn fits_csv(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => fits_csv(values),
        other => !other.is_nested(),
    }
}

/// Writes one batch as a table: `.parquet` (zstd), `.arrow`, `.feather` or `.ipc` (Arrow IPC file), or `.csv`.
/// The metadata goes into the file's schema metadata; CSV has no place for it and goes without. Binary columns
/// become hexadecimal text in CSV.
///
/// # Errors
/// If the output cannot be written; the old file is then untouched.
pub fn write_table(path: &Path, batch: &RecordBatch, metadata: &[(String, String)]) -> Result<(), DatasetError> {
    write_batches(path, &batch.schema(), std::iter::once(Ok(batch.clone())), metadata)
}

/// As [`write_table`], for a table that comes in batches of one schema.
///
/// # Errors
/// If the output cannot be written or a batch is an error; the old file is then untouched.
pub fn write_batches(
    path: &Path,
    schema: &SchemaRef,
    batches: impl IntoIterator<Item = Result<RecordBatch, DatasetError>>,
    metadata: &[(String, String)],
) -> Result<(), DatasetError> {
    check_output(path, schema)?;
    let format = OutputFormat::of(path)?;
    let mut output = AtomicFile::beside(path).map_err(|error| unwritable(path, &error))?;
    let failed = |error: ArrowError| DatasetError::Unwritable { path: path.into(), reason: reason(&error) };
    let mut table = Table::begin(format, output.file(), schema, metadata).map_err(failed)?;
    for batch in batches {
        table.write(&batch?).map_err(failed)?;
    }
    table.finish().map_err(failed)?;
    output.commit().map(drop).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> DatasetError {
    DatasetError::Unwritable { path: path.into(), reason: error.to_string() }
}

fn reason(error: &ArrowError) -> String {
    match error {
        ArrowError::IoError(_, error) => error.to_string(),
        ArrowError::ParquetError(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A table that is being written.
enum Table<'a> {
    Parquet(ArrowWriter<BufWriter<&'a mut File>>),
    Arrow(SchemaRef, FileWriter<BufWriter<&'a mut File>>),
    Csv(arrow::csv::Writer<BufWriter<&'a mut File>>),
}

impl<'a> Table<'a> {
    fn begin(
        format: OutputFormat,
        file: &'a mut File,
        schema: &SchemaRef,
        metadata: &[(String, String)],
    ) -> Result<Self, ArrowError> {
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(match format {
            OutputFormat::Parquet => {
                let entries = metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::default()))
                    .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
                    .set_key_value_metadata(Some(entries.collect()))
                    .build();
                Self::Parquet(ArrowWriter::try_new(file, Arc::clone(schema), Some(properties))?)
            }
            OutputFormat::Arrow => {
                let mut entries = schema.metadata().clone();
                entries.extend(metadata.iter().cloned());
                let schema = Arc::new(schema.as_ref().clone().with_metadata(entries));
                let writer = FileWriter::try_new(file, &schema)?;
                Self::Arrow(schema, writer)
            }
            OutputFormat::Csv => Self::Csv(arrow::csv::WriterBuilder::new().with_header(true).build(file)),
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::Parquet(writer) => Ok(writer.write(batch)?),
            Self::Arrow(schema, writer) => writer.write(&batch.clone().with_schema(Arc::clone(schema))?),
            Self::Csv(writer) => writer.write(batch),
        }
    }

    fn finish(self) -> Result<(), ArrowError> {
        let mut file = match self {
            Self::Parquet(writer) => writer.into_inner()?,
            Self::Arrow(_, mut writer) => {
                writer.finish()?;
                writer.into_inner()?
            }
            Self::Csv(writer) => writer.into_inner(),
        };
        Ok(file.flush()?)
    }
}
