//! The face that all embedders share.

use super::GpuEngine;
use crate::error::GpuError;
use embedding::{Action, Embedder, RunError, Settings, Statistics, Timings};
use vectors::{Space, Vectors};

/// Iterations between two looks at how a search is doing: reading back interrupts the device.
const BATCH: u32 = 8;

impl From<GpuError> for RunError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Engine(error) => Self::Refused(error),
            error => Self::Device(error.to_string()),
        }
    }
}

impl Embedder for GpuEngine {
    fn run(&mut self, iterations: u32, each: &mut dyn FnMut(u32)) -> Result<(), RunError> {
        Ok(GpuEngine::run(self, iterations, each)?)
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
        GpuEngine::settings(self)
    }

    fn set_settings(&mut self, settings: Settings) -> Result<(), RunError> {
        Ok(GpuEngine::set_settings(self, settings)?)
    }

    fn insert(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), RunError> {
        Ok(GpuEngine::insert(self, rows, vectors)?)
    }

    fn remove(&mut self, rows: &[u32]) -> Result<(), RunError> {
        Ok(GpuEngine::remove(self, rows)?)
    }

    fn update(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), RunError> {
        Ok(GpuEngine::update(self, rows, vectors)?)
    }

    fn pin(&mut self, rows: &[u32], pinned: bool) -> Result<(), RunError> {
        Ok(GpuEngine::pin(self, rows, pinned)?)
    }

    fn squeeze(&mut self) -> Result<(), RunError> {
        Ok(GpuEngine::squeeze(self)?)
    }

    fn iteration(&self) -> u32 {
        GpuEngine::iteration(self)
    }

    fn dims(&self) -> usize {
        GpuEngine::dims(self)
    }

    fn positions(&mut self) -> Result<Vec<f32>, RunError> {
        Ok(GpuEngine::positions(self)?)
    }

    fn neighbours(&mut self) -> Result<(Vec<u32>, Vec<f32>), RunError> {
        Ok(GpuEngine::neighbours(self)?)
    }

    fn statistics(&mut self) -> Result<Statistics, RunError> {
        Ok(GpuEngine::statistics(self)?)
    }

    fn z(&mut self) -> Result<f64, RunError> {
        Ok(GpuEngine::statistics(self)?.z)
    }

    fn space(&self) -> &Space {
        GpuEngine::space(self)
    }

    fn row_of_point(&self) -> &[u32] {
        GpuEngine::row_of_point(self)
    }

    /// The stages run into each other on a device and count as [`device_seconds`](Embedder::device_seconds).
    fn timings(&self) -> Timings {
        Timings { start: self.start_seconds(), ..Timings::default() }
    }

    fn device(&self) -> Option<&str> {
        Some(&self.adapter().name)
    }

    fn device_seconds(&self) -> Option<f64> {
        Some(self.gpu_seconds().0)
    }

    fn batch(&self) -> u32 {
        BATCH
    }

    fn last_good(&self) -> Option<(u32, Vec<f32>)> {
        (self.last_good_iteration() > 0).then(|| (self.last_good_iteration(), self.last_good_positions()))
    }
}
