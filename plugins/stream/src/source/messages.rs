//! Arrow IPC streams from strangers: every length is checked before memory is set aside for it.

use super::Limits;
use dataset::arrow::array::{Array, ArrayRef};
use dataset::arrow::buffer::Buffer;
use dataset::arrow::datatypes::SchemaRef;
use dataset::arrow::error::ArrowError;
use dataset::arrow::ipc::convert::try_fb_to_schema;
use dataset::arrow::ipc::reader::{read_dictionary, read_record_batch};
use dataset::arrow::ipc::{MessageHeader, RecordBatch as BatchHeader, root_as_message};
use dataset::arrow::record_batch::RecordBatch;
use std::collections::HashMap;
use std::io::{ErrorKind, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

const CONTINUATION: [u8; 4] = [0xFF; 4];
/// A header describes columns and buffers; more of it than this is not a header.
const MAX_HEADER_BYTES: usize = 16 << 20;
/// Memory follows what has really come, in steps of this size.
const STEP_BYTES: usize = 1 << 20;

/// Why a stream is given up.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    /// Nobody listens any more.
    #[error("the program ends")]
    Closed,
    #[error("the stream ends in the middle of a message; the rows before it are kept")]
    Truncated,
    #[error("this is no Arrow IPC stream: {0}")]
    NotAStream(String),
    #[error("a message of {bytes} bytes is more than the {most} taken at once; send smaller batches")]
    TooLarge { bytes: u64, most: usize },
    #[error("the dictionaries hold {bytes} bytes, more than the {most} that are kept; send plain text instead")]
    Dictionaries { bytes: usize, most: usize },
    #[error("the stream is damaged: {0}; the rows before it are kept")]
    Damaged(String),
    #[error("the stream changes its columns on the way; end it and begin another")]
    SchemaChanged,
    #[error("the rest of a message did not come for {0:?}; the rows before it are kept")]
    Stalled(Duration),
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The rows are not for this table.
    #[error("{0}")]
    Refused(String),
}

/// What a stream says.
#[derive(Debug)]
pub(super) enum Message {
    Schema(SchemaRef),
    Batch(RecordBatch),
    /// The stream is over, and another may follow.
    EndOfStream,
}

/// Is asked whether to wait on when nothing comes: `within` a message or between two, quiet for so long.
pub(super) trait Patience {
    fn wait(&mut self, within: bool, quiet: Duration) -> Result<(), Broken>;
}

/// The messages of streams, one after the other.
///
/// The input blocks for a short time at most: it says [`WouldBlock`](ErrorKind::WouldBlock) or
/// [`TimedOut`](ErrorKind::TimedOut) when nothing comes, and the patience is asked.
pub(super) struct Messages<R, P> {
    input: R,
    pub patience: P,
    limits: Limits,
    schema: Option<SchemaRef>,
    dictionaries: HashMap<i64, ArrayRef>,
}

impl<R: Read, P: Patience> Messages<R, P> {
    pub fn new(input: R, patience: P, limits: &Limits) -> Self {
        Self { input, patience, limits: limits.clone(), schema: None, dictionaries: HashMap::new() }
    }

    /// What the bytes are read from.
    pub fn into_input(self) -> R {
        self.input
    }

    /// The next message; nothing at the end of the input.
    pub fn next(&mut self) -> Result<Option<Message>, Broken> {
        loop {
            let Some(length) = self.header_length()? else { return Ok(None) };
            if length == 0 {
                self.schema = None;
                self.dictionaries.clear();
                return Ok(Some(Message::EndOfStream));
            }
            let header = self.take(length as u64, MAX_HEADER_BYTES.min(self.limits.batch_bytes))?;
            if let Some(message) = self.read_message(&header)? {
                return Ok(Some(message));
            }
        }
    }

    /// The length of the next header; nothing at the end of the input.
    fn header_length(&mut self) -> Result<Option<u32>, Broken> {
        let mut word = [0; 4];
        match self.fill(&mut word, false)? {
            0 => return Ok(None),
            4 => {}
            _ => return Err(Broken::Truncated),
        }
        if word == CONTINUATION {
            if self.fill(&mut word, true)? < 4 {
                return Err(Broken::Truncated);
            }
        } else if self.schema.is_none() {
            // Before Arrow 0.15 streams began with the length itself; anything else that does is no stream.
            let stranger = match &word {
                b"ARRO" => Some("it looks like an Arrow IPC file; write a stream (in Python: pyarrow.ipc.new_stream)"),
                b"PAR1" => Some("it looks like Parquet; write a stream (in Python: pyarrow.ipc.new_stream)"),
                _ if u32::from_le_bytes(word) as usize > MAX_HEADER_BYTES => Some(""),
                _ => None,
            };
            if let Some(stranger) = stranger {
                let bytes = || format!("it begins with {:?}", String::from_utf8_lossy(&word));
                return Err(Broken::NotAStream(if stranger.is_empty() { bytes() } else { stranger.to_owned() }));
            }
        }
        Ok(Some(u32::from_le_bytes(word)))
    }

