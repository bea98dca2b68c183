//! How well classes can be told apart in a representation: the figures of machine learning.

mod crossval;
mod draws;
mod one_shot;
mod silhouette;
#[cfg(test)]
mod tests;

use crate::error::{check_finite, check_positive};
use crate::random::sample;
use crate::{Progress, QualityError};
use crossval::Crossval;
use draws::Draws;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Space;

/// Rows that share one pass over what they are compared with.
const BLOCK: usize = 16;

/// So many rows are asked however long it takes: fewer would say too little.
const MIN_ASKED: usize = 1000;

/// How classes are tested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LabelOptions {
    /// Trials of one-shot classification, whose mean is reported (≥ 1).
    pub trials: usize,
    /// Folds of the cross-validation (≥ 2).
    pub folds: usize,
    /// Neighbours that vote on a row's class in the cross-validation (≥ 1). Of equally frequent classes the one that
    /// occurs nearest wins.
    pub k: usize,
    /// Rows whose silhouette is computed, a seeded sample (≥ 1; all rows if there are fewer).
    pub silhouette_rows: usize,
    /// Multiplications that each figure may take, about. Where all rows would take more, a seeded sample of rows is
    /// asked, of no fewer than a thousand, each still against all it should be compared with.
    pub work: u64,
    /// Chooses examples, folds, the rows that are asked, and who comes first among equal distances.
    pub seed: u64,
}

impl Default for LabelOptions {
    fn default() -> Self {
        Self { trials: 100, folds: 10, k: 1, silhouette_rows: 10_000, work: 400_000_000_000, seed: 0 }
    }
}

/// How well one representation tells the classes apart. Accuracies are shares in 0…1; more is better everywhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelFigures {
    /// One example of each class is known, and every other row takes the class of the nearest example: the share that
    /// is right, as the mean over the trials.
    pub one_shot_top1: f64,
    /// Standard deviation of that share among the trials: how much hangs on the examples.
    pub one_shot_top1_sd: f64,
    /// Share of rows whose class is among those of the 5 nearest examples. None where there are 5 classes or fewer, of
    /// which it would always be 1.
    pub one_shot_top5: Option<f64>,
    /// Rows that were asked in every trial, unless they were examples.
    pub one_shot_rows: usize,
    /// Share of rows that have the class of their nearest neighbours in the other folds.
    pub crossval_top1: f64,
    /// Rows that were asked for it.
    pub crossval_rows: usize,
    /// Mean of (b − a) / max(a, b), where a is a row's mean distance to the others of its class and b that to the
    /// nearest other class (Rousseeuw): −1…1. A row that is alone in its class counts as 0.
    pub silhouette: f64,
    /// Rows that were asked for it.
    pub silhouette_rows: usize,
}

/// A test of classes: what is drawn at random is drawn once, so that every representation of the same rows is asked
/// the same questions.
///
/// Rows without a label take no part. A row that is alone in its class is an example to the others, but is never asked
/// itself: nothing else could tell its class.
#[derive(Debug, Clone)]
pub struct LabelTest {
    draws: Draws,
    options: LabelOptions,
}

impl LabelTest {
    /// Draws examples and folds for rows of these classes, `None` where a row has no label. Any numbers will do.
    ///
    /// # Errors
    /// If there are fewer than two classes, or none of two rows; if an option is 0, or there is only one fold.
    pub fn new(labels: &[Option<u32>], options: &LabelOptions) -> Result<Self, QualityError> {
        let LabelOptions { trials, folds, k, silhouette_rows, .. } = *options;
        check_positive(&[("trials", trials), ("folds", folds), ("k", k), ("silhouette_rows", silhouette_rows)])?;
        if folds == 1 {
            return Err(QualityError::OneFold);
        }
        Ok(Self { draws: Draws::new(labels, trials, folds, options.seed)?, options: options.clone() })
    }

    /// Number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.draws.sizes.len()
    }

    /// Rows that have a label.
    #[must_use]
    pub fn labelled(&self) -> usize {
        self.draws.labelled.len()
    }

    /// Rows that have none, and take no part.
    #[must_use]
    pub fn unlabelled(&self) -> usize {
        self.draws.class_of.len() - self.labelled()
    }

    /// Classes of a single row, which cannot be tested.
    #[must_use]
    pub fn single(&self) -> usize {
        self.draws.sizes.iter().filter(|&&size| size == 1).count()
    }

    /// Measures one representation of the rows. `progress` hears of computed distances.
    ///
    /// # Errors
    /// If the space does not hold as many rows as there are labels, or values that are not finite.
    pub fn measure(&self, space: &Space, progress: Progress<'_>) -> Result<LabelFigures, QualityError> {
        let (draws, options) = (&self.draws, &self.options);
        if space.rows() != draws.class_of.len() {
            return Err(QualityError::Labels { labels: draws.class_of.len(), rows: space.rows() });
        }
        check_finite(space, "representation")?;
        let (shots, others) = (self.options.trials * self.classes(), self.labelled());
        let tested = draws.testable();
        let one_shot_rows = self.asked(&tested, shots, space, usize::MAX);
        let crossval_rows = self.asked(&tested, others, space, usize::MAX);
        let silhouette_rows = self.asked(&draws.labelled, others, space, options.silhouette_rows);
        let total = one_shot_rows.len() * shots + (crossval_rows.len() + silhouette_rows.len()) * others;
        let counter = Counter { done: AtomicUsize::new(0), total, progress };

        let trials = one_shot::one_shot(space, draws, &one_shot_rows, options.seed, &counter);
        let (one_shot_top1, one_shot_top1_sd) = one_shot::mean_and_sd(&trials, |trial| trial.right);
        let one_shot_top5 = one_shot::mean_and_sd(&trials, |trial| trial.among_five).0;
        let crossval = Crossval { space, draws, k: options.k, seed: options.seed };
        let right = crossval.right(&crossval_rows, &counter);
        Ok(LabelFigures {
            one_shot_top1,
            one_shot_top1_sd,
            one_shot_top5: (self.classes() > one_shot::TOP).then_some(one_shot_top5),
            one_shot_rows: one_shot_rows.len(),
            crossval_top1: right as f64 / crossval_rows.len() as f64,
            crossval_rows: crossval_rows.len(),
            silhouette: silhouette::silhouette(space, draws, &silhouette_rows, &counter),
            silhouette_rows: silhouette_rows.len(),
        })
    }

    /// Those of `rows` for which there is time when each is compared with `compared` rows, ascending.
    fn asked(&self, rows: &[u32], compared: usize, space: &Space, most: usize) -> Vec<u32> {
        let each = compared as u64 * space.vectors().dims() as u64;
        let affordable = (self.options.work / each.max(1)).max(MIN_ASKED as u64) as usize;
        let chosen = sample(rows.len(), most.min(affordable), self.options.seed.wrapping_add(2));
        chosen.into_iter().map(|place| rows[place as usize]).collect()
    }
}

/// Tells of the distances that are computed.
struct Counter<'a> {
    done: AtomicUsize,
    total: usize,
    progress: Progress<'a>,
}

impl Counter<'_> {
    fn add(&self, distances: usize) {
        (self.progress)(self.done.fetch_add(distances, Ordering::Relaxed) + distances, self.total);
    }
}
