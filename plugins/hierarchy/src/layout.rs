//! Where the nodes are in a picture: the root in the middle, each level a ring around it.

use crate::graph::{Hierarchy, Node, ROOT};
use serde::Serialize;
use std::f32::consts::TAU;

/// A disc in the unit disc.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Place {
    /// Centre, to the right.
    pub x: f32,
    /// Centre, upwards.
    pub y: f32,
    /// Radius.
    pub r: f32,
}

/// A radial drawing of the tree.
///
/// A node has a wedge of the circle within that of its parent, in the parent's order, so tree edges never cross. Wedges
/// are as wide as discs need, and share what is left by size. Discs do not overlap: where the circle is too crowded all
/// of them shrink.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// By node.
    pub places: Vec<Place>,
    /// Distance of each level from the middle.
    pub rings: Vec<f32>,
}

/// Radius of the largest disc, as a share of the distance between rings: below a half, so that rings keep apart.
const LARGEST: f32 = 0.45;
/// Radius of the smallest disc, as a share of the largest.
const SMALLEST: f32 = 0.12;
/// Room around a disc along its ring, as a share of its radius.
const MARGIN: f32 = 0.1;
/// Discs shrink by this factor until they fit.
const SHRINK: f32 = 0.9;

impl Layout {
    /// Places all nodes. The same hierarchy always gives the same places.
    #[must_use]
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let levels = hierarchy.levels().len();
        // The first ring is twice as far from the middle as rings are from each other: there the circle is narrowest.
        let spacing = 1.0 / (levels as f32 + 1.5);
        let rings: Vec<f32> = (2..levels + 2).map(|ring| ring as f32 * spacing).collect();
        let mut wheel = Wheel { hierarchy, rings: &rings, radii: radii(hierarchy, spacing * LARGEST) };
        let mut needs = wheel.needs();
        while needs[ROOT as usize] > TAU {
            wheel.radii.iter_mut().for_each(|radius| *radius *= SHRINK);
            needs = wheel.needs();
        }
        let angles = wheel.angles(&needs);
        let places = hierarchy.nodes().iter().zip(angles).zip(&wheel.radii).map(|((node, angle), &r)| {
            let distance = wheel.distance(node);
            Place { x: distance * angle.sin(), y: distance * angle.cos(), r }
        });
        Self { places: places.collect(), rings: rings.clone() }
    }

    /// The node whose disc is at a point; none where there is no disc.
    #[must_use]
    pub fn node_at(&self, x: f32, y: f32) -> Option<u32> {
        let at = |place: &Place| (place.x - x).hypot(place.y - y) <= place.r;
        self.places.iter().position(at).map(|node| node as u32)
    }
}

/// Radii that grow with the root of the size, within bounds. The largest cluster has the largest, and so has the root.
fn radii(hierarchy: &Hierarchy, largest: f32) -> Vec<f32> {
    let clusters = &hierarchy.nodes()[1..];
    let most = clusters.iter().map(Node::size).max().unwrap_or(1) as f32;
    let radius = |node: &Node| (largest * (node.size() as f32 / most).sqrt()).clamp(largest * SMALLEST, largest);
    hierarchy.nodes().iter().map(radius).collect()
}

/// The tree on its way around the circle.
struct Wheel<'a> {
    hierarchy: &'a Hierarchy,
    rings: &'a [f32],
    radii: Vec<f32>,
}

impl Wheel<'_> {
    /// Distance of a node from the middle.
    fn distance(&self, node: &Node) -> f32 {
        node.level.map_or(0.0, |level| self.rings[level])
    }

    /// The angle that each node and all below it need at least.
    fn needs(&self) -> Vec<f32> {
        let mut needs = vec![0.0; self.radii.len()];
        // Children come after their parents.
        for node in self.hierarchy.nodes().iter().rev() {
            let below: f32 = self.hierarchy.children(node.id).iter().map(|&child| needs[child as usize]).sum();
            let own = match node.level {
                None => 0.0,
                Some(_) => {
                    let ratio = self.radii[node.id as usize] * (1.0 + MARGIN) / self.distance(node);
                    2.0 * ratio.min(1.0).asin()
                }
            };
            needs[node.id as usize] = below.max(own);
        }
        needs
    }

    /// The angle of each node, clockwise from the top: the middle of its wedge.
    fn angles(&self, needs: &[f32]) -> Vec<f32> {
        let mut wedges = vec![(0.0, TAU); needs.len()];
        for node in self.hierarchy.nodes() {
            let children = self.hierarchy.children(node.id);
            let (mut from, wide) = wedges[node.id as usize];
            let needed: f32 = children.iter().map(|&child| needs[child as usize]).sum();
            let rows: usize = children.iter().map(|&child| self.hierarchy.nodes()[child as usize].size()).sum();
            let spare = (wide - needed).max(0.0);
            for &child in children {
                let share = self.hierarchy.nodes()[child as usize].size() as f32 / rows as f32;
                let width = needs[child as usize] + spare * share;
                wedges[child as usize] = (from, width);
                from += width;
            }
        }
        wedges.into_iter().map(|(from, width)| from + 0.5 * width).collect()
    }
}

#[cfg(test)]
mod tests;
