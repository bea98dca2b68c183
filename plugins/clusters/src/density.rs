//! How dense it is around each place, and the radius that suits that.

use crate::places::{Places, Sorted};
use crate::positions::Positions;
use crate::tree::{LEAF, Tree};
use rayon::prelude::*;
use std::collections::BinaryHeap;
use std::convert::Infallible;

/// Share of places whose crowd the radius found from the data spans before it is widened. The rest may lie scattered
/// between islands, at distances that say nothing.
const QUANTILE: f64 = 0.8;

/// What that radius is then widened by. Both are tuned on embeddings of handwritten digits and of cells in 2 to 4
/// dimensions: at ¾ of this radius islands fall to pieces, from 1.05 of it the first of them flow together.
const FACTOR: f32 = 1.3;

/// The places of an embedding and the distance from each within which there are `min_points` rows: all that depends
/// on positions only.
pub(crate) struct Density {
    pub(crate) places: Places,
    pub(crate) tree: Tree,
    /// By slot, squared: a core point at any radius that is not less. Infinite where there are too few rows.
    core: Vec<f32>,
    /// The lowest of those by node.
    core_of_node: Vec<f32>,
    typical_radius: f32,
}

impl Density {
    /// Measures positions of the right shape.
    pub(crate) fn new(positions: Positions<'_>, min_points: usize) -> Self {
        let Ok(density) = Self::try_new(positions, min_points, &|| Ok::<(), Infallible>(()));
        density
    }

    /// Measures positions of the right shape for as long as `go_on` does not fail.
    pub(crate) fn try_new<E: Send>(
        positions: Positions<'_>,
        min_points: usize,
        go_on: &(impl Fn() -> Result<(), E> + Sync),
    ) -> Result<Self, E> {
        let sorted = Sorted::new(positions);
        let representatives = sorted.representatives();
        let at = |place: u32| positions.row(representatives[place as usize]);
        let (tree, order) = Tree::new(representatives.len(), positions.dims, at);
        let places = sorted.in_order(&order);
        let min_points = min_points.max(1);
        // Of fewer rows none is a core point, but a radius should suit them, too.
        let wanted = min_points.min(places.found());
        let mut core = core_distances(&tree, &places, wanted, go_on)?;
        let typical_radius = radius_for(&core);
        if wanted < min_points {
            core.fill(f32::INFINITY);
        }
        let mut core_of_node = vec![f32::INFINITY; tree.nodes().len()];
        for node in (0..tree.nodes().len()).rev() {
            core_of_node[node] = match tree.children(node) {
                Some([left, right]) => core_of_node[left].min(core_of_node[right]),
                None => tree.nodes()[node].slots().map(|slot| core[slot as usize]).fold(f32::INFINITY, f32::min),
            };
        }
        Ok(Self { places, tree, core, core_of_node, typical_radius })
    }

    /// See [`typical_radius`](crate::typical_radius()).
    pub(crate) fn typical_radius(&self) -> f32 {
        self.typical_radius
    }

    /// Whether a slot is a core point.
    pub(crate) fn is_core(&self, slot: u32, squared_radius: f32) -> bool {
        self.core[slot as usize] <= squared_radius
    }

    /// Whether any slot of a node is a core point.
    pub(crate) fn has_core(&self, node: usize, squared_radius: f32) -> bool {
        self.core_of_node[node] <= squared_radius
    }

    /// The nearest core point within the radius; of several the one whose values come first.
    pub(crate) fn nearest_core(&self, slot: u32, squared_radius: f32) -> Option<u32> {
        let mut nearest = None;
        self.tree.search(
            0,
            self.tree.point(slot),
            &mut squared_radius.clone(),
            &|node| self.has_core(node, squared_radius),
            &mut |other, squared| {
                let nearer = nearest
                    .is_none_or(|(best, core)| squared < best || squared == best && self.tree.precedes(other, core));
                if nearer && self.is_core(other, squared_radius) {
                    nearest = Some((squared, other));
                }
                nearest.map_or(squared_radius, |(best, _)| best)
            },
        );
        nearest.map(|(_, core)| core)
    }
}

/// The radius at which the clusters of an embedding are its islands: somewhat more than what four places in five need
/// to have `min_points` rows within it, themselves counted.
///
/// Embeddings of the t-SNE family consist of islands of nearly even density, so most distances of that kind are alike,
/// and gaps between islands are wider. Rows that coincide count once, and places with `min_points` rows or more not at
/// all: they would ask for no radius. 0 if there is nothing else. A measurement of all rows, in parallel.
///
/// # Panics
/// If `values` does not hold `rows` rows of `stride` values, or `dims` is 0 or more than `stride`.
#[must_use]
pub fn typical_radius(positions: Positions<'_>, min_points: usize) -> f32 {
    positions.assert();
    Density::new(positions, min_points).typical_radius()
}

