//! The engine in the render graph. The renderer draws its buffer where it lies; what is needed on this side (size of
//! the cloud, labels, quality, files) is read back a few times a second.

use crate::snapshot::{Action, Begin, HdLists, Job, LiveData, Part, Snapshot};
use crate::worker::STILL;
use embedding::cpu::forces::position_stride as native_stride;
use embedding::lists::{EMPTY, POINT};
use embedding::start::{self, Start};
use embedding::{EngineError, Settings, Statistics};
use gpu::GpuError;
use gpu::command::{Command, Fetched, GpuEmbedding, Load, Speed};
use gpu::stage::{Slot, position_stride};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use vectors::Space;

/// Positions are read back this often.
const READ_EVERY: Duration = Duration::from_millis(200);
/// How much an implosion or explosion scales the embedding: as natively.
const BURST: f32 = 1000.0;

/// A run in the render graph, seen from the main world.
#[derive(Debug)]
pub(crate) struct Device {
    stage: Stage,
    /// Which rows of the table are embedded, if not all.
    part: Option<Part>,
    settings: Settings,
    free: bool,
    until: Option<u32>,
    /// What was asked for before the data was laid out.
    waiting: Vec<Command>,
    lists: bool,
    /// The settings in force for what is being read back: commands are obeyed in order.
    fetching: Option<Settings>,
    asked: Option<Instant>,
    /// Iterations recorded when they last were more, and when that was.
    moved: (u32, Instant),
    /// It will not come back.
    failed: bool,
    /// Iteration and time of the last look at the rate.
    rate: (u32, Instant, f32),
    last: Option<Arc<Snapshot>>,
    /// A reset whose positions are being computed.
    resetting: Option<Coming<(Vec<f32>, Vec<u32>)>>,
}

#[derive(Debug)]
enum Stage {
    /// The data is being laid out on a thread.
    LayingOut(Coming<Result<(Start, u32), EngineError>>),
    Running {
        space: Arc<Space>,
        data: Arc<LiveData>,
    },
}

/// What a thread is computing.
#[derive(Debug)]
struct Coming<T>(Mutex<Receiver<T>>);

impl<T: Send + 'static> Coming<T> {
    fn compute(work: impl FnOnce() -> T + Send + 'static) -> Self {
        let (done, coming) = channel();
        std::thread::spawn(move || drop(done.send(work()))); // nobody may be waiting any more
        Self(Mutex::new(coming))
    }

    fn arrived(&self) -> Result<T, TryRecvError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv()
    }
}

