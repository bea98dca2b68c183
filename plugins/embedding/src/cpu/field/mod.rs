//! Field: the push of all points on each other in up to three dimensions, by a tree over the embedding. Leaves next to
//! each other are summed pair by pair, everything else from cell to cell: a Barnes–Hut method with groups of points on
//! both sides. The work grows in proportion to the number of points; the error is one of rounding off, not of chance.

mod cells;
mod expansion;
mod interactions;
mod pairs;

pub use cells::{Cells, LEAF};
pub use interactions::Interactions;

use super::lanes::{self, MAX_LANES, Tail};
use cells::Branch;
use expansion::Expansion;
use pairs::Pairs;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Most dimensions that a field has.
pub const MAX_DIMS: usize = cells::AXES;
/// The tree is rebuilt when its leaves have become wider by this factor …
const LOOSE: f64 = 1.1;
/// … or after this many iterations.
const LONGEST: u32 = 25;
/// What comes from afar changes slowly: it is read off at the present places until points have moved by this share of the
/// size of the embedding, in root mean square …
const FAR_MOVES: f32 = 0.004;
/// … or this many iterations have passed.
const FAR_LONGEST: u32 = 4;

/// Neighbours in the embedding that the search for neighbours in the data learns of.
pub const NEIGHBOURS: usize = 8;

/// What a point feels: the push on each axis, then Σ w·u.
pub type Felt = [f32; 4];

/// The tree, and what the points in its slots feel.
#[derive(Debug, Default)]
pub struct Field {
    cells: Cells,
    interactions: Interactions,
    felt: Vec<Felt>,
    /// What each leaf feels from afar, as [`Expansion`]s.
    from_afar: Vec<f32>,
    /// The part of Z that comes from afar.
    z_from_afar: f64,
    /// How far points have moved since that was computed, and how many iterations ago it was.
    since: (f32, u32),
    /// Iterations since the tree was built; none if it must be built at once.
    age: Option<u32>,
    /// The opening and the kernel it was built for.
    made_for: (f32, Tail),
    /// `[points][NEIGHBOURS]` points near each other in the leaves, as they were when the tree was built.
    neighbours: Vec<u32>,
}

impl Field {
    /// Has the tree built before it is used again: points have come, left or been put elsewhere.
    pub fn forget(&mut self) {
        self.age = None;
        self.neighbours.clear(); // they may name who is gone
    }

    /// The tree as it was last built.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// What a living point feels.
    #[inline(always)]
    #[must_use]
    pub fn felt(&self, point: usize) -> Felt {
        self.felt[self.cells.slot_of[point] as usize]
    }

    /// Tells of moves since the last update, in root mean square as a share of the size of the embedding.
    pub fn moved(&mut self, by: f32) {
        self.since = (self.since.0 + by, self.since.1 + 1);
    }

    /// Computes what everybody who lives feels; returns Z.
    pub fn update(&mut self, positions: &[f32], dims: usize, alive: &[bool], tail: Tail, opening: f32) -> f64 {
        match dims {
            1 => self.update_in::<1>(positions.as_chunks().0, alive, tail, opening),
            2 => self.update_in::<2>(positions.as_chunks().0, alive, tail, opening),
            3 => self.update_in::<3>(positions.as_chunks().0, alive, tail, opening),
            _ => unreachable!("a field has at most {MAX_DIMS} dimensions, not {dims}"),
        }
    }

    fn update_in<const D: usize>(&mut self, positions: &[[f32; D]], alive: &[bool], tail: Tail, opening: f32) -> f64 {
        let kept = self.age.filter(|&age| age < LONGEST && (opening, tail) == self.made_for);
        if kept.is_some() && self.since.0 < FAR_MOVES && self.since.1 < FAR_LONGEST {
            self.cells.follow(positions);
        } else {
            let kept = kept.filter(|_| {
                self.cells.fit(positions);
                self.cells.looseness() < LOOSE
            });
            if kept.is_none() {
                self.cells.build(positions, alive);
                self.interactions = Interactions::of(&self.cells, opening);
                self.made_for = (opening, tail);
                self.neighbours.clear();
                self.age = Some(0);
            }
            self.look_afar::<D>(tail);
            self.since = (0.0, 0);
        }
        self.age = self.age.map(|age| age + 1);
        self.z_from_afar + self.look_near::<D>(tail)
    }

