//! The forces on all points: runs follow, attract and repel block by block, while a block's rows are in the cache.

use super::attract::{attract, attract_ties};
use super::far::{Far, Tile, WideTile};
use super::field::Field;
use super::follow::{CANDIDATES, Present, Swap, follow};
use super::lanes::{self, MAX_LANES, Tail};
use super::repel::{MAX_LD, repel_far, repel_near};
use super::wide;
use crate::affinities::Affinities;
use crate::random::hash;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Points per block: they share one far sample.
pub const BLOCK: usize = 512;
/// Points whose candidates are looked up together.
pub const GROUP: usize = 16;
/// Draw of the random offset of the far sample.
pub const DRAW: u32 = 8;

/// What is left of one point's sums in lanes.
pub struct Forces<S: Simd, const D: usize> {
    /// Σ p·u·(yᵢ − yⱼ)
    pub pull: [S::f32s; D],
    /// Σ w·u·(yᵢ − yⱼ)
    pub push: [S::f32s; D],
    /// Σ p·u
    pub pull_stiffness: S::f32s,
    /// Σ w·u
    pub push_stiffness: S::f32s,
    /// Σ w
    pub z: S::f32s,
    /// What padding has put into `z`: it must come off.
    pub padding_weight: f32,
}

impl<S: Simd, const D: usize> Forces<S, D> {
    /// Empty sums.
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        let zero = simd.splat_f32s(0.0);
        Self {
            pull: [zero; D],
            push: [zero; D],
            pull_stiffness: zero,
            push_stiffness: zero,
            z: zero,
            padding_weight: 0.0,
        }
    }

    /// Adds the push of some points.
    #[inline(always)]
    pub fn push_away(&mut self, simd: S, u: S::f32s, w: S::f32s, difference: &[S::f32s; D]) {
        let push = simd.mul_f32s(w, u);
        self.z = simd.add_f32s(self.z, w);
        self.push_stiffness = simd.add_f32s(self.push_stiffness, push);
        lanes::accumulate(simd, &mut self.push, push, difference);
    }
}

/// Where everyone is, and the kernel that weighs distances.
#[derive(Clone, Copy)]
pub struct Places<'a, const D: usize> {
    /// Positions of all points.
    pub positions: &'a [[f32; D]],
    /// The kernel of the tail.
    pub tail: Tail,
}

/// What the force stages read.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// `[points][dims]` positions; rows of more than four dimensions are padded to whole lanes.
    pub positions: &'a [f32],
    /// Dimensions of the embedding.
    pub dims: usize,
    /// Which points live: the others push and pull nobody, and nothing moves them.
    pub alive: &'a [bool],
    /// Lists and affinities.
    pub present: Present<'a>,
    /// The kernel of the tail.
    pub tail: Tail,
    /// Stride of the far sample.
    pub far_stride: u32,
}

impl Scene<'_> {
    /// The far sample of the block that starts at this point.
    #[inline(always)]
    #[must_use]
    pub fn far(&self, first: usize) -> Far {
        Far::new(self.far_stride, hash(self.present.seed, self.present.iteration, first as u32, DRAW))
    }
}

/// What the force stages write, all in rows of one point.
pub struct Out<'a> {
    /// Σ p·u·(yᵢ − yⱼ), laid out as the positions are.
    pub pull: &'a mut [f32],
    /// Σ w·u·(yᵢ − yⱼ), laid out as the positions are.
    pub push: &'a mut [f32],
    /// Σ p·u and Σ w·u: how fast pull and push change as a point moves.
    pub stiffness: &'a mut [Stiffness],
    /// Changes of the lists of neighbours in the embedding.
    pub swaps: &'a mut [Swap],
}

/// Σ p·u and Σ w·u of a point.
pub type Stiffness = [f32; 2];

