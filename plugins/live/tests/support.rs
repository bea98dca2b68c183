//! Data, and an embedding that is polled as frames would poll it.

use embedding::{Engine, Settings};
use live::{Begin, EnginePlace, Job, LiveEmbedding, Snapshot};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vectors::Vectors;

/// Whatever is waited for must be there by then, also on a machine that is busy with other things.
pub const DEADLINE: Duration = Duration::from_secs(60);
/// Time between two polls.
pub const FRAME: Duration = Duration::from_millis(5);
/// Polls over which something must not happen, and the time between them: long enough for many iterations.
const QUIET_POLLS: usize = 12;
const QUIET_FRAME: Duration = Duration::from_millis(15);
/// Threads of an engine: what comes out does not depend on them.
const THREADS: usize = 2;

/// A number in 0…1 that looks random.
fn noise(seed: usize) -> f32 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) & 0xFF_FFFF) as f32 / 16_777_216.0
}

/// `rows` vectors in six blobs, row by row in turn.
pub fn blobs(rows: usize, dims: usize) -> Vectors {
    let value = |row: usize, dim: usize| 6.0 * noise(1000 * (row % 6) + dim) + noise(1_000_000 + row * dims + dim);
    let values: Vec<f32> = (0..rows).flat_map(|row| (0..dims).map(move |dim| value(row, dim))).collect();
    Vectors::from_rows(&values, dims)
}

/// Settings that are soon past their youth, so that a few hundred iterations say something.
pub fn quick() -> Settings {
    Settings { perplexity: 10.0, early_iterations: 30, start_projections: 4, ..Settings::default() }
}

pub fn job(vectors: Vectors, settings: Settings) -> Job {
    Job { vectors, part: None, settings, begin: Begin::New }
}

/// An embedding in this process, and its polls.
pub struct Native {
    pub live: LiveEmbedding,
}

impl Native {
    /// Without data.
    pub fn empty() -> Self {
        Self { live: LiveEmbedding::new(EnginePlace::Cpu, THREADS) }
    }

    /// Going since it was begun, with something to see.
    pub fn running(vectors: Vectors, settings: Settings) -> Self {
        let mut native = Self::empty();
        native.live.begin(job(vectors, settings));
        native.until("something to see", |live| live.snapshot().is_some());
        native
    }

    /// Paused since before it was begun: the first moment is there, and no iteration has run.
    pub fn paused(job: Job) -> Self {
        let mut native = Self::empty();
        native.live.set_paused(true);
        native.live.begin(job);
        native.until("something to see", |live| live.snapshot().is_some());
        native
    }

    /// Polls until it is so.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&LiveEmbedding) -> bool) {
        let begun = Instant::now();
        while !is_so(&self.live) {
            assert!(begun.elapsed() < DEADLINE, "{what} is not there after {DEADLINE:?}: {:?}", self.live.activity());
            std::thread::sleep(FRAME);
            self.live.poll(None);
        }
    }

    /// Polls until so many iterations are done.
    pub fn until_iteration(&mut self, iteration: u32) {
        self.until("the iteration", |live| of(live).statistics.iteration >= iteration);
    }

    /// Polls for a while, and gives the iteration of every poll.
    pub fn look_on(&mut self) -> Vec<u32> {
        let mut seen = Vec::new();
        for _ in 0..QUIET_POLLS {
            std::thread::sleep(QUIET_FRAME);
            self.live.poll(None);
            seen.push(self.iteration());
        }
        seen
    }

    /// Pauses, and takes in what was still under way.
    pub fn pause(&mut self) {
        self.live.set_paused(true);
        self.look_on();
    }

    /// One iteration, waited for.
    pub fn step(&mut self) {
        let next = self.iteration() + 1;
        self.live.step_once(None);
        self.until("a single iteration", |live| of(live).statistics.iteration == next);
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(of(&self.live))
    }

    pub fn iteration(&self) -> u32 {
        self.snapshot().statistics.iteration
    }

    pub fn size(&self) -> f32 {
        self.snapshot().statistics.size
    }
}

pub fn of(live: &LiveEmbedding) -> &Arc<Snapshot> {
    live.snapshot().expect("there is data")
}

/// What the engine by itself makes of the data in so many iterations, row by row.
pub fn engine_after(iterations: u32, vectors: Vectors, settings: &Settings) -> Vec<f32> {
    let mut engine = Engine::new(vectors, settings.clone()).unwrap();
    (0..iterations).for_each(|_| engine.step());
    engine.positions()
}

/// Root mean square of the moves between two moments, as a share of the size.
pub fn motion(before: &Snapshot, after: &Snapshot) -> f32 {
    let squares: f32 = before.positions.iter().zip(after.positions.iter()).map(|(a, b)| (a - b).powi(2)).sum();
    (squares / after.data.points() as f32).sqrt() / after.statistics.size
}
