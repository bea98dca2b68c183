//! The force stages for more than four dimensions: lanes run along the dimensions of one pair instead of along pairs.

use super::far::Far;
use super::follow::{CANDIDATES, Swap, choose};
use super::forces::{Near, Out, Scene, position_stride};
use super::repel::{CROWDED, MAX_LD};
use pulp::{Simd, WithSimd};

/// A block of points.
pub struct Block<'a> {
    /// What the stages read.
    pub scene: Scene<'a>,
    /// First point of the block.
    pub first: usize,
    /// What they write.
    pub out: Out<'a>,
}

impl WithSimd for Block<'_> {
    type Output = f64;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { scene, first, out } = self;
        let stride = position_stride(scene.dims);
        let far = scene.far(first);
        let mut z = 0.0;
        let rows = out.pull.chunks_exact_mut(stride).zip(out.push.chunks_exact_mut(stride));
        for (offset, ((pull, push), swap)) in rows.zip(out.swaps).enumerate() {
            let mut point = Point {
                simd,
                scene: &scene,
                stride,
                point: (first + offset) as u32,
                pull,
                push,
                z: 0.0,
                near: Near { radius: 0.0, exact_within: 0.0 },
            };
            point.pull.fill(0.0);
            point.push.fill(0.0);
            *swap = Swap::NONE;
            if !scene.alive[point.point as usize] {
                continue;
            }
            let mut squared = [0.0; MAX_LD];
            point.repel_near(far, &mut squared);
            point.attract(far);
            point.repel_far(far);
            *swap = point.follow(&squared);
            z += f64::from(point.z);
        }
        z
    }
}

struct Point<'a, S> {
    simd: S,
    scene: &'a Scene<'a>,
    stride: usize,
    point: u32,
    pull: &'a mut [f32],
    push: &'a mut [f32],
    z: f32,
    near: Near,
}

impl<S: Simd> Point<'_, S> {
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

    #[inline(always)]
    fn push_from(&mut self, other: u32, squared: f32, share: f32) {
        let (u, w) = self.scene.tail.at(squared);
        self.z += share * w;
        accumulate(self.simd, self.scene, self.stride, self.push, self.point, other, share * w * u);
    }

    #[inline(always)]
    fn repel_near(&mut self, far: Far, squared: &mut [f32; MAX_LD]) {
        let row = self.scene.present.row(self.point);
        for (squared, &other) in squared.iter_mut().zip(row) {
            *squared = self.squared_distance(other);
            self.near.radius = self.near.radius.max(*squared);
        }
        if far.stride == 1 || self.near.radius < CROWDED {
            self.near.exact_within = Near::NOBODY;
            return;
        }
        self.near.exact_within = self.near.radius;
        for (&squared, &other) in squared.iter().zip(row) {
            self.push_from(other, squared, 1.0);
        }
    }

    #[inline(always)]
    fn attract(&mut self, far: Far) {
        let scene = self.scene;
        let (neighbours, weights) = scene.present.affinities.row(self.point as usize);
        for (&other, &weight) in neighbours.iter().zip(weights) {
            let squared = self.squared_distance(other);
            let (u, _) = scene.tail.at(squared);
            accumulate(self.simd, scene, self.stride, self.pull, self.point, other, weight * u);
            if squared > self.near.exact_within {
                self.push_from(other, squared, if far.contains(other) { 1.0 - far.stride as f32 } else { 1.0 });
            }
        }
    }

    #[inline(always)]
    fn repel_far(&mut self, far: Far) {
        for other in far.points(self.scene.alive) {
            let squared = self.squared_distance(other as u32);
            if squared > self.near.exact_within && other as u32 != self.point {
                self.push_from(other as u32, squared, far.stride as f32);
            }
        }
    }

    #[inline(always)]
    fn follow(&self, squared: &[f32; MAX_LD]) -> Swap {
        let candidates = self.scene.present.candidates(self.point);
        let mut distances = [f32::INFINITY; CANDIDATES];
        for (distance, &candidate) in distances.iter_mut().zip(&candidates) {
            *distance = self.squared_distance(candidate);
        }
        let row = self.scene.present.row(self.point);
        choose(self.simd, row, self.point, squared, self.near.radius, &candidates, &distances)
    }
}

/// `sum += coefficient · (y_point − y_other)`
#[inline(always)]
fn accumulate<S: Simd>(
    simd: S,
    scene: &Scene<'_>,
    stride: usize,
    sum: &mut [f32],
    point: u32,
    other: u32,
    coefficient: f32,
) {
    let (own, _) = S::as_simd_f32s(&scene.positions[point as usize * stride..][..stride]);
    let (there, _) = S::as_simd_f32s(&scene.positions[other as usize * stride..][..stride]);
    let coefficient = simd.splat_f32s(coefficient);
    for ((sum, &a), &b) in S::as_mut_simd_f32s(sum).0.iter_mut().zip(own).zip(there) {
        *sum = simd.mul_add_e_f32s(coefficient, simd.sub_f32s(a, b), *sum);
    }
}
