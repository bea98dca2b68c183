//! Exact neighbours by brute force, and the recall of a graph that was found faster.

use crate::Progress;
use crate::nearest::{Nearest, reaches};
use crate::random::{TieBreak, sample, squared_of_key};
use crate::scan::{Candidates, Scanner};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Space;

/// Queries that share one pass over the rows.
const BLOCK: usize = 16;

/// The exact k nearest other rows of each query as (row, squared distance), nearest first; rows at the same distance
/// by number. Fewer than k if there are fewer other rows. `progress` hears of finished queries.
///
/// # Panics
/// If a query is not a row of the space.
#[must_use]
pub fn exact_neighbours(space: &Space, queries: &[u32], k: usize, progress: Progress<'_>) -> Vec<Vec<(u32, f32)>> {
    let k = k.min(space.rows().saturating_sub(1));
    if k == 0 {
        return vec![Vec::new(); queries.len()];
    }
    let scanner = Scanner::new(space, Candidates::All);
    let done = AtomicUsize::new(0);
    let blocks = queries.par_chunks(BLOCK).map_init(
        || vec![Nearest::new(k); BLOCK],
        |nearest, block| {
            nearest.iter_mut().for_each(|nearest| nearest.start(TieBreak::Position));
            scanner.scan(block, nearest.as_mut_slice());
            progress(done.fetch_add(block.len(), Ordering::Relaxed) + block.len(), queries.len());
            let rows = |nearest: &mut Nearest| {
                nearest.sorted().iter().map(|&key| (TieBreak::Position.position(key), squared_of_key(key))).collect()
            };
            nearest[..block.len()].iter_mut().map(rows).collect::<Vec<Vec<_>>>()
        },
    );
    blocks.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// Share of the true k nearest that a graph found, over a seeded sample of `queries` rows (all rows if there are
/// fewer): 0…1.
///
/// `neighbours` holds k row numbers for each row, one row after the other; `u32::MAX` and other numbers that are no
/// rows are empty places. A neighbour counts if its distance, computed anew, is not larger than that of the true k-th
/// nearest (up to a relative 1e-6), so of several rows at that distance any will do. The row itself and repetitions do
/// not count. 1 where there is nothing to find.
///
/// # Panics
/// If there are not k entries for each row.
#[must_use]
pub fn recall(space: &Space, neighbours: &[u32], k: usize, queries: usize, seed: u64, progress: Progress<'_>) -> f64 {
    let rows = space.rows();
    assert_eq!(neighbours.len(), rows * k, "a graph of {rows} rows has {k} entries for each");
    let queries = sample(rows, queries, seed);
    let exact = exact_neighbours(space, &queries, k, progress);
    let (mut found, mut findable) = (0, 0);
    for (&query, exact) in queries.iter().zip(&exact) {
        let Some(&(_, kth)) = exact.last() else { continue }; // no other rows, or k is 0
        let mut claimed = neighbours[query as usize * k..][..k].to_vec();
        claimed.sort_unstable();
        claimed.dedup();
        let true_ones = claimed.into_iter().filter(|&row| {
            let other = row != query && (row as usize) < rows;
            other && reaches(space.squared_distance(query as usize, row as usize).min(f32::MAX), kth)
        });
        found += true_ones.count();
        findable += exact.len();
    }
    if findable == 0 { 1.0 } else { found as f64 / findable as f64 }
}
