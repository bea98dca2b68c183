//! One-shot classification: one known example of each class, and the nearest one decides.

use super::draws::Draws;
use super::{BLOCK, Counter};
use crate::random::{TieBreak, mix};
use crate::scan::{Candidates, DistanceTable, Scanner};
use rayon::prelude::*;
use vectors::Space;

/// Examples among which the class of a row may be found in the more lenient figure.
pub(super) const TOP: usize = 5;

/// What came of one choice of examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Trial {
    /// Rows that were classified: those asked, without the examples.
    pub(super) asked: u64,
    /// Rows whose nearest example is of their class.
    pub(super) right: u64,
    /// Rows with their class among the nearest examples.
    pub(super) among_five: u64,
}

/// The examples of one trial, ready to be compared with.
struct Examples<'a> {
    scanner: Scanner<'a>,
    rows: &'a [u32],
    /// Where the example of each class stands among them.
    place_of: Vec<u32>,
    seed: u64,
}

/// Classifies the rows `asked` in every trial.
pub(super) fn one_shot(space: &Space, draws: &Draws, asked: &[u32], seed: u64, counter: &Counter<'_>) -> Vec<Trial> {
    let trials: Vec<Examples<'_>> = (0u64..)
        .zip(&draws.examples)
        .map(|(trial, rows)| {
            let mut place_of = vec![0; rows.len()];
            (0u32..).zip(rows).for_each(|(place, &row)| place_of[draws.class(row)] = place);
            let scanner = Scanner::new(space, Candidates::Listed(rows));
            Examples { scanner, rows, place_of, seed: mix(seed).wrapping_add(trial) }
        })
        .collect();
    let classes = draws.sizes.len();
    asked
        .par_chunks(BLOCK)
        .fold(
            || (vec![Trial::default(); trials.len()], DistanceTable::new(BLOCK, classes)),
            |(mut tallies, mut distances), block| {
                for (tally, examples) in tallies.iter_mut().zip(&trials) {
                    examples.scanner.scan(block, &mut distances);
                    for (slot, &row) in block.iter().enumerate() {
                        tally.add(examples.rank(distances.of(slot), row, draws.class(row)));
                    }
                }
                counter.add(block.len() * trials.len() * classes);
                (tallies, distances)
            },
        )
        .map(|(tallies, _)| tallies)
        .reduce(|| vec![Trial::default(); trials.len()], add_all)
}

impl Examples<'_> {
    /// How many examples are nearer than the one of the row's own class; nothing for an example itself.
    fn rank(&self, squared: &[f32], row: u32, class: usize) -> Option<usize> {
        let own = self.place_of[class];
        if self.rows[own as usize] == row {
            return None;
        }
        let tie = TieBreak::shuffled(self.seed, row, 0);
        let limit = tie.key(squared[own as usize], own);
        Some((0u32..).zip(squared).filter(|&(place, &squared)| tie.key(squared, place) < limit).count())
    }
}

impl Trial {
    fn add(&mut self, rank: Option<usize>) {
        if let Some(rank) = rank {
            self.asked += 1;
            self.right += u64::from(rank == 0);
            self.among_five += u64::from(rank < TOP);
        }
    }
}

fn add_all(mut sums: Vec<Trial>, next: Vec<Trial>) -> Vec<Trial> {
    for (sum, next) in sums.iter_mut().zip(next) {
        sum.asked += next.asked;
        sum.right += next.right;
        sum.among_five += next.among_five;
    }
    sums
}

/// Mean and standard deviation of a share over the trials in which anything was asked.
pub(super) fn mean_and_sd(trials: &[Trial], count: impl Fn(&Trial) -> u64) -> (f64, f64) {
    let held = trials.iter().filter(|trial| trial.asked > 0);
    let shares: Vec<f64> = held.map(|trial| count(trial) as f64 / trial.asked as f64).collect();
    let number = shares.len().max(1) as f64;
    let mean = shares.iter().sum::<f64>() / number;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / number;
    (mean, variance.sqrt())
}
