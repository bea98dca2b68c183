//! Pairs: the push between the points of leaves that are next to each other, pair by pair.

use crate::cpu::lanes::{self, MAX_LANES, Tail};
use pulp::Simd;

/// Sums over the pairs of some points, one a lane.
pub struct Pairs<S: Simd, const D: usize> {
    /// Σ w·u·(yᵢ − yⱼ)
    pub push: [S::f32s; D],
    /// Σ w
    pub z: S::f32s,
    /// Σ w·u
    pub stiffness: S::f32s,
}

impl<S: Simd, const D: usize> Pairs<S, D> {
    /// Empty sums.
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        let zero = simd.splat_f32s(0.0);
        Self { push: [zero; D], z: zero, stiffness: zero }
    }

    /// Adds what the points of a leaf, axis by axis, do to the points in the lanes.
    #[inline(always)]
    pub fn add<const STUDENT: bool>(&mut self, simd: S, tail: Tail, own: &[S::f32s; D], leaf: [&[f32]; D]) {
        let points = leaf[0].len();
        let mut at = 0;
        while at + 2 <= points {
            let there: [[f32; D]; 2] = [
                std::array::from_fn(
                    #[inline(always)]
                    |axis| leaf[axis][at],
                ),
                std::array::from_fn(
                    #[inline(always)]
                    |axis| leaf[axis][at + 1],
                ),
            ];
            let (first, first_squared) = lanes::difference(simd, own, &lanes::splat(simd, there[0]));
            let (second, second_squared) = lanes::difference(simd, own, &lanes::splat(simd, there[1]));
            let (u, w) = tail.two::<S, STUDENT>(simd, [first_squared, second_squared]);
            self.take(simd, &first, u[0], w[0]);
            self.take(simd, &second, u[1], w[1]);
            at += 2;
        }
        if at < points {
            let there = std::array::from_fn(
                #[inline(always)]
                |axis| leaf[axis][at],
            );
            let (difference, squared) = lanes::difference(simd, own, &lanes::splat(simd, there));
            let (u, w) = tail.lanes::<S, STUDENT>(simd, squared);
            self.take(simd, &difference, u, w);
        }
    }

    /// The same for the leaf that the lanes themselves are of, from its point number `first` on: nobody pushes itself. A
    /// point is left out, not taken off afterwards: beside its weight of one, those of a map that was blown up would be
    /// lost in rounding.
    #[inline(always)]
    pub fn add_own<const STUDENT: bool>(
        &mut self,
        simd: S,
        tail: Tail,
        own: &[S::f32s; D],
        leaf: [&[f32]; D],
        first: usize,
    ) {
        for (at, _) in leaf[0].iter().enumerate() {
            let mut others = [1.0; MAX_LANES];
            if let Some(itself) = at.checked_sub(first).and_then(|lane| others.get_mut(lane)) {
                *itself = 0.0;
            }
            let there = std::array::from_fn(
                #[inline(always)]
                |axis| leaf[axis][at],
            );
            let (difference, squared) = lanes::difference(simd, own, &lanes::splat(simd, there));
            let (u, w) = tail.lanes::<S, STUDENT>(simd, squared);
            self.take(simd, &difference, u, simd.mul_f32s(w, S::as_simd_f32s(&others).0[0]));
        }
    }

    #[inline(always)]
    fn take(&mut self, simd: S, difference: &[S::f32s; D], u: S::f32s, w: S::f32s) {
        let g = simd.mul_f32s(w, u);
        self.z = simd.add_f32s(self.z, w);
        self.stiffness = simd.add_f32s(self.stiffness, g);
        lanes::accumulate(simd, &mut self.push, g, difference);
    }
}
