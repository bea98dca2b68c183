//! The running embedding as the application sees it, wherever it runs.

use crate::device::Device;
use crate::snapshot::{Change, Job, Snapshot};
use crate::worker::{Command, Worker};
use bevy::ecs::prelude::Resource;
use embedding::{Action, Settings, SettingsError};
use gpu::command::GpuEmbedding;
use std::sync::Arc;

/// Where embeddings run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EnginePlace {
    /// Native code on threads of its own.
    #[default]
    Cpu,
    /// Compute passes in the render graph, on the adapter that draws.
    Gpu,
}

/// What an embedding is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// There is no data.
    Empty,
    /// Data is being laid out; nothing to see yet.
    Starting,
    /// Iterations run.
    Running,
    /// Iterations run only when asked for.
    Paused,
    /// The layout is at rest and its neighbours are found: nothing runs until something changes.
    Settled,
}

/// The running embedding: give it data, change its settings, look at its snapshots. Nothing here waits.
#[derive(Resource, Debug)]
pub struct LiveEmbedding {
    /// Where the next data will run.
    pub place: EnginePlace,
    /// Iterations a frame, or as many as there is time for. Few make the motion slow enough to watch; those that a frame
    /// had no time for are not made up for later.
    pub iterations_per_frame: Option<u32>,
    run: Option<Run>,
    /// Data that is being laid out while the run before it is still to be seen.
    next: Option<Run>,
    settings: Settings,
    paused: bool,
    wants_lists: bool,
    latest: Option<Arc<Snapshot>>,
    acted: Vec<Action>,
    error: Option<String>,
    threads: usize,
}

#[derive(Debug)]
enum Run {
    Native(Worker),
    Device(Box<Device>),
}

impl LiveEmbedding {
    /// An embedding without data, which will use so many threads where it runs natively.
    #[must_use]
    pub fn new(place: EnginePlace, threads: usize) -> Self {
        Self {
            place,
            iterations_per_frame: None,
            run: None,
            next: None,
            settings: Settings::default(),
            paused: false,
            wants_lists: false,
            latest: None,
            acted: Vec::new(),
            error: None,
            threads,
        }
    }

    /// Goes over to other data as soon as it is laid out; until then the present embedding stays. Data that is refused
    /// changes nothing, and [`take_error`](Self::take_error) says why.
    pub fn begin(&mut self, job: Job) {
        let settings = job.settings.clone();
        let run = match self.place {
            EnginePlace::Cpu => Worker::start(job, self.threads).map(Run::Native),
            EnginePlace::Gpu => Ok(Run::Device(Box::new(Device::start(job)))),
        };
        match run {
            Ok(run) => {
                if let Some(Run::Native(worker)) = &self.run {
                    worker.send(Command::Free(false)); // the cores are for what comes
                }
                self.settings = settings;
                self.next = Some(run);
            }
            Err(error) => self.error = Some(format!("no thread for the engine: {error}")),
        }
    }

