//! A viewer whose frames the test makes.

pub use crate::support::*;
pub use bevy::MinimalPlugins;
pub use bevy::app::{App, PluginGroup, ScheduleRunnerPlugin};
pub use bevy::asset::{AssetApp, AssetPlugin};
pub use bevy::ecs::component::Mutable;
pub use bevy::ecs::prelude::Resource;
pub use bevy::ecs::world::Mut;
pub use bevy::image::ImagePlugin;
pub use bevy::input::InputPlugin;
pub use bevy::shader::Shader;
pub use bevy::transform::TransformPlugin;
pub use bevy::window::{ExitCondition, WindowPlugin};
pub use colours::{ColourBy, ColourSettings, Legend, Ramp};
pub use controls::{
    Announce, CentroidLabels, ColourPanel, DataCard, InspectorCard, Interface, Notices, Request, SelectionCard,
};
pub use dataset::arrow::array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, StringArray, TimestampMillisecondArray,
};
pub use embedding::Settings;
pub use inspect::{Inspected, Selection};
pub use live::{Activity, EnginePlace, LiveEmbedding, Snapshot};
pub use nevis::viewer::{ViewerPlugin, Writing};
pub use orbit_camera::{CameraCommand, CameraState, CloudBounds, Pose};
pub use points::{PointCloud, PointSettings};
pub use selection::{Combine, Rows};
pub use std::collections::BTreeMap;
pub use std::path::{Path, PathBuf};
pub use std::sync::Arc;
pub use std::time::{Duration, Instant};
pub use vectors::Metric;

/// Time from one frame to the next.
pub const FRAME: Duration = Duration::from_millis(33);
/// Whatever is waited for must be there by then.
pub const DEADLINE: Duration = Duration::from_secs(60);
/// Frames within which a setting is in force.
pub const SOON: usize = 3;
pub const ROWS: usize = 300;
/// Columns of the vectors that [`write_blobs`] writes.
pub const DIMS: usize = 12;

pub struct Viewer(pub App);

impl Viewer {
    pub fn new() -> Self {
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
    pub fn showing(path: &Path) -> Self {
        let mut viewer = Self::new();
        viewer.open(path);
        viewer
    }

    /// Opens a file and waits until its data is shown.
    pub fn open(&mut self, path: &Path) {
        let before = self.get::<LiveEmbedding>().snapshot().map(|snapshot| Arc::as_ptr(&snapshot.data));
        self.ask(Request::Open(vec![path.into()]));
        self.until("the data", |viewer| {
            let snapshot = viewer.get::<LiveEmbedding>().snapshot();
            snapshot.is_some_and(|snapshot| Some(Arc::as_ptr(&snapshot.data)) != before)
                && viewer.get::<LiveEmbedding>().activity() != Activity::Starting
        });
    }

    pub fn get<R: Resource>(&self) -> &R {
        self.0.world().resource::<R>()
    }

    pub fn get_mut<R: Resource<Mutability = Mutable>>(&mut self) -> Mut<'_, R> {
        self.0.world_mut().resource_mut::<R>()
    }

    pub fn ask(&mut self, request: Request) {
        self.0.world_mut().write_message(request);
    }

    /// Files that are given no place go there.
    pub fn write_into(&mut self, folder: &Path) {
        self.get_mut::<Writing>().folder = folder.to_owned();
    }

    pub fn frame(&mut self) {
        self.0.update();
        std::thread::sleep(FRAME);
    }

    pub fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.frame());
    }

    pub fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            let notices = &self.get::<Notices>().0;
            assert!(begun.elapsed() < DEADLINE, "{what} is not there after {DEADLINE:?}; {notices:?}");
            if self.get::<LiveEmbedding>().activity() == Activity::Settled {
                // So small a map comes to rest within seconds, and what is waited for may take motion: going on wakes it.
                let mut live = self.get_mut::<LiveEmbedding>();
                live.set_paused(true);
                live.set_paused(false);
            }
            self.frame();
        }
    }

    /// The notice that something went as it should, or not.
    pub fn notice(&mut self, kind: Announce) -> String {
        self.until("a notice", |viewer| viewer.get::<Notices>().0.iter().any(|notice| notice.kind == kind));
        let mut notices = self.get_mut::<Notices>();
        let text = notices.0.iter().find(|notice| notice.kind == kind).unwrap().text.clone();
        notices.0.clear();
        text
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(self.get::<LiveEmbedding>().snapshot().unwrap())
    }

    pub fn iteration(&self) -> u32 {
        self.snapshot().statistics.iteration
    }

    pub fn pause(&mut self) {
        self.get_mut::<LiveEmbedding>().set_paused(true);
        self.frames(5); // what was under way
    }

    /// Colours of the points in the order of the rows.
    pub fn colours_by_row(&self) -> Vec<[u8; 3]> {
        let (snapshot, styles) = (self.snapshot(), self.get::<PointCloud>().styles());
        let colour = |&point: &u32| {
            let [red, green, blue, _] = styles[point as usize].to_le_bytes();
            [red, green, blue]
        };
        snapshot.data.point_of_row.iter().map(colour).collect()
    }

    pub fn legend(&self) -> Legend {
        self.get::<ColourPanel>().legend.clone().unwrap()
    }

    /// Colours by something and waits until that is painted.
    pub fn colour_by(&mut self, by: ColourBy) {
        let mut panel = self.get_mut::<ColourPanel>();
        if panel.settings.by == by {
            return; // painted already
        }
        panel.settings.colour_by(by);
        panel.legend = None;
        self.until("a legend", |viewer| viewer.get::<ColourPanel>().legend.is_some());
    }

    /// Checks that every row has the colour of its category, and that categories are those of the labels.
    pub fn assert_coloured_by(&self, labels: &[String]) {
        let Legend::Categories(rows) = self.legend() else { panic!("{:?} is no legend of names", self.legend()) };
        let colours: BTreeMap<&str, [u8; 3]> = rows.iter().map(|row| (row.name.as_str(), row.colour)).collect();
        let counted: usize = rows.iter().map(|row| row.count).sum();
        assert_eq!(counted, labels.len());
        for (row, (label, colour)) in labels.iter().zip(self.colours_by_row()).enumerate() {
            assert_eq!(colours.get(label.as_str()), Some(&colour), "row {row}, {label}");
        }
    }
}

pub fn blob_names(rows: usize) -> Vec<String> {
    (0..rows).map(|row| format!("blob {}", row % 5)).collect()
}
