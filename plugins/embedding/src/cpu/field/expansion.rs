//! Expansion: the field of far cells as a polynomial around the centre of a cell.
//!
//! With `r` from source to target, `q = r²`, `u = 1/(1 + q/α)` and `w = u^α`, the push is `g·r` with `g = w·u`, whose
//! derivatives by q are `g′ = −(α+1)/α·g·u` and `g″ = (α+1)(α+2)/α²·g·u²`. The field of a source is taken to the second
//! order in the extent of both cells. It is the gradient of a potential: all its derivatives by place are symmetric.
#![expect(clippy::needless_range_loop, reason = "indices of tensors, as the formulas have them")]

use super::cells::{AXES, Cell};
use crate::cpu::lanes::{self, MAX_LANES, Tail};
use pulp::Simd;

/// The field around a centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expansion<const D: usize> {
    /// The centre.
    pub centre: [f32; D],
    /// The push there.
    pub push: [f32; D],
    /// Its first derivatives.
    pub first: [[f32; D]; D],
    /// Its second derivatives.
    pub second: [[[f32; D]; D]; D],
    /// Σ g.
    pub stiffness: f32,
}

impl<const D: usize> Expansion<D> {
    /// How many values it has.
    pub const VALUES: usize = D + D + D * D + D * D * D + 1;

    /// No field, around a centre.
    #[inline(always)]
    #[must_use]
    pub fn around(centre: [f32; AXES]) -> Self {
        let zero =
            Self { centre: [0.0; D], push: [0.0; D], first: [[0.0; D]; D], second: [[[0.0; D]; D]; D], stiffness: 0.0 };
        zero.moved_to(centre)
    }

    /// The same field around another centre.
    #[inline(always)]
    #[must_use]
    pub fn moved_to(&self, centre: [f32; AXES]) -> Self {
        let mut moved = *self;
        moved.centre.copy_from_slice(&centre[..D]);
        let mut offset = moved.centre;
        for i in 0..D {
            offset[i] -= self.centre[i];
        }
        for i in 0..D {
            for j in 0..D {
                let bend: f32 = (0..D).map(|k| self.second[i][j][k] * offset[k]).sum();
                moved.push[i] += (self.first[i][j] + 0.5 * bend) * offset[j];
                moved.first[i][j] += bend;
            }
        }
        moved
    }

    /// Writes it down.
    #[inline(always)]
    pub fn write(&self, values: &mut [f32]) {
        let own = self.centre.iter().chain(&self.push).chain(self.first.as_flattened());
        let own = own.chain(self.second.as_flattened().as_flattened()).chain([&self.stiffness]);
        values.iter_mut().zip(own).for_each(|(value, own)| *value = *own);
    }

    /// Reads what was [written](Self::write).
    #[inline(always)]
    #[must_use]
    pub fn read(values: &[f32]) -> Self {
        let mut read = Self {
            centre: [0.0; D],
            push: [0.0; D],
            first: [[0.0; D]; D],
            second: [[[0.0; D]; D]; D],
            stiffness: values[Self::VALUES - 1],
        };
        read.centre.copy_from_slice(&values[..D]);
        read.push.copy_from_slice(&values[D..2 * D]);
        read.first.as_flattened_mut().copy_from_slice(&values[2 * D..][..D * D]);
        read.second.as_flattened_mut().as_flattened_mut().copy_from_slice(&values[2 * D + D * D..][..D * D * D]);
        read
    }

    /// The push at places this far from the centre, one a lane.
    #[inline(always)]
    pub fn at<S: Simd>(&self, simd: S, offset: &[S::f32s; D]) -> [S::f32s; D] {
        let mut push = lanes::splat(simd, self.push);
        for i in 0..D {
            for j in 0..D {
                let mut slope = simd.splat_f32s(self.first[i][j]);
                for k in 0..D {
                    slope = simd.mul_add_e_f32s(simd.splat_f32s(0.5 * self.second[i][j][k]), offset[k], slope);
                }
                push[i] = simd.mul_add_e_f32s(slope, offset[j], push[i]);
            }
        }
        push
    }

    /// Adds the field of sources around the centre of a target; returns Σ w over all pairs of their points.
    #[inline(always)]
    pub fn add<S: Simd, const STUDENT: bool>(
        &mut self,
        simd: S,
        tail: Tail,
        nodes: &[Cell],
        target: &Cell,
        sources: &[u32],
    ) -> f64 {
        let empty = nodes.len() as u32 - 1;
        let zero = simd.splat_f32s(0.0);
        let mut sums = Sums::<S, D> {
            push: [zero; D],
            first: [[zero; D]; D],
            second: [[[zero; D]; D]; D],
            stiffness: zero,
            z: zero,
        };
        for sources in sources.chunks(S::F32_LANES) {
            let mut row = [empty; MAX_LANES];
            row[..sources.len()].copy_from_slice(sources);
            sums.add::<STUDENT>(simd, tail, nodes, target, &row);
        }
        for i in 0..D {
            self.push[i] += simd.reduce_sum_f32s(sums.push[i]);
            for j in i..D {
                let first = simd.reduce_sum_f32s(sums.first[i][j]);
                self.first[i][j] += first;
                if i != j {
                    self.first[j][i] += first;
                }
                for k in j..D {
                    let second = simd.reduce_sum_f32s(sums.second[i][j][k]);
                    let orders = [[i, j, k], [i, k, j], [j, i, k], [j, k, i], [k, i, j], [k, j, i]];
                    for (at, [a, b, c]) in orders.into_iter().enumerate() {
                        // Orders of equal indices are one and the same.
                        if !orders[..at].contains(&[a, b, c]) {
                            self.second[a][b][c] += second;
                        }
                    }
                }
            }
        }
        self.stiffness += simd.reduce_sum_f32s(sums.stiffness);
        f64::from(simd.reduce_sum_f32s(sums.z))
    }
}

