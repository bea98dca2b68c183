//! Sources as a program uses them: real sockets, real directories, a real standard input.

use super::*;
use crate::support::{meant_for, numbered, stream, with_column};
use dataset::arrow::array::{ArrayRef, Int64Array, StringArray};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

/// Nothing in these tests takes nearly so long; who waits longer waits in vain.
const PATIENCE: Duration = Duration::from_secs(20);

fn quick() -> Limits {
    Limits { stall: Duration::from_millis(300), look_every: Duration::from_millis(20), ..Limits::default() }
}

/// What came, in words: rows by their first and last id, and everything else by name.
fn words(arrival: &Arrival) -> String {
    match arrival {
        Arrival::Rows { operation, batch, .. } => format!("{operation} {}", batch.num_rows()),
        Arrival::Trouble { message, .. } => format!("trouble: {message}"),
        Arrival::Connected { .. } => "connected".to_owned(),
        Arrival::Ended { .. } => "ended".to_owned(),
    }
}

/// Takes arrivals until one of them is as expected; all of them.
fn until(source: &Source, expected: impl Fn(&Arrival) -> bool) -> Vec<Arrival> {
    let begun = Instant::now();
    let mut all = Vec::new();
    loop {
        match source.try_next() {
            Some(arrival) => {
                all.push(arrival);
                if expected(&all[all.len() - 1]) {
                    return all;
                }
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
        assert!(begun.elapsed() < PATIENCE, "it never came; there was {:?}", all.iter().map(words).collect::<Vec<_>>());
    }
}

fn until_ended(source: &Source) -> Vec<String> {
    until(source, |arrival| matches!(arrival, Arrival::Ended { .. })).iter().map(words).collect()
}

fn trouble(source: &Source) -> String {
    let all = until(source, |arrival| matches!(arrival, Arrival::Trouble { .. }));
    words(&all[all.len() - 1])
}

fn on_tcp(limits: Limits) -> (Source, u16) {
    let source = Source::open(vec![Origin::Tcp(0)], limits).unwrap();
    let port = source.ports()[0];
    (source, port)
}

fn send(port: u16, bytes: &[u8]) -> TcpStream {
    let mut peer = TcpStream::connect(("127.0.0.1", port)).unwrap();
    peer.write_all(bytes).unwrap();
    peer
}

/// What a refused peer is told.
fn reply(peer: &mut TcpStream) -> String {
    peer.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut text = String::new();
    peer.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn streams_by_tcp_come_after_and_beside_each_other() {
    let (source, port) = on_tcp(Limits { stall: PATIENCE, ..quick() });
    for count in [3, 5] {
        drop(send(port, &stream(&[numbered(0..count), numbered(0..1)])));
        assert_eq!(until_ended(&source), ["connected", &format!("append {count}"), "append 1", "ended"]);
    }
    let bytes = stream(&[numbered(0..7)]);
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let mut slow = send(port, first);
    until(&source, |arrival| matches!(arrival, Arrival::Connected { .. }));
    drop(send(port, &stream(&[numbered(0..2)])));
    assert_eq!(until_ended(&source).last().unwrap(), "ended", "one peer waits for another");
    slow.write_all(second).unwrap();
    drop(slow);
    assert_eq!(until_ended(&source), ["append 7", "ended"]);
}

#[test]
fn one_connection_may_append_delete_and_speak_row_by_row() {
    let (source, port) = on_tcp(Limits { batch_rows: 4, ..quick() });
    let by_row: ArrayRef = Arc::new(StringArray::from(vec![Some("delete"), None, Some("replace")]));
    let mixed = with_column(&numbered(0..3), crate::OPERATION_COLUMN, by_row);
    let streams = [&[numbered(0..6)][..], &[meant_for(&numbered(0..2), "delete")], &[mixed]];
    drop(send(port, &streams.map(stream).concat()));
    let expected = ["connected", "append 4", "append 2", "delete 2", "delete 1", "append 1", "replace 1", "ended"];
    assert_eq!(until_ended(&source), expected);
    let mut peer = send(port, &stream(&[meant_for(&numbered(0..1), "upsert")]));
    assert!(trouble(&source).contains("metadata \"nevis.op\": \"upsert\" is neither append, replace nor delete"));
    assert!(reply(&mut peer).starts_with("nevis: metadata"));
}

#[test]
fn garbage_truncated_and_foreign_streams_are_answered_and_others_live_on() {
    let (source, port) = on_tcp(Limits { batch_bytes: 10_000, ..quick() });
    source.judge_by(|schema, _| match schema.column_with_name("vector") {
        Some(_) => Ok(()),
        None => Err(StreamError::NoKey { operation: Operation::Delete }),
    });
    let whole = stream(&[numbered(0..3)]);
    let mut other = send(port, &whole[..whole.len() - 8]);
    let foreign = stream(&[numbered(0..3).project(&[0]).unwrap()]);
    let large = stream(&[numbered(0..2000)]);
    for (bytes, expected) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], "this is no Arrow IPC stream"),
        (&foreign, "delete needs to know its rows"),
        (&large, "more than the 10000 taken at once"),
    ] {
        let mut peer = send(port, bytes);
        let message = trouble(&source);
        assert!(message.contains(expected), "{message}");
        let answer = reply(&mut peer);
        assert!(answer.starts_with("nevis: ") && answer.contains(expected), "{answer:?}");
    }
    drop(send(port, &whole[..whole.len() - 20]));
    assert!(trouble(&source).contains("ends in the middle of a message"));
    other.write_all(&whole[whole.len() - 8..]).unwrap();
    other.write_all(&whole).unwrap();
    let last = until(&source, |arrival| matches!(arrival, Arrival::Rows { .. }));
    assert_eq!(words(&last[last.len() - 1]), "append 3");
}