    fn read_message(&mut self, header: &[u8]) -> Result<Option<Message>, Broken> {
        let damaged = |error: &dyn ToString| match self.schema.is_some() {
            true => Broken::Damaged(format!("unreadable header ({})", error.to_string())),
            false => Broken::NotAStream(format!("its first message has no readable header ({})", error.to_string())),
        };
        let message = root_as_message(header).map_err(|error| damaged(&error))?;
        let body_length = u64::try_from(message.bodyLength()).map_err(|error| damaged(&error))?;
        let body = Buffer::from_vec(self.take(body_length, self.limits.batch_bytes)?);
        let version = message.version();
        match message.header_type() {
            MessageHeader::Schema => {
                if self.schema.is_some() {
                    return Err(Broken::SchemaChanged);
                }
                let schema = message.header_as_schema().ok_or_else(|| bad("a schema without columns"))?;
                let schema = Arc::new(guarded(|| try_fb_to_schema(schema))?);
                self.schema = Some(Arc::clone(&schema));
                Ok(Some(Message::Schema(schema)))
            }
            MessageHeader::DictionaryBatch => {
                let schema = self.schema.clone().ok_or_else(|| bad("rows come before their schema"))?;
                let batch = message.header_as_dictionary_batch().ok_or_else(|| bad("an empty dictionary"))?;
                check(&batch.data().ok_or_else(|| bad("an empty dictionary"))?, &body, self.limits.batch_bytes)?;
                let dictionaries = &mut self.dictionaries;
                guarded(|| read_dictionary(&body, batch, &schema, dictionaries, &version))?;
                let (bytes, most) = (self.dictionary_bytes(), self.limits.batch_bytes);
                if bytes > most { Err(Broken::Dictionaries { bytes, most }) } else { Ok(None) }
            }
            MessageHeader::RecordBatch => {
                let schema = self.schema.clone().ok_or_else(|| bad("rows come before their schema"))?;
                let batch = message.header_as_record_batch().ok_or_else(|| bad("an empty batch"))?;
                check(&batch, &body, self.limits.batch_bytes)?;
                let read = || read_record_batch(&body, batch, schema, &self.dictionaries, None, &version);
                Ok(Some(Message::Batch(guarded(read)?)))
            }
            other => Err(bad(&format!("a message of an unknown kind ({other:?})"))),
        }
    }

    fn dictionary_bytes(&self) -> usize {
        let bytes = |values: &ArrayRef| values.to_data().get_slice_memory_size().unwrap_or(usize::MAX);
        self.dictionaries.values().map(bytes).fold(0, usize::saturating_add)
    }

    /// Exactly so many bytes, refused if they are too many.
    fn take(&mut self, length: u64, most: usize) -> Result<Vec<u8>, Broken> {
        let Some(length) = usize::try_from(length).ok().filter(|&length| length <= most) else {
            return Err(Broken::TooLarge { bytes: length, most });
        };
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let begin = bytes.len();
            bytes.resize(length.min(begin + STEP_BYTES), 0);
            if self.fill(&mut bytes[begin..], true)? < bytes.len() - begin {
                return Err(Broken::Truncated);
            }
        }
        Ok(bytes)
    }

    /// Fills the space, unless the input ends before; says how much came.
    fn fill(&mut self, space: &mut [u8], mut within: bool) -> Result<usize, Broken> {
        let mut filled = 0;
        let mut heard = Instant::now();
        while filled < space.len() {
            match self.input.read(&mut space[filled..]) {
                Ok(0) => break,
                Ok(bytes) => {
                    filled += bytes;
                    within = true;
                    heard = Instant::now();
                    self.patience.wait(within, Duration::ZERO)?;
                }
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => self.patience.wait(within, heard.elapsed())?,
                    // Who hangs up in a hurry has ended too.
                    ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => break,
                    _ => return Err(error.into()),
                },
            }
        }
        Ok(filled)
    }
}

fn bad(what: &str) -> Broken {
    Broken::Damaged(what.to_owned())
}

/// A decoder may give up by a panic: some of them index before they check.
fn guarded<T>(read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, Broken> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => result.map_err(|error| Broken::Damaged(error.to_string())),
        Err(_) => Err(bad("the decoder gave up on its contents")),
    }
}

/// Whether a batch is what its header says: buffers within the body, not larger than allowed once unpacked, and no
/// more rows than bits.
fn check(batch: &BatchHeader<'_>, body: &[u8], most: usize) -> Result<(), Broken> {
    let outside = || bad("a batch points outside its message");
    let packed = batch.compression().is_some();
    let mut unpacked = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let start = usize::try_from(buffer.offset()).map_err(|_| outside())?;
        let length = usize::try_from(buffer.length()).map_err(|_| outside())?;
        let bytes = start.checked_add(length).and_then(|end| body.get(start..end)).ok_or_else(outside)?;
        let size = match bytes.first_chunk() {
            Some(prefix) if packed => match i64::from_le_bytes(*prefix) {
                -1 => length as u64 - 8, // as it is
                size => u64::try_from(size).map_err(|_| bad("a packed buffer has a negative length"))?,
            },
            _ => length as u64,
        };
        unpacked = unpacked.saturating_add(size);
    }
    if unpacked > most as u64 {
        return Err(Broken::TooLarge { bytes: unpacked, most });
    }
    let lengths = batch.nodes().into_iter().flatten().map(|node| node.length()).chain([batch.length()]);
    for length in lengths {
        let length = u64::try_from(length).map_err(|_| bad("a batch has a negative length"))?;
        if length > unpacked.saturating_mul(8) {
            return Err(bad(&format!("{length} rows in {unpacked} bytes")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
