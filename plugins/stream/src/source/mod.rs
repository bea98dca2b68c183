//! Where rows come from while a map is running.

use crate::Operation;
use dataset::arrow::record_batch::RecordBatch;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A place rows come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A directory that gains Parquet, Arrow or CSV files; every whole file is read once.
    Directory {
        /// The directory.
        path: PathBuf,
        /// Files of it that have been read already, as by the first load.
        seen: Vec<PathBuf>,
    },
    /// An Arrow IPC stream on standard input.
    Standard,
    /// Arrow IPC streams by TCP on this port of 127.0.0.1; 0 takes a free one.
    Tcp(u16),
    /// Arrow IPC streams on a Unix socket that only its owner may use.
    Unix(PathBuf),
}

/// How much is taken before it is refused or has to wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Rows handed over at once; larger batches are cut.
    pub batch_rows: usize,
    /// Bytes of one message of a stream, unpacked; a larger one is refused before memory is set aside for it.
    pub batch_bytes: usize,
    /// Batches that may wait to be taken; whoever brings more waits.
    pub pending_batches: usize,
    /// Bytes that may wait to be taken.
    pub pending_bytes: usize,
    /// A message that stops in the middle for so long is called stalled; so is a file that stays unreadable.
    pub stall: Duration,
    /// Connections served at the same time, over all sockets.
    pub connections: usize,
    /// How often a directory is looked at.
    pub look_every: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            batch_rows: 8192,
            batch_bytes: 256 << 20,
            pending_batches: 64,
            pending_bytes: 256 << 20,
            stall: Duration::from_secs(10),
            connections: 8,
            look_every: Duration::from_millis(300),
        }
    }
}

/// Something that came.
#[derive(Debug, Clone)]
pub enum Arrival {
    /// Rows, at most [`Limits::batch_rows`] of them, all for one operation.
    Rows {
        /// Who sent them: a file's name, `stdin` or a connection.
        from: Arc<str>,
        /// What they are for.
        operation: Operation,
        /// The rows, without the column `nevis_op`.
        batch: RecordBatch,
    },
    /// Something is wrong with what came; rows that came before it stay.
    Trouble {
        /// Who sent it.
        from: Arc<str>,
        /// What is wrong and what would help.
        message: String,
    },
    /// A connection was made.
    Connected {
        /// Who made it.
        from: Arc<str>,
    },
    /// A stream or a file was read to its end, or given up.
    Ended {
        /// Who sent it.
        from: Arc<str>,
    },
}

/// What has come and waits to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lag {
    /// Batches that wait.
    pub batches: usize,
    /// Their rows.
    pub rows: usize,
}