impl Device {
    /// Begins to lay the data out, on a thread.
    pub fn start(job: Job) -> Self {
        let Job { vectors, part, settings, begin } = job;
        let wanted = settings.clone();
        let laid_out = Coming::compute(move || {
            let settings = wanted;
            match &begin {
                Begin::New => Start::new(vectors, &settings, None).map(|start| (start, 0)),
                Begin::From(coordinates) => Start::new(vectors, &settings, Some(coordinates)).map(|start| (start, 0)),
                Begin::Resume(coordinates, iteration) => {
                    Start::resumed(vectors, &settings, coordinates).map(|start| (start, *iteration))
                }
            }
        });
        Self {
            stage: Stage::LayingOut(laid_out),
            part,
            settings,
            free: false, // the first moment waits until it was seen
            until: None,
            waiting: Vec::new(),
            lists: false,
            fetching: None,
            asked: None,
            moved: (0, Instant::now()),
            failed: false,
            rate: (0, Instant::now(), 0.0),
            last: None,
            resetting: None,
        }
    }

    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings.clone();
        self.waiting.push(Command::Settings(Box::new(settings)));
        if self.resetting.is_some() {
            self.reset(); // positions of the settings before may have other dimensions
        }
    }

    /// The data is laid out and sent.
    pub fn is_loaded(&self) -> bool {
        matches!(self.stage, Stage::Running { .. })
    }

    /// It will not come back.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    pub fn act(&mut self, action: Action) {
        match action {
            Action::Settle(iterations) => self.waiting.push(Command::Settle(iterations)),
            Action::Implode => self.waiting.push(Command::Scale(1.0 / BURST)),
            Action::Explode => self.waiting.push(Command::Scale(BURST)),
            Action::Reset => self.reset(),
        }
    }

    fn reset(&mut self) {
        let Stage::Running { space, .. } = &self.stage else { return }; // it is about to start anyway
        let (space, settings) = (Arc::clone(space), self.settings.clone());
        self.resetting = Some(Coming::compute(move || {
            let seed = start::random_seed(&settings);
            let positions = start::positions(space.vectors(), &settings, seed);
            let (rows, length) = (space.rows(), settings.ld_list_length(space.rows()));
            let ld = start::ld_lists(&positions, settings.dims, length, &vec![true; rows], seed);
            (positions, ld)
        }));
    }

    pub fn set_free(&mut self, free: bool) {
        (self.free, self.until) = (free, None);
    }

    /// Runs so many iterations although not free, counted from what is recorded.
    pub fn grant(&mut self, iterations: u32, gpu: &GpuEmbedding) {
        self.until = Some(gpu.report().lock().recorded + iterations);
    }

    pub fn set_lists(&mut self, lists: bool) {
        self.lists = lists;
    }

    /// Once a frame: passes on what was asked for, takes in what came back.
    ///
    /// # Errors
    /// If the engine refuses the data, or the device fails.
    pub fn poll(&mut self, gpu: &mut GpuEmbedding) -> Result<Option<Arc<Snapshot>>, GpuError> {
        self.settle_in(gpu)?;
        let Stage::Running { data, space } = &self.stage else { return Ok(None) };
        let (data, space) = (Arc::clone(data), Arc::clone(space));
        if let Some((positions, ld)) = self.resetting.as_ref().and_then(|placed| placed.arrived().ok()) {
            self.resetting = None;
            self.waiting.push(Command::Place(positions, ld));
        }
        self.waiting.drain(..).for_each(|command| gpu.send(command));
        gpu.speed = Speed { paused: !self.free && self.until.is_none(), until: self.until, ..gpu.speed };
        let report = gpu.report();
        let mut report = report.lock();
        if let Some(error) = report.error.take() {
            drop(report);
            self.refused(&error);
            return Err(error);
        }
        if std::mem::take(&mut report.restarted) {
            drop(report);
            self.resume(gpu, &space);
            return Ok(None);
        }
        let (control, fetched) = (report.control, report.fetched.take().filter(|_| report.loaded));
        if self.moved.0 != report.recorded {
            self.moved = (report.recorded, Instant::now());
        }
        let leaving = report.squeezing && self.moved.1.elapsed() > STILL;
        drop(report);
        if leaving {
            gpu.send(Command::Squeeze); // it stands still: axes leave without iterations
        }
        if self.fetching.is_none() && self.asked.is_none_or(|asked| asked.elapsed() >= READ_EVERY) {
            (self.fetching, self.asked) = (Some(self.settings.clone()), Some(Instant::now()));
            let mut slots = vec![Slot::Positions, Slot::Control];
            slots.extend(self.lists.then_some(Slot::HdEntries));
            gpu.send(Command::Fetch(slots));
        }
        let Some((fetched, settings)) = fetched.and_then(|fetched| Some((fetched, self.fetching.take()?))) else {
            return Ok(None); // nothing came back
        };
        let Some(control) = fetched.values(Slot::Control).first().copied().or(control) else { return Ok(None) };
        let statistics = Statistics {
            iteration: control.iteration,
            refinement_rate: control.rate,
            settled: 1.0 - control.rate.clamp(0.0, 1.0),
            z: f64::from(control.z),
            size: control.size,
            quarantined_row: data.row_of_point.get(control.quarantined as usize).copied(),
        };
        Ok(self.snapshot(data, &fetched, statistics, settings))
    }

    /// Settings that the device cannot hold change nothing; any other error is the end.
    fn refused(&mut self, error: &GpuError) {
        let passing = matches!(error, GpuError::TooLarge { .. } | GpuError::TooManyDims { .. } | GpuError::Engine(_));
        self.failed = !passing || self.last.is_none();
        if let Some(last) = &self.last {
            self.settings = last.settings.clone();
            self.fetching = self.fetching.take().map(|_| last.settings.clone());
        }
    }

    /// Sends the data once it is laid out.
    fn settle_in(&mut self, gpu: &mut GpuEmbedding) -> Result<(), GpuError> {
        let Stage::LayingOut(laid_out) = &self.stage else { return Ok(()) };
        let (start, iteration) = match laid_out.arrived() {
            Ok(start) => start?,
            Err(TryRecvError::Empty) => return Ok(()),
            Err(TryRecvError::Disconnected) => {
                let reason = "laying out the data broke off".to_owned();
                return Err(GpuError::Failed { iteration: 0, reason });
            }
        };
        let Start { space, row_of_point, positions, ld, seed, .. } = start;
        let data = Arc::new(LiveData::new(space.clone(), row_of_point, self.part.as_ref()));
        let space = Arc::new(space);
        let settings = self.settings.clone();
        self.waiting.retain(|command| !matches!(command, Command::Settings(_))); // they are in already
        let space_too = Arc::clone(&space);
        let (born_at, annealing, marks) = (0, None, Vec::new());
        let load = Load { space: space_too, positions, ld, settings, seed, iteration, born_at, annealing, marks };
        {
            let report = gpu.report();
            let mut report = report.lock();
            (report.loaded, report.fetched) = (false, None); // what comes until it is loaded is of the run before
        }
        gpu.send(Command::Load(load));
        self.stage = Stage::Running { space, data };
        Ok(())
    }

    /// After a lost device: goes on from the positions that came back last.
    fn resume(&mut self, gpu: &mut GpuEmbedding, space: &Arc<Space>) {
        let Some(last) = &self.last else { return };
        let (dims, seed) = (last.dims, start::random_seed(&self.settings));
        let positions: Vec<f32> = (0..last.data.points())
            .flat_map(|point| {
                let mut position = last.position(point).to_vec();
                position.resize(native_stride(dims), 0.0);
                position
            })
            .collect();
        let (rows, length) = (space.rows(), self.settings.ld_list_length(space.rows()));
        let ld = start::ld_lists(&positions, dims, length, &vec![true; rows], seed);
        let settings = Settings { dims, ..self.settings.clone() };
        let iteration = last.statistics.iteration;
        let (born_at, annealing, marks) = (0, None, Vec::new());
        let space = Arc::clone(space);
        let load = Load { space, positions, ld, settings, seed, iteration, born_at, annealing, marks };
        gpu.send(Command::Load(load));
        self.waiting.push(Command::Settings(Box::new(self.settings.clone())));
        self.fetching = None;
    }

    fn snapshot(
        &mut self,
        data: Arc<LiveData>,
        fetched: &Fetched,
        statistics: Statistics,
        settings: Settings,
    ) -> Option<Arc<Snapshot>> {
        let positions: Vec<f32> = fetched.values(Slot::Positions);
        let stride = positions.len().checked_div(data.points())?;
        let dims = fetched.dims;
        if stride != position_stride(dims) {
            return None; // not of this run
        }
        let (from, since, mut rate) = self.rate;
        if since.elapsed() > READ_EVERY {
            rate = statistics.iteration.saturating_sub(from) as f32 / since.elapsed().as_secs_f32();
            self.rate = (statistics.iteration, Instant::now(), rate);
        }
        let entries: Vec<u32> = fetched.values(Slot::HdEntries);
        let lists = (!entries.is_empty()).then(|| {
            let k = entries.len() / data.points();
            let point = |entry: &u32| if entry & POINT == EMPTY { u32::MAX } else { entry & POINT };
            Arc::new(HdLists { neighbours: entries.iter().map(point).collect(), k, iteration: statistics.iteration })
        });
        let snapshot = Arc::new(Snapshot {
            data,
            positions: Arc::new(positions),
            dims,
            stride,
            settings,
            statistics,
            rate: if self.free { rate } else { 0.0 },
            lists,
        });
        self.last = Some(Arc::clone(&snapshot));
        Some(snapshot)
    }
}
