//! Sessions and exports.

use super::opening::write_others;
use super::viewer::*;

#[test]
fn a_session_comes_back_as_it_was_saved() {
    let dir = dir_of_blobs(ROWS);
    let session = dir.path().join("kept.nevis");
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    let settings =
        Settings { alpha: 0.8, perplexity: 12.0, metric: Metric::Cosine, ..viewer.snapshot().settings.clone() };
    viewer.get_mut::<LiveEmbedding>().set_settings(settings.clone()).unwrap();
    let pose = Pose { yaw: 0.3, pitch: -0.4, distance: 2.5, focus: [0.1, -0.2, 0.05] };
    viewer.0.world_mut().write_message(CameraCommand::SetPose { pose, seconds: 0.0 });
    viewer.get_mut::<ColourPanel>().settings = ColourSettings {
        by: ColourBy::Column("number".into()),
        ramp: Ramp::Plasma,
        range: Some([10.0, 200.0]),
        labels: Some("label".into()),
        ..ColourSettings::default()
    };
    viewer.get_mut::<PointSettings>().size *= 1.5;
    viewer.get_mut::<Interface>().zoom = 1.25;
    let young = settings.early_iterations;
    viewer.until("age", |viewer| viewer.iteration() > young + 50);
    viewer.pause();
    viewer.ask(Request::Save(Some(session.clone())));
    assert_eq!(viewer.notice(Announce::Done), format!("session saved to {}", session.display()));
    assert_eq!(viewer.get::<DataCard>().saved_to.as_deref(), Some(session.as_path()));

    let mut again = Viewer::showing(&session);
    again.frames(4);
    let (saved, opened) = (viewer.snapshot(), again.snapshot());
    assert!(again.get::<LiveEmbedding>().is_paused());
    assert_eq!((&opened.settings, opened.statistics.iteration), (&settings, saved.statistics.iteration));
    assert!(opened.positions_by_row() == saved.positions_by_row(), "positions are others");
    assert_eq!(again.get::<CameraState>().pose, pose);
    assert_eq!(again.get::<ColourPanel>().settings, viewer.get::<ColourPanel>().settings);
    assert!(again.colours_by_row() == viewer.colours_by_row(), "colours are others");
    assert_eq!(again.legend(), viewer.legend());
    assert_eq!(again.get::<PointSettings>(), viewer.get::<PointSettings>());
    assert_eq!(again.get::<Interface>(), viewer.get::<Interface>());
    assert_eq!(again.get::<DataCard>().name, "in");

    // It goes on from there, and does not collapse.
    again.get_mut::<LiveEmbedding>().set_paused(false);
    let (from, size) = (again.iteration(), opened.statistics.size);
    again.until("motion", |viewer| viewer.iteration() > from + 150);
    let now = again.snapshot().statistics.size;
    assert!((0.5..2.0).contains(&(now / size)), "the size went from {size} to {now}");
    assert!(again.snapshot().positions_by_row() != saved.positions_by_row());

    // Its data has changed meanwhile: refused, by name.
    write_blobs(&dir.path().join("in.parquet"), ROWS + 1);
    again.ask(Request::Open(vec![session]));
    let text = again.notice(Announce::Failed);
    assert!(text.contains("in.parquet") && text.contains("kept.nevis"), "{text}");
}

#[test]
fn an_export_has_the_coordinates_beside_the_attributes_in_the_file_s_order() {
    let dir = dir_of_blobs(ROWS);
    let out = dir.path().join("out.parquet");
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.until("some motion", |viewer| viewer.iteration() > 50);
    viewer.pause();
    viewer.ask(Request::Export(out.clone()));
    assert_eq!(viewer.notice(Announce::Done), format!("x, y, z written to {}", out.display()));
    assert_eq!(column_names(&out), ["label", "number", "x", "y", "z"]);
    let table = read(&out, &["x", "y", "z"]);
    let numbers = table.attributes.column_by_name("number").unwrap();
    let expected: ArrayRef = Arc::new(Int32Array::from_iter_values(0..ROWS as i32));
    assert_eq!(numbers, &expected);
    let written: Vec<f32> = (0..ROWS).flat_map(|row| table.vectors.row(row).to_vec()).collect();
    assert!(written == viewer.snapshot().positions_by_row(), "coordinates are others, or of other rows");
    // In two dimensions there is no z, and a bad place is named.
    let settings = Settings { dims: 2, ..viewer.snapshot().settings.clone() };
    viewer.get_mut::<LiveEmbedding>().set_settings(settings).unwrap();
    viewer.until("two dimensions", |viewer| viewer.snapshot().dims == 2);
    viewer.ask(Request::Export(out.clone()));
    viewer.notice(Announce::Done);
    assert_eq!(column_names(&out), ["label", "number", "x", "y"]);
    let nowhere: PathBuf = dir.path().join("no/such/folder/out.parquet");
    viewer.ask(Request::Export(nowhere));
    assert!(viewer.notice(Announce::Failed).contains("no/such/folder"));
}