/// Computes pull, push and next lists of all points; returns Z.
pub fn forces(scene: Scene<'_>, out: Out<'_>) -> f64 {
    let stride = position_stride(scene.dims);
    let blocks = out.pull.par_chunks_mut(BLOCK * stride).zip(out.push.par_chunks_mut(BLOCK * stride));
    let z: Vec<f64> = blocks
        .zip(out.swaps.par_chunks_mut(BLOCK).zip(out.stiffness.par_chunks_mut(BLOCK)))
        .enumerate()
        .map_init(<(Tile, WideTile)>::default, |(tile, wide_tile), (number, ((pull, push), (swaps, stiffness)))| {
            let first = number * BLOCK;
            let out = Out { pull, push, stiffness, swaps };
            match (scene.dims, scene.tail.is_student()) {
                (1, true) => Arch::new().dispatch(Block::<1, true> { scene, first, tile, out }),
                (1, false) => Arch::new().dispatch(Block::<1, false> { scene, first, tile, out }),
                (2, true) => Arch::new().dispatch(Block::<2, true> { scene, first, tile, out }),
                (2, false) => Arch::new().dispatch(Block::<2, false> { scene, first, tile, out }),
                (3, true) => Arch::new().dispatch(Block::<3, true> { scene, first, tile, out }),
                (3, false) => Arch::new().dispatch(Block::<3, false> { scene, first, tile, out }),
                (4, true) => Arch::new().dispatch(Block::<4, true> { scene, first, tile, out }),
                (4, false) => Arch::new().dispatch(Block::<4, false> { scene, first, tile, out }),
                (_, true) => Arch::new().dispatch(wide::Block::<true> { scene, first, tile: wide_tile, out }),
                (_, false) => Arch::new().dispatch(wide::Block::<false> { scene, first, tile: wide_tile, out }),
            }
        })
        .collect();
    z.iter().sum() // in the order of the blocks: the same for any number of threads
}

/// The pull along the affinities (those that have their turn, if they take turns), beside the push that a field knows, for all points
/// in up to three dimensions.
pub fn pull(
    positions: &[f32],
    dims: usize,
    alive: &[bool],
    affinities: (&Affinities, Option<u32>),
    tail: Tail,
    field: &Field,
    (pull, push, stiffness): (&mut [f32], &mut [f32], &mut [Stiffness]),
) {
    let rows = pull.par_chunks_mut(BLOCK * dims).zip(push.par_chunks_mut(BLOCK * dims));
    rows.zip(stiffness.par_chunks_mut(BLOCK)).enumerate().for_each(|(number, ((pull, push), stiffness))| {
        let (first, out) = (number * BLOCK, (pull, push, stiffness));
        macro_rules! block {
            ($dims:literal, $student:literal) => {
                Arch::new().dispatch(Pull::<$dims, $student> { positions, alive, affinities, tail, field, first, out })
            };
        }
        match (dims, tail.is_student()) {
            (1, true) => block!(1, true),
            (1, false) => block!(1, false),
            (2, true) => block!(2, true),
            (2, false) => block!(2, false),
            (_, true) => block!(3, true),
            (_, false) => block!(3, false),
        }
    });
}

