//! Positions in many dimensions, searched row by row.

use crate::nearest::Nearest;
use crate::random::{TieBreak, squared_of_key};
use crate::scan::{Candidates, Scanner};
use crate::tree::Search;
use rayon::prelude::*;
use vectors::{Metric, Space, Vectors};

/// Rows that share one pass over the others.
const BLOCK: usize = 16;

/// Finite positions and whose they are.
pub(crate) struct Table {
    space: Space,
    /// The row of each position, ascending.
    rows: Vec<u32>,
}

impl Table {
    /// Takes finite positions of some rows.
    pub(crate) fn new(found: &[(u32, &[f32])], dims: usize) -> Self {
        let mut vectors = Vectors::zeros(found.len(), dims);
        let stride = vectors.stride();
        for (to, (_, from)) in vectors.padded_mut().chunks_exact_mut(stride).zip(found) {
            to[..dims].copy_from_slice(from);
        }
        Self { space: Space::new(vectors, Metric::Euclidean), rows: found.iter().map(|&(row, _)| row).collect() }
    }

    /// (index, squared distance) of every position.
    fn distances(&self, point: &[f32]) -> impl Iterator<Item = (u32, f32)> {
        (0..self.rows.len() as u32).map(move |index| {
            let differences = self.space.vectors().row(index as usize).iter().zip(point).map(|(a, b)| a - b);
            (index, differences.map(|difference| difference * difference).sum::<f32>().min(f32::MAX))
        })
    }
}

impl Search for Table {
    fn nearest(&self, point: &[f32], k: usize) -> Vec<(u32, f32)> {
        let tie = TieBreak::shuffled(0, 0, 1);
        let mut keys: Vec<u64> = self.distances(point).map(|(index, squared)| tie.key(squared, index)).collect();
        if k < keys.len() {
            keys.select_nth_unstable(k);
            keys.truncate(k);
        }
        keys.sort_unstable();
        keys.into_iter().map(|key| (self.rows[tie.position(key) as usize], squared_of_key(key))).collect()
    }

    fn within(&self, point: &[f32], squared_radius: f32) -> Vec<u32> {
        let near = self.distances(point).filter(|&(_, squared)| squared <= squared_radius);
        near.map(|(index, _)| self.rows[index as usize]).collect()
    }

    fn count_within(&self, point: &[f32], squared_radius: f32) -> usize {
        self.distances(point).filter(|&(_, squared)| squared <= squared_radius).count()
    }

    fn neighbours(&self, k: usize, lists: &mut [u32]) {
        let others = self.rows.len().saturating_sub(1);
        if others == 0 {
            return;
        }
        let scanner = Scanner::new(&self.space, Candidates::All);
        let blocks = lists.par_chunks_mut(BLOCK * k).enumerate();
        blocks.for_each_init(
            || vec![Nearest::new(k.min(others)); BLOCK],
            |nearest, (block, lists)| {
                let first = (block * BLOCK) as u32;
                let end = first + (lists.len() / k) as u32;
                let indices =
                    self.rows.partition_point(|&row| row < first)..self.rows.partition_point(|&row| row < end);
                let queries: Vec<u32> = indices.map(|index| index as u32).collect();
                for (nearest, &query) in nearest.iter_mut().zip(&queries) {
                    nearest.start(TieBreak::shuffled(0, query, 1));
                }
                scanner.scan(&queries, nearest.as_mut_slice());
                for (nearest, &query) in nearest.iter_mut().zip(&queries) {
                    let tie = nearest.tie();
                    let list = &mut lists[(self.rows[query as usize] - first) as usize * k..][..k];
                    for (place, &key) in list.iter_mut().zip(nearest.sorted()) {
                        *place = self.rows[tie.position(key) as usize];
                    }
                }
            },
        );
    }
}
