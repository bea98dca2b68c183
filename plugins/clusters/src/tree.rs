//! Places in a tree of boxes: which are near, in any number of dimensions.

use crate::places::ordered;
use rayon::join;

/// Places in a leaf; their distances to a point are computed together.
pub(crate) const LEAF: usize = 16;

/// Places below which a subtree is built by one thread.
const FORK: usize = 4096;

/// A part of the places: a leaf, or two parts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Node {
    /// First slot.
    pub(crate) first: u32,
    /// Slot after the last.
    pub(crate) end: u32,
    /// The second child; 0 for a leaf. The first child is the next node.
    right: u32,
}

impl Node {
    /// Its slots.
    pub(crate) fn slots(&self) -> std::ops::Range<u32> {
        self.first..self.end
    }
}

/// Places in an order in which near ones stand together: every place has a slot, and every box a range of slots.
///
/// Bounds and distances sum squares of differences in the same order, and rounding keeps `≤`: a box never excludes a
/// place that the distance would include, not even by a rounding error.
pub(crate) struct Tree {
    dims: usize,
    slots: usize,
    /// Depth first; none if there are no places.
    nodes: Vec<Node>,
    /// Lowest and highest corner of each node.
    corners: Vec<f32>,
    /// Places, `[slots][dims]`.
    points: Vec<f32>,
    /// The same by leaf, `[leaves][dims][LEAF]`; infinite where there is no place.
    columns: Vec<[f32; LEAF]>,
}

impl Tree {
    /// Sorts places, whose positions `at` knows, into a tree; also gives the place in each slot.
    pub(crate) fn new<'a>(places: usize, dims: usize, at: impl Fn(u32) -> &'a [f32] + Sync) -> (Self, Vec<u32>) {
        let leaves = places.div_ceil(LEAF);
        let mut order: Vec<u32> = (0..places as u32).collect();
        let mut nodes = vec![Node::default(); (2 * leaves).saturating_sub(1)];
        let mut corners = vec![0.0; nodes.len() * 2 * dims];
        if places > 0 {
            Builder { dims, at: &at }.build(&mut order, 0, 0, &mut nodes, &mut corners);
        }
        let mut points = Vec::with_capacity(places * dims);
        order.iter().for_each(|&place| points.extend_from_slice(at(place)));
        let mut columns = vec![[f32::INFINITY; LEAF]; leaves * dims];
        for (slot, point) in points.chunks_exact(dims).enumerate() {
            let leaf = &mut columns[slot / LEAF * dims..][..dims];
            leaf.iter_mut().zip(point).for_each(|(column, &value)| column[slot % LEAF] = value);
        }
        (Self { dims, slots: places, nodes, corners, points, columns }, order)
    }

    /// Values of a position.
    pub(crate) fn dims(&self) -> usize {
        self.dims
    }

    /// Number of places.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// All nodes; every child comes after its parent.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The children of a node; none for a leaf.
    pub(crate) fn children(&self, node: usize) -> Option<[usize; 2]> {
        let right = self.nodes[node].right as usize;
        (right != 0).then_some([node + 1, right])
    }

    /// The position of a slot.
    pub(crate) fn point(&self, slot: u32) -> &[f32] {
        &self.points[slot as usize * self.dims..][..self.dims]
    }

    /// Whether the values of one slot come before those of another.
    pub(crate) fn precedes(&self, slot: u32, other: u32) -> bool {
        let values = |slot| self.point(slot).iter().map(|&value| ordered(value));
        values(slot).lt(values(other))
    }

    fn corners(&self, node: usize) -> (&[f32], &[f32]) {
        self.corners[node * 2 * self.dims..][..2 * self.dims].split_at(self.dims)
    }

    /// Squared distances from a point to the places of a leaf; infinite where there is none.
    pub(crate) fn distances(&self, leaf: usize, point: &[f32]) -> [f32; LEAF] {
        let mut squared = [0.0; LEAF];
        for (column, &from) in self.columns[leaf * self.dims..].iter().zip(point) {
            for (squared, &to) in squared.iter_mut().zip(column) {
                *squared += (to - from) * (to - from);
            }
        }
        squared
    }

    /// Squared length of a node's diagonal: none of its places are farther apart.
    pub(crate) fn diagonal(&self, node: usize) -> f32 {
        let (low, high) = self.corners(node);
        low.iter().zip(high).fold(0.0, |sum, (low, high)| sum + (high - low) * (high - low))
    }

    /// Squared distance from a point to the box of a node: none of its places are nearer.
    pub(crate) fn gap(&self, node: usize, point: &[f32]) -> f32 {
        let (low, high) = self.corners(node);
        let sides = low.iter().zip(high).zip(point);
        sides.fold(0.0, |sum, ((low, high), at)| {
            let outside = (low - at).max(at - high).max(0.0);
            sum + outside * outside
        })
    }

    /// Squared distance between the boxes of two nodes: no two of their places are nearer.
    pub(crate) fn gap_between(&self, a: usize, b: usize) -> f32 {
        let ((low, high), (other_low, other_high)) = (self.corners(a), self.corners(b));
        let sides = low.iter().zip(high).zip(other_low.iter().zip(other_high));
        sides.fold(0.0, |sum, ((low, high), (other_low, other_high))| {
            let outside = (low - other_high).max(other_low - high).max(0.0);
            sum + outside * outside
        })
    }

    /// Shows `visit` the slots below `node` that are no farther from a point than the radius, which `visit` may narrow:
    /// it returns the squared radius to go on with, a negative one to end. Nodes that `enter` refuses are left out.
    /// Near boxes come first.
    pub(crate) fn search(
        &self,
        node: usize,
        point: &[f32],
        squared_radius: &mut f32,
        enter: &impl Fn(usize) -> bool,
        visit: &mut impl FnMut(u32, f32) -> f32,
    ) {
        if let Some(children) = self.children(node) {
            let mut children = children.map(|child| (self.gap(child, point), child));
            if children[1].0 < children[0].0 {
                children.swap(0, 1);
            }
            for (gap, child) in children {
                if gap <= *squared_radius && enter(child) {
                    self.search(child, point, squared_radius, enter, visit);
                }
            }
            return;
        }
        let slots = self.nodes[node].slots();
        for (slot, squared) in slots.clone().zip(self.distances(slots.start as usize / LEAF, point)) {
            if squared <= *squared_radius {
                *squared_radius = visit(slot, squared);
            }
        }
    }
}

