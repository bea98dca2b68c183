//! The clusters of one snapshot.

use crate::error::HierarchyError;
use crate::options::HierarchyOptions;
use clusters::{NOISE, Positions, dbscan};

/// A snapshot of the embedding, clustered.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Weight of the tails at that time.
    pub alpha: f32,
    /// The cluster of each row, or [`clusters::NOISE`].
    pub labels: Vec<u32>,
    /// The radius the clusters were found with, in units of the embedding.
    pub radius: f32,
}

impl Level {
    /// Clusters a snapshot. Clusters smaller than the options ask for are noise.
    ///
    /// # Errors
    /// As [`dbscan`].
    pub fn find(
        alpha: f32,
        positions: Positions<'_>,
        options: &HierarchyOptions,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, HierarchyError> {
        let rows = positions.rows;
        let found = dbscan(positions, &options.clusters_for(rows), cancelled)?;
        // Clusters are numbered by size, so those to keep come first.
        let smallest = options.smallest_for(rows);
        let kept = found.sizes.iter().take_while(|&&size| size >= smallest).count() as u32;
        let mut labels = found.labels;
        labels.iter_mut().filter(|label| **label >= kept).for_each(|label| *label = NOISE);
        Ok(Self { alpha, labels, radius: found.radius })
    }

    /// Rows in no cluster.
    #[must_use]
    pub fn noise(&self) -> usize {
        self.labels.iter().filter(|&&label| label == NOISE).count()
    }
}
