//! Repel: pushes a point away from its neighbours in the embedding (exactly) and from everything outside that
//! neighbourhood (sampled): second and third term of the paper's sum.

use super::far::{Far, Tile};
use super::forces::{Forces, Near, Places};
use super::lanes::{self, MAX_LANES};
use pulp::Simd;

/// Neighbourhoods of less than this squared radius leave the near push to the sample, too. Among points so close that
/// the kernel is flat, no sampled neighbour can give a kick (the push falls with the distance), while a list that
/// cannot keep up with the motion of a young embedding would hide most of them.
pub const CROWDED: f32 = 0.1;
/// Longest list of neighbours in the embedding.
pub const MAX_LD: usize = 256;

/// Adds the push of the neighbours in the embedding, unless the sample counts everyone; leaves their squared distances
/// in `squared`.
#[inline(always)]
pub fn repel_near<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    Places { positions, tail }: Places<'_, D>,
    point: u32,
    neighbours: &[u32],
    far: Far,
    squared: &mut [f32; MAX_LD],
    forces: &mut Forces<S, D>,
) -> Near {
    let own = lanes::splat(simd, positions[point as usize]);
    let mut farthest = simd.splat_f32s(0.0);
    let lanes_used = S::F32_LANES;
    for at in (0..neighbours.len()).step_by(lanes_used) {
        let rest = &neighbours[at..];
        let there = if rest.len() >= lanes_used {
            lanes::gather(simd, positions, rest)
        } else {
            // The point itself fills the lanes left over: no difference, but a weight of one each, taken off again.
            let mut points = [point; MAX_LANES];
            points[..rest.len()].copy_from_slice(rest);
            forces.z_correction -= (lanes_used - rest.len()) as f32;
            lanes::gather(simd, positions, &points)
        };
        let (difference, distance) = lanes::difference(simd, &own, &there);
        lanes::store::<S>(&mut squared[at..], distance);
        farthest = simd.max_f32s(farthest, distance);
        let (u, w) = tail.lanes::<S, STUDENT>(simd, distance);
        forces.z = simd.add_f32s(forces.z, w);
        lanes::accumulate(simd, &mut forces.push, simd.mul_f32s(w, u), &difference);
    }
    let radius = simd.reduce_max_f32s(farthest);
    if far.stride == 1 || radius < CROWDED {
        forces.push = [simd.splat_f32s(0.0); D];
        forces.z = simd.splat_f32s(0.0);
        forces.z_correction = 0.0;
        return Near { radius, exact_within: Near::NOBODY };
    }
    Near { radius, exact_within: radius }
}

/// Adds the push of the far sample: points inside the radius of the neighbourhood have been summed exactly already,
/// and once more with the weight of a sample would be a kick.
#[inline(always)]
pub fn repel_far<S: Simd, const D: usize, const STUDENT: bool>(
    simd: S,
    Places { positions, tail }: Places<'_, D>,
    point: u32,
    near: Near,
    far: Far,
    tile: &Tile,
    forces: &mut Forces<S, D>,
) {
    let own = lanes::splat(simd, positions[point as usize]);
    let radius = simd.splat_f32s(near.exact_within);
    let zero = simd.splat_f32s(0.0);
    let mut axes: [&[[S::f32s; 2]]; D] = [&[]; D];
    for (axis, values) in axes.iter_mut().zip(tile.axes::<D>()) {
        *axis = S::as_simd_f32s(values).0.as_chunks().0;
    }
    let (mut push, mut z) = ([zero; D], zero);
    let registers = axes[0].len();
    for at in 0..registers {
        let mut there = [[zero; D]; 2];
        for (axis, values) in axes.iter().enumerate() {
            [there[0][axis], there[1][axis]] = values[at];
        }
        let (first, first_squared) = lanes::difference(simd, &own, &there[0]);
        let (second, second_squared) = lanes::difference(simd, &own, &there[1]);
        let (u, w) = tail.two::<S, STUDENT>(simd, [first_squared, second_squared]);
        let w_first = lanes::only(simd, simd.greater_than_f32s(first_squared, radius), w[0]);
        let w_second = lanes::only(simd, simd.greater_than_f32s(second_squared, radius), w[1]);
        z = simd.add_f32s(z, simd.add_f32s(w_first, w_second));
        lanes::accumulate(simd, &mut push, simd.mul_f32s(w_first, u[0]), &first);
        lanes::accumulate(simd, &mut push, simd.mul_f32s(w_second, u[1]), &second);
    }
    let weight = simd.splat_f32s(far.stride as f32);
    forces.z_correction -= far.stride as f32 * tile.padding_weight();
    forces.z = simd.mul_add_e_f32s(weight, z, forces.z);
    lanes::accumulate(simd, &mut forces.push, weight, &push);
}