struct Pull<'a, const D: usize, const STUDENT: bool> {
    positions: &'a [f32],
    alive: &'a [bool],
    affinities: (&'a Affinities, Option<u32>),
    tail: Tail,
    field: &'a Field,
    first: usize,
    out: (&'a mut [f32], &'a mut [f32], &'a mut [Stiffness]),
}

impl<const D: usize, const STUDENT: bool> WithSimd for Pull<'_, D, STUDENT> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { positions, alive, affinities, tail, field, first, out: (pull, push, stiffness) } = self;
        let places = Places { positions: positions.as_chunks::<D>().0, tail };
        let rows = pull.as_chunks_mut::<D>().0.iter_mut().zip(push.as_chunks_mut::<D>().0);
        for (offset, ((pull, push), stiffness)) in rows.zip(stiffness).enumerate() {
            let point = first + offset;
            if !alive[point] {
                (*pull, *push, *stiffness) = ([0.0; D], [0.0; D], [0.0; 2]);
                continue;
            }
            let mut forces = Forces::<S, D>::new(simd);
            let (affinities, turn) = affinities;
            match &affinities.ties {
                Some(ties) => {
                    for (part, factor) in ties.turn(point, turn) {
                        let part = (part, ties.code(), factor);
                        attract_ties::<S, D, STUDENT>(simd, places, point as u32, part, &mut forces);
                    }
                }
                None => {
                    for edges in affinities.turn(point, turn) {
                        attract::<S, D, STUDENT>(simd, places, point as u32, edges, None, &mut forces);
                    }
                }
            }
            let felt = field.felt(point);
            for axis in 0..D {
                pull[axis] = simd.reduce_sum_f32s(forces.pull[axis]);
                push[axis] = felt[axis];
            }
            *stiffness = [simd.reduce_sum_f32s(forces.pull_stiffness), felt[3]];
        }
    }
}

/// Values per position in memory: up to four dimensions as they are, beyond padded to whole lanes.
#[must_use]
pub fn position_stride(dims: usize) -> usize {
    if dims <= 4 { dims } else { dims.next_multiple_of(MAX_LANES) }
}

struct Block<'a, const D: usize, const STUDENT: bool> {
    scene: Scene<'a>,
    first: usize,
    tile: &'a mut Tile,
    out: Out<'a>,
}

impl<const D: usize, const STUDENT: bool> WithSimd for Block<'_, D, STUDENT> {
    type Output = f64;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { scene, first, tile, out } = self;
        let positions = scene.positions.as_chunks::<D>().0;
        let places = Places { positions, tail: scene.tail };
        let far = scene.far(first);
        tile.fill(far, positions, scene.alive, scene.tail);
        let mut z = 0.0;
        let mut squared = [0.0; MAX_LD];
        let mut candidates = [[0; CANDIDATES]; GROUP];
        let rows = out.pull.as_chunks_mut::<D>().0.iter_mut().zip(out.push.as_chunks_mut::<D>().0);
        for (offset, ((pull, push), (swap, stiffness))) in rows.zip(out.swaps.iter_mut().zip(out.stiffness)).enumerate()
        {
            let point = (first + offset) as u32;
            if offset % GROUP == 0 {
                // Rows of friends are cache misses: asked for together, they are waited for once.
                let group = point..(point + GROUP as u32).min(positions.len() as u32);
                let living = group.filter(|&point| scene.alive[point as usize]);
                for point in living {
                    candidates[point as usize % GROUP] = scene.present.candidates(point, scene.alive);
                }
            }
            if !scene.alive[point as usize] {
                (*pull, *push, *swap, *stiffness) = ([0.0; D], [0.0; D], Swap::NONE, [0.0; 2]);
                continue;
            }
            let mut forces = Forces::new(simd);
            let row = scene.present.row(point);
            let radius = repel_near::<S, D, STUDENT>(simd, places, point, row, far, &mut squared, &mut forces);
            let (neighbours, weights) = scene.present.affinities.row(point as usize);
            let edges = (neighbours, weights, 1.0);
            attract::<S, D, STUDENT>(simd, places, point, edges, Some((far, radius)), &mut forces);
            repel_far::<S, D, STUDENT>(simd, places, point, far, tile, &mut forces);
            *swap = follow(simd, positions, row, point, &squared, radius, &candidates[offset % GROUP]);
            for axis in 0..D {
                pull[axis] = simd.reduce_sum_f32s(forces.pull[axis]);
                push[axis] = simd.reduce_sum_f32s(forces.push[axis]);
            }
            *stiffness = [simd.reduce_sum_f32s(forces.pull_stiffness), simd.reduce_sum_f32s(forces.push_stiffness)];
            z += f64::from(simd.reduce_sum_f32s(forces.z) - forces.padding_weight);
        }
        z
    }
}
