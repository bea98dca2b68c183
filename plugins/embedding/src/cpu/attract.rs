//! Attract: pulls a point along its affinities. Where the push is sampled, the same gather serves the push, by name, of
//! neighbours in the data that are no neighbours in the embedding (first term of the paper's sum).

use super::far::Far;
use super::forces::{Forces, Places};
use super::lanes::{self, MAX_LANES, Tail};
use crate::ties::Code;
use pulp::Simd;

/// Adds the pull of some of a point's affinities, times a factor, and, beside a sample, the push of those farther away than `radius` (squared):
/// who is nearer is in the list of neighbours in the embedding, or left to the sample.
#[inline(always)]
pub fn attract<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    Places { positions, tail }: Places<'_, D>,
    point: u32,
    (neighbours, weights, factor): (&[u32], &[f32], f32),
    beside: Option<(Far, f32)>,
    forces: &mut Forces<S, D>,
) {
    let edges =
        Edges { tail, factor: simd.splat_f32s(factor), own: lanes::splat(simd, positions[point as usize]), beside };
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

/// Adds the pull of some of a point's ties, times a factor.
#[inline(always)]
pub fn attract_ties<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    Places { positions, tail }: Places<'_, D>,
    point: u32,
    (ties, code, factor): (&[u32], Code, f32),
    forces: &mut Forces<S, D>,
) {
    let edges = Edges {
        tail,
        factor: simd.splat_f32s(factor),
        own: lanes::splat(simd, positions[point as usize]),
        beside: None,
    };
    let nobody = simd.splat_u32s(0);
    let (whole, rest) = S::as_simd_u32s(ties);
    for (at, &lanes) in whole.iter().enumerate() {
        let there = lanes::gather_masked(simd, positions, &ties[at * S::F32_LANES..], code.names());
        edges.add::<STUDENT>(simd, &there, nobody, code.weights(simd, lanes), forces);
    }
    if !rest.is_empty() {
        // The point itself fills the lanes left over, with the smallest weight there is: no difference, so no pull.
        let mut words = [code.tie(point, 0.0); MAX_LANES];
        words[..rest.len()].copy_from_slice(rest);
        let there = lanes::gather_masked(simd, positions, &words, code.names());
        edges.add::<STUDENT>(simd, &there, nobody, code.weights(simd, S::as_simd_u32s(&words).0[0]), forces);
    }
}

struct Edges<S: Simd, const D: usize> {
    tail: Tail,
    factor: S::f32s,
    own: [S::f32s; D],
    beside: Option<(Far, f32)>,
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
        let pull = simd.mul_f32s(simd.mul_f32s(weight, self.factor), u);
        forces.pull_stiffness = simd.add_f32s(forces.pull_stiffness, pull);
        lanes::accumulate(simd, &mut forces.pull, pull, &difference);
        if let Some((far, radius)) = self.beside {
            let outside = simd.greater_than_f32s(squared, simd.splat_f32s(radius));
            let w = lanes::only(simd, outside, simd.mul_f32s(w, far.share_beside::<S>(simd, index)));
            forces.push_away(simd, u, w, &difference);
        }
    }
}