#[test]
fn saving_while_other_data_is_laid_out_never_mixes_the_two() {
    let dir = dir_of_blobs(ROWS);
    let (other, session) = (dir.path().join("other.parquet"), dir.path().join("mixed.nevis"));
    write_others(&other, ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.pause();
    viewer.ask(Request::Open(vec![other]));
    let begun = Instant::now();
    while viewer.get::<LiveEmbedding>().activity() != Activity::Starting {
        assert!(begun.elapsed() < DEADLINE, "the other data never begins");
        viewer.0.update();
    }
    // This frame still sees the old positions beside the new data.
    viewer.ask(Request::Save(Some(session.clone())));
    viewer.0.update();
    viewer.until("a word about it", |viewer| !viewer.get::<Notices>().0.is_empty());
    let notices = viewer.get::<Notices>().0.clone();
    if notices[0].kind == Announce::Done {
        let again = Viewer::showing(&session);
        viewer.until("other data", |viewer| viewer.get::<LiveEmbedding>().activity() != Activity::Starting);
        assert!(again.snapshot().positions_by_row() == viewer.snapshot().positions_by_row());
    } else {
        assert_eq!(notices[0].text, "there is nothing to save yet");
    }
}

#[test]
fn coordinates_and_pictures_bring_their_state_back() {
    let dir = dir_of_blobs(ROWS);
    succeed(dir.path(), &["embed", "in.parquet", "--out", "map.parquet", "--alpha", "0.7", "--iterations", "60"]);
    let mut viewer = Viewer::new();
    viewer.get_mut::<nevis::viewer::Opening>().restore(dir.path().join("map.parquet"), dataset::LoadOptions::default());
    viewer.until("the map", |viewer| viewer.get::<LiveEmbedding>().snapshot().is_some());
    viewer.frames(3);
    let (snapshot, table) = (viewer.snapshot(), read(&dir.path().join("map.parquet"), &["x", "y"]));
    assert_eq!((snapshot.settings.alpha, snapshot.dims, snapshot.statistics.iteration), (0.7, 2, 60));
    let written: Vec<f32> = (0..ROWS).flat_map(|row| table.vectors.row(row).to_vec()).collect();
    assert!(snapshot.positions_by_row() == written, "positions are others");
    assert!(viewer.get::<LiveEmbedding>().is_paused(), "it would move away from what was asked for");
    assert_eq!(viewer.get::<DataCard>().name, "in");

    if adapter().is_some() {
        let args = ["render", "in.parquet", "--out", "p.png", "--size", "64x64", "--iterations", "20"];
        succeed(dir.path(), &[&args[..], &["--alpha", "0.6", "--color-by", "number", "--camera", "top"]].concat());
        viewer.open(&dir.path().join("p.png"));
        viewer.frames(3);
        assert_eq!((viewer.snapshot().settings.alpha, viewer.snapshot().dims), (0.6, 3));
        assert_eq!(viewer.get::<ColourPanel>().settings.by, ColourBy::Column("number".into()));
        assert_eq!(viewer.get::<CameraState>().pose, Pose::view(orbit_camera::StandardView::Top));
    }
    // A picture of somebody else carries nothing.
    let mut file = std::fs::File::create(dir.path().join("other.png")).unwrap();
    let mut encoder = png::Encoder::new(&mut file, 1, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0]).unwrap();
    viewer.ask(Request::Open(vec![dir.path().join("other.png")]));
    assert!(viewer.notice(Announce::Failed).contains("holds no session"));
}
