//! Data that is opened, replaced, or cannot be opened.

use super::viewer::*;

#[test]
fn without_data_frames_pass_and_nothing_can_be_saved() {
    let mut viewer = Viewer::new();
    viewer.frames(5);
    (0..45).for_each(|_| viewer.0.update());
    assert_eq!((viewer.get::<DataCard>().name.as_str(), viewer.get::<PointCloud>().count()), ("", 0));
    assert!(viewer.get::<Notices>().0.is_empty());
    viewer.ask(Request::Save(None));
    assert_eq!(viewer.notice(Announce::Failed), "there is nothing to save yet");
}

#[test]
fn data_that_is_opened_is_described_coloured_and_moves() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.frames(3);
    let card = viewer.get::<DataCard>();
    assert_eq!((card.name.as_str(), card.rows, card.dims, card.input_dims), ("in", ROWS, DIMS, DIMS));
    assert_eq!((card.engine.as_str(), &card.loading, &card.saved_to), ("cpu", &None, &None));
    let panel = viewer.get::<ColourPanel>();
    assert_eq!(
        (&panel.settings.by, &panel.columns),
        (&ColourBy::Column("label".into()), &vec!["label".to_owned(), "number".to_owned()])
    );
    let cloud = viewer.get::<PointCloud>();
    assert_eq!((cloud.count(), cloud.styles().len(), cloud.dims()), (ROWS, ROWS, 3));
    viewer.assert_coloured_by(&blob_names(ROWS));
    let (iteration, positions) = (viewer.iteration(), viewer.get::<PointCloud>().positions().cloned().unwrap());
    viewer.until("motion", |viewer| viewer.iteration() > iteration + 30);
    assert!(viewer.get::<PointCloud>().positions() != Some(&positions), "what is drawn does not move");
    let bounds = viewer.get::<CloudBounds>();
    assert!(bounds.is_valid() && !bounds.flat && bounds.radius != 1.0, "{bounds:?}");
    // Names stand in the middle of their points.
    viewer.get_mut::<ColourPanel>().settings.labels = Some("label".into());
    viewer.until("labels", |viewer| !viewer.get::<CentroidLabels>().0.is_empty());
    let labels = &viewer.get::<CentroidLabels>().0;
    assert!(labels.len() == 5 && labels.iter().all(|label| label.count == ROWS / 5), "{labels:?}");
}

#[test]
fn the_demo_opens() {
    let mut viewer = Viewer::new();
    viewer.ask(Request::OpenDemo);
    viewer.until("the demo", |viewer| viewer.get::<PointCloud>().styles().len() == 5620);
    assert_eq!((viewer.get::<DataCard>().name.as_str(), viewer.get::<DataCard>().rows), ("demo", 5620));
    let Legend::Categories(rows) = viewer.legend() else { panic!("{:?}", viewer.legend()) };
    assert_eq!(rows.len(), 10);
}

/// As [`write_blobs`], but with other names, in another order, and one column more.
pub fn write_others(path: &Path, rows: usize) -> Vec<String> {
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|&row| (row * 7919) % rows.max(1));
    let names: Vec<String> = order.iter().map(|row| format!("group {}", row % 5)).collect();
    let all = blobs(rows, 9);
    let values = order.iter().flat_map(|&row| all[row * 9..][..9].iter().map(|value| value * 2.0)).collect();
    let labels: ArrayRef = Arc::new(StringArray::from(names.clone()));
    let spare: ArrayRef = Arc::new(Float64Array::from_iter_values((0..rows).map(|row| row as f64 * 0.37)));
    write(path, vec![("class", labels), ("vector", lists(values, 9)), ("spare", spare)]);
    names
}

#[test]
fn other_data_brings_its_own_card_colours_and_points() {
    // As many rows as before, too: then nothing but the data itself tells them apart.
    for other_rows in [ROWS + 100, ROWS] {
        let dir = dir_of_blobs(ROWS);
        let other = dir.path().join("other.parquet");
        let names = write_others(&other, other_rows);
        let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
        viewer.frames(3);
        viewer.assert_coloured_by(&blob_names(ROWS));
        viewer.ask(Request::Open(vec![other]));
        let seen = viewer.iteration();
        viewer.until("other data", |viewer| {
            let old = viewer.snapshot().data.space.vectors().dims() == DIMS;
            assert!(!old || viewer.iteration() >= seen, "the old embedding restarts");
            !old
        });
        viewer.frames(3);
        let card = viewer.get::<DataCard>();
        assert_eq!((card.name.as_str(), card.rows, card.dims, &card.loading), ("other", other_rows, 9, &None));
        assert_eq!(viewer.get::<ColourPanel>().columns, ["class", "spare"]);
        let cloud = viewer.get::<PointCloud>();
        assert_eq!((cloud.count(), cloud.styles().len()), (other_rows, other_rows));
        viewer.assert_coloured_by(&names);
        let from = viewer.iteration();
        viewer.until("motion", |viewer| viewer.iteration() > from + 10);
        assert!(viewer.get::<Notices>().0.is_empty(), "{:?}", viewer.get::<Notices>());
    }
}

#[test]
fn what_cannot_be_opened_is_named_with_its_reason_and_the_old_data_goes_on() {
    let dir = dir_of_blobs(ROWS);
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("broken.parquet"), "this is no table at all, only some text\n").unwrap();
    write_blobs(&path("single.parquet"), 1);
    let mut viewer = Viewer::showing(&path("in.parquet"));
    viewer.frames(3);
    let card = viewer.get::<DataCard>().clone();
    for (name, reason) in
        [("broken.parquet", "arquet"), ("missing.parquet", "does not exist"), ("single.parquet", "1 row")]
    {
        viewer.ask(Request::Open(vec![path(name)]));
        let text = viewer.notice(Announce::Failed);
        assert!(text.contains(name) && text.contains(reason), "{name}: {text}");
        assert_eq!(*viewer.get::<DataCard>(), card, "{name}");
        viewer.assert_coloured_by(&blob_names(ROWS));
        let from = viewer.iteration();
        viewer.until("motion", |viewer| viewer.iteration() > from + 10);
        assert_eq!(viewer.snapshot().data.points(), ROWS, "{name}");
    }
}
