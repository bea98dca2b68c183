//! The silhouette: how much nearer a row is to its own class than to the next one.

use super::draws::Draws;
use super::{BLOCK, Counter};
use crate::scan::{Candidates, Scanner, Sink};
use rayon::prelude::*;
use vectors::Space;

/// The mean silhouette of the rows `asked`, each against all rows that have a class.
pub(super) fn silhouette(space: &Space, draws: &Draws, asked: &[u32], counter: &Counter<'_>) -> f64 {
    let scanner = Scanner::new(space, Candidates::Listed(&draws.labelled));
    let blocks = asked.par_chunks(BLOCK).map_init(
        || ClassSums::new(draws),
        |sums, block| {
            sums.sums.fill(0.0);
            scanner.scan(block, sums);
            counter.add(block.len() * draws.labelled.len());
            let values = block.iter().enumerate().map(|(slot, &row)| sums.silhouette(slot, draws.class(row)));
            values.collect::<Vec<f64>>()
        },
    );
    // Added up in the order of the rows, so that the sum does not depend on the threads.
    let values: Vec<Vec<f64>> = blocks.collect();
    values.iter().flatten().sum::<f64>() / asked.len() as f64
}

/// Sums of the distances from each row of a block to every class.
struct ClassSums<'a> {
    draws: &'a Draws,
    /// `[rows of the block][classes]`
    sums: Vec<f64>,
}

impl<'a> ClassSums<'a> {
    fn new(draws: &'a Draws) -> Self {
        Self { draws, sums: vec![0.0; BLOCK * draws.sizes.len()] }
    }

    fn silhouette(&self, slot: usize, own: usize) -> f64 {
        let sizes = &self.draws.sizes;
        if sizes[own] == 1 {
            return 0.0;
        }
        let sums = &self.sums[slot * sizes.len()..][..sizes.len()];
        let within = sums[own] / (sizes[own] - 1) as f64;
        let others = sums.iter().zip(sizes).enumerate().filter(|&(class, _)| class != own);
        let next = others.map(|(_, (sum, &size))| sum / size as f64).fold(f64::INFINITY, f64::min);
        let larger = within.max(next);
        if larger == 0.0 { 0.0 } else { (next - within) / larger }
    }
}

impl Sink for ClassSums<'_> {
    #[inline(always)]
    fn accept(&mut self, slot: usize, start: usize, squared: &[f32]) {
        let draws = self.draws;
        let sums = &mut self.sums[slot * draws.sizes.len()..][..draws.sizes.len()];
        for (&row, &squared) in draws.labelled[start..].iter().zip(squared) {
            // NaN is the row itself.
            if !squared.is_nan() {
                sums[draws.class(row)] += f64::from(squared).sqrt();
            }
        }
    }
}
