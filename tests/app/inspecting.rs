//! Rows that are looked at, searched for, selected, compared and exported.

use super::viewer::*;
use dataset::arrow::array::{Array, AsArray};
use dataset::arrow::datatypes::{Int32Type, UInt32Type};
use inspect::{NEIGHBOURS, Tie};

/// Selects by a search and waits until that is painted.
pub fn search(viewer: &mut Viewer, text: &str) {
    viewer.ask(Request::Search { text: text.to_owned(), how: Combine::Replace });
    viewer.frames(2);
}

fn selected(viewer: &Viewer) -> Vec<u32> {
    viewer.get::<Selection>().rows().iter().collect()
}

fn of_blob(blob: usize) -> Vec<u32> {
    (0..ROWS as u32).filter(|row| *row as usize % 5 == blob).collect()
}

fn greyed(viewer: &Viewer) -> Vec<bool> {
    let (snapshot, cloud) = (viewer.snapshot(), viewer.get::<PointCloud>());
    let grey = |&point: &u32| cloud.styles()[point as usize] & points::flags::GREYED != 0;
    snapshot.data.point_of_row.iter().map(grey).collect()
}

#[test]
fn a_row_that_is_looked_at_shows_its_values_and_its_true_neighbours() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.get_mut::<Inspected>().look_at(Some(17));
    viewer.until("neighbours", |viewer| viewer.get::<InspectorCard>().neighbours.len() >= NEIGHBOURS);
    let card = viewer.get::<InspectorCard>();
    assert_eq!(card.shown.as_ref().map(|shown| (shown.row, shown.file_row)), Some((17, 17)));
    assert_eq!(card.values, [("label".into(), "blob 2".into()), ("number".into(), "17".into())]);
    let inspected = viewer.get::<Inspected>();
    assert!(inspected.neighbours().iter().zip(&card.neighbours).all(|(near, card)| near.row == card.row));
    // Against distances computed here: the neighbours in the data are the nearest, in their order.
    let vectors = read(&dir.path().join("in.parquet"), &[]).vectors;
    let distance = |a: u32, b: u32| {
        let pairs = vectors.row(a as usize).iter().zip(vectors.row(b as usize));
        pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt()
    };
    let mut others: Vec<u32> = (0..ROWS as u32).filter(|&row| row != 17).collect();
    others.sort_by(|&a, &b| distance(17, a).total_cmp(&distance(17, b)));
    let of_data: Vec<_> = inspected.neighbours().iter().filter(|near| near.tie != Tie::False).collect();
    assert_eq!(of_data.len(), NEIGHBOURS);
    for (near, &row) in of_data.iter().zip(&others) {
        assert!((f64::from(near.hd) - distance(17, row)).abs() < 1e-3, "row {} for row {row}", near.row);
    }
    // A tie is kept if the other is one of as many nearest in the picture.
    viewer.pause();
    viewer.frames(2);
    let snapshot = viewer.snapshot();
    let place = |row: u32| snapshot.position(snapshot.data.point(row).unwrap() as usize);
    let in_picture = |row: u32| place(17).iter().zip(place(row)).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
    others.sort_by(|&a, &b| in_picture(a).total_cmp(&in_picture(b)));
    let near_in_picture = &others[..NEIGHBOURS];
    for near in viewer.get::<Inspected>().neighbours() {
        assert_eq!(near_in_picture.contains(&near.row), near.tie != Tie::Torn, "row {} is {:?}", near.row, near.tie);
    }
}

