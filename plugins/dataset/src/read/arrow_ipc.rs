//! Arrow IPC files and streams. Row counts come from the message headers; the bodies are skipped until they are read.

use super::{Layout, RawBatches, Unit};
use crate::DatasetError;
use crate::parts::{Part, ReadSeek};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader, read_footer_length};
use arrow::ipc::{Block, Message, MessageHeader, root_as_footer, root_as_message};
use std::io::{BufReader, SeekFrom};
use std::ops::Range;

const CONTINUATION: [u8; 4] = [0xFF; 4];
/// A message's header never comes near this; a larger number is not a length but damage.
const MAX_HEADER_BYTES: usize = 256 << 20;

pub(super) fn open_file(part: &Part) -> Result<(SchemaRef, usize, Layout), DatasetError> {
    let mut reader = part.reader()?;
    let size = part.size()?;
    // Before Arrow's reader allocates what the blocks claim to hold, the blocks must lie within the file.
    let batch_rows = file_batch_rows(reader.as_mut(), size).map_err(|error| part.corrupt(super::describe(&error)))?;
    let opened = FileReader::try_new(BufReader::new(reader), None);
    let schema = opened.map_err(|error| part.corrupt(super::describe(&error)))?.schema();
    Ok((schema, batch_rows.iter().sum(), Layout::ArrowFile(batch_rows)))
}

pub(super) fn open_stream(part: &Part) -> Result<(SchemaRef, usize, Layout), DatasetError> {
    let corrupt = |error: ArrowError| part.corrupt(super::describe(&error));
    let rows = stream_rows(&mut BufReader::new(part.reader()?), part.size()?).map_err(corrupt)?;
    let reader = StreamReader::try_new(BufReader::new(part.reader()?), None).map_err(corrupt)?;
    Ok((reader.schema(), rows, Layout::ArrowStream))
}

pub(super) fn units(batch_rows: &[usize], wanted: usize) -> Vec<Unit> {
    // Every unit opens the file and reads its dictionaries again: not one per batch if there are thousands.
    let step = batch_rows.len().div_ceil(wanted.max(1) * 4).max(1);
    let starts = (0..batch_rows.len()).step_by(step);
    let unit = |start: usize| {
        let range = start..batch_rows.len().min(start + step);
        Unit::Batches { rows: batch_rows[range.clone()].iter().sum(), range }
    };
    starts.map(unit).collect()
}

pub(super) fn file_batches(part: &Part, range: Range<usize>, projection: &[usize]) -> Result<RawBatches, DatasetError> {
    let opened = FileReader::try_new(BufReader::new(part.reader()?), Some(projection.to_vec()));
    let mut reader = opened.map_err(|error| part.corrupt(super::describe(&error)))?;
    reader.set_index(range.start).map_err(|error| part.corrupt(super::describe(&error)))?;
    Ok(Box::new(reader.take(range.len())))
}

pub(super) fn stream_batches(part: &Part, projection: &[usize]) -> Result<RawBatches, DatasetError> {
    let opened = StreamReader::try_new(BufReader::new(part.reader()?), Some(projection.to_vec()));
    Ok(Box::new(opened.map_err(|error| part.corrupt(super::describe(&error)))?))
}

fn damaged(what: &str) -> ArrowError {
    ArrowError::IpcError(what.to_owned())
}

fn file_batch_rows(reader: &mut dyn ReadSeek, size: u64) -> Result<Vec<usize>, ArrowError> {
    let mut tail = [0; 10];
    if size < 18 {
        return Err(damaged("the file ends before its footer"));
    }
    reader.seek(SeekFrom::End(-10))?;
    reader.read_exact(&mut tail)?;
    let length = read_footer_length(tail).map_err(|_| damaged("the file ends without a footer"))?;
    if length as u64 + 10 > size || length > MAX_HEADER_BYTES {
        return Err(damaged("the footer is longer than the file"));
    }
    reader.seek(SeekFrom::End(-10 - length as i64))?;
    let mut footer = vec![0; length];
    reader.read_exact(&mut footer)?;
    let footer = root_as_footer(&footer).map_err(|error| damaged(&format!("unreadable footer: {error}")))?;
    for block in footer.dictionaries().into_iter().flatten() {
        check_block(block, size)?;
    }
    let blocks = footer.recordBatches().ok_or_else(|| damaged("the footer lists no record batches"))?;
    blocks.iter().map(|block| block_rows(reader, block, size)).collect()
}

