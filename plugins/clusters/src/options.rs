//! What can be chosen about clusters.

use crate::error::ClusterError;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// How clusters are found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClusterOptions {
    /// Rows within the radius of a row, itself counted, that make it a core point (≥ 1). More ask for denser clusters
    /// and leave more noise.
    pub min_points: usize,
    /// How far apart the neighbours of a cluster may be, in units of the embedding (finite, ≥ 0); none: found from the
    /// data.
    pub radius: Option<f32>,
    /// The radius found from the data is divided by it (a factor, 0.1 to 10): more makes clusters smaller. Without
    /// effect on a radius that is given.
    pub granularity: f32,
}

impl Default for ClusterOptions {
    fn default() -> Self {
        Self { min_points: 10, radius: None, granularity: 1.0 }
    }
}

/// Granularities that mean something: beyond, everything is one cluster or none.
const GRANULARITIES: RangeInclusive<f32> = 0.1..=10.0;

impl ClusterOptions {
    /// Fails where an option is out of its range.
    pub(crate) fn check(&self) -> Result<(), ClusterError> {
        if self.min_points == 0 {
            return Err(ClusterError::Options { option: "min_points", value: 0.0, allowed: "at least 1" });
        }
        if let Some(value) = self.radius.filter(|radius| !(radius.is_finite() && *radius >= 0.0)) {
            return Err(ClusterError::Options { option: "radius", value, allowed: "finite and at least 0" });
        }
        if !GRANULARITIES.contains(&self.granularity) {
            let value = self.granularity;
            return Err(ClusterError::Options { option: "granularity", value, allowed: "from 0.1 to 10" });
        }
        Ok(())
    }
}

/// The nearest granularity that means something; 1 for NaN.
pub(crate) fn allowed_granularity(granularity: f32) -> f32 {
    if granularity.is_nan() { 1.0 } else { granularity.clamp(*GRANULARITIES.start(), *GRANULARITIES.end()) }
}
