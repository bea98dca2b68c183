//! Cells: rows that lie together, by a few rounds of k-means on a sample. Neighbours are mostly in the same cell or in
//! one next to it, and whole cells can be compared at the price of few single rows (see [`super::tile`]).

use super::tile::{Frame, PANEL, QUERIES, STRIP, STRIPS, Strips};
use crate::lists::EMPTY;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use vectors::Space;

/// Rows that the middles of the cells are learnt from, for each cell.
const LEARNT_FROM: usize = 48;
/// Rounds of learning.
const ROUNDS: usize = 4;
/// Rows that are assigned together.
const BLOCK: usize = 16 * QUERIES;

/// The cells of a space.
#[derive(Debug)]
pub struct Cells {
    /// How rows are laid down.
    pub frame: Frame,
    /// The middles of the cells, in strips; the points of these are cells.
    pub middles: Strips,
    /// All rows, cell by cell; each cell begins with a strip of its own.
    pub rows: Strips,
    /// `[cells + 1]` where cells begin, in strips.
    pub starts: Vec<u32>,
}

impl Cells {
    /// Assigns every living point to one of `count` cells (at least one).
    #[must_use]
    pub fn of(space: &Space, alive: &[bool], count: usize) -> Self {
        let frame = Frame::of(space);
        let points: Vec<u32> = (0..space.rows() as u32).filter(|&point| alive[point as usize]).collect();
        let middles = learn(space, &frame, &points, count);
        let cell_of = assign(space, &frame, &middles, &points);
        let mut sizes = vec![0_u32; count];
        cell_of.iter().for_each(|&cell| sizes[cell as usize] += 1);
        let mut starts = vec![0; count + 1];
        for (cell, &size) in sizes.iter().enumerate() {
            starts[cell + 1] = starts[cell] + size.div_ceil(STRIP as u32);
        }
        let mut listed = vec![[EMPTY; STRIP]; starts[count] as usize];
        let places = listed.as_flattened_mut();
        let mut next: Vec<u32> = starts.iter().map(|&start| start * STRIP as u32).collect();
        for (&point, &cell) in points.iter().zip(&cell_of) {
            places[next[cell as usize] as usize] = point;
            next[cell as usize] += 1;
        }
        let rows = Strips::of(listed, &frame, |point, row| frame.put(space, point as usize, row));
        Self { frame, middles, rows, starts }
    }

    /// Number of cells.
    #[must_use]
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Some points' rows in the frame, one after another.
    #[must_use]
    pub fn framed(&self, space: &Space, points: &[u32]) -> Vec<f32> {
        let dims = self.frame.dims();
        let mut rows = vec![0.0; points.len() * dims];
        for (row, &point) in rows.chunks_exact_mut(dims).zip(points) {
            self.frame.put(space, point as usize, row);
        }
        rows
    }

    /// The points of a cell.
    pub fn points(&self, cell: usize) -> impl Iterator<Item = u32> {
        let strips = &self.rows.points[self.starts[cell] as usize..self.starts[cell + 1] as usize];
        strips.as_flattened().iter().copied().filter(|&point| point != EMPTY)
    }
}

/// The middles of the cells: means of the rows nearest to them, a few times over. Points lie in the order of a tree, so
/// evenly spaced ones are a fair beginning.
fn learn(space: &Space, frame: &Frame, points: &[u32], count: usize) -> Strips {
    let dims = frame.dims();
    let step = (points.len() / (count * LEARNT_FROM)).max(1);
    let sample: Vec<u32> = points.iter().copied().step_by(step).collect();
    let mut middles = vec![0.0; count * dims];
    for (cell, middle) in middles.chunks_exact_mut(dims).enumerate() {
        frame.put(space, sample[cell * sample.len() / count] as usize, middle);
    }
    let mut row = vec![0.0; dims];
    for _ in 0..ROUNDS {
        let cell_of = assign(space, frame, &strips(frame, &middles), &sample);
        let (mut sums, mut sizes) = (vec![0.0; count * dims], vec![0_u32; count]);
        for (&point, &cell) in sample.iter().zip(&cell_of) {
            frame.put(space, point as usize, &mut row);
            let sum = &mut sums[cell as usize * dims..][..dims];
            sum.iter_mut().zip(&row).for_each(|(sum, value)| *sum += value);
            sizes[cell as usize] += 1;
        }
        for (cell, &size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0) {
            let sum = &sums[cell * dims..][..dims];
            middles[cell * dims..][..dims].iter_mut().zip(sum).for_each(|(middle, sum)| *middle = sum / size as f32);
        }
    }
    strips(frame, &middles)
}

