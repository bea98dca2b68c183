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
    /// Rows within the radius of a row, itself counted, that make it a core point (≥ 1); none: found from the number of
    /// rows. More make the radius wider, and clusters larger.
    pub min_points: Option<usize>,
    /// The radius found from the data, anew at each level, is divided by it (a factor, 0.1 to 10): more makes clusters
    /// smaller. Islands of the first level should flow together into continents, so this is well below 1.
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
            min_points: None,
            granularity: 0.3,
            smallest_share: 0.001,
            weak_edge: 0.5,
        }
    }
}

/// Rows for each of the `min_points` found from the number of rows …
const ROWS_PER_MIN_POINTS: usize = 300;
/// … which are at least so many: fewer make chains of single rows. With more, sets of a few thousand rows stay one
/// cluster for long.
const FEWEST_MIN_POINTS: usize = 10;
/// Fewer rows than this are noise altogether, unless `min_points` is chosen.
pub const FEWEST_ROWS: usize = FEWEST_MIN_POINTS;
/// … and at most so many: what separates handwritten digits by likeness and cells by class; see the crate.
const MOST_MIN_POINTS: usize = 30;

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
        check(self.min_points != Some(0), "min_points", 0.0, "at least 1")?;
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

    /// How clusters of so many rows are found.
    pub(crate) fn clusters_for(&self, rows: usize) -> ClusterOptions {
        let typical = || (rows / ROWS_PER_MIN_POINTS).clamp(FEWEST_MIN_POINTS, MOST_MIN_POINTS);
        let min_points = self.min_points.unwrap_or_else(typical);
        ClusterOptions { min_points, radius: None, granularity: self.granularity }
    }

    /// Rows of the smallest cluster of so many rows.
    pub(crate) fn smallest_for(&self, rows: usize) -> usize {
        (self.smallest_share * rows as f64).ceil() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_falls_evenly_in_its_logarithm() {
        let options = HierarchyOptions { levels: 3, alpha_from: 1.0, alpha_to: 0.25, ..HierarchyOptions::default() };
        assert_eq!([0, 1, 2].map(|level| options.alpha_at(level)), [1.0, 0.5, 0.25]);
    }

    #[test]
    fn core_points_of_larger_sets_have_more_neighbours_up_to_a_point() {
        let options = HierarchyOptions::default();
        let found = [10, 3000, 5620, 9000, 1_000_000].map(|rows| options.clusters_for(rows).min_points);
        assert_eq!(found, [10, 10, 18, 30, 30]);
        let options = HierarchyOptions { min_points: Some(4), ..options };
        assert_eq!(options.clusters_for(5620).min_points, 4);
    }

    #[test]
    fn options_survive_a_file_and_absent_ones_are_defaults() {
        let options = HierarchyOptions { levels: 3, min_points: Some(7), ..HierarchyOptions::default() };
        let json = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<HierarchyOptions>(&json).unwrap(), options);
        assert_eq!(serde_json::from_str::<HierarchyOptions>("{}").unwrap(), HierarchyOptions::default());
        assert!(serde_json::from_str::<HierarchyOptions>("{\"level\": 3}").is_err());
    }
}
