//! The viewer without its window: frames are `app.update()`, what a hand would click are requests and resources.

use crate::support::*;
use bevy::MinimalPlugins;
use bevy::app::{App, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::{AssetApp, AssetPlugin};
use bevy::ecs::component::Mutable;
use bevy::ecs::prelude::Resource;
use bevy::ecs::world::Mut;
use bevy::image::ImagePlugin;
use bevy::input::InputPlugin;
use bevy::shader::Shader;
use bevy::transform::TransformPlugin;
use bevy::window::{ExitCondition, WindowPlugin};
use colours::{ColourBy, ColourSettings, Legend, Ramp};
use controls::{Announce, CentroidLabels, ColourPanel, DataCard, Interface, Notices, Request};
use dataset::arrow::array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, StringArray, TimestampMillisecondArray,
};
use embedding::Settings;
use live::{Activity, EnginePlace, LiveEmbedding, Snapshot};
use nevis::viewer::ViewerPlugin;
use orbit_camera::{CameraCommand, CameraState, CloudBounds, Pose};
use points::{PointCloud, PointSettings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vectors::Metric;

/// Time from one frame to the next.
const FRAME: Duration = Duration::from_millis(33);
/// Whatever is waited for must be there by then.
const DEADLINE: Duration = Duration::from_secs(60);
/// Frames within which a setting is in force.
const SOON: usize = 3;
const ROWS: usize = 300;
/// Columns of the vectors that [`write_blobs`] writes.
const DIMS: usize = 12;

struct Viewer(App);

impl Viewer {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins.build().disable::<ScheduleRunnerPlugin>())
            .add_plugins((
                AssetPlugin::default(),
                TransformPlugin,
                InputPlugin,
                WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..Default::default() },
                ImagePlugin::default(),
            ))
            .init_asset::<Shader>() // egui brings one, whether it is drawn or not
            .insert_resource(LiveEmbedding::new(EnginePlace::Cpu, 2))
            .add_plugins(ViewerPlugin);
        app.finish();
        app.cleanup();
        Self(app)
    }

    /// With this file open, and something to see.
    fn showing(path: &Path) -> Self {
        let mut viewer = Self::new();
        viewer.open(path);
        viewer
    }

    /// Opens a file and waits until its data is shown.
    fn open(&mut self, path: &Path) {
        let before = self.get::<LiveEmbedding>().snapshot().map(|snapshot| Arc::as_ptr(&snapshot.data));
        self.ask(Request::Open(vec![path.into()]));
        self.until("the data", |viewer| {
            let snapshot = viewer.get::<LiveEmbedding>().snapshot();
            snapshot.is_some_and(|snapshot| Some(Arc::as_ptr(&snapshot.data)) != before)
                && viewer.get::<LiveEmbedding>().activity() != Activity::Starting
        });
    }

    fn get<R: Resource>(&self) -> &R {
        self.0.world().resource::<R>()
    }

    fn get_mut<R: Resource<Mutability = Mutable>>(&mut self) -> Mut<'_, R> {
        self.0.world_mut().resource_mut::<R>()
    }

    fn ask(&mut self, request: Request) {
        self.0.world_mut().write_message(request);
    }

    fn frame(&mut self) {
        self.0.update();
        std::thread::sleep(FRAME);
    }

    fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame());
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            let notices = &self.get::<Notices>().0;
            assert!(begun.elapsed() < DEADLINE, "{what} is not there after {DEADLINE:?}; {notices:?}");
            self.frame();
        }
    }

    /// The notice that something went as it should, or not.
    fn notice(&mut self, kind: Announce) -> String {
        self.until("a notice", |viewer| viewer.get::<Notices>().0.iter().any(|notice| notice.kind == kind));
        let mut notices = self.get_mut::<Notices>();
        let text = notices.0.iter().find(|notice| notice.kind == kind).unwrap().text.clone();
        notices.0.clear();
        text
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(self.get::<LiveEmbedding>().snapshot().unwrap())
    }

    fn iteration(&self) -> u32 {
        self.snapshot().statistics.iteration
    }

    fn pause(&mut self) {
        self.get_mut::<LiveEmbedding>().set_paused(true);
        self.frames(5); // what was under way
    }

    /// Colours of the points in the order of the rows.
    fn colours_by_row(&self) -> Vec<[u8; 3]> {
        let (snapshot, styles) = (self.snapshot(), self.get::<PointCloud>().styles());
        let colour = |&point: &u32| {
            let [red, green, blue, _] = styles[point as usize].to_le_bytes();
            [red, green, blue]
        };
        snapshot.data.point_of_row.iter().map(colour).collect()
    }

    fn legend(&self) -> Legend {
        self.get::<ColourPanel>().legend.clone().unwrap()
    }

    /// Colours by something and waits until that is painted.
    fn colour_by(&mut self, by: ColourBy) {
        let mut panel = self.get_mut::<ColourPanel>();
        if panel.settings.by == by {
            return; // painted already
        }
        panel.settings.colour_by(by);
        panel.legend = None;
        self.until("a legend", |viewer| viewer.get::<ColourPanel>().legend.is_some());
    }

    /// Checks that every row has the colour of its category, and that categories are those of the labels.
    fn assert_coloured_by(&self, labels: &[String]) {
        let Legend::Categories(rows) = self.legend() else { panic!("{:?} is no legend of names", self.legend()) };
        let colours: BTreeMap<&str, [u8; 3]> = rows.iter().map(|row| (row.name.as_str(), row.colour)).collect();
        let counted: usize = rows.iter().map(|row| row.count).sum();
        assert_eq!(counted, labels.len());
        for (row, (label, colour)) in labels.iter().zip(self.colours_by_row()).enumerate() {
            assert_eq!(colours.get(label.as_str()), Some(&colour), "row {row}, {label}");
        }
    }
}