/// From squared core distances to a radius.
fn radius_for(core: &[f32]) -> f32 {
    let mut spread: Vec<f32> = core.iter().copied().filter(|&squared| squared > 0.0).collect();
    if spread.is_empty() {
        return 0.0;
    }
    let rank = (QUANTILE * (spread.len() - 1) as f64) as usize;
    let (_, squared, _) = spread.select_nth_unstable_by(rank, f32::total_cmp);
    FACTOR * squared.sqrt()
}

/// Squared distances within which there are `wanted` rows around each slot, itself counted; there are as many.
fn core_distances<E: Send>(
    tree: &Tree,
    places: &Places,
    wanted: usize,
    go_on: &(impl Fn() -> Result<(), E> + Sync),
) -> Result<Vec<f32>, E> {
    let mut core = vec![0.0; tree.slots()];
    let leaves: Vec<usize> = (0..tree.nodes().len()).filter(|&node| tree.children(node).is_none()).collect();
    let chunks = core.par_chunks_mut(LEAF).zip(leaves.par_iter());
    chunks.try_for_each_init(
        || vec![Crowd::new(wanted); LEAF],
        |crowds, (core, &leaf)| {
            go_on()?;
            crowds.iter_mut().for_each(Crowd::clear);
            let crowds = &mut crowds[..core.len()];
            gather(tree, places, leaf, 0, crowds);
            core.iter_mut().zip(crowds).for_each(|(core, crowd)| *core = crowd.reach());
            Ok(())
        },
    )?;
    Ok(core)
}

/// Shows the places below `node` to the crowds around the places of `leaf`, but for those too far from all of them.
fn gather(tree: &Tree, places: &Places, leaf: usize, node: usize, crowds: &mut [Crowd]) {
    if let Some(children) = tree.children(node) {
        let mut children = children.map(|child| (tree.gap_between(leaf, child), child));
        // The leaf itself comes first: its own places narrow the crowds most.
        if children[1].0 < children[0].0 || tree.nodes()[children[1].1].slots().contains(&tree.nodes()[leaf].first) {
            children.swap(0, 1);
        }
        for (gap, child) in children {
            if crowds.iter().any(|crowd| gap <= crowd.reach()) {
                gather(tree, places, leaf, child, crowds);
            }
        }
        return;
    }
    let near = tree.nodes()[node].slots();
    for (slot, crowd) in tree.nodes()[leaf].slots().zip(crowds) {
        let point = tree.point(slot);
        if tree.gap(node, point) > crowd.reach() {
            continue;
        }
        for (near, squared) in near.clone().zip(tree.distances(near.start as usize / LEAF, point)) {
            if squared < crowd.reach() {
                crowd.add(squared, places.weight(near));
            }
        }
    }
}

/// The nearest rows to a place so far: as few places as make up the rows wanted.
#[derive(Clone)]
struct Crowd {
    /// Squared distance (its bits order as it does) and, below it, weight.
    nearest: BinaryHeap<u64>,
    weight: usize,
    wanted: usize,
    reach: f32,
}

impl Crowd {
    fn new(wanted: usize) -> Self {
        Self { nearest: BinaryHeap::new(), weight: 0, wanted, reach: f32::INFINITY }
    }

    fn clear(&mut self) {
        self.nearest.clear();
        (self.weight, self.reach) = (0, f32::INFINITY);
    }

    /// The squared distance within which the rows wanted have been found.
    fn reach(&self) -> f32 {
        self.reach
    }

    fn add(&mut self, squared: f32, weight: u32) {
        self.nearest.push(u64::from(squared.to_bits()) << 32 | u64::from(weight));
        self.weight += weight as usize;
        while let Some(&farthest) = self.nearest.peek() {
            let rest = self.weight - farthest as u32 as usize;
            if rest < self.wanted {
                if self.weight >= self.wanted {
                    self.reach = f32::from_bits((farthest >> 32) as u32);
                }
                return;
            }
            self.nearest.pop();
            self.weight = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_reaches_as_far_as_it_must() {
        let mut crowd = Crowd::new(4);
        crowd.add(9.0, 1);
        crowd.add(4.0, 2);
        assert_eq!(crowd.reach(), f32::INFINITY);
        crowd.add(16.0, 3);
        assert_eq!(crowd.reach(), 16.0);
        crowd.add(1.0, 1);
        assert_eq!(crowd.reach(), 9.0);
        crowd.add(0.0, 1);
        assert_eq!(crowd.reach(), 4.0);
        crowd.add(0.5, 9);
        assert_eq!(crowd.reach(), 0.5);
        crowd.clear();
        assert_eq!(crowd.reach(), f32::INFINITY);
    }

    #[test]
    fn the_radius_ignores_the_farthest_and_those_that_ask_for_none() {
        let even: Vec<f32> = vec![4.0; 95];
        let scattered: Vec<f32> = [even.clone(), vec![1e6; 15], vec![0.0; 500]].concat();
        assert_eq!(radius_for(&even), 2.0 * FACTOR);
        assert_eq!(radius_for(&scattered), 2.0 * FACTOR);
        assert!(radius_for(&[even, vec![1e6; 40]].concat()) > 100.0);
        assert_eq!(radius_for(&[0.0; 3]), 0.0);
        assert_eq!(radius_for(&[]), 0.0);
    }
}
