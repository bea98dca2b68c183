//! Rows in slots: a row keeps its number for as long as it lives, and the numbers of the departed are used again.

mod categories;
mod change;
mod columns;
mod intake;
mod key;
mod slots;

pub use change::Change;
pub use intake::{Incoming, Intake};
pub use key::Key;

use crate::{Operation, StreamError};
use change::Ledger;
use columns::Columns;
use dataset::arrow::record_batch::RecordBatch;
use dataset::{Dataset, MoreRows, Reader};
use slots::Slots;
use std::collections::HashMap;

/// The rows of a map while rows come and go.
///
/// Every living row has a row number that stays its own for as long as it lives. Numbers of departed rows are used
/// again, the lowest first, but not before [`take_change`](Self::take_change) has told of the departure: so no row is
/// two rows within one change, and there are never more numbers than rows that lived at once and came in between.
#[derive(Debug)]
pub struct LivingTable {
    intake: Intake,
    slots: Slots,
    columns: Columns,
    ledger: Ledger,
    keep_last: Option<usize>,
    /// The number of the next row that arrives, over everything that ever did.
    next_number: u64,
}

/// What a batch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Applied {
    /// Rows that are new.
    pub arrived: usize,
    /// Rows that took the place of another.
    pub updated: usize,
    /// Rows that departed, by their key or their age.
    pub departed: usize,
    /// Keys to replace or delete that nobody had.
    pub unknown_keys: usize,
}

impl LivingTable {
    /// A table of the rows of a first load, which are known by the values of the column `key`, or by their numbers in
    /// the file. With `keep_last` only so many live: those written last. Where the first load has more, the first
    /// change tells of their departure.
    ///
    /// # Errors
    /// If the key column is not among the attributes, cannot be a key, or has a null or the same value twice.
    pub fn new(dataset: &Dataset, key: Option<&str>, keep_last: Option<usize>) -> Result<Self, StreamError> {
        let reader = Reader::of(dataset);
        let keys = match key {
            Some(key) => column_keys(dataset, key)?,
            None => dataset.row_numbers.iter().map(|number| Key::Unsigned(number.into())).collect(),
        };
        let mut slots = Slots::new(keep_last.is_some());
        for (key, number) in keys.into_iter().zip(dataset.row_numbers.iter()) {
            slots.arrive(key, number.into());
        }
        let mut table = Self {
            slots,
            columns: Columns::new(reader.schema(), &dataset.attributes)?,
            ledger: Ledger::new(reader.dims()),
            intake: Intake::new(reader, key.map(str::to_owned)),
            keep_last: keep_last.map(|rows| rows.max(1)),
            next_number: dataset.source.file_rows as u64,
        };
        table.leave_behind();
        Ok(table)
    }

    /// The way in for batches; cheap to clone, and good on any thread.
    #[must_use]
    pub fn intake(&self) -> Intake {
        self.intake.clone()
    }

    /// Takes rows in, or lets rows go. What it means for the map is told by [`take_change`](Self::take_change).
    ///
    /// # Errors
    /// If there would be more rows than can be numbered, or columns cannot be kept; the table is as before then.
    pub fn apply(&mut self, incoming: Incoming) -> Result<Applied, StreamError> {
        if self.slots.len() + incoming.len() > u32::MAX as usize {
            return Err(StreamError::TooManyRows);
        }
        let Incoming { operation, keys, rows, .. } = incoming;
        let mut applied = match rows {
            None => self.delete(keys.as_deref().unwrap_or_default()),
            Some(rows) => self.write(operation, keys, &rows)?,
        };
        self.ledger.unknown_keys += applied.unknown_keys;
        applied.departed += self.leave_behind();
        Ok(applied)
    }

    fn delete(&mut self, keys: &[Key]) -> Applied {
        let mut applied = Applied::default();
        for key in keys {
            match self.slots.depart(key) {
                Some(row) => {
                    self.forget(row);
                    applied.departed += 1;
                }
                None => applied.unknown_keys += 1,
            }
        }
        applied
    }

