//! The force stages for more than four dimensions. Lists are read row by row, with lanes along the dimensions of a pair;
//! the far sample, which is most of the work, with lanes along pairs, as below.

use super::far::{Far, WIDE_GROUP, WIDE_REGISTERS, WideTile};
use super::follow::{CANDIDATES, Swap, choose};
use super::forces::{GROUP, Out, Scene, Stiffness, position_stride};
use super::lanes;
use super::repel::MAX_LD;
use pulp::{Simd, WithSimd};

/// Pairs whose weights are computed together.
const CHUNK: usize = 32;

/// A block of points.
pub struct Block<'a, const STUDENT: bool> {
    /// What the stages read.
    pub scene: Scene<'a>,
    /// First point of the block.
    pub first: usize,
    /// Room for the far sample.
    pub tile: &'a mut WideTile,
    /// What they write.
    pub out: Out<'a>,
}

impl<const STUDENT: bool> WithSimd for Block<'_, STUDENT> {
    type Output = f64;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { scene, first, tile, out } = self;
        let stride = position_stride(scene.dims);
        let far = scene.far(first);
        tile.fill(far, scene.positions, scene.alive, (scene.dims, stride), scene.tail);
        let mut sums = vec![simd.splat_f32s(0.0); scene.dims];
        let (mut z, mut squared, mut candidates) = (0.0, [0.0; MAX_LD], [[0; CANDIDATES]; GROUP]);
        let points = (scene.positions.len() / stride) as u32;
        let rows = out.pull.chunks_exact_mut(stride).zip(out.push.chunks_exact_mut(stride));
        let others = out.swaps.iter_mut().zip(out.stiffness);
        for (offset, ((pull, push), (swap, stiffness))) in rows.zip(others).enumerate() {
            let mut point = Point::<S, STUDENT> {
                simd,
                scene: &scene,
                stride,
                point: (first + offset) as u32,
                pull,
                push,
                z: 0.0,
                stiffness: [0.0; 2],
                radius: 0.0,
            };
            point.pull.fill(0.0);
            point.push.fill(0.0);
            if offset % GROUP == 0 {
                // Rows of friends are cache misses: asked for together, they are waited for once.
                let group = point.point..(point.point + GROUP as u32).min(points);
                for point in group.filter(|&point| scene.alive[point as usize]) {
                    candidates[point as usize % GROUP] = scene.present.candidates(point, scene.alive);
                }
            }
            if !scene.alive[point.point as usize] {
                (*swap, *stiffness) = (Swap::NONE, [0.0; 2]);
                continue;
            }
            point.repel_near(far, &mut squared);
            point.attract(far);
            let hidden = tile.hide(far, point.point);
            point.repel_far(far, tile, hidden, &mut sums);
            tile.show(hidden, point.position(point.point));
            *swap = point.follow(&squared, &candidates[offset % GROUP]);
            *stiffness = point.stiffness;
            z += f64::from(point.z);
        }
        z
    }
}

struct Point<'a, S, const STUDENT: bool> {
    simd: S,
    scene: &'a Scene<'a>,
    stride: usize,
    point: u32,
    pull: &'a mut [f32],
    push: &'a mut [f32],
    z: f32,
    stiffness: Stiffness,
    /// Squared distance of the farthest listed neighbour.
    radius: f32,
}

