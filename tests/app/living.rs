//! Living data in the viewer: rows come by a stream, leave and change while the map is seen.

use super::inspecting::search;
use super::viewer::*;
use controls::StreamCard;
use dataset::LoadOptions;
use dataset::arrow::array::{FixedSizeListArray, Float32Array, RecordBatch};
use dataset::arrow::datatypes::{DataType, Field, Schema};
use dataset::arrow::ipc::writer::StreamWriter;
use nevis::viewer::{Opening, StreamPlan};
use std::collections::HashMap;
use std::io::Write;
use std::net::TcpStream;
use stream::Origin;

/// Rows of these keys: vectors around the middle of their class, and its name.
fn rows(keys: &[i64], class: impl Fn(i64) -> i64, operation: &str) -> RecordBatch {
    let value = |key: i64, axis: usize| {
        let (class, noise) = (class(key), ((key * 7 + axis as i64 * 13) % 11) as f32 / 11.0);
        if axis as i64 == class { 10.0 + noise } else { noise }
    };
    let values: Vec<f32> = keys.iter().flat_map(|&key| (0..DIMS).map(move |axis| value(key, axis))).collect();
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    let vectors = FixedSizeListArray::new(Arc::clone(&item), DIMS as i32, Arc::new(Float32Array::from(values)), None);
    let names: Vec<String> = keys.iter().map(|&key| format!("class {}", class(key))).collect();
    let fields = vec![
        Field::new("id", DataType::Int64, false),
        Field::new("vector", DataType::FixedSizeList(item, DIMS as i32), false),
        Field::new("name", DataType::Utf8, false),
    ];
    let metadata = HashMap::from([("nevis.op".to_owned(), operation.to_owned())]);
    let columns: Vec<ArrayRef> =
        vec![Arc::new(Int64Array::from(keys.to_vec())), Arc::new(vectors), Arc::new(StringArray::from(names))];
    RecordBatch::try_new(Arc::new(Schema::new_with_metadata(fields, metadata)), columns).unwrap()
}

fn of_three(key: i64) -> i64 {
    key % 3
}

/// A viewer that listens, its port, and the map of the first 300 rows.
fn listening(keep_last: Option<usize>) -> (Viewer, u16) {
    let mut viewer = Viewer::new();
    // A free port: asked for, and given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let plan = StreamPlan { origins: vec![Origin::Tcp(port)], key: Some("id".to_owned()), keep_last };
    viewer.get_mut::<Opening>().follow(plan, &[], LoadOptions::default());
    viewer.frames(3);
    send(port, &[rows(&(0..300).collect::<Vec<_>>(), of_three, "append")]);
    viewer.until("the first rows", |viewer| viewer.get::<LiveEmbedding>().snapshot().is_some());
    viewer.until("the stream", |viewer| !viewer.get::<StreamCard>().name.is_empty());
    (viewer, port)
}

fn send(port: u16, batches: &[RecordBatch]) {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    drop(writer);
    send_bytes(port, &bytes);
}

fn send_bytes(port: u16, bytes: &[u8]) {
    let begun = Instant::now();
    let mut socket = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(socket) => break socket,
            Err(error) => assert!(begun.elapsed() < DEADLINE, "nobody listens: {error}"),
        }
        std::thread::sleep(FRAME);
    };
    socket.write_all(bytes).unwrap();
}

fn points(viewer: &Viewer) -> usize {
    viewer.snapshot().data.points()
}

fn wait_for(viewer: &mut Viewer, count: usize) {
    viewer.until(&format!("{count} rows"), |viewer| points(viewer) == count && viewer.get::<DataCard>().rows == count);
    viewer.frames(3);
}

fn names(viewer: &Viewer) -> Vec<(String, usize)> {
    let Legend::Categories(rows) = viewer.legend() else { panic!("{:?} is no legend of names", viewer.legend()) };
    rows.into_iter().map(|row| (row.name, row.count)).collect()
}

