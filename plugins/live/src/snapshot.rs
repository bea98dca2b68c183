//! What a running embedding shows of itself.

use embedding::{Engine, Settings, Statistics};
use std::sync::Arc;
use vectors::{Space, Vectors};

/// The data of a run, in *points*: the engine's order, which neighbours lie near each other in. Everything that is
/// drawn, picked or measured is counted in points; rows come back only where a user reads them.
#[derive(Debug)]
pub struct LiveData {
    /// The rows, in the order of the points; shares the engine's matrix.
    pub space: Space,
    /// Row of each point, as the table numbers it.
    pub row_of_point: Vec<u32>,
    /// Point of each row of the table; [`ABSENT`] where only other rows are embedded.
    pub point_of_row: Vec<u32>,
    /// The last [`Change`] that it holds; 0 before the first.
    pub version: u64,
}

/// Rows of the table that come, leave and change while the embedding runs. Numbers of rows that left are used again; a
/// row that comes where one lives takes its place.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// Counts the changes, from 1.
    pub version: u64,
    /// Rows that leave.
    pub departed: Vec<u32>,
    /// Rows that come, and their data.
    pub arrived: (Vec<u32>, Vectors),
    /// Rows whose data is another, and that.
    pub updated: (Vec<u32>, Vectors),
}

/// No point: the row is not embedded.
pub const ABSENT: u32 = u32::MAX;

/// Some rows of a table: what is embedded where it is not all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The rows, ascending.
    pub rows: Arc<Vec<u32>>,
    /// How many rows the table has.
    pub of: usize,
}

impl LiveData {
    /// The data of a run whose points are these rows of the whole table, or of a part of it.
    #[must_use]
    pub fn new(space: Space, mut row_of_point: Vec<u32>, part: Option<&Part>) -> Self {
        if let Some(part) = part {
            row_of_point.iter_mut().for_each(|row| *row = part.rows[*row as usize]);
        }
        let mut point_of_row = vec![ABSENT; part.map_or(row_of_point.len(), |part| part.of)];
        for (point, &row) in row_of_point.iter().enumerate() {
            point_of_row[row as usize] = point as u32;
        }
        Self { space, row_of_point, point_of_row, version: 0 }
    }

    /// The data of the rows that live in an engine to which rows come and from which they leave: a copy, since the
    /// engine writes to its own. Also the engine's point of each of these.
    pub(crate) fn living(engine: &Engine, version: u64) -> (Self, Vec<u32>) {
        let alive = engine.alive();
        let places: Vec<u32> = (0..alive.len() as u32).filter(|&place| alive[place as usize]).collect();
        let mut vectors = Vectors::with_capacity(places.len(), engine.space().vectors().dims());
        let mut row_of_point = Vec::with_capacity(places.len());
        let mut point_of_row = vec![ABSENT; alive.len()];
        for (point, &place) in (0..).zip(&places) {
            vectors.push(engine.space().vectors().row(place as usize));
            let row = engine.row_of_point()[place as usize];
            row_of_point.push(row);
            point_of_row[row as usize] = point;
        }
        let space = Space::new(vectors, engine.space().metric());
        (Self { space, row_of_point, point_of_row, version }, places)
    }

    /// The point of a row, if it is embedded.
    #[must_use]
    pub fn point(&self, row: u32) -> Option<u32> {
        self.point_of_row.get(row as usize).copied().filter(|&point| point != ABSENT)
    }

    /// Rows of the table, embedded or not.
    #[must_use]
    pub fn table_rows(&self) -> usize {
        self.point_of_row.len()
    }

    /// The rows that are embedded, ascending.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.point_of_row).filter(|(_, point)| **point != ABSENT).map(|(row, _)| row)
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
    /// Dimensions of a position: those of the settings, or more while axes are leaving.
    pub dims: usize,
    /// Values of a position in memory.
    pub stride: usize,
    /// The settings in force, as the engine has them.
    pub settings: Settings,
    /// How the run is doing.
    pub statistics: Statistics,
    /// Iterations a second, smoothed; 0 while nothing runs.
    pub rate: f32,
    /// The layout has come to rest and its neighbours are found: no iteration runs by itself until something changes.
    pub settled: bool,
    /// Lists of neighbours, once somebody asked for them; not always of this very iteration.
    pub lists: Option<Arc<HdLists>>,
}

impl Snapshot {
    /// Position of a point.
    #[must_use]
    pub fn position(&self, point: usize) -> &[f32] {
        &self.positions[point * self.stride..][..self.dims]
    }

    /// `[rows][dims]` positions of the rows that are embedded, in their order, for files.
    #[must_use]
    pub fn positions_by_row(&self) -> Vec<f32> {
        let embedded = self.data.point_of_row.iter().filter(|point| **point != ABSENT);
        embedded.flat_map(|&point| self.position(point as usize)).copied().collect()
    }
}

/// What to embed.
#[derive(Debug, Clone)]
pub struct Job {
    /// The rows.
    pub vectors: Vectors,
    /// Which rows of the table they are, if not all.
    pub part: Option<Part>,
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
