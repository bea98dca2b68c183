//! Decide: what an iteration does. A few numbers of the run so far in, a few decisions out; no point is touched.

use crate::random::{hash, unit};
use crate::settings::Settings;

/// Probability of a refinement when nobody finds anything any more.
pub const IDLE_PROBABILITY: f32 = 0.05;
/// Weight of the newest share in the smoothed rate, if it is that of all points; of a slice it is less by as much.
pub const SMOOTHING: f32 = 0.5;
/// Passes over all points before the embedding moves.
pub const WARM_UP_PASSES: u32 = 2;
/// Momentum while the embedding is young: neighbours pull so hard that more would overshoot.
pub const YOUNG_MOMENTUM: f32 = 0.9;
/// Affinities are refreshed when changed rows times iterations waited reach this multiple of N …
pub const CHANGES_WORTH_A_REFRESH: f32 = 5.0;
/// … or after this many iterations if anything changed at all.
pub const LONGEST_WAIT: u32 = 150;
/// Draw of the random number that decides on a refinement.
pub const DRAW: u32 = 2;

/// What the search for neighbours in the data does in one iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// One more start-up projection.
    Project,
    /// A slice of points looks at the neighbours of its neighbours.
    Refine,
    /// Nothing.
    Rest,
}

/// How far the search has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Start-up projections made.
    pub trees: u32,
    /// Passes over all points made.
    pub pass: u32,
    /// Smoothed share of points that found a nearer neighbour when they last looked.
    pub rate: f32,
}

/// A start-up projection while there are any left, then a refinement: always while the embedding waits for it, and
/// later with the probability that the paper gives it.
#[must_use]
pub fn look(progress: Progress, start_projections: u32, seed: u32, iteration: u32) -> Look {
    let probability = IDLE_PROBABILITY + (1.0 - IDLE_PROBABILITY) * progress.rate;
    if progress.trees < start_projections {
        Look::Project
    } else if warming_up(progress.pass) || unit(hash(seed, iteration, 0, DRAW)) < probability {
        Look::Refine
    } else {
        Look::Rest
    }
}

/// True while the lists are too patchy to move points by: before the first two passes over all points. Never true
/// again after that.
#[must_use]
pub fn warming_up(pass: u32) -> bool {
    pass < WARM_UP_PASSES
}

/// The rate after one more slice of all points, in which `found` of `looked` points found something.
#[must_use]
pub fn smoothed(rate: f32, found: u32, looked: u32, points: u32) -> f32 {
    rate + SMOOTHING * (looked as f32 / points as f32) * (found as f32 / looked as f32 - rate)
}

/// True if the affinities are to be computed anew: `changes` rows have changed since `refreshed_at` (`None`: at once).
#[must_use]
pub fn refresh_due(iteration: u32, refreshed_at: Option<u32>, changes: u32, points: u32) -> bool {
    let Some(at) = refreshed_at else { return true };
    let waited = iteration - at;
    let share = (changes as f32 / points as f32).min(1.0);
    share > 0.0 && (waited as f32 * share >= CHANGES_WORTH_A_REFRESH || waited >= LONGEST_WAIT)
}

/// The step falls to zero over some iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Annealing {
    /// First of them.
    pub from: u32,
    /// How many.
    pub over: u32,
    /// Share of the step that it begins with.
    pub share: f32,
}

impl Annealing {
    /// From the whole step, over so many iterations.
    #[must_use]
    pub fn whole(from: u32, over: u32) -> Self {
        Self { from, over, share: 1.0 }
    }

    /// The share of the step that is left in an iteration.
    #[must_use]
    pub fn left(&self, iteration: u32) -> f32 {
        self.share * (1.0 - ((iteration - self.from) as f32 / self.over as f32).min(1.0))
    }
}

/// How forces become moves in one iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Factor on the pull and divisor of the step while the embedding is young, else 1.
    pub exaggeration: f32,
    /// Share of the step that annealing leaves (0 to 1).
    pub annealed: f32,
    /// Share of the last move that is kept.
    pub momentum: f32,
}

/// The pace of an embedding born at iteration `born_at` that is young for `early` iterations.
#[must_use]
pub fn pace(settings: &Settings, early: u32, iteration: u32, born_at: u32, annealing: Option<Annealing>) -> Pace {
    let young = iteration - born_at < early && settings.early_exaggeration > 1.0;
    let annealed = annealing.map_or(1.0, |annealing| annealing.left(iteration));
    Pace {
        exaggeration: if young { settings.early_exaggeration } else { 1.0 },
        annealed,
        momentum: if young { YOUNG_MOMENTUM.min(settings.momentum) } else { settings.momentum },
    }
}