#[test]
fn a_stalled_peer_is_let_go_and_one_that_only_rests_is_not() {
    let (source, port) = on_tcp(quick());
    let whole = stream(&[numbered(0..3)]);
    let mut resting = send(port, &whole[..whole.len() - 8]); // between two messages
    let mut stalled = send(port, &whole[..whole.len() - 30]);
    assert!(trouble(&source).contains("the rest of a message did not come for 300ms"));
    assert!(reply(&mut stalled).contains("did not come"));
    resting.write_all(&whole[whole.len() - 8..]).unwrap();
    resting.write_all(&stream(&[numbered(0..9)])).unwrap();
    until(&source, |arrival| words(arrival) == "append 9");
}

#[test]
fn too_many_connections_are_told_so() {
    let (source, port) = on_tcp(Limits { connections: 1, ..quick() });
    let first = send(port, b"");
    until(&source, |arrival| matches!(arrival, Arrival::Connected { .. }));
    let mut second = send(port, b"");
    assert!(reply(&mut second).contains("1 connections are served already"));
    drop((first, second));
    until_ended(&source);
    let begun = Instant::now();
    loop {
        drop(send(port, &stream(&[numbered(0..2)])));
        let came = until(&source, |arrival| matches!(arrival, Arrival::Rows { .. } | Arrival::Trouble { .. }));
        if words(&came[came.len() - 1]) == "append 2" {
            return; // the place of those who left is free, sooner or later
        }
        assert!(begun.elapsed() < PATIENCE);
    }
}

