//! Cross-validation: every row is classified by its nearest neighbours in the folds that it is not in.

use super::draws::Draws;
use super::{BLOCK, Counter};
use crate::nearest::Nearest;
use crate::random::TieBreak;
use crate::scan::{Candidates, Scanner};
use rayon::prelude::*;
use vectors::Space;

/// Every row is asked for its k nearest among the rows of the other folds.
pub(super) struct Crossval<'a> {
    pub(super) space: &'a Space,
    pub(super) draws: &'a Draws,
    pub(super) k: usize,
    pub(super) seed: u64,
}

impl Crossval<'_> {
    /// How many of the rows `asked` have the class of their nearest.
    pub(super) fn right(&self, asked: &[u32], counter: &Counter<'_>) -> u64 {
        (0..self.draws.folds).map(|fold| self.right_in(fold, asked, counter)).sum()
    }

    fn right_in(&self, fold: u32, asked: &[u32], counter: &Counter<'_>) -> u64 {
        let draws = self.draws;
        let fold_of = |row: u32| draws.fold_of[row as usize];
        let queries: Vec<u32> = asked.iter().copied().filter(|&row| fold_of(row) == fold).collect();
        let known: Vec<u32> = draws.labelled.iter().copied().filter(|&row| fold_of(row) != fold).collect();
        let scanner = Scanner::new(self.space, Candidates::Listed(&known));
        let right = queries.par_chunks(BLOCK).map_init(
            || vec![Nearest::new(self.k.min(known.len())); BLOCK],
            |nearest, block| {
                for (nearest, &query) in nearest.iter_mut().zip(block) {
                    nearest.start(TieBreak::shuffled(self.seed, query, 0));
                }
                scanner.scan(block, nearest.as_mut_slice());
                counter.add(block.len() * draws.labelled.len());
                let right = nearest.iter_mut().zip(block).filter_map(|(nearest, &query)| {
                    let tie = nearest.tie();
                    let rows = nearest.sorted().iter().map(|&key| known[tie.position(key) as usize]);
                    (most_frequent(rows.map(|row| draws.class(row))) == Some(draws.class(query))).then_some(())
                });
                right.count() as u64
            },
        );
        right.sum()
    }
}

/// The class with most votes; of several, the one that came first.
fn most_frequent(votes: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts: Vec<(usize, u32)> = Vec::new();
    for class in votes {
        match counts.iter_mut().find(|(seen, _)| *seen == class) {
            Some((_, count)) => *count += 1,
            None => counts.push((class, 1)),
        }
    }
    // `max_by_key` takes the last of equals.
    counts.into_iter().rev().max_by_key(|&(_, count)| count).map(|(class, _)| class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_class_wins_and_the_nearest_of_equals() {
        assert_eq!(most_frequent([3, 1, 1, 3, 1].into_iter()), Some(1));
        assert_eq!(most_frequent([3, 1, 1, 3].into_iter()), Some(3));
        assert_eq!(most_frequent([1, 3, 1, 3].into_iter()), Some(1));
        assert_eq!(most_frequent([].into_iter()), None);
    }
}
