//! The forces on all points: runs follow, attract and repel block by block, while a block's rows are in the cache.

use super::attract::attract;
use super::far::{Far, Tile, WideTile};
use super::follow::{CANDIDATES, Present, Swap, follow};
use super::lanes::Tail;
use super::repel::{MAX_LD, repel_far, repel_near};
use super::wide;
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
    /// Σ w
    pub z: S::f32s,
    /// What filler lanes put into `z` too much.
    pub z_correction: f32,
}

/// Where everyone is, and the kernel that weighs distances.
#[derive(Clone, Copy)]
pub struct Places<'a, const D: usize> {
    /// Positions of all points.
    pub positions: &'a [[f32; D]],
    /// The kernel of the tail.
    pub tail: Tail,
}

/// The neighbourhood of a point in the embedding.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// Squared distance of its farthest listed neighbour.
    pub radius: f32,
    /// Squared distance up to which the listed neighbours stand for everyone: the far sample begins beyond.
    pub exact_within: f32,
}

impl Near {
    /// Nobody was summed exactly: the far sample counts everyone but who lies right here, as the point itself does.
    pub const NOBODY: f32 = 0.0;
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
    /// Changes of the lists of neighbours in the embedding.
    pub swaps: &'a mut [Swap],
}

/// Computes pull, push and next lists of all points; returns Z.
pub fn forces(scene: Scene<'_>, out: Out<'_>) -> f64 {
    let stride = position_stride(scene.dims);
    let blocks = out.pull.par_chunks_mut(BLOCK * stride).zip(out.push.par_chunks_mut(BLOCK * stride));
    let z: Vec<f64> = blocks
        .zip(out.swaps.par_chunks_mut(BLOCK))
        .enumerate()
        .map_init(<(Tile, WideTile)>::default, |(tile, wide_tile), (number, ((pull, push), swaps))| {
            let first = number * BLOCK;
            let out = Out { pull, push, swaps };
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

/// Values per position in memory: up to four dimensions as they are, beyond padded to whole lanes.
#[must_use]
pub fn position_stride(dims: usize) -> usize {
    if dims <= 4 { dims } else { dims.next_multiple_of(8) }
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
        let zero = simd.splat_f32s(0.0);
        let mut z = 0.0;
        let mut squared = [0.0; MAX_LD];
        let mut candidates = [[0; CANDIDATES]; GROUP];
        let rows = out.pull.as_chunks_mut::<D>().0.iter_mut().zip(out.push.as_chunks_mut::<D>().0);
        for (offset, ((pull, push), swap)) in rows.zip(out.swaps).enumerate() {
            let point = (first + offset) as u32;
            if offset % GROUP == 0 {
                // Rows of friends are cache misses: asked for together, they are waited for once.
                let group = point..(point + GROUP as u32).min(positions.len() as u32);
                let living = group.filter(|&point| scene.alive[point as usize]);
                for point in living {
                    candidates[point as usize % GROUP] = scene.present.candidates(point);
                }
            }
            if !scene.alive[point as usize] {
                (*pull, *push, *swap) = ([0.0; D], [0.0; D], Swap::NONE);
                continue;
            }
            let mut forces = Forces { pull: [zero; D], push: [zero; D], z: zero, z_correction: 0.0 };
            let row = scene.present.row(point);
            let near = repel_near::<S, D, STUDENT>(simd, places, point, row, far, &mut squared, &mut forces);
            let edges = scene.present.affinities.row(point as usize);
            attract::<S, D, STUDENT>(simd, places, point, near, edges, far, &mut forces);
            repel_far::<S, D, STUDENT>(simd, places, point, near, far, tile, &mut forces);
            *swap = follow(simd, positions, row, point, &squared, near.radius, &candidates[offset % GROUP]);
            for axis in 0..D {
                pull[axis] = simd.reduce_sum_f32s(forces.pull[axis]);
                push[axis] = simd.reduce_sum_f32s(forces.push[axis]);
            }
            z += f64::from(simd.reduce_sum_f32s(forces.z) + forces.z_correction);
        }
        z
    }
}
