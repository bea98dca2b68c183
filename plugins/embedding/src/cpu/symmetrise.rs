//! Symmetrise: `p_ij = (p(j|i) + p(i|j)) / 2N` over the union of both directions, as compressed sparse rows.

use super::calibrate::Gaussian;
use super::widen::Neighbourhoods;
use crate::affinities::{Affinities, Block};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Builds the symmetric matrix anew from lists and Gaussians.
pub fn symmetrise(neighbourhoods: Neighbourhoods<'_>, gaussians: &[Gaussian], affinities: &mut Affinities) {
    let rows = Rows { neighbourhoods, gaussians };
    let points = gaussians.len();
    let reverse = transpose(rows);
    let free = if affinities.changing { Block::FREE } else { 0 };
    affinities.blocks.resize(points.div_ceil(Affinities::BLOCK), Block::default());
    affinities.blocks.par_iter_mut().enumerate().for_each_init(Vec::new, |row, (number, block)| {
        let first = number * Affinities::BLOCK;
        block.clear();
        for point in first..(first + Affinities::BLOCK).min(points) {
            merged_row(rows, &reverse, point, row);
            block.add_row(row.iter().map(|&entry| ((entry >> 32) as u32, f32::from_bits(entry as u32))), free);
        }
        if free == 0 {
            block.shrink();
        }
    });
}

/// The rows `p(j|i)`.
#[derive(Clone, Copy)]
struct Rows<'a> {
    neighbourhoods: Neighbourhoods<'a>,
    gaussians: &'a [Gaussian],
}

impl<'a> Rows<'a> {
    /// Neighbours of a point and their `p(j|i)`.
    fn row(self, point: usize) -> impl Iterator<Item = (u32, f32)> + 'a {
        let gaussian = self.gaussians[point];
        let row = self.neighbourhoods.row(point);
        row.map(move |(neighbour, distance, weight)| (neighbour, weight * gaussian.p(distance)))
    }
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

fn transpose(rows: Rows<'_>) -> Reverse {
    let points = rows.gaussians.len();
    let counts: Vec<AtomicU32> = (0..points).map(|_| AtomicU32::new(0)).collect();
    (0..points).into_par_iter().with_min_len(1024).for_each(|point| {
        for (neighbour, ..) in rows.neighbourhoods.row(point) {
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
        for (neighbour, p) in rows.row(point) {
            let filled = counts[neighbour as usize].fetch_add(1, Ordering::Relaxed);
            let place = starts[neighbour as usize] + u64::from(filled);
            entries[place as usize].store(entry(point as u32, p), Ordering::Relaxed);
        }
    });
    Reverse { starts, entries }
}

/// One row of the symmetric matrix: both directions, ascending by neighbour, mutual pairs summed.
fn merged_row(rows: Rows<'_>, reverse: &Reverse, point: usize, row: &mut Vec<u64>) {
    row.clear();
    row.extend(rows.row(point).map(|(neighbour, p)| entry(neighbour, p)));
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
