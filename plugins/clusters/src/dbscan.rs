//! All clusters of an embedding.

use crate::connect::connect;
use crate::density::Density;
use crate::error::ClusterError;
use crate::options::ClusterOptions;
use crate::places::LOST;
use crate::positions::Positions;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The label of rows in no cluster.
pub const NOISE: u32 = u32::MAX;

/// Which rows belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusters {
    /// The cluster of each row, or [`NOISE`].
    pub labels: Vec<u32>,
    /// Rows of each cluster, largest first; of equally large ones that with the first row.
    pub sizes: Vec<usize>,
    /// The radius used, in units of the embedding.
    pub radius: f32,
    /// Rows in no cluster.
    pub noise: usize,
}

/// Finds clusters by DBSCAN (Ester et al. 1996).
///
/// Core points have at least `min_points` rows within the radius, themselves counted. Core points within the radius of
/// each other are in one cluster; other points within the radius of a core point are in the cluster of the nearest (of
/// several, of the one whose first value is the lowest, and so on). Rows in no cluster, and such as are not finite, are [`NOISE`].
///
/// # Errors
/// [`ClusterError::Options`] where an option is out of range, [`ClusterError::Shape`] where `positions` are not a table
/// of that many rows, [`ClusterError::Cancelled`] once `cancelled` says so; it is asked from many threads.
pub fn dbscan(
    positions: Positions<'_>,
    options: &ClusterOptions,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Clusters, ClusterError> {
    options.check()?;
    positions.check()?;
    let go_on = || if cancelled() { Err(ClusterError::Cancelled) } else { Ok(()) };
    let density = Density::try_new(positions, options.min_points, &go_on)?;
    let radius = options.radius.unwrap_or(density.typical_radius() / options.granularity);
    let roots = roots_at(&density, squared(radius), &go_on)?;
    Ok(label(&density, &roots, radius))
}

/// The radius squared, as distances are.
pub(crate) fn squared(radius: f32) -> f32 {
    (radius * radius).min(f32::MAX)
}

/// A slot that stands for the cluster of each slot, or [`NOISE`], for as long as `go_on` does not fail.
fn roots_at(
    density: &Density,
    squared_radius: f32,
    go_on: &(impl Fn() -> Result<(), ClusterError> + Sync),
) -> Result<Vec<u32>, ClusterError> {
    let forest = connect(density, squared_radius, go_on)?;
    let root_of = |slot| {
        if density.is_core(slot, squared_radius) {
            return Ok(forest.root(slot));
        }
        go_on()?;
        Ok(density.nearest_core(slot, squared_radius).map_or(NOISE, |core| forest.root(core)))
    };
    (0..density.tree.slots() as u32).into_par_iter().map(root_of).collect()
}

/// Numbers clusters by size.
fn label(density: &Density, roots: &[u32], radius: f32) -> Clusters {
    let root_of = |slot: u32| if slot == LOST { NOISE } else { roots[slot as usize] };
    let mut labels: Vec<u32> = density.places.slots().iter().map(|&slot| root_of(slot)).collect();
    // Rows and first row by root.
    let mut found: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (row, &root) in labels.iter().enumerate().filter(|&(_, &root)| root != NOISE) {
        found.entry(root).or_insert((0, row)).0 += 1;
    }
    let mut by_size: Vec<(Reverse<usize>, usize, u32)> =
        found.into_iter().map(|(root, (size, first))| (Reverse(size), first, root)).collect();
    by_size.sort_unstable();
    let mut label_of_root = vec![NOISE; roots.len()];
    for (label, &(_, _, root)) in (0..).zip(&by_size) {
        label_of_root[root as usize] = label;
    }
    for label in labels.iter_mut().filter(|label| **label != NOISE) {
        *label = label_of_root[*label as usize];
    }
    let sizes: Vec<usize> = by_size.iter().map(|&(Reverse(size), _, _)| size).collect();
    let noise = labels.len() - sizes.iter().sum::<usize>();
    Clusters { labels, sizes, radius, noise }
}
