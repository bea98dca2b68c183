//! Batches as they come into rows as the table takes them.

use super::key::{self, Key};
use crate::{Operation, ROW_COLUMN, StreamError};
use dataset::arrow::array::ArrayRef;
use dataset::arrow::array::UInt32Array;
use dataset::arrow::compute::take;
use dataset::arrow::datatypes::Schema;
use dataset::arrow::record_batch::RecordBatch;
use dataset::{MoreRows, Reader};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Reads batches for a [`LivingTable`](super::LivingTable): on any thread, and without touching the table.
#[derive(Debug, Clone)]
pub struct Intake {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    reader: Reader,
    key: Option<String>,
    /// Columns that were left out and told of.
    ignored: Mutex<BTreeSet<String>>,
}

/// Rows that are ready to be applied.
#[derive(Debug, Clone)]
pub struct Incoming {
    pub(super) operation: Operation,
    /// Keys of the usable rows; nothing where the table has to number them.
    pub(super) keys: Option<Vec<Key>>,
    /// The usable rows; nothing where only keys are wanted.
    pub(super) rows: Option<MoreRows>,
    /// What was left out, for the user to read.
    pub notes: Vec<String>,
}

impl Intake {
    pub(super) fn new(reader: Reader, key: Option<String>) -> Self {
        Self { inner: Arc::new(Inner { reader, key, ignored: Mutex::default() }) }
    }

    /// How batches are read.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.inner.reader
    }

    /// Says whether batches of this schema can be used.
    ///
    /// # Errors
    /// If a column is missing or of another type, or if rows would have to be found by a key that is not there.
    pub fn judge(&self, schema: &Schema, operation: Operation) -> Result<(), StreamError> {
        if operation != Operation::Delete {
            self.inner.reader.judge(schema)?;
        }
        match &self.inner.key {
            Some(key) => self.inner.reader.judge_attribute(schema, key).map(|_| ()).map_err(Into::into),
            None if operation == Operation::Append => Ok(()),
            None => match schema.column_with_name(ROW_COLUMN) {
                Some((_, field)) if field.data_type().is_integer() => Ok(()),
                _ => Err(StreamError::NoKey { operation }),
            },
        }
    }

    /// Reads a batch: rows whose vectors cannot be used are left out, and the notes say so.
    ///
    /// # Errors
    /// As [`judge`](Self::judge); also if a key is null or a value does not fit. Nothing of the batch is used then.
    pub fn read(&self, operation: Operation, batch: &RecordBatch) -> Result<Incoming, StreamError> {
        self.judge(&batch.schema(), operation)?;
        let Inner { reader, key, .. } = &*self.inner;
        if operation == Operation::Delete {
            let keys = match key {
                Some(key) => key::keys(key, &reader.attribute(batch, key)?, |row| row as u64)?,
                None => key::row_numbers(row_column(batch, operation)?)?,
            };
            return Ok(Incoming { operation, keys: Some(keys), rows: None, notes: Vec::new() });
        }
        let rows = reader.read(batch)?;
        let keys = match key {
            Some(key) => {
                let values = reader.attribute(&rows.attributes, key)?;
                Some(key::keys(key, &values, |at| u64::from(rows.kept[at]))?)
            }
            None if operation == Operation::Append => None,
            None => {
                let kept = UInt32Array::from(rows.kept.clone());
                let numbers = take(row_column(batch, operation)?, &kept, None).map_err(columns_error)?;
                Some(key::row_numbers(&numbers)?)
            }
        };
        let notes = self.notes(&rows);
        Ok(Incoming { operation, keys, rows: Some(rows), notes })
    }

    fn notes(&self, rows: &MoreRows) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(bad) = &rows.bad {
            let (left_out, all) = (rows.rows - rows.kept.len(), rows.rows);
            let (column, fault, row) = (&bad.column, bad.fault, bad.row);
            notes
                .push(format!("{left_out} of {all} rows are left out: column {column:?} {fault} at row {row} of them"));
        }
        let mut told = self.inner.ignored.lock().unwrap_or_else(PoisonError::into_inner);
        let news = rows.ignored.iter().filter(|name| name.as_str() != ROW_COLUMN && told.insert((*name).clone()));
        let news: Vec<String> = news.map(|name| format!("{name:?}")).collect();
        if !news.is_empty() {
            notes.push(format!("the table has no such columns, they are left out: {}", news.join(", ")));
        }
        notes
    }
}

impl Incoming {
    /// Usable rows, or keys to be deleted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.as_ref().map_or_else(|| self.keys.as_ref().map_or(0, Vec::len), |rows| rows.kept.len())
    }

    /// Whether nothing is left of the batch.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn row_column(batch: &RecordBatch, operation: Operation) -> Result<&ArrayRef, StreamError> {
    batch.column_by_name(ROW_COLUMN).ok_or(StreamError::NoKey { operation })
}

pub(super) fn columns_error(error: dataset::arrow::error::ArrowError) -> StreamError {
    StreamError::Columns { reason: error.to_string() }
}
