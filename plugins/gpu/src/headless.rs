//! The engine without a window: the same plugin in an app that runs as fast as the adapter can.

mod app;
mod change;
mod embedder;
mod read;

use crate::adapter::{AdapterSummary, OpenAdapter};
use crate::command::{Anchors, Command, Fetched, GpuEmbedding, Load, SharedReport, Speed};
use crate::error::GpuError;
use crate::rows::Rows;
use crate::shape::Shape;
use crate::stage::{Slot, position_stride};
use app::{Recovery, headless_app};
use bevy::app::App;
use bevy::render::renderer::RenderDevice;
use embedding::cpu::decide::Annealing;
use embedding::cpu::forces::position_stride as native_stride;
use embedding::start::{self, Start};
use embedding::{BURST, Settings};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vectors::{Space, Vectors};

/// GPU time of one submission: long enough that submitting costs nothing, far below what a driver's watchdog bears.
const SUBMISSION: Duration = Duration::from_millis(200);
/// How often positions are read back, so that a lost device loses no more than that.
const SAFE_EVERY: Duration = Duration::from_secs(2);
/// Frames without any progress after which a run gives up: pipelines compile in one.
const MOST_IDLE_FRAMES: u32 = 100;

/// A running embedding on a GPU. As [`embedding::Engine`], but every step may fail: devices can be lost.
pub struct GpuEngine {
    app: App,
    report: SharedReport,
    adapter: AdapterSummary,
    settings: Settings,
    space: Arc<Space>,
    rows: Rows,
    start_seconds: f64,
    iteration: u32,
    annealing: Option<Annealing>,
    /// How often a device was lost and another one took over.
    restarts: u32,
    /// Positions that came back last, `[points][native stride]`, and when.
    safe: (Vec<f32>, u32),
    /// Their dimensions: more than are wanted while axes leave.
    safe_dims: usize,
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
        Self::begin(adapter, start, settings, 0)
    }

    /// Takes the data and goes on from an embedding of it that was kept: exact coordinates, row by row, and the
    /// iterations done by then. Neighbours are searched for anew; until they are found nothing moves.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn resume(
        adapter: &OpenAdapter,
        vectors: Vectors,
        settings: Settings,
        coordinates: &Vectors,
        iteration: u32,
    ) -> Result<Self, GpuError> {
        let start = Start::resumed(vectors, &settings, coordinates)?;
        Self::begin(adapter, start, settings, iteration)
    }

    fn begin(adapter: &OpenAdapter, start: Start, settings: Settings, iteration: u32) -> Result<Self, GpuError> {
        let app = headless_app(adapter);
        let report = app.world().resource::<GpuEmbedding>().report();
        let mut engine = Self {
            app,
            report,
            adapter: adapter.summary.clone(),
            settings: settings.clone(),
            space: Arc::new(Space::new(Vectors::zeros(0, 1), vectors::Metric::Euclidean)),
            rows: Rows::all(Vec::new()),
            start_seconds: 0.0,
            iteration: 0,
            annealing: None,
            restarts: 0,
            safe: (Vec::new(), 0),
            safe_dims: settings.dims,
            safe_at: Instant::now(),
        };
        engine.load(start, settings, iteration)?;
        Ok(engine)
    }

    /// Goes on with other data and other settings, from a new start.
    ///
    /// # Errors
    /// As [`new`](Self::new); data that is refused leaves the engine as it was.
    pub fn replace_data(&mut self, vectors: Vectors, settings: Settings) -> Result<(), GpuError> {
        let start = Start::new(vectors, &settings, None)?;
        self.load(start, settings, 0)
    }

    fn load(&mut self, start: Start, settings: Settings, iteration: u32) -> Result<(), GpuError> {
        let Start { space, row_of_point, positions, seed, seconds } = start;
        let rows = space.rows();
        self.adapter.check(&Shape::of(rows, space.vectors().stride(), &settings))?;
        let ld = start::ld_lists(&positions, settings.dims, settings.ld_list_length(rows), &vec![true; rows], seed);
        self.settings = settings;
        self.space = Arc::new(space);
        self.rows = Rows::all(row_of_point);
        self.start_seconds = seconds;
        (self.safe, self.safe_dims) = ((positions.clone(), iteration), self.settings.dims);
        self.annealing = None;
        self.send_load(positions, ld, seed, (iteration, 0))
    }

    fn send_load(
        &mut self,
        positions: Vec<f32>,
        ld: Vec<u32>,
        seed: u32,
        (iteration, born_at): (u32, u32),
    ) -> Result<(), GpuError> {
        let (space, annealing) = (Arc::clone(&self.space), self.annealing);
        let settings = Settings { dims: self.safe_dims, ..self.settings.clone() };
        let marks = self.rows.load();
        let anchors = Anchors::of(&space, self.alive(), &settings);
        self.report.lock().loaded = false;
        let load = Load { space, positions, ld, settings, seed, iteration, born_at, annealing, marks, anchors };
        self.send(Command::Load(load));
        self.iteration = iteration;
        self.stop_at(iteration);
        self.pump_until(|engine| engine.report.lock().loaded)
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
            None if restarted => self.recover(),
            None => Ok(()),
        }
    }

    /// After a lost device: goes on from the positions that came back last, at its age; lists are searched for anew.
    fn recover(&mut self) -> Result<(), GpuError> {
        let (mut positions, iteration) = self.safe.clone();
        positions.resize(self.rows() * native_stride(self.safe_dims), 0.0); // who came since begins in the middle
        let seed = start::random_seed(&self.settings);
        let length = self.settings.ld_list_length(self.living());
        let ld = start::ld_lists(&positions, self.safe_dims, length, self.alive(), seed);
        let born_at = self.report.lock().control.map_or(iteration, |control| control.born_at.min(iteration));
        let speed = self.embedding().speed;
        self.restarts += 1;
        self.send_load(positions, ld, seed, (iteration, born_at))?;
        if self.safe_dims != self.settings.dims {
            self.send(Command::Settings(Box::new(self.settings.clone()))); // axes were leaving
            let annealing = self.annealing.map(|annealing| (annealing.from + annealing.over).saturating_sub(iteration));
            annealing.into_iter().for_each(|left| self.send(Command::Settle(left)));
        }
        self.embedding().speed = speed;
        self.app.world_mut().resource_mut::<Recovery>().under_way = false;
        Ok(())
    }

    fn pump_until(&mut self, done: impl Fn(&mut Self) -> bool) -> Result<(), GpuError> {
        let mut idle = 0;
        while !done(self) {
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
        loop {
            self.record_until(until, &mut each)?;
            // Recorded is not done: a device that was lost meanwhile has forgotten it, and the run resumed earlier.
            self.iteration = self.control()?.iteration;
            if self.iteration >= until {
                return Ok(());
            }
        }
    }

    fn record_until(&mut self, until: u32, each: &mut impl FnMut(u32)) -> Result<(), GpuError> {
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
        let speed = self.embedding().speed;
        self.embedding().speed.paused = true;
        let outcome = self.fetch_paused(slots);
        self.embedding().speed = speed;
        outcome
    }

    /// Asks again when the device was lost with what it was asked for.
    fn fetch_paused(&mut self, slots: &[Slot]) -> Result<Fetched, GpuError> {
        loop {
            self.report.lock().fetched = None;
            self.send(Command::Fetch(slots.to_vec()));
            let restarts = self.restarts;
            self.pump_until(|engine| engine.report.lock().fetched.is_some() || engine.restarts > restarts)?;
            if let Some(fetched) = self.report.lock().fetched.take() {
                return Ok(fetched);
            }
        }
    }

    fn fetch_positions(&mut self) -> Result<(), GpuError> {
        let fetched = self.fetch(&[Slot::Positions])?;
        let (from, to) = (position_stride(fetched.dims), native_stride(fetched.dims));
        let padded: Vec<f32> = fetched.values(Slot::Positions);
        let mut positions = vec![0.0; self.rows() * to];
        for (position, padded) in positions.chunks_exact_mut(to).zip(padded.chunks_exact(from)) {
            let dims = from.min(to);
            position[..dims].copy_from_slice(&padded[..dims]);
        }
        if fetched.iteration > self.safe.1 {
            self.app.world_mut().resource_mut::<Recovery>().count = 0; // it does get on
        }
        (self.safe, self.safe_dims) = ((positions, fetched.iteration), fetched.dims);
        self.safe_at = Instant::now();
        Ok(())
    }

    /// Lets the step fall to zero over the next iterations.
    pub fn settle(&mut self, iterations: u32) {
        self.annealing = Some(Annealing::whole(self.iteration, iterations.max(1)));
        self.send(Command::Settle(iterations));
    }

    /// Changes settings between two iterations; nothing restarts. Axes that leave are squeezed out over
    /// [`SQUEEZE`](embedding::SQUEEZE) iterations.
    ///
    /// # Errors
    /// If a setting is out of range or the adapter cannot hold what it asks for; then nothing changes.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), GpuError> {
        settings.validate().map_err(embedding::EngineError::from)?;
        let springs = |settings: &Settings| (settings.spring > 0.0, settings.dims);
        if springs(&settings) != springs(&self.settings) {
            self.anchor(&settings);
        }
        self.send(Command::Settings(Box::new(settings.clone())));
        self.pump_until(|engine| engine.embedding().commands.is_empty())?;
        let other_dims = settings.dims != self.settings.dims;
        self.settings = settings;
        self.rows.fit(&self.settings);
        self.annealing = None;
        if other_dims { self.fetch_positions() } else { Ok(()) } // axes that came are among what is safe
    }

    /// Says where a spring draws points to, if there is one.
    fn anchor(&mut self, settings: &Settings) {
        let dims = settings.dims.max(self.safe_dims); // axes that leave are still there
        let settings = Settings { dims, ..settings.clone() };
        let anchors = Anchors::of(&self.space, self.alive(), &settings);
        anchors.into_iter().for_each(|anchors| self.send(Command::Anchors(anchors)));
    }

    /// Squeezes out axes that are leaving by one step without an iteration.
    ///
    /// # Errors
    /// If the device fails.
    pub fn squeeze(&mut self) -> Result<(), GpuError> {
        self.send(Command::Squeeze);
        self.pump_until(|engine| engine.embedding().commands.is_empty())
    }

    /// Draws all points together, so that gradients bite again.
    pub fn implode(&mut self) {
        self.annealing = None;
        self.send(Command::Scale(1.0 / BURST));
    }

    /// Blows the embedding up.
    pub fn explode(&mut self) {
        self.annealing = None;
        self.send(Command::Scale(BURST));
    }

    /// Puts the points back to a start and lets the embedding be young again; neighbours are kept, and rows that are
    /// held firmly stay where they are.
    pub fn reset(&mut self) {
        let (seed, dims) = (start::random_seed(&self.settings), self.settings.dims);
        let mut positions = start::positions_of(self.space.vectors(), self.alive(), &self.settings, seed);
        if self.settings.stiffness == 1.0 && self.rows.pinned().contains(&true) {
            let _ = self.fetch_positions(); // a device that fails says so with the next run; the last places are as good
            let (old, new, kept) = (native_stride(self.safe_dims), native_stride(dims), dims.min(self.safe_dims));
            for point in (0..self.rows()).filter(|&point| self.rows.pinned()[point]) {
                positions[point * new..][..kept].copy_from_slice(&self.safe.0[point * old..][..kept]);
            }
        }
        let length = self.rows.ld_length(&self.settings);
        let ld = start::ld_lists(&positions, dims, length, self.alive(), seed);
        self.annealing = None;
        self.send(Command::Place(positions, ld));
    }

    /// Destroys the device, as a driver that crashes would (tests).
    pub fn lose_device(&self) {
        if let Some(device) = self.app.world().get_resource::<RenderDevice>() {
            device.wgpu_device().destroy();
        }
    }
}