/// Sums over sources, one a lane; of equal derivatives those whose indices ascend.
struct Sums<S: Simd, const D: usize> {
    push: [S::f32s; D],
    first: [[S::f32s; D]; D],
    second: [[[S::f32s; D]; D]; D],
    stiffness: S::f32s,
    z: S::f32s,
}

impl<S: Simd, const D: usize> Sums<S, D> {
    #[inline(always)]
    fn add<const STUDENT: bool>(
        &mut self,
        simd: S,
        tail: Tail,
        nodes: &[Cell],
        target: &Cell,
        sources: &[u32; MAX_LANES],
    ) {
        let of = |value: &dyn Fn(&Cell) -> f32| -> S::f32s {
            lanes::from_fn(simd, |lane| value(&nodes[sources[lane] as usize]))
        };
        let count = of(&|cell| cell.count);
        let zero = simd.splat_f32s(0.0);
        let (mut r, mut q) = ([zero; D], zero);
        for axis in 0..D {
            r[axis] = simd.sub_f32s(simd.splat_f32s(target.centre[axis]), of(&|cell| cell.centre[axis]));
            q = simd.mul_add_e_f32s(r[axis], r[axis], q);
        }
        let (u, w) = tail.lanes::<S, STUDENT>(simd, q);
        let g = simd.mul_f32s(w, u);
        let alpha = tail.alpha;
        let g1 = simd.mul_f32s(simd.splat_f32s(-(alpha + 1.0) / alpha), simd.mul_f32s(g, u));
        let g2 = simd.mul_f32s(simd.splat_f32s(-(alpha + 2.0) / alpha), simd.mul_f32s(g1, u));
        // Σ over the source: its trace, what it does to r, and how far it stretches along r; of the target the same.
        let (mut trace, mut along, mut turned) = (zero, zero, [zero; D]);
        let (mut own_trace, mut own_along) = (0.0, zero);
        let mut at = 0;
        for i in 0..D {
            for j in i..D {
                let moment = of(&|cell| cell.moment[at]);
                let own = target.moment[at];
                at += 1;
                turned[i] = simd.mul_add_e_f32s(moment, r[j], turned[i]);
                let product = simd.mul_f32s(r[i], r[j]);
                if i == j {
                    trace = simd.add_f32s(trace, moment);
                    own_trace += own;
                    own_along = simd.mul_add_e_f32s(simd.splat_f32s(own), product, own_along);
                } else {
                    turned[j] = simd.mul_add_e_f32s(moment, r[i], turned[j]);
                    own_along = simd.mul_add_e_f32s(simd.splat_f32s(2.0 * own), product, own_along);
                }
            }
        }
        for axis in 0..D {
            along = simd.mul_add_e_f32s(turned[axis], r[axis], along);
        }
        let two = simd.splat_f32s(2.0);
        let (n_g, n_g1) = (simd.mul_f32s(count, g), simd.mul_f32s(simd.mul_f32s(count, g1), two));
        let n_g2 = simd.mul_f32s(simd.mul_f32s(count, g2), simd.splat_f32s(4.0));
        // push: n·g·r + ½·moment:∇∇(g·r) = (n·g + g′·trace + 2g″·along)·r + 2g′·turned
        let two_g1 = simd.mul_f32s(two, g1);
        let stretch = simd.mul_f32s(simd.mul_f32s(two, g2), along);
        let scale = simd.add_f32s(simd.mul_add_e_f32s(g1, trace, n_g), stretch);
        for i in 0..D {
            self.push[i] = simd.mul_add_e_f32s(scale, r[i], self.push[i]);
            self.push[i] = simd.mul_add_e_f32s(two_g1, turned[i], self.push[i]);
            for j in i..D {
                let product = simd.mul_f32s(r[i], r[j]);
                self.first[i][j] = simd.mul_add_e_f32s(n_g1, product, self.first[i][j]);
                if i == j {
                    self.first[i][j] = simd.add_f32s(self.first[i][j], n_g);
                }
                for k in j..D {
                    let mut bent = simd.mul_f32s(simd.mul_f32s(n_g2, product), r[k]);
                    for (equal, other) in [(i == j, k), (i == k, j), (j == k, i)] {
                        if equal {
                            bent = simd.mul_add_e_f32s(n_g1, r[other], bent);
                        }
                    }
                    self.second[i][j][k] = simd.add_f32s(self.second[i][j][k], bent);
                }
            }
        }
        self.stiffness = simd.add_f32s(self.stiffness, n_g);
        // Z: n·m·w + ½·(n·moment of the source + m·that of the target):∇∇w, with ∇∇w = −2g − 4g′·rrᵀ
        let source = simd.mul_add_e_f32s(g, trace, simd.mul_f32s(two_g1, along));
        let own = simd.mul_add_e_f32s(g, simd.splat_f32s(own_trace), simd.mul_f32s(two_g1, own_along));
        let whole = simd.sub_f32s(simd.mul_f32s(count, w), source);
        let z = simd.sub_f32s(simd.mul_f32s(simd.splat_f32s(target.count), whole), simd.mul_f32s(count, own));
        self.z = simd.add_f32s(self.z, z);
    }
}