#[test]
fn whoever_sends_too_fast_waits_and_nothing_is_lost() {
    let (source, port) = on_tcp(Limits { pending_batches: 3, ..quick() });
    source.set_paused(true);
    let batches: Vec<RecordBatch> = (1..40).map(|rows| numbered(0..rows)).collect();
    let bytes = stream(&batches);
    let sender = std::thread::spawn(move || drop(send(port, &bytes)));
    let begun = Instant::now();
    while source.lag().batches < 2 {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(50));
    assert!(source.lag().batches <= 3 && source.is_paused() && source.try_next().is_none());
    source.set_paused(false);
    let expected: Vec<String> = (1..40).map(|rows| format!("append {rows}")).collect();
    let came = until_ended(&source);
    assert_eq!(came[1..came.len() - 1], expected);
    sender.join().unwrap();
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::{UnixListener, UnixStream};

    fn open(path: &std::path::Path) -> Result<Source, StreamError> {
        Source::open(vec![Origin::Unix(path.into())], quick())
    }

    #[test]
    fn a_socket_is_its_owners_alone_and_goes_with_the_source() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let source = open(&path).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        UnixStream::connect(&path).unwrap().write_all(&stream(&[numbered(0..4)])).unwrap();
        assert_eq!(until_ended(&source), ["connected", "append 4", "ended"]);
        drop(source);
        assert_eq!(directory.path().read_dir().unwrap().count(), 0, "nothing is left behind");
    }

    #[test]
    fn only_a_socket_nobody_listens_on_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        std::fs::write(&path, "precious").unwrap();
        let refusal = open(&path).unwrap_err().to_string();
        assert!(refusal.ends_with("exists and is not a socket: it is left alone; choose another path"), "{refusal}");
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
        std::fs::remove_file(&path).unwrap();
        let listener = UnixListener::bind(&path).unwrap();
        assert!(open(&path).unwrap_err().to_string().starts_with("another program listens on"));
        drop(listener);
        assert!(path.exists(), "the stale socket is there");
        let source = open(&path).unwrap();
        // Whoever takes the name over keeps it.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, "other").unwrap();
        drop(source);
        assert!(path.exists());
    }

    #[test]
    fn a_port_that_is_taken_is_an_error() {
        let (source, port) = on_tcp(quick());
        let refusal = Source::open(vec![Origin::Tcp(port)], quick()).unwrap_err().to_string();
        assert!(refusal.starts_with(&format!("cannot listen on 127.0.0.1:{port}: ")), "{refusal}");
        drop(source);
        assert!(Source::open(vec![Origin::Tcp(port)], quick()).is_ok(), "it is free again");
    }
}

mod directories {
    use super::*;
    use std::path::Path;

    fn write(path: &Path, batch: &RecordBatch) {
        dataset::write_table(path, batch, &[]).unwrap();
    }

    fn follow(path: &Path, seen: Vec<PathBuf>) -> Source {
        Source::open(vec![Origin::Directory { path: path.into(), seen }], quick()).unwrap()
    }

    fn from(arrival: &Arrival) -> String {
        match arrival {
            Arrival::Rows { from, .. } | Arrival::Trouble { from, .. } => from.to_string(),
            Arrival::Connected { from } | Arrival::Ended { from } => from.to_string(),
        }
    }

