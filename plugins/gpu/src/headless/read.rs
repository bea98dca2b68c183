//! What a run without a window tells of itself.

use super::GpuEngine;
use crate::adapter::AdapterSummary;
use crate::error::GpuError;
use crate::params::Control;
use crate::stage::Slot;
use embedding::cpu::forces::position_stride as native_stride;
use embedding::lists::{EMPTY, POINT};
use embedding::{Settings, Statistics};
use vectors::Space;

impl GpuEngine {
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

    /// Number of rows: of numbers that are or were in use. Fewer may [live](Self::living).
    #[must_use]
    pub fn rows(&self) -> usize {
        self.space.rows()
    }

    /// The data, in the order of the points.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The caller's row of each point, living or not.
    #[must_use]
    pub fn row_of_point(&self) -> &[u32] {
        self.rows.living().row_of_point()
    }

    /// Iterations done.
    #[must_use]
    pub fn iteration(&self) -> u32 {
        self.iteration
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
        let row = self.row_of_point().get(control.quarantined as usize).copied();
        Ok(Statistics {
            iteration: control.iteration,
            refinement_rate: control.rate,
            settled: 1.0 - control.rate.clamp(0.0, 1.0),
            z: f64::from(control.z),
            size: control.size,
            quarantined_row: row,
            ..Statistics::default()
        })
    }

    /// `[rows][dims]` positions in the caller's row order; [`dims`](Self::dims) says of how many dimensions. Those of
    /// rows that have left mean nothing.
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
        let dims = self.safe_dims;
        let mut positions = vec![0.0; self.rows() * dims];
        for (position, &row) in self.safe.0.chunks_exact(native_stride(dims)).zip(self.row_of_point()) {
            positions[row as usize * dims..][..dims].copy_from_slice(&position[..dims]);
        }
        positions
    }

    /// Dimensions of the positions that came back last: those of the settings, or more while axes are leaving.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.safe_dims
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
        let fetched = self.fetch(&[Slot::HdEntries, Slot::HdDistances])?;
        let k = fetched.lengths.0;
        let (entries, squared) = (fetched.values::<u32>(Slot::HdEntries), fetched.values::<f32>(Slot::HdDistances));
        let mut neighbours = vec![u32::MAX; self.rows() * k];
        let mut distances = vec![f32::INFINITY; self.rows() * k];
        let lists = entries.chunks_exact(k).zip(squared.chunks_exact(k));
        for ((entries, squared), &row) in lists.zip(self.row_of_point()) {
            let first = row as usize * k;
            for (at, (entry, squared)) in entries.iter().zip(squared).enumerate() {
                if entry & POINT != EMPTY {
                    neighbours[first + at] = self.row_of_point()[(entry & POINT) as usize];
                    distances[first + at] = squared.sqrt();
                }
            }
        }
        Ok((neighbours, distances))
    }
}
