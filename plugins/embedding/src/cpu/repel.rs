//! Repel: pushes a point away from its neighbours in the embedding, by name, and from everybody else, by a sample:
//! second and third term of the paper's sum. Only who is named is taken off the sample, wherever others are: a list that
//! has fallen behind makes the sum noisier, never wrong.

use super::far::{Far, Tile};
use super::forces::{Forces, Places};
use super::lanes::{self, MAX_LANES};
use pulp::Simd;

/// Longest list of neighbours in the embedding.
pub const MAX_LD: usize = 256;

/// Adds the push of the neighbours in the embedding; leaves their squared distances in `squared`. Returns the squared
/// distance of the farthest of them.
#[inline(always)]
pub fn repel_near<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    Places { positions, tail }: Places<'_, D>,
    point: u32,
    neighbours: &[u32],
    far: Far,
    squared: &mut [f32; MAX_LD],
    forces: &mut Forces<S, D>,
) -> f32 {
    let own = lanes::splat(simd, positions[point as usize]);
    let mut farthest = simd.splat_f32s(0.0);
    let lanes_used = S::F32_LANES;
    for at in (0..neighbours.len()).step_by(lanes_used) {
        let rest = &neighbours[at..];
        // The point itself fills the lanes left over, and counts for nothing.
        let (mut points, mut present) = ([point; MAX_LANES], [0.0; MAX_LANES]);
        let taken = rest.len().min(lanes_used);
        points[..taken].copy_from_slice(&rest[..taken]);
        present[..taken].fill(1.0);
        let there = lanes::gather(simd, positions, &points);
        let (difference, distance) = lanes::difference(simd, &own, &there);
        lanes::store::<S>(&mut squared[at..], distance);
        farthest = simd.max_f32s(farthest, distance);
        let (u, w) = tail.lanes::<S, STUDENT>(simd, distance);
        let share = far.share_beside::<S>(simd, S::as_simd_u32s(&points).0[0]);
        let w = simd.mul_f32s(simd.mul_f32s(w, share), S::as_simd_f32s(&present).0[0]);
        forces.push_away(simd, u, w, &difference);
    }
    simd.reduce_max_f32s(farthest)
}

/// Adds the push of the far sample. Points that are summed by name besides are taken off there.
#[inline(always)]
pub fn repel_far<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    Places { positions, tail }: Places<'_, D>,
    point: u32,
    far: Far,
    tile: &mut Tile,
    forces: &mut Forces<S, D>,
) {
    let hidden = tile.hide::<D>(far, point);
    let own = lanes::splat(simd, positions[point as usize]);
    let zero = simd.splat_f32s(0.0);
    let mut axes: [&[[S::f32s; 2]]; D] = [&[]; D];
    for (axis, values) in axes.iter_mut().zip(tile.axes::<D>()) {
        *axis = S::as_simd_f32s(values).0.as_chunks().0;
    }
    let (mut push, mut z, mut stiffness) = ([zero; D], zero, zero);
    let registers = axes[0].len();
    for at in 0..registers {
        let mut there = [[zero; D]; 2];
        for (axis, values) in axes.iter().enumerate() {
            [there[0][axis], there[1][axis]] = values[at];
        }
        let (first, first_squared) = lanes::difference(simd, &own, &there[0]);
        let (second, second_squared) = lanes::difference(simd, &own, &there[1]);
        let (u, w) = tail.two::<S, STUDENT>(simd, [first_squared, second_squared]);
        z = simd.add_f32s(z, simd.add_f32s(w[0], w[1]));
        let (first_push, second_push) = (simd.mul_f32s(w[0], u[0]), simd.mul_f32s(w[1], u[1]));
        stiffness = simd.add_f32s(stiffness, simd.add_f32s(first_push, second_push));
        lanes::accumulate(simd, &mut push, first_push, &first);
        lanes::accumulate(simd, &mut push, second_push, &second);
    }
    let weight = simd.splat_f32s(far.stride as f32);
    forces.padding_weight += far.stride as f32 * tile.padding_weight(hidden);
    forces.z = simd.mul_add_e_f32s(weight, z, forces.z);
    forces.push_stiffness = simd.mul_add_e_f32s(weight, stiffness, forces.push_stiffness);
    lanes::accumulate(simd, &mut forces.push, weight, &push);
    tile.show(hidden, positions[point as usize]);
}
