//! The data of the experiments: made by a seed, built in, or read.

use super::{Laboratory, SEED};
use crate::error::CommandError;
use crate::input::Input;
use dataset::{AttributeColumns, Dataset, LoadOptions};
use embedding::random::{hash, normal};
use std::path::PathBuf;
use vectors::Vectors;

/// Gaussian blobs.
#[derive(Debug, Clone, Copy)]
pub struct Blobs {
    pub centres: usize,
    pub rows_each: usize,
    pub dims: usize,
    /// Standard deviation of a blob along an axis, where that of the centres is 1.
    pub spread: f32,
}

/// The paper gives the number of dimensions of no blobs; of those it takes its times on it does, and all have it here.
pub const BLOB_DIMS: usize = 32;

impl Blobs {
    /// Five blobs that lie within each other.
    pub fn overlapping(rows: usize) -> Self {
        Self { centres: 5, rows_each: rows / 5, dims: BLOB_DIMS, spread: 2.0 }
    }

    /// Many small blobs, far apart.
    pub fn disjoint(centres: usize) -> Self {
        Self { centres, rows_each: 30, dims: BLOB_DIMS, spread: 0.01 }
    }

    /// The rows, blob by blob in turn.
    pub fn vectors(self) -> Vectors {
        let random = |kind: u32, point: usize, axis: usize| {
            let draw = |half| hash(SEED as u32, kind, point as u32, 2 * axis as u32 + half);
            normal(draw(0), draw(1))
        };
        let value = |row: usize, axis| random(0, row % self.centres, axis) + self.spread * random(1, row, axis);
        let mut vectors = Vectors::zeros(self.centres * self.rows_each, self.dims);
        for row in 0..vectors.rows() {
            vectors.row_mut(row).iter_mut().enumerate().for_each(|(axis, place)| *place = value(row, axis));
        }
        vectors
    }
}

impl Laboratory<'_> {
    /// A set of the data directory; at most so many rows of it, with these other columns.
    pub fn load(&self, file: &str, rows: Option<usize>, attributes: &[&str]) -> Result<Dataset, CommandError> {
        self.read(&Input::of(&[self.data.join(file)]), rows, attributes)
    }

    /// So many of the digits that are built in.
    pub fn digits(&self, rows: usize, attributes: &[&str]) -> Result<Dataset, CommandError> {
        self.read(&Input::of(&[PathBuf::from(crate::input::DEMO)]), Some(rows), attributes)
    }

    fn read(&self, input: &Input, rows: Option<usize>, attributes: &[&str]) -> Result<Dataset, CommandError> {
        let attributes = match attributes {
            [] => AttributeColumns::None,
            names => AttributeColumns::Only(names.iter().map(|&name| name.to_owned()).collect()),
        };
        input.load(&LoadOptions { sample: rows, seed: SEED, attributes, ..LoadOptions::default() }, self.console)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean squared distance of rows `apart` rows from each other.
    fn mean_squared(vectors: &Vectors, apart: usize) -> f32 {
        let squared = |row: usize| -> f32 {
            vectors.row(row).iter().zip(vectors.row(row + apart)).map(|(a, b)| (a - b).powi(2)).sum()
        };
        (0..100).map(squared).sum::<f32>() / 100.0
    }

    #[test]
    fn blobs_are_as_far_apart_as_they_say() {
        let disjoint = Blobs::disjoint(40).vectors();
        assert_eq!((disjoint.rows(), disjoint.dims()), (1200, BLOB_DIMS));
        assert!(mean_squared(&disjoint, 1) > 1000.0 * mean_squared(&disjoint, 40));
        let overlapping = Blobs::overlapping(1000).vectors();
        assert!(mean_squared(&overlapping, 1) < 2.0 * mean_squared(&overlapping, 5));
    }
}
