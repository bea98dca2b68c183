//! The names of the metrics.

use serde::{Deserialize, Serialize};

/// How the distance `δ` of two rows is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Straight-line distance.
    #[default]
    Euclidean,
    /// Sum of absolute differences.
    Manhattan,
    /// One minus the cosine of the angle; a zero vector is at distance 1 from everything.
    Cosine,
    /// One minus Pearson's correlation: cosine after each row's mean is taken off.
    Correlation,
    /// Largest absolute difference.
    Chebyshev,
    /// Σ|a−b| / Σ|a+b|; 0 where both sums are 0.
    BrayCurtis,
}

impl Metric {
    /// Every metric, in the order users see them.
    pub const ALL: [Self; 6] =
        [Self::Euclidean, Self::Manhattan, Self::Cosine, Self::Correlation, Self::Chebyshev, Self::BrayCurtis];

    /// The name used in flags, files and panels.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Euclidean => "euclidean",
            Self::Manhattan => "manhattan",
            Self::Cosine => "cosine",
            Self::Correlation => "correlation",
            Self::Chebyshev => "chebyshev",
            Self::BrayCurtis => "bray-curtis",
        }
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
