//! How complete lists of neighbours are, against an exact search.

use super::SEED;
use crate::console::Console;
use rayon::prelude::*;
use vectors::{Metric, Space, Vectors};

/// Rows whose neighbours are searched for exactly.
const QUERIES: usize = 1000;
/// Distances that differ by less, relatively, are the same.
const TOLERANCE: f32 = 2e-6;

/// The true neighbours of a sample of rows.
pub struct Truth {
    space: Space,
    queries: Vec<u32>,
    /// Squared distances of the nearest rows of each query, nearest first.
    exact: Vec<Vec<f32>>,
}

impl Truth {
    /// Searches for the `k` nearest, in Euclidean distance.
    pub fn new(vectors: Vectors, k: usize, console: Console) -> Self {
        let space = Space::new(vectors, Metric::Euclidean);
        let mut queries = embedding::random::shuffled(space.rows(), SEED as u32);
        queries.truncate(QUERIES);
        let exact = console
            .while_counting("searching exactly", |progress| quality::exact_neighbours(&space, &queries, k, progress));
        let exact = exact.into_iter().map(|near| near.into_iter().map(|(_, squared)| squared).collect()).collect();
        Self { space, queries, exact }
    }

    /// The share of the K nearest that lists of `length` rows hold, for K = 1, 2, …; of rows at the distance of the
    /// K-th any will do.
    pub fn recall(&self, lists: &[u32], length: usize) -> Vec<f64> {
        let k = self.exact.first().map_or(0, Vec::len);
        let found = self.queries.par_iter().zip(&self.exact).map(|(&query, exact)| {
            let list = &lists[query as usize * length..][..length];
            let mut rows: Vec<u32> = list.iter().copied().filter(|&row| row != query).collect();
            rows.retain(|&row| (row as usize) < self.space.rows());
            rows.sort_unstable();
            rows.dedup();
            let squared = |row: u32| self.space.squared_distance(query as usize, row as usize);
            let mut distances: Vec<f32> = rows.into_iter().map(squared).collect();
            distances.sort_unstable_by(f32::total_cmp);
            let within = |(at, &limit): (usize, &f32)| {
                distances.partition_point(|&squared| squared <= limit * (1.0 + TOLERANCE)).min(at + 1)
            };
            exact.iter().enumerate().map(within).collect::<Vec<usize>>()
        });
        let sums = found.reduce(
            || vec![0; k],
            |mut sums, found| {
                sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
                sums
            },
        );
        (1..).zip(sums).map(|(k, sum): (usize, usize)| sum as f64 / (k * self.queries.len()) as f64).collect()
    }

    /// R_NX(K) of lists, for K = 1, 2, …: the recall, rescaled so that lists drawn at random have 0.
    pub fn rnx(&self, lists: &[u32], length: usize) -> Vec<f64> {
        let others = self.space.rows() as f64 - 1.0;
        let rescaled = |(k, recall): (usize, f64)| (others * recall - k as f64) / (others - k as f64);
        (1..).zip(self.recall(lists, length)).map(rescaled).collect()
    }
}

/// Σ R_NX(K)/K ÷ Σ 1/K, as of an embedding.
pub fn area(rnx: &[f64]) -> f64 {
    let weights = || (1..=rnx.len()).map(|k| 1.0 / k as f64);
    rnx.iter().zip(weights()).map(|(value, weight)| value * weight).sum::<f64>() / weights().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::super::sets::Blobs;
    use super::*;
    use crate::args::ConsoleArgs;

    #[test]
    fn exact_lists_are_complete_and_damaged_ones_are_not() {
        const K: usize = 8;
        let vectors = Blobs::overlapping(500).vectors();
        let space = Space::new(vectors.clone(), Metric::Euclidean);
        let all: Vec<u32> = (0..500).collect();
        let exact = quality::exact_neighbours(&space, &all, K, &|_, _| {});
        let mut lists: Vec<u32> = exact.iter().flatten().map(|&(row, _)| row).collect();
        let truth = Truth::new(vectors, K, Console::new(&ConsoleArgs { json: false, quiet: true, threads: None }));
        assert_eq!(truth.recall(&lists, K), [1.0; K]);
        assert_eq!(area(&truth.rnx(&lists, K)), 1.0);
        // The nearest of every row is lost, and the row itself stands there instead.
        (0..).zip(lists.chunks_exact_mut(K)).for_each(|(row, list)| list[0] = row);
        let damaged = truth.recall(&lists, K);
        assert_eq!((damaged[0], damaged[K - 1]), (0.0, 1.0 - 1.0 / K as f64));
        assert!(truth.rnx(&lists, K)[0] < 0.0, "worse than chance");
    }
}
