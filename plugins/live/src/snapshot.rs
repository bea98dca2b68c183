//! What a running embedding shows of itself.

use embedding::{Settings, Statistics};
use std::sync::Arc;
use vectors::{Space, Vectors};

/// The data of a run, in *points*: the engine's order, which neighbours lie near each other in. Everything that is
/// drawn, picked or measured is counted in points; rows come back only where a user reads them.
#[derive(Debug)]
pub struct LiveData {
    /// The rows, in the order of the points; shares the engine's matrix.
    pub space: Space,
    /// Row of each point, in the order the data was given.
    pub row_of_point: Vec<u32>,
    /// Point of each row.
    pub point_of_row: Vec<u32>,
}

impl LiveData {
    /// The data of a run whose points are these rows.
    #[must_use]
    pub fn new(space: Space, row_of_point: Vec<u32>) -> Self {
        let mut point_of_row = vec![0; row_of_point.len()];
        for (point, &row) in row_of_point.iter().enumerate() {
            point_of_row[row as usize] = point as u32;
        }
        Self { space, row_of_point, point_of_row }
    }

    /// Number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.row_of_point.len()
    }
}

/// Lists of nearest rows in the data, in points.
#[derive(Debug)]
pub struct HdLists {
    /// `[points][k]`, nearest first; `u32::MAX` where a list is not full.
    pub neighbours: Vec<u32>,
    /// Length of a list.
    pub k: usize,
    /// Iterations done when they were read.
    pub iteration: u32,
}

/// A moment of a running embedding.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// What is embedded.
    pub data: Arc<LiveData>,
    /// `[points][stride]` positions.
    pub positions: Arc<Vec<f32>>,
    /// Dimensions of a position.
    pub dims: usize,
    /// Values of a position in memory.
    pub stride: usize,
    /// The settings in force, as the engine has them.
    pub settings: Settings,
    /// How the run is doing.
    pub statistics: Statistics,
    /// Iterations a second, smoothed; 0 while nothing runs.
    pub rate: f32,
    /// Lists of neighbours, once somebody asked for them; not always of this very iteration.
    pub lists: Option<Arc<HdLists>>,
}

impl Snapshot {
    /// Position of a point.
    #[must_use]
    pub fn position(&self, point: usize) -> &[f32] {
        &self.positions[point * self.stride..][..self.dims]
    }

    /// `[rows][dims]` positions in row order, for files.
    #[must_use]
    pub fn positions_by_row(&self) -> Vec<f32> {
        let mut positions = vec![0.0; self.data.points() * self.dims];
        for (point, &row) in self.data.row_of_point.iter().enumerate() {
            positions[row as usize * self.dims..][..self.dims].copy_from_slice(self.position(point));
        }
        positions
    }
}

/// What to embed.
#[derive(Debug, Clone)]
pub struct Job {
    /// The rows.
    pub vectors: Vectors,
    /// Settings to begin with.
    pub settings: Settings,
    /// Where to begin.
    pub begin: Begin,
}

/// Where an embedding begins.
#[derive(Debug, Clone, Default)]
pub enum Begin {
    /// Where the settings say.
    #[default]
    New,
    /// From an arrangement of the rows, whose size is not kept.
    From(Vectors),
    /// Exactly where it was left, after so many iterations.
    Resume(Vectors, u32),
}

/// What one can do to an embedding beside changing its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Let the step fall to zero over so many iterations: noise leaves the positions.
    Settle(u32),
    /// Draw all points together, so that order can form anew.
    Implode,
    /// Blow the embedding up.
    Explode,
    /// Back to a start; neighbours are kept.
    Reset,
}
