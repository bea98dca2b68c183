//! The engine without a window: the same plugin in an app that runs as fast as the adapter can.

use crate::adapter::{self, AdapterSummary, OpenAdapter};
use crate::command::{Command, Fetched, GpuEmbedding, Load, SharedReport, Speed};
use crate::error::GpuError;
use crate::params::Control;
use crate::plugin::GpuEnginePlugin;
use crate::stage::{Slot, position_stride};
use bevy::MinimalPlugins;
use bevy::app::{App, PluginGroup, ScheduleRunnerPlugin};
use bevy::asset::AssetPlugin;
use bevy::camera::CameraPlugin;
use bevy::ecs::prelude::{Resource, World};
use bevy::image::ImagePlugin;
use bevy::mesh::MeshPlugin;
use bevy::render::RenderPlugin;
use bevy::render::error_handler::{RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::renderer::RenderDevice;
use bevy::window::{ExitCondition, WindowPlugin};
use embedding::cpu::forces::position_stride as native_stride;
use embedding::start::{self, Start};
use embedding::{Settings, Statistics};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vectors::{Space, Vectors};

/// GPU time of one submission: long enough that submitting costs nothing, far below what a driver's watchdog bears.
const SUBMISSION: Duration = Duration::from_millis(200);
/// How often positions are read back, so that a lost device loses no more than that.
const SAFE_EVERY: Duration = Duration::from_secs(2);
/// Lost devices in a row after which a run gives up.
const MOST_RECOVERIES: u32 = 3;
/// Frames without any progress after which a run gives up: pipelines compile in one.
const MOST_IDLE_FRAMES: u32 = 100;
/// How much an implosion or explosion scales the embedding.
const BURST: f32 = 1000.0;

/// Which adapter to open again after it was lost, and how often that has happened.
#[derive(Debug, Resource)]
struct Recovery {
    adapter: String,
    count: u32,
}

/// A running embedding on a GPU. As [`embedding::Engine`], but every step may fail: devices can be lost.
pub struct GpuEngine {
    app: App,
    report: SharedReport,
    adapter: AdapterSummary,
    settings: Settings,
    space: Arc<Space>,
    row_of_point: Vec<u32>,
    start_seconds: f64,
    iteration: u32,
    /// Positions that came back last, `[points][native stride]`, and when.
    safe: (Vec<f32>, u32),
    safe_at: Instant,
}

impl GpuEngine {
    /// Takes the data and starts an embedding on an open adapter: at given coordinates, or where the settings say.
    ///
    /// # Errors
    /// If the data, the settings or the coordinates are refused, or the adapter cannot hold them.
    pub fn new(
        adapter: &OpenAdapter,
        vectors: Vectors,
        settings: Settings,
        coordinates: Option<&Vectors>,
    ) -> Result<Self, GpuError> {
        let start = Start::new(vectors, &settings, coordinates)?;
        let app = headless_app(adapter);
        let report = app.world().resource::<GpuEmbedding>().report();
        let mut engine = Self {
            app,
            report,
            adapter: adapter.summary.clone(),
            settings,
            space: Arc::new(Space::new(Vectors::zeros(0, 1), vectors::Metric::Euclidean)),
            row_of_point: Vec::new(),
            start_seconds: 0.0,
            iteration: 0,
            safe: (Vec::new(), 0),
            safe_at: Instant::now(),
        };
        engine.load(start)?;
        Ok(engine)
    }

    /// Goes on with other data and other settings, from a new start.
    ///
    /// # Errors
    /// As [`new`](Self::new); data that is refused leaves the engine as it was.
    pub fn replace_data(&mut self, vectors: Vectors, settings: Settings) -> Result<(), GpuError> {
        let start = Start::new(vectors, &settings, None)?;
        self.settings = settings;
        self.load(start)
    }

    fn load(&mut self, start: Start) -> Result<(), GpuError> {
        let Start { space, row_of_point, positions, ld, seed, seconds } = start;
        self.space = Arc::new(space);
        self.row_of_point = row_of_point;
        self.start_seconds = seconds;
        self.safe = (positions.clone(), 0);
        self.iteration = 0;
        self.send_load(positions, ld, seed, 0)
    }

    fn send_load(&mut self, positions: Vec<f32>, ld: Vec<u32>, seed: u32, iteration: u32) -> Result<(), GpuError> {
        let (space, settings) = (Arc::clone(&self.space), self.settings.clone());
        self.send(Command::Load(Load { space, positions, ld, settings, seed, iteration }));
        self.stop_at(iteration);
        self.pump_until(|report| report.lock().loaded)
    }

    fn embedding(&mut self) -> bevy::ecs::world::Mut<'_, GpuEmbedding> {
        self.app.world_mut().resource_mut::<GpuEmbedding>()
    }

    /// Sends a command; it takes effect with the next frame.
    pub fn send(&mut self, command: Command) {
        self.embedding().send(command);
    }

    fn stop_at(&mut self, iteration: u32) {
        self.embedding().speed = Speed { paused: false, until: Some(iteration), budget: SUBMISSION };
    }

    /// One frame, waited for.
    fn pump(&mut self) -> Result<(), GpuError> {
        self.app.update();
        if let Some(device) = self.app.world().get_resource::<RenderDevice>() {
            // An error here is a lost device, which the next frame reports.
            let _ = device.poll(wgpu::PollType::wait_indefinitely());
        }
        let (error, restarted) = {
            let mut report = self.report.lock();
            (report.error.take(), std::mem::take(&mut report.restarted))
        };
        match error {
            Some(error) => Err(error),
            None if restarted => self.resume(),
            None => Ok(()),
        }
    }

    /// After a lost device: goes on from the positions that came back last; lists are searched for anew.
    fn resume(&mut self) -> Result<(), GpuError> {
        let (positions, iteration) = self.safe.clone();
        let seed = start::random_seed(&self.settings);
        let length = self.settings.ld_list_length(self.space.rows());
        let ld = start::ld_lists(&positions, self.settings.dims, length, seed);
        let wanted = self.embedding().speed.until;
        self.send_load(positions, ld, seed, iteration)?;
        self.stop_at(wanted.unwrap_or(iteration));
        Ok(())
    }

    fn pump_until(&mut self, done: impl Fn(&SharedReport) -> bool) -> Result<(), GpuError> {
        let mut idle = 0;
        while !done(&self.report) {
            let before = self.report.lock().recorded;
            self.pump()?;
            idle = if self.report.lock().recorded == before { idle + 1 } else { 0 };
            if idle > MOST_IDLE_FRAMES {
                let reason = "it does not answer".to_owned();
                return Err(GpuError::Failed { iteration: self.iteration, reason });
            }
        }
        Ok(())
    }

    /// Runs so many iterations; `each` hears of every submission how many are done.
    ///
    /// # Errors
    /// If the device fails and does not come back. The last good positions stay readable.
    pub fn run(&mut self, iterations: u32, mut each: impl FnMut(u32)) -> Result<(), GpuError> {
        let until = self.iteration + iterations;
        self.stop_at(until);
        let mut idle = 0;
        while self.iteration < until {
            self.pump()?;
            let recorded = self.report.lock().recorded;
            idle = if recorded == self.iteration { idle + 1 } else { 0 };
            if idle > MOST_IDLE_FRAMES {
                let reason = "it does not answer".to_owned();
                return Err(GpuError::Failed { iteration: self.iteration, reason });
            }
            self.iteration = recorded;
            each(recorded);
            if self.safe_at.elapsed() > SAFE_EVERY {
                self.fetch_positions()?;
            }
        }
        Ok(())
    }

    /// Reads buffers back, and waits for them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn fetch(&mut self, slots: &[Slot]) -> Result<Fetched, GpuError> {
        self.report.lock().fetched = None;
        let speed = self.embedding().speed;
        self.embedding().speed.paused = true;
        self.send(Command::Fetch(slots.to_vec()));
        let outcome = self.pump_until(|report| report.lock().fetched.is_some());
        self.embedding().speed = speed;
        outcome?;
        let fetched = self.report.lock().fetched.take();
        fetched.ok_or(GpuError::Failed { iteration: self.iteration, reason: "nothing came back".to_owned() })
    }

    fn fetch_positions(&mut self) -> Result<(), GpuError> {
        let fetched = self.fetch(&[Slot::Positions])?;
        let (from, to) = (position_stride(self.settings.dims), native_stride(self.settings.dims));
        let padded: Vec<f32> = fetched.values(Slot::Positions);
        let mut positions = vec![0.0; self.space.rows() * to];
        for (position, padded) in positions.chunks_exact_mut(to).zip(padded.chunks_exact(from)) {
            let dims = from.min(to);
            position[..dims].copy_from_slice(&padded[..dims]);
        }
        self.safe = (positions, fetched.iteration);
        self.safe_at = Instant::now();
        Ok(())
    }

    /// Lets the step fall to zero over the next iterations.
    pub fn settle(&mut self, iterations: u32) {
        self.send(Command::Settle(iterations));
    }

    /// Changes settings between two iterations; nothing restarts.
    ///
    /// # Errors
    /// If a setting is out of range or the adapter cannot hold what it asks for; then nothing changes.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), GpuError> {
        settings.validate().map_err(embedding::EngineError::from)?;
        self.send(Command::Settings(Box::new(settings.clone())));
        self.pump()?;
        self.settings = settings;
        Ok(())
    }

    /// Draws all points together, so that gradients bite again.
    pub fn implode(&mut self) {
        self.send(Command::Scale(1.0 / BURST));
    }

    /// Blows the embedding up.
    pub fn explode(&mut self) {
        self.send(Command::Scale(BURST));
    }

    /// Puts the points back to a start and lets the embedding be young again; neighbours are kept.
    pub fn reset(&mut self) {
        let seed = start::random_seed(&self.settings);
        let positions = start::positions(self.space.vectors(), &self.settings, seed);
        let length = self.settings.ld_list_length(self.space.rows());
        let ld = start::ld_lists(&positions, self.settings.dims, length, seed);
        self.send(Command::Place(positions, ld));
    }

    /// The adapter it runs on.
    #[must_use]
    pub fn adapter(&self) -> &AdapterSummary {
        &self.adapter
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.space.rows()
    }

    /// The data, in the order of the points.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Seconds that the layout in memory and the start positions took.
    #[must_use]
    pub fn start_seconds(&self) -> f64 {
        self.start_seconds
    }

    /// GPU seconds so far, and over how many iterations; of the last submission alone.
    #[must_use]
    pub fn gpu_seconds(&self) -> (f64, u32, f64) {
        let report = self.report.lock();
        (report.gpu_seconds, report.gpu_iterations, report.last_seconds)
    }

    /// The state of the run, read back now.
    ///
    /// # Errors
    /// If the device fails.
    pub fn control(&mut self) -> Result<Control, GpuError> {
        let fetched = self.fetch(&[Slot::Control])?;
        let control = fetched.values(Slot::Control).first().copied();
        control.ok_or(GpuError::Failed { iteration: self.iteration, reason: "nothing came back".to_owned() })
    }

    /// How the run is doing.
    ///
    /// # Errors
    /// If the device fails.
    pub fn statistics(&mut self) -> Result<Statistics, GpuError> {
        let control = self.control()?;
        let row = self.row_of_point.get(control.quarantined as usize).copied();
        Ok(Statistics {
            iteration: control.iteration,
            refinement_rate: control.rate,
            settled: 1.0 - control.rate.clamp(0.0, 1.0),
            z: f64::from(control.z),
            size: control.size,
            quarantined_row: row,
        })
    }

    /// `[rows][dims]` positions in the caller's row order.
    ///
    /// # Errors
    /// If the device fails.
    pub fn positions(&mut self) -> Result<Vec<f32>, GpuError> {
        self.fetch_positions()?;
        Ok(self.last_good_positions())
    }

    /// The positions that came back last, in the caller's row order; after a failure, the last good ones.
    #[must_use]
    pub fn last_good_positions(&self) -> Vec<f32> {
        let dims = self.settings.dims;
        let mut positions = vec![0.0; self.rows() * dims];
        for (position, &row) in self.safe.0.chunks_exact(native_stride(dims)).zip(&self.row_of_point) {
            positions[row as usize * dims..][..dims].copy_from_slice(&position[..dims]);
        }
        positions
    }

    /// Iteration of [`last_good_positions`](Self::last_good_positions).
    #[must_use]
    pub fn last_good_iteration(&self) -> u32 {
        self.safe.1
    }

    /// `[rows][k]` neighbours in the data found so far and their distances δ, nearest first, in the caller's row order
    /// and row numbers; `u32::MAX` and infinity where a list is not full.
    ///
    /// # Errors
    /// If the device fails.
    pub fn neighbours(&mut self) -> Result<(Vec<u32>, Vec<f32>), GpuError> {
        use embedding::lists::{EMPTY, POINT};
        let fetched = self.fetch(&[Slot::HdEntries, Slot::HdDistances])?;
        let k = self.settings.hd_list_length(self.rows());
        let (entries, squared) = (fetched.values::<u32>(Slot::HdEntries), fetched.values::<f32>(Slot::HdDistances));
        let mut neighbours = vec![u32::MAX; self.rows() * k];
        let mut distances = vec![f32::INFINITY; self.rows() * k];
        let lists = entries.chunks_exact(k).zip(squared.chunks_exact(k));
        for ((entries, squared), &row) in lists.zip(&self.row_of_point) {
            let first = row as usize * k;
            for (at, (entry, squared)) in entries.iter().zip(squared).enumerate() {
                if entry & POINT != EMPTY {
                    neighbours[first + at] = self.row_of_point[(entry & POINT) as usize];
                    distances[first + at] = squared.sqrt();
                }
            }
        }
        Ok((neighbours, distances))
    }

    /// Destroys the device, as a driver that crashes would (tests).
    pub fn lose_device(&self) {
        if let Some(device) = self.app.world().get_resource::<RenderDevice>() {
            device.wgpu_device().destroy();
        }
    }
}

