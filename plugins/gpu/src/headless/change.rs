//! Rows that come, leave, change or are held while a run goes on, as [`embedding::Engine`] has them.

use super::GpuEngine;
use crate::command::{Change, Command};
use crate::error::GpuError;
use crate::params::marks::{CHANGED, COMING, DEAD, PINNED};
use embedding::EngineError;
use embedding::living::{Living, check_vectors, fitting};
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
        check_vectors(rows, vectors, self.space.vectors().dims())?;
        self.living.check_free(rows)?;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|&at| rows[at]); // those at the end come in the order of their numbers
        let mut living = self.living.clone();
        let mut sorted = Vectors::with_capacity(rows.len(), vectors.dims());
        let mut points = Vec::with_capacity(rows.len());
        for at in order {
            points.push([living.add(rows[at]), CHANGED | COMING]);
            sorted.push(vectors.row(at));
        }
        self.change(points, sorted, living)
    }

    /// Lets rows leave. At least two must stay.
    ///
    /// # Errors
    /// If one does not live or too few would be left; then nothing changes. Or if the device fails.
    pub fn remove(&mut self, rows: &[u32]) -> Result<(), GpuError> {
        self.living.check_living(rows)?;
        let left = self.living.count() - rows.len();
        if left < 2 {
            return Err(EngineError::TooFewRows { rows: left }.into());
        }
        let mut living = self.living.clone();
        let points: Vec<[u32; 2]> = self.points_of(rows).map(|point| [point, DEAD]).collect();
        points.iter().for_each(|&[point, _]| living.take(point));
        self.change(points, Vectors::with_capacity(0, self.space.vectors().dims()), living)
    }

    /// Gives rows other data. Their points stay where they are and move on from there.
    ///
    /// # Errors
    /// If a row does not live or the vectors do not fit; then nothing changes. Or if the device fails.
    pub fn update(&mut self, rows: &[u32], vectors: &Vectors) -> Result<(), GpuError> {
        check_vectors(rows, vectors, self.space.vectors().dims())?;
        self.living.check_living(rows)?;
        let points = self.points_of(rows).map(|point| [point, CHANGED | self.held(point)]).collect();
        self.change(points, vectors.clone(), self.living.clone())
    }

    /// Holds rows where they are, as firmly as the [`stiffness`](embedding::Settings::stiffness) says, or lets them go.
    ///
    /// # Errors
    /// If one does not live; then nothing changes. Or if the device fails.
    pub fn pin(&mut self, rows: &[u32], pinned: bool) -> Result<(), GpuError> {
        if let Some(&row) = rows.iter().find(|&&row| self.living.point(row).is_none()) {
            return Err(EngineError::NotLiving { row }.into());
        }
        let mut points: Vec<[u32; 2]> =
            self.points_of(rows).map(|point| [point, if pinned { PINNED } else { 0 }]).collect();
        points.sort_unstable();
        points.dedup();
        self.change(points, Vectors::with_capacity(0, self.space.vectors().dims()), self.living.clone())
    }

    /// True if a row is held where it is.
    #[must_use]
    pub fn is_pinned(&self, row: u32) -> bool {
        self.living.point(row).is_some_and(|point| self.held(point) != 0)
    }

    /// How many rows live.
    #[must_use]
    pub fn living(&self) -> usize {
        self.living.count()
    }

    /// Which points live; the others are free slots.
    #[must_use]
    pub fn alive(&self) -> &[bool] {
        self.living.alive()
    }

    /// The point of a row that lives.
    #[must_use]
    pub fn point(&self, row: u32) -> Option<u32> {
        self.living.point(row)
    }

    fn points_of(&self, rows: &[u32]) -> impl Iterator<Item = u32> {
        rows.iter().filter_map(|&row| self.living.point(row))
    }

    /// The mark of a point that is held, or none.
    fn held(&self, point: u32) -> u32 {
        if self.pinned.get(point as usize) == Some(&true) { PINNED } else { 0 }
    }

    /// Marks of all points, as a run that is loaded anew needs them.
    pub(super) fn marks(&self) -> Vec<u32> {
        let alive = self.living.alive().iter();
        (0..).zip(alive).map(|(point, &alive)| if alive { self.held(point) } else { DEAD }).collect()
    }

    /// Has the device do it, and takes note when it is done.
    fn change(&mut self, points: Vec<[u32; 2]>, vectors: Vectors, living: Living) -> Result<(), GpuError> {
        if points.is_empty() {
            return Ok(());
        }
        let stays = |(before, after): (&bool, &bool)| *before && *after;
        let witness = self.living.alive().iter().zip(living.alive()).position(stays);
        let change = Change {
            points: points.clone(),
            vectors: vectors.clone(),
            living: living.count(),
            witness: witness.unwrap_or(0) as u32,
        };
        self.send(Command::Change(change));
        self.pump_until(|engine| engine.embedding().commands.is_empty())?;
        self.living = living;
        self.pinned.resize(self.living.alive().len(), false);
        let mut rows = 0;
        for &[point, marks] in &points {
            self.pinned[point as usize] = marks & PINNED != 0;
            if marks & CHANGED != 0 {
                Arc::make_mut(&mut self.space).put(point as usize, vectors.row(rows));
                rows += 1;
            }
        }
        if points.iter().all(|[_, marks]| marks & (DEAD | CHANGED) == 0) {
            return Ok(()); // held or let go, that is all
        }
        self.fitted = fitting(self.fitted, self.living.count(), &self.settings);
        self.annealing = None;
        self.fetch_positions() // those who came are among what is safe
    }
}
