//! The same face where the engine runs in the render graph. A software renderer will do, so the data is small.

use crate::support::*;
use bevy::MinimalPlugins;
use bevy::app::{App, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::AssetPlugin;
use bevy::camera::CameraPlugin;
use bevy::ecs::world::Mut;
use bevy::image::ImagePlugin;
use bevy::mesh::MeshPlugin;
use bevy::render::RenderPlugin;
use bevy::window::{ExitCondition, WindowPlugin};
use embedding::Settings;
use gpu::GpuEnginePlugin;
use gpu::command::GpuEmbedding;
use live::{Action, Activity, Begin, EnginePlace, Job, LiveEmbedding, LivePlugin, Snapshot};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vectors::{Metric, Vectors};

const ROWS: usize = 300;
/// Frames over which something must not happen take this long: some read-backs.
const A_WHILE: Duration = Duration::from_millis(900);

/// An app without a window, or nothing where there is no adapter; NEVIS_REQUIRE_GPU=1 forbids that.
struct Device(App);

impl Device {
    fn open() -> Option<Self> {
        let adapter = match gpu::adapter::open(None) {
            Ok(adapter) => adapter,
            Err(error) => {
                let required = std::env::var("NEVIS_REQUIRE_GPU").is_ok_and(|value| value == "1");
                assert!(!required, "{error}, but NEVIS_REQUIRE_GPU=1");
                eprintln!("skipped: {error}");
                return None;
            }
        };
        let mut app = App::new();
        app.add_plugins(MinimalPlugins.build().disable::<ScheduleRunnerPlugin>())
            .add_plugins((
                AssetPlugin::default(),
                WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..Default::default() },
                RenderPlugin {
                    render_creation: adapter.creation(),
                    synchronous_pipeline_compilation: true,
                    ..Default::default()
                },
                ImagePlugin::default(),
                MeshPlugin,
                CameraPlugin,
                GpuEnginePlugin,
            ))
            .insert_resource(LiveEmbedding::new(EnginePlace::Gpu, 1))
            .add_plugins(LivePlugin);
        app.finish();
        app.cleanup();
        Some(Self(app))
    }

    fn live(&mut self) -> Mut<'_, LiveEmbedding> {
        self.0.world_mut().resource_mut::<LiveEmbedding>()
    }

    fn snapshot(&mut self) -> Arc<Snapshot> {
        Arc::clone(of(&self.live()))
    }

    fn iteration(&mut self) -> u32 {
        self.snapshot().statistics.iteration
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&LiveEmbedding) -> bool) {
        let begun = Instant::now();
        while !is_so(&self.live()) {
            let error = self.live().take_error();
            assert_eq!(error, None, "while waiting for {what}");
            assert!(begun.elapsed() < DEADLINE, "{what} is not there after {DEADLINE:?}");
            self.0.update();
        }
    }

    fn until_iteration(&mut self, iteration: u32) {
        self.until("the iteration", |live| of(live).statistics.iteration >= iteration);
    }

    fn look_on(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < A_WHILE {
            std::thread::sleep(FRAME);
            self.0.update();
        }
    }

    fn step_once(&mut self) {
        self.0.world_mut().resource_scope(|world, mut live: Mut<'_, LiveEmbedding>| {
            live.step_once(world.get_resource::<GpuEmbedding>());
        });
    }

    fn begin_paused(&mut self, job: Job) {
        let rows = job.vectors.rows();
        self.live().set_paused(true);
        self.live().begin(job);
        self.until("the data", |live| {
            live.activity() == Activity::Paused && live.snapshot().is_some_and(|seen| seen.data.points() == rows)
        });
    }
}