/// Bevy without a window, on this adapter.
fn headless_app(adapter: &OpenAdapter) -> App {
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
        .insert_resource(Recovery { adapter: adapter.summary.name.clone(), count: 0 })
        .insert_resource(RenderErrorHandler(on_render_error));
    app.finish();
    app.cleanup();
    app
}

/// A lost device is opened again; anything else ends the run with an error that says what happened.
fn on_render_error(error: &RenderError, main: &mut World, _render: &mut World) -> RenderErrorPolicy {
    let report = main.resource::<GpuEmbedding>().report();
    let iteration = report.lock().recorded;
    let failed = |reason: String| {
        report.lock().error = Some(GpuError::Failed { iteration, reason });
        RenderErrorPolicy::StopRendering
    };
    let what = format!("{:?} {}", error.ty, error.description).trim().to_owned();
    if !matches!(error.ty, bevy::render::error_handler::ErrorType::DeviceLost) {
        return failed(what);
    }
    let mut recovery = main.resource_mut::<Recovery>();
    recovery.count += 1;
    if recovery.count > MOST_RECOVERIES {
        return failed(what);
    }
    match adapter::open(Some(&recovery.adapter)) {
        Ok(adapter) => RenderErrorPolicy::Recover(adapter.creation()),
        Err(error) => failed(format!("{what}; {error}")),
    }
}
