//! Classes, and what is drawn from them: examples and folds.

use crate::QualityError;
use crate::random::{below, mix};
use std::collections::HashMap;

/// The class and the fold of a row without a label.
pub(super) const NO_CLASS: u32 = u32::MAX;

/// Streams of random numbers apart from those of the other figures.
const EXAMPLES: u64 = 0x6578;
const FOLDS: u64 = 0x666f;

/// The rows of every class, and what the trials and folds make of them.
#[derive(Debug, Clone)]
pub(super) struct Draws {
    /// The class of each row, from 0, or `NO_CLASS`.
    pub(super) class_of: Vec<u32>,
    /// Rows of each class.
    pub(super) sizes: Vec<usize>,
    /// Rows that have a class, ascending.
    pub(super) labelled: Vec<u32>,
    /// For each trial a row of every class, ascending.
    pub(super) examples: Vec<Vec<u32>>,
    /// The fold of each row, or `NO_CLASS`.
    pub(super) fold_of: Vec<u32>,
    pub(super) folds: u32,
}

impl Draws {
    pub(super) fn new(labels: &[Option<u32>], trials: usize, folds: usize, seed: u64) -> Result<Self, QualityError> {
        let (class_of, members) = classes(labels)?;
        let folds = folds.min(labels.len()) as u32;
        Ok(Self {
            sizes: members.iter().map(Vec::len).collect(),
            labelled: (0u32..).zip(&class_of).filter(|&(_, &class)| class != NO_CLASS).map(|(row, _)| row).collect(),
            examples: draw_examples(&members, trials, mix(seed ^ EXAMPLES)),
            fold_of: deal_folds(members, labels.len(), folds, mix(seed ^ FOLDS)),
            class_of,
            folds,
        })
    }

    /// The class of a row that has one.
    pub(super) fn class(&self, row: u32) -> usize {
        self.class_of[row as usize] as usize
    }

    /// Rows whose class has others, ascending: only those can be classified by others.
    pub(super) fn testable(&self) -> Vec<u32> {
        self.labelled.iter().copied().filter(|&row| self.sizes[self.class(row)] > 1).collect()
    }
}

/// The class of each row and the rows of each class, classes in the order in which they occur.
fn classes(labels: &[Option<u32>]) -> Result<(Vec<u32>, Vec<Vec<u32>>), QualityError> {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut members: Vec<Vec<u32>> = Vec::new();
    let class = |(row, label): (u32, &Option<u32>)| {
        let Some(label) = label else { return NO_CLASS };
        let class = *numbers.entry(*label).or_insert(members.len() as u32);
        match members.get_mut(class as usize) {
            Some(rows) => rows.push(row),
            None => members.push(vec![row]),
        }
        class
    };
    let class_of = (0u32..).zip(labels).map(class).collect();
    if members.len() < 2 {
        return Err(QualityError::TooFewClasses { classes: members.len() });
    }
    if members.iter().all(|rows| rows.len() == 1) {
        return Err(QualityError::NoClassOfTwo { classes: members.len() });
    }
    Ok((class_of, members))
}

fn draw_examples(members: &[Vec<u32>], trials: usize, stream: u64) -> Vec<Vec<u32>> {
    let mut draw = 0;
    let mut example = |rows: &Vec<u32>| {
        draw += 1;
        rows[below(rows.len(), stream, draw)]
    };
    let mut trial = || {
        let mut rows: Vec<u32> = members.iter().map(&mut example).collect();
        rows.sort_unstable();
        rows
    };
    (0..trials).map(|_| trial()).collect()
}

/// Shuffles the rows of each class and deals them out, one class after the other: every fold then has its share of
/// every class and of all rows, up to one row.
fn deal_folds(members: Vec<Vec<u32>>, rows: usize, folds: u32, stream: u64) -> Vec<u32> {
    let mut fold_of = vec![NO_CLASS; rows];
    let mut dealt = 0u32;
    for mut rows in members {
        for place in 0..rows.len() {
            let left = rows.len() - place;
            rows.swap(place, place + below(left, stream, u64::from(dealt)));
            fold_of[rows[place] as usize] = dealt % folds;
            dealt += 1;
        }
    }
    fold_of
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Vec<Option<u32>> {
        // 300 rows: 7 and 9 in thirds, one 11, and none on every third.
        let label = |row| match row {
            150 => Some(11),
            row => [Some(7), Some(9), None][row % 3],
        };
        (0..300).map(label).collect()
    }

    #[test]
    fn folds_share_every_class_evenly() {
        let labels = labels();
        let draws = Draws::new(&labels, 1, 10, 5).unwrap();
        assert_eq!((draws.sizes.as_slice(), draws.labelled.len()), (&[99, 100, 1][..], 200));
        let count = |fold: u32, class: u32| {
            (0..300).filter(|&row| (draws.fold_of[row], draws.class_of[row]) == (fold, class)).count()
        };
        for fold in 0..10 {
            assert!((9..=10).contains(&count(fold, 0)) && count(fold, 1) == 10, "{:?}", draws.fold_of);
            assert_eq!((0..3).map(|class| count(fold, class)).sum::<usize>(), 20);
        }
        assert!((0..300).all(|row| labels[row].is_some() == (draws.fold_of[row] != NO_CLASS)));
        assert_eq!(draws.fold_of, Draws::new(&labels, 1, 10, 5).unwrap().fold_of);
        assert_ne!(draws.fold_of, Draws::new(&labels, 1, 10, 6).unwrap().fold_of);
    }

    #[test]
    fn every_trial_has_one_example_of_each_class_and_all_rows_have_their_turn() {
        let draws = Draws::new(&labels(), 2000, 10, 5).unwrap();
        let mut times = vec![0; 300];
        for examples in &draws.examples {
            let mut classes: Vec<usize> = examples.iter().map(|&row| draws.class(row)).collect();
            classes.sort_unstable();
            assert_eq!(classes, [0, 1, 2]);
            assert!(examples.is_sorted());
            examples.iter().for_each(|&row| times[row as usize] += 1);
        }
        assert_eq!(times[150], 2000);
        let of_two = (0..300).filter(|row| row % 3 < 2 && *row != 150);
        assert!(of_two.clone().all(|row| (4..45).contains(&times[row])), "about 20 each: {times:?}");
        assert!(!draws.testable().contains(&150) && draws.testable().len() == 199);
        assert_ne!(draws.examples, Draws::new(&labels(), 2000, 10, 6).unwrap().examples);
    }
}
