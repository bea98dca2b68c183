//! Streams that are whole, cut, broken, lying or slow.

use super::*;
use crate::support::{numbered, stream, table, with_column};
use dataset::arrow::array::{DictionaryArray, StringArray};
use dataset::arrow::datatypes::Int8Type;
use dataset::arrow::ipc::CompressionType;
use dataset::arrow::ipc::writer::{IpcWriteOptions, StreamWriter};

/// Broken streams tried of each kind.
const TRIES: usize = 4000;
/// Taken at once in these tests.
const MOST: usize = 1 << 20;
const CHILD: &str = "STREAM_TEST_MEASURES_MEMORY";

/// Waits for ever, and counts how often it was asked to, within messages and between them.
#[derive(Default)]
struct Counting {
    within: usize,
    between: usize,
}

impl Patience for Counting {
    fn wait(&mut self, within: bool, quiet: Duration) -> Result<(), Broken> {
        if !quiet.is_zero() {
            *(if within { &mut self.within } else { &mut self.between }) += 1;
        }
        Ok(())
    }
}

fn read(input: impl Read) -> (Vec<RecordBatch>, Result<(), Broken>) {
    let limits = Limits { batch_bytes: MOST, ..Limits::default() };
    let mut messages = Messages::new(input, Counting::default(), &limits);
    let mut batches = Vec::new();
    loop {
        match messages.next() {
            Ok(Some(Message::Batch(batch))) => batches.push(batch),
            Ok(Some(_)) => {}
            Ok(None) => return (batches, Ok(())),
            Err(broken) => return (batches, Err(broken)),
        }
    }
}

/// Rows of every kind that streams treat in their own way.
fn varied(first: i64, words: &[&str]) -> RecordBatch {
    let rows = words.len() as i64;
    let batch = numbered(first..first + rows);
    let batch = with_column(&batch, "word", Arc::new(StringArray::from(words.to_vec())));
    let dictionary: DictionaryArray<Int8Type> = words.iter().copied().collect();
    with_column(&batch, "kind", Arc::new(dictionary))
}

fn batches() -> Vec<RecordBatch> {
    vec![varied(0, &["a", "b", "a", "longer than others"]), varied(4, &["c", "a"]), varied(6, &["b"; 5])]
}

fn packed(batches: &[RecordBatch]) -> Vec<u8> {
    packed_by(CompressionType::ZSTD, batches)
}

fn packed_by(compression: CompressionType, batches: &[RecordBatch]) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(Some(compression)).unwrap();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

#[test]
fn streams_come_back_one_after_the_other() {
    let (found, result) = read(stream(&batches()).as_slice());
    assert!(result.is_ok());
    assert_eq!(found, batches());
    let (found, result) = read([packed(&batches()), stream(&[numbered(0..9)])].concat().as_slice());
    assert!(result.is_ok());
    assert_eq!(found, [batches(), vec![numbered(0..9)]].concat());
}

#[test]
fn a_stream_cut_anywhere_gives_what_came_before() {
    for whole in [stream(&batches()), packed(&batches())] {
        let mut complete = 0;
        for end in 0..whole.len() {
            let (found, result) = read(&whole[..end]);
            assert_eq!(found, batches()[..found.len()], "cut after {end} bytes");
            match result {
                Ok(()) => complete += 1, // between two messages: the end marker is optional
                Err(Broken::Truncated) => {}
                Err(other) => panic!("cut after {end} bytes: {other}"),
            }
        }
        // Before the schema and after it, after each batch and each of the three dictionaries.
        assert_eq!(complete, 8);
    }
}

#[test]
fn flipped_bytes_and_noise_never_panic() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut refused = 0;
    for sound in [stream(&batches()), packed(&batches())] {
        for _ in 0..TRIES {
            let mut broken = sound.clone();
            for _ in 0..random.usize(1..5) {
                let place = random.usize(..broken.len());
                broken[place] = if random.bool() { random.u8(..) } else { broken[place] ^ 1 << random.u8(..8) };
            }
            refused += usize::from(read(broken.as_slice()).1.is_err());
        }
    }
    assert!(refused > TRIES / 2, "only {refused} of {} were refused", 2 * TRIES);
    for length in 0..200 {
        let noise: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(length).collect();
        assert!(length == 0 || read(noise.as_slice()).1.is_err(), "{noise:?}");
    }
}

#[test]
fn other_formats_are_told_apart() {
    let refusal = |bytes: &[u8]| read(bytes).1.unwrap_err().to_string();
    assert!(refusal(b"ARROW1\0\0").contains("pyarrow.ipc.new_stream"));
    assert!(refusal(b"PAR1\x15\x04").contains("it looks like Parquet"));
    assert_eq!(refusal(b"GET / HTTP/1.1"), "this is no Arrow IPC stream: it begins with \"GET \"");
}

#[test]
fn columns_that_change_on_the_way_are_refused_and_the_rows_before_are_kept() {
    let first = stream(&[numbered(0..5)]);
    let unended = &first[..first.len() - 8];
    let (found, result) = read([unended, &stream(&batches())].concat().as_slice());
    assert_eq!(found, [numbered(0..5)]);
    assert!(matches!(result, Err(Broken::SchemaChanged)), "{result:?}");
}