#[test]
fn rows_come_leave_and_change_while_selections_colours_and_legends_follow() {
    let (mut viewer, port) = listening(None);
    viewer.colour_by(ColourBy::Column("name".into()));
    viewer.until("age", |viewer| viewer.iteration() > 100);
    let before = viewer.iteration();
    search(&mut viewer, "name=\"class 1\"");
    assert_eq!(viewer.get::<Selection>().rows().count(), 100);
    viewer.get_mut::<Selection>().name("ones");

    // Arrivals, among them a category that was not there.
    send(port, &[rows(&(300..360).collect::<Vec<_>>(), |key| key % 4, "append")]);
    wait_for(&mut viewer, 360);
    assert!(viewer.iteration() > before, "it began again");
    assert_eq!(viewer.get::<Selection>().rows().count(), 100, "a selection does not survive arrivals");
    viewer.until("a new name", |viewer| names(viewer).len() == 4);
    assert_eq!(names(&viewer).iter().map(|(_, count)| count).sum::<usize>(), 360);
    assert_eq!(names(&viewer)[3], ("class 3".to_owned(), 15));

    // Departures by key: a whole class.
    let ones: Vec<i64> = (0..300).filter(|key| key % 3 == 1).collect();
    send(port, &[rows(&ones, of_three, "delete")]);
    wait_for(&mut viewer, 260);
    assert!(viewer.get::<Selection>().rows().is_empty(), "who left is still selected");
    assert_eq!(viewer.get::<Selection>().find("ones").map(|rows| rows.count()), Some(0));
    viewer.until("fewer", |viewer| names(viewer).iter().map(|(_, count)| count).sum::<usize>() == 260);

    // Their places are taken by others, who are themselves.
    send(port, &[rows(&(1000..1050).collect::<Vec<_>>(), |_| 5, "append")]);
    wait_for(&mut viewer, 310);
    assert_eq!(viewer.snapshot().data.table_rows(), 360, "memory grows although rows are free");
    search(&mut viewer, "id>=1000");
    assert_eq!(viewer.get::<Selection>().rows().count(), 50);
    let snapshot = viewer.snapshot();
    for row in viewer.get::<Selection>().rows().iter() {
        let point = snapshot.data.point(row).expect("it lives") as usize;
        let vector = snapshot.data.space.vectors().row(point);
        assert!(vector[5] >= 10.0 && vector[0] < 1.0, "row {row} has the vector of another: {vector:?}");
    }

    // A change by key.
    send(port, &[rows(&[0, 3, 6], |_| 7, "replace")]);
    viewer.until("a new class", |viewer| names(viewer).iter().any(|(name, count)| name == "class 7" && *count == 3));
    assert_eq!(points(&viewer), 310);
    viewer.until("an end of all that flies in and fades", |viewer| {
        let cloud = viewer.get::<PointCloud>();
        (cloud.count(), cloud.styles().len()) == (310, 310)
    });
}

#[test]
fn a_stream_that_breaks_leaves_the_map_as_it_is_and_says_why() {
    let (mut viewer, port) = listening(None);
    viewer.get_mut::<Notices>().0.clear();
    let mut whole = Vec::new();
    let batch = rows(&(300..340).collect::<Vec<_>>(), of_three, "append");
    let mut writer = StreamWriter::try_new(&mut whole, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    drop(writer);
    let foreign = RecordBatch::try_from_iter([("other", Arc::new(Int32Array::from(vec![1, 2])) as ArrayRef)]).unwrap();
    let mut other = Vec::new();
    let mut writer = StreamWriter::try_new(&mut other, &foreign.schema()).unwrap();
    writer.write(&foreign).unwrap();
    writer.finish().unwrap();
    drop(writer);
    for (what, bytes) in [
        ("garbage", b"GET / HTTP/1.1\r\n\r\n".to_vec()),
        ("half a message", whole[..whole.len() - 100].to_vec()),
        ("another schema", other),
        ("a lying length", [&[0xff; 4][..], &[0xff, 0xff, 0xff, 0x7f], &[0; 64]].concat()),
    ] {
        send_bytes(port, &bytes);
        let said = viewer.notice(Announce::Failed);
        assert!(said.contains("127.0.0.1"), "{what}: {said}");
        assert_eq!(points(&viewer), 300, "{what} changed the map");
        viewer.get_mut::<Notices>().0.clear();
    }
    let iteration = viewer.iteration();
    viewer.until("motion", |viewer| viewer.iteration() > iteration);
    send(port, &[batch]);
    wait_for(&mut viewer, 340);
    viewer.ask(Request::Save(None));
    assert!(viewer.notice(Announce::Failed).contains("export"), "a session would be missing rows");
}

#[test]
fn a_stream_can_wait_and_only_the_last_are_kept() {
    let (mut viewer, port) = listening(Some(320));
    viewer.ask(Request::PauseStream);
    viewer.until("a pause", |viewer| viewer.get::<StreamCard>().paused);
    send(port, &[rows(&(300..400).collect::<Vec<_>>(), of_three, "append")]);
    let iteration = viewer.iteration();
    viewer.until("motion", |viewer| viewer.iteration() > iteration + 20);
    assert_eq!(points(&viewer), 300, "the stream does not wait");
    viewer.ask(Request::PauseStream);
    wait_for(&mut viewer, 320);
    search(&mut viewer, "id<80");
    assert_eq!(viewer.get::<Selection>().rows().count(), 0, "the oldest are still there");
    search(&mut viewer, "id>=80");
    assert_eq!(viewer.get::<Selection>().rows().count(), 320);
}

#[test]
fn pinned_rows_stay_where_they_are_while_others_come() {
    let (mut viewer, port) = listening(None);
    viewer.until("age", |viewer| viewer.iteration() > 100);
    viewer.get_mut::<LiveEmbedding>().pin((0..300).collect(), true);
    viewer.frames(10);
    let before = viewer.snapshot();
    send(port, &[rows(&(300..330).collect::<Vec<_>>(), of_three, "append")]);
    wait_for(&mut viewer, 330);
    let iteration = viewer.iteration();
    viewer.until("motion", |viewer| viewer.iteration() > iteration + 20);
    let after = viewer.snapshot();
    for row in 0..300 {
        let place = |snapshot: &Snapshot| snapshot.position(snapshot.data.point(row).unwrap() as usize).to_vec();
        assert_eq!(place(&before), place(&after), "row {row} moved");
    }
}
