//! The engine in the render graph. The renderer draws its buffer where it lies; what is needed on this side (size of
//! the cloud, labels, quality, files) is read back a few times a second.

use crate::snapshot::{Begin, HdLists, Job, LiveData, Part, Snapshot};
use crate::worker::STILL;
use embedding::cpu::forces::position_stride as native_stride;
use embedding::lists::{EMPTY, POINT};
use embedding::start::{self, Start};
use embedding::{Action, BURST, EngineError, Settings, Statistics, Stillness};
use gpu::GpuError;
use gpu::command::{Anchors, Command, Fetched, GpuEmbedding, Load, Speed};
use gpu::stage::{Slot, position_stride};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use vectors::{Space, Vectors};

/// Positions are read back this often.
const READ_EVERY: Duration = Duration::from_millis(200);

/// A run in the render graph, seen from the main world.
#[derive(Debug)]
pub(crate) struct Device {
    stage: Stage,
    /// Which rows of the table are embedded, if not all.
    part: Option<Part>,
    settings: Settings,
    free: bool,
    until: Option<u32>,
    stillness: Stillness,
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
    /// Where the spring draws points to, once that is known.
    anchors: Option<Anchors>,
    /// Anchors that are being computed.
    anchoring: Option<Coming<Option<Anchors>>>,
}

#[derive(Debug)]
enum Stage {
    /// The data is being laid out on a thread.
    LayingOut(Coming<Result<LaidOut, EngineError>>),
    Running {
        space: Arc<Space>,
        data: Arc<LiveData>,
    },
}

/// Data that is laid out.
#[derive(Debug)]
struct LaidOut {
    start: Start,
    /// Neighbours in the embedding at the start.
    ld: Vec<u32>,
    /// The settings it was laid out for.
    settings: Settings,
    /// Iteration to count from.
    iteration: u32,
    anchors: Option<Anchors>,
}

impl LaidOut {
    fn new(vectors: Vectors, begin: &Begin, settings: Settings) -> Result<Self, EngineError> {
        let (start, iteration) = match begin {
            Begin::New => (Start::new(vectors, &settings, None)?, 0),
            Begin::From(coordinates) => (Start::new(vectors, &settings, Some(coordinates))?, 0),
            Begin::Resume(coordinates, iteration) => (Start::resumed(vectors, &settings, coordinates)?, *iteration),
        };
        let ld = ld_lists(&start.positions, &settings, start.space.rows(), start.seed);
        let anchors = anchors(&start.space, &settings);
        Ok(Self { start, ld, settings, iteration, anchors })
    }
}

/// Neighbours in the embedding of points that are all there, at these positions.
fn ld_lists(positions: &[f32], settings: &Settings, rows: usize, seed: u32) -> Vec<u32> {
    start::ld_lists(positions, settings.dims, settings.ld_list_length(rows), &vec![true; rows], seed)
}

/// Where a spring draws points that are all there.
fn anchors(space: &Space, settings: &Settings) -> Option<Anchors> {
    Anchors::of(space, &vec![true; space.rows()], settings)
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
        let laid_out = Coming::compute(move || LaidOut::new(vectors, &begin, wanted));
        Self {
            stage: Stage::LayingOut(laid_out),
            part,
            settings,
            free: false, // the first moment waits until it was seen
            until: None,
            stillness: Stillness::default(),
            waiting: Vec::new(),
            lists: false,
            fetching: None,
            asked: None,
            moved: (0, Instant::now()),
            failed: false,
            rate: (0, Instant::now(), 0.0),
            last: None,
            resetting: None,
            anchors: None,
            anchoring: None,
        }
    }

    pub fn set_settings(&mut self, settings: Settings) {
        self.stillness.wake();
        self.settings = settings.clone();
        self.waiting.push(Command::Settings(Box::new(settings)));
        if self.resetting.is_some() {
            self.reset(); // positions of the settings before may have other dimensions
        }
        self.anchor();
    }

    /// Has anchors computed where a spring needs them, in as many dimensions as points have or will have.
    fn anchor(&mut self) {
        let Stage::Running { space, .. } = &self.stage else { return }; // they come with the data
        let dims = self.last.as_ref().map_or(0, |last| last.dims).max(self.settings.dims);
        if self.settings.spring > 0.0 && self.anchors.as_ref().is_none_or(|anchors| anchors.dims < dims) {
            let (space, settings) = (Arc::clone(space), Settings { dims, ..self.settings.clone() });
            self.anchoring = Some(Coming::compute(move || anchors(&space, &settings)));
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
        self.stillness.wake();
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
            let ld = ld_lists(&positions, &settings, space.rows(), seed);
            (positions, ld)
        }));
    }

    /// Its layout has come to rest and its neighbours are found.
    pub fn is_settled(&self) -> bool {
        self.stillness.is_still()
    }

    pub fn set_free(&mut self, free: bool) {
        self.stillness.wake();
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
        if let Some(anchors) = self.anchoring.as_ref().and_then(|anchors| anchors.arrived().ok()) {
            self.anchoring = None;
            self.anchors = anchors;
            self.waiting.extend(self.anchors.clone().map(Command::Anchors));
        }
        self.waiting.drain(..).for_each(|command| gpu.send(command));
        let runs = (self.free && !self.is_settled()) || self.until.is_some();
        gpu.speed = Speed { paused: !runs, until: self.until, ..gpu.speed };
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
            ..Statistics::default()
        };
        // Early exaggeration ends by a count here; before, what rests has not begun to spread.
        let young = control.exaggeration > 1.0;
        Ok(self.snapshot(data, &fetched, statistics, settings, young))
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
        let LaidOut { start, ld, settings, iteration, anchors } = match laid_out.arrived() {
            Ok(laid_out) => laid_out?,
            Err(TryRecvError::Empty) => return Ok(()),
            Err(TryRecvError::Disconnected) => {
                let reason = "laying out the data broke off".to_owned();
                return Err(GpuError::Failed { iteration: 0, reason });
            }
        };
        let Start { space, row_of_point, positions, seed, .. } = start;
        let data = Arc::new(LiveData::new(space.clone(), row_of_point, self.part.as_ref()));
        let space = Arc::new(space);
        let space_too = Arc::clone(&space);
        let (born_at, annealing, marks) = (0, None, Vec::new());
        self.anchors = anchors.clone();
        let load =
            Load { space: space_too, positions, ld, settings, seed, iteration, born_at, annealing, marks, anchors };
        {
            let report = gpu.report();
            let mut report = report.lock();
            (report.loaded, report.fetched) = (false, None); // what comes until it is loaded is of the run before
        }
        gpu.send(Command::Load(load));
        self.stage = Stage::Running { space, data };
        self.anchor(); // a spring may have come while the data was being laid out
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
        let settings = Settings { dims, ..self.settings.clone() };
        let ld = ld_lists(&positions, &settings, space.rows(), seed);
        let iteration = last.statistics.iteration;
        let (born_at, annealing, marks) = (0, None, Vec::new());
        let (space, anchors) = (Arc::clone(space), self.anchors.clone());
        let load = Load { space, positions, ld, settings, seed, iteration, born_at, annealing, marks, anchors };
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
        young: bool,
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
        if self.stillness.is_due(statistics.iteration) && !young {
            self.stillness.look(&statistics, &positions, stride);
        }
        let settled = self.is_settled();
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
            rate: if self.free && !settled { rate } else { 0.0 },
            settled,
            lists,
        });
        self.last = Some(Arc::clone(&snapshot));
        Some(snapshot)
    }
}