#[test]
fn the_engine_in_the_render_graph_obeys_as_the_native_one_does() {
    let Some(mut device) = Device::open() else { return };
    // It begins paused, at the native engine's own start.
    device.begin_paused(job(blobs(ROWS, 8), quick()));
    assert!(device.live().is_on_device());
    let first = device.snapshot();
    assert_eq!(first.statistics.iteration, 0, "it ran although it was paused");
    assert!(first.positions_by_row() == engine_after(0, blobs(ROWS, 8), &quick()));

    // It runs, and stops; a step is one iteration.
    device.live().set_paused(false);
    device.until_iteration(100);
    device.live().set_paused(true);
    device.look_on();
    let iteration = device.iteration();
    device.look_on();
    assert_eq!((device.iteration(), device.live().activity()), (iteration, Activity::Paused));
    device.step_once();
    device.until_iteration(iteration + 1);
    device.look_on();
    assert_eq!(device.iteration(), iteration + 1);
    assert_eq!(device.snapshot().rate, 0.0);

    // Bursts and resets, paused as well.
    let size = device.snapshot().statistics.size;
    device.live().act(Action::Implode);
    device.until("an implosion", |live| of(live).statistics.size < 0.01 * size);
    device.live().act(Action::Reset);
    device.until("the start", |live| of(live).positions_by_row() == first.positions_by_row());
    assert_eq!(device.iteration(), iteration + 1);

    // Settings reach it while it runs, and nothing restarts.
    device.live().set_paused(false);
    let mut latest = iteration + 1;
    let changes: [fn(&mut Settings); 6] = [
        |settings| settings.perplexity = 25.0,
        |settings| settings.metric = Metric::Cosine,
        |settings| settings.alpha = 0.6,
        |settings| settings.dims = 3,
        |settings| settings.dims = 2,
        |settings| settings.dims = 5,
    ];
    for change in changes {
        let mut wanted = device.live().settings().clone();
        change(&mut wanted);
        device.live().set_settings(wanted.clone()).unwrap();
        device.until("the settings", |live| of(live).settings == wanted);
        device.until("the dimensions", |live| of(live).dims == wanted.dims); // axes that leave are squeezed out first
        let seen = device.snapshot();
        assert_eq!((seen.dims, seen.positions.len()), (wanted.dims, ROWS * seen.stride));
        device.until_iteration(latest + 3);
        assert!(device.iteration() > latest);
        latest = device.iteration();
        assert!(device.snapshot().positions.iter().all(|value| value.is_finite()));
    }

    // Axes leave it while it stands still, too.
    device.live().set_paused(true);
    device.look_on();
    let (iteration, flat) = (device.iteration(), Settings { dims: 2, ..device.live().settings().clone() });
    device.live().set_settings(flat).unwrap();
    device.until("a flat map", |live| of(live).dims == 2);
    assert_eq!(device.iteration(), iteration);
    device.live().set_paused(false);
    let refused = device.live().set_settings(Settings { alpha: -1.0, ..quick() });
    assert!(refused.is_err());

    // Lists, for those who ask.
    device.live().want_lists(true);
    device.until("lists", |live| of(live).lists.is_some());
    let lists = device.snapshot().lists.clone().unwrap();
    assert_eq!(lists.neighbours.len(), ROWS * lists.k);
    assert!(lists.neighbours.iter().all(|&name| (name as usize) < ROWS));
}

#[test]
fn on_the_device_an_embedding_is_taken_up_where_it_was_left_and_refused_data_changes_nothing() {
    /// How much the size may change after it was taken up, as a factor either way.
    const KEPT: f32 = 2.0;
    let Some(mut device) = Device::open() else { return };
    let settings = Settings { early_iterations: 100, ..quick() };
    let mut native = Native::running(blobs(ROWS, 8), settings.clone());
    native.until_iteration(400);
    native.pause();
    let (iteration, size) = (native.iteration(), native.size());
    let coordinates = Vectors::from_rows(&native.snapshot().positions_by_row(), 2);
    let begin = Begin::Resume(coordinates.clone(), iteration);
    device.begin_paused(Job { vectors: blobs(ROWS, 8), part: None, settings: settings.clone(), begin });
    assert_eq!(device.iteration(), iteration);
    assert!(Vectors::from_rows(&device.snapshot().positions_by_row(), 2) == coordinates);
    device.live().set_paused(false);
    device.until("a while", |live| {
        let now = of(live).statistics;
        let within = now.size > size / KEPT && now.size < size * KEPT;
        assert!(within, "the size went from {size} to {} by iteration {}", now.size, now.iteration);
        now.iteration >= iteration + 200
    });

    // One row: why, and the old goes on.
    device.live().begin(job(Vectors::zeros(1, 8), quick()));
    while device.live().activity() == Activity::Starting {
        device.0.update();
    }
    let error = device.live().take_error();
    assert_eq!(error.as_deref(), Some("an embedding needs at least two rows, the data has 1"));
    assert_eq!((device.live().activity(), device.live().settings().clone()), (Activity::Running, settings));
    let from = device.iteration();
    device.until_iteration(from + 5);

    // Other data of as many rows: never the old positions in the new data's name.
    let other = Settings { seed: 3, ..quick() };
    device.live().set_paused(true);
    let start = engine_after(0, blobs(ROWS, 5), &other);
    device.live().begin(job(blobs(ROWS, 5), other));
    device.until("other data", |live| of(live).data.space.vectors().dims() == 5);
    assert!(device.snapshot().positions_by_row() == start, "positions of data that is gone");
    device.look_on();
    assert!(device.snapshot().positions_by_row() == start);
}

