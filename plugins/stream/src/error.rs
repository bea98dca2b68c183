//! What can be wrong with a source, a batch or a key.

use crate::Operation;
use std::path::PathBuf;

/// Every message names what it is about and what would help.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// A directory to follow is not there.
    #[error("{path:?} cannot be followed: {source}; name a directory that files come to")]
    NoDirectory {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A port or a socket's path cannot be had.
    #[error("cannot listen on {place}: {source}")]
    CannotListen {
        /// The address or path.
        place: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// Something that is no socket has the name.
    #[error("{path:?} exists and is not a socket: it is left alone; choose another path")]
    NotASocket {
        /// The path as given.
        path: PathBuf,
    },
    /// Another program listens there.
    #[error("another program listens on {path:?}; end it or choose another path")]
    SocketInUse {
        /// The path as given.
        path: PathBuf,
    },
    /// Unix sockets where there are none.
    #[error("{path:?}: this system has no Unix sockets; listen on a TCP port instead")]
    NoUnixSockets {
        /// The path as given.
        path: PathBuf,
    },
    /// A thread could not be started.
    #[error("no thread to read {from}: {source}")]
    NoThread {
        /// What it would have read.
        from: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A batch does not fit the table.
    #[error(transparent)]
    Batch(#[from] dataset::DatasetError),
    /// The key column is not among the attributes.
    #[error("there is no column {column:?} to know rows by; there are: {columns}")]
    NoKeyColumn {
        /// The name that was asked for.
        column: String,
        /// The attribute columns.
        columns: String,
    },
    /// The key column's type does not tell rows apart.
    #[error("column {column:?} holds {found}: rows are known by whole numbers, text or bytes; choose another column")]
    KeyType {
        /// The column.
        column: String,
        /// Its type.
        found: String,
    },
    /// A row without a key.
    #[error("column {column:?} is null at row {row}: every row needs a key")]
    NullKey {
        /// The key column.
        column: String,
        /// The row within its batch, or in the file for the first load.
        row: u64,
    },
    /// Two rows of the first load have one key.
    #[error("rows {first} and {second} both have the key {key} in column {column:?}: a key must belong to one row")]
    DuplicateKey {
        /// The key column.
        column: String,
        /// The key, as text.
        key: String,
        /// The first row that has it, by its file's number.
        first: u64,
        /// The second.
        second: u64,
    },
    /// Rows cannot be found without a key.
    #[error(
        "{operation} needs to know its rows: choose a key column (--key NAME), or send their row numbers as a column \
         of whole numbers named \"nevis_row\""
    )]
    NoKey {
        /// What was asked for.
        operation: Operation,
    },
    /// More rows than slots can be numbered.
    #[error("more than {max} rows would live at once; --keep-last N keeps fewer", max = u32::MAX)]
    TooManyRows,
    /// The columns of all living rows do not fit together.
    #[error("the columns of the living rows cannot be joined: {reason}")]
    Columns {
        /// What Arrow says.
        reason: String,
    },
}
