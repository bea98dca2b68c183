//! Rows that arrive while a map is running, and the table they live in.
//!
//! ```text
//! Source ──── threads that read what comes, and the bounded queue they fill      (source)
//!  ├ directory    a directory that gains files                                    (source/directory)
//!  ├ messages     Arrow IPC streams, every length checked before it is believed   (source/messages)
//!  └ socket       TCP on loopback and Unix sockets                                (source/socket)
//! Intake ──── a batch into vectors and attributes, exactly as the first load did  (table/intake)
//! LivingTable  rows in slots: which key lives where                              (table)
//!  └ Change       what an engine has to be told                                   (table/change)
//! ```
//!
//! # How they work together
//!
//! ```text
//! let source = Source::open(origins, Limits::default())?;
//! let dataset = …;                                  // files, or load_batches() of the first arrivals
//! let mut table = LivingTable::new(&dataset, key, keep_last)?;
//! let intake = table.intake();                      // cheap to clone, reads on any thread
//! source.judge_by({ let intake = intake.clone(); move |schema, operation| intake.judge(schema, operation) });
//! // now and then:
//! while let Some(arrival) = source.try_next() {
//!     match arrival {
//!         Arrival::Rows { operation, batch, .. } => { table.apply(intake.read(operation, &batch)?)?; }
//!         Arrival::Trouble { from, message } => …     // say it; the map lives on
//!         …
//!     }
//! }
//! if let Some(change) = table.take_change() { engine.take(change); attributes = table.attributes()?; }
//! ```
//!
//! # What a producer may say
//!
//! An Arrow IPC stream (or a file) says in its schema's metadata what its rows are for: `nevis.op` is `append` (the
//! default), `replace` or `delete`. A text column `nevis_op` says it row by row and wins where it is not null.
//!
//! - **append**: rows with new keys arrive; a row whose key is there already takes its place, as by `replace`.
//! - **replace**: the row with that key gets another vector and other attributes; a key nobody has is counted and left.
//! - **delete**: the row with that key departs. Only the key column is read.
//!
//! Without a key column rows are known by the number they were counted with, over everything that ever arrived, bad
//! rows included, as in a file; `replace` and `delete` then read the number from an integer column `nevis_row`.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "tests"))]

mod error;
mod operation;
mod source;
#[cfg(test)]
mod support;
mod table;

pub use error::StreamError;
pub use operation::{OPERATION_COLUMN, OPERATION_KEY, Operation, ROW_COLUMN};
pub use source::{Arrival, Lag, Limits, Origin, Source, whole_files};
pub use table::{Applied, Change, Incoming, Intake, Key, LivingTable};
