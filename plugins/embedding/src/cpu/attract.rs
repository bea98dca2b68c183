//! Attract: pulls a point along its affinities. The same gather serves the exact push of neighbours in the data that
//! lie outside the point's neighbourhood in the embedding (first term of the paper's sum).

use super::far::Far;
use super::forces::{Forces, Near, Places};
use super::lanes::{self, MAX_LANES, Tail};
use pulp::Simd;

/// Adds pull and push of one point's affinities.
#[inline(always)]
pub fn attract<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    Places { positions, tail }: Places<'_, D>,
    point: u32,
    near: Near,
    (neighbours, weights): (&[u32], &[f32]),
    far: Far,
    forces: &mut Forces<S, D>,
) {
    let edges =
        Edges { tail, own: lanes::splat(simd, positions[point as usize]), exact_within: near.exact_within, far };
    let (whole, rest) = S::as_simd_u32s(neighbours);
    let (whole_weights, rest_weights) = S::as_simd_f32s(weights);
    for (at, (&index, &weight)) in whole.iter().zip(whole_weights).enumerate() {
        let there = lanes::gather(simd, positions, &neighbours[at * S::F32_LANES..]);
        edges.add::<STUDENT>(simd, &there, index, weight, forces);
    }
    if !rest.is_empty() {
        // The point itself fills the lanes left over: no difference, so no pull, and never outside.
        let mut points = [point; MAX_LANES];
        points[..rest.len()].copy_from_slice(rest);
        let there = lanes::gather(simd, positions, &points);
        let (index, weight) = (S::as_simd_u32s(&points).0[0], simd.partial_load_f32s(rest_weights));
        edges.add::<STUDENT>(simd, &there, index, weight, forces);
    }
}

struct Edges<S: Simd, const D: usize> {
    tail: Tail,
    own: [S::f32s; D],
    exact_within: f32,
    far: Far,
}

impl<S: Simd, const D: usize> Edges<S, D> {
    #[inline(always)]
    fn add<const STUDENT: bool>(
        &self,
        simd: S,
        there: &[S::f32s; D],
        index: S::u32s,
        weight: S::f32s,
        forces: &mut Forces<S, D>,
    ) {
        let (difference, squared) = lanes::difference(simd, &self.own, there);
        let (u, w) = self.tail.lanes::<S, STUDENT>(simd, squared);
        lanes::accumulate(simd, &mut forces.pull, simd.mul_f32s(weight, u), &difference);
        // A neighbour that is also in the far sample is counted there with weight `stride`; take that back here.
        let stride = self.far.stride;
        let sampled = simd.and_u32s(index, simd.splat_u32s(stride - 1));
        let sampled = simd.equal_u32s(sampled, simd.splat_u32s(self.far.offset));
        let share = simd.select_f32s(sampled, simd.splat_f32s(1.0 - stride as f32), simd.splat_f32s(1.0));
        let outside = simd.greater_than_f32s(squared, simd.splat_f32s(self.exact_within));
        let push = lanes::only(simd, outside, simd.mul_f32s(w, share));
        forces.z = simd.add_f32s(forces.z, push);
        lanes::accumulate(simd, &mut forces.push, simd.mul_f32s(push, u), &difference);
    }
}
