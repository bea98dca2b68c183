//! Symmetrise: `p_ij = (p(j|i) + p(i|j)) / 2N` over the union of both directions, as compressed sparse rows.

use super::calibrate::Gaussian;
use crate::affinities::{Affinities, Block};
use crate::lists::{EMPTY, Lists, POINT};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Builds the symmetric matrix anew from lists and Gaussians.
pub fn symmetrise(hd: &Lists, gaussians: &[Gaussian], affinities: &mut Affinities) {
    let points = gaussians.len();
    let reverse = transpose(hd, gaussians);
    let free = if affinities.changing { Block::FREE } else { 0 };
    affinities.blocks.resize(points.div_ceil(Affinities::BLOCK), Block::default());
    affinities.blocks.par_iter_mut().enumerate().for_each_init(Vec::new, |row, (number, block)| {
        let first = number * Affinities::BLOCK;
        block.clear();
        for point in first..(first + Affinities::BLOCK).min(points) {
            merged_row(hd, gaussians, &reverse, point, row);
            block.add_row(row.iter().map(|&entry| ((entry >> 32) as u32, f32::from_bits(entry as u32))), free);
        }
        if free == 0 {
            block.shrink();
        }
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
