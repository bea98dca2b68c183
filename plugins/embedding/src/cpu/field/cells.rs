//! Cells: a balanced binary tree over the points of an embedding of up to three dimensions, cut at the median of the
//! widest axis until [`LEAF`] points are left together.
//!
//! Nodes lie in preorder and are known from the number of leaves alone: a node over `m` leaves is followed by its left
//! child (over `m/2`) and, after that child's `2·(m/2) − 1` nodes, by its right one. Which points share a leaf changes
//! with [`Cells::build`] only; [`Cells::fit`] moves the cells along with their points.

use rayon::prelude::*;

/// Points of a leaf, all but the last of which are full: as many as the widest registers have lanes.
pub const LEAF: usize = 16;
/// Axes an embedding can have here.
pub const AXES: usize = 3;
/// Leaves of a subtree that one thread works on.
const TASK: usize = 64;
/// Below this many points a branch is not worth a thread of its own.
const SEQUENTIAL: usize = 8192;

/// What the points of a cell look like from afar. Axes that the embedding lacks are zero.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cell {
    /// Points in it.
    pub count: f32,
    /// Their mean.
    pub centre: [f32; AXES],
    /// Σ (x − centre)(x − centre)ᵀ, the upper triangle row by row.
    pub moment: [f32; 6],
    /// No point is farther from the centre.
    pub radius: f32,
}

/// A box around the points of a cell.
type Bounds = [[f32; AXES]; 2];

/// A subtree in its place: its root, its first leaf, and how many leaves it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// Number of the root among the nodes.
    pub node: usize,
    /// First leaf.
    pub leaf: usize,
    /// Leaves.
    pub leaves: usize,
}

impl Branch {
    /// The two halves; none for a leaf.
    #[inline(always)]
    #[must_use]
    pub fn halves(self) -> Option<[Self; 2]> {
        let left = self.leaves / 2;
        (left > 0).then(|| {
            [
                Self { node: self.node + 1, leaf: self.leaf, leaves: left },
                Self { node: self.node + 2 * left, leaf: self.leaf + left, leaves: self.leaves - left },
            ]
        })
    }

    /// Nodes of the subtree.
    #[must_use]
    pub fn nodes(self) -> usize {
        2 * self.leaves - 1
    }
}

/// The tree.
#[derive(Debug, Default)]
pub struct Cells {
    /// The point in each slot, leaf after leaf.
    pub order: Vec<u32>,
    /// The slot of each point; that of a point which does not live means nothing.
    pub slot_of: Vec<u32>,
    /// `[dims][slots]` coordinates.
    pub coordinates: Vec<f32>,
    /// The nodes in preorder, and behind them one that is empty.
    pub nodes: Vec<Cell>,
    bounds: Vec<Bounds>,
    /// Σ of the squared radii of the leaves when they were built.
    built_spread: f64,
    /// The same now.
    spread: f64,
}

impl Cells {
    /// The whole tree.
    #[must_use]
    pub fn root(&self) -> Branch {
        Branch { node: 0, leaf: 0, leaves: self.order.len().div_ceil(LEAF) }
    }

    /// How much wider leaves have become since they were built, as a factor on their root mean square radius.
    #[must_use]
    pub fn looseness(&self) -> f64 {
        if self.built_spread > 0.0 { (self.spread / self.built_spread).sqrt() } else { 1.0 }
    }

    /// Sorts the points that live into leaves, and fits the cells.
    pub fn build<const D: usize>(&mut self, positions: &[[f32; D]], alive: &[bool]) {
        let living = (0..).zip(positions).zip(alive).filter(|(_, alive)| **alive);
        let mut points: Vec<([f32; D], u32)> = living.map(|((point, position), _)| (*position, point)).collect();
        let leaves = points.len().div_ceil(LEAF);
        split(&mut points, leaves);
        self.order.clear();
        self.order.extend(points.iter().map(|(_, point)| *point));
        self.slot_of.resize(positions.len(), 0);
        for (slot, &point) in (0..).zip(&self.order) {
            self.slot_of[point as usize] = slot;
        }
        self.fit(positions);
        self.built_spread = self.spread;
    }

    /// Brings coordinates up to date with positions that have moved, cells not.
    pub fn follow<const D: usize>(&mut self, positions: &[[f32; D]]) {
        let slots = self.order.len();
        self.coordinates.resize(D * slots, 0.0);
        for (axis, coordinates) in self.coordinates.chunks_exact_mut(slots.max(1)).enumerate() {
            let rows = coordinates.par_iter_mut().zip(&self.order).with_min_len(SEQUENTIAL);
            rows.for_each(|(value, &point)| *value = positions[point as usize][axis]);
        }
    }

    /// Brings coordinates and cells up to date with positions that have moved.
    pub fn fit<const D: usize>(&mut self, positions: &[[f32; D]]) {
        self.follow(positions);
        let slots = self.order.len();
        let root = self.root();
        if root.leaves == 0 {
            self.nodes.clear();
            return;
        }
        self.nodes.resize(root.nodes() + 1, Cell::default());
        self.bounds.resize(root.nodes(), Bounds::default());
        self.nodes[root.nodes()] = Cell::default();
        let coordinates = Coordinates { values: &self.coordinates, slots };
        self.spread = coordinates.fit::<D>(root, &mut self.nodes[..root.nodes()], &mut self.bounds);
    }