/// Splits places in halves.
struct Builder<'b, F> {
    dims: usize,
    at: &'b F,
}

impl<'a, F: Fn(u32) -> &'a [f32] + Sync> Builder<'_, F> {
    /// Sorts places that begin at slot `first` and fills the nodes of their subtree, of which the first is number
    /// `number` of all.
    fn build(&self, order: &mut [u32], first: usize, number: usize, nodes: &mut [Node], corners: &mut [f32]) {
        let (own, nodes) = nodes.split_at_mut(1);
        let (own_corners, corners) = corners.split_at_mut(2 * self.dims);
        let widest = self.bound(order, own_corners);
        own[0] = Node { first: first as u32, end: (first + order.len()) as u32, right: 0 };
        if order.len() <= LEAF {
            return;
        }
        // All leaves but the very last are full.
        let left_leaves = order.len().div_ceil(LEAF).div_ceil(2);
        let middle = left_leaves * LEAF;
        // Places are numbered by position, so the halves do not depend on the order of rows.
        order.select_nth_unstable_by_key(middle, |&place| (ordered((self.at)(place)[widest]), place));
        let left_nodes = 2 * left_leaves - 1;
        let right = number + 1 + left_nodes;
        own[0].right = right as u32;
        let parallel = order.len() > FORK;
        let (left_order, right_order) = order.split_at_mut(middle);
        let (left, right_nodes) = nodes.split_at_mut(left_nodes);
        let (left_corners, right_corners) = corners.split_at_mut(left_nodes * 2 * self.dims);
        let mut build_left = || self.build(left_order, first, number + 1, left, left_corners);
        let mut build_right = || self.build(right_order, first + middle, right, right_nodes, right_corners);
        if parallel {
            join(build_left, build_right);
        } else {
            build_left();
            build_right();
        }
    }

    /// The box around places; returns its widest dimension.
    fn bound(&self, order: &[u32], corners: &mut [f32]) -> usize {
        let (low, high) = corners.split_at_mut(self.dims);
        low.fill(f32::INFINITY);
        high.fill(f32::NEG_INFINITY);
        for &place in order {
            for ((low, high), &value) in low.iter_mut().zip(high.iter_mut()).zip((self.at)(place)) {
                *low = low.min(value);
                *high = high.max(value);
            }
        }
        let width = |dim: usize| high[dim] - low[dim];
        (1..self.dims).fold(0, |widest, dim| if width(dim) > width(widest) { dim } else { widest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: usize = 1000;

    /// Places of `dims` values that differ in all of them.
    fn places(dims: usize) -> Vec<f32> {
        (0..PLACES * dims).map(|i| ((i * 7919 + i * i * 31) % 10_007) as f32 * 0.01 - 30.0).collect()
    }

    fn tree(values: &[f32], dims: usize) -> (Tree, Vec<u32>) {
        Tree::new(values.len() / dims, dims, |place| &values[place as usize * dims..][..dims])
    }

    fn squared(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (b - a) * (b - a))
    }

    #[test]
    fn a_search_finds_what_is_near_and_nothing_else() {
        for dims in [1, 2, 3, 5, 9] {
            let values = places(dims);
            let (tree, order) = tree(&values, dims);
            for (place, radius) in [(0, 5.0), (500, 20.0), (999, 60.0)] {
                let point = &values[place * dims..][..dims];
                let mut found = Vec::new();
                tree.search(0, point, &mut (radius * radius), &|_| true, &mut |slot, _| {
                    found.push(order[slot as usize]);
                    radius * radius
                });
                found.sort_unstable();
                let near = |place: &u32| squared(point, &values[*place as usize * dims..][..dims]) <= radius * radius;
                let expected: Vec<u32> = (0..PLACES as u32).filter(near).collect();
                assert!(!expected.is_empty() && expected.len() < PLACES, "{dims}: {} near", expected.len());
                assert_eq!(found, expected, "{dims} dimensions, radius {radius}");
            }
        }
    }

    #[test]
    fn boxes_bound_the_distances_of_what_is_in_them() {
        let values = places(3);
        let (tree, _) = tree(&values, 3);
        let mut tightest = 0.0f32;
        for node in 0..tree.nodes().len() {
            for slot in tree.nodes()[node].slots() {
                let far = (slot + 517) % PLACES as u32;
                let distance = squared(tree.point(slot), tree.point(far));
                assert!(tree.gap(node, tree.point(far)) <= distance);
                tightest = tightest.max(tree.gap(node, tree.point(far)) / distance);
                let first = tree.nodes()[node].first;
                assert!(squared(tree.point(slot), tree.point(first)) <= tree.diagonal(node));
                let other = (node * 31) % tree.nodes().len();
                assert!(tree.gap_between(node, other) <= tree.gap(other, tree.point(slot)));
            }
        }
        assert!(tightest > 0.9, "no bound is above {tightest} of the distance");
    }

    #[test]
    fn every_place_has_one_slot_and_children_share_their_parents_slots() {
        for places in [0, 1, LEAF, LEAF + 1, 3 * LEAF, 10 * LEAF + 5] {
            let values: Vec<f32> = (0..places).map(|place| ((place * 37) % 101) as f32).collect();
            let (tree, mut order) = tree(&values, 1);
            for node in 0..tree.nodes().len() {
                let slots = tree.nodes()[node].slots();
                match tree.children(node) {
                    Some([left, right]) => {
                        let (left, right) = (tree.nodes()[left], tree.nodes()[right]);
                        assert_eq!([left.first, left.end, right.end], [slots.start, right.first, slots.end]);
                    }
                    None => assert!(slots.len() <= LEAF && (slots.start as usize).is_multiple_of(LEAF)),
                }
            }
            order.sort_unstable();
            assert!(order.into_iter().eq(0..places as u32));
        }
    }
}
