//! What the main world asks of the engine on the GPU, and what comes back.

use crate::error::GpuError;
use crate::params::Control;
use crate::params::marks::{CHANGED, DEAD};
use crate::stage::{Slot, Stage};
use bevy::ecs::resource::Resource;
use embedding::cpu::decide::Annealing;
use embedding::cpu::forces::position_stride;
use embedding::{Init, Settings, start};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use vectors::{Space, Vectors};

/// A request; they take effect in order, between two iterations.
#[derive(Debug)]
pub enum Command {
    /// Goes on with this data.
    Load(Load),
    /// Changes settings; nothing restarts.
    Settings(Box<Settings>),
    /// Lets the step fall to zero over so many iterations.
    Settle(u32),
    /// Scales all positions; whatever moved comes to rest.
    Scale(f32),
    /// Puts all points to new places, at rest: `[points][dims]` positions as the native engine lays them out, and
    /// lists of neighbours there.
    Place(Vec<f32>, Vec<u32>),
    /// Says where the spring draws points to.
    Anchors(Anchors),
    /// Points come, leave, change or are held; nobody else is touched.
    Change(Change),
    /// Squeezes out axes that are leaving by one step, without an iteration: for embeddings that stand still.
    Squeeze,
    /// Reads buffers back, into [`Report::fetched`].
    Fetch(Vec<Slot>),
    /// Overwrites the beginning of a buffer (tests and benches).
    Write(Slot, Vec<u8>),
    /// Runs one stage by itself (tests and benches).
    Run(Stage),
    /// Runs all dispatches of one start-up projection by themselves (tests and benches).
    Project,
}

impl Command {
    /// True if it may leave passes behind that run with the settings of their frame: what comes after it must wait.
    #[must_use]
    pub fn changes_the_run(&self) -> bool {
        matches!(self, Self::Load(_) | Self::Settings(_) | Self::Scale(_) | Self::Change(_) | Self::Squeeze)
    }
}

/// Data for a run, laid out by [`embedding::start::Start`].
#[derive(Debug)]
pub struct Load {
    /// The data.
    pub space: Arc<Space>,
    /// `[points][dims]` positions as the native engine lays them out.
    pub positions: Vec<f32>,
    /// Neighbours there.
    pub ld: Vec<u32>,
    /// Settings to begin with.
    pub settings: Settings,
    /// Seed of every random choice.
    pub seed: u32,
    /// Iteration to count from.
    pub iteration: u32,
    /// Iteration at which the embedding was born, if it is not new.
    pub born_at: u32,
    /// Annealing under way.
    pub annealing: Option<Annealing>,
    /// Which points do not live and which are held, by their [marks](crate::params::marks); empty if none.
    pub marks: Vec<u32>,
    /// Where the spring draws points to, if it is on.
    pub anchors: Option<Anchors>,
}

/// Where the spring draws points to: an arrangement around the origin, whose size does not matter.
#[derive(Debug, Clone)]
pub struct Anchors {
    /// `[points][dims]` as the native engine lays positions out.
    pub positions: Arc<Vec<f32>>,
    /// How many axes it has: enough for as many dimensions, and for fewer.
    pub dims: usize,
}

impl Anchors {
    /// The principal axes of the data of those who live; none where the settings have no spring.
    #[must_use]
    pub fn of(space: &Space, alive: &[bool], settings: &Settings) -> Option<Self> {
        (settings.spring > 0.0).then(|| {
            let settings = Settings { init: Init::Pca, ..settings.clone() };
            let positions = start::positions_of(space.vectors(), alive, &settings, start::random_seed(&settings));
            Self { positions: Arc::new(positions), dims: settings.dims }
        })
    }

    /// Number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.positions.len() / position_stride(self.dims)
    }
}

/// Points that come, leave, change or are held from now on. [`Rows`](crate::rows::Rows) makes them of rows.
#[derive(Debug, Clone)]
pub struct Change {
    /// Each point and its [marks](crate::params::marks): all those that it has from now on, and those that say what
    /// happens to it. A point beyond all others is the next.
    pub points: Vec<[u32; 2]>,
    /// The data of those that are [`CHANGED`], in this order.
    pub vectors: Vectors,
    /// Points that live when it is done.
    pub living: usize,
    /// One of them that has a place before, too.
    pub witness: u32,
}

impl Change {
    /// Points whose data is new, and that.
    pub fn rows(&self) -> impl Iterator<Item = (u32, &[f32])> {
        let changed = self.points.iter().filter(|[_, marks]| marks & CHANGED != 0);
        changed.enumerate().map(|(at, &[point, _])| (point, self.vectors.row(at)))
    }

    /// True unless it only holds points or lets them go.
    #[must_use]
    pub fn is_about_data(&self) -> bool {
        self.points.iter().any(|[_, marks]| marks & (CHANGED | DEAD) != 0)
    }
}

/// Buffers that were read back.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetched {
    /// Iterations done at that time.
    pub iteration: u32,
    /// Dimensions of the positions then.
    pub dims: usize,
    /// Length of the lists of neighbours in the data, and of those in the embedding, then.
    pub lengths: (usize, usize),
    /// Their bytes, in the order they were asked for.
    pub buffers: Vec<(Slot, Vec<u8>)>,
}

impl Fetched {
    /// One of the buffers as plain values; empty if it was not asked for.
    #[must_use]
    pub fn values<T: bytemuck::AnyBitPattern>(&self, slot: Slot) -> Vec<T> {
        let bytes = self.buffers.iter().find(|(known, _)| *known == slot).map_or(&[][..], |(_, bytes)| bytes);
        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
    }
}

/// What the engine says of itself.
#[derive(Debug, Default)]
pub struct Report {
    /// A run is loaded.
    pub loaded: bool,
    /// Iterations recorded so far; the GPU may still be at it.
    pub recorded: u32,
    /// Axes are leaving.
    pub squeezing: bool,
    /// The latest state that came back.
    pub control: Option<Control>,
    /// The latest buffers that came back.
    pub fetched: Option<Fetched>,
    /// The device was lost and is there again, without the data.
    pub restarted: bool,
    /// Seconds of GPU time, and the iterations they were measured over.
    pub gpu_seconds: f64,
    /// See [`gpu_seconds`](Self::gpu_seconds).
    pub gpu_iterations: u32,
    /// GPU time of the last submission alone.
    pub last_seconds: f64,
    /// Why it cannot go on.
    pub error: Option<GpuError>,
}

/// The report, seen from both worlds.
#[derive(Debug, Clone, Default)]
pub struct SharedReport(Arc<Mutex<Report>>);

impl SharedReport {
    /// Looks at it. A thread that panicked while it held the report leaves it as it was.
    pub fn lock(&self) -> MutexGuard<'_, Report> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How fast the engine runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// No iterations while paused.
    pub paused: bool,
    /// Iterations after which the engine stops by itself.
    pub until: Option<u32>,
    /// GPU time that a frame's iterations may take.
    pub budget: Duration,
}

impl Default for Speed {
    fn default() -> Self {
        // Half of a frame at 60 Hz: the other half is for drawing.
        Self { paused: false, until: None, budget: Duration::from_millis(8) }
    }
}

/// The engine as the main world sees it: send commands, read the report.
#[derive(Debug, Default, Resource)]
pub struct GpuEmbedding {
    /// How fast it runs.
    pub speed: Speed,
    pub(crate) commands: Vec<Command>,
    pub(crate) report: SharedReport,
}

impl GpuEmbedding {
    /// Sends a command.
    pub fn send(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// What the engine says of itself.
    #[must_use]
    pub fn report(&self) -> SharedReport {
        self.report.clone()
    }
}