impl<S: Simd, const STUDENT: bool> Point<'_, S, STUDENT> {
    #[inline(always)]
    fn position(&self, point: u32) -> &[f32] {
        &self.scene.positions[point as usize * self.stride..][..self.stride]
    }

    #[inline(always)]
    fn squared_distance(&self, other: u32) -> f32 {
        let (a, _) = S::as_simd_f32s(self.position(self.point));
        let (b, _) = S::as_simd_f32s(self.position(other));
        let mut sum = self.simd.splat_f32s(0.0);
        for (&a, &b) in a.iter().zip(b) {
            let difference = self.simd.sub_f32s(a, b);
            sum = self.simd.mul_add_e_f32s(difference, difference, sum);
        }
        self.simd.reduce_sum_f32s(sum)
    }

    /// `u` and `w` at some squared distances: dividing, and raising to a power, many at a time.
    #[inline(always)]
    fn weights(&self, squared: &[f32; CHUNK]) -> ([f32; CHUNK], [f32; CHUNK]) {
        let (mut u, mut w) = ([0.0; CHUNK], [0.0; CHUNK]);
        for at in (0..CHUNK).step_by(S::F32_LANES) {
            let (u_lanes, w_lanes) =
                self.scene.tail.lanes::<S, STUDENT>(self.simd, S::as_simd_f32s(&squared[at..]).0[0]);
            lanes::store::<S>(&mut u[at..], u_lanes);
            lanes::store::<S>(&mut w[at..], w_lanes);
        }
        (u, w)
    }

    /// The factor on a point that is summed by name beside the sample.
    #[inline(always)]
    fn share(far: Far, other: u32) -> f32 {
        if far.contains(other) { 1.0 - far.stride as f32 } else { 1.0 }
    }

    #[inline(always)]
    fn repel_near(&mut self, far: Far, squared: &mut [f32; MAX_LD]) {
        let row = self.scene.present.row(self.point);
        for (squared, &other) in squared.iter_mut().zip(row) {
            *squared = self.squared_distance(other);
            self.radius = self.radius.max(*squared);
        }
        for (squared, others) in squared.as_chunks::<CHUNK>().0.iter().zip(row.chunks(CHUNK)) {
            let (u, w) = self.weights(squared);
            let mut push = [0.0; CHUNK];
            for (at, &other) in others.iter().enumerate() {
                let w = Self::share(far, other) * w[at];
                self.z += w;
                push[at] = w * u[at];
                self.stiffness[1] += push[at];
            }
            accumulate(self.simd, self.scene, self.stride, [self.push], self.point, others, [&push]);
        }
    }

    #[inline(always)]
    fn attract(&mut self, far: Far) {
        let scene = self.scene;
        let (neighbours, weights) = scene.present.affinities.row(self.point as usize);
        for (others, weights) in neighbours.chunks(CHUNK).zip(weights.chunks(CHUNK)) {
            let mut squared = [0.0; CHUNK];
            for (squared, &other) in squared.iter_mut().zip(others) {
                *squared = self.squared_distance(other);
            }
            let (u, w) = self.weights(&squared);
            let (mut pull, mut push) = ([0.0; CHUNK], [0.0; CHUNK]);
            for (at, (&other, &weight)) in others.iter().zip(weights).enumerate() {
                pull[at] = weight * u[at];
                self.stiffness[0] += pull[at];
                if squared[at] > self.radius {
                    let w = Self::share(far, other) * w[at];
                    self.z += w;
                    push[at] = w * u[at];
                    self.stiffness[1] += push[at];
                }
            }
            let sums = [&mut *self.pull, &mut *self.push];
            accumulate(self.simd, scene, self.stride, sums, self.point, others, [&pull, &push]);
        }
    }

    /// The push of the far sample: four registers of sampled points at a time, axis by axis, as one sum alone would wait
    /// for its own latency. `sums` is room for a register for each dimension.
    #[inline(always)]
    fn repel_far(&mut self, far: Far, tile: &WideTile, hidden: Option<usize>, sums: &mut [S::f32s]) {
        let (simd, dims) = (self.simd, self.scene.dims);
        let zero = simd.splat_f32s(0.0);
        let own = &self.position(self.point)[..dims];
        sums.fill(zero);
        let (mut z, mut stiffness) = (zero, zero);
        for group in tile.groups() {
            // A group is as wide as four of the widest registers; narrower ones take it in pieces.
            for piece in (0..WIDE_GROUP).step_by(WIDE_REGISTERS * S::F32_LANES) {
                let there = |axis: usize| -> &[S::f32s] {
                    S::as_simd_f32s(&group[axis * WIDE_GROUP + piece..][..WIDE_REGISTERS * S::F32_LANES]).0
                };
                let mut squared = [zero; WIDE_REGISTERS];
                for (axis, &value) in own.iter().enumerate() {
                    let own = simd.splat_f32s(value);
                    for (squared, &there) in squared.iter_mut().zip(there(axis)) {
                        let difference = simd.sub_f32s(own, there);
                        *squared = simd.mul_add_e_f32s(difference, difference, *squared);
                    }
                }
                let mut push = [zero; WIDE_REGISTERS];
                for (push, &squared) in push.as_chunks_mut::<2>().0.iter_mut().zip(squared.as_chunks::<2>().0) {
                    let (u, w) = self.scene.tail.two::<S, STUDENT>(simd, squared);
                    z = simd.add_f32s(z, simd.add_f32s(w[0], w[1]));
                    *push = [simd.mul_f32s(w[0], u[0]), simd.mul_f32s(w[1], u[1])];
                    stiffness = simd.add_f32s(stiffness, simd.add_f32s(push[0], push[1]));
                }
                for (axis, (&value, sum)) in own.iter().zip(sums.iter_mut()).enumerate() {
                    let own = simd.splat_f32s(value);
                    for (&push, &there) in push.iter().zip(there(axis)) {
                        *sum = simd.mul_add_e_f32s(push, simd.sub_f32s(own, there), *sum);
                    }
                }
            }
        }
        let weight = far.stride as f32;
        self.z += weight * (simd.reduce_sum_f32s(z) - tile.padding_weight(hidden));
        self.stiffness[1] += weight * simd.reduce_sum_f32s(stiffness);
        for (push, &sum) in self.push.iter_mut().zip(sums.iter()) {
            *push += weight * simd.reduce_sum_f32s(sum);
        }
    }

    #[inline(always)]
    fn follow(&self, squared: &[f32; MAX_LD], candidates: &[u32; CANDIDATES]) -> Swap {
        let mut distances = [f32::INFINITY; CANDIDATES];
        for (distance, &candidate) in distances.iter_mut().zip(candidates) {
            *distance = self.squared_distance(candidate);
        }
        let row = self.scene.present.row(self.point);
        choose(row, self.point, squared, self.radius, candidates, &distances)
    }
}

/// `sum += Σ coefficient · (y_point − y_other)`, for several sums over the same others. Each register of a sum is filled
/// from all of them before the next: stored once for each of them, it would wait for its own store.
#[inline(always)]
fn accumulate<S: Simd, const SUMS: usize>(
    simd: S,
    scene: &Scene<'_>,
    stride: usize,
    mut sums: [&mut [f32]; SUMS],
    point: u32,
    others: &[u32],
    coefficients: [&[f32; CHUNK]; SUMS],
) {
    let row = |point: u32| S::as_simd_f32s(&scene.positions[point as usize * stride..][..stride]).0;
    for (register, &own) in row(point).iter().enumerate() {
        let mut totals = [own; SUMS];
        for (total, sum) in totals.iter_mut().zip(&sums) {
            *total = S::as_simd_f32s(sum).0[register];
        }
        for (at, &other) in others.iter().take(CHUNK).enumerate() {
            let difference = simd.sub_f32s(own, row(other)[register]);
            for (total, coefficients) in totals.iter_mut().zip(coefficients) {
                *total = simd.mul_add_e_f32s(simd.splat_f32s(coefficients[at]), difference, *total);
            }
        }
        for (sum, &total) in sums.iter_mut().zip(&totals) {
            S::as_mut_simd_f32s(sum).0[register] = total;
        }
    }
}
