//! Opens tables of vectors and writes tables of results.
//!
//! [`load`] turns Parquet, Arrow IPC and CSV files into one matrix and the attributes beside it. On the way:
//!
//! ```text
//! paths ─ parts ──── files in order, format by signature          (parts, format)
//!          └ open ── schema and row count of each part             (read)
//!             └ choose the vector columns, guess roles             (columns, role)
//!                └ plan which file rows are wanted                 (plan)
//!                   └ fill disjoint pieces of the one matrix       (scan, fill)
//!                      └ standardize, PCA                          (load)
//! ```
//!
//! Parquet is read by row group and Arrow by record batch, in parallel; only the batches in flight exist beside the
//! matrix. An Arrow file is only as fine-grained as its record batches: one batch of everything is read whole.
//!
//! [`Reader`] treats batches that come later as the first load treated the first ones; [`load_batches`] makes a first
//! load of batches, and [`OpenFile`] makes batches of a file.
//!
//! [`inspect`] describes the same files without keeping the matrix. [`mod@write`] writes results so that an interrupted
//! run leaves the old file alone. Rows are always numbered as in the files, from 0, over all parts.

mod batches;
mod columns;
mod error;
mod fill;
mod format;
mod info;
mod load;
mod metadata;
mod more;
mod natural;
mod open;
mod options;
mod parts;
mod plan;
mod read;
mod role;
mod scan;
pub mod write;

pub use batches::load_batches;
pub use bytes::Bytes;
pub use error::{DatasetError, Fault};
pub use format::Format;
pub use info::{ColumnInfo, Duplicates, Info, inspect, inspect_bytes};
pub use load::{Dataset, PcaReport, Source, load, load_bytes};
pub use metadata::{RECIPE_KEY, read_metadata};
pub use more::{BadRow, MoreRows, Reader};
pub use natural::natural_order;
pub use open::OpenFile;
pub use options::{AttributeColumns, LoadOptions, OnBadRows, PcaChoice, PcaChoiceError, Phase, Progress};
pub use plan::RowNumbers;
pub use role::Role;
pub use write::{write_batches, write_table};

/// Callers handle columns as Arrow arrays, of the very version that read them.
pub use arrow;