fn blob_names(rows: usize) -> Vec<String> {
    (0..rows).map(|row| format!("blob {}", row % 5)).collect()
}

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

#[test]
fn every_setting_is_in_force_within_three_frames_and_nothing_restarts() {
    type Change = (&'static str, fn(&mut Settings));
    const CHANGES: [Change; 13] = [
        ("perplexity up", |settings| settings.perplexity = 40.0),
        ("perplexity down", |settings| settings.perplexity = 6.0),
        ("cosine", |settings| settings.metric = Metric::Cosine),
        ("manhattan", |settings| settings.metric = Metric::Manhattan),
        ("alpha", |settings| settings.alpha = 0.5),
        ("attraction", |settings| settings.attraction = 1.3),
        ("repulsion", |settings| settings.repulsion = 1.6),
        ("step", |settings| settings.step = 0.7),
        ("momentum", |settings| settings.momentum = 0.6),
        ("exaggeration", |settings| settings.early_exaggeration = 3.0),
        ("2-D", |settings| settings.dims = 2),
        ("5-D", |settings| settings.dims = 5),
        ("3-D", |settings| settings.dims = 3),
    ];
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    let mut latest = viewer.iteration();
    for (name, change) in CHANGES {
        let mut wanted = viewer.get::<LiveEmbedding>().settings().clone();
        change(&mut wanted);
        viewer.get_mut::<LiveEmbedding>().set_settings(wanted.clone()).unwrap();
        let mut frames = 0;
        while viewer.snapshot().settings != wanted {
            assert!(frames < SOON, "{name} is not in force after {SOON} frames");
            viewer.frame();
            frames += 1;
            assert!(viewer.iteration() >= latest, "{name}: back from {latest} to {}", viewer.iteration());
            latest = viewer.iteration();
        }
        let (cloud, bounds) = (viewer.get::<PointCloud>(), viewer.get::<CloudBounds>());
        assert_eq!((cloud.dims(), cloud.count(), bounds.flat), (wanted.dims, ROWS, wanted.dims <= 2), "{name}");
        assert!(cloud.axes().axes.len() == wanted.dims && cloud.styles().len() == ROWS, "{name}");
    }
    assert!(latest > 0 && viewer.get::<Notices>().0.is_empty());
}

/// As [`write_blobs`], but with other names, in another order, and one column more.
fn write_others(path: &Path, rows: usize) -> Vec<String> {
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

/// `name` (text that many rows share), `count`, `value`, `flag`, `when`, `shade` (a colour), with a hole in each.
fn write_all_kinds(path: &Path, rows: usize) {
    let some = |row: usize| row % 11 != 3;
    let names = StringArray::from_iter((0..rows).map(|row| some(row).then(|| format!("name {}", row % 4))));
    let counts = Int64Array::from_iter((0..rows).map(|row| some(row).then_some((row * row % 9973) as i64)));
    let values = Float64Array::from_iter((0..rows).map(|row| some(row).then_some(row as f64 * 0.31 - 7.0)));
    let flags = BooleanArray::from_iter((0..rows).map(|row| some(row).then_some(row % 3 == 0)));
    let times = TimestampMillisecondArray::from_iter(
        (0..rows).map(|row| some(row).then_some(1_600_000_000_000 + row as i64 * 3_600_000)),
    );
    let shades = StringArray::from_iter((0..rows).map(|row| some(row).then(|| format!("#{:02x}40c0", row % 7 * 30))));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("name", Arc::new(names)),
        ("count", Arc::new(counts)),
        ("value", Arc::new(values)),
        ("flag", Arc::new(flags)),
        ("when", Arc::new(times)),
        ("shade", Arc::new(shades)),
        ("vector", lists(blobs(rows, DIMS), DIMS)),
    ];
    write(path, columns);
}

#[test]
fn every_kind_of_column_gives_colours_and_its_kind_of_legend() {
    type Expected = (&'static str, fn(&Legend) -> bool);
    const EXPECTED: [Expected; 6] = [
        ("name", |legend| matches!(legend, Legend::Categories(rows) if rows.len() >= 4)),
        ("count", |legend| matches!(legend, Legend::Scale(_))),
        ("value", |legend| matches!(legend, Legend::Scale(_))),
        ("flag", |legend| matches!(legend, Legend::Categories(rows) if rows.len() >= 2)),
        ("when", |legend| matches!(legend, Legend::Scale(_))),
        ("shade", |legend| matches!(legend, Legend::Direct { distinct: 7, missing } if *missing > 0)),
    ];
    let dir = dir();
    let path = dir.path().join("kinds.parquet");
    write_all_kinds(&path, ROWS);
    let mut viewer = Viewer::showing(&path);
    viewer.frames(3);
    assert_eq!(viewer.get::<ColourPanel>().columns, EXPECTED.map(|(name, _)| name));
    for (name, is_right) in EXPECTED {
        viewer.colour_by(ColourBy::Column(name.into()));
        let (legend, colours) = (viewer.legend(), viewer.colours_by_row());
        assert!(is_right(&legend), "{name}: {legend:?}");
        assert_eq!((colours.len(), viewer.get::<ColourPanel>().note.as_deref()), (ROWS, None), "{name}");
        assert_eq!((colours[3], colours[14]), (colours::MISSING, colours::MISSING), "{name}: holes are grey");
        assert!(colours.iter().any(|&colour| colour != colours[0]), "{name}: one colour for all");
        assert_ne!(colours[0], colours::MISSING, "{name}");
    }
    assert_eq!(viewer.colours_by_row()[8], [30, 0x40, 0xc0], "row 8 has the colour that its file gives it");
    viewer.colour_by(ColourBy::Uniform);
    assert_eq!(viewer.legend(), Legend::Uniform);
    viewer.colour_by(ColourBy::Column("nobody".into()));
    let note = viewer.get::<ColourPanel>().note.clone().unwrap();
    assert!(note.contains("nobody") && viewer.legend() == Legend::Uniform, "{note}");
}

#[test]
fn colours_by_trust_arrive_and_follow() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.until("some motion", |viewer| viewer.iteration() > 50);
    for by in [ColourBy::NeighbourhoodKept, ColourBy::DistanceCorrelation] {
        viewer.colour_by(by.clone());
        viewer.until("trust", |viewer| {
            let panel = viewer.get::<ColourPanel>();
            panel.note.as_ref().is_some_and(|note| note != "measuring …")
        });
        let colours = viewer.colours_by_row();
        let known = colours.iter().filter(|&&colour| colour != colours::MISSING).count();
        assert!(known > ROWS * 9 / 10, "{by}: {known} of {ROWS} are known");
        assert!(matches!(viewer.legend(), Legend::Scale(_)), "{by}");
        viewer.until("trust of a later moment", |viewer| viewer.colours_by_row() != colours);
    }
    // While paused, too.
    viewer.pause();
    viewer.colour_by(ColourBy::NeighbourhoodKept);
    viewer.until("trust while paused", |viewer| {
        viewer.get::<ColourPanel>().note.as_ref().is_some_and(|note| note != "measuring …")
    });
}
