//! Rows that come, leave, change or are held while a run goes on, as [`embedding::Engine`] has them.

use super::GpuEngine;
use crate::command::{Change, Command};
use crate::error::GpuError;
use embedding::change::woken;
use std::sync::Arc;
use vectors::Vectors;

impl GpuEngine {
    /// Takes rows in. Each must be a number that does not live: one that has left, or the next ones after all. A new
    /// point finds its neighbours by a short search and starts among them.
    ///
    /// # Errors
    /// If a row lives already or leaves a gap, the vectors do not fit, or the adapter cannot hold so many; then nothing
    /// changes. Or if the device fails.
    pub fn insert(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), GpuError> {
        self.change(self.rows.insert(rows, vectors, &self.space)?)
    }

    /// Lets rows leave. At least two must stay.
    ///
    /// # Errors
    /// If one does not live or too few would be left; then nothing changes. Or if the device fails.
    pub fn remove(&mut self, rows: &[u32]) -> Result<(), GpuError> {
        self.change(self.rows.remove(rows)?)
    }

    /// Gives rows other data. Their points stay where they are and move on from there.
    ///
    /// # Errors
    /// If a row does not live or the vectors do not fit; then nothing changes. Or if the device fails.
    pub fn update(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), GpuError> {
        self.change(self.rows.update(rows, vectors, &self.space)?)
    }

    /// Holds rows where they are, as firmly as the [`stiffness`](embedding::Settings::stiffness) says, or lets them go.
    ///
    /// # Errors
    /// If one does not live; then nothing changes. Or if the device fails.
    pub fn pin(&mut self, rows: &[u32], pinned: bool) -> Result<(), GpuError> {
        self.change(self.rows.pin(rows, pinned)?)
    }

    /// True if a row lives.
    #[must_use]
    pub fn lives(&self, row: u32) -> bool {
        self.point(row).is_some()
    }

    /// True if a row is held where it is.
    #[must_use]
    pub fn is_pinned(&self, row: u32) -> bool {
        self.point(row).is_some_and(|point| self.rows.pinned()[point as usize])
    }

    /// How many rows live.
    #[must_use]
    pub fn living(&self) -> usize {
        self.rows.living().count()
    }

    /// Which points live; the others are free slots.
    #[must_use]
    pub fn alive(&self) -> &[bool] {
        self.rows.living().alive()
    }

    /// The point of a row that lives.
    #[must_use]
    pub fn point(&self, row: u32) -> Option<u32> {
        self.rows.living().point(row)
    }

    /// Has the device do it, and takes note when it has.
    fn change(&mut self, change: Change) -> Result<(), GpuError> {
        if change.points.is_empty() {
            return Ok(());
        }
        let restarts = self.restarts;
        self.send(Command::Change(change.clone()));
        self.pump_until(|engine| engine.embedding().commands.is_empty())?;
        self.rows.take(&change, &self.settings, Arc::make_mut(&mut self.space));
        if !change.is_about_data() {
            return Ok(());
        }
        self.anchor(&self.settings.clone());
        self.annealing = self.annealing.map(|annealing| woken(annealing, self.iteration));
        if self.restarts > restarts {
            return self.recover(); // the device was lost with it, and came back without
        }
        self.fetch_positions() // those who came are among what is safe
    }
}