#[test]
fn searches_select_grey_the_others_and_count_in_the_legend() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.colour_by(ColourBy::Column("label".into()));
    assert!(!greyed(&viewer).contains(&true));
    search(&mut viewer, "label=\"blob 3\"");
    assert_eq!(selected(&viewer), of_blob(3));
    assert!(greyed(&viewer).iter().enumerate().all(|(row, &grey)| grey != (row % 5 == 3)));
    assert_eq!(viewer.get::<ColourPanel>().selected, [0, 0, 0, ROWS / 5, 0]);
    viewer.ask(Request::Search { text: "number<50".into(), how: Combine::Intersect });
    viewer.ask(Request::SelectCategory { name: "blob 1".into(), how: Combine::Add });
    viewer.frames(2);
    let expected = |row: &u32| row % 5 == 1 || (row % 5 == 3 && *row < 50);
    assert!(selected(&viewer).into_iter().eq((0..ROWS as u32).filter(expected)));
    // What cannot be understood changes nothing and says why.
    search(&mut viewer, "lable=3");
    let note = viewer.get::<SelectionCard>().search_note.clone().unwrap();
    assert!(note.contains("lable") && note.contains("label"), "{note}");
    assert!(selected(&viewer).into_iter().eq((0..ROWS as u32).filter(expected)));
}

#[test]
fn what_is_selected_can_be_exported_and_comes_back_as_the_same_rows() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.pause();
    search(&mut viewer, "label=\"blob 4\" number>=100");
    viewer.get_mut::<Selection>().name("late fours");
    let rows = selected(&viewer);
    assert_eq!(rows.len(), 40);
    for ending in ["parquet", "csv"] {
        let out = dir.path().join(format!("chosen.{ending}"));
        viewer.ask(Request::ExportSelection(out.clone()));
        assert_eq!(viewer.notice(Announce::Done), format!("40 rows written to {}", out.display()));
        let table = read(&out, &["x", "y", "z"]);
        let numbers = |name: &str| -> Vec<i64> {
            let column = table.attributes.column_by_name(name).unwrap();
            let column = dataset::arrow::compute::cast(column, &dataset::arrow::datatypes::DataType::Int64).unwrap();
            column.as_primitive::<dataset::arrow::datatypes::Int64Type>().values().to_vec()
        };
        assert!(numbers("row").into_iter().eq(rows.iter().map(|&row| i64::from(row))), "{ending}");
        assert_eq!(numbers("number"), numbers("row"));
        let snapshot = viewer.snapshot();
        for (at, &row) in rows.iter().enumerate() {
            let place = snapshot.position(snapshot.data.point(row).unwrap() as usize);
            assert!(table.vectors.row(at).iter().zip(place).all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs()), "{ending}");
        }
    }
    // As a column of everything.
    let out = dir.path().join("all.parquet");
    viewer.ask(Request::Export(out.clone()));
    viewer.notice(Announce::Done);
    let table = read(&out, &["x", "y", "z"]);
    let column = table.attributes.column_by_name("late fours").unwrap().as_boolean().clone();
    assert!((0..ROWS).filter(|&row| column.value(row)).map(|row| row as u32).eq(rows.iter().copied()));
    // And in the session.
    let session = dir.path().join("s.nevis");
    viewer.ask(Request::Save(Some(session.clone())));
    viewer.notice(Announce::Done);
    let mut again = Viewer::showing(&session);
    again.frames(3);
    assert_eq!(selected(&again), rows);
    let named = again.get::<Selection>().find("late fours").unwrap().clone();
    assert!(named.iter().eq(rows.iter().copied()));
}