#[test]
fn settings_that_the_device_cannot_hold_are_refused_and_it_goes_on() {
    let Some(mut device) = Device::open() else { return };
    device.live().begin(job(blobs(ROWS, 8), quick()));
    device.until("something to see", |live| live.snapshot().is_some());
    device.live().set_settings(Settings { dims: 300, ..quick() }).unwrap(); // in range, but too much for any adapter
    let begun = Instant::now();
    let error = loop {
        device.0.update();
        if let Some(error) = device.live().take_error() {
            break error;
        }
        assert!(begun.elapsed() < DEADLINE, "nothing is refused");
        assert_eq!(device.snapshot().settings, quick(), "settings that are not in force");
    };
    assert!(error.contains("at most 256 dimensions, not 300"), "{error}");
    assert_eq!(*device.live().settings(), quick());
    let from = device.iteration();
    device.until_iteration(from + 5);
    assert_eq!((device.live().activity(), device.snapshot().settings.clone()), (Activity::Running, quick()));
}

#[test]
fn on_the_device_a_map_at_rest_stops_and_a_change_wakes_it() {
    let Some(mut device) = Device::open() else { return };
    device.live().begin(job(blobs(ROWS, 8), quick()));
    device.until("something to see", |live| live.snapshot().is_some());
    // Made to settle: until such a map rests by itself, a software renderer takes minutes.
    device.live().act(Action::Settle(50));
    device.until("rest", |live| live.activity() == Activity::Settled);
    device.look_on();
    let iteration = device.iteration();
    device.look_on();
    assert_eq!(device.iteration(), iteration, "it goes on although nothing moves");
    assert!(device.snapshot().settled && device.snapshot().rate == 0.0);
    device.live().set_settings(Settings { repulsion: 1.4, ..quick() }).unwrap();
    device.until_iteration(iteration + 20);
    device.live().act(Action::Settle(50));
    device.until("rest", |live| live.activity() == Activity::Settled);
    let iteration = device.iteration();
    device.live().act(Action::Implode);
    device.until_iteration(iteration + 20);
}

#[test]
fn a_spring_on_the_device_draws_points_to_the_principal_axes() {
    /// How well the first axis of the embedding follows the longest one of the data (a correlation).
    const HELD: f32 = 0.9;
    let Some(mut device) = Device::open() else { return };
    let mut vectors = blobs(ROWS, 8);
    (0..ROWS).for_each(|row| vectors.row_mut(row)[2] = 0.1 * row as f32);
    let settings = Settings { init: embedding::Init::Random, ..quick() };
    device.live().begin(job(vectors, settings.clone()));
    device.until("something to see", |live| live.snapshot().is_some());
    device.until_iteration(60);
    let follows = |live: &LiveEmbedding| {
        let positions = of(live).positions_by_row();
        let pairs =
            || (0..).zip(positions.chunks_exact(of(live).dims)).map(|(row, position)| (position[0], row as f32));
        let mean = |of: &dyn Fn((f32, f32)) -> f32| pairs().map(of).sum::<f32>() / ROWS as f32;
        let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
        let both = mean(&|pair| (pair.0 - x) * (pair.1 - y));
        both / (mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2))).sqrt()
    };
    assert!(follows(&device.live()) < HELD, "{} before there is a spring", follows(&device.live()));
    device.live().set_settings(Settings { spring: 0.5, ..settings }).unwrap();
    device.until("the shape of the whole", |live| follows(live) > HELD);
}
