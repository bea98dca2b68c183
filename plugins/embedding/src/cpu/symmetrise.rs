//! Symmetrise: `p_ij = (p(j|i) + p(i|j)) / 2N` over the union of both directions, as compressed sparse rows.

use super::calibrate::Gaussian;
use crate::lists::{EMPTY, Lists, POINT};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The symmetric affinities. A mutual pair stands once in each of its two rows, with both directions summed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Affinities {
    /// Rows of [`Affinities::BLOCK`] points each: blocks are built and read independently.
    blocks: Vec<Block>,
    /// Where the row of a point lies in `patches`, if not in its block; empty while no row does.
    patched: Vec<u32>,
    /// Rows that were changed one by one since.
    patches: Vec<Patch>,
}

/// A row in the place of that in a block.
#[derive(Debug, Clone, Default, PartialEq)]
struct Patch {
    neighbours: Vec<u32>,
    weights: Vec<f32>,
}

/// The row is that of the block.
const UNPATCHED: u32 = u32::MAX;

#[derive(Debug, Clone, Default, PartialEq)]
struct Block {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    weights: Vec<f32>,
}

impl Affinities {
    /// Points per block.
    pub const BLOCK: usize = 512;

    /// Neighbours of one row and their weights `N·p_ij`, ascending until rows come and go.
    #[inline(always)]
    #[must_use]
    pub fn row(&self, point: usize) -> (&[u32], &[f32]) {
        if let Some(&at) = self.patched.get(point)
            && at != UNPATCHED
        {
            let patch = &self.patches[at as usize];
            return (&patch.neighbours, &patch.weights);
        }
        let (block, row) = (self.blocks.get(point / Self::BLOCK), point % Self::BLOCK);
        // Points that came after the last refresh have no row in a block.
        match block.and_then(|block| Some((block, block.starts.get(row)?, block.starts.get(row + 1)?))) {
            Some((block, &start, &end)) => {
                let range = start as usize..end as usize;
                (&block.neighbours[range.clone()], &block.weights[range])
            }
            None => (&[], &[]),
        }
    }

    /// Takes a point out of everybody's row, and everybody out of its own. The places that become free hold the row's
    /// own point with no weight, which pulls and pushes nothing, until somebody else is put there.
    pub fn unlink(&mut self, point: u32) {
        let others = self.row(point as usize).0.to_vec();
        for other in others.into_iter().filter(|&other| other != point) {
            let (neighbours, weights) = self.row_mut(other);
            if let Some(place) = neighbours.iter().position(|&named| named == point) {
                (neighbours[place], weights[place]) = (other, 0.0);
            }
        }
        let (neighbours, weights) = self.row_mut(point);
        neighbours.fill(point);
        weights.fill(0.0);
    }

    /// Puts a pair of points into each other's rows; it must not be there yet.
    pub fn link(&mut self, a: u32, b: u32, weight: f32) {
        for (point, other) in [(a, b), (b, a)] {
            let (neighbours, weights) = self.row_mut(point);
            if let Some(free) = neighbours.iter().position(|&named| named == point) {
                (neighbours[free], weights[free]) = (other, weight);
            } else {
                let patch = self.patch(point);
                patch.neighbours.push(other);
                patch.weights.push(weight);
            }
        }
    }

    /// One row, to be changed in place.
    fn row_mut(&mut self, point: u32) -> (&mut [u32], &mut [f32]) {
        let (at, block) = (point as usize, point as usize / Self::BLOCK);
        match self.patched.get(at) {
            Some(&place) if place != UNPATCHED => {
                let Patch { neighbours, weights } = &mut self.patches[place as usize];
                (neighbours, weights)
            }
            _ => match self.blocks.get_mut(block) {
                Some(Block { starts, neighbours, weights }) if at % Self::BLOCK + 1 < starts.len() => {
                    let range = starts[at % Self::BLOCK] as usize..starts[at % Self::BLOCK + 1] as usize;
                    (&mut neighbours[range.clone()], &mut weights[range])
                }
                _ => (&mut [], &mut []),
            },
        }
    }