fn check_block(block: &Block, size: u64) -> Result<Range<u64>, ArrowError> {
    let outside = || damaged("the footer points outside the file");
    let offset = u64::try_from(block.offset()).map_err(|_| outside())?;
    let header = u64::try_from(block.metaDataLength()).map_err(|_| outside())?;
    let body = u64::try_from(block.bodyLength()).map_err(|_| outside())?;
    let end = offset.checked_add(header).and_then(|end| end.checked_add(body)).ok_or_else(outside)?;
    if end > size || header < 8 { Err(outside()) } else { Ok(offset..offset + header) }
}

fn block_rows(reader: &mut dyn ReadSeek, block: &Block, size: u64) -> Result<usize, ArrowError> {
    let header = check_block(block, size)?;
    reader.seek(SeekFrom::Start(header.start))?;
    let mut message = vec![0; (header.end - header.start) as usize];
    reader.read_exact(&mut message)?;
    let skipped = if message.starts_with(&CONTINUATION) { 8 } else { 4 };
    let message = root_as_message(&message[skipped..]);
    let message = message.map_err(|error| damaged(&format!("unreadable record batch: {error}")))?;
    message_rows(&message, block.bodyLength())
}

/// The rows of a record batch whose buffers lie within its body; Arrow's reader would panic on one that does not.
fn message_rows(message: &Message<'_>, body: i64) -> Result<usize, ArrowError> {
    let batch = message.header_as_record_batch().ok_or_else(|| damaged("a message is not a record batch"))?;
    let within = |start: i64, length: i64| start >= 0 && length >= 0 && start.checked_add(length) <= Some(body);
    let mut buffers = batch.buffers().into_iter().flatten();
    if !buffers.all(|buffer| within(buffer.offset(), buffer.length())) {
        return Err(damaged("a record batch points outside its message"));
    }
    usize::try_from(batch.length()).map_err(|_| damaged("a record batch has a negative length"))
}

/// Walks over the messages of a stream and adds up the rows of its record batches.
fn stream_rows(reader: &mut dyn ReadSeek, size: u64) -> Result<usize, ArrowError> {
    let cut = || damaged("the stream ends in the middle of a message");
    let (mut rows, mut position) = (0, 0u64);
    loop {
        let mut word = [0; 4];
        if position == size {
            return Ok(rows); // the end marker is optional
        }
        reader.read_exact(&mut word).map_err(|_| cut())?;
        position += 4;
        if word == CONTINUATION {
            reader.read_exact(&mut word).map_err(|_| cut())?;
            position += 4;
        }
        let length = u32::from_le_bytes(word) as usize;
        if length == 0 {
            return Ok(rows);
        }
        if length > MAX_HEADER_BYTES || position + length as u64 > size {
            return Err(cut());
        }
        let mut message = vec![0; length];
        reader.read_exact(&mut message).map_err(|_| cut())?;
        let message = root_as_message(&message).map_err(|error| damaged(&format!("unreadable message: {error}")))?;
        let body = u64::try_from(message.bodyLength()).map_err(|_| cut())?;
        position = position.checked_add(length as u64 + body).filter(|&end| end <= size).ok_or_else(cut)?;
        reader.seek(SeekFrom::Start(position))?;
        if message.header_type() == MessageHeader::RecordBatch {
            rows += message_rows(&message, message.bodyLength())?;
        }
    }
}