#[test]
fn a_selection_is_explained_by_its_label_and_every_table_is_written() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    search(&mut viewer, "label=\"blob 2\"");
    let explained = |viewer: &Viewer| viewer.get::<SelectionCard>().explanation.clone();
    viewer.until("an explanation with cohesion", |viewer| {
        explained(viewer).is_some_and(|explained| explained.explanation.cohesion.is_some())
    });
    let found = explained(&viewer).unwrap();
    let explanation = &found.explanation;
    assert_eq!((explanation.a, explanation.b, found.against.as_str()), (ROWS / 5, ROWS - ROWS / 5, "the rest"));
    let composition = &explanation.compositions[0];
    assert_eq!((composition.column.as_str(), composition.shares[0].value.as_str()), ("label", "blob 2"));
    assert!((composition.shares[0].lift - 5.0).abs() < 1e-9 && composition.shares[0].share_a == 1.0);
    assert!(explanation.histogram.dip.is_some(), "blobs lie apart");
    assert!(explanation.cohesion.unwrap() > 0.5);
    // Against another selection.
    let rows = Arc::new(Rows::from_rows(ROWS, of_blob(4)));
    viewer.get_mut::<Selection>().put("fours", rows);
    viewer.get_mut::<Selection>().against = Some("fours".to_owned());
    viewer.until("another explanation", |viewer| explained(viewer).is_some_and(|found| found.against == "fours"));
    assert_eq!(explained(&viewer).unwrap().explanation.b, ROWS / 5);
    let out = dir.path().join("why.csv");
    viewer.ask(Request::ExportTables(out));
    viewer.notice(Announce::Done);
    for name in ["composition", "components", "histogram", "summary", "columns"] {
        assert!(dir.path().join(format!("why-{name}.csv")).exists(), "{name}");
    }
    // Nothing selected, nothing to explain.
    viewer.get_mut::<Selection>().clear();
    viewer.until("silence", |viewer| explained(viewer).is_none());
}

#[test]
fn clusters_are_a_column_that_is_coloured_by_exported_and_kept() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.until("age", |viewer| viewer.iteration() > 400);
    viewer.pause();
    viewer.ask(Request::FindClusters);
    let text = viewer.notice(Announce::Done);
    assert!(text.contains("clusters found"), "{text}");
    assert_eq!(viewer.get::<ColourPanel>().settings.by, ColourBy::Column("cluster".into()));
    let out = dir.path().join("all.parquet");
    viewer.ask(Request::Export(out.clone()));
    viewer.notice(Announce::Done);
    let table = read(&out, &["x", "y", "z"]);
    let clusters = table.attributes.column_by_name("cluster").unwrap().as_primitive::<Int32Type>().clone();
    // Blobs far apart: a cluster holds rows of one blob only.
    let mut blob_of: BTreeMap<i32, usize> = BTreeMap::new();
    for row in (0..ROWS).filter(|&row| clusters.is_valid(row)) {
        assert_eq!(*blob_of.entry(clusters.value(row)).or_insert(row % 5), row % 5, "row {row}");
    }
    assert!(blob_of.len() >= 5 && clusters.null_count() < ROWS / 10, "{blob_of:?}");
    let session = dir.path().join("s.nevis");
    viewer.ask(Request::Save(Some(session.clone())));
    viewer.notice(Announce::Done);
    let mut again = Viewer::showing(&session);
    again.frames(3);
    assert!(again.colours_by_row() == viewer.colours_by_row());
    assert!(again.get::<ColourPanel>().columns.contains(&"cluster".to_owned()));
}

/// Row numbers of a table, as they were written.
pub fn row_numbers(path: &Path) -> Vec<u32> {
    let table = read(path, &["x", "y", "z"]);
    table.attributes.column_by_name("row").unwrap().as_primitive::<UInt32Type>().values().to_vec()
}

#[test]
fn a_session_opened_over_other_data_keeps_its_selections_and_nothing_of_the_old_is_left() {
    let dir = dir_of_blobs(ROWS);
    let mut first = Viewer::showing(&dir.path().join("in.parquet"));
    first.pause();
    search(&mut first, "label=\"blob 4\"");
    first.get_mut::<Selection>().name("fours");
    let session = dir.path().join("s.nevis");
    first.ask(Request::Save(Some(session.clone())));
    first.notice(Announce::Done);

    let other = dir.path().join("other.parquet");
    write_blobs(&other, ROWS + 50);
    let mut viewer = Viewer::showing(&other);
    viewer.get_mut::<Inspected>().look_at(Some(ROWS as u32 + 40)); // a row that the session's table does not have
    viewer.get_mut::<inspect::Hovered>().0 = Some((ROWS as u32 + 45, bevy::math::Vec3::ZERO));
    viewer.frames(3);
    viewer.open(&session);
    viewer.frames(3);
    assert_eq!(selected(&viewer), of_blob(4));
    assert_eq!(viewer.get::<Selection>().find("fours").map(|rows| rows.count()), Some(ROWS / 5));
    assert_eq!(viewer.get::<Inspected>().row(), None);
    assert!(viewer.get::<InspectorCard>().hovered.is_none());
}