/// Every place where eight bytes are this number gets another.
fn replaced(bytes: &[u8], number: i64, by: i64) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let places: Vec<usize> = (0..bytes.len() - 8).filter(|&at| bytes[at..at + 8] == number.to_le_bytes()).collect();
    assert!(!places.is_empty(), "{number} is nowhere");
    places.into_iter().for_each(|at| changed[at..at + 8].copy_from_slice(&by.to_le_bytes()));
    changed
}

/// Streams whose headers promise more than there is.
fn liars() -> Vec<(&'static str, Vec<u8>)> {
    let rows = 1237;
    let sound = stream(&[numbered(0..rows)]);
    let [packed, framed] =
        [CompressionType::ZSTD, CompressionType::LZ4_FRAME].map(|how| packed_by(how, &[numbered(0..rows)]));
    let header = [&CONTINUATION[..], &i32::MAX.to_le_bytes(), &[0; 64]].concat();
    vec![
        ("header", header),
        ("rows", replaced(&sound, rows, 1 << 40)),
        ("buffer", replaced(&sound, 8 * rows, 1 << 40)),
        ("values", replaced(&sound, 3 * rows, 1 << 40)),
        ("unpacked", replaced(&packed, 8 * rows, 1 << 40)),
        ("unpacked by LZ4", replaced(&framed, 8 * rows, 1 << 32)), // Arrow's decoder sets it aside at once
        ("just allowed", replaced(&packed, 8 * rows, MOST as i64 / 2)),
        ("body", replaced(&sound, body_length(&sound), 1 << 40)),
    ]
}

/// The length of the body of a stream's first batch.
fn body_length(bytes: &[u8]) -> i64 {
    let mut at = 0;
    loop {
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
        let message = root_as_message(&bytes[at + 8..at + 8 + length]).unwrap();
        if message.header_type() == MessageHeader::RecordBatch {
            return message.bodyLength();
        }
        at += 8 + length + message.bodyLength() as usize;
    }
}

/// In a process of its own, so that nothing else is measured: address space, because memory that is set aside and
/// never written would not be resident.
#[cfg(target_os = "linux")]
#[test]
fn lying_lengths_are_refused_before_memory_is_set_aside() {
    if std::env::var_os(CHILD).is_some() {
        let peak = || {
            let text = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = text.lines().find(|line| line.starts_with("VmPeak")).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
        };
        let liars = liars();
        assert_eq!(read(stream(&[numbered(0..1237)]).as_slice()).0.len(), 1, "the truth is believed");
        let before = peak();
        for (what, liar) in liars {
            let (found, result) = read(liar.as_slice());
            assert!(found.is_empty() && result.is_err(), "{what}: {result:?}");
        }
        let grown = peak() - before;
        assert!(grown < 16 * MOST, "{grown} bytes were set aside");
        return;
    }
    let name = "source::messages::tests::lying_lengths_are_refused_before_memory_is_set_aside";
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env("MALLOC_ARENA_MAX", "1")
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"), "the child ran no test");
}

#[test]
fn a_message_beyond_the_limit_says_both_sizes() {
    let (found, result) = read(stream(&[numbered(0..10), numbered(0..60_000)]).as_slice());
    assert_eq!(found.len(), 1, "what came before is kept");
    let message = result.unwrap_err().to_string();
    assert!(message.contains("more than the 1048576 taken at once; send smaller batches"), "{message}");
}

#[test]
fn dictionaries_are_counted_together() {
    let words: Vec<String> = (0..50).map(|word| format!("{word:0>4000}")).collect();
    let words: DictionaryArray<Int8Type> = words.iter().map(String::as_str).collect();
    let names: Vec<String> = (0..8).map(|column| format!("kind {column}")).collect();
    let all =
        |columns: usize| table(names.iter().take(columns).map(|name| (name.as_str(), Arc::new(words.clone()) as _)));
    assert_eq!(read(stream(&[all(4)]).as_slice()).0, [all(4)]);
    let (found, result) = read(stream(&[all(8)]).as_slice());
    assert!(found.is_empty() && matches!(result, Err(Broken::Dictionaries { .. })), "{result:?}");
}

/// Gives a few bytes, then nothing for a while, and so on.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, space: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(ErrorKind::WouldBlock.into());
        }
        let bytes = space.len().min(self.0.len()).min(7);
        space[..bytes].copy_from_slice(&self.0[..bytes]);
        self.0 = &self.0[bytes..];
        Ok(bytes)
    }
}

#[test]
fn slow_streams_are_waited_for() {
    let bytes = stream(&batches());
    let limits = Limits::default();
    let mut messages = Messages::new(Slow(&bytes, false), Counting::default(), &limits);
    let mut found = Vec::new();
    while let Some(message) = messages.next().unwrap() {
        if let Message::Batch(batch) = message {
            found.push(batch);
        }
    }
    assert_eq!(found, batches());
    assert!(messages.patience.within > bytes.len() / 10 && messages.patience.between > 0);
}
