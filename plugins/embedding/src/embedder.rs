//! One face for whatever embeds: the native [`Engine`], or one on a device, whose every step may fail.

use crate::{Engine, EngineError, Settings, Statistics, Timings};
use vectors::{Space, Vectors};

/// Why a running embedding cannot be changed or go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Settings, rows or vectors are refused; nothing has changed.
    #[error(transparent)]
    Refused(#[from] EngineError),
    /// The device has failed; what it says and what would help.
    #[error("{0}")]
    Device(String),
}

/// What can be done to an embedding, apart from changing its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Let the step fall to zero over this many iterations: noise leaves the positions.
    Settle(u32),
    /// Draw all points together, so that large-scale order can form again.
    Implode,
    /// Blow the embedding up.
    Explode,
    /// Back to a start; neighbours are kept.
    Reset,
}

/// A running embedding. Rows are the caller's; points are the same rows in an order of the embedder's own
/// ([`row_of_point`](Self::row_of_point)).
pub trait Embedder {
    /// Runs iterations; `each` hears now and then how many are done since the beginning.
    ///
    /// # Errors
    /// If the device fails.
    fn run(&mut self, iterations: u32, each: &mut dyn FnMut(u32)) -> Result<(), RunError>;

    /// Does something to the embedding.
    fn act(&mut self, action: Action);

    /// The present settings.
    fn settings(&self) -> &Settings;

    /// Changes settings between two iterations.
    ///
    /// # Errors
    /// If they are refused, and nothing has changed then; or if the device fails.
    fn set_settings(&mut self, settings: Settings) -> Result<(), RunError>;

    /// Takes rows in: numbers of rows that have left, or the next ones after all.
    ///
    /// # Errors
    /// If rows or vectors are refused, and nothing has changed then; or if the device fails.
    fn insert(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), RunError>;

    /// Lets rows leave. At least two must stay.
    ///
    /// # Errors
    /// If rows are refused, and nothing has changed then; or if the device fails.
    fn remove(&mut self, rows: &[u32]) -> Result<(), RunError>;

    /// Gives rows other vectors.
    ///
    /// # Errors
    /// If rows or vectors are refused, and nothing has changed then; or if the device fails.
    fn update(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), RunError>;

    /// Holds rows in their places, or lets go of them.
    ///
    /// # Errors
    /// If a row is not there, and nothing has changed then; or if the device fails.
    fn pin(&mut self, rows: &[u32], pinned: bool) -> Result<(), RunError>;

    /// Squeezes out axes that are leaving by one step, where no iteration does it.
    ///
    /// # Errors
    /// If the device fails.
    fn squeeze(&mut self) -> Result<(), RunError>;

    /// Iterations done.
    fn iteration(&self) -> u32;

    /// Dimensions of the positions that were last asked for: those of the settings, or more while axes are leaving.
    fn dims(&self) -> usize;

    /// `[rows][dims]` positions, by row.
    ///
    /// # Errors
    /// If the device fails.
    fn positions(&mut self) -> Result<Vec<f32>, RunError>;

    /// `[rows][k]` neighbours in the data and their distances, by row and in numbers of rows.
    ///
    /// # Errors
    /// If the device fails.
    fn neighbours(&mut self) -> Result<(Vec<u32>, Vec<f32>), RunError>;

    /// How the run is doing.
    ///
    /// # Errors
    /// If the device fails.
    fn statistics(&mut self) -> Result<Statistics, RunError>;

    /// The normaliser of the similarities at the present positions, or on a device before its last move.
    ///
    /// # Errors
    /// If the device fails.
    fn z(&mut self) -> Result<f64, RunError>;

    /// The data, in the order of the points.
    fn space(&self) -> &Space;

    /// `[points]` the caller's row of each.
    fn row_of_point(&self) -> &[u32];

    /// Where the time went so far.
    fn timings(&self) -> Timings;

    /// Name of the device; none for native code.
    fn device(&self) -> Option<&str> {
        None
    }

    /// Seconds that the device was at work; none for native code.
    fn device_seconds(&self) -> Option<f64> {
        None
    }

    /// Iterations between two looks at [`statistics`](Self::statistics): reading back interrupts a device.
    fn batch(&self) -> u32 {
        1
    }

    /// Search and descent may take turns instead of sharing every iteration: for runs that nobody watches.
    fn hurry(&mut self, _in_turns: bool) {}

    /// Keeps no more than moving points takes: for runs after which nobody asks for neighbours.
    fn spare_memory(&mut self) {}

    /// Statistics and `[points][stride]` positions, where they can be had without stopping anything.
    fn moment(&self) -> Option<(Statistics, &[f32], usize)> {
        None
    }

    /// What is left after a device has failed for good: the iterations done by then, and `[rows][dims]` positions.
    fn last_good(&self) -> Option<(u32, Vec<f32>)> {
        None
    }
}

impl Embedder for Engine {
    fn run(&mut self, iterations: u32, each: &mut dyn FnMut(u32)) -> Result<(), RunError> {
        for _ in 0..iterations {
            self.step();
            each(Engine::iteration(self));
        }
        Ok(())
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Settle(iterations) => self.settle(iterations),
            Action::Implode => self.implode(),
            Action::Explode => self.explode(),
            Action::Reset => self.reset(),
        }
    }

    fn settings(&self) -> &Settings {
        Engine::settings(self)
    }

    fn set_settings(&mut self, settings: Settings) -> Result<(), RunError> {
        Ok(Engine::set_settings(self, settings)?)
    }

    fn insert(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), RunError> {
        Ok(Engine::insert(self, rows, vectors)?)
    }

    fn remove(&mut self, rows: &[u32]) -> Result<(), RunError> {
        Ok(Engine::remove(self, rows)?)
    }

    fn update(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), RunError> {
        Ok(Engine::update(self, rows, vectors)?)
    }

    fn pin(&mut self, rows: &[u32], pinned: bool) -> Result<(), RunError> {
        Ok(Engine::pin(self, rows, pinned)?)
    }

    fn squeeze(&mut self) -> Result<(), RunError> {
        Engine::squeeze(self);
        Ok(())
    }

    fn iteration(&self) -> u32 {
        Engine::iteration(self)
    }

    fn dims(&self) -> usize {
        Engine::dims(self)
    }

    fn positions(&mut self) -> Result<Vec<f32>, RunError> {
        Ok(Engine::positions(self))
    }

    fn neighbours(&mut self) -> Result<(Vec<u32>, Vec<f32>), RunError> {
        Ok(Engine::neighbours(self))
    }

    fn statistics(&mut self) -> Result<Statistics, RunError> {
        Ok(Engine::statistics(self))
    }

    fn z(&mut self) -> Result<f64, RunError> {
        Ok(self.present_z())
    }

    fn space(&self) -> &Space {
        Engine::space(self)
    }

    fn row_of_point(&self) -> &[u32] {
        Engine::row_of_point(self)
    }

    fn timings(&self) -> Timings {
        Engine::timings(self)
    }

    fn hurry(&mut self, in_turns: bool) {
        Engine::hurry(self, in_turns);
    }

    fn spare_memory(&mut self) {
        Engine::spare_memory(self);
    }

    fn moment(&self) -> Option<(Statistics, &[f32], usize)> {
        let (positions, stride) = self.point_positions();
        Some((Engine::statistics(self), positions, stride))
    }
}