/// Middles in strips.
fn strips(frame: &Frame, middles: &[f32]) -> Strips {
    let dims = frame.dims();
    let count = (middles.len() / dims) as u32;
    let mut cells = vec![[EMPTY; STRIP]; count.div_ceil(STRIP as u32) as usize];
    cells.as_flattened_mut().iter_mut().zip(0..count).for_each(|(place, cell)| *place = cell);
    Strips::of_lengths(cells, dims, |cell, row| row.copy_from_slice(&middles[cell as usize * dims..][..dims]))
}

/// The nearest cell of each of some points.
fn assign(space: &Space, frame: &Frame, middles: &Strips, points: &[u32]) -> Vec<u32> {
    let mut cell_of = vec![0; points.len()];
    let blocks = cell_of.par_chunks_mut(BLOCK).zip(points.par_chunks(BLOCK));
    blocks.for_each_init(Vec::new, |rows, (cells, points)| {
        let dims = frame.dims();
        rows.resize(points.len() * dims, 0.0);
        for (row, &point) in rows.chunks_exact_mut(dims).zip(points) {
            frame.put(space, point as usize, row);
        }
        Arch::new().dispatch(Assign { middles, rows, dims, cells });
    });
    cell_of
}

struct Assign<'a> {
    middles: &'a Strips,
    rows: &'a [f32],
    dims: usize,
    cells: &'a mut [u32],
}

impl WithSimd for Assign<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut out = [[0.0; PANEL]; QUERIES];
        for (group, cells) in self.cells.chunks_mut(QUERIES).enumerate() {
            let rows = group_of(self.rows, self.dims, group * QUERIES);
            let mut best = [f32::NEG_INFINITY; QUERIES];
            for first in (0..self.middles.len()).step_by(STRIPS) {
                let count = self.middles.tile(simd, rows, first, self.middles.len(), &mut out);
                for ((near, best), cell) in out.iter().zip(&mut best).zip(cells.iter_mut()) {
                    let near = &near[..count * STRIP];
                    let mut most = simd.splat_f32s(*best);
                    for &near in S::as_simd_f32s(near).0 {
                        most = simd.max_f32s(most, near);
                    }
                    if simd.reduce_max_f32s(most) <= *best {
                        continue;
                    }
                    for (at, &nearness) in near.iter().enumerate() {
                        if nearness > *best {
                            (*best, *cell) = (nearness, (first * STRIP + at) as u32);
                        }
                    }
                }
            }
        }
    }
}

/// Rows from one on; where there are no more, the first of them again.
#[inline(always)]
pub fn group_of(rows: &[f32], dims: usize, first: usize) -> [&[f32]; QUERIES] {
    let mut group = [&rows[first * dims..][..dims]; QUERIES];
    for (place, row) in group.iter_mut().zip(rows[first * dims..].chunks_exact(dims)) {
        *place = row;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{hash, normal};
    use vectors::{Metric, Vectors};

    /// Some blobs, far apart, row by row in turn.
    fn blobs(rows: usize, count: usize) -> Space {
        let random = |kind: u32, at: usize, axis: u32| {
            normal(hash(kind, 0, at as u32, 2 * axis), hash(kind, 0, at as u32, 2 * axis + 1))
        };
        let value = |row: usize, axis| 20.0 * random(1, row % count, axis) + random(2, row, axis);
        let values: Vec<f32> = (0..rows).flat_map(|row| (0..5).map(move |axis| value(row, axis))).collect();
        Space::new(Vectors::from_rows(&values, 5), Metric::Euclidean)
    }

    #[test]
    fn every_living_point_is_in_one_cell() {
        for (rows, count) in [(2, 1), (40, 3), (2000, 40)] {
            let space = blobs(rows, 4);
            let alive: Vec<bool> = (0..rows).map(|point| rows == 2 || point % 5 != 1).collect();
            let cells = Cells::of(&space, &alive, count);
            let mut points: Vec<u32> = (0..count).flat_map(|cell| cells.points(cell)).collect();
            points.sort_unstable();
            let expected: Vec<u32> = (0..rows as u32).filter(|&point| alive[point as usize]).collect();
            assert_eq!(points, expected, "{rows} rows in {count} cells");
        }
    }

    #[test]
    fn a_cell_holds_rows_that_lie_together() {
        let (rows, count) = (3000, 6);
        let space = blobs(rows, count);
        let cells = Cells::of(&space, &vec![true; rows], 24);
        let pure = (0..24).filter(|&cell| {
            let mut blobs = cells.points(cell).map(|point| point as usize % count);
            let first = blobs.next();
            blobs.all(|blob| Some(blob) == first)
        });
        assert!(pure.count() >= 20, "cells hold rows of several blobs");
    }
}