    /// Computes what leaves feel from afar, and its part of Z.
    fn look_afar<const D: usize>(&mut self, tail: Tail) {
        let (cells, interactions) = (&self.cells, &self.interactions);
        let values = Expansion::<D>::VALUES;
        self.from_afar.resize(cells.root().leaves * values, 0.0);
        let tasks = parts(cells.tasks(), &mut self.from_afar, |branch| branch.leaves * values);
        let z: Vec<f64> = tasks
            .into_par_iter()
            .map(|(branch, expansions)| {
                if tail.is_student() {
                    Arch::new().dispatch(Afar::<D, true> { cells, interactions, tail, branch, expansions })
                } else {
                    Arch::new().dispatch(Afar::<D, false> { cells, interactions, tail, branch, expansions })
                }
            })
            .collect();
        self.z_from_afar = z.iter().sum(); // in the order of the tasks: the same for any number of threads
    }

    /// Computes what points feel: from the leaves next to theirs, and from afar. Returns the part of Z that is near.
    fn look_near<const D: usize>(&mut self, tail: Tail) -> f64 {
        let (cells, interactions, from_afar) = (&self.cells, &self.interactions, self.from_afar.as_slice());
        let slots = cells.order.len();
        self.felt.resize(slots, [0.0; 4]);
        let points = |branch: Branch| ((branch.leaf + branch.leaves) * LEAF).min(slots) - branch.leaf * LEAF;
        let tasks = parts(cells.tasks(), &mut self.felt, points);
        let z: Vec<f64> = tasks
            .into_par_iter()
            .map(|(branch, felt)| {
                if tail.is_student() {
                    Arch::new().dispatch(Near::<D, true> { cells, interactions, from_afar, tail, branch, felt })
                } else {
                    Arch::new().dispatch(Near::<D, false> { cells, interactions, from_afar, tail, branch, felt })
                }
            })
            .collect();
        z.iter().sum()
    }

    /// Finds neighbours in the embedding for everybody: the nearest of those who share a leaf, or sit in the one beside it.
    /// Nothing to do if they were found since the tree was built.
    pub fn meet(&mut self, positions: &[f32], dims: usize, alive: &[bool]) {
        if self.age.is_none() {
            self.update(positions, dims, alive, Tail { alpha: 1.0 }, 1.0);
            self.age = None; // made for its leaves alone
        }
        let slots = self.cells.order.len();
        if !self.neighbours.is_empty() || slots <= NEIGHBOURS {
            return;
        }
        self.neighbours.resize(alive.len() * NEIGHBOURS, 0);
        let (order, coordinates) = (&self.cells.order, &self.cells.coordinates);
        let slot_of = &self.cells.slot_of;
        let rows = self.neighbours.par_chunks_exact_mut(NEIGHBOURS).enumerate().with_min_len(1024);
        rows.filter(|(point, _)| alive[*point]).for_each(|(point, row)| {
            let slot = slot_of[point] as usize;
            // Two leaves, or as many as there are: this one and the one on its nearer side.
            let leaf = slot / LEAF * LEAF;
            let first = if slot - leaf < LEAF / 2 { leaf.saturating_sub(LEAF) } else { leaf };
            let last = (first + 2 * LEAF).min(slots);
            let first = last.saturating_sub(2 * LEAF);
            let squared = |other: usize| -> f32 {
                let axes = coordinates.chunks_exact(slots);
                axes.map(|axis| (axis[slot] - axis[other]).powi(2)).sum()
            };
            let mut near: Vec<(u32, u32)> = (first..last)
                .filter(|&other| other != slot)
                .map(|other| (squared(other).to_bits(), order[other]))
                .collect();
            near.select_nth_unstable(NEIGHBOURS - 1);
            near.truncate(NEIGHBOURS);
            near.sort_unstable();
            row.iter_mut().zip(near).for_each(|(place, (_, other))| *place = other);
        });
    }

    /// `[points][length]` neighbours in the embedding as [`meet`](Self::meet) found them, and the length; none before.
    #[must_use]
    pub fn neighbours(&self) -> (&[u32], usize) {
        (&self.neighbours, if self.neighbours.is_empty() { 0 } else { NEIGHBOURS })
    }
}

/// Splits values among branches: each gets as many as `length` says.
fn parts<T>(branches: Vec<Branch>, mut values: &mut [T], length: impl Fn(Branch) -> usize) -> Vec<(Branch, &mut [T])> {
    let part = |branch| {
        let (part, rest) = std::mem::take(&mut values).split_at_mut(length(branch));
        values = rest;
        (branch, part)
    };
    branches.into_iter().map(part).collect()
}

/// What the leaves of a subtree feel from afar.
struct Afar<'a, const D: usize, const STUDENT: bool> {
    cells: &'a Cells,
    interactions: &'a Interactions,
    tail: Tail,
    branch: Branch,
    expansions: &'a mut [f32],
}