/// A red picture of three by two pixels, as a camera would write it, and one that a program would.
const JPEG: &[u8] = include_bytes!("../data/red-3x2.jpg");

fn png_of(width: u32, height: u32, rgb: [u8; 3]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&rgb.repeat((width * height) as usize)).unwrap();
    file
}

#[test]
fn a_column_of_picture_files_shows_the_picture_of_a_row() {
    let dir = dir();
    let path = dir.path().join("in.parquet");
    let blue = png_of(2, 2, [0, 0, 255]);
    let files = (0..40).map(|row| if row % 2 == 0 { Some(JPEG) } else { Some(blue.as_slice()) });
    let files: ArrayRef = Arc::new(files.collect::<dataset::arrow::array::BinaryArray>());
    let column = |step: usize| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values((0..40).map(|row| (row * step % 17) as f64)))
    };
    let columns = [("file", files), ("a", column(3)), ("b", column(5)), ("c", column(7))];
    let table = dataset::arrow::array::RecordBatch::try_from_iter(columns).unwrap();
    dataset::write_table(&path, &table, &[]).unwrap();
    let mut viewer = Viewer::showing(&path);
    for (row, size, channel) in [(4, (3, 2), 0), (5, (2, 2), 2)] {
        viewer.get_mut::<Inspected>().look_at(Some(row));
        viewer.until("its card", |viewer| {
            viewer.get::<InspectorCard>().shown.as_ref().is_some_and(|card| card.row == row)
        });
        let image = viewer.get::<InspectorCard>().shown.as_ref().unwrap().image.clone().expect("a picture");
        assert_eq!((image.width, image.height), size, "row {row}");
        let strong = |pixel: &[u8]| (0..3).all(|at| if at == channel { pixel[at] > 240 } else { pixel[at] < 15 });
        assert!(image.rgba.chunks_exact(4).all(strong), "row {row}: {:?}", image.rgba);
    }
}

#[test]
fn neighbours_follow_the_metric() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.get_mut::<Inspected>().look_at(Some(17));
    let nearest = |viewer: &Viewer| -> Vec<(u32, f32)> {
        let of_data = viewer.get::<Inspected>().neighbours().iter().filter(|near| near.tie != Tie::False);
        of_data.map(|near| (near.row, near.hd)).collect()
    };
    viewer.until("neighbours", |viewer| nearest(viewer).len() == NEIGHBOURS);
    let before = nearest(&viewer);
    let settings = Settings { metric: Metric::Cosine, ..viewer.snapshot().settings.clone() };
    viewer.get_mut::<LiveEmbedding>().set_settings(settings).unwrap();
    viewer.until("other distances", |viewer| nearest(viewer).len() == NEIGHBOURS && nearest(viewer) != before);
    let vectors = read(&dir.path().join("in.parquet"), &[]).vectors;
    let space = vectors::Space::new(vectors, Metric::Cosine);
    let mut others: Vec<usize> = (0..ROWS).filter(|&row| row != 17).collect();
    others.sort_by(|&a, &b| space.squared_distance(17, a).total_cmp(&space.squared_distance(17, b)));
    let farthest = space.squared_distance(17, others[NEIGHBOURS - 1]).sqrt();
    let now = nearest(&viewer);
    assert!(now.iter().all(|(_, distance)| *distance <= farthest * 1.0001), "{now:?}, at most {farthest}");
}