    /// The settings wanted; those in force are in the snapshot.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings: they are in force with the next iteration, and nothing restarts.
    ///
    /// # Errors
    /// If one is out of range; then nothing changes.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SettingsError> {
        settings.validate()?;
        if settings == self.settings {
            return Ok(());
        }
        self.settings = settings.clone();
        for run in [&mut self.run, &mut self.next].into_iter().flatten() {
            match run {
                Run::Native(worker) => worker.send(Command::Settings(Box::new(settings.clone()))),
                Run::Device(device) => device.set_settings(settings.clone()),
            }
        }
        Ok(())
    }

    /// What was done to the embedding since the last [`poll`](Self::poll).
    #[must_use]
    pub fn acted(&self) -> &[Action] {
        &self.acted
    }

    /// Does something to the embedding.
    pub fn act(&mut self, action: Action) {
        if self.run.is_some() {
            self.acted.push(action);
        }
        match &mut self.run {
            Some(Run::Native(worker)) => worker.send(Command::Act(action)),
            Some(Run::Device(device)) => device.act(action),
            None => {}
        }
    }

    /// Lets rows come, leave and change; in force with the snapshot whose data has the change's version. Only where the
    /// engine runs natively.
    pub fn change(&mut self, change: Change) {
        match &self.run {
            Some(Run::Native(worker)) => worker.send(Command::Change(Box::new(change))),
            Some(Run::Device(_)) => {
                self.error = Some("rows cannot come and go on the graphics adapter; use --backend cpu".to_owned());
            }
            None => {}
        }
    }

    /// Holds rows of the table where they are, as firmly as the settings say, or lets them go.
    pub fn pin(&mut self, rows: Vec<u32>, pinned: bool) {
        match &self.run {
            Some(Run::Native(worker)) => worker.send(Command::Pin(rows, pinned)),
            Some(Run::Device(_)) => {
                self.error = Some("rows cannot be pinned on the graphics adapter; use --backend cpu".to_owned());
            }
            None => {}
        }
    }

    /// True while iterations run only when asked for.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Pauses or goes on.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        let free = self.is_free();
        if let Some(run) = &mut self.run {
            run.set_free(free);
        }
    }

    fn is_free(&self) -> bool {
        !self.paused && self.iterations_per_frame.is_none()
    }

    /// Changes how many iterations a frame runs.
    pub fn set_iterations_per_frame(&mut self, iterations: Option<u32>) {
        let was_free = self.is_free();
        self.iterations_per_frame = iterations;
        if self.is_free() != was_free {
            self.set_paused(self.paused);
        }
    }

    /// One iteration while paused.
    pub fn step_once(&mut self, gpu: Option<&GpuEmbedding>) {
        if self.paused {
            self.grant(1, gpu);
        }
    }

    fn grant(&mut self, iterations: u32, gpu: Option<&GpuEmbedding>) {
        match (&mut self.run, gpu) {
            (Some(Run::Native(worker)), _) => worker.send(Command::Grant(iterations)),
            (Some(Run::Device(device)), Some(gpu)) => device.grant(iterations, gpu),
            _ => {}
        }
    }

    /// Whether snapshots shall come with lists of neighbours in the data, which costs a copy of them now and then.
    pub fn want_lists(&mut self, wanted: bool) {
        if self.wants_lists != wanted {
            self.wants_lists = wanted;
            if let Some(run) = &mut self.run {
                run.set_lists(wanted);
            }
        }
    }

    /// The latest moment seen, if there is data.
    #[must_use]
    pub fn snapshot(&self) -> Option<&Arc<Snapshot>> {
        self.latest.as_ref()
    }

    /// True where the positions that are drawn lie in the engine's own buffer.
    #[must_use]
    pub fn is_on_device(&self) -> bool {
        matches!(self.run, Some(Run::Device(_)))
    }

    /// What it is doing.
    #[must_use]
    pub fn activity(&self) -> Activity {
        match (&self.run, &self.next) {
            (_, Some(_)) => Activity::Starting,
            (None, None) => Activity::Empty,
            (Some(_), None) if self.paused => Activity::Paused,
            (Some(_), None) if self.latest.as_ref().is_some_and(|latest| latest.settled) => Activity::Settled,
            (Some(_), None) => Activity::Running,
        }
    }

    /// What went wrong since the last question, in words for the user.
    pub fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }

    /// Once a frame: takes in what the engine has published. True if there is a new snapshot.
    pub fn poll(&mut self, mut gpu: Option<&mut GpuEmbedding>) -> bool {
        if self.next.is_some() {
            self.go_over(gpu.as_deref_mut());
        }
        self.acted.clear();
        if let (Some(iterations), false) = (self.iterations_per_frame, self.paused) {
            match &mut self.run {
                Some(Run::Native(worker)) => worker.send(Command::Pace(iterations)),
                Some(Run::Device(device)) if device.is_settled() => {} // until something changes
                _ => self.grant(iterations, gpu.as_deref()),
            }
        }
        let Some(run) = &mut self.run else { return false }; // no data yet
        match run.poll(gpu) {
            Ok(Some(snapshot)) => {
                self.latest = Some(snapshot);
                true
            }
            Ok(None) => false,
            Err(reason) => {
                self.error = Some(reason);
                if run.has_ended() {
                    self.run = None;
                } else if let Some(latest) = &self.latest {
                    self.settings = latest.settings.clone(); // what was refused is not wanted any more
                }
                false
            }
        }
    }

    /// Takes the next run if it has something to show, and drops it if it never will.
    fn go_over(&mut self, mut gpu: Option<&mut GpuEmbedding>) {
        let Some(next) = &mut self.next else { return };
        match next.poll(gpu.as_deref_mut()) {
            Ok(None) => {
                if self.is_on_device() && self.next.as_ref().is_some_and(Run::holds_device) {
                    self.run = None; // there is one engine in the render graph: what comes has taken its place
                }
            }
            Ok(Some(snapshot)) => {
                self.latest = Some(snapshot);
                if let (true, Some(Run::Native(_)), Some(gpu)) = (self.is_on_device(), &self.next, gpu) {
                    gpu.speed.paused = true; // nobody looks at what it does
                }
                self.run = self.next.take();
                let (free, lists) = (self.is_free(), self.wants_lists);
                if let Some(run) = &mut self.run {
                    run.set_free(free);
                    run.set_lists(lists);
                }
            }
            Err(reason) => {
                self.error = Some(reason);
                self.next = None;
                self.set_paused(self.paused); // the run before it goes on
                if let Some(latest) = &self.latest {
                    self.settings = latest.settings.clone();
                }
            }
        }
    }
}

impl Run {
    fn poll(&mut self, gpu: Option<&mut GpuEmbedding>) -> Result<Option<Arc<Snapshot>>, String> {
        match self {
            Self::Native(worker) => {
                let ended = worker.has_ended(); // asked first: what it says before its end is heard
                match worker.take_refusal() {
                    Some(error) => Err(error.to_string()),
                    None if ended => Err("the engine stopped; open the data again".to_owned()),
                    None => Ok(worker.take()),
                }
            }
            Self::Device(device) => match gpu {
                Some(gpu) => device.poll(gpu).map_err(|error| error.to_string()),
                None => Err("there is no graphics adapter for the engine; use --backend cpu".to_owned()),
            },
        }
    }

    fn set_free(&mut self, free: bool) {
        match self {
            Self::Native(worker) => worker.send(Command::Free(free)),
            Self::Device(device) => device.set_free(free),
        }
    }

    fn set_lists(&mut self, lists: bool) {
        match self {
            Self::Native(worker) => worker.send(Command::Lists(lists)),
            Self::Device(device) => device.set_lists(lists),
        }
    }

    fn has_ended(&self) -> bool {
        match self {
            Self::Native(worker) => worker.has_ended(),
            Self::Device(device) => device.has_failed(),
        }
    }

    /// True once the engine in the render graph works for this run.
    fn holds_device(&self) -> bool {
        matches!(self, Self::Device(device) if device.is_loaded())
    }
}