    fn write(&mut self, operation: Operation, keys: Option<Vec<Key>>, rows: &MoreRows) -> Result<Applied, StreamError> {
        let piece = self.columns.add(&rows.attributes)?;
        let number = |at: usize| self.next_number + u64::from(rows.kept[at]);
        let keys = keys.unwrap_or_else(|| (0..rows.kept.len()).map(|at| Key::Unsigned(number(at))).collect());
        let mut applied = Applied::default();
        for (at, key) in keys.into_iter().enumerate() {
            let vector = rows.vectors.row(at);
            let row = match self.slots.find(&key) {
                Some(row) => {
                    self.slots.touch(row);
                    self.ledger.update(row, vector);
                    applied.updated += 1;
                    row
                }
                None if operation == Operation::Append => {
                    let row = self.slots.arrive(key, self.next_number + u64::from(rows.kept[at]));
                    self.ledger.arrive(row, vector);
                    applied.arrived += 1;
                    row
                }
                None => {
                    applied.unknown_keys += 1;
                    continue;
                }
            };
            self.columns.set(row, piece, at);
        }
        if operation == Operation::Append {
            self.next_number += rows.rows as u64;
        }
        Ok(applied)
    }

    /// Lets the oldest rows go until no more live than may.
    fn leave_behind(&mut self) -> usize {
        let Some(most) = self.keep_last else { return 0 };
        let mut departed = 0;
        while self.slots.living() > most
            && let Some(row) = self.slots.depart_oldest()
        {
            self.forget(row);
            departed += 1;
        }
        departed
    }

    fn forget(&mut self, row: u32) {
        self.columns.clear(row);
        self.ledger.depart(row);
    }

    /// Everything that changed since it was last asked; nothing if no row did. Row numbers of those who departed may
    /// be used again afterwards.
    pub fn take_change(&mut self) -> Option<Change> {
        if self.ledger.is_empty() && self.ledger.unknown_keys == 0 {
            self.slots.release(); // who came and went unseen
            return None;
        }
        let change = self.ledger.close(self.slots.len(), self.slots.living());
        self.slots.release();
        Some(change)
    }

    /// The attributes of all rows by row number; those that do not live are null. Types are those of the first load,
    /// all nullable, and dictionaries with 32-bit codes.
    ///
    /// # Errors
    /// If the columns do not fit into one table, as text of more than 2 GB does not.
    pub fn attributes(&mut self) -> Result<RecordBatch, StreamError> {
        self.columns.joined()
    }

    /// Row numbers in all, those that are free included.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.slots.len()
    }

    /// Rows that live.
    #[must_use]
    pub fn living(&self) -> usize {
        self.slots.living()
    }

    /// Whether a row lives.
    #[must_use]
    pub fn is_living(&self, row: u32) -> bool {
        self.slots.key(row).is_some()
    }

    /// The living rows, rising.
    pub fn living_rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter_living()
    }

    /// What a row is known by, if it lives.
    #[must_use]
    pub fn key(&self, row: u32) -> Option<&Key> {
        self.slots.key(row)
    }

    /// The row with a key, if one lives.
    #[must_use]
    pub fn row_of(&self, key: &Key) -> Option<u32> {
        self.slots.find(key)
    }

    /// The number a row was counted with when it arrived, as in a file of everything that ever did; never given twice.
    #[must_use]
    pub fn number(&self, row: u32) -> Option<u64> {
        self.slots.number(row)
    }
}

/// The keys of a first load; each must be there once.
fn column_keys(dataset: &Dataset, column: &str) -> Result<Vec<Key>, StreamError> {
    let Some(values) = dataset.attributes.column_by_name(column) else {
        let schema = dataset.attributes.schema();
        let columns: Vec<String> = schema.fields().iter().map(|field| format!("{:?}", field.name())).collect();
        return Err(StreamError::NoKeyColumn { column: column.to_owned(), columns: columns.join(", ") });
    };
    key::check_type(column, values.data_type())?;
    let number = |row: usize| u64::from(dataset.row_numbers.file_row(row));
    let keys = key::keys(column, values, number)?;
    let mut seen = HashMap::with_capacity(keys.len());
    for (row, key) in keys.iter().enumerate() {
        if let Some(first) = seen.insert(key, row) {
            let (column, key) = (column.to_owned(), key.to_string());
            return Err(StreamError::DuplicateKey { column, key, first: number(first), second: number(row) });
        }
    }
    drop(seen);
    Ok(keys)
}

#[cfg(test)]
mod tests;