    #[test]
    fn files_come_in_the_order_of_their_names_and_once() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        for (name, rows) in [("part 10.parquet", 10), ("part 2.arrow", 2), ("seen.parquet", 99)] {
            write(&at(name), &numbered(0..rows));
        }
        std::fs::write(at("readme.txt"), "no data").unwrap();
        std::fs::write(at(".hidden.parquet"), "PAR1").unwrap();
        std::fs::write(at("x.parquet.unfinished"), "PAR1").unwrap();
        let whole: Vec<PathBuf> = ["part 2.arrow", "part 10.parquet", "seen.parquet"].map(at).into();
        assert_eq!(whole_files(directory.path()).unwrap(), whole);
        let source = follow(directory.path(), vec![at("seen.parquet")]);
        assert_eq!([until_ended(&source), until_ended(&source)].concat(), ["append 2", "ended", "append 10", "ended"]);
        write(&at("part 11.csv"), &numbered(0..3).project(&[0, 2]).unwrap());
        assert_eq!(until_ended(&source), ["append 3", "ended"]);
        write(&at("part 12.parquet"), &meant_for(&numbered(0..4), "delete"));
        assert_eq!(until_ended(&source), ["delete 4", "ended"]);
        std::thread::sleep(quick().look_every * 5);
        assert!(source.try_next().is_none(), "nothing comes twice");
    }

    #[test]
    fn a_file_in_the_making_waits_and_one_that_stays_broken_is_named_once() {
        let directory = tempfile::tempdir().unwrap();
        let source = follow(directory.path(), Vec::new());
        let elsewhere = tempfile::tempdir().unwrap().keep().join("a.parquet");
        write(&elsewhere, &numbered(0..500));
        let bytes = std::fs::read(&elsewhere).unwrap();
        std::fs::write(directory.path().join("slow.parquet"), &bytes[..bytes.len() / 2]).unwrap();
        write(&directory.path().join("whole.arrow"), &numbered(0..6));
        assert_eq!(until_ended(&source), ["append 6", "ended"], "the file in the making holds nobody up");
        let all = until(&source, |arrival| matches!(arrival, Arrival::Trouble { .. }));
        let last = &all[all.len() - 1];
        assert_eq!(from(last), "slow.parquet");
        assert!(words(last).ends_with("it is read once it is whole"), "{}", words(last));
        std::thread::sleep(quick().stall * 2);
        assert!(source.try_next().is_none(), "it is named once");
        std::fs::write(directory.path().join("slow.parquet"), &bytes).unwrap();
        assert_eq!(until_ended(&source), ["append 500", "ended"]);
        std::fs::remove_dir_all(elsewhere.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_foreign_file_is_refused_and_a_missing_directory_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let source = follow(directory.path(), Vec::new());
        source.judge_by(|_, operation| Err(StreamError::NoKey { operation }));
        write(&directory.path().join("a.parquet"), &numbered(0..3));
        let came = until_ended(&source);
        assert!(came[0].starts_with("trouble: append needs to know its rows") && came.len() == 2, "{came:?}");
        let nowhere = directory.path().join("nowhere");
        let missing = Source::open(vec![Origin::Directory { path: nowhere, seen: Vec::new() }], quick());
        assert!(missing.unwrap_err().to_string().contains("name a directory that files come to"));
    }
}

#[cfg(unix)]
mod standard_input {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    const CHILD: &str = "STREAM_TEST_READS_STANDARD_INPUT";

    /// The source is read by a process of its own, because standard input belongs to a process.
    #[test]
    fn a_stream_that_stops_is_told_of_once_and_goes_on() {
        if std::env::var_os(CHILD).is_some() {
            let source = Source::open(vec![Origin::Standard], quick()).unwrap();
            loop {
                let came = until(&source, |_| true);
                println!("came: {}", words(&came[0]));
                if words(&came[0]) == "ended" {
                    return;
                }
            }
        }
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "source::tests::standard_input::a_stream_that_stops_is_told_of_once_and_goes_on"])
            .arg("--nocapture")
            .env(CHILD, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let ids: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
        let deleted = meant_for(&crate::support::table([("id", ids)]), "delete");
        let bytes = [stream(&[numbered(0..5), numbered(0..6)]), stream(&[deleted])].concat();
        let (before, after) = bytes.split_at(stream(&[numbered(0..5)]).len() + 40);
        let mut input = child.stdin.take().unwrap();
        input.write_all(before).unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut text: Vec<String> = Vec::new();
        while !text.last().is_some_and(|line| line.contains("waiting for the rest")) {
            text.push(lines.next().unwrap());
        }
        std::thread::sleep(quick().stall * 2); // long enough to say it again
        input.write_all(&after[..after.len() - 20]).unwrap(); // cut short: the deletion never ends
        drop(input);
        text.extend(lines);
        assert!(child.wait().unwrap().success());
        let came: Vec<&str> = text.iter().filter_map(|line| line.split("came: ").nth(1)).collect();
        let expected = [
            "append 5",
            "trouble: a message stopped in the middle 300ms ago; waiting for the rest",
            "append 6",
            "trouble: the stream ends in the middle of a message; the rows before it are kept",
            "ended",
        ];
        assert_eq!(came, expected, "{text:?}");
    }

    #[test]
    fn a_source_that_nobody_feeds_can_be_dropped() {
        drop(Source::open(vec![Origin::Standard, Origin::Tcp(0)], quick()).unwrap());
    }
}
