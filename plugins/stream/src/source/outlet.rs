//! The way from a reading thread to the queue: batches are judged, cut and sorted by what they are for.

use super::queue::Queue;
use super::{Arrival, Limits};
use crate::{OPERATION_COLUMN, OPERATION_KEY, Operation, StreamError};
use dataset::arrow::array::{Array, AsArray};
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, Schema};
use dataset::arrow::record_batch::RecordBatch;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

/// Says whether rows of a schema can be used.
pub(super) type Judge = Box<dyn Fn(&Schema, Operation) -> Result<(), StreamError> + Send + Sync>;

/// What all reading threads of a source share.
pub(super) struct Shared {
    pub queue: Queue,
    pub limits: Limits,
    pub judge: RwLock<Option<Judge>>,
}

/// One reading thread's way to the queue.
#[derive(Clone)]
pub(super) struct Outlet {
    pub shared: Arc<Shared>,
    pub from: Arc<str>,
}

impl Outlet {
    pub fn named(&self, from: impl Into<Arc<str>>) -> Self {
        Self { shared: Arc::clone(&self.shared), from: from.into() }
    }

    pub fn trouble(&self, message: impl ToString) -> bool {
        self.shared.queue.push(Arrival::Trouble { from: Arc::clone(&self.from), message: message.to_string() })
    }

    pub fn connected(&self) -> bool {
        self.shared.queue.push(Arrival::Connected { from: Arc::clone(&self.from) })
    }

    pub fn ended(&self) -> bool {
        self.shared.queue.push(Arrival::Ended { from: Arc::clone(&self.from) })
    }

    /// What rows of this schema are for, unless they say otherwise themselves; or why they are refused.
    pub fn admit(&self, schema: &Schema, asked: Option<&str>) -> Result<Operation, String> {
        let asked = asked.or_else(|| schema.metadata().get(OPERATION_KEY).map(String::as_str));
        let operation = match asked {
            Some(text) => text.parse().map_err(|error| format!("metadata {OPERATION_KEY:?}: {error}"))?,
            None => Operation::default(),
        };
        // Rows that speak for themselves may all be deletions, which need the least.
        let by_row = schema.column_with_name(OPERATION_COLUMN).is_some();
        let least = if by_row { Operation::Delete } else { operation };
        let judge = self.shared.judge.read().unwrap_or_else(PoisonError::into_inner);
        match &*judge {
            Some(judge) => judge(schema, least).map(|()| operation).map_err(|error| error.to_string()),
            None => Ok(operation),
        }
    }

    /// Hands over a batch; `false` if nobody listens any more.
    pub fn rows(&self, operation: Operation, batch: &RecordBatch) -> bool {
        let (batch, runs) = match runs(operation, batch) {
            Ok(sorted) => sorted,
            Err(message) => return self.trouble(message),
        };
        let most = self.shared.limits.batch_rows.max(1);
        for (operation, rows) in runs {
            for first in rows.clone().step_by(most) {
                let batch = batch.slice(first, most.min(rows.end - first));
                let from = Arc::clone(&self.from);
                if !self.shared.queue.push(Arrival::Rows { from, operation, batch }) {
                    return false;
                }
            }
        }
        true
    }
}

/// Rows that follow each other and are for the same.
type Run = (Operation, Range<usize>);

/// The batch without its column of operations, and its runs of rows.
fn runs(asked: Operation, batch: &RecordBatch) -> Result<(RecordBatch, Vec<Run>), String> {
    let rows = batch.num_rows();
    let Ok(place) = batch.schema().index_of(OPERATION_COLUMN) else {
        let all = (rows > 0).then_some((asked, 0..rows));
        return Ok((batch.clone(), all.into_iter().collect()));
    };
    let refused = |what: String| format!("a batch of {rows} rows is left out: column {OPERATION_COLUMN:?} {what}");
    let texts = match batch.column(place).data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..) | DataType::Null => {
            cast(batch.column(place), &DataType::Utf8).map_err(|error| refused(error.to_string()))?
        }
        other => return Err(refused(format!("holds {other}; it must be text"))),
    };
    let texts = texts.as_string::<i32>();
    let mut runs: Vec<Run> = Vec::new();
    for row in 0..rows {
        let operation = match texts.is_valid(row) {
            true => texts.value(row).parse().map_err(|error| refused(format!("at row {row} of it: {error}")))?,
            false => asked,
        };
        match runs.last_mut() {
            Some((last, run)) if *last == operation => run.end = row + 1,
            _ => runs.push((operation, row..row + 1)),
        }
    }
    let mut batch = batch.clone();
    batch.remove_column(place);
    Ok((batch, runs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::{numbered, with_column};
    use dataset::arrow::array::StringArray;

    #[test]
    fn rows_that_speak_for_themselves_are_cut_into_runs() {
        let words = [Some("append"), None, Some("delete"), Some("delete"), Some("append"), Some("replace")];
        let batch = with_column(&numbered(0..6), OPERATION_COLUMN, Arc::new(StringArray::from(words.to_vec())));
        let (left, found) = runs(Operation::Replace, &batch).unwrap();
        assert_eq!(left, numbered(0..6));
        use Operation::{Append, Delete, Replace};
        assert_eq!(found, [(Append, 0..1), (Replace, 1..2), (Delete, 2..4), (Append, 4..5), (Replace, 5..6)]);
        let words = with_column(&numbered(0..1), OPERATION_COLUMN, Arc::new(StringArray::from(vec!["upsert"])));
        let message = runs(Operation::Append, &words).unwrap_err();
        assert!(message.contains("row 0") && message.contains("\"upsert\" is neither"), "{message}");
    }
}
