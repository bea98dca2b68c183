//! Where rows come from while a map is running.

mod directory;
mod messages;
mod outlet;
mod queue;
mod serve;
mod socket;
mod standard;
#[cfg(unix)]
mod unix_socket;

pub use directory::whole_files;

use crate::{Operation, StreamError};
use dataset::arrow::datatypes::Schema;
use dataset::arrow::record_batch::RecordBatch;
use directory::Directory;
use messages::Broken;
use outlet::{Outlet, Shared};
use queue::Queue;
use serve::OnStall;
use socket::{Door, Port};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a thread waits for bytes before it looks whether anybody still listens.
const NAP: Duration = Duration::from_millis(100);

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

/// Threads that read what comes. Dropped, it ends them and takes its sockets away.
pub struct Source {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    ports: Vec<u16>,
}

impl Source {
    /// Begins to read. Whatever comes waits in a queue of limited size until [`try_next`](Self::try_next) takes it.
    ///
    /// # Errors
    /// If a directory is missing, or a port or a socket cannot be had.
    pub fn open(origins: Vec<Origin>, limits: Limits) -> Result<Self, StreamError> {
        let shared = Arc::new(Shared { queue: Queue::new(&limits), limits, judge: RwLock::default() });
        let mut source = Self { shared, threads: Vec::new(), ports: Vec::new() };
        let served = Arc::new(AtomicUsize::new(0));
        for origin in origins {
            source.begin(origin, &served)?;
        }
        Ok(source)
    }

    fn begin(&mut self, origin: Origin, served: &Arc<AtomicUsize>) -> Result<(), StreamError> {
        match origin {
            Origin::Directory { path, seen } => {
                let directory = Directory::open(&path, &seen)?;
                self.start(path.display().to_string(), move |outlet| directory.follow(outlet))
            }
            Origin::Standard => self.start("stdin".to_owned(), read_standard_input),
            Origin::Tcp(port) => {
                let place = format!("127.0.0.1:{port}");
                let cannot = |source| StreamError::CannotListen { place, source };
                let (door, port) = Port::open(port).map_err(cannot)?;
                self.ports.push(port);
                self.listen(format!("127.0.0.1:{port}"), door, served)
            }
            #[cfg(unix)]
            Origin::Unix(path) => {
                let door = unix_socket::SocketFile::open(&path)?;
                self.listen(path.display().to_string(), door, served)
            }
            #[cfg(not(unix))]
            Origin::Unix(path) => Err(StreamError::NoUnixSockets { path }),
        }
    }

    fn listen(&mut self, name: String, door: impl Door, served: &Arc<AtomicUsize>) -> Result<(), StreamError> {
        let served = Arc::clone(served);
        self.start(name, move |outlet| socket::listen(door, outlet, &served))
    }

    fn start(&mut self, from: String, read: impl FnOnce(&Outlet) + Send + 'static) -> Result<(), StreamError> {
        let outlet = Outlet { shared: Arc::clone(&self.shared), from: from.as_str().into() };
        let thread = std::thread::Builder::new().name("stream".to_owned()).spawn(move || read(&outlet));
        self.threads.push(thread.map_err(|source| StreamError::NoThread { from, source })?);
        Ok(())
    }

    /// From now on, streams and files are refused at once if `judge` refuses their schema, and who sent them is told
    /// why. Without it, and for what has come before, [`Intake::read`](crate::Intake::read) says the same later.
    pub fn judge_by(&self, judge: impl Fn(&Schema, Operation) -> Result<(), StreamError> + Send + Sync + 'static) {
        *self.shared.judge.write().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(judge));
    }

    /// What came first of that which waits; nothing if nothing waits or the source is paused.
    pub fn try_next(&self) -> Option<Arrival> {
        self.shared.queue.take()
    }

    /// What has come and waits to be taken.
    #[must_use]
    pub fn lag(&self) -> Lag {
        self.shared.queue.lag()
    }

    /// While paused nothing is handed out; what comes waits, and whoever brings more than there is room for waits too.
    pub fn set_paused(&self, paused: bool) {
        self.shared.queue.set_paused(paused);
    }

    /// Whether it is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.shared.queue.is_paused()
    }

    /// The TCP ports that are listened on, as the origins named them; where they said 0, the one that was free.
    #[must_use]
    pub fn ports(&self) -> &[u16] {
        &self.ports
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("lag", &self.lag()).field("ports", &self.ports).finish_non_exhaustive()
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.shared.queue.close();
        self.threads.drain(..).for_each(|thread| drop(thread.join())); // a panic of theirs was printed already
    }
}

fn read_standard_input(outlet: &Outlet) {
    if let (_, Err(broken)) = serve::serve(standard::StandardInput, outlet, OnStall::Wait)
        && !matches!(broken, Broken::Closed)
    {
        outlet.trouble(broken);
    }
    outlet.ended();
}

#[cfg(test)]
mod tests;