    /// The subtrees that threads work on, in the order of their leaves.
    #[must_use]
    pub fn tasks(&self) -> Vec<Branch> {
        let mut tasks = Vec::new();
        let mut open = vec![self.root()];
        while let Some(branch) = open.pop() {
            match branch.halves() {
                Some([left, right]) if branch.leaves > TASK => open.extend([right, left]),
                _ if branch.leaves > 0 => tasks.push(branch),
                _ => {}
            }
        }
        tasks
    }
}

/// Parts points at the median of the widest axis, down to the leaves.
fn split<const D: usize>(points: &mut [([f32; D], u32)], leaves: usize) {
    if leaves < 2 {
        return;
    }
    let mut bounds = [[f32::INFINITY; D], [f32::NEG_INFINITY; D]];
    for (position, _) in points.iter() {
        for axis in 0..D {
            bounds[0][axis] = bounds[0][axis].min(position[axis]);
            bounds[1][axis] = bounds[1][axis].max(position[axis]);
        }
    }
    let width = |axis: usize| bounds[1][axis] - bounds[0][axis];
    let widest = (1..D).fold(0, |widest, axis| if width(axis) > width(widest) { axis } else { widest });
    let middle = leaves / 2 * LEAF;
    // The point's number breaks ties, so that the outcome is one and the same.
    points.select_nth_unstable_by(middle, |a, b| a.0[widest].total_cmp(&b.0[widest]).then(a.1.cmp(&b.1)));
    let (left, right) = points.split_at_mut(middle);
    if left.len() > SEQUENTIAL {
        rayon::join(|| split(left, leaves / 2), || split(right, leaves - leaves / 2));
    } else {
        split(left, leaves / 2);
        split(right, leaves - leaves / 2);
    }
}

#[derive(Clone, Copy)]
struct Coordinates<'a> {
    values: &'a [f32],
    slots: usize,
}

impl Coordinates<'_> {
    /// Fits the cells of a subtree; returns the sum of the squared radii of its leaves.
    fn fit<const D: usize>(self, branch: Branch, cells: &mut [Cell], bounds: &mut [Bounds]) -> f64 {
        let Some([left, right]) = branch.halves() else {
            (cells[0], bounds[0]) = self.leaf::<D>(branch.leaf);
            return f64::from(cells[0].radius).powi(2);
        };
        let ([cell, cells @ ..], [bound, bounds @ ..]) = (cells, bounds) else { unreachable!("a branch has nodes") };
        let (left_cells, right_cells) = cells.split_at_mut(left.nodes());
        let (left_bounds, right_bounds) = bounds.split_at_mut(left.nodes());
        let spreads = if branch.leaves > TASK {
            rayon::join(
                || self.fit::<D>(left, left_cells, left_bounds),
                || self.fit::<D>(right, right_cells, right_bounds),
            )
        } else {
            (self.fit::<D>(left, left_cells, left_bounds), self.fit::<D>(right, right_cells, right_bounds))
        };
        (*cell, *bound) = joined::<D>([left_cells[0], right_cells[0]], [left_bounds[0], right_bounds[0]]);
        spreads.0 + spreads.1
    }

    fn leaf<const D: usize>(self, leaf: usize) -> (Cell, Bounds) {
        let slots = leaf * LEAF..((leaf + 1) * LEAF).min(self.slots);
        let mut cell = Cell { count: slots.len() as f32, ..Cell::default() };
        let mut bounds = Bounds::default();
        let axis_values: [&[f32]; D] = std::array::from_fn(|axis| &self.values[axis * self.slots..][slots.clone()]);
        for (axis, values) in axis_values.iter().enumerate() {
            cell.centre[axis] = values.iter().sum::<f32>() / cell.count;
            bounds[0][axis] = values.iter().copied().fold(f32::INFINITY, f32::min);
            bounds[1][axis] = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        }
        let mut squared = [0.0_f32; LEAF];
        let mut at = 0;
        for i in 0..D {
            for j in i..D {
                for (slot, squared) in squared.iter_mut().enumerate().take(slots.len()) {
                    let product = (axis_values[i][slot] - cell.centre[i]) * (axis_values[j][slot] - cell.centre[j]);
                    cell.moment[at] += product;
                    *squared += if i == j { product } else { 0.0 };
                }
                at += 1;
            }
        }
        cell.radius = squared.iter().copied().fold(0.0, f32::max).sqrt();
        (cell, bounds)
    }
}

/// Two cells as one.
fn joined<const D: usize>(halves: [Cell; 2], bounds: [Bounds; 2]) -> (Cell, Bounds) {
    let mut cell = Cell { count: halves[0].count + halves[1].count, ..Cell::default() };
    let mut box_ = Bounds::default();
    let share = halves.map(|half| half.count / cell.count);
    let (mut corner, mut reach) = (0.0, 0.0_f32);
    for axis in 0..D {
        cell.centre[axis] = share[0] * halves[0].centre[axis] + share[1] * halves[1].centre[axis];
        box_[0][axis] = bounds[0][0][axis].min(bounds[1][0][axis]);
        box_[1][axis] = bounds[0][1][axis].max(bounds[1][1][axis]);
        corner += (box_[1][axis] - cell.centre[axis]).max(cell.centre[axis] - box_[0][axis]).powi(2);
    }
    for half in halves {
        let offset: [f32; D] = std::array::from_fn(|axis| half.centre[axis] - cell.centre[axis]);
        let mut at = 0;
        for i in 0..D {
            for j in i..D {
                cell.moment[at] += half.moment[at] + half.count * offset[i] * offset[j];
                at += 1;
            }
        }
        reach = reach.max(offset.iter().map(|value| value * value).sum::<f32>().sqrt() + half.radius);
    }
    cell.radius = corner.sqrt().min(reach);
    (cell, box_)
}
