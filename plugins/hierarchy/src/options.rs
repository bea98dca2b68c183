//! What can be chosen about a hierarchy.

use crate::error::HierarchyError;
use clusters::ClusterOptions;
use serde::{Deserialize, Serialize};

/// How a hierarchy is grown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HierarchyOptions {
    /// Snapshots (≥ 1). More show in finer steps how clusters part.
    pub levels: usize,
    /// α of the first snapshot (0.01 to 1000).
    pub alpha_from: f32,
    /// α of the last snapshot (0.01 to `alpha_from`). Less breaks clusters into finer ones.
    pub alpha_to: f32,
    /// Iterations before the first snapshot begins to settle: the embedding finds its shape.
    pub first_iterations: u32,
    /// Iterations from one level to the next (≥ 1), over which α falls. More let clusters part, not tear.
    pub level_iterations: u32,
    /// Iterations before each snapshot over which the step falls to zero; 0 takes positions as they move.
    pub settle_iterations: u32,
    /// Rows within the radius of a row, itself counted, that make it a core point (≥ 1).
    pub min_points: usize,
    /// The radius found from the data is divided by it (a factor, 0.1 to 10): more makes clusters smaller.
    pub granularity: f32,
    /// Rows of a cluster, at least, as a share of all (0 to 1); smaller ones count as noise.
    pub smallest_share: f64,
    /// Edges lighter than this (0 to 1) are cut, but for the heaviest of each node.
    pub weak_edge: f32,
}

impl Default for HierarchyOptions {
    fn default() -> Self {
        Self {
            levels: 6,
            alpha_from: 1.0,
            alpha_to: 0.65,
            first_iterations: 350,
            level_iterations: 70,
            settle_iterations: 40,
            min_points: 30,
            granularity: 0.33,
            smallest_share: 0.001,
            weak_edge: 0.5,
        }
    }
}

impl HierarchyOptions {
    /// Fails where an option is out of its range.
    ///
    /// # Errors
    /// Names the first such option, its value and the range.
    pub fn check(&self) -> Result<(), HierarchyError> {
        let check = |ok: bool, option: &'static str, value: f64, allowed: &'static str| {
            if ok { Ok(()) } else { Err(HierarchyError::Options { option, value, allowed }) }
        };
        check((1..=1000).contains(&self.levels), "levels", self.levels as f64, "from 1 to 1000")?;
        let (from, to) = (self.alpha_from, self.alpha_to);
        check((0.01..=1000.0).contains(&from), "alpha_from", from.into(), "from 0.01 to 1000")?;
        check((0.01..=from).contains(&to), "alpha_to", to.into(), "from 0.01 to alpha_from")?;
        let most = 1_000_000;
        check(self.first_iterations <= most, "first_iterations", self.first_iterations.into(), "at most 1000000")?;
        let each = self.level_iterations;
        check((1..=most).contains(&each), "level_iterations", each.into(), "from 1 to 1000000")?;
        check(self.settle_iterations <= most, "settle_iterations", self.settle_iterations.into(), "at most 1000000")?;
        check(self.min_points >= 1, "min_points", self.min_points as f64, "at least 1")?;
        check((0.1..=10.0).contains(&self.granularity), "granularity", self.granularity.into(), "from 0.1 to 10")?;
        check((0.0..=1.0).contains(&self.smallest_share), "smallest_share", self.smallest_share, "from 0 to 1")?;
        check((0.0..=1.0).contains(&self.weak_edge), "weak_edge", self.weak_edge.into(), "from 0 to 1")
    }

    /// Iterations of the whole run.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        let levels = u32::try_from(self.levels).unwrap_or(u32::MAX);
        let lowering = levels.saturating_sub(1).saturating_mul(self.level_iterations);
        self.first_iterations.saturating_add(lowering).saturating_add(levels.saturating_mul(self.settle_iterations))
    }

    /// α of a level: even steps in its logarithm.
    #[must_use]
    pub fn alpha_at(&self, level: usize) -> f32 {
        let last = self.levels.saturating_sub(1);
        if level >= last && last > 0 {
            return self.alpha_to; // without rounding
        }
        let share = if last == 0 { 0.0 } else { level as f32 / last as f32 };
        self.alpha_from * (self.alpha_to / self.alpha_from).powf(share)
    }

    pub(crate) fn clusters(&self) -> ClusterOptions {
        ClusterOptions { min_points: self.min_points, radius: None, granularity: self.granularity }
    }

    /// Rows of the smallest cluster of so many rows.
    pub(crate) fn smallest_for(&self, rows: usize) -> usize {
        (self.smallest_share * rows as f64).ceil() as usize
    }
}