    /// The row of a point, to be made longer.
    fn patch(&mut self, point: u32) -> &mut Patch {
        let at = point as usize;
        if self.patched.len() <= at {
            self.patched.resize(at + 1, UNPATCHED);
        }
        if self.patched[at] == UNPATCHED {
            let (neighbours, weights) = self.row(at);
            let patch = Patch { neighbours: neighbours.to_vec(), weights: weights.to_vec() };
            self.patched[at] = self.patches.len() as u32;
            self.patches.push(patch);
        }
        &mut self.patches[self.patched[at] as usize]
    }

    /// True before the first [`symmetrise`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// Builds the symmetric matrix anew from lists and Gaussians.
pub fn symmetrise(hd: &Lists, gaussians: &[Gaussian], affinities: &mut Affinities) {
    let points = gaussians.len();
    let reverse = transpose(hd, gaussians);
    affinities.patched.clear();
    affinities.patches.clear();
    affinities.blocks.resize(points.div_ceil(Affinities::BLOCK), Block::default());
    affinities.blocks.par_iter_mut().enumerate().for_each_init(Vec::new, |row, (number, block)| {
        let first = number * Affinities::BLOCK;
        let Block { starts, neighbours, weights } = block;
        starts.clear();
        neighbours.clear();
        weights.clear();
        starts.push(0);
        for point in first..(first + Affinities::BLOCK).min(points) {
            merged_row(hd, gaussians, &reverse, point, row);
            neighbours.extend(row.iter().map(|entry| (entry >> 32) as u32));
            weights.extend(row.iter().map(|&entry| f32::from_bits(entry as u32)));
            starts.push(neighbours.len() as u32);
        }
        // Growing doubled them; at a million points that is hundreds of megabytes.
        neighbours.shrink_to_fit();
        weights.shrink_to_fit();
    });
}

/// Who names each point. An entry holds the neighbour in its upper half and the bits of half its `p(j|i)` in the
/// lower, so that sorting a row orders it by neighbour.
struct Reverse {
    starts: Vec<u64>,
    entries: Vec<AtomicU64>,
}

fn entry(neighbour: u32, p: f32) -> u64 {
    (u64::from(neighbour) << 32) | u64::from((0.5 * p).to_bits())
}

fn transpose(hd: &Lists, gaussians: &[Gaussian]) -> Reverse {
    let points = gaussians.len();
    let counts: Vec<AtomicU32> = (0..points).map(|_| AtomicU32::new(0)).collect();
    (0..points).into_par_iter().with_min_len(1024).for_each(|point| {
        for neighbour in hd.neighbours(point) {
            counts[neighbour as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    let mut starts = Vec::with_capacity(points + 1);
    let mut total = 0_u64;
    starts.push(0);
    for count in &counts {
        total += u64::from(count.swap(0, Ordering::Relaxed));
        starts.push(total);
    }
    let entries: Vec<AtomicU64> = (0..total).into_par_iter().map(|_| AtomicU64::new(0)).collect();
    (0..points).into_par_iter().with_min_len(1024).for_each(|point| {
        for (neighbour, &distance) in hd.neighbours(point).zip(hd.distances(point)) {
            let filled = counts[neighbour as usize].fetch_add(1, Ordering::Relaxed);
            let place = starts[neighbour as usize] + u64::from(filled);
            entries[place as usize].store(entry(point as u32, gaussians[point].p(distance)), Ordering::Relaxed);
        }
    });
    Reverse { starts, entries }
}

/// One row of the symmetric matrix: both directions, ascending by neighbour, mutual pairs summed.
fn merged_row(hd: &Lists, gaussians: &[Gaussian], reverse: &Reverse, point: usize, row: &mut Vec<u64>) {
    row.clear();
    let own = hd.entries(point).iter().zip(hd.distances(point));
    row.extend(
        own.take_while(|(named, _)| **named & POINT != EMPTY)
            .map(|(named, &distance)| entry(named & POINT, gaussians[point].p(distance))),
    );
    let others = reverse.starts[point] as usize..reverse.starts[point + 1] as usize;
    row.extend(reverse.entries[others].iter().map(|entry| entry.load(Ordering::Relaxed)));
    // By neighbour, then weight: the order in which threads filled the reverse rows leaves no trace.
    row.sort_unstable();
    row.dedup_by(|later, kept| {
        let mutual = *later >> 32 == *kept >> 32;
        if mutual {
            let sum = f32::from_bits(*later as u32) + f32::from_bits(*kept as u32);
            *kept = (*kept & !u64::from(u32::MAX)) | u64::from(sum.to_bits());
        }
        mutual
    });
}