impl<const D: usize, const STUDENT: bool> WithSimd for Afar<'_, D, STUDENT> {
    type Output = f64;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { cells, interactions, tail, branch, expansions } = self;
        let nodes = cells.nodes.as_slice();
        let mut z = 0.0;
        let mut above = Expansion::<D>::around(nodes[0].centre);
        // Down from the root: what cells above see from afar, their parts see, too.
        let mut on_the_way = cells.root();
        while on_the_way.node != branch.node {
            let cell = &nodes[on_the_way.node];
            above = above.moved_to(cell.centre);
            let whole = above.add::<S, STUDENT>(simd, tail, nodes, cell, interactions.far.row(on_the_way.node));
            // Counted by the subtree that comes first.
            z += if on_the_way.leaf == branch.leaf { whole } else { 0.0 };
            let Some([left, right]) = on_the_way.halves() else { break };
            on_the_way = if branch.leaf < right.leaf { left } else { right };
        }
        let mut open = Vec::with_capacity(32);
        open.push((branch, above));
        while let Some((part, above)) = open.pop() {
            let cell = &nodes[part.node];
            let mut field = above.moved_to(cell.centre);
            z += field.add::<S, STUDENT>(simd, tail, nodes, cell, interactions.far.row(part.node));
            if let Some([left, right]) = part.halves() {
                open.push((right, field));
                open.push((left, field));
            } else {
                let values = Expansion::<D>::VALUES;
                field.write(&mut expansions[(part.leaf - branch.leaf) * values..][..values]);
            }
        }
        z
    }
}

/// What the points of a subtree feel.
struct Near<'a, const D: usize, const STUDENT: bool> {
    cells: &'a Cells,
    interactions: &'a Interactions,
    from_afar: &'a [f32],
    tail: Tail,
    branch: Branch,
    felt: &'a mut [Felt],
}

impl<const D: usize, const STUDENT: bool> WithSimd for Near<'_, D, STUDENT> {
    type Output = f64;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { cells, interactions, from_afar, tail, branch, felt } = self;
        let values = Expansion::<D>::VALUES;
        // A loop, not a chain of closures: those of the standard library are compiled without the instructions of `S`, and
        // what they call is not inlined into them (measured: 50 times slower).
        let mut z = 0.0;
        for (number, felt) in (branch.leaf..branch.leaf + branch.leaves).zip(felt.chunks_mut(LEAF)) {
            let field = Expansion::<D>::read(&from_afar[number * values..][..values]);
            z += leaf::<S, D, STUDENT>(simd, cells, tail, number, interactions.near.row(number), &field, felt);
        }
        z
    }
}

/// What the points of a leaf feel; returns their Σ w over the leaves next to it.
#[inline(always)]
fn leaf<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    cells: &Cells,
    tail: Tail,
    leaf: usize,
    near: &[u32],
    field: &Expansion<D>,
    felt: &mut [Felt],
) -> f64 {
    let slots = cells.order.len();
    let axis_of = |axis: usize| &cells.coordinates[axis * slots..][..slots];
    let axes: [&[f32]; D] = std::array::from_fn(axis_of);
    let mut z = 0.0;
    for (number, felt) in felt.chunks_mut(S::F32_LANES).enumerate() {
        let first = leaf * LEAF + number * S::F32_LANES;
        let mut own = [simd.splat_f32s(0.0); D];
        let mut from_centre = own;
        for axis in 0..D {
            let mut values = [0.0; MAX_LANES];
            values[..felt.len()].copy_from_slice(&axes[axis][first..][..felt.len()]);
            own[axis] = S::as_simd_f32s(&values).0[0];
            from_centre[axis] = simd.sub_f32s(own[axis], simd.splat_f32s(field.centre[axis]));
        }
        let mut pairs = Pairs::<S, D>::new(simd);
        for &other in near {
            let range = other as usize * LEAF..((other as usize + 1) * LEAF).min(slots);
            let mut points = [&axes[0][..0]; D];
            for axis in 0..D {
                points[axis] = &axes[axis][range.clone()];
            }
            if other as usize == leaf {
                pairs.add_own::<STUDENT>(simd, tail, &own, points, number * S::F32_LANES);
            } else {
                pairs.add::<STUDENT>(simd, tail, &own, points);
            }
        }
        let far = field.at(simd, &from_centre);
        let mut columns = [[0.0; MAX_LANES]; 4];
        for axis in 0..D {
            lanes::store::<S>(&mut columns[axis], simd.add_f32s(pairs.push[axis], far[axis]));
        }
        lanes::store::<S>(&mut columns[3], pairs.stiffness);
        let mut weights = [0.0; MAX_LANES];
        lanes::store::<S>(&mut weights, pairs.z);
        for (lane, felt) in felt.iter_mut().enumerate() {
            *felt = std::array::from_fn(|value| columns[value][lane]);
            felt[3] += field.stiffness;
            z += f64::from(weights[lane]);
        }
    }
    z
}

#[cfg(test)]
mod tests;
